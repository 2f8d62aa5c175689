//! Motion within a step, and the mean wrench over it.

use crate::contact::{MotionError, Outcome, RelativeMotion, StageTimes};
use crate::math::{Pose, Rotation, Vector, Wrenches};

/// Fewest evaluations of a mean over a moving step.
///
/// A contact that begins within the step has a kink there, so that any rule is of second order:
/// for a force that grows linearly from the kink, n midpoints miss at most 1/(4 n²) of the
/// impulse that the step can have at most, 0.4 % for 8.
const FEWEST_SUB_STEPS: u32 = 8;

/// Most evaluations of a mean: 0.006 % by the same estimate, and a bound on the cost of a step.
const MOST_SUB_STEPS: u32 = 64;

/// Shortest path that sub-steps resolve, as a part of the radius of body F: without a fade-in of
/// damping nothing else gives a length.
const SHORTEST_RESOLVED_PATH: f64 = 1.0e-4;

/// Motion that goes on from the inputs with constant acceleration, in frame E.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extrapolation {
    pub(crate) start: RelativeMotion,
    /// Derivative of v_EF in m/s².
    pub(crate) acceleration_e: Vector,
    /// Derivative of ω_EF in rad/s².
    pub(crate) angular_acceleration_e: Vector,
}

impl Extrapolation {
    /// The motion `time` seconds after the inputs.
    ///
    /// r + v t + a t²/2; the orientation turns by the rotation vector ω t + α t²/2, which is exact
    /// where ω keeps its direction.
    pub(crate) fn at(&self, time: f64) -> Result<RelativeMotion, MotionError> {
        if time == 0.0 {
            return Ok(self.start);
        }
        let pose = self.start.pose_ef();
        let (v, w) = (self.start.velocity_e(), self.start.angular_velocity_e());
        let (a, alpha) = (self.acceleration_e, self.angular_acceleration_e);
        let position = pose.translation.vector + (v + a * (0.5 * time)) * time;
        let turn = Rotation::new((w + alpha * (0.5 * time)) * time);
        let advanced = Pose::from_parts(position.into(), turn * pose.rotation);
        RelativeMotion::new(advanced, v + a * time, w + alpha * time)
    }

    /// Upper bound of the path of a point of F, no further than `radius_f` from the origin of M_f,
    /// within `step_size` seconds, in m.
    fn longest_path(&self, step_size: f64, radius_f: f64) -> f64 {
        let translation = (self.start.velocity_e().norm() + 0.5 * step_size * self.acceleration_e.norm()) * step_size;
        let turn =
            (self.start.angular_velocity_e().norm() + 0.5 * step_size * self.angular_acceleration_e.norm()) * step_size;
        translation + turn * radius_f
    }
}

/// Number of sub-steps of a mean: each moves no point by more than half the depth over which
/// damping fades in, the shortest length of the force law, within [`FEWEST_SUB_STEPS`] and
/// [`MOST_SUB_STEPS`]. One where nothing moves.
fn sub_steps(path: f64, damping_transition_depth: f64, radius_f: f64) -> u32 {
    if path == 0.0 {
        return 1;
    }
    let resolved = (0.5 * damping_transition_depth).max(SHORTEST_RESOLVED_PATH * radius_f);
    // A division by zero or an overflow ends at the upper bound.
    (path / resolved).ceil().clamp(f64::from(FEWEST_SUB_STEPS), f64::from(MOST_SUB_STEPS)) as u32
}

/// The outcome at the end of a step with the wrenches replaced by their means over it.
///
/// Each component of each wrench is the mean of this very component, resolved in its own frame,
/// so that mean × `step_size` is the impulse on its body. Midpoint rule, summed in the order of time.
/// `evaluate` is called for the midpoints and for the end; stage times add up.
pub(crate) fn mean_outcome(
    motion: &Extrapolation,
    step_size: f64,
    damping_transition_depth: f64,
    radius_f: f64,
    mut evaluate: impl FnMut(&RelativeMotion) -> Outcome,
) -> Result<Outcome, MotionError> {
    // Where the end is finite, so is the way to it.
    let end = motion.at(step_size)?;
    let count = sub_steps(motion.longest_path(step_size, radius_f), damping_transition_depth, radius_f);
    let (mut wrenches, mut evaluation_time) = (Wrenches::default(), StageTimes::default());
    for i in 0..count {
        let time = step_size * ((f64::from(i) + 0.5) / f64::from(count));
        let outcome = evaluate(&motion.at(time)?);
        wrenches += outcome.wrenches;
        evaluation_time = added(&evaluation_time, &outcome.evaluation_time);
    }
    let at_end = evaluate(&end);
    Ok(Outcome {
        wrenches: wrenches / f64::from(count),
        evaluation_time: added(&evaluation_time, &at_end.evaluation_time),
        ..at_end
    })
}

pub(crate) fn added(a: &StageTimes, b: &StageTimes) -> StageTimes {
    StageTimes {
        collision_detection: a.collision_detection + b.collision_detection,
        intersection_polygons: a.intersection_polygons + b.intersection_polygons,
        contact_elements: a.contact_elements + b.contact_elements,
        contact_force: a.contact_force + b.contact_force,
        total: a.total + b.total,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sliding_and_turning() -> Extrapolation {
        let pose = Pose::from_parts(Vector::new(0.1, 0.2, 0.3).into(), Rotation::from_euler_angles(0.1, 0.2, 0.3));
        Extrapolation {
            start: RelativeMotion::new(pose, Vector::new(1.0, 0.0, -2.0), Vector::new(0.0, 0.0, 3.0)).unwrap(),
            acceleration_e: Vector::new(0.0, 4.0, 0.0),
            angular_acceleration_e: Vector::new(0.0, 0.0, -1.0),
        }
    }

    #[test]
    fn extrapolation_is_uniformly_accelerated_motion() {
        let motion = sliding_and_turning();
        let later = motion.at(0.5).unwrap();
        let expected = Vector::new(0.1 + 0.5, 0.2 + 0.5 * 4.0 * 0.25, 0.3 - 1.0);
        assert!((later.pose_ef().translation.vector - expected).norm() < 1e-15);
        // About the fixed axis z by 3 · 0.5 − 0.5 · 1 · 0.25 = 1.375 rad.
        let turn = Rotation::from_axis_angle(&Vector::z_axis(), 1.375);
        let expected = turn * motion.start.pose_ef().rotation;
        assert!((later.pose_ef().rotation.matrix() - expected.matrix()).amax() < 1e-15);
        assert_eq!(later.velocity_e(), Vector::new(1.0, 2.0, -2.0));
        assert_eq!(later.angular_velocity_e(), Vector::new(0.0, 0.0, 2.5));
        assert_eq!(motion.at(0.0).unwrap(), motion.start);
    }

    #[test]
    fn an_overflow_is_refused_and_not_evaluated() {
        let mut motion = sliding_and_turning();
        motion.acceleration_e.x = 1e300;
        assert!(motion.at(1e10).is_err());
        assert!(mean_outcome(&motion, 1e10, 1e-4, 1.0, |_| panic!("evaluated")).is_err());
    }

    /// A force k·s that sets in at a depth within the step: the impulse is k (v (H − t₀))² / 2v.
    #[test]
    fn the_mean_times_the_step_is_the_impulse_of_a_contact_that_begins_within_the_step() {
        let velocity = Vector::new(0.0, 0.0, -1.0);
        let start = RelativeMotion::new(Pose::identity(), velocity, Vector::zeros()).unwrap();
        let motion = Extrapolation { start, acceleration_e: Vector::zeros(), angular_acceleration_e: Vector::zeros() };
        let (step, stiffness) = (1e-3, 1e6);
        for onset in [0.0, 0.3e-3, 0.61e-3] {
            let mut count = 0;
            let outcome = mean_outcome(&motion, step, 1e-4, 0.1, |motion| {
                count += 1;
                let depth = (-motion.pose_ef().translation.z - onset).max(0.0);
                let mut outcome = Outcome { max_penetration: depth, ..Outcome::default() };
                outcome.wrenches.on_f.force.z = stiffness * depth;
                outcome
            })
            .unwrap();
            let impulse = 0.5 * stiffness * (step - onset).powi(2);
            // 20 sub-steps of 50 µm: at most 1/(4 · 20²) of the largest impulse of the step.
            assert_eq!(count, 20 + 1);
            let bound = 0.5 * stiffness * step * step / (4.0 * 400.0);
            assert!((outcome.wrenches.on_f.force.z * step - impulse).abs() <= bound * 1.001, "{onset}");
            // Other outputs belong to the end of the step.
            assert!((outcome.max_penetration - (step - onset)).abs() < 1e-18);
        }
    }

    #[test]
    fn sub_steps_follow_the_path_within_bounds() {
        assert_eq!(sub_steps(0.0, 1e-4, 0.1), 1);
        assert_eq!(sub_steps(1e-9, 1e-4, 0.1), FEWEST_SUB_STEPS);
        assert_eq!(sub_steps(1e-3, 1e-4, 0.1), 20);
        assert_eq!(sub_steps(1.0, 1e-4, 0.1), MOST_SUB_STEPS);
        assert_eq!(sub_steps(1.0, 0.0, 0.0), MOST_SUB_STEPS);
        assert_eq!(sub_steps(f64::INFINITY, 1e-4, 0.1), MOST_SUB_STEPS);
    }
}
