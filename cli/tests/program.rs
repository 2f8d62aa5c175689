//! The program as a user starts it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn polycontact(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_polycontact")).args(words).current_dir(folder).output().unwrap()
}

/// What a command prints, which must succeed.
fn printed(folder: &Path, words: &[&str]) -> String {
    let output = polycontact(folder, words);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// From two files to a page, in the current folder, with relative paths only.
#[test]
fn two_meshes_become_a_configuration_and_a_page() {
    let folder = folder("two meshes");
    let resources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../resources");
    for name in ["sphere.obj", "plate.obj"] {
        fs::copy(resources.join(name), folder.join(name)).unwrap();
    }
    let nothing_yet = polycontact(&folder, &["view"]);
    let message = String::from_utf8(nothing_yet.stderr).unwrap();
    assert!(nothing_yet.status.code() == Some(1) && message.contains("`polycontact new E F`"), "{message}");
    assert!(printed(&folder, &["new", "sphere.obj", "plate.obj"]).starts_with("contact.toml\n"));
    assert!(printed(&folder, &["check-mesh", "contact.toml"]).contains("nothing to do"));
    let view = printed(&folder, &["view", "--pose", "0,0,-0.098", "--plot", "force.svg"]);
    assert!(view.starts_with("SphereOnPlate.html\n"), "{view}");
    assert!(folder.join("SphereOnPlate.html").is_file() && folder.join("force.svg").is_file());
}

/// As in `polycontact check-mesh ball.obj | head -1`.
#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_the_program_without_a_word() {
    use std::os::unix::process::ExitStatusExt;
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mesh = Path::new(env!("CARGO_MANIFEST_DIR")).join("../resources/sphere.obj");
    let mut command = Command::new(env!("CARGO_BIN_EXE_polycontact"));
    let program = command.arg("check-mesh").arg(mesh).stdout(writer).stderr(std::process::Stdio::piped()).spawn();
    let output = program.unwrap().wait_with_output().unwrap();
    // SIGPIPE.
    assert_eq!(output.status.signal(), Some(13));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn every_command_has_help_with_examples_and_completions_know_it() {
    let here = Path::new(".");
    let help = printed(here, &["--help"]);
    let rows = help.split("Commands:\n").nth(1).unwrap().lines().take_while(|line| !line.trim().is_empty());
    let commands: Vec<&str> = rows.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.contains(&"package") && commands.contains(&"check-mesh"), "{commands:?}");
    let script = printed(here, &["completions", "bash"]);
    for command in commands.iter().filter(|command| **command != "help") {
        let help = printed(here, &[command, "--help"]);
        assert!(help.contains("Examples:") && help.contains("Usage:"), "{command}: {help}");
        assert!(script.contains(command), "{command}");
    }
    let wrong = polycontact(here, &["pakage"]);
    assert!(wrong.status.code() == Some(2) && String::from_utf8(wrong.stderr).unwrap().contains("'package'"));
}
