//! Smallest and largest values at the corners of pieces, several at a time.

use super::lane_faces::{FaceLanes, TriangleLanes};
use super::lane_force::{Depth, LaneForce};
use super::lane_regions::{Linear, Regions, corner};
use super::lanes::{Lanes, Mask, Registers};
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
        let TriangleLanes { b_x, c_x, c_y, .. } = face.triangle;
        // What is added at the second and the third corner.
        let range = |at_a: V, at_b: V, at_c: V| {
            [at_a + at_b.smaller(at_c).smaller(zero), at_a + at_b.larger(at_c).larger(zero)]
        };
        let [low, high] = range(v_z, -(w_y * b_x), w_x * c_y - w_y * c_x);
        let closing = if force.into_e < 0.0 { [-high, -low] } else { [low, high] };
        let slip = [range(v_x, zero, -(w_z * c_y)), range(v_y, w_z * b_x, w_z * c_x)];
        // An element lies deeper than the face, where the slip is another one.
        let below = [depth.least.larger(zero) * -force.layer_share, depth.most * -force.layer_share];
        let (mut least, mut most) = (zero, zero);
        for (axis, factor) in [w_y, -w_x].into_iter().enumerate() {
            let (a, b) = (below[0] * factor, below[1] * factor);
            let (low, high) = (a.smaller(b) + slip[axis][0], a.larger(b) + slip[axis][1]);
            let (nearest, farthest) = (low.larger(-high).larger(zero), high.larger(-low));
            least = least + nearest * nearest;
            most = most + farthest * farthest;
        }
        let elastic = depth.most * force.layer_stiffness;
        let pressure = elastic.larger(elastic + closing[1] * force.areal_damping);
        ExtremeBounds { closing, slip_squared: [least, most], pressure }
    }
}

impl LaneForce {
    /// Takes note of the corners of regions that may be extremes.
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
        counted: R::Mask,
        extremes: &mut AllExtremes,
    ) {
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
        let looked_at = counted.and(may_be).bits();
        if looked_at == 0 {
            return;
        }

        let infinity = registers.splat(f64::INFINITY);
        let mut ranges = [[infinity, -infinity]; 4];
        for side in &regions.sides[..regions.count] {
            let ([x, y], is_corner) = corner(zero, *side);
            let (u, v) = (depth.at(x, y), closing.at(x, y));
            let p = self.pressure(zero, u, v);
            let [slip_x, slip_y] = self.slip(face, x, y, u);
            let slip_squared = slip_x * slip_x + slip_y * slip_y;
            for (range, value) in ranges.iter_mut().zip([u, v, p, slip_squared]) {
                range[0] = range[0].smaller(is_corner.choose(value, infinity));
                range[1] = range[1].larger(is_corner.choose(value, -infinity));
            }
        }
        // The shear stress is a fixed part of the pressure but where the bodies creep.
        let mut most_shear = ranges[2][1] * friction;
        let slowest = self.friction.map_or(0.0, |friction| friction.regularization_velocity);
        let creeps = ranges[3][0].less(registers.splat(slowest * slowest));
        if creeps.bits() & looked_at != 0 {
            most_shear = creeps.choose(self.most_shear(registers, face, regions, depth, closing), most_shear);
        }
        let arrays = |k: usize| [ranges[k][0].array(), ranges[k][1].array()];
        let (ranges, most_shear) = ([arrays(0), arrays(1), arrays(2), arrays(3)], most_shear.array());
        for lane in (0..R::LANES).filter(|lane| looked_at >> lane & 1 == 1) {
            let of = |quantity: usize| [ranges[quantity][0].as_ref()[lane], ranges[quantity][1].as_ref()[lane]];
            let of_lane = Ranges { depth: of(0), closing: of(1), pressure: of(2), slip_squared: of(3) };
            extremes.include_ranges_and_shear(&of_lane, most_shear.as_ref()[lane]);
        }
    }

    /// The largest shear stress at the corners of regions, also where the bodies creep.
    #[inline(always)]
    fn most_shear<R: Registers>(
        &self,
        registers: R,
        face: &FaceLanes<R::Vector>,
        regions: &Regions<R::Vector>,
        depth: &Depth<R::Vector>,
        closing: &Linear<R::Vector>,
    ) -> R::Vector {
        let zero = registers.splat(0.0);
        let Some(friction) = self.friction else { return zero };
        let mut most = zero;
        for side in &regions.sides[..regions.count] {
            let ([x, y], is_corner) = corner(zero, *side);
            let u = depth.at(x, y);
            let [slip_x, slip_y] = self.slip(face, x, y, u);
            let speed = (slip_x * slip_x + slip_y * slip_y).sqrt();
            // As `force_law::friction_per_velocity`.
            let ratio = (speed * (1.0 / friction.regularization_velocity)).smaller(zero + 1.0);
            let share = ratio * (registers.splat(2.0) - ratio) * friction.coefficient;
            most = most.larger(is_corner.keep(self.pressure(zero, u, closing.at(x, y)) * share));
        }
        most
    }

    /// The pressure at a depth and a closing velocity.
    #[inline(always)]
    fn pressure<V: Lanes>(&self, zero: V, depth: V, closing: V) -> V {
        let mut share = zero + 1.0;
        if 0.0 < self.transition_depth {
            share = (depth.larger(zero) * (1.0 / self.transition_depth)).smaller(share);
        }
        (depth * self.layer_stiffness + share * closing * self.areal_damping).larger(zero)
    }
}
