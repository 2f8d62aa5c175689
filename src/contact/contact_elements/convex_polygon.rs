//! Convex polygons in the plane of a master face.

/// A point in the plane of a master face, in metres.
pub type PlanePoint = [f64; 2];

/// Room for corners; a power of two, so that a mask keeps indices within. A triangle clipped by a triangle, by
/// zero penetration, by the transition depth and by the tension cut-off has 9.
pub const CAPACITY: usize = 32;

/// Polygons with more corners than this are split before further cuts: taking away a hidden part
/// adds at most five, and the force law two.
const SPLIT_ABOVE: usize = 13;

/// Polygons with less than this, in m², have no area: so that quotients of integrals do not overflow.
/// The square of the finest grid spacing is far larger.
pub const SMALLEST_AREA: f64 = 1e-150;

/// A corner is straight where the triangle with its neighbours has less than this part of the square
/// of its longer side; dimensionless. Far above rounding (10⁻¹⁶), and what is cut off with such a
/// corner is as small a part of the polygon.
const STRAIGHT_CORNER: f64 = 1e-11;

/// A convex polygon, counter-clockwise, with room for a few corners and no allocation.
#[derive(Clone, Copy, Debug)]
pub struct ConvexPolygon {
    corners: [PlanePoint; CAPACITY],
    count: usize,
}

impl ConvexPolygon {
    /// Nothing.
    pub const EMPTY: Self = ConvexPolygon { corners: [[0.0; 2]; CAPACITY], count: 0 };

    /// A triangle.
    #[cfg(any(test, feature = "floor"))]
    pub fn triangle(corners: [PlanePoint; 3]) -> Self {
        let mut polygon = Self::EMPTY;
        polygon.set_triangle(corners);
        polygon
    }

    #[inline]
    fn set_triangle(&mut self, corners: [PlanePoint; 3]) {
        self.corners[..3].copy_from_slice(&corners);
        self.count = 3;
    }

    /// The corners.
    #[inline]
    pub fn corners(&self) -> &[PlanePoint] {
        &self.corners[..self.count]
    }

    /// Whether nothing is left.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.count < 3
    }

    /// Whether the cuts to come might not fit.
    #[inline]
    pub fn needs_splitting(&self) -> bool {
        SPLIT_ABOVE < self.count
    }

    /// Two polygons with half of the corners each, which together are this one.
    pub fn halves(&self) -> [Self; 2] {
        let middle = self.count / 2;
        let (mut first, mut second) = (*self, *self);
        first.count = middle + 1;
        second.corners[0] = self.corners[0];
        second.corners[1..=self.count - middle].copy_from_slice(&self.corners[middle..self.count]);
        second.count = self.count - middle + 1;
        [first, second]
    }

    /// The part where a linear function is not negative.
    ///
    /// Corners where it vanishes stay; a polygon that only touches the line becomes one without area.
    /// Callers split a polygon before it is full ([`Self::needs_splitting`]).
    #[inline]
    pub fn clipped(&self, value: impl Fn(PlanePoint) -> f64) -> Self {
        let mut result = Self::EMPTY;
        self.clip_into(value, &mut result);
        result
    }

    /// Writes the part where a linear function is not negative.
    ///
    /// Which corners stay cannot be predicted, so there are no branches: the point where a side crosses the
    /// line and the end of the side are written in any case, and counted only where they belong.
    #[inline]
    fn clip_into(&self, value: impl Fn(PlanePoint) -> f64, result: &mut Self) {
        let corners = self.corners();
        let mut count = 0;
        if let Some(&last) = corners.last() {
            let (mut from, mut from_value) = (last, value(last));
            for &to in corners {
                let to_value = value(to);
                let fraction = from_value / (from_value - to_value);
                result.corners[count % CAPACITY] =
                    [from[0] + fraction * (to[0] - from[0]), from[1] + fraction * (to[1] - from[1])];
                count += usize::from((from_value < 0.0) != (to_value < 0.0));
                result.corners[count % CAPACITY] = to;
                count += usize::from(0.0 <= to_value);
                (from, from_value) = (to, to_value);
            }
        }
        result.count = count.min(CAPACITY);
    }

    /// Appends the polygon, split if the cuts to come might not fit.
    pub fn push_split(self, pieces: &mut Vec<Self>) {
        if self.needs_splitting() { pieces.extend(self.halves()) } else { pieces.push(self) }
    }

    /// Area; 0 for a polygon without corners.
    pub fn area(&self) -> f64 {
        self.area_and_centroid().map_or(0.0, |(area, _)| area)
    }

    /// The same polygon without corners on the line between their neighbours.
    ///
    /// A cut along a side that is there already leaves such corners at places that rounding decides,
    /// and a quadrature over the triangles of a fan would notice.
    pub fn without_straight_corners(&self) -> Self {
        let mut result = Self::EMPTY;
        for index in 0..self.count {
            // Neighbours among the corners that stay, so that of several equal corners one does.
            let kept = &result.corners[..result.count];
            let previous = *kept.last().unwrap_or(&self.corners[self.count - 1]);
            let next =
                if index + 1 < self.count { self.corners[index + 1] } else { *kept.first().unwrap_or(&previous) };
            let corner = self.corners[index];
            let (arriving, leaving) = (difference(corner, previous), difference(next, corner));
            let size = (arriving[0] * arriving[0] + arriving[1] * arriving[1])
                .max(leaving[0] * leaving[0] + leaving[1] * leaving[1]);
            if STRAIGHT_CORNER * size < cross(arriving, leaving) {
                result.push(corner);
            }
        }
        result
    }

    #[inline]
    fn push(&mut self, corner: PlanePoint) {
        if self.count < CAPACITY {
            self.corners[self.count] = corner;
            self.count += 1;
        }
    }

    /// Area and centroid; none for a polygon without area.
    pub fn area_and_centroid(&self) -> Option<(f64, PlanePoint)> {
        let corners = self.corners();
        let &[first, ref rest @ ..] = corners else { return None };
        let (mut double_area, mut moment) = (0.0, [0.0; 2]);
        for pair in rest.windows(2) {
            let (u, v) = (difference(pair[0], first), difference(pair[1], first));
            // Never negative but for rounding; without that, the centroid of a sliver stays within it.
            let double = cross(u, v).max(0.0);
            double_area += double;
            moment[0] += double * (u[0] + v[0]);
            moment[1] += double * (u[1] + v[1]);
        }
        (SMALLEST_AREA < double_area).then(|| {
            let scale = 1.0 / (3.0 * double_area);
            (0.5 * double_area, [first[0] + scale * moment[0], first[1] + scale * moment[1]])
        })
    }
}

/// Two places for a polygon that is cut several times: it is too large to be copied for every cut.
#[derive(Clone, Debug)]
pub struct CutTriangle {
    places: [ConvexPolygon; 2],
    current: usize,
}

impl Default for CutTriangle {
    fn default() -> Self {
        CutTriangle { places: [ConvexPolygon::EMPTY; 2], current: 0 }
    }
}

impl CutTriangle {
    /// Starts with a whole triangle.
    #[inline]
    pub fn start(&mut self, corners: [PlanePoint; 3]) {
        self.current = 0;
        self.places[0].set_triangle(corners);
    }

    /// Keeps the part where a linear function is not negative.
    #[inline]
    pub fn clip(&mut self, value: impl Fn(PlanePoint) -> f64) {
        let [first, second] = &mut self.places;
        if self.current == 0 {
            first.clip_into(value, second);
        } else {
            second.clip_into(value, first);
        }
        self.current = 1 - self.current;
    }

    /// What is left.
    #[inline]
    pub fn polygon(&self) -> &ConvexPolygon {
        &self.places[self.current]
    }
}

/// `a − b`.
#[inline]
pub fn difference(a: PlanePoint, b: PlanePoint) -> PlanePoint {
    [a[0] - b[0], a[1] - b[1]]
}

/// Twice the signed area of the triangle that two vectors span.
#[inline]
pub fn cross(u: PlanePoint, v: PlanePoint) -> f64 {
    u[0] * v[1] - u[1] * v[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit_right_triangle() -> ConvexPolygon {
        ConvexPolygon::triangle([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    }

    #[test]
    fn clipping_keeps_the_part_where_the_function_is_positive() {
        let polygon = unit_right_triangle().clipped(|[x, _]| 0.5 - x);
        // The corner beyond x = 1/2 is similar to the whole with ratio 1/2.
        let (area, _) = polygon.area_and_centroid().unwrap();
        assert!((area - 0.5 * (1.0 - 0.25)).abs() < 1e-15);
        assert!(unit_right_triangle().clipped(|[x, _]| x - 2.0).is_empty());
        assert_eq!(unit_right_triangle().clipped(|[x, _]| x + 2.0).corners().len(), 3);
    }

    #[test]
    fn the_centroid_of_a_triangle_is_the_mean_of_its_corners() {
        let (area, centroid) = unit_right_triangle().area_and_centroid().unwrap();
        assert_eq!(area, 0.5);
        assert!((centroid[0] - 1.0 / 3.0).abs() < 1e-15 && (centroid[1] - 1.0 / 3.0).abs() < 1e-15);
    }

    #[test]
    fn straight_and_repeated_corners_are_dropped_once() {
        let square = [
            [0.0, 0.0],
            [0.0, 0.0],
            [0.4, 0.0],
            [1.0, 0.0],
            [1.0, 1.0],
            [1.0, 1.0],
            [0.0, 1.0],
            [0.0, 0.3],
            [0.0, 0.0],
        ];
        for start in 0..square.len() {
            let mut polygon = ConvexPolygon::triangle([[0.0; 2]; 3]);
            polygon.count = 0;
            for k in 0..square.len() {
                polygon.push(square[(start + k) % square.len()]);
            }
            let clean = polygon.without_straight_corners();
            assert_eq!(clean.corners().len(), 4, "from corner {start}: {:?}", clean.corners());
            assert!((clean.area_and_centroid().unwrap().0 - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn halves_together_are_the_whole() {
        let mut polygon = unit_right_triangle();
        for k in 0..40 {
            let angle = 0.13 * f64::from(k);
            polygon = polygon.clipped(|[x, y]| 0.32 - (x - 0.3) * angle.cos() - (y - 0.3) * angle.sin());
            let (area, _) = polygon.area_and_centroid().unwrap();
            let sum: f64 = polygon.halves().iter().map(|half| half.area_and_centroid().unwrap().0).sum();
            assert!((sum - area).abs() < 1e-15);
            if polygon.needs_splitting() {
                return;
            }
        }
        panic!("the polygon never filled up");
    }
}
