//! Finite elements: shape functions at quadrature points, and the integrals over one element.
#![forbid(unsafe_code)]

mod hexahedron;
mod integrals;
mod sample;
mod tetrahedra;

pub use hexahedron::HEX8;
pub use integrals::{ElementIntegrals, element_integrals};
pub use sample::{Sample, jacobian};
pub use tetrahedra::{TET4, TET10, tet10_derivatives};
