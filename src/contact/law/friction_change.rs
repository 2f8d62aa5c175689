//! How friction over a region changes: the derivative of the very sums that [`super::friction`] takes.
//!
//! Four points move and spread with the moments of the pressure; the points of the quadrature stay on the region. Sides of
//! regions on walls between cells move too. What is integrated exactly does not see that; the friction of four points
//! does, by the product of its own error and the way of the wall, which is left out.

use super::derivatives::{Local, NUMBERS, PRODUCTS, SLIP};
use super::friction::{FOUR_POINTS, SLIP_CHANGE_LARGE, SLIP_CHANGE_SMALL, SMALLEST_SPEED, Slipping, TRIANGLE_RULE};
use super::moments::ThirdMoments;
use super::{PressureKind, RegionLanes};
use crate::contact::parameters::FrictionParameters;
use crate::lanes::{Lanes, Mask, Registers};

/// What friction adds to, per normal force: stress along x and y, its moment about the normal, the magnitude of the
/// stress, that of the whole stress, and the latter with x and y.
const DENSITIES: usize = 7;
const SPIN: usize = 2;
const MAGNITUDE: usize = 4;

/// Those that are not multiples of the pressure and its moments where nothing is slower than the regularisation velocity.
const DENSITIES_SLIDING: usize = 3;

/// Derivatives of what friction adds to, by the nine numbers of [`super::derivatives`]; moments are about the reference
/// point.
pub struct Tangential<V> {
    /// Force along x and y, and moment about the normal; not changes.
    pub value: [V; 3],
    pub force: [Local<V>; 2],
    pub spin: Local<V>,
    pub power: Local<V>,
    pub magnitudes: Magnitudes<V>,
}

/// How magnitudes of stresses change.
pub enum Magnitudes<V> {
    /// As the pressure, times these: of the tangential and of the whole stress.
    OfPressure([f64; 2]),
    /// In their own way.
    Own { stress: Local<V>, whole: Local<V>, position: [Local<V>; 2] },
}

/// Densities at a point.
struct Density<V, const COUNT: usize> {
    value: [V; COUNT],
    /// Along x and y, with the slip that is there.
    by_place: [[V; 2]; COUNT],
    by_slip: [[V; 2]; COUNT],
}

/// How a sum changes with what four points have: force, mean, spread (xx, yx, yy); and with slip and spin.
#[derive(Clone, Copy)]
struct Sensitivity<V> {
    force: V,
    mean: [V; 2],
    spread: [V; 3],
    slip: [V; 3],
}

impl<V: Lanes> Sensitivity<V> {
    #[inline(always)]
    fn none(zero: V) -> Self {
        Sensitivity { force: zero, mean: [zero; 2], spread: [zero; 3], slip: [zero; 3] }
    }

    /// Adds a multiple of another one.
    #[inline(always)]
    fn add(&mut self, other: &Self, factor: V) {
        self.force = self.force + other.force * factor;
        for axis in 0..2 {
            self.mean[axis] = self.mean[axis] + other.mean[axis] * factor;
        }
        for k in 0..3 {
            self.spread[k] = self.spread[k] + other.spread[k] * factor;
            self.slip[k] = self.slip[k] + other.slip[k] * factor;
        }
    }
}

/// Force, mean from the origin of the region and spread of the pressure, with reciprocals that are zero where there is
/// nothing to divide by.
struct Spread<V> {
    per_force: V,
    mean: [V; 2],
    spread: [V; 3],
    per_xx: V,
    per_yy: V,
}

impl<V: Lanes> Spread<V> {
    #[inline(always)]
    fn new(zero: V, region: &RegionLanes<V>) -> Self {
        let loaded = &region.loaded;
        let [l_xx, _, l_yy] = loaded.spread;
        let mean = [loaded.mean[0] - region.origin[0], loaded.mean[1] - region.origin[1]];
        let per_force = reciprocal(zero, loaded.force);
        let (per_xx, per_yy) = (reciprocal(zero, l_xx), reciprocal(zero, l_yy));
        Spread { per_force, mean, spread: loaded.spread, per_xx, per_yy }
    }

    /// How a sum changes with the moments of the pressure (1, x, y, xx, xy, yy).
    #[inline(always)]
    fn by_moments(&self, by: &Sensitivity<V>) -> [V; 6] {
        let ([x, y], [l_xx, l_yx, l_yy]) = (self.mean, self.spread);
        let [by_xx, by_yx, by_yy] = by.spread;
        // yy = l_yx² + l_yy², xy = l_xx l_yx, xx = l_xx².
        let yy = by_yy * self.per_yy * 0.5;
        let yx = by_yx - by_yy * self.per_yy * l_yx;
        let xy = yx * self.per_xx;
        let xx = (by_xx - yx * l_yx * self.per_xx) * self.per_xx * 0.5;
        let mean_x = by.mean[0] - x * xx * 2.0 - y * xy;
        let mean_y = by.mean[1] - y * yy * 2.0 - x * xy;
        let second = [x * x + l_xx * l_xx, x * y + l_xx * l_yx, y * y + l_yx * l_yx + l_yy * l_yy];
        let all = mean_x * x + mean_y * y + xx * second[0] + xy * second[1] + yy * second[2];
        let per = self.per_force;
        [by.force - all * per, mean_x * per, mean_y * per, xx * per, xy * per, yy * per]
    }
}

/// How sums change with the nine numbers.
#[inline(always)]
fn by_numbers<V: Lanes, const COUNT: usize>(
    zero: V,
    region: &RegionLanes<V>,
    by_points: &[Sensitivity<V>; COUNT],
    pressure_by: (&ThirdMoments<V>, Result<f64, &ThirdMoments<V>>),
) -> [Local<V>; COUNT] {
    let spread = Spread::new(zero, region);
    let mut all = [[zero; NUMBERS]; COUNT];
    for (local, by) in all.iter_mut().zip(by_points) {
        let by_moments = spread.by_moments(by);
        let by_depth = product(zero, &by_moments, pressure_by.0);
        let by_closing = match pressure_by.1 {
            Ok(factor) => [by_depth[0] * factor, by_depth[1] * factor, by_depth[2] * factor],
            Err(moments) => product(zero, &by_moments, moments),
        };
        let ([a, b, c], [d, e, f], [g, h, i]) = (by_depth, by_closing, by.slip);
        *local = [a, b, c, d, e, f, g, h, i];
    }
    all
}

/// Of a change with the moments of the pressure and the change of these with a linear function.
#[inline(always)]
fn product<V: Lanes>(zero: V, by_moments: &[V; 6], moments: &ThirdMoments<V>) -> [V; 3] {
    let mut result = [zero; 3];
    for (by_moment, places) in by_moments.iter().zip(PRODUCTS) {
        for (number, place) in result.iter_mut().zip(places) {
            *number = *number + *by_moment * moments.0[place];
        }
    }
    result
}

#[inline(always)]
fn reciprocal<V: Lanes>(zero: V, number: V) -> V {
    let is_there = zero.less(number);
    let reciprocal = is_there.keep((zero + 1.0) / is_there.choose(number, zero + 1.0));
    reciprocal.less(zero + f64::INFINITY).keep(reciprocal)
}

impl<V: Lanes> Slipping<'_, V> {
    /// How friction over regions changes with the nine numbers; `pressure_by` are the integrals of the change of the
    /// pressure with the depth, and with the closing velocity, or how many times the first that is.
    #[inline(always)]
    pub fn tangential_change<R: Registers<Vector = V>>(
        &self,
        registers: R,
        friction: &FrictionParameters,
        kind: PressureKind,
        corners: &[[V; 2]],
        region: &RegionLanes<V>,
        pressure_by: (&ThirdMoments<V>, Result<f64, &ThirdMoments<V>>),
    ) -> Tangential<V> {
        let zero = registers.splat(0.0);
        let fine = self.fine_share(registers, corners, &region.loaded);
        let is_coarse = fine.array().as_ref().iter().all(|&share| share == 0.0);
        let (values, force, spin, magnitudes);
        if is_coarse && !self.is_slow_somewhere(zero, friction, region) {
            let (sums, by_points) = self.by_points::<DENSITIES_SLIDING>(zero, friction, region);
            values = sums;
            let changes = by_numbers(zero, region, &by_points, pressure_by);
            let coefficient = friction.coefficient;
            (force, spin) = ([changes[0], changes[1]], changes[SPIN]);
            magnitudes = Magnitudes::OfPressure([coefficient, (1.0 + coefficient * coefficient).sqrt()]);
        } else {
            let (mut sums, mut by_points) = self.by_points::<DENSITIES>(zero, friction, region);
            let mut of_rule = [[zero; NUMBERS]; DENSITIES];
            if !is_coarse {
                let fine_values = self.add_rule(registers, friction, kind, (corners, region, fine), &mut of_rule);
                let by_share = self.share_change(zero, friction, corners, region, fine);
                let coarse = zero + 1.0 - fine;
                for (index, by) in by_points.iter_mut().enumerate() {
                    let mut blended = Sensitivity::none(zero);
                    blended.add(by, coarse);
                    blended.add(&by_share, fine_values[index] - sums[index]);
                    *by = blended;
                    sums[index] = sums[index] * coarse + fine_values[index] * fine;
                }
            }
            let mut changes = by_numbers(zero, region, &by_points, pressure_by);
            for (local, of_rule) in changes.iter_mut().zip(&of_rule) {
                for (number, change) in local.iter_mut().zip(of_rule) {
                    *number = *number + *change;
                }
            }
            let [x, y, of_spin, stress, whole, whole_x, whole_y] = changes;
            (force, spin) = ([x, y], of_spin);
            values = [sums[0], sums[1], sums[SPIN]];
            magnitudes = Magnitudes::Own { stress, whole, position: [whole_x, whole_y] };
        }
        let power = self.power_change(region, values, &force, &spin);
        Tangential { value: values, force, spin, power, magnitudes }
    }

    /// Whether the slip of one of the four points is below the regularisation velocity.
    #[inline(always)]
    fn is_slow_somewhere(&self, zero: V, friction: &FrictionParameters, region: &RegionLanes<V>) -> bool {
        let mut slowest = zero + f64::INFINITY;
        for (s, t) in FOUR_POINTS {
            let [x, y] = self.slip(region.loaded.point(s, t));
            slowest = slowest.smaller(x * x + y * y);
        }
        let limit = friction.regularization_velocity;
        slowest.less(zero + limit * limit).bits() != 0
    }

    /// How the power of friction changes: it is that of its force and moment, whose values are given.
    #[inline(always)]
    fn power_change(
        &self,
        region: &RegionLanes<V>,
        [force_x, force_y, moment]: [V; 3],
        force: &[Local<V>; 2],
        spin: &Local<V>,
    ) -> Local<V> {
        let [v_x, v_y] = self.slip(region.origin);
        let w = self.face.angular_velocity[2];
        let (x, y) = (region.origin[0] + self.face.origin[0], region.origin[1] + self.face.origin[1]);
        // The slip as it would be at the reference point.
        let (v_x, v_y) = (v_x + w * y, v_y - w * x);
        let mut local = *spin;
        for (number, change) in local.iter_mut().enumerate() {
            *change = force[0][number] * v_x + force[1][number] * v_y + *change * w;
        }
        local[SLIP] = local[SLIP] + force_x;
        local[SLIP + 1] = local[SLIP + 1] + force_y;
        local[SLIP + 2] = local[SLIP + 2] + (moment - x * force_y + y * force_x);
        local
    }

    /// The sums of four points, and how they change.
    #[inline(always)]
    fn by_points<const COUNT: usize>(
        &self,
        zero: V,
        friction: &FrictionParameters,
        region: &RegionLanes<V>,
    ) -> ([V; COUNT], [Sensitivity<V>; COUNT]) {
        let loaded = &region.loaded;
        let quarter = loaded.force * 0.25;
        let mut values = [zero; COUNT];
        let mut by_all = [Sensitivity::none(zero); COUNT];
        for (s, t) in FOUR_POINTS {
            let at = loaded.point(s, t);
            let density: Density<V, COUNT> = self.density(zero, friction, at);
            let (from_x, from_y) = (at[0] - region.origin[0], at[1] - region.origin[1]);
            for (index, by) in by_all.iter_mut().enumerate() {
                by.force = by.force + density.value[index] * 0.25;
                let [by_x, by_y] = density.by_place[index];
                let (by_x, by_y) = (by_x * quarter, by_y * quarter);
                by.mean = [by.mean[0] + by_x, by.mean[1] + by_y];
                by.spread = [by.spread[0] + by_x * s, by.spread[1] + by_y * s, by.spread[2] + by_y * t];
                let [slip_x, slip_y] = density.by_slip[index];
                let (slip_x, slip_y) = (slip_x * quarter, slip_y * quarter);
                by.slip = [by.slip[0] + slip_x, by.slip[1] + slip_y, by.slip[2] + (slip_y * from_x - slip_x * from_y)];
            }
        }
        for (value, by) in values.iter_mut().zip(&by_all) {
            *value = by.force * loaded.force;
        }
        (values, by_all)
    }

    /// Adds the quadrature's part of the changes, and tells what its sums would be if it took all.
    #[inline(always)]
    fn add_rule<R: Registers<Vector = V>>(
        &self,
        registers: R,
        friction: &FrictionParameters,
        kind: PressureKind,
        (corners, region, fine): (&[[V; 2]], &RegionLanes<V>, V),
        local: &mut [Local<V>; DENSITIES],
    ) -> [V; DENSITIES] {
        let zero = registers.splat(0.0);
        let mut values = [zero; DENSITIES];
        let law = self.law;
        let slope = if kind == PressureKind::Fading { law.damping / law.transition_depth } else { 0.0 };
        let is_there = zero.less(fine);
        let per_area = reciprocal(zero, region.moments.area);
        let first = region.moments.first;
        let [c_x, c_y] = [corners[0][0] + first[0] * per_area, corners[0][1] + first[1] * per_area];
        let triangles = corners.len() * TRIANGLE_RULE.len();
        for index in 0..triangles {
            let (side, ([a, b], weight)) = (index / TRIANGLE_RULE.len(), TRIANGLE_RULE[index % TRIANGLE_RULE.len()]);
            let (from, to) = (corners[(side + corners.len() - 1) % corners.len()], corners[side]);
            let (a_x, a_y, b_x, b_y) = (from[0] - c_x, from[1] - c_y, to[0] - c_x, to[1] - c_y);
            let area = is_there.keep((a_x * b_y - a_y * b_x).larger(zero) * (0.5 * weight));
            let at = [c_x + a_x * a + b_x * b, c_y + a_y * a + b_y * b];
            let (depth, closing) = (self.depth.at(at), self.closing.at(at));
            let force = area * law.pressure(zero, kind, depth, closing);
            let (mut by_depth, mut by_closing) = (zero + law.stiffness, zero + law.damping);
            if kind == PressureKind::Fading {
                (by_depth, by_closing) = (closing * slope + law.stiffness, depth * slope);
            }
            let (by_depth, by_closing) = (by_depth * area * fine, by_closing * area * fine);
            let density: Density<V, DENSITIES> = self.density(zero, friction, at);
            let (x, y) = (at[0] - region.origin[0], at[1] - region.origin[1]);
            let share = force * fine;
            for (index, local) in local.iter_mut().enumerate() {
                let value = density.value[index];
                values[index] = values[index] + value * force;
                let (depth, closing) = (value * by_depth, value * by_closing);
                let [slip_x, slip_y] = density.by_slip[index];
                let (slip_x, slip_y) = (slip_x * share, slip_y * share);
                let changes = [
                    depth,
                    depth * x,
                    depth * y,
                    closing,
                    closing * x,
                    closing * y,
                    slip_x,
                    slip_y,
                    slip_y * x - slip_x * y,
                ];
                for (number, change) in local.iter_mut().zip(changes) {
                    *number = *number + change;
                }
            }
        }
        values
    }

    /// How the quadrature's share changes.
    #[inline(always)]
    fn share_change(
        &self,
        zero: V,
        friction: &FrictionParameters,
        corners: &[[V; 2]],
        region: &RegionLanes<V>,
        fine: V,
    ) -> Sensitivity<V> {
        let [x, y] = region.loaded.mean;
        let [slip_x, slip_y] = self.slip([x, y]);
        let spin = self.face.angular_velocity[2];
        let slowest = friction.regularization_velocity;
        let scale = slip_x * slip_x + slip_y * slip_y + slowest * slowest;
        // The farthest corner.
        let (mut farthest, mut to) = (zero, [zero; 2]);
        for corner in corners {
            let (to_x, to_y) = (corner[0] - x, corner[1] - y);
            let square = to_x * to_x + to_y * to_y;
            let is_farther = farthest.less(square);
            farthest = is_farther.choose(square, farthest);
            to = [is_farther.choose(to_x, to[0]), is_farther.choose(to_y, to[1])];
        }
        let change = spin * spin * farthest;
        let range = SLIP_CHANGE_LARGE - SLIP_CHANGE_SMALL;
        let step = (change / scale - (zero + SLIP_CHANGE_SMALL)) * (1.0 / range);
        let is_between = zero.less(fine).and(step.less(zero + 1.0));
        let by_step = is_between.keep(step * (zero + 1.0 - step) * 6.0);
        let by_change = by_step / (scale * range);
        let by_scale = -by_change * change / scale;
        let mut by = Sensitivity::none(zero);
        let (by_slip_x, by_slip_y) = (by_scale * slip_x * 2.0, by_scale * slip_y * 2.0);
        let by_to = by_change * spin * spin * 2.0;
        by.mean = [by_slip_y * spin - by_to * to[0], -(by_slip_x * spin) - by_to * to[1]];
        let (from_x, from_y) = (x - region.origin[0], y - region.origin[1]);
        by.slip = [by_slip_x, by_slip_y, by_slip_y * from_x - by_slip_x * from_y + by_change * spin * farthest * 2.0];
        by
    }

    #[inline(always)]
    fn density<const COUNT: usize>(&self, zero: V, friction: &FrictionParameters, at: [V; 2]) -> Density<V, COUNT> {
        let [v_x, v_y] = self.slip(at);
        let spin = self.face.angular_velocity[2];
        let (x, y) = (at[0] + self.face.origin[0], at[1] + self.face.origin[1]);
        let square = v_x * v_x + v_y * v_y;
        let speed = square.sqrt();
        // From the regularisation velocity on μ/v, which falls by μ/v²; below, it falls by μ/v_eps², whatever the speed.
        let (slowest, coefficient) = (friction.regularization_velocity, friction.coefficient);
        let per_speed = (zero + 1.0) / speed.larger(zero + slowest);
        let (mut per_velocity, mut fall) = (per_speed * coefficient, per_speed * per_speed * per_speed * -coefficient);
        let is_slow = speed.less(zero + slowest);
        // Stress and magnitude change with the slip speed only where it is slow.
        let (mut by_stress, mut by_magnitude) = (zero, zero);
        let mut magnitude = zero + (1.0 + coefficient * coefficient).sqrt();
        if is_slow.bits() != 0 {
            let per_speed = reciprocal(zero, speed.larger(zero + SMALLEST_SPEED));
            per_velocity = is_slow.choose(friction.per_velocity(zero, speed), per_velocity);
            fall = is_slow.choose(zero.less(speed).keep(per_speed * (-coefficient / (slowest * slowest))), fall);
            let rest = is_slow.keep(per_velocity + fall * square);
            let stress = per_velocity * speed;
            magnitude = is_slow.choose((stress * stress + 1.0).sqrt(), magnitude);
            by_stress = zero.less(speed).keep(rest * per_speed);
            by_magnitude = per_velocity * rest / magnitude;
        }
        let (h_x, h_y) = (per_velocity * v_x, per_velocity * v_y);
        let stress = per_velocity * speed;
        let across = fall * v_x * v_y;
        let (xx, yy) = (per_velocity + fall * v_x * v_x, per_velocity + fall * v_y * v_y);
        let (m_x, m_y) = (by_magnitude * v_x, by_magnitude * v_y);
        let value = [h_x, h_y, x * h_y - y * h_x, stress, magnitude, magnitude * x, magnitude * y];
        let by_slip = [
            [xx, across],
            [across, yy],
            [x * across - y * xx, x * yy - y * across],
            [by_stress * v_x, by_stress * v_y],
            [m_x, m_y],
            [m_x * x, m_y * x],
            [m_x * y, m_y * y],
        ];
        let mut density = Density { value: [zero; COUNT], by_place: [[zero; 2]; COUNT], by_slip: [[zero; 2]; COUNT] };
        for index in 0..COUNT {
            let [slip_x, slip_y] = by_slip[index];
            density.value[index] = value[index];
            density.by_slip[index] = by_slip[index];
            density.by_place[index] = [slip_y * spin, -(slip_x * spin)];
        }
        density.by_place[SPIN] = [density.by_place[SPIN][0] + h_y, density.by_place[SPIN][1] - h_x];
        if DENSITIES_SLIDING < COUNT {
            let [by_x, by_y] = [density.by_place[MAGNITUDE + 1][0], density.by_place[MAGNITUDE + 2][1]];
            density.by_place[MAGNITUDE + 1][0] = by_x + magnitude;
            density.by_place[MAGNITUDE + 2][1] = by_y + magnitude;
        }
        density
    }
}
