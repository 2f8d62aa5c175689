//! Where bristles reach their limit: a line, along which regions are cut, as they are where the pressure has kinks.
//!
//! The stress without limit is linear over a region, and so is the limit, or nearly. With the stress taken along its mean
//! direction, the line is straight. So it is where the stress does not turn; where it turns, the error is of second order
//! in the turning, and in the end a quadrature with a limit of its own at every point takes over ([`Sides::fine`]).

use super::friction::{SLIP_CHANGE_LARGE, SLIP_CHANGE_SMALL, Slipping};
use super::{PressureKind, RegionLanes};
use crate::contact::parameters::BristleParameters;
use crate::contact::pieces::{Linear, Piece};
use crate::lanes::{Lanes, MOST_LANES, Mask, Registers};

/// Added to squares of stresses before a division, in Pa²; below everything that can be told from nothing.
const NOTHING: f64 = 1.0e-300;

/// On which side of their limit the bristles of regions are.
pub struct Sides<V: Lanes> {
    /// Lanes where no bristle slips.
    pub sticks: V::Mask,
    /// Lanes where all do.
    pub slips: V::Mask,
    /// The part of regions that the quadrature takes, since the direction of the stress turns over them.
    pub fine: V,
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
    /// On which side regions are; of parts of regions that were cut the side is known.
    #[inline(always)]
    pub fn sides<R: Registers<Vector = V, Mask = V::Mask>>(
        &self,
        registers: R,
        bristles: &BristleParameters,
        kind: PressureKind,
        (corners, is_there, region): (&[[V; 2]], V::Mask, &RegionLanes<V>),
        known: Option<Side>,
    ) -> Sides<V> {
        let zero = registers.splat(0.0);
        let mean = region.loaded.mean;
        let [mean_x, mean_y] = self.trial(bristles, mean);
        let scale = mean_x * mean_x + mean_y * mean_y + NOTHING;
        let (mut exceeds, mut change) = (zero.less(zero), zero);
        for &corner in corners {
            let [x, y] = self.trial(bristles, corner);
            let [v_x, v_y] = self.slip(corner);
            let pressure = self.law.pressure(zero, kind, self.depth.at(corner), self.closing.at(corner));
            let limit = pressure * bristles.coefficient_at(zero, v_x * v_x + v_y * v_y);
            exceeds = exceeds.or((limit * limit).less(x * x + y * y));
            let (of_x, of_y) = (x - mean_x, y - mean_y);
            change = change.larger(of_x * of_x + of_y * of_y);
        }
        let turning = change - scale * SLIP_CHANGE_SMALL;
        let turning = smooth(zero, turning / (scale * (SLIP_CHANGE_LARGE - SLIP_CHANGE_SMALL)));
        let beyond = self.beyond(zero, bristles, kind, mean, scale + change);
        let (mut least, mut most) = (zero + f64::INFINITY, zero + f64::NEG_INFINITY);
        for &corner in corners {
            let value = beyond.at(corner);
            (least, most) = (least.smaller(value), most.larger(value));
        }
        let none = zero.less(zero);
        let is_beyond = zero.less(most);
        let (sticks, slips) = match known {
            Some(Side::Sticks) => (is_there, none),
            Some(Side::Slips) => (none, is_there),
            None => (is_there.but_not(is_beyond), is_there.and(is_beyond).but_not(least.less(zero))),
        };
        Sides { sticks, slips, fine: sticks.or(slips).and(exceeds).keep(turning), beyond }
    }

    /// How far the stress along its mean direction is beyond the limit; where it turns, less of it counts, down to
    /// nothing around a pole, where the direction has none.
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
}

/// A part of a region that was cut.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Place of the region.
    pub place: u32,
    pub piece: Piece,
}

/// Parts of regions on both sides of the line, with memory for the next ones.
#[derive(Clone, Debug, Default)]
pub struct CutRegions {
    /// By the kind of pressure, and by side.
    parts: [[Vec<Part>; 2]; 2],
}

impl CutRegions {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.parts.iter_mut().flatten().for_each(Vec::clear);
    }

    /// All parts of a kind and a side.
    pub fn by_side(&self) -> impl Iterator<Item = (PressureKind, Side, &[Part])> {
        [PressureKind::Full, PressureKind::Fading]
            .into_iter()
            .zip(&self.parts)
            .flat_map(|(kind, [stuck, slipping])| [(kind, Side::Sticks, &**stuck), (kind, Side::Slips, &**slipping)])
    }

    /// Cuts the regions of a group that are on both sides; `region` hands out place and piece of each lane.
    #[inline(always)]
    pub fn add<'a, V: Lanes>(
        &mut self,
        kind: PressureKind,
        is_there: V::Mask,
        sides: &Sides<V>,
        region: impl Fn(usize) -> (u32, &'a Piece),
    ) {
        let is_cut = is_there.but_not(sides.sticks).but_not(sides.slips).bits();
        if is_cut == 0 || kind == PressureKind::Idle {
            return;
        }
        let Linear { at_origin, gradient: [x, y] } = &sides.beyond;
        let (at_origin, x, y) = (at_origin.array(), x.array(), y.array());
        for lane in (0..MOST_LANES).filter(|lane| is_cut >> lane & 1 == 1) {
            let of = |array: &V::Array| array.as_ref()[lane];
            let beyond = Linear { at_origin: of(&at_origin), gradient: [of(&x), of(&y)] };
            let (place, piece) = region(lane);
            let [slipping, stuck] = piece.polygon().divided(&beyond);
            for (polygon, parts) in [stuck, slipping].iter().zip(&mut self.parts[kind as usize]) {
                if !polygon.is_empty() {
                    polygon.for_each_small(|corners| parts.push(Part { place, piece: piece.with_corners(corners) }));
                }
            }
        }
    }
}
