//! The whole force law by dense sampling: every point of a surface asks all faces of the other body whether it is
//! inside and how far the nearest one is. Shares nothing with the core but its parameters.

use polycontact::contact::{ContactParameters, Method, RelativeMotion};
use polycontact::math::{Pose, Vector};
use polycontact::mesh::TriangleMesh;

use super::brute_force::{is_inside, triangles};
use super::random::Random;

/// Sums over the contact; torque on E about the origin of E, weights of the passes included.
#[derive(Clone, Copy, Debug, Default)]
pub struct Law {
    pub force: Vector,
    pub torque: Vector,
    pub area: f64,
    pub dissipated_power: f64,
    pub max_depth: f64,
    pub max_pressure: f64,
    /// ∫ p dA, what errors are measured by.
    pub load: f64,
}

/// [`Law`] from the finer of two samplings, and bounds of its errors from the difference of both.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sampled {
    pub law: Law,
    pub force_error: f64,
    pub torque_error: f64,
    pub area_error: f64,
    pub power_error: f64,
    /// Samples miss the deepest point by their distance.
    pub depth_error: f64,
}

/// Two halvings of the sample distance reduce the error of a continuous integrand by four; so the error of the finer
/// sampling is a third of the difference. Borders cross samples irregularly, hence more, and the sum over faces is of
/// magnitudes.
const ERROR_OVER_DIFFERENCE: f64 = 1.0;

/// Weights of the faces of E in the field of F, and of the faces of F in the field of E.
pub fn pass_weights(parameters: &ContactParameters) -> [f64; 2] {
    match parameters.method() {
        // The layer of E takes λ of the compression, in the field of E, on the faces of F.
        Method::Auto => [1.0 - parameters.penetration_ratio(), parameters.penetration_ratio()],
        Method::TwoPass => [0.5, 0.5],
        Method::MasterE => [1.0, 0.0],
        Method::MasterF => [0.0, 1.0],
        Method::CollisionOnly => [0.0, 0.0],
    }
}

/// Samples both surfaces with two sample distances, `spacing` and half of it.
pub fn sampled_law(
    [mesh_e, mesh_f]: [&TriangleMesh; 2],
    parameters: &ContactParameters,
    motion: &RelativeMotion,
    spacing: f64,
) -> Sampled {
    let bodies = [triangles(mesh_e, &Pose::identity()), triangles(mesh_f, motion.pose_ef())];
    let weights = pass_weights(parameters);
    let mut sum = Sampled { depth_error: 0.5 * spacing, ..Sampled::default() };
    for (pass, weight) in weights.into_iter().enumerate().filter(|(_, weight)| 0.0 < *weight) {
        let field = &bodies[1 - pass];
        for face in &bodies[pass] {
            let [a, b, c] = face;
            let normal = (b - a).cross(&(c - a)).normalize();
            let mut sampler = Sampler {
                field,
                // Out of E: the faces of F look into it.
                normal_e: if pass == 0 { normal } else { -normal },
                weight,
                parameters,
                motion,
                spacing,
                random: Random::new(3),
                laws: [Law::default(); 2],
            };
            sampler.visit(*face);
            let [coarse, fine] = sampler.laws;
            sum.add(&fine);
            sum.force_error += ERROR_OVER_DIFFERENCE * (fine.force - coarse.force).norm();
            sum.torque_error += ERROR_OVER_DIFFERENCE * (fine.torque - coarse.torque).norm();
            sum.area_error += ERROR_OVER_DIFFERENCE * (fine.area - coarse.area).abs();
            sum.power_error += ERROR_OVER_DIFFERENCE * (fine.dissipated_power - coarse.dissipated_power).abs();
        }
    }
    sum
}

impl Sampled {
    fn add(&mut self, other: &Law) {
        let law = &mut self.law;
        law.force += other.force;
        law.torque += other.torque;
        law.area += other.area;
        law.dissipated_power += other.dissipated_power;
        law.load += other.load;
        law.max_depth = law.max_depth.max(other.max_depth);
        law.max_pressure = law.max_pressure.max(other.max_pressure);
    }
}

/// Samples one face.
struct Sampler<'a> {
    field: &'a [[Vector; 3]],
    /// Normal of the face, turned so that it points out of E.
    normal_e: Vector,
    weight: f64,
    parameters: &'a ContactParameters,
    motion: &'a RelativeMotion,
    spacing: f64,
    random: Random,
    /// Coarse and fine.
    laws: [Law; 2],
}

impl Sampler<'_> {
    /// Cuts a triangle in four until its sides are shorter than the spacing, leaving out what is surely outside.
    fn visit(&mut self, triangle: [Vector; 3]) {
        let [a, b, c] = triangle;
        let centre = (a + b + c) / 3.0;
        let reach = triangle.iter().map(|corner| (corner - centre).norm()).fold(0.0, f64::max);
        let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
        let signed_depth = self.signed_depth(&centre);
        if signed_depth < -reach {
            return;
        }
        let quarters = quarters(triangle);
        if longest <= self.spacing {
            self.add(0, &triangle, signed_depth);
            for quarter in quarters {
                let depth = self.signed_depth(&((quarter[0] + quarter[1] + quarter[2]) / 3.0));
                self.add(1, &quarter, depth);
            }
        } else {
            quarters.into_iter().for_each(|quarter| self.visit(quarter));
        }
    }

    /// Distance to the nearest face, negative outside.
    fn signed_depth(&mut self, point: &Vector) -> f64 {
        let squared = |face: &[Vector; 3]| (nearest_on_triangle(point, face) - point).norm_squared();
        let distance = self.field.iter().map(squared).fold(f64::INFINITY, f64::min).sqrt();
        if is_inside(point, self.field, &mut self.random) { distance } else { -distance }
    }

    /// Adds a small triangle with the depth at its centre.
    fn add(&mut self, level: usize, [a, b, c]: &[Vector; 3], depth: f64) {
        if depth <= 0.0 {
            return;
        }
        let (point, area) = ((a + b + c) / 3.0, 0.5 * (b - a).cross(&(c - a)).norm());
        let velocity = self.motion.velocity_at(point);
        // F closes in on E against the normal that points out of E.
        let closing = -velocity.dot(&self.normal_e);
        let slip = velocity + closing * self.normal_e;
        let elastic = self.parameters.combined_layer_stiffness() * depth;
        let transition = self.parameters.damping_transition_depth();
        let share = if depth < transition { depth / transition } else { 1.0 };
        let pressure = (elastic + self.parameters.areal_damping() * share * closing).max(0.0);
        let speed = slip.norm();
        // μ p from the regularisation velocity on, and μ p (2 − s) s below with s the part of it; along the slip of F.
        let shear = match self.parameters.friction() {
            Some(friction) if 0.0 < speed => {
                let part = (speed / friction.regularization_velocity).min(1.0);
                slip * (friction.coefficient * pressure * (2.0 - part) * part / speed)
            }
            _ => Vector::zeros(),
        };
        let force = (shear - self.normal_e * pressure) * (self.weight * area);
        let law = &mut self.laws[level];
        law.force += force;
        law.torque += point.cross(&force);
        law.area += self.weight * area;
        law.load += self.weight * area * pressure;
        law.dissipated_power += self.weight * area * ((pressure - elastic) * closing + shear.dot(&slip));
        law.max_depth = law.max_depth.max(depth);
        law.max_pressure = law.max_pressure.max(pressure);
    }
}

/// The four triangles between the corners and the middles of the edges.
fn quarters([a, b, c]: [Vector; 3]) -> [[Vector; 3]; 4] {
    let (ab, bc, ca) = (0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a));
    [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
}

/// The nearest point of a triangle: of its plane where that lies inside, otherwise of an edge.
pub fn nearest_on_triangle(point: &Vector, [a, b, c]: &[Vector; 3]) -> Vector {
    let normal = (b - a).cross(&(c - a));
    let is_over = [(a, b), (b, c), (c, a)].iter().all(|(from, to)| {
        let inwards = normal.cross(&(*to - *from));
        0.0 <= inwards.dot(&(point - *from))
    });
    if is_over {
        return point - normal * ((point - a).dot(&normal) / normal.norm_squared());
    }
    let on_edge = |from: &Vector, to: &Vector| {
        let along = to - from;
        from + along * ((point - from).dot(&along) / along.norm_squared()).clamp(0.0, 1.0)
    };
    let candidates = [on_edge(a, b), on_edge(b, c), on_edge(c, a)];
    let distance = |x: &Vector| (x - point).norm_squared();
    candidates.into_iter().min_by(|x, y| distance(x).total_cmp(&distance(y))).expect("three edges")
}
