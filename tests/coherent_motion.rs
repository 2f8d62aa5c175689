//! What a workspace remembers of the last search changes no bit of the next outcome.

use crate::support::random::{Random, pose_count};
use crate::support::{assert_same_bits, checked, surface};
use polycontact::contact::{ContactSurface, ElementScheme, RawParameters, RelativeMotion, Workspace, evaluate};
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::shapes::{comb, cuboid, gear, icosphere, subdivided_cuboid, torus};

/// Name, surfaces, and the distance of the origins around which F moves, in m.
fn pairs() -> Vec<(&'static str, ContactSurface, ContactSurface, f64)> {
    let plate = Vector::new(0.4, 0.4, 0.1);
    vec![
        ("spheres", surface(icosphere(0.1, 3)), surface(icosphere(0.1, 4)), 0.197),
        ("plate and sphere", surface(cuboid(plate)), surface(icosphere(0.1, 3)), 0.148),
        ("fine plate and sphere", surface(subdivided_cuboid(plate, [16, 16, 4])), surface(icosphere(0.1, 3)), 0.149),
        ("rings", surface(torus(0.1, 0.04, 24, 12)), surface(torus(0.1, 0.04, 24, 12)), 0.07),
        ("comb and ring", surface(comb(5, 0.02, 0.05, 0.02, 0.08)), surface(torus(0.06, 0.02, 24, 12)), 0.05),
    ]
}

/// Walks of steps from a nanometre to a centimetre, with jumps, rests and turns, and with the surfaces swapped now and
/// then; every outcome, counts of tests included, is that of a workspace that has seen nothing before.
#[test]
fn outcomes_do_not_depend_on_what_was_evaluated_before() {
    let pairs = pairs();
    let poses = pose_count(80);
    let parameters = [ElementScheme::Potential, ElementScheme::Centroid]
        .map(|elements| checked(&RawParameters { elements, ..RawParameters::default() }));
    let mut contacts = 0;
    let mut shared = Workspace::default();
    for (seed, (name, e, f, distance)) in pairs.iter().enumerate() {
        let mut random = Random::new(7700 + seed as u64);
        let mut pose = Pose::from_parts(Vector::new(0.0, 0.0, *distance).into(), random.rotation());
        let mut step = 1e-6;
        for index in 0..poses {
            match random.bits() % 20 {
                0 => pose = random.pose_around(Vector::zeros(), *distance),
                1 => pose = Pose::from_parts(Vector::new(0.0, 0.0, *distance).into(), random.rotation()),
                2 => step = 10f64.powf(random.between(-9.0, -2.0)),
                // The very same pose again.
                3 => {}
                _ => {
                    pose.translation.vector += step * random.direction();
                    let turn = Rotation::new(3.0 * step * random.direction());
                    pose.rotation = turn * pose.rotation;
                }
            }
            let (e, f) = if random.bits().is_multiple_of(10) { (f, e) } else { (e, f) };
            let motion = RelativeMotion::new(pose, 0.1 * random.direction(), random.direction()).expect("finite");
            let parameters = &parameters[index % 2];
            let mut new = Workspace::default();
            // So deep in each other bodies need long for the energy.
            (shared.without_energy, new.without_energy) = (index % 8 != 0, index % 8 != 0);
            let outcome = evaluate(e, f, parameters, &motion, &mut shared);
            let fresh = evaluate(e, f, parameters, &motion, &mut new);
            assert_same_bits(&outcome, &fresh);
            assert_eq!(outcome, fresh, "{name}, pose {index}");
            contacts += usize::from(outcome.in_contact);
        }
    }
    assert!(poses < contacts, "{contacts} contacts");
}

/// Long walks of equal steps, so that one search is made use of again and again until it is too far away.
#[test]
fn long_walks_find_what_short_ones_find() {
    let parameters = checked(&RawParameters::default());
    for (seed, (name, e, f, distance)) in pairs().iter().enumerate() {
        for exponent in [-7i64, -6, -5, -4] {
            let mut random = Random::new(8800 + 10 * seed as u64 + exponent.unsigned_abs());
            let mut shared = Workspace::default();
            let mut pose = Pose::from_parts(Vector::new(0.0, 0.0, *distance).into(), random.rotation());
            let step = 10f64.powi(exponent as i32);
            let drift = random.direction();
            for index in 0..pose_count(40) {
                pose.translation.vector += step * (drift + random.direction());
                pose.rotation = Rotation::new(5.0 * step * random.direction()) * pose.rotation;
                let motion = RelativeMotion::new(pose, 0.1 * random.direction(), random.direction()).expect("finite");
                let mut new = Workspace::default();
                (shared.without_energy, new.without_energy) = (index % 8 != 0, index % 8 != 0);
                let outcome = evaluate(e, f, &parameters, &motion, &mut shared);
                let fresh = evaluate(e, f, &parameters, &motion, &mut new);
                assert_same_bits(&outcome, &fresh);
                assert_eq!(outcome, fresh, "{name}, steps of {step} m, pose {index}");
            }
        }
    }
}

/// Flat bodies face to face, tilted in space, with a matrix that is a rotation to 10⁻¹² only: the sine of the angle
/// between their discs hangs on the last bits.
#[test]
fn nearly_parallel_faces_are_searched_as_from_the_start() {
    let tilt = Rotation::new(Vector::new(0.7, 0.3, 0.2));
    let sheet = || {
        let mut mesh = subdivided_cuboid(Vector::new(1.0, 1.0, 0.1), [4, 4, 1]);
        mesh.vertices.iter_mut().for_each(|vertex| *vertex = tilt * *vertex);
        surface(mesh)
    };
    let (e, f) = (sheet(), sheet());
    let parameters = checked(&RawParameters::default());
    let mut shared = Workspace::default();
    let mut random = Random::new(77);
    for index in 0..pose_count(400) {
        let gap = 10f64.powf(random.between(-8.0, -5.0));
        let scale = 1.0 + 1e-12 * random.between(-0.5, 0.5);
        let matrix = Rotation::new(1e-15 * random.direction()).matrix() * scale;
        let position = (0.1 + gap) * (tilt * Vector::z());
        let pose = Pose::from_parts(position.into(), Rotation::from_matrix_unchecked(matrix));
        let motion = RelativeMotion::at_rest(pose);
        let outcome = evaluate(&e, &f, &parameters, &motion, &mut shared);
        assert_eq!(outcome, evaluate(&e, &f, &parameters, &motion, &mut Workspace::default()), "pose {index}");
    }
}

/// Gears with their ends in the same planes, as in a plane mechanism: they touch there, and stay so while they turn. Now and
/// then one leaves its plane by less than boxes are wide, is turned over, or tilts.
#[test]
fn bodies_with_ends_in_the_same_planes_are_searched_as_from_the_start() {
    let (e, f) = (surface(gear(9, 0.08, 0.1, 0.04)), surface(gear(7, 0.08, 0.1, 0.04)));
    let parameters = checked(&RawParameters::default());
    let mut shared = Workspace::default();
    shared.without_energy = true;
    let mut random = Random::new(99);
    let (mut angle, mut height, mut tilt, mut is_over) = (0.1, 0.0, Vector::zeros(), false);
    let mut contacts = 0;
    for index in 0..pose_count(400) {
        match random.bits() % 12 {
            0 => height = 10f64.powf(random.between(-17.0, -3.0)) * random.between(-1.0, 1.0),
            1 => height = 0.0,
            2 => tilt = 10f64.powf(random.between(-16.0, -3.0)) * random.direction(),
            3..6 => tilt = Vector::zeros(),
            6 => is_over = !is_over,
            _ => angle += random.between(-1e-5, 1e-5),
        }
        let turned = Rotation::from_axis_angle(&Vector::z_axis(), angle);
        // Exactly half a turn.
        let over = if is_over { Vector::new(1.0, -1.0, -1.0) } else { Vector::repeat(1.0) };
        let over = Rotation::from_matrix_unchecked(polycontact::math::Matrix::from_diagonal(&over));
        let rotation = if tilt == Vector::zeros() { turned * over } else { Rotation::new(tilt) * turned * over };
        // A host's matrix that is a rotation to 10⁻¹² only: heights over E are those of F, and not the other way round.
        let mut matrix = *rotation.matrix();
        if random.bits().is_multiple_of(3) {
            matrix[(index % 2, 2)] += 9e-13 * random.between(-1.0, 1.0);
        }
        let rotation = Rotation::from_matrix_unchecked(matrix);
        let motion = RelativeMotion::at_rest(Pose::from_parts(Vector::new(0.17, 1e-3, height).into(), rotation));
        let mut new = Workspace::default();
        new.without_energy = true;
        let outcome = evaluate(&e, &f, &parameters, &motion, &mut shared);
        assert_eq!(outcome, evaluate(&e, &f, &parameters, &motion, &mut new), "pose {index}");
        contacts += usize::from(outcome.in_contact);
    }
    assert!(pose_count(400) < 2 * contacts, "{contacts} contacts");
}
