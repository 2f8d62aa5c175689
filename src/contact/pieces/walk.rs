//! Divides a face by walking from cell to cell of the other body's field.
//!
//! A cell of a face with convex edges and corners is a prism with slanted walls; what it cuts out of the plane of a face is
//! a convex polygon. The walk starts at faces that an intersection line lies on, or at what a neighbour has met at the
//! common side, and goes on across walls. Where it comes to a cell that is not simple, or below its reach, the whole face
//! is left to the general way.

use super::energy::{CORNER_WALL, EDGE_WALL};
use super::feature::{Feature, PlacedPlane};
use super::polygon::{ConvexPolygon, Linear, OWN_SIDE, PlanePoint};
use super::{FacesInField, Piece};
use crate::bvh::OverlapStack;
use crate::contact::field::{Cell, NONE, Plane};

/// Cells that a face may meet before the general way is taken; a bound on the work.
const MOST_CELLS: usize = 1 << 16;

/// A polygon reaches a side of its face where a corner is nearer to it than this part of the face's size; dimensionless.
/// The cells there are the first ones to be tried on the neighbour.
const AT_SIDE: f64 = 1e-6;

/// Parts of a face may differ from the whole by this part of its area; dimensionless, far above rounding.
const SAME_AREA: f64 = 1e-9;

/// Reused memory of the walks.
#[derive(Clone, Debug, Default)]
pub struct WalkMemory {
    /// Number of the last walk that came to each face of the field's body.
    visited: Vec<u32>,
    walk: u32,
    queue: Vec<u32>,
    /// Cells met by the faces of the run so far, each with the sides of the face that it reaches, as bits.
    met: Vec<(u32, u32)>,
    /// Where those of each face of the run start and end.
    met_range: Vec<(u32, u32)>,
    /// Pieces of the face at hand.
    pub found: Vec<Found>,
    stack: OverlapStack,
}

/// What a walk has found.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// The part of the face.
    pub polygon: ConvexPolygon,
    /// The face whose cell it is.
    pub face: u32,
    /// The depth.
    pub depth: Linear,
}

impl WalkMemory {
    /// Prepares for some faces in the field of a body with this many.
    pub fn begin(&mut self, face_count: usize, field_faces: usize) {
        self.met.clear();
        self.met_range.clear();
        self.met_range.resize(face_count, (0, 0));
        if self.visited.len() != field_faces || u32::MAX / 2 < self.walk {
            self.visited.clear();
            self.visited.resize(field_faces, 0);
            self.walk = 0;
        }
    }

    fn visit(&mut self, cell: u32) {
        if cell != NONE && self.visited[cell as usize] != self.walk {
            self.visited[cell as usize] = self.walk;
            self.queue.push(cell);
        }
    }
}

impl FacesInField<'_> {
    /// Fills `memory.found` with the parts of a face; false where the general way has to be taken. `index` is the place of
    /// the face in the run that starts with `first_slot`, `starts` are faces of the other body that it intersects.
    pub(super) fn walk(
        &self,
        (first_slot, index): (usize, usize),
        plane: &PlacedPlane,
        triangle: &[PlanePoint; 3],
        starts: impl Iterator<Item = u32>,
        memory: &mut WalkMemory,
    ) -> bool {
        let slot = first_slot + index;
        memory.found.clear();
        memory.queue.clear();
        memory.walk += 1;
        starts.for_each(|cell| memory.visit(cell));
        let is_cut = slot < self.area.cut_count;
        if !is_cut {
            self.visit_what_neighbours_met(first_slot, slot, memory);
            if memory.queue.is_empty() {
                let middle = [0, 1].map(|axis| (triangle[0][axis] + triangle[1][axis] + triangle[2][axis]) / 3.0);
                let nearest = self.field.surface.nearest_face(plane.point(middle), f64::INFINITY, &mut memory.stack);
                memory.visit(nearest.map_or(NONE, |nearest| nearest.face.0));
            }
        }
        let first_met = memory.met.len();
        let whole = ConvexPolygon::triangle(*triangle);
        let sides = sides_of(triangle);
        let size = triangle[1][0].max(triangle[2][1]);
        let mut next = 0;
        let mut area = 0.0;
        while let Some(&face) = memory.queue.get(next) {
            next += 1;
            match self.part_below(plane, &whole, face, memory) {
                None => {
                    memory.met.truncate(first_met);
                    return false;
                }
                Some(part) if part.polygon.is_empty() => {}
                Some(part) => {
                    let reached =
                        |side: &Linear| part.polygon.corners().iter().any(|&at| side.value(at) < AT_SIDE * size);
                    let bits = sides.iter().enumerate().map(|(k, side)| u32::from(reached(side)) << k).sum();
                    area += part.polygon.area_and_centroid().map_or(0.0, |(area, _)| area);
                    memory.met.push((face, bits));
                    memory.found.push(part);
                }
            }
        }
        // What lies wholly inside is covered once.
        let whole_area = 0.5 * triangle[1][0] * triangle[2][1];
        if MOST_CELLS < next || !is_cut && SAME_AREA * whole_area < (area - whole_area).abs() {
            memory.met.truncate(first_met);
            return false;
        }
        memory.met_range[index] = (first_met as u32, memory.met.len() as u32);
        true
    }

    /// Queues cells that neighbours have met at the sides that they share with a face.
    fn visit_what_neighbours_met(&self, first_slot: usize, slot: usize, memory: &mut WalkMemory) {
        for neighbour in self.area.neighbours[slot] {
            let Some(&(start, end)) =
                (neighbour as usize).checked_sub(first_slot).and_then(|index| memory.met_range.get(index))
            else {
                continue;
            };
            let theirs = self.area.neighbours[neighbour as usize];
            let shared =
                theirs.iter().enumerate().map(|(k, &other)| u32::from(other as usize == slot) << k).sum::<u32>();
            for index in start..end {
                let (cell, sides) = memory.met[index as usize];
                if sides & shared != 0 {
                    memory.visit(cell);
                }
            }
        }
    }

    /// The part of a face in the cell below a face of the other body; none where that cell is not known there. Queues the
    /// cells behind walls that it reaches.
    fn part_below(
        &self,
        plane: &PlacedPlane,
        whole: &ConvexPolygon,
        face: u32,
        memory: &mut WalkMemory,
    ) -> Option<Found> {
        let field = self.field.surface.field();
        let cell: &Cell = field.cell(face);
        let trace = |of: &Plane| on_plane(plane, of);
        let depth = trace(&cell.planes[0]);
        let mut polygon = *whole;
        let keep = |polygon: &mut ConvexPolygon, function: &Linear, label: u8| {
            let is_cut = polygon.corners().iter().any(|&corner| function.value(corner) < 0.0);
            if is_cut {
                *polygon = polygon.clipped_as(function, label);
            }
            is_cut
        };
        keep(&mut polygon, &depth, OWN_SIDE);
        let mut reached = cell.neighbours;
        for (k, neighbour) in reached.iter_mut().enumerate() {
            if polygon.is_empty() {
                return Some(Found { polygon, face, depth });
            }
            if !keep(&mut polygon, &trace(&cell.planes[1 + k]), EDGE_WALL + k as u8) {
                *neighbour = NONE;
            }
        }
        if polygon.is_empty() {
            return Some(Found { polygon, face, depth });
        }
        if !cell.is_simple {
            return None;
        }
        for wall in field.corner_walls(cell) {
            if keep(&mut polygon, &trace(&wall.plane), CORNER_WALL + wall.corner as u8) {
                memory.visit(wall.face);
            }
        }
        let deepest = polygon.corners().iter().map(|&corner| depth.value(corner)).fold(0.0, f64::max);
        if self.field.surface.reach(face, &mut memory.stack) < deepest || polygon.needs_splitting() {
            return None;
        }
        reached.into_iter().for_each(|cell| memory.visit(cell));
        Some(Found { polygon, face, depth })
    }
}

impl Found {
    /// As a piece of the face at a place in the run.
    pub(super) fn push_pieces(&self, index: u32, apex_height: f64, pieces: &mut Vec<Piece>) {
        let [x, y] = self.depth.gradient;
        let piece = Piece::new(
            index,
            Feature::Face(crate::mesh::FaceIndex(self.face)),
            [self.depth.at_origin, x, y, apex_height],
        );
        self.polygon.for_each_small(|corners| pieces.push(piece.with_corners(corners)));
    }
}

/// A plane's function on the plane of a face.
#[inline]
fn on_plane(plane: &PlacedPlane, [a, b, c, d]: &Plane) -> Linear {
    let along = |v: &crate::math::Vector| a * v.x + b * v.y + c * v.z;
    Linear { at_origin: along(&plane.origin) + d, gradient: [along(&plane.axes[0]), along(&plane.axes[1])] }
}

/// Distances from the sides of a triangle, positive inside; side k runs from corner k.
fn sides_of(triangle: &[PlanePoint; 3]) -> [Linear; 3] {
    [0, 1, 2].map(|k| {
        let (a, b) = (triangle[k], triangle[(k + 1) % 3]);
        let (x, y) = (b[0] - a[0], b[1] - a[1]);
        let length = (x * x + y * y).sqrt();
        let [x, y] = if 0.0 < length { [x / length, y / length] } else { [0.0, 0.0] };
        Linear { at_origin: y * a[0] - x * a[1], gradient: [-y, x] }
    })
}
