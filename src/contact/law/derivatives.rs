//! Derivatives with respect to the motion of the field's body and to the velocity, integrated over the same regions.
//!
//! On a face the law knows nine numbers: the depth and the closing velocity as linear functions of the place, and the slip
//! as a rigid motion in the plane. Everything is differentiated with respect to these in the frame of the face, from
//! moments of the region, and then with respect to the motions along the axes of E.
//!
//! The pressure is continuous across the borders of regions, and none at the border of the contact, so that integrals
//! change as their integrands do. What the border of the contact adds where that is not so is in [`super::border`].

use super::faces::FaceLanes;
use super::friction::Slipping;
use super::friction_change::{Magnitudes, Tangential};
use super::moments::{Moments, ThirdMoments};
use super::{GroupLanes, Law, PressureKind, RegionLanes, Regions};
use crate::contact::integrate::derivatives::{
    BED, Column, DerivativeSums, ENERGY, FORCE, MAGNITUDE, MOVING_ROWS, MotionAtReference, NORMAL, PENETRATION,
    POSITION, POWER, ROWS, SHEAR, TORQUE,
};
use crate::contact::integrate::totals::ElementIntegrals;
use crate::contact::pieces::Linear;
use crate::lanes::{Lanes, MOST_LANES, Mask, Registers, Sums, cross, sum};
use crate::math::Body;

/// The depth at the origin and along x and y, the closing velocity likewise, the slip at the origin, and the spin.
pub const NUMBERS: usize = 9;

/// Where those of the closing velocity and the slip begin.
pub const CLOSING: usize = 3;
pub const SLIP: usize = 6;

/// Derivatives of one quantity with respect to the nine numbers.
pub type Local<V> = [V; NUMBERS];

/// Where the product of each of 1, x, y, xx, xy and yy with 1, x and y is in [`ThirdMoments`].
pub const PRODUCTS: [[usize; 3]; 6] = [[0, 1, 2], [1, 3, 4], [2, 4, 5], [3, 6, 7], [4, 7, 8], [5, 8, 9]];

/// What does not depend on the velocity: depth, bed.
const STILL_ROWS: usize = BED + 1 - MOVING_ROWS;

/// Sums over regions, resolved in E.
#[derive(Clone, Copy, Debug)]
pub struct DerivativeLanes {
    by_field: [[Sums; MOVING_ROWS + STILL_ROWS]; 6],
    by_velocity: [[Sums; MOVING_ROWS]; 6],
    /// Force and torque of the springs on E.
    elastic: [Sums; 6],
}

impl Default for DerivativeLanes {
    fn default() -> Self {
        DerivativeLanes {
            by_field: [[[0.0; 4]; MOVING_ROWS + STILL_ROWS]; 6],
            by_velocity: [[[0.0; 4]; MOVING_ROWS]; 6],
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
        let body = if law.into_e < 0.0 { Body::E } else { Body::F };
        let (mut by_field, mut by_velocity): ([Column; 6], [Column; 6]) = ([[0.0; ROWS]; 6], [[0.0; ROWS]; 6]);
        for column in 0..6 {
            let rows = by_field[column].iter_mut().zip(&self.by_field[column]);
            rows.for_each(|(row, lanes)| *row = sum(*lanes));
            let rows = by_velocity[column].iter_mut().zip(&self.by_velocity[column]);
            rows.for_each(|(row, lanes)| *row = sum(*lanes));
        }
        sums.add_faces(body, &by_field, &by_velocity, integrals, motion);
        // By the principle of virtual power the energy changes by what the springs exert on E, whatever moves.
        for (column, lanes) in sums.by_pose.iter_mut().zip(self.elastic) {
            column[ENERGY] += sum(lanes);
        }
    }
}

/// Quantities of a region in the frame of its face, by the nine numbers; moments are about the reference point.
struct LocalRows<V> {
    normal: Local<V>,
    /// Of the pressure, with x and y.
    moment: [Local<V>; 2],
    power: Local<V>,
    tangential: Option<Tangential<V>>,
}

impl Law {
    /// Adds the derivatives of regions over which the pressure is of one kind.
    #[inline(always)]
    pub(super) fn add_derivatives<R: Registers>(
        &self,
        registers: R,
        kind: PressureKind,
        group: &GroupLanes<R::Vector, R::Mask>,
        (region, rounded): (&RegionLanes<R::Vector>, Option<RoundedLanes<R::Vector>>),
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
                let tangential = at.tangential_change(registers, &friction, kind, corners, region, changes);
                for number in 0..NUMBERS {
                    rows.power[number] = rows.power[number] + tangential.power[number];
                }
                rows.tangential = Some(tangential);
            }
        }
        rows.add_to(zero, z, weight, &out, sums);
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
struct Outwards<V> {
    axes: [[V; 3]; 3],
    /// Normal into E.
    normal: [V; 3],
    /// From the reference point × the normal, and what x and y add to it.
    torque_of_normal: [V; 3],
    spin_x: [V; 3],
    spin_y: [V; 3],
    /// The depth and its slopes along x and y, with translations of the field; of the slopes only where `is_rounded`.
    depth: [[V; 3]; 3],
    /// Likewise with rotations of the field about the reference point.
    depth_turning: [[V; 3]; 3],
    is_rounded: bool,
    /// From the reference point × the axes along x and y.
    turned_axes: [[V; 3]; 2],
}

impl<V: Lanes> Outwards<V> {
    #[inline(always)]
    fn new<M: Mask<V>>(zero: V, into_e: f64, group: &GroupLanes<V, M>, position: [V; 3]) -> Self {
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

    /// Takes the changes below edges and vertices; `origin` is that of the region.
    #[inline(always)]
    fn take(&mut self, origin: [V; 2], rounded: &RoundedLanes<V>) {
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
    /// Of the regions of a group; none where there are only depths below faces.
    #[inline(always)]
    pub fn new<R: Registers<Vector = V>>(registers: R, regions: &Regions, group: &[u32]) -> Option<Self> {
        let mut of_lanes = [None; MOST_LANES];
        if !regions.rounded.is_empty() {
            of_lanes.iter_mut().zip(group).for_each(|(of_lane, &place)| *of_lane = regions.rounded_change(place));
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

/// Derivatives by one of the nine numbers, in E.
type Rows<V> = [V; MOVING_ROWS];

impl<V: Lanes> LocalRows<V> {
    /// Turns rows into E, and the nine numbers into motions, and adds everything.
    #[inline(always)]
    fn add_to(&self, zero: V, z: V, weight: V, out: &Outwards<V>, sums: &mut DerivativeLanes) {
        let numbers = if self.tangential.is_some() { NUMBERS } else { SLIP };
        let mut rows = [[zero; MOVING_ROWS]; NUMBERS];
        for (number, row) in rows.iter_mut().enumerate().take(numbers) {
            *row = self.in_e(number, zero, z, weight, out);
        }
        let [x_e, y_e, z_e] = &out.axes;
        for axis in 0..3 {
            for (row, place) in sums.by_field[axis].iter_mut().take(MOVING_ROWS).enumerate() {
                let mut change = out.depth[0][axis] * rows[0][row];
                if out.is_rounded {
                    change = change + out.depth[1][axis] * rows[1][row] + out.depth[2][axis] * rows[2][row];
                }
                change.add_to(place);
            }
            let turning = [out.depth_turning[0][axis], out.depth_turning[1][axis], out.depth_turning[2][axis]];
            for (row, place) in sums.by_field[3 + axis].iter_mut().take(MOVING_ROWS).enumerate() {
                (turning[0] * rows[0][row] + turning[1] * rows[1][row] + turning[2] * rows[2][row]).add_to(place);
            }
            for (row, place) in sums.by_velocity[axis].iter_mut().enumerate() {
                let mut change = out.normal[axis] * rows[CLOSING][row];
                if self.tangential.is_some() {
                    change = change + x_e[axis] * rows[SLIP][row] + y_e[axis] * rows[SLIP + 1][row];
                }
                change.add_to(place);
            }
            for (row, place) in sums.by_velocity[3 + axis].iter_mut().enumerate() {
                let mut change = out.torque_of_normal[axis] * rows[CLOSING][row]
                    + out.spin_x[axis] * rows[CLOSING + 1][row]
                    + out.spin_y[axis] * rows[CLOSING + 2][row];
                if self.tangential.is_some() {
                    change = change
                        + out.turned_axes[0][axis] * rows[SLIP][row]
                        + out.turned_axes[1][axis] * rows[SLIP + 1][row]
                        + z_e[axis] * rows[SLIP + 2][row];
                }
                change.add_to(place);
            }
        }
    }

    #[inline(always)]
    fn in_e(&self, number: usize, zero: V, z: V, weight: V, out: &Outwards<V>) -> Rows<V> {
        let normal = self.normal[number] * weight;
        let (moment_x, moment_y) = (self.moment[0][number] * weight, self.moment[1][number] * weight);
        let mut rows = [zero; MOVING_ROWS];
        let (mut magnitude, mut position) = (normal, [moment_x, moment_y]);
        let [x_e, y_e, _] = &out.axes;
        for axis in 0..3 {
            rows[FORCE + axis] = out.normal[axis] * normal;
            rows[TORQUE + axis] = out.spin_x[axis] * moment_x + out.spin_y[axis] * moment_y;
        }
        if let Some(tangential) = &self.tangential {
            let (force_x, force_y) = (tangential.force[0][number] * weight, tangential.force[1][number] * weight);
            let spin = tangential.spin[number] * weight;
            for axis in 0..3 {
                rows[FORCE + axis] = rows[FORCE + axis] + x_e[axis] * force_x + y_e[axis] * force_y;
                rows[TORQUE + axis] = rows[TORQUE + axis] - x_e[axis] * (z * force_y)
                    + y_e[axis] * (z * force_x)
                    + out.axes[2][axis] * spin;
            }
            match &tangential.magnitudes {
                Magnitudes::OfPressure([of_stress, of_whole]) => {
                    rows[SHEAR] = normal * *of_stress;
                    magnitude = normal * *of_whole;
                    position = [moment_x * *of_whole, moment_y * *of_whole];
                }
                Magnitudes::Own { stress, whole, position: [x, y] } => {
                    rows[SHEAR] = stress[number] * weight;
                    magnitude = whole[number] * weight;
                    position = [x[number] * weight, y[number] * weight];
                }
            }
        }
        for axis in 0..3 {
            rows[POSITION + axis] =
                x_e[axis] * position[0] + y_e[axis] * position[1] + out.axes[2][axis] * (z * magnitude);
        }
        rows[MAGNITUDE] = magnitude;
        rows[POWER] = self.power[number] * weight;
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
