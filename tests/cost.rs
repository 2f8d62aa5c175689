//! Evaluation costs what the patch needs, and never explodes.

use std::collections::BTreeSet;

use crate::support::random::Random;
use crate::support::{at_rest, elastic, generic_rotation, surface, translation};
use polycontact::contact::{Body, ContactPiece, Method, RelativeMotion, Workspace, visit_pieces};
use polycontact::math::{Pose, Vector};
use polycontact::shapes::{cuboid, gear, icosphere, torus};

#[test]
fn far_bodies_cost_one_pair_of_boxes() {
    let (ball, plate) = (surface(icosphere(0.1, 3)), surface(cuboid(Vector::new(0.4, 0.4, 0.1))));
    let pose = Pose::from_parts(Vector::new(0.0, 0.0, 0.8).into(), generic_rotation());
    let outcome = at_rest(&ball, &plate, &elastic(Method::Auto), &pose);
    assert!(outcome.bounding_volume_tests <= 1, "{} box tests", outcome.bounding_volume_tests);
    assert_eq!(outcome.triangle_tests, 0);
}

#[test]
fn search_grows_with_the_patch_and_not_with_the_mesh() {
    // The same depth: four times as many faces have about twice as many on the border of the patch.
    let plate = surface(cuboid(Vector::new(0.4, 0.4, 0.1)));
    let tests = [3, 4, 5].map(|subdivisions| {
        let ball = surface(icosphere(0.1, subdivisions));
        let pose = Pose::from_parts(Vector::new(0.011, -0.007, 0.15 - 2e-3).into(), generic_rotation());
        let outcome = at_rest(&plate, &ball, &elastic(Method::CollisionOnly), &pose);
        assert!(outcome.in_contact);
        (outcome.bounding_volume_tests + outcome.triangle_tests) as f64
    });
    for pair in tests.windows(2) {
        assert!(pair[1] < 3.0 * pair[0], "box and triangle tests: {tests:?}");
    }
}

/// Deep inside each other, a face reaches through the cells of many faces, edges and vertices of the other body. A cell is
/// a piece, or some where it is not convex; around an edge or a vertex one per 10°, so up to nine per right angle. Faces in
/// one plane are one cell, which may be cut by the cells of several edges: up to twelve pieces for a cell, on average.
/// (What dividing takes in memory is bounded in `allocations.rs`, its time in the benchmarks.)
#[test]
fn deep_overlap_is_divided_into_few_pieces_per_cell() {
    for (name, mesh) in [("gears", gear(12, 0.08, 0.1, 0.04)), ("rings", torus(0.1, 0.04, 16, 8))] {
        let faces = mesh.faces.len();
        let body = surface(mesh);
        let mut random = Random::new(5);
        let mut workspace = Workspace::default();
        let mut deepest = 0;
        for i in 0..20 {
            let motion = RelativeMotion::at_rest(random.pose_around(Vector::zeros(), 0.1));
            let mut cells = BTreeSet::new();
            let mut pieces = 0;
            let mut count = |piece: ContactPiece| {
                cells.insert((piece.body == Body::E, piece.face, piece.feature));
                pieces += 1;
            };
            visit_pieces(&body, &body, &elastic(Method::Auto), &motion, &mut workspace, &mut count);
            deepest = deepest.max(pieces);
            println!("{name}, pose {i}: {pieces} pieces in {} cells", cells.len());
            assert!(pieces < 12 * cells.len() + 20, "{name}, pose {i}: {pieces} pieces in {} cells", cells.len());
        }
        assert!(4 * faces < deepest, "{name}: no pose is deep, at most {deepest} pieces");
    }
}

#[test]
fn finely_meshed_plate_under_a_tilted_box_stays_cheap() {
    // The narrow patch of a box on its edge crosses many faces at a small angle.
    let plate = surface(polycontact::shapes::subdivided_cuboid(Vector::new(0.5, 0.5, 0.2), [40, 40, 10]));
    let brick = surface(cuboid(Vector::new(0.1, 0.1, 0.1)));
    let turn =
        polycontact::math::Rotation::new(Vector::z() * 0.3) * polycontact::math::Rotation::new(Vector::y() * 0.0087);
    for depth in [1e-5, 1e-4, 5e-4] {
        let pose = Pose::from_parts(Vector::new(0.021, 0.013, 0.15 + 0.05 * 0.0087 - depth).into(), turn);
        let outcome = at_rest(&plate, &brick, &elastic(Method::Auto), &pose);
        assert!(outcome.in_contact);
        // The brick is 8 cells wide, so it lies over some 9² cells of two faces each, which its own faces divide
        // at most once more; both passes.
        let (elements, tests) = (outcome.element_count, outcome.bounding_volume_tests + outcome.triangle_tests);
        assert!(elements < 2 * 2 * 2 * 10 * 10, "depth {depth}: {elements} elements");
        assert!(tests < 2_000, "depth {depth}: {tests} box and triangle tests");
    }
    // Clear of the plate again.
    assert!(!at_rest(&plate, &brick, &elastic(Method::Auto), &translation(0.0, 0.0, 0.3)).in_contact);
}
