//! Files that verbs write.

use std::fs;
use std::path::Path;

/// A path for messages: relative to the current folder where that is shorter.
pub fn shown(path: &Path) -> String {
    let current = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&current).unwrap_or(path).display().to_string()
}

/// Writes a file, and its folder where that is missing; the error is a message for people.
pub fn write(path: &Path, content: &[u8]) -> Result<(), String> {
    let folder = path.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, content))
        .map_err(|error| format!("cannot write `{}`: {error}", path.display()))
}
