//! A contact pair as Python sees it.

use std::ffi::CString;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use polycontact::configuration::{Configuration, OrientationInput};
use polycontact::fmu::{Causality, Evaluator, Kind, Part, Value};
use polycontact_packaging::ContactPair;
use polycontact_packaging::library_kit::LibraryKit;
use polycontact_packaging::package::{library, write_pair};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::sweep::sweep;
use crate::{bytes_of, numbers_of, refused};

/// The ways to write an orientation, with their numbers.
const ORIENTATIONS: [(OrientationInput, usize); 3] =
    [(OrientationInput::Matrix, 9), (OrientationInput::Quaternion, 4), (OrientationInput::Cardan, 3)];

/// Name, description, causality, unit, type, names of its values, and whether it takes a computation of its own.
type VariableFacts = (String, String, &'static str, &'static str, &'static str, Vec<&'static str>, bool);

/// What a parameter may be.
#[derive(FromPyObject, IntoPyObject)]
enum Setting {
    Boolean(bool),
    Integer(i32),
    Real(f64),
    Text(String),
}

/// A pair with one evaluator per way to write an orientation.
#[pyclass(frozen, module = "polycontact._native")]
pub struct Pair {
    path: PathBuf,
    configuration: Configuration,
    evaluators: [Mutex<Evaluator>; 3],
}

#[pymethods]
impl Pair {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Pair> {
        py.detach(|| Pair::read(path)).map_err(refused)
    }

    /// All variables of the FMU of the pair.
    fn variables(&self) -> Vec<VariableFacts> {
        let evaluator = self.evaluator(0);
        let facts = evaluator.table().variables().iter().map(|variable| {
            let (unit, items) = match variable.kind {
                Kind::Real { unit, .. } => (unit, Vec::new()),
                Kind::Enumeration(enumeration) => ("1", enumeration.items.iter().map(|item| item.name).collect()),
                _ => ("1", Vec::new()),
            };
            let (name, description) = (variable.name.clone(), variable.description.clone());
            let is_extra = variable.part != Part::Main;
            (name, description, variable.causality.name(), unit, variable.kind.name(), items, is_extra)
        });
        facts.collect()
    }

    /// The value of a parameter, of an enumeration its name.
    fn parameter(&self, name: &str) -> PyResult<Setting> {
        let evaluator = self.evaluator(0);
        let is_parameter = |causality| causality == Causality::Parameter;
        let variable = evaluator.table().find(name).filter(|variable| is_parameter(variable.causality));
        let variable = variable.ok_or_else(|| refused(format!("there is no parameter `{name}`")))?;
        Ok(match (evaluator.parameter(variable), variable.kind) {
            (Value::Integer(number), Kind::Enumeration(enumeration)) => {
                let item = enumeration.items.iter().find(|item| item.value == number);
                Setting::Text(item.map_or("", |item| item.name).to_owned())
            }
            (Value::Integer(number), _) => Setting::Integer(number),
            (Value::Real(number), _) => Setting::Real(number),
            (Value::Boolean(flag), _) => Setting::Boolean(flag),
            (Value::String(text), _) => Setting::Text(text.to_string_lossy().into_owned()),
        })
    }

    /// Sets a parameter.
    fn set_parameter(&self, name: &str, setting: Setting) -> PyResult<()> {
        let is_real = self.evaluator(0).table().find(name).is_some_and(|found| matches!(found.kind, Kind::Real { .. }));
        let value = match setting {
            Setting::Integer(number) if is_real => Value::Real(f64::from(number)),
            Setting::Integer(number) => Value::Integer(number),
            Setting::Real(number) => Value::Real(number),
            Setting::Boolean(flag) => Value::Boolean(flag),
            Setting::Text(text) => Value::String(CString::new(text).map_err(|error| refused(error.to_string()))?),
        };
        (0..self.evaluators.len()).try_for_each(|index| self.evaluator(index).set(name, &value)).map_err(refused)
    }

    /// The outputs of these names at one motion.
    fn evaluate_one<'py>(
        &self,
        py: Python<'py>,
        inputs: &[u8],
        orientation_numbers: usize,
        names: Vec<String>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let inputs = numbers_of(inputs);
        let index = orientation_index(orientation_numbers)?;
        let numbers = py.detach(|| -> Result<_, String> {
            let mut evaluator = self.evaluator(index);
            let choice = evaluator.choose(&names)?;
            let mut numbers = vec![0.0; choice.count()];
            evaluator.evaluate(&inputs, &choice, &mut numbers)?;
            Ok(numbers)
        });
        Ok(PyBytes::new(py, &bytes_of(numbers.map_err(refused)?)))
    }

    /// The outputs of these names at motions, one row per motion; an orientation has 9, 4 or 3 numbers. `progress` hears
    /// how many are done.
    fn evaluate_many<'py>(
        &self,
        py: Python<'py>,
        inputs: &[u8],
        orientation_numbers: usize,
        names: Vec<String>,
        threads: usize,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let inputs = numbers_of(inputs);
        let index = orientation_index(orientation_numbers)?;
        let numbers = py.detach(|| {
            let evaluator = self.evaluator(index).twin();
            let choice = evaluator.choose(&names)?;
            sweep(&evaluator, &inputs, &choice, threads, &mut |done| report(progress.as_ref(), done))
        });
        Ok(PyBytes::new(py, &bytes_of(numbers.map_err(|error: Stop| error.0)?)))
    }

    /// The patches at a motion: corners of each polygon, and position and pressure of each corner.
    fn patches<'py>(
        &self,
        py: Python<'py>,
        inputs: &[u8],
        orientation_numbers: usize,
    ) -> PyResult<(Vec<usize>, Bound<'py, PyBytes>)> {
        let inputs = numbers_of(inputs);
        let index = orientation_index(orientation_numbers)?;
        let patches = py.detach(|| -> Result<_, String> {
            let mut evaluator = self.evaluator(index).twin();
            evaluator.evaluate(&inputs, &evaluator.choose(&[])?, &mut [])?;
            Ok(evaluator.patches())
        });
        let polygons: Vec<_> = patches.map_err(refused)?.polygons().collect();
        let corners = polygons.iter().flatten().flat_map(|corner| {
            let [x, y, z] = corner.position_e;
            [x, y, z, corner.pressure]
        });
        Ok((polygons.iter().map(Vec::len).collect(), PyBytes::new(py, &bytes_of(corners))))
    }

    /// Makes the FMU with the present parameters and the libraries in a folder; without platforms for all that are there.
    fn package(&self, py: Python<'_>, file: PathBuf, folder: PathBuf, platforms: Vec<String>) -> PyResult<()> {
        py.detach(|| {
            let known =
                |name: &String| library::find_platform(name).ok_or_else(|| format!("FMI knows no platform `{name}`"));
            let platforms = platforms.iter().map(known).collect::<Result<Vec<_>, String>>()?;
            let kit = LibraryKit::beside(&folder)?.reduced_to(&platforms)?;
            let orientation = self.configuration.orientation;
            let configuration = Configuration { orientation, ..self.evaluator(0).configuration()? };
            write_pair(ContactPair::read_files(&configuration, folder_of(&self.path))?, &file, &kit)
        })
        .map_err(refused)
    }

    /// Name of the model.
    #[getter]
    fn name(&self) -> &str {
        &self.configuration.name
    }

    /// What the meshes and the last parameters warn of.
    fn take_warnings(&self) -> Vec<String> {
        self.evaluator(0).take_warnings()
    }
}

impl Pair {
    fn read(path: PathBuf) -> Result<Pair, String> {
        let configuration = Configuration::read(&path).map_err(|error| error.to_string())?;
        let folder = folder_of(&path);
        let evaluator = |(orientation, _)| {
            let configuration = Configuration { orientation, ..configuration.clone() };
            Evaluator::new(&configuration, folder).map(Mutex::new)
        };
        let [matrix, quaternion, angles] = ORIENTATIONS.map(evaluator);
        Ok(Pair { evaluators: [matrix?, quaternion?, angles?], path, configuration })
    }

    /// What a panic has left is replaced by a twin before it is used.
    fn evaluator(&self, index: usize) -> MutexGuard<'_, Evaluator> {
        self.evaluators[index].lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

fn orientation_index(numbers: usize) -> PyResult<usize> {
    let index = ORIENTATIONS.iter().position(|(_, count)| *count == numbers);
    index.ok_or_else(|| refused(format!("an orientation has 9, 4 or 3 numbers, not {numbers}")))
}

/// Why a sweep ended early.
struct Stop(PyErr);

impl From<String> for Stop {
    fn from(text: String) -> Stop {
        Stop(refused(text))
    }
}

/// Tells Python how far the work is, and asks whether the user wants to go on.
fn report(progress: Option<&Py<PyAny>>, done: usize) -> Result<(), Stop> {
    Python::attach(|py| {
        py.check_signals()?;
        progress.map_or(Ok(()), |progress| progress.call1(py, (done,)).map(drop))
    })
    .map_err(Stop)
}
