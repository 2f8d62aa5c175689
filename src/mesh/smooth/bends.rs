//! Which edges are smooth, which are sharp, and which faces are flat.

use crate::math::{Aabb, Vector};
use crate::mesh::measures::FaceSets;
use crate::mesh::{FaceIndex, HalfEdge, HalfEdges, TriangleMesh};

/// What an edge is in the surface that the mesh stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bend {
    /// Both faces are in one plane.
    None,
    /// Inside a curved surface.
    Smooth,
    /// A crease or a border.
    Sharp,
}

/// Normals that differ by less, in rad, are those of one plane: single precision leaves less on any face that is not
/// a sliver, and a sphere of a million faces bends by 3e-3.
pub(super) const SAME_PLANE: f64 = 1e-3;

/// How many widths of a face count of the one behind it when the curvature between them is estimated.
const WIDEST_NEIGHBOUR: f64 = 3.0;

/// Faces from which on a plane is large: on curved surfaces, too, a few triangles happen to be in one plane.
const LARGE_PLANE: u32 = 6;

/// A plane is flat only if it is so many times as wide as its neighbours: a small one, and a large one.
const WIDE: [f64; 2] = [3.0, 1.5];

/// Part of the smooth border, by length, that has to say that a plane is flat: a small one, and a large one.
const FLAT_MAJORITY: [f64; 2] = [1.0, 0.75];

/// The bends of a mesh.
pub(super) struct Bends {
    /// Of every half-edge.
    pub(super) bends: Vec<Bend>,
    /// Outward unit normals of the faces.
    pub(super) normals: Vec<Vector>,
    /// For every face whether it is part of a plane, as against a chord of a curved surface.
    pub(super) is_flat: Vec<bool>,
    /// Distance below which points are known to be anything, in m.
    pub(super) resolution: f64,
}

impl Bends {
    pub(super) fn find(mesh: &TriangleMesh, half_edges: &HalfEdges, angle: f64, resolution: f64) -> Bends {
        let faces = mesh.faces.len();
        let normals: Vec<Vector> = (0..faces as u32).map(|face| unit_normal(mesh.corners(FaceIndex(face)))).collect();
        let mut bends = vec![Bend::Sharp; 3 * faces];
        let mut turns = vec![0.0; 3 * faces];
        let mut planes = FaceSets::new(faces);
        for half_edge in (0..3 * faces as u32).map(HalfEdge) {
            let Some(twin) = half_edges.twin(half_edge).filter(|twin| half_edge < *twin) else { continue };
            let [n, m] = [half_edge, twin].map(|side| normals[side.face().index()]);
            let turn = n.cross(&m).norm().atan2(n.dot(&m));
            let bend = if turn < SAME_PLANE || is_within(mesh, [half_edge, twin], &normals, resolution) {
                planes.unite(half_edge.face(), twin.face());
                Bend::None
            } else if turn < angle {
                Bend::Smooth
            } else {
                Bend::Sharp
            };
            for side in [half_edge, twin] {
                (bends[side.index()], turns[side.index()]) = (bend, turn);
            }
        }
        let mut found = Bends { bends, normals, is_flat: Vec::new(), resolution };
        let planes = Planes::new(mesh, half_edges, &found.bends, turns, planes);
        found.sharpen(half_edges, |side, twin| planes.is_alone(side, twin));
        let is_flat: Vec<bool> = planes.flat();
        found.is_flat = planes.of_face.iter().map(|&plane| is_flat[plane as usize]).collect();
        let flat = found.is_flat.clone();
        found.sharpen(half_edges, |side, twin| flat[side.face().index()] && flat[twin.face().index()]);
        found
    }

    /// Makes smooth edges sharp.
    fn sharpen(&mut self, half_edges: &HalfEdges, is_sharp: impl Fn(HalfEdge, HalfEdge) -> bool) {
        for half_edge in (0..self.bends.len() as u32).map(HalfEdge) {
            if self.bends[half_edge.index()] == Bend::Smooth
                && let Some(twin) = half_edges.twin(half_edge)
                && is_sharp(half_edge, twin)
            {
                self.bends[half_edge.index()] = Bend::Sharp;
                self.bends[twin.index()] = Bend::Sharp;
            }
        }
    }

    pub(super) fn bend(&self, half_edge: HalfEdge) -> Bend {
        self.bends[half_edge.index()]
    }
}

/// Whether the smaller one of two neighbours is in the plane of the larger, as far as points are known.
fn is_within(mesh: &TriangleMesh, sides: [HalfEdge; 2], normals: &[Vector], resolution: f64) -> bool {
    let [first, second] = sides;
    let (large, small) = if altitude(mesh, first) < altitude(mesh, second) { (second, first) } else { (first, second) };
    let tip = mesh.corners(small.face())[small.next().next().corner()];
    let base = mesh.corners(large.face())[large.corner()];
    let normal = normals[large.face().index()];
    (tip - base).dot(&normal).abs() <= resolution && 0.0 < normal.dot(&normals[small.face().index()])
}

/// Height of a face over one of its edges.
pub(super) fn altitude(mesh: &TriangleMesh, half_edge: HalfEdge) -> f64 {
    let corners = mesh.corners(half_edge.face());
    let [from, to, tip] = [half_edge, half_edge.next(), half_edge.next().next()].map(|side| corners[side.corner()]);
    (to - from).cross(&(tip - from)).norm() / (to - from).norm()
}

/// Unit normal, scaled first so that tiny faces do not underflow.
pub(super) fn unit_normal([a, b, c]: [Vector; 3]) -> Vector {
    let (u, v) = (b - a, c - a);
    let size = u.amax().max(v.amax());
    let cross = (u / size).cross(&(v / size));
    cross.try_normalize(0.0).unwrap_or_else(Vector::z)
}

/// Connected faces in one plane, with what bounds them.
///
/// A plane may be a flat face of the part, or a chord: a strip of a cylinder, a quadrilateral of a sphere. A chord
/// turns against its neighbour by the curvature times half their widths, a flat face that runs into a fillet
/// by the half angle of the fillet's first chord only, however wide it is.
struct Planes<'a> {
    mesh: &'a TriangleMesh,
    half_edges: &'a HalfEdges,
    turns: Vec<f64>,
    of_face: Vec<u32>,
    faces: Vec<u32>,
    /// Area over diameter, in m.
    mean_width: Vec<f64>,
    /// Smooth half-edges by plane: those of plane `p` are `border[border_start[p]..border_start[p + 1]]`.
    border: Vec<HalfEdge>,
    border_start: Vec<u32>,
}

impl<'a> Planes<'a> {
    fn new(
        mesh: &'a TriangleMesh,
        half_edges: &'a HalfEdges,
        bends: &[Bend],
        turns: Vec<f64>,
        mut sets: FaceSets,
    ) -> Planes<'a> {
        let mut of_face = vec![0u32; mesh.faces.len()];
        let (mut faces, mut areas, mut boxes) = (Vec::new(), Vec::new(), Vec::<Aabb>::new());
        for face in (0..mesh.faces.len() as u32).map(FaceIndex) {
            let lowest = sets.lowest(face);
            let bounds = Aabb::of(&mesh.corners(face));
            if lowest == face {
                of_face[face.index()] = faces.len() as u32;
                faces.push(0);
                areas.push(0.0);
                boxes.push(bounds);
            }
            let plane = of_face[lowest.index()] as usize;
            of_face[face.index()] = plane as u32;
            faces[plane] += 1;
            areas[plane] += mesh.area(face);
            boxes[plane] = boxes[plane].joined(&bounds);
        }
        let mean_width = areas.iter().zip(&boxes).map(|(area, bounds)| area / bounds.size().norm()).collect();
        let mut border_start = vec![0u32; faces.len() + 1];
        let smooth = || (0..bends.len() as u32).map(HalfEdge).filter(|side| bends[side.index()] == Bend::Smooth);
        smooth().for_each(|side| border_start[of_face[side.face().index()] as usize + 1] += 1);
        for plane in 0..faces.len() {
            border_start[plane + 1] += border_start[plane];
        }
        let mut next = border_start.clone();
        let mut border = vec![HalfEdge(0); border_start[faces.len()] as usize];
        for side in smooth() {
            let slot = &mut next[of_face[side.face().index()] as usize];
            border[*slot as usize] = side;
            *slot += 1;
        }
        Planes { mesh, half_edges, turns, of_face, faces, mean_width, border, border_start }
    }

    fn plane(&self, half_edge: HalfEdge) -> usize {
        self.of_face[half_edge.face().index()] as usize
    }

    fn border(&self, plane: usize) -> &[HalfEdge] {
        &self.border[self.border_start[plane] as usize..self.border_start[plane + 1] as usize]
    }

    /// How wide the plane of a half-edge is, across it.
    fn width(&self, half_edge: HalfEdge) -> f64 {
        altitude(self.mesh, half_edge).max(self.mean_width[self.plane(half_edge)])
    }

    /// The curvature at the other smooth edges of a plane, seen from one of its neighbours: the largest.
    fn curvature_behind(&self, plane: usize, neighbour: usize) -> Option<f64> {
        let others = self.border(plane).iter().take(BORDER_LOOKED_AT).filter_map(|&side| {
            let twin = self.half_edges.twin(side).filter(|twin| self.plane(*twin) != neighbour)?;
            let width = self.width(side);
            Some(2.0 * self.turns[side.index()] / (width + self.width(twin).min(WIDEST_NEIGHBOUR * width)))
        });
        others.max_by(f64::total_cmp)
    }

    /// Whether an edge is the only bend between two planes: nothing says that they are curved.
    fn is_alone(&self, side: HalfEdge, twin: HalfEdge) -> bool {
        let (here, there) = (self.plane(side), self.plane(twin));
        self.curvature_behind(here, there).is_none() && self.curvature_behind(there, here).is_none()
    }

    /// For every plane whether it is flat.
    fn flat(&self) -> Vec<bool> {
        (0..self.faces.len()).map(|plane| self.is_flat(plane)).collect()
    }

    fn is_flat(&self, plane: usize) -> bool {
        let (mut flat, mut all) = (0.0, 0.0);
        let size = usize::from(LARGE_PLANE <= self.faces[plane]);
        for &side in self.border(plane) {
            let twin = self.half_edges.twin(side).expect("a smooth edge has two sides");
            let Some(curvature) = self.curvature_behind(self.plane(twin), plane) else { continue };
            let (here, there) = (self.width(side), self.width(twin));
            let (as_chord, as_flat) = (0.5 * curvature * (here + there), 0.5 * curvature * there);
            let corners = self.mesh.corners(side.face());
            let length = (corners[side.next().corner()] - corners[side.corner()]).norm();
            all += length;
            if WIDE[size] * there < here && self.turns[side.index()] < 0.5 * (as_chord + as_flat) {
                flat += length;
            }
        }
        // Without smooth edges there is nothing to bend.
        self.border(plane).is_empty() || (0.0 < all && FLAT_MAJORITY[size] * all <= flat)
    }
}

/// Smooth edges of one plane that are compared for the largest curvature: bounded time for any mesh.
const BORDER_LOOKED_AT: usize = 64;
