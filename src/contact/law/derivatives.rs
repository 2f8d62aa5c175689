//! Derivatives with respect to the motion of the field's body and to the velocity, integrated over the same regions.
//!
//! On a face the law knows nine numbers: the depth and the closing velocity as linear functions of the place, and the slip
//! as a rigid motion in the plane. Everything is differentiated with respect to these in the frame of the face, from
//! moments of the region, and then with respect to the motions along the axes of E.
//!
//! The pressure is continuous across the borders of regions, and none at the border of the contact, so that integrals
//! change as their integrands do. What the border of the contact adds where that is not so is in [`super::border`].

use super::bristle_change::add_bent;
use super::faces::FaceLanes;
use super::friction::Slipping;
use super::friction_change::{Magnitudes, Tangential};
use super::limit_line::Sides;
use super::moments::{Moments, ThirdMoments};
use super::number_change::Known;
use super::{GroupLanes, Law, PressureKind, RegionLanes, Regions};
use crate::contact::integrate::derivatives::{
    BED, CLOSING_VELOCITY, Column, DIRECTION, DerivativeSums, ENERGY, FORCE, LAW_NUMBERS, LAW_ROWS, MAGNITUDE,
    MotionAtReference, NORMAL, PENETRATION, POSITION, POWER, ROWS, SHEAR, SLIP_SPEED, TORQUE, add_multiple,
};
use crate::contact::integrate::totals::ElementIntegrals;
use crate::contact::pieces::Linear;
use crate::lanes::{Lanes, MOST_LANES, Mask, Registers, Sums, cross, sum};

/// The depth at the origin and along x and y, the closing velocity likewise, the slip at the origin, and the spin.
pub const NUMBERS: usize = 9;

/// Where those of the closing velocity and the slip begin.
pub const CLOSING: usize = 3;
pub const SLIP: usize = 6;

/// Derivatives of one quantity with respect to the nine numbers.
pub type Local<V> = [V; NUMBERS];

/// Where the product of each of 1, x, y, xx, xy and yy with 1, x and y is in [`ThirdMoments`].
pub const PRODUCTS: [[usize; 3]; 6] = [[0, 1, 2], [1, 3, 4], [2, 4, 5], [3, 6, 7], [4, 7, 8], [5, 8, 9]];

/// The rows that are summed up over regions; the area follows from the border, the energy from the springs.
pub const REGION_ROWS: usize = BED + 1;

/// One derivative of a region's rows, by lane.
pub type RegionSums = [Sums; REGION_ROWS];

/// Sums over regions, resolved in E.
#[derive(Clone, Copy, Debug)]
pub struct DerivativeLanes {
    by_field: [RegionSums; 6],
    by_velocity: [RegionSums; 6],
    pub by_deflection: [RegionSums; 6],
    pub by_number: [RegionSums; LAW_NUMBERS],
    /// Force and torque of the springs on E.
    elastic: [Sums; 6],
}

impl Default for DerivativeLanes {
    fn default() -> Self {
        let none = [[0.0; 4]; REGION_ROWS];
        DerivativeLanes {
            by_field: [none; 6],
            by_velocity: [none; 6],
            by_deflection: [none; 6],
            by_number: [none; LAW_NUMBERS],
            elastic: [[0.0; 4]; 6],
        }
    }
}

impl DerivativeLanes {
    /// Adds everything; `integrals` are those of the same faces.
    pub fn finish(
        &self,
        law: &Law,
        integrals: &ElementIntegrals,
        motion: &MotionAtReference,
        sums: &mut DerivativeSums,
    ) {
        let column = |lanes: &RegionSums| {
            let mut column: Column = [0.0; ROWS];
            column.iter_mut().zip(lanes).for_each(|(row, lanes)| *row = sum(*lanes));
            column
        };
        sums.add_faces(
            law.body(),
            &self.by_field.map(|of| column(&of)),
            [&self.by_velocity.map(|of| column(&of)), &self.by_deflection.map(|of| column(&of))],
            integrals,
            motion,
        );
        for (sums, lanes) in sums.by_number.iter_mut().zip(&self.by_number) {
            add_multiple(sums, 1.0, &column(lanes));
        }
        // By the principle of virtual power the energy changes by what the springs exert on E, whatever moves.
        for (column, lanes) in sums.by_pose.iter_mut().zip(self.elastic) {
            column[ENERGY] += sum(lanes);
        }
    }
}

/// Quantities of a region in the frame of its face, by the nine numbers; moments are about the reference point.
pub struct LocalRows<V> {
    pub normal: Local<V>,
    /// Of the pressure, with x and y.
    pub moment: [Local<V>; 2],
    /// Of damping.
    pub power: Local<V>,
    pub tangential: Option<Tangential<V>>,
}

/// One derivative of the quantities of a region, in the frame of its face; moments are about the reference point.
pub struct LocalRow<V> {
    pub normal: V,
    pub moment: [V; 2],
    pub tangential: Option<TangentialRow<V>>,
    pub power: V,
}

/// What friction adds to it.
pub struct TangentialRow<V> {
    pub force: [V; 2],
    /// About the normal.
    pub spin: V,
    /// ∫ |τ| dA.
    pub stress: V,
    /// ∫ |dF|, and with x and y.
    pub whole: V,
    pub position: [V; 2],
}

/// What is known of regions: how depths below edges and vertices change, and how bristles are summed up.
pub type KnownRegion<'a, V> = (&'a RegionLanes<V>, Option<RoundedLanes<V>>, Option<&'a Sides<V>>);

impl Law {
    /// Adds the derivatives of regions over which the pressure is of one kind; `is_whole` if also those of velocities
    /// and by the numbers of the law.
    #[inline(always)]
    pub(super) fn add_derivatives<R: Registers>(
        &self,
        registers: R,
        kind: PressureKind,
        group: &GroupLanes<R::Vector, R::Mask>,
        (region, rounded, sides): KnownRegion<R::Vector>,
        is_whole: bool,
        sums: &mut DerivativeLanes,
    ) {
        let zero = registers.splat(0.0);
        let weight = group.is_there.keep(registers.splat(self.weight));
        let (face, origin) = (&group.face, region.origin);
        // From the reference point to the origin of the region.
        let [x, y, z] = [face.origin[0] + origin[0], face.origin[1] + origin[1], face.origin[2]];
        let mut out = Outwards::new(zero, self.into_e, group, [x, y, z]);
        if let Some(rounded) = rounded {
            out.take(origin, &rounded);
        }
        self.add_still_rows(region, weight, &out, sums);

        let mut rows = LocalRows {
            normal: [zero; NUMBERS],
            moment: [[zero; NUMBERS]; 2],
            power: self.power_change(zero, kind, region),
            tangential: None,
        };
        if kind != PressureKind::Idle {
            let [by_depth, by_closing] = self.pressure_change(zero, kind, region);
            for number in 0..3 {
                for (from, moments) in [(0, &by_depth.0), (CLOSING, &by_closing.0)] {
                    let total = moments[PRODUCTS[0][number]];
                    rows.normal[from + number] = total;
                    rows.moment[0][from + number] = moments[PRODUCTS[1][number]] + total * x;
                    rows.moment[1][from + number] = moments[PRODUCTS[2][number]] + total * y;
                }
            }
            if let Some(friction) = self.friction {
                let closing = self.closing(face);
                let at = Slipping { law: self, face, depth: &group.depth, closing: &closing };
                let corners = &group.corners[..group.count];
                // Where the pressure is linear, it changes with the closing velocity as with the depth.
                let alike = (kind == PressureKind::Full).then(|| self.damping / self.stiffness);
                let changes = (&by_depth, alike.ok_or(&by_closing));
                rows.tangential = Some(at.tangential_change(registers, &friction, kind, corners, region, changes));
            } else if let (Some(bristles), Some(sides)) = (self.bristles, sides) {
                let closing = self.closing(face);
                let at = Slipping { law: self, face, depth: &group.depth, closing: &closing };
                let there = (&group.corners[..group.count], sides, region);
                let normal = (&rows.normal, &rows.moment);
                let (tangential, bent) = at.bristle_change(registers, &bristles, kind, there, normal);
                rows.tangential = Some(tangential);
                add_bent(zero, &bent, (z, weight), &out, sums);
            }
        }
        let rows_e = rows.add_to(zero, z, weight, &out, sums);
        if is_whole {
            self.add_velocity_rows(registers, group, region, weight, &out, sums);
            let known = Known { rows: &rows, rows_e: &rows_e, z, weight, out: &out };
            self.add_number_changes(registers, kind, group, region, &known, sums);
        }
    }

    /// Adds how the integrals of closing and slip velocities change with the velocity.
    #[inline(always)]
    fn add_velocity_rows<R: Registers>(
        &self,
        registers: R,
        group: &GroupLanes<R::Vector, R::Mask>,
        region: &RegionLanes<R::Vector>,
        weight: R::Vector,
        out: &Outwards<R::Vector>,
        sums: &mut DerivativeLanes,
    ) {
        let RegionLanes { moments, .. } = region;
        let [area, x, y] = [moments.area * weight, moments.first[0] * weight, moments.first[1] * weight];
        for axis in 0..3 {
            (out.normal[axis] * area).add_to(&mut sums.by_velocity[axis][CLOSING_VELOCITY]);
            (out.torque_of_normal[axis] * area + out.spin_x[axis] * x + out.spin_y[axis] * y)
                .add_to(&mut sums.by_velocity[3 + axis][CLOSING_VELOCITY]);
        }
        if !self.is_moving {
            return;
        }
        let closing = self.closing(&group.face);
        let at = Slipping { law: self, face: &group.face, depth: &group.depth, closing: &closing };
        let [slip_x, slip_y, spin] = at.speed_change(registers, group, region);
        let [slip_x, slip_y, spin] = [slip_x * weight, slip_y * weight, spin * weight];
        let [x_e, y_e, z_e] = &out.axes;
        for axis in 0..3 {
            (x_e[axis] * slip_x + y_e[axis] * slip_y).add_to(&mut sums.by_velocity[axis][SLIP_SPEED]);
            (out.turned_axes[0][axis] * slip_x + out.turned_axes[1][axis] * slip_y + z_e[axis] * spin)
                .add_to(&mut sums.by_velocity[3 + axis][SLIP_SPEED]);
        }
    }

    /// Adds penetration, bed energy and the springs' wrench.
    #[inline(always)]
    fn add_still_rows<V: Lanes>(
        &self,
        region: &RegionLanes<V>,
        weight: V,
        out: &Outwards<V>,
        sums: &mut DerivativeLanes,
    ) {
        let RegionLanes { moments, depth, .. } = region;
        let springs = weight * self.stiffness;
        let integral = moments.integral(depth) * springs;
        let [first_x, first_y] = moments.first_of(depth);
        let (first_x, first_y) = (first_x * springs, first_y * springs);
        let penetration = [moments.area * weight, moments.first[0] * weight, moments.first[1] * weight];
        let bed = [integral, first_x, first_y];
        for axis in 0..3 {
            let force = out.normal[axis] * integral;
            force.add_to(&mut sums.elastic[axis]);
            let torque =
                out.torque_of_normal[axis] * integral + out.spin_x[axis] * first_x + out.spin_y[axis] * first_y;
            torque.add_to(&mut sums.elastic[3 + axis]);
            for (row, numbers) in [(PENETRATION, &penetration), (BED, &bed)] {
                let mut translation = out.depth[0][axis] * numbers[0];
                if out.is_rounded {
                    translation = translation + out.depth[1][axis] * numbers[1] + out.depth[2][axis] * numbers[2];
                }
                translation.add_to(&mut sums.by_field[axis][row]);
                let rotation = out.depth_turning[0][axis] * numbers[0]
                    + out.depth_turning[1][axis] * numbers[1]
                    + out.depth_turning[2][axis] * numbers[2];
                rotation.add_to(&mut sums.by_field[3 + axis][row]);
            }
        }
    }

    /// Integrals of the change of the pressure with the depth and with the closing velocity.
    #[inline(always)]
    fn pressure_change<V: Lanes>(&self, zero: V, kind: PressureKind, region: &RegionLanes<V>) -> [ThirdMoments<V>; 2] {
        let RegionLanes { moments, depth, closing, .. } = region;
        match kind {
            PressureKind::Full => {
                let all = moments.all();
                [scaled(&all, self.stiffness), scaled(&all, self.damping)]
            }
            PressureKind::Fading => {
                let slope = self.damping / self.transition_depth;
                let mut factor = closing.combined(slope, closing, 0.0);
                factor.at_origin = factor.at_origin + self.stiffness;
                [moments.all_of_linear(&factor), scaled(&moments.all_of_linear(depth), slope)]
            }
            PressureKind::Idle => [ThirdMoments([zero; 10]); 2],
        }
    }

    /// How the power of damping, ∫ (p − c u) v_n dA, changes.
    #[inline(always)]
    fn power_change<V: Lanes>(&self, zero: V, kind: PressureKind, region: &RegionLanes<V>) -> Local<V> {
        let RegionLanes { moments, depth, closing, .. } = region;
        let mut local = [zero; NUMBERS];
        match kind {
            PressureKind::Full if self.damping == 0.0 => {}
            PressureKind::Full => {
                put(&mut local, CLOSING, integrals_of(moments, closing), 2.0 * self.damping);
            }
            PressureKind::Fading => {
                let slope = self.damping / self.transition_depth;
                let (squares, products) = (moments.of_product(closing, closing), moments.of_product(depth, closing));
                put(&mut local, 0, [squares.total, squares.first[0], squares.first[1]], slope);
                put(&mut local, CLOSING, [products.total, products.first[0], products.first[1]], 2.0 * slope);
            }
            PressureKind::Idle => {
                put(&mut local, 0, integrals_of(moments, closing), -self.stiffness);
                put(&mut local, CLOSING, integrals_of(moments, depth), -self.stiffness);
            }
        }
        local
    }
}

#[inline(always)]
fn put<V: Lanes>(local: &mut Local<V>, from: usize, numbers: [V; 3], factor: f64) {
    for (index, number) in numbers.into_iter().enumerate() {
        local[from + index] = number * factor;
    }
}

/// Integrals of a linear function, alone and with x and y.
#[inline(always)]
fn integrals_of<V: Lanes>(moments: &Moments<V>, function: &Linear<V>) -> [V; 3] {
    let [x, y] = moments.first_of(function);
    [moments.integral(function), x, y]
}

#[inline(always)]
fn scaled<V: Lanes>(moments: &ThirdMoments<V>, factor: f64) -> ThirdMoments<V> {
    let mut result = *moments;
    for number in &mut result.0 {
        *number = *number * factor;
    }
    result
}

/// How the nine numbers of a face change with motions along the axes of E, and its own axes in E.
pub struct Outwards<V> {
    pub axes: [[V; 3]; 3],
    /// Normal into E.
    pub normal: [V; 3],
    /// From the reference point × the normal, and what x and y add to it.
    pub torque_of_normal: [V; 3],
    pub spin_x: [V; 3],
    pub spin_y: [V; 3],
    /// The depth and its slopes along x and y, with translations of the field; of the slopes only where `is_rounded`.
    pub depth: [[V; 3]; 3],
    /// Likewise with rotations of the field about the reference point.
    pub depth_turning: [[V; 3]; 3],
    pub is_rounded: bool,
    /// From the reference point × the axes along x and y.
    pub turned_axes: [[V; 3]; 2],
}

impl<V: Lanes> Outwards<V> {
    #[inline(always)]
    pub fn new<M: Mask<V>>(zero: V, into_e: f64, group: &GroupLanes<V, M>, position: [V; 3]) -> Self {
        let FaceLanes { frame, .. } = group.face;
        let axes = frame.axes_e;
        let ([g_x, g_y], g_z) = (group.depth.gradient, group.slope_out);
        // The field moves: what the depth was there, it is now a little farther on.
        let gradient = [-g_x, -g_y, -g_z];
        let [p_x, p_y, p_z] = position;
        let turning = [
            cross(position, gradient),
            // Unit vectors along x and y × the gradient.
            [zero, -gradient[2], gradient[1]],
            [gradient[2], zero, -gradient[0]],
        ];
        let [x_e, y_e, z_e] = axes;
        Outwards {
            axes,
            normal: times(z_e, into_e),
            torque_of_normal: times(turned(&axes, [p_y, -p_x, zero]), into_e),
            spin_x: times(y_e, -into_e),
            spin_y: times(x_e, into_e),
            depth: [turned(&axes, gradient), [zero; 3], [zero; 3]],
            is_rounded: false,
            depth_turning: [turned(&axes, turning[0]), turned(&axes, turning[1]), turned(&axes, turning[2])],
            turned_axes: [turned(&axes, [zero, p_z, -p_y]), turned(&axes, [-p_z, zero, p_x])],
        }
    }

    /// Adds one derivative of the rows of the law, and what follows from the magnitudes.
    #[inline(always)]
    pub fn add_rows(&self, rows: &Rows<V>, sums: &mut RegionSums) {
        for (row, sum) in rows.iter().zip(sums.iter_mut()) {
            row.add_to(sum);
        }
        for axis in 0..3 {
            (self.normal[axis] * rows[MAGNITUDE]).add_to(&mut sums[DIRECTION + axis]);
        }
    }

    /// Takes the changes below edges and vertices; `origin` is that of the region.
    #[inline(always)]
    pub fn take(&mut self, origin: [V; 2], rounded: &RoundedLanes<V>) {
        self.is_rounded = true;
        for axis in 0..3 {
            for (depth, column) in [(&mut self.depth, axis), (&mut self.depth_turning, 3 + axis)] {
                let [at_face, x, y] = rounded.columns[column];
                let numbers = [at_face + x * origin[0] + y * origin[1], x, y];
                for (number, of_rounded) in numbers.into_iter().enumerate() {
                    depth[number][axis] = rounded.is_rounded.choose(of_rounded, depth[number][axis]);
                }
            }
        }
    }
}

/// How depths below edges and vertices change, in lanes where they do.
pub struct RoundedLanes<V: Lanes> {
    is_rounded: V::Mask,
    columns: [[V; 3]; 6],
}

impl<V: Lanes> RoundedLanes<V> {
    /// Of the regions of a group, which are at these places; none where there are only depths below faces.
    #[inline(always)]
    pub fn new<R: Registers<Vector = V>>(
        registers: R,
        regions: &Regions,
        place: impl Fn(usize) -> Option<u32>,
    ) -> Option<Self> {
        let mut of_lanes = [None; MOST_LANES];
        if !regions.rounded.is_empty() {
            for (lane, of_lane) in of_lanes.iter_mut().enumerate().take(R::LANES) {
                *of_lane = place(lane).and_then(|place| regions.rounded_change(place));
            }
        }
        if of_lanes.iter().all(Option::is_none) {
            return None;
        }
        let zero = registers.splat(0.0);
        let is_there = registers.vector(|lane| if of_lanes[lane].is_some() { 1.0 } else { 0.0 });
        let mut columns = [[zero; 3]; 6];
        for (index, column) in columns.iter_mut().enumerate() {
            for (number, place) in column.iter_mut().enumerate() {
                *place = registers.vector(|lane| of_lanes[lane].map_or(0.0, |change| change.columns[index][number]));
            }
        }
        Some(RoundedLanes { is_rounded: zero.less(is_there), columns })
    }
}

/// One derivative of the rows that follow from the law, in E.
pub type Rows<V> = [V; LAW_ROWS];

impl<V: Lanes> LocalRows<V> {
    /// Turns rows into E, and the nine numbers into motions, and adds everything; hands out the rows.
    #[inline(always)]
    pub fn add_to(
        &self,
        zero: V,
        z: V,
        weight: V,
        out: &Outwards<V>,
        sums: &mut DerivativeLanes,
    ) -> [Rows<V>; NUMBERS] {
        let numbers = if self.tangential.is_some() { NUMBERS } else { SLIP };
        let mut rows = [[zero; LAW_ROWS]; NUMBERS];
        for (number, row) in rows.iter_mut().enumerate().take(numbers) {
            *row = self.of_number(number).in_e(zero, z, weight, out);
        }
        let [x_e, y_e, z_e] = &out.axes;
        let mut changes = [zero; LAW_ROWS];
        for axis in 0..3 {
            for (row, change) in changes.iter_mut().enumerate() {
                *change = out.depth[0][axis] * rows[0][row];
                if out.is_rounded {
                    *change = *change + out.depth[1][axis] * rows[1][row] + out.depth[2][axis] * rows[2][row];
                }
            }
            out.add_rows(&changes, &mut sums.by_field[axis]);
            let turning = [out.depth_turning[0][axis], out.depth_turning[1][axis], out.depth_turning[2][axis]];
            for (row, change) in changes.iter_mut().enumerate() {
                *change = turning[0] * rows[0][row] + turning[1] * rows[1][row] + turning[2] * rows[2][row];
            }
            out.add_rows(&changes, &mut sums.by_field[3 + axis]);
            for (row, change) in changes.iter_mut().enumerate() {
                *change = out.normal[axis] * rows[CLOSING][row];
                if self.tangential.is_some() {
                    *change = *change + x_e[axis] * rows[SLIP][row] + y_e[axis] * rows[SLIP + 1][row];
                }
            }
            out.add_rows(&changes, &mut sums.by_velocity[axis]);
            for (row, change) in changes.iter_mut().enumerate() {
                *change = out.torque_of_normal[axis] * rows[CLOSING][row]
                    + out.spin_x[axis] * rows[CLOSING + 1][row]
                    + out.spin_y[axis] * rows[CLOSING + 2][row];
                if self.tangential.is_some() {
                    *change = *change
                        + out.turned_axes[0][axis] * rows[SLIP][row]
                        + out.turned_axes[1][axis] * rows[SLIP + 1][row]
                        + z_e[axis] * rows[SLIP + 2][row];
                }
            }
            out.add_rows(&changes, &mut sums.by_velocity[3 + axis]);
        }
        rows
    }

    #[inline(always)]
    fn of_number(&self, number: usize) -> LocalRow<V> {
        let (normal, moment) = (self.normal[number], [self.moment[0][number], self.moment[1][number]]);
        let mut row = LocalRow { normal, moment, tangential: None, power: self.power[number] };
        if let Some(tangential) = &self.tangential {
            let (stress, whole, position) = match &tangential.magnitudes {
                Magnitudes::OfPressure([of_stress, of_whole]) => {
                    (normal * *of_stress, normal * *of_whole, [moment[0] * *of_whole, moment[1] * *of_whole])
                }
                Magnitudes::Own { stress, whole, position: [x, y] } => {
                    (stress[number], whole[number], [x[number], y[number]])
                }
            };
            row.power = row.power + tangential.power[number];
            let force = [tangential.force[0][number], tangential.force[1][number]];
            row.tangential = Some(TangentialRow { force, spin: tangential.spin[number], stress, whole, position });
        }
        row
    }
}

impl<V: Lanes> LocalRow<V> {
    /// Turned into E.
    #[inline(always)]
    pub fn in_e(&self, zero: V, z: V, weight: V, out: &Outwards<V>) -> Rows<V> {
        let normal = self.normal * weight;
        let (moment_x, moment_y) = (self.moment[0] * weight, self.moment[1] * weight);
        let mut rows = [zero; LAW_ROWS];
        let (mut magnitude, mut position) = (normal, [moment_x, moment_y]);
        let [x_e, y_e, _] = &out.axes;
        for axis in 0..3 {
            rows[FORCE + axis] = out.normal[axis] * normal;
            rows[TORQUE + axis] = out.spin_x[axis] * moment_x + out.spin_y[axis] * moment_y;
        }
        if let Some(tangential) = &self.tangential {
            let (force_x, force_y) = (tangential.force[0] * weight, tangential.force[1] * weight);
            let spin = tangential.spin * weight;
            for axis in 0..3 {
                rows[FORCE + axis] = rows[FORCE + axis] + x_e[axis] * force_x + y_e[axis] * force_y;
                rows[TORQUE + axis] = rows[TORQUE + axis] - x_e[axis] * (z * force_y)
                    + y_e[axis] * (z * force_x)
                    + out.axes[2][axis] * spin;
            }
            rows[SHEAR] = tangential.stress * weight;
            magnitude = tangential.whole * weight;
            position = [tangential.position[0] * weight, tangential.position[1] * weight];
        }
        for axis in 0..3 {
            rows[POSITION + axis] =
                x_e[axis] * position[0] + y_e[axis] * position[1] + out.axes[2][axis] * (z * magnitude);
        }
        rows[MAGNITUDE] = magnitude;
        rows[POWER] = self.power * weight;
        rows[NORMAL] = normal;
        rows
    }
}

#[inline(always)]
fn turned<V: Lanes>([x_e, y_e, z_e]: &[[V; 3]; 3], [x, y, z]: [V; 3]) -> [V; 3] {
    [x_e[0] * x + y_e[0] * y + z_e[0] * z, x_e[1] * x + y_e[1] * y + z_e[1] * z, x_e[2] * x + y_e[2] * y + z_e[2] * z]
}

#[inline(always)]
fn times<V: Lanes>(a: [V; 3], factor: f64) -> [V; 3] {
    [a[0] * factor, a[1] * factor, a[2] * factor]
}
