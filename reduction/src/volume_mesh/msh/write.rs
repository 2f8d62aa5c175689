//! MSH 4.1 as text.

use std::collections::BTreeSet;

use crate::volume_mesh::{Element, Face, VolumeMesh};

/// The mesh as an MSH 4.1 text file, in metres, numbered from 1.
///
/// A group of all nodes becomes a physical volume. Any other becomes the boundary faces that have all their nodes in
/// it, as a physical surface, and the nodes that no such face has, as physical points of the same name.
pub fn write_msh(mesh: &VolumeMesh) -> String {
    let mut file = String::from("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n");
    let groups = written_groups(mesh);
    write_names(&mut file, &groups);
    write_entities(&mut file, &groups);
    write_nodes(&mut file, mesh);
    write_elements(&mut file, mesh, &groups);
    file
}

/// A group as elements; its number is its place in the list, from 1.
struct WrittenGroup<'a> {
    name: &'a str,
    whole_body: bool,
    faces: Vec<Face>,
    points: Vec<u32>,
}

impl WrittenGroup<'_> {
    /// Dimensions in which the group has elements.
    fn dimensions(&self) -> impl Iterator<Item = usize> {
        let present = [(0, !self.points.is_empty()), (2, !self.faces.is_empty()), (3, self.whole_body)];
        present.into_iter().filter(|(_, present)| *present).map(|(dimension, _)| dimension)
    }
}

fn written_groups(mesh: &VolumeMesh) -> Vec<WrittenGroup<'_>> {
    let boundary = mesh.boundary_faces();
    let mut groups = Vec::new();
    for (name, nodes) in &mesh.node_groups {
        let whole_body = nodes.len() == mesh.node_positions.len();
        let mut faces: Vec<Face> = Vec::new();
        let mut points = BTreeSet::new();
        if !whole_body {
            let inside = |face: &&Face| face.nodes().iter().all(|node| nodes.binary_search(node).is_ok());
            faces.extend(boundary.iter().filter(inside));
            points.extend(nodes.iter().copied());
            for node in faces.iter().flat_map(|face| face.nodes()) {
                points.remove(node);
            }
        }
        groups.push(WrittenGroup { name, whole_body, faces, points: points.into_iter().collect() });
    }
    groups
}

fn write_names(file: &mut String, groups: &[WrittenGroup]) {
    let mut lines = Vec::new();
    for (number, group) in (1..).zip(groups) {
        lines.extend(group.dimensions().map(|dimension| format!("{dimension} {number} \"{}\"\n", group.name)));
    }
    file.push_str(&format!("$PhysicalNames\n{}\n{}$EndPhysicalNames\n", lines.len(), lines.concat()));
}

/// One entity per group of points or faces, with the number of the group; volume 1 for the body.
fn write_entities(file: &mut String, groups: &[WrittenGroup]) {
    let (mut points, mut surfaces, mut volumes) = (Vec::new(), Vec::new(), Vec::new());
    for (number, group) in (1..).zip(groups) {
        for dimension in group.dimensions() {
            match dimension {
                0 => points.push(format!("{number} 0 0 0 1 {number}\n")),
                2 => surfaces.push(format!("{number} 0 0 0 0 0 0 1 {number} 0\n")),
                _ => volumes.push(format!(" {number}")),
            }
        }
    }
    let volume = format!("1 0 0 0 0 0 0 {}{} 0\n", volumes.len(), volumes.concat());
    file.push_str(&format!("$Entities\n{} 0 {} 1\n", points.len(), surfaces.len()));
    file.push_str(&format!("{}{}{volume}$EndEntities\n", points.concat(), surfaces.concat()));
}

fn write_nodes(file: &mut String, mesh: &VolumeMesh) {
    let count = mesh.node_positions.len();
    file.push_str(&format!("$Nodes\n1 {count} 1 {count}\n3 1 0 {count}\n"));
    for number in 1..=count {
        file.push_str(&format!("{number}\n"));
    }
    for [x, y, z] in &mesh.node_positions {
        // Seventeen digits: the same numbers come back.
        file.push_str(&format!("{x:.16e} {y:.16e} {z:.16e}\n"));
    }
    file.push_str("$EndNodes\n");
}

fn write_elements(file: &mut String, mesh: &VolumeMesh, groups: &[WrittenGroup]) {
    // Entity, Gmsh's type, elements.
    let mut blocks: Vec<(String, u32, Vec<&[u32]>)> = Vec::new();
    for (number, group) in (1..).zip(groups) {
        if !group.points.is_empty() {
            blocks.push((format!("0 {number}"), 15, group.points.chunks(1).collect()));
        }
        if let Some(first) = group.faces.first() {
            let face_type = match first {
                Face::Triangle3(_) => 2,
                Face::Triangle6(_) => 9,
                Face::Quadrilateral4(_) => 3,
            };
            blocks.push((format!("2 {number}"), face_type, group.faces.iter().map(Face::nodes).collect()));
        }
    }
    if let Some(first) = mesh.elements.first() {
        let volume_type = match first {
            Element::Tet4(_) => 4,
            Element::Tet10(_) => 11,
            Element::Hex8(_) => 5,
        };
        blocks.push(("3 1".into(), volume_type, mesh.elements.iter().map(Element::nodes).collect()));
    }
    let count: usize = blocks.iter().map(|(_, _, elements)| elements.len()).sum();
    file.push_str(&format!("$Elements\n{} {count} 1 {count}\n", blocks.len()));
    let mut number = 0;
    for (entity, element_type, elements) in blocks {
        file.push_str(&format!("{entity} {element_type} {}\n", elements.len()));
        for nodes in elements {
            number += 1;
            file.push_str(&number.to_string());
            for node in nodes {
                file.push_str(&format!(" {}", node + 1));
            }
            file.push('\n');
        }
    }
    file.push_str("$EndElements\n");
}
