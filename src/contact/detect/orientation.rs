//! Exact orientation tests between points of E and of F, with one consistent tie-break.
//!
//! Body F is moved by an infinitely small translation `δ = (ε, ε², ε³)`, resolved in frame E. Every
//! test below mixes points of both bodies, so a determinant that vanishes is replaced by its
//! derivative along δ: the sign of the first component of a vector that does not vanish. Coplanar
//! faces, edges through vertices and edges across edges then behave like a pose close by.
//!
//! Two cases keep a zero, and neither needs a decision. Parallel edges of E and F: both ends of the
//! one are on the same side of every face at the other, so the edge crosses none of them. A face
//! whose corners are collinear after rounding: no edge crosses it, and two of its own edges run
//! through the same points, so they cross the same faces.

use crate::math::{Body, Grid, Vector};

/// The sign of a determinant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// Below zero: below a plane, inside.
    Negative,
    /// Above zero: above a plane, outside. Also stands for zero where no decision is needed.
    Positive,
}

/// Rounding error of the determinant below, relative to the sum of the magnitudes of its terms. The
/// factors are exact; a term meets at most five roundings of 2⁻⁵³ each (two products, three sums),
/// and as many in the sum of the magnitudes itself: below 8 · 2⁻⁵³ with all second-order terms.
const DETERMINANT_ERROR: f64 = 4.0 * f64::EPSILON;

/// On which side of the plane of a face a point of the other body lies: positive on the side to
/// which the normal `(b − a) × (c − a)` points. None for a face whose corners are collinear. The face belongs to
/// `face_of`, the point to the other body.
#[inline]
pub fn side_of_face(grid: &Grid, face: &[Vector; 3], point: Vector, face_of: Body) -> Option<Sign> {
    FacePlane::new(face).side(grid, point, face_of)
}

/// The edge vectors of a face and their cross product, term by term: what [`side_of_face`] needs of the face,
/// for many points.
#[derive(Clone, Copy, Debug)]
pub struct FacePlane {
    first: Vector,
    u: Vector,
    v: Vector,
    cross: Vector,
    /// Sums of the magnitudes of the two terms of each component of the cross product.
    magnitude: Vector,
}

impl FacePlane {
    /// Of a face by its corners.
    #[inline]
    pub fn new(face: &[Vector; 3]) -> Self {
        let (u, v) = (face[1] - face[0], face[2] - face[0]);
        let (yz, zy) = (u.y * v.z, u.z * v.y);
        let (zx, xz) = (u.z * v.x, u.x * v.z);
        let (xy, yx) = (u.x * v.y, u.y * v.x);
        FacePlane {
            first: face[0],
            u,
            v,
            cross: Vector::new(yz - zy, zx - xz, xy - yx),
            magnitude: Vector::new(yz.abs() + zy.abs(), zx.abs() + xz.abs(), xy.abs() + yx.abs()),
        }
    }

    /// `(b − a) × (c − a)`.
    #[inline]
    pub fn cross(&self) -> &Vector {
        &self.cross
    }

    /// [`side_of_face`], with the same rounding.
    #[inline]
    pub fn side(&self, grid: &Grid, point: Vector, face_of: Body) -> Option<Sign> {
        let w = point - self.first;
        let determinant = self.cross.x * w.x + self.cross.y * w.y + self.cross.z * w.z;
        let error = DETERMINANT_ERROR
            * (self.magnitude.x * w.x.abs() + self.magnitude.y * w.y.abs() + self.magnitude.z * w.z.abs());
        if determinant > error {
            Some(Sign::Positive)
        } else if determinant < -error {
            Some(Sign::Negative)
        } else {
            exact_determinant_sign(grid, &self.u, &self.v, &w).or_else(|| self.side_of_tie(grid, face_of))
        }
    }

    #[cold]
    fn side_of_tie(&self, grid: &Grid, face_of: Body) -> Option<Sign> {
        let sign = first_sign_of_cross(grid, &self.u, &self.v)?;
        // A point of F moves by δ; a face of F moves, so the point moves by −δ relative to it.
        Some(if face_of == Body::E { sign } else { opposite(sign) })
    }
}

/// In which sense an edge `p → q` of E passes an edge `a → b` of F: the sign of
/// `det(q − p, a − p, b − p)`. None for parallel edges in one plane.
#[inline]
pub fn edge_past_edge(grid: &Grid, p: Vector, q: Vector, a: Vector, b: Vector) -> Option<Sign> {
    let along = q - p;
    determinant_sign(grid, &along, &(a - p), &(b - p))
        // Derivative along δ, which moves a and b: −(q − p) × (b − a).
        .or_else(|| first_sign_of_cross(grid, &along, &(a - b)))
}

#[inline]
fn opposite(sign: Sign) -> Sign {
    if sign == Sign::Positive { Sign::Negative } else { Sign::Positive }
}

/// Sign of `(u × v) · w` for differences of grid points; none where it is exactly zero.
#[inline]
fn determinant_sign(grid: &Grid, u: &Vector, v: &Vector, w: &Vector) -> Option<Sign> {
    let (xy, yx) = (u.x * v.y, u.y * v.x);
    let (yz, zy) = (u.y * v.z, u.z * v.y);
    let (zx, xz) = (u.z * v.x, u.x * v.z);
    let determinant = (yz - zy) * w.x + (zx - xz) * w.y + (xy - yx) * w.z;
    let magnitude =
        (yz.abs() + zy.abs()) * w.x.abs() + (zx.abs() + xz.abs()) * w.y.abs() + (xy.abs() + yx.abs()) * w.z.abs();
    let error = DETERMINANT_ERROR * magnitude;
    if determinant > error {
        Some(Sign::Positive)
    } else if determinant < -error {
        Some(Sign::Negative)
    } else {
        exact_determinant_sign(grid, u, v, w)
    }
}

#[cold]
fn exact_determinant_sign(grid: &Grid, u: &Vector, v: &Vector, w: &Vector) -> Option<Sign> {
    // Integers of at most 51 bits, so each minor has at most 103.
    let minors = cross_in_spacings(grid, u, v);
    // The products with w need up to 156 bits: split the minors at 52 bits, and sum high and low
    // halves apart.
    const LOW_BITS: u32 = 52;
    const LOW_MASK: i128 = (1 << LOW_BITS) - 1;
    let (mut high, mut low) = (0i128, 0i128);
    for axis in 0..3 {
        let factor = grid.in_spacings(w[axis]);
        high += (minors[axis] >> LOW_BITS) * factor;
        low += (minors[axis] & LOW_MASK) * factor;
    }
    high += low >> LOW_BITS;
    low &= LOW_MASK;
    sign_of(if high != 0 { high } else { low })
}

/// Sign of the first component of `u × v` that is not zero.
#[cold]
fn first_sign_of_cross(grid: &Grid, u: &Vector, v: &Vector) -> Option<Sign> {
    cross_in_spacings(grid, u, v).into_iter().find_map(sign_of)
}

fn cross_in_spacings(grid: &Grid, u: &Vector, v: &Vector) -> [i128; 3] {
    let [ux, uy, uz] = [u.x, u.y, u.z].map(|x| grid.in_spacings(x));
    let [vx, vy, vz] = [v.x, v.y, v.z].map(|x| grid.in_spacings(x));
    [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]
}

fn sign_of(value: i128) -> Option<Sign> {
    match value {
        0 => None,
        1.. => Some(Sign::Positive),
        _ => Some(Sign::Negative),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points with few distinct coordinates: many exact zeros; shifted by one grid spacing now and
    /// then: many near zeros.
    fn nearly_degenerate_points(grid: &Grid, seed: &mut u64) -> [Vector; 4] {
        let mut next = |n: u64| {
            *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (*seed >> 33) % n
        };
        std::array::from_fn(|_| {
            grid.snap(Vector::from_fn(|_, _| {
                let coarse = next(3) as f64 * 0.37 - 0.2;
                coarse + if next(4) == 0 { next(3) as f64 * grid.spacing() } else { 0.0 }
            }))
        })
    }

    #[test]
    fn signs_equal_those_of_an_independent_exact_predicate() {
        let grid = Grid::new(1.0);
        let mut seed = 1;
        let (mut zeros, mut others) = (0, 0);
        for _ in 0..200_000 {
            let [a, b, c, d] = nearly_degenerate_points(&grid, &mut seed);
            let ours = determinant_sign(&grid, &(b - a), &(c - a), &(d - a));
            let coord = |p: Vector| robust::Coord3D { x: p.x, y: p.y, z: p.z };
            // Its sign is that of det(a − d, b − d, c − d), the opposite of ours.
            let theirs = -robust::orient3d(coord(a), coord(b), coord(c), coord(d));
            let expected = if theirs > 0.0 {
                Some(Sign::Positive)
            } else if theirs < 0.0 {
                Some(Sign::Negative)
            } else {
                None
            };
            assert_eq!(ours, expected, "{a} {b} {c} {d}");
            if expected.is_none() { zeros += 1 } else { others += 1 }
        }
        assert!(zeros > 1000 && others > 1000, "both kinds must occur: {zeros} and {others}");
    }

    /// The tie-break is the limit of real translations: compare with one that is small, but large
    /// enough for the determinant to leave zero.
    #[test]
    fn ties_are_broken_like_a_small_translation_of_f() {
        let grid = Grid::new(2.0);
        let mut seed = 7;
        // Powers of two, and points below on multiples of 3/8: every sum is exact.
        let delta = Vector::new((-10f64).exp2(), (-20f64).exp2(), (-30f64).exp2());
        let mut ties = 0;
        for _ in 0..100_000 {
            let points = nearly_degenerate_points(&grid, &mut seed);
            let [a, b, c, d] = points.map(|p| p.map(|x| ((x + 0.2) / 0.37).round() * 0.375));
            if determinant_sign(&grid, &(b - a), &(c - a), &(d - a)).is_some() {
                continue;
            }
            ties += 1;
            let moved = |p: Vector| p + delta;
            let real =
                |a: Vector, b: Vector, c: Vector, d: Vector| determinant_sign(&grid, &(b - a), &(c - a), &(d - a));
            if let Some(sign) = side_of_face(&grid, &[a, b, c], d, Body::E) {
                assert_eq!(Some(sign), real(a, b, c, moved(d)));
            }
            if let Some(sign) = side_of_face(&grid, &[a, b, c], d, Body::F) {
                assert_eq!(Some(sign), real(moved(a), moved(b), moved(c), d));
            }
            if let Some(sign) = edge_past_edge(&grid, a, b, c, d) {
                assert_eq!(Some(sign), real(a, b, moved(c), moved(d)));
            }
        }
        assert!(ties > 1000, "{ties} ties");
    }
}
