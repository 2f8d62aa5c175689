//! A mesh with what is known about the curved surface at its corners and edges.

use super::bends::Bends;
use super::creases::{Tangents, tangents};
use super::curve::{Middle, crease_middle, smooth_middle};
use super::normals::{Sectors, peaks, sector_normals};
use crate::math::Vector;
use crate::mesh::{HalfEdge, HalfEdges, TriangleMesh, VertexIndex};

/// What an edge of a face is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edge {
    /// Inside a curved surface: normals at its ends say how it runs.
    Smooth,
    /// Its own chord, because a face would fold over otherwise.
    Straight,
    /// A sharp edge: index of its tangents.
    Crease(u32),
}

/// A sharp edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crease {
    /// Where it starts.
    pub(super) from: VertexIndex,
    pub(super) tangents: Tangents,
}

/// Faces with normals at their corners and kinds of edges.
#[derive(Clone, Debug)]
pub(super) struct Patches {
    pub(super) vertices: Vec<Vector>,
    pub(super) faces: Vec<[VertexIndex; 3]>,
    /// For every corner an index into `normals`.
    pub(super) corner_normals: Vec<[u32; 3]>,
    pub(super) normals: Vec<Vector>,
    /// Edge `k` runs from corner `k` to corner `k + 1`.
    pub(super) edges: Vec<[Edge; 3]>,
    pub(super) creases: Vec<Crease>,
    /// For every face the one of the file's mesh that it is a part of.
    pub(super) parents: Vec<u32>,
    /// For every vertex of the file whether it is the tip of a cone, where normals mean nothing.
    pub(super) peaks: Vec<bool>,
}

/// Cosine above which the tangents at both ends of a sector are one line.
const ONE_LINE: f64 = 0.99;

/// Sine of the angle between a flat face and a curved one above which their normals say well where their edge goes.
const CLEAR_ANGLE: f64 = 0.3;

/// Cosine between two estimates of a tangent above which the better one is believed.
const NEAR: f64 = 0.9;

impl Patches {
    pub(super) fn new(
        mesh: &TriangleMesh,
        half_edges: &HalfEdges,
        bends: &Bends,
        stated: &[Option<Vector>],
        angle: f64,
    ) -> Patches {
        let sectors = Sectors::new(half_edges, bends);
        let peaks = peaks(mesh, half_edges, bends, &sectors);
        let mut normals = sector_normals(mesh, half_edges, bends, &sectors, stated, &peaks);
        let mut edges = vec![[Edge::Smooth; 3]; mesh.faces.len()];
        let mut creases = Vec::new();
        for (side, tangents) in tangents(mesh, half_edges, bends, (&sectors, &normals), angle) {
            for side in [Some(side), half_edges.twin(side)].into_iter().flatten() {
                edges[side.face().index()][side.corner()] = Edge::Crease(creases.len() as u32);
            }
            creases.push(Crease { from: mesh.faces[side.face().index()][side.corner()], tangents });
        }
        fit_together(mesh, half_edges, bends, &sectors, &mut normals, &mut creases, &edges);
        let corner_normal = |face: usize, corner: usize| sectors.of_corner[3 * face + corner];
        let mut is_peak = vec![false; mesh.vertices.len()];
        for (face, corners) in mesh.faces.iter().enumerate() {
            for (corner, vertex) in corners.iter().enumerate() {
                is_peak[vertex.index()] |= peaks[corner_normal(face, corner) as usize];
            }
        }
        Patches {
            vertices: mesh.vertices.clone(),
            faces: mesh.faces.clone(),
            corner_normals: (0..mesh.faces.len()).map(|face| [0, 1, 2].map(|k| corner_normal(face, k))).collect(),
            normals,
            edges,
            creases,
            parents: (0..mesh.faces.len() as u32).collect(),
            peaks: is_peak,
        }
    }

    /// The vertices at which a half-edge starts and ends.
    pub(super) fn ends(&self, side: HalfEdge) -> [VertexIndex; 2] {
        let corners = self.faces[side.face().index()];
        [corners[side.corner()], corners[side.next().corner()]]
    }

    pub(super) fn edge(&self, side: HalfEdge) -> Edge {
        self.edges[side.face().index()][side.corner()]
    }

    /// Normals at both ends of a half-edge, in its face. Those of a line to the tip of a cone are one.
    pub(super) fn normals_at(&self, side: HalfEdge) -> [Vector; 2] {
        let normals = self.corner_normals[side.face().index()];
        let [n, m] =
            [normals[side.corner()], normals[side.next().corner()]].map(|normal| self.normals[normal as usize]);
        let ends = self.ends(side);
        let one = match ends.map(|end| self.is_peak(end)) {
            [false, false] => return [n, m],
            [true, _] => m,
            [false, true] => n,
        };
        let [from, to] = ends.map(|end| self.vertices[end.index()]);
        let line = to - from;
        let across = one - line * (one.dot(&line) / line.norm_squared());
        [across.try_normalize(0.0).unwrap_or(one); 2]
    }

    /// Whether a vertex is the tip of a cone.
    pub(super) fn is_peak(&self, vertex: VertexIndex) -> bool {
        self.peaks.get(vertex.index()).is_some_and(|is_peak| *is_peak)
    }

    /// The vertex that is opposite to a half-edge in its face.
    pub(super) fn tip(&self, side: HalfEdge) -> VertexIndex {
        self.faces[side.face().index()][side.next().next().corner()]
    }

    /// Tangents of a crease, along a half-edge that leaves `from`.
    pub(super) fn tangents(&self, crease: u32, from: VertexIndex) -> Tangents {
        let Crease { from: start, tangents: [s, t] } = self.creases[crease as usize];
        if start == from { [s, t] } else { [-t, -s] }
    }

    /// Where the middle of an edge is; none where it is its chord.
    pub(super) fn middle(&self, side: HalfEdge) -> Option<Middle> {
        let ends = self.ends(side);
        let points = ends.map(|vertex| self.vertices[vertex.index()]);
        match self.edge(side) {
            Edge::Smooth => Some(smooth_middle(points, self.normals_at(side))),
            Edge::Straight => None,
            Edge::Crease(crease) => Some(crease_middle(points, self.tangents(crease, ends[0]))),
        }
    }

    pub(super) fn corners(&self, face: usize) -> [Vector; 3] {
        self.faces[face].map(|vertex| self.vertices[vertex.index()])
    }
}

/// Tangents of creases lie in the flat faces beside them, and normals of curved faces are across the tangents.
fn fit_together(
    mesh: &TriangleMesh,
    half_edges: &HalfEdges,
    bends: &Bends,
    sectors: &Sectors,
    normals: &mut [Vector],
    creases: &mut [Crease],
    edges: &[[Edge; 3]],
) {
    let sharp = || {
        (0..bends.bends.len() as u32).map(HalfEdge).filter_map(|side| match edges[side.face().index()][side.corner()] {
            Edge::Crease(crease) => Some((side, crease as usize)),
            _ => None,
        })
    };
    // 1: into the planes, and across the normals of what is on the other side.
    for (side, crease) in sharp() {
        if !bends.is_flat[side.face().index()] {
            continue;
        }
        let plane = bends.normals[side.face().index()];
        let twin = half_edges.twin(side).filter(|twin| !bends.is_flat[twin.face().index()]);
        let is_along = creases[crease].from == mesh.faces[side.face().index()][side.corner()];
        for (end, tangent) in creases[crease].tangents.iter_mut().enumerate() {
            *tangent = (*tangent - plane * tangent.dot(&plane)).try_normalize(0.5).unwrap_or(*tangent);
            let Some(twin) = twin else { continue };
            // The twin starts where the half-edge ends.
            let corner = if (end == 0) == is_along { twin.next() } else { twin };
            let line = plane.cross(&normals[sectors.of_corner[corner.index()] as usize]);
            if let Some(line) = line.try_normalize(CLEAR_ANGLE) {
                let line = if line.dot(tangent) < 0.0 { -line } else { line };
                if NEAR < line.dot(tangent) {
                    *tangent = line;
                }
            }
        }
    }
    // 2: normals are across the creases of their sector: one line, where its two creases go on into each other, or two.
    let mut lines: Vec<[Option<Vector>; 2]> = vec![[None; 2]; normals.len()];
    for (side, crease) in sharp() {
        if bends.is_flat[side.face().index()] {
            continue;
        }
        let from = mesh.faces[side.face().index()][side.corner()];
        let Crease { from: start, tangents: [s, t] } = creases[crease];
        let [s, t] = if start == from { [s, t] } else { [t, s] };
        for (corner, tangent) in [(side, s), (side.next(), t)] {
            let lines = &mut lines[sectors.of_corner[corner.index()] as usize];
            match lines {
                [None, _] => lines[0] = Some(tangent),
                [Some(known), None] if known.dot(&tangent).abs() <= ONE_LINE => lines[1] = Some(tangent),
                _ => {}
            }
        }
    }
    for (normal, lines) in normals.iter_mut().zip(lines) {
        let across = match lines {
            [Some(s), Some(t)] if CLEAR_ANGLE < s.cross(&t).norm() => {
                let across = s.cross(&t);
                across * across.dot(normal).signum()
            }
            [Some(tangent), None] => *normal - tangent * normal.dot(&tangent),
            _ => continue,
        };
        if let Some(across) = across.try_normalize(0.0).filter(|across| NEAR < across.dot(normal)) {
            *normal = across;
        }
    }
}
