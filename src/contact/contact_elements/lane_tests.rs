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

/// And registers of all widths give the same bits. Spheres, plates, rings and caps, coarse and fine; at rest, creeping, sliding, spinning, opening fast enough for
/// damping to pull; with and without fade-in, damping and friction.
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
