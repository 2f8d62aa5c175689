//! Where low-frequency coordinates end, by the coupling of shapes through rotation.

use faer::Mat;

use crate::craig_bampton::model_checks::diagonal;
use crate::finite_element_model::FiniteElementModel;
use crate::linear_algebra::{Columns, add_product, multiply, transposed_product};

/// Nodes whose rows are gathered at once.
const NODES_AT_ONCE: usize = 4096;

/// The smallest number of first coordinates such that no coupling `Σ m_l V_ln × V_lj` of a later shape n with any
/// shape j exceeds `ratio` times the sum of the couplings among the first ones (Sherif et al.; magnitudes are sums of
/// components). `shapes` are in the axes of the mesh, `coordinates` combine them.
pub(super) fn coupling_split(
    model: &FiniteElementModel,
    shapes: &Columns,
    coordinates: &Mat<f64>,
    ratio: f64,
) -> usize {
    let count = coordinates.ncols();
    let couplings = couplings(model, shapes, coordinates);
    let largest: Vec<f64> = (0..count).map(|n| (0..count).map(|j| couplings[(n, j)]).fold(0.0, f64::max)).collect();
    let mut low_sum = 0.0;
    for low in 0..count {
        let largest_high = largest[low..].iter().copied().fold(0.0, f64::max);
        if 0 < low && largest_high <= ratio * low_sum {
            return low;
        }
        low_sum += 2.0 * (0..low).map(|j| couplings[(low, j)]).sum::<f64>() + couplings[(low, low)];
    }
    count
}

/// Sums over the components of the coupling of each pair of combined shapes.
fn couplings(model: &FiniteElementModel, shapes: &Columns, coordinates: &Mat<f64>) -> Mat<f64> {
    let masses = lumped_masses(model);
    let (count, combined) = (shapes.count(), coordinates.ncols());
    let mut total = Mat::zeros(combined, combined);
    let mut moments = [(1, 2), (2, 0), (0, 1)].map(|axes| (axes, Mat::<f64>::zeros(count, count)));
    for first in (0..masses.len()).step_by(NODES_AT_ONCE) {
        let nodes = first..masses.len().min(first + NODES_AT_ONCE);
        let gathered = [0, 1, 2].map(|axis| {
            Mat::from_fn(nodes.len(), count, |row, column| shapes.column(column)[3 * (first + row) + axis])
        });
        for ((a, b), moment) in &mut moments {
            let weighted =
                Mat::from_fn(nodes.len(), count, |row, column| masses[first + row] * gathered[*b][(row, column)]);
            add_product(moment.as_mut(), 1.0, gathered[*a].transpose(), weighted.as_ref());
        }
    }
    for (_, moment) in &moments {
        let half = transposed_product(coordinates.as_ref(), multiply(moment.as_ref(), coordinates.as_ref()).as_ref());
        let component = |row: usize, column: usize| (half[(row, column)] - half[(column, row)]).abs();
        total += Mat::from_fn(combined, combined, component);
    }
    total
}

/// Diagonal entries of the mass matrix, scaled to the total (Hinton, Rock and Zienkiewicz): row sums would be
/// negative at the corners of second-order tetrahedra.
fn lumped_masses(model: &FiniteElementModel) -> Vec<f64> {
    let on_diagonal = |node: usize| (0..3).map(|axis| diagonal(&model.mass, 3 * node + axis)).sum::<f64>() / 3.0;
    let masses: Vec<f64> = (0..model.node_positions.len()).map(on_diagonal).collect();
    let mut total = 0.0;
    for column in (0..model.mass.size()).step_by(3) {
        for entry in model.mass.column_starts[column]..model.mass.column_starts[column + 1] {
            let row = model.mass.rows[entry];
            if row.is_multiple_of(3) {
                total += if row == column { 1.0 } else { 2.0 } * model.mass.values[entry];
            }
        }
    }
    let factor = total / masses.iter().sum::<f64>();
    masses.iter().map(|mass| factor * mass).collect()
}
