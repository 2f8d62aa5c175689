//! Files and meshes that have to be refused, with the words that a user needs.

use crate::support::Random;
use polycontact_reduction::volume_mesh::msh::read_msh;
use polycontact_reduction::volume_mesh::{Element, Numbering, VolumeMesh};

const CYLINDER_TEXT: &[u8] = include_bytes!("meshes/cylinder_text.msh");
const CYLINDER_BINARY: &[u8] = include_bytes!("meshes/cylinder_binary.msh");

/// Two tetrahedra on both sides of the face 1 2 3.
const TWO_TETRAHEDRA: &str = "$MeshFormat
4.1 0 8
$EndMeshFormat
$Nodes
1 5 1 5
3 1 0 5
1
2
3
4
5
0 0 0
1 0 0
0 1 0
0 0 1
0 0 -1
$EndNodes
$Elements
1 2 71 72
3 1 4 2
71 1 2 3 4
72 1 3 2 5
$EndElements
";

/// The message for the file after a replacement.
fn message(from: &str, to: &str) -> String {
    assert!(TWO_TETRAHEDRA.contains(from), "{from}");
    let file = TWO_TETRAHEDRA.replacen(from, to, 1);
    match read_msh("part.msh", file.as_bytes(), 1.0) {
        Ok(_) => panic!("`{from}` -> `{to}` was accepted"),
        Err(error) => error.to_string(),
    }
}

fn assert_says(message: &str, words: &[&str]) {
    assert!(message.starts_with("part.msh: "), "{message}");
    for word in words {
        assert!(message.contains(word), "`{word}` is missing in: {message}");
    }
}

#[test]
fn the_file_itself_is_fine() {
    assert_eq!(read_msh("part.msh", TWO_TETRAHEDRA.as_bytes(), 1.0).unwrap().elements.len(), 2);
    let windows = TWO_TETRAHEDRA.replace('\n', "\r\n");
    assert_eq!(read_msh("part.msh", windows.as_bytes(), 1.0).unwrap().elements.len(), 2);
}

#[test]
fn foreign_files_and_versions_are_named() {
    assert_says(&message("$MeshFormat", "solid part"), &["not a Gmsh mesh", "$MeshFormat"]);
    assert_says(&message("4.1 0 8", "2.2 0 8"), &["version 2.2", "4.1", "Mesh.MshFileVersion"]);
    assert_says(&message("4.1 0 8", "4.1 0 4"), &["4 bytes"]);
    for bytes in [&b""[..], b"\x00\x01\x02", b"\xFF\xFE$MeshFormat", b"PK\x03\x04"] {
        assert_says(&read_msh("part.msh", bytes, 1.0).unwrap_err().to_string(), &["not a Gmsh mesh"]);
    }
    assert_says(&message("$EndMeshFormat", "$EndMeshFormat\n$PartitionedEntities"), &["partitioned"]);
    for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = read_msh("part.msh", TWO_TETRAHEDRA.as_bytes(), scale).unwrap_err();
        assert_says(&error.to_string(), &["scale"]);
    }
}

#[test]
fn wrong_words_are_named_with_their_line() {
    assert_says(&message("0 1 0\n", "0 one 0\n"), &["line 14", "$Nodes", "`one`", "coordinate"]);
    assert_says(&message("72 1 3 2 5", "72 1 3 x 5"), &["line 22", "$Elements", "`x`"]);
    assert_says(&message("$EndNodes", "$EndElements"), &["$Nodes", "end of the section"]);
    assert_says(&message("1 2 71 72", "2 2 71 72"), &["$EndElements", "dimension"]);
    assert_says(&message("$Nodes", "$Knots"), &["$Knots", "end of the section"]);
}

#[test]
fn missing_nodes_are_named() {
    assert_says(&message("72 1 3 2 5", "72 1 3 2 9"), &["element 72", "node 9"]);
    assert_says(&message("\n4\n5\n", "\n4\n4\n"), &["two nodes", "4"]);
    let nodes_start = TWO_TETRAHEDRA.find("$Nodes").unwrap();
    let elements_start = TWO_TETRAHEDRA.find("$Elements").unwrap();
    let without_nodes = [&TWO_TETRAHEDRA[..nodes_start], &TWO_TETRAHEDRA[elements_start..]].concat();
    let error = read_msh("part.msh", without_nodes.as_bytes(), 1.0).unwrap_err();
    assert_says(&error.to_string(), &["no section $Nodes"]);
    let error = read_msh("part.msh", &TWO_TETRAHEDRA.as_bytes()[..elements_start], 1.0).unwrap_err();
    assert_says(&error.to_string(), &["no section $Elements"]);
}

#[test]
fn unsupported_elements_are_named() {
    assert_says(&message("3 1 4 2", "3 1 7 2"), &["element 71", "line 21", "5-node pyramid"]);
    assert_says(&message("3 1 4 2", "3 1 17 2"), &["20-node hexahedron", "tetrahedra"]);
    assert_says(&message("3 1 4 2", "3 1 29 2"), &["tetrahedron of third or higher order"]);
    assert_says(&message("3 1 4 2", "3 1 140 2"), &["140"]);
}

#[test]
fn surfaces_without_a_volume_are_refused() {
    let said = message("3 1 4 2\n71 1 2 3 4\n72 1 3 2 5", "2 1 2 2\n71 1 2 3\n72 3 4 5");
    assert_says(&said, &["no volume elements", "physical group"]);
}

#[test]
fn inverted_and_flat_elements_are_counted_and_located() {
    let said = message("72 1 3 2 5", "72 1 2 3 5");
    assert_says(&said, &["1 of 2 elements", "4-node tetrahedron 72", "(0.250000, 0.250000, -0.250000) m"]);
    assert_says(&message("0 0 -1", "0.3 0.3 0"), &["1 of 2 elements", "72"]);
    assert_says(&message("0 0 -1", "0 0 1e-30"), &["1 of 2 elements", "72"]);
}

/// A tetrahedron with one mid-edge node pushed through the opposite side: its corners alone look sound.
#[test]
fn quadratic_tetrahedra_that_fold_over_are_refused() {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let edges = [[0, 1], [1, 2], [2, 0], [3, 0], [2, 3], [1, 3]];
    let middle = |[a, b]: [usize; 2]| std::array::from_fn(|axis| 0.5 * (corners[a][axis] + corners[b][axis]));
    let mut node_positions = corners.to_vec();
    node_positions.extend(edges.map(middle));
    let elements = vec![Element::Tet10(std::array::from_fn(|node| node as u32))];
    let mut mesh = VolumeMesh { node_positions, elements, ..VolumeMesh::default() };
    assert!(mesh.check(&Numbering::default()).is_ok());
    mesh.node_positions[4] = [0.5, 0.6, 0.6];
    let said = mesh.check(&Numbering::default()).unwrap_err().to_string();
    assert!(said.contains("10-node tetrahedron 1") && said.contains("Mesh.HighOrderOptimize"), "{said}");
}

#[test]
fn loose_nodes_parts_and_repeated_elements_are_refused() {
    let said = message("3 1 4 2\n71 1 2 3 4\n72 1 3 2 5", "3 1 4 1\n71 1 2 3 4");
    assert_says(&said, &["1 nodes", "node 5", "(0.000000, 0.000000, -1.000000) m"]);
    let separate = TWO_TETRAHEDRA
        .replace("1 5 1 5\n3 1 0 5", "1 8 1 8\n3 1 0 8")
        .replace("\n5\n", "\n5\n6\n7\n8\n")
        .replace("0 0 -1\n", "0 0 -1\n9 0 0\n9 1 0\n9 0 1\n")
        .replace("72 1 3 2 5", "72 5 6 7 8");
    let said = read_msh("part.msh", separate.as_bytes(), 1.0).unwrap_err().to_string();
    assert_says(&said, &["2 unconnected parts", "4 nodes"]);
    let said = message("3 1 4 2\n71 1 2 3 4\n", "3 1 4 4\n71 1 2 3 4\n73 1 2 3 4\n74 1 2 3 4\n");
    assert_says(&said, &["belongs to", "elements", "repeated"]);
}

#[test]
fn mixed_kinds_are_refused() {
    let mixed = TWO_TETRAHEDRA
        .replace("1 2 71 72\n3 1 4 2\n", "2 2 71 72\n3 1 4 1\n")
        .replace("72 1 3 2 5", "3 1 5 1\n72 1 2 3 4 5 1 2 3");
    let said = read_msh("part.msh", mixed.as_bytes(), 1.0).unwrap_err().to_string();
    assert_says(&said, &["element 72", "8-node hexahedron", "4-node tetrahedron"]);
}

#[test]
fn coordinates_have_to_be_finite() {
    assert_says(&message("0 0 -1", "0 0 nan"), &["node 5"]);
    assert_says(&message("0 0 -1", "0 0 -1e999"), &["node 5"]);
}

#[test]
fn huge_counts_cost_nothing() {
    let huge = "18446744073709551615";
    assert_says(&message("3 1 0 5", &format!("3 1 0 {huge}")), &["cut off"]);
    assert_says(&message("3 1 4 2", &format!("3 1 4 {huge}")), &["line 23", "$EndElements"]);
    assert_says(&message("$Nodes", &format!("$PhysicalNames\n{huge}\n$EndPhysicalNames\n$Nodes")), &["$PhysicalNames"]);
    assert_says(&message("$Nodes", &format!("$Entities\n{huge} 0 0 0\n$EndEntities\n$Nodes")), &["$Entities"]);
}

/// A file cut anywhere is refused, unless nothing but the last line end is missing.
#[test]
fn truncated_files_are_refused() {
    for bytes in [CYLINDER_TEXT, CYLINDER_BINARY, TWO_TETRAHEDRA.as_bytes()] {
        let end = bytes.trim_ascii_end().len();
        for length in 0..end {
            assert!(read_msh("part.msh", &bytes[..length], 1.0).is_err(), "{length} of {end} bytes were accepted");
        }
        assert!(read_msh("part.msh", &bytes[..end], 1.0).is_ok());
    }
    let said = read_msh("part.msh", &CYLINDER_BINARY[..9000], 1.0).unwrap_err().to_string();
    assert_says(&said, &["byte 9000", "cut off"]);
}

/// Random bytes in sound files: refused or read, never a panic, and what is read passes the checks.
#[test]
fn random_mutations_never_panic() {
    let mut random = Random(2026);
    for bytes in [CYLINDER_TEXT, CYLINDER_BINARY, TWO_TETRAHEDRA.as_bytes()] {
        for _ in 0..3000 {
            let mut mutated = bytes.to_vec();
            for _ in 0..1 + random.bits() % 4 {
                let place = (random.bits() % mutated.len() as u64) as usize;
                match random.bits() % 4 {
                    0 => mutated[place] = random.bits() as u8,
                    1 => mutated[place] ^= 1 << (random.bits() % 8),
                    2 => drop(mutated.remove(place)),
                    _ => mutated.insert(place, b"0123456789-.e \n$\xFF"[(random.bits() % 17) as usize]),
                }
            }
            if let Ok(mesh) = read_msh("part.msh", &mutated, 1.0) {
                assert!(mesh.check(&Numbering::default()).is_ok());
            }
        }
    }
}
