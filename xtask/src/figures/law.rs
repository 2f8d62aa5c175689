//! Pressure over depth with damping, and friction over slip: a flat punch on a plate.

use polycontact::contact::{ContactSurface, Method, Outcome, RawParameters, RelativeMotion};
use polycontact::math::{Pose, Vector};
use polycontact::shapes::{cuboid, moved};
use polycontact_plot::{Line, Panel, to_svg};

use super::evaluated;

/// Side of the punch in m: it lies within the plate.
const SIDE: f64 = 0.05;

/// Areal damping in N s/m³, transition depth in m, closing speed in m/s.
const DAMPING: f64 = 1.0e6;
const TRANSITION: f64 = 0.1e-3;
const SPEED: f64 = 0.2;

/// Regularisation velocity in m/s.
const REGULARIZATION: f64 = 1e-3;

const STEPS: usize = 300;

pub fn figure() -> String {
    let over = |name: &'static str, range: f64, unit: f64, y: &dyn Fn(f64) -> f64| Line {
        name,
        points: (0..=STEPS).map(|i| range * i as f64 / STEPS as f64).map(|x| (unit * x, y(x))).collect(),
    };
    let depth_range = 0.4e-3;
    let pressure = |transition: f64, speed: f64| {
        let raw = raw(transition);
        move |depth: f64| 1e-6 * pressed(&raw, depth, Vector::new(0.0, 0.0, -speed)).normal_stress.mean
    };
    let friction = |slip: f64| {
        let raw = RawParameters { areal_damping: 0.0, ..raw(0.0) };
        let outcome = pressed(&raw, 0.2e-3, Vector::new(slip, 0.0, 0.0));
        outcome.wrenches.on_e.force.x / (raw.friction_coefficient * outcome.wrenches.on_e.force.z.abs())
    };
    to_svg(&[
        Panel {
            title: "Pressure over depth: d_l = 1e6 N s/m³, u_d = 0.1 mm, closing or opening with 0.2 m/s",
            x_label: "depth u / mm",
            y_label: "pressure / MPa",
            lines: vec![
                over("closing, u_d = 0", depth_range, 1e3, &pressure(0.0, SPEED)),
                over("closing", depth_range, 1e3, &pressure(TRANSITION, SPEED)),
                over("at rest", depth_range, 1e3, &pressure(TRANSITION, 0.0)),
                over("opening", depth_range, 1e3, &pressure(TRANSITION, -SPEED)),
            ],
        },
        Panel {
            title: "Friction over slip: v_eps = 1 mm/s",
            x_label: "slip velocity / mm/s",
            y_label: "τ / (μ p)",
            lines: vec![over("g", 3.0 * REGULARIZATION, 1e3, &friction)],
        },
    ])
}

fn raw(transition: f64) -> RawParameters {
    RawParameters {
        method: Method::MasterF,
        areal_damping: DAMPING,
        damping_transition_depth: transition,
        friction_regularization_velocity: REGULARIZATION,
        ..RawParameters::default()
    }
}

/// The punch F so deep in the plate E, with this velocity.
fn pressed(raw: &RawParameters, depth: f64, velocity: Vector) -> Outcome {
    let plate = moved(&cuboid(Vector::new(0.4, 0.4, 0.1)), &Pose::translation(0.0, 0.0, -0.05));
    let punch = cuboid(Vector::new(SIDE, SIDE, SIDE));
    let [plate, punch] = [plate, punch].map(ContactSurface::new);
    let pose = Pose::translation(0.0, 0.0, 0.5 * SIDE - depth);
    let motion = RelativeMotion::new(pose, velocity, Vector::zeros()).expect("a finite motion");
    evaluated(&plate, &punch, raw, &motion)
}
