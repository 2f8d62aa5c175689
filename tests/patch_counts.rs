//! How many patches and polygons a contact has, as its geometry says.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use crate::support::brute_force::intersections;
use crate::support::{FORCE_METHODS, at_rest, elastic, surface, translation};
use polycontact::contact::{Method, Outcome};
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::mesh::TriangleMesh;
use polycontact::shapes::{comb, cuboid, dumb_bell, from_cells, moved, subdivided_cuboid, torus};

/// Patches and polygons, the same for every method and with E and F swapped; polygons checked by brute force.
#[track_caller]
fn assert_counts(mesh_e: &TriangleMesh, mesh_f: &TriangleMesh, pose: &Pose, patches: u32, polygons: u32) -> Outcome {
    let (e, f) = (surface(mesh_e.clone()), surface(mesh_f.clone()));
    for method in FORCE_METHODS.into_iter().chain([Method::CollisionOnly]) {
        let outcome = at_rest(&e, &f, &elastic(method), pose);
        let swapped = at_rest(&f, &e, &elastic(method), &pose.inverse());
        assert_eq!((outcome.patch_count, outcome.polygon_count), (patches, polygons), "{method:?}");
        assert_eq!((swapped.patch_count, swapped.polygon_count), (patches, polygons), "{method:?}, swapped");
        assert!(!outcome.border_in_contact && !outcome.enclosed);
    }
    let outcome = at_rest(&e, &f, &elastic(Method::Auto), pose);
    let expected = intersections(mesh_e, mesh_f, pose);
    assert_eq!((outcome.line_count as usize, outcome.polygon_count as usize), (expected.lines, expected.polygons));
    outcome
}

fn turned(axis: Vector, angle: f64, position: Vector) -> Pose {
    // A little off, so that no edges coincide: coincidences have their own tests.
    let off = Rotation::new(Vector::new(1.1e-3, -0.7e-3, 1.3e-3));
    Pose::from_parts((position + Vector::new(1.3e-4, -0.9e-4, 0.6e-4)).into(), Rotation::new(axis * angle) * off)
}

#[test]
fn thin_ring_through_a_thick_ring_has_two_patches_with_two_borders_each() {
    // Both in one plane, their circles cross in two places; there the thin tube enters and leaves the thick one.
    let (thick, thin) = (torus(0.1, 0.03, 32, 16), torus(0.1, 0.01, 32, 10));
    let pose = turned(Vector::x(), 0.0, Vector::new(0.12, 0.0, 0.0));
    assert_counts(&thick, &thin, &pose, 2, 4);
}

#[test]
fn chain_links_touch_in_one_patch() {
    // The second link stands upright through the hole of the first and is pulled outwards.
    let link = torus(0.1, 0.02, 32, 12);
    let pose = turned(Vector::x(), FRAC_PI_2, Vector::new(2.0 * (0.1 - 0.02) + 2e-3, 0.0, 0.0));
    assert_counts(&link, &link, &pose, 1, 1);
}

#[test]
fn chain_links_pulled_through_each_other_have_two_borders() {
    // Beyond its full diameter the thin wire passes right through the thick one: it enters and leaves.
    let (thick, thin) = (torus(0.1, 0.03, 32, 16), torus(0.1, 0.01, 32, 10));
    let pose = turned(Vector::x(), FRAC_PI_2, Vector::new(0.2, 0.0, 0.0));
    assert_counts(&thick, &thin, &pose, 1, 2);
}

#[test]
fn ring_lying_in_a_plate_has_one_patch_with_two_borders() {
    let plate = subdivided_cuboid(Vector::new(0.4, 0.4, 0.1), [10, 10, 3]);
    let pose = turned(Vector::x(), 0.0, Vector::new(0.0, 0.0, 0.05 + 0.03 - 0.005));
    assert_counts(&plate, &torus(0.1, 0.03, 32, 16), &pose, 1, 2);
}

/// A block with a V-shaped groove along x, as the upper part of a cuboid frame turned by 45°: two plates at right angles.
fn groove() -> TriangleMesh {
    // An L-profile along x, opening towards +y +z; turned by 45° about x it is a V that opens upwards.
    let profile = from_cells([&[-0.3, 0.3], &[-0.05, 0.0, 0.3], &[-0.05, 0.0, 0.3]], |_, j, k| j == 0 || k == 0);
    moved(&profile, &Pose::from_parts(Vector::zeros().into(), Rotation::new(Vector::x() * FRAC_PI_4)))
}

#[test]
fn dumb_bell_in_a_groove_has_four_patches() {
    // Lying along the groove, each bulge touches both flanks; a ball of 10 cm rests 10 √2 cm above the root.
    let height = 0.1 * 2f64.sqrt() - 3e-3;
    let pose = turned(Vector::y(), FRAC_PI_2, Vector::new(0.0, 0.0, height));
    assert_counts(&groove(), &dumb_bell(), &pose, 4, 4);
}

#[test]
fn dumb_bell_on_a_plate_has_two_patches_that_merge_at_the_waist() {
    let plate = moved(&cuboid(Vector::new(1.0, 1.0, 0.4)), &translation(0.0, 0.0, -0.2));
    for (depth, patches) in [(2e-3, 2), (0.04, 2), (0.055, 1)] {
        let pose = turned(Vector::y(), FRAC_PI_2, Vector::new(0.0, 0.0, 0.1 - depth));
        assert_counts(&plate, &dumb_bell(), &pose, patches, patches);
    }
}

#[test]
fn comb_on_comb_has_a_patch_per_pair_of_teeth() {
    let comb_mesh = comb(4, 0.02, 0.05, 0.03, 0.1);
    let upside_down = |shift: f64| turned(Vector::x(), PI, Vector::new(shift, 0.003, 0.1 - 2e-3));
    // Tooth on tooth, half a tooth aside, and one pitch aside, where one tooth of each has no partner.
    assert_counts(&comb_mesh, &comb_mesh, &upside_down(0.003), 4, 4);
    assert_counts(&comb_mesh, &comb_mesh, &upside_down(0.008), 4, 4);
    assert_counts(&comb_mesh, &comb_mesh, &upside_down(0.043), 3, 3);
}

#[test]
fn crossed_combs_have_a_patch_for_every_crossing() {
    let comb_mesh = comb(4, 0.02, 0.05, 0.03, 0.2);
    let lower = moved(&comb_mesh, &translation(-0.07, 0.0, 0.0));
    // Upside down and a quarter turn about z: four teeth across four teeth.
    let pose = turned(Vector::z(), FRAC_PI_2, Vector::new(0.0, 0.0, 0.1 - 2e-3))
        * Pose::from_parts(Vector::zeros().into(), Rotation::new(Vector::x() * PI));
    assert_counts(&lower, &lower, &pose, 16, 16);
}

#[test]
fn rod_through_a_plate_has_two_polygons() {
    let plate = cuboid(Vector::new(0.4, 0.4, 0.1));
    let rod = cuboid(Vector::new(0.02, 0.03, 1.0));
    let pose = turned(Vector::new(0.6, 0.8, 0.0), 0.3, Vector::new(0.03, 0.05, 0.0));
    assert_counts(&plate, &rod, &pose, 1, 2);
}
