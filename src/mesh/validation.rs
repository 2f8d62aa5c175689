//! Checks a cleaned mesh and measures it.

use super::cleaning::CleanedMesh;
use super::error::{EdgeExample, MeshError, Place};
use super::half_edge::for_each_edge;
use super::measures::{self, Shell};
use super::read::MeshFormat;
use super::report::{Border, MeshReport, MeshWarning, SelfTouching};
use super::{FaceIndex, HalfEdge, HalfEdges, TriangleMesh, VertexIndex};

/// Faces thinner than this get a warning: longest edge over shortest altitude.
///
/// A tenth of a millimetre on ten centimetres; fillets and cylinders from CAD programs stay below.
const THIN_FACE: f64 = 1000.0;

/// Meshes longer than this, in metres, are probably in millimetres.
const LARGE_EXTENT: f64 = 50.0;

/// Faces named in an example of a bad edge.
const MAX_EXAMPLE_FACES: usize = 8;

/// Where the mesh comes from.
pub(super) struct Source<'a> {
    pub(super) file: &'a str,
    pub(super) format: MeshFormat,
    pub(super) scale: f64,
    pub(super) faces_in_file: usize,
    pub(super) vertices_in_file: usize,
    pub(super) contradicting_normals: usize,
    /// The place of a polygon or facet, by its number from 0.
    pub(super) place_of_face: &'a dyn Fn(usize) -> Place,
}

/// Everything that [`MeshReport`] holds, except self-intersections.
pub(super) fn report(cleaned: &CleanedMesh, source: &Source) -> MeshReport {
    let mesh = &cleaned.mesh;
    let place = |face: FaceIndex| (source.place_of_face)(cleaned.face_numbers[face.index()] as usize);
    let half_edges = HalfEdges::build(&mesh.faces, mesh.vertices.len());
    let edges = EdgeDefects::find(mesh);
    let example = |half_edges: &[HalfEdge]| edge_example(mesh, half_edges, &place);

    let file = || source.file.to_string();
    let refusal = if let Some(first) = &edges.first_crowded {
        Some(MeshError::NonManifoldEdges { file: file(), count: edges.crowded, example: example(first) })
    } else {
        edges.first_inconsistent.map(|first| MeshError::InconsistentOrientation {
            file: file(),
            count: edges.inconsistent,
            example: example(&first),
        })
    };
    let border = Border {
        edges: edges.border,
        loops: border_loops(mesh, &half_edges),
        example: edges.first_border.map(|half_edge| example(&[half_edge])),
    };
    let shells = measures::shells(mesh, &half_edges);
    let is_closed = edges.border == 0 && refusal.is_none();
    let (shortest_edge, longest_edge) = measures::edge_lengths(mesh);
    let mut report = MeshReport {
        file: file(),
        format: source.format,
        faces_in_file: source.faces_in_file,
        vertices_in_file: source.vertices_in_file,
        faces: mesh.faces.len(),
        vertices: mesh.vertices.len(),
        merged_vertices: cleaned.merged_vertices,
        dropped_faces: cleaned.dropped_faces,
        contradicting_normals: source.contradicting_normals,
        shells: shells.len(),
        bounding_box: measures::bounding_box(mesh),
        area: shells.iter().map(|shell| shell.area).sum(),
        volume: is_closed.then(|| shells.iter().map(|shell| shell.volume).sum()),
        border,
        edges_with_more_than_two_faces: edges.crowded,
        inconsistently_oriented_edges: edges.inconsistent,
        self_touching: self_touching(mesh, &half_edges),
        self_intersections: None,
        aspect_ratio: measures::aspect_ratio(mesh, place),
        shortest_edge,
        longest_edge,
        warnings: Vec::new(),
        refusal,
    };
    report.warnings = warnings(&report, mesh, &shells, source);
    report
}

/// Edges that break a rule, and borders.
#[derive(Default)]
struct EdgeDefects {
    border: usize,
    first_border: Option<HalfEdge>,
    /// Edges with more than two faces.
    crowded: usize,
    first_crowded: Option<Vec<HalfEdge>>,
    /// Edges whose two faces run along them in the same direction.
    inconsistent: usize,
    first_inconsistent: Option<[HalfEdge; 2]>,
}

impl EdgeDefects {
    /// "First" is the edge whose first face comes first in the file.
    fn find(mesh: &TriangleMesh) -> Self {
        let mut found = EdgeDefects::default();
        let origin = |half_edge: HalfEdge| mesh.faces[half_edge.face().index()][half_edge.corner()];
        for_each_edge(&mesh.faces, mesh.vertices.len(), |edge| match *edge {
            [first] => {
                found.border += 1;
                found.first_border = Some(found.first_border.map_or(first, |other| other.min(first)));
            }
            [first, second] => {
                if origin(first) == origin(second) {
                    found.inconsistent += 1;
                    let pair = [first, second];
                    found.first_inconsistent = Some(found.first_inconsistent.map_or(pair, |other| other.min(pair)));
                }
            }
            _ => {
                found.crowded += 1;
                if found.first_crowded.as_ref().is_none_or(|other| edge[0] < other[0]) {
                    found.first_crowded = Some(edge.to_vec());
                }
            }
        });
        found
    }
}

fn edge_example(mesh: &TriangleMesh, half_edges: &[HalfEdge], place: &dyn Fn(FaceIndex) -> Place) -> EdgeExample {
    let end = |half_edge: HalfEdge| mesh.corners(half_edge.face())[half_edge.corner()];
    let mut corner_sets: Vec<[VertexIndex; 3]> = half_edges
        .iter()
        .map(|half_edge| {
            let mut corners = mesh.faces[half_edge.face().index()];
            corners.sort_unstable();
            corners
        })
        .collect();
    corner_sets.sort_unstable();
    EdgeExample {
        from: end(half_edges[0]),
        to: end(half_edges[0].next()),
        faces: half_edges.iter().take(MAX_EXAMPLE_FACES).map(|half_edge| place(half_edge.face())).collect(),
        repeated_face: corner_sets.windows(2).any(|pair| pair[0] == pair[1]),
    }
}

/// How many closed chains the border half-edges form.
fn border_loops(mesh: &TriangleMesh, half_edges: &HalfEdges) -> usize {
    let all = || (0..3 * mesh.faces.len() as u32).map(HalfEdge);
    let mut is_open: Vec<bool> = all().map(|half_edge| half_edges.twin(half_edge).is_none()).collect();
    let mut loops = 0;
    for start in all() {
        if !is_open[start.index()] {
            continue;
        }
        loops += 1;
        let mut half_edge = start;
        while is_open[half_edge.index()] {
            is_open[half_edge.index()] = false;
            // Around the end vertex, through the fan of faces, to the border on its other side.
            half_edge = half_edge.next();
            while let Some(twin) = half_edges.twin(half_edge) {
                half_edge = twin.next();
            }
        }
    }
    loops
}

/// Finds vertices whose faces are not all in one fan.
fn self_touching(mesh: &TriangleMesh, half_edges: &HalfEdges) -> SelfTouching {
    let mut found = SelfTouching { vertices: 0, example: None };
    let mut is_seen = vec![false; 3 * mesh.faces.len()];
    for vertex in (0..mesh.vertices.len() as u32).map(VertexIndex) {
        let mut fans = 0;
        for &start in half_edges.outgoing(vertex) {
            if is_seen[start.index()] {
                continue;
            }
            fans += 1;
            // Both ways round, until a border or the start.
            let mut half_edge = Some(start);
            while let Some(current) = half_edge.filter(|current| !is_seen[current.index()]) {
                is_seen[current.index()] = true;
                half_edge = half_edges.twin(current.next().next());
            }
            half_edge = half_edges.twin(start).map(HalfEdge::next);
            while let Some(current) = half_edge.filter(|current| !is_seen[current.index()]) {
                is_seen[current.index()] = true;
                half_edge = half_edges.twin(current).map(HalfEdge::next);
            }
        }
        if 1 < fans {
            found.vertices += 1;
            found.example = found.example.or(Some(mesh.vertices[vertex.index()]));
        }
    }
    found
}

fn warnings(report: &MeshReport, mesh: &TriangleMesh, shells: &[Shell], source: &Source) -> Vec<MeshWarning> {
    let mut warnings = Vec::new();
    if report.border.edges != 0 {
        warnings.push(MeshWarning::OpenSurface { border: report.border.clone() });
    }
    if report.refusal.is_none() {
        warnings.extend(measures::orientation_warning(mesh, shells));
    }
    if 1 < report.shells {
        warnings.push(MeshWarning::SeveralShells { shells: report.shells });
    }
    if report.faces_in_file < 2 * report.contradicting_normals {
        let (facets, of) = (report.contradicting_normals, report.faces_in_file);
        warnings.push(MeshWarning::ContradictingNormals { facets, of });
    }
    if report.dropped_faces != 0 {
        warnings.push(MeshWarning::DroppedFaces { faces: report.dropped_faces });
    }
    if let SelfTouching { vertices, example: Some(example) } = report.self_touching {
        warnings.push(MeshWarning::SelfTouching { vertices, example });
    }
    if THIN_FACE < report.aspect_ratio.worst {
        let (worst, place) = (report.aspect_ratio.worst, report.aspect_ratio.worst_face);
        warnings.push(MeshWarning::ThinFaces { worst, place });
    }
    let extent = report.bounding_box.size().max();
    if LARGE_EXTENT < extent {
        warnings.push(MeshWarning::LargeExtent { extent, suggested_scale: 1e-3 * source.scale });
    }
    warnings
}
