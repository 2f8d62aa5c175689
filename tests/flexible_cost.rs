//! What a flexible pair costs, against contact nodes and modes:
//! `cargo test --test flexible_cost -- --ignored --nocapture`.

mod support;

use std::time::Instant;

use polycontact::contact::RelativeMotion;
use polycontact::flexible::{Body, FlexiblePair, RawFlexibleParameters, Workspace};
use polycontact::math::{Pose, Vector};
use support::flexible::{ball_cap, checked, flexible, half_space_patch};

/// Time of the fastest of some calls in µs: other processes only ever slow a call down.
fn fastest(mut call: impl FnMut()) -> f64 {
    let time = |_| {
        let start = Instant::now();
        call();
        start.elapsed().as_secs_f64() * 1e6
    };
    (0..200).map(time).fold(f64::INFINITY, f64::min)
}

#[test]
#[ignore = "a measurement"]
fn cost_against_nodes_and_modes() {
    println!("nodes modes | contacts iterations solve/µs | internal step in contact/µs, apart/µs");
    for cells in [8, 12, 16, 20] {
        let spacing = 1.2e-3 / cells as f64;
        let patch = half_space_patch(cells, spacing, 5.0e10, Vector::zeros());
        let (nodes, modes) = (patch.contact_nodes.len(), patch.angular_frequencies.len());
        let mut patch = patch;
        patch.low_frequency_modes = 0;
        let cap = ball_cap(0.015, cells, spacing);
        let pair = FlexiblePair::new(flexible(patch), Body::Rigid(cap)).expect("a pair");
        let parameters = checked(&RawFlexibleParameters::default());
        let motion = RelativeMotion::at_rest(Pose::translation(0.0, 0.0, -1.3e-5));
        let mut workspace = Workspace::default();
        let mut state = pair.initial_state();
        // Warm: the state of half a micrometre before.
        let before = RelativeMotion::at_rest(Pose::translation(0.0, 0.0, -1.28e-5));
        pair.advance(&parameters, &|_| Ok(before), 5.0e-7, &mut state, &mut workspace).expect("a step");
        let outcome = pair.evaluate(&parameters, &motion, &state, &mut workspace).expect("a contact");
        let solve = fastest(|| {
            pair.evaluate(&parameters, &motion, &state, &mut workspace).expect("a contact");
        });
        let step = |motion: RelativeMotion, workspace: &mut Workspace| {
            fastest(|| {
                let mut state = state.clone();
                pair.advance(&parameters, &|_| Ok(motion), 1.0e-5, &mut state, workspace).expect("a step");
            }) / 20.0
        };
        let apart = RelativeMotion::at_rest(Pose::translation(0.0, 0.0, 1.0e-2));
        let (touching, apart) = (step(motion, &mut workspace), step(apart, &mut workspace));
        println!(
            "{nodes:5} {modes:5} | {:8} {:10} {solve:8.0} | {touching:8.0} {apart:8.2}",
            outcome.contact_count, outcome.iterations
        );
    }
}
