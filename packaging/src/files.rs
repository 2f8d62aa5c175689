//! Files that verbs write.

use std::fs;
use std::path::Path;

use polycontact::configuration::FILE_NAME;

/// A path for messages: relative to the current folder where that is shorter.
pub fn shown(path: &Path) -> String {
    let current = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&current).unwrap_or(path).display().to_string()
}

/// The configuration that is read where none is named; the error says how to come by one.
pub fn require_configuration(path: &Path) -> Result<(), String> {
    if path != Path::new(FILE_NAME) || path.exists() {
        return Ok(());
    }
    Err(format!(
        "there is no `{FILE_NAME}` in this folder; name the configuration, or write one with `polycontact new E F`, where \
         E and F are mesh files"
    ))
}

/// Writes a file, and its folder where that is missing; the error is a message for people.
pub fn write(path: &Path, content: &[u8]) -> Result<(), String> {
    let folder = path.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, content))
        .map_err(|error| format!("cannot write `{}`: {error}", path.display()))
}
