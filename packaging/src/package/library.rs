//! The shared library of an FMU: where it runs, and what it exports.

use std::path::Path;

use object::{Architecture, BinaryFormat, Object};

/// A platform that FMI knows, with the libraries that run on it.
#[derive(Debug)]
pub struct Platform {
    /// Folder below `binaries`.
    pub name: &'static str,
    /// File extension of a library.
    pub extension: &'static str,
    format: BinaryFormat,
    architecture: Architecture,
}

const fn platform(
    name: &'static str,
    extension: &'static str,
    format: BinaryFormat,
    architecture: Architecture,
) -> Platform {
    Platform { name, extension, format, architecture }
}

/// FMI 2.0 has names for x86; for other processors its readers use the tuples of FMI 3.0.
pub const PLATFORMS: [Platform; 8] = [
    platform("linux64", "so", BinaryFormat::Elf, Architecture::X86_64),
    platform("linux32", "so", BinaryFormat::Elf, Architecture::I386),
    platform("win64", "dll", BinaryFormat::Pe, Architecture::X86_64),
    platform("win32", "dll", BinaryFormat::Pe, Architecture::I386),
    platform("darwin64", "dylib", BinaryFormat::MachO, Architecture::X86_64),
    platform("aarch64-linux", "so", BinaryFormat::Elf, Architecture::Aarch64),
    platform("aarch64-windows", "dll", BinaryFormat::Pe, Architecture::Aarch64),
    platform("aarch64-darwin", "dylib", BinaryFormat::MachO, Architecture::Aarch64),
];

/// Functions of FMI 2.0 for Model Exchange and Co-Simulation: an FMU exports all of them and nothing else.
pub const FUNCTIONS: [&str; 44] = [
    "fmi2CancelStep",
    "fmi2CompletedIntegratorStep",
    "fmi2DeSerializeFMUstate",
    "fmi2DoStep",
    "fmi2EnterContinuousTimeMode",
    "fmi2EnterEventMode",
    "fmi2EnterInitializationMode",
    "fmi2ExitInitializationMode",
    "fmi2FreeFMUstate",
    "fmi2FreeInstance",
    "fmi2GetBoolean",
    "fmi2GetBooleanStatus",
    "fmi2GetContinuousStates",
    "fmi2GetDerivatives",
    "fmi2GetDirectionalDerivative",
    "fmi2GetEventIndicators",
    "fmi2GetFMUstate",
    "fmi2GetInteger",
    "fmi2GetIntegerStatus",
    "fmi2GetNominalsOfContinuousStates",
    "fmi2GetReal",
    "fmi2GetRealOutputDerivatives",
    "fmi2GetRealStatus",
    "fmi2GetStatus",
    "fmi2GetString",
    "fmi2GetStringStatus",
    "fmi2GetTypesPlatform",
    "fmi2GetVersion",
    "fmi2Instantiate",
    "fmi2NewDiscreteStates",
    "fmi2Reset",
    "fmi2SerializeFMUstate",
    "fmi2SerializedFMUstateSize",
    "fmi2SetBoolean",
    "fmi2SetContinuousStates",
    "fmi2SetDebugLogging",
    "fmi2SetFMUstate",
    "fmi2SetInteger",
    "fmi2SetReal",
    "fmi2SetRealInputDerivatives",
    "fmi2SetString",
    "fmi2SetTime",
    "fmi2SetupExperiment",
    "fmi2Terminate",
];

/// The platform of a name.
pub fn find_platform(name: &str) -> Option<&'static Platform> {
    PLATFORMS.iter().find(|platform| platform.name == name)
}

/// The platform that this program runs on.
pub fn host_platform() -> Result<&'static Platform, String> {
    let name = match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => "linux64",
        ("linux", "x86") => "linux32",
        ("linux", "aarch64") => "aarch64-linux",
        ("windows", "x86_64") => "win64",
        ("windows", "x86") => "win32",
        ("windows", "aarch64") => "aarch64-windows",
        ("macos", "x86_64") => "darwin64",
        ("macos", "aarch64") => "aarch64-darwin",
        (os, processor) => {
            return Err(format!(
                "FMI has no name for {os} on {processor}; build on another machine or hand in a library with `--binary`"
            ));
        }
    };
    Ok(find_platform(name).expect("every name above is in the table"))
}

/// Checks that a library runs on a platform and exports the functions of FMI and nothing else.
pub fn check(bytes: &[u8], platform: &Platform, name: &str) -> Result<(), String> {
    let file = object::File::parse(bytes).map_err(|error| format!("`{name}` is not a shared library: {error}"))?;
    if (file.format(), file.architecture()) != (platform.format, platform.architecture) {
        return Err(format!(
            "`{name}` is a {:?} file for {:?}, but {} needs {:?} for {:?}",
            file.format(),
            file.architecture(),
            platform.name,
            platform.format,
            platform.architecture
        ));
    }
    let exports = file.exports().map_err(|error| format!("`{name}` has damaged exports: {error}"))?;
    let names: Vec<String> = exports.iter().map(|export| plain_name(export.name(), platform)).collect();
    let missing: Vec<&str> = FUNCTIONS.into_iter().filter(|function| !names.iter().any(|n| n == function)).collect();
    if let Some(first) = missing.first() {
        return Err(format!(
            "`{name}` lacks {} of the {} functions of FMI, such as {first}; is it the library of this project?",
            missing.len(),
            FUNCTIONS.len()
        ));
    }
    let foreign: Vec<&str> = names.iter().map(String::as_str).filter(|name| !FUNCTIONS.contains(name)).collect();
    if foreign.is_empty() {
        return Ok(());
    }
    Err(format!("`{name}` exports more than FMI: {}; build it as a `cdylib`", foreign.join(", ")))
}

/// The name in C: Mach-O puts an underscore before it.
fn plain_name(name: &[u8], platform: &Platform) -> String {
    let name = String::from_utf8_lossy(name);
    let is_mach_o = platform.format == BinaryFormat::MachO;
    name.strip_prefix('_').filter(|_| is_mach_o).unwrap_or(&name).to_owned()
}

/// Reads a library that was handed in.
pub fn read(path: &Path, platform: &Platform) -> Result<Vec<u8>, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
    check(&bytes, platform, &path.display().to_string())?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_library_of_ours_is_refused_with_a_reason() {
        let linux = find_platform("linux64").unwrap();
        assert!(check(b"text", linux, "x.so").unwrap_err().contains("`x.so` is not a shared library"));
        // This test is a program: the right format, but it exports nothing of FMI.
        let program = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let host = host_platform().unwrap();
        assert!(
            check(&program, host, "x")
                .unwrap_err()
                .contains("lacks 44 of the 44 functions of FMI, such as fmi2CancelStep")
        );
        let other = PLATFORMS.iter().find(|platform| platform.format != host.format).unwrap();
        assert!(check(&program, other, "x").unwrap_err().contains(&format!("but {} needs", other.name)));
    }

    #[test]
    fn platforms_have_distinct_names() {
        for (index, platform) in PLATFORMS.iter().enumerate() {
            assert!(PLATFORMS[..index].iter().all(|other| other.name != platform.name));
        }
    }
}
