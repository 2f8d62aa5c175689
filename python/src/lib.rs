//! `polycontact._polycontact`: what the Python package computes with. Arrays come and go as bytes of double-precision
//! numbers in the order of C; the Python side gives them their shapes.

mod columns;
mod mesh;
mod pair;
mod pieces;
mod sweep;

use std::ffi::OsString;
use std::path::Path;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;

/// Does what the program `polycontact` does; the first word is its name. The exit code comes back.
#[pyfunction]
fn main(py: Python<'_>, words: Vec<OsString>, folder: OsString) -> u8 {
    py.detach(|| polycontact_cli::run(words, Path::new(&folder)))
}

/// A message for people as an exception.
fn refused(message: String) -> PyErr {
    PyValueError::new_err(message)
}

/// Numbers of an array.
fn doubles(bytes: &[u8]) -> Vec<f64> {
    bytes.chunks_exact(8).map(|chunk| f64::from_ne_bytes(chunk.try_into().expect("eight bytes"))).collect()
}

/// An array of numbers.
fn array<'py>(py: Python<'py>, numbers: &[f64]) -> Bound<'py, PyByteArray> {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_ne_bytes()).collect();
    PyByteArray::new(py, &bytes)
}

/// What the package computes with.
#[pymodule]
fn _polycontact(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(main, module)?)?;
    module.add_function(wrap_pyfunction!(columns::columns, module)?)?;
    module.add_class::<pair::Pair>()?;
    module.add_class::<mesh::Mesh>()
}
