//! Integrals of powers of the coordinates over convex polygons, one in each lane.

use crate::contact::pieces::Linear;
use crate::lanes::Lanes;

/// Gauss' points on the interval from −1 to 1, two of them: √(1/3) from the middle.
const GAUSS_TWO: f64 = 0.577_350_269_189_625_8;

/// Three of them: the middle and √(3/5) from it, with weights of 8/18 and 5/18 for the mean.
const GAUSS_THREE: f64 = 0.774_596_669_241_483_4;

impl<V: Lanes> Linear<V> {
    /// Its value at a point.
    #[inline(always)]
    pub fn at(&self, [x, y]: [V; 2]) -> V {
        self.at_origin + self.gradient[0] * x + self.gradient[1] * y
    }

    /// The same function, with coordinates from another origin.
    #[inline(always)]
    pub fn from(&self, origin: [V; 2]) -> Self {
        Linear { at_origin: self.at(origin), gradient: self.gradient }
    }

    /// The sum of multiples of two functions.
    #[inline(always)]
    pub fn combined(&self, factor: f64, other: &Self, other_factor: f64) -> Self {
        Linear {
            at_origin: self.at_origin * factor + other.at_origin * other_factor,
            gradient: [
                self.gradient[0] * factor + other.gradient[0] * other_factor,
                self.gradient[1] * factor + other.gradient[1] * other_factor,
            ],
        }
    }
}

/// Integrals of the products of the coordinates over polygons.
#[derive(Clone, Copy)]
pub struct Moments<V> {
    /// Of 1.
    pub area: V,
    /// x, y.
    pub first: [V; 2],
    /// xx, xy, yy.
    pub second: [V; 3],
    /// xxx, xxy, xyy, yyy.
    pub third: [V; 4],
    /// xxxx, xxxy, xxyy, xyyy, yyyy; zero unless asked for.
    pub fourth: [V; 5],
}

/// Integrals of a function: of itself, and with the coordinates and their products.
#[derive(Clone, Copy)]
pub struct FunctionMoments<V> {
    /// Of the function.
    pub total: V,
    /// With x, y.
    pub first: [V; 2],
    /// With xx, xy, yy.
    pub second: [V; 3],
}

/// Integrals of a function with 1, x, y, xx, xy, yy, xxx, xxy, xyy and yyy.
#[derive(Clone, Copy)]
pub struct ThirdMoments<V>(pub [V; 10]);

impl<V: Lanes> Moments<V> {
    /// Of polygons given by their corners, counter-clockwise, with coordinates from `origin`; with fourth moments where
    /// `FOURTH`.
    ///
    /// By Green's theorem, the integral of a product of n coordinates is 1/(n + 2) times the sum over the sides a → b of
    /// a × b times the mean of the product along the side. Gauss' two points give that mean exactly up to the third
    /// moments, three points up to the fifth.
    #[inline(always)]
    pub fn of<const FOURTH: bool>(zero: V, corners: &[[V; 2]], origin: [V; 2]) -> Self {
        let mut sums = Moments { area: zero, first: [zero; 2], second: [zero; 3], third: [zero; 4], fourth: [zero; 5] };
        let last = corners[corners.len() - 1];
        let (mut ax, mut ay) = (last[0] - origin[0], last[1] - origin[1]);
        for corner in corners {
            let (bx, by) = (corner[0] - origin[0], corner[1] - origin[1]);
            let cross = ax * by - ay * bx;
            let (middle_x, middle_y) = ((ax + bx) * 0.5, (ay + by) * 0.5);
            let (half_x, half_y) = ((bx - ax) * 0.5, (by - ay) * 0.5);
            sums.area = sums.area + cross;
            if FOURTH {
                let (x, y) = (half_x * GAUSS_THREE, half_y * GAUSS_THREE);
                let weight = cross * (5.0 / 18.0);
                sums.add_point::<true>(weight, middle_x - x, middle_y - y);
                sums.add_point::<true>(cross * (8.0 / 18.0), middle_x, middle_y);
                sums.add_point::<true>(weight, middle_x + x, middle_y + y);
            } else {
                let (x, y) = (half_x * GAUSS_TWO, half_y * GAUSS_TWO);
                let weight = cross * 0.5;
                sums.add_point::<false>(weight, middle_x - x, middle_y - y);
                sums.add_point::<false>(weight, middle_x + x, middle_y + y);
            }
            (ax, ay) = (bx, by);
        }
        sums.area = sums.area * (1.0 / 2.0);
        scale(&mut sums.first, 1.0 / 3.0);
        scale(&mut sums.second, 1.0 / 4.0);
        scale(&mut sums.third, 1.0 / 5.0);
        scale(&mut sums.fourth, 1.0 / 6.0);
        sums
    }

    /// Adds the products of the coordinates of a point, but for the area.
    #[inline(always)]
    fn add_point<const FOURTH: bool>(&mut self, weight: V, x: V, y: V) {
        let (wx, wy) = (weight * x, weight * y);
        let (wxx, wxy, wyy) = (wx * x, wx * y, wy * y);
        let (wxxx, wxxy, wxyy, wyyy) = (wxx * x, wxx * y, wxy * y, wyy * y);
        self.first = [self.first[0] + wx, self.first[1] + wy];
        self.second = [self.second[0] + wxx, self.second[1] + wxy, self.second[2] + wyy];
        let third = self.third;
        self.third = [third[0] + wxxx, third[1] + wxxy, third[2] + wxyy, third[3] + wyyy];
        if FOURTH {
            let sums = self.fourth;
            let products = [wxxx * x, wxxx * y, wxxy * y, wxyy * y, wyyy * y];
            self.fourth = [
                sums[0] + products[0],
                sums[1] + products[1],
                sums[2] + products[2],
                sums[3] + products[3],
                sums[4] + products[4],
            ];
        }
    }

    /// Integral of a linear function.
    #[inline(always)]
    pub fn integral(&self, function: &Linear<V>) -> V {
        function.at_origin * self.area + function.gradient[0] * self.first[0] + function.gradient[1] * self.first[1]
    }

    /// Integrals of a linear function with the coordinates.
    #[inline(always)]
    pub fn first_of(&self, function: &Linear<V>) -> [V; 2] {
        let Linear { at_origin: a, gradient: [gx, gy] } = *function;
        let [xx, xy, yy] = self.second;
        [a * self.first[0] + gx * xx + gy * xy, a * self.first[1] + gx * xy + gy * yy]
    }

    /// All integrals of a linear function.
    #[inline(always)]
    pub fn of_linear(&self, function: &Linear<V>) -> FunctionMoments<V> {
        let Linear { at_origin: a, gradient: [gx, gy] } = *function;
        let ([xx, xy, yy], [xxx, xxy, xyy, yyy]) = (self.second, self.third);
        FunctionMoments {
            total: self.integral(function),
            first: self.first_of(function),
            second: [a * xx + gx * xxx + gy * xxy, a * xy + gx * xxy + gy * xyy, a * yy + gx * xyy + gy * yyy],
        }
    }

    /// All up to the third moments.
    #[inline(always)]
    pub fn all(&self) -> ThirdMoments<V> {
        let ([x, y], [xx, xy, yy], [xxx, xxy, xyy, yyy]) = (self.first, self.second, self.third);
        ThirdMoments([self.area, x, y, xx, xy, yy, xxx, xxy, xyy, yyy])
    }

    /// Integrals of a linear function with products of up to three coordinates; needs fourth moments.
    #[inline(always)]
    pub fn all_of_linear(&self, function: &Linear<V>) -> ThirdMoments<V> {
        let Linear { at_origin: a, gradient: [gx, gy] } = *function;
        let FunctionMoments { total, first: [x, y], second: [xx, xy, yy] } = self.of_linear(function);
        let mut third = self.third;
        for (k, number) in third.iter_mut().enumerate() {
            *number = a * *number + gx * self.fourth[k] + gy * self.fourth[k + 1];
        }
        ThirdMoments([total, x, y, xx, xy, yy, third[0], third[1], third[2], third[3]])
    }

    /// All integrals of a product of two linear functions; needs fourth moments.
    #[inline(always)]
    pub fn of_product(&self, f: &Linear<V>, g: &Linear<V>) -> FunctionMoments<V> {
        let [fx, fy] = f.gradient;
        let [gx, gy] = g.gradient;
        let linear = Linear {
            at_origin: f.at_origin * g.at_origin,
            gradient: [f.at_origin * gx + g.at_origin * fx, f.at_origin * gy + g.at_origin * fy],
        };
        let (xx, xy, yy) = (fx * gx, fx * gy + fy * gx, fy * gy);
        let mut moments = self.of_linear(&linear);
        let (s, t, u) = (self.second, self.third, self.fourth);
        moments.total = moments.total + xx * s[0] + xy * s[1] + yy * s[2];
        for k in 0..2 {
            moments.first[k] = moments.first[k] + xx * t[k] + xy * t[k + 1] + yy * t[k + 2];
        }
        for k in 0..3 {
            moments.second[k] = moments.second[k] + xx * u[k] + xy * u[k + 1] + yy * u[k + 2];
        }
        moments
    }
}

#[inline(always)]
fn scale<V: Lanes, const N: usize>(numbers: &mut [V; N], factor: f64) {
    for number in numbers {
        *number = *number * factor;
    }
}
