//! How the bristles of a region change: with its nine numbers, and with the deflection at the origin of the region and its
//! rotation, three more.
//!
//! Where bristles stick, the points are those of [`super::bristle`]; elsewhere those of its quadrature, also where four
//! points do for the sum. Regions end where the stress is continuous, so that points may stay where they are.

use super::derivatives::{CLOSING, DerivativeLanes, Local, LocalRow, NUMBERS, Outwards, SLIP, TangentialRow};
use super::friction::{FOUR_POINTS, Slipping, TRIANGLE_RULE};
use super::friction_change::{Magnitudes, Tangential};
use super::limit_line::Regioned;
use super::{PressureKind, RegionLanes};
use crate::contact::integrate::derivatives::LAW_ROWS;
use crate::contact::parameters::BristleParameters;
use crate::lanes::{Lanes, Mask, Registers};

/// Force along x and y, moment about the normal, magnitude of the stress.
const SUMS: usize = 4;

/// Changes with the deflection along x and y at the origin of the region, and with its rotation.
pub type Bent<V> = [[V; 3]; SUMS];

/// Changes with pressure, stress without limit, and slip at a point.
#[derive(Clone, Copy)]
struct PointChange<V> {
    value: V,
    pressure: V,
    trial: [V; 2],
    slip: [V; 2],
}

impl<V: Lanes> PointChange<V> {
    #[inline(always)]
    fn combined(zero: V, a: V, of_a: &Self, b: V, of_b: &Self) -> Self {
        let mut sum = PointChange { value: zero, pressure: zero, trial: [zero; 2], slip: [zero; 2] };
        sum.value = of_a.value * a + of_b.value * b;
        sum.pressure = of_a.pressure * a + of_b.pressure * b;
        for axis in 0..2 {
            sum.trial[axis] = of_a.trial[axis] * a + of_b.trial[axis] * b;
            sum.slip[axis] = of_a.slip[axis] * a + of_b.slip[axis] * b;
        }
        sum
    }
}

/// Triangles between the centroid of a region and its sides, which do not depend on where a polygon starts.
struct Fan<V: Lanes> {
    center: [V; 2],
    is_there: V::Mask,
}

impl<V: Lanes> Fan<V> {
    #[inline(always)]
    fn new(zero: V, corners: &[[V; 2]], region: &RegionLanes<V>, there: V::Mask) -> Self {
        let moments = &region.moments;
        let is_there = there.and(zero.less(moments.area));
        let per_area = is_there.keep((zero + 1.0) / is_there.choose(moments.area, zero + 1.0));
        let [x, y] = corners[0];
        Fan { center: [x + moments.first[0] * per_area, y + moments.first[1] * per_area], is_there }
    }

    /// A point of the triangle at a side, with its share of the area; none in other lanes.
    #[inline(always)]
    fn point(&self, zero: V, corners: &[[V; 2]], side: usize, [a, b]: [f64; 2], weight: f64) -> ([V; 2], V) {
        let (from, to) = (corners[(side + corners.len() - 1) % corners.len()], corners[side]);
        let [c_x, c_y] = self.center;
        let (a_x, a_y, b_x, b_y) = (from[0] - c_x, from[1] - c_y, to[0] - c_x, to[1] - c_y);
        let area = self.is_there.keep((a_x * b_y - a_y * b_x).larger(zero) * (0.5 * weight));
        ([c_x + a_x * a + b_x * b, c_y + a_y * a + b_y * b], area)
    }
}

/// Sums over points.
struct Changes<V> {
    values: [V; SUMS],
    local: [Local<V>; SUMS],
    bent: Bent<V>,
}

impl BristleParameters {
    /// Change of μ with the square of the slip speed.
    #[inline(always)]
    fn coefficient_change<V: Lanes>(&self, zero: V, square: V) -> V {
        let mut change = zero;
        if self.coefficient < self.static_coefficient {
            let per = 1.0 / (self.stribeck_velocity * self.stribeck_velocity);
            let whole = square * per + 1.0;
            change = (zero + (self.coefficient - self.static_coefficient) * per) / (whole * whole);
        }
        if 0.0 < self.viscous {
            let is_there = zero.less(square);
            let speed = is_there.choose(square, zero + 1.0).sqrt();
            change = change + is_there.keep((zero + 0.5 * self.viscous) / speed);
        }
        change
    }
}

impl<V: Lanes> Slipping<'_, V> {
    /// How bristles over regions change; `normal` and `moment` are the changes of the normal force and its moments.
    #[inline(always)]
    pub fn bristle_change<R: Registers<Vector = V, Mask = V::Mask>>(
        &self,
        registers: R,
        bristles: &BristleParameters,
        kind: PressureKind,
        (corners, sides, region): Regioned<V>,
        (normal, moment): (&Local<V>, &[Local<V>; 2]),
    ) -> (Tangential<V>, Bent<V>) {
        let zero = registers.splat(0.0);
        let mut changes = Changes { values: [zero; SUMS], local: [[zero; NUMBERS]; SUMS], bent: [[zero; 3]; SUMS] };
        let is_stuck = zero.less(sides.stuck.magnitude());
        if is_stuck.bits() != 0 {
            let even = region.even_load(zero, is_stuck);
            let area = even.force * sides.stuck * 0.25;
            for (s, t) in FOUR_POINTS {
                self.add_change(zero, bristles, kind, even.point(s, t), (area, true), (region, &mut changes));
            }
        }
        let is_there = zero.less(sides.slipping);
        if is_there.bits() != 0 {
            let fan = Fan::new(zero, corners, region, is_there);
            for index in 0..corners.len() * TRIANGLE_RULE.len() {
                let ([a, b], weight) = TRIANGLE_RULE[index % TRIANGLE_RULE.len()];
                let (at, area) = fan.point(zero, corners, index / TRIANGLE_RULE.len(), [a, b], weight);
                let area = area * sides.slipping;
                self.add_change(zero, bristles, kind, at, (area, false), (region, &mut changes));
            }
        }
        let Changes { values, local: [x, y, spin, stress], bent } = changes;
        let tangential = Tangential {
            value: [values[0], values[1], values[2]],
            force: [x, y],
            spin,
            power: [zero; NUMBERS],
            // The place of the force is that of the pressure.
            magnitudes: Magnitudes::Own { stress, whole: *normal, position: *moment },
        };
        (tangential, bent)
    }

    /// Adds a point that stands for an area.
    #[inline(always)]
    fn add_change(
        &self,
        zero: V,
        bristles: &BristleParameters,
        kind: PressureKind,
        at: [V; 2],
        (area, sticks): (V, bool),
        (region, changes): (&RegionLanes<V>, &mut Changes<V>),
    ) {
        let law = self.law;
        let (depth, closing) = (self.depth.at(at), self.closing.at(at));
        let pressure = law.pressure(zero, kind, depth, closing);
        let (mut by_depth, mut by_closing) = (zero + law.stiffness, zero + law.damping);
        if kind == PressureKind::Fading {
            let slope = law.damping / law.transition_depth;
            (by_depth, by_closing) = (closing * slope + law.stiffness, depth * slope);
        }
        let ([t_x, t_y], [v_x, v_y]) = (self.trial(bristles, at), self.slip(at));
        let square = v_x * v_x + v_y * v_y;
        let coefficient = bristles.coefficient_at(zero, square);
        let limit = coefficient * pressure;
        let length = (t_x * t_x + t_y * t_y).sqrt();
        let is_there = zero.less(length);
        let per = is_there.keep((zero + 1.0) / is_there.choose(length, zero + 1.0));
        let (u_x, u_y) = (t_x * per, t_y * per);
        let none = PointChange { value: zero, pressure: zero, trial: [zero; 2], slip: [zero; 2] };
        // Of the magnitude, and along both axes.
        let mut stress = PointChange { value: length * area, trial: [u_x * area, u_y * area], ..none };
        let mut x = PointChange { value: t_x * area, trial: [area, zero], ..none };
        let mut y = PointChange { value: t_y * area, trial: [zero, area], ..none };
        let slips = limit.less(length);
        if !sticks && slips.bits() != 0 {
            let of_slip = bristles.coefficient_change(zero, square) * pressure * area * 2.0;
            let of_limit = PointChange {
                value: limit * area,
                pressure: coefficient * area,
                trial: [zero; 2],
                slip: [v_x * of_slip, v_y * of_slip],
            };
            let turn = limit * per * area;
            let across = [[u_y * u_y, -(u_x * u_y)], [-(u_x * u_y), u_x * u_x]];
            let mut of_x = PointChange::combined(zero, u_x, &of_limit, zero, &none);
            let mut of_y = PointChange::combined(zero, u_y, &of_limit, zero, &none);
            of_x.trial = [across[0][0] * turn, across[0][1] * turn];
            of_y.trial = [across[1][0] * turn, across[1][1] * turn];
            stress = chosen(slips, &of_limit, &stress);
            x = chosen(slips, &of_x, &x);
            y = chosen(slips, &of_y, &y);
        }
        let (from_x, from_y) = (at[0] + self.face.origin[0], at[1] + self.face.origin[1]);
        let spin = PointChange::combined(zero, from_x, &y, -from_y, &x);
        let (x_there, y_there) = (at[0] - region.origin[0], at[1] - region.origin[1]);
        let all = [x, y, spin, stress];
        for (sum, change) in all.iter().enumerate() {
            changes.values[sum] = changes.values[sum] + change.value;
            let (of_depth, of_closing) = (change.pressure * by_depth, change.pressure * by_closing);
            let [of_x, of_y] = change.trial;
            let slip_x = change.slip[0] + of_x * bristles.damping;
            let slip_y = change.slip[1] + of_y * bristles.damping;
            let (bent_x, bent_y) = (of_x * bristles.stiffness, of_y * bristles.stiffness);
            let local = &mut changes.local[sum];
            for (from, number) in [(0, of_depth), (CLOSING, of_closing)] {
                local[from] = local[from] + number;
                local[from + 1] = local[from + 1] + number * x_there;
                local[from + 2] = local[from + 2] + number * y_there;
            }
            local[SLIP] = local[SLIP] + slip_x;
            local[SLIP + 1] = local[SLIP + 1] + slip_y;
            local[SLIP + 2] = local[SLIP + 2] + (slip_y * x_there - slip_x * y_there);
            let bent = &mut changes.bent[sum];
            *bent = [bent[0] + bent_x, bent[1] + bent_y, bent[2] + (bent_y * x_there - bent_x * y_there)];
        }
    }
}

#[inline(always)]
fn chosen<V: Lanes>(which: V::Mask, a: &PointChange<V>, b: &PointChange<V>) -> PointChange<V> {
    PointChange {
        value: which.choose(a.value, b.value),
        pressure: which.choose(a.pressure, b.pressure),
        trial: [which.choose(a.trial[0], b.trial[0]), which.choose(a.trial[1], b.trial[1])],
        slip: [which.choose(a.slip[0], b.slip[0]), which.choose(a.slip[1], b.slip[1])],
    }
}

/// Adds changes with the deflection.
#[inline(always)]
pub fn add_bent<V: Lanes>(zero: V, bent: &Bent<V>, (z, weight): (V, V), out: &Outwards<V>, sums: &mut DerivativeLanes) {
    let mut rows = [[zero; LAW_ROWS]; 3];
    for (number, rows) in rows.iter_mut().enumerate() {
        let of = |sum: usize| bent[sum][number];
        let force = [of(0), of(1)];
        let tangential = TangentialRow { force, spin: of(2), stress: of(3), whole: zero, position: [zero; 2] };
        let row = LocalRow { normal: zero, moment: [zero; 2], tangential: Some(tangential), power: zero };
        *rows = row.in_e(zero, z, weight, out);
    }
    let [x_e, y_e, z_e] = &out.axes;
    let mut changes = [zero; LAW_ROWS];
    for axis in 0..3 {
        for (row, change) in changes.iter_mut().enumerate() {
            *change = x_e[axis] * rows[0][row] + y_e[axis] * rows[1][row];
        }
        out.add_rows(&changes, &mut sums.by_deflection[axis]);
        for (row, change) in changes.iter_mut().enumerate() {
            *change = out.turned_axes[0][axis] * rows[0][row]
                + out.turned_axes[1][axis] * rows[1][row]
                + z_e[axis] * rows[2][row];
        }
        out.add_rows(&changes, &mut sums.by_deflection[3 + axis]);
    }
}
