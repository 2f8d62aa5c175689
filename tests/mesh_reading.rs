//! Good files: counts, areas and volumes are those of the shapes that they describe.

use polycontact::mesh::{
    MeshChange, MeshFormat, MeshReport, MeshWarning, ReadOptions, Repair, TriangleMesh, read_bytes,
};
use polycontact::shapes::{icosphere, involute_gear, torus};

const CUBE_VERTICES: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n";
const CUBE_QUADS: &str = "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

fn read(format: MeshFormat, bytes: impl AsRef<[u8]>, options: ReadOptions) -> (TriangleMesh, MeshReport) {
    read_bytes("test", format, bytes.as_ref(), options).unwrap_or_else(|error| panic!("{error}"))
}

fn read_obj(text: impl AsRef<[u8]>) -> (TriangleMesh, MeshReport) {
    read(MeshFormat::Obj, text, ReadOptions::default())
}

fn read_stl(bytes: impl AsRef<[u8]>) -> (TriangleMesh, MeshReport) {
    read(MeshFormat::Stl, bytes, ReadOptions::default())
}

/// A closed surface without warnings, of a known size; 1e-12 leaves room for a few roundings.
fn assert_body(report: &MeshReport, faces: usize, vertices: usize, area: f64, volume: f64) {
    assert_eq!((report.faces, report.vertices), (faces, vertices));
    assert!((report.area - area).abs() <= 1e-12 * area, "area {} instead of {area}", report.area);
    let measured = report.volume.expect("closed");
    assert!((measured - volume).abs() <= 1e-12 * volume.abs(), "volume {measured} instead of {volume}");
}

fn assert_unit_cube(report: &MeshReport) {
    assert_body(report, 12, 8, 6.0, 1.0);
    assert_eq!((report.shells, report.border.edges, report.border.loops), (1, 0, 0));
    assert_eq!(report.warnings, []);
}

/// Triangles of the cube as facets of an STL file.
fn cube_facets() -> Vec<[[f32; 3]; 3]> {
    let (mesh, _) = read_obj([CUBE_VERTICES, CUBE_QUADS].concat());
    let corner = |vertex: polycontact::mesh::VertexIndex| {
        let point = mesh.vertices[vertex.index()];
        [point.x as f32, point.y as f32, point.z as f32]
    };
    mesh.faces.iter().map(|face| face.map(corner)).collect()
}

fn ascii_stl(name: &str, facets: &[[[f32; 3]; 3]]) -> String {
    let mut text = format!("solid {name}\n");
    for facet in facets {
        text += "  facet normal 0 0 0\n    outer loop\n";
        for [x, y, z] in facet {
            text += &format!("      vertex {x:e} {y:e} {z:e}\n");
        }
        text += "    endloop\n  endfacet\n";
    }
    text + &format!("endsolid {name}\n")
}

fn binary_stl(header: &str, facets: &[([f32; 3], [[f32; 3]; 3])]) -> Vec<u8> {
    let mut bytes = format!("{header:80}").into_bytes();
    bytes.extend((facets.len() as u32).to_le_bytes());
    for (normal, corners) in facets {
        for value in normal.iter().chain(corners.iter().flatten()) {
            bytes.extend(value.to_le_bytes());
        }
        bytes.extend([0, 0]);
    }
    bytes
}

fn without_normals(facets: &[[[f32; 3]; 3]]) -> Vec<([f32; 3], [[f32; 3]; 3])> {
    facets.iter().map(|&corners| ([0.0; 3], corners)).collect()
}

#[test]
fn cube_of_quads_is_a_unit_cube() {
    let (_, report) = read_obj([CUBE_VERTICES, CUBE_QUADS].concat());
    assert_unit_cube(&report);
    assert_eq!((report.faces_in_file, report.vertices_in_file), (6, 8));
    assert_eq!(report.bounding_box.size().as_slice(), [1.0, 1.0, 1.0]);
    assert_eq!((report.shortest_edge, report.longest_edge), (1.0, 2f64.sqrt()));
    // Half a square: longest edge √2 over altitude √2/2.
    assert!((report.aspect_ratio.worst - 2.0).abs() < 1e-15 && (report.aspect_ratio.median - 2.0).abs() < 1e-15);
}

/// An L-shaped hexagon, extruded: both caps are non-convex polygons.
#[test]
fn prism_with_l_shaped_caps_has_the_volume_of_an_l() {
    let outline = [(0., 0.), (3., 0.), (3., 1.), (1., 1.), (1., 2.), (0., 2.)];
    for start in 0..6 {
        let mut text = String::new();
        for z in [0.0, 0.5] {
            outline.iter().for_each(|(x, y)| text += &format!("v {x} {y} {z}\n"));
        }
        let at = |k: usize| (start + k) % 6 + 1;
        let top: Vec<String> = (0..6).map(|k| (at(k) + 6).to_string()).collect();
        let bottom: Vec<String> = (0..6).rev().map(|k| at(k).to_string()).collect();
        text += &format!("f {}\nf {}\n", top.join(" "), bottom.join(" "));
        for k in 0..6 {
            text += &format!("f {} {} {} {}\n", at(k), at(k + 1), at(k + 1) + 6, at(k) + 6);
        }
        let (_, report) = read_obj(text);
        // The L has an area of 3 + 1 and a perimeter of 10.
        assert_body(&report, 20, 12, 2.0 * 4.0 + 10.0 * 0.5, 4.0 * 0.5);
        assert_eq!(report.warnings, []);
    }
}

#[test]
fn negative_indices_count_from_the_vertices_so_far() {
    let quads = CUBE_QUADS.replace("\nf", "\n#\nf");
    let mut negative = String::new();
    for word in quads.split_inclusive(char::is_whitespace) {
        match word.trim().parse::<i32>() {
            Ok(index) => negative += &word.replace(word.trim(), &(index - 9).to_string()),
            Err(_) => negative += word,
        }
    }
    assert!(negative.starts_with("f -8 -5 -6 -7"));
    // Vertices after the faces must not move what the indices mean.
    assert_unit_cube(&read_obj([CUBE_VERTICES, &negative, "v 7 7 7\n"].concat()).1);
}

#[test]
fn texture_and_normal_indices_are_ignored_even_out_of_range() {
    for suffix in ["/1", "//1", "/1/1", "/99", "//-99", "/0/0", "/", "//"] {
        let faces: Vec<String> = CUBE_QUADS
            .lines()
            .map(|line| line.split(' ').map(|word| if word == "f" { word.into() } else { format!("{word}{suffix}") }))
            .map(|words| words.collect::<Vec<_>>().join(" "))
            .collect();
        let text = format!("{CUBE_VERTICES}vt 0 0\nvn 0 0 1\n{}", faces.join("\n"));
        assert_unit_cube(&read_obj(text).1);
    }
}

#[test]
fn objects_groups_and_materials_share_one_index_space() {
    let mut faces = CUBE_QUADS.lines();
    let mut text = format!("mtllib /nonexistent/file.mtl\no first\n{CUBE_VERTICES}");
    for header in ["g a b", "usemtl red", "o second", "s off", "g", "usemtl blue"] {
        text += &format!("{header}\n{}\n", faces.next().unwrap());
    }
    assert_unit_cube(&read_obj(text).1);
}

#[test]
fn faces_may_come_before_their_vertices() {
    assert_unit_cube(&read_obj([CUBE_QUADS, CUBE_VERTICES].concat()).1);
}

#[test]
fn unusual_but_legal_text_is_read_as_meant() {
    let plain = [CUBE_VERTICES, CUBE_QUADS].concat();
    let (expected, _) = read_obj(&plain);
    let variants: [(&str, Vec<u8>); 11] = [
        ("CRLF", plain.replace('\n', "\r\n").into()),
        ("CR", plain.replace('\n', "\r").into()),
        ("no end of line at the end", plain.trim_end().into()),
        ("byte order mark", format!("\u{FEFF}{plain}").into()),
        ("tabs and spaces", plain.replace(' ', " \t ").replace('\n', " \n\t").into()),
        ("exponents", plain.replace("v 1", "v 1.0E+00").replace("v 0", "v -0e5").into()),
        ("comments", plain.replace('\n', " # 1/2 π\n#f 1 2\n").into()),
        ("continued lines", plain.replace("f 1 ", "f \\\n1 \\\n").into()),
        ("colours and weights", plain.replace(" 0\nv", " 0 0.5 0.5 0.5\nv").replace(" 1\nv", " 1 1.0\nv").into()),
        ("Latin-1 in names", [b"g M\xFCller\n", plain.as_bytes()].concat()),
        ("points, lines and curves", format!("{plain}p 1 2\nl 1 2 3\nl 1 2 3 4\ncurv 0 1 1 2\n").into()),
    ];
    for (name, text) in variants {
        let (mesh, report) = read_bytes(name, MeshFormat::Obj, &text, ReadOptions::default())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(mesh, expected, "{name}");
        assert_eq!(report.warnings, [], "{name}");
    }
}

#[test]
fn weight_of_a_vertex_divides_its_coordinates() {
    let doubled = CUBE_VERTICES.replace('1', "2").replace('\n', " 2\n");
    assert_unit_cube(&read_obj([&doubled, CUBE_QUADS].concat()).1);
}

#[test]
fn equal_vertices_are_merged_and_unused_ones_dropped() {
    let mut text = String::new();
    let vertices: Vec<&str> = CUBE_VERTICES.lines().collect();
    for (face, line) in CUBE_QUADS.lines().enumerate() {
        for index in line.split(' ').skip(1) {
            text +=
                &vertices[index.parse::<usize>().unwrap() - 1].replace(" 0", if face % 2 == 0 { " 0" } else { " -0" });
            text += "\n";
        }
        text += "f -4 -3 -2 -1\nv 9 9 9\n";
    }
    let (_, report) = read_obj(text);
    assert_unit_cube(&report);
    // 24 corners for 8 places.
    assert_eq!((report.vertices_in_file, report.merged_vertices), (30, 16));
    assert_eq!(report.bounding_box.size().as_slice(), [1.0, 1.0, 1.0]);
}

#[test]
fn faces_without_area_are_dropped_and_counted() {
    let text = format!("{CUBE_VERTICES}{CUBE_QUADS}v 0.5 0 0\nv 0.25 0 0\nf 1 9 10\nf 1 1 2\nf 3 4 3\n");
    let (_, report) = read_obj(text);
    assert_body(&report, 12, 8, 6.0, 1.0);
    assert_eq!((report.warnings, report.changes), (vec![], vec![MeshChange::DroppedFaces { faces: 3 }]));
}

/// The front of the cube has corners on its lower edge, the bottom has not; faces without area lie between.
#[test]
fn seam_filled_by_faces_without_area_stays_closed() {
    let with_front = |front: &str, fillers: &str| {
        let quads = CUBE_QUADS.replace("f 1 2 6 5", front);
        read_obj(format!("{CUBE_VERTICES}v 0.25 0 0\nv 0.5 0 0\nv 0.75 0 0\n{quads}{fillers}"))
    };
    // One filler; two, the second behind the first, in both orders; three, two of them behind the first.
    for (front, fillers, count) in [
        ("f 1 9 2 6 5", "f 1 2 9\n", 1),
        ("f 1 9 10 2 6 5", "f 1 2 10\nf 1 10 9\n", 2),
        ("f 1 9 10 2 6 5", "f 1 10 9\nf 1 2 10\n", 2),
        ("f 1 9 10 11 2 6 5", "f 9 1 10\nf 1 2 10\nf 10 2 11\n", 3),
    ] {
        let (mesh, report) = with_front(front, fillers);
        // Every corner on the edge adds one face in front and one below.
        assert_body(&report, 12 + 2 * count, 8 + count, 6.0, 1.0);
        assert_eq!((report.border.edges, report.shells), (0, 1));
        assert_eq!((report.warnings, report.changes), (vec![], vec![MeshChange::DroppedFaces { faces: count }]));
        assert_eq!(mesh.faces.len(), 12 + 2 * count);
    }
    // Without fillers it is a T-junction.
    let (_, report) = with_front("f 1 9 2 6 5", "");
    assert_body(&report, 14, 9, 6.0, 1.0);
    assert_eq!(report.changes, [MeshChange::ClosedCracks { edges: 1, farthest: 0.0 }]);
}

#[test]
fn scale_multiplies_and_reversed_turns_over() {
    let text = [CUBE_VERTICES, CUBE_QUADS].concat();
    let (mesh, report) =
        read(MeshFormat::Obj, &text, ReadOptions { scale: 0.5, reversed: true, ..ReadOptions::default() });
    assert_body(&report, 12, 8, 1.5, -0.125);
    assert!(matches!(report.warnings[..], [MeshWarning::InsideOut { .. }]));
    assert!(report.warnings[0].to_string().contains("change `reversed`"));
    assert_eq!(mesh.vertices.iter().map(|vertex| vertex.max()).fold(0.0, f64::max), 0.5);
}

#[test]
fn ascii_and_binary_stl_give_the_same_mesh() {
    let facets = cube_facets();
    let (ascii, ascii_report) = read_stl(ascii_stl("a cube with endsolid facet in its name", &facets));
    let (binary, binary_report) = read_stl(binary_stl("", &without_normals(&facets)));
    assert_eq!(ascii, binary);
    assert_unit_cube(&ascii_report);
    assert_unit_cube(&binary_report);
    assert_eq!((binary_report.faces_in_file, binary_report.vertices_in_file), (12, 36));
    assert_eq!(binary_report.merged_vertices, 28);
}

#[test]
fn ply_and_off_files_of_the_corpus_are_unit_cubes() {
    for (format, folder, count) in [(MeshFormat::Ply, "ply", 5), (MeshFormat::Off, "off", 3)] {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(folder).join("good");
        let files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(files.len(), count);
        for file in files {
            let (_, report) = read(format, std::fs::read(file).unwrap(), ReadOptions::default());
            assert_unit_cube(&report);
            assert_eq!((report.faces_in_file, report.vertices_in_file), (6, 8));
        }
    }
}

#[test]
fn groups_and_objects_of_an_obj_file_are_parts() {
    let second = CUBE_VERTICES.replace("v ", "v 3").replace("v 30", "v 3.").replace("v 31", "v 4.");
    let quads = "f -8 -5 -6 -7\nf -4 -3 -2 -1\nf -8 -7 -3 -4\nf -7 -6 -2 -3\nf -6 -5 -1 -2\nf -5 -8 -4 -1\n";
    let text = format!("o left one\n{CUBE_VERTICES}{quads}o right\ng bolts steel\n{second}{quads}");
    let part = |name: &str| ReadOptions { parts: vec![name.into()], ..ReadOptions::default() };
    for (name, x) in [("left one", 0.0), ("right", 3.0), ("bolts", 3.0), ("steel", 3.0)] {
        let (_, report) = read(MeshFormat::Obj, &text, part(name));
        assert_unit_cube(&report);
        assert_eq!(report.bounding_box.min.x, x, "{name}");
        assert_eq!(report.part_names, ["left one", "right", "bolts", "steel"]);
    }
    let both = ReadOptions { parts: vec!["left one".into(), "steel".into()], ..ReadOptions::default() };
    assert_eq!(read(MeshFormat::Obj, &text, both).1.shells, 2);
}

#[test]
fn binary_stl_may_begin_with_solid() {
    assert_unit_cube(&read_stl(binary_stl("solid cube\nfacet normal 0 0 0", &without_normals(&cube_facets()))).1);
}

#[test]
fn ascii_stl_may_be_upper_case_on_few_lines_and_without_a_name() {
    let text = ascii_stl("", &cube_facets()).to_uppercase();
    let (first, rest) = text.split_once('\n').unwrap();
    let (rest, last) = rest.rsplit_once("ENDSOLID").unwrap();
    let packed = format!("{first}\r\n{}\r\nENDSOLID{last}", rest.split_whitespace().collect::<Vec<_>>().join(" "));
    assert_unit_cube(&read_stl(packed).1);
}

#[test]
fn solids_of_one_stl_file_are_one_mesh() {
    let facets = cube_facets();
    let text = ascii_stl("lower half", &facets[..6]) + &ascii_stl("upper half", &facets[6..]);
    assert_unit_cube(&read_stl(text).1);
}

#[test]
fn contradicting_stl_normals_warn_when_they_are_the_majority() {
    let outward = |corners: [[f32; 3]; 3]| {
        let [a, b, c] = corners.map(|corner| polycontact::math::Vector::from(corner.map(f64::from)));
        let normal = (b - a).cross(&(c - a));
        [normal.x as f32, normal.y as f32, normal.z as f32]
    };
    let facets = |wrong: usize| -> Vec<_> {
        let signed = |(k, corners): (usize, _)| (outward(corners).map(|x| if k < wrong { -x } else { x }), corners);
        cube_facets().into_iter().enumerate().map(signed).collect()
    };
    let (_, report) = read_stl(binary_stl("", &facets(6)));
    assert_eq!((report.contradicting_normals, report.warnings), (6, vec![]));
    let (_, report) = read_stl(binary_stl("", &facets(7)));
    assert_eq!(report.warnings, [MeshWarning::ContradictingNormals { facets: 7, of: 12 }]);
}

#[test]
fn open_box_is_accepted_with_one_border_loop() {
    let (_, report) = read_obj(format!("{CUBE_VERTICES}{}", &CUBE_QUADS[10..]));
    assert_eq!((report.border.edges, report.border.loops, report.volume), (4, 1, None));
    assert!(matches!(report.warnings[..], [MeshWarning::OpenSurface { .. }]));
    let (_, report) = read_obj(format!("{CUBE_VERTICES}{}", &CUBE_QUADS[20..]));
    assert_eq!((report.border.edges, report.border.loops), (8, 2));
}

/// A second cube, shifted and scaled as given; `inward` turns it over.
fn second_cube(scale: f64, shift: f64, inward: bool) -> String {
    let mut text = [CUBE_VERTICES, CUBE_QUADS].concat();
    for line in CUBE_VERTICES.lines() {
        let moved = line[2..].split(' ').map(|x| (x.parse::<f64>().unwrap() * scale + shift).to_string());
        text += &format!("v {}\n", moved.collect::<Vec<_>>().join(" "));
    }
    for line in CUBE_QUADS.lines() {
        let mut indices: Vec<String> =
            line[2..].split(' ').map(|x| (x.parse::<i32>().unwrap() + 8).to_string()).collect();
        if inward {
            indices.reverse();
        }
        text += &format!("f {}\n", indices.join(" "));
    }
    text
}

#[test]
fn several_shells_warn() {
    let (_, report) = read_obj(second_cube(1.0, 2.0, false));
    assert_body(&report, 24, 16, 12.0, 2.0);
    assert_eq!(report.warnings, [MeshWarning::SeveralShells { shells: 2 }]);
}

#[test]
fn cavity_is_right_and_inverted_neighbour_is_not() {
    let (_, report) = read_obj(second_cube(0.5, 0.25, true));
    assert_body(&report, 24, 16, 6.0 + 1.5, 1.0 - 0.125);
    assert_eq!(report.warnings, [MeshWarning::SeveralShells { shells: 2 }]);
    let unrepaired = ReadOptions { repair: Repair::None, ..ReadOptions::default() };
    let (_, report) = read(MeshFormat::Obj, second_cube(0.5, 2.0, true), unrepaired);
    assert!(matches!(
        report.warnings[..],
        [MeshWarning::MixedOrientation { inverted: 1, closed: 2, .. }, MeshWarning::SeveralShells { shells: 2 }]
    ));
}

#[test]
fn cubes_that_touch_in_a_corner_are_self_touching() {
    let (_, report) = read_obj(second_cube(1.0, 1.0, false));
    assert_eq!((report.vertices, report.shells, report.self_touching.vertices), (15, 2, 1));
    assert_eq!(report.self_touching.example.unwrap().as_slice(), [1.0, 1.0, 1.0]);
}

#[test]
fn sheet_with_two_sides_has_no_volume() {
    let (_, report) = read_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 3 2 1\n");
    assert_eq!(report.warnings, [MeshWarning::NoVolume]);
}

#[test]
fn mesh_in_millimetres_gets_a_hint() {
    let text = [CUBE_VERTICES, CUBE_QUADS].concat().replace("v 1", "v 100");
    let (_, report) = read_obj(text);
    let hint = report.warnings.iter().find(|warning| matches!(warning, MeshWarning::LargeExtent { .. })).unwrap();
    assert!(hint.to_string().contains("scale = 0.001"), "{hint}");
}

#[test]
fn coordinates_keep_double_precision() {
    let (mesh, _) = read_obj("v 0.1 0.1 123456789.12345679\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    assert_eq!(mesh.vertices[0].as_slice(), [0.1, 0.1, 123456789.12345679]);
}

/// A reader of others finds the same triangles: the twin of ours.
#[test]
fn tobj_reads_the_same_triangles() {
    let shapes = [icosphere(0.1, 2), involute_gear(12, 0.01, 0.35, 0.02, 4, 0.002), torus(0.08, 0.03, 12, 8)];
    for shape in shapes {
        let mut text = String::from("o part\nvn 0 0 1\nvt 0 0\n");
        for vertex in &shape.vertices {
            text += &format!("v {} {} {}\n", vertex.x, vertex.y, vertex.z);
        }
        for (number, [a, b, c]) in shape.faces.iter().map(|face| face.map(|vertex| vertex.0 + 1)).enumerate() {
            text += &match number % 4 {
                0 => format!("f {a} {b} {c}\n"),
                1 => format!("f {a}/1 {b}/1 {c}/1\n"),
                2 => format!("f {a}//1 {b}//1 {c}//1\n"),
                _ => {
                    let back = [a, b, c].map(|vertex| i64::from(vertex) - shape.vertices.len() as i64 - 1);
                    format!("f {} {} {}\n", back[0], back[1], back[2])
                }
            };
        }
        let options = tobj::LoadOptions { triangulate: true, ..tobj::LoadOptions::default() };
        let (models, _) =
            tobj::load_obj_buf(&mut text.as_bytes(), &options, |_| Ok(Default::default())).expect("an OBJ file");
        let theirs: Vec<[[f64; 3]; 3]> = models
            .iter()
            .flat_map(|model| {
                let point = |&index: &u32| [0, 1, 2].map(|axis| model.mesh.positions[3 * index as usize + axis]);
                model.mesh.indices.chunks(3).map(move |face| [point(&face[0]), point(&face[1]), point(&face[2])])
            })
            .collect();
        let (mesh, _) = read_obj(text);
        let ours: Vec<[[f64; 3]; 3]> =
            mesh.faces.iter().map(|face| face.map(|vertex| mesh.vertices[vertex.index()].into())).collect();
        assert_eq!(ours, theirs);
    }
}
