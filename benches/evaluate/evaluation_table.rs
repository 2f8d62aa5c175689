//! Time per evaluation in all scenes, by method and scheme, and its ratio to the floor.

use polycontact::contact::{ElementScheme, Method, Workspace, record_pairs, record_pieces};

use crate::sampling::{Call, alternate};
use crate::scenes::{Scene, parameters};

const IN_CONTACT: [(Method, ElementScheme); 6] = [
    (Method::Auto, ElementScheme::Clipped),
    (Method::TwoPass, ElementScheme::Clipped),
    (Method::MasterF, ElementScheme::Clipped),
    (Method::Auto, ElementScheme::Centroid),
    (Method::TwoPass, ElementScheme::Centroid),
    (Method::MasterF, ElementScheme::Centroid),
];

/// Prints the table.
pub fn print(scenes: &[Scene], seconds: f64) {
    println!("\n## Evaluations\n");
    println!(
        "Times in µs. The floor is the force integration alone: the pieces of one evaluation are recorded, and the \
         library's own element integral runs over them again, one by one and without vector registers; search, \
         intersection and clipping take no part in it. The floor of pairs is the integration in vector registers over \
         pairs of faces that are known to overlap; it clips them too (both in `src/contact/contact_elements/floor.rs`). \
         Time per element, floors and ratios are those of the low times, which 5 % of the calls stay below.\n"
    );
    println!(
        "| scene | method | scheme | low | median | quartiles | elements | ns / element | floor | ratio to floor | \
         floor of pairs | ratio | box tests | triangle tests |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    for (number, scene) in scenes.iter().enumerate() {
        eprintln!("[{}/{}] {}", number + 1, scenes.len(), scene.name);
        let variants = if 0.0 < scene.overlap { &IN_CONTACT[..] } else { &IN_CONTACT[..1] };
        print_scene(scene, variants, seconds);
    }
}

fn print_scene(scene: &Scene, variants: &[(Method, ElementScheme)], seconds: f64) {
    let motion = scene.motion(0);
    let mut outcomes = Vec::new();
    let mut calls: Vec<Call> = Vec::new();
    for &(method, elements) in variants {
        let parameters = parameters(method, elements);
        let mut workspace = Workspace::default();
        let (outcome, pieces) = record_pieces(&scene.e.surface, &scene.f.surface, &parameters, &motion, &mut workspace);
        let again = pieces.integrate(&motion);
        let difference = (again.force_on_e - outcome.force_on_e).norm();
        assert!(difference <= 1e-12 * outcome.force_on_e.norm(), "the floor integrates other pieces");
        outcomes.push(outcome);
        calls.push(Box::new(scene.evaluation(parameters)));
        calls.push(Box::new(move |_| {
            std::hint::black_box(pieces.integrate(std::hint::black_box(&motion)));
        }));
        let mut pairs = record_pairs(&scene.e.surface, &scene.f.surface, &parameters, &motion, &mut workspace);
        calls.push(Box::new(move |_| {
            std::hint::black_box(pairs.integrate(std::hint::black_box(&motion)));
        }));
    }
    let samples = alternate(&mut calls, seconds);
    for (((method, elements), outcome), pair) in variants.iter().zip(&outcomes).zip(samples.chunks(3)) {
        let [time, floor, of_pairs] = pair else { continue };
        let count = outcome.element_count;
        let none = || "–".to_owned();
        let [per_element, floor, ratio] = if count == 0 {
            [none(), none(), none()]
        } else {
            [
                format!("{:.0}", 1e3 * time.low() / f64::from(count)),
                format!("{:.2}", floor.low()),
                format!("{:.2}", time.low() / floor.low()),
            ]
        };
        // Centroids are not integrated in registers.
        let [of_pairs, pairs_ratio] = if count == 0 || *elements == ElementScheme::Centroid {
            [none(), none()]
        } else {
            [format!("{:.2}", of_pairs.low()), format!("{:.2}", time.low() / of_pairs.low())]
        };
        println!(
            "| {} | {} | {} | {:.2} | {:.2} | {} | {count} | {per_element} | {floor} | {ratio} | {of_pairs} | \
             {pairs_ratio} | {} | {} |",
            scene.name,
            method_name(*method),
            scheme_name(*elements),
            time.low(),
            time.median(),
            time.quartiles(),
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
        ElementScheme::Clipped => "clipped",
        ElementScheme::Centroid => "centroid",
    }
}
