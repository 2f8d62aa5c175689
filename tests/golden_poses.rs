//! Outcomes of random poses, as they were before the kernels were made fast.
//!
//! This guards refactoring only: `tests/golden_poses.txt` holds what the code printed, not what theory
//! says, so it cannot tell whether a result is right. The other tests do that. After a change of the
//! method itself, write it anew: `POLYCONTACT_WRITE_GOLDEN=1 cargo test --test golden_poses`.

mod support;

use std::fmt::Write;

use polycontact::contact::{ContactSurface, Outcome, RawLayer, RawParameters, RelativeMotion, Workspace, evaluate};
use polycontact::math::Vector;
use polycontact::shapes::{comb, cuboid, gear, icosphere, subdivided_cuboid, torus};
use support::random::Random;
use support::{FORCE_METHODS, SCHEMES, checked, surface};

const POSES_PER_PAIR: usize = 25;

/// Allowed difference, relative to the scale of each quantity in the pose; dimensionless. Sums of
/// thousands of terms in another order differ by less.
const TOLERANCE: f64 = 1e-12;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden_poses.txt");

/// Name, surfaces, and the range of distances of the origins in m.
struct Pair {
    name: &'static str,
    e: ContactSurface,
    f: ContactSurface,
    distances: [f64; 2],
}

fn pairs() -> Vec<Pair> {
    let pair = |name, e, f, distances| Pair { name, e: surface(e), f: surface(f), distances };
    let plate = Vector::new(0.4, 0.4, 0.1);
    let cube = Vector::repeat(0.1);
    vec![
        pair("sphere-sphere", icosphere(0.1, 3), icosphere(0.1, 3), [0.18, 0.201]),
        pair("fine sphere-sphere", icosphere(0.1, 2), icosphere(0.1, 5), [0.185, 0.199]),
        pair("plate-sphere", cuboid(plate), icosphere(0.1, 3), [0.13, 0.28]),
        pair("fine plate-sphere", subdivided_cuboid(plate, [16, 16, 4]), icosphere(0.1, 3), [0.13, 0.28]),
        pair("box-box", cuboid(cube), cuboid(cube), [0.08, 0.14]),
        pair("torus-sphere", torus(0.1, 0.04, 40, 20), icosphere(0.05, 2), [0.0, 0.18]),
        pair("gear-gear", gear(12, 0.08, 0.1, 0.03), gear(10, 0.06, 0.08, 0.04), [0.05, 0.17]),
        pair("comb-torus", comb(5, 0.02, 0.05, 0.02, 0.08), torus(0.06, 0.02, 24, 12), [0.0, 0.12]),
    ]
}

/// The numbers of an outcome that are compared; the rest follows from them.
fn numbers(outcome: &Outcome) -> Vec<f64> {
    let (force, torque) = (outcome.force_on_e, outcome.torque_on_e_at_f);
    let mut numbers = Vec::new();
    for vector in [force, torque, outcome.contact_position_e] {
        numbers.extend(vector.iter());
    }
    numbers.extend([
        outcome.contact_area,
        outcome.mean_penetration,
        outcome.max_penetration,
        outcome.elastic_energy,
        outcome.dissipated_power,
        outcome.normal_velocity.mean,
        outcome.normal_velocity.max,
        outcome.tangential_velocity.mean,
        outcome.tangential_velocity.max,
        outcome.normal_stress.max,
        outcome.tangential_stress.mean,
        outcome.tangential_stress.max,
    ]);
    numbers
}

fn counts(outcome: &Outcome) -> [u32; 4] {
    [outcome.line_count, outcome.polygon_count, outcome.patch_count, outcome.element_count]
}

/// Calls `visit` with a label and the outcome of every pose, method and scheme, in a fixed order.
fn for_each_outcome(mut visit: impl FnMut(String, Outcome)) {
    let mut workspace = Workspace::default();
    for (seed, pair) in pairs().iter().enumerate() {
        let mut random = Random::new(9000 + seed as u64);
        for index in 0..POSES_PER_PAIR {
            let distance = random.between(pair.distances[0], pair.distances[1]);
            let pose = {
                let mut pose = random.pose_around(Vector::zeros(), 0.0);
                pose.translation.vector = distance * random.direction();
                pose
            };
            // From sliding and closing to opening and spinning, some of it below the regularisation.
            let speed = 10f64.powf(random.between(-4.0, 0.0));
            let velocity = speed * random.direction();
            let angular_velocity = random.between(0.0, 20.0) * speed * random.direction();
            let motion = RelativeMotion::new(pose, velocity, angular_velocity).expect("a finite motion");
            // Every third pose without a transition depth, every fifth without damping.
            let raw = RawParameters {
                layer_e: RawLayer::default(),
                layer_f: RawLayer { youngs_modulus: 3e7, ..RawLayer::default() },
                areal_damping: if index % 5 == 4 { 0.0 } else { 1e5 },
                damping_transition_depth: if index % 3 == 2 { 0.0 } else { 1e-3 },
                ..RawParameters::default()
            };
            for method in FORCE_METHODS {
                for elements in SCHEMES {
                    let parameters = checked(&RawParameters { method, elements, ..raw });
                    let outcome = evaluate(&pair.e, &pair.f, &parameters, &motion, &mut workspace);
                    visit(format!("{} {index} {method:?} {elements:?}", pair.name), outcome);
                }
            }
        }
    }
}

/// The magnitude of what each number is one component or one part of.
fn scales(numbers: &[f64], lever: f64) -> Vec<f64> {
    let mut scales: Vec<f64> = numbers.iter().map(|x| x.abs()).collect();
    let force = Vector::from_row_slice(&numbers[0..3]).norm();
    for (first, scale) in [(0, force), (3, force * lever), (6, lever)] {
        scales[first..first + 3].fill(scale);
    }
    scales
}

#[test]
fn outcomes_are_those_of_before() {
    if std::env::var_os("POLYCONTACT_WRITE_GOLDEN").is_some() {
        let mut text = String::new();
        for_each_outcome(|label, outcome| {
            let _ = write!(text, "{label}:");
            for count in counts(&outcome) {
                let _ = write!(text, " {count}");
            }
            for number in numbers(&outcome) {
                let _ = write!(text, " {:016x}", number.to_bits());
            }
            text.push('\n');
        });
        std::fs::write(FILE, text).expect("the golden file can be written");
        return;
    }
    let text = std::fs::read_to_string(FILE).expect("the golden file is there");
    let mut lines = text.lines();
    let (mut contacts, mut worst, mut failures) = (0, 0.0f64, Vec::new());
    for_each_outcome(|label, outcome| {
        let line = lines.next().expect("as many outcomes as in the file");
        let (golden_label, rest) = line.split_once(": ").expect("a label");
        assert_eq!(label, golden_label);
        let mut words = rest.split(' ');
        for (index, count) in counts(&outcome).into_iter().enumerate() {
            let golden: u32 = words.next().and_then(|word| word.parse().ok()).expect("a count");
            // Where sides of faces coincide, rounding decides whether a sliver of no area is an element.
            let slivers = if index == 3 { golden / 100 } else { 0 };
            if slivers < count.abs_diff(golden) {
                failures.push(format!("{label}: counts {:?} in {rest:.30}", counts(&outcome)));
            }
        }
        let golden: Vec<f64> =
            words.map(|word| f64::from_bits(u64::from_str_radix(word, 16).expect("hexadecimal bits"))).collect();
        let actual = numbers(&outcome);
        assert_eq!(actual.len(), golden.len());
        let scales = scales(&golden, 0.1);
        for (index, ((a, b), scale)) in actual.iter().zip(&golden).zip(scales).enumerate() {
            let difference = if a == b { 0.0 } else { (a - b).abs() / scale };
            worst = worst.max(difference);
            if TOLERANCE < difference || difference.is_nan() {
                failures.push(format!("{label}: number {index} is {a:e}, was {b:e}: {difference:.1e} of {scale:e}"));
            }
        }
        contacts += usize::from(outcome.in_contact);
    });
    assert!(lines.next().is_none(), "more outcomes in the file");
    println!("{contacts} outcomes in contact, largest difference {worst:.1e}");
    assert!(1000 < contacts, "{contacts} outcomes in contact");
    assert!(failures.is_empty(), "{} differences:\n{}", failures.len(), failures.join("\n"));
}
