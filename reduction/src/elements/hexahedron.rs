//! Hexahedra with eight nodes.
//!
//! The parent element is the cube from -1 to 1; nodes 0 to 3 go round its lower face, 4 to 7 lie above them.

use std::sync::LazyLock;

use super::sample::Sample;

/// Parent coordinates of the nodes.
pub const CORNERS: [[f64; 3]; 8] = [
    [-1.0, -1.0, -1.0],
    [1.0, -1.0, -1.0],
    [1.0, 1.0, -1.0],
    [-1.0, 1.0, -1.0],
    [-1.0, -1.0, 1.0],
    [1.0, -1.0, 1.0],
    [1.0, 1.0, 1.0],
    [-1.0, 1.0, 1.0],
];

/// 1/√3: the points of Gauss's rule that is exact to degree 3.
pub(super) const GAUSS_COORDINATE: f64 = 0.577_350_269_189_625_8;

/// Trilinear hexahedron, 2 × 2 × 2 points: exact for parallelepipeds, and for the volume of any shape.
/// One point near each corner, in their order.
pub static HEX8: LazyLock<Vec<Sample<8>>> =
    LazyLock::new(|| CORNERS.map(|corner| hex8_sample(corner.map(|sign| sign * GAUSS_COORDINATE))).to_vec());

fn hex8_sample(point: [f64; 3]) -> Sample<8> {
    let factor = |node: usize, axis: usize| 0.5 * (1.0 + CORNERS[node][axis] * point[axis]);
    let slope = |node: usize, axis: usize| 0.5 * CORNERS[node][axis];
    Sample {
        weight: 1.0,
        values: std::array::from_fn(|node| factor(node, 0) * factor(node, 1) * factor(node, 2)),
        derivatives: std::array::from_fn(|node| {
            [
                slope(node, 0) * factor(node, 1) * factor(node, 2),
                factor(node, 0) * slope(node, 1) * factor(node, 2),
                factor(node, 0) * factor(node, 1) * slope(node, 2),
            ]
        }),
    }
}
