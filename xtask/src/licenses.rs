//! Licences of everything that is linked into the library.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::project::{cargo, output};

/// The overview's name.
const OVERVIEW: &str = "license.txt";

/// A crate that is linked into the library.
struct LinkedCrate {
    name: String,
    version: String,
    /// SPDX expression.
    license: String,
    repository: String,
    /// Names and texts of the licence files that it comes with.
    texts: Vec<(String, Vec<u8>)>,
}

/// Files of `documentation/licenses` by name: an overview and a folder with texts per crate. `triples` are Rust's names of
/// the platforms, which link different crates.
pub fn license_files(triples: &[&str]) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let rust = output(Command::new("rustc").arg("-vV"))?;
    let field = |name: &str| rust.lines().find_map(|line| line.strip_prefix(name)).unwrap_or("").trim().to_owned();
    let mut crates = Vec::new();
    for triple in triples {
        crates.extend(linked_crates(triple)?);
    }
    crates.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    crates.dedup_by(|a, b| (&a.name, &a.version) == (&b.name, &b.version));
    let mut files = BTreeMap::new();
    for linked in &crates {
        for (name, text) in &linked.texts {
            files.insert(format!("{}-{}/{name}", linked.name, linked.version), text.clone());
        }
    }
    files.insert(OVERVIEW.to_owned(), overview(&crates, &field("release:")).into_bytes());
    Ok(files)
}

fn overview(crates: &[LinkedCrate], rust_version: &str) -> String {
    let mut text = String::from(
        "Licences of the code in this FMU\n\n\
         Name, version, SPDX expression, home. The folders beside this file hold the texts.\n\n",
    );
    for LinkedCrate { name, version, license, repository, texts } in crates {
        text += &format!("{name} {version}: {license}; {repository}");
        text += if texts.is_empty() { " (comes without a licence file)\n" } else { "\n" };
    }
    text += &format!("Rust standard library {rust_version}: MIT OR Apache-2.0; https://github.com/rust-lang/rust\n");
    text
}

/// The package itself and what it needs at run time, sorted by name.
fn linked_crates(triple: &str) -> Result<Vec<LinkedCrate>, String> {
    // The tree knows which optional crates are really used; procedural macros only run while compiling.
    let tree = output(
        cargo()
            .args(["tree", "--package", "polycontact", "--edges", "normal,no-proc-macro", "--target", triple])
            .args(["--prefix", "none", "--format", "{p}"]),
    )?;
    let linked: BTreeSet<(&str, &str)> = tree.lines().filter_map(name_and_version).collect();
    // The metadata know where the sources are.
    let text = output(cargo().args(["metadata", "--format-version", "1", "--filter-platform", triple]))?;
    let metadata: Value =
        serde_json::from_str(&text).map_err(|error| format!("cannot understand `cargo metadata`: {error}"))?;
    let packages = metadata["packages"].as_array().cloned().unwrap_or_default();
    let of = |(name, version): &(&str, &str)| {
        let package = packages.iter().find(|package| package["name"] == *name && package["version"] == *version);
        package.map(linked_crate).unwrap_or_else(|| Err(format!("`cargo metadata` does not know {name} {version}")))
    };
    linked.iter().map(of).collect()
}

/// Of a line such as `name v1.2.3 (/path)`.
fn name_and_version(line: &str) -> Option<(&str, &str)> {
    let mut words = line.split_whitespace();
    Some((words.next()?, words.next()?.strip_prefix('v')?))
}

fn linked_crate(package: &Value) -> Result<LinkedCrate, String> {
    let manifest = text_of(&package["manifest_path"]);
    let folder = Path::new(&manifest).parent().unwrap_or(Path::new(""));
    let unreadable = |error: std::io::Error| format!("cannot read licences in `{}`: {error}", folder.display());
    let mut texts = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let upper = name.to_ascii_uppercase();
        let is_license = ["LICENSE", "LICENCE", "UNLICENSE", "COPYING", "COPYRIGHT", "NOTICE"]
            .iter()
            .any(|start| upper.starts_with(start));
        if is_license && path.is_file() {
            texts.push((name, std::fs::read(&path).map_err(unreadable)?));
        }
    }
    texts.sort();
    let text_or = |key: &str, otherwise: &str| package[key].as_str().unwrap_or(otherwise).to_owned();
    Ok(LinkedCrate {
        name: text_of(&package["name"]),
        version: text_of(&package["version"]),
        license: text_or("license", "see its licence file"),
        repository: text_or("repository", "no address given"),
        texts,
    })
}

fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linked_crates_are_listed_and_tools_are_not() {
        let files = license_files(&["x86_64-unknown-linux-gnu", "x86_64-pc-windows-gnu"]).unwrap();
        let overview = String::from_utf8(files[OVERVIEW].clone()).unwrap();
        for name in ["polycontact 0.2.0: MIT OR Apache-2.0", "nalgebra ", "robust ", "sha2 ", "toml ", "zip "] {
            assert!(overview.contains(&format!("\n{name}")), "{name} is missing:\n{overview}");
        }
        // Of the packager, of the compiler, and an option of nalgebra.
        for name in ["object ", "png ", "quick-xml ", "syn ", "thiserror-impl ", "xtask ", "glam "] {
            assert!(!overview.contains(&format!("\n{name}")), "{name} is not linked:\n{overview}");
        }
        assert!(files.contains_key("polycontact-0.2.0/LICENSE-MIT"));
        assert!(files.contains_key("polycontact-0.2.0/LICENSE-APACHE"));
        assert!(files.keys().any(|name| name.starts_with("nalgebra-")));
    }
}
