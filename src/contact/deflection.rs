//! The memory of bristles: by which rigid displacement F has moved against E since all bristles were straight.
//!
//! Bodies are rigid, so that all bristles that stick are deflected by one rigid displacement: six numbers, a twist of F
//! against E, resolved in M_e. Bodies that move together do not change it.

use nalgebra::UnitQuaternion;

use crate::math::{Pose, Rotation, Vector};

/// A small rigid displacement of F against E: by `translation_e + rotation_e × x` at the point x of M_e.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Deflection {
    /// At the origin of M_e, in m.
    pub translation_e: Vector,
    /// Rotation vector in rad.
    pub rotation_e: Vector,
}

/// Below this angle in rad a rotation's series takes the place of its trigonometric functions: the first term left out is
/// its fourth power.
const SMALL_ANGLE: f64 = 1.0e-3;

impl Deflection {
    /// Straight bristles.
    pub const NONE: Deflection =
        Deflection { translation_e: Vector::new(0.0, 0.0, 0.0), rotation_e: Vector::new(0.0, 0.0, 0.0) };

    /// From six numbers: translation, rotation.
    pub fn from_numbers(numbers: [f64; 6]) -> Self {
        let [a, b, c, d, e, f] = numbers;
        Deflection { translation_e: Vector::new(a, b, c), rotation_e: Vector::new(d, e, f) }
    }

    /// Translation, rotation.
    pub fn to_numbers(&self) -> [f64; 6] {
        let (t, r) = (&self.translation_e, &self.rotation_e);
        [t.x, t.y, t.z, r.x, r.y, r.z]
    }

    /// By a displacement of a point of M_e and a rotation.
    pub fn about(point_e: Vector, displacement_e: Vector, rotation_e: Vector) -> Self {
        Deflection { translation_e: displacement_e - rotation_e.cross(&point_e), rotation_e }
    }

    /// The displacement of F against E at a point of M_e, in m.
    pub fn at(&self, point_e: Vector) -> Vector {
        self.translation_e + self.rotation_e.cross(&point_e)
    }

    /// A multiple.
    pub fn scaled(&self, factor: f64) -> Self {
        Deflection { translation_e: self.translation_e * factor, rotation_e: self.rotation_e * factor }
    }

    /// The displacement from one pose of F to another: the twist whose exponential leads there.
    ///
    /// At a point that hardly moves, as in a contact that rolls, it is as small as the way of the point, however far away
    /// the origin is.
    pub fn between(from_ef: &Pose, to_ef: &Pose) -> Self {
        let way = to_ef * from_ef.inverse();
        // A matrix tells small angles by its cosines only to 1e-8; a quaternion tells all.
        let rotation = UnitQuaternion::from_rotation_matrix(&way.rotation).scaled_axis();
        let angle = rotation.norm();
        let second = match angle < SMALL_ANGLE {
            true => 1.0 / 12.0 + angle * angle / 720.0,
            false => (1.0 - 0.5 * angle / (0.5 * angle).tan()) / (angle * angle),
        };
        let way = way.translation.vector;
        let turned = rotation.cross(&way);
        Deflection { translation_e: way - turned * 0.5 + rotation.cross(&turned) * second, rotation_e: rotation }
    }

    /// The pose from which this displacement leads to the given one.
    pub fn start_of(&self, pose_ef: &Pose) -> Pose {
        let (rotation, way) = (-self.rotation_e, -self.translation_e);
        let angle = rotation.norm();
        let (first, second) = match angle < SMALL_ANGLE {
            true => (0.5 - angle * angle / 24.0, 1.0 / 6.0 - angle * angle / 120.0),
            false => ((1.0 - angle.cos()) / (angle * angle), (angle - angle.sin()) / (angle * angle * angle)),
        };
        let turned = rotation.cross(&way);
        let way = way + turned * first + rotation.cross(&turned) * second;
        Pose::from_parts(way.into(), Rotation::new(rotation)) * pose_ef
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A displacement and its start are inverse to each other, at angles on both sides of the series.
    #[test]
    fn the_start_of_a_displacement_is_where_it_came_from() {
        let pose = Pose::from_parts(Vector::new(3.0, -1.0, 0.5).into(), Rotation::from_euler_angles(0.3, -1.0, 2.0));
        for angle in [0.0, 1e-12, 1e-9, 9e-4, 1.1e-3, 0.1, 1.0, 3.0] {
            let rotation_e = Vector::new(0.6, 0.0, -0.8) * angle;
            let deflection = Deflection { translation_e: Vector::new(0.2, 1e-3, -0.4), rotation_e };
            let found = Deflection::between(&deflection.start_of(&pose), &pose);
            let off = (found.translation_e - deflection.translation_e).norm();
            assert!(off < 1e-14 && (found.rotation_e - rotation_e).norm() < 1e-14, "{angle}: {found:?}");
        }
    }

    /// A rotation about a far point leaves that point where it is.
    #[test]
    fn a_point_that_stays_is_not_displaced() {
        let far = Vector::new(40.0, -7.0, 12.0);
        let turn = Rotation::new(Vector::new(0.01, 0.02, -0.02));
        let from = Pose::from_parts(Vector::new(39.0, -7.0, 12.5).into(), Rotation::new(Vector::new(0.3, 0.1, 0.0)));
        let moved = Pose::from_parts((far - turn * far).into(), turn) * from;
        // Rounding of coordinates of 40 m.
        assert!(Deflection::between(&from, &moved).at(far).norm() < 1e-13);
    }
}
