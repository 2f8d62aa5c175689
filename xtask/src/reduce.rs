//! `cargo xtask reduce`: a flexible body from a finite-element model.

use std::path::Path;

use crate::Verb;
use crate::arguments::{Arguments, OptionSpec};
use crate::project::{run as run_program, workspace_program};

pub const VERB: Verb = Verb {
    name: "reduce",
    summary: "prepares a flexible body: reduces a finite-element model to an archive for `flexible = ...`",
    usage: "
Usage: cargo xtask reduce BODY.toml [-o body.npz]
       cargo xtask reduce --sample NAME [-o mesh.msh]

Reads a volume mesh (Gmsh MSH 4.1) with a material, or mass and stiffness as Matrix Market files,
as BODY.toml says, and writes the reduced body as a NumPy archive, by default beside BODY.toml.

  -o FILE         the archive, or the mesh
  --sample NAME   writes the mesh of a body to try this with: rod, hollowed-rod, beam, ball or block,
                  with its contact zone as physical group `contact`

The first run builds the linear algebra, which takes minutes.",
    run,
};

fn run(words: &[String]) -> Result<(), String> {
    let options = [OptionSpec { name: "-o", takes_value: true }, OptionSpec { name: "--sample", takes_value: true }];
    let arguments = Arguments::parse(words, &options)?;
    let sample = arguments.value("--sample");
    match (&arguments.free[..], sample) {
        ([_], None) | ([], Some(_)) => {}
        ([], None) => return Err("the body file is missing; see `cargo xtask reduce --help`".to_owned()),
        ([other], Some(_)) => return Err(format!("`{other}` is not expected beside `--sample`")),
        ([_, other, ..], _) => return Err(format!("`{other}` is not expected; one body file at a time")),
    }
    // The command runs in the project's folder; paths are relative to the user's.
    let absolute =
        |path: &str| std::path::absolute(Path::new(path)).map_err(|error| format!("`{path}` is no path: {error}"));
    let mut command = workspace_program("polycontact-reduction", "reduce");
    match (arguments.free.first(), sample) {
        (Some(body), _) => command.arg(absolute(body)?),
        (None, sample) => command.arg("--sample").args(sample),
    };
    if let Some(archive) = arguments.value("-o") {
        command.arg("-o").arg(absolute(archive)?);
    }
    run_program(&mut command)
}
