//! A model other than the contact: the boundary neither knows what it drives, nor lets its panics out.

use super::*;
use crate::configuration::NumberRange;
use crate::fmu::model::Model;
use crate::fmu::parts::Parts;
use crate::fmu::values::{Value, Values};
use crate::fmu::{Causality, Kind, Variability, VariableTable};

/// Integrates its input, y ← y + H u, and panics where u is 13.
struct Integrator {
    table: VariableTable,
}

const INPUT: u32 = 0;
const OUTPUT: u32 = 1;

impl Integrator {
    fn new() -> Self {
        let mut table = VariableTable::empty();
        let kind = Kind::Real { unit: "1", range: NumberRange::Finite };
        table.push("u", "input [1]", kind, Causality::Input, Variability::Continuous, Some(Value::Real(0.0)));
        table.push("y", "output [1]", kind, Causality::Output, Variability::Continuous, None);
        Integrator { table }
    }
}

impl Model for Integrator {
    fn table(&self) -> &VariableTable {
        &self.table
    }
    fn name(&self) -> &str {
        "test"
    }
    fn guid(&self) -> &str {
        "{integrator}"
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
    fn evaluate(&mut self, _: &mut Values, _: &mut Notes) -> Result<(), Fault> {
        Ok(())
    }
    fn do_step(
        &mut self,
        values: &mut Values,
        _: &[f64],
        step: f64,
        _: bool,
        _: &mut Notes,
    ) -> Result<Option<f64>, Fault> {
        let [u, y] = values.reals[..] else { panic!("two variables") };
        assert!(u != 13.0, "bad luck");
        values.reals[1] = y + step * u;
        Ok(Some(0.0))
    }
    fn difference_steps(&self, _: usize, _: &Values) -> Result<[f64; 2], Fault> {
        Ok([1e-6; 2])
    }
    fn output_derivatives(&mut self, _: Parts, values: &Values, _: &[f64], _: f64, _: f64) -> Result<Vec<f64>, Fault> {
        Ok(vec![0.0, values.reals[0]])
    }
    fn recover(&mut self) {}
}

fn insert() -> fmi2Component {
    let host = Host {
        logger: None,
        environment: AtomicPtr::new(ptr::null_mut()),
        instance_name: c"integrator".to_owned(),
        filter: LogFilter::new(true),
    };
    let component = INSTANCES.insert(Slot {
        host,
        instance: Mutex::new(Instance::new(Box::new(Integrator::new()), Interface::CoSimulation)),
    });
    // SAFETY: the handle is ours.
    unsafe {
        assert_eq!(fmi2EnterInitializationMode(component), fmi2Status::fmi2OK);
        assert_eq!(fmi2ExitInitializationMode(component), fmi2Status::fmi2OK);
    }
    component
}

fn step(component: fmi2Component, u: f64) -> (fmi2Status, f64) {
    let mut y = f64::NAN;
    // SAFETY: the arrays have one value each.
    let status = unsafe {
        fmi2SetReal(component, &INPUT, 1, &u);
        let status = fmi2DoStep(component, 0.0, 0.5, FMI2_TRUE);
        fmi2GetReal(component, &OUTPUT, 1, &mut y);
        status
    };
    (status, y)
}

#[test]
fn a_panic_is_an_error_of_one_instance_that_a_reset_heals() {
    let (component, other) = (insert(), insert());
    assert_eq!(step(component, 2.0), (fmi2Status::fmi2OK, 1.0));
    let (status, y) = step(component, 13.0);
    assert_eq!((status, y), (fmi2Status::fmi2Error, 1.0));
    // The error state: no step until a reset.
    assert_eq!(step(component, 2.0).0, fmi2Status::fmi2Error);
    assert_eq!(step(other, 4.0), (fmi2Status::fmi2OK, 2.0));
    // SAFETY: the handles are ours.
    unsafe {
        assert_eq!(fmi2Reset(component), fmi2Status::fmi2OK);
        assert_eq!(fmi2EnterInitializationMode(component), fmi2Status::fmi2OK);
        assert_eq!(fmi2ExitInitializationMode(component), fmi2Status::fmi2OK);
        assert_eq!(step(component, 2.0), (fmi2Status::fmi2OK, 1.0));
        fmi2FreeInstance(component);
        fmi2FreeInstance(other);
    }
}

/// A model with memory goes back with its state: all of it is in its variables.
#[test]
fn a_model_with_memory_is_restored() {
    let component = insert();
    step(component, 2.0);
    let mut state = ptr::null_mut();
    // SAFETY: the handles are ours.
    unsafe {
        assert_eq!(fmi2GetFMUstate(component, &mut state), fmi2Status::fmi2OK);
        assert_eq!(step(component, 2.0).1, 2.0);
        assert_eq!(fmi2SetFMUstate(component, state), fmi2Status::fmi2OK);
        assert_eq!(step(component, 2.0).1, 2.0);
        fmi2FreeInstance(component);
    }
}
