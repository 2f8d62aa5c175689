//! Coordinates of a master face.

use crate::math::Vector;

/// Frame of a master face: origin in its first corner, z along its outward normal.
#[derive(Clone, Copy, Debug)]
pub struct FaceFrame {
    /// First corner, in E.
    pub origin_e: Vector,
    /// Axes, resolved in E.
    pub axes_e: [Vector; 3],
}

impl FaceFrame {
    /// The frame of a face with these corners and this unit normal; x along its first edge.
    #[inline]
    pub fn new(corners_e: &[Vector; 3], normal_e: Vector) -> Self {
        let along = corners_e[1] - corners_e[0];
        // Orthogonal to the normal even where rounding has moved the corners of a small face.
        let x =
            (along - normal_e * normal_e.dot(&along)).try_normalize(0.0).unwrap_or_else(|| any_orthogonal(normal_e));
        FaceFrame { origin_e: corners_e[0], axes_e: [x, normal_e.cross(&x), normal_e] }
    }

    /// A point of E in this frame.
    #[inline]
    pub fn point(&self, point_e: Vector) -> [f64; 3] {
        self.axes(point_e - self.origin_e)
    }

    /// A vector resolved in E, resolved in this frame.
    #[inline]
    pub fn axes(&self, vector_e: Vector) -> [f64; 3] {
        let [x, y, z] = &self.axes_e;
        [x.dot(&vector_e), y.dot(&vector_e), z.dot(&vector_e)]
    }

    /// A vector resolved in this frame, resolved in E.
    #[inline]
    pub fn in_e(&self, vector: [f64; 3]) -> Vector {
        self.axes_e[0] * vector[0] + self.axes_e[1] * vector[1] + self.axes_e[2] * vector[2]
    }
}

fn any_orthogonal(normal: Vector) -> Vector {
    let axis = if normal.x.abs() < 0.5 { Vector::x() } else { Vector::y() };
    normal.cross(&axis).normalize()
}
