//! The force law over pieces of contact: pressure, damping and friction, integrated several pieces at a time.
//!
//! A piece is a convex polygon on a face with a linear depth; see [`super::pieces`]. It is cut where the law has a kink:
//! along the transition depth, and where damping would pull. Over what is left the pressure is a polynomial, whose
//! moments are found in closed form. Friction is summed up at points.

pub mod border;
mod bristle;
mod bristle_change;
mod derivatives;
mod extremes;
mod faces;
mod friction;
mod friction_change;
mod grip_sums;
mod limit_line;
mod moments;
mod number_change;
mod peaks;
mod pressure;
mod rounded_change;
mod sums;

pub use faces::{FaceRecord, record_faces};
pub use pressure::{PressureKind, Regions};
pub use rounded_change::find_rounded;

use derivatives::{DerivativeLanes, RoundedLanes};
use extremes::note_extremes;
use faces::FaceLanes;
use friction::{Loaded, Slipping};
use grip_sums::GripLanes;
use limit_line::{BristleSums, Sides};
use moments::{FunctionMoments, Moments};
use sums::{GroupSums, LawSums, PieceSums};

use super::deflection::Deflection;
use super::integrate::{DerivativeScope, Totals};
use super::parameters::{BristleParameters, ContactParameters, FrictionParameters};
use super::pieces::{Linear, MOST_CORNERS, Piece, WallEnergy};
use super::relative_motion::RelativeMotion;
use crate::lanes::{Lanes, MOST_LANES, Mask, Registers};
use crate::math::{Body, Vector};

/// The law for the faces of one body.
#[derive(Clone, Copy, Debug)]
pub struct Law {
    /// +1 if the normals of the faces point into E, the direction of the force on E; else −1.
    into_e: f64,
    /// The force acts this part of the depth below the face; 0 but for the published scheme.
    layer_share: f64,
    /// Share of these faces in the contact.
    weight: f64,
    is_moving: bool,
    is_deflected: bool,
    /// c_l in N/m³.
    stiffness: f64,
    /// d_l in N·s/m³.
    damping: f64,
    /// u_d in m: damping fades in up to this depth; 0 where nothing is damped.
    transition_depth: f64,
    friction: Option<FrictionParameters>,
    bristles: Option<BristleParameters>,
}

impl Law {
    /// For the faces of `body`, which carry this share of the contact, with the force at a part of the depth below them.
    pub fn new(
        parameters: &ContactParameters,
        motion: &RelativeMotion,
        body: Body,
        weight: f64,
        layer_share: f64,
    ) -> Self {
        let is_damped = 0.0 < parameters.areal_damping();
        Law {
            into_e: if body == Body::E { -1.0 } else { 1.0 },
            layer_share,
            weight,
            is_moving: motion.velocity_e() != Vector::zeros() || motion.angular_velocity_e() != Vector::zeros(),
            is_deflected: *motion.deflection() != Deflection::NONE,
            stiffness: parameters.combined_layer_stiffness(),
            damping: if is_damped { parameters.areal_damping() } else { 0.0 },
            transition_depth: if is_damped { parameters.damping_transition_depth() } else { 0.0 },
            friction: parameters.friction(),
            bristles: parameters.bristles(),
        }
    }

    /// Adds pieces on faces to the totals.
    #[inline(always)]
    pub fn integrate<R: Registers>(
        &self,
        registers: R,
        pieces: &[Piece],
        faces: &[FaceRecord],
        regions: &mut Regions,
        totals: &mut Totals,
    ) {
        let mut of_pieces = PieceSums::default();
        for group in pieces.chunks(R::LANES) {
            let group = GroupLanes::new(registers, group.len(), |lane| &group[lane], faces);
            self.measure(registers, &group, &mut of_pieces);
        }
        of_pieces.finish(self, totals);
        totals.element_count += pieces.len() as u32;

        let mut of_regions = LawSums::default();
        let mut of_bristles = self.bristles.map(|_| GripLanes::default());
        let scope = totals.derivatives.as_ref().map(|(_, sums)| sums.scope);
        let mut changes = scope.map(|_| DerivativeLanes::default());
        // At rest the law has its kinks only where velocities are thought to change: derivatives need other regions.
        let is_cut = self.is_moving && 0.0 < self.damping;
        let are_others = changes.is_some() && !is_cut && 0.0 < self.transition_depth;
        let rounds: &[(bool, bool, bool)] = match are_others {
            false => &[(is_cut, true, true)],
            true => &[(false, true, false), (true, false, true)],
        };
        for &(is_cut, is_for_force, is_for_changes) in rounds {
            regions.find(registers, self, pieces, faces, is_cut);
            let mut cut = std::mem::take(&mut regions.cut);
            for (kind, of_kind) in regions.by_kind() {
                for group in of_kind.chunks(R::LANES) {
                    let piece = |lane: usize| regions.region(pieces, group[lane]);
                    let lanes = GroupLanes::new(registers, group.len(), piece, faces);
                    let region = self.region(registers, kind, &lanes);
                    let sides = self.sides(registers, kind, &lanes, &region, is_for_changes && changes.is_some());
                    if let Some(sides) = &sides {
                        let zero = registers.splat(0.0);
                        cut.add((kind, 0), sides, zero, |lane| (group[lane], piece(lane)));
                    }
                    if is_for_force {
                        let sums = (&mut of_regions, of_bristles.as_mut());
                        let sides = sides.as_ref().filter(|_| self.is_bent());
                        self.add_group(registers, kind, &lanes, (&region, sides), sums, totals);
                    }
                    if let Some(changes) = changes.as_mut().filter(|_| is_for_changes) {
                        let rounded = RoundedLanes::new(registers, regions, |lane| group.get(lane).copied());
                        let is_whole = scope == Some(DerivativeScope::Everything);
                        let region = (&region, rounded, sides.as_ref());
                        self.add_derivatives(registers, kind, &lanes, region, is_whole, changes);
                    }
                }
            }
            let forces = of_bristles.as_mut().filter(|_| is_for_force).map(|grip| (&mut of_regions, grip));
            let sums = BristleSums { forces, changes: changes.as_mut().filter(|_| is_for_changes) };
            self.add_parts(registers, faces, regions, &mut cut, sums);
            regions.cut = cut;
        }
        let integrals = of_regions.integrals();
        totals.add(&integrals);
        if let Some(of_bristles) = of_bristles {
            totals.grip.add(&of_bristles.sums());
        }
        if let (Some(changes), Some((motion, derivatives))) = (changes, &mut totals.derivatives) {
            changes.finish(self, &integrals, motion, derivatives);
            if derivatives.scope == DerivativeScope::Everything {
                self.find_peaks(pieces, faces, regions, motion, derivatives);
            }
        }
    }

    /// Moments of regions, and of the pressure on them.
    #[inline(always)]
    fn region<R: Registers>(
        &self,
        registers: R,
        kind: PressureKind,
        group: &GroupLanes<R::Vector, R::Mask>,
    ) -> RegionLanes<R::Vector> {
        let zero = registers.splat(0.0);
        let corners = &group.corners[..group.count];
        // All moments about a point of the region, so that little cancels.
        let origin = corners[0];
        let (depth, closing) = (group.depth.from(origin), self.closing(&group.face).from(origin));
        let moments = match kind == PressureKind::Fading {
            true => Moments::of::<true>(zero, corners, origin),
            false => Moments::of::<false>(zero, corners, origin),
        };
        let pressure = self.pressure_moments(zero, kind, &moments, &depth, &closing);
        let loaded = Loaded::new(zero, origin, &pressure, group.is_there);
        RegionLanes { origin, depth, closing, moments, pressure, loaded }
    }

    /// Adds elements that stand for the area of a face at one point; see [`super::centroid`].
    #[inline(always)]
    pub fn integrate_points<R: Registers>(
        &self,
        registers: R,
        elements: &[Piece],
        faces: &[FaceRecord],
        totals: &mut Totals,
    ) {
        let zero = registers.splat(0.0);
        let (mut of_pieces, mut of_law) = (PieceSums::default(), LawSums::default());
        let mut of_bristles = self.bristles.map(|_| GripLanes::default());
        for group in elements.chunks(R::LANES) {
            let lanes = GroupLanes::new(registers, group.len(), |lane| &group[lane], faces);
            let (face, point, depth) = (&lanes.face, lanes.corners[0], lanes.depth.at_origin);
            let area = lanes.is_there.keep(lanes.apex_height);
            let penetration = area * depth;
            let square = penetration * depth;
            of_pieces.add(area, penetration, square * 0.5, square, lanes.is_there.keep(depth));
            let closing = self.closing(face);
            let velocity = closing.at(point);
            let is_shallow = depth.less(zero + self.transition_depth);
            let full = self.pressure(zero, PressureKind::Full, depth, velocity);
            let pressure = match is_shallow.bits() {
                0 => full,
                _ => is_shallow.choose(self.pressure(zero, PressureKind::Fading, depth, velocity), full),
            };
            let mut sums = GroupSums::new(zero);
            sums.normal_velocity = area * velocity;
            let at = Slipping { law: self, face, depth: &lanes.depth, closing: &closing };
            let force = pressure * area;
            at.add_point(zero, point, area, force, &mut sums);
            if let (Some(bristles), Some(of_bristles)) = (self.bristles, &mut of_bristles) {
                let loaded = Loaded { force, mean: point, spread: [zero; 3] };
                of_bristles.add_metric(registers, self, PressureKind::Full, &lanes, &loaded);
                let there = bristle::Share { area, force, is_full: false };
                at.add_bristle(zero, &bristles, point, there, &mut sums, of_bristles);
            }
            // The springs' power is not dissipated.
            sums.dissipated_power = sums.dissipated_power - penetration * velocity * self.stiffness;
            of_law.add(&sums, face, self.into_e, self.weight);
            for kind in [PressureKind::Full, PressureKind::Fading] {
                let of_kind = match kind {
                    PressureKind::Fading => is_shallow.and(lanes.is_there),
                    _ => lanes.is_there.but_not(is_shallow),
                };
                if of_kind.bits() != 0 {
                    let of_kind = GroupLanes { is_there: of_kind, ..lanes };
                    note_extremes(self, registers, kind, &of_kind, &closing, &mut totals.extremes);
                }
            }
        }
        of_pieces.finish(self, totals);
        totals.add(&of_law.integrals());
        if let Some(of_bristles) = of_bristles {
            totals.grip.add(&of_bristles.sums());
        }
        totals.element_count += elements.len() as u32;
    }

    /// Area, depth and energy of pieces: what depends on the pose only.
    #[inline(always)]
    fn measure<R: Registers>(&self, registers: R, group: &GroupLanes<R::Vector, R::Mask>, sums: &mut PieceSums) {
        let zero = registers.splat(0.0);
        let origin = group.corners[0];
        let (mut double_area, mut first, mut square) = (zero, [zero; 2], zero);
        let depth = group.depth.from(origin);
        let mut depth_from = depth.at_origin;
        let (mut deepest, mut from) = (group.depth.at(origin), [zero; 2]);
        for &corner in &group.corners[1..group.count] {
            let to = [corner[0] - origin[0], corner[1] - origin[1]];
            let cross = from[0] * to[1] - from[1] * to[0];
            double_area = double_area + cross;
            first = [first[0] + cross * (from[0] + to[0]), first[1] + cross * (from[1] + to[1])];
            let depth_to = depth.at(to);
            deepest = deepest.larger(depth_to);
            // The mean of a square over a triangle, from its corners.
            let total = depth.at_origin + depth_from + depth_to;
            let squares = depth.at_origin * depth.at_origin + depth_from * depth_from + depth_to * depth_to;
            square = square + cross * (total * total + squares);
            (from, depth_from) = (to, depth_to);
        }
        let penetration = depth.at_origin * double_area * 0.5
            + (depth.gradient[0] * first[0] + depth.gradient[1] * first[1]) * (1.0 / 6.0);
        let kept = |value| group.is_there.keep(value);
        let (area, energy) = (double_area * 0.5, penetration * group.apex_height);
        sums.add(kept(area), kept(penetration), kept(energy), kept(square * (1.0 / 24.0)), kept(deepest));
    }

    /// Lanes with a piece that is of one kind as a whole: full, or fading.
    #[inline(always)]
    fn of_one_kind<R: Registers>(&self, registers: R, group: &GroupLanes<R::Vector, R::Mask>) -> [u32; 2] {
        let (zero, transition) = (registers.splat(0.0), registers.splat(self.transition_depth));
        let closing = self.closing(&group.face);
        let full = group.depth.combined(self.stiffness, &closing, self.damping);
        let [mut shallowest, mut least_full, mut least_closing] = [registers.splat(f64::INFINITY); 3];
        let mut deepest = -shallowest;
        for &corner in &group.corners[..group.count] {
            let depth = group.depth.at(corner);
            (shallowest, deepest) = (shallowest.smaller(depth), deepest.larger(depth));
            least_full = least_full.smaller(full.at(corner));
            least_closing = least_closing.smaller(closing.at(corner));
        }
        let pulls = least_full.less(zero).or(shallowest.less(transition));
        let is_full = group.is_there.but_not(pulls).bits();
        if self.transition_depth == 0.0 {
            return [is_full, 0];
        }
        let factor = least_closing * (self.damping / self.transition_depth) + self.stiffness;
        let pulls = factor.less(zero).or(transition.less(deepest));
        [is_full, group.is_there.but_not(pulls).bits() & !is_full]
    }

    /// Adds regions over which the pressure is of one kind.
    #[inline(always)]
    fn add_group<R: Registers>(
        &self,
        registers: R,
        kind: PressureKind,
        group: &GroupLanes<R::Vector, R::Mask>,
        (region, sides): (&RegionLanes<R::Vector>, Option<&Sides<R::Vector>>),
        (law_sums, grip_sums): (&mut LawSums, Option<&mut GripLanes>),
        totals: &mut Totals,
    ) {
        let zero = registers.splat(0.0);
        let GroupLanes { face, corners, count, .. } = group;
        let corners = &corners[..*count];
        let closing = self.closing(face);
        note_extremes(self, registers, kind, group, &closing, &mut totals.extremes);
        let RegionLanes { origin, depth, closing: closing_there, moments, pressure, loaded } = region;
        let mut sums = GroupSums::new(zero);
        sums.normal_velocity = group.is_there.keep(moments.integral(closing_there));
        let at = Slipping { law: self, face, depth: &group.depth, closing: &closing };
        if self.is_moving {
            let fine = at.fine_share(registers, corners, loaded);
            at.add_loaded(registers, loaded, fine, &mut sums);
            at.add_speed(registers, &region.even_load(zero, group.is_there), fine, &mut sums);
            if fine.array().as_ref().iter().any(|&share| 0.0 < share) {
                at.add_by_quadrature(registers, kind, corners, moments, fine, &mut sums);
            }
            // The springs' power is not dissipated: ∫ u v_n dA needs only the integrals above.
            let [first_x, first_y] = moments.first_of(depth);
            let power = closing_there.at_origin * moments.integral(depth)
                + closing.gradient[0] * first_x
                + closing.gradient[1] * first_y;
            sums.dissipated_power = sums.dissipated_power - group.is_there.keep(power) * self.stiffness;
        } else {
            at.add_at_rest(loaded, pressure, group.is_there, *origin, &mut sums);
        }
        if let (Some(bristles), Some(grip_sums)) = (self.bristles, grip_sums)
            && kind != PressureKind::Idle
        {
            grip_sums.add_metric(registers, self, kind, group, loaded);
            if let Some(sides) = sides {
                at.add_bristles(registers, &bristles, kind, (sides, region), &mut sums, grip_sums);
            }
        }
        law_sums.add(&sums, face, self.into_e, self.weight);
    }

    /// Adds what walls between cells contribute to the integral of the depth over the overlap.
    pub fn add_wall_energy(&self, walls: &WallEnergy, totals: &mut Totals) {
        let factor = self.weight * self.stiffness;
        totals.add_energy(factor * walls.integral, walls.doubts.map(|doubt| factor * doubt));
    }

    /// The body whose faces these are.
    fn body(&self) -> Body {
        if self.into_e < 0.0 { Body::E } else { Body::F }
    }

    /// +1 if the normals of the faces point into E, else −1.
    pub fn sign(&self) -> f64 {
        self.into_e
    }

    /// The pressure at a depth and a closing velocity, in Pa, whatever the share of the faces.
    pub fn pressure_at(&self, depth: f64, closing: f64) -> f64 {
        let fades = depth < self.transition_depth;
        self.pressure(0.0, if fades { PressureKind::Fading } else { PressureKind::Full }, depth, closing)
    }

    /// Closing velocity v_n as a function of the place on the face.
    #[inline(always)]
    fn closing<V: Lanes>(&self, face: &FaceLanes<V>) -> Linear<V> {
        let [w_x, w_y, _] = face.angular_velocity;
        Linear { at_origin: face.velocity[2] * self.into_e, gradient: [w_y * -self.into_e, w_x * self.into_e] }
    }

    /// Slip velocity of F on E where the force acts.
    #[inline(always)]
    fn slip<V: Lanes>(&self, face: &FaceLanes<V>, [x, y]: [V; 2], depth: V) -> [V; 2] {
        let [w_x, w_y, w_z] = face.angular_velocity;
        let z = depth * -self.layer_share;
        [face.velocity[0] + z * w_y - y * w_z, face.velocity[1] + x * w_z - z * w_x]
    }

    /// Deflection of bristles where the force acts.
    #[inline(always)]
    fn deflection<V: Lanes>(&self, face: &FaceLanes<V>, [x, y]: [V; 2], depth: V) -> [V; 2] {
        let [r_x, r_y, r_z] = face.deflection_turn;
        let z = depth * -self.layer_share;
        [face.deflection[0] + z * r_y - y * r_z, face.deflection[1] + x * r_z - z * r_x]
    }
}

/// What forces over regions and their derivatives share, one region in each lane.
struct RegionLanes<V> {
    /// A corner, which coordinates below are from.
    origin: [V; 2],
    depth: Linear<V>,
    closing: Linear<V>,
    moments: Moments<V>,
    pressure: FunctionMoments<V>,
    loaded: Loaded<V>,
}

impl<V: Lanes> RegionLanes<V> {
    /// As if the pressure were 1 Pa everywhere.
    #[inline(always)]
    fn even_load(&self, zero: V, there: V::Mask) -> Loaded<V> {
        let Moments { area, first, second, .. } = self.moments;
        Loaded::new(zero, self.origin, &FunctionMoments { total: area, first, second }, there)
    }
}

/// Polygons on faces, one in each lane.
#[derive(Clone, Copy)]
struct GroupLanes<V, M> {
    face: FaceLanes<V>,
    /// Counter-clockwise; where a lane has fewer, its last one again.
    corners: [[V; 2]; MOST_CORNERS],
    /// Most corners of a lane.
    count: usize,
    depth: Linear<V>,
    apex_height: V,
    /// Change of the depth along the normal of the face.
    slope_out: V,
    /// Lanes with a polygon.
    is_there: M,
}

impl<V: Lanes<Mask = M>, M: Mask<V>> GroupLanes<V, M> {
    /// Of at most as many pieces as there are lanes; the last one again where there are fewer.
    #[inline(always)]
    fn new<'a, R: Registers<Vector = V, Mask = M>>(
        registers: R,
        pieces: usize,
        piece_of: impl Fn(usize) -> &'a Piece,
        faces: &[FaceRecord],
    ) -> Self {
        let first = piece_of(0);
        let mut of_lanes = [first; MOST_LANES];
        let mut records = [&faces[first.face as usize]; MOST_LANES];
        let mut count = first.count as usize;
        for lane in 1..R::LANES {
            let piece = piece_of(lane.min(pieces - 1));
            of_lanes[lane] = piece;
            records[lane] = &faces[piece.face as usize];
            count = count.max(piece.count as usize);
        }
        let zero = registers.splat(0.0);
        let mut corners = [[zero; 2]; MOST_CORNERS];
        for row in 0..count.div_ceil(2) {
            let [x, y, next_x, next_y] = registers.columns(|lane| &of_lanes[lane].corners[row]);
            corners[2 * row] = [x, y];
            corners[2 * row + 1] = [next_x, next_y];
        }
        let [at_origin, gradient_x, gradient_y, apex_height] = registers.columns(|lane| &of_lanes[lane].depth);
        GroupLanes {
            face: FaceLanes::new(registers, &records),
            corners,
            count,
            depth: Linear { at_origin, gradient: [gradient_x, gradient_y] },
            apex_height,
            slope_out: registers.vector(|lane| of_lanes[lane].slope_out),
            is_there: registers.first(pieces),
        }
    }
}
