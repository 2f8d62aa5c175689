//! Smallest and largest values at the corners of four pieces at a time.

use super::lane_force::{Depth, LaneForce};
use super::lane_queue::FaceLanes;
use super::lane_regions::{Linear, Regions};
use super::lanes::{LANES, Lanes, Registers};
use crate::contact::totals::{AllExtremes, Ranges};

/// Bounds for pieces from the corners of both faces alone: most pieces are no extremes by them.
pub struct ExtremeBounds<V> {
    /// Of the closing velocity.
    pub closing: [V; 2],
    /// Of the square of the slip.
    slip_squared: [V; 2],
    /// Largest pressure.
    pressure: V,
}

impl<V: Lanes> ExtremeBounds<V> {
    /// Of pieces that see slave faces at these depths.
    #[inline(always)]
    pub fn new(force: &LaneForce, zero: V, face: &FaceLanes<V>, depth: &Depth<V>) -> Self {
        let [w_x, w_y, w_z] = face.angular_velocity;
        let [v_x, v_y, v_z] = face.velocity;
        let infinity = zero + f64::INFINITY;
        let mut ranges = [[infinity, -infinity]; 3];
        for [x, y] in face.triangle.corners {
            let closing = (v_z + w_x * y - w_y * x) * force.into_e;
            for (range, value) in ranges.iter_mut().zip([closing, v_x - w_z * y, v_y + w_z * x]) {
                *range = [range[0].smaller(value), range[1].larger(value)];
            }
        }
        // An element lies deeper than the face, where the slip is another one.
        let below = [depth.least.larger(zero) * -force.layer_share, depth.most * -force.layer_share];
        let (mut least, mut most) = (zero, zero);
        for (axis, factor) in [w_y, -w_x].into_iter().enumerate() {
            let (a, b) = (below[0] * factor, below[1] * factor);
            let (low, high) = (a.smaller(b) + ranges[1 + axis][0], a.larger(b) + ranges[1 + axis][1]);
            let (nearest, farthest) = (low.larger(-high).larger(zero), high.larger(-low));
            least = least + nearest * nearest;
            most = most + farthest * farthest;
        }
        let elastic = depth.most * force.layer_stiffness;
        let pressure = elastic.larger(elastic + ranges[0][1] * force.areal_damping);
        ExtremeBounds { closing: ranges[0], slip_squared: [least, most], pressure }
    }
}

impl LaneForce {
    /// Takes note of the corners of regions that may be extremes; returns the bits of lanes that have to be looked at
    /// one by one instead, for all but their depth.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    pub(super) fn note_extremes<R: Registers>(
        &self,
        registers: R,
        face: &FaceLanes<R::Vector>,
        regions: &Regions<R::Vector>,
        depth: &Depth<R::Vector>,
        closing: &Linear<R::Vector>,
        bounds: &ExtremeBounds<R::Vector>,
        counted: u32,
        extremes: &mut AllExtremes,
    ) -> u32 {
        let zero = registers.splat(0.0);
        let friction = self.friction.map_or(0.0, |friction| friction.coefficient);
        let limits = extremes.limits(friction);
        let may_be = registers
            .splat(limits.depth[1])
            .less(depth.most)
            .or(registers.splat(limits.pressure[1]).less(bounds.pressure))
            .or(bounds.closing[0].less(registers.splat(limits.closing[0])))
            .or(registers.splat(limits.closing[1]).less(bounds.closing[1]))
            .or(bounds.slip_squared[0].less(registers.splat(limits.slip_squared[0])))
            .or(registers.splat(limits.slip_squared[1]).less(bounds.slip_squared[1]));
        let looked_at = counted & may_be.bits();
        if looked_at == 0 {
            return 0;
        }

        let infinity = registers.splat(f64::INFINITY);
        let mut ranges = [[infinity, -infinity]; 4];
        for side in &regions.sides[..regions.count] {
            let [[x, y], [end_x, end_y]] = *side;
            let (dx, dy) = (end_x - x, end_y - y);
            let is_side = zero.less(dx * dx + dy * dy);
            let (u, v) = (depth.at(x, y), closing.at(x, y));
            let mut share = zero + 1.0;
            if 0.0 < self.transition_depth {
                share = (u.larger(zero) * (1.0 / self.transition_depth)).smaller(share);
            }
            let p = (u * self.layer_stiffness + share * v * self.areal_damping).larger(zero);
            let [slip_x, slip_y] = self.slip(face, x, y, u);
            for (range, value) in ranges.iter_mut().zip([u, v, p, slip_x * slip_x + slip_y * slip_y]) {
                range[0] = range[0].smaller(is_side.choose(value, infinity));
                range[1] = range[1].larger(is_side.choose(value, -infinity));
            }
        }
        let ranges = [
            [ranges[0][0].array(), ranges[0][1].array()],
            [ranges[1][0].array(), ranges[1][1].array()],
            [ranges[2][0].array(), ranges[2][1].array()],
            [ranges[3][0].array(), ranges[3][1].array()],
        ];
        let slowest = self.friction.map_or(0.0, |friction| friction.regularization_velocity);
        let mut left = 0;
        for lane in (0..LANES).filter(|lane| looked_at >> lane & 1 == 1) {
            let of = |quantity: usize| [ranges[quantity][0][lane], ranges[quantity][1][lane]];
            let of_lane = Ranges { depth: of(0), closing: of(1), pressure: of(2), slip_squared: of(3) };
            // Shear has another ratio to pressure where the bodies creep. The depth does not hang on velocities.
            if of_lane.slip_squared[0] < slowest * slowest {
                extremes.include_depth(of_lane.depth[1]);
                left |= 1 << lane;
            } else {
                extremes.include_ranges(&of_lane, friction);
            }
        }
        left
    }
}
