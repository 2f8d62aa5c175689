//! Which closed shells lie inside others, and which way they should point.

use std::f64::consts::PI;

use super::measures::Shells;
use super::{FaceIndex, TriangleMesh};
use crate::math::{Aabb, Vector};

/// Solid angles that the search may cost: below a second.
const SOLID_ANGLES: usize = 20_000_000;

/// Points of a shell that are tried until one lies clearly inside or outside another; shells may touch.
const TRIED_POINTS: usize = 8;

/// Closed shells by where they lie.
#[derive(Default)]
pub(super) struct Nesting {
    /// Shells to turn: outermost ones that point inwards, and what is wound along with them.
    pub(super) inside_out: Vec<usize>,
    /// Shells that lie in the material of another and point outwards: neither a cavity nor a body in one.
    pub(super) buried: Vec<usize>,
}

/// Looks at all closed shells; what the budget does not reach counts as outermost and right.
///
/// A shell inside another that points inwards is the wall of a cavity. Where an outermost shell points inwards, the
/// shells inside that fit to it, as if the whole body were inside out, are turned with it.
pub(super) fn nesting(mesh: &TriangleMesh, shells: &Shells) -> Nesting {
    let closed: Vec<usize> = (0..shells.list.len()).filter(|&shell| shells.list[shell].is_closed).collect();
    let containers = containers(mesh, shells, &closed);
    let mut nesting = Nesting::default();
    for (place, &shell) in closed.iter().enumerate() {
        let points_inwards = shells.list[shell].volume < 0.0;
        let depth = containers[place].len();
        let outermost = containers[place].iter().copied().find(|&other| containers[other].is_empty());
        let is_turned = shells.list[closed[outermost.unwrap_or(place)]].volume < 0.0;
        let expected_inwards = (depth % 2 == 1) != is_turned;
        let turns = is_turned && points_inwards == expected_inwards;
        if turns {
            nesting.inside_out.push(shell);
        }
        if depth % 2 == 1 && points_inwards == turns {
            nesting.buried.push(shell);
        }
    }
    nesting
}

/// For every closed shell the places in the list of those around it.
fn containers(mesh: &TriangleMesh, shells: &Shells, closed: &[usize]) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new(); closed.len()];
    if closed.len() < 2 {
        return found;
    }
    let mut faces: Vec<Vec<FaceIndex>> = vec![Vec::new(); shells.list.len()];
    for face in (0..mesh.faces.len() as u32).map(FaceIndex) {
        faces[shells.of_face[face.index()] as usize].push(face);
    }
    let bounds: Vec<Aabb> = closed
        .iter()
        .map(|&shell| {
            let corners: Vec<Vector> = faces[shell].iter().flat_map(|face| mesh.corners(*face)).collect();
            Aabb::of(corners.iter())
        })
        .collect();
    let mut budget = SOLID_ANGLES;
    for inner in 0..closed.len() {
        for outer in (0..closed.len()).filter(|outer| *outer != inner) {
            budget = budget.saturating_sub(1);
            let is_around = (0..3)
                .all(|k| bounds[outer].min[k] <= bounds[inner].min[k] && bounds[inner].max[k] <= bounds[outer].max[k]);
            if !is_around {
                continue;
            }
            for face in faces[closed[inner]].iter().take(TRIED_POINTS) {
                let around = &faces[closed[outer]];
                if budget < around.len() {
                    return found;
                }
                budget -= around.len();
                let [a, b, c] = mesh.corners(*face);
                let turns = winding_number(mesh, around, &((a + b + c) / 3.0)).abs();
                if (turns - 0.5).abs() < 0.25 {
                    continue;
                }
                if 0.5 < turns {
                    found[inner].push(outer);
                }
                break;
            }
        }
    }
    found
}

/// How often closed faces wind around a point: 1 inside, 0 outside. Sum of solid angles over 4π
/// (Van Oosterom and Strackee 1983).
pub(super) fn winding_number(mesh: &TriangleMesh, faces: &[FaceIndex], point: &Vector) -> f64 {
    let solid_angle = |&face: &FaceIndex| {
        let [a, b, c] = mesh.corners(face).map(|corner| corner - point);
        let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
        let denominator = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
        2.0 * a.dot(&b.cross(&c)).atan2(denominator)
    };
    faces.iter().map(solid_angle).sum::<f64>() / (4.0 * PI)
}
