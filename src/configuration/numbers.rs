//! The numbers of the force element that a user can set, each described once.

use crate::contact::RawParameters;
use crate::flexible::RawFlexibleParameters;
use crate::mesh::LARGEST_SMOOTH_ANGLE;

/// Which values one number may have on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberRange {
    /// Any finite number.
    Finite,
    /// A finite number, 0 or above.
    NotNegative,
    /// A finite number above 0.
    Positive,
    /// Above −1 and below 0.5, where the layer's foundation modulus is finite and positive.
    PoissonsRatio,
    /// From 0 to 1.
    Share,
    /// Degrees, from 0 to [`LARGEST_SMOOTH_ANGLE`].
    SmoothAngle,
}

impl NumberRange {
    /// Whether a value is allowed.
    pub fn contains(self, value: f64) -> bool {
        match self {
            NumberRange::Finite => value.is_finite(),
            NumberRange::NotNegative => value.is_finite() && 0.0 <= value,
            NumberRange::Positive => value.is_finite() && 0.0 < value,
            NumberRange::PoissonsRatio => -1.0 < value && value < 0.5,
            NumberRange::Share => (0.0..=1.0).contains(&value),
            NumberRange::SmoothAngle => (0.0..=LARGEST_SMOOTH_ANGLE).contains(&value),
        }
    }

    /// For messages: "… must be" this.
    pub fn in_words(self) -> &'static str {
        match self {
            NumberRange::Finite => "a finite number",
            NumberRange::NotNegative => "a finite number, 0 or above",
            NumberRange::Positive => "a finite number above 0",
            NumberRange::PoissonsRatio => "between -1 and 0.5, both excluded",
            NumberRange::Share => "between 0 and 1, both included",
            NumberRange::SmoothAngle => "a number of degrees from 0 to 90",
        }
    }

    /// The smallest allowed number where there is one.
    pub fn min(self) -> Option<f64> {
        matches!(self, NumberRange::NotNegative | NumberRange::Share | NumberRange::SmoothAngle).then_some(0.0)
    }
}

/// A number in a set of parameters `P`: key of the configuration and, in other spelling, variable of the FMU.
#[derive(Clone, Copy, Debug)]
pub struct NumberParameter<P> {
    /// Section and key, the name that [`crate::contact::ParameterError`] uses too.
    pub key: &'static str,
    /// Unit, as in the FMU's unit definitions.
    pub unit: &'static str,
    /// Meaning, with the symbol.
    pub description: &'static str,
    /// Allowed values.
    pub range: NumberRange,
    /// Where it is stored.
    pub field: fn(&mut P) -> &mut f64,
}

impl<P: Copy> NumberParameter<P> {
    /// The section of the configuration file.
    pub fn section(&self) -> &'static str {
        self.key.split_once('.').expect("every key has a section").0
    }

    /// The key within its section.
    pub fn key_in_section(&self) -> &'static str {
        self.key.split_once('.').expect("every key has a section").1
    }

    /// The value in a set of parameters.
    pub fn value(&self, parameters: &P) -> f64 {
        let mut copy = *parameters;
        *(self.field)(&mut copy)
    }
}

/// Every number of [`RawParameters`], in the order of the interface.
pub const NUMBER_PARAMETERS: [NumberParameter<RawParameters>; 15] = [
    NumberParameter {
        key: "surface-e.youngs-modulus",
        unit: "Pa",
        description: "Young's modulus E of the layer of surface E; 0 = rigid, no layer",
        range: NumberRange::NotNegative,
        field: |parameters| &mut parameters.layer_e.youngs_modulus,
    },
    NumberParameter {
        key: "surface-e.poissons-ratio",
        unit: "1",
        description: "Poisson's ratio nu of the layer of surface E",
        range: NumberRange::PoissonsRatio,
        field: |parameters| &mut parameters.layer_e.poissons_ratio,
    },
    NumberParameter {
        key: "surface-e.layer-thickness",
        unit: "m",
        description: "Thickness b of the layer of surface E",
        range: NumberRange::NotNegative,
        field: |parameters| &mut parameters.layer_e.layer_thickness,
    },
    NumberParameter {
        key: "surface-f.youngs-modulus",
        unit: "Pa",
        description: "Young's modulus E of the layer of surface F; 0 = rigid, no layer",
        range: NumberRange::NotNegative,
        field: |parameters| &mut parameters.layer_f.youngs_modulus,
    },
    NumberParameter {
        key: "surface-f.poissons-ratio",
        unit: "1",
        description: "Poisson's ratio nu of the layer of surface F",
        range: NumberRange::PoissonsRatio,
        field: |parameters| &mut parameters.layer_f.poissons_ratio,
    },
    NumberParameter {
        key: "surface-f.layer-thickness",
        unit: "m",
        description: "Thickness b of the layer of surface F",
        range: NumberRange::NotNegative,
        field: |parameters| &mut parameters.layer_f.layer_thickness,
    },
    NumberParameter {
        key: "contact.areal-damping",
        unit: "N.s/m3",
        description: "Areal damping d_l of both layers together",
        range: NumberRange::NotNegative,
        field: |parameters| &mut parameters.areal_damping,
    },
    NumberParameter {
        key: "contact.damping-transition-depth",
        unit: "m",
        description: "Depth u_d up to which damping fades in; 0 = no fade-in",
        range: NumberRange::NotNegative,
        field: |parameters| &mut parameters.damping_transition_depth,
    },
    NumberParameter {
        key: "contact.friction-coefficient",
        unit: "1",
        description: "Coefficient of friction mu",
        range: NumberRange::NotNegative,
        field: |parameters| &mut parameters.friction_coefficient,
    },
    NumberParameter {
        key: "contact.friction-regularization-velocity",
        unit: "m/s",
        description: "Sliding velocity v_eps from which friction is fully developed; frictionModel regularized, above 0 \
                      where there is friction",
        range: NumberRange::NotNegative,
        field: |parameters| &mut parameters.friction_regularization_velocity,
    },
    NumberParameter {
        key: "contact.static-friction-coefficient",
        unit: "1",
        description: "Coefficient of static friction mu_s of bristles; 0 = frictionCoefficient",
        range: NumberRange::NotNegative,
        field: |parameters| &mut parameters.static_friction_coefficient,
    },
    NumberParameter {
        key: "contact.stribeck-velocity",
        unit: "m/s",
        description: "Slip velocity v_s at which half of mu_s - mu is left, of bristles",
        range: NumberRange::NotNegative,
        field: |parameters| &mut parameters.stribeck_velocity,
    },
    NumberParameter {
        key: "contact.viscous-friction",
        unit: "s/m",
        description: "Growth k_v of the coefficient of friction with the slip velocity, of bristles",
        range: NumberRange::NotNegative,
        field: |parameters| &mut parameters.viscous_friction,
    },
    NumberParameter {
        key: "contact.tangential-stiffness",
        unit: "N/m3",
        description: "Stiffness c_t of bristles per area; 0 = that of the layers",
        range: NumberRange::NotNegative,
        field: |parameters| &mut parameters.tangential_stiffness,
    },
    NumberParameter {
        key: "contact.tangential-damping",
        unit: "N.s/m3",
        description: "Damping d_t of bristles per area",
        range: NumberRange::NotNegative,
        field: |parameters| &mut parameters.tangential_damping,
    },
];

/// Every number of [`RawFlexibleParameters`], in the order of the interface.
pub const FLEXIBLE_NUMBER_PARAMETERS: [NumberParameter<RawFlexibleParameters>; 7] = [
    NumberParameter {
        key: "flexible.penalty-stiffness",
        unit: "N/m",
        description: "Penalty stiffness c_P per contact node",
        range: NumberRange::Positive,
        field: |parameters| &mut parameters.penalty_stiffness,
    },
    NumberParameter {
        key: "flexible.pass-weight",
        unit: "1",
        description: "Weight w of the pass with the faces of E as master; the other pass has 1 - w",
        range: NumberRange::Share,
        field: |parameters| &mut parameters.pass_weight,
    },
    NumberParameter {
        key: "flexible.tolerance",
        unit: "1",
        description: "Largest change of a contact force in the last iteration, relative to the largest contact force",
        range: NumberRange::Positive,
        field: |parameters| &mut parameters.tolerance,
    },
    NumberParameter {
        key: "flexible.internal-step",
        unit: "s",
        description: "Longest internal step h of the integration of the modes",
        range: NumberRange::Positive,
        field: |parameters| &mut parameters.internal_step,
    },
    NumberParameter {
        key: "flexible.maximal-penetration",
        unit: "m",
        description: "Deepest credible penetration of a node; 0 = half the mean edge of the faces it meets",
        range: NumberRange::NotNegative,
        field: |parameters| &mut parameters.maximal_penetration,
    },
    NumberParameter {
        key: "flexible.damped-period",
        unit: "s",
        description: "Period T_d that the submodel damped gives to the high-frequency modes",
        range: NumberRange::Positive,
        field: |parameters| &mut parameters.damped_period,
    },
    NumberParameter {
        key: "flexible.transition-damping",
        unit: "1",
        description: "Damping ratio xi_t of the high-frequency modes slower than T_d, submodel damped",
        range: NumberRange::Share,
        field: |parameters| &mut parameters.transition_damping,
    },
];
