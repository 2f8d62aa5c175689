//! Files in and out: Matrix Market, nodes, surface, body file, archive.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

use crate::brick_block::{Block, settings};
use polycontact_reduction::body_file::{BodyFile, Source};
use polycontact_reduction::craig_bampton::{Damping, Directions, Modes, Split, reduce};
use polycontact_reduction::finite_element_model::SymmetricMatrix;
use polycontact_reduction::matrices::{read_matrix_market, read_model, read_nodes, read_surface};

fn small_block() -> Block {
    Block { divisions: [4, 3, 3], ..Default::default() }
}

/// A folder of this test run.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn matrix_market(matrix: &SymmetricMatrix, is_general: bool) -> String {
    let mut entries = String::new();
    let mut count = 0;
    for column in 0..matrix.size() {
        for entry in matrix.column_starts[column]..matrix.column_starts[column + 1] {
            let (row, value) = (matrix.rows[entry], matrix.values[entry]);
            writeln!(entries, "{} {} {value:e}", row + 1, column + 1).unwrap();
            count += 1;
            if is_general && row != column {
                writeln!(entries, "{} {} {value:e}", column + 1, row + 1).unwrap();
                count += 1;
            }
        }
    }
    let kind = if is_general { "general" } else { "symmetric" };
    let size = matrix.size();
    format!("%%MatrixMarket matrix coordinate real {kind}\n% written by a test\n{size} {size} {count}\n{entries}")
}

/// Writes the block's matrices and a body file; returns the body file.
fn write_block(name: &str) -> PathBuf {
    let folder = folder(name);
    let model = small_block().model();
    std::fs::write(folder.join("mass.mtx"), matrix_market(&model.mass, false)).unwrap();
    std::fs::write(folder.join("stiffness.mtx"), matrix_market(&model.stiffness, true)).unwrap();
    // Numbers as a program might give them: from 101 in steps of 2; lengths in mm.
    let nodes: String = model
        .node_positions
        .iter()
        .enumerate()
        .map(|(node, [x, y, z])| format!("{}, {:e}, {:e}, {:e}\n", 101 + 2 * node, 1e3 * x, 1e3 * y, 1e3 * z))
        .collect();
    std::fs::write(folder.join("nodes.txt"), nodes).unwrap();
    let surface: String =
        model.surface.iter().map(|face| face.map(|node| (101 + 2 * node).to_string()).join(" ") + "\n").collect();
    std::fs::write(folder.join("surface.txt"), surface).unwrap();
    let body = "[matrices]\nmass = \"mass.mtx\"\nstiffness = \"stiffness.mtx\"\nnodes = \"nodes.txt\"\n\
                surface = \"surface.txt\"\nscale = 1e-3\n\n[contact]\n\
                normal = { direction = [0, 0, 1], angle = 10 }\n\n[reduction]\nmodes-below = 6e4\n\
                damping-ratio = 0.01\n";
    std::fs::write(folder.join("block.toml"), body).unwrap();
    folder.join("block.toml")
}

#[test]
fn matrices_lead_to_the_same_body_as_the_model() {
    let (model, elements) = BodyFile::read(&write_block("same-body")).unwrap().model().unwrap();
    let expected = small_block().model();
    assert_eq!(elements, None);
    assert_eq!((&model.mass, &model.stiffness), (&expected.mass, &expected.stiffness));
    assert_eq!(model.surface, expected.surface);
    for (found, expected) in model.node_positions.iter().flatten().zip(expected.node_positions.iter().flatten()) {
        assert!((found - expected).abs() < 1e-15);
    }
}

fn arrays(archive: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let mut archive = zip::ZipArchive::new(Cursor::new(archive)).unwrap();
    let mut arrays = BTreeMap::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).unwrap();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        arrays.insert(entry.name().unwrap().to_string(), bytes);
    }
    arrays
}

fn read<T: npyz::Deserialize>(arrays: &BTreeMap<String, Vec<u8>>, name: &str) -> (Vec<u64>, Vec<T>) {
    let array = npyz::NpyFile::new(&arrays[&format!("{name}.npy")][..]).unwrap();
    assert_eq!(array.order(), npyz::Order::C);
    (array.shape().to_vec(), array.into_vec().unwrap())
}

#[test]
fn every_field_of_the_archive_comes_back() {
    let file = BodyFile::read(&write_block("archive")).unwrap();
    let body = reduce(&file.model().unwrap().0, &file.settings, &mut |_| ()).unwrap();
    let path = folder("archive").join("block.npz");
    let bytes = body.write_archive(&path).unwrap();
    let written = std::fs::read(path).unwrap();
    assert_eq!(written.len() as u64, bytes);
    let arrays = arrays(&written);
    let (nodes, modes) = (body.contact_nodes.len() as u64, body.modes.len() as u64);
    let flat = |vectors: &[[f64; 3]]| vectors.iter().flatten().copied().collect::<Vec<f64>>();
    let whole = |faces: &[[u32; 3]]| faces.iter().flatten().map(|node| i64::from(*node)).collect::<Vec<i64>>();
    assert_eq!(read::<i64>(&arrays, "version"), (vec![], vec![1]));
    assert_eq!(read::<String>(&arrays, "units"), (vec![], vec!["m kg s".to_owned()]));
    assert_eq!(read::<f64>(&arrays, "mass"), (vec![], vec![body.mass]));
    assert_eq!(read::<f64>(&arrays, "inertia"), (vec![3, 3], flat(&body.inertia)));
    assert_eq!(read::<f64>(&arrays, "centre_of_mass"), (vec![3], body.centre_of_mass.to_vec()));
    assert_eq!(read::<f64>(&arrays, "contact_nodes"), (vec![nodes, 3], flat(&body.contact_nodes)));
    let faces = body.contact_faces.len() as u64;
    assert_eq!(read::<i64>(&arrays, "contact_faces"), (vec![faces, 3], whole(&body.contact_faces)));
    let shapes: Vec<f64> = body.modes.iter().flat_map(|mode| flat(mode)).collect();
    assert_eq!(read::<f64>(&arrays, "modes"), (vec![modes, nodes, 3], shapes));
    assert_eq!(read::<f64>(&arrays, "angular_frequencies"), (vec![modes], body.angular_frequencies.clone()));
    assert_eq!(read::<f64>(&arrays, "damping_ratios"), (vec![modes], vec![0.01; modes as usize]));
    assert_eq!(read::<i64>(&arrays, "low_frequency_modes"), (vec![], vec![body.low_frequency_modes as i64]));
    let (outline_nodes, outline_faces) = &body.outline;
    let (nodes, faces) = (outline_nodes.len() as u64, outline_faces.len() as u64);
    assert_eq!(read::<f64>(&arrays, "outline_nodes"), (vec![nodes, 3], flat(outline_nodes)));
    assert_eq!(read::<i64>(&arrays, "outline_faces"), (vec![faces, 3], whole(outline_faces)));
    assert_eq!(arrays.len(), 13);
    let again = reduce(&file.model().unwrap().0, &file.settings, &mut |_| ()).unwrap();
    assert!(again.archive_bytes().unwrap() == written, "the same body gives other bytes");
}

#[test]
fn matrix_files_that_are_wrong_name_line_and_fault() {
    let symmetric = "%%MatrixMarket matrix coordinate real symmetric\n";
    let general = "%%MatrixMarket matrix coordinate real general\n";
    let cases = [
        (
            String::new(),
            1,
            "the first line is ``, but must be `%%MatrixMarket matrix coordinate real symmetric` or `... general`",
        ),
        (
            "%%MatrixMarket matrix array real general\n2 2\n".to_owned(),
            1,
            "the first line is `%%MatrixMarket matrix array",
        ),
        (format!("{symmetric}2 3 1\n1 1 1\n"), 2, "the matrix has 2 rows and 3 columns, but must be square"),
        (format!("{symmetric}2 2\n"), 2, "`2 2` is not the size line: rows, columns, entries"),
        (format!("{symmetric}% note\n2 2 1\n3 1 1\n"), 4, "index 3 is out of range; rows are counted from 1 to 2"),
        (format!("{symmetric}2 2 1\n1 0 1\n"), 3, "index 0 is out of range; columns are counted from 1 to 2"),
        (format!("{symmetric}2 2 1\n1 1 nan\n"), 3, "`nan` is not a finite number"),
        (format!("{symmetric}2 2 1\n1 1 1e999\n"), 3, "`1e999` is not a finite number"),
        (format!("{symmetric}2 2 1\n1 1\n"), 3, "`1 1` is not an entry: row, column, value"),
        (
            format!("{symmetric}2 2 3\n1 1 1\n2 2 1\n"),
            0,
            "the file ends after 2 of 3 entries; it seems to be truncated",
        ),
        (format!("{symmetric}2 2 1\n1 1 1\n2 2 1\n"), 4, "there are more than the announced 1 entries"),
        (
            format!("{symmetric}2 2 3\n1 1 1\n2 1 1\n1 2 1\n"),
            5,
            "the entry at row 2, column 1 is given twice; add such",
        ),
        (format!("{general}2 2 3\n1 1 1\n2 1 1\n2 1 1\n"), 5, "the entry at row 2, column 1 is given twice; add such"),
        (
            format!("{general}2 2 4\n1 1 1\n2 2 1\n2 1 0.5\n1 2 0.25\n"),
            6,
            "the matrix is not symmetric: row 2, column 1 is 5e-1, but row 1, column 2 is 2.5e-1, a difference of 2.5e-1",
        ),
        (format!("{symmetric}9000000000 9000000000 0\n"), 2, "9000000000 entries are announced, but the file has room"),
        (format!("{symmetric}2 2 18446744073709551615\n"), 2, "18446744073709551615 entries are announced"),
    ];
    for (text, line, message) in cases {
        let error = read_matrix_market(text.as_bytes()).unwrap_err();
        assert_eq!(error.line, line, "{text}");
        assert!(error.problem.to_string().starts_with(message), "{}", error.problem);
    }
}

#[test]
fn rounding_between_mirrored_entries_is_averaged() {
    let text = "%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 4\n2 2 4\n2 1 1.00000002\n1 2 1D0\n";
    let matrix = read_matrix_market(text.as_bytes()).unwrap();
    assert_eq!(matrix.rows, [0, 1, 1]);
    assert!((matrix.values[1] - 1.00000001).abs() < 1e-15);
}

#[test]
fn nodes_and_triangles_that_are_wrong_name_line_and_fault() {
    for (text, line, message) in [
        ("", 0, "there are no nodes"),
        ("0 0 0\n# note\n1 0\n", 3, "`1 0` is not a node: x, y, z, as in the lines before"),
        ("1 0 0 0\n1 0 0 1\n", 2, "node 1 is given twice"),
        ("0 0 inf\n", 1, "`inf` is not a finite number"),
        ("0 0 0 0 0\n", 1, "`0 0 0 0 0` is not a node: `number x y z` or `x y z`"),
    ] {
        let error = read_nodes(text.as_bytes()).unwrap_err();
        assert_eq!((error.line, &error.problem.to_string()[..]), (line, message));
    }
    let none = BTreeMap::new();
    for (text, line, message) in [
        ("v 0 0 0\n", 0, "there are no triangles"),
        ("1 2 3\n1 2 5\n", 2, "index 5 is out of range; nodes are counted from 1 to 4"),
        ("f 1 2 3 4\n", 1, "`f 1 2 3 4` is not a triangle: three node numbers"),
        ("1 2 2\n", 1, "`1 2 2` is not a triangle: three node numbers"),
    ] {
        let error = read_surface(text.as_bytes(), &none, 4).unwrap_err();
        assert_eq!((error.line, &error.problem.to_string()[..]), (line, message));
    }
    assert_eq!(read_surface(b"v 0 0 0\nf 1/1 2/2 4/3\n", &none, 4).unwrap(), [[0, 1, 3]]);
}

/// Damaged files: cut and changed at many places, they are read or refused, never the end of the program.
#[test]
fn no_bytes_make_the_readers_panic() {
    let model = Block { divisions: [1, 1, 1], ..Default::default() }.model();
    let text = matrix_market(&model.mass, true).into_bytes();
    let mut state = 12345u64;
    for _ in 0..3000 {
        let mut bytes = text.clone();
        for _ in 0..3 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let place = (state >> 33) as usize % bytes.len();
            bytes[place] = (state >> 20) as u8;
        }
        bytes.truncate((state >> 12) as usize % (bytes.len() + 1));
        let _ = read_matrix_market(&bytes);
        let _ = read_nodes(&bytes);
        let _ = read_surface(&bytes, &BTreeMap::new(), 8);
    }
}

#[test]
fn files_that_do_not_fit_together_are_refused() {
    let body = write_block("misfits");
    let folder = body.parent().unwrap();
    let path = |name: &str| folder.join(name);
    std::fs::write(path("few.txt"), "0 0 0\n1 0 0\n0 1 0\n").unwrap();
    std::fs::write(path("face.txt"), "1 2 3\n").unwrap();
    let read = |nodes: &str, mass: &str| {
        read_model(&path(mass), &path("stiffness.mtx"), &path(nodes), &path("face.txt"), 1.0).unwrap_err().to_string()
    };
    let error = read("few.txt", "mass.mtx");
    assert!(
        error.ends_with("stiffness.mtx: the matrix has 240 rows, but 3 nodes have 9 displacements, three each"),
        "{error}"
    );
    let error = read("nowhere.txt", "mass.mtx");
    assert!(error.contains("nowhere.txt: cannot be read: "), "{error}");
}

#[test]
fn body_files_say_what_is_wrong_and_where() {
    let mesh = "[mesh]\nfile = \"rod.msh\"\n[material]\nyoungs-modulus = 7e10\npoissons-ratio = 0.33\ndensity = 2750\n";
    let contact = "[contact]\ngroup = \"contact\"\n";
    let reduction = "[reduction]\nmodes-below = 7e4\n";
    for (text, message) in [
        (
            format!("{mesh}{contact}"),
            "b.toml, line 1: `reduction.modes-below` is missing; give it a frequency in Hz, or `modes` a number of modes",
        ),
        (
            format!("{mesh}{reduction}"),
            "b.toml, line 1: `contact.group` is missing; give it the name of a group, or choose by `box`, `sphere` or `normal`",
        ),
        (
            format!("{mesh}[contact]\ngruop = \"a\"\n{reduction}"),
            "b.toml, line 8: unknown key `contact.gruop`; did you mean `group`? Known here: group, box, sphere, normal, directions",
        ),
        (
            format!("{mesh}[contact]\nsphere = {{ centre = [0, 0], radius = 1 }}\n{reduction}"),
            "b.toml, line 8: `sphere.centre` is array ([0, 0]), but must be 3 numbers in brackets",
        ),
        (
            format!("{mesh}{contact}directions = \"x\"\n{reduction}"),
            "b.toml, line 9: `contact.directions` is \"x\", but must be one of \"normal\", \"all\"",
        ),
        (
            format!("{mesh}{contact}{reduction}modes = 20\n"),
            "b.toml, line 10: `reduction.modes-below` is \"given\", but must be left out where `modes` is given",
        ),
        (
            format!("{mesh}{contact}[reduction]\nmodes = 2.5\n"),
            "b.toml, line 10: `reduction.modes` is 2.5, but must be a whole number from 0 to 3000",
        ),
        (
            format!("{}{contact}{reduction}", mesh.replace("0.33", "0.5")),
            "b.toml, [material]: Poisson's ratio is 0.5; it has to lie",
        ),
        (
            format!("{contact}{reduction}"),
            "b.toml, line 1: `mesh.file` is missing; give it the path of a Gmsh MSH 4.1 file",
        ),
    ] {
        let error = BodyFile::parse(&text, "b.toml", Path::new("")).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}\n{text}");
    }
    let text = format!(
        "{mesh}[contact]\nbox = {{ from = [0, 0, 0], to = [1, 2, 3] }}\ndirections = \"all\"\n[reduction]\nmodes = 20\n\
         split-rule = 0.1\ndamping-ratio = 0.02\ndamping-frequencies = [100, 1000]\n"
    );
    let body = BodyFile::parse(&text, "b.toml", Path::new("dir")).unwrap();
    assert!(matches!(&body.source, Source::Mesh { file, .. } if file == Path::new("dir/rod.msh")));
    let mut expected = settings(0.0);
    expected.contact.group = None;
    expected.contact.within_box = Some([[0.0; 3], [1.0, 2.0, 3.0]]);
    (expected.directions, expected.modes) = (Directions::All, Modes::Count(20));
    expected.split = Split::Coupling(0.1);
    expected.damping = Damping::Rayleigh { frequencies: [100.0, 1000.0], ratio: 0.02 };
    assert_eq!(body.settings, expected);
}
