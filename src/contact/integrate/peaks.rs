//! How smallest and largest values change.

use super::derivatives::LAW_NUMBERS;

/// What has a smallest or a largest value.
pub const PEAKS: usize = 7;
pub const DEEPEST: usize = 0;
pub const SLOWEST_CLOSING: usize = 1;
pub const FASTEST_CLOSING: usize = 2;
pub const SLOWEST_SLIP: usize = 3;
pub const FASTEST_SLIP: usize = 4;
pub const HIGHEST_PRESSURE: usize = 5;
pub const HIGHEST_SHEAR: usize = 6;

/// An extreme value and its derivatives, about the reference point as the sums are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Peak {
    /// The largest one wins: of smallest values the negative one.
    pub rank: f64,
    /// With the motion of F.
    pub by_pose: [f64; 6],
    /// With the velocity at the reference point and the angular velocity.
    pub by_velocity: [f64; 6],
    /// With the numbers of the law.
    pub by_number: [f64; LAW_NUMBERS],
}

impl Peak {
    /// Below every other.
    pub const NONE: Peak =
        Peak { rank: f64::NEG_INFINITY, by_pose: [0.0; 6], by_velocity: [0.0; 6], by_number: [0.0; LAW_NUMBERS] };

    /// Takes the other one where it is larger; of equal ones the first counts.
    pub fn include(&mut self, other: &Peak) {
        if self.rank < other.rank {
            *self = *other;
        }
    }
}
