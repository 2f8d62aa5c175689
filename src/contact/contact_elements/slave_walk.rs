//! Finds the faces that a master face sees by walking over the slave from face to face.
//!
//! In a smooth patch all slave faces are opposed to the master face, and no face of the master turns
//! away from it. Lines along its normal then meet the slave once within the patch: nothing is hidden,
//! and the faces seen are connected. A cut face starts at the slave faces that cut it, the others
//! where a neighbour has looked before.

use std::ops::Range;

use super::Pass;
use super::convex_polygon::{PlanePoint, cross, difference};
use super::face_frame::FaceFrame;
use super::overlay::{MasterTriangle, Overlay};
use super::seen_face::SeenFace;
use super::slave_search::{SearchMemory, see};
use crate::contact::active_areas::face_of;
use crate::contact::patches::SEVERAL_PATCHES;
use crate::math::Vector;
use crate::mesh::{FaceIndex, HalfEdge};

/// A walk longer than this is given up for a search through the tree. From a neighbour it takes a few
/// steps; longer ones only come up where a fine slave lies under a coarse master.
const LONGEST_WALK: usize = 64;

/// Reused memory of the walks of one pass.
#[derive(Clone, Debug, Default)]
pub struct WalkMemory {
    /// Slave faces that cut each cut master face: those of slot s are
    /// `cutting[cutting_start[s]..cutting_start[s + 1]]`.
    cutting: Vec<FaceIndex>,
    cutting_start: Vec<u32>,
    /// A slave face seen from each master slot looked at so far.
    seen_from: Vec<Option<FaceIndex>>,
    /// Master slots that may be asked what they see.
    master_slots: Range<usize>,
    /// (stamp of the last visit) of each slave face.
    visited: Vec<u32>,
    stamp: u32,
    pending: Vec<FaceIndex>,
}

impl WalkMemory {
    /// Prepares for the master faces of a pass.
    pub(super) fn begin(&mut self, pass: &Pass) {
        let cut_count = pass.master_area.cut_count;
        let slot_of = |line| pass.master_area.slot(face_of(pass.master_body, line)).filter(|&slot| slot < cut_count);
        self.cutting_start.clear();
        self.cutting_start.resize(cut_count + 1, 0);
        for slot in pass.lines.iter().filter_map(slot_of) {
            self.cutting_start[slot + 1] += 1;
        }
        for slot in 0..cut_count {
            self.cutting_start[slot + 1] += self.cutting_start[slot];
        }
        self.cutting.clear();
        self.cutting.resize(pass.lines.len(), FaceIndex(0));
        // Filled from the back of each range, which leaves the starts as they were.
        for line in pass.lines.iter().rev() {
            if let Some(slot) = slot_of(line) {
                self.cutting_start[slot + 1] -= 1;
                self.cutting[self.cutting_start[slot + 1] as usize] = face_of(pass.slave_body(), line);
            }
        }
        self.cutting_start.remove(0);
        self.cutting_start.push(pass.lines.len() as u32);

        self.seen_from.clear();
        self.seen_from.resize(pass.master_area.faces.len(), None);
        let slave_faces = pass.slave.surface.mesh().faces.len();
        // Faces that join have not been visited by any walk; no pass costs what the mesh costs.
        if self.visited.len() < slave_faces {
            self.visited.resize(slave_faces, 0);
        }
    }

    /// Goes on with these master faces, none of which has been looked at.
    pub(super) fn restrict(&mut self, master_slots: Range<usize>) {
        self.master_slots = master_slots;
    }

    /// Takes note of what a master face sees, for its neighbours.
    pub(super) fn remember(&mut self, master_slot: usize, opposed: &[SeenFace]) {
        self.seen_from[master_slot] = opposed.first().map(|seen| seen.face);
    }

    /// Slave faces that cut a master face.
    #[inline]
    pub(super) fn cutting(&self, master_slot: usize) -> &[FaceIndex] {
        &self.cutting[self.cutting_start[master_slot] as usize..self.cutting_start[master_slot + 1] as usize]
    }

    fn start_visits(&mut self) {
        if self.stamp == u32::MAX {
            self.visited.fill(0);
            self.stamp = 0;
        }
        self.stamp += 1;
        self.pending.clear();
    }

    /// Queues a face, once.
    fn visit(&mut self, face: FaceIndex) {
        if self.visited[face.index()] != self.stamp {
            self.visited[face.index()] = self.stamp;
            self.pending.push(face);
        }
    }
}

impl Pass<'_> {
    /// Fills `memory.opposed` by walking; false where that cannot be relied on.
    pub(super) fn walk_to_seen_faces(
        &self,
        master_slot: usize,
        frame: &FaceFrame,
        points: &[PlanePoint; 3],
        memory: &mut SearchMemory,
    ) -> bool {
        if self.smooth_patch_around(master_slot, &frame.axes_e[2]).is_none() {
            return false;
        }
        let SearchMemory { opposed, hiding, walk, .. } = memory;
        opposed.clear();
        hiding.clear();
        walk.start_visits();
        let is_cut = master_slot < self.master_area.cut_count;
        let is_point = points[0] == points[1];
        if is_cut && !is_point {
            // All that cut the face lie over it.
            for index in 0..walk.cutting(master_slot).len() {
                let face = walk.cutting(master_slot)[index];
                walk.visit(face);
            }
        } else {
            let start = if is_cut {
                walk.cutting(master_slot).first().copied()
            } else {
                self.seen_from_neighbour(master_slot, walk)
            };
            let Some(start) = start else { return false };
            // The mean of three equal numbers may differ from them by rounding.
            let target = if is_point { points[0] } else { middle(points) };
            let Some(found) = self.walk_below(start, frame, target) else { return false };
            walk.visit(found);
        }
        let half_edges = self.slave.surface.half_edges();
        let triangle = MasterTriangle::new(points);
        while let Some(face) = walk.pending.pop() {
            let slot = self.slave_area.slot(face);
            // A point may lie on the side between a face that is active and one that is not.
            let is_active = slot.is_some();
            if !is_active && !is_point {
                continue;
            }
            let Some(seen) = self.see_slave(frame, face, slot) else { continue };
            let overlay = if is_point {
                Overlay { met: seen.sides_near(points[0]), ..Overlay::UNKNOWN }
            } else {
                seen.overlay(&triangle)
            };
            for corner in 0..3 {
                if overlay.met >> corner & 1 == 1
                    && let Some(twin) = half_edges.twin(HalfEdge::new(face, seen.half_edge_corner(corner)))
                {
                    walk.visit(twin.face());
                }
            }
            if is_active && seen.is_opposed && !overlay.is_apart {
                opposed.push(SeenFace { overlay, ..seen });
            }
        }
        if is_point {
            // Of two faces at the same depth the first is taken, wherever the walk began.
            opposed.sort_unstable_by_key(|seen| seen.face);
        }
        true
    }

    /// The patch of a master face, if every slave face of it is opposed to the master face, and no face of the master
    /// in the patch is turned away from it by a right angle.
    #[inline(always)]
    pub(super) fn smooth_patch_around(&self, master_slot: usize, normal_e: &Vector) -> Option<usize> {
        let index = self.patches.of_face(self.master_body, master_slot);
        if index == SEVERAL_PATCHES {
            return None;
        }
        let patch = &self.patches.patches[index as usize];
        let is_smooth = patch.side(self.master_body).all_within_right_angle(normal_e, 1.0)
            && patch.side(self.slave_body()).all_within_right_angle(normal_e, -1.0);
        is_smooth.then_some(index as usize)
    }

    /// A slave face seen from a master face nearby that has been looked at: one that shares an edge, or else a
    /// vertex. Any start would do for the walk; a near one makes it short.
    fn seen_from_neighbour(&self, master_slot: usize, walk: &WalkMemory) -> Option<FaceIndex> {
        let face = self.master_area.faces[master_slot].face;
        let half_edges = self.master.surface.half_edges();
        let seen_from = |neighbour: HalfEdge| {
            let slot = self.master_area.slot(neighbour.face()).filter(|slot| walk.master_slots.contains(slot))?;
            walk.seen_from[slot]
        };
        let over_edges = (0..3).find_map(|corner| seen_from(half_edges.twin(HalfEdge::new(face, corner))?));
        over_edges.or_else(|| {
            let corners = self.master.surface.mesh().faces[face.index()];
            corners
                .iter()
                .find_map(|&vertex| half_edges.outgoing(vertex).iter().find_map(|&leaving| seen_from(leaving)))
        })
    }

    /// [`see`] for a face of the slave, in its slot of the active area if it has one.
    #[inline(always)]
    fn see_slave(&self, frame: &FaceFrame, face: FaceIndex, slot: Option<usize>) -> Option<SeenFace> {
        match slot {
            Some(slot) => {
                let corners = self.slave_area.corners_of(slot);
                SeenFace::new(face, corners.map(|corner| frame.point(corner)))
            }
            None => see(&self.slave, frame, face),
        }
    }

    /// Walks over the slave to the face below a point, always across the side that the point is
    /// farthest beyond.
    pub(super) fn walk_below(&self, start: FaceIndex, frame: &FaceFrame, point: PlanePoint) -> Option<FaceIndex> {
        let mut face = start;
        for _ in 0..LONGEST_WALK {
            let seen = self.see_slave(frame, face, self.slave_area.slot(face)).filter(|seen| seen.is_opposed)?;
            match seen.side_towards(point) {
                None => return Some(face),
                Some(side) => {
                    let half_edge = HalfEdge::new(face, seen.half_edge_corner(side));
                    face = self.slave.surface.half_edges().twin(half_edge)?.face();
                }
            }
        }
        None
    }
}

/// The centroid of a triangle.
pub(super) fn middle(points: &[PlanePoint; 3]) -> PlanePoint {
    [0, 1].map(|axis| (points[0][axis] + points[1][axis] + points[2][axis]) / 3.0)
}

impl SeenFace {
    /// Which sides of the face, projected, run through a point; as bits.
    fn sides_near(&self, point: PlanePoint) -> u32 {
        (0..3).fold(0, |bits, side| {
            let (from, to) = (self.corners[side], self.corners[(side + 1) % 3]);
            let is_near = cross(difference(to, from), difference(point, from)) == 0.0
                && (0..2)
                    .all(|axis| from[axis].min(to[axis]) <= point[axis] && point[axis] <= from[axis].max(to[axis]));
            bits | u32::from(is_near) << side
        })
    }

    /// The side that a point lies farthest beyond; none if it lies over the face.
    fn side_towards(&self, point: PlanePoint) -> Option<usize> {
        (0..3)
            .map(|side| (side, self.left_of_edge(side, point)))
            .filter(|(_, distance)| *distance < 0.0)
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(side, _)| side)
    }

    /// The corner of the face in its mesh at which the half-edge of a projected side starts. An opposed
    /// face is seen from behind: its corners run the other way.
    fn half_edge_corner(&self, side: usize) -> usize {
        // Projected corners are (a, b, c), or (a, c, b) where opposed: side 0 is then c → a reversed.
        if self.is_opposed { 2 - side } else { side }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::convex_polygon::ConvexPolygon;
    use super::*;
    use crate::contact::{
        ContactParameters, ContactSurface, ElementScheme, Method, RawParameters, RelativeMotion, Workspace, evaluate,
    };
    use crate::math::{Pose, Rotation, Vector};
    use crate::shapes::{cuboid, icosphere, paraboloid_cap, subdivided_cuboid, torus};
    use std::cell::Cell;
    use std::f64::consts::PI;

    thread_local! {
        static WALKS: Cell<usize> = const { Cell::new(0) };
    }

    /// Unit tests call this after every walk: the tree must have found the same.
    pub fn assert_walk_equals_search(
        pass: &Pass,
        master_slot: usize,
        frame: &FaceFrame,
        points: &[PlanePoint; 3],
        memory: &SearchMemory,
    ) {
        WALKS.set(WALKS.get() + 1);
        let mut twin = SearchMemory::default();
        pass.search_seen_faces(master_slot, frame, points, &mut twin);
        let carries = |seen: &&SeenFace| {
            if points[0] == points[1] {
                // Strictly over the face; a point on a side may be given to either neighbour.
                (0..3).all(|side| 0.0 < seen.left_of_edge(side, points[0])) && 0.0 < seen.depth(points[0])
            } else {
                1e-12 * ConvexPolygon::triangle(*points).area()
                    < seen.covered_part(&ConvexPolygon::triangle(*points)).area()
            }
        };
        // Beyond the patch a line may meet further faces, but then it has left the slave before.
        let is_visible = |seen: &&SeenFace| {
            let part = seen.covered_part(&ConvexPolygon::triangle(*points));
            let is_hidden = |point: PlanePoint| twin.hiding.iter().any(|face| face.hides(point, seen));
            match part.area_and_centroid() {
                None => !is_hidden(points[0]),
                Some((_, center)) => part
                    .corners()
                    .iter()
                    .any(|corner| !is_hidden([0.9 * corner[0] + 0.1 * center[0], 0.9 * corner[1] + 0.1 * center[1]])),
            }
        };
        let mut walked: Vec<_> = memory.opposed.iter().filter(carries).collect();
        walked.sort_by_key(|seen| seen.face);
        let searched: Vec<_> = twin.opposed.iter().filter(carries).filter(is_visible).collect();
        let faces = |list: &[&SeenFace]| list.iter().map(|seen| seen.face).collect::<Vec<_>>();
        assert_eq!(faces(&walked), faces(&searched), "slot {master_slot}");
        assert!(
            twin.hiding.iter().all(|face| walked.iter().all(|seen| {
                face.hidden_part(&ConvexPolygon::triangle(*points), seen).area()
                    <= 1e-12 * ConvexPolygon::triangle(*points).area()
            })),
            "a smooth patch hides nothing"
        );
    }

    /// Equal grids, turned by exactly half a turn: centroids of one lie on the sides of the other.
    #[test]
    fn walking_to_a_point_on_a_side_finds_what_the_tree_finds() {
        let cap = |radius| ContactSurface::new(paraboloid_cap(radius, 0.015, 5));
        let pose =
            Pose::from_parts(Vector::new(0.0, 0.0, -1e-3).into(), Rotation::from_axis_angle(&Vector::x_axis(), PI));
        let raw = RawParameters { elements: ElementScheme::Centroid, method: Method::TwoPass, ..Default::default() };
        let parameters = ContactParameters::new(&raw).unwrap();
        let motion = RelativeMotion::at_rest(pose);
        let outcome = evaluate(&cap(0.2), &cap(0.1), &parameters, &motion, &mut Workspace::default());
        assert!(outcome.in_contact);
        assert!(0 < WALKS.get());
    }

    #[test]
    fn walking_finds_what_the_tree_finds() {
        let surface = ContactSurface::new;
        let pairs = [
            (surface(icosphere(0.1, 3)), surface(icosphere(0.1, 3)), 0.19),
            (surface(icosphere(0.1, 2)), surface(icosphere(0.1, 4)), 0.18),
            (surface(subdivided_cuboid(Vector::new(0.4, 0.4, 0.1), [16, 16, 4])), surface(icosphere(0.1, 3)), 0.145),
            (surface(cuboid(Vector::new(0.4, 0.4, 0.1))), surface(icosphere(0.1, 4)), 0.145),
            (surface(torus(0.1, 0.04, 40, 20)), surface(icosphere(0.05, 3)), 0.08),
        ];
        let mut workspace = Workspace::default();
        let mut contacts = 0;
        for (e, f, distance) in &pairs {
            for step in 0..40 {
                let angle = f64::from(step);
                let pose = Pose::from_parts(
                    Vector::new(1e-3 * angle, 0.01 * angle.sin(), distance + 0.002 * angle.cos()).into(),
                    Rotation::from_euler_angles(angle, 2.0 * angle, 3.0 * angle),
                );
                for elements in [ElementScheme::Clipped, ElementScheme::Centroid] {
                    let raw = RawParameters { elements, method: Method::TwoPass, ..Default::default() };
                    let parameters = ContactParameters::new(&raw).unwrap();
                    let outcome = evaluate(e, f, &parameters, &RelativeMotion::at_rest(pose), &mut workspace);
                    contacts += usize::from(outcome.in_contact);
                }
            }
        }
        assert!(300 < contacts, "{contacts} contacts");
        assert!(10_000 < WALKS.get(), "{} walks", WALKS.get());
    }
}
