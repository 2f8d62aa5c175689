//! Tree against one point: the nearest face.

use super::{FaceTree, FaceVolume, OverlapStack};
use crate::math::Vector;
use crate::mesh::{FaceIndex, TriangleFeature, TriangleMesh, closest_on_triangle, on_triangle};

/// Part of the coordinates by which rounding may move a distance, or the limit of a node; dimensionless. Some ten
/// operations of 10⁻¹⁶ each lead to either.
const DISTANCE_ROUNDING: f64 = 1e-14;

/// The point of a surface that is nearest to a given one, in the frame of the surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestFace {
    /// Distance of both points, in m; never negative.
    pub distance: f64,
    /// A face with the nearest point; of several at the same distance the one with the lowest number.
    pub face: FaceIndex,
    /// The nearest point.
    pub point: Vector,
    /// Its barycentric coordinates in the face: none negative, their sum is 1.
    pub weights: [f64; 3],
    /// Where on the face it lies.
    pub feature: TriangleFeature,
}

/// A point, and how far away from it faces matter.
struct Ball {
    center: Vector,
    /// By how much rounding may move a distance, in m.
    margin: f64,
    /// Nodes farther away than this, in m, hold nothing of interest; its square.
    limit: (f64, f64),
}

impl Ball {
    /// A ball against a tree with this largest coordinate, both in m.
    fn new(center: Vector, radius: f64, largest_coordinate: f64) -> Self {
        let mut ball =
            Ball { center, margin: DISTANCE_ROUNDING * (largest_coordinate + center.amax()), limit: (0.0, 0.0) };
        ball.shrink_to(radius);
        ball
    }

    fn shrink_to(&mut self, radius: f64) {
        let limit = radius + self.margin;
        self.limit = (limit, limit * limit);
    }

    /// Whether a node, the square of the distance of its box given in m², holds nothing of interest.
    #[inline]
    fn misses(&self, node: &FaceVolume, squared_distance: f64) -> bool {
        self.limit.1 < squared_distance || self.misses_disc(node)
    }

    /// Whether the disc of a node lies beyond the limit.
    fn misses_disc(&self, node: &FaceVolume) -> bool {
        let offset = self.center - node.disc.center;
        let reach = self.limit.0 + node.disc.radius;
        self.limit.0 + node.disc.half_height < offset.dot(&node.disc.normal).abs()
            || reach * reach < offset.norm_squared()
    }
}

/// Lower bound of the square of the distance from a point to the box of a node, in m².
#[inline]
fn squared_box_distance(point: &Vector, node: &FaceVolume) -> f64 {
    ((point - node.bounds.center).abs() - node.bounds.half).sup(&Vector::zeros()).norm_squared()
}

impl FaceTree {
    /// The face nearest to `point`, in the frame of the tree; none where all are farther away than `start` metres.
    ///
    /// `start` may be infinite. As long as it is not below the distance it changes no bit of the answer, only the time:
    /// the distance to any face known to be near is a good one. `mesh` must be the one that the tree was built of.
    pub fn nearest_face(
        &self,
        mesh: &TriangleMesh,
        point: Vector,
        start: f64,
        stack: &mut OverlapStack,
    ) -> Option<NearestFace> {
        let mut ball = Ball::new(point, start, self.bounds().largest_coordinate());
        // Rounding of the square root and of the square must not refuse a face at the distance `start`.
        let mut best_key = (start * start * (1.0 + DISTANCE_ROUNDING), FaceIndex(u32::MAX));
        let mut best = None;
        let center = ball.center;
        self.visit_nearest(
            stack,
            &mut ball,
            |node| squared_box_distance(&center, node),
            |ball, node, squared_distance| ball.misses(node, squared_distance),
            |ball, face| {
                let corners = mesh.corners(face);
                let (feature, weights) = closest_on_triangle(&corners, &point);
                let nearest = on_triangle(&corners, weights);
                let key = ((nearest - point).norm_squared(), face);
                if key < best_key {
                    let distance = key.0.sqrt();
                    best_key = key;
                    best = Some(NearestFace { distance, face, point: nearest, weights, feature });
                    ball.shrink_to(distance);
                }
            },
        );
        best
    }
}
