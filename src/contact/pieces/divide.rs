//! Divides polygons on a face by the nearest features of the other body: the general way, right for every shape.
//!
//! The polygon itself is cut, again and again, so that there are no gaps and no overlaps. The feature that is nearest to its
//! centroid takes what lies within its walls and is not nearer to one of its rivals; the rest is left for them.

use super::contest::{Contest, Verdict, halving};
use super::energy::{PartOfFace, WallEnergy};
use super::feature::{DepthFunction, PlacedPlane, is_inside, nearest_on_face};
use super::polygon::{ConvexPolygon, FIRST_LABEL, INNER_SIDE, Linear, PlanePoint, difference};
use super::rivals::{RecordIndex, Rivals};
use super::rounded::linear_parts;
use crate::bvh::OverlapStack;
use crate::contact::field::Feature;
use crate::contact::surface::ContactSurface;
use crate::math::{Body, Vector};

/// Two depths count as equal within this part of the size of the polygon and its depth; dimensionless, far above rounding.
const EQUAL_DEPTH: f64 = 1e-12;

/// Depths are rounded by some operations of this part of the coordinates; dimensionless.
const ROUNDING: f64 = 1e-14;

/// Polygons below this part of the face's area are not divided any more; dimensionless.
const NEGLIGIBLE_PART: f64 = 1e-14;

/// A part whose area times its radius is below this part of the depth times the area of all is not divided any more;
/// dimensionless. Depths change by no more than the way between two points, so its integral is off by twice that.
const NEGLIGIBLE_VOLUME: f64 = 1e-12;

/// Likewise where depths across a curved wall differ, times the area, by no more than this part of the depth times the area
/// of all; dimensionless. Towards a vertex where curved walls meet, depths and areas shrink for ever.
const SMALL_VOLUME: f64 = 1e-9;

/// And by no more than this part of the depth, however small the area: extremes would show it; dimensionless.
const SMALL_DIFFERENCE: f64 = 1e-3;

/// Steps from wall to wall, or from feature to rival, before the tree is asked; a bound on the work.
const MOST_STEPS: usize = 64;

/// Parts of a polygon; a bound on the work.
const MOST_PARTS: usize = 20_000;

/// Rivals to look at for the faces of one run; a bound on the work. Around the hub of a pleated fan, deep inside, all
/// features contend with all others.
const MOST_RIVALS: usize = 10_000_000;

/// Cuts for one rival before a polygon is halved; a rival has some walls, and one of them is enough.
const MOST_CUTS: usize = 4;

/// Parts smaller than this part of their depth take what is nearest where walls leave a gap; dimensionless.
const GAP: f64 = 1e-2;

/// No depth is a smaller part of the distance to the surface: mitres take 0.13 % of it; dimensionless.
const SMALLEST_DEPTH: f64 = 0.998;

/// A part of a face with the feature that its depth is measured from.
pub struct Part<'a> {
    /// The part, in the plane coordinates of the face.
    pub polygon: &'a ConvexPolygon,
    /// The nearest feature.
    pub feature: Feature,
    /// The depth.
    pub depth: Linear,
}

/// A point that is known to be no deeper than this.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// The point, in the frame of the body.
    pub point: Vector,
    /// In m.
    pub depth: f64,
}

/// All that is divided.
#[derive(Clone, Copy, Debug)]
struct Whole {
    /// Its area times its largest depth, in m³.
    volume: f64,
    /// The largest depth of its corners and its centroid, in m.
    deepest: f64,
}

/// A polygon that is still to be divided, a feature that may be near, and who has left it.
#[derive(Clone, Copy, Debug)]
struct Pending {
    polygon: ConvexPolygon,
    hint: RecordIndex,
    source: RecordIndex,
    limit: Limit,
}

/// Reused memory.
#[derive(Clone, Debug, Default)]
pub struct DivideMemory {
    pending: Vec<Pending>,
    left: Vec<Left>,
    /// What the walls around all parts add to the energy.
    pub wall_energy: WallEnergy,
    /// Features of F, and of E.
    features: [Rivals; 2],
    rivals_left: usize,
    /// The work was bounded: some polygons have the depth below what is nearest to their centroid.
    pub is_cut_short: bool,
    stack: OverlapStack,
}

impl DivideMemory {
    /// Prepares for the faces of a run.
    pub fn begin(&mut self) {
        (self.rivals_left, self.is_cut_short) = (MOST_RIVALS, false);
    }

    /// What is known of the features of the field that a body's faces are in.
    pub fn features(&mut self, body: Body) -> &mut Rivals {
        &mut self.features[body]
    }
}

/// A face in the field of a body.
pub struct Divider<'a> {
    /// The body.
    pub surface: &'a ContactSurface,
    /// The body that the face belongs to.
    pub body: Body,
    /// The face.
    pub plane: PlacedPlane,
    /// What is not worth a cut, in m².
    pub negligible: f64,
    /// Rivals are found by trying all features of the body.
    pub tries_all: bool,
    /// Whether the energy is asked for.
    pub with_energy: bool,
    /// A point of the contact, in the frame of the body.
    pub reference: Vector,
}

impl Divider<'_> {
    /// The nearest feature of a point, and whether the point is inside the body.
    pub fn locate(&self, at: PlanePoint, memory: &mut DivideMemory) -> Option<(Feature, bool)> {
        let point = self.plane.point(at);
        let found = self.surface.nearest_face(point, f64::INFINITY, &mut memory.stack)?;
        let nearest = nearest_on_face(self.surface, found.face, &point);
        let plate = Feature::Face(self.surface.field().plates().largest_face(found.face));
        let feature = match nearest.feature {
            Feature::Face(_) => plate,
            other if self.surface.field().has(other) => other,
            _ => plate,
        };
        Some((feature, is_inside(self.surface, &nearest, &point)))
    }

    /// Hands out the parts of a polygon that is wholly inside the body. The hint is a feature that may be near.
    pub fn divide(
        &self,
        polygon: &ConvexPolygon,
        (hint, limit): (Feature, Limit),
        memory: &mut DivideMemory,
        take: &mut impl FnMut(Part),
    ) {
        let Some((area, centroid)) = polygon.area_and_centroid() else { return };
        if area <= self.negligible {
            return;
        }
        let features = &mut memory.features[self.body];
        features.begin(self.surface);
        let hint = features.record(self.surface, hint);
        let Some(hint) = self.locate_from([hint; 2], &limit, centroid, memory) else { return };
        let near = memory.features[self.body].get(hint).feature;
        let corners = polygon.corners().iter().chain([&centroid]).map(|&corner| self.plane.point(corner));
        let depths = corners.map(|point| {
            let most = self.limit_at(&point, &limit, [near; 2]);
            self.surface.nearest_face(point, most, &mut memory.stack).map_or(most, |nearest| nearest.distance)
        });
        let deepest = depths.fold(0.0, f64::max);
        let whole = Whole { volume: area * deepest, deepest };
        memory.pending.clear();
        memory.pending.push(Pending { polygon: *polygon, hint, source: hint, limit });
        let mut parts_left = MOST_PARTS;
        while let Some(pending) = memory.pending.pop() {
            parts_left = parts_left.saturating_sub(1);
            let is_last = parts_left == 0 || memory.rivals_left == 0;
            self.divide_one(&pending, &whole, is_last, memory, take);
        }
    }

    fn deepest(&self, polygon: &ConvexPolygon, depth: &DepthFunction) -> f64 {
        polygon.corners().iter().map(|&corner| depth.value(&self.plane, corner)).fold(0.0, f64::max)
    }

    /// From wall to wall towards a point; none where that does not end.
    fn walk_to(&self, point: &Vector, from: RecordIndex, features: &mut Rivals) -> Option<RecordIndex> {
        let rounding = ROUNDING * self.surface.tree().bounds().largest_coordinate();
        let mut at = from;
        for _ in 0..MOST_STEPS {
            let mut lowest = (-rounding, None);
            for wall in features.walls(features.get(at)) {
                let height = wall.height(point);
                if height < lowest.0 {
                    lowest = (height, Some(wall.beyond));
                }
            }
            match lowest.1 {
                Some(beyond) => at = features.record(self.surface, beyond),
                None => return Some(at),
            }
        }
        None
    }

    /// Gives the nearest feature at the centroid what it is nearest to, and leaves the rest pending.
    fn divide_one(
        &self,
        pending: &Pending,
        whole: &Whole,
        is_last: bool,
        memory: &mut DivideMemory,
        take: &mut impl FnMut(Part),
    ) {
        let Pending { polygon, hint, source, limit } = pending;
        let Some((area, centroid)) = polygon.area_and_centroid() else { return };
        if area <= self.negligible {
            return;
        }
        if polygon.needs_splitting() {
            return memory.pending.extend(polygon.halves().map(|polygon| Pending { polygon, ..*pending }));
        }
        let center = self.plane.point(centroid);
        let radius = largest_distance(polygon, centroid);
        let rounding = ROUNDING * self.surface.tree().bounds().largest_coordinate();
        let is_negligible = area * radius <= NEGLIGIBLE_VOLUME * whole.volume;
        // What no rival is tried for takes what is nearest: its volume is nothing, but its depth may be an extreme.
        let is_undivided = is_last || is_negligible;
        let near = if is_undivided { self.locate_record(centroid, memory) } else { None };
        let found = near.or_else(|| self.locate_from([*hint, *source], limit, centroid, memory));
        let Some(found) = found else { return };
        let owner = if is_undivided { Some(found) } else { self.owner_at(centroid, found, memory) };
        let (mut own, is_in_gap) = (owner.unwrap_or(found), owner.is_none());
        for _ in 0..MOST_STEPS {
            let depth = DepthFunction::of(&memory.features[self.body].get(own).target, &self.plane);
            let at_center = depth.value(&self.plane, centroid);
            let tolerance = EQUAL_DEPTH * (radius + at_center) + rounding;
            if is_undivided || (is_in_gap && radius <= GAP * at_center) {
                if is_last && !is_negligible {
                    return self.cut_short(polygon, own, at_center, memory, take);
                }
                return self.finish(polygon, own, &depth, memory, take);
            }
            if is_in_gap {
                let halves = polygon.divided_as(&halving(polygon), [INNER_SIDE; 2]);
                let halves = halves.map(|polygon| Pending { polygon, ..*pending });
                return memory.pending.extend(halves);
            }
            memory.left.clear();
            let features = &mut memory.features[self.body];
            let bounds = (&center, radius, tolerance);
            let Some(part) = self.within_walls(polygon, own, bounds, features, &mut memory.left) else {
                return self.leave(own, Limit { point: center, depth: at_center }, memory);
            };
            let neighbours = features.find_neighbours(self.surface, own);
            let contest = Contest {
                plane: &self.plane,
                center,
                centroid,
                own,
                depth,
                tolerance,
                negligible: self.negligible,
                small_difference: (SMALL_VOLUME * whole.volume / area).min(SMALL_DIFFERENCE * whole.deepest),
            };
            // Neighbours first: what they leave is not as deep, and has fewer rivals.
            let mut outcome = self.take(&contest, &part, neighbours, features, &mut memory.left);
            if let Outcome::Taken(part) = outcome {
                let rivals = match self.tries_all {
                    true => features.find_all(self.surface),
                    false => features.find(self.surface, own, self.deepest(&part, &depth)),
                };
                if !self.tries_all {
                    memory.rivals_left = memory.rivals_left.saturating_sub(rivals.len());
                }
                outcome = self.take(&contest, &part, rivals, features, &mut memory.left);
            }
            match outcome {
                Outcome::Nearer(rival) => own = rival,
                Outcome::Taken(part) => {
                    self.leave(own, Limit { point: center, depth: at_center }, memory);
                    return self.finish(&part, own, &depth, memory, take);
                }
                Outcome::Left => return self.leave(own, Limit { point: center, depth: at_center }, memory),
            }
        }
        // Rounding makes each of some features seem nearer than another one.
        let halves = polygon.divided_as(&halving(polygon), [INNER_SIDE; 2]);
        memory.pending.extend(halves.map(|polygon| Pending { polygon, ..*pending }));
    }

    /// The feature that was found for a point or, where the point lies behind a wall of that, what a walk from there leads
    /// to; none where walls leave a gap, as in corners where mitres do not quite meet.
    fn owner_at(&self, at: PlanePoint, found: RecordIndex, memory: &mut DivideMemory) -> Option<RecordIndex> {
        let point = self.plane.point(at);
        let rounding = ROUNDING * self.surface.tree().bounds().largest_coordinate();
        let DivideMemory { features, stack, .. } = memory;
        let features = &mut features[self.body];
        if features.walls(features.get(found)).iter().all(|wall| -rounding <= wall.height(&point)) {
            return Some(found);
        }
        let distance = self.surface.nearest_face(point, f64::INFINITY, stack)?.distance;
        self.walk_to(&point, found, features).filter(|&walked| {
            let depth = DepthFunction::of(&features.get(walked).target, &self.plane).value(&self.plane, at);
            SMALLEST_DEPTH * distance <= depth && depth <= distance * (1.0 + EQUAL_DEPTH) + rounding
        })
    }

    /// A feature that has the nearest point of its plane, line or vertex to a point, and is no deeper than it can be: found
    /// on a walk, or by the tree where that led to another sheet.
    fn locate_from(
        &self,
        near: [RecordIndex; 2],
        limit: &Limit,
        at: PlanePoint,
        memory: &mut DivideMemory,
    ) -> Option<RecordIndex> {
        let point = self.plane.point(at);
        let features = &mut memory.features[self.body];
        let walked = self.walk_to(&point, near[0], features).filter(|&walked| {
            let depth = match DepthFunction::of(&features.get(walked).target, &self.plane) {
                DepthFunction::Plane(linear) => linear.value(at),
                curved => curved.value(&self.plane, at),
            };
            let deepest = self.limit_at(&point, limit, near.map(|near| features.get(near).feature));
            let tolerance = EQUAL_DEPTH * deepest + ROUNDING * self.surface.tree().bounds().largest_coordinate();
            -tolerance <= depth && depth <= deepest + tolerance
        });
        walked.or_else(|| self.locate_record(at, memory))
    }

    /// The nearest feature of a point, by the tree.
    fn locate_record(&self, at: PlanePoint, memory: &mut DivideMemory) -> Option<RecordIndex> {
        let (feature, _) = self.locate(at, memory)?;
        Some(memory.features[self.body].record(self.surface, feature))
    }

    /// No point is deeper than its distance to a point of the surface, or than another point and the way between both.
    fn limit_at(&self, point: &Vector, limit: &Limit, near: [Feature; 2]) -> f64 {
        let distance = |feature: Feature| match feature {
            Feature::Face(face) => nearest_on_face(self.surface, face, point).distance,
            Feature::Edge(edge) => nearest_on_face(self.surface, edge.face(), point).distance,
            Feature::Vertex(vertex) => (point - self.surface.mesh().vertices[vertex.index()]).norm(),
        };
        distance(near[0]).min(distance(near[1])).min(limit.depth + (point - limit.point).norm())
    }

    /// Leaves what others may take pending.
    fn leave(&self, source: RecordIndex, limit: Limit, memory: &mut DivideMemory) {
        let DivideMemory { pending, left, .. } = memory;
        pending.extend(left.drain(..).map(|Left { polygon, near }| Pending { polygon, hint: near, source, limit }));
    }

    /// Cuts off what lies beyond the walls of a feature; none where nothing is left, or too many corners.
    fn within_walls(
        &self,
        polygon: &ConvexPolygon,
        own: RecordIndex,
        (center, radius, tolerance): (&Vector, f64, f64),
        features: &mut Rivals,
        left: &mut Vec<Left>,
    ) -> Option<ConvexPolygon> {
        let mut part = *polygon;
        for index in 0..features.walls(features.get(own)).len() {
            let wall = features.walls(features.get(own))[index];
            if radius <= wall.height(center) {
                continue;
            }
            let cut = self.plane.trace(&wall.plane);
            if part.corners().iter().any(|&corner| cut.value(corner) < -tolerance) {
                let beyond = features.record(self.surface, wall.beyond);
                let [kept, other] = part.divided_as(&cut, [FIRST_LABEL + beyond, FIRST_LABEL + own]);
                left.push(Left { polygon: other, near: beyond });
                part = kept;
                if part.needs_splitting() {
                    leave_halves(&part, own, left);
                    return None;
                }
            }
        }
        (!part.is_empty()).then_some(part)
    }

    /// Cuts off what is nearer to the rivals of a feature.
    fn take(
        &self,
        contest: &Contest,
        polygon: &ConvexPolygon,
        rivals: std::ops::Range<usize>,
        features: &Rivals,
        left: &mut Vec<Left>,
    ) -> Outcome {
        let mut part = *polygon;
        for rival in rivals.map(|index| features.rival(index)) {
            for cuts in 0.. {
                if part.is_empty() {
                    return Outcome::Left;
                }
                if MOST_CUTS < cuts {
                    let halves = part.divided_as(&halving(&part), [INNER_SIDE; 2]);
                    left.extend(halves.map(|polygon| Left { polygon, near: contest.own }));
                    return Outcome::Left;
                }
                let verdict = contest.with(&part, rival, features);
                let labels = match verdict {
                    Verdict::Divides(_) => [rival, contest.own].map(|record| FIRST_LABEL + record),
                    _ => [INNER_SIDE; 2],
                };
                match verdict {
                    Verdict::Keeps => break,
                    Verdict::Loses => return Outcome::Nearer(rival),
                    Verdict::Divides(cut) | Verdict::CutsOff(cut) => {
                        let [own, other] = part.divided_as(&cut, labels);
                        if self.is_negligible(&other) {
                            break;
                        }
                        left.push(Left { polygon: other, near: rival });
                        part = own;
                    }
                    Verdict::Halves(cut) => {
                        let mut halves = part.divided_as(&cut, labels);
                        if halves.iter().any(|half| self.is_negligible(half)) {
                            halves = part.divided_as(&halving(&part), [INNER_SIDE; 2]);
                        }
                        left.extend(halves.map(|polygon| Left { polygon, near: contest.own }));
                        return Outcome::Left;
                    }
                }
                if part.needs_splitting() {
                    leave_halves(&part, contest.own, left);
                    return Outcome::Left;
                }
            }
        }
        Outcome::Taken(part)
    }

    fn is_negligible(&self, polygon: &ConvexPolygon) -> bool {
        polygon.area_and_centroid().is_none_or(|(area, _)| area <= self.negligible)
    }

    /// Hands out a polygon that too many features contend for, with the depth of its centroid everywhere: away from there
    /// the depth below the nearest feature is none.
    fn cut_short(
        &self,
        polygon: &ConvexPolygon,
        own: RecordIndex,
        depth: f64,
        memory: &mut DivideMemory,
        take: &mut impl FnMut(Part),
    ) {
        memory.is_cut_short = true;
        if self.with_energy {
            memory.wall_energy.add(&WallEnergy::UNKNOWN);
        }
        let feature = memory.features[self.body].get(own).feature;
        take(Part { polygon, feature, depth: Linear::constant(depth.max(0.0)) });
    }

    /// Hands out a polygon with one nearest feature.
    fn finish(
        &self,
        polygon: &ConvexPolygon,
        own: RecordIndex,
        depth: &DepthFunction,
        memory: &mut DivideMemory,
        take: &mut impl FnMut(Part),
    ) {
        let DivideMemory { features, wall_energy, .. } = memory;
        let features = &features[self.body];
        let feature = features.get(own).feature;
        let integral = |polygon: &ConvexPolygon, depth: &Linear| {
            polygon.area_and_centroid().map_or(0.0, |(area, centroid)| area * depth.value(centroid))
        };
        let reference = &self.reference;
        let part = PartOfFace { surface: self.surface, features, plane: &self.plane, own, depth, reference };
        let mut add_walls = |polygon: &ConvexPolygon, of_piece: f64| {
            let walls = if self.with_energy { part.walls(polygon, of_piece) } else { WallEnergy::UNKNOWN };
            wall_energy.add(&walls);
        };
        if let DepthFunction::Plane(linear) = depth {
            // Next to the rim of the contact rounding leaves a little outside.
            let inside = polygon.clipped(linear);
            if !inside.is_empty() {
                add_walls(&inside, integral(&inside, linear));
                take(Part { polygon: &inside, feature, depth: *linear });
            }
        } else {
            let mut of_piece = 0.0;
            linear_parts(&self.plane, depth, polygon, self.negligible, &mut |polygon, depth| {
                of_piece += integral(polygon, &depth);
                take(Part { polygon, feature, depth });
            });
            add_walls(polygon, of_piece);
        }
    }
}

/// What became of a polygon.
#[allow(clippy::large_enum_variant)]
enum Outcome {
    /// The feature has taken this much of it.
    Taken(ConvexPolygon),
    /// Others may take all of it.
    Left,
    /// Something else is nearer to its centroid.
    Nearer(RecordIndex),
}

/// A polygon for others, and who may be near.
#[derive(Clone, Copy, Debug)]
struct Left {
    polygon: ConvexPolygon,
    near: RecordIndex,
}

fn leave_halves(part: &ConvexPolygon, own: RecordIndex, left: &mut Vec<Left>) {
    left.extend(part.halves().map(|polygon| Left { polygon, near: own }));
}

/// Largest distance of a corner from a point.
pub fn largest_distance(polygon: &ConvexPolygon, center: PlanePoint) -> f64 {
    let squares = polygon.corners().iter().map(|&corner| {
        let [x, y] = difference(corner, center);
        x * x + y * y
    });
    squares.fold(0.0, f64::max).sqrt()
}

/// What is not worth a cut on a face of this area.
pub fn negligible_area(area: f64) -> f64 {
    NEGLIGIBLE_PART * area
}
