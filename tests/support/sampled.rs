//! The clipped scheme by sampling: rays against all faces, with a bound of the sampling error.

use polycontact::math::Vector;

use super::brute_force::{is_inside, ray_hit};
use super::random::Random;

/// Force and torque on the master about the origin, contact area and energy, each with an error bound.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sampled {
    pub force: Vector,
    pub force_error: f64,
    pub torque: Vector,
    pub torque_error: f64,
    pub area: f64,
    pub area_error: f64,
    pub energy: f64,
    pub energy_error: f64,
}

/// A point of a master face: which slave face it sees and how deep; none where it is not in contact.
type Sample = (Vector, Option<(usize, f64)>);

struct Sampler<'a> {
    master: &'a [[Vector; 3]],
    slave: &'a [[Vector; 3]],
    stiffness: f64,
    random: Random,
    normal: Vector,
    middle: Vector,
    sum: Sampled,
}

/// Integrates c_l u n over a master: a point of it counts where it lies inside the slave and where the line along
/// the inward normal meets a slave face before it leaves the master.
///
/// Every master face is cut into `divisions`² triangles. Where the corners of one see the same slave face, the
/// depth is linear on it and the integral exact; others are cut in four, `levels` times. At the end the mean of the
/// corners is taken and the largest contribution goes to the error bound. A feature smaller than the first
/// triangles may be missed.
pub fn integrate(
    master: &[[Vector; 3]],
    slave: &[[Vector; 3]],
    stiffness: f64,
    (divisions, levels): (usize, usize),
) -> Sampled {
    let mut sampler = Sampler {
        master,
        slave,
        stiffness,
        random: Random::new(1),
        normal: Vector::zeros(),
        middle: Vector::zeros(),
        sum: Sampled::default(),
    };
    for [a, b, c] in master {
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
        (point, self.seen_from(&x))
    }

    fn seen_from(&mut self, x: &Vector) -> Option<(usize, f64)> {
        if !is_inside(x, self.slave, &mut self.random) {
            return None;
        }
        let hits = self.slave.iter().enumerate().filter_map(|(f, face)| Some((f, ray_hit(x, &-self.normal, face)?)));
        let (f, depth) = hits.min_by(|p, q| p.1.total_cmp(&q.1))?;
        // The master's own face at the point itself is no obstacle.
        let leaves = |face: &[Vector; 3]| ray_hit(x, &-self.normal, face).is_some_and(|u| 1e-12 < u && u < depth);
        (!self.master.iter().any(leaves)).then_some((f, depth))
    }

    fn refine(&mut self, corners: [Sample; 3], levels: usize) {
        let faces = corners.map(|(_, seen)| seen.map(|(f, _)| f));
        let is_mixed = faces[0] != faces[1] || faces[1] != faces[2];
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
        let u = corners.map(|(_, seen)| seen.map_or(0.0, |(_, u)| u));
        let count = corners.iter().filter(|(_, seen)| seen.is_some()).count();
        let sum = &mut self.sum;
        sum.area += area * count as f64 / 3.0;
        for k in 0..3 {
            // The rule over edge middles is exact for quadratic integrands.
            let (x, y) = ([p, q, r][k], [q, r, p][k]);
            let (middle, depth) = (0.5 * (x + y), 0.5 * (u[k] + u[(k + 1) % 3]));
            let force = -self.normal * (self.stiffness * area / 3.0 * depth);
            sum.force += force;
            sum.torque += middle.cross(&force);
            sum.energy += 0.5 * self.stiffness * area / 3.0 * depth * depth;
        }
        if is_mixed {
            let deepest = u.into_iter().fold(0.0, f64::max);
            let worst = self.stiffness * area * deepest;
            sum.force_error += worst;
            sum.torque_error += worst * p.norm().max(q.norm()).max(r.norm());
            sum.energy_error += 0.5 * worst * deepest;
            sum.area_error += if count < 3 { area } else { 0.0 };
        }
    }
}
