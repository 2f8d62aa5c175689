//! What a second thread brings: time on the wall with one thread and with two.

use std::hint::black_box;
use std::time::Instant;

use polycontact::contact::{ElementScheme, Method, Workspace, evaluate};
use polycontact::lanes::Width;

use crate::sampling::Samples;
use crate::scenes::{Body, in_sphere, parameters};

/// Overlap of the scenes in m.
const OVERLAP: f64 = 5e-3;

/// Prints the table: one evaluation with each number of threads, in turns.
pub fn print(seconds: f64, is_quick: bool, registers: Width) {
    println!("\n## Threads\n");
    println!(
        "Sphere in sphere, 5 mm, method `auto`, scheme `potential`; times on the wall in µs, so only a quiet machine with \
         two free cores shows the gain. The outcomes are the same bit by bit (`tests/threads.rs`). Below 300 active \
         faces no thread is started.\n"
    );
    println!("| faces of each | active faces | 1 thread, low | median | 2 threads, low | median | ratio of lows |");
    println!("|---|---|---|---|---|---|---|");
    let sizes: &[u32] = if is_quick { &[4, 5] } else { &[4, 5, 6, 7] };
    for &size in sizes {
        let sphere = Body::sphere(size);
        let scene = in_sphere(&sphere, &sphere, OVERLAP);
        let (motions, parameters) = (scene.motions(), parameters(Method::Auto, ElementScheme::Potential));
        let centroid = crate::scenes::parameters(Method::TwoPass, ElementScheme::Centroid);
        let (e, f) = (&scene.e.surface, &scene.f.surface);
        let active = evaluate(e, f, &centroid, &motions[0], &mut Workspace::default()).element_count;
        let mut workspaces = [1, 2].map(|threads| {
            let mut workspace = Workspace::default();
            workspace.threads = threads;
            workspace.registers = registers;
            workspace
        });
        let mut times = [Vec::new(), Vec::new()];
        let started = Instant::now();
        let mut index = 0;
        while started.elapsed().as_secs_f64() < seconds || index < 10 {
            for (workspace, times) in workspaces.iter_mut().zip(&mut times) {
                let started = Instant::now();
                black_box(evaluate(e, f, &parameters, &motions[index % motions.len()], workspace));
                // The first calls warm up.
                if 3 <= index {
                    times.push(started.elapsed().as_secs_f64());
                }
            }
            index += 1;
        }
        let [one, two] = times.map(Samples::new);
        println!(
            "| {} | about {active} | {:.1} | {:.1} | {:.1} | {:.1} | {:.2} |",
            sphere.faces(),
            one.low(),
            one.median(),
            two.low(),
            two.median(),
            one.low() / two.low()
        );
    }
}
