//! Closest points of points, segments and triangles.
//!
//! What is returned always lies on the segment or the triangle, so that a distance can come out too large by rounding,
//! but never too small by more than the rounding of coordinates.

use crate::math::Vector;

/// Where on a triangle a point lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TriangleFeature {
    /// Off its edges.
    Inside,
    /// On the edge from this corner (0, 1, 2) to the next.
    Edge(usize),
    /// At this corner (0, 1, 2).
    Corner(usize),
}

/// A triangle is a needle where twice its area is below this part of the square of its longest edge; dimensionless.
/// Sub-areas of a wider one are good to 10⁻¹⁰ of it, those of a needle may be noise.
const NEEDLE: f64 = 1e-3;

/// Two segments are nearly parallel where the square of the sine of their angle is below this; dimensionless. The place
/// of the closest points is then good to fewer than twelve digits and is found a second time, from nearby.
const NEARLY_PARALLEL: f64 = 1e-4;

/// The closest point of a triangle: where it lies, and its barycentric coordinates, none negative, their sum 1.
pub fn closest_on_triangle(corners: &[Vector; 3], point: &Vector) -> (TriangleFeature, [f64; 3]) {
    let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0]));
    let size = normal.norm_squared();
    // Sub-areas against each edge, scaled by the square of the triangle's: barycentric coordinates of the foot point.
    let area = |k: usize| {
        let (a, b) = (corners[(k + 1) % 3], corners[(k + 2) % 3]);
        (b - a).cross(&(point - a)).dot(&normal)
    };
    let areas = [area(0), area(1), area(2)];
    let mut inside = None;
    if size > 0.0 && areas.iter().all(|&area| area > 0.0) {
        let lengths = [0, 1, 2].map(|k| (corners[(k + 1) % 3] - corners[k]).norm_squared());
        let longest = lengths[0].max(lengths[1]).max(lengths[2]);
        if (NEEDLE * longest) * (NEEDLE * longest) <= size {
            let sum = areas[0] + areas[1] + areas[2];
            return (TriangleFeature::Inside, areas.map(|area| area / sum));
        }
        let edge = (0..3).find(|&k| lengths[k] == longest).unwrap_or(0);
        inside = Some(inside_needle(corners, edge, point));
    }
    // Outside of the prism over the triangle: the closest point of the border.
    let (mut best, best_distance) = closest_on_border(corners, point);
    if let Some(weights) = inside
        && (on_triangle(corners, weights) - point).norm_squared() < best_distance
    {
        best = (TriangleFeature::Inside, weights);
    }
    best
}

/// The point of a triangle with these barycentric coordinates.
#[inline]
pub fn on_triangle(corners: &[Vector; 3], weights: [f64; 3]) -> Vector {
    corners[0] * weights[0] + corners[1] * weights[1] + corners[2] * weights[2]
}

/// The closest point of the three edges, and the square of its distance.
fn closest_on_border(corners: &[Vector; 3], point: &Vector) -> ((TriangleFeature, [f64; 3]), f64) {
    let mut best = (TriangleFeature::Corner(0), [1.0, 0.0, 0.0]);
    let mut best_distance = f64::INFINITY;
    for k in 0..3 {
        let (a, b) = (corners[k], corners[(k + 1) % 3]);
        let t = closest_on_segment(&a, &b, point);
        let distance = (a + t * (b - a) - point).norm_squared();
        if distance < best_distance {
            best_distance = distance;
            let mut weights = [0.0; 3];
            weights[k] = 1.0 - t;
            weights[(k + 1) % 3] = t;
            let feature = if t == 0.0 {
                TriangleFeature::Corner(k)
            } else if t == 1.0 {
                TriangleFeature::Corner((k + 1) % 3)
            } else {
                TriangleFeature::Edge(k)
            };
            best = (feature, weights);
        }
    }
    (best, best_distance)
}

/// Barycentric coordinates of the foot point on a needle, along its longest edge first and then across, so that rounding
/// moves it by no more than the width.
fn inside_needle(corners: &[Vector; 3], longest: usize, point: &Vector) -> [f64; 3] {
    let [a, b, c] = [0, 1, 2].map(|k| corners[(longest + k) % 3]);
    let (base, side, offset) = (b - a, c - a, point - a);
    let length = base.norm_squared();
    let along = side.dot(&base) / length;
    let across = side - along * base;
    let width = across.norm_squared();
    let place = offset.dot(&base) / length;
    // The part of the offset across the edge, since `across` is not quite orthogonal to the edge.
    let of_c = if width > 0.0 { ((offset - place * base).dot(&across) / width).clamp(0.0, 1.0) } else { 0.0 };
    let of_b = (place - of_c * along).clamp(0.0, 1.0).min(1.0 - of_c);
    let mut weights = [0.0; 3];
    weights[longest] = 1.0 - of_c - of_b;
    weights[(longest + 1) % 3] = of_b;
    weights[(longest + 2) % 3] = of_c;
    weights.map(|weight| weight.max(0.0))
}

/// The closest point of the segment from `a` to `b`, as the part of the way from `a` (0) to `b` (1).
#[inline]
pub fn closest_on_segment(a: &Vector, b: &Vector, point: &Vector) -> f64 {
    let along = b - a;
    let length = along.norm_squared();
    if length > 0.0 { ((point - a).dot(&along) / length).clamp(0.0, 1.0) } else { 0.0 }
}

/// Points inside two segments that are closest to each other, as parts of the way from the first end (0) to the second
/// (1); none where the segments are parallel, since then an end is among the closest points.
///
/// Where an end is closest, the points need not be the closest ones: ends are left to [`closest_on_segment`].
#[inline]
pub fn closest_in_segments(first: [&Vector; 2], second: [&Vector; 2]) -> Option<[f64; 2]> {
    let (u, v) = (first[1] - first[0], second[1] - second[0]);
    let normal = u.cross(&v);
    let size = normal.norm_squared();
    let lengths = u.norm_squared() * v.norm_squared();
    if size.is_nan() || size <= f64::EPSILON * f64::EPSILON * lengths {
        return None;
    }
    let (mut s, mut t) = (0.0, 0.0);
    let rounds = if size < NEARLY_PARALLEL * lengths { 3 } else { 1 };
    for _ in 0..rounds {
        let offset = second[0] + t * v - first[0] - s * u;
        s = (s + offset.cross(&v).dot(&normal) / size).clamp(0.0, 1.0);
        t = closest_on_segment(second[0], second[1], &(first[0] + s * u));
    }
    Some([s, t])
}
