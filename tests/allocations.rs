//! No evaluation allocates once its workspace is warm.

use crate::counting::{allocations, bytes};
use crate::support::random::Random;
use polycontact::contact::{
    ContactParameters, ContactSurface, ElementScheme, GapMemory, Method, RawParameters, RelativeMotion, Workspace,
    evaluate, evaluate_with_all_derivatives, gap,
};
use polycontact::math::{Pose, Vector};
use polycontact::shapes::{comb, cuboid, gear, icosphere, torus};

#[test]
fn warm_evaluations_do_not_allocate() {
    let pairs = [
        (icosphere(0.1, 3), cuboid(Vector::new(0.4, 0.4, 0.1))),
        (icosphere(0.1, 3), icosphere(0.1, 3)),
        (torus(0.1, 0.04, 24, 12), torus(0.1, 0.04, 24, 12)),
        (comb(4, 0.02, 0.05, 0.03, 0.1), comb(4, 0.02, 0.05, 0.03, 0.1)),
    ];
    for (e, f) in pairs.map(|(e, f)| (ContactSurface::new(e), ContactSurface::new(f))) {
        for method in [Method::Auto, Method::TwoPass, Method::MasterE, Method::MasterF, Method::CollisionOnly] {
            for elements in [ElementScheme::Potential, ElementScheme::Centroid] {
                let raw = RawParameters { method, elements, ..RawParameters::default() };
                let parameters = ContactParameters::new(&raw).expect("good parameters");
                let motions: Vec<RelativeMotion> = (0..40)
                    .map(|i| {
                        let s = i as f64 / 40.0;
                        let pose = Pose::new(Vector::new(0.02 * s, 0.03, 0.25 * s), Vector::new(s, 0.3, 2.0 * s));
                        RelativeMotion::new(pose, Vector::new(0.1, 0.2, -0.3), Vector::new(1.0, 2.0, 3.0))
                            .expect("finite")
                    })
                    .collect();
                let mut workspace = Workspace::default();
                let mut contacts = 0;
                // The first round warms the workspace up, the second must not allocate.
                for round in 0..2 {
                    let allocations = allocations(|| {
                        for (i, motion) in motions.iter().enumerate() {
                            // So deep in each other bodies need long for the energy.
                            workspace.without_energy = i % 8 != 0;
                            contacts += evaluate(&e, &f, &parameters, motion, &mut workspace).in_contact as usize;
                            evaluate_with_all_derivatives(&e, &f, &parameters, motion, &mut workspace);
                        }
                    });
                    assert!(round == 0 || allocations == 0, "{method:?}, {elements:?}: {allocations} allocations");
                }
                assert!(20 < contacts, "only {contacts} poses in contact");
            }
        }
    }
}

#[test]
fn warm_searches_for_the_gap_do_not_allocate() {
    let pairs = [
        (icosphere(0.1, 3), cuboid(Vector::new(0.4, 0.4, 0.1))),
        (icosphere(0.1, 3), icosphere(0.1, 3)),
        (comb(4, 0.02, 0.05, 0.03, 0.1), gear(12, 0.08, 0.1, 0.04)),
    ];
    for (e, f) in pairs.map(|(e, f)| (ContactSurface::new(e), ContactSurface::new(f))) {
        let mut memory = GapMemory::default();
        // Large motions and small ones, which make use of what the last search kept.
        for round in 0..2 {
            let allocations = allocations(|| {
                for i in 0..400 {
                    let s = f64::from(i / 20) / 20.0 + 1e-5 * f64::from(i % 20);
                    let pose = Pose::new(Vector::new(0.02 * s, 0.03, 0.15 + 0.25 * s), Vector::new(s, 0.3, 2.0 * s));
                    gap(&e, &f, &RelativeMotion::at_rest(pose), &mut memory);
                }
            });
            assert!(round == 0 || allocations == 0, "{allocations} allocations");
        }
    }
}

/// A face reaches through the cells of many faces of the other body. The pieces into which it is divided stay in the
/// workspace, candidates for the nearest one do not.
#[test]
fn deep_overlap_of_many_sheets_needs_little_memory() {
    let mut random = Random::new(5);
    for (name, mesh) in [("gears", gear(12, 0.08, 0.1, 0.04)), ("rings", torus(0.1, 0.04, 16, 8))] {
        let faces = mesh.faces.len();
        let body = ContactSurface::new(mesh);
        let parameters = ContactParameters::new(&RawParameters::default()).expect("good parameters");
        for i in 0..4 {
            let motion = RelativeMotion::at_rest(random.pose_around(Vector::zeros(), 0.1));
            let mut workspace = Workspace::default();
            let mut elements = 0;
            let bytes = bytes(|| {
                elements = evaluate(&body, &body, &parameters, &motion, &mut workspace).element_count;
            });
            // Per face some lines, crossings and candidates of about 100 bytes each, and the tests of the search. A piece has
            // 192 bytes, is there once more as a region, and vectors that grow take up to twice as much on the way.
            let limit = 4096 * faces + 1024 * elements as usize;
            assert!(bytes < limit, "{name}, pose {i}: {bytes} bytes for {faces} faces and {elements} elements");
        }
    }
}
