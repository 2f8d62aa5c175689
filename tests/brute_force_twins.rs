//! The elastic law against its slow twin: samples that ask all faces how far away they are.

use crate::support::brute_force::triangles;
use crate::support::random::Random;
use crate::support::sampled::integrate;
use crate::support::{STIFFNESS, at_rest, elastic, radius, surface, translation};
use polycontact::contact::Method;
use polycontact::math::{Pose, Vector};
use polycontact::mesh::TriangleMesh;
use polycontact::shapes::{comb, cuboid, gear, icosphere, moved, regular_prism, torus};

/// How faces are cut: into 24² triangles, those across borders and walls in four another five times.
const RESOLUTION: (usize, usize) = (24, 5);

/// Compares both passes over `poses` random poses in contact.
fn assert_agrees_with_sampling(name: &str, meshes: [TriangleMesh; 2], poses: usize, seed: u64) {
    let [mesh_e, mesh_f] = &meshes;
    let (e, f) = (surface(mesh_e.clone()), surface(mesh_f.clone()));
    let mut random = Random::new(seed);
    let mut done = 0;
    while done < poses {
        let pose = random.pose_around(Vector::zeros(), 0.8 * (radius(mesh_e) + radius(mesh_f)));
        let by_e = at_rest(&e, &f, &elastic(Method::MasterE), &pose);
        if !by_e.in_contact {
            continue;
        }
        done += 1;
        let by_f = at_rest(&e, &f, &elastic(Method::MasterF), &pose);
        let (faces_e, faces_f) = (triangles(mesh_e, &Pose::identity()), triangles(mesh_f, &pose));
        let sampled_e = integrate(&faces_e, &faces_f, STIFFNESS, RESOLUTION);
        let sampled_f = integrate(&faces_f, &faces_e, STIFFNESS, RESOLUTION);
        for (faces, outcome, sampled, sign) in [("E", by_e, sampled_e, 1.0), ("F", by_f, sampled_f, -1.0)] {
            let context = format!("{name}, pose {done}, faces of {faces}: {outcome:?}\n{sampled:?}");
            let load = outcome.normal_stress.mean * outcome.contact_area;
            // The bound of the oracle adds up the worst of all triangles across borders and walls, where depths would differ
            // by the longest side. Over a wall they bend by less, and only in a part of the triangle: a third of it.
            let difference = (outcome.wrenches.on_e.force * sign - sampled.force).norm();
            assert!(difference <= 0.3 * sampled.force_error + 1e-6, "force differs by {difference}: {context}");
            let difference = (outcome.wrenches.on_e.torque * sign - sampled.torque).norm();
            assert!(difference <= 0.3 * sampled.torque_error + 1e-6, "torque differs by {difference}: {context}");
            let difference = (outcome.contact_area - sampled.area).abs();
            assert!(difference <= 0.5 * sampled.area_error + 1e-9, "area differs by {difference}: {context}");
            // The bound itself must say something.
            assert!(0.3 * sampled.force_error < 0.015 * load + 1.0, "{context}");
        }
    }
}

#[test]
fn box_in_box_agrees_with_sampling() {
    let meshes = [cuboid(Vector::new(0.1, 0.12, 0.15)), cuboid(Vector::new(0.2, 0.05, 0.1))];
    assert_agrees_with_sampling("box in box", meshes, 5, 1);
}

#[test]
fn ball_in_box_agrees_with_sampling() {
    let meshes = [cuboid(Vector::new(0.2, 0.12, 0.15)), icosphere(0.1, 1)];
    assert_agrees_with_sampling("ball in box", meshes, 2, 2);
}

#[test]
fn torus_in_torus_agrees_with_sampling() {
    let meshes = [torus(0.1, 0.04, 8, 5), torus(0.12, 0.03, 7, 5)];
    assert_agrees_with_sampling("torus in torus", meshes, 3, 3);
}

#[test]
fn comb_in_prism_agrees_with_sampling() {
    let centred = moved(&comb(3, 0.02, 0.05, 0.03, 0.1), &translation(-0.05, 0.0, -0.01));
    assert_agrees_with_sampling("comb in prism", [centred, regular_prism(0.08, 0.1, 5)], 2, 4);
}

#[test]
fn gear_in_comb_agrees_with_sampling() {
    let centred = moved(&comb(3, 0.02, 0.05, 0.03, 0.1), &translation(-0.05, 0.0, -0.01));
    assert_agrees_with_sampling("gear in comb", [gear(5, 0.04, 0.06, 0.04), centred], 2, 5);
}
