//! A block of eight-node bricks, assembled here, so that tests do not depend on the crate's own elements.

use std::collections::BTreeMap;

use faer::Mat;
use polycontact_reduction::contact_selection::ContactSelection;
use polycontact_reduction::craig_bampton::{Damping, Directions, Modes, ReductionSettings, Split};
use polycontact_reduction::finite_element_model::{FiniteElementModel, SymmetricMatrix};
use polycontact_reduction::linear_algebra::{MatrixBuilder, symmetric_eigen};

pub struct Block {
    pub size: [f64; 3],
    pub divisions: [usize; 3],
    pub youngs_modulus: f64,
    pub poissons_ratio: f64,
    pub density: f64,
}

impl Default for Block {
    fn default() -> Self {
        Block {
            size: [0.08, 0.04, 0.05],
            divisions: [7, 4, 4],
            youngs_modulus: 210e9,
            poissons_ratio: 0.3,
            density: 7780.0,
        }
    }
}

impl Block {
    pub fn node(&self, i: usize, j: usize, k: usize) -> usize {
        let [nx, ny, _] = self.divisions;
        i + (nx + 1) * (j + (ny + 1) * k)
    }

    pub fn model(&self) -> FiniteElementModel {
        let [nx, ny, nz] = self.divisions;
        let edges = [0, 1, 2].map(|axis| self.size[axis] / self.divisions[axis] as f64);
        let mut node_positions = Vec::new();
        for k in 0..=nz {
            for j in 0..=ny {
                for i in 0..=nx {
                    node_positions.push([i as f64 * edges[0], j as f64 * edges[1], k as f64 * edges[2]]);
                }
            }
        }
        let (element_stiffness, element_mass) = self.element(edges);
        let mut stiffness = MatrixBuilder::new(3 * node_positions.len());
        let mut mass = MatrixBuilder::new(3 * node_positions.len());
        for k in 0..nz {
            for j in 0..ny {
                for i in 0..nx {
                    let nodes: Vec<usize> =
                        (0..8).map(|c| self.node(i + (c & 1), j + ((c >> 1) & 1), k + (c >> 2))).collect();
                    for a in 0..24 {
                        for b in 0..24 {
                            let (row, column) = (3 * nodes[a / 3] + a % 3, 3 * nodes[b / 3] + b % 3);
                            if column <= row {
                                stiffness.add(row, column, element_stiffness[(a, b)]);
                                mass.add(row, column, element_mass[(a, b)]);
                            }
                        }
                    }
                }
            }
        }
        let at = |wanted: &dyn Fn([usize; 3]) -> bool| -> Vec<u32> {
            let all = (0..=nz).flat_map(|k| (0..=ny).flat_map(move |j| (0..=nx).map(move |i| [i, j, k])));
            all.filter(|index| wanted(*index)).map(|[i, j, k]| self.node(i, j, k) as u32).collect()
        };
        let mut node_groups = BTreeMap::new();
        node_groups.insert("bottom".to_owned(), at(&|[_, _, k]| k == 0));
        node_groups.insert("top".to_owned(), at(&|[_, _, k]| k == nz));
        FiniteElementModel {
            node_positions,
            stiffness: stiffness.build(),
            mass: mass.build(),
            surface: self.surface(),
            node_groups,
        }
    }

    fn surface(&self) -> Vec<[u32; 3]> {
        let [nx, ny, nz] = self.divisions;
        let mut faces = Vec::new();
        let mut quad = |a: usize, b: usize, c: usize, d: usize| {
            let [a, b, c, d] = [a, b, c, d].map(|node| node as u32);
            faces.extend([[a, b, c], [a, c, d]]);
        };
        for i in 0..nx {
            for j in 0..ny {
                let at = |k| {
                    [self.node(i, j, k), self.node(i + 1, j, k), self.node(i + 1, j + 1, k), self.node(i, j + 1, k)]
                };
                let ([a, b, c, d], [e, f, g, h]) = (at(0), at(nz));
                quad(a, d, c, b);
                quad(e, f, g, h);
            }
            for k in 0..nz {
                let at = |j| {
                    [self.node(i, j, k), self.node(i + 1, j, k), self.node(i + 1, j, k + 1), self.node(i, j, k + 1)]
                };
                let ([a, b, c, d], [e, f, g, h]) = (at(0), at(ny));
                quad(a, b, c, d);
                quad(e, h, g, f);
            }
        }
        for j in 0..ny {
            for k in 0..nz {
                let at = |i| {
                    [self.node(i, j, k), self.node(i, j + 1, k), self.node(i, j + 1, k + 1), self.node(i, j, k + 1)]
                };
                let ([a, b, c, d], [e, f, g, h]) = (at(0), at(nx));
                quad(a, d, c, b);
                quad(e, f, g, h);
            }
        }
        faces
    }

    /// Trilinear brick with 2 x 2 x 2 Gauss points.
    fn element(&self, edges: [f64; 3]) -> (Mat<f64>, Mat<f64>) {
        let (e, nu) = (self.youngs_modulus, self.poissons_ratio);
        let lambda = e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
        let mu = e / (2.0 * (1.0 + nu));
        let mut stiffness = Mat::<f64>::zeros(24, 24);
        let mut mass = Mat::<f64>::zeros(24, 24);
        let volume = edges[0] * edges[1] * edges[2];
        let point = [0.5 - 0.5 / 3f64.sqrt(), 0.5 + 0.5 / 3f64.sqrt()];
        for gauss in 0..8 {
            let at = [point[gauss & 1], point[(gauss >> 1) & 1], point[gauss >> 2]];
            let shape = |c: usize, axis: usize| if (c >> axis) & 1 == 1 { at[axis] } else { 1.0 - at[axis] };
            let slope = |c: usize, axis: usize| if (c >> axis) & 1 == 1 { 1.0 } else { -1.0 } / edges[axis];
            let value = |c: usize| shape(c, 0) * shape(c, 1) * shape(c, 2);
            let gradient = |c: usize, axis: usize| {
                (0..3).map(|other| if other == axis { slope(c, axis) } else { shape(c, other) }).product::<f64>()
            };
            let weight = volume / 8.0;
            for a in 0..8 {
                for b in 0..8 {
                    let mixed: f64 = (0..3).map(|axis| gradient(a, axis) * gradient(b, axis)).sum();
                    for i in 0..3 {
                        for j in 0..3 {
                            let isotropic =
                                lambda * gradient(a, i) * gradient(b, j) + mu * gradient(a, j) * gradient(b, i);
                            let diagonal = if i == j { mu * mixed } else { 0.0 };
                            stiffness[(3 * a + i, 3 * b + j)] += weight * (isotropic + diagonal);
                        }
                        mass[(3 * a + i, 3 * b + i)] += weight * self.density * value(a) * value(b);
                    }
                }
            }
        }
        (stiffness, mass)
    }
}

/// Contact at the top, along the normal, modes up to a frequency in Hz.
pub fn settings(modes_below: f64) -> ReductionSettings {
    ReductionSettings {
        contact: ContactSelection { group: Some("top".to_owned()), ..Default::default() },
        directions: Directions::Normal,
        modes: Modes::Below(modes_below),
        split: Split::WithModes,
        damping: Damping::default(),
    }
}

pub fn dense(matrix: &SymmetricMatrix) -> Mat<f64> {
    let mut result = Mat::zeros(matrix.size(), matrix.size());
    for column in 0..matrix.size() {
        for entry in matrix.column_starts[column]..matrix.column_starts[column + 1] {
            result[(matrix.rows[entry], column)] = matrix.values[entry];
            result[(column, matrix.rows[entry])] = matrix.values[entry];
        }
    }
    result
}

/// All angular frequencies (rigid ones first) and M-orthonormal modes of the full model.
pub fn full_modes(model: &FiniteElementModel) -> (Vec<f64>, Mat<f64>) {
    let factor = dense(&model.mass).llt(faer::Side::Lower).unwrap();
    let mut half = dense(&model.stiffness);
    factor.L().solve_lower_triangular_in_place(&mut half);
    let mut whole = half.transpose().to_owned();
    factor.L().solve_lower_triangular_in_place(&mut whole);
    let (squares, mut modes) = symmetric_eigen(whole.as_ref()).unwrap();
    factor.L().transpose().solve_upper_triangular_in_place(&mut modes);
    (squares.iter().map(|value| value.max(0.0).sqrt()).collect(), modes)
}
