//! Descriptions of variables: what `modelDescription.xml`, getters and setters need to know.

use super::parts::Part;
use super::values::{Value, Values};
use crate::configuration::NumberRange;

/// An item of an enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EnumerationItem {
    /// Name of the item.
    pub name: &'static str,
    /// Its value; items count from 1 without gaps.
    pub value: i32,
    /// What it means.
    pub description: &'static str,
}

/// A type of `TypeDefinitions`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Enumeration {
    /// Name of the type.
    pub name: &'static str,
    /// What it chooses.
    pub description: &'static str,
    /// The items in the order of their values.
    pub items: &'static [EnumerationItem],
}

impl Enumeration {
    /// For messages: every value with its name.
    pub fn in_words(&self) -> String {
        let items: Vec<String> = self.items.iter().map(|item| format!("{} ({})", item.value, item.name)).collect();
        format!("one of {}", items.join(", "))
    }
}

/// Type of a variable, with what belongs to the type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A real number.
    Real {
        /// Name of a unit of [`super::UNITS`].
        unit: &'static str,
        /// Values that may be set.
        range: NumberRange,
    },
    /// An integer.
    Integer,
    /// A truth value.
    Boolean,
    /// A text.
    String,
    /// An enumeration; set and got as an integer.
    Enumeration(&'static Enumeration),
}

impl Kind {
    /// The standard's name of the base type.
    pub fn name(&self) -> &'static str {
        match self {
            Kind::Real { .. } => "Real",
            Kind::Integer => "Integer",
            Kind::Boolean => "Boolean",
            Kind::String => "String",
            Kind::Enumeration(_) => "Enumeration",
        }
    }
}

/// Role of a variable.
#[allow(missing_docs, reason = "the names and meanings are the standard's")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Causality {
    Parameter,
    CalculatedParameter,
    Input,
    Output,
    Local,
}

impl Causality {
    /// The attribute's text.
    pub fn name(self) -> &'static str {
        match self {
            Causality::Parameter => "parameter",
            Causality::CalculatedParameter => "calculatedParameter",
            Causality::Input => "input",
            Causality::Output => "output",
            Causality::Local => "local",
        }
    }
}

/// When a variable may change.
#[allow(missing_docs, reason = "the names and meanings are the standard's")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variability {
    Fixed,
    Tunable,
    Discrete,
    Continuous,
}

impl Variability {
    /// The attribute's text.
    pub fn name(self) -> &'static str {
        match self {
            Variability::Fixed => "fixed",
            Variability::Tunable => "tunable",
            Variability::Discrete => "discrete",
            Variability::Continuous => "continuous",
        }
    }
}

/// How a variable gets its first value; inputs have no such attribute.
#[allow(missing_docs, reason = "the names and meanings are the standard's")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Initial {
    Exact,
    Calculated,
}

impl Initial {
    /// The attribute's text.
    pub fn name(self) -> &'static str {
        match self {
            Initial::Exact => "exact",
            Initial::Calculated => "calculated",
        }
    }
}

/// One variable of the FMU.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Structured name.
    pub name: String,
    /// Meaning with symbol and unit.
    pub description: String,
    /// Equal to the position in the table: unique over all types.
    pub value_reference: u32,
    /// Type.
    pub kind: Kind,
    /// Role.
    pub causality: Causality,
    /// When it may change.
    pub variability: Variability,
    /// Start value; none where the value is calculated.
    pub start: Option<Value>,
    /// Position of the continuous state whose time derivative it is.
    pub derivative_of: Option<usize>,
    /// With which values it is calculated.
    pub part: Part,
    /// Positions in the table of the inputs and states that the value depends on at a communication point,
    /// ascending: `dependencies` of `Outputs` and `Derivatives`. Empty for what is not calculated.
    pub dependencies: Vec<usize>,
    /// Positions of the inputs and parameters that it depends on at initialization, ascending:
    /// `dependencies` of `InitialUnknowns`.
    pub initial_dependencies: Vec<usize>,
    /// Position among the values of the same base type.
    pub(crate) slot: usize,
}

impl Variable {
    /// `initial`: none for inputs.
    pub fn initial(&self) -> Option<Initial> {
        match self.causality {
            Causality::Input => None,
            Causality::Parameter => Some(Initial::Exact),
            Causality::CalculatedParameter | Causality::Output | Causality::Local => Some(Initial::Calculated),
        }
    }

    /// Whether the model computes it.
    pub fn is_calculated(&self) -> bool {
        matches!(self.causality, Causality::CalculatedParameter | Causality::Output | Causality::Local)
    }
}

/// All variables of a model, in the order of `ModelVariables`.
#[derive(Clone, Debug, PartialEq)]
pub struct VariableTable {
    variables: Vec<Variable>,
    counts: [usize; 4],
}

impl VariableTable {
    pub(crate) fn empty() -> Self {
        VariableTable { variables: Vec::new(), counts: [0; 4] }
    }

    /// Appends a variable and returns its position, which is its value reference too.
    pub(crate) fn push(
        &mut self,
        name: impl Into<String>,
        description: impl Into<String>,
        kind: Kind,
        causality: Causality,
        variability: Variability,
        start: Option<Value>,
    ) -> usize {
        let position = self.variables.len();
        let count = &mut self.counts[match kind {
            Kind::Real { .. } => 0,
            Kind::Integer | Kind::Enumeration(_) => 1,
            Kind::Boolean => 2,
            Kind::String => 3,
        }];
        self.variables.push(Variable {
            name: name.into(),
            description: description.into(),
            value_reference: position as u32,
            kind,
            causality,
            variability,
            start,
            derivative_of: None,
            part: Part::Main,
            dependencies: Vec::new(),
            initial_dependencies: Vec::new(),
            slot: *count,
        });
        *count += 1;
        position
    }

    pub(crate) fn set_dependencies(&mut self, position: usize, inputs: &[usize], initial: &[usize]) {
        self.variables[position].dependencies = inputs.to_vec();
        self.variables[position].initial_dependencies = initial.to_vec();
    }

    pub(crate) fn set_part(&mut self, position: usize, part: Part) {
        self.variables[position].part = part;
    }

    pub(crate) fn set_derivative_of(&mut self, position: usize, state: usize) {
        self.variables[position].derivative_of = Some(state);
    }

    /// Positions of the continuous states.
    pub fn states(&self) -> impl Iterator<Item = usize> {
        self.variables.iter().filter_map(|variable| variable.derivative_of)
    }

    /// The variables; position = value reference.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The variable of a value reference.
    #[inline]
    pub fn get(&self, value_reference: u32) -> Option<&Variable> {
        self.variables.get(value_reference as usize)
    }

    /// The variable of a name.
    pub fn find(&self, name: &str) -> Option<&Variable> {
        self.variables.iter().find(|variable| variable.name == name)
    }

    /// The enumerations of its variables, in the order of their first use: `TypeDefinitions`.
    pub fn enumerations(&self) -> Vec<&'static Enumeration> {
        let mut found: Vec<&'static Enumeration> = Vec::new();
        for variable in &self.variables {
            if let Kind::Enumeration(enumeration) = variable.kind
                && !found.contains(&enumeration)
            {
                found.push(enumeration);
            }
        }
        found
    }

    /// Start values, zero where a value is calculated.
    pub(crate) fn start_values(&self) -> Values {
        let [reals, integers, booleans, strings] = self.counts;
        let mut values = Values {
            reals: vec![0.0; reals],
            integers: vec![0; integers],
            booleans: vec![false; booleans],
            strings: vec![c"".to_owned(); strings],
            memory: Vec::new(),
            exchange: Vec::new(),
        };
        for variable in &self.variables {
            match &variable.start {
                None => {}
                Some(Value::Real(start)) => values.reals[variable.slot] = *start,
                Some(Value::Integer(start)) => values.integers[variable.slot] = *start,
                Some(Value::Boolean(start)) => values.booleans[variable.slot] = *start,
                Some(Value::String(start)) => values.strings[variable.slot] = start.clone(),
            }
        }
        values
    }
}
