//! How much each surface counts as master in a patch.
//!
//! The force of a master acts along its own normals. Where a body is bent sharply within the patch, its
//! faces push in directions that have little to do with the contact: a box edge in a plate, with the
//! box as master, has a side face whose normal runs far through the box before it meets the plate.
//! The method `auto` therefore trusts each body as far as the *other* one bends, patch by patch, and
//! does not believe depths that exceed the thickness of the patch.

use super::active_areas::ActiveArea;
use super::parameters::{ContactParameters, ElementScheme, Method};
use super::patches::{Patch, Patches};
use super::posed_surface::PosedSurface;
use super::triangle_intersection::{Body, IntersectionLine};
use crate::math::Vector;

/// A body that bends less is flat: its bending counts as none; dimensionless. Normals differ by 3·10⁻⁵ rad then, far
/// above the rounding of areas (10⁻¹⁴).
const FLAT_BENDING: f64 = 1e-9;

/// Where both bodies bend less than this, differences of bending fade out and the passes weigh alike, so that two flat
/// bodies do not hang on rounding; dimensionless.
const BENDING_SOFTENING: f64 = 1e-6;

/// Together they bend more than this: nothing is softened any more, and a flat body leads alone; dimensionless. A ball
/// that dips in by a five-thousandth of its radius bends by 10⁻⁴.
const CLEAR_BENDING: f64 = 1e-4;

/// Patches closer than this part of the root of the contact area are seen together to some degree, so
/// that two patches which grow into one have the same weights when they meet; dimensionless. Short
/// enough for the two sides of a gripped sheet to stay apart.
const LINK_LENGTH: f64 = 0.1;

/// Length of the mean normal of a patch: below the first it points all round, above the second it has
/// one side; dimensionless. A right-angled corner with equal sides has 0.71, half a tube 0.64.
const ALL_ROUND: f64 = 0.3;
const ONE_SIDED: f64 = 0.6;

/// What the passes weigh in one patch.
#[derive(Clone, Copy, Debug)]
pub struct PatchWeights {
    /// Weights of the passes with E and with F as master.
    pub of_pass: [f64; 2],
    /// Largest credible depth in m.
    pub credible_depth: f64,
}

impl PatchWeights {
    /// Weight of a piece of contact at a mean depth: less than that of its pass where the depth is not
    /// credible.
    #[inline]
    pub fn of_piece(&self, pass: usize, depth: f64) -> f64 {
        // The fourth power: force grows with the depth and energy with its square, both must vanish.
        let credibility = if self.credible_depth < depth { self.credible_depth / depth } else { 1.0 };
        self.of_pass[pass] * credibility.powi(4)
    }
}

/// Weights of all patches, with memory for the next evaluation.
#[derive(Clone, Debug, Default)]
pub struct PassWeights {
    /// One for each patch.
    pub of_patch: Vec<PatchWeights>,
    /// Degree to which two patches are seen together, from 0 to 1; a matrix by rows.
    links: Vec<f64>,
    /// Points on the hull of each patch, in E; sorted by patch.
    points: Vec<(u32, Vector)>,
    boxes: Vec<(Vector, Vector)>,
    /// (patch, line), sorted.
    lines_by_patch: Vec<(u32, u32)>,
    /// Patches that are linked to another one.
    linked: Vec<usize>,
}

impl PassWeights {
    /// Finds the weights of all patches.
    pub fn find(
        &mut self,
        parameters: &ContactParameters,
        surfaces: [&PosedSurface; 2],
        areas: [&ActiveArea; 2],
        patches: &Patches,
        lines: &[IntersectionLine],
        polygon_of_line: &[u32],
    ) {
        self.of_patch.clear();
        let fixed = match parameters.method() {
            Method::CollisionOnly => Some([0.0, 0.0]),
            Method::TwoPass => Some([0.5, 0.5]),
            Method::MasterE => Some([1.0, 0.0]),
            Method::MasterF => Some([0.0, 1.0]),
            Method::Auto => None,
        };
        if let Some(of_pass) = fixed {
            let weights = PatchWeights { of_pass, credible_depth: f64::INFINITY };
            self.of_patch.resize(patches.patches.len(), weights);
            return;
        }
        self.link_patches(patches, lines, polygon_of_line);
        self.collect_points(surfaces, areas, patches, lines, polygon_of_line);
        for patch in 0..patches.patches.len() {
            let (shape, credible_depth) = self.shape_around(patches, patch);
            let of_pass = match parameters.elements() {
                ElementScheme::Clipped => weights_by_bending(&shape),
                ElementScheme::Centroid => weights_by_resolution(&patches.patches[patch]),
            };
            self.of_patch.push(PatchWeights { of_pass, credible_depth });
        }
    }

    /// Fills `links`: 1 for a patch with itself, falling to 0 with the distance between two.
    fn link_patches(&mut self, patches: &Patches, lines: &[IntersectionLine], polygon_of_line: &[u32]) {
        let count = patches.patches.len();
        self.links.clear();
        self.links.resize(count * count, 0.0);
        for patch in 0..count {
            self.links[patch * count + patch] = 1.0;
        }
        if count == 1 {
            return;
        }
        let contact_area: f64 = patches.patches.iter().map(|patch| 0.5 * (patch.e.area + patch.f.area)).sum();
        let reach = LINK_LENGTH * contact_area.max(0.0).sqrt();
        self.boxes.clear();
        self.boxes.resize(count, (Vector::repeat(f64::INFINITY), Vector::repeat(f64::NEG_INFINITY)));
        self.lines_by_patch.clear();
        for (index, (line, &polygon)) in lines.iter().zip(polygon_of_line).enumerate() {
            let patch = patches.of_polygon[polygon as usize];
            self.lines_by_patch.push((patch, index as u32));
            let (low, high) = &mut self.boxes[patch as usize];
            *low = low.inf(&line.start.position_e).inf(&line.end.position_e);
            *high = high.sup(&line.start.position_e).sup(&line.end.position_e);
        }
        self.lines_by_patch.sort_unstable();
        self.linked.clear();
        for a in 0..count {
            for b in 0..a {
                let ((low_a, high_a), (low_b, high_b)) = (self.boxes[a], self.boxes[b]);
                if (0..3).any(|k| high_a[k] + reach < low_b[k] || high_b[k] + reach < low_a[k]) {
                    continue;
                }
                let mut distance = reach;
                for &(_, first) in of_patch(&self.lines_by_patch, a) {
                    for &(_, second) in of_patch(&self.lines_by_patch, b) {
                        let (first, second) = (&lines[first as usize], &lines[second as usize]);
                        distance = distance.min(distance_between(first, second, distance));
                    }
                }
                let closeness = 1.0 - distance / reach;
                self.links[a * count + b] = closeness * closeness;
                self.links[b * count + a] = closeness * closeness;
                if 0.0 < closeness {
                    self.linked.extend([a, b]);
                }
            }
        }
        // Two patches are also linked over others in between: then it does not matter which of them
        // have grown into one already.
        self.linked.sort_unstable();
        self.linked.dedup();
        for &via in &self.linked {
            for &a in &self.linked {
                for &b in &self.linked {
                    let indirect = self.links[a * count + via] * self.links[via * count + b];
                    let link = &mut self.links[a * count + b];
                    *link = link.max(indirect);
                }
            }
        }
    }

    fn collect_points(
        &mut self,
        surfaces: [&PosedSurface; 2],
        areas: [&ActiveArea; 2],
        patches: &Patches,
        lines: &[IntersectionLine],
        polygon_of_line: &[u32],
    ) {
        self.points.clear();
        for (line, &polygon) in lines.iter().zip(polygon_of_line) {
            self.points.push((patches.of_polygon[polygon as usize], line.start.position_e));
        }
        for (body, surface, area) in [(Body::E, surfaces[0], areas[0]), (Body::F, surfaces[1], areas[1])] {
            self.points.extend(
                area.inner_vertices
                    .iter()
                    .map(|&(vertex, component)| (patches.of_inner_component(body, component), surface.vertex(vertex))),
            );
        }
        // Extremes do not depend on the order within a patch.
        if 1 < patches.patches.len() {
            self.points.sort_unstable_by_key(|(patch, _)| *patch);
        }
    }

    /// Area and area vectors of a patch with what is linked to it, and its largest credible depth.
    ///
    /// A translation along the mean normal by the thickness of the patch ends its contact altogether,
    /// so a larger depth along some other normal is not the way out. Where the normals point all round,
    /// as in an interference fit, there is no such axis, and every depth is credible.
    fn shape_around(&self, patches: &Patches, patch: usize) -> (Shape, f64) {
        let count = patches.patches.len();
        let links = &self.links[patch * count..(patch + 1) * count];
        let mut shape = Shape::default();
        for (other, &link) in patches.patches.iter().zip(links) {
            for (side, body) in [Body::E, Body::F].into_iter().enumerate() {
                shape.area[side] += link * other.side(body).area;
                shape.area_vector_e[side] += link * other.side(body).area_vector_e;
            }
        }
        let mean_vector = shape.area_vector_e[0] - shape.area_vector_e[1];
        let flatness = mean_vector.norm() / (shape.area[0] + shape.area[1]);
        let Some(axis) = mean_vector.try_normalize(0.0).filter(|_| 0.0 < flatness) else {
            return (shape, f64::INFINITY);
        };
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for (_, point) in of_patch(&self.points, patch) {
            low = low.min(axis.dot(point));
            high = high.max(axis.dot(point));
        }
        let (own_low, own_high) = (low, high);
        for (other, &link) in links.iter().enumerate().filter(|(other, link)| *other != patch && 0.0 < **link) {
            for (_, point) in of_patch(&self.points, other) {
                let height = axis.dot(point);
                low = low.min(own_low + link * (height - own_low));
                high = high.max(own_high + link * (height - own_high));
            }
        }
        (shape, (high - low) / smooth_step((flatness - ALL_ROUND) / (ONE_SIDED - ALL_ROUND)))
    }
}

/// Sums over a patch and what is linked to it, for E and F.
#[derive(Clone, Copy, Debug, Default)]
struct Shape {
    area: [f64; 2],
    area_vector_e: [Vector; 2],
}

/// Trusts each body as far as the other one bends; two bodies that bend alike give the mean.
fn weights_by_bending(shape: &Shape) -> [f64; 2] {
    // 0 where the body is flat in the patch, towards 1 the more its normals differ.
    let bending = |side: usize| {
        if 0.0 < shape.area[side] {
            (1.0 - shape.area_vector_e[side].norm() / shape.area[side] - FLAT_BENDING).clamp(0.0, 1.0)
        } else {
            0.0
        }
    };
    let (bending_e, bending_f) = (bending(0), bending(1));
    let softening = BENDING_SOFTENING * (1.0 - smooth_step((bending_e + bending_f) / CLEAR_BENDING));
    let weight_e = (bending_f + softening) / (bending_e + bending_f + 2.0 * softening);
    [weight_e, 1.0 - weight_e]
}

/// Trusts the body with the smaller faces: a coarse master would miss a patch smaller than its faces,
/// since the centroid scheme looks at one point per face.
fn weights_by_resolution(patch: &Patch) -> [f64; 2] {
    let faces = |body: Body| {
        let side = patch.side(body);
        (side.area.max(0.0) / side.largest_face_area).powi(2)
    };
    let (faces_e, faces_f) = (faces(Body::E), faces(Body::F));
    if 0.0 < faces_e + faces_f { [faces_e / (faces_e + faces_f), faces_f / (faces_e + faces_f)] } else { [0.5, 0.5] }
}

/// The entries of one patch in a list sorted by patch.
fn of_patch<T>(sorted: &[(u32, T)], patch: usize) -> &[(u32, T)] {
    let start = sorted.partition_point(|(of, _)| (*of as usize) < patch);
    let end = sorted.partition_point(|(of, _)| (*of as usize) <= patch);
    &sorted[start..end]
}

/// 0 below 0, 1 above 1, and smooth in between.
#[inline]
pub fn smooth_step(x: f64) -> f64 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

/// Distance of two intersection lines, or anything not below `bound` where it is not below it.
fn distance_between(a: &IntersectionLine, b: &IntersectionLine, bound: f64) -> f64 {
    let (start_a, end_a, start_b, end_b) = (a.start.position_e, a.end.position_e, b.start.position_e, b.end.position_e);
    let (half_a, half_b) = (0.5 * (end_a - start_a), 0.5 * (end_b - start_b));
    let between = (start_b + half_b) - (start_a + half_a);
    if bound <= between.norm() - half_a.norm() - half_b.norm() {
        return bound;
    }
    // The nearest points of two segments: inner points of both, or an end of one of them.
    let mut best =
        [(start_a, start_b, end_b), (end_a, start_b, end_b), (start_b, start_a, end_a), (end_b, start_a, end_a)]
            .into_iter()
            .map(|(point, start, end)| (nearest_on_segment(point, start, end) - point).norm())
            .fold(f64::INFINITY, f64::min);
    let (u, v, w) = (end_a - start_a, end_b - start_b, start_a - start_b);
    let (uu, uv, vv, uw, vw) = (u.dot(&u), u.dot(&v), v.dot(&v), u.dot(&w), v.dot(&w));
    let determinant = uu * vv - uv * uv;
    if 0.0 < determinant {
        let (s, t) = ((uv * vw - vv * uw) / determinant, (uu * vw - uv * uw) / determinant);
        if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
            best = best.min((w + s * u - t * v).norm());
        }
    }
    best
}

/// The point of a segment that is nearest to a point.
pub fn nearest_on_segment(point: Vector, start: Vector, end: Vector) -> Vector {
    let along = end - start;
    let length_squared = along.norm_squared();
    let fraction =
        if 0.0 < length_squared { ((point - start).dot(&along) / length_squared).clamp(0.0, 1.0) } else { 0.0 };
    start + fraction * along
}
