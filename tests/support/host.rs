//! A test master: rigid bodies in contact with a fixed one, stepped as co-simulation does. At a communication point the
//! pose goes in and the wrench comes out; the wrench is held over the step, which is one of semi-implicit Euler.

use polycontact::contact::{
    BristleMemory, ContactParameters, ContactSurface, FrictionModel, Outcome, RawLayer, RawParameters, RelativeMotion,
    Workspace, evaluate,
};
use polycontact::math::{Matrix, Pose, Rotation, Vector};

/// The parameters that a configuration starts with, for a soft body on a rigid one.
pub fn soft_on_rigid() -> RawParameters {
    RawParameters {
        layer_e: RawLayer::RIGID,
        layer_f: RawLayer::default(),
        friction_model: FrictionModel::Bristle,
        ..RawParameters::default()
    }
}

/// A force element with its memory.
pub struct Element {
    pub e: ContactSurface,
    pub f: ContactSurface,
    pub parameters: ContactParameters,
    pub memory: BristleMemory,
    workspace: Workspace,
}

impl Element {
    pub fn new(e: ContactSurface, f: ContactSurface, raw: &RawParameters) -> Self {
        let parameters = ContactParameters::new(raw).expect("good parameters");
        Element { e, f, parameters, memory: BristleMemory::default(), workspace: Workspace::default() }
    }

    /// The outcome at a motion; nothing is remembered.
    pub fn look(&mut self, motion: &RelativeMotion) -> Outcome {
        let motion = self.memory.recall(motion).expect("finite");
        evaluate(&self.e, &self.f, &self.parameters, &motion, &mut self.workspace)
    }

    /// The outcome at a communication point, from where a step starts.
    pub fn step(&mut self, motion: &RelativeMotion) -> Outcome {
        let outcome = self.look(motion);
        self.memory = self.memory.advanced(motion.pose_ef(), &outcome.grip);
        outcome
    }
}

/// A rigid body whose frame is at its centre of mass, along its principal axes.
#[derive(Clone, Copy)]
pub struct Body {
    pub mass: f64,
    pub inertia: Vector,
    pub pose: Pose,
    pub velocity: Vector,
    pub angular_velocity: Vector,
}

impl Body {
    pub fn at_rest(mass: f64, inertia: Vector, position: Vector) -> Self {
        let pose = Pose::translation(position.x, position.y, position.z);
        Body { mass, inertia, pose, velocity: Vector::zeros(), angular_velocity: Vector::zeros() }
    }

    pub fn motion(&self) -> RelativeMotion {
        RelativeMotion::new(self.pose, self.velocity, self.angular_velocity).expect("finite")
    }

    /// Advances by a step under a force and a torque about the centre of mass.
    pub fn advance(&mut self, force: Vector, torque: Vector, step: f64) {
        self.velocity += force * (step / self.mass);
        let turn = self.pose.rotation;
        let inertia = turn.matrix() * Matrix::from_diagonal(&self.inertia) * turn.matrix().transpose();
        let inverse = turn.matrix() * Matrix::from_diagonal(&self.inertia.map(|i| 1.0 / i)) * turn.matrix().transpose();
        let gyroscopic = self.angular_velocity.cross(&(inertia * self.angular_velocity));
        self.angular_velocity += inverse * (torque - gyroscopic) * step;
        let position = self.pose.translation.vector + self.velocity * step;
        let rotation = Rotation::new(self.angular_velocity * step) * turn;
        self.pose = Pose::from_parts(position.into(), rotation);
    }

    /// A step under a load at the centre of mass and the wrench of an element whose body F this is.
    pub fn step(&mut self, element: &mut Element, load: Vector, step: f64) -> Outcome {
        let outcome = element.step(&self.motion());
        let on_f = outcome.wrenches.on_f;
        let turn = self.pose.rotation;
        self.advance(load + turn * on_f.force, turn * on_f.torque, step);
        outcome
    }
}
