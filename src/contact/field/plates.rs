//! Faces in one plane, put together to convex plates: their depth is one linear function, and no cut is needed between them.

use std::ops::Deref;

use crate::math::Vector;
use crate::mesh::{FaceIndex, HalfEdge, HalfEdges, TriangleMesh};

/// Corners of a plate lie in its plane up to this part of the largest coordinate; dimensionless, some roundings.
const IN_ONE_PLANE: f64 = 1e-14;

/// Faces are tried for a plate where their normals differ by less; dimensionless. Corners then decide.
const SAME_NORMAL: f64 = 1e-6;

/// The plates of a surface.
#[derive(Clone, Debug)]
pub struct Plates {
    /// The largest face of the plate of each face.
    largest_face: Vec<FaceIndex>,
    /// Outlines of plates of several faces, by their largest faces; counter-clockwise.
    outlines: Vec<(FaceIndex, Vec<HalfEdge>)>,
}

/// The edges around a plate.
pub enum Outline<'a> {
    /// Of a single face.
    OfFace([HalfEdge; 3]),
    /// Of several.
    OfPlate(&'a [HalfEdge]),
}

impl Deref for Outline<'_> {
    type Target = [HalfEdge];

    #[inline]
    fn deref(&self) -> &[HalfEdge] {
        match self {
            Outline::OfFace(edges) => edges,
            Outline::OfPlate(edges) => edges,
        }
    }
}

impl Plates {
    /// The plates of a surface with these outward unit normals.
    pub fn new(mesh: &TriangleMesh, half_edges: &HalfEdges, normals: &[Vector]) -> Self {
        let mut merging = Merging::new(mesh, half_edges, normals);
        merging.merge_all();
        merging.finish()
    }

    /// The face that stands for the plate of a face.
    #[inline]
    pub fn largest_face(&self, face: FaceIndex) -> FaceIndex {
        self.largest_face[face.index()]
    }

    /// The edges around the plate that a face stands for, counter-clockwise.
    pub fn outline(&self, largest_face: FaceIndex) -> Outline<'_> {
        match self.outlines.binary_search_by_key(&largest_face, |(face, _)| *face) {
            Ok(index) => Outline::OfPlate(&self.outlines[index].1),
            Err(_) => Outline::OfFace([0, 1, 2].map(|corner| HalfEdge::new(largest_face, corner))),
        }
    }

    /// The plates of several faces, in the order of their faces, with the edges around them.
    pub fn outlines(&self) -> &[(FaceIndex, Vec<HalfEdge>)] {
        &self.outlines
    }
}

/// Plates in the making.
struct Merging<'a> {
    mesh: &'a TriangleMesh,
    half_edges: &'a HalfEdges,
    normals: &'a [Vector],
    /// The plate of each face; faces that stand for a plate have their own number.
    plate: Vec<u32>,
    /// Faces and outline of plates of several faces, by plate; empty for others.
    members: Vec<Vec<u32>>,
    outlines: Vec<Vec<HalfEdge>>,
    tolerance: f64,
}

impl<'a> Merging<'a> {
    fn new(mesh: &'a TriangleMesh, half_edges: &'a HalfEdges, normals: &'a [Vector]) -> Self {
        let count = mesh.faces.len();
        let largest = mesh.vertices.iter().fold(0.0, |largest: f64, vertex| largest.max(vertex.amax()));
        Merging {
            mesh,
            half_edges,
            normals,
            plate: (0..count as u32).collect(),
            members: vec![Vec::new(); count],
            outlines: vec![Vec::new(); count],
            tolerance: IN_ONE_PLANE * largest,
        }
    }

    /// Merges over long edges first: what is left then are plates that are not slender.
    fn merge_all(&mut self) {
        let mut edges: Vec<(f64, HalfEdge)> = Vec::new();
        for face in 0..self.mesh.faces.len() as u32 {
            for edge in [0, 1, 2].map(|corner| HalfEdge::new(FaceIndex(face), corner)) {
                let Some(twin) = self.half_edges.twin(edge) else { continue };
                let other = self.normals[twin.face().index()];
                let (own, [a, b]) = (self.normals[face as usize], self.ends(edge));
                if face < twin.face().0 && (own - other).norm_squared() < SAME_NORMAL * SAME_NORMAL {
                    edges.push(((b - a).norm_squared(), edge));
                }
            }
        }
        edges.sort_unstable_by(|(a, edge_a), (b, edge_b)| b.total_cmp(a).then(edge_a.cmp(edge_b)));
        edges.into_iter().for_each(|(_, edge)| self.merge(edge));
    }

    fn ends(&self, edge: HalfEdge) -> [Vector; 2] {
        let corners = self.mesh.corners(edge.face());
        [corners[edge.corner()], corners[(edge.corner() + 1) % 3]]
    }

    fn outline(&self, plate: u32) -> Vec<HalfEdge> {
        match self.outlines[plate as usize].as_slice() {
            [] => [0, 1, 2].map(|corner| HalfEdge::new(FaceIndex(plate), corner)).to_vec(),
            outline => outline.to_vec(),
        }
    }

    fn plate_beyond(&self, edge: HalfEdge) -> Option<u32> {
        self.half_edges.twin(edge).map(|twin| self.plate[twin.face().index()])
    }

    /// Merges the plates on both sides of an edge, if they make a convex one.
    fn merge(&mut self, edge: HalfEdge) {
        let Some(twin) = self.half_edges.twin(edge) else { return };
        let (own, other) = (self.plate[edge.face().index()], self.plate[twin.face().index()]);
        if own == other {
            return;
        }
        let (of_own, of_other) = (self.outline(own), self.outline(other));
        let (Some(own_part), Some(other_part)) =
            (self.without_border(&of_own, other), self.without_border(&of_other, own))
        else {
            return;
        };
        let area = |plate: u32| {
            let [a, b, c] = self.mesh.corners(FaceIndex(plate));
            (b - a).cross(&(c - a)).norm_squared()
        };
        let (kept, gone) = if area(own) < area(other) { (other, own) } else { (own, other) };
        let normal = self.normals[kept as usize];
        let anchor = self.mesh.corners(FaceIndex(kept))[0];
        let is_in_plane = |edge: &HalfEdge| normal.dot(&(self.ends(*edge)[0] - anchor)).abs() <= self.tolerance;
        let turns_left = |before: HalfEdge, after: HalfEdge| {
            let [[a, b], [_, c]] = [before, after].map(|edge| self.ends(edge));
            0.0 <= normal.dot(&(b - a).cross(&(c - b)))
        };
        let is_convex = turns_left(own_part[own_part.len() - 1], other_part[0])
            && turns_left(other_part[other_part.len() - 1], own_part[0]);
        if !is_convex || !of_other.iter().chain(&of_own).all(is_in_plane) {
            return;
        }
        let mut members = std::mem::take(&mut self.members[gone as usize]);
        if members.is_empty() {
            members.push(gone);
        }
        members.iter().for_each(|&face| self.plate[face as usize] = kept);
        if self.members[kept as usize].is_empty() {
            self.members[kept as usize].push(kept);
        }
        self.members[kept as usize].append(&mut members);
        self.outlines[gone as usize].clear();
        self.outlines[kept as usize] = own_part.into_iter().chain(other_part).collect();
    }

    /// An outline from behind its border with another plate to before it; none where that is not one run of edges, or
    /// all of them.
    fn without_border(&self, outline: &[HalfEdge], other: u32) -> Option<Vec<HalfEdge>> {
        let count = outline.len();
        let is_border = |k: usize| self.plate_beyond(outline[k % count]) == Some(other);
        let mut ends = (0..count).filter(|&k| is_border(k) && !is_border(k + 1));
        let first = ends.next()? + 1;
        if ends.next().is_some() {
            return None;
        }
        Some((first..first + count).take_while(|&k| !is_border(k)).map(|k| outline[k % count]).collect())
    }

    fn finish(self) -> Plates {
        let largest_face = self.plate.iter().map(|&plate| FaceIndex(plate)).collect();
        let outlines = self.outlines.into_iter().enumerate().filter(|(_, outline)| !outline.is_empty());
        Plates { largest_face, outlines: outlines.map(|(face, outline)| (FaceIndex(face as u32), outline)).collect() }
    }
}
