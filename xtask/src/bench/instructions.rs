//! Instructions per evaluation, counted by valgrind.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::BENCH;
use crate::project::{cargo, output};

/// Evaluations whose instructions are counted; the poses differ a little.
const CALLS: u64 = 5;

/// Scenes that are counted unless words choose others: all distances and counterparts at this size.
const DEFAULT_WORD: &str = "sphere 5120";

/// Prints a table. Two runs of each scene differ in the number of calls only; so do their counts.
pub fn print(options: &[String], words: &[String]) -> Result<(), String> {
    let valgrind = output(Command::new("valgrind").arg("--version")).map_err(|error| {
        format!("{error}\ninstructions are counted by valgrind; install it (Debian: apt-get install valgrind)")
    })?;
    eprintln!("Building the benchmarks");
    let program = build()?;
    let words = if words.is_empty() { vec![DEFAULT_WORD.to_owned()] } else { words.to_vec() };
    let names = output(Command::new(&program).args(options).arg("--names").args(&words))?;
    println!(
        "Instructions per evaluation, mean of {CALLS} poses; method `auto`, scheme `potential`; {}, which knows registers \
         of four numbers, not of eight.\n",
        valgrind.trim()
    );
    println!("| scene | thousand instructions |");
    println!("|---|---|");
    for name in names.lines() {
        eprintln!("counting: {name}");
        let counts = [count(&program, name, 0)?, count(&program, name, CALLS)?];
        println!("| {name} | {:.1} |", 1e-3 * counts[1].saturating_sub(counts[0]) as f64 / CALLS as f64);
    }
    Ok(())
}

/// Instructions of a whole run.
fn count(program: &Path, scene: &str, calls: u64) -> Result<u64, String> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(program);
    command.args(["--calls", &calls.to_string(), scene]);
    let run = command.output().map_err(|error| format!("cannot start valgrind: {error}"))?;
    let messages = String::from_utf8_lossy(&run.stderr).into_owned();
    let counted = collected(&messages).filter(|_| run.status.success());
    counted.ok_or_else(|| format!("valgrind did not count \"{scene}\":\n{}", messages.trim()))
}

/// The number after `Collected :` in valgrind's messages.
fn collected(messages: &str) -> Option<u64> {
    let line = messages.lines().find_map(|line| line.split_once("Collected :"))?;
    line.1.trim().parse().ok()
}

/// Builds the benchmarks and returns the program.
fn build() -> Result<PathBuf, String> {
    let messages = output(cargo().args(BENCH).args(["--no-run", "--message-format=json-render-diagnostics"]))?;
    let mut programs = messages.lines().filter_map(|line| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        Some(PathBuf::from(message.get("executable")?.as_str()?))
    });
    programs.next_back().ok_or_else(|| "Cargo names no program for the benchmarks".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_is_found_among_the_messages() {
        let messages = "==7== Callgrind\n==7== \n==7== Events    : Ir\n==7== Collected : 123456\n==7== \n";
        assert_eq!(collected(messages), Some(123_456));
        assert_eq!(collected("==7== error"), None);
    }
}
