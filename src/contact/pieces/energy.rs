//! The energy of the field below pieces: the integral of the depth over the overlap of the bodies.
//!
//! In the cell of a face the depth is linear and vanishes at the face's first corner, the apex. By Euler's theorem and
//! the divergence theorem its integral is a quarter of the sum, over the faces of the cell's part in the overlap, of the
//! height above the apex times the integral of the depth. Faces that lie on the body's own surface add nothing, as the
//! depth vanishes there; pieces are counted with their areas; what is left are the walls of the cell. A wall is counted
//! in the same way from a corner of the face on it, so that sides of pieces on the wall are left, each of which makes a
//! tetrahedron with the apex and that corner; and, where two walls meet, the line between the piece's corner and the
//! corner of the face below it.

use super::feature::{DepthFunction, PlacedPlane};
use super::polygon::{ConvexPolygon, Linear, PlanePoint, difference};
use crate::contact::field::Feature;
use crate::contact::surface::ContactSurface;
use crate::math::Vector;
use crate::mesh::VertexIndex;

/// Labels of sides on the walls through edges 0 to 2.
pub const EDGE_WALL: u8 = 1;

/// Labels of sides on walls in corners 0 to 2.
pub const CORNER_WALL: u8 = 4;

/// What the walls of a cell add to the integral of the depth, in m⁴; the apex is the first of the face's corners.
pub fn wall_energy_below(plane: &PlacedPlane, polygon: &ConvexPolygon, depth: &Linear, corners: &[Vector; 3]) -> f64 {
    let (points, labels) = (polygon.corners(), polygon.labels());
    let [apex, first, second] = corners;
    let mut sum = 0.0;
    let mut previous = labels[labels.len() - 1];
    for (index, &label) in labels.iter().enumerate() {
        // Walls through the apex add nothing.
        let on_wall = match label {
            _ if label == EDGE_WALL + 1 || label == CORNER_WALL + 1 => Some(first),
            _ if label == CORNER_WALL + 2 => Some(second),
            _ => None,
        };
        let at = |index: usize| (plane.point(points[index]), depth.value(points[index]));
        if let Some(anchor) = on_wall {
            let ((a, depth_a), (b, depth_b)) = (at(index), at((index + 1) % points.len()));
            sum += tetrahedron(apex, &b, &a, anchor) * (depth_a + depth_b);
        }
        if !have_common_corner(previous, label) {
            return f64::NAN;
        }
        // The wall through the second edge is counted from its first corner: the line from its other corner is left.
        let is_at_second = |other: u8| other == EDGE_WALL + 2 || other == CORNER_WALL + 2;
        if previous == EDGE_WALL + 1 && is_at_second(label) {
            let (a, depth) = at(index);
            sum += tetrahedron(apex, second, &a, first) * depth;
        }
        if is_at_second(previous) && label == EDGE_WALL + 1 {
            let (a, depth) = at(index);
            sum += tetrahedron(apex, &a, second, first) * depth;
        }
        previous = label;
    }
    0.25 * sum
}

/// Whether two sides next to each other lie on walls that meet in a corner of the face, or are not both on walls.
fn have_common_corner(a: u8, b: u8) -> bool {
    let corners = |label: u8| match label {
        EDGE_WALL..CORNER_WALL => [label - EDGE_WALL, (label - EDGE_WALL + 1) % 3],
        _ => [label.wrapping_sub(CORNER_WALL); 2],
    };
    let (of_a, of_b) = (corners(a), corners(b));
    a < EDGE_WALL || b < EDGE_WALL || a == b || of_a.iter().any(|corner| of_b.contains(corner))
}

/// Volume with the sign of the order of its corners.
fn tetrahedron(apex: &Vector, a: &Vector, b: &Vector, c: &Vector) -> f64 {
    (a - apex).dot(&(b - apex).cross(&(c - apex))) / 6.0
}

/// Points nearer to each other than this part of a face's size are one; dimensionless. Cuts end in points that are rounded
/// by 10⁻¹⁶ of it, and the sides between them are not shorter than 10⁻⁷.
const SAME_POINT: f64 = 1e-9;

/// Gauss' points between 0 and 1, three of them, and their weights.
const GAUSS_THREE: [(f64, f64); 3] =
    [(0.112_701_665_379_258_3, 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.887_298_334_620_741_7, 5.0 / 18.0)];

/// A part of a face that the general way has found.
#[derive(Clone, Copy, Debug)]
pub struct FoundPart {
    /// The part.
    pub polygon: ConvexPolygon,
    /// The nearest feature.
    pub feature: Feature,
}

/// A side between parts with different features, counter-clockwise around the part of the first one.
#[derive(Clone, Copy, Debug)]
pub struct WallSide {
    feature: Feature,
    other: Feature,
    ends: [PlanePoint; 2],
}

/// What the walls between parts of a face add to the integral of the depth, in m⁴.
///
/// As in [`wall_energy_below`], but walls are found from the parts on both sides, and may be those below edges and vertices.
/// A wall between features that have no corner in common does not end at the surface: then none.
pub fn wall_energy_of_parts(
    surface: &ContactSurface,
    plane: &PlacedPlane,
    parts: &mut [FoundPart],
    size: f64,
    sides: &mut Vec<WallSide>,
) -> Option<f64> {
    find_wall_sides(parts, SAME_POINT * size, sides);
    sides.sort_unstable_by_key(|side| side.feature);
    let mut sum = 0.0;
    for side in sides.iter() {
        let (apex, anchor) = match anchor_of(surface, side.feature, side.other) {
            Anchored::ThroughApex => continue,
            Anchored::At(apex, anchor) => (apex, anchor),
            Anchored::Nowhere => return None,
        };
        let at = |vertex: VertexIndex| surface.mesh().vertices[vertex.index()];
        let depth = DepthFunction::new(surface, side.feature, plane);
        let [a, b] = side.ends.map(|end| plane.point(end));
        let along =
            |part: f64| [0, 1].map(|axis| side.ends[0][axis] + part * (side.ends[1][axis] - side.ends[0][axis]));
        let mean: f64 = GAUSS_THREE.iter().map(|&(part, weight)| weight * depth.value(plane, along(part))).sum();
        sum += 2.0 * mean * tetrahedron(&at(apex), &b, &a, &at(anchor.vertex));
        // The line from the other corner on the wall, where another wall begins.
        let Some(far) = anchor.far else { continue };
        for (end, point) in side.ends.into_iter().enumerate() {
            let meets =
                |other: &&WallSide| other.other != side.other && is_same(other.ends[1 - end], point, SAME_POINT * size);
            let first = sides.partition_point(|other| other.feature < side.feature);
            let of_feature = sides[first..].iter().take_while(|other| other.feature == side.feature);
            let is_at_far = of_feature.filter(meets).any(|other| has_vertex(surface, other.other, far));
            if is_at_far {
                let (corner, depth) = (plane.point(point), depth.value(plane, point));
                let volume = tetrahedron(&at(apex), &at(far), &corner, &at(anchor.vertex));
                sum += if end == 1 { volume } else { -volume } * depth;
            }
        }
    }
    Some(0.25 * sum)
}

/// The vertex that the energy below a feature is counted from.
pub fn apex_of(surface: &ContactSurface, feature: Feature) -> VertexIndex {
    vertices_of(surface, feature)[0]
}

/// The vertices of a feature; the last one again where there are fewer than three.
fn vertices_of(surface: &ContactSurface, feature: Feature) -> [VertexIndex; 3] {
    let faces = &surface.mesh().faces;
    match feature {
        Feature::Face(face) => faces[face.index()],
        Feature::Edge(edge) => {
            let corners = faces[edge.face().index()];
            let (start, end) = (corners[edge.corner()], corners[(edge.corner() + 1) % 3]);
            [start, end, end]
        }
        Feature::Vertex(vertex) => [vertex; 3],
    }
}

fn has_vertex(surface: &ContactSurface, feature: Feature, vertex: VertexIndex) -> bool {
    vertices_of(surface, feature).contains(&vertex)
}

/// A vertex on a wall, and the other one where the wall contains an edge.
struct Anchor {
    vertex: VertexIndex,
    far: Option<VertexIndex>,
}

/// How a wall between two features is counted from the apex of the first.
enum Anchored {
    /// It goes through the apex and adds nothing.
    ThroughApex,
    /// From the apex, by a vertex on the wall.
    At(VertexIndex, Anchor),
    /// No vertex is known to be on it.
    Nowhere,
}

fn anchor_of(surface: &ContactSurface, feature: Feature, other: Feature) -> Anchored {
    let [apex, first, second] = vertices_of(surface, feature);
    if has_vertex(surface, other, apex) {
        return Anchored::ThroughApex;
    }
    let (has_first, has_second) = (has_vertex(surface, other, first), has_vertex(surface, other, second));
    let far = (has_first && has_second && first != second).then_some(second);
    let vertex = if has_first { first } else { second };
    if has_first || has_second { Anchored::At(apex, Anchor { vertex, far }) } else { Anchored::Nowhere }
}

/// All sides between parts with different features, each twice. The parts are put in the order of their lowest x.
fn find_wall_sides(parts: &mut [FoundPart], tolerance: f64, sides: &mut Vec<WallSide>) {
    sides.clear();
    let range = |part: &FoundPart, axis: usize| {
        let values = part.polygon.corners().iter().map(|corner| corner[axis]);
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
    };
    parts.sort_unstable_by(|a, b| range(a, 0).0.total_cmp(&range(b, 0).0));
    for (index, part) in parts.iter().enumerate() {
        let ((_, right), (bottom, top)) = (range(part, 0), range(part, 1));
        for other in parts[index + 1..].iter().take_while(|other| range(other, 0).0 <= right + tolerance) {
            let (other_bottom, other_top) = range(other, 1);
            if other.feature == part.feature || top + tolerance < other_bottom || other_top + tolerance < bottom {
                continue;
            }
            for own in sides_of(&part.polygon) {
                for theirs in sides_of(&other.polygon) {
                    if let Some(ends) = common(own, theirs, tolerance) {
                        let [a, b] = ends;
                        sides.push(WallSide { feature: part.feature, other: other.feature, ends });
                        sides.push(WallSide { feature: other.feature, other: part.feature, ends: [b, a] });
                    }
                }
            }
        }
    }
}

fn sides_of(polygon: &ConvexPolygon) -> impl Iterator<Item = [PlanePoint; 2]> {
    let corners = polygon.corners();
    (0..corners.len()).map(move |k| [corners[k], corners[(k + 1) % corners.len()]])
}

/// What two sides in opposite directions have in common, in the direction of the first.
fn common([a, b]: [PlanePoint; 2], [c, d]: [PlanePoint; 2], tolerance: f64) -> Option<[PlanePoint; 2]> {
    let [x, y] = difference(b, a);
    let length = (x * x + y * y).sqrt();
    if length <= tolerance {
        return None;
    }
    let (x, y) = (x / length, y / length);
    let across = |point: PlanePoint| {
        let [u, v] = difference(point, a);
        (x * v - y * u).abs()
    };
    if tolerance < across(c) || tolerance < across(d) {
        return None;
    }
    let along = |point: PlanePoint| {
        let [u, v] = difference(point, a);
        x * u + y * v
    };
    let (start, end) = (along(d).max(0.0), along(c).min(length));
    let at = |part: f64| [a[0] + part * x, a[1] + part * y];
    (tolerance < end - start).then(|| [at(start), at(end)])
}

fn is_same(a: PlanePoint, b: PlanePoint, tolerance: f64) -> bool {
    let [x, y] = difference(a, b);
    x.abs().max(y.abs()) <= tolerance
}
