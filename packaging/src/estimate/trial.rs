//! The suggestion, tried with the library on meshes.

use polycontact::contact::{ContactParameters, ContactSurface, RawParameters, RelativeMotion, Workspace, evaluate};
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::shapes::{ground, paraboloid_cap};

use super::impact::{Impact, simulate};
use crate::approach::{Approach, Pair};

/// Grid points of the ball's cap along each side; its faces are far smaller than the contact.
const CAP_POINTS: usize = 27;

/// Half the width of the cap over the largest contact radius that is expected.
const CAP_MARGIN: f64 = 1.3;

/// Time steps within the contact time.
const STEPS_PER_CONTACT: f64 = 100.0;

/// Contact times after which an impact is given up.
const LONGEST_CONTACT: f64 = 10.0;

/// Midpoints of a step whose mean is exchanged.
const SUB_STEPS: usize = 8;

/// What force is exchanged at a communication point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Exchanged {
    /// At the pose advanced by so many steps; 0 is `hold`.
    Advanced(f64),
    /// The mean over the step to come, at constant velocity.
    Mean,
}

/// Two bodies that meet along a line; all other motion is blocked.
pub struct Trial {
    pair: Pair,
    approach: Approach,
    parameters: ContactParameters,
    workspace: Workspace,
}

impl Trial {
    /// A ball on a flat: the cap of a paraboloid, fine enough not to matter.
    pub fn ball_on_flat(radius: f64, max_depth: f64, raw: RawParameters) -> Result<Self, String> {
        let half_width = CAP_MARGIN * (2.0 * radius * max_depth).sqrt();
        let pair = Pair {
            e: ContactSurface::new(paraboloid_cap(radius, half_width, CAP_POINTS)),
            // Wider than the cap, and turned over: it comes from above.
            f: ContactSurface::new(ground(4.0 * half_width)),
            raw,
        };
        let turned = Rotation::from_axis_angle(&Vector::x_axis(), std::f64::consts::PI);
        let approach = Approach {
            touch: Pose::from_parts(Vector::zeros().into(), turned),
            direction_e: -Vector::z(),
            explanation: String::new(),
            asked_depth: None,
            warning: None,
        };
        Self::of(pair, approach, raw)
    }

    /// Any two bodies.
    pub fn of(pair: Pair, approach: Approach, raw: RawParameters) -> Result<Self, String> {
        let parameters = ContactParameters::new(&raw).map_err(|error| error.to_string())?;
        Ok(Trial { pair, approach, parameters, workspace: Workspace::default() })
    }

    /// Force in N against the approach at a depth and a closing speed.
    pub fn force(&mut self, depth: f64, speed: f64) -> f64 {
        let direction = self.approach.direction_e;
        let pose = self.approach.pose(depth, Vector::zeros());
        let Ok(motion) = RelativeMotion::new(pose, direction * speed, Vector::zeros()) else { return 0.0 };
        let outcome = evaluate(&self.pair.e, &self.pair.f, &self.parameters, &motion, &mut self.workspace);
        outcome.wrenches.on_e.force.dot(&direction)
    }

    /// Radius in m of the ball that would displace the same volume at this depth, π R δ² = F / c_l, and the exponent
    /// of depth with which the force grows there.
    pub fn equivalent_radius(&mut self, depth: f64) -> (f64, f64) {
        let volume = self.force(depth, 0.0) / self.parameters.combined_layer_stiffness();
        let half = self.force(0.5 * depth, 0.0) / self.parameters.combined_layer_stiffness();
        (volume / (std::f64::consts::PI * depth * depth), (volume / half).log2())
    }

    /// The impact, integrated with fine steps.
    pub fn impact(&mut self, mass: f64, speed: f64, contact_time: f64) -> Impact {
        let step = contact_time / STEPS_PER_CONTACT;
        simulate(mass, speed, step, LONGEST_CONTACT * contact_time, |depth, speed| self.force(depth, speed))
    }

    /// Restitution where the force is exchanged at communication points and held between them. First touch is half a step after a communication point.
    pub fn coupled_restitution(
        &mut self,
        mass: f64,
        speed: f64,
        step: f64,
        contact_time: f64,
        is_parallel: bool,
        exchanged: Exchanged,
    ) -> f64 {
        let (mut depth, mut velocity) = (-0.5 * speed * step, speed);
        let mut older = 0.0;
        let most = (LONGEST_CONTACT * contact_time / step).ceil() as usize + 4;
        for _ in 0..most {
            let newest = match exchanged {
                Exchanged::Advanced(steps) => self.force(depth + steps * step * velocity, velocity),
                Exchanged::Mean => {
                    let at = |k: usize| (k as f64 + 0.5) / SUB_STEPS as f64 * step * velocity;
                    (0..SUB_STEPS).map(|k| self.force(depth + at(k), velocity)).sum::<f64>() / SUB_STEPS as f64
                }
            };
            let acting = if is_parallel { std::mem::replace(&mut older, newest) } else { newest };
            if velocity < 0.0 && depth < 0.0 && acting <= 0.0 && newest <= 0.0 {
                break;
            }
            depth += step * velocity - 0.5 * step * step * acting / mass;
            velocity -= step * acting / mass;
        }
        -velocity / speed
    }
}
