//! What is known about a mesh after reading it.

use std::fmt;

use super::FaceIndex;
use super::change::MeshChange;
use super::error::{Coordinates, EdgeExample, MeshError, Place};
use super::read::MeshFormat;
use super::smooth::{MOST_REFINED_FACES, SmoothReport};
use crate::math::{Aabb, Vector};

/// Counts, measures and warnings of one mesh; lengths in metres after scaling.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshReport {
    /// The file as it was named.
    pub file: String,
    /// Its format.
    pub format: MeshFormat,
    /// Polygons or facets in the file.
    pub faces_in_file: usize,
    /// Vertices in the file; for STL, three per facet.
    pub vertices_in_file: usize,
    /// Triangles of the mesh.
    pub faces: usize,
    /// Vertices of the mesh.
    pub vertices: usize,
    /// Distance up to which vertices are one, in m.
    pub merge_distance: f64,
    /// Vertices that were equal to an earlier one.
    pub merged_vertices: usize,
    /// Triangles dropped because their area is zero.
    pub dropped_faces: usize,
    /// Facets of an STL file whose stated normal contradicts the order of their corners.
    pub contradicting_normals: usize,
    /// Parts that are connected by edges.
    pub shells: usize,
    /// The same one by one, in the order of their first faces.
    pub shell_list: Vec<ShellReport>,
    /// Names of objects, groups or solids in the file.
    pub part_names: Vec<String>,
    /// Smallest box along the axes.
    pub bounding_box: Aabb,
    /// Area of all faces in m².
    pub area: f64,
    /// Enclosed volume in m³, negative where the faces point inwards; none for open surfaces.
    pub volume: Option<f64>,
    /// Where the surface ends.
    pub border: Border,
    /// Edges with more than two faces; the mesh is refused unless there are none.
    pub edges_with_more_than_two_faces: usize,
    /// Edges whose two faces wind in opposite senses; the mesh is refused unless there are none.
    pub inconsistently_oriented_edges: usize,
    /// Vertices where separate fans of faces touch.
    pub self_touching: SelfTouching,
    /// Faces that cross or touch others away from common corners; only [`super::inspect`] looks
    /// for them.
    pub self_intersections: Option<SelfIntersections>,
    /// Shapes of the faces.
    pub aspect_ratio: AspectRatio,
    /// Length of the shortest edge.
    pub shortest_edge: f64,
    /// Length of the longest edge.
    pub longest_edge: f64,
    /// What is smooth, and what refining has made of it; the other fields are about the mesh before that. None where the
    /// mesh is not smoothed, unless [`super::inspect`] looks what it would do.
    pub smoothing: Option<SmoothReport>,
    /// What differs from the file.
    pub changes: Vec<MeshChange>,
    /// Faces at edges that could not be repaired: some of them end where the surface should go on.
    pub defects: Vec<FaceIndex>,
    /// What is unusual but accepted.
    pub warnings: Vec<MeshWarning>,
    /// Why the mesh is refused; always none in a report from [`super::read`].
    pub refusal: Option<MeshError>,
}

/// One of the connected parts of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShellReport {
    /// Triangles.
    pub faces: usize,
    /// Signed volume in m³; none where the part is open.
    pub volume: Option<f64>,
    /// Smallest box along the axes.
    pub bounding_box: Aabb,
}

/// The edges with a face on one side only.
#[derive(Clone, Debug, PartialEq)]
pub struct Border {
    /// How many.
    pub edges: usize,
    /// Closed chains that they form; not counted in a refused mesh.
    pub loops: usize,
    /// The first such edge.
    pub example: Option<EdgeExample>,
}

/// Vertices with more than one fan of faces; not counted in a refused mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SelfTouching {
    /// How many.
    pub vertices: usize,
    /// The first.
    pub example: Option<Vector>,
}

/// Pairs of faces that cross, touch or overlap where they should not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SelfIntersections {
    /// Pairs found.
    pub pairs: usize,
    /// The first pair, as places in the file.
    pub example: Option<(Place, Place)>,
    /// Whether all pairs were looked at; false where the search ended at its budget.
    pub complete: bool,
}

/// Longest edge over shortest altitude of a face: 2/√3 ≈ 1.15 for an equilateral triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AspectRatio {
    /// Median over the faces.
    pub median: f64,
    /// Largest.
    pub worst: f64,
    /// The face with the largest.
    pub worst_face: Place,
}

/// What is unusual about an accepted mesh, and what to do if it is not intended.
#[derive(Clone, Debug, PartialEq)]
pub enum MeshWarning {
    /// The surface has a border.
    OpenSurface {
        /// The border.
        border: Border,
    },
    /// The faces of a closed surface point inwards.
    InsideOut {
        /// The enclosed volume in m³, negative.
        volume: f64,
    },
    /// A closed surface without volume, such as a sheet with two sides.
    NoVolume,
    /// Several unconnected parts.
    SeveralShells {
        /// How many.
        shells: usize,
    },
    /// Closed parts that point inwards without being the wall of a cavity.
    MixedOrientation {
        /// Parts that point inwards.
        inverted: usize,
        /// All closed parts.
        closed: usize,
        /// A vertex of the first.
        example: Vector,
    },
    /// Most normals in an STL file contradict the order of the corners.
    ContradictingNormals {
        /// Facets with such a normal.
        facets: usize,
        /// All facets.
        of: usize,
    },
    /// Closed parts in the material of another, pointing outwards.
    BuriedShells {
        /// How many.
        shells: usize,
        /// A vertex of the first.
        example: Vector,
    },
    /// Faces at edges that could not be repaired.
    Defects {
        /// How many.
        faces: usize,
        /// A corner of the first.
        example: Vector,
        /// The first.
        place: Place,
    },
    /// Parts of the surface touch in a vertex.
    SelfTouching {
        /// Vertices.
        vertices: usize,
        /// The first.
        example: Vector,
    },
    /// Faces cross or overlap.
    SelfIntersecting {
        /// Pairs of faces found.
        pairs: usize,
        /// The first pair.
        example: (Place, Place),
    },
    /// Very thin faces.
    ThinFaces {
        /// Largest aspect ratio.
        worst: f64,
        /// The face.
        place: Place,
    },
    /// Fewer faces than the sag asks for.
    CoarserSag {
        /// Faces of the refined mesh.
        faces: usize,
        /// What was reached, in m.
        sag: f64,
        /// What was asked for, in m.
        wanted: f64,
    },
    /// Faces that would have folded over.
    KeptFlat {
        /// Faces of the file.
        faces: usize,
    },
    /// A size that suggests a scale too much.
    SmallExtent {
        /// Longest side of the bounding box in m.
        extent: f64,
        /// The scale for a file in metres instead of millimetres.
        suggested_scale: f64,
    },
    /// A size that suggests millimetres.
    LargeExtent {
        /// Longest side of the bounding box in m.
        extent: f64,
        /// The scale that would make it metres.
        suggested_scale: f64,
    },
}

impl fmt::Display for MeshWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MeshWarning::OpenSurface { border } => {
                write!(f, "the surface is open: {} border edge(s) in {} loop(s)", border.edges, border.loops)?;
                if let Some(EdgeExample { from, to, .. }) = &border.example {
                    write!(f, ", one from {} to {}", Coordinates(from), Coordinates(to))?;
                }
                write!(f, "; keep the border out of the contact, or close the surface")
            }
            MeshWarning::InsideOut { volume } => {
                write!(f, "the closed surface is inside out (volume {volume:.6e} m³); change `reversed`")
            }
            MeshWarning::NoVolume => {
                write!(f, "the closed surface encloses no volume; give the sheet a thickness, or keep one side of it")
            }
            MeshWarning::SeveralShells { shells } => write!(
                f,
                "the file has {shells} unconnected parts; all belong to one rigid surface, split the file if not"
            ),
            MeshWarning::MixedOrientation { inverted, closed, example } => write!(
                f,
                "{inverted} of {closed} closed parts point inwards without lying inside another part, the first at {}; \
                 turn their faces over",
                Coordinates(example)
            ),
            MeshWarning::ContradictingNormals { facets, of } => write!(
                f,
                "the stated normals of {facets} of {of} facets contradict the order of their corners, which counts; \
                 if the surface is inside out, change `reversed`"
            ),
            MeshWarning::BuriedShells { shells, example } => write!(
                f,
                "{shells} closed part(s) lie inside the material of another and point outwards, the first at {}; remove \
                 them, or turn the faces of those that are cavities",
                Coordinates(example)
            ),
            MeshWarning::Defects { faces, example, place } => write!(
                f,
                "{faces} faces meet in edges that could not be repaired, the first is {place} at {}; keep them out of \
                 the contact, `defectInContact` tells when they are not",
                Coordinates(example)
            ),
            MeshWarning::SelfTouching { vertices, example } => write!(
                f,
                "parts of the surface touch in {vertices} vertices, the first at {}; separate them if the \
                 contact comes near",
                Coordinates(example)
            ),
            MeshWarning::SelfIntersecting { pairs, example: (first, second) } => write!(
                f,
                "{pairs} pair(s) of faces cross or overlap, first {first} and {second}; unite the parts before exporting"
            ),
            MeshWarning::ThinFaces { worst, place } => write!(
                f,
                "{place} is {worst:.3e} times as long as high; mesh again with more even triangles if the contact \
                 comes near"
            ),
            MeshWarning::CoarserSag { faces, sag, wanted } => write!(
                f,
                "a sag of {wanted:.2e} m would take more than {MOST_REFINED_FACES} faces; the mesh was refined to {faces} \
                 with a sag of {sag:.2e} m, set `sag` to what the contact needs"
            ),
            MeshWarning::KeptFlat { faces } => write!(
                f,
                "{faces} face(s) would fold over if they were bent, and have edges that stay straight; if the contact comes \
                 near, try a larger `smooth-angle`, or mesh again with more even triangles"
            ),
            MeshWarning::SmallExtent { extent, suggested_scale } => write!(
                f,
                "the mesh is only {:.3e} mm long; if the file has another unit, set `scale = {suggested_scale}` or what \
                 fits",
                1e3 * extent
            ),
            MeshWarning::LargeExtent { extent, suggested_scale } => write!(
                f,
                "the mesh is {extent:.4} m long; if the file is in millimetres, set `scale = {suggested_scale}`"
            ),
        }
    }
}
