//! Inner bending modes of the eight-node hexahedron (Wilson, Taylor).
//!
//! The trilinear shape functions answer bending with shear and lock. The functions 1 - ξ², 1 - η², 1 - ζ² add the
//! curvature; they belong to the element alone and are eliminated in it. With the Jacobian of the element's centre
//! their strains have no mean, so constant strain stays exact on distorted elements.

use nalgebra::{Matrix3, SMatrix};

use super::hexahedron::{CORNERS, GAUSS_COORDINATE, HEX8};
use super::integrals::{ElementStiffness, slope, stiffness_block};
use super::sample::jacobian;

/// Takes the bending modes into account in the stiffness of the element with these node positions.
///
/// `None` where the element is degenerate.
pub fn add_incompatible_modes(
    positions: &[[f64; 3]; 8],
    lame: (f64, f64),
    stiffness: &mut ElementStiffness<8>,
) -> Option<()> {
    let centre_derivatives = CORNERS.map(|corner| corner.map(|sign| 0.125 * sign));
    let centre = jacobian(positions, &centre_derivatives);
    let centre_inverse = centre.try_inverse()?;
    // Node displacements to modes, and modes to modes.
    let mut coupling = SMatrix::<f64, 24, 9>::zeros();
    let mut inner = SMatrix::<f64, 9, 9>::zeros();
    for (sample, corner) in HEX8.iter().zip(CORNERS) {
        let local = jacobian(positions, &sample.derivatives);
        let volume = sample.weight * local.determinant();
        let inverse = local.try_inverse()?;
        let ratio = centre.determinant() / local.determinant();
        let mode_slopes: [[f64; 3]; 3] = std::array::from_fn(|mode| {
            let mut derivative = [0.0; 3];
            derivative[mode] = -2.0 * GAUSS_COORDINATE * corner[mode];
            slope(&derivative, &centre_inverse).map(|value| ratio * value)
        });
        for (mode, mode_slope) in mode_slopes.iter().enumerate() {
            for (node, derivative) in sample.derivatives.iter().enumerate() {
                let block = block_between(&slope(derivative, &inverse), mode_slope, volume, lame);
                let mut target = coupling.fixed_view_mut::<3, 3>(3 * node, 3 * mode);
                target += block;
            }
            for (other, other_slope) in mode_slopes.iter().enumerate() {
                let mut target = inner.fixed_view_mut::<3, 3>(3 * other, 3 * mode);
                target += block_between(other_slope, mode_slope, volume, lame);
            }
        }
    }
    let relief = coupling * inner.cholesky()?.solve(&coupling.transpose());
    for (a, row) in stiffness.iter_mut().enumerate() {
        for (b, block) in row.iter_mut().enumerate() {
            for (i, values) in block.iter_mut().enumerate() {
                for (j, value) in values.iter_mut().enumerate() {
                    *value -= relief[(3 * a + i, 3 * b + j)];
                }
            }
        }
    }
    Some(())
}

fn block_between(a: &[f64; 3], b: &[f64; 3], volume: f64, lame: (f64, f64)) -> Matrix3<f64> {
    let gradients = a.map(|a| b.map(|b| volume * a * b));
    let block = stiffness_block(&gradients, lame);
    Matrix3::from_fn(|i, j| block[i][j])
}
