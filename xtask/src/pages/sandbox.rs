//! A folder in which the commands of the pages run as if it were the project's: nothing of the project is changed.

use std::fs;
use std::path::{Path, PathBuf};

use polycontact::math::{Pose, Vector};
use polycontact::mesh::TriangleMesh;
use polycontact::shapes::{cuboid, icosphere, moved};

use super::items::{Item, items};
use crate::example_meshes::to_obj;
use crate::project::{root, target};

/// Makes the folder anew: copies of what commands read and write beside, and what the pages ask their readers to make.
pub fn make() -> Result<PathBuf, String> {
    let folder = target().join("pages");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| format!("cannot empty `{}`: {error}", folder.display()))?;
    }
    let unwritable = |error: std::io::Error| format!("cannot fill `{}`: {error}", folder.display());
    for part in ["resources", "examples", "modelica"] {
        copy(&root().join(part), &folder.join(part)).map_err(unwritable)?;
    }
    link(&target(), &folder.join("target")).map_err(unwritable)?;
    let pair = folder.join("pair");
    fs::create_dir(&pair).map_err(unwritable)?;
    for (path, content) in [
        (pair.join("contact.toml"), configuration()?),
        (pair.join("ball.obj"), to_obj("Sphere of radius 0.1 m", &icosphere(0.1, 3))),
        (pair.join("block.stl"), block()),
        (folder.join("part.stl"), block()),
    ] {
        fs::write(path, content).map_err(unwritable)?;
    }
    let body = "examples/landing-sphere/free-body.toml";
    fs::copy(root().join(body), pair.join("free-body.toml")).map_err(unwritable)?;
    Ok(folder)
}

/// The configuration of the README.
fn configuration() -> Result<String, String> {
    let readme = fs::read_to_string(root().join("README.md")).map_err(|error| format!("README.md: {error}"))?;
    let is_toml = |item| match item {
        Item::Block { language, text } if language == "toml" => Some(text),
        _ => None,
    };
    items(&readme).into_iter().find_map(is_toml).ok_or_else(|| "README.md has no block of TOML".to_owned())
}

/// A block of 0.4 x 0.4 x 0.1 m with its top at z = 0, as STL in millimetres.
fn block() -> String {
    let mesh = moved(&cuboid(Vector::new(0.4, 0.4, 0.1)), &Pose::translation(0.0, 0.0, -0.05));
    to_stl(&mesh, 1e3)
}

fn to_stl(mesh: &TriangleMesh, factor: f64) -> String {
    let mut text = "solid part\n".to_owned();
    for face in &mesh.faces {
        text += "facet normal 0 0 0\nouter loop\n";
        for vertex in face {
            let [x, y, z] = (mesh.vertices[vertex.0 as usize] * factor).into();
            text += &format!("vertex {x} {y} {z}\n");
        }
        text += "endloop\nendfacet\n";
    }
    text + "endsolid part\n"
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let (path, place) = entry.map(|entry| (entry.path(), to.join(entry.file_name())))?;
        if path.is_dir() {
            copy(&path, &place)?;
        } else {
            fs::copy(&path, &place)?;
        }
    }
    Ok(())
}

#[cfg(unix)]
fn link(to: &Path, at: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(to, at)
}

#[cfg(not(unix))]
fn link(to: &Path, at: &Path) -> std::io::Result<()> {
    std::os::windows::fs::symlink_dir(to, at)
}
