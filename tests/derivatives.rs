//! Derivatives against central differences, and the symmetry of the elastic stiffness.

mod support;

use polycontact::contact::{
    ContactParameters, ContactSurface, Derivatives, Method, Outcome, RawLayer, RawParameters, RelativeMotion,
    Workspace, evaluate, evaluate_with_derivatives,
};
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::mesh::TriangleMesh;
use polycontact::shapes::{comb, cuboid, gear, icosphere, l_profile, torus};
use support::poses::pose_at_depth;
use support::random::{Random, pose_count};
use support::{STIFFNESS, assert_same_bits, checked, elastic_raw, surface};

/// Poses per pair and law by default; each costs 49 evaluations.
const POSES: usize = 12;

/// How deep bodies are pressed into each other, in m.
const DEPTH: f64 = 5e-3;

/// Steps of the differences: of the pose in m and rad, of the velocities in m/s and rad/s. Differences of one and two steps
/// are extrapolated, so that what is left is the rounding of the outcome.
const POSE_STEP: f64 = 1e-6;
const VELOCITY_STEP: f64 = 1e-4;

/// Where the differences of one and two steps are farther apart than this part of the largest derivative, the contact has a
/// kink in between, such as a corner that just touches, and nothing can be compared.
const KINK: f64 = 1e-6;

/// Not more than this part of the derivatives may be left out for kinks.
const MOST_KINKS: f64 = 0.2;

/// What is compared: where it starts in a list of numbers, and its name.
const QUANTITIES: [(usize, &str); 12] = [
    (0, "force on E"),
    (3, "torque on E"),
    (6, "force on F"),
    (9, "torque on F"),
    (12, "position"),
    (15, "power"),
    (16, "normal stress"),
    (17, "shear stress"),
    (18, "penetration"),
    (19, "area"),
    (20, "energy"),
    (21, ""),
];
const KINDS: usize = QUANTITIES.len() - 1;
const NUMBERS: usize = QUANTITIES[KINDS].0;

/// Largest error over the largest derivative of a quantity in a pose; dimensionless. What differences can show.
const EXACT: f64 = 1e-7;

/// Likewise next to inner edges, where the depth is that of a linear function.
const ROUNDED: f64 = 1e-2;

/// Likewise by pose with friction: its quadrature depends on where walls between pieces are, which is left out.
const FRICTION: f64 = 1e-2;

/// Derivatives that are nothing but rounding, of the quantities in their units per m, rad, m/s or rad/s.
const ROUNDING: [f64; KINDS] = [1e-3, 1e-3, 1e-3, 1e-3, 1e-9, 1e-3, 1.0, 1.0, 1e-9, 1e-9, 1e-3];

struct Case {
    name: &'static str,
    e: TriangleMesh,
    f: TriangleMesh,
    /// Whether there are inner edges.
    is_reflex: bool,
}

fn cases() -> Vec<Case> {
    let block = || cuboid(Vector::new(0.2, 0.2, 0.2));
    let case = |name, e, f| Case { name, e, f, is_reflex: false };
    let reflex = |name, e, f| Case { name, e, f, is_reflex: true };
    vec![
        case("box with box", block(), cuboid(Vector::new(0.3, 0.1, 0.1))),
        case("sphere with box", icosphere(0.1, 2), block()),
        case("sphere with sphere", icosphere(0.1, 1), icosphere(0.1, 2)),
        reflex("gear with gear", gear(6, 0.07, 0.1, 0.04), gear(6, 0.07, 0.1, 0.04)),
        reflex("box with angle", block(), l_profile(0.2, 0.06, 0.2)),
        reflex("comb with box", comb(3, 0.03, 0.05, 0.03, 0.1), cuboid(Vector::new(0.02, 0.2, 0.1))),
        reflex("torus with torus", torus(0.1, 0.04, 16, 8), torus(0.1, 0.04, 16, 8)),
    ]
}

/// A force law: damping, its transition depth, and friction.
struct LawCase {
    name: &'static str,
    damping: f64,
    transition: f64,
    friction: f64,
    /// Largest angular velocity in rad/s.
    spin: f64,
}

const LAWS: [LawCase; 5] = [
    LawCase { name: "springs", damping: 0.0, transition: 0.0, friction: 0.0, spin: 1.0 },
    LawCase { name: "damping", damping: 1e5, transition: 1e-3, friction: 0.0, spin: 1.0 },
    LawCase { name: "full damping", damping: 1e5, transition: 0.0, friction: 0.3, spin: 1.0 },
    LawCase { name: "friction", damping: 1e4, transition: 1e-4, friction: 0.3, spin: 1.0 },
    LawCase { name: "spinning", damping: 0.0, transition: 0.0, friction: 0.3, spin: 20.0 },
];

fn numbers(outcome: &Outcome) -> [f64; NUMBERS] {
    let mut numbers = [0.0; NUMBERS];
    let vectors =
        [outcome.force_on_e, outcome.torque_on_e, outcome.force_on_f, outcome.torque_on_f, outcome.contact_position_e];
    let others = [
        outcome.dissipated_power,
        outcome.normal_stress.mean,
        outcome.tangential_stress.mean,
        outcome.mean_penetration,
        outcome.contact_area,
        outcome.elastic_energy,
    ];
    let all = vectors.iter().flat_map(|vector| vector.iter().copied()).chain(others);
    numbers.iter_mut().zip(all).for_each(|(number, value)| *number = value);
    numbers
}

/// The derivatives as differences would give them: by pose, then by velocity.
fn columns(derivatives: &Derivatives) -> [[f64; NUMBERS]; 12] {
    let d = derivatives;
    std::array::from_fn(|column| {
        let (axis, moves) = (column % 6, 6 <= column);
        let (wrench_e, wrench_f, position) = match moves {
            false => (&d.wrench_on_e_by_pose, &d.wrench_on_f_by_pose, &d.contact_position_e_by_pose),
            true => (&d.wrench_on_e_by_velocity, &d.wrench_on_f_by_velocity, &d.contact_position_e_by_velocity),
        };
        let others = match moves {
            false => [
                d.dissipated_power_by_pose[axis],
                d.mean_normal_stress_by_pose[axis],
                d.mean_tangential_stress_by_pose[axis],
                d.mean_penetration_by_pose[axis],
                d.contact_area_by_pose[axis],
                d.elastic_energy_by_pose[axis],
            ],
            true => [
                d.dissipated_power_by_velocity[axis],
                d.mean_normal_stress_by_velocity[axis],
                d.mean_tangential_stress_by_velocity[axis],
                0.0,
                0.0,
                0.0,
            ],
        };
        let matrices = wrench_e.column(axis).iter().chain(wrench_f.column(axis).iter()).copied().collect::<Vec<_>>();
        let all = matrices.into_iter().chain(position.column(axis).iter().copied()).chain(others).collect::<Vec<_>>();
        all.try_into().expect("as many numbers")
    })
}

/// The motion after a small one along an axis: 0 to 2 translations, 3 to 5 rotations about the origin of M_f; 6 to 11
/// likewise of the velocities.
fn displaced(motion: &RelativeMotion, column: usize, steps: f64) -> RelativeMotion {
    let (mut pose, mut v, mut w) = (*motion.pose_ef(), motion.velocity_e(), motion.angular_velocity_e());
    let mut way = Vector::zeros();
    way[column % 3] = steps * if column < 6 { POSE_STEP } else { VELOCITY_STEP };
    match column / 3 {
        0 => pose = Pose::from_parts((pose.translation.vector + way).into(), pose.rotation),
        1 => pose = Pose::from_parts(pose.translation, Rotation::new(way) * pose.rotation),
        2 => v += way,
        _ => w += way,
    }
    RelativeMotion::new(pose, v, w).expect("a finite motion")
}

/// Largest errors over the largest derivatives, of each quantity, by pose and by velocity; how many were compared, and how
/// many left out.
#[derive(Clone, Copy, Default)]
struct Errors {
    worst: [[f64; KINDS]; 2],
    compared: usize,
    left_out: usize,
}

impl Errors {
    fn include(&mut self, surfaces: &[ContactSurface; 2], parameters: &ContactParameters, motion: &RelativeMotion) {
        let mut workspace = Workspace::default();
        let [e, f] = surfaces;
        let (outcome, derivatives) = evaluate_with_derivatives(e, f, parameters, motion, &mut workspace);
        assert_same_bits(&outcome, &evaluate(e, f, parameters, motion, &mut workspace));
        let exact = columns(&derivatives);
        let mut at = |column: usize, steps: f64| {
            numbers(&evaluate(e, f, parameters, &displaced(motion, column, steps), &mut workspace))
        };
        let differences: [[[f64; NUMBERS]; 2]; 12] = std::array::from_fn(|column| {
            let step = if column < 6 { POSE_STEP } else { VELOCITY_STEP };
            let mut difference = |steps: f64| {
                let (a, b) = (at(column, steps), at(column, -steps));
                std::array::from_fn::<f64, NUMBERS, _>(|k| (a[k] - b[k]) / (2.0 * steps * step))
            };
            let (fine, coarse) = (difference(1.0), difference(2.0));
            [std::array::from_fn(|k| (4.0 * fine[k] - coarse[k]) / 3.0), std::array::from_fn(|k| fine[k] - coarse[k])]
        });
        for kind in 0..KINDS {
            for half in 0..2 {
                let range = QUANTITIES[kind].0..QUANTITIES[kind + 1].0;
                let of_half = 6 * half..6 * half + 6;
                let largest = |place: usize| {
                    let all = differences[of_half.clone()].iter().flat_map(|column| &column[place][range.clone()]);
                    all.fold(0.0, |most: f64, x| most.max(x.abs()))
                };
                let scale = largest(0);
                // No derivative but rounding, such as that of the power of springs.
                if scale <= ROUNDING[kind] {
                    continue;
                }
                if KINK * scale < largest(1) {
                    self.left_out += 1;
                    continue;
                }
                self.compared += 1;
                for column in of_half.clone() {
                    for k in range.clone() {
                        let error = (exact[column][k] - differences[column][0][k]).abs() / scale;
                        self.worst[half][kind] = self.worst[half][kind].max(error);
                    }
                }
            }
        }
    }
}

/// Methods and layers that poses take in turn.
fn parameters(law: &LawCase, index: usize) -> ContactParameters {
    let method =
        [Method::Auto, Method::MasterE, Method::TwoPass, Method::Auto, Method::MasterF, Method::Auto][index % 6];
    let mut raw = RawParameters {
        areal_damping: law.damping,
        damping_transition_depth: law.transition,
        friction_coefficient: law.friction,
        friction_regularization_velocity: 1e-2,
        ..elastic_raw(method)
    };
    match index % 6 {
        3 => raw.layer_e = RawLayer::RIGID,
        5 => raw.layer_f = RawLayer::RIGID,
        _ => {}
    }
    checked(&raw)
}

#[test]
fn derivatives_are_those_of_central_differences() {
    let mut random = Random::new(7);
    for Case { name, e, f, is_reflex } in cases() {
        let surfaces = [surface(e), surface(f)];
        for law in &LAWS {
            let mut errors = Errors::default();
            for index in 0..pose_count(POSES) {
                let parameters = parameters(law, index);
                let pose = pose_at_depth(&surfaces[0], &surfaces[1], DEPTH, &mut random);
                let motion = RelativeMotion::new(pose, random.direction() * 0.3, random.direction() * law.spin)
                    .expect("a finite motion");
                errors.include(&surfaces, &parameters, &motion);
            }
            println!("{name}, {}: {} compared, {} left out", law.name, errors.compared, errors.left_out);
            let most_left_out = MOST_KINKS * (errors.compared + errors.left_out) as f64;
            assert!(errors.left_out as f64 <= most_left_out, "{name}, {}: {} left out", law.name, errors.left_out);
            for (kind, (_, quantity)) in QUANTITIES.iter().enumerate().take(KINDS) {
                let [by_pose, by_velocity] = [errors.worst[0][kind], errors.worst[1][kind]];
                println!("  {quantity:<14}{by_pose:9.1e}{by_velocity:9.1e}");
                let [of_pose, of_velocity] = tolerances(is_reflex, law, quantity);
                assert!(by_pose <= of_pose, "{name}, {}: {quantity} by pose {by_pose:e}", law.name);
                assert!(by_velocity <= of_velocity, "{name}, {}: {quantity} by velocity {by_velocity:e}", law.name);
            }
        }
    }
}

/// By pose and by velocity.
fn tolerances(is_reflex: bool, law: &LawCase, quantity: &str) -> [f64; 2] {
    let rubs = !matches!(quantity, "normal stress" | "penetration" | "area" | "energy") && 0.0 < law.friction;
    // A line where dampers would pull moves with the velocity, and the finer points of friction with it.
    let of_velocity = if rubs && 0.0 < law.damping { 1e-4 } else { EXACT };
    match (rubs, is_reflex && quantity != "area") {
        (true, _) => [FRICTION, of_velocity],
        (_, true) => [ROUNDED, of_velocity],
        _ => [EXACT, of_velocity],
    }
}

/// The elastic stiffness about a point of the contact that is taken along by neither body is symmetric but for the load:
/// the energy has second derivatives, and rotations do not commute. Translations do: their block is symmetric.
#[test]
fn elastic_stiffness_against_translations_is_symmetric() {
    let mut random = Random::new(8);
    let parameters = checked(&elastic_raw(Method::Auto));
    for Case { name, e, f, is_reflex } in cases() {
        let surfaces = [surface(e), surface(f)];
        for _ in 0..pose_count(POSES) {
            let motion = RelativeMotion::at_rest(pose_at_depth(&surfaces[0], &surfaces[1], DEPTH, &mut random));
            let (_, derivatives) =
                evaluate_with_derivatives(&surfaces[0], &surfaces[1], &parameters, &motion, &mut Workspace::default());
            let block = derivatives.wrench_on_e_by_pose.fixed_view::<3, 3>(0, 0);
            let asymmetry = (block - block.transpose()).norm();
            let tolerance = if is_reflex { 1e-3 } else { EXACT };
            assert!(asymmetry <= tolerance * block.norm(), "{name}: {asymmetry:e} of {:e}", block.norm());
        }
    }
}

/// A rigid box flat on a soft plate: c_l A against pressing, nothing against sliding.
#[test]
fn flat_box_has_the_stiffness_of_its_bed() {
    let (plate, block) = (surface(cuboid(Vector::new(1.0, 1.0, 0.2))), surface(cuboid(Vector::new(0.2, 0.1, 0.1))));
    let mut raw = elastic_raw(Method::Auto);
    raw.layer_f = RawLayer::RIGID;
    raw.layer_e.youngs_modulus /= 2.0;
    let motion = RelativeMotion::at_rest(Pose::translation(0.01, 0.02, 0.149));
    let (outcome, derivatives) =
        evaluate_with_derivatives(&plate, &block, &checked(&raw), &motion, &mut Workspace::default());
    let stiffness = derivatives.wrench_on_e_by_pose;
    assert!((outcome.force_on_e.z + STIFFNESS * 0.02 * 1e-3).abs() < 1e-6);
    assert!((stiffness[(2, 2)] / (STIFFNESS * 0.02) - 1.0).abs() < 1e-9, "{stiffness}");
    assert!(stiffness.fixed_view::<3, 2>(0, 0).norm() < 1e-9 * stiffness[(2, 2)], "{stiffness}");
}
