//! Any bytes as an OBJ file: no panic, and what is accepted keeps the promises of a mesh.
//!
//! `cargo +nightly fuzz run read_obj fuzz/corpus/read_obj tests/corpus/obj`; the first folder collects new inputs.
#![no_main]

#[path = "../../tests/support/mesh_promises.rs"]
mod mesh_promises;

use libfuzzer_sys::fuzz_target;
use polycontact::mesh::{MeshFormat, Repair};

fuzz_target!(|bytes: &[u8]| {
    // A refusal is as good as a mesh; only a broken promise panics.
    let _ = mesh_promises::check_reading(MeshFormat::Obj, bytes, Repair::None);
    let _ = mesh_promises::check_reading(MeshFormat::Obj, bytes, Repair::Safe);
});
