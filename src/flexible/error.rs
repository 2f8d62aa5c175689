//! Why a flexible contact could not be evaluated.

use thiserror::Error;

use super::parameters::Solver;
use crate::contact::MotionError;
use crate::math::Body;

/// Why two bodies make no flexible pair.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum PairError {
    /// Neither body is flexible.
    #[error("neither body is flexible: give `surface-e` or `surface-f` the key `flexible`, or use the rigid contact")]
    BothRigid,
    /// A rigid body without faces.
    #[error("the rigid body {body} has no faces")]
    NoFaces {
        /// Which one.
        body: Body,
    },
}

/// Why an evaluation or a step was refused. The state is then unchanged.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum FlexibleError {
    /// The equilibrium was not found.
    #[error(
        "no equilibrium of contact forces and deformation after {iterations} iterations ({solver:?}): the forces of \
         {contacts} contacts still change by {residual:e} of the largest, {tolerance:e} allowed; take a shorter \
         step, a lower `penalty-stiffness`, a larger `tolerance` or a higher `iteration-limit`"
    )]
    NotConverged {
        /// Which solver.
        solver: Solver,
        /// Iterations done.
        iterations: u32,
        /// Largest change of a contact force, relative to the largest contact force.
        residual: f64,
        /// The tolerance for it.
        tolerance: f64,
        /// Active contacts.
        contacts: usize,
    },
    /// A node lies deeper in the other body than is credible.
    #[error(
        "contact node {node} of body {body} lies {penetration:e} m deep in the other body, at {position_e:?} in frame \
         E; at most {limit:e} m (`maximal-penetration`) is credible: the penalty stiffness is too low, the step too \
         long, or the bodies have tunnelled into each other"
    )]
    TooDeep {
        /// The body of the node.
        body: Body,
        /// The node, from 0.
        node: usize,
        /// Its penetration in m.
        penetration: f64,
        /// The limit in m.
        limit: f64,
        /// Where, in frame E.
        position_e: [f64; 3],
    },
    /// The motion at a time within the step is not finite.
    #[error(transparent)]
    Motion(#[from] MotionError),
    /// The step is negative, not finite, or needs too many internal steps.
    #[error(
        "a step of {step:e} s cannot be done in internal steps of {internal_step:e} s; steps must be 0 or above and \
         take at most {most} internal steps",
        most = super::advance::MOST_INTERNAL_STEPS
    )]
    BadStep {
        /// The step.
        step: f64,
        /// The internal step.
        internal_step: f64,
    },
    /// A state of another pair.
    #[error("a state of this pair has {expected} finite numbers, but {found} were given")]
    ForeignState {
        /// Numbers of a state of the pair.
        expected: usize,
        /// Numbers given.
        found: usize,
    },
    /// A number of the state is not finite.
    #[error("number {index} of the state is not finite")]
    BadState {
        /// Which one, from 0.
        index: usize,
    },
    /// The result is not finite.
    #[error("{quantity} is not finite: inputs, parameters or modal coordinates are far out of range")]
    NotFinite {
        /// What.
        quantity: &'static str,
    },
}
