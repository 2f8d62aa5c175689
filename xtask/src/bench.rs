//! `cargo xtask bench`: the benchmarks, with a table at the end.

use crate::Verb;
use crate::project::{cargo, run as run_program};

pub const VERB: Verb = Verb {
    name: "bench",
    summary: "measures the time per evaluation in the documented scenes",
    usage: "
Usage: cargo xtask bench [WORD…]

Builds the benchmark in release mode and prints a table: spheres of 1280 to 81920 faces in a box of
12 faces, a box of 24576 faces and an equal sphere; 5 mm and 1 mm deep, 0.1 mm and 50 mm clear. Words
select the scenes whose name contains all of them, for example `cargo xtask bench 5120 sphere`.
Machines are shared and noisy: compare rows of one run.",
    run,
};

fn run(words: &[String]) -> Result<(), String> {
    if let Some(option) = words.iter().find(|word| word.starts_with('-')) {
        return Err(format!("unknown option `{option}`; the words after `bench` select scenes"));
    }
    run_program(cargo().args(["bench", "--package", "polycontact", "--bench", "evaluate", "--"]).args(words))
}
