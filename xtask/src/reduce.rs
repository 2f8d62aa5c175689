//! `cargo xtask reduce`: a flexible body from a finite-element model.

use std::path::Path;

use crate::Verb;
use crate::arguments::{Arguments, OptionSpec};
use crate::project::{cargo, run as run_program};

pub const VERB: Verb = Verb {
    name: "reduce",
    summary: "prepares a flexible body: reduces a finite-element model to an archive for `flexible = ...`",
    usage: "
Usage: cargo xtask reduce BODY.toml [-o body.npz]

Reads a volume mesh (Gmsh MSH 4.1) with a material, or mass and stiffness as Matrix Market files,
as BODY.toml says, and writes the reduced body as a NumPy archive, by default beside BODY.toml.

  -o FILE    the archive

The first run builds the linear algebra, which takes minutes.",
    run,
};

fn run(words: &[String]) -> Result<(), String> {
    let arguments = Arguments::parse(words, &[OptionSpec { name: "-o", takes_value: true }])?;
    let body = match &arguments.free[..] {
        [body] => body,
        [] => return Err("the body file is missing; see `cargo xtask reduce --help`".to_owned()),
        [_, other, ..] => return Err(format!("`{other}` is not expected; one body file at a time")),
    };
    // The command runs in the project's folder; paths are relative to the user's.
    let absolute =
        |path: &str| std::path::absolute(Path::new(path)).map_err(|error| format!("`{path}` is no path: {error}"));
    let mut command = cargo();
    command.args(["run", "--release", "--package", "polycontact-reduction", "--bin", "reduce", "--"]);
    command.arg(absolute(body)?);
    if let Some(archive) = arguments.value("-o") {
        command.arg("-o").arg(absolute(archive)?);
    }
    run_program(&mut command)
}
