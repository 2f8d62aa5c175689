//! The drop test: steps of the body, steps of the FMU, and what is recorded.

use std::path::Path;
use std::time::Instant;

use nalgebra::{UnitQuaternion, Vector3};

use crate::contact_fmu::{Contact, ContactFmu, Wrench};
use crate::motion::Motion;

/// Standard gravity in m/s², along −z.
pub const GRAVITY: f64 = 9.80665;
/// Radius of the sphere in m, that of resources/sphere.obj.
pub const RADIUS: f64 = 0.1;
/// Mass of the sphere in kg; with its volume, about that of rubber.
pub const MASS: f64 = 4.0;
/// Moment of inertia of a full sphere in kg m², the same about every axis.
pub const INERTIA: f64 = 0.4 * MASS * RADIUS * RADIUS;

/// End of the simulation in s.
pub const STOP_TIME: f64 = 0.5;
/// Communication step in s while the sphere flies.
pub const STEP_APART: f64 = 2e-5;
/// Communication step in s near the plate, short enough for the sum of the dissipated power: the energy that is exchanged
/// is right with far longer ones.
pub const STEP_NEAR: f64 = 2e-6;
/// Height in m below which the sphere is near; many times what it falls in a long step.
const NEAR: f64 = 2e-4;

/// State at one communication point.
#[derive(Clone, Copy)]
pub struct Sample {
    /// In s.
    pub time: f64,
    /// Motion of the sphere; the origin of the world is the middle of the plate's upper side.
    pub body: Motion,
    /// Contact over the step that begins here; its elastic energy is that of this motion.
    pub contact: Contact,
    /// Energy taken by damping and friction until now, in J.
    pub dissipated: f64,
    /// Wall time of the FMU for the step that begins here, in s.
    pub wall_time: f64,
}

/// At the start: 50 mm above the plate, drifting along x with a spin against rolling.
fn dropped() -> Motion {
    Motion {
        position: Vector3::new(-0.05, 0.0, RADIUS + 0.05),
        orientation: UnitQuaternion::identity(),
        velocity: Vector3::new(0.25, 0.0, 0.0),
        angular_velocity: Vector3::new(2.0, -3.0, 1.0),
    }
}

/// The sphere after some time under a constant wrench, at the same pose.
fn accelerated(body: &Motion, wrench: &Wrench, time: f64) -> Motion {
    let acceleration = wrench.force / MASS - Vector3::z() * GRAVITY;
    Motion {
        velocity: body.velocity + acceleration * time,
        angular_velocity: body.angular_velocity + wrench.torque / INERTIA * time,
        ..*body
    }
}

impl Sample {
    /// Of translation and rotation, in J.
    pub fn kinetic_energy(&self) -> f64 {
        let Motion { velocity, angular_velocity, .. } = self.body;
        0.5 * MASS * velocity.norm_squared() + 0.5 * INERTIA * angular_velocity.norm_squared()
    }

    /// Zero where the sphere touches the plate, in J.
    pub fn potential_energy(&self) -> f64 {
        MASS * GRAVITY * self.height()
    }

    /// Of the lowest point above the plate, in m.
    pub fn height(&self) -> f64 {
        self.body.position.z - RADIUS
    }

    /// Kinetic, potential, elastic and dissipated; constant in an exact world.
    pub fn total_energy(&self) -> f64 {
        self.kinetic_energy() + self.potential_energy() + self.contact.elastic_energy + self.dissipated
    }
}

/// Runs the test; one sample per communication point.
///
/// An ordinary master: the FMU gets the motion and makes a step, and the sphere goes the same step under its wrench.
pub fn run(fmu: &Path) -> Result<Vec<Sample>, String> {
    let (mut body, plate) = (dropped(), Motion::world());
    let mut fmu = ContactFmu::load(fmu, "drop")?;
    fmu.start(&body, &plate, STOP_TIME)?;
    let mut samples: Vec<Sample> = Vec::new();
    let (mut time, mut last_step) = (0.0, 0.0);
    while time < STOP_TIME - STEP_NEAR {
        let step = if body.position.z - RADIUS < NEAR { STEP_NEAR } else { STEP_APART };
        let step = step.min(STOP_TIME - time);
        let clock = Instant::now();
        let contact = fmu.step(time, step, &body, &plate)?;
        let wall_time = clock.elapsed().as_secs_f64();
        let before = samples.last().map_or((0.0, 0.0), |last| (last.dissipated, last.contact.dissipated_power));
        let dissipated = before.0 + 0.5 * last_step * (before.1 + contact.dissipated_power);
        samples.push(Sample { time, body, contact, dissipated, wall_time });
        body = accelerated(&accelerated(&body, &contact.on_e, 0.5 * step).moved(step), &contact.on_e, 0.5 * step);
        (time, last_step) = (time + step, step);
    }
    Ok(samples)
}

/// What the summary prints.
pub struct Summary {
    /// Largest force in N, and when, in s.
    pub peak_force: (f64, f64),
    /// Largest penetration in m.
    pub peak_penetration: f64,
    /// Beginning and end of the first contact in s.
    pub first_contact: (f64, f64),
    /// Largest height after the first contact in m.
    pub rebound_height: f64,
    /// Vertical speed after the first contact over that before it.
    pub restitution: f64,
    /// Largest deviation of the total energy from its start, as a part of it.
    pub energy_error: f64,
    /// Median wall time of a step with and without contact in s.
    pub wall_times: (f64, f64),
}

impl Summary {
    /// From the samples of a run; the error says why there is none.
    pub fn new(samples: &[Sample]) -> Result<Self, String> {
        let touches = |sample: &Sample| 0.0 < sample.contact.area;
        let begin = samples.iter().position(touches).ok_or("the sphere never touched the plate")?;
        let length = samples[begin..].iter().position(|sample| !touches(sample));
        let end = begin + length.ok_or("the sphere never left the plate again")?;
        let peak = samples.iter().max_by(|a, b| a.contact.on_e.force.norm().total_cmp(&b.contact.on_e.force.norm()));
        let peak = peak.expect("there is at least the start");
        let start = samples[0].total_energy();
        let error = |sample: &Sample| ((sample.total_energy() - start) / start).abs();
        let largest = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
        let median_wall_time = |touching: bool| {
            let of = samples[1..].iter().filter(|sample| touches(sample) == touching);
            let mut times: Vec<f64> = of.map(|sample| sample.wall_time).collect();
            times.sort_by(f64::total_cmp);
            times[times.len() / 2]
        };
        Ok(Summary {
            peak_force: (peak.contact.on_e.force.norm(), peak.time),
            peak_penetration: largest(&mut samples.iter().map(|sample| sample.contact.max_penetration)),
            first_contact: (samples[begin].time, samples[end].time),
            rebound_height: largest(&mut samples[end..].iter().map(|sample| sample.height())),
            restitution: -samples[end].body.velocity.z / samples[begin - 1].body.velocity.z,
            energy_error: largest(&mut samples.iter().map(error)),
            wall_times: (median_wall_time(true), median_wall_time(false)),
        })
    }
}

/// The samples as a table, about one line for every tenth of a millisecond, in contact for every hundredth.
pub fn to_csv(samples: &[Sample]) -> String {
    let mut text = String::from(
        "time/s,x/m,y/m,z/m,vx/(m/s),vy/(m/s),vz/(m/s),wx/(rad/s),wy/(rad/s),wz/(rad/s),fx/N,fy/N,fz/N,\
         penetration/m,area/m2,kinetic/J,potential/J,elastic/J,dissipated/J,total/J\n",
    );
    let mut next_time = 0.0;
    for sample in samples {
        let Sample { time, body, contact, dissipated, .. } = sample;
        if *time < next_time {
            continue;
        }
        next_time = time + if contact.area == 0.0 { 1e-4 } else { 1e-5 };
        let vectors = [body.position, body.velocity, body.angular_velocity, contact.on_e.force];
        let numbers = [
            contact.max_penetration,
            contact.area,
            sample.kinetic_energy(),
            sample.potential_energy(),
            contact.elastic_energy,
            *dissipated,
            sample.total_energy(),
        ];
        let columns = vectors.iter().flat_map(|vector| vector.iter()).chain(&numbers);
        text += &format!("{time:.6}");
        columns.for_each(|value| text += &format!(",{value:.9e}"));
        text.push('\n');
    }
    text
}
