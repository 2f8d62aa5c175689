//! The clipped scheme: a master face is cut along the slave faces that it sees, and integrated exactly.

use std::ops::Range;

use super::Pass;
use super::convex_polygon::{ConvexPolygon, CutTriangle, PlanePoint};
use super::element_integrals::{FaceForce, FaceSums, Hidden};
use super::face_frame::FaceFrame;
use super::lane_force::{LaneForce, SMALLEST_REGULARIZATION};
use super::lane_queue::SinglePiece;
use super::lanes::{self, Kernel, Registers};
use super::polygon_moments::PolygonMoments;
use super::seen_face::SeenFace;
use super::slave_search::{SearchMemory, see};
use crate::contact::totals::Totals;

impl Pass<'_> {
    /// Adds the elements of all active master faces: several at a time where the patch is smooth, the others one by one.
    pub(super) fn integrate_clipped(&self, master_slots: Range<usize>, memory: &mut SearchMemory, totals: &mut Totals) {
        memory.single_faces.clear();
        memory.single_pieces.clear();
        if self.takes_lanes() {
            lanes::run(FacesInLanes { pass: self, master_slots, memory, totals });
        } else {
            memory.single_faces.extend(master_slots.start as u32..master_slots.end as u32);
        }
        let mut part = CutTriangle::default();
        memory.single_pieces.sort_unstable();
        for index in 0..memory.single_pieces.len() {
            let SinglePiece { master_slot, slave_slot, is_measured } = memory.single_pieces[index];
            let (frame, triangle) = self.master_frame(master_slot as usize);
            memory.opposed.clear();
            memory.hiding.clear();
            memory.opposed.extend(see(&self.slave, &frame, self.slave_area.faces[slave_slot as usize].face));
            let mut of_piece = Totals::new(totals.reference_e);
            self.integrate_face(master_slot as usize, &frame, &triangle, memory, &mut part, &mut of_piece);
            if is_measured {
                of_piece.forget_geometry();
            }
            totals.add_all(&of_piece);
        }
        for index in 0..memory.single_faces.len() {
            let master_slot = memory.single_faces[index] as usize;
            let (frame, triangle) = self.master_frame(master_slot);
            self.find_seen_faces(master_slot, &frame, &triangle, memory);
            self.integrate_face(master_slot, &frame, &triangle, memory, &mut part, totals);
        }
    }

    /// Whether the lanes can do the pass. While pieces are recorded, they are integrated one by one.
    fn takes_lanes(&self) -> bool {
        #[cfg(feature = "floor")]
        if super::floor::is_recording() {
            return false;
        }
        let friction = self.parameters.friction();
        friction.is_none_or(|friction| SMALLEST_REGULARIZATION <= friction.regularization_velocity)
    }

    /// The frame of an active master face, and its triangle in its plane.
    pub(super) fn master_frame(&self, master_slot: usize) -> (FaceFrame, [PlanePoint; 3]) {
        let corners = self.master_area.corners_of(master_slot);
        let frame = FaceFrame::new(&corners, self.master_area.normals_e[master_slot]);
        let [a, b, c] = [frame.point(corners[0]), frame.point(corners[1]), frame.point(corners[2])];
        (frame, [[a[0], a[1]], [b[0], b[1]], [c[0], c[1]]])
    }

    /// Adds the pieces of a master face over which the faces in `memory.opposed` are seen.
    fn integrate_face(
        &self,
        master_slot: usize,
        frame: &FaceFrame,
        triangle: &[PlanePoint; 3],
        memory: &mut SearchMemory,
        part: &mut CutTriangle,
        totals: &mut Totals,
    ) {
        let force = FaceForce::new(self, frame, triangle, totals.reference_e);
        let mut sums = FaceSums::default();
        for index in 0..memory.opposed.len() {
            let seen = memory.opposed[index];
            seen.cut_master(triangle, &seen.overlay, part);
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

/// The elements of those of some master faces around which the patch is smooth.
struct FacesInLanes<'a> {
    pass: &'a Pass<'a>,
    master_slots: Range<usize>,
    memory: &'a mut SearchMemory,
    totals: &'a mut Totals,
}

impl Kernel for FacesInLanes<'_> {
    type Output = ();

    #[inline(always)]
    fn run<R: Registers>(self, registers: R) {
        let FacesInLanes { pass, master_slots, memory, totals } = self;
        let SearchMemory { walk, lane_walk, queues, single_faces, single_pieces, faces, stack, .. } = memory;
        let force = LaneForce::new(pass);
        let first_slot = master_slots.start;
        queues.clear();
        pass.record_faces(registers, master_slots, totals.reference_e, &mut queues.faces);
        // From neighbour to neighbour, inwards: what one sees leads to what the next one sees.
        lane_walk.start_order(pass.master_area);
        while let Some(master_slot) = lane_walk.next_master(pass.master_area) {
            let index = master_slot - first_slot;
            let record = &mut queues.faces[index];
            let patch = pass.smooth_patch_around(master_slot, &record.normal_e());
            let Some(weights) = patch.filter(|_| record.is_regular()).map(|patch| &pass.weights[patch]) else {
                single_faces.push(master_slot as u32);
                continue;
            };
            let weight = weights.of_pass[pass.master_body as usize];
            if weight == 0.0 {
                continue;
            }
            record.set_weight(weight, weights.credible_depth);
            let depth = force.transition_depth;
            if pass.walk_in_lanes(registers, master_slot, record, depth, walk, lane_walk, (&mut *faces, &mut *stack)) {
                lane_walk.found.iter().for_each(|found| queues.push(found.kind, index, found.slot));
            } else {
                single_faces.push(master_slot as u32);
            }
        }
        single_faces.sort_unstable();
        queues.finish();
        let slave_corners_e = &pass.slave_area.corners_e;
        #[cfg(feature = "floor")]
        super::floor::record_queues(&force, queues, slave_corners_e, totals.reference_e);
        force.integrate_all(registers, queues, slave_corners_e, totals, |piece, is_measured| {
            let master_slot = first_slot as u32 + piece.face;
            single_pieces.push(SinglePiece { master_slot, slave_slot: piece.slave_slot, is_measured });
        });
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
