//! A recording without a host: a contact pair along given motions, evaluated as its FMU would.

use std::path::Path;

use super::recording::{frame_numbers, header};
use crate::configuration::Configuration;
use crate::contact::RelativeMotion;
use crate::fmu::model::{Fault, Model, Notes};
use crate::fmu::models::contact::model::ContactModel;
use crate::fmu::values::Values;
use crate::record::{Frame, Header, Patches};

/// A pair of rigid bodies that is asked motion by motion.
pub struct MotionRecorder {
    model: ContactModel,
    values: Values,
    /// Of the last motion, in s.
    time: Option<f64>,
    last: Option<Last>,
}

/// The motion that the values belong to.
struct Last {
    motion: RelativeMotion,
    /// Whether bristles remember after it what they remembered before: then it can last without a change.
    is_steady: bool,
    patches: Patches,
}

impl MotionRecorder {
    /// Reads the surfaces of a configuration, whose files are relative to `folder`; the error is a message for people.
    pub fn new(configuration: &Configuration, folder: &Path) -> Result<MotionRecorder, String> {
        if configuration.flexible.is_some() {
            return Err("this pair has a flexible body, whose forces depend on its history: record its FMU instead \
                        (recordFile)"
                .to_owned());
        }
        let mut model = ContactModel::new(configuration, String::new(), Some(folder.to_owned()));
        let values = model.table().start_values();
        model.prepare(&values, None, &mut Notes::default()).map_err(Fault::into_words)?;
        model.check_parameters(&values).map_err(Fault::into_words)?;
        Ok(MotionRecorder { model, values, time: None, last: None })
    }

    /// What the frames consist of.
    pub fn header(&self) -> Header {
        header(&self.model, &self.values)
    }

    /// The pair at a motion, at a time in s that is not before the last one; the error is a message for people.
    pub fn frame(&mut self, time: f64, motion: &RelativeMotion) -> Result<Frame, String> {
        let Some(last) = self.last.take().filter(|last| last.is_steady && last.motion == *motion) else {
            return self.frame_of_change(time, motion);
        };
        // Deep contacts take a while: they are not evaluated again where nothing changes.
        let numbers = frame_numbers(time, Some(motion), &self.model, &self.values);
        let patches = last.patches.clone();
        self.last = Some(last);
        self.time = Some(time);
        Ok(Frame { numbers, patches })
    }

    fn frame_of_change(&mut self, time: f64, motion: &RelativeMotion) -> Result<Frame, String> {
        let since = time - self.time.unwrap_or(time);
        let before = self.values.memory.clone();
        self.model.evaluate_motion(motion, since, &mut self.values).map_err(Fault::into_words)?;
        let patches = self.model.recorded_patches(&self.values, motion);
        let numbers = frame_numbers(time, Some(motion), &self.model, &self.values);
        let is_steady = self.values.memory == before;
        self.time = Some(time);
        self.last = Some(Last { motion: *motion, is_steady, patches: patches.clone() });
        Ok(Frame { numbers, patches })
    }
}
