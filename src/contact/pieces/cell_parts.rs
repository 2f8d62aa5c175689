//! What cells of the other body cut out of faces: several pairs of a face and a cell at a time, one in each lane.
//!
//! A part is kept by its sides, each with a start, an end and the side that follows: three of the face, one where the depth
//! vanishes, one on each wall. A cut shortens sides or takes them away, and adds one from where it leaves the part to where
//! it enters it again. So all lanes take the same steps, whatever their parts look like.

use super::Piece;
use super::energy::{CORNER_WALL, EDGE_WALL};
use super::feature::PlacedPlane;
use super::polygon::{ConvexPolygon, Linear, MOST_CORNERS, OWN_SIDE, PlanePoint};
use crate::contact::field::{Cell, CornerWall};
use crate::lanes::{Lanes, MOST_LANES, Mask, Registers, dot};
use crate::math::Vector;

/// Planes that cut: where the depth vanishes, and the walls through the edges.
pub const PLANES: usize = 4;

/// Sides of a part.
const SIDES: usize = 3 + PLANES;

/// What numbers of sides are digits to the base of: as an integer it is a shift, and seven digits are exact in a float.
const DIGIT: f64 = (1 << DIGIT_BITS) as f64;
const DIGIT_BITS: usize = 4;

/// What each side lies on.
const LABELS: [u32; SIDES] = [OWN_SIDE, OWN_SIDE, OWN_SIDE, OWN_SIDE, EDGE_WALL, EDGE_WALL + 1, EDGE_WALL + 2];

/// A face in the frame of the field's body: origin, x, y and z axis of its plane; behind them the x of the second corner, and
/// x and y of the third. The first corner is the origin, the second one lies on the x-axis.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub struct PlacedFace {
    rows: [[f64; 4]; 4],
}

impl PlacedFace {
    /// A triangle in a plane.
    #[inline]
    pub fn new(plane: &PlacedPlane, [_, b, c]: &[PlanePoint; 3]) -> Self {
        let [x, y, z] = &plane.axes;
        let row = |v: &Vector, more: f64| [v.x, v.y, v.z, more];
        PlacedFace { rows: [row(&plane.origin, b[0]), row(x, c[0]), row(y, c[1]), row(z, 0.0)] }
    }

    /// Its plane.
    #[inline]
    pub fn plane(&self) -> PlacedPlane {
        let [origin, x, y, z] = self.rows.map(|[a, b, c, _]| Vector::new(a, b, c));
        PlacedPlane { origin, axes: [x, y, z] }
    }

    /// Its area in m².
    #[inline]
    pub fn area(&self) -> f64 {
        0.5 * self.rows[0][3] * self.rows[2][3]
    }

    /// The middle of its corners.
    #[inline]
    pub fn middle(&self) -> PlanePoint {
        [(self.rows[0][3] + self.rows[1][3]) / 3.0, self.rows[2][3] / 3.0]
    }
}

/// The face of each lane.
struct FacesInLanes<V> {
    origin: [V; 3],
    axes: [[V; 3]; 3],
    corners: [[V; 2]; 3],
}

impl<V: Lanes> FacesInLanes<V> {
    #[inline(always)]
    fn new<R: Registers<Vector = V>>(registers: R, faces: &[&PlacedFace; MOST_LANES]) -> Self {
        let zero = registers.splat(0.0);
        let [o_x, o_y, o_z, b_x] = registers.columns(|lane| &faces[lane].rows[0]);
        let [x_x, x_y, x_z, c_x] = registers.columns(|lane| &faces[lane].rows[1]);
        let [y_x, y_y, y_z, c_y] = registers.columns(|lane| &faces[lane].rows[2]);
        let [z_x, z_y, z_z, _] = registers.columns(|lane| &faces[lane].rows[3]);
        FacesInLanes {
            origin: [o_x, o_y, o_z],
            axes: [[x_x, x_y, x_z], [y_x, y_y, y_z], [z_x, z_y, z_z]],
            corners: [[zero; 2], [b_x, zero], [c_x, c_y]],
        }
    }

    /// Functions of a point in space, on the planes of the faces.
    #[inline(always)]
    fn trace(&self, [a, b, c, d]: [V; 4]) -> Linear<V> {
        let (origin, [x, y, _]) = (self.origin, &self.axes);
        Linear { at_origin: dot([a, b, c], origin) + d, gradient: [dot([a, b, c], *x), dot([a, b, c], *y)] }
    }
}

/// A side of the part of each lane.
#[derive(Clone, Copy)]
struct Side<V, M> {
    start: [V; 2],
    end: [V; 2],
    /// The number of the side that follows.
    next: V,
    /// The lanes that have it.
    is_there: M,
}

/// The parts of some faces in some cells, a pair in each lane.
#[derive(Clone, Copy, Debug)]
pub struct CellParts {
    /// Start of each side, and depth there.
    sides: [[[f64; 4]; SIDES]; MOST_LANES],
    /// Bits of the lanes that have each side.
    are_there: [u32; SIDES],
    /// Bits of the lanes of which something is left.
    left: u32,
    /// Bits of the lanes where rounding has bent a side.
    bent: u32,
    /// Bits of the lanes whose part a wall in a corner of the cell cuts.
    cut_in_corners: u32,
    /// At the origin and along x and y: the depth in each lane.
    depths: [[f64; 4]; MOST_LANES],
    /// Area in m², largest depth in m, how the depth changes along the normal of the face, and the numbers of the sides that
    /// follow, as digits to the base [`DIGIT`].
    areas_and_depths: [[f64; 4]; MOST_LANES],
}

impl Default for CellParts {
    fn default() -> Self {
        CellParts {
            sides: [[[0.0; 4]; SIDES]; MOST_LANES],
            are_there: [0; SIDES],
            left: 0,
            bent: 0,
            cut_in_corners: 0,
            depths: [[0.0; 4]; MOST_LANES],
            areas_and_depths: [[0.0; 4]; MOST_LANES],
        }
    }
}

impl CellParts {
    /// Finds the parts of the faces of all lanes in their cells.
    #[inline(always)]
    pub fn find<'a, R: Registers>(
        &mut self,
        registers: R,
        faces: &[&PlacedFace; MOST_LANES],
        cells: &[&'a Cell; MOST_LANES],
        corner_walls: impl Fn(&'a Cell) -> &'a [CornerWall],
    ) {
        let zero = registers.splat(0.0);
        let face = FacesInLanes::new(registers, faces);
        let [a, b, c] = face.corners;
        let nowhere = Side { start: [zero; 2], end: [zero; 2], next: zero, is_there: registers.first(0) };
        let mut sides = [nowhere; SIDES];
        let all = registers.first(R::LANES);
        sides[0] = Side { start: a, end: b, next: zero + 1.0, is_there: all };
        sides[1] = Side { start: b, end: c, next: zero + 2.0, is_there: all };
        sides[2] = Side { start: c, end: a, next: zero, is_there: all };

        let mut functions = [Linear { at_origin: zero, gradient: [zero; 2] }; PLANES];
        let (mut missed, mut slope_out) = (registers.first(0), zero);
        let mut are_cut = [0; PLANES];
        for k in 0..PLANES {
            let plane = registers.columns(|lane| &cells[lane].planes[k]);
            let function = face.trace(plane);
            if k == 0 {
                slope_out = dot([plane[0], plane[1], plane[2]], face.axes[2]);
            }
            let [at_a, at_b, at_c] = [function.at(a), function.at(b), function.at(c)];
            are_cut[k] = at_a.smaller(at_b).smaller(at_c).less(zero).bits();
            missed = missed.or(at_a.larger(at_b).larger(at_c).less(zero));
            functions[k] = function;
        }
        self.left = all.but_not(missed).bits();
        self.bent = 0;
        self.cut_in_corners = 0;
        if self.left == 0 {
            return;
        }
        for k in 0..PLANES {
            self.are_there[3 + k] = 0;
            if are_cut[k] & self.left != 0 {
                self.cut(k, zero, &functions[k], &mut sides);
            }
        }
        let mut left = 0;
        for (are_there, side) in self.are_there.iter_mut().zip(&sides) {
            *are_there = side.is_there.bits();
            left |= *are_there;
        }
        self.left &= left;
        if self.left != 0 {
            self.measure(registers, (&functions[0], slope_out), &sides);
            self.look_into_corners(registers, &face, &sides, |lane| corner_walls(cells[lane]));
        }
    }

    /// Cuts off what is behind a plane.
    #[inline(always)]
    fn cut<V: Lanes>(&mut self, plane: usize, zero: V, function: &Linear<V>, sides: &mut [Side<V, V::Mask>; SIDES]) {
        let new = 3 + plane;
        let mut along = sides[new];
        let mut entered = along.is_there;
        for (index, side) in sides.iter_mut().enumerate().take(new) {
            let (at_start, at_end) = (function.at(side.start), function.at(side.end));
            let (start_is_out, end_is_out) = (at_start.less(zero), at_end.less(zero));
            let goes = start_is_out.and(end_is_out).and(side.is_there);
            let enters = start_is_out.but_not(end_is_out).and(side.is_there);
            let leaves = end_is_out.but_not(start_is_out).and(side.is_there);
            if goes.or(leaves).or(enters).bits() == 0 {
                continue;
            }
            // From the end with the negative value, as single polygons are cut.
            let from =
                [start_is_out.choose(side.start[0], side.end[0]), start_is_out.choose(side.start[1], side.end[1])];
            let to = [start_is_out.choose(side.end[0], side.start[0]), start_is_out.choose(side.end[1], side.start[1])];
            let (at_from, at_to) = (start_is_out.choose(at_start, at_end), start_is_out.choose(at_end, at_start));
            let fraction = at_from / (at_from - at_to);
            let crossing = [from[0] + fraction * (to[0] - from[0]), from[1] + fraction * (to[1] - from[1])];
            self.bent |= leaves.and(along.is_there).or(enters.and(entered)).bits();
            (along.is_there, entered) = (along.is_there.or(leaves), entered.or(enters));
            for (axis, &at) in crossing.iter().enumerate() {
                side.end[axis] = leaves.choose(at, side.end[axis]);
                along.start[axis] = leaves.choose(at, along.start[axis]);
                side.start[axis] = enters.choose(at, side.start[axis]);
                along.end[axis] = enters.choose(at, along.end[axis]);
            }
            side.next = leaves.choose(zero + new as f64, side.next);
            along.next = enters.choose(zero + index as f64, along.next);
            side.is_there = side.is_there.but_not(goes);
        }
        self.bent |= along.is_there.bits() ^ entered.bits();
        sides[new] = along;
    }

    /// Areas, depths, and the sides in memory.
    #[inline(always)]
    fn measure<R: Registers>(
        &mut self,
        registers: R,
        (depth, slope_out): (&Linear<R::Vector>, R::Vector),
        sides: &[Side<R::Vector, R::Mask>; SIDES],
    ) {
        let zero = registers.splat(0.0);
        let (mut origin, mut double_area, mut deepest, mut followers) = ([zero; 2], zero, zero, zero);
        for side in sides {
            origin = [side.is_there.choose(side.start[0], origin[0]), side.is_there.choose(side.start[1], origin[1])];
        }
        for (index, side) in sides.iter().enumerate().rev() {
            followers = followers * DIGIT + side.next;
            if self.are_there[index] == 0 {
                continue;
            }
            let from = [side.start[0] - origin[0], side.start[1] - origin[1]];
            let to = [side.end[0] - origin[0], side.end[1] - origin[1]];
            let at_start = depth.at(side.start);
            double_area = double_area + side.is_there.keep(from[0] * to[1] - from[1] * to[0]);
            deepest = deepest.larger(side.is_there.keep(at_start));
            let rows = &mut self.sides;
            registers.rows([side.start[0], side.start[1], at_start, zero], |lane, row| {
                rows[lane % MOST_LANES][index] = row;
            });
        }
        let (depths, areas_and_depths) = (&mut self.depths, &mut self.areas_and_depths);
        let [x, y] = depth.gradient;
        registers.rows([depth.at_origin, x, y, zero], |lane, row| depths[lane % MOST_LANES] = row);
        registers.rows([double_area * 0.5, deepest, slope_out, followers], |lane, row| {
            areas_and_depths[lane % MOST_LANES] = row;
        });
    }

    /// Which parts are cut by walls in the corners of their cells.
    #[inline(always)]
    fn look_into_corners<'a, R: Registers>(
        &mut self,
        registers: R,
        face: &FacesInLanes<R::Vector>,
        sides: &[Side<R::Vector, R::Mask>; SIDES],
        corner_walls: impl Fn(usize) -> &'a [CornerWall],
    ) {
        /// Cuts nothing.
        const NO_WALL: [f64; 4] = [0.0, 0.0, 0.0, 1.0];
        let zero = registers.splat(0.0);
        let mut walls: [&[CornerWall]; MOST_LANES] = [&[]; MOST_LANES];
        let mut most = 0;
        for (lane, place) in walls.iter_mut().enumerate().take(R::LANES) {
            if self.left >> lane & 1 == 1 {
                *place = corner_walls(lane);
                most = most.max(place.len());
            }
        }
        for k in 0..most {
            let plane = registers.columns(|lane| walls[lane].get(k).map_or(&NO_WALL, |wall| &wall.plane));
            let function = face.trace(plane);
            let mut is_cut = registers.first(0);
            for (index, side) in sides.iter().enumerate() {
                if self.are_there[index] != 0 {
                    is_cut = is_cut.or(function.at(side.start).less(zero).and(side.is_there));
                }
            }
            self.cut_in_corners |= is_cut.bits();
        }
    }

    /// Whether something is left in a lane.
    #[inline]
    pub fn is_left(&self, lane: usize) -> bool {
        self.left >> lane & 1 == 1
    }

    /// Whether the part of a lane reaches the wall through an edge of its cell.
    #[inline]
    pub fn reaches_wall(&self, lane: usize, edge: usize) -> bool {
        self.has_side(lane, 4 + edge)
    }

    /// Whether the part of a lane has something of a side of the face.
    #[inline]
    pub fn has_side(&self, lane: usize, side: usize) -> bool {
        self.are_there[side] >> lane & 1 == 1
    }

    /// Whether rounding has bent a side of the part of a lane, so that it was cut twice: that part is not known.
    #[inline]
    pub fn is_bent(&self, lane: usize) -> bool {
        self.bent >> lane & 1 == 1
    }

    /// Whether a wall in a corner of the cell cuts the part of a lane.
    #[inline]
    pub fn is_cut_in_corners(&self, lane: usize) -> bool {
        self.cut_in_corners >> lane & 1 == 1
    }

    /// The depth in a lane.
    #[inline]
    pub fn depth(&self, lane: usize) -> Linear {
        let [at_origin, x, y, _] = self.depths[lane % MOST_LANES];
        Linear { at_origin, gradient: [x, y] }
    }

    /// Area in m², largest depth in m, and how the depth changes along the normal of the face.
    #[inline]
    pub fn measures(&self, lane: usize) -> [f64; 3] {
        let [area, depth, slope_out, _] = self.areas_and_depths[lane % MOST_LANES];
        [area, depth, slope_out]
    }

    /// Whether the part of a lane has no area.
    #[inline]
    pub fn is_empty(&self, lane: usize) -> bool {
        (0..SIDES).filter(|&side| self.has_side(lane, side)).count() < 3
    }

    /// Hands out the part of a lane, corner by corner, with labels for the sides from there on.
    #[inline(always)]
    fn for_each_corner(&self, lane: usize, mut take: impl FnMut(PlanePoint, u32)) {
        let sides = &self.sides[lane % MOST_LANES];
        let first = (0..SIDES).find(|&side| self.has_side(lane, side)).unwrap_or(0);
        let followers = self.areas_and_depths[lane % MOST_LANES][3] as usize;
        let mut side = first;
        for _ in 0..SIDES {
            let [x, y, ..] = sides[side % SIDES];
            take([x, y], LABELS[side % SIDES]);
            side = followers >> (DIGIT_BITS * side) & ((1 << DIGIT_BITS) - 1);
            if side == first {
                break;
            }
        }
    }

    /// Writes the part of a lane.
    #[inline]
    pub fn write(&self, lane: usize, polygon: &mut ConvexPolygon) {
        polygon.clear();
        self.for_each_corner(lane, |corner, label| polygon.push(corner, label));
    }

    /// Writes the part of a lane into a piece.
    #[inline]
    pub fn write_piece(&self, lane: usize, piece: &mut Piece) {
        let (mut corners, mut count) = ([[0.0; 2]; MOST_CORNERS], 0);
        self.for_each_corner(lane, |corner, _| {
            corners[count % MOST_CORNERS] = corner;
            count += 1;
        });
        piece.set_corners(&corners[..count.min(MOST_CORNERS)]);
    }
}

const _: () = assert!(EDGE_WALL + 3 == CORNER_WALL && SIDES <= MOST_CORNERS);
