//! Recordings as bytes and back, damaged ones, and thinning.

use super::*;
use crate::contact::{Body, ContactPiece, Feature, PiecePoint};
use crate::math::Vector;
use crate::mesh::FaceIndex;

fn square(x: f64, side: f64, pressure: f64) -> ContactPiece {
    let corner = |dx: f64, dy: f64| PiecePoint {
        position_e: Vector::new(x + dx * side, dy * side, 0.25),
        penetration: 1e-3,
        pressure: pressure * (1.0 + dx),
        slip_velocity_e: Vector::zeros(),
    };
    ContactPiece {
        body: Body::E,
        face: FaceIndex(0),
        feature: Feature::Face(FaceIndex(0)),
        weight: 1.0,
        normal_e: -Vector::z(),
        corners: vec![corner(0.0, 0.0), corner(1.0, 0.0), corner(1.0, 1.0), corner(0.0, 1.0)],
        centre: corner(0.5, 0.5),
        area: side * side,
    }
}

fn column(name: &str) -> Column {
    Column { name: name.to_owned(), unit: "1".to_owned() }
}

fn recording(frames: usize) -> Recording {
    let header = Header {
        name: "Prüfling".to_owned(),
        guid: "{1}".to_owned(),
        columns: ["time", "forceOnE[1]", "forceOnE[2]", "forceOnE[3]"].map(column).to_vec(),
        parameters: vec![("recordLimit".to_owned(), "100.0".to_owned())],
        bodies: vec![RecordedBody {
            name: "a.obj".to_owned(),
            vertices: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.5], [0.0, -1.0, 0.0]],
            faces: vec![[0, 1, 2]],
        }],
    };
    let frame = |index: usize| {
        let time = index as f64 * 1e-3;
        let numbers = vec![time, (40.0 * time).sin(), -0.0, f64::MIN_POSITIVE * index as f64];
        let pieces = (0..index % 4).map(|k| square(0.1 * k as f64, 0.1, 1e6)).collect();
        Frame { numbers, patches: Patches::of(pieces) }
    };
    Recording { header, frames: (0..frames).map(frame).collect(), damaged_bytes: 0 }
}

#[test]
fn bytes_become_the_same_recording_bit_by_bit() {
    for frames in [0, 1, FRAMES_PER_CHUNK, 3 * FRAMES_PER_CHUNK + 7] {
        let original = recording(frames);
        let read = Recording::from_bytes(&original.to_bytes()).unwrap();
        assert_eq!(format!("{original:?}"), format!("{read:?}"));
        let bits = |recording: &Recording| -> Vec<u64> {
            recording.frames.iter().flat_map(|frame| &frame.numbers).map(|number| number.to_bits()).collect()
        };
        assert_eq!(bits(&original), bits(&read));
    }
}

#[test]
fn a_file_that_ends_early_is_good_up_to_its_last_whole_chunk() {
    let whole = recording(3 * FRAMES_PER_CHUNK);
    let bytes = whole.to_bytes();
    let mut seen = std::collections::BTreeSet::new();
    for length in 0..bytes.len() {
        match Recording::from_bytes(&bytes[..length]) {
            Ok(read) => {
                assert_eq!(read.frames, whole.frames[..read.frames.len()]);
                seen.insert(read.frames.len());
            }
            Err(error) => assert!(matches!(error, RecordError::Foreign | RecordError::Damaged(_)), "{error}"),
        }
    }
    assert_eq!(Vec::from_iter(seen), [0, FRAMES_PER_CHUNK, 2 * FRAMES_PER_CHUNK]);
}

/// A changed byte ends a recording at its chunk, or leaves it as it was; it never makes other numbers.
#[test]
fn a_changed_byte_never_makes_other_numbers() {
    let whole = recording(2 * FRAMES_PER_CHUNK);
    let bytes = whole.to_bytes();
    for index in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[index] ^= 0x24;
        if let Ok(read) = Recording::from_bytes(&damaged) {
            assert_eq!(
                (&read.header, &read.frames[..]),
                (&whole.header, &whole.frames[..read.frames.len()]),
                "{index}"
            );
        }
    }
}

#[test]
fn foreign_files_and_other_versions_are_told_apart() {
    assert_eq!(Recording::from_bytes(b"solid part"), Err(RecordError::Foreign));
    let mut bytes = recording(1).to_bytes();
    bytes[8] = 7;
    assert_eq!(Recording::from_bytes(&bytes), Err(RecordError::Version(7)));
}

/// 1/65535 of the ranges, half of it by rounding, and the rounding of single precision.
#[test]
fn corners_keep_their_places_and_pressures_to_a_part_of_their_ranges() {
    let pieces = vec![square(5.0, 0.1, 1e6), square(5.3, 0.2, 3e6)];
    let patches = Patches::of(pieces.clone());
    assert_eq!(patches.len(), 2);
    for (polygon, piece) in patches.polygons().zip(&pieces) {
        for (point, corner) in polygon.iter().zip(&piece.corners) {
            for axis in 0..3 {
                assert!((point.position_e[axis] - corner.position_e[axis]).abs() <= 0.51 * 0.5 / 65535.0 + 1e-6);
            }
            assert!((point.pressure - corner.pressure).abs() <= 0.51 * 6e6 / 65535.0, "{point:?}");
        }
        assert!((area_vector(&polygon).norm() - piece.area).abs() < 1e-5);
    }
}

#[test]
fn a_contact_with_too_many_pieces_keeps_the_largest() {
    let pieces: Vec<ContactPiece> = (0..10_000).map(|k| square(0.0, 1e-3 * (1.0 + k as f64), 1.0)).collect();
    let patches = Patches::of(pieces);
    // A square takes 33 bytes of 2^17.
    assert_eq!(patches.len(), (1 << 17) / 33);
    let smallest = patches.polygons().map(|polygon| area_vector(&polygon).norm()).fold(f64::INFINITY, f64::min);
    assert!((smallest.sqrt() - 1e-3 * (10_001 - (1 << 17) / 33) as f64).abs() < 1e-3, "{smallest}");
}

#[test]
fn thinning_keeps_the_larger_force_of_two_neighbours_and_the_order_of_time() {
    let Recording { header, frames, .. } = recording(101);
    let thinned = thin(frames.clone(), &header);
    assert_eq!(thinned.len(), 51);
    assert!(thinned.windows(2).all(|pair| pair[0].time() < pair[1].time()));
    let strongest = |frames: &[Frame]| frames.iter().map(|frame| frame.numbers[1].abs()).fold(0.0, f64::max);
    assert_eq!(strongest(&thinned), strongest(&frames));
}
