//! Runs the fuzz targets of every reader for a while, from the corpus of the tests and with a fixed seed.

use std::fs;
use std::process::Command;

use crate::project::{cargo, root, run, target};

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

/// Builds the targets and runs each for so many seconds.
pub fn fuzz(seconds: u32) -> Result<(), String> {
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
