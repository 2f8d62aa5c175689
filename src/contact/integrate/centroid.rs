//! The centroid scheme: one element per face, as in the dissertation (4.12)–(4.18).
//!
//! The depth of a face is the distance from its centroid, against its normal, to the first face behind that faces it.

use super::way_out::first_way_out;
use crate::bvh::OverlapStack;
use crate::contact::law::FaceRecord;
use crate::contact::pieces::{FacesInField, Feature, Piece, PieceMemory};

/// Reused memory.
#[derive(Clone, Debug, Default)]
pub struct CentroidMemory {
    /// Of searches along lines.
    pub stack: OverlapStack,
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
            if let Some((depth, face)) = first_way_out(&self.field, point_e, -normal_e, &mut memory.stack) {
                let area = self.surface.surface.area(self.area.faces[first_slot + index].face);
                let piece = Piece::new(index as u32, Feature::Face(face), [depth, 0.0, 0.0, area], 0.0);
                pieces.push(piece.with_corners(&[centroid]));
            }
        }
    }
}
