//! Two features that contend for a polygon: which parts of it each of them is nearer to.

use super::feature::{DepthFunction, PlacedPlane};
use super::polygon::{ConvexPolygon, Linear, OWN_SIDE, PlanePoint, difference};
use super::rivals::{Record, RecordIndex, Rivals};
use crate::contact::field::Wall;
use crate::math::Vector;

/// Next to edges and vertices walls are curved. A cut along a chord is good enough where depths across it differ by no
/// more than this part of the depth; dimensionless. The integral is then off by about its square.
const CURVED_WALL: f64 = 2.5e-4;

/// How far from the chord to the middle of a wall the cut is made: the mean height of a parabola above its chord.
const TOWARDS_WALL: f64 = 2.0 / 3.0;

/// Steps towards the end of a chord; a few are enough, but where the wall is far from straight.
const CHORD_STEPS: usize = 40;

/// A feature that is nearest to the centroid of a polygon, as far as is known.
pub struct Contest<'a> {
    /// The plane of the polygon.
    pub plane: &'a PlacedPlane,
    /// The centroid in space.
    pub center: Vector,
    /// And in the plane.
    pub centroid: PlanePoint,
    /// The feature.
    pub own: RecordIndex,
    /// The depth below it.
    pub depth: DepthFunction,
    /// Depths that differ by less are equal, in m.
    pub tolerance: f64,
    /// What is not worth a cut, in m².
    pub negligible: f64,
    /// Differences of depths across curved walls that do not count, in m.
    pub small_difference: f64,
}

/// A rival in a contest.
struct Opponent<'a> {
    record: &'a Record,
    walls: &'a [Wall],
}

/// How a contest ends.
pub enum Verdict {
    /// The feature keeps all of the polygon.
    Keeps,
    /// The rival is nearer to the centroid.
    Loses,
    /// The feature keeps the side of a line where a function is positive; the rival may take the other one.
    Divides(Linear),
    /// Likewise, along a line where both are not equally near.
    CutsOff(Linear),
    /// Both halves have to be looked at again.
    Halves(Linear),
}

impl Contest<'_> {
    /// Whether a function is negative somewhere on a polygon.
    #[inline]
    pub fn is_cut(&self, polygon: &ConvexPolygon, function: &Linear) -> bool {
        polygon.corners().iter().any(|&corner| function.value(corner) < -self.tolerance)
    }

    /// The contest with a rival over a polygon.
    #[inline]
    pub fn with(&self, polygon: &ConvexPolygon, rival: RecordIndex, features: &Rivals) -> Verdict {
        let is_own = rival == self.own;
        let rival = &Opponent { record: features.get(rival), walls: features.walls(features.get(rival)) };
        if is_own {
            return Verdict::Keeps;
        }
        // A tangent lies nowhere above the distance to the rival, and the own depth, as it is convex, nowhere above what
        // its values at corners tell.
        let rival_depth = DepthFunction::of(&rival.record.target, self.plane);
        let tangent = match &rival_depth {
            DepthFunction::Plane(linear) => *linear,
            curved => curved.tangent(self.plane, self.centroid),
        };
        let own_at = |corner| match &self.depth {
            DepthFunction::Plane(linear) => linear.value(corner),
            curved => curved.value(self.plane, corner),
        };
        if polygon.corners().iter().all(|&corner| -self.tolerance <= tangent.value(corner) - own_at(corner)) {
            return Verdict::Keeps;
        }
        match (&self.depth, &rival_depth) {
            (DepthFunction::Plane(own), DepthFunction::Plane(other)) => {
                self.between_planes(polygon, rival, other, &other.minus(own))
            }
            _ => self.across_curve(polygon, rival, &rival_depth),
        }
    }

    /// Where the rival's plane is nearer, and the rival is there; behind its plane it is not.
    fn between_planes(
        &self,
        polygon: &ConvexPolygon,
        rival: &Opponent,
        depth: &Linear,
        difference: &Linear,
    ) -> Verdict {
        if !self.is_cut(polygon, difference) {
            return Verdict::Keeps;
        }
        let nearer = polygon.clipped(&difference.negative()).clipped(&self.in_front(depth));
        let Some(contended) = self.within_walls(nearer, rival) else { return Verdict::Keeps };
        if !self.is_cut(&contended, difference) {
            return Verdict::Keeps;
        }
        if 0.0 <= difference.value(self.centroid) {
            return Verdict::Divides(*difference);
        }
        self.side_of(rival, Some(depth)).map_or(Verdict::Loses, Verdict::CutsOff)
    }

    /// Positive in front of a plane: where faces are flush, rounding puts points behind it.
    fn in_front(&self, depth: &Linear) -> Linear {
        Linear { at_origin: depth.at_origin + self.tolerance, ..*depth }
    }

    /// The part of a polygon within the walls of a rival; none where that is negligible. A wall in the plane of the polygon
    /// cuts nothing off: else neither of the plates on its sides would be there.
    fn within_walls(&self, polygon: ConvexPolygon, rival: &Opponent) -> Option<ConvexPolygon> {
        let lies_in =
            |trace: &Linear| polygon.corners().iter().all(|&corner| trace.value(corner).abs() <= self.tolerance);
        let beyond = |wall: &Wall| {
            let trace = self.plane.trace(&wall.plane);
            polygon.corners().iter().all(|&corner| trace.value(corner) <= 0.0) && !lies_in(&trace)
        };
        if polygon.is_empty() || rival.walls.iter().any(beyond) {
            return None;
        }
        let mut parts = [polygon, ConvexPolygon::EMPTY];
        let mut at_hand = 0;
        for wall in rival.walls {
            let trace = self.plane.trace(&wall.plane);
            if lies_in(&trace) {
                continue;
            }
            let [first, second] = &mut parts;
            let (part, next) = if at_hand == 0 { (&*first, second) } else { (&*second, first) };
            if part.clip_into(&trace, OWN_SIDE, next) {
                if next.is_empty() {
                    return None;
                }
                at_hand ^= 1;
                if next.needs_splitting() {
                    // Good enough: the larger part of what is contended tells as much.
                    break;
                }
            }
        }
        let (area, _) = parts[at_hand].area_and_centroid()?;
        (self.negligible < area).then_some(parts[at_hand])
    }

    /// A line along a wall of a rival, or along its plane, with the centroid on the far side, where the function is
    /// positive; none where the rival has its nearest point of the centroid.
    fn side_of(&self, rival: &Opponent, depth: Option<&Linear>) -> Option<Linear> {
        if let Some(depth) = depth.filter(|depth| depth.value(self.centroid) < -self.tolerance) {
            return Some(depth.negative());
        }
        let walls = rival.walls;
        let lowest = walls.iter().min_by(|a, b| a.height(&self.center).total_cmp(&b.height(&self.center)))?;
        let is_beyond = lowest.height(&self.center) < -self.tolerance;
        is_beyond.then(|| self.plane.trace(&lowest.plane).negative())
    }

    /// Where a rival is nearer, and one of both is an edge or a vertex.
    fn across_curve(&self, polygon: &ConvexPolygon, rival: &Opponent, other: &DepthFunction) -> Verdict {
        let depth_of_plane = match other {
            DepthFunction::Plane(depth) => Some(depth),
            _ => None,
        };
        let in_front = depth_of_plane.map_or(*polygon, |depth| polygon.clipped(&self.in_front(depth)));
        let Some(contended) = self.within_walls(in_front, rival) else { return Verdict::Keeps };
        let depths = |at: PlanePoint| (self.depth.value(self.plane, at), other.value(self.plane, at));
        let corners = contended.corners();
        let mut differences = [0.0; 16];
        let (mut least, mut most, mut deepest) = (f64::INFINITY, f64::NEG_INFINITY, 0.0f64);
        for (difference, &corner) in differences.iter_mut().zip(corners) {
            let (own, theirs) = depths(corner);
            *difference = theirs - own;
            // No point is deeper than what is nearest; a feature that is not may be far away.
            (least, most, deepest) = (least.min(*difference), most.max(*difference), deepest.max(own.min(theirs)));
        }
        let small = self.tolerance.max(self.small_difference).max(CURVED_WALL * deepest);
        if -small <= least {
            return match self.is_kept_between(&contended, other, small) {
                true => Verdict::Keeps,
                false => Verdict::Halves(halving(polygon)),
            };
        }
        let (own, theirs) = depths(self.centroid);
        let side = self.side_of(rival, depth_of_plane);
        if side.is_none() && theirs < own - self.tolerance {
            return Verdict::Loses;
        }
        if most <= small {
            // All of what is contended is the rival's, but for what is about as near to both.
            return side.map_or_else(|| Verdict::Halves(halving(polygon)), Verdict::CutsOff);
        }
        let Some([a, b]) = self.chord(corners, &differences, other) else {
            return Verdict::Halves(halving(polygon));
        };
        let at_middle = [0, 1].map(|axis| 0.5 * (a[axis] + b[axis]));
        let (own, theirs) = depths(at_middle);
        let along = super::polygon::difference(b, a);
        if small < (theirs - own).abs() {
            // Across the chord: the wall bends less in each half.
            let at_origin = -(along[0] * at_middle[0] + along[1] * at_middle[1]);
            return Verdict::Halves(Linear { at_origin, gradient: along });
        }
        // On the right of the chord, from where the difference turns negative to where it turns positive, the rival is
        // nearer. A line two thirds of the way from the chord to the wall misses least.
        let gradient = [-along[1], along[0]];
        let [own_slope, their_slope] = [&self.depth, other].map(|depth| {
            let [x, y] = depth.tangent(self.plane, at_middle).gradient;
            x * gradient[0] + y * gradient[1]
        });
        let length_squared = along[0] * along[0] + along[1] * along[1];
        let to_wall = (theirs - own) * length_squared / (their_slope - own_slope);
        let shift = if to_wall.abs() < 0.5 * length_squared { TOWARDS_WALL * to_wall } else { 0.0 };
        let cut = Linear { at_origin: along[1] * a[0] - along[0] * a[1] + shift, gradient };
        let is_own = 0.0 <= cut.value(self.centroid);
        side.filter(|_| !is_own).map_or(Verdict::Divides(cut), Verdict::CutsOff)
    }

    /// Whether a rival that is not nearer at corners is not nearer in between.
    fn is_kept_between(&self, contended: &ConvexPolygon, other: &DepthFunction, small: f64) -> bool {
        // The distance to a plane is linear, that to anything else convex: the difference is largest at corners.
        if matches!(other, DepthFunction::Plane(_)) {
            return true;
        }
        let Some((_, middle)) = contended.area_and_centroid() else { return true };
        let corners = contended.corners();
        std::iter::once(middle).chain(corners.iter().copied()).any(|at| {
            let tangent = other.tangent(self.plane, at);
            let margin = |&corner: &PlanePoint| tangent.value(corner) - self.depth.value(self.plane, corner);
            -small <= corners.iter().map(margin).fold(f64::INFINITY, f64::min)
        })
    }

    /// Where the difference turns negative along a polygon, and where positive; none where it does so more than once.
    fn chord(&self, corners: &[PlanePoint], differences: &[f64], other: &DepthFunction) -> Option<[PlanePoint; 2]> {
        let mut ends = [None; 2];
        for (k, &from) in corners.iter().enumerate() {
            let next = (k + 1) % corners.len();
            let (at_from, at_to) = (differences[k], differences[next]);
            if (at_from < 0.0) != (at_to < 0.0) {
                let end = &mut ends[usize::from(at_from < 0.0)];
                if end.is_some() {
                    return None;
                }
                *end = Some(self.crossing(from, at_from, corners[next], at_to, other));
            }
        }
        Some([ends[0]?, ends[1]?])
    }

    /// Where the difference vanishes between two points with different signs, by secants.
    fn crossing(
        &self,
        from: PlanePoint,
        at_from: f64,
        to: PlanePoint,
        at_to: f64,
        other: &DepthFunction,
    ) -> PlanePoint {
        let along = difference(to, from);
        let at = |part: f64| [from[0] + part * along[0], from[1] + part * along[1]];
        let ((mut low, mut at_low), (mut high, mut at_high)) = ((0.0, at_from), (1.0, at_to));
        let (mut part, mut kept) = (0.5, None);
        for _ in 0..CHORD_STEPS {
            part = low + (high - low) * at_low / (at_low - at_high);
            let here = at(part);
            let value = other.value(self.plane, here) - self.depth.value(self.plane, here);
            if value.abs() <= self.tolerance {
                break;
            }
            // An end that stays twice counts half: else the secant of a curve comes closer from one side only, and slowly.
            let is_low = (value < 0.0) == (at_from < 0.0);
            let weight = if kept == Some(!is_low) { 0.5 } else { 1.0 };
            if is_low {
                (low, at_low, at_high) = (part, value, weight * at_high);
            } else {
                (high, at_high, at_low) = (part, value, weight * at_low);
            }
            kept = Some(!is_low);
        }
        at(part)
    }
}

/// A line through the centroid of a polygon, across the longest way from it to a corner.
pub fn halving(polygon: &ConvexPolygon) -> Linear {
    let length = |&[x, y]: &PlanePoint| x * x + y * y;
    let center = polygon.area_and_centroid().map_or([0.0; 2], |(_, centroid)| centroid);
    let farthest = polygon
        .corners()
        .iter()
        .map(|&corner| difference(corner, center))
        .max_by(|a, b| length(a).total_cmp(&length(b)))
        .unwrap_or([1.0, 0.0]);
    Linear { at_origin: -(farthest[0] * center[0] + farthest[1] * center[1]), gradient: farthest }
}
