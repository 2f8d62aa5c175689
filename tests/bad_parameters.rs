//! Every refused parameter is named, with its value and what is allowed.

use polycontact::contact::{ContactParameters, MotionError, ParameterError, RawLayer, RawParameters, RelativeMotion};
use polycontact::math::{Pose, Vector};

/// Changes good parameters in one place and expects a refusal that names it.
#[track_caller]
fn assert_refused(change: impl Fn(&mut RawParameters), name: &str, value: f64, range: &str) {
    let mut raw = RawParameters { layer_f: RawLayer::default(), ..RawParameters::default() };
    ContactParameters::new(&raw).expect("good before the change");
    change(&mut raw);
    let error = ContactParameters::new(&raw).expect_err("bad after the change");
    let message = error.to_string();
    assert!(matches!(error, ParameterError::OutOfRange { name: n, .. } if n == name), "{error:?} does not name {name}");
    for part in [name, &value.to_string(), range] {
        assert!(message.contains(part), "`{message}` does not mention `{part}`");
    }
}

#[test]
fn youngs_modulus_below_zero_or_not_finite_is_refused() {
    for value in [-1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_refused(|raw| raw.layer_e.youngs_modulus = value, "surface-e.youngs-modulus", value, "0 or above");
        assert_refused(|raw| raw.layer_f.youngs_modulus = value, "surface-f.youngs-modulus", value, "0 or above");
    }
}

#[test]
fn youngs_modulus_without_a_usable_stiffness_is_refused() {
    for value in [f64::MAX, 1e-320] {
        let change = |raw: &mut RawParameters| {
            raw.layer_e.youngs_modulus = value;
            raw.layer_e.layer_thickness = if value < 1.0 { 1e10 } else { 1e-10 };
        };
        assert_refused(change, "surface-e.youngs-modulus", value, "layer stiffness");
    }
}

#[test]
fn poissons_ratio_outside_its_open_interval_is_refused() {
    for value in [-1.0, -2.0, 0.5, 0.6, f64::NAN, f64::INFINITY] {
        assert_refused(
            |raw| raw.layer_e.poissons_ratio = value,
            "surface-e.poissons-ratio",
            value,
            "between -1 and 0.5",
        );
        assert_refused(
            |raw| raw.layer_f.poissons_ratio = value,
            "surface-f.poissons-ratio",
            value,
            "between -1 and 0.5",
        );
    }
}

#[test]
fn layer_without_thickness_is_refused() {
    for value in [0.0, -0.01, f64::NAN, f64::INFINITY] {
        assert_refused(|raw| raw.layer_e.layer_thickness = value, "surface-e.layer-thickness", value, "above 0");
        assert_refused(|raw| raw.layer_f.layer_thickness = value, "surface-f.layer-thickness", value, "above 0");
    }
}

#[test]
fn rigid_body_needs_no_layer_values() {
    let rigid = RawLayer { youngs_modulus: 0.0, poissons_ratio: 7.0, layer_thickness: -1.0 };
    let raw = RawParameters { layer_f: rigid, ..RawParameters::default() };
    assert!(ContactParameters::new(&raw).is_ok());
}

#[test]
fn two_rigid_bodies_are_refused() {
    let raw = RawParameters { layer_e: RawLayer::RIGID, layer_f: RawLayer::RIGID, ..RawParameters::default() };
    let error = ContactParameters::new(&raw).expect_err("both rigid");
    assert_eq!(error, ParameterError::BothRigid);
    let message = error.to_string();
    assert!(message.contains("surface-e.youngs-modulus") && message.contains("surface-f.youngs-modulus"));
}

#[test]
fn negative_or_not_finite_damping_and_friction_are_refused() {
    for value in [-1e-3, f64::NAN, f64::INFINITY] {
        assert_refused(|raw| raw.areal_damping = value, "contact.areal-damping", value, "0 or above");
        assert_refused(
            |raw| raw.damping_transition_depth = value,
            "contact.damping-transition-depth",
            value,
            "0 or above",
        );
        assert_refused(|raw| raw.friction_coefficient = value, "contact.friction-coefficient", value, "0 or above");
        assert_refused(
            |raw| raw.friction_regularization_velocity = value,
            "contact.friction-regularization-velocity",
            value,
            "0",
        );
    }
}

#[test]
fn friction_without_a_regularisation_velocity_is_refused() {
    assert_refused(
        |raw| raw.friction_regularization_velocity = 0.0,
        "contact.friction-regularization-velocity",
        0.0,
        "above 0",
    );
    let frictionless =
        RawParameters { friction_coefficient: 0.0, friction_regularization_velocity: 0.0, ..RawParameters::default() };
    assert!(ContactParameters::new(&frictionless).is_ok());
}

#[test]
fn motion_that_is_not_finite_is_refused_by_name() {
    let (pose, zero, bad) = (Pose::identity(), Vector::zeros(), Vector::new(0.0, f64::NAN, 0.0));
    for (result, quantity) in [
        (RelativeMotion::new(Pose::translation(0.0, f64::INFINITY, 0.0), zero, zero), "relative position"),
        (RelativeMotion::new(pose, bad, zero), "relative velocity"),
        (RelativeMotion::new(pose, zero, bad), "relative angular velocity"),
    ] {
        let error: MotionError = result.expect_err("not finite");
        assert!(error.to_string().contains(quantity), "{error}");
    }
}
