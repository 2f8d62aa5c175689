//! What a host asks of an instance for Model Exchange: modes, time, states, derivatives, event indicators.

use std::ops::Range;

use super::instance::Instance;
use super::model::Fault;
use super::parts::{Part, Parts};
use super::state::State;

/// By how much a solver may make its next step longer than the last one.
const STEP_GROWTH: f64 = 10.0;

/// An announced event is kept until one is expected within this part of the time to it.
const MUCH_EARLIER: f64 = 0.5;

impl Instance {
    pub(crate) fn enter_event_mode(&mut self) -> Result<(), Fault> {
        self.run.state = State::EventMode;
        Ok(())
    }

    /// The time of the next event, where one can be foreseen. Nothing in these models is discrete: events only tell the
    /// solver where the right-hand side has a kink, or where to stop before it steps over one.
    pub(crate) fn new_discrete_states(&mut self) -> Result<Option<f64>, Fault> {
        self.run.event_time = self.run.time + self.time_to_event()?.unwrap_or(f64::INFINITY);
        self.run.completed_time = self.run.time;
        // Rounded away where the time is large: no event then, since it would come at once and again.
        Ok((self.run.time < self.run.event_time && self.run.event_time.is_finite()).then_some(self.run.event_time))
    }

    fn time_to_event(&mut self) -> Result<Option<f64>, Fault> {
        if self.model.event_indicators().is_empty() {
            return Ok(None);
        }
        self.bring_up_to_date(Parts::NONE.with(Part::Gap))?;
        Ok(self.model.time_to_event(&self.run.values))
    }

    pub(crate) fn enter_continuous_time_mode(&mut self) -> Result<(), Fault> {
        self.run.state = State::ContinuousTimeMode;
        self.record_inputs();
        Ok(())
    }

    /// Whether the host should enter event mode: where the next step could step over an event that is not announced.
    ///
    /// Some hosts call it at trial points too, which does no harm.
    pub(crate) fn completed_integrator_step(&mut self) -> Result<bool, Fault> {
        self.record_inputs();
        if !self.run.stale.contain(Part::Main) {
            self.model.notice(&self.run.values, &mut self.run.notes);
        }
        let step = self.run.time - self.run.completed_time;
        self.run.completed_time = self.run.time;
        // Inputs that cannot be evaluated are refused where outputs are asked for.
        let Ok(Some(time)) = self.time_to_event() else { return Ok(false) };
        let announced = self.run.event_time - self.run.time;
        Ok(time < STEP_GROWTH * step && (announced <= 0.0 || time < MUCH_EARLIER * announced))
    }

    pub(crate) fn set_time(&mut self, time: f64) -> Result<(), Fault> {
        if !time.is_finite() {
            return Err(Fault::Refused(format!("time is {time}, but must be a finite number")));
        }
        self.run.time = time;
        Ok(())
    }

    pub(crate) fn set_continuous_states(&mut self, states: &[f64]) -> Result<(), Fault> {
        check_count(states.len(), &self.model.states(), "continuous states")?;
        if let Some(position) = states.iter().position(|state| !state.is_finite()) {
            let value = states[position];
            return Err(Fault::Refused(format!(
                "state {} of {} is {value}, but must be a finite number; the call changed nothing",
                position + 1,
                states.len()
            )));
        }
        self.model.set_states(states, &mut self.run.values)?;
        if !states.is_empty() {
            self.run.stale = Parts::EVERY;
            self.jacobian.clear();
        }
        Ok(())
    }

    pub(crate) fn continuous_states(&mut self, states: &mut [f64]) -> Result<(), Fault> {
        self.copy(self.model.states(), Part::Main, "continuous states", states)
    }

    pub(crate) fn derivatives(&mut self, derivatives: &mut [f64]) -> Result<(), Fault> {
        self.copy(self.model.state_derivatives(), Part::Main, "continuous states", derivatives)
    }

    pub(crate) fn event_indicators(&mut self, indicators: &mut [f64]) -> Result<(), Fault> {
        self.copy(self.model.event_indicators(), Part::Gap, "event indicators", indicators)
    }

    pub(crate) fn nominals_of_continuous_states(&mut self, nominals: &mut [f64]) -> Result<(), Fault> {
        check_count(nominals.len(), &self.model.states(), "continuous states")?;
        nominals.copy_from_slice(&self.model.nominal_states(&self.run.values));
        Ok(())
    }

    fn copy(&mut self, slots: Range<usize>, part: Part, what: &str, numbers: &mut [f64]) -> Result<(), Fault> {
        check_count(numbers.len(), &slots, what)?;
        if !slots.is_empty() {
            self.bring_up_to_date(Parts::NONE.with(part))?;
            numbers.copy_from_slice(&self.run.values.reals[slots]);
        }
        Ok(())
    }
}

fn check_count(count: usize, slots: &Range<usize>, what: &str) -> Result<(), Fault> {
    if count == slots.len() {
        return Ok(());
    }
    Err(Fault::Refused(format!("the host passes room for {count} {what}, but this FMU has {}", slots.len())))
}

#[cfg(test)]
#[path = "model_exchange_tests.rs"]
mod tests;
