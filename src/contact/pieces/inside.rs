//! The parts of a face that lie inside the other body, as convex polygons.

use super::polygon::{ConvexPolygon, INNER_SIDE, Linear, PlanePoint, difference};

/// What is nearer to the rim of a polygon than this part of its size counts as on the rim; dimensionless.
const RIM: f64 = 1e-9;

/// What is known of a part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Side {
    /// Inside the other body.
    Inside,
    /// Outside.
    Outside,
    /// No line was long enough to tell.
    Unknown,
}

/// Cuts a polygon along the lines from `first` on, until each part is wholly inside or outside. What is inside the other body
/// lies on the left of a line.
pub fn cut_along_lines(
    polygon: &ConvexPolygon,
    side: Side,
    first: usize,
    lines: &mut Vec<[PlanePoint; 2]>,
    visit: &mut impl FnMut(&ConvexPolygon, Side),
) {
    if polygon.needs_splitting() {
        return polygon.halves().iter().for_each(|half| cut_along_lines(half, side, first, lines, visit));
    }
    let last = lines.len();
    for index in first..last {
        let line = lines[index];
        lines.extend(within(polygon, line));
    }
    if last == lines.len() {
        visit(polygon, side);
    } else {
        // Both parts border on the line itself: where no other line is left in one, this line tells its side.
        let [a, b] = lines[last];
        let [x, y] = difference(b, a);
        let cut = Linear { at_origin: y * a[0] - x * a[1], gradient: [-y, x] };
        for (part, side) in polygon.divided_as(&cut, [INNER_SIDE; 2]).iter().zip([Side::Inside, Side::Outside]) {
            if !part.is_empty() {
                cut_along_lines(part, side, last + 1, lines, visit);
            }
        }
    }
    lines.truncate(last);
}

/// The part of a line inside a polygon, off its rim; none where there is nothing of it.
fn within(polygon: &ConvexPolygon, [a, b]: [PlanePoint; 2]) -> Option<[PlanePoint; 2]> {
    let corners = polygon.corners();
    let &first = corners.first()?;
    let size = corners
        .iter()
        .map(|&corner| difference(corner, first))
        .fold(0.0, |size: f64, [x, y]| size.max(x.abs() + y.abs()));
    let along = difference(b, a);
    let (mut start, mut end) = (0.0f64, 1.0f64);
    let mut previous = *corners.last()?;
    for &corner in corners {
        let [x, y] = difference(corner, previous);
        let length = (x * x + y * y).sqrt();
        let height = |point: PlanePoint| {
            let [u, v] = difference(point, previous);
            x * v - y * u - RIM * size * length
        };
        let (at_a, at_b) = (height(a), height(b));
        if at_a < 0.0 && at_b < 0.0 {
            return None;
        }
        if at_a < 0.0 {
            start = start.max(at_a / (at_a - at_b));
        } else if at_b < 0.0 {
            end = end.min(at_a / (at_a - at_b));
        }
        previous = corner;
    }
    let length = (end - start) * (along[0] * along[0] + along[1] * along[1]).sqrt();
    let at = |part: f64| [a[0] + part * along[0], a[1] + part * along[1]];
    (RIM * size < length).then(|| [at(start), at(end)])
}
