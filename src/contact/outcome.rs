//! What one evaluation returns.

use super::grip::Grip;
use crate::math::{Vector, Wrenches};

/// Smallest, area-weighted mean and largest value over the contact; all zero without contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MinMeanMax {
    /// Smallest value.
    pub min: f64,
    /// Area-weighted mean.
    pub mean: f64,
    /// Largest value.
    pub max: f64,
}

/// Area-weighted mean and largest value over the contact; zero without contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MeanMax {
    /// Area-weighted mean.
    pub mean: f64,
    /// Largest value.
    pub max: f64,
}

/// Time spent in the stages of an evaluation, in seconds; zero unless the workspace has a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StageTimes {
    /// Tree against tree, triangle against triangle.
    pub collision_detection: f64,
    /// Chaining of intersection lines, active areas.
    pub intersection_polygons: f64,
    /// Areas, depths and positions of the contact elements.
    pub contact_elements: f64,
    /// Forces and their sum.
    pub contact_force: f64,
    /// The whole evaluation.
    pub total: f64,
}

/// Wrenches, statistics and counts of one evaluation.
///
/// Suffix `_e`: resolved in frame E (marker M_e).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// Wrenches on both bodies.
    pub wrenches: Wrenches,
    /// Whether faces of E and F intersect.
    pub in_contact: bool,
    /// One body lies wholly inside the other without intersecting faces: no force, and almost
    /// certainly one has tunnelled into the other.
    pub enclosed: bool,
    /// A border of an open surface lies in the contact: the wrench is finite but not trustworthy.
    pub border_in_contact: bool,
    /// Faces at edges of a mesh that could not be repaired lie in the contact.
    pub defect_in_contact: bool,
    /// The largest penetration exceeds the thickness of the layers together.
    pub beyond_layer: bool,
    /// A body is pressed beyond the middle of the other one where that is thin, or of itself: the far side is nearer, and
    /// the force falls and turns. Never in the published scheme `centroid`, which looks for faces that it opposes.
    pub beyond_half_thickness: bool,
    /// Connected contact patches.
    pub patch_count: u32,
    /// Contact elements that carry load (of both passes in two-pass methods).
    pub element_count: u32,
    /// Intersection polygons.
    pub polygon_count: u32,
    /// Intersection lines: pairs of faces that intersect.
    pub line_count: u32,
    /// Pairs of boxes tested.
    pub bounding_volume_tests: u32,
    /// Pairs of triangles tested.
    pub triangle_tests: u32,
    /// Contact area in m².
    pub contact_area: f64,
    /// Area-weighted penetration in m.
    pub mean_penetration: f64,
    /// Largest penetration in m.
    pub max_penetration: f64,
    /// Normal velocity in m/s, positive while closing.
    pub normal_velocity: MinMeanMax,
    /// Magnitude of the tangential velocity in m/s.
    pub tangential_velocity: MinMeanMax,
    /// Normal stress in Pa.
    pub normal_stress: MeanMax,
    /// Tangential stress in Pa.
    pub tangential_stress: MeanMax,
    /// Force-weighted contact position, from the origin of M_e, in m.
    pub contact_position_e: Vector,
    /// Force-weighted contact normal, into body E.
    pub contact_normal_e: Vector,
    /// Energy stored in the layers and in the bristles in J; in the bristles alone where that of the layers was left out.
    pub elastic_energy: f64,
    /// Energy stored in the layers in J; none where it was left out ([`super::Workspace::without_energy`]) and is not known.
    pub layer_energy: Option<f64>,
    /// The bodies lie so deep in each other that their energy would take too long to find: the one above is an estimate,
    /// which may be off by a factor. Forces are not affected.
    pub is_energy_estimated: bool,
    /// So many features contend for the depths that some are guessed: forces are estimates, too. See `docs/method.md`.
    pub is_force_estimated: bool,
    /// Power taken by damping and friction in W; never negative.
    pub dissipated_power: f64,
    /// Bristles hold: none is let go.
    pub sticking: bool,
    /// Tangential load over its limit, ∫ |τ| dA over ∫ μ p dA; 0 without contact.
    pub friction_utilisation: f64,
    /// Way in m by which bristles have slipped, and work in J that friction has taken, since the start; 0 unless the
    /// memory of bristles tells.
    pub slip_distance: f64,
    /// See above.
    pub friction_work: f64,
    /// What the contact knows of its bristles.
    pub grip: Grip,
    /// Time per stage in s.
    pub evaluation_time: StageTimes,
}

impl Outcome {
    /// Adds a multiple of a change to all real numbers but the times.
    pub fn add_multiple(&mut self, factor: f64, change: &Outcome) {
        let (ours, theirs) = (&mut self.wrenches, &change.wrenches);
        for (ours, theirs) in [(&mut ours.on_e, &theirs.on_e), (&mut ours.on_f, &theirs.on_f)] {
            ours.force += factor * theirs.force;
            ours.torque += factor * theirs.torque;
        }
        ours.torque_on_e_at_f += factor * theirs.torque_on_e_at_f;
        self.contact_position_e += factor * change.contact_position_e;
        self.contact_normal_e += factor * change.contact_normal_e;
        let pairs = self.numbers_mut().into_iter().zip(Outcome::numbers_mut(&mut { *change }).map(|number| *number));
        pairs.for_each(|(number, change)| *number += factor * change);
    }

    fn numbers_mut(&mut self) -> [&mut f64; 15] {
        let (closing, slip) = (&mut self.normal_velocity, &mut self.tangential_velocity);
        [
            &mut self.contact_area,
            &mut self.mean_penetration,
            &mut self.max_penetration,
            &mut closing.min,
            &mut closing.mean,
            &mut closing.max,
            &mut slip.min,
            &mut slip.mean,
            &mut slip.max,
            &mut self.normal_stress.mean,
            &mut self.normal_stress.max,
            &mut self.tangential_stress.mean,
            &mut self.tangential_stress.max,
            &mut self.elastic_energy,
            &mut self.dissipated_power,
        ]
    }

    /// The first quantity with a number that is not finite; none where all are. Finite inputs and
    /// parameters lead there only beyond 10¹⁴⁰ or so.
    pub fn not_finite(&self) -> Option<&'static str> {
        let [normal, slip] = [&self.normal_velocity, &self.tangential_velocity].map(|v| [v.min, v.mean, v.max]);
        let [pressure, shear] = [&self.normal_stress, &self.tangential_stress].map(|s| [s.mean, s.max]);
        let depths = [self.contact_area, self.mean_penetration, self.max_penetration];
        let lists: [(&'static str, &[f64]); 9] = [
            ("the contact position", self.contact_position_e.as_slice()),
            ("the contact normal", self.contact_normal_e.as_slice()),
            ("the normal velocity", &normal),
            ("the tangential velocity", &slip),
            ("the normal stress", &pressure),
            ("the tangential stress", &shear),
            ("the contact area or a penetration", &depths),
            ("the elastic energy", &[self.elastic_energy]),
            ("the dissipated power", &[self.dissipated_power]),
        ];
        let mut others = lists.into_iter().filter(|(_, numbers)| numbers.iter().any(|x| !x.is_finite()));
        self.wrenches.not_finite().or_else(|| others.next().map(|(name, _)| name))
    }
}
