//! Free bodies that collide without damping and friction keep their energy, whatever their shapes.
//!
//! `cargo test --test contact collision_energy:: -- --nocapture` prints the tables; POLYCONTACT_POSES is the number of
//! collisions per pair.

use std::time::Instant;

use crate::support::collision::{Pair, random_collisions};
use crate::support::random::pose_count;
use crate::support::{STIFFNESS, checked, elastic_raw};
use polycontact::contact::{Method, RawLayer, RawParameters};
use polycontact::math::Vector;
use polycontact::shapes::{
    chain_link, comb, cuboid, filleted_angle, filleted_bar, gear, icosphere, involute_gear, l_profile, latch_hook,
    regular_prism, spherical_socket, torus, u_profile,
};

/// Energy after over energy before, minus one, that convex bodies may have; the integration has errors too.
const CONVEX: f64 = 1e-7;

/// The same for others.
const ANY: f64 = 1e-5;

/// Collisions per pair.
const DEFAULT_COUNT: usize = 2;

fn convex_pairs() -> Vec<Pair> {
    let sphere = icosphere(0.1, 2);
    let cube = cuboid(Vector::new(0.2, 0.18, 0.15));
    let rod = cuboid(Vector::new(0.3, 0.04, 0.04));
    vec![
        Pair::new("sphere – sphere", &sphere, &sphere),
        Pair::new("box – box", &cube, &cube),
        Pair::new("rod – rod", &rod, &rod),
        Pair::new("cylinder – box", &regular_prism(0.08, 0.2, 24), &cube),
        Pair::new("filleted bar – box", &filleted_bar(0.05, 0.04, 0.25, 0.0005, 3), &cube),
        // Nothing can be inside the sheet, and the box is too small to hold it.
        Pair::new("sheet – box", &cuboid(Vector::new(0.2, 0.2, 0.002)), &cuboid(Vector::new(0.1, 0.1, 0.1))),
    ]
}

fn other_pairs() -> Vec<Pair> {
    let cube = cuboid(Vector::new(0.2, 0.18, 0.15));
    let angle = l_profile(0.15, 0.04, 0.2);
    let channel = u_profile(0.16, 0.12, 0.03, 0.2);
    let wheel = gear(12, 0.08, 0.11, 0.06);
    let spur = involute_gear(12, 0.016, 20f64.to_radians(), 0.05, 3, 0.0);
    let rake = comb(4, 0.03, 0.06, 0.04, 0.08);
    let ring = torus(0.08, 0.03, 24, 12);
    let link = chain_link(0.1, 0.05, 0.02, 8, 8);
    let socket = spherical_socket(0.1, 0.14, 1.8, 10, 24);
    vec![
        Pair::new("L – box", &angle, &cube),
        Pair::new("L – L", &angle, &angle),
        Pair::new("U – L", &channel, &angle),
        Pair::new("gear – gear", &wheel, &wheel),
        Pair::new("involute gears", &spur, &spur),
        Pair::new("comb – comb", &rake, &rake),
        Pair::new("torus – torus", &ring, &ring),
        Pair::new("chain link – link", &link, &link),
        Pair::new("filleted L – box", &filleted_angle(0.12, 0.03, 0.2, 0.0005, 3), &cube),
        Pair::new("hook – L", &latch_hook(0.25, 0.03, 0.02, 0.05), &angle),
        Pair::inside("ball in socket", &socket, &icosphere(0.09, 2), Vector::zeros()),
    ]
}

/// Prints a table of collisions and returns what is wrong with them.
fn failures(pairs: &[Pair], raw: &RawParameters, limit: f64) -> Vec<String> {
    let parameters = checked(raw);
    assert!((parameters.combined_layer_stiffness() / STIFFNESS - 1.0).abs() < 1e-12);
    let count = pose_count(DEFAULT_COUNT);
    let mut failures = Vec::new();
    println!(
        "{:20}  median     90 %    worst  largest gain  on the way  integration  depth mm  calls    ms  unfinished",
        ""
    );
    for pair in pairs {
        let started = Instant::now();
        let found = random_collisions(pair, &parameters, count, 7);
        let row = format!(
            "{:20} {:7.1e}  {:7.1e}  {:7.1e}      {:+8.1e}     {:7.1e}      {:7.1e}  {:8.2}  {:5}  {:4.0}  {:10}",
            pair.name,
            found.median,
            found.ninety_per_cent,
            found.worst,
            found.largest_gain,
            found.drift,
            found.integration_error,
            1e3 * found.depth,
            found.evaluations,
            1e3 * started.elapsed().as_secs_f64() / count as f64,
            found.unfinished
        );
        println!("{row}");
        if found.worst.is_nan() || limit <= found.worst {
            failures.push(row);
        }
    }
    failures
}

/// Both bodies soft and equal.
fn both_soft() -> RawParameters {
    elastic_raw(Method::Auto)
}

/// E rigid, F with the whole stiffness.
fn e_rigid() -> RawParameters {
    let raw = both_soft();
    let layer_f = RawLayer { youngs_modulus: 0.5 * raw.layer_f.youngs_modulus, ..raw.layer_f };
    RawParameters { layer_e: RawLayer::RIGID, layer_f, ..raw }
}

#[track_caller]
fn assert_energy_is_kept(pairs: &[Pair], raw: &RawParameters, limit: f64) {
    let failures = failures(pairs, raw, limit);
    assert!(failures.is_empty(), "not within {limit:e}:\n{}", failures.join("\n"));
}

#[test]
fn soft_convex_bodies_keep_their_energy() {
    assert_energy_is_kept(&convex_pairs(), &both_soft(), CONVEX);
}

#[test]
fn soft_convex_bodies_keep_their_energy_against_rigid_ones() {
    assert_energy_is_kept(&convex_pairs(), &e_rigid(), CONVEX);
}

#[test]
fn soft_bodies_of_any_shape_keep_their_energy() {
    assert_energy_is_kept(&other_pairs(), &both_soft(), ANY);
}

#[test]
fn soft_bodies_of_any_shape_keep_their_energy_against_rigid_ones() {
    assert_energy_is_kept(&other_pairs(), &e_rigid(), ANY);
}
