//! Project automation: `cargo xtask` lists the verbs.

use std::process::ExitCode;

fn main() -> ExitCode {
    eprintln!("cargo xtask: no verb yet");
    ExitCode::FAILURE
}
