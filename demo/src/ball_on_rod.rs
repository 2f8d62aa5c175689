//! A flexible ball hits the end of a flexible rod: force and velocities over time, next to the theory of a long rod.

use std::f64::consts::PI;
use std::path::Path;

use nalgebra::{UnitQuaternion, Vector3};
use polycontact_plot::{Line, Panel};

use crate::contact_fmu::ContactFmu;
use crate::motion::Motion;
use crate::write;

/// Of the ball before the impact, in m/s.
const SPEED: f64 = 0.3;

/// Distance of the markers, which are the centres of mass, when the meshes touch, and the gap at the start, in m.
const TOUCH: f64 = 0.499995 + 0.014994;
const GAP: f64 = 1e-6;

/// Communication step in s, and how many: the contact lasts about 0.2 ms.
const STEP: f64 = 1e-6;
const STEPS: usize = 350;

/// Young's modulus in Pa, Poisson's ratio and density in kg/m³ of the rod, and its radius in m.
const ROD: [f64; 3] = [72.8e9, 0.33, 2789.0];
const ROD_RADIUS: f64 = 0.010;

/// Young's modulus in Pa and Poisson's ratio of the ball, and its radius in m.
const BALL: [f64; 2] = [210e9, 0.3];
const BALL_RADIUS: f64 = 0.015;

/// Largest deviation of the impulse from theory, which knows neither the shape of waves near the impact nor the
/// ringing of the ball.
const TOLERANCE: f64 = 0.05;

/// Simulates the impact and writes `rod.svg`.
pub fn demo(fmu: &Path, folder: &Path) -> Result<(), String> {
    let mut fmu = ContactFmu::load(fmu, "ball on rod")?;
    let at = |height, velocity| Motion {
        velocity: Vector3::new(0.0, 0.0, velocity),
        ..Motion::at_rest(Vector3::new(0.0, 0.0, height), UnitQuaternion::identity())
    };
    let (mut rod, mut ball) = (at(0.0, 0.0), at(TOUCH + GAP, -SPEED));
    fmu.start(&rod, &ball, STEP * STEPS as f64)?;
    let [rod_mass, ball_mass] = [fmu.real("surfaceE.mass")?, fmu.real("surfaceF.mass")?];
    let (mut forces, mut balls, mut rods) = (Vec::new(), Vec::new(), Vec::new());
    let mut impulse = 0.0;
    for step in 0..STEPS {
        let time = STEP * step as f64;
        // The FMU goes first; its mean force of the step then moves both bodies.
        let force = fmu.step(time, STEP, &rod, &ball)?.on_f.force.z;
        let advanced = |body: &Motion, push: f64| {
            let velocity = body.velocity.z + push * STEP;
            at(body.position.z + 0.5 * STEP * (body.velocity.z + velocity), velocity)
        };
        (rod, ball) = (advanced(&rod, -force / rod_mass), advanced(&ball, force / ball_mass));
        impulse += force * STEP;
        forces.push((1e6 * (time + 0.5 * STEP), force));
        balls.push((1e6 * (time + STEP), ball.velocity.z));
        rods.push((1e6 * (time + STEP), rod.velocity.z));
    }
    let theory = long_rod(ball_mass);
    let expected: f64 = theory.iter().map(|(_, force)| force * STEP).sum();
    let peak = |points: &[(f64, f64)]| points.iter().map(|point| point.1).fold(0.0, f64::max);
    let restitution = (ball.velocity.z - rod.velocity.z) / SPEED;
    println!(
        "A steel ball of {:.1} g hits an aluminium rod of {:.0} g with {SPEED} m/s",
        1e3 * ball_mass,
        1e3 * rod_mass
    );
    println!("  impulse      {impulse:.4} N s, theory of a long rod {expected:.4} N s");
    println!("  peak         {:.0} N, theory {:.0} N", peak(&forces), peak(&theory));
    println!(
        "  ball after   {:+.3} m/s, rod {:+.3} m/s, restitution {restitution:.3}",
        ball.velocity.z, rod.velocity.z
    );
    if TOLERANCE < (impulse / expected - 1.0).abs() {
        return Err(format!("the impulse must be {expected:.4} N s within 5 %"));
    }
    let x_label = "time / µs";
    let panels = [
        Panel {
            title: "Contact force",
            x_label,
            y_label: "force / N",
            lines: vec![Line { name: "FMU", points: forces }, Line { name: "theory", points: theory }],
        },
        Panel {
            title: "Velocity of the centres of mass, upwards",
            x_label,
            y_label: "velocity / m/s",
            lines: vec![Line { name: "ball", points: balls }, Line { name: "rod", points: rods }],
        },
    ];
    write(folder, "rod.svg", &polycontact_plot::to_svg(&panels))
}

/// Hertz's spring between a rigid ball and a rod that answers as waves run away, whose end moves with F / (ρ c A):
/// time in µs and force in N, step by step.
fn long_rod(ball_mass: f64) -> Vec<(f64, f64)> {
    const PARTS: usize = 100;
    let [modulus, ratio, density] = ROD;
    let compliance = (1.0 - ratio * ratio) / modulus + (1.0 - BALL[1] * BALL[1]) / BALL[0];
    let spring = 4.0 / 3.0 / compliance * BALL_RADIUS.sqrt();
    let impedance = (modulus * density).sqrt() * PI * ROD_RADIUS * ROD_RADIUS;
    let (mut depth, mut velocity) = (-GAP, SPEED);
    let part = STEP / PARTS as f64;
    let mean_force = |_: usize| {
        let forces = (0..PARTS).map(|_| {
            let force = spring * depth.max(0.0).powf(1.5);
            velocity -= force / ball_mass * part;
            depth += (velocity - force / impedance) * part;
            force
        });
        forces.sum::<f64>() / PARTS as f64
    };
    let forces: Vec<f64> = (0..STEPS).map(mean_force).collect();
    forces.iter().enumerate().map(|(step, force)| (1e6 * STEP * (step as f64 + 0.5), *force)).collect()
}
