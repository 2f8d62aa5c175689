//! Finds the faces that a master face sees by walking over the slave, four faces at a time.
//!
//! As in [`super::slave_walk`], the patch is smooth around the master face: the faces seen are connected over sides
//! that meet it. The walk starts at slave faces that cut the master face, or that reach beyond a side of a neighbour
//! that has been looked at; where none of them lies over the face, it steps from there to the face below its middle, or
//! finds that through the tree.

use std::ops::Range;

use super::Pass;
use super::convex_polygon::PlanePoint;
use super::face_frame::FaceFrame;
use super::lane_overlay::{MasterLanes, overlay};
use super::lane_queue::{Kind, PieceQueues};
use super::lanes::{LANES, Registers};
use super::slave_walk::{WalkMemory, middle};
use crate::bvh::OverlapStack;
use crate::contact::active_areas::NO_SLOT;
use crate::mesh::FaceIndex;

/// Reused memory of the walks of one pass; faces are named by their slots in the active areas.
#[derive(Clone, Debug, Default)]
pub struct LaneWalkMemory {
    /// Slave faces seen from the master faces looked at so far, each with the sides of the master that it reaches
    /// beyond, as bits.
    seen: Vec<(u32, u32)>,
    /// Where those of each master slot start and end in `seen`.
    seen_range: Vec<(u32, u32)>,
    /// Master slots that may be asked what they see.
    master_slots: Range<usize>,
    /// (stamp of the last visit) of each slave face.
    visited: Vec<u32>,
    stamp: u32,
    pending: Vec<u32>,
}

impl LaneWalkMemory {
    /// Prepares for the master faces of a pass.
    pub fn begin(&mut self, pass: &Pass) {
        self.seen.clear();
        self.seen_range.clear();
        self.seen_range.resize(pass.master_area.faces.len(), (0, 0));
        self.visited.clear();
        self.visited.resize(pass.slave_area.faces.len(), 0);
        self.stamp = 0;
    }

    /// Forgets what master faces have seen, and goes on with these.
    pub fn restrict(&mut self, master_slots: Range<usize>) {
        self.seen.clear();
        self.master_slots = master_slots;
    }

    /// Where the faces seen from a master face are in `seen`.
    #[inline(always)]
    fn range_of(&self, master_slot: u32) -> Range<usize> {
        let (start, end) = match self.seen_range.get(master_slot as usize) {
            Some(&range) if self.master_slots.contains(&(master_slot as usize)) => range,
            _ => (0, 0),
        };
        start as usize..end as usize
    }

    fn start_visits(&mut self) {
        // As many walks as there are faces, far fewer than integers; no stamp comes twice within a pass.
        self.stamp += 1;
        self.pending.clear();
    }

    #[inline(always)]
    fn visit(&mut self, slot: u32) {
        if let Some(visited) = self.visited.get_mut(slot as usize)
            && *visited != self.stamp
        {
            *visited = self.stamp;
            self.pending.push(slot);
        }
    }

    fn seen_from(&self, master_slot: u32) -> &[(u32, u32)] {
        &self.seen[self.range_of(master_slot)]
    }
}

impl Pass<'_> {
    /// Queues all slave faces over a master face; false where a walk cannot be relied on.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    pub(super) fn walk_in_lanes<R: Registers>(
        &self,
        registers: R,
        master_slot: usize,
        frame: &FaceFrame,
        triangle: &[PlanePoint; 3],
        master: &MasterLanes<R::Vector>,
        cutting: &WalkMemory,
        memory: &mut LaneWalkMemory,
        transition_depth: f64,
        queues: &mut PieceQueues,
        (faces, stack): (&mut Vec<FaceIndex>, &mut OverlapStack),
    ) -> bool {
        memory.start_visits();
        let is_cut = master_slot < self.master_area.cut_count;
        let first = memory.seen.len();
        if is_cut {
            for &face in cutting.cutting(master_slot) {
                memory.visit(self.slave_area.slot(face).map_or(NO_SLOT, |slot| slot as u32));
            }
        } else {
            self.visit_faces_beyond_shared_sides(master_slot, memory);
        }
        self.explore(registers, master_slot, frame, master, memory, transition_depth, queues);
        if memory.seen.len() == first && !is_cut {
            let below = self.slot_below(master_slot, frame, triangle, memory);
            let Some(slot) = below.or_else(|| self.slot_behind(frame, middle(triangle), faces, stack)) else {
                return false;
            };
            memory.start_visits();
            memory.visit(slot);
            self.explore(registers, master_slot, frame, master, memory, transition_depth, queues);
        }
        memory.seen_range[master_slot] = (first as u32, memory.seen.len() as u32);
        true
    }

    /// Queues what neighbours see beyond the side that they share with a master face.
    fn visit_faces_beyond_shared_sides(&self, master_slot: usize, memory: &mut LaneWalkMemory) {
        for neighbour in self.master_area.neighbours[master_slot] {
            let Some(theirs) = self.master_area.neighbours.get(neighbour as usize) else { continue };
            let Some(side) = theirs.iter().position(|&slot| slot as usize == master_slot) else { continue };
            for index in memory.range_of(neighbour) {
                let (slot, beyond) = memory.seen[index];
                if beyond >> side & 1 == 1 {
                    memory.visit(slot);
                }
            }
        }
    }

    /// The slave face below the middle of a master face, by single steps from what a face nearby has seen.
    #[cold]
    fn slot_below(
        &self,
        master_slot: usize,
        frame: &FaceFrame,
        triangle: &[PlanePoint; 3],
        memory: &LaneWalkMemory,
    ) -> Option<u32> {
        let face = self.master_area.faces[master_slot].face;
        let half_edges = self.master.surface.half_edges();
        let corners = self.master.surface.mesh().faces[face.index()];
        let around = corners.iter().flat_map(|&vertex| half_edges.outgoing(vertex));
        let (start, _) = around
            .filter_map(|leaving| memory.seen_from(self.master_area.slot(leaving.face())? as u32).first())
            .next()?;
        let start = self.slave_area.faces[*start as usize].face;
        let found = self.walk_below(start, frame, middle(triangle))?;
        self.slave_area.slot(found).map(|slot| slot as u32)
    }

    /// Looks at all queued faces and at what they lead to.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    fn explore<R: Registers>(
        &self,
        registers: R,
        master_slot: usize,
        frame: &FaceFrame,
        master: &MasterLanes<R::Vector>,
        memory: &mut LaneWalkMemory,
        transition_depth: f64,
        queues: &mut PieceQueues,
    ) {
        let corners_e = &self.slave_area.corners_e;
        while let Some(first) = memory.pending.pop() {
            let mut slots = [first; LANES];
            let mut count = 1;
            while count < LANES
                && let Some(next) = memory.pending.pop()
            {
                slots[count] = next;
                count += 1;
            }
            let four = [
                &corners_e[slots[0] as usize],
                &corners_e[slots[1] as usize],
                &corners_e[slots[2] as usize],
                &corners_e[slots[3] as usize],
            ];
            let found = overlay(registers, master, frame, four, transition_depth);
            for (lane, &slot) in slots[..count].iter().enumerate() {
                if found.opposed >> lane & 1 == 0 {
                    continue;
                }
                let neighbours = self.slave_area.neighbours[slot as usize];
                for side in 0..3 {
                    // Side k, projected, runs along the half-edge that starts in corner 2 − k.
                    if found.met[side] >> lane & 1 == 1 {
                        memory.visit(neighbours[2 - side]);
                    }
                }
                if found.overlapping >> lane & 1 == 1 {
                    let mut beyond = 0;
                    for (side, bits) in found.beyond.into_iter().enumerate() {
                        beyond |= (bits >> lane & 1) << side;
                    }
                    memory.seen.push((slot, beyond));
                    let is = |bits: u32| bits >> lane & 1 == 1;
                    let kind = match (is(found.above), is(found.shallow), is(found.deep)) {
                        (false, false, _) => Kind::Deep,
                        (false, true, false) => Kind::Shallow,
                        _ => Kind::Cut,
                    };
                    queues.push(kind, master_slot as u32, slot, &found.corners, lane);
                }
            }
        }
    }
}
