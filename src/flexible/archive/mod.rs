//! Flexible bodies from NumPy archives (`.npz`), version 1.

mod error;
mod npy;

pub use error::{ArchiveDefect, ArchiveError};

pub(super) use error::bad_value;

use std::fs::File;
use std::io::{Cursor, Read};
use std::path::Path;

use error::malformed;
use npy::Npy;
use zip::ZipArchive;

use super::body::FlexibleBody;
use super::reduced_model::ReducedModel;
use crate::math::{Matrix, Vector};

/// Most bytes of an archive, packed and unpacked: bounds the memory that a hostile file costs.
pub(super) const MOST_BYTES: u64 = 512 << 20;

/// The version that is read.
const VERSION: u64 = 1;

/// The units that are read.
const UNITS: &str = "m kg s";

impl FlexibleBody {
    /// Reads a body from an archive file.
    pub fn read(path: &Path) -> Result<Self, ArchiveError> {
        let read = || {
            let unreadable = |error: std::io::Error| ArchiveDefect::Unreadable { reason: error.to_string() };
            let mut bytes = Vec::new();
            let file = File::open(path).map_err(unreadable)?;
            file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
            FlexibleBody::from_bytes(&bytes).map_err(|error| error.defect)
        };
        read().map_err(|defect| ArchiveError { file: Some(path.display().to_string()), defect })
    }

    /// Reads a body from the bytes of an archive. Any bytes give a body or an error.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ArchiveError> {
        if bytes.len() as u64 > MOST_BYTES {
            return Err(ArchiveDefect::TooLarge.into());
        }
        let not_an_archive = |error: zip::result::ZipError| ArchiveDefect::NotAnArchive { reason: error.to_string() };
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(not_an_archive)?;
        let mut archive = Archive { zip, bytes_left: MOST_BYTES };
        Ok(FlexibleBody::new(archive.model()?)?)
    }
}

/// An open archive.
struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    /// How many more bytes may be unpacked.
    bytes_left: u64,
}

impl Archive<'_> {
    fn model(&mut self) -> Result<ReducedModel, ArchiveDefect> {
        let version = self.index("version")?;
        if version != VERSION {
            return Err(bad_value("version", &[], format!("is {version}, but this library reads version {VERSION}")));
        }
        let units = self.array("units", |npy| npy.text())?;
        if units != UNITS {
            return Err(bad_value("units", &[], format!("is \"{units}\", but must be \"{UNITS}\"")));
        }
        let [mass] = self.numbers("mass", [])?.1[..] else { return Err(malformed("mass", "must be one number")) };
        let inertia = self.numbers("inertia", [Some(3), Some(3)])?.1;
        let centre_of_mass = self.numbers("centre_of_mass", [Some(3)])?.1;
        let ([node_count, _], nodes) = self.numbers("contact_nodes", [None, Some(3)])?;
        let contact_faces = self.faces("contact_faces")?;
        let ([mode_count, ..], modes) = self.numbers("modes", [None, Some(node_count), Some(3)])?;
        let angular_frequencies = self.numbers("angular_frequencies", [Some(mode_count)])?.1;
        let damping_ratios = self.numbers("damping_ratios", [Some(mode_count)])?.1;
        let low_frequency_modes = self.index("low_frequency_modes")?;
        let (outline_nodes, outline_faces) = match (self.has("outline_nodes"), self.has("outline_faces")) {
            (false, false) => (Vec::new(), Vec::new()),
            _ => (points(&self.numbers("outline_nodes", [None, Some(3)])?.1), self.faces("outline_faces")?),
        };
        Ok(ReducedModel {
            mass,
            inertia: Matrix::from_row_slice(&inertia),
            centre_of_mass: Vector::from_column_slice(&centre_of_mass),
            contact_nodes: points(&nodes),
            contact_faces,
            modes,
            angular_frequencies,
            damping_ratios,
            low_frequency_modes: usize::try_from(low_frequency_modes).unwrap_or(usize::MAX),
            outline_nodes,
            outline_faces,
        })
    }

    fn has(&self, array: &str) -> bool {
        self.zip.index_for_name(&format!("{array}.npy")).is_some()
    }

    /// Unpacks an array and hands it to `read`, whose message continues "the array `…`".
    fn array<T>(
        &mut self,
        array: &'static str,
        read: impl FnOnce(&Npy) -> Result<T, String>,
    ) -> Result<T, ArchiveDefect> {
        if !self.has(array) {
            return Err(ArchiveDefect::Missing { array });
        }
        let entry = self.zip.by_name(&format!("{array}.npy"));
        let mut entry = entry.map_err(|error| malformed(array, format!("cannot be unpacked: {error}")))?;
        let mut bytes = Vec::new();
        let unpacked = entry.by_ref().take(self.bytes_left + 1).read_to_end(&mut bytes);
        unpacked.map_err(|error| malformed(array, format!("cannot be unpacked: {error}")))?;
        self.bytes_left = self.bytes_left.checked_sub(bytes.len() as u64).ok_or(ArchiveDefect::TooLarge)?;
        Npy::parse(&bytes).and_then(|npy| read(&npy)).map_err(|problem| malformed(array, problem))
    }

    /// Shape and numbers of an array; `shape` has the lengths that are known.
    fn numbers<const AXES: usize>(
        &mut self,
        array: &'static str,
        shape: [Option<usize>; AXES],
    ) -> Result<([usize; AXES], Vec<f64>), ArchiveDefect> {
        let (found, numbers) = self.array(array, |npy| Ok((checked_shape(npy, shape)?, npy.numbers()?)))?;
        match numbers.iter().position(|x| !x.is_finite()) {
            None => Ok((found, numbers)),
            Some(place) => {
                let problem = format!("is {}, but must be a finite number", numbers[place]);
                Err(bad_value(array, &unravelled(place, &found), problem))
            }
        }
    }

    /// One integer, 0 or above.
    fn index(&mut self, array: &'static str) -> Result<u64, ArchiveDefect> {
        let numbers = self.array(array, |npy| checked_shape(npy, []).and_then(|[]| npy.indices()))?;
        numbers.first().copied().flatten().ok_or_else(|| bad_value(array, &[], "must be an integer, 0 or above"))
    }

    fn faces(&mut self, array: &'static str) -> Result<Vec<[u32; 3]>, ArchiveDefect> {
        let numbers = self.array(array, |npy| checked_shape(npy, [None, Some(3)]).and_then(|_| npy.indices()))?;
        let index = |(place, number): (usize, &Option<u64>)| {
            number.and_then(|number| u32::try_from(number).ok()).ok_or_else(|| {
                bad_value(array, &unravelled(place, &[numbers.len() / 3, 3]), "is not the number of a node, from 0")
            })
        };
        let corners = numbers.iter().enumerate().map(index).collect::<Result<Vec<_>, _>>()?;
        Ok(corners.chunks_exact(3).map(|face| [face[0], face[1], face[2]]).collect())
    }
}

fn checked_shape<const AXES: usize>(npy: &Npy, wanted: [Option<usize>; AXES]) -> Result<[usize; AXES], String> {
    let found = <[usize; AXES]>::try_from(npy.shape.as_slice()).ok();
    let good =
        found.filter(|found| found.iter().zip(&wanted).all(|(&n, wanted)| wanted.is_none_or(|wanted| n == wanted)));
    good.ok_or_else(|| {
        let axes: Vec<String> = wanted.iter().map(|n| n.map_or("any".to_owned(), |n| n.to_string())).collect();
        format!("has the shape {:?}, but needs ({})", npy.shape, axes.join(", "))
    })
}

/// The indices of element `place` of an array in C order.
fn unravelled(mut place: usize, shape: &[usize]) -> Vec<usize> {
    let mut indices: Vec<usize> = shape
        .iter()
        .rev()
        .map(|&n| {
            let index = place % n.max(1);
            place /= n.max(1);
            index
        })
        .collect();
    indices.reverse();
    indices
}

fn points(numbers: &[f64]) -> Vec<Vector> {
    numbers.chunks_exact(3).map(Vector::from_column_slice).collect()
}
