//! Hosts that step too long, in steps that change, with bodies far from any guess: default settings, no masses. What must
//! hold then is that nothing is gained.
//!
//! `cargo test --test fmi2 fmi2_exchange_limits:: -- --nocapture` prints the gains.

use crate::fmi2_support::Fmu;
use crate::hosts::{Body, GRAVITY, MASTERS, Master, SMOOTH, System, ball, pair, plate};
use polycontact::free_body::{MarkerMotion, RawBody};
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::shapes;

const SIZE: Vector = Vector::new(0.2, 0.15, 0.1);

/// Of a box that falls on a face, about: steps are parts of it.
const CONTACT_TIME: f64 = 0.013;

/// Energy that may be gained, as a part of that at the start.
const MOST_GAINED: f64 = 0.05;

/// Numbers from 0 to 1.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        for _ in 0..10 {
            random.next();
        }
        random
    }

    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn within(&mut self, bound: f64) -> f64 {
        bound * (2.0 * self.next() - 1.0)
    }
}

/// A box in the air that turns and falls, and its energy above rest.
fn tumbling(random: &mut Random, density: f64) -> (Body, f64) {
    let mass = density * SIZE.x * SIZE.y * SIZE.z;
    let square = SIZE.component_mul(&SIZE);
    let raw = RawBody {
        mass,
        moments_of_inertia: mass / 12.0 * (Vector::repeat(square.sum()) - square),
        gravity: Vector::new(0.0, 0.0, -GRAVITY),
        ..RawBody::default()
    };
    let motion = MarkerMotion {
        position: Vector::new(0.0, 0.0, 0.2),
        rotation: Rotation::from_euler_angles(random.within(3.0), random.within(1.5), random.within(3.0)),
        velocity: Vector::new(random.within(0.3), random.within(0.3), -0.5),
        angular_velocity: Vector::new(random.within(4.0), random.within(4.0), random.within(4.0)),
    };
    let body = Body::free(raw, motion);
    let scale = body.energy() - mass * GRAVITY * 0.5 * SIZE.z;
    (body, scale)
}

/// The largest gain within 0.6 s, as a part of the energy at the start.
fn gain(fmu: &Fmu, master: Master, step: f64, seed: u64, density: f64, varies: bool) -> f64 {
    let mut random = Random::new(seed);
    let (body, scale) = tumbling(&mut random, density);
    let mut system = System::new(vec![body, Body::Fixed], vec![(fmu.initialized(), 0, 1)]);
    let (before, mut most) = (system.energy(), 0.0f64);
    while system.time < 0.6 {
        let size = if varies { step * (0.3 + 0.7 * random.next()) } else { step };
        system.step(master, size);
        most = most.max((system.energy() - before) / scale);
        let place = system.bodies[0].motion().position;
        // Beside the plate it falls for ever.
        if place.z < -0.1 || 0.45 < place.x.abs().max(place.y.abs()) {
            break;
        }
    }
    assert!(0.0 < system.largest_force);
    most
}

/// The largest gains of some boxes, by master and step.
fn check(name: &str, friction: &str, density: f64, parts: &[f64], varies: bool) {
    let fmu = pair(&shapes::cuboid(SIZE), &plate(), friction);
    for master in MASTERS {
        let gains = parts.iter().map(|part| {
            let of_seed = |seed| gain(&fmu, master, part * CONTACT_TIME, seed, density, varies);
            (1..=3).map(of_seed).fold(0.0, f64::max)
        });
        let gains: Vec<f64> = gains.collect();
        let text: Vec<String> = gains.iter().map(|gain| format!("{:7.2}", 100.0 * gain)).collect();
        println!("{name:22} {:12} {} %", format!("{master:?}"), text.join(" "));
        assert!(gains.iter().all(|gain| *gain < MOST_GAINED), "{name} {master:?}: {gains:?}");
    }
}

const PARTS: [f64; 6] = [0.1, 0.2, 0.5, 1.0, 2.0, 3.0];

#[test]
fn tumbling_boxes_gain_nothing_however_long_the_steps() {
    println!("steps of {PARTS:?} of the contact time");
    check("smooth", SMOOTH, 2700.0, &PARTS, false);
    let undamped = "areal-damping = 0\n";
    check("bristles", undamped, 2700.0, &PARTS, false);
    check("without memory", &format!("{undamped}friction-model = \"regularized\"\n"), 2700.0, &PARTS, false);
    check("damped", "areal-damping = 1e5\n", 2700.0, &PARTS, false);
}

#[test]
fn steps_that_change_gain_nothing() {
    check("smooth", SMOOTH, 2700.0, &PARTS[..4], true);
    check("bristles", "areal-damping = 0\n", 2700.0, &PARTS[..4], true);
}

/// A ball in a groove of two plates, two FMUs on one body: each sees what the other does as acceleration, and knows nothing
/// of it.
#[test]
fn two_contacts_on_one_body_gain_little() {
    let slope: f64 = 0.6;
    let side = |sign: f64| {
        let turn = Rotation::from_euler_angles(0.0, sign * slope, 0.0);
        shapes::moved(&plate(), &Pose::from_parts(Vector::zeros().into(), turn))
    };
    let fmus = [1.0, -1.0].map(|sign| pair(&ball(0.1), &side(sign), SMOOTH));
    for density in [1000.0, 2700.0] {
        let mass = density * 4.0 / 3.0 * std::f64::consts::PI * 1e-3;
        let raw = RawBody {
            mass,
            moments_of_inertia: Vector::repeat(0.4e-2 * mass),
            gravity: Vector::new(0.0, 0.0, -GRAVITY),
            ..RawBody::default()
        };
        for master in MASTERS {
            for step in [1e-3, 2e-3] {
                let motion = MarkerMotion {
                    position: Vector::new(1e-3, 0.0, 0.13),
                    rotation: Rotation::identity(),
                    velocity: Vector::zeros(),
                    angular_velocity: Vector::new(0.0, 2.0, 0.0),
                };
                let contacts = fmus.iter().map(|fmu| (fmu.initialized(), 0, 1)).collect();
                let mut system = System::new(vec![Body::free(raw, motion), Body::Fixed], contacts);
                let before = system.energy();
                let scale = before - mass * GRAVITY * 0.1 / slope.cos();
                let mut most = 0.0f64;
                while system.time < 0.6 {
                    system.step(master, step);
                    most = most.max((system.energy() - before) / scale);
                }
                println!("groove, {density} kg/m3, {master:?}, {step} s: {:.2} %", 100.0 * most);
                assert!(most < MOST_GAINED, "{density} {master:?} {step}: {most}");
            }
        }
    }
}
