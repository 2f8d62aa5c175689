//! What the contact tests share: surfaces, parameters, poses, comparisons and independent oracles.
//!
//! Each test file compiles its own copy and uses a part of it.
#![allow(dead_code)]

pub mod brute_force;
pub mod collision;
pub mod convex_law;
pub mod flexible;
pub mod half_space;
pub mod host;
pub mod integrator;
pub mod machine_pairs;
pub mod pairs;
pub mod poses;
pub mod random;
pub mod sampled;
pub mod sampled_law;

use polycontact::contact::{
    ContactParameters, ContactSurface, ElementScheme, Method, Outcome, RawLayer, RawParameters, RelativeMotion,
    Workspace, evaluate,
};
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::mesh::TriangleMesh;

/// c_l of [`elastic`] parameters in N/m³.
pub const STIFFNESS: f64 = 1.0e8;

/// All methods that give a force.
pub const FORCE_METHODS: [Method; 4] = [Method::Auto, Method::TwoPass, Method::MasterE, Method::MasterF];

/// Both schemes.
pub const SCHEMES: [ElementScheme; 2] = [ElementScheme::Potential, ElementScheme::Centroid];

/// Parameters without damping and friction; c_l = [`STIFFNESS`], shared equally by both layers.
pub fn elastic_raw(method: Method) -> RawParameters {
    // ν = 0 makes K = E, so each layer has c = E / b = 2 c_l.
    let layer = RawLayer { youngs_modulus: 2.0 * STIFFNESS * 0.01, poissons_ratio: 0.0, layer_thickness: 0.01 };
    RawParameters {
        layer_e: layer,
        layer_f: layer,
        method,
        elements: ElementScheme::Potential,
        areal_damping: 0.0,
        damping_transition_depth: 0.0,
        friction_coefficient: 0.0,
        friction_regularization_velocity: 1e-3,
        ..RawParameters::default()
    }
}

/// [`elastic_raw`], checked.
pub fn elastic(method: Method) -> ContactParameters {
    checked(&elastic_raw(method))
}

/// Frictional and without damping.
pub fn frictional(method: Method, coefficient: f64, regularization_velocity: f64) -> ContactParameters {
    checked(&RawParameters {
        friction_coefficient: coefficient,
        friction_regularization_velocity: regularization_velocity,
        ..elastic_raw(method)
    })
}

pub fn checked(raw: &RawParameters) -> ContactParameters {
    ContactParameters::new(raw).expect("good parameters")
}

/// Evaluates at rest with a fresh workspace.
pub fn at_rest(e: &ContactSurface, f: &ContactSurface, parameters: &ContactParameters, pose_ef: &Pose) -> Outcome {
    evaluate(e, f, parameters, &RelativeMotion::at_rest(*pose_ef), &mut Workspace::default())
}

/// Evaluates in motion with a fresh workspace.
pub fn moving(
    e: &ContactSurface,
    f: &ContactSurface,
    parameters: &ContactParameters,
    (pose_ef, velocity_e, angular_velocity_e): (&Pose, Vector, Vector),
) -> Outcome {
    let motion = RelativeMotion::new(*pose_ef, velocity_e, angular_velocity_e).expect("a finite motion");
    evaluate(e, f, parameters, &motion, &mut Workspace::default())
}

pub fn surface(mesh: TriangleMesh) -> ContactSurface {
    ContactSurface::new(mesh)
}

pub fn translation(x: f64, y: f64, z: f64) -> Pose {
    Pose::translation(x, y, z)
}

/// A pose from a position and a rotation vector.
pub fn pose(position: Vector, rotation_vector: Vector) -> Pose {
    Pose::from_parts(position.into(), Rotation::new(rotation_vector))
}

/// A rotation about no special axis, by no special angle, so that nothing is aligned by accident.
pub fn generic_rotation() -> Rotation {
    Rotation::new(Vector::new(0.3, -0.8, 0.5))
}

/// The height of the lowest vertex of a mesh in a pose.
pub fn lowest_point(mesh: &TriangleMesh, pose: &Pose) -> f64 {
    mesh.vertices
        .iter()
        .map(|vertex| (pose.rotation * vertex + pose.translation.vector).z)
        .fold(f64::INFINITY, f64::min)
}

/// Largest distance of a vertex from the origin of its frame.
pub fn radius(mesh: &TriangleMesh) -> f64 {
    mesh.vertices.iter().map(|vertex| vertex.norm()).fold(0.0, f64::max)
}

/// ∫ min(u, distance to the rim) dA over a rectangle, in m³: the depths in a block that lies `depth` deep, over its
/// base. At the height t the block is (w − 2t)(l − 2t) large, so this is A u − P u²/2 + 4u³/3 with the perimeter P.
pub fn hip_volume([width, length]: [f64; 2], depth: f64) -> f64 {
    width * length * depth - (width + length) * depth.powi(2) + 4.0 / 3.0 * depth.powi(3)
}

/// The integral of [`hip_volume`] over the depth: ∫ of the distance to the surface over the part of such a block that
/// lies in the other body, in m⁴.
pub fn hip_energy([width, length]: [f64; 2], depth: f64) -> f64 {
    0.5 * width * length * depth.powi(2) - (width + length) * depth.powi(3) / 3.0 + depth.powi(4) / 3.0
}

/// Asserts |actual / expected − 1| ≤ tolerance.
#[track_caller]
pub fn assert_close(what: &str, actual: f64, expected: f64, relative_tolerance: f64) {
    let error = actual / expected - 1.0;
    assert!(error.abs() <= relative_tolerance, "{what} is {actual:e} instead of {expected:e}: off by {error:.2e}");
}

/// Asserts that two vectors differ by at most `tolerance` (absolute).
#[track_caller]
pub fn assert_vector_eq(what: &str, actual: Vector, expected: Vector, tolerance: f64) {
    let difference = (actual - expected).norm();
    assert!(
        difference <= tolerance,
        "{what} is {:?} instead of {:?}: {difference:e} off, {tolerance:e} allowed",
        actual.as_slice(),
        expected.as_slice()
    );
}

/// Asserts that force and torque on E (about M_e) are as expected, to absolute tolerances.
#[track_caller]
pub fn assert_wrench_eq(actual: &Outcome, force: Vector, torque: Vector, force_tolerance: f64, torque_tolerance: f64) {
    assert_vector_eq("force on E", actual.wrenches.on_e.force, force, force_tolerance);
    assert_vector_eq("torque on E", actual.wrenches.on_e.torque, torque, torque_tolerance);
}

/// Every number of an outcome, with its name.
pub fn numbers(outcome: &Outcome) -> Vec<(&'static str, f64)> {
    let mut numbers = vec![
        ("contact area", outcome.contact_area),
        ("mean penetration", outcome.mean_penetration),
        ("max penetration", outcome.max_penetration),
        ("min normal velocity", outcome.normal_velocity.min),
        ("mean normal velocity", outcome.normal_velocity.mean),
        ("max normal velocity", outcome.normal_velocity.max),
        ("min tangential velocity", outcome.tangential_velocity.min),
        ("mean tangential velocity", outcome.tangential_velocity.mean),
        ("max tangential velocity", outcome.tangential_velocity.max),
        ("mean normal stress", outcome.normal_stress.mean),
        ("max normal stress", outcome.normal_stress.max),
        ("mean tangential stress", outcome.tangential_stress.mean),
        ("max tangential stress", outcome.tangential_stress.max),
        ("elastic energy", outcome.elastic_energy),
        ("dissipated power", outcome.dissipated_power),
    ];
    for (name, vector) in [
        ("force on E", outcome.wrenches.on_e.force),
        ("torque on E", outcome.wrenches.on_e.torque),
        ("force on F", outcome.wrenches.on_f.force),
        ("torque on F", outcome.wrenches.on_f.torque),
        ("torque on E at F", outcome.wrenches.torque_on_e_at_f),
        ("contact position", outcome.contact_position_e),
        ("contact normal", outcome.contact_normal_e),
    ] {
        numbers.extend(vector.iter().map(|&x| (name, x)));
    }
    numbers
}

/// Asserts that two outcomes are equal bit for bit.
#[track_caller]
pub fn assert_same_bits(a: &Outcome, b: &Outcome) {
    assert_eq!(a, b);
    for ((name, x), (_, y)) in numbers(a).into_iter().zip(numbers(b)) {
        assert_eq!(x.to_bits(), y.to_bits(), "{name}: {x:e} and {y:e}");
    }
}

/// Wrench of E in one vector for differences: force, then torque divided by `length`.
pub fn wrench_distance(a: &Outcome, b: &Outcome, length: f64) -> f64 {
    (a.wrenches.on_e.force - b.wrenches.on_e.force).norm()
        + (a.wrenches.on_e.torque - b.wrenches.on_e.torque).norm() / length
}
