//! What reading any bytes promises; shared by the corpus test and the fuzz targets.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use polycontact::mesh::{
    FaceIndex, LARGEST_COORDINATE, MeshChange, MeshError, MeshFormat, MeshReport, ReadOptions, Repair, TriangleMesh,
    inspect_bytes, read_bytes,
};

/// Name under which bytes are read; every refusal has to repeat it.
const NAME: &str = "folder/name.mesh";

/// Time for reading up to a megabyte. A hundred times what it takes, for slow and busy machines.
const TIME_LIMIT: Duration = Duration::from_secs(10);

/// Reads the bytes and panics if a promise is broken. Returns the refusal, if any.
pub fn check_reading(format: MeshFormat, bytes: &[u8], repair: Repair) -> Result<MeshReport, MeshError> {
    let start = Instant::now();
    let options = || ReadOptions { repair, ..ReadOptions::default() };
    let result = read_bytes(NAME, format, bytes, options());
    let inspected = inspect_bytes(NAME, format, bytes, options());
    if bytes.len() <= 1 << 20 {
        assert!(start.elapsed() < TIME_LIMIT, "{} bytes took {:?}", bytes.len(), start.elapsed());
    }
    match result {
        Ok((mesh, report)) => {
            let is = |kind: fn(&MeshChange) -> bool| report.changes.iter().any(kind);
            let is_separated = is(|change| matches!(change, MeshChange::SeparatedEdges { .. }));
            assert_mesh_promises(&mesh, is_separated || !report.defects.is_empty());
            assert_report_fits(&mesh, &report);
            // A closer look sees the same mesh.
            let (inspected_mesh, inspected_report) = inspected.expect("accepted before");
            assert_eq!(inspected_mesh, mesh);
            assert_eq!(inspected_report.refusal, None);
            // The option turns every face over and changes nothing else.
            let reversed = ReadOptions { reversed: true, ..options() };
            let (reversed_mesh, _) = read_bytes(NAME, format, bytes, reversed).expect("accepted before");
            assert_eq!(reversed_mesh.vertices, mesh.vertices);
            if !is(|change| matches!(change, MeshChange::TurnedShells { .. })) {
                assert!(reversed_mesh.faces.iter().zip(&mesh.faces).all(|(r, f)| *r == [f[0], f[2], f[1]]));
            }
            Ok(report)
        }
        Err(refusal) => {
            let message = refusal.to_string();
            assert!(message.contains(NAME) && message.len() < 1000, "{message}");
            match inspected {
                Ok((_, report)) => assert_eq!(report.refusal.as_ref(), Some(&refusal)),
                Err(error) => assert_eq!(error, refusal),
            }
            Err(refusal)
        }
    }
}

/// The promises of [`TriangleMesh`], checked without the code that keeps them.
///
/// Separated sheets have vertices of their own at the same places.
fn assert_mesh_promises(mesh: &TriangleMesh, is_separated: bool) {
    assert!(!mesh.faces.is_empty());
    let mut places = HashSet::new();
    for vertex in &mesh.vertices {
        assert!(vertex.iter().all(|x| x.abs() <= LARGEST_COORDINATE), "{vertex:?}");
        let is_new = places.insert([vertex.x.to_bits(), vertex.y.to_bits(), vertex.z.to_bits()]);
        assert!(is_new || is_separated, "twice: {vertex:?}");
    }
    let mut is_used = vec![false; mesh.vertices.len()];
    let mut edges: HashMap<(u32, u32), usize> = HashMap::new();
    for (face, corners) in mesh.faces.iter().enumerate() {
        let [a, b, c] = mesh.corners(FaceIndex(face as u32));
        assert!(0.0 < (b - a).cross(&(c - a)).norm(), "face {face} has no area");
        for k in 0..3 {
            is_used[corners[k].index()] = true;
            let edge = (corners[k].0, corners[(k + 1) % 3].0);
            // At most one face runs along an edge in each direction.
            assert_eq!(edges.insert(edge, face), None, "edge {edge:?} twice in one direction");
        }
    }
    assert!(is_used.iter().all(|&used| used), "a vertex without faces");
}

fn assert_report_fits(mesh: &TriangleMesh, report: &MeshReport) {
    assert_eq!((report.faces, report.vertices), (mesh.faces.len(), mesh.vertices.len()));
    assert_eq!((report.edges_with_more_than_two_faces, report.inconsistently_oriented_edges), (0, 0));
    assert!(1 <= report.shells && report.shells <= report.faces);
    assert_eq!(report.volume.is_some(), report.border.edges == 0);
    assert_eq!(report.border.edges == 0, report.border.loops == 0);
    assert!(report.volume.is_none_or(f64::is_finite) && 0.0 < report.area && report.area.is_finite());
    // Longest edge over shortest altitude is smallest for the equilateral triangle.
    assert!(1.15 < report.aspect_ratio.median && report.aspect_ratio.median <= report.aspect_ratio.worst);
    assert!(0.0 < report.shortest_edge && report.shortest_edge <= report.longest_edge);
    for warning in &report.warnings {
        assert!(!warning.to_string().is_empty());
    }
}
