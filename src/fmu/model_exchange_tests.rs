//! A model with states, event indicators and derivatives both by formula and by differences, all in one: what a contact
//! with memory needs.

use super::*;
use crate::configuration::NumberRange;
use crate::fmu::jacobian::{ExactColumn, Formula};
use crate::fmu::model::{Model, Notes};
use crate::fmu::state::Interface;
use crate::fmu::values::{Value, Values};
use crate::fmu::variables::{Causality, Kind, Variability, VariableTable};

/// ẋ = v, v̇ = −x³ + u; an output x u, and a gap 1 − x. Reals: u, x u, gap, x, v, ẋ, v̇.
struct Spring {
    table: VariableTable,
}

const INPUT: u32 = 0;
const OUTPUT: u32 = 1;
const STATES: u32 = 3;
const RATES: u32 = 5;

impl Spring {
    fn new() -> Self {
        let mut table = VariableTable::empty();
        let real = Kind::Real { unit: "1", range: NumberRange::Finite };
        let mut push =
            |name: &str, causality, start| table.push(name, "", real, causality, Variability::Continuous, start);
        push("u", Causality::Input, Some(Value::Real(0.5)));
        push("output", Causality::Output, None);
        push("gap", Causality::Output, None);
        for name in ["x", "v", "der(x)", "der(v)"] {
            push(name, Causality::Local, None);
        }
        table.set_part(2, Part::Gap);
        table.set_dependencies(1, &[0, 3], &[]);
        table.set_dependencies(2, &[3], &[]);
        table.set_dependencies(5, &[4], &[]);
        table.set_dependencies(6, &[0, 3], &[]);
        table.set_derivative_of(5, 3);
        table.set_derivative_of(6, 4);
        Spring { table }
    }

    fn state(values: &Values) -> [f64; 2] {
        values.memory.as_slice().try_into().unwrap_or([0.25, -2.0])
    }
}

impl Model for Spring {
    fn table(&self) -> &VariableTable {
        &self.table
    }

    fn name(&self) -> &str {
        "test"
    }
    fn guid(&self) -> &str {
        "spring"
    }

    fn prepare(&mut self, _: &Values, _: Option<&[u8; 32]>, _: &mut Notes) -> Result<(), Fault> {
        Ok(())
    }

    fn check_parameters(&self, _: &Values) -> Result<(), Fault> {
        Ok(())
    }

    fn files_digest(&self) -> [u8; 32] {
        [0; 32]
    }

    fn uses_input_derivative(&self, _: usize) -> bool {
        false
    }

    fn states(&self) -> Range<usize> {
        3..5
    }

    fn state_derivatives(&self) -> Range<usize> {
        5..7
    }

    fn set_states(&self, states: &[f64], values: &mut Values) -> Result<(), Fault> {
        values.memory = states.to_vec();
        Ok(())
    }

    fn event_indicators(&self) -> Range<usize> {
        2..3
    }

    fn evaluate(&mut self, values: &mut Values, _: &mut Notes) -> Result<(), Fault> {
        let ([x, v], u) = (Spring::state(values), values.reals[0]);
        values.reals[1] = x * u;
        values.reals[3..].copy_from_slice(&[x, v, v, u - x * x * x]);
        Ok(())
    }

    fn evaluate_part(&mut self, part: Part, values: &mut Values, _: &[f64], _: f64) -> Result<(), Fault> {
        if part == Part::Gap {
            values.reals[2] = 1.0 - Spring::state(values)[0];
        }
        Ok(())
    }

    /// Of the output only.
    fn formula(&self, _: &Values, unknown: usize, _: usize) -> Option<Formula> {
        (unknown == 1).then_some(Formula::Motion)
    }

    fn exact_derivatives(&mut self, _: Formula, values: &Values) -> Result<Vec<ExactColumn>, Fault> {
        let ([x, _], u) = (Spring::state(values), values.reals[0]);
        Ok(vec![ExactColumn::new(0, [(1, x)]), ExactColumn::new(3, [(1, u)])])
    }

    fn difference_steps(&self, _: usize, _: &Values) -> Result<[f64; 2], Fault> {
        Ok([1e-5; 2])
    }

    fn do_step(&mut self, _: &mut Values, _: &[f64], _: f64, _: bool, _: &mut Notes) -> Result<Option<f64>, Fault> {
        Ok(None)
    }

    fn output_derivatives(&mut self, _: Parts, values: &Values, _: &[f64], _: f64, _: f64) -> Result<Vec<f64>, Fault> {
        Ok(vec![0.0; values.reals.len()])
    }

    fn recover(&mut self) {}
}

fn in_continuous_time_mode() -> Instance {
    let mut instance = Instance::new(Box::new(Spring::new()), Interface::ModelExchange);
    instance.enter_initialization_mode().unwrap();
    instance.exit_initialization_mode().unwrap();
    instance.new_discrete_states().unwrap();
    instance.enter_continuous_time_mode().unwrap();
    instance
}

#[test]
fn states_and_event_indicators_live_side_by_side() {
    let mut instance = in_continuous_time_mode();
    let (mut states, mut rates, mut gap) = ([0.0; 2], [0.0; 2], [0.0]);
    instance.continuous_states(&mut states).unwrap();
    assert_eq!(states, [0.25, -2.0], "the start, before the host has set any");
    instance.set_continuous_states(&[2.0, 3.0]).unwrap();
    instance.event_indicators(&mut gap).unwrap();
    instance.derivatives(&mut rates).unwrap();
    assert_eq!((gap, rates), ([-1.0], [3.0, 0.5 - 8.0]));
    // A refused state changes nothing.
    assert!(instance.set_continuous_states(&[f64::NAN, 0.0]).is_err());
    assert!(instance.set_continuous_states(&[1.0]).is_err());
    instance.continuous_states(&mut states).unwrap();
    assert_eq!(states, [2.0, 3.0]);
    // States are part of what is saved.
    let snapshot = instance.snapshot();
    instance.set_continuous_states(&[0.0, 0.0]).unwrap();
    instance.restore(&snapshot).unwrap();
    instance.derivatives(&mut rates).unwrap();
    assert_eq!(rates, [3.0, -7.5]);
}

#[test]
fn derivatives_go_by_formula_where_there_is_one_and_by_differences_else() {
    let mut instance = in_continuous_time_mode();
    instance.set_continuous_states(&[2.0, 3.0]).unwrap();
    let mut by = |unknown: u32, known: u32| {
        let mut result = [f64::NAN];
        instance.directional_derivative(&[unknown], &[known], &[1.0], &mut result).unwrap();
        result[0]
    };
    assert_eq!((by(OUTPUT, INPUT), by(OUTPUT, STATES)), (2.0, 0.5));
    // d(−x³)/dx = −12; the square of the step times the third derivative over 6 is 1e-10.
    assert!((by(RATES + 1, STATES) + 12.0).abs() < 1e-9 && (by(RATES + 1, INPUT) - 1.0).abs() < 1e-9);
    assert!((by(RATES, STATES + 1) - 1.0).abs() < 1e-9 && (by(2, STATES) + 1.0).abs() < 1e-9);
    assert_eq!(by(RATES, STATES), 0.0, "no dependency");
    // At other states they are others.
    instance.set_continuous_states(&[1.0, 3.0]).unwrap();
    let mut result = [f64::NAN];
    instance.directional_derivative(&[RATES + 1, OUTPUT], &[STATES], &[1.0], &mut [0.0, 0.0]).unwrap();
    instance.directional_derivative(&[RATES + 1], &[STATES], &[2.0], &mut result).unwrap();
    assert!((result[0] + 6.0).abs() < 1e-9, "{result:?}");
}
