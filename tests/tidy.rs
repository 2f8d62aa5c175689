//! The pages of the project name what exists: files, FMU variables, commands.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use polycontact::configuration::{Configuration, FreeBodyConfiguration, OrientationInput};
use polycontact::fmu::{LOG_CATEGORIES, VariableTable, contact_variables, free_body_variables};

/// The pages with their text.
fn pages() -> Vec<(String, String)> {
    let root = root();
    let mut names = vec!["README.md".to_owned(), "ARCHITECTURE.md".to_owned(), "CHANGELOG.md".to_owned()];
    let docs = fs::read_dir(root.join("docs")).expect("the folder `docs`");
    names.extend(docs.filter_map(|entry| {
        let name = entry.expect("a readable folder").file_name().into_string().expect("UTF-8");
        name.ends_with(".md").then(|| format!("docs/{name}"))
    }));
    names.push("examples/README.md".to_owned());
    for entry in fs::read_dir(root.join("examples")).expect("the folder `examples`") {
        let name = entry.expect("a readable folder").file_name().into_string().expect("UTF-8");
        if name != "README.md" {
            names.push(format!("examples/{name}/README.md"));
        }
    }
    names.sort();
    names.into_iter().map(|name| (name.clone(), fs::read_to_string(root.join(&name)).expect(&name))).collect()
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The text of a page without its blocks of code.
fn prose(page: &str) -> String {
    page.split("```").step_by(2).collect::<Vec<_>>().join("\n")
}

/// What stands between single backticks.
fn quoted(prose: &str) -> impl Iterator<Item = &str> {
    prose.lines().flat_map(|line| line.split('`').skip(1).step_by(2))
}

/// Targets of links and pictures within the project, without anchors.
fn links(prose: &str) -> impl Iterator<Item = &str> {
    prose
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .filter(|target| !target.contains("://") && !target.starts_with('#'))
        .map(|target| target.split('#').next().unwrap_or(target))
}

/// Whether a quoted text is meant as a path of the repository: a known folder first, or a file at the root.
fn is_path(text: &str) -> bool {
    const FOLDERS: [&str; 18] = [
        "src",
        "tests",
        "benches",
        "xtask",
        "cli",
        "packaging",
        "docs",
        "resources",
        "modelDescription",
        "modelica",
        "fuzz",
        "demo",
        "plot",
        "python",
        "reduction",
        "examples",
        ".cargo",
        ".ci",
    ];
    const FILES: [&str; 5] = [".md", "Cargo.toml", "Cargo.lock", "LICENSE-MIT", "LICENSE-APACHE"];
    let is_plain = !text.contains(['*', ' ', '<', '>', '…', '=']);
    let in_folder = text.split_once('/').is_some_and(|(first, _)| FOLDERS.contains(&first));
    is_plain && (in_folder || (!text.contains('/') && FILES.iter().any(|end| text.ends_with(end))))
}

/// The tables of all kinds of FMUs: rigid with each orientation input, flexible, with bristles, and a free body.
fn tables() -> Vec<VariableTable> {
    let mut configurations: Vec<Configuration> =
        [OrientationInput::Matrix, OrientationInput::Quaternion, OrientationInput::Cardan]
            .map(|orientation| Configuration { orientation, ..Default::default() })
            .into();
    let flexible = "[surface-e]\nflexible = \"e.npz\"\n[surface-f]\nflexible = \"f.npz\"\n";
    configurations.push(Configuration::parse(flexible, "contact.toml").expect("a flexible pair"));
    // With bristles, which have states.
    let layers =
        "[surface-e]\nmesh = \"e.obj\"\nyoungs-modulus = 1e7\n[surface-f]\nmesh = \"f.obj\"\nyoungs-modulus = 0\n";
    configurations.push(Configuration::parse(layers, "contact.toml").expect("a pair of meshes"));
    let body = free_body_variables(&FreeBodyConfiguration::default());
    configurations.iter().map(contact_variables).chain([body]).collect()
}

/// Names of all variables.
fn variable_names() -> BTreeSet<String> {
    let tables = tables();
    tables.iter().flat_map(|table| table.variables()).map(|variable| variable.name.clone()).collect()
}

/// Whether a quoted text is meant as a variable of the FMU: letters and digits with a capital inside, perhaps a part
/// after a dot and indices. `base` is the text without indices.
fn variable_base(text: &str) -> Option<&str> {
    let base = text.split('[').next()?;
    let mut words = base.split('.');
    let first = words.next()?;
    let is_word = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_lowercase()) && word.chars().all(|c| c.is_ascii_alphanumeric())
    };
    let has_capital = base.contains(|c: char| c.is_ascii_uppercase());
    let indices = &text[base.len()..];
    let good_indices = indices.is_empty()
        || indices.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).is_some_and(|inside| {
            !inside.is_empty() && inside.chars().all(|c| c.is_ascii_digit() || c == ',' || c == '.')
        });
    (is_word(first) && words.all(is_word) && has_capital && good_indices).then_some(base)
}

/// Camel-case words in the pages that belong to FMI or to its hosts, not to this FMU.
const WORDS_OF_THE_STANDARD: [&str; 9] = [
    "modelIdentifier",
    "modelDescription",
    "modelDescription.xml",
    "fmuResourceLocation",
    "canInterpolateInputs",
    "canGetAndSetFMUstate",
    "canSerializeFMUstate",
    "canHandleVariableCommunicationStepSize",
    "providesDirectionalDerivative",
];

/// Names and values of enumerations, which are written like variables.
fn is_known_word(text: &str) -> bool {
    let tables = tables();
    let mut items = tables.iter().flat_map(VariableTable::enumerations).flat_map(|enumeration| enumeration.items);
    WORDS_OF_THE_STANDARD.contains(&text)
        || text.starts_with("fmi2")
        || items.any(|item| item.name == text)
        || LOG_CATEGORIES.iter().any(|(category, _)| category.name() == text)
}

/// Verbs of `cargo xtask`: the modules in `VERBS`, each with the name in its file.
fn verbs() -> Vec<String> {
    let source = root().join("xtask/src");
    let main = fs::read_to_string(source.join("main.rs")).expect("xtask/src/main.rs");
    let list = main.split("const VERBS").nth(1).and_then(|rest| rest.split(';').next()).expect("the list VERBS");
    let modules =
        list.split("::VERB").filter_map(|before| before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next());
    let mut verbs = Vec::new();
    for module in modules.filter(|module| !module.is_empty()) {
        let file = source.join(format!("{module}.rs"));
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let name = text.split("name: \"").nth(1).and_then(|rest| rest.split('"').next());
        verbs.push(name.unwrap_or_else(|| panic!("no name in {}", file.display())).to_owned());
    }
    verbs
}

/// Commands of `polycontact`, as its program tells them apart.
fn commands() -> Vec<String> {
    let source = fs::read_to_string(root().join("cli/src/lib.rs")).expect("cli/src/lib.rs");
    source.split("=> (\"").skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
}

/// The words after `polycontact ` where a line or a quotation of a page begins with it.
fn named_commands(page: &str) -> Vec<String> {
    let prose = prose(page);
    let typed = page.split("```").skip(1).step_by(2).flat_map(str::lines).map(str::trim_start);
    let lines = quoted(&prose).chain(typed).filter_map(|line| line.strip_prefix("polycontact "));
    let words = lines.filter_map(|rest| rest.split_whitespace().next());
    words.filter(|word| !word.starts_with('-')).map(str::to_owned).collect()
}

/// The words after `cargo xtask ` anywhere on a page, code included.
fn named_verbs(page: &str) -> impl Iterator<Item = &str> {
    page.split("cargo xtask ")
        .skip(1)
        .map(|rest| rest.split(|c: char| !c.is_ascii_lowercase() && c != '-').next().unwrap_or(""))
        .filter(|word| !word.is_empty())
}

#[test]
fn paths_in_the_pages_exist() {
    let mut missing = Vec::new();
    let mut found = 0;
    for (page, text) in pages() {
        let prose = prose(&text);
        let folder = root().join(&page).parent().map(Path::to_path_buf).unwrap_or_default();
        let paths = quoted(&prose).filter(|text| is_path(text)).map(|path| (path, root().join(path)));
        for (path, place) in paths.chain(links(&prose).map(|link| (link, folder.join(link)))) {
            found += 1;
            if !place.exists() {
                missing.push(format!("{page}: {path}"));
            }
        }
    }
    assert!(missing.is_empty(), "these do not exist:\n{}", missing.join("\n"));
    assert!(60 < found, "only {found} paths recognised");
}

#[test]
fn variables_in_the_pages_exist() {
    let names = variable_names();
    let bases: BTreeSet<&str> = names.iter().filter_map(|name| name.split('[').next()).collect();
    // `surfaceE` and `evaluationTime` stand for their parts.
    let groups: BTreeSet<&str> = names.iter().filter_map(|name| name.split_once('.').map(|(group, _)| group)).collect();
    let mut missing = Vec::new();
    let mut found = 0;
    for (page, text) in pages() {
        let prose = prose(&text);
        for text in quoted(&prose).filter(|text| !is_known_word(text)) {
            let Some(base) = variable_base(text) else { continue };
            found += 1;
            let is_range = text.contains("..");
            let exists =
                names.contains(text) || ((text == base || is_range) && (bases.contains(base) || groups.contains(base)));
            if !exists {
                missing.push(format!("{page}: {text}"));
            }
        }
    }
    assert!(missing.is_empty(), "no variables of the FMU:\n{}", missing.join("\n"));
    assert!(30 < found, "only {found} variables recognised");
}

#[test]
fn verbs_in_the_pages_exist() {
    let (verbs, commands) = (verbs(), commands());
    assert!(verbs.contains(&"package".to_owned()), "{verbs:?}");
    assert!(commands.contains(&"check-mesh".to_owned()), "{commands:?}");
    let mut missing = Vec::new();
    for (page, text) in pages() {
        missing.extend(
            named_commands(&text)
                .into_iter()
                .filter(|command| !commands.contains(command))
                .map(|command| format!("{page}: polycontact {command}")),
        );
        missing.extend(
            named_verbs(&text)
                .filter(|verb| !verbs.iter().any(|known| known == verb))
                .map(|verb| format!("{page}: {verb}")),
        );
    }
    assert!(missing.is_empty(), "no such verb or command:\n{}", missing.join("\n"));
}

/// The programs of the tests with the files that each of them has, by folder.
fn test_programs() -> Vec<(&'static str, String, Vec<String>)> {
    let mut programs = Vec::new();
    for (folder, manifest) in [("tests", "Cargo.toml"), ("reduction/tests", "reduction/Cargo.toml")] {
        let manifest = fs::read_to_string(root().join(manifest)).expect("a manifest");
        for name in manifest.split("[[test]]\nname = \"").skip(1).filter_map(|rest| rest.split('"').next()) {
            let text = fs::read_to_string(root().join(format!("{folder}/{name}.rs"))).expect("the file of a program");
            let modules = text.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'));
            programs.push((folder, name.to_owned(), modules.map(str::to_owned).collect()));
        }
    }
    programs
}

/// A file that no program names would never be run.
#[test]
fn every_file_of_tests_is_in_a_program() {
    let programs = test_programs();
    let mut found = 0;
    for folder in ["tests", "reduction/tests"] {
        for entry in fs::read_dir(root().join(folder)).expect("a folder of tests") {
            let path = entry.expect("a readable folder").path();
            let Some(name) = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".rs")) else { continue };
            found += 1;
            let owners = programs.iter().filter(|(of, program, modules)| {
                *of == folder && (program == name || modules.iter().any(|module| module == name))
            });
            assert_eq!(owners.count(), 1, "write `mod {name};` into one program of {folder}");
        }
    }
    assert!(60 < found, "only {found} files");
}

#[test]
fn tests_named_in_commands_exist() {
    let programs = test_programs();
    for (page, text) in pages() {
        for rest in text.split("--test ").skip(1) {
            let mut words = rest.split([' ', '`', ')', '\n']);
            let (name, filter) = (words.next().unwrap_or(""), words.next().and_then(|word| word.strip_suffix("::")));
            let exists = programs.iter().any(|(_, program, modules)| {
                program == name && filter.is_none_or(|filter| modules.iter().any(|module| module == filter))
            });
            assert!(exists, "{page}: no test `{name} {}`", filter.unwrap_or(""));
        }
    }
}

/// Text of all Rust files below a folder, with continued lines of string literals joined.
fn sources(folder: &Path) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            text += &sources(&path);
        } else if path.extension().is_some_and(|end| end == "rs") {
            text += &fs::read_to_string(&path).expect("UTF-8");
        }
    }
    let mut pieces = text.split("\\\n");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |joined, piece| joined + piece.trim_start())
}

/// What stands between straight quotes in the first cells of the tables, cut at `…`.
fn messages(page: &str) -> impl Iterator<Item = &str> {
    let cells = page.lines().filter(|line| line.starts_with('|')).filter_map(|line| line.split('|').nth(1));
    let quoted = cells.flat_map(|cell| cell.split('"').skip(1).step_by(2));
    let parts = quoted.flat_map(|message| message.split('…'));
    parts.map(|part| part.trim().trim_end_matches(['?', ',', ';'])).filter(|part| 6 < part.len())
}

#[test]
fn messages_in_the_page_of_troubles_exist() {
    let sources = ["src", "packaging/src", "cli/src", "xtask/src"].map(|folder| sources(&root().join(folder))).concat();
    let page = fs::read_to_string(root().join("docs/troubleshooting.md")).expect("the page");
    let missing: Vec<&str> = messages(&page).filter(|message| !sources.contains(message)).collect();
    assert!(missing.is_empty(), "no message of the code says:\n{}", missing.join("\n"));
    assert!(20 < messages(&page).count(), "only {} messages recognised", messages(&page).count());
}

#[test]
fn recognition_of_names() {
    assert!(is_path("src/mesh/read.rs") && is_path("docs/method.md") && is_path("LICENSE-MIT"));
    assert!(!is_path("target/fmu") && !is_path("a/b") && !is_path("src/*.rs") && !is_path("contact.toml"));
    assert_eq!(variable_base("forceOnE[3]"), Some("forceOnE"));
    assert_eq!(variable_base("relativeOrientation[1..3,1..3]"), Some("relativeOrientation"));
    assert_eq!(variable_base("surfaceE.file"), Some("surfaceE.file"));
    assert_eq!(variable_base("normalVelocity.max"), Some("normalVelocity.max"));
    for other in ["contact.toml", "pose_ef", "auto", "MeshError", "youngs-modulus", "evaluate", "forceOnE[]"] {
        assert_eq!(variable_base(other), None, "{other}");
    }
    assert_eq!(
        named_verbs("`cargo xtask check-mesh FILE`, cargo xtask test").collect::<Vec<_>>(),
        ["check-mesh", "test"]
    );
    assert_eq!(
        named_commands("polycontact is `polycontact view X`\n```text\npolycontact new A B\n```"),
        ["view", "new"]
    );
    assert_eq!(
        links("[a](docs/b.md#c) ![d](e.png) [f](https://g) [h](#i)").collect::<Vec<_>>(),
        ["docs/b.md", "e.png"]
    );
    assert_eq!(prose("a\n```\n`b`\n```\nc"), "a\n\n\nc");
}
