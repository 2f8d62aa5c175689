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
            let Some((_, centroid)) = part.area_and_centroid() else { continue };
            let (weight, credible_depth) = self.weight_of(master_slot, seen.face, seen.depth(centroid));
            if weight == 0.0 {
                continue;
            }
            if !find_hidden_pieces(&part, &seen, memory) {
                continue;
            }
            let SearchMemory { hiding, hidden, .. } = memory;
            let is_hidden =
                |point| credible_depth < seen.depth(point) || hiding.iter().any(|face| face.hides(point, &seen));
            force.integrate(&part, &seen, weight, &is_hidden, totals);
            for piece in hidden.iter() {
                force.integrate(piece, &seen, -weight, &is_hidden, totals);
            }
            totals.element_count += 1;
        }
    }
}

/// Regions smaller than this part of the polygon that they lie in are nothing; dimensionless, far above
/// the rounding of areas.
const NEGLIGIBLE_REGION: f64 = 1e-12;

/// Fills `memory.hidden` with disjoint polygons that make up the region of `part` from which the seen
/// face is hidden; false where nothing else is left.
///
/// The integrals over these polygons are taken away from those over the whole part. A hidden region
/// that grows from nothing then changes them continuously, whatever the quadrature.
fn find_hidden_pieces(part: &ConvexPolygon, seen: &SeenFace, memory: &mut SearchMemory) -> bool {
    let SearchMemory { hiding, hidden, visible, cut, by_area, .. } = memory;
    hidden.clear();
    by_area.clear();
    let negligible = NEGLIGIBLE_REGION * part.area();
    for (index, face) in hiding.iter().enumerate().filter(|(_, face)| face.may_hide(seen)) {
        let area = face.hidden_part(part, seen).area();
        if negligible < area {
            by_area.push((area, index));
        }
    }
    // The largest first: it leaves the least for the others, and a region that is just coming up
    // does not cut those that are there already.
    by_area.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    visible.clear();
    visible.push(*part);
    for &(_, index) in by_area.iter() {
        cut.clear();
        for piece in visible.iter() {
            let region = hiding[index].hidden_part(piece, seen);
            let (region_area, piece_area) = (region.area(), piece.area());
            if region_area <= negligible {
                cut.push(*piece);
            } else if (1.0 - NEGLIGIBLE_REGION) * piece_area <= region_area {
                hidden.push(*piece);
            } else {
                region.push_split(hidden);
                hiding[index].push_remainder(piece, seen, negligible, cut);
            }
        }
        std::mem::swap(visible, cut);
        if visible.is_empty() {
            return false;
        }
    }
    true
}
