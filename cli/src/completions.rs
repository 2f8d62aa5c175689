//! `polycontact completions`: scripts for shells.

use clap::Command;
use clap_complete::Shell;

/// What `completions` is told.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// The shell that shall complete
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the script.
pub fn run(arguments: &Arguments, command: &mut Command) -> Result<(), String> {
    clap_complete::generate(arguments.shell, command, "polycontact", &mut std::io::stdout());
    Ok(())
}
