//! storm

mod fmi2_support;
mod hosts;

use fmi2_support::{Fmu, fmi2OK};
use hosts::{Body, GRAVITY, MASTERS, Master, System, ball, pair, plate};
use polycontact::free_body::{MarkerMotion, RawBody};
use polycontact::math::{Rotation, Vector};
use polycontact::shapes;

const SIZE: Vector = Vector::new(0.2, 0.15, 0.1);

fn random(seed: &mut u64) -> f64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    (*seed >> 11) as f64 / (1u64 << 53) as f64
}

fn tumbling(seed: u64, density: f64, gravity: f64) -> (Body, f64) {
    let mut seed = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    for _ in 0..10 {
        random(&mut seed);
    }
    let mass = density * SIZE.x * SIZE.y * SIZE.z;
    let square = SIZE.component_mul(&SIZE);
    let moments = mass / 12.0 * (Vector::repeat(square.sum()) - square);
    let raw =
        RawBody { mass, moments_of_inertia: moments, gravity: Vector::new(0.0, 0.0, -gravity), ..RawBody::default() };
    let mut next = |from: f64, to: f64| from + (to - from) * random(&mut seed);
    let motion = MarkerMotion {
        position: Vector::new(0.0, 0.0, 0.2),
        rotation: Rotation::from_euler_angles(next(-3.0, 3.0), next(-1.5, 1.5), next(-3.0, 3.0)),
        velocity: Vector::new(next(-0.3, 0.3), next(-0.3, 0.3), -0.5),
        angular_velocity: Vector::new(next(-4.0, 4.0), next(-4.0, 4.0), next(-4.0, 4.0)),
    };
    let body = Body::free(raw, motion);
    let scale = body.energy() - mass * gravity * 0.05;
    (body, scale)
}

/// Largest gain over the run, and the end, as parts of the scale.
fn run(
    fmu: &Fmu,
    box_is_f: bool,
    output: i32,
    master: Master,
    step: f64,
    seed: u64,
    density: f64,
    seconds: f64,
    vary: bool,
) -> [f64; 3] {
    let (body, scale) = tumbling(seed, density, GRAVITY);
    let instance = fmu.instantiate();
    assert_eq!(instance.set_integer("stepOutput", output), fmi2OK);
    if output == 2 {
        assert_eq!(instance.set_real("extrapolationSteps", if master == Master::Parallel { 1.5 } else { 0.5 }), fmi2OK);
    }
    instance.initialize();
    let (bodies, e, f) = if box_is_f { (vec![Body::Fixed, body], 0, 1) } else { (vec![body, Body::Fixed], 0, 1) };
    let mut system = System::new(bodies, vec![(instance, e, f)]);
    let before = system.energy();
    let mut most: f64 = 0.0;
    let mut s = seed | 77;
    while system.time < seconds {
        let size = if vary { step * (0.3 + 0.7 * random(&mut s)) } else { step };
        system.step(master, size);
        let gain = (system.energy() - before) / scale;
        if env("TRACE", "") == format!("{seed}") {
            let c = &system.contacts[0].0;
            println!(
                "{:.4} E {:+.4} ledger {:+.4} delay {} meff {:.3} acc {:.2?} ang {:.2?} F {:.1?} w {:.1?} z {:.4} vz {:.3} el {:.4}",
                system.time,
                gain,
                c.real("exchangeError") / scale,
                c.integer("exchange.delay"),
                c.real("exchange.effectiveMass"),
                c.vector("exchange.acceleration").as_slice(),
                c.vector("exchange.angularAcceleration").as_slice(),
                system.wrenches[0][0].force.norm(),
                system.bodies[usize::from(box_is_f)].motion().angular_velocity.as_slice(),
                system.bodies[usize::from(box_is_f)].motion().position.z,
                system.bodies[usize::from(box_is_f)].motion().velocity.z,
                c.real("elasticEnergy") / scale
            );
        }
        most = most.max(gain);
        if most > 100.0 || !most.is_finite() {
            break;
        }
        let p = system.bodies[usize::from(box_is_f)].motion().position;
        if p.x.abs() > 0.45 || p.y.abs() > 0.45 {
            break;
        }
    }
    [most, (system.energy() - before) / scale, system.contacts[0].0.real("exchangeError") / scale]
}

fn env(name: &str, default: &str) -> String {
    std::env::var(name).unwrap_or(default.to_owned())
}

#[test]
fn storm() {
    let frictions = [
        ("smooth", "areal-damping = 0\nfriction-coefficient = 0\n"),
        ("reg", "areal-damping = 0\nfriction-model = \"regularized\"\n"),
        ("bristle", "areal-damping = 0\nfriction-model = \"bristle\"\n"),
        ("damped", "friction-model = \"bristle\"\nareal-damping = 1e5\n"),
    ];
    let seconds: f64 = env("SECONDS_", "0.6").parse().unwrap();
    let seeds: u64 = env("SEEDS", "3").parse().unwrap();
    let outputs: Vec<i32> = env("OUTPUTS", "4").split(' ').map(|x| x.parse().unwrap()).collect();
    let which = env("FRICTION", "smooth reg bristle damped");
    let parts: Vec<f64> = env("PARTS", "0.1 0.2 0.5 1 2 3").split(' ').map(|x| x.parse().unwrap()).collect();
    let densities: Vec<f64> = env("DENSITY", "2700").split(' ').map(|x| x.parse().unwrap()).collect();
    let vary = env("VARY", "") != "";
    let box_is_f = env("BOXF", "") != "";
    for (name, text) in frictions {
        if !which.contains(name) {
            continue;
        }
        let fmu = if box_is_f {
            pair(&plate(), &shapes::cuboid(SIZE), text)
        } else {
            pair(&shapes::cuboid(SIZE), &plate(), text)
        };
        for &density in &densities {
            let contact_time = 0.013 * (density / 2700.0f64).powf(0.4);
            for &output in &outputs {
                for master in MASTERS {
                    let mut line = format!("{name:8} {density:7} {output} {master:12?}");
                    for &part in &parts {
                        let (mut worst, mut end, mut who, mut led) = (0.0f64, f64::NEG_INFINITY, 0, 0.0);
                        for seed in 1..=seeds {
                            let [most, last, ledger] =
                                run(&fmu, box_is_f, output, master, part * contact_time, seed, density, seconds, vary);
                            if most > worst {
                                worst = most;
                                who = seed;
                                led = ledger;
                            }
                            end = end.max(last);
                        }
                        line += &format!(" | {:7.2} {:7.2} {:3} {:7.2}", 100.0 * worst, 100.0 * end, who, 100.0 * led);
                    }
                    println!("{line}");
                }
            }
        }
    }
    let _ = ball(0.1);
}
