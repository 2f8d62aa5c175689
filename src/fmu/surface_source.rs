//! What the parameters of a surface say about its file.

use std::ffi::CString;
use std::path::{Path, PathBuf};

use super::resource_location::path_from_bytes;
use super::values::{Value, Values};
use super::variables::{Causality, Kind, Variability, VariableTable};
use crate::configuration::{NumberRange, SurfaceConfiguration};
use crate::mesh::ReadOptions;

/// Slots of the parameters of one surface.
#[derive(Clone, Debug)]
pub(crate) struct SurfaceSlots {
    /// String.
    file: usize,
    /// None for a flexible body, whose file is in metres.
    reading: Option<ReadingSlots>,
    /// What the configuration alone says about reading.
    options: ReadOptions,
}

/// Slots of the parameters that say how a mesh is read.
#[derive(Clone, Copy, Debug)]
struct ReadingSlots {
    /// Real.
    scale: usize,
    /// Boolean.
    reversed: usize,
    /// Real.
    smooth_angle: usize,
    /// Real; 0 stands for the default.
    sag: usize,
}

/// The file with how it is to be read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Source {
    file: CString,
    pub(crate) options: ReadOptions,
}

/// Positions in the table of the parameters of one surface.
pub(crate) struct SurfacePositions {
    pub(crate) file: usize,
    /// Scale, sense, smooth angle and sag; empty for a flexible body.
    pub(crate) reading: Vec<usize>,
}

/// Appends the parameters that say what to read.
pub(crate) fn push_surface(
    table: &mut VariableTable,
    letter: &str,
    surface: &SurfaceConfiguration,
) -> SurfacePositions {
    let mut push = |name: String, description: String, kind, start| {
        table.push(name, description, kind, Causality::Parameter, Variability::Fixed, Some(start))
    };
    let what = if surface.is_flexible { "Reduced body" } else { "Mesh" };
    let file = push(
        format!("surface{letter}.file"),
        format!("{what} of surface {letter}: relative to the FMU's resources, or absolute"),
        Kind::String,
        Value::String(CString::new(surface.file.as_str()).unwrap_or_default()),
    );
    if surface.is_flexible {
        return SurfacePositions { file, reading: Vec::new() };
    }
    let scale = push(
        format!("surface{letter}.scale"),
        format!("Factor s from the unit of the file of surface {letter} to metres [1]"),
        Kind::Real { unit: "1", range: NumberRange::Positive },
        Value::Real(surface.scale),
    );
    let reversed = push(
        format!("surface{letter}.reversed"),
        format!("Whether the faces of surface {letter} are turned round"),
        Kind::Boolean,
        Value::Boolean(surface.reversed),
    );
    let smooth_angle = push(
        format!("surface{letter}.smoothAngle"),
        format!("Edges of surface {letter} flatter than this are parts of a curved surface, 0 for none [deg]"),
        Kind::Real { unit: "deg", range: NumberRange::SmoothAngle },
        Value::Real(surface.smooth_angle),
    );
    let sag = push(
        format!("surface{letter}.sag"),
        format!("How far a refined surface {letter} may be from the curved one, 0 for 1e-4 of its size [m]"),
        Kind::Real { unit: "m", range: NumberRange::NotNegative },
        Value::Real(surface.sag.unwrap_or(0.0)),
    );
    SurfacePositions { file, reading: vec![scale, reversed, smooth_angle, sag] }
}

impl SurfaceSlots {
    pub(crate) fn find(table: &VariableTable, letter: char, surface: &SurfaceConfiguration) -> SurfaceSlots {
        let slot = |name: &str| table.find(&format!("surface{letter}.{name}")).map(|variable| variable.slot);
        SurfaceSlots {
            file: slot("file").expect("every surface has a file"),
            reading: slot("scale").map(|scale| {
                let slot = |name| slot(name).expect("every mesh has what says how it is read");
                let [reversed, smooth_angle, sag] = ["reversed", "smoothAngle", "sag"].map(slot);
                ReadingSlots { scale, reversed, smooth_angle, sag }
            }),
            options: surface.read_options(),
        }
    }

    /// The source that the values ask for.
    pub(crate) fn source(&self, values: &Values) -> Source {
        let mut options = self.options.clone();
        if let Some(slots) = self.reading {
            options.scale = values.reals[slots.scale];
            options.reversed = values.booleans[slots.reversed];
            options.smooth_angle = values.reals[slots.smooth_angle];
            options.sag = slots.sag(values);
        }
        Source { file: values.strings[self.file].clone(), options }
    }

    /// The surface of a configuration as the values ask for it.
    pub(crate) fn configuration(&self, original: &SurfaceConfiguration, values: &Values) -> SurfaceConfiguration {
        let Source { file, options } = self.source(values);
        let ReadOptions { scale, reversed, smooth_angle, sag, .. } = options;
        let file = file.to_string_lossy().into_owned();
        SurfaceConfiguration { file, scale, reversed, smooth_angle, sag, ..original.clone() }
    }

    /// Whether the values still ask for this source.
    pub(crate) fn asks_for(&self, values: &Values, source: &Source) -> bool {
        source.file == values.strings[self.file]
            && self.reading.is_none_or(|slots| {
                let options = &source.options;
                options.scale == values.reals[slots.scale]
                    && options.reversed == values.booleans[slots.reversed]
                    && options.smooth_angle == values.reals[slots.smooth_angle]
                    && options.sag == slots.sag(values)
            })
    }
}

impl ReadingSlots {
    fn sag(self, values: &Values) -> Option<f64> {
        Some(values.reals[self.sag]).filter(|sag| *sag != 0.0)
    }
}

impl Source {
    /// Name of the file, for people.
    pub(crate) fn name(&self) -> String {
        let text = self.file.to_string_lossy();
        text.rsplit(['/', '\\']).next().unwrap_or_default().to_owned()
    }

    /// Where the file is; `resources` is the folder of the FMU, where the host says so.
    pub(crate) fn path(&self, resources: Option<&Path>) -> Result<PathBuf, String> {
        if self.file.is_empty() {
            return Err("it is empty; set the path of the file before initialization ends".to_owned());
        }
        let path = path_from_bytes(self.file.as_bytes()).ok_or("it is not UTF-8")?;
        match resources {
            _ if path.is_absolute() => Ok(path),
            Some(folder) => Ok(folder.join(path)),
            None => Err(format!(
                "`{}` is relative, but the host gave no fmuResourceLocation; set an absolute path",
                path.display()
            )),
        }
    }
}
