//! A cylinder lying in a plate, against the closed form per length.

use std::f64::consts::FRAC_PI_2;

use crate::support::half_space::submerged;
use crate::support::{STIFFNESS, assert_close, assert_wrench_eq, at_rest, elastic, surface, translation};
use polycontact::contact::Method;
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::shapes::{cuboid, moved, regular_prism};

const RADIUS: f64 = 0.05;
const LENGTH: f64 = 0.2;

/// Lying along a generic horizontal direction, a corner of the polygon `depth` below z = 0.
fn lying(depth: f64, turn: f64) -> Pose {
    // Turns z into x and the corner on the x axis downwards.
    let upright_to_lying = Rotation::from_axis_angle(&Vector::y_axis(), FRAC_PI_2);
    let heading = Rotation::from_axis_angle(&Vector::z_axis(), turn);
    Pose::from_parts(Vector::new(0.013, 0.008, RADIUS - depth).into(), heading * upright_to_lying)
}

#[test]
fn soft_plate_carries_stiffness_times_the_prisms_volume() {
    let plate = surface(moved(&cuboid(Vector::new(0.5, 0.5, 0.2)), &translation(0.0, 0.0, -0.1)));
    for (sides, depth) in [(12, 1e-3), (12, 8e-3), (90, 1e-3), (90, 8e-3), (360, 4e-3)] {
        let cylinder = regular_prism(RADIUS, LENGTH, sides);
        let pose = lying(depth, 0.37);
        let expected = submerged(&cylinder, &pose);
        let outcome = at_rest(&plate, &surface(cylinder), &elastic(Method::MasterF), &pose);
        let tolerance = 1e-9 * STIFFNESS * expected.volume;
        let (force, torque) = (expected.force(STIFFNESS), expected.torque(STIFFNESS));
        assert_wrench_eq(&outcome, force, torque, tolerance, tolerance * LENGTH);
    }
}

#[test]
fn force_per_length_is_that_of_the_elastic_foundation() {
    let plate = surface(moved(&cuboid(Vector::new(0.5, 0.5, 0.2)), &translation(0.0, 0.0, -0.1)));
    let cylinder = surface(regular_prism(RADIUS, LENGTH, 720));
    let depth = 0.5e-3;
    let outcome = at_rest(&plate, &cylinder, &elastic(Method::MasterF), &lying(depth, 0.37));
    let expected = 4.0 / 3.0 * STIFFNESS * depth * (2.0 * RADIUS * depth).sqrt();
    // The parabola stands for the circle (δ / R = 1 %, of which a fifth counts), and the sag of 720 sides is 1e-5 R, 0.1 % of δ.
    assert_close("force per length", -outcome.wrenches.on_e.force.z / LENGTH, expected, 0.006);
}
