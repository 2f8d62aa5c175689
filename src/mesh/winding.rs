//! Lets neighbouring faces wind alike.

use super::cleaning::CleanedMesh;
use super::half_edge::for_each_edge;
use super::{FaceIndex, HalfEdge};

/// Faces turned, and the first of them.
#[derive(Default)]
pub(super) struct Turned {
    pub(super) faces: usize,
    pub(super) first: Option<u32>,
}

/// A neighbour over an edge with two faces.
#[derive(Clone, Copy)]
struct Neighbour {
    face: FaceIndex,
    winds_alike: bool,
}

/// Turns the smaller part, by area, of every connected set of faces; only edges with exactly two faces connect.
///
/// A set that has no two sides, as a Möbius strip, stays as it is.
pub(super) fn unify_winding(cleaned: &mut CleanedMesh) -> Turned {
    let mesh = &cleaned.mesh;
    let origin = |half_edge: HalfEdge| mesh.faces[half_edge.face().index()][half_edge.corner()];
    let mut neighbours: Vec<[Option<Neighbour>; 3]> = vec![[None; 3]; mesh.faces.len()];
    let mut is_mixed = false;
    for_each_edge(&mesh.faces, mesh.vertices.len(), |edge| {
        if let &[a, b] = edge {
            let winds_alike = origin(a) != origin(b);
            is_mixed |= !winds_alike;
            for (from, to) in [(a, b), (b, a)] {
                neighbours[from.face().index()][from.corner()] = Some(Neighbour { face: to.face(), winds_alike });
            }
        }
    });
    let mut turned = Turned::default();
    if !is_mixed {
        return turned;
    }
    // For every face whether it winds against the first of its set.
    let mut opposed: Vec<Option<bool>> = vec![None; mesh.faces.len()];
    let mut to_turn = vec![false; mesh.faces.len()];
    let mut members = Vec::new();
    for first in (0..mesh.faces.len() as u32).map(FaceIndex) {
        if opposed[first.index()].is_some() {
            continue;
        }
        opposed[first.index()] = Some(false);
        members.clear();
        members.push(first);
        let mut has_two_sides = true;
        let mut next = 0;
        while next < members.len() {
            let face = members[next];
            next += 1;
            let is_opposed = opposed[face.index()] == Some(true);
            for neighbour in neighbours[face.index()].iter().flatten() {
                let expected = is_opposed == neighbour.winds_alike;
                match opposed[neighbour.face.index()] {
                    None => {
                        opposed[neighbour.face.index()] = Some(expected);
                        members.push(neighbour.face);
                    }
                    Some(found) => has_two_sides &= found == expected,
                }
            }
        }
        if !has_two_sides {
            continue;
        }
        let area = |side: bool| -> f64 {
            let faces = members.iter().filter(|face| opposed[face.index()] == Some(side));
            faces.map(|face| mesh.area(*face)).sum()
        };
        let minority = area(true) <= area(false);
        members.iter().for_each(|face| to_turn[face.index()] = opposed[face.index()] == Some(minority));
    }
    for (face, corners) in cleaned.mesh.faces.iter_mut().enumerate().filter(|(face, _)| to_turn[*face]) {
        corners.swap(1, 2);
        turned.faces += 1;
        turned.first = turned.first.or(Some(cleaned.face_numbers[face]));
    }
    turned
}
