//! Normals of the curved surface at the corners of faces.

use super::bends::{Bend, Bends, SAME_PLANE, altitude};
use super::height::Height;
use crate::math::Vector;
use crate::mesh::{FaceIndex, HalfEdge, HalfEdges, TriangleMesh};

/// Corners that share a normal: those of faces around a vertex that smooth edges connect.
///
/// Corners are numbered as the half-edges that leave them.
pub(super) struct Sectors {
    /// For every corner its sector.
    pub(super) of_corner: Vec<u32>,
    /// Corners by sector: those of sector `s` are `corners[start[s]..start[s + 1]]`.
    corners: Vec<HalfEdge>,
    start: Vec<u32>,
}

impl Sectors {
    pub(super) fn new(half_edges: &HalfEdges, bends: &Bends) -> Sectors {
        let count = bends.bends.len();
        let mut parents: Vec<u32> = (0..count as u32).collect();
        for half_edge in (0..count as u32).map(HalfEdge) {
            if bends.bend(half_edge) != Bend::Sharp
                && let Some(twin) = half_edges.twin(half_edge)
            {
                // The corner at which a half-edge starts is the one at which its twin ends.
                let (a, b) = (lowest(&mut parents, half_edge.0), lowest(&mut parents, twin.next().0));
                parents[a.max(b) as usize] = a.min(b);
            }
        }
        let mut of_corner = vec![0; count];
        let mut sizes = Vec::new();
        for corner in 0..count as u32 {
            let first = lowest(&mut parents, corner);
            if first == corner {
                of_corner[corner as usize] = sizes.len() as u32;
                sizes.push(0u32);
            }
            of_corner[corner as usize] = of_corner[first as usize];
            sizes[of_corner[corner as usize] as usize] += 1;
        }
        let mut start = vec![0; sizes.len() + 1];
        for (sector, size) in sizes.iter().enumerate() {
            start[sector + 1] = start[sector] + size;
        }
        let mut next = start.clone();
        let mut corners = vec![HalfEdge(0); count];
        for corner in (0..count as u32).map(HalfEdge) {
            let slot = &mut next[of_corner[corner.index()] as usize];
            corners[*slot as usize] = corner;
            *slot += 1;
        }
        Sectors { of_corner, corners, start }
    }

    pub(super) fn len(&self) -> usize {
        self.start.len() - 1
    }

    pub(super) fn corners(&self, sector: u32) -> &[HalfEdge] {
        &self.corners[self.start[sector as usize] as usize..self.start[sector as usize + 1] as usize]
    }
}

fn lowest(parents: &mut [u32], mut corner: u32) -> u32 {
    while parents[corner as usize] != corner {
        let grandparent = parents[parents[corner as usize] as usize];
        parents[corner as usize] = grandparent;
        corner = grandparent;
    }
    corner
}

/// Faces of a neighbour's sector beyond which its other corners are not looked at: bounded time for any mesh, and the
/// hub of a fan says nothing about the surface around its spokes.
const MOST_FACES_AROUND: usize = 64;

/// Unit normals of all sectors, outwards. Those that the file states at the corners count where they agree.
pub(super) fn sector_normals(
    mesh: &TriangleMesh,
    half_edges: &HalfEdges,
    bends: &Bends,
    sectors: &Sectors,
    stated: &[Option<Vector>],
    peaks: &[bool],
) -> Vec<Vector> {
    let mut normals = estimated_normals(mesh, bends, sectors, stated, peaks);
    run_out(mesh, half_edges, bends, sectors, &mut normals);
    straighten(mesh, half_edges, bends, sectors, &mut normals);
    // Lines to the tip of a cone are straight.
    for side in (0..bends.bends.len() as u32).map(HalfEdge) {
        let [from, to] = [side, side.next()].map(|corner| sectors.of_corner[corner.index()] as usize);
        if peaks[to] && !peaks[from] && bends.bend(side) != Bend::Sharp {
            let corners = mesh.corners(side.face());
            let line = (corners[side.next().corner()] - corners[side.corner()]).normalize();
            let across = normals[from] - line * normals[from].dot(&line);
            normals[from] = across.try_normalize(0.0).unwrap_or(normals[from]);
        }
    }
    normals
}

/// Smallest angle in rad between the faces around a tip and the plane across it: 3°. Flatter ones may be noise.
const POINTED: f64 = 0.05;

/// Part of that angle by which faces farther out may be steeper; around a round top they are two to three times as steep.
const STEEPER_BEHIND: f64 = 0.25;

/// For every sector whether it is the tip of a cone: faces have no normal in common there, and those farther out are no
/// steeper than they are.
pub(super) fn peaks(mesh: &TriangleMesh, half_edges: &HalfEdges, bends: &Bends, sectors: &Sectors) -> Vec<bool> {
    let is_peak = |sector: u32| {
        let corners = sectors.corners(sector);
        // All around it.
        let is_inside = |side: HalfEdge| bends.bend(side) != Bend::Sharp && half_edges.twin(side).is_some();
        if !corners.iter().all(|corner| is_inside(*corner) && is_inside(corner.next().next())) {
            return false;
        }
        let axis = rough_normal(mesh, bends, sectors, sector);
        let off = |face: FaceIndex| {
            let normal = bends.normals[face.index()];
            normal.cross(&axis).norm().atan2(normal.dot(&axis))
        };
        let own = || corners.iter().map(|corner| off(corner.face()));
        let least = own().fold(f64::INFINITY, f64::min);
        if least < POINTED {
            return false;
        }
        let most = own().fold(0.0, f64::max) + STEEPER_BEHIND * least;
        let beside = corners.iter().flat_map(|corner| [corner.next(), corner.next().next()]);
        let mut behind = beside.flat_map(|corner| {
            let around = sectors.corners(sectors.of_corner[corner.index()]);
            &around[..around.len().min(MOST_FACES_AROUND)]
        });
        behind.all(|corner| off(corner.face()) < most)
    };
    (0..sectors.len() as u32).map(is_peak).collect()
}

/// An edge that is so many times as long as its faces are high over it, and as what goes on behind its end, is a straight
/// line of the surface there: the strip of a fillet ends at a small corner, whose normals would bend it along its length.
const MUCH_LONGER: f64 = 5.0;

/// Cosine to an edge within which others go on in its direction: 45°.
const GOES_ON: f64 = 0.7;

/// Cosine between an edge and the normal at its end below which the edge may be straight: a long chord bends by more.
const NEARLY_ACROSS: f64 = 0.1;

/// Turns normals at ends of straight lines across these.
fn run_out(mesh: &TriangleMesh, half_edges: &HalfEdges, bends: &Bends, sectors: &Sectors, normals: &mut [Vector]) {
    let mut longest = vec![0.0; normals.len()];
    let mut lines = vec![Vector::zeros(); normals.len()];
    for side in (0..bends.bends.len() as u32).map(HalfEdge).filter(|&side| bends.bend(side) == Bend::Smooth) {
        let corners = mesh.corners(side.face());
        let line = corners[side.corner()] - corners[side.next().corner()];
        // The other end is that of the twin.
        let sector = sectors.of_corner[side.index()];
        let (length, normal) = (line.norm(), normals[sector as usize]);
        if length <= longest[sector as usize] || NEARLY_ACROSS * length < normal.dot(&line).abs() {
            continue;
        }
        let is_strip = |side: HalfEdge| altitude(mesh, side) * MUCH_LONGER < length;
        if !is_strip(side) || !half_edges.twin(side).is_some_and(is_strip) {
            continue;
        }
        let on = length_beyond(mesh, sectors, sector, line / length);
        if 0.0 < on && on * MUCH_LONGER < length {
            (longest[sector as usize], lines[sector as usize]) = (length, line / length);
        }
    }
    for (normal, line) in normals.iter_mut().zip(lines) {
        *normal = (*normal - line * normal.dot(&line)).try_normalize(0.0).unwrap_or(*normal);
    }
}

/// How far the edges around a sector's vertex go in a direction; 0 where none does.
fn length_beyond(mesh: &TriangleMesh, sectors: &Sectors, sector: u32, direction: Vector) -> f64 {
    let mut longest = 0.0f64;
    for corner in sectors.corners(sector) {
        let corners = mesh.corners(corner.face());
        for other in [corner.next(), corner.next().next()] {
            let edge = corners[other.corner()] - corners[corner.corner()];
            let along = edge.dot(&direction);
            if GOES_ON * edge.norm() < along {
                longest = longest.max(along);
            }
        }
    }
    longest
}

/// Gives sectors at both ends of a straight line of the surface one normal, across it: a strip between two creases bends
/// the other way only, and what is estimated from few points must not bend it along its length.
fn straighten(mesh: &TriangleMesh, half_edges: &HalfEdges, bends: &Bends, sectors: &Sectors, normals: &mut [Vector]) {
    let mut parents: Vec<u32> = (0..normals.len() as u32).collect();
    let mut lines = vec![None; normals.len()];
    for side in (0..bends.bends.len() as u32).map(HalfEdge).filter(|&side| bends.bend(side) == Bend::Smooth) {
        let Some(twin) = half_edges.twin(side).filter(|twin| side < *twin) else { continue };
        let ends = [side, side.next()].map(|corner| sectors.of_corner[corner.index()]);
        let corners = mesh.corners(side.face());
        let line = corners[side.next().corner()] - corners[side.corner()];
        let planes = [side, twin].map(|side| (corners[side.corner()], bends.normals[side.face().index()]));
        let planes = Planes { planes, tolerance: 2.0 * bends.resolution.max(ON_A_LINE * line.norm()) };
        if ends.iter().all(|&end| planes.have_all(mesh, bends, sectors, end)) {
            let line = line.normalize();
            ends.iter().for_each(|&end| lines[end as usize] = Some(line));
            let [a, b] = ends.map(|end| lowest(&mut parents, end));
            parents[a.max(b) as usize] = a.min(b);
        }
    }
    let mut sums = vec![Vector::zeros(); normals.len()];
    for sector in 0..normals.len() {
        if let Some(line) = lines[sector] {
            let normal: Vector = normals[sector];
            sums[lowest(&mut parents, sector as u32) as usize] += normal - line * normal.dot(&line);
        }
    }
    for sector in 0..normals.len() {
        let sum: Vector = sums[lowest(&mut parents, sector as u32) as usize];
        normals[sector] = sum.try_normalize(0.0).unwrap_or(normals[sector]);
    }
}

/// Part of the length of a line by which points beside it may be off its planes, however finely they are known. Vertices
/// of meshers stand nearly in a line too, along a cylinder or not: off by a thousandth, and each has a normal of its own.
const ON_A_LINE: f64 = 1e-6;

/// The planes of both faces at an edge.
struct Planes {
    /// A corner of the edge, and the normal.
    planes: [(Vector, Vector); 2],
    tolerance: f64,
}

impl Planes {
    /// Whether all faces of a sector are in one of both.
    fn have_all(&self, mesh: &TriangleMesh, bends: &Bends, sectors: &Sectors, sector: u32) -> bool {
        sectors.corners(sector).iter().all(|corner| {
            let face = corner.face();
            self.planes.iter().any(|(point, normal)| {
                let is_near = |corner: &Vector| (corner - point).dot(normal).abs() <= self.tolerance;
                (normal - bends.normals[face.index()]).norm() < SAME_PLANE && mesh.corners(face).iter().all(is_near)
            })
        })
    }
}

/// Cosine to each of its faces below which a fitted normal is not believed: 40°. Few faces on one side of a crease say little.
const MOST_TURNED: f64 = 0.766;

fn estimated_normals(
    mesh: &TriangleMesh,
    bends: &Bends,
    sectors: &Sectors,
    stated: &[Option<Vector>],
    peaks: &[bool],
) -> Vec<Vector> {
    let mut around = Around { seen: vec![u32::MAX; mesh.vertices.len()], points: Vec::new() };
    (0..sectors.len() as u32)
        .map(|sector| {
            flat_normal(mesh, bends, sectors, sector).unwrap_or_else(|| {
                let rough = rough_normal(mesh, bends, sectors, sector);
                if peaks[sector as usize] {
                    return rough;
                }
                if let Some(normal) = stated_normal(stated, sectors.corners(sector), rough) {
                    return normal;
                }
                around.gather(mesh, bends, (sectors, peaks), sector);
                let mut height = Height::over(rough, Vector::zeros(), around.scale());
                around.points.iter().for_each(|&point| height.add_point(point));
                let normal = height.normal();
                let is_near = |corner: &HalfEdge| MOST_TURNED < normal.dot(&bends.normals[corner.face().index()]);
                if sectors.corners(sector).iter().all(is_near) { normal } else { rough }
            })
        })
        .collect()
}

/// The normal where a flat face takes part: what is smooth with it is tangent to it.
fn flat_normal(mesh: &TriangleMesh, bends: &Bends, sectors: &Sectors, sector: u32) -> Option<Vector> {
    let corners = sectors.corners(sector);
    let first = bends.normals[corners[0].face().index()];
    if corners.iter().all(|corner| bends.normals[corner.face().index()] == first) {
        return Some(first);
    }
    let flat = corners.iter().map(|corner| corner.face()).filter(|face| bends.is_flat[face.index()]);
    let sum: Vector = flat.map(|face| bends.normals[face.index()] * mesh.area(face)).sum();
    sum.try_normalize(0.0)
}

/// Cosine above which stated normals are one: 1°, where files have two digits. Faces that are drawn flat have normals
/// of their own, which say nothing about a curved surface.
const SAME_STATED: f64 = 0.99985;

/// Cosine to the faces around above which a stated normal is credible: 30°.
const CREDIBLE: f64 = 0.866;

/// The normal that the file states, where its corners agree about it.
fn stated_normal(stated: &[Option<Vector>], corners: &[HalfEdge], rough: Vector) -> Option<Vector> {
    let mut normals = corners.iter().filter_map(|corner| stated.get(corner.index()).copied().flatten());
    let first = normals.next()?;
    // A face that was turned over has its normals on the other side.
    let turned = |normal: Vector| if normal.dot(&rough) < 0.0 { -normal } else { normal };
    let (first, mut agree, mut sum) = (turned(first), true, turned(first));
    for normal in normals.map(turned) {
        agree &= SAME_STATED < first.dot(&normal);
        sum += normal;
    }
    let mean = sum.normalize();
    (agree && CREDIBLE < mean.dot(&rough)).then_some(mean)
}

/// Normals of the faces around, with weights that are exact on spheres and, whichever way quadrilaterals are split, on
/// cylinders (N. Max, 1999).
fn rough_normal(mesh: &TriangleMesh, bends: &Bends, sectors: &Sectors, sector: u32) -> Vector {
    let mut sum = Vector::zeros();
    for corner in sectors.corners(sector) {
        let corners = mesh.corners(corner.face());
        let here = corners[corner.corner()];
        let u = corners[corner.next().corner()] - here;
        let v = corners[corner.next().next().corner()] - here;
        sum += (u / u.norm_squared()).cross(&(v / v.norm_squared()));
    }
    sum.try_normalize(0.0).unwrap_or(bends.normals[sectors.corners(sector)[0].face().index()])
}

/// Points around a sector's vertex, relative to it.
struct Around {
    /// For every vertex the sector for which it was last seen.
    seen: Vec<u32>,
    points: Vec<Vector>,
}

impl Around {
    /// Collects the corners of the faces around, and those of the faces around these, without crossing creases, flat
    /// faces or tips.
    fn gather(&mut self, mesh: &TriangleMesh, bends: &Bends, (sectors, peaks): (&Sectors, &[bool]), sector: u32) {
        self.points.clear();
        let corners = sectors.corners(sector);
        let first = mesh.faces[corners[0].face().index()][corners[0].corner()];
        let centre = mesh.vertices[first.index()];
        self.seen[first.index()] = sector;
        for &corner in corners {
            for neighbour in [corner.next(), corner.next().next()] {
                self.add(mesh, sector, neighbour, centre);
                let beside = sectors.of_corner[neighbour.index()];
                let beyond = sectors.corners(beside);
                if MOST_FACES_AROUND < beyond.len() || peaks[beside as usize] {
                    continue;
                }
                for &other in beyond.iter().filter(|other| !bends.is_flat[other.face().index()]) {
                    self.add(mesh, sector, other.next(), centre);
                    self.add(mesh, sector, other.next().next(), centre);
                }
            }
        }
    }

    /// Harmonic mean of the distances.
    fn scale(&self) -> f64 {
        self.points.len() as f64 / self.points.iter().map(|point| 1.0 / point.norm()).sum::<f64>()
    }

    fn add(&mut self, mesh: &TriangleMesh, sector: u32, corner: HalfEdge, centre: Vector) {
        let vertex = mesh.faces[corner.face().index()][corner.corner()].index();
        if std::mem::replace(&mut self.seen[vertex], sector) != sector {
            self.points.push(mesh.vertices[vertex] - centre);
        }
    }
}
