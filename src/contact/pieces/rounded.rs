//! Depths below edges and vertices, which are not linear: parts over which a linear function has the same integrals.

use super::feature::{DepthFunction, PlacedPlane};
use super::polygon::{ConvexPolygon, Linear, PlanePoint, cross, difference};

/// Directions towards the edge or vertex differ by less than this over a part: the cosine of 10°.
const SAME_DIRECTION: f64 = 0.984_807_753_012_208;

/// A cut that leaves more than this part of a polygon on one side is none; dimensionless.
const LARGEST_PART: f64 = 1.0 - 1e-9;

/// Of polygons as slender as this the slope across cannot be told from rounding: they take that at their centroid. The
/// determinant of their second moments over the square of the trace; dimensionless.
const SLENDER: f64 = 1e-9;

/// Gauss' points between 0 and 1, and their weights: exact for polynomials of degree 9.
pub const GAUSS: [(f64, f64); 5] = [
    (0.046_910_077_030_668, 0.118_463_442_528_094_54),
    (0.230_765_344_947_158_46, 0.239_314_335_249_683_24),
    (0.5, 0.284_444_444_444_444_44),
    (0.769_234_655_052_841_5, 0.239_314_335_249_683_24),
    (0.953_089_922_969_332, 0.118_463_442_528_094_54),
];

/// Hands out parts of a polygon with linear functions that have the integrals of the depth, also with the coordinates:
/// forces and torques of the springs are then exact, up to the quadrature.
pub fn linear_parts(
    plane: &PlacedPlane,
    depth: &DepthFunction,
    polygon: &ConvexPolygon,
    negligible: f64,
    take: &mut impl FnMut(&ConvexPolygon, Linear),
) {
    let Some((area, centroid)) = polygon.area_and_centroid() else { return };
    if area <= negligible {
        return;
    }
    if polygon.needs_splitting() {
        return polygon.halves().iter().for_each(|half| linear_parts(plane, depth, half, negligible, take));
    }
    let parts = widest_angle(plane, depth, polygon, centroid).map(|cut| polygon.divided(&cut));
    let is_smaller =
        |part: &ConvexPolygon| part.area_and_centroid().is_none_or(|(of_part, _)| of_part < LARGEST_PART * area);
    if let Some(parts) = parts.filter(|parts| parts.iter().all(is_smaller)) {
        parts.iter().for_each(|part| linear_parts(plane, depth, part, negligible, take));
    } else if let Some(linear) = with_same_integrals(plane, depth, polygon, centroid) {
        take(polygon, linear);
    }
}

/// The line that halves the widest angle at the feature; none where all directions are about the same.
fn widest_angle(
    plane: &PlacedPlane,
    depth: &DepthFunction,
    polygon: &ConvexPolygon,
    centroid: PlanePoint,
) -> Option<Linear> {
    // A little towards the centroid: a corner may lie on the feature itself, where there is no direction.
    let directions = polygon.corners().iter().map(|&corner| {
        let towards = difference(centroid, corner);
        depth.direction(plane, [corner[0] + 1e-6 * towards[0], corner[1] + 1e-6 * towards[1]])
    });
    let mut widest = (SAME_DIRECTION, None);
    for (index, a) in directions.clone().enumerate() {
        for b in directions.clone().skip(index + 1) {
            if a.dot(&b) < widest.0 {
                widest = (a.dot(&b), Some(a - b));
            }
        }
    }
    let (DepthFunction::Line { point, .. } | DepthFunction::Point(point)) = depth else { return None };
    widest.1.map(|across| plane.linear(&across, point))
}

/// The linear function with the same integrals over a polygon, alone and with both coordinates.
fn with_same_integrals(
    plane: &PlacedPlane,
    depth: &DepthFunction,
    polygon: &ConvexPolygon,
    center: PlanePoint,
) -> Option<Linear> {
    let corners = polygon.corners();
    let depth_at = |corner: &PlanePoint| depth.value(plane, *corner);
    // A fan around the corner of least depth: towards an edge that crosses the face, the depth is linear along its rays.
    let (first, _) = corners.iter().enumerate().min_by(|(_, a), (_, b)| depth_at(a).total_cmp(&depth_at(b)))?;
    let apex = corners[first];
    let (mut sums, mut second) = ([0.0; 3], [0.0; 3]);
    let mut area = 0.0;
    for step in 1..corners.len() - 1 {
        let a = difference(corners[(first + step) % corners.len()], apex);
        let b = difference(corners[(first + step + 1) % corners.len()], apex);
        let double_area = cross(a, b).max(0.0);
        for (out, out_weight) in GAUSS {
            for (across, across_weight) in GAUSS {
                let offset = [0, 1].map(|axis| out * ((1.0 - across) * a[axis] + across * b[axis]));
                let at = [apex[0] + offset[0], apex[1] + offset[1]];
                let [x, y] = difference(at, center);
                let weight = double_area * out * out_weight * across_weight;
                let value = weight * depth.value(plane, at);
                sums = [sums[0] + value, sums[1] + value * x, sums[2] + value * y];
                second = [second[0] + weight * x * x, second[1] + weight * x * y, second[2] + weight * y * y];
                area += weight;
            }
        }
    }
    // About the centroid the first moments vanish.
    let determinant = second[0] * second[2] - second[1] * second[1];
    let trace = second[0] + second[2];
    let gradient = if SLENDER * trace * trace < determinant {
        [
            (second[2] * sums[1] - second[1] * sums[2]) / determinant,
            (second[0] * sums[2] - second[1] * sums[1]) / determinant,
        ]
    } else {
        depth.tangent(plane, center).gradient
    };
    let at_center = if 0.0 < area { sums[0] / area } else { depth.value(plane, center) };
    let at_origin = at_center - gradient[0] * center[0] - gradient[1] * center[1];
    let linear = Linear { at_origin, gradient };
    (at_origin.is_finite() && gradient[0].is_finite() && gradient[1].is_finite()).then_some(linear)
}
