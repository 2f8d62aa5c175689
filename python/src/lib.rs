//! The native half of the Python package: numbers go in and out as bytes, and `polycontact/` makes arrays of them.
//!
//! pyo3 writes what talks to Python's C interface, with `unsafe` inside its macros; there is none in this crate.

mod mesh;
mod pair;
mod sweep;

use std::ffi::OsString;
use std::path::PathBuf;

use pyo3::prelude::*;

/// What `polycontact` cannot do as it is asked; the text is for people.
fn refused(text: String) -> PyErr {
    pyo3::exceptions::PyValueError::new_err(text)
}

/// Little-endian numbers.
fn bytes_of(numbers: impl IntoIterator<Item = f64>) -> Vec<u8> {
    numbers.into_iter().flat_map(f64::to_le_bytes).collect()
}

fn numbers_of(bytes: &[u8]) -> Vec<f64> {
    bytes.as_chunks::<8>().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect()
}

/// Runs the program `polycontact`; the libraries of FMUs are in a folder. Returns the exit code.
#[pyfunction]
fn run(py: Python<'_>, words: Vec<OsString>, folder: PathBuf) -> u8 {
    py.detach(|| polycontact_cli::run(words, &folder))
}

/// The extension `polycontact._native`.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(run, module)?)?;
    module.add_function(wrap_pyfunction!(mesh::read_mesh, module)?)?;
    module.add_class::<pair::Pair>()
}
