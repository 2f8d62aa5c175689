//! How contact nodes yield to forces on contact nodes.

use super::dense::dot;
use super::modes::Modes;

/// C = V diag(s) Vᵀ of some modes at all degrees of freedom of the contact nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Compliance {
    /// The modes that take part: from this one to the last.
    pub(super) first: usize,
    /// s of these modes in s²: modal coordinate per modal force.
    pub(super) softness: Vec<f64>,
    /// Degrees of freedom.
    size: usize,
    /// The symmetric matrix in m/N, row by row.
    entries: Vec<f64>,
}

impl Compliance {
    /// Computes the matrix for the modes from `first` on.
    pub(super) fn new(modes: &Modes, freedom: usize, first: usize, softness: impl Fn(usize) -> f64) -> Self {
        let mut compliance = Compliance {
            first,
            softness: (first..modes.count()).map(softness).collect(),
            size: freedom,
            entries: vec![0.0; freedom * freedom],
        };
        let mut scaled = vec![0.0; compliance.softness.len()];
        for i in 0..freedom {
            for (scaled, (shape, s)) in scaled.iter_mut().zip(modes.row(i)[first..].iter().zip(&compliance.softness)) {
                *scaled = shape * s;
            }
            for j in 0..=i {
                let entry = dot(&scaled, &modes.row(j)[first..]);
                compliance.entries[i * freedom + j] = entry;
                compliance.entries[j * freedom + i] = entry;
            }
        }
        compliance
    }

    /// Displacements per force on one degree of freedom.
    #[inline]
    pub(super) fn row(&self, dof: usize) -> &[f64] {
        &self.entries[dof * self.size..(dof + 1) * self.size]
    }
}
