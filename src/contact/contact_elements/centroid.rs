//! The centroid scheme: one element per master face, as in the dissertation (4.12)–(4.18).

use super::Pass;
use super::element_integrals::FaceForce;
use super::face_frame::FaceFrame;
use super::slave_search::SearchMemory;
use crate::contact::totals::Totals;

impl Pass<'_> {
    /// Adds the element of one active master face, if the line through its centroid meets a slave
    /// face that faces it; of several, the one at the smallest depth.
    pub(super) fn integrate_centroid(&self, master_slot: usize, memory: &mut SearchMemory, totals: &mut Totals) {
        let face = self.master_area.faces[master_slot].face;
        let corners = self.master_area.corners_of(master_slot);
        let frame = FaceFrame::new(&corners, self.master_area.normals_e[master_slot]);
        let [x, y, _] = frame.point((corners[0] + corners[1] + corners[2]) / 3.0);
        let centroid = [x, y];
        self.find_seen_faces(master_slot, &frame, &[centroid; 3], memory);
        let nearest = memory
            .opposed
            .iter()
            .filter(|seen| seen.covers(centroid))
            .map(|seen| (seen.depth(centroid), seen.face))
            .filter(|(depth, _)| 0.0 < *depth)
            .min_by(|(a, _), (b, _)| a.total_cmp(b));
        if let Some((depth, slave_face)) = nearest {
            let (weight, _) = self.weight_of(master_slot, slave_face, depth);
            let area = self.master.surface.area(face);
            FaceForce::new(self, &frame, &[centroid; 3], totals.reference_e)
                .add_point(centroid, area, depth, weight, totals);
        }
    }
}
