//! Folders of the project and programs run in them.

use std::path::{Path, PathBuf};
use std::process::Command;

pub use polycontact_packaging::shown;

/// The project's root folder.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the project").to_path_buf()
}

/// The default contact pair.
pub fn default_configuration() -> PathBuf {
    root().join("resources/contact.toml")
}

/// Where everything that is built goes; `CARGO_TARGET_DIR` moves it.
pub fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) if !folder.is_empty() => root().join(folder),
        _ => root().join("target"),
    }
}

/// The Cargo that runs this program.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    command.current_dir(root());
    command
}

/// Set by `cargo xtask test`, which has built all programs of the workspace together. Alone they would be built again,
/// since the features of their dependencies differ.
pub const BUILT: &str = "POLYCONTACT_BUILT";

/// A program of the workspace as `cargo test` builds it.
pub fn program(name: &str) -> PathBuf {
    target().join("debug").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// A program of another package of the workspace, built if need be; arguments may follow.
pub fn workspace_program(package: &str, name: &str) -> Command {
    if std::env::var_os(BUILT).is_some() {
        let mut command = Command::new(program(name));
        command.current_dir(root());
        return command;
    }
    let mut command = cargo();
    command.args(["run", "--package", package, "--bin", name, "--"]);
    command
}

/// Runs a program with its output shown; the error names the command.
pub fn run(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|error| not_started(command, &error))?;
    if status.success() { Ok(()) } else { Err(format!("`{}` failed ({status})", in_words(command))) }
}

/// Runs a program and returns what it prints; messages of the program are part of the error.
pub fn output(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| not_started(command, &error))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let messages = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).trim().to_owned());
    Err(format!("`{}` failed ({}):\n{}", in_words(command), output.status, messages.join("\n").trim()))
}

/// The message about a program that cannot be started.
pub fn not_started(command: &Command, error: &std::io::Error) -> String {
    let program = command.get_program().to_string_lossy();
    format!("cannot start `{program}`: {error}; install it or put it into PATH")
}

/// Program and arguments of a command.
pub fn in_words(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
