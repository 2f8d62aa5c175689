//! Tangents of sharp edges, which are curves of their own.

use super::bends::{Bend, Bends};
use super::normals::Sectors;
use crate::math::Vector;
use crate::mesh::{HalfEdge, HalfEdges, TriangleMesh};

/// Unit tangents of a sharp edge at its start and its end, along the half-edge that stands for it.
pub(super) type Tangents = [Vector; 2];

/// Turns below which an edge goes straight on, in rad: as for planes.
const STRAIGHT_ON: f64 = 1e-3;

/// How many lengths of a segment count of the one behind it, as for planes.
const LONGEST_NEIGHBOUR: f64 = 3.0;

/// Chains of sharp edges.
struct Chains<'a> {
    mesh: &'a TriangleMesh,
    half_edges: &'a HalfEdges,
    sectors: &'a Sectors,
    normals: &'a [Vector],
    /// The first two sharp edges at every vertex, as half-edges that stand for them.
    at: Vec<[u32; 2]>,
    /// How many sharp edges every vertex has, up to 3.
    count: Vec<u8>,
    angle: f64,
}

/// Tangents of all sharp edges, by the half-edge that stands for the edge; `sectors` come with their normals.
pub(super) fn tangents(
    mesh: &TriangleMesh,
    half_edges: &HalfEdges,
    bends: &Bends,
    (sectors, normals): (&Sectors, &[Vector]),
    angle: f64,
) -> Vec<(HalfEdge, Tangents)> {
    let sharp: Vec<HalfEdge> = (0..bends.bends.len() as u32)
        .map(HalfEdge)
        .filter(|&side| bends.bend(side) == Bend::Sharp && half_edges.edge(side) == side)
        .collect();
    let (at, count) = (vec![[u32::MAX; 2]; mesh.vertices.len()], vec![0; mesh.vertices.len()]);
    let mut chains = Chains { mesh, half_edges, sectors, normals, at, count, angle };
    for &side in &sharp {
        for vertex in chains.ends(side) {
            let count = &mut chains.count[vertex];
            if *count < 2 {
                chains.at[vertex][*count as usize] = side.0;
            }
            *count = (*count + 1).min(3);
        }
    }
    sharp.iter().map(|&side| (side, chains.tangents(side))).collect()
}

/// What follows a segment at one of its ends.
struct Joint {
    next: HalfEdge,
    /// The far end of the next segment.
    far: usize,
    turn: f64,
}

impl Chains<'_> {
    fn ends(&self, side: HalfEdge) -> [usize; 2] {
        let corners = self.mesh.faces[side.face().index()];
        [corners[side.corner()].index(), corners[side.next().corner()].index()]
    }

    fn length(&self, side: HalfEdge) -> f64 {
        let [from, to] = self.ends(side).map(|vertex| self.mesh.vertices[vertex]);
        (to - from).norm()
    }

    /// Unit vector along a segment, away from one of its ends.
    fn away(&self, side: HalfEdge, from: usize) -> Vector {
        let [a, b] = self.ends(side);
        let other = if a == from { b } else { a };
        (self.mesh.vertices[other] - self.mesh.vertices[from]).normalize()
    }

    /// The smooth joint at an end of a segment, where there is one.
    fn joint(&self, side: HalfEdge, at: usize) -> Option<Joint> {
        if self.count[at] != 2 {
            return None;
        }
        let [first, second] = self.at[at];
        let next = HalfEdge(if first == side.0 { second } else { first });
        let (back, on) = (-self.away(side, at), self.away(next, at));
        let turn = back.cross(&on).norm().atan2(back.dot(&on));
        let [a, b] = self.ends(next);
        (turn < self.angle).then_some(Joint { next, far: if a == at { b } else { a }, turn })
    }

    /// What a joint says about a segment: straight, or a chord; none where nothing behind it bends.
    fn says_straight(&self, side: HalfEdge, joint: &Joint) -> Option<bool> {
        if joint.turn < STRAIGHT_ON {
            return Some(true);
        }
        let behind = self.joint(joint.next, joint.far)?;
        let (here, there) = (self.length(side), self.length(joint.next));
        let beyond = self.length(behind.next).min(LONGEST_NEIGHBOUR * there);
        let curvature = 2.0 * behind.turn / (there + beyond);
        let (as_chord, as_straight) = (0.5 * curvature * (here + there), 0.5 * curvature * there);
        Some(joint.turn < 0.5 * (as_chord + as_straight))
    }

    fn is_straight(&self, side: HalfEdge) -> bool {
        let known = self.ends(side).map(|at| self.joint(side, at).and_then(|joint| self.says_straight(side, &joint)));
        known.contains(&Some(true)) && !known.contains(&Some(false))
    }

    /// The tangent at an end of a segment, away from that end; none where the chain ends or has a corner.
    fn tangent(&self, side: HalfEdge, at: usize) -> Option<Vector> {
        let joint = self.joint(side, at)?;
        let (here, there) = (self.away(side, at), -self.away(joint.next, at));
        match (self.is_straight(side), self.is_straight(joint.next)) {
            (true, _) => Some(here),
            (false, true) => Some(there),
            // A single bend between two segments is a corner.
            (false, false) if self.is_alone(side, at) && self.is_alone(joint.next, at) => None,
            // The circle through three points.
            (false, false) => (here * self.length(joint.next) + there * self.length(side)).try_normalize(0.0),
        }
    }

    /// The tangent where a crease ends inside a curved surface: along it.
    fn towards_surface(&self, side: HalfEdge, at: usize) -> Option<Vector> {
        let twin = self.half_edges.twin(side)?;
        let corners = if self.ends(side)[0] == at { [side, twin.next()] } else { [side.next(), twin] };
        let [here, there] = corners.map(|corner| self.sectors.of_corner[corner.index()]);
        let (normal, away) = (self.normals[here as usize], self.away(side, at));
        (here == there).then(|| (away - normal * normal.dot(&away)).try_normalize(0.0))?
    }

    /// Whether a segment has no joint but the one at this vertex.
    fn is_alone(&self, side: HalfEdge, at: usize) -> bool {
        self.ends(side).iter().all(|&end| end == at || self.joint(side, end).is_none())
    }

    fn tangents(&self, side: HalfEdge) -> Tangents {
        let [from, to] = self.ends(side);
        let chord = self.away(side, from);
        // Where a chain ends, the last segment is an arc of a circle.
        let mirrored = |tangent: Vector| tangent - chord * (2.0 * tangent.dot(&chord));
        let start = self.tangent(side, from).or_else(|| self.towards_surface(side, from));
        let end = self.tangent(side, to).or_else(|| self.towards_surface(side, to));
        match (start, end) {
            (Some(start), Some(end)) => [start, -end],
            (Some(start), None) => [start, -mirrored(start)],
            (None, Some(end)) => [mirrored(-end) * -1.0, -end],
            (None, None) => [chord; 2],
        }
    }
}
