//! Finds the faces that a master face sees by walking over the slave, several faces at a time.
//!
//! As in [`super::slave_walk`], the patch is smooth around the master face: the faces seen are connected over sides
//! that meet it. The walk starts at slave faces that cut the master face, or that reach beyond a side of a neighbour
//! that has been looked at; where none of them lies over the face, it steps from there to the face below its middle, or
//! finds that through the tree. What it finds does not depend on how many faces are looked at together.

use std::ops::Range;

use super::Pass;
use super::lane_faces::FaceRecord;
use super::lane_overlay::{LaneOverlays, SeenLanes, overlay};
use super::lane_queue::Kind;
use super::lanes::{MOST_LANES, Registers};
use super::slave_walk::{WalkMemory, middle};
use crate::bvh::OverlapStack;
use crate::contact::active_areas::{ActiveArea, NO_SLOT};
use crate::mesh::FaceIndex;

/// How many faces are looked at together, whatever the number of lanes: what is found, and in which order, must not
/// depend on that.
const BATCH: usize = MOST_LANES;

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
    /// The order in which they are looked at, as far as it is known, how many of them have been, and which are in it.
    order: Vec<u32>,
    ordered: usize,
    is_ordered: Vec<bool>,
    /// Number of the last walk that came to each slave face, and to no face at all, behind them.
    visited: Vec<u32>,
    /// Number of the walk.
    walk: u32,
    /// Slave faces that the walk has come to, and how many; all before `looked_at` have been looked at.
    queue: Vec<u32>,
    queued: usize,
    looked_at: usize,
    /// Slave faces seen from the master face that is looked at.
    pub found: Vec<FoundFace>,
}

/// A slave face that a master face sees.
#[derive(Clone, Copy, Debug)]
pub struct FoundFace {
    /// Its slot.
    pub slot: u32,
    /// How its depth lies.
    pub kind: Kind,
    /// Sides of the master that it reaches beyond, as bits.
    beyond: u32,
}

impl LaneWalkMemory {
    /// Prepares for the master faces of a pass.
    pub fn begin(&mut self, pass: &Pass) {
        self.seen.clear();
        self.seen_range.clear();
        self.seen_range.resize(pass.master_area.faces.len(), (0, 0));
        let slave_count = pass.slave_area.faces.len();
        self.visited.clear();
        self.visited.resize(slave_count + 1, 0);
        self.queue.resize(slave_count + 1, 0);
        self.walk = 0;
    }

    /// Forgets what master faces have seen, and goes on with these.
    pub fn restrict(&mut self, master_slots: Range<usize>) {
        self.seen.clear();
        self.master_slots = master_slots;
    }

    /// Starts to go through the master slots, first the cut faces.
    pub fn start_order(&mut self, area: &ActiveArea) {
        let cut = self.master_slots.start..area.cut_count.clamp(self.master_slots.start, self.master_slots.end);
        self.order.clear();
        self.order.extend(cut.map(|slot| slot as u32));
        self.ordered = 0;
        self.is_ordered.clear();
        self.is_ordered.resize(self.order.len(), true);
        self.is_ordered.resize(self.master_slots.len(), false);
    }

    /// The next master slot: next to those that have been, where there is one.
    #[inline(always)]
    pub fn next_master(&mut self, area: &ActiveArea) -> Option<usize> {
        if self.ordered == self.order.len() {
            let first = self.is_ordered.iter().position(|is_ordered| !is_ordered)?;
            self.is_ordered[first] = true;
            self.order.push((self.master_slots.start + first) as u32);
        }
        let slot = self.order[self.ordered] as usize;
        self.ordered += 1;
        for neighbour in area.neighbours[slot] {
            let index = (neighbour as usize).wrapping_sub(self.master_slots.start);
            if let Some(is_ordered) = self.is_ordered.get_mut(index)
                && !*is_ordered
            {
                *is_ordered = true;
                self.order.push(neighbour);
            }
        }
        Some(slot)
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

    #[inline(always)]
    fn start_walk(&mut self) {
        // As many walks as there are faces, far fewer than integers; no number comes twice within a pass.
        self.walk += 1;
        (self.queued, self.looked_at) = (0, 0);
        if let Some(nowhere) = self.visited.last_mut() {
            *nowhere = self.walk;
        }
    }

    /// Queues a face if it is wanted and the walk has not come to it yet. Nothing branches: no one could predict it.
    #[inline(always)]
    fn visit(&mut self, slot: u32, is_wanted: bool) {
        let index = (slot as usize).min(self.visited.len() - 1);
        let is_new = (self.visited[index] != self.walk) & is_wanted;
        self.visited[index] = if is_new { self.walk } else { self.visited[index] };
        // No face is queued twice, so one place is always left.
        self.queue[self.queued] = slot;
        self.queued += usize::from(is_new);
    }

    fn seen_from(&self, master_slot: u32) -> &[(u32, u32)] {
        &self.seen[self.range_of(master_slot)]
    }
}

impl Pass<'_> {
    /// Fills `memory.found` with all slave faces over a master face; false where a walk cannot be relied on.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    pub(super) fn walk_in_lanes<R: Registers>(
        &self,
        registers: R,
        master_slot: usize,
        record: &FaceRecord,
        transition_depth: f64,
        cutting: &WalkMemory,
        memory: &mut LaneWalkMemory,
        (faces, stack): (&mut Vec<FaceIndex>, &mut OverlapStack),
    ) -> bool {
        memory.start_walk();
        memory.found.clear();
        let is_cut = master_slot < self.master_area.cut_count;
        if is_cut {
            for &face in cutting.cutting(master_slot) {
                memory.visit(self.slave_area.slot(face).map_or(NO_SLOT, |slot| slot as u32), true);
            }
        } else {
            self.visit_faces_beyond_shared_sides(master_slot, memory);
        }
        self.fill_batch(memory);
        self.explore(registers, record, transition_depth, memory);
        if memory.found.is_empty() && !is_cut {
            let Some(slot) = self.slot_below_middle(master_slot, memory, faces, stack) else { return false };
            memory.start_walk();
            memory.visit(slot, true);
            self.fill_batch(memory);
            self.explore(registers, record, transition_depth, memory);
        }
        let first = memory.seen.len() as u32;
        memory.seen.extend(memory.found.iter().map(|found| (found.slot, found.beyond)));
        memory.seen_range[master_slot] = (first, memory.seen.len() as u32);
        true
    }

    /// Queues what neighbours see beyond the side that they share with a master face.
    #[inline(always)]
    fn visit_faces_beyond_shared_sides(&self, master_slot: usize, memory: &mut LaneWalkMemory) {
        for neighbour in self.master_area.neighbours[master_slot] {
            let range = memory.range_of(neighbour);
            if range.is_empty() {
                continue;
            }
            let theirs = self.master_area.neighbours[neighbour as usize];
            let is_shared = |side: usize| u32::from(theirs[side] as usize == master_slot);
            let side = is_shared(1) + 2 * is_shared(2);
            for index in range {
                let (slot, beyond) = memory.seen[index];
                memory.visit(slot, beyond >> side & 1 == 1);
            }
        }
    }

    /// Queues neighbours of what is queued while a batch has room: most of them are met anyway.
    #[inline(always)]
    fn fill_batch(&self, memory: &mut LaneWalkMemory) {
        let mut next = 0;
        while next < memory.queued && memory.queued < BATCH {
            for neighbour in self.slave_area.neighbours[memory.queue[next] as usize] {
                memory.visit(neighbour, true);
            }
            next += 1;
        }
    }

    /// The slave face below the middle of a master face, by single steps from what a face nearby has seen, or through
    /// the tree.
    #[cold]
    fn slot_below_middle(
        &self,
        master_slot: usize,
        memory: &LaneWalkMemory,
        faces: &mut Vec<FaceIndex>,
        stack: &mut OverlapStack,
    ) -> Option<u32> {
        let (frame, triangle) = self.master_frame(master_slot);
        let stepped = self.start_nearby(master_slot, memory).and_then(|start| {
            let found = self.walk_below(start, &frame, middle(&triangle))?;
            self.slave_area.slot(found).map(|slot| slot as u32)
        });
        stepped.or_else(|| self.slot_behind(&frame, middle(&triangle), faces, stack))
    }

    /// A slave face that a face around a master face has seen.
    fn start_nearby(&self, master_slot: usize, memory: &LaneWalkMemory) -> Option<FaceIndex> {
        let face = self.master_area.faces[master_slot].face;
        let half_edges = self.master.surface.half_edges();
        let corners = self.master.surface.mesh().faces[face.index()];
        let around = corners.iter().flat_map(|&vertex| half_edges.outgoing(vertex));
        let (start, _) = around
            .filter_map(|leaving| memory.seen_from(self.master_area.slot(leaving.face())? as u32).first())
            .next()?;
        Some(self.slave_area.faces[*start as usize].face)
    }

    /// Looks at all queued faces and at what they lead to.
    #[inline(always)]
    fn explore<R: Registers>(
        &self,
        registers: R,
        record: &FaceRecord,
        transition_depth: f64,
        memory: &mut LaneWalkMemory,
    ) {
        let (frame, triangle) = record.in_all_lanes(registers);
        let corners_e = &self.slave_area.corners_e;
        while memory.looked_at < memory.queued {
            let first = memory.looked_at;
            let count = (memory.queued - first).min(BATCH);
            let mut slots = [memory.queue[first]; BATCH];
            slots[..count].copy_from_slice(&memory.queue[first..first + count]);
            memory.looked_at += count;
            let mut corners = [&corners_e[slots[0] as usize]; BATCH];
            for lane in 1..BATCH {
                corners[lane] = &corners_e[slots[lane] as usize];
            }
            let mut is = LaneOverlays::default();
            for start in (0..count).step_by(R::LANES) {
                let seen = SeenLanes::new(registers, &frame, &corners, start);
                is.add(start, overlay(registers, &triangle, &seen, transition_depth));
            }
            let opposed = is.opposed & ((1 << count) - 1);
            // Side k, projected, runs along the half-edge that starts in corner 2 − k.
            for (corner, met) in [(2, is.met[0]), (1, is.met[1]), (0, is.met[2])] {
                for lane in lanes_of(met & opposed) {
                    memory.visit(self.slave_area.neighbours[slots[lane] as usize][corner], true);
                }
            }
            for lane in lanes_of(is.overlapping & opposed) {
                let bit = |bits: u32| bits >> lane & 1;
                let kind = KINDS[(bit(is.above) << 2 | bit(is.shallow) << 1 | bit(is.deep)) as usize];
                let beyond = bit(is.beyond[0]) | bit(is.beyond[1]) << 1 | bit(is.beyond[2]) << 2;
                memory.found.push(FoundFace { slot: slots[lane], kind, beyond });
            }
        }
    }
}

/// The lanes of a batch whose bits are set.
#[inline(always)]
fn lanes_of(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = bits.trailing_zeros() as usize % BATCH;
        let is_set = bits != 0;
        bits &= bits.wrapping_sub(1);
        is_set.then_some(lane)
    })
}

/// Kinds by three bits: whether a face has a corner above the master face, one less deep than the transition, one deeper.
const KINDS: [Kind; 8] = [Kind::Deep, Kind::Deep, Kind::Shallow, Kind::Cut, Kind::Cut, Kind::Cut, Kind::Cut, Kind::Cut];
