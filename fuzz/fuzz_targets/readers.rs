//! Any bytes for any reader: no panic, no hang, and what is accepted keeps its promises.
//!
//! One program has all targets; the variable POLYCONTACT_FUZZ_TARGET names the one to run. `cargo xtask fuzz` does so.
#![no_main]

mod archives;
mod configurations;
mod meshes;
mod saved_states;
mod volume_files;

// The readers of the crate `reduction` without its linear algebra, which takes minutes to build.
#[path = "../../reduction/src/elements/mod.rs"]
#[allow(dead_code, unused_imports)]
mod elements;
#[path = "../../reduction/src/finite_element_model.rs"]
#[allow(dead_code, unused_imports)]
mod finite_element_model;
#[path = "../../reduction/src/material.rs"]
#[allow(dead_code, unused_imports)]
mod material;
#[path = "../../reduction/src/matrices/mod.rs"]
#[allow(dead_code, unused_imports)]
mod matrices;
#[path = "../../reduction/src/vector.rs"]
#[allow(dead_code, unused_imports)]
mod vector;
#[path = "../../reduction/src/volume_mesh/mod.rs"]
#[allow(dead_code, unused_imports)]
mod volume_mesh;

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use polycontact::mesh::MeshFormat;

/// Takes any bytes.
type Target = fn(&[u8]);

const TARGETS: [(&str, Target); 10] = [
    ("obj", |bytes| meshes::read(MeshFormat::Obj, bytes)),
    ("stl", |bytes| meshes::read(MeshFormat::Stl, bytes)),
    ("ply", |bytes| meshes::read(MeshFormat::Ply, bytes)),
    ("off", |bytes| meshes::read(MeshFormat::Off, bytes)),
    ("configuration", configurations::read),
    ("archive", archives::read),
    ("npy", archives::read_array),
    ("msh", volume_files::read_msh),
    ("matrix", volume_files::read_matrix),
    ("state", saved_states::restore),
];

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("POLYCONTACT_FUZZ_TARGET").unwrap_or_default();
    let found = TARGETS.iter().find(|(known, _)| *known == name);
    found.unwrap_or_else(|| panic!("POLYCONTACT_FUZZ_TARGET is `{name}`, but must be a target")).1
});

fuzz_target!(|bytes: &[u8]| TARGET(bytes));
