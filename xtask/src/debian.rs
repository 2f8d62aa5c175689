//! Programs and libraries of Debian that tests need.

use std::process::{Command, Stdio};

use crate::project::output;

/// Installs a package with apt-get; the error says why that was not possible.
pub fn install(package: &str) -> Result<(), String> {
    println!("Installing the Debian package {package}");
    let install = || apt_get(&["install", "--yes", "--no-install-recommends", package]);
    // Lists of packages may be missing or old: fetch them only then.
    install().or_else(|_| update().and_then(|()| install())).map(drop)
}

/// Fetches the lists of packages, so that the newest ones are installed.
pub fn update() -> Result<(), String> {
    apt_get(&["update"]).map(drop)
}

fn apt_get(words: &[&str]) -> Result<String, String> {
    output(Command::new("apt-get").args(words).env("DEBIAN_FRONTEND", "noninteractive").stdin(Stdio::null()))
}
