//! Ways that begin beside a plate: below a mitre its cell reaches beyond the plate itself.
//!
//! There the depth still is that below the plate's plane, but ways along its normal would begin at the mitre, inside the
//! body. Ways from the edge, or from the corner, begin at the surface: none of them goes through a mitre, as all mitres of
//! an edge or a corner go through it. The depth grows along them as fast as they go down.

use super::feature::{PlacedPlane, edge_ends};
use super::heights::square;
use super::polygon::{ConvexPolygon, Linear, PlanePoint, cross, difference};
use crate::contact::field::plane_through;
use crate::contact::surface::ContactSurface;
use crate::math::Vector;
use crate::mesh::{FaceIndex, HalfEdge};

/// What is beside a plate by less than this part of the coordinates is below it; dimensionless, far above rounding. What
/// it adds to the integral is less by its square.
const BESIDE: f64 = 1e-11;

/// Where the nearest point of a plate is to the foot of a point on its plane.
#[derive(Clone, Copy, Debug)]
pub enum Foot {
    /// At the foot itself.
    Inside,
    /// On an edge with a mitre.
    OnEdge(HalfEdge),
    /// At a corner.
    AtCorner(Vector),
}

/// Hands out the parts of a polygon below a plate by where their ways begin.
pub fn for_each_foot(
    surface: &ContactSurface,
    plate: FaceIndex,
    plane: &PlacedPlane,
    polygon: &ConvexPolygon,
    take: &mut impl FnMut(&ConvexPolygon, Foot),
) {
    let outline = surface.field().plates().outline(plate);
    let rounding = BESIDE * surface.tree().bounds().largest_coordinate();
    let sides = Sides { surface, outline: &outline, normal: surface.normal(plate), plane, rounding };
    sides.divide(polygon, 0, false, take);
}

/// The sides of a plate.
struct Sides<'a> {
    surface: &'a ContactSurface,
    outline: &'a [HalfEdge],
    normal: Vector,
    plane: &'a PlacedPlane,
    /// In m.
    rounding: f64,
}

impl Sides<'_> {
    fn divide(
        &self,
        polygon: &ConvexPolygon,
        first: usize,
        is_beside: bool,
        take: &mut impl FnMut(&ConvexPolygon, Foot),
    ) {
        let Some((_, centroid)) = polygon.area_and_centroid() else { return };
        if polygon.needs_splitting() {
            return polygon.halves().iter().for_each(|half| self.divide(half, first, is_beside, take));
        }
        for k in first..self.outline.len() {
            let edge = self.outline[k];
            if !self.surface.field().is_mitred(edge) {
                continue;
            }
            let [a, b] = edge_ends(self.surface, edge);
            let Some(along) = (b - a).try_normalize(0.0) else { continue };
            let outwards = self.plane.trace(&plane_through(along.cross(&self.normal), &a));
            let Some([outside, inside]) = self.divided(polygon, &outwards) else { continue };
            self.divide(&inside, k + 1, is_beside, take);
            let mut beside = outside;
            for end in [plane_through(-along, &a), plane_through(along, &b)] {
                if let Some([beyond, rest]) = self.divided(&beside, &self.plane.trace(&end)) {
                    self.divide(&beyond, k + 1, true, take);
                    beside = rest;
                }
            }
            if !beside.is_empty() {
                take(&beside, Foot::OnEdge(edge));
            }
            return;
        }
        if !is_beside {
            return take(polygon, Foot::Inside);
        }
        let point = self.plane.point(centroid);
        let corners = self.outline.iter().map(|&edge| edge_ends(self.surface, edge)[0]);
        let nearer = |a: &Vector, b: &Vector| (a - point).norm_squared().total_cmp(&(b - point).norm_squared());
        if let Some(corner) = corners.min_by(nearer) {
            take(polygon, Foot::AtCorner(corner));
        }
    }

    /// The parts of a polygon where a function is positive and where it is negative; none where it is nowhere positive.
    fn divided(&self, polygon: &ConvexPolygon, function: &Linear) -> Option<[ConvexPolygon; 2]> {
        let is_positive = |corner: &PlanePoint| self.rounding < function.value(*corner);
        polygon.corners().iter().any(is_positive).then(|| polygon.divided(function))
    }
}

/// The integral of the depth along the ways from a foot to a polygon, in m⁴.
pub fn integral_from(
    surface: &ContactSurface,
    foot: Foot,
    plane: &PlacedPlane,
    polygon: &ConvexPolygon,
    depth: &Linear,
    slope_out: f64,
) -> f64 {
    let outwards = &plane.axes[2];
    match foot {
        Foot::Inside => 0.5 * slope_out * square(polygon, depth),
        // A linear depth that vanishes on a line, or in a point: its integral is a third, or a quarter, of the flux of the
        // depth times the way.
        Foot::OnEdge(edge) => {
            let [start, end] = edge_ends(surface, edge);
            let along = (end - start).try_normalize(0.0).unwrap_or_else(Vector::zeros);
            let across = outwards - along * along.dot(outwards);
            product(polygon, depth, &plane.linear(&across, &start)) / 3.0
        }
        Foot::AtCorner(corner) => {
            let height = Linear { at_origin: outwards.dot(&(plane.origin - corner)), gradient: [0.0; 2] };
            product(polygon, depth, &height) / 4.0
        }
    }
}

/// ∫ f g dA over a polygon.
fn product(polygon: &ConvexPolygon, f: &Linear, g: &Linear) -> f64 {
    let corners = polygon.corners();
    let Some(&first) = corners.first() else { return 0.0 };
    let mut sum = 0.0;
    for pair in corners[1..].windows(2) {
        let double_area = cross(difference(pair[0], first), difference(pair[1], first));
        let values = [first, pair[0], pair[1]].map(|corner| (f.value(corner), g.value(corner)));
        let total = values.iter().fold((0.0, 0.0), |total, value| (total.0 + value.0, total.1 + value.1));
        // The mean of a product over a triangle: the product of the sums, and the products at corners, over twelve.
        let at_corners: f64 = values.iter().map(|(f, g)| f * g).sum();
        sum += double_area * (total.0 * total.1 + at_corners) / 24.0;
    }
    sum
}
