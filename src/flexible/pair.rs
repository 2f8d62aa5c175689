//! Two bodies that can touch, and their contact at one instant.

use std::sync::{Arc, OnceLock};

use super::body::BodyModel;
use super::compliance::Compliance;
use super::contact_body::ContactBody;
use super::dense::dot;
use super::equilibrium::{Problem, SolveMemory};
use super::error::{FlexibleError, PairError};
use super::node_to_surface::SearchSettings;
use super::outcome::FlexibleOutcome;
use super::parameters::{FlexibleParameters, Submodel};
use super::state::{Account, PairState, StateLayout};
use super::workspace::Workspace;
use crate::contact::RelativeMotion;
use crate::math::{Body, Pose};

/// Two bodies ready for contact, at least one of them flexible; immutable, so instances can share it.
#[derive(Debug)]
pub struct FlexiblePair {
    pub(super) bodies: [ContactBody; 2],
    layout: StateLayout,
    /// Compliances of the high-frequency modes, computed when first needed.
    static_compliances: OnceLock<[Option<Compliance>; 2]>,
    /// Tells pairs apart.
    pub(super) identity: Arc<()>,
}

/// Credible depth over mean edge length of the master, where the user gives none: a node that is deeper than half an
/// edge may belong to another face.
const CREDIBLE_DEPTH: f64 = 0.5;

/// Rounding of a depth over the size of the scene: a position goes through a transformation, a displacement and a
/// projection, some ten operations in all.
const POSITION_ROUNDING: f64 = 16.0 * f64::EPSILON;

impl FlexiblePair {
    /// Prepares the bodies.
    pub fn new(e: BodyModel, f: BodyModel) -> Result<Self, PairError> {
        if let (BodyModel::Rigid(_), BodyModel::Rigid(_)) = (&e, &f) {
            return Err(PairError::BothRigid);
        }
        for (model, body) in [(&e, Body::E), (&f, Body::F)] {
            if matches!(model, BodyModel::Rigid(mesh) if mesh.faces.is_empty()) {
                return Err(PairError::NoFaces { body });
            }
        }
        let bodies = [ContactBody::new(e), ContactBody::new(f)];
        let layout = StateLayout::new([bodies[0].state_size(), bodies[1].state_size()]);
        Ok(FlexiblePair { bodies, layout, static_compliances: OnceLock::new(), identity: Arc::new(()) })
    }

    /// Undeformed and at rest; the energy account begins with the first step.
    pub fn initial_state(&self) -> PairState {
        PairState::at_rest(&self.layout)
    }

    /// Evaluates the contact at the modal coordinates of `state`.
    ///
    /// The result depends on the arguments only, bit for bit; `workspace` lends memory.
    pub fn evaluate(
        &self,
        parameters: &FlexibleParameters,
        motion: &RelativeMotion,
        state: &PairState,
        workspace: &mut Workspace,
    ) -> Result<FlexibleOutcome, FlexibleError> {
        let numbers = state.as_numbers();
        let expected = self.layout.length;
        if numbers.len() != expected {
            return Err(FlexibleError::ForeignState { expected, found: numbers.len() });
        }
        self.evaluate_numbers(parameters, motion.pose_ef(), numbers, &mut workspace.solve, &mut workspace.modal)
    }

    pub(super) fn evaluate_numbers(
        &self,
        parameters: &FlexibleParameters,
        pose_ef: &Pose,
        numbers: &[f64],
        memory: &mut SolveMemory,
        modal: &mut Vec<f64>,
    ) -> Result<FlexibleOutcome, FlexibleError> {
        let compliances = match parameters.submodel() {
            Submodel::QuasiStatic => self.static_compliances().each_ref().map(Option::as_ref),
            Submodel::Damped | Submodel::Modal => [None, None],
        };
        let coordinates = self.integrated_coordinates(parameters, numbers);
        for (memory, layout) in memory.bodies.iter_mut().zip(&self.layout.bodies) {
            memory.forces.clear();
            memory.forces.extend_from_slice(&numbers[layout.forces.clone()]);
        }
        let iterations = self.solve(parameters, pose_ef, coordinates, compliances, memory)?;
        let mut outcome = FlexibleOutcome::of_contacts(&memory.contacts, pose_ef);
        outcome.iterations = iterations;
        outcome.enclosed =
            !outcome.in_contact && memory.contacts.any_behind(&self.search_settings(parameters, pose_ef), &self.bodies);
        for (b, body) in self.bodies.iter().enumerate() {
            let Some(modes) = &body.modes else { continue };
            outcome.strain_energy[b] = modes.strain_energy(coordinates[b]);
            let velocities = &numbers[self.layout.bodies[b].velocities.clone()][..coordinates[b].len()];
            outcome.kinetic_energy[b] = 0.5 * dot(velocities, velocities);
            let amplitude = |(q, amplitude): (&f64, &f64)| q.abs() * amplitude;
            let mut largest = coordinates[b].iter().zip(&modes.amplitudes).map(amplitude).fold(0.0, f64::max);
            if let (Some(compliance), true) = (compliances[b], outcome.in_contact) {
                let memory = &memory.bodies[b];
                outcome.strain_energy[b] +=
                    0.5 * (dot(&memory.forces, &memory.displacements) - dot(&memory.forces, &memory.predicted));
                modal.clear();
                modal.resize(compliance.softness.len(), 0.0);
                modes.modal_forces(&memory.forces, compliance.first, modal);
                modal.iter_mut().zip(&compliance.softness).for_each(|(p, s)| *p *= s);
                let amplitudes = &modes.amplitudes[compliance.first..];
                largest = modal.iter().zip(amplitudes).map(amplitude).fold(largest, f64::max);
            }
            outcome.largest_amplitude = outcome.largest_amplitude.max(largest);
        }
        let account = Account::load(&self.layout, numbers);
        outcome.work = account.work;
        outcome.dissipated_energy = account.dissipated;
        outcome.energy_balance = account
            .reference
            .map_or(0.0, |reference| account.work - account.dissipated - (outcome.stored_energy() - reference));
        match outcome.not_finite() {
            None => Ok(outcome),
            Some(quantity) => Err(FlexibleError::NotFinite { quantity }),
        }
    }

    /// Finds the equilibrium at given modal coordinates; `forces` of the memory are the guess. Returns iterations.
    pub(super) fn solve(
        &self,
        parameters: &FlexibleParameters,
        pose_ef: &Pose,
        coordinates: [&[f64]; 2],
        compliances: [Option<&Compliance>; 2],
        memory: &mut SolveMemory,
    ) -> Result<u32, FlexibleError> {
        let settings = self.search_settings(parameters, pose_ef);
        if !self.may_touch(&settings, coordinates) {
            memory.contacts.clear();
            memory.bodies.iter_mut().for_each(|body| body.forces.fill(0.0));
            return Ok(0);
        }
        for (b, body) in self.bodies.iter().enumerate() {
            let memory = &mut memory.bodies[b];
            memory.predicted.resize(body.freedom(), 0.0);
            memory.displacements.resize(body.freedom(), 0.0);
            if let Some(modes) = &body.modes {
                modes.displace(coordinates[b], &mut memory.predicted);
            }
            memory.displacements.copy_from_slice(&memory.predicted);
        }
        Problem { bodies: &self.bodies, settings, compliances, parameters }.solve(memory)
    }

    fn search_settings(&self, parameters: &FlexibleParameters, pose_ef: &Pose) -> SearchSettings {
        let limit = |body: &ContactBody| parameters.maximal_penetration().unwrap_or(CREDIBLE_DEPTH * body.mean_edge);
        let sizes = self.bodies.each_ref().map(|body| body.tree.root().volume.largest_coordinate());
        let size = sizes[0] + sizes[1] + pose_ef.translation.vector.amax();
        SearchSettings {
            pose_ef: *pose_ef,
            stiffness: parameters.pass_weights().map(|weight| weight * parameters.penalty_stiffness()),
            limits: self.bodies.each_ref().map(limit),
            depth_rounding: POSITION_ROUNDING * size,
        }
    }

    /// Whether boxes overlap that are large enough for any displacement at the coordinates.
    fn may_touch(&self, settings: &SearchSettings, coordinates: [&[f64]; 2]) -> bool {
        let bound = |b: usize| {
            let modes = self.bodies[b].modes.as_ref();
            let reach = settings.reaches()[b] + modes.map_or(0.0, |modes| modes.displacement_bound(coordinates[b]));
            self.bodies[b].tree.root().volume.inflated(reach)
        };
        let (e, f) = (bound(0), bound(1));
        e.overlaps(&f.moved(&settings.pose_ef)) && f.overlaps(&e.moved(&settings.pose_ef.inverse()))
    }

    /// The coordinates of both bodies that a state holds for the submodel.
    pub(super) fn integrated_coordinates<'a>(
        &self,
        parameters: &FlexibleParameters,
        numbers: &'a [f64],
    ) -> [&'a [f64]; 2] {
        let all = self.layout.bodies.each_ref().map(|layout| &numbers[layout.coordinates.clone()]);
        match parameters.submodel() {
            Submodel::Damped => all,
            Submodel::QuasiStatic | Submodel::Modal => [0, 1].map(|b| &all[b][..self.low_modes(b)]),
        }
    }

    /// How many low-frequency modes a body has.
    pub(super) fn low_modes(&self, body: usize) -> usize {
        self.bodies[body].modes.as_ref().map_or(0, |modes| modes.low)
    }

    /// Compliances of the high-frequency modes; none for bodies without them.
    pub(super) fn static_compliances(&self) -> &[Option<Compliance>; 2] {
        self.static_compliances.get_or_init(|| {
            self.compliances(|body, mode| {
                let omega = self.bodies[body].modes.as_ref().map_or(1.0, |modes| modes.angular_frequencies[mode]);
                1.0 / (omega * omega)
            })
        })
    }

    /// Compliances of the high-frequency modes with given softnesses.
    pub(super) fn compliances(&self, softness: impl Fn(usize, usize) -> f64) -> [Option<Compliance>; 2] {
        [0, 1].map(|b| {
            let modes = self.bodies[b].modes.as_ref().filter(|modes| modes.low < modes.count())?;
            Some(Compliance::new(modes, self.bodies[b].freedom(), modes.low, |mode| softness(b, mode)))
        })
    }

    pub(super) fn layout(&self) -> &StateLayout {
        &self.layout
    }
}
