//! Gmsh's mesh files, MSH 4.1, text and binary.
//!
//! Written here rather than taken from a crate: `mshio` 0.4.2 (2020, the latest) does not read the names of physical
//! groups, has `unimplemented!` on paths that bytes of a file can reach, and cannot say where a defect is.
//! Names of physical groups become groups of nodes; those without a name are called `physical surface 3` and so on.

mod element_types;
mod error;
mod raw;
mod scanner;
mod sections;
mod write;

use std::collections::{BTreeMap, BTreeSet, HashMap};

pub use error::{MshError, MshFileError};
pub use write::write_msh;

use self::element_types::ElementType;
use self::raw::{EntityKey, RawElement, RawMsh};
use super::{Element, Numbering, VolumeMesh, VolumeMeshError};

/// Reads and checks a mesh from the bytes of an MSH file; `scale` takes its lengths to metres, such as 0.001 for mm.
/// `file` is what messages call it.
pub fn read_msh(file: &str, bytes: &[u8], scale: f64) -> Result<VolumeMesh, MshFileError> {
    let read = || -> Result<VolumeMesh, MshError> {
        if !(scale.is_finite() && 0.0 < scale) {
            return Err(MshError::Scale { scale });
        }
        let raw = sections::read(bytes)?;
        build(&raw, scale)
    };
    read().map_err(|problem| MshFileError { file: file.to_owned(), problem })
}

fn build(raw: &RawMsh, scale: f64) -> Result<VolumeMesh, MshError> {
    let mut node_indices: HashMap<u64, u32> = HashMap::with_capacity(raw.node_tags.len());
    for (index, &tag) in raw.node_tags.iter().enumerate() {
        if node_indices.insert(tag, index as u32).is_some() {
            return Err(MshError::RepeatedNode { node: tag });
        }
    }
    let mut mesh = VolumeMesh {
        node_positions: raw.positions.iter().map(|position| position.map(|value| scale * value)).collect(),
        ..VolumeMesh::default()
    };
    let mut element_tags = Vec::new();
    let mut groups: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    for element in &raw.elements {
        let mut nodes = [0; 10];
        for (node, tag) in nodes.iter_mut().zip(element.nodes()) {
            let user = || format!("element {}", element.tag);
            *node = *node_indices.get(tag).ok_or_else(|| VolumeMeshError::UnknownNode { user: user(), node: *tag })?;
        }
        if let Some(volume_element) = volume_element(element, &nodes) {
            mesh.elements.push(volume_element);
            element_tags.push(element.tag);
        }
        for name in group_names(raw, element.entity) {
            groups.entry(name).or_default().extend(&nodes[..element.nodes().len()]);
        }
    }
    mesh.node_groups = groups.into_iter().map(|(name, nodes)| (name, nodes.into_iter().collect())).collect();
    mesh.check(&Numbering { nodes: Some(&raw.node_tags), elements: Some(&element_tags) })?;
    Ok(mesh)
}

fn volume_element(element: &RawElement, nodes: &[u32; 10]) -> Option<Element> {
    match element.element_type {
        ElementType::Tetrahedron4 => Some(Element::Tet4(std::array::from_fn(|node| nodes[node]))),
        ElementType::Tetrahedron10 => Some(Element::Tet10(*nodes)),
        ElementType::Hexahedron8 => Some(Element::Hex8(std::array::from_fn(|node| nodes[node]))),
        _ => None,
    }
}

/// The names of the physical groups to which an entity belongs.
fn group_names(raw: &RawMsh, entity: EntityKey) -> impl Iterator<Item = String> {
    raw.physical_tags.get(&entity).into_iter().flatten().map(move |&tag| {
        let dimension = entity.0;
        raw.physical_names.get(&(dimension, tag)).cloned().unwrap_or_else(|| {
            let kind = ["point", "curve", "surface", "volume"].get(dimension as usize).unwrap_or(&"group");
            format!("physical {kind} {tag}")
        })
    })
}
