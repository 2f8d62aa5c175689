//! Axis-aligned boxes.

use super::{Pose, Vector};

/// A box aligned with the axes of its frame, in metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Aabb {
    /// Corner with the smallest coordinates.
    pub min: Vector,
    /// Corner with the largest coordinates.
    pub max: Vector,
}

impl Aabb {
    /// The smallest box around points; both corners are zero without any.
    pub fn of<'a>(points: impl IntoIterator<Item = &'a Vector>) -> Self {
        let mut points = points.into_iter();
        let first = points.next().copied().unwrap_or_default();
        points.fold(Aabb { min: first, max: first }, |bounds, point| Aabb {
            min: bounds.min.inf(point),
            max: bounds.max.sup(point),
        })
    }

    /// The smallest box around both.
    pub fn joined(&self, other: &Aabb) -> Self {
        Aabb { min: self.min.inf(&other.min), max: self.max.sup(&other.max) }
    }

    /// Larger by `margin` on every side.
    pub fn inflated(&self, margin: f64) -> Self {
        let margin = Vector::repeat(margin);
        Aabb { min: self.min - margin, max: self.max + margin }
    }

    /// A box in another frame around this one.
    pub fn moved(&self, pose: &Pose) -> Self {
        let (centre, half) = (0.5 * (self.min + self.max), 0.5 * (self.max - self.min));
        let centre = pose.rotation * centre + pose.translation.vector;
        let half = pose.rotation.matrix().abs() * half;
        Aabb { min: centre - half, max: centre + half }
    }

    /// Lengths of the sides.
    pub fn size(&self) -> Vector {
        self.max - self.min
    }

    /// Whether both have a point in common, borders included.
    pub fn overlaps(&self, other: &Aabb) -> bool {
        (0..3).all(|k| self.min[k] <= other.max[k] && other.min[k] <= self.max[k])
    }

    /// Whether a point lies inside or on the border.
    pub fn contains(&self, point: &Vector) -> bool {
        (0..3).all(|k| self.min[k] <= point[k] && point[k] <= self.max[k])
    }

    /// The largest magnitude of a coordinate of any point in the box.
    pub fn largest_coordinate(&self) -> f64 {
        self.min.amax().max(self.max.amax())
    }

    /// Square of the distance of a point in m²; 0 inside.
    pub fn squared_distance(&self, point: &Vector) -> f64 {
        (self.min - point).sup(&(point - self.max)).sup(&Vector::zeros()).norm_squared()
    }
}
