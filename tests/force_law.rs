//! Stiffness, damping and friction against the dissertation's formulas and parameter sets.
//!
//! A brick lies flat in a plate. With the faces of the plate in the field of the brick the patch is a rectangle; the depth
//! is that of the brick, but for a rim as wide as it, where the walls of the brick are nearer than its base. With the
//! faces of the brick in the field of the plate its base is as deep everywhere, and its walls push to all sides.

use crate::support::{
    STIFFNESS, assert_close, assert_vector_eq, checked, elastic_raw, frictional, hip_energy, hip_volume, moving,
    surface, translation,
};
use polycontact::contact::{
    ContactParameters, ContactSurface, ElementScheme, Method, Outcome, RawLayer, RawParameters,
};
use polycontact::math::{Pose, Vector};
use polycontact::shapes::{cuboid, moved};

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

/// Normal force of the springs on the faces of the plate.
fn spring_force() -> f64 {
    STIFFNESS * hip_volume([WIDTH, LENGTH], DEPTH)
}

/// The outcome for a velocity of the brick.
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
    // The faces of the plate, and of both; what the rim takes is known.
    let parameters = checked(&elastic_raw(Method::MasterE));
    let outcome = pressed(&parameters, Vector::zeros());
    let volume = hip_volume([WIDTH, LENGTH], DEPTH);
    assert_vector_eq("force on E", outcome.wrenches.on_e.force, Vector::new(0.0, 0.0, -STIFFNESS * volume), 1e-6);
    assert_close("area", outcome.contact_area, AREA, 1e-9);
    assert_close("mean depth", outcome.mean_penetration, volume / AREA, 1e-9);
    assert_close("largest depth", outcome.max_penetration, DEPTH, 1e-9);
    assert_close("mean stress", outcome.normal_stress.mean, STIFFNESS * volume / AREA, 1e-9);
    assert_close("largest stress", outcome.normal_stress.max, STIFFNESS * DEPTH, 1e-9);
    assert_vector_eq("normal", outcome.contact_normal_e, Vector::new(0.0, 0.0, -1.0), 1e-12);
    assert_close("energy", outcome.elastic_energy, STIFFNESS * hip_energy([WIDTH, LENGTH], DEPTH), 1e-9);

    // The faces of the brick: its base, and its walls, which are half as deep in the mean.
    let outcome = pressed(&checked(&elastic_raw(Method::MasterF)), Vector::zeros());
    let walls = 2.0 * (WIDTH + LENGTH) * DEPTH;
    assert_vector_eq("force on E", outcome.wrenches.on_e.force, Vector::new(0.0, 0.0, -STIFFNESS * AREA * DEPTH), 1e-6);
    assert_close("area", outcome.contact_area, AREA + walls, 1e-9);
    let mean = (AREA + 0.5 * walls) * DEPTH / (AREA + walls);
    assert_close("mean depth", outcome.mean_penetration, mean, 1e-9);
    assert_close("largest depth", outcome.max_penetration, DEPTH, 1e-9);
    assert_close("mean stress", outcome.normal_stress.mean, STIFFNESS * mean, 1e-9);
    assert_close("energy", outcome.elastic_energy, 0.5 * STIFFNESS * AREA * DEPTH * DEPTH, 1e-9);
}

#[test]
fn shares_of_the_layers_weigh_the_fields() {
    // E's layer is three times as soft as F's: it takes 3/4 of the compression, in the field of E, on the faces of F.
    let raw =
        RawParameters { layer_e: layer(1e6, 0.0, 0.01), layer_f: layer(3e6, 0.0, 0.01), ..elastic_raw(Method::Auto) };
    let parameters = checked(&raw);
    let stiffness = parameters.combined_layer_stiffness();
    assert_close("c_l", stiffness, 0.75e8, 1e-12);
    let outcome = pressed(&parameters, Vector::zeros());
    let expected = stiffness * (0.75 * AREA * DEPTH + 0.25 * hip_volume([WIDTH, LENGTH], DEPTH));
    assert_close("force", -outcome.wrenches.on_e.force.z, expected, 1e-9);
    let half = checked(&RawParameters { method: Method::TwoPass, ..raw });
    let expected = 0.5 * stiffness * (AREA * DEPTH + hip_volume([WIDTH, LENGTH], DEPTH));
    assert_close("force", -pressed(&half, Vector::zeros()).wrenches.on_e.force.z, expected, 1e-9);
}

#[test]
fn centroid_elements_stand_for_their_faces() {
    // The two bottom faces of the brick are the elements.
    let parameters = checked(&RawParameters { elements: ElementScheme::Centroid, ..elastic_raw(Method::MasterF) });
    let outcome = pressed(&parameters, Vector::zeros());
    assert_vector_eq("force on E", outcome.wrenches.on_e.force, Vector::new(0.0, 0.0, -STIFFNESS * AREA * DEPTH), 1e-6);
    assert_close("energy", outcome.elastic_energy, 0.5 * STIFFNESS * AREA * DEPTH * DEPTH, 1e-9);
    assert_close("area", outcome.contact_area, AREA, 1e-9);
    assert_close("mean depth", outcome.mean_penetration, DEPTH, 1e-9);
    assert_close("largest depth", outcome.max_penetration, DEPTH, 1e-9);
    assert_close("mean stress", outcome.normal_stress.mean, STIFFNESS * DEPTH, 1e-9);
    assert_close("largest stress", outcome.normal_stress.max, STIFFNESS * DEPTH, 1e-9);
    assert_vector_eq("normal", outcome.contact_normal_e, Vector::new(0.0, 0.0, -1.0), 1e-12);
}

#[test]
fn contact_position_is_on_the_faces_that_carry_the_pressure() {
    // E's layer is three times as soft as F's, so it takes λ = 3/4 of the penetration.
    let raw = RawParameters {
        layer_e: layer(1e6, 0.0, 0.01),
        layer_f: layer(3e6, 0.0, 0.01),
        ..elastic_raw(Method::MasterE)
    };
    let position = |raw| pressed(&checked(&raw), Vector::zeros()).contact_position_e;
    assert_vector_eq("on E", position(raw), Vector::new(0.03, 0.07, 0.0), 1e-12);
    // The base with the weight A u, and the walls with P u²/2, whose loads lie a third of the depth above it.
    let of_f = RawParameters { method: Method::MasterF, ..raw };
    let walls = (WIDTH + LENGTH) * DEPTH * DEPTH;
    let height = (walls * DEPTH / 3.0) / (walls + AREA * DEPTH) - DEPTH;
    assert_vector_eq("on F", position(of_f), Vector::new(0.03, 0.07, height), 1e-12);
    // The published scheme: between both surfaces, where the layers meet.
    let published = RawParameters { elements: ElementScheme::Centroid, ..of_f };
    assert_vector_eq("between", position(published), Vector::new(0.03, 0.07, -0.75 * DEPTH), 1e-12);
}

fn damped(areal_damping: f64, damping_transition_depth: f64) -> ContactParameters {
    checked(&RawParameters { areal_damping, damping_transition_depth, ..elastic_raw(Method::MasterE) })
}

#[test]
fn damping_adds_to_the_force_while_closing() {
    let (damping, speed) = (1e5, 0.2);
    let outcome = pressed(&damped(damping, 0.0), Vector::new(0.0, 0.0, -speed));
    assert_close("force", -outcome.wrenches.on_e.force.z, spring_force() + AREA * damping * speed, 1e-9);
    assert_close("power", outcome.dissipated_power, AREA * damping * speed * speed, 1e-9);
    assert_close("normal velocity", outcome.normal_velocity.mean, speed, 1e-9);
}

#[test]
fn damping_lowers_the_force_while_parting() {
    let (damping, speed) = (1e5, 0.2);
    let outcome = pressed(&damped(damping, 0.0), Vector::new(0.0, 0.0, speed));
    // Up to this depth damping would pull: nothing acts there. What is left is deeper by as much.
    let idle = damping * speed / STIFFNESS;
    let pushing = STIFFNESS * hip_volume([WIDTH - 2.0 * idle, LENGTH - 2.0 * idle], DEPTH - idle);
    assert_close("force", -outcome.wrenches.on_e.force.z, pushing, 1e-9);
    // The power that the springs give, or what damping takes of it: v ∫ min(c u, d v) dA.
    assert_close("power", outcome.dissipated_power, speed * STIFFNESS * hip_volume([WIDTH, LENGTH], idle), 1e-9);
    assert_close("normal velocity", outcome.normal_velocity.mean, -speed, 1e-9);
}

#[test]
fn damping_fades_in_linearly_up_to_the_transition_depth() {
    let (damping, speed) = (1e5, 0.2);
    for transition_depth in [4.0 * DEPTH, 2.0 * DEPTH, DEPTH, 0.5 * DEPTH] {
        let outcome = pressed(&damped(damping, transition_depth), Vector::new(0.0, 0.0, -speed));
        // The share is min(u, u_d) / u_d; over the rim u falls to zero.
        let share = hip_volume([WIDTH, LENGTH], transition_depth.min(DEPTH)) / transition_depth;
        let expected = spring_force() + share * damping * speed;
        assert_close("force", -outcome.wrenches.on_e.force.z, expected, 1e-9);
    }
}

#[test]
fn parting_bodies_never_pull_at_each_other() {
    let outcome = pressed(&damped(1e6, 0.0), Vector::new(0.0, 0.0, 10.0));
    assert_eq!(outcome.wrenches.on_e.force, Vector::zeros());
    assert_eq!(outcome.wrenches.on_e.torque, Vector::zeros());
    assert!(outcome.in_contact);
    assert!(0.0 <= outcome.dissipated_power);
}

#[test]
fn friction_at_half_the_regularisation_velocity_is_three_quarters() {
    let (mu, v_eps) = (0.3, 2e-3);
    let direction = Vector::new(0.6, -0.8, 0.0);
    let outcome = pressed(&frictional(Method::MasterE, mu, v_eps), direction * (0.5 * v_eps));
    let normal_force = spring_force();
    let friction = 0.75 * mu * normal_force;
    // E is dragged along with F.
    assert_vector_eq(
        "force",
        outcome.wrenches.on_e.force,
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
    let normal_force = spring_force();
    for ratio in [0.01, 0.1, 0.25, 0.9, 1.0, 1.1, 10.0, 1e4] {
        let outcome = pressed(&frictional(Method::MasterE, mu, v_eps), Vector::new(ratio * v_eps, 0.0, 0.0));
        let expected = mu * normal_force * if ratio < 1.0 { ratio * (2.0 - ratio) } else { 1.0 };
        assert_close("friction", outcome.wrenches.on_e.force.x, expected, 1e-9);
    }
}

#[test]
fn friction_at_rest_is_zero() {
    let outcome = pressed(&frictional(Method::MasterE, 0.3, 1e-3), Vector::zeros());
    assert_eq!([outcome.wrenches.on_e.force.x, outcome.wrenches.on_e.force.y], [0.0, 0.0]);
}

#[test]
fn collision_only_counts_without_a_force() {
    let outcome = pressed(&checked(&elastic_raw(Method::CollisionOnly)), Vector::zeros());
    assert!(outcome.in_contact);
    assert_eq!((outcome.polygon_count, outcome.patch_count), (1, 1));
    assert_eq!((outcome.wrenches.on_e.force, outcome.wrenches.on_e.torque), (Vector::zeros(), Vector::zeros()));
    assert_eq!(outcome.element_count, 0);
}
