//! One instance: values, when they may be set, and when the model is evaluated.

use std::ffi::{CStr, CString};

use super::model::{Fault, Model, Notes, Once};
use super::saved_state::{Run, Snapshot};
use super::state::State;
use super::variables::{Causality, Kind, Variability, Variable};

/// Times that agree to this part of the step size are the same time: hosts add up steps, or
/// multiply them, and round either way.
const TIME_TOLERANCE: f64 = 1.0e-6;

/// Whether calculated values are up to date.
type Evaluation = Result<(), Fault>;

/// A model at some point of its run.
pub(crate) struct Instance {
    model: Box<dyn Model>,
    run: Run,
}

impl Instance {
    pub(crate) fn new(model: Box<dyn Model>) -> Self {
        let run = start_of(model.as_ref());
        Instance { model, run }
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
        self.run.state = State::StepComplete;
        self.run.notes.event("initialized".to_owned());
        Ok(())
    }

    pub(crate) fn terminate(&mut self) -> Result<(), Fault> {
        self.run.state = State::Terminated;
        Ok(())
    }

    /// Back to the start values; files stay in memory.
    pub(crate) fn reset(&mut self) -> Result<(), Fault> {
        self.run = start_of(self.model.as_ref());
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
        for (reference, value) in references.iter().zip(values) {
            let variable = self.settable(*reference, |kind| matches!(kind, Kind::Real { .. }), "Real")?;
            if let Kind::Real { range, .. } = variable.kind
                && !range.contains(*value)
            {
                return Err(not_allowed(variable, value, range.in_words()));
            }
        }
        for (variable, value) in variables(self.model.as_ref(), references).zip(values) {
            self.run.values.reals[variable.slot] = *value;
        }
        self.run.is_dirty |= !references.is_empty();
        Ok(())
    }

    pub(crate) fn set_integers(&mut self, references: &[u32], values: &[i32]) -> Result<(), Fault> {
        for (reference, value) in references.iter().zip(values) {
            let variable = self.settable(*reference, is_integer, "Integer")?;
            if let Kind::Enumeration(enumeration) = variable.kind
                && !enumeration.items.iter().any(|item| item.value == *value)
            {
                return Err(not_allowed(variable, value, &enumeration.in_words()));
            }
        }
        for (variable, value) in variables(self.model.as_ref(), references).zip(values) {
            self.run.values.integers[variable.slot] = *value;
        }
        self.run.is_dirty |= !references.is_empty();
        Ok(())
    }

    pub(crate) fn set_booleans(&mut self, references: &[u32], values: &[i32]) -> Result<(), Fault> {
        for reference in references {
            self.settable(*reference, |kind| *kind == Kind::Boolean, "Boolean")?;
        }
        for (variable, value) in variables(self.model.as_ref(), references).zip(values) {
            self.run.values.booleans[variable.slot] = *value != 0;
        }
        self.run.is_dirty |= !references.is_empty();
        Ok(())
    }

    pub(crate) fn set_strings(&mut self, references: &[u32], values: &[CString]) -> Result<(), Fault> {
        for reference in references {
            self.settable(*reference, |kind| *kind == Kind::String, "String")?;
        }
        for (variable, value) in variables(self.model.as_ref(), references).zip(values) {
            self.run.values.strings[variable.slot].clone_from(value);
        }
        self.run.is_dirty |= !references.is_empty();
        Ok(())
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
        }
        if references.is_empty() {
            return Ok(());
        }
        let run = &mut self.run;
        self.model.prepare(&run.values, None, &mut run.notes)?;
        // New inputs are outputs without an offset, whether or not someone has asked for them yet.
        let offset = if run.is_dirty { 0.0 } else { run.output_offset };
        let derivatives = self.model.output_derivatives(&run.values, &run.input_derivatives, offset, run.last_step)?;
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
            let is_current = !run.is_dirty && run.output_offset == 0.0;
            model.do_step(&mut run.values, &run.input_derivatives, step_size, is_current, &mut run.notes)
        };
        run.output_offset = step(self.model.as_mut(), run).map_err(Fault::into_failure)?;
        run.is_dirty = false;
        run.last_step = step_size;
        run.time = time + step_size;
        Ok(())
    }

    /// End of the last step, or the start time.
    pub(crate) fn time(&self) -> f64 {
        self.run.time
    }

    pub(crate) fn snapshot(&self) -> Snapshot {
        let is_prepared = matches!(self.run.state, State::StepComplete | State::Terminated);
        Snapshot {
            guid: self.model.guid().to_owned(),
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
        let mut is_calculated = false;
        for reference in references {
            is_calculated |= self.variable(*reference, &is_kind, type_name)?.is_calculated();
        }
        let is_needed = is_calculated && self.run.is_dirty && self.run.state != State::Error;
        Ok(if is_needed { self.evaluate() } else { Ok(()) })
    }

    fn evaluate(&mut self) -> Result<(), Fault> {
        let run = &mut self.run;
        self.model.prepare(&run.values, None, &mut run.notes)?;
        self.model.evaluate(&mut run.values, &mut run.notes)?;
        run.is_dirty = false;
        run.output_offset = 0.0;
        Ok(())
    }

    fn variable(&self, reference: u32, is_kind: impl Fn(&Kind) -> bool, type_name: &str) -> Result<&Variable, Fault> {
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

    fn settable(&self, reference: u32, is_kind: impl Fn(&Kind) -> bool, type_name: &str) -> Result<&Variable, Fault> {
        let variable = self.variable(reference, is_kind, type_name)?;
        let refuse = |why: &str| Err(Fault::Refused(format!("`{}` cannot be set: {why}", variable.name)));
        match (variable.causality, variable.variability) {
            (Causality::Output | Causality::CalculatedParameter, _) => refuse("it is calculated"),
            (Causality::Parameter, Variability::Fixed) if self.run.state == State::StepComplete => {
                refuse("it is a fixed parameter, and initialization is over")
            }
            _ => Ok(variable),
        }
    }
}

fn start_of(model: &dyn Model) -> Run {
    let values = model.table().start_values();
    Run {
        state: State::Instantiated,
        input_derivatives: vec![0.0; values.reals.len()],
        values,
        is_dirty: true,
        time: 0.0,
        stop_time: None,
        last_step: 0.0,
        output_offset: 0.0,
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
