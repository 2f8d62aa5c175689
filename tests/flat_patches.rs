//! Friction and pressure of flat patches.
//!
//! Where friction counts, the faces of the plate carry the pressure, in the field of the body on it: the patch is flat.
//! The walls of a body that sinks into the plate would carry pressure, and rub, as well.

use std::f64::consts::{PI, TAU};

use crate::support::half_space::submerged;
use crate::support::random::Random;
use crate::support::{
    STIFFNESS, assert_close, assert_vector_eq, assert_wrench_eq, at_rest, elastic, frictional, lowest_point, moving,
    surface, translation,
};
use polycontact::contact::{ContactSurface, Method, Outcome};
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::mesh::TriangleMesh;
use polycontact::shapes::{comb, cuboid, gear, moved, regular_prism, revolve_solid, table};

const MU: f64 = 0.3;
const V_EPS: f64 = 1e-4;

fn plate() -> ContactSurface {
    surface(moved(&cuboid(Vector::new(2.0, 2.0, 0.5)), &translation(0.0, 0.0, -0.25)))
}

/// Spin moment of a regular N-gon under uniform pressure over μ F_n R: the mean distance from its centre over R.
///
/// In polar coordinates, with the apothem a = cos(π/N): ∫∫ r² dr dφ / ∫∫ r dr dφ, r up to a / cos φ.
fn mean_distance(sides: usize) -> f64 {
    let (half_angle, steps) = (PI / sides as f64, 10_000);
    let (mut moment, mut area) = (0.0, 0.0);
    for i in 0..steps {
        let r = half_angle.cos() / (half_angle * (i as f64 + 0.5) / steps as f64).cos();
        moment += r.powi(3) / 3.0;
        area += r * r / 2.0;
    }
    moment / area
}

#[test]
fn spun_polygon_has_the_published_moment() {
    // The pressure is smaller within the depth of the rim: that takes 1e-4 of the moment at most.
    let (radius, depth, height) = (0.1, 1e-6, 0.1);
    for (sides, published) in [(3, 0.460), (4, 0.541), (6, 0.608), (96, 0.667)] {
        assert_close("mean distance", mean_distance(sides), published, 2e-3);
        let prism = surface(regular_prism(radius, height, sides));
        let turn = Rotation::from_axis_angle(&Vector::z_axis(), 0.123);
        let pose = Pose::from_parts(Vector::new(0.01, 0.02, 0.5 * height - depth).into(), turn);
        // The regularised zone is a circle of 1e-4 R: it takes less than 1e-6 of the moment.
        let spin = Vector::new(0.0, 0.0, V_EPS / (1e-4 * radius));
        let outcome = moving(&plate(), &prism, &frictional(Method::MasterE, MU, V_EPS), (&pose, Vector::zeros(), spin));
        let normal_force = -outcome.wrenches.on_e.force.z;
        let moment = (outcome.wrenches.on_e.torque - pose.translation.vector.cross(&outcome.wrenches.on_e.force)).z;
        println!("N = {sides}: {:.5}", moment / (MU * normal_force * radius));
        // The distance from the centre has a cone's tip there: 1 % for the quadrature.
        assert_close("moment", moment, mean_distance(sides) * MU * normal_force * radius, 0.01);
        // No net friction: by symmetry, up to the quadrature.
        assert!(outcome.wrenches.on_e.force.xy().norm() < 0.01 * MU * normal_force);
    }
}

/// Slaves with various outlines and pressures, each with a pose that presses it into the plate.
fn pressed_shapes() -> Vec<(&'static str, TriangleMesh, Pose)> {
    let upside_down = Rotation::from_axis_angle(&Vector::x_axis(), PI);
    let tilted = Rotation::new(Vector::new(0.02, 0.03, 0.4));
    let frustum = revolve_solid(&[[0.1, -0.05], [0.15, 0.05]], [-0.05, 0.05], 5);
    let shapes = [
        ("comb", comb(4, 0.03, 0.05, 0.03, 0.1), Pose::from_parts(Vector::new(0.1, 0.2, 0.0).into(), upside_down)),
        ("gear", gear(9, 0.08, 0.1, 0.06), translation(-0.1, 0.05, 0.0)),
        ("tilted frustum", frustum, Pose::from_parts(Vector::new(0.3, -0.2, 0.0).into(), tilted)),
    ];
    shapes
        .map(|(name, mesh, mut pose)| {
            pose.translation.vector.z = -lowest_point(&mesh, &pose) - 8e-3;
            (name, mesh, pose)
        })
        .to_vec()
}

/// Where the normal force acts on the plane, from the torque of the frictionless contact.
fn centre_of_pressure(outcome: &Outcome) -> Vector {
    Vector::new(-outcome.wrenches.on_e.torque.y, outcome.wrenches.on_e.torque.x, 0.0) / outcome.wrenches.on_e.force.z
}

#[test]
fn sliding_without_rotation_meets_coulomb_exactly() {
    for (name, mesh, pose) in pressed_shapes() {
        let slave = surface(mesh);
        let frictionless = at_rest(&plate(), &slave, &elastic(Method::MasterE), &pose);
        let centre = centre_of_pressure(&frictionless);
        let normal_force = -frictionless.wrenches.on_e.force.z;
        for angle in [0.1, 1.7, 3.9] {
            let direction = Vector::new(f64::cos(angle), f64::sin(angle), 0.0);
            let motion = (&pose, direction * (5.0 * V_EPS), Vector::zeros());
            let outcome = moving(&plate(), &slave, &frictional(Method::MasterE, MU, V_EPS), motion);
            let expected = direction * (MU * normal_force) - Vector::z() * normal_force;
            println!("{name}");
            assert_vector_eq("force", outcome.wrenches.on_e.force, expected, 1e-9 * normal_force);
            let moment = (outcome.wrenches.on_e.torque - centre.cross(&outcome.wrenches.on_e.force)).z;
            assert!(moment.abs() < 1e-9 * normal_force, "{name}: moment {moment} about the centre of pressure");
        }
    }
}

#[test]
fn planar_motion_keeps_to_the_inequalities_of_coulomb() {
    let mut random = Random::new(7);
    for (name, mesh, pose) in pressed_shapes() {
        let (plate, slave) = (plate(), surface(mesh));
        let frictionless = at_rest(&plate, &slave, &elastic(Method::MasterE), &pose);
        let origin = centre_of_pressure(&frictionless);
        let normal_force = -frictionless.wrenches.on_e.force.z;
        for _ in 0..200 {
            let distance = 0.3 * random.unit();
            let angle = random.between(0.0, TAU);
            let p = Vector::new(distance * angle.cos(), distance * angle.sin(), 0.0);
            // Fast: every point but those within 1e-5 m of p slips at more than v_eps.
            let spin = Vector::new(0.0, 0.0, if random.unit() < 0.5 { 10.0 } else { -10.0 });
            let velocity = spin.cross(&(pose.translation.vector - origin - p));
            let velocity = Vector::new(velocity.x, velocity.y, 0.0);
            let outcome = moving(&plate, &slave, &frictional(Method::MasterE, MU, V_EPS), (&pose, velocity, spin));
            let friction = outcome.wrenches.on_e.force.xy().norm();
            let moment = (outcome.wrenches.on_e.torque - (origin + p).cross(&outcome.wrenches.on_e.force)).z;
            // E is dragged the way F turns. 1e-3: the regularised zone and the quadrature about the centre.
            let slack = 1e-3 * MU * normal_force;
            assert!(friction <= MU * normal_force * (1.0 + 1e-9), "{name}, p = {p:?}: friction {friction}");
            assert!(
                MU * distance * normal_force - slack * 0.1 <= moment * spin.z.signum(),
                "{name}, p = {p:?}: moment {moment} below {}",
                MU * distance * normal_force
            );
            assert!(0.0 <= outcome.dissipated_power);
            // In a planar motion all the power goes into friction: force and moment about p times the spin.
            assert_close("power", outcome.dissipated_power, moment * spin.z, 1e-3);
        }
    }
}

#[test]
fn tilted_punch_has_a_linear_pressure() {
    // A square punch with walls that flare by 45°.
    let (half, depth) = (0.1, 8e-3);
    let corner = half * 2f64.sqrt();
    let punch = revolve_solid(&[[corner, -0.05], [corner + 0.1, 0.05]], [-0.05, 0.05], 4);
    for tilt in [0.0, 0.01, 0.03] {
        let turn = Rotation::new(Vector::new(0.0, tilt, 0.0)) * Rotation::new(Vector::new(0.0, 0.0, PI / 4.0));
        let mut pose = Pose::from_parts(Vector::new(0.2, 0.1, 0.0).into(), turn);
        // The middle of the punch's face is `depth` below the plane.
        let face_centre = turn * Vector::new(0.0, 0.0, -0.05);
        pose.translation.vector.z = -depth - face_centre.z;
        let outcome = at_rest(&plate(), &surface(punch.clone()), &elastic(Method::MasterF), &pose);

        let expected = submerged(&punch, &pose);
        let tolerance = 1e-9 * STIFFNESS * expected.volume;
        assert_wrench_eq(&outcome, expected.force(STIFFNESS), expected.torque(STIFFNESS), tolerance, tolerance);
        // The lowest edge of the face is the deepest.
        let deepest = depth + half * tilt.sin();
        assert_close("largest stress", outcome.normal_stress.max, STIFFNESS * deepest, 1e-9);
    }
}

#[test]
fn four_legged_table_stands_on_all_legs() {
    let (size, leg, depth) = (Vector::new(1.0, 0.8, 0.7), 0.1, 2e-3);
    let table = surface(table(size, 0.05, leg));
    let level = at_rest(&plate(), &table, &elastic(Method::MasterF), &translation(0.1, -0.05, -depth));
    assert_eq!((level.patch_count, level.polygon_count), (4, 4));
    let leg_force = STIFFNESS * leg * leg * depth;
    assert_vector_eq("force", level.wrenches.on_e.force, Vector::new(0.0, 0.0, -4.0 * leg_force), 1e-9 * leg_force);

    // Tilted about y: the pressure under each leg follows the depth below its middle, so the moment about the
    // table's middle is Σ c_l A u x plus each leg's own c_l w⁴ tan / 12.
    let tilt = 1e-3;
    let pose = crate::support::pose(Vector::new(0.0, 0.0, -depth), Vector::new(0.0, tilt, 0.0));
    let tilted = at_rest(&plate(), &table, &elastic(Method::MasterF), &pose);
    assert_eq!((tilted.patch_count, tilted.polygon_count), (4, 4));
    let arm = 0.5 * (size.x - leg);
    let own = STIFFNESS * leg.powi(4) / 12.0 * tilt;
    let expected = 4.0 * (STIFFNESS * leg * leg * (arm * tilt) * arm + own);
    // The walls below the plane lean by the tilt: second order, depth · tilt / leg.
    assert_close("moment", tilted.wrenches.on_e.torque.y, expected, 1e-3);
    assert_close("force", -tilted.wrenches.on_e.force.z, 4.0 * leg_force, 1e-3);
}
