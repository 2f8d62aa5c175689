//! `cargo xtask fuzz`: runs the fuzz targets of every reader for a while, from the corpus of the tests and with a fixed seed.

use std::fs;
use std::process::Command;

use crate::Verb;
use crate::arguments::{Arguments, OptionSpec};
use crate::project::{cargo, root, run, target};

pub const VERB: Verb = Verb {
    name: "fuzz",
    summary: "feeds damaged files to the readers of meshes, configurations and archives",
    usage: "
Usage: cargo xtask fuzz [--seconds N]

  --seconds N   time for each of the targets, 10 unless given

Runs the targets of `fuzz/` with a fixed seed, from the files of the tests. The first build takes minutes:
`cargo xtask test` leaves it out, its Rust tests damage the same kinds of files. Needs Linux on x86-64 and a C++
compiler.",
    run: |words| fuzz(parse(words)?),
};

/// Time for each target in s, unless given.
const SECONDS: u32 = 10;

/// Targets with the folders of their seeds.
const TARGETS: [(&str, &[&str]); 6] = [
    ("read_obj", &["tests/corpus/obj/good", "tests/corpus/obj/bad"]),
    ("read_stl", &["tests/corpus/stl/good", "tests/corpus/stl/bad"]),
    ("read_ply", &["tests/corpus/ply/good", "tests/corpus/ply/bad"]),
    ("read_off", &["tests/corpus/off/good", "tests/corpus/off/bad"]),
    ("configuration", &["resources", "examples/cam-follower", "examples/ball-on-rod"]),
    ("archive", &[]),
];

/// Counters of edges and traced comparisons, as libFuzzer wants them; the options of rustc are not stable.
const FLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
                     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
                     -Cllvm-args=-sanitizer-coverage-trace-compares -Cdebug-assertions=on";

/// The platform; named, so that build scripts are built without the flags.
const PLATFORM: &str = "x86_64-unknown-linux-gnu";

/// Takes the arguments apart: seconds per target.
fn parse(words: &[String]) -> Result<u32, String> {
    let arguments = Arguments::parse(words, &[OptionSpec { name: "--seconds", takes_value: true }])?;
    if let Some(word) = arguments.free.first() {
        return Err(format!("unexpected argument `{word}`; see `cargo xtask fuzz --help`"));
    }
    match arguments.value("--seconds").map(str::parse) {
        None => Ok(SECONDS),
        Some(Ok(seconds)) if 0 < seconds => Ok(seconds),
        Some(_) => Err("`--seconds` must be a whole number above 0".to_owned()),
    }
}

/// Builds the targets and runs each for so many seconds.
fn fuzz(seconds: u32) -> Result<(), String> {
    let folder = target().join("fuzz");
    let manifest = root().join("fuzz/Cargo.toml");
    run(cargo()
        .args(["build", "--quiet", "--release", "--target", PLATFORM, "--manifest-path"])
        .arg(manifest)
        .env("CARGO_TARGET_DIR", &folder)
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUSTFLAGS", FLAGS))?;
    for (name, seeds) in TARGETS {
        let corpus = folder.join("corpus").join(name);
        fs::create_dir_all(&corpus).map_err(|error| format!("cannot create `{}`: {error}", corpus.display()))?;
        let mut command = Command::new(folder.join(PLATFORM).join("release").join(name));
        command
            .args([&format!("-max_total_time={seconds}"), "-seed=1", "-max_len=65536", "-rss_limit_mb=4096"])
            .args(["-verbosity=0", &format!("-artifact_prefix={}/", corpus.display())])
            .arg(&corpus)
            .args(seeds.iter().map(|seed| root().join(seed)));
        run(&mut command)?;
    }
    Ok(())
}
