//! Static shapes: what the body does when one contact coordinate moves by one and the other ones are held.

use super::interface::Partition;
use crate::error::ReductionError;
use crate::linear_algebra::{Columns, Eigenpairs, Factorization, add_product, product, transposed_product};

/// Right-hand sides per pass through the factor.
const BATCH: usize = 32;

/// Change at which a shape is finished, in the norm of M and relative to it: rounding is of this order.
const FINISHED: f64 = 1e-12;

/// Change that is good enough where rounding keeps the iteration from going on.
const GOOD_ENOUGH: f64 = 1e-8;

/// Corrections; each gains two digits where modes are kept, and less without.
const CORRECTIONS: usize = 40;

/// Inner parts of the static shapes, one column per held coordinate, without their part in the space of the modes:
/// modes are shapes too, so nothing is lost, and motions that the contact coordinates do not hold drop out.
///
/// Solutions with `K + σM` are corrected until they solve the equation with K.
pub(super) fn static_shapes(
    stiffness: &Partition,
    mass: &Partition,
    factor: &Factorization<'_>,
    modes: &Eigenpairs,
    node_of_held: impl Fn(usize) -> u32,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Columns, ReductionError> {
    let size = stiffness.inner.size();
    let count = stiffness.coupling.len();
    let mut shapes = Columns::zeros(size, 0);
    for start in (0..count).step_by(BATCH) {
        let batch = start..count.min(start + BATCH);
        let mut load = Columns::zeros(size, batch.len());
        for (column, held) in batch.clone().enumerate() {
            stiffness.coupling[held].iter().for_each(|&(row, value)| load.column_mut(column)[row] -= value);
        }
        let mut shape = Columns::zeros(size, batch.len());
        let mut last_change = f64::INFINITY;
        for correction in 0..CORRECTIONS {
            let mut change = load.clone();
            if correction > 0 {
                let resisted = product(&stiffness.inner, shape.matrix());
                add_to(&mut change, -1.0, &resisted);
            }
            factor.solve(change.matrix_mut()).map_err(ReductionError::Factorization)?;
            remove_modes(&mut change, modes, mass);
            add_to(&mut shape, 1.0, &change);
            let (column, relative) = largest_relative(&change, &shape, mass);
            let stalled = last_change <= 2.0 * relative;
            if relative <= FINISHED || (stalled && relative <= GOOD_ENOUGH) {
                break;
            }
            if correction + 1 == CORRECTIONS || (stalled && correction > 1) || !relative.is_finite() {
                return Err(ReductionError::StaticShape { node: node_of_held(start + column), change: relative });
            }
            last_change = relative;
        }
        shapes.append(&shape);
        progress(batch.end, count);
    }
    Ok(shapes)
}

fn remove_modes(columns: &mut Columns, modes: &Eigenpairs, mass: &Partition) {
    if modes.values.is_empty() {
        return;
    }
    let overlap = transposed_product(modes.vectors.matrix(), product(&mass.inner, columns.matrix()).matrix());
    add_product(columns.matrix_mut(), -1.0, modes.vectors.matrix(), overlap.as_ref());
}

fn add_to(target: &mut Columns, factor: f64, source: &Columns) {
    for column in 0..target.count() {
        let pairs = target.column_mut(column).iter_mut().zip(source.column(column));
        pairs.for_each(|(target, source)| *target += factor * source);
    }
}

/// Which column changed most, relative to itself, and by how much.
fn largest_relative(change: &Columns, shape: &Columns, mass: &Partition) -> (usize, f64) {
    let [changes, shapes] = [change, shape].map(|columns| {
        let products = product(&mass.inner, columns.matrix());
        let norm = |column| columns.column(column).iter().zip(products.column(column)).map(|(a, b)| a * b).sum::<f64>();
        (0..columns.count()).map(norm).collect::<Vec<f64>>()
    });
    let relative = |column: usize| {
        if changes[column] <= 0.0 { 0.0 } else { (changes[column] / shapes[column]).sqrt() }
    };
    (0..changes.len()).map(|column| (column, relative(column))).max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0, 0.0))
}
