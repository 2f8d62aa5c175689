//! How several slave faces, projected, lie over master faces.

use super::lane_faces::{FrameLanes, TriangleLanes};
use super::lanes::{Lanes, MOST_LANES, Mask, Registers};
use super::overlay::ROUNDING;
use crate::contact::active_areas::FaceCorners;

/// Corners of slave faces in the planes of master faces, counter-clockwise.
#[derive(Clone, Copy)]
pub struct SeenLanes<V> {
    pub x: [V; 3],
    pub y: [V; 3],
    pub z: [V; 3],
}

impl<V: Lanes> SeenLanes<V> {
    /// Projects slave faces, given by their corners in E in the order of the mesh, one for each lane from the first one on.
    #[inline(always)]
    pub fn new<R: Registers<Vector = V>>(
        registers: R,
        frame: &FrameLanes<V>,
        corners_e: &[&FaceCorners; MOST_LANES],
        first: usize,
    ) -> Self {
        let corner = |k: usize| {
            let [x, y, z, _] = registers.columns(|lane| &corners_e[(first + lane) % MOST_LANES].0[k]);
            frame.point([x, y, z])
        };
        // Seen from the master, an opposed face runs the other way round.
        let (a, b, c) = (corner(0), corner(2), corner(1));
        SeenLanes { x: [a[0], b[0], c[0]], y: [a[1], b[1], c[1]], z: [a[2], b[2], c[2]] }
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
    /// Compares all corners with all sides.
    #[inline(always)]
    pub fn new(master: &TriangleLanes<V>, seen: &SeenLanes<V>) -> Self {
        let SeenLanes { x, y, .. } = *seen;
        let TriangleLanes { b_x, c_x, c_y, bc_x, .. } = *master;
        let slave_sides = [[x[1] - x[0], y[1] - y[0]], [x[2] - x[1], y[2] - y[1]], [x[0] - x[2], y[0] - y[2]]];
        let (mut of_slave, mut of_master) = ([[x[0]; 3]; 3], [[x[0]; 3]; 3]);
        for k in 0..3 {
            let [s_x, s_y] = slave_sides[k];
            let from_b = x[k] - b_x;
            of_slave[0][k] = b_x * y[k];
            of_slave[1][k] = bc_x * y[k] - c_y * from_b;
            of_slave[2][k] = c_y * x[k] - c_x * y[k];
            of_master[k][0] = s_y * x[k] - s_x * y[k];
            of_master[k][1] = s_y * from_b - s_x * y[k];
            of_master[k][2] = s_y * (x[k] - c_x) - s_x * (y[k] - c_y);
        }
        Sidedness { of_slave, of_master, slave_sides }
    }

    /// Square of the length of the longest side of the slave.
    #[inline(always)]
    pub fn longest_side_squared(&self) -> V {
        let [a, b, c] = self.slave_sides;
        (a[0] * a[0] + a[1] * a[1]).larger(b[0] * b[0] + b[1] * b[1]).larger(c[0] * c[0] + c[1] * c[1])
    }
}

/// What a walk needs to know of slave faces; bits by lane.
#[derive(Clone, Copy, Debug, Default)]
pub struct LaneOverlays {
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

impl LaneOverlays {
    /// Puts other faces behind the first ones, this many.
    #[inline(always)]
    pub fn add(&mut self, first: usize, other: LaneOverlays) {
        self.opposed |= other.opposed << first;
        self.overlapping |= other.overlapping << first;
        for k in 0..3 {
            self.met[k] |= other.met[k] << first;
            self.beyond[k] |= other.beyond[k] << first;
        }
        self.above |= other.above << first;
        self.shallow |= other.shallow << first;
        self.deep |= other.deep << first;
    }
}

/// Compares slave faces with master faces. [`super::overlay`] has the same for one face.
#[inline(always)]
pub fn overlay<R: Registers>(
    registers: R,
    master: &TriangleLanes<R::Vector>,
    seen: &SeenLanes<R::Vector>,
    transition_depth: f64,
) -> LaneOverlays {
    let zero = registers.splat(0.0);
    let all = (1 << R::LANES) - 1;
    let SeenLanes { x, y, z } = *seen;
    let Sidedness { of_slave, of_master, slave_sides: s } = Sidedness::new(master, seen);
    let double_area = s[0][0] * s[1][1] - s[0][1] * s[1][0];
    let infinity = registers.splat(f64::INFINITY);
    let lowest = z[0].smaller(z[1]).smaller(z[2]);
    let opposed = zero.less(double_area).and(double_area.less(infinity)).bits() & !zero.less(lowest).bits();

    // The frame starts in a corner of the face: nothing is farther from it than its longest side, or the slave face.
    let mut reach_squared = master.longest_side_squared;
    for k in 0..3 {
        reach_squared = reach_squared.larger(x[k] * x[k] + y[k] * y[k]);
    }
    let near = reach_squared * (4.0 * ROUNDING);
    let apart_below = -near;
    let (mut met, mut beyond) = ([0; 3], [0; 3]);
    let mut apart = 0;
    // Slave sides with both ends beyond a master side.
    let mut side_beyond = [0; 3];
    for i in 0..3 {
        let of = of_slave[i];
        beyond[i] = of[0].smaller(of[1]).smaller(of[2]).less(zero).bits();
        let apart_there =
            [of[0].less(apart_below).bits(), of[1].less(apart_below).bits(), of[2].less(apart_below).bits()];
        apart |= apart_there[0] & apart_there[1] & apart_there[2];
        for k in 0..3 {
            side_beyond[k] |= apart_there[k] & apart_there[(k + 1) % 3];
        }
    }
    for k in 0..3 {
        let of = of_master[k];
        let (least, most) = (of[0].smaller(of[1]).smaller(of[2]), of[0].larger(of[1]).larger(of[2]));
        let is_apart = most.less(apart_below).bits();
        apart |= is_apart;
        met[k] = all & !(is_apart | near.less(least).bits() | side_beyond[k]);
    }
    let (highest, transition) = (z[0].larger(z[1]).larger(z[2]), registers.splat(-transition_depth));
    LaneOverlays {
        opposed,
        overlapping: all & !apart,
        met,
        beyond,
        above: zero.less(highest).bits(),
        shallow: transition.less(highest).bits(),
        deep: lowest.less(transition).bits(),
    }
}
