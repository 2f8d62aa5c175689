//! The energy of the field below pieces: the integral of the depth over the overlap of the bodies.
//!
//! In the cell of a feature the depth grows in proportion to the distance from any point of its plane or line: from the
//! *apex*, the one nearest to a reference point. By Euler's theorem and the divergence theorem the integral of the depth is a
//! quarter of the sum, over the faces of the cell's part in the overlap, of the height above the apex times the integral of
//! the depth. Faces on the body's own surface add nothing, as the depth vanishes there. Pieces are counted with their
//! areas, so walls between cells are left. A wall is counted in the same way from its *anchor*, a point on the planes of
//! both features: each side of a piece on the wall makes a tetrahedron with the apex and the anchor. Where two walls of a
//! cell meet, the line between them goes from the piece's corner to its *end*, the point on the planes of all three.

use super::feature::{DepthFunction, Feature, PlacedPlane, edge_ends};
use super::polygon::{ConvexPolygon, Linear, PlanePoint, difference};
use crate::bvh::OverlapStack;
use crate::contact::surface::ContactSurface;
use crate::math::Vector;
use crate::mesh::{FaceIndex, HalfEdge};

/// Label of the side on the wall through edge 0; those of the other edges follow.
pub const EDGE_WALL: u8 = 1;

/// Label of the side on the first corner wall of a cell; those of the others follow.
pub const CORNER_WALL: u8 = 4;

/// Planes count as one where the sine of their angle is below this; dimensionless. Points on both are off by the rounding
/// of coordinates over it.
const SAME_PLANE: f64 = 1e-7;

/// A point counts as on a plane or on the surface within this part of the body's size; dimensionless, far above what
/// [`SAME_PLANE`] leaves of rounding.
const ON_SURFACE: f64 = 1e-6;

/// Points nearer to each other than this part of a face's size are one; dimensionless. Cuts end in points that are rounded
/// by 10⁻¹⁶ of it, and the sides between them are not shorter than 10⁻⁷.
const SAME_POINT: f64 = 1e-9;

/// Three features meet in a corner where their depths differ by less than this part there, and where the third one's part is
/// as near, in sizes of the face; dimensionless. Cuts end as near to such a corner as parts are looked at.
const SAME_DEPTH: f64 = 1e-6;

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

/// Where the depths below features vanish, as near as possible to a reference point in the frame of the body.
#[derive(Clone, Copy)]
pub struct Zeros<'a> {
    /// The body.
    pub surface: &'a ContactSurface,
    /// The reference point.
    pub reference: Vector,
}

/// A point on some planes, with the directions across them.
struct OnPlanes {
    point: Vector,
    across: [Vector; 3],
    count: usize,
}

impl Zeros<'_> {
    /// The point of a feature's plane or line that the energy below it is counted from.
    #[inline]
    pub fn apex(&self, feature: Feature) -> Vector {
        match feature {
            Feature::Face(face) => {
                let normal = self.surface.normal(face);
                let corner = self.surface.mesh().corners(face)[0];
                self.reference - normal * normal.dot(&(self.reference - corner))
            }
            Feature::Edge(edge) => self.on_edge(edge),
            Feature::Vertex(vertex) => self.surface.mesh().vertices[vertex.index()],
        }
    }

    /// The point of an edge's line.
    #[inline]
    fn on_edge(&self, edge: HalfEdge) -> Vector {
        let [a, b] = edge_ends(self.surface, edge);
        self.on_line(&a, &b)
    }

    /// The point of the line through two others.
    #[inline]
    fn on_line(&self, a: &Vector, b: &Vector) -> Vector {
        let along = b - a;
        a + along * (along.dot(&(self.reference - a)) / along.norm_squared())
    }

    /// A point on the planes of two features, which their wall contains; none where there is none.
    fn anchor(&self, own: Feature, other: Feature) -> Option<Vector> {
        if let (Feature::Face(own), Feature::Face(other)) = (own, other) {
            let edges = [0, 1, 2].map(|corner| HalfEdge::new(own, corner));
            let is_common =
                |edge: &&HalfEdge| self.surface.half_edges().twin(**edge).is_some_and(|twin| twin.face() == other);
            if let Some(&edge) = edges.iter().find(is_common) {
                return Some(self.on_edge(edge));
            }
        }
        self.on_planes(&[own, other]).map(|found| found.point)
    }

    /// The point on the planes of three features, where the line between their cells reaches the surface; none where it
    /// does not.
    fn end(&self, features: &[Feature; 3], stack: &mut OverlapStack) -> Option<Vector> {
        let OnPlanes { point, count, .. } = self.on_planes(features)?;
        let tolerance = ON_SURFACE * self.surface.tree().bounds().largest_coordinate();
        (count < 3 || self.surface.nearest_face(point, tolerance, stack).is_some()).then_some(point)
    }

    /// The point on the planes of all faces at some features; none where they have no common point.
    fn on_planes(&self, features: &[Feature]) -> Option<OnPlanes> {
        let mut found = OnPlanes { point: self.reference, across: [Vector::zeros(); 3], count: 0 };
        let tolerance = ON_SURFACE * self.surface.tree().bounds().largest_coordinate();
        let half_edges = self.surface.half_edges();
        for &feature in features {
            let is_on_all = match feature {
                Feature::Face(face) => self.move_onto(face, tolerance, &mut found),
                Feature::Edge(edge) => {
                    let twin = half_edges.twin(edge).map(|twin| twin.face());
                    self.move_onto(edge.face(), tolerance, &mut found)
                        && twin.is_none_or(|face| self.move_onto(face, tolerance, &mut found))
                }
                Feature::Vertex(vertex) => {
                    let mut faces = half_edges.outgoing(vertex).iter().map(|edge| edge.face());
                    faces.all(|face| self.move_onto(face, tolerance, &mut found))
                }
            };
            if !is_on_all {
                return None;
            }
        }
        Some(found)
    }

    /// Moves a point onto the plane of a face within the planes that it is on already; false where that cannot be.
    fn move_onto(&self, face: FaceIndex, tolerance: f64, found: &mut OnPlanes) -> bool {
        let normal = self.surface.normal(face);
        let height = normal.dot(&(self.surface.mesh().corners(face)[0] - found.point));
        let mut across = normal;
        for direction in &found.across[..found.count] {
            across -= direction * direction.dot(&across);
        }
        let length = across.norm();
        if length < SAME_PLANE || found.count == 3 {
            return height.abs() <= tolerance;
        }
        found.point += across * (height / (length * length));
        found.across[found.count] = across / length;
        found.count += 1;
        found.point.iter().all(|x| x.is_finite())
    }
}

/// Volume with the sign of the order of its corners.
#[inline]
fn tetrahedron(apex: &Vector, a: &Vector, b: &Vector, c: &Vector) -> f64 {
    six_volumes(&(a - apex), &(b - apex), &(c - apex)) / 6.0
}

/// Six times the volume of the tetrahedron with the origin, with the sign of the order of its corners.
#[inline]
fn six_volumes(a: &Vector, b: &Vector, c: &Vector) -> f64 {
    a.dot(&b.cross(c))
}

/// A polygon in the cell below a face, whose sides have labels.
pub struct WalledPolygon<'a> {
    /// The face.
    pub face: FaceIndex,
    /// Its plane of coordinates.
    pub plane: &'a PlacedPlane,
    /// The polygon.
    pub polygon: &'a ConvexPolygon,
    /// The depth.
    pub depth: &'a Linear,
    /// The corners of the face, and its apex.
    pub corners: [Vector; 3],
    /// Likewise.
    pub apex: Vector,
}

impl WalledPolygon<'_> {
    /// What the walls of the cell add to the integral of the depth, in m⁴; not a number where two of them meet that do not
    /// share a corner of the face. `other` tells the faces behind corner walls, and their corners of the face.
    pub fn wall_energy(&self, zeros: &Zeros, corner_wall: impl Fn(u8) -> (FaceIndex, u8)) -> f64 {
        let (points, labels) = (self.polygon.corners(), self.polygon.labels());
        let own = Feature::Face(self.face);
        let corner_of = |label: u8| if label < CORNER_WALL { None } else { Some(corner_wall(label - CORNER_WALL).1) };
        let anchor_of = |label: u8| match label {
            EDGE_WALL..CORNER_WALL => {
                let k = (label - EDGE_WALL) as usize;
                Some(zeros.on_line(&self.corners[k % 3], &self.corners[(k + 1) % 3]))
            }
            CORNER_WALL.. => {
                zeros.on_planes(&[own, Feature::Face(corner_wall(label - CORNER_WALL).0)]).map(|on| on.point)
            }
            _ => None,
        };
        let mut sum = 0.0;
        let mut previous = labels[labels.len() - 1];
        if previous < EDGE_WALL && labels.iter().all(|&label| label < EDGE_WALL) {
            return 0.0;
        }
        let at = |index: usize| (self.plane.point(points[index]) - self.apex, self.depth.value(points[index]));
        let mut anchor_before = anchor_of(previous).map(|anchor| anchor - self.apex);
        let (mut a, mut depth_a) = at(0);
        for (index, &label) in labels.iter().enumerate() {
            let (b, depth_b) = at((index + 1) % points.len());
            let mut anchor = anchor_before;
            if label != previous {
                anchor = anchor_of(label).map(|anchor| anchor - self.apex);
            }
            if EDGE_WALL <= label {
                let Some(anchor) = anchor else { return f64::NAN };
                sum += six_volumes(&b, &a, &anchor) * (depth_a + depth_b);
                if EDGE_WALL <= previous && previous != label {
                    let Some(before) = anchor_before else { return f64::NAN };
                    let Some(corner) = common_corner((previous, corner_of(previous)), (label, corner_of(label))) else {
                        return f64::NAN;
                    };
                    let end = self.corners[corner as usize] - self.apex;
                    sum += six_volumes(&end, &a, &(before - anchor)) * depth_a;
                }
            }
            (previous, anchor_before) = (label, anchor);
            (a, depth_a) = (b, depth_b);
        }
        sum / 24.0
    }
}

/// The corner of the face that two walls share; walls are given by their labels, and corner walls by their corners too.
fn common_corner(a: (u8, Option<u8>), b: (u8, Option<u8>)) -> Option<u8> {
    let corners = |(label, corner): (u8, Option<u8>)| match corner {
        Some(corner) => [corner; 2],
        None => [label - EDGE_WALL, (label - EDGE_WALL + 1) % 3],
    };
    let of_b = corners(b);
    corners(a).into_iter().find(|corner| of_b.contains(corner))
}

/// What the walls between parts of a face add to the integral of the depth, in m⁴; none where a wall does not end at the
/// surface. Walls are found from the parts on both sides, and may be those below edges and vertices.
pub fn wall_energy_of_parts(
    zeros: &Zeros,
    plane: &PlacedPlane,
    parts: &mut [FoundPart],
    size: f64,
    (sides, stack): (&mut Vec<WallSide>, &mut OverlapStack),
) -> Option<f64> {
    for part in parts.iter_mut() {
        if let Feature::Face(face) = &mut part.feature {
            *face = zeros.surface.facets().first_face(*face);
        }
    }
    find_wall_sides(parts, SAME_POINT * size, sides);
    let mut sum = 0.0;
    for side in sides.iter() {
        let (apex, anchor) = (zeros.apex(side.feature), zeros.anchor(side.feature, side.other)?);
        let depth = DepthFunction::new(zeros.surface, side.feature, plane);
        let [a, b] = side.ends.map(|end| plane.point(end));
        let along =
            |part: f64| [0, 1].map(|axis| side.ends[0][axis] + part * (side.ends[1][axis] - side.ends[0][axis]));
        let mean: f64 = GAUSS_THREE.iter().map(|&(part, weight)| weight * depth.value(plane, along(part))).sum();
        sum += 2.0 * mean * tetrahedron(&apex, &b, &a, &anchor);
        // Lines where another wall of the same cell begins: a third feature is as near.
        for (end, point) in side.ends.into_iter().enumerate() {
            let (corner, depth) = (plane.point(point), depth.value(plane, point));
            let is_third = |part: &&FoundPart| {
                let there = DepthFunction::new(zeros.surface, part.feature, plane).value(plane, point);
                part.feature != side.feature
                    && part.feature != side.other
                    && (there - depth).abs() <= SAME_DEPTH * depth
                    && touches(&part.polygon, point, SAME_DEPTH * size)
            };
            if let Some(third) = parts.iter().find(is_third) {
                let line_end = zeros.end(&[side.feature, side.other, third.feature], stack)?;
                let volume = tetrahedron(&apex, &line_end, &corner, &anchor);
                sum += if end == 1 { volume } else { -volume } * depth;
            }
        }
    }
    Some(0.25 * sum)
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

/// Whether a corner of a polygon, or one of its sides, is as near to a point as this.
fn touches(polygon: &ConvexPolygon, point: PlanePoint, tolerance: f64) -> bool {
    sides_of(polygon).all(|[a, b]| {
        let ([x, y], [u, v]) = (difference(b, a), difference(point, a));
        -tolerance * (x * x + y * y).sqrt() <= x * v - y * u
    })
}
