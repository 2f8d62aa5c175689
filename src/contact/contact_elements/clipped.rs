//! The clipped scheme: a master face is cut along the slave faces that it sees, and integrated exactly.

use std::ops::Range;

use super::Pass;
use super::convex_polygon::{ConvexPolygon, CutTriangle, PlanePoint};
use super::element_integrals::{FaceForce, FaceSums, Hidden};
use super::face_frame::FaceFrame;
use super::lane_force::{Integrated, LaneForce};
use super::lane_overlay::MasterLanes;
use super::lane_queue::{FaceRecord, Kind, PieceRecord, SinglePiece};
use super::lane_sums::LaneTotals;
use super::lanes::{self, Kernel, Registers};
use super::polygon_moments::PolygonMoments;
use super::seen_face::SeenFace;
use super::slave_search::{SearchMemory, see};
use crate::contact::totals::Totals;

impl Pass<'_> {
    /// Adds the elements of all active master faces: four at a time where the patch is smooth, the others one by one.
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

    /// While pieces are recorded, they are integrated one by one.
    fn takes_lanes(&self) -> bool {
        #[cfg(feature = "floor")]
        if super::floor::is_recording() {
            return false;
        }
        true
    }

    /// The frame of an active master face, and its triangle in its plane.
    #[inline(always)]
    fn master_frame(&self, master_slot: usize) -> (FaceFrame, [PlanePoint; 3]) {
        let corners = &self.master_area.corners_e[master_slot];
        let frame = FaceFrame::new(corners, self.master_area.normals_e[master_slot]);
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
        let SearchMemory { walk, lane_walk, queues, group, single_faces, single_pieces, faces, stack, .. } = memory;
        let force = LaneForce::new(pass);
        let mut lane_totals = LaneTotals::new(registers.splat(0.0));
        queues.clear();
        for slot in master_slots.start..=master_slots.end {
            let is_last = slot == master_slots.end;
            if !is_last {
                let (frame, triangle) = pass.master_frame(slot);
                if !pass.is_smooth_around(slot, &frame) {
                    single_faces.push(slot as u32);
                    continue;
                }
                let of_patch = &pass.weights[pass.patches.of_face(pass.master_body, slot) as usize];
                let weight = [of_patch.of_pass[pass.master_body as usize], of_patch.credible_depth];
                if weight[0] == 0.0 {
                    continue;
                }
                let velocity_e = pass.motion.velocity_at(frame.origin_e);
                let spin_e = pass.motion.angular_velocity_e();
                queues.push_face(FaceRecord::new(&frame, &triangle, velocity_e, spin_e, totals.reference_e, weight));
                let master = MasterLanes::new(registers, &triangle);
                let depth = force.transition_depth();
                let found = pass.walk_in_lanes(
                    registers,
                    slot,
                    &frame,
                    &triangle,
                    &master,
                    walk,
                    lane_walk,
                    depth,
                    queues,
                    (&mut *faces, &mut *stack),
                );
                if !found {
                    single_faces.push(slot as u32);
                }
            }
            for kind in [Kind::Deep, Kind::Shallow, Kind::Cut] {
                while queues.take(kind, is_last, group) {
                    let face = queues.faces(registers, group);
                    let extremes = &mut totals.extremes;
                    let Integrated { measured, done } =
                        force.integrate(registers, kind, &face, group, queues, &mut lane_totals, extremes);
                    totals.element_count += measured.count_ones();
                    for lane in 0..group.count {
                        if done >> lane & 1 == 0 {
                            let PieceRecord { master_slot, slave_slot, .. } = group.pieces[lane];
                            let is_measured = measured >> lane & 1 == 1;
                            single_pieces.push(SinglePiece { master_slot, slave_slot, is_measured });
                        }
                    }
                }
            }
        }
        lane_totals.finish(&queues.total_geometry(), force.layer_stiffness, totals);
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
