//! Why a mesh was refused: what, where, and what to do.

use std::fmt;

use thiserror::Error;

use super::limits::{LARGEST_COORDINATE, MAX_FACES, MAX_FILE_BYTES, MAX_VERTICES};
use super::read::MeshFormat;
use super::smooth::LARGEST_SMOOTH_ANGLE;
use crate::math::Vector;

/// A place in a mesh file. Faces and lines are counted from 1, in the order of the file; a polygon
/// of an OBJ file and a facet of an STL file are one face each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Number of the face, where the place is a face.
    pub face: Option<usize>,
    /// Number of the line, where the file is text.
    pub line: Option<usize>,
    /// Number of the vertex, where the place is a vertex of a binary file.
    pub vertex: Option<usize>,
}

impl Place {
    /// A line of a text file.
    pub(super) fn line(line: usize) -> Self {
        Place { face: None, line: Some(line), vertex: None }
    }

    /// A face of a binary file.
    pub(super) fn face(face: usize) -> Self {
        Place { face: Some(face), line: None, vertex: None }
    }

    /// A vertex of a binary file.
    pub(super) fn vertex(vertex: usize) -> Self {
        Place { face: None, line: None, vertex: Some(vertex) }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.face, self.line) {
            (Some(face), Some(line)) => write!(f, "face {face} (line {line})"),
            (Some(face), None) => write!(f, "face {face}"),
            (None, Some(line)) => write!(f, "line {line}"),
            (None, None) => match self.vertex {
                Some(vertex) => write!(f, "vertex {vertex}"),
                None => write!(f, "an unknown place"),
            },
        }
    }
}

/// An edge that breaks a rule, with the faces along it.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeExample {
    /// One end of the edge, in metres after scaling.
    pub from: Vector,
    /// The other end.
    pub to: Vector,
    /// The faces along the edge, at most eight of them.
    pub faces: Vec<Place>,
    /// Whether two of these faces have the same three corners.
    pub repeated_face: bool,
}

impl fmt::Display for EdgeExample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the edge from {} to {}, shared by ", Coordinates(&self.from), Coordinates(&self.to))?;
        for (index, face) in self.faces.iter().enumerate() {
            let separator = match index {
                0 => "",
                _ if index + 1 == self.faces.len() => " and ",
                _ => ", ",
            };
            write!(f, "{separator}{face}")?;
        }
        Ok(())
    }
}

/// Prints a point as `(x, y, z)`, with nine digits at most.
pub(super) struct Coordinates<'a>(pub(super) &'a Vector);

impl fmt::Display for Coordinates<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Numbers of single precision, as in binary files, would have sixteen.
        let short = |x: f64| format!("{x:.8e}").parse().unwrap_or(x);
        write!(f, "({:?}, {:?}, {:?})", short(self.0.x), short(self.0.y), short(self.0.z))
    }
}

/// Why a mesh was refused. Every variant names the file; the message says where and what to do.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum MeshError {
    /// The file cannot be opened or read.
    #[error("`{file}` cannot be read: {reason}; check the path and the permissions")]
    Unreadable {
        /// The file.
        file: String,
        /// What the operating system says.
        reason: String,
    },
    /// The file name ends in none of the known ways.
    #[error("`{file}` is neither .obj, .stl, .ply nor .off by its name; export the mesh as OBJ or STL")]
    UnknownFormat {
        /// The file.
        file: String,
    },
    /// The content is not what the name says.
    #[error("`{file}` is {expected} by its name, but contains {found}; {advice}")]
    ForeignContent {
        /// The file.
        file: String,
        /// The format that the name stands for.
        expected: MeshFormat,
        /// What the content looks like.
        found: &'static str,
        /// What to do.
        advice: &'static str,
    },
    /// More bytes than the stated limit.
    #[error(
        "`{file}` has {bytes} bytes, but at most {limit} ({} MiB) are read; export a coarser mesh",
        MAX_FILE_BYTES >> 20, limit = MAX_FILE_BYTES
    )]
    FileTooLarge {
        /// The file.
        file: String,
        /// Its size.
        bytes: u64,
    },
    /// More triangles than the stated limit.
    #[error("`{file}` has more than {limit} triangles at {place}; export a coarser mesh", limit = MAX_FACES)]
    TooManyFaces {
        /// The file.
        file: String,
        /// Where the limit is passed.
        place: Place,
    },
    /// More vertices than the stated limit.
    #[error("`{file}` has more than {limit} vertices at {place}; export a coarser mesh", limit = MAX_VERTICES)]
    TooManyVertices {
        /// The file.
        file: String,
        /// Where the limit is passed.
        place: Place,
    },
    /// Polygons with so many corners that cutting them into triangles costs too much.
    #[error(
        "`{file}`: the polygons up to {place} are too intricate to be cut into triangles; triangulate the mesh \
         before exporting it"
    )]
    PolygonsTooIntricate {
        /// The file.
        file: String,
        /// The polygon at which the budget ended.
        place: Place,
    },
    /// The scale factor is not a positive number.
    #[error("`{file}`: scale is {scale}, but must be positive and finite; to turn the faces over, use `reversed`")]
    InvalidScale {
        /// The file.
        file: String,
        /// The scale factor.
        scale: f64,
    },
    /// Text that does not follow the format.
    #[error("`{file}`, {place}: {problem}")]
    Syntax {
        /// The file.
        file: String,
        /// Where.
        place: Place,
        /// What is wrong and what to do.
        problem: String,
    },
    /// A coordinate that is NaN or infinite.
    #[error(
        "`{file}`, {place}: the vertex ({text}) has a coordinate that is not finite; repair and export the mesh again"
    )]
    NotFinite {
        /// The file.
        file: String,
        /// Where.
        place: Place,
        /// The three coordinates as the file states them.
        text: String,
    },
    /// A coordinate beyond the range in which the geometry is exact.
    #[error(
        "`{file}`, {place}: the vertex {}, scaled to metres, is beyond {limit:e} m; check the file and `scale`",
        Coordinates(coordinates), limit = LARGEST_COORDINATE
    )]
    CoordinateTooLarge {
        /// The file.
        file: String,
        /// Where.
        place: Place,
        /// The coordinates after scaling.
        coordinates: Vector,
    },
    /// A face that names a vertex that does not exist.
    #[error(
        "`{file}`, {place}: the face uses vertex {index}, but {}; indices run from 1, or from -1 backwards; \
         the file may be incomplete, export it again",
        VertexRange(*vertices)
    )]
    IndexOutOfRange {
        /// The file.
        file: String,
        /// Where.
        place: Place,
        /// The index as in the file.
        index: String,
        /// How many vertices there are: in the file, or before the face for a negative index.
        vertices: usize,
    },
    /// The file ends too early.
    #[error("`{file}` is truncated: {detail}; copy or export the file again")]
    Truncated {
        /// The file.
        file: String,
        /// What is missing.
        detail: String,
    },
    /// A binary STL file with more data than its header announces.
    #[error(
        "`{file}` announces {declared} facets in bytes 80 to 83, which makes {expected} bytes, but has {bytes}; \
         export the file again"
    )]
    FacetCountMismatch {
        /// The file.
        file: String,
        /// Facets announced.
        declared: u32,
        /// Size of a file with that many facets.
        expected: u64,
        /// Size of the file.
        bytes: u64,
    },
    /// No face with a positive area.
    #[error("`{file}` has no faces{}; export the surface as triangles or polygons", DroppedFaces(*dropped))]
    NoFaces {
        /// The file.
        file: String,
        /// Faces dropped because their area is zero.
        dropped: usize,
    },
    /// Triangles that do not join.
    #[error(
        "`{file}` is a soup of triangles: {shells} unconnected parts with {border_edges} border edges on {faces} faces; \
         join the faces in a mesh editor and export again, or set `merge-distance` to the gaps between them"
    )]
    Soup {
        /// The file.
        file: String,
        /// Unconnected parts.
        shells: usize,
        /// Edges with one face.
        border_edges: usize,
        /// All faces.
        faces: usize,
    },
    /// A distance for merging that is no distance.
    #[error(
        "`{file}`: merge-distance is {distance}, but must be finite and not negative; 0 merges equal vertices only"
    )]
    InvalidMergeDistance {
        /// The file.
        file: String,
        /// The distance in m.
        distance: f64,
    },
    /// An angle that cannot be.
    #[error("`{file}`: the smooth angle {angle} must be a number of degrees from 0 to {LARGEST_SMOOTH_ANGLE}")]
    InvalidSmoothAngle {
        /// The file.
        file: String,
        /// The angle, in degrees.
        angle: f64,
    },
    /// A sag that cannot be.
    #[error(
        "`{file}`: the sag {sag} m must be a positive, finite number; leave it out for a ten-thousandth of the size"
    )]
    InvalidSag {
        /// The file.
        file: String,
        /// The sag, in m.
        sag: f64,
    },
    /// The file has no part of the wanted name.
    #[error("`{file}` has no object, group or solid `{name}`{}", KnownParts(known))]
    NoSuchPart {
        /// The file.
        file: String,
        /// The name.
        name: String,
        /// Names that the file has.
        known: Vec<String>,
    },
    /// The file has no connected part of the wanted number.
    #[error("`{file}` has no shell {shell}: there are {shells}, counted from 1; `polycontact check-mesh` lists them")]
    NoSuchShell {
        /// The file.
        file: String,
        /// The number.
        shell: u32,
        /// How many there are.
        shells: usize,
    },
    /// Edges with more than two faces.
    #[error(
        "`{file}` has {count} edge(s) with more than two faces, first {example}; {}",
        if example.repeated_face {
            "a face is there twice: remove duplicate faces and export again"
        } else {
            "separate the parts that touch there, or remove inner walls, and export again"
        }
    )]
    NonManifoldEdges {
        /// The file.
        file: String,
        /// How many.
        count: usize,
        /// The first.
        example: EdgeExample,
    },
    /// Neighbouring faces that wind in opposite senses.
    #[error(
        "`{file}` has {count} edge(s) whose two faces are oriented inconsistently, first {example}; {}",
        if example.repeated_face {
            "a face is there twice: remove duplicate faces and export again"
        } else {
            "let all faces wind counter-clockwise seen from outside (\"recalculate normals\") and export again"
        }
    )]
    InconsistentOrientation {
        /// The file.
        file: String,
        /// How many.
        count: usize,
        /// The first.
        example: EdgeExample,
    },
}

struct VertexRange(usize);

impl fmt::Display for VertexRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => write!(f, "there are no vertices"),
            1 => write!(f, "there is 1 vertex"),
            count => write!(f, "there are {count} vertices"),
        }
    }
}

struct KnownParts<'a>(&'a [String]);

impl fmt::Display for KnownParts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 8;
        if self.0.is_empty() {
            return write!(f, "; it names no parts, choose by `shells` instead");
        }
        let names: Vec<String> = self.0.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
        let more = if SHOWN < self.0.len() { ", …" } else { "" };
        write!(f, "; it has {}{more}", names.join(", "))
    }
}

struct DroppedFaces(usize);

impl fmt::Display for DroppedFaces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => Ok(()),
            count => write!(f, " left: all {count} have no area"),
        }
    }
}
