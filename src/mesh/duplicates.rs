//! Removes faces that are there more than once.

use super::cleaning::CleanedMesh;
use super::half_edge::for_each_edge;
use super::{FaceIndex, VertexIndex};

/// Faces removed, and the first of them.
#[derive(Default)]
pub(super) struct Removed {
    pub(super) faces: usize,
    pub(super) first: Option<u32>,
}

/// Keeps one of equal faces. Of two that face each other none is kept where further faces meet their edges: they are
/// a wall without thickness inside a surface that closes without it.
pub(super) fn remove_duplicates(cleaned: &mut CleanedMesh) -> Removed {
    let mesh = &cleaned.mesh;
    let mut by_corners: Vec<([VertexIndex; 3], bool, u32)> = (0..mesh.faces.len())
        .map(|face| {
            let corners = mesh.faces[face];
            let mut sorted = corners;
            sorted.sort_unstable();
            // Three numbers in ascending order up to rotation, or in descending order.
            let lowest = corners.iter().position(|corner| *corner == sorted[0]).unwrap_or(0);
            (sorted, corners[(lowest + 1) % 3] == sorted[1], face as u32)
        })
        .collect();
    by_corners.sort_unstable();
    let mut is_kept = vec![true; mesh.faces.len()];
    let mut walls = Vec::new();
    for same in by_corners.chunk_by(|a, b| a.0 == b.0) {
        let mut sides = same.chunk_by(|a, b| a.1 == b.1).map(|side| {
            side[1..].iter().for_each(|(_, _, face)| is_kept[*face as usize] = false);
            side[0].2
        });
        if let (Some(front), Some(back)) = (sides.next(), sides.next()) {
            walls.push((front, back));
        }
    }
    if !walls.is_empty() {
        let is_crowded = crowded_faces(cleaned, &is_kept);
        let single = is_kept.clone();
        for (front, back) in walls {
            if is_crowded[front as usize] {
                is_kept[front as usize] = false;
                is_kept[back as usize] = false;
            }
        }
        // A mesh of nothing but walls stays.
        if !is_kept.contains(&true) {
            is_kept = single;
        }
    }
    let removed = Removed {
        faces: is_kept.iter().filter(|kept| !**kept).count(),
        first: is_kept.iter().position(|kept| !kept).map(|face| cleaned.face_numbers[face]),
    };
    if removed.faces != 0 {
        cleaned.keep_faces(|face| is_kept[face.index()]);
    }
    removed
}

/// Faces with an edge that more than two of the kept faces share.
fn crowded_faces(cleaned: &CleanedMesh, is_kept: &[bool]) -> Vec<bool> {
    let mesh = &cleaned.mesh;
    let mut is_crowded = vec![false; mesh.faces.len()];
    for_each_edge(&mesh.faces, mesh.vertices.len(), |edge| {
        let kept = || edge.iter().map(|half_edge| half_edge.face()).filter(|face: &FaceIndex| is_kept[face.index()]);
        if 2 < kept().count() {
            kept().for_each(|face| is_crowded[face.index()] = true);
        }
    });
    is_crowded
}
