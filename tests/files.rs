//! What is read: meshes, configurations, and the pages of the project.
//!
//! One program for many files: it is linked once, and its tests share all cores.

#[path = "support/mesh_promises.rs"]
mod mesh_promises;
#[path = "support/mutation.rs"]
mod mutation;

mod configuration;
mod hurt_meshes;
mod mesh_corpus;
mod mesh_reading;
mod mesh_refusals;
mod mutated_configurations;
mod tidy;
