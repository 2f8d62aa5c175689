//! Integrals of powers of the coordinates over a convex polygon, in closed form.

use wide::f64x2;

use super::convex_polygon::{PlanePoint, SMALLEST_AREA};

/// Integrals of 1, x, y and their products up to the third order, with x and y measured from the first
/// corner.
///
/// Everything that is linear over a piece of a face (depth, closing velocity, pressure) has its force,
/// torque and second moments from these: one loop over the corners serves them all.
#[derive(Clone, Copy, Debug)]
pub struct PolygonMoments {
    /// The first corner.
    pub origin: PlanePoint,
    /// Area in m².
    pub area: f64,
    /// x, y.
    first: [f64; 2],
    /// xx, xy, yy.
    second: [f64; 3],
    /// xxx, xxy, xyy, yyy.
    third: [f64; 4],
}

/// Integrals of a function: of itself, and with the coordinates and their products, measured from `origin`.
#[derive(Clone, Copy, Debug, Default)]
pub struct FunctionMoments {
    /// From where the coordinates are measured.
    pub origin: PlanePoint,
    /// Of the function.
    pub total: f64,
    /// With x, y.
    pub first: [f64; 2],
    /// With xx, xy, yy.
    pub second: [f64; 3],
}

impl PolygonMoments {
    /// Of a polygon given by its corners, counter-clockwise; none for a polygon without area.
    ///
    /// The triangles of a fan around the first corner are taken two at a time, one in each lane of a
    /// vector register. The integral of a product over a triangle with corners 0, a, b follows from
    /// `∫ s^i t^j = i! j! / (i + j + 2)!` over the unit triangle.
    #[inline]
    pub fn of(corners: &[PlanePoint]) -> Option<Self> {
        let &[origin, second, .., last] = corners else { return None };
        let zero = f64x2::splat(0.0);
        let (mut area, mut first, mut products, mut third) = (zero, [zero; 2], [zero; 3], [zero; 4]);
        let relative = |point: PlanePoint| [point[0] - origin[0], point[1] - origin[1]];
        let mut start = relative(second);
        let mut rest = corners[2..].iter();
        while let Some(&middle) = rest.next() {
            let middle = relative(middle);
            // A fan of an odd number of triangles ends with one of no area.
            let end = relative(*rest.next().unwrap_or(&last));
            let [ax, ay] = [0, 1].map(|axis| f64x2::from([start[axis], middle[axis]]));
            let [bx, by] = [0, 1].map(|axis| f64x2::from([middle[axis], end[axis]]));
            start = end;
            // Never negative but for rounding; without that, the centroid of a sliver stays within it.
            let double_area = (ax * by - ay * bx).fast_max(zero);
            let (x, y) = (ax + bx, ay + by);
            let (a_xx, a_xy, a_yy) = (ax * ax, ax * ay, ay * ay);
            let (b_xx, b_xy, b_yy) = (bx * bx, bx * by, by * by);
            let (xx, xy, yy) = (x * x, x * y, y * y);
            let (q_xx, q_xy, q_yy) = (a_xx + b_xx, a_xy + b_xy, a_yy + b_yy);
            let double = |value: f64x2| value + value;
            area += double_area;
            first[0] += double_area * x;
            first[1] += double_area * y;
            products[0] += double_area * (xx + q_xx);
            products[1] += double_area * (xy + q_xy);
            products[2] += double_area * (yy + q_yy);
            third[0] += double_area * (x * (xx + q_xx + double(q_xx)) + double(ax * a_xx + bx * b_xx));
            third[1] += double_area * (y * (xx + q_xx) + double(x * q_xy + ay * a_xx + by * b_xx));
            third[2] += double_area * (x * (yy + q_yy) + double(y * q_xy + ax * a_yy + bx * b_yy));
            third[3] += double_area * (y * (yy + q_yy + double(q_yy)) + double(ay * a_yy + by * b_yy));
        }
        let sum = |lanes: f64x2| {
            let [a, b] = lanes.to_array();
            a + b
        };
        let double_area = sum(area);
        (SMALLEST_AREA < double_area).then(|| PolygonMoments {
            origin,
            area: 0.5 * double_area,
            first: first.map(|moment| sum(moment) * (1.0 / 6.0)),
            second: products.map(|moment| sum(moment) * (1.0 / 24.0)),
            third: third.map(|moment| sum(moment) * (1.0 / 120.0)),
        })
    }

    /// The centroid.
    #[inline]
    pub fn centroid(&self) -> PlanePoint {
        let per_area = 1.0 / self.area;
        [self.origin[0] + per_area * self.first[0], self.origin[1] + per_area * self.first[1]]
    }

    /// Integrals of a linear function, given by its value at the first corner and its gradient.
    #[inline]
    pub fn of_linear(&self, at_origin: f64, [g_x, g_y]: [f64; 2]) -> FunctionMoments {
        let [x, y] = self.first;
        let [xx, xy, yy] = self.second;
        let [xxx, xxy, xyy, yyy] = self.third;
        FunctionMoments {
            origin: self.origin,
            total: at_origin * self.area + g_x * x + g_y * y,
            first: [at_origin * x + g_x * xx + g_y * xy, at_origin * y + g_x * xy + g_y * yy],
            second: [
                at_origin * xx + g_x * xxx + g_y * xxy,
                at_origin * xy + g_x * xxy + g_y * xyy,
                at_origin * yy + g_x * xyy + g_y * yyy,
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Integrates over the square between the corners (x, y) and (x + w, y + h), axis by axis.
    fn over_rectangle([x, y]: [f64; 2], [w, h]: [f64; 2], power_x: i32, power_y: i32) -> f64 {
        let integral = |from: f64, length: f64, power: i32| {
            ((from + length).powi(power + 1) - from.powi(power + 1)) / f64::from(power + 1)
        };
        integral(x, w, power_x) * integral(y, h, power_y)
    }

    #[test]
    fn moments_of_a_rectangle_are_products_of_integrals() {
        let (size, origin) = ([0.7, 0.4], [0.3, -0.2]);
        // Corners on the sides make fans of even and odd numbers of triangles.
        for extra in 0..4 {
            let mut corners = vec![origin, [origin[0] + size[0], origin[1]]];
            for k in 1..=extra {
                corners.push([origin[0] + size[0], origin[1] + size[1] * f64::from(k) / 5.0]);
            }
            corners.extend([[origin[0] + size[0], origin[1] + size[1]], [origin[0], origin[1] + size[1]]]);
            let moments = PolygonMoments::of(&corners).unwrap();
            let expected = |i, j| over_rectangle([0.0, 0.0], size, i, j);
            let pairs = [
                (moments.area, expected(0, 0)),
                (moments.first[0], expected(1, 0)),
                (moments.first[1], expected(0, 1)),
                (moments.second[0], expected(2, 0)),
                (moments.second[1], expected(1, 1)),
                (moments.second[2], expected(0, 2)),
                (moments.third[0], expected(3, 0)),
                (moments.third[1], expected(2, 1)),
                (moments.third[2], expected(1, 2)),
                (moments.third[3], expected(0, 3)),
            ];
            for (index, (actual, exact)) in pairs.into_iter().enumerate() {
                assert!((actual / exact - 1.0).abs() < 1e-14, "moment {index} with {extra} more corners");
            }
            let [x, y] = moments.centroid();
            assert!((x - 0.65).abs() < 1e-15 && y.abs() < 1e-15);
        }
    }

    #[test]
    fn a_linear_function_has_the_moments_of_its_terms() {
        let corners = [[0.1, 0.2], [0.5, 0.1], [0.4, 0.6]];
        let moments = PolygonMoments::of(&corners).unwrap();
        let linear = moments.of_linear(2.0, [3.0, -1.0]);
        // Over a triangle the integral is the area times the value at the centroid.
        let [x, y] = moments.centroid();
        let at_centroid = 2.0 + 3.0 * (x - 0.1) - (y - 0.2);
        assert!((linear.total - moments.area * at_centroid).abs() < 1e-15);
        assert!(PolygonMoments::of(&corners[..2]).is_none());
        assert!(PolygonMoments::of(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]).is_none());
    }
}
