//! Finds the faces that a master face sees along its normal, through the tree: the general way.
//!
//! Where the patch is smooth enough, [`super::slave_walk`] finds the same faces faster.

use super::Pass;
use super::convex_polygon::{ConvexPolygon, PlanePoint};
use super::face_frame::FaceFrame;
use super::lane_queue::{PieceQueues, SinglePiece};
use super::lane_walk::LaneWalkMemory;
use super::overlay::MasterTriangle;
use super::seen_face::SeenFace;
use super::slave_walk::WalkMemory;
use crate::bvh::OverlapStack;
use crate::contact::active_areas::ActiveArea;
use crate::contact::posed_surface::PosedSurface;
use crate::math::Vector;
use crate::mesh::FaceIndex;

/// Reused memory of the search.
#[derive(Clone, Debug, Default)]
pub struct SearchMemory {
    /// Slave faces that carry load, in order of their index.
    pub opposed: Vec<SeenFace>,
    /// Faces that hide what is behind them, in order of body and index.
    pub hiding: Vec<SeenFace>,
    /// Disjoint pieces of a master face from which a slave face is hidden.
    pub hidden: Vec<ConvexPolygon>,
    /// What is left visible while `hidden` grows.
    pub visible: Vec<ConvexPolygon>,
    /// Swapped with `visible`.
    pub cut: Vec<ConvexPolygon>,
    /// Faces that hide something, with the area of it.
    pub by_area: Vec<(f64, usize)>,
    /// For walking from face to face.
    pub(super) walk: WalkMemory,
    /// For walking several faces at a time.
    pub(super) lane_walk: LaneWalkMemory,
    /// What such walks have found.
    pub(super) queues: PieceQueues,
    /// Master faces that no such walk can do.
    pub(super) single_faces: Vec<u32>,
    /// Pieces that the lanes have left.
    pub(super) single_pieces: Vec<SinglePiece>,
    pub(super) faces: Vec<FaceIndex>,
    pub(super) stack: OverlapStack,
}

/// Everything behind a master face: its rectangle, swept against its normal.
struct Column {
    frame: FaceFrame,
    low: PlanePoint,
    high: PlanePoint,
    margin: f64,
}

impl Column {
    fn new(frame: &FaceFrame, points: &[PlanePoint], margin: f64) -> Self {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for point in points {
            for axis in 0..2 {
                low[axis] = low[axis].min(point[axis]);
                high[axis] = high[axis].max(point[axis]);
            }
        }
        Column { frame: *frame, low, high, margin }
    }

    /// Calls `visit` with every face of the surface whose box reaches into the column.
    fn visit_faces(&self, surface: &PosedSurface, stack: &mut OverlapStack, visit: impl FnMut(FaceIndex)) {
        let origin = surface.own_frame(self.frame.origin_e);
        let axes = self.frame.axes_e.map(|axis| surface.own_axes(axis));
        let reaches = axes.map(|axis| axis.abs());
        surface.surface.tree().faces_touching(
            stack,
            |bounds| {
                let from_origin: Vector = bounds.center - origin;
                let along = |axis: usize| (axes[axis].dot(&from_origin), reaches[axis].dot(&bounds.half) + self.margin);
                (0..2).all(|axis| {
                    let (center, reach) = along(axis);
                    self.low[axis] <= center + reach && center - reach <= self.high[axis]
                }) && {
                    let (center, reach) = along(2);
                    center - reach <= 0.0
                }
            },
            visit,
        );
    }
}

impl Pass<'_> {
    /// Fills `memory.opposed` and `memory.hiding` with what lies behind a polygon on a master face.
    pub(super) fn find_seen_faces(
        &self,
        master_slot: usize,
        frame: &FaceFrame,
        points: &[PlanePoint; 3],
        memory: &mut SearchMemory,
    ) {
        if self.walk_to_seen_faces(master_slot, frame, points, memory) {
            #[cfg(test)]
            super::slave_walk::tests::assert_walk_equals_search(self, master_slot, frame, points, memory);
        } else {
            self.search_seen_faces(master_slot, frame, points, memory);
            // With something hidden, whether a corner counts for the extremes hangs on its last bits: every side cuts.
            if memory.hiding.is_empty() && points[0] != points[1] {
                let triangle = MasterTriangle::new(points);
                for seen in &mut memory.opposed {
                    seen.overlay = seen.overlay(&triangle);
                }
            }
        }
        memory.walk.remember(master_slot, &memory.opposed);
    }

    /// The same through the tree, whatever the shapes.
    pub(super) fn search_seen_faces(
        &self,
        master_slot: usize,
        frame: &FaceFrame,
        points: &[PlanePoint],
        memory: &mut SearchMemory,
    ) {
        let SearchMemory { opposed, hiding, faces, stack, .. } = memory;
        opposed.clear();
        hiding.clear();
        let column = Column::new(frame, points, self.master.grid().box_margin());

        sorted_faces(&column, &self.slave, faces, stack);
        for &face in faces.iter() {
            let Some(seen) = see(&self.slave, frame, face) else { continue };
            if !seen.is_opposed {
                hiding.push(seen);
            } else if self.slave_area.slot(face).is_some() {
                opposed.push(seen);
            }
        }
        // The master hides the slave where the line leaves the body of the master first. Only
        // active faces can do so: the line is still inside the other body there.
        if !opposed.is_empty() && !self.master_is_flat_around(master_slot, &frame.axes_e[2]) {
            let master_face = self.master_area.faces[master_slot].face;
            sorted_faces(&column, &self.master, faces, stack);
            for &face in faces.iter().filter(|&&face| face != master_face && is_active(self.master_area, face)) {
                if let Some(seen) = see(&self.master, frame, face).filter(|seen| seen.is_opposed) {
                    hiding.push(seen);
                }
            }
        }
    }

    /// The slot of the active slave face behind a point of a master face, the nearest of several; through the tree.
    pub(super) fn slot_behind(
        &self,
        frame: &FaceFrame,
        point: PlanePoint,
        faces: &mut Vec<FaceIndex>,
        stack: &mut OverlapStack,
    ) -> Option<u32> {
        let column = Column::new(frame, &[point], self.master.grid().box_margin());
        sorted_faces(&column, &self.slave, faces, stack);
        let depth_and_slot = |&face: &FaceIndex| {
            let slot = self.slave_area.slot(face)?;
            let seen = see(&self.slave, frame, face).filter(|seen| seen.is_opposed && seen.covers(point))?;
            Some((seen.depth(point), slot as u32)).filter(|(depth, _)| 0.0 <= *depth)
        };
        let nearest = faces.iter().filter_map(depth_and_slot).min_by(|(a, _), (b, _)| a.total_cmp(b));
        nearest.map(|(_, slot)| slot)
    }

    /// Whether no active face of the master is turned away by a right angle or more.
    fn master_is_flat_around(&self, master_slot: usize, normal_e: &Vector) -> bool {
        let patch = self.patches.of_face(self.master_body, master_slot);
        self.patches
            .patches
            .get(patch as usize)
            .is_some_and(|patch| patch.side(self.master_body).all_within_right_angle(normal_e, 1.0))
    }
}

fn is_active(area: &ActiveArea, face: FaceIndex) -> bool {
    area.slot(face).is_some()
}

fn sorted_faces(column: &Column, surface: &PosedSurface, faces: &mut Vec<FaceIndex>, stack: &mut OverlapStack) {
    faces.clear();
    column.visit_faces(surface, stack, |face| faces.push(face));
    // One order of summation, however the tree is built.
    faces.sort_unstable();
}

pub(super) fn see(surface: &PosedSurface, frame: &FaceFrame, face: FaceIndex) -> Option<SeenFace> {
    let [a, b, c] = surface.corners(face);
    SeenFace::new(face, [frame.point(a), frame.point(b), frame.point(c)])
}
