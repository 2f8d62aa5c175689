//! Parameters that are appended to tables in the same way: numbers, choices, what a step returns.

use super::models::contact::enumerations::{FLEXIBLE_STEP_OUTPUTS, STEP_OUTPUT_VALUES, STEP_OUTPUTS};
use super::values::{Value, Values};
use super::variables::{Causality, Enumeration, Kind, Variability, VariableTable};
use crate::configuration::{Configuration, NumberParameter, NumberRange, StepOutput};

/// Slots of what a step returns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepOutputSlots {
    step_output: usize,
    extrapolation_steps: usize,
}

impl StepOutputSlots {
    pub(crate) fn find(table: &VariableTable) -> StepOutputSlots {
        let slot = |name: &str| table.find(name).expect("every table has what a step returns").slot;
        StepOutputSlots { step_output: slot("stepOutput"), extrapolation_steps: slot("extrapolationSteps") }
    }

    pub(crate) fn step_output(&self, values: &Values) -> StepOutput {
        STEP_OUTPUT_VALUES[values.integers[self.step_output] as usize - 1]
    }

    pub(crate) fn extrapolation_steps(&self, values: &Values) -> f64 {
        values.reals[self.extrapolation_steps]
    }
}

/// The FMU's name of a key of the configuration: `surface-e.scale` is `surfaceE.scale`, `contact.method` is `method`.
pub(crate) fn variable_name(key: &str) -> String {
    let mut name = String::new();
    let mut after_hyphen = false;
    for c in key.strip_prefix("contact.").unwrap_or(key).chars() {
        match c {
            '-' => after_hyphen = true,
            c if after_hyphen => {
                name.push(c.to_ascii_uppercase());
                after_hyphen = false;
            }
            c => name.push(c),
        }
    }
    name
}

/// Appends a number with the name of its key.
pub(crate) fn push_number<P: Copy>(
    table: &mut VariableTable,
    number: &NumberParameter<P>,
    parameters: &P,
    variability: Variability,
) -> usize {
    table.push(
        variable_name(number.key),
        format!("{} [{}]", number.description, number.unit),
        Kind::Real { unit: number.unit, range: number.range },
        Causality::Parameter,
        variability,
        Some(Value::Real(number.value(parameters))),
    )
}

/// Appends an enumeration; `choices` are its values in their order.
pub(crate) fn push_choice<T: PartialEq>(
    table: &mut VariableTable,
    name: &str,
    enumeration: &'static Enumeration,
    choices: &[T],
    choice: &T,
    variability: Variability,
) -> usize {
    let position = choices.iter().position(|candidate| candidate == choice).expect("every choice has a value");
    table.push(
        name,
        enumeration.description,
        Kind::Enumeration(enumeration),
        Causality::Parameter,
        variability,
        Some(Value::Integer(position as i32 + 1)),
    )
}

/// Appends the parameters that say what a step returns.
pub(crate) fn push_step_output(table: &mut VariableTable, configuration: &Configuration) {
    let choice = &configuration.step_output;
    let enumeration = if configuration.flexible.is_some() { &FLEXIBLE_STEP_OUTPUTS } else { &STEP_OUTPUTS };
    push_choice(table, "stepOutput", enumeration, &STEP_OUTPUT_VALUES, choice, Variability::Tunable);
    table.push(
        "extrapolationSteps",
        "Steps H by which stepOutput = extrapolate advances the pose [1]",
        Kind::Real { unit: "1", range: NumberRange::NotNegative },
        Causality::Parameter,
        Variability::Tunable,
        Some(Value::Real(configuration.extrapolation_steps)),
    );
}
