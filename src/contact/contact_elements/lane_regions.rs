//! Four convex regions on the plane of a master face, each bounded by its own sides.
//!
//! A region is the intersection of the master face with a slave face, perhaps cut along lines of constant depth. Its
//! sides are parts of the sides of both faces; there is no list of corners in order. Every integral over the region is a
//! sum over its sides, which is the same for all lanes, whichever sides are there: those that are not have no length.

use super::lane_overlay::{MasterLanes, Sidedness};
use super::lanes::Lanes;

/// Sides of both faces, and of two cuts.
const SIDES: usize = 8;

/// Two sides are too close to tell apart where the ends of one lie nearer to the line of the other than this part of
/// the longest side; dimensionless. A side that both faces share must count once, and where sides cross at such an angle
/// rounding (10⁻¹⁶) moves the crossing by less than 10⁻¹³ of a side.
const TOO_CLOSE: f64 = 1e-2;

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
    /// The intersections of a master face with slave faces.
    #[inline(always)]
    pub fn new(zero: V, master: &MasterLanes<V>, x: [V; 3], y: [V; 3], of: &Sidedness<V>) -> Self {
        let mut origin = [x[0], y[0]];
        let (lines, corners, sides) = (&of.of_master, &master.corners, &master.sides);
        let a = cut_side(zero, lines, 0, corners[0], sides[0], &mut origin);
        let b = cut_side(zero, lines, 1, corners[1], sides[1], &mut origin);
        let c = cut_side(zero, lines, 2, corners[2], sides[2], &mut origin);
        let (lines, sides) = (&of.of_slave, &of.slave_sides);
        let d = cut_side(zero, lines, 0, [x[0], y[0]], sides[0], &mut origin);
        let e = cut_side(zero, lines, 1, [x[1], y[1]], sides[1], &mut origin);
        let f = cut_side(zero, lines, 2, [x[2], y[2]], sides[2], &mut origin);
        Regions { sides: [a, b, c, d, e, f, f, f], count: 6, origin }
    }

    /// Keeps the parts where a function is not negative; returns a mask of the lanes where rounding at a corner has
    /// left the boundary open.
    #[inline(always)]
    pub fn cut(&mut self, zero: V, function: &Linear<V>) -> V {
        let (mut leaves, mut enters) = (zero, zero);
        let (mut kept, mut dropped) = (zero, zero);
        let mut is_open = zero;
        let (mut last, mut next) = (self.origin, self.origin);
        for side in 0..self.count {
            let [[ax, ay], [bx, by]] = self.sides[side];
            let (at_a, at_b) = (function.at(ax, ay), function.at(bx, by));
            let (out_a, out_b) = (at_a.less(zero), at_b.less(zero));
            let fraction = at_a / (at_a - at_b);
            let (dx, dy) = (bx - ax, by - ay);
            let (x, y) = (ax + fraction * dx, ay + fraction * dy);
            let is_side = zero.less(dx * dx + dy * dy);
            let both_out = out_a.and(out_b);
            let leaving = out_a.choose(zero, out_b);
            let entering = out_b.choose(zero, out_a);
            is_open = is_open.or(leaves.and(leaving)).or(enters.and(entering));
            leaves = leaves.or(leaving);
            enters = enters.or(entering);
            dropped = dropped.or(is_side.and(both_out));
            kept = kept.or(both_out.choose(zero, is_side));
            last = [leaving.choose(x, last[0]), leaving.choose(y, last[1])];
            next = [entering.choose(x, next[0]), entering.choose(y, next[1])];
            let start = [entering.choose(x, ax), entering.choose(y, ay)];
            let end = [leaving.choose(x, bx), leaving.choose(y, by)];
            self.sides[side] = [start, [both_out.choose(start[0], end[0]), both_out.choose(start[1], end[1])]];
        }
        // The cut itself, from where the boundary leaves to where it comes back.
        let closes = leaves.and(enters);
        self.sides[self.count] = [last, [closes.choose(next[0], last[0]), closes.choose(next[1], last[1])]];
        self.count += 1;
        self.origin = [closes.choose(last[0], self.origin[0]), closes.choose(last[1], self.origin[1])];
        let alone = closes.choose(zero, leaves.or(enters));
        is_open.or(alone).or(closes.choose(zero, kept.and(dropped)))
    }
}

/// The part of a side on the left of all three lines of the other face; `lines` holds the values of the corners before
/// them, `k` is the corner that the side starts in. Where nothing is left, the part has no length; otherwise `origin`
/// becomes its start.
#[inline(always)]
fn cut_side<V: Lanes>(
    zero: V,
    lines: &[[V; 3]; 3],
    k: usize,
    from: [V; 2],
    along: [V; 2],
    origin: &mut [V; 2],
) -> [[V; 2]; 2] {
    let (mut start, mut end) = (zero, zero + 1.0);
    for line in lines {
        let (a, b) = (line[k], line[(k + 1) % 3]);
        let change = a - b;
        let fraction = a / change;
        // Where the function rises along the side, the part starts; else it ends. Parallel lines give an infinity of
        // the right sign.
        let rises = change.less(zero);
        start = rises.choose(start.larger(fraction), start);
        end = rises.choose(end, end.smaller(fraction));
    }
    end = end.larger(start);
    let is_there = start.less(end);
    let from_point = [from[0] + start * along[0], from[1] + start * along[1]];
    *origin = [is_there.choose(from_point[0], origin[0]), is_there.choose(from_point[1], origin[1])];
    [from_point, [from[0] + end * along[0], from[1] + end * along[1]]]
}

/// A mask of the lanes where sides of the two faces are too close to tell apart.
#[inline(always)]
pub fn too_close<V: Lanes>(zero: V, master: &MasterLanes<V>, of: &Sidedness<V>) -> V {
    let (mut closest, mut longest) = (zero + f64::INFINITY, zero);
    for line in of.of_master.iter().chain(&of.of_slave) {
        let [a, b, c] = [line[0].magnitude(), line[1].magnitude(), line[2].magnitude()];
        closest = closest.smaller(a.larger(b)).smaller(b.larger(c)).smaller(c.larger(a));
    }
    for [x, y] in of.slave_sides {
        longest = longest.larger(x * x + y * y);
    }
    (closest * closest).less(longest * master.longest_side_squared * (TOO_CLOSE * TOO_CLOSE))
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
    /// Each side makes a triangle with the origin; [`super::polygon_moments`] has the integrals over one.
    #[inline(always)]
    pub fn of<const FOURTH: bool>(zero: V, regions: &Regions<V>, origin: [V; 2]) -> Self {
        let (mut area, mut first, mut second) = (zero, [zero; 2], [zero; 3]);
        let (mut third, mut fourth) = ([zero; 4], [zero; 5]);
        for side in &regions.sides[..regions.count] {
            let (ax, ay) = (side[0][0] - origin[0], side[0][1] - origin[1]);
            let (bx, by) = (side[1][0] - origin[0], side[1][1] - origin[1]);
            let double_area = ax * by - ay * bx;
            let (x, y) = (ax + bx, ay + by);
            let (a_xx, a_xy, a_yy) = (ax * ax, ax * ay, ay * ay);
            let (b_xx, b_xy, b_yy) = (bx * bx, bx * by, by * by);
            let (q_xx, q_xy, q_yy) = (a_xx + b_xx, a_xy + b_xy, a_yy + b_yy);
            let (t_xx, t_xy, t_yy) = (x * x + q_xx, x * y + q_xy, y * y + q_yy);
            area = area + double_area;
            first = [first[0] + double_area * x, first[1] + double_area * y];
            second[0] = second[0] + double_area * t_xx;
            second[1] = second[1] + double_area * t_xy;
            second[2] = second[2] + double_area * t_yy;
            let xxx = x * (t_xx + q_xx + q_xx) + (ax * a_xx + bx * b_xx) * 2.0;
            let xxy = y * t_xx + (x * q_xy + ay * a_xx + by * b_xx) * 2.0;
            let xyy = x * t_yy + (y * q_xy + ax * a_yy + bx * b_yy) * 2.0;
            let yyy = y * (t_yy + q_yy + q_yy) + (ay * a_yy + by * b_yy) * 2.0;
            third[0] = third[0] + double_area * xxx;
            third[1] = third[1] + double_area * xxy;
            third[2] = third[2] + double_area * xyy;
            third[3] = third[3] + double_area * yyy;
            if FOURTH {
                let (xx, yy, xy, yx) = (ax * bx, ay * by, ax * by, ay * bx);
                let xxxx = a_xx * a_xx + b_xx * b_xx + xx * q_xx + a_xx * b_xx;
                let xxxy = (a_xx * a_xy + b_xx * b_xy) * 4.0
                    + xx * q_xy * 3.0
                    + a_xx * xy
                    + b_xx * yx
                    + (a_xy * b_xx + a_xx * b_xy) * 2.0;
                let xxyy = a_xx * a_yy
                    + b_xx * b_yy
                    + (xx * q_yy + yy * q_xx) * 0.5
                    + (a_xx * b_yy + a_yy * b_xx + a_xy * b_xy * 4.0) * (1.0 / 6.0);
                let xyyy = (a_yy * a_xy + b_yy * b_xy) * 4.0
                    + yy * q_xy * 3.0
                    + a_yy * yx
                    + b_yy * xy
                    + (a_xy * b_yy + a_yy * b_xy) * 2.0;
                let yyyy = a_yy * a_yy + b_yy * b_yy + yy * q_yy + a_yy * b_yy;
                fourth[0] = fourth[0] + double_area * xxxx;
                fourth[1] = fourth[1] + double_area * xxxy;
                fourth[2] = fourth[2] + double_area * xxyy;
                fourth[3] = fourth[3] + double_area * xyyy;
                fourth[4] = fourth[4] + double_area * yyyy;
            }
        }
        let (sixth, of_second, of_third) = (1.0 / 6.0, 1.0 / 24.0, 1.0 / 120.0);
        let (of_fourth, of_mixed) = (1.0 / 30.0, 1.0 / 120.0);
        LaneMoments {
            area: area * 0.5,
            first: [first[0] * sixth, first[1] * sixth],
            second: [second[0] * of_second, second[1] * of_second, second[2] * of_second],
            third: [third[0] * of_third, third[1] * of_third, third[2] * of_third, third[3] * of_third],
            fourth: [
                fourth[0] * of_fourth,
                fourth[1] * of_mixed,
                fourth[2] * of_fourth,
                fourth[3] * of_mixed,
                fourth[4] * of_fourth,
            ],
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
