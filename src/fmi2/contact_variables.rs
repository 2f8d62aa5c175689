//! The variables of the contact FMU: one table for getters, setters and `modelDescription.xml`.

use std::ops::Range;

use super::contact_enumerations::{ELEMENT_SCHEMES, ELEMENT_VALUES, METHOD_VALUES, METHODS};
use super::contact_outputs::OUTPUTS;
use super::flexible_variables;
use super::model::Fault;
use super::motion_inputs::{MotionSlots, push_inputs};
use super::outputs::{Needs, Output, OutputSlots, push_output};
use super::parameter_variables::{StepOutputSlots, push_choice, push_number, push_step_output, variable_name};
use super::surface_source::{SurfacePositions, SurfaceSlots, push_surface};
use super::values::{Value, Values};
use super::variables::{Causality, Kind, Variability, VariableTable};
use crate::configuration::{Configuration, MOST_THREADS, NUMBER_PARAMETERS, NumberRange, THREADS_IN_WORDS};
use crate::contact::{ElementScheme, Method, Outcome};

/// `modelIdentifier`: the base name of the library in the archive.
pub const MODEL_IDENTIFIER: &str = "PolygonalContact";

/// Capability flags of `CoSimulation`, in the order of the schema.
pub const CAPABILITIES: [(&str, bool); 9] = [
    ("needsExecutionTool", false),
    ("canHandleVariableCommunicationStepSize", true),
    ("canInterpolateInputs", true),
    ("canRunAsynchronuously", false),
    ("canBeInstantiatedOnlyOncePerProcess", false),
    ("canNotUseMemoryManagementFunctions", true),
    ("canGetAndSetFMUstate", true),
    ("canSerializeFMUstate", true),
    ("providesDirectionalDerivative", false),
];

/// `maxOutputDerivativeOrder`; the outputs of flexible bodies follow from a history, which has no derivative by formula.
pub fn max_output_derivative_order(configuration: &Configuration) -> u32 {
    u32::from(configuration.flexible.is_none())
}

/// Slots of the values that the model reads and writes.
#[derive(Clone, Debug)]
pub(super) struct ContactLayout {
    pub(super) motion: MotionSlots,
    /// Real slots of [`NUMBER_PARAMETERS`].
    pub(super) numbers: [usize; NUMBER_PARAMETERS.len()],
    pub(super) step_output: StepOutputSlots,
    /// Files of E and F.
    pub(super) surfaces: [SurfaceSlots; 2],
    pub(super) combined_layer_stiffness: usize,
    pub(super) penetration_ratio: usize,
    method: usize,
    elements: usize,
    /// Integer slots.
    pub(super) triangles: [usize; 2],
    threads: usize,
    /// Boolean slots.
    pub(super) measure_time: usize,
    pub(super) enclosed: usize,
    pub(super) border_in_contact: usize,
    pub(super) defect_in_contact: usize,
    pub(super) beyond_layer: usize,
    /// Real slot.
    pub(super) max_penetration: usize,
    outputs: OutputSlots,
}

/// The variables of the FMU of a contact pair.
pub fn contact_variables(configuration: &Configuration) -> VariableTable {
    match &configuration.flexible {
        None => build(configuration).0,
        Some(parameters) => flexible_variables::build(configuration, parameters).0,
    }
}

/// Table and layout, which belong together.
pub(super) fn build(configuration: &Configuration) -> (VariableTable, ContactLayout) {
    let mut table = VariableTable::empty();
    let inputs = push_inputs(&mut table, configuration);
    let outputs: Vec<Range<usize>> = OUTPUTS.iter().map(|output| push_output(&mut table, output)).collect();
    let parameters = push_parameters(&mut table, configuration);

    // Dependencies: what each calculated value needs, as positions in the table.
    let all_inputs = positions(&inputs.pose, &inputs.velocities);
    let geometry = &parameters.geometry;
    let force = positions(geometry, &positions(&parameters.layers, &parameters.laws));
    for (Output(_, _, needs, _), positions_of_output) in OUTPUTS.iter().zip(outputs) {
        let known_inputs = match needs {
            Needs::Pose | Needs::PoseAndLayers => &inputs.pose,
            Needs::Motion | Needs::MotionAndClock => &all_inputs,
        };
        let known_parameters = match needs {
            Needs::Pose => geometry.clone(),
            Needs::PoseAndLayers => positions(geometry, &parameters.layers),
            Needs::Motion => force.clone(),
            Needs::MotionAndClock => positions(&force, &[parameters.measure_time]),
        };
        let initial = positions(known_inputs, &known_parameters);
        for position in positions_of_output {
            // After a step the pose may have been advanced with the velocities (`stepOutput`).
            table.set_dependencies(position, &all_inputs, &initial);
        }
    }
    for (position, initial) in &parameters.calculated {
        table.set_dependencies(*position, &[], initial);
    }
    let layout = layout(&table, configuration);
    (table, layout)
}

impl ContactLayout {
    /// Writes an outcome to the output variables.
    pub(super) fn store(&self, outcome: &Outcome, values: &mut Values) {
        self.outputs.store(&OUTPUTS, outcome, values);
    }

    pub(super) fn method(&self, values: &Values) -> Method {
        METHOD_VALUES[values.integers[self.method] as usize - 1]
    }

    /// How many threads may work on an evaluation.
    pub(super) fn threads(&self, values: &Values) -> Result<usize, Fault> {
        let threads = values.integers[self.threads];
        match u32::try_from(threads) {
            Ok(number) if (1..=MOST_THREADS).contains(&number) => Ok(number as usize),
            _ => Err(Fault::Refused(format!("`threads` is {threads}, but must be {THREADS_IN_WORDS}"))),
        }
    }

    pub(super) fn elements(&self, values: &Values) -> ElementScheme {
        ELEMENT_VALUES[values.integers[self.elements] as usize - 1]
    }
}

/// Positions in the table.
struct Parameters {
    /// Files, scales, senses, method and scheme.
    geometry: Vec<usize>,
    /// Moduli, ratios, thicknesses.
    layers: Vec<usize>,
    /// Damping and friction.
    laws: Vec<usize>,
    measure_time: usize,
    /// Calculated parameters with what they depend on.
    calculated: Vec<(usize, Vec<usize>)>,
}

fn push_parameters(table: &mut VariableTable, configuration: &Configuration) -> Parameters {
    use Variability::{Fixed, Tunable};
    let parameters = &configuration.parameters;
    let mut geometry = Vec::new();
    let mut layers = Vec::new();
    let mut meshes = Vec::new();
    let push_section = |table: &mut VariableTable, section: &str| -> Vec<usize> {
        let numbers = NUMBER_PARAMETERS.iter().filter(|number| number.section() == section);
        numbers.map(|number| push_number(table, number, parameters, Tunable)).collect()
    };
    for (section, letter, surface) in
        [("surface-e", "E", &configuration.surface_e), ("surface-f", "F", &configuration.surface_f)]
    {
        let SurfacePositions { file, reading } = push_surface(table, letter, surface);
        geometry.push(file);
        geometry.extend(&reading);
        // The number of triangles does not depend on the sense.
        meshes.push(vec![file, reading[0]]);
        layers.extend(push_section(table, section));
    }
    let laws = push_section(table, "contact");
    geometry.push(push_choice(table, "method", &METHODS, &METHOD_VALUES, &parameters.method, Fixed));
    geometry.push(push_choice(table, "elements", &ELEMENT_SCHEMES, &ELEMENT_VALUES, &parameters.elements, Fixed));
    let measure_time = table.push(
        "measureTime",
        "Whether evaluationTime is measured",
        Kind::Boolean,
        Causality::Parameter,
        Fixed,
        Some(Value::Boolean(false)),
    );
    table.push(
        "threads",
        "Threads that may work on a large contact, from 1 to 64; the outputs do not depend on it [1]",
        Kind::Integer,
        Causality::Parameter,
        Fixed,
        Some(Value::Integer(configuration.threads as i32)),
    );
    push_step_output(table, configuration);
    let mut calculated = |name: &str, description: &str, kind, variability, initial: &[usize]| {
        let position = table.push(name, description, kind, Causality::CalculatedParameter, variability, None);
        (position, initial.to_vec())
    };
    let real = |unit| Kind::Real { unit, range: NumberRange::Finite };
    let calculated = vec![
        calculated(
            "combinedLayerStiffness",
            "Stiffness c_l of both layers in series [N/m3]",
            real("N/m3"),
            Tunable,
            &layers,
        ),
        calculated(
            "penetrationRatio",
            "Part lambda of the penetration that the layer of E takes [1]",
            real("1"),
            Tunable,
            &layers,
        ),
        calculated("surfaceE.triangles", "Triangles n_E of surface E [1]", Kind::Integer, Fixed, &meshes[0]),
        calculated("surfaceF.triangles", "Triangles n_F of surface F [1]", Kind::Integer, Fixed, &meshes[1]),
    ];
    Parameters { geometry, layers, laws, measure_time, calculated }
}

/// The union in ascending order.
pub(super) fn positions(a: &[usize], b: &[usize]) -> Vec<usize> {
    let mut all = [a, b].concat();
    all.sort_unstable();
    all
}

fn layout(table: &VariableTable, configuration: &Configuration) -> ContactLayout {
    let slot = |name: &str| table.find(name).expect("the table has what the model reads").slot;
    ContactLayout {
        motion: MotionSlots::find(table, configuration.orientation),
        numbers: NUMBER_PARAMETERS.map(|number| slot(&variable_name(number.key))),
        step_output: StepOutputSlots::find(table),
        surfaces: [('E', &configuration.surface_e), ('F', &configuration.surface_f)]
            .map(|(letter, surface)| SurfaceSlots::find(table, letter, surface)),
        combined_layer_stiffness: slot("combinedLayerStiffness"),
        penetration_ratio: slot("penetrationRatio"),
        method: slot("method"),
        elements: slot("elements"),
        triangles: [slot("surfaceE.triangles"), slot("surfaceF.triangles")],
        threads: slot("threads"),
        measure_time: slot("measureTime"),
        enclosed: slot("enclosed"),
        border_in_contact: slot("borderInContact"),
        defect_in_contact: slot("defectInContact"),
        beyond_layer: slot("beyondLayer"),
        max_penetration: slot("maxPenetration"),
        outputs: OutputSlots { reals: slot("forceOnE[1]"), integers: slot("patchCount"), booleans: slot("enclosed") },
    }
}
