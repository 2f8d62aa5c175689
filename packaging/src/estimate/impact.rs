//! The impact of a ball on a flat in one dimension, and the damping that a wanted rebound needs.

use std::f64::consts::PI;

use super::hertz::foundation_impact_depth;

/// Time steps within the contact time of an undamped impact; the method is of fourth order between kinks.
const STEPS_PER_CONTACT: f64 = 1000.0;

/// An impact is given up after this many undamped contact times: what is left creeps out.
const LONGEST_CONTACT: f64 = 50.0;

/// Halvings of the interval of damping: beyond double precision.
const BISECTIONS: usize = 60;

/// ∫ dx / √(1 − x³) from 0 to 1: half the contact time over δ_max / v.
const TIME_INTEGRAL: f64 = 1.402_182_105_325_454;

/// ∫ x √(1 − x³) dx from 0 to 1: what a small damping takes, see [`first_order_damping`].
const LOSS_INTEGRAL: f64 = 0.369_587_08;

/// Force law of a ball on a flat, integrated over the contact in closed form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BallLaw {
    /// c_l in N/m³.
    pub layer_stiffness: f64,
    /// R in m.
    pub radius: f64,
    /// d_l in N·s/m³.
    pub areal_damping: f64,
    /// u_d in m.
    pub transition_depth: f64,
}

impl BallLaw {
    /// F = 2πR ∫ max(0, c_l u + d_l s(u) v) du from 0 to δ, since r dr = −R du under a ball; in N. `speed` is
    /// positive while closing.
    pub fn force(&self, depth: f64, speed: f64) -> f64 {
        if depth <= 0.0 {
            return 0.0;
        }
        let (c, d, u_d) = (self.layer_stiffness, self.areal_damping, self.transition_depth);
        let faded = if 0.0 < u_d { (c + d * speed / u_d).max(0.0) * 0.5 * depth.min(u_d).powi(2) } else { 0.0 };
        // While opening, the layers would pull above the depth −d v / c.
        let start = u_d.max(-d * speed / c).max(0.0);
        let full =
            if start < depth { 0.5 * c * (depth * depth - start * start) + d * speed * (depth - start) } else { 0.0 };
        2.0 * PI * self.radius * (faded + full)
    }

    /// Contact area 2πRδ in m².
    pub fn area(&self, depth: f64) -> f64 {
        2.0 * PI * self.radius * depth
    }
}

/// What comes out of an impact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Impact {
    /// Speed afterwards over speed before.
    pub restitution: f64,
    /// In N.
    pub peak_force: f64,
    /// In s, as long as there is a force.
    pub contact_time: f64,
    /// In m.
    pub max_depth: f64,
}

/// Contact time of an undamped impact, 2.804 δ_max / v, in s.
pub fn undamped_contact_time(max_depth: f64, speed: f64) -> f64 {
    2.0 * TIME_INTEGRAL * max_depth / speed
}

/// Integrates m δ'' = −F(δ, δ') from the first touch on, by the classical Runge-Kutta method; no gravity.
pub fn simulate(mass: f64, speed: f64, step: f64, longest: f64, mut force: impl FnMut(f64, f64) -> f64) -> Impact {
    let mut impact = Impact::default();
    let mut acceleration = |depth: f64, velocity: f64| -force(depth, velocity) / mass;
    let (mut depth, mut velocity, mut time) = (0.0, speed, 0.0);
    let mut now = acceleration(depth, velocity);
    while time < longest {
        let (v1, a1) = (velocity, now);
        let (v2, a2) = (velocity + 0.5 * step * a1, acceleration(depth + 0.5 * step * v1, velocity + 0.5 * step * a1));
        let (v3, a3) = (velocity + 0.5 * step * a2, acceleration(depth + 0.5 * step * v2, velocity + 0.5 * step * a2));
        let (v4, a4) = (velocity + step * a3, acceleration(depth + step * v3, velocity + step * a3));
        depth += step / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4);
        velocity += step / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
        time += step;
        now = acceleration(depth, velocity);
        impact.max_depth = impact.max_depth.max(depth);
        impact.peak_force = impact.peak_force.max(-mass * now);
        if now < 0.0 {
            impact.contact_time = time;
        } else if velocity < 0.0 {
            // No force while opening: what follows is free flight.
            break;
        }
    }
    impact.restitution = -velocity / speed;
    impact
}

/// The impact of a ball by its closed force law.
pub fn ball_impact(law: &BallLaw, mass: f64, speed: f64) -> Impact {
    let depth = foundation_impact_depth(law.layer_stiffness, law.radius, mass, speed);
    let time = undamped_contact_time(depth, speed);
    simulate(mass, speed, time / STEPS_PER_CONTACT, LONGEST_CONTACT * time, |depth, speed| law.force(depth, speed))
}

/// d_l for a small loss and no fade-in: 1 − e² = 8π · 0.3696 R d_l δ_max² / (m v), in N·s/m³.
///
/// The undamped motion has v(δ) = v √(1 − (δ/δ_max)³), and the loss is 2 ∫ 2πR d_l δ v(δ) dδ over the way in.
pub fn first_order_damping(restitution: f64, radius: f64, mass: f64, speed: f64, max_depth: f64) -> f64 {
    (1.0 - restitution * restitution) * mass * speed / (8.0 * PI * LOSS_INTEGRAL * radius * max_depth * max_depth)
}

/// Areal damping with which the ball rebounds with the wanted restitution, by bisection over whole impacts.
/// Restitution falls with damping, so there is one.
pub fn areal_damping(law: &BallLaw, mass: f64, speed: f64, restitution: f64) -> f64 {
    if 1.0 <= restitution {
        return 0.0;
    }
    let rebound = |areal_damping: f64| ball_impact(&BallLaw { areal_damping, ..*law }, mass, speed).restitution;
    let depth = foundation_impact_depth(law.layer_stiffness, law.radius, mass, speed);
    let mut high = first_order_damping(restitution, law.radius, mass, speed, depth);
    while restitution < rebound(high) {
        high *= 2.0;
    }
    let mut low = 0.0;
    for _ in 0..BISECTIONS {
        let middle = 0.5 * (low + high);
        if restitution < rebound(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAW: BallLaw = BallLaw { layer_stiffness: 1e12, radius: 0.05, areal_damping: 4e7, transition_depth: 2e-5 };

    #[test]
    fn the_force_law_is_the_integral_of_the_pressure() {
        // A sum over rings of the pressure law as documented.
        let pressure = |u: f64, v: f64| {
            let share = if u < LAW.transition_depth { u / LAW.transition_depth } else { 1.0 };
            (LAW.layer_stiffness * u + LAW.areal_damping * share * v).max(0.0)
        };
        for (depth, speed) in [(1e-4, 0.5), (1e-4, 0.0), (1e-4, -0.3), (1e-4, -1.4), (1e-5, 0.5), (1e-5, -0.6)] {
            let rings = 200_000;
            let edge = (2.0 * LAW.radius * depth).sqrt();
            let sum: f64 = (0..rings)
                .map(|k| {
                    let r = (f64::from(k) + 0.5) * edge / f64::from(rings);
                    2.0 * PI * r * edge / f64::from(rings) * pressure(depth - r * r / (2.0 * LAW.radius), speed)
                })
                .sum();
            let force = LAW.force(depth, speed);
            let scale = PI * LAW.layer_stiffness * LAW.radius * depth * depth;
            assert!((force - sum).abs() < 1e-8 * scale, "depth {depth}, speed {speed}: {force} and {sum}");
        }
        assert_eq!(LAW.force(-1e-6, 1.0), 0.0);
    }

    #[test]
    fn undamped_impacts_keep_their_energy_and_last_as_long_as_the_integral_says() {
        let law = BallLaw { areal_damping: 0.0, ..LAW };
        let impact = ball_impact(&law, 0.5, 1.0);
        let depth = foundation_impact_depth(law.layer_stiffness, law.radius, 0.5, 1.0);
        assert!((impact.restitution - 1.0).abs() < 1e-6, "{impact:?}");
        // The largest of 1000 samples is at most half a step beside the peak: 1e-6 of it.
        assert!((impact.max_depth / depth - 1.0).abs() < 1e-5);
        assert!((impact.peak_force / law.force(depth, 0.0) - 1.0).abs() < 1e-5);
        // One step: contact ends between two of them.
        let time = undamped_contact_time(depth, 1.0);
        assert!((impact.contact_time / time - 1.0).abs() < 1.5e-3, "{impact:?}, {time}");
    }

    #[test]
    fn constants_are_the_integrals_that_they_are_said_to_be() {
        let n = 2_000_000;
        // With x = 1 − s² the root at x = 1 drops out: dx / √(1 − x³) = 2 s ds / √(1 − x³).
        let sum = |function: &dyn Fn(f64) -> f64| -> f64 {
            (0..n).map(|k| function((f64::from(k) + 0.5) / f64::from(n)) / f64::from(n)).sum()
        };
        let time = sum(&|s| {
            let x = 1.0 - s * s;
            2.0 * s / (1.0 - x * x * x).sqrt()
        });
        assert!((time - TIME_INTEGRAL).abs() < 1e-9, "{time}");
        let loss = sum(&|x| x * (1.0 - x * x * x).sqrt());
        assert!((loss - LOSS_INTEGRAL).abs() < 1e-6, "{loss}");
    }

    #[test]
    fn the_fitted_damping_gives_the_wanted_restitution() {
        for restitution in [0.95, 0.8, 0.5, 0.2] {
            let areal_damping = areal_damping(&LAW, 0.5, 1.0, restitution);
            // A different method at a fifth of the step: symplectic Euler.
            let law = BallLaw { areal_damping, ..LAW };
            let depth = foundation_impact_depth(law.layer_stiffness, law.radius, 0.5, 1.0);
            let step = undamped_contact_time(depth, 1.0) / 200_000.0;
            let (mut x, mut v) = (0.0, 1.0);
            while 0.0 <= x {
                v -= step * law.force(x, v) / 0.5;
                x += step * v;
            }
            assert!((-v - restitution).abs() < 1e-3, "{restitution}: {}", -v);
        }
        assert_eq!(areal_damping(&LAW, 0.5, 1.0, 1.0), 0.0);
    }

    #[test]
    fn small_losses_follow_the_first_order() {
        let law = BallLaw { transition_depth: 0.0, ..LAW };
        let depth = foundation_impact_depth(law.layer_stiffness, law.radius, 0.5, 1.0);
        let fitted = areal_damping(&law, 0.5, 1.0, 0.999);
        let first_order = first_order_damping(0.999, law.radius, 0.5, 1.0, depth);
        // The next order is of the size of the loss, 1 − e² = 0.002.
        assert!((fitted / first_order - 1.0).abs() < 2e-3, "{fitted}, {first_order}");
    }
}
