//! Friction: the regularised law of Coulomb, and its sums over regions with a smooth pressure.
//!
//! Four points that share the force, and have the first and second moments of the pressure, give the normal force, its
//! torque and the power of damping exactly, and friction to the third order of the change of slip over the region. Where
//! that changes much, as around a centre of rotation, a quadrature over the region takes over, step by step, so that
//! nothing jumps.

use super::faces::FaceLanes;
use super::moments::{FunctionMoments, Moments};
use super::sums::GroupSums;
use super::{Law, PressureKind};
use crate::contact::parameters::FrictionParameters;
use crate::contact::pieces::Linear;
use crate::lanes::{Lanes, Mask, Registers};

/// Squares of the change of slip over a region, relative to slip and regularisation velocity: below the first, four
/// points do for friction; above the second, the quadrature. Dimensionless; with a change of a tenth, third-order terms
/// are a thousandth, of which little is left in the sum.
pub(super) const SLIP_CHANGE_SMALL: f64 = 0.01;
pub(super) const SLIP_CHANGE_LARGE: f64 = 0.09;

/// Points (barycentric, the third follows) and weights of a quadrature over a triangle, exact for polynomials of degree 4.
/// (Two orbits of three points; the parameters solve the moment equations.)
pub(super) const TRIANGLE_RULE: [([f64; 2], f64); 6] = {
    const A: f64 = 0.445_948_490_915_964_9;
    const B: f64 = 0.091_576_213_509_770_74;
    const WEIGHT_A: f64 = 0.223_381_589_678_011_47;
    const WEIGHT_B: f64 = 0.109_951_743_655_321_87;
    [
        ([A, A], WEIGHT_A),
        ([A, 1.0 - 2.0 * A], WEIGHT_A),
        ([1.0 - 2.0 * A, A], WEIGHT_A),
        ([B, B], WEIGHT_B),
        ([B, 1.0 - 2.0 * B], WEIGHT_B),
        ([1.0 - 2.0 * B, B], WEIGHT_B),
    ]
};

/// The smallest slip speed, in m/s, whose reciprocal is a number.
pub(super) const SMALLEST_SPEED: f64 = 1e-300;

impl FrictionParameters {
    /// Friction stress over pressure and slip velocity (4.34), in s/m: times both, it is the tangential stress vector
    /// on E, along the slip of F on E.
    ///
    /// μ/v from the regularisation velocity on; below, `μ (2 − v/v_eps) / v_eps`, which starts at 2 μ/v_eps without a
    /// division by the slip speed.
    #[inline(always)]
    pub(super) fn per_velocity<V: Lanes>(&self, zero: V, speed: V) -> V {
        let slowest = zero + self.regularization_velocity;
        let is_slow = speed.less(slowest);
        let sliding = (zero + self.coefficient) / speed.larger(slowest).larger(zero + SMALLEST_SPEED);
        if is_slow.bits() == 0 {
            return sliding;
        }
        let ratio = speed / slowest;
        is_slow.choose((zero + 2.0 - ratio) * self.coefficient / slowest, sliding)
    }
}

/// Places of the points that share the force of a region, in spreads from its mean.
pub(super) const FOUR_POINTS: [(f64, f64); 4] = [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)];

/// Where the force of a region acts, by lane: its centre of pressure, and the root of its second moments.
#[derive(Clone, Copy)]
pub struct Loaded<V> {
    /// ∫ p dA.
    pub force: V,
    /// Where it acts.
    pub mean: [V; 2],
    /// Lower triangular root (xx, yx, yy) of the second moments about the mean, per force.
    pub spread: [V; 3],
}

impl<V: Lanes> Loaded<V> {
    /// Of the integrals of a pressure, with coordinates from `origin`; no force in lanes that are not `there`.
    #[inline(always)]
    pub fn new(zero: V, origin: [V; 2], pressure: &FunctionMoments<V>, there: V::Mask) -> Self {
        let is_loaded = there.and(zero.less(pressure.total));
        let per_force = is_loaded.choose(zero + 1.0, zero) / is_loaded.choose(pressure.total, zero + 1.0);
        let finite = per_force.less(zero + f64::INFINITY);
        let per_force = finite.keep(per_force);
        let (x, y) = (pressure.first[0] * per_force, pressure.first[1] * per_force);
        let xx = (pressure.second[0] * per_force - x * x).larger(zero);
        let xy = pressure.second[1] * per_force - x * y;
        let yy = (pressure.second[2] * per_force - y * y).larger(zero);
        // A region may be so small that its second moments are nothing but rounding: the root stays within them.
        let (l_xx, bound) = (xx.sqrt(), yy.sqrt());
        let l_yx = zero.less(l_xx).keep(xy / zero.less(l_xx).choose(l_xx, zero + 1.0)).smaller(bound).larger(-bound);
        let l_yy = (yy - l_yx * l_yx).larger(zero).sqrt();
        Loaded {
            force: is_loaded.keep(pressure.total),
            mean: [origin[0] + x, origin[1] + y],
            spread: [l_xx, l_yx, l_yy],
        }
    }

    /// One of [`FOUR_POINTS`].
    #[inline(always)]
    pub fn point(&self, s: f64, t: f64) -> [V; 2] {
        let ([x, y], [l_xx, l_yx, l_yy]) = (self.mean, self.spread);
        [x + l_xx * s, y + (l_yx * s + l_yy * t)]
    }
}

/// Regions on faces that move.
pub struct Slipping<'a, V> {
    pub law: &'a Law,
    pub face: &'a FaceLanes<V>,
    pub depth: &'a Linear<V>,
    pub closing: &'a Linear<V>,
}

impl<V: Lanes> Slipping<'_, V> {
    /// Which part of the friction of each region the quadrature takes, by the change of slip over it.
    #[inline(always)]
    pub fn fine_share<R: Registers<Vector = V>>(&self, registers: R, corners: &[[V; 2]], loaded: &Loaded<V>) -> V {
        let zero = registers.splat(0.0);
        let Some(friction) = self.law.friction else { return zero };
        let [slip_x, slip_y] = self.slip(loaded.mean);
        let slowest = friction.regularization_velocity;
        let scale = slip_x * slip_x + slip_y * slip_y + slowest * slowest;
        let mut change = zero;
        for &corner in corners {
            let [at_x, at_y] = self.slip(corner);
            let (of_x, of_y) = (at_x - slip_x, at_y - slip_y);
            change = change.larger(of_x * of_x + of_y * of_y);
        }
        let over = change - scale * SLIP_CHANGE_SMALL;
        let is_over = zero.less(loaded.force).and(zero.less(over));
        if is_over.bits() == 0 {
            return zero;
        }
        let step = is_over.keep(over / is_over.choose(scale * (SLIP_CHANGE_LARGE - SLIP_CHANGE_SMALL), zero + 1.0));
        let step = step.smaller(zero + 1.0);
        step * step * (zero + 3.0 - step - step)
    }

    #[inline(always)]
    pub fn slip(&self, at: [V; 2]) -> [V; 2] {
        self.law.slip(self.face, at, self.depth.at(at))
    }

    /// Adds the force of regions, shared by four points at mean ± spread, but for the part that the quadrature takes.
    #[inline(always)]
    pub fn add_loaded<R: Registers<Vector = V>>(
        &self,
        registers: R,
        loaded: &Loaded<V>,
        fine: V,
        sums: &mut GroupSums<V>,
    ) {
        let zero = registers.splat(0.0);
        let quarter = loaded.force * ((zero + 1.0 - fine) * 0.25);
        for (s, t) in FOUR_POINTS {
            self.add_point(zero, loaded.point(s, t), zero, quarter, sums);
        }
    }

    /// Adds the slip speed over the area of regions, shared by four points likewise; `even` is the load of a pressure of
    /// 1 Pa everywhere.
    #[inline(always)]
    pub fn add_speed<R: Registers<Vector = V>>(
        &self,
        registers: R,
        even: &Loaded<V>,
        fine: V,
        sums: &mut GroupSums<V>,
    ) {
        let zero = registers.splat(0.0);
        let quarter = even.force * ((zero + 1.0 - fine) * 0.25);
        for (s, t) in FOUR_POINTS {
            let [slip_x, slip_y] = self.slip(even.point(s, t));
            sums.tangential_velocity = sums.tangential_velocity + quarter * (slip_x * slip_x + slip_y * slip_y).sqrt();
        }
    }

    /// Adds the part of regions that the quadrature takes: over the triangles between the centroid and the sides, a fan
    /// that does not depend on where a polygon starts.
    #[inline(always)]
    pub fn add_by_quadrature<R: Registers<Vector = V>>(
        &self,
        registers: R,
        kind: PressureKind,
        corners: &[[V; 2]],
        moments: &Moments<V>,
        fine: V,
        sums: &mut GroupSums<V>,
    ) {
        let zero = registers.splat(0.0);
        let is_there = zero.less(fine);
        let per_area = is_there.keep((zero + 1.0) / is_there.choose(moments.area, zero + 1.0));
        let [c_x, c_y] = [corners[0][0] + moments.first[0] * per_area, corners[0][1] + moments.first[1] * per_area];
        let last = corners[corners.len() - 1];
        let (mut a_x, mut a_y) = (last[0] - c_x, last[1] - c_y);
        for corner in corners {
            let (b_x, b_y) = (corner[0] - c_x, corner[1] - c_y);
            let area = (a_x * b_y - a_y * b_x).larger(zero) * 0.5 * fine;
            for ([a, b], weight) in TRIANGLE_RULE {
                let at = [c_x + a_x * a + b_x * b, c_y + a_y * a + b_y * b];
                let pressure = self.law.pressure(zero, kind, self.depth.at(at), self.closing.at(at));
                let area = is_there.keep(area * weight);
                self.add_point(zero, at, area, is_there.keep(pressure) * area, sums);
            }
            (a_x, a_y) = (b_x, b_y);
        }
    }

    /// Adds a normal force at a point that stands for an area, with its friction.
    #[inline(always)]
    pub fn add_point(&self, zero: V, at: [V; 2], area: V, force: V, sums: &mut GroupSums<V>) {
        let (law, origin) = (self.law, self.face.origin);
        let depth = self.depth.at(at);
        let [slip_x, slip_y] = law.slip(self.face, at, depth);
        let speed = (slip_x * slip_x + slip_y * slip_y).sqrt();
        let (x, y, z) = (at[0] + origin[0], at[1] + origin[1], depth * -law.layer_share + origin[2]);
        let normal = force * law.into_e;
        sums.tangential_velocity = sums.tangential_velocity + area * speed;
        sums.normal_stress = sums.normal_stress + force;
        sums.force[2] = sums.force[2] + normal;
        sums.torque[0] = sums.torque[0] + y * normal;
        sums.torque[1] = sums.torque[1] - x * normal;
        sums.dissipated_power = sums.dissipated_power + self.closing.at(at) * force;
        let mut magnitude = force;
        if let Some(friction) = law.friction {
            let per_velocity = friction.per_velocity(zero, speed);
            let share = per_velocity * speed;
            let (force_x, force_y) = (per_velocity * slip_x * force, per_velocity * slip_y * force);
            magnitude = force * (share * share + 1.0).sqrt();
            sums.tangential_stress = sums.tangential_stress + share * force;
            sums.dissipated_power = sums.dissipated_power + share * speed * force;
            sums.force[0] = sums.force[0] + force_x;
            sums.force[1] = sums.force[1] + force_y;
            sums.torque[0] = sums.torque[0] - z * force_y;
            sums.torque[1] = sums.torque[1] + z * force_x;
            sums.torque[2] = sums.torque[2] + (x * force_y - y * force_x);
        }
        sums.magnitude = sums.magnitude + magnitude;
        sums.position[0] = sums.position[0] + magnitude * x;
        sums.position[1] = sums.position[1] + magnitude * y;
        sums.position[2] = sums.position[2] + magnitude * z;
    }

    /// Adds regions while nothing moves: their pressure has the integrals `pressure`, with coordinates from `origin`.
    #[inline(always)]
    pub fn add_at_rest(
        &self,
        loaded: &Loaded<V>,
        pressure: &FunctionMoments<V>,
        there: V::Mask,
        origin: [V; 2],
        sums: &mut GroupSums<V>,
    ) {
        let (law, reference) = (self.law, self.face.origin);
        let force = there.keep(pressure.total);
        let position = [
            (origin[0] + reference[0]) * force + there.keep(pressure.first[0]),
            (origin[1] + reference[1]) * force + there.keep(pressure.first[1]),
            (self.depth.at(loaded.mean) * -law.layer_share + reference[2]) * force,
        ];
        sums.force[2] = force * law.into_e;
        sums.torque = [position[1] * law.into_e, position[0] * -law.into_e, sums.torque[2]];
        sums.position = position;
        sums.magnitude = force;
        sums.normal_stress = force;
    }
}
