//! The dissertation's iteration for the equilibrium: Broyden's method in the modal coordinates. It allocates, and its
//! first Jacobian takes a search for contacts per mode: a reference for the Newton solver, not a replacement.

use nalgebra::{DMatrix, DVector};

use super::equilibrium::{Problem, SolveMemory, force_change, nodal_forces};
use super::error::FlexibleError;
use super::parameters::Solver;
use crate::math::Body;

/// A finite difference moves the nodes by this part of the deepest penetration, so that few contacts open or close.
const DIFFERENCE: f64 = 1.0e-5;

/// The move in m where nothing penetrates yet.
const SMALLEST_DIFFERENCE: f64 = 1.0e-12;

/// Coordinates are z = y/√s, so that half their squares are the elastic energy and the Jacobian is near to symmetric.
/// The root of z − √s Vᵀ f(u_pred + V √s z) is the equilibrium.
pub(super) fn solve(problem: &Problem, memory: &mut SolveMemory) -> Result<u32, FlexibleError> {
    let unknowns = Unknowns::new(problem);
    let mut z = DVector::zeros(unknowns.scales.len());
    unknowns.responses(problem, memory, &mut z);
    let mut residual = unknowns.residual(problem, memory, &z);
    if memory.contacts.list.is_empty() && z.amax() == 0.0 {
        return Ok(0);
    }
    let mut inverse = unknowns.inverse_jacobian(problem, memory, &z, &residual)?;
    let mut change = f64::INFINITY;
    unknowns.residual(problem, memory, &z);
    for iteration in 1..=problem.parameters.iteration_limit() {
        memory.linear.clear();
        let SolveMemory { linear, contacts, .. } = memory;
        linear.extend(contacts.list.iter().map(|contact| (contact.key(), contact.force())));
        let step = -(&inverse * &residual);
        z += &step;
        let next = unknowns.residual(problem, memory, &z);
        change = force_change(&memory.linear, &memory.contacts.list, problem.settings.depth_rounding);
        if !change.is_finite() {
            break;
        }
        let tolerance = problem.parameters.tolerance();
        if change <= tolerance && next.amax() <= tolerance * z.amax() {
            return Ok(iteration);
        }
        // Sherman-Morrison: the inverse of the Jacobian that maps the step to the change of the residual.
        let mapped = &inverse * (&next - &residual);
        let denominator = step.dot(&mapped);
        if denominator != 0.0 {
            let row = inverse.tr_mul(&step);
            inverse += (&step - mapped) * row.transpose() / denominator;
        }
        residual = next;
    }
    Err(problem.not_converged(Solver::Broyden, change, memory))
}

/// The modal coordinates of both bodies in one list.
struct Unknowns {
    /// √s of every unknown.
    scales: Vec<f64>,
    /// Largest displacement of a node per unknown.
    amplitudes: Vec<f64>,
    /// Where the unknowns of F begin.
    middle: usize,
}

impl Unknowns {
    fn new(problem: &Problem) -> Self {
        let (mut scales, mut amplitudes) = (Vec::new(), Vec::new());
        let mut middle = 0;
        for (b, body) in Body::BOTH.into_iter().zip(problem.bodies) {
            if b == Body::F {
                middle = scales.len();
            }
            if let (Some(modes), Some(compliance)) = (&body.modes, problem.compliances[b]) {
                scales.extend(compliance.softness.iter().map(|s| s.sqrt()));
                amplitudes.extend_from_slice(&modes.amplitudes[compliance.first..]);
            }
        }
        let amplitudes = amplitudes.iter().zip(&scales).map(|(amplitude, scale)| amplitude * scale).collect();
        Unknowns { scales, amplitudes, middle }
    }

    fn range(&self, body: Body) -> std::ops::Range<usize> {
        match body {
            Body::E => 0..self.middle,
            Body::F => self.middle..self.scales.len(),
        }
    }

    /// √s Vᵀ f of the forces in the memory.
    fn responses(&self, problem: &Problem, memory: &SolveMemory, z: &mut DVector<f64>) {
        for (b, body) in Body::BOTH.into_iter().zip(problem.bodies) {
            let range = self.range(b);
            if let (Some(modes), Some(compliance)) = (&body.modes, problem.compliances[b]) {
                let part = &mut z.as_mut_slice()[range.clone()];
                modes.modal_forces(&memory.bodies[b].forces, compliance.first, part);
                part.iter_mut().zip(&self.scales[range]).for_each(|(z, scale)| *z *= scale);
            }
        }
    }

    /// What z lacks to the equilibrium; leaves contacts and forces of z in the memory.
    fn residual(&self, problem: &Problem, memory: &mut SolveMemory, z: &DVector<f64>) -> DVector<f64> {
        for (b, body) in Body::BOTH.into_iter().zip(problem.bodies) {
            let memory = &mut memory.bodies[b];
            memory.displacements.clone_from(&memory.predicted);
            if let (Some(modes), Some(compliance)) = (&body.modes, problem.compliances[b]) {
                let range = self.range(b);
                let scaled: Vec<f64> =
                    z.as_slice()[range.clone()].iter().zip(&self.scales[range]).map(|(z, s)| z * s).collect();
                for (dof, u) in memory.displacements.iter_mut().enumerate() {
                    *u += super::dense::dot(&modes.row(dof)[compliance.first..], &scaled);
                }
            }
        }
        problem.find_contacts(memory, None);
        let SolveMemory { bodies, contacts, .. } = memory;
        for (b, body) in Body::BOTH.into_iter().zip(bodies) {
            nodal_forces(&contacts.list, b, &mut body.forces);
        }
        let mut response = DVector::zeros(z.len());
        self.responses(problem, memory, &mut response);
        z - response
    }

    /// Inverse of the Jacobian by forward differences.
    fn inverse_jacobian(
        &self,
        problem: &Problem,
        memory: &mut SolveMemory,
        z: &DVector<f64>,
        residual: &DVector<f64>,
    ) -> Result<DMatrix<f64>, FlexibleError> {
        let move_by = (DIFFERENCE * memory.contacts.max_depth()).max(SMALLEST_DIFFERENCE);
        let mut jacobian = DMatrix::identity(z.len(), z.len());
        let mut moved = z.clone();
        for (k, &amplitude) in self.amplitudes.iter().enumerate() {
            // A mode that moves no contact node does not feel the contact.
            if amplitude > 0.0 {
                moved[k] = z[k] + move_by / amplitude;
                let width = moved[k] - z[k];
                jacobian.set_column(k, &((self.residual(problem, memory, &moved) - residual) / width));
                moved[k] = z[k];
            }
        }
        jacobian.try_inverse().ok_or(FlexibleError::NotFinite { quantity: "the inverse Jacobian" })
    }
}
