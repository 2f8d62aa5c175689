//! A model that reaches the numerics is consistent and in one piece.

use crate::error::ReductionError;
use crate::finite_element_model::{FiniteElementModel, SymmetricMatrix};

/// Refuses a model whose parts do not fit together.
pub(super) fn check(model: &FiniteElementModel) -> Result<(), ReductionError> {
    let nodes = model.node_positions.len();
    let inconsistent = |reason: String| Err(ReductionError::Inconsistent { reason });
    if nodes == 0 {
        return inconsistent("it has no nodes".to_owned());
    }
    if let Some(node) = model.node_positions.iter().position(|position| !position.iter().all(|x| x.is_finite())) {
        return inconsistent(format!("the position of node {node} (counted from 0) is not finite"));
    }
    for (name, matrix) in [("stiffness", &model.stiffness), ("mass", &model.mass)] {
        if matrix.size() != 3 * nodes {
            let size = matrix.size();
            return inconsistent(format!("the {name} matrix has {size} rows, but {nodes} nodes have {}", 3 * nodes));
        }
        if let Some(reason) = defect(matrix) {
            return inconsistent(format!("the {name} matrix {reason}"));
        }
    }
    let outside = |node: &&u32| nodes <= **node as usize;
    if let Some(node) = model.surface.iter().flatten().chain(model.node_groups.values().flatten()).find(outside) {
        return inconsistent(format!(
            "the surface or a group names node {node}, but there are {nodes}, counted from 0"
        ));
    }
    if let Some(coordinate) = (0..3 * nodes).find(|coordinate| diagonal(&model.mass, *coordinate) <= 0.0) {
        let (node, axis) = (coordinate / 3, ['x', 'y', 'z'][coordinate % 3]);
        return Err(ReductionError::NotPositiveDefinite { matrix: "mass matrix", node, axis });
    }
    check_connected(model)
}

fn defect(matrix: &SymmetricMatrix) -> Option<String> {
    let entries = matrix.rows.len();
    let starts = &matrix.column_starts;
    if starts.first() != Some(&0) || starts.last() != Some(&entries) || matrix.values.len() != entries {
        return Some("has column starts that do not fit its entries".to_owned());
    }
    if starts.windows(2).any(|pair| pair[1] < pair[0]) {
        return Some("has column starts that are not ascending".to_owned());
    }
    for column in 0..matrix.size() {
        let rows = &matrix.rows[starts[column]..starts[column + 1]];
        let is_lower = rows.iter().all(|row| column <= *row && *row < matrix.size());
        if !is_lower || rows.windows(2).any(|pair| pair[1] <= pair[0]) {
            return Some(format!("has rows in column {column} that are not ascending from the diagonal"));
        }
    }
    let value = matrix.values.iter().find(|value| !value.is_finite())?;
    Some(format!("has an entry that is {value}"))
}

/// An entry on the diagonal; 0 where none is stored.
pub(super) fn diagonal(matrix: &SymmetricMatrix, index: usize) -> f64 {
    let start = matrix.column_starts[index];
    if start < matrix.column_starts[index + 1] && matrix.rows[start] == index { matrix.values[start] } else { 0.0 }
}

fn check_connected(model: &FiniteElementModel) -> Result<(), ReductionError> {
    let nodes = model.node_positions.len();
    let mut parent: Vec<usize> = (0..nodes).collect();
    for column in 0..model.stiffness.size() {
        for entry in model.stiffness.column_starts[column]..model.stiffness.column_starts[column + 1] {
            if model.stiffness.values[entry] != 0.0 {
                let (a, b) = (root(&mut parent, column / 3), root(&mut parent, model.stiffness.rows[entry] / 3));
                parent[a.max(b)] = a.min(b);
            }
        }
    }
    let mut sizes = vec![0usize; nodes];
    (0..nodes).for_each(|node| sizes[root(&mut parent, node)] += 1);
    let parts = sizes.iter().filter(|size| 0 < **size).count();
    if parts <= 1 {
        return Ok(());
    }
    let node = (0..nodes).filter(|node| 0 < sizes[*node]).min_by_key(|node| sizes[*node]).unwrap_or(0);
    Err(ReductionError::Unconnected { parts, smallest: sizes[node], node })
}

fn root(parent: &mut [usize], mut node: usize) -> usize {
    while parent[node] != node {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    node
}
