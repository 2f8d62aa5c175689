//! Nothing folds over: what does is refined again with flat faces.

use super::SmoothOptions;
use super::bends::{Bends, unit_normal};
use super::patches::{Edge, Patches};
use super::refinement::refine;
use super::report::SmoothReport;
use crate::math::Vector;
use crate::mesh::{HalfEdge, HalfEdges};

/// How far parts may turn away from the face of the file that they are of, in rad, beyond the angle that is smooth.
const SLACK: f64 = 0.5;

/// How far they may turn away at most: 75°.
const STEEPEST: f64 = 1.3;

/// How much more two neighbours may turn against each other than the faces of the file that they are of: 45°.
const SHARPER: f64 = 1.3;

/// Rounds after which the faces around those that fold are kept flat as well.
const ROUNDS_ALONE: usize = 5;

/// Rounds after which the mesh stays as it is.
const MOST_ROUNDS: usize = 12;

/// Likewise once so many faces have been made in all: some seconds, however fine the refined mesh is to be.
const MOST_FACES_MADE: usize = 1_000_000;

/// Refines, and keeps faces flat with straight edges until no part is folded over; also which faces were kept flat.
pub(super) fn refine_without_folds(
    half_edges: &HalfEdges,
    bends: &Bends,
    patches: &Patches,
    most_faces: usize,
    options: &SmoothOptions,
    report: &mut SmoothReport,
) -> (Patches, Vec<bool>) {
    let faces = bends.normals.len();
    let sides = |face: usize| (3 * face as u32..3 * face as u32 + 3).map(HalfEdge);
    let mut flat = vec![false; faces];
    let mut faces_made = 0;
    for round in 0..=MOST_ROUNDS {
        report.coarser = None;
        let mut patches = patches.clone();
        for side in (0..faces).filter(|&face| flat[face]).flat_map(sides) {
            for side in [Some(side), half_edges.twin(side)].into_iter().flatten() {
                patches.edges[side.face().index()][side.corner()] = Edge::Straight;
            }
        }
        fit_beside(&mut patches);
        let mut kept_flat = flat.clone();
        let refined = refine(patches, options.sag, most_faces, &mut kept_flat, report);
        faces_made += refined.faces.len();
        let mut folded = folded(&refined, &bends.normals, options.angle);
        folded
            .iter_mut()
            .zip(kept_flat.iter().zip(&flat))
            .for_each(|(folded, (kept, flat))| *folded |= *kept && !*flat);
        if !folded.contains(&true) || round == MOST_ROUNDS {
            report.kept_flat = kept_flat.iter().filter(|is_kept| **is_kept).count();
            return (refined, kept_flat);
        }
        if round + 1 == MOST_ROUNDS || MOST_FACES_MADE <= faces_made {
            folded.fill(true);
        } else if ROUNDS_ALONE <= round {
            folded = with_neighbours(&with_neighbours(&folded, half_edges), half_edges);
        }
        flat.iter_mut().zip(&folded).for_each(|(flat, folded)| *flat |= *folded);
    }
    unreachable!("the last round returns");
}

/// Turns normals of faces with straight edges across these: else parts beside the edge would be ever steeper.
fn fit_beside(patches: &mut Patches) {
    for face in 0..patches.faces.len() {
        let is_straight = patches.edges[face].map(|edge| edge == Edge::Straight);
        if !is_straight.contains(&true) || is_straight == [true; 3] {
            continue;
        }
        let corners = patches.corners(face);
        let own = unit_normal(corners);
        for k in 0..3 {
            let before = (k + 2) % 3;
            let line = match (is_straight[before], is_straight[k]) {
                (false, false) => continue,
                (true, true) => None,
                (true, false) => Some(corners[k] - corners[before]),
                (false, true) => Some(corners[(k + 1) % 3] - corners[k]),
            };
            let normal = patches.normals[patches.corner_normals[face][k] as usize];
            let across =
                line.and_then(|line| (normal - line * (normal.dot(&line) / line.norm_squared())).try_normalize(0.5));
            patches.corner_normals[face][k] = patches.normals.len() as u32;
            patches.normals.push(across.unwrap_or(own));
        }
    }
}

/// For every face of the file whether a part of it is folded over.
fn folded(refined: &Patches, normals: &[Vector], angle: f64) -> Vec<bool> {
    let mut folded = vec![false; normals.len()];
    let cosine = (angle + SLACK).min(STEEPEST).cos();
    let parts: Vec<Vector> = (0..refined.faces.len()).map(|face| unit_normal(refined.corners(face))).collect();
    for (part, &parent) in parts.iter().zip(&refined.parents) {
        folded[parent as usize] |= part.dot(&normals[parent as usize]) < cosine;
    }
    let half_edges = HalfEdges::build(&refined.faces, refined.vertices.len());
    for side in (0..3 * refined.faces.len() as u32).map(HalfEdge) {
        let Some(twin) = half_edges.twin(side).filter(|twin| side < *twin) else { continue };
        let (here, there) = (side.face().index(), twin.face().index());
        if SHARPER.cos() < parts[here].dot(&parts[there]) {
            continue;
        }
        let [p, q] = [here, there].map(|part| refined.parents[part] as usize);
        if turn(&normals[p], &normals[q]) + SHARPER < turn(&parts[here], &parts[there]) {
            folded[p] = true;
            folded[q] = true;
        }
    }
    folded
}

fn turn(n: &Vector, m: &Vector) -> f64 {
    n.cross(m).norm().atan2(n.dot(m))
}

fn with_neighbours(faces: &[bool], half_edges: &HalfEdges) -> Vec<bool> {
    let is_beside = |side: HalfEdge| half_edges.twin(side).is_some_and(|twin| faces[twin.face().index()]);
    let sides = |face: usize| (3 * face as u32..3 * face as u32 + 3).map(HalfEdge);
    (0..faces.len()).map(|face| faces[face] || sides(face).any(is_beside)).collect()
}
