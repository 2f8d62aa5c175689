//! Pressure and damping: where the law has kinks, and its integrals in between.

use super::limit_line::CutRegions;
use super::moments::{FunctionMoments, Moments};
use super::rounded_change::RoundedChange;
use super::{FaceRecord, GroupLanes, Law};
use crate::contact::pieces::{ConvexPolygon, Linear, Piece};
use crate::lanes::{Lanes, Registers};

/// How the pressure depends on depth and closing velocity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PressureKind {
    /// p = c u + d v_n.
    Full,
    /// p = u (c + d v_n / u_d): damping fades in.
    Fading,
    /// p = 0: damping would pull.
    Idle,
}

/// Regions over which the pressure is of one kind, with memory for the next ones.
#[derive(Clone, Debug, Default)]
pub struct Regions {
    /// Parts of pieces.
    parts: Vec<Piece>,
    /// The pieces that they are parts of.
    piece_of_part: Vec<u32>,
    /// By kind, places of whole pieces; and behind them, of parts.
    of_kind: [Vec<u32>; 3],
    piece_count: u32,
    /// Parts of regions where bristles reach their limit.
    pub(super) cut: CutRegions,
    /// How depths below edges and vertices change, where derivatives are asked for.
    pub rounded: Vec<RoundedChange>,
}

impl Regions {
    /// Cuts pieces where the law has a kink; all are of the full kind where nothing is to be cut.
    #[inline(always)]
    pub fn find<R: Registers>(
        &mut self,
        registers: R,
        law: &Law,
        pieces: &[Piece],
        faces: &[FaceRecord],
        is_cut: bool,
    ) {
        self.of_kind.iter_mut().for_each(Vec::clear);
        self.parts.clear();
        self.piece_of_part.clear();
        self.piece_count = pieces.len() as u32;
        if !is_cut {
            self.of_kind[PressureKind::Full as usize].extend(0..self.piece_count);
            return;
        }
        for (first, group) in (0..).step_by(R::LANES).zip(pieces.chunks(R::LANES)) {
            let lanes = GroupLanes::new(registers, group.len(), |lane| &group[lane], faces);
            let of_one_kind = law.of_one_kind(registers, &lanes);
            for (lane, piece) in group.iter().enumerate() {
                let index = first + lane as u32;
                match of_one_kind.map(|lanes| lanes >> lane & 1 == 1) {
                    [true, _] => self.of_kind[PressureKind::Full as usize].push(index),
                    [_, true] => self.of_kind[PressureKind::Fading as usize].push(index),
                    _ => self.cut(law, (index, piece), &faces[piece.face as usize]),
                }
            }
        }
    }

    /// All regions by their kind, as places for [`Self::region`].
    pub fn by_kind(&self) -> [(PressureKind, &[u32]); 3] {
        [PressureKind::Full, PressureKind::Fading, PressureKind::Idle].map(|kind| (kind, &*self.of_kind[kind as usize]))
    }

    /// A region by its place; `pieces` are those that were cut.
    #[inline(always)]
    pub fn region<'a>(&'a self, pieces: &'a [Piece], place: u32) -> &'a Piece {
        match place.checked_sub(self.piece_count) {
            None => &pieces[place as usize],
            Some(part) => &self.parts[part as usize],
        }
    }

    /// How the depth changes on a region, where it is below an edge or a vertex.
    pub fn rounded_change(&self, place: u32) -> Option<&RoundedChange> {
        let piece = match place.checked_sub(self.piece_count) {
            None => place,
            Some(part) => self.piece_of_part[part as usize],
        };
        let found = self.rounded.binary_search_by_key(&piece, |change| change.piece);
        found.ok().map(|index| &self.rounded[index])
    }

    fn cut(&mut self, law: &Law, (index, piece): (u32, &Piece), face: &FaceRecord) {
        let depth = piece.depth_function();
        let normal_velocity = face.normal_velocity();
        let closing = Linear::default().combined(0.0, &normal_velocity, law.into_e);
        let transition = law.transition_depth;
        let full = depth.combined(law.stiffness, &closing, law.damping);
        let [shallowest, deepest] = piece.range(&depth);
        if transition == 0.0 || transition <= shallowest {
            return self.push_pushing(PressureKind::Full, (index, piece), None, &full);
        }
        let slope = law.damping / transition;
        let mut factor = Linear::default().combined(0.0, &closing, slope);
        factor.at_origin += law.stiffness;
        if deepest <= transition {
            return self.push_pushing(PressureKind::Fading, (index, piece), None, &factor);
        }
        let mut beyond = depth;
        beyond.at_origin -= transition;
        let [deep, shallow] = piece.polygon().divided(&beyond);
        self.push_pushing(PressureKind::Full, (index, piece), Some(deep), &full);
        self.push_pushing(PressureKind::Fading, (index, piece), Some(shallow), &factor);
    }

    /// Queues a part of a piece, or all of it; what a function says would pull is idle.
    fn push_pushing(
        &mut self,
        kind: PressureKind,
        (index, piece): (u32, &Piece),
        part: Option<ConvexPolygon>,
        pushes: &Linear,
    ) {
        let least = match &part {
            None => piece.range(pushes)[0],
            Some(part) => part.corners().iter().map(|&corner| pushes.value(corner)).fold(f64::INFINITY, f64::min),
        };
        if least < 0.0 {
            let [pushing, pulling] = part.unwrap_or_else(|| piece.polygon()).divided(pushes);
            self.push(kind, (index, piece), &pushing);
            self.push(PressureKind::Idle, (index, piece), &pulling);
        } else if let Some(part) = part {
            self.push(kind, (index, piece), &part);
        } else {
            self.of_kind[kind as usize].push(index);
        }
    }

    fn push(&mut self, kind: PressureKind, (index, piece): (u32, &Piece), part: &ConvexPolygon) {
        if !part.is_empty() {
            part.for_each_small(|corners| {
                self.of_kind[kind as usize].push(self.piece_count + self.parts.len() as u32);
                self.parts.push(piece.with_corners(corners));
                self.piece_of_part.push(index);
            });
        }
    }
}

impl Law {
    /// The pressure at a depth and a closing velocity (4.27, 4.28, 4.31), in Pa. The layers push, never pull.
    #[inline(always)]
    pub(super) fn pressure<V: Lanes>(&self, zero: V, kind: PressureKind, depth: V, closing: V) -> V {
        match kind {
            PressureKind::Full => (depth * self.stiffness + closing * self.damping).larger(zero),
            PressureKind::Fading => {
                (depth * (closing * (self.damping / self.transition_depth) + self.stiffness)).larger(zero)
            }
            PressureKind::Idle => zero,
        }
    }

    /// Integrals of the pressure over regions of a kind.
    #[inline(always)]
    pub(super) fn pressure_moments<V: Lanes>(
        &self,
        zero: V,
        kind: PressureKind,
        moments: &Moments<V>,
        depth: &Linear<V>,
        closing: &Linear<V>,
    ) -> FunctionMoments<V> {
        match kind {
            PressureKind::Full => moments.of_linear(&depth.combined(self.stiffness, closing, self.damping)),
            PressureKind::Fading => {
                let slope = self.damping / self.transition_depth;
                let mut factor = Linear {
                    at_origin: closing.at_origin * slope,
                    gradient: [closing.gradient[0] * slope, closing.gradient[1] * slope],
                };
                factor.at_origin = factor.at_origin + self.stiffness;
                moments.of_product(depth, &factor)
            }
            PressureKind::Idle => FunctionMoments { total: zero, first: [zero; 2], second: [zero; 3] },
        }
    }
}
