//! Closes T-junctions and hair cracks: a border vertex on a border edge becomes a corner of the face along it.
//!
//! Where one side of a seam has an edge a–b and the other a–v and v–b with v within the merge distance of a–b, the
//! face along a–b is cut in two at v. The surface moves by no more than the distance, and the border is gone.

use std::collections::{HashMap, HashSet};

use super::cleaning::{CleanedMesh, has_area};
use super::half_edge::for_each_edge;
use super::point_tree::PointTree;
use super::{HalfEdge, TriangleMesh, VertexIndex};
use crate::math::Vector;

/// A face is cut along one edge per round; a face has three, and both sides of a crack may need cuts in turn.
const ROUNDS: usize = 8;

/// Pairs of vertices and edges looked at: below a second.
const BUDGET: usize = 20_000_000;

/// What closing has changed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct ClosedCracks {
    /// Edges that got corners of neighbouring faces.
    pub(super) edges: usize,
    /// Farthest way of a point of the surface, in m.
    pub(super) farthest: f64,
}

/// Closes what a distance, in m, allows.
pub(super) fn close_cracks(cleaned: &mut CleanedMesh, distance: f64) -> ClosedCracks {
    let mut closed = ClosedCracks::default();
    let mut budget = BUDGET;
    for _ in 0..ROUNDS {
        if distance == 0.0 || !close_once(cleaned, distance, &mut budget, &mut closed) {
            break;
        }
    }
    closed
}

/// One round; whether it changed anything.
fn close_once(cleaned: &mut CleanedMesh, distance: f64, budget: &mut usize, closed: &mut ClosedCracks) -> bool {
    let mesh = &mut cleaned.mesh;
    let border = border_half_edges(mesh);
    if border.is_empty() {
        return false;
    }
    let ends = |half_edge: HalfEdge| {
        let corners = mesh.faces[half_edge.face().index()];
        [corners[half_edge.corner()], corners[half_edge.next().corner()]]
    };
    let mut neighbours: HashMap<VertexIndex, Vec<VertexIndex>> = HashMap::new();
    for &half_edge in &border {
        let [from, to] = ends(half_edge);
        neighbours.entry(from).or_default().push(to);
        neighbours.entry(to).or_default().push(from);
    }
    // Sorted, since the order of a hash map is random.
    let mut vertices: Vec<VertexIndex> = neighbours.keys().copied().collect();
    vertices.sort_unstable();
    let tree = PointTree::build(vertices.iter().map(|vertex| (mesh.vertices[vertex.index()], vertex.0)).collect());

    let mut cut_faces = HashSet::new();
    let mut cuts = Vec::new();
    for &half_edge in &border {
        if cut_faces.contains(&half_edge.face()) {
            continue;
        }
        let [from, to] = ends(half_edge);
        let (a, b) = (mesh.vertices[from.index()], mesh.vertices[to.index()]);
        let mut on_edge = points_on_edge(&tree, [a, b], [from, to], distance, budget);
        // Only what a seam connects with this edge.
        let members: Vec<VertexIndex> = on_edge.iter().map(|point| point.vertex).chain([from, to]).collect();
        on_edge.retain(|point| neighbours[&point.vertex].iter().any(|other| members.contains(other)));
        on_edge.sort_by(|p, q| p.part.total_cmp(&q.part).then(p.vertex.cmp(&q.vertex)));
        if !on_edge.is_empty() {
            cut_faces.insert(half_edge.face());
            cuts.push((half_edge, on_edge));
        }
    }
    let before = closed.edges;
    for (half_edge, on_edge) in cuts {
        if cut(cleaned, half_edge, &on_edge) {
            closed.edges += 1;
            closed.farthest = on_edge.iter().fold(closed.farthest, |farthest, point| point.way.max(farthest));
        }
    }
    before < closed.edges
}

fn border_half_edges(mesh: &TriangleMesh) -> Vec<HalfEdge> {
    let mut border = Vec::new();
    for_each_edge(&mesh.faces, mesh.vertices.len(), |edge| {
        if let &[single] = edge {
            border.push(single);
        }
    });
    border
}

/// A border vertex on an edge.
struct PointOnEdge {
    vertex: VertexIndex,
    /// 0 at the start of the edge, 1 at its end.
    part: f64,
    /// Distance from the edge in m.
    way: f64,
}

fn points_on_edge(
    tree: &PointTree,
    [a, b]: [Vector; 2],
    ends: [VertexIndex; 2],
    distance: f64,
    budget: &mut usize,
) -> Vec<PointOnEdge> {
    let margin = Vector::repeat(distance);
    let along = b - a;
    let mut found = Vec::new();
    tree.visit_box(&(a.inf(&b) - margin), &(a.sup(&b) + margin), |point, number| {
        let vertex = VertexIndex(number);
        let part = (point - a).dot(&along) / along.norm_squared();
        let way = (point - a - along * part).norm();
        if !ends.contains(&vertex) && 0.0 < part && part < 1.0 && way <= distance {
            found.push(PointOnEdge { vertex, part, way });
        }
        *budget = budget.saturating_sub(1);
        *budget != 0
    });
    found
}

/// Cuts the face of a half-edge at points along it; false where a part would have no area or face the other way.
fn cut(cleaned: &mut CleanedMesh, half_edge: HalfEdge, on_edge: &[PointOnEdge]) -> bool {
    let mesh = &mut cleaned.mesh;
    let face = half_edge.face();
    let corners = mesh.faces[face.index()];
    let [from, to, tip] =
        [half_edge, half_edge.next(), half_edge.next().next()].map(|half_edge| corners[half_edge.corner()]);
    let chain: Vec<VertexIndex> =
        [from].into_iter().chain(on_edge.iter().map(|point| point.vertex)).chain([to]).collect();
    let point = |vertex: VertexIndex| mesh.vertices[vertex.index()];
    let normal = |[a, b, c]: [Vector; 3]| (b - a).cross(&(c - a));
    let whole = normal([from, to, tip].map(point));
    let is_good = chain.windows(2).all(|pair| {
        let [a, b, c] = [pair[0], pair[1], tip].map(point);
        has_area(&a, &b, &c) && 0.0 < normal([a, b, c]).dot(&whole)
    });
    if !is_good || chain.contains(&tip) {
        return false;
    }
    mesh.faces[face.index()] = [chain[0], chain[1], tip];
    let number = cleaned.face_numbers[face.index()];
    for pair in chain[1..].windows(2) {
        mesh.faces.push([pair[0], pair[1], tip]);
        cleaned.face_numbers.push(number);
    }
    true
}
