//! Adjacency of faces, edges and vertices; knows no coordinates.

use super::{FaceIndex, VertexIndex};

/// A directed edge of a face: half-edge `3 f + k` runs from corner `k` to corner `k + 1` of face `f`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HalfEdge(pub u32);

impl HalfEdge {
    /// The half-edge that starts at corner `corner` (0, 1, 2) of `face`.
    #[inline]
    pub fn new(face: FaceIndex, corner: usize) -> Self {
        debug_assert!(corner < 3);
        HalfEdge(3 * face.0 + corner as u32)
    }

    /// The face that the half-edge bounds.
    #[inline]
    pub fn face(self) -> FaceIndex {
        FaceIndex(self.0 / 3)
    }

    /// The corner (0, 1, 2) of its face at which the half-edge starts.
    #[inline]
    pub fn corner(self) -> usize {
        (self.0 % 3) as usize
    }

    /// The following half-edge around the same face.
    #[inline]
    pub fn next(self) -> Self {
        HalfEdge(if self.0 % 3 == 2 { self.0 - 2 } else { self.0 + 1 })
    }

    /// The index for use with slices.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// For every half-edge the one that runs along the same edge in the opposite direction.
#[derive(Clone, Debug)]
pub struct HalfEdges {
    twins: Vec<u32>,
    /// Half-edges sorted by the vertex that they leave; those of vertex `v` are
    /// `outgoing[outgoing_start[v]..outgoing_start[v + 1]]`.
    outgoing: Vec<HalfEdge>,
    outgoing_start: Vec<u32>,
    border_edges: usize,
}

const NONE: u32 = u32::MAX;

impl HalfEdges {
    /// Pairs up the half-edges of a mesh with `vertex_count` vertices.
    ///
    /// The faces must be edge-manifold and consistently oriented. Where they are not, the surplus
    /// half-edges stay unpaired, as if they were on a border.
    pub fn build(faces: &[[VertexIndex; 3]], vertex_count: usize) -> Self {
        let half_edge_count = 3 * faces.len();
        let mut twins = vec![NONE; half_edge_count];
        // Sorting by (lower vertex, higher vertex) brings the two sides of each edge together.
        let mut keys: Vec<(u32, u32, u32)> = Vec::with_capacity(half_edge_count);
        for (face, corners) in faces.iter().enumerate() {
            for k in 0..3 {
                let (from, to) = (corners[k].0, corners[(k + 1) % 3].0);
                keys.push((from.min(to), from.max(to), (3 * face + k) as u32));
            }
        }
        keys.sort_unstable();
        let origin = |half_edge: u32| faces[half_edge as usize / 3][half_edge as usize % 3];
        for group in keys.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            if let [(_, _, first), (_, _, second)] = group
                && origin(*first) != origin(*second)
            {
                twins[*first as usize] = *second;
                twins[*second as usize] = *first;
            }
        }
        let border_edges = twins.iter().filter(|&&twin| twin == NONE).count();

        let mut outgoing_start = vec![0u32; vertex_count + 1];
        for corner in faces.iter().flatten() {
            outgoing_start[corner.index() + 1] += 1;
        }
        for vertex in 0..vertex_count {
            outgoing_start[vertex + 1] += outgoing_start[vertex];
        }
        let mut next_free = outgoing_start.clone();
        let mut outgoing = vec![HalfEdge(NONE); half_edge_count];
        for half_edge in 0..half_edge_count as u32 {
            let slot = &mut next_free[origin(half_edge).index()];
            outgoing[*slot as usize] = HalfEdge(half_edge);
            *slot += 1;
        }
        HalfEdges { twins, outgoing, outgoing_start, border_edges }
    }

    /// The opposite half-edge in the neighbouring face; none on a border.
    #[inline]
    pub fn twin(&self, half_edge: HalfEdge) -> Option<HalfEdge> {
        let twin = self.twins[half_edge.index()];
        (twin != NONE).then_some(HalfEdge(twin))
    }

    /// The one of a half-edge and its twin that stands for the edge.
    #[inline]
    pub fn edge(&self, half_edge: HalfEdge) -> HalfEdge {
        // NONE is the largest number, so a border edge stands for itself.
        HalfEdge(half_edge.0.min(self.twins[half_edge.index()]))
    }

    /// The half-edges that leave a vertex: one for each face at the vertex, in order of the faces.
    #[inline]
    pub fn outgoing(&self, vertex: VertexIndex) -> &[HalfEdge] {
        let start = self.outgoing_start[vertex.index()] as usize;
        let end = self.outgoing_start[vertex.index() + 1] as usize;
        &self.outgoing[start..end]
    }

    /// How many edges have a face on one side only.
    pub fn border_edge_count(&self) -> usize {
        self.border_edges
    }

    /// Whether the surface has no border.
    pub fn is_closed(&self) -> bool {
        self.border_edges == 0
    }
}
