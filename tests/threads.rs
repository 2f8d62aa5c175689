//! Threads change how long an evaluation takes, and nothing else.

use crate::support::{assert_same_bits, checked, generic_rotation, surface};
use polycontact::contact::{
    ElementScheme, Method, RawParameters, RelativeMotion, Workspace, evaluate, evaluate_with_all_derivatives,
};
use polycontact::math::Vector;
use polycontact::shapes::{icosphere, subdivided_cuboid};

#[test]
fn the_outcome_is_the_same_with_any_number_of_threads() {
    let (ball, plate) =
        (surface(icosphere(0.1, 6)), surface(subdivided_cuboid(Vector::new(0.4, 0.4, 0.1), [64, 64, 16])));
    // The plate leaves some faces at its rim that a walk cannot do.
    for (e, distance) in [(&ball, 0.193), (&plate, 0.143)] {
        for elements in [ElementScheme::Potential, ElementScheme::Centroid] {
            for method in [Method::Auto, Method::TwoPass] {
                let parameters = checked(&RawParameters { elements, method, ..RawParameters::default() });
                let mut pose = polycontact::math::Pose::from_parts(Vector::zeros().into(), generic_rotation());
                pose.translation.vector = Vector::new(0.011, 0.007, distance);
                let motion = RelativeMotion::new(pose, Vector::new(0.1, 0.02, -0.05), Vector::new(0.5, 0.3, 1.0));
                let motion = motion.expect("a finite motion");
                let with = |threads| {
                    let mut workspace = Workspace::default();
                    workspace.threads = threads;
                    let outcome = evaluate(e, &ball, &parameters, &motion, &mut workspace);
                    (outcome, evaluate_with_all_derivatives(e, &ball, &parameters, &motion, &mut workspace).1)
                };
                let (alone, derivatives) = with(1);
                assert!(1000 < alone.element_count, "{} elements", alone.element_count);
                for threads in [0, 2, 3, 7, 64] {
                    let (outcome, others) = with(threads);
                    assert_eq!(others, derivatives, "{threads} threads, {elements:?}, {method:?}");
                    assert_same_bits(&outcome, &alone);
                    assert_eq!(outcome, alone, "{threads} threads, {elements:?}, {method:?}");
                }
            }
        }
    }
}
