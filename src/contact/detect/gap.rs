//! The gap: how far two surfaces are from each other, and where.

use crate::bvh::{PairMemory, Separation};
use crate::contact::relative_motion::RelativeMotion;
use crate::contact::surface::ContactSurface;
use crate::math::{Pose, Vector};
use crate::mesh::{FaceIndex, TrianglePair, closest_of_triangles, on_triangle};

/// Beyond this many sizes of both bodies, their distance is computed as if they were nearer; dimensionless. The rounding
/// of coordinates, 10⁻¹⁶ of the distance, then exceeds what the change of perspective makes of the nearest points.
const FAR: f64 = 1e8;

/// The smallest distance of two surfaces, or how deep they overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// Distance of the surfaces in m; minus the largest depth where they overlap.
    pub distance: f64,
    /// The point of E nearest to F, in m, resolved in M_e.
    pub nearest_on_e_e: Vector,
    /// The point of F nearest to E, in m, resolved in M_f.
    pub nearest_on_f_f: Vector,
    /// A face of E and one of F with the nearest points; none for an overlap.
    pub faces: Option<[FaceIndex; 2]>,
}

impl Gap {
    /// The gap of surfaces that overlap: minus `depth` (in m, the largest one, not negative), with the point of E and
    /// that of F between which it was measured, both resolved in M_e.
    pub fn overlapping(depth: f64, point_on_e_e: Vector, point_on_f_e: Vector, motion: &RelativeMotion) -> Self {
        let nearest_on_f_f = motion.pose_ef().inverse_transform_point(&point_on_f_e.into()).coords;
        Gap { distance: -depth, nearest_on_e_e: point_on_e_e, nearest_on_f_f, faces: None }
    }
}

/// Memory that searches for the gap reuse: once warm, none allocates. It remembers which faces were almost nearest, which
/// makes the next search shorter and changes no bit of what is found.
#[derive(Clone, Debug, Default)]
pub struct GapMemory(PairMemory);

/// The distance of two surfaces with the nearest points; where surfaces intersect, zero up to rounding, at a point of the
/// intersection.
///
/// The result depends on the surfaces and the pose only, bit for bit. Of pairs of faces that are equally near up to some
/// 10⁻¹² of the size of the scene, the first in the order of the trees is taken; no pair is nearer by more than that.
pub fn gap(
    surface_e: &ContactSurface,
    surface_f: &ContactSurface,
    motion: &RelativeMotion,
    memory: &mut GapMemory,
) -> Gap {
    let pose_ef = brought_near(surface_e, surface_f, motion.pose_ef());
    let separation = Separation::new(surface_e.tree(), surface_f.tree(), &pose_ef);
    let surfaces = [surface_e.number(), surface_f.number()];
    // The line between the nearest points so far: whatever is apart along it needs no closer look.
    let mut nearest = (f64::INFINITY, None);
    let measure = |face_e: FaceIndex, face_f: FaceIndex, limit: f64| {
        let (corners_e, corners_f) = (surface_e.mesh().corners(face_e), surface_f.mesh().corners(face_f));
        let corners_f = corners_f.map(|corner| moved(&pose_ef, corner));
        let axes = [nearest.1, Some(surface_e.normal(face_e)), Some(pose_ef.rotation * surface_f.normal(face_f))];
        for axis in axes.into_iter().flatten() {
            let apart = apart_along(&axis, &corners_e, &corners_f);
            if limit < apart {
                return Err(apart);
            }
        }
        let closest = closest_of_triangles(&corners_e, &corners_f);
        let distance = closest.squared_distance.sqrt();
        if distance < nearest.0 {
            let line = on_triangle(&corners_f, closest.weights[1]) - on_triangle(&corners_e, closest.weights[0]);
            nearest = (distance, line.try_normalize(f64::MIN_POSITIVE));
        }
        Ok((distance, ([face_e, face_f], closest)))
    };
    let (tree_e, tree_f) = (surface_e.tree(), surface_f.tree());
    let found = tree_e.nearest_pair(tree_f, surfaces, &pose_ef, &separation, &mut memory.0, measure);
    // Only a pose that is none leaves nothing to compare.
    let first_corners = TrianglePair { weights: [[1.0, 0.0, 0.0]; 2], squared_distance: f64::INFINITY };
    let (faces, closest) = found.unwrap_or(([FaceIndex(0); 2], first_corners));
    let nearest_on_e_e = on_triangle(&surface_e.mesh().corners(faces[0]), closest.weights[0]);
    let nearest_on_f_f = on_triangle(&surface_f.mesh().corners(faces[1]), closest.weights[1]);
    let distance = if pose_ef == *motion.pose_ef() {
        closest.squared_distance.sqrt()
    } else {
        length(moved(motion.pose_ef(), nearest_on_f_f) - nearest_on_e_e)
    };
    Gap { distance: distance.min(f64::MAX), nearest_on_e_e, nearest_on_f_f, faces: Some(faces) }
}

/// By how much two triangles are apart along a unit vector, in m; negative where they overlap.
fn apart_along(axis: &Vector, first: &[Vector; 3], second: &[Vector; 3]) -> f64 {
    let [e, f] = [first, second].map(|corners| corners.map(|corner| axis.dot(&(corner - first[0]))));
    let low = |[a, b, c]: [f64; 3]| a.min(b).min(c);
    let high = |[a, b, c]: [f64; 3]| a.max(b).max(c);
    (low(f) - high(e)).max(low(e) - high(f))
}

/// The pose itself, or where the bodies are [`FAR`] from each other, one in the same direction that is nearer.
fn brought_near(surface_e: &ContactSurface, surface_f: &ContactSurface, pose_ef: &Pose) -> Pose {
    let (box_e, box_f) = (surface_e.tree().bounds(), surface_f.tree().bounds());
    let (center_e, center_f) = (box_e.center, pose_ef.rotation * box_f.center);
    let offset = center_f + pose_ef.translation.vector - center_e;
    let (distance, farthest) = (length(offset), FAR * (box_e.radius() + box_f.radius()));
    if distance <= farthest {
        return *pose_ef;
    }
    let direction = offset / offset.amax();
    let nearer = center_e - center_f + direction * (farthest / direction.norm());
    Pose::from_parts(nearer.into(), pose_ef.rotation)
}

/// The length of any vector, also of one whose square is no number.
fn length(vector: Vector) -> f64 {
    let size = vector.amax();
    if size > 0.0 && size.is_finite() { size * (vector / size).norm() } else { size }
}

fn moved(pose: &Pose, point: Vector) -> Vector {
    pose.rotation * point + pose.translation.vector
}
