//! The contact pair as a model: variables in, [`contact::evaluate`], variables out.

use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Instant;

use sha2::{Digest, Sha256};

use super::contact_variables::{self, ContactLayout};
use super::model::{Fault, Model, Notes, Once};
use super::motion_inputs::{InputMotion, refused_motion};
use super::parameter_variables::variable_name;
use super::step_output::{Extrapolation, mean_outcome};
use super::surface_file::{SharedSurface, read_surface};
use super::surface_source::Source;
use super::values::Values;
use super::variables::VariableTable;
use crate::configuration::{Configuration, NUMBER_PARAMETERS, StepOutput};
use crate::contact::{
    self, ContactParameters, MotionError, Outcome, ParameterError, RawParameters, RelativeMotion, Workspace,
};

/// Part of the last step over which an output derivative is a central difference: short against
/// the motion of a step, long against rounding (1e-16 / 1e-3 leaves twelve digits of the change per step).
const DIFFERENCE_PER_STEP: f64 = 1.0e-3;

/// Difference in s where there was no step yet.
const DIFFERENCE_WITHOUT_STEP: f64 = 1.0e-6;

/// Two surfaces, the force element between them, and its variables.
pub(super) struct ContactModel {
    table: VariableTable,
    layout: ContactLayout,
    guid: String,
    /// The FMU's resources; none where the host does not say.
    resources: Option<PathBuf>,
    surfaces: Option<[LoadedSurface; 2]>,
    workspace: Workspace,
}

/// A surface and the parameters that it was read with.
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
}

impl ContactModel {
    pub(super) fn new(configuration: &Configuration, guid: String, resources: Option<PathBuf>) -> Self {
        let (table, layout) = contact_variables::build(configuration);
        ContactModel { table, layout, guid, resources, surfaces: None, workspace: Workspace::default() }
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

    fn parameters(&self, values: &Values) -> Result<ContactParameters, Fault> {
        let mut raw = RawParameters {
            method: self.layout.method(values),
            elements: self.layout.elements(values),
            ..RawParameters::default()
        };
        for (number, slot) in NUMBER_PARAMETERS.iter().zip(self.layout.numbers) {
            *(number.field)(&mut raw) = values.reals[slot];
        }
        ContactParameters::new(&raw).map_err(|error| {
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
        })
    }

    /// The outcome at the motion that `choose` makes of the inputs.
    fn outcome(
        &mut self,
        problem: &Problem,
        choose: impl FnOnce(&Extrapolation, f64, &mut dyn FnMut(&RelativeMotion) -> Outcome) -> Result<Outcome, MotionError>,
    ) -> Result<Outcome, Fault> {
        let Some([e, f]) = &self.surfaces else {
            return Err(Fault::Refused("the surfaces are not read yet".to_owned()));
        };
        let workspace = &mut self.workspace;
        workspace.clock = problem.measures_time.then_some(seconds as fn() -> f64);
        workspace.threads = problem.threads;
        let mut evaluate = |motion: &RelativeMotion| {
            contact::evaluate(&e.file.surface, &f.file.surface, &problem.parameters, motion, workspace)
        };
        let outcome = choose(&problem.input.motion, f.file.radius, &mut evaluate).map_err(refused_motion)?;
        match outcome.not_finite() {
            None => Ok(outcome),
            Some(quantity) => Err(Fault::Refused(format!(
                "{quantity} is beyond the range of numbers: an input or a parameter is far too large"
            ))),
        }
    }

    fn store(&self, parameters: &ContactParameters, outcome: &Outcome, values: &mut Values) {
        self.layout.store(outcome, values);
        values.reals[self.layout.combined_layer_stiffness] = parameters.combined_layer_stiffness();
        values.reals[self.layout.penetration_ratio] = parameters.penetration_ratio();
        for (slot, surface) in self.layout.triangles.iter().zip(self.surfaces.iter().flatten()) {
            values.integers[*slot] = i32::try_from(surface.file.triangle_count).unwrap_or(i32::MAX);
        }
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
    }
}

impl Model for ContactModel {
    fn table(&self) -> &VariableTable {
        &self.table
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
        if read.is_some() {
            self.surfaces = read;
        }
        Ok(())
    }

    fn check_parameters(&self, values: &Values) -> Result<(), Fault> {
        self.parameters(values).map(|_| ())
    }

    fn files_digest(&self) -> [u8; 32] {
        digest_of(self.surfaces.as_ref())
    }

    fn uses_input_derivative(&self, slot: usize) -> bool {
        self.layout.motion.uses_derivative(slot)
    }

    fn evaluate(&mut self, values: &mut Values, notes: &mut Notes) -> Result<(), Fault> {
        let problem = self.problem(values, None)?;
        let outcome = self.outcome(&problem, |motion, _, evaluate| Ok(evaluate(&motion.start)))?;
        problem.input.warn_of_correction(notes);
        self.store(&problem.parameters, &outcome, values);
        Ok(())
    }

    fn do_step(
        &mut self,
        values: &mut Values,
        input_derivatives: &[f64],
        step_size: f64,
        is_current: bool,
        notes: &mut Notes,
    ) -> Result<f64, Fault> {
        let step_output = self.layout.step_output.step_output(values);
        if step_output == StepOutput::Hold && is_current {
            self.warn_of_state(values, notes);
            return Ok(0.0);
        }
        let problem = self.problem(values, Some(input_derivatives))?;
        let offset = match step_output {
            StepOutput::Hold => 0.0,
            StepOutput::Extrapolate => self.layout.step_output.extrapolation_steps(values) * step_size,
            StepOutput::Mean => step_size,
        };
        let depth = problem.parameters.damping_transition_depth();
        let outcome = self.outcome(&problem, |motion, radius_f, evaluate| match step_output {
            StepOutput::Hold | StepOutput::Extrapolate => Ok(evaluate(&motion.at(offset)?)),
            StepOutput::Mean => mean_outcome(motion, step_size, depth, radius_f, evaluate),
        })?;
        problem.input.warn_of_correction(notes);
        self.store(&problem.parameters, &outcome, values);
        self.warn_of_state(values, notes);
        Ok(offset)
    }

    fn output_derivatives(
        &mut self,
        values: &Values,
        input_derivatives: &[f64],
        offset: f64,
        last_step: f64,
    ) -> Result<Vec<f64>, Fault> {
        let problem = self.problem(values, Some(input_derivatives))?;
        let half = if last_step > 0.0 { DIFFERENCE_PER_STEP * last_step } else { DIFFERENCE_WITHOUT_STEP };
        let mut at = |time: f64| -> Result<Vec<f64>, Fault> {
            let outcome = self.outcome(&problem, |motion, _, evaluate| Ok(evaluate(&motion.at(time)?)))?;
            let mut stored = values.clone();
            self.store(&problem.parameters, &outcome, &mut stored);
            Ok(stored.reals)
        };
        let (before, after) = (at(offset - half)?, at(offset + half)?);
        Ok(before.iter().zip(&after).map(|(before, after)| (after - before) / (2.0 * half)).collect())
    }

    fn recover(&mut self) {
        self.workspace = Workspace::default();
    }
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
