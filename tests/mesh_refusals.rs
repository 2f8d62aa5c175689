//! Every refusal names the file, the place and what to do.

use polycontact::mesh::{MAX_FILE_BYTES, MeshError, MeshFormat, ReadOptions, Repair, inspect_bytes, read, read_bytes};

const TRIANGLE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
const TETRAHEDRON: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
const FACET: &str = "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";

fn unrepaired() -> ReadOptions {
    ReadOptions { repair: Repair::None, ..ReadOptions::default() }
}

fn refuse(format: MeshFormat, bytes: impl AsRef<[u8]>) -> MeshError {
    let name = format!("parts/bad.{}", format.to_string().to_lowercase());
    let error = read_bytes(&name, format, bytes.as_ref(), unrepaired()).expect_err("must be refused");
    assert!(error.to_string().contains(&name), "{error}");
    error
}

/// Refuses an OBJ file with a message that contains all `parts`.
fn refuse_obj(text: impl AsRef<[u8]>, parts: &[&str]) -> MeshError {
    with_parts(refuse(MeshFormat::Obj, text), parts)
}

fn refuse_stl(bytes: impl AsRef<[u8]>, parts: &[&str]) -> MeshError {
    with_parts(refuse(MeshFormat::Stl, bytes), parts)
}

fn with_parts(error: MeshError, parts: &[&str]) -> MeshError {
    for part in parts {
        assert!(error.to_string().contains(part), "`{part}` is not in: {error}");
    }
    error
}

fn binary_stl(declared: u32, facets: &[[f32; 9]]) -> Vec<u8> {
    let mut bytes = vec![0; 80];
    bytes.extend(declared.to_le_bytes());
    for corners in facets {
        bytes.extend([0; 12]);
        corners.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

const PLAIN_FACET: [f32; 9] = [0., 0., 0., 1., 0., 0., 0., 1., 0.];

#[test]
fn file_without_faces() {
    for text in ["v 0 0 0\n", "o nothing\n", "v 0 0 0\nv 1 0 0\nv 0 1 0\nl 1 2 3\np 1\n", "vn 0 0 1\n"] {
        let error = refuse_obj(text, &["no faces", "export the surface"]);
        assert!(matches!(error, MeshError::NoFaces { dropped: 0, .. }));
    }
    assert!(matches!(refuse_stl("solid x\nendsolid x\n", &["no faces"]), MeshError::NoFaces { .. }));
    assert!(matches!(refuse_stl(binary_stl(0, &[]), &["no faces"]), MeshError::NoFaces { .. }));
}

#[test]
fn file_with_only_faces_without_area() {
    let error = refuse_obj("v 0 0 0\nv 1 1 1\nv 2 2 2\nf 1 2 3\nf 1 1 2\n", &["all 2 have no area"]);
    assert!(matches!(error, MeshError::NoFaces { dropped: 2, .. }));
}

#[test]
fn coordinate_that_is_not_finite() {
    for text in ["nan", "NaN", "-nan(ind)", "inf", "-Infinity", "1e999", "1.#QNAN", "1.#INF"] {
        let parts = ["line 2", text, "not finite", "repair"];
        let obj = refuse_obj(format!("# comment\nv 0 {text} 0\n{TRIANGLE}"), &parts);
        assert!(matches!(obj, MeshError::NotFinite { .. }));
        let facet = FACET.replace("0 1 0", &format!("0 {text} 0"));
        let stl = refuse_stl(format!("solid\n{facet}endsolid\n"), &["line 6", "not finite", "repair"]);
        assert!(matches!(stl, MeshError::NotFinite { .. }));
    }
    let mut corners = PLAIN_FACET;
    corners[4] = f32::NAN;
    refuse_stl(binary_stl(2, &[PLAIN_FACET, corners]), &["face 2", "1 NaN 0", "not finite"]);
}

#[test]
fn weight_of_zero() {
    refuse_obj(format!("v 1 1 1 0\n{TRIANGLE}"), &["line 1", "1 1 1 0", "not finite"]);
}

#[test]
fn coordinate_beyond_the_limit() {
    let error = refuse_obj(
        format!("{TRIANGLE}v 0 0 2e15\n"),
        &["line 5", "(0.0, 0.0, 2000000000000000.0)", "1e15 m", "`scale`"],
    );
    assert!(matches!(error, MeshError::CoordinateTooLarge { .. }));
    let mut corners = PLAIN_FACET;
    corners[0] = 1e20;
    refuse_stl(binary_stl(1, &[corners]), &["face 1", "1e15 m", "`scale`"]);
}

#[test]
fn index_out_of_range() {
    for (index, stated) in
        [("4", "3 vertices"), ("0", "3 vertices"), ("-4", "3 vertices"), ("123456789012345678901", "3 vertices")]
    {
        let parts = ["line 4", &format!("vertex {index},"), stated, "export it again"];
        let error = refuse_obj(TRIANGLE.replace("f 1 2 3", &format!("f 1 2 {index}")), &parts);
        assert!(matches!(error, MeshError::IndexOutOfRange { .. }));
    }
    refuse_obj("f -1 -2 -3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n", &["line 1", "vertex -1", "no vertices"]);
    refuse_obj("f 1 2 3\n", &["line 1", "vertex 1", "no vertices"]);
}

#[test]
fn face_with_fewer_than_three_corners() {
    refuse_obj(TRIANGLE.replace("f 1 2 3", "f 1 2"), &["line 4", "2 corner(s)", "needs 3", "export"]);
    refuse_obj(TRIANGLE.replace("f 1 2 3", "f"), &["line 4", "0 corner(s)"]);
}

#[test]
fn words_that_are_not_numbers() {
    refuse_obj(TRIANGLE.replace("v 1 0 0", "v 1,0 0 0"), &["line 2", "`1,0` is not a number", "write"]);
    refuse_obj(TRIANGLE.replace("v 1 0 0", "v 1 0"), &["line 2", "2 of 3 coordinates"]);
    refuse_obj(TRIANGLE.replace("f 1 2 3", "f 1 2 x/1"), &["line 4", "`x/1` is not a corner", "i//n"]);
    refuse_obj(TRIANGLE.replace("f 1 2 3", "f 1 2 3.0"), &["line 4", "`3.0`"]);
    refuse_obj(TRIANGLE.replace("f 1 2 3", "f 1 2 /3"), &["line 4", "`/3`"]);
    refuse_obj(b"v 0 0 \xFF\xFE\n", &["line 1", "not a number"]);
    let facet = FACET.replace("1 0 0", "1 O 0");
    refuse_stl(format!("solid\n{facet}endsolid\n"), &["line 5", "`O` is not a number"]);
}

#[test]
fn message_about_a_long_line_is_short() {
    let error = refuse_obj(format!("v 0 0 {}\n", "x".repeat(100_000)), &["line 1", "…"]);
    assert!(error.to_string().len() < 300);
    let error = refuse_obj(format!("v 0 0 {}\n", "9".repeat(100_000)), &["line 1", "not finite"]);
    assert!(error.to_string().len() < 300, "{}", error.to_string().len());
    let error = refuse_obj(format!("{TRIANGLE}f 1 2 {}\n", "9".repeat(100_000)), &["line 5"]);
    assert!(error.to_string().len() < 300);
}

#[test]
fn edge_with_three_faces() {
    let text = format!("{TETRAHEDRON}v 1 1 -1\nf 1 2 5\n");
    let parts = ["1 edge(s) with more than two faces", "(0.0, 0.0, 0.0)", "(1.0, 0.0, 0.0)"];
    let error = refuse_obj(&text, &parts);
    with_parts(error.clone(), &["face 1 (line 5)", "face 2 (line 6) and face 5 (line 10)", "separate the parts"]);
    assert!(matches!(error, MeshError::NonManifoldEdges { count: 1, .. }));
    let (_, report) = inspect_bytes("x", MeshFormat::Obj, text.as_bytes(), unrepaired()).unwrap();
    assert_eq!((report.edges_with_more_than_two_faces, report.refusal.is_some()), (1, true));
}

#[test]
fn face_that_is_there_twice() {
    let error = refuse_obj(format!("{TETRAHEDRON}f 3 2 1\nf 2 1 3\n"), &["3 edge(s)", "remove duplicate faces"]);
    assert!(matches!(error, MeshError::NonManifoldEdges { .. }));
    let error = refuse_obj(format!("{TRIANGLE}f 2 3 1\n"), &["3 edge(s)", "remove duplicate faces"]);
    assert!(matches!(error, MeshError::InconsistentOrientation { .. }));
}

#[test]
fn neighbours_with_opposite_orientation() {
    let flipped = TETRAHEDRON.replace("f 2 3 4", "f 4 3 2");
    let parts = ["3 edge(s)", "oriented inconsistently", "face 1 (line 5) and face 3 (line 7)", "counter-clockwise"];
    let error = refuse_obj(&flipped, &parts);
    assert!(matches!(error, MeshError::InconsistentOrientation { count: 3, .. }));
    let (_, report) = inspect_bytes("x", MeshFormat::Obj, flipped.as_bytes(), unrepaired()).unwrap();
    assert_eq!((report.inconsistently_oriented_edges, report.volume), (3, None));
}

#[test]
fn place_in_ascii_stl_has_a_line_and_in_binary_a_face() {
    let reverse = FACET.replace("vertex 1 0 0\nvertex 0 1 0", "vertex 1 0 0\nvertex 1 1 0");
    let text = format!("solid facet facet\n{FACET}{reverse}endsolid\n");
    refuse_stl(text, &["face 1 (line 2) and face 2 (line 9)"]);
    let second = [0., 0., 0., 1., 0., 0., 1., 1., 0.];
    refuse_stl(binary_stl(2, &[PLAIN_FACET, second]), &["shared by face 1 and face 2;"]);
}

#[test]
fn truncated_file() {
    refuse_obj("", &["empty", "again"]);
    refuse_stl("", &["empty", "again"]);
    refuse_stl(b"\0\0\0", &["truncated", "3 bytes", "84"]);
    let error = refuse_stl(binary_stl(3, &[PLAIN_FACET; 2]), &["3 facets", "234 bytes", "184", "again"]);
    assert!(matches!(error, MeshError::Truncated { .. }));
    let whole = format!("solid\n{FACET}endsolid\n");
    for (word, _) in whole.match_indices(char::is_whitespace).skip(1) {
        if word + 1 < whole.len() {
            let error = refuse_stl(&whole[..word], &["truncated", "ends at line", "again"]);
            assert!(matches!(error, MeshError::Truncated { .. }), "{error}");
        }
    }
}

#[test]
fn more_data_than_announced() {
    let error = refuse_stl(binary_stl(1, &[PLAIN_FACET; 2]), &["1 facets", "134 bytes", "184", "export"]);
    assert!(matches!(error, MeshError::FacetCountMismatch { declared: 1, .. }));
}

#[test]
fn stl_text_that_breaks_the_grammar() {
    let four = FACET.replace("endloop", "vertex 1 1 0\nendloop");
    refuse_stl(format!("solid\n{four}endsolid\n"), &["line 7", "`vertex`", "`endloop`", "exactly three vertices"]);
    refuse_stl(format!("solid\n{FACET}color 1\nendsolid\n"), &["line 9", "`color`", "`facet` or `endsolid`"]);
    refuse_stl(format!("solid\n{FACET}endsolid\nrubbish\n"), &["line 10", "`rubbish`", "`solid`"]);
}

#[test]
fn foreign_content() {
    let stl_text = format!("solid\n{FACET}endsolid\n");
    for (content, found) in [
        (stl_text.as_bytes(), "ASCII STL; rename it to .stl"),
        (&binary_stl(1, &[PLAIN_FACET]), "binary data"),
        (b"ISO-10303-21;\nHEADER;", "a STEP model; export"),
        (b"PK\x03\x04....", "a ZIP archive"),
        (b"ply\nformat ascii 1.0\n", "a PLY model; rename it to .ply"),
        (b"\xFF\xFEv\0 \x000\0", "UTF-16 text"),
        (b"Dear Sir or Madam,\n", "no OBJ statement"),
    ] {
        let error = refuse_obj(content, &["is OBJ by its name", found]);
        assert!(matches!(error, MeshError::ForeignContent { .. }));
    }
    let error = refuse_stl(TRIANGLE, &["is STL by its name", "OBJ statements; rename it to .obj"]);
    assert!(matches!(error, MeshError::ForeignContent { .. }));
}

#[test]
fn unknown_extension_and_missing_file() {
    let error = read("part.step".as_ref(), ReadOptions::default()).unwrap_err();
    assert_eq!(error, MeshError::UnknownFormat { file: "part.step".into() });
    let error = read("no/such/part.STL".as_ref(), ReadOptions::default()).unwrap_err();
    assert!(matches!(error, MeshError::Unreadable { .. }));
    with_parts(error, &["no/such/part.STL", "check the path"]);
}

#[test]
fn file_beyond_the_size_limit() {
    // A sparse file: it has a size, but no content on the disk.
    let path = std::env::temp_dir().join(format!("polycontact-{}-large.stl", std::process::id()));
    std::fs::File::create(&path).unwrap().set_len(MAX_FILE_BYTES + 1).unwrap();
    let error = read(&path, ReadOptions::default()).unwrap_err();
    std::fs::remove_file(&path).unwrap();
    assert!(matches!(error, MeshError::FileTooLarge { bytes, .. } if bytes == MAX_FILE_BYTES + 1));
    with_parts(error, &["large.stl", "512 MiB", "coarser"]);
}

#[test]
fn more_triangles_than_the_limit() {
    // One polygon with very many corners is counted before it costs anything.
    let corners = " 1 2 3".repeat(1_700_000);
    let error = refuse_obj(TRIANGLE.replace(" 1 2 3", &corners), &["line 4", "5000000 triangles", "coarser"]);
    assert!(matches!(error, MeshError::TooManyFaces { .. }));
}

/// A zigzag band: nearly every second corner is reflex, so that every ear has to be compared with thousands.
#[test]
fn polygon_that_is_too_intricate() {
    let count = 40_000;
    let mut text = String::from(TRIANGLE);
    for k in 0..count {
        text += &format!("v {k} {} 0\n", k % 2);
    }
    for k in (0..count).rev() {
        text += &format!("v {k} {} 0\n", f64::from(k % 2) + 0.5);
    }
    let corners: Vec<String> = (4..4 + 2 * count).map(|index| index.to_string()).collect();
    text += &format!("f {}\n", corners.join(" "));
    let error = refuse_obj(text, &["face 2 (line 80005)", "too intricate", "triangulate the mesh"]);
    assert!(matches!(error, MeshError::PolygonsTooIntricate { .. }));
}

#[test]
fn scale_that_is_not_positive() {
    for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let options = ReadOptions { scale, ..ReadOptions::default() };
        let error = read_bytes("x.obj", MeshFormat::Obj, TRIANGLE.as_bytes(), options).unwrap_err();
        with_parts(error, &["x.obj", "scale", "positive", "`reversed`"]);
    }
}
