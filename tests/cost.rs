//! Evaluation costs what the patch needs, and never explodes.

use std::collections::BTreeSet;

use crate::support::random::Random;
use crate::support::{at_rest, checked, elastic, elastic_raw, generic_rotation, surface, translation};
use polycontact::contact::{
    Body, ContactPiece, Method, RawLayer, RawParameters, RelativeMotion, Workspace, visit_pieces,
};
use polycontact::math::{Pose, Vector};
use polycontact::mesh::{TriangleMesh, VertexIndex};
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

/// A disc with a pleated top: around the hub every face, and every inner edge, contends with all others.
fn pleated_disc(pleats: usize) -> TriangleMesh {
    let corners = 2 * pleats as u32;
    let rim = |heights: [f64; 2]| {
        (0..corners).map(move |k| {
            let angle = std::f64::consts::TAU * f64::from(k) / f64::from(corners);
            Vector::new(0.05 * angle.cos(), 0.05 * angle.sin(), heights[k as usize % 2])
        })
    };
    let tips = [Vector::new(0.0, 0.0, 0.03), Vector::new(0.0, 0.0, -0.03)];
    let vertices = tips.into_iter().chain(rim([0.02, 0.014])).chain(rim([-0.03; 2])).collect();
    let sector = |k: u32| {
        let (a, b) = (2 + k, 2 + (k + 1) % corners);
        [[0, a, b], [a, a + corners, b + corners], [a, b + corners, b], [1, b + corners, a + corners]]
    };
    TriangleMesh { vertices, faces: (0..corners).flat_map(sector).map(|face| face.map(VertexIndex)).collect() }
}

#[test]
fn around_a_hub_of_many_pleats_work_is_bounded_and_said_to_be() {
    let block = surface(cuboid(Vector::repeat(0.1)));
    // The block's face at the bottom is 5 mm below the hub.
    let pose_ef = translation(0.0, 0.0, 0.075);
    let at = |pleats: usize| {
        let disc = surface(pleated_disc(pleats));
        let parameters = checked(&RawParameters { layer_f: RawLayer::RIGID, ..elastic_raw(Method::Auto) });
        at_rest(&disc, &block, &parameters, &pose_ef)
    };
    let (few, many) = (at(30), at(150));
    assert!(!few.is_force_estimated && many.is_force_estimated && many.is_energy_estimated);
    // More pleats of the same depth leave about the same mean depth on the same area.
    let [exact, estimate] = [few, many].map(|outcome| outcome.wrenches.on_f.force.z);
    assert!((estimate / exact - 1.0).abs() < 0.5, "{estimate} N, {exact} N");
    assert!(many.max_penetration < 5e-3, "{} m", many.max_penetration);
}
