//! Where ways from a plate end at other plates: heights that are linear in the place on it.

use super::PlanePoint;
use super::contest::halving;
use super::feature::PlacedPlane;
use super::polygon::{ConvexPolygon, Linear, cross, difference};
use super::rivals::{RecordIndex, Rivals, Target};
use crate::math::Vector;

/// Heights that differ by less than this part of the highest one are equal; dimensionless, far above rounding.
const EQUAL_HEIGHT: f64 = 1e-12;

/// Distances are rounded by some operations of this part of the coordinates; dimensionless.
const ROUNDING: f64 = 1e-14;

/// Parts of a polygon below this part of its area are not divided any more; dimensionless.
const NEGLIGIBLE_PART: f64 = 1e-11;

/// Parts of a polygon; a bound on the work.
const MOST_PARTS: usize = 4096;

/// Cuts for one rival before a polygon is halved; a rival has some walls, and one of them is enough.
const MOST_CUTS: usize = 4;

/// How far a plate stays nearest along its normal before another one is as near, on the plane of a face.
#[derive(Clone, Copy, Debug)]
struct Height {
    height: Linear,
    /// Rounding, in m: that of distances, as steep as the height is.
    rounding: f64,
    /// Where its walls are among the functions.
    walls: (usize, usize),
}

/// Reused memory.
#[derive(Clone, Debug, Default)]
pub struct HeightMemory {
    heights: Vec<Height>,
    walls: Vec<Linear>,
}

/// ∫ h² dA over a polygon, of the heights of the ways from a plate through its points, none above the highest, and the area
/// of those that would be; `work` is what may still be done.
pub fn square_of_heights(
    plane: &PlacedPlane,
    polygon: &ConvexPolygon,
    (plate, rivals): (RecordIndex, &[RecordIndex]),
    (highest, features): (f64, &Rivals),
    (memory, pending): (&mut HeightMemory, &mut Vec<ConvexPolygon>),
    work: &mut usize,
) -> (f64, f64) {
    let Some((area, _)) = polygon.area_and_centroid() else { return (0.0, 0.0) };
    let HeightMemory { heights, walls } = memory;
    heights.clear();
    walls.clear();
    for &rival in rivals {
        push_height(plane, polygon, (plate, rival), highest, features, heights, walls);
    }
    let tolerance = EQUAL_HEIGHT * highest;
    let envelope = Envelope { heights, walls, highest, tolerance, negligible: NEGLIGIBLE_PART * area };
    pending.clear();
    pending.push(*polygon);
    let mut sums = (0.0, 0.0);
    let mut parts_left = MOST_PARTS;
    while let Some(part) = pending.pop() {
        parts_left = parts_left.saturating_sub(1);
        *work = work.saturating_sub(1 + heights.len());
        envelope.lowest(&part, parts_left == 0 || *work == 0, pending, &mut sums);
    }
    sums
}

/// Adds the height below which a plate is nearer than a rival, if that is below the highest somewhere.
fn push_height(
    plane: &PlacedPlane,
    polygon: &ConvexPolygon,
    (plate, rival): (RecordIndex, RecordIndex),
    highest: f64,
    features: &Rivals,
    heights: &mut Vec<Height>,
    walls: &mut Vec<Linear>,
) {
    let (Target::Plane(own), Target::Plane(other)) = (features.get(plate).target, features.get(rival).target) else {
        return;
    };
    let normal = |[a, b, c, _]: [f64; 4]| Vector::new(a, b, c);
    let cosine = normal(own).dot(&normal(other));
    // At the foot of a point on the plate the rival is farther by its depth, seen along the normal.
    let (depth, to_rival) = (plane.trace(&own), plane.trace(&other));
    let combined = |a: f64, b: f64| (a - b * cosine) / (1.0 - cosine);
    let height = Linear {
        at_origin: combined(to_rival.at_origin, depth.at_origin),
        gradient: [0, 1].map(|axis| combined(to_rival.gradient[axis], depth.gradient[axis])),
    };
    if polygon.corners().iter().all(|&corner| highest <= height.value(corner)) {
        return;
    }
    // The end of the way has its nearest point of the rival's plane on the rival.
    let first = walls.len();
    let beyond = height.minus(&depth);
    for wall in features.walls(features.get(rival)) {
        let (trace, along) = (plane.trace(&wall.plane), normal(wall.plane).dot(&normal(own)));
        walls.push(Linear {
            at_origin: trace.at_origin + along * beyond.at_origin,
            gradient: [0, 1].map(|axis| trace.gradient[axis] + along * beyond.gradient[axis]),
        });
    }
    walls.push(height);
    let size = polygon.corners().iter().fold(plane.origin.amax(), |size, [x, y]| size + x.abs().max(y.abs()));
    let rounding = ROUNDING * size / (1.0 - cosine);
    heights.push(Height { height, rounding, walls: (first, walls.len()) });
}

/// The lowest of some heights, each of which counts within its walls.
struct Envelope<'a> {
    heights: &'a [Height],
    walls: &'a [Linear],
    highest: f64,
    tolerance: f64,
    negligible: f64,
}

impl Envelope<'_> {
    /// Adds the part of a polygon with the height that is lowest at its centroid; leaves the rest pending.
    fn lowest(&self, polygon: &ConvexPolygon, is_last: bool, pending: &mut Vec<ConvexPolygon>, sums: &mut (f64, f64)) {
        let Some((area, centroid)) = polygon.area_and_centroid() else { return };
        if area <= self.negligible {
            return;
        }
        if polygon.needs_splitting() {
            return pending.extend(polygon.halves());
        }
        let cut_off = Linear { at_origin: self.highest, gradient: [0.0; 2] };
        let highest = Height { height: cut_off, rounding: 0.0, walls: (0, 0) };
        let counts = |height: &&Height| self.walls_of(height).iter().all(|wall| 0.0 <= wall.value(centroid));
        let at_centroid = |height: &Height| height.height.value(centroid);
        let valid = self.heights.iter().filter(counts);
        let own = valid.fold(&highest, |low, height| if at_centroid(height) < at_centroid(low) { height } else { low });
        let mut part = *polygon;
        if is_last {
            sums.0 += square(&part, &own.height);
            return;
        }
        for wall in self.walls_of(own) {
            if part.corners().iter().any(|&corner| wall.value(corner) < -self.tolerance - own.rounding) {
                let [kept, other] = part.divided(wall);
                pending.push(other);
                part = kept;
            }
        }
        for rival in self.heights.iter().chain([&highest]) {
            let difference = rival.height.minus(&own.height);
            for cuts in 0.. {
                if part.needs_splitting() || MOST_CUTS < cuts {
                    return pending.extend(if MOST_CUTS < cuts {
                        part.divided(&halving(&part))
                    } else {
                        part.halves()
                    });
                }
                let rounding = own.rounding + rival.rounding;
                let Some(cut) = self.contended(&part, rival, (&difference, rounding), centroid) else { break };
                let [kept, other] = part.divided(&cut);
                let is_small = |(area, _)| area <= self.negligible;
                if other.area_and_centroid().is_none_or(is_small) {
                    break;
                }
                pending.push(other);
                part = kept;
            }
        }
        sums.0 += square(&part, &own.height);
        if std::ptr::eq(own, &highest) {
            sums.1 += part.area_and_centroid().map_or(0.0, |(area, _)| area);
        }
    }

    fn walls_of(&self, height: &Height) -> &[Linear] {
        &self.walls[height.walls.0..height.walls.1]
    }

    /// A line beyond which a rival may be lower, positive at the centroid; none where it is not.
    fn contended(
        &self,
        part: &ConvexPolygon,
        rival: &Height,
        (difference, rounding): (&Linear, f64),
        centroid: PlanePoint,
    ) -> Option<Linear> {
        if part.corners().iter().all(|&corner| -self.tolerance - rounding <= difference.value(corner)) {
            return None;
        }
        let mut lower = part.clipped(&difference.negative());
        for wall in self.walls_of(rival) {
            if lower.is_empty() || lower.needs_splitting() {
                break;
            }
            lower = lower.clipped(wall);
        }
        let (area, _) = lower.area_and_centroid()?;
        if area <= self.negligible {
            return None;
        }
        // Both may be equal there.
        if -self.tolerance - rounding <= difference.value(centroid) {
            return Some(*difference);
        }
        let lowest = self.walls_of(rival).iter().min_by(|a, b| a.value(centroid).total_cmp(&b.value(centroid)))?;
        (lowest.value(centroid) < 0.0).then(|| lowest.negative())
    }
}

/// ∫ f² dA over a polygon.
pub fn square(polygon: &ConvexPolygon, function: &Linear) -> f64 {
    let corners = polygon.corners();
    let Some(&first) = corners.first() else { return 0.0 };
    let at_first = function.value(first);
    let mut sum = 0.0;
    for pair in corners[1..].windows(2) {
        let (a, b) = (function.value(pair[0]), function.value(pair[1]));
        let double_area = cross(difference(pair[0], first), difference(pair[1], first));
        // The mean of a square over a triangle: products of all pairs of corners, squares twice, over twelve.
        let mean = at_first * (at_first + a + b) + a * (a + b) + b * b;
        sum += double_area * mean / 12.0;
    }
    sum
}
