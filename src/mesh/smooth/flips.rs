//! Turns edges: those across a bend along it, so that on a cylinder no diagonal is left that would have to be cut, and those
//! of flat faces so that no sliver lies along a crease that is about to bend into it.

use std::collections::BTreeSet;

use super::bends::unit_normal;
use super::curve::smooth_middle;
use super::patches::{Edge, Patches};
use crate::mesh::{FaceIndex, HalfEdge, HalfEdges, VertexIndex};

/// An edge is turned where the other diagonal leaves its chord by less than this part of it.
const MUCH_FLATTER: f64 = 0.5;

/// Smallest cosine between a turned face and the normals at its corners.
const STEEPEST: f64 = 0.5;

/// How much thinner the thinner one of two faces may become: thin along a cylinder is what CAD kernels make as well.
const THINNEST: f64 = 0.2;

/// Turns edges whose sag is above `limit`; returns how many.
pub(super) fn flip(patches: &mut Patches, half_edges: &HalfEdges, sags: &[f64], limit: f64) -> usize {
    let mut is_done = vec![false; patches.faces.len()];
    let mut turned = BTreeSet::new();
    for side in (0..sags.len() as u32).map(HalfEdge) {
        if sags[side.index()] <= limit || half_edges.edge(side) != side || patches.edge(side) != Edge::Smooth {
            continue;
        }
        let Some(twin) = half_edges.twin(side) else { continue };
        let (left, right) = (side.face().index(), twin.face().index());
        if is_done[left] || is_done[right] {
            continue;
        }
        let Some(quadrilateral) = Quadrilateral::of(patches, [side, twin]) else { continue };
        if quadrilateral.is_better_turned(patches, sags[side.index()])
            && quadrilateral.can_be_turned(patches, half_edges, &turned)
        {
            turned.insert(quadrilateral.turn(patches));
            is_done[left] = true;
            is_done[right] = true;
        }
    }
    turned.len()
}

/// One corner of the two faces: vertex and normal.
type Corner = (VertexIndex, u32);

/// Length of the difference below which normals are those of one flat face.
const ONE_NORMAL: f64 = 1e-9;

/// Cotangents of the two angles that face an edge add up to less where it is turned; 0 is Delaunay's criterion.
const CLEARLY_WIDER: f64 = -1e-6;

/// Batches after which flat faces stay as they are: bounded time for any mesh.
const MOST_BATCHES: usize = 100;

/// Turns edges inside flat faces, beside creases whose sag is above `limit`, to those of Delaunay's triangles.
pub(super) fn widen(patches: &mut Patches, sags: &[f64], limit: f64) {
    let is_bent = |side: usize| limit < sags[side] && matches!(patches.edges[side / 3][side % 3], Edge::Crease(_));
    let mut beside: BTreeSet<u32> = (0..sags.len()).filter(|&side| is_bent(side)).map(|side| side as u32 / 3).collect();
    beside.retain(|&face| is_flat(patches, face as usize));
    for _ in 0..MOST_BATCHES {
        let half_edges = HalfEdges::build(&patches.faces, patches.vertices.len());
        let mut done = BTreeSet::new();
        let mut turned = BTreeSet::new();
        for &face in &beside {
            for side in [0, 1, 2].map(|corner| HalfEdge(3 * face + corner)) {
                let Some(twin) = half_edges.twin(side) else { continue };
                let faces = [side, twin].map(|side| side.face().0);
                if patches.edge(side) != Edge::Smooth
                    || faces.iter().any(|face| done.contains(face))
                    || !is_flat(patches, faces[1] as usize)
                    || CLEARLY_WIDER < cotangent_across(patches, side) + cotangent_across(patches, twin)
                {
                    continue;
                }
                let Some(quadrilateral) = Quadrilateral::of(patches, [side, twin]) else { continue };
                if quadrilateral.can_be_turned(patches, &half_edges, &turned) {
                    turned.insert(quadrilateral.turn(patches));
                    done.extend(faces);
                }
            }
        }
        if done.is_empty() {
            return;
        }
        beside.extend(done);
    }
}

/// Whether the normals at the corners of a face are its own.
fn is_flat(patches: &Patches, face: usize) -> bool {
    let own = unit_normal(patches.corners(face));
    let normals = patches.corner_normals[face].map(|normal| patches.normals[normal as usize]);
    normals.iter().all(|normal| (normal - own).norm() < ONE_NORMAL)
}

/// Cotangent of the angle that faces an edge in the face of its half-edge.
fn cotangent_across(patches: &Patches, side: HalfEdge) -> f64 {
    let corners = patches.corners(side.face().index());
    let tip = corners[side.next().next().corner()];
    let (u, v) = (corners[side.corner()] - tip, corners[side.next().corner()] - tip);
    u.dot(&v) / u.cross(&v).norm()
}

/// Two faces (a, b, c) and (b, a, d), which may become (a, d, c) and (d, b, c).
struct Quadrilateral {
    /// The half-edges from a to b and back.
    sides: [HalfEdge; 2],
    a: Corner,
    b: Corner,
    c: Corner,
    d: Corner,
}

impl Quadrilateral {
    /// None where the faces have different normals in their common corners, or are each other's back.
    fn of(patches: &Patches, [side, twin]: [HalfEdge; 2]) -> Option<Quadrilateral> {
        let corner = |side: HalfEdge| -> Corner {
            let face = side.face().index();
            (patches.faces[face][side.corner()], patches.corner_normals[face][side.corner()])
        };
        let [a, b, c] = [side, side.next(), side.next().next()].map(corner);
        let [b_too, a_too, d] = [twin, twin.next(), twin.next().next()].map(corner);
        let is_one_sector = a.1 == a_too.1 && b.1 == b_too.1;
        (is_one_sector && c.0 != d.0).then_some(Quadrilateral { sides: [side, twin], a, b, c, d })
    }

    fn turned_faces(&self) -> [[Corner; 3]; 2] {
        [[self.a, self.d, self.c], [self.d, self.b, self.c]]
    }

    /// The vertices of the other diagonal.
    fn ends(&self) -> [VertexIndex; 2] {
        [self.c.0.min(self.d.0), self.c.0.max(self.d.0)]
    }

    /// Whether turned faces would look the way their normals say, and the other diagonal is no edge yet.
    ///
    /// `turned` holds the edges that are new since `half_edges` were built.
    fn can_be_turned(&self, patches: &Patches, half_edges: &HalfEdges, turned: &BTreeSet<[VertexIndex; 2]>) -> bool {
        let is_steep = self.turned_faces().iter().any(|corners| {
            let face = unit_normal(corners.map(|corner| patches.vertices[corner.0.index()]));
            corners.iter().any(|&corner| face.dot(&patches.normals[corner.1 as usize]) < STEEPEST)
        });
        !is_steep && !turned.contains(&self.ends()) && !is_edge(patches, half_edges, self.ends())
    }

    /// Turns the edge; the ends of the new one.
    fn turn(&self, patches: &mut Patches) -> [VertexIndex; 2] {
        let [side, twin] = self.sides;
        let edge = |side: HalfEdge| patches.edges[side.face().index()][side.corner()];
        let [bc, ca] = [side.next(), side.next().next()].map(edge);
        let [ad, db] = [twin.next(), twin.next().next()].map(edge);
        let (left, right) = (side.face().index(), twin.face().index());
        let new = self.turned_faces();
        patches.faces[left] = new[0].map(|corner| corner.0);
        patches.corner_normals[left] = new[0].map(|corner| corner.1);
        patches.edges[left] = [ad, Edge::Smooth, ca];
        patches.faces[right] = new[1].map(|corner| corner.0);
        patches.corner_normals[right] = new[1].map(|corner| corner.1);
        patches.edges[right] = [db, bc, Edge::Smooth];
        self.ends()
    }

    /// Whether the other diagonal follows the bend better than this one, which leaves its chord by `sag`, in m.
    fn is_better_turned(&self, patches: &Patches, sag: f64) -> bool {
        let Quadrilateral { a, b, c, d, .. } = *self;
        let point = |corner: Corner| patches.vertices[corner.0.index()];
        let normal = |corner: Corner| patches.normals[corner.1 as usize];
        let across = smooth_middle([point(c), point(d)], [normal(c), normal(d)]);
        // Only to shorter edges: on saddles, straight lines lead nowhere.
        let squared = |from: Corner, to: Corner| (point(to) - point(from)).norm_squared();
        if MUCH_FLATTER * sag <= across.sag || squared(a, b) < squared(c, d) {
            return false;
        }
        let height = |[p, q, r]: [Corner; 3]| {
            let [p, q, r] = [p, q, r].map(point);
            let longest = (q - p).norm_squared().max((r - q).norm_squared()).max((p - r).norm_squared());
            (q - p).cross(&(r - p)).norm() / longest.sqrt()
        };
        let (old, new) = ([[a, b, c], [b, a, d]], self.turned_faces());
        THINNEST * height(old[0]).min(height(old[1])) <= height(new[0]).min(height(new[1]))
    }
}

/// Faces at a vertex beyond which its edges are not searched, but stay: bounded time for any mesh.
const MOST_FACES_AROUND: usize = 256;

/// Whether two vertices were connected when `half_edges` were built, or may have been.
fn is_edge(patches: &Patches, half_edges: &HalfEdges, ends: [VertexIndex; 2]) -> bool {
    let around = ends.map(|vertex| half_edges.outgoing(vertex));
    if around.iter().any(|sides| MOST_FACES_AROUND < sides.len()) {
        return true;
    }
    let connects = |face: FaceIndex| ends.iter().all(|end| patches.faces[face.index()].contains(end));
    around.into_iter().flatten().any(|side| connects(side.face()))
}
