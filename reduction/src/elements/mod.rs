//! Finite elements: shape functions at quadrature points, and the integrals over one element.
#![forbid(unsafe_code)]

mod hexahedron;
mod incompatible_modes;
mod integrals;
mod sample;
mod tetrahedra;

pub use hexahedron::HEX8;
pub use incompatible_modes::add_incompatible_modes;
pub use integrals::{ElementMatrices, ElementStiffness, element_matrices};
pub use sample::{Sample, jacobian};
pub use tetrahedra::{TET4, TET10, tet10_derivatives};
