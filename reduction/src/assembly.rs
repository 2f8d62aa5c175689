//! From a volume mesh and a material to a finite-element model.

use crate::elements::{ElementMatrices, HEX8, TET4, TET10, add_incompatible_modes, element_matrices};
use crate::finite_element_model::{FiniteElementModel, SymmetricMatrix};
use crate::material::Material;
use crate::volume_mesh::{Element, Numbering, VolumeMesh, VolumeMeshError};

/// Assembles the consistent mass and the stiffness of a body of one material.
///
/// The mesh is checked first. The mass matrix couples equal axes only, so its pattern is part of the stiffness's.
pub fn assemble(mesh: &VolumeMesh, material: &Material) -> Result<FiniteElementModel, VolumeMeshError> {
    mesh.check(&Numbering::default())?;
    let pattern = NodePattern::new(mesh);
    let (lame, density) = (material.lame_constants(), material.density());
    let mut stiffness = vec![[[0.0; 3]; 3]; pattern.rows.len()];
    let mut mass = vec![0.0; pattern.rows.len()];
    for (index, element) in mesh.elements.iter().enumerate() {
        let entries = (&pattern, &mut stiffness[..], &mut mass[..]);
        let added = match element {
            Element::Tet4(nodes) => {
                let matrices = element_matrices(&mesh.positions(nodes), &TET4, lame);
                matrices.and_then(|matrices| add(nodes, &matrices, density, entries))
            }
            Element::Tet10(nodes) => {
                let matrices = element_matrices(&mesh.positions(nodes), &TET10, lame);
                matrices.and_then(|matrices| add(nodes, &matrices, density, entries))
            }
            Element::Hex8(nodes) => {
                let matrices = hexahedron_matrices(&mesh.positions(nodes), lame);
                matrices.and_then(|matrices| add(nodes, &matrices, density, entries))
            }
        };
        if added.is_none() {
            return Err(VolumeMeshError::inverted(mesh, &[index], &Numbering::default()));
        }
    }
    Ok(FiniteElementModel {
        node_positions: mesh.node_positions.clone(),
        stiffness: pattern.stiffness_matrix(&stiffness),
        mass: pattern.mass_matrix(&mass),
        surface: mesh.boundary_triangles(),
        node_groups: mesh.node_groups.clone(),
    })
}

fn hexahedron_matrices(positions: &[[f64; 3]; 8], lame: (f64, f64)) -> Option<ElementMatrices<8>> {
    let mut matrices = element_matrices(positions, &HEX8, lame)?;
    add_incompatible_modes(positions, lame, &mut matrices.stiffness)?;
    Some(matrices)
}

/// Adds one element to the entries of the lower triangle.
fn add<const N: usize>(
    nodes: &[u32; N],
    matrices: &ElementMatrices<N>,
    density: f64,
    (pattern, stiffness, mass): (&NodePattern, &mut [[[f64; 3]; 3]], &mut [f64]),
) -> Option<()> {
    for a in 0..N {
        for b in 0..N {
            if nodes[a] < nodes[b] {
                continue;
            }
            let entry = pattern.entry(nodes[a], nodes[b])?;
            let block = &matrices.stiffness[a][b];
            for i in 0..3 {
                for j in 0..3 {
                    stiffness[entry][i][j] += block[i][j];
                }
            }
            mass[entry] += density * matrices.products[a][b];
        }
    }
    Some(())
}

/// Which nodes share an element: the lower triangle, column by column, one entry per pair of nodes.
struct NodePattern {
    starts: Vec<usize>,
    /// Ascending within a column; the first is the diagonal.
    rows: Vec<u32>,
}

impl NodePattern {
    fn new(mesh: &VolumeMesh) -> NodePattern {
        let nodes = mesh.node_positions.len();
        let (element_starts, elements_of_nodes) = elements_of_nodes(mesh);
        let mut starts = Vec::with_capacity(nodes + 1);
        let mut rows = Vec::new();
        let mut last_seen_by = vec![u32::MAX; nodes];
        starts.push(0);
        for column in 0..nodes {
            for &element in &elements_of_nodes[element_starts[column]..element_starts[column + 1]] {
                for &row in mesh.elements[element as usize].nodes() {
                    if column <= row as usize && last_seen_by[row as usize] != column as u32 {
                        last_seen_by[row as usize] = column as u32;
                        rows.push(row);
                    }
                }
            }
            rows[starts[column]..].sort_unstable();
            starts.push(rows.len());
        }
        NodePattern { starts, rows }
    }

    fn entry(&self, row: u32, column: u32) -> Option<usize> {
        let range = self.starts[column as usize]..self.starts[column as usize + 1];
        self.rows[range.clone()].binary_search(&row).ok().map(|offset| range.start + offset)
    }

    fn stiffness_matrix(&self, blocks: &[[[f64; 3]; 3]]) -> SymmetricMatrix {
        let mut matrix = self.empty_matrix(9);
        for (column, ends) in self.starts.windows(2).enumerate() {
            let (rows, blocks) = (&self.rows[ends[0]..ends[1]], &blocks[ends[0]..ends[1]]);
            for axis in 0..3 {
                for (&row, block) in rows.iter().zip(blocks) {
                    let above_diagonal = if row as usize == column { axis } else { 0 };
                    for (row_axis, values) in block.iter().enumerate().skip(above_diagonal) {
                        matrix.rows.push(3 * row as usize + row_axis);
                        matrix.values.push(values[axis]);
                    }
                }
                matrix.column_starts.push(matrix.rows.len());
            }
        }
        matrix
    }

    fn mass_matrix(&self, entries: &[f64]) -> SymmetricMatrix {
        let mut matrix = self.empty_matrix(3);
        for ends in self.starts.windows(2) {
            for axis in 0..3 {
                matrix.rows.extend(self.rows[ends[0]..ends[1]].iter().map(|&row| 3 * row as usize + axis));
                matrix.values.extend(&entries[ends[0]..ends[1]]);
                matrix.column_starts.push(matrix.rows.len());
            }
        }
        matrix
    }

    fn empty_matrix(&self, entries_per_pair: usize) -> SymmetricMatrix {
        let mut column_starts = Vec::with_capacity(3 * self.starts.len());
        column_starts.push(0);
        let entries = entries_per_pair * self.rows.len();
        SymmetricMatrix { column_starts, rows: Vec::with_capacity(entries), values: Vec::with_capacity(entries) }
    }
}

/// For each node the elements at it: where its list starts, and the lists one after the other.
fn elements_of_nodes(mesh: &VolumeMesh) -> (Vec<usize>, Vec<u32>) {
    let mut starts = vec![0; mesh.node_positions.len() + 1];
    for node in mesh.elements.iter().flat_map(Element::nodes) {
        starts[*node as usize + 1] += 1;
    }
    for node in 1..starts.len() {
        starts[node] += starts[node - 1];
    }
    let mut free = starts.clone();
    let mut elements = vec![0; starts[starts.len() - 1]];
    for (index, element) in mesh.elements.iter().enumerate() {
        for &node in element.nodes() {
            elements[free[node as usize]] = index as u32;
            free[node as usize] += 1;
        }
    }
    (starts, elements)
}
