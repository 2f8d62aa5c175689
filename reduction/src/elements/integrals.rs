//! Stiffness and mass of one element.

use super::sample::{Sample, jacobian};

/// Stiffness of an element with `N` nodes: `stiffness[a][b][i][j]` is the force at node `a` along axis `i` per
/// displacement of node `b` along axis `j`, in N/m.
pub type ElementStiffness<const N: usize> = [[[[f64; 3]; 3]; N]; N];

/// Matrices of one element with `N` nodes.
#[derive(Clone, Debug)]
pub struct ElementMatrices<const N: usize> {
    /// In N/m.
    pub stiffness: ElementStiffness<N>,
    /// `∫ N_a N_b dV`, in m³: the mass per density between equal axes.
    pub products: [[f64; N]; N],
}

/// Integrates over the element with these node positions, in m, for Lamé's constants λ and μ, in Pa.
///
/// `None` where the element is inverted or degenerate at a quadrature point.
pub fn element_matrices<const N: usize>(
    positions: &[[f64; 3]; N],
    samples: &[Sample<N>],
    lame: (f64, f64),
) -> Option<ElementMatrices<N>> {
    let mut gradients = [[[[0.0; 3]; 3]; N]; N];
    let mut products = [[0.0; N]; N];
    for sample in samples {
        let jacobian = jacobian(positions, &sample.derivatives);
        let determinant = jacobian.determinant();
        if determinant.is_nan() || determinant <= 0.0 {
            return None;
        }
        let inverse = jacobian.try_inverse()?;
        let volume = sample.weight * determinant;
        let slopes = sample.derivatives.map(|derivative| slope(&derivative, &inverse));
        for a in 0..N {
            for b in 0..N {
                products[a][b] += volume * sample.values[a] * sample.values[b];
                for i in 0..3 {
                    for j in 0..3 {
                        gradients[a][b][i][j] += volume * slopes[a][i] * slopes[b][j];
                    }
                }
            }
        }
    }
    let stiffness = gradients.map(|row| row.map(|gradients| stiffness_block(&gradients, lame)));
    Some(ElementMatrices { stiffness, products })
}

/// From derivatives along parent coordinates to derivatives in space.
pub(super) fn slope(derivative: &[f64; 3], inverse_jacobian: &nalgebra::Matrix3<f64>) -> [f64; 3] {
    std::array::from_fn(|i| (0..3).map(|j| derivative[j] * inverse_jacobian[(j, i)]).sum())
}

/// The stiffness between two shape functions from `gradients[i][j] = ∫ ∂N_a/∂x_i ∂N_b/∂x_j dV` and Lamé's constants:
/// what remains of the stress `λ tr(ε) I + 2 μ ε` of one against the strain of the other.
pub(super) fn stiffness_block(gradients: &[[f64; 3]; 3], (lambda, mu): (f64, f64)) -> [[f64; 3]; 3] {
    let trace = gradients[0][0] + gradients[1][1] + gradients[2][2];
    std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let diagonal = if i == j { mu * trace } else { 0.0 };
            lambda * gradients[i][j] + mu * gradients[j][i] + diagonal
        })
    })
}
