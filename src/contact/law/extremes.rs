//! Smallest and largest values at the corners of regions, several at a time.

use super::{GroupLanes, Law, PressureKind};
use crate::contact::integrate::{AllExtremes, Ranges};
use crate::contact::pieces::Linear;
use crate::lanes::{Lanes, Mask, Registers};

/// Above rounding; dimensionless.
const ROUNDED_UP: f64 = 1.0 + 1e-12;

impl Law {
    /// The tangential stress at a place with a depth, where a pressure acts.
    #[inline(always)]
    fn shear<V: Lanes<Mask = M>, M: Mask<V>>(
        &self,
        zero: V,
        group: &GroupLanes<V, M>,
        (corner, depth): ([V; 2], V),
        [slip_x, slip_y]: [V; 2],
        pressure: V,
    ) -> V {
        let slip_squared = slip_x * slip_x + slip_y * slip_y;
        if let Some(friction) = self.friction {
            let speed = slip_squared.sqrt();
            return pressure * friction.per_velocity(zero, speed) * speed;
        }
        let Some(bristles) = self.bristles else { return zero };
        let [z_x, z_y] = self.deflection(&group.face, corner, depth);
        let (c, d) = (bristles.stiffness, bristles.damping);
        let (t_x, t_y) = (z_x * c + slip_x * d, z_y * c + slip_y * d);
        let limit = pressure * bristles.coefficient_at(zero, slip_squared);
        (t_x * t_x + t_y * t_y).sqrt().smaller(limit)
    }
}

/// Takes note of the corners of regions.
#[inline(always)]
pub fn note_extremes<R: Registers>(
    law: &Law,
    registers: R,
    kind: PressureKind,
    group: &GroupLanes<R::Vector, R::Mask>,
    closing: &Linear<R::Vector>,
    extremes: &mut AllExtremes,
) {
    let zero = registers.splat(0.0);
    let infinity = registers.splat(f64::INFINITY);
    let [mut velocity, mut slip] = [[infinity, -infinity]; 2];
    let [mut most_pressure, mut most_shear] = [zero; 2];
    let include = |range: &mut [R::Vector; 2], value: R::Vector| {
        *range = [range[0].smaller(value), range[1].larger(value)];
    };
    let corners = &group.corners[..group.count];
    for &corner in corners {
        let (u, v) = (group.depth.at(corner), closing.at(corner));
        let [slip_x, slip_y] = law.slip(&group.face, corner, u);
        include(&mut velocity, v);
        include(&mut slip, slip_x * slip_x + slip_y * slip_y);
        most_pressure = most_pressure.larger(law.pressure(zero, kind, u, v));
    }
    let known = extremes.ranges();
    let most_friction = law.friction.map_or(0.0, |friction| friction.coefficient);
    let most_friction = law.bristles.map_or(most_friction, |bristles| bristles.largest_coefficient());
    // Roots and quotients only where the tangential stress may be larger than any before.
    let may_be_new = registers.splat(known.shear).less(most_pressure * (most_friction * ROUNDED_UP));
    if may_be_new.and(group.is_there).bits() != 0 {
        for &corner in corners {
            let (u, v) = (group.depth.at(corner), closing.at(corner));
            let slip = law.slip(&group.face, corner, u);
            most_shear = most_shear.larger(law.shear(zero, group, (corner, u), slip, law.pressure(zero, kind, u, v)));
        }
    }
    let is_new = velocity[0]
        .less(registers.splat(known.closing[0]))
        .or(registers.splat(known.closing[1]).less(velocity[1]))
        .or(slip[0].less(registers.splat(known.slip_squared[0])))
        .or(registers.splat(known.slip_squared[1]).less(slip[1]))
        .or(registers.splat(known.pressure).less(most_pressure))
        .or(registers.splat(known.shear).less(most_shear))
        .and(group.is_there)
        .bits();
    if is_new == 0 {
        return;
    }
    let arrays = [velocity[0], velocity[1], slip[0], slip[1], most_pressure, most_shear];
    let [v_low, v_high, s_low, s_high, pressure, shear] = [
        arrays[0].array(),
        arrays[1].array(),
        arrays[2].array(),
        arrays[3].array(),
        arrays[4].array(),
        arrays[5].array(),
    ];
    for lane in (0..R::LANES).filter(|lane| is_new >> lane & 1 == 1) {
        let of = |array: &<R::Vector as Lanes>::Array| array.as_ref()[lane];
        extremes.include(&Ranges {
            closing: [of(&v_low), of(&v_high)],
            slip_squared: [of(&s_low), of(&s_high)],
            pressure: of(&pressure),
            shear: of(&shear),
        });
    }
}
