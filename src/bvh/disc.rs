//! Discs: flat cylinders around a few faces.
//!
//! Boxes along the axes of a body are thick around faces that are not: two curved surfaces that come
//! close to each other then have overlapping boxes in a wide area. A disc follows the faces, so it is as
//! thin as they are flat, and two of them are soon told apart.

use crate::math::Vector;

/// A solid cylinder: points at most `radius` from the centre, and at most `half_height` from the plane
/// through the centre across the unit normal.
#[derive(Clone, Copy, Debug)]
pub struct Disc {
    /// Centre.
    pub center: Vector,
    /// Axis, of unit length.
    pub normal: Vector,
    /// Distance of the farthest point from the centre, in m.
    pub radius: f64,
    /// Distance of the farthest point from the plane, in m.
    pub half_height: f64,
}

/// Sizes are enlarged by this part of the radius, for the rounding of their computation (10⁻¹⁶) and for
/// rotations that are orthogonal to 10⁻¹² only; dimensionless.
const ENLARGEMENT: f64 = 1e-9;

impl Disc {
    /// A ball: nothing known about directions.
    pub fn ball(center: Vector, radius: f64) -> Self {
        let radius = radius * (1.0 + ENLARGEMENT);
        Disc { center, normal: Vector::z(), radius, half_height: radius }
    }

    /// Distance of the farthest point from the plane, in m, without the enlargement: to be used with a margin for
    /// rounding.
    #[inline]
    pub fn tight_half_height(&self) -> f64 {
        (self.half_height - ENLARGEMENT * self.radius).max(0.0)
    }

    /// Around some points, with a normal that need not be of unit length, and the centre near `center`.
    pub fn around(points: impl Iterator<Item = Vector> + Clone, center: Vector, normal: Vector) -> Self {
        let farthest = |center: Vector| points.clone().map(|point| (point - center).norm_squared()).fold(0.0, f64::max);
        let Some(normal) = normal.try_normalize(0.0).filter(|normal| normal.iter().all(|x| x.is_finite())) else {
            return Self::ball(center, farthest(center).sqrt());
        };
        let (low, high) = points.clone().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), point| {
            let height = normal.dot(&(point - center));
            (low.min(height), high.max(height))
        });
        let center = center + 0.5 * (low + high) * normal;
        let radius = farthest(center).sqrt() * (1.0 + ENLARGEMENT);
        Disc { center, normal, radius, half_height: 0.5 * (high - low) + ENLARGEMENT * radius }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disc_holds_its_points_and_is_as_thin_as_they_are_flat() {
        let normal = Vector::new(1.0, 2.0, 3.0).normalize();
        let (u, v) = (normal.cross(&Vector::x()).normalize(), normal.cross(&normal.cross(&Vector::x()).normalize()));
        let points: Vec<Vector> = (0..20)
            .map(|k| {
                let angle = f64::from(k);
                Vector::new(0.3, 0.2, 0.1) + u * angle.cos() + v * angle.sin() + normal * (0.01 * (3.0 * angle).sin())
            })
            .collect();
        let disc = Disc::around(points.iter().copied(), Vector::new(0.3, 0.2, 0.1), 5.0 * normal);
        assert!(disc.half_height < 0.011 && disc.radius < 1.001);
        for point in points {
            assert!((point - disc.center).norm() <= disc.radius);
            assert!(disc.normal.dot(&(point - disc.center)).abs() <= disc.half_height);
        }
    }
}
