//! Parts that are pressed beyond the middle of a thin one are reported, and only these.

use crate::support::pairs::pairs;
use crate::support::poses::pose_at_depth;
use crate::support::random::{Random, pose_count};
use crate::support::{
    STIFFNESS, assert_close, at_rest, checked, elastic, elastic_raw, hip_volume, surface, translation,
};
use polycontact::contact::{ContactParameters, ContactSurface, Method, RawLayer, RawParameters};
use polycontact::math::{Pose, Vector};
use polycontact::shapes::{cuboid, extruded, icosphere, involute_gear, subdivided_cuboid};

/// Thickness of the plate in m.
const PLATE: f64 = 0.01;

/// Only E is soft.
fn soft_e() -> ContactParameters {
    checked(&RawParameters { layer_f: RawLayer::RIGID, ..elastic_raw(Method::Auto) })
}

/// Only F is soft.
fn soft_f() -> ContactParameters {
    checked(&RawParameters { layer_e: RawLayer::RIGID, ..elastic_raw(Method::Auto) })
}

/// A punch of 50 mm height that has gone so far into a plate.
fn punch(depth: f64) -> Pose {
    translation(0.003, 0.002, 0.5 * PLATE + 0.025 - depth)
}

fn plate() -> ContactSurface {
    surface(cuboid(Vector::new(0.1, 0.1, PLATE)))
}

/// The base of the punch is nearer to the upper side of the plate down to its middle, and to the lower side from there
/// on, until it comes out.
#[test]
fn a_punch_is_reported_from_the_middle_of_a_soft_plate_on() {
    let punches =
        [cuboid(Vector::new(0.02, 0.02, 0.05)), subdivided_cuboid(Vector::new(0.02, 0.02, 0.05), [12, 12, 4])];
    for (depth, is_beyond) in
        [(1e-5, false), (0.0045, false), (0.0049, false), (0.0051, true), (0.007, true), (0.0098, true)]
    {
        for base in &punches {
            let f = surface(base.clone());
            for parameters in [soft_e(), elastic(Method::Auto), elastic(Method::TwoPass)] {
                let outcome = at_rest(&plate(), &f, &parameters, &punch(depth));
                assert_eq!(outcome.beyond_half_thickness, is_beyond, "{depth} m");
            }
        }
    }
}

/// A rigid plate has no middle that matters: the soft punch above it is thick, and the force goes on growing.
#[test]
fn a_thin_rigid_plate_is_not_reported_until_it_is_swallowed() {
    let f = surface(cuboid(Vector::new(0.05, 0.05, 0.05)));
    let force = |depth: f64| {
        let outcome = at_rest(&plate(), &f, &soft_f(), &punch(depth));
        (outcome.wrenches.on_f.force.z, outcome.beyond_half_thickness)
    };
    for depth in [0.004, 0.006, 0.009] {
        // Rigid bodies leave all of the compression to the other one, whose c is twice that of both together.
        assert_close("force", force(depth).0, 2.0 * STIFFNESS * hip_volume([0.05, 0.05], depth), 1e-9);
        assert!(!force(depth).1);
    }
    // Both of its sides are in the punch then, and the force stays as it is.
    assert!(force(0.012).1);
}

/// The plane is nearest to the lower half of a soft ball until it has passed the centre.
#[test]
fn a_soft_ball_is_reported_from_its_centre_on() {
    let (ball, block) = (surface(icosphere(0.05, 3)), surface(cuboid(Vector::new(0.4, 0.4, 0.4))));
    for (depth, is_beyond) in [(0.001, false), (0.03, false), (0.048, false), (0.054, true), (0.09, true)] {
        let outcome = at_rest(&ball, &block, &soft_e(), &translation(0.001, 0.002, -0.25 + depth));
        assert_eq!(outcome.beyond_half_thickness, is_beyond, "{depth} m");
    }
}

/// A rib of 1 mm on a block is a fifth of the contact: what happens there is reported.
#[test]
fn a_thin_rib_beside_a_thick_block_is_reported() {
    let outline = [[-0.02, -0.03], [0.02, -0.03], [0.02, -0.001], [0.03, -0.001], [0.03, 0.0], [-0.02, 0.0]];
    let (part, counterpart) = (surface(extruded(&outline, 0.05)), surface(cuboid(Vector::new(0.2, 0.02, 0.2))));
    for (depth, is_beyond) in [(1e-4, false), (4.5e-4, false), (6e-4, true)] {
        let outcome = at_rest(&part, &counterpart, &soft_e(), &translation(0.001, 0.01 - depth, 0.002));
        assert_eq!(outcome.beyond_half_thickness, is_beyond, "{depth} m");
    }
}

/// Edges, corners and teeth that touch, in any direction.
#[test]
fn shallow_contacts_are_not_reported() {
    let mut random = Random::new(17);
    for pair in pairs() {
        for _ in 0..pose_count(200) {
            let pose = pose_at_depth(&pair.e, &pair.f, random.between(1e-6, 1e-3), &mut random);
            for parameters in [soft_e(), soft_f(), elastic(Method::Auto)] {
                let outcome = at_rest(&pair.e, &pair.f, &parameters, &pose);
                assert!(!outcome.beyond_half_thickness, "{}: {pose:?}", pair.name);
            }
        }
    }
}

/// End faces lie in one plane, flanks touch.
#[test]
fn gears_in_mesh_are_not_reported() {
    let gear = || surface(involute_gear(20, 0.002, 0.349, 0.01, 12, 0.0));
    let (e, f) = (gear(), gear());
    for step in 0..50 {
        let angle = 0.02 * f64::from(step);
        let turned = |angle: f64| Vector::z() * angle;
        let half_a_tooth = std::f64::consts::PI / 20.0;
        let pose = crate::support::pose(Vector::new(0.03995, 0.0, 0.0), turned(half_a_tooth - 0.001 * angle));
        let outcome = at_rest(&e, &f, &elastic(Method::Auto), &pose);
        assert!(outcome.in_contact && !outcome.beyond_half_thickness, "{angle}");
    }
}

/// Boxes side by side whose upper sides lie in one plane, with and without an overlap.
#[test]
fn flush_blocks_are_not_reported() {
    let block = || surface(cuboid(Vector::new(0.1, 0.1, 0.1)));
    for overlap in [0.0, 1e-17, 1e-15, 1e-6, 1e-3] {
        for lift in [0.0, 1e-17, -1e-16, 1e-15] {
            let outcome = at_rest(&block(), &block(), &elastic(Method::Auto), &translation(0.1 - overlap, 0.0, lift));
            assert!(!outcome.beyond_half_thickness, "{overlap} {lift}");
        }
    }
}
