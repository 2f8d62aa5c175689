//! Any bytes as the archive of a flexible body, and as an array in it.

use std::io::{Cursor, Read, Write};
use std::sync::LazyLock;

use polycontact::flexible::FlexibleBody;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

const STORED: &[u8] = include_bytes!("../../tests/fixtures/flexible_stored.npz");

/// Names and contents of a good archive.
static ARRAYS: LazyLock<Vec<(String, Vec<u8>)>> = LazyLock::new(|| {
    let mut archive = ZipArchive::new(Cursor::new(STORED)).expect("an archive");
    let names: Vec<String> = archive.file_names().map(|name| name.expect("a name").into_owned()).collect();
    let read = |name: String| {
        let mut bytes = Vec::new();
        archive.by_name(&name).expect("an entry").read_to_end(&mut bytes).expect("its bytes");
        (name, bytes)
    };
    names.into_iter().map(read).collect()
});

/// As an archive. Most of what is changed here is found by the checksums of the archive.
pub fn read(bytes: &[u8]) {
    let _ = FlexibleBody::from_bytes(bytes);
}

/// As one array in a good archive; the first byte says which.
pub fn read_array(bytes: &[u8]) {
    let Some((&which, array)) = bytes.split_first() else { return };
    let replaced = usize::from(which) % ARRAYS.len();
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    for (index, (name, good)) in ARRAYS.iter().enumerate() {
        writer.start_file(name.as_str(), options).expect("room in memory");
        writer.write_all(if index == replaced { array } else { good }).expect("room in memory");
    }
    let _ = FlexibleBody::from_bytes(writer.finish().expect("room in memory").get_ref());
}
