//! Conforming contact: a ball in a spherical socket and a pin in a bush.

mod support;

use std::f64::consts::FRAC_PI_2;

use polycontact::contact::Method;
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::shapes::{bush, icosphere, regular_prism, spherical_socket};
use support::{STIFFNESS, assert_close, at_rest, elastic, generic_rotation, surface};

const CLEARANCE: f64 = 1e-3;

/// Ball (radius R, master) displaced by d: 2π c_l R² [d (1 − c³)/3 − s (1 − c²)/2] with c = s / d.
fn socket_formula(radius: f64, displacement: f64) -> f64 {
    let c = CLEARANCE / displacement;
    let integral = displacement * (1.0 - c.powi(3)) / 3.0 - CLEARANCE * (1.0 - c * c) / 2.0;
    std::f64::consts::TAU * STIFFNESS * radius * radius * integral
}

/// The same without the assumption of small displacements: the depth along the ball's normal at the angle θ is
/// R + d cos θ − √((R + s)² − d² sin² θ), integrated by the midpoint rule.
fn exact_socket_force(radius: f64, displacement: f64) -> f64 {
    let steps = 20_000;
    let mut sum = 0.0;
    for i in 0..steps {
        let theta = FRAC_PI_2 * (i as f64 + 0.5) / steps as f64;
        let across = displacement * theta.sin();
        let depth = radius + displacement * theta.cos() - ((radius + CLEARANCE).powi(2) - across * across).sqrt();
        if 0.0 < depth {
            sum += depth * theta.cos() * theta.sin();
        }
    }
    std::f64::consts::TAU * STIFFNESS * radius * radius * sum * FRAC_PI_2 / steps as f64
}

/// Force of a polyhedral ball displaced downwards in a polyhedral cup, at refinement `level`.
fn socket_force(radius: f64, displacement: f64, level: u32) -> Vector {
    let ball = surface(icosphere(radius, level));
    let rings = 8 << (level - 2);
    let socket = surface(spherical_socket(radius + CLEARANCE, radius + 0.02, 0.9 * FRAC_PI_2, rings, 4 * rings));
    // The ball is E in a generic orientation; the cup lies higher by the displacement.
    let turn = generic_rotation();
    let pose = Pose::from_parts((turn * Vector::new(0.0, 0.0, displacement)).into(), turn);
    let outcome = at_rest(&ball, &socket, &elastic(Method::MasterE), &pose);
    assert!(!outcome.border_in_contact && !outcome.enclosed);
    // In the axes of the cup; the force pushes the ball up.
    turn.inverse() * outcome.force_on_e
}

#[test]
fn ball_in_a_socket_carries_the_closed_form() {
    let (radius, displacement) = (0.1, 3e-3);
    let smooth = exact_socket_force(radius, displacement);
    // The formula leaves out d² sin² θ / 2R, at most 1.5 % of d and 2.3 % of the deepest penetration d − s.
    assert_close("small-displacement formula", smooth, socket_formula(radius, displacement), 0.023);
    let force = socket_force(radius, displacement, 5);
    // Faces of about 3.5 mm sag by 0.015 mm on either side, together at most 1.5 % of d − s = 2 mm, and the sags
    // of ball and cup oppose each other.
    assert_close("force", force.z, smooth, 0.02);
    assert!(force.xy().norm() < 2e-3 * force.z, "lateral force {force:?}");
}

#[test]
fn ball_in_a_socket_converges_with_refinement() {
    let (radius, displacement) = (0.1, 3e-3);
    let smooth = exact_socket_force(radius, displacement);
    let errors: Vec<f64> =
        [3, 4, 5].map(|level| (socket_force(radius, displacement, level).z / smooth - 1.0).abs()).to_vec();
    // Second order: each refinement divides the error by about four; at least by 2.5.
    assert!(errors[1] < errors[0] / 2.5 && errors[2] < errors[1] / 2.5, "errors {errors:?}");
}

#[test]
fn ball_at_the_centre_of_its_socket_is_free() {
    let ball = surface(icosphere(0.1, 3));
    let socket = surface(spherical_socket(0.101 / (std::f64::consts::PI / 32.0).cos().powi(2), 0.12, 1.4, 16, 64));
    let outcome = at_rest(&ball, &socket, &elastic(Method::Auto), &Pose::identity());
    assert!(!outcome.in_contact && !outcome.enclosed);
    assert_eq!(outcome.force_on_e, Vector::zeros());
}

#[test]
fn pin_in_a_bush_carries_the_closed_form_per_length() {
    let (radius, length, displacement, sides) = (0.05, 0.1, 2e-3, 240);
    // The pin is longer than the bush, so that only its flank bears.
    let pin = surface(regular_prism(radius, 2.0 * length, sides));
    let bush = surface(bush(radius + CLEARANCE, radius + 0.02, length, sides));
    // F is moved along a direction between the corners, and turned so that no corners face each other.
    let direction = Vector::new(0.53, 0.848, 0.0).normalize();
    let turn = Rotation::from_axis_angle(&Vector::z_axis(), 0.0071);
    let pose = Pose::from_parts((direction * displacement).into(), turn);
    let outcome = at_rest(&pin, &bush, &elastic(Method::MasterE), &pose);

    let theta = (CLEARANCE / displacement).acos();
    let expected =
        STIFFNESS * radius * (displacement * (theta + (2.0 * theta).sin() / 2.0) - 2.0 * CLEARANCE * theta.sin());
    // Small displacements: d / 2R = 2 % at the flanks; sags of 4e-6 m against d − s = 1 mm: below 1 %.
    assert_close("force per length", outcome.force_on_e.dot(&direction) / length, expected, 0.02);
    let lateral = outcome.force_on_e - direction * outcome.force_on_e.dot(&direction);
    assert!(lateral.norm() < 2e-3 * outcome.force_on_e.norm(), "lateral force {lateral:?}");
    assert!(outcome.torque_on_e.norm() < 1e-3 * outcome.force_on_e.norm() * length);
}
