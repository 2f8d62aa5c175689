//! The point of a deformed surface that is closest to a given one.

use super::box_tree::Bounds;
use super::contact_body::ContactBody;
use crate::math::Vector;
use crate::mesh::{FaceIndex, HalfEdge};

/// Where on a triangle a point lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Feature {
    Inside,
    /// On the edge from this corner to the next.
    Edge(usize),
    /// At this corner.
    Corner(usize),
}

/// The closest point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Closest {
    pub(super) face: u32,
    pub(super) feature: Feature,
    /// Barycentric coordinates: none negative, their sum is 1.
    pub(super) weights: [f64; 3],
    pub(super) point: Vector,
    pub(super) squared_distance: f64,
}

/// Positions of the nodes of a body and the boxes of its faces, in its frame.
#[derive(Clone, Copy)]
pub(super) struct Shape<'a> {
    pub(super) body: &'a ContactBody,
    pub(super) positions: &'a [Vector],
    pub(super) bounds: &'a [Bounds],
}

impl Shape<'_> {
    /// The closest point to `point` that is at most `reach` away.
    pub(super) fn closest(&self, point: &Vector, reach: f64, stack: &mut Vec<u32>) -> Option<Closest> {
        let mut best: Option<Closest> = None;
        self.body.tree.nearest(self.bounds, point, reach * reach, stack, |face, limit| {
            let (feature, weights) = closest_on_triangle(&self.body.corners(self.positions, face), point);
            let closest = self.on_face(face, feature, weights, point);
            // Faces that share the closest point tell the same story; the lowest number makes the choice unique.
            let is_closer = match &best {
                None => closest.squared_distance <= limit,
                Some(best) => {
                    (closest.squared_distance, closest.face).partial_cmp(&(best.squared_distance, best.face))
                        == Some(std::cmp::Ordering::Less)
                }
            };
            if is_closer {
                best = Some(closest);
                closest.squared_distance
            } else {
                limit
            }
        });
        best
    }

    fn on_face(&self, face: u32, feature: Feature, weights: [f64; 3], point: &Vector) -> Closest {
        let [a, b, c] = self.body.corners(self.positions, face);
        let closest = a * weights[0] + b * weights[1] + c * weights[2];
        Closest { face, feature, weights, point: closest, squared_distance: (closest - point).norm_squared() }
    }

    /// Outward normal at a closest point, not of unit length, and whether the point is on a border.
    pub(super) fn normal_at(&self, closest: &Closest) -> (Vector, bool) {
        let body = self.body;
        match closest.feature {
            Feature::Inside => (body.face_normal(self.positions, closest.face), false),
            Feature::Edge(corner) => {
                let edge = HalfEdge::new(FaceIndex(closest.face), corner);
                (body.edge_normal(self.positions, edge), body.half_edges.twin(edge).is_none())
            }
            Feature::Corner(corner) => {
                let vertex = body.faces[closest.face as usize][corner];
                (body.vertex_normal(self.positions, vertex), body.is_border[vertex.index()])
            }
        }
    }
}

/// The closest point of a triangle: where it lies, and its barycentric coordinates.
pub(super) fn closest_on_triangle(corners: &[Vector; 3], point: &Vector) -> (Feature, [f64; 3]) {
    let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
    let size = normal.norm_squared();
    // Sub-areas against each edge, scaled by the square of the triangle's: barycentric coordinates of the foot point.
    let area = |k: usize| {
        let (a, b) = (corners[(k + 1) % 3], corners[(k + 2) % 3]);
        (b - a).cross(&(point - a)).dot(&normal)
    };
    let areas = [area(0), area(1), area(2)];
    if size > 0.0 && areas.iter().all(|&area| area > 0.0) {
        let sum = areas[0] + areas[1] + areas[2];
        return (Feature::Inside, areas.map(|area| area / sum));
    }
    // Outside of the prism over the triangle: the closest point of the border.
    let mut best = (Feature::Corner(0), [1.0, 0.0, 0.0]);
    let mut best_distance = f64::INFINITY;
    for k in 0..3 {
        let (a, b) = (corners[k], corners[(k + 1) % 3]);
        let along = b - a;
        let length = along.norm_squared();
        let t = if length > 0.0 { ((point - a).dot(&along) / length).clamp(0.0, 1.0) } else { 0.0 };
        let distance = (a + t * along - point).norm_squared();
        if distance < best_distance {
            best_distance = distance;
            let mut weights = [0.0; 3];
            weights[k] = 1.0 - t;
            weights[(k + 1) % 3] = t;
            let feature = if t == 0.0 {
                Feature::Corner(k)
            } else if t == 1.0 {
                Feature::Corner((k + 1) % 3)
            } else {
                Feature::Edge(k)
            };
            best = (feature, weights);
        }
    }
    best
}
