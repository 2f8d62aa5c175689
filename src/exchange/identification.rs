//! How the host's bodies answer a wrench, and how they accelerate without one, from the motions that it has shown.
//!
//! The acceleration of M_f against M_e is A w + b. A is made of the compliances of E in M_e and of F in M_f, which are
//! constant for free bodies and for bodies on one fixed joint; b is everything else: gravity, other forces, the turning of
//! frames. A Kalman filter estimates the 21 + 21 numbers of the compliances and the 6 of b.

use nalgebra::{Matrix6, SMatrix, SVector, SymmetricEigen};

use super::bodies::Knowledge;
use super::{Compliance, Six};
use crate::math::Pose;

/// Numbers of a symmetric matrix of six rows.
const OF_COMPLIANCE: usize = 21;

/// Numbers that are estimated.
pub(super) const UNKNOWNS: usize = 2 * OF_COMPLIANCE + 6;

/// Numbers of their covariance.
const COVARIANCES: usize = UNKNOWNS * (UNKNOWNS + 1) / 2;

/// Numbers of an [`Identification`].
pub(super) const NUMBERS: usize = UNKNOWNS + COVARIANCES + 1;

const FIRST_OF_B: usize = 2 * OF_COMPLIANCE;

/// How far a guessed density may be off, as a factor of the compliance: hollow parts, steel, bodies that are fixed.
const SCALE_DEVIATION: f64 = 3.0;

/// How far the shape of a compliance may be off, as a part of itself: joints, masses that are not spread evenly.
const SHAPE_DEVIATION: f64 = 1.0;

/// Both where the mass is stated, and where everything is: as good as data sheets are.
const DEVIATIONS_WITH_MASS: [f64; 2] = [0.02, 0.3];
const DEVIATIONS_WITH_INERTIA: [f64; 2] = [0.02, 0.01];

/// Compliance that every body may have although its mesh says otherwise, as a part of that of the lighter one.
const SHARED_PART: f64 = 0.1;

/// What a compliance may change within a step in contact, as a part of what it may be off at the start: joints turn.
const CHANGE_PER_STEP: f64 = 3.0e-3;

/// Acceleration that is not of the form A w + b, as a part of it: wrenches turn with bodies within a step.
const UNMODELLED_PART: f64 = 5.0e-3;

/// Acceleration that rounding in the host leaves, in m/s².
const ROUNDED_ACCELERATION: f64 = 1.0e-6;

/// How far b may be off before any motion was seen, in m/s²: gravity.
const UNSEEN_ACCELERATION: f64 = 10.0;

/// Standard deviations by which a compliance is taken larger than it is believed to be: a wrench that is too small on the
/// way in is made up for on the way out, one that is too large throws the bodies apart.
const DOUBT: f64 = 1.0;

type Unknowns = SVector<f64, UNKNOWNS>;
type Covariance = SMatrix<f64, UNKNOWNS, UNKNOWNS>;

/// Units in which linear and angular quantities have the same size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// In m: that of the smaller body.
    pub length: f64,
    /// In kg: that of the lighter body.
    pub mass: f64,
}

impl Scale {
    fn acceleration(&self, twist: &Six) -> Six {
        let mut scaled = *twist;
        scaled.fixed_rows_mut::<3>(3).scale_mut(self.length);
        scaled
    }

    fn unscaled_acceleration(&self, scaled: &Six) -> Six {
        let mut twist = *scaled;
        twist.fixed_rows_mut::<3>(3).unscale_mut(self.length);
        twist
    }

    fn wrench(&self, wrench: &Six) -> Six {
        let mut scaled = wrench / self.mass;
        scaled.fixed_rows_mut::<3>(3).unscale_mut(self.length);
        scaled
    }

    fn compliance(&self, compliance: &Compliance) -> Compliance {
        Compliance::from_fn(|i, j| compliance[(i, j)] * self.mass * self.weight(i) * self.weight(j))
    }

    fn unscaled_compliance(&self, scaled: &Compliance) -> Compliance {
        Compliance::from_fn(|i, j| scaled[(i, j)] / (self.mass * self.weight(i) * self.weight(j)))
    }

    fn weight(&self, row: usize) -> f64 {
        if row < 3 { 1.0 } else { self.length }
    }
}

/// What is known before any contact.
#[derive(Clone, Debug)]
pub(super) struct Prior {
    pub(super) scale: Scale,
    /// Scaled compliances of E and F, each with what is known of it.
    compliances: [(Compliance, Knowledge); 2],
    unknowns: Unknowns,
    covariance: Box<Covariance>,
}

impl Prior {
    pub(super) fn new(scale: Scale, bodies: [(Compliance, Knowledge); 2]) -> Prior {
        let compliances = bodies.map(|(compliance, knowledge)| (scale.compliance(&compliance), knowledge));
        let mut unknowns = Unknowns::zeros();
        let mut covariance = Box::new(Covariance::zeros());
        for (body, (compliance, knowledge)) in compliances.iter().enumerate() {
            let first = body * OF_COMPLIANCE;
            let [of_scale, of_shape] = match knowledge {
                Knowledge::Guess => [SCALE_DEVIATION, SHAPE_DEVIATION],
                Knowledge::MassStated => DEVIATIONS_WITH_MASS,
                Knowledge::Stated => DEVIATIONS_WITH_INERTIA,
            };
            // Scaled, the lighter body has about 1.
            let shared = if *knowledge == Knowledge::Guess { SHARED_PART } else { 0.0 };
            let spread = compliance + Compliance::identity() * shared;
            for (p, (i, j)) in entries().enumerate() {
                unknowns[first + p] = compliance[(i, j)];
                for (q, (k, l)) in entries().enumerate() {
                    let shape = 0.5 * (spread[(i, k)] * spread[(j, l)] + spread[(i, l)] * spread[(j, k)]);
                    let of_all = compliance[(i, j)] * compliance[(k, l)];
                    covariance[(first + p, first + q)] = of_shape * of_shape * shape + of_scale * of_scale * of_all;
                }
            }
        }
        for i in FIRST_OF_B..UNKNOWNS {
            covariance[(i, i)] = UNSEEN_ACCELERATION * UNSEEN_ACCELERATION;
        }
        Prior { scale, compliances, unknowns, covariance }
    }
}

/// What the host has shown of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Observation {
    /// In the middle of the step.
    pub(super) pose: Pose,
    pub(super) acceleration: Six,
    /// Angle by which the bodies have turned against each other, in rad: wrenches may have turned with one of them.
    pub(super) turn: f64,
    /// By how much b may have changed because the motion has, in m/s².
    pub(super) change: f64,
}

/// What is known now.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Identification {
    unknowns: Unknowns,
    covariance: Box<Covariance>,
    /// By how much b has changed from step to step, in m/s².
    drift: f64,
}

impl Identification {
    pub(super) fn new(prior: &Prior) -> Self {
        Identification { unknowns: prior.unknowns, covariance: prior.covariance.clone(), drift: 0.0 }
    }

    /// As at the start, in the same memory.
    pub(super) fn reset(&mut self, prior: &Prior) {
        self.unknowns = prior.unknowns;
        self.covariance.copy_from(&prior.covariance);
        self.drift = 0.0;
    }

    /// Takes over what a user states of bodies; what was identified of others stays.
    pub(super) fn restate(&mut self, prior: &Prior) {
        for (body, (_, knowledge)) in prior.compliances.iter().enumerate() {
            if *knowledge != Knowledge::Guess {
                let first = body * OF_COMPLIANCE;
                for p in first..first + OF_COMPLIANCE {
                    self.unknowns[p] = prior.unknowns[p];
                    for q in 0..UNKNOWNS {
                        self.covariance[(p, q)] = prior.covariance[(p, q)];
                        self.covariance[(q, p)] = prior.covariance[(q, p)];
                    }
                }
            }
        }
    }

    /// A at a pose, in SI units; never negative in any direction.
    pub(super) fn compliance(&self, prior: &Prior, pose_ef: &Pose) -> Compliance {
        let [of_e, of_f] = transports(&prior.scale, pose_ef);
        let total = of_e * self.of_body(0) * of_e.transpose() + of_f * self.of_body(1) * of_f.transpose();
        let mut eigen = SymmetricEigen::new(total);
        if eigen.eigenvalues.iter().any(|value| *value < 0.0) {
            eigen.eigenvalues.apply(|value| *value = value.max(0.0));
            return prior.scale.unscaled_compliance(&eigen.recompose());
        }
        prior.scale.unscaled_compliance(&total)
    }

    /// By how much the answer to a wrench, times this wrench, may well be larger than it is believed to be: its standard
    /// deviation, in W/s.
    pub(super) fn doubt(&self, prior: &Prior, pose_ef: &Pose, wrench: &Six) -> f64 {
        let wrench = prior.scale.wrench(wrench);
        let mut row = Unknowns::zeros();
        for (body, transport) in transports(&prior.scale, pose_ef).iter().enumerate() {
            let local = transport.transpose() * wrench;
            for (p, (i, j)) in entries().enumerate() {
                row[body * OF_COMPLIANCE + p] = if i == j { local[i] * local[i] } else { 2.0 * local[i] * local[j] };
            }
        }
        let variance = row.dot(&(*self.covariance * row)).max(0.0);
        DOUBT * variance.sqrt() * prior.scale.mass
    }

    /// b in SI units.
    pub(super) fn external(&self, prior: &Prior) -> Six {
        prior.scale.unscaled_acceleration(&self.unknowns.fixed_rows::<6>(FIRST_OF_B).into_owned())
    }

    pub(super) fn set_external(&mut self, prior: &Prior, external: &Six) {
        let scaled = prior.scale.acceleration(external);
        self.unknowns.fixed_rows_mut::<6>(FIRST_OF_B).copy_from(&scaled);
    }

    /// Learns from a step over which a wrench acted. Returns twice the logarithm of how likely it was before; higher is
    /// likelier.
    pub(super) fn observe(&mut self, prior: &Prior, seen: &Observation, wrench: &Six) -> f64 {
        if *wrench == Six::zeros() {
            self.observe_free(prior, seen)
        } else {
            for i in FIRST_OF_B..UNKNOWNS {
                self.covariance[(i, i)] += seen.change * seen.change;
            }
            self.observe_answer(prior, seen, wrench)
        }
    }

    /// A step without a wrench shows b itself.
    fn observe_free(&mut self, prior: &Prior, observation: &Observation) -> f64 {
        let seen = prior.scale.acceleration(&observation.acceleration);
        let b = self.unknowns.fixed_rows::<6>(FIRST_OF_B).into_owned();
        let is_first = self.covariance[(FIRST_OF_B, FIRST_OF_B)] == UNSEEN_ACCELERATION * UNSEEN_ACCELERATION;
        if !is_first {
            // A jump was something else that pushed: it does not count for long.
            self.drift = (seen - b).norm().min(2.0 * self.drift + 1.0).max(0.5 * self.drift);
        }
        let noise = (ROUNDED_ACCELERATION + (UNMODELLED_PART + observation.turn) * seen.norm()).powi(2);
        let likelihood = (0..6).map(|i| {
            let variance = self.covariance[(FIRST_OF_B + i, FIRST_OF_B + i)] + noise;
            -(seen[i] - b[i]).powi(2) / variance - variance.ln()
        });
        let likelihood = likelihood.sum();
        self.unknowns.fixed_rows_mut::<6>(FIRST_OF_B).copy_from(&seen);
        self.covariance.fixed_columns_mut::<6>(FIRST_OF_B).fill(0.0);
        self.covariance.fixed_rows_mut::<6>(FIRST_OF_B).fill(0.0);
        let variance = ROUNDED_ACCELERATION * ROUNDED_ACCELERATION + self.drift * self.drift;
        for i in FIRST_OF_B..UNKNOWNS {
            self.covariance[(i, i)] = variance;
        }
        likelihood
    }

    fn observe_answer(&mut self, prior: &Prior, seen: &Observation, wrench: &Six) -> f64 {
        let Innovation { surprise, variance, cross } = Innovation::new(self, prior, seen, wrench);
        let Some(factor) = variance.cholesky() else { return 0.0 };
        let determinant: f64 = factor.l_dirty().diagonal().iter().map(|entry| 2.0 * entry.ln()).sum();
        let likelihood = -surprise.dot(&factor.solve(&surprise)) - determinant;
        self.unknowns += cross * factor.solve(&surprise);
        let gain = factor.solve(&cross.transpose());
        *self.covariance -= cross * gain;
        let change = CHANGE_PER_STEP * CHANGE_PER_STEP;
        for i in 0..UNKNOWNS {
            for j in 0..=i {
                let mut entry = 0.5 * (self.covariance[(i, j)] + self.covariance[(j, i)]);
                if i < FIRST_OF_B {
                    entry += change * prior.covariance[(i, j)];
                } else if i == j {
                    entry = entry.max(0.0) + self.drift * self.drift;
                }
                self.covariance[(i, j)] = entry;
                self.covariance[(j, i)] = entry;
            }
        }
        likelihood
    }

    /// Motions beyond all measure may lead here.
    pub(super) fn is_finite(&self) -> bool {
        self.drift.is_finite() && self.unknowns.iter().chain(self.covariance.iter()).all(|number| number.is_finite())
    }

    fn of_body(&self, body: usize) -> Compliance {
        let mut matrix = Matrix6::zeros();
        for (p, (i, j)) in entries().enumerate() {
            matrix[(i, j)] = self.unknowns[body * OF_COMPLIANCE + p];
            matrix[(j, i)] = matrix[(i, j)];
        }
        matrix
    }

    pub(super) fn write(&self, numbers: &mut Vec<f64>) {
        numbers.extend(self.unknowns.iter());
        for i in 0..UNKNOWNS {
            numbers.extend((0..=i).map(|j| self.covariance[(i, j)]));
        }
        numbers.push(self.drift);
    }

    pub(super) fn read(&mut self, mut next: impl FnMut() -> f64) {
        self.unknowns.iter_mut().for_each(|number| *number = next());
        for i in 0..UNKNOWNS {
            for j in 0..=i {
                let number = next();
                self.covariance[(i, j)] = number;
                self.covariance[(j, i)] = number;
            }
        }
        self.drift = next();
    }
}

/// What an acceleration tells, in scaled units.
struct Innovation {
    /// Seen less expected.
    surprise: Six,
    variance: Matrix6<f64>,
    /// Covariance of the unknowns with what is seen.
    cross: SMatrix<f64, UNKNOWNS, 6>,
}

impl Innovation {
    fn new(known: &Identification, prior: &Prior, seen: &Observation, wrench: &Six) -> Innovation {
        let Observation { pose, acceleration, turn, .. } = seen;
        let wrench = prior.scale.wrench(wrench);
        // What is seen per unknown.
        let mut rows = SMatrix::<f64, UNKNOWNS, 6>::zeros();
        for (body, transport) in transports(&prior.scale, pose).iter().enumerate() {
            let local = transport.transpose() * wrench;
            for (p, (i, j)) in entries().enumerate() {
                let mut seen = transport.column(i) * local[j];
                if i != j {
                    seen += transport.column(j) * local[i];
                }
                rows.set_row(body * OF_COMPLIANCE + p, &seen.transpose());
            }
        }
        for i in 0..6 {
            rows[(FIRST_OF_B + i, i)] = 1.0;
        }
        let expected = rows.transpose() * known.unknowns;
        let cross = *known.covariance * rows;
        let answer = expected - known.unknowns.fixed_rows::<6>(FIRST_OF_B);
        let seen = prior.scale.acceleration(acceleration);
        let noise = ROUNDED_ACCELERATION + (UNMODELLED_PART + turn) * answer.norm().max(seen.norm());
        let variance = rows.transpose() * cross + Matrix6::identity() * (noise * noise);
        Innovation { surprise: seen - expected, variance: 0.5 * (variance + variance.transpose()), cross }
    }
}

/// Rows and columns of the lower triangle.
fn entries() -> impl Iterator<Item = (usize, usize)> {
    (0..6).flat_map(|i| (0..=i).map(move |j| (i, j)))
}

/// How accelerations of E in M_e, and of F in M_f, count for that of M_f against M_e; scaled.
fn transports(scale: &Scale, pose_ef: &Pose) -> [Matrix6<f64>; 2] {
    let mut of_e = Matrix6::identity();
    let lever = (pose_ef.translation.vector / scale.length).cross_matrix();
    of_e.fixed_view_mut::<3, 3>(0, 3).copy_from(&-lever);
    let mut of_f = Matrix6::zeros();
    for half in [0, 3] {
        of_f.fixed_view_mut::<3, 3>(half, half).copy_from(pose_ef.rotation.matrix());
    }
    [of_e, of_f]
}
