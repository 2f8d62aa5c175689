//! The wrench is a continuous function of the pose. POLYCONTACT_POSES is the number of paths per method.
//!
//! A path of poses is cut into intervals; in each, the half with the larger change is followed down to a
//! step of 1e-9. Over a continuous function the change shrinks with the step; over a jump it stays.

use crate::support::random::{Random, pose_count};
use crate::support::{FORCE_METHODS, STIFFNESS, checked, elastic_raw, pose, radius, surface, wrench_distance};
use polycontact::contact::{
    ContactParameters, ContactSurface, Method, Outcome, RawParameters, RelativeMotion, Workspace, evaluate,
};
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::mesh::TriangleMesh;
use polycontact::shapes::{comb, cuboid, icosphere, moved, regular_prism, subdivided_cuboid, torus};

const INTERVALS: usize = 25;
const FINAL_STEP: f64 = 1e-9;

struct Path<'a> {
    e: &'a ContactSurface,
    f: &'a ContactSurface,
    parameters: ContactParameters,
    start: Pose,
    shift: Vector,
    turn: Vector,
    velocity: Vector,
    spin: Vector,
    size: f64,
}

impl Path<'_> {
    fn at(&self, s: f64, workspace: &mut Workspace) -> Outcome {
        let rotation = Rotation::new(self.turn * s) * self.start.rotation;
        let position = self.start.translation.vector + self.shift * s;
        let motion = RelativeMotion::new(Pose::from_parts(position.into(), rotation), self.velocity, self.spin);
        evaluate(self.e, self.f, &self.parameters, &motion.expect("finite"), workspace)
    }

    /// The largest change over a step of `FINAL_STEP` found on the path, as a force over c_l size³, and where it is.
    fn largest_jump(&self, workspace: &mut Workspace) -> (f64, f64) {
        let mut worst = (0.0, 0.0);
        let mut left = self.at(0.0, workspace);
        for i in 0..INTERVALS {
            let (mut low, mut high) = (i as f64 / INTERVALS as f64, (i + 1) as f64 / INTERVALS as f64);
            let next = self.at(high, workspace);
            let (mut at_low, mut at_high) = (left, next);
            left = next;
            while FINAL_STEP < high - low && at_low != at_high {
                let middle = 0.5 * (low + high);
                let at_middle = self.at(middle, workspace);
                let change = |a: &Outcome, b: &Outcome| wrench_distance(a, b, self.size);
                if change(&at_middle, &at_high) < change(&at_low, &at_middle) {
                    (high, at_high) = (middle, at_middle);
                } else {
                    (low, at_low) = (middle, at_middle);
                }
            }
            let jump = wrench_distance(&at_low, &at_high, self.size) / (STIFFNESS * self.size.powi(3));
            if worst.0 < jump {
                worst = (jump, low);
            }
        }
        worst
    }
}

impl Path<'_> {
    /// A jump on the path, in words.
    fn jump(&self, workspace: &mut Workspace) -> Option<String> {
        let (jump, at) = self.largest_jump(workspace);
        // Depths change by no more than the way, so the force by no more than c_l times the active area times it: up to
        // 24 size² and 10 size on a whole path, as much again for the torque, and twice that where damping and
        // friction change with the depth; 2e3 c_l size³ is above all of them.
        (2e3 * FINAL_STEP < jump).then(|| format!("at {at:.10}: jump of {jump:.1e} c_l size³"))
    }
}

/// Wrenches are what is compared, and so deep in each other bodies need long for the energy.
fn without_energy() -> Workspace {
    let mut workspace = Workspace::default();
    workspace.without_energy = true;
    workspace
}

/// Scans random paths for every method. A path moves F by about its size and turns it by about a radian.
fn scan(name: &str, mesh_e: &TriangleMesh, mesh_f: &TriangleMesh, paths: usize, raw: impl Fn(Method) -> RawParameters) {
    let (e, f) = (surface(mesh_e.clone()), surface(mesh_f.clone()));
    let size = radius(mesh_e).min(radius(mesh_f));
    let mut workspace = without_energy();
    let mut jumps = Vec::new();
    for method in FORCE_METHODS {
        for seed in 0..pose_count(paths) {
            let mut random = Random::new(1000 + seed as u64);
            // From outside, or from just inside, towards the middle and past it.
            let start = random.pose_around(Vector::zeros(), radius(mesh_e) + radius(mesh_f));
            let target = random.pose_around(Vector::zeros(), 0.7 * radius(mesh_e));
            let path = Path {
                e: &e,
                f: &f,
                parameters: checked(&raw(method)),
                start,
                shift: target.translation.vector - start.translation.vector,
                turn: random.direction() * random.between(0.0, 1.0),
                velocity: random.direction(),
                spin: random.direction(),
                size,
            };
            jumps.extend(path.jump(&mut workspace).map(|words| format!("{method:?}, path {seed}, {words}")));
        }
    }
    assert!(jumps.is_empty(), "{name}: {} jumps\n{}", jumps.len(), jumps.join("\n"));
}

#[test]
fn box_in_box_is_continuous() {
    let mesh = cuboid(Vector::new(0.1, 0.12, 0.15));
    scan("box in box", &mesh, &mesh, 2, elastic_raw);
}

#[test]
fn box_in_plate_is_continuous() {
    let plate = cuboid(Vector::new(0.5, 0.5, 0.1));
    scan("box in plate", &plate, &cuboid(Vector::new(0.1, 0.1, 0.1)), 2, elastic_raw);
}

#[test]
fn ball_in_plate_is_continuous() {
    let plate = moved(&cuboid(Vector::new(0.4, 0.4, 0.1)), &Pose::translation(0.0, 0.0, -0.05));
    scan("ball in plate", &plate, &icosphere(0.1, 1), 1, elastic_raw);
}

#[test]
fn torus_in_torus_is_continuous() {
    let mesh = torus(0.1, 0.04, 8, 5);
    scan("torus in torus", &mesh, &mesh, 1, elastic_raw);
}

#[test]
fn comb_in_comb_is_continuous() {
    let centred = |mesh: &TriangleMesh| moved(mesh, &Pose::translation(-0.045, 0.0, -0.01));
    let mesh = centred(&comb(2, 0.03, 0.05, 0.03, 0.1));
    scan("comb in comb", &mesh, &mesh, 1, elastic_raw);
}

#[test]
fn damping_and_friction_are_continuous() {
    let raw = |method| RawParameters {
        areal_damping: 1e5,
        damping_transition_depth: 1e-3,
        friction_coefficient: 0.3,
        friction_regularization_velocity: 0.1,
        ..elastic_raw(method)
    };
    let mesh = regular_prism(0.1, 0.15, 5);
    scan("damped frictional prisms", &mesh, &cuboid(Vector::new(0.2, 0.2, 0.1)), 1, raw);
}

/// A foot sinks into stones, deeper than they are high, and turns there.
#[test]
fn foot_in_rough_terrain_is_continuous() {
    let mut terrain = subdivided_cuboid(Vector::new(0.4, 0.4, 0.2), [14, 14, 4]);
    let mut random = Random::new(5);
    for vertex in terrain.vertices.iter_mut().filter(|vertex| 0.0999 < vertex.z) {
        vertex.z += random.between(-0.02, 0.02);
    }
    let foot = regular_prism(0.05, 0.1, 12);
    let (e, f) = (surface(terrain), surface(foot));
    for method in FORCE_METHODS {
        for _ in 0..pose_count(1) {
            let path = Path {
                e: &e,
                f: &f,
                parameters: checked(&elastic_raw(method)),
                start: pose(
                    Vector::new(random.between(-0.1, 0.1), random.between(-0.1, 0.1), 0.16),
                    random.direction() * 0.1,
                ),
                shift: Vector::new(random.between(-0.05, 0.05), random.between(-0.05, 0.05), -0.07),
                turn: random.direction() * 0.3,
                velocity: Vector::zeros(),
                spin: Vector::zeros(),
                size: 0.05,
            };
            assert_eq!(path.jump(&mut without_energy()), None, "{method:?}");
        }
    }
}
