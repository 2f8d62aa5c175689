//! The energy of the field below pieces: the integral of the depth over the overlap of the bodies.
//!
//! In the cell of a face the depth is linear and vanishes at the face's first corner, the apex. By Euler's theorem and
//! the divergence theorem its integral is a quarter of the sum, over the faces of the cell's part in the overlap, of the
//! height above the apex times the integral of the depth. Faces that lie on the body's own surface add nothing, as the
//! depth vanishes there; pieces are counted with their areas; what is left are the walls of the cell. A wall is counted
//! in the same way from a corner of the face on it, so that sides of pieces on the wall are left, each of which makes a
//! tetrahedron with the apex and that corner; and, where two walls meet, the line between the piece's corner and the
//! corner of the face below it.

use super::feature::PlacedPlane;
use super::polygon::{ConvexPolygon, Linear};
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
