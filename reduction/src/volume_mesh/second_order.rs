//! From linear to quadratic tetrahedra.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::grid::ParameterMesh;
use super::{Element, Face, TETRAHEDRON_EDGES, VolumeMesh};

/// Adds a node to the middle of each edge: on the surface where `map` puts it, inside on the straight line.
pub(super) fn to_second_order(mesh: &ParameterMesh, map: &dyn Fn([f64; 3]) -> [f64; 3]) -> VolumeMesh {
    let linear = VolumeMesh {
        node_positions: mesh.positions.clone(),
        elements: mesh.tetrahedra.iter().map(|&nodes| Element::Tet4(nodes)).collect(),
        node_groups: BTreeMap::new(),
    };
    let mut surface_edges = HashSet::new();
    for face in linear.boundary_faces() {
        if let Face::Triangle3([a, b, c]) = face {
            surface_edges.extend([edge_key(a, b), edge_key(b, c), edge_key(c, a)]);
        }
    }
    let mut node_positions = linear.node_positions;
    let mut middles: HashMap<[u32; 2], u32> = HashMap::new();
    let mut elements = Vec::with_capacity(mesh.tetrahedra.len());
    for corners in &mesh.tetrahedra {
        let mut nodes = [0; 10];
        nodes[..4].copy_from_slice(corners);
        for (edge, [a, b]) in TETRAHEDRON_EDGES.into_iter().enumerate() {
            let key = edge_key(corners[a], corners[b]);
            nodes[4 + edge] = *middles.entry(key).or_insert_with(|| {
                let position = if surface_edges.contains(&key) {
                    map(mean(key.map(|node| mesh.parameters[node as usize])))
                } else {
                    mean(key.map(|node| mesh.positions[node as usize]))
                };
                node_positions.push(position);
                node_positions.len() as u32 - 1
            });
        }
        elements.push(Element::Tet10(nodes));
    }
    VolumeMesh { node_positions, elements, node_groups: BTreeMap::new() }
}

fn edge_key(a: u32, b: u32) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

fn mean([a, b]: [[f64; 3]; 2]) -> [f64; 3] {
    std::array::from_fn(|axis| 0.5 * (a[axis] + b[axis]))
}
