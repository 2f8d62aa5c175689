//! `contact.toml` and `free-body.toml` become typed values; the packager and the FMU read them with the same code.
#![forbid(unsafe_code)]

mod bodies;
mod error;
mod free_body;
mod keys;
mod numbers;
mod pose;
pub mod reader;

use std::path::{Path, PathBuf};

use crate::contact::{ContactParameters, ElementScheme, FrictionModel, Method, RawParameters};
use crate::exchange::BodyParameters;
use crate::flexible::{FlexibleParameters, RawFlexibleParameters, Solver, Submodel};
use crate::mesh::{ReadOptions, Repair};
pub use error::{ConfigurationError, Place};
pub use free_body::{BODY_VECTORS, BodyVector, FREE_BODY_FILE_NAME, FreeBodyConfiguration};
use keys::MESH_KEYS;
pub use keys::{KeyDescription, SECTIONS, key_descriptions};
pub use numbers::{FLEXIBLE_NUMBER_PARAMETERS, NUMBER_PARAMETERS, NumberParameter, NumberRange};
pub use pose::StartPose;
use reader::{Document, Section};

/// Name of the file in the FMU's resources.
pub const FILE_NAME: &str = "contact.toml";

/// Most threads of one evaluation.
pub const MOST_THREADS: u32 = 64;

/// What [`Configuration::threads`] may be.
pub const THREADS_IN_WORDS: &str = "a whole number from 1 to 64";

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
    Hold,
    /// Those at the pose advanced by a number of steps.
    Extrapolate,
    /// The mean wrench over the step.
    Mean,
    /// The constant wrench whose work over the host's step is the change of the contact's energy.
    #[default]
    Energy,
}

/// One of the two surfaces.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceConfiguration {
    /// Absolute or relative to the configuration file; empty where none is known.
    pub file: String,
    /// Whether the file is a reduced body (.npz) instead of a mesh.
    pub is_flexible: bool,
    /// Factor from the file's unit to metres.
    pub scale: f64,
    /// Whether the faces are turned round.
    pub reversed: bool,
    /// Distance up to which vertices are one, in m; none takes it from the resolution of the file.
    pub merge_distance: Option<f64>,
    /// How much may be repaired.
    pub repair: Repair,
    /// Names of the objects, groups or solids to read; empty for all.
    pub parts: Vec<String>,
    /// Numbers of the connected parts to keep, from 1; empty for all.
    pub shells: Vec<u32>,
    /// Edges flatter than this, in degrees, are parts of a curved surface; 0 leaves the mesh as it is.
    pub smooth_angle: f64,
    /// How far a refined mesh may be from the curved surface, in m; none is a ten-thousandth of the size.
    pub sag: Option<f64>,
}

impl Default for SurfaceConfiguration {
    fn default() -> Self {
        let ReadOptions { scale, reversed, merge_distance, repair, parts, shells, smooth_angle, sag } =
            ReadOptions::default();
        SurfaceConfiguration {
            file: String::new(),
            is_flexible: false,
            scale,
            reversed,
            merge_distance,
            repair,
            parts,
            shells,
            smooth_angle,
            sag,
        }
    }
}

impl SurfaceConfiguration {
    /// How to read the file.
    pub fn read_options(&self) -> ReadOptions {
        ReadOptions {
            scale: self.scale,
            reversed: self.reversed,
            merge_distance: self.merge_distance,
            repair: self.repair,
            parts: self.parts.clone(),
            shells: self.shells.clone(),
            smooth_angle: self.smooth_angle,
            sag: self.sag,
        }
    }

    /// The keys about reading that differ from their defaults, as TOML.
    fn reading_toml(&self) -> String {
        let mut text = String::new();
        if let Some(distance) = self.merge_distance {
            text += &format!("merge-distance = {distance:?}\n");
        }
        if self.repair != Repair::default() {
            text += &format!("repair = {}\n", quoted(name_of(&REPAIRS, self.repair)));
        }
        if !self.parts.is_empty() {
            let names: Vec<String> = self.parts.iter().map(|name| quoted(name)).collect();
            text += &format!("parts = [{}]\n", names.join(", "));
        }
        if !self.shells.is_empty() {
            text += &format!("shells = {:?}\n", self.shells);
        }
        if self.smooth_angle != 0.0 {
            text += &format!("smooth-angle = {:?}\n", self.smooth_angle);
        }
        if let Some(sag) = self.sag {
            text += &format!("sag = {sag:?}\n");
        }
        text
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
    /// Where F starts; none is the pose in which both markers are one.
    pub pose: Option<StartPose>,
    /// Surface E.
    pub surface_e: SurfaceConfiguration,
    /// Surface F.
    pub surface_f: SurfaceConfiguration,
    /// Layers, method, damping and friction of two rigid bodies; together they pass [`ContactParameters::new`].
    pub parameters: RawParameters,
    /// Where a body is flexible: penalty contact and solver instead, which pass [`FlexibleParameters::new`].
    pub flexible: Option<RawFlexibleParameters>,
    /// What the outputs are after a step.
    pub step_output: StepOutput,
    /// Steps by which [`StepOutput::Extrapolate`] advances the pose.
    pub extrapolation_steps: f64,
    /// Threads that may work on a large contact.
    pub threads: u32,
    /// Mass and inertia of E and F, as far as a user states them.
    pub bodies: [BodyParameters; 2],
}

impl Default for Configuration {
    fn default() -> Self {
        Configuration {
            name: "PolygonalContact".to_owned(),
            description: "Polygonal contact between two triangle meshes".to_owned(),
            orientation: OrientationInput::Matrix,
            pose: None,
            surface_e: SurfaceConfiguration::default(),
            surface_f: SurfaceConfiguration::default(),
            parameters: RawParameters::default(),
            flexible: None,
            step_output: StepOutput::Energy,
            extrapolation_steps: 1.0,
            threads: 1,
            bodies: [BodyParameters::default(); 2],
        }
    }
}

impl Configuration {
    /// Reads a file and checks it, including that the files of both surfaces are there.
    pub fn read(path: &Path) -> Result<Configuration, ConfigurationError> {
        let (file, text) = (path.display().to_string(), read_text(path)?);
        let folder = path.parent().unwrap_or(Path::new(""));
        parse(&text, &file, Some(folder))
    }

    /// Reads a text; `file` names it in messages. The files of the surfaces are not looked for.
    pub fn parse(text: &str, file: &str) -> Result<Configuration, ConfigurationError> {
        parse(text, file, None)
    }

    /// Path of the file of E, seen from the folder of the configuration file.
    pub fn file_path_e(&self, folder: &Path) -> PathBuf {
        folder.join(&self.surface_e.file)
    }

    /// Path of the file of F, seen from the folder of the configuration file.
    pub fn file_path_f(&self, folder: &Path) -> PathBuf {
        folder.join(&self.surface_f.file)
    }

    /// The same pair with its meshes beside the configuration file, as an archive holds them: each
    /// keeps its file name. Two different files of one name are told apart by `e-` and `f-`.
    pub fn bundled(&self) -> Configuration {
        let mut bundled = self.clone();
        let name = |path: &str| Path::new(path).file_name().map(|name| name.to_string_lossy().into_owned());
        let [name_e, name_f] =
            [&self.surface_e, &self.surface_f].map(|surface| name(&surface.file).unwrap_or_default());
        // File systems of some hosts do not tell capital letters from small ones.
        let are_confusable = name_e.eq_ignore_ascii_case(&name_f) && self.surface_e.file != self.surface_f.file;
        let prefixed = |prefix: &str, name: String| if are_confusable { format!("{prefix}{name}") } else { name };
        bundled.surface_e.file = prefixed("e-", name_e);
        bundled.surface_f.file = prefixed("f-", name_f);
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
        text += &self.pose.as_ref().map_or(String::new(), StartPose::to_toml);
        for (section, surface) in [("surface-e", &self.surface_e), ("surface-f", &self.surface_f)] {
            let SurfaceConfiguration { file, is_flexible, scale, reversed, .. } = surface;
            text += &format!("\n[{section}]\n");
            if *is_flexible {
                text += &format!("flexible = {}\n", quoted(file));
                continue;
            }
            text += &format!("mesh = {}\nscale = {scale:?}\nreversed = {reversed}\n", quoted(file));
            text += &surface.reading_toml();
            if self.flexible.is_none() {
                text += &numbers_of(&NUMBER_PARAMETERS, section, &self.parameters);
            }
        }
        text += &bodies::to_toml(&self.bodies);
        text += &format!(
            "\n[contact]\nstep-output = {}\nextrapolation-steps = {:?}\n",
            quoted(name_of(&STEP_OUTPUTS, self.step_output)),
            self.extrapolation_steps
        );
        match &self.flexible {
            None => {
                text += &format!(
                    "method = {}\nelements = {}\nfriction-model = {}\nthreads = {}\n",
                    quoted(name_of(&METHODS, self.parameters.method)),
                    quoted(name_of(&ELEMENTS, self.parameters.elements)),
                    quoted(name_of(&FRICTION_MODELS, self.parameters.friction_model)),
                    self.threads
                );
                text += &numbers_of(&NUMBER_PARAMETERS, "contact", &self.parameters);
            }
            Some(flexible) => {
                text += &format!(
                    "\n[flexible]\nsubmodel = {}\nsolver = {}\niteration-limit = {}\n",
                    quoted(name_of(&SUBMODELS, flexible.submodel)),
                    quoted(name_of(&SOLVERS, flexible.solver)),
                    flexible.iteration_limit
                );
                text += &numbers_of(&FLEXIBLE_NUMBER_PARAMETERS, "flexible", flexible);
            }
        }
        text
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
    [("potential", ElementScheme::Potential), ("centroid", ElementScheme::Centroid)];

const FRICTION_MODELS: [(&str, FrictionModel); 2] =
    [("bristle", FrictionModel::Bristle), ("regularized", FrictionModel::Regularized)];

/// What to do where `elements` still names the scheme of version 0.1.
const POTENTIAL_INSTEAD: &str = "\"potential\"; its depth is the distance to the surface, and forces differ a little";

const STEP_OUTPUTS: [(&str, StepOutput); 4] = [
    ("hold", StepOutput::Hold),
    ("extrapolate", StepOutput::Extrapolate),
    ("mean", StepOutput::Mean),
    ("energy", StepOutput::Energy),
];

const SUBMODELS: [(&str, Submodel); 3] =
    [("quasi-static", Submodel::QuasiStatic), ("damped", Submodel::Damped), ("modal", Submodel::Modal)];

const SOLVERS: [(&str, Solver); 2] = [("newton", Solver::Newton), ("broyden", Solver::Broyden)];

const REPAIRS: [(&str, Repair); 2] = [("none", Repair::None), ("safe", Repair::Safe)];

/// What to give for a modulus.
const MODULUS_IN_WORDS: &str =
    "in Pa, such as 2.1e11 for steel, 2.5e9 for a plastic or 5e6 for rubber, or 0 for a rigid body";

/// Why the keys of layers, damping and friction are refused beside a flexible body.
const NO_LAYERS: &str = "a pair with a flexible body has penalty contact without layers, damping and friction; \
                         its parameters are in the section [flexible]";

fn parse(text: &str, file: &str, folder: Option<&Path>) -> Result<Configuration, ConfigurationError> {
    let document = Document::parse(text, file)?;
    let root = document.root(&keys::names(""))?;
    let mut configuration = Configuration::default();
    read_name(&root, &mut configuration.name, &mut configuration.description)?;
    if let Some(orientation) = root.choice("orientation", &ORIENTATIONS)? {
        configuration.orientation = orientation;
    }
    configuration.pose = StartPose::read(&root.section("pose", &keys::names("pose"))?)?;
    let section = |name| root.section(name, &keys::names(name));
    let (surface_e, surface_f) = (section("surface-e")?, section("surface-f")?);
    let (contact, flexible) = (section("contact")?, section("flexible")?);
    let (body_e, body_f) = (section("body-e")?, section("body-f")?);
    let has_flexible_body = surface_e.has("flexible") || surface_f.has("flexible");
    for (section, surface) in [(&surface_e, &mut configuration.surface_e), (&surface_f, &mut configuration.surface_f)] {
        read_surface(section, folder, surface)?;
        if has_flexible_body {
            section.refuse_all_but(&[&["flexible"], &MESH_KEYS[..]].concat(), NO_LAYERS)?;
        } else {
            read_numbers(section, &NUMBER_PARAMETERS, &mut configuration.parameters)?;
            if !section.has("youngs-modulus") {
                return Err(section.missing("youngs-modulus", MODULUS_IN_WORDS));
            }
        }
    }
    configuration.step_output = contact.choice("step-output", &STEP_OUTPUTS)?.unwrap_or(match has_flexible_body {
        // An impact is over within a few steps: what counts is the impulse.
        true => StepOutput::Mean,
        false => StepOutput::Energy,
    });
    let is_possible = !(has_flexible_body && configuration.step_output == StepOutput::Energy);
    contact.require(
        "step-output",
        "energy",
        is_possible,
        "\"hold\", \"extrapolate\" or \"mean\" with a flexible body",
    )?;
    for (section, body) in [&body_e, &body_f].into_iter().zip(&mut configuration.bodies) {
        *body = bodies::read(section)?;
        if has_flexible_body {
            section.refuse_all_but(&[], "masses are for rigid pairs, with `step-output = \"energy\"`")?;
        }
    }
    if let Some(steps) = contact.number("extrapolation-steps")? {
        let range = NumberRange::NotNegative;
        contact.require("extrapolation-steps", steps, range.contains(steps), range.in_words())?;
        configuration.extrapolation_steps = steps;
    }
    let refused = |source| ConfigurationError::Parameters { file: file.to_owned(), source };
    if has_flexible_body {
        contact.refuse_all_but(&["step-output", "extrapolation-steps"], NO_LAYERS)?;
        let parameters = read_flexible(&flexible)?;
        FlexibleParameters::new(&parameters).map_err(refused)?;
        configuration.flexible = Some(parameters);
    } else {
        flexible.refuse_all_but(
            &[],
            "neither body is flexible; give a surface a reduced body with `flexible = \"body.npz\"`",
        )?;
        let parameters = &mut configuration.parameters;
        parameters.method = contact.choice("method", &METHODS)?.unwrap_or_default();
        contact.refuse_gone("elements", "clipped", POTENTIAL_INSTEAD)?;
        parameters.elements = contact.choice("elements", &ELEMENTS)?.unwrap_or_default();
        parameters.friction_model = contact.choice("friction-model", &FRICTION_MODELS)?.unwrap_or_default();
        if let Some(threads) = contact.number("threads")? {
            let is_allowed = threads.fract() == 0.0 && 1.0 <= threads && threads <= f64::from(MOST_THREADS);
            contact.require("threads", threads, is_allowed, THREADS_IN_WORDS)?;
            configuration.threads = threads as u32;
        }
        read_numbers(&contact, &NUMBER_PARAMETERS, parameters)?;
        ContactParameters::new(parameters).map_err(refused)?;
    }
    Ok(configuration)
}

/// The text of a configuration file of a sensible size.
fn read_text(path: &Path) -> Result<String, ConfigurationError> {
    let unreadable = |reason: String| ConfigurationError::Unreadable { file: path.display().to_string(), reason };
    let size = std::fs::metadata(path).map_err(|error| unreadable(error.to_string()))?.len();
    if SIZE_LIMIT < size {
        return Err(unreadable(format!("it has {size} bytes, more than the {SIZE_LIMIT} of any configuration")));
    }
    if path.is_dir() {
        let example = first_configuration_in(path).unwrap_or_else(|| path.join("contact.toml"));
        return Err(unreadable(format!("it is a folder; name the file in it, such as `{}`", example.display())));
    }
    if path
        .extension()
        .is_some_and(|extension| ["obj", "stl", "ply", "off"].iter().any(|mesh| extension.eq_ignore_ascii_case(mesh)))
    {
        return Err(unreadable("it is a mesh; name the TOML file with the two meshes of a contact".to_owned()));
    }
    std::fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))
}

/// The TOML file in a folder that is first by name.
fn first_configuration_in(folder: &Path) -> Option<PathBuf> {
    let files = std::fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    files.filter(|path| path.extension().is_some_and(|extension| extension == "toml")).min()
}

/// Name and description of the model, which every configuration has at its top.
fn read_name(
    root: &Section<'_>,
    name_of_model: &mut String,
    description_of_model: &mut String,
) -> Result<(), ConfigurationError> {
    if let Some(name) = root.text("name")? {
        root.require(
            "name",
            name,
            is_identifier(name),
            "an identifier of at most 100 letters (a-z, A-Z), digits and underscores that does not start with a digit",
        )?;
        *name_of_model = name.to_owned();
    }
    if let Some(description) = root.text("description")? {
        let printable = !description.chars().any(char::is_control);
        root.require("description", description, printable, "one line without control characters")?;
        *description_of_model = description.to_owned();
    }
    Ok(())
}

fn read_surface(
    section: &Section<'_>,
    folder: Option<&Path>,
    surface: &mut SurfaceConfiguration,
) -> Result<(), ConfigurationError> {
    surface.is_flexible = section.has("flexible");
    let (key, expected, extensions): (_, _, &[&str]) = if surface.is_flexible {
        section.refuse_all_but(
            &["flexible"],
            "a flexible body has its geometry, in metres, and its material in its file",
        )?;
        ("flexible", "the path of an .npz file made by `polycontact reduce`", &["npz"])
    } else {
        ("mesh", "the path of an .obj, .stl, .ply or .off file", &["obj", "stl", "ply", "off"])
    };
    let file = section.text(key)?.ok_or_else(|| section.missing(key, expected))?;
    section.require(key, file, has_extension(file, extensions), expected)?;
    surface.file = file.to_owned();
    if let Some(folder) = folder {
        let path = folder.join(file);
        // Opening tells more than a look: a folder, a dangling link and a lack of rights all fail here.
        let opened = std::fs::File::open(&path).and_then(|file| file.metadata());
        let reason = match opened {
            Ok(metadata) if metadata.is_file() => None,
            Ok(_) => Some("it is not a file".to_owned()),
            Err(error) => Some(error.to_string()),
        };
        if let Some(reason) = reason {
            return Err(ConfigurationError::NoSuchFile {
                place: section.place_of(key),
                key: section.full_key(key),
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
    surface.merge_distance = section.number("merge-distance")?;
    if let Some(distance) = surface.merge_distance {
        let range = NumberRange::NotNegative;
        section.require("merge-distance", distance, range.contains(distance), range.in_words())?;
    }
    surface.repair = section.choice("repair", &REPAIRS)?.unwrap_or_default();
    surface.parts = section.texts("parts")?.unwrap_or_default();
    if let Some(shells) = section.list("shells")? {
        let is_number = |shell: &f64| shell.fract() == 0.0 && 1.0 <= *shell && *shell <= f64::from(u32::MAX);
        section.require("shells", &shells, shells.iter().all(is_number), "whole numbers from 1 on in brackets")?;
        surface.shells = shells.iter().map(|shell| *shell as u32).collect();
    }
    if let Some(angle) = section.number("smooth-angle")? {
        let range = NumberRange::SmoothAngle;
        section.require("smooth-angle", angle, range.contains(angle), range.in_words())?;
        surface.smooth_angle = angle;
    }
    surface.sag = section.number("sag")?;
    if let Some(sag) = surface.sag {
        let range = NumberRange::Positive;
        section.require("sag", sag, range.contains(sag), range.in_words())?;
    }
    Ok(())
}

fn read_flexible(section: &Section<'_>) -> Result<RawFlexibleParameters, ConfigurationError> {
    let mut parameters = RawFlexibleParameters {
        submodel: section.choice("submodel", &SUBMODELS)?.unwrap_or_default(),
        solver: section.choice("solver", &SOLVERS)?.unwrap_or_default(),
        ..RawFlexibleParameters::default()
    };
    if let Some(limit) = section.number("iteration-limit")? {
        let is_allowed = 1.0 <= limit && limit <= f64::from(i32::MAX) && limit.fract() == 0.0;
        section.require("iteration-limit", limit, is_allowed, "a whole number from 1 on")?;
        parameters.iteration_limit = limit as u32;
    }
    read_numbers(section, &FLEXIBLE_NUMBER_PARAMETERS, &mut parameters)?;
    Ok(parameters)
}

fn read_numbers<P: Copy>(
    section: &Section<'_>,
    numbers: &[NumberParameter<P>],
    parameters: &mut P,
) -> Result<(), ConfigurationError> {
    for number in numbers.iter().filter(|number| number.section() == section.name()) {
        if let Some(value) = section.number(number.key_in_section())? {
            section.require(number.key_in_section(), value, number.range.contains(value), number.range.in_words())?;
            *(number.field)(parameters) = value;
        }
    }
    Ok(())
}

fn numbers_of<P: Copy>(numbers: &[NumberParameter<P>], section: &str, parameters: &P) -> String {
    let of_section = numbers.iter().filter(|number| number.section() == section);
    of_section.map(|number| format!("{} = {:?}\n", number.key_in_section(), number.value(parameters))).collect()
}

fn is_identifier(name: &str) -> bool {
    let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    starts_well && name.len() <= NAME_LIMIT && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn has_extension(path: &str, extensions: &[&str]) -> bool {
    let extension = Path::new(path).extension().and_then(|extension| extension.to_str());
    !path.contains('\0') && extension.is_some_and(|e| extensions.iter().any(|known| e.eq_ignore_ascii_case(known)))
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
