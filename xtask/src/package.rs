//! `cargo xtask package`: what `polycontact package` does, with a library that is built first.

use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{Args, FromArgMatches};
use polycontact_packaging::Surroundings;
use polycontact_packaging::library_kit::LibraryKit;
use polycontact_packaging::package::{self as packaging, library};

use crate::Verb;
use crate::library::{empty_kit, kit};
use crate::project::{default_configuration, target};

pub const VERB: Verb = Verb {
    name: "package",
    summary: "builds the library and bundles it with two meshes into an FMU",
    usage: "
Usage: cargo xtask package [CONFIG.toml] [-o FILE.fmu] [--binary PLATFORM=FILE]…

  CONFIG.toml              the contact pair (default: resources/contact.toml, a sphere on a plate), or
                           with a section [body] a free rigid body
  -o FILE.fmu              where the FMU goes (default: target/fmu/<name>.fmu)
  --binary PLATFORM=FILE   also bundle a library that was built elsewhere; PLATFORM is linux64,
                           linux32, win64, win32, darwin64, aarch64-linux, aarch64-windows or
                           aarch64-darwin. For this machine's platform it replaces the build.

The same inputs give the same bytes. The archive is opened again and checked before it gets
its name. The library is also left beside the program `polycontact` in target/debug and
target/release, which packages without a compiler then.",
    run,
};

fn run(words: &[String]) -> Result<(), String> {
    let arguments = parse(words)?;
    let host = library::host_platform().map(|host| host.name).unwrap_or_default();
    let is_handed_in = arguments.handed_in.iter().any(|library| library.platform.name == host);
    packaging::run(&arguments, &surroundings(if is_handed_in { &empty_kit } else { &kit }))
}

/// The arguments, with the default pair in place of the one in the current folder.
pub fn parse(words: &[String]) -> Result<packaging::Arguments, String> {
    let command = clap::Command::new("package").no_binary_name(true).disable_help_flag(true);
    let command = packaging::Arguments::augment_args(command);
    let said = |error: clap::Error| error.to_string().trim_start_matches("error: ").trim_end().to_owned();
    let matches = command.try_get_matches_from(words).map_err(said)?;
    let mut arguments = packaging::Arguments::from_arg_matches(&matches).map_err(said)?;
    if matches.value_source("configuration") == Some(ValueSource::DefaultValue) {
        arguments.configuration = default_configuration();
    }
    Ok(arguments)
}

/// Packages a configuration to `target/fmu`, or to a given place, with a kit at hand or one that is built.
pub fn package(
    configuration: &Path,
    output: Option<&Path>,
    kit: &dyn Fn() -> Result<LibraryKit, String>,
) -> Result<PathBuf, String> {
    packaging::package(configuration, output, &[], &surroundings(kit))
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
        assert_eq!(parse(&words("")).unwrap().configuration, default_configuration());
        let arguments = parse(&words("a.toml -o b.fmu --binary win64=c.dll")).unwrap();
        assert_eq!(arguments.configuration, Path::new("a.toml"));
        assert_eq!(arguments.output.as_deref(), Some(Path::new("b.fmu")));
        assert!(arguments.handed_in[0].platform.name == "win64");
        assert!(parse(&words("--outptu b.fmu")).unwrap_err().contains("--outptu"));
    }
}
