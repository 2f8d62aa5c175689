//! `cargo xtask demo`: a drop test with the packaged default FMU.

use crate::Verb;
use crate::arguments::Arguments;
use crate::package::{default_configuration, package};
use crate::project::{cargo, run as run_program, target};
use crate::python::libclang_variables;

pub const VERB: Verb = Verb {
    name: "demo",
    summary: "drops a sphere on a plate with the packaged FMU; prints a summary, writes CSV and plot",
    usage: "
Usage: cargo xtask demo

Packages the default example and runs a drop test with it, through the FMU's C interface: a
sphere that spins and drifts a little falls on the plate and rebounds. The demo integrates the
motion of the body; the force comes from the FMU. Writes target/demo/drop.csv and drop.svg.

The demo's host, the crate `fmi`, needs libclang: the first run installs it into
target/python/libclang, for which Python 3 is needed.",
    run,
};

fn run(words: &[String]) -> Result<(), String> {
    if let Some(word) = Arguments::parse(words, &[])?.free.first() {
        return Err(format!("`{word}` is not expected; the verb takes no argument"));
    }
    let fmu = package(&default_configuration(), None, &[])?;
    let mut command = cargo();
    command.args(["run", "--package", "polycontact-demo", "--"]).arg(fmu);
    command.arg(target().join("demo")).envs(libclang_variables()?);
    eprintln!("Building and running the demo; the first build takes minutes");
    run_program(&mut command)
}
