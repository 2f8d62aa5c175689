//! What an element knows at one quadrature point before its nodes have places.

use nalgebra::Matrix3;

/// Shape functions of an element with `N` nodes at one quadrature point of the parent element.
#[derive(Clone, Copy, Debug)]
pub struct Sample<const N: usize> {
    /// Share of the parent element's volume; the weights of a rule add up to that volume.
    pub weight: f64,
    /// One per node; they add up to 1.
    pub values: [f64; N],
    /// Along the three parent coordinates, one triple per node; they add up to 0.
    pub derivatives: [[f64; 3]; N],
}

/// Derivative of the place with respect to the parent coordinates: `result[(i, j)] = ∂x_i/∂ξ_j`, in m.
pub fn jacobian<const N: usize>(positions: &[[f64; 3]; N], derivatives: &[[f64; 3]; N]) -> Matrix3<f64> {
    let mut sum = Matrix3::zeros();
    for (position, derivative) in positions.iter().zip(derivatives) {
        for i in 0..3 {
            for j in 0..3 {
                sum[(i, j)] += position[i] * derivative[j];
            }
        }
    }
    sum
}
