//! The variables of the contact FMU: one table for getters, setters and `modelDescription.xml`.

use std::ffi::CString;
use std::ops::Range;

use super::contact_enumerations::{
    ELEMENT_SCHEMES, ELEMENT_VALUES, METHOD_VALUES, METHODS, STEP_OUTPUT_VALUES, STEP_OUTPUTS,
};
use super::contact_outputs::OUTPUTS;
use super::motion_inputs::{MotionSlots, push_inputs};
use super::outputs::{Needs, Output, OutputSlots, push_output};
use super::values::{Value, Values};
use super::variables::{Causality, Kind, Variability, VariableTable};
use crate::configuration::{Configuration, NUMBER_PARAMETERS, NumberRange, OrientationInput, StepOutput};
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

/// `maxOutputDerivativeOrder`.
pub const MAX_OUTPUT_DERIVATIVE_ORDER: u32 = 1;

/// Slots of the values that the model reads and writes.
#[derive(Clone, Debug)]
pub(super) struct ContactLayout {
    pub(super) motion: MotionSlots,
    /// Real slots of [`NUMBER_PARAMETERS`].
    pub(super) numbers: [usize; NUMBER_PARAMETERS.len()],
    /// Real slots of the scales of E and F.
    pub(super) scales: [usize; 2],
    pub(super) extrapolation_steps: usize,
    pub(super) combined_layer_stiffness: usize,
    pub(super) penetration_ratio: usize,
    method: usize,
    elements: usize,
    step_output: usize,
    /// Integer slots.
    pub(super) triangles: [usize; 2],
    /// Boolean slots.
    pub(super) reversed: [usize; 2],
    pub(super) measure_time: usize,
    pub(super) enclosed: usize,
    pub(super) border_in_contact: usize,
    /// String slots.
    pub(super) files: [usize; 2],
    outputs: OutputSlots,
}

/// The variables of the FMU of a contact pair.
pub fn contact_variables(configuration: &Configuration) -> VariableTable {
    build(configuration).0
}

/// The FMU's name of a key of the configuration: `surface-e.scale` is `surfaceE.scale`, `contact.method` is `method`.
pub(super) fn variable_name(key: &str) -> String {
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

/// Table and layout, which belong together.
pub(super) fn build(configuration: &Configuration) -> (VariableTable, ContactLayout) {
    let mut table = VariableTable::empty();
    let inputs = push_inputs(&mut table, configuration.orientation);
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
    let layout = layout(&table, configuration.orientation);
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

    pub(super) fn elements(&self, values: &Values) -> ElementScheme {
        ELEMENT_VALUES[values.integers[self.elements] as usize - 1]
    }

    pub(super) fn step_output(&self, values: &Values) -> StepOutput {
        STEP_OUTPUT_VALUES[values.integers[self.step_output] as usize - 1]
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
    let mut push = |name: &str, description: String, kind, variability, start| {
        table.push(name, description, kind, Causality::Parameter, variability, Some(start))
    };
    let text = |text: &str| Value::String(CString::new(text).unwrap_or_default());
    let mut geometry = Vec::new();
    let mut layers = Vec::new();
    let mut laws = Vec::new();
    let mut meshes = Vec::new();
    for (section, letter, surface) in
        [("surface-e", "E", &configuration.surface_e), ("surface-f", "F", &configuration.surface_f)]
    {
        let file = push(
            &format!("surface{letter}.file"),
            format!("Mesh of surface {letter}: relative to the FMU's resources, or absolute"),
            Kind::String,
            Fixed,
            text(&surface.mesh),
        );
        let scale = push(
            &format!("surface{letter}.scale"),
            format!("Factor s from the unit of the file of surface {letter} to metres [1]"),
            Kind::Real { unit: "1", range: NumberRange::Positive },
            Fixed,
            Value::Real(surface.scale),
        );
        let reversed = push(
            &format!("surface{letter}.reversed"),
            format!("Whether the faces of surface {letter} are turned round"),
            Kind::Boolean,
            Fixed,
            Value::Boolean(surface.reversed),
        );
        geometry.extend([file, scale, reversed]);
        meshes.push(vec![file, scale]);
        for number in NUMBER_PARAMETERS.iter().filter(|number| number.section() == section) {
            let kind = Kind::Real { unit: number.unit, range: number.range };
            let start = Value::Real(number.value(&configuration.parameters));
            let description = format!("{} [{}]", number.description, number.unit);
            layers.push(push(&variable_name(number.key), description, kind, Tunable, start));
        }
    }
    for number in NUMBER_PARAMETERS.iter().filter(|number| number.section() == "contact") {
        let kind = Kind::Real { unit: number.unit, range: number.range };
        let start = Value::Real(number.value(&configuration.parameters));
        let description = format!("{} [{}]", number.description, number.unit);
        laws.push(push(&variable_name(number.key), description, kind, Tunable, start));
    }
    let value_of = |position: Option<usize>| Value::Integer(position.expect("every choice has a value") as i32 + 1);
    let method = value_of(METHOD_VALUES.iter().position(|method| *method == configuration.parameters.method));
    let elements = value_of(ELEMENT_VALUES.iter().position(|scheme| *scheme == configuration.parameters.elements));
    let step_output = value_of(STEP_OUTPUT_VALUES.iter().position(|value| *value == configuration.step_output));
    geometry.push(push("method", METHODS.description.to_owned(), Kind::Enumeration(&METHODS), Fixed, method));
    geometry.push(push(
        "elements",
        ELEMENT_SCHEMES.description.to_owned(),
        Kind::Enumeration(&ELEMENT_SCHEMES),
        Fixed,
        elements,
    ));
    let measure_time = push(
        "measureTime",
        "Whether evaluationTime is measured".to_owned(),
        Kind::Boolean,
        Fixed,
        Value::Boolean(false),
    );
    push("stepOutput", STEP_OUTPUTS.description.to_owned(), Kind::Enumeration(&STEP_OUTPUTS), Tunable, step_output);
    push(
        "extrapolationSteps",
        "Steps H by which stepOutput = extrapolate advances the pose [1]".to_owned(),
        Kind::Real { unit: "1", range: NumberRange::NotNegative },
        Tunable,
        Value::Real(configuration.extrapolation_steps),
    );
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
fn positions(a: &[usize], b: &[usize]) -> Vec<usize> {
    let mut all = [a, b].concat();
    all.sort_unstable();
    all
}

fn layout(table: &VariableTable, orientation_input: OrientationInput) -> ContactLayout {
    let slot = |name: &str| table.find(name).expect("the table has what the model reads").slot;
    ContactLayout {
        motion: MotionSlots::find(table, orientation_input),
        numbers: NUMBER_PARAMETERS.map(|number| slot(&variable_name(number.key))),
        scales: [slot("surfaceE.scale"), slot("surfaceF.scale")],
        extrapolation_steps: slot("extrapolationSteps"),
        combined_layer_stiffness: slot("combinedLayerStiffness"),
        penetration_ratio: slot("penetrationRatio"),
        method: slot("method"),
        elements: slot("elements"),
        step_output: slot("stepOutput"),
        triangles: [slot("surfaceE.triangles"), slot("surfaceF.triangles")],
        reversed: [slot("surfaceE.reversed"), slot("surfaceF.reversed")],
        measure_time: slot("measureTime"),
        enclosed: slot("enclosed"),
        border_in_contact: slot("borderInContact"),
        files: [slot("surfaceE.file"), slot("surfaceF.file")],
        outputs: OutputSlots { reals: slot("forceOnE[1]"), integers: slot("patchCount"), booleans: slot("enclosed") },
    }
}
