//! Derivatives of the wrench with respect to the pose and the velocity of F, integrated over the same regions.
//!
//! The border of the contact carries no pressure, so the derivative of the wrench is the integral of the derivative of the
//! stress. All is done in the frames of the faces, several regions at a time; rotations are about the reference point of
//! the torques. Three points on each triangle of a fan are exact for the springs.

use super::faces::FaceLanes;
use super::{GroupLanes, Law, PressureKind};
use crate::contact::integrate::DerivativeSums;
use crate::lanes::{Lanes, Mask, Registers, cross, dot, sum};

/// Barycentric coordinates of the second and third corner, for points with a third of the area each: exact for
/// polynomials of degree 2.
const THREE_POINTS: [[f64; 2]; 3] = [[1.0 / 6.0, 1.0 / 6.0], [2.0 / 3.0, 1.0 / 6.0], [1.0 / 6.0, 2.0 / 3.0]];

/// Sums of derivatives by lane, in the frames of the faces: `[column][row]`, force before torque.
struct Columns<V>([[V; 6]; 12]);

/// What acts at a point, and how it changes with depth and velocity.
struct AtPoint<V> {
    /// From the reference point.
    position: [V; 3],
    /// Velocity of F relative to E.
    velocity: [V; 3],
    /// Stress on E.
    stress: [V; 3],
    pressure: V,
    by_depth: V,
    by_closing: V,
    /// Friction stress over pressure and slip.
    per_slip: V,
    /// How that changes with the slip speed, over the speed.
    per_slip_change: V,
    weight: V,
}

impl Law {
    /// Adds the derivatives of regions over which the pressure is of one kind. `from_reference_e` is the way from the
    /// reference point to the origin of M_f.
    #[inline(always)]
    pub(super) fn add_derivatives<R: Registers>(
        &self,
        registers: R,
        kind: PressureKind,
        group: &GroupLanes<R::Vector, R::Mask>,
        from_reference_e: [f64; 3],
        sums: &mut DerivativeSums,
    ) {
        let zero = registers.splat(0.0);
        if kind == PressureKind::Idle {
            return;
        }
        let face = &group.face;
        let to_f = registers_axes(registers, face, from_reference_e);
        let mut columns = Columns([[zero; 6]; 12]);
        let first = group.corners[0];
        for pair in group.corners[..group.count].windows(2).skip(1) {
            let u = [pair[0][0] - first[0], pair[0][1] - first[1]];
            let v = [pair[1][0] - first[0], pair[1][1] - first[1]];
            let area = (u[0] * v[1] - u[1] * v[0]).larger(zero) * (self.weight / 6.0);
            let weight = group.is_there.keep(area);
            for [s, t] in THREE_POINTS {
                let at = [first[0] + u[0] * s + v[0] * t, first[1] + u[1] * s + v[1] * t];
                let point = self.at_point(zero, kind, group, at, weight);
                self.add_columns(zero, group, &to_f, &point, &mut columns);
            }
        }
        columns.finish(face, sums);
    }

    #[inline(always)]
    fn at_point<V: Lanes<Mask = M>, M: Mask<V>>(
        &self,
        zero: V,
        kind: PressureKind,
        group: &GroupLanes<V, M>,
        at: [V; 2],
        weight: V,
    ) -> AtPoint<V> {
        let (face, [x, y]) = (&group.face, at);
        let depth = group.depth.at(at);
        let [w_x, w_y, w_z] = face.angular_velocity;
        let [v_x, v_y, v_z] = face.velocity;
        let velocity = [v_x - y * w_z, v_y + x * w_z, v_z + w_x * y - w_y * x];
        let closing = velocity[2] * self.into_e;
        let pressure = self.pressure(zero, kind, depth, closing);
        let (mut by_depth, mut by_closing) = (zero + self.stiffness, zero + self.damping);
        if kind == PressureKind::Fading {
            let slope = self.damping / self.transition_depth;
            by_depth = closing * slope + self.stiffness;
            by_closing = depth * slope;
        }
        let (mut per_slip, mut per_slip_change) = (zero, zero);
        if let Some(friction) = self.friction {
            let speed = (velocity[0] * velocity[0] + velocity[1] * velocity[1]).sqrt();
            let slowest = zero + friction.regularization_velocity;
            per_slip = friction.per_velocity(zero, speed);
            // From the regularisation velocity on μ/v falls by μ/v²; below, by μ/v_eps², whatever the speed.
            let limited = speed.larger(slowest);
            let fall = (zero + -friction.coefficient) / (limited * limited);
            let is_moving = zero.less(speed);
            per_slip_change = is_moving.keep(fall / is_moving.choose(speed, zero + 1.0));
        }
        let stress = [pressure * per_slip * velocity[0], pressure * per_slip * velocity[1], pressure * self.into_e];
        let position = [x + face.origin[0], y + face.origin[1], face.origin[2]];
        AtPoint { position, velocity, stress, pressure, by_depth, by_closing, per_slip, per_slip_change, weight }
    }

    #[inline(always)]
    fn add_columns<V: Lanes<Mask = M>, M: Mask<V>>(
        &self,
        zero: V,
        group: &GroupLanes<V, M>,
        to_f: &[V; 3],
        point: &AtPoint<V>,
        columns: &mut Columns<V>,
    ) {
        let one = zero + 1.0;
        let spin = group.face.angular_velocity;
        let gradient = [group.depth.gradient[0], group.depth.gradient[1], group.slope_out];
        // The faces of F move with it; those of E stay.
        let moves = 0.0 < self.into_e;
        let from_f = difference(point.position, *to_f);
        for axis in 0..3 {
            let mut unit = [zero; 3];
            unit[axis] = one;
            for is_rotation in [false, true] {
                let way = if is_rotation { cross(unit, point.position) } else { unit };
                let by_depth = dot(gradient, way) * self.into_e;
                let still = [zero; 3];
                let (arm, normal, velocity) = if moves {
                    let turned = if is_rotation { cross(spin, cross(unit, from_f)) } else { still };
                    (way, if is_rotation { [unit[1], -unit[0], zero] } else { still }, turned)
                } else {
                    let of_f = if is_rotation { cross(unit, *to_f) } else { unit };
                    (still, still, negative(cross(spin, of_f)))
                };
                let stress = self.stress_change(point, by_depth, velocity, normal);
                columns.add(3 * usize::from(is_rotation) + axis, point, stress, arm);
                let stress = self.stress_change(point, zero, way, still);
                columns.add(6 + 3 * usize::from(is_rotation) + axis, point, stress, still);
            }
        }
    }

    /// The change of the stress on E with a change of depth, of the velocity, and of the normal.
    #[inline(always)]
    fn stress_change<V: Lanes>(&self, point: &AtPoint<V>, depth: V, velocity: [V; 3], normal: [V; 3]) -> [V; 3] {
        let [v_x, v_y, v_z] = point.velocity;
        let across = normal[0] * v_x + normal[1] * v_y;
        let closing = (velocity[2] + across) * self.into_e;
        let pressure = point.by_depth * depth + point.by_closing * closing;
        let slip = [velocity[0] - normal[0] * v_z, velocity[1] - normal[1] * v_z, -across];
        let along = (slip[0] * v_x + slip[1] * v_y) * point.per_slip_change;
        let tangential = pressure * point.per_slip + point.pressure * along;
        let by_slip = point.pressure * point.per_slip;
        let by_normal = point.pressure * self.into_e;
        [
            tangential * v_x + by_slip * slip[0] + by_normal * normal[0],
            tangential * v_y + by_slip * slip[1] + by_normal * normal[1],
            pressure * self.into_e + by_slip * slip[2],
        ]
    }
}

impl<V: Lanes> Columns<V> {
    #[inline(always)]
    fn add(&mut self, column: usize, point: &AtPoint<V>, stress: [V; 3], arm: [V; 3]) {
        let sums = &mut self.0[column];
        let (by_stress, by_arm) = (cross(point.position, stress), cross(arm, point.stress));
        for axis in 0..3 {
            sums[axis] = sums[axis] + stress[axis] * point.weight;
            sums[3 + axis] = sums[3 + axis] + (by_stress[axis] + by_arm[axis]) * point.weight;
        }
    }

    /// Turns rows and columns into E and adds up all lanes.
    #[inline(always)]
    fn finish(&self, face: &FaceLanes<V>, sums: &mut DerivativeSums) {
        let axes = &face.frame.axes_e;
        let turned = |v: [V; 3], axis: usize| axes[0][axis] * v[0] + axes[1][axis] * v[1] + axes[2][axis] * v[2];
        for block in 0..4 {
            for half in 0..2 {
                // Columns first: what belongs to axes of E.
                for column in 0..3 {
                    let mut of_column = [self.0[0][0]; 3];
                    for (row, place) in of_column.iter_mut().enumerate() {
                        let along = |axis: usize| self.0[3 * block + axis][3 * half + row];
                        *place = turned([along(0), along(1), along(2)], column);
                    }
                    for row in 0..3 {
                        let mut numbers = [0.0; 4];
                        turned(of_column, row).add_to(&mut numbers);
                        sums.0[3 * block + column][3 * half + row] += sum(numbers);
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn registers_axes<R: Registers>(registers: R, face: &FaceLanes<R::Vector>, vector_e: [f64; 3]) -> [R::Vector; 3] {
    let of_e = [registers.splat(vector_e[0]), registers.splat(vector_e[1]), registers.splat(vector_e[2])];
    let [x, y, z] = face.frame.axes_e;
    [dot(x, of_e), dot(y, of_e), dot(z, of_e)]
}

#[inline(always)]
fn difference<V: Lanes>(a: [V; 3], b: [V; 3]) -> [V; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
fn negative<V: Lanes>(a: [V; 3]) -> [V; 3] {
    [-a[0], -a[1], -a[2]]
}
