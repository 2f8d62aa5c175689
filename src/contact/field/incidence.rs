//! Which vertices features have in common.

use super::{Feature, Plates};
use crate::mesh::{FaceIndex, HalfEdge, HalfEdges, TriangleMesh, VertexIndex};

/// A surface with its plates.
#[derive(Clone, Copy)]
pub struct Incidence<'a> {
    /// The surface.
    pub mesh: &'a TriangleMesh,
    /// Its adjacency.
    pub half_edges: &'a HalfEdges,
    /// Its plates; features of faces are named by the largest face of their plate.
    pub plates: &'a Plates,
}

impl Incidence<'_> {
    /// Start and end of a half-edge.
    #[inline]
    pub fn ends(&self, edge: HalfEdge) -> [VertexIndex; 2] {
        let corners = self.mesh.faces[edge.face().index()];
        [corners[edge.corner()], corners[(edge.corner() + 1) % 3]]
    }

    /// Whether a vertex is one of a feature's.
    #[inline]
    pub fn has(&self, feature: Feature, vertex: VertexIndex) -> bool {
        match feature {
            Feature::Face(plate) => {
                self.half_edges.outgoing(vertex).iter().any(|edge| self.plates.largest_face(edge.face()) == plate)
            }
            Feature::Edge(edge) => self.ends(edge).contains(&vertex),
            Feature::Vertex(own) => own == vertex,
        }
    }

    /// Calls `visit` with the vertices of a feature; all of a plate's.
    pub fn for_each_vertex(&self, feature: Feature, mut visit: impl FnMut(VertexIndex)) {
        match feature {
            Feature::Face(plate) => self.plates.outline(plate).iter().for_each(|&edge| visit(self.ends(edge)[0])),
            Feature::Edge(edge) => self.ends(edge).into_iter().for_each(visit),
            Feature::Vertex(vertex) => visit(vertex),
        }
    }

    /// Calls `visit` with the vertices that two features have in common.
    pub fn for_each_common(&self, one: Feature, other: Feature, mut visit: impl FnMut(VertexIndex)) {
        let size = |feature: Feature| match feature {
            Feature::Face(plate) => self.plates.outline(plate).len(),
            Feature::Edge(_) => 2,
            Feature::Vertex(_) => 1,
        };
        let (smaller, larger) = if size(other) < size(one) { (other, one) } else { (one, other) };
        self.for_each_vertex(smaller, |vertex| {
            if self.has(larger, vertex) {
                visit(vertex);
            }
        });
    }

    /// The lowest and the highest of the vertices that two features have in common, if any.
    pub fn common_ends(&self, one: Feature, other: Feature) -> Option<[VertexIndex; 2]> {
        let mut ends: Option<[VertexIndex; 2]> = None;
        self.for_each_common(one, other, |vertex| {
            ends = Some(ends.map_or([vertex; 2], |[low, high]| [low.min(vertex), high.max(vertex)]));
        });
        ends
    }

    /// The ends of what the plates of two faces have in common; none where they are one plate.
    pub fn wall_ends(&self, faces: [FaceIndex; 2]) -> Option<[VertexIndex; 2]> {
        let [one, other] = faces.map(|face| self.plates.largest_face(face));
        self.common_ends(Feature::Face(one), Feature::Face(other)).filter(|_| one != other)
    }

    /// What the walls through the edges of a face run through; none where both sides are one plate, or there is nothing on
    /// the other.
    pub fn wall_lines(&self, face: FaceIndex) -> [Option<[VertexIndex; 2]>; 3] {
        [0, 1, 2].map(|corner| {
            let twin = self.half_edges.twin(HalfEdge::new(face, corner))?;
            self.wall_ends([face, twin.face()])
        })
    }
}
