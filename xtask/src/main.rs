//! Project automation: `cargo xtask` lists the verbs.

mod arguments;
mod bench;
mod browser;
mod debian;
mod demo;
mod emulated;
mod example_meshes;
mod figures;
mod fuzzing;
mod library;
mod licenses;
mod model_description;
mod package;
mod pages;
mod project;
mod python;
mod reference;
mod steps;
mod storyboard;
mod test;
mod validate;
mod wheel;

use std::process::ExitCode;

use arguments::nearest;

/// A command of `cargo xtask`.
struct Verb {
    name: &'static str,
    /// One line for the list of verbs.
    summary: &'static str,
    /// What `--help` prints after the summary.
    usage: &'static str,
    /// Does the work with the arguments after the verb; the error is a message for people.
    run: fn(&[String]) -> Result<(), String>,
}

const VERBS: &[Verb] = &[
    package::VERB,
    wheel::VERB,
    test::VERB,
    demo::VERB,
    bench::VERB,
    fuzzing::VERB,
    validate::VERB,
    model_description::VERB,
    reference::VERB,
    example_meshes::VERB,
    figures::VERB,
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((name, rest)) = arguments.split_first() else {
        print_verbs();
        return ExitCode::SUCCESS;
    };
    if ["help", "--help", "-h"].contains(&name.as_str()) {
        print_verbs();
        return ExitCode::SUCCESS;
    }
    let Some(verb) = VERBS.iter().find(|verb| verb.name == name) else {
        eprintln!("cargo xtask: unknown verb `{name}`{}", nearest(name, VERBS.iter().map(|verb| verb.name)));
        return ExitCode::FAILURE;
    };
    let wants_help = rest.iter().take_while(|word| *word != "--").any(|word| word == "--help" || word == "-h");
    if wants_help {
        println!("cargo xtask {}: {}\n\n{}", verb.name, verb.summary, verb.usage.trim());
        return ExitCode::SUCCESS;
    }
    match (verb.run)(rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("cargo xtask {}: {message}", verb.name);
            ExitCode::FAILURE
        }
    }
}

fn print_verbs() {
    println!("Usage: cargo xtask VERB [ARGUMENTS]\n");
    let width = VERBS.iter().map(|verb| verb.name.len()).max().unwrap_or(0);
    for verb in VERBS {
        println!("  {:width$}  {}", verb.name, verb.summary);
    }
    println!("\n`cargo xtask VERB --help` explains a verb. What users do is in the program `polycontact`.");
}
