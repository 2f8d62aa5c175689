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
        Self::build_visiting(faces, vertex_count, |_| ())
    }

    /// As [`build`](Self::build), and calls `visit` once per edge, with all its half-edges in ascending order.
    ///
    /// Edges come in the order of their lower, then their higher vertex.
    pub(super) fn build_visiting(
        faces: &[[VertexIndex; 3]],
        vertex_count: usize,
        mut visit: impl FnMut(&[HalfEdge]),
    ) -> Self {
        let half_edge_count = 3 * faces.len();
        let mut twins = vec![NONE; half_edge_count];
        for_each_edge(faces, vertex_count, |half_edges| {
            visit(half_edges);
            if let &[first, second] = half_edges
                && origin(faces, first) != origin(faces, second)
            {
                twins[first.index()] = second.0;
                twins[second.index()] = first.0;
            }
        });
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
        for half_edge in (0..half_edge_count as u32).map(HalfEdge) {
            let slot = &mut next_free[origin(faces, half_edge).index()];
            outgoing[*slot as usize] = half_edge;
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

/// The vertex at which a half-edge starts.
fn origin(faces: &[[VertexIndex; 3]], half_edge: HalfEdge) -> VertexIndex {
    faces[half_edge.face().index()][half_edge.corner()]
}

/// Calls `visit` once per edge, with its half-edges in ascending order.
///
/// Edges come in the order of their lower, then their higher vertex.
pub(super) fn for_each_edge(faces: &[[VertexIndex; 3]], vertex_count: usize, mut visit: impl FnMut(&[HalfEdge])) {
    // 1: one bucket per lower vertex. Buckets are small on any usual mesh, so that sorting them is
    //    much cheaper than sorting all half-edges.
    let ends = |corners: &[VertexIndex; 3], k: usize| {
        let (from, to) = (corners[k].0, corners[(k + 1) % 3].0);
        (from.min(to), from.max(to))
    };
    let mut bucket_end = vec![0u32; vertex_count + 1];
    for corners in faces {
        for k in 0..3 {
            bucket_end[ends(corners, k).0 as usize + 1] += 1;
        }
    }
    for vertex in 0..vertex_count {
        bucket_end[vertex + 1] += bucket_end[vertex];
    }
    // 2: fill them with (higher vertex, half-edge), packed into one number.
    let mut keys = vec![0u64; 3 * faces.len()];
    for (face, corners) in faces.iter().enumerate() {
        for k in 0..3 {
            let (lower, higher) = ends(corners, k);
            let slot = &mut bucket_end[lower as usize];
            keys[*slot as usize] = u64::from(higher) << 32 | (3 * face + k) as u64;
            *slot += 1;
        }
    }
    // 3: `bucket_end[v]` was the start of bucket v and is now its end.
    let mut edge = Vec::new();
    let mut start = 0;
    for &end in &bucket_end[..vertex_count] {
        let bucket = &mut keys[start..end as usize];
        bucket.sort_unstable();
        for group in bucket.chunk_by(|a, b| a >> 32 == b >> 32) {
            edge.clear();
            edge.extend(group.iter().map(|&key| HalfEdge(key as u32)));
            visit(&edge);
        }
        start = end as usize;
    }
}
