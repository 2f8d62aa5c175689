//! Stage 2a: two triangles become an intersection line.

use super::orientation::{FacePlane, Sign, edge_past_edge};
use super::posed_surface::PosedSurface;
use crate::math::{Body, Grid, Vector};
use crate::mesh::{FaceIndex, HalfEdge};

/// Identity of an intersection point: an edge of one surface and the face of the other that it crosses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeId(u64);

/// Face indices have fewer bits than this, half-edge indices at most one more.
const FACE_BITS: u32 = 31;

impl NodeId {
    /// `edge` is the half-edge that stands for its edge; `face` belongs to the other surface.
    #[inline]
    pub fn new(edge_of: Body, edge: HalfEdge, face: FaceIndex) -> Self {
        debug_assert!(face.0 >> FACE_BITS == 0);
        let body = u64::from(edge_of == Body::F) << 63;
        NodeId(body | (u64::from(edge.0) << FACE_BITS) | u64::from(face.0))
    }

    /// The body that the edge belongs to.
    #[inline]
    pub fn edge_of(self) -> Body {
        if self.0 >> 63 == 0 { Body::E } else { Body::F }
    }

    /// The half-edge that stands for the edge.
    #[inline]
    pub fn edge(self) -> HalfEdge {
        HalfEdge((self.0 >> FACE_BITS) as u32)
    }
}

/// An end of an intersection line.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// Which point it is.
    pub id: NodeId,
    /// Where it is, in frame E. The same for both lines that meet in the point.
    pub position_e: Vector,
}

/// The intersection of a face of E and a face of F.
///
/// It runs along `n_e × n_f` (4.10): on the outer side of E the part inside F is on its left, and
/// on the outer side of F the part inside E is on its right.
#[derive(Clone, Copy, Debug)]
pub struct IntersectionLine {
    /// The face of E.
    pub face_e: FaceIndex,
    /// The face of F.
    pub face_f: FaceIndex,
    /// Where the line starts.
    pub start: Node,
    /// Where the line ends.
    pub end: Node,
}

impl IntersectionLine {
    /// The face that belongs to a body.
    #[inline]
    pub fn face_of(&self, body: Body) -> FaceIndex {
        match body {
            Body::E => self.face_e,
            Body::F => self.face_f,
        }
    }
}

/// A face in frame E, with what the tests against several other faces share.
#[derive(Clone, Copy, Debug)]
pub struct PlacedFace {
    face: FaceIndex,
    corners: [Vector; 3],
    plane: FacePlane,
}

impl PlacedFace {
    /// Of a face and its corners in E.
    #[inline]
    pub fn new(face: FaceIndex, corners: [Vector; 3]) -> Self {
        PlacedFace { face, corners, plane: FacePlane::new(&corners) }
    }
}

/// Which edges the ends of an intersection line lie on: 0 to 2 are those of the face of E, 3 to 5 those of the face of F.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineEnds {
    start: u8,
    end: u8,
}

impl LineEnds {
    /// As a number that is not zero.
    #[inline]
    pub fn number(self) -> u8 {
        1 + 6 * self.start + self.end
    }

    /// From such a number; none for zero.
    #[inline]
    pub fn of_number(number: u8) -> Option<Self> {
        let pair = number.checked_sub(1)?;
        Some(LineEnds { start: pair / 6, end: pair % 6 })
    }
}

/// Where the intersection line of two faces starts and ends; none where they do not intersect.
///
/// Degenerate cases are those of a pose infinitely close by (see [`super::orientation`]):
/// triangles that only touch, and coplanar triangles, either intersect in a line or not at all.
#[inline]
pub fn line_ends(grid: &Grid, placed_e: &PlacedFace, placed_f: &PlacedFace) -> Option<LineEnds> {
    let sides_f = sides(grid, &placed_e.plane, &placed_f.corners, Body::E);
    if sides_f.is_some_and(|sides| sides[0] == sides[1] && sides[1] == sides[2]) {
        return None;
    }
    let sides_e = sides(grid, &placed_f.plane, &placed_e.corners, Body::F);
    if sides_e.is_some_and(|sides| sides[0] == sides[1] && sides[1] == sides[2]) {
        return None;
    }
    ends_across_planes(grid, placed_e, placed_f, sides_e, sides_f)
}

/// The intersection line of two faces with these ends.
#[inline]
pub fn line_between(
    e: &PosedSurface,
    f: &PosedSurface,
    placed_e: &PlacedFace,
    placed_f: &PlacedFace,
    ends: LineEnds,
) -> IntersectionLine {
    let node_at = |edge: u8| match edge {
        0..3 => node(Body::E, e, placed_e, edge.into(), placed_f),
        _ => node(Body::F, f, placed_f, usize::from(edge) - 3, placed_e),
    };
    let (start, end) = (node_at(ends.start), node_at(ends.end));
    IntersectionLine { face_e: placed_e.face, face_f: placed_f.face, start, end }
}

/// Motion of F that surely changes no sign behind [`line_ends`] of two faces that intersect, in m.
pub fn persistence(placed_e: &PlacedFace, placed_f: &PlacedFace) -> f64 {
    let mut least = f64::INFINITY;
    for (face, other) in [(placed_e, placed_f), (placed_f, placed_e)] {
        let normal = face.plane.cross();
        for corner in other.corners {
            least = least.min(normal.dot(&(corner - face.corners[0])).abs() / normal.norm());
        }
    }
    for k in 0..3 {
        let (p, along) = (placed_e.corners[k], placed_e.corners[(k + 1) % 3] - placed_e.corners[k]);
        for l in 0..3 {
            let (a, b) = (placed_f.corners[l] - p, placed_f.corners[(l + 1) % 3] - p);
            // A motion of a and b by m changes the determinant by m |along| (|a| + |b| + m) at most.
            let (reach, room) = (a.norm() + b.norm(), along.dot(&a.cross(&b)).abs() / along.norm());
            least = least.min(2.0 * room / (reach + (reach * reach + 4.0 * room).sqrt()));
        }
    }
    if least.is_finite() { least * (1.0 - CLEARANCE_ROUNDING) } else { 0.0 }
}

/// By how much two faces that do not intersect are apart along some axis, in m; not positive where none tells them apart.
///
/// The corners are in E and exact; the distances are rounded by some 10⁻¹⁵ of their size.
pub fn clearance(placed_e: &PlacedFace, placed_f: &PlacedFace) -> f64 {
    let apart_along = |axis: &Vector| {
        let range = |face: &PlacedFace| {
            let [a, b, c] = face.corners.map(|corner| axis.dot(&(corner - placed_e.corners[0])));
            [a.min(b).min(c), a.max(b).max(c)]
        };
        let ([low_e, high_e], [low_f, high_f]) = (range(placed_e), range(placed_f));
        (low_f - high_e).max(low_e - high_f) / axis.norm()
    };
    let mut largest = apart_along(placed_e.plane.cross()).max(apart_along(placed_f.plane.cross()));
    if largest <= 0.0 {
        // Two triangles that are apart are so along a normal, or across two edges.
        let sides = |face: &PlacedFace| [0, 1, 2].map(|k| face.corners[(k + 1) % 3] - face.corners[k]);
        for side_e in sides(placed_e) {
            for side_f in sides(placed_f) {
                let axis = side_e.cross(&side_f);
                if PARALLEL_EDGES * side_e.norm_squared() * side_f.norm_squared() < axis.norm_squared() {
                    largest = largest.max(apart_along(&axis));
                }
            }
        }
    }
    if largest.is_finite() { largest * (1.0 - CLEARANCE_ROUNDING) } else { 0.0 }
}

/// Square of the sine of an angle between edges below which their cross product is no axis to rely on; dimensionless.
/// Above, it is rounded by 10⁻¹³ of its length, far below [`CLEARANCE_ROUNDING`].
const PARALLEL_EDGES: f64 = 1e-6;

/// Rounding of a distance from a plane, relative to it where it matters; dimensionless and generous.
const CLEARANCE_ROUNDING: f64 = 1e-6;

/// Where the intersection line of two faces starts and ends, each of which has corners on both sides of the other's plane.
#[inline(never)]
fn ends_across_planes(
    grid: &Grid,
    placed_e: &PlacedFace,
    placed_f: &PlacedFace,
    sides_e: Option<[Sign; 3]>,
    sides_f: Option<[Sign; 3]>,
) -> Option<LineEnds> {
    let (corners_e, corners_f) = (placed_e.corners, placed_f.corners);

    // Sense in which edge k of e passes edge l of f, found when first needed.
    let mut passes = [[None; 3]; 3];
    let mut pass = |k: usize, l: usize| {
        *passes[k][l].get_or_insert_with(|| {
            let sense =
                edge_past_edge(grid, corners_e[k], corners_e[(k + 1) % 3], corners_f[l], corners_f[(l + 1) % 3]);
            debug_assert!(sense.is_some(), "parallel edges need no decision");
            sense.unwrap_or(Sign::Positive)
        })
    };

    let (mut start, mut end) = (None, None);
    // Without a side (collinear corners of the other face) no edge crosses that face.
    if let Some(sides) = sides_e {
        for k in 0..3 {
            if sides[k] != sides[(k + 1) % 3] && pass(k, 0) == pass(k, 1) && pass(k, 1) == pass(k, 2) {
                // The inner part of e lies left of the line, so the line ends where the boundary of
                // e, run counter-clockwise, goes inside.
                *(if sides[k] == Sign::Positive { &mut end } else { &mut start }) = Some(k as u8);
            }
        }
    }
    if let Some(sides) = sides_f {
        for l in 0..3 {
            if sides[l] != sides[(l + 1) % 3] && pass(0, l) == pass(1, l) && pass(1, l) == pass(2, l) {
                // The inner part of f lies right of the line: the other way round.
                *(if sides[l] == Sign::Positive { &mut start } else { &mut end }) = Some(3 + l as u8);
            }
        }
    }
    debug_assert_eq!(start.is_some(), end.is_some(), "exact predicates give both ends or none");
    Some(LineEnds { start: start?, end: end? })
}

/// The sides of three points with respect to a face; none for a face with collinear corners.
#[inline]
fn sides(grid: &Grid, face: &FacePlane, points: &[Vector; 3], face_of: Body) -> Option<[Sign; 3]> {
    Some([
        face.side(grid, points[0], face_of)?,
        face.side(grid, points[1], face_of)?,
        face.side(grid, points[2], face_of)?,
    ])
}

/// Where an edge of a face crosses another face.
fn node(edge_of: Body, owner: &PosedSurface, placed: &PlacedFace, corner: usize, other: &PlacedFace) -> Node {
    let half_edge = HalfEdge::new(placed.face, corner);
    let edge = owner.surface.half_edges().edge(half_edge);
    let (mut p, mut q) = (placed.corners[corner], placed.corners[(corner + 1) % 3]);
    if edge != half_edge {
        // Seen from both faces at the edge, the point is the same to the last bit.
        std::mem::swap(&mut p, &mut q);
    }
    let (a, normal) = (other.corners[0], other.plane.cross());
    // p and q are on different sides, so only the magnitudes of the distances count. In ties of
    // coplanar points both vanish, and every point of the edge is as good.
    let (distance_p, distance_q) = (normal.dot(&(p - a)).abs(), normal.dot(&(q - a)).abs());
    let sum = distance_p + distance_q;
    let fraction = if sum > 0.0 { distance_p / sum } else { 0.5 };
    Node { id: NodeId::new(edge_of, edge, other.face), position_e: p + fraction * (q - p) }
}
