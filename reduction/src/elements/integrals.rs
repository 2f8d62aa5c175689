//! The integrals of one element from which stiffness and mass follow.

use super::sample::{Sample, jacobian};

/// Integrals over one element with `N` nodes; a material turns them into stiffness and mass.
#[derive(Clone, Debug)]
pub struct ElementIntegrals<const N: usize> {
    /// `gradients[a][b][i][j] = ∫ ∂N_a/∂x_i ∂N_b/∂x_j dV`, in m.
    pub gradients: [[[[f64; 3]; 3]; N]; N],
    /// `∫ N_a N_b dV`, in m³.
    pub products: [[f64; N]; N],
}

/// Integrates over the element with these node positions, in m.
///
/// `None` where the element is inverted or degenerate at a quadrature point.
pub fn element_integrals<const N: usize>(
    positions: &[[f64; 3]; N],
    samples: &[Sample<N>],
) -> Option<ElementIntegrals<N>> {
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
        let slopes: [[f64; 3]; N] = std::array::from_fn(|node| {
            std::array::from_fn(|i| (0..3).map(|j| sample.derivatives[node][j] * inverse[(j, i)]).sum())
        });
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
    Some(ElementIntegrals { gradients, products })
}

impl<const N: usize> ElementIntegrals<N> {
    /// Stiffness between the displacements of nodes `a` (rows) and `b` (columns), in N/m, from Lamé's constants.
    pub fn stiffness_block(&self, a: usize, b: usize, (lambda, mu): (f64, f64)) -> [[f64; 3]; 3] {
        let gradient = &self.gradients[a][b];
        let trace = gradient[0][0] + gradient[1][1] + gradient[2][2];
        std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let diagonal = if i == j { mu * trace } else { 0.0 };
                lambda * gradient[i][j] + mu * gradient[j][i] + diagonal
            })
        })
    }
}
