//! A mesh file becomes a surface that is ready for contact.

use std::path::Path;

use sha2::{Digest, Sha256};

use crate::contact::ContactSurface;
use crate::mesh::{self, ReadOptions, TriangleMesh};

/// A surface with what the FMU tells about it.
pub(super) struct SurfaceFile {
    pub(super) surface: ContactSurface,
    pub(super) triangle_count: usize,
    /// Largest distance of a vertex from the origin of the marker, in m.
    pub(super) radius: f64,
    /// Hash of the file's bytes.
    pub(super) digest: [u8; 32],
    /// What is accepted, but should be looked at.
    pub(super) warnings: Vec<String>,
}

/// A mesh with what the FMU tells about it.
pub(super) struct MeshFile {
    pub(super) mesh: TriangleMesh,
    /// Hash of the file's bytes.
    pub(super) digest: [u8; 32],
    /// What is accepted, but should be looked at.
    pub(super) warnings: Vec<String>,
}

/// Reads a mesh; an error says what is wrong with which file.
pub(super) fn read_mesh(path: &Path, scale: f64, reversed: bool) -> Result<MeshFile, String> {
    // First the reader with its limits and its messages; what it accepts can be hashed.
    let (mesh, report) = mesh::read(path, ReadOptions { scale, reversed }).map_err(|error| error.to_string())?;
    let bytes = std::fs::read(path).map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
    let warnings = report.warnings.iter().map(ToString::to_string).collect();
    Ok(MeshFile { mesh, digest: Sha256::digest(&bytes).into(), warnings })
}

/// Reads a mesh and prepares it for contact.
pub(super) fn read_surface(path: &Path, scale: f64, reversed: bool) -> Result<SurfaceFile, String> {
    let MeshFile { mesh, digest, warnings } = read_mesh(path, scale, reversed)?;
    Ok(SurfaceFile {
        triangle_count: mesh.faces.len(),
        radius: mesh.vertices.iter().map(|vertex| vertex.norm()).fold(0.0, f64::max),
        digest,
        warnings,
        surface: ContactSurface::new(mesh),
    })
}
