//! Checks a cleaned mesh and measures it.

use super::change::MeshChange;
use super::cleaning::CleanedMesh;
use super::error::{EdgeExample, MeshError, Place};
use super::measures::{self, FaceSets, Shell, Shells};
use super::merging::merge;
use super::nesting::{Nesting, nesting};
use super::read::MeshFormat;
use super::report::{Border, MeshReport, MeshWarning, SelfIntersections, SelfTouching, ShellReport};
use super::self_intersection::find_self_intersections;
use super::{FaceIndex, HalfEdge, HalfEdges, TriangleMesh, VertexIndex};
use crate::math::{Aabb, Vector};

/// Faces thinner than this get a warning: longest edge over shortest altitude.
///
/// A tenth of a millimetre on ten centimetres; fillets and cylinders from CAD programs stay below.
const THIN_FACE: f64 = 1000.0;

/// Meshes longer than this, in metres, are probably in millimetres.
const LARGE_EXTENT: f64 = 10.0;

/// Meshes shorter than this, in metres, are probably in metres already, or in another unit than thought.
const SMALL_EXTENT: f64 = 1e-3;

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
    pub(super) merge_distance: f64,
    pub(super) part_names: Vec<String>,
    /// Whether shells that are inside out are turned.
    pub(super) turns_shells: bool,
    /// What has been changed so far.
    pub(super) changes: Vec<MeshChange>,
    /// The place of a polygon or facet, by its number from 0.
    pub(super) place_of_face: &'a dyn Fn(usize) -> Place,
}

/// Everything that [`MeshReport`] holds, except self-intersections.
///
/// Turns shells that are inside out, where the source asks for it.
pub(super) fn report(cleaned: &mut CleanedMesh, source: &Source) -> MeshReport {
    let (half_edges, mut edges) = EdgeDefects::find(&cleaned.mesh);
    let mut shells = Shells::build(&cleaned.mesh, &half_edges, &mut edges.connected);
    let mut changes = source.changes.clone();
    let is_sound = edges.crowded == 0 && edges.inconsistent == 0;
    let nesting = if is_sound { nesting(&cleaned.mesh, &shells) } else { Nesting::default() };
    // Half-edges count corners in the old order; from here on only their number and connections are asked for.
    if source.turns_shells && !nesting.inside_out.is_empty() {
        changes.push(turn_shells(&mut cleaned.mesh, &mut shells, &nesting.inside_out));
    }
    let cleaned = &*cleaned;
    let mesh = &cleaned.mesh;
    let place = |face: FaceIndex| (source.place_of_face)(cleaned.face_numbers[face.index()] as usize);
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
    let refusal = refusal.or_else(|| {
        soup(&edges, &shells, mesh).then(|| MeshError::Soup {
            file: file(),
            shells: shells.list.len(),
            border_edges: edges.border,
            faces: mesh.faces.len(),
        })
    });
    let border = Border {
        edges: edges.border,
        loops: if is_sound { border_loops(mesh, &half_edges) } else { 0 },
        example: edges.first_border.map(|half_edge| example(&[half_edge])),
    };
    let is_closed = edges.border == 0 && is_sound;
    let (shortest_edge, longest_edge) = measures::edge_lengths(mesh);
    let mut report = MeshReport {
        file: file(),
        format: source.format,
        faces_in_file: source.faces_in_file,
        vertices_in_file: source.vertices_in_file,
        faces: mesh.faces.len(),
        vertices: mesh.vertices.len(),
        merge_distance: source.merge_distance,
        merged_vertices: cleaned.merged.equal + cleaned.merged.near,
        dropped_faces: cleaned.dropped_faces,
        contradicting_normals: source.contradicting_normals,
        shells: shells.list.len(),
        shell_list: shell_list(mesh, &shells),
        part_names: source.part_names.clone(),
        bounding_box: measures::bounding_box(mesh),
        area: shells.list.iter().map(|shell| shell.area).sum(),
        volume: is_closed.then(|| shells.list.iter().map(|shell| shell.volume).sum()),
        border,
        edges_with_more_than_two_faces: edges.crowded,
        inconsistently_oriented_edges: edges.inconsistent,
        self_touching: if is_sound { self_touching(mesh, &half_edges) } else { SelfTouching::default() },
        self_intersections: None,
        aspect_ratio: measures::aspect_ratio(mesh, place),
        shortest_edge,
        longest_edge,
        smoothing: None,
        changes,
        defects: cleaned.defects().collect(),
        warnings: Vec::new(),
        refusal,
    };
    report.warnings = warnings(&report, mesh, &shells, &nesting, source);
    if let Some(&first) = report.defects.first() {
        let (faces, example) = (report.defects.len(), mesh.corners(first)[0]);
        report.warnings.push(MeshWarning::Defects { faces, example, place: place(first) });
    }
    report
}

/// Unconnected open parts from which on a file may be a soup.
const SOUP_PARTS: usize = 8;

/// Whether the faces do not join: many open parts, and on average more than one free edge per face.
fn soup(edges: &EdgeDefects, shells: &Shells, mesh: &TriangleMesh) -> bool {
    let open = shells.list.iter().filter(|shell| !shell.is_closed).count();
    SOUP_PARTS <= open && mesh.faces.len() < edges.border
}

fn turn_shells(mesh: &mut TriangleMesh, shells: &mut Shells, inside_out: &[usize]) -> MeshChange {
    let mut is_turned = vec![false; shells.list.len()];
    for &shell in inside_out {
        is_turned[shell] = true;
        shells.list[shell].volume = -shells.list[shell].volume;
    }
    for (corners, shell) in mesh.faces.iter_mut().zip(&shells.of_face) {
        if is_turned[*shell as usize] {
            corners.swap(1, 2);
        }
    }
    let example = mesh.corners(shells.list[inside_out[0]].first_face)[0];
    MeshChange::TurnedShells { shells: inside_out.len(), example }
}

fn shell_list(mesh: &TriangleMesh, shells: &Shells) -> Vec<ShellReport> {
    let empty = Aabb { min: Vector::repeat(f64::INFINITY), max: Vector::repeat(f64::NEG_INFINITY) };
    let new =
        |shell: &Shell| ShellReport { faces: 0, volume: shell.is_closed.then_some(shell.volume), bounding_box: empty };
    let mut list: Vec<ShellReport> = shells.list.iter().map(new).collect();
    for (face, &shell) in shells.of_face.iter().enumerate() {
        let entry = &mut list[shell as usize];
        entry.faces += 1;
        for corner in mesh.corners(FaceIndex(face as u32)) {
            entry.bounding_box.min = entry.bounding_box.min.inf(&corner);
            entry.bounding_box.max = entry.bounding_box.max.sup(&corner);
        }
    }
    list
}

/// Completes the report with a search that is too slow for every start of a simulation.
pub(super) fn add_self_intersections(report: &mut MeshReport, cleaned: &CleanedMesh, source: &Source) {
    let place = |face: FaceIndex| (source.place_of_face)(cleaned.face_numbers[face.index()] as usize);
    // Separated sheets touch by intention: their vertices at one place count as one.
    let (first_at_place, _) = merge(&cleaned.mesh.vertices, 0.0);
    let faces =
        cleaned.mesh.faces.iter().map(|corners| corners.map(|corner| VertexIndex(first_at_place[corner.index()])));
    let joined = TriangleMesh { vertices: cleaned.mesh.vertices.clone(), faces: faces.collect() };
    let found = find_self_intersections(&joined);
    let example = found.first.map(|(first, second)| (place(first), place(second)));
    report.self_intersections = Some(SelfIntersections { pairs: found.pairs, example, complete: found.complete });
    if let Some(example) = example {
        report.warnings.push(MeshWarning::SelfIntersecting { pairs: found.pairs, example });
    }
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
    /// Faces that are connected by edges of any kind.
    connected: FaceSets,
}

impl EdgeDefects {
    /// Pairs up the half-edges on the way. "First" is the edge whose first face comes first in the file.
    fn find(mesh: &TriangleMesh) -> (HalfEdges, Self) {
        let mut found = EdgeDefects { connected: FaceSets::new(mesh.faces.len()), ..EdgeDefects::default() };
        let origin = |half_edge: HalfEdge| mesh.faces[half_edge.face().index()][half_edge.corner()];
        let half_edges = HalfEdges::build_visiting(&mesh.faces, mesh.vertices.len(), |edge| {
            edge[1..].iter().for_each(|other| found.connected.unite(edge[0].face(), other.face()));
            match *edge {
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
            }
        });
        (half_edges, found)
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

fn warnings(
    report: &MeshReport,
    mesh: &TriangleMesh,
    shells: &Shells,
    nesting: &Nesting,
    source: &Source,
) -> Vec<MeshWarning> {
    let mut warnings = Vec::new();
    if report.border.edges != 0 {
        warnings.push(MeshWarning::OpenSurface { border: report.border.clone() });
    }
    if report.refusal.is_none() {
        // Without a consistent orientation there is no inside.
        warnings.extend(measures::orientation_warning(mesh, shells));
    }
    if 1 < report.shells {
        warnings.push(MeshWarning::SeveralShells { shells: report.shells });
    }
    if report.faces_in_file < 2 * report.contradicting_normals {
        let (facets, of) = (report.contradicting_normals, report.faces_in_file);
        warnings.push(MeshWarning::ContradictingNormals { facets, of });
    }
    if let Some(&first) = nesting.buried.first() {
        let example = mesh.corners(shells.list[first].first_face)[0];
        warnings.push(MeshWarning::BuriedShells { shells: nesting.buried.len(), example });
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
    if extent < SMALL_EXTENT {
        warnings.push(MeshWarning::SmallExtent { extent, suggested_scale: 1e3 * source.scale });
    }
    warnings
}
