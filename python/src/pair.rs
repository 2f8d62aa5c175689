//! A contact pair for sweeps.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use polycontact::configuration::{Configuration, OrientationInput, StartPose};
use polycontact::contact::{ContactParameters, ContactSurface, RawParameters, RelativeMotion};
use polycontact::fmu::rotation;
use polycontact::math::{Pose, Vector};
use polycontact_packaging::ContactPair;
use polycontact_packaging::contact_pair::{SurfaceContent, SurfaceFile};
use polycontact_packaging::library_kit::LibraryKit;
use polycontact_packaging::package::write_pair;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;

use crate::sweep::{Bodies, Sweep};
use crate::{array, doubles, pieces, refused};

/// Two surfaces and the law between them.
#[pyclass(frozen, module = "polycontact._polycontact")]
pub struct Pair {
    path: PathBuf,
    configuration: Configuration,
    bodies: Arc<Bodies>,
    warnings: Vec<String>,
}

#[pymethods]
impl Pair {
    /// Reads a configuration and its meshes.
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        py.detach(|| Self::read(path)).map_err(refused)
    }

    /// The same pair with other parameters: keys of the configuration with their values as TOML.
    fn with_parameters(&self, py: Python<'_>, changes: Vec<(String, String)>) -> PyResult<Self> {
        let toml = changed(&self.configuration.to_toml(), &changes);
        let configuration = Configuration::parse(&toml, "parameters").map_err(|error| refused(error.to_string()))?;
        if configuration.surface_e != self.configuration.surface_e
            || configuration.surface_f != self.configuration.surface_f
        {
            return Err(refused(
                "meshes cannot be changed here; make another pair of another configuration".to_owned(),
            ));
        }
        let parameters = checked(&configuration.parameters).map_err(refused)?;
        let Bodies { e, f, .. } = &*self.bodies;
        let bodies = py.detach(|| Bodies { e: e.clone(), f: f.clone(), parameters });
        let (path, warnings) = (self.path.clone(), self.warnings.clone());
        Ok(Pair { path, configuration, bodies: Arc::new(bodies), warnings })
    }

    #[getter]
    fn name(&self) -> &str {
        &self.configuration.name
    }

    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    /// The configuration with every key, as TOML.
    fn to_toml(&self) -> String {
        self.configuration.to_toml()
    }

    /// Position and matrix of the start pose.
    fn start_pose<'py>(&self, py: Python<'py>) -> Bound<'py, PyByteArray> {
        let pose = self.configuration.pose.as_ref().map_or_else(Pose::identity, StartPose::pose);
        let numbers: Vec<f64> = pose.translation.vector.iter().copied().collect();
        array(py, &[numbers, pose.rotation.matrix().transpose().iter().copied().collect()].concat())
    }

    /// Rows of all poses; `progress` is called with the number of poses that are done.
    #[expect(clippy::too_many_arguments, reason = "the Python side has names for them")]
    fn sweep<'py>(
        &self,
        py: Python<'py>,
        positions: &[u8],
        orientations: &[u8],
        numbers_per_orientation: usize,
        velocities: &[u8],
        angular_velocities: &[u8],
        derivatives: bool,
        threads: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyByteArray>> {
        let [positions, orientations, velocities, angular_velocities] =
            [positions, orientations, velocities, angular_velocities].map(doubles);
        let motions = motions(&positions, &orientations, numbers_per_orientation, &velocities, &angular_velocities)
            .map_err(refused)?;
        let mut interrupted: Option<PyErr> = None;
        let swept = py.detach(|| {
            let sweep = Sweep { bodies: &self.bodies, motions: &motions, derivatives, threads };
            sweep.run(&mut |done| {
                // Ctrl-C ends a sweep, and so does a callback that raises.
                let looked = Python::attach(|py| {
                    py.check_signals()?;
                    progress.as_ref().map_or(Ok(()), |progress| progress.call1(py, (done,)).map(drop))
                });
                interrupted = interrupted.take().or(looked.err());
                interrupted.is_none()
            })
        });
        match interrupted {
            Some(error) => Err(error),
            None => swept.map(|table| array(py, &table)).map_err(refused),
        }
    }

    /// Pieces and their corners in one pose.
    fn pieces<'py>(
        &self,
        py: Python<'py>,
        position: &[u8],
        orientation: &[u8],
        velocity: &[u8],
        angular_velocity: &[u8],
    ) -> PyResult<(Bound<'py, PyByteArray>, Bound<'py, PyByteArray>)> {
        let [position, orientation, velocity, angular_velocity] =
            [position, orientation, velocity, angular_velocity].map(doubles);
        let found = motions(&position, &orientation, orientation.len(), &velocity, &angular_velocity)
            .and_then(|motions| py.detach(|| pieces::pieces(&self.bodies, &motions[0])));
        let (table, corners) = found.map_err(refused)?;
        Ok((array(py, &table), array(py, &corners)))
    }

    /// Makes an FMU with the libraries in a folder.
    fn package(&self, py: Python<'_>, output: PathBuf, folder: PathBuf) -> PyResult<()> {
        py.detach(|| {
            let pair = ContactPair::read(&self.path)?.with_parameters(&self.configuration);
            write_pair(pair, &output, &LibraryKit::beside(&folder)?)
        })
        .map_err(refused)
    }
}

impl Pair {
    fn read(path: PathBuf) -> Result<Pair, String> {
        // A folder that the program leaves does not matter later.
        let path = std::path::absolute(&path).unwrap_or(path);
        let ContactPair { configuration, surface_e, surface_f, .. } = ContactPair::read(Path::new(&path))?;
        if configuration.flexible.is_some() {
            return Err(format!(
                "`{}` has a flexible body, whose contact is a simulation in time; package it and run the FMU",
                path.display()
            ));
        }
        let warnings = [&surface_e, &surface_f].map(SurfaceFile::warnings).concat();
        let parameters = checked(&configuration.parameters)?;
        let bodies = Bodies { e: surface(surface_e), f: surface(surface_f), parameters };
        Ok(Pair { path, configuration, bodies: Arc::new(bodies), warnings })
    }
}

/// A configuration with other values: each key, with its section before a dot, has its line replaced or added.
fn changed(toml: &str, changes: &[(String, String)]) -> String {
    let mut lines: Vec<String> = toml.lines().map(str::to_owned).collect();
    for (full_key, value) in changes {
        let (section, key) = full_key.rsplit_once('.').unwrap_or(("", full_key));
        let header = format!("[{section}]");
        let start = match (section.is_empty(), lines.iter().position(|line| *line == header)) {
            (true, _) => 0,
            (false, Some(place)) => place + 1,
            (false, None) => {
                lines.push(header);
                lines.len()
            }
        };
        let end =
            lines[start..].iter().position(|line| line.starts_with('[')).map_or(lines.len(), |count| start + count);
        let wanted = format!("{key} = {value}");
        match lines[start..end].iter().position(|line| line.split(" = ").next() == Some(key)) {
            Some(place) => lines[start + place] = wanted,
            None => lines.insert(start, wanted),
        }
    }
    lines.join("\n")
}

fn checked(raw: &RawParameters) -> Result<ContactParameters, String> {
    ContactParameters::new(raw).map_err(|error| error.to_string())
}

/// As the FMU makes it.
fn surface(file: SurfaceFile) -> ContactSurface {
    let surface = ContactSurface::new(file.shape);
    match file.content {
        SurfaceContent::Mesh(report) => surface.with_defects(&report.defects),
        SurfaceContent::Flexible(_) => surface,
    }
}

/// Motions from arrays; the error names the pose.
fn motions(
    positions: &[f64],
    orientations: &[f64],
    numbers_per_orientation: usize,
    velocities: &[f64],
    angular_velocities: &[f64],
) -> Result<Vec<RelativeMotion>, String> {
    let input = match numbers_per_orientation {
        9 => OrientationInput::Matrix,
        4 => OrientationInput::Quaternion,
        3 => OrientationInput::Cardan,
        other => return Err(format!("an orientation has 9, 4 or 3 numbers, not {other}")),
    };
    let count = positions.len() / 3;
    let numbers = [positions.len(), velocities.len(), angular_velocities.len()];
    if numbers != [3 * count; 3] || orientations.len() != numbers_per_orientation * count {
        return Err("the arrays of a motion have different lengths".to_owned());
    }
    let motion = |place: usize| {
        let vector = |numbers: &[f64]| Vector::from_column_slice(&numbers[3 * place..3 * place + 3]);
        let orientation = &orientations[numbers_per_orientation * place..numbers_per_orientation * (place + 1)];
        if let Some(number) = orientation.iter().find(|number| !number.is_finite()) {
            return Err(format!("the orientation has the number {number}, but all must be finite"));
        }
        let pose = Pose::from_parts(vector(positions).into(), rotation(input, orientation)?);
        RelativeMotion::new(pose, vector(velocities), vector(angular_velocities)).map_err(|error| error.to_string())
    };
    let named = |place: usize, error: String| if count == 1 { error } else { format!("pose {place}: {error}") };
    (0..count).map(|place| motion(place).map_err(|error| named(place, error))).collect()
}
