//! Pairs of shapes, and poses of which every third has coincidences.

use std::f64::consts::FRAC_PI_2;

use polycontact::contact::ContactSurface;
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::shapes::{comb, cuboid, dumb_bell, gear, icosphere, moved, subdivided_cuboid, torus};

use super::random::Random;

/// Two surfaces, and the distance of their frames at which nothing can touch.
pub struct Pair {
    pub name: &'static str,
    pub e: ContactSurface,
    pub f: ContactSurface,
    pub reach: f64,
}

/// Convex and non-convex shapes, coarse ones against fine ones.
pub fn pairs() -> Vec<Pair> {
    let pair = |name, e, f, reach| Pair { name, e: ContactSurface::new(e), f: ContactSurface::new(f), reach };
    let centred_comb = || moved(&comb(3, 0.02, 0.05, 0.03, 0.1), &Pose::translation(-0.05, 0.0, -0.01));
    let block = || cuboid(Vector::new(0.1, 0.1, 0.1));
    vec![
        pair("box with box", block(), cuboid(Vector::new(0.2, 0.1, 0.05)), 0.2),
        pair("torus with torus", torus(0.1, 0.04, 16, 8), torus(0.1, 0.04, 16, 8), 0.28),
        pair("comb with comb", centred_comb(), centred_comb(), 0.17),
        pair("gear with gear", gear(6, 0.07, 0.1, 0.04), gear(6, 0.07, 0.1, 0.04), 0.21),
        pair("dumb-bell with comb", dumb_bell(), centred_comb(), 0.2),
        pair("coarse box with fine ball", block(), icosphere(0.06, 3), 0.14),
        pair("coarse box with fine box", block(), subdivided_cuboid(Vector::new(0.1, 0.1, 0.1), [6, 6, 6]), 0.17),
    ]
}

/// A pose for trial i: every third one with faces flush and edges on edges, on a lattice that the shapes share.
pub fn random_or_degenerate_pose(i: usize, reach: f64, random: &mut Random) -> Pose {
    random_or_lattice_pose(i, reach, 10, random)
}

/// The same with so many steps of the lattice, 0.01 m each, to either side.
pub fn random_or_lattice_pose(i: usize, reach: f64, most_steps: i64, random: &mut Random) -> Pose {
    if i % 3 != 2 {
        return random.pose_around(Vector::zeros(), reach);
    }
    let mut steps = |step: f64, count: i64| {
        let mut one = || step * ((random.bits() % (2 * count + 1) as u64) as i64 - count) as f64;
        Vector::new(one(), one(), one())
    };
    let turns = steps(FRAC_PI_2, 2);
    Pose::from_parts(steps(0.01, most_steps).into(), Rotation::from_euler_angles(turns.x, turns.y, turns.z))
}
