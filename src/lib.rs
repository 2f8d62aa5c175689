//! Polygonal contact between two triangle meshes.
//!
//! Two surfaces, E and F, and their relative motion go in; the contact wrench comes out.
//! The method is Hippmann's Polygonal Contact Model; [`contact::evaluate`] is its flow chart.
//!
//! Modules depend on each other in one direction: `math ← tree ← mesh ← bvh ← contact ← configuration ← fmu ← fmi2`;
//! `shapes` needs `mesh` only, `record` holds pieces of `contact`, `flexible` takes motions and errors from `contact`; `free_body` needs `math` only.

pub mod bvh;
pub mod configuration;
pub mod contact;
pub mod exchange;
pub mod flexible;
pub mod fmi2;
pub mod fmu;
pub mod free_body;
pub mod lanes;
pub mod math;
pub mod mesh;
pub mod record;
pub mod shapes;
pub mod tree;

#[cfg(test)]
extern crate self as polycontact;
#[cfg(test)]
mod test_support;
