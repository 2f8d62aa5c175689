//! The point of a deformed surface that is closest to a given one.

use super::contact_body::{BoxTree, ContactBody};
use crate::math::Vector;
pub(super) use crate::mesh::TriangleFeature as Feature;
use crate::mesh::{FaceIndex, HalfEdge, closest_on_triangle, on_triangle};
use crate::tree::OverlapStack;

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

/// Positions of the nodes of a body and the tree of its faces, in its frame.
#[derive(Clone, Copy)]
pub(super) struct Shape<'a> {
    pub(super) body: &'a ContactBody,
    pub(super) positions: &'a [Vector],
    pub(super) tree: &'a BoxTree,
}

impl Shape<'_> {
    /// The closest point to `point` that is at most `reach` away.
    pub(super) fn closest(&self, point: &Vector, reach: f64, stack: &mut OverlapStack) -> Option<Closest> {
        let mut best: Option<Closest> = None;
        let limit = |best: &Option<Closest>| best.map_or(reach * reach, |best| best.squared_distance);
        self.tree.visit_nearest(
            stack,
            &mut best,
            |bounds| bounds.squared_distance(point),
            |best, _, squared_distance| squared_distance > limit(best),
            |best, face| {
                let (feature, weights) = closest_on_triangle(&self.body.corners(self.positions, face), point);
                let closest = self.on_face(face, feature, weights, point);
                // Faces that share the closest point tell the same story; the lowest number makes the choice unique.
                let is_closer = match best {
                    None => closest.squared_distance <= limit(best),
                    Some(best) => {
                        (closest.squared_distance, closest.face).partial_cmp(&(best.squared_distance, best.face))
                            == Some(std::cmp::Ordering::Less)
                    }
                };
                if is_closer {
                    *best = Some(closest);
                }
            },
        );
        best
    }

    fn on_face(&self, face: u32, feature: Feature, weights: [f64; 3], point: &Vector) -> Closest {
        let closest = on_triangle(&self.body.corners(self.positions, face), weights);
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
