//! What the bouncing bubbles print, write and check.

use std::path::Path;

use polycontact_plot::{Line, Panel};
use rustix::time::{ClockId, clock_gettime};

use crate::bubbles::{self, Run, STOP_TIME, Sample, phases};
use crate::write;

/// Table 5.1 of the dissertation: evaluations and seconds of a 2.4 GHz Xeon for 3.2 s.
const PUBLISHED_EVALUATIONS: usize = 6099;
const PUBLISHED_SECONDS: f64 = 166.0;

/// Contacts that have to be over before the motion may lose its symmetry.
const SYMMETRIC_CONTACTS: usize = 8;
/// Largest asymmetry until then in m: rounding, grown by the impacts; a real difference of two contacts is a thousand
/// times larger.
const SYMMETRY_TOLERANCE: f64 = 1e-6;

/// Largest growth of the mechanical energy from flight to flight as a part of the energy at the start, and largest
/// deviation of the balance with what was dissipated: errors of the integrator.
const ENERGY_TOLERANCE: f64 = 1e-4;
const BALANCE_TOLERANCE: f64 = 2e-3;

/// Speed in m/s below which a bubble rests: friction is regularised with 2 mm/s, below which it creeps.
const REST_SPEED: f64 = 0.02;

/// Distance of the lines of the table in s.
const TABLE_STEP: f64 = 0.01;

/// Runs the scene and writes `bubbles.csv` and `bubbles.svg`.
pub fn demo(funnel: &Path, pair: &Path, folder: &Path) -> Result<(), String> {
    let before = processor_time();
    let run = bubbles::run(funnel, pair, STOP_TIME)?;
    let seconds = processor_time() - before;
    print(&run, seconds);
    write(folder, "bubbles.csv", &to_csv(&run.samples))?;
    write(folder, "bubbles.svg", &polycontact_plot::to_svg(&panels(&run.samples)))?;
    check(&run.samples)
}

/// Of this process in s.
fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

fn print(run: &Run, seconds: f64) {
    let Run { samples, evaluations, rejected } = run;
    println!("Three bubbles fall into a funnel: {STOP_TIME} s, six FMU instances");
    println!("  {:<44}{:>14}{:>10}", "", "dissertation", "here");
    let row = |name: &str, published: f64, here: f64, digits: usize| {
        println!("  {name:<44}{published:>14.digits$}{here:>10.digits$}");
    };
    row("function evaluations", PUBLISHED_EVALUATIONS as f64, *evaluations as f64, 0);
    row("CPU time / s", PUBLISHED_SECONDS, seconds, 2);
    row("real-time factor", PUBLISHED_SECONDS / STOP_TIME, seconds / STOP_TIME, 2);
    let per_evaluation = |seconds: f64, count: usize| 1e3 * seconds / count as f64;
    let published = per_evaluation(PUBLISHED_SECONDS, PUBLISHED_EVALUATIONS);
    row("time per evaluation of all six contacts / ms", published, per_evaluation(seconds, *evaluations), 3);
    println!("  {} steps, {rejected} rejected", samples.len() - 1);
    let phases = phases(samples);
    let over = phases.iter().filter(|phase| phase.2.is_finite()).count();
    println!("  {over} contacts were over before the end, {} last", phases.len() - over);
    if let Some(end) = symmetric_time(samples) {
        println!(
            "  asymmetry {:.1e} m when the first {SYMMETRIC_CONTACTS} contacts are over, at {end:.3} s",
            asymmetry(samples, end)
        );
    }
    if let Some(sample) = samples.iter().find(|sample| 1e-3 < sample.asymmetry()) {
        println!("  asymmetry above 1 mm from {:.3} s on", sample.time);
    }
    if let Some(last) = samples.last() {
        let speeds = last.motions.map(|motion| format!("{:.1}", 1e3 * motion.velocity.norm()));
        println!("  at the end: speeds {} mm/s, patches {:?}", speeds.join(", "), last.patches);
        println!(
            "  energy: {:.3} J at the start, {:.3} J at the end, {:.3} J dissipated",
            samples[0].mechanical_energy(),
            last.mechanical_energy(),
            last.dissipated,
        );
        println!(
            "  without contact it grew by {:.1e} of the start at most, and the balance is off by {:.1e}",
            growth(samples, true),
            imbalance(samples)
        );
        println!("  in contact it grew by {:.1e} at most", growth(samples, false));
    }
}

/// When the first contacts are over, in s.
fn symmetric_time(samples: &[Sample]) -> Option<f64> {
    phases(samples).get(SYMMETRIC_CONTACTS - 1).map(|phase| phase.2).filter(|end| end.is_finite())
}

/// Largest asymmetry until a time, in m.
fn asymmetry(samples: &[Sample], end: f64) -> f64 {
    samples.iter().filter(|sample| sample.time <= end).map(Sample::asymmetry).fold(0.0, f64::max)
}

/// Largest growth of the mechanical energy above any earlier value, as a part of the start.
///
/// In deep contact `elasticEnergy` is not quite the potential of the force, since the master's faces are pressed along
/// their own normals; so the rule that energy never grows is looked at in flight.
fn growth(samples: &[Sample], only_flight: bool) -> f64 {
    let mut lowest = f64::INFINITY;
    let mut growth = 0.0_f64;
    for sample in samples.iter().filter(|sample| !only_flight || is_flight(sample)) {
        let energy = sample.mechanical_energy();
        lowest = lowest.min(energy);
        growth = growth.max(energy - lowest);
    }
    growth / samples[0].mechanical_energy()
}

/// Largest deviation of mechanical and dissipated energy from the start in flight, as a part of it.
fn imbalance(samples: &[Sample]) -> f64 {
    let start = samples[0].mechanical_energy();
    let deviation = |sample: &Sample| ((sample.mechanical_energy() + sample.dissipated) / start - 1.0).abs();
    samples.iter().filter(|sample| is_flight(sample)).map(deviation).fold(0.0, f64::max)
}

fn is_flight(sample: &Sample) -> bool {
    sample.patches == [0; 6]
}

/// What the scene must show; the error says what it does not.
fn check(samples: &[Sample]) -> Result<(), String> {
    let end = symmetric_time(samples).ok_or("there are fewer contacts than expected")?;
    let asymmetry = asymmetry(samples, end);
    if SYMMETRY_TOLERANCE < asymmetry {
        return Err(format!("the motion must be symmetric until {end:.3} s, but is off by {asymmetry:.1e} m"));
    }
    let (growth, imbalance) = (growth(samples, true), imbalance(samples));
    if ENERGY_TOLERANCE < growth || BALANCE_TOLERANCE < imbalance {
        return Err(format!(
            "the mechanical energy must never grow, but does by {growth:.1e} of the start, or the balance with what was \
             dissipated is off by {imbalance:.1e}, which is too much"
        ));
    }
    let last = samples.last().ok_or("there are no samples")?;
    let speed = last.motions.iter().map(|motion| motion.velocity.norm()).fold(0.0, f64::max);
    if last.time == STOP_TIME && REST_SPEED < speed {
        return Err(format!("the bubbles must rest in the end, but one moves with {speed:.3} m/s"));
    }
    Ok(())
}

/// Times, poses (position, quaternion w x y z) of the three bubbles, patches of the six pairs, and energies.
fn to_csv(samples: &[Sample]) -> String {
    let mut text = String::from("time/s");
    for body in 1..=3 {
        for name in ["x/m", "y/m", "z/m", "qw", "qx", "qy", "qz"] {
            text += &format!(",{name}{body}");
        }
    }
    text +=
        ",patches1F,patches2F,patches3F,patches12,patches13,patches23,kinetic/J,potential/J,elastic/J,dissipated/J\n";
    let mut next_time = 0.0;
    for (index, sample) in samples.iter().enumerate() {
        if sample.time < next_time && index + 1 < samples.len() {
            continue;
        }
        next_time = sample.time + TABLE_STEP;
        text += &format!("{:.6}", sample.time);
        for motion in &sample.motions {
            let (p, q) = (motion.position, motion.orientation);
            [p.x, p.y, p.z, q.w, q.i, q.j, q.k].iter().for_each(|value| text += &format!(",{value:.6}"));
        }
        sample.patches.iter().for_each(|patches| text += &format!(",{patches}"));
        let energies = [sample.kinetic, sample.potential, sample.elastic, sample.dissipated];
        energies.iter().for_each(|energy| text += &format!(",{energy:.6}"));
        text.push('\n');
    }
    text
}

fn panels(samples: &[Sample]) -> Vec<Panel> {
    let line = |name, y: &dyn Fn(&Sample) -> f64| Line {
        name,
        points: samples.iter().map(|sample| (sample.time, y(sample))).collect(),
    };
    let patches =
        |of: std::ops::Range<usize>| move |sample: &Sample| f64::from(sample.patches[of.clone()].iter().sum::<i32>());
    let x_label = "time / s";
    vec![
        Panel {
            title: "Contact patches",
            x_label,
            y_label: "patches",
            lines: vec![line("funnel", &patches(0..3)), line("bubbles", &patches(3..6))],
        },
        Panel {
            title: "Height of the centres above the tip",
            x_label,
            y_label: "height / m",
            lines: vec![
                line("bubble 1", &|sample| sample.motions[0].position.z),
                line("bubble 2", &|sample| sample.motions[1].position.z),
                line("bubble 3", &|sample| sample.motions[2].position.z),
            ],
        },
        Panel {
            title: "Energy",
            x_label,
            y_label: "energy / J",
            lines: vec![
                line("kinetic", &|sample| sample.kinetic),
                line("potential", &|sample| sample.potential),
                line("elastic", &|sample| sample.elastic),
                line("mechanical", &Sample::mechanical_energy),
                line("+ dissipated", &|sample| sample.mechanical_energy() + sample.dissipated),
            ],
        },
    ]
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// The first eight contacts with the packaged FMUs; `cargo xtask test` names their folder.
    #[test]
    fn the_first_contacts_are_symmetric_and_energy_never_grows() {
        let folder = std::env::var_os("POLYCONTACT_FMUS")
            .expect("POLYCONTACT_FMUS must name the folder with the FMUs; `cargo xtask test` sets it");
        let fmu = |name: &str| PathBuf::from(&folder).join(name);
        let run = bubbles::run(&fmu("BubbleInFunnel.fmu"), &fmu("TwoBubbles.fmu"), 0.9).unwrap();
        check(&run.samples).unwrap();
        // Free fall until the outer bubbles touch the funnel: g t² / 2 above the slope of 1 : 2.
        let first = run.samples.iter().find(|sample| sample.patches != [0; 6]).unwrap();
        let fallen = 0.5 * 9.81 * first.time * first.time;
        assert!((1.0 - fallen - first.motions[1].position.z).abs() < 1e-3, "{fallen}");
        // The bulge of radius 0.1 m at y = 0.3 m touches the slope z = y / 2 at 0.15 m + 0.1 m √1.25, a step early or late.
        let touch = 0.15 + 0.1 * 1.25_f64.sqrt();
        assert!((first.motions[1].position.z - touch).abs() < 0.02, "{} {touch}", first.motions[1].position.z);
    }

    #[test]
    fn a_body_that_gains_energy_is_found() {
        let start = bubbles::Sample {
            time: 0.0,
            motions: [crate::motion::Motion::world(); 3],
            patches: [0; 6],
            kinetic: 1.0,
            potential: 1.0,
            elastic: 0.0,
            dissipated: 0.0,
        };
        let samples =
            [start, Sample { time: 1.0, kinetic: 0.5, dissipated: 0.5, ..start }, Sample { time: 2.0, ..start }];
        assert_eq!((growth(&samples, true), imbalance(&samples)), (0.25, 0.0));
        let touching = [start, Sample { time: 1.0, kinetic: 2.0, patches: [1, 0, 0, 0, 0, 0], ..start }];
        assert_eq!((growth(&touching, true), growth(&touching, false)), (0.0, 0.5));
    }
}
