//! What tests of several verbs need.

use std::path::{Path, PathBuf};

use clap::{Args, Command};

/// The project's root folder.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("this crate lies in the project").to_path_buf()
}

/// The default pair.
pub fn default_configuration() -> PathBuf {
    root().join("resources/contact.toml")
}

/// Arguments of a verb from a line of words.
pub fn parsed<A: Args>(line: &str) -> Result<A, String> {
    let command = A::augment_args(Command::new("verb").no_binary_name(true));
    let words = line.split_whitespace();
    let matches = command.try_get_matches_from(words).map_err(|error| error.to_string())?;
    A::from_arg_matches(&matches).map_err(|error| error.to_string())
}
