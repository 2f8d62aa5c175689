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
            signed_pieces(part, &seen, memory);
            let is_hidden = |point| memory.hiding.iter().any(|face| face.hides(point, &seen));
            for (piece, sign) in &memory.pieces {
                force.integrate(piece, &seen, sign * weight, &is_hidden, totals);
            }
            totals.element_count += 1;
        }
    }
}

/// Fills `memory.pieces` with polygons whose signed sum is the part of `part` from which the seen face
/// is not hidden.
///
/// Hidden parts are taken away by inclusion and exclusion instead of cutting the remainder into
/// convex pieces: a hidden part that grows from nothing then changes the integrals continuously,
/// whatever the quadrature. Faces of one sheet do not overlap, so the sum stays short.
fn signed_pieces(part: ConvexPolygon, seen: &SeenFace, memory: &mut SearchMemory) {
    let SearchMemory { hiding, pieces, .. } = memory;
    pieces.clear();
    pieces.push((part, 1.0));
    for face in hiding.iter().filter(|face| face.may_overlap(seen)) {
        for index in 0..pieces.len() {
            let (piece, sign) = &pieces[index];
            let hidden = face.hidden_part(piece, seen);
            if hidden.area_and_centroid().is_some() {
                let opposite = -sign;
                push_split(hidden, opposite, pieces);
            }
        }
    }
}

/// Keeps polygons small enough for the cuts to come.
fn push_split(polygon: ConvexPolygon, sign: f64, pieces: &mut Vec<(ConvexPolygon, f64)>) {
    if polygon.needs_splitting() {
        pieces.extend(polygon.halves().map(|half| (half, sign)));
    } else {
        pieces.push((polygon, sign));
    }
}
