//! The part of a body below a plane, by clipping its faces: an oracle that shares nothing with the core.

use polycontact::math::{Pose, Vector};
use polycontact::mesh::{FaceIndex, TriangleMesh};

/// Integrals over the part of a closed body with z < 0, and what its faces there look like.
#[derive(Clone, Copy, Debug)]
pub struct Submerged {
    /// Volume in m³.
    pub volume: f64,
    /// ∫ x dV and ∫ y dV in m⁴.
    pub moment: [f64; 2],
    /// Area of the faces below the plane in m².
    pub area: f64,
    /// ∫ u dV, u the depth below the plane, in m⁴.
    pub depth_integral: f64,
    /// Largest depth in m.
    pub depth: f64,
}

impl Submerged {
    /// Force on a soft half-space, the body being rigid: c_l V, downwards.
    pub fn force(&self, stiffness: f64) -> Vector {
        Vector::new(0.0, 0.0, -stiffness * self.volume)
    }

    /// Torque on it about the origin: c_l ∫ x dV × −e_z.
    pub fn torque(&self, stiffness: f64) -> Vector {
        Vector::new(-stiffness * self.moment[1], stiffness * self.moment[0], 0.0)
    }

    /// c_l ∫ u dV.
    pub fn energy(&self, stiffness: f64) -> f64 {
        stiffness * self.depth_integral
    }
}

/// Clips a closed mesh, moved by `pose`, to z < 0 and integrates over it.
///
/// By the divergence theorem with the fields (0, 0, z), (0, 0, x z), (0, 0, y z), (0, 0, −z²/2): the lid at z = 0
/// contributes nothing, so the clipped faces suffice.
pub fn submerged(mesh: &TriangleMesh, pose: &Pose) -> Submerged {
    let mut sum = Submerged { volume: 0.0, moment: [0.0; 2], area: 0.0, depth_integral: 0.0, depth: 0.0 };
    for face in 0..mesh.faces.len() {
        let corners = mesh.corners(FaceIndex(face as u32)).map(|x| pose.rotation * x + pose.translation.vector);
        let polygon = below(&corners);
        for i in 2..polygon.len() {
            let (a, b, c) = (polygon[0], polygon[i - 1], polygon[i]);
            // n_z dA, signed; face normals point out of the body.
            let area_z = 0.5 * (b - a).cross(&(c - a)).z;
            // The rule over edge middles is exact for quadratic integrands.
            for middle in [0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a)] {
                let weight = area_z / 3.0;
                sum.volume += weight * middle.z;
                sum.moment[0] += weight * middle.x * middle.z;
                sum.moment[1] += weight * middle.y * middle.z;
                sum.depth_integral -= 0.5 * weight * middle.z * middle.z;
            }
            sum.area += 0.5 * (b - a).cross(&(c - a)).norm();
        }
        sum.depth = polygon.iter().map(|x| -x.z).fold(sum.depth, f64::max);
    }
    sum
}

/// The part of a triangle with z < 0: up to four corners, in the triangle's order.
fn below(triangle: &[Vector; 3]) -> Vec<Vector> {
    let mut polygon = Vec::with_capacity(4);
    for i in 0..3 {
        let (from, to) = (triangle[i], triangle[(i + 1) % 3]);
        if from.z < 0.0 {
            polygon.push(from);
        }
        if (from.z < 0.0) != (to.z < 0.0) {
            polygon.push(from + (to - from) * (from.z / (from.z - to.z)));
        }
    }
    polygon
}
