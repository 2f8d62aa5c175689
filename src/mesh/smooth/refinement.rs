//! Cuts edges in their middles until faces follow the curved surface.

use super::bends::unit_normal;
use super::curve::{Middle, middle_normal};
use super::flips::{flip, widen};
use super::height::Height;
use super::patches::{Crease, Edge, Patches};
use super::report::{FACE_BY_EDGE, SmoothReport};
use crate::math::Vector;
use crate::mesh::{HalfEdge, HalfEdges, VertexIndex};

/// Rounds after which refining ends in any case: every round quarters the sag.
const MOST_ROUNDS: usize = 24;

/// An edge waits while both faces have one to cut that is shorter than this part of it: cutting that one may be all
/// that a bend across it needs.
const MUCH_SHORTER: f64 = 0.5;

/// Smallest cosine between a face and its parts; below it they fold over.
const STEEPEST_PART: f64 = 0.3;

/// Refines until faces are within `sag`, in m, of the curved surface, or more than `most_faces` would be needed.
///
/// Sets `kept_flat` for the faces that would have folded over as they were cut.
pub(super) fn refine(
    mut patches: Patches,
    sag: f64,
    most_faces: usize,
    kept_flat: &mut [bool],
    report: &mut SmoothReport,
) -> Patches {
    let half_edges = HalfEdges::build(&patches.faces, patches.vertices.len());
    let sags = Middles::new(&patches, &half_edges).sags;
    // So many faces in a row make the largest sag this small: what is finer is out of reach, and need not be tried.
    let finest = sags.iter().fold(0.0, |largest: f64, &sag| largest.max(sag)) / (most_faces as f64).powi(2);
    let mut limit = (sag / FACE_BY_EDGE).max(finest);
    widen(&mut patches, &sags, limit);
    for _ in 0..MOST_ROUNDS {
        let mut half_edges = HalfEdges::build(&patches.faces, patches.vertices.len());
        let mut middles = Middles::new(&patches, &half_edges);
        if flip(&mut patches, &half_edges, &middles.sags, limit) != 0 {
            half_edges = HalfEdges::build(&patches.faces, patches.vertices.len());
            middles = Middles::new(&patches, &half_edges);
        }
        let cuts = loop {
            let mut cuts = middles.cuts(&patches, &half_edges, limit);
            keep_from_folding(&mut patches, &half_edges, &mut middles, &mut cuts, kept_flat);
            let new_faces = cuts.iter().filter(|is_cut| **is_cut).count();
            if patches.faces.len() + new_faces <= most_faces {
                break cuts;
            }
            limit *= 2.0;
            report.coarser = Some(limit * FACE_BY_EDGE);
        };
        if !cuts.contains(&true) {
            break;
        }
        patches = cut(patches, &half_edges, &middles, &cuts);
    }
    patches
}

/// Middles of all edges, by half-edge; those of twins are the same.
struct Middles {
    middles: Vec<Option<Middle>>,
    sags: Vec<f64>,
}

impl Middles {
    fn new(patches: &Patches, half_edges: &HalfEdges) -> Middles {
        let count = 3 * patches.faces.len();
        let mut middles = vec![None; count];
        let mut sags = vec![0.0; count];
        for side in (0..count as u32).map(HalfEdge) {
            if half_edges.edge(side) != side {
                continue;
            }
            let middle = patches.middle(side).filter(|middle| middle.point.iter().all(|x| x.is_finite()));
            for side in [Some(side), half_edges.twin(side)].into_iter().flatten() {
                middles[side.index()] = middle;
                sags[side.index()] = middle.map_or(0.0, |middle| middle.sag);
            }
        }
        Middles { middles, sags }
    }

    /// Which edges to cut, by half-edge.
    fn cuts(&self, patches: &Patches, half_edges: &HalfEdges, limit: f64) -> Vec<bool> {
        let is_bent = |side: HalfEdge| limit < self.sags[side.index()];
        let length = |side: HalfEdge| {
            let [from, to] = patches.ends(side).map(|vertex| patches.vertices[vertex.index()]);
            (to - from).norm_squared()
        };
        let has_shorter = |side: HalfEdge| {
            [side.next(), side.next().next()].into_iter().any(|other| {
                is_bent(other)
                    && self.sags[side.index()] * 0.5 <= self.sags[other.index()]
                    && length(other) < MUCH_SHORTER * MUCH_SHORTER * length(side)
            })
        };
        let waits = |side: HalfEdge| {
            patches.edge(side) == Edge::Smooth && has_shorter(side) && half_edges.twin(side).is_some_and(has_shorter)
        };
        (0..self.sags.len() as u32).map(HalfEdge).map(|side| is_bent(side) && !waits(side)).collect()
    }
}

/// Leaves edges straight where the parts of a face would fold over.
fn keep_from_folding(
    patches: &mut Patches,
    half_edges: &HalfEdges,
    middles: &mut Middles,
    cuts: &mut [bool],
    kept_flat: &mut [bool],
) {
    loop {
        let mut has_changed = false;
        for face in 0..patches.faces.len() {
            let sides = [0, 1, 2].map(|corner| HalfEdge((3 * face + corner) as u32));
            if !sides.iter().any(|side| cuts[side.index()]) || !folds(patches, middles, cuts, face) {
                continue;
            }
            kept_flat[patches.parents[face] as usize] = true;
            has_changed = true;
            for side in sides {
                if !cuts[side.index()] {
                    continue;
                }
                for side in [Some(side), half_edges.twin(side)].into_iter().flatten() {
                    cuts[side.index()] = false;
                    middles.sags[side.index()] = 0.0;
                    patches.edges[side.face().index()][side.corner()] = Edge::Straight;
                }
            }
        }
        if !has_changed {
            return;
        }
    }
}

fn folds(patches: &Patches, middles: &Middles, cuts: &[bool], face: usize) -> bool {
    let corners = patches.corners(face);
    let whole = unit_normal(corners);
    let mut points = [Vector::zeros(); 6];
    points[..3].copy_from_slice(&corners);
    let mut is_cut = [false; 3];
    for k in 0..3 {
        is_cut[k] = cuts[3 * face + k];
        if let Some(middle) = middles.middles[3 * face + k] {
            points[3 + k] = middle.point;
        }
    }
    let parts = template(is_cut, &points);
    parts.iter().any(|part| {
        let [a, b, c] = part.map(|corner| points[corner]);
        let area = (b - a).cross(&(c - a));
        // Not so where a part has no area.
        let lies_along = STEEPEST_PART * area.norm() < area.dot(&whole);
        !lies_along
    })
}

/// Parts of a face by corners 0, 1, 2 and middles 3, 4, 5; middle `3 + k` is on the edge from corner `k`.
fn template(is_cut: [bool; 3], points: &[Vector; 6]) -> Parts {
    match is_cut {
        [false, false, false] => Parts::new(&[[0, 1, 2]]),
        [true, true, true] => Parts::new(&[[0, 3, 5], [3, 1, 4], [5, 4, 2], [3, 4, 5]]),
        _ => {
            // Turn the corners so that the first edge is the cut one, or the last edge the uncut one.
            let count = is_cut.iter().filter(|is_cut| **is_cut).count();
            let turn = match count {
                1 => is_cut.iter().position(|is_cut| *is_cut),
                _ => is_cut.iter().position(|is_cut| !*is_cut).map(|uncut| uncut + 1),
            };
            let turn = turn.expect("one or two are cut");
            let [a, b, c] = [0, 1, 2].map(|k| (turn + k) % 3);
            if count == 1 {
                return Parts::new(&[[a, 3 + a, c], [3 + a, b, c]]);
            }
            // a-b and b-c are cut; the quadrilateral a, ab, bc, c gets its shorter diagonal.
            let (ab, bc) = (3 + a, 3 + b);
            if (points[bc] - points[a]).norm_squared() <= (points[c] - points[ab]).norm_squared() {
                Parts::new(&[[ab, b, bc], [a, ab, bc], [a, bc, c]])
            } else {
                Parts::new(&[[ab, b, bc], [a, ab, c], [ab, bc, c]])
            }
        }
    }
}

/// Up to four triangles.
struct Parts {
    parts: [[usize; 3]; 4],
    count: usize,
}

impl Parts {
    fn new(given: &[[usize; 3]]) -> Parts {
        let mut parts = [[0; 3]; 4];
        parts[..given.len()].copy_from_slice(given);
        Parts { parts, count: given.len() }
    }

    fn iter(&self) -> impl Iterator<Item = &[usize; 3]> {
        self.parts[..self.count].iter()
    }
}

/// The mesh with edges cut in their middles.
fn cut(old: Patches, half_edges: &HalfEdges, middles: &Middles, cuts: &[bool]) -> Patches {
    let new_faces = cuts.iter().filter(|is_cut| **is_cut).count();
    let faces = old.faces.len() + new_faces;
    let mut new = Patches {
        vertices: old.vertices.clone(),
        normals: old.normals.clone(),
        creases: old.creases.clone(),
        peaks: old.peaks.clone(),
        faces: Vec::with_capacity(faces),
        corner_normals: Vec::with_capacity(faces),
        edges: Vec::with_capacity(faces),
        parents: Vec::with_capacity(faces),
    };
    let halves = Halves::new(&old, half_edges, middles, cuts, &mut new);
    for face in 0..old.faces.len() {
        let mut points = [Vector::zeros(); 6];
        points[..3].copy_from_slice(&old.corners(face));
        let (mut vertices, mut normals) = ([VertexIndex(0); 6], [0; 6]);
        vertices[..3].copy_from_slice(&old.faces[face]);
        normals[..3].copy_from_slice(&old.corner_normals[face]);
        let mut is_cut = [false; 3];
        for k in 0..3 {
            let side = 3 * face + k;
            is_cut[k] = cuts[side];
            if is_cut[k] {
                vertices[3 + k] = VertexIndex(halves.vertices[side]);
                normals[3 + k] = halves.normals[side];
                points[3 + k] = new.vertices[vertices[3 + k].index()];
            }
        }
        for part in template(is_cut, &points).iter() {
            new.faces.push(part.map(|corner| vertices[corner]));
            new.corner_normals.push(part.map(|corner| normals[corner]));
            new.edges.push([0, 1, 2].map(|k| {
                let (from, to) = (part[k], part[(k + 1) % 3]);
                edge_of_part(&old, &halves, cuts, face, from, to)
            }));
            new.parents.push(old.parents[face]);
        }
    }
    new
}

/// What the edge of a part is, by the numbers of its ends in [`template`].
fn edge_of_part(old: &Patches, halves: &Halves, cuts: &[bool], face: usize, from: usize, to: usize) -> Edge {
    let half = |k: usize, of_start: bool| match old.edges[face][k] {
        Edge::Crease(_) => {
            let [first, second] = halves.creases[3 * face + k];
            Edge::Crease(if of_start { first } else { second })
        }
        edge => edge,
    };
    match (from, to) {
        // A whole edge of the face.
        (k, other) if k < 3 && other == (k + 1) % 3 && !cuts[3 * face + k] => old.edges[face][k],
        // From a corner to the middle of its edge, and on from there.
        (k, middle) if k < 3 && middle == 3 + k => half(k, true),
        (middle, other) if 3 <= middle && other < 3 && other == (middle - 3 + 1) % 3 => half(middle - 3, false),
        _ => Edge::Smooth,
    }
}

/// Cosine above which the mean of the normals at both ends will do: 0.8°, where it is off by a ten-thousandth of a radian
/// at most. It is exact where they are the same, along a cylinder or beside a flat face.
const NEARLY_ONE_NORMAL: f64 = 0.9999;

/// Part of the difference of the normals at both ends by which the one in the middle may be off halfway between them.
const MOST_CORRECTION: f64 = 0.5;

/// A face that is so many times as high over an edge as this is long, and as the other face is high, is of another kind,
/// such as the strip of a fillet at the triangles of its corner: what is seen on one side says nothing about the other.
const ONE_SIDED: f64 = 10.0;

/// The unit normal in the middle of an edge, in the face of a half-edge.
///
/// Inside a curved surface the four corners of both faces, with their normals, say how it goes on across the edge.
fn normal_in_the_middle(old: &Patches, side: HalfEdge, twin: Option<HalfEdge>, middle: &Middle) -> Vector {
    let ends = old.normals_at(side);
    let rough = one_sided_normal(old, side, middle);
    let Some(twin) = twin.filter(|_| old.edge(side) == Edge::Smooth && ends[0].dot(&ends[1]) < NEARLY_ONE_NORMAL)
    else {
        return rough;
    };
    if [side, twin].iter().any(|&side| old.is_peak(old.tip(side))) {
        return if old.is_peak(old.tip(side)) { rough } else { one_sided_normal(old, twin, middle) };
    }
    let corners = [side, side.next(), side.next().next(), twin.next().next()];
    let [from, to] = old.ends(side).map(|vertex| old.vertices[vertex.index()]);
    let tip = |corner: HalfEdge| old.vertices[old.faces[corner.face().index()][corner.corner()].index()];
    let heights = [corners[2], corners[3]].map(|corner| (tip(corner) - from).cross(&(to - from)).norm());
    if ONE_SIDED * heights[0].min(heights[1]).max((to - from).norm_squared()) < heights[0].max(heights[1]) {
        return rough;
    }
    let mut height = Height::over(rough, middle.point, 0.5 * (to - from).norm());
    for corner in corners {
        let face = corner.face().index();
        let point = old.vertices[old.faces[face][corner.corner()].index()];
        height.add_point(point);
        height.add_normal(point, old.normals[old.corner_normals[face][corner.corner()] as usize]);
    }
    let normal = height.normal();
    // What does not fit together, beside faces that are kept flat, says nothing.
    if (normal - rough).norm() < MOST_CORRECTION * (ends[0] - ends[1]).norm() { normal } else { rough }
}

/// The normal in the middle of an edge by what is on one side of it. The tip of a cone says most: a line leads there.
fn one_sided_normal(old: &Patches, side: HalfEdge, middle: &Middle) -> Vector {
    let mean = middle_normal(old.normals_at(side), middle.tangent);
    let tip = old.tip(side);
    if !old.is_peak(tip) {
        return mean;
    }
    let across = middle.tangent.cross(&(old.vertices[tip.index()] - middle.point));
    (across * across.dot(&mean).signum()).try_normalize(0.0).unwrap_or(mean)
}

/// What cut edges became, by half-edge.
struct Halves {
    /// The vertex in the middle.
    vertices: Vec<u32>,
    /// The normal in the middle, in the face of the half-edge.
    normals: Vec<u32>,
    /// The two creases, along the half-edge.
    creases: Vec<[u32; 2]>,
}

impl Halves {
    fn new(old: &Patches, half_edges: &HalfEdges, middles: &Middles, cuts: &[bool], new: &mut Patches) -> Halves {
        let count = cuts.len();
        let mut halves = Halves { vertices: vec![0; count], normals: vec![0; count], creases: vec![[0; 2]; count] };
        for side in (0..count as u32).map(HalfEdge) {
            let Some(middle) = middles.middles[side.index()].filter(|_| cuts[side.index()]) else { continue };
            if half_edges.edge(side) != side {
                continue;
            }
            let twin = half_edges.twin(side);
            let vertex = new.vertices.len() as u32;
            new.vertices.push(middle.point);
            let mut normal = new.normals.len() as u32;
            new.normals.push(normal_in_the_middle(old, side, twin, &middle));
            (halves.vertices[side.index()], halves.normals[side.index()]) = (vertex, normal);
            let Some(twin) = twin else {
                halves.cut_crease(old, side, None, middle, new);
                continue;
            };
            if let Edge::Crease(_) = old.edge(side) {
                normal = new.normals.len() as u32;
                new.normals.push(one_sided_normal(old, twin, &middle));
                halves.cut_crease(old, side, Some(twin), middle, new);
            }
            (halves.vertices[twin.index()], halves.normals[twin.index()]) = (vertex, normal);
        }
        halves
    }

    fn cut_crease(&mut self, old: &Patches, side: HalfEdge, twin: Option<HalfEdge>, middle: Middle, new: &mut Patches) {
        let Edge::Crease(crease) = old.edge(side) else { return };
        let [from, _] = old.ends(side);
        let [start, end] = old.tangents(crease, from);
        let first = new.creases.len() as u32;
        new.creases.push(Crease { from, tangents: [start, middle.tangent] });
        new.creases.push(Crease { from: VertexIndex(self.vertices[side.index()]), tangents: [middle.tangent, end] });
        self.creases[side.index()] = [first, first + 1];
        if let Some(twin) = twin {
            self.creases[twin.index()] = [first + 1, first];
        }
    }
}
