//! Divides a polygon on a face by the nearest features of the other body: the general way, right for every shape.
//!
//! The polygon itself is cut, again and again, so that there are no gaps and no overlaps. The nearest feature at its
//! centroid takes what it is nearest to: everything that something else is nearer to is cut off, and divided in turn. A
//! part is done when no other face is nearer anywhere in it. That is certain where some linear function lies nowhere above
//! the distance to that face and nowhere below the depth at the corners: the distance to a face is convex, so a tangent
//! lies below it, and the depth is convex, so it is largest at corners.

use super::energy::{FoundPart, WallSide};
use super::feature::{
    DepthFunction, Feature, Nearest, PlacedPlane, distance_tangent, edge_ends, is_inside, nearest_on_face,
};
use super::polygon::{ConvexPolygon, Linear, PlanePoint, difference};
use super::rounded::linear_parts;
use crate::bvh::{FaceVolume, OverlapStack};
use crate::contact::surface::ContactSurface;
use crate::math::Vector;
use crate::mesh::{FaceIndex, HalfEdge};

/// Corners are looked at this part of the way towards the centroid, so that ties along earlier cuts do not matter;
/// dimensionless. The rim that is left out is as narrow, and depths there are off by as little.
const PULL: f64 = 1e-7;

/// Two depths count as equal within this part of the size of the scene; dimensionless, far above rounding.
const EQUAL_DEPTH: f64 = 1e-12;

/// Depths are rounded by some operations of this part of the coordinates; dimensionless.
const ROUNDING: f64 = 1e-14;

/// Next to edges and vertices walls are curved. A cut along a chord is good enough where depths across it differ by no
/// more than this part of the depth; dimensionless. The integral is then off by about its square.
const CURVED_WALL: f64 = 2.5e-4;

/// Likewise where depths that differ, times the area, are no more than this part of the mean depth times the area of all
/// that was to be divided; dimensionless. Towards a vertex where curved walls meet, depths and areas shrink for ever.
const SMALL_VOLUME: f64 = 1e-8;

/// A part whose area times its radius is below this part of the depth times the area of all is not divided any more;
/// dimensionless. Depths change by no more than the way between two points, so its integral is off by twice that.
const NEGLIGIBLE_VOLUME: f64 = 1e-12;

/// Edges count as parallel in the plane of a face where their unit vectors differ by less there; dimensionless. The sag
/// that is left out is below its square times the square of the polygon's size.
const PARALLEL_EDGES: f64 = 1e-9;

/// With more rivals than this, a polygon is halved before they are compared one by one: each half has fewer.
const MANY_RIVALS: usize = 16;

/// Polygons smaller than this part of their depth are not halved any more for the number of rivals; dimensionless.
const SMALL_POLYGON: f64 = 0.01;

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

/// A polygon that is still to be divided.
#[derive(Clone, Copy, Debug)]
struct Pending {
    polygon: ConvexPolygon,
    /// Where the faces that may be nearest in it start and end among the candidates.
    candidates: (usize, usize),
}

/// A face that may be nearest somewhere, as it is seen from the centroid.
#[derive(Clone, Copy, Debug)]
struct Rival {
    face: FaceIndex,
    at_center: Nearest,
    /// Lies nowhere above the distance to the face.
    below: Linear,
}

/// Reused memory.
#[derive(Clone, Debug, Default)]
pub struct DivideMemory {
    /// Faces that may be nearest in pending polygons, later polygons behind earlier ones.
    candidates: Vec<FaceIndex>,
    pending: Vec<Pending>,
    samples: Vec<Nearest>,
    rivals: Vec<Rival>,
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

/// What a feature has taken so far.
struct Taken {
    polygon: ConvexPolygon,
    /// A point that the feature is nearest to.
    center: PlanePoint,
    depth: DepthFunction,
    /// The corners, pulled in, and the depths there.
    points: [PlanePoint; MOST_POINTS],
    depths: [f64; MOST_POINTS],
    count: usize,
    /// Depths that differ by less count as equal, in m.
    tolerance: f64,
    /// Differences of depths across curved walls that do not count, in m.
    small_difference: f64,
}

/// Corners of a polygon that is not split.
const MOST_POINTS: usize = 16;

/// What becomes of a polygon next.
enum Next {
    /// Nothing is nearer.
    Done,
    /// Something is nearer beyond the zero line of a function.
    Cut(Linear),
    /// Something is nearer, but nobody knows where.
    Halve,
}

impl Taken {
    fn set(&mut self, plane: &PlacedPlane, polygon: &ConvexPolygon) {
        self.polygon = *polygon;
        self.count = polygon.corners().len();
        let middle = polygon.area_and_centroid().map_or(self.center, |(_, centroid)| centroid);
        for (k, &corner) in polygon.corners().iter().enumerate() {
            self.points[k] = [0, 1].map(|axis| corner[axis] + PULL * (middle[axis] - corner[axis]));
            self.depths[k] = self.depth.value(plane, self.points[k]);
        }
    }

    fn points(&self) -> impl Iterator<Item = (PlanePoint, f64)> {
        self.points.into_iter().zip(self.depths).take(self.count)
    }

    /// How far a function stays above the depth at the corners, at least.
    #[inline]
    fn margin(&self, below: &Linear) -> f64 {
        let mut least = f64::INFINITY;
        for k in 0..self.count {
            least = least.min(below.value(self.points[k]) - self.depths[k]);
        }
        least
    }

    /// Whether a wall is curved, and known well enough.
    fn is_near_enough(&self, other: &Nearest, difference: f64, depth_there: f64) -> bool {
        let is_curved = !matches!((&self.depth, other.feature), (DepthFunction::Plane(_), Feature::Face(_)));
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
        let center = self.plane.point(centroid);
        let Some(found) = self.surface.nearest_face(center, f64::INFINITY, &mut memory.stack) else { return };
        let nearest = nearest_on_face(self.surface, found.face, &center);
        if !is_inside(self.surface, &nearest, &center) {
            return;
        }
        memory.candidates.clear();
        if self.tries_all {
            memory.candidates.extend((0..self.surface.mesh().faces.len() as u32).map(FaceIndex));
        } else {
            self.find_candidates(polygon, found.face, memory);
        }
        memory.volume = memory.volume.max(nearest.distance * area);
        memory.cuts_left = MORE_CUTS + CUTS_PER_FACE * memory.candidates.len();
        memory.pending.clear();
        memory.pending.push(Pending { polygon: *polygon, candidates: (0, memory.candidates.len()) });
        while let Some(Pending { polygon, candidates: (first, end) }) = memory.pending.pop() {
            memory.candidates.truncate(end);
            self.divide_among(&polygon, first, memory, take);
        }
    }

    /// Finds all faces that may be nearest somewhere in a polygon, with a face that is near.
    fn find_candidates(&self, polygon: &ConvexPolygon, near: FaceIndex, memory: &mut DivideMemory) {
        // The distance to a face is largest at a corner: nothing farther away than that matters.
        let corners = || polygon.corners().iter().map(|&corner| self.plane.point(corner));
        let largest = |reach: f64, corner: Vector| reach.max(nearest_on_face(self.surface, near, &corner).distance);
        let reach = corners().fold(0.0, largest) + ROUNDING * self.surface.tree().bounds().largest_coordinate();
        let (low, high) = corners()
            .fold((Vector::repeat(f64::INFINITY), Vector::repeat(f64::NEG_INFINITY)), |(low, high), corner| {
                (low.inf(&corner), high.sup(&corner))
            });
        let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
        let normal = self.plane.axes[2];
        let DivideMemory { stack, candidates, .. } = memory;
        let touches = |FaceVolume { bounds, .. }: &FaceVolume| {
            let offset = bounds.center - middle;
            let apart = (offset.abs() - bounds.half - half).sup(&Vector::zeros());
            let height = normal.dot(&(bounds.center - self.plane.origin)).abs() - normal.abs().dot(&bounds.half);
            apart.norm_squared() <= reach * reach && height <= reach
        };
        self.surface.tree().items_touching(stack, touches, |face| candidates.push(face));
    }

    /// Gives the nearest feature at the centroid what it is nearest to, and leaves the rest pending.
    fn divide_among(
        &self,
        polygon: &ConvexPolygon,
        first: usize,
        memory: &mut DivideMemory,
        take: &mut impl FnMut(Part),
    ) {
        let Some((area, centroid)) = polygon.area_and_centroid() else { return };
        let last = memory.candidates.len();
        if area <= self.negligible {
            return;
        }
        if polygon.needs_splitting() {
            let halves = polygon.halves().map(|polygon| Pending { polygon, candidates: (first, last) });
            return memory.pending.extend(halves);
        }
        let center = self.plane.point(centroid);
        memory.samples.clear();
        let candidates = &memory.candidates[first..last];
        memory.samples.extend(candidates.iter().map(|&face| nearest_on_face(self.surface, face, &center)));
        let by_distance = |(i, a): &(usize, &Nearest), (k, b): &(usize, &Nearest)| {
            a.distance.total_cmp(&b.distance).then(candidates[*i].cmp(&candidates[*k]))
        };
        let Some((index, &nearest)) = memory.samples.iter().enumerate().min_by(by_distance) else { return };
        let nearest_face = candidates[index];
        let radius = radius(polygon, centroid);
        let depth = DepthFunction::new(self.surface, nearest.feature, &self.plane);
        if memory.cuts_left == 0 || area * radius <= NEGLIGIBLE_VOLUME * memory.volume {
            return self.finish(polygon, &nearest, &depth, take);
        }
        let largest_coordinate = self.surface.tree().bounds().largest_coordinate();
        let mut taken = Taken {
            polygon: *polygon,
            center: centroid,
            depth,
            points: [centroid; MOST_POINTS],
            depths: [0.0; MOST_POINTS],
            count: 0,
            tolerance: EQUAL_DEPTH * (radius + nearest.distance) + ROUNDING * largest_coordinate,
            small_difference: SMALL_VOLUME * memory.volume / area,
        };
        taken.set(&self.plane, polygon);
        self.find_rivals(&taken, nearest_face, (first, last), memory);
        let candidates = (last, memory.candidates.len());
        if MANY_RIVALS < memory.rivals.len() && SMALL_POLYGON * nearest.distance < radius {
            memory.cuts_left -= 1;
            let halves = polygon.divided(&halving(polygon, centroid));
            return memory.pending.extend(halves.map(|polygon| Pending { polygon, candidates }));
        }
        let mut rival = None;
        let mut next_rival = 0;
        loop {
            let next = match rival {
                None => self.beyond_reach(nearest.feature, &taken).map_or(Next::Done, Next::Cut),
                Some(index) => self.next_cut(&mut taken, nearest.feature, &memory.rivals[index]),
            };
            let cut = match next {
                Next::Done if next_rival < memory.rivals.len() => {
                    rival = Some(next_rival);
                    next_rival += 1;
                    continue;
                }
                Next::Done => break,
                Next::Cut(cut) => cut,
                Next::Halve => halving(&taken.polygon, taken.center),
            };
            let is_own = matches!(next, Next::Cut(_));
            let of_taken = taken.polygon.area_and_centroid().map_or(0.0, |(area, _)| area);
            let mut parts = taken.polygon.divided(&cut);
            let is_most = |part: &ConvexPolygon| {
                part.area_and_centroid().is_some_and(|(of_part, _)| (1.0 - PULL) * of_taken < of_part)
            };
            let is_useful = !parts.iter().any(is_most);
            if !is_useful {
                parts = taken.polygon.divided(&halving(&taken.polygon, taken.center));
            }
            if memory.cuts_left == 0 {
                break;
            }
            memory.cuts_left -= 1;
            if !is_own || !is_useful {
                return memory.pending.extend(parts.map(|polygon| Pending { polygon, candidates }));
            }
            let [own, other] = if 0.0 <= cut.value(taken.center) { parts } else { [parts[1], parts[0]] };
            memory.pending.push(Pending { polygon: other, candidates });
            if own.needs_splitting() {
                return memory.pending.extend(own.halves().map(|polygon| Pending { polygon, candidates }));
            }
            taken.set(&self.plane, &own);
        }
        self.finish(&taken.polygon, &nearest, &taken.depth, take);
    }

    /// Finds the faces that may be nearer than a feature somewhere in a polygon; and all that may be nearest somewhere,
    /// behind the other candidates.
    fn find_rivals(
        &self,
        taken: &Taken,
        nearest_face: FaceIndex,
        (first, last): (usize, usize),
        memory: &mut DivideMemory,
    ) {
        let DivideMemory { candidates, samples, rivals, .. } = memory;
        rivals.clear();
        let plane = &self.plane;
        let mut distances = [0.0; MOST_POINTS];
        for (distance, (at, _)) in distances.iter_mut().zip(taken.points()) {
            *distance = nearest_on_face(self.surface, nearest_face, &plane.point(at)).distance;
        }
        for index in first..last {
            let (face, at_center) = (candidates[index], samples[index - first]);
            let normal = self.surface.normal(face);
            // A face is not nearer than its plane, nor than the plane across the way to it.
            let to_plane = plane.linear(&normal, &self.surface.mesh().corners(face)[0]);
            let to_plane = if to_plane.value(taken.center) < 0.0 { to_plane.negative() } else { to_plane };
            let tangent = distance_tangent(plane, &at_center, taken.center, &normal);
            let mut least = [f64::INFINITY; 4];
            for ((at, depth), distance) in taken.points().zip(distances) {
                let (plane, tangent) = (to_plane.value(at), tangent.value(at));
                least[0] = least[0].min(plane - depth);
                least[1] = least[1].min(tangent - depth);
                least[2] = least[2].min(plane - distance);
                least[3] = least[3].min(tangent - distance);
            }
            if face == nearest_face || least[2].max(least[3]) < taken.tolerance {
                candidates.push(face);
            }
            if face != nearest_face && least[0].max(least[1]) < -taken.tolerance {
                let below = if least[0] < least[1] { tangent } else { to_plane };
                rivals.push(Rival { face, at_center, below });
            }
        }
        rivals.sort_unstable_by(|a, b| a.at_center.distance.total_cmp(&b.at_center.distance).then(a.face.cmp(&b.face)));
    }

    /// Where a rival takes something from a feature.
    fn next_cut(&self, taken: &mut Taken, feature: Feature, rival: &Rival) -> Next {
        // Faces at the feature itself are not nearer within its reach.
        if -taken.tolerance <= taken.margin(&rival.below) || has_feature(self.surface, rival.face, feature) {
            return Next::Done;
        }
        let plane = &self.plane;
        let normal = self.surface.normal(rival.face);
        let to_plane = plane.linear(&normal, &self.surface.mesh().corners(rival.face)[0]);
        let to_plane = if to_plane.value(taken.center) < 0.0 { to_plane.negative() } else { to_plane };
        if -taken.tolerance <= taken.margin(&to_plane) {
            return Next::Done;
        }
        let mut seen = [rival.at_center; MOST_POINTS];
        let mut most = (taken.tolerance, None);
        for (index, (at, depth)) in taken.points().enumerate() {
            seen[index] = nearest_on_face(self.surface, rival.face, &plane.point(at));
            if most.0 < depth - seen[index].distance {
                most = (depth - seen[index].distance, Some(index));
            }
        }
        if let Some(next) = self.next_cut_between_curves(taken, &seen[..taken.count]) {
            return next;
        }
        let cut_at = |index: usize| {
            let at = taken.points[index];
            distance_tangent(plane, &seen[index], at, &normal).minus(&taken.depth.tangent(plane, at))
        };
        // Where the rival's plane goes on, on another face: the plane between both.
        let along_plane = |index: usize| {
            let cut = to_plane.minus(&taken.depth.tangent(plane, taken.points[index]));
            let is_useful = self.continues_beyond(rival.face, seen[index].feature)
                && cuts(&taken.polygon, &cut)
                && 0.0 < cut.value(taken.center);
            is_useful.then_some(cut)
        };
        // A corner that the rival is nearer to: the plane between both.
        if let (difference, Some(index)) = most
            && !taken.is_near_enough(&seen[index], difference, taken.depths[index])
        {
            if let Some(cut) = along_plane(index) {
                return Next::Cut(cut);
            }
            let cut = cut_at(index);
            if cuts(&taken.polygon, &cut) && 0.0 < cut.value(taken.center) {
                return Next::Cut(cut);
            }
            let side = self.side_between(seen[index].feature, taken.center, taken.points[index], &taken.polygon);
            return match side {
                Some(side) => Next::Cut(side),
                None if cuts(&taken.polygon, &cut) => Next::Cut(cut),
                None => Next::Halve,
            };
        }
        // Nothing nearer in between.
        let mut best = f64::NEG_INFINITY;
        for ((at, _), nearest) in taken.points().zip(&seen) {
            let tangent = distance_tangent(plane, nearest, at, &normal);
            best = best.max(taken.margin(&tangent));
            if -taken.tolerance <= best {
                return Next::Done;
            }
        }
        let margin = |index: &usize| seen[*index].distance - taken.depths[*index];
        let Some(index) = (0..taken.count).min_by(|i, k| margin(i).total_cmp(&margin(k))) else { return Next::Done };
        if taken.is_near_enough(&seen[index], -best, taken.depths[index]) {
            return Next::Done;
        }
        let cut = along_plane(index).unwrap_or_else(|| cut_at(index));
        if cuts(&taken.polygon, &cut) { Next::Cut(cut) } else { Next::Halve }
    }

    /// Whether other faces of a face's facet lie at one of its edges or corners.
    fn continues_beyond(&self, face: FaceIndex, feature: Feature) -> bool {
        let facets = self.surface.facets();
        let is_mate = |other: FaceIndex| other != face && facets.first_face(other) == facets.first_face(face);
        match feature {
            Feature::Face(_) => false,
            Feature::Edge(edge) => {
                is_mate(edge.face()) || self.surface.half_edges().twin(edge).is_some_and(|twin| is_mate(twin.face()))
            }
            Feature::Vertex(vertex) => {
                self.surface.half_edges().outgoing(vertex).iter().any(|edge| is_mate(edge.face()))
            }
        }
    }

    /// Where an edge or a vertex takes something from an edge or a vertex: squares of distances tell more than tangents.
    /// None where the rival is not the same edge or vertex at all corners.
    fn next_cut_between_curves(&self, taken: &Taken, seen: &[Nearest]) -> Option<Next> {
        let feature = seen.first()?.feature;
        let is_same = seen.iter().all(|nearest| nearest.feature == feature);
        if !is_same || matches!(feature, Feature::Face(_)) || matches!(taken.depth, DepthFunction::Plane(_)) {
            return None;
        }
        let rival = DepthFunction::new(self.surface, feature, &self.plane);
        let own_along = taken.depth.along(&self.plane);
        let rival_along = rival.along(&self.plane);
        // The difference of squares is linear but for the squares along both edges; that along the own edge sags between
        // corners by a quarter of its range squared.
        let is_linear = [1.0, -1.0].iter().any(|sign| {
            let [x, y] = [0, 1].map(|axis| own_along[axis] - sign * rival_along[axis]);
            x.abs().max(y.abs()) <= PARALLEL_EDGES
        });
        let across = own_along.map(|x| if is_linear { 0.0 } else { x });
        let (mut least, mut shallowest, mut range) = (f64::INFINITY, f64::INFINITY, (f64::INFINITY, f64::NEG_INFINITY));
        for ((at, depth), nearest) in taken.points().zip(seen) {
            least = least.min((nearest.distance - depth) * (nearest.distance + depth));
            shallowest = shallowest.min(depth);
            let along = across[0] * at[0] + across[1] * at[1];
            range = (range.0.min(along), range.1.max(along));
        }
        let sag = 0.25 * (range.1 - range.0) * (range.1 - range.0);
        let small = taken.tolerance.max(taken.small_difference).max(CURVED_WALL * shallowest);
        if -2.0 * shallowest * small <= least - sag {
            return Some(Next::Done);
        }
        if !is_linear || 0.0 <= least {
            return None;
        }
        let center = taken.center;
        let own = taken.depth.tangent(&self.plane, center);
        let other = rival.tangent(&self.plane, center);
        let (own_depth, other_depth) = (own.value(center), other.value(center));
        let gradient = [0, 1].map(|axis| 2.0 * (other_depth * other.gradient[axis] - own_depth * own.gradient[axis]));
        let at_center = (other_depth - own_depth) * (other_depth + own_depth);
        let cut = Linear { at_origin: at_center - gradient[0] * center[0] - gradient[1] * center[1], gradient };
        (cuts(&taken.polygon, &cut) && 0.0 < cut.value(center)).then_some(Next::Cut(cut))
    }

    /// A line beyond which a feature is not the nearest point of its own plane, line or vertex.
    fn beyond_reach(&self, feature: Feature, taken: &Taken) -> Option<Linear> {
        let Feature::Face(face) = feature else {
            return taken.points().find_map(|(at, _)| self.side_between(feature, at, taken.center, &taken.polygon));
        };
        let facets = self.surface.facets();
        facets.open_edges(face).iter().find_map(|&edge| self.beyond_edge(edge, taken))
    }

    /// A line that separates a point from what lies beyond an edge of its facet, where a polygon reaches there.
    fn beyond_edge(&self, edge: HalfEdge, taken: &Taken) -> Option<Linear> {
        let [a, b] = edge_ends(self.surface, edge);
        let inwards = self.surface.normal(edge.face()).cross(&(b - a)).try_normalize(0.0)?;
        let inside = self.plane.linear(&inwards, &a);
        if taken.points().all(|(at, _)| -taken.tolerance <= inside.value(at)) {
            return None;
        }
        let along = (b - a).try_normalize(0.0)?;
        let (after, before) = (self.plane.linear(&along, &a), self.plane.linear(&-along, &b));
        let beyond = taken.polygon.clipped(&inside.negative()).clipped(&after).clipped(&before);
        let (area, _) = beyond.area_and_centroid()?;
        if area <= self.negligible {
            return None;
        }
        let separates = |side: &Linear| 0.0 < side.value(taken.center) && cuts(&taken.polygon, side);
        [inside, after.negative(), before.negative()].into_iter().find(separates)
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
