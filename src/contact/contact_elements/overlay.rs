//! How a slave face, projected, lies over a master face: what is cut, and where a walk goes on.

use wide::f64x2;

use super::convex_polygon::{CutTriangle, PlanePoint, cross, difference};
use super::seen_face::SeenFace;
use crate::contact::totals::{larger, smaller};

/// All corners of a triangle, or all its sides, as bits.
const ALL: u32 = 0b111;

/// Rounding of a cross product, relative to the square of the largest coordinates; dimensionless. A few 10⁻¹⁶, and
/// nothing but a cut more is lost by a generous bound.
pub const ROUNDING: f64 = 1e-13;

/// Which corners of each of two triangles lie beyond which sides of the other; touching is not beyond.
#[derive(Clone, Copy, Debug)]
pub struct Overlay {
    /// Bit k: side k of the slave face cuts the master face.
    pub cutting: u32,
    /// Bit k: side k of the slave face meets the master face; touching counts.
    pub met: u32,
    /// Whether a side of one of them has the other one beyond it.
    pub is_apart: bool,
    /// Whether the whole slave face lies over the master face and below it: then it is itself the covered part.
    pub is_within: bool,
}

impl Overlay {
    /// Every side may cut: what is known without looking.
    pub const UNKNOWN: Overlay = Overlay { cutting: ALL, met: ALL, is_apart: false, is_within: false };
}

/// A master face in its plane, prepared for comparisons with many slave faces.
pub struct MasterTriangle {
    corners: [PlanePoint; 3],
    /// Each side, in both lanes of vector registers.
    sides: [SideInLanes; 3],
    /// The first two sides, one in each lane.
    first_sides: SideInLanes,
    /// Largest magnitude of a coordinate.
    reach: f64,
}

struct SideInLanes {
    from_x: f64x2,
    from_y: f64x2,
    along_x: f64x2,
    along_y: f64x2,
}

impl SideInLanes {
    #[inline]
    fn new([a, b]: [PlanePoint; 2], [along_a, along_b]: [PlanePoint; 2]) -> Self {
        let lanes = |axis: usize, a: PlanePoint, b: PlanePoint| f64x2::from([a[axis], b[axis]]);
        SideInLanes {
            from_x: lanes(0, a, b),
            from_y: lanes(1, a, b),
            along_x: lanes(0, along_a, along_b),
            along_y: lanes(1, along_a, along_b),
        }
    }
}

impl MasterTriangle {
    /// Of its corners, counter-clockwise.
    #[inline]
    pub fn new(corners: &[PlanePoint; 3]) -> Self {
        let along = [0, 1, 2].map(|k| difference(corners[(k + 1) % 3], corners[k]));
        let [a, b, c] = corners.map(|[x, y]| larger(x.abs(), y.abs()));
        MasterTriangle {
            corners: *corners,
            sides: [0, 1, 2].map(|k| SideInLanes::new([corners[k]; 2], [along[k]; 2])),
            first_sides: SideInLanes::new([corners[0], corners[1]], [along[0], along[1]]),
            reach: larger(a, larger(b, c)),
        }
    }
}

impl SeenFace {
    /// Compares all corners of both with all sides of both, once for all that depends on it.
    ///
    /// Where rounding would decide, a side counts as cutting and the faces as not apart: the cuts themselves decide.
    #[inline]
    pub fn overlay(&self, master: &MasterTriangle) -> Overlay {
        let [a, b, c] = self.corners;
        let pair = |a: f64, b: f64| f64x2::from([a, b]);
        let zero = f64x2::splat(0.0);
        let reach_of = |[x, y]: PlanePoint| larger(x.abs(), y.abs());
        let reach = master.reach + larger(reach_of(a), larger(reach_of(b), reach_of(c)));
        let margin = ROUNDING * reach * reach;

        // Corners a and b in two lanes beyond each side of the master face, then corner c beyond two sides at once.
        let (x, y) = (pair(a[0], b[0]), pair(a[1], b[1]));
        let sides = [&master.sides[0], &master.sides[1], &master.sides[2]];
        let of_ab = sides.map(|side| side.along_x * (y - side.from_y) - side.along_y * (x - side.from_x));
        let (x, y) = (f64x2::splat(c[0]), f64x2::splat(c[1]));
        let first = &master.first_sides;
        let of_c = first.along_x * (y - first.from_y) - first.along_y * (x - first.from_x);
        let last = cross(difference(master.corners[0], master.corners[2]), difference(c, master.corners[2]));
        let of_c = [of_c.to_array()[0], of_c.to_array()[1], last];
        let (mut any_beyond, mut is_apart, mut sides_beyond) = (0, false, 0);
        for k in 0..3 {
            let beyond = of_ab[k].simd_lt(zero).to_bitmask() | u32::from(of_c[k] < 0.0) << 2;
            any_beyond |= beyond;
            if beyond == ALL {
                let [a, b] = of_ab[k].to_array();
                is_apart |= larger(a, larger(b, of_c[k])) < -margin;
            }
            // Sides with both ends beyond: side j runs from corner j to corner j + 1.
            let clearly = of_ab[k].simd_lt(f64x2::splat(-margin)).to_bitmask() | u32::from(of_c[k] < -margin) << 2;
            sides_beyond |= clearly & (clearly >> 1 | clearly << 2);
        }

        // Two sides of the slave face in two lanes before each corner of the master face, then the third side.
        let [(from_0, along_0), (from_1, along_1), (from_2, along_2)] = [self.edge(0), self.edge(1), self.edge(2)];
        let (from_x, from_y) = (pair(from_0[0], from_1[0]), pair(from_0[1], from_1[1]));
        let (along_x, along_y) = (pair(along_0[0], along_1[0]), pair(along_0[1], along_1[1]));
        let [p, q, r] = [0, 1, 2]
            .map(|k| along_x * (master.sides[k].from_y - from_y) - along_y * (master.sides[k].from_x - from_x));
        let (least, most) = (p.fast_min(q).fast_min(r), p.fast_max(q).fast_max(r));
        let [p, q, r] = master.corners.map(|corner| cross(along_2, difference(corner, from_2)));
        let (last_least, last_most) = (smaller(p, smaller(q, r)), larger(p, larger(q, r)));
        let bits = |first: f64x2, last: bool| first.to_bitmask() | u32::from(last) << 2;
        let cutting = bits(least.simd_lt(f64x2::splat(margin)), last_least < margin);
        let beyond = bits(most.simd_lt(zero), last_most < 0.0);
        let before = bits(f64x2::splat(margin).simd_lt(least), margin < last_least);
        let clearly_beyond = bits(most.simd_lt(f64x2::splat(-margin)), last_most < -margin);
        if beyond != 0 {
            is_apart |= bits(most.simd_lt(f64x2::splat(-margin)), last_most < -margin) != 0;
        }
        let is_within = any_beyond == 0 && 0.0 <= self.depth_range[0];
        Overlay { cutting, met: ALL & !(clearly_beyond | before | sides_beyond), is_apart, is_within }
    }

    /// The part of a master face, given by its triangle, that lies over this face and above it.
    #[inline]
    pub fn cut_master(&self, master: &[PlanePoint; 3], overlay: &Overlay, part: &mut CutTriangle) {
        if overlay.is_within {
            part.start(self.corners);
            return;
        }
        part.start(*master);
        for k in 0..3 {
            if overlay.cutting >> k & 1 == 1 {
                let (origin, direction) = self.edge(k);
                part.clip(|point| cross(direction, difference(point, origin)));
            }
        }
        if self.depth_range[0] < 0.0 {
            part.clip(|point| self.depth(point));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::convex_polygon::ConvexPolygon;
    use super::*;
    use crate::mesh::FaceIndex;

    /// Triangles with corners on a coarse grid: many touch, share sides or corners, or contain one another.
    #[test]
    fn the_part_cut_with_the_overlay_is_the_part_cut_by_every_side() {
        let mut seed = 1u64;
        let mut next = |n: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((seed >> 33) % n) as f64
        };
        let (mut apart, mut within, mut cut) = (0, 0, 0);
        let mut part = CutTriangle::default();
        for _ in 0..100_000 {
            let mut triangle = || [[next(8), next(8)], [next(8), next(8)], [next(8), next(8)]];
            let (mut master, slave) = (triangle(), triangle());
            if cross(difference(master[1], master[0]), difference(master[2], master[0])) < 0.0 {
                master.swap(1, 2);
            }
            let depths: [f64; 3] = [next(5) - 1.0, next(5) - 1.0, next(5) - 1.0];
            let corners = [0, 1, 2].map(|k| [slave[k][0], slave[k][1], -depths[k]]);
            let Some(seen) = SeenFace::new(FaceIndex(0), corners) else { continue };
            let whole = ConvexPolygon::triangle(master);
            if whole.area() == 0.0 {
                continue;
            }
            let expected = seen.covered_part(&whole).area();
            let overlay = seen.overlay(&MasterTriangle::new(&master));
            if overlay.is_apart {
                apart += 1;
                assert!(expected < 1e-12, "{expected}");
                continue;
            }
            seen.cut_master(&master, &overlay, &mut part);
            assert!((part.polygon().area() - expected).abs() < 1e-12, "{overlay:?}: {expected}");
            if overlay.is_within {
                within += 1;
            } else {
                cut += 1;
            }
            // A side is met where it has a point in common with the master face, by cutting the side itself.
            for side in 0..3 {
                let (from, to) = (seen.corners[side], seen.corners[(side + 1) % 3]);
                let (mut low, mut high) = (0.0f64, 1.0f64);
                for k in 0..3 {
                    let (start, along) = (master[k], difference(master[(k + 1) % 3], master[k]));
                    let value = |point| cross(along, difference(point, start));
                    let (at_from, at_to) = (value(from), value(to));
                    if at_from < 0.0 && at_to < 0.0 {
                        low = 2.0;
                    } else if at_from < 0.0 {
                        low = low.max(at_from / (at_from - at_to));
                    } else if at_to < 0.0 {
                        high = high.min(at_from / (at_from - at_to));
                    }
                }
                // Rounding decides where they touch; the walk may then go either way.
                if 1e-9 < (high - low).abs() {
                    assert_eq!(overlay.met >> side & 1 == 1, low < high, "side {side} of {overlay:?}");
                }
            }
        }
        assert!(1000 < apart && 100 < within && 1000 < cut, "{apart} apart, {within} within, {cut} cut");
    }
}
