//! Vector registers change how long an evaluation takes, and nothing else.

use crate::support::pairs::{pairs, random_or_degenerate_pose};
use crate::support::random::{Random, pose_count};
use crate::support::{FORCE_METHODS, assert_same_bits, checked, elastic_raw};
use polycontact::contact::{
    ElementScheme, RawParameters, RelativeMotion, Workspace, evaluate, evaluate_with_all_derivatives,
};
use polycontact::lanes::Width;

/// Damping that fades in and pulls in places, friction that sticks and slips.
fn raw(i: usize) -> RawParameters {
    RawParameters {
        areal_damping: 1e6,
        damping_transition_depth: if i.is_multiple_of(5) { 0.0 } else { 5e-3 },
        friction_coefficient: if i.is_multiple_of(7) { 0.0 } else { 0.3 },
        friction_regularization_velocity: 0.1,
        elements: if i % 8 == 7 { ElementScheme::Centroid } else { ElementScheme::Potential },
        ..elastic_raw(FORCE_METHODS[i % 4])
    }
}

#[test]
fn the_outcome_is_the_same_in_all_registers() {
    let mut workspaces = [Width::Avx512, Width::Avx2, Width::Portable].map(|registers| {
        let mut workspace = Workspace::default();
        workspace.registers = registers;
        workspace
    });
    let (mut contacts, mut groups) = (0, 0);
    let poses = pose_count(9);
    for (seed, pair) in pairs().iter().enumerate() {
        let mut random = Random::new(40 + seed as u64);
        for i in 0..poses {
            let pose = random_or_degenerate_pose(i, pair.reach, &mut random);
            let (velocity, spin) = (random.direction() * random.between(0.0, 0.5), random.direction());
            let motion = if i % 6 == 5 {
                RelativeMotion::at_rest(pose)
            } else {
                RelativeMotion::new(pose, velocity, spin).expect("finite")
            };
            let parameters = checked(&raw(i));
            println!("{}, pose {i}: {motion:?}", pair.name);
            let [widest, others @ ..] =
                workspaces.each_mut().map(|workspace| evaluate(&pair.e, &pair.f, &parameters, &motion, workspace));
            others.iter().for_each(|other| assert_same_bits(&widest, other));
            let [(_, derivatives), others @ ..] = workspaces
                .each_mut()
                .map(|workspace| evaluate_with_all_derivatives(&pair.e, &pair.f, &parameters, &motion, workspace));
            for (_, other) in &others {
                assert_same_numbers(&format!("{derivatives:?}"), &format!("{other:?}"));
            }
            contacts += usize::from(widest.in_contact);
            groups += usize::from(8 < widest.element_count);
        }
    }
    assert!(2 * poses < contacts && poses < groups, "{contacts} contacts, {groups} with more pieces than lanes");
}

/// The numbers in two texts are the same but for rounding: derivatives are summed up in the order of the lanes. Numbers that
/// are none equal none.
fn assert_same_numbers(a: &str, b: &str) {
    let numbers = |text: &str| -> Vec<f64> {
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c)));
        words.filter_map(|word| word.parse().ok()).collect()
    };
    let (a, b) = (numbers(a), numbers(b));
    assert_eq!(a.len(), b.len());
    let largest = a.iter().filter(|x| x.is_finite()).fold(0.0, |largest: f64, x| largest.max(x.abs()));
    for (x, y) in a.iter().zip(&b) {
        let is_same = (x - y).abs() <= 1e-9 * x.abs() + 1e-12 * largest;
        assert!(is_same || x == y || x.is_nan() && y.is_nan(), "{x:e} is not {y:e}");
    }
}
