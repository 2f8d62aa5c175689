//! The program `polycontact`.

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    // As in `polycontact check-mesh ball.obj | head -1`.
    sigpipe::reset();
    let program = std::env::current_exe().unwrap_or_default();
    // A link, such as in a folder of PATH, leads to the program.
    let program = program.canonicalize().unwrap_or(program);
    let folder = program.parent().map(PathBuf::from).unwrap_or_default();
    ExitCode::from(polycontact_cli::run(std::env::args_os(), &folder))
}
