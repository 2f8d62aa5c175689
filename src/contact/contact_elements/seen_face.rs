//! A face seen from a master face, along its normal.

use wide::f64x2;

use super::convex_polygon::{ConvexPolygon, PlanePoint, cross, difference};
use super::overlay::Overlay;
use crate::contact::totals::{larger, smaller};
use crate::mesh::FaceIndex;

/// A face projected onto a master face, with its depth below it.
#[derive(Clone, Copy, Debug)]
pub struct SeenFace {
    /// Which face of its surface.
    pub face: FaceIndex,
    /// Whether it faces the master: then a line from the master leaves the body of this face there.
    pub is_opposed: bool,
    /// Projected corners, counter-clockwise.
    pub corners: [PlanePoint; 3],
    /// Depths of these corners below the master face in m; negative above it.
    pub depths: [f64; 3],
    /// The smallest and the largest of them.
    pub(super) depth_range: [f64; 2],
    /// Of the depth, along the axes of the plane.
    pub(super) gradient: PlanePoint,
    /// How it lies over the master face, as far as anybody has looked.
    pub(super) overlay: Overlay,
}

impl SeenFace {
    /// Projects a face given by its corners in the frame of the master face; none where it is seen
    /// edge-on or lies above the master face altogether.
    #[inline(always)]
    pub fn new(face: FaceIndex, [a, mut b, mut c]: [[f64; 3]; 3]) -> Option<Self> {
        let lowest = smaller(a[2], smaller(b[2], c[2]));
        if 0.0 < lowest {
            return None;
        }
        let plane = |p: [f64; 3]| [p[0], p[1]];
        let double_area = cross(difference(plane(b), plane(a)), difference(plane(c), plane(a)));
        let is_opposed = double_area < 0.0;
        if is_opposed {
            std::mem::swap(&mut b, &mut c);
        }
        let double_area = double_area.abs();
        if !(0.0 < double_area && double_area < f64::INFINITY) {
            return None;
        }
        let (u, v) = (difference(plane(b), plane(a)), difference(plane(c), plane(a)));
        let (depth_u, depth_v) = (a[2] - b[2], a[2] - c[2]);
        // Where the face is seen nearly edge-on, the last bits of the gradient show in the depths.
        let gradient =
            [(depth_u * v[1] - depth_v * u[1]) / double_area, (u[0] * depth_v - v[0] * depth_u) / double_area];
        Some(SeenFace {
            face,
            is_opposed,
            corners: [plane(a), plane(b), plane(c)],
            depths: [-a[2], -b[2], -c[2]],
            depth_range: [-larger(a[2], larger(b[2], c[2])), -lowest],
            gradient,
            overlay: Overlay::UNKNOWN,
        })
    }

    /// Depth of the face below a point, in m.
    ///
    /// Within the face it is between the depths of the corners; the clamp keeps rounding there,
    /// where the face is seen nearly edge-on and its gradient is steep.
    #[inline]
    pub fn depth(&self, point: PlanePoint) -> f64 {
        let from_corner = difference(point, self.corners[0]);
        let depth = self.depths[0] + self.gradient[0] * from_corner[0] + self.gradient[1] * from_corner[1];
        let [least, most] = self.depth_range;
        // As `clamp`, without its check of the range.
        smaller(larger(depth, least), most)
    }

    /// The same below two points.
    #[inline]
    pub(super) fn pair_of_depths(&self, x: f64x2, y: f64x2) -> f64x2 {
        let (from_x, from_y) = (x - self.corners[0][0], y - self.corners[0][1]);
        // In the same order as above: the same bits.
        let depth = f64x2::splat(self.depths[0]) + from_x * self.gradient[0] + from_y * self.gradient[1];
        let [least, most] = self.depth_range.map(f64x2::splat);
        depth.fast_max(least).fast_min(most)
    }

    /// How far a point lies to the left of edge k, times the length of the edge.
    ///
    /// Computed in one direction of the edge, whichever face asks: two neighbours get exactly opposite
    /// values, so no point falls between them and none counts twice.
    #[inline]
    pub(super) fn left_of_edge(&self, k: usize, point: PlanePoint) -> f64 {
        let (origin, direction) = self.edge(k);
        cross(direction, difference(point, origin))
    }

    /// A point on edge k, the same for both faces at the edge, and the direction of the edge.
    #[inline]
    pub(super) fn edge(&self, k: usize) -> (PlanePoint, PlanePoint) {
        let (from, to) = (self.corners[k], self.corners[(k + 1) % 3]);
        let is_forward = from[0] < to[0] || (from[0] == to[0] && from[1] < to[1]);
        (if is_forward { from } else { to }, difference(to, from))
    }

    /// Whether a point of the master lies over this face, edges included.
    #[inline]
    pub fn covers(&self, point: PlanePoint) -> bool {
        (0..3).all(|k| 0.0 <= self.left_of_edge(k, point))
    }

    /// The part of a polygon on the master that lies over this face, and above it.
    #[inline]
    pub fn covered_part(&self, polygon: &ConvexPolygon) -> ConvexPolygon {
        let mut part = *polygon;
        for k in 0..3 {
            part = part.clipped(|point| self.left_of_edge(k, point));
            if part.is_empty() {
                return part;
            }
        }
        part.clipped(|point| self.depth(point))
    }

    /// Whether this face can hide another one: not if it lies deeper, or beside it, by their boxes.
    #[inline]
    pub fn may_hide(&self, other: &SeenFace) -> bool {
        let least = |depths: &[f64; 3]| depths[0].min(depths[1]).min(depths[2]);
        let most = |depths: &[f64; 3]| depths[0].max(depths[1]).max(depths[2]);
        least(&self.depths) < most(&other.depths)
            && (0..2).all(|axis| {
                let range = |face: &SeenFace| {
                    let [a, b, c] = face.corners.map(|corner| corner[axis]);
                    (a.min(b).min(c), a.max(b).max(c))
                };
                let ((low, high), (other_low, other_high)) = (range(self), range(other));
                low <= other_high && other_low <= high
            })
    }

    /// The part of a polygon from which this face hides another face behind it: where it covers the
    /// polygon, and lies less deep than the other.
    #[inline]
    pub fn hidden_part(&self, polygon: &ConvexPolygon, behind: &SeenFace) -> ConvexPolygon {
        let part = self.covered_part(polygon);
        if part.is_empty() { part } else { part.clipped(|point| behind.depth(point) - self.depth(point)) }
    }

    /// Appends what is left of a polygon without its hidden part, in convex pieces: one beyond each of
    /// the lines that bound the hidden part, if it is larger than `negligible` (m²).
    pub fn push_remainder(
        &self,
        polygon: &ConvexPolygon,
        behind: &SeenFace,
        negligible: f64,
        pieces: &mut Vec<ConvexPolygon>,
    ) {
        let mut rest = *polygon;
        let mut cut = |value: &dyn Fn(PlanePoint) -> f64| {
            let outer = rest.clipped(|point| -value(point));
            if negligible < outer.area() {
                outer.push_split(pieces);
            }
            rest = rest.clipped(value);
        };
        for k in 0..3 {
            cut(&|point| self.left_of_edge(k, point));
        }
        cut(&|point| self.depth(point));
        cut(&|point| behind.depth(point) - self.depth(point));
    }

    /// Whether this face hides another one from a point of the master.
    #[inline]
    pub fn hides(&self, point: PlanePoint, behind: &SeenFace) -> bool {
        let depth = self.depth(point);
        0.0 < depth && depth < behind.depth(point) && self.covers(point)
    }
}
