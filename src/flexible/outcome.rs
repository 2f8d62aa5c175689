//! What evaluations and steps of a flexible pair return.

use crate::math::{Vector, Wrenches};

/// Wrenches, energies and counts of one evaluation.
///
/// Suffix `_e`: resolved in frame E (marker M_e). Energies in J.
/// Arrays over bodies hold E first, then F; those of a rigid body are zero.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FlexibleOutcome {
    /// Wrenches on both bodies.
    pub wrenches: Wrenches,
    /// Nodes in contact, of both passes.
    pub contact_count: u32,
    /// Whether any node is in contact.
    pub in_contact: bool,
    /// A node penetrates at the border of an open contact patch, where it gets no force: the patch is too small.
    pub border_in_contact: bool,
    /// No node is in contact, but some lie behind the contact faces of the other body, deeper than contacts are looked
    /// for: almost certainly the bodies have tunnelled into each other.
    pub enclosed: bool,
    /// Deepest penetration of a node in m.
    pub max_penetration: f64,
    /// Mean of the contact points, weighted by force, in M_e; zero without contact.
    pub contact_position_e: Vector,
    /// Direction of the force on E, a unit vector in M_e; zero without a force.
    pub contact_normal_e: Vector,
    /// Elastic energy of the bodies.
    pub strain_energy: [f64; 2],
    /// Kinetic energy of the modes, without that of the rigid motion.
    pub kinetic_energy: [f64; 2],
    /// Energy of the penalty springs.
    pub penalty_energy: f64,
    /// Work done on the contact by the motion of the bodies since the state began.
    pub work: f64,
    /// Energy lost in modal damping since the state began.
    pub dissipated_energy: f64,
    /// Work minus dissipated energy minus growth of the stored energies: the error of the integration.
    pub energy_balance: f64,
    /// Iterations of the equilibrium.
    pub iterations: u32,
    /// Largest modal amplitude of either body in m: max over modes of |q_i| times the largest displacement of φ_i.
    pub largest_amplitude: f64,
}

/// What one step returns.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepOutcome {
    /// At the end of the step.
    pub end: FlexibleOutcome,
    /// Mean over the step of the wrenches: times the step, they are the impulses.
    pub mean: Wrenches,
    /// Internal steps.
    pub internal_steps: u32,
    /// Iterations of all equilibria within the step.
    pub iterations: u32,
    /// Nodes penetrated at the border of an open contact patch at some time within the step.
    pub border_in_contact: bool,
    /// Deepest penetration of a node within the step in m.
    pub max_penetration: f64,
}

impl FlexibleOutcome {
    /// Names the first quantity with a number that is not finite; none where all are.
    pub fn not_finite(&self) -> Option<&'static str> {
        let lists: [(&'static str, &[f64]); 8] = [
            ("the contact position", self.contact_position_e.as_slice()),
            ("the contact normal", self.contact_normal_e.as_slice()),
            ("the strain energy", &self.strain_energy),
            ("the kinetic energy of the modes", &self.kinetic_energy),
            ("the penalty energy", &[self.penalty_energy]),
            ("the energy account", &[self.work, self.dissipated_energy, self.energy_balance]),
            ("the penetration", &[self.max_penetration]),
            ("the modal amplitude", &[self.largest_amplitude]),
        ];
        let mut others = lists.into_iter().filter(|(_, numbers)| numbers.iter().any(|x| !x.is_finite()));
        self.wrenches.not_finite().or_else(|| others.next().map(|(name, _)| name))
    }
}
