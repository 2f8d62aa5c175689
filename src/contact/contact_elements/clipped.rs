//! The clipped scheme: a master face is cut along the slave faces that it sees, and integrated exactly.

use super::Pass;
use super::convex_polygon::{ConvexPolygon, CutTriangle};
use super::element_integrals::{FaceForce, FaceSums, Hidden};
use super::face_frame::FaceFrame;
use super::polygon_moments::PolygonMoments;
use super::seen_face::SeenFace;
use super::slave_search::SearchMemory;
use crate::contact::totals::Totals;

impl Pass<'_> {
    /// Adds the elements of one active master face.
    pub(super) fn integrate_clipped(
        &self,
        master_slot: usize,
        memory: &mut SearchMemory,
        part: &mut CutTriangle,
        totals: &mut Totals,
    ) {
        let corners = self.master_area.corners_e[master_slot];
        let frame = FaceFrame::new(&corners, self.master_area.normals_e[master_slot]);
        let triangle = corners.map(|corner| {
            let [x, y, _] = frame.point(corner);
            [x, y]
        });
        self.find_seen_faces(master_slot, &frame, &triangle, memory);
        let force = FaceForce::new(self, &frame, &triangle, totals.reference_e);
        let mut sums = FaceSums::default();
        for index in 0..memory.opposed.len() {
            let seen = memory.opposed[index];
            seen.cut_master(&triangle, &seen.overlay, part);
            let part = part.polygon();
            let Some(moments) = PolygonMoments::of(part.corners()) else { continue };
            let (weight, credible_depth) = self.weight_of(master_slot, seen.face, seen.depth(moments.centroid()));
            if weight == 0.0 {
                continue;
            }
            if !find_hidden_pieces(part, moments.area, &seen, memory) {
                continue;
            }
            let hidden = Hidden { faces: &memory.hiding, credible_depth };
            force.integrate(part, &moments, &seen, weight, &hidden, &mut sums, totals);
            for piece in &memory.hidden {
                if let Some(moments) = PolygonMoments::of(piece.corners()) {
                    force.integrate(piece, &moments, &seen, -weight, &hidden, &mut sums, totals);
                }
            }
            totals.element_count += 1;
        }
        force.finish(&sums, totals);
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
fn find_hidden_pieces(part: &ConvexPolygon, area: f64, seen: &SeenFace, memory: &mut SearchMemory) -> bool {
    let SearchMemory { hiding, hidden, visible, cut, by_area, .. } = memory;
    hidden.clear();
    if hiding.is_empty() {
        return true;
    }
    by_area.clear();
    let negligible = NEGLIGIBLE_REGION * area;
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
