//! Open surfaces work as long as their border stays out of the contact; else the result is flagged.

use crate::support::{FORCE_METHODS, STIFFNESS, at_rest, elastic, surface, translation};
use polycontact::contact::{Method, RelativeMotion, Workspace, evaluate};
use polycontact::math::{Pose, Vector};
use polycontact::shapes::{cuboid, funnel, ground, icosphere};

#[test]
fn ball_on_open_ground_carries_what_it_carries_on_a_closed_plate() {
    let ball = surface(icosphere(0.1, 3));
    let (open, closed) = (surface(ground(1.0)), surface(cuboid(Vector::new(1.0, 1.0, 0.2))));
    for depth in [1e-4, 1e-3, 5e-3] {
        for method in FORCE_METHODS {
            let height = 0.1 - depth;
            let on_open = at_rest(&open, &ball, &elastic(method), &translation(0.013, 0.007, height));
            let on_closed = at_rest(&closed, &ball, &elastic(method), &translation(0.013, 0.007, 0.1 + height));
            assert!(!on_open.border_in_contact);
            assert!(on_open.in_contact);
            // The same plane, cut into other triangles: equal to rounding.
            let difference = (on_open.wrenches.on_e.force - on_closed.wrenches.on_e.force).norm();
            assert!(
                difference < 1e-9 * on_closed.wrenches.on_e.force.norm(),
                "{method:?}, depth {depth}: {difference} N"
            );
        }
    }
}

#[test]
fn ball_in_the_open_funnel_is_pushed_up_by_all_four_sides() {
    let (funnel, ball) = (surface(funnel()), surface(icosphere(0.2, 3)));
    // Slope 1/2: a ball of radius R touches the sides when its centre is R √(1 + 1/4) above the tip.
    let touching = 0.2 * 1.25f64.sqrt();
    let outcome = at_rest(&funnel, &ball, &elastic(Method::MasterF), &translation(0.0, 0.0, touching - 0.01));
    assert!(outcome.in_contact && !outcome.border_in_contact);
    assert_eq!(outcome.patch_count, 4);
    let force = outcome.wrenches.on_f.force;
    assert!(0.0 < force.z && force.xy().norm() < 0.05 * force.z, "{force}");
}

#[test]
fn border_across_the_contact_is_flagged_and_finite() {
    let (ground, ball) = (surface(ground(1.0)), surface(icosphere(0.1, 3)));
    for method in FORCE_METHODS {
        // The ball sits on the edge of the ground.
        let outcome = at_rest(&ground, &ball, &elastic(method), &translation(0.5, 0.0, 0.095));
        assert!(outcome.in_contact && outcome.border_in_contact, "{method:?}");
        assert!(outcome.wrenches.on_e.force.iter().all(|x| x.is_finite()));
        assert!(outcome.wrenches.on_e.force.norm() < STIFFNESS * 0.2f64.powi(3));
    }
}

#[test]
fn border_wholly_inside_the_other_body_is_flagged() {
    // A ground smaller than the box that it is sunk into: one of its corners sticks out, tilted.
    let (ground, block) = (surface(ground(0.1)), surface(cuboid(Vector::new(0.4, 0.4, 0.1))));
    let pose = Pose::from_parts(
        Vector::new(0.0, 0.0, -0.03).into(),
        polycontact::math::Rotation::from_euler_angles(0.9, 0.0, 0.0),
    );
    let motion = RelativeMotion::at_rest(pose);
    let outcome = evaluate(&ground, &block, &elastic(Method::TwoPass), &motion, &mut Workspace::default());
    assert!(outcome.in_contact, "{outcome:?}");
    assert!(outcome.border_in_contact);
    assert!(outcome.wrenches.on_e.force.iter().all(|x| x.is_finite()));
}
