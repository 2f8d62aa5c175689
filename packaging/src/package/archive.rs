//! The FMU as a ZIP file: the same entries give the same bytes.

use std::collections::BTreeMap;
use std::io::{Cursor, Read, Seek, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

/// Contents of an archive by path.
pub type Files = BTreeMap<String, Vec<u8>>;

/// Files of an FMU in the order of the archive.
#[derive(Default)]
pub struct Entries(Vec<(String, Vec<u8>)>);

impl Entries {
    /// Appends a file.
    pub fn push(&mut self, path: impl Into<String>, content: impl Into<Vec<u8>>) {
        self.0.push((path.into(), content.into()));
    }

    /// The archive.
    pub fn to_zip(&self) -> Result<Vec<u8>, String> {
        let refused = |path: &str, error: &dyn std::fmt::Display| format!("cannot put `{path}` into the FMU: {error}");
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default())
            .unix_permissions(0o644);
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (path, content) in &self.0 {
            writer.start_file(path.as_str(), options).map_err(|error| refused(path, &error))?;
            writer.write_all(content).map_err(|error| refused(path, &error))?;
        }
        let file = writer.finish().map_err(|error| format!("cannot finish the FMU: {error}"))?;
        Ok(file.into_inner())
    }
}

/// Reads all files of an archive, by path.
pub fn read_zip(file: impl Read + Seek) -> Result<Files, String> {
    let damaged = |error: &dyn std::fmt::Display| format!("the archive cannot be read: {error}");
    let mut archive = ZipArchive::new(file).map_err(|error| damaged(&error))?;
    let mut files = Files::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(|error| damaged(&error))?;
        let mut content = Vec::new();
        entry.read_to_end(&mut content).map_err(|error| damaged(&error))?;
        let path = entry.name().map_err(|error| damaged(&error))?.to_string();
        if files.insert(path.clone(), content).is_some() {
            return Err(format!("the archive holds `{path}` twice"));
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back_as_they_were() {
        let mut entries = Entries::default();
        entries.push("b/späce x.txt", "text");
        entries.push("a.bin", vec![0; 100_000]);
        let files = read_zip(Cursor::new(entries.to_zip().unwrap())).unwrap();
        assert_eq!(files["b/späce x.txt"], b"text");
        assert_eq!(files["a.bin"], vec![0; 100_000]);
        assert_eq!(files.len(), 2);
    }

    #[test]
    fn no_date_gets_into_the_archive() {
        let mut entries = Entries::default();
        entries.push("a", "text");
        let mut archive = ZipArchive::new(Cursor::new(entries.to_zip().unwrap())).unwrap();
        assert_eq!(archive.by_index(0).unwrap().last_modified(), Some(DateTime::default()));
    }
}
