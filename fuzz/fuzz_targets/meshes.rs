//! Any bytes as a mesh file.

#[path = "../../tests/support/mesh_promises.rs"]
mod mesh_promises;

use polycontact::mesh::{MeshFormat, Repair};

/// A refusal is as good as a mesh; only a broken promise panics.
pub fn read(format: MeshFormat, bytes: &[u8]) {
    let _ = mesh_promises::check_reading(format, bytes, Repair::None);
    let _ = mesh_promises::check_reading(format, bytes, Repair::Safe);
}
