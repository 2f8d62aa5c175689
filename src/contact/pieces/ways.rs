//! Where ways from plates, inner edges and vertices end, next to inner edges and vertices.
//!
//! A way goes inwards from a point of a feature, in a straight line along which that feature stays nearest. It ends where
//! something else is as near: all balls around its points that touch the feature lie in each other, and the first one that
//! touches a rival ends it. That is linear in the place on a plate where the rival is a plate too ([`super::heights`]), and
//! curved in all other cases: the polygon is then cut along chords of the curves at which one rival follows another, and
//! what lies between chord and curve is counted by its thickness.

use super::contest::halving;
use super::feature::PlacedPlane;
use super::polygon::{ConvexPolygon, Linear, PlanePoint, cross, difference};
use super::rivals::{RecordIndex, Rivals, Target};
use super::rounded::GAUSS;
use crate::contact::field::Wall;
use crate::math::Vector;

/// Chords are good enough where lengths of ways across them differ by no more than this part of the length; dimensionless.
/// What is left of the integral after the correction is about its square, times what the correction is off by.
const CURVED_WALL: f64 = 1e-3;

/// What lies between a chord and its curve may be this part of the area times the length; dimensionless. It is counted, but
/// for some hundredths.
const LARGEST_CORRECTION: f64 = 1e-7;

/// Likewise where no cut is made; that is lost.
const LARGEST_LOSS: f64 = 1e-9;

/// Ways shorter than this part of the longest need no better chords; dimensionless.
const SHORT: f64 = 0.1;

/// Lengths that differ by less than this part of the longest are equal; dimensionless, far above rounding.
const EQUAL_LENGTH: f64 = 1e-12;

/// Distances are rounded by some operations of this part of the coordinates; dimensionless.
const ROUNDING: f64 = 1e-14;

/// Ends farther away than this many times the longest way are as good as none.
const FARTHEST: f64 = 8.0;

/// Parts of a polygon below this part of its area are not divided any more; dimensionless.
const NEGLIGIBLE_PART: f64 = 1e-10;

/// Parts of a polygon; a bound on the work.
const MOST_PARTS: usize = 2_000;

/// Cuts for one rival before a polygon is halved.
const MOST_CUTS: usize = 4;

/// How often all rivals are asked for a part.
const MOST_ROUNDS: usize = 2;

/// Steps towards the end of a chord.
const CHORD_STEPS: usize = 40;

/// Corners are drawn towards the centroid by this part, as ways from edges and vertices have no direction on these;
/// dimensionless.
const DRAWN_IN: f64 = 1e-7;

/// Slopes are differences over this part of the size of a polygon; dimensionless.
const DIFFERENCE: f64 = 1e-4;

/// Cosine of the widest angle between ways from edges and vertices for one quadrature, 15°.
const SAME_DIRECTION: f64 = 0.965_925_826_289_068_3;

/// Parts with a radius above this many times the length of their ways are halved before the quadrature.
const WIDE: f64 = 1.0;

/// And where more than one corner is nearer to the edge or the vertex than this part of the distance of the centroid.
const LEAST_DISTANCE: f64 = 0.6;

/// Halvings for the quadrature at most.
const MOST_HALVINGS: usize = 8;

/// A way through a point of a plane.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    start: Vector,
    along: Vector,
    /// The measure of ways per area of the plane: of their places on a plate, of places and angles on an edge, of solid
    /// angles at a vertex. Times the rate.
    density: f64,
    /// How fast the depth grows along the way; one but below mitres.
    rate: f64,
}

impl Way {
    fn at(&self, length: f64) -> Vector {
        self.start + self.along * length
    }
}

/// The ways from a feature through a plane.
#[derive(Clone, Copy)]
pub struct Ways<'a> {
    /// The plane.
    pub plane: &'a PlacedPlane,
    /// What the ways come from.
    pub from: Target,
    /// Inwards from the plate that depths are measured from, where the ways come from an edge with a mitre.
    pub down: Option<Vector>,
}

impl Ways<'_> {
    /// The integral of the depth along a way is its length to this power, over this number, times the density.
    pub fn power(&self) -> i32 {
        match self.from {
            Target::Plane(_) => 2,
            Target::Line(..) => 3,
            Target::Point(_) => 4,
        }
    }

    /// The way through a point.
    pub fn through(&self, at: PlanePoint) -> Way {
        let (point, normal) = (self.plane.point(at), &self.plane.axes[2]);
        let offset = match &self.from {
            Target::Plane([a, b, c, d]) => {
                let along = Vector::new(*a, *b, *c);
                let start = point - along * (along.dot(&point) + d);
                return Way { start, along, density: along.dot(normal), rate: 1.0 };
            }
            Target::Line(on_line, along) => {
                let offset = point - on_line;
                offset - along * along.dot(&offset)
            }
            Target::Point(vertex) => point - vertex,
        };
        let length = offset.norm().max(f64::MIN_POSITIVE);
        let along = offset / length;
        let rate = self.down.map_or(1.0, |down| down.dot(&along));
        let density = rate * along.dot(normal) / if self.power() == 3 { length } else { length * length };
        Way { start: point - offset, along, density, rate }
    }

    fn is_plane(&self) -> bool {
        matches!(self.from, Target::Plane(_))
    }

    /// The integral of the depth along the ways from an edge or a vertex to a polygon, in m⁴.
    pub fn integral_to_plane(&self, polygon: &ConvexPolygon) -> f64 {
        let power = self.power();
        let normal = &self.plane.axes[2];
        // The density times the length to this power, without the quotient.
        self.sum(polygon, &|way, point| {
            let offset = point - way.start;
            offset.norm() * offset.dot(normal)
        }) / f64::from(power)
    }

    /// ∫ f dμ over a polygon, with the measure of the ways.
    pub fn integral(&self, polygon: &ConvexPolygon, f: &impl Fn(&Way) -> f64) -> f64 {
        self.sum(polygon, &|way, _| way.density * f(way))
    }

    /// ∫ f dA over a polygon.
    fn sum(&self, polygon: &ConvexPolygon, f: &impl Fn(&Way, &Vector) -> f64) -> f64 {
        let corners = polygon.corners();
        let distance = |&corner: &PlanePoint| match &self.from {
            Target::Plane(_) => 0.0,
            _ => {
                let way = self.through(corner);
                (self.plane.point(corner) - way.start).norm()
            }
        };
        // A fan around the corner that is nearest to the feature: towards it, directions change for ever.
        let nearest = corners.iter().enumerate().min_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b)));
        let Some((first, _)) = nearest else { return 0.0 };
        let apex = corners[first];
        let mut sum = 0.0;
        for step in 1..corners.len().max(1) - 1 {
            let a = difference(corners[(first + step) % corners.len()], apex);
            let b = difference(corners[(first + step + 1) % corners.len()], apex);
            let double_area = cross(a, b);
            for (out, out_weight) in GAUSS {
                for (across, across_weight) in GAUSS {
                    let at = [0, 1].map(|axis| apex[axis] + out * ((1.0 - across) * a[axis] + across * b[axis]));
                    let way = self.through(at);
                    sum += double_area * out * out_weight * across_weight * f(&way, &self.plane.point(at));
                }
            }
        }
        sum
    }
}

/// How far a way goes before a plane, a line or a point is as near as its start; it may be behind it.
fn length_to(target: &Target, way: &Way, farthest: f64) -> f64 {
    let length = match target {
        Target::Plane([a, b, c, d]) => {
            let normal = Vector::new(*a, *b, *c);
            let (distance, closing) = (normal.dot(&way.start) + d, way.rate - normal.dot(&way.along));
            if closing <= f64::EPSILON { f64::INFINITY } else { distance / closing }
        }
        // Both are as near where the square of the distance is that of the rate times the length.
        Target::Line(on_line, along) => {
            let across = |v: &Vector| v - along * along.dot(v);
            let from_line = across(&(way.start - on_line));
            let (closing, square) = (-from_line.dot(&across(&way.along)), from_line.norm_squared());
            let opening = along.dot(&way.along).powi(2) - (1.0 - way.rate * way.rate);
            let root = (closing * closing + opening * square).max(0.0).sqrt();
            match 0.0 <= closing {
                true => square / (closing + root),
                false if opening <= 0.0 => f64::INFINITY,
                false => (root - closing) / opening,
            }
        }
        Target::Point(point) => {
            let offset = point - way.start;
            let (closing, square) = (offset.dot(&way.along), offset.norm_squared());
            let root = (closing * closing - (1.0 - way.rate * way.rate) * square).max(0.0).sqrt();
            if closing <= 0.0 { f64::INFINITY } else { square / (closing + root) }
        }
    };
    // Neither where both vanish.
    if length.is_nan() { 0.0 } else { length.clamp(-farthest, farthest) }
}

/// How the contest for a part of a polygon goes on.
enum Cut {
    /// No cut is needed.
    None,
    /// Keep where the function is positive; the integral changes by this much.
    Along(Linear, f64),
    /// Look at both halves again.
    Across(Linear),
}

/// The ends of the ways through a polygon.
pub struct Ends<'a> {
    /// The ways.
    pub ways: Ways<'a>,
    /// What may end them.
    pub rivals: &'a [RecordIndex],
    /// Their records.
    pub features: &'a Rivals,
    /// Ways are cut off here.
    pub highest: f64,
}

/// The rivals of a feature that may end ways through a polygon below the highest.
pub fn near_rivals(
    ways: &Ways,
    polygon: &ConvexPolygon,
    rivals: impl Iterator<Item = RecordIndex>,
    features: &Rivals,
    highest: f64,
    near: &mut Vec<RecordIndex>,
) {
    near.clear();
    let Some((_, centroid)) = polygon.area_and_centroid() else { return };
    let corners = polygon.corners().iter().map(|&corner| ways.through(drawn_in(corner, centroid)));
    let count = polygon.corners().len() as f64;
    let center = corners.clone().map(|way| way.at(highest)).sum::<Vector>() / count;
    // Between ways from an edge or a vertex others go a little farther out.
    let margin = if ways.is_plane() { 0.0 } else { 0.05 * highest };
    let radius = corners.clone().map(|way| (way.at(highest) - center).norm()).fold(0.0, f64::max) + highest + margin;
    let parallel = |plane: &[f64; 4]| match &ways.from {
        Target::Plane(own) => 1.0 - 1e-14 < own[0] * plane[0] + own[1] * plane[1] + own[2] * plane[2],
        _ => false,
    };
    for rival in rivals {
        let record = features.get(rival);
        let distance = match &record.target {
            Target::Plane(plane) if parallel(plane) => continue,
            Target::Plane([a, b, c, d]) => Vector::new(*a, *b, *c).dot(&center) + d,
            Target::Line(on_line, along) => {
                let offset = center - on_line;
                (offset - along * along.dot(&offset)).norm()
            }
            Target::Point(point) => (center - point).norm(),
        };
        let is_beyond = |wall: &Wall| {
            let is_behind = |point: &Vector| wall.height(point) < -margin;
            corners.clone().all(|way| is_behind(&way.start) && is_behind(&way.at(highest)))
        };
        // Planes whose lengths are beyond the highest, or behind the start, all along the border.
        let is_behind = || match &record.target {
            Target::Plane([a, b, c, d]) => {
                let distance = |way: &Way| Vector::new(*a, *b, *c).dot(&way.start) + d;
                let is_far = |way: Way| highest + margin <= length_to(&record.target, &way, FARTHEST * highest);
                corners.clone().all(|way| distance(&way) < 0.0) || corners.clone().all(is_far)
            }
            _ => false,
        };
        if distance < radius && !is_behind() && !features.walls(record).iter().any(is_beyond) {
            near.push(rival);
        }
    }
}

fn drawn_in(corner: PlanePoint, centroid: PlanePoint) -> PlanePoint {
    [0, 1].map(|axis| corner[axis] + DRAWN_IN * (centroid[axis] - corner[axis]))
}

impl Ends<'_> {
    /// The integral of the depth along all ways through a polygon, in m⁴, and the measure of the ways that go on beyond the
    /// highest; `work` is what may still be done.
    pub fn integral(&self, polygon: &ConvexPolygon, pending: &mut Vec<ConvexPolygon>, work: &mut usize) -> (f64, f64) {
        let Some((area, _)) = polygon.area_and_centroid() else { return (0.0, 0.0) };
        pending.clear();
        pending.push(*polygon);
        let mut parts_left = MOST_PARTS;
        let mut sums = (0.0, 0.0);
        while let Some(part) = pending.pop() {
            parts_left = parts_left.saturating_sub(1);
            *work = work.saturating_sub(1 + self.rivals.len());
            self.divide(&part, area, parts_left == 0 || *work == 0, pending, &mut sums);
        }
        sums
    }

    /// The number of the cut-off, behind those of the rivals.
    fn cut_off(&self) -> usize {
        self.rivals.len()
    }

    fn target(&self, rival: usize) -> Option<&Target> {
        self.rivals.get(rival).map(|&rival| &self.features.get(rival).target)
    }

    fn walls(&self, rival: usize) -> &[Wall] {
        self.rivals.get(rival).map_or(&[], |&rival| self.features.walls(self.features.get(rival)))
    }

    fn length(&self, rival: usize, way: &Way) -> f64 {
        self.target(rival).map_or(self.highest, |target| length_to(target, way, FARTHEST * self.highest))
    }

    /// Negative where the nearest point of a rival's plane, line or vertex to the end of a way is not on the rival.
    fn margin(&self, rival: usize, way: &Way, length: f64) -> f64 {
        let end = way.at(length);
        self.walls(rival).iter().map(|wall| wall.height(&end)).fold(length, f64::min)
    }

    /// What ends a way, and where.
    fn lowest(&self, way: &Way) -> (usize, f64) {
        let mut lowest = (self.cut_off(), self.highest);
        for rival in 0..self.rivals.len() {
            let length = self.length(rival, way);
            if length < lowest.1 && 0.0 <= self.margin(rival, way, length) {
                lowest = (rival, length);
            }
        }
        lowest
    }

    fn is_linear(&self, rival: usize) -> bool {
        self.ways.is_plane() && matches!(self.target(rival), None | Some(Target::Plane(_)))
    }

    /// Lengths that differ by less do not matter where two rivals meet, or at a wall of one.
    fn small(&self, one: usize, other: usize, length: f64) -> f64 {
        if self.is_linear(one) && self.is_linear(other) {
            EQUAL_LENGTH * self.highest + self.rounding(one) + self.rounding(other)
        } else {
            CURVED_WALL * length.max(SHORT * self.highest)
        }
    }

    fn rounding(&self, rival: usize) -> f64 {
        match (self.target(rival), &self.ways.from) {
            (Some(Target::Plane([a, b, c, _])), Target::Plane([x, y, z, _])) => {
                ROUNDING * self.ways.plane.origin.amax() / (1.0 - (a * x + b * y + c * z)).max(f64::EPSILON)
            }
            _ => 0.0,
        }
    }

    /// Adds the part of a polygon with the rival that is first at its centroid; leaves the rest pending.
    fn divide(
        &self,
        polygon: &ConvexPolygon,
        whole: f64,
        is_last: bool,
        pending: &mut Vec<ConvexPolygon>,
        sums: &mut (f64, f64),
    ) {
        let Some((area, centroid)) = polygon.area_and_centroid() else { return };
        let negligible = NEGLIGIBLE_PART * whole;
        if area <= negligible {
            return;
        }
        if polygon.needs_splitting() {
            return pending.extend(polygon.halves());
        }
        let power = self.ways.power();
        let along = |length: f64| length.powi(power) / f64::from(power);
        if is_last {
            sums.0 += self.ways.integral(polygon, &|way| along(self.lowest(way).1));
            return;
        }
        let at_centroid = self.ways.through(centroid);
        let (own, _) = self.lowest(&at_centroid);
        let mut part = *polygon;
        for wall in self.walls(own) {
            let height = |way: &Way| wall.height(&way.at(self.length(own, way)));
            let small = |length| self.small(own, own, length);
            match self.cut(&part, (own, None), whole, &small, &height) {
                Cut::None => {}
                Cut::Along(cut, _) => {
                    let [kept, other] = part.divided(&cut);
                    pending.push(other);
                    part = kept;
                }
                Cut::Across(cut) => return pending.extend(self.halves(&part, &cut, negligible)),
            }
            if part.needs_splitting() {
                return pending.extend(part.halves());
            }
        }
        // What was not contended may be on a smaller part, where the corners tell more.
        let mut has_changed = true;
        for _ in 0..MOST_ROUNDS {
            if !std::mem::take(&mut has_changed) {
                break;
            }
            for rival in (0..=self.cut_off()).filter(|&rival| rival != own) {
                for cuts in 0.. {
                    if MOST_CUTS < cuts {
                        return pending.extend(part.divided(&halving(&part)));
                    }
                    if !self.is_contended(&part, own, rival, whole) {
                        break;
                    }
                    let difference = |way: &Way| self.length(rival, way) - self.length(own, way);
                    let small = |length| self.small(own, rival, length);
                    let equal = EQUAL_LENGTH * self.highest + self.rounding(own) + self.rounding(rival);
                    let cut = if -equal <= difference(&at_centroid) {
                        self.cut(&part, (own, Some(rival)), whole, &small, &difference)
                    } else {
                        self.cut_along_wall(&part, &at_centroid, (own, rival), whole, &small)
                    };
                    match cut {
                        Cut::None => break,
                        Cut::Along(cut, correction) => {
                            let [kept, other] = part.divided(&cut);
                            if other.area_and_centroid().is_none_or(|(area, _)| area <= negligible) {
                                break;
                            }
                            pending.push(other);
                            part = kept;
                            sums.0 -= correction;
                            has_changed = true;
                        }
                        Cut::Across(cut) => return pending.extend(self.halves(&part, &cut, negligible)),
                    }
                    if part.needs_splitting() {
                        return pending.extend(part.halves());
                    }
                }
            }
        }
        sums.0 += self.smooth_integral(&part, own, MOST_HALVINGS, &along);
        if own == self.cut_off() {
            sums.1 += self.ways.integral(&part, &|_| 1.0);
        }
    }

    fn halves(&self, part: &ConvexPolygon, cut: &Linear, negligible: f64) -> [ConvexPolygon; 2] {
        let halves = part.divided(cut);
        let is_negligible = |half: &ConvexPolygon| half.area_and_centroid().is_none_or(|(area, _)| area <= negligible);
        if halves.iter().any(is_negligible) { part.divided(&halving(part)) } else { halves }
    }

    /// Whether a rival ends ways before another one somewhere on a part.
    fn is_contended(&self, part: &ConvexPolygon, own: usize, rival: usize, whole: f64) -> bool {
        let Some((area, centroid)) = part.area_and_centroid() else { return false };
        if self.is_linear(rival) {
            return self.is_contended_by_plate(part, own, rival, NEGLIGIBLE_PART * whole);
        }
        let corners = part.corners();
        let (mut least, mut is_valid) = ((f64::INFINITY, centroid), false);
        let (mut lead, mut range) = (0.0f64, 0.0f64);
        for k in 0..2 * corners.len() {
            let (a, b) = (corners[k / 2], corners[(k / 2 + 1) % corners.len()]);
            let at = if k % 2 == 0 { a } else { [0, 1].map(|axis| 0.5 * (a[axis] + b[axis])) };
            let at = drawn_in(at, centroid);
            let way = self.ways.through(at);
            let (length, of_rival) = (self.length(own, &way), self.length(rival, &way));
            let is_on_rival = 0.0 <= self.margin(rival, &way, of_rival);
            if is_on_rival && of_rival < length - self.small(own, rival, length) {
                return true;
            }
            is_valid |= is_on_rival;
            range = range.max((length - of_rival).abs());
            if is_on_rival && k % 2 == 0 {
                lead = lead.max(length - of_rival);
            }
            if of_rival - length < least.0 {
                least = (of_rival - length, at);
            }
        }
        let way = self.ways.through(centroid);
        // About as much of the part as the lead of the rival is of the range of differences is its own.
        let length = self.length(own, &way);
        if EQUAL_LENGTH * self.highest < lead
            && !(self.is_linear(own) && self.is_linear(rival))
            && LARGEST_LOSS * whole * length * range < 0.5 * area * lead * lead
        {
            return true;
        }
        is_valid |= 0.0 <= self.margin(rival, &way, self.length(rival, &way));
        is_valid
            && self.is_curved(rival)
            && ![least.1, centroid].iter().any(|&at| self.is_above_tangent(part, own, rival, at))
    }

    /// The lengths to a rival where they are linear in the place on the plane.
    fn linear_length(&self, rival: usize) -> Linear {
        let (Some(Target::Plane(plane)), Target::Plane(from)) = (self.target(rival), &self.ways.from) else {
            return Linear { at_origin: self.highest, gradient: [0.0; 2] };
        };
        let cosine = plane[0] * from[0] + plane[1] * from[1] + plane[2] * from[2];
        let (passed, distance) = (self.ways.plane.trace(from), self.ways.plane.trace(plane));
        let combined = |a: f64, b: f64| (a - b * cosine) / (1.0 - cosine);
        Linear {
            at_origin: combined(distance.at_origin, passed.at_origin),
            gradient: [0, 1].map(|axis| combined(distance.gradient[axis], passed.gradient[axis])),
        }
    }

    /// Likewise where the length to the rival is linear: where it is the rival's own is a polygon, and the difference to a
    /// convex function is least at corners.
    fn is_contended_by_plate(&self, part: &ConvexPolygon, own: usize, rival: usize, negligible: f64) -> bool {
        let mut region = *part;
        let length = self.linear_length(rival);
        if let (Some(_), Target::Plane(from)) = (self.target(rival), &self.ways.from) {
            let along = Vector::new(from[0], from[1], from[2]);
            let beyond = length.minus(&self.ways.plane.trace(from));
            region = region.clipped(&length);
            for wall in self.walls(rival) {
                if region.is_empty() || region.needs_splitting() {
                    break;
                }
                let [a, b, c, _] = wall.plane;
                let (trace, rise) = (self.ways.plane.trace(&wall.plane), Vector::new(a, b, c).dot(&along));
                region = region.clipped(&Linear {
                    at_origin: trace.at_origin + rise * beyond.at_origin,
                    gradient: [0, 1].map(|axis| trace.gradient[axis] + rise * beyond.gradient[axis]),
                });
            }
        }
        let is_lower_somewhere = region.corners().iter().any(|&corner| {
            let way = self.ways.through(corner);
            let length = self.length(own, &way);
            self.length(rival, &way) < length - self.small(own, rival, length)
        });
        if is_lower_somewhere && self.is_linear(own) && !region.needs_splitting() {
            region = region.clipped(&self.linear_length(own).minus(&length));
        }
        is_lower_somewhere && region.area_and_centroid().is_some_and(|(area, _)| negligible < area)
    }

    /// Whether lengths to a rival are not linear or constant.
    fn is_curved(&self, rival: usize) -> bool {
        matches!(self.target(rival), Some(Target::Line(..) | Target::Point(_)))
    }

    /// Whether no way ends before another one at a rival, as a tangent of its length tells: from plates lengths are convex
    /// functions of the place, so that the other one is nowhere above its values at corners, and this one nowhere below a
    /// tangent.
    fn is_above_tangent(&self, part: &ConvexPolygon, own: usize, rival: usize, at: PlanePoint) -> bool {
        let length = |[x, y]: PlanePoint| self.length(rival, &self.ways.through([x, y]));
        let Some((area, centroid)) = part.area_and_centroid() else { return true };
        let (here, step) = (length(at), DIFFERENCE * area.sqrt());
        let slope = |[x, y]: [f64; 2]| (length([at[0] + x, at[1] + y]) - length([at[0] - x, at[1] - y])) / (2.0 * step);
        let gradient = [slope([step, 0.0]), slope([0.0, step])];
        part.corners().iter().all(|&corner| {
            let corner = drawn_in(corner, centroid);
            let [x, y] = difference(corner, at);
            let of_own = self.length(own, &self.ways.through(corner));
            of_own - self.small(own, rival, of_own) <= here + gradient[0] * x + gradient[1] * y
        })
    }

    /// Along a wall of a rival that has the centroid on the far side.
    fn cut_along_wall(
        &self,
        part: &ConvexPolygon,
        at_centroid: &Way,
        (own, rival): (usize, usize),
        whole: f64,
        small: &impl Fn(f64) -> f64,
    ) -> Cut {
        let length = |way: &Way| self.length(rival, way);
        let end = at_centroid.at(length(at_centroid));
        let lowest = self.walls(rival).iter().min_by(|a, b| a.height(&end).total_cmp(&b.height(&end)));
        match lowest {
            Some(wall) if wall.height(&end) <= length(at_centroid) => {
                self.cut(part, (own, None), whole, small, &|way| -wall.height(&way.at(length(way))))
            }
            _ => self.cut(part, (own, None), whole, small, &|way| -length(way)),
        }
    }

    /// Cuts a part where a function of the way turns negative; with a rival the function is the difference of lengths.
    fn cut(
        &self,
        part: &ConvexPolygon,
        (own, rival): (usize, Option<usize>),
        whole: f64,
        small: &impl Fn(f64) -> f64,
        function: &impl Fn(&Way) -> f64,
    ) -> Cut {
        let Some((_, centroid)) = part.area_and_centroid() else { return Cut::None };
        if let Some(rival) = rival.filter(|&rival| self.is_linear(own) && self.is_linear(rival)) {
            return Cut::Along(self.linear_length(rival).minus(&self.linear_length(own)), 0.0);
        }
        let corners = part.corners();
        let way_at = |at: PlanePoint| self.ways.through(drawn_in(at, centroid));
        let value = |at: PlanePoint| function(&way_at(at));
        let mut values = [0.0; 16];
        let mut is_negative = false;
        for (value_at, &corner) in values.iter_mut().zip(corners) {
            let way = way_at(corner);
            *value_at = function(&way);
            let least = if rival.is_some() { EQUAL_LENGTH * self.highest } else { small(self.length(own, &way)) };
            is_negative |= *value_at < -least;
        }
        if !is_negative {
            return if rival.is_some() { Cut::Across(halving(part)) } else { Cut::None };
        }
        let mut ends = [None; 2];
        for (k, &from) in corners.iter().enumerate() {
            let next = (k + 1) % corners.len();
            if (values[k] < 0.0) != (values[next] < 0.0) {
                let end = &mut ends[usize::from(values[k] < 0.0)];
                if end.is_some() {
                    return Cut::Across(halving(part));
                }
                *end = Some(crossing((from, values[k]), (corners[next], values[next]), &value));
            }
        }
        let [Some(a), Some(b)] = ends else { return Cut::Across(halving(part)) };
        let along = difference(b, a);
        let at = |part: f64| [a[0] + part * along[0], a[1] + part * along[1]];
        let middle = way_at(at(0.5));
        let length = self.length(own, &middle);
        let off = [0.25, 0.5, 0.75].map(|part| value(at(part)));
        let [x, y] = at(0.5);
        let across = Cut::Across(Linear { at_origin: -(along[0] * x + along[1] * y), gradient: along });
        if off.iter().any(|off| small(length) < off.abs()) {
            return across;
        }
        let cut = Linear { at_origin: along[1] * a[0] - along[0] * a[1], gradient: [-along[1], along[0]] };
        let is_straight = rival.is_none_or(|rival| self.is_linear(own) && self.is_linear(rival));
        if is_straight {
            return Cut::Along(cut, 0.0);
        }
        // Between chord and curve ways are shorter than either side says, on average by half of what they are on the chord.
        let chord = (along[0] * along[0] + along[1] * along[1]).sqrt();
        let beside = |side: f64| {
            let [x, y] = at(0.5);
            value([x - side * DIFFERENCE * along[1], y + side * DIFFERENCE * along[0]])
        };
        let slope = (beside(1.0) - beside(-1.0)).abs() / (2.0 * DIFFERENCE * chord);
        let square = (32.0 * (off[0] * off[0] + off[2] * off[2]) + 12.0 * off[1] * off[1]) / 90.0;
        let between = 0.5 * chord * square / slope;
        if between.is_nan() {
            return Cut::Along(cut, 0.0);
        }
        if LARGEST_CORRECTION * whole * length.max(SHORT * self.highest) < between {
            return across;
        }
        Cut::Along(cut, between * length.powi(self.ways.power() - 1) * middle.density)
    }

    /// The integral over a part where one rival ends all ways.
    fn smooth_integral(&self, part: &ConvexPolygon, own: usize, halvings: usize, along: &impl Fn(f64) -> f64) -> f64 {
        let Some((_, centroid)) = part.area_and_centroid() else { return 0.0 };
        let is_wide = || {
            let middle = self.ways.through(centroid);
            let (length, point) = (self.length(own, &middle), self.ways.plane.point(centroid));
            let passed = (point - middle.start).norm();
            let mut nearer = 0;
            part.corners().iter().any(|&corner| {
                let at = self.ways.plane.point(corner);
                if self.ways.is_plane() {
                    return WIDE * length < (at - point).norm();
                }
                let way = self.ways.through(drawn_in(corner, centroid));
                // The fan of the quadrature is around one corner, which may be as near as it likes.
                nearer += usize::from((at - way.start).norm() < LEAST_DISTANCE * passed);
                // Along the edge lengths to a plane are linear.
                1 < nearer
                    || way.along.dot(&middle.along) < SAME_DIRECTION
                    || (self.is_curved(own) && WIDE * length < (way.start - middle.start).norm())
            })
        };
        if 0 < halvings && !self.is_linear(own) && (own != self.cut_off() || !self.ways.is_plane()) && is_wide() {
            let halves = part.divided(&halving(part));
            return halves.iter().map(|half| self.smooth_integral(half, own, halvings - 1, along)).sum();
        }
        self.ways.integral(part, &|way| along(self.length(own, way)))
    }
}

/// Where a function vanishes between two points with different signs: the secant, or the middle where it is slow.
fn crossing(
    (from, at_from): (PlanePoint, f64),
    (to, at_to): (PlanePoint, f64),
    value: &impl Fn(PlanePoint) -> f64,
) -> PlanePoint {
    let along = difference(to, from);
    let at = |part: f64| [from[0] + part * along[0], from[1] + part * along[1]];
    let ((mut low, mut at_low), (mut high, mut at_high)) = ((0.0, at_from), (1.0, at_to));
    let mut part = 0.5;
    let close = 1e-10 * at_from.abs().max(at_to.abs());
    for step in 0..CHORD_STEPS {
        part = if step % 3 == 2 { 0.5 * (low + high) } else { low + (high - low) * at_low / (at_low - at_high) };
        let here = value(at(part));
        if here.abs() <= close {
            break;
        }
        if (here < 0.0) == (at_from < 0.0) { (low, at_low) = (part, here) } else { (high, at_high) = (part, here) }
    }
    at(part)
}
