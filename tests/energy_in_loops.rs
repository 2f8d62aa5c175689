//! Energy: bounces without loss, and the net work around closed loops of poses.
//!
//! `cargo test --test contact energy_in_loops:: -- --nocapture` prints the table of the loops.

use crate::support::{FORCE_METHODS, SCHEMES, checked, elastic, elastic_raw, generic_rotation, surface, translation};
use polycontact::contact::{
    ContactParameters, ContactSurface, ElementScheme, Method, RawParameters, RelativeMotion, Workspace, evaluate,
};
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::shapes::{cuboid, icosphere, moved};

const RADIUS: f64 = 0.1;
const GRAVITY: f64 = 9.81;
const MASS: f64 = 1.0;
const INERTIA: f64 = 0.4 * MASS * RADIUS * RADIUS;

fn plate() -> ContactSurface {
    surface(moved(&cuboid(Vector::new(1.0, 1.0, 0.2)), &translation(0.0, 0.0, -0.1)))
}

/// A ball that moves freely over the plate at rest.
struct Ball<'a> {
    plate: &'a ContactSurface,
    surface: &'a ContactSurface,
    parameters: ContactParameters,
    pose: Pose,
    velocity: Vector,
    spin: Vector,
    force: Vector,
    torque: Vector,
    elastic_energy: f64,
    workspace: Workspace,
}

impl Ball<'_> {
    fn update_forces(&mut self) {
        let motion = RelativeMotion::new(self.pose, self.velocity, self.spin).expect("finite");
        let outcome = evaluate(self.plate, self.surface, &self.parameters, &motion, &mut self.workspace);
        self.force = self.pose.rotation * outcome.wrenches.on_f.force - Vector::z() * (MASS * GRAVITY);
        self.torque = self.pose.rotation * outcome.wrenches.on_f.torque;
        self.elastic_energy = outcome.elastic_energy;
    }

    /// One step of velocity Verlet.
    fn step(&mut self, dt: f64) {
        self.velocity += self.force * (0.5 * dt / MASS);
        self.spin += self.torque * (0.5 * dt / INERTIA);
        self.pose.translation.vector += self.velocity * dt;
        self.pose.rotation = Rotation::new(self.spin * dt) * self.pose.rotation;
        self.update_forces();
        self.velocity += self.force * (0.5 * dt / MASS);
        self.spin += self.torque * (0.5 * dt / INERTIA);
    }

    fn energy(&self) -> f64 {
        0.5 * MASS * self.velocity.norm_squared()
            + 0.5 * INERTIA * self.spin.norm_squared()
            + MASS * GRAVITY * self.pose.translation.vector.z
            + self.elastic_energy
    }
}

/// Drops a spinning ball and follows three bounces. Returns the largest energy error during the whole motion and
/// after the last bounce, both over the initial energy above rest, and the number of bounces.
fn bounce(dt: f64) -> (f64, f64, usize) {
    let (plate, ball) = (plate(), surface(icosphere(RADIUS, 2)));
    let mut ball = Ball {
        plate: &plate,
        surface: &ball,
        parameters: elastic(Method::Auto),
        pose: Pose::from_parts(Vector::new(0.01, 0.02, RADIUS + 0.01).into(), generic_rotation()),
        velocity: Vector::new(0.02, 0.01, -0.2),
        spin: Vector::new(0.5, -0.3, 0.2),
        force: Vector::zeros(),
        torque: Vector::zeros(),
        elastic_energy: 0.0,
        workspace: Workspace::default(),
    };
    ball.update_forces();
    let initial = ball.energy();
    let scale = initial - MASS * GRAVITY * RADIUS;
    let (mut worst, mut bounces, mut was_in_contact) = (0f64, 0, false);
    for _ in 0..(0.3 / dt).round() as usize {
        ball.step(dt);
        worst = worst.max((ball.energy() - initial).abs());
        let is_in_contact = 0.0 < ball.elastic_energy;
        bounces += (was_in_contact && !is_in_contact) as usize;
        was_in_contact = is_in_contact;
    }
    (worst / scale, (ball.energy() - initial).abs() / scale, bounces)
}

#[test]
fn undamped_bounce_keeps_its_energy_at_the_order_of_the_integrator() {
    let errors = [8e-5, 4e-5, 2e-5].map(|dt| {
        let (worst, last, bounces) = bounce(dt);
        println!("dt {dt:e}: worst {worst:.2e}, at the end {last:.2e}, {bounces} bounces");
        assert!(2 <= bounces);
        assert!(last <= worst);
        worst
    });
    // Velocity Verlet is of second order.
    for pair in errors.windows(2) {
        let ratio = pair[0] / pair[1];
        assert!((3.0..5.3).contains(&ratio), "errors {errors:?}");
    }
    assert!(errors[2] < 1e-3, "errors {errors:?}");
}

/// Net work of the contact on F around a closed loop over its largest value on the way: 5 mm down into the partner, aside
/// by an edge length, turned, up, and back outside. None where no element ever bears: a coarse plate has its centroids
/// elsewhere.
fn loop_defect(e: &ContactSurface, f: &ContactSurface, parameters: &ContactParameters, steps: usize) -> Option<f64> {
    let top = Vector::new(0.013, 0.007, 2e-3);
    let (depth, aside) = (Vector::new(0.0, 0.0, -7e-3), Vector::new(0.015, 0.01, 0.0));
    let turn = Vector::new(0.1, -0.15, 0.2);
    let none = Vector::zeros();
    let mut workspace = Workspace::default();
    let mut position = top + Vector::z() * RADIUS;
    let mut rotation = generic_rotation();
    let (mut work, mut highest) = (0.0, 0f64);
    // The way back is outside, where nothing acts.
    for (shift, angle) in [(depth, none), (aside, none), (none, turn), (-depth, none)] {
        let (dx, dphi) = (shift / steps as f64, angle / steps as f64);
        for _ in 0..steps {
            let middle = Pose::from_parts((position + 0.5 * dx).into(), Rotation::new(0.5 * dphi) * rotation);
            let outcome = evaluate(e, f, parameters, &RelativeMotion::at_rest(middle), &mut workspace);
            work += (middle.rotation * outcome.wrenches.on_f.force).dot(&dx)
                + (middle.rotation * outcome.wrenches.on_f.torque).dot(&dphi);
            highest = highest.max(-work);
            position += dx;
            rotation = Rotation::new(dphi) * rotation;
        }
    }
    (0.0 < highest).then(|| f64::abs(work) / highest)
}

#[test]
fn loops_without_net_work_are_left_to_the_steps() {
    // The force is the gradient of an energy, whatever the mesh: what remains is the midpoint rule, of second order.
    let (plate, ball) = (plate(), surface(icosphere(RADIUS, 1)));
    for method in FORCE_METHODS {
        let defect = |steps| loop_defect(&plate, &ball, &elastic(method), steps).expect("contact");
        let (coarse, fine) = (defect(50), defect(200));
        println!("{method:?}: {coarse:.2e}, {fine:.2e}");
        assert!(fine < 1e-5 && fine < coarse / 6.0, "{method:?}: {coarse:e}, {fine:e}");
    }
}

/// A method as the page names it: E is the partner, F the ball.
fn in_words(method: Method) -> &'static str {
    match method {
        Method::Auto => "auto",
        Method::CollisionOnly => "collision-only",
        Method::TwoPass => "two-pass",
        Method::MasterE => "faces of the partner",
        Method::MasterF => "faces of the ball",
    }
}

#[test]
fn net_work_around_closed_loops_as_a_table() {
    println!("| partner | scheme | method | 80 faces | 320 | 1280 | 5120 |");
    println!("|---|---|---|---|---|---|---|");
    let balls = [1, 2, 3, 4].map(|subdivisions| surface(icosphere(RADIUS, subdivisions)));
    for elements in SCHEMES {
        for method in FORCE_METHODS {
            let parameters = checked(&RawParameters { elements, ..elastic_raw(method) });
            for partner in ["plate", "ball"] {
                let defects = [0, 1, 2, 3].map(|i| {
                    let ball = &balls[i];
                    // The lower ball has the same mesh, its top at the height of the plate.
                    let lower = match partner {
                        "plate" => plate(),
                        _ => surface(moved(ball.mesh(), &translation(0.0, 0.0, -RADIUS))),
                    };
                    loop_defect(&lower, ball, &parameters, 400)
                });
                let cells =
                    defects.map(|defect| defect.map_or("no element".to_string(), |defect| format!("{defect:.1e}")));
                let scheme = format!("{elements:?}").to_lowercase();
                println!("| {partner} | {scheme} | {} | {} |", in_words(method), cells.join(" | "));
                if elements == ElementScheme::Potential {
                    // The midpoint rule with 400 steps per leg, also on the coarsest mesh.
                    let worst = defects.map(|defect| defect.expect("contact")).into_iter().fold(0.0, f64::max);
                    assert!(worst < 1e-4, "{partner}, {method:?}: {defects:?}");
                }
            }
        }
    }
}
