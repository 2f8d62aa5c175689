//! `cargo xtask example-meshes`: writes the meshes of the default contact pair from their formulas.

use std::fs;

use polycontact::math::{Pose, Vector};
use polycontact::mesh::TriangleMesh;
use polycontact::shapes::{cuboid, icosphere, moved};

use crate::Verb;
use crate::arguments::Arguments;
use crate::project::{root, shown};

pub const VERB: Verb = Verb {
    name: "example-meshes",
    summary: "writes the meshes of the default example from their formulas",
    usage: "
Usage: cargo xtask example-meshes

Writes resources/sphere.obj and resources/plate.obj. A test fails when they are edited by hand.",
    run,
};

/// Radius of the sphere in m.
const RADIUS: f64 = 0.1;

/// Sides of the plate in m.
const PLATE: [f64; 3] = [0.4, 0.4, 0.1];

/// Path from the project's root, and content.
fn files() -> [(&'static str, String); 2] {
    let sphere = icosphere(RADIUS, 3);
    let top_at_origin = Pose::translation(0.0, 0.0, -0.5 * PLATE[2]);
    let plate = moved(&cuboid(Vector::from(PLATE)), &top_at_origin);
    [
        ("resources/sphere.obj", to_obj("Sphere of radius 0.1 m around the origin; metres", &sphere)),
        ("resources/plate.obj", to_obj("Plate of 0.4 x 0.4 x 0.1 m below z = 0; metres", &plate)),
    ]
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
fn to_obj(title: &str, mesh: &TriangleMesh) -> String {
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
    use std::f64::consts::PI;

    use polycontact::mesh::{ReadOptions, read};

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
}
