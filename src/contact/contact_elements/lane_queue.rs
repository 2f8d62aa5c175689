//! Pieces of contact that wait until four of a kind are there.

use super::convex_polygon::PlanePoint;
use super::face_frame::FaceFrame;
use super::lane_overlay::MasterLanes;
use super::lanes::{LANES, Lanes, Registers};
use crate::math::Vector;

/// Numbers of a master face; a multiple of [`LANES`].
const FACE_NUMBERS: usize = 28;

/// Numbers of a slave face, projected; a multiple of [`LANES`].
const SEEN_NUMBERS: usize = 12;

/// What the pieces of one master face share, resolved in its frame.
#[derive(Clone, Copy, Debug)]
pub struct FaceRecord([f64; FACE_NUMBERS]);

impl FaceRecord {
    /// Of a master face: its triangle, the velocity of F relative to E at its origin, from the reference point of the
    /// torques to its origin (resolved in E both), weight of the pass there, and the largest credible depth.
    #[inline]
    pub fn new(
        frame: &FaceFrame,
        triangle: &[PlanePoint; 3],
        velocity_e: Vector,
        angular_velocity_e: Vector,
        reference_e: Vector,
        weight: [f64; 2],
    ) -> Self {
        let mut numbers = [0.0; FACE_NUMBERS];
        for k in 0..3 {
            numbers[2 * k..2 * k + 2].copy_from_slice(&triangle[k]);
            for axis in 0..3 {
                numbers[15 + 3 * k + axis] = frame.axes_e[k][axis];
            }
        }
        numbers[6..9].copy_from_slice(&frame.axes(velocity_e));
        numbers[9..12].copy_from_slice(&frame.axes(angular_velocity_e));
        numbers[12..15].copy_from_slice(&frame.axes(frame.origin_e - reference_e));
        numbers[24..26].copy_from_slice(&weight);
        FaceRecord(numbers)
    }
}

/// A piece: which slave face, by its slot, which master face, by its slot and its record, and the corners.
#[derive(Clone, Copy, Debug, Default)]
pub struct PieceRecord {
    /// Slot of the master face.
    pub master_slot: u32,
    /// Slot of the slave face.
    pub slave_slot: u32,
    face: u32,
    /// Its place among the pieces of the run.
    index: u32,
    /// x, y and z of the three corners of the slave face, counter-clockwise in the plane of the master face.
    corners: [f64; SEEN_NUMBERS],
}

/// A piece that the lanes have left to be integrated on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SinglePiece {
    /// Slot of the master face.
    pub master_slot: u32,
    /// Slot of the slave face.
    pub slave_slot: u32,
    /// Whether its [`Geometry`] and depth have been taken note of.
    pub is_measured: bool,
}

/// How the depth of a piece lies; pieces of a kind are integrated together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Deeper than the transition everywhere.
    Deep,
    /// Between no depth and the transition everywhere.
    Shallow,
    /// Anything else: cut along one of these depths.
    Cut,
}

/// Waiting pieces.
#[derive(Clone, Debug, Default)]
pub struct PieceQueues {
    faces: Vec<FaceRecord>,
    waiting: [Vec<PieceRecord>; 3],
    /// What the pieces contribute whatever the velocities, in the order in which they were queued.
    geometry: Vec<Geometry>,
}

/// What a piece contributes whatever the velocities, weighted.
///
/// Which pieces are integrated together, and which one by one, hangs on the velocities too. Added in one order these sums
/// do not, bit by bit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Geometry {
    /// ∫ dA in m².
    pub area: f64,
    /// ∫ u dA in m³.
    pub penetration: f64,
    /// ∫ u² dA in m⁴.
    pub square: f64,
}

/// Up to four pieces of a kind.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// The pieces; the last one again where there are fewer.
    pub pieces: [PieceRecord; LANES],
    /// How many.
    pub count: usize,
}

impl PieceQueues {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.faces.clear();
        self.waiting.iter_mut().for_each(Vec::clear);
        self.geometry.clear();
    }

    /// Starts a master face.
    #[inline(always)]
    pub fn push_face(&mut self, face: FaceRecord) {
        self.faces.push(face);
    }

    /// Queues a piece of the master face that was started last; corners by axis, lane by lane.
    #[inline(always)]
    pub fn push(
        &mut self,
        kind: Kind,
        master_slot: u32,
        slave_slot: u32,
        corners: &[[[f64; LANES]; 3]; 3],
        lane: usize,
    ) {
        let (face, index) = (self.faces.len() as u32 - 1, self.geometry.len() as u32);
        let mut piece = PieceRecord { master_slot, slave_slot, face, index, corners: [0.0; SEEN_NUMBERS] };
        self.geometry.push(Geometry::default());
        for (corner, axes) in corners.iter().enumerate() {
            for (axis, column) in axes.iter().enumerate() {
                piece.corners[3 * corner + axis] = column[lane];
            }
        }
        self.waiting[kind as usize].push(piece);
    }

    /// Fills a group with the next pieces of a kind: four, or what is left of them; false where there is none.
    #[inline(always)]
    pub fn take(&mut self, kind: Kind, is_last: bool, group: &mut Group) -> bool {
        let waiting = &mut self.waiting[kind as usize];
        let count = waiting.len().min(LANES);
        if count == 0 || (count < LANES && !is_last) {
            return false;
        }
        let from = waiting.len() - count;
        for lane in 0..LANES {
            group.pieces[lane] = waiting[from + lane.min(count - 1)];
        }
        group.count = count;
        waiting.truncate(from);
        true
    }

    /// Notes what a piece contributes whatever the velocities.
    #[inline(always)]
    pub fn set_geometry(&mut self, piece: &PieceRecord, geometry: Geometry) {
        self.geometry[piece.index as usize] = geometry;
    }

    /// The sum over all pieces.
    pub fn total_geometry(&self) -> Geometry {
        self.geometry.iter().fold(Geometry::default(), |sum, piece| Geometry {
            area: sum.area + piece.area,
            penetration: sum.penetration + piece.penetration,
            square: sum.square + piece.square,
        })
    }

    /// The master faces of a group.
    #[inline(always)]
    pub fn faces<R: Registers>(&self, registers: R, group: &Group) -> FaceLanes<R::Vector> {
        let row = |lane: usize| &self.faces[group.pieces[lane].face as usize].0;
        let rows = [row(0), row(1), row(2), row(3)];
        let a = transposed(registers, rows, 0);
        let b = transposed(registers, rows, 4);
        let c = transposed(registers, rows, 8);
        let d = transposed(registers, rows, 12);
        let e = transposed(registers, rows, 16);
        let f = transposed(registers, rows, 20);
        let g = transposed(registers, rows, 24);
        let corners = [[a[0], a[1]], [a[2], a[3]], [b[0], b[1]]];
        FaceLanes {
            triangle: MasterLanes::of_corners(registers.splat(0.0), corners),
            velocity: [b[2], b[3], c[0]],
            angular_velocity: [c[1], c[2], c[3]],
            origin: [d[0], d[1], d[2]],
            axes_e: [[d[3], e[0], e[1]], [e[2], e[3], f[0]], [f[1], f[2], f[3]]],
            weight: g[0],
            credible_depth: g[1],
        }
    }
}

impl Group {
    /// The corners of the slave faces: x, y and z of each.
    #[inline(always)]
    pub fn corners<R: Registers>(&self, registers: R) -> [[R::Vector; 3]; 3] {
        let rows = [&self.pieces[0].corners, &self.pieces[1].corners, &self.pieces[2].corners, &self.pieces[3].corners];
        let a = transposed(registers, rows, 0);
        let b = transposed(registers, rows, 4);
        let c = transposed(registers, rows, 8);
        [[a[0], a[1], a[2]], [a[3], b[0], b[1]], [b[2], b[3], c[0]]]
    }
}

#[inline(always)]
fn transposed<R: Registers, const N: usize>(
    registers: R,
    rows: [&[f64; N]; LANES],
    first: usize,
) -> [R::Vector; LANES] {
    let row = |k: usize| {
        let row = rows[k];
        registers.vector([row[first], row[first + 1], row[first + 2], row[first + 3]])
    };
    Lanes::transposed([row(0), row(1), row(2), row(3)])
}

/// Master faces by lane; see [`super::element_integrals::FaceForce`].
#[derive(Clone, Copy)]
pub struct FaceLanes<V> {
    /// In the plane of the face.
    pub triangle: MasterLanes<V>,
    /// Velocity of F relative to E at the origin of the frame, resolved in the frame.
    pub velocity: [V; 3],
    /// Likewise.
    pub angular_velocity: [V; 3],
    /// From the reference point of the torques to the origin of the frame, resolved in the frame.
    pub origin: [V; 3],
    /// Axes of the frame, resolved in E.
    pub axes_e: [[V; 3]; 3],
    /// Weight of the pass in the patch.
    pub weight: V,
    /// Largest credible depth.
    pub credible_depth: V,
}
