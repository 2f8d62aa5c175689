//! The contact pair as a model: variables in, [`contact::evaluate`], variables out.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Instant;

use sha2::{Digest, Sha256};

use super::bristles::{Bristles, NOMINAL_STATES, STATE_DIFFERENCES, foresee, is_foreseen, start_step, start_step_with};
use super::derivatives::{along, along_deflection, law_change, stiffness_and_damping, with_law};
use super::variables::{self, ContactLayout};
use crate::configuration::{Configuration, NUMBER_PARAMETERS, StepOutput};
use crate::contact::{
    self, BristleMemory, ContactParameters, Derivatives, ElementScheme, FrictionModel, GapMemory, LawNumber, Method,
    MotionError, Outcome, ParameterError, RawParameters, RelativeMotion, StageTimes, Workspace,
};
use crate::exchange::{Exchange, Losses, Returned, Sample};
use crate::fmu::jacobian::{ExactColumn, Formula};
use crate::fmu::model::{Fault, Model, Notes, Once};
use crate::fmu::motion_inputs::{InputKind, InputMotion, refused_motion};
use crate::fmu::parameter_variables::variable_name;
use crate::fmu::parts::{Part, Parts};
use crate::fmu::step_output::{Extrapolation, added, mean_outcome};
use crate::fmu::surface_file::{SharedSurface, read_surface};
use crate::fmu::surface_source::Source;
use crate::fmu::values::Values;
use crate::fmu::variables::VariableTable;
use crate::math::Pose;
use crate::record::{Patches, RecordedBody};

/// What bristles remember at the inputs, and the power of their dampers there in W.
type BristlesNow = (BristleMemory, f64);

/// Part of the last step over which an output derivative is a central difference: short against
/// the motion of a step, long against rounding (1e-16 / 1e-3 leaves twelve digits of the change per step).
const DIFFERENCE_PER_STEP: f64 = 1.0e-3;

/// Steps of differences by inputs. Of a pose: of the size of the smaller body in m, and in rad; small against depths, and
/// the rounding of a wrench (1e-13 of it) leaves seven digits of its change.
const POSE_DIFFERENCE: f64 = 1.0e-6;

/// Of velocities, in m/s and rad/s: small against the regularization velocity of friction.
const VELOCITY_DIFFERENCE: f64 = 1.0e-5;

/// Of parameters, as a part of them; where they are zero, in their unit.
const PARAMETER_DIFFERENCE: f64 = 1.0e-6;

/// Depth at which a touch is announced, of the size of the smaller body: deep enough for a sign of the gap and a force,
/// and shallow against every impact.
const FORESEEN_DEPTH: f64 = 1.0e-4;

/// Difference in s where there was no step yet.
const DIFFERENCE_WITHOUT_STEP: f64 = 1.0e-6;

/// Pieces of a contact that are looked at for a recording: more would take longer than evaluations do, and more than a
/// file should hold.
const MOST_RECORDED_PIECES: usize = 20_000;

/// Two surfaces, the force element between them, and its variables.
pub(crate) struct ContactModel {
    table: VariableTable,
    layout: ContactLayout,
    name: String,
    guid: String,
    /// The FMU's resources; none where the host does not say.
    resources: Option<PathBuf>,
    surfaces: Option<[LoadedSurface; 2]>,
    workspace: Workspace,
    gap_memory: GapMemory,
    /// The energy of the layers was asked for after the last evaluation: the next one finds it on its way.
    asks_for_energy: bool,
    known_energy: Option<KnownEnergy>,
    /// Whether the last evaluation could only estimate it.
    has_estimated_energy: bool,
    has_estimated_force: bool,
    /// There with the surfaces.
    exchange: Option<Exchange>,
}

/// The last energy of the layers that an evaluation has found, in J; it depends on pose and parameters alone.
#[derive(Clone, Copy)]
struct KnownEnergy {
    pose_ef: Pose,
    parameters: ContactParameters,
    energy: f64,
}

/// A surface and the parameters that it was read with.
#[derive(Clone)]
struct LoadedSurface {
    source: Source,
    file: SharedSurface,
}

/// Everything that one evaluation needs, checked.
struct Problem {
    parameters: ContactParameters,
    threads: usize,
    measures_time: bool,
    input: InputMotion,
    bristles: Option<Bristles>,
}

impl Problem {
    /// A motion with the deflection that bristles have there.
    fn recall(&self, motion: &RelativeMotion) -> RelativeMotion {
        self.bristles.map_or(*motion, |bristles| bristles.recall(motion))
    }
}

impl ContactModel {
    pub(crate) fn new(configuration: &Configuration, guid: String, resources: Option<PathBuf>) -> Self {
        let (table, layout) = variables::build(configuration);
        ContactModel {
            table,
            layout,
            name: configuration.name.clone(),
            guid,
            resources,
            surfaces: None,
            workspace: Workspace::default(),
            gap_memory: GapMemory::default(),
            asks_for_energy: false,
            known_energy: None,
            has_estimated_energy: false,
            has_estimated_force: false,
            exchange: None,
        }
    }

    /// A model with the same surfaces; it exchanges nothing with a host.
    pub(crate) fn twin(&self, configuration: &Configuration) -> Self {
        let mut twin = ContactModel::new(configuration, self.guid.clone(), self.resources.clone());
        twin.surfaces.clone_from(&self.surfaces);
        twin
    }

    /// Whether a surface is in place as the values want it.
    fn is_loaded(&self, values: &Values, side: usize) -> bool {
        let slots = &self.layout.surfaces[side];
        self.surfaces.as_ref().is_some_and(|surfaces| slots.asks_for(values, &surfaces[side].source))
    }

    fn read(&self, source: Source, letter: char, notes: &mut Notes) -> Result<LoadedSurface, Fault> {
        let refuse = |reason: String| Fault::Refused(format!("`surface{letter}.file`: {reason}"));
        let path = source.path(self.resources.as_deref()).map_err(refuse)?;
        let file = read_surface(&path, &source.options).map_err(refuse)?;
        for warning in &file.warnings {
            notes.warn(format!("`surface{letter}.file` {}: {warning}", path.display()));
        }
        notes.event(format!("surface {letter}: read {} triangles from {}", file.triangle_count, path.display()));
        Ok(LoadedSurface { source, file })
    }

    fn raw_parameters(&self, values: &Values) -> RawParameters {
        let mut raw = RawParameters {
            method: self.layout.method(values),
            elements: self.layout.elements(values),
            friction_model: self.layout.friction_model(values),
            ..RawParameters::default()
        };
        for (number, slot) in NUMBER_PARAMETERS.iter().zip(self.layout.numbers) {
            *(number.field)(&mut raw) = values.reals[slot];
        }
        raw
    }

    /// A configuration with the parameters of some values.
    pub(crate) fn configuration(&self, original: &Configuration, values: &Values) -> Configuration {
        let layout = &self.layout;
        let [surface_e, surface_f] = [(0, &original.surface_e), (1, &original.surface_f)]
            .map(|(side, surface): (usize, _)| layout.surfaces[side].configuration(surface, values));
        Configuration {
            surface_e,
            surface_f,
            parameters: self.raw_parameters(values),
            step_output: layout.step_output.step_output(values),
            extrapolation_steps: layout.step_output.extrapolation_steps(values),
            threads: layout.threads(values).map_or(original.threads, |threads| threads as u32),
            bodies: layout.exchange.bodies(values),
            ..original.clone()
        }
    }

    fn parameters(&self, values: &Values) -> Result<ContactParameters, Fault> {
        if self.layout.friction_model(values) == FrictionModel::Bristle && self.layout.states().is_empty() {
            return Err(Fault::Refused(
                "`frictionModel` is 1 (bristle), but this FMU has no memory for bristles; package it with \
                 friction-model = \"bristle\" in section [contact] of the configuration"
                    .to_owned(),
            ));
        }
        ContactParameters::new(&self.raw_parameters(values)).map_err(|error| {
            Fault::Refused(match error {
                ParameterError::OutOfRange { name, value, allowed } => {
                    format!("`{}` is {value}, but must be {allowed}", variable_name(name))
                }
                ParameterError::BothRigid => "`surfaceE.youngsModulus` and `surfaceF.youngsModulus` are both 0: two \
                                              rigid bodies have no contact force; give at least one of them a layer"
                    .to_owned(),
            })
        })
    }

    /// Checks what cannot be checked value by value.
    fn problem(&self, values: &Values, input_derivatives: Option<&[f64]>) -> Result<Problem, Fault> {
        let parameters = self.parameters(values)?;
        Ok(Problem {
            parameters,
            threads: self.layout.threads(values)?,
            measures_time: values.booleans[self.layout.measure_time],
            input: self.layout.motion.read(values, input_derivatives)?,
            bristles: parameters.bristles().map(|_| Bristles::read(values, self.layout.states())),
        })
    }

    /// The outcome at the motion that `choose` makes of the inputs.
    fn outcome(
        &mut self,
        problem: &Problem,
        choose: impl FnOnce(&Extrapolation, f64, &mut dyn FnMut(&RelativeMotion) -> Outcome) -> Result<Outcome, MotionError>,
    ) -> Result<Outcome, Fault> {
        let Some([e, f]) = &self.surfaces else {
            return Err(not_read());
        };
        let workspace = &mut self.workspace;
        workspace.clock = problem.measures_time.then_some(seconds as fn() -> f64);
        workspace.threads = problem.threads;
        workspace.without_energy = !std::mem::take(&mut self.asks_for_energy);
        let ContactModel { known_energy, has_estimated_energy, has_estimated_force, .. } = self;
        let mut evaluate = |motion: &RelativeMotion| {
            let motion = problem.recall(motion);
            let (e, f) = (&e.file.surface, &f.file.surface);
            let outcome = contact::evaluate(e, f, &problem.parameters, &motion, workspace);
            let (pose_ef, parameters) = (*motion.pose_ef(), problem.parameters);
            *known_energy = outcome.layer_energy.map(|energy| KnownEnergy { pose_ef, parameters, energy });
            *has_estimated_energy = outcome.is_energy_estimated;
            *has_estimated_force = outcome.is_force_estimated;
            outcome
        };
        let outcome = choose(&problem.input.motion, f.file.radius, &mut evaluate).map_err(refused_motion)?;
        match outcome.not_finite() {
            None => Ok(outcome),
            Some(quantity) => Err(Fault::Refused(format!(
                "{quantity} is beyond the range of numbers: an input or a parameter is far too large"
            ))),
        }
    }

    /// The energy of the layers in J.
    fn layer_energy(&mut self, problem: &Problem, motion: &RelativeMotion) -> Result<f64, Fault> {
        let is_same =
            |known: &KnownEnergy| known.pose_ef == *motion.pose_ef() && known.parameters == problem.parameters;
        let mut energy = self.known_energy.filter(is_same).map(|known| known.energy);
        self.asks_for_energy = true;
        if energy.is_none() {
            energy = self.outcome(problem, |_, _, evaluate| Ok(evaluate(motion)))?.layer_energy;
            self.asks_for_energy = true;
        }
        Ok(energy.unwrap_or(0.0))
    }

    /// What `exchange` makes of the motion of the inputs; it gets the memory of the exchange, too.
    fn exchanged(
        &mut self,
        values: &mut Values,
        notes: &mut Notes,
        exchange: impl FnOnce(
            &mut Exchange,
            &mut Vec<f64>,
            &RelativeMotion,
            &Losses,
            &mut dyn FnMut(&RelativeMotion) -> Sample,
        ) -> Result<Option<Returned>, MotionError>,
    ) -> Result<(Option<Returned>, Option<BristlesNow>), Fault> {
        let problem = self.problem(values, None)?;
        let bristles = self.bristles_at_inputs(&problem, values)?;
        let (Some([e, f]), Some(state)) = (&self.surfaces, &mut self.exchange) else { return Err(not_read()) };
        let parameters = &problem.parameters;
        let losses = Losses {
            has_damping: 0.0 < parameters.areal_damping(),
            regularized: parameters.friction(),
            bristles: parameters.bristles().zip(bristles).map(|(law, (memory, _))| (law, memory)),
        };
        let ContactModel { workspace, has_estimated_energy, has_estimated_force, .. } = self;
        workspace.clock = problem.measures_time.then_some(seconds as fn() -> f64);
        workspace.threads = problem.threads;
        workspace.without_energy = false;
        let mut evaluation_time = StageTimes::default();
        let mut evaluate = |motion: &RelativeMotion| {
            let (e, f) = (&e.file.surface, &f.file.surface);
            let sample = contact::evaluate_with_derivatives(e, f, &problem.parameters, motion, workspace);
            evaluation_time = added(&evaluation_time, &sample.0.evaluation_time);
            *has_estimated_energy = sample.0.is_energy_estimated;
            *has_estimated_force = sample.0.is_force_estimated;
            sample
        };
        state.state(self.layout.exchange.bodies(values));
        let motion = &problem.input.motion.start;
        let returned = exchange(state, &mut values.exchange, motion, &losses, &mut evaluate).map_err(refused_motion)?;
        if let Some(Returned { mut outcome, .. }) = returned {
            outcome.evaluation_time = evaluation_time;
            if let Some((memory, _)) = &bristles {
                (outcome.slip_distance, outcome.friction_work) = (memory.slip_distance, memory.friction_work);
            }
            if let Some(quantity) = outcome.not_finite() {
                return Err(Fault::Refused(format!(
                    "{quantity} is beyond the range of numbers: an input or a parameter is far too large"
                )));
            }
            self.store(&problem, motion, &outcome, values);
        }
        if let Some(returned) = &returned {
            self.layout.exchange.store(returned, values);
        }
        problem.input.warn_of_correction(notes);
        Ok((returned, bristles))
    }

    /// What bristles remember at the inputs, and the power of their dampers there.
    fn bristles_at_inputs(&mut self, problem: &Problem, values: &Values) -> Result<Option<BristlesNow>, Fault> {
        let Some(bristles) = &problem.bristles else { return Ok(None) };
        let start = problem.input.motion.start;
        if let (Some(memory), true) = (bristles.of_nothing(), Exchange::is_apart(&values.exchange)) {
            return Ok(Some((memory, 0.0)));
        }
        let mut outcome = self.outcome(problem, |_, _, evaluate| Ok(evaluate(&start)))?;
        Ok(Some((bristles.complete(start.pose_ef(), &mut outcome), outcome.grip.viscous_power)))
    }

    /// What a step returns. Without stiffness there is no wrench to find, and without forces nothing to exchange.
    fn step_output(&self, values: &Values) -> StepOutput {
        match self.layout.step_output.step_output(values) {
            StepOutput::Energy if self.layout.method(values) == Method::CollisionOnly => StepOutput::Hold,
            StepOutput::Energy if self.layout.elements(values) == ElementScheme::Centroid => StepOutput::Mean,
            wanted => wanted,
        }
    }

    fn tell_of_fallback(&self, values: &Values, notes: &mut Notes) {
        let (wanted, made) = (self.layout.step_output.step_output(values), self.step_output(values));
        if wanted != made && made == StepOutput::Mean {
            notes.warn_once(Once::Fallback, || {
                "`elements` = 2 (centroid) has no stiffness to find a wrench with, so that `stepOutput` = 4 (energy) \
                 acts as 3 (mean), which suits sequential masters; for a parallel one take 2 (extrapolate) with \
                 `extrapolationSteps` = 1.5"
                    .to_owned()
            });
        }
    }

    /// A step with `stepOutput` = `energy`.
    fn energy_step(
        &mut self,
        values: &mut Values,
        step_size: f64,
        is_current: bool,
        notes: &mut Notes,
    ) -> Result<Option<f64>, Fault> {
        let (returned, bristles) = self.exchanged(values, notes, |exchange, memory, motion, losses, evaluate| {
            if is_current && exchange.step_as_foreseen(memory, motion, step_size, &mut *evaluate)? {
                return Ok(None);
            }
            exchange.step(memory, motion, step_size, losses, evaluate).map(Some)
        })?;
        if let Some((next, viscous_power)) = bristles {
            start_step_with(next, viscous_power, values, step_size);
        }
        self.warn_of_state(values, notes);
        Ok(returned.map(|_| 0.0))
    }

    /// Calculated values at a motion instead of the inputs, some time in s after the motion before; bristles remember.
    pub(crate) fn evaluate_motion(
        &mut self,
        motion: &RelativeMotion,
        since: f64,
        values: &mut Values,
    ) -> Result<(), Fault> {
        start_step(values, since);
        let problem = self.problem(values, None)?;
        self.asks_for_energy = true;
        let mut outcome = self.outcome(&problem, |_, _, evaluate| Ok(evaluate(motion)))?;
        if let Some(bristles) = &problem.bristles {
            let next = bristles.complete(motion.pose_ef(), &mut outcome);
            start_step_with(next, outcome.grip.viscous_power, values, 0.0);
        }
        self.store(&problem, motion, &outcome, values);
        values.reals[self.layout.elastic_energy] = outcome.elastic_energy;
        Ok(())
    }

    /// The derivatives at a motion; of velocities, extremes and by the numbers of the law only where everything is asked
    /// for.
    fn derivatives(
        &mut self,
        problem: &Problem,
        motion: &RelativeMotion,
        formula: Formula,
    ) -> Result<Derivatives, Fault> {
        let Some([e, f]) = &self.surfaces else { return Err(not_read()) };
        self.workspace.clock = None;
        self.workspace.threads = problem.threads;
        self.workspace.without_energy = false;
        let evaluate = match formula {
            Formula::Everything => contact::evaluate_with_all_derivatives,
            Formula::Motion | Formula::Gap => contact::evaluate_with_derivatives,
        };
        let (outcome, derivatives) = evaluate(
            &e.file.surface,
            &f.file.surface,
            &problem.parameters,
            &problem.recall(motion),
            &mut self.workspace,
        );
        let columns = derivatives.by_pose.iter().chain(&derivatives.by_velocity);
        let mut columns = columns.chain(&derivatives.by_deflection).chain(&derivatives.by_number);
        if outcome.not_finite().is_some() || columns.any(|column| column.not_finite().is_some()) {
            return Err(Fault::Refused(
                "a derivative is beyond the range of numbers: an input or a parameter is far too large".to_owned(),
            ));
        }
        Ok(derivatives)
    }

    /// Of the outputs of the main part, by the inputs; and by the parameters where everything is asked for.
    fn main_derivatives(&mut self, formula: Formula, values: &Values) -> Result<Vec<ExactColumn>, Fault> {
        let problem = self.problem(values, None)?;
        let motion = problem.input.motion.start;
        let derivatives = self.derivatives(&problem, &motion, formula)?;
        let mut stored = values.clone();
        let mut column = |layout: &ContactLayout, change: &Outcome| {
            layout.store(change, &mut stored);
            let outputs = layout.main_reals.iter().filter(|(_, slowest)| *slowest <= formula);
            outputs.map(|(slot, _)| (*slot, stored.reals[*slot])).collect::<Vec<_>>()
        };
        let motions = self.layout.motion.small_motions(values, &motion.pose_ef().rotation);
        let follows = problem.bristles.is_some_and(|bristles| bristles.follows_pose());
        let by_inputs = motions
            .iter()
            .map(|(known, small)| ExactColumn::new(*known, column(&self.layout, &along(&derivatives, small, follows))));
        let mut columns: Vec<ExactColumn> = by_inputs.collect();
        if let Some(Bristles::States { .. }) = problem.bristles {
            for (number, known) in self.layout.states().take(6).enumerate() {
                let change = along_deflection(&derivatives, number, &motion.pose_ef().translation.vector);
                columns.push(ExactColumn::new(known, column(&self.layout, &change)));
            }
        }
        if formula == Formula::Everything {
            let raw = self.raw_parameters(values);
            for (number, known) in NUMBER_PARAMETERS.iter().zip(self.layout.numbers) {
                let Some(law) = law_change(&raw, number.key) else { continue };
                let of_outputs = column(&self.layout, &with_law(&derivatives, &law));
                let of = |number: LawNumber| law[number as usize];
                let of_layers = [
                    (self.layout.combined_layer_stiffness, of(LawNumber::CombinedLayerStiffness)),
                    (self.layout.penetration_ratio, of(LawNumber::PenetrationRatio)),
                ];
                columns.push(ExactColumn::new(known, of_outputs.into_iter().chain(of_layers)));
            }
        }
        Ok(columns)
    }

    /// Of the gap by the inputs; of its points by the velocities, with which they do not change.
    fn gap_derivatives(&mut self, values: &Values) -> Result<Vec<ExactColumn>, Fault> {
        let motion = self.problem(values, None)?.input.motion.start;
        let Some([e, f]) = &self.surfaces else { return Err(not_read()) };
        let (e, f) = (&e.file.surface, &f.file.surface);
        let gap = contact::minimum_gap(e, f, &motion, &mut self.workspace, &mut self.gap_memory);
        let Some(by_pose) = contact::gap_by_pose(e, f, &motion, &gap, &mut self.workspace) else {
            return Ok(Vec::new());
        };
        let slots = self.layout.gap_reals();
        let columns = self.layout.motion.small_motions(values, &motion.pose_ef().rotation).into_iter();
        Ok(columns
            .map(|(known, small)| {
                let way = small.translation.iter().chain(small.rotation.iter());
                let change = way.zip(by_pose).map(|(part, by)| part * by).sum();
                let entries = match self.layout.motion.kind(known) {
                    Some(InputKind::Velocity) => slots.clone().map(|slot| (slot, 0.0)).collect::<Vec<_>>(),
                    _ => vec![(slots.start, change)],
                };
                ExactColumn::new(known, entries)
            })
            .collect())
    }

    fn store(&self, problem: &Problem, motion: &RelativeMotion, outcome: &Outcome, values: &mut Values) {
        let parameters = &problem.parameters;
        self.layout.store(outcome, values);
        // That of the layers comes with its own part.
        values.reals[self.layout.elastic_energy] = outcome.grip.stored;
        if let Some(bristles) = &problem.bristles {
            bristles.store_states(&bristles.recall(motion), outcome, self.layout.states().start, values);
        } else {
            values.reals[self.layout.state_derivatives()].fill(0.0);
        }
        values.reals[self.layout.combined_layer_stiffness] = parameters.combined_layer_stiffness();
        values.reals[self.layout.penetration_ratio] = parameters.penetration_ratio();
        for (slot, surface) in self.layout.triangles.iter().zip(self.surfaces.iter().flatten()) {
            values.integers[*slot] = i32::try_from(surface.file.triangle_count).unwrap_or(i32::MAX);
        }
    }

    /// The radius about its marker of the smaller body, at most 1 m.
    fn smaller_size(&self) -> f64 {
        self.surfaces.iter().flatten().map(|surface| surface.file.radius).fold(1.0, f64::min)
    }

    /// What a user should hear of at a communication point. Not during initialization, where
    /// inputs may still have their start values.
    fn warn_of_state(&self, values: &Values, notes: &mut Notes) {
        if values.booleans[self.layout.enclosed] {
            notes.warn_once(Once::Enclosed, || {
                "one body lies wholly inside the other, without contact force: almost certainly it has tunnelled; \
                 see `enclosed`, and take smaller steps"
                    .to_owned()
            });
        }
        if values.booleans[self.layout.border_in_contact] {
            notes.warn_once(Once::Border, || {
                "a border of an open surface has come into contact, so that the wrench is not trustworthy; see \
                 `borderInContact`, and close or enlarge the surface"
                    .to_owned()
            });
        }
        if values.booleans[self.layout.defect_in_contact] {
            notes.warn_once(Once::Defect, || {
                "a place of a mesh that could not be repaired has come into contact, so that the wrench is not \
                 trustworthy; see `defectInContact`, and repair the mesh there"
                    .to_owned()
            });
        }
        let is_first = notes.given & Once::Start as u32 == 0;
        notes.given |= Once::Start as u32;
        if values.booleans[self.layout.beyond_layer] {
            let depth = values.reals[self.layout.max_penetration];
            notes.warn_once(Once::Layer, || match is_first {
                true => format!(
                    "the simulation starts in contact, {depth:.3e} m deep, which is more than the layers are thick; \
                     set the start pose (section [pose] of the configuration, or `relativePosition`), or a thicker layer"
                ),
                false => format!(
                    "the bodies are {depth:.3e} m deep in each other, which is more than the layers are thick, so that \
                     the force is not trustworthy; see `beyondLayer`, and choose a stiffer or a thicker layer"
                ),
            });
        }
        if self.has_estimated_force {
            notes.warn_once(Once::Force, || {
                "the bodies lie so deep in each other, or so many faces meet where they do, that forces are estimates: \
                 not all nearest faces could be looked for. Choose a stiffer layer, smaller steps, or meshes without \
                 fans of many faces there"
                    .to_owned()
            });
        } else if self.has_estimated_energy {
            notes.warn_once(Once::Energy, || {
                "the bodies lie so deep in each other that `elasticEnergy` is an estimate only, which may be off by a \
                 factor; forces are right. Choose a stiffer layer, or smaller steps"
                    .to_owned()
            });
        }
        if values.booleans[self.layout.beyond_half_thickness] {
            notes.warn_once(Once::Thickness, || {
                let begins = if is_first { "the simulation starts with" } else { "there is" };
                format!(
                    "{begins} a body pressed beyond the middle of a part that is thinner than twice the depth: from there \
                     on it is pushed out on the far side; see `beyondHalfThickness`, and choose a stiffer layer, \
                     smaller steps, or another start pose"
                )
            });
        }
    }
}

impl Model for ContactModel {
    fn table(&self) -> &VariableTable {
        &self.table
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn guid(&self) -> &str {
        &self.guid
    }

    fn prepare(&mut self, values: &Values, digest: Option<&[u8; 32]>, notes: &mut Notes) -> Result<(), Fault> {
        let mut read = None;
        if !self.is_loaded(values, 0) || !self.is_loaded(values, 1) {
            let e = self.read(self.layout.surfaces[0].source(values), 'E', notes)?;
            let f = self.read(self.layout.surfaces[1].source(values), 'F', notes)?;
            read = Some([e, f]);
        }
        if let Some(digest) = digest
            && digest_of(read.as_ref().or(self.surfaces.as_ref())) != *digest
        {
            return Err(Fault::Refused(
                "the mesh files are not those with which this state was saved; bring those back first".to_owned(),
            ));
        }
        if let Some(surfaces) = read {
            self.exchange = Some(Exchange::new(surfaces.each_ref().map(|surface| surface.file.solid)));
            self.surfaces = Some(surfaces);
            self.known_energy = None;
        }
        Ok(())
    }

    fn check_parameters(&self, values: &Values) -> Result<(), Fault> {
        if self.layout.has_stiffness_output(values) && self.layout.elements(values) == ElementScheme::Centroid {
            return Err(Fault::Refused(
                "`stiffnessOutput` needs `elements` = 1 (potential): the published scheme has steps, and no stiffness"
                    .to_owned(),
            ));
        }
        self.parameters(values).map(|_| ())
    }

    fn files_digest(&self) -> [u8; 32] {
        digest_of(self.surfaces.as_ref())
    }

    fn uses_input_derivative(&self, slot: usize) -> bool {
        self.layout.motion.uses_derivative(slot)
    }

    fn states(&self) -> Range<usize> {
        self.layout.states()
    }

    fn state_derivatives(&self) -> Range<usize> {
        self.layout.state_derivatives()
    }

    fn set_states(&self, states: &[f64], values: &mut Values) -> Result<(), Fault> {
        values.reals[self.layout.states()].copy_from_slice(states);
        Ok(())
    }

    fn nominal_states(&self, _values: &Values) -> Vec<f64> {
        NOMINAL_STATES[..self.states().len()].to_vec()
    }

    /// The gap.
    fn event_indicators(&self) -> Range<usize> {
        self.layout.gap()..self.layout.gap() + 1
    }

    /// When the nearest points will be [`FORESEEN_DEPTH`] deep if they go on as they do: a solver that looks for zeros of
    /// the gap at the ends of its steps only would step over a thin body.
    fn time_to_event(&self, values: &Values) -> Option<f64> {
        let motion = self.layout.motion.read(values, None).ok()?.motion.start;
        let gap = self.layout.stored_gap(values);
        let depth = FORESEEN_DEPTH * self.smaller_size();
        if gap.distance <= -0.5 * depth {
            return None;
        }
        let on_f_e = motion.pose_ef().transform_point(&gap.nearest_on_f_f.into()).coords;
        let velocity = motion.velocity_at(on_f_e);
        let apart = on_f_e - gap.nearest_on_e_e;
        // Where the points touch there is no direction between them: any motion may lead inside.
        let closing = if depth < gap.distance { -velocity.dot(&apart.normalize()) } else { velocity.norm() };
        Some((gap.distance + depth) / closing).filter(|time| time.is_finite() && 0.0 < *time)
    }

    fn notice(&self, values: &Values, notes: &mut Notes) {
        self.warn_of_state(values, notes);
    }

    fn evaluate_part(
        &mut self,
        part: Part,
        values: &mut Values,
        input_derivatives: &[f64],
        offset: f64,
    ) -> Result<(), Fault> {
        let problem = self.problem(values, (!input_derivatives.is_empty()).then_some(input_derivatives))?;
        let motion = problem.input.motion.at(offset).map_err(refused_motion)?;
        match part {
            Part::Main => {}
            Part::Gap => {
                let Some([e, f]) = &self.surfaces else { return Err(not_read()) };
                let (e, f) = (&e.file.surface, &f.file.surface);
                let gap = contact::minimum_gap(e, f, &motion, &mut self.workspace, &mut self.gap_memory);
                self.layout.store_gap(&gap, values);
            }
            Part::Stiffness if self.layout.has_stiffness_output(values) => {
                let derivatives = self.derivatives(&problem, &motion, Formula::Motion)?;
                self.layout.store_matrices(&stiffness_and_damping(&derivatives, &motion), values);
            }
            Part::Stiffness | Part::Exchange => {}
            Part::Energy => {
                let energy = self.layer_energy(&problem, &motion)?;
                values.reals[self.layout.elastic_energy] += energy;
            }
        }
        Ok(())
    }

    /// The published scheme has steps, and only its combined layers have formulas. Stiffness and damping have none either:
    /// they would be second derivatives.
    fn formula(&self, values: &Values, unknown: usize, known: usize) -> Option<Formula> {
        let layout = &self.layout;
        let parameter = layout.numbers.iter().position(|slot| *slot == known);
        if let Some(index) = parameter {
            law_change(&self.raw_parameters(values), NUMBER_PARAMETERS[index].key)?;
        }
        if layout.states().skip(6).any(|slot| slot == known) {
            return None;
        }
        if unknown == layout.combined_layer_stiffness || unknown == layout.penetration_ratio {
            return Some(Formula::Everything);
        }
        if layout.gap_reals().contains(&unknown) {
            return Some(Formula::Gap);
        }
        let place = layout.main_reals.binary_search_by_key(&unknown, |(slot, _)| *slot).ok()?;
        let raw = self.raw_parameters(values);
        let [of_bristles, never] = layout.without_formula();
        if never.contains(&unknown) || raw.has_bristles() && (parameter.is_some() || of_bristles.contains(&unknown)) {
            return None;
        }
        match layout.elements(values) {
            ElementScheme::Centroid => None,
            ElementScheme::Potential if parameter.is_some() => Some(Formula::Everything),
            ElementScheme::Potential => Some(layout.main_reals[place].1),
        }
    }

    fn exact_derivatives(&mut self, formula: Formula, values: &Values) -> Result<Vec<ExactColumn>, Fault> {
        match formula {
            Formula::Gap => self.gap_derivatives(values),
            Formula::Motion | Formula::Everything => self.main_derivatives(formula, values),
        }
    }

    fn difference_steps(&self, slot: usize, values: &Values) -> Result<[f64; 2], Fault> {
        let value = values.reals[slot];
        if let Some(state) = self.layout.states().position(|state| state == slot) {
            return Ok([STATE_DIFFERENCES[state]; 2]);
        }
        Ok(match self.layout.motion.kind(slot) {
            Some(InputKind::Position) => [POSE_DIFFERENCE * self.smaller_size(); 2],
            Some(InputKind::Orientation) => [POSE_DIFFERENCE; 2],
            Some(InputKind::Velocity) => [VELOCITY_DIFFERENCE; 2],
            None if value != 0.0 => [PARAMETER_DIFFERENCE * value.abs(); 2],
            None if self.layout.exchange.contains(slot) => [0.0, PARAMETER_DIFFERENCE],
            None if self.layout.is_modulus(slot) => {
                return Err(Fault::Refused(
                    "a modulus of 0 is a rigid body: there is no derivative by it, set it to a number above 0"
                        .to_owned(),
                ));
            }
            None => [0.0, PARAMETER_DIFFERENCE],
        })
    }

    fn evaluate(&mut self, values: &mut Values, notes: &mut Notes) -> Result<(), Fault> {
        let problem = self.problem(values, None)?;
        let mut outcome = self.outcome(&problem, |motion, _, evaluate| Ok(evaluate(&motion.start)))?;
        problem.input.warn_of_correction(notes);
        let start = &problem.input.motion.start;
        if let Some(bristles) = &problem.bristles {
            let next = bristles.complete(start.pose_ef(), &mut outcome);
            foresee(&next, outcome.grip.viscous_power, values);
        }
        self.store(&problem, start, &outcome, values);
        Ok(())
    }

    fn evaluate_for_step(&mut self, values: &mut Values, step_size: f64, notes: &mut Notes) -> Result<(), Fault> {
        if self.step_output(values) != StepOutput::Energy {
            return self.evaluate(values, notes);
        }
        let (_, bristles) = self.exchanged(values, notes, |exchange, memory, motion, losses, evaluate| {
            exchange.foresee(memory, motion, step_size, losses, evaluate).map(Some)
        })?;
        if let Some((next, viscous_power)) = bristles {
            foresee(&next, viscous_power, values);
        }
        Ok(())
    }

    fn do_step(
        &mut self,
        values: &mut Values,
        input_derivatives: &[f64],
        step_size: f64,
        is_current: bool,
        notes: &mut Notes,
    ) -> Result<Option<f64>, Fault> {
        let step_output = self.step_output(values);
        self.tell_of_fallback(values, notes);
        if step_output != StepOutput::Energy {
            // What the host does here is not seen: an exchange begins anew.
            values.exchange.clear();
        }
        let has_bristles = self.raw_parameters(values).has_bristles();
        if step_output == StepOutput::Hold && is_current && (is_foreseen(values) || !has_bristles) {
            start_step(values, step_size);
            self.warn_of_state(values, notes);
            return Ok(None);
        }
        if step_output == StepOutput::Energy {
            return self.energy_step(values, step_size, is_current, notes);
        }
        let problem = self.problem(values, Some(input_derivatives))?;
        let offset = match step_output {
            StepOutput::Hold | StepOutput::Energy => 0.0,
            StepOutput::Extrapolate => self.layout.step_output.extrapolation_steps(values) * step_size,
            StepOutput::Mean => step_size,
        };
        let depth = problem.parameters.damping_transition_depth();
        let mut outcome = self.outcome(&problem, |motion, radius_f, evaluate| match step_output {
            StepOutput::Hold | StepOutput::Extrapolate | StepOutput::Energy => Ok(evaluate(&motion.at(offset)?)),
            StepOutput::Mean => mean_outcome(motion, step_size, depth, radius_f, evaluate),
        })?;
        problem.input.warn_of_correction(notes);
        if let Some(bristles) = &problem.bristles {
            // The memory moves to the pose from which the step starts; where the host will lead it is not known yet.
            let next = bristles.complete(problem.input.motion.start.pose_ef(), &mut outcome);
            start_step_with(next, outcome.grip.viscous_power, values, step_size);
        }
        let end = problem.input.motion.at(offset).map_err(refused_motion)?;
        self.store(&problem, &end, &outcome, values);
        self.warn_of_state(values, notes);
        Ok(Some(offset))
    }

    fn output_derivatives(
        &mut self,
        parts: Parts,
        values: &Values,
        input_derivatives: &[f64],
        offset: f64,
        last_step: f64,
    ) -> Result<Vec<f64>, Fault> {
        let problem = self.problem(values, Some(input_derivatives))?;
        let half = if last_step > 0.0 { DIFFERENCE_PER_STEP * last_step } else { DIFFERENCE_WITHOUT_STEP };
        let mut at = |time: f64| -> Result<Vec<f64>, Fault> {
            let mut outcome = self.outcome(&problem, |motion, _, evaluate| Ok(evaluate(&motion.at(time)?)))?;
            let there = problem.input.motion.at(time).map_err(refused_motion)?;
            if let Some(bristles) = &problem.bristles {
                bristles.complete(there.pose_ef(), &mut outcome);
            }
            let mut stored = values.clone();
            self.store(&problem, &there, &outcome, &mut stored);
            for part in parts.without(Part::Main).iter() {
                self.evaluate_part(part, &mut stored, input_derivatives, time)?;
            }
            Ok(stored.reals)
        };
        let (before, after) = (at(offset - half)?, at(offset + half)?);
        Ok(before.iter().zip(&after).map(|(before, after)| (after - before) / (2.0 * half)).collect())
    }

    fn recorded_bodies(&self) -> Vec<RecordedBody> {
        let surfaces = self.surfaces.iter().flatten();
        surfaces.map(|loaded| RecordedBody::new(&loaded.source.name(), loaded.file.surface.mesh())).collect()
    }

    fn records_motion(&self) -> bool {
        true
    }

    fn recorded_motion(&self, values: &Values, input_derivatives: &[f64], offset: f64) -> Option<RelativeMotion> {
        let input_derivatives = (!input_derivatives.is_empty()).then_some(input_derivatives);
        self.layout.motion.read(values, input_derivatives).ok()?.motion.at(offset).ok()
    }

    fn recorded_patches(&mut self, values: &Values, motion: &RelativeMotion) -> Patches {
        let (Some([e, f]), Ok(parameters)) = (&self.surfaces, self.parameters(values)) else {
            return Patches::default();
        };
        if !values.booleans[self.layout.in_contact] {
            return Patches::default();
        }
        self.workspace.clock = None;
        let mut pieces = Vec::new();
        let mut visit = |piece| {
            pieces.push(piece);
            pieces.len() < MOST_RECORDED_PIECES
        };
        contact::visit_pieces_while(
            &e.file.surface,
            &f.file.surface,
            &parameters,
            motion,
            &mut self.workspace,
            &mut visit,
        );
        Patches::of(pieces)
    }

    fn recover(&mut self) {
        self.workspace = Workspace::default();
        self.gap_memory = GapMemory::default();
        self.known_energy = None;
    }
}

fn not_read() -> Fault {
    Fault::Refused("the surfaces are not read yet".to_owned())
}

fn digest_of(surfaces: Option<&[LoadedSurface; 2]>) -> [u8; 32] {
    let mut hash = Sha256::new();
    for surface in surfaces.into_iter().flatten() {
        hash.update(surface.file.digest);
    }
    hash.finalize().into()
}

/// A monotonic clock in seconds.
fn seconds() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_secs_f64()
}
