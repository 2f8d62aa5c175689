//! Steps of a long run: what was done, how long it took, and what was red.

use std::io::{BufRead, BufReader, Read};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

use crate::project::{in_words, not_started};

/// What has been done.
pub struct Steps {
    /// Only steps whose names contain this, in any case.
    pub only: Option<String>,
    start: Instant,
    done: Mutex<Vec<Step>>,
    /// A step has failed that others build on.
    is_over: AtomicBool,
}

struct Step {
    name: String,
    seconds: f64,
    /// In short; empty where it passed.
    red: Vec<String>,
}

impl Steps {
    /// Begins the run.
    pub fn start(only: Option<String>) -> Self {
        Steps { only, start: Instant::now(), done: Mutex::default(), is_over: AtomicBool::new(false) }
    }

    /// A step that others build on: after a failure neither side begins anything. The error says that it failed.
    pub fn require(&self, name: &str, step: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
        if self.take(name, step) {
            return Ok(());
        }
        self.is_over.store(true, Ordering::Relaxed);
        Err(format!("{name}: failed"))
    }

    /// A step that nothing builds on: the run goes on after a failure, which is told at the end.
    pub fn check(&self, name: &str, step: impl FnOnce() -> Result<(), String>) {
        self.take(name, step);
    }

    /// Does one thing, if it is asked for; returns whether others may go on.
    fn take(&self, name: &str, step: impl FnOnce() -> Result<(), String>) -> bool {
        if self.is_over() {
            return false;
        }
        if self.only.as_ref().is_some_and(|only| !name.to_lowercase().contains(&only.to_lowercase())) {
            return true;
        }
        println!("\n== {name}");
        let start = Instant::now();
        let result = step();
        let seconds = start.elapsed().as_secs_f64();
        match &result {
            Ok(()) => println!("== {name}: passed in {seconds:.1} s"),
            Err(error) => println!("{error}\n== {name}: FAILED after {seconds:.1} s"),
        }
        let red = result.as_ref().err().map_or(Vec::new(), |error| in_short(error));
        self.done().push(Step { name: name.to_owned(), seconds, red });
        result.is_ok()
    }

    /// Whether a step has failed that others build on.
    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    fn done(&self) -> MutexGuard<'_, Vec<Step>> {
        self.done.lock().expect("nobody panics while adding a line")
    }

    /// Shows what was done; the error lists what was red. Nothing at all is an error.
    pub fn end(&self) -> Result<(), String> {
        let done = self.done();
        if let (Some(only), []) = (&self.only, &done[..]) {
            return Err(format!("no step has `{only}` in its name"));
        }
        let width = done.iter().map(|step| step.name.len()).max().unwrap_or(0);
        println!();
        for Step { name, seconds, red } in done.iter() {
            println!("  {name:width$}  {seconds:7.1} s{}", if red.is_empty() { "" } else { "  FAILED" });
        }
        let seconds = self.start.elapsed().as_secs_f64();
        let failed: Vec<&Step> = done.iter().filter(|step| !step.red.is_empty()).collect();
        if failed.is_empty() {
            println!("\nAll {} steps passed in {seconds:.0} s.", done.len());
            return Ok(());
        }
        let lines = failed.iter().flat_map(|step| step.red.iter().map(|red| format!("\n  {}: {red}", step.name)));
        let after = if self.is_over() { "; what builds on them was not run" } else { "" };
        Err(format!("red after {seconds:.0} s{after}:{}", lines.collect::<String>()))
    }
}

/// How tests are named in errors, by pytest and by [`cargo_test`].
const RED: [&str; 2] = ["FAILED ", "ERROR "];

/// The tests that an error names, or else its first line.
fn in_short(error: &str) -> Vec<String> {
    let named = error.lines().filter_map(|line| RED.iter().find_map(|red| line.strip_prefix(red)));
    let named: Vec<String> = named.map(str::to_owned).collect();
    let first = || error.lines().find(|line| !line.trim().is_empty()).unwrap_or("failed").to_owned();
    if named.is_empty() { vec![first()] } else { named }
}

/// Runs `cargo test` to its end, whatever is red, and shows what it prints; the error has the red tests, one per line.
pub fn cargo_test(command: &mut Command) -> Result<(), String> {
    let broken = |error: std::io::Error| format!("cannot read what `cargo test` prints: {error}");
    let (reader, writer) = std::io::pipe().map_err(broken)?;
    let mut child = command
        .stdout(writer.try_clone().map_err(broken)?)
        .stderr(writer)
        .spawn()
        .map_err(|error| not_started(command, &error))?;
    // The command holds ends of the pipe, which would never be closed.
    command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    let red = red_tests(reader).map_err(broken)?;
    let status = child.wait().map_err(broken)?;
    match (status.success(), red.is_empty()) {
        (true, _) => Ok(()),
        (false, true) => Err(format!("`{}` failed ({status})", in_words(command))),
        (false, false) => Err(red.iter().map(|test| format!("FAILED {test}")).collect::<Vec<_>>().join("\n")),
    }
}

/// Shows what `cargo test` prints, and finds the red tests in it, each with the words that run its program again.
fn red_tests(output: impl Read) -> std::io::Result<Vec<String>> {
    let (mut red, mut names) = (Vec::new(), Vec::new());
    let mut is_list = false;
    for line in BufReader::new(output).split(b'\n') {
        let line = String::from_utf8_lossy(&line?).into_owned();
        println!("{line}");
        if line == "failures:" {
            // There are two lists: what the tests have printed, and after it their names.
            (is_list, names) = (true, Vec::new());
        } else if let Some(name) = line.strip_prefix("    ").filter(|_| is_list) {
            names.push(name.to_owned());
        } else if line.starts_with("test result:") {
            is_list = false;
        } else if let Some((_, words)) = line.split_once("test failed, to rerun pass ") {
            let tests = std::mem::take(&mut names);
            // A program that crashed names none.
            let tests = if tests.is_empty() { vec!["the whole program".to_owned()] } else { tests };
            red.extend(tests.into_iter().map(|test| format!("{test} ({})", words.trim_matches('`'))));
        }
    }
    Ok(red)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_step_is_told_at_the_end_and_others_go_on() {
        let steps = Steps::start(None);
        assert_eq!(steps.require("first", || Ok(())), Ok(()));
        steps.check("second", || Err("some words\nFAILED a::b (--lib)\nFAILED c (--test d)".to_owned()));
        let mut has_run = false;
        steps.check("third", || {
            has_run = true;
            Ok(())
        });
        assert!(has_run);
        let error = steps.end().unwrap_err();
        assert!(error.ends_with(":\n  second: a::b (--lib)\n  second: c (--test d)"), "{error}");
        assert!(!error.contains("not run"), "{error}");
    }

    #[test]
    fn after_a_failed_step_that_others_need_nothing_begins() {
        let steps = Steps::start(None);
        assert_eq!(
            steps.require("first", || Err("\nbroken\nfor a reason".to_owned())),
            Err("first: failed".to_owned())
        );
        assert!(steps.require("second", || panic!("has begun")).is_err());
        steps.check("third", || panic!("has begun"));
        let error = steps.end().unwrap_err();
        assert!(error.ends_with("what builds on them was not run:\n  first: broken"), "{error}");
    }

    #[test]
    fn steps_that_are_not_asked_for_are_left_out() {
        let steps = Steps::start(Some("fmpy".to_owned()));
        assert_eq!(steps.require("FMUs in FMPy", || Ok(())), Ok(()));
        assert_eq!(steps.require("lints", || Err("broken".to_owned())), Ok(()));
        assert!(steps.end().is_ok());
        assert!(Steps::start(Some("nothing".to_owned())).end().unwrap_err().contains("`nothing`"));
    }

    /// What Cargo and two of its programs print with `--quiet`: a test that fails, and a program that crashes.
    #[test]
    fn red_tests_are_found_in_what_cargo_prints() {
        let output = "
running 3 tests
.F
failures:

---- room::fails stdout ----
thread 'room::fails' panicked:
    indented words

failures:
    room::fails
    room::fails_too

test result: FAILED. 1 passed; 2 failed; 0 ignored

error: test failed, to rerun pass `-p polycontact --test gap`

running 1 test
error: test failed, to rerun pass `--lib`

Caused by:
  process didn't exit successfully: `x` (signal: 6)

running 2 tests
..
test result: ok. 2 passed
error: 2 targets failed:
    `-p polycontact --test gap`
";
        let expected = [
            "room::fails (-p polycontact --test gap)",
            "room::fails_too (-p polycontact --test gap)",
            "the whole program (--lib)",
        ];
        assert_eq!(red_tests(output.as_bytes()).unwrap(), expected);
    }
}
