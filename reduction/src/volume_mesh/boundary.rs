//! The surface of a volume mesh.

use std::collections::HashMap;

use super::{Face, VolumeMesh};

impl VolumeMesh {
    /// The faces that belong to one element only, in the order of the elements.
    pub fn boundary_faces(&self) -> Vec<Face> {
        let mut counts: HashMap<[u32; 4], u32> = HashMap::with_capacity(4 * self.elements.len());
        for face in self.elements.iter().flat_map(|element| element.faces()) {
            *counts.entry(face.key()).or_default() += 1;
        }
        let faces = self.elements.iter().flat_map(|element| element.faces());
        faces.filter(|face| counts.get(&face.key()) == Some(&1)).collect()
    }

    /// The boundary as triangles, counter-clockwise seen from outside.
    pub fn boundary_triangles(&self) -> Vec<[u32; 3]> {
        self.boundary_faces().iter().flat_map(Face::triangles).collect()
    }
}
