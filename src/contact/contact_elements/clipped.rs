//! The clipped scheme: a master face is cut along the slave faces that it sees, and integrated exactly.

use super::Pass;
use super::convex_polygon::ConvexPolygon;
use super::element_integrals::FaceForce;
use super::face_frame::FaceFrame;
use super::seen_face::SeenFace;
use super::slave_search::SearchMemory;
use crate::contact::totals::Totals;

impl Pass<'_> {
    /// Adds the elements of one active master face.
    pub(super) fn integrate_clipped(&self, master_slot: usize, memory: &mut SearchMemory, totals: &mut Totals) {
        let face = self.master_area.faces[master_slot].face;
        let corners = self.master.corners(face);
        let frame = FaceFrame::new(&corners, self.master.normal(face));
        let triangle = corners.map(|corner| {
            let [x, y, _] = frame.point(corner);
            [x, y]
        });
        self.find_seen_faces(master_slot, &frame, &triangle, memory);
        let whole = ConvexPolygon::triangle(triangle);
        let force = FaceForce::new(self, &frame, totals.reference_e);
        for index in 0..memory.opposed.len() {
            let seen = memory.opposed[index];
            let part = seen.covered_part(&whole);
            if part.is_empty() {
                continue;
            }
            let weight = self.weights[self.patch_of(master_slot, seen.face) as usize];
            visible_pieces(part, &seen, memory);
            for piece in &memory.visible {
                force.integrate(piece, &seen, weight, totals);
            }
        }
    }
}

/// Fills `memory.visible` with the pieces of `part` from which the seen face is not hidden.
fn visible_pieces(part: ConvexPolygon, seen: &SeenFace, memory: &mut SearchMemory) {
    let SearchMemory { hiding, visible, cut, .. } = memory;
    visible.clear();
    visible.push(part);
    for face in hiding.iter().filter(|face| face.may_overlap(seen)) {
        cut.clear();
        for &piece in visible.iter() {
            face.subtract_hidden(piece, seen, cut);
        }
        std::mem::swap(visible, cut);
    }
}
