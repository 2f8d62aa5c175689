//! Time per evaluation in the scenes of the documentation: spheres in boxes and in each other.
//!
//! `cargo xtask bench [FILTER]` runs it. Times are those of the calling thread's wall clock, one core;
//! compare them as ratios within one run.

use std::time::Instant;

use polycontact::contact::{
    ContactParameters, ContactSurface, ElementScheme, Method, Outcome, RawParameters, RelativeMotion, Workspace,
    evaluate,
};
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::shapes::{cuboid, icosphere, subdivided_cuboid};

/// Each measurement takes about this long, in seconds.
const SECONDS_PER_MEASUREMENT: f64 = 0.15;

/// From call to call the pose moves by about this much, in m.
const POSE_STEP: f64 = 1e-6;

struct Counterpart {
    name: &'static str,
    /// The counterpart as surface E; none for a sphere like the first.
    surface: Option<ContactSurface>,
    /// Direction from E to the sphere, and the distance of the centres when they touch.
    direction: Vector,
    touching: f64,
}

fn main() {
    // `cargo bench` passes `--bench`; anything else filters the scenes by name.
    let filter: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let size = Vector::new(0.4, 0.4, 0.1);
    let counterparts = [
        Counterpart {
            name: "box 12",
            surface: Some(ContactSurface::new(cuboid(size))),
            direction: Vector::z(),
            touching: 0.15,
        },
        Counterpart {
            name: "box 24576",
            surface: Some(ContactSurface::new(subdivided_cuboid(size, [64, 64, 16]))),
            direction: Vector::z(),
            touching: 0.15,
        },
        Counterpart { name: "sphere", surface: None, direction: Vector::repeat(1.0).normalize(), touching: 0.2 },
    ];
    println!("Sphere of radius 0.1 m, friction 0.3, moving; times in microseconds.");
    println!();
    println!("| scene | method | scheme | median | quartiles | elements | ns / element | box tests | triangle tests |");
    println!("|---|---|---|---|---|---|---|---|---|");
    for subdivisions in [3, 4, 5, 6] {
        let sphere = ContactSurface::new(icosphere(0.1, subdivisions));
        for counterpart in &counterparts {
            for (overlap, depth) in [("5 mm", 5e-3), ("1 mm", 1e-3), ("0.1 mm clear", -1e-4), ("50 mm clear", -5e-2)] {
                let faces = sphere.mesh().faces.len();
                let scene = format!("sphere {faces} in {}, {overlap}", counterpart.name);
                if !filter.iter().all(|word| scene.contains(word.as_str())) {
                    continue;
                }
                let variants: &[_] = if depth > 0.0 {
                    &[
                        (Method::Auto, ElementScheme::Clipped),
                        (Method::MasterF, ElementScheme::Clipped),
                        (Method::TwoPass, ElementScheme::Centroid),
                        (Method::MasterF, ElementScheme::Centroid),
                    ]
                } else {
                    &[(Method::Auto, ElementScheme::Clipped)]
                };
                for &(method, elements) in variants {
                    let distance = counterpart.touching - depth;
                    let e = counterpart.surface.as_ref().unwrap_or(&sphere);
                    let result = measure(e, &sphere, method, elements, counterpart.direction * distance);
                    print_row(&scene, method, elements, &result);
                }
            }
        }
    }
}

struct Measurement {
    /// Sorted times per call in s.
    times: Vec<f64>,
    outcome: Outcome,
}

fn measure(
    e: &ContactSurface,
    f: &ContactSurface,
    method: Method,
    elements: ElementScheme,
    position: Vector,
) -> Measurement {
    let parameters = ContactParameters::new(&RawParameters { method, elements, ..Default::default() }).expect("valid");
    let mut workspace = Workspace::default();
    let rotation = Rotation::from_euler_angles(0.3, 0.5, 0.7);
    // Off the symmetry axes, so that no edge of the box is special.
    let position = position + Vector::new(0.0123, 0.0071, 0.0) * f64::from(u8::from(position.x == 0.0));
    let mut call = |index: usize| {
        let phase = index as f64;
        let shift = POSE_STEP * Vector::new(phase.sin(), (1.3 * phase).sin(), (1.7 * phase).sin());
        let pose = Pose::from_parts((position + shift).into(), rotation);
        let motion = RelativeMotion::new(pose, Vector::new(0.1, 0.02, -0.05), Vector::new(0.5, 0.3, 1.0));
        evaluate(e, f, &parameters, &motion.expect("finite"), &mut workspace)
    };
    let started = Instant::now();
    let mut outcome = call(0);
    for index in 0..20 {
        outcome = call(index);
    }
    let per_call = started.elapsed().as_secs_f64() / 21.0;
    let calls = ((SECONDS_PER_MEASUREMENT / per_call) as usize).clamp(50, 20_000);
    let mut times: Vec<f64> = (0..calls)
        .map(|index| {
            let started = Instant::now();
            std::hint::black_box(call(index));
            started.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    Measurement { times, outcome }
}

fn print_row(scene: &str, method: Method, elements: ElementScheme, measurement: &Measurement) {
    let at = |fraction: f64| 1e6 * measurement.times[(fraction * (measurement.times.len() - 1) as f64) as usize];
    let count = measurement.outcome.element_count;
    let per_element = if count > 0 { format!("{:.0}", 1e3 * at(0.5) / f64::from(count)) } else { "–".into() };
    println!(
        "| {scene} | {method:?} | {elements:?} | {:.2} | {:.2} … {:.2} | {count} | {per_element} | {} | {} |",
        at(0.5),
        at(0.25),
        at(0.75),
        measurement.outcome.bounding_volume_tests,
        measurement.outcome.triangle_tests,
    );
}
