//! Which nodes and faces of the surface take part in contact.

use std::collections::BTreeSet;

use polycontact::flexible::MOST_CONTACT_NODES;

use crate::error::ReductionError;
use crate::finite_element_model::FiniteElementModel;
use crate::vector::{cross, dot, minus, norm, normalized};

/// Fewest contact nodes: three make a face.
const FEWEST_NODES: usize = 3;

/// Contact nodes lie on one line where the triangle they span is thinner than this part of its length; with static
/// shapes along a line only, a rotation about that line is no combination of shapes.
const COLLINEAR: f64 = 1e-6;

/// Conditions on nodes; a contact node fulfils all that are given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactSelection {
    /// Name of a node group.
    pub group: Option<String>,
    /// Two opposite corners of an axis-aligned box, in m.
    pub within_box: Option<[[f64; 3]; 2]>,
    /// Centre and radius, in m.
    pub within_sphere: Option<([f64; 3], f64)>,
    /// Direction, and the largest angle in rad between it and a face's outward normal.
    pub facing: Option<([f64; 3], f64)>,
}

/// The part of the surface that others can touch.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactPatch {
    /// Ascending; each belongs to a face.
    pub nodes: Vec<u32>,
    /// On `nodes`, counted from 0; counter-clockwise seen from outside.
    pub faces: Vec<[u32; 3]>,
    /// Outward unit normal at each node: the mean over its contact faces, weighted by their angle at the node.
    pub normals: Vec<[f64; 3]>,
    /// Nodes that were selected, but belong to no face all of whose nodes were selected.
    pub left_out: usize,
}

impl ContactSelection {
    /// Finds nodes and faces.
    pub fn select(&self, model: &FiniteElementModel) -> Result<ContactPatch, ReductionError> {
        let selected = self.selected_nodes(model)?;
        let facing = |face: &[u32; 3]| match self.facing {
            None => true,
            Some((direction, angle)) => {
                let [a, b, c] = face.map(|node| model.node_positions[node as usize]);
                let normal = cross(minus(b, a), minus(c, a));
                angle.cos() * norm(normal) * norm(direction) <= dot(normal, direction)
            }
        };
        let faces: Vec<[u32; 3]> = model
            .surface
            .iter()
            .filter(|face| face.iter().all(|node| selected[*node as usize]) && facing(face))
            .copied()
            .collect();
        let nodes: Vec<u32> = faces.iter().flatten().copied().collect::<BTreeSet<u32>>().into_iter().collect();
        let selected_count = selected.iter().filter(|is_selected| **is_selected).count();
        if nodes.is_empty() {
            return Err(ReductionError::NoContactNodes { selected: selected_count, conditions: self.in_words() });
        }
        if nodes.len() < FEWEST_NODES {
            return Err(ReductionError::TooFewContactNodes { count: nodes.len() });
        }
        if MOST_CONTACT_NODES < nodes.len() {
            return Err(ReductionError::TooManyContactNodes { count: nodes.len(), most: MOST_CONTACT_NODES });
        }
        if are_collinear(model, &nodes) {
            return Err(ReductionError::CollinearContactNodes { count: nodes.len() });
        }
        let normals = node_normals(model, &nodes, &faces)?;
        let index_of = |node: u32| nodes.binary_search(&node).expect("faces use listed nodes") as u32;
        let faces = faces.iter().map(|face| face.map(index_of)).collect();
        let left_out = selected_count - nodes.len();
        Ok(ContactPatch { nodes, faces, normals, left_out })
    }

    fn selected_nodes(&self, model: &FiniteElementModel) -> Result<Vec<bool>, ReductionError> {
        let mut selected = vec![self.group.is_none(); model.node_positions.len()];
        if let Some(group) = &self.group {
            let nodes = model.node_groups.get(group).ok_or_else(|| ReductionError::NoSuchGroup {
                group: group.clone(),
                known: model.node_groups.keys().cloned().collect(),
            })?;
            nodes.iter().for_each(|node| selected[*node as usize] = true);
        }
        for (selected, position) in selected.iter_mut().zip(&model.node_positions) {
            if let Some([from, to]) = self.within_box {
                *selected &= (0..3).all(|axis| {
                    from[axis].min(to[axis]) <= position[axis] && position[axis] <= from[axis].max(to[axis])
                });
            }
            if let Some((centre, radius)) = self.within_sphere {
                *selected &= norm(minus(*position, centre)) <= radius;
            }
        }
        Ok(selected)
    }

    fn in_words(&self) -> String {
        let mut words = Vec::new();
        words.extend(self.group.as_ref().map(|group| format!("group `{group}`")));
        words.extend(self.within_box.map(|[from, to]| format!("box from {from:?} to {to:?}")));
        words
            .extend(self.within_sphere.map(|(centre, radius)| format!("sphere about {centre:?} with radius {radius}")));
        words.extend(
            self.facing
                .map(|(direction, angle)| format!("normal within {:.6} degrees of {direction:?}", angle.to_degrees())),
        );
        if words.is_empty() { "the whole surface".to_owned() } else { words.join(", ") }
    }
}

fn are_collinear(model: &FiniteElementModel, nodes: &[u32]) -> bool {
    let position = |node: &u32| model.node_positions[*node as usize];
    let origin = position(&nodes[0]);
    let offsets: Vec<[f64; 3]> = nodes.iter().map(|node| minus(position(node), origin)).collect();
    let longest = offsets.iter().copied().max_by(|a, b| norm(*a).total_cmp(&norm(*b))).unwrap_or_default();
    let length = norm(longest);
    let width = offsets.iter().map(|offset| norm(cross(*offset, longest))).fold(0.0, f64::max) / length;
    // Nodes at one point have a width that is not a number.
    width.is_nan() || width <= COLLINEAR * length
}

fn node_normals(
    model: &FiniteElementModel,
    nodes: &[u32],
    faces: &[[u32; 3]],
) -> Result<Vec<[f64; 3]>, ReductionError> {
    let mut sums = vec![[0.0; 3]; nodes.len()];
    for face in faces {
        let corners = face.map(|node| model.node_positions[node as usize]);
        let normal = normalized(cross(minus(corners[1], corners[0]), minus(corners[2], corners[0])))
            .ok_or(ReductionError::FlatSurfaceFace { nodes: *face })?;
        for corner in 0..3 {
            let before = minus(corners[(corner + 2) % 3], corners[corner]);
            let after = minus(corners[(corner + 1) % 3], corners[corner]);
            let angle = norm(cross(after, before)).atan2(dot(after, before));
            let node = nodes.binary_search(&face[corner]).expect("faces use listed nodes");
            (0..3).for_each(|axis| sums[node][axis] += angle * normal[axis]);
        }
    }
    let unit = |(sum, node): (&[f64; 3], &u32)| normalized(*sum).ok_or(ReductionError::NoNormal { node: *node });
    sums.iter().zip(nodes).map(unit).collect()
}
