//! Thousands of mutations of the configurations of the project: no panic, short messages, and what is accepted is
//! written so that it is read again.

use std::path::Path;

use crate::mutation::{Random, mutate};
use polycontact::configuration::{Configuration, FreeBodyConfiguration};

const MUTATIONS_PER_FILE: u64 = 2000;

const FILES: [&str; 5] = [
    "resources/contact.toml",
    "examples/wheel-on-ground/contact.toml",
    "examples/ball-on-rod/contact.toml",
    "examples/landing-sphere/free-body.toml",
    "tests/importers/sphere_by_quaternion.toml",
];

#[test]
fn mutated_configurations_break_no_promise() {
    let read = |file: &&str| std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).expect(file);
    let files: Vec<Vec<u8>> = FILES.iter().map(read).collect();
    let (mut accepted, mut refused) = (0, 0);
    for (index, original) in files.iter().enumerate() {
        for seed in 0..MUTATIONS_PER_FILE {
            let mut random = Random(seed ^ (index as u64) << 32);
            let mut mutant = original.clone();
            for _ in 0..1 + random.below(3) {
                mutate(&mut mutant, &files[random.below(files.len())], &mut random);
            }
            let text = String::from_utf8_lossy(&mutant);
            match Configuration::parse(&text, "contact.toml") {
                Ok(configuration) => {
                    accepted += 1;
                    let again = Configuration::parse(&configuration.to_toml(), "written");
                    assert_eq!(again.as_ref(), Ok(&configuration), "{text}");
                }
                Err(error) => {
                    refused += 1;
                    assert!(error.to_string().contains("contact.toml"), "{error}");
                }
            }
            let _ = FreeBodyConfiguration::parse(&text, "free-body.toml");
        }
    }
    // Mutations that all end the same way would test little.
    assert!(1000 < accepted && 1000 < refused, "{accepted} accepted, {refused} refused");
}
