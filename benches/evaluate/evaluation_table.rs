//! Time per evaluation in all scenes, by method and scheme.

use polycontact::contact::{ElementScheme, Method, Workspace, evaluate};
use polycontact::lanes::Width;

use crate::sampling::{Call, alternate};
use crate::scenes::{Scene, parameters};

const IN_CONTACT: [(Method, ElementScheme); 6] = [
    (Method::Auto, ElementScheme::Potential),
    (Method::TwoPass, ElementScheme::Potential),
    (Method::MasterF, ElementScheme::Potential),
    (Method::Auto, ElementScheme::Centroid),
    (Method::TwoPass, ElementScheme::Centroid),
    (Method::MasterF, ElementScheme::Centroid),
];

/// Prints the table.
pub fn print(scenes: &[Scene], seconds: f64, registers: Width) {
    println!("\n## Evaluations\n");
    println!("Times in µs. Time per element is that of the low times, which 5 % of the calls stay below.\n");
    println!(
        "| scene | method | scheme | low | median | quartiles | with energy, low | elements | ns / element | box tests | triangle tests |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    for (number, scene) in scenes.iter().enumerate() {
        eprintln!("[{}/{}] {}", number + 1, scenes.len(), scene.name);
        let variants = if 0.0 < scene.overlap { &IN_CONTACT[..] } else { &IN_CONTACT[..1] };
        print_scene(scene, variants, seconds, registers);
    }
}

fn print_scene(scene: &Scene, variants: &[(Method, ElementScheme)], seconds: f64, registers: Width) {
    let mut outcomes = Vec::new();
    let mut calls: Vec<Call> = Vec::new();
    for &(method, elements) in variants {
        let parameters = parameters(method, elements);
        let (e, f) = (&scene.e.surface, &scene.f.surface);
        let outcome = evaluate(e, f, &parameters, &scene.motion(0), &mut Workspace::default());
        assert_eq!(outcome.in_contact, 0.0 < scene.overlap, "{}", scene.name);
        outcomes.push(outcome);
        calls.push(Box::new(scene.evaluation(parameters, registers)));
        calls.push(Box::new(scene.evaluation_with_energy(parameters, registers)));
    }
    let samples = alternate(&mut calls, seconds);
    for (((method, elements), outcome), times) in variants.iter().zip(&outcomes).zip(samples.chunks_exact(2)) {
        let [time, with_energy] = times else { continue };
        let count = outcome.element_count;
        let per_element = match count {
            0 => "–".to_owned(),
            _ => format!("{:.0}", 1e3 * time.low() / f64::from(count)),
        };
        println!(
            "| {} | {} | {} | {:.2} | {:.2} | {} | {:.2} | {count} | {per_element} | {} | {} |",
            scene.name,
            method_name(*method),
            scheme_name(*elements),
            time.low(),
            time.median(),
            time.quartiles(),
            with_energy.low(),
            outcome.bounding_volume_tests,
            outcome.triangle_tests,
        );
    }
}

fn method_name(method: Method) -> &'static str {
    match method {
        Method::Auto => "auto",
        Method::CollisionOnly => "collision-only",
        Method::TwoPass => "two-pass",
        Method::MasterE => "master-e",
        Method::MasterF => "master-f",
    }
}

fn scheme_name(elements: ElementScheme) -> &'static str {
    match elements {
        ElementScheme::Potential => "potential",
        ElementScheme::Centroid => "centroid",
    }
}
