//! Finite elements, their reduction, and the files of both.
//!
//! One program for many files: it is linked once, and its tests share all cores.

mod brick_block;
mod support;

mod archive_and_files;
mod eigenpairs;
mod elements;
mod frequencies;
mod generated_meshes;
mod impacts;
mod msh_files;
mod msh_refusals;
mod reduction;
mod unsound_bodies;
