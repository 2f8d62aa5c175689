//! Meshes of simple bodies, fine round a contact zone and coarse elsewhere.
//!
//! Every body touches the origin, which is the middle of its contact zone: rods, beam and block lie below (z < 0),
//! the ball above. The nodes of the zone are the group `contact`, all nodes the group `body`.

use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::FRAC_PI_4;

use super::grid::{ParameterMesh, split_grid};
use super::refinement::refine;
use super::second_order::to_second_order;
use super::{BODY_GROUP, CONTACT_GROUP, VolumeMesh};

/// How much of the middle of a disc or ball keeps the spacing of the square or cube it was made from, as a fraction
/// of the radius: small enough that cells at the corners stay thick, large enough that those at the faces are not
/// stretched.
const MIDDLE_SCALE: f64 = 0.75;

/// Layers of the coarse grid grow by this share of the growth of the longest edges, and are at most that share of the
/// longest edge thick: the diagonals of their cells are longer than the layers are thick.
const LAYER_GROWTH: f64 = 0.5;
/// See [`LAYER_GROWTH`].
const LAYER_SHARE: f64 = 0.75;

/// How long the longest edges of elements may be, by their distance from the middle of the contact zone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grading {
    /// Elements are as fine as `contact_size` within this distance, in m.
    pub zone_radius: f64,
    /// Longest edge in the contact zone, in m; quadratic elements have nodes at half that distance.
    pub contact_size: f64,
    /// By how much the longest edge grows per distance from the zone.
    pub growth: f64,
    /// Longest edge anywhere, in m.
    pub largest_size: f64,
}

impl Grading {
    /// Longest permitted edge of the tetrahedron with these corners, in m.
    fn size_limit(&self, corners: &[[f64; 3]; 4]) -> f64 {
        let nearest = corners.iter().map(|corner| self.distance_from_zone(corner)).fold(f64::INFINITY, f64::min);
        (self.contact_size + self.growth * nearest).min(self.largest_size)
    }

    /// Distance from the disc in the common tangent plane z = 0, in m: the zone itself is nearly flat.
    fn distance_from_zone(&self, [x, y, z]: &[f64; 3]) -> f64 {
        (x.hypot(*y) - self.zone_radius).max(0.0).hypot(*z)
    }
}

/// A round rod along z from `-length` to 0 with a flat end in the plane z = 0, in m.
///
/// `cells`, at least 1, are the cells of the coarse grid from axis to surface.
pub fn rod(length: f64, radius: f64, cells: usize, grading: &Grading) -> VolumeMesh {
    let map = |[u, v, w]: [f64; 3]| {
        let [x, y] = disc(u, v);
        [radius * x, radius * y, w]
    };
    generate([&across(cells), &across(cells), &layers_below(length, radius, cells, grading)], &map, grading)
}

/// The same rod with a spherical hollow of radius `hollow_radius` in its end, in m; the bottom of the hollow is the
/// origin, its rim has the radius of the rod, and `length` is measured to the rim.
pub fn hollowed_rod(length: f64, radius: f64, hollow_radius: f64, cells: usize, grading: &Grading) -> VolumeMesh {
    let height = |distance_squared: f64| hollow_radius - (hollow_radius.powi(2) - distance_squared).sqrt();
    let depth = height(radius.powi(2));
    let straight = length - depth;
    // The hollow bends the layers down to this distance, in which its slope has room.
    let reach = (4.0 * radius).min(straight);
    let map = |[u, v, w]: [f64; 3]| {
        let [x, y] = disc(u, v).map(|coordinate| radius * coordinate);
        let fade = (1.0 + w / reach).max(0.0).powi(2);
        [x, y, w + fade * height(x * x + y * y)]
    };
    generate([&across(cells), &across(cells), &layers_below(straight, radius, cells, grading)], &map, grading)
}

/// A round rod along x with its middle below the origin: the contact zone is on its side, in m.
pub fn beam(length: f64, radius: f64, cells: usize, grading: &Grading) -> VolumeMesh {
    let map = |[u, v, w]: [f64; 3]| {
        let [y, z] = disc(v, w);
        [u, radius * y, radius * (z - 1.0)]
    };
    let below = layers_below(0.5 * length, radius, cells, grading);
    let above = below.iter().rev().skip(1).map(|layer| -layer);
    let along: Vec<f64> = below.iter().copied().chain(above).collect();
    generate([&along, &across(cells), &across(cells)], &map, grading)
}

/// A ball above the origin, in m.
pub fn ball(radius: f64, cells: usize, grading: &Grading) -> VolumeMesh {
    let map = |parameters: [f64; 3]| {
        let [x, y, z] = rounded(parameters).map(|coordinate| radius * coordinate);
        [x, y, z + radius]
    };
    let axis = across(cells);
    generate([&axis, &axis, &axis], &map, grading)
}

/// A cuboid with edges of these lengths along x, y, z, in m; the origin is the middle of its upper face.
pub fn block(lengths: [f64; 3], cells: [usize; 3], grading: &Grading) -> VolumeMesh {
    let map = |[u, v, w]: [f64; 3]| [0.5 * lengths[0] * u, 0.5 * lengths[1] * v, lengths[2] * w];
    let down: Vec<f64> = (0..=cells[2]).map(|layer| layer as f64 / cells[2] as f64 - 1.0).collect();
    generate([&across(cells[0]), &across(cells[1]), &down], &map, grading)
}

fn generate(axes: [&[f64]; 3], map: &dyn Fn([f64; 3]) -> [f64; 3], grading: &Grading) -> VolumeMesh {
    let coarse: ParameterMesh = split_grid(axes, map);
    let refined = refine(coarse, map, &|corners| grading.size_limit(corners));
    let mut mesh = to_second_order(&refined, map);
    mesh.node_groups = groups(&mesh, grading.zone_radius);
    mesh
}

/// All nodes, and those of the surface faces that lie in the contact zone with all their nodes.
fn groups(mesh: &VolumeMesh, zone_radius: f64) -> BTreeMap<String, Vec<u32>> {
    let in_zone = |node: &u32| norm(&mesh.node_positions[*node as usize]) <= zone_radius;
    let faces = mesh.boundary_faces();
    let zone_faces = faces.iter().filter(|face| face.nodes().iter().all(in_zone));
    let contact: BTreeSet<u32> = zone_faces.flat_map(|face| face.nodes().iter().copied()).collect();
    let body = (0..mesh.node_positions.len() as u32).collect();
    let mut groups = BTreeMap::from([(BODY_GROUP.to_owned(), body)]);
    if !contact.is_empty() {
        groups.insert(CONTACT_GROUP.to_owned(), contact.into_iter().collect());
    }
    groups
}

/// Grid lines from -1 to 1, with one at 0.
fn across(cells: usize) -> Vec<f64> {
    (0..=2 * cells).map(|line| line as f64 / cells as f64 - 1.0).collect()
}

/// Grid lines from `-length` to 0, as far apart as the cells are wide near 0, and farther apart below.
fn layers_below(length: f64, radius: f64, cells: usize, grading: &Grading) -> Vec<f64> {
    let narrowest = MIDDLE_SCALE * radius / cells as f64;
    let mut depths = vec![0.0];
    let mut depth = 0.0;
    while depth < length {
        depth += (LAYER_GROWTH * grading.growth * depth).min(LAYER_SHARE * grading.largest_size).max(narrowest);
        depths.push(depth);
    }
    // The last layer ends where the body does; shrinking all of them keeps their proportions.
    let shrinkage = length / depth;
    depths.iter().rev().map(|depth| -depth * shrinkage).collect()
}

/// Takes the square from -1 to 1 to the unit disc.
fn disc(u: f64, v: f64) -> [f64; 2] {
    let [x, y, _] = rounded([u, v, 0.0]);
    [x, y]
}

/// Takes the cube from -1 to 1 to the unit ball: its surface to the sphere with equal parameter steps as equal angles,
/// so that mid-edge nodes are in the middle of arcs, and its middle scaled evenly. The map has kinks where the two
/// largest coordinates are equally large, which is where the coarse grid has faces.
fn rounded(parameters: [f64; 3]) -> [f64; 3] {
    let largest = parameters.iter().fold(0.0, |largest: f64, parameter| largest.max(parameter.abs()));
    if largest == 0.0 {
        return parameters;
    }
    let direction = parameters.map(|parameter| (FRAC_PI_4 * parameter / largest).tan());
    let length = norm(&direction);
    let evenly = (1.0 - largest) * MIDDLE_SCALE;
    std::array::from_fn(|axis| evenly * parameters[axis] + largest * largest * direction[axis] / length)
}

fn norm(vector: &[f64; 3]) -> f64 {
    vector.iter().map(|coordinate| coordinate * coordinate).sum::<f64>().sqrt()
}
