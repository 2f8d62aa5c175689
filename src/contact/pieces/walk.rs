//! Divides a face by walking from cell to cell of the other body's field.
//!
//! A cell of a face with convex edges and corners is a prism with slanted walls; what it cuts out of the plane of a face is
//! a convex polygon. The walk starts at faces that an intersection line lies on, or at what a neighbour has met at the
//! common side, and goes on across walls. Where it comes near a sharp inner edge or a corner with one, or below the reach of
//! a cell, the whole face is left to the general way.

use super::divide::largest_distance;
use super::energy::{CORNER_WALL, EDGE_WALL, WallEnergy, walls_below};
use super::feature::{PlacedPlane, nearest_on_face};
use super::polygon::{ConvexPolygon, Linear, OWN_SIDE, PlanePoint};
use super::{FacesInField, Piece};
use crate::bvh::OverlapStack;
use crate::contact::field::{Cell, Feature, NONE};
use crate::lanes::{Lanes, MOST_LANES, Mask, Registers};
use crate::math::Vector;
use crate::mesh::{FaceIndex, closest_of_triangles};

/// Cells that a face may meet before the general way is taken; a bound on the work.
const MOST_CELLS: usize = 1 << 16;

/// A polygon reaches a side of its face where a corner is nearer to it than this part of the face's size; dimensionless.
/// The cells there are the first ones to be tried on the neighbour.
const AT_SIDE: f64 = 1e-6;

/// Parts of a face may differ from what is inside by this part of that, and by the second part of the face; dimensionless,
/// for rounding.
const SAME_AREA: f64 = 1e-9;
const AREA_ROUNDING: f64 = 1e-14;

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
    /// The polygon at hand, and room for the next one.
    polygons: [ConvexPolygon; 2],
    at_hand: usize,
    stack: OverlapStack,
}

/// What comes of a walk: pieces, and what walls between them add to the energy.
pub struct Walked<'a> {
    /// Pieces of the run so far.
    pub pieces: &'a mut Vec<Piece>,
    /// What walls add to it.
    pub wall_energy: &'a mut WallEnergy,
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

    /// Keeps the part of the polygon where a function is not negative; whether that is not all of it.
    #[inline]
    fn keep(&mut self, function: &Linear, label: u32) -> bool {
        let [first, second] = &mut self.polygons;
        let (polygon, next) = if self.at_hand == 0 { (first, second) } else { (second, first) };
        let is_cut = polygon.clip_into(function, label, next);
        self.at_hand ^= usize::from(is_cut);
        is_cut
    }

    #[inline]
    fn polygon(&self) -> &ConvexPolygon {
        &self.polygons[self.at_hand & 1]
    }

    #[inline]
    fn visit(&mut self, cell: u32) {
        if cell != NONE && self.visited[cell as usize] != self.walk {
            self.visited[cell as usize] = self.walk;
            self.queue.push(cell);
        }
    }
}

impl FacesInField<'_> {
    /// Adds the parts of a face; false where the general way has to be taken, and nothing is added. `index` is the place of
    /// the face in the run that starts with `first_slot`, `inside` is the area of what is inside the other
    /// body, `starts` are faces of that body that it intersects.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    pub(super) fn walk<R: Registers>(
        &self,
        registers: R,
        (first_slot, index): (usize, usize),
        plane: &PlacedPlane,
        (triangle, inside): (&[PlanePoint; 3], f64),
        starts: impl Iterator<Item = u32>,
        memory: &mut WalkMemory,
        walked: &mut Walked,
    ) -> bool {
        let slot = first_slot + index;
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
        let (first_met, first_piece) = (memory.met.len(), walked.pieces.len());
        let sides = sides_of(triangle);
        let size = triangle[1][0].max(triangle[2][1]);
        let (mut next, mut area) = (0, 0.0);
        let mut wall_energy = if self.with_energy { WallEnergy::default() } else { WallEnergy::UNKNOWN };
        let mut is_known = true;
        let field = self.field.surface.field();
        let reference = self.reference();
        let lanes = PlaneLanes::new(registers, plane, triangle);
        let mut traces = Traces::default();
        let (mut first_traced, mut traced) = (0, 0);
        while let Some(&face) = memory.queue.get(next) {
            if next == traced {
                let queued = &memory.queue[next..];
                let cell = |lane: usize| field.cell(queued[lane.min(queued.len() - 1)]);
                traces.find(registers, &lanes, cell);
                (first_traced, traced) = (next, next + queued.len().min(R::LANES));
            }
            let lane = next - first_traced;
            next += 1;
            if traces.misses >> lane & 1 == 1 {
                continue;
            }
            memory.at_hand = 0;
            memory.polygons[0].set_triangle(triangle);
            let Some(depth) = self.part_below(plane, face, (&traces, lane), memory) else {
                is_known = false;
                break;
            };
            let polygon = &memory.polygons[memory.at_hand & 1];
            let Some((of_part, centroid)) = polygon.area_and_centroid() else { continue };
            area += of_part;
            let reached = |side: &Linear| polygon.corners().iter().any(|&at| side.value(at) < AT_SIDE * size);
            let bits = sides.iter().enumerate().map(|(k, side)| u32::from(reached(side)) << k).sum();
            memory.met.push((face, bits));
            if self.with_energy {
                let depths = (&depth, of_part * depth.value(centroid));
                wall_energy.add(&walls_below(self.field.surface, FaceIndex(face), plane, polygon, depths, &reference));
            }
            let height = self.apex_height(plane, Feature::Face(field.plates().largest_face(FaceIndex(face))));
            let [x, y] = depth.gradient;
            let feature = Feature::Face(FaceIndex(face));
            let slope_out = -plane.axes[2].dot(&self.field.surface.normal(FaceIndex(face)));
            let piece = Piece::new(index as u32, feature, [depth.at_origin, x, y, height], slope_out);
            polygon.for_each_small(|corners| walked.pieces.push(piece.with_corners(corners)));
        }
        // What lies inside is covered once: the walk has not missed a cell.
        let whole = 0.5 * triangle[1][0] * triangle[2][1];
        let is_covered = (area - inside).abs() <= SAME_AREA * inside.abs() + AREA_ROUNDING * whole;
        if !is_known || MOST_CELLS < next || !is_covered {
            memory.met.truncate(first_met);
            walked.pieces.truncate(first_piece);
            return false;
        }
        walked.wall_energy.add(&wall_energy);
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

    /// Leaves the part of a polygon in the cell below a face of the other body, and tells its depth; none where that cell
    /// is not known there. Queues the cells behind walls that it reaches.
    #[inline]
    fn part_below(
        &self,
        plane: &PlacedPlane,
        face: u32,
        (traces, lane): (&Traces, usize),
        memory: &mut WalkMemory,
    ) -> Option<Linear> {
        let field = self.field.surface.field();
        let cell: &Cell = field.cell(face);
        let depth = traces.function(lane, 0);
        if traces.cuts(lane, 0) {
            memory.keep(&depth, OWN_SIDE);
        }
        let mut reached = cell.neighbours;
        for (k, neighbour) in reached.iter_mut().enumerate() {
            if memory.polygon().is_empty() {
                return Some(depth);
            }
            if !traces.cuts(lane, 1 + k) || !memory.keep(&traces.function(lane, 1 + k), EDGE_WALL + k as u32) {
                *neighbour = NONE;
            } else if *neighbour == NONE {
                // What lies below a sharp inner edge has no cell.
                return None;
            }
        }
        if memory.polygon().is_empty() {
            return Some(depth);
        }
        for (label, wall) in (CORNER_WALL..).zip(field.corner_walls(cell)) {
            if memory.keep(&plane.trace(&wall.plane), label) {
                memory.visit(wall.face);
            }
        }
        let polygon = &memory.polygons[memory.at_hand & 1];
        let deepest = polygon.corners().iter().map(|&corner| depth.value(corner)).fold(0.0, f64::max);
        if polygon.is_empty() {
            return Some(depth);
        }
        if polygon.needs_splitting()
            || !field.reaches(face, deepest, self.field.surface, &mut memory.stack)
            || (!cell.is_simple && self.is_near_sharp_corner(plane, FaceIndex(face), polygon, deepest))
        {
            return None;
        }
        if reached != [NONE; 3] {
            field.linked(face).iter().for_each(|&cell| memory.visit(cell));
        }
        reached.into_iter().for_each(|cell| memory.visit(cell));
        Some(depth)
    }
}

impl FacesInField<'_> {
    /// Whether something around a corner that is not simple may be nearer than a face to a polygon below it, or nearly so.
    fn is_near_sharp_corner(
        &self,
        plane: &PlacedPlane,
        face: FaceIndex,
        polygon: &ConvexPolygon,
        deepest: f64,
    ) -> bool {
        let Some((_, centroid)) = polygon.area_and_centroid() else { return false };
        let (surface, field) = (self.field.surface, self.field.surface.field());
        let (normal, anchor) = (surface.normal(face), surface.mesh().corners(face)[0]);
        let centre = plane.point(centroid);
        let on_face = |point: Vector| point - normal * normal.dot(&(point - anchor));
        let foot = on_face(centre);
        // Around each point is a ball that reaches the face; what is farther from its foot than twice the depth is outside.
        let (clear, radius) = (2.0 * deepest, largest_distance(polygon, centroid));
        let is_near = |other: FaceIndex| {
            nearest_on_face(surface, other, &foot).distance < clear + radius && {
                let (others, corners) = (surface.mesh().corners(other), polygon.corners());
                corners[1..].windows(2).any(|pair| {
                    let fan = [corners[0], pair[0], pair[1]].map(|corner| on_face(plane.point(corner)));
                    closest_of_triangles(&fan, &others).squared_distance < clear * clear
                })
            }
        };
        field.corner_faces(face).iter().any(|&other| is_near(other))
    }
}

/// The plane of a face and its triangle in all lanes.
struct PlaneLanes<V> {
    origin: [V; 3],
    axes: [[V; 3]; 2],
    b_x: V,
    c: [V; 2],
}

impl<V: Lanes> PlaneLanes<V> {
    #[inline(always)]
    fn new<R: Registers<Vector = V>>(registers: R, plane: &PlacedPlane, triangle: &[PlanePoint; 3]) -> Self {
        let splat = |v: &Vector| [registers.splat(v.x), registers.splat(v.y), registers.splat(v.z)];
        PlaneLanes {
            origin: splat(&plane.origin),
            axes: [splat(&plane.axes[0]), splat(&plane.axes[1])],
            b_x: registers.splat(triangle[1][0]),
            c: [registers.splat(triangle[2][0]), registers.splat(triangle[2][1])],
        }
    }
}

/// The planes of some cells on the plane of a face, one cell in each lane.
#[derive(Clone, Copy, Debug)]
struct Traces {
    /// At the origin, and along x and y.
    functions: [[[f64; 4]; 4]; MOST_LANES],
    /// Bits of the lanes whose plane has a corner of the face behind it.
    cut: [u32; 4],
    /// Bits of the lanes whose cell the face misses.
    misses: u32,
}

impl Default for Traces {
    fn default() -> Self {
        Traces { functions: [[[0.0; 4]; 4]; MOST_LANES], cut: [0; 4], misses: 0 }
    }
}

impl Traces {
    #[inline(always)]
    fn find<'a, R: Registers>(
        &mut self,
        registers: R,
        plane: &PlaneLanes<R::Vector>,
        cell: impl Fn(usize) -> &'a Cell,
    ) {
        let zero = registers.splat(0.0);
        let mut cells = [cell(0); MOST_LANES];
        for (lane, place) in cells.iter_mut().enumerate().take(R::LANES).skip(1) {
            *place = cell(lane);
        }
        self.misses = 0;
        for k in 0..4 {
            let [a, b, c, d] = registers.columns(|lane| &cells[lane].planes[k]);
            let [o, x, y] = [&plane.origin, &plane.axes[0], &plane.axes[1]];
            let at_a = a * o[0] + b * o[1] + c * o[2] + d;
            let (along_x, along_y) = (a * x[0] + b * x[1] + c * x[2], a * y[0] + b * y[1] + c * y[2]);
            let at_b = at_a + along_x * plane.b_x;
            let at_c = at_a + along_x * plane.c[0] + along_y * plane.c[1];
            let (low, high) = (at_a.smaller(at_b).smaller(at_c), at_a.larger(at_b).larger(at_c));
            self.cut[k] = low.less(zero).bits();
            self.misses |= high.less(zero).bits();
            let functions = &mut self.functions;
            registers.rows([at_a, along_x, along_y, zero], |lane, row| functions[lane % MOST_LANES][k] = row);
        }
    }

    #[inline]
    fn function(&self, lane: usize, k: usize) -> Linear {
        let [at_origin, x, y, _] = self.functions[lane % MOST_LANES][k];
        Linear { at_origin, gradient: [x, y] }
    }

    #[inline]
    fn cuts(&self, lane: usize, k: usize) -> bool {
        self.cut[k] >> lane & 1 == 1
    }
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
