//! A free rigid body as a model: its state is its memory, steps integrate it.

use std::ops::Range;

use super::variables::{self, FreeBodyLayout, row_by_row};
use crate::configuration::{FreeBodyConfiguration, OrientationInput};
use crate::fmu::jacobian::{ExactColumn, Formula};
use crate::fmu::model::{Fault, Model, Notes, Once};
use crate::fmu::orientation::{LARGEST_DEVIATION, orientation};
use crate::fmu::parts::Parts;
use crate::fmu::values::Values;
use crate::fmu::variables::VariableTable;
use crate::free_body::{BodyError, BodyState, MarkerMotion, RawBody, RigidBody, STATE_NUMBERS, WrenchCourse};

/// Smallest norm of a quaternion that is taken as an orientation: no solver with a sensible tolerance comes near it.
const SMALLEST_NORM: f64 = 1.0e-3;

/// A body and its variables.
pub(crate) struct FreeBodyModel {
    table: VariableTable,
    layout: FreeBodyLayout,
    name: String,
    guid: String,
}

impl FreeBodyModel {
    pub(crate) fn new(configuration: &FreeBodyConfiguration, guid: String) -> Self {
        let (table, layout) = variables::build(configuration);
        FreeBodyModel { table, layout, name: configuration.name.clone(), guid }
    }

    fn body(&self, values: &Values) -> Result<RigidBody, Fault> {
        RigidBody::new(&self.layout.body(values)).map_err(refused)
    }

    /// Where the last step has left the body; at the start, where the parameters put it.
    fn state(&self, body: &RigidBody, values: &Values) -> Result<BodyState, Fault> {
        if values.memory.is_empty() {
            return Ok(body.state(&initial_motion(&self.layout.body(values))?));
        }
        BodyState::from_numbers(&values.memory)
            .ok_or_else(|| Fault::Refused("the state in memory is not that of a rigid body".to_owned()))
    }

    fn course(&self, values: &Values, input_derivatives: &[f64]) -> WrenchCourse {
        WrenchCourse { start: self.layout.wrench(&values.reals), rate: self.layout.wrench(input_derivatives) }
    }
}

impl Model for FreeBodyModel {
    fn table(&self) -> &VariableTable {
        &self.table
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn guid(&self) -> &str {
        &self.guid
    }

    /// There are no files.
    fn prepare(&mut self, _: &Values, _: Option<&[u8; 32]>, _: &mut Notes) -> Result<(), Fault> {
        Ok(())
    }

    fn check_parameters(&self, values: &Values) -> Result<(), Fault> {
        self.body(values).map(|_| ())
    }

    fn files_digest(&self) -> [u8; 32] {
        [0; 32]
    }

    fn uses_input_derivative(&self, slot: usize) -> bool {
        self.layout.is_wrench(slot)
    }

    fn states(&self) -> Range<usize> {
        self.layout.states()
    }

    fn state_derivatives(&self) -> Range<usize> {
        self.layout.state_derivatives()
    }

    fn set_states(&self, states: &[f64], values: &mut Values) -> Result<(), Fault> {
        let numbers = FreeBodyLayout::numbers_of(states);
        let norm = states[3..7].iter().map(|part| part * part).sum::<f64>().sqrt();
        if !(SMALLEST_NORM..=1.0 / SMALLEST_NORM).contains(&norm) {
            return Err(Fault::Refused(format!(
                "the quaternion in the states has the norm {norm:e}, but must be near 1; the call changed nothing"
            )));
        }
        values.memory.clear();
        values.memory.extend_from_slice(&numbers);
        Ok(())
    }

    /// An angular momentum is as large as that of a turn of 1 rad/s; the rest is of the size of 1.
    fn nominal_states(&self, values: &Values) -> Vec<f64> {
        let largest = self.layout.body(values).moments_of_inertia.amax();
        let mut nominals = vec![1.0; STATE_NUMBERS];
        nominals[10..].fill(if largest.is_normal() { largest } else { 1.0 });
        nominals
    }

    /// Everything has a formula.
    fn formula(&self, _: &Values, _: usize, _: usize) -> Option<Formula> {
        Some(Formula::Everything)
    }

    /// Of outputs and derivatives of states, by states and inputs.
    fn exact_derivatives(&mut self, _: Formula, values: &Values) -> Result<Vec<ExactColumn>, Fault> {
        let body = self.body(values)?;
        let state = self.state(&body, values)?;
        let wrench = self.layout.wrench(&values.reals);
        let mut reals = vec![0.0; values.reals.len()];
        let mut columns = Vec::new();
        for known in self.layout.states().chain(self.layout.wrench_reals()) {
            let mut changed = vec![0.0; values.reals.len()];
            changed[known] = 1.0;
            let numbers = FreeBodyLayout::numbers_of(&changed[self.layout.states()]);
            let of_state = BodyState::from_numbers(&numbers).ok_or_else(|| refused(BodyError::NotFinite))?;
            let change = body.change(&state, &wrench, &of_state, &self.layout.wrench(&changed));
            self.layout.store_change(&change, &mut reals);
            let entries: Vec<(usize, f64)> = self.layout.motion_reals().map(|slot| (slot, reals[slot])).collect();
            if entries.iter().any(|(_, derivative)| !derivative.is_finite()) {
                return Err(refused(BodyError::NotFinite));
            }
            columns.push(ExactColumn::new(known, entries));
        }
        Ok(columns)
    }

    fn difference_steps(&self, _: usize, _: &Values) -> Result<[f64; 2], Fault> {
        Err(Fault::Refused("derivatives of a body are by states and inputs, of outputs and derivatives".to_owned()))
    }

    fn evaluate(&mut self, values: &mut Values, notes: &mut Notes) -> Result<(), Fault> {
        let body = self.body(values)?;
        let state = self.state(&body, values)?;
        let norm = state.norm();
        if LARGEST_DEVIATION < (norm.powi(4) - 1.0).abs() {
            notes.warn_once(Once::Projection, || {
                format!(
                    "the quaternion in the states has the norm {norm:e} instead of 1; the orientation is that of the \
                     quaternion over its norm, here and from now on. Take smaller steps, or a smaller tolerance"
                )
            });
        }
        let motion = if values.memory.is_empty() {
            // Not by way of the state, so that the outputs are the parameters without rounding.
            initial_motion(&self.layout.body(values))?
        } else {
            body.motion(&state)
        };
        let rates = body.state_rates(&state, &self.layout.wrench(&values.reals));
        if !rates.as_numbers().iter().all(|rate| rate.is_finite()) {
            return Err(refused(BodyError::NotFinite));
        }
        self.layout.store_motion(&motion, values);
        self.layout.store_state(&state, &rates, values);
        Ok(())
    }

    fn do_step(
        &mut self,
        values: &mut Values,
        input_derivatives: &[f64],
        step_size: f64,
        _is_current: bool,
        _: &mut Notes,
    ) -> Result<Option<f64>, Fault> {
        let body = self.body(values)?;
        let start = self.state(&body, values)?;
        let end = body.advance(&start, &self.course(values, input_derivatives), step_size).map_err(refused)?;
        self.layout.store_motion(&body.motion(&end), values);
        let wrench = self.course(values, input_derivatives).at(step_size);
        self.layout.store_state(&end, &body.state_rates(&end, &wrench), values);
        values.memory.clear();
        values.memory.extend_from_slice(end.as_numbers());
        Ok(Some(step_size))
    }

    fn output_derivatives(
        &mut self,
        _: Parts,
        values: &Values,
        input_derivatives: &[f64],
        offset: f64,
        _: f64,
    ) -> Result<Vec<f64>, Fault> {
        let body = self.body(values)?;
        let state = self.state(&body, values)?;
        let wrench = self.course(values, input_derivatives).at(offset);
        let (motion, change) = (body.motion(&state), body.acceleration(&state, &wrench));
        let turning = motion.angular_velocity.cross_matrix() * motion.rotation.matrix();
        let mut derivatives = vec![0.0; values.reals.len()];
        let rates = [change.acceleration, change.angular_acceleration];
        self.layout.store(motion.velocity, row_by_row(&turning), rates, &mut derivatives);
        Ok(derivatives)
    }

    fn recover(&mut self) {}
}

fn initial_motion(body: &RawBody) -> Result<MarkerMotion, Fault> {
    let turned = orientation(OrientationInput::Cardan, body.initial_angles.as_slice()).map_err(Fault::Refused)?;
    Ok(MarkerMotion {
        position: body.initial_position,
        rotation: turned.rotation,
        velocity: body.initial_velocity,
        angular_velocity: body.initial_angular_velocity,
    })
}

fn refused(error: BodyError) -> Fault {
    Fault::Refused(error.to_string())
}
