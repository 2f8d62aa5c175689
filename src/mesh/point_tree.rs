//! Finds points in a box.

use crate::math::Vector;

/// Points ordered so that the middle one of every range divides the others along one axis.
pub(super) struct PointTree {
    points: Vec<(Vector, u32)>,
}

/// Ranges up to this length are looked through one by one.
const LEAF: usize = 8;

impl PointTree {
    /// Takes points with their numbers.
    pub(super) fn build(mut points: Vec<(Vector, u32)>) -> Self {
        arrange(&mut points, 0);
        PointTree { points }
    }

    /// Calls `visit` with every point in the box; ends early where it returns false.
    pub(super) fn visit_box(&self, low: &Vector, high: &Vector, mut visit: impl FnMut(&Vector, u32) -> bool) {
        let mut open = vec![(0, self.points.len(), 0)];
        let mut visit_inside = |(point, number): &(Vector, u32)| {
            let is_inside = (0..3).all(|k| low[k] <= point[k] && point[k] <= high[k]);
            !is_inside || visit(point, *number)
        };
        while let Some((start, end, axis)) = open.pop() {
            if end - start <= LEAF {
                if !self.points[start..end].iter().all(&mut visit_inside) {
                    return;
                }
                continue;
            }
            let middle = (start + end) / 2;
            let divider = &self.points[middle];
            if !visit_inside(divider) {
                return;
            }
            let next = (axis + 1) % 3;
            if low[axis] <= divider.0[axis] {
                open.push((start, middle, next));
            }
            if divider.0[axis] <= high[axis] {
                open.push((middle + 1, end, next));
            }
        }
    }
}

fn arrange(points: &mut [(Vector, u32)], axis: usize) {
    if points.len() <= LEAF {
        return;
    }
    let middle = points.len() / 2;
    points.select_nth_unstable_by(middle, |(p, i), (q, j)| p[axis].total_cmp(&q[axis]).then(i.cmp(j)));
    let (low, high) = points.split_at_mut(middle);
    arrange(low, (axis + 1) % 3);
    arrange(&mut high[1..], (axis + 1) % 3);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_holds_what_looking_through_all_points_finds() {
        let coordinate = |k: u32, step: u32| f64::from(k * step % 101) / 101.0;
        let points: Vec<(Vector, u32)> =
            (0..500).map(|k| (Vector::new(coordinate(k, 37), coordinate(k, 53), coordinate(k, 71)), k)).collect();
        let tree = PointTree::build(points.clone());
        for k in 0..50 {
            let low = Vector::new(coordinate(k, 13), coordinate(k, 17), coordinate(k, 19)) * 0.8;
            let high = low + Vector::new(0.1, 0.3, 0.6);
            let mut found = Vec::new();
            tree.visit_box(&low, &high, |_, number| {
                found.push(number);
                true
            });
            found.sort_unstable();
            let is_inside = |point: &Vector| (0..3).all(|axis| low[axis] <= point[axis] && point[axis] <= high[axis]);
            let expected: Vec<u32> = points.iter().filter(|(point, _)| is_inside(point)).map(|&(_, k)| k).collect();
            assert_eq!(found, expected);
        }
    }
}
