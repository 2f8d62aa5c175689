//! How the outputs change with inputs and parameters, from the derivatives that the force element has by formula.

use nalgebra::Matrix6;

use crate::contact::{Body, Derivatives, LawNumber, Outcome, RawParameters, RelativeMotion};
use crate::fmu::motion_inputs::SmallMotion;
use crate::math::Vector;

/// The outputs whose derivatives cost more than those of the others: velocities and extremes.
pub(crate) const SLOW_OUTPUTS: [&str; 9] = [
    "maxPenetration",
    "normalVelocity.min",
    "normalVelocity.mean",
    "normalVelocity.max",
    "tangentialVelocity.min",
    "tangentialVelocity.mean",
    "tangentialVelocity.max",
    "normalStress.max",
    "tangentialStress.max",
];

/// The change of every number of the law with a parameter.
pub(crate) type LawChange = [f64; LawNumber::ALL.len()];

/// The outputs that have no formula: what depends on how bristles are wound up.
pub(crate) const WITHOUT_FORMULA: [&str; 7] = [
    "elasticEnergy",
    "dissipatedPower",
    "tangentialStress.max",
    "stickingReal",
    "frictionUtilisation",
    "slipDistance",
    "frictionWork",
];

/// How many of them, the first ones, have a formula without bristles.
pub(crate) const WITH_BRISTLES_ONLY: usize = 3;

/// Derivative of an outcome by one of the six numbers of the deflection of bristles, of which M_e is the origin; `position`
/// is that of M_f.
pub(crate) fn along_deflection(derivatives: &Derivatives, number: usize, position: &Vector) -> Outcome {
    let mut change = derivatives.by_deflection[number];
    if 3 <= number {
        let moved = Vector::ith(number - 3, 1.0).cross(position);
        for (factor, column) in moved.iter().zip(&derivatives.by_deflection) {
            change.add_multiple(*factor, column);
        }
    }
    change
}

/// Derivative of an outcome along a small motion of F; where `follows`, the deflection of bristles follows the pose.
pub(crate) fn along(derivatives: &Derivatives, small: &SmallMotion, follows: bool) -> Outcome {
    let mut change = Outcome::default();
    let parts = [small.translation, small.rotation, small.velocity, small.angular_velocity];
    let factors = parts.iter().flat_map(|part| part.iter());
    for (factor, column) in factors.zip(derivatives.by_pose.iter().chain(&derivatives.by_velocity)) {
        if *factor != 0.0 {
            change.add_multiple(*factor, column);
        }
    }
    if follows {
        let factors = [small.translation, small.rotation];
        for (factor, column) in factors.iter().flat_map(|part| part.iter()).zip(&derivatives.by_deflection) {
            change.add_multiple(*factor, column);
        }
    }
    change
}

/// Derivative of an outcome with a parameter.
pub(crate) fn with_law(derivatives: &Derivatives, law: &LawChange) -> Outcome {
    let mut change = Outcome::default();
    for (factor, column) in law.iter().zip(&derivatives.by_number) {
        if *factor != 0.0 {
            change.add_multiple(*factor, column);
        }
    }
    change
}

/// How the law changes with the parameter of a key of the configuration, per unit of it. None where that takes a
/// difference: at the end of a range, where only one side exists, and for parameters that are not known here.
pub(crate) fn law_change(raw: &RawParameters, key: &str) -> Option<LawChange> {
    let mut change = [0.0; LawNumber::ALL.len()];
    let mut by_itself = |number: LawNumber| change[number as usize] = 1.0;
    let (is_damped, is_rough) = (0.0 < raw.areal_damping, 0.0 < raw.friction_coefficient);
    match key {
        "contact.areal-damping" if is_damped => by_itself(LawNumber::ArealDamping),
        "contact.damping-transition-depth" if !is_damped => {}
        "contact.damping-transition-depth" if 0.0 < raw.damping_transition_depth => {
            by_itself(LawNumber::DampingTransitionDepth);
        }
        "contact.friction-coefficient" if is_rough => by_itself(LawNumber::FrictionCoefficient),
        "contact.friction-regularization-velocity" if !is_rough => {}
        "contact.friction-regularization-velocity" => by_itself(LawNumber::FrictionRegularizationVelocity),
        _ => {
            let (section, number) = key.split_once('.')?;
            let (body, layer) = match section {
                "surface-e" => (Body::E, &raw.layer_e),
                "surface-f" => (Body::F, &raw.layer_f),
                _ => return None,
            };
            let number =
                ["youngs-modulus", "poissons-ratio", "layer-thickness"].iter().position(|key| *key == number)?;
            if number == 0 && layer.youngs_modulus == 0.0 {
                return None;
            }
            let of_layer = raw.layer_changes(body)[number];
            change[LawNumber::CombinedLayerStiffness as usize] = of_layer.combined_layer_stiffness;
            change[LawNumber::PenetrationRatio as usize] = of_layer.penetration_ratio;
        }
    }
    Some(change)
}

/// Stiffness and damping: minus the derivatives of the wrench on F, reduced to the origin of M_f and resolved in M_f, by
/// motions of M_f along its axes: translations of its origin, then rotations about it; likewise velocities.
pub fn stiffness_and_damping(derivatives: &Derivatives, motion: &RelativeMotion) -> [Matrix6<f64>; 2] {
    let mut axes = Matrix6::zeros();
    for half in [0, 3] {
        axes.fixed_view_mut::<3, 3>(half, half).copy_from(motion.pose_ef().rotation.matrix());
    }
    // Bristles that stick resist as layers do.
    let by_pose = derivatives.wrench_on_f_by_pose + derivatives.wrench_on_f_by_deflection;
    [-by_pose * axes, -derivatives.wrench_on_f_by_velocity * axes]
}
