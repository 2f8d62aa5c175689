//! Faces that cross, touch or overlap others where they should not; exact.

use robust::{Coord, Coord3D, orient2d, orient3d};

use super::{FaceIndex, TriangleMesh, VertexIndex};
use crate::math::{Aabb, Vector};
use crate::tree::Tree;

/// Pairs of boxes and of faces that a search may look at: some seconds.
const SEARCH_BUDGET: u64 = 100_000_000;

/// Faces per leaf of the tree.
const LEAF_FACES: usize = 4;

/// What a search has found.
pub(super) struct Found {
    pub(super) pairs: usize,
    /// The pair with the lowest first face, then the lowest second.
    pub(super) first: Option<(FaceIndex, FaceIndex)>,
    /// Whether the search came to its end within the budget.
    pub(super) complete: bool,
}

/// Finds pairs of faces that have a point in common beyond their common corners and edges.
pub(super) fn find_self_intersections(mesh: &TriangleMesh) -> Found {
    let mut found = Found { pairs: 0, first: None, complete: true };
    if mesh.faces.is_empty() {
        return found;
    }
    let faces = (0..mesh.faces.len() as u32).map(FaceIndex);
    let tree = Tree::of_boxes(faces.map(|face| (face, Aabb::of(&mesh.corners(face)))), LEAF_FACES);
    let mut budget = SEARCH_BUDGET;
    let mut open = vec![(0, 0)];
    while let Some((a, b)) = open.pop() {
        if budget == 0 {
            found.complete = false;
            break;
        }
        budget -= 1;
        let (node_a, node_b) = (tree.node(a), tree.node(b));
        if a != b && !node_a.volume.overlaps(&node_b.volume) {
            continue;
        }
        match (node_a.is_leaf(), node_b.is_leaf()) {
            (true, true) => {
                let leaves = [node_a, node_b].map(|node| tree.leaf_items(node));
                budget = budget.saturating_sub(test_leaves(mesh, leaves, a == b, &mut found));
            }
            (false, false) if a == b => {
                let [first, second] = tree.children(a);
                open.extend([(first, first), (second, second), (first, second)]);
            }
            (false, true) => open.extend(tree.children(a).map(|child| (child, b))),
            (true, false) => open.extend(tree.children(b).map(|child| (a, child))),
            (false, false) => {
                tree.children(a)
                    .into_iter()
                    .for_each(|first| open.extend(tree.children(b).map(|second| (first, second))));
            }
        }
    }
    found
}

/// Tests the faces of two leaves; returns how many pairs.
fn test_leaves(mesh: &TriangleMesh, leaves: [&[FaceIndex]; 2], is_one: bool, found: &mut Found) -> u64 {
    let mut tests = 0;
    let bounds = |face: FaceIndex| Aabb::of(&mesh.corners(face));
    for (k, &face_a) in leaves[0].iter().enumerate() {
        let bounds_a = bounds(face_a);
        for &face_b in &leaves[1][if is_one { k + 1 } else { 0 }..] {
            tests += 1;
            if bounds_a.overlaps(&bounds(face_b)) && intersect(mesh, face_a, face_b) {
                let pair = (face_a.min(face_b), face_a.max(face_b));
                found.pairs += 1;
                found.first = Some(found.first.map_or(pair, |first| first.min(pair)));
            }
        }
    }
    tests
}

/// Whether two faces have a point in common beyond their common corners and edges.
fn intersect(mesh: &TriangleMesh, face_a: FaceIndex, face_b: FaceIndex) -> bool {
    let (a, b) = (mesh.faces[face_a.index()], mesh.faces[face_b.index()]);
    let point = |vertex: VertexIndex| mesh.vertices[vertex.index()];
    let (triangle_a, triangle_b) = (a.map(point), b.map(point));
    let common = a.iter().filter(|vertex| b.contains(vertex)).count();
    match common {
        0 => (0..3).any(|k| {
            let next = (k + 1) % 3;
            segment_meets(&triangle_a[k], &triangle_a[next], &triangle_b)
                || segment_meets(&triangle_b[k], &triangle_b[next], &triangle_a)
        }),
        // What the triangles share goes on from the common corner to the opposite edge of one of them.
        1 => {
            let opposite = |corners: &[VertexIndex; 3], others: &[VertexIndex; 3]| {
                let shared = corners.iter().position(|vertex| others.contains(vertex)).unwrap_or(0);
                [corners[(shared + 1) % 3], corners[(shared + 2) % 3]].map(point)
            };
            let ([p, q], [r, s]) = (opposite(&a, &b), opposite(&b, &a));
            segment_meets(&p, &q, &triangle_b) || segment_meets(&r, &s, &triangle_a)
        }
        // Folded onto each other: in one plane and on the same side of the common edge.
        2 => {
            let start = a.iter().position(|vertex| !b.contains(vertex)).unwrap_or(0);
            let tip = b.iter().find(|vertex| !a.contains(vertex)).map(|&vertex| point(vertex)).unwrap_or_default();
            let flat = Projection::of(&triangle_a);
            let (from, to) = (triangle_a[(start + 1) % 3], triangle_a[(start + 2) % 3]);
            volume(&triangle_a, &tip) == 0.0
                && same_sign(flat.turn(&from, &to, &triangle_a[start]), flat.turn(&from, &to, &tip))
        }
        _ => true,
    }
}

/// Whether a segment has a point in common with a triangle, borders included.
fn segment_meets(p: &Vector, q: &Vector, triangle: &[Vector; 3]) -> bool {
    let (side_p, side_q) = (volume(triangle, p), volume(triangle, q));
    if side_p == 0.0 && side_q == 0.0 {
        return Projection::of(triangle).segment_meets(p, q, triangle);
    }
    if same_sign(side_p, side_q) {
        return false;
    }
    let [a, b, c] = triangle;
    let passes = [volume(&[*p, *q, *a], b), volume(&[*p, *q, *b], c), volume(&[*p, *q, *c], a)];
    passes.iter().all(|&side| 0.0 <= side) || passes.iter().all(|&side| side <= 0.0)
}

/// Whether both are positive or both negative.
fn same_sign(x: f64, y: f64) -> bool {
    (0.0 < x && 0.0 < y) || (x < 0.0 && y < 0.0)
}

/// Zero exactly where the point lies in the plane of the triangle; the sign tells the side.
fn volume([a, b, c]: &[Vector; 3], point: &Vector) -> f64 {
    let exact = |v: &Vector| Coord3D { x: v.x, y: v.y, z: v.z };
    orient3d(exact(a), exact(b), exact(c), exact(point))
}

/// A coordinate plane in which a triangle keeps an area.
struct Projection(usize, usize);

impl Projection {
    fn of([a, b, c]: &[Vector; 3]) -> Self {
        let planes = [Projection(0, 1), Projection(1, 2), Projection(2, 0)];
        planes.into_iter().find(|plane| plane.turn(a, b, c) != 0.0).unwrap_or(Projection(0, 1))
    }

    fn turn(&self, a: &Vector, b: &Vector, c: &Vector) -> f64 {
        let flat = |v: &Vector| Coord { x: v[self.0], y: v[self.1] };
        orient2d(flat(a), flat(b), flat(c))
    }

    /// As the function of the same name, all in one plane.
    fn segment_meets(&self, p: &Vector, q: &Vector, triangle: &[Vector; 3]) -> bool {
        let [a, b, c] = triangle;
        let winding = self.turn(a, b, c).signum();
        let edges = [(a, b), (b, c), (c, a)];
        let contains = |point: &Vector| edges.iter().all(|(from, to)| 0.0 <= winding * self.turn(from, to, point));
        contains(p) || contains(q) || edges.iter().any(|(from, to)| self.segments_meet(p, q, from, to))
    }

    fn segments_meet(&self, p: &Vector, q: &Vector, r: &Vector, s: &Vector) -> bool {
        let [r_side, s_side, p_side, q_side] =
            [self.turn(p, q, r), self.turn(p, q, s), self.turn(r, s, p), self.turn(r, s, q)];
        if [r_side, s_side, p_side, q_side] == [0.0; 4] {
            let meet = |k: usize| p[k].min(q[k]) <= r[k].max(s[k]) && r[k].min(s[k]) <= p[k].max(q[k]);
            return meet(self.0) && meet(self.1);
        }
        !same_sign(r_side, s_side) && !same_sign(p_side, q_side)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(vertices: &[[f64; 3]], faces: &[[u32; 3]]) -> usize {
        let mesh = TriangleMesh {
            vertices: vertices.iter().map(|&vertex| Vector::from(vertex)).collect(),
            faces: faces.iter().map(|face| face.map(VertexIndex)).collect(),
        };
        find_self_intersections(&mesh).pairs
    }

    const FLOOR: [[f64; 3]; 3] = [[0., 0., 0.], [4., 0., 0.], [0., 4., 0.]];

    fn with_floor(other: [[f64; 3]; 3]) -> usize {
        pairs(&[FLOOR, other].concat(), &[[0, 1, 2], [3, 4, 5]])
    }

    #[test]
    fn separate_faces() {
        assert_eq!(with_floor([[1., 1., 1.], [1., 1., 5.], [2., 1., 1.]]), 0, "a corner hovers above");
        assert_eq!(with_floor([[3., 3., -1.], [3., 3., 1.], [4., 4., 0.]]), 0, "passes beside");
        assert_eq!(with_floor([[5., 0., 0.], [9., 0., 0.], [5., 4., 0.]]), 0, "coplanar beside");
    }

    #[test]
    fn crossing_faces_touching_faces_and_coplanar_overlap() {
        assert_eq!(with_floor([[1., 1., -1.], [1., 1., 1.], [2., 1., 1.]]), 1, "crosses");
        assert_eq!(with_floor([[1., 1., 0.], [1., 1., 5.], [2., 1., 1.]]), 1, "corner on the face");
        assert_eq!(with_floor([[1., 1., 0.], [2., 1., 0.], [1., 2., 0.]]), 1, "coplanar inside");
        assert_eq!(with_floor([[1., -1., 0.], [2., -1., 0.], [1., 9., 0.]]), 1, "coplanar across");
        assert_eq!(with_floor([[-1., 0., 0.], [9., 0., 0.], [4., -4., 0.]]), 1, "along the same line");
    }

    #[test]
    fn faces_with_a_common_corner() {
        let faces = [[0, 1, 2], [0, 3, 4]];
        assert_eq!(pairs(&[&FLOOR[..], &[[-1., 0., 1.], [-1., 1., -1.]]].concat(), &faces), 0);
        assert_eq!(pairs(&[&FLOOR[..], &[[1., 1., 1.], [1., 1., -1.]]].concat(), &faces), 1);
    }

    #[test]
    fn faces_with_a_common_edge() {
        let with_tip = |tip| pairs(&[&FLOOR[..], &[tip]].concat(), &[[0, 1, 2], [1, 0, 3]]);
        assert_eq!(with_tip([1., -3., 0.]), 0, "flat continuation");
        assert_eq!(with_tip([1., 3., 1e-300]), 0, "nearly folded");
        assert_eq!(with_tip([1., 3., 0.]), 1, "folded onto each other");
    }
}
