//! Enumerations of the FMU of a flexible pair; their values count from 1.

use crate::flexible::{Solver, Submodel};
use crate::fmu::models::contact::enumerations::item;
use crate::fmu::variables::Enumeration;

/// Values of `flexible.submodel`.
pub(crate) const SUBMODELS: Enumeration = Enumeration {
    name: "Submodel",
    description: "What happens to the coordinates of the flexible bodies",
    items: &[
        item(1, "quasiStatic", "low-frequency modes are integrated, the others follow the contact forces statically"),
        item(2, "damped", "all modes are integrated, the high-frequency ones with a damped period"),
        item(3, "modal", "low-frequency modes only"),
    ],
};

/// Values of `flexible.solver`.
pub(crate) const SOLVERS: Enumeration = Enumeration {
    name: "Solver",
    description: "How the equilibrium of contact forces and deformation is found",
    items: &[
        item(1, "newton", "active-set Newton iteration in the contact forces"),
        item(2, "broyden", "Broyden's iteration in the modal coordinates: slow, for comparison"),
    ],
};

/// In the order of their values.
pub(crate) const SUBMODEL_VALUES: [Submodel; 3] = [Submodel::QuasiStatic, Submodel::Damped, Submodel::Modal];
pub(crate) const SOLVER_VALUES: [Solver; 2] = [Solver::Newton, Solver::Broyden];
