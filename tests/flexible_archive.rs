//! Archives of flexible bodies: those of NumPy are read, bad ones are refused with array and place.

use std::io::{Cursor, Write};

use crate::support::random::Random;
use polycontact::flexible::{ArchiveDefect, FlexibleBody, MOST_CONTACT_NODES};
use polycontact::math::{Matrix, Vector};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

const STORED: &[u8] = include_bytes!("fixtures/flexible_stored.npz");
const COMPRESSED: &[u8] = include_bytes!("fixtures/flexible_compressed.npz");

/// An array in NumPy's format: descriptor, shape as Python writes it, data.
type Array = (&'static str, String, Vec<u8>);

fn floats(shape: &str, values: &[f64]) -> Array {
    ("<f8", shape.to_owned(), values.iter().flat_map(|x| x.to_le_bytes()).collect())
}

fn integers(shape: &str, values: &[i64]) -> Array {
    ("<i8", shape.to_owned(), values.iter().flat_map(|x| x.to_le_bytes()).collect())
}

fn npy((descriptor, shape, data): &Array) -> Vec<u8> {
    let header = format!("{{'descr': '{descriptor}', 'fortran_order': False, 'shape': {shape}, }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

/// The arrays of a good body with 4 nodes, 2 faces and 2 modes.
fn good() -> Vec<(&'static str, Array)> {
    let nodes = [0.0, 0.0, 0.0, 0.01, 0.0, 0.0, 0.01, 0.01, 0.0, 0.0, 0.01, 0.0];
    vec![
        ("version", integers("()", &[1])),
        ("units", ("|S6", "()".to_owned(), b"m kg s".to_vec())),
        ("mass", floats("()", &[0.25])),
        ("inertia", floats("(3, 3)", &[1e-6, 0.0, 0.0, 0.0, 2e-6, 0.0, 0.0, 0.0, 3e-6])),
        ("centre_of_mass", floats("(3,)", &[0.0, 0.0, -0.5])),
        ("contact_nodes", floats("(4, 3)", &nodes)),
        ("contact_faces", integers("(2, 3)", &[0, 1, 2, 0, 2, 3])),
        ("modes", floats("(2, 4, 3)", &[1.0; 24])),
        ("angular_frequencies", floats("(2,)", &[1.0e4, 2.5e4])),
        ("damping_ratios", floats("(2,)", &[0.0, 0.01])),
        ("low_frequency_modes", integers("()", &[1])),
    ]
}

fn archive(arrays: &[(&'static str, Array)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, array) in arrays {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        zip.start_file(format!("{name}.npy"), options).expect("an entry");
        zip.write_all(&npy(array)).expect("bytes");
    }
    zip.finish().expect("an archive").into_inner()
}

/// The message for a good archive in which one array is replaced.
fn refusal(name: &'static str, array: Array) -> String {
    let mut arrays = good();
    let place = arrays.iter().position(|(other, _)| *other == name).expect("a known array");
    arrays[place].1 = array;
    FlexibleBody::from_bytes(&archive(&arrays)).expect_err(name).to_string()
}

#[test]
fn archives_of_numpy_are_read() {
    for bytes in [STORED, COMPRESSED] {
        let body = FlexibleBody::from_bytes(bytes).unwrap_or_else(|error| panic!("{error}"));
        let model = body.model();
        assert_eq!(model.mass, 0.25);
        assert_eq!(model.inertia, Matrix::from_diagonal(&Vector::new(1e-6, 2e-6, 3e-6)));
        assert_eq!(model.centre_of_mass, Vector::new(0.0, 0.0, -0.5));
        assert_eq!(model.contact_nodes[1], Vector::new(0.01, 0.0, 0.0));
        assert_eq!(model.contact_nodes[3], Vector::new(0.0, 0.01, 0.0));
        assert_eq!(model.contact_faces, [[0, 1, 2], [0, 2, 3]]);
        let mut modes = [0.0, 0.0, 2.0].repeat(4);
        modes.extend([0.0, 0.0, 1.0, 0.0, 0.0, -1.0].repeat(2));
        assert_eq!(model.modes, modes);
        assert_eq!(model.angular_frequencies, [1.0e4, 2.5e4]);
        assert_eq!(model.damping_ratios, [0.0, 0.01]);
        assert_eq!(model.low_frequency_modes, 1);
        assert_eq!(model.outline_nodes.len(), 4);
        assert_eq!(model.outline_faces, [[0, 1, 2], [0, 2, 3]]);
    }
}

#[test]
fn the_archive_of_the_tests_is_good() {
    let body = FlexibleBody::from_bytes(&archive(&good())).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(body.mode_count(), 2);
    assert!(body.model().outline_nodes.is_empty());
}

#[test]
fn every_missing_array_is_named() {
    for missing in 0..good().len() {
        let mut arrays = good();
        let (name, _) = arrays.remove(missing);
        let error = FlexibleBody::from_bytes(&archive(&arrays)).expect_err(name);
        assert_eq!(error.defect, ArchiveDefect::Missing { array: name });
    }
}

#[test]
fn bad_arrays_are_refused_with_name_and_place() {
    let nodes = |values: [f64; 12]| floats("(4, 3)", &values);
    let good_nodes = [0.0, 0.0, 0.0, 0.01, 0.0, 0.0, 0.01, 0.01, 0.0, 0.0, 0.01, 0.0];
    let with = |place: usize, value: f64| {
        let mut values = good_nodes;
        values[place] = value;
        nodes(values)
    };
    let cases: Vec<(&'static str, Array, &[&str])> = vec![
        ("version", integers("()", &[2]), &["`version`", "is 2", "reads version 1"]),
        ("version", floats("()", &[1.0]), &["`version`", "integers"]),
        ("version", integers("(1,)", &[1]), &["`version`", "shape [1]"]),
        ("units", ("|S7", "()".to_owned(), b"mm t s\0".to_vec()), &["`units`", "mm t s", "m kg s"]),
        ("units", integers("()", &[1]), &["`units`", "text"]),
        ("mass", floats("()", &[0.0]), &["`mass`", "above 0"]),
        ("mass", floats("()", &[f64::NAN]), &["`mass`", "finite"]),
        ("inertia", floats("(3, 3)", &[1.0, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]), &["`inertia`", "symmetric"]),
        ("inertia", floats("(9,)", &[1.0; 9]), &["`inertia`", "(3, 3)"]),
        ("centre_of_mass", floats("(2,)", &[0.0; 2]), &["`centre_of_mass`", "[2]", "(3)"]),
        ("contact_nodes", with(7, f64::INFINITY), &["`contact_nodes`[2, 1]", "finite"]),
        ("contact_nodes", with(5, 1e9), &["`contact_nodes`[1]", "1e6"]),
        ("contact_nodes", floats("(3, 4)", &good_nodes), &["`contact_nodes`", "(any, 3)"]),
        ("contact_faces", integers("(2, 3)", &[0, 1, 2, 0, 2, 4]), &["`contact_faces`[1, 2]", "is 4", "4 nodes"]),
        ("contact_faces", integers("(2, 3)", &[0, 1, 2, 0, 2, -1]), &["`contact_faces`[1, 2]", "number of a node"]),
        ("contact_faces", floats("(2, 3)", &[0.0; 6]), &["`contact_faces`", "integers"]),
        ("contact_faces", integers("(2, 3)", &[0, 1, 2, 0, 2, 2]), &["`contact_faces`[1]", "no area"]),
        ("contact_faces", integers("(2, 3)", &[0, 1, 2, 0, 3, 2]), &["`contact_faces`[0]", "0-2", "turn"]),
        ("contact_faces", integers("(3, 3)", &[0, 1, 2, 0, 2, 3, 0, 2, 1]), &["`contact_faces`[0]", "share"]),
        ("contact_faces", integers("(0, 3)", &[]), &["`contact_faces`", "no faces"]),
        ("modes", floats("(2, 3, 4)", &[1.0; 24]), &["`modes`", "[2, 3, 4]", "(any, 4, 3)"]),
        ("angular_frequencies", floats("(2,)", &[0.0, 1.0]), &["`angular_frequencies`[0]", "rigid-body modes"]),
        ("angular_frequencies", floats("(2,)", &[2.0, 1.0]), &["`angular_frequencies`[1]", "sort"]),
        ("angular_frequencies", floats("(3,)", &[1.0; 3]), &["`angular_frequencies`", "[3]", "(2)"]),
        ("damping_ratios", floats("(2,)", &[0.0, -0.1]), &["`damping_ratios`[1]", "0 or above"]),
        ("low_frequency_modes", integers("()", &[3]), &["`low_frequency_modes`", "is 3", "2 modes"]),
        ("low_frequency_modes", integers("()", &[-1]), &["`low_frequency_modes`", "0 or above"]),
        ("mass", (">f8", "()".to_owned(), vec![0; 8]), &["`mass`", ">f8", "little-endian"]),
        ("mass", ("<c16", "()".to_owned(), vec![0; 16]), &["`mass`", "<c16"]),
        ("mass", ("<f8", "()".to_owned(), vec![0; 7]), &["`mass`", "7 bytes"]),
        ("modes", ("<f8", "(4294967296, 4294967296, 4294967296)".to_owned(), vec![0; 8]), &["`modes`", "8 bytes"]),
        ("modes", ("<f8", "(2, 4, 3".to_owned(), vec![0; 192]), &["`modes`", "header"]),
    ];
    for (name, array, words) in cases {
        let message = refusal(name, array);
        for word in words {
            assert!(message.contains(word), "`{word}` is missing in: {message}");
        }
    }
}

#[test]
fn too_many_nodes_are_refused() {
    let count = MOST_CONTACT_NODES + 1;
    let mut arrays = good();
    arrays[5].1 = floats(&format!("({count}, 3)"), &vec![0.0; 3 * count]);
    arrays[7].1 = floats(&format!("(2, {count}, 3)"), &vec![0.0; 6 * count]);
    let message = FlexibleBody::from_bytes(&archive(&arrays)).expect_err("too many").to_string();
    assert!(message.contains("`contact_nodes`") && message.contains("smaller contact patch"), "{message}");
}

#[test]
fn files_are_named_in_errors() {
    let error = FlexibleBody::read("no such file.npz".as_ref()).expect_err("no file").to_string();
    assert!(error.contains("`no such file.npz`") && error.contains("permissions"), "{error}");
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/flexible_stored.npz");
    assert!(FlexibleBody::read(fixture.as_ref()).is_ok());
}

/// Unpacks to a gigabyte of zeros.
#[test]
fn a_bomb_is_refused() {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated).large_file(true);
    zip.start_file("version.npy", options).expect("an entry");
    let block = vec![0; 1 << 20];
    for _ in 0..600 {
        zip.write_all(&block).expect("bytes");
    }
    let bytes = zip.finish().expect("an archive").into_inner();
    assert!(bytes.len() < 1 << 20);
    assert_eq!(FlexibleBody::from_bytes(&bytes).expect_err("a bomb").defect, ArchiveDefect::TooLarge);
}

/// Truncated and corrupted archives give an error or, where the damage is harmless, a body; they never panic.
#[test]
fn damaged_archives_never_panic() {
    let mut random = Random::new(12);
    let mut refused = 0;
    for bytes in [STORED, COMPRESSED] {
        for length in (0..bytes.len()).step_by(7) {
            refused += usize::from(FlexibleBody::from_bytes(&bytes[..length]).is_err());
        }
        for _ in 0..3000 {
            let mut damaged = bytes.to_vec();
            for _ in 0..1 + random.bits() % 4 {
                let place = (random.bits() % damaged.len() as u64) as usize;
                damaged[place] = random.bits() as u8;
            }
            refused += usize::from(FlexibleBody::from_bytes(&damaged).is_err());
        }
    }
    assert!(refused > 3000, "{refused}");
    // Headers themselves, which the checksums of the archive protect above.
    for _ in 0..3000 {
        let mut arrays = good();
        let place = (random.bits() % arrays.len() as u64) as usize;
        let mut bytes = npy(&arrays[place].1);
        let spot = (random.bits() % bytes.len() as u64) as usize;
        bytes[spot] = random.bits() as u8;
        let (name, _) = arrays.remove(place);
        let mut zip = ZipWriter::new_append(Cursor::new(archive(&arrays))).expect("an archive");
        zip.start_file(format!("{name}.npy"), SimpleFileOptions::default()).expect("an entry");
        zip.write_all(&bytes).expect("bytes");
        let _ = FlexibleBody::from_bytes(&zip.finish().expect("an archive").into_inner());
    }
}
