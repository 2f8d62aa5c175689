//! Contact patches: which polygons belong together; for counting only.

use super::active_areas::{ActiveArea, VertexState};
use crate::contact::detect::PosedSurface;

/// Counts patches, with memory for the next time.
#[derive(Clone, Debug, Default)]
pub struct Patches {
    /// Union-find forest over polygons, components of E and components of F.
    parents: Vec<u32>,
}

impl Patches {
    /// How many connected patches there are: what polygons, edges and inner vertices hold together is one.
    pub fn count(&mut self, surfaces: [&PosedSurface; 2], areas: [&ActiveArea; 2], polygon_count: u32) -> u32 {
        self.join(surfaces, areas, polygon_count);
        (0..polygon_count).filter(|&polygon| self.root(polygon) == polygon).count() as u32
    }

    fn join(&mut self, surfaces: [&PosedSurface; 2], areas: [&ActiveArea; 2], polygon_count: u32) {
        let component_start = [polygon_count, polygon_count + areas[0].component_count];
        let node_count = component_start[1] + areas[1].component_count;
        self.parents.clear();
        self.parents.extend(0..node_count);
        for side in 0..2 {
            let mesh = surfaces[side].surface.mesh();
            for group in areas[side].crossings.chunk_by(|a, b| a.edge == b.edge) {
                let edge = group[0].edge;
                let corners = mesh.faces[edge.face().index()];
                let (first, last) = (&group[0], &group[group.len() - 1]);
                if let VertexState::Inside(component) = areas[side].vertex_state(corners[edge.corner()]) {
                    self.unite(first.polygon, component_start[side] + component);
                }
                if let VertexState::Inside(component) = areas[side].vertex_state(corners[(edge.corner() + 1) % 3]) {
                    self.unite(last.polygon, component_start[side] + component);
                }
                // A piece of the edge between going in and coming out lies inside: one patch.
                for pair in group.windows(2) {
                    if pair[0].is_entering && !pair[1].is_entering {
                        self.unite(pair[0].polygon, pair[1].polygon);
                    }
                }
            }
        }
    }

    fn root(&self, mut node: u32) -> u32 {
        while self.parents[node as usize] != node {
            node = self.parents[node as usize];
        }
        node
    }

    fn unite(&mut self, a: u32, b: u32) {
        let (root_a, root_b) = (self.root(a), self.root(b));
        // The lower number is the root, so polygons come before components.
        let root = root_a.min(root_b);
        self.parents[root_a.max(root_b) as usize] = root;
        // Short cuts keep the forest flat.
        self.parents[a as usize] = root;
        self.parents[b as usize] = root;
    }
}
