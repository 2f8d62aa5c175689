//! Axis-aligned boxes.

use crate::math::Vector;

/// A box aligned with the axes of its frame, as centre and half extents in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Centre.
    pub center: Vector,
    /// Half extents, none negative.
    pub half: Vector,
}

impl Aabb {
    /// The smallest box around some points; rounding never makes it smaller than that.
    ///
    /// # Panics
    /// Without a point.
    pub fn around(points: impl IntoIterator<Item = Vector>) -> Self {
        let mut points = points.into_iter();
        let first = points.next().expect("a box needs a point");
        let (low, high) = points.fold((first, first), |(low, high), point| (low.inf(&point), high.sup(&point)));
        Self::from_corners(low, high)
    }

    /// The box between two opposite corners.
    pub fn from_corners(low: Vector, high: Vector) -> Self {
        // Halving before adding cannot overflow.
        let center = 0.5 * low + 0.5 * high;
        // Measured from the rounded centre; `next_up` makes up for the rounding of the difference.
        let half = (high - center).sup(&(center - low)).map(f64::next_up);
        Aabb { center, half }
    }

    /// Lowest coordinates.
    pub fn low(&self) -> Vector {
        self.center - self.half
    }

    /// Highest coordinates.
    pub fn high(&self) -> Vector {
        self.center + self.half
    }

    /// Distance from the centre to a corner.
    pub fn radius(&self) -> f64 {
        self.half.norm()
    }

    /// The largest magnitude of a coordinate of any point in the box.
    pub fn largest_coordinate(&self) -> f64 {
        (self.center.abs() + self.half).max()
    }
}
