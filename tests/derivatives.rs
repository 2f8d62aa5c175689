//! Derivatives of the wrench against central differences, and the symmetry of the elastic stiffness.

mod support;

use polycontact::contact::{
    ContactParameters, ContactSurface, Method, RawParameters, RelativeMotion, Workspace, evaluate,
    evaluate_with_derivatives,
};
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::mesh::TriangleMesh;
use polycontact::shapes::{cuboid, gear, icosphere, l_profile, torus};
use support::poses::pose_at_depth;
use support::random::{Random, pose_count};
use support::{STIFFNESS, checked, elastic_raw, surface};

/// Poses per pair by default; each costs 25 evaluations for each set of parameters.
const POSES: usize = 12;

/// Steps of the differences: of the pose in m and rad, of the velocities in m/s and rad/s. Rounding of the wrench
/// (10⁻¹³ of it) is 10⁻⁶ of the stiffness times the depth then.
const POSE_STEP: f64 = 1e-7;
const VELOCITY_STEP: f64 = 1e-5;

struct Case {
    name: &'static str,
    e: TriangleMesh,
    f: TriangleMesh,
    /// Largest error over the largest entry, without friction. Next to reflex edges the direction of the gradient is that
    /// at the centroid of a piece, over which it turns by up to 10°.
    tolerance: f64,
}

fn cases() -> Vec<Case> {
    let block = || cuboid(Vector::new(0.2, 0.2, 0.2));
    let case = |name, e, f, tolerance| Case { name, e, f, tolerance };
    vec![
        case("box with box", block(), cuboid(Vector::new(0.3, 0.1, 0.1)), 1e-5),
        case("sphere with box", icosphere(0.1, 2), block(), 1e-5),
        case("sphere with sphere", icosphere(0.1, 1), icosphere(0.1, 2), 1e-5),
        case("gear with gear", gear(6, 0.07, 0.1, 0.04), gear(6, 0.07, 0.1, 0.04), 1e-3),
        case("box with angle", block(), l_profile(0.2, 0.06, 0.2), 1e-3),
        case("torus with torus", torus(0.1, 0.04, 16, 8), torus(0.1, 0.04, 16, 8), 1e-2),
    ]
}

fn wrench(surfaces: &[ContactSurface; 2], parameters: &ContactParameters, motion: &RelativeMotion) -> [f64; 6] {
    let outcome = evaluate(&surfaces[0], &surfaces[1], parameters, motion, &mut Workspace::default());
    let (force, torque) = (outcome.wrenches.on_e.force, outcome.wrenches.on_e.torque);
    [force.x, force.y, force.z, torque.x, torque.y, torque.z]
}

/// The motion after a small one along an axis: 0 to 2 translations, 3 to 5 rotations about the origin of M_f.
fn displaced(pose: &Pose, axis: usize, step: f64) -> Pose {
    let mut way = Vector::zeros();
    way[axis % 3] = step;
    match axis {
        0..3 => Pose::from_parts((pose.translation.vector + way).into(), pose.rotation),
        _ => Pose::from_parts(pose.translation, Rotation::new(way) * pose.rotation),
    }
}

/// Largest errors of both matrices, over their largest entries, where the differences of two steps agree: elsewhere the
/// contact has a kink, such as a corner that just touches.
fn errors(surfaces: &[ContactSurface; 2], parameters: &ContactParameters, motion: &RelativeMotion) -> Option<[f64; 2]> {
    let (pose, v, w) = (*motion.pose_ef(), motion.velocity_e(), motion.angular_velocity_e());
    let at = |pose: Pose, v: Vector, w: Vector| {
        wrench(surfaces, parameters, &RelativeMotion::new(pose, v, w).expect("a finite motion"))
    };
    let (_, exact) =
        evaluate_with_derivatives(&surfaces[0], &surfaces[1], parameters, motion, &mut Workspace::default());
    let mut worst = [0.0f64; 2];
    let mut largest = [f64::MIN_POSITIVE; 2];
    for axis in 0..6 {
        let by_pose = |step: f64| {
            let (a, b) = (at(displaced(&pose, axis, step), v, w), at(displaced(&pose, axis, -step), v, w));
            std::array::from_fn::<f64, 6, _>(|row| (a[row] - b[row]) / (2.0 * step))
        };
        let mut way = Vector::zeros();
        way[axis % 3] = VELOCITY_STEP;
        let (a, b) = match axis {
            0..3 => (at(pose, v + way, w), at(pose, v - way, w)),
            _ => (at(pose, v, w + way), at(pose, v, w - way)),
        };
        let (fine, coarse) = (by_pose(POSE_STEP), by_pose(8.0 * POSE_STEP));
        for row in 0..6 {
            let by_velocity = (a[row] - b[row]) / (2.0 * VELOCITY_STEP);
            let scale = fine.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            if 1e-4 * scale < (fine[row] - coarse[row]).abs() {
                return None;
            }
            worst[0] = worst[0].max((exact.wrench_on_e_by_pose[(row, axis)] - fine[row]).abs());
            worst[1] = worst[1].max((exact.wrench_on_e_by_velocity[(row, axis)] - by_velocity).abs());
            largest[0] = largest[0].max(fine[row].abs());
            largest[1] = largest[1].max(by_velocity.abs());
        }
    }
    Some([worst[0] / largest[0], worst[1] / largest[1]])
}

#[test]
fn derivatives_are_those_of_central_differences() {
    let mut random = Random::new(7);
    for Case { name, e, f, tolerance } in cases() {
        let surfaces = [surface(e), surface(f)];
        for (damping, friction) in [(0.0, 0.0), (1e4, 0.0), (1e4, 0.3)] {
            let mut compared = 0;
            let mut worst = [0.0f64; 2];
            for index in 0..pose_count(POSES) {
                let method = [Method::Auto, Method::MasterE, Method::MasterF][index % 3];
                let parameters = checked(&RawParameters {
                    areal_damping: damping,
                    damping_transition_depth: 1e-4,
                    friction_coefficient: friction,
                    friction_regularization_velocity: 1e-2,
                    ..elastic_raw(method)
                });
                let pose = pose_at_depth(&surfaces[0], &surfaces[1], 5e-3, &mut random);
                let motion =
                    RelativeMotion::new(pose, random.direction() * 0.3, random.direction()).expect("a finite motion");
                if let Some(errors) = errors(&surfaces, &parameters, &motion) {
                    compared += 1;
                    worst = [worst[0].max(errors[0]), worst[1].max(errors[1])];
                }
            }
            println!(
                "{name}, damping {damping:e}, friction {friction}: {:.1e} {:.1e} in {compared} poses",
                worst[0], worst[1]
            );
            // Friction is summed up at other points than its derivative: both are off by their quadratures.
            let tolerance = if 0.0 < friction { 1e-2 } else { tolerance };
            assert!(2 * compared >= pose_count(POSES), "{name}: only {compared} poses without a kink");
            assert!(worst[0] <= tolerance, "{name}: by pose off by {:e}", worst[0]);
            assert!(worst[1] <= tolerance, "{name}: by velocity off by {:e}", worst[1]);
        }
    }
}

/// The elastic stiffness about a point of the contact that is taken along by neither body is symmetric but for the load:
/// the energy has second derivatives, and rotations do not commute. Translations do: their block is symmetric.
#[test]
fn elastic_stiffness_against_translations_is_symmetric() {
    let mut random = Random::new(8);
    let parameters = checked(&elastic_raw(Method::Auto));
    for Case { name, e, f, tolerance } in cases() {
        let surfaces = [surface(e), surface(f)];
        for _ in 0..pose_count(POSES) {
            let motion = RelativeMotion::at_rest(pose_at_depth(&surfaces[0], &surfaces[1], 5e-3, &mut random));
            let (_, derivatives) =
                evaluate_with_derivatives(&surfaces[0], &surfaces[1], &parameters, &motion, &mut Workspace::default());
            let block = derivatives.wrench_on_e_by_pose.fixed_view::<3, 3>(0, 0);
            let asymmetry = (block - block.transpose()).norm();
            assert!(asymmetry <= tolerance * block.norm(), "{name}: {asymmetry:e} of {:e}", block.norm());
        }
    }
}

/// A rigid box flat on a soft plate: c_l A against pressing, nothing against sliding.
#[test]
fn flat_box_has_the_stiffness_of_its_bed() {
    let (plate, block) = (surface(cuboid(Vector::new(1.0, 1.0, 0.2))), surface(cuboid(Vector::new(0.2, 0.1, 0.1))));
    let mut raw = elastic_raw(Method::Auto);
    raw.layer_f = polycontact::contact::RawLayer::RIGID;
    raw.layer_e.youngs_modulus /= 2.0;
    let motion = RelativeMotion::at_rest(Pose::translation(0.01, 0.02, 0.149));
    let (outcome, derivatives) =
        evaluate_with_derivatives(&plate, &block, &checked(&raw), &motion, &mut Workspace::default());
    let stiffness = derivatives.wrench_on_e_by_pose;
    assert!((outcome.wrenches.on_e.force.z + STIFFNESS * 0.02 * 1e-3).abs() < 1e-6);
    assert!((stiffness[(2, 2)] / (STIFFNESS * 0.02) - 1.0).abs() < 1e-9, "{stiffness}");
    assert!(stiffness.fixed_view::<3, 2>(0, 0).norm() < 1e-9 * stiffness[(2, 2)], "{stiffness}");
}
