//! Enumerations of the contact FMU; their values count from 1.

use crate::configuration::StepOutput;
use crate::contact::{ElementScheme, FrictionModel, Method};
use crate::fmu::variables::{Enumeration, EnumerationItem};

pub(crate) const fn item(value: i32, name: &'static str, description: &'static str) -> EnumerationItem {
    EnumerationItem { name, value, description }
}

/// Values of `method`.
pub const METHODS: Enumeration = Enumeration {
    name: "Method",
    description: "Which faces carry the pressure",
    items: &[
        item(1, "auto", "the faces of each body in the field of the other, each field by its share of the compression"),
        item(2, "collisionOnly", "counts and polygons, no force"),
        item(3, "twoPass", "both, half each"),
        item(4, "masterE", "the faces of E, in the field of F"),
        item(5, "masterF", "the faces of F, in the field of E"),
    ],
};

/// Values of `elements`.
pub const ELEMENT_SCHEMES: Enumeration = Enumeration {
    name: "ElementScheme",
    description: "How faces become contact elements",
    items: &[
        item(
            1,
            "potential",
            "depth as distance to the surface, integrated exactly: forces are the gradient of an energy",
        ),
        item(2, "centroid", "one element per face, as in the dissertation"),
    ],
};

/// Values of `frictionModel`.
pub const FRICTION_MODELS: Enumeration = Enumeration {
    name: "FrictionModel",
    description: "What resists sliding",
    items: &[
        item(1, "bristle", "elastic bristles that slip at the limit: what is loaded less rests"),
        item(2, "regularized", "a function of the slip velocity, without memory: what is loaded creeps"),
    ],
};

/// Values of `stepOutput`.
pub const STEP_OUTPUTS: Enumeration = Enumeration {
    name: "StepOutput",
    description: "What the outputs are after fmi2DoStep",
    items: &[
        item(1, "hold", "at the inputs last set"),
        item(2, "extrapolate", "at the pose advanced by extrapolationSteps times the step"),
        item(3, "mean", "the mean wrench over the step"),
        item(4, "energy", "the wrench whose work over the host's step is the change of the contact's energy"),
    ],
};

/// Values of `stepOutput` of a pair with flexible bodies.
pub const FLEXIBLE_STEP_OUTPUTS: Enumeration = Enumeration { items: STEP_OUTPUTS.items.split_at(3).0, ..STEP_OUTPUTS };

/// The methods in the order of their values.
pub(crate) const METHOD_VALUES: [Method; 5] =
    [Method::Auto, Method::CollisionOnly, Method::TwoPass, Method::MasterE, Method::MasterF];
pub(crate) const ELEMENT_VALUES: [ElementScheme; 2] = [ElementScheme::Potential, ElementScheme::Centroid];
pub(crate) const FRICTION_VALUES: [FrictionModel; 2] = [FrictionModel::Bristle, FrictionModel::Regularized];
pub(crate) const STEP_OUTPUT_VALUES: [StepOutput; 4] =
    [StepOutput::Hold, StepOutput::Extrapolate, StepOutput::Mean, StepOutput::Energy];
