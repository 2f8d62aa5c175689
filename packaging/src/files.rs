//! Files that verbs write.

use std::fs;
use std::path::{Path, PathBuf};

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

/// A file that is written has to end in this way: else a slip of the pen writes over a mesh or a configuration. The error
/// says how to call it.
pub fn with_ending(path: &Path, ending: &str) -> Result<PathBuf, String> {
    if path.is_dir() {
        return Err(format!("it is a folder; name a file in it that ends in .{ending}"));
    }
    match path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending)) {
        true => Ok(path.to_path_buf()),
        false => Err(format!("the file must end in .{ending}; name it `{}`", path.with_extension(ending).display())),
    }
}

/// The same for an argument.
pub fn ending_in(ending: &'static str) -> impl Fn(&str) -> Result<PathBuf, String> + Clone + Send + Sync {
    move |text| with_ending(Path::new(text), ending)
}

/// Writes a file, and its folder where that is missing; the error is a message for people.
pub fn write(path: &Path, content: &[u8]) -> Result<(), String> {
    let folder = path.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, content))
        .map_err(|error| format!("cannot write `{}`: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_has_its_ending() {
        assert_eq!(ending_in("fmu")("pair.FMU"), Ok(PathBuf::from("pair.FMU")));
        for (text, other) in [("ball.obj", "ball.fmu"), ("pair", "pair.fmu"), ("a/contact.toml", "a/contact.fmu")] {
            let error = ending_in("fmu")(text).unwrap_err();
            assert!(error.contains("must end in .fmu") && error.contains(&format!("`{other}`")), "{error}");
        }
    }
}
