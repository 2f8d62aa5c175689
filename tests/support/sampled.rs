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

/// Integrates c_l u n over a master: a point of it counts where it lies inside the slave and where
/// the first slave face along the inward normal is met inside the master.
///
/// Every master face is cut into `divisions`² triangles. Where the corners of one see the same slave
/// face, the depth is linear on it and the integral exact; elsewhere the mean of the corners is taken
/// and the largest contribution goes to the error bound. A feature smaller than a triangle may be missed.
pub fn integrate(master: &[[Vector; 3]], slave: &[[Vector; 3]], stiffness: f64, divisions: usize) -> Sampled {
    let mut random = Random::new(1);
    let mut sum = Sampled::default();
    for face in master {
        let [a, b, c] = *face;
        let normal = (b - a).cross(&(c - a)).normalize();
        let point =
            |i: usize, j: usize| a + (b - a) * (i as f64 / divisions as f64) + (c - a) * (j as f64 / divisions as f64);
        let depth_at = |x: Vector, random: &mut Random| -> Option<(usize, f64)> {
            if !is_inside(&x, slave, random) {
                return None;
            }
            let hits = slave.iter().enumerate().filter_map(|(f, t)| ray_hit(&x, &-normal, t).map(|u| (f, u)));
            let (f, u) = hits.min_by(|p, q| p.1.total_cmp(&q.1))?;
            is_inside(&(x - normal * u), master, random).then_some((f, u))
        };
        let mut depths = vec![None; (divisions + 1) * (divisions + 1)];
        for i in 0..=divisions {
            for j in 0..=divisions - i {
                // Towards the middle of the face by a rounding error's worth, so that edges are not on the border.
                let x = point(i, j);
                let x = x + ((a + b + c) / 3.0 - x) * 1e-9;
                depths[i * (divisions + 1) + j] = depth_at(x, &mut random);
            }
        }
        let mut add = |corners: [(usize, usize); 3]| {
            let [p, q, r] = corners.map(|(i, j)| point(i, j));
            let area = 0.5 * (q - p).cross(&(r - p)).norm();
            let seen = corners.map(|(i, j)| depths[i * (divisions + 1) + j]);
            let u = seen.map(|depth| depth.map_or(0.0, |(_, u)| u));
            let deepest = u.into_iter().fold(0.0, f64::max);
            let faces = seen.map(|depth| depth.map(|(f, _)| f));
            let count = faces.iter().filter(|f| f.is_some()).count();
            sum.area += area * count as f64 / 3.0;
            for k in 0..3 {
                let (x, y) = ([p, q, r][k], [q, r, p][k]);
                let (middle, depth) = (0.5 * (x + y), 0.5 * (u[k] + u[(k + 1) % 3]));
                let force = -normal * (stiffness * area / 3.0 * depth);
                sum.force += force;
                sum.torque += middle.cross(&force);
                sum.energy += 0.5 * stiffness * area / 3.0 * depth * depth;
            }
            if faces[0] != faces[1] || faces[1] != faces[2] {
                let worst = stiffness * area * deepest;
                sum.force_error += worst;
                sum.torque_error += worst * p.norm().max(q.norm()).max(r.norm());
                sum.energy_error += 0.5 * worst * deepest;
                sum.area_error += if count < 3 { area } else { 0.0 };
            }
        };
        for i in 0..divisions {
            for j in 0..divisions - i {
                add([(i, j), (i + 1, j), (i, j + 1)]);
                if i + j + 1 < divisions {
                    add([(i + 1, j), (i + 1, j + 1), (i, j + 1)]);
                }
            }
        }
    }
    sum
}
