//! Python environments below `target/python`, for tools that are not Rust crates.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::project::{output, root, run, target};

/// The environment `target/python/<name>` with exactly the packages of a requirements file.
///
/// A relative `requirements` path starts at the project's root. The environment is used again as
/// long as the file keeps its content, and made anew otherwise.
pub fn venv(name: &str, requirements: &Path) -> Result<PathBuf, String> {
    let requirements = root().join(requirements);
    let wanted = fs::read_to_string(&requirements)
        .map_err(|error| format!("cannot read `{}`: {error}", requirements.display()))?;
    let folder = target().join("python").join(name);
    let stamp = folder.join("requirements-installed.txt");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) && python(&folder).exists() {
        return Ok(folder);
    }
    eprintln!("Python environment `{name}`: installing {} into {}", packages(&wanted), folder.display());
    run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&folder))
        .map_err(|error| format!("{error}; Python 3 with its `venv` module is needed (Debian: python3-venv)"))?;
    run(Command::new(python(&folder))
        .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"])
        .arg(&requirements))
    .map_err(|error| format!("{error}; is the package index reachable?"))?;
    fs::write(&stamp, wanted).map_err(|error| format!("cannot write `{}`: {error}", stamp.display()))?;
    Ok(folder)
}

/// The interpreter of an environment.
pub fn python(venv: &Path) -> PathBuf {
    program(venv, "python")
}

/// A program that a package has put into an environment.
pub fn program(venv: &Path, name: &str) -> PathBuf {
    if cfg!(windows) { venv.join("Scripts").join(format!("{name}.exe")) } else { venv.join("bin").join(name) }
}

/// Variables with which crates that need bindgen build without an installed LLVM.
pub fn libclang_variables() -> Result<Vec<(&'static str, OsString)>, String> {
    let venv = venv("libclang", Path::new("xtask/python/libclang.txt"))?;
    let site_packages =
        output(Command::new(python(&venv)).args(["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]))?;
    let native = Path::new(site_packages.trim()).join("clang").join("native");
    let mut variables = vec![("LIBCLANG_PATH", native.into_os_string())];
    // The wheel has no headers of its own, such as stddef.h; those of gcc do.
    if let Ok(include) = output(Command::new("gcc").arg("-print-file-name=include")) {
        variables.push(("BINDGEN_EXTRA_CLANG_ARGS", format!("-I{}", include.trim()).into()));
    }
    Ok(variables)
}

/// The requirements on one line, without comments.
fn packages(requirements: &str) -> String {
    let lines = requirements.lines().map(|line| line.split('#').next().unwrap_or("").trim());
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_requirements_file_is_named() {
        let error = venv("nothing", Path::new("xtask/python/missing.txt")).unwrap_err();
        assert!(error.contains("missing.txt"), "{error}");
        assert!(!target().join("python/nothing").exists());
    }

    #[test]
    fn packages_are_listed_without_comments() {
        assert_eq!(packages("# why\na==1\n\nb==2 # because\n"), "a==1, b==2");
    }
}
