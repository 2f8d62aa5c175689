//! A contact pair as an FMU bundles it: configuration, meshes, guid.

use std::path::Path;

use polycontact::configuration::{Configuration, FILE_NAME, SurfaceConfiguration};
use polycontact::fmi2::guid;
use polycontact::mesh::{self, MeshReport, ReadOptions, TriangleMesh};

/// A mesh file, read as the FMU will read it.
pub struct MeshFile {
    /// Its name in the resources.
    pub name: String,
    /// The file as it is.
    pub bytes: Vec<u8>,
    /// In metres.
    pub mesh: TriangleMesh,
    /// What the reader found.
    pub report: MeshReport,
}

/// Everything that makes one FMU differ from another.
pub struct ContactPair {
    /// With meshes beside the configuration file.
    pub configuration: Configuration,
    /// `contact.toml` of the resources.
    pub toml: String,
    /// Mesh of E.
    pub mesh_e: MeshFile,
    /// Mesh of F.
    pub mesh_f: MeshFile,
    /// Ties description and resources together.
    pub guid: String,
}

impl ContactPair {
    /// Reads a configuration and its meshes; the error is a message for people.
    pub fn read(path: &Path) -> Result<ContactPair, String> {
        let original = Configuration::read(path).map_err(|error| error.to_string())?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let configuration = original.bundled();
        let mesh_e = read_mesh(&original.file_path_e(folder), &configuration.surface_e)?;
        let mesh_f = read_mesh(&original.file_path_f(folder), &configuration.surface_f)?;
        let toml = configuration.to_toml();
        let guid = guid(
            &configuration,
            [(FILE_NAME, toml.as_bytes()), (&mesh_e.name, &mesh_e.bytes), (&mesh_f.name, &mesh_f.bytes)],
        );
        Ok(ContactPair { configuration, toml, mesh_e, mesh_f, guid })
    }

    /// Names and contents of the files in the resources; one file where E and F share it.
    pub fn resources(&self) -> Vec<(&str, &[u8])> {
        let mut files = vec![(FILE_NAME, self.toml.as_bytes()), (&self.mesh_e.name, &self.mesh_e.bytes)];
        if self.mesh_f.name != self.mesh_e.name {
            files.push((&self.mesh_f.name, &self.mesh_f.bytes));
        }
        files
    }
}

fn read_mesh(path: &Path, surface: &SurfaceConfiguration) -> Result<MeshFile, String> {
    let options = ReadOptions { scale: surface.scale, reversed: surface.reversed };
    let (mesh, report) = mesh::read(path, options).map_err(|error| error.to_string())?;
    let bytes = std::fs::read(path).map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
    Ok(MeshFile { name: surface.file.clone(), bytes, mesh, report })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use polycontact::fmi2::guid_of_folder;

    use super::*;
    use crate::project::root;

    #[test]
    fn the_guid_is_the_one_that_the_library_computes_from_the_bundled_files() {
        let pair = ContactPair::read(&root().join("resources/contact.toml")).unwrap();
        let folder = std::env::temp_dir().join(format!("polycontact-pair-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        for (name, content) in pair.resources() {
            fs::write(folder.join(name), content).unwrap();
        }
        let (configuration, guid) = guid_of_folder(&folder).unwrap();
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!((configuration, guid), (pair.configuration, pair.guid));
    }

    #[test]
    fn one_mesh_for_both_surfaces_is_bundled_once() {
        let folder = root().join("resources");
        let text = "[surface-e]\nmesh = \"sphere.obj\"\n[surface-f]\nmesh = \"sphere.obj\"\n";
        let path = std::env::temp_dir().join(format!("polycontact-one-mesh-{}.toml", std::process::id()));
        fs::write(&path, text.replace("sphere.obj", &folder.join("sphere.obj").display().to_string())).unwrap();
        let pair = ContactPair::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        let names: Vec<&str> = pair.resources().iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["contact.toml", "sphere.obj"]);
    }
}
