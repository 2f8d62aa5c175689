//! Contacts of coarse meshes that are refined to their curved surfaces when they are read.

use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::time::Instant;

use crate::fmi2_support::{Fmu, SPHERE_ON_PLATE, fmi2OK};
use crate::support::random::Random;
use crate::support::{STIFFNESS, at_rest, checked, elastic_raw, pose, surface};
use polycontact::contact::{
    ContactParameters, ContactSurface, Method, RawLayer, RawParameters, RelativeMotion, Workspace, evaluate,
};
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::mesh::{TriangleMesh, smoothed};
use polycontact::shapes::{bush, cuboid, icosphere, involute_gear, regular_prism};

/// Degrees that are smooth in all scenes.
const ANGLE: f64 = 30.0;

fn smooth(mesh: &TriangleMesh, sag: f64) -> ContactSurface {
    surface(smoothed(mesh, ANGLE, sag).0)
}

/// One soft body, E; c_l = [`STIFFNESS`].
fn soft_e() -> RawParameters {
    let rigid = RawLayer { youngs_modulus: 0.0, ..elastic_raw(Method::Auto).layer_f };
    let raw = elastic_raw(Method::Auto);
    let soft = RawLayer { youngs_modulus: STIFFNESS * raw.layer_e.layer_thickness, ..raw.layer_e };
    RawParameters { layer_e: soft, layer_f: rigid, ..raw }
}

/// A rigid block whose top is the plane z = 0.
fn block() -> ContactSurface {
    let mut mesh = cuboid(Vector::new(1.0, 1.0, 0.1));
    mesh.vertices.iter_mut().for_each(|vertex| vertex.z -= 0.05);
    surface(mesh)
}

const RADIUS: f64 = 0.1;
const DEPTH: f64 = 1e-3;

/// Force of a round soft ball on a plane: c_l ∫ (R − √((R − δ)² + r²)) dA.
fn ball_on_plane(depth: f64) -> f64 {
    let height = RADIUS - depth;
    let squared = RADIUS * RADIUS - height * height;
    STIFFNESS * PI * (RADIUS * squared - 2.0 / 3.0 * (RADIUS.powi(3) - height.powi(3)))
}

/// Mean error of the force of a ball, and its standard deviation over the mean, turned about its centre.
fn error_and_ripple(ball: &ContactSurface, parameters: &ContactParameters) -> (f64, f64) {
    let (block, mut random, mut workspace) = (block(), Random::new(1), Workspace::default());
    let forces: Vec<f64> = (0..100)
        .map(|_| {
            let turned = Pose::from_parts(Vector::new(0.0, 0.0, RADIUS - DEPTH).into(), random.rotation());
            let motion = RelativeMotion::at_rest(turned.inverse());
            let outcome = evaluate(ball, &block, parameters, &motion, &mut workspace);
            (turned.rotation * outcome.wrenches.on_e.force).z
        })
        .collect();
    let mean = forces.iter().sum::<f64>() / forces.len() as f64;
    let variance = forces.iter().map(|force| (force - mean).powi(2)).sum::<f64>() / forces.len() as f64;
    (mean / ball_on_plane(DEPTH) - 1.0, variance.sqrt() / mean)
}

#[test]
fn a_ball_has_the_force_of_a_round_one() {
    let parameters = checked(&soft_e());
    for (level, largest_error, largest_ripple) in [(3, 0.01, 0.001), (2, 0.05, 0.005)] {
        let mesh = icosphere(RADIUS, level);
        let (error, ripple) = error_and_ripple(&surface(mesh.clone()), &parameters);
        let fine = smooth(&mesh, 1e-5);
        let (smooth_error, smooth_ripple) = error_and_ripple(&fine, &parameters);
        println!(
            "{} faces: error {:.2} %, ripple {:.2} %; {} faces: error {:.3} %, ripple {:.4} %",
            mesh.faces.len(),
            100.0 * error,
            100.0 * ripple,
            fine.mesh().faces.len(),
            100.0 * smooth_error,
            100.0 * smooth_ripple
        );
        assert!(smooth_error.abs() < largest_error && smooth_ripple < largest_ripple);
        assert!(0.3 < error.abs());
    }
}

/// The time of refining against that of the tree and the field, which every mesh of as many faces takes; the best of five,
/// since others may be at work. Optimised builds have an absolute limit.
#[test]
fn eighty_thousand_faces_are_made_in_a_moment() {
    let mesh = icosphere(RADIUS, 3);
    let (mut refining, mut building) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..5 {
        let start = Instant::now();
        let (fine, _) = smoothed(&mesh, ANGLE, 1e-5);
        refining = refining.min(start.elapsed().as_secs_f64());
        let start = Instant::now();
        assert_eq!(ContactSurface::new(fine).mesh().faces.len(), 81920);
        building = building.min(start.elapsed().as_secs_f64());
    }
    println!("1280 to 81920 faces in {refining:.3} s, and {building:.3} s for the tree and the field");
    assert!(refining < 2.0 * building, "{refining} s against {building} s");
    assert!(cfg!(debug_assertions) || refining + building < 0.2, "{refining} s and {building} s");
}

/// The keys of the configuration and the parameters of the FMU say the same.
#[test]
fn an_fmu_refines_its_surfaces_by_key_or_by_parameter() {
    let smooth_e = SPHERE_ON_PLATE.replace("[surface-f]", "smooth-angle = 30.0\nsag = 1e-4\n[surface-f]");
    let (smooth, plain) = (Fmu::sphere_on_plate(&smooth_e), Fmu::sphere_on_plate(SPHERE_ON_PLATE));
    let (by_key, by_parameter, as_it_is) = (smooth.initialized(), plain.instantiate(), plain.initialized());
    assert_eq!(by_parameter.set_real("surfaceE.smoothAngle", 30.0), fmi2OK);
    assert_eq!(by_parameter.set_real("surfaceE.sag", 1e-4), fmi2OK);
    by_parameter.initialize();
    let forces = [&by_key, &by_parameter, &as_it_is].map(|instance| {
        assert_eq!(instance.set_vector("relativePosition", Vector::new(0.0, 0.0, 1e-3 - RADIUS)), fmi2OK);
        (instance.integer("surfaceE.triangles"), instance.real("forceOnE[3]"))
    });
    assert_eq!(forces[0], forces[1]);
    assert_eq!(forces[2].0, 320);
    assert!(5120 <= forces[0].0);
    // Twice the mean sag, half of 1e-4 m, over the depth.
    let exact = ball_on_plane(DEPTH) / STIFFNESS * by_key.real("combinedLayerStiffness");
    assert!((forces[0].1 / exact - 1.0).abs() < 0.1, "{forces:?} {exact}");
}

/// Position, velocity, rotation vector increments are integrated with the fourth order of Runge and Kutta.
#[derive(Clone, Copy)]
struct Rolling {
    position: Vector,
    rotation: Rotation,
    velocity: Vector,
    spin: Vector,
}

impl Rolling {
    fn moved(&self, [velocity, spin, acceleration, spin_up]: &[Vector; 4], time: f64) -> Rolling {
        Rolling {
            position: self.position + velocity * time,
            rotation: Rotation::new(spin * time) * self.rotation,
            velocity: self.velocity + acceleration * time,
            spin: self.spin + spin_up * time,
        }
    }
}

/// A solid ball that rolls a turn at 1 m/s over a plate on which it lies 1 mm deep.
#[test]
fn a_ball_rolls_at_its_speed() {
    let parameters =
        checked(&RawParameters { friction_coefficient: 0.3, friction_regularization_velocity: 1e-2, ..soft_e() });
    let mesh = icosphere(RADIUS, 3);
    let (plate, mut workspace) = (block(), Workspace::default());
    let mut change = |ball: &ContactSurface| {
        let weight = ball_on_plane(DEPTH);
        let mass = weight / 9.81;
        let inertia = 0.4 * mass * RADIUS * RADIUS;
        let mut slopes = |state: &Rolling| -> [Vector; 4] {
            let e = Pose::from_parts(state.position.into(), state.rotation);
            let f_in_e = e.inverse();
            // The plate as seen from the ball.
            let to_e = |vector: Vector| state.rotation.inverse() * vector;
            let velocity = to_e(-state.velocity - state.spin.cross(&-state.position));
            let motion = RelativeMotion::new(f_in_e, velocity, to_e(-state.spin)).unwrap();
            let wrench = evaluate(ball, &plate, &parameters, &motion, &mut workspace).wrenches.on_e;
            let force = state.rotation * wrench.force + Vector::new(0.0, 0.0, -weight);
            [state.velocity, state.spin, force / mass, state.rotation * wrench.torque / inertia]
        };
        let height = RADIUS - DEPTH;
        let mut state = Rolling {
            position: Vector::new(-0.3, 0.0, height),
            rotation: Rotation::identity(),
            velocity: Vector::x(),
            spin: Vector::y() / height,
        };
        let steps = 800;
        let time = TAU * height / steps as f64;
        let (mut slowest, mut fastest) = (f64::INFINITY, 0.0f64);
        for _ in 0..steps {
            let a = slopes(&state);
            let b = slopes(&state.moved(&a, 0.5 * time));
            let c = slopes(&state.moved(&b, 0.5 * time));
            let d = slopes(&state.moved(&c, time));
            let mean: Vec<Vector> = (0..4).map(|i| (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]) / 6.0).collect();
            state = state.moved(&[mean[0], mean[1], mean[2], mean[3]], time);
            (slowest, fastest) = (slowest.min(state.velocity.x), fastest.max(state.velocity.x));
        }
        (state.velocity.norm() - 1.0, fastest - slowest)
    };
    let before = change(&surface(mesh.clone()));
    let after = change(&smooth(&mesh, 1e-5));
    println!("speed after a turn, and its range on the way: facets {before:?}, smooth {after:?}");
    assert!(after.0.abs() < 1e-4 && after.1 < 1e-4, "{after:?}");
    assert!(1e-3 < before.1);
}

/// A pin in a bush of 32 segments with a radial clearance of 0.05 mm: lies free at half the clearance in every
/// direction, and carries what c_l ρ L ∫ φ cos θ dθ says when it is pressed.
#[test]
fn a_pin_turns_freely_in_a_bush_and_carries_its_load() {
    let (radius, clearance, length) = (0.01, 5e-5, 0.02);
    let pin = regular_prism(radius, length, 32);
    let hole = bush(radius + clearance, 0.02, 2.0 * length, 32);
    let (rough, fine) = ([surface(pin.clone()), surface(hole.clone())], [smooth(&pin, 5e-7), smooth(&hole, 5e-7)]);
    let parameters = checked(&soft_e());
    let (mut rough_touches, mut touches) = (0, 0);
    for i in 0..40 {
        let (around, turn) = (TAU * i as f64 / 40.0, 0.37 * i as f64);
        let aside = 0.5 * clearance * Vector::new(around.cos(), around.sin(), 0.0);
        let pose = pose(aside, Vector::z() * turn);
        rough_touches += u32::from(at_rest(&rough[0], &rough[1], &parameters, &pose).contact_area != 0.0);
        touches += u32::from(at_rest(&fine[0], &fine[1], &parameters, &pose).contact_area != 0.0);
    }
    println!("at half the clearance: facets touch in {rough_touches} of 40 poses, smooth surfaces in {touches}");
    assert_eq!(touches, 0);
    assert!(0 < rough_touches);
    // The soft pin, E, has the field; the faces of the bush carry the pressure.
    let displacement = 1.5e-4;
    let outer = radius + clearance;
    let steps = 20_000;
    let exact: f64 = (0..steps)
        .map(|i| {
            let theta = FRAC_PI_2 * (f64::from(i) + 0.5) / f64::from(steps);
            let from_pin = (outer * outer - 2.0 * outer * displacement * theta.cos() + displacement.powi(2)).sqrt();
            2.0 * (radius - from_pin).max(0.0) * theta.cos() * outer * length * FRAC_PI_2 / f64::from(steps)
        })
        .sum::<f64>()
        * STIFFNESS;
    for i in 0..20 {
        let (around, turn) = (TAU * i as f64 / 20.0, 0.37 * i as f64);
        let aside = displacement * Vector::new(around.cos(), around.sin(), 0.0);
        let pose = pose(aside, Vector::z() * turn);
        let force = at_rest(&fine[0], &fine[1], &parameters, &pose).wrenches.on_e.force.norm();
        assert!((force / exact - 1.0).abs() < 0.03, "{force} instead of {exact}");
        if i == 0 {
            let rough = at_rest(&rough[0], &rough[1], &parameters, &pose).wrenches.on_e.force.norm();
            println!("force: exact {exact:.3} N, smooth {force:.3} N, facets {rough:.3} N");
        }
    }
}

/// How far the driven gear is from where involutes put it, along the base circle, over a tooth: between the largest and
/// the smallest.
///
/// Teeth of half the pitch leave a play of 2 (inv α' − inv α) where the axes are farther apart than 2 r, with
/// cos α' = 2 r cos α / distance.
fn transmission_error(gear: &ContactSurface) -> f64 {
    let parameters = checked(&soft_e());
    let mut workspace = Workspace::default();
    let pitch = 0.5 * MODULE * TEETH as f64;
    let base = pitch * PRESSURE_ANGLE.cos();
    let distance = 2.0 * pitch + BACKLASH;
    let involute = |angle: f64| angle.tan() - angle;
    let play = 2.0 * (involute((2.0 * base / distance).acos()) - involute(PRESSURE_ANGLE));
    let errors: Vec<f64> = (0..20)
        .map(|i| {
            let roll = TAU / TEETH as f64 * (f64::from(i) + 0.5) / 20.0;
            let e = Pose::from_parts(Vector::zeros().into(), Rotation::new(Vector::z() * roll));
            let mut touches = |lead: f64| {
                let turn = PI / TEETH as f64 - roll + lead;
                let f = Pose::from_parts(Vector::new(distance, 0.0, 1e-4).into(), Rotation::new(Vector::z() * turn));
                let motion = RelativeMotion::at_rest(e.inverse() * f);
                evaluate(gear, gear, &parameters, &motion, &mut workspace).contact_area != 0.0
            };
            // Chords are inside the teeth, so that the gear leads by up to twice their sag, about a micrometre each.
            let (mut free, mut pressed) = (play - 5e-7 / base, play + 3e-6 / base);
            assert!(touches(pressed) && !touches(free));
            for _ in 0..12 {
                let middle = 0.5 * (free + pressed);
                if touches(middle) { pressed = middle } else { free = middle }
            }
            (pressed - play) * base
        })
        .collect();
    let (low, high) = errors.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &e| (l.min(e), h.max(e)));
    high - low
}

const TEETH: usize = 20;
/// How much farther apart the axes are than without backlash, in m: involutes transmit evenly all the same.
const BACKLASH: f64 = 1e-4;
const MODULE: f64 = 0.002;
const PRESSURE_ANGLE: f64 = 20.0 * PI / 180.0;

#[test]
fn gears_of_few_faces_per_flank_transmit_as_involutes_do() {
    let mesh = involute_gear(TEETH, MODULE, PRESSURE_ANGLE, 0.01, 21, 0.38 * MODULE);
    let rough = transmission_error(&surface(mesh.clone()));
    let fine = smooth(&mesh, 3e-8);
    let error = transmission_error(&fine);
    println!("transmission error: facets {rough:.3e} m, {} smooth faces {error:.3e} m", fine.mesh().faces.len());
    assert!(error < 0.05 * rough, "{error:e} of {rough:e}");
}
