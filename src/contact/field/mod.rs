//! The field of depths inside a body, as far as it is simple: one cell below each face.
//!
//! Below a face that has only convex edges and corners, the depth is the distance to its plane up to walls: the planes
//! through its edges that halve the angles with its neighbours, and, where more than three planes meet in a corner, walls
//! towards faces that it shares the corner with. That ends at a depth, the *reach* of the face, where something else comes
//! near. Cells with reflex edges or corners, and what lies deeper, are left to the general way ([`super::pieces`]).

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

mod bend;
mod corner_faces;
mod feature;
mod incidence;
mod plates;
mod walls;

pub use bend::MITRE_OVERHANG;
pub use feature::Feature;
pub use incidence::Incidence;
pub use plates::Plates;
pub use walls::{Wall, WallsOf};

use bend::{Bend, Bends};
use corner_faces::CornerFaces;
pub use corner_faces::are_in_one_plane;
use walls::{Shape, Walls};

use super::surface::ContactSurface;
use crate::bvh::{FaceVolume, OverlapStack};
use crate::math::Vector;
use crate::mesh::{FaceIndex, HalfEdge, HalfEdges, TriangleMesh, VertexIndex, closest_of_triangles};

/// A face cuts the cell of another one in a common corner where it is nearer, on the line between the walls of that cell,
/// by more than this part of the depth; dimensionless. What is not cut overlaps by the square of it.
const CORNER_CUT: f64 = 1e-7;

/// Reaches are looked for down to this many times the depth that is asked for, so that a contact that grows deeper does not
/// start a search each time.
const SEARCH_AHEAD: f64 = 4.0;

/// No neighbour.
pub const NONE: u32 = u32::MAX;

/// A linear function of a point: `(a, b, c) · x + d`.
pub type Plane = [f64; 4];

/// The cell below a face.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub struct Cell {
    /// Depth below the face, and the distances from the walls through its three edges, all positive inside.
    pub planes: [Plane; 4],
    /// Faces across the edges; none across sharp inner ones.
    pub neighbours: [u32; 3],
    /// Where its walls in corners start, and how many there are.
    pub first_wall: u32,
    /// Likewise.
    pub wall_count: u32,
    /// Whether all its edges and corners are convex or flat.
    pub is_simple: bool,
}

/// A wall towards a face that shares a corner only.
#[derive(Clone, Copy, Debug)]
pub struct CornerWall {
    /// How much nearer the cell's own face is.
    pub plane: Plane,
    /// The other face.
    pub face: u32,
    /// The corner of the cell's face, 0 to 2.
    pub corner: u32,
    /// The ends of what both plates have in common, which the wall runs through.
    pub through: [VertexIndex; 2],
}

/// All cells of a surface.
#[derive(Clone, Debug)]
pub struct Field {
    cells: Vec<Cell>,
    corner_walls: Vec<CornerWall>,
    bends: Bends,
    plates: Plates,
    walls: Walls,
    simple_vertices: Vec<bool>,
    corner_faces: CornerFaces,
    /// The ends of what the plates on both sides of each face's edges have in common.
    wall_lines: Vec<[Option<[VertexIndex; 2]>; 3]>,
    /// A face that stands for all around each face that only flat edges lie between.
    sheets: Vec<u32>,
    /// Where the cells that have a corner wall towards each cell start in `linked`; one more than there are cells.
    first_linked: Vec<u32>,
    linked: Vec<u32>,
    /// Reaches of faces as bits, zero where not known yet, negative where they are larger than that. They are found when
    /// first needed; what they decide is a function of the surface and the depth.
    reaches: Arc<[AtomicU64]>,
}

impl Field {
    /// The cells of a surface of this size in m with these outward unit normals.
    pub fn new(mesh: &TriangleMesh, half_edges: &HalfEdges, normals: &[Vector], size: f64) -> Self {
        let bends = Bends::new(mesh, half_edges, normals);
        let is_flat_or_convex = |edge: HalfEdge| bends.across(edge) != Bend::Open;
        let is_simple_vertex = |vertex: u32| {
            let outgoing = half_edges.outgoing(VertexIndex(vertex));
            outgoing.iter().all(|&leaving| is_flat_or_convex(leaving)) && is_one_fan(half_edges, outgoing)
        };
        let simple_vertices: Vec<bool> = (0..mesh.vertices.len() as u32).map(is_simple_vertex).collect();
        let shape = Shape { mesh, half_edges, normals, bends: &bends };
        let plates = Plates::new(mesh, half_edges, normals);
        let incidence = Incidence { mesh, half_edges, plates: &plates };
        let mut corner_walls = Vec::new();
        let cells: Vec<Cell> = (0..mesh.faces.len() as u32)
            .map(|face| {
                let first_wall = corner_walls.len() as u32;
                let mut cell = cell_below(&shape, FaceIndex(face), first_wall);
                cell.is_simple = mesh.faces[face as usize].iter().all(|vertex| simple_vertices[vertex.index()]);
                push_corner_walls(&shape, &incidence, &simple_vertices, &cell, FaceIndex(face), &mut corner_walls);
                cell.wall_count = corner_walls.len() as u32 - first_wall;
                cell
            })
            .collect();
        let (first_linked, linked) = links(&cells, &corner_walls);
        let walls = Walls::new(&shape, &plates);
        let reaches = mesh.faces.iter().map(|_| AtomicU64::new(0)).collect();
        let wall_lines = (0..mesh.faces.len() as u32).map(|face| incidence.wall_lines(FaceIndex(face))).collect();
        let corner_faces = CornerFaces::new(&shape, &simple_vertices, size);
        let sheets = sheets(half_edges, &bends, mesh.faces.len());
        Field {
            cells,
            corner_walls,
            bends,
            plates,
            walls,
            simple_vertices,
            corner_faces,
            wall_lines,
            sheets,
            first_linked,
            linked,
            reaches,
        }
    }

    /// The plates of the surface.
    #[inline]
    pub fn plates(&self) -> &Plates {
        &self.plates
    }

    /// Whether there is such a feature: convex edges and their corners are nowhere nearest.
    #[inline]
    pub fn has(&self, feature: Feature) -> bool {
        self.walls.has(feature)
    }

    /// Whether all edges around a vertex are convex or shallow, and make one fan.
    #[inline]
    pub fn is_simple_vertex(&self, vertex: VertexIndex) -> bool {
        self.simple_vertices[vertex.index()]
    }

    /// Faces that meet a face in a sharp inner corner, and may come nearer to what lies below it; none where there are too
    /// many.
    #[inline]
    pub fn corner_faces(&self, face: FaceIndex) -> Option<&[FaceIndex]> {
        self.corner_faces.of(face)
    }

    /// Whether the depth on both sides of an edge has a mitre.
    #[inline]
    pub fn is_mitred(&self, edge: HalfEdge) -> bool {
        self.bends.across(edge) == Bend::Mitred
    }

    /// Whether the depth below the faces around a vertex has a mitre.
    #[inline]
    pub fn has_mitre(&self, vertex: VertexIndex) -> bool {
        self.bends.has_mitre(vertex)
    }

    /// The ends of what the plates on both sides of a face's edges have in common; none where these are no walls.
    #[inline]
    pub fn wall_lines(&self, face: FaceIndex) -> &[Option<[VertexIndex; 2]>; 3] {
        &self.wall_lines[face.index()]
    }

    /// A face that stands for all around a face that only flat edges lie between.
    #[inline]
    pub fn sheet(&self, face: FaceIndex) -> FaceIndex {
        FaceIndex(self.sheets[face.index()])
    }

    /// What bounds the space where a feature itself has the nearest point of its plane, line or vertex.
    #[inline]
    pub fn walls(
        &self,
        feature: Feature,
        mesh: &TriangleMesh,
        half_edges: &HalfEdges,
        normals: &[Vector],
    ) -> WallsOf<'_> {
        self.walls.of(feature, &Shape { mesh, half_edges, normals, bends: &self.bends }, &self.plates)
    }

    /// The cell below a face.
    #[inline]
    pub fn cell(&self, face: u32) -> &Cell {
        &self.cells[face as usize]
    }

    /// The cells that have a corner wall towards the cell below a face: they lie behind its walls too.
    #[inline]
    pub fn linked(&self, face: u32) -> &[u32] {
        &self.linked[self.first_linked[face as usize] as usize..self.first_linked[face as usize + 1] as usize]
    }

    /// The walls of a cell in the corners of its face.
    #[inline]
    pub fn corner_walls(&self, cell: &Cell) -> &[CornerWall] {
        &self.corner_walls[cell.first_wall as usize..(cell.first_wall + cell.wall_count) as usize]
    }

    /// Whether nothing comes nearer than its walls tell down to a depth below a simple face, in m.
    #[inline]
    pub fn reaches(&self, face: u32, depth: f64, surface: &ContactSurface, stack: &mut OverlapStack) -> bool {
        let known = f64::from_bits(self.reaches[face as usize].load(Ordering::Relaxed));
        // Negative: the search ended there, and the reach is larger.
        if depth <= known.abs() || 0.0 < known {
            return depth <= known.abs();
        }
        let limit = SEARCH_AHEAD * depth;
        let reach = find_reach(surface, FaceIndex(face), limit, stack).max(f64::MIN_POSITIVE);
        let known = if reach < limit { reach } else { -limit };
        self.reaches[face as usize].store(known.to_bits(), Ordering::Relaxed);
        depth <= reach
    }
}

/// For each face the first one of those around it that only flat edges lie between.
fn sheets(half_edges: &HalfEdges, bends: &Bends, face_count: usize) -> Vec<u32> {
    let mut sheets = vec![NONE; face_count];
    let mut pending = Vec::new();
    for first in 0..face_count as u32 {
        if sheets[first as usize] == NONE {
            sheets[first as usize] = first;
            pending.push(first);
        }
        while let Some(face) = pending.pop() {
            for edge in [0, 1, 2].map(|corner| HalfEdge::new(FaceIndex(face), corner)) {
                let twin = half_edges.twin(edge).filter(|_| bends.across(edge) == Bend::Flat);
                if let Some(other) = twin.map(|twin| twin.face()).filter(|other| sheets[other.index()] == NONE) {
                    sheets[other.index()] = first;
                    pending.push(other.0);
                }
            }
        }
    }
    sheets
}

/// Corner walls by the face that they lead to.
fn links(cells: &[Cell], walls: &[CornerWall]) -> (Vec<u32>, Vec<u32>) {
    let mut first_linked = vec![0; cells.len() + 1];
    walls.iter().for_each(|wall| first_linked[wall.face as usize + 1] += 1);
    for face in 0..cells.len() {
        first_linked[face + 1] += first_linked[face];
    }
    let mut next = first_linked.clone();
    let mut linked = vec![0; walls.len()];
    for (face, cell) in cells.iter().enumerate() {
        for wall in &walls[cell.first_wall as usize..(cell.first_wall + cell.wall_count) as usize] {
            let place = &mut next[wall.face as usize];
            linked[*place as usize] = face as u32;
            *place += 1;
        }
    }
    (first_linked, linked)
}

/// Whether the half-edges that leave a vertex are one closed fan.
fn is_one_fan(half_edges: &HalfEdges, outgoing: &[HalfEdge]) -> bool {
    let Some(&first) = outgoing.first() else { return false };
    let mut leaving = first;
    for step in 1..=outgoing.len() {
        let Some(next) = half_edges.twin(leaving.next().next()) else { return false };
        leaving = next;
        if leaving == first {
            return step == outgoing.len();
        }
    }
    false
}

/// The function `direction · (x − point)`.
pub fn plane_through(direction: Vector, point: &Vector) -> Plane {
    [direction.x, direction.y, direction.z, -direction.dot(point)]
}

/// The value of a plane's function along a direction, or at a point with its constant.
fn value_along(plane: &Plane, direction: &Vector) -> f64 {
    plane[0] * direction.x + plane[1] * direction.y + plane[2] * direction.z
}

fn cell_below(shape: &Shape, face: FaceIndex, first_wall: u32) -> Cell {
    let (corners, normal) = (shape.mesh.corners(face), shape.normals[face.index()]);
    let mut planes = [plane_through(-normal, &corners[0]); 4];
    let mut neighbours = [NONE; 3];
    for k in 0..3 {
        let along = corners[(k + 1) % 3] - corners[k];
        let twin = shape.half_edges.twin(HalfEdge::new(face, k));
        let other = twin.map_or(normal, |twin| shape.normals[twin.face().index()]);
        // The plane that halves the angle contains the edge and the mean normal, however flat the edge is. At a sharp inner
        // edge the face ends where its normals do.
        let is_open = shape.bends.across(HalfEdge::new(face, k)) == Bend::Open;
        let mean = if is_open { normal } else { normal + other };
        let inwards = mean.cross(&along).try_normalize(0.0).unwrap_or_else(Vector::zeros);
        planes[1 + k] = plane_through(inwards, &corners[k]);
        neighbours[k] = twin.filter(|_| !is_open).map_or(NONE, |twin| twin.face().0);
    }
    Cell { planes, neighbours, first_wall, wall_count: 0, is_simple: false }
}

/// Walls towards faces that are nearer where the walls through two edges meet.
fn push_corner_walls(
    shape: &Shape,
    incidence: &Incidence,
    simple_vertices: &[bool],
    cell: &Cell,
    face: FaceIndex,
    walls: &mut Vec<CornerWall>,
) {
    let &Shape { mesh, half_edges, normals, bends } = shape;
    let normal = normals[face.index()];
    let direction = |plane: &Plane| Vector::new(plane[0], plane[1], plane[2]);
    for corner in 0..3 {
        let vertex = mesh.faces[face.index()][corner];
        // A plane that is nearer on the far side of a mitre, or of a sharp inner edge, is not meant.
        if bends.has_mitre(vertex) || !simple_vertices[vertex.index()] {
            continue;
        }
        let (into, out_of) = (&cell.planes[1 + (corner + 2) % 3], &cell.planes[1 + corner]);
        let axis = direction(into).cross(&direction(out_of));
        let depth = -normal.dot(&axis);
        let axis = if depth < 0.0 { -axis } else { axis };
        let depth = depth.abs();
        for &leaving in half_edges.outgoing(vertex) {
            let other = leaving.face();
            let nearer = normal - normals[other.index()];
            if other != face
                && !cell.neighbours.contains(&other.0)
                && value_along(&[nearer.x, nearer.y, nearer.z, 0.0], &axis) < -CORNER_CUT * depth
            {
                let plane = plane_through(nearer, &mesh.vertices[vertex.index()]);
                let through = incidence.wall_ends([face, other]).unwrap_or([vertex; 2]);
                walls.push(CornerWall { plane, face: other.0, corner: corner as u32, through });
            }
        }
    }
}

/// The smallest radius of a ball that touches a face and a point as distant from it and at most so deep below its plane, in m; the
/// ball touches the plane at most `overhang` times its radius beside the face.
fn ball_through(distance: f64, depth: f64, overhang: f64) -> f64 {
    // A point that is deeper than it is distant is as distant as it is deep.
    let depth = depth.min(distance);
    // (distance − overhang · radius)² = 2 depth · radius.
    let (root, product) = ((2.0 * depth).sqrt(), 4.0 * overhang * distance);
    let of_radius = 2.0 * distance / (root + (2.0 * depth + product).sqrt());
    of_radius * of_radius
}

/// Planes around a face that are told apart; where there are more, all faces around are looked at.
const MOST_PLANES_AROUND: usize = 16;

/// The smallest radius of a ball that touches a face from inside and some face that shares no corner with it, or the
/// limit; a lower bound, in m.
fn find_reach(surface: &ContactSurface, face: FaceIndex, limit: f64, stack: &mut OverlapStack) -> f64 {
    let (mesh, half_edges, tree) = (surface.mesh(), surface.half_edges(), surface.tree());
    let (corners, vertices) = (mesh.corners(face), mesh.faces[face.index()]);
    let normal = surface.normal(face);
    // Within its walls a face is nearer than the planes of all faces that it shares an edge or a simple corner with; in other
    // corners there are no walls.
    // One of each plane is enough, up to a few: around the hub of a fan are thousands in the same one.
    let field = surface.field();
    let across_edges = field.cell(face.0).neighbours;
    let around = || {
        let simple = vertices.iter().filter(|&&vertex| field.is_simple_vertex(vertex));
        let in_corners = simple.flat_map(|&vertex| half_edges.outgoing(vertex)).map(|leaving| leaving.face());
        in_corners.chain(across_edges.into_iter().filter(|&other| other != NONE).map(FaceIndex))
    };
    let (mut planes, mut count) = ([face; MOST_PLANES_AROUND], 1);
    for known in around() {
        if count < planes.len() && !planes[..count].iter().any(|&plane| surface.are_in_one_plane(plane, known)) {
            planes[count] = known;
            count += 1;
        }
    }
    let in_plane_of = |other: FaceIndex| move |known: FaceIndex| surface.are_in_one_plane(known, other);
    let is_walled = |other: FaceIndex| {
        planes[..count].iter().copied().any(in_plane_of(other))
            || (count == planes.len() && around().any(in_plane_of(other)))
    };
    let center = (corners[0] + corners[1] + corners[2]) / 3.0;
    let radius = corners.iter().map(|corner| (corner - center).norm()).fold(0.0, f64::max);
    let best = std::cell::Cell::new(limit);
    // Behind a mitre the cell reaches beyond its face.
    let has_mitre = vertices.iter().any(|&vertex| field.has_mitre(vertex));
    let overhang = if has_mitre { MITRE_OVERHANG } else { 0.0 };
    tree.items_touching(
        stack,
        |FaceVolume { bounds, .. }| {
            // A ball that touches the face in y and a point p has the radius |p − y|² / (2 depth of p).
            let depth = normal.dot(&(corners[0] - bounds.center)) + normal.abs().dot(&bounds.half);
            let distance =
                ((bounds.center - center).norm() - bounds.half.norm() - radius - overhang * best.get()).max(0.0);
            0.0 < depth && distance * distance < 2.0 * depth * best.get()
        },
        |other| {
            if mesh.faces[other.index()].iter().any(|vertex| vertices.contains(vertex)) {
                return;
            }
            let (others, across) = (mesh.corners(other), surface.normal(other));
            let deepest = others.iter().map(|point| normal.dot(&(corners[0] - point))).fold(0.0, f64::max);
            if deepest <= 0.0 {
                return;
            }
            // A ball that touches both planes: its radius is linear in the place on the face.
            if is_walled(other) {
                return;
            }
            let lowest = corners.iter().map(|point| across.dot(&(others[0] - point))).fold(f64::INFINITY, f64::min);
            let between_planes = lowest / (1.0 - normal.dot(&across) + overhang).max(f64::MIN_POSITIVE);
            if best.get() <= between_planes {
                return;
            }
            let distance = closest_of_triangles(&corners, &others).squared_distance.sqrt();
            best.set(best.get().min(between_planes.max(ball_through(distance, deepest, overhang))));
        },
    );
    best.get()
}
