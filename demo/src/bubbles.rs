//! The dissertation's bouncing bubbles (§5.3): three dumb-bells fall into a funnel; six contacts, each an FMU instance.

use std::path::Path;

use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};

use crate::bodies::{Inertia, NUMBERS, from_motion, to_motion};
use crate::contact_fmu::{Contact, ContactFmu, Wrench};
use crate::motion::Motion;
use crate::runge_kutta::{Control, Integration};

/// In m/s², along −z.
const GRAVITY: f64 = 9.81;
/// In kg and kg m²; z is the long axis.
const BUBBLE: Inertia = Inertia { mass: 2.0, moments: Vector3::new(0.02, 0.02, 0.01) };
/// Centres at the start in m: 1 m above the tip of the funnel, the second and third shifted along and across.
const CENTRES: [[f64; 3]; 3] = [[0.0, 0.0, 1.0], [0.2, -0.3, 1.0], [-0.2, 0.3, 1.0]];
/// Value of `stepOutput`.
const HOLD: i32 = 1;
/// End of the simulation in s.
pub const STOP_TIME: f64 = 3.2;

/// Bodies E and F of the six contacts; none is the funnel.
pub const PAIRS: [(usize, Option<usize>); 6] =
    [(0, None), (1, None), (2, None), (0, Some(1)), (0, Some(2)), (1, Some(2))];

/// The three bodies, and last the energy that damping and friction have taken, whose error is not controlled.
const STATE: usize = 3 * NUMBERS + 1;

/// The tolerance is in m, m/s and rad/s: a tenth of a millimetre and a tenth of a millimetre per second, a twentieth of
/// the velocity that regularises friction. The largest step is a hundredth of the longest flight.
const CONTROL: Control = Control { tolerance: 1e-4, components: STATE - 1, largest_step: 4e-3 };

/// State at one accepted time.
#[derive(Clone, Copy)]
pub struct Sample {
    /// In s.
    pub time: f64,
    /// Of the three bubbles.
    pub motions: [Motion; 3],
    /// Patches of each of [`PAIRS`].
    pub patches: [i32; 6],
    /// Of all bubbles, in J.
    pub kinetic: f64,
    /// Zero at the tip of the funnel, in J.
    pub potential: f64,
    /// In all layers, in J.
    pub elastic: f64,
    /// Taken by damping and friction until now, in J.
    pub dissipated: f64,
}

impl Sample {
    /// What the bubbles can still give back, in J.
    pub fn mechanical_energy(&self) -> f64 {
        self.kinetic + self.potential + self.elastic
    }

    /// How far the bubbles are from being their own image after half a turn about the vertical, in m.
    pub fn asymmetry(&self) -> f64 {
        let turned = |motion: &Motion| Vector3::new(-motion.position.x, -motion.position.y, motion.position.z);
        let [first, second, third] = &self.motions;
        (first.position - turned(first)).norm().max((second.position - turned(third)).norm())
    }
}

/// A finished simulation.
pub struct Run {
    /// At the start and after every accepted step.
    pub samples: Vec<Sample>,
    /// Evaluations of all six contacts.
    pub evaluations: usize,
    /// Steps whose error was too large.
    pub rejected: usize,
}

/// The instances, and what they answered last.
struct Contacts {
    fmus: Vec<ContactFmu>,
    latest: [Contact; 6],
    evaluations: usize,
}

impl Contacts {
    fn load(funnel: &Path, pair: &Path, motions: &[Motion; 3]) -> Result<Self, String> {
        let mut contacts = Contacts { fmus: Vec::new(), latest: Default::default(), evaluations: 0 };
        for (index, (e, f)) in PAIRS.into_iter().enumerate() {
            let path = if f.is_some() { pair } else { funnel };
            let mut fmu = ContactFmu::load(path, &format!("contact {index}"))?;
            // The solver tries motions as it likes, and wants the outputs that belong to them.
            fmu.set_choice("stepOutput", HOLD)?;
            contacts.latest[index] = fmu.start(&motions[e], &body_f(motions, f), STOP_TIME)?;
            contacts.fmus.push(fmu);
        }
        Ok(contacts)
    }

    /// Derivative of the whole state.
    fn rate(&mut self, state: &[f64; STATE]) -> Result<[f64; STATE], String> {
        self.evaluations += 1;
        let motions = motions(state);
        let weight = -Vector3::z() * BUBBLE.mass * GRAVITY;
        let mut wrenches = [Wrench { force: weight, torque: Vector3::zeros() }; 3];
        for (index, (e, f)) in PAIRS.into_iter().enumerate() {
            let contact = self.fmus[index].evaluate(&motions[e], &body_f(&motions, f))?;
            wrenches[e].force += contact.on_e.force;
            wrenches[e].torque += contact.on_e.torque;
            if let Some(f) = f {
                wrenches[f].force += contact.on_f.force;
                wrenches[f].torque += contact.on_f.torque;
            }
            self.latest[index] = contact;
        }
        let mut rate = [0.0; STATE];
        for (body, part) in rate.chunks_exact_mut(NUMBERS).enumerate() {
            part.copy_from_slice(&BUBBLE.rate(&motions[body], &wrenches[body]));
        }
        rate[STATE - 1] = self.latest.iter().map(|contact| contact.dissipated_power).sum();
        Ok(rate)
    }

    /// Tells the instances that the step which led to their inputs is done.
    fn accept(&mut self, from: f64, to: f64) -> Result<(), String> {
        self.fmus.iter_mut().try_for_each(|fmu| fmu.accept(from, to - from))
    }

    fn sample(&self, time: f64, state: &[f64; STATE]) -> Sample {
        let motions = motions(state);
        Sample {
            time,
            motions,
            patches: self.latest.map(|contact| contact.patches),
            kinetic: motions.iter().map(|motion| BUBBLE.kinetic_energy(motion)).sum(),
            potential: motions.iter().map(|motion| BUBBLE.mass * GRAVITY * motion.position.z).sum(),
            elastic: self.latest.iter().map(|contact| contact.elastic_energy).sum(),
            dissipated: state[STATE - 1],
        }
    }
}

/// Simulates up to a time, with the FMUs of a bubble in the funnel and of two bubbles.
pub fn run(funnel: &Path, pair: &Path, stop: f64) -> Result<Run, String> {
    let start = CENTRES.map(|centre| Motion::at_rest(centre.into(), lying()));
    let mut state = [0.0; STATE];
    for (part, motion) in state.chunks_exact_mut(NUMBERS).zip(&start) {
        part.copy_from_slice(&from_motion(motion));
    }
    let mut contacts = Contacts::load(funnel, pair, &start)?;
    let derivative = contacts.rate(&state)?;
    let mut integration = Integration { time: 0.0, state, derivative, next_step: 1e-3, rejected: 0 };
    let mut samples = vec![contacts.sample(0.0, &state)];
    while integration.time < stop {
        let from = integration.time;
        integration.advance(stop, &CONTROL, &mut |state| contacts.rate(state))?;
        contacts.accept(from, integration.time)?;
        samples.push(contacts.sample(integration.time, &integration.state));
    }
    Ok(Run { samples, evaluations: contacts.evaluations, rejected: integration.rejected })
}

/// The long axis z along x of the world, x up: then mesh and scene have the same symmetry.
fn lying() -> UnitQuaternion<f64> {
    let columns = Matrix3::from_columns(&[Vector3::z(), -Vector3::y(), Vector3::x()]);
    UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(columns))
}

fn motions(state: &[f64; STATE]) -> [Motion; 3] {
    std::array::from_fn(|body| to_motion(&state[body * NUMBERS..(body + 1) * NUMBERS]))
}

fn body_f(motions: &[Motion; 3], f: Option<usize>) -> Motion {
    f.map_or_else(Motion::world, |body| motions[body])
}

/// Phases of contact in the order of their ends: pair, begin and end in s; one that lasts ends at infinity.
pub fn phases(samples: &[Sample]) -> Vec<(usize, f64, f64)> {
    let mut phases = Vec::new();
    for pair in 0..PAIRS.len() {
        let mut begin = None;
        for sample in samples {
            match (begin, 0 < sample.patches[pair]) {
                (None, true) => begin = Some(sample.time),
                (Some(start), false) => {
                    phases.push((pair, start, sample.time));
                    begin = None;
                }
                _ => {}
            }
        }
        phases.extend(begin.map(|start| (pair, start, f64::INFINITY)));
    }
    phases.sort_by(|a, b| a.2.total_cmp(&b.2));
    phases
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_is_symmetric_and_lying() {
        assert!((lying() * Vector3::z() - Vector3::x()).norm() < 1e-15);
        assert!((lying() * Vector3::x() - Vector3::z()).norm() < 1e-15);
        let motions = CENTRES.map(|centre| Motion::at_rest(centre.into(), lying()));
        let sample =
            Sample { time: 0.0, motions, patches: [0; 6], kinetic: 0.0, potential: 0.0, elastic: 0.0, dissipated: 0.0 };
        assert_eq!(sample.asymmetry(), 0.0);
    }

    #[test]
    fn phases_begin_and_end_with_the_patches_of_their_pair() {
        let motions = CENTRES.map(|centre| Motion::at_rest(centre.into(), lying()));
        let sample = |time: f64, first: i32, last: i32| Sample {
            time,
            motions,
            patches: [first, 0, 0, 0, 0, last],
            kinetic: 0.0,
            potential: 0.0,
            elastic: 0.0,
            dissipated: 0.0,
        };
        let samples = [sample(0.0, 0, 0), sample(1.0, 1, 0), sample(2.0, 2, 1), sample(3.0, 0, 1), sample(4.0, 1, 1)];
        assert_eq!(phases(&samples), [(0, 1.0, 3.0), (0, 4.0, f64::INFINITY), (5, 2.0, f64::INFINITY)]);
    }
}
