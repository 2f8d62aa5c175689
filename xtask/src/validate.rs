//! `cargo xtask validate`: published results, computed again from scratch.

use crate::Verb;
use crate::project::{cargo, run as run_program};

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

fn run(words: &[String]) -> Result<(), String> {
    match words.split_first() {
        Some((what, rest)) if what == "flexible" => {
            let mut command = cargo();
            command.args(["run", "--package", "polycontact-reduction", "--bin", "validate", "--"]).args(rest);
            run_program(&mut command)
        }
        Some((what, _)) => Err(format!("`{what}` cannot be validated; known: flexible")),
        None => Err("what to validate is missing; try `cargo xtask validate flexible`".to_owned()),
    }
}
