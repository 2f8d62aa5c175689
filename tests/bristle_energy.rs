//! What bristles store and take, and a block that stands on two of their patches.

use crate::support::host::{Body, Element, soft_on_rigid};
use crate::support::random::Random;
use crate::support::{assert_close, lowest_point, surface, translation};
use polycontact::contact::{Deflection, Outcome, RawParameters, RelativeMotion};
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::mesh::TriangleMesh;
use polycontact::shapes::{cuboid, icosphere, l_profile, moved};

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

/// Steps of impacts, in s.
const SHORT_STEP: f64 = 1e-5;

/// A body that hits the plate; nothing is damped. Bristles remember from step to step, or are integrated in continuous time.
struct Impact {
    element: Element,
    body: Body,
    is_continuous: bool,
    /// Deflection and energy in continuous time.
    states: [f64; 7],
    /// What friction has taken, in J.
    taken: f64,
}

impl Impact {
    fn new(mesh: TriangleMesh, coefficients: [f64; 2], body: Body, is_continuous: bool) -> Impact {
        let raw = RawParameters {
            areal_damping: 0.0,
            tangential_damping: 0.0,
            friction_coefficient: coefficients[0],
            static_friction_coefficient: coefficients[1],
            ..soft_on_rigid()
        };
        let element = Element::new(plate(), surface(mesh), &raw);
        Impact { element, body, is_continuous, states: [0.0; 7], taken: 0.0 }
    }

    fn kinetic(&self) -> f64 {
        let Body { mass, inertia, pose, velocity, angular_velocity } = &self.body;
        let spin = pose.rotation.inverse() * angular_velocity;
        0.5 * mass * velocity.norm_squared() + 0.5 * spin.dot(&inertia.component_mul(&spin))
    }

    fn step(&mut self) -> Outcome {
        if !self.is_continuous {
            let outcome = self.body.step(&mut self.element, Vector::zeros(), SHORT_STEP);
            assert!(self.taken <= self.element.memory.friction_work, "friction gives");
            self.taken = self.element.memory.friction_work;
            return outcome;
        }
        let deflection = Deflection::from_numbers(std::array::from_fn(|k| self.states[k]));
        let motion = self.body.motion().with_deflection(deflection).unwrap();
        let outcome = self.element.look(&motion);
        let rate = outcome.grip.rate(&motion, self.states[6]);
        let (on_f, turn) = (outcome.wrenches.on_f, self.body.pose.rotation);
        self.body.advance(turn * on_f.force, turn * on_f.torque, SHORT_STEP);
        let [a, b, c, d, e, f] = rate.deflection.to_numbers();
        let rates = [a, b, c, d, e, f, rate.energy];
        self.states.iter_mut().zip(rates).for_each(|(state, rate)| *state += SHORT_STEP * rate);
        assert!(0.0 <= rate.loss, "friction gives");
        self.taken += rate.loss * SHORT_STEP;
        outcome
    }

    /// Until it is apart again; kinetic energies before and after.
    fn run(&mut self) -> [f64; 2] {
        let (before, mut has_touched) = (self.kinetic(), false);
        for _ in 0..6000 {
            let area = self.step().contact_area;
            if has_touched && area == 0.0 {
                // What bristles still had is let go in the air.
                if self.is_continuous {
                    self.taken += self.states[6].max(0.0);
                }
                return [before, self.kinetic()];
            }
            has_touched |= 0.0 < area;
        }
        panic!("does not leave the plate");
    }
}

/// Part of the energy before an impact that bodies, bristles and friction may miss afterwards: work along a deflection that
/// turns is that of bristles which all hold alike.
const MISSED: f64 = 0.03;

/// A ball hits a plate obliquely. It never has more energy afterwards: the pressure of bristles that share a deflection
/// grows, and what they store does not. Where it slides all the time, the impulse along the plate is μ times that across it.
#[test]
fn an_impact_gives_no_energy_and_friction_takes_what_is_lost() {
    let (radius, mass, down) = (0.1, 4.0, 0.5);
    let coefficient = soft_on_rigid().friction_coefficient;
    for (along, is_continuous) in
        [0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0].iter().flat_map(|along| [(*along, false), (*along, true)])
    {
        let inertia = Vector::from_element(0.4 * mass * radius * radius);
        let mut body = Body::at_rest(mass, inertia, Vector::new(0.0, 0.01, radius + 1e-5));
        body.velocity = Vector::new(along, 0.0, -down);
        let mut impact = Impact::new(icosphere(radius, 4), [coefficient; 2], body, is_continuous);
        let [before, after] = impact.run();
        let (lost, taken, body) = (before - after, impact.taken, impact.body);
        println!("{along} m/s: {lost:.3e} of {before:.3e} J lost, {taken:.3e} J taken");
        assert!(0.0 < body.velocity.z && 0.0 < lost && 0.0 < taken);
        assert!((lost - taken).abs() < MISSED * before);
        if along == 2.0 {
            // J/m of a solid ball: the slip falls by 7/2 of what the impulse takes from the velocity.
            let slip = body.velocity.x - radius * body.angular_velocity.y;
            let expected = along - 3.5 * coefficient * (down + body.velocity.z);
            assert_close("slip", slip, expected, 2e-2);
        }
    }
}

/// The same with boxes, angles and bars that tumble, up to a coefficient of 1, or half as much again at rest:
/// corners and edges stick and let go.
#[test]
fn tumbling_parts_lose_what_friction_takes() {
    let mut random = Random::new(7);
    let parts = [
        (cuboid(Vector::new(0.2, 0.14, 0.1)), Vector::new(0.1, 0.07, 0.05)),
        (l_profile(0.15, 0.04, 0.1), Vector::new(0.15, 0.15, 0.1)),
        (cuboid(Vector::new(0.3, 0.05, 0.02)), Vector::new(0.15, 0.025, 0.01)),
    ];
    let mut worst = [0.0f64; 2];
    for (index, (mesh, half)) in (0..24).flat_map(|index| parts.iter().map(move |part| (index, part))) {
        let mass = 4.0;
        let square = half.component_mul(half);
        let inertia = (Vector::repeat(square.sum()) - square) * (mass / 3.0);
        let rotation = Rotation::new(random.direction() * 3.0);
        let start = Pose::from_parts(Vector::zeros().into(), rotation);
        let mut body = Body::at_rest(mass, inertia, Vector::new(0.0, 0.01, 1e-5 - lowest_point(mesh, &start)));
        body.pose.rotation = rotation;
        let aside = random.direction();
        body.velocity = Vector::new(aside.x, aside.y, -0.3 - aside.z.abs());
        // Its lowest point comes down, whatever the spin.
        body.angular_velocity = random.direction() * [0.0, 5.0, 20.0][index % 3];
        let lowest = lowest_vertex(mesh, &body.pose) - body.pose.translation.vector;
        body.velocity.z -= body.angular_velocity.cross(&lowest).z.max(0.0);
        for is_continuous in [false, true] {
            let coefficient = [0.1, 0.3, 0.6, 1.0][index % 4];
            let of_rest = coefficient * [1.0, 1.5][index / 4 % 2];
            let mut impact = Impact::new(mesh.clone(), [coefficient, of_rest], body, is_continuous);
            let [before, after] = impact.run();
            let lost = before - after;
            let missed = (lost - impact.taken) / before;
            assert!(-1e-6 * before < lost, "{index}: {lost:e} of {before:e} J lost");
            assert!(missed.abs() < MISSED, "{index}: {lost:e} J lost, {:e} J taken of {before:e} J", impact.taken);
            let worst = &mut worst[usize::from(is_continuous)];
            *worst = worst.max(missed.abs());
        }
    }
    println!("missed {worst:.4?} from step to step and in continuous time, of the energy before");
}

fn lowest_vertex(mesh: &TriangleMesh, pose: &Pose) -> Vector {
    let there = mesh.vertices.iter().map(|vertex| pose.rotation * vertex + pose.translation.vector);
    there.min_by(|a, b| a.z.total_cmp(&b.z)).unwrap()
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
