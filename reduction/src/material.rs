//! Isotropic linear elastic materials.

use thiserror::Error;

/// A homogeneous isotropic material; its numbers have been checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    youngs_modulus: f64,
    poissons_ratio: f64,
    density: f64,
}

/// Numbers that no elastic material has.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum MaterialError {
    /// Zero, negative or not a number.
    #[error("Young's modulus is {value} Pa; it has to be a positive number, such as 210e9 for steel")]
    YoungsModulus {
        /// As given, in Pa.
        value: f64,
    },
    /// Outside the open interval from -1 to 0.5.
    #[error(
        "Poisson's ratio is {value}; it has to lie between -1 and 0.5, both excluded: 0.5 would be incompressible, \
         for which these elements are not made; metals have about 0.3"
    )]
    PoissonsRatio {
        /// As given.
        value: f64,
    },
    /// Zero, negative or not a number.
    #[error("the density is {value} kg/m³; it has to be a positive number, such as 7850 for steel")]
    Density {
        /// As given, in kg/m³.
        value: f64,
    },
}

impl Material {
    /// Steel of the impact experiments: 210 GPa, 0.3, 7780 kg/m³.
    pub const STEEL: Material = Material { youngs_modulus: 210e9, poissons_ratio: 0.3, density: 7780.0 };
    /// Aluminium of the impact experiments: 72.8 GPa, 0.33, 2789 kg/m³.
    pub const ALUMINIUM: Material = Material { youngs_modulus: 72.8e9, poissons_ratio: 0.33, density: 2789.0 };

    /// Checks the ranges: Young's modulus in Pa, Poisson's ratio, density in kg/m³.
    pub fn new(youngs_modulus: f64, poissons_ratio: f64, density: f64) -> Result<Material, MaterialError> {
        let positive = |value: f64| value.is_finite() && 0.0 < value;
        if !positive(youngs_modulus) {
            return Err(MaterialError::YoungsModulus { value: youngs_modulus });
        }
        if !(-1.0 < poissons_ratio && poissons_ratio < 0.5) {
            return Err(MaterialError::PoissonsRatio { value: poissons_ratio });
        }
        if !positive(density) {
            return Err(MaterialError::Density { value: density });
        }
        Ok(Material { youngs_modulus, poissons_ratio, density })
    }

    /// In Pa.
    pub fn youngs_modulus(&self) -> f64 {
        self.youngs_modulus
    }

    /// Between -1 and 0.5.
    pub fn poissons_ratio(&self) -> f64 {
        self.poissons_ratio
    }

    /// In kg/m³.
    pub fn density(&self) -> f64 {
        self.density
    }

    /// Lamé's constants λ and μ, in Pa: the stress is `λ tr(ε) I + 2 μ ε`.
    pub fn lame_constants(&self) -> (f64, f64) {
        let nu = self.poissons_ratio;
        let lambda = self.youngs_modulus * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
        let mu = self.youngs_modulus / (2.0 * (1.0 + nu));
        (lambda, mu)
    }
}
