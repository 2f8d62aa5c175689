//! `cargo xtask fuzz`: runs the fuzz targets of all readers for a while, with a fixed seed.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::Verb;
use crate::arguments::{Arguments, OptionSpec, nearest};
use crate::project::{cargo, output, root, run, target};

pub const VERB: Verb = Verb {
    name: "fuzz",
    summary: "feeds damaged files and states to all readers",
    usage: "
Usage: cargo xtask fuzz [--seconds N] [TARGET…]

  --seconds N   time for each of the targets, 10 unless given
  TARGET        only these: obj, stl, ply, off, configuration, archive, npy, msh, matrix or state

Runs the targets of `fuzz/` with a fixed seed, from the files of the tests and those in `fuzz/seeds`. What is new is
kept in `target/fuzz/corpus`, what breaks a promise in `target/fuzz/found`. Needs Linux on x86-64 and a C++ compiler;
the first build takes about a minute.",
    run: |words| fuzz(&parse(words)?),
};

/// Time for each target in s, unless given.
const SECONDS: u32 = 10;

/// Targets with the folders of their seeds, besides their own below `fuzz/seeds`.
const TARGETS: [(&str, &[&str]); 10] = [
    ("obj", &["tests/corpus/obj/good", "tests/corpus/obj/bad"]),
    ("stl", &["tests/corpus/stl/good", "tests/corpus/stl/bad"]),
    ("ply", &["tests/corpus/ply/good", "tests/corpus/ply/bad"]),
    ("off", &["tests/corpus/off/good", "tests/corpus/off/bad"]),
    ("configuration", &["resources", "examples/cam-follower", "examples/ball-on-rod"]),
    ("archive", &["tests/fixtures"]),
    ("npy", &[]),
    ("msh", &["reduction/tests/meshes"]),
    ("matrix", &[]),
    ("state", &[]),
];

/// Counters of edges and traced comparisons, as libFuzzer wants them; the options of rustc are not stable.
const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
                     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
                     -Cllvm-args=-sanitizer-coverage-trace-compares -Cdebug-assertions=on";

/// The platform; named, so that build scripts are built without the flags.
const PLATFORM: &str = "x86_64-unknown-linux-gnu";

/// What is asked for.
#[derive(Debug, PartialEq)]
struct Request {
    /// Time for each target in s.
    seconds: u32,
    /// Names of targets; all where there is none.
    targets: Vec<String>,
}

/// Takes the arguments apart.
fn parse(words: &[String]) -> Result<Request, String> {
    let arguments = Arguments::parse(words, &[OptionSpec { name: "--seconds", takes_value: true }])?;
    let is_known = |word: &&String| TARGETS.iter().any(|(name, _)| name == word);
    if let Some(word) = arguments.free.iter().find(|word| !is_known(word)) {
        let names = TARGETS.iter().map(|(name, _)| *name);
        return Err(format!("there is no target `{word}`{}; see `cargo xtask fuzz --help`", nearest(word, names)));
    }
    let seconds = match arguments.value("--seconds").map(str::parse) {
        None => SECONDS,
        Some(Ok(seconds)) if 0 < seconds => seconds,
        Some(_) => return Err("`--seconds` must be a whole number above 0".to_owned()),
    };
    Ok(Request { seconds, targets: arguments.free })
}

/// Whether targets can be built and run here: the flags and libFuzzer are for one platform.
pub fn is_possible() -> bool {
    cfg!(all(target_os = "linux", target_arch = "x86_64"))
}

/// All targets for the time that each has unless given.
pub fn fuzz_all() -> Result<(), String> {
    fuzz(&Request { seconds: SECONDS, targets: Vec::new() })
}

/// Builds the targets and runs each for a while.
fn fuzz(request: &Request) -> Result<(), String> {
    let folder = target().join("fuzz");
    run(cargo()
        .args(["build", "--quiet", "--release", "--target", PLATFORM, "--manifest-path"])
        .arg(root().join("fuzz/Cargo.toml"))
        .env("CARGO_TARGET_DIR", &folder)
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTFLAGS", FLAGS))?;
    for (name, seeds) in TARGETS {
        if request.targets.is_empty() || request.targets.iter().any(|wanted| wanted == name) {
            fuzz_target(name, seeds, request.seconds, &folder)?;
        }
    }
    Ok(())
}

/// An input may take this many seconds: instrumented code takes ten times as long, and others build beside it.
const MOST_SECONDS: u32 = 60;

fn fuzz_target(name: &str, seeds: &[&str], seconds: u32, folder: &Path) -> Result<(), String> {
    let (corpus, found) = (folder.join("corpus").join(name), folder.join("found").join(name));
    for folder in [&corpus, &found] {
        fs::create_dir_all(folder).map_err(|error| format!("cannot create `{}`: {error}", folder.display()))?;
    }
    let own = root().join("fuzz/seeds").join(name);
    let mut command = Command::new(folder.join(PLATFORM).join("release/readers"));
    command
        .env("POLYCONTACT_FUZZ_TARGET", name)
        .args([&format!("-max_total_time={seconds}"), "-seed=1", "-max_len=65536", "-rss_limit_mb=4096"])
        .args([&format!("-timeout={MOST_SECONDS}"), "-verbosity=0"])
        .args([&format!("-artifact_prefix={}/", found.display())])
        .arg(&corpus)
        .args(own.is_dir().then_some(own))
        .args(seeds.iter().map(|seed| root().join(seed)));
    output(&mut command).map_err(|error| {
        format!(
            "target `{name}`: {error}\nthe input is in `{}`; give its path to the program above to repeat it",
            found.display()
        )
    })?;
    println!("  {name}: nothing found in {seconds} s");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Request, String> {
        parse(&line.split_whitespace().map(String::from).collect::<Vec<_>>())
    }

    #[test]
    fn targets_and_seconds_can_be_chosen() {
        assert_eq!(parsed(""), Ok(Request { seconds: SECONDS, targets: vec![] }));
        assert_eq!(
            parsed("--seconds 3 ply msh"),
            Ok(Request { seconds: 3, targets: vec!["ply".into(), "msh".into()] })
        );
        assert!(parsed("--seconds 0").unwrap_err().contains("above 0"));
        assert!(parsed("stk").unwrap_err().contains("did you mean `stl`?"));
    }

    /// Every target has something to begin with.
    #[test]
    fn folders_of_seeds_exist() {
        for (name, seeds) in TARGETS {
            assert!(seeds.iter().all(|seed| root().join(seed).is_dir()), "{name}");
            assert!(root().join("fuzz/seeds").join(name).is_dir() || !seeds.is_empty(), "{name}");
        }
        let targets = fs::read_to_string(root().join("fuzz/fuzz_targets/readers.rs")).unwrap();
        assert!(TARGETS.iter().all(|(name, _)| targets.contains(&format!("(\"{name}\", "))));
    }
}
