//! Bodies, and masters of a few lines that exchange with contact FMUs at communication points.

#![allow(dead_code)]

use polycontact::free_body::{BodyState, MarkerMotion, RawBody, RigidBody, WrenchCourse};
use polycontact::math::{Matrix, Pose, Rotation, Vector, Wrench};
use polycontact::mesh::TriangleMesh;
use polycontact::shapes;

use crate::fmi2_support::{Fmu, Instance, api, fmi2OK};

pub const GRAVITY: f64 = 9.81;

/// When a master applies a wrench.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Master {
    /// Both sides step at once, with the outputs of the step before.
    Parallel,
    /// First the contact, then the bodies with the wrench of this very step.
    Sequential,
    /// Outputs are read after inputs were set, before the step (OMSimulator).
    ReadsBefore,
}

pub const MASTERS: [Master; 3] = [Master::Parallel, Master::Sequential, Master::ReadsBefore];

/// A body of the host.
#[derive(Clone)]
pub enum Body {
    Fixed,
    Free(Box<(RigidBody, RawBody)>, BodyState),
    /// Turns about the y axis of its marker, which stays where it is.
    Hinged {
        inertia: f64,
        mass_times_arm: f64,
        angle: f64,
        rate: f64,
    },
}

impl Body {
    pub fn free(raw: RawBody, motion: MarkerMotion) -> Body {
        let body = RigidBody::new(&raw).unwrap();
        let state = body.state(&motion);
        Body::Free(Box::new((body, raw)), state)
    }

    pub fn motion(&self) -> MarkerMotion {
        let rest = MarkerMotion {
            position: Vector::zeros(),
            rotation: Rotation::identity(),
            velocity: Vector::zeros(),
            angular_velocity: Vector::zeros(),
        };
        match self {
            Body::Fixed => rest,
            Body::Free(body, state) => body.0.motion(state),
            Body::Hinged { angle, rate, .. } => MarkerMotion {
                rotation: Rotation::from_axis_angle(&Vector::y_axis(), *angle),
                angular_velocity: Vector::y() * *rate,
                ..rest
            },
        }
    }

    /// Under a wrench on the marker, resolved in it.
    pub fn advance(&mut self, wrench: Wrench, step: f64) {
        match self {
            Body::Fixed => {}
            Body::Free(body, state) => {
                let course = WrenchCourse { start: wrench, rate: Wrench::default() };
                *state = body.0.advance(state, &course, step).unwrap_or(*state);
            }
            // Gravity turns a pendulum that hangs along −z back: Runge-Kutta.
            Body::Hinged { inertia, mass_times_arm, angle, rate } => {
                let f = |angle: f64| (wrench.torque.y - *mass_times_arm * GRAVITY * angle.sin()) / *inertia;
                let (a, w) = (*angle, *rate);
                let k1 = (w, f(a));
                let k2 = (w + 0.5 * step * k1.1, f(a + 0.5 * step * k1.0));
                let k3 = (w + 0.5 * step * k2.1, f(a + 0.5 * step * k2.0));
                let k4 = (w + step * k3.1, f(a + step * k3.0));
                *angle += step / 6.0 * (k1.0 + 2.0 * (k2.0 + k3.0) + k4.0);
                *rate += step / 6.0 * (k1.1 + 2.0 * (k2.1 + k3.1) + k4.1);
            }
        }
    }

    /// Kinetic and potential energy in J.
    pub fn energy(&self) -> f64 {
        match self {
            Body::Fixed => 0.0,
            Body::Free(body, state) => {
                let (body, raw) = body.as_ref();
                let motion = body.motion(state);
                let inertia = Matrix::from_diagonal(&raw.moments_of_inertia);
                let local = motion.rotation.inverse() * motion.angular_velocity;
                0.5 * raw.mass * motion.velocity.norm_squared() + 0.5 * local.dot(&(inertia * local))
                    - raw.mass * raw.gravity.dot(&motion.position)
            }
            Body::Hinged { inertia, mass_times_arm, angle, rate } => {
                0.5 * inertia * rate * rate - mass_times_arm * GRAVITY * angle.cos()
            }
        }
    }
}

/// Bodies and the contacts between pairs of them.
pub struct System {
    pub bodies: Vec<Body>,
    pub contacts: Vec<(Instance, usize, usize)>,
    pub wrenches: Vec<[Wrench; 2]>,
    pub time: f64,
    /// In N.
    pub largest_force: f64,
}

impl System {
    pub fn new(bodies: Vec<Body>, contacts: Vec<(Instance, usize, usize)>) -> System {
        let wrenches = vec![[Wrench::default(); 2]; contacts.len()];
        System { bodies, contacts, wrenches, time: 0.0, largest_force: 0.0 }
    }

    pub fn set_inputs(&self, (instance, e, f): &(Instance, usize, usize)) {
        let (e, f) = (self.bodies[*e].motion(), self.bodies[*f].motion());
        let to_e = e.rotation.inverse();
        let way = f.position - e.position;
        assert_eq!(instance.set_vector("relativePosition", to_e * way), fmi2OK);
        let rotation = to_e * f.rotation;
        let first = instance.reference("relativeOrientation[1,1]");
        let references: Vec<u32> = (first..first + 9).collect();
        let rows: Vec<f64> = rotation.matrix().transpose().iter().copied().collect();
        assert_eq!(api::set_real(instance.handle, &references, 9, &rows), fmi2OK);
        let velocity = to_e * (f.velocity - e.velocity - e.angular_velocity.cross(&way));
        assert_eq!(instance.set_vector("relativeVelocity", velocity), fmi2OK);
        let turning = to_e * (f.angular_velocity - e.angular_velocity);
        assert_eq!(instance.set_vector("relativeAngularVelocity", turning), fmi2OK);
    }

    pub fn outputs(instance: &Instance) -> [Wrench; 2] {
        ["E", "F"].map(|body| Wrench {
            force: instance.vector(&format!("forceOn{body}")),
            torque: instance.vector(&format!("torqueOn{body}")),
        })
    }

    pub fn step(&mut self, master: Master, step: f64) {
        let mut read = Vec::new();
        for contact in &self.contacts {
            self.set_inputs(contact);
            if master == Master::ReadsBefore {
                read.push(System::outputs(&contact.0));
            }
            assert_eq!(contact.0.step(self.time, step), fmi2OK, "{:?}", contact.0.messages());
            if master != Master::ReadsBefore {
                read.push(System::outputs(&contact.0));
            }
        }
        let applied = if master == Master::Parallel { self.wrenches.clone() } else { read.clone() };
        self.wrenches = read;
        let mut sums = vec![Wrench::default(); self.bodies.len()];
        for ((_, e, f), [on_e, on_f]) in self.contacts.iter().zip(applied) {
            sums[*e] += on_e;
            sums[*f] += on_f;
            self.largest_force = self.largest_force.max(on_e.force.norm());
        }
        for (body, wrench) in self.bodies.iter_mut().zip(sums) {
            body.advance(wrench, step);
        }
        self.time += step;
    }

    pub fn is_apart(&self) -> bool {
        self.wrenches.iter().flatten().all(|wrench| wrench.force == Vector::zeros())
    }

    pub fn energy(&self) -> f64 {
        self.bodies.iter().map(Body::energy).sum()
    }

    /// Until the contacts have closed and opened again this many times; the time that the first one was closed.
    pub fn until_apart(&mut self, master: Master, step: f64, times: u32, most: f64) -> f64 {
        let (mut closed, mut opened, mut first) = (None, 0, 0.0);
        while opened < times {
            self.step(master, step);
            match closed {
                None if !self.is_apart() => closed = Some(self.time),
                Some(since) if self.is_apart() => {
                    opened += 1;
                    if opened == 1 {
                        first = self.time - since;
                    }
                    closed = None;
                }
                _ => {}
            }
            if most < self.time {
                return f64::NAN;
            }
        }
        // What a parallel master still applies.
        self.step(master, step);
        self.step(master, step);
        first
    }
}

pub const LAYERS: &str = "youngs-modulus = 1e8\nlayer-thickness = 0.01\n";

pub fn pair(e: &TriangleMesh, f: &TriangleMesh, contact: &str) -> Fmu {
    let text = format!(
        "name = \"Pair\"\n[surface-e]\nmesh = \"e.obj\"\n{LAYERS}[surface-f]\nmesh = \"f.obj\"\n{LAYERS}[contact]\n{contact}"
    );
    Fmu::new(&text, &[("e.obj", e), ("f.obj", f)])
}

pub fn plate() -> TriangleMesh {
    let mut plate = shapes::cuboid(Vector::new(1.0, 1.0, 0.1));
    plate.vertices.iter_mut().for_each(|vertex| vertex.z -= 0.05);
    plate
}

pub fn ball(radius: f64) -> TriangleMesh {
    let tilt = Pose::from_parts(Vector::zeros().into(), Rotation::from_euler_angles(0.3, 0.5, 0.7));
    shapes::moved(&shapes::icosphere(radius, 2), &tilt)
}

pub fn ball_of_water(radius: f64, gravity: f64, position: Vector, velocity: Vector) -> Body {
    let mass = 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    let raw = RawBody {
        mass,
        moments_of_inertia: Vector::repeat(0.4 * mass * radius * radius),
        gravity: Vector::new(0.0, 0.0, -gravity),
        ..RawBody::default()
    };
    let motion = MarkerMotion { position, rotation: Rotation::identity(), velocity, angular_velocity: Vector::zeros() };
    Body::free(raw, motion)
}

/// Smooth and without damping, so that energy tells the whole error.
pub const SMOOTH: &str = "areal-damping = 0\nfriction-coefficient = 0\n";
