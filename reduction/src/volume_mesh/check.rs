//! Whether a mesh can become a finite-element model.

use std::collections::HashMap;

use super::error::{Location, VolumeMeshError};
use super::{Element, VolumeMesh};
use crate::elements::{HEX8, Sample, TET4, TET10, jacobian};

/// An element whose Jacobian determinant is below this multiple of its longest extent cubed has no volume,
/// dimensionless: six digits above the rounding of the determinant, and its stiffness would drown that of all others.
const SMALLEST_RELATIVE_JACOBIAN: f64 = 1e-9;

/// The numbers under which the user knows nodes and elements; without a list they count from 1.
#[derive(Clone, Copy, Debug, Default)]
pub struct Numbering<'a> {
    /// One per node.
    pub nodes: Option<&'a [u64]>,
    /// One per element.
    pub elements: Option<&'a [u64]>,
}

impl Numbering<'_> {
    /// The user's number of the node with this index.
    pub fn node(&self, index: usize) -> u64 {
        self.nodes.and_then(|numbers| numbers.get(index)).copied().unwrap_or(index as u64 + 1)
    }

    /// The user's number of the element with this index.
    pub fn element(&self, index: usize) -> u64 {
        self.elements.and_then(|numbers| numbers.get(index)).copied().unwrap_or(index as u64 + 1)
    }
}

impl VolumeMesh {
    /// Checks what [`crate::assembly::assemble`] relies on; the first defect found is the error.
    pub fn check(&self, numbering: &Numbering) -> Result<(), VolumeMeshError> {
        self.check_elements(numbering)?;
        self.check_nodes(numbering)?;
        self.check_groups()?;
        self.check_jacobians(numbering)?;
        self.check_faces(numbering)?;
        self.check_connection()
    }

    /// Mean of the nodes of an element, in m.
    pub(super) fn centre_of_element(&self, index: usize) -> [f64; 3] {
        let nodes = self.elements[index].nodes();
        std::array::from_fn(|axis| {
            nodes.iter().map(|&node| self.node_positions[node as usize][axis]).sum::<f64>() / nodes.len() as f64
        })
    }

    fn check_elements(&self, numbering: &Numbering) -> Result<(), VolumeMeshError> {
        let Some(first) = self.elements.first() else {
            return Err(VolumeMeshError::NoVolumeElements);
        };
        for (index, element) in self.elements.iter().enumerate() {
            let number = numbering.element(index);
            if std::mem::discriminant(element) != std::mem::discriminant(first) {
                let (kind, first_kind) = (element.kind(), first.kind());
                return Err(VolumeMeshError::MixedKinds { element: number, kind, first_kind });
            }
            if let Some(&node) = element.nodes().iter().find(|&&node| self.node_positions.len() <= node as usize) {
                let user = format!("element {number}");
                return Err(VolumeMeshError::UnknownNode { user, node: u64::from(node) + 1 });
            }
        }
        Ok(())
    }

    fn check_nodes(&self, numbering: &Numbering) -> Result<(), VolumeMeshError> {
        let not_finite = |position: &[f64; 3]| !position.iter().all(|coordinate| coordinate.is_finite());
        if let Some(index) = self.node_positions.iter().position(not_finite) {
            return Err(VolumeMeshError::CoordinateNotFinite { node: numbering.node(index) });
        }
        let mut used = vec![false; self.node_positions.len()];
        for &node in self.elements.iter().flat_map(Element::nodes) {
            used[node as usize] = true;
        }
        if let Some(index) = used.iter().position(|used| !used) {
            return Err(VolumeMeshError::NodesWithoutElement {
                count: used.iter().filter(|used| !**used).count(),
                node: numbering.node(index),
                place: Location(self.node_positions[index]),
            });
        }
        Ok(())
    }

    fn check_groups(&self) -> Result<(), VolumeMeshError> {
        for (name, nodes) in &self.node_groups {
            if let Some(&node) = nodes.iter().find(|&&node| self.node_positions.len() <= node as usize) {
                let user = format!("the group `{name}`");
                return Err(VolumeMeshError::UnknownNode { user, node: u64::from(node) + 1 });
            }
        }
        Ok(())
    }

    fn check_jacobians(&self, numbering: &Numbering) -> Result<(), VolumeMeshError> {
        let bad = |index: &usize| match &self.elements[*index] {
            Element::Tet4(nodes) => !has_volume(self, nodes, &TET4),
            Element::Tet10(nodes) => !has_volume(self, nodes, &TET10),
            Element::Hex8(nodes) => !has_volume(self, nodes, &HEX8),
        };
        let bad: Vec<usize> = (0..self.elements.len()).filter(bad).collect();
        if bad.is_empty() { Ok(()) } else { Err(VolumeMeshError::inverted(self, &bad, numbering)) }
    }

    fn check_faces(&self, numbering: &Numbering) -> Result<(), VolumeMeshError> {
        let mut counts: HashMap<[u32; 4], usize> = HashMap::with_capacity(4 * self.elements.len());
        for face in self.elements.iter().flat_map(|element| element.faces()) {
            *counts.entry(face.key()).or_default() += 1;
        }
        for (index, element) in self.elements.iter().enumerate() {
            for face in element.faces() {
                let count = counts.get(&face.key()).copied().unwrap_or_default();
                if 2 < count {
                    let place = Location(self.centre_of_element(index));
                    return Err(VolumeMeshError::CrowdedFace { element: numbering.element(index), place, count });
                }
            }
        }
        Ok(())
    }

    fn check_connection(&self) -> Result<(), VolumeMeshError> {
        let mut parents: Vec<usize> = (0..self.node_positions.len()).collect();
        for element in &self.elements {
            let nodes = element.nodes();
            let first = root(&mut parents, nodes[0] as usize);
            for &node in &nodes[1..] {
                let other = root(&mut parents, node as usize);
                parents[other] = first;
            }
        }
        let mut sizes: HashMap<usize, usize> = HashMap::new();
        for node in 0..parents.len() {
            *sizes.entry(root(&mut parents, node)).or_default() += 1;
        }
        if sizes.len() <= 1 {
            return Ok(());
        }
        // The lowest node number decides between parts of equal size, so that the message is reproducible.
        let smallest = sizes.iter().map(|(&node, &size)| (size, node)).min().unwrap_or_default();
        let place = Location(self.node_positions[smallest.1]);
        Err(VolumeMeshError::UnconnectedParts { parts: sizes.len(), nodes: smallest.0, place })
    }
}

fn root(parents: &mut [usize], mut node: usize) -> usize {
    while parents[node] != node {
        parents[node] = parents[parents[node]];
        node = parents[node];
    }
    node
}

fn has_volume<const N: usize>(mesh: &VolumeMesh, nodes: &[u32; N], samples: &[Sample<N>]) -> bool {
    let positions = mesh.positions(nodes);
    let span = |axis: usize| {
        let low = positions.iter().map(|position| position[axis]).fold(f64::INFINITY, f64::min);
        let high = positions.iter().map(|position| position[axis]).fold(f64::NEG_INFINITY, f64::max);
        high - low
    };
    let size = (0..3).map(span).fold(0.0, f64::max);
    let limit = SMALLEST_RELATIVE_JACOBIAN * size.powi(3);
    samples.iter().all(|sample| limit < jacobian(&positions, &sample.derivatives).determinant())
}
