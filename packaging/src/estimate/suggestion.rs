//! From what is wanted to parameters, by formulas.

use polycontact::contact::{ContactParameters, RawLayer, RawParameters};

use super::hertz::{self, Matching, Material};
use super::impact::{BallLaw, Impact, areal_damping, ball_impact, first_order_damping, undamped_contact_time};
use super::step_limits::{self, FEWEST_STEPS_PER_CONTACT, TANGENTIAL_MASS_SHARE};
use crate::numbers::rounded;

/// Digits of the suggested parameters: what is printed is what is simulated.
const DIGITS: usize = 4;

/// Steps within the contact time where no step is given.
const SUGGESTED_STEPS_PER_CONTACT: f64 = 20.0;

const OUT_OF_RANGE: &str = "the numbers lead beyond what a computer can hold; check their units, which are SI";

/// What is wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct Wishes {
    /// Effective radius in m.
    pub radius: f64,
    /// Effective mass in kg.
    pub mass: f64,
    /// Impact speed in m/s.
    pub speed: f64,
    /// Of E and F.
    pub materials: [Material; 2],
    /// Speed after over speed before the impact.
    pub restitution: f64,
    /// Reference depth in m; none for the depth that the impact reaches by Hertz.
    pub depth: Option<f64>,
    /// Communication step in s; none for the largest sensible one.
    pub step: Option<f64>,
    /// μ.
    pub friction: f64,
    /// How the force curves are matched.
    pub matching: Matching,
}

/// What is suggested, with the numbers on the way.
#[derive(Clone, Debug)]
pub struct Suggestion {
    /// E* in Pa.
    pub effective_modulus: f64,
    /// Reference depth in m.
    pub depth: f64,
    /// c_l in N/m³ of the rounded layers.
    pub layer_stiffness: f64,
    /// Depth of the undamped impact in m.
    pub max_depth: f64,
    /// Undamped contact time in s.
    pub contact_time: f64,
    /// Communication step in s, given or suggested.
    pub step: f64,
    /// The force law with its damping.
    pub law: BallLaw,
    /// d_l in N·s/m³ by the formula for small losses.
    pub first_order_damping: f64,
    /// The impact by the closed force law.
    pub expected: Impact,
    /// Mass in kg that friction moves.
    pub tangential_mass: f64,
    /// Parameters to paste.
    pub raw: RawParameters,
}

impl Suggestion {
    /// Computes parameters for the wishes; the error is a message for people.
    pub fn of(wishes: &Wishes) -> Result<Suggestion, String> {
        let Wishes { radius, mass, speed, restitution, friction, .. } = *wishes;
        let effective_modulus = hertz::effective_modulus(&wishes.materials);
        let depth = wishes.depth.unwrap_or_else(|| hertz::hertz_impact_depth(effective_modulus, radius, mass, speed));
        let wanted_stiffness = hertz::layer_stiffness(wishes.matching, effective_modulus, radius, depth);
        if !(0.0 < depth && depth.is_finite() && 0.0 < wanted_stiffness && wanted_stiffness.is_finite()) {
            return Err(OUT_OF_RANGE.into());
        }
        let thicknesses = hertz::layer_thicknesses(&wishes.materials, wanted_stiffness);
        let layer = |index: usize| RawLayer {
            youngs_modulus: wishes.materials[index].youngs_modulus,
            poissons_ratio: wishes.materials[index].poissons_ratio,
            layer_thickness: thicknesses[index].map_or(RawLayer::RIGID.layer_thickness, |b| rounded(b, DIGITS)),
        };
        let mut raw = RawParameters { layer_e: layer(0), layer_f: layer(1), ..Default::default() };
        let layer_stiffness =
            ContactParameters::new(&raw).map_err(|error| error.to_string())?.combined_layer_stiffness();

        let max_depth = hertz::foundation_impact_depth(layer_stiffness, radius, mass, speed);
        let contact_time = undamped_contact_time(max_depth, speed);
        let mut step = wishes.step.unwrap_or(step_limits::round_down(contact_time / SUGGESTED_STEPS_PER_CONTACT));
        let law = loop {
            let transition_depth = rounded(step_limits::transition_depth(speed, step, max_depth), DIGITS);
            let undamped = BallLaw { layer_stiffness, radius, areal_damping: 0.0, transition_depth };
            let damping = areal_damping(&undamped, mass, speed, restitution);
            let law = BallLaw { areal_damping: rounded(damping, DIGITS), ..undamped };
            let limit = stability_limit(&law, max_depth, mass);
            // Strong damping may ask for a smaller step than the contact time does.
            if wishes.step.is_some() || step <= limit {
                break law;
            }
            step = step_limits::round_down(0.5 * limit);
        };
        let expected = ball_impact(&law, mass, speed);
        let numbers = [depth, max_depth, contact_time, step, law.areal_damping, expected.peak_force];
        if numbers.iter().any(|number| !number.is_finite()) || max_depth <= 0.0 {
            return Err(OUT_OF_RANGE.into());
        }
        let tangential_mass = TANGENTIAL_MASS_SHARE * mass;
        raw.areal_damping = law.areal_damping;
        raw.damping_transition_depth = law.transition_depth;
        raw.friction_coefficient = friction;
        if 0.0 < friction {
            let velocity = step_limits::regularization_velocity(friction, expected.peak_force, step, tangential_mass);
            raw.friction_regularization_velocity = rounded(velocity, 2);
        }
        Ok(Suggestion {
            effective_modulus,
            depth,
            layer_stiffness,
            max_depth,
            contact_time,
            step,
            law,
            first_order_damping: first_order_damping(restitution, radius, mass, speed, max_depth),
            expected,
            tangential_mass,
            raw,
        })
    }

    /// k = c_l A at the largest depth in N/m.
    pub fn stiffness(&self) -> f64 {
        self.layer_stiffness * self.law.area(self.max_depth)
    }

    /// Largest step in s that resolves the contact.
    pub fn accuracy_limit(&self) -> f64 {
        self.contact_time / FEWEST_STEPS_PER_CONTACT
    }

    /// Largest stable step in s, see [`step_limits::stability_limit`].
    pub fn stability_limit(&self, mass: f64) -> f64 {
        stability_limit(&self.law, self.max_depth, mass)
    }

    /// Largest stable step in s for friction with a regularisation velocity, at the peak force; none without friction.
    pub fn friction_limit(&self, regularization_velocity: f64) -> Option<f64> {
        let friction = self.raw.friction_coefficient;
        (0.0 < friction).then(|| {
            let force = self.expected.peak_force;
            step_limits::friction_limit(friction, force, regularization_velocity, self.tangential_mass)
        })
    }

    /// Edges up to this length in m keep the force within 5 % of that of the smooth ball.
    ///
    /// A ball whose vertices lie on the sphere is h²/(8R) smaller on the average over a face with sides h, and the
    /// force grows with the square of the depth: ΔF/F = h²/(4Rδ).
    pub fn edge_length(&self) -> f64 {
        (4.0 * 0.05 * self.law.radius * self.max_depth).sqrt()
    }
}

fn stability_limit(law: &BallLaw, depth: f64, mass: f64) -> f64 {
    let area = law.area(depth);
    step_limits::stability_limit(law.layer_stiffness * area, law.areal_damping * area, mass)
}

#[cfg(test)]
mod tests {
    use super::*;

    pub fn wishes() -> Wishes {
        Wishes {
            radius: 0.05,
            mass: 0.5,
            speed: 1.0,
            materials: [
                Material { youngs_modulus: 2e9, poissons_ratio: 0.35 },
                Material { youngs_modulus: 0.0, poissons_ratio: 0.3 },
            ],
            restitution: 0.8,
            depth: None,
            step: None,
            friction: 0.3,
            matching: Matching::Energy,
        }
    }

    #[test]
    fn without_a_depth_the_foundation_reaches_the_depth_of_hertz() {
        let suggestion = Suggestion::of(&wishes()).unwrap();
        // (15 · 0.5 / (16 · 2e9/0.8775 · √0.05))^0.4 by hand.
        let hertz: f64 = 7.5 / (16.0 * 2e9 / 0.8775 * 0.05f64.sqrt());
        assert!((suggestion.max_depth / hertz.powf(0.4) - 1.0).abs() < 1e-3, "{suggestion:?}");
        assert!((suggestion.expected.restitution - 0.8).abs() < 1e-3, "{suggestion:?}");
    }

    #[test]
    fn the_suggested_step_keeps_all_limits() {
        for restitution in [1.0, 0.8, 0.3, 0.05] {
            let suggestion = Suggestion::of(&Wishes { restitution, ..wishes() }).unwrap();
            let step = suggestion.step;
            assert!(step <= suggestion.accuracy_limit() && step <= suggestion.stability_limit(0.5), "{suggestion:?}");
            // By choice half the stable step; rounded to two digits.
            let limit = suggestion.friction_limit(suggestion.raw.friction_regularization_velocity).unwrap();
            assert!((limit / step - 2.0).abs() < 0.2, "{limit}, {step}");
        }
    }

    #[test]
    fn the_edge_length_gives_the_deficit_that_the_readme_measured() {
        // 1280 faces on a ball of 0.1 m, 5 mm deep: edges of 15 mm take 11 % off; 5 % allow √(5/11) of that.
        let mut suggestion = Suggestion::of(&wishes()).unwrap();
        (suggestion.law.radius, suggestion.max_depth) = (0.1, 5e-3);
        assert!((suggestion.edge_length() - 15e-3 * (5.0f64 / 11.0).sqrt()).abs() < 0.3e-3);
    }
}
