//! `cargo xtask example-meshes`: writes the meshes of the examples from their formulas.

use std::f64::consts::{PI, TAU};
use std::fs;

use polycontact::math::{Pose, Vector};
use polycontact::mesh::TriangleMesh;
use polycontact::shapes::{
    cuboid, dumb_bell, evened, funnel, ground, icosphere, involute_gear, latch_hook, moved, paraboloid_cap,
    regular_prism, star_prism, wheel,
};

use crate::Verb;
use crate::arguments::Arguments;
use crate::project::{root, shown};

pub const VERB: Verb = Verb {
    name: "example-meshes",
    summary: "writes the meshes of the examples from their formulas",
    usage: "
Usage: cargo xtask example-meshes

Writes the meshes of the default pair into resources/ and those of the examples into their folders
below examples/. A test fails when they are edited by hand.",
    run,
};

/// Radius of the sphere in m.
const RADIUS: f64 = 0.1;

/// Sides of the plate in m.
const PLATE: [f64; 3] = [0.4, 0.4, 0.1];

/// Side of the ground in m: the wheel of the Modelica example rolls half a metre.
const GROUND: f64 = 4.0;

/// Radii of the spheres in m, half the width of their caps, and grid points along a side (dissertation §5.2).
const CAP_RADII: [f64; 2] = [0.2, 0.1];
const CAP_HALF_WIDTH: f64 = 0.015;
const CAP_POINTS: usize = 20;

/// The cam: radius of its base circle, lift, width in m; angle of the rise in rad; corners.
const CAM_BASE: f64 = 0.030;
const CAM_LIFT: f64 = 0.010;
pub const CAM_WIDTH: f64 = 0.010;
const CAM_RISE: f64 = TAU / 3.0;
const CAM_CORNERS: usize = 360;

/// The follower: radius and thickness in m, and its corners.
const FOLLOWER_RADIUS: f64 = 0.015;
const FOLLOWER_THICKNESS: f64 = 0.005;
const FOLLOWER_CORNERS: usize = 48;

/// The gears: module and width in m, pressure angle in rad, teeth of E and F, points along a flank, fillets in modules.
pub const GEAR_MODULE: f64 = 0.002;
pub const GEAR_WIDTH: f64 = 0.010;
pub const GEAR_ANGLE: f64 = 20.0 * PI / 180.0;
pub const GEAR_TEETH: [usize; 2] = [20, 30];
const GEAR_POINTS: usize = 8;
const GEAR_FILLET: f64 = 0.38;

/// The latch: length and thickness of the beam, height of the nose, width, in m.
const LATCH: [f64; 4] = [0.02, 0.002, 0.0015, 0.006];

/// The gear of E or F.
pub fn gear(teeth: usize) -> TriangleMesh {
    evened(&involute_gear(teeth, GEAR_MODULE, GEAR_ANGLE, GEAR_WIDTH, GEAR_POINTS, GEAR_FILLET * GEAR_MODULE))
}

/// The hook of both bodies.
pub fn hook() -> TriangleMesh {
    latch_hook(LATCH[0], LATCH[1], LATCH[2], LATCH[3])
}

/// Path from the project's root, and content.
fn files() -> Vec<(&'static str, String)> {
    let lowered = |mesh: &TriangleMesh, by: f64| moved(mesh, &Pose::translation(0.0, 0.0, -by));
    let plate = lowered(&cuboid(Vector::from(PLATE)), 0.5 * PLATE[2]);
    let cap = |radius| paraboloid_cap(radius, CAP_HALF_WIDTH, CAP_POINTS);
    let disc = regular_prism(FOLLOWER_RADIUS, FOLLOWER_THICKNESS, FOLLOWER_CORNERS);
    let outline: Vec<[f64; 2]> = (0..CAM_CORNERS).map(|i| cam_outline(TAU * i as f64 / CAM_CORNERS as f64)).collect();
    let file = |path, title, mesh: &TriangleMesh| (path, to_obj(title, mesh));
    vec![
        file("resources/sphere.obj", "Sphere of radius 0.1 m around the origin; metres", &icosphere(RADIUS, 3)),
        file("resources/plate.obj", "Plate of 0.4 x 0.4 x 0.1 m below z = 0; metres", &plate),
        file("examples/wheel-on-ground/wheel.obj", "Wheel of 571 mm diameter about z; metres", &wheel()),
        file("examples/wheel-on-ground/ground.obj", "Square of 4 m in the plane z = 0; metres", &ground(GROUND)),
        file("examples/two-spheres/cap_200.obj", "Paraboloid cap of radius 0.2 m; metres", &cap(CAP_RADII[0])),
        file("examples/two-spheres/cap_100.obj", "Paraboloid cap of radius 0.1 m; metres", &cap(CAP_RADII[1])),
        file("examples/cam-follower/cam.obj", "Cam with 10 mm lift about z; metres", &star_prism(&outline, CAM_WIDTH)),
        file(
            "examples/cam-follower/follower.obj",
            "Disc of radius 15 mm above z = 0; metres",
            &lowered(&disc, -0.5 * FOLLOWER_THICKNESS),
        ),
        file("examples/gears/gear20.obj", "Gear of 20 teeth, module 2 mm, about z; metres", &gear(GEAR_TEETH[0])),
        file("examples/gears/gear30.obj", "Gear of 30 teeth, module 2 mm, about z; metres", &gear(GEAR_TEETH[1])),
        file("examples/latch/hook.obj", "Snap hook of 20 mm along x; metres", &hook()),
        file("examples/bouncing-bubbles/bubble.obj", "Dumb-bell of 40 cm along z; metres", &dumb_bell()),
        file(
            "examples/bouncing-bubbles/funnel.obj",
            "Funnel of 2 m x 2 m with its tip at the origin; metres",
            &funnel(),
        ),
    ]
}

/// Height of a flat follower over the axis in m and its derivative in m/rad, where the cam is turned so that its
/// direction `angle` points at the follower. The nose is at 0; rise and fall are cycloids, which start and end without
/// a jump of acceleration.
pub fn cam_support(angle: f64) -> [f64; 2] {
    let from_nose = (angle + PI).rem_euclid(TAU) - PI;
    if CAM_RISE <= from_nose.abs() {
        return [CAM_BASE, 0.0];
    }
    // From 0 at the nose to 1 at the base circle.
    let way = from_nose.abs() / CAM_RISE;
    let height = CAM_BASE + CAM_LIFT * (1.0 - way + (TAU * way).sin() / TAU);
    let slope = CAM_LIFT / CAM_RISE * ((TAU * way).cos() - 1.0);
    [height, slope * from_nose.signum()]
}

/// The corner of the cam that touches the follower: height along the direction, slope across it.
pub fn cam_outline(angle: f64) -> [f64; 2] {
    let ([height, slope], (sin, cos)) = (cam_support(angle), angle.sin_cos());
    [height * cos - slope * sin, height * sin + slope * cos]
}

fn run(words: &[String]) -> Result<(), String> {
    if let Some(word) = Arguments::parse(words, &[])?.free.first() {
        return Err(format!("`{word}` is not expected; the verb takes no argument"));
    }
    for (file, content) in files() {
        let path = root().join(file);
        fs::write(&path, content).map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
        println!("{}", shown(&path));
    }
    Ok(())
}

/// A mesh as OBJ; every digit counts, so that reading gives the same bits.
pub fn to_obj(title: &str, mesh: &TriangleMesh) -> String {
    let mut text = format!("# {title}. Written by `cargo xtask example-meshes`.\n");
    for vertex in &mesh.vertices {
        // Adding zero turns -0 into 0.
        let [x, y, z] = [vertex.x + 0.0, vertex.y + 0.0, vertex.z + 0.0];
        text += &format!("v {x} {y} {z}\n");
    }
    for [a, b, c] in &mesh.faces {
        text += &format!("f {} {} {}\n", a.0 + 1, b.0 + 1, c.0 + 1);
    }
    text
}

#[cfg(test)]
mod tests {
    use polycontact::mesh::{MeshWarning, ReadOptions, read};

    use super::*;

    #[test]
    fn committed_meshes_are_those_of_the_formulas() {
        for (file, content) in files() {
            let committed = fs::read_to_string(root().join(file)).unwrap();
            assert!(committed == content, "{file} is stale; run `cargo xtask example-meshes`");
        }
    }

    #[test]
    fn sizes_and_frames_are_as_documented() {
        let read = |file| read(&root().join(file), ReadOptions::default()).unwrap();
        let (sphere, report) = read("resources/sphere.obj");
        assert_eq!((report.faces, report.shells, report.warnings.len()), (1280, 1, 0));
        // Every vertex lies on the sphere, up to the rounding of its three coordinates.
        assert!(sphere.vertices.iter().all(|vertex| (vertex.norm() - RADIUS).abs() < 4.0 * f64::EPSILON * RADIUS));
        // An inscribed polyhedron is smaller than the ball; with 1280 faces by about 1 %.
        let ball = 4.0 / 3.0 * PI * RADIUS.powi(3);
        let volume = report.volume.unwrap();
        assert!(0.985 * ball < volume && volume < ball, "{volume}");
        let (_, report) = read("resources/plate.obj");
        assert_eq!((report.faces, report.warnings.len()), (12, 0));
        assert_eq!(report.bounding_box.min, Vector::new(-0.2, -0.2, -0.1));
        assert_eq!(report.bounding_box.max, Vector::new(0.2, 0.2, 0.0));
    }

    /// A follower that lies on the cam's corners is as high as the motion law says, up to the sagitta of a facet.
    #[test]
    fn the_cam_lifts_a_flat_follower_by_its_law() {
        let (cam, report) = read(&root().join("examples/cam-follower/cam.obj"), ReadOptions::default()).unwrap();
        assert_eq!((report.faces, report.shells, report.warnings.len()), (4 * CAM_CORNERS, 1, 0));
        // Facets of 1 degree on a radius of curvature of at most 46 mm: 46 mm (1 - cos 0.5 degrees).
        let sagitta = 0.046 * (1.0 - (0.5 * TAU / CAM_CORNERS as f64).cos());
        for i in 0..1000 {
            let angle = TAU * f64::from(i) / 1000.0;
            let direction = Vector::new(angle.cos(), angle.sin(), 0.0);
            let highest = cam.vertices.iter().map(|vertex| vertex.dot(&direction)).fold(0.0, f64::max);
            let [height, _] = cam_support(angle);
            assert!(height - sagitta < highest && highest < height + 1e-12, "{angle}: {highest}, law {height}");
        }
        assert!((cam_support(0.0)[0] - 0.040).abs() < 1e-15 && (cam_support(PI)[0] - 0.030).abs() < 1e-15);
        // The flat follower is wide enough: the contact wanders by the slope.
        assert!((0..1000).all(|i| cam_support(TAU * f64::from(i) / 1000.0)[1].abs() < 0.7 * FOLLOWER_RADIUS));
    }

    #[test]
    fn meshes_of_the_examples_are_read_without_surprise() {
        for (folder, file, faces, is_closed) in [
            ("wheel-on-ground", "wheel.obj", 416, true),
            ("wheel-on-ground", "ground.obj", 8, false),
            ("two-spheres", "cap_200.obj", 722, false),
            ("two-spheres", "cap_100.obj", 722, false),
            ("cam-follower", "follower.obj", 192, true),
            // Two faces per side of the outline, and the triangles of both ends: 4 n - 4. On the small gear a flank begins
            // below the base circle, with a radial piece.
            ("gears", "gear20.obj", 4 * 20 * 2 * (GEAR_POINTS + 4) - 4, true),
            ("gears", "gear30.obj", 4 * 30 * 2 * (GEAR_POINTS + 3) - 4, true),
            ("latch", "hook.obj", 4 * 7 - 4, true),
            ("bouncing-bubbles", "bubble.obj", 950, true),
            ("bouncing-bubbles", "funnel.obj", 4, false),
        ] {
            let path = root().join("examples").join(folder).join(file);
            let (_, report) = read(&path, ReadOptions::default()).unwrap();
            assert_eq!((report.faces, report.shells, report.volume.is_some()), (faces, 1, is_closed), "{file}");
            // A newcomer meets no warning, but for a surface that is meant to be open.
            let is_meant = |warning: &MeshWarning| matches!(warning, MeshWarning::OpenSurface { .. });
            assert!(
                report.warnings.iter().all(|warning| !is_closed && is_meant(warning)),
                "{file}: {:?}",
                report.warnings
            );
        }
    }
}
