//! What every FMU holds besides its model: libraries by platform, and the licences of what is linked into them.
//!
//! A kit is one file. The program looks for it beside itself: with it, packaging needs no compiler.

use std::collections::BTreeMap;
use std::fs;
use std::io::BufReader;
use std::path::Path;

use crate::package::archive::{Entries, read_zip};
use crate::package::library::{self, PLATFORMS, Platform};

/// The file's name.
pub const FILE_NAME: &str = "polycontact-libraries.zip";

/// A library with its platform.
pub type PlatformLibrary = (&'static Platform, Vec<u8>);

/// Libraries and licences.
#[derive(Clone, Default)]
pub struct LibraryKit {
    /// Sorted by the platform's name, each once.
    pub libraries: Vec<PlatformLibrary>,
    /// Texts by path: an overview and the files of each crate.
    pub licenses: BTreeMap<String, Vec<u8>>,
}

/// Where libraries and licences are in the file.
const LIBRARIES: &str = "libraries/";
const LICENSES: &str = "licenses/";

impl LibraryKit {
    /// The kit in a folder, that of the program; the error says what to do without one.
    pub fn beside(folder: &Path) -> Result<LibraryKit, String> {
        let path = folder.join(FILE_NAME);
        let missing = |error: std::io::Error| {
            format!(
                "the libraries that an FMU is made with are missing: cannot read `{}`: {error}. Install polycontact \
                 again; who builds it from its sources makes them with `cargo xtask package`",
                path.display()
            )
        };
        let file = fs::File::open(&path).map_err(missing)?;
        let files = read_zip(BufReader::new(file)).map_err(|error| format!("`{}`: {error}", path.display()))?;
        let mut kit = LibraryKit::default();
        for (name, content) in files {
            if let Some(file) = name.strip_prefix(LICENSES) {
                kit.licenses.insert(file.to_owned(), content);
            } else if let Some(platform) = PLATFORMS.iter().find(|platform| name == place(platform)) {
                library::check(&content, platform, &name)?;
                kit.libraries.push((platform, content));
            }
        }
        Ok(kit)
    }

    /// The file; the same kit gives the same bytes.
    pub fn to_zip(&self) -> Result<Vec<u8>, String> {
        let mut entries = Entries::default();
        for (platform, bytes) in &self.libraries {
            entries.push(place(platform), bytes.as_slice());
        }
        for (name, text) in &self.licenses {
            entries.push(format!("{LICENSES}{name}"), text.as_slice());
        }
        entries.to_zip()
    }

    /// Adds a library, or puts it in the place of the one for the same platform.
    pub fn insert(&mut self, (platform, bytes): PlatformLibrary) {
        self.libraries.retain(|(known, _)| known.name != platform.name);
        self.libraries.push((platform, bytes));
        self.libraries.sort_by_key(|(platform, _)| platform.name);
    }
}

fn place(platform: &Platform) -> String {
    format!("{LIBRARIES}{}.{}", platform.name, platform.extension)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::package_tests::stub_kit;

    #[test]
    fn a_kit_comes_back_from_its_file() {
        let folder = std::env::temp_dir().join(format!("polycontact-kit-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let missing = LibraryKit::beside(&folder).err().unwrap();
        assert!(missing.contains(FILE_NAME) && missing.contains("Install polycontact"), "{missing}");
        let kit = stub_kit();
        fs::write(folder.join(FILE_NAME), kit.to_zip().unwrap()).unwrap();
        let found = LibraryKit::beside(&folder).unwrap();
        assert_eq!(found.licenses, kit.licenses);
        assert_eq!(found.libraries.len(), 1);
        assert!(found.libraries[0].0.name == "linux64" && found.libraries[0].1 == kit.libraries[0].1);
        fs::write(folder.join(FILE_NAME), "text").unwrap();
        assert!(LibraryKit::beside(&folder).err().unwrap().contains("cannot be read"));
        fs::remove_dir_all(&folder).unwrap();
    }
}
