//! One instance: values, when they may be set, and when the model is evaluated.

use std::ffi::{CStr, CString};

use super::jacobian::Jacobian;
use super::model::{Fault, Model, Notes, Once};
use super::parts::{Part, Parts};
use super::recorder::{RecordSlots, Recorder};
use super::saved_state::{Run, Snapshot};
use super::state::{Interface, State};
use super::variables::{Causality, Kind, Variability, Variable};

/// Times that agree to this part of the step size are the same time: hosts add up steps, or
/// multiply them, and round either way.
const TIME_TOLERANCE: f64 = 1.0e-6;

/// Whether calculated values are up to date.
type Evaluation = Result<(), Fault>;

/// A model at some point of its run.
pub(crate) struct Instance {
    pub(super) interface: Interface,
    pub(super) model: Box<dyn Model>,
    pub(super) run: Run,
    /// Partial derivatives at the present inputs, as far as they were asked for.
    pub(super) jacobian: Jacobian,
    /// None where the model has no such parameters.
    pub(super) record_slots: Option<RecordSlots>,
    /// The file that the run is recorded in, if any.
    pub(super) recorder: Option<Recorder>,
}

impl Instance {
    pub(crate) fn new(model: Box<dyn Model>, interface: Interface) -> Self {
        let run = start_of(model.as_ref());
        let record_slots = RecordSlots::find(model.table());
        Instance { interface, model, run, jacobian: Jacobian::default(), record_slots, recorder: None }
    }

    pub(crate) fn interface(&self) -> Interface {
        self.interface
    }

    pub(crate) fn notes(&mut self) -> &mut Notes {
        &mut self.run.notes
    }

    pub(crate) fn state(&self) -> State {
        self.run.state
    }

    pub(crate) fn fail(&mut self) {
        self.run.state = State::Error;
    }

    pub(crate) fn recover_from_panic(&mut self) {
        self.model.recover();
        self.fail();
    }

    pub(crate) fn setup_experiment(&mut self, start_time: f64, stop_time: Option<f64>) -> Result<(), Fault> {
        if !start_time.is_finite() {
            return Err(Fault::Refused(format!("startTime is {start_time}, but must be a finite number")));
        }
        if let Some(stop) = stop_time
            && (stop.is_nan() || stop < start_time)
        {
            return Err(Fault::Refused(format!("stopTime is {stop}, but must not be below startTime {start_time}")));
        }
        self.run.time = start_time;
        self.run.completed_time = start_time;
        self.run.stop_time = stop_time;
        Ok(())
    }

    pub(crate) fn enter_initialization_mode(&mut self) -> Result<(), Fault> {
        self.run.state = State::InitializationMode;
        Ok(())
    }

    /// Reads the meshes, unless an output was asked for before.
    pub(crate) fn exit_initialization_mode(&mut self) -> Result<(), Fault> {
        let prepared = self.model.prepare(&self.run.values, None, &mut self.run.notes);
        let checked = prepared.and_then(|()| self.model.check_parameters(&self.run.values));
        checked.map_err(Fault::into_failure)?;
        self.run.state = match self.interface {
            Interface::ModelExchange => State::EventMode,
            Interface::CoSimulation => State::StepComplete,
        };
        self.run.notes.event("initialized".to_owned());
        self.begin_recording();
        Ok(())
    }

    pub(crate) fn terminate(&mut self) -> Result<(), Fault> {
        if self.run.stale.contain(Part::Main) {
            self.record_inputs();
        }
        self.end_recording();
        self.run.state = State::Terminated;
        Ok(())
    }

    /// Back to the start values; files stay in memory.
    pub(crate) fn reset(&mut self) -> Result<(), Fault> {
        self.end_recording();
        let messages = std::mem::take(&mut self.run.notes.messages);
        self.run = start_of(self.model.as_ref());
        self.run.notes.messages = messages;
        self.jacobian.clear();
        self.run.notes.event("reset".to_owned());
        Ok(())
    }

    pub(crate) fn get_reals(&mut self, references: &[u32], values: &mut [f64]) -> Result<(), Fault> {
        let evaluated = self.read(references, |kind| matches!(kind, Kind::Real { .. }), "Real")?;
        for (variable, value) in variables(self.model.as_ref(), references).zip(values) {
            *value = self.run.values.reals[variable.slot];
        }
        evaluated
    }

    pub(crate) fn get_integers(&mut self, references: &[u32], values: &mut [i32]) -> Result<(), Fault> {
        let evaluated = self.read(references, is_integer, "Integer")?;
        for (variable, value) in variables(self.model.as_ref(), references).zip(values) {
            *value = self.run.values.integers[variable.slot];
        }
        evaluated
    }

    pub(crate) fn get_booleans(&mut self, references: &[u32], mut put: impl FnMut(usize, bool)) -> Result<(), Fault> {
        let evaluated = self.read(references, |kind| *kind == Kind::Boolean, "Boolean")?;
        for (i, variable) in variables(self.model.as_ref(), references).enumerate() {
            put(i, self.run.values.booleans[variable.slot]);
        }
        evaluated
    }

    /// The texts live until one of them is set or the run is replaced.
    pub(crate) fn get_strings(&mut self, references: &[u32], mut put: impl FnMut(usize, &CStr)) -> Result<(), Fault> {
        let evaluated = self.read(references, |kind| *kind == Kind::String, "String")?;
        for (i, variable) in variables(self.model.as_ref(), references).enumerate() {
            put(i, &self.run.values.strings[variable.slot]);
        }
        evaluated
    }

    pub(crate) fn set_reals(&mut self, references: &[u32], values: &[f64]) -> Result<(), Fault> {
        // All of them are checked before the first is taken over.
        let mut changes = false;
        for (reference, value) in references.iter().zip(values) {
            let variable = self.variable(*reference, |kind| matches!(kind, Kind::Real { .. }), "Real")?;
            let changes_it = self.run.values.reals[variable.slot].to_bits() != value.to_bits();
            self.check_settable(variable, changes_it)?;
            if let Kind::Real { range, .. } = variable.kind
                && !range.contains(*value)
            {
                return Err(not_allowed(variable, value, range.in_words()));
            }
            changes |= changes_it;
        }
        for (variable, value) in variables(self.model.as_ref(), references).zip(values) {
            self.run.values.reals[variable.slot] = *value;
        }
        self.note_setting(references, changes);
        Ok(())
    }

    pub(crate) fn set_integers(&mut self, references: &[u32], values: &[i32]) -> Result<(), Fault> {
        let mut changes = false;
        for (reference, value) in references.iter().zip(values) {
            let variable = self.variable(*reference, is_integer, "Integer")?;
            let changes_it = self.run.values.integers[variable.slot] != *value;
            self.check_settable(variable, changes_it)?;
            if let Kind::Enumeration(enumeration) = variable.kind
                && !enumeration.items.iter().any(|item| item.value == *value)
            {
                return Err(not_allowed(variable, value, &enumeration.in_words()));
            }
            changes |= changes_it;
        }
        for (variable, value) in variables(self.model.as_ref(), references).zip(values) {
            self.run.values.integers[variable.slot] = *value;
        }
        self.note_setting(references, changes);
        Ok(())
    }

    pub(crate) fn set_booleans(&mut self, references: &[u32], values: &[i32]) -> Result<(), Fault> {
        let mut changes = false;
        for (reference, value) in references.iter().zip(values) {
            let variable = self.variable(*reference, |kind| *kind == Kind::Boolean, "Boolean")?;
            let changes_it = self.run.values.booleans[variable.slot] != (*value != 0);
            self.check_settable(variable, changes_it)?;
            changes |= changes_it;
        }
        for (variable, value) in variables(self.model.as_ref(), references).zip(values) {
            self.run.values.booleans[variable.slot] = *value != 0;
        }
        self.note_setting(references, changes);
        Ok(())
    }

    pub(crate) fn set_strings(&mut self, references: &[u32], values: &[CString]) -> Result<(), Fault> {
        let mut changes = false;
        for (reference, value) in references.iter().zip(values) {
            let variable = self.variable(*reference, |kind| *kind == Kind::String, "String")?;
            let changes_it = self.run.values.strings[variable.slot] != *value;
            self.check_settable(variable, changes_it)?;
            changes |= changes_it;
        }
        // Texts that a host holds stay where they are while they are the same.
        for (variable, value) in variables(self.model.as_ref(), references).zip(values) {
            let present = &mut self.run.values.strings[variable.slot];
            if present != value {
                present.clone_from(value);
            }
        }
        self.note_setting(references, changes);
        Ok(())
    }

    /// In co-simulation setting an input leads back to it from the end of a step, even where it is the same.
    fn note_setting(&mut self, references: &[u32], changes: bool) {
        if changes {
            self.jacobian.clear();
        }
        if changes || (self.interface == Interface::CoSimulation && !references.is_empty()) {
            self.run.stale = Parts::EVERY;
        }
    }

    /// First derivatives of real inputs; like the inputs, they hold until they are set again.
    pub(crate) fn set_input_derivatives(
        &mut self,
        references: &[u32],
        orders: &[i32],
        values: &[f64],
    ) -> Result<(), Fault> {
        let mut is_unused = false;
        for ((reference, order), value) in references.iter().zip(orders).zip(values) {
            let variable = self.variable(*reference, |kind| matches!(kind, Kind::Real { .. }), "Real")?;
            if variable.causality != Causality::Input {
                return Err(Fault::Refused(format!("`{}` is no input, so it has no input derivative", variable.name)));
            }
            if *order != 1 {
                let name = &variable.name;
                return Err(Fault::Refused(format!("order {order} of `{name}`: only the first derivative is used")));
            }
            if !value.is_finite() {
                return Err(not_allowed(variable, value, "a finite derivative"));
            }
            is_unused |= !self.model.uses_input_derivative(variable.slot);
        }
        for (variable, value) in variables(self.model.as_ref(), references).zip(values) {
            self.run.input_derivatives[variable.slot] = *value;
        }
        if is_unused {
            self.run.notes.event_once(Once::UnusedDerivative, || {
                "derivatives of inputs that are positions or angles are not used: the velocity inputs say the same"
                    .to_owned()
            });
        }
        Ok(())
    }

    pub(crate) fn output_derivatives(
        &mut self,
        references: &[u32],
        orders: &[i32],
        values: &mut [f64],
    ) -> Result<(), Fault> {
        let mut parts = Parts::NONE;
        for (reference, order) in references.iter().zip(orders) {
            let variable = self.variable(*reference, |kind| matches!(kind, Kind::Real { .. }), "Real")?;
            if variable.causality != Causality::Output {
                return Err(Fault::Refused(format!(
                    "`{}` is no output, so it has no output derivative",
                    variable.name
                )));
            }
            if *order != 1 {
                let name = &variable.name;
                return Err(Fault::Refused(format!(
                    "order {order} of `{name}`: only the first derivative is available"
                )));
            }
            parts = parts.with(variable.part);
        }
        if references.is_empty() {
            return Ok(());
        }
        let run = &mut self.run;
        self.model.prepare(&run.values, None, &mut run.notes)?;
        // New inputs are outputs without an offset, whether or not someone has asked for them yet.
        let offset = if run.stale.contain(Part::Main) { 0.0 } else { run.output_offset };
        let derivatives =
            self.model.output_derivatives(parts, &run.values, &run.input_derivatives, offset, run.last_step)?;
        for (variable, value) in variables(self.model.as_ref(), references).zip(values) {
            *value = derivatives[variable.slot];
        }
        Ok(())
    }

    pub(crate) fn do_step(&mut self, time: f64, step_size: f64) -> Result<(), Fault> {
        let run = &mut self.run;
        if !time.is_finite() {
            return Err(Fault::Refused(format!("currentCommunicationPoint is {time}, but must be a finite number")));
        }
        if !(step_size.is_finite() && 0.0 < step_size) {
            return Err(Fault::Refused(format!(
                "communicationStepSize is {step_size}, but must be a finite number above 0"
            )));
        }
        let rounding = TIME_TOLERANCE * step_size + 4.0 * f64::EPSILON * time.abs();
        if let Some(stop) = run.stop_time
            && stop + rounding < time + step_size
        {
            return Err(Fault::Refused(format!(
                "a step from {time} to {} goes beyond the stopTime {stop} of fmi2SetupExperiment",
                time + step_size
            )));
        }
        if rounding < (time - run.time).abs() {
            let expected = run.time;
            run.notes.warn_once(Once::Time, || {
                format!("currentCommunicationPoint is {time}, but the last step ended at {expected}; the host's time is taken")
            });
        }
        let step = |model: &mut dyn Model, run: &mut Run| {
            model.prepare(&run.values, None, &mut run.notes)?;
            let is_current = !run.stale.contain(Part::Main) && run.output_offset == 0.0;
            model.do_step(&mut run.values, &run.input_derivatives, step_size, is_current, &mut run.notes)
        };
        if let Some(offset) = step(self.model.as_mut(), run).map_err(Fault::into_failure)? {
            run.output_offset = offset;
            run.stale = Parts::EVERY.without(Part::Main);
        }
        run.last_step = step_size;
        run.time = time + step_size;
        self.jacobian.clear();
        self.record(time + self.run.output_offset);
        Ok(())
    }

    /// End of the last step, or the start time.
    pub(crate) fn time(&self) -> f64 {
        self.run.time
    }

    pub(crate) fn snapshot(&self) -> Snapshot {
        let is_prepared = self.run.state.is_running() || self.run.state == State::Terminated;
        Snapshot {
            guid: self.model.guid().to_owned(),
            interface: self.interface,
            files_digest: is_prepared.then(|| self.model.files_digest()),
            run: self.run.clone(),
        }
    }

    /// Continues from a snapshot, which may come from another instance or process.
    pub(crate) fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Fault> {
        let (theirs, ours) = (&snapshot.guid, self.model.guid());
        if theirs != ours {
            return Err(Fault::Refused(format!("this state belongs to the FMU with guid {theirs}, not to {ours}")));
        }
        if snapshot.interface != self.interface {
            let (theirs, ours) = (snapshot.interface.name(), self.interface.name());
            return Err(Fault::Refused(format!("this state is one of {theirs}, but the instance is for {ours}")));
        }
        let start = &self.model.table().start_values();
        let (values, run) = (&snapshot.run.values, &snapshot.run);
        let fits = values.reals.len() == start.reals.len()
            && values.integers.len() == start.integers.len()
            && values.booleans.len() == start.booleans.len()
            && values.strings.len() == start.strings.len()
            && run.input_derivatives.len() == start.reals.len();
        if !fits {
            return Err(Fault::Refused("this state has other variables than this FMU".to_owned()));
        }
        for variable in self.model.table().variables() {
            if let Kind::Enumeration(enumeration) = &variable.kind {
                let value = values.integers[variable.slot];
                if !enumeration.items.iter().any(|item| item.value == value) {
                    let name = &variable.name;
                    return Err(Fault::Refused(format!("this state has `{name}` = {value}, which does not exist")));
                }
            }
        }
        if let Some(digest) = &snapshot.files_digest {
            self.model.prepare(values, Some(digest), &mut self.run.notes)?;
        }
        let notes = std::mem::take(&mut self.run.notes.messages);
        self.run.clone_from(run);
        self.run.notes.messages = notes;
        self.jacobian.clear();
        Ok(())
    }

    /// Checks the references, evaluates where a calculated value is asked for and inputs changed.
    ///
    /// Where only the evaluation fails, the values are those of the last good one, and are handed
    /// out nevertheless.
    fn read(
        &mut self,
        references: &[u32],
        is_kind: impl Fn(&Kind) -> bool,
        type_name: &str,
    ) -> Result<Evaluation, Fault> {
        let mut needed = Parts::NONE;
        for reference in references {
            let variable = self.variable(*reference, &is_kind, type_name)?;
            if variable.is_calculated() {
                needed = needed.with(variable.part);
            }
        }
        Ok(self.bring_up_to_date(needed))
    }

    /// Evaluates those of the needed parts that are stale.
    pub(super) fn bring_up_to_date(&mut self, needed: Parts) -> Evaluation {
        if self.run.state == State::Error {
            return Ok(());
        }
        let run = &mut self.run;
        for part in needed.iter() {
            if !run.stale.contain(part) {
                continue;
            }
            self.model.prepare(&run.values, None, &mut run.notes)?;
            if part == Part::Main {
                let is_between_steps = self.interface == Interface::CoSimulation && run.state.is_running();
                if is_between_steps && 0.0 < run.last_step {
                    self.model.evaluate_for_step(&mut run.values, run.last_step, &mut run.notes)?;
                } else {
                    self.model.evaluate(&mut run.values, &mut run.notes)?;
                }
                run.output_offset = 0.0;
            } else {
                // New inputs are outputs without an offset, whether or not someone has asked for them yet.
                let offset = if run.stale.contain(Part::Main) { 0.0 } else { run.output_offset };
                self.model.evaluate_part(part, &mut run.values, &run.input_derivatives, offset)?;
            }
            run.stale = run.stale.without(part);
        }
        Ok(())
    }

    pub(super) fn variable(
        &self,
        reference: u32,
        is_kind: impl Fn(&Kind) -> bool,
        type_name: &str,
    ) -> Result<&Variable, Fault> {
        let Some(variable) = self.model.table().get(reference) else {
            let count = self.model.table().variables().len();
            return Err(Fault::Refused(format!(
                "value reference {reference} does not exist; this FMU has 0 to {}",
                count - 1
            )));
        };
        if !is_kind(&variable.kind) {
            let (name, kind) = (&variable.name, variable.kind.name());
            return Err(Fault::Refused(format!(
                "value reference {reference} is `{name}` of type {kind}, not of type {type_name}"
            )));
        }
        Ok(variable)
    }

    /// A value that is equal to the present one changes nothing, and is taken wherever setting is allowed: some hosts
    /// set parameters again after initialization.
    fn check_settable(&self, variable: &Variable, changes_it: bool) -> Result<(), Fault> {
        let refuse = |why: &str| Err(Fault::Refused(format!("`{}` cannot be set: {why}", variable.name)));
        let state = self.run.state;
        match (variable.causality, variable.variability) {
            (Causality::Output | Causality::CalculatedParameter, _) => refuse("it is calculated"),
            (Causality::Local, _) => refuse("it is calculated; states are set by fmi2SetContinuousStates"),
            (Causality::Parameter, Variability::Fixed) if changes_it && state.is_running() => {
                refuse("it is a fixed parameter, and initialization is over")
            }
            (Causality::Parameter, _) if changes_it && state == State::ContinuousTimeMode => {
                refuse("parameters change in event mode only, not in continuous-time mode")
            }
            _ => Ok(()),
        }
    }
}

fn start_of(model: &dyn Model) -> Run {
    let values = model.table().start_values();
    Run {
        state: State::Instantiated,
        input_derivatives: vec![0.0; values.reals.len()],
        values,
        stale: Parts::EVERY,
        time: 0.0,
        stop_time: None,
        last_step: 0.0,
        output_offset: 0.0,
        completed_time: 0.0,
        event_time: f64::INFINITY,
        notes: Notes::default(),
    }
}

/// The variables of references that were checked before.
fn variables<'m>(model: &'m dyn Model, references: &'m [u32]) -> impl Iterator<Item = &'m Variable> {
    references.iter().filter_map(|reference| model.table().get(*reference))
}

fn is_integer(kind: &Kind) -> bool {
    matches!(kind, Kind::Integer | Kind::Enumeration(_))
}

fn not_allowed(variable: &Variable, value: impl std::fmt::Display, allowed: &str) -> Fault {
    Fault::Refused(format!("`{}` is {value}, but must be {allowed}; the call changed nothing", variable.name))
}
