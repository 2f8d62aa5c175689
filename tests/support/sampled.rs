//! The elastic law by adaptive sampling: the nearest one of all faces, inside by rays, with a bound of the error.

use polycontact::math::Vector;

use super::brute_force::is_inside;
use super::random::Random;
use super::sampled_law::nearest_on_triangle;

/// Force on a body and torque about the origin from the pressure on its own faces, and their area inside the other body,
/// each with an error bound.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sampled {
    pub force: Vector,
    pub force_error: f64,
    pub torque: Vector,
    pub torque_error: f64,
    pub area: f64,
    pub area_error: f64,
}

/// A point of a face: which plane of the other body is nearest, by one of its faces, and how deep it is; no plane where
/// the nearest point is on an edge or a vertex; nothing outside.
type Sample = (Vector, Option<(Option<usize>, f64)>);

struct Sampler<'a> {
    field: &'a [[Vector; 3]],
    stiffness: f64,
    random: Random,
    normal: Vector,
    middle: Vector,
    sum: Sampled,
}

/// Integrates −c_l φ n over the faces of a body in the field of another one.
///
/// Every face is cut into `divisions`² triangles. Where the nearest plane is the same at all corners of one, the depth is
/// linear on it and the integral exact; others are cut in four, `levels` times. At the end the mean of the corners is
/// taken. Depths, 0 outside, differ by no more than the way between two points: that is the error bound. A feature
/// smaller than the first triangles may be missed.
pub fn integrate(
    faces: &[[Vector; 3]],
    field: &[[Vector; 3]],
    stiffness: f64,
    (divisions, levels): (usize, usize),
) -> Sampled {
    let mut sampler = Sampler {
        field,
        stiffness,
        random: Random::new(1),
        normal: Vector::zeros(),
        middle: Vector::zeros(),
        sum: Sampled::default(),
    };
    for [a, b, c] in faces {
        sampler.normal = (b - a).cross(&(c - a)).normalize();
        sampler.middle = (a + b + c) / 3.0;
        let (u, v) = ((b - a) / divisions as f64, (c - a) / divisions as f64);
        for i in 0..divisions {
            for j in 0..divisions - i {
                let corner = a + u * i as f64 + v * j as f64;
                let [p, q, r, s] = [corner, corner + u, corner + v, corner + u + v].map(|x| sampler.sample(x));
                sampler.refine([p, q, r], levels);
                if i + j + 1 < divisions {
                    sampler.refine([q, s, r], levels);
                }
            }
        }
    }
    sampler.sum
}

impl Sampler<'_> {
    fn sample(&mut self, point: Vector) -> Sample {
        // Off the edges of the face by a rounding error's worth, so that no ray runs along an edge.
        let x = point + (self.middle - point) * 1e-9;
        (point, self.nearest(&x))
    }

    fn nearest(&mut self, x: &Vector) -> Option<(Option<usize>, f64)> {
        if !is_inside(x, self.field, &mut self.random) {
            return None;
        }
        let distances = self.field.iter().map(|face| (nearest_on_triangle(x, face) - x).norm());
        let (f, depth) = distances.enumerate().min_by(|p, q| p.1.total_cmp(&q.1))?;
        let is_plane = |[a, b, c]: &[Vector; 3]| {
            let normal = (b - a).cross(&(c - a)).normalize();
            (normal.dot(&(x - a)).abs() - depth).abs() < 1e-12 && normal.dot(&(x - a)) < 0.0
        };
        Some((is_plane(&self.field[f]).then_some(f), depth))
    }

    fn refine(&mut self, corners: [Sample; 3], levels: usize) {
        let planes = corners.map(|(_, nearest)| nearest.map(|(plane, _)| plane));
        let is_mixed = planes[0] != planes[1] || planes[1] != planes[2] || planes[0] == Some(None);
        if !is_mixed || levels == 0 {
            self.add(corners, is_mixed);
            return;
        }
        let [p, q, r] = corners;
        let [pq, qr, rp] = [(p, q), (q, r), (r, p)].map(|(a, b)| self.sample(0.5 * (a.0 + b.0)));
        for triangle in [[p, pq, rp], [pq, q, qr], [rp, qr, r], [pq, qr, rp]] {
            self.refine(triangle, levels - 1);
        }
    }

    fn add(&mut self, corners: [Sample; 3], is_mixed: bool) {
        let [p, q, r] = corners.map(|(point, _)| point);
        let area = 0.5 * (q - p).cross(&(r - p)).norm();
        let u = corners.map(|(_, nearest)| nearest.map_or(0.0, |(_, u)| u));
        let count = corners.iter().filter(|(_, nearest)| nearest.is_some()).count();
        let sum = &mut self.sum;
        sum.area += area * count as f64 / 3.0;
        for k in 0..3 {
            // The rule over edge middles is exact for quadratic integrands.
            let (x, y) = ([p, q, r][k], [q, r, p][k]);
            let (middle, depth) = (0.5 * (x + y), 0.5 * (u[k] + u[(k + 1) % 3]));
            let force = -self.normal * (self.stiffness * area / 3.0 * depth);
            sum.force += force;
            sum.torque += middle.cross(&force);
        }
        if is_mixed {
            let longest = (q - p).norm().max((r - q).norm()).max((p - r).norm());
            let worst = if count == 0 { 0.0 } else { self.stiffness * area * longest };
            sum.force_error += worst;
            sum.torque_error += worst * p.norm().max(q.norm()).max(r.norm());
            sum.area_error += if count < 3 { area } else { 0.0 };
        }
    }
}
