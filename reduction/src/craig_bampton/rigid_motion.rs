//! Mass, centre of mass, inertia and the six rigid motions, from the matrices alone.

use crate::error::ReductionError;
use crate::finite_element_model::{FiniteElementModel, SymmetricMatrix};
use crate::linear_algebra::{Columns, product, product_with_magnitudes, transposed_product};
use crate::vector::{cross, minus};

/// Names of the motions, in the order of the columns.
pub(super) const MOTIONS: [&str; 6] = [
    "translation along x",
    "translation along y",
    "translation along z",
    "rotation about x",
    "rotation about y",
    "rotation about z",
];

/// Relative difference up to which the mass along x, y and z is the same: element integrals are exact up to rounding,
/// but matrices may come as text with seven digits.
const MASS_AGREEMENT: f64 = 1e-5;

/// Largest force that a rigid motion may cause, relative to the terms that cancel; text with seven digits passes.
const FREE: f64 = 1e-6;

/// What a rigid body of the same mass distribution has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidProperties {
    /// In kg.
    pub mass: f64,
    /// In m, in the coordinates of the mesh.
    pub centre_of_mass: [f64; 3],
    /// In kg m², about the centre of mass, in the axes of the mesh.
    pub inertia: [[f64; 3]; 3],
}

/// Integrates over the body by products of rigid fields with the mass matrix.
pub(super) fn rigid_properties(model: &FiniteElementModel) -> Result<RigidProperties, ReductionError> {
    let refuse = |reason: String| Err(ReductionError::NotABodysMass { reason });
    let about_origin = rigid_fields(model, [0.0; 3]);
    let moments = transposed_product(about_origin.matrix(), product(&model.mass, about_origin.matrix()).matrix());
    let masses = [0, 1, 2].map(|axis| moments[(axis, axis)]);
    let mass = masses.iter().sum::<f64>() / 3.0;
    if !(0.0 < mass && mass.is_finite()) {
        return refuse(format!("the body's mass is {mass:.6e} kg"));
    }
    for axis in 0..3 {
        let coupling = (0..axis).map(|other| moments[(axis, other)].abs()).fold(0.0, f64::max);
        let difference = (masses[axis] - mass).abs().max(coupling);
        if MASS_AGREEMENT * mass < difference {
            return refuse(format!(
                "the body's mass differs between directions: {masses:?} kg, coupling {coupling:.3e}"
            ));
        }
    }
    // A rotation about axis k moves the centre of mass c by e_k × c: six entries, each component twice.
    let moment = |along: usize, about: usize| moments[(along, 3 + about)] / mass;
    let centre_of_mass =
        [0.5 * (moment(1, 2) - moment(2, 1)), 0.5 * (moment(2, 0) - moment(0, 2)), 0.5 * (moment(0, 1) - moment(1, 0))];
    let about_centre = rigid_fields(model, centre_of_mass);
    let moments = transposed_product(about_centre.matrix(), product(&model.mass, about_centre.matrix()).matrix());
    let entry = |i: usize, j: usize| 0.5 * (moments[(3 + i, 3 + j)] + moments[(3 + j, 3 + i)]);
    let inertia = [0, 1, 2].map(|i| [0, 1, 2].map(|j| entry(i, j)));
    Ok(RigidProperties { mass, centre_of_mass, inertia })
}

/// Six displacement fields: translations along and rotations about the axes through a point.
pub(super) fn rigid_fields(model: &FiniteElementModel, about: [f64; 3]) -> Columns {
    let mut fields = Columns::zeros(3 * model.node_positions.len(), 6);
    for axis in 0..3 {
        let mut direction = [0.0; 3];
        direction[axis] = 1.0;
        for (node, position) in model.node_positions.iter().enumerate() {
            fields.column_mut(axis)[3 * node + axis] = 1.0;
            let turned = cross(direction, minus(*position, about));
            fields.column_mut(3 + axis)[3 * node..3 * node + 3].copy_from_slice(&turned);
        }
    }
    fields
}

/// Refuses a body that is held somewhere; returns the largest ω² that the rigid fields have by rounding.
pub(super) fn check_free(
    stiffness: &SymmetricMatrix,
    fields: &Columns,
    mass: &SymmetricMatrix,
) -> Result<f64, ReductionError> {
    let forces = product(stiffness, fields.matrix());
    let momenta = product(mass, fields.matrix());
    let mut noise = 0.0f64;
    for (motion, name) in MOTIONS.iter().enumerate() {
        let terms = product_with_magnitudes(stiffness, fields.column(motion));
        let largest_term = terms.iter().copied().fold(0.0, f64::max);
        let force = forces.column(motion);
        let worst = (0..force.len()).max_by(|a, b| force[*a].abs().total_cmp(&force[*b].abs())).unwrap_or(0);
        let relative = force[worst].abs() / largest_term;
        if relative.is_nan() || FREE < relative {
            return Err(ReductionError::NotFree { motion: name.to_string(), relative, node: worst / 3 });
        }
        let scalar = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let field = fields.column(motion);
        noise = noise.max(scalar(field, force).abs() / scalar(field, momenta.column(motion)));
    }
    Ok(noise)
}
