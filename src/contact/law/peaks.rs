//! Derivatives of smallest and largest values, from the point that attains them.
//!
//! That point is a corner of a region, and stays where it is on its face unless something else holds it: walls between
//! cells, where the depth has a ridge, or the border of the contact. A largest value of some functions, of which the
//! smallest counts, under conditions, is where their gradients balance each other. With the factors of that balance the
//! functions and conditions give the derivative of the largest value, whichever way the point itself goes.

use super::derivatives::Outwards;
use super::faces::FaceLanes;
use super::{FaceRecord, GroupLanes, Law, PressureKind, Regions};
use crate::contact::integrate::LawNumber;
use crate::contact::integrate::derivatives::{DerivativeSums, LAW_NUMBERS, MotionAtReference};
use crate::contact::integrate::peaks::{
    DEEPEST, FASTEST_CLOSING, FASTEST_SLIP, HIGHEST_PRESSURE, HIGHEST_SHEAR, PEAKS, Peak, SLOWEST_CLOSING, SLOWEST_SLIP,
};
use crate::contact::pieces::{Linear, Piece, PlanePoint};
use crate::lanes::{MOST_LANES, Single};

/// Regions and sides that are so near to a point meet there, of the largest depth; dimensionless. Far above the rounding
/// of corners, far below what matters.
const SAME_PLACE: f64 = 1e-6;

/// Functions and conditions at a point; where more meet, the others are left out.
const MOST_ITEMS: usize = 24;

/// A factor may be so little below zero; dimensionless, for rounding.
const NEGATIVE_FACTOR: f64 = 1e-9;

/// A value so far, and where it is.
#[derive(Clone, Copy)]
struct Spot {
    rank: f64,
    place: u32,
    kind: PressureKind,
    at: PlanePoint,
}

/// What a quantity is at a point of a region, with its derivatives.
#[derive(Clone, Copy)]
struct Quantity {
    value: f64,
    by_depth: f64,
    by_closing: f64,
    by_slip: [f64; 2],
    by_number: [f64; LAW_NUMBERS],
}

impl Quantity {
    fn new(value: f64) -> Self {
        Quantity { value, by_depth: 0.0, by_closing: 0.0, by_slip: [0.0; 2], by_number: [0.0; LAW_NUMBERS] }
    }
}

/// A function whose largest value is meant, or a condition: a function that must not fall below zero.
#[derive(Clone, Copy)]
struct Item {
    is_function: bool,
    gradient: [f64; 2],
    by_field: [f64; 6],
    by_velocity: [f64; 6],
    by_number: [f64; LAW_NUMBERS],
}

/// One region at one of its points.
struct RegionPoint<'a> {
    law: &'a Law,
    kind: PressureKind,
    face: &'a FaceLanes<f64>,
    depth: f64,
    closing: f64,
    slip: [f64; 2],
    speed: f64,
}

impl Law {
    /// Finds the peaks of regions and how they change; the regions are those that derivatives are taken over.
    pub(super) fn find_peaks(
        &self,
        pieces: &[Piece],
        faces: &[FaceRecord],
        regions: &Regions,
        motion: &MotionAtReference,
        sums: &mut DerivativeSums,
    ) {
        let mut spots = [Spot { rank: f64::NEG_INFINITY, place: 0, kind: PressureKind::Idle, at: [0.0; 2] }; PEAKS];
        for (kind, of_kind) in regions.by_kind() {
            for &place in of_kind {
                let region = regions.region(pieces, place);
                let face = FaceLanes::new(Single, &[&faces[region.face as usize]; MOST_LANES]);
                for at in region.corners() {
                    let point = RegionPoint::new(self, kind, &face, region, at);
                    for (peak, spot) in spots.iter_mut().enumerate() {
                        let rank = point.value(peak);
                        if spot.rank < rank {
                            *spot = Spot { rank, place, kind, at };
                        }
                    }
                }
            }
        }
        let deepest = spots[DEEPEST].rank;
        for (peak, spot) in spots.iter().enumerate().filter(|(_, spot)| f64::NEG_INFINITY < spot.rank) {
            let at = PeakSearch { law: self, pieces, faces, regions, near: SAME_PLACE * deepest };
            sums.peaks[peak].include(&at.peak(peak, spot, motion));
        }
    }
}

impl<'a> RegionPoint<'a> {
    fn new(law: &'a Law, kind: PressureKind, face: &'a FaceLanes<f64>, region: &Piece, at: PlanePoint) -> Self {
        let (depth, closing) = (region.depth_function().value(at), law.closing(face).value(at));
        let slip = law.slip(face, at, depth);
        RegionPoint { law, kind, face, depth, closing, slip, speed: slip[0].hypot(slip[1]) }
    }

    /// Of smallest values the negative one.
    fn value(&self, peak: usize) -> f64 {
        match peak {
            DEEPEST => self.depth,
            SLOWEST_CLOSING => -self.closing,
            FASTEST_CLOSING => self.closing,
            SLOWEST_SLIP => -self.speed,
            FASTEST_SLIP => self.speed,
            HIGHEST_PRESSURE => self.pressure().value,
            _ => self.shear().value,
        }
    }

    fn quantity(&self, peak: usize) -> Quantity {
        let value = self.value(peak);
        let sign = if matches!(peak, SLOWEST_CLOSING | SLOWEST_SLIP) { -1.0 } else { 1.0 };
        let none = Quantity::new(value);
        match peak {
            DEEPEST => Quantity { by_depth: 1.0, ..none },
            SLOWEST_CLOSING | FASTEST_CLOSING => Quantity { by_closing: sign, ..none },
            SLOWEST_SLIP | FASTEST_SLIP => Quantity { by_slip: self.direction().map(|part| sign * part), ..none },
            HIGHEST_PRESSURE => self.pressure(),
            _ => self.shear(),
        }
    }

    /// Of the slip; none at rest.
    fn direction(&self) -> [f64; 2] {
        if 0.0 < self.speed { self.slip.map(|part| part / self.speed) } else { [0.0; 2] }
    }

    fn pressure(&self) -> Quantity {
        use LawNumber::{ArealDamping, CombinedLayerStiffness, DampingTransitionDepth};
        let (law, u, v) = (self.law, self.depth, self.closing);
        let value = law.pressure(0.0, self.kind, u, v);
        let mut pressure = Quantity::new(value);
        if value <= 0.0 {
            return pressure;
        }
        let mut set = |number: LawNumber, change: f64| pressure.by_number[number as usize] = change;
        set(CombinedLayerStiffness, u);
        (pressure.by_depth, pressure.by_closing) = match self.kind {
            PressureKind::Full => {
                set(ArealDamping, if 0.0 < law.damping { v } else { 0.0 });
                (law.stiffness, law.damping)
            }
            PressureKind::Fading => {
                let slope = law.damping / law.transition_depth;
                set(ArealDamping, u * v / law.transition_depth);
                set(DampingTransitionDepth, -u * v * slope / law.transition_depth);
                (law.stiffness + slope * v, slope * u)
            }
            PressureKind::Idle => (0.0, 0.0),
        };
        pressure
    }

    /// Pressure times the share of friction, which depends on the slip speed.
    fn shear(&self) -> Quantity {
        let Some(friction) = self.law.friction else { return Quantity::new(0.0) };
        let (pressure, slowest) = (self.pressure(), friction.regularization_velocity);
        let share = friction.per_velocity(0.0, self.speed) * self.speed;
        let is_slow = self.speed < slowest;
        let by_speed = if is_slow { 2.0 * friction.coefficient * (1.0 - self.speed / slowest) / slowest } else { 0.0 };
        let mut shear = Quantity {
            value: pressure.value * share,
            by_depth: pressure.by_depth * share,
            by_closing: pressure.by_closing * share,
            by_slip: self.direction().map(|part| pressure.value * by_speed * part),
            by_number: pressure.by_number.map(|change| change * share),
        };
        shear.by_number[LawNumber::FrictionCoefficient as usize] = shear.value / friction.coefficient;
        shear.by_number[LawNumber::FrictionRegularizationVelocity as usize] =
            -pressure.value * by_speed * self.speed / slowest;
        shear
    }
}

/// Looks at what meets in a point.
struct PeakSearch<'a> {
    law: &'a Law,
    pieces: &'a [Piece],
    faces: &'a [FaceRecord],
    regions: &'a Regions,
    /// What is nearer meets, in m.
    near: f64,
}

impl PeakSearch<'_> {
    fn peak(&self, peak: usize, spot: &Spot, motion: &MotionAtReference) -> Peak {
        let mut items = [Item::none(); MOST_ITEMS];
        let count = self.collect(peak, spot, &mut items);
        let items = &items[..count];
        let factors = balance(items);
        let sign = if matches!(peak, SLOWEST_CLOSING | SLOWEST_SLIP) { -1.0 } else { 1.0 };
        let (mut by_field, mut by_velocity, mut by_number) = ([[0.0]; 6], [[0.0]; 6], [0.0; LAW_NUMBERS]);
        for (index, factor) in factors {
            let item = &items[index];
            for column in 0..6 {
                by_field[column][0] += sign * factor * item.by_field[column];
                by_velocity[column][0] += sign * factor * item.by_velocity[column];
            }
            by_number.iter_mut().zip(item.by_number).for_each(|(sum, change)| *sum += sign * factor * change);
        }
        Peak {
            rank: spot.rank,
            by_pose: std::array::from_fn(|column| motion.by_pose(self.law.body(), column, &by_field, &by_velocity)[0]),
            by_velocity: by_velocity.map(|[change]| change),
            by_number,
        }
    }

    /// Functions and conditions at a spot, its own function first; returns how many there are.
    fn collect(&self, peak: usize, spot: &Spot, items: &mut [Item; MOST_ITEMS]) -> usize {
        let own = self.regions.region(self.pieces, spot.place);
        let mut count = 0;
        let mut push = |item: Item| {
            if count < MOST_ITEMS {
                items[count] = item;
                count += 1;
            }
        };
        push(self.item(Some(peak), spot.kind, spot.place, spot.at));
        for side in sides_at(&self.faces[own.face as usize].triangle(), spot.at, self.near) {
            push(Item { gradient: side, ..Item::none() });
        }
        // Velocities are the same functions on the whole face.
        let is_by_region = matches!(peak, DEEPEST | HIGHEST_PRESSURE | HIGHEST_SHEAR);
        for (kind, of_kind) in self.regions.by_kind() {
            for &place in of_kind {
                let region = self.regions.region(self.pieces, place);
                if region.face != own.face || !self.meets(region, spot.at) {
                    continue;
                }
                let is_load = kind != PressureKind::Idle || peak == DEEPEST;
                if place != spot.place && is_by_region && is_load {
                    push(self.item(Some(peak), kind, place, spot.at));
                }
                if region.depth_function().value(spot.at) <= self.near {
                    push(self.item(None, kind, place, spot.at));
                }
            }
        }
        count
    }

    /// A quantity of a region, or the condition that the depth is not negative.
    fn item(&self, peak: Option<usize>, kind: PressureKind, place: u32, at: PlanePoint) -> Item {
        let region = self.regions.region(self.pieces, place);
        let group = GroupLanes::new(Single, 1, |_| region, self.faces);
        let face = &group.face;
        let position = [face.origin[0] + at[0], face.origin[1] + at[1], face.origin[2]];
        let out = Outwards::new(0.0, self.law.into_e, &group, position);
        let point = RegionPoint::new(self.law, kind, face, region, at);
        let quantity = match peak {
            Some(peak) => point.quantity(peak),
            None => Quantity { by_depth: 1.0, ..Quantity::new(point.depth) },
        };
        let [v_x, v_y] = self.law.closing(face).gradient;
        let ([u_x, u_y], by_field) = self.depth_change(region.face, place, at, &group.depth, &out);
        let (spin, [slip_x, slip_y]) = (point.face.angular_velocity[2], quantity.by_slip);
        let mut item = Item {
            is_function: peak.is_some(),
            gradient: [
                quantity.by_depth * u_x + quantity.by_closing * v_x + slip_y * spin,
                quantity.by_depth * u_y + quantity.by_closing * v_y - slip_x * spin,
            ],
            by_number: quantity.by_number,
            ..Item::none()
        };
        let [x_e, y_e, _] = &out.axes;
        for axis in 0..3 {
            item.by_field[axis] = quantity.by_depth * by_field[axis];
            item.by_field[3 + axis] = quantity.by_depth * by_field[3 + axis];
            item.by_velocity[axis] = quantity.by_closing * out.normal[axis] + slip_x * x_e[axis] + slip_y * y_e[axis];
            item.by_velocity[3 + axis] = quantity.by_closing * out.torque_of_normal[axis]
                + slip_x * out.turned_axes[0][axis]
                + slip_y * out.turned_axes[1][axis];
        }
        item
    }

    /// How the depth of a region changes along x and y at a point, and with motions of the field. Below edges and vertices
    /// by the direction to them: a linear function may lean anywhere at the end of a sliver.
    fn depth_change(
        &self,
        face: u32,
        place: u32,
        at: PlanePoint,
        depth: &Linear,
        out: &Outwards<f64>,
    ) -> ([f64; 2], [f64; 6]) {
        let Some(rounded) = self.regions.rounded_change(place) else {
            let ([x, y, z], [turn_x, turn_y, turn_z]) = (out.depth[0], out.depth_turning[0]);
            return (depth.gradient, [x, y, z, turn_x, turn_y, turn_z]);
        };
        let record = &self.faces[face as usize];
        let [x_e, y_e, _] = record.axes_e();
        let point = record.origin_e() + x_e * at[0] + y_e * at[1];
        let direction = rounded.target.direction(&point);
        let gradient = [-x_e.dot(&direction), -y_e.dot(&direction)];
        (gradient, rounded.target.change(&point, &record.reference_e()))
    }

    /// Whether a point is in a region or on its border.
    fn meets(&self, region: &Piece, [x, y]: PlanePoint) -> bool {
        let polygon = region.polygon();
        let corners = polygon.corners();
        // Of slivers the sides may cross each other.
        let is_near = |[a, b]: &PlanePoint| (a - x).hypot(b - y) <= self.near;
        corners.iter().any(is_near)
            || (0..corners.len()).all(|index| {
                let ([a_x, a_y], [b_x, b_y]) = (corners[index], corners[(index + 1) % corners.len()]);
                let (along_x, along_y) = (b_x - a_x, b_y - a_y);
                let cross = along_x * (y - a_y) - along_y * (x - a_x);
                -self.near * along_x.hypot(along_y) <= cross
            })
    }
}

impl Item {
    fn none() -> Self {
        let none = [0.0; 6];
        Item {
            is_function: false,
            gradient: [0.0; 2],
            by_field: none,
            by_velocity: none,
            by_number: [0.0; LAW_NUMBERS],
        }
    }
}

/// Unit normals, inwards, of the sides of a triangle that a point is on.
fn sides_at(corners: &[PlanePoint; 3], [x, y]: PlanePoint, near: f64) -> impl Iterator<Item = [f64; 2]> {
    (0..3).filter_map(move |index| {
        let ([a_x, a_y], [b_x, b_y]) = (corners[index], corners[(index + 1) % 3]);
        let length = (b_x - a_x).hypot(b_y - a_y);
        let normal = [-(b_y - a_y) / length, (b_x - a_x) / length];
        let distance = normal[0] * (x - a_x) + normal[1] * (y - a_y);
        (distance <= near).then_some(normal)
    })
}

/// Factors, none negative, with which gradients add up to zero and those of functions to one; of several ways the one
/// whose smallest factor is largest. Where there is none, the point is thought to stay, with its own function.
fn balance(items: &[Item]) -> [(usize, f64); 3] {
    let steepest = |is_function: bool| {
        let gradients = items.iter().filter(|item| item.is_function == is_function).map(|item| item.gradient);
        gradients.map(|[x, y]| x.hypot(y)).fold(0.0, f64::max)
    };
    let scale = steepest(true);
    let stays = [(0, 1.0), (0, 0.0), (0, 0.0)];
    let (mut best, mut least) = (stays, -NEGATIVE_FACTOR);
    if !(0.0 < scale && scale.is_finite()) {
        return stays;
    }
    // Gradients of functions over the steepest one; conditions have gradients of about 1.
    let column = |item: &Item| match item.is_function {
        true => [item.gradient[0] / scale, item.gradient[1] / scale, 1.0],
        false => [item.gradient[0], item.gradient[1], 0.0],
    };
    for i in 0..items.len() {
        for j in i + 1..items.len() {
            for k in j + 1..items.len() {
                let (a, b, c) = (column(&items[i]), column(&items[j]), column(&items[k]));
                let (ab, bc, ca) = (cross(a, b), cross(b, c), cross(c, a));
                // Cramer's rule for a sum of (0, 0, 1).
                let determinant = ab * c[2] + bc * a[2] + ca * b[2];
                let factors = [bc / determinant, ca / determinant, ab / determinant];
                let smallest = factors.iter().copied().fold(f64::INFINITY, f64::min);
                if smallest.is_finite() && factors.iter().all(|factor| factor.is_finite()) && least < smallest {
                    least = smallest;
                    let of = |index: usize, factor: f64| {
                        (index, if items[index].is_function { factor } else { factor * scale })
                    };
                    best = [of(i, factors[0]), of(j, factors[1]), of(k, factors[2])];
                }
            }
        }
    }
    best
}

/// Of the first two entries.
fn cross(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}
