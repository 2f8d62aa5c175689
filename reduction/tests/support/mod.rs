//! What several tests need: small meshes, products with symmetric matrices, the lowest frequencies.

use nalgebra::{DMatrix, DVector};
use polycontact_reduction::finite_element_model::{FiniteElementModel, SymmetricMatrix};
use polycontact_reduction::volume_mesh::generators::{Grading, block};
use polycontact_reduction::volume_mesh::{Element, VolumeMesh};

/// No refinement of the coarse grid.
pub const UNREFINED: Grading = Grading { zone_radius: 0.0, contact_size: 10.0, growth: 0.0, largest_size: 10.0 };

/// Pseudo-random numbers (xorshift), the same in every run.
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Between -1 and 1.
    pub fn signed(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// The cuboid of `block` in each kind of element.
pub fn block_of_each_kind(lengths: [f64; 3], cells: [usize; 3]) -> [VolumeMesh; 3] {
    let quadratic = block(lengths, cells, &UNREFINED);
    [linear_tetrahedra(&quadratic), quadratic, hexahedra(lengths, cells.map(|cells| 2 * cells))]
}

/// The same tetrahedra without the nodes on their edges.
pub fn linear_tetrahedra(mesh: &VolumeMesh) -> VolumeMesh {
    let corners = |element: &Element| match element {
        Element::Tet10([a, b, c, d, ..]) => [*a, *b, *c, *d],
        _ => panic!("made for quadratic tetrahedra"),
    };
    let elements: Vec<[u32; 4]> = mesh.elements.iter().map(corners).collect();
    let mut used: Vec<u32> = elements.concat();
    used.sort_unstable();
    used.dedup();
    let renumbered = |node: u32| used.binary_search(&node).unwrap() as u32;
    VolumeMesh {
        node_positions: used.iter().map(|&node| mesh.node_positions[node as usize]).collect(),
        elements: elements.iter().map(|nodes| Element::Tet4(nodes.map(renumbered))).collect(),
        node_groups: Default::default(),
    }
}

/// A cuboid whose upper face has the origin in its middle.
pub fn hexahedra(lengths: [f64; 3], cells: [usize; 3]) -> VolumeMesh {
    let mut mesh = VolumeMesh::default();
    let node = |i: usize, j: usize, k: usize| (i + (cells[0] + 1) * (j + (cells[1] + 1) * k)) as u32;
    for k in 0..=cells[2] {
        for j in 0..=cells[1] {
            for i in 0..=cells[0] {
                let share = [i as f64 / cells[0] as f64, j as f64 / cells[1] as f64, k as f64 / cells[2] as f64];
                mesh.node_positions.push([
                    lengths[0] * (share[0] - 0.5),
                    lengths[1] * (share[1] - 0.5),
                    lengths[2] * (share[2] - 1.0),
                ]);
            }
        }
    }
    for k in 0..cells[2] {
        for j in 0..cells[1] {
            for i in 0..cells[0] {
                let layer = |k: usize| [node(i, j, k), node(i + 1, j, k), node(i + 1, j + 1, k), node(i, j + 1, k)];
                let ([a, b, c, d], [e, f, g, h]) = (layer(k), layer(k + 1));
                mesh.elements.push(Element::Hex8([a, b, c, d, e, f, g, h]));
            }
        }
    }
    mesh
}

/// Matrix times vector.
pub fn product(matrix: &SymmetricMatrix, vector: &[f64]) -> Vec<f64> {
    let mut result = vec![0.0; vector.len()];
    for column in 0..matrix.size() {
        for entry in matrix.column_starts[column]..matrix.column_starts[column + 1] {
            let (row, value) = (matrix.rows[entry], matrix.values[entry]);
            result[row] += value * vector[column];
            if row != column {
                result[column] += value * vector[row];
            }
        }
    }
    result
}

pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A displacement field at all nodes.
pub fn field(model: &FiniteElementModel, displacement: impl Fn([f64; 3]) -> [f64; 3]) -> Vec<f64> {
    model.node_positions.iter().flat_map(|&position| displacement(position)).collect()
}

/// The lowest frequencies in Hz, those of rigid motions first: subspace iteration with a shift below zero.
pub fn lowest_frequencies(model: &FiniteElementModel, count: usize, typical_frequency: f64) -> Vec<f64> {
    let size = model.mass.size();
    let shift = (std::f64::consts::TAU * typical_frequency).powi(2);
    let mut shifted = dense(&model.stiffness);
    shifted += dense(&model.mass) * shift;
    let factor = shifted.cholesky().expect("stiffness plus mass is positive definite");
    let mut random = Random(7);
    let mut vectors = DMatrix::from_fn(size, 2 * count, |_, _| random.signed());
    let mut values = DVector::zeros(2 * count);
    for _ in 0..25 {
        let loads = times(&model.mass, &vectors);
        let moved = factor.solve(&loads);
        let small_stiffness = moved.transpose() * &loads;
        let small_mass = moved.transpose() * times(&model.mass, &moved);
        // Of the pencil (moved' (K + shift M) moved, moved' M moved).
        let root = small_mass.cholesky().expect("the vectors are independent");
        let inverse = root.l().try_inverse().expect("a Cholesky factor is regular");
        let eigen = (&inverse * small_stiffness * inverse.transpose()).symmetric_eigen();
        vectors = moved * inverse.transpose() * eigen.eigenvectors;
        values = eigen.eigenvalues;
    }
    let mut squares: Vec<f64> = values.iter().map(|value| value - shift).collect();
    squares.sort_by(f64::total_cmp);
    squares.truncate(count);
    squares.iter().map(|square| square.max(0.0).sqrt() / std::f64::consts::TAU).collect()
}

fn times(matrix: &SymmetricMatrix, vectors: &DMatrix<f64>) -> DMatrix<f64> {
    let columns: Vec<DVector<f64>> = vectors
        .column_iter()
        .map(|column| DVector::from_vec(product(matrix, column.into_owned().as_slice())))
        .collect();
    DMatrix::from_columns(&columns)
}

fn dense(matrix: &SymmetricMatrix) -> DMatrix<f64> {
    let mut result = DMatrix::zeros(matrix.size(), matrix.size());
    for column in 0..matrix.size() {
        for entry in matrix.column_starts[column]..matrix.column_starts[column + 1] {
            result[(matrix.rows[entry], column)] = matrix.values[entry];
            result[(column, matrix.rows[entry])] = matrix.values[entry];
        }
    }
    result
}
