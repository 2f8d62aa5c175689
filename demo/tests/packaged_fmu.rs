//! The packaged FMUs in the `fmi` crate, with forces computed from the meshes in their resources.
//!
//! `cargo xtask test` packages the FMUs and names their folder in `POLYCONTACT_FMUS`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use fmi::CS;
use fmi::fmi2::import::Fmi2Import;
use fmi::fmi2::instance::{CoSimulation, Common, Instance};
use fmi::traits::FmiImport;

/// Value of the enumeration `method` with the flat plate as master: then the force is exactly c_l V.
const MASTER_E: i32 = 4;
const MASTER_F: i32 = 5;

/// Value of `stepOutput` with which outputs belong to the inputs, however bodies are moved.
const HOLD: i32 = 1;

/// c_l of the sphere's layer: K / b with K = E (1 - ν) / ((1 + ν)(1 - 2ν)), E = 10⁷ Pa, ν = 0.3, b = 0.01 m.
const LAYER_STIFFNESS: f64 = 1e7 * 0.7 / (1.3 * 0.4) / 0.01;

/// Radius of the sphere in m.
const RADIUS: f64 = 0.1;

/// Both sides are sums of about a hundred rounded terms.
const TOLERANCE: f64 = 1e-9;

#[test]
fn constant_poses_give_stiffness_times_volume() {
    for name in ["SphereOnPlate", "SphereByQuaternion", "SphereByCardan"] {
        let mut host = Host::load(name);
        host.set_integer("method", MASTER_E);
        host.set_integer("stepOutput", HOLD);
        host.initialize();
        let poses = [(-1e-3, 0.0), (0.5e-3, 0.0), (2e-3, 0.0), (2e-3, 0.7), (4e-3, -2.1)];
        for (step, (depth, turn)) in poses.into_iter().enumerate() {
            host.set_pose(depth, turn);
            host.step(step as f64 * 1e-3, 1e-3);
            let force = LAYER_STIFFNESS * host.sphere.part_below(depth, turn).volume;
            assert_eq!(depth > 0.0, force > 0.0);
            let expected = [0.0, 0.0, -force];
            assert_close(host.get_vector("forceOnF"), expected, force, name);
            // A_EF turns about x, so the force on E has the turned direction.
            let expected = [0.0, -turn.sin() * force, turn.cos() * force];
            assert_close(host.get_vector("forceOnE"), expected, force, name);
        }
    }
}

/// On the flat plate the velocity is the same everywhere: damping adds to the springs what its area takes, and friction is
/// a part of the sum.
#[test]
fn a_moving_pose_has_damping_and_friction() {
    let (damping, friction) = (1e5, 0.25);
    let (sinking, sliding) = (0.1, 0.4);
    let mut host = Host::load("SphereOnPlate");
    host.set_integer("method", MASTER_F);
    host.set_integer("stepOutput", HOLD);
    host.set_real("arealDamping", damping);
    host.set_real("dampingTransitionDepth", 0.0);
    host.set_real("frictionCoefficient", friction);
    host.initialize();
    for step in 0..20 {
        let time = f64::from(step) * 2e-3;
        let depth = -0.55e-3 + 0.5 * sinking * time;
        host.set_pose(depth, 0.0);
        host.set_real("relativeVelocity[1]", 0.0);
        host.set_real("relativeVelocity[3]", 0.0);
        host.step(time, 1e-3);
        let at_rest = host.get_vector("forceOnE")[2];
        // The plate, seen from the sphere, comes up and slides away.
        host.set_real("relativePosition[1]", -sliding * time);
        host.set_real("relativeVelocity[1]", -sliding);
        host.set_real("relativeVelocity[3]", sinking);
        host.step(time + 1e-3, 1e-3);
        let part = host.sphere.part_below(depth, 0.0);
        // The sphere is soft: a little less than stiffness times volume.
        let most = LAYER_STIFFNESS * part.volume;
        assert!(at_rest <= most * (1.0 + TOLERANCE), "{at_rest} N at {depth} m, at most {most} N");
        let normal = at_rest + damping * part.area * sinking;
        assert_close(host.get_vector("forceOnE"), [-friction * normal, 0.0, normal], normal, "moving");
    }
    assert!(host.get_vector("forceOnE")[2] > 0.0);
}

#[test]
fn a_body_lands_and_rests() {
    let (gravity, step_size) = (9.81, 2e-4);
    let mut host = Host::load("SphereOnPlate");
    let rest_depth = 0.5e-3;
    let part = host.sphere.part_below(rest_depth, 0.0);
    let mass = LAYER_STIFFNESS * part.volume / gravity;
    // Critical at rest: the stiffness of the contact is c_l times the area.
    let damping = 2.0 * (LAYER_STIFFNESS * part.area * mass).sqrt() / part.area;
    host.set_integer("method", MASTER_E);
    host.set_real("arealDamping", damping);
    host.set_real("dampingTransitionDepth", 0.0);
    host.initialize();
    let (mut depth, mut velocity, mut largest, mut last) = (-5e-3, 0.0, 0.0_f64, 0.0);
    for step in 0..2500 {
        host.set_pose(depth, 0.0);
        host.set_real("relativeVelocity[3]", -velocity);
        host.step(f64::from(step) * step_size, step_size);
        last = host.get_vector("forceOnE")[2];
        assert!(0.0 <= last);
        largest = largest.max(last);
        velocity += (last / mass - gravity) * step_size;
        depth -= velocity * step_size;
    }
    let weight = mass * gravity;
    assert!(2.0 * weight < largest, "an impact is harder than rest");
    assert!((last - weight).abs() < 1e-6 * weight, "carries {last} N of {weight} N");
    assert!((depth - rest_depth).abs() < 1e-6 * rest_depth, "rests at {depth} m");
}

/// An instance with its variables by name.
struct Host {
    instance: Instance<CS>,
    references: BTreeMap<String, u32>,
    sphere: Mesh,
    /// Holds the extracted folder for as long as the instance lives.
    _import: Fmi2Import,
}

impl Host {
    fn load(name: &str) -> Host {
        let folder = std::env::var_os("POLYCONTACT_FMUS")
            .expect("POLYCONTACT_FMUS must name the folder with the FMUs; `cargo xtask test` sets it");
        let import: Fmi2Import = fmi::import::from_path(PathBuf::from(folder).join(format!("{name}.fmu"))).unwrap();
        let variables = &import.model_description().model_variables.variables;
        let references = variables.iter().map(|v| (v.name.clone(), v.value_reference)).collect();
        let sphere = Mesh::read(&std::fs::read_to_string(import.resource_path().join("sphere.obj")).unwrap());
        let instance = import.instantiate_cs("contact", false, true).unwrap();
        assert_eq!(instance.get_version(), "2.0");
        Host { instance, references, sphere, _import: import }
    }

    fn initialize(&mut self) {
        self.instance.setup_experiment(None, 0.0, None).unwrap();
        self.instance.enter_initialization_mode().unwrap();
        self.instance.exit_initialization_mode().unwrap();
    }

    /// Presses the sphere to a depth, with A_EF a turn about x; the plate's upper side is its z = 0.
    fn set_pose(&mut self, depth: f64, turn: f64) {
        let (sine, cosine) = turn.sin_cos();
        let height = RADIUS - depth;
        self.set_real("relativePosition[2]", sine * height);
        self.set_real("relativePosition[3]", -cosine * height);
        if self.references.contains_key("relativeAngles[1]") {
            self.set_real("relativeAngles[1]", turn);
        } else if self.references.contains_key("relativeQuaternion[1]") {
            self.set_real("relativeQuaternion[1]", (0.5 * turn).cos());
            self.set_real("relativeQuaternion[2]", (0.5 * turn).sin());
        } else {
            for (entry, value) in [("2,2", cosine), ("2,3", -sine), ("3,2", sine), ("3,3", cosine)] {
                self.set_real(&format!("relativeOrientation[{entry}]"), value);
            }
        }
    }

    fn set_real(&mut self, name: &str, value: f64) {
        self.instance.set_real(&[self.references[name]], &[value]).unwrap();
    }

    fn set_integer(&mut self, name: &str, value: i32) {
        self.instance.set_integer(&[self.references[name]], &[value]).unwrap();
    }

    fn get_vector(&mut self, name: &str) -> [f64; 3] {
        let references = [1, 2, 3].map(|i| self.references[&format!("{name}[{i}]")]);
        let mut values = [f64::NAN; 3];
        self.instance.get_real(&references, &mut values).unwrap();
        values
    }

    fn step(&mut self, time: f64, size: f64) {
        self.instance.do_step(time, size, true).unwrap();
    }
}

fn assert_close(actual: [f64; 3], expected: [f64; 3], scale: f64, what: &str) {
    let is_close = actual.iter().zip(expected).all(|(a, e)| (a - e).abs() <= TOLERANCE * scale);
    assert!(is_close, "{what}: {actual:?} N, expected {expected:?} N");
}

/// Vertices and triangles, as the file gives them.
struct Mesh {
    vertices: Vec<[f64; 3]>,
    faces: Vec<[usize; 3]>,
}

/// The part of the sphere below the upper side of the plate.
struct Part {
    /// Section with the plane, in m².
    area: f64,
    /// In m³.
    volume: f64,
}

impl Mesh {
    fn read(text: &str) -> Mesh {
        let numbers = |line: &str| -> Vec<f64> { line.split(' ').skip(1).map(|word| word.parse().unwrap()).collect() };
        let lines = |letter: &'static str| text.lines().filter(move |line| line.starts_with(letter)).map(numbers);
        Mesh {
            vertices: lines("v ").map(|line| [line[0], line[1], line[2]]).collect(),
            faces: lines("f ").map(|line| [line[0], line[1], line[2]].map(|corner| corner as usize - 1)).collect(),
        }
    }

    /// Cuts every triangle at the plane and integrates over what is below, by the divergence theorem.
    fn part_below(&self, depth: f64, turn: f64) -> Part {
        let (sine, cosine) = turn.sin_cos();
        let in_plate = |[x, y, z]: [f64; 3]| [x, cosine * y + sine * z, cosine * z - sine * y + RADIUS - depth];
        let mut part = Part { area: 0.0, volume: 0.0 };
        for face in &self.faces {
            let corners = face.map(|corner| in_plate(self.vertices[corner]));
            let mut below = Vec::new();
            for (a, b) in [(0, 1), (1, 2), (2, 0)].map(|(i, j)| (corners[i], corners[j])) {
                if a[2] <= 0.0 {
                    below.push(a);
                }
                if (a[2] <= 0.0) != (b[2] <= 0.0) {
                    let share = a[2] / (a[2] - b[2]);
                    below.push([0, 1, 2].map(|i| a[i] + share * (b[i] - a[i])));
                }
            }
            for i in 2..below.len() {
                let (a, b, c) = (below[0], below[i - 1], below[i]);
                let area_z = 0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
                part.area -= area_z;
                part.volume += area_z * (a[2] + b[2] + c[2]) / 3.0;
            }
        }
        part
    }
}
