//! `cargo xtask validate`: published results, computed again from scratch.

use crate::Verb;
use crate::arguments::{Arguments, OptionSpec, nearest};
use crate::project::{run as run_program, workspace_program};

pub const VERB: Verb = Verb {
    name: "validate",
    summary: "computes published impacts of flexible bodies from the volume mesh on, and compares",
    usage: "
Usage: cargo xtask validate flexible [--coarse] [PART]…

Meshes and reduces ball, rods, beam and block, lets the ball hit them, and prints tables beside the
published values; fails where impulse or rebound is off by more than 2 %. The reduced bodies are
kept in target/flexible; making them takes several minutes on two cores.

  --coarse   the coarse bodies of the tests: a minute or two, with larger deviations
  PART       impacts, hertz, penalty, coupling or submodels; all without one

The first run builds the linear algebra, which takes minutes.",
    run,
};

const OPTIONS: &[OptionSpec] = &[OptionSpec { name: "--coarse", takes_value: false }];

const PARTS: [&str; 5] = ["impacts", "hertz", "penalty", "coupling", "submodels"];

fn run(words: &[String]) -> Result<(), String> {
    let arguments = parse(words)?;
    run_program(workspace_program("polycontact-reduction", "validate").args(arguments))
}

/// Arguments for the program, which takes minutes to build: what can be wrong is looked at before.
pub fn parse(words: &[String]) -> Result<Vec<String>, String> {
    let arguments = Arguments::parse(words, OPTIONS)?;
    let parts = match arguments.free.split_first() {
        Some((what, parts)) if what == "flexible" => parts,
        Some((what, _)) => return Err(format!("`{what}` cannot be validated; known: flexible")),
        None => return Err("what to validate is missing; try `cargo xtask validate flexible`".to_owned()),
    };
    if let Some(part) = parts.iter().find(|part| !PARTS.contains(&part.as_str())) {
        return Err(format!("there is no part `{part}`{}", nearest(part, PARTS.into_iter())));
    }
    let coarse = arguments.has("--coarse").then(|| "--coarse".to_owned());
    Ok(coarse.into_iter().chain(parts.iter().cloned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Vec<String>, String> {
        parse(&line.split_whitespace().map(String::from).collect::<Vec<_>>())
    }

    #[test]
    fn parts_are_checked_before_the_build() {
        assert_eq!(parsed("flexible").unwrap(), [""; 0]);
        assert_eq!(parsed("flexible penalty --coarse").unwrap(), ["--coarse", "penalty"]);
        assert!(parsed("flexible impact").unwrap_err().contains("impacts"));
        assert!(parsed("rigid").unwrap_err().contains("flexible") && parsed("").is_err());
    }
}
