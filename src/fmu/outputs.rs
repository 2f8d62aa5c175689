//! Outputs as a table: each with its name, its meaning, what it depends on, and its place in an outcome.

use std::ops::Range;

use super::values::Values;
use super::variables::{Causality, Kind, Variability, VariableTable};
use crate::configuration::NumberRange;
use crate::math::Vector;

/// Where one output comes from in an outcome of type `O`.
pub(crate) enum Get<O> {
    Real(&'static str, fn(&O) -> f64),
    Vector(&'static str, fn(&O) -> Vector),
    Count(fn(&O) -> u32),
    Flag(fn(&O) -> bool),
}

/// What an output depends on.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Needs {
    /// The pose; both surfaces, method and scheme.
    Pose,
    /// The pose; also the layers.
    PoseAndLayers,
    /// The same, and where there are bristles what these depend on.
    Bristles,
    /// Pose and velocities; all parameters of the force.
    Motion,
    /// The same and the clock.
    MotionAndClock,
}

/// Name, meaning, what it depends on, and where it comes from.
pub(crate) struct Output<O>(pub(crate) &'static str, pub(crate) &'static str, pub(crate) Needs, pub(crate) Get<O>);

/// First slots of the outputs, which follow each other in the order of their table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OutputSlots {
    pub(crate) reals: usize,
    pub(crate) integers: usize,
    pub(crate) booleans: usize,
}

impl OutputSlots {
    /// Writes an outcome to the output variables.
    pub(crate) fn store<O>(&self, outputs: &[Output<O>], outcome: &O, values: &mut Values) {
        let mut reals = values.reals[self.reals..].iter_mut();
        let mut integers = values.integers[self.integers..].iter_mut();
        let mut booleans = values.booleans[self.booleans..].iter_mut();
        for Output(_, _, _, from) in outputs {
            match from {
                Get::Real(_, get) => *reals.next().expect("a slot per output") = get(outcome),
                Get::Vector(_, get) => {
                    for component in get(outcome).iter() {
                        *reals.next().expect("a slot per output") = *component;
                    }
                }
                // Counts beyond the range of fmi2Integer stay at its end.
                Get::Count(get) => {
                    *integers.next().expect("a slot per output") = i32::try_from(get(outcome)).unwrap_or(i32::MAX);
                }
                Get::Flag(get) => *booleans.next().expect("a slot per output") = get(outcome),
            }
        }
    }
}

/// Appends an output; returns the positions of its components.
pub(crate) fn push_output<O>(table: &mut VariableTable, Output(name, meaning, _, from): &Output<O>) -> Range<usize> {
    let first = table.variables().len();
    let real = |unit| Kind::Real { unit, range: NumberRange::Finite };
    let mut push = |name: String, description: String, kind, variability| {
        table.push(name, description, kind, Causality::Output, variability, None);
    };
    match from {
        Get::Real(unit, _) => {
            push((*name).to_owned(), format!("{meaning} [{unit}]"), real(unit), Variability::Continuous);
        }
        Get::Vector(unit, _) => {
            for (i, axis) in (1..).zip(["x", "y", "z"]) {
                let description = format!("{meaning}, {axis} [{unit}]");
                push(format!("{name}[{i}]"), description, real(unit), Variability::Continuous);
            }
        }
        Get::Count(_) => push((*name).to_owned(), format!("{meaning} [1]"), Kind::Integer, Variability::Discrete),
        Get::Flag(_) => push((*name).to_owned(), (*meaning).to_owned(), Kind::Boolean, Variability::Discrete),
    }
    first..table.variables().len()
}
