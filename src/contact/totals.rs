//! Stage 6: sums over all contact elements, and the outcome that they make.

use super::contact_elements::SMALLEST_AREA;
use super::outcome::{MeanMax, MinMeanMax, Outcome};
use super::relative_motion::RelativeMotion;
use crate::math::Vector;

/// Smallest and largest value so far.
#[derive(Clone, Copy, Debug)]
struct Extremes {
    min: f64,
    max: f64,
}

impl Extremes {
    const NONE: Extremes = Extremes { min: f64::INFINITY, max: f64::NEG_INFINITY };

    #[inline]
    fn include(&mut self, value: f64) {
        self.include_range([value, value]);
    }

    #[inline]
    fn include_range(&mut self, [low, high]: [f64; 2]) {
        self.min = smaller(self.min, low);
        self.max = larger(self.max, high);
    }

    #[inline]
    fn includes(&self, [low, high]: [f64; 2]) -> bool {
        self.min <= low && high <= self.max
    }

    /// Extremes of the roots of values that are not negative.
    fn root(&self) -> Self {
        // Without a value the largest is below zero, and stays so.
        Extremes { min: self.min.sqrt(), max: if 0.0 <= self.max { self.max.sqrt() } else { self.max } }
    }

    /// Pieces of little weight count for the mean only, so it may lie outside: then it is the extreme.
    fn with_mean(&self, mean: f64) -> MinMeanMax {
        MinMeanMax { min: self.min.min(mean), mean, max: self.max.max(mean) }
    }
}

/// What counts for the extremes at a point of the contact.
#[derive(Clone, Copy, Debug)]
pub struct AtPoint {
    /// u in m.
    pub penetration: f64,
    /// v_n in m/s.
    pub normal_velocity: f64,
    /// |v_t|² in m²/s².
    pub slip_squared: f64,
    /// p in Pa.
    pub pressure: f64,
    /// |τ| in Pa.
    pub shear: f64,
}

/// Smallest and largest values over a piece of contact; units as in [`AtPoint`].
#[derive(Clone, Copy, Debug)]
pub struct Ranges {
    /// Of u.
    pub depth: [f64; 2],
    /// Of v_n.
    pub closing: [f64; 2],
    /// Of p.
    pub pressure: [f64; 2],
    /// Of |v_t|².
    pub slip_squared: [f64; 2],
}

/// Extremes of everything that has some.
#[derive(Clone, Copy, Debug)]
pub struct AllExtremes {
    penetration: f64,
    normal_velocity: Extremes,
    slip_squared: Extremes,
    normal_stress: f64,
    tangential_stress: f64,
}

/// A bound of a depth and a depth are rounded apart by this part at most; pieces within it are looked at, so that the
/// largest depth does not depend on what else makes a piece worth a look.
const BOUND_ROUNDING: f64 = 1.0e-9;

impl AllExtremes {
    const NONE: AllExtremes = AllExtremes {
        penetration: f64::NEG_INFINITY,
        normal_velocity: Extremes::NONE,
        slip_squared: Extremes::NONE,
        normal_stress: f64::NEG_INFINITY,
        tangential_stress: f64::NEG_INFINITY,
    };

    /// Takes note of a piece that slides everywhere, with a coefficient of friction.
    #[inline]
    pub fn include_ranges(&mut self, ranges: &Ranges, friction: f64) {
        self.include_ranges_and_shear(ranges, friction * ranges.pressure[1]);
    }

    /// Takes note of a piece with a largest shear stress.
    #[inline]
    pub fn include_ranges_and_shear(&mut self, ranges: &Ranges, shear: f64) {
        let [_, depth] = ranges.depth;
        let [_, pressure] = ranges.pressure;
        self.penetration = larger(self.penetration, depth);
        self.normal_velocity.include_range(ranges.closing);
        self.slip_squared.include_range(ranges.slip_squared);
        self.normal_stress = larger(self.normal_stress, pressure);
        self.tangential_stress = larger(self.tangential_stress, shear);
    }

    /// Whether nothing would change if a piece within these bounds were taken note of, with a coefficient of
    /// friction.
    #[inline]
    pub fn include_already(&self, bounds: &Ranges, friction: f64) -> bool {
        let [_, depth] = bounds.depth;
        let [_, pressure] = bounds.pressure;
        depth * (1.0 + BOUND_ROUNDING) <= self.penetration
            && pressure <= self.normal_stress
            && friction * pressure <= self.tangential_stress
            && self.normal_velocity.includes(bounds.closing)
            && self.slip_squared.includes(bounds.slip_squared)
    }

    /// The largest depth that surely changes nothing, and the largest pressure and smallest and largest velocities that
    /// do not; as [`Self::include_already`] has it.
    #[inline]
    pub fn limits(&self, friction: f64) -> Ranges {
        let pressure = if 0.0 < friction {
            smaller(self.normal_stress, self.tangential_stress / friction)
        } else {
            self.normal_stress
        };
        Ranges {
            depth: [0.0, self.penetration / (1.0 + BOUND_ROUNDING)],
            closing: [self.normal_velocity.min, self.normal_velocity.max],
            pressure: [0.0, pressure],
            slip_squared: [self.slip_squared.min, self.slip_squared.max],
        }
    }

    /// Takes note of all that others have.
    fn include_all(&mut self, other: &AllExtremes) {
        self.penetration = larger(self.penetration, other.penetration);
        self.normal_velocity.include_range([other.normal_velocity.min, other.normal_velocity.max]);
        self.slip_squared.include_range([other.slip_squared.min, other.slip_squared.max]);
        self.normal_stress = larger(self.normal_stress, other.normal_stress);
        self.tangential_stress = larger(self.tangential_stress, other.tangential_stress);
    }

    /// Takes note of a point.
    #[inline]
    pub fn include(&mut self, point: &AtPoint) {
        self.penetration = larger(self.penetration, point.penetration);
        self.normal_velocity.include(point.normal_velocity);
        self.slip_squared.include(point.slip_squared);
        self.normal_stress = larger(self.normal_stress, point.pressure);
        self.tangential_stress = larger(self.tangential_stress, point.shear);
    }
}

/// As `f64::min` for numbers, in one instruction.
#[inline]
pub fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// As `f64::max` for numbers, in one instruction.
#[inline]
pub fn larger(a: f64, b: f64) -> f64 {
    if b < a { a } else { b }
}

/// What a piece of contact contributes besides its extremes; all integrals over the piece.
#[derive(Clone, Copy, Debug, Default)]
pub struct ElementIntegrals {
    /// ∫ dA in m².
    pub area: f64,
    /// ∫ u dA in m³.
    pub penetration: f64,
    /// ∫ v_n dA in m³/s.
    pub normal_velocity: f64,
    /// ∫ |v_t| dA in m³/s.
    pub tangential_velocity: f64,
    /// ∫ p dA in N.
    pub normal_stress: f64,
    /// ∫ |τ| dA in N.
    pub tangential_stress: f64,
    /// Force on E, resolved in E, in N.
    pub force_e: Vector,
    /// Torque on E about the reference point, resolved in E, in N·m.
    pub torque_e: Vector,
    /// ∫ |dF| in N.
    pub force_magnitude: f64,
    /// ∫ |dF| (x − reference) in N·m.
    pub weighted_position_e: Vector,
    /// ∫ |dF| n in N.
    pub weighted_normal_e: Vector,
    /// ½ ∫ c_l u² dA in J.
    pub elastic_energy: f64,
    /// Power of damping and friction in W.
    pub dissipated_power: f64,
}

/// Sums over both passes, each with its weight.
#[derive(Clone, Copy, Debug)]
pub struct Totals {
    /// Point that torques are summed about, in E; within the contact, so that little cancels.
    pub reference_e: Vector,
    /// Number of elements.
    pub element_count: u32,
    sums: ElementIntegrals,
    /// Extremes over the points of the contact.
    pub extremes: AllExtremes,
}

impl Totals {
    /// Nothing yet.
    pub fn new(reference_e: Vector) -> Self {
        Totals { reference_e, element_count: 0, sums: ElementIntegrals::default(), extremes: AllExtremes::NONE }
    }

    /// Adds elements, already weighted.
    #[inline]
    pub fn add(&mut self, element: &ElementIntegrals) {
        let sums = &mut self.sums;
        sums.area += element.area;
        sums.penetration += element.penetration;
        sums.normal_velocity += element.normal_velocity;
        sums.tangential_velocity += element.tangential_velocity;
        sums.normal_stress += element.normal_stress;
        sums.tangential_stress += element.tangential_stress;
        sums.force_e += element.force_e;
        sums.torque_e += element.torque_e;
        sums.force_magnitude += element.force_magnitude;
        sums.weighted_position_e += element.weighted_position_e;
        sums.weighted_normal_e += element.weighted_normal_e;
        sums.elastic_energy += element.elastic_energy;
        sums.dissipated_power += element.dissipated_power;
    }

    /// Drops what elements contribute whatever the velocities: their number, area and depth.
    pub fn forget_geometry(&mut self) {
        self.element_count = 0;
        (self.sums.area, self.sums.penetration, self.sums.elastic_energy) = (0.0, 0.0, 0.0);
        self.extremes.penetration = f64::NEG_INFINITY;
    }

    /// Adds the sums over other elements, about the same reference point.
    pub fn add_all(&mut self, other: &Totals) {
        self.element_count += other.element_count;
        self.add(&other.sums);
        self.extremes.include_all(&other.extremes);
    }

    /// Writes wrenches and statistics into the outcome.
    pub fn report(&self, motion: &RelativeMotion, outcome: &mut Outcome) {
        let sums = &self.sums;
        outcome.element_count = self.element_count;
        let force_e = sums.force_e;
        let origin_f = motion.pose_ef().translation.vector;
        outcome.force_on_e = force_e;
        outcome.torque_on_e = sums.torque_e + self.reference_e.cross(&force_e);
        outcome.torque_on_e_at_f = sums.torque_e + (self.reference_e - origin_f).cross(&force_e);
        let to_f = motion.pose_ef().rotation.inverse();
        outcome.force_on_f = -(to_f * force_e);
        outcome.torque_on_f = -(to_f * outcome.torque_on_e_at_f);
        outcome.elastic_energy = sums.elastic_energy;
        // Rounding must not let damping give energy.
        outcome.dissipated_power = sums.dissipated_power.max(0.0);
        // With both passes weighted down, the area may be too small to divide by.
        if sums.area <= SMALLEST_AREA {
            return;
        }
        let mean = |integral: f64| integral / sums.area;
        outcome.contact_area = sums.area;
        outcome.mean_penetration = mean(sums.penetration);
        outcome.max_penetration = self.extremes.penetration.max(outcome.mean_penetration);
        outcome.normal_velocity = self.extremes.normal_velocity.with_mean(mean(sums.normal_velocity));
        outcome.tangential_velocity = self.extremes.slip_squared.root().with_mean(mean(sums.tangential_velocity));
        let stress = |integral: f64, max: f64| MeanMax { mean: mean(integral), max: max.max(mean(integral)) };
        outcome.normal_stress = stress(sums.normal_stress, self.extremes.normal_stress);
        outcome.tangential_stress = stress(sums.tangential_stress, self.extremes.tangential_stress);
        if 0.0 < sums.force_magnitude {
            outcome.contact_position_e = self.reference_e + sums.weighted_position_e / sums.force_magnitude;
            outcome.contact_normal_e = sums.weighted_normal_e / sums.force_magnitude;
        }
    }
}
