//! Stage 5: the force law of a contact element; pure functions.

use super::parameters::FrictionParameters;

/// Share of the areal damping that acts at a depth (4.28): rises linearly up to the transition
/// depth u_d, 1 beyond it or where there is no transition.
#[inline]
pub fn damping_share(penetration: f64, damping_transition_depth: f64) -> f64 {
    if 0.0 < damping_transition_depth && penetration < damping_transition_depth {
        penetration.max(0.0) / damping_transition_depth
    } else {
        1.0
    }
}

/// Normal pressure `max(0, c_l u + d_l v_n · share)` (4.27, 4.28, 4.31), in Pa. The layers push, never pull.
#[inline]
pub fn normal_pressure(
    layer_stiffness: f64,
    penetration: f64,
    areal_damping: f64,
    damping_share: f64,
    closing_velocity: f64,
) -> f64 {
    (layer_stiffness * penetration + areal_damping * damping_share * closing_velocity).max(0.0)
}

/// Friction stress over pressure and slip velocity (4.34), in s/m: times both, it is the tangential
/// stress vector on E, along the slip of F on E.
///
/// μ/v from the regularisation velocity on; below, `μ (2 − v/v_eps) / v_eps`, which starts at
/// 2 μ/v_eps without a division by the slip speed.
#[inline]
pub fn friction_per_velocity(friction: &FrictionParameters, slip_speed: f64) -> f64 {
    let ratio = slip_speed / friction.regularization_velocity;
    if ratio < 1.0 {
        friction.coefficient * (2.0 - ratio) / friction.regularization_velocity
    } else {
        friction.coefficient / slip_speed
    }
}
