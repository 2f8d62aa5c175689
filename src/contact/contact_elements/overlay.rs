//! How a slave face, projected, lies over a master face: what is cut, and where a walk goes on.

use super::convex_polygon::{CutTriangle, PlanePoint, cross, difference};
use super::seen_face::SeenFace;
use crate::contact::totals::{larger, smaller};

/// All corners of a triangle, or all its sides, as bits.
const ALL: u8 = 0b111;

/// Rounding of a cross product, relative to the square of the largest coordinates; dimensionless. A few 10⁻¹⁶, and
/// nothing but a cut more is lost by a generous bound.
const ROUNDING: f64 = 1e-13;

/// Which corners of each of two triangles lie beyond which sides of the other; touching is not beyond.
#[derive(Clone, Copy, Debug)]
pub struct Overlay {
    /// Bit k: side k of the slave face cuts the master face.
    pub cutting: u8,
    /// Bit k: side k of the slave face meets the master face; touching counts.
    pub met: u8,
    /// Whether a side of one of them has the other one beyond it.
    pub is_apart: bool,
    /// Whether the whole slave face lies over the master face and below it: then it is itself the covered part.
    pub is_within: bool,
}

impl Overlay {
    /// Every side may cut: what is known without looking.
    pub const UNKNOWN: Overlay = Overlay { cutting: ALL, met: ALL, is_apart: false, is_within: false };
}

impl SeenFace {
    /// Compares all corners of both with all sides of both, once for all that depends on it.
    ///
    /// Where rounding would decide, a side counts as cutting and the faces as not apart: the cuts themselves decide.
    #[inline]
    pub fn overlay(&self, master: &[PlanePoint; 3]) -> Overlay {
        let least = |values: [f64; 3]| smaller(values[0], smaller(values[1], values[2]));
        let most = |values: [f64; 3]| larger(values[0], larger(values[1], values[2]));
        let reach = |corners: &[PlanePoint; 3]| most(corners.map(|[x, y]| larger(x.abs(), y.abs())));
        let reach = reach(master) + reach(&self.corners);
        let margin = ROUNDING * reach * reach;

        // Corners of the slave face beyond each side of the master face, as bits.
        let (mut any_beyond, mut is_apart, mut sides_beyond) = (0, false, 0);
        for k in 0..3 {
            let (from, along) = (master[k], difference(master[(k + 1) % 3], master[k]));
            let values = self.corners.map(|corner| cross(along, difference(corner, from)));
            let [a, b, c] = values.map(|value| u8::from(value < 0.0));
            let beyond = a | b << 1 | c << 2;
            any_beyond |= beyond;
            is_apart |= most(values) < -margin;
            // Sides with both ends beyond: side j runs from corner j to corner j + 1.
            sides_beyond |= beyond & (beyond >> 1 | beyond << 2);
        }
        let (mut cutting, mut met) = (0, 0);
        for k in 0..3 {
            let (origin, direction) = self.edge(k);
            let values = master.map(|point| cross(direction, difference(point, origin)));
            let (least, most) = (least(values), most(values));
            cutting |= u8::from(least < margin) << k;
            met |= u8::from(0.0 <= most && least <= 0.0) << k;
            is_apart |= most < -margin;
        }
        let is_within = any_beyond == 0 && 0.0 <= self.depth_range[0];
        Overlay { cutting, met: met & !sides_beyond, is_apart, is_within }
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
        for _ in 0..20_000 {
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
            let overlay = seen.overlay(&master);
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
