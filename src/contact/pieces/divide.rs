//! Divides a polygon on a face by the nearest features of the other body: the general way, right for every shape.
//!
//! The polygon itself is cut in two, again and again, so that there are no gaps and no overlaps. A part is done when one
//! feature is the nearest one all over it. That is certain where, for every other face nearby, some linear function lies
//! nowhere above the distance to that face and nowhere below the depth at the corners: the distance to a face is convex,
//! so a tangent lies below it, and the depth is convex, so it is largest at corners.

use super::energy::{FoundPart, WallSide};
use super::feature::{
    DepthFunction, Feature, Nearest, PlacedPlane, distance_tangent, edge_ends, is_inside, nearest_on_face,
};
use super::polygon::{ConvexPolygon, Linear, PlanePoint, difference};
use super::rounded::linear_parts;
use crate::bvh::OverlapStack;
use crate::contact::surface::ContactSurface;
use crate::math::Vector;
use crate::mesh::FaceIndex;

/// Corners are looked at this part of the way towards the centroid, so that ties along earlier cuts do not matter;
/// dimensionless. The rim that is left out is as narrow, and depths there are off by as little.
const PULL: f64 = 1e-7;

/// Two depths count as equal within this part of the size of the scene; dimensionless, far above rounding.
const EQUAL_DEPTH: f64 = 1e-12;

/// Depths are rounded by some operations of this part of the coordinates; dimensionless.
const ROUNDING: f64 = 1e-14;

/// Next to edges and vertices walls are curved. A cut along a chord is good enough where depths across it differ by no
/// more than this part of the depth; dimensionless. The integral is then off by about its square.
const CURVED_WALL: f64 = 5e-4;

/// Likewise where depths that differ, times the area, are no more than this part of the mean depth times the area of all
/// that was to be divided; dimensionless. Towards a vertex where curved walls meet, depths and areas shrink for ever.
const SMALL_VOLUME: f64 = 1e-8;

/// A part whose area times its radius is below this part of the depth times the area of all is not divided any more;
/// dimensionless. Depths change by no more than the way between two points, so its integral is off by twice that.
const NEGLIGIBLE_VOLUME: f64 = 1e-12;

/// With more faces nearby than this, a polygon is halved before they are compared.
const MANY_FACES: usize = 32;

/// Polygons smaller than this part of their depth are not halved any more for the number of faces nearby; dimensionless.
const SMALL_POLYGON: f64 = 0.25;

/// Polygons below this part of the face's area are not divided any more; dimensionless.
const NEGLIGIBLE_PART: f64 = 1e-14;

/// Cuts of a polygon for each face nearby, and more of them; a bound on the work.
const CUTS_PER_FACE: usize = 100;
const MORE_CUTS: usize = 1000;

/// What is nearer to the rim of a polygon than this part of its size counts as on the rim; dimensionless.
const RIM: f64 = 1e-9;

/// A part of a face with the feature that its depth is measured from.
pub struct Part<'a> {
    /// The part, in the plane coordinates of the face.
    pub polygon: &'a ConvexPolygon,
    /// The nearest feature.
    pub feature: Feature,
    /// The depth.
    pub depth: Linear,
}

/// Reused memory.
#[derive(Clone, Debug, Default)]
pub struct DivideMemory {
    faces: Vec<FaceIndex>,
    candidates: Vec<FaceIndex>,
    /// Candidates that may be nearer than the feature at hand somewhere in the polygon at hand.
    near: Vec<FaceIndex>,
    /// Of each of them, at the centroid and at the corners of the polygon.
    samples: Vec<Nearest>,
    /// Intersection lines on the face.
    pub lines: Vec<[PlanePoint; 2]>,
    /// Parts of the face that have been found, and the sides between them.
    pub parts: Vec<FoundPart>,
    /// Likewise.
    pub wall_sides: Vec<WallSide>,
    cuts_left: usize,
    /// Depth times area of all that is divided, in m³.
    volume: f64,
    stack: OverlapStack,
}

/// A face in the field of a body.
pub struct Divider<'a> {
    /// The body.
    pub surface: &'a ContactSurface,
    /// The face.
    pub plane: PlacedPlane,
    /// What is not worth a cut, in m².
    pub negligible: f64,
    /// Faces of the body are found by trying all of them.
    pub tries_all: bool,
}

/// The polygon at hand with points to look at: its centroid, and its corners, pulled in.
struct Looked<'a> {
    polygon: &'a ConvexPolygon,
    points: [PlanePoint; MOST_POINTS],
    count: usize,
    tolerance: f64,
    /// Differences of depths across curved walls that do not count, in m.
    small_difference: f64,
}

/// Corners of a polygon that is not split, and its centroid.
const MOST_POINTS: usize = 16;

impl<'a> Looked<'a> {
    fn new(polygon: &'a ConvexPolygon, centroid: PlanePoint, tolerance: f64, small_difference: f64) -> Self {
        let mut points = [centroid; MOST_POINTS];
        for (point, &corner) in points[1..].iter_mut().zip(polygon.corners()) {
            *point = [0, 1].map(|axis| corner[axis] + PULL * (centroid[axis] - corner[axis]));
        }
        Looked { polygon, points, count: 1 + polygon.corners().len(), tolerance, small_difference }
    }
}

impl Looked<'_> {
    /// Whether a wall is curved, and known well enough.
    fn is_near_enough(&self, depth: &DepthFunction, other: &Nearest, difference: f64, depth_there: f64) -> bool {
        let is_curved = !matches!((depth, other.feature), (DepthFunction::Plane(_), Feature::Face(_)));
        is_curved && difference <= self.small_difference.max(CURVED_WALL * depth_there)
    }
}

impl Divider<'_> {
    /// Hands out the parts of a polygon that lie inside the body, which it enters and leaves along `memory.lines`.
    pub fn divide(&self, polygon: &ConvexPolygon, memory: &mut DivideMemory, mut take: impl FnMut(Part)) {
        memory.volume = 0.0;
        self.divide_along_lines(polygon, 0, memory, &mut take);
    }

    /// Cuts a polygon along the lines from `first` on, until each part is wholly inside or outside.
    fn divide_along_lines(
        &self,
        polygon: &ConvexPolygon,
        first: usize,
        memory: &mut DivideMemory,
        take: &mut impl FnMut(Part),
    ) {
        if polygon.needs_splitting() {
            return polygon.halves().iter().for_each(|half| self.divide_along_lines(half, first, memory, take));
        }
        let last = memory.lines.len();
        for index in first..last {
            let line = memory.lines[index];
            memory.lines.extend(within(polygon, line));
        }
        if last == memory.lines.len() {
            self.divide_inside(polygon, memory, take);
        } else {
            let [a, b] = memory.lines[last];
            let [x, y] = difference(b, a);
            let cut = Linear { at_origin: y * a[0] - x * a[1], gradient: [-y, x] };
            for part in polygon.divided(&cut) {
                if !part.is_empty() {
                    self.divide_along_lines(&part, last + 1, memory, take);
                }
            }
        }
        memory.lines.truncate(last);
    }

    /// Hands out the parts of a polygon that is wholly inside the body, or wholly outside.
    fn divide_inside(&self, polygon: &ConvexPolygon, memory: &mut DivideMemory, take: &mut impl FnMut(Part)) {
        let Some((area, centroid)) = polygon.area_and_centroid() else { return };
        if area <= self.negligible {
            return;
        }
        let radius = radius(polygon, centroid);
        let center = self.plane.point(centroid);
        let DivideMemory { faces, stack, .. } = memory;
        let Some(nearest) = self.surface.nearest_face(center, f64::INFINITY, stack) else { return };
        if !is_inside(self.surface, &nearest_on_face(self.surface, nearest.face, &center), &center) {
            return;
        }
        if self.tries_all {
            faces.clear();
            faces.extend((0..self.surface.mesh().faces.len() as u32).map(FaceIndex));
        } else {
            let ball = (center, nearest.distance + 2.0 * radius);
            let most = if radius < SMALL_POLYGON * nearest.distance { usize::MAX } else { MANY_FACES };
            if !self.surface.faces_within(ball, most, stack, faces) {
                let parts = polygon.divided(&halving(polygon, centroid));
                return parts.iter().for_each(|part| self.divide_inside(part, memory, take));
            }
            faces.sort_unstable();
        }
        memory.volume = memory.volume.max(nearest.distance * area);
        memory.cuts_left = MORE_CUTS + CUTS_PER_FACE * memory.faces.len();
        memory.candidates.clear();
        memory.candidates.extend_from_slice(&memory.faces);
        self.divide_among(polygon, 0, memory, take);
    }

    fn divide_among(
        &self,
        polygon: &ConvexPolygon,
        first: usize,
        memory: &mut DivideMemory,
        take: &mut impl FnMut(Part),
    ) {
        let Some((area, centroid)) = polygon.area_and_centroid() else { return };
        if area <= self.negligible {
            return;
        }
        if polygon.needs_splitting() {
            return polygon.halves().iter().for_each(|half| self.divide_among(half, first, memory, take));
        }
        let last = memory.candidates.len();
        let center = self.plane.point(centroid);
        let radius = radius(polygon, centroid);
        memory.samples.clear();
        memory
            .samples
            .extend(memory.candidates[first..].iter().map(|&face| nearest_on_face(self.surface, face, &center)));
        let Some(&nearest) = memory.samples.iter().min_by(|a, b| a.distance.total_cmp(&b.distance)) else { return };
        for index in first..last {
            if memory.samples[index - first].distance <= nearest.distance + 2.0 * radius * (1.0 + PULL) {
                memory.candidates.push(memory.candidates[index]);
            }
        }
        self.divide_near(polygon, (area, centroid, radius), &nearest, last, memory, take);
        memory.candidates.truncate(last);
    }

    /// With candidates from `first` on, all of which may be nearest somewhere in the polygon.
    fn divide_near(
        &self,
        polygon: &ConvexPolygon,
        (area, centroid, radius): (f64, PlanePoint, f64),
        at_center: &Nearest,
        first: usize,
        memory: &mut DivideMemory,
        take: &mut impl FnMut(Part),
    ) {
        let depth = DepthFunction::new(self.surface, at_center.feature, &self.plane);
        if memory.cuts_left == 0 || area * radius <= NEGLIGIBLE_VOLUME * memory.volume {
            return self.finish(polygon, at_center, &depth, take);
        }
        let cut = if self.tries_all && MANY_FACES < memory.candidates.len() - first {
            Some(halving(polygon, centroid))
        } else {
            let small_difference = SMALL_VOLUME * memory.volume / area;
            let reach = self.surface.tree().bounds().largest_coordinate();
            let tolerance = EQUAL_DEPTH * (radius + at_center.distance) + ROUNDING * reach;
            let looked = Looked::new(polygon, centroid, tolerance, small_difference);
            let candidates = &memory.candidates[first..];
            self.find_cut(&looked, at_center, &depth, candidates, (&mut memory.near, &mut memory.samples))
        };
        match cut {
            None => self.finish(polygon, at_center, &depth, take),
            Some(cut) => {
                memory.cuts_left -= 1;
                let mut parts = polygon.divided(&cut);
                let is_most = |part: &ConvexPolygon| {
                    part.area_and_centroid().is_some_and(|(of_part, _)| (1.0 - PULL) * area < of_part)
                };
                if parts.iter().any(is_most) {
                    parts = polygon.divided(&halving(polygon, centroid));
                }
                parts.iter().for_each(|part| self.divide_among(part, first, memory, take));
            }
        }
    }

    /// Where to cut next; none where one feature is the nearest one everywhere.
    fn find_cut(
        &self,
        looked: &Looked,
        at_center: &Nearest,
        depth: &DepthFunction,
        candidates: &[FaceIndex],
        (near, samples): (&mut Vec<FaceIndex>, &mut Vec<Nearest>),
    ) -> Option<Linear> {
        let Looked { polygon, tolerance, .. } = looked;
        let (plane, points) = (&self.plane, &looked.points[..looked.count]);
        let depths = looked.points.map(|point| depth.value(plane, point));
        let depths = &depths[..looked.count];
        let lowest = |tangent: &Linear| {
            let margins = points[1..].iter().zip(&depths[1..]).map(|(&at, depth)| tangent.value(at) - depth);
            margins.fold(f64::INFINITY, f64::min)
        };
        // Most faces are nowhere nearer: a face is not nearer than its plane, nor than the plane across the way to it.
        near.clear();
        samples.clear();
        for &face in candidates {
            let normal = self.surface.normal(face);
            let to_plane = plane.linear(&normal, &self.surface.mesh().corners(face)[0]);
            let to_plane = if to_plane.value(points[0]) < 0.0 { to_plane.negative() } else { to_plane };
            if -tolerance <= lowest(&to_plane) {
                continue;
            }
            let at_centroid = nearest_on_face(self.surface, face, &plane.point(points[0]));
            if -tolerance <= lowest(&distance_tangent(plane, &at_centroid, points[0], &normal)) {
                continue;
            }
            near.push(face);
            samples.push(at_centroid);
            samples.extend(points[1..].iter().map(|&at| nearest_on_face(self.surface, face, &plane.point(at))));
        }
        let candidates = &**near;
        let of = |candidate: usize| &samples[candidate * points.len()..(candidate + 1) * points.len()];

        let beyond = || points[1..].iter().find_map(|&at| self.side_between(at_center.feature, at, points[0], polygon));
        let is_face = matches!(at_center.feature, Feature::Face(_));
        if !is_face && let Some(side) = beyond() {
            return Some(side);
        }

        // A corner that something else is nearer to: the plane between both.
        let mut most = *tolerance;
        let mut rival = None;
        for candidate in 0..candidates.len() {
            for (index, nearest) in of(candidate).iter().enumerate() {
                if most < depths[index] - nearest.distance {
                    most = depths[index] - nearest.distance;
                    rival = Some((candidate, index));
                }
            }
        }
        if let Some((candidate, index)) = rival
            && !looked.is_near_enough(depth, &of(candidate)[index], most, depths[index])
        {
            let normal = self.surface.normal(candidates[candidate]);
            let there = distance_tangent(plane, &of(candidate)[index], points[index], &normal);
            let cut = there.minus(&depth.tangent(plane, points[index]));
            if cuts(polygon, &cut) && 0.0 < cut.value(points[0]) {
                return Some(cut);
            }
            if let Some(side) = self.side_between(of(candidate)[index].feature, points[0], points[index], polygon) {
                return Some(side);
            }
            return Some(if cuts(polygon, &cut) { cut } else { halving(polygon, points[0]) });
        }

        // A corner beyond the feature's own reach.
        if is_face && let Some(side) = beyond() {
            return Some(side);
        }

        // Nothing nearer in between. Faces at the feature itself are not nearer within its reach.
        let is_other = |candidate: &usize| !has_feature(self.surface, candidates[*candidate], at_center.feature);
        for candidate in (0..candidates.len()).filter(is_other) {
            let normal = self.surface.normal(candidates[candidate]);
            let tangents = of(candidate).iter().zip(points);
            let mut best = f64::NEG_INFINITY;
            for (nearest, &at) in tangents {
                best = best.max(lowest(&distance_tangent(plane, nearest, at, &normal)));
                if -tolerance <= best {
                    break;
                }
            }
            if -tolerance <= best {
                continue;
            }
            let (index, nearest) = of(candidate)
                .iter()
                .enumerate()
                .min_by(|(i, a), (k, b)| (a.distance - depths[*i]).total_cmp(&(b.distance - depths[*k])))?;
            if looked.is_near_enough(depth, nearest, -best, depths[0]) {
                continue;
            }
            let cut =
                distance_tangent(plane, nearest, points[index], &normal).minus(&depth.tangent(plane, points[index]));
            return Some(if cuts(polygon, &cut) { cut } else { halving(polygon, points[0]) });
        }
        None
    }

    /// A line that bounds the reach of a feature, with one point beyond it and the other one not.
    fn side_between(
        &self,
        feature: Feature,
        beyond: PlanePoint,
        within: PlanePoint,
        polygon: &ConvexPolygon,
    ) -> Option<Linear> {
        let mut deepest = (0.0, None);
        let mut consider = |side: Linear| {
            let (there, here) = (side.value(beyond), side.value(within));
            if there < deepest.0 && 0.0 < here && cuts(polygon, &side) {
                deepest = (there, Some(side));
            }
        };
        match feature {
            Feature::Face(face) => {
                let corners = self.surface.mesh().corners(face);
                let normal = self.surface.normal(face);
                for k in 0..3 {
                    let along = corners[(k + 1) % 3] - corners[k];
                    let inwards = normal.cross(&along).try_normalize(0.0).unwrap_or_else(Vector::zeros);
                    consider(self.plane.linear(&inwards, &corners[k]));
                }
            }
            Feature::Edge(edge) => {
                let [a, b] = edge_ends(self.surface, edge);
                let along = (b - a).try_normalize(0.0).unwrap_or_else(Vector::zeros);
                consider(self.plane.linear(&along, &a));
                consider(self.plane.linear(&-along, &b));
                for side in std::iter::once(edge).chain(self.surface.half_edges().twin(edge)) {
                    let [a, b] = edge_ends(self.surface, side);
                    let outwards = (b - a).cross(&self.surface.normal(side.face()));
                    consider(self.plane.linear(&outwards.try_normalize(0.0).unwrap_or_else(Vector::zeros), &a));
                }
            }
            Feature::Vertex(vertex) => {
                let mesh = self.surface.mesh();
                let at = mesh.vertices[vertex.index()];
                for leaving in self.surface.half_edges().outgoing(vertex) {
                    let corners = mesh.corners(leaving.face());
                    for other in [1, 2] {
                        let away = at - corners[(leaving.corner() + other) % 3];
                        consider(self.plane.linear(&away.try_normalize(0.0).unwrap_or_else(Vector::zeros), &at));
                    }
                }
            }
        }
        deepest.1
    }

    /// Hands out what is inside the body of a polygon with one nearest feature.
    fn finish(&self, polygon: &ConvexPolygon, nearest: &Nearest, depth: &DepthFunction, take: &mut impl FnMut(Part)) {
        let feature = nearest.feature;
        if let DepthFunction::Plane(linear) = depth {
            let inside = polygon.clipped(linear);
            if !inside.is_empty() {
                take(Part { polygon: &inside, feature, depth: *linear });
            }
            return;
        }
        // Next to faces that are nearly flush, rounding leaves parts outside.
        let Some((_, centroid)) = polygon.area_and_centroid() else { return };
        if is_inside(self.surface, nearest, &self.plane.point(centroid)) {
            linear_parts(&self.plane, depth, polygon, self.negligible, &mut |polygon, depth| {
                take(Part { polygon, feature, depth });
            });
        }
    }
}

/// Whether a face is the feature, or has it as an edge or a corner.
fn has_feature(surface: &ContactSurface, face: FaceIndex, feature: Feature) -> bool {
    match feature {
        Feature::Face(own) => own == face,
        Feature::Edge(edge) => {
            edge.face() == face || surface.half_edges().twin(edge).is_some_and(|twin| twin.face() == face)
        }
        Feature::Vertex(vertex) => surface.mesh().faces[face.index()].contains(&vertex),
    }
}

/// Largest distance of a corner from a point.
fn radius(polygon: &ConvexPolygon, center: PlanePoint) -> f64 {
    let squares = polygon.corners().iter().map(|&corner| {
        let [x, y] = difference(corner, center);
        x * x + y * y
    });
    squares.fold(0.0, f64::max).sqrt()
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

/// Whether a function has both signs on a polygon, and not only at its rim.
fn cuts(polygon: &ConvexPolygon, function: &Linear) -> bool {
    let values = polygon.corners().iter().map(|&corner| function.value(corner));
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    let least = 0.5 * PULL * (high - low);
    low < -least && least < high
}

/// A line through a point across the longest way from it to a corner.
fn halving(polygon: &ConvexPolygon, center: PlanePoint) -> Linear {
    let length = |&[x, y]: &PlanePoint| x * x + y * y;
    let farthest = polygon
        .corners()
        .iter()
        .map(|&corner| difference(corner, center))
        .max_by(|a, b| length(a).total_cmp(&length(b)))
        .unwrap_or([1.0, 0.0]);
    Linear { at_origin: -(farthest[0] * center[0] + farthest[1] * center[1]), gradient: farthest }
}

/// What is not worth a cut on a face of this area.
pub fn negligible_area(area: f64) -> f64 {
    NEGLIGIBLE_PART * area
}
