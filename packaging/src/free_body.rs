//! A free rigid body as an FMU bundles it: configuration and guid.

use std::path::Path;

use polycontact::configuration::{FREE_BODY_FILE_NAME, FreeBodyConfiguration};
use polycontact::fmu::free_body_guid;

/// Everything that makes one FMU of a body differ from another.
pub struct FreeBody {
    /// Mass, inertia, gravity and start.
    pub configuration: FreeBodyConfiguration,
    /// `free-body.toml` of the resources.
    pub toml: String,
    /// Ties description and resources together.
    pub guid: String,
}

impl FreeBody {
    /// Reads a configuration; the error is a message for people.
    pub fn read(path: &Path) -> Result<FreeBody, String> {
        let configuration = FreeBodyConfiguration::read(path).map_err(|error| error.to_string())?;
        let toml = configuration.to_toml();
        let guid = free_body_guid(&configuration, toml.as_bytes());
        Ok(FreeBody { configuration, toml, guid })
    }

    /// Names and contents of the files in the resources.
    pub fn resources(&self) -> Vec<(&str, &[u8])> {
        vec![(FREE_BODY_FILE_NAME, self.toml.as_bytes())]
    }
}

#[cfg(test)]
mod tests {
    use polycontact::fmu::free_body_guid_of_folder;

    use super::*;
    use crate::test_support::root;

    #[test]
    fn the_guid_is_the_one_that_the_library_computes_from_the_bundled_file() {
        let body = FreeBody::read(&root().join("examples/landing-sphere/free-body.toml")).unwrap();
        let folder = std::env::temp_dir().join(format!("polycontact-body-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for (name, content) in body.resources() {
            std::fs::write(folder.join(name), content).unwrap();
        }
        let (configuration, guid) = free_body_guid_of_folder(&folder).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!((configuration, guid), (body.configuration, body.guid));
    }
}
