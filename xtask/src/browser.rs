//! Chromium, in which the page of `polycontact view` is tested.

use std::path::PathBuf;

use crate::debian;

const PROGRAMS: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// The browser that `CHROMIUM` names, or one in PATH.
fn find() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("CHROMIUM") {
        return Some(PathBuf::from(named));
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders)
        .flat_map(|folder| PROGRAMS.map(|program| folder.join(program)))
        .find(|file| file.is_file())
}

/// A browser, installed if it is missing; none where that cannot be done, which is an error in a CI.
pub fn provide() -> Result<Option<PathBuf>, String> {
    if let Some(browser) = find() {
        return Ok(Some(browser));
    }
    let reason = match debian::install("chromium") {
        Ok(()) => return find().map(Some).ok_or_else(|| "chromium is installed, but not in PATH".to_owned()),
        Err(reason) => reason,
    };
    if std::env::var_os("CI").is_some() {
        return Err(format!("no Chromium: install it, or name it in the variable CHROMIUM\n{reason}"));
    }
    println!(
        "Skipped: no Chromium in PATH, and it cannot be installed here. To run this step, install it or name it in"
    );
    println!("the variable CHROMIUM. Where the variable CI is set, this is an error.\n{reason}");
    Ok(None)
}
