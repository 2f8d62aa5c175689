//! Why a body cannot be reduced: what, where, and what to do.

use thiserror::Error;

use crate::linear_algebra::{EigenError, FactorizationError};

/// Why a body cannot be reduced.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ReductionError {
    /// The model contradicts itself.
    #[error("the finite-element model is not consistent: {reason}")]
    Inconsistent {
        /// What does not fit.
        reason: String,
    },
    /// The body falls apart.
    #[error(
        "the body has {parts} unconnected parts, the smallest with {smallest} nodes, among them node {node} \
         (counted from 0); merge coincident nodes or remove the loose part"
    )]
    Unconnected {
        /// Number of parts.
        parts: usize,
        /// Nodes of the smallest.
        smallest: usize,
        /// One of them.
        node: usize,
    },
    /// More contact nodes than a contact can have.
    #[error(
        "{count} contact nodes, but at most {most} are possible, since each gets static shapes and their compliance is \
         one dense matrix; choose a smaller contact zone with `box`, `sphere` or `normal`, or a smaller group"
    )]
    TooManyContactNodes {
        /// Nodes that were chosen.
        count: usize,
        /// The limit.
        most: usize,
    },
    /// A contact group that the model does not have.
    #[error("the model has no group `{group}`; {}", list_of_groups(.known))]
    NoSuchGroup {
        /// The wanted name.
        group: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// No face fulfils the conditions.
    #[error(
        "no contact nodes: {selected} nodes fulfil the conditions ({conditions}), but no surface triangle has all its \
         nodes among them; choose the nodes of whole faces, in metres and in the coordinates of the model"
    )]
    NoContactNodes {
        /// Nodes that fulfil the conditions.
        selected: usize,
        /// The conditions.
        conditions: String,
    },
    /// Not enough for a face.
    #[error("{count} contact nodes are too few; at least 3 are needed")]
    TooFewContactNodes {
        /// How many there are.
        count: usize,
    },
    /// All on a line.
    #[error("the {count} contact nodes lie on one line; choose a patch with an area")]
    CollinearContactNodes {
        /// How many there are.
        count: usize,
    },
    /// A triangle without area.
    #[error("the contact face with the nodes {nodes:?} (counted from 0) has no area; repair the surface")]
    FlatSurfaceFace {
        /// Its nodes.
        nodes: [u32; 3],
    },
    /// Opposite faces meet.
    #[error(
        "the contact faces at node {node} (counted from 0) face opposite ways and have no common normal; \
         check the winding of the surface, or use directions = \"all\" with another patch"
    )]
    NoNormal {
        /// The node.
        node: u32,
    },
    /// Mass that no body has.
    #[error("{reason}; the mass matrix must be that of a whole body with three displacements per node")]
    NotABodysMass {
        /// What is wrong.
        reason: String,
    },
    /// A matrix that must be positive definite is not.
    #[error(
        "the {matrix} is not positive definite at node {node} (counted from 0), axis {axis}; check that every node \
         belongs to an element with mass and stiffness"
    )]
    NotPositiveDefinite {
        /// Which matrix.
        matrix: &'static str,
        /// Node counted from 0.
        node: usize,
        /// x, y or z.
        axis: char,
    },
    /// Supports are part of the stiffness.
    #[error(
        "the stiffness resists a rigid {motion} of the body, by {relative:.1e} of its entries at node {node} (counted \
         from 0); export the matrices of the free body, without supports, in full precision"
    )]
    NotFree {
        /// Translation or rotation and its axis.
        motion: String,
        /// Force relative to the terms that should cancel.
        relative: f64,
        /// Where it is largest.
        node: usize,
    },
    /// More than six motions without strain.
    #[error(
        "the body can move without strain in more than six ways: beside the rigid motions there is one with only \
         {frequency:.3e} Hz; look for a mechanism, for parts that hang together at a point or an edge, or for \
         elements with hourglass modes"
    )]
    Mechanism {
        /// Its frequency in Hz.
        frequency: f64,
    },
    /// Rigid motions are not among the shapes.
    #[error(
        "rigid {motion} of the body is no combination of the shapes (part left: {left:.1e}); raise `modes-below` or \
         `modes`, or use directions = \"all\""
    )]
    RigidMotionMissing {
        /// Translation or rotation and its axis.
        motion: String,
        /// What is left of a motion of norm 1.
        left: f64,
    },
    /// The shapes depend on each other.
    #[error("the {shapes} shapes depend on each other in double precision; choose fewer contact nodes or fewer modes")]
    DependentShapes {
        /// How many there are.
        shapes: usize,
    },
    /// Static shapes did not converge.
    #[error(
        "the static shape of contact node {node} (counted from 0) is only good to {change:.1e}; raise `modes-below` \
         or `modes`, or check the matrices"
    )]
    StaticShape {
        /// The contact node.
        node: u32,
        /// Last relative change.
        change: f64,
    },
    /// Eigenpairs were not found.
    #[error("fixed-interface modes: {0}; {hint}", hint = eigen_hint(.0))]
    Eigenpairs(EigenError),
    /// A factorisation failed for lack of memory or rounding.
    #[error("{0}; check the matrices, or use a coarser mesh")]
    Factorization(FactorizationError),
    /// The archive cannot be written.
    #[error("cannot write `{path}`: {reason}")]
    NotWritten {
        /// The file.
        path: String,
        /// What the system says.
        reason: String,
    },
}

fn list_of_groups(known: &[String]) -> String {
    if known.is_empty() {
        return "it has no named groups at all; choose by `box`, `sphere` or `normal`".to_owned();
    }
    let names: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
    format!("there are: {}", names.join(", "))
}

fn eigen_hint(error: &EigenError) -> &'static str {
    match error {
        EigenError::TooMany { .. } => "lower `modes-below` or `modes`",
        EigenError::Factorization(FactorizationError::OutOfMemory { .. }) => "use a coarser mesh",
        _ => "change `modes-below` or `modes` a little, and check the matrices",
    }
}
