//! Convex regions on the planes of master faces, one in each lane, each bounded by its own sides.
//!
//! A region is the intersection of the master face with a slave face, perhaps cut along lines of constant depth. Its
//! sides are parts of the sides of both faces; there is no list of corners in order. Every integral over the region is a
//! sum over its sides, which is the same for all lanes, whichever sides are there: those that are not have no length.

use super::lane_faces::TriangleLanes;
use super::lane_overlay::{SeenLanes, Sidedness};
use super::lanes::{Lanes, Mask};

/// Sides of both faces, and of two cuts.
const SIDES: usize = 8;

/// Two sides are too close to tell apart where the ends of one lie nearer to the line of the other than this part of
/// the longest side; dimensionless. A side that both faces share must count once. Where sides cross at such an angle,
/// rounding (10⁻¹⁶) moves the crossing along them by 10⁻¹² of a side, and the area between them by 10⁻¹⁶ of its square.
const TOO_CLOSE: f64 = 1e-4;

/// Sine of an angle below which sides count as parallel; dimensionless. They cross beyond 10²⁵ sides then, and products
/// of three such numbers are far from the smallest ones.
const PARALLEL: f64 = 1e-30;

/// Gauss' points on the interval from −1 to 1, two of them: √(1/3) from the middle.
const GAUSS_TWO: f64 = 0.577_350_269_189_625_8;

/// Three of them: the middle and √(3/5) from it, with weights of 8/18 and 5/18 for the mean.
const GAUSS_THREE: f64 = 0.774_596_669_241_483_4;

/// A linear function of the coordinates, by lane.
#[derive(Clone, Copy)]
pub struct Linear<V> {
    /// At the origin.
    pub at_origin: V,
    /// Along x and y.
    pub gradient: [V; 2],
}

impl<V: Lanes> Linear<V> {
    /// Its value at a point.
    #[inline(always)]
    pub fn at(&self, x: V, y: V) -> V {
        self.at_origin + self.gradient[0] * x + self.gradient[1] * y
    }
}

/// Regions by their sides.
#[derive(Clone, Copy)]
pub struct Regions<V> {
    /// Where each side starts and ends, counter-clockwise around the region.
    pub sides: [[[V; 2]; 2]; SIDES],
    /// How many sides may have a length.
    pub count: usize,
    /// Some point on the boundary.
    pub origin: [V; 2],
}

impl<V: Lanes> Regions<V> {
    /// The intersections of master faces with slave faces; `both_longest` is the product of their longest sides.
    #[inline(always)]
    pub fn new(zero: V, master: &TriangleLanes<V>, seen: &SeenLanes<V>, of: &Sidedness<V>, both_longest: V) -> Self {
        let TriangleLanes { b_x, c_x, c_y, bc_x, .. } = *master;
        let SeenLanes { x, y, .. } = *seen;
        // Where sides cross: all of it over the cross product of their directions. Parallel sides cross far away, on
        // whichever side.
        let one = zero + 1.0;
        let parallel = both_longest * PARALLEL;
        let (mut per_cross, mut rises) = ([[zero; 3]; 3], [[zero.less(zero); 3]; 3]);
        for k in 0..3 {
            let [s_x, s_y] = of.slave_sides[k];
            let mut crosses = [b_x * s_y, bc_x * s_y - c_y * s_x, c_y * s_x - c_x * s_y];
            for i in 0..3 {
                crosses[i] = crosses[i].magnitude().less(parallel).choose(parallel, crosses[i]);
                rises[i][k] = crosses[i].less(zero);
            }
            let [a, b, c] = reciprocals(one, crosses);
            (per_cross[0][k], per_cross[1][k], per_cross[2][k]) = (a, b, c);
        }
        let (corners, along) = ([[zero, zero], [b_x, zero], [c_x, c_y]], [[b_x, zero], [bc_x, c_y], [-c_x, -c_y]]);
        let mut origin = [x[0], y[0]];
        let mut sides = [[[zero; 2]; 2]; SIDES];
        for i in 0..3 {
            let (mut start, mut end) = (zero, one);
            for k in 0..3 {
                // Where the function that is positive within the slave rises along the side, the part starts; else it
                // ends.
                let fraction = of.of_master[k][i] * per_cross[i][k];
                start = rises[i][k].choose(start.larger(fraction), start);
                end = rises[i][k].choose(end, end.smaller(fraction));
            }
            sides[i] = part_of_side(one, corners[i], along[i], (start, end), &mut origin);
        }
        for k in 0..3 {
            let (mut start, mut end) = (zero, one);
            for i in 0..3 {
                // Likewise with the roles exchanged, which changes the sign of the cross product.
                let fraction = -(of.of_slave[i][k] * per_cross[i][k]);
                start = rises[i][k].choose(start, start.larger(fraction));
                end = rises[i][k].choose(end.smaller(fraction), end);
            }
            sides[3 + k] = part_of_side(one, [x[k], y[k]], of.slave_sides[k], (start, end), &mut origin);
        }
        Regions { sides, count: 6, origin }
    }

    /// Keeps the parts where a function is not negative.
    #[inline(always)]
    pub fn cut(&mut self, zero: V, function: &Linear<V>) -> Cut<V::Mask> {
        let none = zero.less(zero);
        let (mut leaves, mut enters) = (none, none);
        let (mut kept, mut dropped) = (none, none);
        let mut is_open = none;
        let (mut last, mut next) = (self.origin, self.origin);
        for side in &mut self.sides[..self.count] {
            let [[ax, ay], [bx, by]] = *side;
            let (at_a, at_b) = (function.at(ax, ay), function.at(bx, by));
            let (out_a, out_b) = (at_a.less(zero), at_b.less(zero));
            let fraction = at_a / (at_a - at_b);
            let (dx, dy) = (bx - ax, by - ay);
            let (x, y) = (ax + fraction * dx, ay + fraction * dy);
            let is_side = zero.less(dx * dx + dy * dy);
            let both_out = out_a.and(out_b);
            let (leaving, entering) = (out_b.but_not(out_a), out_a.but_not(out_b));
            is_open = is_open.or(leaves.and(leaving)).or(enters.and(entering));
            leaves = leaves.or(leaving);
            enters = enters.or(entering);
            dropped = dropped.or(is_side.and(both_out));
            kept = kept.or(is_side.but_not(both_out));
            last = [leaving.choose(x, last[0]), leaving.choose(y, last[1])];
            next = [entering.choose(x, next[0]), entering.choose(y, next[1])];
            let start = [entering.choose(x, ax), entering.choose(y, ay)];
            let end = [leaving.choose(x, bx), leaving.choose(y, by)];
            *side = [start, [both_out.choose(start[0], end[0]), both_out.choose(start[1], end[1])]];
        }
        // The cut itself, from where the boundary leaves to where it comes back.
        let closes = leaves.and(enters);
        self.sides[self.count] = [last, [closes.choose(next[0], last[0]), closes.choose(next[1], last[1])]];
        self.count += 1;
        self.origin = [closes.choose(last[0], self.origin[0]), closes.choose(last[1], self.origin[1])];
        let alone = leaves.or(enters).but_not(closes);
        Cut {
            is_open: is_open.or(alone).or(kept.and(dropped).but_not(closes)),
            is_nothing: dropped.but_not(kept).but_not(leaves).but_not(enters),
        }
    }
}

/// Where a side starts, and in which lanes it has a length: there it is a corner of the region.
#[inline(always)]
pub fn corner<V: Lanes>(zero: V, [[x, y], [end_x, end_y]]: [[V; 2]; 2]) -> ([V; 2], V::Mask) {
    let (dx, dy) = (end_x - x, end_y - y);
    ([x, y], zero.less(dx * dx + dy * dy))
}

/// What has come of a cut, by lane.
#[derive(Clone, Copy)]
pub struct Cut<M> {
    /// Rounding at a corner has left the boundary open.
    pub is_open: M,
    /// There was a region, and nothing of it is left.
    pub is_nothing: M,
}

#[inline(always)]
fn scale<V: Lanes, const N: usize>(numbers: &mut [V; N], factor: f64) {
    for number in numbers {
        *number = *number * factor;
    }
}

/// 1/a, 1/b and 1/c with one division, which costs as much as many products.
#[inline(always)]
pub fn reciprocals<V: Lanes>(one: V, [a, b, c]: [V; 3]) -> [V; 3] {
    let ab = a * b;
    let per_all = one / (ab * c);
    let per_ab = per_all * c;
    [per_ab * b, per_ab * a, per_all * ab]
}

/// A side from one fraction of its length to another. Where nothing is between them, it has no length; otherwise
/// `origin` becomes its start.
#[inline(always)]
fn part_of_side<V: Lanes>(
    one: V,
    from: [V; 2],
    along: [V; 2],
    (start, end): (V, V),
    origin: &mut [V; 2],
) -> [[V; 2]; 2] {
    // A side beyond a parallel one starts far away.
    let start = start.smaller(one);
    let end = end.larger(start);
    let is_there = start.less(end);
    let from_point = [from[0] + start * along[0], from[1] + start * along[1]];
    *origin = [is_there.choose(from_point[0], origin[0]), is_there.choose(from_point[1], origin[1])];
    [from_point, [from[0] + end * along[0], from[1] + end * along[1]]]
}

/// The lanes where sides of the two faces are too close to tell apart; `both_longest` as for [`Regions::new`].
#[inline(always)]
pub fn too_close<V: Lanes>(zero: V, both_longest: V, of: &Sidedness<V>) -> V::Mask {
    let mut closest = zero + f64::INFINITY;
    for line in of.of_master.iter().chain(&of.of_slave) {
        let [a, b, c] = [line[0].magnitude(), line[1].magnitude(), line[2].magnitude()];
        // The one in the middle: the farther one of the nearest two.
        let (low, high) = (a.smaller(b), a.larger(b));
        closest = closest.smaller(high.smaller(c.larger(low)));
    }
    closest.less(both_longest * TOO_CLOSE)
}

/// Integrals of the products of the coordinates over regions.
#[derive(Clone, Copy)]
pub struct LaneMoments<V> {
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
pub struct LaneFunctionMoments<V> {
    /// Of the function.
    pub total: V,
    /// With x, y.
    pub first: [V; 2],
    /// With xx, xy, yy.
    pub second: [V; 3],
}

impl<V: Lanes> LaneMoments<V> {
    /// Of regions, with coordinates from an origin; with fourth moments where `FOURTH`.
    ///
    /// By Green's theorem, the integral of a product of n coordinates is 1/(n + 2) times the sum over the sides a → b of
    /// a × b times the mean of the product along the side. Gauss' two points give that mean exactly up to the third
    /// moments, three points up to the fifth.
    #[inline(always)]
    pub fn of<const FOURTH: bool>(zero: V, regions: &Regions<V>, origin: [V; 2]) -> Self {
        let mut sums =
            LaneMoments { area: zero, first: [zero; 2], second: [zero; 3], third: [zero; 4], fourth: [zero; 5] };
        for side in &regions.sides[..regions.count] {
            let (ax, ay) = (side[0][0] - origin[0], side[0][1] - origin[1]);
            let (bx, by) = (side[1][0] - origin[0], side[1][1] - origin[1]);
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

    /// Without the moments of a part.
    #[inline(always)]
    pub fn without(&self, part: &Self) -> Self {
        let mut rest = *self;
        rest.area = self.area - part.area;
        for k in 0..2 {
            rest.first[k] = self.first[k] - part.first[k];
        }
        for k in 0..3 {
            rest.second[k] = self.second[k] - part.second[k];
        }
        for k in 0..4 {
            rest.third[k] = self.third[k] - part.third[k];
        }
        for k in 0..5 {
            rest.fourth[k] = self.fourth[k] - part.fourth[k];
        }
        rest
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

    /// Integrals of a linear function with the products of the coordinates.
    #[inline(always)]
    pub fn second_of(&self, function: &Linear<V>) -> [V; 3] {
        let Linear { at_origin: a, gradient: [gx, gy] } = *function;
        let ([xx, xy, yy], [xxx, xxy, xyy, yyy]) = (self.second, self.third);
        [a * xx + gx * xxx + gy * xxy, a * xy + gx * xxy + gy * xyy, a * yy + gx * xyy + gy * yyy]
    }

    /// All integrals of a linear function.
    #[inline(always)]
    pub fn of_linear(&self, function: &Linear<V>) -> LaneFunctionMoments<V> {
        LaneFunctionMoments {
            total: self.integral(function),
            first: self.first_of(function),
            second: self.second_of(function),
        }
    }

    /// All integrals of a product of two linear functions; needs fourth moments.
    #[inline(always)]
    pub fn of_product(&self, f: &Linear<V>, g: &Linear<V>) -> LaneFunctionMoments<V> {
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
