//! `BODY.toml`: where a body comes from and how it is reduced. Paths are relative to the file.

use std::path::{Path, PathBuf};

use polycontact::configuration::reader::{Document, Section};
use polycontact::configuration::{ConfigurationError, NumberRange};
use thiserror::Error;

use crate::assembly::assemble;
use crate::contact_selection::ContactSelection;
use crate::craig_bampton::{Damping, Directions, MODE_LIMIT, Modes, ReductionSettings, Split};
use crate::error::ReductionError;
use crate::finite_element_model::FiniteElementModel;
use crate::material::{Material, MaterialError};
use crate::matrices::{self, MatrixFileError};
use crate::volume_mesh::VolumeMeshError;
use crate::volume_mesh::msh::{MshFileError, read_msh};

/// Largest body file that is read, in bytes; a written one has less than a thousand.
const SIZE_LIMIT: u64 = 1 << 20;

/// Largest mesh file that is read, in bytes: some million nodes as text.
const MESH_SIZE_LIMIT: u64 = 4 << 30;

/// Where the model comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// A Gmsh file and a material.
    Mesh {
        /// The file.
        file: PathBuf,
        /// From its unit to metres.
        scale: f64,
        /// Of the whole body.
        material: Material,
    },
    /// Matrices of another program.
    Matrices {
        /// Matrix Market file, kg.
        mass: PathBuf,
        /// Matrix Market file, N/m.
        stiffness: PathBuf,
        /// Positions.
        nodes: PathBuf,
        /// Triangles.
        surface: PathBuf,
        /// From the unit of the positions to metres.
        scale: f64,
    },
}

/// A body file.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyFile {
    /// Where the model comes from.
    pub source: Source,
    /// How it is reduced.
    pub settings: ReductionSettings,
}

/// Why a body file did not lead to a reduced body.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum BodyError {
    /// The body file itself.
    #[error(transparent)]
    Configuration(#[from] ConfigurationError),
    /// Its material.
    #[error("{file}, [material]: {source}")]
    Material {
        /// The body file.
        file: String,
        /// What is wrong.
        source: MaterialError,
    },
    /// A file that cannot be read.
    #[error("cannot read `{file}`: {reason}; paths are relative to the body file")]
    Unreadable {
        /// The file.
        file: String,
        /// What the system says.
        reason: String,
    },
    /// The mesh.
    #[error(transparent)]
    Msh(#[from] MshFileError),
    /// Its elements.
    #[error("{file}: {source}")]
    Elements {
        /// The mesh file.
        file: String,
        /// What is wrong.
        source: VolumeMeshError,
    },
    /// The matrices.
    #[error(transparent)]
    Matrices(#[from] MatrixFileError),
    /// The reduction.
    #[error(transparent)]
    Reduction(#[from] ReductionError),
}

impl BodyFile {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<BodyFile, BodyError> {
        let file = path.display().to_string();
        let bytes = read_bounded(path, SIZE_LIMIT)?;
        let text = String::from_utf8(bytes)
            .map_err(|_| BodyError::Unreadable { file: file.clone(), reason: "it is not UTF-8 text".to_owned() })?;
        BodyFile::parse(&text, &file, path.parent().unwrap_or(Path::new("")))
    }

    /// Reads a text; `file` names it in messages, paths are relative to `folder`.
    pub fn parse(text: &str, file: &str, folder: &Path) -> Result<BodyFile, BodyError> {
        let document = Document::parse(text, file)?;
        let root = document.root(&["mesh", "matrices", "material", "contact", "reduction"])?;
        let mesh = root.section("mesh", &["file", "scale"])?;
        let matrices = root.section("matrices", &["mass", "stiffness", "nodes", "surface", "scale"])?;
        let material = root.section("material", &["youngs-modulus", "poissons-ratio", "density"])?;
        let path = |section: &Section<'_>, key: &str, expected: &str| -> Result<PathBuf, ConfigurationError> {
            section.text(key)?.map(|text| folder.join(text)).ok_or_else(|| section.missing(key, expected))
        };
        let source = if matrices.is_given() {
            root.require("mesh", "given", !mesh.is_given(), "left out where there is a section [matrices]")?;
            root.require("material", "given", !material.is_given(), "left out where there is a section [matrices]")?;
            Source::Matrices {
                mass: path(&matrices, "mass", "the path of a Matrix Market file in kg")?,
                stiffness: path(&matrices, "stiffness", "the path of a Matrix Market file in N/m")?,
                nodes: path(&matrices, "nodes", "the path of a text file with the positions of the nodes")?,
                surface: path(&matrices, "surface", "the path of a file with triangles on the nodes")?,
                scale: number(&matrices, "scale", NumberRange::Positive)?.unwrap_or(1.0),
            }
        } else {
            let value = |key: &str, expected: &str| -> Result<f64, ConfigurationError> {
                material.number(key)?.ok_or_else(|| material.missing(key, expected))
            };
            let file_path = path(&mesh, "file", "the path of a Gmsh MSH 4.1 file")?;
            let material = Material::new(
                value("youngs-modulus", "a number in Pa, such as 210e9")?,
                value("poissons-ratio", "a number, such as 0.3")?,
                value("density", "a number in kg/m3, such as 7850")?,
            )
            .map_err(|source| BodyError::Material { file: file.to_owned(), source })?;
            let scale = number(&mesh, "scale", NumberRange::Positive)?.unwrap_or(1.0);
            Source::Mesh { file: file_path, scale, material }
        };
        Ok(BodyFile { source, settings: read_settings(&root)? })
    }

    /// Reads or assembles the model; the second value is the number of elements where there are any.
    pub fn model(&self) -> Result<(FiniteElementModel, Option<usize>), BodyError> {
        match &self.source {
            Source::Mesh { file, scale, material } => {
                let bytes = read_bounded(file, MESH_SIZE_LIMIT)?;
                let name = file.display().to_string();
                let mesh = read_msh(&name, &bytes, *scale)?;
                drop(bytes);
                let model = assemble(&mesh, material).map_err(|source| BodyError::Elements { file: name, source })?;
                Ok((model, Some(mesh.elements.len())))
            }
            Source::Matrices { mass, stiffness, nodes, surface, scale } => {
                Ok((matrices::read_model(mass, stiffness, nodes, surface, *scale)?, None))
            }
        }
    }
}

fn read_settings(root: &Section<'_>) -> Result<ReductionSettings, ConfigurationError> {
    let section = root.section("contact", &["group", "box", "sphere", "normal", "directions"])?;
    let contact = read_contact(&section)?;
    let choices = [("normal", Directions::Normal), ("all", Directions::All)];
    let directions = section.choice("directions", &choices)?.unwrap_or_default();
    let section = root.section(
        "reduction",
        &["modes-below", "modes", "low-frequency-below", "split-rule", "damping-ratio", "damping-frequencies"],
    )?;
    let exclusive = |key: &str, other: &str| {
        section.require(key, "given", !section.has(other), &format!("left out where `{other}` is given"))
    };
    let modes = match (number(&section, "modes-below", NumberRange::NotNegative)?, section.number("modes")?) {
        (Some(frequency), _) => {
            exclusive("modes-below", "modes")?;
            Modes::Below(frequency)
        }
        (None, Some(count)) => {
            let is_allowed = count.fract() == 0.0 && (0.0..=MODE_LIMIT as f64).contains(&count);
            section.require("modes", count, is_allowed, &format!("a whole number from 0 to {MODE_LIMIT}"))?;
            Modes::Count(count as usize)
        }
        (None, None) => return Err(section.missing("modes-below", "a frequency in Hz, or `modes` a number of modes")),
    };
    let low = number(&section, "low-frequency-below", NumberRange::NotNegative)?;
    let split = match (low, number(&section, "split-rule", NumberRange::Positive)?) {
        (Some(frequency), _) => {
            exclusive("low-frequency-below", "split-rule")?;
            Split::Frequency(frequency)
        }
        (None, Some(ratio)) => Split::Coupling(ratio),
        (None, None) => Split::WithModes,
    };
    let ratio = number(&section, "damping-ratio", NumberRange::NotNegative)?.unwrap_or(0.0);
    let damping = match section.numbers::<2>("damping-frequencies")? {
        None => Damping::Ratio(ratio),
        Some(frequencies) => {
            let is_allowed = frequencies.iter().all(|frequency| NumberRange::Positive.contains(*frequency));
            section.require("damping-frequencies", frequencies, is_allowed, "two frequencies in Hz above 0")?;
            Damping::Rayleigh { frequencies, ratio }
        }
    };
    Ok(ReductionSettings { contact, directions, modes, split, damping })
}

fn read_contact(section: &Section<'_>) -> Result<ContactSelection, ConfigurationError> {
    let finite = |section: &Section<'_>, key: &str, values: [f64; 3]| {
        section.require(key, values, values.iter().all(|value| value.is_finite()), "three finite numbers")
    };
    let vector = |section: &Section<'_>, key: &str, expected: &str| -> Result<[f64; 3], ConfigurationError> {
        let values = section.numbers::<3>(key)?.ok_or_else(|| section.missing(key, expected))?;
        finite(section, key, values).map(|()| values)
    };
    let mut contact = ContactSelection { group: section.text("group")?.map(str::to_owned), ..Default::default() };
    let within = section.section("box", &["from", "to"])?;
    if within.is_given() {
        let corner = "a corner [x, y, z] in m";
        contact.within_box = Some([vector(&within, "from", corner)?, vector(&within, "to", corner)?]);
    }
    let sphere = section.section("sphere", &["centre", "radius"])?;
    if sphere.is_given() {
        let radius = number(&sphere, "radius", NumberRange::Positive)?;
        let radius = radius.ok_or_else(|| sphere.missing("radius", "a length in m"))?;
        contact.within_sphere = Some((vector(&sphere, "centre", "a point [x, y, z] in m")?, radius));
    }
    let normal = section.section("normal", &["direction", "angle"])?;
    if normal.is_given() {
        let direction = vector(&normal, "direction", "a direction [x, y, z]")?;
        normal.require("direction", direction, direction != [0.0; 3], "a direction, not [0, 0, 0]")?;
        let angle = normal.number("angle")?.ok_or_else(|| normal.missing("angle", "an angle in degrees"))?;
        normal.require("angle", angle, 0.0 < angle && angle <= 180.0, "above 0 and up to 180 degrees")?;
        contact.facing = Some((direction, angle.to_radians()));
    }
    if contact == ContactSelection::default() {
        let expected = "the name of a group, or choose by `box`, `sphere` or `normal`";
        return Err(section.missing("group", expected));
    }
    Ok(contact)
}

fn number(section: &Section<'_>, key: &str, range: NumberRange) -> Result<Option<f64>, ConfigurationError> {
    let value = section.number(key)?;
    if let Some(value) = value {
        section.require(key, value, range.contains(value), range.in_words())?;
    }
    Ok(value)
}

fn read_bounded(path: &Path, limit: u64) -> Result<Vec<u8>, BodyError> {
    let unreadable = |reason: String| BodyError::Unreadable { file: path.display().to_string(), reason };
    let size = std::fs::metadata(path).map_err(|error| unreadable(error.to_string()))?.len();
    if limit < size {
        return Err(unreadable(format!("it has {size} bytes, more than {limit}")));
    }
    std::fs::read(path).map_err(|error| unreadable(error.to_string()))
}
