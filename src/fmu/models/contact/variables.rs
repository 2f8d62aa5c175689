//! The variables of the contact FMU: one table for getters, setters and `modelDescription.xml`.

use std::ops::Range;

use nalgebra::Matrix6;

use super::bristles::{STATES, push_states};
use super::derivatives::{SLOW_OUTPUTS, WITH_BRISTLES_ONLY, WITHOUT_FORMULA};
use super::enumerations::{ELEMENT_SCHEMES, ELEMENT_VALUES, FRICTION_MODELS, FRICTION_VALUES, METHOD_VALUES, METHODS};
use super::exchange::{self, ExchangeSlots};
use super::outputs::{GAP_OUTPUTS, MATRIX_OUTPUTS, MatrixOutput, OUTPUTS};
use crate::configuration::{Configuration, MOST_THREADS, NUMBER_PARAMETERS, NumberRange, THREADS_IN_WORDS};
use crate::contact::{ElementScheme, FrictionModel, Gap, Method, Outcome};
use crate::fmu::capabilities::Capabilities;
use crate::fmu::jacobian::Formula;
use crate::fmu::model::Fault;
use crate::fmu::models::flexible;
use crate::fmu::motion_inputs::{MotionSlots, push_inputs};
use crate::fmu::outputs::{Needs, Output, OutputSlots, push_output};
use crate::fmu::parameter_variables::{StepOutputSlots, push_choice, push_number, push_step_output, variable_name};
use crate::fmu::parts::Part;
use crate::fmu::recorder::push_record;
use crate::fmu::surface_source::{SurfacePositions, SurfaceSlots, push_surface};
use crate::fmu::values::{Value, Values};
use crate::fmu::variables::{Causality, Kind, Variability, VariableTable};
use crate::math::Vector;

/// `modelIdentifier`: the base name of the library in the archive.
pub const MODEL_IDENTIFIER: &str = "PolygonalContact";

/// What the FMU of a contact pair offers. With flexible bodies the outputs follow from a history, which only steps know.
pub fn contact_capabilities(configuration: &Configuration) -> Capabilities {
    let is_rigid = configuration.flexible.is_none();
    Capabilities {
        model_exchange: is_rigid,
        directional_derivatives: is_rigid,
        event_indicators: usize::from(is_rigid),
        output_derivative_order: u32::from(is_rigid),
    }
}

/// The output that is a part of its own.
const ENERGY: &str = "elasticEnergy";

/// Slots of the values that the model reads and writes.
#[derive(Clone, Debug)]
pub(crate) struct ContactLayout {
    pub(crate) motion: MotionSlots,
    /// Real slots of [`NUMBER_PARAMETERS`].
    pub(crate) numbers: [usize; NUMBER_PARAMETERS.len()],
    pub(crate) step_output: StepOutputSlots,
    /// Files of E and F.
    pub(crate) surfaces: [SurfaceSlots; 2],
    pub(crate) combined_layer_stiffness: usize,
    pub(crate) penetration_ratio: usize,
    method: usize,
    elements: usize,
    friction_model: usize,
    /// Real slot of the first of the continuous states, behind which are their derivatives; none without bristles.
    first_state: Option<usize>,
    /// Integer slots.
    pub(crate) triangles: [usize; 2],
    threads: usize,
    /// Boolean slots.
    pub(crate) measure_time: usize,
    pub(crate) in_contact: usize,
    pub(crate) enclosed: usize,
    pub(crate) border_in_contact: usize,
    pub(crate) defect_in_contact: usize,
    pub(crate) beyond_layer: usize,
    pub(crate) beyond_half_thickness: usize,
    stiffness_output: usize,
    /// Real slot.
    pub(crate) max_penetration: usize,
    pub(crate) elastic_energy: usize,
    outputs: OutputSlots,
    gap: OutputSlots,
    /// Of the first of 36 and 36 reals.
    matrices: usize,
    pub(crate) exchange: ExchangeSlots,
    /// Real slots of the outputs of the main part, ascending, with the formula of their derivatives.
    pub(crate) main_reals: Vec<(usize, Formula)>,
    /// Those of outputs that have no formula, the first of them with bristles only.
    without_formula: [usize; WITHOUT_FORMULA.len()],
}

/// The variables of the FMU of a contact pair.
pub fn contact_variables(configuration: &Configuration) -> VariableTable {
    match &configuration.flexible {
        None => build(configuration).0,
        Some(parameters) => flexible::variables::build(configuration, parameters).0,
    }
}

/// Table and layout, which belong together.
pub(crate) fn build(configuration: &Configuration) -> (VariableTable, ContactLayout) {
    let mut table = VariableTable::empty();
    let inputs = push_inputs(&mut table, configuration);
    let outputs: Vec<Range<usize>> = OUTPUTS.iter().map(|output| push_output(&mut table, output)).collect();
    let gap = GAP_OUTPUTS.iter().map(|output| push_output(&mut table, output)).collect::<Vec<_>>();
    let matrices = push_matrices(&mut table);
    let parameters = push_parameters(&mut table, configuration);
    // Only a pair with bristles has a memory.
    let has_states = configuration.parameters.friction_model == FrictionModel::Bristle;
    let all_states: Vec<usize> = match has_states {
        true => (push_states(&mut table)..).take(STATES).collect(),
        false => Vec::new(),
    };

    // Dependencies: what each calculated value needs, as positions in the table.
    let all_inputs = positions(&inputs.pose, &inputs.velocities);
    exchange::push(&mut table, configuration, &all_inputs, &inputs.pose);
    let geometry = &parameters.geometry;
    let force = positions(geometry, &positions(&parameters.layers, &parameters.laws));
    for (Output(name, _, needs, _), positions_of_output) in OUTPUTS.iter().zip(outputs) {
        let needs = match (needs, has_states) {
            (Needs::Bristles, true) => Needs::Motion,
            (Needs::Bristles, false) => Needs::PoseAndLayers,
            (needs, _) => *needs,
        };
        let known_inputs = match needs {
            Needs::Pose | Needs::PoseAndLayers | Needs::Bristles => &inputs.pose,
            Needs::Motion | Needs::MotionAndClock => &all_inputs,
        };
        let known_parameters = match needs {
            Needs::Pose => geometry.clone(),
            Needs::PoseAndLayers | Needs::Bristles => positions(geometry, &parameters.layers),
            Needs::Motion => force.clone(),
            Needs::MotionAndClock => positions(&force, &[parameters.measure_time]),
        };
        let initial = positions(known_inputs, &known_parameters);
        // Bristles, whose deflection is a state, act where velocities do.
        let known = match needs {
            Needs::Pose | Needs::PoseAndLayers | Needs::Bristles => all_inputs.clone(),
            Needs::Motion | Needs::MotionAndClock => positions(&all_inputs, &all_states),
        };
        for position in positions_of_output {
            // After a step the pose may have been advanced with the velocities (`stepOutput`).
            table.set_dependencies(position, &known, &initial);
            if *name == ENERGY {
                table.set_part(position, Part::Energy);
            }
        }
    }
    let of_rates = positions(&all_inputs, &force);
    for state in &all_states {
        table.set_dependencies(*state, &[], &[]);
        table.set_dependencies(state + STATES, &positions(&all_inputs, &all_states), &of_rates);
        table.set_derivative_of(state + STATES, *state);
    }
    let of_gap = positions(&inputs.pose, geometry);
    for position in gap.into_iter().flatten() {
        table.set_dependencies(position, &all_inputs, &of_gap);
        table.set_part(position, Part::Gap);
    }
    let of_matrices = positions(&positions(&all_inputs, &force), &[parameters.stiffness_output]);
    for position in matrices {
        table.set_dependencies(position, &positions(&all_inputs, &all_states), &of_matrices);
        table.set_part(position, Part::Stiffness);
    }
    for (position, initial) in &parameters.calculated {
        table.set_dependencies(*position, &[], initial);
    }
    push_record(&mut table);
    let layout = layout(&table, configuration);
    (table, layout)
}

impl ContactLayout {
    /// Writes an outcome to the output variables.
    pub(crate) fn store(&self, outcome: &Outcome, values: &mut Values) {
        self.outputs.store(&OUTPUTS, outcome, values);
    }

    pub(crate) fn store_gap(&self, gap: &Gap, values: &mut Values) {
        self.gap.store(&GAP_OUTPUTS, gap, values);
    }

    /// What was stored, without faces.
    pub(crate) fn stored_gap(&self, values: &Values) -> Gap {
        let vector = |first: usize| Vector::from_column_slice(&values.reals[first..first + 3]);
        let first = self.gap.reals;
        Gap {
            distance: values.reals[first],
            nearest_on_e_e: vector(first + 1),
            nearest_on_f_f: vector(first + 4),
            faces: None,
        }
    }

    /// The real slot of the gap, the event indicator.
    pub(crate) fn gap(&self) -> usize {
        self.gap.reals
    }

    /// Real slots of the gap and its points.
    pub(crate) fn gap_reals(&self) -> Range<usize> {
        self.gap.reals..self.matrices
    }

    pub(crate) fn has_stiffness_output(&self, values: &Values) -> bool {
        values.booleans[self.stiffness_output]
    }

    /// Whether a real is a modulus, where 0 stands for a rigid body.
    pub(crate) fn is_modulus(&self, slot: usize) -> bool {
        let numbers = NUMBER_PARAMETERS.iter().zip(self.numbers);
        numbers.into_iter().any(|(number, of)| of == slot && number.key.ends_with("youngs-modulus"))
    }

    /// Writes stiffness and damping, row by row.
    pub(crate) fn store_matrices(&self, matrices: &[Matrix6<f64>; 2], values: &mut Values) {
        for (matrix, first) in matrices.iter().zip([self.matrices, self.matrices + 36]) {
            for (entry, slot) in values.reals[first..first + 36].iter_mut().enumerate() {
                *slot = matrix[(entry / 6, entry % 6)];
            }
        }
    }

    pub(crate) fn method(&self, values: &Values) -> Method {
        METHOD_VALUES[values.integers[self.method] as usize - 1]
    }

    /// How many threads may work on an evaluation.
    pub(crate) fn threads(&self, values: &Values) -> Result<usize, Fault> {
        let threads = values.integers[self.threads];
        match u32::try_from(threads) {
            Ok(number) if (1..=MOST_THREADS).contains(&number) => Ok(number as usize),
            _ => Err(Fault::Refused(format!("`threads` is {threads}, but must be {THREADS_IN_WORDS}"))),
        }
    }

    pub(crate) fn friction_model(&self, values: &Values) -> FrictionModel {
        FRICTION_VALUES[values.integers[self.friction_model] as usize - 1]
    }

    /// Real slots of main outputs that have no formula with bristles, and of those that never have one.
    pub(crate) fn without_formula(&self) -> [&[usize]; 2] {
        let (with_bristles, never) = self.without_formula.split_at(WITH_BRISTLES_ONLY);
        [with_bristles, never]
    }

    /// Real slots of the continuous states.
    pub(crate) fn states(&self) -> Range<usize> {
        self.first_state.map_or(0..0, |first| first..first + STATES)
    }

    /// Real slots of their derivatives.
    pub(crate) fn state_derivatives(&self) -> Range<usize> {
        self.first_state.map_or(0..0, |first| first + STATES..first + 2 * STATES)
    }

    pub(crate) fn elements(&self, values: &Values) -> ElementScheme {
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
    stiffness_output: usize,
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
        let [scale, _, smooth_angle, sag] = reading[..] else { unreachable!("both surfaces are meshes") };
        meshes.push(vec![file, scale, smooth_angle, sag]);
        layers.extend(push_section(table, section));
    }
    let laws = push_section(table, "contact");
    geometry.push(push_choice(table, "method", &METHODS, &METHOD_VALUES, &parameters.method, Fixed));
    geometry.push(push_choice(table, "elements", &ELEMENT_SCHEMES, &ELEMENT_VALUES, &parameters.elements, Fixed));
    let model = &parameters.friction_model;
    let laws =
        [laws, vec![push_choice(table, "frictionModel", &FRICTION_MODELS, &FRICTION_VALUES, model, Fixed)]].concat();
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
    let stiffness_output = table.push(
        "stiffnessOutput",
        "Whether stiffness and damping are computed",
        Kind::Boolean,
        Causality::Parameter,
        Fixed,
        Some(Value::Boolean(false)),
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
    Parameters { geometry, layers, laws, measure_time, stiffness_output, calculated }
}

/// Appends stiffness and damping; returns their positions.
fn push_matrices(table: &mut VariableTable) -> Range<usize> {
    let first = table.variables().len();
    for MatrixOutput { name, meaning, units } in &MATRIX_OUTPUTS {
        for (i, j) in (0..6).flat_map(|i| (0..6).map(move |j| (i, j))) {
            let unit = units[i / 3][j / 3];
            table.push(
                format!("{name}[{},{}]", i + 1, j + 1),
                format!("{meaning}; 0 unless stiffnessOutput [{unit}]"),
                Kind::Real { unit, range: NumberRange::Finite },
                Causality::Output,
                Variability::Continuous,
                None,
            );
        }
    }
    first..table.variables().len()
}

/// The union in ascending order.
pub(crate) fn positions(a: &[usize], b: &[usize]) -> Vec<usize> {
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
        friction_model: slot("frictionModel"),
        first_state: table.find("state.deflection[1]").map(|variable| variable.slot),
        triangles: [slot("surfaceE.triangles"), slot("surfaceF.triangles")],
        threads: slot("threads"),
        measure_time: slot("measureTime"),
        in_contact: slot("inContact"),
        enclosed: slot("enclosed"),
        border_in_contact: slot("borderInContact"),
        defect_in_contact: slot("defectInContact"),
        beyond_layer: slot("beyondLayer"),
        beyond_half_thickness: slot("beyondHalfThickness"),
        stiffness_output: slot("stiffnessOutput"),
        max_penetration: slot("maxPenetration"),
        elastic_energy: slot(ENERGY),
        outputs: OutputSlots { reals: slot("forceOnE[1]"), integers: slot("patchCount"), booleans: slot("enclosed") },
        gap: OutputSlots { reals: slot("gap"), integers: 0, booleans: 0 },
        matrices: slot("stiffness[1,1]"),
        exchange: ExchangeSlots::find(table),
        main_reals: main_reals(table),
        without_formula: WITHOUT_FORMULA.map(slot),
    }
}

fn main_reals(table: &VariableTable) -> Vec<(usize, Formula)> {
    let outputs = table.variables().iter().filter(|variable| {
        let is_real = matches!(variable.kind, Kind::Real { .. });
        is_real && variable.causality == Causality::Output && matches!(variable.part, Part::Main | Part::Energy)
    });
    let formula = |name: &str| if SLOW_OUTPUTS.contains(&name) { Formula::Everything } else { Formula::Motion };
    outputs.map(|variable| (variable.slot, formula(&variable.name))).collect()
}
