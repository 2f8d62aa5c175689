//! The height of a curved surface over a plane, fitted to points and normals around its origin.

use std::f64::consts::SQRT_2;

use nalgebra::{SMatrix, SVector};

use crate::math::Vector;

/// Terms of the height: two slopes, three curvatures, the square of the height itself, and four of third order. With
/// the square, spheres and cylinders are exact.
const TERMS: usize = 10;

type Row = SVector<f64, TERMS>;

/// What a term costs, against heights over squared distances: enough to choose the plainest surface where points leave
/// a choice, and to leave third order out where few points say something about it. The finer a mesh, the smaller are
/// curvatures and, by their square, what the square of the height changes: costs of these are far below, since they
/// would be an error of second order on spheres and cylinders.
const COSTS: [f64; TERMS] = [1e-5, 1e-5, 1e-5, 1e-5, SQRT_2 * 1e-5, 1e-6, 3e-3, SQRT_3 * 3e-3, SQRT_3 * 3e-3, 3e-3];

/// Mixed terms count as often as they are in the tensors of curvature and its slope, so that no axis is preferred.
const SQRT_3: f64 = 1.732_050_807_568_877_2;

/// Cosine between a normal and the plane's below which it says nothing about a slope.
const STEEPEST: f64 = 0.2;

/// A least-squares fit.
pub(super) struct Height {
    /// Two directions in the plane, and its normal.
    frame: [Vector; 3],
    origin: Vector,
    /// One over the distance of usual points.
    scale: f64,
    matrix: SMatrix<f64, TERMS, TERMS>,
    right: Row,
    rows: usize,
}

impl Height {
    /// A height over the plane with a unit normal; the surface goes through the origin. `distance`, in m, is that of
    /// usual points.
    pub(super) fn over(normal: Vector, origin: Vector, distance: f64) -> Height {
        let axis = if normal.x.abs() < 0.6 { Vector::x() } else { Vector::y() };
        let u = (axis - normal * normal.dot(&axis)).normalize();
        let frame = [u, normal.cross(&u), normal];
        Height { frame, origin, scale: 1.0 / distance, matrix: SMatrix::zeros(), right: Row::zeros(), rows: 0 }
    }

    /// A point of the surface.
    pub(super) fn add_point(&mut self, point: Vector) {
        let [x, y, z] = self.local(point);
        let squared = x * x + y * y + z * z;
        let terms = [
            x,
            y,
            0.5 * x * x,
            0.5 * y * y,
            x * y,
            0.5 * z * z,
            x * x * x / 6.0,
            0.5 * x * x * y,
            0.5 * x * y * y,
            y * y * y / 6.0,
        ];
        self.add_row(terms, z, 1.0 / (squared * squared.sqrt()));
    }

    /// The unit normal of the surface at a point.
    pub(super) fn add_normal(&mut self, point: Vector, normal: Vector) {
        let [x, y, z] = self.local(point);
        let [across_x, across_y, along] = self.frame.map(|axis| axis.dot(&normal));
        if along < STEEPEST {
            return;
        }
        let (by_x, by_y) = (-across_x / along, -across_y / along);
        let weight = 1.0 / (x * x + y * y + z * z);
        let terms_x = [1.0, 0.0, x, 0.0, y, z * by_x, 0.5 * x * x, x * y, 0.5 * y * y, 0.0];
        self.add_row(terms_x, by_x, weight);
        let terms_y = [0.0, 1.0, 0.0, y, x, z * by_y, 0.0, 0.5 * x * x, x * y, 0.5 * y * y];
        self.add_row(terms_y, by_y, weight);
    }

    /// The unit normal at the origin.
    pub(super) fn normal(mut self) -> Vector {
        let [u, v, normal] = self.frame;
        for (term, cost) in COSTS.iter().enumerate() {
            self.matrix[(term, term)] += cost * cost * self.rows as f64;
        }
        let solution = self.matrix.cholesky().map(|factors| factors.solve(&self.right));
        let found = solution.map(|terms| normal - u * terms[0] - v * terms[1]);
        found.filter(|found| found.iter().all(|x| x.is_finite())).map_or(normal, |found| found.normalize())
    }

    fn local(&self, point: Vector) -> [f64; 3] {
        self.frame.map(|axis| axis.dot(&(point - self.origin)) * self.scale)
    }

    fn add_row(&mut self, terms: [f64; TERMS], value: f64, weight: f64) {
        let row = Row::from(terms) * weight;
        self.matrix.ger(1.0, &row, &row, 1.0);
        self.right.axpy(value * weight, &row, 1.0);
        self.rows += 1;
    }
}
