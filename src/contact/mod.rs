//! The force element: two surfaces and their relative motion in, the contact wrench out.
#![forbid(unsafe_code)]

mod outcome;
mod parameters;
mod relative_motion;
mod surface;
mod workspace;

pub use outcome::{MeanMax, MinMeanMax, Outcome, StageTimes};
pub use parameters::{
    ContactParameters, ElementScheme, FrictionParameters, Layer, Method, ParameterError, RawLayer, RawParameters,
};
pub use relative_motion::{MotionError, RelativeMotion};
pub use surface::ContactSurface;
pub use workspace::Workspace;

/// Evaluates the force element once.
///
/// The result depends on the arguments only, bit for bit: `workspace` lends memory and never
/// carries anything from one call to the next.
pub fn evaluate(
    surface_e: &ContactSurface,
    surface_f: &ContactSurface,
    parameters: &ContactParameters,
    motion: &RelativeMotion,
    workspace: &mut Workspace,
) -> Outcome {
    let _ = (surface_e, surface_f, parameters, motion, workspace);
    Outcome::default()
}
