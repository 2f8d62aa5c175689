//! The integral of the depth over the overlap of both bodies: what the energy is made of.
//!
//! Go inwards from a point of a plate along its normal: the plate stays nearest up to a height, where something else is as
//! near. Along the way the depth grows from zero to that height, and the part of the way inside the other body lies between
//! pieces of that body's faces. So the integral below a plate is half the integral, over the plate, of the squares of the
//! depths of these pieces, those where the way leaves the other body less those where it enters; and of the square of the
//! height, where the end of the way is inside. Whether it is follows from the same count: it is 1 where the plate itself is
//! inside, less the pieces above. So no wall between cells has to be followed, and what is missed by rounding counts as
//! little as it is.
//!
//! Below inner edges and vertices depths grow in wedges and cones: a third and a quarter of the squares stand for the half.
//! The ends of their ways are left out.

use super::FacesInField;
use super::contest::halving;
use super::feature::{DepthFunction, PlacedPlane};
use super::inside::{Side, cut_along_lines};
use super::polygon::{ConvexPolygon, Linear, cross, difference};
use super::rivals::{RecordIndex, Rivals, Target};
use super::rounded::GAUSS;
use super::{Piece, PieceMemory};
use crate::contact::field::Feature;
use crate::contact::law::FaceRecord;
use crate::math::Vector;
use crate::mesh::FaceIndex;

/// Heights are cut off at this many times the largest depth of a piece. What lies deeper in both bodies, without any
/// piece, is left out: one is then almost wholly inside the other.
const HIGHEST: f64 = 2.0;

/// Heights that differ by less than this part of the highest one are equal; dimensionless, far above rounding.
const EQUAL_HEIGHT: f64 = 1e-12;

/// Distances are rounded by some operations of this part of the coordinates; dimensionless.
const ROUNDING: f64 = 1e-14;

/// Parts of a polygon below this part of its area are not divided any more; dimensionless.
const NEGLIGIBLE_PART: f64 = 1e-11;

/// Planes whose normals have a cosine above this do not meet in front of each other.
const PARALLEL: f64 = 1.0 - 1e-14;

/// Parts of a polygon; a bound on the work.
const MOST_PARTS: usize = 4096;

/// Cuts for one rival before a polygon is halved; a rival has some walls, and one of them is enough.
const MOST_CUTS: usize = 4;

/// Heights to look at in one evaluation. Bodies that lie deep in each other have more; their energy is then not found.
const MOST_HEIGHTS: usize = 100_000;

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
pub struct VolumeMemory {
    heights: Vec<Height>,
    walls: Vec<Linear>,
    pending: Vec<ConvexPolygon>,
    heights_left: usize,
    crossings: Vec<[super::PlanePoint; 2]>,
}

impl FacesInField<'_> {
    /// ∫ φ dV over the overlap, in m⁴, from the pieces of all faces, and from the faces of the field's body itself; not a
    /// number where that is too much work.
    pub fn depth_integral(
        &self,
        (pieces, records): (&[Piece], &[FaceRecord]),
        (of_field, field_records): (&FacesInField, &[FaceRecord]),
        memory: &mut PieceMemory,
    ) -> f64 {
        let (surface, plates) = (self.field.surface, self.field.surface.field().plates());
        let deepest = pieces.iter().map(|piece| piece.range(&piece.depth_function())[1]).fold(0.0, f64::max);
        let highest = HIGHEST * deepest;
        let PieceMemory { divide, volume, lines, .. } = memory;
        let features = divide.features(self.body);
        features.begin(surface);
        volume.heights_left = MOST_HEIGHTS;
        let mut sum = 0.0;
        for piece in pieces {
            if volume.heights_left == 0 {
                return f64::NAN;
            }
            let record = &records[piece.face as usize];
            let plane = self.placed(record);
            let polygon = piece.polygon();
            match piece.feature {
                Feature::Face(face) => {
                    let plate = features.record(surface, Feature::Face(plates.largest_face(face)));
                    let of_heights = self.square_of_heights(&plane, &polygon, plate, highest, features, volume);
                    sum += 0.5 * piece.slope_out * (square(&polygon, &piece.depth_function()) - of_heights);
                }
                Feature::Edge(_) => sum += self.below_curve(&plane, &polygon, piece.feature) / 3.0,
                Feature::Vertex(_) => sum += self.below_curve(&plane, &polygon, piece.feature) / 4.0,
            }
        }
        of_field.place_lines(0, field_records, lines);
        let mut first = 0;
        for (slot, record) in field_records.iter().enumerate().filter(|(_, record)| record.is_regular()) {
            while lines.get(first).is_some_and(|line| (line.slot as usize) < slot) {
                first += 1;
            }
            let face: FaceIndex = of_field.area.faces[slot].face;
            let plate = features.record(surface, Feature::Face(plates.largest_face(face)));
            let plane = self.placed(record);
            let mut crossings = std::mem::take(&mut volume.crossings);
            crossings.clear();
            let on_face = lines[first..].iter().take_while(|line| line.slot as usize == slot);
            crossings.extend(on_face.map(|line| of_field.inside_left(line.ends)));
            let triangle = ConvexPolygon::triangle(record.triangle());
            let unknown = if of_field.area.cut_count <= slot { Side::Inside } else { Side::Unknown };
            cut_along_lines(&triangle, unknown, 0, &mut crossings, &mut |polygon, side| {
                if side == Side::Inside {
                    sum += 0.5 * self.square_of_heights(&plane, polygon, plate, highest, features, volume);
                }
            });
            volume.crossings = crossings;
        }
        if volume.heights_left == 0 { f64::NAN } else { sum }
    }

    /// The plane of a record in the frame of the field's body.
    pub(super) fn placed(&self, record: &FaceRecord) -> PlacedPlane {
        let field = &self.field;
        PlacedPlane {
            origin: field.own_frame(record.origin_e()),
            axes: record.axes_e().map(|axis| field.own_axes(axis)),
        }
    }

    /// ∫ φ² (∇φ · n) dA below an edge or a vertex.
    fn below_curve(&self, plane: &PlacedPlane, polygon: &ConvexPolygon, feature: Feature) -> f64 {
        let depth = DepthFunction::new(self.field.surface, feature, plane);
        let corners = polygon.corners();
        let mut sum = 0.0;
        for pair in corners[1..].windows(2) {
            let (a, b) = (difference(pair[0], corners[0]), difference(pair[1], corners[0]));
            for (out, out_weight) in GAUSS {
                for (across, across_weight) in GAUSS {
                    let at = [0, 1].map(|axis| corners[0][axis] + out * ((1.0 - across) * a[axis] + across * b[axis]));
                    let offset = depth.offset(&plane.point(at));
                    let weight = cross(a, b) * out * out_weight * across_weight;
                    sum += weight * offset.norm() * offset.dot(&plane.axes[2]);
                }
            }
        }
        sum
    }

    /// ∫ h² dA over a polygon, of the heights of the ways through its points from a plate.
    fn square_of_heights(
        &self,
        plane: &PlacedPlane,
        polygon: &ConvexPolygon,
        plate: RecordIndex,
        highest: f64,
        features: &mut Rivals,
        memory: &mut VolumeMemory,
    ) -> f64 {
        let Some((area, _)) = polygon.area_and_centroid() else { return 0.0 };
        let VolumeMemory { heights, walls, pending, heights_left, .. } = memory;
        if *heights_left == 0 {
            return 0.0;
        }
        heights.clear();
        walls.clear();
        let neighbours = features.find_neighbours(self.field.surface, plate);
        let rivals = features.find(self.field.surface, plate, highest);
        *heights_left = heights_left.saturating_sub(neighbours.len() + rivals.len());
        for index in neighbours.chain(rivals) {
            push_height(plane, polygon, (plate, features.rival(index)), highest, features, heights, walls);
        }
        let tolerance = EQUAL_HEIGHT * highest;
        let envelope = Envelope { heights, walls, highest, tolerance, negligible: NEGLIGIBLE_PART * area };
        pending.clear();
        pending.push(*polygon);
        let mut sum = 0.0;
        let mut parts_left = MOST_PARTS;
        while let Some(part) = pending.pop() {
            parts_left = parts_left.saturating_sub(1);
            *heights_left = heights_left.saturating_sub(heights.len());
            sum += envelope.lowest(&part, parts_left == 0, pending);
        }
        sum
    }
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
    if plate == rival || PARALLEL < cosine {
        return;
    }
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
    /// ∫ h² dA over the part of a polygon with the height that is lowest at its centroid; leaves the rest pending.
    fn lowest(&self, polygon: &ConvexPolygon, is_last: bool, pending: &mut Vec<ConvexPolygon>) -> f64 {
        let Some((area, centroid)) = polygon.area_and_centroid() else { return 0.0 };
        if area <= self.negligible {
            return 0.0;
        }
        if polygon.needs_splitting() {
            pending.extend(polygon.halves());
            return 0.0;
        }
        let cut_off = Linear { at_origin: self.highest, gradient: [0.0; 2] };
        let highest = Height { height: cut_off, rounding: 0.0, walls: (0, 0) };
        let counts = |height: &&Height| self.walls_of(height).iter().all(|wall| 0.0 <= wall.value(centroid));
        let at_centroid = |height: &Height| height.height.value(centroid);
        let valid = self.heights.iter().filter(counts);
        let own = valid.fold(&highest, |low, height| if at_centroid(height) < at_centroid(low) { height } else { low });
        let mut part = *polygon;
        if is_last {
            return square(&part, &own.height);
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
                    pending.extend(if MOST_CUTS < cuts { part.divided(&halving(&part)) } else { part.halves() });
                    return 0.0;
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
        square(&part, &own.height)
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
        centroid: super::PlanePoint,
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
fn square(polygon: &ConvexPolygon, function: &Linear) -> f64 {
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
