//! Where the nearest point of a plane, a line or a vertex is a point of the plate, the inner edge or the vertex itself.
//!
//! Below a plate that is a prism. Beyond its side through an inner edge, the edge itself is nearest; through a shallow edge
//! the side is tilted to halve the angle. Below an inner edge it is a wedge, from end to end of the edge; below a vertex a
//! cone. Which of several features with a point there is nearer is not known here.

use std::ops::Deref;

use super::bend::{Bend, Bends};
use super::{Feature, NONE, Plane, Plates, plane_through};
use crate::math::Vector;
use crate::mesh::{HalfEdge, HalfEdges, TriangleMesh, VertexIndex};

/// A plane that bounds a feature's part of space.
#[derive(Clone, Copy, Debug)]
pub struct Wall {
    /// Distance from it, positive on the side of the feature.
    pub plane: Plane,
    /// What is nearest beyond.
    pub beyond: Feature,
}

impl Wall {
    /// The distance of a point, positive on the side of the feature.
    #[inline(always)]
    pub fn height(&self, point: &Vector) -> f64 {
        let [a, b, c, d] = self.plane;
        a * point.x + b * point.y + c * point.z + d
    }
}

/// The walls of one feature.
pub enum WallsOf<'a> {
    /// Of a single face.
    OfFace([Wall; 3]),
    /// Of anything else.
    Others(&'a [Wall]),
}

impl Deref for WallsOf<'_> {
    type Target = [Wall];

    #[inline]
    fn deref(&self) -> &[Wall] {
        match self {
            WallsOf::OfFace(walls) => walls,
            WallsOf::Others(walls) => walls,
        }
    }
}

/// The walls of all features but single faces, whose cells have them.
#[derive(Clone, Debug)]
pub struct Walls {
    walls: Vec<Wall>,
    /// Where the walls of each entry start; one more than there are entries.
    first: Vec<u32>,
    /// Entries by largest faces of plates, half-edges and vertices, or none.
    of_plate: Vec<u32>,
    of_edge: Vec<u32>,
    of_vertex: Vec<u32>,
}

/// A surface with its normals.
pub struct Shape<'a> {
    /// The surface.
    pub mesh: &'a TriangleMesh,
    /// Its adjacency.
    pub half_edges: &'a HalfEdges,
    /// Outward unit normals of the faces.
    pub normals: &'a [Vector],
    /// How it bends across its edges.
    pub bends: &'a Bends,
}

impl Shape<'_> {
    fn ends(&self, edge: HalfEdge) -> [Vector; 2] {
        let corners = self.mesh.corners(edge.face());
        [corners[edge.corner()], corners[(edge.corner() + 1) % 3]]
    }

    fn is_open(&self, edge: HalfEdge) -> bool {
        self.bends.across(edge) == Bend::Open
    }

    /// The side through a half-edge of the prism below a plate.
    fn side_through(&self, plates: &Plates, edge: HalfEdge, normal: &Vector) -> Wall {
        let [a, b] = self.ends(edge);
        let twin = self.half_edges.twin(edge);
        let (mean_normal, beyond) = match (self.bends.across(edge), twin) {
            (Bend::Open, _) | (_, None) => (*normal, Feature::Edge(self.half_edges.edge(edge))),
            (Bend::Convex, Some(twin)) => (*normal, Feature::Face(plates.largest_face(twin.face()))),
            (Bend::Flat | Bend::Mitred, Some(twin)) => {
                let other = plates.largest_face(twin.face());
                (normal + self.normals[other.index()], Feature::Face(other))
            }
        };
        let inwards = mean_normal.cross(&(b - a)).try_normalize(0.0).unwrap_or_else(Vector::zeros);
        Wall { plane: plane_through(inwards, &a), beyond }
    }

    /// The walls of an inner edge: between its ends, and between the normals of its faces.
    fn push_edge(&self, plates: &Plates, edge: HalfEdge, walls: &mut Vec<Wall>) {
        let [a, b] = self.ends(edge);
        let along = (b - a).try_normalize(0.0).unwrap_or_else(Vector::zeros);
        let corners = self.mesh.faces[edge.face().index()];
        let (start, end) = (corners[edge.corner()], corners[(edge.corner() + 1) % 3]);
        walls.push(Wall { plane: plane_through(along, &a), beyond: Feature::Vertex(start) });
        walls.push(Wall { plane: plane_through(-along, &b), beyond: Feature::Vertex(end) });
        for side in std::iter::once(edge).chain(self.half_edges.twin(edge)) {
            let [a, b] = self.ends(side);
            let outwards = (b - a).cross(&self.normals[side.face().index()]);
            let outwards = outwards.try_normalize(0.0).unwrap_or_else(Vector::zeros);
            let beyond = Feature::Face(plates.largest_face(side.face()));
            walls.push(Wall { plane: plane_through(outwards, &a), beyond });
        }
    }

    /// The walls of a vertex: planes across its edges.
    fn push_vertex(&self, plates: &Plates, vertex: VertexIndex, walls: &mut Vec<Wall>) {
        let at = self.mesh.vertices[vertex.index()];
        for &leaving in self.half_edges.outgoing(vertex) {
            // Where no face lies on the other side, the edge that arrives is the only one to know of the border.
            let arriving = leaving.next().next();
            for edge in std::iter::once(leaving).chain(self.half_edges.twin(arriving).is_none().then_some(arriving)) {
                let [a, b] = self.ends(edge);
                let away = if edge == leaving { a - b } else { b - a };
                let Some(away) = away.try_normalize(0.0) else { continue };
                let beyond = match self.is_open(edge) {
                    true => Feature::Edge(self.half_edges.edge(edge)),
                    false => Feature::Face(plates.largest_face(edge.face())),
                };
                walls.push(Wall { plane: plane_through(away, &at), beyond });
            }
        }
    }
}

impl Walls {
    /// Those of a surface.
    pub fn new(shape: &Shape, plates: &Plates) -> Self {
        let (faces, vertices) = (shape.mesh.faces.len(), shape.mesh.vertices.len());
        let mut all = Walls {
            walls: Vec::new(),
            first: vec![0],
            of_plate: vec![NONE; faces],
            of_edge: Vec::new(),
            of_vertex: Vec::new(),
        };
        for (face, outline) in plates.outlines() {
            let normal = shape.normals[face.index()];
            all.walls.extend(outline.iter().map(|&edge| shape.side_through(plates, edge, &normal)));
            all.of_plate[face.index()] = all.end_entry();
        }
        let open: Vec<HalfEdge> = (0..3 * faces as u32)
            .map(HalfEdge)
            .filter(|&edge| shape.half_edges.edge(edge) == edge && shape.is_open(edge))
            .collect();
        if open.is_empty() {
            return all;
        }
        all.of_edge = vec![NONE; 3 * faces];
        all.of_vertex = vec![NONE; vertices];
        for edge in open {
            shape.push_edge(plates, edge, &mut all.walls);
            all.of_edge[edge.index()] = all.end_entry();
            let corners = shape.mesh.faces[edge.face().index()];
            for vertex in [corners[edge.corner()], corners[(edge.corner() + 1) % 3]] {
                if all.of_vertex[vertex.index()] == NONE {
                    shape.push_vertex(plates, vertex, &mut all.walls);
                    all.of_vertex[vertex.index()] = all.end_entry();
                }
            }
        }
        all
    }

    fn end_entry(&mut self) -> u32 {
        self.first.push(self.walls.len() as u32);
        self.first.len() as u32 - 2
    }

    #[inline]
    fn entry(&self, entry: u32) -> &[Wall] {
        let range = |entry: u32| self.first[entry as usize] as usize;
        if entry == NONE { &[] } else { &self.walls[range(entry)..range(entry + 1)] }
    }

    /// Whether there is such a feature: convex edges and their corners are nowhere nearest.
    #[inline]
    pub fn has(&self, feature: Feature) -> bool {
        match feature {
            Feature::Face(_) => true,
            Feature::Edge(edge) => self.of_edge.get(edge.index()).is_some_and(|&entry| entry != NONE),
            Feature::Vertex(vertex) => self.of_vertex.get(vertex.index()).is_some_and(|&entry| entry != NONE),
        }
    }

    /// The walls of a feature.
    #[inline]
    pub fn of(&self, feature: Feature, shape: &Shape, plates: &Plates) -> WallsOf<'_> {
        let entry = match feature {
            Feature::Face(face) => self.of_plate[face.index()],
            Feature::Edge(edge) => self.of_edge.get(edge.index()).copied().unwrap_or(NONE),
            Feature::Vertex(vertex) => self.of_vertex.get(vertex.index()).copied().unwrap_or(NONE),
        };
        match feature {
            Feature::Face(face) if entry == NONE => {
                let normal = &shape.normals[face.index()];
                WallsOf::OfFace([0, 1, 2].map(|k| shape.side_through(plates, HalfEdge::new(face, k), normal)))
            }
            _ => WallsOf::Others(self.entry(entry)),
        }
    }
}
