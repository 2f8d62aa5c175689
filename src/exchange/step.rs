//! One step of the exchange: learn from the inputs, foresee the host's step, find its wrench, keep the accounts.

use super::bodies::{BodyParameters, SolidBody};
use super::friction::Losses;
use super::identification::{Observation, Prior, Scale};
use super::memory::{self, Memory, Pending, Plan, STATEMENT, WrenchOfStep};
use super::view::View;
use super::way::{Doubt, Found, HostStep, Sample};
use super::{Six, halves, moved, six, smooth, way_between, wrenches_at};
use crate::contact::{MotionError, Outcome, RelativeMotion};
use crate::math::{Pose, Vector};

/// What is believed of the delay before anything was seen: a wrench that comes a step early takes energy out, one that
/// comes late puts it in.
pub(super) const FIRST_DELAY: f64 = 1.0;

/// Most that one step, and all steps together, can say about the delay: it may change when a host does.
const MOST_OF_A_STEP: f64 = 5.0;
const MOST_OF_ALL: f64 = 40.0;

/// Evidence that counts twice: small wrenches drown in what else accelerates, large ones tell plainly.
const PLAIN: f64 = 100.0;

/// Difference of two wrenches, as a part of both, from which on their answers tell the delay.
const SMALL_DIFFERENCE: f64 = 0.02;

/// Part of what is to be paid back that is forgotten per step: contacts that last gather what is no error of impacts.
const FORGOTTEN: f64 = 0.02;

/// Part by which the longest step of late comes down to the present one.
const SHRINKING: f64 = 0.02;

/// How far a contact has oscillated since it touched, in rad: below the first it is an impact, beyond the second it lasts.
const SHORT: f64 = 12.0;
const LONG: f64 = 36.0;

/// Most of it in one step, and what a step apart takes back.
const MOST_PHASE: f64 = 3.0;
const PHASE_APART: f64 = 1.0;

/// Most that the next touch has to pay back for the last one, as a part of the energy that it stored.
const CARRIED: f64 = 0.02;

/// Deviation of a way from the one that velocities lead along, as a part of both, beyond which a pose was set. Hosts that
/// take all of a way with the velocity of one of its ends stay below a third.
const FAR_OFF: f64 = 0.5;

/// A way that rounding makes, of the size of the smaller body.
const ROUNDED_WAY: f64 = 1.0e-9;

/// Evidence for the delay from which on what the other one would mean does not count.
const SURE: f64 = 8.0;

/// When a wrench acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delay {
    /// Over the step that returns it.
    None,
    /// Over the step after.
    OneStep,
}

/// What a step returns.
#[derive(Clone, Copy, Debug)]
pub struct Returned {
    /// The contact at that end of the step over which the wrenches act where it is deeper, with these wrenches.
    pub outcome: Outcome,
    /// What is believed of the host.
    pub delay: Delay,
    /// Mass that the bodies show to the wrench, in kg; 0 without contact.
    pub effective_mass: f64,
    /// Acceleration of M_f against M_e without contact, in m/s² and rad/s².
    pub external: [Vector; 2],
    /// Energy that the exchange has put in since the start, in J.
    pub error: f64,
}

/// The exchange of one pair. What it knows of the host is in the numbers that calls get; here is memory to work in.
#[derive(Clone, Debug)]
pub struct Exchange {
    bodies: [SolidBody; 2],
    parameters: [BodyParameters; 2],
    view: View,
    prior: Prior,
    pub(super) memory: Memory,
}

impl Exchange {
    /// Between two bodies.
    pub fn new(bodies: [SolidBody; 2]) -> Exchange {
        let parameters = [BodyParameters::default(); 2];
        let view = View { is_turned: bodies[0].mass() < bodies[1].mass() };
        let prior = prior_of(view, &bodies, &parameters);
        Exchange { bodies, parameters, view, memory: Memory::new(&prior), prior }
    }

    /// Takes over what a user states of the bodies.
    pub fn state(&mut self, parameters: [BodyParameters; 2]) {
        if parameters != self.parameters {
            self.parameters = parameters;
            self.prior = prior_of(self.view, &self.bodies, &parameters);
        }
    }

    /// The wrench for the step that starts at the inputs, or for the one after.
    pub fn step(
        &mut self,
        numbers: &mut Vec<f64>,
        motion: &RelativeMotion,
        step_size: f64,
        losses: &Losses,
        mut evaluate: impl FnMut(&RelativeMotion) -> Sample,
    ) -> Result<Returned, MotionError> {
        let motion = &self.view.motion(motion)?;
        self.begin(numbers, motion, &mut evaluate)?;
        let delay = self.memory.believed_delay();
        // The step after this one may have another size.
        let most = if delay == Delay::None { step_size } else { step_size.max(self.memory.longest_step) };
        let (found, returned) = self.solve(delay, motion, [step_size, most], losses, &mut evaluate)?;
        self.memory.record(motion, step_size, delay, &found.plan(returned.error));
        self.memory.write(numbers);
        Ok(returned)
    }

    /// The wrench for the step that comes, of which the size is expected.
    pub fn foresee(
        &mut self,
        numbers: &mut Vec<f64>,
        motion: &RelativeMotion,
        step_size: f64,
        losses: &Losses,
        mut evaluate: impl FnMut(&RelativeMotion) -> Sample,
    ) -> Result<Returned, MotionError> {
        let motion = &self.view.motion(motion)?;
        self.begin(numbers, motion, &mut evaluate)?;
        let steps = [step_size, step_size.max(self.memory.longest_step)];
        let (found, returned) = self.solve(Delay::None, motion, steps, losses, &mut evaluate)?;
        let pending = Pending { is_valid: true, plan: found.plan(returned.error) };
        // What was learnt is learnt again when the step is made: inputs may still change.
        self.load(numbers);
        self.memory.pending = pending;
        self.memory.write(numbers);
        Ok(returned)
    }

    /// Whether the contact was expected to be open where the last step ends; numbers are those of the exchange.
    pub fn is_apart(numbers: &[f64]) -> bool {
        memory::is_apart(numbers)
    }

    /// Takes note of a step whose wrench was foreseen; false where none was.
    pub fn step_as_foreseen(
        &mut self,
        numbers: &mut Vec<f64>,
        motion: &RelativeMotion,
        step_size: f64,
        mut evaluate: impl FnMut(&RelativeMotion) -> Sample,
    ) -> Result<bool, MotionError> {
        self.load(numbers);
        let pending = self.memory.pending;
        if !pending.is_valid {
            return Ok(false);
        }
        let motion = &self.view.motion(motion)?;
        self.begin(numbers, motion, &mut evaluate)?;
        // Who reads before the step applies what was read to it.
        self.memory.delay = self.memory.delay.min(-MOST_OF_A_STEP);
        self.memory.record(motion, step_size, Delay::None, &pending.plan);
        self.memory.write(numbers);
        Ok(true)
    }

    fn load(&mut self, numbers: &[f64]) {
        if !self.memory.read(numbers) {
            self.memory.reset(&self.prior);
        }
    }

    /// Brings the memory to the inputs.
    fn begin(
        &mut self,
        numbers: &[f64],
        motion: &RelativeMotion,
        evaluate: &mut impl FnMut(&RelativeMotion) -> Sample,
    ) -> Result<(), MotionError> {
        self.load(numbers);
        let memory = &mut self.memory;
        if memory.steps != 0.0 && !memory.leads_to(motion, self.prior.scale.length) {
            memory.reset(&self.prior);
        }
        let statement = statement_of(&self.parameters);
        if memory.statement != statement {
            memory.identifications.iter_mut().for_each(|identification| identification.restate(&self.prior));
            memory.statement = statement;
        }
        if memory.steps == 0.0 {
            // Until something is seen bodies go on as they do, also under a wrench.
            let node = self.view.node(motion, evaluate)?;
            let wrench = node.wrench;
            memory.last = [WrenchOfStep { wrench, dissipated: 0.0 }; 2];
            // What is stored at the start was put in by nobody here.
            memory.work = [-node.outcome.elastic_energy; 2];
            if wrench != Six::zeros() {
                for identification in &mut memory.identifications {
                    let answer = identification.compliance(&self.prior, motion.pose_ef()) * wrench;
                    identification.set_external(&self.prior, &-answer);
                }
            }
        } else {
            memory.learn(&self.prior, motion);
        }
        Ok(())
    }

    /// The step over which the wrench is to act, and the work of the contact until its start.
    fn host_step<'a>(
        &'a self,
        delay: Delay,
        motion: &'a RelativeMotion,
        [step_size, longest_step]: [f64; 2],
        losses: &Losses,
    ) -> (HostStep<'a>, f64) {
        let memory = &self.memory;
        let known = &memory.identifications[delay as usize];
        let rival = (memory.delay.abs() < SURE).then(|| &memory.identifications[1 - delay as usize]);
        let compliance = known.compliance(&self.prior, motion.pose_ef());
        let external = known.external(&self.prior);
        let mut step = HostStep {
            pose: *motion.pose_ef(),
            twist: twist_of(motion),
            step_size,
            longest_step,
            compliance,
            external,
            doubted: 1.0,
            starts_apart: memory.steps != 0.0 && memory.ends_apart,
            is_first: memory.steps == 0.0,
            last: memory.last[delay as usize].wrench,
            doubt: Doubt { known, rival, prior: &self.prior, pose: motion.pose_ef() },
            work_since_touch: 0.0,
            taken_since_touch: memory.taken[delay as usize],
            losses: *losses,
            view: self.view,
            lead: 1.0,
            lasting: smooth(SHORT, LONG, memory.phase),
        };
        let mut work = memory.work[delay as usize];
        if delay == Delay::OneStep {
            let WrenchOfStep { wrench, dissipated } = memory.last[0];
            let acceleration = compliance * wrench + external;
            let way = step_size * (step.twist + 0.5 * step_size * acceleration);
            work += wrench.dot(&way) + dissipated;
            step.taken_since_touch += dissipated;
            step.pose = moved(&step.pose, &way);
            step.twist += step_size * acceleration;
        }
        step.work_since_touch = work - memory.work_before_touch[delay as usize];
        (step, work)
    }

    fn solve(
        &self,
        delay: Delay,
        motion: &RelativeMotion,
        steps: [f64; 2],
        losses: &Losses,
        evaluate: &mut impl FnMut(&RelativeMotion) -> Sample,
    ) -> Result<(Found, Returned), MotionError> {
        let (step, work) = self.host_step(delay, motion, steps, losses);
        let found = step.solve(evaluate)?;
        let error = work + found.stored;
        let middle = moved(&step.pose, &(0.5 * found.way));
        let (force, _) = halves(&found.wrench);
        let answer = found.wrench.dot(&(step.compliance * found.wrench));
        let returned = Returned {
            outcome: Outcome {
                wrenches: self.view.wrenches(&wrenches_at(&found.wrench, &middle), &middle),
                ..found.outcome
            },
            delay,
            effective_mass: if 0.0 < answer { force.norm_squared() / answer } else { 0.0 },
            external: halves(&self.view.acceleration(motion.pose_ef(), &twist_of(motion), &step.external)).into(),
            error,
        };
        Ok((found, returned))
    }
}

impl Found {
    fn plan(&self, error: f64) -> Plan {
        let returned = WrenchOfStep { wrench: self.wrench, dissipated: self.dissipated };
        Plan { returned, ends_apart: self.ends_apart, phase: self.phase, error, stored: self.stored }
    }
}

impl Memory {
    fn reset(&mut self, prior: &Prior) {
        self.steps = 0.0;
        self.pose = Pose::identity();
        self.twist = Six::zeros();
        self.step_size = 0.0;
        self.longest_step = 0.0;
        self.last = [WrenchOfStep::default(); 2];
        self.delay = FIRST_DELAY;
        self.ends_apart = false;
        self.phase = 0.0;
        self.most_stored = 0.0;
        self.work = [0.0; 2];
        self.work_before_touch = [0.0; 2];
        self.taken = [0.0; 2];
        self.statement = [0.0; STATEMENT];
        self.pending = Pending::default();
        self.identifications.iter_mut().for_each(|identification| identification.reset(prior));
    }

    /// Whether the velocities lead from the last pose to this one: a pose that was set says nothing of bodies, and nobody
    /// has moved there.
    fn leads_to(&self, motion: &RelativeMotion, length: f64) -> bool {
        let size = |six: Six| {
            let (first, second) = halves(&six);
            first.norm() + length * second.norm()
        };
        let way = way_between(&self.pose, motion.pose_ef());
        let [before, after] = [self.twist, twist_of(motion)].map(|twist| self.step_size * twist);
        let most = FAR_OFF * (size(way) + size(before) + size(after));
        size(way - 0.5 * (before + after)) <= most + ROUNDED_WAY * length
    }

    fn believed_delay(&self) -> Delay {
        if 0.0 < self.delay { Delay::OneStep } else { Delay::None }
    }

    /// Learns from the motion since the last step.
    fn learn(&mut self, prior: &Prior, motion: &RelativeMotion) {
        let acceleration = (twist_of(motion) - self.twist) / self.step_size;
        let way = way_between(&self.pose, motion.pose_ef());
        let middle = moved(&self.pose, &(0.5 * way));
        let change = (velocity_products(motion.pose_ef(), &twist_of(motion), prior.scale.length)
            - velocity_products(&self.pose, &self.twist, prior.scale.length))
        .norm();
        let seen = Observation { pose: middle, acceleration, turn: halves(&way).1.norm(), change };
        let mut likelihoods = [0.0; 2];
        for ((identification, acted), likelihood) in
            self.identifications.iter_mut().zip(&self.last).zip(&mut likelihoods)
        {
            *likelihood = identification.observe(prior, &seen, &acted.wrench);
            if !identification.is_finite() {
                identification.reset(prior);
            }
        }
        let [now, before] = self.last;
        // Where both are alike nothing can be told.
        if SMALL_DIFFERENCE * (now.wrench.norm() + before.wrench.norm()) < (now.wrench - before.wrench).norm() {
            let evidence = likelihoods[1] - likelihoods[0];
            let most = if PLAIN < evidence.abs() { 2.0 * MOST_OF_A_STEP } else { MOST_OF_A_STEP };
            let evidence = evidence.clamp(-most, most);
            self.delay = (self.delay + evidence).clamp(-MOST_OF_ALL, MOST_OF_ALL);
        }
        let accounts = self.work.iter_mut().zip(&mut self.work_before_touch).zip(&mut self.taken);
        for (((work, before_touch), taken), acted) in accounts.zip(&self.last) {
            *work += acted.wrench.dot(&way) + acted.dissipated;
            *taken += acted.dissipated;
            if acted.wrench == Six::zeros() {
                *taken = 0.0;
                // Nothing is stored now.
                let most = CARRIED * self.most_stored;
                *before_touch = *work - (*work - *before_touch).clamp(-most, most);
            }
        }
    }

    fn record(&mut self, motion: &RelativeMotion, step_size: f64, delay: Delay, plan: &Plan) {
        let Plan { returned, ends_apart, phase, error, stored } = *plan;
        self.steps += 1.0;
        self.pose = *motion.pose_ef();
        self.twist = twist_of(motion);
        self.step_size = step_size;
        self.longest_step = step_size.max(self.longest_step - SHRINKING * (self.longest_step - step_size));
        self.last = [returned, self.last[0]];
        self.ends_apart = ends_apart;
        self.phase = (self.phase + if ends_apart { -PHASE_APART } else { phase.min(MOST_PHASE) }).clamp(0.0, LONG);
        // What another touch has stored fades while this one lasts.
        let fading = if ends_apart { 1.0 } else { 0.8 };
        self.most_stored = (fading * self.most_stored).max(stored);
        let before_touch = &mut self.work_before_touch[delay as usize];
        // What was put in stays owed.
        *before_touch += FORGOTTEN * smooth(SHORT, LONG, self.phase) * (error - *before_touch).min(0.0);
        self.pending = Pending::default();
    }
}

fn twist_of(motion: &RelativeMotion) -> Six {
    six(motion.velocity_e(), motion.angular_velocity_e())
}

/// The part of b that follows from the velocities if it is E that turns, with what a centre of mass `length` away from its
/// marker adds; in m/s². Nobody tells which body turns: it is used for how far b may change.
fn velocity_products(pose: &Pose, twist: &Six, length: f64) -> Six {
    let (v, w) = halves(twist);
    six(2.0 * w.cross(&v) - w.cross(&w.cross(&pose.translation.vector)), w * (w.norm() * length))
}

fn prior_of(view: View, bodies: &[SolidBody; 2], parameters: &[BodyParameters; 2]) -> Prior {
    let order = if view.is_turned { [1, 0] } else { [0, 1] };
    let compliances = order.map(|body| bodies[body].compliance(&parameters[body]));
    let scale =
        Scale { length: bodies[0].radius().min(bodies[1].radius()), mass: bodies[0].mass().min(bodies[1].mass()) };
    Prior::new(scale, compliances)
}

fn statement_of(parameters: &[BodyParameters; 2]) -> [f64; STATEMENT] {
    let mut statement = [0.0; STATEMENT];
    let numbers = parameters
        .iter()
        .flat_map(|body| [body.mass].into_iter().chain(body.moments_of_inertia).chain(body.centre_of_mass));
    statement.iter_mut().zip(numbers).for_each(|(to, number)| *to = number);
    statement
}
