//! What is left of a body: mass properties, and a few shapes at the contact nodes.

/// A free elastic body in coordinates with mass = identity and stiffness = diag(ω²), rigid motions apart.
#[derive(Clone, Debug, PartialEq)]
pub struct ReducedBody {
    /// In kg.
    pub mass: f64,
    /// In kg m² about the centre of mass, in the axes of the mesh.
    pub inertia: [[f64; 3]; 3],
    /// In m, in the coordinates of the mesh: the origin of the body frame.
    pub centre_of_mass: [f64; 3],
    /// In m, undeformed, from the centre of mass.
    pub contact_nodes: Vec<[f64; 3]>,
    /// On contact nodes counted from 0, counter-clockwise seen from outside.
    pub contact_faces: Vec<[u32; 3]>,
    /// Displacements of the contact nodes in each mode, in 1/√kg.
    pub modes: Vec<Vec<[f64; 3]>>,
    /// In rad/s, ascending, above 0.
    pub angular_frequencies: Vec<f64>,
    /// One per mode.
    pub damping_ratios: Vec<f64>,
    /// So many first modes are low-frequency ones.
    pub low_frequency_modes: usize,
    /// Nodes (from the centre of mass) and faces of the whole surface, for pictures.
    pub outline: (Vec<[f64; 3]>, Vec<[u32; 3]>),
    /// How the reduction went.
    pub summary: ReductionSummary,
}

/// Counts and checks of a reduction; not part of the archive.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReductionSummary {
    /// Of the finite-element model.
    pub degrees_of_freedom: usize,
    /// Static shapes.
    pub static_shapes: usize,
    /// Modes of the body held at its contact nodes.
    pub fixed_interface_modes: usize,
    /// Nodes that were selected, but belong to no contact face.
    pub selected_nodes_left_out: usize,
    /// ω that the rigid motions have by rounding, in rad/s.
    pub rigid_noise: f64,
    /// Largest product of a mode with an M-orthonormal rigid motion: 0 but for rounding in a Buckens frame.
    pub modal_momentum: f64,
    /// Time of the reduction.
    pub seconds: f64,
}
