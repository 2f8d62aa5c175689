//! The constant wrench of a step whose work is the change of the contact's energy.
//!
//! Under a constant wrench W the bodies go the way d = H V + H²/2 (A W + b). The elastic part of W is the mean of the
//! contact's elastic wrench along that way: then its work is the change of the elastic energy. Since d depends on W, a few
//! Newton iterations with the contact's stiffness find both. Damping and friction are those at the velocity with which the
//! step ends: what sticks comes to rest within the step, and takes what it had.
//!
//! Such a step keeps the energy, so that what trembles goes on trembling, at worst from step to step. Where a contact
//! lasts, stiffness damps what the step does not resolve.

use nalgebra::{Matrix4x6, Matrix6};

use super::friction::{Losses, Rubbing, Slip, solved};
use super::identification::{Identification, Prior};
use super::smooth;
use super::view::{Node, View};
use super::{Compliance, Six, moved};
use crate::contact::{Deflection, Derivatives, MotionError, Outcome, RelativeMotion};
use crate::math::Pose;

/// Most evaluations of the contact per step.
pub(super) const MOST_EVALUATIONS: u32 = 6;

/// Evaluations of damping and friction, which are among them.
const EVALUATIONS_OF_LOSSES: u32 = 2;

/// Change of the wrench, as a part of it, below which another iteration is not worth its evaluations.
const SMALL_CHANGE: f64 = 1.0e-6;

/// Likewise for damping and friction.
const FEW: f64 = 1.0e-3;

/// Most by which a wrench is changed to pay back what the exchange has put in or taken since the touch.
const MOST_PAID_BACK: [f64; 2] = [-0.95, 0.5];

/// Work of a step, as a part of the energy in the contact, below which little is paid back: a contact at rest stays.
const WORK_AT_REST: f64 = 0.1;

/// Most work of a step, as a part of what the contact has taken: what is kept too long must be paid by the next touch.
const RELEASED: f64 = 1.02;

/// Part of the motion that weight gives within a step which a contact that lasts may give back although it never took it.
const RISING: f64 = 0.1;

/// Most by which a compliance is taken larger than it is believed to be.
const MOST_DOUBT: f64 = 10.0;

/// Largest correction of a wrench, as a part of it, that is made without looking where it leads.
const MOST_OF_A_CORRECTION: f64 = 0.2;

/// Deviation of a wrench from the mean along its way, as a part of both, from which on the debt of the exchange counts.
const GOOD_DEVIATION: f64 = 0.02;

/// The contact at a motion, with its derivatives by pose and velocity.
pub type Sample = (Outcome, Derivatives);

/// A step of the host: where it starts, and how its bodies answer.
#[derive(Clone, Copy)]
pub(super) struct HostStep<'a> {
    pub(super) pose: Pose,
    pub(super) twist: Six,
    pub(super) step_size: f64,
    /// The host may make the step as long as this.
    pub(super) longest_step: f64,
    pub(super) compliance: Compliance,
    pub(super) external: Six,
    /// Whether the contact is known to be open where the step starts.
    pub(super) starts_apart: bool,
    /// Factor by which it was taken larger than it is believed to be.
    pub(super) doubted: f64,
    /// The wrench that acted last.
    pub(super) last: Six,
    /// Whether nothing was seen of the bodies yet.
    pub(super) is_first: bool,
    /// By how much wrench · compliance · wrench may well be larger than it is believed to be.
    pub(super) doubt: Doubt<'a>,
    /// Work of the contact since it touched, with what damping and friction took; less what it has stored this is energy
    /// that the exchange has put in, in J.
    pub(super) work_since_touch: f64,
    /// What damping and friction have taken since then, in J.
    pub(super) taken_since_touch: f64,
    pub(super) losses: Losses,
    pub(super) view: View,
    /// From 0 in an impact to 1 in a contact that lasts.
    pub(super) lasting: f64,
    /// Where friction is looked at: 0 in the middle of the step, 1 at its end.
    pub(super) lead: f64,
}

/// What is known of the compliance at a pose.
#[derive(Clone, Copy)]
pub(super) struct Doubt<'a> {
    pub(super) known: &'a Identification,
    /// What would be known if wrenches acted at another step, as long as nobody knows.
    pub(super) rival: Option<&'a Identification>,
    pub(super) prior: &'a Prior,
    pub(super) pose: &'a Pose,
}

impl Doubt<'_> {
    fn of(&self, wrench: &Six) -> f64 {
        self.known.doubt(self.prior, self.pose, wrench)
    }

    fn of_rival(&self, wrench: &Six) -> f64 {
        self.rival.map_or(0.0, |rival| wrench.dot(&(rival.compliance(self.prior, self.pose) * wrench)))
    }
}

/// What was found for a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) wrench: Six,
    pub(super) way: Six,
    /// What damping and friction take over the step, in J.
    pub(super) dissipated: f64,
    /// The contact at the end of the step where it is deeper.
    pub(super) outcome: Outcome,
    /// Elastic energy where the step starts, in J.
    pub(super) stored: f64,
    pub(super) ends_apart: bool,
    /// How far the contact oscillates within the step, in rad.
    pub(super) phase: f64,
}

/// The mean of the elastic wrench along the way to which a wrench leads.
#[derive(Clone)]
struct Mean {
    wrench: Six,
    way: Six,
    mean: Six,
    by_way: Matrix6<f64>,
    /// The contact at the end.
    end: Node,
    /// Part of the way that is in contact.
    length: f64,
}

/// Damping and friction: a wrench that changes with the twist, and a patch that rubs.
struct Taken {
    base: Six,
    twist: Six,
    by_twist: Matrix6<f64>,
    rubbing: Option<Rubbing>,
}

impl Taken {
    /// Of the contact where it was looked at, of which a share was taken.
    fn of_all(&self, share: f64) -> Taken {
        let per_share = if 0.0 < share { 1.0 / share } else { 0.0 };
        let rubbing = self.rubbing.map(|rubbing| Rubbing { limit: rubbing.limit * per_share, ..rubbing });
        Taken { base: self.base * per_share, twist: self.twist, by_twist: self.by_twist * per_share, rubbing }
    }

    /// The mean of both ends of a way.
    fn mean(&self, other: &Taken) -> Taken {
        let rubbing = self.rubbing.zip(other.rubbing).map(|(mut rubbing, other)| {
            rubbing.limit = 0.5 * (rubbing.limit + other.limit);
            rubbing
        });
        Taken {
            base: 0.5 * (self.base + other.base + other.by_twist * (self.twist - other.twist)),
            twist: self.twist,
            by_twist: 0.5 * (self.by_twist + other.by_twist),
            rubbing: rubbing.or(self.rubbing),
        }
    }
}

/// A contact that grows or fades like a power of the way: from or to where, in parts of the way.
#[derive(Clone, Copy)]
struct Course {
    length: f64,
    exponent: f64,
}

impl HostStep<'_> {
    fn way(&self, wrench: &Six) -> Six {
        self.step_size * (self.twist + 0.5 * self.step_size * (self.compliance * wrench + self.external))
    }

    fn end_twist(&self, wrench: &Six) -> Six {
        self.twist + self.step_size * (self.compliance * wrench + self.external)
    }

    /// The twist for damping and friction.
    fn rubbing_twist(&self, wrench: &Six) -> Six {
        self.twist + 0.5 * (1.0 + self.lead) * (self.end_twist(wrench) - self.twist)
    }

    /// What bristles are deflected by within a step: in its middle, or half a step beyond its end, so that they come to
    /// rest.
    fn stretch(&self, wrench: &Six, length: f64) -> Six {
        let (of_way, of_twist) = (0.5 * (1.0 + self.lead) * length, 0.5 * self.lead * self.step_size);
        of_way * self.way(wrench) + of_twist * self.end_twist(wrench)
    }

    /// Where friction is to be looked at: slip that hardly changes in the middle of the step, slip that comes to rest at
    /// its end.
    fn lead(&self, seen: &Mean, wrench: &Six, calming: f64) -> f64 {
        let turn = self.frequency(&seen.mean, &seen.end.by_pose) * self.step_size;
        let unresolved = smooth(1.5, 4.0, turn);
        let Some(rubbing) = Rubbing::new(&seen.end, &moved(&self.pose, &seen.way).translation.vector, &self.losses)
        else {
            return unresolved;
        };
        let [before, after] = [self.twist, self.end_twist(wrench)].map(|twist| rubbing.by_twist * twist);
        let sum = before.norm() + after.norm();
        let change = if 0.0 < sum { (after - before).norm() / sum } else { 1.0 };
        let turns = smooth(0.2, 0.6, change);
        if self.losses.bristles.is_some() {
            let way = 0.5 * self.step_size * (before + after).norm();
            return (turns * smooth(0.2, 1.0, way / rubbing.reach)).max(calming).max(unresolved);
        }
        turns.max(unresolved).max(1.0 - smooth(1.0, 3.0, 0.5 * (before + after).norm() / rubbing.reach))
    }

    /// The contact at a part of a way, without damping and friction.
    fn elastic(
        &self,
        way: &Six,
        part: f64,
        evaluate: &mut dyn FnMut(&RelativeMotion) -> Sample,
    ) -> Result<Node, MotionError> {
        // Without losses the velocity changes nothing but what is reported of it.
        let twist = if self.losses.is_there() { Six::zeros() } else { way / self.step_size };
        let (velocity, angular_velocity) = super::halves(&twist);
        let motion = RelativeMotion::new(moved(&self.pose, &(way * part)), velocity, angular_velocity)?;
        self.view.node(&motion, evaluate)
    }

    /// Solves for the wrench.
    pub(super) fn solve(&self, evaluate: &mut dyn FnMut(&RelativeMotion) -> Sample) -> Result<Found, MotionError> {
        if self.starts_apart {
            return self.solve_touch(MOST_EVALUATIONS, evaluate);
        }
        let start = self.elastic(&self.way(&self.last), 0.0, evaluate)?;
        if !start.outcome.in_contact {
            return self.solve_touch(MOST_EVALUATIONS - 1, evaluate);
        }
        self.solve_contact(&start, evaluate)
    }

    /// The same step with as much compliance as it may well have; the answer to the last wrench was seen.
    fn doubted(&self, wrench: &Six) -> Self {
        let (believed, doubt) = (wrench.dot(&(self.compliance * wrench)), self.doubt.of(wrench));
        let factor = if 0.0 < believed { (1.0 + doubt / believed).min(MOST_DOUBT) } else { 1.0 };
        let external = self.external - (factor - 1.0) * self.compliance * self.last;
        HostStep { compliance: self.compliance * factor, external, doubted: factor, ..*self }
    }

    /// From an open contact: a single evaluation at the end where it stays open.
    fn solve_touch(
        &self,
        evaluations: u32,
        evaluate: &mut dyn FnMut(&RelativeMotion) -> Sample,
    ) -> Result<Found, MotionError> {
        let mut step = HostStep { last: Six::zeros(), ..*self };
        let of_losses = if self.losses.is_there() { 1 } else { 0 };
        let mut wrench = Six::zeros();
        let mut mean: Option<Mean> = None;
        for iteration in 0..evaluations - 2 - of_losses {
            let way = step.way(&wrench);
            let end = step.elastic(&way, 1.0, evaluate)?;
            if !end.outcome.in_contact {
                if iteration == 0 {
                    return Ok(Found {
                        wrench,
                        way,
                        dissipated: 0.0,
                        outcome: end.outcome,
                        stored: 0.0,
                        ends_apart: true,
                        phase: 0.0,
                    });
                }
                // The wrench was too large to touch at all.
                wrench *= 0.5;
                continue;
            }
            if mean.is_none() {
                step = step.doubted(&end.wrench);
            }
            let course = end.course(&way, 1.0);
            // The mean along the way of a wrench that grows like a power from the touch on.
            let share = course.length / (course.exponent + 1.0);
            let middle = 1.0 - share;
            let by_way = end.by_pose * (middle * course.length / course.exponent);
            let seen = Mean { wrench, way, mean: end.wrench * share, by_way, end, length: course.length };
            let better = step.stopped(&seen.end, &way, course);
            let change = (better - wrench).norm();
            wrench = better;
            mean = Some(seen);
            if change < 0.05 * wrench.norm() {
                break;
            }
        }
        let Some(mut seen) = mean else {
            let way = step.way(&Six::zeros());
            return Ok(Found {
                wrench: Six::zeros(),
                way,
                dissipated: 0.0,
                outcome: Outcome::default(),
                stored: 0.0,
                ends_apart: true,
                phase: 0.0,
            });
        };
        let way = step.way(&wrench);
        let spread = 0.5 / 3f64.sqrt();
        let parts = [0.5 - spread, 0.5 + spread].map(|part| 1.0 - seen.length * (1.0 - part));
        let nodes = [step.elastic(&way, parts[0], evaluate)?, step.elastic(&way, parts[1], evaluate)?];
        let weight = 0.5 * seen.length;
        seen.mean = weight * (nodes[0].wrench + nodes[1].wrench);
        seen.by_way = weight * (parts[0] * nodes[0].by_pose + parts[1] * nodes[1].by_pose);
        (seen.wrench, seen.way) = (wrench, way);
        let better = step.improved(&seen, None, None);
        let mut wrench = if (better - wrench).norm() < MOST_OF_A_CORRECTION * wrench.norm() { better } else { wrench };
        step.lead = step.lead(&seen, &wrench, 0.0);
        let mut outcome = seen.end.outcome;
        let end = Node { wrench: nodes[1].wrench, ..nodes[1] };
        if of_losses == 1 && end.outcome.in_contact {
            // Where the second node was, seen.length of the way is in contact.
            let straight = moved(&self.pose, &(way * (1.0 - seen.length)));
            let at = Mean { end, way: way * parts[1], ..seen.clone() };
            let (taken, full) =
                step.taken(&wrench, &at, (&at.end, 1.0), at.share(&at.end), Some(straight), evaluate)?;
            wrench = step.improved(&seen, Some(&taken), Some(straight));
            outcome = full;
        }
        let bounded = HostStep { work_since_touch: 0.0, ..step }.bounded(&wrench);
        Ok(step.found([&wrench, &bounded], &seen, [0.0; 2], outcome, !nodes[1].outcome.in_contact))
    }

    /// The part of the wrench at the end of a way, as a constant over the step, whose work is what the contact then stores;
    /// it has grown like a power from the touch on. There always is one.
    fn stopped(&self, end: &Node, way: &Six, course: Course) -> Six {
        let approach = -end.wrench.dot(way);
        let (depth, energy) = (course.length * approach, end.outcome.elastic_energy);
        let free = -end.wrench.dot(&self.way(&Six::zeros()));
        let answer = 0.5 * self.step_size * self.step_size * end.wrench.dot(&(self.compliance * end.wrench));
        if !(0.0 < depth && 0.0 < energy && 0.0 < free) {
            return end.wrench * (course.length / (course.exponent + 1.0));
        }
        // Work against the approach, more than what is stored.
        let is_enough = |part: f64| {
            let approach_then = free - part * answer;
            let depth_then = (depth - (approach - approach_then)).max(0.0);
            energy * (depth_then / depth).powf(course.exponent + 1.0) <= part * approach_then
        };
        // Where it would just not touch, or all that is stored is paid by the way in.
        let mut high = 1.0f64.max(energy / free);
        if 0.0 < answer {
            high = ((depth - approach + free) / answer).max(0.0);
        }
        let mut low = 0.0;
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if is_enough(middle) { high = middle } else { low = middle }
        }
        end.wrench * high
    }

    /// From a contact, in the end closed or open.
    fn solve_contact(
        &self,
        start: &Node,
        evaluate: &mut dyn FnMut(&RelativeMotion) -> Sample,
    ) -> Result<Found, MotionError> {
        let step = self.doubted(&start.wrench);
        let stored = start.outcome.elastic_energy;
        let debt = (self.work_since_touch + stored, stored);
        let straight = self.losses.bristles.map(|(_, memory)| {
            let straight = memory.advanced(&self.view.pose(&self.pose), &start.outcome.grip).straight_ef;
            straight.map_or(self.pose, |straight| self.view.pose(&straight))
        });
        let of_losses = if self.losses.is_there() { EVALUATIONS_OF_LOSSES } else { 0 };
        // As if the contact were linear about the start.
        let first = Mean {
            wrench: Six::zeros(),
            way: Six::zeros(),
            mean: start.wrench,
            by_way: 0.5 * start.by_pose,
            end: *start,
            length: 1.0,
        };
        let mut wrench = step.improved(&first, None, straight);
        let step = HostStep { lead: step.lead(&first, &wrench, step.calming(&first)), ..step };
        let mut best: Option<(Mean, f64)> = None;
        let mut share = None;
        let most = MOST_EVALUATIONS - 1 - of_losses;
        for iteration in 0..most {
            let way = step.way(&wrench);
            let end = step.elastic(&way, 1.0, evaluate)?;
            let mut seen = step.mean(start, end, wrench, way);
            seen.scale(share.unwrap_or(1.0));
            if share.is_none() && (seen.deviation() <= GOOD_DEVIATION || iteration + 2 >= most) {
                // Fixed for the rest of the iteration: near a turn it changes fast.
                let chosen = 1.0 + (1.0 - self.lasting) * paid_back(debt, seen.mean.dot(&way));
                share = Some(chosen);
                seen.scale(chosen);
                best = None;
            }
            // The residual counts with friction as it would be there.
            let better = step.improved(&seen, None, straight);
            let deviation = (better - wrench).norm() / (better.norm() + wrench.norm()).max(f64::MIN_POSITIVE);
            let is_done = deviation <= SMALL_CHANGE;
            match &best {
                Some((other, least)) if *least < deviation => {
                    wrench = 0.5 * (wrench + other.wrench);
                }
                _ => {
                    best = Some((seen, deviation));
                    wrench = better;
                }
            }
            if is_done {
                break;
            }
        }
        let Some((seen, _)) = best else { unreachable!("there was an iteration") };
        let mut wrench = step.improved(&seen, None, straight);
        let ends_apart = !seen.end.outcome.in_contact;
        let is_deeper = !ends_apart && start.outcome.elastic_energy <= seen.end.outcome.elastic_energy;
        let (place, part) = if is_deeper { (&seen.end, 1.0) } else { (start, 0.0) };
        let mut outcome = place.outcome;
        if 0 < of_losses {
            let share = seen.share(place);
            let (taken, full) = step.taken(&wrench, &seen, (place, part), share, straight, evaluate)?;
            let better = step.improved(&seen, Some(&taken), straight);
            let change = (better - wrench).norm();
            (wrench, outcome) = (better, full);
            let differs = FEW * start.wrench.norm() < (start.wrench - seen.end.wrench).norm();
            if !ends_apart && differs {
                let other = if is_deeper { (start, 0.0) } else { (&seen.end, 1.0) };
                let (other, _) = step.taken(&wrench, &seen, other, 1.0, straight, evaluate)?;
                wrench = step.improved(&seen, Some(&taken.of_all(share).mean(&other)), straight);
            } else if FEW * wrench.norm() < change {
                let (taken, full) = step.taken(&wrench, &seen, (place, part), share, straight, evaluate)?;
                wrench = step.improved(&seen, Some(&taken), straight);
                outcome = full;
            }
        }
        let bounded = step.bounded(&wrench);
        // What bristles may give back.
        let returned = match (straight, Rubbing::new(start, &self.pose.translation.vector, &self.losses)) {
            (Some(straight), Some(rubbing)) => {
                let stored = rubbing.stored(&Deflection::between(&straight, &self.pose), &self.pose);
                stored.min(self.taken_since_touch).max(0.0)
            }
            _ => 0.0,
        };
        Ok(step.found([&wrench, &bounded], &seen, [stored, returned], outcome, ends_apart))
    }

    /// From the wrench as it was found and as it may be; with the energy that layers store where the step starts, and that
    /// bristles may give back, in J.
    fn found(
        &self,
        [found, wrench]: [&Six; 2],
        seen: &Mean,
        [stored, returned]: [f64; 2],
        outcome: Outcome,
        ends_apart: bool,
    ) -> Found {
        let way = self.way(wrench);
        // What is not elastic.
        let taken = seen.mean + seen.by_way * (self.way(found) - seen.way) - found;
        let part = if *found == Six::zeros() { 0.0 } else { wrench.norm() / found.norm() };
        let dissipated = if self.losses.is_there() { (part * taken.dot(&way)).max(-returned) } else { 0.0 };
        let phase = self.frequency(&seen.mean, &seen.end.by_pose) * self.step_size;
        Found { wrench: *wrench, way, dissipated, outcome, stored, ends_apart, phase }
    }

    /// The frequency with which bodies oscillate on a contact, along their answer to a wrench, in rad/s.
    fn frequency(&self, wrench: &Six, by_pose: &Matrix6<f64>) -> f64 {
        let answer = self.compliance * wrench;
        let (stiff, heavy) = (-answer.dot(&(by_pose * answer)), answer.dot(wrench));
        if 0.0 < stiff && 0.0 < heavy { (stiff / heavy).sqrt() } else { 0.0 }
    }

    /// Part of the stiffness per step size that damps.
    fn calming(&self, seen: &Mean) -> f64 {
        if self.lasting == 0.0 || !seen.end.outcome.in_contact {
            return 0.0;
        }
        let turn = self.frequency(&seen.mean, &seen.end.by_pose) * self.step_size;
        self.lasting * turn * turn / (1.0 + turn * turn)
    }

    /// One Newton iteration.
    fn improved(&self, seen: &Mean, taken: Option<&Taken>, straight: Option<Pose>) -> Six {
        let step_size = self.step_size;
        let of_way = 0.5 * step_size * step_size * self.compliance;
        let of_twist = step_size * self.compliance;
        let (free_way, free_twist) = (self.way(&Six::zeros()), self.end_twist(&Six::zeros()));
        let of_rubbing = 0.5 * (1.0 + self.lead) * of_twist;
        let mut constant = seen.mean + seen.by_way * (free_way - seen.way);
        let mut by_wrench = seen.by_way * of_way;
        let calming = self.calming(seen);
        if 0.0 < calming {
            let damping = 0.25 * calming * step_size * (seen.end.by_pose + seen.end.by_pose.transpose());
            constant += damping * (free_way / step_size + free_twist);
            by_wrench += damping * (of_way / step_size + of_twist);
        }
        let rubbing = taken.map_or_else(
            || Rubbing::new(&seen.end, &moved(&self.pose, &seen.way).translation.vector, &self.losses),
            |taken| taken.rubbing,
        );
        let share = match taken {
            Some(_) => 1.0,
            None if 0.0 < seen.end.wrench.norm() => (seen.mean.norm() / seen.end.wrench.norm()).min(2.0),
            None => 0.0,
        };
        if let Some(Taken { base, twist, by_twist, .. }) = taken {
            constant += base + by_twist * (self.rubbing_twist(&Six::zeros()) - twist);
            by_wrench += by_twist * of_rubbing;
        }
        let better = match &rubbing {
            None => solved(&constant, &by_wrench, None),
            Some(rubbing) => {
                let slip = self.slip(rubbing, &Six::zeros(), straight, seen.length);
                let slip_by_wrench: Matrix4x6<f64> = rubbing.by_twist
                    * match self.losses.bristles {
                        None => of_rubbing,
                        Some(_) => {
                            0.5 * (1.0 + self.lead) * seen.length * of_way + 0.5 * self.lead * step_size * of_twist
                        }
                    };
                solved(&constant, &by_wrench, Some((rubbing, &slip, &slip_by_wrench, share)))
            }
        };
        // A contact pushes. Where the iteration says otherwise it has gone too far.
        better.filter(|better| 0.0 < better.dot(&seen.mean)).unwrap_or(seen.mean)
    }

    /// Slip of the point that rubs: its velocity, or the way that its bristles are deflected by.
    fn slip(&self, rubbing: &Rubbing, wrench: &Six, straight: Option<Pose>, length: f64) -> Slip {
        if self.losses.bristles.is_none() {
            return rubbing.by_twist * self.rubbing_twist(wrench);
        }
        // At the start of the step, about the origin of M_f there.
        let before = match straight {
            Some(straight) if !self.starts_apart => Deflection::between(&straight, &self.pose),
            _ => Deflection::NONE,
        };
        let there = before.at(self.pose.translation.vector);
        rubbing.by_twist * (super::six(there, before.rotation_e) + self.stretch(wrench, length))
    }

    /// Damping and friction at one end of a way, as parts of the mean.
    fn taken(
        &self,
        wrench: &Six,
        seen: &Mean,
        (place, part): (&Node, f64),
        share: f64,
        straight: Option<Pose>,
        evaluate: &mut dyn FnMut(&RelativeMotion) -> Sample,
    ) -> Result<(Taken, Outcome), MotionError> {
        let end_twist = self.rubbing_twist(wrench);
        let (velocity, angular_velocity) = super::halves(&end_twist);
        let pose = moved(&self.pose, &(seen.way * part));
        let mut motion = RelativeMotion::new(pose, velocity, angular_velocity)?;
        if let (Some(straight), Some(_)) = (straight, self.losses.bristles) {
            let begin = if self.starts_apart { straight } else { self.pose };
            let stretched = moved(&begin, &self.stretch(wrench, seen.length));
            motion = motion.with_deflection(Deflection::between(&straight, &stretched))?;
        }
        let full = self.view.node(&motion, evaluate)?;
        let all = share * (full.wrench - place.wrench);
        let mut base = all;
        let mut rubbing = Rubbing::new(place, &pose.translation.vector, &self.losses);
        let mut by_end_twist = share * full.by_velocity;
        if let Some(rubbing) = &mut rubbing {
            let slip = self.slip(rubbing, wrench, straight, seen.length);
            rubbing.limit *= share;
            let expected = rubbing.friction(&slip);
            let force = rubbing.part_of(&all);
            if 0.0 < expected.norm_squared() {
                rubbing.limit *= (force.dot(&expected) / expected.norm_squared()).clamp(0.1, 2.0);
            }
            if self.losses.bristles.is_some() {
                // The stretch per change of the twist for friction.
                let per_twist = 0.5 * self.step_size * (seen.length + 2.0 * self.lead / (1.0 + self.lead));
                by_end_twist += per_twist * share * full.by_deflection;
            }
            let without = rubbing.without_slip();
            by_end_twist = without.transpose() * by_end_twist * without;
            base -= rubbing.by_twist.transpose() * rubbing.friction(&slip);
        }
        Ok((Taken { base, twist: end_twist, by_twist: by_end_twist, rubbing }, full.outcome))
    }

    /// The wrench, or as much of it as does no more work than the contact has taken since it touched.
    fn bounded(&self, wrench: &Six) -> Six {
        HostStep { step_size: self.longest_step, ..*self }.bounded_within(wrench)
    }

    fn bounded_within(&self, wrench: &Six) -> Six {
        let believed = wrench.dot(&(self.compliance * wrench));
        let known = believed.max(self.doubt.of_rival(wrench));
        let half_square = 0.5 * self.step_size * self.step_size;
        // What lies too deep rises slowly: with a part of the motion that weight and other forces give within a step.
        let weight = wrench.dot(&self.external).abs();
        let gathered = if 0.0 < known { half_square * weight * (weight / known).min(1.0) } else { 0.0 };
        let most = (-self.work_since_touch).max(RISING * self.lasting * gathered);
        let most_answer = (believed / self.doubted + self.doubt.of(wrench)).max(known);
        let answer = half_square * most_answer;
        let mut before = wrench.dot(&self.way(&Six::zeros()));
        if self.is_first {
            // The wrench acts already, and bodies go on as they do: what may be off is the answer to a change.
            let same = (self.last.dot(wrench) / wrench.norm_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
            before -= half_square * same * (most_answer - believed).max(0.0);
        }
        // What turning within the step may make of both is kept back.
        let unsure = self.turn(wrench);
        let (without, with) = (before + unsure * before.abs(), (1.0 + unsure) * answer);
        if without + with <= RELEASED * most || with <= 0.0 {
            return *wrench;
        }
        // The larger root of s (without + s with) = most.
        let part = ((without * without + 4.0 * with * RELEASED * most).sqrt() - without) / (2.0 * with);
        // What stops the approach until the end of the step, as far as is believed, is always allowed: nobody should fall
        // through.
        let is_approach = wrench.dot(&self.twist) <= 0.0 && 0.0 < known;
        let after = wrench.dot(&self.end_twist(&Six::zeros()));
        let stop = if is_approach { -after / (self.step_size * known) } else { 0.0 };
        // Where a contact lasts it comes to rest: what keeps the energy would tremble for ever.
        let part = if is_approach && stop < part { part - self.lasting * (part - stop) } else { part.max(stop) };
        *wrench * part.clamp(0.0, 1.0)
    }

    /// How far the bodies turn against each other within a step, in rad, at most 1.
    fn turn(&self, wrench: &Six) -> f64 {
        let [before, after] = [self.twist, self.end_twist(wrench)].map(|twist| super::halves(&twist).1.norm());
        (self.step_size * before.max(after)).min(1.0)
    }

    /// The mean along a way from what is known at both ends.
    fn mean(&self, start: &Node, end: Node, wrench: Six, way: Six) -> Mean {
        if end.outcome.in_contact {
            // The mean of a cubic through both ends.
            return Mean {
                wrench,
                mean: 0.5 * (start.wrench + end.wrench) + (start.by_pose - end.by_pose) * way / 12.0,
                by_way: start.by_pose / 6.0 + end.by_pose / 3.0,
                way,
                end,
                length: 1.0,
            };
        }
        let course = start.course(&way, -1.0);
        let mean = start.wrench * (course.length / (course.exponent + 1.0));
        let work = start.wrench.dot(&way);
        Mean {
            wrench,
            // Its work is what was stored, however long the way.
            by_way: if 0.0 < work { mean * start.wrench.transpose() / -work } else { Matrix6::zeros() },
            mean,
            way,
            end,
            length: 1.0,
        }
    }
}

impl Mean {
    /// The part of friction at an end that counts for the way: it follows the force.
    fn share(&self, place: &Node) -> f64 {
        let here = place.wrench.norm();
        if 0.0 < here { (self.mean.norm() / here).min(2.0) } else { 0.0 }
    }

    fn deviation(&self) -> f64 {
        let size = self.mean.norm() + self.wrench.norm();
        if 0.0 < size { (self.mean - self.wrench).norm() / size } else { 0.0 }
    }

    fn scale(&mut self, share: f64) {
        self.mean *= share;
        self.by_way *= share;
    }
}

/// The change of a wrench, as a part of it, that makes its elastic `work` less by a part of `debt`, in J.
fn paid_back((debt, stored): (f64, f64), work: f64) -> f64 {
    let rest = WORK_AT_REST * (stored + debt.abs());
    let (square, rest) = (work * work, rest * rest);
    if square <= 0.0 {
        return 0.0;
    }
    let weight = square * square / (square * square + rest * rest);
    (-debt / work * weight).clamp(MOST_PAID_BACK[0], MOST_PAID_BACK[1])
}

impl Node {
    /// The way that a contact has grown over until here (`sense` 1) or fades over from here on (−1), if it is a power of
    /// it: from energy, force and stiffness.
    fn course(&self, way: &Six, sense: f64) -> Course {
        // What the elastic part would store along the whole way if it stayed as it is here.
        let storing = -sense * self.wrench.dot(way);
        let energy = self.outcome.elastic_energy;
        let stiffness = -way.dot(&(self.by_pose * way));
        let whole = Course { length: 1.0, exponent: 1.0 };
        if !(0.0 < storing && 0.0 < energy) {
            return whole;
        }
        let ratio = (stiffness * energy / (storing * storing)).clamp(0.5, 0.8);
        let exponent = ratio / (1.0 - ratio);
        Course { length: ((exponent + 1.0) * energy / storing).min(1.0), exponent }
    }
}
