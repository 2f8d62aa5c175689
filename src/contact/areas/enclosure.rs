//! Whether a point of one body lies inside the other.

use crate::bvh::{FaceVolume, OverlapStack};
use crate::contact::detect::{IntersectionLine, PosedPair, PosedSurface, Sign, edge_past_edge, side_of_face};
use crate::math::{Body, Vector};
use crate::mesh::{FaceIndex, closest_on_segment};

/// The intersection lines on one face: what decides for a point when the other surface is open.
pub struct NearestLine<'a> {
    /// The body that the face belongs to.
    pub body: Body,
    /// All intersection lines.
    pub lines: &'a [IntersectionLine],
    /// The face.
    pub face: FaceIndex,
}

/// Whether a point of `body`, given in E, lies inside the other body.
///
/// For a closed surface the answer is exact: the point is inside if the way out crosses the surface
/// outwards once more than inwards. An open surface has no inside; there the intersection line
/// nearest to the point decides, by the side of its face.
pub fn is_inside(
    body: Body,
    point_e: Vector,
    other: &PosedSurface,
    nearest: &NearestLine,
    stack: &mut OverlapStack,
) -> bool {
    if other.surface.half_edges().is_closed() {
        return crossings_on_the_way_out(body, point_e, other, stack) > 0;
    }
    let distance = |line: &IntersectionLine| {
        let (start, end) = (line.start.position_e, line.end.position_e);
        (start + (end - start) * closest_on_segment(&start, &end, &point_e) - point_e).norm()
    };
    let Some(line) = nearest
        .lines
        .iter()
        .filter(|line| line.face_of(nearest.body) == nearest.face)
        .min_by(|a, b| distance(a).total_cmp(&distance(b)))
    else {
        return false;
    };
    let corners = other.corners(line.face_of(body.other()));
    side_of_face(other.grid(), &corners, point_e, body.other()) == Some(Sign::Negative)
}

/// Whether a shell of one body lies inside the other; asked only where no faces intersect.
pub fn any_enclosed(PosedPair { e, f, .. }: &PosedPair, stack: &mut OverlapStack) -> bool {
    let mut inside = |body, this: &PosedSurface, other: &PosedSurface| {
        this.surface.shell_vertices().iter().any(|&vertex| is_enclosed(body, this.vertex(vertex), other, stack))
    };
    inside(Body::E, e, f) || inside(Body::F, f, e)
}

/// Whether a point of `body` lies inside the other, closed body; false for an open one.
fn is_enclosed(body: Body, point_e: Vector, other: &PosedSurface, stack: &mut OverlapStack) -> bool {
    other.surface.half_edges().is_closed() && crossings_on_the_way_out(body, point_e, other, stack) > 0
}

/// Outward minus inward crossings of a straight line from a point along an axis of E, up to the end of the grid. Any
/// axis would do; the one that leads away from the middle of the body is soon out of it.
fn crossings_on_the_way_out(body: Body, point_e: Vector, other: &PosedSurface, stack: &mut OverlapStack) -> i32 {
    let grid = other.grid();
    let bounds = other.surface.tree().bounds();
    let start = other.own_frame(point_e);
    let away_e = other.axes_in_e(start - bounds.center);
    let mut outside_e = point_e;
    outside_e[away_e.iamax()] = grid.reach().copysign(away_e[away_e.iamax()]);
    let end = other.own_frame(outside_e);
    if (0..3).any(|axis| bounds.half[axis] + grid.box_margin() < (start[axis] - bounds.center[axis]).abs()) {
        return 0;
    }
    let (middle, half) = (0.5 * (start + end), 0.5 * (end - start));
    let mut balance = 0;
    other.surface.tree().items_touching(
        stack,
        |FaceVolume { bounds, .. }| {
            (0..3).all(|axis| {
                (bounds.center[axis] - middle[axis]).abs() <= bounds.half[axis] + half[axis].abs() + grid.box_margin()
            }) && line_meets_box(&middle, &half, &bounds.center, &bounds.half, grid.box_margin())
        },
        |face| {
            let corners = other.corners(face);
            let (Some(from), Some(to)) = (
                side_of_face(grid, &corners, point_e, body.other()),
                side_of_face(grid, &corners, outside_e, body.other()),
            ) else {
                return;
            };
            if from == to {
                return;
            }
            let pass = |k: usize| {
                let (a, b) = (corners[k], corners[(k + 1) % 3]);
                match body {
                    Body::E => edge_past_edge(grid, point_e, outside_e, a, b),
                    Body::F => edge_past_edge(grid, a, b, point_e, outside_e),
                }
            };
            let first = pass(0);
            if first.is_some() && first == pass(1) && first == pass(2) {
                balance += if from == Sign::Negative { 1 } else { -1 };
            }
        },
    );
    balance
}

/// Separating-axis test of a line segment (centre, half vector) against a box, on the three axes
/// across the segment and the box edges.
fn line_meets_box(middle: &Vector, half: &Vector, center: &Vector, box_half: &Vector, margin: f64) -> bool {
    let distance = center - middle;
    let cross = half.cross(&distance);
    let size = half.abs();
    let reach = box_half.add_scalar(margin);
    cross.x.abs() <= reach.y * size.z + reach.z * size.y
        && cross.y.abs() <= reach.z * size.x + reach.x * size.z
        && cross.z.abs() <= reach.x * size.y + reach.y * size.x
}
