//! Warm evaluations and steps of a flexible pair do not allocate.

use crate::counting::allocations;
use crate::support::flexible::{checked, flexible, random_body};
use crate::support::random::Random;
use polycontact::contact::RelativeMotion;
use polycontact::flexible::{BodyModel, FlexiblePair, RawFlexibleParameters, Submodel, Workspace};
use polycontact::math::{Pose, Vector};
use polycontact::shapes::icosphere;

#[test]
fn warm_steps_and_evaluations_do_not_allocate() {
    let radius = 0.01;
    let mut random = Random::new(6);
    let mut ball = || flexible(random_body(&icosphere(radius, 2), radius, (6, 10), 2.0e-8, &mut random));
    for pair in [FlexiblePair::new(ball(), ball()), FlexiblePair::new(ball(), BodyModel::Rigid(icosphere(radius, 3)))] {
        let pair = pair.expect("a pair");
        for submodel in [Submodel::QuasiStatic, Submodel::Damped, Submodel::Modal] {
            let parameters =
                checked(&RawFlexibleParameters { submodel, penalty_stiffness: 1.0e6, ..Default::default() });
            let motion = |t: f64| {
                let pose = Pose::translation(2.0 * radius - 1.0e-4 - t, 1.0e-3, 0.0);
                RelativeMotion::new(pose, -Vector::x(), Vector::zeros())
            };
            let mut workspace = Workspace::default();
            let mut run = || {
                let mut state = pair.initial_state();
                allocations(|| {
                    for k in 0..40 {
                        let shifted = |t: f64| motion(t + 5.0e-6 * f64::from(k));
                        let end = shifted(5.0e-6).expect("a motion");
                        pair.advance(&parameters, &shifted, 5.0e-6, &mut state, &mut workspace).expect("a step");
                        pair.evaluate(&parameters, &end, &state, &mut workspace).expect("an evaluation");
                    }
                })
            };
            assert!(run() > 0, "a cold run allocates");
            assert_eq!(run(), 0, "{submodel:?}");
        }
    }
}
