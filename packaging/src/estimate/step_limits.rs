//! How large a communication step may be, and what friction and fade-in need at a given one.
//!
//! The body moves under a force that is constant within a step of H. A force from the start of the step is H/2 too old
//! on average, in a parallel master 3/2 H; about a depth with stiffness k and damping d that acts like a damping of
//! −k H/2 or −3/2 k H. `mean`, and `extrapolate` by 0.5 or 1.5 steps, take the delay away.

/// Communication steps within the contact time: fewer do not see the shape of the force.
pub const FEWEST_STEPS_PER_CONTACT: f64 = 10.0;

/// Steps that the body spends in the fade-in of damping at impact speed.
const STEPS_IN_TRANSITION: f64 = 2.0;

/// Bounds of the transition depth as parts of the largest depth: below the first the fade-in does not matter, above
/// the second it takes over.
const SMALLEST_TRANSITION: f64 = 0.05;
const LARGEST_TRANSITION: f64 = 0.5;

/// Part of a solid ball's mass that a tangential force at its surface moves: 1/m_t = 1/m + R²/J with J = 2/5 m R².
pub const TANGENTIAL_MASS_SHARE: f64 = 2.0 / 7.0;

/// Largest stable step in s about a depth with stiffness k = c_l A (N/m) and damping d = d_l A (N·s/m), in a
/// sequential master with outputs extrapolated by half a step, or by their mean.
///
/// The step has the characteristic polynomial z² − (2 − H d/m − H² k/m) z + (1 − H d/m), whose roots stay within the
/// unit circle while H² k/m + 2 H d/m < 4.
pub fn stability_limit(stiffness: f64, damping: f64, mass: f64) -> f64 {
    let (rate, square) = (damping / mass, stiffness / mass);
    // The root of H² k/m + 2 H d/m = 4, written without cancellation.
    4.0 / (rate + (rate * rate + 4.0 * square).sqrt())
}

/// Largest step in s at which held outputs feed in less energy than the damping takes, in a sequential master: the
/// product of the roots is 1 − H d/m + H² k/(2m), so H < 2 d / k = 2 d_l / c_l. In a parallel one it is a third.
pub fn hold_limit(areal_damping: f64, layer_stiffness: f64) -> f64 {
    2.0 * areal_damping / layer_stiffness
}

/// Largest stable step in s for friction about rest: its slope is 2 μ F_n / v_eps, and H slope / m_t < 2.
pub fn friction_limit(friction: f64, normal_force: f64, regularization_velocity: f64, tangential_mass: f64) -> f64 {
    regularization_velocity * tangential_mass / (friction * normal_force)
}

/// Smallest regularisation velocity in m/s with which slip decays without changing its sign at this step: half the
/// stable step.
pub fn regularization_velocity(friction: f64, normal_force: f64, step: f64, tangential_mass: f64) -> f64 {
    2.0 * friction * normal_force * step / tangential_mass
}

/// Transition depth in m: two steps at impact speed, within bounds set by the largest depth.
pub fn transition_depth(speed: f64, step: f64, max_depth: f64) -> f64 {
    (STEPS_IN_TRANSITION * speed * step).clamp(SMALLEST_TRANSITION * max_depth, LARGEST_TRANSITION * max_depth)
}

/// The largest of 1, 2, 5 times a power of ten that is not above a positive value.
pub fn round_down(value: f64) -> f64 {
    let power = value.log10().floor();
    // Rounding of the logarithm must not lead above the value: half a millionth is less than anyone means.
    let fits = |digit: f64| digit * 10f64.powf(power) <= value * (1.0 + 5e-7);
    let digit = [5.0, 2.0, 1.0].into_iter().find(|&digit| fits(digit)).unwrap_or(0.5);
    format!("{:.0e}", digit * 10f64.powf(power)).parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use polycontact::contact::{ContactParameters, ContactSurface, RawLayer, RawParameters, RelativeMotion, Workspace};
    use polycontact::contact::{Outcome, evaluate};
    use polycontact::math::{Pose, Vector};
    use polycontact::shapes::{cuboid, moved};

    use super::super::impact::BallLaw;
    use super::*;

    /// A ball pressed to a depth by a constant load and displaced a little: its distance from rest after many steps
    /// under forces held for a step, over the first one. The forces are those at a pose advanced by some steps.
    fn growth(law: &BallLaw, mass: f64, depth: f64, step: f64, advanced: f64) -> f64 {
        let load = law.force(depth, 0.0);
        let displaced = 1e-6 * depth;
        let (mut x, mut v) = (depth + displaced, 0.0);
        let mut largest = 0f64;
        for count in 0..4000 {
            let acceleration = (load - law.force(x + advanced * step * v, v)) / mass;
            x += step * v + 0.5 * step * step * acceleration;
            v += step * acceleration;
            if 3000 < count {
                largest = largest.max((x - depth).abs());
            }
        }
        largest / displaced
    }

    #[test]
    fn explicit_steps_are_stable_just_below_the_limit_and_not_well_above() {
        let (mass, depth) = (0.5, 2e-4);
        for areal_damping in [0.0, 1e7, 1e9] {
            let law = BallLaw { layer_stiffness: 1e12, radius: 0.05, areal_damping, transition_depth: 1e-6 };
            let area = law.area(depth);
            // The fade-in takes half of the transition depth off the damped area.
            let damped = area * (1.0 - 0.5 * law.transition_depth / depth);
            let limit = stability_limit(law.layer_stiffness * area, areal_damping * damped, mass);
            // An undamped oscillation keeps its size, which the step distorts near the limit: 10 at 0.98 of it.
            let below = growth(&law, mass, depth, 0.98 * limit, 0.5);
            let above = growth(&law, mass, depth, 1.3 * limit, 0.5);
            assert!(below < 10.0, "damping {areal_damping}: grows by {below} below the limit");
            assert!(100.0 < above, "damping {areal_damping}: grows by {above} above the limit");
        }
    }

    #[test]
    fn held_outputs_lose_energy_below_their_limit_and_gain_above() {
        let (mass, depth) = (0.5, 2e-4);
        let law = BallLaw { layer_stiffness: 1e12, radius: 0.05, areal_damping: 5e6, transition_depth: 0.0 };
        let limit = hold_limit(law.areal_damping, law.layer_stiffness);
        let (below, above) = (growth(&law, mass, depth, 0.8 * limit, 0.0), growth(&law, mass, depth, 1.2 * limit, 0.0));
        assert!(below < 0.5, "{below}");
        assert!(2.0 < above, "{above}");
    }

    /// Slip speeds of a block on a plate, pushed once and then braked by the library's friction with a held force.
    fn slips(regularization_velocity: f64, step: f64, mass: f64, friction: f64) -> (f64, Vec<f64>) {
        let plate = ContactSurface::new(cuboid(Vector::new(0.4, 0.4, 0.1)));
        let block =
            ContactSurface::new(moved(&cuboid(Vector::new(0.1, 0.1, 0.1)), &Pose::translation(0.003, 0.007, 0.0)));
        let raw = RawParameters {
            layer_e: RawLayer { youngs_modulus: 1e7, poissons_ratio: 0.3, layer_thickness: 0.01 },
            areal_damping: 0.0,
            friction_coefficient: friction,
            friction_regularization_velocity: regularization_velocity,
            ..Default::default()
        };
        let parameters = ContactParameters::new(&raw).unwrap();
        let mut workspace = Workspace::default();
        let mut velocity = 0.05 * regularization_velocity;
        let mut speeds = Vec::new();
        let mut normal_force = 0.0;
        for _ in 0..60 {
            let motion =
                RelativeMotion::new(Pose::translation(0.0, 0.0, 0.0999), Vector::x() * velocity, Vector::zeros())
                    .unwrap();
            let outcome: Outcome = evaluate(&plate, &block, &parameters, &motion, &mut workspace);
            normal_force = outcome.wrenches.on_f.force.z;
            velocity += step * outcome.wrenches.on_f.force.x / mass;
            speeds.push(velocity);
        }
        (normal_force, speeds)
    }

    #[test]
    fn friction_settles_below_its_limit_and_not_above() {
        let (mass, friction, velocity) = (0.5, 0.3, 1e-3);
        let (normal_force, _) = slips(velocity, 1e-9, mass, friction);
        let limit = friction_limit(friction, normal_force, velocity, mass);
        let (_, settled) = slips(velocity, 0.9 * limit, mass, friction);
        assert!(settled[59].abs() < 1e-3 * settled[0].abs(), "{settled:?}");
        // Above it slip jumps to and fro instead of settling.
        let (_, restless) = slips(velocity, 1.5 * limit, mass, friction);
        assert!(0.1 * velocity < restless[59].abs() && restless[59] * restless[58] < 0.0, "{restless:?}");
        // At the suggested velocity slip hardly changes its sign: the block's sides, 0.1 mm deep, rub too and add a
        // thousandth to its friction.
        let step = 0.9 * limit;
        let suggested = regularization_velocity(friction, normal_force, step, mass);
        let (_, smooth) = slips(suggested, step, mass, friction);
        let overshoot = 1e-3 * smooth[0];
        assert!(smooth.iter().all(|&speed| -overshoot <= speed) && smooth[59] < 1e-3 * suggested, "{smooth:?}");
    }

    #[test]
    fn steps_are_rounded_down_to_round_numbers() {
        assert_eq!([3.4e-5, 5e-4, 1.99e-3, 0.1, 9.9].map(round_down), [2e-5, 5e-4, 1e-3, 0.1, 5.0]);
    }

    #[test]
    fn the_transition_depth_spans_two_steps_within_bounds() {
        assert_eq!(transition_depth(1.0, 1e-5, 1e-4), 2e-5);
        assert_eq!(transition_depth(1.0, 1e-9, 1e-4), 0.05 * 1e-4);
        assert_eq!(transition_depth(1.0, 1e-3, 1e-4), 0.5 * 1e-4);
    }
}
