//! The variables of the FMU of a pair with a flexible body.

use std::ops::Range;

use super::enumerations::{SOLVER_VALUES, SOLVERS, SUBMODEL_VALUES, SUBMODELS};
use super::outputs::OUTPUTS;
use crate::configuration::{Configuration, FLEXIBLE_NUMBER_PARAMETERS, NumberRange};
use crate::flexible::{FlexibleOutcome, RawFlexibleParameters};
use crate::fmu::models::contact::variables::positions;
use crate::fmu::motion_inputs::{MotionSlots, push_inputs};
use crate::fmu::outputs::{OutputSlots, push_output};
use crate::fmu::parameter_variables::{StepOutputSlots, push_choice, push_number, push_step_output};
use crate::fmu::recorder::push_record;
use crate::fmu::surface_source::{SurfaceSlots, push_surface};
use crate::fmu::values::{Value, Values};
use crate::fmu::variables::{Causality, Kind, Variability, VariableTable};

/// Numbers of the submodel `damped`, which shape its matrices: they do not change within a run.
const FIXED_NUMBERS: [&str; 2] = ["flexible.damped-period", "flexible.transition-damping"];

/// Slots of the values that the model reads and writes.
#[derive(Clone, Debug)]
pub(crate) struct FlexibleLayout {
    pub(crate) motion: MotionSlots,
    pub(crate) step_output: StepOutputSlots,
    /// Files of E and F.
    pub(crate) surfaces: [SurfaceSlots; 2],
    /// Real slots of [`FLEXIBLE_NUMBER_PARAMETERS`].
    numbers: [usize; FLEXIBLE_NUMBER_PARAMETERS.len()],
    submodel: usize,
    solver: usize,
    iteration_limit: usize,
    /// Integer slots.
    pub(crate) triangles: [usize; 2],
    /// Integer slots, with the real slot of the mass; none for a rigid body.
    pub(crate) bodies: [Option<BodySlots>; 2],
    /// Boolean slots.
    pub(crate) enclosed: usize,
    pub(crate) border_in_contact: usize,
    outputs: OutputSlots,
}

/// Slots of what is told about a flexible body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodySlots {
    pub(crate) contact_nodes: usize,
    pub(crate) modes: usize,
    pub(crate) low_frequency_modes: usize,
    /// Real slot.
    pub(crate) mass: usize,
}

/// Table and layout, which belong together.
pub(crate) fn build(
    configuration: &Configuration,
    parameters: &RawFlexibleParameters,
) -> (VariableTable, FlexibleLayout) {
    let mut table = VariableTable::empty();
    let inputs = push_inputs(&mut table, configuration);
    let outputs: Vec<Range<usize>> = OUTPUTS.iter().map(|output| push_output(&mut table, output)).collect();
    let mut all_parameters = Vec::new();
    let mut calculated = Vec::new();
    for (letter, surface) in [("E", &configuration.surface_e), ("F", &configuration.surface_f)] {
        let surface_positions = push_surface(&mut table, letter, surface);
        all_parameters.push(surface_positions.file);
        all_parameters.extend(&surface_positions.reading);
        calculated.push((letter, surface.is_flexible, surface_positions.file));
    }
    for number in &FLEXIBLE_NUMBER_PARAMETERS {
        let is_fixed = FIXED_NUMBERS.contains(&number.key);
        let variability = if is_fixed { Variability::Fixed } else { Variability::Tunable };
        all_parameters.push(push_number(&mut table, number, parameters, variability));
    }
    let fixed = Variability::Fixed;
    let submodel = &parameters.submodel;
    all_parameters.extend([
        push_choice(&mut table, "flexible.submodel", &SUBMODELS, &SUBMODEL_VALUES, submodel, fixed),
        push_choice(&mut table, "flexible.solver", &SOLVERS, &SOLVER_VALUES, &parameters.solver, fixed),
        table.push(
            "flexible.iterationLimit",
            "Most iterations per equilibrium, 1 or above [1]",
            Kind::Integer,
            Causality::Parameter,
            Variability::Tunable,
            Some(Value::Integer(i32::try_from(parameters.iteration_limit).unwrap_or(i32::MAX))),
        ),
    ]);
    push_step_output(&mut table, configuration);
    for (letter, is_flexible, file) in calculated {
        push_calculated(&mut table, letter, is_flexible, file);
    }

    let all_inputs = positions(&inputs.pose, &inputs.velocities);
    let initial = positions(&all_inputs, &all_parameters);
    for position in outputs.into_iter().flatten() {
        table.set_dependencies(position, &all_inputs, &initial);
    }
    push_record(&mut table);
    let layout = layout(&table, configuration);
    (table, layout)
}

/// What is told about a body, which depends on its file alone.
fn push_calculated(table: &mut VariableTable, letter: &str, is_flexible: bool, file: usize) {
    let mut push = |name: &str, description: String, kind| {
        let name = format!("surface{letter}.{name}");
        let position = table.push(name, description, kind, Causality::CalculatedParameter, Variability::Fixed, None);
        table.set_dependencies(position, &[], &[file]);
    };
    push("triangles", format!("Triangles n_{letter} of surface {letter} [1]"), Kind::Integer);
    if is_flexible {
        push("contactNodes", format!("Contact nodes of body {letter} [1]"), Kind::Integer);
        push("modes", format!("Modes of body {letter} [1]"), Kind::Integer);
        push("lowFrequencyModes", format!("Modes of body {letter} below the split [1]"), Kind::Integer);
        let real = Kind::Real { unit: "kg", range: NumberRange::Finite };
        push("mass", format!("Mass m_{letter} of body {letter}, for the host's rigid body [kg]"), real);
    }
}

impl FlexibleLayout {
    /// Writes an outcome to the output variables.
    pub(crate) fn store(&self, outcome: &FlexibleOutcome, values: &mut Values) {
        self.outputs.store(&OUTPUTS, outcome, values);
    }

    pub(crate) fn parameters(&self, values: &Values) -> RawFlexibleParameters {
        let mut raw = RawFlexibleParameters {
            submodel: SUBMODEL_VALUES[values.integers[self.submodel] as usize - 1],
            solver: SOLVER_VALUES[values.integers[self.solver] as usize - 1],
            // A negative limit is out of range as 0 is.
            iteration_limit: u32::try_from(values.integers[self.iteration_limit]).unwrap_or(0),
            ..RawFlexibleParameters::default()
        };
        for (number, slot) in FLEXIBLE_NUMBER_PARAMETERS.iter().zip(self.numbers) {
            *(number.field)(&mut raw) = values.reals[slot];
        }
        raw
    }
}

fn layout(table: &VariableTable, configuration: &Configuration) -> FlexibleLayout {
    let slot = |name: &str| table.find(name).expect("the table has what the model reads").slot;
    let bodies = [('E', &configuration.surface_e), ('F', &configuration.surface_f)].map(|(letter, surface)| {
        surface.is_flexible.then(|| BodySlots {
            contact_nodes: slot(&format!("surface{letter}.contactNodes")),
            modes: slot(&format!("surface{letter}.modes")),
            low_frequency_modes: slot(&format!("surface{letter}.lowFrequencyModes")),
            mass: slot(&format!("surface{letter}.mass")),
        })
    });
    FlexibleLayout {
        motion: MotionSlots::find(table, configuration.orientation),
        step_output: StepOutputSlots::find(table),
        surfaces: [('E', &configuration.surface_e), ('F', &configuration.surface_f)]
            .map(|(letter, surface)| SurfaceSlots::find(table, letter, surface)),
        numbers: FLEXIBLE_NUMBER_PARAMETERS
            .map(|number| slot(&crate::fmu::parameter_variables::variable_name(number.key))),
        submodel: slot("flexible.submodel"),
        solver: slot("flexible.solver"),
        iteration_limit: slot("flexible.iterationLimit"),
        triangles: [slot("surfaceE.triangles"), slot("surfaceF.triangles")],
        bodies,
        enclosed: slot("enclosed"),
        border_in_contact: slot("borderInContact"),
        outputs: OutputSlots { reals: slot("forceOnE[1]"), integers: slot("elementCount"), booleans: slot("enclosed") },
    }
}
