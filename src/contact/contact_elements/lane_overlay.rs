//! How four slave faces, projected, lie over a master face.

use super::convex_polygon::PlanePoint;
use super::face_frame::FaceFrame;
use super::lanes::{LANES, Lanes, Registers};
use super::overlay::ROUNDING;
use crate::math::Vector;

/// A number of four slave faces, lane by lane.
pub type Column = [f64; LANES];

/// Coordinates of three corners along three axes of four faces.
pub type CornerColumns = [[Column; 3]; 3];

/// The triangle of a master face in every lane.
#[derive(Clone, Copy)]
pub struct MasterLanes<V> {
    /// Corners: x and y.
    pub corners: [[V; 2]; 3],
    /// From each corner to the next.
    pub sides: [[V; 2]; 3],
    /// Square of the length of the longest side.
    pub longest_side_squared: V,
}

impl<V: Lanes> MasterLanes<V> {
    /// The same one in every lane.
    #[inline(always)]
    pub fn new<R: Registers<Vector = V>>(registers: R, corners: &[PlanePoint; 3]) -> Self {
        let zero = registers.splat(0.0);
        let mut lanes = [[zero; 2]; 3];
        for k in 0..3 {
            lanes[k] = [registers.splat(corners[k][0]), registers.splat(corners[k][1])];
        }
        Self::of_corners(zero, lanes)
    }

    /// Of corners, counter-clockwise.
    #[inline(always)]
    pub fn of_corners(zero: V, corners: [[V; 2]; 3]) -> Self {
        let mut sides = [[zero; 2]; 3];
        let mut longest_side_squared = zero;
        for k in 0..3 {
            let next = corners[(k + 1) % 3];
            let [x, y] = [next[0] - corners[k][0], next[1] - corners[k][1]];
            longest_side_squared = longest_side_squared.larger(x * x + y * y);
            sides[k] = [x, y];
        }
        MasterLanes { corners, sides, longest_side_squared }
    }
}

/// Corners of each triangle before the sides of the other: positive on the left of a side.
#[derive(Clone, Copy)]
pub struct Sidedness<V> {
    /// Slave corner k before master side i, as `[i][k]`.
    pub of_slave: [[V; 3]; 3],
    /// Master corner i before slave side k, as `[k][i]`.
    pub of_master: [[V; 3]; 3],
    /// From each slave corner to the next.
    pub slave_sides: [[V; 2]; 3],
}

impl<V: Lanes> Sidedness<V> {
    /// Square of a length that no region is larger than: of one of the slave's sides, or the longest of the master.
    #[inline(always)]
    pub fn shortest_side_squared(&self, master: &MasterLanes<V>) -> V {
        let [a, b, c] = self.slave_sides;
        let longest = (a[0] * a[0] + a[1] * a[1]).larger(b[0] * b[0] + b[1] * b[1]).larger(c[0] * c[0] + c[1] * c[1]);
        longest.smaller(master.longest_side_squared)
    }
}

/// Compares all corners with all sides.
#[inline(always)]
pub fn sidedness<V: Lanes>(master: &MasterLanes<V>, x: [V; 3], y: [V; 3]) -> Sidedness<V> {
    let slave_sides = [[x[1] - x[0], y[1] - y[0]], [x[2] - x[1], y[2] - y[1]], [x[0] - x[2], y[0] - y[2]]];
    let (mut of_slave, mut of_master) = ([[x[0]; 3]; 3], [[x[0]; 3]; 3]);
    for i in 0..3 {
        for k in 0..3 {
            let (dx, dy) = (x[k] - master.corners[i][0], y[k] - master.corners[i][1]);
            of_slave[i][k] = master.sides[i][0] * dy - master.sides[i][1] * dx;
            of_master[k][i] = slave_sides[k][1] * dx - slave_sides[k][0] * dy;
        }
    }
    Sidedness { of_slave, of_master, slave_sides }
}

/// What a walk needs to know of four slave faces; bits by lane.
pub struct LaneOverlays {
    /// Corners in the plane of the master face, counter-clockwise.
    pub corners: CornerColumns,
    /// Faces that face the master and lie below it, at least in part.
    pub opposed: u32,
    /// Faces that overlap the master face.
    pub overlapping: u32,
    /// Faces whose side k meets the master face; touching counts.
    pub met: [u32; 3],
    /// Faces with a corner beyond side k of the master face.
    pub beyond: [u32; 3],
    /// Faces with a corner above the master face.
    pub above: u32,
    /// Faces with a corner less deep than the transition.
    pub shallow: u32,
    /// Faces with a corner deeper than the transition.
    pub deep: u32,
}

/// Projects four slave faces, given by their corners in E in the order of the mesh, and compares them with a master face.
///
/// [`super::overlay`] has the same for one face.
#[inline(always)]
pub fn overlay<R: Registers>(
    registers: R,
    master: &MasterLanes<R::Vector>,
    frame: &FaceFrame,
    corners_e: [&[Vector; 3]; LANES],
    transition_depth: f64,
) -> LaneOverlays {
    let zero = registers.splat(0.0);
    let (mut x, mut y, mut z) = ([zero; 3], [zero; 3], [zero; 3]);
    // Seen from the master, an opposed face runs the other way round.
    for (to, corner) in [0, 2, 1].into_iter().enumerate() {
        let mut from_origin = [zero; 3];
        for axis in 0..3 {
            let mut column = [0.0; LANES];
            for lane in 0..LANES {
                column[lane] = corners_e[lane][corner][axis];
            }
            from_origin[axis] = registers.vector(column) + -frame.origin_e[axis];
        }
        let [a, b, c] = &frame.axes_e;
        x[to] = from_origin[0] * a.x + from_origin[1] * a.y + from_origin[2] * a.z;
        y[to] = from_origin[0] * b.x + from_origin[1] * b.y + from_origin[2] * b.z;
        z[to] = from_origin[0] * c.x + from_origin[1] * c.y + from_origin[2] * c.z;
    }
    let Sidedness { of_slave, of_master, slave_sides: s } = sidedness(master, x, y);
    let double_area = s[0][0] * s[1][1] - s[0][1] * s[1][0];
    let infinity = registers.splat(f64::INFINITY);
    let lowest = z[0].smaller(z[1]).smaller(z[2]);
    let opposed = zero.less(double_area).and(double_area.less(infinity)).bits() & !zero.less(lowest).bits();

    // The frame starts in a corner of the face: nothing is farther from it than its longest side, or the slave face.
    let mut reach_squared = master.longest_side_squared;
    for k in 0..3 {
        reach_squared = reach_squared.larger(x[k] * x[k] + y[k] * y[k]);
    }
    let apart_below = -(reach_squared * (4.0 * ROUNDING));
    let mut apart = zero;
    let (mut met, mut beyond) = ([0; 3], [0; 3]);
    // Signs of the slave corners before the master sides, as numbers whose sign bits count.
    let mut side_beyond = [zero; 3];
    for i in 0..3 {
        let of = of_slave[i];
        let signs = [of[0].less(zero), of[1].less(zero), of[2].less(zero)];
        beyond[i] = signs[0].or(signs[1]).or(signs[2]).bits();
        apart = apart.or(of[0].larger(of[1]).larger(of[2]).less(apart_below));
        for k in 0..3 {
            side_beyond[k] = side_beyond[k].or(of[k].less(apart_below).and(of[(k + 1) % 3].less(apart_below)));
        }
    }
    for k in 0..3 {
        let of = of_master[k];
        let (least, most) = (of[0].smaller(of[1]).smaller(of[2]), of[0].larger(of[1]).larger(of[2]));
        apart = apart.or(most.less(apart_below));
        met[k] = !(most.less(apart_below).or((-apart_below).less(least)).or(side_beyond[k])).bits();
    }
    let mut corners = [[[0.0; LANES]; 3]; 3];
    for k in 0..3 {
        corners[k] = [x[k].array(), y[k].array(), z[k].array()];
    }
    let (highest, transition) = (z[0].larger(z[1]).larger(z[2]), registers.splat(-transition_depth));
    LaneOverlays {
        corners,
        opposed,
        overlapping: !apart.bits(),
        met,
        beyond,
        above: zero.less(highest).bits(),
        shallow: transition.less(highest).bits(),
        deep: lowest.less(transition).bits(),
    }
}
