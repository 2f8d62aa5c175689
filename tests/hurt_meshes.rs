//! Parts as CAD kernels make them, each hurt in ways that real files are, and what reading makes of them.

use polycontact::math::Vector;
use polycontact::mesh::{
    MeshChange, MeshError, MeshFormat, MeshReport, MeshWarning, ReadOptions, Repair, TriangleMesh, read_bytes,
};
use polycontact::shapes;

/// Triangles without common vertices, as an STL file has them.
type Facets = Vec<[Vector; 3]>;

fn facets(mesh: &TriangleMesh) -> Facets {
    (0..mesh.faces.len()).map(|face| mesh.faces[face].map(|vertex| mesh.vertices[vertex.index()])).collect()
}

/// Parts with long thin triangles, fans, coplanar ends, holes and several curvatures; sizes in metres.
fn parts() -> Vec<(&'static str, TriangleMesh)> {
    vec![
        ("gear", shapes::involute_gear(20, 0.002, 20f64.to_radians(), 0.01, 12, 0.0)),
        ("latch", shapes::latch_hook(0.02, 0.002, 0.0015, 0.006)),
        ("peg", shapes::regular_prism(0.005, 0.04, 110)),
        ("hole", shapes::bush(0.00505, 0.012, 0.03, 128)),
        ("link", shapes::chain_link(0.012, 0.005, 0.002, 24, 16)),
        ("race", shapes::spherical_socket(0.01, 0.013, 1.2, 12, 48)),
        ("angle", shapes::filleted_angle(0.03, 0.004, 0.05, 0.001, 12)),
    ]
}

/// Text with the shortest numbers that read back to the same doubles.
fn text(facets: &Facets) -> Vec<u8> {
    let mut text = String::from("solid part\n");
    for facet in facets {
        text += "facet normal 0 0 0\nouter loop\n";
        facet.iter().for_each(|p| text += &format!("vertex {:?} {:?} {:?}\n", p.x, p.y, p.z));
        text += "endloop\nendfacet\n";
    }
    (text + "endsolid\n").into_bytes()
}

fn binary(facets: &Facets) -> Vec<u8> {
    let mut bytes = vec![0; 80];
    bytes.extend((facets.len() as u32).to_le_bytes());
    for facet in facets {
        bytes.extend([0; 12]);
        facet.iter().flat_map(|p| [p.x, p.y, p.z]).for_each(|x| bytes.extend((x as f32).to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

fn read(bytes: &[u8], options: ReadOptions) -> Result<(TriangleMesh, MeshReport), MeshError> {
    read_bytes("part.stl", MeshFormat::Stl, bytes, options)
}

fn read_text(facets: &Facets) -> (TriangleMesh, MeshReport) {
    read(&text(facets), ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// The mesh is the whole part: closed, in as many shells, of the same volume up to a relative error.
fn assert_whole(name: &str, report: &MeshReport, part: &MeshReport, shells: usize, error: f64) {
    assert_eq!((report.border.edges, report.shells), (0, shells), "{name}: {:?} {:?}", report.changes, report.warnings);
    let (volume, expected) = (report.volume.expect("closed"), part.volume.expect("closed"));
    assert!((volume / expected - 1.0).abs() < error, "{name}: volume {volume} instead of {expected}");
    assert!(report.defects.is_empty(), "{name}");
}

/// Noise of a size, different for every corner of every facet and the same in every run.
fn noisy(facets: &Facets, size: f64) -> Facets {
    let mut state = 1u64;
    let mut noise = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        size * ((state >> 33) as f64 / f64::from(1u32 << 30) - 1.0)
    };
    facets.iter().map(|facet| facet.map(|p| p + Vector::new(noise(), noise(), noise()))).collect()
}

#[test]
fn sound_parts_are_read_as_they_are() {
    for (name, part) in parts() {
        let (mesh, report) = read_text(&facets(&part));
        assert_eq!((mesh.faces.len(), mesh.vertices.len()), (part.faces.len(), part.vertices.len()), "{name}");
        assert_eq!(report.changes, [], "{name}");
        let (mesh, _) = read(&binary(&facets(&part)), ReadOptions::default()).unwrap();
        assert_eq!(mesh.vertices.len(), part.vertices.len(), "{name}: single precision merges nothing else");
    }
}

#[test]
fn noise_of_rounding_is_merged() {
    for (name, part) in parts() {
        let (_, whole) = read_text(&facets(&part));
        // Coordinates of a centimetre have a spacing of about 1e-18 m in double precision and of 1e-9 m in single.
        let (mesh, report) = read_text(&noisy(&facets(&part), 5e-18));
        assert_whole(name, &report, &whole, 1, 1e-12);
        assert_eq!(mesh.vertices.len(), part.vertices.len(), "{name}");
        let (_, report) = read(&binary(&noisy(&facets(&part), 1e-10)), ReadOptions::default()).unwrap();
        assert_whole(name, &report, &whole, 1, 1e-5);
    }
}

#[test]
fn larger_noise_needs_a_merge_distance() {
    for (name, part) in parts() {
        let (_, whole) = read_text(&facets(&part));
        let bytes = text(&noisy(&facets(&part), 1e-7));
        let refusal = read(&bytes, ReadOptions::default()).expect_err(name);
        assert!(matches!(refusal, MeshError::Soup { .. }), "{name}: {refusal}");
        assert!(refusal.to_string().contains("`merge-distance`"));
        // Two corners differ by up to 2√3 times the noise.
        let options = ReadOptions { merge_distance: Some(4e-7), ..ReadOptions::default() };
        let (_, report) = read(&bytes, options).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_whole(name, &report, &whole, 1, 1e-2);
        assert!(matches!(report.changes[0], MeshChange::MergedVertices { farthest, .. } if farthest <= 4e-7));
    }
}

/// Every fifth facet is cut at the middle of its longest edge; its neighbour is not.
#[test]
fn t_junctions_are_closed() {
    for (name, part) in parts() {
        let (_, whole) = read_text(&facets(&part));
        let mut hurt = Facets::new();
        let mut cuts = 0;
        for (index, facet) in facets(&part).into_iter().enumerate() {
            let longest = (0..3).max_by(|i, j| side(&facet, *i).total_cmp(&side(&facet, *j))).unwrap();
            let [a, b, c] = [0, 1, 2].map(|k| facet[(longest + k) % 3]);
            if index % 5 == 0 {
                let middle = 0.5 * (a + b);
                hurt.extend([[a, middle, c], [middle, b, c]]);
                cuts += 1;
            } else {
                hurt.push(facet);
            }
        }
        let (_, report) = read_text(&hurt);
        assert_whole(name, &report, &whole, 1, 1e-12);
        assert!(
            matches!(report.changes[..], [MeshChange::ClosedCracks { edges, .. }] if edges <= cuts),
            "{name}: {:?}",
            report.changes
        );
    }
}

fn side(facet: &[Vector; 3], k: usize) -> f64 {
    (facet[(k + 1) % 3] - facet[k]).norm()
}

#[test]
fn flipped_shell_is_turned() {
    for (name, part) in parts() {
        let (_, whole) = read_text(&facets(&part));
        let flipped: Facets = facets(&part).into_iter().map(|[a, b, c]| [a, c, b]).collect();
        let (_, report) = read_text(&flipped);
        assert_whole(name, &report, &whole, 1, 1e-12);
        assert!(matches!(report.changes[..], [MeshChange::TurnedShells { shells: 1, .. }]), "{name}");
        // Who says which way the faces wind is believed.
        let options = ReadOptions { reversed: true, ..ReadOptions::default() };
        let (_, report) = read(&text(&flipped), options).unwrap();
        assert!(0.0 < report.volume.unwrap() && report.changes.is_empty(), "{name}");
        let options = ReadOptions { repair: Repair::None, ..ReadOptions::default() };
        let (_, report) = read(&text(&flipped), options).unwrap();
        assert!(report.volume.unwrap() < 0.0, "{name}");
    }
}

#[test]
fn faces_that_wind_against_their_neighbours_are_turned() {
    for (name, part) in parts() {
        let (_, whole) = read_text(&facets(&part));
        let hurt: Facets = facets(&part)
            .into_iter()
            .enumerate()
            .map(|(index, [a, b, c])| if index % 7 == 3 { [a, c, b] } else { [a, b, c] })
            .collect();
        let (_, report) = read_text(&hurt);
        assert_whole(name, &report, &whole, 1, 1e-12);
        assert!(matches!(report.changes[0], MeshChange::TurnedFaces { .. }), "{name}: {:?}", report.changes);
        let options = ReadOptions { repair: Repair::None, ..ReadOptions::default() };
        assert!(matches!(read(&text(&hurt), options), Err(MeshError::InconsistentOrientation { .. })), "{name}");
    }
}

#[test]
fn duplicate_faces_are_removed() {
    for (name, part) in parts() {
        let (_, whole) = read_text(&facets(&part));
        let mut hurt = facets(&part);
        // The same face again, from another corner, and a wall with two sides on a face.
        let [a, b, c] = hurt[4];
        hurt.extend([[b, c, a], [c, a, b]]);
        let (_, report) = read_text(&hurt);
        assert_whole(name, &report, &whole, 1, 1e-12);
        assert!(matches!(report.changes[..], [MeshChange::RemovedDuplicates { faces: 2, .. }]), "{name}");
    }
}

/// A loose sheet along an edge of the part, as unstitched CAD faces leave it.
#[test]
fn extra_sheet_is_a_defect_and_the_part_stays_whole() {
    for (name, part) in parts() {
        let (_, whole) = read_text(&facets(&part));
        let mut hurt = facets(&part);
        let [a, b, c] = hurt[4];
        let away = (b - a).cross(&(c - a)).normalize() * 0.001;
        hurt.push([a, b, 0.5 * (a + b) + away]);
        let (_, report) = read_text(&hurt);
        assert_eq!((report.shells, report.border.edges, report.defects.len()), (2, 3, 3), "{name}");
        assert_eq!(report.shell_list[0].faces, part.faces.len(), "{name}");
        let volume = report.shell_list[0].volume.expect("closed");
        assert!((volume / whole.volume.unwrap() - 1.0).abs() < 1e-12);
        assert!(matches!(report.changes[..], [MeshChange::SeparatedEdges { edges: 1, .. }]), "{name}");
        assert!(report.warnings.iter().any(|warning| warning.to_string().contains("`defectInContact`")), "{name}");
    }
}

#[test]
fn several_bodies_in_a_file_are_told_apart() {
    for (name, part) in parts() {
        let (_, whole) = read_text(&facets(&part));
        let size = whole.bounding_box.size();
        let second: Facets = facets(&part).into_iter().map(|facet| facet.map(|p| p + 2.0 * size)).collect();
        let (_, report) = read_text(&[facets(&part), second.clone()].concat());
        assert_eq!((report.shells, report.border.edges), (2, 0), "{name}");
        let both = [text(&facets(&part)), text(&second)].concat();
        let shells = ReadOptions { shells: vec![2], ..ReadOptions::default() };
        let (mesh, report) = read(&both, shells).unwrap();
        assert_whole(name, &report, &whole, 1, 1e-12);
        assert!(mesh.vertices.iter().all(|p| p.x >= 1.4 * size.x), "{name}: the second one");
        let missing = ReadOptions { shells: vec![3], ..ReadOptions::default() };
        assert!(matches!(read(&both, missing), Err(MeshError::NoSuchShell { shell: 3, shells: 2, .. })));
        let named = String::from_utf8(both).unwrap().replacen("solid part", "solid first part", 1);
        let parts = ReadOptions { parts: vec!["first part".into()], ..ReadOptions::default() };
        let (mesh, report) = read(named.as_bytes(), parts).unwrap();
        assert_whole(name, &report, &whole, 1, 1e-12);
        assert!(mesh.vertices.iter().all(|p| p.x <= 1.4 * size.x), "{name}: the first one");
        let missing = ReadOptions { parts: vec!["bolt".into()], ..ReadOptions::default() };
        let refusal = read(named.as_bytes(), missing).unwrap_err().to_string();
        assert!(refusal.contains("`bolt`") && refusal.contains("`first part`"), "{refusal}");
    }
}

/// Blocks that touch along an edge, once in the middle of a face's side and once with both ends inside.
#[test]
fn bodies_that_touch_along_an_edge_are_separated() {
    let lines = [0.0, 1.0, 2.0, 3.0];
    let diagonal =
        shapes::from_cells([&lines, &lines, &lines[..2]], |x, y, _| (x == 0 && y == 0) || (x == 1 && y == 1));
    // A ring of seven cells in three layers that touches itself along one inner edge.
    let ring = shapes::from_cells([&lines, &lines, &lines], |x, y, z| match z {
        1 => (x, y) == (0, 0) || (x, y) == (1, 1),
        _ => x < 2 && y < 2,
    });
    for (name, mesh, shells, volume) in [("diagonal", diagonal, 2, 2.0), ("ring", ring, 1, 10.0)] {
        let (_, report) = read_text(&facets(&mesh));
        assert_eq!((report.border.edges, report.shells, report.defects.len()), (0, shells, 0), "{name}");
        assert!((report.volume.unwrap() - volume).abs() < 1e-12, "{name}");
        assert!(matches!(report.changes[..], [MeshChange::SeparatedEdges { edges: 1, .. }]), "{name}");
    }
}

#[test]
fn shells_inside_shells_are_told_from_cavities() {
    let block = |side: f64, turned: bool| -> Facets {
        let cube = shapes::cuboid(Vector::repeat(side));
        facets(&if turned { shapes::reversed(&cube) } else { cube })
    };
    let shells =
        |sizes: &[(f64, bool)]| -> Facets { sizes.iter().flat_map(|&(side, turned)| block(side, turned)).collect() };
    for (sizes, volume, is_changed, is_buried) in [
        (&[(3.0, false), (2.0, true)][..], 27.0 - 8.0, false, false),
        (&[(3.0, false), (2.0, true), (1.0, false)], 27.0 - 8.0 + 1.0, false, false),
        (&[(3.0, true), (2.0, false), (1.0, true)], 27.0 - 8.0 + 1.0, true, false),
        (&[(3.0, true), (2.0, true)], 27.0 - 8.0, true, false),
        (&[(3.0, false), (2.0, false)], 27.0 + 8.0, false, true),
    ] {
        let (_, report) = read_text(&shells(sizes));
        assert!((report.volume.unwrap() - volume).abs() < 1e-12, "{sizes:?}: {:?}", report.volume);
        assert_eq!(!report.changes.is_empty(), is_changed, "{sizes:?}");
        let buried =
            report.warnings.iter().any(|warning| matches!(warning, MeshWarning::BuriedShells { shells: 1, .. }));
        assert_eq!(buried, is_buried, "{sizes:?}");
    }
}

/// A Möbius strip has no two sides: it is cut where its ends meet, and that is a defect.
#[test]
fn a_surface_with_one_side_is_cut() {
    let steps = 24;
    let point = |step: i32, side: f64| {
        let angle = std::f64::consts::TAU * f64::from(step) / f64::from(steps);
        let radius = 1.0 + side * (0.5 * angle).cos();
        Vector::new(radius * angle.cos(), radius * angle.sin(), side * (0.5 * angle).sin())
    };
    let mut strip = Facets::new();
    for step in 0..steps {
        let [a, b, c, d] = [point(step, -0.2), point(step + 1, -0.2), point(step + 1, 0.2), point(step, 0.2)];
        strip.extend([[a, b, c], [a, c, d]]);
    }
    let options = ReadOptions { merge_distance: Some(1e-9), ..ReadOptions::default() };
    let (_, report) = read(&text(&strip), options).unwrap();
    assert_eq!((report.shells, report.faces), (1, 2 * steps as usize));
    assert_eq!((report.defects.len(), report.border.edges), (2, 2 * steps as usize + 2));
}

#[test]
fn loose_triangles_are_a_soup() {
    let loose: Facets = (0..100)
        .map(|k| {
            let at = Vector::new(f64::from(k * 37 % 101), f64::from(k * 53 % 103), f64::from(k * 71 % 107));
            [at, at + Vector::new(5.0, 1.0, 0.0), at + Vector::new(1.0, 4.0, 2.0)]
        })
        .collect();
    for repair in [Repair::None, Repair::Safe] {
        let refusal = read(&text(&loose), ReadOptions { repair, ..ReadOptions::default() }).unwrap_err();
        assert!(matches!(refusal, MeshError::Soup { shells: 100, border_edges: 300, faces: 100, .. }), "{refusal}");
    }
}
