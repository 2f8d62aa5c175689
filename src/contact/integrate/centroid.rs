//! The centroid scheme: one element per face, as in the dissertation (4.12)–(4.18).
//!
//! The depth of a face is the distance from its centroid, against its normal, to the first face behind that faces it.

use crate::bvh::{FaceVolume, OverlapStack};
use crate::contact::law::FaceRecord;
use crate::contact::pieces::{FacesInField, Feature, Piece, PieceMemory};
use crate::math::Vector;
use crate::mesh::FaceIndex;

/// A line through an edge meets the faces on both sides, up to this part of the edge's length beside it; dimensionless,
/// for rounding.
const ON_EDGE: f64 = 1e-12;

/// Reused memory.
#[derive(Clone, Debug, Default)]
pub struct CentroidMemory {
    stack: OverlapStack,
}

impl FacesInField<'_> {
    /// Replaces the pieces in memory by one for each face whose centroid sees a face of the other body behind it: its
    /// one corner is the centroid, and its depth is constant.
    pub(super) fn find_centroid_elements(
        &self,
        first_slot: usize,
        records: &[FaceRecord],
        memory: &mut CentroidMemory,
        PieceMemory { pieces, .. }: &mut PieceMemory,
    ) {
        pieces.clear();
        for (index, record) in records.iter().enumerate().filter(|(_, record)| record.is_regular()) {
            let [a, b, c] = record.triangle();
            let centroid = [0, 1].map(|axis| (a[axis] + b[axis] + c[axis]) / 3.0);
            let [x, y, normal_e] = record.axes_e();
            let point_e = record.origin_e() + x * centroid[0] + y * centroid[1];
            if let Some((depth, face)) = self.depth_behind(point_e, normal_e, memory) {
                let area = self.surface.surface.area(self.area.faces[first_slot + index].face);
                let piece = Piece::new(index as u32, Feature::Face(face), [depth, 0.0, 0.0, area], 0.0);
                pieces.push(piece.with_corners(&[centroid]));
            }
        }
    }

    /// The smallest depth at which the line from a point against a normal meets an active face that faces it.
    fn depth_behind(&self, point_e: Vector, normal_e: Vector, memory: &mut CentroidMemory) -> Option<(f64, FaceIndex)> {
        let (point, normal) = (self.field.own_frame(point_e), self.field.own_axes(normal_e));
        let mesh = self.field.surface.mesh();
        let mut nearest: Option<(f64, FaceIndex)> = None;
        self.field.surface.tree().items_touching(
            &mut memory.stack,
            |FaceVolume { bounds, .. }| {
                // The box against the line, along the axes across the line.
                let offset = bounds.center - point;
                let reach = bounds.half.dot(&normal.abs());
                let along = offset.dot(&normal);
                let across = offset - normal * along;
                along - reach <= 0.0 && across.norm() <= bounds.half.norm() + reach.abs()
            },
            |face| {
                let across = self.field.surface.normal(face);
                let corners = mesh.corners(face);
                let cosine = -across.dot(&normal);
                if cosine <= 0.0 {
                    return;
                }
                // Where the line meets the plane of the face, at this depth.
                let depth = -across.dot(&(point - corners[0])) / cosine;
                let at = point - normal * depth;
                let covers = (0..3).all(|k| {
                    let side = corners[(k + 1) % 3] - corners[k];
                    -ON_EDGE * side.norm_squared() <= across.dot(&side.cross(&(at - corners[k])))
                });
                if covers && 0.0 < depth && nearest.is_none_or(|known| (depth, face) < known) {
                    nearest = Some((depth, face));
                }
            },
        );
        nearest
    }
}
