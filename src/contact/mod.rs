//! The force element: two surfaces and their relative motion in, the contact wrench out.
//!
//! [`evaluate`] is its flow chart.
#![forbid(unsafe_code)]

mod areas;
mod deflection;
mod detect;
mod evaluation;
mod field;
mod grip;
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
pub use deflection::Deflection;
pub use detect::{Gap, GapMemory, gap};
pub use evaluation::{
    evaluate, evaluate_with_all_derivatives, evaluate_with_derivatives, visit_pieces, visit_pieces_while,
};
pub use field::Feature;
pub use grip::{BristleMemory, Grip, GripRate, Release};
pub use integrate::{ContactPiece, Derivatives, LawNumber, PiecePoint};
pub use minimum_gap::{gap_by_pose, minimum_gap};
pub use outcome::{MeanMax, MinMeanMax, Outcome, StageTimes};
pub use parameters::{
    BristleParameters, ContactParameters, ElementScheme, FrictionModel, FrictionParameters, LayerChange, Method,
    ParameterError, RawLayer, RawParameters,
};
pub use relative_motion::{MotionError, RelativeMotion};
pub use surface::ContactSurface;
pub use workspace::Workspace;
