//! Pieces several at a time against single ones, and in registers of all widths, over many poses.

use super::floor::record_pieces;
use super::lanes::{Width, width::hold_to};
use crate::contact::{
    ContactParameters, ContactSurface, Method, Outcome, RawLayer, RawParameters, RelativeMotion, Workspace, evaluate,
};
use crate::math::{Pose, Rotation, Vector};
use crate::shapes::{cuboid, icosphere, paraboloid_cap, subdivided_cuboid, torus};
use crate::test_support::random::Random;

/// Sums of thousands of pieces in another order differ by less.
const TOLERANCE: f64 = 1e-12;

fn assert_close(what: &str, a: &Outcome, b: &Outcome) {
    let counts = |o: &Outcome| [o.line_count, o.patch_count, o.polygon_count, o.triangle_tests];
    assert_eq!(counts(a), counts(b), "{what}");
    // Where sides of faces coincide, rounding decides whether a sliver of no area is an element.
    let slivers = 2 + b.element_count / 100;
    assert!(a.element_count.abs_diff(b.element_count) <= slivers, "{what}: {} {}", a.element_count, b.element_count);
    let scale = b.force_on_e.norm();
    let lever = 0.1;
    let differences = [
        (a.force_on_e - b.force_on_e).norm() / scale,
        (a.torque_on_e_at_f - b.torque_on_e_at_f).norm() / (scale * lever),
        (a.contact_position_e - b.contact_position_e).norm() / lever,
        (a.contact_normal_e - b.contact_normal_e).norm(),
    ];
    let numbers = |o: &Outcome| {
        [
            o.contact_area,
            o.mean_penetration,
            o.max_penetration,
            o.elastic_energy,
            o.tangential_velocity.mean,
            o.tangential_velocity.max,
            o.normal_velocity.max,
            o.normal_stress.mean,
            o.normal_stress.max,
            o.tangential_stress.mean,
            o.tangential_stress.max,
        ]
    };
    let relative = numbers(a).into_iter().zip(numbers(b)).map(|(a, b)| if a == b { 0.0 } else { ((a - b) / b).abs() });
    for (index, difference) in differences.into_iter().chain(relative).enumerate() {
        assert!(difference <= TOLERANCE || scale == 0.0, "{what}: quantity {index} by {difference:.1e}\n{a:?}\n{b:?}");
    }
}

/// Spheres, plates, rings and caps, coarse and fine; at rest, creeping, sliding, spinning, opening fast enough for
/// damping to pull; with and without fade-in, damping and friction. Registers of all widths give the
/// same bits.
#[test]
fn several_pieces_at_a_time_give_what_single_pieces_give() {
    let surface = ContactSurface::new;
    let plate = Vector::new(0.4, 0.4, 0.1);
    let pairs = [
        ("spheres", surface(icosphere(0.1, 3)), surface(icosphere(0.1, 4)), [0.18, 0.2]),
        ("plate", surface(cuboid(plate)), surface(icosphere(0.1, 3)), [0.135, 0.15]),
        ("fine plate", surface(subdivided_cuboid(plate, [16, 16, 4])), surface(icosphere(0.1, 3)), [0.135, 0.15]),
        ("ring", surface(torus(0.1, 0.04, 40, 20)), surface(icosphere(0.05, 2)), [0.05, 0.09]),
        ("caps", surface(paraboloid_cap(0.2, 0.03, 12)), surface(icosphere(0.1, 3)), [0.095, 0.1]),
    ];
    let mut workspace = Workspace::default();
    let mut contacts = 0;
    for (seed, (name, e, f, [near, far])) in pairs.iter().enumerate() {
        let mut random = Random::new(5100 + seed as u64);
        for index in 0..120 {
            let mut pose = random.pose_around(Vector::zeros(), 0.0);
            pose.translation.vector =
                Vector::new(random.between(-0.01, 0.01), random.between(-0.01, 0.01), random.between(*near, *far));
            let speed = if index % 9 == 0 { 0.0 } else { 10f64.powf(random.between(-4.0, 0.5)) };
            let spin = random.between(0.0, 20.0) * speed * random.direction();
            let motion = RelativeMotion::new(pose, speed * random.direction(), spin).unwrap();
            let raw = RawParameters {
                layer_f: if index % 2 == 0 { RawLayer::RIGID } else { RawLayer::default() },
                method: [Method::Auto, Method::TwoPass, Method::MasterE, Method::MasterF][index % 4],
                areal_damping: if index % 5 == 4 { 0.0 } else { 1e5 },
                damping_transition_depth: [1e-3, 1e-4, 0.0][index % 3],
                friction_coefficient: if index % 7 == 6 { 0.0 } else { 0.3 },
                ..RawParameters::default()
            };
            let parameters = ContactParameters::new(&raw).unwrap();
            let (single, _) = record_pieces(e, f, &parameters, &motion, &mut workspace);
            let together = evaluate(e, f, &parameters, &motion, &mut workspace);
            assert_close(&format!("{name}, pose {index}"), &together, &single);
            contacts += usize::from(together.in_contact);
            for width in [Width::Portable, Width::Avx2] {
                hold_to(width);
                let narrow = evaluate(e, f, &parameters, &motion, &mut workspace);
                hold_to(Width::Avx512);
                assert_eq!(format!("{narrow:?}"), format!("{together:?}"), "{name}, pose {index}: bits of {width:?}");
            }
        }
    }
    assert!(400 < contacts, "{contacts} contacts");
}

/// A block whose upper side is bumpy, by the heights of its 3 × 3 vertices in m.
fn bumpy_block(heights: [f64; 9], is_turned_over: bool) -> ContactSurface {
    let mut mesh = subdivided_cuboid(Vector::new(0.02, 0.02, 0.02), [2, 2, 1]);
    for vertex in &mut mesh.vertices {
        let [i, j] = [vertex.x, vertex.y].map(|x| (100.0 * x).round() as usize + 1);
        vertex.z = if 0.0 < vertex.z { heights[3 * i + j] } else { -0.02 };
        if is_turned_over {
            *vertex = Vector::new(vertex.x, -vertex.y, -vertex.z);
        }
    }
    ContactSurface::new(mesh)
}

/// The only slave face that cuts a master face is steep, and a side of it runs through a corner of the master up to
/// rounding: the walk must not end there.
#[test]
fn a_walk_goes_on_across_a_side_that_only_touches() {
    let e = bumpy_block([2e-4, 2e-4, 1e-4, 1e-4, 2e-4, 0.00030000000000000003, 0.0, 1e-4, 1e-4], false);
    let f = bumpy_block([2e-4, 0.0, 2e-4, 0.0, 0.0, 1e-4, 0.0, 2e-4, 1e-4], true);
    let turn = Rotation::new(std::f64::consts::FRAC_PI_2 * Vector::z());
    let mut workspace = Workspace::default();
    for method in [Method::Auto, Method::TwoPass, Method::MasterE, Method::MasterF] {
        let raw = RawParameters { method, areal_damping: 0.0, friction_coefficient: 0.0, ..RawParameters::default() };
        let parameters = ContactParameters::new(&raw).unwrap();
        let at = |shift: f64| {
            let position = Vector::new(-0.01 + shift, 0.01, -0.00015000000000000001);
            RelativeMotion::at_rest(Pose::from_parts(position.into(), turn))
        };
        let (single, _) = record_pieces(&e, &f, &parameters, &at(0.0), &mut workspace);
        let together = evaluate(&e, &f, &parameters, &at(0.0), &mut workspace);
        assert_close("aligned", &together, &single);
        let nearby = evaluate(&e, &f, &parameters, &at(1e-12), &mut workspace);
        let difference = (nearby.force_on_e - together.force_on_e).norm();
        assert!(difference < 1e-6 * nearby.force_on_e.norm(), "{method:?}: {together:?}\n{nearby:?}");
    }
}

/// Contacts that are smaller than a face lose regions below a part of its size.
const SMALL_CONTACT: f64 = 1e-9;

fn assert_same_wrench(what: &str, a: &Outcome, b: &Outcome, tolerance: f64) {
    let (force, torque) = (b.force_on_e.norm(), b.torque_on_e_at_f.norm());
    assert!((a.force_on_e - b.force_on_e).norm() <= tolerance * force, "{what}\n{a:?}\n{b:?}");
    assert!((a.torque_on_e_at_f - b.torque_on_e_at_f).norm() <= tolerance * torque, "{what}\n{a:?}\n{b:?}");
}

/// A ball above the middle of a plate, as symmetric as it can be, and hardly moving: regions shrink to points and lines,
/// and speeds to numbers whose squares are zero.
#[test]
fn a_ball_at_rest_gives_what_single_pieces_give() {
    let (plate, ball) =
        (ContactSurface::new(cuboid(Vector::new(0.4, 0.4, 0.1))), ContactSurface::new(icosphere(0.1, 3)));
    let raw = RawParameters { areal_damping: 2e5, damping_transition_depth: 1e-3, ..RawParameters::default() };
    let parameters = ContactParameters::new(&raw).unwrap();
    let mut workspace = Workspace::default();
    let mut random = Random::new(5200);
    for index in 0..4000 {
        let small = |random: &mut Random| {
            let exponent = -330.0 * random.between(0.0, 1.0).powi(2) - 1.0;
            10f64.powf(exponent).copysign(random.between(-1.0, 1.0))
        };
        let mut vector = || Vector::new(small(&mut random), small(&mut random), small(&mut random));
        let (mut position, turn, velocity, spin) = (vector(), vector(), vector(), vector());
        position.z = random.between(0.1465, 0.1499);
        let pose = Pose::from_parts(position.into(), Rotation::new(turn));
        let motion = RelativeMotion::new(pose, velocity, spin).unwrap();
        let (single, _) = record_pieces(&plate, &ball, &parameters, &motion, &mut workspace);
        let together = evaluate(&plate, &ball, &parameters, &motion, &mut workspace);
        let difference = (together.force_on_e - single.force_on_e).norm();
        let what = format!("pose {index}: {motion:?}\n{together:?}\n{single:?}");
        assert!(difference <= SMALL_CONTACT * single.force_on_e.norm(), "{what}");
    }
}

/// The lowest vertex of a ball about as deep as damping fades in: the part beyond that is a small one of a large piece.
#[test]
fn small_parts_of_pieces_give_what_single_pieces_give() {
    let (plate, ball) =
        (ContactSurface::new(cuboid(Vector::new(0.4, 0.4, 0.1))), ContactSurface::new(icosphere(0.1, 3)));
    let mut workspace = Workspace::default();
    let mut random = Random::new(5300);
    let rotation = Rotation::new(Vector::new(0.3, -0.8, 0.5));
    let lowest = ball.mesh().vertices.iter().map(|vertex| (rotation * vertex).z).fold(f64::INFINITY, f64::min);
    for friction_coefficient in [0.3, 0.0] {
        let raw = RawParameters { friction_coefficient, ..RawParameters::default() };
        let (parameters, fade_in) = (ContactParameters::new(&raw).unwrap(), raw.damping_transition_depth);
        for index in 0..3000 {
            let beyond = 10f64.powf(random.between(-9.0, -2.0));
            let position = Vector::new(0.003, 0.002, 0.05 - lowest - fade_in * (1.0 + beyond));
            let pose = Pose::from_parts(position.into(), rotation);
            let motion = RelativeMotion::new(pose, Vector::new(0.1, 0.02, -0.03), Vector::new(0.1, 0.2, 0.3)).unwrap();
            let (single, _) = record_pieces(&plate, &ball, &parameters, &motion, &mut workspace);
            let together = evaluate(&plate, &ball, &parameters, &motion, &mut workspace);
            assert_same_wrench(&format!("{index}: {beyond} beyond"), &together, &single, SMALL_CONTACT);
        }
    }
}

/// Numbers far from those of any contact: moduli, sizes, and speeds at which bodies creep.
#[test]
fn very_large_and_small_numbers_give_what_single_pieces_give() {
    let mut workspace = Workspace::default();
    for (modulus, scale, slowest) in [
        (1e-110, 1.0, 1e-3),
        (1e-80, 1.0, 1e-3),
        (1e-60, 1.0, 1e-3),
        (1e90, 1.0, 1e-3),
        (1e135, 1.0, 1e-3),
        (1e9, 1e-29, 1e-3),
        (1e9, 1e-20, 1e-3),
        (1e9, 1e6, 1e-3),
        (1e9, 1.0, 1e-130),
        (1e9, 1.0, 1e-160),
        (1e9, 1.0, 1e-308),
    ] {
        let (e, f) = (ContactSurface::new(icosphere(0.1 * scale, 4)), ContactSurface::new(icosphere(0.1 * scale, 3)));
        for speed in [0.1, 1e-155, 1e-200] {
            let raw = RawParameters {
                layer_e: RawLayer { youngs_modulus: modulus, ..RawLayer::default() },
                layer_f: RawLayer::RIGID,
                areal_damping: 0.0,
                friction_regularization_velocity: slowest,
                ..RawParameters::default()
            };
            let Ok(parameters) = ContactParameters::new(&raw) else { continue };
            let pose = Pose::from_parts((scale * Vector::new(0.01, 0.02, 0.19)).into(), Rotation::new(Vector::x()));
            let motion = RelativeMotion::new(pose, speed * Vector::new(0.5, 0.2, -0.1), speed * Vector::y()).unwrap();
            let (single, _) = record_pieces(&e, &f, &parameters, &motion, &mut workspace);
            let together = evaluate(&e, &f, &parameters, &motion, &mut workspace);
            assert!(single.in_contact);
            let what = format!("modulus {modulus}, scale {scale}, regularisation {slowest}, speed {speed}");
            assert_same_wrench(&what, &together, &single, 1e-11);
        }
    }
}
