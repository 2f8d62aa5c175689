//! Vectors and poses in double precision, boxes, the two bodies of a pair and the wrenches on them; SI units throughout.

mod aabb;
mod body;
mod grid;
mod wrench;

pub use aabb::Aabb;
pub use body::Body;
pub use grid::Grid;
pub use wrench::{Wrench, Wrenches};

/// A free vector or the coordinates of a point; the doc of each use names the frame.
pub type Vector = nalgebra::Vector3<f64>;

/// A 3×3 matrix.
pub type Matrix = nalgebra::Matrix3<f64>;

/// A rotation matrix: maps coordinates in one frame to coordinates in another.
pub type Rotation = nalgebra::Rotation3<f64>;

/// Rotation, then translation: `pose_ef * x_f = x_e`.
pub type Pose = nalgebra::IsometryMatrix3<f64>;
