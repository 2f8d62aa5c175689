//! `polycontact reduce`, from a Gmsh file to the archive.

use std::path::Path;
use std::process::{Command, Output};

use polycontact_reduction::volume_mesh::generators::{Grading, block};
use polycontact_reduction::volume_mesh::msh::write_msh;

fn reduce(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_polycontact")).arg("reduce").args(words).current_dir(folder).output().unwrap()
}

#[test]
fn a_mesh_becomes_an_archive_and_a_table() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("command");
    std::fs::create_dir_all(&folder).unwrap();
    let grading = Grading { zone_radius: 8e-3, contact_size: 6e-3, growth: 1.0, largest_size: 20e-3 };
    std::fs::write(folder.join("block.msh"), write_msh(&block([0.04; 3], [2, 2, 2], &grading))).unwrap();
    let body = "[mesh]\nfile = \"block.msh\"\n[material]\nyoungs-modulus = 70e9\npoissons-ratio = 0.33\n\
                density = 2750\n[contact]\ngroup = \"contact\"\n[reduction]\nmodes-below = 1e5\n";
    std::fs::write(folder.join("block.toml"), body).unwrap();
    let output = reduce(&folder, &["block.toml", "-o", "out.npz"]);
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // 2750 kg/m3 times (40 mm)³.
    assert!(table.contains("mass                     1.760000000e-1 kg"), "{table}");
    for row in ["degrees of freedom", "elements", "contact nodes", "modes", "low-frequency modes", "time", "memory"] {
        assert!(table.lines().any(|line| line.starts_with(row)), "{row} is not in\n{table}");
    }
    assert!(folder.join("out.npz").is_file());

    std::fs::write(folder.join("wrong.toml"), body.replace("\"contact\"", "\"tip\"")).unwrap();
    let output = reduce(&folder, &["wrong.toml"]);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(message.contains("reduce: the model has no group `tip`; there are: "), "{message}");
    assert!(message.contains("`contact`"), "{message}");
}

#[test]
fn wrong_arguments_are_named() {
    let here = Path::new(".");
    for (words, code, message) in [
        (vec![], 2, "<BODY.toml>"),
        (vec!["a.toml", "-x"], 2, "unexpected argument '-x'"),
        (vec!["--sample", "cube"], 2, "possible values: rod, hollowed-rod, beam, ball, block"),
        (vec!["a.toml", "--sample", "rod"], 2, "cannot be used with"),
        (vec!["--sample", "rod", "-o", "x.npz"], 1, "must end in .msh; name it `x.msh`"),
        (vec!["a.toml", "-o", "x.msh"], 1, "must end in .npz; name it `x.npz`"),
    ] {
        let output = reduce(here, &words);
        let printed = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(code) && printed.contains(message), "{words:?}: {printed}");
    }
}
