//! The force element: two surfaces and their relative motion in, the contact wrench out.
//!
//! [`evaluate`] is its flow chart.
#![forbid(unsafe_code)]

mod areas;
mod detect;
mod evaluation;
mod facets;
mod field;
mod integrate;
mod law;
mod minimum_gap;
mod outcome;
mod parameters;
mod pieces;
mod relative_motion;
mod surface;
mod workspace;

pub use crate::math::Body;
pub use detect::{Gap, GapMemory, gap};
pub use evaluation::{evaluate, evaluate_with_derivatives, visit_pieces, visit_pieces_while};
pub use integrate::{ContactPiece, Derivatives, PiecePoint};
pub use minimum_gap::minimum_gap;
pub use outcome::{MeanMax, MinMeanMax, Outcome, StageTimes};
pub use parameters::{
    ContactParameters, ElementScheme, FrictionParameters, Method, ParameterError, RawLayer, RawParameters,
};
pub use pieces::Feature;
pub use relative_motion::{MotionError, RelativeMotion};
pub use surface::ContactSurface;
pub use workspace::Workspace;
