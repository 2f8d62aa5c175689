//! What bristles store and take, and a block that stands on two of their patches.

use crate::support::host::{Body, Element, soft_on_rigid};
use crate::support::{assert_close, surface, translation};
use polycontact::contact::{Deflection, Outcome, RawParameters, RelativeMotion};
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::shapes::{cuboid, icosphere, moved};

const STEP: f64 = 1e-3;
const GRAVITY: f64 = 9.81;

fn plate() -> polycontact::contact::ContactSurface {
    surface(moved(&cuboid(Vector::new(1.0, 1.0, 0.2)), &translation(0.0, 0.0, -0.1)))
}

/// A ball is led around at one depth, so slowly that nothing is damped: back and forth below the limit and beyond it, and
/// turned about its normal. The work that leads it is what bristles store and what they have taken, and they take it only.
#[test]
fn work_is_stored_or_taken() {
    let raw = RawParameters { areal_damping: 0.0, tangential_damping: 0.0, ..soft_on_rigid() };
    let (radius, depth) = (0.1, 1e-3);
    let mut element = Element::new(plate(), surface(icosphere(radius, 4)), &raw);
    let reach = raw.friction_coefficient * element.parameters.combined_layer_stiffness() * depth
        / element.parameters.bristles().unwrap().stiffness;
    // Along, aside and turned, as functions of the phase.
    let at = |phase: f64| {
        let swing = reach * (1.0 + 2.0 * phase) * (6.0 * phase).sin();
        let turn = Rotation::new(Vector::z() * (0.03 * (4.0 * phase).sin()));
        let place = Vector::new(0.02 + swing, 0.03 + 0.4 * reach * (9.0 * phase).sin(), radius - depth);
        Pose::from_parts(place.into(), turn)
    };
    let look = |element: &mut Element, pose: Pose| element.step(&RelativeMotion::at_rest(pose));
    let mut last = look(&mut element, at(0.0));
    let (start, mut pose, mut led) = (last.elastic_energy, at(0.0), 0.0);
    let (mut taken, mut largest, mut has_stuck, mut has_slipped) = (0.0, 0.0f64, false, false);
    let steps = 20_000;
    for step in 1..=steps {
        let next = at(4.0 * f64::from(step) / f64::from(steps));
        let outcome = look(&mut element, next);
        assert!(0.0 <= outcome.dissipated_power);
        // Wrenches on F are about its origin, in its frame; the mean of both ends over the way.
        let way = next.translation.vector - pose.translation.vector;
        let turn = (next.rotation * pose.rotation.inverse()).scaled_axis();
        let power = |outcome: &Outcome, pose: &Pose| {
            let on_f = outcome.wrenches.on_f;
            -((pose.rotation * on_f.force).dot(&way) + (pose.rotation * on_f.torque).dot(&turn))
        };
        led += 0.5 * (power(&last, &pose) + power(&outcome, &next));
        let now = element.memory.friction_work;
        assert!(taken <= now, "friction gives {}", now - taken);
        (taken, last, pose) = (now, outcome, next);
        has_stuck |= outcome.sticking;
        has_slipped |= !outcome.sticking;
        let balance = led - (outcome.elastic_energy - start) - taken;
        largest = largest.max(balance.abs());
    }
    println!("led {led:.6e} J, taken {taken:.6e} J, largest difference {largest:.3e} J");
    assert!(has_stuck && has_slipped && 0.0 < taken);
    assert!(largest < BALANCE * taken, "{largest:e} of {taken:e}");
}

/// Part of the work that the balance may miss.
const BALANCE: f64 = 2e-3;

/// A ball hits a plate obliquely; nothing is damped. It never has more energy afterwards: bristles that come into contact
/// begin straight. Where it slides all the time, the impulse along the plate is μ times that across it.
#[test]
fn an_impact_gives_no_energy() {
    let (radius, mass, down) = (0.1, 4.0, 0.5);
    let raw = RawParameters { areal_damping: 0.0, tangential_damping: 0.0, ..soft_on_rigid() };
    let inertia = 0.4 * mass * radius * radius;
    for along in [0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0] {
        let mut element = Element::new(plate(), surface(icosphere(radius, 4)), &raw);
        let mut body = Body::at_rest(mass, Vector::from_element(inertia), Vector::new(0.0, 0.01, radius + 1e-5));
        body.velocity = Vector::new(along, 0.0, -down);
        let energy = |body: &Body| {
            0.5 * mass * body.velocity.norm_squared() + 0.5 * inertia * body.angular_velocity.norm_squared()
        };
        let (before, mut has_touched, mut taken) = (energy(&body), false, 0.0);
        for _ in 0..4000 {
            let area = body.step(&mut element, Vector::zeros(), 1e-5).contact_area;
            assert!(taken <= element.memory.friction_work);
            taken = element.memory.friction_work;
            if has_touched && area == 0.0 {
                break;
            }
            has_touched |= 0.0 < area;
        }
        assert!(0.0 < body.velocity.z && 0.0 < taken);
        println!("{along} m/s: energy {:+.3e} of {before:.3e} J, taken {taken:.3e} J", energy(&body) - before);
        assert!(energy(&body) < before, "{along} m/s: {:e} J more", energy(&body) - before);
        if along == 2.0 {
            // J/m of a solid ball: the slip falls by 7/2 of what the impulse takes from the velocity.
            let slip = body.velocity.x - radius * body.angular_velocity.y;
            let expected = along - 3.5 * raw.friction_coefficient * (down + body.velocity.z);
            assert_close("slip", slip, expected, 2e-2);
        }
    }
}

/// The same in continuous time, where deflection and spread are integrated.
#[test]
fn an_impact_in_continuous_time_gives_no_energy() {
    let (radius, mass, down, step) = (0.1, 4.0, 0.5, 1e-5);
    let raw = RawParameters { areal_damping: 0.0, tangential_damping: 0.0, ..soft_on_rigid() };
    let inertia = 0.4 * mass * radius * radius;
    for along in [0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0] {
        let mut element = Element::new(plate(), surface(icosphere(radius, 4)), &raw);
        let mut body = Body::at_rest(mass, Vector::from_element(inertia), Vector::new(0.0, 0.01, radius + 1e-5));
        body.velocity = Vector::new(along, 0.0, -down);
        let energy = |body: &Body| {
            0.5 * mass * body.velocity.norm_squared() + 0.5 * inertia * body.angular_velocity.norm_squared()
        };
        let (before, mut has_touched) = (energy(&body), false);
        let (mut states, mut taken) = ([0.0; 7], 0.0);
        let mut rates = |body: &Body, states: &[f64; 7]| {
            let deflection = Deflection::from_numbers(std::array::from_fn(|k| states[k]));
            let motion = body.motion().with_deflection(deflection).unwrap();
            let outcome = element.look(&motion);
            let (rate, of_spread) = outcome.grip.rate(&motion, states[6]);
            let [a, b, c, d, e, f] = rate.to_numbers();
            let power = outcome.grip.slip_power(&motion) + outcome.grip.sharing_power(states[6]);
            (outcome, [a, b, c, d, e, f, of_spread], power)
        };
        for _ in 0..4000 {
            let (outcome, rate, power) = rates(&body, &states);
            let (on_f, turn) = (outcome.wrenches.on_f, body.pose.rotation);
            body.advance(turn * on_f.force, turn * on_f.torque, step);
            states = std::array::from_fn(|k| states[k] + step * rate[k]);
            assert!(0.0 <= power);
            taken += power * step;
            if has_touched && outcome.contact_area == 0.0 {
                break;
            }
            has_touched |= 0.0 < outcome.contact_area;
        }
        assert!(0.0 < body.velocity.z && 0.0 < taken);
        println!("{along} m/s: energy {:+.3e} of {before:.3e} J, taken {taken:.3e} J", energy(&body) - before);
        assert!(energy(&body) < before, "{along} m/s: {:e} J more", energy(&body) - before);
    }
}

/// Seiwald's block, 0.2 × 0.1 × 0.1 m, 16 kg, on two feet of its own, pulled at its top edge; μ = 0.1.
struct OnTwoFeet {
    feet: [Element; 2],
    body: Body,
}

const MASS: f64 = 16.0;
const MU: f64 = 0.1;
const HALF: [f64; 2] = [0.1, 0.05];

impl OnTwoFeet {
    fn new() -> OnTwoFeet {
        // Damping brings what the pull sets in motion to rest within a second.
        let raw = RawParameters { friction_coefficient: MU, areal_damping: 1e6, ..soft_on_rigid() };
        let foot = |x: f64| {
            let foot = moved(&cuboid(Vector::new(2e-3, 0.1, 0.02)), &translation(x, 0.0, 0.01 - HALF[1]));
            Element::new(plate(), surface(foot), &raw)
        };
        let feet = [foot(-HALF[0]), foot(HALF[0])];
        let inertia = Vector::new(0.02, 0.05, 0.05) * (MASS / 12.0);
        let depth = MASS * GRAVITY / (feet[0].parameters.combined_layer_stiffness() * 2.0 * 2e-3 * 0.1);
        OnTwoFeet { feet, body: Body::at_rest(MASS, inertia, Vector::new(0.03, 0.02, HALF[1] - depth)) }
    }

    /// The pull grows from one value to another; mean forces of the feet, and the velocities at both ends.
    fn run(&mut self, pull: [f64; 2], seconds: f64) -> ([Vector; 2], [f64; 2]) {
        let steps = (seconds / STEP).round() as usize;
        let before = self.body.velocity.x;
        let mut sums = [Vector::zeros(); 2];
        for step in 0..steps {
            let along = Vector::x() * (pull[0] + (pull[1] - pull[0]) * step as f64 / steps as f64);
            let turn = self.body.pose.rotation;
            let mut force = along - Vector::z() * (MASS * GRAVITY);
            let mut torque = (turn * Vector::new(HALF[0], 0.0, HALF[1])).cross(&along);
            for (foot, sum) in self.feet.iter_mut().zip(&mut sums) {
                let on_f = foot.step(&self.body.motion()).wrenches.on_f;
                force += turn * on_f.force;
                torque += turn * on_f.torque;
                *sum += turn * on_f.force / steps as f64;
            }
            // The dissertation's block moves in the vertical plane.
            force.y = 0.0;
            self.body.advance(force, Vector::y() * torque.y, STEP);
        }
        (sums, [before, self.body.velocity.x])
    }
}

#[test]
fn a_block_on_two_feet_has_the_published_forces_and_rests() {
    let mut block = OnTwoFeet::new();
    block.run([0.0, 2.0], 2.0);
    block.run([2.0, 2.0], 8.0);
    let place = block.body.pose.translation.vector.x;
    let ([left, right], _) = block.run([2.0, 2.0], 2.0);
    println!("{left} {right}");
    assert_close("left foot", left.z, 77.48, 2e-4);
    assert_close("right foot", right.z, 79.48, 2e-4);
    assert_close("friction", -(left.x + right.x), 2.0, 1e-3);
    let drift = block.body.pose.translation.vector.x - place;
    assert!(drift.abs() < 1e-7, "moves by {drift}");
    assert!(block.feet.iter().all(|foot| foot.memory.slip_distance == 0.0));
}

#[test]
fn a_block_on_two_feet_slips_at_15_696_newton() {
    let limit = MU * MASS * GRAVITY;
    assert_close("limit", limit, 15.696, 1e-12);
    let mut below = OnTwoFeet::new();
    below.run([0.0, 0.98 * limit], 8.0);
    let place = below.body.pose.translation.vector.x;
    below.run([0.98 * limit; 2], 2.0);
    let moved = below.body.pose.translation.vector.x - place;
    assert!(moved.abs() < 1e-5, "slips by {moved}");

    let mut above = OnTwoFeet::new();
    above.run([0.0, 0.98 * limit], 8.0);
    above.run([0.98 * limit, 1.02 * limit], 1.0);
    above.run([1.02 * limit; 2], 0.5);
    let (_, [before, after]) = above.run([1.02 * limit; 2], 1.0);
    assert_close("acceleration", after - before, 0.02 * limit / MASS, 0.02);
}
