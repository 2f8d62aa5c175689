//! Where bristles reach their limit: a line, along which regions are cut, as they are where the pressure has kinks.
//!
//! The stress without limit is linear over a region, and so is the limit, or nearly. With the stress taken along its mean
//! direction, the line is straight. So it is where the stress does not turn; where it turns, the error is of second order
//! in the turning. There regions are halved first, and halved again, until the stress hardly turns over them. Halves take
//! over smoothly, so that nothing jumps.

use super::bristle_change::add_bent;
use super::derivatives::{DerivativeLanes, LocalRows, NUMBERS, Outwards, RoundedLanes};
use super::friction::{SLIP_CHANGE_LARGE, SLIP_CHANGE_SMALL, Slipping};
use super::grip_sums::GripLanes;
use super::sums::{GroupSums, LawSums};
use super::{FaceRecord, GroupLanes, Law, PressureKind, RegionLanes, Regions};
use crate::contact::parameters::BristleParameters;
use crate::contact::pieces::{Linear, Piece};
use crate::lanes::{Lanes, MOST_LANES, Mask, Registers};

/// Added to squares of stresses before a division, in Pa²; below everything that can be told from nothing.
const NOTHING: f64 = 1.0e-300;

/// Squares of the change of the stress over a region, relative to the stress: above the first, halves begin to take over,
/// above the second they take all. Dimensionless; with a change of a fifth, what is left is some 10⁻⁴ of derivatives.
const HALVES_BEGIN: f64 = 0.02;
const HALVES_ONLY: f64 = 0.06;

/// A region is not halved more often: what is left around a pole is too small to matter.
const MOST_HALVINGS: u32 = 12;

/// On which side of their limit the bristles of regions are.
pub struct Sides<V: Lanes> {
    /// Lanes where no bristle slips.
    pub sticks: V::Mask,
    /// Lanes where all do.
    pub slips: V::Mask,
    /// The part of each region that counts here; halves take the rest.
    pub weight: V,
    /// The part of that which the quadrature takes, since the direction of the stress turns over them.
    pub fine: V,
    /// The part that halves take.
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
        let (mut nearest, mut change) = (zero, zero);
        for &corner in corners {
            let [x, y] = self.trial(bristles, corner);
            let [v_x, v_y] = self.slip(corner);
            let pressure = self.law.pressure(zero, kind, self.depth.at(corner), self.closing.at(corner));
            let limit = pressure * bristles.coefficient_at(zero, v_x * v_x + v_y * v_y);
            nearest = nearest.larger((x * x + y * y) / (limit * limit + NOTHING));
            let (of_x, of_y) = (x - mean_x, y - mean_y);
            change = change.larger(of_x * of_x + of_y * of_y);
        }
        let (mut fine, mut halves) = (zero, zero);
        let turns = is_there.and((scale * SLIP_CHANGE_SMALL).less(change));
        if turns.bits() != 0 {
            // Where bristles are far from their limit, four points are exact, however much the stress turns.
            let near = turns.keep(smooth(zero, nearest * 2.0 - (zero + 1.0)));
            let from = |small: f64, large: f64| smooth(zero, (change - scale * small) / (scale * (large - small)));
            fine = near * from(SLIP_CHANGE_SMALL, SLIP_CHANGE_LARGE);
            if side == Side::Both && level < MOST_HALVINGS {
                halves = near * from(HALVES_BEGIN, HALVES_ONLY);
            }
        }
        let beyond = self.beyond(zero, bristles, kind, mean, scale);
        let (mut least, mut most) = (zero + f64::INFINITY, zero + f64::NEG_INFINITY);
        for &corner in corners {
            let value = beyond.at(corner);
            (least, most) = (least.smaller(value), most.larger(value));
        }
        let none = zero.less(zero);
        let is_beyond = zero.less(most);
        let (sticks, slips) = match side {
            Side::Sticks => (is_there, none),
            Side::Slips => (none, is_there),
            Side::Both => (is_there.but_not(is_beyond), is_there.and(is_beyond).but_not(least.less(zero))),
        };
        let fine = sticks.or(slips).keep(fine);
        let (halves, weight) = (weight * halves, weight - weight * halves);
        Sides { sticks, slips, weight, fine, halves, mean, along: [mean_x, mean_y], beyond }
    }

    /// How far the stress along its mean direction is beyond the limit.
    #[inline(always)]
    fn beyond(&self, zero: V, bristles: &BristleParameters, kind: PressureKind, mean: [V; 2], square: V) -> Linear<V> {
        let per = (zero + 1.0) / square.sqrt();
        let [mean_x, mean_y] = self.trial(bristles, mean);
        let (along_x, along_y) = (mean_x * per, mean_y * per);
        let [x, y] = self.trial(bristles, [zero; 2]);
        let turn = self.face.deflection_turn[2] * bristles.stiffness + self.face.angular_velocity[2] * bristles.damping;
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

/// A side of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Sticks,
    Slips,
    Both,
}

const SIDES: [Side; 3] = [Side::Sticks, Side::Slips, Side::Both];

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
        is_there: V::Mask,
        sides: &Sides<V>,
        zero: V,
        region: impl Fn(usize) -> (u32, &'a Piece),
    ) {
        let is_cut = is_there.but_not(sides.sticks).but_not(sides.slips).and(zero.less(sides.weight)).bits();
        let is_halved = is_there.and(zero.less(sides.halves)).bits();
        if is_cut | is_halved == 0 {
            return;
        }
        let Linear { at_origin, gradient: [x, y] } = &sides.beyond;
        let numbers = [*at_origin, *x, *y, sides.weight, sides.halves];
        let numbers =
            [numbers[0].array(), numbers[1].array(), numbers[2].array(), numbers[3].array(), numbers[4].array()];
        let [mean, along] = [sides.mean, sides.along].map(|[x, y]| [x.array(), y.array()]);
        for lane in (0..MOST_LANES).filter(|lane| (is_cut | is_halved) >> lane & 1 == 1) {
            let of = |array: &V::Array| array.as_ref()[lane];
            let (place, piece) = region(lane);
            let mut divide = |line: &Linear, weight: f64, sides: [Side; 2]| {
                for (polygon, side) in piece.polygon().divided(line).iter().zip(sides) {
                    let parts = &mut self.parts[kind as usize][side as usize];
                    if !polygon.is_empty() {
                        polygon.for_each_small(|corners| {
                            parts.push(Part { place, weight, piece: piece.with_corners(corners) });
                        });
                    }
                }
            };
            if is_cut >> lane & 1 == 1 {
                let gradient = [of(&numbers[1]), of(&numbers[2])];
                let beyond = Linear { at_origin: of(&numbers[0]), gradient };
                divide(&beyond, of(&numbers[3]), [Side::Slips, Side::Sticks]);
            }
            if is_halved >> lane & 1 == 1 {
                let (mean, along) = ([of(&mean[0]), of(&mean[1])], [of(&along[0]), of(&along[1])]);
                divide(&halving_line(mean, along, level), of(&numbers[4]), [Side::Both; 2]);
            }
        }
    }
}

/// Through a point along the stress there, or across it, in turn.
fn halving_line(mean: [f64; 2], along: [f64; 2], level: u32) -> Linear {
    let length = along[0].hypot(along[1]);
    let [x, y] = if 0.0 < length { along.map(|part| part / length) } else { [1.0, 0.0] };
    let gradient = if level % 2 == 0 { [-y, x] } else { [x, y] };
    Linear { at_origin: -(gradient[0] * mean[0] + gradient[1] * mean[1]), gradient }
}

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
                        cut.add((kind, level), lanes.is_there, &sides, zero, piece);
                        let there = (corners, &sides, &region);
                        if let Some((forces, grip)) = &mut sums.forces {
                            let mut sums = GroupSums::new(zero);
                            at.add_bristles(registers, &bristles, kind, there, &mut sums, grip);
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
        there: (&[[R::Vector; 2]], &Sides<R::Vector>, &RegionLanes<R::Vector>),
        (group, rounded): (&GroupLanes<R::Vector, R::Mask>, Option<RoundedLanes<R::Vector>>),
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
