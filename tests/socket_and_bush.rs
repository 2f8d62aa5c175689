//! Conforming contact: a ball in a spherical socket and a pin in a bush.

use std::f64::consts::{FRAC_PI_2, TAU};

use crate::support::{STIFFNESS, assert_close, at_rest, elastic, generic_rotation, surface};
use polycontact::contact::Method;
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::shapes::{bush, icosphere, regular_prism, spherical_socket};

const CLEARANCE: f64 = 1e-3;

/// Ball of radius R displaced by d: 2π c_l R² [d (1 − c³)/3 − s (1 − c²)/2] with c = s / d, to first order in d / R.
fn socket_formula(radius: f64, displacement: f64) -> f64 {
    let c = CLEARANCE / displacement;
    let integral = displacement * (1.0 - c.powi(3)) / 3.0 - CLEARANCE * (1.0 - c * c) / 2.0;
    TAU * STIFFNESS * radius * radius * integral
}

/// Which faces carry the pressure: those of the inner body, E, in the field of the outer one, or the other way round.
const CASES: [Method; 2] = [Method::MasterE, Method::MasterF];

/// Depth at the angle θ from the direction of the displacement, and the radius of the surface that carries the pressure,
/// for smooth surfaces of the radii R and R + s with centres d apart. The depth is a difference of distances from a centre.
fn depth_and_radius(method: Method, radius: f64, displacement: f64, theta: f64) -> (f64, f64) {
    let from_other_centre = |own: f64, sign: f64| {
        (own * own + sign * 2.0 * own * displacement * theta.cos() + displacement * displacement).sqrt()
    };
    let outer = radius + CLEARANCE;
    let (depth, own) = match method {
        Method::MasterE => (from_other_centre(radius, 1.0) - outer, radius),
        _ => (radius - from_other_centre(outer, -1.0), outer),
    };
    (depth.max(0.0), own)
}

/// ∫ f(θ) dθ from 0 to π/2 by the midpoint rule.
fn integral(function: impl Fn(f64) -> f64) -> f64 {
    let steps = 20_000;
    let width = FRAC_PI_2 / steps as f64;
    (0..steps).map(|i| function((i as f64 + 0.5) * width) * width).sum()
}

/// The force of smooth surfaces: 2π c_l ρ² ∫ φ cos θ sin θ dθ over the one of radius ρ that carries the pressure.
fn exact_socket_force(method: Method, radius: f64, displacement: f64) -> f64 {
    TAU * STIFFNESS
        * integral(|theta| {
            let (depth, own) = depth_and_radius(method, radius, displacement, theta);
            own * own * depth * theta.cos() * theta.sin()
        })
}

/// Force of a polyhedral ball displaced downwards in a polyhedral cup, at refinement `level`.
fn socket_force(method: Method, radius: f64, displacement: f64, level: u32) -> Vector {
    let ball = surface(icosphere(radius, level));
    let rings = 8 << (level - 2);
    let socket = surface(spherical_socket(radius + CLEARANCE, radius + 0.02, 0.9 * FRAC_PI_2, rings, 4 * rings));
    // The ball is E in a generic orientation; the cup lies higher by the displacement.
    let turn = generic_rotation();
    let pose = Pose::from_parts((turn * Vector::new(0.0, 0.0, displacement)).into(), turn);
    let outcome = at_rest(&ball, &socket, &elastic(method), &pose);
    assert!(!outcome.border_in_contact && !outcome.enclosed);
    // In the axes of the cup; the force pushes the ball up.
    turn.inverse() * outcome.wrenches.on_e.force
}

#[test]
fn ball_in_a_socket_carries_the_closed_form() {
    let (radius, displacement) = (0.1, 3e-3);
    for method in CASES {
        let smooth = exact_socket_force(method, radius, displacement);
        // The formula leaves out d² sin² θ / 2R, at most 1.5 % of d and 2.3 % of the deepest penetration d − s; the
        // surface of the socket is larger than that of the ball by 2 s / R = 2 %.
        assert_close("small-displacement formula", smooth, socket_formula(radius, displacement), 0.045);
        let force = socket_force(method, radius, displacement, 5);
        // Faces of about 3.5 mm sag by 0.015 mm on either side, together at most 1.5 % of d − s = 2 mm, and the sags
        // of ball and cup oppose each other.
        assert_close("force", force.z, smooth, 0.02);
        assert!(force.xy().norm() < 2e-3 * force.z, "lateral force {force:?}");
    }
}

#[test]
fn ball_in_a_socket_converges_with_refinement() {
    let (radius, displacement) = (0.1, 3e-3);
    for method in CASES {
        let smooth = exact_socket_force(method, radius, displacement);
        let errors = [3, 4, 5].map(|level| (socket_force(method, radius, displacement, level).z / smooth - 1.0).abs());
        // Second order: each refinement divides the error by about four; at least by 2.5.
        assert!(errors[1] < errors[0] / 2.5 && errors[2] < errors[1] / 2.5, "{method:?}: errors {errors:?}");
    }
}

#[test]
fn ball_at_the_centre_of_its_socket_is_free() {
    let ball = surface(icosphere(0.1, 3));
    let socket = surface(spherical_socket(0.101 / (std::f64::consts::PI / 32.0).cos().powi(2), 0.12, 1.4, 16, 64));
    let outcome = at_rest(&ball, &socket, &elastic(Method::Auto), &Pose::identity());
    assert!(!outcome.in_contact && !outcome.enclosed);
    assert_eq!(outcome.wrenches.on_e.force, Vector::zeros());
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

    // To first order in d / R: F = c_l R [d (θ + sin 2θ / 2) − 2 s sin θ], cos θ = s / d.
    let theta = (CLEARANCE / displacement).acos();
    let formula =
        STIFFNESS * radius * (displacement * (theta + (2.0 * theta).sin() / 2.0) - 2.0 * CLEARANCE * theta.sin());
    for method in CASES {
        let outcome = at_rest(&pin, &bush, &elastic(method), &pose);
        // Of smooth surfaces, both halves of the angle. Within φ of an end of the bush its end face is nearer than its
        // bore: of the depths of the pin in the bush ∫ (φ − z) dz = φ²/2 is missing there.
        let of_smooth = 2.0
            * STIFFNESS
            * integral(|theta| {
                let (depth, own) = depth_and_radius(method, radius, displacement, theta);
                let at_ends = if method == Method::MasterE { depth * depth / length } else { 0.0 };
                own * (depth - at_ends) * theta.cos()
            });
        // d / 2R = 2 % at the flanks, s / R = 2 % more circumference, and up to 1 % at the ends.
        assert_close("small-displacement formula", of_smooth, formula, 0.03);
        let force = outcome.wrenches.on_e.force.dot(&direction) / length;
        // Sags of 240 sides are 4e-6 m, against d − s = 1 mm; those of pin and bush oppose each other.
        assert_close("force per length", force, of_smooth, 0.008);
        let lateral = outcome.wrenches.on_e.force - direction * outcome.wrenches.on_e.force.dot(&direction);
        assert!(lateral.norm() < 2e-3 * outcome.wrenches.on_e.force.norm(), "lateral force {lateral:?}");
        assert!(outcome.wrenches.on_e.torque.norm() < 1e-3 * outcome.wrenches.on_e.force.norm() * length);
    }
}
