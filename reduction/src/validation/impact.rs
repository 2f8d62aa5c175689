//! A straight central impact of two free bodies, driven as a host would drive it.

use polycontact::contact::{MotionError, RelativeMotion};
use polycontact::flexible::{FlexibleError, FlexibleOutcome, FlexiblePair, FlexibleParameters, Workspace};
use polycontact::math::{Pose, Vector};

/// Body F flies along -z towards body E, which rests.
#[derive(Clone, Copy, Debug)]
pub struct Impact {
    /// Masses of E and F in kg.
    pub masses: [f64; 2],
    /// Origin of F seen from E where the undeformed surfaces touch, in m.
    pub touching: Vector,
    /// Gap at the start in m.
    pub gap: f64,
    /// Speed of F in m/s.
    pub speed: f64,
    /// Simulated time in s.
    pub duration: f64,
    /// Communication step in s.
    pub step: f64,
    /// Who uses which force.
    pub coupling: Coupling,
}

/// How the master exchanges motion and force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coupling {
    /// The contact steps first; its mean force acts on the bodies over the same interval.
    Sequential,
    /// Contact and bodies step at the same time: the force at the end of one step acts over the next.
    Parallel,
}

/// One interval of contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Contact {
    /// First and last time with a force, in s.
    pub start: f64,
    /// Last time with a force, in s.
    pub end: f64,
    /// In N s.
    pub impulse: f64,
    /// In N.
    pub peak_force: f64,
    /// Velocities of E and F along z after it, in m/s.
    pub velocities: [f64; 2],
}

/// What an impact came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImpactResult {
    /// Contacts in the order of time; pauses of a few microseconds do not end one.
    pub contacts: Vec<Contact>,
    /// Time and contact force along z on F, in s and N, per step.
    pub history: Vec<[f64; 2]>,
    /// Largest deviation of the total energy from its start, as a part of it.
    pub energy_error: f64,
    /// Part of the rigid-body kinetic energy that is left in the end.
    pub kinetic_energy_left: f64,
    /// Deepest penetration of a node in m.
    pub max_penetration: f64,
    /// Equilibria' iterations of all steps.
    pub iterations: u64,
    /// Whether the contact zone was too small at some time.
    pub border_in_contact: bool,
}

/// Bodies whose force vanishes for a shorter time than this, in s, are still in the same contact: rays of waves
/// within the bodies take some microseconds.
const SHORTEST_PAUSE: f64 = 2.0e-5;

impl ImpactResult {
    /// Ratio of the relative speeds after and before.
    pub fn restitution(&self, speed: f64) -> f64 {
        self.contacts.last().map_or(f64::NAN, |contact| (contact.velocities[1] - contact.velocities[0]) / speed)
    }
}

impl Impact {
    /// Runs the impact.
    pub fn run(&self, pair: &FlexiblePair, parameters: &FlexibleParameters) -> Result<ImpactResult, FlexibleError> {
        let mut state = pair.initial_state();
        let mut workspace = Workspace::default();
        let mut result = ImpactResult::default();
        let (mut separation, mut velocities) = (self.gap, [0.0, -self.speed]);
        let energy_of = |velocities: [f64; 2], outcome: &FlexibleOutcome| {
            let rigid: f64 = (0..2).map(|side| 0.5 * self.masses[side] * velocities[side].powi(2)).sum();
            let elastic: f64 = outcome.strain_energy.iter().chain(&outcome.kinetic_energy).sum();
            rigid + elastic + outcome.penalty_energy
        };
        let start_energy = energy_of(velocities, &FlexibleOutcome::default());
        let mut held_force = 0.0;
        let steps = (self.duration / self.step).round() as usize;
        for i in 0..steps {
            let time = i as f64 * self.step;
            let relative = velocities[1] - velocities[0];
            let motion = |t: f64| self.motion(separation + relative * t, relative);
            let stepped = pair.advance(parameters, &motion, self.step, &mut state, &mut workspace)?;
            // The force on F along z, in the frame of E, which does not turn.
            let force = match self.coupling {
                Coupling::Sequential => -stepped.mean.on_e.force.z,
                Coupling::Parallel => held_force,
            };
            held_force = -stepped.end.wrenches.on_e.force.z;
            let before = relative;
            velocities[0] -= self.step * force / self.masses[0];
            velocities[1] += self.step * force / self.masses[1];
            // Constant force: the mean of both velocities is exact.
            separation += 0.5 * self.step * (before + velocities[1] - velocities[0]);
            result.add(time, self.step, force, velocities);
            result.max_penetration = result.max_penetration.max(stepped.max_penetration);
            result.iterations += u64::from(stepped.iterations);
            result.border_in_contact |= stepped.border_in_contact;
            if self.coupling == Coupling::Sequential {
                let error = energy_of(velocities, &stepped.end) / start_energy - 1.0;
                result.energy_error = result.energy_error.max(error.abs());
            }
        }
        result.kinetic_energy_left = energy_of(velocities, &FlexibleOutcome::default()) / start_energy;
        Ok(result)
    }

    fn motion(&self, separation: f64, velocity: f64) -> Result<RelativeMotion, MotionError> {
        let position = self.touching + Vector::z() * separation;
        let pose = Pose::from_parts(position.into(), polycontact::math::Rotation::identity());
        RelativeMotion::new(pose, Vector::z() * velocity, Vector::zeros())
    }
}

impl ImpactResult {
    fn add(&mut self, time: f64, step: f64, force: f64, velocities: [f64; 2]) {
        self.history.push([time + 0.5 * step, force]);
        if force <= 0.0 {
            return;
        }
        let goes_on = self.contacts.last().is_some_and(|contact| time - contact.end < SHORTEST_PAUSE);
        if !goes_on {
            self.contacts.push(Contact { start: time, ..Contact::default() });
        }
        if let Some(contact) = self.contacts.last_mut() {
            contact.end = time + step;
            contact.impulse += force * step;
            contact.peak_force = contact.peak_force.max(force);
            contact.velocities = velocities;
        }
    }
}
