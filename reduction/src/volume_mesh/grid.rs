//! Coarse tetrahedral meshes of a box in parameter space, as a start for refinement.

/// A conforming mesh of linear tetrahedra whose nodes have parameters besides positions.
#[derive(Clone, Debug)]
pub(super) struct ParameterMesh {
    /// In the parameter box.
    pub parameters: Vec<[f64; 3]>,
    /// In m.
    pub positions: Vec<[f64; 3]>,
    /// Of positive volume.
    pub tetrahedra: Vec<[u32; 4]>,
}

/// Corner offsets on the way from the inner to the outer corner of a cell, for each order of the axes.
const AXIS_ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];

/// Splits each cell of a grid into six tetrahedra round its diagonal (Kuhn's split).
///
/// The diagonals point away from the planes where a parameter is 0, so the split is symmetric to these planes and
/// the planes of equal absolute parameters are made of faces: a map may have kinks there.
/// `map` takes parameters to positions and keeps the orientation; the values on each axis ascend.
pub(super) fn split_grid(axes: [&[f64]; 3], map: &dyn Fn([f64; 3]) -> [f64; 3]) -> ParameterMesh {
    let counts = axes.map(<[f64]>::len);
    let node = |index: [usize; 3]| (index[0] + counts[0] * (index[1] + counts[1] * index[2])) as u32;
    let mut parameters = Vec::with_capacity(counts.iter().product());
    for &z in axes[2] {
        for &y in axes[1] {
            parameters.extend(axes[0].iter().map(|&x| [x, y, z]));
        }
    }
    let mut tetrahedra = Vec::new();
    for k in 0..counts[2] - 1 {
        for j in 0..counts[1] - 1 {
            for i in 0..counts[0] - 1 {
                let cell = [i, j, k];
                let mirrored: [bool; 3] =
                    std::array::from_fn(|axis| axes[axis][cell[axis]] + axes[axis][cell[axis] + 1] < 0.0);
                for order in AXIS_ORDERS {
                    tetrahedra.push(path_tetrahedron(cell, mirrored, order).map(node));
                }
            }
        }
    }
    let positions = parameters.iter().map(|&parameters| map(parameters)).collect();
    ParameterMesh { parameters, positions, tetrahedra }
}

/// The tetrahedron whose corners lie on the path from the inner to the outer corner of the cell.
fn path_tetrahedron(cell: [usize; 3], mirrored: [bool; 3], order: [usize; 3]) -> [[usize; 3]; 4] {
    let mut index: [usize; 3] = std::array::from_fn(|axis| cell[axis] + usize::from(mirrored[axis]));
    let mut corners = [index; 4];
    for (step, &axis) in order.iter().enumerate() {
        index[axis] = if mirrored[axis] { index[axis] - 1 } else { index[axis] + 1 };
        corners[step + 1] = index;
    }
    let odd_order = matches!(order, [0, 2, 1] | [2, 1, 0] | [1, 0, 2]);
    let odd_mirrors = mirrored.iter().filter(|mirrored| **mirrored).count() % 2 == 1;
    if odd_order != odd_mirrors {
        corners.swap(2, 3);
    }
    corners
}
