//! What a body answers to a wrench, as far as its mesh and its parameters tell.

use nalgebra::Matrix6;

use super::Compliance;
use crate::math::{Matrix, Vector};
use crate::mesh::TriangleMesh;

/// Density of a body whose mass nobody has stated, in kg/m³: between water and steel, that of aluminium.
const GUESSED_DENSITY: f64 = 2700.0;

/// Part of its box that a body fills whose surface encloses no volume.
const FILLED_PART_OF_BOX: f64 = 0.5;

/// Least moment of inertia of a guess, as a part of mass × radius²: flat bodies have none about an axis.
const LEAST_INERTIA: f64 = 1.0e-3;

/// Mass and inertia as a user states them; 0 means unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BodyParameters {
    /// In kg.
    pub mass: f64,
    /// About the centre of mass, axes of the marker, in kg m².
    pub moments_of_inertia: [f64; 3],
    /// Seen from the marker, in m.
    pub centre_of_mass: [f64; 3],
}

/// A body as its mesh tells it: filled evenly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolidBody {
    mass: f64,
    centre: Vector,
    /// About the centre, axes of the marker.
    inertia: Matrix,
    radius: f64,
}

impl SolidBody {
    /// Fills a mesh; where it encloses nothing, half its box.
    pub fn of_mesh(mesh: &TriangleMesh) -> SolidBody {
        let (mut volume, mut first, mut second) = (0.0, Vector::zeros(), Matrix::zeros());
        let (mut low, mut high) = (Vector::repeat(f64::INFINITY), Vector::repeat(f64::NEG_INFINITY));
        for vertex in &mesh.vertices {
            (low, high) = (low.inf(vertex), high.sup(vertex));
        }
        let middle = 0.5 * (low + high);
        for face in &mesh.faces {
            let [a, b, c] = face.map(|vertex| mesh.vertices[vertex.index()] - middle);
            let part = a.dot(&b.cross(&c)) / 6.0;
            let sum = a + b + c;
            volume += part;
            first += part / 4.0 * sum;
            second += part / 20.0 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
        }
        let size = high - low;
        let box_volume = size.x * size.y * size.z;
        let radius = 0.5 * size.norm();
        let is_filled = 1.0e-3 * box_volume < volume && volume <= box_volume * (1.0 + 1.0e-9);
        if !is_filled {
            volume = (FILLED_PART_OF_BOX * box_volume).max(1.0e-3 * radius.powi(3));
            first = Vector::zeros();
            second = Matrix::from_diagonal(&(volume / 12.0 * size.component_mul(&size)));
        }
        let offset = first / volume;
        let about_centre = second - volume * offset * offset.transpose();
        let inertia = Matrix::identity() * about_centre.trace() - about_centre;
        let floor = LEAST_INERTIA * volume * radius * radius;
        SolidBody {
            mass: GUESSED_DENSITY * volume,
            centre: middle + offset,
            inertia: GUESSED_DENSITY * (inertia + Matrix::identity() * floor),
            radius,
        }
    }

    /// In kg.
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// Half the diagonal of its box, in m.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// How its marker accelerates under a wrench about the marker, and whether that is known or a guess.
    pub fn compliance(&self, parameters: &BodyParameters) -> (Compliance, Knowledge) {
        let BodyParameters { mass, moments_of_inertia, centre_of_mass } = parameters;
        if *mass <= 0.0 {
            return (compliance(self.mass, &self.inertia, &self.centre), Knowledge::Guess);
        }
        if moments_of_inertia.iter().all(|moment| 0.0 < *moment) {
            let inertia = Matrix::from_diagonal(&Vector::from(*moments_of_inertia));
            return (compliance(*mass, &inertia, &Vector::from(*centre_of_mass)), Knowledge::Stated);
        }
        let inertia = self.inertia * (mass / self.mass);
        (compliance(*mass, &inertia, &self.centre), Knowledge::MassStated)
    }
}

/// What is known of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knowledge {
    /// Nothing but its mesh.
    Guess,
    /// Its mass.
    MassStated,
    /// Everything.
    Stated,
}

/// Of a free rigid body.
fn compliance(mass: f64, inertia: &Matrix, centre: &Vector) -> Compliance {
    let inverse = inertia.try_inverse().unwrap_or_else(Matrix::zeros);
    // A wrench about the marker, brought to the centre, and the acceleration there, brought to the marker.
    let lever = centre.cross_matrix();
    let mut result = Matrix6::zeros();
    result.fixed_view_mut::<3, 3>(0, 0).copy_from(&(Matrix::identity() / mass - lever * inverse * lever));
    result.fixed_view_mut::<3, 3>(0, 3).copy_from(&(lever * inverse));
    result.fixed_view_mut::<3, 3>(3, 0).copy_from(&(-inverse * lever));
    result.fixed_view_mut::<3, 3>(3, 3).copy_from(&inverse);
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes;

    #[test]
    fn a_box_has_the_mass_and_inertia_of_a_box() {
        let size = Vector::new(0.2, 0.3, 0.5);
        let solid = SolidBody::of_mesh(&shapes::cuboid(size));
        let mass = GUESSED_DENSITY * 0.2 * 0.3 * 0.5;
        assert!((solid.mass / mass - 1.0).abs() < 1e-12, "{}", solid.mass / mass);
        let moment = mass / 12.0 * (0.3f64.powi(2) + 0.5f64.powi(2));
        assert!((solid.inertia[(0, 0)] / moment - 1.0).abs() < 0.02);
    }

    #[test]
    fn a_force_through_the_centre_of_mass_does_not_turn() {
        let centre = Vector::new(0.1, -0.2, 0.3);
        let inertia = Matrix::from_diagonal(&Vector::new(1.0, 2.0, 3.0));
        let compliance = compliance(2.0, &inertia, &centre);
        assert!((compliance - compliance.transpose()).amax() < 1e-15);
        let force = Vector::new(3.0, 4.0, 5.0);
        let acceleration = compliance * super::super::six(force, centre.cross(&force));
        let (linear, angular) = super::super::halves(&acceleration);
        assert!((linear - force / 2.0).norm() < 1e-14 && angular.norm() < 1e-14);
    }
}
