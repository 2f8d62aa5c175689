//! The flexible example, a ball that hits the end of a rod, with both bodies free in the host.

use std::path::{Path, PathBuf};

use super::{Fmu, Instance, fmi2OK};
use polycontact::contact::RelativeMotion;
use polycontact::flexible::{BodyModel, FlexibleBody, FlexiblePair};
use polycontact::math::{Pose, Rotation, Vector};

/// Speed of the ball in m/s, as in the published impact.
pub const SPEED: f64 = 0.3;

/// Gap at the start in m: some steps of free flight.
pub const GAP: f64 = 1.0e-6;

/// Communication step in s.
pub const STEP: f64 = 1.0e-6;

/// Steps until the bodies are apart again: the contact lasts about 0.2 ms, and waves come back after 0.4 ms.
pub const STEPS: u32 = 300;

/// A step in the middle of the contact.
pub const MIDDLE: u32 = 80;

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/ball-on-rod")
}

/// The example as it is packaged.
pub fn fmu() -> Fmu {
    fmu_with("")
}

/// The example with more lines at the end of its configuration, in the table `[flexible]`.
pub fn fmu_with(lines: &str) -> Fmu {
    let folder = Fmu::empty_folder();
    for name in ["rod.npz", "ball.npz"] {
        std::fs::copy(example().join(name), folder.join(name)).unwrap();
    }
    let configuration = std::fs::read_to_string(example().join("contact.toml")).unwrap();
    Fmu::in_folder(folder, &format!("{configuration}\n{lines}"))
}

/// Rod and ball as the library reads them.
pub fn bodies() -> [FlexibleBody; 2] {
    ["rod.npz", "ball.npz"].map(|name| FlexibleBody::read(&example().join(name)).unwrap())
}

pub fn pair() -> FlexiblePair {
    let [rod, ball] = bodies();
    FlexiblePair::new(BodyModel::Flexible(rod), BodyModel::Flexible(ball)).unwrap()
}

/// Two free rigid bodies that move along z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flight {
    masses: [f64; 2],
    /// Origin of the ball seen from the rod.
    pub position: Vector,
    /// Velocities of rod and ball along z.
    pub velocities: [f64; 2],
}

impl Flight {
    /// The ball flies towards the rod. Both meshes touch the origin of their coordinates.
    pub fn start() -> Flight {
        let [rod, ball] = bodies();
        let [rod, ball] = [rod.model(), ball.model()];
        Flight {
            masses: [rod.mass, ball.mass],
            position: ball.centre_of_mass - rod.centre_of_mass + GAP * Vector::z(),
            velocities: [0.0, -SPEED],
        }
    }

    /// Velocity of the ball relative to the rod.
    pub fn velocity(&self) -> Vector {
        (self.velocities[1] - self.velocities[0]) * Vector::z()
    }

    /// The motion that the contact takes for granted within a step.
    pub fn motion(&self, time: f64) -> RelativeMotion {
        let position = self.position + self.velocity() * time;
        RelativeMotion::new(Pose::from_parts(position.into(), Rotation::identity()), self.velocity(), Vector::zeros())
            .unwrap()
    }

    /// Moves the bodies under a constant force on the rod.
    pub fn advance(&mut self, force_on_rod: f64, step: f64) {
        let before = self.velocity();
        self.velocities[0] += step * force_on_rod / self.masses[0];
        self.velocities[1] -= step * force_on_rod / self.masses[1];
        self.position += 0.5 * step * (before + self.velocity());
    }

    pub fn kinetic_energy(&self) -> f64 {
        (0..2).map(|body| 0.5 * self.masses[body] * self.velocities[body].powi(2)).sum()
    }

    /// Hands the motion to the FMU.
    pub fn set_inputs(&self, instance: &Instance) {
        assert_eq!(instance.set_vector("relativePosition", self.position), fmi2OK);
        assert_eq!(instance.set_vector("relativeVelocity", self.velocity()), fmi2OK);
    }

    /// One step of a sequential master: the contact first, then the bodies under its force.
    pub fn step_with(&mut self, instance: &Instance, index: u32, step: f64) {
        self.set_inputs(instance);
        let status = instance.step(f64::from(index) * step, step);
        assert_eq!(status, fmi2OK, "{:?}", instance.messages());
        self.advance(instance.real("forceOnE[3]"), step);
    }
}

/// Energy that the FMU has in its bodies and springs, in J.
pub fn stored_energy(instance: &Instance) -> f64 {
    let outputs = ["elasticEnergy", "surfaceE.modalKineticEnergy", "surfaceF.modalKineticEnergy"];
    outputs.iter().map(|name| instance.real(name)).sum()
}
