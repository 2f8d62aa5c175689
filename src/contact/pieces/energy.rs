//! The energy of the field: the integral of the depth over the overlap of the bodies.
//!
//! The depth below a plate, an inner edge or a vertex grows in proportion to the distance from any point of that feature.
//! By Euler's theorem and the divergence theorem its integral over a cell's part in the overlap is a quarter of the
//! integral, over the border of that part, of the depth times the height above such a point, the *apex*. Where the border
//! is the field body's own surface the depth vanishes; pieces are counted with their areas; what is left are the walls
//! between cells. A wall between features with a common vertex is a plane or a cone through that vertex, so that its
//! integral follows from its own border in the same way: sides of pieces, and lines where three cells meet, which run
//! through a vertex that all three features have.
//!
//! Which point of a feature is the apex must not matter, and every wall has two sides. So the difference that another apex
//! would make, and the difference between both sides of all walls, the *doubts*, show where a wall is missing: between
//! features that have no vertex in common, beyond the middle of a part.

use super::feature::{DepthFunction, PlacedPlane, edge_ends};
use super::polygon::{ConvexPolygon, FIRST_LABEL, Linear, OWN_SIDE};
use super::rivals::{RecordIndex, Rivals, Target};
use crate::contact::field::{Feature, Wall};
use crate::contact::surface::ContactSurface;
use crate::math::Vector;
use crate::mesh::{FaceIndex, VertexIndex};

/// Labels of sides on the walls through edges 0 to 2 of a face.
pub const EDGE_WALL: u32 = FIRST_LABEL;

/// Labels of sides on the walls in the corners of a face, in the order of its cell, from here on.
pub const CORNER_WALL: u32 = EDGE_WALL + 3;

/// Depths below two plates are equal within this part of a part's size and depth; dimensionless, far above rounding.
const SAME_DEPTH: f64 = 1e-9;

/// Likewise where one of both is an edge or a vertex: walls are curved there, and pieces end at chords of them.
const SAME_CURVED_DEPTH: f64 = 2e-2;

/// The second apex in a triangle: so much from the second corner to the third; dimensionless. Any number is good that makes
/// no direction parallel to an edge.
const SECOND_APEX: f64 = 0.618;

/// Features that may follow each other along one side of a part; a bound on the work.
const MOST_SIDES: usize = 64;

/// Along a way that is shorter than this part of the depth, the depth next to an edge is linear; dimensionless, to 10⁻¹⁰.
const SHORT_WAY: f64 = 1e-4;

/// What walls add to the integral of the depth, and what would be zero, up to rounding, if none is missing; in m⁴.
#[derive(Clone, Copy, Debug, Default)]
pub struct WallEnergy {
    /// Not a number where cells meet whose features have no vertex in common.
    pub integral: f64,
    /// By how much other apexes would change it; what one side of walls has and the other has not.
    pub doubts: [f64; 2],
}

impl WallEnergy {
    /// Adds another part.
    #[inline]
    pub fn add(&mut self, other: &WallEnergy) {
        self.integral += other.integral;
        (0..2).for_each(|k| self.doubts[k] += other.doubts[k]);
    }

    /// Not known.
    pub const UNKNOWN: Self = WallEnergy { integral: f64::NAN, doubts: [0.0; 2] };
}

/// The walls of a cell around one piece.
struct CellWalls {
    apex: Vector,
    /// From the apex to the second one.
    across: Vector,
    integral: f64,
    border: Vector,
    /// Sides of walls along some direction, each with the weight of its pair of features; those of the other cell are the
    /// opposite. In m³.
    unpaired: f64,
    size: f64,
    sheet: Feature,
}

impl CellWalls {
    /// Of a feature; points that energies are counted from are near the reference point, so that little cancels.
    fn new(surface: &ContactSurface, feature: Feature, reference: &Vector) -> Self {
        let size = surface.tree().bounds().radius();
        let across = match feature {
            Feature::Face(face) => {
                let [a, b, c] = surface.mesh().corners(face);
                b + (c - b) * SECOND_APEX - a
            }
            Feature::Edge(edge) => {
                let [a, b] = edge_ends(surface, edge);
                b - a
            }
            Feature::Vertex(_) => Vector::zeros(),
        };
        CellWalls {
            apex: apex_of(surface, feature, reference),
            across: across.try_normalize(0.0).unwrap_or_else(Vector::zeros) * size,
            integral: 0.0,
            border: Vector::zeros(),
            unpaired: 0.0,
            size,
            sheet: sheet_of(surface, feature),
        }
    }

    /// A side of a piece on a wall through `base` towards another feature, with the mean depth along it.
    #[inline]
    fn add_side(
        &mut self,
        surface: &ContactSurface,
        other: Feature,
        base: &Vector,
        [a, b]: [&Vector; 2],
        mean_depth: f64,
    ) {
        let part = (a - base).cross(&(b - a)) * (-mean_depth / 12.0);
        self.unpaired += weight_of_pair([self.sheet, sheet_of(surface, other)]) * part.dot(&SOME_DIRECTION);
        self.add(base, part);
    }

    /// The line from a common vertex to the end of a side on a wall through `base`; to its start with the depth negative.
    #[inline]
    fn add_line(&mut self, base: &Vector, vertex: &Vector, end: &Vector, depth: f64) {
        self.add(base, (vertex - base).cross(&(end - vertex)) * (depth / 24.0));
    }

    #[inline]
    fn add(&mut self, base: &Vector, part: Vector) {
        self.integral += (base - self.apex).dot(&part);
        self.border += part;
    }

    /// With a piece that has this outward normal and integral of the depth.
    #[inline]
    fn finish(&self, normal: &Vector, of_piece: f64) -> WallEnergy {
        let with_other_apex =
            weight_of_pair([self.sheet; 2]) * self.across.dot(&(self.border + normal * (0.25 * of_piece)));
        WallEnergy { integral: self.integral, doubts: [with_other_apex, self.size * self.unpaired] }
    }
}

/// A feature without its borders to others in the same plane, which of them is nearest does not matter.
#[inline]
fn sheet_of(surface: &ContactSurface, feature: Feature) -> Feature {
    match feature {
        Feature::Face(face) => Feature::Face(surface.field().sheet(face)),
        other => other,
    }
}

/// A number between 1 and 2: so that sides which are missing do not cancel by the symmetry of a part.
#[inline]
fn weight_of_pair(features: [Feature; 2]) -> f64 {
    let [one, other] = features.map(|feature| feature.key().wrapping_mul(MIXING));
    1.0 + (one.wrapping_add(other).wrapping_mul(MIXING) >> 40) as f64 / (1u64 << 24) as f64
}

/// An odd number with bits all over.
const MIXING: u64 = 0x9e37_79b9_7f4a_7c15;

/// Any unit vector that no wall is likely to contain.
const SOME_DIRECTION: Vector = Vector::new(0.48, 0.64, 0.6);

/// The point of a feature's plane, line or vertex that its energy is counted from: the one nearest to a reference point.
#[inline]
pub fn apex_of(surface: &ContactSurface, feature: Feature, reference: &Vector) -> Vector {
    match feature {
        Feature::Face(face) => {
            let (normal, corner) = (surface.normal(face), surface.mesh().corners(face)[0]);
            reference - normal * normal.dot(&(reference - corner))
        }
        Feature::Edge(edge) => nearest_on_line(edge_ends(surface, edge), reference),
        Feature::Vertex(vertex) => surface.mesh().vertices[vertex.index()],
    }
}

/// The point of a line that is nearest to a point; the line may be a point itself.
#[inline]
fn nearest_on_line([a, b]: [Vector; 2], point: &Vector) -> Vector {
    let along = b - a;
    let squared = along.norm_squared();
    if squared == 0.0 { a } else { a + along * (along.dot(&(point - a)) / squared) }
}

/// The walls of the cell below a face, around a piece in it that has this integral of the depth. Walls between faces of one
/// plate are none.
pub fn walls_below(
    surface: &ContactSurface,
    face: FaceIndex,
    plane: &PlacedPlane,
    polygon: &ConvexPolygon,
    (depth, of_piece): (&Linear, f64),
    reference: &Vector,
) -> WallEnergy {
    let field = surface.field();
    let mut walls = CellWalls::new(surface, Feature::Face(field.plates().largest_face(face)), reference);
    let (lines, corners) = (field.wall_lines(face), surface.mesh().faces[face.index()]);
    let in_corners = field.corner_walls(field.cell(face.0));
    let at_vertex = |vertex: VertexIndex| surface.mesh().vertices[vertex.index()];
    let line_of = |label: u32| match label {
        EDGE_WALL..CORNER_WALL => lines[(label - EDGE_WALL) as usize],
        CORNER_WALL.. => Some(in_corners[(label - CORNER_WALL) as usize].through),
        _ => None,
    };
    let base_of = |label: u32| line_of(label).map(|ends| nearest_on_line(ends.map(at_vertex), reference));
    let (points, labels) = (polygon.corners(), polygon.labels());
    let at = |index: usize| (plane.point(points[index]), depth.value(points[index]));
    let last = labels.len() - 1;
    let mut previous = (labels[last], base_of(labels[last]));
    let (mut a, mut depth_a) = at(0);
    for (index, &label) in labels.iter().enumerate() {
        let base = base_of(label);
        let (b, depth_b) = at(if index == last { 0 } else { index + 1 });
        if let Some(base) = &base {
            let other = match label {
                ..CORNER_WALL => field.cell(face.0).neighbours[(label - EDGE_WALL) as usize],
                _ => in_corners[(label - CORNER_WALL) as usize].face,
            };
            let other = Feature::Face(field.plates().largest_face(FaceIndex(other)));
            walls.add_side(surface, other, base, [&a, &b], 0.5 * (depth_a + depth_b));
        }
        let is_corner = EDGE_WALL <= previous.0 && EDGE_WALL <= label && previous.0 != label;
        if is_corner && (previous.1.is_some() || base.is_some()) {
            let [of_previous, of_this] = [previous.0, label].map(|label| match label {
                ..CORNER_WALL => [label - EDGE_WALL, (label - EDGE_WALL + 1) % 3],
                _ => [in_corners[(label - CORNER_WALL) as usize].corner; 2],
            });
            let common = of_previous.into_iter().find(|corner| of_this.contains(corner));
            let Some(corner) = common else { return WallEnergy::UNKNOWN };
            let vertex = at_vertex(corners[corner as usize]);
            // Between faces of one plate the lines to both parts of a wall cancel, unless another wall begins there.
            previous.1.iter().for_each(|before| walls.add_line(before, &vertex, &a, depth_a));
            base.iter().for_each(|base| walls.add_line(base, &vertex, &a, -depth_a));
        }
        previous = (label, base);
        (a, depth_a) = (b, depth_b);
    }
    walls.finish(&plane.axes[2], of_piece)
}

/// A part of a face with one nearest feature.
pub struct PartOfFace<'a> {
    /// The body of the field.
    pub surface: &'a ContactSurface,
    /// Its features.
    pub features: &'a Rivals,
    /// The face.
    pub plane: &'a PlacedPlane,
    /// The nearest feature.
    pub own: RecordIndex,
    /// The depth below it.
    pub depth: &'a DepthFunction,
    /// A point of the contact, in the frame of the body.
    pub reference: &'a Vector,
}

/// The side of a part, as far as it lies on a wall.
struct Side {
    other: Feature,
    base: Vector,
    ends: [Vector; 2],
    /// Whether a line between three cells may end at these.
    are_inner: [bool; 2],
}

/// Two features whose cells meet have no vertex in common.
struct Apart;

impl PartOfFace<'_> {
    /// The walls of the cell around the part; its labels tell whose cells may lie beyond its sides. `of_piece` is the
    /// integral of the depth.
    pub fn walls(&self, polygon: &ConvexPolygon, of_piece: f64) -> WallEnergy {
        let mut walls = CellWalls::new(self.surface, self.own_feature(), self.reference);
        let (points, labels) = (polygon.corners(), polygon.labels());
        let size = points.iter().map(|&point| self.depth.value(self.plane, point)).fold(0.0, f64::max)
            + super::divide::largest_distance(polygon, points[0]);
        let ends_of = |index: usize| {
            let after = if index + 1 == points.len() { 0 } else { index + 1 };
            [points[index], points[after]].map(|point| self.plane.point(point))
        };
        let beyond = |index: usize| {
            let ends = ends_of(index);
            let by_label = labels[index].checked_sub(FIRST_LABEL).map(|record| self.features.get(record).feature);
            let by_label = by_label.filter(|&other| self.is_on_wall(other, &ends, size));
            by_label.or_else(|| self.wall_along(&ends, size)).filter(|_| labels[index] != OWN_SIDE)
        };
        let is_inner = |index: usize| labels[index] != OWN_SIDE;
        for index in 0..points.len() {
            let Some(other) = beyond(index) else { continue };
            let (before, after) = ((index + points.len() - 1) % points.len(), (index + 1) % points.len());
            let are_inner = [is_inner(before), is_inner(after)];
            if self.add_side(&mut walls, (other, MOST_SIDES), ends_of(index), are_inner, size).is_err() {
                return WallEnergy::UNKNOWN;
            }
        }
        walls.finish(&self.plane.axes[2], of_piece)
    }

    fn own_feature(&self) -> Feature {
        self.features.get(self.own).feature
    }

    /// Whether another feature is as near as the own one at both ends of a way.
    fn is_on_wall(&self, other: Feature, ends: &[Vector; 2], size: f64) -> bool {
        let target = Target::of(self.surface, other);
        let is_as_near = |end: &Vector| {
            let depth = self.depth_at(end);
            (distance(&target, end) - depth).abs() <= self.tolerance(&target, depth, size)
        };
        other != self.own_feature() && ends.iter().all(is_as_near)
    }

    /// What is as near as the own feature along a way that no label tells of: continued intersection lines, and cuts between
    /// others, may lie on a wall by chance, as at right angles, where the plane of one face is the wall of another.
    fn wall_along(&self, ends: &[Vector; 2], size: f64) -> Option<Feature> {
        let walls = self.features.walls(self.features.get(self.own));
        let as_near = |wall: &&Wall| self.is_on_wall(wall.beyond, ends, size);
        let is_on = |wall: &&Wall| ends.iter().all(|end| wall.height(end).abs() <= SAME_DEPTH * size);
        // Plates in one plane are equally near everywhere.
        let sheet = sheet_of(self.surface, self.own_feature());
        let is_bent = |wall: &&Wall| sheet_of(self.surface, wall.beyond) != sheet;
        let found = walls.iter().find(|wall| is_on(wall) && as_near(wall));
        found.or_else(|| walls.iter().find(|wall| is_bent(wall) && as_near(wall))).map(|wall| wall.beyond)
    }

    fn vertex(&self, vertex: VertexIndex) -> Vector {
        self.surface.mesh().vertices[vertex.index()]
    }

    /// Adds what of a way lies on the wall towards a feature, and goes on with those beyond where it ends.
    fn add_side(
        &self,
        walls: &mut CellWalls,
        (other, steps): (Feature, usize),
        [a, b]: [Vector; 2],
        are_inner: [bool; 2],
        size: f64,
    ) -> Result<(), Apart> {
        let own = self.own_feature();
        if !self.is_on_wall(other, &[a, b], size) {
            return Ok(());
        }
        // Only within its own walls the other feature has the nearest point of its plane or line.
        let (mut start, mut end) = ((0.0f64, other), (1.0f64, other));
        for wall in &*self.surface.walls(other) {
            let (at_a, at_b) = (wall.height(&a) + SAME_DEPTH * size, wall.height(&b) + SAME_DEPTH * size);
            let crossing = (at_a / (at_a - at_b), wall.beyond);
            if at_a < 0.0 && at_b < 0.0 {
                start = (1.0, wall.beyond);
            } else if at_a < 0.0 && start.0 < crossing.0 {
                start = crossing;
            } else if at_b < 0.0 && crossing.0 < end.0 {
                end = crossing;
            }
        }
        let at = |part: f64| {
            if part == 0.0 {
                a
            } else if part == 1.0 {
                b
            } else {
                a + (b - a) * part
            }
        };
        let (from, to) = (start.0, end.0.max(start.0));
        let steps = steps.saturating_sub(1);
        if 0.0 < from && 0 < steps {
            self.add_side(walls, (start.1, steps), [a, at(from)], [are_inner[0], from < 1.0 || are_inner[1]], size)?;
        }
        if to < 1.0 && 0 < steps {
            self.add_side(walls, (end.1, steps), [at(to), b], [0.0 < to || are_inner[0], are_inner[1]], size)?;
        }
        if from < to {
            let through = self.surface.incidence().common_ends(own, other).ok_or(Apart)?;
            let base = nearest_on_line(through.map(|vertex| self.vertex(vertex)), self.reference);
            let are_inner = [are_inner[0] || 0.0 < from, are_inner[1] || to < 1.0];
            let side = Side { other, base, ends: [at(from), at(to)], are_inner };
            walls.add_side(self.surface, other, &base, [&side.ends[0], &side.ends[1]], self.mean_depth(&side.ends));
            // From a single common vertex nothing is added.
            if through[0] != through[1] {
                self.add_lines(walls, &side, size);
            }
        }
        Ok(())
    }

    /// Adds the lines from vertices where three cells meet to the ends of a side on the wall between two of them.
    fn add_lines(&self, walls: &mut CellWalls, side: &Side, size: f64) {
        let own = self.own_feature();
        for (end, sign) in [(0, -1.0), (1, 1.0)].into_iter().filter(|(end, _)| side.are_inner[*end]) {
            let at = side.ends[end];
            let depth = self.depth_at(&at);
            let mut nearest = (f64::INFINITY, None);
            self.surface.incidence().for_each_common(own, side.other, |vertex| {
                self.for_each_feature_around(vertex, |feature| {
                    if feature != own && feature != side.other {
                        let target = Target::of(self.surface, feature);
                        let tolerance = SAME_DEPTH * size + SAME_CURVED_DEPTH * depth;
                        let difference = (distance(&target, &at) - depth).abs();
                        // Plates in one plane are all as near, but only one of them has the nearest point.
                        let is_there = || self.surface.walls(feature).iter().all(|wall| -tolerance <= wall.height(&at));
                        if difference < nearest.0 && difference <= tolerance && is_there() {
                            nearest = (difference, Some(vertex));
                        }
                    }
                });
            });
            // Where no third feature is as near, no cells meet.
            if let Some(vertex) = nearest.1 {
                walls.add_line(&side.base, &self.vertex(vertex), &at, sign * depth);
            }
        }
    }

    fn for_each_feature_around(&self, vertex: VertexIndex, mut visit: impl FnMut(Feature)) {
        let (half_edges, field) = (self.surface.half_edges(), self.surface.field());
        for &leaving in half_edges.outgoing(vertex) {
            visit(Feature::Face(field.plates().largest_face(leaving.face())));
            let edge = Feature::Edge(half_edges.edge(leaving));
            if field.has(edge) {
                visit(edge);
            }
        }
        if field.has(Feature::Vertex(vertex)) {
            visit(Feature::Vertex(vertex));
        }
    }

    fn depth_at(&self, point: &Vector) -> f64 {
        distance(&self.features.get(self.own).target, point)
    }

    /// Within this, in m, something else is as near as the own feature.
    fn tolerance(&self, other: &Target, depth: f64, size: f64) -> f64 {
        let own = &self.features.get(self.own).target;
        let are_planes = matches!((own, other), (Target::Plane(_), Target::Plane(_)));
        SAME_DEPTH * size + if are_planes { 0.0 } else { SAME_CURVED_DEPTH * depth }
    }

    /// The mean of the depth along a way.
    fn mean_depth(&self, [a, b]: &[Vector; 2]) -> f64 {
        let offsets = match self.depth {
            DepthFunction::Plane(_) => return 0.5 * (self.depth_at(a) + self.depth_at(b)),
            curved => [curved.offset(a), curved.offset(b)],
        };
        // √(s² + h²) over s, the way along the line of offsets, which passes the feature at the distance h.
        let way = offsets[1] - offsets[0];
        let length = way.norm();
        let [from, to] = offsets.map(|offset| offset.dot(&way) / length);
        let squared_height = (offsets[0].norm_squared() - from * from).max(0.0);
        let height = squared_height.sqrt();
        let integral = |s: f64| {
            let curved = if 0.0 < height { squared_height * (s / height).asinh() } else { 0.0 };
            0.5 * (s * (s * s + squared_height).sqrt() + curved)
        };
        // Along a way that is short against the depth both integrals cancel; there the depth is linear.
        if SHORT_WAY * height < length {
            (integral(to) - integral(from)) / length
        } else {
            offsets[0].lerp(&offsets[1], 0.5).norm()
        }
    }
}

/// The distance of a point from what a depth is measured from.
fn distance(target: &Target, point: &Vector) -> f64 {
    match target {
        Target::Plane([a, b, c, d]) => (a * point.x + b * point.y + c * point.z + d).abs(),
        Target::Line(on_line, along) => {
            let offset = point - on_line;
            (offset - along * along.dot(&offset)).norm()
        }
        Target::Point(vertex) => (point - vertex).norm(),
    }
}
