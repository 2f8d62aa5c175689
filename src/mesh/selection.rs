//! Parts of a file: by the names in it, or by the numbers of connected parts.

use std::collections::HashSet;

use super::FaceIndex;
use super::cleaning::CleanedMesh;
use super::error::MeshError;
use super::half_edge::for_each_edge;
use super::measures::FaceSets;
use super::raw_mesh::RawMesh;

/// Names in the file without repetition, in order.
pub(super) fn part_names(raw: &RawMesh) -> Vec<String> {
    let mut seen = HashSet::new();
    let names = raw.parts.iter().map(|part| part.name.as_str()).filter(|name| !name.is_empty());
    names.filter(|name| seen.insert(*name)).map(str::to_owned).collect()
}

/// Keeps the faces of the wanted names; all where none is wanted.
pub(super) fn keep_parts(file: &str, raw: &mut RawMesh, wanted: &[String], known: &[String]) -> Result<(), MeshError> {
    if wanted.is_empty() {
        return Ok(());
    }
    if let Some(name) = wanted.iter().find(|name| !known.contains(name)) {
        return Err(MeshError::NoSuchPart { file: file.into(), name: name.clone(), known: known.to_vec() });
    }
    let mut is_kept = vec![false; raw.faces_in_file];
    for part in raw.parts.iter().filter(|part| wanted.contains(&part.name)) {
        let faces = part.faces.start as usize..(part.faces.end as usize).min(is_kept.len());
        is_kept[faces].fill(true);
    }
    let mut numbers = raw.face_numbers.iter();
    raw.faces.retain(|_| numbers.next().is_some_and(|number| is_kept[*number as usize]));
    raw.face_numbers.retain(|number| is_kept[*number as usize]);
    Ok(())
}

/// Keeps the connected parts of the wanted numbers, counted from 1 in the order of their first faces.
pub(super) fn keep_shells(file: &str, cleaned: &mut CleanedMesh, wanted: &[u32]) -> Result<(), MeshError> {
    if wanted.is_empty() {
        return Ok(());
    }
    let mut connected = FaceSets::new(cleaned.mesh.faces.len());
    for_each_edge(&cleaned.mesh.faces, cleaned.mesh.vertices.len(), |edge| {
        edge[1..].iter().for_each(|other| connected.unite(edge[0].face(), other.face()));
    });
    let all = || (0..cleaned.mesh.faces.len() as u32).map(FaceIndex);
    let lowest: Vec<FaceIndex> = all().map(|face| connected.lowest(face)).collect();
    let firsts: Vec<FaceIndex> = all().filter(|face| lowest[face.index()] == *face).collect();
    let mut is_kept = vec![false; lowest.len()];
    for &shell in wanted {
        let first = (shell as usize).checked_sub(1).and_then(|place| firsts.get(place));
        let first = first.ok_or(MeshError::NoSuchShell { file: file.into(), shell, shells: firsts.len() })?;
        is_kept[first.index()] = true;
    }
    cleaned.keep_faces(|face| is_kept[lowest[face.index()].index()]);
    Ok(())
}
