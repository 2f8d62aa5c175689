//! Hosts of a few lines: what the wrench of the exchange makes of their motion.

use super::*;
use crate::contact::{Derivatives, Outcome, RelativeMotion};
use crate::shapes;

const RADIUS: f64 = 0.1;
const MASS: f64 = 4.19;
const GRAVITY: f64 = 9.81;
/// A ball on a plane presses with this times depth²; c_l π R of the default layers.
const STIFFNESS: f64 = 4.0e9;

/// E is a ball about its marker, F a plane z = 0 in its own frame, E above it. No friction.
fn ball_on_plane(motion: &RelativeMotion) -> Sample {
    let pose = motion.pose_ef();
    let normal = pose.rotation * Vector::z();
    // Height of the ball's centre above the plane.
    let height = -pose.translation.vector.dot(&normal);
    let depth = RADIUS - height;
    let (mut outcome, mut derivatives) = (Outcome::default(), Derivatives::default());
    if depth <= 0.0 {
        return (outcome, derivatives);
    }
    let force = STIFFNESS * depth * depth;
    let on_e = |force: f64, normal: Vector| {
        let wrench = Wrench { force: force * normal, torque: Vector::zeros() };
        let about_f = -pose.translation.vector;
        Wrenches { on_e: wrench, on_f: Wrench::default(), torque_on_e_at_f: about_f.cross(&wrench.force) }
    };
    outcome.in_contact = true;
    outcome.wrenches = on_e(force, normal);
    outcome.elastic_energy = STIFFNESS * depth.powi(3) / 3.0;
    outcome.max_penetration = depth;
    // Differences are exact enough here.
    for i in 0..6 {
        let h = 1e-7;
        let mut way = Six::zeros();
        way[i] = h;
        let side = |sign: f64| {
            let pose = moved(pose, &(sign * way));
            let normal = pose.rotation * Vector::z();
            let depth = (RADIUS + pose.translation.vector.dot(&normal)).max(0.0);
            let force = STIFFNESS * depth * depth * normal;
            (force, (-pose.translation.vector).cross(&force))
        };
        let (up, down) = (side(1.0), side(-1.0));
        derivatives.by_pose[i].wrenches.on_e.force = (up.0 - down.0) / (2.0 * h);
        derivatives.by_pose[i].wrenches.torque_on_e_at_f = (up.1 - down.1) / (2.0 * h);
    }
    (outcome, derivatives)
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Master {
    Parallel,
    Sequential,
    ReadsBefore,
}

fn exchange(density_factor: f64) -> Exchange {
    let ball = SolidBody::of_mesh(&shapes::icosphere(RADIUS, 3));
    let plate = SolidBody::of_mesh(&shapes::cuboid(Vector::new(0.5, 0.5, 0.1)));
    let mut exchange = Exchange::new([ball, plate]);
    if density_factor != 0.0 {
        let mass = MASS * density_factor;
        let inertia = 0.4 * mass * RADIUS * RADIUS;
        let fixed = BodyParameters { mass: 1e12, moments_of_inertia: [1e12; 3], ..BodyParameters::default() };
        exchange.state([BodyParameters { mass, moments_of_inertia: [inertia; 3], ..BodyParameters::default() }, fixed]);
    }
    exchange
}

/// Height of the rebound in m after a fall, and the mean number of evaluations.
fn rebound(master: Master, step: f64, drop: f64, mut exchange: Exchange, bounces: u32) -> f64 {
    let mut numbers = Vec::new();
    let (mut height, mut velocity) = (RADIUS + drop, 0.0);
    let mut last_force = 0.0;
    let mut has_touched = false;
    let mut count = 0;
    for _ in 0..1_000_000 {
        let pose = Pose::translation(0.0, 0.0, -height);
        let motion = RelativeMotion::new(pose, Vector::new(0.0, 0.0, -velocity), Vector::zeros()).unwrap();
        let mut evaluations = 0;
        let evaluate = |motion: &RelativeMotion| {
            evaluations += 1;
            ball_on_plane(motion)
        };
        let returned = match master {
            Master::ReadsBefore if !numbers.is_empty() => {
                let returned = exchange.foresee(&mut numbers, &motion, step, &Losses::default(), evaluate).unwrap();
                assert!(exchange.step_as_foreseen(&mut numbers, &motion, step, |_| unreachable!()).unwrap());
                returned
            }
            _ => exchange.step(&mut numbers, &motion, step, &Losses::default(), evaluate).unwrap(),
        };
        assert!(evaluations <= 7, "{evaluations}");
        let force = returned.outcome.wrenches.on_e.force.z;
        let applied = if master == Master::Parallel { last_force } else { force };
        last_force = force;
        let acceleration = applied / MASS - GRAVITY;
        height += step * (velocity + 0.5 * step * acceleration);
        velocity += step * acceleration;
        has_touched |= 0.0 < applied;
        if has_touched && applied == 0.0 && RADIUS < height && 0.0 < velocity {
            has_touched = false;
            count += 1;
            if count == bounces {
                return height - RADIUS + velocity * velocity / (2.0 * GRAVITY);
            }
        }
    }
    panic!("the ball does not leave the plate")
}

/// Rebound after a fall of 10 mm: contact time 4.3 ms.
#[test]
fn a_ball_rebounds_to_where_it_fell_from() {
    let error = |master, step, factor, bounces| rebound(master, step, 0.01, exchange(factor), bounces) / 0.01 - 1.0;
    for master in [Master::Parallel, Master::Sequential, Master::ReadsBefore] {
        for (step, stated, guessed) in [(2e-3, 0.01, 0.02), (1e-3, 0.01, 0.01), (5e-4, 1e-3, 1e-3)] {
            for bounces in [1, 10] {
                let (with, without) = (error(master, step, 1.0, bounces), error(master, step, 0.0, bounces));
                assert!(with.abs() < stated, "{master:?} {step} {bounces}: {with}");
                assert!(without.abs() < guessed, "{master:?} {step} {bounces}: {without}");
            }
        }
    }
}

/// Steps as long as the contact, and more than twice as long: what is read before the step is right at once where masses
/// are stated, and nothing is gained later.
#[test]
fn steps_longer_than_the_contact_keep_the_energy() {
    for step in [5e-3, 1e-2] {
        for bounces in [1, 10] {
            let height = rebound(Master::ReadsBefore, step, 0.01, exchange(1.0), bounces);
            assert!((height / 0.01 - 1.0).abs() < 0.05, "{step} {bounces}: {height}");
        }
        let [first, tenth] = [1, 10].map(|bounces| rebound(Master::Sequential, step, 0.01, exchange(0.0), bounces));
        assert!(tenth < 1.05 * first && first < 0.0105, "{step}: {first}, {tenth}");
    }
}

#[test]
fn memory_survives_being_written_and_read() {
    let mut exchange = exchange(0.0);
    let mut numbers = Vec::new();
    let pose = Pose::translation(0.0, 0.0, -RADIUS + 1e-4);
    let motion = RelativeMotion::new(pose, Vector::new(0.1, 0.0, 0.3), Vector::new(0.0, 1.0, 0.0)).unwrap();
    for _ in 0..3 {
        exchange.step(&mut numbers, &motion, 1e-3, &Losses::default(), ball_on_plane).unwrap();
    }
    assert!(exchange.memory.read(&numbers));
    let mut again = Vec::new();
    exchange.memory.write(&mut again);
    assert_eq!(
        numbers.iter().map(|n| n.to_bits()).collect::<Vec<_>>(),
        again.iter().map(|n| n.to_bits()).collect::<Vec<_>>()
    );
    assert!(!exchange.memory.read(&numbers[1..]));
}
