//! Convex polygons in the plane of a face.

/// A point in the plane of a face, in metres.
pub type PlanePoint = [f64; 2];

/// Room for corners; a power of two, so that a mask keeps indices within.
const CAPACITY: usize = 16;

/// Corners of the polygons that are handed on; larger ones are split ([`ConvexPolygon::for_each_small`]).
pub const MOST_CORNERS: usize = 8;

/// A polygon with more corners is split before the next cut.
const SPLIT_ABOVE: usize = CAPACITY - 4;

/// Polygons with less than this, in m², have no area: so that quotients of integrals do not overflow.
/// The square of the finest grid spacing is far larger.
pub const SMALLEST_AREA: f64 = 1e-150;

/// A function that is linear in the coordinates of a plane.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Linear<V = f64> {
    /// At the origin.
    pub at_origin: V,
    /// Along x and y.
    pub gradient: [V; 2],
}

impl Linear {
    /// The same everywhere.
    pub fn constant(value: f64) -> Self {
        Linear { at_origin: value, gradient: [0.0; 2] }
    }

    /// Its value at a point.
    #[inline(always)]
    pub fn value(&self, [x, y]: PlanePoint) -> f64 {
        self.at_origin + self.gradient[0] * x + self.gradient[1] * y
    }

    /// The difference of two functions.
    #[inline(always)]
    pub fn minus(&self, other: &Self) -> Self {
        Linear {
            at_origin: self.at_origin - other.at_origin,
            gradient: [self.gradient[0] - other.gradient[0], self.gradient[1] - other.gradient[1]],
        }
    }

    /// The function with its sign turned.
    #[inline(always)]
    pub fn negative(&self) -> Self {
        Linear { at_origin: -self.at_origin, gradient: [-self.gradient[0], -self.gradient[1]] }
    }
}

impl Default for ConvexPolygon {
    fn default() -> Self {
        Self::EMPTY
    }
}

/// A convex polygon, counter-clockwise, with room for a few corners and no allocation.
#[derive(Clone, Copy, Debug)]
pub struct ConvexPolygon {
    corners: [PlanePoint; CAPACITY],
    /// What the side from each corner to the next lies on, as the last cuts say.
    labels: [u32; CAPACITY],
    count: usize,
}

/// Label of the sides of the face itself.
pub const OWN_SIDE: u32 = 0;

/// Label of sides along cuts that lie on nothing.
pub const INNER_SIDE: u32 = 1;

/// What cuts lie on has labels from here on.
pub const FIRST_LABEL: u32 = 2;

impl ConvexPolygon {
    /// Nothing.
    pub const EMPTY: Self = ConvexPolygon { corners: [[0.0; 2]; CAPACITY], labels: [OWN_SIDE; CAPACITY], count: 0 };

    /// A triangle.
    #[inline]
    pub fn triangle(corners: [PlanePoint; 3]) -> Self {
        let mut polygon = Self::EMPTY;
        polygon.set_triangle(&corners);
        polygon
    }

    /// Becomes a triangle.
    #[inline]
    pub fn set_triangle(&mut self, corners: &[PlanePoint; 3]) {
        self.corners[..3].copy_from_slice(corners);
        self.labels[..3].copy_from_slice(&[OWN_SIDE; 3]);
        self.count = 3;
    }

    /// Of corners, counter-clockwise.
    #[inline]
    pub fn of(corners: impl Iterator<Item = PlanePoint>) -> Self {
        let mut polygon = Self::EMPTY;
        for (place, corner) in polygon.corners.iter_mut().zip(corners) {
            *place = corner;
            polygon.count += 1;
        }
        polygon
    }

    /// Becomes nothing.
    #[inline]
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds a corner, with a label for the side from there on; callers know that there is room.
    #[inline]
    pub fn push(&mut self, corner: PlanePoint, label: u32) {
        self.corners[self.count % CAPACITY] = corner;
        self.labels[self.count % CAPACITY] = label;
        self.count += 1;
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
        first.labels[middle] = INNER_SIDE;
        second.corners[0] = self.corners[0];
        second.labels[0] = INNER_SIDE;
        second.corners[1..=self.count - middle].copy_from_slice(&self.corners[middle..self.count]);
        second.labels[1..=self.count - middle].copy_from_slice(&self.labels[middle..self.count]);
        second.count = self.count - middle + 1;
        [first, second]
    }

    /// Hands out the polygon in parts of at most [`MOST_CORNERS`] corners.
    #[inline]
    pub fn for_each_small(&self, mut take: impl FnMut(&[PlanePoint])) {
        if self.count <= MOST_CORNERS {
            take(self.corners());
        } else {
            self.halves().iter().for_each(|half| take(half.corners()));
        }
    }

    /// The part where a linear function is not negative.
    ///
    /// Corners where it vanishes stay; a polygon that only touches the line becomes one without area.
    /// Callers split a polygon before it is full ([`Self::needs_splitting`]).
    #[inline]
    pub fn clipped(&self, function: &Linear) -> Self {
        self.clipped_as(function, OWN_SIDE)
    }

    /// The same, with a label for the side along the cut.
    #[inline]
    pub fn clipped_as(&self, function: &Linear, label: u32) -> Self {
        let mut result = Self::EMPTY;
        if !self.clip_into(function, label, &mut result) {
            result = *self;
        }
        result
    }

    /// Writes the part where a linear function is not negative, unless that is all of it: then false.
    #[inline]
    pub fn clip_into(&self, function: &Linear, label: u32, result: &mut Self) -> bool {
        let mut values = [0.0; CAPACITY];
        let mut least = f64::INFINITY;
        for (value, &corner) in values.iter_mut().zip(self.corners()) {
            *value = function.value(corner);
            least = if *value < least { *value } else { least };
        }
        if 0.0 <= least || self.count == 0 {
            return false;
        }
        let mut count = 0;
        let mut from = self.count - 1;
        for to in 0..self.count {
            let (from_value, to_value) = (values[from], values[to]);
            if (from_value < 0.0) != (to_value < 0.0) {
                result.corners[count % CAPACITY] = crossing(self.corners[from], from_value, self.corners[to], to_value);
                result.labels[count % CAPACITY] = if from_value < 0.0 { self.labels[from] } else { label };
                count += 1;
            }
            if 0.0 <= to_value {
                result.corners[count % CAPACITY] = self.corners[to];
                result.labels[count % CAPACITY] = self.labels[to];
                count += 1;
            }
            from = to;
        }
        result.count = count.min(CAPACITY);
        true
    }

    /// What the side from each corner lies on.
    #[inline]
    pub fn labels(&self) -> &[u32] {
        &self.labels[..self.count]
    }

    /// Both parts of the polygon along the zero line of a function: where it is not negative, and where it is not positive.
    pub fn divided(&self, function: &Linear) -> [Self; 2] {
        self.divided_as(function, [OWN_SIDE; 2])
    }

    /// The same, with labels for the sides along the cut, of the first part and of the second.
    pub fn divided_as(&self, function: &Linear, [first, second]: [u32; 2]) -> [Self; 2] {
        let [first, second] = [self.clipped_as(function, first), self.clipped_as(&function.negative(), second)];
        [first.without_repetitions(), second.without_repetitions()]
    }

    /// The same polygon without corners that equal the next one; sides keep their labels.
    fn without_repetitions(mut self) -> Self {
        let (first, all) = (self.corners[0], self.count);
        let mut count = 0;
        for index in 0..all {
            let next = if index + 1 == all { first } else { self.corners[index + 1] };
            if self.corners[index] != next {
                self.corners[count] = self.corners[index];
                self.labels[count] = self.labels[index];
                count += 1;
            }
        }
        self.count = count;
        self
    }

    /// Area in m², and the centroid; none for a polygon without area.
    pub fn area_and_centroid(&self) -> Option<(f64, PlanePoint)> {
        let &[origin, ..] = self.corners() else { return None };
        let (mut double_area, mut first) = (0.0, [0.0; 2]);
        for pair in self.corners()[1..].windows(2) {
            let (u, v) = (difference(pair[0], origin), difference(pair[1], origin));
            // Never negative but for rounding; without that, the centroid of a sliver stays within it.
            let cross = cross(u, v).max(0.0);
            double_area += cross;
            first[0] += cross * (u[0] + v[0]);
            first[1] += cross * (u[1] + v[1]);
        }
        let centroid = || [0, 1].map(|axis| origin[axis] + first[axis] / (3.0 * double_area));
        (SMALLEST_AREA < double_area).then(|| (0.5 * double_area, centroid()))
    }
}

/// Where a function vanishes between two points at which it has different signs.
#[inline]
fn crossing(from: PlanePoint, from_value: f64, to: PlanePoint, to_value: f64) -> PlanePoint {
    // From the end with the negative value, so that both parts of a divided polygon have the same point, bit by bit.
    let is_forward = from_value < 0.0;
    let (a, at_a, b, at_b) =
        if is_forward { (from, from_value, to, to_value) } else { (to, to_value, from, from_value) };
    let fraction = at_a / (at_a - at_b);
    [a[0] + fraction * (b[0] - a[0]), a[1] + fraction * (b[1] - a[1])]
}

/// a × b.
#[inline]
pub fn cross(a: PlanePoint, b: PlanePoint) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

/// a − b.
#[inline]
pub fn difference(a: PlanePoint, b: PlanePoint) -> PlanePoint {
    [a[0] - b[0], a[1] - b[1]]
}
