//! What a user decides about a reduction.

use std::f64::consts::PI;

use crate::contact_selection::ContactSelection;

/// Directions in which contact nodes get static shapes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Directions {
    /// The surface normal: enough for contact without friction.
    #[default]
    Normal,
    /// All three.
    All,
}

/// Which modes of the body held at its contact nodes are kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Modes {
    /// All up to a frequency in Hz.
    Below(f64),
    /// So many lowest ones.
    Count(usize),
}

/// Where low-frequency coordinates end.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Split {
    /// At the frequency of the highest mode that was asked for.
    #[default]
    WithModes,
    /// At a frequency in Hz.
    Frequency(f64),
    /// Where rotational coupling has become smaller than this part of that among low-frequency shapes.
    Coupling(f64),
}

/// Damping ratio of each coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Damping {
    /// The same for all.
    Ratio(f64),
    /// Rayleigh's, with the same ratio at two frequencies in Hz.
    Rayleigh {
        /// Frequencies in Hz.
        frequencies: [f64; 2],
        /// Ratio at both.
        ratio: f64,
    },
}

impl Default for Damping {
    fn default() -> Self {
        Damping::Ratio(0.0)
    }
}

impl Damping {
    /// The ratio at an angular frequency in rad/s, `α₁ / (2 ω) + α₂ ω / 2` with `α₂ = ξ / (π (f₁ + f₂))` and
    /// `α₁ = 4 π² f₁ f₂ α₂`.
    pub fn ratio_at(&self, angular_frequency: f64) -> f64 {
        match *self {
            Damping::Ratio(ratio) => ratio,
            Damping::Rayleigh { frequencies: [first, second], ratio } => {
                let of_stiffness = ratio / (PI * (first + second));
                let of_mass = 4.0 * PI * PI * first * second * of_stiffness;
                0.5 * (of_mass / angular_frequency + of_stiffness * angular_frequency)
            }
        }
    }
}

/// All decisions.
#[derive(Clone, Debug, PartialEq)]
pub struct ReductionSettings {
    /// Contact nodes.
    pub contact: ContactSelection,
    /// Directions of the static shapes.
    pub directions: Directions,
    /// Modes of the held body.
    pub modes: Modes,
    /// Where low-frequency coordinates end.
    pub split: Split,
    /// Damping ratios.
    pub damping: Damping,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rayleigh_damping_has_its_ratio_at_both_frequencies_and_less_between() {
        let damping = Damping::Rayleigh { frequencies: [100.0, 5000.0], ratio: 0.02 };
        for frequency in [100.0, 5000.0] {
            assert!((damping.ratio_at(2.0 * PI * frequency) - 0.02).abs() < 1e-15);
        }
        assert!(damping.ratio_at(2.0 * PI * 700.0) < 0.02);
        assert!(0.02 < damping.ratio_at(2.0 * PI * 20_000.0));
    }
}
