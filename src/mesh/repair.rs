//! What is repaired without a doubt about what was meant.

use super::change::MeshChange;
use super::cleaning::CleanedMesh;
use super::duplicates::remove_duplicates;
use super::error::Place;
use super::half_edge::for_each_edge;
use super::sheets::separate_sheets;
use super::winding::unify_winding;
use super::{HalfEdge, TriangleMesh};

/// How much a reader may change besides merging vertices and closing cracks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Repair {
    /// Nothing: edges with more than two faces and neighbours that wind against each other are refused.
    None,
    /// Duplicate faces, windings, edges with more than two faces, shells that are inside out.
    #[default]
    Safe,
}

/// Leaves at most two faces per edge, which wind alike; `place` tells where a face of the file stands.
pub(super) fn repair_edges(cleaned: &mut CleanedMesh, place: &dyn Fn(usize) -> Place) -> Vec<MeshChange> {
    let mut changes = Vec::new();
    if !has_bad_edge(&cleaned.mesh) {
        return changes;
    }
    let removed = remove_duplicates(cleaned);
    if let Some(first) = removed.first {
        changes.push(MeshChange::RemovedDuplicates { faces: removed.faces, example: place(first as usize) });
    }
    let turned = unify_winding(cleaned);
    if let Some(first) = turned.first {
        changes.push(MeshChange::TurnedFaces { faces: turned.faces, example: place(first as usize) });
    }
    let separated = separate_sheets(cleaned);
    if let Some(example) = separated.first {
        changes.push(MeshChange::SeparatedEdges { edges: separated.edges, example });
    }
    changes
}

/// Whether an edge has more than two faces, or two that run along it in the same direction.
fn has_bad_edge(mesh: &TriangleMesh) -> bool {
    let origin = |half_edge: HalfEdge| mesh.faces[half_edge.face().index()][half_edge.corner()];
    let mut is_bad = false;
    for_each_edge(&mesh.faces, mesh.vertices.len(), |edge| {
        is_bad |= match *edge {
            [_] => false,
            [a, b] => origin(a) == origin(b),
            _ => true,
        };
    });
    is_bad
}
