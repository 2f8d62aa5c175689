//! Reproducible random numbers and poses.

use std::f64::consts::TAU;

use nalgebra::{Quaternion, UnitQuaternion};
use polycontact::math::{Pose, Rotation, Vector};

/// SplitMix64: small, fast, and equal on every machine.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform in [low, high).
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Uniform on the unit sphere.
    pub fn direction(&mut self) -> Vector {
        let z = self.between(-1.0, 1.0);
        let angle = self.between(0.0, TAU);
        let r = (1.0 - z * z).sqrt();
        Vector::new(r * angle.cos(), r * angle.sin(), z)
    }

    /// Uniform over all rotations (Shoemake's quaternion).
    pub fn rotation(&mut self) -> Rotation {
        let u = self.unit();
        let (a, b) = (self.between(0.0, TAU), self.between(0.0, TAU));
        let (r, s) = ((1.0 - u).sqrt(), u.sqrt());
        let quaternion = Quaternion::new(s * b.cos(), r * a.sin(), r * a.cos(), s * b.sin());
        UnitQuaternion::from_quaternion(quaternion).to_rotation_matrix()
    }

    /// A random rotation, and a position at most `distance` away from `centre`, equally often at every distance.
    pub fn pose_around(&mut self, centre: Vector, distance: f64) -> Pose {
        let position = centre + self.direction() * self.between(0.0, distance);
        Pose::from_parts(position.into(), self.rotation())
    }
}

/// How many random poses per pair: POLYCONTACT_POSES, or `default`.
pub fn pose_count(default: usize) -> usize {
    match std::env::var("POLYCONTACT_POSES") {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("POLYCONTACT_POSES is `{text}`, but must be a number")),
        Err(_) => default,
    }
}
