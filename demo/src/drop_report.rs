//! What the drop test prints, writes and checks.

use std::path::Path;
use std::time::Instant;

use polycontact_plot::{Line, Panel};

use crate::drop_test::{self, MASS, RADIUS, STEP_APART, STEP_NEAR, STOP_TIME, Sample, Summary};
use crate::write;

/// Largest accepted deviation of the energy balance; more means that something is broken.
const ENERGY_TOLERANCE: f64 = 0.001;

/// Runs the test and writes `drop.csv` and `drop.svg`.
pub fn demo(fmu: &Path, folder: &Path) -> Result<(), String> {
    let clock = Instant::now();
    let samples = drop_test::run(fmu)?;
    let wall_time = clock.elapsed().as_secs_f64();
    let summary = Summary::new(&samples)?;
    print(&samples, &summary, wall_time);
    write(folder, "drop.csv", &drop_test::to_csv(&samples))?;
    write(folder, "drop.svg", &polycontact_plot::to_svg(&panels(&samples, &summary)))?;
    if ENERGY_TOLERANCE < summary.energy_error {
        return Err(format!(
            "the energy balance is off by {:.2} %, more than {:.1} %; the FMU or the demo is broken",
            100.0 * summary.energy_error,
            100.0 * ENERGY_TOLERANCE
        ));
    }
    Ok(())
}

fn print(samples: &[Sample], summary: &Summary, wall_time: f64) {
    let (first, last) = (&samples[0], &samples[samples.len() - 1]);
    let (begin, end) = summary.first_contact;
    let energies = |sample: &Sample| {
        format!(
            "{:.3} J = {:.3} kinetic + {:.3} potential + {:.3} elastic + {:.3} dissipated",
            sample.total_energy(),
            sample.kinetic_energy(),
            sample.potential_energy(),
            sample.contact.elastic_energy,
            sample.dissipated
        )
    };
    println!("A sphere of {:.0} kg falls {:.0} mm on a plate", MASS, 1e3 * first.height());
    for (name, value) in [
        ("peak force", format!("{:.0} N at {:.4} s", summary.peak_force.0, summary.peak_force.1)),
        ("penetration", format!("{:.2} mm at most", 1e3 * summary.peak_penetration)),
        ("contact time", format!("{:.2} ms, from {begin:.4} s to {end:.4} s", 1e3 * (end - begin))),
        (
            "rebound",
            format!("{:.1} mm high, {:.1} % of the speed", 1e3 * summary.rebound_height, 100.0 * summary.restitution),
        ),
        ("energy at start", energies(first)),
        ("energy at end", energies(last)),
        ("energy balance", format!("off by {:.3} % at most", 100.0 * summary.energy_error)),
        (
            "steps",
            format!(
                "{} of {:.0} µs apart and {:.0} µs near, {STOP_TIME} s in {wall_time:.2} s",
                samples.len() - 1,
                1e6 * STEP_APART,
                1e6 * STEP_NEAR
            ),
        ),
        (
            "time per step",
            format!("{:.1} µs in contact, {:.1} µs apart", 1e6 * summary.wall_times.0, 1e6 * summary.wall_times.1),
        ),
    ] {
        println!("  {name:<16} {value}");
    }
}

fn panels(samples: &[Sample], summary: &Summary) -> Vec<Panel> {
    let line = |name, x: &dyn Fn(&Sample) -> f64, y: &dyn Fn(&Sample) -> f64, of: &[Sample]| Line {
        name,
        points: of.iter().map(|sample| (x(sample), y(sample))).collect(),
    };
    let time = |sample: &Sample| sample.time;
    let (begin, end) = summary.first_contact;
    let margin = 0.15 * (end - begin);
    let near = |sample: &Sample| begin - margin <= sample.time && sample.time <= end + margin;
    let first_contact: Vec<Sample> = samples.iter().copied().filter(near).collect();
    let since = |sample: &Sample| 1e3 * (sample.time - begin);
    vec![
        Panel {
            title: "Height of the lowest point",
            x_label: "time / s",
            y_label: "height / mm",
            lines: vec![line("", &time, &|sample| 1e3 * sample.height(), samples)],
        },
        Panel {
            title: "Force in the first contact",
            x_label: "time since contact / ms",
            y_label: "force / N",
            lines: vec![
                line("normal", &since, &|sample| sample.contact.on_e.force.z, &first_contact),
                line("friction", &since, &|sample| sample.contact.on_e.force.xy().norm(), &first_contact),
            ],
        },
        Panel {
            title: "Slip and roll: speed along x and speed of the surface by rotation",
            x_label: "time / s",
            y_label: "speed / (m/s)",
            lines: vec![
                line("centre", &time, &|sample| sample.body.velocity.x, samples),
                line("rotation", &time, &|sample| RADIUS * sample.body.angular_velocity.y, samples),
            ],
        },
        Panel {
            title: "Energy",
            x_label: "time / s",
            y_label: "energy / J",
            lines: vec![
                line("kinetic", &time, &|sample| sample.kinetic_energy(), samples),
                line("potential", &time, &|sample| sample.potential_energy(), samples),
                line("elastic", &time, &|sample| sample.contact.elastic_energy, samples),
                line("dissipated", &time, &|sample| sample.dissipated, samples),
                line("total", &time, &Sample::total_energy, samples),
            ],
        },
    ]
}
