//! The exchange with the host as variables: what a user states of the bodies, and what the exchange tells of itself.

use crate::configuration::{Configuration, NumberRange};
use crate::exchange::{BodyParameters, Delay, Returned};
use crate::fmu::outputs::{Get, Needs, Output, OutputSlots, push_output};
use crate::fmu::parts::Part;
use crate::fmu::values::{Value, Values};
use crate::fmu::variables::{Causality, Kind, Variability, VariableTable};

/// What the exchange tells of itself; 0 unless `stepOutput` is `energy`.
const OUTPUTS: [Output<Returned>; 5] = [
    Output(
        "exchangeError",
        "Energy that the exchange with the host has put in, or with minus taken, since the start",
        Needs::Motion,
        Get::Real("J", |returned| returned.error),
    ),
    Output(
        "exchange.effectiveMass",
        "Mass that the bodies show to the contact, as identified; 0 without contact",
        Needs::Motion,
        Get::Real("kg", |returned| returned.effective_mass),
    ),
    Output(
        "exchange.acceleration",
        "Acceleration of M_f against M_e without contact, as identified, resolved in M_e",
        Needs::Motion,
        Get::Vector("m/s2", |returned| returned.external[0]),
    ),
    Output(
        "exchange.angularAcceleration",
        "Angular acceleration of M_f against M_e without contact, as identified, resolved in M_e",
        Needs::Motion,
        Get::Vector("rad/s2", |returned| returned.external[1]),
    ),
    Output(
        "exchange.delay",
        "Steps after which the host applies a wrench, as identified: 0 or 1",
        Needs::Motion,
        Get::Count(|returned| u32::from(returned.delay == Delay::OneStep)),
    ),
];

/// Slots of these variables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExchangeSlots {
    /// First of seven reals, for E and F.
    bodies: [usize; 2],
    outputs: OutputSlots,
}

/// Appends parameters and outputs.
pub(super) fn push(table: &mut VariableTable, configuration: &Configuration, inputs: &[usize], initial: &[usize]) {
    for (letter, body) in ["E", "F"].iter().zip(&configuration.bodies) {
        let mut push = |name: &str, meaning: String, unit: &'static str, range: NumberRange, start: f64| {
            table.push(
                format!("body{letter}.{name}"),
                format!("{meaning} [{unit}]"),
                Kind::Real { unit, range },
                Causality::Parameter,
                Variability::Tunable,
                Some(Value::Real(start)),
            );
        };
        push("mass", format!("Mass of body {letter}; 0 = unknown"), "kg", NumberRange::NotNegative, body.mass);
        for (i, (axes, start)) in (1..).zip(["xx", "yy", "zz"].iter().zip(body.moments_of_inertia)) {
            let meaning = format!("Moment of inertia of body {letter} about its centre of mass, {axes}; 0 = unknown");
            push(&format!("momentsOfInertia[{i}]"), meaning, "kg.m2", NumberRange::NotNegative, start);
        }
        for (i, (axis, start)) in (1..).zip(["x", "y", "z"].iter().zip(body.centre_of_mass)) {
            let meaning =
                format!("Centre of mass of body {letter} seen from its marker, {axis}; counts with its inertia");
            push(&format!("centreOfMass[{i}]"), meaning, "m", NumberRange::Finite, start);
        }
    }
    for output in &OUTPUTS {
        for position in push_output(table, output) {
            table.set_part(position, Part::Exchange);
            table.set_dependencies(position, inputs, initial);
        }
    }
}

impl ExchangeSlots {
    pub(super) fn find(table: &VariableTable) -> ExchangeSlots {
        let slot = |name: &str| table.find(name).expect("the table has the exchange").slot;
        ExchangeSlots {
            bodies: [slot("bodyE.mass"), slot("bodyF.mass")],
            outputs: OutputSlots { reals: slot("exchangeError"), integers: slot("exchange.delay"), booleans: 0 },
        }
    }

    /// Whether a real is one of the parameters.
    pub(super) fn contains(&self, slot: usize) -> bool {
        self.bodies.iter().any(|first| (*first..first + 7).contains(&slot))
    }

    pub(super) fn bodies(&self, values: &Values) -> [BodyParameters; 2] {
        self.bodies.map(|first| {
            let three = |first: usize| [0, 1, 2].map(|i| values.reals[first + i]);
            BodyParameters {
                mass: values.reals[first],
                moments_of_inertia: three(first + 1),
                centre_of_mass: three(first + 4),
            }
        })
    }

    pub(super) fn store(&self, returned: &Returned, values: &mut Values) {
        self.outputs.store(&OUTPUTS, returned, values);
    }
}
