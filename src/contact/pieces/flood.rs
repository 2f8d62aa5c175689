//! Divides faces by a flood over the pairs of a face and a cell of the other body's field.
//!
//! A cell of a face with convex edges and corners is a prism with slanted walls; what it cuts out of the plane of another
//! face is a convex polygon. The flood starts where intersection lines lie, on a face and on the face that it crosses. From
//! each pair it goes on across the walls that the polygon reaches, to the next cells, and across the sides of the face, to
//! the next faces. A face that comes near a sharp inner edge or a corner with one, or below the reach of a cell, or of which
//! not all is covered, is left to the general way.

use super::cell_parts::{CellParts, PlacedFace};
use super::divide::largest_distance;
use super::energy::{CORNER_WALL, WallEnergy, walls_below};
use super::feature::{PlacedPlane, nearest_on_face};
use super::polygon::{ConvexPolygon, Linear, SMALLEST_AREA};
use super::{FacesInField, Piece, PlacedLine};
use crate::bvh::OverlapStack;
use crate::contact::field::{Feature, NONE};
use crate::contact::law::FaceRecord;
use crate::lanes::{MOST_LANES, Registers};
use crate::math::Vector;
use crate::mesh::{FaceIndex, closest_of_triangles};

/// Cells that a face may meet before the general way is taken; a bound on the work.
const MOST_CELLS: u32 = 1 << 16;

/// Parts of a face may differ from what is inside by this part of that, and by the second part of the face; dimensionless,
/// for rounding.
const SAME_AREA: f64 = 1e-9;
const AREA_ROUNDING: f64 = 1e-14;

/// Places in the table of pairs to begin with.
const FEWEST_PLACES: usize = 1 << 10;

/// Of them, those where most pairs of a face are.
const PLACES_PER_FACE: usize = 8;

/// A face by its place in the run, and a cell.
type Pair = (u32, u32);

/// Reused memory of the floods.
#[derive(Clone, Debug, Default)]
pub struct FloodMemory {
    /// The faces of the run.
    faces: Vec<PlacedFace>,
    states: Vec<FaceState>,
    queue: PairQueue,
    parts: CellParts,
    /// The polygon at hand, and room for the next one.
    polygons: [ConvexPolygon; 2],
    stack: OverlapStack,
}

/// What a flood knows of a face.
#[derive(Clone, Copy, Debug)]
struct FaceState {
    /// What is inside the other body, from the intersection lines, in m².
    inside: f64,
    /// What parts have covered so far.
    covered: f64,
    /// What the walls around them add to the energy.
    wall_energy: WallEnergy,
    /// Cells met so far.
    cells: u32,
    /// Not where the general way has to be taken.
    is_known: bool,
}

impl FaceState {
    /// Whether parts cover what is inside, and once.
    fn is_covered(&self, face: &PlacedFace) -> bool {
        (self.covered - self.inside).abs() <= SAME_AREA * self.inside.abs() + AREA_ROUNDING * face.area()
    }
}

/// What floods start from, one after the other; most end with the first.
#[derive(Clone, Copy, Debug)]
enum Start {
    /// Faces and cells that cross each other.
    Lines,
    /// Cells with a wall in a corner towards one that a face has met: where corners are nearly regular, they may lie behind
    /// walls of that cell which do not know of them.
    BesideCorners,
    /// The first face from here on that nothing has led to, as runs end anywhere: the nearest cell.
    Nearest(usize),
}

/// Pairs that a flood comes to, each once.
#[derive(Clone, Debug, Default)]
struct PairQueue {
    pairs: Vec<Pair>,
    /// An open table, at most half full; entries of earlier floods have another number.
    places: Vec<(Pair, u32)>,
    flood: u32,
}

impl PairQueue {
    fn begin(&mut self) {
        self.pairs.clear();
        self.flood = self.flood.wrapping_add(1);
        if self.flood == 0 || self.places.is_empty() {
            self.flood = 1;
            self.places.clear();
            self.places.resize(FEWEST_PLACES, ((0, 0), 0));
        }
    }

    /// Where a pair is in the table, or may be put.
    #[inline]
    fn place(&self, pair: Pair) -> usize {
        let (face, cell) = pair;
        let mask = self.places.len() - 1;
        let is_other = |place: usize| self.places[place].1 == self.flood && self.places[place].0 != pair;
        // The pairs of a face beside each other, as long as they do not get in each other's way.
        let beside = (PLACES_PER_FACE * face as usize + cell as usize % PLACES_PER_FACE) & mask;
        if !is_other(beside) {
            return beside;
        }
        let key = u64::from(face) << 32 | u64::from(cell);
        let mut place = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        while is_other(place) {
            place = (place + 1) & mask;
        }
        place
    }

    #[inline]
    fn push(&mut self, pair: Pair) {
        let place = self.place(pair);
        if self.places[place].1 == self.flood {
            return;
        }
        self.places[place] = (pair, self.flood);
        self.pairs.push(pair);
        if self.places.len() < 2 * self.pairs.len() {
            self.grow();
        }
    }

    fn grow(&mut self) {
        let larger = 4 * self.places.len();
        self.places.clear();
        self.places.resize(larger, ((0, 0), 0));
        for index in 0..self.pairs.len() {
            let place = self.place(self.pairs[index]);
            self.places[place] = (self.pairs[index], self.flood);
        }
    }
}

/// What comes of a flood: pieces, and what walls between them add to the energy.
pub struct Flooded<'a> {
    /// Pieces of the run.
    pub pieces: &'a mut Vec<Piece>,
    /// What walls add to it.
    pub wall_energy: &'a mut WallEnergy,
}

/// The part of a face in a cell.
struct PartBelow<'a> {
    /// None where it is as registers have cut it.
    polygon: Option<&'a ConvexPolygon>,
    depth: Linear,
    slope_out: f64,
    area: f64,
}

impl FloodMemory {
    /// Whether a face of the run is done; else the general way has to be taken.
    pub fn is_done(&self, index: usize) -> bool {
        self.states[index].is_known
    }
}

impl FacesInField<'_> {
    /// Adds the parts of the faces of a run that starts with a slot, as far as it is known what they are.
    #[inline(always)]
    pub(super) fn flood<R: Registers>(
        &self,
        registers: R,
        first_slot: usize,
        records: &[FaceRecord],
        lines: &[PlacedLine],
        memory: &mut FloodMemory,
        flooded: &mut Flooded,
    ) {
        self.begin_flood(first_slot, records, lines, memory);
        let (mut next, mut start) = (0, Some(Start::Lines));
        while let Some(from) = start {
            while next < memory.queue.pairs.len() {
                next = self.flood_some(registers, first_slot, next, memory, flooded);
            }
            start = self.start_after(from, memory);
        }
        // What lies inside is covered once: the flood has not missed a cell.
        let mut is_any_unknown = false;
        for (state, face) in memory.states.iter_mut().zip(&memory.faces) {
            state.is_known &= state.is_covered(face);
            is_any_unknown |= !state.is_known;
            if state.is_known {
                flooded.wall_energy.add(&state.wall_energy);
            }
        }
        if is_any_unknown {
            flooded.pieces.retain(|piece| memory.states[piece.face as usize].is_known);
        }
    }

    /// Queues what the next flood starts from, for faces that are not covered yet; none where there is nothing left.
    fn start_after(&self, last: Start, memory: &mut FloodMemory) -> Option<Start> {
        let FloodMemory { faces, states, queue, stack, .. } = memory;
        let is_left = |index: usize| states[index].is_known && !states[index].is_covered(&faces[index]);
        let first = match last {
            Start::Lines => {
                for pair in 0..queue.pairs.len() {
                    let (index, cell) = queue.pairs[pair];
                    if is_left(index as usize) {
                        let linked = self.field.surface.field().linked(cell);
                        linked.iter().for_each(|&cell| queue.push((index, cell)));
                    }
                }
                return Some(Start::BesideCorners);
            }
            Start::BesideCorners => 0,
            Start::Nearest(index) => index + 1,
        };
        let index = (first..faces.len()).find(|&index| states[index].cells == 0 && is_left(index))?;
        let middle = faces[index].plane().point(faces[index].middle());
        if let Some(nearest) = self.field.surface.nearest_face(middle, f64::INFINITY, stack) {
            queue.push((index as u32, nearest.face.0));
        }
        Some(Start::Nearest(index))
    }

    /// Places the faces, and starts where lines are.
    fn begin_flood(&self, first_slot: usize, records: &[FaceRecord], lines: &[PlacedLine], memory: &mut FloodMemory) {
        let FloodMemory { faces, states, queue, .. } = memory;
        faces.clear();
        states.clear();
        queue.begin();
        let wall_energy = if self.with_energy { WallEnergy::default() } else { WallEnergy::UNKNOWN };
        let mut lines = lines.iter().peekable();
        for (index, record) in records.iter().enumerate() {
            let slot = first_slot + index;
            let triangle = record.triangle();
            faces.push(PlacedFace::new(&self.placed(record), &triangle));
            let on_face = std::iter::from_fn(|| lines.next_if(|line| line.slot as usize == slot));
            let on_face = on_face.inspect(|line| queue.push((index as u32, line.other_face)));
            let inside = self.area_inside(slot, &triangle, on_face);
            states.push(FaceState { inside, covered: 0.0, wall_energy, cells: 0, is_known: record.is_regular() });
        }
    }

    /// Goes through some pairs of the queue, as many as there are lanes; which ones are next.
    #[inline(always)]
    fn flood_some<R: Registers>(
        &self,
        registers: R,
        first_slot: usize,
        first: usize,
        memory: &mut FloodMemory,
        flooded: &mut Flooded,
    ) -> usize {
        let FloodMemory { faces, states, queue, parts, polygons, stack } = memory;
        let (surface, field) = (self.field.surface, self.field.surface.field());
        let count = (queue.pairs.len() - first).min(R::LANES);
        let mut pairs = [queue.pairs[first]; MOST_LANES];
        pairs[..count].copy_from_slice(&queue.pairs[first..first + count]);
        let mut of_lanes = [&faces[pairs[0].0 as usize]; MOST_LANES];
        let mut cells = [field.cell(pairs[0].1); MOST_LANES];
        for lane in 1..count {
            (of_lanes[lane], cells[lane]) = (&faces[pairs[lane].0 as usize], field.cell(pairs[lane].1));
        }
        parts.find(registers, &of_lanes, &cells, |cell| field.corner_walls(cell));
        for (lane, &(index, cell)) in pairs.iter().enumerate().take(count) {
            let state = &mut states[index as usize];
            state.cells += 1;
            if !parts.is_left(lane) || !state.is_known {
                continue;
            }
            let face = &faces[index as usize];
            let part = self.part_below((index, cell), face, (parts, lane), polygons, queue, stack);
            let Some(part) = part.filter(|_| state.cells <= MOST_CELLS) else {
                state.is_known = false;
                continue;
            };
            for k in 0..3 {
                let beside = (self.area.neighbours[first_slot + index as usize][k] as usize).checked_sub(first_slot);
                if let Some(beside) = beside.filter(|&beside| parts.has_side(lane, k) && beside < faces.len()) {
                    queue.push((beside as u32, cell));
                }
            }
            if part.area <= SMALLEST_AREA {
                continue;
            }
            state.covered += part.area;
            let (cell, plane) = (FaceIndex(cell), face.plane());
            let height = self.apex_height(&plane, Feature::Face(field.plates().largest_face(cell)));
            let [x, y] = part.depth.gradient;
            let piece = Piece::new(index, Feature::Face(cell), [part.depth.at_origin, x, y, height], part.slope_out);
            let Some(polygon) = part.polygon else {
                flooded.pieces.push(piece);
                parts.write_piece(lane, flooded.pieces.last_mut().expect("it was just put there"));
                continue;
            };
            if self.with_energy {
                let at_centroid = polygon.area_and_centroid().map_or(0.0, |(_, at)| part.depth.value(at));
                let depths = (&part.depth, part.area * at_centroid);
                state.wall_energy.add(&walls_below(surface, cell, &plane, polygon, depths, &self.reference()));
            }
            polygon.for_each_small(|corners| flooded.pieces.push(piece.with_corners(corners)));
        }
        first + count
    }

    /// The part of a face in the cell below a face of the other body; none where that cell is not known there. Queues the
    /// cells behind walls that it reaches.
    #[inline(always)]
    fn part_below<'a>(
        &self,
        (index, cell): Pair,
        placed: &PlacedFace,
        (parts, lane): (&CellParts, usize),
        [first, second]: &'a mut [ConvexPolygon; 2],
        queue: &mut PairQueue,
        stack: &mut OverlapStack,
    ) -> Option<PartBelow<'a>> {
        let field = self.field.surface.field();
        let face = FaceIndex(cell);
        let cell = field.cell(cell);
        let (mut polygon, mut spare) = (first, second);
        if parts.is_bent(lane) {
            return None;
        }
        let depth = parts.depth(lane);
        let [mut area, mut deepest, slope_out] = parts.measures(lane);
        let is_as_cut = !self.with_energy && cell.is_simple && !parts.is_cut_in_corners(lane);
        if !is_as_cut {
            parts.write(lane, polygon);
        }
        if parts.is_cut_in_corners(lane) {
            let plane = placed.plane();
            for (label, wall) in (CORNER_WALL..).zip(field.corner_walls(cell)) {
                if polygon.clip_into(&plane.trace(&wall.plane), label, spare) {
                    std::mem::swap(&mut polygon, &mut spare);
                    queue.push((index, wall.face));
                }
            }
            area = polygon.area_and_centroid().map_or(0.0, |(area, _)| area);
            deepest = polygon.corners().iter().map(|&corner| depth.value(corner)).fold(0.0, f64::max);
        }
        if if is_as_cut { parts.is_empty(lane) } else { polygon.is_empty() } {
            return Some(PartBelow { polygon: None, depth, slope_out, area: 0.0 });
        }
        let reached = [0, 1, 2].map(|k| parts.reaches_wall(lane, k));
        // What lies below a sharp inner edge has no cell.
        let is_beyond_edge = (0..3).any(|k| reached[k] && cell.neighbours[k] == NONE);
        if is_beyond_edge
            || (!is_as_cut && polygon.needs_splitting())
            || !field.reaches(face.0, deepest, self.field.surface, stack)
            || (!cell.is_simple && self.is_near_sharp_corner(&placed.plane(), face, polygon, deepest))
        {
            return None;
        }
        (0..3).filter(|&k| reached[k]).for_each(|k| queue.push((index, cell.neighbours[k])));
        Some(PartBelow { polygon: (!is_as_cut).then_some(&*polygon), depth, slope_out, area })
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
        field.corner_faces(face).is_none_or(|faces| faces.iter().any(|&other| is_near(other)))
    }
}
