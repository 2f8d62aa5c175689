//! Modes of a flexible body at its contact nodes, and their motion without contact.

use super::dense::{add_scaled, dot};
use super::parameters::FlexibleParameters;
use super::reduced_model::ReducedModel;
use std::f64::consts::TAU;

/// Modes of one body.
#[derive(Debug)]
pub(super) struct Modes {
    /// Shapes: for every degree of freedom of the nodes, the displacement in all modes.
    rows: Vec<f64>,
    /// ω in rad/s.
    pub(super) angular_frequencies: Vec<f64>,
    /// Damping ratios of the archive.
    pub(super) damping_ratios: Vec<f64>,
    /// That many first modes are low-frequency.
    pub(super) low: usize,
    /// Largest displacement of a node in every mode.
    pub(super) amplitudes: Vec<f64>,
}

impl Modes {
    pub(super) fn new(model: &ReducedModel) -> Self {
        let count = model.angular_frequencies.len();
        let freedom = 3 * model.contact_nodes.len();
        let mut rows = vec![0.0; freedom * count];
        let mut amplitudes = vec![0.0_f64; count];
        for mode in 0..count {
            let shape = &model.modes[mode * freedom..(mode + 1) * freedom];
            for (dof, &displacement) in shape.iter().enumerate() {
                rows[dof * count + mode] = displacement;
            }
            let largest = shape.chunks_exact(3).map(|u| u[0] * u[0] + u[1] * u[1] + u[2] * u[2]).fold(0.0, f64::max);
            amplitudes[mode] = largest.sqrt();
        }
        Modes {
            rows,
            angular_frequencies: model.angular_frequencies.clone(),
            damping_ratios: model.damping_ratios.clone(),
            low: model.low_frequency_modes,
            amplitudes,
        }
    }

    pub(super) fn count(&self) -> usize {
        self.angular_frequencies.len()
    }

    /// Displacements of one degree of freedom in all modes.
    #[inline]
    pub(super) fn row(&self, dof: usize) -> &[f64] {
        let count = self.count();
        &self.rows[dof * count..(dof + 1) * count]
    }

    /// Displacements of all degrees of freedom at the first coordinates; the others count as zero.
    pub(super) fn displace(&self, coordinates: &[f64], displacements: &mut [f64]) {
        for (dof, displacement) in displacements.iter_mut().enumerate() {
            *displacement = dot(&self.row(dof)[..coordinates.len()], coordinates);
        }
    }

    /// Modal forces of nodal forces, for the modes from `first` on, as many as there is room for.
    pub(super) fn modal_forces(&self, forces: &[f64], first: usize, modal: &mut [f64]) {
        modal.fill(0.0);
        for (dof, &force) in forces.iter().enumerate() {
            if force != 0.0 {
                add_scaled(modal, force, &self.row(dof)[first..first + modal.len()]);
            }
        }
    }

    /// A bound of the displacement of any node at the first coordinates, in m.
    pub(super) fn displacement_bound(&self, coordinates: &[f64]) -> f64 {
        coordinates.iter().zip(&self.amplitudes).fold(0.0, |sum, (q, amplitude)| sum + q.abs() * amplitude)
    }

    /// Strain energy of the coordinates in J.
    pub(super) fn strain_energy(&self, coordinates: &[f64]) -> f64 {
        let add = |sum: f64, (q, omega): (&f64, &f64)| sum + 0.5 * (omega * q) * (omega * q);
        coordinates.iter().zip(&self.angular_frequencies).fold(0.0, add)
    }

    /// Damping ratio of a high-frequency mode in the damped submodel: such that its damped period is T_d, or ξ_t
    /// where its period without damping is longer than that.
    pub(super) fn submodel_damping(parameters: &FlexibleParameters, omega: f64) -> f64 {
        let ratio = TAU / (parameters.damped_period() * omega);
        if ratio < 1.0 { (1.0 - ratio * ratio).sqrt() } else { parameters.transition_damping() }
    }
}

/// The exact motion of a damped oscillator over a fixed time: `(q, v)` afterwards from `(q, v)` before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Propagator([[f64; 2]; 2]);

/// Below this product of decay difference and time the series of sinh and sin is exact to rounding.
const CRITICAL: f64 = 1.0e-4;

impl Propagator {
    /// Of an oscillator with angular frequency ω and damping ratio ξ.
    pub(super) fn new(omega: f64, xi: f64, time: f64) -> Self {
        let decay = xi * omega;
        // s² = ω²(ξ² − 1): cosh and sinh of s t for strong damping, cos and sin for weak damping.
        let square = omega * omega * (xi - 1.0) * (xi + 1.0);
        let angle = square.abs().sqrt() * time;
        let (c, s) = if angle < CRITICAL {
            let x = square * time * time;
            let envelope = (-decay * time).exp();
            (envelope * (1.0 + x / 2.0), envelope * time * (1.0 + x / 6.0))
        } else if square < 0.0 {
            let envelope = (-decay * time).exp();
            (envelope * angle.cos(), envelope * time * angle.sin() / angle)
        } else {
            let rate = square.sqrt();
            // ξω − s without cancellation: their product with the sum is ω².
            let slow = (-omega * omega / (decay + rate) * time).exp();
            let fast = (-(decay + rate) * time).exp();
            (0.5 * (slow + fast), 0.5 * (slow - fast) / rate)
        };
        Propagator([[c + decay * s, s], [-omega * omega * s, c - decay * s]])
    }

    #[inline]
    pub(super) fn apply(&self, q: &mut f64, v: &mut f64) {
        let [[qq, qv], [vq, vv]] = self.0;
        (*q, *v) = (qq * *q + qv * *v, vq * *q + vv * *v);
    }
}
