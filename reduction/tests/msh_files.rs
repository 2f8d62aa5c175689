//! Reading and writing of Gmsh files.

use crate::support::block_of_each_kind;
use polycontact_reduction::volume_mesh::impact_bodies::{Fineness, ImpactBody};
use polycontact_reduction::volume_mesh::msh::{read_msh, write_msh};
use polycontact_reduction::volume_mesh::{Element, VolumeMesh};

/// Both files were written by Gmsh; `meshes/cylinder.py` says how.
const CYLINDER_TEXT: &[u8] = include_bytes!("meshes/cylinder_text.msh");
const CYLINDER_BINARY: &[u8] = include_bytes!("meshes/cylinder_binary.msh");

#[test]
fn files_of_gmsh_are_read_with_their_groups() {
    for (name, bytes) in [("text", CYLINDER_TEXT), ("binary", CYLINDER_BINARY)] {
        let mesh = read_msh(name, bytes, 0.001).unwrap();
        // As Gmsh counts them.
        assert_eq!((mesh.node_positions.len(), mesh.elements.len()), (167, 66), "{name}");
        assert!(matches!(mesh.elements[0], Element::Tet10(_)));
        let groups: Vec<&str> = mesh.node_groups.keys().map(String::as_str).collect();
        assert_eq!(groups, ["body", "contact zone", "physical surface 9", "tip"], "{name}");
        assert_eq!(mesh.node_groups["body"].len(), 167, "{name}");
        let zone = &mesh.node_groups["contact zone"];
        let on_top = |node: u32| (mesh.node_positions[node as usize][2] - 0.02).abs() < 1e-12;
        let top: Vec<u32> = (0..167).filter(|&node| on_top(node)).collect();
        assert_eq!(zone, &top, "{name}");
        let [tip] = mesh.node_groups["tip"][..] else { panic!("{name}: one node") };
        let expected = [0.01, 0.0, 0.02];
        assert!((0..3).all(|axis| (mesh.node_positions[tip as usize][axis] - expected[axis]).abs() < 1e-12));
        // Seven parabolas per turn have 0.13 % less area than the circle.
        let volume = std::f64::consts::PI * 0.01_f64.powi(2) * 0.02;
        assert!((mesh.quality().volume / volume - 1.0).abs() < 0.002, "{name}: {}", mesh.quality().volume);
    }
}

#[test]
fn text_and_binary_of_gmsh_are_the_same_mesh() {
    let text = read_msh("text", CYLINDER_TEXT, 1.0).unwrap();
    let binary = read_msh("binary", CYLINDER_BINARY, 1.0).unwrap();
    assert_eq!((&text.elements, &text.node_groups), (&binary.elements, &binary.node_groups));
    for (text, binary) in text.node_positions.iter().zip(&binary.node_positions) {
        // Gmsh writes 16 digits.
        assert!((0..3).all(|axis| (text[axis] - binary[axis]).abs() < 1e-14));
    }
}

#[test]
fn written_meshes_come_back_unchanged() {
    let mut meshes = block_of_each_kind([0.3, 0.2, 0.25], [1, 1, 2]).to_vec();
    for mesh in &mut meshes {
        let all = (0..mesh.node_positions.len() as u32).collect();
        let top = (0..mesh.node_positions.len() as u32).filter(|&node| mesh.node_positions[node as usize][2] == 0.0);
        mesh.node_groups.insert("top".into(), top.collect());
        mesh.node_groups.insert("all of it".into(), all);
        mesh.node_groups.insert("two nodes".into(), vec![1, 5]);
    }
    meshes.push(ImpactBody::Ball.mesh(Fineness::Coarse));
    for mesh in meshes {
        let file = write_msh(&mesh);
        assert_eq!(read_msh("written", file.as_bytes(), 1.0).unwrap(), mesh);
    }
}

/// A tetrahedron with a named face, byte by byte after Gmsh's description of the format.
fn binary_tetrahedron(big_endian: bool) -> Vec<u8> {
    let mut file: Vec<u8> = Vec::new();
    let int = |file: &mut Vec<u8>, value: i32| {
        file.extend(if big_endian { value.to_be_bytes() } else { value.to_le_bytes() });
    };
    let size = |file: &mut Vec<u8>, value: u64| {
        file.extend(if big_endian { value.to_be_bytes() } else { value.to_le_bytes() });
    };
    let double = |file: &mut Vec<u8>, value: f64| {
        file.extend(if big_endian { value.to_be_bytes() } else { value.to_le_bytes() });
    };
    file.extend(b"$MeshFormat\n4.1 1 8\n");
    int(&mut file, 1);
    file.extend(b"\n$EndMeshFormat\n$PhysicalNames\n1\n2 5 \"face\"\n$EndPhysicalNames\n$Entities\n");
    for count in [0, 0, 1, 1] {
        size(&mut file, count);
    }
    for (tag, groups) in [(1, &[-5][..]), (1, &[])] {
        int(&mut file, tag);
        for _ in 0..6 {
            double(&mut file, 0.0);
        }
        size(&mut file, groups.len() as u64);
        for group in groups {
            int(&mut file, *group);
        }
        size(&mut file, 0);
    }
    file.extend(b"\n$EndEntities\n$Unknown\n1 2 3\n$EndUnknown\n$Nodes\n");
    for value in [1, 4, 10, 40] {
        size(&mut file, value);
    }
    // On a surface, with two parameters after each place.
    for value in [2, 1, 1] {
        int(&mut file, value);
    }
    size(&mut file, 4);
    for tag in [40, 30, 20, 10] {
        size(&mut file, tag);
    }
    for position in [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
        for value in position.into_iter().chain([7.0, 8.0]) {
            double(&mut file, value);
        }
    }
    file.extend(b"\n$EndNodes\n$Elements\n");
    for value in [2, 2, 1, 2] {
        size(&mut file, value);
    }
    for (header, nodes) in [([2, 1, 2], &[1, 40, 20, 30][..]), ([3, 1, 4], &[2, 40, 30, 20, 10])] {
        for value in header {
            int(&mut file, value);
        }
        size(&mut file, 1);
        for value in nodes {
            size(&mut file, *value);
        }
    }
    file.extend(b"\n$EndElements\n");
    file
}

#[test]
fn binary_files_of_both_byte_orders_are_read() {
    for big_endian in [false, true] {
        let mesh = read_msh("tetrahedron", &binary_tetrahedron(big_endian), 2.0).unwrap();
        let expected = VolumeMesh {
            node_positions: vec![[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]],
            elements: vec![Element::Tet4([0, 1, 2, 3])],
            node_groups: [("face".to_owned(), vec![0, 1, 2])].into(),
        };
        assert_eq!(mesh, expected);
    }
}
