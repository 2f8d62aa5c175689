//! Where bristles reach their limit: a line, along which regions are cut, as they are where the pressure has kinks.
//!
//! The stress without limit is linear over a region, and so is the limit, or nearly. With the stress taken along its mean
//! direction, the line is straight. So it is where the stress does not turn; where it turns, the error is of second order
//! in the turning. There regions are halved first, and halved again, until the stress hardly turns over them. Halves take
//! over smoothly, so that nothing jumps.

use super::bristle_change::add_bent;
use super::derivatives::{DerivativeLanes, LocalRows, NUMBERS, Outwards, RoundedLanes};
use super::friction::Slipping;
use super::grip_sums::GripLanes;
use super::sums::{GroupSums, LawSums};
use super::{FaceRecord, GroupLanes, Law, PressureKind, RegionLanes, Regions};
use crate::contact::parameters::BristleParameters;
use crate::contact::pieces::{ConvexPolygon, Linear, Piece};
use crate::lanes::{Lanes, MOST_LANES, Mask, Registers};

/// Added to squares of stresses before a division, in Pa²; below everything that can be told from nothing.
const NOTHING: f64 = 1.0e-300;

/// Squares of the change of the stress over a region, relative to the stress: above the first, halves begin to take over,
/// above the second they take all. Dimensionless; with a change of 0.4 what is left is some 10⁻³ of derivatives.
const HALVES_BEGIN: f64 = 0.09;
const HALVES_ONLY: f64 = 0.2;

/// A region is not halved more often: what is left around a pole is too small to matter.
const MOST_HALVINGS: u32 = 12;

/// How the bristles of regions are summed up: which part of them in which way.
pub struct Sides<V: Lanes> {
    /// As if none slipped. Regions on both sides of the line are summed up so too, and less by that where they slip.
    pub stuck: V,
    /// As if all slipped.
    pub slipping: V,
    /// What the parts beyond the line add, and what halves do.
    cut: V,
    halves: V,
    /// Where a line divides them, and in which direction the stress is there.
    mean: [V; 2],
    along: [V; 2],
    /// How far the stress is beyond the limit, in Pa.
    beyond: Linear<V>,
}

/// From 0 to 1, smoothly.
#[inline(always)]
fn smooth<V: Lanes>(zero: V, step: V) -> V {
    let step = step.larger(zero).smaller(zero + 1.0);
    step * step * (zero + 3.0 - step - step)
}

impl<V: Lanes> Slipping<'_, V> {
    /// On which side regions are, of which this part counts.
    #[inline(always)]
    pub fn sides<R: Registers<Vector = V, Mask = V::Mask>>(
        &self,
        registers: R,
        bristles: &BristleParameters,
        kind: PressureKind,
        (corners, is_there, region): (&[[V; 2]], V::Mask, &RegionLanes<V>),
        (side, weight, level): (Side, V, u32),
    ) -> Sides<V> {
        let zero = registers.splat(0.0);
        let mean = region.loaded.mean;
        let [mean_x, mean_y] = self.trial(bristles, mean);
        let scale = mean_x * mean_x + mean_y * mean_y + NOTHING;
        let mut farthest = zero;
        for [x, y] in corners {
            let (x, y) = (*x - mean[0], *y - mean[1]);
            farthest = farthest.larger(x * x + y * y);
        }
        let turn = self.turn(bristles);
        let change = turn * turn * farthest;
        let beyond = self.beyond(zero, bristles, kind, mean, scale);
        let mut halves = zero;
        let turns = is_there.and((scale * HALVES_BEGIN).less(change));
        if turns.bits() != 0 && side == Side::Both && level < MOST_HALVINGS {
            // Where bristles are far from their limit, four points are exact, however much the stress turns.
            let mut nearest = zero;
            for &corner in corners {
                let ([x, y], [v_x, v_y]) = (self.trial(bristles, corner), self.slip(corner));
                let pressure = self.law.pressure(zero, kind, self.depth.at(corner), self.closing.at(corner));
                let limit = pressure * bristles.coefficient_at(zero, v_x * v_x + v_y * v_y);
                nearest = nearest.larger((x * x + y * y) / (limit * limit + NOTHING));
            }
            let near = turns.keep(smooth(zero, nearest * 2.0 - (zero + 1.0)));
            let over = (change - scale * HALVES_BEGIN) / (scale * (HALVES_ONLY - HALVES_BEGIN));
            halves = weight * near * smooth(zero, over);
        }
        let all = is_there.keep(weight - halves);
        let (mut least, mut most) = (zero + f64::INFINITY, zero + f64::NEG_INFINITY);
        for &corner in corners {
            let value = beyond.at(corner);
            (least, most) = (least.smaller(value), most.larger(value));
        }
        let (some_slip, some_stick) = (zero.less(most), least.less(zero));
        let (stuck, slipping, cut) = match side {
            Side::Slips => (-all, all, zero),
            Side::Both => {
                let slipping = some_slip.but_not(some_stick).keep(all);
                (all - slipping, slipping, some_slip.and(some_stick).keep(all))
            }
        };
        Sides { stuck, slipping, cut, halves, mean, along: [mean_x, mean_y], beyond }
    }

    /// How the stress without limit turns, in Pa/m.
    #[inline(always)]
    fn turn(&self, bristles: &BristleParameters) -> V {
        self.face.deflection_turn[2] * bristles.stiffness + self.face.angular_velocity[2] * bristles.damping
    }

    /// How far the stress along its mean direction is beyond the limit.
    #[inline(always)]
    fn beyond(&self, zero: V, bristles: &BristleParameters, kind: PressureKind, mean: [V; 2], square: V) -> Linear<V> {
        let per = (zero + 1.0) / square.sqrt();
        let [mean_x, mean_y] = self.trial(bristles, mean);
        let (along_x, along_y) = (mean_x * per, mean_y * per);
        let [x, y] = self.trial(bristles, [zero; 2]);
        let turn = self.turn(bristles);
        let [v_x, v_y] = self.slip(mean);
        let coefficient = bristles.coefficient_at(zero, v_x * v_x + v_y * v_y);
        let (stiffness, damping) = (self.law.stiffness, self.law.damping);
        let of_closing = match kind {
            PressureKind::Fading => 0.0,
            _ => damping,
        };
        let of_depth = match kind {
            // Nothing at the border, as the pressure itself.
            PressureKind::Fading => {
                (self.closing.at(mean) * (damping / self.law.transition_depth) + stiffness).larger(zero)
            }
            _ => zero + stiffness,
        };
        let limit = |depth: V, closing: V| (depth * of_depth + closing * of_closing) * coefficient;
        let ([u_x, u_y], [c_x, c_y]) = (self.depth.gradient, self.closing.gradient);
        Linear {
            at_origin: along_x * x + along_y * y - limit(self.depth.at_origin, self.closing.at_origin),
            gradient: [along_y * turn - limit(u_x, c_x), -(along_x * turn) - limit(u_y, c_y)],
        }
    }
}

/// What a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The part of a region beyond the line.
    Slips,
    /// A half of a region.
    Both,
}

const SIDES: [Side; 2] = [Side::Slips, Side::Both];

/// A part of a region that was cut.
#[derive(Clone, Copy, Debug)]
struct Part {
    /// Place of the region.
    place: u32,
    /// How much of it counts.
    weight: f64,
    piece: Piece,
}

/// Parts of regions by the kind of their pressure and by side.
type Parts = [[Vec<Part>; SIDES.len()]; 2];

/// Parts of regions, with memory for the next ones.
#[derive(Clone, Debug, Default)]
pub struct CutRegions {
    parts: Parts,
    spare: Parts,
}

impl CutRegions {
    /// Cuts the regions of a group that are on both sides, and halves those over which the stress turns; `region` hands
    /// out place and piece of each lane.
    #[inline(always)]
    pub fn add<'a, V: Lanes>(
        &mut self,
        (kind, level): (PressureKind, u32),
        sides: &Sides<V>,
        zero: V,
        region: impl Fn(usize) -> (u32, &'a Piece),
    ) {
        let (is_cut, is_halved) = (zero.less(sides.cut).bits(), zero.less(sides.halves).bits());
        if is_cut | is_halved == 0 {
            return;
        }
        let Linear { at_origin, gradient: [x, y] } = &sides.beyond;
        let beyond = [at_origin.array(), x.array(), y.array()];
        let [cut, halves] = [sides.cut.array(), sides.halves.array()];
        let [mean, along] = [sides.mean, sides.along].map(|[x, y]| [x.array(), y.array()]);
        for lane in (0..MOST_LANES).filter(|lane| (is_cut | is_halved) >> lane & 1 == 1) {
            let of = |array: &V::Array| array.as_ref()[lane];
            let (place, piece) = region(lane);
            let mut add = |polygon: &ConvexPolygon, weight: f64, side: Side| {
                if !polygon.is_empty() {
                    let parts = &mut self.parts[kind as usize][side as usize];
                    polygon.for_each_small(|corners| {
                        parts.push(Part { place, weight, piece: piece.with_corners(corners) });
                    });
                }
            };
            if is_cut >> lane & 1 == 1 {
                let line = Linear { at_origin: of(&beyond[0]), gradient: [of(&beyond[1]), of(&beyond[2])] };
                add(&piece.polygon().clipped(&line), of(&cut), Side::Slips);
            }
            if is_halved >> lane & 1 == 1 {
                let (mean, along) = ([of(&mean[0]), of(&mean[1])], [of(&along[0]), of(&along[1])]);
                let halves_of = piece.polygon().divided(&halving_line(mean, along, level));
                halves_of.iter().for_each(|polygon| add(polygon, of(&halves), Side::Both));
            }
        }
    }
}

/// Through a point along the stress there, or across it, in turn.
fn halving_line(mean: [f64; 2], along: [f64; 2], level: u32) -> Linear {
    let length = along[0].hypot(along[1]);
    let [x, y] = if 0.0 < length { along.map(|part| part / length) } else { [1.0, 0.0] };
    let gradient = if level.is_multiple_of(2) { [-y, x] } else { [x, y] };
    Linear { at_origin: -(gradient[0] * mean[0] + gradient[1] * mean[1]), gradient }
}

/// Corners of regions, how their bristles are summed up, and what is known of them.
pub type Regioned<'a, V> = (&'a [[V; 2]], &'a Sides<V>, &'a RegionLanes<V>);

/// Polygons on faces, and how depths below edges and vertices change there.
type InField<'a, R> =
    (&'a GroupLanes<<R as Registers>::Vector, <R as Registers>::Mask>, Option<RoundedLanes<<R as Registers>::Vector>>);

/// What bristles of regions are added to.
pub struct BristleSums<'a> {
    /// Forces, where they are asked for.
    pub forces: Option<(&'a mut LawSums, &'a mut GripLanes)>,
    /// Derivatives likewise.
    pub changes: Option<&'a mut DerivativeLanes>,
}

impl Law {
    /// Whether bristles may take anything.
    pub(super) fn is_bent(&self) -> bool {
        self.is_moving || self.is_deflected
    }

    /// On which side of their limit the bristles of regions are; none where there are none, and where they are straight
    /// and nothing moves, unless it is asked for `always`.
    #[inline(always)]
    pub(super) fn sides<R: Registers>(
        &self,
        registers: R,
        kind: PressureKind,
        group: &GroupLanes<R::Vector, R::Mask>,
        region: &RegionLanes<R::Vector>,
        always: bool,
    ) -> Option<Sides<R::Vector>> {
        let bristles = self.bristles.filter(|_| (always || self.is_bent()) && kind != PressureKind::Idle)?;
        let closing = self.closing(&group.face);
        let at = Slipping { law: self, face: &group.face, depth: &group.depth, closing: &closing };
        let there = (&group.corners[..group.count], group.is_there, region);
        Some(at.sides(registers, &bristles, kind, there, (Side::Both, registers.splat(1.0), 0)))
    }

    /// Adds the bristles of parts of regions, whose pressure has been added.
    #[inline(always)]
    pub(super) fn add_parts<R: Registers>(
        &self,
        registers: R,
        faces: &[FaceRecord],
        regions: &Regions,
        cut: &mut CutRegions,
        mut sums: BristleSums,
    ) {
        let Some(bristles) = self.bristles else { return };
        let zero = registers.splat(0.0);
        for level in 1..=MOST_HALVINGS + 1 {
            if cut.parts.iter().flatten().all(Vec::is_empty) {
                break;
            }
            let CutRegions { parts, spare } = cut;
            std::mem::swap(parts, spare);
            let mut current = std::mem::take(&mut cut.spare);
            for (kind, of_kind) in [PressureKind::Full, PressureKind::Fading].into_iter().zip(&current) {
                for (side, parts) in SIDES.into_iter().zip(of_kind) {
                    for group in parts.chunks(R::LANES) {
                        let lanes = GroupLanes::new(registers, group.len(), |lane| &group[lane].piece, faces);
                        let region = self.region(registers, kind, &lanes);
                        let closing = self.closing(&lanes.face);
                        let at = Slipping { law: self, face: &lanes.face, depth: &lanes.depth, closing: &closing };
                        let weight = registers.vector(|lane| group.get(lane).map_or(0.0, |part| part.weight));
                        let corners = &lanes.corners[..lanes.count];
                        let there = (corners, lanes.is_there, &region);
                        let sides = at.sides(registers, &bristles, kind, there, (side, weight, level));
                        let piece = |lane: usize| (group[lane].place, &group[lane].piece);
                        cut.add((kind, level), &sides, zero, piece);
                        let there = (corners, &sides, &region);
                        if let Some((forces, grip)) = &mut sums.forces {
                            let mut sums = GroupSums::new(zero);
                            at.add_bristles(registers, &bristles, kind, (&sides, &region), &mut sums, grip);
                            forces.add(&sums, &lanes.face, self.into_e, self.weight);
                        }
                        if let Some(changes) = &mut sums.changes {
                            let place = |lane: usize| group.get(lane).map(|part| part.place);
                            let rounded = RoundedLanes::new(registers, regions, place);
                            self.add_part_changes(registers, (&bristles, kind), &at, there, (&lanes, rounded), changes);
                        }
                    }
                }
            }
            current.iter_mut().flatten().for_each(Vec::clear);
            cut.spare = current;
        }
        cut.parts.iter_mut().flatten().for_each(Vec::clear);
    }

    #[inline(always)]
    fn add_part_changes<R: Registers>(
        &self,
        registers: R,
        (bristles, kind): (&BristleParameters, PressureKind),
        at: &Slipping<R::Vector>,
        there: Regioned<R::Vector>,
        (group, rounded): InField<R>,
        sums: &mut DerivativeLanes,
    ) {
        let zero = registers.splat(0.0);
        let weight = group.is_there.keep(registers.splat(self.weight));
        let (face, origin) = (&group.face, there.2.origin);
        let position = [face.origin[0] + origin[0], face.origin[1] + origin[1], face.origin[2]];
        let mut out = Outwards::new(zero, self.into_e, group, position);
        if let Some(rounded) = rounded {
            out.take(origin, &rounded);
        }
        let none = [zero; NUMBERS];
        let (tangential, bent) = at.bristle_change(registers, bristles, kind, there, (&none, &[none; 2]));
        add_bent(zero, &bent, (face.origin[2], weight), &out, sums);
        let rows = LocalRows { normal: none, moment: [none; 2], power: none, tangential: Some(tangential) };
        rows.add_to(zero, face.origin[2], weight, &out, sums);
    }
}
