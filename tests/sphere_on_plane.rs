//! A ball pressed into a plate, against closed forms of the elastic foundation.

use std::f64::consts::PI;

use crate::support::half_space::submerged;
use crate::support::{
    STIFFNESS, assert_close, assert_wrench_eq, at_rest, checked, elastic, elastic_raw, frictional, generic_rotation,
    lowest_point, moving, surface, translation,
};
use polycontact::contact::{ContactSurface, ElementScheme, Method, RawParameters};
use polycontact::math::{Pose, Vector};
use polycontact::shapes::{cuboid, icosphere, moved};

const RADIUS: f64 = 0.1;

/// A plate of 12 faces with its top at z = 0, larger than any patch here.
fn plate() -> ContactSurface {
    surface(moved(&cuboid(Vector::new(0.4, 0.4, 0.1)), &translation(0.0, 0.0, -0.05)))
}

/// The ball in generic orientation with the centre of its smooth sphere `RADIUS` − `depth` above the plate.
fn pose_at_depth(depth: f64) -> Pose {
    Pose::from_parts(Vector::new(0.011, -0.007, RADIUS - depth).into(), generic_rotation())
}

#[test]
fn soft_plate_carries_stiffness_times_the_polyhedral_volume() {
    let plate = plate();
    for subdivisions in [1, 2, 3, 4] {
        let ball = icosphere(RADIUS, subdivisions);
        for depth in [0.2e-3, 1e-3, 5e-3, 20e-3] {
            // Measured from the lowest vertex, so that coarse balls touch as well.
            let mut pose = pose_at_depth(depth);
            pose.translation.vector.z -= lowest_point(&ball, &pose) + depth;
            let expected = submerged(&ball, &pose);
            let outcome = at_rest(&plate, &surface(ball.clone()), &elastic(Method::MasterF), &pose);
            let force = expected.force(STIFFNESS);
            let tolerance = 1e-9 * force.norm();
            assert_wrench_eq(&outcome, force, expected.torque(STIFFNESS), tolerance, tolerance * RADIUS);
            assert_close("area", outcome.contact_area, expected.area, 1e-9);
            assert_close("depth", outcome.max_penetration, expected.depth, 1e-9);
            assert_close("energy", outcome.elastic_energy, expected.energy(STIFFNESS), 1e-9);
        }
    }
}

#[test]
fn soft_plate_approaches_stiffness_times_cap_volume() {
    let (plate, depth) = (plate(), 5e-3);
    let cap = PI * depth * depth * (RADIUS - depth / 3.0);
    let errors: Vec<f64> = [2, 3, 4, 5]
        .map(|subdivisions| {
            let ball = surface(icosphere(RADIUS, subdivisions));
            let outcome = at_rest(&plate, &ball, &elastic(Method::MasterF), &pose_at_depth(depth));
            1.0 - -outcome.wrenches.on_e.force.z / (STIFFNESS * cap)
        })
        .to_vec();
    // Halving the edges divides the sag, and with it the missing volume, by four.
    for pair in errors.windows(2) {
        let ratio = pair[0] / pair[1];
        assert!((3.0..5.5).contains(&ratio), "errors {errors:?}");
    }
    assert!(errors[3] < 0.01, "errors {errors:?}");
}

/// Force on a rigid plate at a depth of a smooth soft sphere: π c_l δ² (R − 2δ/3).
///
/// In the plate at the distance r from the middle the depth is R − √(r² + (R − δ)²); with s for the root,
/// F = 2π c_l ∫ (R − s) s ds from R − δ to R.
fn smooth_soft_force(depth: f64) -> f64 {
    PI * STIFFNESS * depth * depth * (RADIUS - 2.0 / 3.0 * depth)
}

/// How far below that the force is for a soft ball of 20 · 4^`subdivisions` faces.
fn deficit_of_a_soft_ball(subdivisions: u32, depth: f64) -> f64 {
    let ball = surface(icosphere(RADIUS, subdivisions));
    let outcome = at_rest(&plate(), &ball, &elastic(Method::MasterE), &pose_at_depth(depth));
    1.0 + outcome.wrenches.on_e.force.z / smooth_soft_force(depth)
}

#[test]
fn soft_ball_is_below_the_smooth_sphere_by_its_sag() {
    // Faces lie below the sphere by the mean sag s = ΔV / 4πR², and where the plate is, depths are smaller by as much:
    // the force is about that at the depth δ − s, which is (1 − s/δ)² of that at δ. It depends on the orientation of
    // the mesh, since the sag varies over the ball by a factor of about two: 40 % of each deficit is allowed.
    println!("| faces of the sphere | depth | force below π c_l δ² (R − 2δ/3), soft sphere, rigid plate |");
    println!("|---|---|---|");
    for (subdivisions, depth, published) in
        [(3, 1e-3, 0.47), (4, 1e-3, 0.135), (5, 1e-3, 0.035), (3, 5e-3, 0.112), (4, 5e-3, 0.029), (5, 5e-3, 0.007)]
    {
        let mesh = icosphere(RADIUS, subdivisions);
        let volume = submerged(&mesh, &translation(0.0, 0.0, -2.0 * RADIUS)).volume;
        let sag = (4.0 / 3.0 * PI * RADIUS.powi(3) - volume) / (4.0 * PI * RADIUS * RADIUS);
        let expected = 1.0 - (1.0 - sag / depth).powi(2);
        assert_close("mean sag", expected, published, 0.1);
        let actual = deficit_of_a_soft_ball(subdivisions, depth);
        println!("| {} | {} mm | {:.1} % |", 20 * 4usize.pow(subdivisions), 1e3 * depth, 1e2 * actual);
        assert_close("deficit", actual, expected, 0.4);
    }
}

#[test]
fn soft_ball_has_the_smooth_spheres_area_and_energy() {
    let depth = 5e-3;
    let ball = surface(icosphere(RADIUS, 5));
    let outcome = at_rest(&plate(), &ball, &elastic(Method::MasterE), &pose_at_depth(depth));
    // The sag of 20,480 faces is about 0.03 mm, 0.6 % of the depth, at most twice that; energy grows with its cube.
    // The patch is the disc in which the plate cuts the sphere.
    assert_close("area", outcome.contact_area, PI * (2.0 * RADIUS - depth) * depth, 0.02);
    // The integral of the force over the depth.
    let energy = PI * STIFFNESS * depth.powi(3) * (RADIUS / 3.0 - depth / 6.0);
    assert_close("energy", outcome.elastic_energy, energy, 0.03);
}

#[test]
fn centroid_scheme_converges_to_the_published_force() {
    let (plate, depth) = (plate(), 5e-3);
    let parameters = checked(&RawParameters { elements: ElementScheme::Centroid, ..elastic_raw(Method::MasterF) });
    // Depths along the normals of the ball: ∫ (z / cos θ) cos θ dA with dA = 2πR dz is π c_l R δ².
    let expected = PI * STIFFNESS * RADIUS * depth * depth;
    let errors = [2, 3, 4, 5].map(|subdivisions| {
        let ball = surface(icosphere(RADIUS, subdivisions));
        (-at_rest(&plate, &ball, &parameters, &pose_at_depth(depth)).wrenches.on_e.force.z / expected - 1.0).abs()
    });
    // The sag of the finest ball takes 1.4 %; elements at the border of the patch are wrong by their own size, where
    // little load is: 3 % on the finest ball and less than a third of the coarsest.
    assert!(errors[3] < 0.03 && errors[3] < errors[0] / 3.0, "errors {errors:?}");
}

#[test]
fn spin_of_a_pressed_ball_meets_eight_fifteenths() {
    let (plate, ball, depth, mu) = (plate(), surface(icosphere(RADIUS, 5)), 2e-3, 0.3);
    // So fast that the regularised zone is 1e-4 of the contact radius.
    let contact_radius = (2.0 * RADIUS * depth).sqrt();
    let (v_eps, spin) = (1e-3, 1e-3 / (1e-4 * contact_radius));
    let pose = pose_at_depth(depth);
    let motion = (&pose, Vector::zeros(), Vector::new(0.0, 0.0, spin));
    let outcome = moving(&plate, &ball, &frictional(Method::MasterE, mu, v_eps), motion);
    let centre = pose.translation.vector;
    let moment = (outcome.wrenches.on_e.torque - centre.cross(&outcome.wrenches.on_e.force)).z;
    // Contact radius a with the exact cap: the pressure is parabolic up to δ / R = 2 %, the sag is 1.5 % of the depth.
    let expected = 8.0 / 15.0 * mu * -outcome.wrenches.on_e.force.z * contact_radius;
    assert_close("spin moment", moment, expected, 0.02);
}
