//! Any bytes as the files that a flexible body is made of.

use crate::matrices::{read_matrix_market, read_nodes};
use crate::volume_mesh::msh;

/// As a mesh of Gmsh; the message names the file.
pub fn read_msh(bytes: &[u8]) {
    match msh::read_msh("part.msh", bytes, 1e-3) {
        Ok(mesh) => {
            let _ = mesh.quality();
        }
        Err(error) => assert!(error.to_string().starts_with("part.msh: ")),
    }
}

/// As a matrix of Matrix Market, and as a list of nodes.
pub fn read_matrix(bytes: &[u8]) {
    let _ = read_matrix_market(bytes);
    let _ = read_nodes(bytes);
}
