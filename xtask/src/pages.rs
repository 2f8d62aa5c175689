//! Every command in the pages for users runs, and prints what the page says.

mod items;
mod printed;
mod sandbox;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::project::{BUILT, cargo, output, program, root, target};
use crate::python::python;
use crate::test::{CRATES, importer_environment};
use crate::{VERBS, Verb, validate, wheel};
use items::{Item, commands, items, quoted_commands};
use printed::{compare, compare_tables};

/// Verbs that are not run here: their arguments are checked by their own parser.
const ONLY_PARSED: [(&str, &str); 11] = [
    ("test", "is what runs the commands"),
    ("bench", "measures for minutes"),
    ("fuzz", "builds for minutes; Rust tests damage the same kinds of files"),
    ("validate", "reduces bodies for minutes; the tests of `reduction/` compute the same impacts"),
    ("example-meshes", "writes into the project; a test compares what it would write"),
    ("figures", "writes into the project; a test compares what it would write"),
    ("reference", "writes into the project; a test compares what it would write"),
    ("model-description", "writes into the project; a test compares what it would write"),
    (
        "package pair/contact.toml --platforms linux64,win64,aarch64-linux",
        "builds for minutes, and needs compilers for other platforms; the steps for Windows and ARM do the same",
    ),
    ("wheel", "is a step of the tests"),
    ("demo bubbles", "simulates for a minute; a test in `demo/` simulates its first contacts"),
];

/// Verbs that do nothing without arguments: in prose their bare names are no commands.
const WITH_ARGUMENTS: [&str; 1] = ["validate"];

/// Programs that cannot be installed with the tests.
const FOREIGN: [(&str, &str); 4] = [
    ("omc", "OpenModelica; `tests/modelica` checks the script otherwise"),
    ("pip", "OMSimulator and our wheel; `tests/modelica` has a stand-in, `python/tests` installs the wheel"),
    ("python", "the script of OMSimulator"),
    ("unzip", "the tests unpack FMUs themselves"),
];

/// Tests that are run with all others, but not once more for what they print: they take a minute.
const LONG_TESTS: [&str; 1] = ["impacts::"];

/// Pages whose commands are typed in a folder of their own.
const FOLDERS: [(&str, &str); 1] = [("docs/flexible.md", "examples/ball-on-rod")];

/// Python packages and the environments of `tests/importers` that have them.
const ENVIRONMENTS: [(&str, &str); 4] =
    [("polycontact", PACKAGE), ("fmpy", "fmpy"), ("libcosimpy", "libcosim"), ("ecospy", "ecos")];

/// The environment of our own package.
const PACKAGE: &str = "package";

/// Runs the commands of all pages; `variables` are those that Cargo needs for the demo.
pub fn check(variables: &[(&'static str, OsString)]) -> Result<(), String> {
    let sandbox = sandbox::make()?;
    let mut done = Done { variables, ..Done::default() };
    for page in pages()? {
        let text = fs::read_to_string(root().join(&page)).map_err(|error| format!("{page}: {error}"))?;
        done.page(&page, &text, &sandbox).map_err(|error| format!("{page}: {error}"))?;
    }
    let Done { seen, compared, .. } = &done;
    println!("{} commands, {compared} outputs as the pages say", seen.len());
    if *compared < FEWEST_OUTPUTS {
        return Err(format!("only {compared} outputs were recognised in the pages"));
    }
    Ok(())
}

/// Outputs that the pages show: fewer mean that they are not recognised any more.
const FEWEST_OUTPUTS: usize = 5;

/// The pages for users, the README first.
fn pages() -> Result<Vec<String>, String> {
    let mut pages = Vec::new();
    for folder in ["docs", "examples"] {
        let entries = fs::read_dir(root().join(folder)).map_err(|error| format!("{folder}: {error}"))?;
        for entry in entries.filter_map(Result::ok) {
            let name = format!("{folder}/{}", entry.file_name().to_string_lossy());
            pages.push(if entry.path().is_dir() { format!("{name}/README.md") } else { name });
        }
    }
    pages.retain(|page| page.ends_with(".md") && root().join(page).exists());
    pages.sort();
    pages.insert(0, "README.md".to_owned());
    Ok(pages)
}

/// What has been run.
#[derive(Default)]
struct Done<'a> {
    variables: &'a [(&'static str, OsString)],
    /// Folder and words of each command, and what it printed.
    seen: BTreeMap<(PathBuf, Vec<String>), String>,
    /// Outputs that were compared.
    compared: usize,
}

impl Done<'_> {
    /// Runs the commands of a page in their order.
    fn page(&mut self, page: &str, text: &str, sandbox: &Path) -> Result<(), String> {
        let own_folder = FOLDERS.iter().find(|(with_folder, _)| *with_folder == page);
        let start = own_folder.map_or(sandbox.to_path_buf(), |(_, folder)| sandbox.join(folder));
        // What the last command printed, as long as the page may show it.
        let mut last: Option<String> = None;
        for item in items(text) {
            match item {
                Item::Prose(prose) => {
                    for words in quoted_commands(&prose).into_iter().filter(|words| !is_name(words)) {
                        let printed = self.command(&start, &words)?;
                        self.compared += compare_tables(text, &printed).map_err(|error| failed(&words, error))?;
                    }
                    let shows = prose.trim().is_empty() || (prose.contains("prints") && !prose.contains("\n#"));
                    last = last.filter(|_| shows);
                }
                Item::Block { language, text } if language == "python" => {
                    last = Some(python_block(&text, &start)?);
                }
                Item::Block { text, .. } => match commands(&text) {
                    Some(lines) => last = self.block(&start, &lines)?,
                    None => {
                        if let Some(printed) = last.take() {
                            compare(&text, &printed)?;
                            self.compared += 1;
                        }
                    }
                },
            }
        }
        Ok(())
    }

    /// Runs the lines of a block; what the last one printed.
    fn block(&mut self, start: &Path, lines: &[Vec<String>]) -> Result<Option<String>, String> {
        let mut folder = start.to_path_buf();
        let mut printed = None;
        for words in lines {
            match words[0].as_str() {
                "cd" => folder = folder.join(words.get(1).ok_or("`cd` needs a folder")?),
                "cargo" | "polycontact" => {
                    printed = Some(self.command(&folder, words)?).filter(|text| !text.is_empty())
                }
                program => {
                    let reason = FOREIGN.iter().find(|(foreign, _)| *foreign == program);
                    let (_, reason) = reason.ok_or_else(|| format!("`{program}` is not known here"))?;
                    println!("  not run: {} ({reason})", words.join(" "));
                }
            }
        }
        Ok(printed)
    }

    /// Runs a command, once however often it is named; what it printed, empty where it was only parsed.
    fn command(&mut self, folder: &Path, words: &[String]) -> Result<String, String> {
        let key = (folder.to_path_buf(), words.to_vec());
        if let Some(printed) = self.seen.get(&key) {
            return Ok(printed.clone());
        }
        let start = Instant::now();
        let printed = match (words[0].as_str(), words[1].as_str()) {
            ("polycontact", _) => self.run(Command::new(program("polycontact")), folder, &words[1..]),
            (_, "xtask") => self.xtask(folder, &words[2..]),
            (_, "test") => self.cargo_test(&words[2..]),
            // Takes minutes; the tests run what the profile of the tests builds.
            (_, "build") => builds(&words[2..]),
            (_, other) => Err(format!("`cargo {other}` is not known here")),
        };
        println!("  {:5.1} s  {}", start.elapsed().as_secs_f64(), words.join(" "));
        let printed = printed.map_err(|error| failed(words, error))?;
        self.seen.insert(key, printed.clone());
        Ok(printed)
    }

    fn xtask(&self, folder: &Path, words: &[String]) -> Result<String, String> {
        let name = words.first().ok_or("the verb is missing")?;
        let verb = VERBS.iter().find(|verb| verb.name == name).ok_or_else(|| format!("no verb `{name}`"))?;
        let line = words.join(" ");
        if ONLY_PARSED.iter().any(|(only, _)| *only == name || *only == line) {
            return parses(verb, &words[1..]).map(|()| String::new());
        }
        let xtask = std::env::current_exe().map_err(|error| format!("this program does not know its path: {error}"))?;
        self.run(Command::new(xtask), folder, words)
    }

    /// Runs a program in a folder; what it prints, with paths as seen from the project's root.
    fn run(&self, mut program: Command, folder: &Path, words: &[String]) -> Result<String, String> {
        let printed = output(
            program
                .args(words)
                .current_dir(folder)
                .env(BUILT, "1")
                .envs(self.variables.iter().map(|(name, value)| (name, value)))
                .stdin(Stdio::null()),
        )?;
        let target = target().display().to_string();
        Ok(printed.replace(&target, "target").replace(&format!("{}/", root().display()), ""))
    }

    /// Runs a file of tests for what it prints, built as all tests were before.
    fn cargo_test(&self, words: &[String]) -> Result<String, String> {
        let after = |option: &str| words.iter().skip_while(|word| *word != option).nth(1);
        // A file is a module of its program, or a program of its own.
        let chosen = match (after("--test"), after("--lib")) {
            (Some(name), _) => {
                let module = after(name).and_then(|filter| filter.strip_suffix("::"));
                let folder =
                    if words.contains(&"polycontact-reduction".to_owned()) { "reduction/tests" } else { "tests" };
                let file = root().join(folder).join(format!("{}.rs", module.unwrap_or(name)));
                if !file.exists() {
                    return Err(format!("there is no file `{}`", file.display()));
                }
                ["--test", name]
                    .into_iter()
                    .chain(after(name).filter(|_| module.is_some()).map(String::as_str))
                    .collect()
            }
            (_, Some(filter)) => vec!["--lib", filter],
            _ => return Err("`--test NAME` or `--lib NAME` is missing".to_owned()),
        };
        if !words.contains(&"--nocapture".to_owned()) || LONG_TESTS.iter().any(|long| chosen.contains(long)) {
            return Ok(String::new());
        }
        // The same crates as all tests were built with, so that nothing is compiled once more.
        let mut command = cargo();
        command.args(["test", "--quiet", "--all-features"]).args(CRATES[0]).args(chosen);
        command.args(["--", "--nocapture", "--test-threads", "1"]);
        let printed = output(command.envs(self.variables.iter().map(|(name, value)| (name, value))))?;
        // The harness puts a dot for each test, also before the first line of the next.
        Ok(printed.lines().map(|line| line.trim_start_matches('.').to_owned() + "\n").collect())
    }
}

/// Whether `cargo build` names a package of the workspace; nothing is printed.
fn builds(words: &[String]) -> Result<String, String> {
    let name = words.iter().skip_while(|word| *word != "--package").nth(1).ok_or("`--package NAME` is missing")?;
    let folder = name.strip_prefix("polycontact-").unwrap_or("");
    match root().join(folder).join("Cargo.toml").exists() {
        true => Ok(String::new()),
        false => Err(format!("there is no package `{name}`")),
    }
}

fn failed(words: &[String], error: String) -> String {
    format!("`{}`: {error}", words.join(" "))
}

/// Whether a command in prose is the bare name of a verb, or of all of them.
fn is_name(words: &[String]) -> bool {
    match words {
        [program, _] if program == "polycontact" => true,
        [_, xtask] => xtask == "xtask",
        [_, xtask, verb] => xtask == "xtask" && WITH_ARGUMENTS.contains(&verb.as_str()),
        _ => false,
    }
}

/// Whether the verb's own parser accepts the words, without doing the work.
fn parses(verb: &Verb, words: &[String]) -> Result<(), String> {
    match verb.name {
        "test" => crate::test::parse(words).map(drop),
        "validate" => validate::parse(words).map(drop),
        "package" => crate::package::parse(words).map(drop),
        _ => {
            // Parsers take words in their order: one that no verb knows must be the first to be refused.
            const UNKNOWN: &str = "--of-no-verb";
            let words: Vec<String> = words.iter().cloned().chain([UNKNOWN.to_owned()]).collect();
            match (verb.run)(&words) {
                Err(message) if message.starts_with(&format!("unknown option `{UNKNOWN}`")) => Ok(()),
                Err(message) => Err(message),
                Ok(()) => Err(format!("the verb accepts `{UNKNOWN}`")),
            }
        }
    }
}

/// Runs a block of Python in the environment of the package that it imports; what it prints.
fn python_block(text: &str, folder: &Path) -> Result<String, String> {
    let imports =
        |package: &str| text.contains(&format!("from {package}")) || text.contains(&format!("import {package}"));
    let (_, name) = ENVIRONMENTS
        .iter()
        .find(|(package, _)| imports(package))
        .ok_or("a block of Python imports none of the packages that the tests have")?;
    let environment = if *name == PACKAGE { wheel::environment()? } else { importer_environment(name)? };
    output(Command::new(python(&environment)).args(["-B", "-c", text]).current_dir(folder).stdin(Stdio::null()))
        .map_err(|error| format!("a block of Python: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(String::from).collect()
    }

    fn parsed(line: &str) -> Result<(), String> {
        let words = words(line);
        parses(VERBS.iter().find(|verb| verb.name == words[0]).unwrap(), &words[1..])
    }

    #[test]
    fn arguments_are_checked_without_work() {
        for line in
            ["bench --only growth", "bench 5120 sphere", "test --poses 10", "validate flexible --coarse impacts"]
        {
            assert_eq!(parsed(line), Ok(()), "{line}");
        }
        for line in ["bench --onyl growth", "test --poses none", "validate flexible --coarse impakts", "figures --all"]
        {
            assert!(parsed(line).is_err(), "{line}");
        }
    }

    #[test]
    fn pages_are_found() {
        let pages = pages().unwrap();
        assert_eq!(pages[0], "README.md");
        for page in ["docs/method.md", "examples/README.md", "examples/two-spheres/README.md"] {
            assert!(pages.iter().any(|known| known == page), "{page} in {pages:?}");
        }
    }

    #[test]
    fn bare_names_are_told_from_commands() {
        assert!(is_name(&words("cargo xtask")) && is_name(&words("cargo xtask validate")));
        assert!(!is_name(&words("cargo xtask package")) && !is_name(&words("cargo xtask validate flexible")));
        assert!(is_name(&words("polycontact view")) && !is_name(&words("polycontact view a.toml")));
    }

    #[test]
    fn packages_in_builds_exist() {
        assert!(builds(&words("--release --package polycontact-cli")).is_ok());
        assert!(builds(&words("--package polycontact-gone")).is_err() && builds(&words("--release")).is_err());
    }

    /// A reason for a verb that is gone would hide a command that is not run.
    #[test]
    fn exceptions_exist() {
        for (line, _) in ONLY_PARSED {
            assert!(VERBS.iter().any(|verb| line.split(' ').next() == Some(verb.name)), "{line}");
        }
        assert!(WITH_ARGUMENTS.iter().all(|name| VERBS.iter().any(|verb| verb.name == *name)));
        let file = |filter: &str| root().join(format!("reduction/tests/{}.rs", filter.trim_end_matches(':')));
        assert!(LONG_TESTS.iter().all(|filter| file(filter).exists()));
    }
}
