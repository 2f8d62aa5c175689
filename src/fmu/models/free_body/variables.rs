//! The variables of the FMU of a free rigid body; the outputs have the names of the contact FMU's inputs.

use std::ops::Range;

use crate::configuration::{BODY_VECTORS, FreeBodyConfiguration, NumberRange};
use crate::fmu::capabilities::Capabilities;
use crate::fmu::parameter_variables::variable_name;
use crate::fmu::recorder::push_record;
use crate::fmu::values::{Value, Values};
use crate::fmu::variables::{Causality, Kind, Variability, VariableTable};
use crate::free_body::{BodyChange, BodyState, MarkerMotion, RawBody, STATE_NUMBERS};
use crate::math::{Vector, Wrench};

/// `modelIdentifier` of a body: the base name of the library in the archive.
pub const FREE_BODY_IDENTIFIER: &str = "FreeBody";

/// What the FMU of a body offers.
pub const FREE_BODY_CAPABILITIES: Capabilities = Capabilities {
    model_exchange: true,
    directional_derivatives: true,
    event_indicators: 0,
    output_derivative_order: 1,
};

/// Place of each continuous state among the numbers of a [`BodyState`]: position, quaternion (w, x, y, z), velocity,
/// angular momentum.
const STATE_ORDER: [usize; STATE_NUMBERS] = [0, 1, 2, 9, 6, 7, 8, 3, 4, 5, 10, 11, 12];

/// Position, orientation, velocity, angular velocity.
const OUTPUTS: usize = 18;

/// Real slots of the values that the model reads and writes.
#[derive(Clone, Debug)]
pub(crate) struct FreeBodyLayout {
    wrenches: usize,
    /// First of three per wrench, as are the torques.
    forces: usize,
    torques: usize,
    /// First of the three, nine, three and three outputs.
    outputs: usize,
    mass: usize,
    /// First of [`STATE_NUMBERS`], as are the derivatives.
    states: usize,
    derivatives: usize,
    /// First of three for each of [`BODY_VECTORS`].
    vectors: [usize; BODY_VECTORS.len()],
}

/// The variables of the FMU of a body.
pub fn free_body_variables(configuration: &FreeBodyConfiguration) -> VariableTable {
    build(configuration).0
}

/// Table and layout, which belong together.
pub(crate) fn build(configuration: &FreeBodyConfiguration) -> (VariableTable, FreeBodyLayout) {
    let mut table = VariableTable::empty();
    let wrenches = configuration.wrenches;
    push_wrenches(&mut table, wrenches);
    let outputs = push_outputs(&mut table);
    push_parameters(&mut table, &configuration.body);
    let states = push_states(&mut table);
    let derivatives = states + STATE_NUMBERS;

    // Outputs follow from the state, which inputs change only by a step. At the start they are these parameters.
    let position = |name: &str| table.find(name).expect("the table has its parameters").value_reference as usize;
    let [place, angles, velocity, turn] =
        ["initialPosition[1]", "initialAngles[1]", "initialVelocity[1]", "initialAngularVelocity[1]"].map(position);
    let (mass, last) = (position("mass"), table.variables().len() - 2 * STATE_NUMBERS);
    let all_angles: Vec<usize> = (angles..angles + 3).collect();
    let all_states: Vec<usize> = (states..derivatives).collect();
    let quaternion = &all_states[3..7];
    for i in 0..3 {
        table.set_dependencies(outputs + i, &union(&[states + i], quaternion), &[place + i]);
        table.set_dependencies(outputs + 12 + i, &all_states, &[velocity + i]);
        table.set_dependencies(outputs + 15 + i, &all_states, &[turn + i]);
    }
    for entry in 0..9 {
        table.set_dependencies(outputs + 3 + entry, quaternion, &all_angles);
    }
    // States and their derivatives; at the start they follow from parameters and inputs.
    let inputs: Vec<usize> = (0..6 * wrenches).collect();
    let parameters: Vec<usize> = (mass..last).collect();
    for i in 0..STATE_NUMBERS {
        table.set_dependencies(states + i, &[], &parameters);
        table.set_dependencies(derivatives + i, &union(&inputs, &all_states), &union(&inputs, &parameters));
        table.set_derivative_of(derivatives + i, states + i);
    }

    push_record(&mut table);
    let slot = |name: &str| table.find(name).expect("the table has what the model reads").slot;
    let layout = FreeBodyLayout {
        wrenches,
        forces: slot("force[1,1]"),
        torques: slot("torque[1,1]"),
        outputs: slot("relativePosition[1]"),
        states: slot("state.position[1]"),
        derivatives: slot("der(state.position[1])"),
        mass: slot("mass"),
        vectors: BODY_VECTORS.map(|vector| slot(&format!("{}[1]", variable_name(vector.key)))),
    };
    (table, layout)
}

impl FreeBodyLayout {
    /// The sum of all wrenches in the reals of an instance, or of their derivatives.
    pub(crate) fn wrench(&self, reals: &[f64]) -> Wrench {
        let sum = |first: usize| -> Vector { (0..self.wrenches).map(|k| vector(reals, first + 3 * k)).sum() };
        Wrench { force: sum(self.forces), torque: sum(self.torques) }
    }

    pub(crate) fn is_wrench(&self, slot: usize) -> bool {
        [self.forces, self.torques].iter().any(|first| (*first..first + 3 * self.wrenches).contains(&slot))
    }

    /// Real slots of all of them.
    pub(crate) fn wrench_reals(&self) -> impl Iterator<Item = usize> {
        let count = 3 * self.wrenches;
        (self.forces..self.forces + count).chain(self.torques..self.torques + count)
    }

    /// Real slots of outputs and of derivatives of states.
    pub(crate) fn motion_reals(&self) -> impl Iterator<Item = usize> {
        (self.outputs..self.outputs + OUTPUTS).chain(self.state_derivatives())
    }

    pub(crate) fn body(&self, values: &Values) -> RawBody {
        let mut body = RawBody { mass: values.reals[self.mass], ..RawBody::default() };
        for (parameter, slot) in BODY_VECTORS.iter().zip(self.vectors) {
            *(parameter.field)(&mut body) = vector(&values.reals, slot);
        }
        body
    }

    /// Writes the outputs, or with their derivatives in place of a motion, those.
    pub(crate) fn store(&self, position: Vector, orientation: [f64; 9], rates: [Vector; 2], reals: &mut [f64]) {
        let numbers = position.iter().chain(&orientation).chain(rates.iter().flat_map(|rate| rate.iter()));
        for (slot, number) in reals[self.outputs..].iter_mut().zip(numbers) {
            *slot = *number;
        }
    }

    pub(crate) fn states(&self) -> Range<usize> {
        self.states..self.states + STATE_NUMBERS
    }

    pub(crate) fn state_derivatives(&self) -> Range<usize> {
        self.derivatives..self.derivatives + STATE_NUMBERS
    }

    /// Writes a state and its time derivatives.
    pub(crate) fn store_state(&self, state: &BodyState, rates: &BodyState, values: &mut Values) {
        for (first, numbers) in [(self.states, state), (self.derivatives, rates)] {
            for (slot, place) in values.reals[first..first + STATE_NUMBERS].iter_mut().zip(STATE_ORDER) {
                *slot = numbers.as_numbers()[place];
            }
        }
    }

    /// The numbers of a state in the order of a [`BodyState`].
    pub(crate) fn numbers_of(states: &[f64]) -> [f64; STATE_NUMBERS] {
        let mut numbers = [0.0; STATE_NUMBERS];
        STATE_ORDER.iter().zip(states).for_each(|(place, state)| numbers[*place] = *state);
        numbers
    }

    /// Writes derivatives in place of a motion and of the rates of the state.
    pub(crate) fn store_change(&self, change: &BodyChange, reals: &mut [f64]) {
        let rates = [change.velocity, change.angular_velocity];
        self.store(change.position, row_by_row(&change.rotation), rates, reals);
        for (slot, place) in reals[self.state_derivatives()].iter_mut().zip(STATE_ORDER) {
            *slot = change.rates.as_numbers()[place];
        }
    }

    pub(crate) fn store_motion(&self, motion: &MarkerMotion, values: &mut Values) {
        let rates = [motion.velocity, motion.angular_velocity];
        self.store(motion.position, row_by_row(motion.rotation.matrix()), rates, &mut values.reals);
    }
}

/// The entries of a matrix in the order of the variables.
pub(crate) fn row_by_row(matrix: &crate::math::Matrix) -> [f64; 9] {
    std::array::from_fn(|entry| matrix[(entry / 3, entry % 3)])
}

fn vector(reals: &[f64], first: usize) -> Vector {
    Vector::from_column_slice(&reals[first..first + 3])
}

fn push_wrenches(table: &mut VariableTable, wrenches: usize) {
    for (name, symbol, unit) in [("force", "Force F", "N"), ("torque", "Torque T about the origin of M_f", "N.m")] {
        for k in 1..=wrenches {
            for (i, axis) in (1..).zip(["x", "y", "z"]) {
                table.push(
                    format!("{name}[{k},{i}]"),
                    format!("{symbol} on the body from contact {k}, resolved in M_f, {axis} [{unit}]"),
                    Kind::Real { unit, range: NumberRange::Finite },
                    Causality::Input,
                    Variability::Continuous,
                    Some(Value::Real(0.0)),
                );
            }
        }
    }
}

/// Returns the position of the first of 18.
fn push_outputs(table: &mut VariableTable) -> usize {
    let first = table.variables().len();
    let mut push = |name: String, meaning: String, unit: &'static str| {
        table.push(
            name,
            format!("{meaning} [{unit}]"),
            Kind::Real { unit, range: NumberRange::Finite },
            Causality::Output,
            Variability::Continuous,
            None,
        );
    };
    let axes = || (1..).zip(["x", "y", "z"]);
    for (i, axis) in axes() {
        push(format!("relativePosition[{i}]"), format!("r_EF,{axis}: origin of M_f, the body's marker, in M_e"), "m");
    }
    for (i, j) in (1..=3).flat_map(|i| (1..=3).map(move |j| (i, j))) {
        let meaning = format!("A_EF,{i}{j}: A_EF maps coordinates in M_f to coordinates in M_e");
        push(format!("relativeOrientation[{i},{j}]"), meaning, "1");
    }
    for (i, axis) in axes() {
        let meaning = format!("v_EF,{axis}: velocity of the origin of M_f, resolved in M_e");
        push(format!("relativeVelocity[{i}]"), meaning, "m/s");
    }
    for (i, axis) in axes() {
        let meaning = format!("omega_EF,{axis}: angular velocity of M_f, resolved in M_e");
        push(format!("relativeAngularVelocity[{i}]"), meaning, "rad/s");
    }
    first
}

/// Fixed: a change of mass or inertia would be an impact of its own.
fn push_parameters(table: &mut VariableTable, body: &RawBody) {
    let mut push = |name: String, description: String, unit, range, start: f64| {
        table.push(
            name,
            format!("{description} [{unit}]"),
            Kind::Real { unit, range },
            Causality::Parameter,
            Variability::Fixed,
            Some(Value::Real(start)),
        );
    };
    push("mass".to_owned(), "Mass m".to_owned(), "kg", NumberRange::Positive, body.mass);
    for vector in &BODY_VECTORS {
        let name = variable_name(vector.key);
        for ((i, component), start) in (1..).zip(vector.components).zip(vector.value(body).iter()) {
            let description = format!("{}, {component}", vector.description);
            push(format!("{name}[{i}]"), description, vector.unit, vector.range, *start);
        }
    }
}

/// Appends the continuous states and then their derivatives; returns the position of the first of both.
fn push_states(table: &mut VariableTable) -> usize {
    let first = table.variables().len();
    let axes = ["x", "y", "z"];
    let groups: [(&str, &str, &[&str], &'static str, &'static str); 4] = [
        ("position", "Position of the centre of mass in M_e", &axes, "m", "m/s"),
        ("quaternion", "Quaternion q of A_EF", &["w", "x", "y", "z"], "1", "1/s"),
        ("velocity", "Velocity of the centre of mass in M_e", &axes, "m/s", "m/s2"),
        ("angularMomentum", "Angular momentum L about the centre of mass, resolved in M_e", &axes, "kg.m2/s", "N.m"),
    ];
    for is_derivative in [false, true] {
        for (name, meaning, components, unit, unit_per_time) in groups {
            for (i, component) in (1..).zip(components) {
                let name = format!("state.{name}[{i}]");
                let (name, meaning, unit) = if is_derivative {
                    (format!("der({name})"), format!("Time derivative of: {meaning}, {component}"), unit_per_time)
                } else {
                    (name, format!("{meaning}, {component}"), unit)
                };
                table.push(
                    name,
                    format!("{meaning} [{unit}]"),
                    Kind::Real { unit, range: NumberRange::Finite },
                    Causality::Local,
                    Variability::Continuous,
                    None,
                );
            }
        }
    }
    first
}

/// All of them, ascending; both are.
fn union(a: &[usize], b: &[usize]) -> Vec<usize> {
    let mut all = [a, b].concat();
    all.sort_unstable();
    all
}
