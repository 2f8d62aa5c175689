//! `contact.toml` becomes typed values; the packager and the FMU read it with the same code.
#![forbid(unsafe_code)]

mod error;
mod numbers;
pub mod reader;

use std::path::{Path, PathBuf};

use crate::contact::{ContactParameters, ElementScheme, Method, RawParameters};
pub use error::{ConfigurationError, Place};
pub use numbers::{NUMBER_PARAMETERS, NumberParameter, NumberRange};
use reader::{Document, Section};

/// Name of the file in the FMU's resources.
pub const FILE_NAME: &str = "contact.toml";

/// Largest configuration file that is read, in bytes; a written one has less than a thousand.
const SIZE_LIMIT: u64 = 1 << 20;

/// Longest model name: file systems allow 255 bytes, and importers append to it.
const NAME_LIMIT: usize = 100;

/// How the FMU receives the orientation of M_f relative to M_e.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OrientationInput {
    /// Nine entries of A_EF, row by row.
    #[default]
    Matrix,
    /// A quaternion (w, x, y, z).
    Quaternion,
    /// Cardan angles (α, β, γ) with A_EF = A_x(α) A_y(β) A_z(γ).
    Cardan,
}

/// What the outputs of the FMU are after a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StepOutput {
    /// Those at the inputs last set.
    #[default]
    Hold,
    /// Those at the pose advanced by a number of steps.
    Extrapolate,
    /// The mean wrench over the step.
    Mean,
}

/// One of the two surfaces.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceConfiguration {
    /// Mesh file, absolute or relative to the configuration file; empty where none is known.
    pub mesh: String,
    /// Factor from the file's unit to metres.
    pub scale: f64,
    /// Whether the faces are turned round.
    pub reversed: bool,
}

impl Default for SurfaceConfiguration {
    fn default() -> Self {
        SurfaceConfiguration { mesh: String::new(), scale: 1.0, reversed: false }
    }
}

/// A contact pair: the start values of one FMU.
#[derive(Clone, Debug, PartialEq)]
pub struct Configuration {
    /// Model name and file name of the FMU; an identifier.
    pub name: String,
    /// Shown by importers.
    pub description: String,
    /// How the FMU receives orientations.
    pub orientation: OrientationInput,
    /// Surface E.
    pub surface_e: SurfaceConfiguration,
    /// Surface F.
    pub surface_f: SurfaceConfiguration,
    /// Layers, method, damping and friction; together they pass [`ContactParameters::new`].
    pub parameters: RawParameters,
    /// What the outputs are after a step.
    pub step_output: StepOutput,
    /// Steps by which [`StepOutput::Extrapolate`] advances the pose.
    pub extrapolation_steps: f64,
}

impl Default for Configuration {
    fn default() -> Self {
        Configuration {
            name: "PolygonalContact".to_owned(),
            description: "Polygonal contact between two triangle meshes".to_owned(),
            orientation: OrientationInput::Matrix,
            surface_e: SurfaceConfiguration::default(),
            surface_f: SurfaceConfiguration::default(),
            parameters: RawParameters::default(),
            step_output: StepOutput::Hold,
            extrapolation_steps: 1.0,
        }
    }
}

impl Configuration {
    /// Reads a file and checks it, including that both mesh files are there.
    pub fn read(path: &Path) -> Result<Configuration, ConfigurationError> {
        let file = path.display().to_string();
        let unreadable = |reason: String| ConfigurationError::Unreadable { file: file.clone(), reason };
        let size = std::fs::metadata(path).map_err(|error| unreadable(error.to_string()))?.len();
        if SIZE_LIMIT < size {
            return Err(unreadable(format!("it has {size} bytes, more than the {SIZE_LIMIT} of any contact pair")));
        }
        let text = std::fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        parse(&text, &file, Some(folder))
    }

    /// Reads a text; `file` names it in messages. Mesh files are not looked for.
    pub fn parse(text: &str, file: &str) -> Result<Configuration, ConfigurationError> {
        parse(text, file, None)
    }

    /// Path of the mesh of E, seen from the folder of the configuration file.
    pub fn mesh_path_e(&self, folder: &Path) -> PathBuf {
        folder.join(&self.surface_e.mesh)
    }

    /// Path of the mesh of F, seen from the folder of the configuration file.
    pub fn mesh_path_f(&self, folder: &Path) -> PathBuf {
        folder.join(&self.surface_f.mesh)
    }

    /// The same pair with its meshes beside the configuration file, as an archive holds them: each
    /// keeps its file name. Two different files of one name are told apart by `e-` and `f-`.
    pub fn bundled(&self) -> Configuration {
        let mut bundled = self.clone();
        let name = |path: &str| Path::new(path).file_name().map(|name| name.to_string_lossy().into_owned());
        let [name_e, name_f] =
            [&self.surface_e, &self.surface_f].map(|surface| name(&surface.mesh).unwrap_or_default());
        // File systems of some hosts do not tell capital letters from small ones.
        let are_confusable = name_e.eq_ignore_ascii_case(&name_f) && self.surface_e.mesh != self.surface_f.mesh;
        let prefixed = |prefix: &str, name: String| if are_confusable { format!("{prefix}{name}") } else { name };
        bundled.surface_e.mesh = prefixed("e-", name_e);
        bundled.surface_f.mesh = prefixed("f-", name_f);
        bundled
    }

    /// The configuration as TOML with every key, so that [`Configuration::parse`] returns an equal one.
    pub fn to_toml(&self) -> String {
        let mut text = format!(
            "name = {}\ndescription = {}\norientation = {}\n",
            quoted(&self.name),
            quoted(&self.description),
            quoted(name_of(&ORIENTATIONS, self.orientation))
        );
        for (section, surface) in [("surface-e", &self.surface_e), ("surface-f", &self.surface_f)] {
            let SurfaceConfiguration { mesh, scale, reversed } = surface;
            text += &format!("\n[{section}]\nmesh = {}\nscale = {scale:?}\nreversed = {reversed}\n", quoted(mesh));
            text += &self.numbers_of(section);
        }
        text += &format!(
            "\n[contact]\nmethod = {}\nelements = {}\nstep-output = {}\nextrapolation-steps = {:?}\n",
            quoted(name_of(&METHODS, self.parameters.method)),
            quoted(name_of(&ELEMENTS, self.parameters.elements)),
            quoted(name_of(&STEP_OUTPUTS, self.step_output)),
            self.extrapolation_steps
        );
        text += &self.numbers_of("contact");
        text
    }

    fn numbers_of(&self, section: &str) -> String {
        let of_section = NUMBER_PARAMETERS.iter().filter(|number| number.section() == section);
        of_section
            .map(|number| format!("{} = {:?}\n", number.key_in_section(), number.value(&self.parameters)))
            .collect()
    }
}

const ORIENTATIONS: [(&str, OrientationInput); 3] = [
    ("matrix", OrientationInput::Matrix),
    ("quaternion", OrientationInput::Quaternion),
    ("cardan", OrientationInput::Cardan),
];

const METHODS: [(&str, Method); 5] = [
    ("auto", Method::Auto),
    ("collision-only", Method::CollisionOnly),
    ("two-pass", Method::TwoPass),
    ("master-e", Method::MasterE),
    ("master-f", Method::MasterF),
];

const ELEMENTS: [(&str, ElementScheme); 2] =
    [("clipped", ElementScheme::Clipped), ("centroid", ElementScheme::Centroid)];

const STEP_OUTPUTS: [(&str, StepOutput); 3] =
    [("hold", StepOutput::Hold), ("extrapolate", StepOutput::Extrapolate), ("mean", StepOutput::Mean)];

fn parse(text: &str, file: &str, mesh_folder: Option<&Path>) -> Result<Configuration, ConfigurationError> {
    let document = Document::parse(text, file)?;
    let root = document.root(&["name", "description", "orientation", "surface-e", "surface-f", "contact"])?;
    let mut configuration = Configuration::default();
    if let Some(name) = root.text("name")? {
        root.require(
            "name",
            name,
            is_identifier(name),
            "an identifier of at most 100 letters (a-z, A-Z), digits and underscores that does not start with a digit",
        )?;
        configuration.name = name.to_owned();
    }
    if let Some(description) = root.text("description")? {
        let printable = !description.chars().any(char::is_control);
        root.require("description", description, printable, "one line without control characters")?;
        configuration.description = description.to_owned();
    }
    if let Some(orientation) = root.choice("orientation", &ORIENTATIONS)? {
        configuration.orientation = orientation;
    }
    let parameters = &mut configuration.parameters;
    for (name, surface) in [("surface-e", &mut configuration.surface_e), ("surface-f", &mut configuration.surface_f)] {
        let section = root.section(name, &known_keys(name, &["mesh", "scale", "reversed"]))?;
        read_surface(&section, mesh_folder, surface)?;
        read_numbers(&section, name, parameters)?;
    }
    let section =
        root.section("contact", &known_keys("contact", &["method", "elements", "step-output", "extrapolation-steps"]))?;
    parameters.method = section.choice("method", &METHODS)?.unwrap_or_default();
    parameters.elements = section.choice("elements", &ELEMENTS)?.unwrap_or_default();
    read_numbers(&section, "contact", parameters)?;
    configuration.step_output = section.choice("step-output", &STEP_OUTPUTS)?.unwrap_or_default();
    if let Some(steps) = section.number("extrapolation-steps")? {
        let range = NumberRange::NotNegative;
        section.require("extrapolation-steps", steps, range.contains(steps), range.in_words())?;
        configuration.extrapolation_steps = steps;
    }
    ContactParameters::new(parameters)
        .map_err(|source| ConfigurationError::Parameters { file: file.to_owned(), source })?;
    Ok(configuration)
}

fn read_surface(
    section: &Section<'_>,
    mesh_folder: Option<&Path>,
    surface: &mut SurfaceConfiguration,
) -> Result<(), ConfigurationError> {
    let expected = "the path of an .obj or .stl file";
    let mesh = section.text("mesh")?.ok_or_else(|| section.missing("mesh", expected))?;
    section.require("mesh", mesh, is_mesh_file(mesh), expected)?;
    surface.mesh = mesh.to_owned();
    if let Some(folder) = mesh_folder {
        let path = folder.join(mesh);
        // Opening tells more than a look: a folder, a dangling link and a lack of rights all fail here.
        let opened = std::fs::File::open(&path).and_then(|file| file.metadata());
        let reason = match opened {
            Ok(metadata) if metadata.is_file() => None,
            Ok(_) => Some("it is not a file".to_owned()),
            Err(error) => Some(error.to_string()),
        };
        if let Some(reason) = reason {
            return Err(ConfigurationError::NoSuchMesh {
                place: section.place_of("mesh"),
                key: section.full_key("mesh"),
                path: path.display().to_string(),
                reason,
            });
        }
    }
    if let Some(scale) = section.number("scale")? {
        let range = NumberRange::Positive;
        section.require("scale", scale, range.contains(scale), range.in_words())?;
        surface.scale = scale;
    }
    surface.reversed = section.flag("reversed")?.unwrap_or(false);
    Ok(())
}

fn read_numbers(section: &Section<'_>, name: &str, parameters: &mut RawParameters) -> Result<(), ConfigurationError> {
    for number in NUMBER_PARAMETERS.iter().filter(|number| number.section() == name) {
        if let Some(value) = section.number(number.key_in_section())? {
            section.require(number.key_in_section(), value, number.range.contains(value), number.range.in_words())?;
            *(number.field)(parameters) = value;
        }
    }
    Ok(())
}

fn known_keys(section: &str, others: &[&'static str]) -> Vec<&'static str> {
    let numbers = NUMBER_PARAMETERS.iter().filter(|number| number.section() == section);
    others.iter().copied().chain(numbers.map(NumberParameter::key_in_section)).collect()
}

fn is_identifier(name: &str) -> bool {
    let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    starts_well && name.len() <= NAME_LIMIT && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn is_mesh_file(path: &str) -> bool {
    let extension = Path::new(path).extension().and_then(|extension| extension.to_str());
    !path.contains('\0') && extension.is_some_and(|e| e.eq_ignore_ascii_case("obj") || e.eq_ignore_ascii_case("stl"))
}

fn name_of<T: PartialEq>(names: &[(&'static str, T)], value: T) -> &'static str {
    names.iter().find(|(_, candidate)| *candidate == value).expect("every value has a name").0
}

/// A TOML basic string.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted += &format!("\\u{:04X}", u32::from(c)),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}
