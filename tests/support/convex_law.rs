//! The elastic law between convex bodies, exactly: faces cut by all walls between the cells of nearest faces.

use polycontact::contact::ContactParameters;
use polycontact::math::{Pose, Vector};
use polycontact::mesh::TriangleMesh;

use super::brute_force::triangles;
use super::sampled_law::pass_weights;

/// Sums over the contact; torque on E about the origin of E, weights of the passes included.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExactLaw {
    pub force: Vector,
    pub torque: Vector,
    pub area: f64,
    pub energy: f64,
    /// ∫ p dA, what errors are measured by.
    pub load: f64,
}

/// n · x = d, the normal out of the body.
#[derive(Clone, Copy)]
struct Plane {
    normal: Vector,
    offset: f64,
}

impl Plane {
    /// How far a point is inside.
    fn depth(&self, point: &Vector) -> f64 {
        self.offset - self.normal.dot(point)
    }
}

/// A convex body: its faces, and each of their planes once.
struct Convex {
    faces: Vec<[Vector; 3]>,
    planes: Vec<Plane>,
}

impl Convex {
    fn new(mesh: &TriangleMesh, pose: &Pose) -> Self {
        let faces = triangles(mesh, pose);
        let mut planes: Vec<Plane> = Vec::new();
        for [a, b, c] in &faces {
            let normal = (b - a).cross(&(c - a)).normalize();
            let plane = Plane { normal, offset: normal.dot(&((a + b + c) / 3.0)) };
            let is_same =
                |other: &Plane| (other.normal - normal).norm() < 1e-9 && (other.offset - plane.offset).abs() < 1e-11;
            if !planes.iter().any(is_same) {
                planes.push(plane);
            }
        }
        Convex { faces, planes }
    }

    /// The part of a polygon inside the body.
    fn clip(&self, polygon: Vec<Vector>) -> Vec<Vector> {
        self.planes.iter().fold(polygon, |polygon, plane| clipped(&polygon, |x| plane.depth(x)))
    }

    /// The part of a polygon to which a plane is the nearest one, or is as near as the one it is `level` with.
    fn clip_to_cell(&self, polygon: Vec<Vector>, nearest: usize, level: usize) -> Vec<Vector> {
        let own = self.planes[nearest];
        let others = self.planes.iter().enumerate().filter(|(other, _)| *other != nearest && *other != level);
        others.fold(polygon, |polygon, (_, plane)| clipped(&polygon, |x| plane.depth(x) - own.depth(x)))
    }
}

/// The elastic law at a pose.
pub fn convex_law([mesh_e, mesh_f]: [&TriangleMesh; 2], parameters: &ContactParameters, pose_ef: &Pose) -> ExactLaw {
    let bodies = [Convex::new(mesh_e, &Pose::identity()), Convex::new(mesh_f, pose_ef)];
    let mut law = ExactLaw::default();
    for (pass, weight) in pass_weights(parameters).into_iter().enumerate().filter(|(_, weight)| 0.0 < *weight) {
        let stiffness = weight * parameters.combined_layer_stiffness();
        let (surface, field) = (&bodies[pass], &bodies[1 - pass]);
        // On E: against the normals of its own faces, along those of F.
        let sign = if pass == 0 { -1.0 } else { 1.0 };
        for face in &surface.faces {
            let [a, b, c] = face;
            let normal = (b - a).cross(&(c - a)).normalize();
            let inside = field.clip(face.to_vec());
            for (nearest, plane) in field.planes.iter().enumerate() {
                for (x, area) in quadrature(&field.clip_to_cell(inside.clone(), nearest, nearest)) {
                    let depth = plane.depth(&x);
                    let load = stiffness * area * depth;
                    law.area += weight * area;
                    law.load += load;
                    law.force += sign * load * normal;
                    law.torque += sign * load * x.cross(&normal);
                    // ∫ φ dV = −½ ∮ φ² n_f · n dA over the border of each cell.
                    law.energy -= 0.5 * load * depth * plane.normal.dot(&normal);
                }
            }
        }
        law.energy += stiffness * wall_integral(surface, field);
    }
    law
}

/// What the walls between cells contribute to ∫ φ dV, from both sides.
fn wall_integral(surface: &Convex, field: &Convex) -> f64 {
    let mut integral = 0.0;
    for (i, own) in field.planes.iter().enumerate() {
        for (j, other) in field.planes.iter().enumerate().skip(i + 1) {
            let across = own.normal - other.normal;
            let bend = across.norm();
            if bend < 1e-9 {
                continue;
            }
            let (normal, offset) = (across / bend, (own.offset - other.offset) / bend);
            let wall = surface.clip(field.clip(large_square(&normal, offset)));
            for (x, area) in quadrature(&field.clip_to_cell(wall, i, j)) {
                integral += 0.5 * bend * area * own.depth(&x).powi(2);
            }
        }
    }
    integral
}

/// A square of some metres in the plane n · x = d.
fn large_square(normal: &Vector, offset: f64) -> Vec<Vector> {
    let u = normal.cross(&Vector::ith(normal.iamin(), 1.0)).normalize();
    let v = normal.cross(&u);
    [(-4.0, -4.0), (4.0, -4.0), (4.0, 4.0), (-4.0, 4.0)].map(|(a, b)| normal * offset + u * a + v * b).to_vec()
}

/// The part of a convex polygon where a linear function is not negative.
fn clipped(polygon: &[Vector], function: impl Fn(&Vector) -> f64) -> Vec<Vector> {
    let mut part = Vec::with_capacity(polygon.len() + 1);
    for (i, from) in polygon.iter().enumerate() {
        let to = &polygon[(i + 1) % polygon.len()];
        let (at_from, at_to) = (function(from), function(to));
        if 0.0 <= at_from {
            part.push(*from);
        }
        if (at_from < 0.0) != (at_to < 0.0) {
            part.push(from + (to - from) * (at_from / (at_from - at_to)));
        }
    }
    part
}

/// Points with their shares of the area that integrate quadratic functions exactly: middles of the edges of a fan.
fn quadrature(polygon: &[Vector]) -> Vec<(Vector, f64)> {
    let mut points = Vec::new();
    for i in 2..polygon.len() {
        let (a, b, c) = (polygon[0], polygon[i - 1], polygon[i]);
        let area = (b - a).cross(&(c - a)).norm() / 6.0;
        points.extend([0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a)].map(|middle| (middle, area)));
    }
    points
}
