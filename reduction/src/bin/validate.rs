//! `cargo xtask validate flexible`: published impacts, from the volume mesh on, as a table.

use std::process::ExitCode;
use std::time::Instant;

use polycontact::flexible::{RawFlexibleParameters, Submodel};
use polycontact_reduction::validation::{CASES, Case, Coupling, ImpactResult, Prepared, hertz_force, static_press};
use polycontact_reduction::volume_mesh::impact_bodies::Fineness;

/// Largest deviation of impulse and rebound from the published finite-element values that passes.
const TOLERANCE: f64 = 0.02;

/// Communication step in s.
const STEP: f64 = 2.5e-7;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (fineness, words) = match words.split_first() {
        Some((word, rest)) if word == "--coarse" => (Fineness::Coarse, rest),
        _ => (Fineness::Fine, &words[..]),
    };
    match run(fineness, words) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            eprintln!("a result is off by more than {} %", 100.0 * TOLERANCE);
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// All parts, or those named; whether every result is within the tolerance.
fn run(fineness: Fineness, parts: &[String]) -> Result<bool, Box<dyn std::error::Error>> {
    let wants = |part: &str| parts.is_empty() || parts.iter().any(|word| word == part);
    let mut passed = true;
    if wants("impacts") {
        passed &= impacts(fineness)?;
    }
    if wants("hertz") {
        hertz(fineness)?;
    }
    if wants("penalty") {
        penalty(fineness)?;
    }
    if wants("coupling") {
        coupling(fineness)?;
    }
    if wants("submodels") {
        submodels(fineness)?;
    }
    Ok(passed)
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}

fn impacts(fineness: Fineness) -> Result<bool, Box<dyn std::error::Error>> {
    println!("| case | quantity | here | FE | deviation | quasi-static (thesis) | measured |");
    println!("|---|---|---|---|---|---|---|");
    let mut passed = true;
    let mut effort = Vec::new();
    for case in &CASES {
        let (prepared, preparation) = timed(|| case.prepare(fineness, STEP));
        let prepared = prepared?;
        let (result, seconds) = timed(|| prepared.run(&RawFlexibleParameters::default()));
        let result = result?;
        passed &= print_rows(case, &result);
        effort.push((case, preparation, seconds, result, prepared));
    }
    println!();
    println!(
        "| case | contact nodes | modes (low) | reduction, or reading it / s | simulated / ms | run / s | thesis, QS / min \
         | thesis, FE / min | energy error | deepest node / µm | contact / µs | peak / N |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|");
    for (case, preparation, seconds, result, prepared) in &effort {
        let models = [prepared.target.model(), prepared.ball.model()];
        let join = |text: fn(&polycontact::flexible::ReducedModel) -> String| models.map(text).join(" / ");
        let first = result.contacts.first().copied().unwrap_or_default();
        println!(
            "| {} | {} | {} | {preparation:.0} | {:.1} | {seconds:.1} | {} | {} | {:.1e} | {:.3} | {:.0} | {:.0} |",
            case.name,
            join(|model| model.contact_nodes.len().to_string()),
            join(|model| format!("{} ({})", model.angular_frequencies.len(), model.low_frequency_modes)),
            case.duration * 1e3,
            case.published.minutes[1],
            case.published.minutes[0],
            result.energy_error,
            result.max_penetration * 1e6,
            (first.end - first.start) * 1e6,
            first.peak_force,
        );
        if result.border_in_contact {
            println!("warning: {}: the contact zone is too small", case.name);
        }
    }
    println!();
    Ok(passed)
}

fn print_rows(case: &Case, result: &ImpactResult) -> bool {
    let published = &case.published;
    let first = result.contacts.first().copied().unwrap_or_default();
    let text = |value: Option<f64>| value.map_or("-".to_owned(), |value| value.to_string());
    let mut passed = true;
    let mut row =
        |quantity: &str, here: f64, published: f64, scale: f64, thesis: Option<f64>, measured: Option<f64>| {
            let deviation = (here - published) / scale;
            passed &= deviation.abs() <= TOLERANCE;
            println!(
                "| {} | {quantity} | {here:.4} | {published} | {:+.1} % | {} | {} |",
                case.name,
                100.0 * deviation,
                text(thesis),
                text(measured)
            );
        };
    row("impulse / N s", first.impulse, published.impulse, published.impulse, published.impulse_quasi_static, None);
    // The ball's velocity changes sign in between: its deviation counts against the speed of the impact.
    row(
        "ball after / m/s",
        -first.velocities[1],
        published.ball_velocity,
        case.speed,
        published.ball_velocity_quasi_static,
        published.ball_velocity_measured,
    );
    if let Some(second) = published.second_contact {
        let start = result.contacts.get(1).map_or(f64::NAN, |contact| contact.start);
        row("second contact / ms", start * 1e3, second * 1e3, second * 1e3, None, None);
    }
    passed
}

/// Ball on block without inertia against Hertz.
fn hertz(fineness: Fineness) -> Result<(), Box<dyn std::error::Error>> {
    println!("| ball on block: depth / µm | force / N | Hertz / N | deviation |");
    println!("|---|---|---|---|");
    for micrometres in [2.0, 5.0, 10.0, 15.0] {
        let depth = micrometres * 1e-6;
        // Stiff springs, so that the bodies yield and not the contact; their forces are small differences then.
        let raw =
            RawFlexibleParameters { penalty_stiffness: 2.0e8, tolerance: 1.0e-6, ..RawFlexibleParameters::default() };
        let force = static_press(fineness, depth, &raw)?;
        let expected = hertz_force(depth);
        println!("| {micrometres} | {force:.1} | {expected:.1} | {:+.1} % |", 100.0 * (force / expected - 1.0));
    }
    println!();
    Ok(())
}

/// Peak force and penetration by penalty stiffness.
fn penalty(fineness: Fineness) -> Result<(), Box<dyn std::error::Error>> {
    println!("| flat rod: c_P / N/m | peak / N | impulse / N s | deepest node / µm | iterations per step |");
    println!("|---|---|---|---|---|");
    let prepared = CASES[0].prepare(fineness, STEP)?;
    for penalty_stiffness in [2.5e6, 5.0e6, 1.0e7, 2.0e7, 4.5e7, 1.0e8] {
        let raw = RawFlexibleParameters { penalty_stiffness, ..RawFlexibleParameters::default() };
        let result = prepared.run(&raw)?;
        let first = result.contacts.first().copied().unwrap_or_default();
        println!(
            "| {penalty_stiffness:.1e} | {:.2} | {:.5} | {:.4} | {:.1} |",
            first.peak_force,
            first.impulse,
            result.max_penetration * 1e6,
            result.iterations as f64 / ((first.end - first.start) / STEP)
        );
    }
    println!();
    Ok(())
}

/// Coefficient of restitution by communication step and master.
fn coupling(fineness: Fineness) -> Result<(), Box<dyn std::error::Error>> {
    println!("| flat rod: communication step / µs | sequential, mean: e | parallel, end of step: e |");
    println!("|---|---|---|");
    for step in [0.25e-6, 0.5e-6, 1e-6, 2e-6, 5e-6, 10e-6, 20e-6] {
        let mut prepared: Prepared = CASES[0].prepare(fineness, step)?;
        let mut restitution = |coupling: Coupling| -> Result<f64, Box<dyn std::error::Error>> {
            prepared.impact.coupling = coupling;
            let raw = RawFlexibleParameters { internal_step: 2.5e-7, ..RawFlexibleParameters::default() };
            Ok(prepared.run(&raw)?.restitution(CASES[0].speed))
        };
        let [sequential, parallel] = [restitution(Coupling::Sequential)?, restitution(Coupling::Parallel)?];
        println!("| {:.2} | {sequential:.4} | {parallel:.4} |", step * 1e6);
    }
    println!();
    Ok(())
}

/// The three submodels on the flat rod.
fn submodels(fineness: Fineness) -> Result<(), Box<dyn std::error::Error>> {
    println!("| flat rod: submodel | impulse / N s | e | peak / N | run / s |");
    println!("|---|---|---|---|---|");
    for (name, submodel, penalty_stiffness) in [
        ("quasi-static", Submodel::QuasiStatic, 2.0e7),
        ("damped", Submodel::Damped, 2.0e7),
        ("modal", Submodel::Modal, 5.28e5),
    ] {
        let prepared = CASES[0].prepare(fineness, 1e-7)?;
        let raw = RawFlexibleParameters { submodel, penalty_stiffness, internal_step: 1e-7, ..Default::default() };
        let (result, seconds) = timed(|| prepared.run(&raw));
        let result = result?;
        let first = result.contacts.first().copied().unwrap_or_default();
        println!(
            "| {name} | {:.4} | {:.3} | {:.0} | {seconds:.1} |",
            first.impulse,
            result.restitution(CASES[0].speed),
            first.peak_force
        );
    }
    println!();
    Ok(())
}
