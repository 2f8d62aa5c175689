//! From a finite-element model to a reduced body: the story of the reduction on one page.

use std::f64::consts::PI;
use std::time::Instant;

use faer::Mat;

use super::dissection::nested_dissection;
use super::interface::Interface;
use super::orthonormalization::{Decoupled, decouple};
use super::rigid_motion::{RigidProperties, check_free, rigid_fields, rigid_properties};
use super::split::coupling_split;
use super::static_shapes::static_shapes;
use super::{Modes, ReductionSettings, Split, model_checks};
use crate::contact_selection::ContactPatch;
use crate::error::ReductionError;
use crate::finite_element_model::{FiniteElementModel, SymmetricMatrix};
use crate::linear_algebra::{
    Columns, EigenError, Eigenpairs, FactorizationError, SymbolicFactorization, Wanted, combination, lowest_eigenpairs,
    multiply, product, transposed_product,
};
use crate::reduced_body::{ReducedBody, ReductionSummary};

/// Most modes of the held body; a contact FMU integrates each of them.
pub const MODE_LIMIT: usize = 3000;

/// The shift σ as a part of the lowest ω² of a homogeneous stretch of the body. Small enough for eigenvalues to be
/// told apart, large enough for `K + σM` to be positive definite where the contact nodes do not hold the body.
const SHIFT: f64 = 0.01;

/// The shift as a part of ω² at the frequency up to which modes are kept: each correction of a static shape gains two
/// digits then.
const SHIFT_BELOW_MODES: f64 = 0.01;

/// Columns multiplied at once when the reduced matrices are formed.
const BATCH: usize = 32;

/// What the reduction is at.
#[derive(Clone, Debug, PartialEq)]
pub enum Progress {
    /// A stage begins.
    Stage(String),
    /// Part of a stage is done.
    Done {
        /// What is counted.
        what: &'static str,
        /// So many of them.
        done: usize,
        /// Of so many.
        of: usize,
    },
}

/// Reduces a body. `progress` is told about the stages.
pub fn reduce(
    model: &FiniteElementModel,
    settings: &ReductionSettings,
    progress: &mut dyn FnMut(Progress),
) -> Result<ReducedBody, ReductionError> {
    let start = Instant::now();
    model_checks::check(model)?;
    let patch = settings.contact.select(model)?;
    let rigid = rigid_properties(model)?;
    let interface = Interface::new(model.node_positions.len(), &patch, settings.directions);
    progress(Progress::Stage(format!(
        "{} degrees of freedom, {} contact nodes, {} static shapes",
        model.mass.size(),
        patch.nodes.len(),
        interface.held.len()
    )));
    let stiffness = interface.rotated(&model.stiffness);
    let mass = interface.rotated(&model.mass);
    let mut rigid_motions = rigid_fields(model, rigid.centre_of_mass);
    (0..6).for_each(|motion| interface.to_local(rigid_motions.column_mut(motion)));
    let noise = check_free(&stiffness, &rigid_motions, &mass)?;
    let (mut shapes, modes) = craig_bampton_shapes(model, &stiffness, &mass, &interface, settings, progress)?;
    progress(Progress::Stage(format!("decoupling {} shapes", shapes.count())));
    let normalized = mass_orthonormal(&rigid_motions, &mass)?;
    let reduced_stiffness = reduced(&stiffness, &shapes);
    let reduced_mass = reduced(&mass, &shapes);
    let rigid_part = transposed_product(shapes.matrix(), product(&mass, normalized.matrix()).matrix());
    let Decoupled { angular_frequencies, coordinates } =
        decouple(reduced_stiffness.as_ref(), reduced_mass.as_ref(), rigid_part.as_ref(), noise)?;
    (0..shapes.count()).for_each(|shape| interface.to_global(shapes.column_mut(shape)));
    let low_frequency_modes = match settings.split {
        Split::Coupling(ratio) => {
            progress(Progress::Stage("rotational coupling of the shapes".to_owned()));
            coupling_split(model, &shapes, &coordinates, ratio)
        }
        Split::Frequency(frequency) => count_below(&angular_frequencies, 2.0 * PI * frequency),
        Split::WithModes => count_below(&angular_frequencies, highest_mode(settings.modes, &modes)),
    };
    let damping_ratios = angular_frequencies.iter().map(|frequency| settings.damping.ratio_at(*frequency)).collect();
    let momentum = largest_entry(&transposed_product(rigid_part.as_ref(), coordinates.as_ref()));
    Ok(ReducedBody {
        mass: rigid.mass,
        inertia: rigid.inertia,
        centre_of_mass: rigid.centre_of_mass,
        contact_nodes: relative_positions(model, &rigid, patch.nodes.iter().copied()),
        modes: modes_at_contact_nodes(&patch, &shapes, &coordinates),
        contact_faces: patch.faces,
        low_frequency_modes,
        damping_ratios,
        outline: outline(model, &rigid),
        summary: ReductionSummary {
            degrees_of_freedom: model.mass.size(),
            static_shapes: interface.held.len(),
            fixed_interface_modes: modes.len(),
            selected_nodes_left_out: patch.left_out,
            rigid_noise: noise.sqrt(),
            modal_momentum: momentum,
            seconds: start.elapsed().as_secs_f64(),
        },
        angular_frequencies,
    })
}

/// Modes of the held body and static shapes, as fields over all coordinates, and ω² of the modes.
fn craig_bampton_shapes(
    model: &FiniteElementModel,
    stiffness: &SymmetricMatrix,
    mass: &SymmetricMatrix,
    interface: &Interface,
    settings: &ReductionSettings,
    progress: &mut dyn FnMut(Progress),
) -> Result<(Columns, Vec<f64>), ReductionError> {
    let [inner_stiffness, inner_mass] = [stiffness, mass].map(|matrix| interface.partition(matrix));
    let shift = shift(model, settings.modes)?;
    let shifted = combination(&inner_stiffness.inner, shift, &inner_mass.inner);
    let symbolic = symbolic_factorization(model, &shifted, interface)?;
    progress(Progress::Stage(format!("factorisation with {} million entries", symbolic.factor_entries() / 1_000_000)));
    let factor = symbolic.factorize(&shifted).map_err(|error| factorization_error(error, interface))?;
    drop(shifted);
    let wanted = match settings.modes {
        Modes::Below(frequency) => Wanted::Below((2.0 * PI * frequency).powi(2)),
        Modes::Count(count) => Wanted::Count(count),
    };
    progress(Progress::Stage("modes of the body held at its contact nodes".to_owned()));
    let modes = lowest_eigenpairs(
        &inner_stiffness.inner,
        &inner_mass.inner,
        &symbolic,
        &factor,
        shift,
        wanted,
        MODE_LIMIT,
        &mut |done, of| progress(Progress::Done { what: "modes", done, of }),
    )
    .map_err(|error| match error {
        EigenError::Factorization(error) => factorization_error(error, interface),
        error => ReductionError::Eigenpairs(error),
    })?;
    progress(Progress::Stage(format!("{} modes; static shapes", modes.values.len())));
    let node_of_held = |held: usize| (interface.held[held] / 3) as u32;
    let statics = static_shapes(&inner_stiffness, &inner_mass, &factor, &modes, node_of_held, &mut |done, of| {
        progress(Progress::Done { what: "static shapes", done, of });
    })?;
    drop(factor);
    Ok((joined(interface, mass.size(), &modes, statics), modes.values))
}

/// The order with the smaller factor: minimum degree, or dissection by position.
fn symbolic_factorization(
    model: &FiniteElementModel,
    matrix: &SymmetricMatrix,
    interface: &Interface,
) -> Result<SymbolicFactorization, ReductionError> {
    let order = nested_dissection(matrix, |row| interface.inner[row] / 3, &model.node_positions);
    let by_degree = SymbolicFactorization::new(matrix, None).map_err(ReductionError::Factorization)?;
    let by_position = SymbolicFactorization::new(matrix, Some(&order)).map_err(ReductionError::Factorization)?;
    Ok(if by_position.factor_entries() < by_degree.factor_entries() { by_position } else { by_degree })
}

/// σ by Rayleigh's quotient of a homogeneous stretch, which lies near the lowest longitudinal frequency.
fn shift(model: &FiniteElementModel, modes: Modes) -> Result<f64, ReductionError> {
    let mut fields = Columns::zeros(model.mass.size(), 3);
    let count = model.node_positions.len() as f64;
    for axis in 0..3 {
        let mean = model.node_positions.iter().map(|position| position[axis] / count).sum::<f64>();
        for (node, position) in model.node_positions.iter().enumerate() {
            fields.column_mut(axis)[3 * node + axis] = position[axis] - mean;
        }
    }
    let quotient = |axis: usize| {
        let field = fields.block(axis..axis + 1);
        let scalar = |matrix| transposed_product(field, product(matrix, field).matrix())[(0, 0)];
        scalar(&model.stiffness) / scalar(&model.mass)
    };
    let lowest = (0..3).map(quotient).filter(|quotient| !quotient.is_nan()).fold(f64::INFINITY, f64::min);
    if !(0.0 < lowest && lowest.is_finite()) {
        let reason = format!("a stretch of the body has the stiffness {lowest:.3e} of its mass; it must be positive");
        return Err(ReductionError::Inconsistent { reason });
    }
    let of_stretch = SHIFT * lowest;
    Ok(match modes {
        Modes::Below(frequency) if 0.0 < frequency => {
            of_stretch.min(SHIFT_BELOW_MODES * (2.0 * PI * frequency).powi(2))
        }
        _ => of_stretch,
    })
}

fn factorization_error(error: FactorizationError, interface: &Interface) -> ReductionError {
    match error {
        FactorizationError::NotPositiveDefinite { row } => {
            let coordinate = interface.inner.get(row).copied().unwrap_or(0);
            let (node, axis) = (coordinate / 3, ['x', 'y', 'z'][coordinate % 3]);
            ReductionError::NotPositiveDefinite { matrix: "stiffness matrix (with a little mass)", node, axis }
        }
        error => ReductionError::Factorization(error),
    }
}

/// Fields over all coordinates: modes vanish at held ones, static shapes are 1 at theirs.
fn joined(interface: &Interface, size: usize, modes: &Eigenpairs, statics: Columns) -> Columns {
    let mut shapes = Columns::zeros(size, modes.values.len() + statics.count());
    for mode in 0..modes.values.len() {
        scatter(modes.vectors.column(mode), &interface.inner, shapes.column_mut(mode));
    }
    for (held, coordinate) in interface.held.iter().enumerate() {
        let target = shapes.column_mut(modes.values.len() + held);
        scatter(statics.column(held), &interface.inner, target);
        target[*coordinate] = 1.0;
    }
    shapes
}

fn scatter(source: &[f64], places: &[usize], target: &mut [f64]) {
    source.iter().zip(places).for_each(|(value, place)| target[*place] = *value);
}

/// `shapesᵀ · matrix · shapes`.
fn reduced(matrix: &SymmetricMatrix, shapes: &Columns) -> Mat<f64> {
    let count = shapes.count();
    let mut result = Mat::zeros(count, count);
    for start in (0..count).step_by(BATCH) {
        let batch = start..count.min(start + BATCH);
        let products = product(matrix, shapes.block(batch.clone()));
        result.get_mut(.., batch).copy_from(transposed_product(shapes.matrix(), products.matrix()));
    }
    result
}

/// Combinations of fields with `fieldsᵀ M fields` = identity.
fn mass_orthonormal(fields: &Columns, mass: &SymmetricMatrix) -> Result<Columns, ReductionError> {
    let moments = transposed_product(fields.matrix(), product(mass, fields.matrix()).matrix());
    let factor = moments.llt(faer::Side::Lower).map_err(|_| ReductionError::NotABodysMass {
        reason: "the body has no moment of inertia about some axis".to_owned(),
    })?;
    let mut inverse = Mat::<f64>::identity(fields.count(), fields.count());
    factor.L().transpose().solve_upper_triangular_in_place(&mut inverse);
    let combined = multiply(fields.matrix(), inverse.as_ref());
    let mut result = Columns::zeros(fields.rows(), fields.count());
    result.matrix_mut().copy_from(combined);
    Ok(result)
}

fn count_below(angular_frequencies: &[f64], bound: f64) -> usize {
    angular_frequencies.iter().filter(|frequency| **frequency < bound).count()
}

/// The angular frequency up to which modes were asked for.
fn highest_mode(modes: Modes, squares: &[f64]) -> f64 {
    match modes {
        Modes::Below(frequency) => 2.0 * PI * frequency,
        Modes::Count(_) => squares.last().map_or(0.0, |square| square.max(0.0).sqrt()),
    }
}

fn largest_entry(matrix: &Mat<f64>) -> f64 {
    matrix.col_iter().flat_map(|column| column.iter()).map(|value| value.abs()).fold(0.0, f64::max)
}

fn relative_positions(
    model: &FiniteElementModel,
    rigid: &RigidProperties,
    nodes: impl Iterator<Item = u32>,
) -> Vec<[f64; 3]> {
    nodes.map(|node| crate::vector::minus(model.node_positions[node as usize], rigid.centre_of_mass)).collect()
}

/// Mode by mode, node by node; of the two signs the one with a positive largest displacement.
fn modes_at_contact_nodes(patch: &ContactPatch, shapes: &Columns, coordinates: &Mat<f64>) -> Vec<Vec<[f64; 3]>> {
    let row = |index: usize| 3 * patch.nodes[index / 3] as usize + index % 3;
    let rows = Mat::from_fn(3 * patch.nodes.len(), shapes.count(), |index, shape| shapes.column(shape)[row(index)]);
    let modes = multiply(rows.as_ref(), coordinates.as_ref());
    let signed = |mode: usize| {
        let values: Vec<f64> = modes.col(mode).iter().copied().collect();
        let largest =
            values.iter().fold(0.0f64, |largest, value| if largest.abs() < value.abs() { *value } else { largest });
        let sign = if largest < 0.0 { -1.0 } else { 1.0 };
        values.chunks_exact(3).map(|vector| [sign * vector[0], sign * vector[1], sign * vector[2]]).collect()
    };
    (0..modes.ncols()).map(signed).collect()
}

fn outline(model: &FiniteElementModel, rigid: &RigidProperties) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let mut nodes: Vec<u32> = model.surface.iter().flatten().copied().collect();
    nodes.sort_unstable();
    nodes.dedup();
    let index_of = |node: u32| nodes.binary_search(&node).expect("all nodes of the surface are listed") as u32;
    let faces = model.surface.iter().map(|face| face.map(index_of)).collect();
    (relative_positions(model, rigid, nodes.iter().copied()), faces)
}
