//! Cuts a polygon in space into triangles.

use robust::{Coord, orient2d};

use crate::math::Vector;

/// The polygons of the file need more corner tests than allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BudgetExceeded;

/// Cuts polygons by clipping ears in the coordinate plane that shows them largest.
///
/// A convex polygon becomes the fan around its first corner. Corners on a straight side are kept as
/// corners, so that neighbours along that side still fit. A polygon that crosses itself or has no
/// area has no right answer; what cannot be clipped becomes a fan.
pub(super) struct PolygonCutter {
    /// Corner tests left.
    budget: u64,
    flat: Vec<Coord<f64>>,
    next: Vec<usize>,
    previous: Vec<usize>,
    is_reflex: Vec<bool>,
    reflex: Vec<usize>,
}

impl PolygonCutter {
    pub(super) fn new(budget: u64) -> Self {
        PolygonCutter {
            budget,
            flat: Vec::new(),
            next: Vec::new(),
            previous: Vec::new(),
            is_reflex: Vec::new(),
            reflex: Vec::new(),
        }
    }

    /// Calls `emit` with the corners of each triangle, as indices into `corners`.
    pub(super) fn cut(&mut self, corners: &[Vector], mut emit: impl FnMut([usize; 3])) -> Result<(), BudgetExceeded> {
        let count = corners.len();
        if count < 3 {
            return Ok(());
        }
        if count == 3 || !self.flatten(corners) {
            (1..count - 1).for_each(|k| emit([0, k, k + 1]));
            return Ok(());
        }
        self.next = (1..count).chain([0]).collect();
        self.previous = [count - 1].into_iter().chain(0..count - 1).collect();
        self.is_reflex = (0..count).map(|corner| self.turn(corner) <= 0.0).collect();
        self.reflex = (0..count).filter(|&corner| self.is_reflex[corner]).collect();

        // Starting at corner 1 and stepping on after every ear keeps corner 0 as the hub of the fan.
        let mut corner = 1;
        let mut remaining = count;
        let mut passed_over = 0;
        while 3 < remaining && passed_over < remaining {
            let (before, after) = (self.previous[corner], self.next[corner]);
            if self.is_ear(corner)? {
                emit([before, corner, after]);
                self.unlink(corner);
                remaining -= 1;
                passed_over = 0;
            } else {
                passed_over += 1;
            }
            corner = after;
        }
        let hub = self.previous[corner];
        for _ in 2..remaining {
            emit([hub, corner, self.next[corner]]);
            corner = self.next[corner];
        }
        Ok(())
    }

    /// Projects the polygon so that it runs counter-clockwise; false if it has no area.
    fn flatten(&mut self, corners: &[Vector]) -> bool {
        let origin = corners[0];
        let pairs = corners.iter().zip(corners[1..].iter().chain(&corners[..1]));
        let normal: Vector = pairs.map(|(a, b)| (a - origin).cross(&(b - origin))).sum();
        let axis = normal.iamax();
        if normal[axis] == 0.0 {
            return false;
        }
        let (x, y) =
            if 0.0 < normal[axis] { ((axis + 1) % 3, (axis + 2) % 3) } else { ((axis + 2) % 3, (axis + 1) % 3) };
        self.flat.clear();
        self.flat.extend(corners.iter().map(|corner| Coord { x: corner[x], y: corner[y] }));
        true
    }

    /// Positive at a corner that turns left, zero on a straight side.
    fn turn(&self, corner: usize) -> f64 {
        orient2d(self.flat[self.previous[corner]], self.flat[corner], self.flat[self.next[corner]])
    }

    /// Whether the triangle at `corner` lies inside the polygon and touches no other corner.
    fn is_ear(&mut self, corner: usize) -> Result<bool, BudgetExceeded> {
        if self.is_reflex[corner] {
            return Ok(false);
        }
        let is_reflex = &self.is_reflex;
        self.reflex.retain(|&other| is_reflex[other]);
        self.budget = self.budget.checked_sub(1 + self.reflex.len() as u64).ok_or(BudgetExceeded)?;
        let triangle = [self.previous[corner], corner, self.next[corner]].map(|index| self.flat[index]);
        // Only reflex and straight corners can be the first to enter an ear.
        Ok(!self.reflex.iter().any(|&other| {
            let point = self.flat[other];
            !triangle.contains(&point) && (0..3).all(|k| 0.0 <= orient2d(triangle[k], triangle[(k + 1) % 3], point))
        }))
    }

    fn unlink(&mut self, corner: usize) {
        let (before, after) = (self.previous[corner], self.next[corner]);
        self.next[before] = after;
        self.previous[after] = before;
        for neighbour in [before, after] {
            let reflex = self.turn(neighbour) <= 0.0;
            if reflex && !self.is_reflex[neighbour] {
                self.reflex.push(neighbour);
            }
            self.is_reflex[neighbour] = reflex;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(outline: &[(f64, f64)]) -> Vec<[usize; 3]> {
        // A tilted plane: x → (x, y, x/2 − y/4).
        let corners: Vec<Vector> = outline.iter().map(|&(x, y)| Vector::new(x, y, 0.5 * x - 0.25 * y)).collect();
        let mut triangles = Vec::new();
        PolygonCutter::new(1_000_000).cut(&corners, |triangle| triangles.push(triangle)).unwrap();
        triangles
    }

    fn area(outline: &[(f64, f64)], corners: &[usize]) -> f64 {
        let points = corners.iter().map(|&corner| outline[corner]);
        let shifted = points.clone().skip(1).chain(points.clone().take(1));
        points.zip(shifted).map(|(a, b)| 0.5 * (a.0 * b.1 - a.1 * b.0)).sum()
    }

    /// Triangles that all wind like the polygon and whose areas add up to its own overlap nowhere.
    fn assert_tiles(outline: &[(f64, f64)]) {
        let triangles = cut(outline);
        assert_eq!(triangles.len(), outline.len() - 2);
        let whole = area(outline, &(0..outline.len()).collect::<Vec<_>>());
        let parts: Vec<f64> = triangles.iter().map(|triangle| area(outline, triangle)).collect();
        assert!(parts.iter().all(|part| 0.0 < part * whole), "{triangles:?}: {parts:?}");
        assert!((parts.iter().sum::<f64>() - whole).abs() <= 1e-12 * whole.abs());
    }

    #[test]
    fn convex_polygon_becomes_a_fan_around_its_first_corner() {
        assert_eq!(cut(&[(0., 0.), (2., 0.), (3., 1.), (2., 2.), (0., 2.)]), [[0, 1, 2], [0, 2, 3], [0, 3, 4]]);
    }

    #[test]
    fn arrowhead_quad_is_cut_through_its_reflex_corner() {
        for start in 0..4 {
            let mut outline = [(0., 0.), (2., 1.), (0., 2.), (1., 1.)];
            outline.rotate_left(start);
            assert_tiles(&outline);
        }
    }

    #[test]
    fn comb_with_straight_sides_is_tiled_in_both_windings() {
        let mut outline = vec![(0., 0.), (1., 0.), (2., 0.), (3., 0.), (4., 0.), (5., 0.)];
        outline.extend([
            (5., 3.),
            (4., 3.),
            (4., 1.),
            (3., 1.),
            (3., 3.),
            (2., 3.),
            (2., 1.),
            (1., 1.),
            (1., 3.),
            (0., 3.),
        ]);
        assert_tiles(&outline);
        outline.reverse();
        assert_tiles(&outline);
    }

    #[test]
    fn straight_corner_stays_a_corner() {
        for start in 0..4 {
            let mut outline = [(0., 0.), (1., 0.), (2., 0.), (1., 2.)];
            outline.rotate_left(start);
            assert_tiles(&outline);
        }
    }

    #[test]
    fn budget_ends_the_work_on_an_intricate_polygon() {
        let teeth: Vec<Vector> =
            (0..4000).map(|k| Vector::new(f64::from(k), if k % 2 == 0 { 0.0 } else { 1.0 }, 0.0)).collect();
        let back: Vec<Vector> = teeth.iter().rev().map(|tooth| tooth + Vector::new(0.0, 0.5, 0.0)).collect();
        let outline = [teeth, back].concat();
        assert_eq!(PolygonCutter::new(10_000).cut(&outline, |_| ()), Err(BudgetExceeded));
    }
}
