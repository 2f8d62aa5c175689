//! Closest points of two triangles.

use super::triangle_distance::{closest_in_segments, closest_on_triangle, on_triangle};
use crate::math::Vector;

/// A point on each of two triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrianglePair {
    /// Barycentric coordinates of both points: none negative, their sum is 1.
    pub weights: [[f64; 3]; 2],
    /// Square of their distance, in m².
    pub squared_distance: f64,
}

/// The closest points of two triangles in one frame, also of degenerate ones; where the triangles intersect, a point of
/// the intersection, twice, up to rounding.
///
/// Every pair that is tried lies on the triangles, so the distance is never too small by more than rounding.
pub fn closest_of_triangles(first: &[Vector; 3], second: &[Vector; 3]) -> TrianglePair {
    let corner = |k: usize| [0, 1, 2].map(|l| if k == l { 1.0 } else { 0.0 });
    let mut best = TrianglePair { weights: [corner(0), corner(0)], squared_distance: f64::INFINITY };
    let mut offer = |weights: [[f64; 3]; 2]| {
        let between = on_triangle(second, weights[1]) - on_triangle(first, weights[0]);
        let squared_distance = between.norm_squared();
        if squared_distance < best.squared_distance {
            best = TrianglePair { weights, squared_distance };
        }
    };
    // A corner against the other triangle.
    for k in 0..3 {
        offer([corner(k), closest_on_triangle(second, &first[k]).1]);
        offer([closest_on_triangle(first, &second[k]).1, corner(k)]);
    }
    // The inside of an edge against that of another.
    for k in 0..3 {
        let edge = [&first[k], &first[(k + 1) % 3]];
        for l in 0..3 {
            if let Some([s, t]) = closest_in_segments(edge, [&second[l], &second[(l + 1) % 3]]) {
                offer([on_edge(k, s), on_edge(l, t)]);
            }
        }
    }
    // An edge that passes through the plane of the other triangle.
    for (weights, point) in passages(first, second).into_iter().flatten() {
        offer([weights, closest_on_triangle(second, &point).1]);
    }
    for (weights, point) in passages(second, first).into_iter().flatten() {
        offer([closest_on_triangle(first, &point).1, weights]);
    }
    best
}

/// Barycentric coordinates of the point on edge `k`, the part `t` of the way to the next corner.
fn on_edge(k: usize, t: f64) -> [f64; 3] {
    let mut weights = [0.0; 3];
    weights[k] = 1.0 - t;
    weights[(k + 1) % 3] = t;
    weights
}

/// Where the edges of a triangle pass through the plane of another one.
fn passages(triangle: &[Vector; 3], plane: &[Vector; 3]) -> [Option<([f64; 3], Vector)>; 3] {
    let normal = (plane[1] - plane[0]).cross(&(plane[2] - plane[0]));
    let heights = triangle.map(|corner| normal.dot(&(corner - plane[0])));
    [0, 1, 2].map(|k| {
        let (low, high) = (heights[k], heights[(k + 1) % 3]);
        if (low < 0.0) == (high < 0.0) {
            return None;
        }
        let weights = on_edge(k, (low / (low - high)).clamp(0.0, 1.0));
        Some((weights, on_triangle(triangle, weights))).filter(|(_, point)| point.iter().all(|x| x.is_finite()))
    })
}
