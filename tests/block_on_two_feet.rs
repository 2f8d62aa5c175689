//! Seiwald's block: 0.2 × 0.1 × 0.1 m, 16 kg, on two narrow feet, pulled at its top edge; μ = 0.1.

use crate::support::{assert_close, checked, elastic_raw, surface, translation};
use polycontact::contact::{
    ContactParameters, ContactSurface, Method, Outcome, RawLayer, RawParameters, RelativeMotion, Workspace, evaluate,
};
use polycontact::math::{Rotation, Vector};
use polycontact::shapes::{cuboid, moved};

const MASS: f64 = 16.0;
const WEIGHT: f64 = MASS * 9.81;
const HALF_LENGTH: f64 = 0.1;
const HALF_HEIGHT: f64 = 0.05;
const MU: f64 = 0.1;
const V_EPS: f64 = 1e-3;

struct Block {
    plate: ContactSurface,
    /// At the left and at the right end, in the frame of the block's centre.
    feet: [ContactSurface; 2],
    parameters: ContactParameters,
    position: Vector,
    pitch: f64,
    velocity: Vector,
    pitch_rate: f64,
    workspace: Workspace,
}

impl Block {
    fn new() -> Self {
        let foot =
            |x: f64| surface(moved(&cuboid(Vector::new(2e-3, 0.1, 0.02)), &translation(x, 0.0, 0.01 - HALF_HEIGHT)));
        let layer = RawLayer { youngs_modulus: 1e7, poissons_ratio: 0.0, layer_thickness: 0.01 };
        Block {
            plate: surface(moved(&cuboid(Vector::new(1.0, 1.0, 0.2)), &translation(0.0, 0.0, -0.1))),
            feet: [foot(-HALF_LENGTH), foot(HALF_LENGTH)],
            // c_l = 1e9 N/m³ and 60 % of critical damping. The feet are soft: the faces of the plate carry the pressure, so
            // that friction is μ times the normal force. The walls of rigid feet in a soft plate would rub as well.
            parameters: checked(&RawParameters {
                layer_e: RawLayer::RIGID,
                layer_f: layer,
                areal_damping: 7.5e6,
                damping_transition_depth: 1e-5,
                friction_coefficient: MU,
                friction_regularization_velocity: V_EPS,
                ..elastic_raw(Method::Auto)
            }),
            position: Vector::new(0.03, 0.02, HALF_HEIGHT - 0.39e-3),
            pitch: 0.0,
            velocity: Vector::zeros(),
            pitch_rate: 0.0,
            workspace: Workspace::default(),
        }
    }

    /// Semi-implicit Euler in the vertical plane under a pull along x at the top edge; returns the forces on the
    /// plate of the last step.
    fn run(&mut self, pull: f64, duration: f64) -> [Outcome; 2] {
        let dt = 1e-4;
        let inertia = MASS / 12.0 * (0.2 * 0.2 + 0.1 * 0.1);
        let mut outcomes = [Outcome::default(); 2];
        for _ in 0..(duration / dt).round() as usize {
            let rotation = Rotation::from_axis_angle(&Vector::y_axis(), self.pitch);
            let pose = polycontact::math::Pose::from_parts(self.position.into(), rotation);
            let spin = Vector::y() * self.pitch_rate;
            let motion = RelativeMotion::new(pose, self.velocity, spin).expect("finite");
            let handle = rotation * Vector::new(HALF_LENGTH, 0.0, HALF_HEIGHT);
            let mut force = Vector::new(pull, 0.0, -WEIGHT);
            let mut torque = handle.cross(&Vector::new(pull, 0.0, 0.0)).y;
            for (foot, outcome) in self.feet.iter().zip(&mut outcomes) {
                *outcome = evaluate(&self.plate, foot, &self.parameters, &motion, &mut self.workspace);
                force -= outcome.wrenches.on_e.force;
                torque += (rotation * outcome.wrenches.on_f.torque).y;
            }
            self.velocity += force * (dt / MASS);
            self.velocity.y = 0.0;
            self.pitch_rate += torque * dt / inertia;
            self.position += self.velocity * dt;
            self.pitch += self.pitch_rate * dt;
        }
        outcomes
    }
}

#[test]
fn feet_carry_the_published_normal_forces_at_2_newton() {
    let mut block = Block::new();
    let [left, right] = block.run(2.0, 0.5);
    // Half of the weight, ± the pull times the height over the distance of the feet; published with 4 digits.
    // The feet sink by 0.4 mm, which changes the lever of 0.1 m by 0.4 %, 0.005 N.
    assert_close("left foot", -left.wrenches.on_e.force.z, 77.48, 2e-4);
    assert_close("right foot", -right.wrenches.on_e.force.z, 79.48, 2e-4);
    assert_close("friction", left.wrenches.on_e.force.x + right.wrenches.on_e.force.x, 2.0, 1e-3);
    // Regularised friction creeps where 2 N = μ W (2 r − r²), r = v / v_eps.
    let ratio = 1.0 - (1.0 - 2.0 / (MU * WEIGHT)).sqrt();
    assert_close("creep", block.velocity.x, ratio * V_EPS, 1e-3);
}

#[test]
fn block_slips_above_15_696_newton_and_not_below() {
    let limit = MU * WEIGHT;
    assert_close("limit", limit, 15.696, 1e-12);
    let mut below = Block::new();
    below.run(0.994 * limit, 1.0);
    assert!(below.velocity.x < V_EPS, "creeps at {}", below.velocity.x);

    let mut above = Block::new();
    above.run(1.006 * limit, 0.5);
    let before = above.velocity.x;
    above.run(1.006 * limit, 0.5);
    assert!(V_EPS < before);
    assert_close("acceleration", (above.velocity.x - before) / 0.5, 0.006 * limit / MASS, 0.02);
}
