//! A body as finite elements see it: mass, stiffness, and the surface that others can touch.

use std::collections::BTreeMap;

/// Where every way into the reduction ends: assembled from a volume mesh, or read as matrices.
#[derive(Clone, Debug)]
pub struct FiniteElementModel {
    /// In m; degree of freedom `3 * node + axis` is the displacement of a node along an axis.
    pub node_positions: Vec<[f64; 3]>,
    /// In N/m.
    pub stiffness: SymmetricMatrix,
    /// In kg.
    pub mass: SymmetricMatrix,
    /// Triangles on the surface, counter-clockwise seen from outside; a six-node face is four of them.
    pub surface: Vec<[u32; 3]>,
    /// Named sets of nodes, each in ascending order.
    pub node_groups: BTreeMap<String, Vec<u32>>,
}

/// The lower triangle of a symmetric sparse matrix, column by column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SymmetricMatrix {
    /// Where each column starts in `rows` and `values`; one more entry than columns.
    pub column_starts: Vec<usize>,
    /// Ascending within a column, none above the diagonal.
    pub rows: Vec<usize>,
    /// One per row entry.
    pub values: Vec<f64>,
}

impl SymmetricMatrix {
    /// Rows and columns.
    pub fn size(&self) -> usize {
        self.column_starts.len().saturating_sub(1)
    }
}
