//! Why an MSH file was refused.

use std::fmt;

use thiserror::Error;

use crate::volume_mesh::VolumeMeshError;

/// A refused file.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{file}: {problem}")]
pub struct MshFileError {
    /// As the caller named it.
    pub file: String,
    /// What is wrong with it.
    #[source]
    pub problem: MshError,
}

/// Where in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Line of a text file, from 1.
    Line(usize),
    /// Byte of a binary file, from 0.
    Byte(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(line) => write!(f, "line {line}"),
            Place::Byte(byte) => write!(f, "byte {byte}"),
        }
    }
}

/// What is wrong with an MSH file.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum MshError {
    /// The scale given by the caller.
    #[error("the scale is {scale}; it has to be a positive number, such as 0.001 for a mesh in millimetres")]
    Scale {
        /// As given.
        scale: f64,
    },
    /// It does not begin like one.
    #[error("this is not a Gmsh mesh: an MSH file begins with `$MeshFormat`; export the mesh as MSH 4.1 from Gmsh")]
    NotMsh,
    /// Another version of the format.
    #[error("MSH version {version} is not supported; save as version 4.1 (in Gmsh: Mesh.MshFileVersion = 4.1)")]
    Version {
        /// As the file says.
        version: String,
    },
    /// Numbers of another size than eight bytes.
    #[error("the file announces numbers of {size} bytes; only 8 are supported: save it with a 64-bit Gmsh")]
    DataSize {
        /// As the file says.
        size: i64,
    },
    /// A partitioned mesh.
    #[error("the mesh is partitioned; save it in one piece (in Gmsh: Mesh > Delete partition, or leave out -part)")]
    Partitioned,
    /// A section that every mesh has.
    #[error("the file has no section ${section}; it is incomplete: save the mesh again")]
    MissingSection {
        /// Without the dollar sign.
        section: &'static str,
    },
    /// The file ends within a section.
    #[error(
        "the file ends at {place}, within ${section}, where {expected} should follow; it was cut off: save it again"
    )]
    Truncated {
        /// Where it ends.
        place: Place,
        /// Without the dollar sign.
        section: String,
        /// What was to be read.
        expected: &'static str,
    },
    /// Something else than what should stand there.
    #[error("{place}, within ${section}: `{found}` stands where {expected} is expected")]
    Unexpected {
        /// Where.
        place: Place,
        /// Without the dollar sign.
        section: String,
        /// The first characters.
        found: String,
        /// What was to be read.
        expected: &'static str,
    },
    /// Elements that the reader knows but the finite elements do not, or unknown ones.
    #[error(
        "element {element} ({place}) is a {kind}, which is not supported; mesh with tetrahedra of first or second \
         order, or with 8-node hexahedra only"
    )]
    UnsupportedElement {
        /// Gmsh's number of the element, 0 where a block is empty.
        element: u64,
        /// Where.
        place: Place,
        /// Name and number of the type.
        kind: String,
    },
    /// Two nodes with one number.
    #[error("the file has two nodes with the number {node}; renumber them (in Gmsh: Mesh > Renumber)")]
    RepeatedNode {
        /// Their number.
        node: u64,
    },
    /// It reads well, but it is not a usable mesh.
    #[error(transparent)]
    Mesh(#[from] VolumeMeshError),
}
