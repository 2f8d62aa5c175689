//! The reduced body as a NumPy archive; the same body gives the same bytes.

use std::io::{Cursor, Write};
use std::path::Path;

use npyz::WriterBuilder;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::error::ReductionError;
use crate::reduced_body::ReducedBody;

/// Version of the format.
pub const VERSION: i64 = 1;

/// Units of all fields.
pub const UNITS: &str = "m kg s";

impl ReducedBody {
    /// Writes the archive: first beside its place, so that an interrupted run leaves no half of it.
    pub fn write_archive(&self, path: &Path) -> Result<u64, ReductionError> {
        let not_written = |error: std::io::Error| ReductionError::NotWritten {
            path: path.display().to_string(),
            reason: error.to_string(),
        };
        let bytes = self.archive_bytes().map_err(not_written)?;
        let mut unfinished = path.as_os_str().to_owned();
        unfinished.push(".part");
        std::fs::write(&unfinished, &bytes).map_err(not_written)?;
        std::fs::rename(&unfinished, path).map_err(not_written)?;
        Ok(bytes.len() as u64)
    }

    /// The archive in memory.
    pub fn archive_bytes(&self) -> std::io::Result<Vec<u8>> {
        let mut archive = Archive { writer: ZipWriter::new(Cursor::new(Vec::new())) };
        let nodes = self.contact_nodes.len() as u64;
        let modes = self.modes.len() as u64;
        archive.add("version", &[], [VERSION])?;
        archive.add_text("units", UNITS)?;
        archive.add("mass", &[], [self.mass])?;
        archive.add("inertia", &[3, 3], self.inertia.iter().flatten().copied())?;
        archive.add("centre_of_mass", &[3], self.centre_of_mass)?;
        archive.add("contact_nodes", &[nodes, 3], self.contact_nodes.iter().flatten().copied())?;
        let faces = self.contact_faces.iter().flatten().map(|node| i64::from(*node));
        archive.add("contact_faces", &[self.contact_faces.len() as u64, 3], faces)?;
        archive.add("modes", &[modes, nodes, 3], self.modes.iter().flatten().flatten().copied())?;
        archive.add("angular_frequencies", &[modes], self.angular_frequencies.iter().copied())?;
        archive.add("damping_ratios", &[modes], self.damping_ratios.iter().copied())?;
        archive.add("low_frequency_modes", &[], [self.low_frequency_modes as i64])?;
        let (nodes, faces) = &self.outline;
        archive.add("outline_nodes", &[nodes.len() as u64, 3], nodes.iter().flatten().copied())?;
        let node_numbers = faces.iter().flatten().map(|node| i64::from(*node));
        archive.add("outline_faces", &[faces.len() as u64, 3], node_numbers)?;
        Ok(archive.writer.finish()?.into_inner())
    }
}

struct Archive {
    writer: ZipWriter<Cursor<Vec<u8>>>,
}

impl Archive {
    fn add<T: npyz::AutoSerialize>(
        &mut self,
        name: &str,
        shape: &[u64],
        values: impl IntoIterator<Item = T>,
    ) -> std::io::Result<()> {
        let mut bytes = Vec::new();
        let options = npyz::WriteOptions::new().default_dtype().shape(shape).writer(&mut bytes);
        let mut array = options.begin_nd()?;
        array.extend(values)?;
        array.finish()?;
        self.add_entry(name, &bytes)
    }

    fn add_text(&mut self, name: &str, text: &str) -> std::io::Result<()> {
        let kind = format!("<U{}", text.chars().count());
        let kind = kind.parse().map_err(|error| std::io::Error::other(format!("{kind}: {error}")))?;
        let mut bytes = Vec::new();
        let options = npyz::WriteOptions::new().dtype(npyz::DType::Plain(kind)).shape(&[]).writer(&mut bytes);
        let mut array = options.begin_nd()?;
        array.push(text)?;
        array.finish()?;
        self.add_entry(name, &bytes)
    }

    fn add_entry(&mut self, name: &str, bytes: &[u8]) -> std::io::Result<()> {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            // No clock: the same body gives the same bytes.
            .last_modified_time(DateTime::default())
            .unix_permissions(0o644);
        self.writer.start_file(format!("{name}.npy"), options)?;
        self.writer.write_all(bytes)
    }
}
