//! `polycontact view`: one HTML page with both bodies, the contact patches, forces and force curves; ParaView files.

mod curve;
mod grid;
mod page;
mod samples;
pub(crate) mod vtp;

pub(crate) use page::{SCENE_SCRIPTS, STYLE as PAGE_STYLE, escape};

use std::path::PathBuf;
use std::time::Instant;

use base64::Engine;
use base64::prelude::BASE64_STANDARD as BASE64;
use polycontact::configuration::StartPose;
use polycontact::math::{Pose, Vector};

use crate::Surroundings;
use crate::approach::{Approach, MOST_PIECES, Pair};
use crate::contact_pair::ContactPair;
use crate::files::{ending_in, require_configuration, shown, write};
use crate::numbers::{pose, positive, significant, vector};
use grid::{Grid, MOST_BYTES, Wanted};
use samples::Motion;

/// What `view` is told.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// The contact pair
    #[arg(value_name = "CONFIG.toml", default_value = "contact.toml")]
    configuration: PathBuf,
    /// Position of M_f seen from M_e in m, and x-y-z angles in rad; the page opens there. Default is [pose] of the
    /// configuration; without one F moves from where the files have it until it touches E
    #[arg(long, value_name = "X,Y,Z[,A,B,C]", value_parser = pose, allow_hyphen_values = true)]
    pose: Option<Pose>,
    /// Direction in M_e along which F is pressed; default against the contact force in the given pose, else the axis
    /// along which the boxes around the bodies overlap least
    #[arg(long, value_name = "X,Y,Z", value_parser = vector, allow_hyphen_values = true)]
    approach: Option<Vector>,
    /// Direction in M_e of the slider for position; default an axis across the approach
    #[arg(long, value_name = "X,Y,Z", value_parser = vector, allow_hyphen_values = true)]
    across: Option<Vector>,
    /// Largest depth in m; default twice that of the given pose, else half the layers' thickness but at most a tenth
    /// of the smaller body
    #[arg(long, value_name = "D", value_parser = positive, allow_hyphen_values = true)]
    depth: Option<f64>,
    /// Largest way to either side in m; default a quarter of the smaller body
    #[arg(long, value_name = "L", value_parser = positive, allow_hyphen_values = true)]
    range: Option<f64>,
    /// Of F relative to E in m/s, resolved in M_e, in all poses: shows damping and slip
    #[arg(long, value_name = "X,Y,Z", value_parser = vector, allow_hyphen_values = true)]
    velocity: Option<Vector>,
    /// Of F relative to E in rad/s, resolved in M_e
    #[arg(long, value_name = "X,Y,Z", value_parser = vector, allow_hyphen_values = true)]
    angular_velocity: Option<Vector>,
    /// Where the page goes; without it NAME.html
    #[arg(short, long = "output", value_name = "FILE.html", value_parser = ending_in("html"))]
    output: Option<PathBuf>,
    /// Also draw force and area over depth in the middle position
    #[arg(long, value_name = "FILE.svg", value_parser = ending_in("svg"))]
    plot: Option<PathBuf>,
    /// Also write them as a table
    #[arg(long, value_name = "FILE.csv", value_parser = ending_in("csv"))]
    csv: Option<PathBuf>,
    /// Also write surface_e.vtp, surface_f.vtp and patches.vtp for ParaView, in the pose in which the page opens; the
    /// patches carry pressure, penetration and slip velocity
    #[arg(long, value_name = "FOLDER")]
    vtp: Option<PathBuf>,
}

/// Writes the page and what else is asked for.
pub fn run(arguments: &Arguments, surroundings: &Surroundings<'_>) -> Result<(), String> {
    let view = View::read(arguments)?;
    let path = match &arguments.output {
        Some(file) => file.clone(),
        None => surroundings.outputs.join(format!("{}.html", view.pair.configuration.name)),
    };
    let grid = view.grid()?;
    let page = page::html(&view, &grid);
    write(&path, page.as_bytes())?;
    println!("{}", shown(&path));
    println!("  {}", view.approach.explanation);
    let positions = match grid.positions.len() {
        1 => "in one position".to_owned(),
        count => format!("{count} positions up to {} m to either side", significant(view.range, 4)),
    };
    let deepest = significant(grid.depths[grid.depths.len() - 1], 4);
    println!("  {} depths up to {deepest} m, {positions}", grid.depths.len());
    if grid.is_shortened {
        println!("  deeper poses have too many pieces to be shown");
    }
    println!("  {} KiB; open it in a browser", page.len().div_ceil(1024));
    for (file, text) in [(&arguments.plot, curve::svg as fn(&Grid) -> String), (&arguments.csv, curve::csv)] {
        if let Some(file) = file {
            write(file, text(&grid).as_bytes())?;
            println!("{}", shown(file));
        }
    }
    if let Some(folder) = &arguments.vtp {
        for (name, text) in vtp::files(&view, &grid) {
            let path = folder.join(name);
            write(&path, text.as_bytes())?;
            println!("{}", shown(&path));
        }
    }
    Ok(())
}

/// Base64, as browsers and VTK read it.
pub(crate) fn encode(bytes: &[u8]) -> String {
    BASE64.encode(bytes)
}

/// A pair and the poses to show.
struct View {
    pair: ContactPair,
    bodies: Pair,
    approach: Approach,
    /// Unit vector of the slider for position, in M_e, across the approach.
    across_e: Vector,
    /// In m.
    largest_depth: f64,
    /// In m.
    range: f64,
    motion: Motion,
}

/// After so many seconds progress is shown, and then each time after twice as many.
const PROGRESS_SECONDS: u64 = 2;

/// Largest depth as a part of the smaller body, and range of the positions.
const DEEPEST_PART: f64 = 0.1;
const RANGE_PART: f64 = 0.25;

impl View {
    fn read(arguments: &Arguments) -> Result<View, String> {
        let motion = Motion {
            velocity_e: arguments.velocity.unwrap_or_default(),
            angular_velocity_e: arguments.angular_velocity.unwrap_or_default(),
        };
        require_configuration(&arguments.configuration)?;
        let pair = ContactPair::read(&arguments.configuration)?;
        pair.print_warnings();
        let bodies = Pair::of(&pair)?;
        let pose = arguments.pose.or_else(|| pair.configuration.pose.as_ref().map(StartPose::pose));
        let approach = Approach::find(&bodies, pose, arguments.approach)?;
        approach.print_warning();
        let across_e = across(approach.direction_e, arguments.across)?;
        let size = bodies.smallest_size();
        let thickness = [bodies.raw.layer_e, bodies.raw.layer_f]
            .iter()
            .filter(|layer| 0.0 < layer.youngs_modulus)
            .map(|layer| layer.layer_thickness)
            .sum::<f64>();
        let default_depth = (0.5 * thickness).min(DEEPEST_PART * size);
        let asked_depth = approach.asked_depth.filter(|depth| 0.0 < *depth).map(|depth| 2.0 * depth);
        let largest_depth = arguments.depth.or(asked_depth).unwrap_or(default_depth);
        let range = arguments.range.unwrap_or(RANGE_PART * size);
        Ok(View { pair, bodies, approach, across_e, largest_depth, range, motion })
    }

    /// Evaluates all poses.
    fn grid(&self) -> Result<Grid, String> {
        let started = Instant::now();
        let mut next = PROGRESS_SECONDS;
        let mut progress = |done: usize, all: usize| {
            let seconds = started.elapsed().as_secs();
            if next <= seconds {
                next = 2 * seconds;
                // Where it was quick so far, a finer round follows.
                eprintln!("  after {seconds} s: {done} of {all} poses in this round");
            }
        };
        let View { bodies, approach, across_e, largest_depth, range, motion, .. } = self;
        let wanted = Wanted {
            bodies,
            approach,
            across_e: *across_e,
            largest_depth: *largest_depth,
            range: *range,
            motion: *motion,
            most_pieces: MOST_PIECES,
            most_bytes: MOST_BYTES,
        };
        Grid::evaluate(&wanted, &mut progress)
    }
}

/// A unit vector across the approach: the given one without its part along it, or the axis that is most across.
fn across(direction_e: Vector, given: Option<Vector>) -> Result<Vector, String> {
    let axes = [Vector::x(), Vector::y(), Vector::z()];
    // Of equal ones the first.
    let most = axes.iter().fold(axes[0], |best, axis| {
        if axis.dot(&direction_e).abs() < best.dot(&direction_e).abs() - 1e-9 { *axis } else { best }
    });
    let wanted = given.unwrap_or(most);
    let across = wanted - direction_e * wanted.dot(&direction_e);
    (1e-9 * wanted.norm() < across.norm())
        .then(|| across.normalize())
        .ok_or_else(|| "`--across` runs along the approach, but must be across it".into())
}

#[cfg(test)]
mod browser_tests;
#[cfg(test)]
mod view_tests;
