//! Hertz's contact of a ball, and the elastic foundation that stands in for it.
//!
//! Both are functions of one effective radius R = 1 / (1/R_1 + 1/R_2) and a depth δ.

use std::f64::consts::PI;

/// An elastic material; a modulus of 0 means rigid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// E in Pa.
    pub youngs_modulus: f64,
    /// ν.
    pub poissons_ratio: f64,
}

impl Material {
    /// Hertz's compliance (1 − ν²) / E in 1/Pa; 0 where rigid.
    pub fn compliance(&self) -> f64 {
        if self.youngs_modulus == 0.0 {
            return 0.0;
        }
        (1.0 - self.poissons_ratio.powi(2)) / self.youngs_modulus
    }

    /// K = E (1 − ν) / ((1 + ν)(1 − 2ν)) in Pa: a layer that cannot move sideways.
    pub fn foundation_modulus(&self) -> f64 {
        let nu = self.poissons_ratio;
        self.youngs_modulus * (1.0 - nu) / ((1.0 + nu) * (1.0 - 2.0 * nu))
    }
}

/// Hertz's effective modulus, 1/E* = (1 − ν_E²)/E_E + (1 − ν_F²)/E_F, in Pa.
pub fn effective_modulus(materials: &[Material; 2]) -> f64 {
    1.0 / (materials[0].compliance() + materials[1].compliance())
}

/// F = 4/3 E* √R δ^(3/2) in N.
pub fn hertz_force(effective_modulus: f64, radius: f64, depth: f64) -> f64 {
    4.0 / 3.0 * effective_modulus * radius.sqrt() * depth.powf(1.5)
}

/// Depth that a ball of this mass and speed reaches: ½ m v² = 8/15 E* √R δ^(5/2); in m.
pub fn hertz_impact_depth(effective_modulus: f64, radius: f64, mass: f64, speed: f64) -> f64 {
    (15.0 * mass * speed * speed / (16.0 * effective_modulus * radius.sqrt())).powf(0.4)
}

/// F = π c_l R δ² in N.
pub fn foundation_force(layer_stiffness: f64, radius: f64, depth: f64) -> f64 {
    PI * layer_stiffness * radius * depth * depth
}

/// Depth that a ball of this mass and speed reaches: ½ m v² = π/3 c_l R δ³; in m.
pub fn foundation_impact_depth(layer_stiffness: f64, radius: f64, mass: f64, speed: f64) -> f64 {
    (3.0 * mass * speed * speed / (2.0 * PI * layer_stiffness * radius)).cbrt()
}

/// What the two force curves have in common up to the reference depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Matching {
    /// The work up to the reference depth: an impact that reaches it does so in both.
    Energy,
    /// The force at the reference depth.
    Force,
    /// The smallest mean square of the difference of forces up to the reference depth.
    LeastSquares,
}

impl Matching {
    /// All, with the names that the command line knows and where each is best.
    pub const ALL: [(Matching, &'static str, &'static str); 3] = [
        (Matching::Energy, "energy", "impacts: the same work up to the depth"),
        (Matching::Force, "force", "a constant load: the same force at the depth"),
        (Matching::LeastSquares, "least-squares", "forces alike on the whole way to the depth"),
    ];

    /// f in c_l = f E* / (π √(R δ)), as a fraction and as a number.
    ///
    /// Force: 4/3 E* √R δ^1.5 = π c R δ². Energy: 8/15 E* √R δ^2.5 = π/3 c R δ³. Least squares: c makes the
    /// integral of (π c R x² − F)² over x from 0 to δ smallest, so c = 4/3 E* / (π √R) · (δ^4.5/4.5) / (δ^5/5).
    pub fn factor(self) -> (&'static str, f64) {
        match self {
            Matching::Energy => ("8/5", 8.0 / 5.0),
            Matching::Force => ("4/3", 4.0 / 3.0),
            Matching::LeastSquares => ("40/27", 40.0 / 27.0),
        }
    }
}

/// Combined layer stiffness c_l in N/m³ that replaces Hertz up to a depth.
pub fn layer_stiffness(matching: Matching, effective_modulus: f64, radius: f64, depth: f64) -> f64 {
    matching.factor().1 * effective_modulus / (PI * (radius * depth).sqrt())
}

/// Thickness of both layers in m that have this combined stiffness and share the penetration as Hertz's bodies do;
/// none for a rigid body.
///
/// E takes the share λ = E* (1 − ν_E²)/E_E, so its layer has c_E = c_l / λ = K_E / b_E.
pub fn layer_thicknesses(materials: &[Material; 2], layer_stiffness: f64) -> [Option<f64>; 2] {
    let effective = effective_modulus(materials);
    materials.map(|material| {
        let share = effective * material.compliance();
        (0.0 < share).then(|| material.foundation_modulus() * share / layer_stiffness)
    })
}

#[cfg(test)]
mod tests {
    use polycontact::contact::{ContactParameters, RawLayer, RawParameters};

    use super::*;

    const STEEL: Material = Material { youngs_modulus: 210e9, poissons_ratio: 0.3 };
    const CAST_IRON: Material = Material { youngs_modulus: 105e9, poissons_ratio: 0.25 };
    const RIGID: Material = Material { youngs_modulus: 0.0, poissons_ratio: 0.3 };

    /// Midpoint rule, fine enough for the powers that occur here.
    fn integral(function: impl Fn(f64) -> f64, end: f64) -> f64 {
        let step = end / 20_000.0;
        (0..20_000).map(|k| function((f64::from(k) + 0.5) * step) * step).sum()
    }

    #[test]
    fn the_dissertations_spheres_have_hertz_force_by_hand() {
        // R_1 = 0.2 m, R_2 = 0.1 m, depth 1 mm (§5.2): 1/E* = 0.9375/105e9 + 0.91/210e9.
        let effective = effective_modulus(&[CAST_IRON, STEEL]);
        assert!((1.0 / effective - (0.9375 / 105e9 + 0.91 / 210e9)).abs() < 1e-9 / 105e9);
        let force = hertz_force(effective, 0.2 * 0.1 / 0.3, 1e-3);
        // 4/3 · 7.5403e10 · 0.258199 · 3.16228e-5 = 8.2088e5.
        assert!((force - 8.2088e5).abs() < 1e-4 * force, "{force}");
        // One modulus for both bodies halves E*; a rigid partner does not.
        assert!((effective_modulus(&[STEEL, STEEL]) * 2.0 / effective_modulus(&[STEEL, RIGID]) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn each_matching_does_what_it_says() {
        let (effective, radius, depth) = (2e9, 0.05, 1e-4);
        let hertz = |x: f64| hertz_force(effective, radius, x);
        let stiffness = |matching| layer_stiffness(matching, effective, radius, depth);
        let foundation = |c: f64| move |x: f64| foundation_force(c, radius, x);
        let equal_force = foundation(stiffness(Matching::Force))(depth);
        assert!((equal_force / hertz(depth) - 1.0).abs() < 1e-12);
        let work = integral(foundation(stiffness(Matching::Energy)), depth);
        // 1e-6: the midpoint rule at the root of δ^1.5.
        assert!((work / integral(hertz, depth) - 1.0).abs() < 1e-6);
        let squares = |c: f64| integral(|x| (foundation(c)(x) - hertz(x)).powi(2), depth);
        let best = stiffness(Matching::LeastSquares);
        assert!(squares(best) < squares(1.001 * best) && squares(best) < squares(0.999 * best));
    }

    #[test]
    fn impact_depths_hold_the_kinetic_energy() {
        let (effective, radius, mass, speed) = (2e9, 0.05, 0.5, 1.0);
        let depth = hertz_impact_depth(effective, radius, mass, speed);
        let work = integral(|x| hertz_force(effective, radius, x), depth);
        assert!((work / (0.5 * mass * speed * speed) - 1.0).abs() < 1e-6);
        let depth = foundation_impact_depth(1e12, radius, mass, speed);
        let work = integral(|x| foundation_force(1e12, radius, x), depth);
        assert!((work / (0.5 * mass * speed * speed) - 1.0).abs() < 1e-6);
        // With the same work at the impact depth, the foundation reaches it too.
        let reference = hertz_impact_depth(effective, radius, mass, speed);
        let stiffness = layer_stiffness(Matching::Energy, effective, radius, reference);
        let reached = foundation_impact_depth(stiffness, radius, mass, speed);
        assert!((reached / reference - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_library_combines_the_layers_to_the_wanted_stiffness() {
        for materials in [[CAST_IRON, STEEL], [STEEL, RIGID], [RIGID, CAST_IRON]] {
            let wanted = 3.7e12;
            let thicknesses = layer_thicknesses(&materials, wanted);
            let layer = |index: usize| RawLayer {
                youngs_modulus: materials[index].youngs_modulus,
                poissons_ratio: materials[index].poissons_ratio,
                layer_thickness: thicknesses[index].unwrap_or(0.01),
            };
            let raw = RawParameters { layer_e: layer(0), layer_f: layer(1), ..Default::default() };
            let parameters = ContactParameters::new(&raw).unwrap();
            assert!((parameters.combined_layer_stiffness() / wanted - 1.0).abs() < 1e-12);
            let share = materials[0].compliance() * effective_modulus(&materials);
            assert!((parameters.penetration_ratio() - share).abs() < 1e-12);
        }
    }
}
