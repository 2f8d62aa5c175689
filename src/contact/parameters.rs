//! Parameters of the force element, validated once.

use thiserror::Error;

use crate::math::Body;

/// Which faces carry the pressure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// The faces of each body in the field of the other, each field by its body's share of the compression.
    #[default]
    Auto,
    /// Counts and polygons, no force.
    CollisionOnly,
    /// Both, half each.
    TwoPass,
    /// The faces of E carry the pressure, in the field of F.
    MasterE,
    /// The faces of F carry the pressure, in the field of E.
    MasterF,
}

/// How faces become contact elements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ElementScheme {
    /// The depth is the distance to the surface, integrated exactly over the faces: forces are the gradient of an energy.
    #[default]
    Potential,
    /// One element per face, at the depth that its centroid sees, as in the dissertation.
    Centroid,
}

/// What resists sliding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrictionModel {
    /// Elastic bristles that slip at the limit: what is loaded less stays where it is. The default of pairs and their FMUs.
    #[default]
    Bristle,
    /// A function of the slip velocity, without memory: what is loaded creeps. The default of [`RawParameters`], because
    /// a single evaluation has no memory.
    Regularized,
}

/// An elastic layer as a user states it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RawLayer {
    /// Young's modulus in Pa; 0 means a rigid body without a layer.
    pub youngs_modulus: f64,
    /// Poisson's ratio.
    pub poissons_ratio: f64,
    /// Thickness in m.
    pub layer_thickness: f64,
}

impl RawLayer {
    /// A rigid body without a layer.
    pub const RIGID: RawLayer = RawLayer { youngs_modulus: 0.0, poissons_ratio: 0.3, layer_thickness: 0.01 };
}

impl Default for RawLayer {
    fn default() -> Self {
        RawLayer { youngs_modulus: 1.0e7, poissons_ratio: 0.3, layer_thickness: 0.01 }
    }
}

/// Parameters as a user states them, not yet checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RawParameters {
    /// Layer of surface E.
    pub layer_e: RawLayer,
    /// Layer of surface F.
    pub layer_f: RawLayer,
    /// Which faces carry the pressure.
    pub method: Method,
    /// How faces become elements.
    pub elements: ElementScheme,
    /// Areal damping d_l of the combined layers in N·s/m³.
    pub areal_damping: f64,
    /// Depth u_d in m up to which damping fades in linearly; 0 means no fade-in.
    pub damping_transition_depth: f64,
    /// Coefficient of friction μ.
    pub friction_coefficient: f64,
    /// Regularisation velocity v_eps in m/s, of the model without memory.
    pub friction_regularization_velocity: f64,
    /// What resists sliding.
    pub friction_model: FrictionModel,
    /// Coefficient of static friction μ_s of bristles; 0 means that of sliding.
    pub static_friction_coefficient: f64,
    /// Slip velocity v_s in m/s at which half the difference of both coefficients is left.
    pub stribeck_velocity: f64,
    /// Growth k_v of the coefficient with the slip velocity, in s/m.
    pub viscous_friction: f64,
    /// Stiffness c_t of bristles per area in N/m³; 0 means that of the layers.
    pub tangential_stiffness: f64,
    /// Damping d_t of bristles per area in N·s/m³.
    pub tangential_damping: f64,
}

impl Default for RawParameters {
    fn default() -> Self {
        RawParameters {
            layer_e: RawLayer::default(),
            layer_f: RawLayer::RIGID,
            method: Method::Auto,
            elements: ElementScheme::Potential,
            areal_damping: 1.0e4,
            damping_transition_depth: 1.0e-4,
            friction_coefficient: 0.3,
            friction_regularization_velocity: 1.0e-3,
            friction_model: FrictionModel::Regularized,
            static_friction_coefficient: 0.0,
            stribeck_velocity: 1.0e-2,
            viscous_friction: 0.0,
            tangential_stiffness: 0.0,
            tangential_damping: 1.0e5,
        }
    }
}

/// Why parameters were refused. Names are those of the configuration file.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ParameterError {
    /// A number outside its range.
    #[error("`{name}` is {value}, but must be {allowed}")]
    OutOfRange {
        /// Which parameter.
        name: &'static str,
        /// Its value.
        value: f64,
        /// The allowed range in words.
        allowed: &'static str,
    },
    /// Neither body has a layer.
    #[error(
        "`surface-e.youngs-modulus` and `surface-f.youngs-modulus` are both 0: two rigid bodies have no contact \
         force; give at least one of them a layer"
    )]
    BothRigid,
}

/// Regularised Coulomb friction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrictionParameters {
    /// μ, positive.
    pub coefficient: f64,
    /// v_eps in m/s, positive.
    pub regularization_velocity: f64,
}

/// Elastic bristles that slip at the limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BristleParameters {
    /// μ of sliding, positive.
    pub coefficient: f64,
    /// μ_s, not below it.
    pub static_coefficient: f64,
    /// v_s in m/s, positive.
    pub stribeck_velocity: f64,
    /// k_v in s/m.
    pub viscous: f64,
    /// c_t in N/m³, positive.
    pub stiffness: f64,
    /// d_t in N·s/m³.
    pub damping: f64,
}

/// Checked parameters: the kernels trust every field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactParameters {
    method: Method,
    elements: ElementScheme,
    combined_layer_stiffness: f64,
    penetration_ratio: f64,
    layer_thickness: f64,
    areal_damping: f64,
    damping_transition_depth: f64,
    friction: Option<FrictionParameters>,
    bristles: Option<BristleParameters>,
}

impl ContactParameters {
    /// Elastic layers of no particular stiffness on both bodies, for what depends on the pose only.
    pub(super) const BOTH_SURFACES: ContactParameters = ContactParameters {
        method: Method::TwoPass,
        elements: ElementScheme::Potential,
        combined_layer_stiffness: 1.0,
        penetration_ratio: 0.5,
        layer_thickness: f64::INFINITY,
        areal_damping: 0.0,
        damping_transition_depth: 0.0,
        friction: None,
        bristles: None,
    };

    /// Checks the parameters and combines the layers.
    pub fn new(raw: &RawParameters) -> Result<Self, ParameterError> {
        let stiffness_e = layer_stiffness(
            &raw.layer_e,
            ["surface-e.youngs-modulus", "surface-e.poissons-ratio", "surface-e.layer-thickness"],
        )?;
        let stiffness_f = layer_stiffness(
            &raw.layer_f,
            ["surface-f.youngs-modulus", "surface-f.poissons-ratio", "surface-f.layer-thickness"],
        )?;
        let (combined_layer_stiffness, penetration_ratio) = match (stiffness_e, stiffness_f) {
            (None, None) => return Err(ParameterError::BothRigid),
            (None, Some(c_f)) => (c_f, 0.0),
            (Some(c_e), None) => (c_e, 1.0),
            // c_E c_F / (c_E + c_F) (4.24) and c_F / (c_E + c_F) (4.26), without overflow.
            (Some(c_e), Some(c_f)) => (c_e / (1.0 + c_e / c_f), 1.0 / (1.0 + c_e / c_f)),
        };
        not_negative("contact.areal-damping", raw.areal_damping)?;
        not_negative("contact.damping-transition-depth", raw.damping_transition_depth)?;
        not_negative("contact.friction-coefficient", raw.friction_coefficient)?;
        not_negative("contact.friction-regularization-velocity", raw.friction_regularization_velocity)?;
        let is_rough = 0.0 < raw.friction_coefficient;
        let friction = if is_rough && raw.friction_model == FrictionModel::Regularized {
            in_range(
                "contact.friction-regularization-velocity",
                raw.friction_regularization_velocity,
                raw.friction_regularization_velocity > 0.0,
                "above 0 m/s where there is friction",
            )?;
            Some(FrictionParameters {
                coefficient: raw.friction_coefficient,
                regularization_velocity: raw.friction_regularization_velocity,
            })
        } else {
            None
        };
        let bristles = raw.bristles()?;
        Ok(ContactParameters {
            method: raw.method,
            elements: raw.elements,
            combined_layer_stiffness,
            penetration_ratio,
            layer_thickness: [(stiffness_e, raw.layer_e), (stiffness_f, raw.layer_f)]
                .iter()
                .filter_map(|(stiffness, layer)| stiffness.map(|_| layer.layer_thickness))
                .sum(),
            areal_damping: raw.areal_damping,
            damping_transition_depth: raw.damping_transition_depth,
            friction,
            bristles,
        })
    }

    /// Which faces carry the pressure.
    pub fn method(&self) -> Method {
        self.method
    }

    /// How faces become elements.
    pub fn elements(&self) -> ElementScheme {
        self.elements
    }

    /// c_l of both layers in series (4.24), in N/m³.
    pub fn combined_layer_stiffness(&self) -> f64 {
        self.combined_layer_stiffness
    }

    /// λ, the part of the penetration that the layer of E takes (4.26): 0 where E is rigid, 1 where F is.
    pub fn penetration_ratio(&self) -> f64 {
        self.penetration_ratio
    }

    /// Thickness of the layers together in m; a rigid body has none.
    pub fn layer_thickness(&self) -> f64 {
        self.layer_thickness
    }

    /// d_l in N·s/m³.
    pub fn areal_damping(&self) -> f64 {
        self.areal_damping
    }

    /// u_d in m; 0 means no fade-in.
    pub fn damping_transition_depth(&self) -> f64 {
        self.damping_transition_depth
    }

    /// Friction without memory; none where μ = 0, or with bristles.
    pub fn friction(&self) -> Option<FrictionParameters> {
        self.friction
    }

    /// Friction by bristles; none where μ = 0 at rest and sliding, or without memory.
    pub fn bristles(&self) -> Option<BristleParameters> {
        self.bristles
    }
}

/// How combined stiffness and penetration ratio change with one number of a layer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LayerChange {
    /// Of c_l, in N/m³ per unit of the number.
    pub combined_layer_stiffness: f64,
    /// Of λ, per unit of the number.
    pub penetration_ratio: f64,
}

impl RawParameters {
    /// Whether there is friction by bristles, at rest at least.
    pub fn has_bristles(&self) -> bool {
        let is_rough = 0.0 < self.friction_coefficient || 0.0 < self.static_friction_coefficient;
        is_rough && self.friction_model == FrictionModel::Bristle
    }

    /// Bristles by these numbers; none where no number is positive that must be.
    fn bristles(&self) -> Result<Option<BristleParameters>, ParameterError> {
        not_negative("contact.static-friction-coefficient", self.static_friction_coefficient)?;
        not_negative("contact.stribeck-velocity", self.stribeck_velocity)?;
        not_negative("contact.viscous-friction", self.viscous_friction)?;
        not_negative("contact.tangential-stiffness", self.tangential_stiffness)?;
        not_negative("contact.tangential-damping", self.tangential_damping)?;
        if !self.has_bristles() {
            return Ok(None);
        }
        let mut static_coefficient = self.static_friction_coefficient;
        if static_coefficient == 0.0 {
            static_coefficient = self.friction_coefficient;
        }
        in_range(
            "contact.static-friction-coefficient",
            static_coefficient,
            self.friction_coefficient <= static_coefficient,
            "0, for that of sliding, or not below `friction-coefficient`",
        )?;
        in_range(
            "contact.stribeck-velocity",
            self.stribeck_velocity,
            0.0 < self.stribeck_velocity,
            "above 0 m/s where there is friction",
        )?;
        let stiffness = match self.tangential_stiffness {
            0.0 => self.shear_stiffness()?,
            given => given,
        };
        Ok(Some(BristleParameters {
            coefficient: self.friction_coefficient,
            static_coefficient,
            stribeck_velocity: self.stribeck_velocity,
            viscous: self.viscous_friction,
            stiffness,
            damping: self.tangential_damping,
        }))
    }

    /// c_t of both layers in series: that of each is c · 2 (1 − ν) / (2 − ν), in N/m³, the ratio of the tangential to the
    /// normal stiffness of elastic bodies in contact. The layers have been checked.
    fn shear_stiffness(&self) -> Result<f64, ParameterError> {
        let compliance = |layer: &RawLayer| -> Result<f64, ParameterError> {
            let nu = layer.poissons_ratio;
            let ratio = 2.0 * (1.0 - nu) / (2.0 - nu);
            Ok(layer_stiffness(layer, [""; 3])?.map_or(0.0, |stiffness| 1.0 / (stiffness * ratio)))
        };
        Ok(1.0 / (compliance(&self.layer_e)? + compliance(&self.layer_f)?))
    }

    /// How c_l and λ change with Young's modulus, Poisson's ratio and thickness of the layer of a body; nothing where the
    /// body is rigid. The parameters are such that [`ContactParameters::new`] takes them.
    pub fn layer_changes(&self, body: Body) -> [LayerChange; 3] {
        let (layer, other) = match body {
            Body::E => (&self.layer_e, &self.layer_f),
            Body::F => (&self.layer_f, &self.layer_e),
        };
        let stiffness_of = |layer: &RawLayer| layer_stiffness(layer, [""; 3]).ok().flatten();
        let Some(stiffness) = stiffness_of(layer) else { return [LayerChange::default(); 3] };
        // c_l = c_E c_F / (c_E + c_F) changes by the square of the part of the compression that the layer takes, s; that
        // part itself, c_other / (c_E + c_F), by −s (1 − s) / c.
        let share = stiffness_of(other).map_or(1.0, |other| 1.0 / (1.0 + stiffness / other));
        let of_ratio = if body == Body::E { 1.0 } else { -1.0 };
        let RawLayer { youngs_modulus: modulus, poissons_ratio: nu, layer_thickness: b } = *layer;
        let by_ratio = 2.0 / (1.0 - 2.0 * nu) - 1.0 / (1.0 - nu) - 1.0 / (1.0 + nu);
        [1.0 / modulus, by_ratio, -1.0 / b].map(|relative| LayerChange {
            combined_layer_stiffness: share * share * stiffness * relative,
            penetration_ratio: -of_ratio * share * (1.0 - share) * relative,
        })
    }
}

/// Layer stiffness c = K / b with K = E (1 − ν) / ((1 + ν)(1 − 2ν)) (3.22, 4.25), in N/m³; none where rigid.
fn layer_stiffness(layer: &RawLayer, names: [&'static str; 3]) -> Result<Option<f64>, ParameterError> {
    let [modulus_name, ratio_name, thickness_name] = names;
    not_negative(modulus_name, layer.youngs_modulus)?;
    if layer.youngs_modulus == 0.0 {
        return Ok(None);
    }
    let nu = layer.poissons_ratio;
    in_range(ratio_name, nu, -1.0 < nu && nu < 0.5, "between -1 and 0.5, both excluded")?;
    let b = layer.layer_thickness;
    in_range(thickness_name, b, b.is_finite() && 0.0 < b, "a finite thickness above 0 m")?;
    let foundation_modulus = layer.youngs_modulus * (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu));
    let stiffness = foundation_modulus / b;
    in_range(
        modulus_name,
        layer.youngs_modulus,
        stiffness.is_finite() && 0.0 < stiffness,
        "such that the layer stiffness E (1 - nu) / ((1 + nu)(1 - 2 nu)) / b is a normal number",
    )?;
    Ok(Some(stiffness))
}

fn not_negative(name: &'static str, value: f64) -> Result<(), ParameterError> {
    in_range(name, value, value.is_finite() && 0.0 <= value, "a finite number, 0 or above")
}

fn in_range(name: &'static str, value: f64, is_allowed: bool, allowed: &'static str) -> Result<(), ParameterError> {
    if is_allowed { Ok(()) } else { Err(ParameterError::OutOfRange { name, value, allowed }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both layers, and each with a rigid partner: c_l and λ against differences of themselves.
    #[test]
    fn layer_changes_are_those_of_differences() {
        let soft = RawLayer { youngs_modulus: 2.0e7, poissons_ratio: 0.4, layer_thickness: 0.02 };
        for (layer_e, layer_f) in
            [(soft, RawLayer::default()), (soft, RawLayer::RIGID), (RawLayer::RIGID, soft), (RawLayer::default(), soft)]
        {
            let raw = RawParameters { layer_e, layer_f, ..RawParameters::default() };
            for body in [Body::E, Body::F] {
                let numbers: [fn(&mut RawLayer) -> &mut f64; 3] = [
                    |layer| &mut layer.youngs_modulus,
                    |layer| &mut layer.poissons_ratio,
                    |layer| &mut layer.layer_thickness,
                ];
                for (number, change) in numbers.iter().zip(raw.layer_changes(body)) {
                    let mut changed = raw;
                    let layer = if body == Body::E { &mut changed.layer_e } else { &mut changed.layer_f };
                    let value = *number(layer);
                    let mut at = |value: f64| {
                        *number(if body == Body::E { &mut changed.layer_e } else { &mut changed.layer_f }) = value;
                        let parameters = ContactParameters::new(&changed).unwrap();
                        [parameters.combined_layer_stiffness(), parameters.penetration_ratio()]
                    };
                    let step = 1e-5 * value;
                    if value == 0.0 {
                        assert_eq!(change, LayerChange::default());
                        continue;
                    }
                    let ([c_low, l_low], [c_high, l_high]) = (at(value - step), at(value + step));
                    let expected = [(c_high - c_low) / (2.0 * step), (l_high - l_low) / (2.0 * step)];
                    // The square of the step times third derivatives, and rounding over the step.
                    let close = |found: f64, expected: f64, size: f64| (found - expected).abs() <= 1e-8 * size / value;
                    assert!(close(change.combined_layer_stiffness, expected[0], c_high), "{change:?} {expected:?}");
                    assert!(close(change.penetration_ratio, expected[1], 1.0), "{change:?} {expected:?}");
                }
            }
        }
    }
}
