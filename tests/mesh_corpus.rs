//! The files of `tests/corpus` and thousands of mutations of the good ones.

use std::fs;
use std::path::{Path, PathBuf};

use crate::mesh_promises::check_reading;
use crate::mutation::{Random, mutate};
use polycontact::mesh::{MeshFormat, Repair};

const MUTATIONS_PER_FILE: u64 = 2000;

fn files(folder: &str) -> Vec<(PathBuf, MeshFormat, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus").join(folder);
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let load = |path: PathBuf| {
        let (format, bytes) = (MeshFormat::of(&path).unwrap(), fs::read(&path).unwrap());
        (path, format, bytes)
    };
    paths.into_iter().map(load).collect()
}

fn all(kind: &str) -> Vec<(PathBuf, MeshFormat, Vec<u8>)> {
    ["obj", "stl", "ply", "off"].iter().flat_map(|format| files(&format!("{format}/{kind}"))).collect()
}

#[test]
fn good_files_are_accepted() {
    for (path, format, bytes) in all("good") {
        for repair in [Repair::None, Repair::Safe] {
            if let Err(refusal) = check_reading(format, &bytes, repair) {
                panic!("{}: {refusal}", path.display());
            }
        }
    }
}

/// The name of a bad file begins with the kind of its refusal.
#[test]
fn bad_files_are_refused_for_the_reason_in_their_name() {
    for (path, format, bytes) in all("bad") {
        let refusal = check_reading(format, &bytes, Repair::None).expect_err(&path.display().to_string());
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let (kind, _) = stem.split_once("--").expect("kind--detail");
        let words = kind.split('-').map(|word| word[..1].to_uppercase() + &word[1..]);
        let variant = words.collect::<String>();
        assert!(format!("{refusal:?}").starts_with(&format!("{variant} ")), "{}: {refusal:?}", path.display());
    }
}

#[test]
fn mutated_obj_files_break_no_promise() {
    mutate_all(&files("obj/good"));
}

#[test]
fn mutated_stl_files_break_no_promise() {
    mutate_all(&files("stl/good"));
}

#[test]
fn mutated_ply_files_break_no_promise() {
    mutate_all(&files("ply/good"));
}

#[test]
fn mutated_off_files_break_no_promise() {
    mutate_all(&files("off/good"));
}

fn mutate_all(good: &[(PathBuf, MeshFormat, Vec<u8>)]) {
    let mut accepted = 0u64;
    let mut refused = 0u64;
    for (index, (path, format, bytes)) in good.iter().enumerate() {
        for seed in 0..MUTATIONS_PER_FILE {
            let mut random = Random(seed ^ (index as u64) << 32);
            let mut mutant = bytes.clone();
            for _ in 0..1 + random.below(4) {
                mutate(&mut mutant, &good[random.below(good.len())].2, &mut random);
            }
            let repair = if seed % 2 == 0 { Repair::Safe } else { Repair::None };
            let outcome = std::panic::catch_unwind(|| check_reading(*format, &mutant, repair));
            match outcome {
                Ok(Ok(_)) => accepted += 1,
                Ok(Err(_)) => refused += 1,
                Err(_) => panic!("mutation {seed} of {}:\n{}", path.display(), mutant.escape_ascii()),
            }
        }
    }
    // Mutations that all end the same way would test little.
    let all = accepted + refused;
    assert!(all / 20 < accepted && all / 20 < refused, "{accepted} accepted, {refused} refused");
}
