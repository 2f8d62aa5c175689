//! Pieces of contact that wait for their integration, by kind.

use super::lane_faces::FaceRecord;

/// A piece: which slave face, by its slot, and which master face, by its place in the run.
#[derive(Clone, Copy, Debug, Default)]
pub struct PieceRecord {
    /// The master face's place in the run.
    pub face: u32,
    /// Slot of the slave face.
    pub slave_slot: u32,
    /// Its place among the pieces of the run.
    pub index: u32,
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

impl Kind {
    /// All kinds, in the order of their integration: at the rim are the extremes of the velocities.
    pub const ALL: [Kind; 3] = [Kind::Cut, Kind::Shallow, Kind::Deep];
}

/// Waiting pieces of a run of master faces.
#[derive(Clone, Debug, Default)]
pub struct PieceQueues {
    /// The master faces.
    pub faces: Vec<FaceRecord>,
    /// Pieces by kind, in the order of their master faces and slave slots.
    pub waiting: [Vec<PieceRecord>; 3],
    count: u32,
    /// What the pieces contribute whatever the velocities, in the order in which they were queued.
    pub geometry: Vec<Geometry>,
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

impl PieceQueues {
    /// Forgets all pieces.
    pub fn clear(&mut self) {
        self.waiting.iter_mut().for_each(Vec::clear);
        self.count = 0;
    }

    /// Queues a piece.
    #[inline(always)]
    pub fn push(&mut self, kind: Kind, face: usize, slave_slot: u32) {
        self.waiting[kind as usize].push(PieceRecord { face: face as u32, slave_slot, index: self.count });
        self.count += 1;
    }

    /// Gets ready for the integration.
    pub fn finish(&mut self) {
        // The walk went inwards: with the last pieces first, few others have the largest depth so far.
        self.waiting[Kind::Deep as usize].reverse();
        self.geometry.clear();
        self.geometry.resize(self.count as usize, Geometry::default());
    }

    /// The sum over all pieces.
    pub fn total_geometry(&self) -> Geometry {
        self.geometry.iter().fold(Geometry::default(), |sum, piece| Geometry {
            area: sum.area + piece.area,
            penetration: sum.penetration + piece.penetration,
            square: sum.square + piece.square,
        })
    }
}
