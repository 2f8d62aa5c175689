//! How much each surface counts as master in a patch.

use super::parameters::Method;
use super::patches::Patch;

/// Differences of bending below this are none; dimensionless. Far above rounding (10⁻¹⁶), far below
/// what matters: a box edge that dips in at 0.5° bends by 9·10⁻³, so its own pass then weighs 10⁻⁴.
const BENDING_SOFTENING: f64 = 1e-6;

/// Weights of the passes with E and with F as master; they sum to 1, or vanish in `collision-only`.
///
/// The normal force of a master acts along its own normals. Where a body is bent sharply within the
/// patch, its faces push in directions that have little to do with the contact, so `auto` trusts
/// each body as far as the *other* one bends: flat against sharp, the flat one is the master; two
/// bodies that bend alike give the two-pass mean.
pub fn pass_weights(method: Method, patch: &Patch) -> [f64; 2] {
    match method {
        Method::CollisionOnly => [0.0, 0.0],
        Method::TwoPass => [0.5, 0.5],
        Method::MasterE => [1.0, 0.0],
        Method::MasterF => [0.0, 1.0],
        Method::Auto => {
            let (bending_e, bending_f) = (patch.e.bending(), patch.f.bending());
            let weight_e = (bending_f + BENDING_SOFTENING) / (bending_e + bending_f + 2.0 * BENDING_SOFTENING);
            [weight_e, 1.0 - weight_e]
        }
    }
}
