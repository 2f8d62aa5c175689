//! Every face against every face, and inside by counting hits of rays: slow twins of the core's searches.

use std::collections::BTreeMap;

use polycontact::math::{Pose, Vector};
use polycontact::mesh::{FaceIndex, TriangleMesh};
use robust::{Coord3D, orient3d};

use super::random::Random;

/// The corner coordinates of every face, moved by `pose`.
pub fn triangles(mesh: &TriangleMesh, pose: &Pose) -> Vec<[Vector; 3]> {
    let moved = |x: Vector| pose.rotation * x + pose.translation.vector;
    (0..mesh.faces.len()).map(|face| mesh.corners(FaceIndex(face as u32)).map(moved)).collect()
}

/// What all pairs of faces say, for poses without degenerate coincidences.
pub struct Intersections {
    /// Pairs of faces that intersect.
    pub lines: usize,
    /// Closed curves that their intersection lines form.
    pub polygons: usize,
}

/// A point of the intersection curves: an edge of one surface (vertices in ascending order) through a face of the other.
type PointKey = (bool, u32, u32, usize);

/// Tests all pairs of faces of E and of F moved into E's frame.
pub fn intersections(mesh_e: &TriangleMesh, mesh_f: &TriangleMesh, pose_ef: &Pose) -> Intersections {
    let faces_e = triangles(mesh_e, &Pose::identity());
    let faces_f = triangles(mesh_f, pose_ef);
    let boxes_f: Vec<[Vector; 2]> = faces_f.iter().map(bounds).collect();
    let mut lines = 0;
    let mut curves = UnionFind::default();
    for (e, triangle_e) in faces_e.iter().enumerate() {
        let [low, high] = bounds(triangle_e);
        for (f, triangle_f) in faces_f.iter().enumerate() {
            let [low_f, high_f] = boxes_f[f];
            if (0..3).any(|axis| high[axis] < low_f[axis] || high_f[axis] < low[axis]) {
                continue;
            }
            let mut points: Vec<PointKey> = Vec::new();
            for k in 0..3 {
                if segment_crosses([triangle_e[k], triangle_e[(k + 1) % 3]], triangle_f) {
                    points.push(key(true, mesh_e, e, k, f));
                }
                if segment_crosses([triangle_f[k], triangle_f[(k + 1) % 3]], triangle_e) {
                    points.push(key(false, mesh_f, f, k, e));
                }
            }
            match points[..] {
                [] => {}
                [a, b] => {
                    lines += 1;
                    curves.join(a, b);
                }
                _ => panic!("faces {e} and {f} share {} points: a degenerate pose", points.len()),
            }
        }
    }
    Intersections { lines, polygons: curves.set_count() }
}

fn key(edge_is_of_e: bool, mesh: &TriangleMesh, face: usize, corner: usize, other_face: usize) -> PointKey {
    let corners = mesh.faces[face];
    let (a, b) = (corners[corner].0, corners[(corner + 1) % 3].0);
    (edge_is_of_e, a.min(b), a.max(b), other_face)
}

fn bounds(triangle: &[Vector; 3]) -> [Vector; 2] {
    let [a, b, c] = triangle;
    [a.inf(b).inf(c), a.sup(b).sup(c)]
}

/// Positive where `d` lies below the plane of a, b, c seen from its counter-clockwise side; exact sign.
pub fn side(a: &Vector, b: &Vector, c: &Vector, d: &Vector) -> f64 {
    let coord = |x: &Vector| Coord3D { x: x.x, y: x.y, z: x.z };
    orient3d(coord(a), coord(b), coord(c), coord(d))
}

/// Whether a segment passes through the inside of a triangle.
fn segment_crosses([p, q]: [Vector; 2], [a, b, c]: &[Vector; 3]) -> bool {
    if (0.0 < side(a, b, c, &p)) == (0.0 < side(a, b, c, &q)) {
        return false;
    }
    let signs = [side(&p, &q, a, b), side(&p, &q, b, c), side(&p, &q, c, a)].map(|x| 0.0 < x);
    signs[0] == signs[1] && signs[1] == signs[2]
}

/// Whether two triangles without degenerate coincidences intersect.
pub fn triangles_intersect(first: &[Vector; 3], second: &[Vector; 3]) -> bool {
    let edges = |[a, b, c]: &[Vector; 3]| [[*a, *b], [*b, *c], [*c, *a]];
    edges(first).into_iter().any(|edge| segment_crosses(edge, second))
        || edges(second).into_iter().any(|edge| segment_crosses(edge, first))
}

/// Distance along a ray to a triangle; none where it misses. `direction` need not have unit length.
pub fn ray_hit(origin: &Vector, direction: &Vector, [a, b, c]: &[Vector; 3]) -> Option<f64> {
    let (edge1, edge2) = (b - a, c - a);
    let p = direction.cross(&edge2);
    let determinant = edge1.dot(&p);
    if determinant == 0.0 {
        return None;
    }
    let from_a = origin - a;
    let u = from_a.dot(&p) / determinant;
    let q = from_a.cross(&edge1);
    let v = direction.dot(&q) / determinant;
    let t = edge2.dot(&q) / determinant;
    (0.0 <= u && 0.0 <= v && u + v <= 1.0 && 0.0 < t).then_some(t)
}

/// Whether a point lies inside a closed surface, by the parity of the hits of rays in random directions: two rays,
/// and a third where they disagree.
pub fn is_inside(point: &Vector, faces: &[[Vector; 3]], random: &mut Random) -> bool {
    let mut vote = || {
        let direction = random.direction();
        faces.iter().filter(|face| ray_hit(point, &direction, face).is_some()).count() % 2 == 1
    };
    let (first, second) = (vote(), vote());
    if first == second { first } else { vote() }
}

/// Hits closer than this, over the size of a triangle, to the border of the triangle or to the start of the ray prove
/// nothing.
const DOUBTFUL: f64 = 1e-9;

/// Whether a point lies inside a closed surface; none for a point on it, and where five rays do not agree.
///
/// Rays that pass close to the border of a face have no vote.
pub fn clearly_inside(point: &Vector, faces: &[[Vector; 3]], random: &mut Random) -> Option<bool> {
    let mut answer = None;
    let mut votes = 0;
    for _ in 0..40 {
        match is_parity_odd(point, &random.direction(), faces) {
            Parity::OnTheSurface => return None,
            Parity::Doubtful => continue,
            Parity::Clear(odd) if answer.is_some_and(|other| other != odd) => return None,
            Parity::Clear(odd) => answer = Some(odd),
        }
        votes += 1;
        if votes == 5 {
            return answer;
        }
    }
    None
}

enum Parity {
    Clear(bool),
    Doubtful,
    OnTheSurface,
}

fn is_parity_odd(point: &Vector, direction: &Vector, faces: &[[Vector; 3]]) -> Parity {
    let mut odd = false;
    let mut doubtful = false;
    for [a, b, c] in faces {
        let (edge1, edge2) = (b - a, c - a);
        let size = edge1.norm().max(edge2.norm());
        let normal = edge1.cross(&edge2);
        let height = normal.dot(&(a - point)) / normal.norm();
        let slope = normal.dot(direction) / normal.norm();
        // Where the ray meets the plane; or the point itself, if the plane passes through it.
        let is_in_plane = height.abs() < DOUBTFUL * size;
        let distance = if is_in_plane { 0.0 } else { height / slope };
        if !distance.is_finite() || distance < 0.0 {
            continue;
        }
        let hit = point + direction * distance;
        // Distance of the hit from each side, positive towards the inside of the face.
        let beyond = |from: &Vector, to: &Vector| {
            let along = to - from;
            normal.cross(&along).dot(&(hit - from)) / (normal.norm() * along.norm())
        };
        let inset = beyond(a, b).min(beyond(b, c)).min(beyond(c, a));
        // The error of the hit grows with the distance over the slope.
        let tolerance = DOUBTFUL * (size + distance);
        if is_in_plane && -tolerance < inset {
            return Parity::OnTheSurface;
        } else if is_in_plane {
            continue;
        } else if inset.abs() <= tolerance || slope.abs() < 1e-6 && -tolerance < inset {
            doubtful = true;
        } else if 0.0 < inset {
            odd = !odd;
        }
    }
    if doubtful { Parity::Doubtful } else { Parity::Clear(odd) }
}

#[derive(Default)]
struct UnionFind {
    index_of: BTreeMap<PointKey, usize>,
    parents: Vec<usize>,
}

impl UnionFind {
    fn find(&mut self, key: PointKey) -> usize {
        let next = self.parents.len();
        let mut i = *self.index_of.entry(key).or_insert(next);
        if i == next {
            self.parents.push(i);
        }
        while self.parents[i] != i {
            self.parents[i] = self.parents[self.parents[i]];
            i = self.parents[i];
        }
        i
    }

    fn join(&mut self, a: PointKey, b: PointKey) {
        let (a, b) = (self.find(a), self.find(b));
        self.parents[a] = b;
    }

    fn set_count(&self) -> usize {
        self.parents.iter().enumerate().filter(|(i, parent)| i == *parent).count()
    }
}
