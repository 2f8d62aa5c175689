//! A contact pair without a host: one motion in, what its FMU would answer out. For sweeps over many poses.

use std::ffi::CString;
use std::path::Path;

use super::messages::LogCategory;
use super::model::{Fault, Model, Notes};
use super::models::contact::model::ContactModel;
use super::models::contact::variables::contact_variables;
use super::parts::{Part, Parts};
use super::values::{Value, Values};
use super::variables::{Causality, Kind, Variable, VariableTable};
use crate::configuration::Configuration;
use crate::record::Patches;

/// A pair of rigid bodies that remembers nothing from one motion to the next: bristles are straight, as in an FMU before
/// its first step.
pub struct Evaluator {
    configuration: Configuration,
    model: ContactModel,
    /// With the parameters.
    start: Values,
    values: Values,
    notes: Notes,
    /// Real slots of the inputs.
    inputs: Vec<usize>,
    stiffness_output: Option<usize>,
}

/// Outputs that are asked for, in an order.
#[derive(Clone, Debug)]
pub struct Choice {
    places: Vec<Place>,
    parts: Parts,
}

#[derive(Clone, Copy, Debug)]
enum Place {
    Real(usize),
    Integer(usize),
    Boolean(usize),
}

impl Choice {
    /// How many numbers an evaluation has.
    pub fn count(&self) -> usize {
        self.places.len()
    }
}

impl Evaluator {
    /// Reads the surfaces of a configuration, whose files are relative to `folder`; the error is a message for people.
    pub fn new(configuration: &Configuration, folder: &Path) -> Result<Evaluator, String> {
        if configuration.flexible.is_some() {
            return Err("this pair has a flexible body, whose forces depend on its history: simulate its FMU instead"
                .to_owned());
        }
        let mut model = ContactModel::new(configuration, String::new(), Some(folder.to_owned()));
        let start = model.table().start_values();
        let mut notes = Notes::default();
        model.prepare(&start, None, &mut notes).map_err(Fault::into_words)?;
        let mut evaluator = Evaluator::of(configuration.clone(), model, start);
        evaluator.notes = notes;
        Ok(evaluator)
    }

    fn of(configuration: Configuration, model: ContactModel, start: Values) -> Evaluator {
        let inputs = model.table().variables().iter().filter(|variable| variable.causality == Causality::Input);
        let inputs = inputs.map(|variable| variable.slot).collect();
        let stiffness_output = model.table().find("stiffnessOutput").map(|variable| variable.slot);
        let values = start.clone();
        Evaluator { configuration, model, start, values, notes: Notes::default(), inputs, stiffness_output }
    }

    /// Another one with the same surfaces and parameters, for another thread.
    pub fn twin(&self) -> Evaluator {
        Evaluator::of(self.configuration.clone(), self.model.twin(&self.configuration), self.start.clone())
    }

    /// The variables of the FMU.
    pub fn table(&self) -> &VariableTable {
        self.model.table()
    }

    /// How many numbers the inputs are: position, orientation as the configuration says, both velocities.
    pub fn input_count(&self) -> usize {
        self.inputs.len()
    }

    /// Sets a parameter; the error is a message for people.
    pub fn set(&mut self, name: &str, value: &Value) -> Result<(), String> {
        let table = self.model.table();
        let variable = table
            .find(name)
            .filter(|variable| variable.causality == Causality::Parameter)
            .ok_or_else(|| format!("there is no parameter `{name}`"))?;
        let mut changed = self.start.clone();
        store(variable, value, &mut changed)?;
        self.model.prepare(&changed, None, &mut self.notes).map_err(Fault::into_words)?;
        self.model.check_parameters(&changed).map_err(Fault::into_words)?;
        self.start = changed;
        Ok(())
    }

    /// The present value of a parameter.
    pub fn parameter(&self, variable: &Variable) -> Value {
        match variable.kind {
            Kind::Real { .. } => Value::Real(self.start.reals[variable.slot]),
            Kind::Integer | Kind::Enumeration(_) => Value::Integer(self.start.integers[variable.slot]),
            Kind::Boolean => Value::Boolean(self.start.booleans[variable.slot]),
            Kind::String => Value::String(self.start.strings[variable.slot].clone()),
        }
    }

    /// The configuration whose FMU starts with the present parameters; the error names one that no configuration holds.
    pub fn configuration(&self) -> Result<Configuration, String> {
        let configuration = self.model.configuration(&self.configuration, &self.start);
        let table = contact_variables(&configuration);
        let differs = |variable: &&Variable| {
            variable.causality == Causality::Parameter
                && table.find(&variable.name).and_then(|same| same.start.as_ref()) != Some(&self.parameter(variable))
        };
        match self.table().variables().iter().find(differs) {
            None => Ok(configuration),
            Some(variable) => Err(format!(
                "`{}` has no key in contact.toml: set it in the simulation that imports the FMU",
                variable.name
            )),
        }
    }

    /// The outputs of these names; the error is a message for people.
    pub fn choose(&self, names: &[String]) -> Result<Choice, String> {
        let mut choice = Choice { places: Vec::with_capacity(names.len()), parts: Parts::NONE.with(Part::Main) };
        for name in names {
            let variable = self
                .table()
                .find(name)
                .filter(|variable| variable.causality == Causality::Output)
                .ok_or_else(|| format!("there is no output `{name}`"))?;
            choice.parts = choice.parts.with(variable.part);
            choice.places.push(match variable.kind {
                Kind::Real { .. } => Place::Real(variable.slot),
                Kind::Boolean => Place::Boolean(variable.slot),
                _ => Place::Integer(variable.slot),
            });
        }
        Ok(choice)
    }

    /// Evaluates the pair at its inputs and writes what was chosen; the error is a message for people.
    pub fn evaluate(&mut self, inputs: &[f64], choice: &Choice, numbers: &mut [f64]) -> Result<(), String> {
        self.begin(inputs, choice.parts.contain(Part::Stiffness))?;
        for part in choice.parts.iter() {
            let done = match part {
                Part::Main => self.model.evaluate(&mut self.values, &mut self.notes),
                _ => self.model.evaluate_part(part, &mut self.values, &[], 0.0),
            };
            done.map_err(Fault::into_words)?;
        }
        for (number, place) in numbers.iter_mut().zip(&choice.places) {
            *number = match *place {
                Place::Real(slot) => self.values.reals[slot],
                Place::Integer(slot) => f64::from(self.values.integers[slot]),
                Place::Boolean(slot) => f64::from(self.values.booleans[slot]),
            };
        }
        Ok(())
    }

    /// The contact patches where the last evaluation was, as a recording has them.
    pub fn patches(&mut self) -> Patches {
        let motion = self.model.recorded_motion(&self.values, &[], 0.0);
        motion.map(|motion| self.model.recorded_patches(&self.values, &motion)).unwrap_or_default()
    }

    /// What there was to warn of since the last call.
    pub fn take_warnings(&mut self) -> Vec<String> {
        let warnings = std::mem::take(&mut self.notes.messages).into_iter();
        warnings.filter(|message| message.category == LogCategory::StatusWarning).map(|message| message.text).collect()
    }

    fn begin(&mut self, inputs: &[f64], with_stiffness: bool) -> Result<(), String> {
        if inputs.len() != self.inputs.len() {
            return Err(format!("a motion has {} numbers, not {}", self.inputs.len(), inputs.len()));
        }
        if let Some(number) = inputs.iter().find(|number| !number.is_finite()) {
            return Err(format!("the motion has a number that is {number}"));
        }
        self.values.clone_from(&self.start);
        for (slot, number) in self.inputs.iter().zip(inputs) {
            self.values.reals[*slot] = *number;
        }
        if let (true, Some(slot)) = (with_stiffness, self.stiffness_output) {
            self.values.booleans[slot] = true;
            self.model.check_parameters(&self.values).map_err(Fault::into_words)?;
        }
        Ok(())
    }
}

/// Stores a value where a host may store it.
fn store(variable: &Variable, value: &Value, values: &mut Values) -> Result<(), String> {
    let name = &variable.name;
    match (variable.kind, value) {
        (Kind::Real { range, .. }, Value::Real(number)) if range.contains(*number) => {
            values.reals[variable.slot] = *number;
        }
        (Kind::Real { range, .. }, value) => {
            return Err(format!("`{name}` is {value:?}, but must be {}", range.in_words()));
        }
        (Kind::Integer, Value::Integer(number)) => values.integers[variable.slot] = *number,
        (Kind::Enumeration(enumeration), Value::Integer(number))
            if enumeration.items.iter().any(|item| item.value == *number) =>
        {
            values.integers[variable.slot] = *number;
        }
        (Kind::Enumeration(enumeration), Value::String(text)) => {
            let item = enumeration.items.iter().find(|item| item.name.as_bytes() == text.as_bytes());
            let names: Vec<&str> = enumeration.items.iter().map(|item| item.name).collect();
            let item = item.ok_or_else(|| format!("`{name}` is {text:?}, but must be one of {}", names.join(", ")))?;
            values.integers[variable.slot] = item.value;
        }
        (Kind::Enumeration(enumeration), _) => return Err(format!("`{name}` must be {}", enumeration.in_words())),
        (Kind::Boolean, Value::Boolean(flag)) => values.booleans[variable.slot] = *flag,
        (Kind::String, Value::String(text)) => values.strings[variable.slot] = CString::clone(text),
        (kind, _) => return Err(format!("`{name}` must be a value of the type {}", kind.name())),
    }
    Ok(())
}
