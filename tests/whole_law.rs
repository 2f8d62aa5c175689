//! The whole force law against dense sampling, and against what follows from it exactly.
//!
//! A point of a surface inside the other body is as deep as its distance to that body's surface; the pressure acts
//! along the normal of the surface that the point belongs to.

use std::f64::consts::{FRAC_PI_4, PI};

use crate::support::convex_law::convex_law;
use crate::support::half_space::submerged;
use crate::support::poses::pose_at_depth;
use crate::support::random::{Random, pose_count};
use crate::support::sampled_law::sampled_law;
use crate::support::{
    FORCE_METHODS, STIFFNESS, assert_close, at_rest, checked, elastic, elastic_raw, generic_rotation, pose,
};
use crate::support::{lowest_point, surface, translation};
use polycontact::contact::{
    ContactParameters, ContactSurface, Method, Outcome, RawLayer, RawParameters, RelativeMotion,
};
use polycontact::contact::{Workspace, evaluate};
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::mesh::TriangleMesh;
use polycontact::shapes::{cuboid, gear, icosphere, l_profile, moved, regular_prism};

/// A plate with its top on z = 0, large and thick enough to be a half-space for what dips into it.
fn plate() -> ContactSurface {
    surface(moved(&cuboid(Vector::new(1.0, 1.0, 0.4)), &translation(0.0, 0.0, -0.2)))
}

/// E with the whole stiffness, F rigid.
fn soft_e() -> ContactParameters {
    let raw = elastic_raw(Method::Auto);
    let layer_e = RawLayer { youngs_modulus: 0.5 * raw.layer_e.youngs_modulus, ..raw.layer_e };
    checked(&RawParameters { layer_e, layer_f: RawLayer::RIGID, ..raw })
}

/// F with the whole stiffness, E rigid.
fn soft_f() -> ContactParameters {
    let raw = elastic_raw(Method::Auto);
    let layer_f = RawLayer { youngs_modulus: 0.5 * raw.layer_f.youngs_modulus, ..raw.layer_f };
    checked(&RawParameters { layer_f, layer_e: RawLayer::RIGID, ..raw })
}

/// Both soft, E three times as stiff as F, c_l = [`STIFFNESS`].
fn unequal(method: Method) -> RawParameters {
    let raw = elastic_raw(method);
    let layer = |share: f64| RawLayer { youngs_modulus: share * raw.layer_e.youngs_modulus, ..raw.layer_e };
    RawParameters { layer_e: layer(2.0), layer_f: layer(2.0 / 3.0), ..raw }
}

/// How far the samples may be apart, in m.
const SPACING: f64 = 1.6e-3;

/// Errors of the sampling that its two levels may hide, over the load.
const HIDDEN_ERROR: f64 = 1e-3;

/// Compares an outcome with the sampled law; says what differs.
fn difference(
    outcome: &Outcome,
    pair: [&ContactSurface; 2],
    parameters: &ContactParameters,
    motion: &RelativeMotion,
) -> Option<String> {
    let meshes = pair.map(ContactSurface::mesh);
    let sampled = sampled_law(meshes, parameters, motion, SPACING);
    let law = &sampled.law;
    let hidden = HIDDEN_ERROR * law.load;
    let arm = 0.2;
    let speed = motion.velocity_e().norm() + arm * motion.angular_velocity_e().norm();
    let damping = parameters.areal_damping() * speed;
    let slope = parameters.combined_layer_stiffness() + damping / parameters.damping_transition_depth().max(1e-3);
    let depth_error = sampled.depth_error;
    let checks = [
        ("force", (outcome.wrenches.on_e.force - law.force).norm(), sampled.force_error + hidden),
        ("torque", (outcome.wrenches.on_e.torque - law.torque).norm(), sampled.torque_error + arm * hidden),
        ("area", (outcome.contact_area - law.area).abs(), sampled.area_error + 0.1 * SPACING * law.area.sqrt()),
        ("power", (outcome.dissipated_power - law.dissipated_power).abs(), sampled.power_error + speed * hidden),
        ("depth", (outcome.max_penetration - law.max_depth).abs(), depth_error),
        ("pressure", (outcome.normal_stress.max - law.max_pressure).abs(), slope * depth_error),
    ];
    let wrong: Vec<String> = checks
        .iter()
        .filter(|(_, error, bound)| error.is_nan() || bound < error)
        .map(|(what, error, bound)| format!("{what} off by {error:.2e}, {bound:.1e} allowed"))
        .collect();
    (!wrong.is_empty()).then(|| format!("{}; load {:.1} N", wrong.join(", "), law.load))
}

#[test]
fn sampling_finds_the_volume_below_a_plane() {
    let (plate, cube) = (plate(), surface(cuboid(Vector::new(0.1, 0.08, 0.06))));
    for rotation in [Vector::new(0.5, 0.3, 0.1), Vector::new(-0.2, 0.9, 0.4), Vector::new(FRAC_PI_4, 0.0, 0.0)] {
        let turned = pose(Vector::zeros(), rotation);
        let position = Vector::new(0.02, 0.03, -0.01 - lowest_point(cube.mesh(), &turned));
        let motion = RelativeMotion::at_rest(pose(position, rotation));
        let sampled = sampled_law([plate.mesh(), cube.mesh()], &soft_e(), &motion, SPACING);
        let expected = submerged(cube.mesh(), motion.pose_ef());
        let (force, torque) = (expected.force(STIFFNESS), expected.torque(STIFFNESS));
        let hidden = HIDDEN_ERROR * sampled.law.load;
        let (force_error, torque_error) = ((sampled.law.force - force).norm(), (sampled.law.torque - torque).norm());
        assert!(force_error <= sampled.force_error + hidden, "force {force_error:e}, {:e}", sampled.force_error);
        assert!(torque_error <= sampled.torque_error + 0.2 * hidden, "torque {torque_error:e}");
        assert!((sampled.law.max_depth - 0.01).abs() <= sampled.depth_error);
    }
}

#[test]
fn forces_are_those_of_the_sampled_law() {
    let cube = surface(cuboid(Vector::new(0.1, 0.08, 0.06)));
    let angle = surface(l_profile(0.08, 0.03, 0.1));
    let wheel = surface(gear(7, 0.04, 0.06, 0.03));
    let mut failures = Vec::new();
    let mut random = Random::new(11);
    for (name, e, f) in [("box – box", &cube, &cube), ("L – box", &angle, &cube), ("gear – gear", &wheel, &wheel)]
    {
        for _ in 0..pose_count(8) {
            let depth = random.between(0.003, 0.012);
            let pose_ef = pose_at_depth(e, f, depth, &mut random);
            let (velocity, spin) = (random.direction() * 0.3, random.direction() * 2.0);
            let moving = RelativeMotion::new(pose_ef, velocity, spin).expect("finite");
            let damped = |method| RawParameters {
                areal_damping: 1e6,
                damping_transition_depth: 5e-3,
                friction_coefficient: 0.4,
                friction_regularization_velocity: 0.2,
                ..unequal(method)
            };
            let mut cases: Vec<(String, ContactParameters, RelativeMotion)> = Vec::new();
            for method in FORCE_METHODS {
                cases.push((format!("{method:?}"), checked(&damped(method)), moving));
            }
            cases.push((
                "both soft, at rest".into(),
                checked(&unequal(Method::Auto)),
                RelativeMotion::at_rest(pose_ef),
            ));
            cases.push(("E soft, at rest".into(), soft_e(), RelativeMotion::at_rest(pose_ef)));
            cases.push(("F soft, at rest".into(), soft_f(), RelativeMotion::at_rest(pose_ef)));
            for (case, parameters, motion) in &cases {
                let outcome = evaluate(e, f, parameters, motion, &mut Workspace::default());
                if let Some(difference) = difference(&outcome, [e, f], parameters, motion) {
                    failures.push(format!("{name}, {case}, {:.1} mm: {difference}", 1e3 * depth));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
}

/// Convex bodies about 10 cm large.
fn convex_shapes() -> [TriangleMesh; 4] {
    [
        cuboid(Vector::new(0.1, 0.08, 0.06)),
        cuboid(Vector::new(0.2, 0.03, 0.03)),
        regular_prism(0.05, 0.08, 12),
        icosphere(0.05, 1),
    ]
}

/// Calls a check with random poses of all pairs of convex shapes, with both bodies soft, and with one.
fn for_convex_pairs(poses: usize, check: impl Fn([&ContactSurface; 2], &ContactParameters, &Pose)) {
    let shapes = convex_shapes().map(surface);
    let mut random = Random::new(29);
    for (i, e) in shapes.iter().enumerate() {
        for f in &shapes[i..] {
            for _ in 0..pose_count(poses) {
                let depth = random.between(0.001, 0.02);
                let pose_ef = pose_at_depth(e, f, depth, &mut random);
                for parameters in [checked(&unequal(Method::Auto)), soft_e(), soft_f()] {
                    check([e, f], &parameters, &pose_ef);
                }
            }
        }
    }
}

#[test]
fn convex_bodies_have_the_exact_law() {
    for_convex_pairs(6, |[e, f], parameters, pose_ef| {
        let outcome = at_rest(e, f, parameters, pose_ef);
        let exact = convex_law([e.mesh(), f.mesh()], parameters, pose_ef);
        crate::support::assert_wrench_eq(&outcome, exact.force, exact.torque, 1e-9 * exact.load, 1e-10 * exact.load);
        assert_close("area", outcome.contact_area, exact.area, 1e-9);
        // Deeper, cells meet whose faces have no corner in common, and the energy is that of a bed of springs.
        if outcome.max_penetration < 2e-3 {
            assert_close("energy", outcome.elastic_energy, exact.energy, 1e-7);
        }
    });
}

#[test]
fn sampling_agrees_with_the_exact_law() {
    for_convex_pairs(1, |[e, f], parameters, pose_ef| {
        let meshes = [e.mesh(), f.mesh()];
        let exact = convex_law(meshes, parameters, pose_ef);
        let sampled = sampled_law(meshes, parameters, &RelativeMotion::at_rest(*pose_ef), SPACING);
        let (law, hidden) = (&sampled.law, HIDDEN_ERROR * exact.load);
        let bounds = [
            ((law.force - exact.force).norm(), sampled.force_error + hidden),
            ((law.torque - exact.torque).norm(), sampled.torque_error + 0.2 * hidden),
            ((law.area - exact.area).abs(), sampled.area_error + 0.1 * SPACING * law.area.sqrt()),
        ];
        assert!(bounds.iter().all(|(error, bound)| error <= bound), "{bounds:.2?} of {:.1} N", exact.load);
    });
}

#[test]
fn exact_law_is_the_gradient_of_its_energy() {
    for_convex_pairs(1, |[e, f], parameters, pose_ef| {
        let at = |pose: &Pose| convex_law([e.mesh(), f.mesh()], parameters, pose);
        let exact = at(pose_ef);
        let step = 1e-6;
        for axis in [Vector::x(), Vector::y(), Vector::z()] {
            // F moves, so the energy changes by minus the power on F, which is that on E with the sign turned.
            let moved =
                |by: f64| at(&Pose::from_parts((pose_ef.translation.vector + axis * by).into(), pose_ef.rotation));
            let slope = (moved(step).energy - moved(-step).energy) / (2.0 * step);
            assert!((slope - exact.force.dot(&axis)).abs() <= 1e-5 * exact.load, "force {slope}");
            let turned = |by: f64| at(&(pose(Vector::zeros(), axis * by) * pose_ef));
            let slope = (turned(step).energy - turned(-step).energy) / (2.0 * step);
            assert!((slope - exact.torque.dot(&axis)).abs() <= 1e-5 * exact.load, "torque {slope}");
        }
    });
}

/// Poses of a small box in the plate: edge first, corner first, and in between.
fn box_first_poses(cube: &ContactSurface) -> Vec<Pose> {
    let corner = Rotation::rotation_between(&Vector::new(1.0, 1.0, 1.0), &-Vector::z()).expect("not opposite");
    let rotations = [
        Rotation::new(Vector::new(FRAC_PI_4, 0.0, 0.0)),
        Rotation::new(Vector::new(0.3, 0.0, 0.0)),
        corner,
        corner * generic_rotation(),
        generic_rotation(),
    ];
    let mut poses = Vec::new();
    for rotation in rotations {
        for depth in [1e-4, 3e-3, 2e-2] {
            let turned = Pose::from_parts(Vector::zeros().into(), rotation);
            let position = Vector::new(0.013, -0.021, -depth - lowest_point(cube.mesh(), &turned));
            poses.push(Pose::from_parts(position.into(), rotation));
        }
    }
    poses
}

#[test]
fn rigid_box_in_a_soft_plate_is_pushed_out_by_its_volume() {
    let (plate, cube) = (plate(), surface(cuboid(Vector::new(0.1, 0.1, 0.1))));
    for pose_ef in box_first_poses(&cube) {
        let outcome = at_rest(&plate, &cube, &soft_e(), &pose_ef);
        let expected = submerged(cube.mesh(), &pose_ef);
        let force = expected.force(STIFFNESS);
        let off = outcome.wrenches.on_e.force - force;
        assert!(off.norm() <= 1e-9 * force.norm(), "off by {:?} of {:e} N", off.as_slice(), force.norm());
        let off = (outcome.wrenches.on_e.torque - expected.torque(STIFFNESS)).norm();
        assert!(off <= 1e-9 * 0.1 * force.norm(), "torque off by {off:e} N m");
        let energy = STIFFNESS * depth_integral(&cube, &pose_ef);
        // Heights are counted from a corner of the plate, some thousand times as far away as the contact is deep.
        assert!((outcome.elastic_energy - energy).abs() <= 1e-6 * energy, "{} J, not {energy}", outcome.elastic_energy);
    }
}

/// ∫ over the part of a body below z = 0 of its depth: ½ ∫ u² over its faces, projected.
fn depth_integral(body: &ContactSurface, pose: &Pose) -> f64 {
    submerged(body.mesh(), pose).energy(1.0)
}

#[test]
fn soft_box_on_a_rigid_plate_is_pushed_straight() {
    let (plate, cube) = (plate(), surface(cuboid(Vector::new(0.1, 0.1, 0.1))));
    for pose_ef in box_first_poses(&cube) {
        let force = at_rest(&plate, &cube, &soft_f(), &pose_ef).wrenches.on_e.force;
        assert!(force.z < 0.0 && force.xy().norm() <= 1e-9 * force.norm(), "{:?}", force.as_slice());
    }
}

#[test]
fn crossed_edges_push_along_their_common_perpendicular() {
    let rod = cuboid(Vector::new(0.5, 0.05, 0.05));
    for parameters in [elastic(Method::Auto), soft_e(), soft_f()] {
        for roll_e in [-40f64, -17.0, 0.0, 25.0, 40.0] {
            for (roll_f, crossing) in [(-40f64, 90f64), (-8.0, 70.0), (0.0, 90.0), (40.0, 115.0)] {
                // E along x with an edge on top, F across it with an edge below.
                let about_x = |degrees: f64| Rotation::new(Vector::x() * (FRAC_PI_4 + degrees.to_radians()));
                let lower = moved(&rod, &Pose::from_parts(Vector::zeros().into(), about_x(roll_e)));
                let turn = Rotation::new(Vector::z() * crossing.to_radians());
                let upper = moved(&rod, &Pose::from_parts(Vector::zeros().into(), turn * about_x(roll_f)));
                let top = lower.vertices.iter().map(|vertex| vertex.z).fold(0.0, f64::max);
                let distance = top - lowest_point(&upper, &Pose::identity()) - 2e-3;
                let pose_ef = translation(0.01, 0.015, distance);
                let force = at_rest(&surface(lower), &surface(upper), &parameters, &pose_ef).wrenches.on_e.force;
                let aside = force.xy().norm() / force.norm();
                assert!(force.z < 0.0 && aside <= 1e-9, "rolls {roll_e}, {roll_f}: {aside:e} aside");
            }
        }
    }
}

#[test]
fn flush_boxes_change_in_proportion_to_a_shift() {
    let side = 0.2;
    let cube = cuboid(Vector::repeat(side));
    for rotation in [Rotation::identity(), generic_rotation()] {
        let turned = Pose::from_parts(Vector::zeros().into(), rotation);
        let mesh = moved(&cube, &turned);
        let (e, f) = (surface(mesh.clone()), surface(mesh));
        for parameters in [elastic(Method::Auto), soft_e()] {
            for depth in [1e-2, 5e-2] {
                let at = |shift: Vector| {
                    let position = rotation * (Vector::z() * (side - depth) + shift);
                    at_rest(&e, &f, &parameters, &translation(position.x, position.y, position.z))
                };
                let flush = at(Vector::zeros());
                // Every face next to the shift changes its pressure and its area by so much, and no more.
                let stiffness = 8.0 * STIFFNESS * side * depth;
                for size in [1e-10, 1e-9, 1e-8, 1e-7, 1e-6] {
                    for direction in [Vector::x(), -Vector::x(), Vector::new(0.6, 0.8, 0.0), Vector::new(0.6, 0.0, 0.8)]
                    {
                        let shifted = at(direction * size);
                        let change = crate::support::wrench_distance(&flush, &shifted, side);
                        // A shift in depth loads the whole face.
                        let stiffness = stiffness + 2.0 * STIFFNESS * side * side * direction.z;
                        let allowed = stiffness * size + 1e-9 * flush.wrenches.on_e.force.norm();
                        assert!(change <= allowed, "{depth} m deep, {size:e} m: {change:e} N, {allowed:e} allowed");
                    }
                }
            }
        }
    }
}

#[test]
fn rigid_ball_in_a_soft_plate_is_pushed_out_by_its_volume() {
    let plate = plate();
    for subdivisions in [1, 2, 3] {
        let ball = surface(icosphere(0.1, subdivisions));
        for depth in [1e-3, 1e-2, 5e-2] {
            let pose_ef = Pose::from_parts(Vector::new(0.01, 0.02, 0.1 - depth).into(), generic_rotation());
            let force = at_rest(&plate, &ball, &soft_e(), &pose_ef).wrenches.on_e.force;
            let expected = submerged(ball.mesh(), &pose_ef).force(STIFFNESS);
            assert!((force - expected).norm() <= 1e-9 * expected.norm(), "{subdivisions}, {depth} m");
        }
    }
}

#[test]
fn soft_ball_on_a_rigid_plate_converges_to_its_formula() {
    let (plate, radius, depth) = (plate(), 0.1, 0.01);
    let expected = STIFFNESS * PI * depth * depth * (radius - 2.0 / 3.0 * depth);
    let error = |subdivisions| {
        let ball = surface(icosphere(radius, subdivisions));
        let pose_ef = Pose::from_parts(Vector::new(0.0, 0.0, radius - depth).into(), generic_rotation());
        (at_rest(&plate, &ball, &soft_f(), &pose_ef).wrenches.on_e.force.norm() / expected - 1.0).abs()
    };
    let errors = [2, 3, 4, 5].map(error);
    println!("errors {errors:?}");
    assert!(errors[3] < 5e-3, "{errors:?}");
    // Faces half as long are four times as close to the sphere.
    assert!(errors[3] < 0.4 * errors[2] && errors[2] < 0.4 * errors[1], "{errors:?}");
}
