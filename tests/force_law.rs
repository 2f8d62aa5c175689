//! Stiffness, damping and friction against the dissertation's formulas and parameter sets.
//!
//! A brick lies flat in a plate, so that depth, pressure and velocity are the same everywhere and
//! every formula holds without integration.

mod support;

use polycontact::contact::{
    ContactParameters, ContactSurface, ElementScheme, Method, Outcome, RawLayer, RawParameters,
};
use polycontact::math::{Pose, Vector};
use polycontact::shapes::{cuboid, moved};
use support::{
    STIFFNESS, assert_close, assert_vector_eq, checked, elastic_raw, frictional, moving, surface, translation,
};

const WIDTH: f64 = 0.1;
const LENGTH: f64 = 0.2;
const AREA: f64 = WIDTH * LENGTH;
const DEPTH: f64 = 1e-3;

/// A plate with its top at z = 0, and the brick that lies in it.
fn plate_and_brick() -> (ContactSurface, ContactSurface) {
    let plate = moved(&cuboid(Vector::new(1.0, 1.0, 0.2)), &translation(0.0, 0.0, -0.1));
    (surface(plate), surface(cuboid(Vector::new(WIDTH, LENGTH, 0.1))))
}

/// The brick's pose: `DEPTH` below the top, in no special place.
fn brick_pose() -> Pose {
    translation(0.03, 0.07, 0.05 - DEPTH)
}

/// The outcome for a velocity of the brick, with the plate as master.
fn pressed(parameters: &ContactParameters, velocity: Vector) -> Outcome {
    let (plate, brick) = plate_and_brick();
    moving(&plate, &brick, parameters, (&brick_pose(), velocity, Vector::zeros()))
}

fn layer(youngs_modulus: f64, poissons_ratio: f64, layer_thickness: f64) -> RawLayer {
    RawLayer { youngs_modulus, poissons_ratio, layer_thickness }
}

fn layers(layer_e: RawLayer, layer_f: RawLayer) -> ContactParameters {
    checked(&RawParameters { layer_e, layer_f, ..RawParameters::default() })
}

#[test]
fn wheel_and_ground_have_the_dissertations_stiffness() {
    let parameters = layers(layer(3e6, 0.4, 10e-3), layer(5e6, 0.2, 1e-3));
    // c = E (1 − ν) / ((1 + ν)(1 − 2 ν)) / b: 6.4286e8 for the wheel, 5.5556e9 for the ground.
    let (c_wheel, c_ground) = (3e6 * 0.6 / (1.4 * 0.2) / 10e-3, 5e6 * 0.8 / (1.2 * 0.6) / 1e-3);
    let stiffness = c_wheel * c_ground / (c_wheel + c_ground);
    assert_close("c_l", parameters.combined_layer_stiffness(), stiffness, 1e-14);
    assert_close("λ", parameters.penetration_ratio(), c_ground / (c_wheel + c_ground), 1e-14);
    // The published figures have four and three digits.
    assert_close("c_l", parameters.combined_layer_stiffness(), 5.762e8, 1e-4);
    assert_close("λ", parameters.penetration_ratio(), 0.896, 1e-3);
}

#[test]
fn car_and_man_share_the_penetration_equally() {
    let parameters = layers(layer(6e5, 0.4, 10e-3), layer(6e5, 0.4, 10e-3));
    assert_close("c_l", parameters.combined_layer_stiffness(), 6.429e7, 1e-4);
    assert_close("λ", parameters.penetration_ratio(), 0.5, 1e-15);
}

#[test]
fn man_and_man_have_the_dissertations_stiffness() {
    let parameters = layers(layer(2e5, 0.4, 10e-3), layer(2e5, 0.4, 10e-3));
    assert_close("c_l", parameters.combined_layer_stiffness(), 2.143e7, 1e-4);
}

#[test]
fn rigid_partner_leaves_all_penetration_to_the_layer() {
    let bubble = layer(5500.0, 0.4, 10e-3);
    let bubble_is_e = layers(bubble, RawLayer::RIGID);
    let bubble_is_f = layers(RawLayer::RIGID, bubble);
    for parameters in [&bubble_is_e, &bubble_is_f] {
        assert_close("c_l", parameters.combined_layer_stiffness(), 1.179e6, 5e-4);
    }
    assert_eq!(bubble_is_e.penetration_ratio(), 1.0);
    assert_eq!(bubble_is_f.penetration_ratio(), 0.0);
}

#[test]
fn elastic_force_is_stiffness_times_area_times_depth() {
    for elements in support::SCHEMES {
        // One centroid element per face: with the brick as master its two bottom faces are such elements.
        let method = if elements == ElementScheme::Potential { Method::MasterE } else { Method::MasterF };
        let parameters = checked(&RawParameters { elements, ..elastic_raw(method) });
        let outcome = pressed(&parameters, Vector::zeros());
        assert_vector_eq("force on E", outcome.force_on_e, Vector::new(0.0, 0.0, -STIFFNESS * AREA * DEPTH), 1e-6);
        assert_close("energy", outcome.elastic_energy, 0.5 * STIFFNESS * AREA * DEPTH * DEPTH, 1e-9);
        assert_close("area", outcome.contact_area, AREA, 1e-9);
        assert_close("mean depth", outcome.mean_penetration, DEPTH, 1e-9);
        assert_close("largest depth", outcome.max_penetration, DEPTH, 1e-9);
        assert_close("mean stress", outcome.normal_stress.mean, STIFFNESS * DEPTH, 1e-9);
        assert_close("largest stress", outcome.normal_stress.max, STIFFNESS * DEPTH, 1e-9);
        assert_vector_eq("normal", outcome.contact_normal_e, Vector::new(0.0, 0.0, -1.0), 1e-12);
    }
}

#[test]
fn contact_position_divides_the_penetration_by_the_stiffness_ratio() {
    // E's layer is three times as soft as F's, so it takes λ = 3/4 of the penetration.
    let raw = RawParameters {
        layer_e: layer(1e6, 0.0, 0.01),
        layer_f: layer(3e6, 0.0, 0.01),
        ..elastic_raw(Method::MasterE)
    };
    for method in [Method::MasterE, Method::TwoPass] {
        let (plate, brick) = plate_and_brick();
        let parameters = checked(&RawParameters { method, ..raw });
        let outcome = support::at_rest(&plate, &brick, &parameters, &brick_pose());
        assert_vector_eq("position", outcome.contact_position_e, Vector::new(0.03, 0.07, -0.75 * DEPTH), 1e-12);
    }
}

fn damped(areal_damping: f64, damping_transition_depth: f64) -> ContactParameters {
    checked(&RawParameters { areal_damping, damping_transition_depth, ..elastic_raw(Method::MasterE) })
}

#[test]
fn damping_adds_to_the_force_while_closing() {
    let (damping, speed) = (1e5, 0.2);
    let outcome = pressed(&damped(damping, 0.0), Vector::new(0.0, 0.0, -speed));
    assert_close("force", -outcome.force_on_e.z, AREA * (STIFFNESS * DEPTH + damping * speed), 1e-9);
    assert_close("power", outcome.dissipated_power, AREA * damping * speed * speed, 1e-9);
    assert_close("normal velocity", outcome.normal_velocity.mean, speed, 1e-9);
}

#[test]
fn damping_lowers_the_force_while_parting() {
    let (damping, speed) = (1e5, 0.2);
    let outcome = pressed(&damped(damping, 0.0), Vector::new(0.0, 0.0, speed));
    assert_close("force", -outcome.force_on_e.z, AREA * (STIFFNESS * DEPTH - damping * speed), 1e-9);
    assert_close("power", outcome.dissipated_power, AREA * damping * speed * speed, 1e-9);
    assert_close("normal velocity", outcome.normal_velocity.mean, -speed, 1e-9);
}

#[test]
fn damping_fades_in_linearly_up_to_the_transition_depth() {
    let (damping, speed) = (1e5, 0.2);
    for (transition_depth, share) in [(4.0 * DEPTH, 0.25), (2.0 * DEPTH, 0.5), (DEPTH, 1.0), (0.5 * DEPTH, 1.0)] {
        let outcome = pressed(&damped(damping, transition_depth), Vector::new(0.0, 0.0, -speed));
        let expected = AREA * (STIFFNESS * DEPTH + share * damping * speed);
        assert_close("force", -outcome.force_on_e.z, expected, 1e-9);
    }
}

#[test]
fn parting_bodies_never_pull_at_each_other() {
    let outcome = pressed(&damped(1e6, 0.0), Vector::new(0.0, 0.0, 10.0));
    assert_eq!(outcome.force_on_e, Vector::zeros());
    assert_eq!(outcome.torque_on_e, Vector::zeros());
    assert!(outcome.in_contact);
    assert!(0.0 <= outcome.dissipated_power);
}

#[test]
fn friction_at_half_the_regularisation_velocity_is_three_quarters() {
    let (mu, v_eps) = (0.3, 2e-3);
    let direction = Vector::new(0.6, -0.8, 0.0);
    let outcome = pressed(&frictional(Method::MasterE, mu, v_eps), direction * (0.5 * v_eps));
    let normal_force = STIFFNESS * AREA * DEPTH;
    let friction = 0.75 * mu * normal_force;
    // E is dragged along with F.
    assert_vector_eq(
        "force",
        outcome.force_on_e,
        direction * friction - Vector::z() * normal_force,
        1e-9 * normal_force,
    );
    assert_close("power", outcome.dissipated_power, friction * 0.5 * v_eps, 1e-9);
    assert_close("stress", outcome.tangential_stress.max, 0.75 * mu * STIFFNESS * DEPTH, 1e-9);
    assert_close("slip", outcome.tangential_velocity.mean, 0.5 * v_eps, 1e-9);
}

#[test]
fn friction_follows_the_parabola_and_then_saturates() {
    let (mu, v_eps) = (0.3, 2e-3);
    let normal_force = STIFFNESS * AREA * DEPTH;
    for ratio in [0.01, 0.1, 0.25, 0.9, 1.0, 1.1, 10.0, 1e4] {
        let outcome = pressed(&frictional(Method::MasterE, mu, v_eps), Vector::new(ratio * v_eps, 0.0, 0.0));
        let expected = mu * normal_force * if ratio < 1.0 { ratio * (2.0 - ratio) } else { 1.0 };
        assert_close("friction", outcome.force_on_e.x, expected, 1e-9);
    }
}

#[test]
fn friction_at_rest_is_zero() {
    let outcome = pressed(&frictional(Method::MasterE, 0.3, 1e-3), Vector::zeros());
    assert_eq!([outcome.force_on_e.x, outcome.force_on_e.y], [0.0, 0.0]);
}

#[test]
fn collision_only_counts_without_a_force() {
    let outcome = pressed(&checked(&elastic_raw(Method::CollisionOnly)), Vector::zeros());
    assert!(outcome.in_contact);
    assert_eq!((outcome.polygon_count, outcome.patch_count), (1, 1));
    assert_eq!((outcome.force_on_e, outcome.torque_on_e), (Vector::zeros(), Vector::zeros()));
    assert_eq!(outcome.element_count, 0);
}
