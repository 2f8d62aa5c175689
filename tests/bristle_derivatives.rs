//! Derivatives with bristles that stick, slip, and do both, against central differences.

use crate::support::poses::pose_at_depth;
use crate::support::random::{Random, pose_count};
use crate::support::{checked, elastic_raw, surface};
use polycontact::contact::{
    ContactSurface, Deflection, Derivatives, FrictionModel, Method, Outcome, RawLayer, RawParameters, RelativeMotion,
    Workspace, evaluate, evaluate_with_all_derivatives,
};
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::mesh::TriangleMesh;
use polycontact::shapes::{comb, cuboid, gear, icosphere, l_profile};

/// Poses per pair and case by default; each costs 73 evaluations.
const POSES: usize = 8;

/// How deep bodies are pressed into each other, in m.
const DEPTH: f64 = 5e-3;

/// Steps of the differences: in m and rad, in m/s and rad/s, and of deflections in m and rad. Differences of one and two
/// steps are extrapolated.
const STEPS: [f64; 3] = [1e-6, 1e-4, 1e-7];

/// Where differences of one and two steps are farther apart than this part of the largest derivative, there is a kink in
/// between, and nothing can be compared.
const KINK: f64 = 1e-6;

/// Not more than this part of the derivatives may be left out for kinks. At rest the stress has one: its magnitude has no
/// derivative by velocity and deflection there, and what slips at the border grows with the square of both.
const MOST_KINKS: f64 = 0.25;
const MOST_KINKS_AT_REST: f64 = 0.6;

/// Largest error over the largest derivative of a quantity in a pose, where the stress does not turn: the rounding of
/// differences. The largest of 8 poses is 2e-7.
const EXACT: f64 = 2e-6;

/// Likewise of the mean stress next to inner edges, where depths are made linear. The largest is 5e-5.
const ROUNDED: f64 = 2e-4;

/// Where it turns, of wrenches and of the mean stress: the line of the limit is straight, and a quadrature is left. The
/// largest are 1e-4 and 5e-3 where it turns a little, 9e-3 of a torque, 2e-3 of forces, and 0.2 around a pole within the contact.
const DAMPED: [f64; 2] = [5e-4, 2e-2];
const TURNED: [f64; 2] = [2e-2, 0.5];

/// With a coefficient that falls with the slip, so that the limit is not linear. The largest are 4.4e-3 and 4.1e-2.
const FULLY_DAMPED: [f64; 2] = [1e-2, 0.1];

/// What is compared: where it starts in a list of numbers, and its name.
const QUANTITIES: [(usize, &str); 8] = [
    (0, "force on E"),
    (3, "torque on E"),
    (6, "force on F"),
    (9, "torque on F"),
    (12, "shear stress"),
    (13, "position"),
    (16, "normal"),
    (19, ""),
];
const KINDS: usize = QUANTITIES.len() - 1;
const NUMBERS: usize = QUANTITIES[KINDS].0;
const COLUMNS: usize = 18;

/// What bristles do: their deflection in reaches and its rotation, as a part of the one at which all slip; velocities.
struct Case {
    name: &'static str,
    deflection: f64,
    turn: f64,
    speed: f64,
    spin: f64,
    damping: f64,
    transition: f64,
    static_coefficient: f64,
    /// Of wrenches, and of the mean stress.
    tolerances: [f64; 2],
}

const CASES: [Case; 7] = [
    case("rests", 0.0, 0.0, 0.0, 0.0),
    case("sticks", 0.02, 0.0, 0.0, 0.0),
    case("sticks and slips", 0.5, 0.0, 0.0, 0.0),
    case("slips", 3.0, 0.0, 0.1, 0.0),
    Case { damping: 1e4, transition: 1e-4, tolerances: DAMPED, ..case("damped", 0.3, 0.02, 0.1, 0.3) },
    Case {
        damping: 1e5,
        transition: 0.0,
        static_coefficient: 0.5,
        tolerances: FULLY_DAMPED,
        ..case("fully damped", 0.5, 0.0, 0.1, 0.3)
    },
    Case { tolerances: TURNED, ..case("turned", 0.2, 0.5, 0.0, 0.0) },
];

const fn case(name: &'static str, deflection: f64, turn: f64, speed: f64, spin: f64) -> Case {
    let tolerances = [EXACT, ROUNDED];
    Case { name, deflection, turn, speed, spin, damping: 0.0, transition: 0.0, static_coefficient: 0.0, tolerances }
}

fn numbers(outcome: &Outcome) -> [f64; NUMBERS] {
    let wrenches = &outcome.wrenches;
    let [a, b, c, d] = [wrenches.on_e.force, wrenches.on_e.torque, wrenches.on_f.force, wrenches.on_f.torque];
    let (stress, place, normal) =
        (Vector::new(outcome.tangential_stress.mean, 0.0, 0.0), outcome.contact_position_e, outcome.contact_normal_e);
    let mut numbers = [0.0; NUMBERS];
    let all = [a, b, c, d].iter().flat_map(|v| v.iter().copied()).chain([stress.x]).collect::<Vec<f64>>();
    numbers[..13].copy_from_slice(&all);
    numbers[13..16].copy_from_slice(place.as_slice());
    numbers[16..].copy_from_slice(normal.as_slice());
    numbers
}

fn columns(derivatives: &Derivatives) -> [[f64; NUMBERS]; COLUMNS] {
    std::array::from_fn(|column| {
        numbers(match column / 6 {
            0 => &derivatives.by_pose[column],
            1 => &derivatives.by_velocity[column - 6],
            _ => &derivatives.by_deflection[column - 12],
        })
    })
}

/// The motion after a small one along an axis: of the pose, of the velocities, of the bristles; of translations and
/// rotations about the origin of M_f. With the pose the deflection is held as a field in M_e.
fn displaced(motion: &RelativeMotion, column: usize, steps: f64) -> RelativeMotion {
    let (mut pose, mut v, mut w) = (*motion.pose_ef(), motion.velocity_e(), motion.angular_velocity_e());
    let mut deflection = *motion.deflection();
    let mut way = Vector::zeros();
    way[column % 3] = steps * STEPS[column / 6];
    let origin = pose.translation.vector;
    match column / 3 {
        0 => pose = Pose::from_parts((origin + way).into(), pose.rotation),
        1 => pose = Pose::from_parts(pose.translation, Rotation::new(way) * pose.rotation),
        2 => v += way,
        3 => w += way,
        _ => {
            let [moved, turned] = if column < 15 { [way, Vector::zeros()] } else { [Vector::zeros(), way] };
            let change = Deflection::about(origin, moved, turned);
            deflection.translation_e += change.translation_e;
            deflection.rotation_e += change.rotation_e;
        }
    }
    RelativeMotion::new(pose, v, w).unwrap().with_deflection(deflection).unwrap()
}

struct Errors {
    worst: [[f64; KINDS]; 3],
    compared: usize,
    left_out: usize,
}

fn compare([e, f]: &[ContactSurface; 2], raw: &RawParameters, motion: &RelativeMotion, errors: &mut Errors) {
    let (mut workspace, parameters) = (Workspace::default(), checked(raw));
    let exact = columns(&evaluate_with_all_derivatives(e, f, &parameters, motion, &mut workspace).1);
    let mut at = |column: usize, steps: f64| {
        numbers(&evaluate(e, f, &parameters, &displaced(motion, column, steps), &mut workspace))
    };
    let differences: [[[f64; NUMBERS]; 2]; COLUMNS] = std::array::from_fn(|column| {
        let mut difference = |steps: f64| {
            let (a, b) = (at(column, steps), at(column, -steps));
            std::array::from_fn::<f64, NUMBERS, _>(|k| (a[k] - b[k]) / (2.0 * steps * STEPS[column / 6]))
        };
        let (fine, coarse) = (difference(1.0), difference(2.0));
        [std::array::from_fn(|k| (4.0 * fine[k] - coarse[k]) / 3.0), std::array::from_fn(|k| fine[k] - coarse[k])]
    });
    for (kind, half) in (0..KINDS).flat_map(|kind| (0..3).map(move |half| (kind, half))) {
        let range = QUANTITIES[kind].0..QUANTITIES[kind + 1].0;
        let of_half = &differences[6 * half..6 * half + 6];
        let largest = |place: usize| {
            let all = of_half.iter().flat_map(|column| &column[place][range.clone()]);
            all.fold(0.0, |most: f64, x| most.max(x.abs()))
        };
        let scale = largest(0);
        if scale < 1e-3 {
            continue;
        }
        if KINK * scale < largest(1) {
            errors.left_out += 1;
            continue;
        }
        errors.compared += 1;
        for (column, difference) in exact[6 * half..6 * half + 6].iter().zip(of_half) {
            for k in range.clone() {
                let error = (column[k] - difference[0][k]).abs() / scale;
                errors.worst[half][kind] = errors.worst[half][kind].max(error);
            }
        }
    }
}

fn pairs() -> Vec<(&'static str, TriangleMesh, TriangleMesh)> {
    let block = || cuboid(Vector::new(0.2, 0.2, 0.2));
    vec![
        ("box with box", block(), cuboid(Vector::new(0.3, 0.1, 0.1))),
        ("sphere with box", icosphere(0.1, 2), block()),
        ("gear with gear", gear(6, 0.07, 0.1, 0.04), gear(6, 0.07, 0.1, 0.04)),
        ("box with angle", block(), l_profile(0.2, 0.06, 0.2)),
        ("comb with box", comb(3, 0.03, 0.05, 0.03, 0.1), cuboid(Vector::new(0.02, 0.2, 0.1))),
    ]
}

#[test]
fn derivatives_with_bristles_are_those_of_central_differences() {
    let mut random = Random::new(17);
    let mut failures = Vec::new();
    for (name, e, f) in pairs() {
        let surfaces = [surface(e), surface(f)];
        for case in &CASES {
            let mut errors = Errors { worst: [[0.0; KINDS]; 3], compared: 0, left_out: 0 };
            for index in 0..pose_count(POSES) {
                let method = [Method::Auto, Method::MasterE, Method::TwoPass, Method::MasterF][index % 4];
                let mut raw = RawParameters {
                    friction_model: FrictionModel::Bristle,
                    friction_coefficient: 0.3,
                    static_friction_coefficient: case.static_coefficient,
                    areal_damping: case.damping,
                    damping_transition_depth: case.transition,
                    ..elastic_raw(method)
                };
                match index % 3 {
                    0 => raw.layer_f = RawLayer::RIGID,
                    _ => raw.layer_f.youngs_modulus *= 3.0,
                }
                let pose = pose_at_depth(&surfaces[0], &surfaces[1], DEPTH, &mut random);
                let rest = RelativeMotion::at_rest(pose);
                let found = evaluate(&surfaces[0], &surfaces[1], &checked(&raw), &rest, &mut Workspace::default());
                let (reach, centre) = (found.grip.reach, found.contact_position_e);
                let width = found.contact_area.sqrt().max(1e-4);
                let deflection = Deflection::about(
                    centre,
                    random.direction() * (case.deflection * reach),
                    random.direction() * (case.turn * reach / width),
                );
                let motion = RelativeMotion::new(pose, random.direction() * case.speed, random.direction() * case.spin)
                    .unwrap()
                    .with_deflection(deflection)
                    .unwrap();
                compare(&surfaces, &raw, &motion, &mut errors);
            }
            println!("{name}, {}: {} compared, {} left out", case.name, errors.compared, errors.left_out);
            let most = if case.speed == 0.0 && case.turn == 0.0 { MOST_KINKS_AT_REST } else { MOST_KINKS };
            if most * ((errors.compared + errors.left_out) as f64) < errors.left_out as f64 {
                failures.push(format!("{name}, {}: {} left out", case.name, errors.left_out));
            }
            for (kind, (_, quantity)) in QUANTITIES.iter().enumerate().take(KINDS) {
                let worst = [0, 1, 2].map(|half| errors.worst[half][kind]);
                let of = format!("{quantity:<14}{:9.1e}{:9.1e}{:9.1e}", worst[0], worst[1], worst[2]);
                println!("  {of}");
                let tolerance = match *quantity {
                    "position" | "normal" => EXACT,
                    "shear stress" => case.tolerances[1],
                    _ => case.tolerances[0],
                };
                if worst.iter().any(|worst| tolerance < *worst) {
                    failures.push(format!("{name}, {}: {of}", case.name));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}
