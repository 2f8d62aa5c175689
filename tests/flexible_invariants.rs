//! What must hold for any two bodies in any pose.

use crate::support::flexible::{at_rest, checked, evaluated, flexible, potential, random_body};
use crate::support::random::{Random, pose_count};
use crate::support::{assert_close, assert_vector_eq};
use polycontact::contact::RelativeMotion;
use polycontact::flexible::{
    BodyModel, FlexibleBody, FlexibleOutcome, FlexiblePair, PairState, RawFlexibleParameters, ReducedModel, Solver,
    Workspace,
};
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::shapes::{cuboid, icosphere, moved};

const RADIUS: f64 = 0.01;

fn raw() -> RawFlexibleParameters {
    RawFlexibleParameters { penalty_stiffness: 1.0e6, tolerance: 1e-11, ..Default::default() }
}

fn soft_ball(random: &mut Random, modes: (usize, usize)) -> ReducedModel {
    random_body(&icosphere(RADIUS, 2), RADIUS, modes, 2.0e-8, random)
}

fn pairs(random: &mut Random) -> Vec<FlexiblePair> {
    let ball = |random: &mut Random| flexible(soft_ball(random, (0, 20)));
    let block = BodyModel::Rigid(cuboid(Vector::new(0.03, 0.03, 0.02)));
    [
        FlexiblePair::new(ball(random), ball(random)),
        FlexiblePair::new(ball(random), block),
        FlexiblePair::new(BodyModel::Rigid(icosphere(RADIUS, 3)), ball(random)),
    ]
    .map(|pair| pair.expect("a pair"))
    .into()
}

/// F at a random angle, about as far away that the surfaces overlap by up to 0.4 mm, or do not.
fn random_pose(random: &mut Random, distance: f64) -> Pose {
    let position = random.direction() * (distance - random.between(-1.0e-4, 4.0e-4));
    Pose::from_parts(position.into(), random.rotation())
}

/// The block is touched on its upper face.
fn random_pose_of(index: usize, random: &mut Random) -> Pose {
    if index != 1 {
        return random_pose(random, 2.0 * RADIUS);
    }
    let flat = Rotation::from_axis_angle(&Vector::z_axis(), random.between(0.0, 6.0));
    let lateral = Vector::new(random.between(-0.003, 0.003), random.between(-0.003, 0.003), 0.0);
    let depth = RADIUS + 0.01 - random.between(-1.0e-4, 4.0e-4);
    let block_on_ball = Pose::from_parts((lateral + depth * Vector::z()).into(), flat);
    let turn = Pose::from_parts(Vector::zeros().into(), random.rotation());
    turn * block_on_ball
}

/// Calls `check` with many poses in which evaluation succeeds; most of them must.
fn for_poses(check: impl Fn(&FlexiblePair, &Pose, &FlexibleOutcome, &mut Random)) {
    let mut random = Random::new(41);
    let pairs = pairs(&mut random);
    let (mut contacts, mut total) = (0, 0);
    for (index, pair) in pairs.iter().enumerate() {
        for _ in 0..pose_count(60) {
            let pose = random_pose_of(index, &mut random);
            let outcome = at_rest(pair, &checked(&raw()), &pose);
            total += 1;
            contacts += usize::from(outcome.in_contact);
            check(pair, &pose, &outcome, &mut random);
        }
    }
    assert!(total / 4 < contacts && contacts < total, "{contacts} contacts in {total} poses");
}

#[test]
fn action_equals_reaction_at_a_common_point() {
    for_poses(|_, pose, outcome, _| {
        let size = outcome.wrenches.on_e.force.norm();
        let force_on_f = pose.rotation * outcome.wrenches.on_f.force;
        // Some hundred sums of numbers of size 1e-2 m, with directions rounded once per frame.
        assert_vector_eq("the force on F", force_on_f, -outcome.wrenches.on_e.force, 1e-12 * size);
        let torque_on_f = pose.rotation * outcome.wrenches.on_f.torque;
        assert_vector_eq("the torque on F", torque_on_f, -outcome.wrenches.torque_on_e_at_f, 1e-11 * RADIUS * size);
        let at_f = outcome.wrenches.on_e.torque - pose.translation.vector.cross(&outcome.wrenches.on_e.force);
        assert_vector_eq("the torque on E at F", outcome.wrenches.torque_on_e_at_f, at_f, 1e-11 * RADIUS * size);
        assert_eq!(outcome.in_contact, outcome.contact_count > 0);
        assert_eq!(outcome.in_contact, size > 0.0);
        if !outcome.in_contact {
            assert_eq!(potential(outcome), 0.0);
        }
    });
}

/// Forces are the gradient of the energy of bodies and springs, and torques its derivative by rotation.
#[test]
fn forces_are_the_gradient_of_the_energy() {
    for_poses(|pair, pose, outcome, random| {
        if !outcome.in_contact {
            return;
        }
        let direction = random.direction();
        let moved = |t: f64| Pose::translation(t * direction.x, t * direction.y, t * direction.z) * pose;
        let turned = |t: f64| {
            let rotation = Rotation::new(t * direction) * pose.rotation;
            Pose::from_parts(pose.translation, rotation)
        };
        let energy = |pose: &Pose| potential(&at_rest(pair, &checked(&raw()), pose));
        // Small enough that hardly a node comes into contact, large enough for the rounding of energies.
        let step = 2.0e-9;
        let slope = (energy(&moved(step)) - energy(&moved(-step))) / (2.0 * step);
        let force = outcome.wrenches.on_e.force.dot(&direction);
        let size = outcome.wrenches.on_e.force.norm();
        // Energy grows where F is moved against the force on it, which is minus the force on E.
        assert!((slope - force).abs() < 1e-4 * size + 1e-6, "slope {slope}, force {force} of {size}");
        let angle = step / RADIUS;
        let slope = (energy(&turned(angle)) - energy(&turned(-angle))) / (2.0 * angle);
        let torque = outcome.wrenches.torque_on_e_at_f.dot(&direction);
        assert!((slope - torque).abs() < (1e-4 * size + 1e-6) * RADIUS, "slope {slope}, torque {torque}");
    });
}

/// A rotation of the frame of E, with its body, changes nothing but coordinates.
#[test]
fn a_common_rigid_motion_changes_nothing() {
    let mut random = Random::new(8);
    let (model_e, model_f) = (soft_ball(&mut random, (0, 20)), soft_ball(&mut random, (0, 20)));
    let pair = FlexiblePair::new(flexible(model_e.clone()), flexible(model_f.clone())).expect("a pair");
    for _ in 0..20 {
        let pose = random_pose(&mut random, 2.0 * RADIUS - 3.0e-4);
        let frame = random.pose_around(Vector::zeros(), 0.02);
        let moved_pair =
            FlexiblePair::new(flexible(moved_model(&model_e, &frame)), flexible(model_f.clone())).expect("a pair");
        let outcome = at_rest(&pair, &checked(&raw()), &pose);
        let other = at_rest(&moved_pair, &checked(&raw()), &(frame * pose));
        let size = outcome.wrenches.on_e.force.norm();
        // The solver's tolerance of 1e-11 and rounding of depths: 1e-17 m of 1e-4 m.
        assert_vector_eq(
            "the force on E",
            other.wrenches.on_e.force,
            frame.rotation * outcome.wrenches.on_e.force,
            1e-8 * size,
        );
        assert_vector_eq("the force on F", other.wrenches.on_f.force, outcome.wrenches.on_f.force, 1e-8 * size);
        assert_vector_eq(
            "the torque on F",
            other.wrenches.on_f.torque,
            outcome.wrenches.on_f.torque,
            1e-8 * RADIUS * size,
        );
        assert_eq!(other.contact_count, outcome.contact_count);
    }
}

/// The same body in another frame.
fn moved_model(model: &ReducedModel, frame: &Pose) -> ReducedModel {
    let mut moved = model.clone();
    for node in &mut moved.contact_nodes {
        *node = frame.rotation * *node + frame.translation.vector;
    }
    for shape in moved.modes.chunks_exact_mut(3) {
        shape.copy_from_slice((frame.rotation * Vector::new(shape[0], shape[1], shape[2])).as_slice());
    }
    moved
}

#[test]
fn bodies_can_change_places() {
    let mut random = Random::new(9);
    let (model_e, model_f) = (soft_ball(&mut random, (0, 20)), soft_ball(&mut random, (0, 20)));
    let pair = FlexiblePair::new(flexible(model_e.clone()), flexible(model_f.clone())).expect("a pair");
    let swapped = FlexiblePair::new(flexible(model_f), flexible(model_e)).expect("a pair");
    for _ in 0..20 {
        let pose = random_pose(&mut random, 2.0 * RADIUS - 3.0e-4);
        let parameters = RawFlexibleParameters { pass_weight: 0.3, ..raw() };
        let outcome = at_rest(&pair, &checked(&parameters), &pose);
        let parameters = RawFlexibleParameters { pass_weight: 0.7, ..raw() };
        let other = at_rest(&swapped, &checked(&parameters), &pose.inverse());
        let size = outcome.wrenches.on_e.force.norm();
        assert_vector_eq("the force on E", other.wrenches.on_f.force, outcome.wrenches.on_e.force, 1e-8 * size);
        assert_vector_eq(
            "the torque on F",
            other.wrenches.on_e.torque,
            outcome.wrenches.on_f.torque,
            1e-8 * RADIUS * size,
        );
        assert_close("the energy of E", other.strain_energy[1], outcome.strain_energy[0], 1e-7);
    }
}

#[test]
fn newton_and_broyden_find_the_same_root() {
    let mut compared = 0;
    let mut random = Random::new(43);
    let pairs = pairs(&mut random);
    for (index, pair) in pairs.iter().enumerate() {
        for _ in 0..30 {
            let pose = random_pose_of(index, &mut random);
            let newton = at_rest(pair, &checked(&raw()), &pose);
            let parameters = RawFlexibleParameters { solver: Solver::Broyden, iteration_limit: 200, ..raw() };
            let motion = RelativeMotion::at_rest(pose);
            let broyden =
                pair.evaluate(&checked(&parameters), &motion, &pair.initial_state(), &mut Workspace::default());
            // Without a line search Broyden's iteration may fail; where it finds a root, it is this one.
            let Ok(broyden) = broyden else { continue };
            let size = newton.wrenches.on_e.force.norm();
            assert_vector_eq("Broyden's force", broyden.wrenches.on_e.force, newton.wrenches.on_e.force, 1e-7 * size);
            assert_eq!(broyden.contact_count, newton.contact_count);
            compared += usize::from(newton.in_contact);
        }
    }
    assert!(compared > 30, "only {compared} compared");
}

/// The guess in the state changes iterations, not the result.
#[test]
fn the_warm_start_does_not_change_the_root() {
    let mut random = Random::new(44);
    let pair = &pairs(&mut random)[0];
    let mut pose = random_pose(&mut random, 2.0 * RADIUS);
    pose.translation.vector = pose.translation.vector.normalize() * (2.0 * RADIUS - 5.0e-4);
    let parameters = checked(&raw());
    let cold = at_rest(pair, &parameters, &pose);
    let mut state = pair.initial_state();
    pair.advance(&parameters, &|_| Ok(RelativeMotion::at_rest(pose)), 1.0e-6, &mut state, &mut Workspace::default())
        .expect("a step");
    let warm = evaluated(pair, &parameters, &pose, &state);
    assert!(warm.iterations < cold.iterations, "{} and {} iterations", warm.iterations, cold.iterations);
    assert_vector_eq(
        "the force",
        warm.wrenches.on_e.force,
        cold.wrenches.on_e.force,
        1e-9 * cold.wrenches.on_e.force.norm(),
    );
}

#[test]
fn results_depend_on_the_arguments_only() {
    let mut random = Random::new(45);
    let pairs = pairs(&mut random);
    let parameters = checked(&raw());
    let mut workspace = Workspace::default();
    for _ in 0..10 {
        for (index, pair) in pairs.iter().enumerate() {
            let motion = RelativeMotion::at_rest(random_pose_of(index, &mut random));
            let state = pair.initial_state();
            let used = pair.evaluate(&parameters, &motion, &state, &mut workspace).expect("a result");
            let fresh = pair.evaluate(&parameters, &motion, &state, &mut Workspace::default()).expect("a result");
            assert_eq!(used, fresh);
        }
    }
}

/// A rigid body in contact behaves as a flexible one without modes.
#[test]
fn a_flexible_body_without_modes_is_rigid() {
    let mut random = Random::new(46);
    let soft = soft_ball(&mut random, (0, 20));
    let mesh = moved(&icosphere(RADIUS, 2), &Pose::translation(0.001, 0.0, 0.0));
    let stiff = FlexibleBody::new(crate::support::flexible::model_of_mesh(&mesh)).expect("a model");
    let with_rigid = FlexiblePair::new(flexible(soft.clone()), BodyModel::Rigid(mesh)).expect("a pair");
    let with_stiff = FlexiblePair::new(flexible(soft), BodyModel::Flexible(stiff)).expect("a pair");
    for _ in 0..10 {
        let pose = random_pose(&mut random, 2.0 * RADIUS - 1.0e-3);
        let motion = RelativeMotion::at_rest(pose);
        let evaluate = |pair: &FlexiblePair| {
            pair.evaluate(&checked(&raw()), &motion, &pair.initial_state(), &mut Workspace::default())
        };
        assert_eq!(evaluate(&with_rigid), evaluate(&with_stiff));
    }
}

#[test]
fn states_of_other_pairs_are_refused() {
    let mut random = Random::new(47);
    let pairs = pairs(&mut random);
    let state = pairs[0].initial_state();
    assert!(PairState::from_numbers(&pairs[1], state.as_numbers()).is_err());
    let mut numbers = state.as_numbers().to_vec();
    numbers[3] = f64::NAN;
    assert!(PairState::from_numbers(&pairs[0], &numbers).is_err());
    let motion = RelativeMotion::at_rest(Pose::identity());
    assert!(pairs[1].evaluate(&checked(&raw()), &motion, &state, &mut Workspace::default()).is_err());
}
