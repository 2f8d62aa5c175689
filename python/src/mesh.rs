//! A mesh as the FMU would read it.

use std::path::PathBuf;

use polycontact::mesh::{self as meshes, ReadOptions, Repair, TriangleMesh};
use polycontact_packaging::check_mesh::report_json;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;

use crate::{array, refused};

/// A mesh and what the reader found.
#[pyclass(frozen, module = "polycontact._polycontact")]
pub struct Mesh {
    mesh: TriangleMesh,
    report: String,
}

#[pymethods]
impl Mesh {
    /// Reads a file.
    #[new]
    fn new(
        py: Python<'_>,
        path: PathBuf,
        scale: f64,
        reversed: bool,
        merge_distance: Option<f64>,
        repair: &str,
        parts: Vec<String>,
        shells: Vec<u32>,
    ) -> PyResult<Self> {
        let repair = match repair {
            "safe" => Repair::Safe,
            "none" => Repair::None,
            other => return Err(refused(format!("`repair` is \"{other}\", but must be \"safe\" or \"none\""))),
        };
        let options = ReadOptions { scale, reversed, merge_distance, repair, parts, shells };
        py.detach(|| {
            let (mesh, report) = meshes::inspect(&path, options).map_err(|error| error.to_string())?;
            if let Some(refusal) = &report.refusal {
                return Err(refusal.to_string());
            }
            let report = report_json(&path.display().to_string(), report);
            Ok(Mesh { mesh, report })
        })
        .map_err(refused)
    }

    /// Coordinates in m, three to a vertex.
    fn vertices<'py>(&self, py: Python<'py>) -> Bound<'py, PyByteArray> {
        let numbers: Vec<f64> = self.mesh.vertices.iter().flat_map(|vertex| vertex.iter().copied()).collect();
        array(py, &numbers)
    }

    /// Indices of vertices, three to a face, as unsigned integers of 32 bits.
    fn faces<'py>(&self, py: Python<'py>) -> Bound<'py, PyByteArray> {
        let bytes: Vec<u8> = self.mesh.faces.iter().flatten().flat_map(|vertex| vertex.0.to_ne_bytes()).collect();
        PyByteArray::new(py, &bytes)
    }

    /// The report as JSON.
    fn report(&self) -> &str {
        &self.report
    }
}
