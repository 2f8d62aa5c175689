//! Tetrahedra with four and with ten nodes.
//!
//! The parent element has the corners (0,0,0), (1,0,0), (0,1,0), (0,0,1) and the volume 1/6.
//! Nodes 4 to 9 of the quadratic element lie on the edges 0-1, 1-2, 2-0, 3-0, 2-3, 1-3, as in Gmsh.

use std::sync::LazyLock;

use super::sample::Sample;
use crate::volume_mesh::TETRAHEDRON_EDGES;

/// Volume of the parent element.
const PARENT_VOLUME: f64 = 1.0 / 6.0;

/// Linear tetrahedron: four points, exact for the products of shape functions in the mass.
pub static TET4: LazyLock<Vec<Sample<4>>> = LazyLock::new(|| {
    // Degree 2; the coordinate is (5 - √5)/20.
    let points = orbit_of_four((5.0 - 5.0_f64.sqrt()) / 20.0, 0.25);
    points
        .map(|(corner_values, weight)| Sample { weight, values: corner_values, derivatives: CORNER_DERIVATIVES })
        .to_vec()
});

/// Quadratic tetrahedron: 14 points, exact to degree 5. That is exact for mass and stiffness with straight
/// edges, for the volume with curved ones, and for the constant-stress terms of the patch test with both.
pub static TET10: LazyLock<Vec<Sample<10>>> = LazyLock::new(|| {
    // Fully symmetric rule with 14 points (Walkington): coordinates and weights.
    let inner = orbit_of_four(0.310_885_919_263_300_6, 0.112_687_925_718_015_85);
    let outer = orbit_of_four(0.092_735_250_310_891_23, 0.073_493_043_116_361_95);
    let middle = orbit_of_six(0.045_503_704_125_649_65, 0.042_546_020_777_081_47);
    inner
        .iter()
        .chain(&outer)
        .chain(&middle)
        .map(|&(corner_values, weight)| tet10_sample(corner_values, weight))
        .collect()
});

/// Derivatives of the linear shape functions 1 - ξ - η - ζ, ξ, η, ζ.
const CORNER_DERIVATIVES: [[f64; 3]; 4] = [[-1.0, -1.0, -1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Derivatives of the ten shape functions at the point with these four barycentric coordinates.
pub fn tet10_derivatives(barycentric: [f64; 4]) -> [[f64; 3]; 10] {
    let mut derivatives = [[0.0; 3]; 10];
    for axis in 0..3 {
        for corner in 0..4 {
            derivatives[corner][axis] = (4.0 * barycentric[corner] - 1.0) * CORNER_DERIVATIVES[corner][axis];
        }
        for (edge, [a, b]) in TETRAHEDRON_EDGES.into_iter().enumerate() {
            derivatives[4 + edge][axis] =
                4.0 * (barycentric[a] * CORNER_DERIVATIVES[b][axis] + barycentric[b] * CORNER_DERIVATIVES[a][axis]);
        }
    }
    derivatives
}

fn tet10_sample(barycentric: [f64; 4], weight: f64) -> Sample<10> {
    let mut values = [0.0; 10];
    for corner in 0..4 {
        values[corner] = barycentric[corner] * (2.0 * barycentric[corner] - 1.0);
    }
    for (edge, [a, b]) in TETRAHEDRON_EDGES.into_iter().enumerate() {
        values[4 + edge] = 4.0 * barycentric[a] * barycentric[b];
    }
    Sample { weight, values, derivatives: tet10_derivatives(barycentric) }
}

/// The points with three barycentric coordinates `a`; each gets the share `weight` of the volume.
fn orbit_of_four(a: f64, weight: f64) -> [([f64; 4], f64); 4] {
    std::array::from_fn(|odd| {
        let mut barycentric = [a; 4];
        barycentric[odd] = 1.0 - 3.0 * a;
        (barycentric, weight * PARENT_VOLUME)
    })
}

/// The points with two barycentric coordinates `a` and two `1/2 - a`.
fn orbit_of_six(a: f64, weight: f64) -> [([f64; 4], f64); 6] {
    TETRAHEDRON_EDGES.map(|[first, second]| {
        let mut barycentric = [0.5 - a; 4];
        barycentric[first] = a;
        barycentric[second] = a;
        (barycentric, weight * PARENT_VOLUME)
    })
}
