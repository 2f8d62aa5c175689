//! A mesh file with its report.

use std::path::PathBuf;

use polycontact::mesh::{ReadOptions, Repair, inspect};
use polycontact_packaging::check_mesh::report_json;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::{bytes_of, refused};

/// Vertices, faces, and the report as JSON.
type Read<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>, String);

/// Reads a mesh as an FMU would and inspects it.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "one per key of a surface in contact.toml")]
pub fn read_mesh(
    py: Python<'_>,
    file: PathBuf,
    scale: f64,
    reversed: bool,
    merge_distance: Option<f64>,
    repair: bool,
    parts: Vec<String>,
    shells: Vec<u32>,
    smooth_angle: f64,
    sag: Option<f64>,
) -> PyResult<Read<'_>> {
    let repair = if repair { Repair::Safe } else { Repair::None };
    let options = ReadOptions { scale, reversed, merge_distance, repair, parts, shells, smooth_angle, sag };
    let (mesh, report) = py.detach(|| inspect(&file, options)).map_err(|error| refused(error.to_string()))?;
    let vertices = bytes_of(mesh.vertices.iter().flat_map(|vertex| [vertex.x, vertex.y, vertex.z]));
    let faces: Vec<u8> = mesh.faces.iter().flatten().flat_map(|vertex| vertex.0.to_le_bytes()).collect();
    let report = report_json(&file.display().to_string(), report);
    Ok((PyBytes::new(py, &vertices), PyBytes::new(py, &faces), report))
}
