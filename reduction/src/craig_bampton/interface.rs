//! Contact coordinates against inner ones.

use crate::contact_selection::ContactPatch;
use crate::craig_bampton::Directions;
use crate::finite_element_model::SymmetricMatrix;
use crate::linear_algebra::MatrixBuilder;
use crate::vector::{cross, normalized};

/// Which coordinates are held, and the axes at the contact nodes in which that is said.
///
/// A coordinate is `3 * node + axis` as before, but at a contact node with axes of its own the first is the normal
/// and the others are tangents.
#[derive(Clone, Debug)]
pub(super) struct Interface {
    axes: Vec<Option<[[f64; 3]; 3]>>,
    /// Held coordinates, ascending.
    pub held: Vec<usize>,
    /// All others, ascending.
    pub inner: Vec<usize>,
}

/// A matrix, taken apart.
#[derive(Clone, Debug)]
pub(super) struct Partition {
    /// Rows and columns of inner coordinates.
    pub inner: SymmetricMatrix,
    /// For each held coordinate the entries of its column in the rows of inner coordinates, these counted from 0.
    pub coupling: Vec<Vec<(usize, f64)>>,
}

impl Interface {
    pub(super) fn new(node_count: usize, patch: &ContactPatch, directions: Directions) -> Self {
        let mut axes = vec![None; node_count];
        let mut held = Vec::new();
        for (node, normal) in patch.nodes.iter().zip(&patch.normals) {
            let node = *node as usize;
            match directions {
                Directions::All => held.extend([3 * node, 3 * node + 1, 3 * node + 2]),
                Directions::Normal => {
                    axes[node] = Some(axes_with(*normal));
                    held.push(3 * node);
                }
            }
        }
        let inner = (0..3 * node_count).filter(|coordinate| held.binary_search(coordinate).is_err()).collect();
        Interface { axes, held, inner }
    }

    /// The matrix in the axes of the contact nodes.
    pub(super) fn rotated(&self, matrix: &SymmetricMatrix) -> SymmetricMatrix {
        if self.axes.iter().all(Option::is_none) {
            return matrix.clone();
        }
        let mut builder = MatrixBuilder::new(matrix.size());
        for column in 0..matrix.size() {
            for entry in matrix.column_starts[column]..matrix.column_starts[column + 1] {
                let (row, value) = (matrix.rows[entry], matrix.values[entry]);
                self.add_rotated(&mut builder, row, column, value);
                // Within one node's block the other triangle contributes to the lower one too.
                if row != column && row / 3 == column / 3 {
                    self.add_rotated(&mut builder, column, row, value);
                }
            }
        }
        builder.build()
    }

    /// Splits a matrix in the axes of the contact nodes.
    pub(super) fn partition(&self, matrix: &SymmetricMatrix) -> Partition {
        let mut place = vec![0; matrix.size()];
        let mut is_held = vec![false; matrix.size()];
        self.inner.iter().enumerate().for_each(|(index, &coordinate)| place[coordinate] = index);
        for (index, &coordinate) in self.held.iter().enumerate() {
            (place[coordinate], is_held[coordinate]) = (index, true);
        }
        let mut inner = SymmetricMatrix { column_starts: vec![0], ..Default::default() };
        let mut coupling = vec![Vec::new(); self.held.len()];
        for column in 0..matrix.size() {
            for entry in matrix.column_starts[column]..matrix.column_starts[column + 1] {
                let (row, value) = (matrix.rows[entry], matrix.values[entry]);
                match (is_held[row], is_held[column]) {
                    (false, false) => {
                        inner.rows.push(place[row]);
                        inner.values.push(value);
                    }
                    (false, true) => coupling[place[column]].push((place[row], value)),
                    (true, false) => coupling[place[row]].push((place[column], value)),
                    (true, true) => {}
                }
            }
            if !is_held[column] {
                inner.column_starts.push(inner.rows.len());
            }
        }
        Partition { inner, coupling }
    }

    /// Turns a displacement field into the axes of the contact nodes.
    pub(super) fn to_local(&self, field: &mut [f64]) {
        self.turn(field, |axes, vector| axes.map(|axis| (0..3).map(|k| axis[k] * vector[k]).sum()));
    }

    /// Turns a displacement field back into the axes of the mesh.
    pub(super) fn to_global(&self, field: &mut [f64]) {
        self.turn(field, |axes, vector| [0, 1, 2].map(|k| (0..3).map(|axis| axes[axis][k] * vector[axis]).sum()));
    }

    fn turn(&self, field: &mut [f64], turned: impl Fn([[f64; 3]; 3], [f64; 3]) -> [f64; 3]) {
        for (vector, axes) in field.chunks_exact_mut(3).zip(&self.axes) {
            if let Some(axes) = axes {
                let result = turned(*axes, [vector[0], vector[1], vector[2]]);
                vector.copy_from_slice(&result);
            }
        }
    }

    fn add_rotated(&self, builder: &mut MatrixBuilder, row: usize, column: usize, value: f64) {
        let shares = |coordinate: usize| -> [(usize, f64); 3] {
            let (node, axis) = (coordinate / 3, coordinate % 3);
            match &self.axes[node] {
                None => [(coordinate, 1.0), (coordinate, 0.0), (coordinate, 0.0)],
                Some(axes) => [0, 1, 2].map(|local| (3 * node + local, axes[local][axis])),
            }
        };
        for (new_row, row_share) in shares(row) {
            for (new_column, column_share) in shares(column) {
                if row_share != 0.0 && column_share != 0.0 && new_column <= new_row {
                    builder.add(new_row, new_column, row_share * value * column_share);
                }
            }
        }
    }
}

/// A right-handed set of unit vectors that starts with the given one.
fn axes_with(normal: [f64; 3]) -> [[f64; 3]; 3] {
    let smallest = (0..3).min_by(|a, b| normal[*a].abs().total_cmp(&normal[*b].abs())).unwrap_or(0);
    let mut other = [0.0; 3];
    other[smallest] = 1.0;
    let tangent = normalized(cross(normal, other)).unwrap_or(other);
    [normal, tangent, cross(normal, tangent)]
}
