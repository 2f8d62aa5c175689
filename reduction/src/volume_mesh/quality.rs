//! How well shaped the elements of a mesh are.

use nalgebra::Matrix3;

use super::{Element, VolumeMesh};
use crate::elements::{HEX8, TET4, TET10, jacobian, tet10_derivatives};

/// Shape and size of the elements of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshQuality {
    /// The lowest determinant of the Jacobian over the product of its column lengths, scaled to 1 for a regular
    /// tetrahedron or a cube, at corners and integration points; at most 0 for an inverted element.
    pub lowest_scaled_jacobian: f64,
    /// Over all elements, in m³.
    pub volume: f64,
}

impl VolumeMesh {
    /// Measures all elements; a mesh that [`VolumeMesh::check`] accepts.
    pub fn quality(&self) -> MeshQuality {
        let mut quality = MeshQuality { lowest_scaled_jacobian: f64::INFINITY, volume: 0.0 };
        for element in &self.elements {
            let (jacobians, scale) = self.jacobians(element);
            for (jacobian, weight) in jacobians {
                let lengths: f64 = (0..3).map(|column| jacobian.column(column).norm()).product();
                let scaled = scale * jacobian.determinant() / lengths;
                quality.lowest_scaled_jacobian = quality.lowest_scaled_jacobian.min(scaled);
                quality.volume += weight * jacobian.determinant();
            }
        }
        quality
    }

    /// Jacobians at the integration points with their weights, and at the corners of tetrahedra without.
    fn jacobians(&self, element: &Element) -> (Vec<(Matrix3<f64>, f64)>, f64) {
        // A regular tetrahedron has the determinant edge³/√2.
        let tetrahedron_scale = std::f64::consts::SQRT_2;
        match element {
            Element::Tet4(nodes) => {
                let positions = self.positions(nodes);
                let at =
                    |sample: &crate::elements::Sample<4>| (jacobian(&positions, &sample.derivatives), sample.weight);
                (TET4.iter().map(at).collect(), tetrahedron_scale)
            }
            Element::Tet10(nodes) => {
                let positions = self.positions(nodes);
                let at =
                    |sample: &crate::elements::Sample<10>| (jacobian(&positions, &sample.derivatives), sample.weight);
                let corners = (0..4).map(|corner| {
                    let mut barycentric = [0.0; 4];
                    barycentric[corner] = 1.0;
                    (jacobian(&positions, &tet10_derivatives(barycentric)), 0.0)
                });
                (TET10.iter().map(at).chain(corners).collect(), tetrahedron_scale)
            }
            Element::Hex8(nodes) => {
                let positions = self.positions(nodes);
                let at =
                    |sample: &crate::elements::Sample<8>| (jacobian(&positions, &sample.derivatives), sample.weight);
                (HEX8.iter().map(at).collect(), 1.0)
            }
        }
    }
}
