//! Where a line leaves a body.

use crate::bvh::{FaceVolume, OverlapStack};
use crate::contact::detect::PosedSurface;
use crate::math::Vector;
use crate::mesh::FaceIndex;

/// A line through an edge meets the faces on both sides, up to this part of the edge's length beside it; dimensionless,
/// for rounding.
const ON_EDGE: f64 = 1e-12;

/// The first face through which the line from a point along a unit direction leaves a body, and how far away that is,
/// in m.
pub fn first_way_out(
    body: &PosedSurface,
    point_e: Vector,
    direction_e: Vector,
    stack: &mut OverlapStack,
) -> Option<(f64, FaceIndex)> {
    let (point, direction) = (body.own_frame(point_e), body.own_axes(direction_e));
    let mesh = body.surface.mesh();
    let mut nearest: Option<(f64, FaceIndex)> = None;
    body.surface.tree().items_touching(
        stack,
        |FaceVolume { bounds, .. }| {
            // The box against the line, along the axes across the line.
            let offset = bounds.center - point;
            let reach = bounds.half.dot(&direction.abs());
            let along = offset.dot(&direction);
            let across = offset - direction * along;
            0.0 <= along + reach && across.norm() <= bounds.half.norm() + reach.abs()
        },
        |face| {
            let normal = body.surface.normal(face);
            let corners = mesh.corners(face);
            let cosine = normal.dot(&direction);
            if cosine <= 0.0 {
                return;
            }
            // Where the line meets the plane of the face.
            let distance = normal.dot(&(corners[0] - point)) / cosine;
            let at = point + direction * distance;
            let covers = (0..3).all(|k| {
                let side = corners[(k + 1) % 3] - corners[k];
                -ON_EDGE * side.norm_squared() <= normal.dot(&side.cross(&(at - corners[k])))
            });
            if covers && 0.0 < distance && nearest.is_none_or(|known| (distance, face) < known) {
                nearest = Some((distance, face));
            }
        },
    );
    nearest
}
