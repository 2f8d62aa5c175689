//! `cargo xtask package`: what `polycontact package` does, with a library that is built first.

use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{Args, FromArgMatches};
use polycontact_packaging::Surroundings;
use polycontact_packaging::library_kit::LibraryKit;
use polycontact_packaging::package::{self as packaging, library};

use crate::Verb;
use crate::library::{kit_for, left_beside_programs, write_kit};
use crate::project::{default_configuration, target};

pub const VERB: Verb = Verb {
    name: "package",
    summary: "builds the library and bundles it with two meshes into an FMU",
    usage: "
Usage: cargo xtask package [CONFIG.toml] [-o FILE.fmu] [--platforms PLATFORM,…] [--binary PLATFORM=FILE]… [--kit FILE.zip]

  CONFIG.toml              the contact pair (default: resources/contact.toml, a sphere on a plate), or
                           with a section [body] a free rigid body
  -o FILE.fmu              where the FMU goes (default: target/fmu/<name>.fmu)
  --binary PLATFORM=FILE   also bundle a library that was built elsewhere; PLATFORM is linux64,
                           linux32, win64, win32, darwin64, aarch64-linux, aarch64-windows or
                           aarch64-darwin. It replaces a build.
  --platforms PLATFORM,…   build for these instead of this machine alone; linux64, win64 and aarch64-linux
                           can be cross-built, see docs/platforms.md
  --kit FILE.zip           also write all libraries as the file that `polycontact` looks for beside itself

The same inputs give the same bytes. The archive is opened again and checked before it gets
its name. The library is also left beside the program `polycontact` in target/debug and
target/release, which packages without a compiler then.",
    run,
};

fn run(words: &[String]) -> Result<(), String> {
    let (arguments, kit_file) = parse(words)?;
    let wanted = match &arguments.platforms[..] {
        [] => vec![library::host_platform()?],
        platforms => platforms.to_vec(),
    };
    let is_handed_in = |name: &str| arguments.handed_in.iter().any(|library| library.platform.name == name);
    let built: Vec<_> = wanted.into_iter().filter(|platform| !is_handed_in(platform.name)).collect();
    let others: Vec<_> = arguments.handed_in.iter().map(|library| library.platform).collect();
    let build = || kit_for(&built, &others).and_then(left_beside_programs);
    packaging::run(&arguments, &surroundings(&build))?;
    let Some(file) = kit_file else { return Ok(()) };
    write_kit(&file, &packaging::kit(&arguments.handed_in, &surroundings(&build))?)
}

/// The arguments, with the default pair in place of the one in the current folder; and the file of the kit.
pub fn parse(words: &[String]) -> Result<(packaging::Arguments, Option<PathBuf>), String> {
    let command = clap::Command::new("package").no_binary_name(true).disable_help_flag(true);
    let kit = clap::Arg::new("kit").long("kit").value_parser(clap::value_parser!(PathBuf));
    let command = packaging::Arguments::augment_args(command).arg(kit);
    let said = |error: clap::Error| error.to_string().trim_start_matches("error: ").trim_end().to_owned();
    let matches = command.try_get_matches_from(words).map_err(said)?;
    let mut arguments = packaging::Arguments::from_arg_matches(&matches).map_err(said)?;
    if matches.value_source("configuration") == Some(ValueSource::DefaultValue) {
        arguments.configuration = default_configuration();
    }
    Ok((arguments, matches.get_one("kit").cloned()))
}

/// Packages a configuration to `target/fmu`, or to a given place, with a kit at hand or one that is built.
pub fn package(
    configuration: &Path,
    output: Option<&Path>,
    kit: &dyn Fn() -> Result<LibraryKit, String>,
) -> Result<PathBuf, String> {
    packaging::package(configuration, output, &surroundings(kit))
}

/// Outputs of developers are in the target folder.
pub fn surroundings(kit: &dyn Fn() -> Result<LibraryKit, String>) -> Surroundings<'_> {
    Surroundings { outputs: target().join("fmu"), kit }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_pair_stands_in_where_no_file_is_named() {
        let words = |line: &str| line.split_whitespace().map(String::from).collect::<Vec<_>>();
        assert_eq!(parse(&words("")).unwrap().0.configuration, default_configuration());
        let line = "a.toml -o b.fmu --binary win64=c.dll --platforms win64,aarch64-linux --kit k.zip";
        let (arguments, kit) = parse(&words(line)).unwrap();
        assert_eq!(kit.as_deref(), Some(Path::new("k.zip")));
        let platforms: Vec<&str> = arguments.platforms.iter().map(|platform| platform.name).collect();
        assert_eq!(platforms, ["win64", "aarch64-linux"]);
        assert_eq!(arguments.configuration, Path::new("a.toml"));
        assert_eq!(arguments.output.as_deref(), Some(Path::new("b.fmu")));
        assert!(arguments.handed_in[0].platform.name == "win64");
        assert!(parse(&words("--outptu b.fmu")).unwrap_err().contains("--outptu"));
    }
}
