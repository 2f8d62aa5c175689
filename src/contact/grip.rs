//! How far the bristles of a pair are wound up, and how they let go.
//!
//! All bristles share one rigid displacement, the deflection. As long as its measure, the winding, is below 1, nothing is
//! let go: the pair is elastic, and what is unloaded comes back. At 1 the deflection shrinks towards zero along itself as
//! fast as the bodies move on. Friction is the gradient of a convex potential of the deflection (at a given pressure), so
//! that this takes energy and never gives any. A deflection of the whole pair by translation is wound up where all
//! bristles slip.
//!
//! The potential grows with the pressure, and nobody does work for that: bristles that come into contact are straight. So
//! what has been given to bristles is kept account of, and where the potential would exceed it, as the pressure grows, the
//! deflection becomes less; see [`BristleMemory::energy`].
//!
//! Rolling turns the bodies against each other without slip. Such rotations, which bristles do not feel, are let go at
//! once; see [`Grip::felt`].

use nalgebra::{Matrix3, Matrix6, Vector6};

use super::deflection::Deflection;
use super::outcome::Outcome;
use super::relative_motion::{MotionError, RelativeMotion};
use crate::math::{Pose, Vector};

/// Sums over the contact with the pressure, about the reference point of the totals, in the axes of E.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GripSums(pub [f64; SUMMED]);

/// ∫ p dA.
pub const PRESSURE: usize = 0;
/// ∫ p² dA.
pub const SQUARE: usize = 1;
/// ∫ p x dA.
pub const FIRST: usize = 2;
/// ∫ p n nᵀ dA: xx, xy, xz, yy, yz, zz.
pub const NORMALS: usize = 5;
/// ∫ p (x × n) nᵀ dA, row by row.
pub const TILTS: usize = 11;
/// ∫ p x xᵀ dA.
pub const SECOND: usize = 20;
/// ∫ p (x × n) (x × n)ᵀ dA.
pub const TURNS: usize = 26;
/// ∫ μ p dA.
pub const LIMIT: usize = 32;
/// ½ ∫ c_t z² dA of bristles below the limit.
pub const STUCK: usize = 33;
/// ∫ μ p |z| dA of bristles at the limit; behind it ½ ∫ (μ p)²/c_t dA of the same.
pub const SLIPPING: usize = 34;
/// Power of the bristles' dampers in W.
pub const VISCOUS: usize = 36;
/// How many there are.
pub const SUMMED: usize = 37;

impl Default for GripSums {
    fn default() -> Self {
        GripSums([0.0; SUMMED])
    }
}

impl GripSums {
    /// Adds the sums over other parts of the contact.
    pub fn add(&mut self, other: &GripSums) {
        self.0.iter_mut().zip(&other.0).for_each(|(sum, other)| *sum += other);
    }
}

/// Pressure by which the winding is measured, over the mean pressure that a point of the force sees: with it a paraboloid
/// and a wedge of pressure are wound up by a translation at which their deepest bristle slips. An even pressure could do
/// with 1.
const PEAK_OF_MEAN: f64 = 1.5;

/// Rotations count by this part of what their bristles are deflected by on the average: bristles near the pole of a spin
/// are to slip too. With a quarter, a paraboloid of pressure that spins reaches 99.8 % of 8/15 μ F a.
const ROTATION_PART: f64 = 0.25;

/// Rotations that move bristles along the surface by less than the square root of this part of the way of the points, as
/// rolling does, are not felt; above the second they are. In between, partly.
const NOT_FELT: f64 = 0.02;
const FELT: f64 = 0.1;

/// The rotation, in rad, that may be kept though bristles do not feel it: small against the slope at which they slip, and
/// large against what tilts of bodies at rest make.
const KEPT_ROTATION: f64 = 1.0e-3;

/// Winding from which the pair counts as slipping; in continuous time bristles begin to let go at [`LETS_GO`].
const SLIPS: f64 = 0.95;
const LETS_GO: f64 = 0.9;

/// In continuous time what bristles hold beyond their limit, and without contact all of it, is let go within this time in s.
pub const RELEASE_TIME: f64 = 1.0e-3;

/// In continuous time bristles that store more than they were given let it go within this time in s: short against impacts.
const SHARING_TIME: f64 = 1.0e-4;

/// Added to the second moments of the pressure, as a part of their trace: a contact along a line has none about it.
const SLENDER: f64 = 1.0e-9;

/// What the contact knows of its bristles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Grip {
    /// Where the pressure acts, in M_e.
    pub centre_e: Vector,
    /// Translation in m by which all bristles slip; 0 without contact or bristles.
    pub reach: f64,
    /// ∫ p² dA in N·Pa with the mean of μ: how much bristles can store, but for a factor.
    pub capacity: f64,
    /// Mean of the squares of tangential deflections, by displacement of the centre and rotation about it, with the
    /// pressure.
    metric: Matrix6<f64>,
    /// Mean of the squares of ways by rotation about the centre, with the pressure, whether bristles feel them or not.
    levers: Matrix3<f64>,
    /// ∫ μ p dA in N.
    pub limit: f64,
    /// Winding of the present deflection.
    pub winding: f64,
    /// Root of the mean square of the tangential deflection that was evaluated, with the pressure, in m.
    evaluated: f64,
    /// Of that deflection, in J: ∫ μ p |z| dA and ½ ∫ (μ p)²/c_t dA where bristles slip, ½ ∫ c_t z² dA where they stick.
    potential: [f64; 3],
    /// Power in W that dampers of bristles take.
    pub viscous_power: f64,
    /// Energy in J that bristles store; those wound up farther than they can be, as far as they can.
    pub stored: f64,
}

/// How the memory of bristles changes in continuous time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GripRate {
    /// Of the deflection, per second.
    pub deflection: Deflection,
    /// Of the energy that bristles were given and have not lost, in W.
    pub energy: f64,
    /// Slip: root of the mean square, with the pressure, in m/s.
    pub slip: f64,
    /// What is lost by slip, in W; what dampers take comes besides.
    pub loss: f64,
}

/// What a step of bristles lets go.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Release {
    /// What is left.
    pub deflection: Deflection,
    /// Whether it is less than before.
    pub is_less: bool,
    /// Root of the mean square of the slip, with the pressure, in m.
    pub slip: f64,
}

fn symmetric(numbers: &[f64]) -> Matrix3<f64> {
    let [xx, xy, xz, yy, yz, zz] = std::array::from_fn(|k| numbers[k]);
    Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz)
}

/// From 0 to 1, smoothly.
fn smooth(from: f64, to: f64, value: f64) -> f64 {
    let step = ((value - from) / (to - from)).clamp(0.0, 1.0);
    step * step * (3.0 - 2.0 * step)
}

impl Grip {
    /// From sums about a point of M_e; `reach_per_pressure` is μ_s / c_t in m/Pa.
    pub fn new(sums: &GripSums, reference_e: Vector, reach_per_pressure: f64, deflection: &Deflection) -> Self {
        let sums = &sums.0;
        let pressure = sums[PRESSURE];
        let per = 1.0 / pressure;
        if !(0.0 < pressure && per.is_finite()) {
            return Grip::default();
        }
        let centre = Vector::new(sums[FIRST], sums[FIRST + 1], sums[FIRST + 2]) * per;
        let (normals, second) = (symmetric(&sums[NORMALS..]) * per, symmetric(&sums[SECOND..]) * per);
        let tilts = Matrix3::from_row_slice(&sums[TILTS..TILTS + 9]) * per;
        let turns = symmetric(&sums[TURNS..]) * per;
        // About the centre: x × n becomes (x − c) × n.
        let across = centre.cross_matrix();
        let tilts_there = tilts - across * normals;
        let turns_there =
            turns - across * tilts.transpose() - tilts * across.transpose() + across * normals * across.transpose();
        let spread = second - centre * centre.transpose();
        let levers = Matrix3::identity() * spread.trace() - spread;
        let translation = Matrix3::identity() - normals;
        let rotation = levers - turns_there;
        let mut metric = Matrix6::zeros();
        metric.fixed_view_mut::<3, 3>(0, 0).copy_from(&translation);
        // The mean of a·(b × (x − c)) is nothing; what is left of the product is that of the normal parts.
        metric.fixed_view_mut::<3, 3>(3, 0).copy_from(&-tilts_there);
        metric.fixed_view_mut::<3, 3>(0, 3).copy_from(&-tilts_there.transpose());
        metric.fixed_view_mut::<3, 3>(3, 3).copy_from(&rotation);
        let mut grip = Grip {
            centre_e: reference_e + centre,
            reach: PEAK_OF_MEAN * reach_per_pressure * sums[SQUARE] * per,
            capacity: sums[LIMIT] * sums[SQUARE] * per,
            metric,
            levers,
            limit: sums[LIMIT],
            winding: 0.0,
            evaluated: 0.0,
            potential: [sums[SLIPPING], sums[SLIPPING + 1], sums[STUCK]],
            viscous_power: sums[VISCOUS],
            stored: 0.0,
        };
        grip.winding = grip.winding_of(deflection);
        grip.evaluated = grip.mean_deflection(deflection);
        grip.stored = grip.potential_at(1.0 / grip.winding.max(1.0));
        grip
    }

    /// What bristles store at a part of the deflection that was evaluated, in J; those that slip or stick go on to do so,
    /// but what all of them hold has a limit.
    fn potential_at(&self, part: f64) -> f64 {
        let [slipping, given_back, stuck] = self.potential;
        let most = slipping - given_back + stuck + self.limit * self.evaluated * (part - 1.0).max(0.0);
        (slipping * part - given_back + stuck * part * part).min(most).max(0.0)
    }

    /// The part of the deflection that was evaluated at which bristles store an energy.
    fn part_with(&self, energy: f64) -> f64 {
        let [slipping, given_back, stuck] = self.potential;
        let energy = energy + given_back;
        let root = (slipping * slipping + 4.0 * stuck * energy).sqrt();
        if 0.0 < slipping + root { 2.0 * energy / (slipping + root) } else { 0.0 }
    }

    /// A deflection as a part of the one that was evaluated, by the way of the bristles.
    fn part_of(&self, deflection: &Deflection) -> f64 {
        if 0.0 < self.evaluated { self.mean_deflection(deflection) / self.evaluated } else { 0.0 }
    }

    /// ∫ τ·z dA in J, of the deflection that was evaluated.
    fn work(&self) -> f64 {
        self.potential[0] + 2.0 * self.potential[2]
    }

    /// Whether there are bristles in contact.
    pub fn is_there(&self) -> bool {
        0.0 < self.reach && self.reach.is_finite()
    }

    /// Whether nothing is let go.
    pub fn is_sticking(&self) -> bool {
        self.is_there() && self.winding < SLIPS
    }

    /// Displacement of the centre, and the part of the rotation that counts.
    fn counted(&self, deflection: &Deflection) -> Vector6<f64> {
        let (a, b) = (deflection.at(self.centre_e), deflection.rotation_e * ROTATION_PART);
        Vector6::new(a.x, a.y, a.z, b.x, b.y, b.z)
    }

    /// How far a deflection is wound up: 1 where bristles let go.
    pub fn winding_of(&self, deflection: &Deflection) -> f64 {
        if !self.is_there() {
            return 0.0;
        }
        let counted = self.counted(deflection);
        counted.dot(&(self.metric * counted)).max(0.0).sqrt() / self.reach
    }

    /// Mean of the products of two tangential deflections, with the pressure, in m².
    fn product(&self, first: &Deflection, second: &Deflection) -> f64 {
        let [first, second] = [first, second].map(|deflection| {
            let (a, b) = (deflection.at(self.centre_e), deflection.rotation_e);
            Vector6::new(a.x, a.y, a.z, b.x, b.y, b.z)
        });
        first.dot(&(self.metric * second))
    }

    /// Root of the mean square of the tangential deflection, with the pressure, in m.
    fn mean_deflection(&self, deflection: &Deflection) -> f64 {
        self.product(deflection, deflection).max(0.0).sqrt()
    }

    /// The parts of displacements that bristles feel: not those along the normal of a flat contact, nor its rolling.
    pub fn felt<const N: usize>(&self, displacements: [&Deflection; N]) -> [Deflection; N] {
        let centre = self.centre_e;
        let form = |first: usize| self.metric.fixed_view::<3, 3>(first, first).into_owned();
        let (of_translation, of_rotation) = (felt(&form(0), &Matrix3::identity()), felt(&form(3), &self.levers));
        displacements.map(|displacement| {
            let (there, rotation) = (displacement.at(centre), displacement.rotation_e);
            Deflection::about(centre, of_translation * there, of_rotation * rotation)
        })
    }

    /// What is left of a deflection once bristles that are wound up too far have slipped.
    ///
    /// What is below is handed back as it is.
    pub fn released(&self, deflection: &Deflection) -> Release {
        if !self.is_there() {
            return Release { is_less: *deflection != Deflection::NONE, ..Release::default() };
        }
        let centre = self.centre_e;
        let (there, rotation) = (deflection.at(centre), deflection.rotation_e);
        let mut left = *deflection;
        let mut is_less = false;
        // As little as that may be kept, felt or not.
        if self.reach < there.norm() || KEPT_ROTATION < rotation.norm() {
            let [felt] = self.felt([deflection]);
            let (unfelt, unfelt_rotation) = (there - felt.at(centre), rotation - felt.rotation_e);
            let (kept, kept_rotation) = (self.reach / unfelt.norm(), KEPT_ROTATION / unfelt_rotation.norm());
            is_less = kept < 1.0 || kept_rotation < 1.0;
            if is_less {
                let displacement = felt.at(centre) + unfelt * kept.min(1.0);
                let rotation = felt.rotation_e + unfelt_rotation * kept_rotation.min(1.0);
                left = Deflection::about(centre, displacement, rotation);
            }
        }
        let winding = self.winding_of(&left);
        if winding <= 1.0 {
            return Release { deflection: left, is_less, slip: 0.0 };
        }
        Release {
            slip: (1.0 - 1.0 / winding) * self.mean_deflection(&left),
            deflection: left.scaled(1.0 / winding),
            is_less: true,
        }
    }

    /// The part of the deflection that is lost by slip per second, in 1/s, while F moves as bristles feel it.
    fn slip_rate(&self, deflection: &Deflection, moving: &Deflection) -> f64 {
        if self.winding <= LETS_GO {
            return 0.0;
        }
        let (counted, moving) = (self.counted(deflection), self.counted(moving));
        // Growth of the winding, over the winding.
        let square = self.winding * self.reach;
        let growth = counted.dot(&(self.metric * moving)) / (square * square);
        smooth(LETS_GO, 1.0, self.winding) * growth.max(0.0)
    }

    /// How the memory changes per second while F moves, in continuous time; `energy` is what bristles were given and have
    /// not lost, in J.
    pub fn rate(&self, motion: &RelativeMotion, energy: f64) -> GripRate {
        let deflection = motion.deflection();
        if !self.is_there() {
            // Where it is below zero a solver has been inaccurate: friction takes nothing then.
            return GripRate {
                deflection: deflection.scaled(-1.0 / RELEASE_TIME),
                energy: -energy / RELEASE_TIME,
                slip: 0.0,
                loss: energy.max(0.0) / RELEASE_TIME,
            };
        }
        let [moving, felt] = self.felt([&twist(motion), deflection]);
        let (work, stored) = (self.work(), self.potential_at(1.0));
        let square = self.evaluated * self.evaluated;
        let given = if 0.0 < square { work * self.product(deflection, &moving) / square } else { 0.0 };
        let slip_rate = self.slip_rate(deflection, &moving) + (self.winding - 1.0).max(0.0) / RELEASE_TIME;
        let loss = slip_rate * (work + (energy - stored).max(0.0));
        let excess = if energy < stored { (stored - energy) / (work * SHARING_TIME) } else { 0.0 };
        let less = slip_rate + excess;
        let unfelt = |all: Vector, felt: Vector| (all - felt) / RELEASE_TIME;
        let rate = Deflection {
            translation_e: moving.translation_e
                - deflection.translation_e * less
                - unfelt(deflection.translation_e, felt.translation_e),
            rotation_e: moving.rotation_e
                - deflection.rotation_e * less
                - unfelt(deflection.rotation_e, felt.rotation_e),
        };
        GripRate { deflection: rate, energy: given - loss, slip: slip_rate * self.evaluated, loss }
    }

    /// Power in W that bristles lose by slip while F moves; what their dampers take comes besides.
    fn slip_power(&self, motion: &RelativeMotion) -> f64 {
        if self.winding <= LETS_GO {
            return 0.0;
        }
        let [moving] = self.felt([&twist(motion)]);
        self.slip_rate(motion.deflection(), &moving) * self.work()
    }

    /// Completes what an evaluation knows of friction.
    pub fn report(&self, motion: &RelativeMotion, outcome: &mut Outcome) {
        outcome.sticking = self.is_sticking();
        outcome.elastic_energy += self.stored;
        outcome.dissipated_power += self.slip_power(motion);
        outcome.grip = *self;
    }
}

/// What bristles remember from one communication point to the next: the pose of F at which all of them would be straight.
///
/// While bristles stick it stays as it is, bit by bit: what comes back to its place finds the force that it had there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BristleMemory {
    /// Maps coordinates in M_f to coordinates in M_e; none while nothing has been in contact.
    pub straight_ef: Option<Pose>,
    /// Way in m by which bristles have slipped so far; see [`Release::slip`].
    pub slip_distance: f64,
    /// Work in J that friction has taken so far.
    pub friction_work: f64,
    /// What bristles were given and have not lost, in J. What they store is as much, or less where the pressure has fallen;
    /// it comes back with the pressure.
    pub energy: f64,
    /// The largest [`Grip::capacity`] of the contact since it began, or since it slipped: beyond it nothing is stored but
    /// what was given.
    pub capacity: f64,
    /// The deflection at the last communication point.
    pub deflection: Deflection,
}

/// Growth of a contact that is only rounding, as a part.
const GROWN: f64 = 1.0e-9;

impl BristleMemory {
    /// A motion with the deflection that bristles have there.
    pub fn recall(&self, motion: &RelativeMotion) -> Result<RelativeMotion, MotionError> {
        match &self.straight_ef {
            None => Ok(*motion),
            Some(straight) => motion.with_deflection(Deflection::between(straight, motion.pose_ef())),
        }
    }

    /// The memory once F has moved to a pose; `grip` is that of the contact there, or nearby.
    pub fn advanced(&self, pose_ef: &Pose, grip: &Grip) -> Self {
        let kept = BristleMemory { slip_distance: self.slip_distance, ..BristleMemory::default() };
        if !grip.is_there() {
            // What bristles had is lost with the contact.
            return BristleMemory { friction_work: self.friction_work + self.energy, ..kept };
        }
        let Some(straight) = self.straight_ef else {
            let friction_work = self.friction_work + self.energy;
            return BristleMemory { straight_ef: Some(*pose_ef), friction_work, capacity: grip.capacity, ..kept };
        };
        let stored = |deflection: &Deflection| grip.potential_at(grip.part_of(deflection));
        let deflection = Deflection::between(&straight, pose_ef);
        let given = (self.energy + stored(&deflection) - stored(&self.deflection)).max(0.0);
        let Release { deflection: mut left, mut is_less, slip } = grip.released(&deflection);
        let (slips, is_larger) = (0.0 < slip, self.capacity * (1.0 + GROWN) < grip.capacity);
        let mut energy = given;
        if slips {
            let beyond = (given - stored(&deflection)).max(0.0);
            energy = given.min(stored(&left) + beyond / grip.winding_of(&deflection));
        }
        if is_larger && energy < stored(&left) {
            left = left.scaled(grip.part_with(energy) / grip.part_of(&left));
            is_less = true;
        }
        BristleMemory {
            straight_ef: Some(if is_less { left.start_of(pose_ef) } else { straight }),
            slip_distance: self.slip_distance + slip,
            friction_work: self.friction_work + (given - energy),
            energy,
            capacity: if is_larger || slips { grip.capacity } else { self.capacity },
            deflection: left,
        }
    }
}

/// The velocity of F against E as a displacement per second.
fn twist(motion: &RelativeMotion) -> Deflection {
    let rotation_e = motion.angular_velocity_e();
    Deflection::about(motion.pose_ef().translation.vector, motion.velocity_e(), rotation_e)
}

/// Which directions of a form count: those where it is not small against another one.
fn felt(form: &Matrix3<f64>, whole: &Matrix3<f64>) -> Matrix3<f64> {
    let whole = whole + Matrix3::identity() * (SLENDER * whole.trace());
    let Some(root) = whole.cholesky() else { return Matrix3::identity() };
    let root = root.l();
    let Some(inverse) = root.try_inverse() else { return Matrix3::identity() };
    let ratio = inverse * form * inverse.transpose();
    let eigen = ((ratio + ratio.transpose()) * 0.5).symmetric_eigen();
    if eigen.eigenvalues.iter().all(|value| FELT <= *value) {
        return Matrix3::identity();
    }
    let shares = eigen.eigenvalues.map(|value| smooth(NOT_FELT, FELT, value));
    let filter = eigen.eigenvectors * Matrix3::from_diagonal(&shares) * eigen.eigenvectors.transpose();
    // In coordinates in which the second form is the identity.
    inverse.transpose() * filter * root.transpose()
}
