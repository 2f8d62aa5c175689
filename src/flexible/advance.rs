//! One step in time: modes drift, take the impulse of the contact in mid-step, and drift on.

use super::error::FlexibleError;
use super::implicit_mode::ImplicitMode;
use super::modes::{Modes, Propagator};
use super::outcome::{FlexibleOutcome, StepOutcome};
use super::pair::FlexiblePair;
use super::parameters::{FlexibleParameters, Submodel};
use super::state::{Account, PairState};
use super::workspace::{DampedCompliance, Integration, Workspace};
use crate::contact::{MotionError, RelativeMotion};
use crate::math::Pose;

/// Most internal steps of one step: a mistyped internal step must not run for days.
pub const MOST_INTERNAL_STEPS: u32 = 10_000_000;

/// A step that exceeds a whole number of internal steps by less than this part of one takes that number.
const STEP_ROUNDING: f64 = 1.0e-6;

impl FlexiblePair {
    /// Integrates the modes over `step` seconds and returns the contact at its end and the mean wrench.
    ///
    /// `motion_at(t)` is the relative motion `t` seconds after the beginning of the step, 0 ≤ t ≤ `step`. After an
    /// error the state is as before. The outcome at the end is what [`evaluate`](Self::evaluate) gives for the new
    /// state there, bit for bit.
    pub fn advance(
        &self,
        parameters: &FlexibleParameters,
        motion_at: &dyn Fn(f64) -> Result<RelativeMotion, MotionError>,
        step: f64,
        state: &mut PairState,
        workspace: &mut Workspace,
    ) -> Result<StepOutcome, FlexibleError> {
        let layout = self.layout();
        if state.as_numbers().len() != layout.length {
            return Err(FlexibleError::ForeignState { expected: layout.length, found: state.as_numbers().len() });
        }
        let internal_steps = internal_steps(step, parameters.internal_step())?;
        workspace.integration.numbers.clone_from(state.numbers_mut());
        let mut account = Account::load(layout, &workspace.integration.numbers);
        let first_pose = *motion_at(0.0)?.pose_ef();
        if account.reference.is_none() {
            let Workspace { solve, modal, integration, .. } = &mut *workspace;
            let first = self.evaluate_numbers(parameters, &first_pose, &integration.numbers, solve, modal)?;
            account.reference = Some(first.stored_energy());
        } else {
            let Account { on_e_at_f, pose_ef, .. } = account;
            account.add_work(&on_e_at_f, &pose_ef, &first_pose);
        }

        let mut outcome = StepOutcome { internal_steps, ..Default::default() };
        let mut pose_before = first_pose;
        if internal_steps > 0 {
            let h = step / f64::from(internal_steps);
            self.prepare(parameters, h, workspace);
            for index in 0..internal_steps {
                let time = |part: f64| ((f64::from(index) + part) * h).min(step);
                let pose_middle = *motion_at(time(0.5))?.pose_ef();
                let pose_after = *motion_at(time(1.0))?.pose_ef();
                let contact = self.internal_step(parameters, h, &pose_middle, &mut account, workspace)?;
                account.add_work(&contact.wrenches.on_e_at_f(), &pose_before, &pose_after);
                outcome.mean += 1.0 / f64::from(internal_steps) * contact.wrenches;
                outcome.iterations += contact.iterations;
                outcome.border_in_contact |= contact.border_in_contact;
                outcome.max_penetration = outcome.max_penetration.max(contact.max_penetration);
                pose_before = pose_after;
            }
        }

        let Workspace { solve, modal, integration, .. } = workspace;
        account.store(layout, &mut integration.numbers);
        outcome.end = self.evaluate_numbers(parameters, &pose_before, &integration.numbers, solve, modal)?;
        outcome.border_in_contact |= outcome.end.border_in_contact;
        outcome.max_penetration = outcome.max_penetration.max(outcome.end.max_penetration);
        if internal_steps == 0 {
            outcome.mean = outcome.end.wrenches;
        }
        account.pose_ef = pose_before;
        account.on_e_at_f = outcome.end.wrenches.on_e_at_f();
        account.store(layout, &mut integration.numbers);
        state.numbers_mut().copy_from_slice(&integration.numbers);
        Ok(outcome)
    }

    /// Coefficients of all modes for internal steps of h seconds.
    fn prepare(&self, parameters: &FlexibleParameters, h: f64, workspace: &mut Workspace) {
        let Integration { propagators, implicit, .. } = &mut workspace.integration;
        for (b, body) in self.bodies.iter().enumerate() {
            propagators[b].clear();
            implicit[b].clear();
            let Some(modes) = &body.modes else { continue };
            let oscillators = modes.angular_frequencies.iter().zip(&modes.damping_ratios);
            propagators[b].extend(oscillators.take(modes.low).map(|(&omega, &xi)| Propagator::new(omega, xi, 0.5 * h)));
            if parameters.submodel() == Submodel::Damped {
                implicit[b].extend(
                    modes.angular_frequencies[modes.low..]
                        .iter()
                        .map(|&omega| ImplicitMode::new(omega, Modes::submodel_damping(parameters, omega), h)),
                );
            }
        }
        if parameters.submodel() == Submodel::Damped {
            let key = [h, parameters.damped_period(), parameters.transition_damping()];
            let is_known =
                |damped: &DampedCompliance| damped.key == key && std::sync::Arc::ptr_eq(&damped.pair, &self.identity);
            if !workspace.damped.as_ref().is_some_and(is_known) {
                let compliances = self.compliances(|b, mode| implicit[b][mode - self.low_modes(b)].softness());
                workspace.damped = Some(DampedCompliance { pair: self.identity.clone(), key, compliances });
            }
        }
    }

    /// Advances the numbers by one internal step and returns the contact in its middle.
    fn internal_step(
        &self,
        parameters: &FlexibleParameters,
        h: f64,
        pose_middle: &Pose,
        account: &mut Account,
        workspace: &mut Workspace,
    ) -> Result<FlexibleOutcome, FlexibleError> {
        let Workspace { solve, modal, integration, damped } = workspace;
        let Integration { numbers, middle, propagators, implicit } = integration;
        account.dissipated += self.drift(propagators, numbers);

        let compliances = match parameters.submodel() {
            Submodel::QuasiStatic => self.static_compliances().each_ref().map(Option::as_ref),
            Submodel::Damped => {
                damped.as_ref().map_or([None, None], |damped| damped.compliances.each_ref().map(Option::as_ref))
            }
            Submodel::Modal => [None, None],
        };
        for (b, layout) in self.layout().bodies.iter().enumerate() {
            let (q, v) = (&numbers[layout.coordinates.clone()], &numbers[layout.velocities.clone()]);
            let low = self.low_modes(b);
            middle[b].clear();
            middle[b].extend_from_slice(&q[..low]);
            let stiff = q.iter().zip(v).skip(low).zip(&implicit[b]);
            middle[b].extend(stiff.map(|((&q, &v), mode)| mode.middle(q, v)));
            solve.bodies[b].forces.clear();
            solve.bodies[b].forces.extend_from_slice(&numbers[layout.forces.clone()]);
        }
        let coordinates = middle.each_ref().map(Vec::as_slice);
        let iterations = self.solve(parameters, pose_middle, coordinates, compliances, solve)?;

        for (b, body) in self.bodies.iter().enumerate() {
            let Some(modes) = &body.modes else { continue };
            let layout = &self.layout().bodies[b];
            let forces = &solve.bodies[b].forces;
            numbers[layout.forces.clone()].copy_from_slice(forces);
            let low = modes.low;
            modal.clear();
            modal.resize(low + implicit[b].len(), 0.0);
            modes.modal_forces(forces, 0, modal);
            let (until_velocities, velocities) = numbers.split_at_mut(layout.velocities.start);
            let q = &mut until_velocities[layout.coordinates.clone()];
            for (v, p) in velocities.iter_mut().zip(&modal[..low]) {
                *v += h * p;
            }
            let stiff = q.iter_mut().zip(velocities).skip(low).zip(&modal[low..]).zip(&implicit[b]);
            for (((q, v), &p), mode) in stiff {
                account.dissipated += mode.advance(q, v, p);
            }
        }
        account.dissipated += self.drift(propagators, numbers);
        let mut contact = FlexibleOutcome::of_contacts(&solve.contacts, pose_middle);
        contact.iterations = iterations;
        Ok(contact)
    }

    /// Moves the low-frequency modes without forces over half an internal step; returns the energy that damping takes.
    fn drift(&self, propagators: &[Vec<Propagator>; 2], numbers: &mut [f64]) -> f64 {
        let mut dissipated = 0.0;
        for (b, body) in self.bodies.iter().enumerate() {
            let Some(modes) = &body.modes else { continue };
            let layout = &self.layout().bodies[b];
            let (until_velocities, velocities) = numbers.split_at_mut(layout.velocities.start);
            let q = &mut until_velocities[layout.coordinates.clone()];
            for (mode, propagator) in propagators[b].iter().enumerate() {
                let (q, v) = (&mut q[mode], &mut velocities[mode]);
                let omega = modes.angular_frequencies[mode];
                let is_damped = modes.damping_ratios[mode] > 0.0;
                let energy = |q: f64, v: f64| 0.5 * (v * v + omega * q * (omega * q));
                let before = if is_damped { energy(*q, *v) } else { 0.0 };
                propagator.apply(q, v);
                if is_damped {
                    dissipated += before - energy(*q, *v);
                }
            }
        }
        dissipated
    }
}

fn internal_steps(step: f64, internal_step: f64) -> Result<u32, FlexibleError> {
    let count = (step / internal_step - STEP_ROUNDING).ceil();
    if !(step.is_finite() && step >= 0.0 && count <= f64::from(MOST_INTERNAL_STEPS)) {
        return Err(FlexibleError::BadStep { step, internal_step });
    }
    Ok(if step > 0.0 { count.max(1.0) as u32 } else { 0 })
}
