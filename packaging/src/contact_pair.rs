//! A contact pair as an FMU bundles it: configuration, files, guid.

use std::path::Path;

use polycontact::configuration::{Configuration, FILE_NAME, SurfaceConfiguration};
use polycontact::flexible::FlexibleBody;
use polycontact::fmu::guid;
use polycontact::math::Aabb;
use polycontact::math::Vector;
use polycontact::mesh::{self, MeshReport, TriangleMesh};

use crate::numbers::significant;
use crate::plausibility::doubts;

/// The file of a surface, read as the FMU will read it.
pub struct SurfaceFile {
    /// Its name in the resources.
    pub name: String,
    /// The file as it is.
    pub bytes: Vec<u8>,
    /// What a picture shows, in metres.
    pub shape: TriangleMesh,
    /// What is inside.
    pub content: SurfaceContent,
}

/// What a surface is made of.
pub enum SurfaceContent {
    /// A mesh, with what the reader found.
    Mesh(Box<MeshReport>),
    /// A reduced body.
    Flexible(Box<FlexibleBody>),
}

impl SurfaceFile {
    /// A line for people.
    pub fn summary(&self) -> String {
        match &self.content {
            // The size shows a unit that was forgotten.
            SurfaceContent::Mesh(report) => {
                format!("{}, {} triangles, {}", self.name, report.faces, extent(report.bounding_box.size()))
            }
            SurfaceContent::Flexible(body) => format!(
                "{}, flexible: {} contact nodes, {} modes, of which {} of low frequency",
                self.name,
                body.model().contact_nodes.len(),
                body.mode_count(),
                body.model().low_frequency_modes
            ),
        }
    }

    /// What the reader warns of.
    pub fn warnings(&self) -> Vec<String> {
        match &self.content {
            SurfaceContent::Mesh(report) => report.warnings.iter().map(ToString::to_string).collect(),
            SurfaceContent::Flexible(_) => Vec::new(),
        }
    }
}

/// Sides of a box around a body, for people.
pub fn extent(size: Vector) -> String {
    let [x, y, z] = [size.x, size.y, size.z].map(|side| significant(side, 3));
    format!("{x} × {y} × {z} m")
}

/// Everything that makes one FMU differ from another.
pub struct ContactPair {
    /// With its files beside it.
    pub configuration: Configuration,
    /// `contact.toml` of the resources.
    pub toml: String,
    /// File of E.
    pub surface_e: SurfaceFile,
    /// File of F.
    pub surface_f: SurfaceFile,
    /// Ties description and resources together.
    pub guid: String,
}

impl ContactPair {
    /// Shows what the readers of the files warn of, and what is hardly meant.
    pub fn print_warnings(&self) {
        for file in [&self.surface_e, &self.surface_f] {
            file.warnings().iter().for_each(|warning| eprintln!("warning: `{}`: {warning}", file.name));
        }
        let sizes = [&self.surface_e, &self.surface_f].map(|file| Aabb::of(file.shape.vertices.iter()).size());
        doubts(&self.configuration, sizes).iter().for_each(|doubt| eprintln!("warning: {doubt}"));
    }

    /// Reads a configuration and its files; the error is a message for people.
    pub fn read(path: &Path) -> Result<ContactPair, String> {
        let original = Configuration::read(path).map_err(|error| error.to_string())?;
        ContactPair::read_files(&original, path.parent().unwrap_or(Path::new("")))
    }

    /// Reads the files of a configuration, which are relative to a folder; the error is a message for people.
    pub fn read_files(original: &Configuration, folder: &Path) -> Result<ContactPair, String> {
        let configuration = original.bundled();
        let surface_e = read_surface(&original.file_path_e(folder), &configuration.surface_e)?;
        let surface_f = read_surface(&original.file_path_f(folder), &configuration.surface_f)?;
        Ok(ContactPair::of(configuration, surface_e, surface_f))
    }

    /// The same files with other parameters.
    pub fn with_parameters(self, configuration: &Configuration) -> ContactPair {
        let ContactPair { configuration: own, surface_e, surface_f, .. } = self;
        let configuration =
            Configuration { surface_e: own.surface_e, surface_f: own.surface_f, ..configuration.clone() };
        ContactPair::of(configuration, surface_e, surface_f)
    }

    fn of(configuration: Configuration, surface_e: SurfaceFile, surface_f: SurfaceFile) -> ContactPair {
        let toml = configuration.to_toml();
        let guid = guid(
            &configuration,
            [(FILE_NAME, toml.as_bytes()), (&surface_e.name, &surface_e.bytes), (&surface_f.name, &surface_f.bytes)],
        );
        ContactPair { configuration, toml, surface_e, surface_f, guid }
    }

    /// Names and contents of the files in the resources; one file where E and F share it.
    pub fn resources(&self) -> Vec<(&str, &[u8])> {
        let mut files = vec![(FILE_NAME, self.toml.as_bytes()), (&self.surface_e.name, &self.surface_e.bytes)];
        if self.surface_f.name != self.surface_e.name {
            files.push((&self.surface_f.name, &self.surface_f.bytes));
        }
        files
    }
}

fn read_surface(path: &Path, surface: &SurfaceConfiguration) -> Result<SurfaceFile, String> {
    let bytes = || std::fs::read(path).map_err(|error| format!("cannot read `{}`: {error}", path.display()));
    let name = surface.file.clone();
    if surface.is_flexible {
        let bytes = bytes()?;
        let body = FlexibleBody::from_bytes(&bytes).map_err(|error| format!("`{}`: {error}", path.display()))?;
        return Ok(SurfaceFile {
            name,
            bytes,
            shape: body.outline(),
            content: SurfaceContent::Flexible(Box::new(body)),
        });
    }
    let (shape, report) = mesh::read(path, surface.read_options()).map_err(|error| error.to_string())?;
    Ok(SurfaceFile { name, bytes: bytes()?, shape, content: SurfaceContent::Mesh(Box::new(report)) })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use polycontact::fmu::guid_of_folder;

    use super::*;
    use crate::test_support::root;

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

    /// `view` and `estimate` take their surfaces from here.
    #[test]
    fn a_smooth_surface_is_refined_and_its_file_is_bundled_as_it_is() {
        let folder = root().join("resources");
        let text = format!(
            "[surface-e]\nmesh = \"{0}/sphere.obj\"\nyoungs-modulus = 1e7\nsmooth-angle = 30\nsag = 1e-5\n\
             [surface-f]\nmesh = \"{0}/plate.obj\"\nyoungs-modulus = 0\n",
            folder.display()
        );
        let path = std::env::temp_dir().join(format!("polycontact-smooth-{}.toml", std::process::id()));
        fs::write(&path, text.replace('\\', "/")).unwrap();
        let pair = ContactPair::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        assert_eq!((pair.surface_e.shape.faces.len(), pair.surface_f.shape.faces.len()), (81920, 12));
        assert_eq!(pair.surface_e.bytes, fs::read(folder.join("sphere.obj")).unwrap());
        assert!(pair.toml.contains("smooth-angle = 30") && pair.toml.contains("sag = "), "{}", pair.toml);
    }

    #[test]
    fn one_surface_for_both_surfaces_is_bundled_once() {
        let folder = root().join("resources");
        let text = "[surface-e]\nmesh = \"sphere.obj\"\nyoungs-modulus = 1e7\n\
                    [surface-f]\nmesh = \"sphere.obj\"\nyoungs-modulus = 0\n";
        let path = std::env::temp_dir().join(format!("polycontact-one-mesh-{}.toml", std::process::id()));
        fs::write(&path, text.replace("sphere.obj", &folder.join("sphere.obj").display().to_string())).unwrap();
        let pair = ContactPair::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        let names: Vec<&str> = pair.resources().iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["contact.toml", "sphere.obj"]);
    }
}
