//! `cargo xtask view`: one HTML page with both bodies, the contact patches, forces and force curves; ParaView files.

mod base64;
mod curve;
mod grid;
mod page;
mod samples;
pub(crate) mod vtp;

#[cfg(test)]
pub(crate) use base64::decode;
pub(crate) use base64::encode;
pub(crate) use page::{SCENE_SCRIPTS, STYLE as PAGE_STYLE, escape};

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use polycontact::configuration::StartPose;
use polycontact::math::Vector;

use crate::Verb;
use crate::approach::{Approach, MOST_PIECES, Pair};
use crate::arguments::{Arguments, OptionSpec};
use crate::contact_pair::ContactPair;
use crate::numbers::{number, pose, significant, vector};
use crate::project::{shown, target};
use grid::{Grid, MOST_BYTES, Wanted};
use samples::Motion;

/// The verb.
pub const VERB: Verb = Verb {
    name: "view",
    summary: "writes a page to look at a pair: bodies, patches coloured by pressure, forces over depth",
    usage: "
Usage: cargo xtask view CONFIG.toml [OPTIONS]

Writes one HTML file that needs no network: rotate and zoom the bodies, move sliders for depth and position,
read force, torque, area and energy. All poses are computed beforehand, by the library.

  --pose X,Y,Z[,A,B,C]     position of M_f seen from M_e in m, and x-y-z angles in rad; the page opens there.
                           Default is [pose] of the configuration; without one F moves from where the files
                           have it until it touches E
  --approach X,Y,Z         direction in M_e along which F is pressed; default against the contact force in
                           the given pose, else the axis along which the boxes around the bodies overlap least
  --across X,Y,Z           direction in M_e of the slider for position; default an axis across the approach
  --depth D                largest depth in m; default twice that of the given pose, else half the layers'
                           thickness but at most a tenth of the smaller body
  --range L                largest way to either side in m; default a quarter of the smaller body
  --velocity X,Y,Z         of F relative to E in m/s, resolved in M_e, in all poses: shows damping and slip
  --angular-velocity X,Y,Z of F relative to E in rad/s, resolved in M_e
  -o FILE.html             default target/view/NAME.html
  --plot FILE.svg          also draws force and area over depth in the middle position
  --csv FILE.csv           also writes them as a table
  --vtp FOLDER             also writes surface_e.vtp, surface_f.vtp and patches.vtp for ParaView, in the pose in
                           which the page opens; the patches carry pressure, penetration and slip velocity",
    run,
};

const OPTIONS: &[OptionSpec] = &[
    OptionSpec { name: "--pose", takes_value: true },
    OptionSpec { name: "--approach", takes_value: true },
    OptionSpec { name: "--across", takes_value: true },
    OptionSpec { name: "--depth", takes_value: true },
    OptionSpec { name: "--range", takes_value: true },
    OptionSpec { name: "--velocity", takes_value: true },
    OptionSpec { name: "--angular-velocity", takes_value: true },
    OptionSpec { name: "-o", takes_value: true },
    OptionSpec { name: "--plot", takes_value: true },
    OptionSpec { name: "--csv", takes_value: true },
    OptionSpec { name: "--vtp", takes_value: true },
];

fn run(words: &[String]) -> Result<(), String> {
    let arguments = Arguments::parse(words, OPTIONS)?;
    if let Some(file) = arguments.value("--plot").filter(|file| !file.to_lowercase().ends_with(".svg")) {
        let named = Path::new(file).with_extension("svg");
        return Err(format!("`--plot {file}`: plots are SVG files; name it `{}`", named.display()));
    }
    let view = View::read(&arguments)?;
    let path = match arguments.value("-o") {
        Some(file) => PathBuf::from(file),
        None => target().join("view").join(format!("{}.html", view.pair.configuration.name)),
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
    for (option, text) in [("--plot", curve::svg as fn(&Grid) -> String), ("--csv", curve::csv)] {
        if let Some(file) = arguments.value(option) {
            write(Path::new(file), text(&grid).as_bytes())?;
            println!("{}", shown(Path::new(file)));
        }
    }
    if let Some(folder) = arguments.value("--vtp") {
        let folder = Path::new(folder);
        for (name, text) in vtp::files(&view, &grid) {
            let path = folder.join(name);
            write(&path, text.as_bytes())?;
            println!("{}", shown(&path));
        }
    }
    Ok(())
}

fn write(path: &Path, content: &[u8]) -> Result<(), String> {
    let folder = path.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, content))
        .map_err(|error| format!("cannot write `{}`: {error}", path.display()))
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

/// How often progress is shown, in s.
const PROGRESS_SECONDS: u64 = 2;

/// Largest depth as a part of the smaller body, and range of the positions.
const DEEPEST_PART: f64 = 0.1;
const RANGE_PART: f64 = 0.25;

impl View {
    fn read(arguments: &Arguments) -> Result<View, String> {
        let file = match arguments.free.as_slice() {
            [file] => Path::new(file),
            [] => return Err("no configuration given, such as `cargo xtask view resources/contact.toml`".into()),
            [_, second, ..] => return Err(format!("one configuration at a time, but `{second}` is a second one")),
        };
        let option = |name: &str| arguments.value(name).map(|text| vector(name, text)).transpose();
        let length = |name: &str| match arguments.value(name).map(|text| number(name, text)).transpose()? {
            Some(value) if value <= 0.0 => Err(format!("`{name}` is {value}, but must be above 0 m")),
            other => Ok(other),
        };
        let pose = arguments.value("--pose").map(pose).transpose()?;
        let (given_depth, given_range) = (length("--depth")?, length("--range")?);
        let motion = Motion {
            velocity_e: option("--velocity")?.unwrap_or_default(),
            angular_velocity_e: option("--angular-velocity")?.unwrap_or_default(),
        };
        let (given_approach, given_across) = (option("--approach")?, option("--across")?);
        let pair = ContactPair::read(file)?;
        pair.print_warnings();
        let bodies = Pair::of(&pair)?;
        let pose = pose.or_else(|| pair.configuration.pose.as_ref().map(StartPose::pose));
        let approach = Approach::find(&bodies, pose, given_approach)?;
        approach.print_warning();
        let across_e = across(approach.direction_e, given_across)?;
        let size = bodies.smallest_size();
        let thickness = [bodies.raw.layer_e, bodies.raw.layer_f]
            .iter()
            .filter(|layer| 0.0 < layer.youngs_modulus)
            .map(|layer| layer.layer_thickness)
            .sum::<f64>();
        let default_depth = (0.5 * thickness).min(DEEPEST_PART * size);
        let asked_depth = approach.asked_depth.filter(|depth| 0.0 < *depth).map(|depth| 2.0 * depth);
        let largest_depth = given_depth.or(asked_depth).unwrap_or(default_depth);
        let range = given_range.unwrap_or(RANGE_PART * size);
        Ok(View { pair, bodies, approach, across_e, largest_depth, range, motion })
    }

    /// Evaluates all poses.
    fn grid(&self) -> Result<Grid, String> {
        let started = Instant::now();
        let mut shown = 0;
        let mut progress = |done: usize, all: usize| {
            let seconds = started.elapsed().as_secs();
            if PROGRESS_SECONDS * (shown + 1) <= seconds {
                shown = seconds / PROGRESS_SECONDS;
                eprintln!("  {done} of {all} poses");
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
