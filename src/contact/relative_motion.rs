//! Pose and velocity of F relative to E.

use thiserror::Error;

use super::deflection::Deflection;
use crate::math::{Pose, Vector};

/// Why a motion was refused.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum MotionError {
    /// A number that is not finite.
    #[error("{quantity} is {value:?}: every component must be a finite number")]
    NotFinite {
        /// Which part of the motion.
        quantity: &'static str,
        /// Its value.
        value: [f64; 3],
    },
}

/// Motion of marker M_f relative to marker M_e; every number is finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RelativeMotion {
    pose_ef: Pose,
    velocity_e: Vector,
    angular_velocity_e: Vector,
    deflection: Deflection,
}

impl RelativeMotion {
    /// `pose_ef` maps coordinates in M_f to coordinates in M_e (A_EF, r_EF). `velocity_e` (v_EF, m/s)
    /// is the derivative of r_EF as seen from M_e, `angular_velocity_e` (ω_EF, rad/s) that of M_f
    /// relative to M_e; both are resolved in M_e.
    pub fn new(pose_ef: Pose, velocity_e: Vector, angular_velocity_e: Vector) -> Result<Self, MotionError> {
        let finite = |quantity, value: Vector| {
            if value.iter().all(|x| x.is_finite()) {
                Ok(())
            } else {
                Err(MotionError::NotFinite { quantity, value: value.into() })
            }
        };
        finite("the relative position", pose_ef.translation.vector)?;
        for row in 0..3 {
            finite("a row of the relative orientation", pose_ef.rotation.matrix().row(row).transpose())?;
        }
        finite("the relative velocity", velocity_e)?;
        finite("the relative angular velocity", angular_velocity_e)?;
        Ok(RelativeMotion { pose_ef, velocity_e, angular_velocity_e, deflection: Deflection::NONE })
    }

    /// The same motion with bristles that are deflected.
    pub fn with_deflection(self, deflection: Deflection) -> Result<Self, MotionError> {
        let Deflection { translation_e, rotation_e } = deflection;
        for (quantity, value) in
            [("the deflection of bristles", translation_e), ("the rotation of deflected bristles", rotation_e)]
        {
            if !value.iter().all(|x| x.is_finite()) {
                return Err(MotionError::NotFinite { quantity, value: value.into() });
            }
        }
        Ok(RelativeMotion { deflection, ..self })
    }

    /// How far bristles are deflected; none unless told.
    #[inline]
    pub fn deflection(&self) -> &Deflection {
        &self.deflection
    }

    /// A pose without velocity; for numbers known to be finite.
    ///
    /// # Panics
    /// Where a number is not finite.
    pub fn at_rest(pose_ef: Pose) -> Self {
        Self::new(pose_ef, Vector::zeros(), Vector::zeros()).expect("a finite pose")
    }

    /// Maps coordinates in M_f to coordinates in M_e.
    #[inline]
    pub fn pose_ef(&self) -> &Pose {
        &self.pose_ef
    }

    /// v_EF in m/s, resolved in M_e.
    #[inline]
    pub fn velocity_e(&self) -> Vector {
        self.velocity_e
    }

    /// ω_EF in rad/s, resolved in M_e.
    #[inline]
    pub fn angular_velocity_e(&self) -> Vector {
        self.angular_velocity_e
    }

    /// Velocity of F relative to E at a point given in M_e, `v_EF + ω_EF × (x − r_EF)` (4.30), in m/s.
    #[inline]
    pub fn velocity_at(&self, point_e: Vector) -> Vector {
        self.velocity_e + self.angular_velocity_e.cross(&(point_e - self.pose_ef.translation.vector))
    }
}
