//! Shapes made of the cells of a rectangular grid: boxes, combs, tables.

use super::push_quad;
use crate::math::Vector;
use crate::mesh::TriangleMesh;

const NONE: u32 = u32::MAX;

/// The body made of the filled cells of a grid with the given grid lines (ascending).
///
/// `is_filled(i, j, k)` says whether the cell between lines i and i + 1 (x), j and j + 1 (y),
/// k and k + 1 (z) belongs to the body. Filled cells must share faces, not only edges or corners:
/// otherwise edges get four faces.
pub fn from_cells(lines: [&[f64]; 3], is_filled: impl Fn(usize, usize, usize) -> bool) -> TriangleMesh {
    let [nx, ny, nz] = lines.map(<[f64]>::len);
    let (cells_x, cells_y, cells_z) = (nx - 1, ny - 1, nz - 1);
    let is_filled = |i: isize, j: isize, k: isize| {
        let inside = 0 <= i && 0 <= j && 0 <= k;
        let (i, j, k) = (i as usize, j as usize, k as usize);
        inside && i < cells_x && j < cells_y && k < cells_z && is_filled(i, j, k)
    };
    let mut vertex_at = vec![NONE; nx * ny * nz];
    let mut mesh = TriangleMesh { vertices: Vec::new(), faces: Vec::new() };
    // Corners of each side of a cell, counter-clockwise from outside, and the way to the neighbour.
    const SIDES: [([isize; 3], [[usize; 3]; 4]); 6] = [
        ([-1, 0, 0], [[0, 0, 0], [0, 0, 1], [0, 1, 1], [0, 1, 0]]),
        ([1, 0, 0], [[1, 0, 0], [1, 1, 0], [1, 1, 1], [1, 0, 1]]),
        ([0, -1, 0], [[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1]]),
        ([0, 1, 0], [[0, 1, 0], [0, 1, 1], [1, 1, 1], [1, 1, 0]]),
        ([0, 0, -1], [[0, 0, 0], [0, 1, 0], [1, 1, 0], [1, 0, 0]]),
        ([0, 0, 1], [[0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]]),
    ];
    for i in 0..cells_x {
        for j in 0..cells_y {
            for k in 0..cells_z {
                let cell = [i as isize, j as isize, k as isize];
                if !is_filled(cell[0], cell[1], cell[2]) {
                    continue;
                }
                for (step, corners) in &SIDES {
                    if is_filled(cell[0] + step[0], cell[1] + step[1], cell[2] + step[2]) {
                        continue;
                    }
                    let quad = corners.map(|[di, dj, dk]| {
                        let (i, j, k) = (i + di, j + dj, k + dk);
                        let slot = &mut vertex_at[(i * ny + j) * nz + k];
                        if *slot == NONE {
                            *slot = mesh.vertices.len() as u32;
                            mesh.vertices.push(Vector::new(lines[0][i], lines[1][j], lines[2][k]));
                        }
                        *slot
                    });
                    push_quad(&mut mesh.faces, quad);
                }
            }
        }
    }
    mesh
}

/// A box of 12 faces.
pub fn cuboid(size: Vector) -> TriangleMesh {
    subdivided_cuboid(size, [1, 1, 1])
}

/// A box whose sides are grids of `cells` = n, m, k cells along x, y, z: 4 (n m + m k + k n) faces.
///
/// The box of 24,576 faces of the benchmark is 0.4 × 0.4 × 0.1 m with 64 × 64 × 16 cells.
pub fn subdivided_cuboid(size: Vector, cells: [usize; 3]) -> TriangleMesh {
    let lines: [Vec<f64>; 3] = [0, 1, 2].map(|axis| {
        let n = cells[axis];
        (0..=n).map(|i| size[axis] * (i as f64 / n as f64 - 0.5)).collect()
    });
    from_cells([&lines[0], &lines[1], &lines[2]], |_, _, _| true)
}

/// A bar along x with `teeth` square-ended teeth on its top; gaps are as wide as teeth.
///
/// The bar lies between z = −`bar_height` and 0, the teeth between 0 and `tooth_height`; x runs from
/// 0 to (2 `teeth` − 1) `tooth_width`, y is centred.
pub fn comb(teeth: usize, tooth_width: f64, tooth_height: f64, bar_height: f64, depth: f64) -> TriangleMesh {
    let x_lines: Vec<f64> = (0..2 * teeth).map(|i| i as f64 * tooth_width).collect();
    from_cells([&x_lines, &[-0.5 * depth, 0.5 * depth], &[-bar_height, 0.0, tooth_height]], |i, _, k| {
        k == 0 || i % 2 == 0
    })
}

/// A table: a top of `size` x × y and four square legs of `leg_width` at its corners.
///
/// The feet stand on z = 0, the top lies between `size.z` − `top_thickness` and `size.z`.
pub fn table(size: Vector, top_thickness: f64, leg_width: f64) -> TriangleMesh {
    let lines = |length: f64| [-0.5 * length, -0.5 * length + leg_width, 0.5 * length - leg_width, 0.5 * length];
    from_cells([&lines(size.x), &lines(size.y), &[0.0, size.z - top_thickness, size.z]], |i, j, k| {
        k == 1 || (i != 1 && j != 1)
    })
}
