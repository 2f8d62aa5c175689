//! The commands of `polycontact`: what is typed becomes a call of `packaging` or of `reduction`.

mod completions;
#[cfg(feature = "reduce")]
mod reduce;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::{CommandFactory, Parser, Subcommand};
use polycontact_packaging::library_kit::LibraryKit;
use polycontact_packaging::{Surroundings, check_mesh, estimate, new, package, replay, system, view};

/// Contact forces between two triangle meshes, as an FMU for your simulation tool.
#[derive(Parser)]
#[command(name = "polycontact", version, arg_required_else_help = true, after_help = EXAMPLES)]
struct Words {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  polycontact new ball.stl block.stl --scale 0.001   writes contact.toml for two meshes in millimetres
  polycontact view                                   writes a page that shows the contact
  polycontact package                                makes the FMU

Every command has --help with examples. All lengths are in metres, all units SI.";

#[derive(Subcommand)]
enum Command {
    /// Write a commented contact.toml for two mesh files
    ///
    /// Reads both meshes, suggests what it can tell from them, and explains every line of the file.
    #[command(after_help = "\
Examples:
  polycontact new ball.stl block.stl
  polycontact new ball.stl block.stl --scale 0.001 --name BallOnBlock
  polycontact new wheel.obj rail.obj -o pair/contact.toml")]
    New(new::Arguments),
    /// Read meshes as the FMU would; report defects, quality, and what to do
    ///
    /// Fails if a file is refused. Besides what the FMU checks, it looks for faces that cross each other.
    #[command(after_help = "\
Examples:
  polycontact check-mesh ball.obj
  polycontact check-mesh block.stl --scale 0.001
  polycontact check-mesh pair/contact.toml --json")]
    CheckMesh(check_mesh::Arguments),
    /// Write a page to look at a pair: bodies, patches coloured by pressure, forces over depth
    ///
    /// One HTML file that needs no network: rotate and zoom the bodies, move sliders for depth and position, read
    /// force, torque, area and energy. All poses are computed beforehand, by the library.
    #[command(after_help = "\
Examples:
  polycontact view pair/contact.toml
  polycontact view pair/contact.toml --pose 0,0,-0.095 --plot force.svg
  polycontact view pair/contact.toml --approach 0,0,1 --depth 0.002 --vtp paraview")]
    View(view::Arguments),
    /// Suggest layers, damping, friction and a step from material, size and speed; try them out
    ///
    /// A ball of E meets a flat of F, or any two bodies by their effective radius and mass. Prints each number with
    /// its formula, the lines to paste into the configuration, and what a simulated impact makes of them.
    #[command(after_help = "\
Examples:
  polycontact estimate --radius 0.05 --mass 4 --speed 1 --youngs-modulus 2e9
  polycontact estimate pair/contact.toml --mass 4 --restitution 0.6")]
    Estimate(estimate::Arguments),
    /// Bundle two meshes with the library into an FMU
    ///
    /// The same inputs give the same bytes. The archive is opened again and checked before it gets its name.
    #[command(after_help = "\
Examples:
  polycontact package
  polycontact package pair/contact.toml -o BallOnBlock.fmu
  polycontact package pair/contact.toml --binary win64=polycontact.dll")]
    Package(package::Arguments),
    /// Couple a contact with a free rigid body in an SSP archive
    ///
    /// The archive has SystemStructure.ssd and both FMUs in resources/: the motion of the body goes to the contact,
    /// the wrench on F back to the body. The same inputs give the same bytes.
    #[command(after_help = "\
Examples:
  polycontact system pair/contact.toml pair/free-body.toml
  polycontact system pair/contact.toml pair/free-body.toml -o Landing.ssp")]
    System(system::Arguments),
    /// Show a recorded run: bodies in motion, pressure on the patches, forces, plots over time
    ///
    /// An FMU records when its parameter recordFile names a file. The page is one HTML file that needs no network: play
    /// it, rotate and zoom, plot any output, save pictures. Files stay below 10 MB; longer runs are thinned out.
    #[command(after_help = "\
Examples:
  polycontact replay run.pcr
  polycontact replay run.pcr -o run.html --csv run.csv --vtk paraview
  polycontact replay motions.csv --pair pair/contact.toml")]
    Replay(replay::Arguments),
    #[cfg(feature = "reduce")]
    /// Prepare a flexible body: reduce a finite-element model to an archive for `flexible = ...`
    ///
    /// Reads a volume mesh (Gmsh MSH 4.1) with a material, or mass and stiffness as Matrix Market files, as BODY.toml
    /// says, and writes the reduced body as a NumPy archive.
    #[command(after_help = "\
Examples:
  polycontact reduce --sample rod
  polycontact reduce rod.toml -o rod.npz")]
    Reduce(reduce::Arguments),
    /// Print a script that completes commands and options in your shell
    #[command(after_help = "\
Examples:
  polycontact completions bash > ~/.local/share/bash-completion/completions/polycontact
  polycontact completions zsh > ~/.zfunc/_polycontact
  polycontact completions fish > ~/.config/fish/completions/polycontact.fish")]
    Completions(completions::Arguments),
}

/// Does what the words say; the first one is the program. The kit is looked for in a folder. The exit code comes back.
pub fn run(words: impl IntoIterator<Item = OsString>, kit_folder: &Path) -> u8 {
    let words = match Words::try_parse_from(words) {
        Ok(words) => words,
        Err(error) => {
            // A closed pipe is no reason to complain.
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    let find_kit = || LibraryKit::beside(kit_folder);
    let surroundings = Surroundings { outputs: PathBuf::new(), kit: &find_kit };
    let (name, done) = match &words.command {
        Command::New(arguments) => ("new", new::run(arguments)),
        Command::CheckMesh(arguments) => ("check-mesh", check_mesh::run(arguments)),
        Command::View(arguments) => ("view", view::run(arguments, &surroundings)),
        Command::Estimate(arguments) => ("estimate", estimate::run(arguments)),
        Command::Package(arguments) => ("package", package::run(arguments, &surroundings)),
        Command::System(arguments) => ("system", system::run(arguments, &surroundings)),
        Command::Replay(arguments) => ("replay", replay::run(arguments, &surroundings)),
        #[cfg(feature = "reduce")]
        Command::Reduce(arguments) => ("reduce", reduce::run(arguments)),
        Command::Completions(arguments) => ("completions", completions::run(arguments, &mut Words::command())),
    };
    match done {
        Ok(()) => 0,
        Err(message) => {
            eprintln!("polycontact {name}: {message}");
            1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_of_the_commands_is_sound() {
        Words::command().debug_assert();
    }

    /// Every line of an example is a command that the parser takes.
    #[test]
    fn examples_in_the_help_parse() {
        let mut parsed = 0;
        let mut command = Words::command();
        let texts: Vec<String> = command
            .get_subcommands()
            .map(|verb| verb.get_after_help().map(ToString::to_string).unwrap_or_default())
            .chain([EXAMPLES.to_owned()])
            .collect();
        assert!(texts.iter().filter(|text| text.contains("Examples:")).count() == texts.len(), "{texts:?}");
        for line in texts.iter().flat_map(|text| text.lines()).filter_map(|line| line.strip_prefix("  polycontact ")) {
            // What follows is a redirection or an explanation.
            let line = line.split(" > ").next().unwrap().split("   ").next().unwrap();
            let words = std::iter::once("polycontact").chain(line.split_whitespace());
            command.try_get_matches_from_mut(words).unwrap_or_else(|error| panic!("{line}: {error}"));
            parsed += 1;
        }
        assert!(14 < parsed, "{parsed}");
    }
}
