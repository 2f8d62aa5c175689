//! The scenes: spheres in boxes and in each other, at four distances; parts of machines.

use std::cell::LazyCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use polycontact::contact::{
    ContactParameters, ContactSurface, ElementScheme, Method, RawLayer, RawParameters, RelativeMotion, Workspace,
    evaluate,
};
use polycontact::lanes::Width;
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::mesh::TriangleMesh;
use polycontact::shapes::{cuboid, icosphere, subdivided_cuboid};

use crate::machine_scenes::MACHINE_SCENES;

/// From call to call the pose moves by about this much, in m.
const POSE_STEP: f64 = 1e-6;

/// Poses after which the motion starts again.
const POSES: usize = 256;

/// Radius of the spheres in m.
pub const RADIUS: f64 = 0.1;

/// Sides of the boxes in m.
pub const BOX: [f64; 3] = [0.4, 0.4, 0.1];

/// Where the sphere stands over a box, in m: off its axes, so that no edge of the box is special.
pub const ASIDE: [f64; 2] = [0.0123, 0.0071];

/// Distances: name and overlap in m.
pub const OVERLAPS: [(&str, f64); 4] =
    [("5 mm", 5e-3), ("1 mm", 1e-3), ("0.1 mm clear", -1e-4), ("50 mm clear", -5e-2)];

/// A surface with the name of its mesh file.
pub struct Body {
    pub name: String,
    pub surface: ContactSurface,
}

impl Body {
    pub fn new(name: impl Into<String>, mesh: TriangleMesh) -> Rc<Self> {
        Rc::new(Body { name: name.into(), surface: ContactSurface::new(mesh) })
    }

    pub fn sphere(subdivisions: u32) -> Rc<Self> {
        Body::new(format!("sphere-{}", 20 * 4usize.pow(subdivisions)), icosphere(RADIUS, subdivisions))
    }

    pub fn faces(&self) -> usize {
        self.surface.mesh().faces.len()
    }

    /// Writes the mesh as OBJ, every digit of it, and returns the path.
    pub fn write_obj(&self, folder: &Path) -> Result<PathBuf, String> {
        let path = folder.join(format!("{}.obj", self.name));
        write_text(&path, &to_obj(self.surface.mesh()))?;
        Ok(path)
    }
}

/// The text of an OBJ file; every digit counts, so that reading gives the same bits.
pub fn to_obj(mesh: &TriangleMesh) -> String {
    use std::fmt::Write;
    let mut text = String::with_capacity(48 * mesh.vertices.len() + 24 * mesh.faces.len());
    for vertex in &mesh.vertices {
        let _ = writeln!(text, "v {} {} {}", vertex.x, vertex.y, vertex.z);
    }
    for [a, b, c] in &mesh.faces {
        let _ = writeln!(text, "f {} {} {}", a.0 + 1, b.0 + 1, c.0 + 1);
    }
    text
}

/// Writes a file, with its folder.
pub fn write_text(path: &Path, text: &str) -> Result<(), String> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(path, text));
    written.map_err(|error| format!("cannot write `{}`: {error}", path.display()))
}

/// Two bodies and how they lie.
#[derive(Clone)]
pub struct Scene {
    pub name: String,
    pub overlap: f64,
    pub e: Rc<Body>,
    pub f: Rc<Body>,
    /// Position of F in E in m.
    pub position: Vector,
    pub rotation: Rotation,
    /// Whether F stays at its height, as in a plane mechanism.
    pub is_plane: bool,
}

impl Scene {
    /// The motion of a call.
    pub fn motion(&self, index: usize) -> RelativeMotion {
        let phase = index as f64;
        let along_z = if self.is_plane { 0.0 } else { (1.7 * phase).sin() };
        let shift = POSE_STEP * Vector::new(phase.sin(), (1.3 * phase).sin(), along_z);
        let pose = Pose::from_parts((self.position + shift).into(), self.rotation);
        RelativeMotion::new(pose, Vector::new(0.1, 0.02, -0.05), Vector::new(0.5, 0.3, 1.0)).expect("finite numbers")
    }

    /// The motions of all calls, to be taken in turn.
    pub fn motions(&self) -> Vec<RelativeMotion> {
        (0..POSES).map(|index| self.motion(index)).collect()
    }

    /// A call that evaluates the scene, with a workspace of its own. As of the FMU whose host reads forces: the energy is
    /// left out.
    pub fn evaluation(&self, parameters: ContactParameters, registers: Width) -> impl FnMut(usize) + '_ {
        self.call(parameters, registers, true)
    }

    /// The same with the energy.
    pub fn evaluation_with_energy(&self, parameters: ContactParameters, registers: Width) -> impl FnMut(usize) + '_ {
        self.call(parameters, registers, false)
    }

    fn call(&self, parameters: ContactParameters, registers: Width, without_energy: bool) -> impl FnMut(usize) + '_ {
        let mut workspace = Workspace::default();
        workspace.registers = registers;
        workspace.without_energy = without_energy;
        let motions = self.motions();
        move |index| {
            let motion = &motions[index % motions.len()];
            std::hint::black_box(evaluate(&self.e.surface, &self.f.surface, &parameters, motion, &mut workspace));
        }
    }
}

/// Parameters of a method and a scheme, the rest as by default: friction 0.3, damping. F is soft and E rigid, as for
/// the peers.
pub fn parameters(method: Method, elements: ElementScheme) -> ContactParameters {
    let (layer_e, layer_f) = (RawLayer::RIGID, RawLayer::default());
    let raw = RawParameters { method, elements, layer_e, layer_f, ..Default::default() };
    ContactParameters::new(&raw).expect("valid parameters")
}

/// Orientation of F: none of its axes along one of E.
pub fn rotation() -> Rotation {
    Rotation::from_euler_angles(0.3, 0.5, 0.7)
}

/// A sphere F at an overlap in a box E.
pub fn in_box(e: &Rc<Body>, f: &Rc<Body>, overlap: f64) -> Scene {
    let height = 0.5 * BOX[2] + RADIUS - overlap;
    let position = Vector::new(ASIDE[0], ASIDE[1], height);
    Scene { name: String::new(), overlap, e: e.clone(), f: f.clone(), position, rotation: rotation(), is_plane: false }
}

/// A sphere F at an overlap in a sphere E.
pub fn in_sphere(e: &Rc<Body>, f: &Rc<Body>, overlap: f64) -> Scene {
    let position = Vector::repeat(1.0).normalize() * (2.0 * RADIUS - overlap);
    Scene { name: String::new(), overlap, e: e.clone(), f: f.clone(), position, rotation: rotation(), is_plane: false }
}

/// All scenes whose name contains every word; sizes are subdivisions of the icosahedron. Only what they need is built.
pub fn scenes(sizes: &[u32], words: &[String]) -> Vec<Scene> {
    let coarse = LazyCell::new(|| Body::new("box-12", cuboid(Vector::from(BOX))));
    let fine = LazyCell::new(|| Body::new("box-24576", subdivided_cuboid(Vector::from(BOX), [64, 64, 16])));
    let is_wanted = |name: &str| words.iter().all(|word| name.contains(word.as_str()));
    let mut scenes = Vec::new();
    for &size in sizes {
        let sphere = LazyCell::new(|| Body::sphere(size));
        for counterpart in ["box 12", "box 24576", "sphere"] {
            for (distance, overlap) in OVERLAPS {
                let name = format!("sphere {} in {counterpart}, {distance}", 20 * 4usize.pow(size));
                if is_wanted(&name) {
                    let scene = match counterpart {
                        "box 12" => in_box(&coarse, &sphere, overlap),
                        "box 24576" => in_box(&fine, &sphere, overlap),
                        _ => in_sphere(&sphere, &sphere, overlap),
                    };
                    scenes.push(Scene { name, ..scene });
                }
            }
        }
    }
    let machines = MACHINE_SCENES.iter().filter(|(name, _)| is_wanted(name));
    scenes.extend(machines.map(|(name, build)| Scene { name: (*name).to_owned(), ..build() }));
    scenes
}
