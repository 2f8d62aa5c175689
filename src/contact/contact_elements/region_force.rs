//! Force over a region with a smooth pressure: quadrature of friction.

use wide::f64x2;

use super::convex_polygon::{ConvexPolygon, PlanePoint, cross, difference};
use super::element_integrals::{FaceForce, FaceSums};
use super::polygon_moments::FunctionMoments;
use super::seen_face::SeenFace;
use crate::contact::pass_weights::smooth_step;
use crate::contact::totals::{larger, smaller};

/// Squares of the change of slip over a region, relative to slip and regularisation velocity: below
/// the first, four points do for friction; above the second, the quadrature. Dimensionless; with a
/// change of a tenth, third-order terms are a thousandth, of which little is left in the sum.
pub const SLIP_CHANGE_SMALL: f64 = 0.01;
const SLIP_CHANGE_LARGE: f64 = 0.09;

/// Points (barycentric) and weights of a quadrature over a triangle, exact for polynomials of degree 4.
/// (Two orbits of three points; the parameters solve the moment equations.)
const TRIANGLE_RULE: [([f64; 3], f64); 6] = {
    const A: f64 = 0.445_948_490_915_964_9;
    const B: f64 = 0.091_576_213_509_770_74;
    const WEIGHT_A: f64 = 0.223_381_589_678_011_47;
    const WEIGHT_B: f64 = 0.109_951_743_655_321_87;
    [
        ([1.0 - 2.0 * A, A, A], WEIGHT_A),
        ([A, 1.0 - 2.0 * A, A], WEIGHT_A),
        ([A, A, 1.0 - 2.0 * A], WEIGHT_A),
        ([1.0 - 2.0 * B, B, B], WEIGHT_B),
        ([B, 1.0 - 2.0 * B, B], WEIGHT_B),
        ([B, B, 1.0 - 2.0 * B], WEIGHT_B),
    ]
};

impl FaceForce {
    /// Adds a region with a smooth pressure.
    ///
    /// Four points that share the force, and have the first and second moments of the pressure, give
    /// the normal force, its torque and the power of damping exactly, and friction to the third order
    /// of the change of slip over the region. Where that changes much, as around a centre of rotation,
    /// a quadrature over the region takes over, step by step, so that nothing jumps.
    #[inline]
    pub(super) fn add_region(
        &self,
        region: &ConvexPolygon,
        area: f64,
        pressure: &FunctionMoments,
        seen: &SeenFace,
        weight: f64,
        sums: &mut FaceSums,
    ) {
        let Some((mean, spread)) = mean_and_spread(pressure).filter(|_| 0.0 < area) else { return };
        let fine_share = self.fine_share(region, mean, seen);
        if fine_share < 1.0 {
            let coarse = weight * (1.0 - fine_share);
            self.add_four_points(mean, spread, coarse * pressure.total, coarse * area, seen, sums);
        }
        if 0.0 < fine_share {
            self.add_by_quadrature(region, weight * fine_share, seen, sums);
        }
    }

    /// Which part of a region's friction the quadrature takes, by the change of slip over it.
    #[inline]
    fn fine_share(&self, region: &ConvexPolygon, mean: PlanePoint, seen: &SeenFace) -> f64 {
        let Some(friction) = self.friction else { return 0.0 };
        let [x, y] = self.slip(mean, seen.depth(mean));
        let slowest = friction.regularization_velocity;
        let scale = x * x + y * y + slowest * slowest;
        // No two points are farther apart than this; most regions need no closer look.
        let [w_x, w_y, w_z] = self.angular_velocity;
        let [least, most] = seen.depth_range;
        let height = self.layer_share * (most - least);
        let farthest_squared = self.longest_edge_squared + height * height;
        if (w_x * w_x + w_y * w_y + w_z * w_z) * farthest_squared <= SLIP_CHANGE_SMALL * scale {
            return 0.0;
        }
        let mut change = 0.0;
        for &corner in region.corners() {
            let [x, y] = difference(self.slip(corner, seen.depth(corner)), [x, y]);
            change = larger(x * x + y * y, change);
        }
        smooth_step((change / scale - SLIP_CHANGE_SMALL) / (SLIP_CHANGE_LARGE - SLIP_CHANGE_SMALL))
    }

    /// Adds a force and an area, shared by four points at mean ± spread.
    ///
    /// The points are the lanes of vector registers. While all of them slide, friction has a fixed ratio
    /// to the pressure, and what is linear in the coordinates has its sum at the mean; otherwise the
    /// general [`Self::add_points`], which gives the same.
    #[inline]
    fn add_four_points(
        &self,
        mean: PlanePoint,
        spread: [f64; 3],
        force: f64,
        area: f64,
        seen: &SeenFace,
        sums: &mut FaceSums,
    ) {
        let lanes = f64x2::splat;
        // Two pairs of points: those of a pair differ along both axes of the spread, and x is the same in both.
        let s = f64x2::from([-1.0, 1.0]);
        let x = lanes(mean[0]) + s * spread[0];
        let y = [-1.0, 1.0].map(|t| lanes(mean[1]) + s * spread[1] + lanes(t * spread[2]));
        let depth = y.map(|y| seen.pair_of_depths(x, y));
        let [v_x, v_y, _] = self.velocity;
        let [w_x, w_y, w_z] = self.angular_velocity;
        let below = depth.map(|depth| depth * -self.layer_share);
        let slip_x = [0, 1].map(|k| lanes(v_x) + below[k] * w_y - y[k] * w_z);
        let slip_y = [0, 1].map(|k| lanes(v_y) + x * w_z - below[k] * w_x);
        let speed = [0, 1].map(|k| (slip_x[k] * slip_x[k] + slip_y[k] * slip_y[k]).sqrt());
        let [a, b] = speed[0].fast_min(speed[1]).to_array();
        let slowest = smaller(a, b);
        let friction = self.friction.filter(|friction| friction.regularization_velocity <= slowest);
        let Some(friction) = friction else {
            let (x, y, depth) = (x.to_array(), y.map(f64x2::to_array), depth.map(f64x2::to_array));
            let points = [[x[0], y[0][0]], [x[1], y[0][1]], [x[0], y[1][0]], [x[1], y[1][1]]];
            let depths = [depth[0][0], depth[0][1], depth[1][0], depth[1][1]];
            self.add_points(points, depths, [0.25 * area; 4], [force / area; 4], sums);
            return;
        };
        let along_x = [0, 1].map(|k| slip_x[k] / speed[k]);
        let along_y = [0, 1].map(|k| slip_y[k] / speed[k]);
        let z = below.map(|below| below + self.origin[2]);
        let (x, y) = (x + self.origin[0], y.map(|y| y + self.origin[1]));
        let sum = |pairs: f64x2| {
            let [a, b] = pairs.to_array();
            a + b
        };
        let quarter = 0.25 * friction.coefficient * force;
        let speeds = sum(speed[0] + speed[1]);
        let (mean_x, mean_y) = (self.origin[0] + mean[0], self.origin[1] + mean[1]);
        let magnitude = self.sliding_magnitude * force;
        sums.tangential_velocity += 0.25 * area * speeds;
        sums.normal_stress += force;
        sums.tangential_stress += friction.coefficient * force;
        sums.shear[0] += quarter * sum(along_x[0] + along_x[1]);
        sums.shear[1] += quarter * sum(along_y[0] + along_y[1]);
        sums.torque[0] += self.into_e * mean_y * force - quarter * sum(z[0] * along_y[0] + z[1] * along_y[1]);
        sums.torque[1] += quarter * sum(z[0] * along_x[0] + z[1] * along_x[1]) - self.into_e * mean_x * force;
        sums.torque[2] += quarter * sum(x * (along_y[0] + along_y[1]) - (y[0] * along_x[0] + y[1] * along_x[1]));
        sums.force_magnitude += magnitude;
        sums.weighted_position[0] += magnitude * mean_x;
        sums.weighted_position[1] += magnitude * mean_y;
        sums.weighted_position[2] += magnitude * 0.25 * sum(z[0] + z[1]);
        sums.dissipated_power += force * self.closing_velocity(mean) + quarter * speeds;
    }

    /// Applies the rule to the triangles between the centroid and the sides of a polygon: a fan that
    /// does not depend on where the polygon starts, so the result is continuous in its shape.
    #[inline(never)]
    fn add_by_quadrature(&self, polygon: &ConvexPolygon, weight: f64, seen: &SeenFace, sums: &mut FaceSums) {
        let polygon = polygon.without_straight_corners();
        let Some((_, centroid)) = polygon.area_and_centroid() else { return };
        let corners = polygon.corners();
        let mut previous = corners[corners.len() - 1];
        for &corner in corners {
            let area = 0.5 * weight * cross(difference(previous, centroid), difference(corner, centroid));
            let points = TRIANGLE_RULE.map(|([a, b, c], _)| {
                [a * centroid[0] + b * previous[0] + c * corner[0], a * centroid[1] + b * previous[1] + c * corner[1]]
            });
            let depths = points.map(|point| seen.depth(point));
            let pressures = std::array::from_fn(|k| self.pressure(depths[k], self.closing_velocity(points[k])));
            self.add_points(points, depths, TRIANGLE_RULE.map(|(_, share)| share * area), pressures, sums);
            previous = corner;
        }
    }

    /// Adds points with their depths, the areas that they stand for, and pressures.
    ///
    /// Every quantity is an array over the points, so that the compiler can use vector instructions.
    #[inline]
    pub(super) fn add_points<const N: usize>(
        &self,
        points: [PlanePoint; N],
        depths: [f64; N],
        areas: [f64; N],
        pressures: [f64; N],
        sums: &mut FaceSums,
    ) {
        use std::array::from_fn;
        let [v_x, v_y, v_z] = self.velocity;
        let [w_x, w_y, w_z] = self.angular_velocity;
        // Without friction, a coefficient of nothing.
        let (coefficient, slowest) =
            self.friction.map_or((0.0, 1.0), |friction| (friction.coefficient, friction.regularization_velocity));
        let per_slowest = 1.0 / slowest;

        let below: [f64; N] = from_fn(|k| -self.layer_share * depths[k]);
        let slip_x: [f64; N] = from_fn(|k| v_x + w_y * below[k] - w_z * points[k][1]);
        let slip_y: [f64; N] = from_fn(|k| v_y + w_z * points[k][0] - w_x * below[k]);
        let closing: [f64; N] = from_fn(|k| self.into_e * (v_z + w_x * points[k][1] - w_y * points[k][0]));
        let speed: [f64; N] = from_fn(|k| (slip_x[k] * slip_x[k] + slip_y[k] * slip_y[k]).sqrt());
        // Friction stress over pressure and slip velocity, as `force_law::friction_per_velocity`.
        let slow: [f64; N] = from_fn(|k| coefficient * (2.0 - speed[k] * per_slowest) * per_slowest);
        let fast: [f64; N] = from_fn(|k| coefficient / larger(speed[k], slowest));
        let per_velocity: [f64; N] = from_fn(|k| if speed[k] < slowest { slow[k] } else { fast[k] });
        let share: [f64; N] = from_fn(|k| per_velocity[k] * speed[k]);
        let force: [f64; N] = from_fn(|k| pressures[k] * areas[k]);
        let force_x: [f64; N] = from_fn(|k| per_velocity[k] * slip_x[k] * force[k]);
        let force_y: [f64; N] = from_fn(|k| per_velocity[k] * slip_y[k] * force[k]);
        let force_z: [f64; N] = from_fn(|k| self.into_e * force[k]);
        let magnitude: [f64; N] = from_fn(|k| (1.0 + share[k] * share[k]).sqrt() * force[k]);
        let x: [f64; N] = from_fn(|k| self.origin[0] + points[k][0]);
        let y: [f64; N] = from_fn(|k| self.origin[1] + points[k][1]);
        let z: [f64; N] = from_fn(|k| self.origin[2] + below[k]);

        let sum = |values: [f64; N]| values.into_iter().sum::<f64>();
        sums.tangential_velocity += sum(from_fn(|k| speed[k] * areas[k]));
        sums.normal_stress += sum(force);
        sums.tangential_stress += sum(from_fn(|k| share[k] * force[k]));
        sums.shear[0] += sum(force_x);
        sums.shear[1] += sum(force_y);
        sums.torque[0] += sum(from_fn(|k| y[k] * force_z[k] - z[k] * force_y[k]));
        sums.torque[1] += sum(from_fn(|k| z[k] * force_x[k] - x[k] * force_z[k]));
        sums.torque[2] += sum(from_fn(|k| x[k] * force_y[k] - y[k] * force_x[k]));
        sums.force_magnitude += sum(magnitude);
        sums.weighted_position[0] += sum(from_fn(|k| magnitude[k] * x[k]));
        sums.weighted_position[1] += sum(from_fn(|k| magnitude[k] * y[k]));
        sums.weighted_position[2] += sum(from_fn(|k| magnitude[k] * z[k]));
        sums.dissipated_power += sum(from_fn(|k| force[k] * (closing[k] + share[k] * speed[k])));
    }
}

/// Integrals of a quadratic pressure, by a rule that is exact for it; two points at a time, in the lanes of vector
/// registers.
pub fn moments_by_quadrature(polygon: &ConvexPolygon, pressure: impl Fn(f64x2, f64x2) -> f64x2) -> FunctionMoments {
    let Some(&origin) = polygon.corners().first() else { return FunctionMoments::default() };
    let mut sums = [f64x2::splat(0.0); 6];
    for pair in polygon.corners()[1..].windows(2) {
        let (u, v) = (difference(pair[0], origin), difference(pair[1], origin));
        let area = 0.5 * cross(u, v);
        for points in TRIANGLE_RULE.chunks_exact(2) {
            let lanes = |of: fn(&([f64; 3], f64)) -> f64| f64x2::from([of(&points[0]), of(&points[1])]);
            let (b, c, share) = (lanes(|(at, _)| at[1]), lanes(|(at, _)| at[2]), lanes(|(_, share)| *share));
            let (x, y) = (b * u[0] + c * v[0], b * u[1] + c * v[1]);
            let force = share * area * pressure(x + origin[0], y + origin[1]);
            let (force_x, force_y) = (force * x, force * y);
            for (sum, term) in sums.iter_mut().zip([force, force_x, force_y, force_x * x, force_x * y, force_y * y]) {
                *sum += term;
            }
        }
    }
    let [total, x, y, xx, xy, yy] = sums.map(|pair| {
        let [a, b] = pair.to_array();
        a + b
    });
    FunctionMoments { origin, total, first: [x, y], second: [xx, xy, yy] }
}

/// Centre of pressure, and the lower triangular root (l_xx, l_yx, l_yy) of the second moments about
/// it per force; none without a force.
#[inline]
fn mean_and_spread(pressure: &FunctionMoments) -> Option<(PlanePoint, [f64; 3])> {
    if pressure.total <= 0.0 {
        return None;
    }
    let per_force = 1.0 / pressure.total;
    let [x, y] = pressure.first.map(|moment| moment * per_force);
    let [xx, xy, yy] = pressure.second.map(|moment| moment * per_force);
    // Never negative but for rounding.
    let l_xx = larger(xx - x * x, 0.0).sqrt();
    let l_yx = if 0.0 < l_xx { (xy - x * y) / l_xx } else { 0.0 };
    let l_yy = larger(yy - y * y - l_yx * l_yx, 0.0).sqrt();
    // Where rounding has taken l_xx, the other side bounds what is left of the product.
    let bound = larger(yy - y * y, 0.0).sqrt();
    let l_yx = larger(smaller(l_yx, bound), -bound);
    let mean = [pressure.origin[0] + x, pressure.origin[1] + y];
    (mean[0].is_finite() && mean[1].is_finite()).then_some((mean, [l_xx, l_yx, l_yy]))
}

#[cfg(test)]
#[path = "region_force_tests.rs"]
mod tests;
