//! A pair with a flexible body as a model: modal coordinates are its memory, steps integrate them.

use std::path::PathBuf;
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::variables::{self, FlexibleLayout};
use crate::configuration::{Configuration, StepOutput};
use crate::contact::{ParameterError, RelativeMotion};
use crate::flexible::{
    BodyModel, FlexibleBody, FlexibleError, FlexibleOutcome, FlexiblePair, FlexibleParameters, PairState,
    RawFlexibleParameters, StepOutcome, Workspace,
};
use crate::fmu::model::{Fault, Model, Notes, Once};
use crate::fmu::motion_inputs::refused_motion;
use crate::fmu::parameter_variables::variable_name;
use crate::fmu::parts::Parts;
use crate::fmu::state::Interface;
use crate::fmu::step_output::Extrapolation;
use crate::fmu::surface_file::read_surface;
use crate::fmu::surface_source::Source;
use crate::fmu::values::Values;
use crate::fmu::variables::VariableTable;
use crate::record::RecordedBody;

/// Two bodies, at least one of them flexible, and their variables.
pub(crate) struct FlexibleModel {
    table: VariableTable,
    layout: FlexibleLayout,
    name: String,
    guid: String,
    resources: PathBuf,
    /// Which surfaces are reduced bodies.
    is_flexible: [bool; 2],
    bodies: Option<LoadedPair>,
    workspace: Workspace,
}

/// The bodies as read.
struct LoadedPair {
    sources: [Source; 2],
    digest: [u8; 32],
    facts: [BodyFacts; 2],
    /// For recordings.
    shapes: [RecordedBody; 2],
    pair: Arc<FlexiblePair>,
    /// The state that calls work on: a copy of the memory in the values.
    state: PairState,
    /// Where an extrapolation beyond the step goes on: kept so that steps need no new memory.
    beyond: PairState,
}

/// What is told about a body.
#[derive(Clone, Copy)]
struct BodyFacts {
    triangles: usize,
    contact_nodes: usize,
    modes: usize,
    low_frequency_modes: usize,
    mass: f64,
}

impl FlexibleModel {
    pub(crate) fn new(
        configuration: &Configuration,
        parameters: &RawFlexibleParameters,
        guid: String,
        resources: PathBuf,
    ) -> Self {
        let (table, layout) = variables::build(configuration, parameters);
        let is_flexible = [configuration.surface_e.is_flexible, configuration.surface_f.is_flexible];
        FlexibleModel {
            table,
            layout,
            name: configuration.name.clone(),
            guid,
            resources,
            is_flexible,
            bodies: None,
            workspace: Workspace::default(),
        }
    }

    fn parameters(&self, values: &Values) -> Result<FlexibleParameters, Fault> {
        FlexibleParameters::new(&self.layout.parameters(values)).map_err(|error| {
            Fault::Refused(match error {
                ParameterError::OutOfRange { name, value, allowed } => {
                    format!("`{}` is {value}, but must be {allowed}", variable_name(name))
                }
                other => other.to_string(),
            })
        })
    }

    fn is_loaded(&self, values: &Values) -> bool {
        let asks_for =
            |(slots, source): (&crate::fmu::surface_source::SurfaceSlots, &Source)| slots.asks_for(values, source);
        self.bodies.as_ref().is_some_and(|loaded| self.layout.surfaces.iter().zip(&loaded.sources).all(asks_for))
    }

    fn read(&self, values: &Values, notes: &mut Notes) -> Result<LoadedPair, Fault> {
        let sources = [0, 1].map(|side| self.layout.surfaces[side].source(values));
        let mut hash = Sha256::new();
        let mut read = |side: usize| -> Result<(BodyModel, BodyFacts, RecordedBody), Fault> {
            let (source, letter) = (&sources[side], ['E', 'F'][side]);
            let refuse = |reason: String| Fault::Refused(format!("`surface{letter}.file`: {reason}"));
            let path = source.path(Some(&self.resources)).map_err(refuse)?;
            if self.is_flexible[side] {
                let unreadable = |error| refuse(format!("cannot read `{}`: {error}", path.display()));
                let bytes = std::fs::read(&path).map_err(unreadable)?;
                let body = FlexibleBody::from_bytes(&bytes)
                    .map_err(|error| refuse(format!("`{}`: {error}", path.display())))?;
                hash.update(Sha256::digest(&bytes));
                let facts = BodyFacts::of(&body);
                notes.event(format!(
                    "body {letter}: read {} contact nodes and {} modes from {}",
                    facts.contact_nodes,
                    facts.modes,
                    path.display()
                ));
                let shape = RecordedBody::new(&source.name(), &body.outline());
                return Ok((BodyModel::Flexible(body), facts, shape));
            }
            let file = read_surface(&path, &source.options).map_err(refuse)?;
            hash.update(file.digest);
            for warning in &file.warnings {
                notes.warn(format!("`surface{letter}.file` {}: {warning}", path.display()));
            }
            let triangles = file.triangle_count;
            notes.event(format!("body {letter}: read {triangles} triangles from {}", path.display()));
            let facts = BodyFacts { triangles, contact_nodes: 0, modes: 0, low_frequency_modes: 0, mass: 0.0 };
            let shape = RecordedBody::new(&source.name(), file.surface.mesh());
            Ok((BodyModel::Rigid(file.surface.mesh().clone()), facts, shape))
        };
        let ((e, facts_e, shape_e), (f, facts_f, shape_f)) = (read(0)?, read(1)?);
        let pair = FlexiblePair::new(e, f).map_err(|error| Fault::Refused(error.to_string()))?;
        let (state, beyond) = (pair.initial_state(), pair.initial_state());
        let digest = hash.finalize().into();
        let (facts, shapes) = ([facts_e, facts_f], [shape_e, shape_f]);
        Ok(LoadedPair { sources, digest, facts, shapes, pair: Arc::new(pair), state, beyond })
    }

    fn store(&self, outcome: &FlexibleOutcome, values: &mut Values) {
        self.layout.store(outcome, values);
        let count = |number: usize| i32::try_from(number).unwrap_or(i32::MAX);
        for (side, facts) in self.bodies.iter().flat_map(|loaded| loaded.facts).enumerate() {
            values.integers[self.layout.triangles[side]] = count(facts.triangles);
            if let Some(slots) = &self.layout.bodies[side] {
                values.integers[slots.contact_nodes] = count(facts.contact_nodes);
                values.integers[slots.modes] = count(facts.modes);
                values.integers[slots.low_frequency_modes] = count(facts.low_frequency_modes);
                values.reals[slots.mass] = facts.mass;
            }
        }
    }

    /// Makes the state what the memory says; empty memory is a body at rest.
    fn recall(&mut self, values: &Values) -> Result<&mut LoadedPair, Fault> {
        let loaded = self.bodies.as_mut().ok_or_else(|| Fault::Refused("the bodies are not read yet".to_owned()))?;
        if values.memory.is_empty() {
            loaded.state = loaded.pair.initial_state();
        } else {
            loaded.state.copy_from_numbers(&values.memory).map_err(refused)?;
        }
        Ok(loaded)
    }
}

impl BodyFacts {
    fn of(body: &FlexibleBody) -> BodyFacts {
        let model = body.model();
        BodyFacts {
            triangles: model.contact_faces.len(),
            contact_nodes: model.contact_nodes.len(),
            modes: body.mode_count(),
            low_frequency_modes: model.low_frequency_modes,
            mass: model.mass,
        }
    }
}

impl Model for FlexibleModel {
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
        let read = if self.is_loaded(values) { None } else { Some(self.read(values, notes)?) };
        if let (Some(digest), Some(loaded)) = (digest, read.as_ref().or(self.bodies.as_ref())) {
            if loaded.digest != *digest {
                return Err(Fault::Refused(
                    "the files of the bodies are not those with which this state was saved; bring those back first"
                        .to_owned(),
                ));
            }
            // A saved state is refused here rather than in the next step.
            if !values.memory.is_empty() {
                PairState::from_numbers(&loaded.pair, &values.memory).map_err(refused)?;
            }
        }
        if read.is_some() {
            self.bodies = read;
        }
        Ok(())
    }

    fn check_parameters(&self, values: &Values) -> Result<(), Fault> {
        self.parameters(values).map(|_| ())
    }

    fn files_digest(&self) -> [u8; 32] {
        self.bodies.as_ref().map_or([0; 32], |loaded| loaded.digest)
    }

    fn uses_input_derivative(&self, slot: usize) -> bool {
        self.layout.motion.uses_derivative(slot)
    }

    fn check_interface(&self, interface: Interface) -> Result<(), String> {
        match interface {
            Interface::CoSimulation => Ok(()),
            Interface::ModelExchange => Err("fmuType is 0 (Model Exchange), but an FMU with flexible bodies is for \
                                             co-simulation only (fmuType 1): it integrates its modes itself"
                .to_owned()),
        }
    }

    fn difference_steps(&self, _: usize, _: &Values) -> Result<[f64; 2], Fault> {
        Err(Fault::Refused(
            "directional derivatives are not available with flexible bodies (providesDirectionalDerivative is false)"
                .to_owned(),
        ))
    }

    /// The contact at the inputs and at the modal coordinates where the last step left them.
    fn evaluate(&mut self, values: &mut Values, notes: &mut Notes) -> Result<(), Fault> {
        let parameters = self.parameters(values)?;
        let input = self.layout.motion.read(values, None)?;
        let mut workspace = std::mem::take(&mut self.workspace);
        let loaded = self.recall(values)?;
        let outcome = loaded.pair.evaluate(&parameters, &input.motion.start, &loaded.state, &mut workspace);
        self.workspace = workspace;
        input.warn_of_correction(notes);
        self.store(&outcome.map_err(refused)?, values);
        Ok(())
    }

    fn do_step(
        &mut self,
        values: &mut Values,
        input_derivatives: &[f64],
        step_size: f64,
        _is_current: bool,
        notes: &mut Notes,
    ) -> Result<Option<f64>, Fault> {
        let parameters = self.parameters(values)?;
        let input = self.layout.motion.read(values, Some(input_derivatives))?;
        input.motion.at(step_size).map_err(refused_motion)?;
        let step_output = self.layout.step_output.step_output(values);
        let steps = self.layout.step_output.extrapolation_steps(values);
        let mut workspace = std::mem::take(&mut self.workspace);
        let loaded = self.recall(values)?;
        let outcome = step(loaded, &parameters, &input.motion, step_size, (step_output, steps), &mut workspace);
        self.workspace = workspace;
        input.warn_of_correction(notes);
        self.store(&outcome.map_err(not_stepped)?, values);
        if let Some(loaded) = &self.bodies {
            values.memory.clear();
            values.memory.extend_from_slice(loaded.state.as_numbers());
        }
        if values.booleans[self.layout.enclosed] {
            notes.warn_once(Once::Enclosed, || {
                "nodes of one body lie behind the contact faces of the other, too deep for a force: almost certainly \
                 they have tunnelled, or a marker is not in the centre of mass; see `enclosed`, and take smaller steps"
                    .to_owned()
            });
        }
        if values.booleans[self.layout.border_in_contact] {
            notes.warn_once(Once::Border, || {
                "a node penetrates at the border of the contact faces, where it gets no force; see \
                 `borderInContact`, and choose a larger contact zone in the reduction"
                    .to_owned()
            });
        }
        Ok(Some(step_size))
    }

    fn output_derivatives(&mut self, _: Parts, _: &Values, _: &[f64], _: f64, _: f64) -> Result<Vec<f64>, Fault> {
        Err(Fault::Refused(
            "output derivatives are not available with flexible bodies (maxOutputDerivativeOrder is 0)".to_owned(),
        ))
    }

    /// Undeformed.
    fn recorded_bodies(&self) -> Vec<RecordedBody> {
        self.bodies.as_ref().map_or_else(Vec::new, |loaded| loaded.shapes.to_vec())
    }

    fn records_motion(&self) -> bool {
        true
    }

    fn recorded_motion(&self, values: &Values, input_derivatives: &[f64], offset: f64) -> Option<RelativeMotion> {
        let motion = self.layout.motion.read(values, Some(input_derivatives)).ok()?.motion;
        match self.layout.step_output.step_output(values) {
            StepOutput::Hold | StepOutput::Energy => Some(motion.start),
            StepOutput::Extrapolate | StepOutput::Mean => motion.at(offset).ok(),
        }
    }

    fn recover(&mut self) {
        self.workspace = Workspace::default();
    }
}

/// Integrates over a step and returns what the outputs are after it; the state is then at its end.
///
/// After an error the state is anywhere within the step: the memory in the values still has its beginning.
fn step(
    loaded: &mut LoadedPair,
    parameters: &FlexibleParameters,
    motion: &Extrapolation,
    step_size: f64,
    (step_output, extrapolation_steps): (StepOutput, f64),
    workspace: &mut Workspace,
) -> Result<FlexibleOutcome, FlexibleError> {
    let LoadedPair { pair, state, beyond, .. } = loaded;
    let mut advance = |from: f64, step: f64, state: &mut PairState| -> Result<StepOutcome, FlexibleError> {
        let along = |time: f64| if step_output == StepOutput::Hold { Ok(motion.start) } else { motion.at(from + time) };
        pair.advance(parameters, &along, step, state, workspace)
    };
    match step_output {
        StepOutput::Hold => advance(0.0, step_size, state).map(at_end),
        // `energy` is no choice of flexible pairs.
        StepOutput::Mean | StepOutput::Energy => advance(0.0, step_size, state).map(with_mean),
        StepOutput::Extrapolate if extrapolation_steps <= 1.0 => {
            let time = extrapolation_steps * step_size;
            let outcome = advance(0.0, time, state)?;
            let rest = advance(time, step_size - time, state)?;
            Ok(at_end(together(outcome, &rest)))
        }
        StepOutput::Extrapolate => {
            let within = advance(0.0, step_size, state)?;
            beyond.copy_from_numbers(state.as_numbers())?;
            let outcome = advance(step_size, (extrapolation_steps - 1.0) * step_size, beyond)?;
            Ok(at_end(together(outcome, &within)))
        }
    }
}

/// An outcome with the extremes and counts of the other part of its step too.
fn together(outcome: StepOutcome, other: &StepOutcome) -> StepOutcome {
    StepOutcome {
        iterations: outcome.iterations + other.iterations,
        border_in_contact: outcome.border_in_contact || other.border_in_contact,
        max_penetration: outcome.max_penetration.max(other.max_penetration),
        ..outcome
    }
}

/// The contact at the end of a step, with the extremes and counts of the step.
fn at_end(step: StepOutcome) -> FlexibleOutcome {
    FlexibleOutcome {
        iterations: step.iterations,
        border_in_contact: step.border_in_contact,
        max_penetration: step.max_penetration,
        ..step.end
    }
}

/// The same with the mean wrenches over the step.
fn with_mean(step: StepOutcome) -> FlexibleOutcome {
    FlexibleOutcome { wrenches: step.mean, ..at_end(step) }
}

/// A step that a shorter one may replace is discarded; nothing has changed.
fn not_stepped(error: FlexibleError) -> Fault {
    match error {
        FlexibleError::NotConverged { .. } | FlexibleError::TooDeep { .. } => Fault::Discarded(error.to_string()),
        other => refused(other),
    }
}

fn refused(error: FlexibleError) -> Fault {
    Fault::Refused(error.to_string())
}
