//! Derivatives with respect to the numbers of the law: stiffness, damping, transition depth, friction.
//!
//! A change of one of them changes the pressure by a multiple of what some depth or closing velocity would: on a face both
//! are linear functions, so that the derivatives by the nine numbers (see [`super::derivatives`]) give those by the
//! numbers of the law. Friction depends on slip over regularisation velocity only, which gives the derivative by the
//! latter. Only the power of damping has terms of its own. What is zero has no derivative here.

use super::derivatives::{CLOSING, DerivativeLanes, LocalRow, LocalRows, NUMBERS, Outwards, Rows, SLIP, TangentialRow};
use super::friction::{FOUR_POINTS, Loaded, Slipping, TRIANGLE_RULE};
use super::friction_change::{Magnitudes, Tangential};
use super::moments::Moments;
use super::{GroupLanes, Law, PressureKind, RegionLanes};
use crate::contact::integrate::LawNumber;
use crate::contact::integrate::derivatives::{LAW_ROWS, POWER};
use crate::contact::parameters::FrictionParameters;
use crate::contact::pieces::Linear;
use crate::lanes::{Lanes, Mask, Registers};

/// A change of the law as a change of three of the nine numbers.
struct NumberChange<V> {
    number: LawNumber,
    /// The first of the three.
    from: usize,
    factors: [V; 3],
    /// Of the power of damping, and of friction with its own slip.
    power: V,
}

/// Derivatives by the nine numbers, and how they reach E.
pub struct Known<'a, V> {
    /// In the frame of the face.
    pub rows: &'a LocalRows<V>,
    /// In E.
    pub rows_e: &'a [Rows<V>; NUMBERS],
    /// From the reference point to the face, along its normal.
    pub z: V,
    pub weight: V,
    pub out: &'a Outwards<V>,
}

impl<V: Lanes> NumberChange<V> {
    #[inline(always)]
    fn add_to(&self, zero: V, known: &Known<V>, sums: &mut DerivativeLanes) {
        let Known { rows, rows_e, weight, out, .. } = known;
        let mut total = [zero; LAW_ROWS];
        let mut power = self.power;
        for (index, factor) in self.factors.iter().enumerate() {
            let number = self.from + index;
            for (row, sum) in total.iter_mut().enumerate() {
                *sum = *sum + *factor * rows_e[number][row];
            }
            if let Some(tangential) = &rows.tangential {
                power = power + *factor * tangential.power[number];
            }
        }
        total[POWER] = power * *weight;
        out.add_rows(&total, &mut sums.by_number[self.number as usize]);
    }
}

impl Law {
    /// Adds the derivatives of regions over which the pressure is of one kind; given those by the nine numbers.
    #[inline(always)]
    pub(super) fn add_number_changes<R: Registers>(
        &self,
        registers: R,
        kind: PressureKind,
        group: &GroupLanes<R::Vector, R::Mask>,
        region: &RegionLanes<R::Vector>,
        known: &Known<R::Vector>,
        sums: &mut DerivativeLanes,
    ) {
        let zero = registers.splat(0.0);
        let Known { rows, z, weight, out, .. } = known;
        self.stiffness_change(zero, kind, region).add_to(zero, known, sums);
        if 0.0 < self.damping && kind != PressureKind::Idle {
            self.damping_change(zero, kind, region).add_to(zero, known, sums);
        }
        if kind == PressureKind::Fading {
            self.transition_change(region).add_to(zero, known, sums);
        }
        if let (Some(friction), Some(tangential)) = (self.friction, &rows.tangential) {
            let closing = self.closing(&group.face);
            let at = Slipping { law: self, face: &group.face, depth: &group.depth, closing: &closing };
            let power = at.power(region, tangential.value);
            let per = -1.0 / friction.regularization_velocity;
            let [slip_x, slip_y] = at.slip(region.origin);
            let change = NumberChange {
                number: LawNumber::FrictionRegularizationVelocity,
                from: SLIP,
                factors: [slip_x * per, slip_y * per, group.face.angular_velocity[2] * per],
                // The slip itself stays.
                power: power * -per,
            };
            change.add_to(zero, known, sums);
            let row = at.coefficient_change(registers, kind, group, region, (tangential, power));
            let rows = row.in_e(zero, *z, *weight, out);
            out.add_rows(&rows, &mut sums.by_number[LawNumber::FrictionCoefficient as usize]);
        }
    }

    /// The springs' power is not dissipated: where the layers would pull, damping takes what they give.
    #[inline(always)]
    fn stiffness_change<V: Lanes>(&self, zero: V, kind: PressureKind, region: &RegionLanes<V>) -> NumberChange<V> {
        let RegionLanes { moments, depth, closing, .. } = region;
        let (mut from, mut factors, mut power) = (0, [zero; 3], zero);
        match kind {
            PressureKind::Full => factors = numbers(depth, 1.0 / self.stiffness),
            // u (c + d v / u_d): as with the same closing velocity everywhere.
            PressureKind::Fading => {
                (from, factors[0]) = (CLOSING, zero + self.transition_depth / self.damping);
            }
            PressureKind::Idle => power = -product_integral(moments, depth, closing),
        }
        NumberChange { number: LawNumber::CombinedLayerStiffness, from, factors, power }
    }

    #[inline(always)]
    fn damping_change<V: Lanes>(&self, zero: V, kind: PressureKind, region: &RegionLanes<V>) -> NumberChange<V> {
        let RegionLanes { moments, closing, .. } = region;
        let power = match kind {
            PressureKind::Full => product_integral(moments, closing, closing),
            PressureKind::Fading => fading_power(region) * (1.0 / self.transition_depth),
            PressureKind::Idle => zero,
        };
        let factors = numbers(closing, 1.0 / self.damping);
        NumberChange { number: LawNumber::ArealDamping, from: CLOSING, factors, power }
    }

    #[inline(always)]
    fn transition_change<V: Lanes>(&self, region: &RegionLanes<V>) -> NumberChange<V> {
        let per = -1.0 / self.transition_depth;
        let power = fading_power(region) * (self.damping * per / self.transition_depth);
        let factors = numbers(&region.closing, per);
        NumberChange { number: LawNumber::DampingTransitionDepth, from: CLOSING, factors, power }
    }
}

/// A multiple of a function, as three of the nine numbers.
#[inline(always)]
fn numbers<V: Lanes>(function: &Linear<V>, factor: f64) -> [V; 3] {
    [function.at_origin * factor, function.gradient[0] * factor, function.gradient[1] * factor]
}

/// The integral of a product.
#[inline(always)]
fn product_integral<V: Lanes>(moments: &Moments<V>, f: &Linear<V>, g: &Linear<V>) -> V {
    let [x, y] = moments.first_of(f);
    g.at_origin * moments.integral(f) + g.gradient[0] * x + g.gradient[1] * y
}

/// ∫ u v_n² dA.
#[inline(always)]
fn fading_power<V: Lanes>(region: &RegionLanes<V>) -> V {
    let squares = region.moments.of_product(&region.closing, &region.closing);
    let Linear { at_origin, gradient: [x, y] } = region.depth;
    at_origin * squares.total + x * squares.first[0] + y * squares.first[1]
}

/// Takes the points that friction is summed up at.
trait PointVisitor<V> {
    /// One of the four points that share a region, with its part.
    fn take_part(&mut self, zero: V, at: [V; 2], part: V);
    /// A point of the quadrature, with its area.
    fn take_area(&mut self, zero: V, at: [V; 2], area: V);
}

/// By the coefficient of friction, of ∫ |τ| dA and of ∫ |dF|, alone and with x and y from the reference point.
struct MagnitudeChange<'a, V> {
    at: &'a Slipping<'a, V>,
    friction: &'a FrictionParameters,
    kind: PressureKind,
    /// Of the region.
    force: V,
    sums: [V; 4],
}

impl<V: Lanes> MagnitudeChange<'_, V> {
    #[inline(always)]
    fn add(&mut self, zero: V, at: [V; 2], force: V) {
        let [v_x, v_y] = self.at.slip(at);
        let speed = (v_x * v_x + v_y * v_y).sqrt();
        // Of √(1 + (μ h)²): μ h² over it.
        let stress = self.friction.per_velocity(zero, speed) * speed;
        let (of_stress, whole) = (stress * (1.0 / self.friction.coefficient), (stress * stress + 1.0).sqrt());
        let of_whole = force * of_stress * stress / whole;
        let (x, y) = (at[0] + self.at.face.origin[0], at[1] + self.at.face.origin[1]);
        let [sum, sum_whole, sum_x, sum_y] = self.sums;
        self.sums = [sum + force * of_stress, sum_whole + of_whole, sum_x + of_whole * x, sum_y + of_whole * y];
    }
}

impl<V: Lanes> PointVisitor<V> for MagnitudeChange<'_, V> {
    #[inline(always)]
    fn take_part(&mut self, zero: V, at: [V; 2], part: V) {
        self.add(zero, at, self.force * part);
    }

    #[inline(always)]
    fn take_area(&mut self, zero: V, at: [V; 2], area: V) {
        let pressure = self.at.law.pressure(zero, self.kind, self.at.depth.at(at), self.at.closing.at(at));
        self.add(zero, at, pressure * area);
    }
}

/// Of ∫ |v_t| dA, by the slip at the origin of the region and by the spin.
struct SpeedChange<'a, V> {
    at: &'a Slipping<'a, V>,
    origin: [V; 2],
    /// Of the region.
    area: V,
    sums: [V; 3],
}

impl<V: Lanes> PointVisitor<V> for SpeedChange<'_, V> {
    #[inline(always)]
    fn take_part(&mut self, zero: V, at: [V; 2], part: V) {
        self.take_area(zero, at, self.area * part);
    }

    #[inline(always)]
    fn take_area(&mut self, zero: V, at: [V; 2], area: V) {
        let [v_x, v_y] = self.at.slip(at);
        let square = v_x * v_x + v_y * v_y;
        let is_moving = zero.less(square);
        let per_speed = is_moving.keep(area / is_moving.choose(square, zero + 1.0).sqrt());
        let (x, y) = (v_x * per_speed, v_y * per_speed);
        let (from_x, from_y) = (at[0] - self.origin[0], at[1] - self.origin[1]);
        self.sums = [self.sums[0] + x, self.sums[1] + y, self.sums[2] + (y * from_x - x * from_y)];
    }
}

impl<V: Lanes> Slipping<'_, V> {
    /// The power of friction, from its force and moment.
    #[inline(always)]
    fn power(&self, region: &RegionLanes<V>, [force_x, force_y, moment]: [V; 3]) -> V {
        let [v_x, v_y] = self.slip(region.origin);
        let (x, y) = (region.origin[0] + self.face.origin[0], region.origin[1] + self.face.origin[1]);
        // The moment is about the reference point.
        let moment = moment - x * force_y + y * force_x;
        force_x * v_x + force_y * v_y + moment * self.face.angular_velocity[2]
    }

    /// Derivatives by the coefficient of friction, to which stresses are proportional.
    #[inline(always)]
    fn coefficient_change<R: Registers<Vector = V, Mask = V::Mask>>(
        &self,
        registers: R,
        kind: PressureKind,
        group: &GroupLanes<V, V::Mask>,
        region: &RegionLanes<V>,
        (tangential, power): (&Tangential<V>, V),
    ) -> LocalRow<V> {
        let zero = registers.splat(0.0);
        let mut row = LocalRow { normal: zero, moment: [zero; 2], tangential: None, power: zero };
        let Some(friction) = &self.law.friction else { return row };
        let per = 1.0 / friction.coefficient;
        row.power = power * per;
        let [force_x, force_y, spin] = tangential.value;
        let [stress, whole, x, y] = match &tangential.magnitudes {
            Magnitudes::OfPressure([coefficient, of_whole]) => {
                let (total, first) = (region.pressure.total, region.pressure.first);
                let at = [region.origin[0] + self.face.origin[0], region.origin[1] + self.face.origin[1]];
                let share = coefficient / of_whole;
                let (x, y) = (first[0] + at[0] * total, first[1] + at[1] * total);
                [total, total * share, x * share, y * share]
            }
            Magnitudes::Own { .. } => self.magnitudes_by_coefficient(registers, friction, kind, group, region),
        };
        let force = [force_x * per, force_y * per];
        row.tangential = Some(TangentialRow { force, spin: spin * per, stress, whole, position: [x, y] });
        row
    }

    /// Of ∫ |τ| dA and of ∫ |dF|, alone and with x and y from the reference point.
    #[inline(always)]
    fn magnitudes_by_coefficient<R: Registers<Vector = V, Mask = V::Mask>>(
        &self,
        registers: R,
        friction: &FrictionParameters,
        kind: PressureKind,
        group: &GroupLanes<V, V::Mask>,
        region: &RegionLanes<V>,
    ) -> [V; 4] {
        let zero = registers.splat(0.0);
        let mut sums = MagnitudeChange { at: self, friction, kind, force: region.loaded.force, sums: [zero; 4] };
        self.visit_points(registers, &group.corners[..group.count], region, &region.loaded, &mut sums);
        sums.sums
    }

    /// How ∫ |v_t| dA changes with the slip at the origin of the region and with the spin.
    #[inline(always)]
    pub fn speed_change<R: Registers<Vector = V, Mask = V::Mask>>(
        &self,
        registers: R,
        group: &GroupLanes<V, V::Mask>,
        region: &RegionLanes<V>,
    ) -> [V; 3] {
        let zero = registers.splat(0.0);
        let even = region.even_load(zero, group.is_there);
        let mut sums = SpeedChange { at: self, origin: region.origin, area: even.force, sums: [zero; 3] };
        self.visit_points(registers, &group.corners[..group.count], region, &even, &mut sums);
        sums.sums
    }

    /// Visits the points that friction is summed up at; four of them are those of `load`.
    #[inline(always)]
    fn visit_points<R: Registers<Vector = V>>(
        &self,
        registers: R,
        corners: &[[V; 2]],
        region: &RegionLanes<V>,
        load: &Loaded<V>,
        visitor: &mut impl PointVisitor<V>,
    ) {
        let zero = registers.splat(0.0);
        let fine = self.fine_share(registers, corners, &region.loaded);
        let quarter = (zero + 1.0 - fine) * 0.25;
        for (s, t) in FOUR_POINTS {
            visitor.take_part(zero, load.point(s, t), quarter);
        }
        if zero.less(fine).bits() == 0 {
            return;
        }
        let is_there = zero.less(fine);
        let per_area = is_there.keep((zero + 1.0) / is_there.choose(region.moments.area, zero + 1.0));
        let first = region.moments.first;
        let [c_x, c_y] = [corners[0][0] + first[0] * per_area, corners[0][1] + first[1] * per_area];
        let last = corners[corners.len() - 1];
        let (mut a_x, mut a_y) = (last[0] - c_x, last[1] - c_y);
        for corner in corners {
            let (b_x, b_y) = (corner[0] - c_x, corner[1] - c_y);
            let area = is_there.keep((a_x * b_y - a_y * b_x).larger(zero) * 0.5 * fine);
            for ([a, b], weight) in TRIANGLE_RULE {
                visitor.take_area(zero, [c_x + a_x * a + b_x * b, c_y + a_y * a + b_y * b], area * weight);
            }
            (a_x, a_y) = (b_x, b_y);
        }
    }
}
