//! What an instance records, and when.

use std::ffi::CString;

use super::Recorder;
use crate::configuration::NumberRange;
use crate::contact::RelativeMotion;
use crate::fmu::instance::Instance;
use crate::fmu::model::Model;
use crate::fmu::parts::{Part, Parts};
use crate::fmu::values::{Value, Values};
use crate::fmu::variables::{Causality, Kind, Variability, Variable, VariableTable};
use crate::record::{Column, Header, MOTION, MOTION_UNITS, TIME};

/// `recordLimit` at the start, in MB: an hour of a small contact at 100 communication points per second.
const LIMIT: f64 = 100.0;

/// Slots of the parameters of a recording.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RecordSlots {
    /// String.
    file: usize,
    /// Real.
    limit: usize,
}

impl RecordSlots {
    pub(crate) fn find(table: &VariableTable) -> Option<RecordSlots> {
        let slot = |name: &str| table.find(name).map(|variable| variable.slot);
        Some(RecordSlots { file: slot("recordFile")?, limit: slot("recordLimit")? })
    }
}

/// Appends the parameters of a recording.
pub(crate) fn push_record(table: &mut VariableTable) {
    table.push(
        "recordFile",
        "File for a recording of the run, such as run.pcr; empty for none",
        Kind::String,
        Causality::Parameter,
        Variability::Fixed,
        Some(Value::String(CString::default())),
    );
    table.push(
        "recordLimit",
        "Largest size of the recording in MB; a longer one is thinned out [1]",
        Kind::Real { unit: "1", range: NumberRange::Positive },
        Causality::Parameter,
        Variability::Fixed,
        Some(Value::Real(LIMIT)),
    );
}

impl Instance {
    /// Opens the file that the parameters name, if any.
    pub(in crate::fmu) fn begin_recording(&mut self) {
        self.end_recording();
        if let (Some(slots), Some(name)) = (self.record_slots, self.record_file().cloned()) {
            let run = &mut self.run;
            let header = header(self.model.as_ref(), &run.values);
            self.recorder = Some(Recorder::begin(name, run.values.reals[slots.limit], header, &mut run.notes));
        }
    }

    /// Writes what is left.
    pub(in crate::fmu) fn end_recording(&mut self) {
        if let Some(mut recorder) = self.recorder.take() {
            recorder.end(&mut self.run.notes);
        }
    }

    /// The file that the parameters name; none for no recording.
    fn record_file(&self) -> Option<&CString> {
        let file = self.record_slots.map(|slots| &self.run.values.strings[slots.file]);
        file.filter(|name| !name.is_empty())
    }

    /// Adds what the present inputs lead to, at the present time.
    pub(in crate::fmu) fn record_inputs(&mut self) {
        // What cannot be evaluated is refused where outputs are asked for.
        if self.record_file().is_some() && self.bring_up_to_date(Parts::NONE.with(Part::Energy)).is_ok() {
            self.record(self.run.time);
        }
    }

    /// Adds the outputs with the motion to which they belong, at a time in s.
    pub(in crate::fmu) fn record(&mut self, time: f64) {
        if self.record_file().is_none() || self.bring_up_to_date(Parts::NONE.with(Part::Energy)).is_err() {
            return;
        }
        let Some(name) = self.record_file() else { return };
        // A state that was restored may name another file.
        if self.recorder.as_ref().is_none_or(|recorder| recorder.name != *name) {
            self.begin_recording();
        }
        let (run, model) = (&mut self.run, self.model.as_mut());
        let Some(recorder) = self.recorder.as_mut().filter(|recorder| recorder.running.is_some()) else { return };
        let motion = model.recorded_motion(&run.values, &run.input_derivatives, run.output_offset);
        if motion.is_some() != model.records_motion() {
            return;
        }
        let numbers = frame_numbers(time, motion.as_ref(), model, &run.values);
        let patches = || motion.map(|motion| model.recorded_patches(&run.values, &motion)).unwrap_or_default();
        recorder.take(numbers, patches, &mut run.notes);
    }
}

/// One number per column of [`header`].
pub(super) fn frame_numbers(
    time: f64,
    motion: Option<&RelativeMotion>,
    model: &dyn Model,
    values: &Values,
) -> Vec<f64> {
    let mut numbers = vec![time];
    numbers.extend(motion.into_iter().flat_map(motion_numbers));
    let variables = model.table().variables().iter();
    numbers.extend(variables.filter(|variable| is_recorded(variable, motion.is_some())).map(|variable| {
        match variable.kind {
            Kind::Real { .. } => values.reals[variable.slot],
            Kind::Boolean => f64::from(values.booleans[variable.slot]),
            _ => f64::from(values.integers[variable.slot]),
        }
    }));
    numbers
}

/// What is calculated in every evaluation, and the energy. Inputs too, unless they are the motion.
fn is_recorded(variable: &Variable, has_motion: bool) -> bool {
    let is_number = !matches!(variable.kind, Kind::String);
    is_number
        && match variable.causality {
            Causality::Output => matches!(variable.part, Part::Main | Part::Energy),
            Causality::Input => !has_motion,
            _ => false,
        }
}

/// In the order of [`MOTION`].
fn motion_numbers(motion: &RelativeMotion) -> impl Iterator<Item = f64> {
    let pose = motion.pose_ef();
    let turn = nalgebra::UnitQuaternion::from_rotation_matrix(&pose.rotation);
    let vectors = [motion.velocity_e(), motion.angular_velocity_e()];
    let place = pose.translation.vector;
    let numbers = [place.x, place.y, place.z, turn.w, turn.i, turn.j, turn.k];
    numbers.into_iter().chain(vectors.into_iter().flat_map(|v| [v.x, v.y, v.z]))
}

/// What a recording of a model consists of.
pub(super) fn header(model: &dyn Model, values: &Values) -> Header {
    let column = |name: &str, unit: &str| Column { name: name.to_owned(), unit: unit.to_owned() };
    let mut columns = vec![column(TIME, "s")];
    let has_motion = model.records_motion();
    if has_motion {
        columns.extend(MOTION.iter().zip(MOTION_UNITS).map(|(name, unit)| column(name, unit)));
    }
    let variables = model.table().variables();
    columns.extend(variables.iter().filter(|variable| is_recorded(variable, has_motion)).map(|variable| {
        let unit = if let Kind::Real { unit, .. } = variable.kind { unit } else { "1" };
        column(&variable.name, unit)
    }));
    let is_parameter = |variable: &&Variable| variable.causality == Causality::Parameter;
    let parameters =
        variables.iter().filter(is_parameter).map(|variable| (variable.name.clone(), text(variable, values)));
    Header {
        name: model.name().to_owned(),
        guid: model.guid().to_owned(),
        columns,
        parameters: parameters.collect(),
        bodies: model.recorded_bodies(),
    }
}

fn text(variable: &Variable, values: &Values) -> String {
    match variable.kind {
        Kind::Real { .. } => format!("{:?}", values.reals[variable.slot]),
        Kind::Integer => values.integers[variable.slot].to_string(),
        Kind::Boolean => values.booleans[variable.slot].to_string(),
        Kind::String => values.strings[variable.slot].to_string_lossy().into_owned(),
        Kind::Enumeration(enumeration) => {
            let value = values.integers[variable.slot];
            enumeration.items.iter().find(|item| item.value == value).map_or("", |item| item.name).to_owned()
        }
    }
}
