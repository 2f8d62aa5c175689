//! The contact patches of a recorded evaluation as polygons, for pictures and files.
//!
//! Compiled with the feature `floor` only.

use super::convex_polygon::{ConvexPolygon, PlanePoint, cross, difference};
use super::floor::{Pieces, Shape};
use crate::math::Vector;

/// Polygons smaller than this part of the piece that they were cut from are not drawn; dimensionless.
const NEGLIGIBLE_PART: f64 = 1e-9;

/// What acts at a point of a patch; resolved in E.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatchPoint {
    /// Where the force acts, between the two surfaces, in m.
    pub position_e: Vector,
    /// Penetration in m.
    pub penetration: f64,
    /// Normal pressure in Pa.
    pub pressure: f64,
    /// Slip velocity of F on E in m/s.
    pub slip_velocity_e: Vector,
}

/// A convex part of a patch, over which one face of the master sees one face of the slave.
#[derive(Clone, Debug, PartialEq)]
pub struct PatchPolygon {
    /// Whether E is the master of the pass that the polygon belongs to.
    pub master_is_e: bool,
    /// Share of the pass in the sums; with two passes the patch is there twice, and weights add up to 1.
    pub weight: f64,
    /// Area in m², on the face of the master.
    pub area: f64,
    /// Unit normal into E.
    pub normal_e: Vector,
    /// At the centroid.
    pub centre: PatchPoint,
    /// At the corners, counter-clockwise seen from outside the master.
    pub corners: Vec<PatchPoint>,
}

impl Pieces {
    /// The visible parts of all pieces. In the centroid scheme an element is a square of the area of its face.
    pub fn polygons(&self) -> Vec<PatchPolygon> {
        let mut polygons = Vec::new();
        let mut pieces = self.pieces.iter().peekable();
        while let Some(piece) = pieces.next() {
            let force = &self.faces[piece.face as usize].force;
            let (normal_e, master_is_e) = force.normal_into_e();
            let mut push = |polygon: &ConvexPolygon, depth: &dyn Fn(PlanePoint) -> f64| {
                let Some((area, centroid)) = polygon.area_and_centroid() else { return };
                let at = |point| force.at(point, depth(point).max(0.0));
                let corners = polygon.corners().iter().map(|&corner| at(corner)).collect();
                let centre = at(centroid);
                polygons.push(PatchPolygon { master_is_e, weight: piece.weight, area, normal_e, centre, corners });
            };
            match &piece.shape {
                Shape::Region { polygon, seen, .. } => {
                    let negligible = NEGLIGIBLE_PART * polygon.area();
                    let mut visible = vec![*polygon];
                    // Hidden parts follow their piece with a negative weight.
                    while let Some(taken) = pieces.next_if(|next| next.weight < 0.0) {
                        if let Shape::Region { polygon: taken, .. } = &taken.shape {
                            visible = visible.iter().flat_map(|part| without(part, taken, negligible)).collect();
                        }
                    }
                    visible.iter().for_each(|part| push(part, &|point| seen.depth(point)));
                }
                Shape::Point { point, area, depth } => {
                    let half = 0.5 * area.sqrt();
                    let [x, y] = *point;
                    let corner = |a: f64, b: f64| [x + a * half, y + b * half];
                    let lower = ConvexPolygon::triangle([corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0)]);
                    let upper = ConvexPolygon::triangle([corner(-1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)]);
                    push(&lower, &|_| *depth);
                    push(&upper, &|_| *depth);
                }
            }
        }
        polygons
    }
}

/// The parts of a polygon outside another one.
fn without(polygon: &ConvexPolygon, taken: &ConvexPolygon, negligible: f64) -> Vec<ConvexPolygon> {
    let mut outside = Vec::new();
    let mut rest = *polygon;
    // A side of no length would have everything on both sides of it.
    let taken = taken.without_straight_corners();
    if taken.is_empty() {
        return vec![rest];
    }
    let corners = taken.corners();
    for (index, &start) in corners.iter().enumerate() {
        let side = difference(corners[(index + 1) % corners.len()], start);
        let left_of = |point: PlanePoint| cross(side, difference(point, start));
        let part = rest.clipped(|point| -left_of(point));
        if negligible < part.area() {
            outside.push(part);
        }
        rest = rest.clipped(left_of);
        if rest.area() <= negligible {
            break;
        }
    }
    outside
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::{ContactParameters, ContactSurface, ElementScheme, Method, RawParameters, RelativeMotion};
    use crate::contact::{Workspace, record_pieces};
    use crate::math::{Pose, Rotation};
    use crate::shapes::{cuboid, icosphere, torus};

    /// Weighted area, mean penetration and pressure of the polygons are those of the outcome: depth and, without
    /// damping, pressure are linear, so the value at the centroid times the area is the integral.
    #[test]
    fn areas_and_forces_of_the_polygons_add_up_to_the_outcome() {
        let (ball, ring) = (ContactSurface::new(icosphere(0.1, 3)), ContactSurface::new(torus(0.1, 0.04, 24, 12)));
        let plate = ContactSurface::new(cuboid(Vector::new(0.4, 0.4, 0.1)));
        // The ring across itself hides parts of its own faces.
        for (e, f, distance) in [(&plate, &ball, 0.145), (&ball, &ball, 0.19), (&ring, &ring, 0.02)] {
            for elements in [ElementScheme::Clipped, ElementScheme::Centroid] {
                for method in [Method::Auto, Method::TwoPass, Method::MasterF] {
                    let raw = RawParameters { method, elements, areal_damping: 0.0, ..Default::default() };
                    let parameters = ContactParameters::new(&raw).unwrap();
                    let rotation = Rotation::from_euler_angles(0.3, 0.5, 0.7);
                    let pose = Pose::from_parts(Vector::new(0.011, 0.007, distance).into(), rotation);
                    let motion = RelativeMotion::at_rest(pose);
                    let (outcome, pieces) = record_pieces(e, f, &parameters, &motion, &mut Workspace::default());
                    let polygons = pieces.polygons();
                    let area: f64 = polygons.iter().map(|polygon| polygon.weight * polygon.area).sum();
                    let force: Vector = polygons
                        .iter()
                        .map(|polygon| polygon.normal_e * (polygon.weight * polygon.area * polygon.centre.pressure))
                        .sum();
                    // 1e-8: parts below 1e-9 of a piece are left out.
                    let case = format!("{method:?}, {elements:?}, distance {distance}");
                    assert!(0.0 < area && (area - outcome.contact_area).abs() < 1e-8 * area, "{case}: {area}");
                    let scale = outcome.normal_stress.mean * outcome.contact_area;
                    assert!((force - outcome.force_on_e).norm() < 1e-8 * scale, "{case}: {force}");
                }
            }
        }
    }

    #[test]
    fn a_triangle_without_an_inner_triangle_keeps_the_rest_of_its_area() {
        let triangle = ConvexPolygon::triangle([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]]);
        let inner = ConvexPolygon::triangle([[1.0, 1.0], [2.0, 1.0], [1.0, 2.0]]);
        let parts = without(&triangle, &inner, 1e-12);
        let area: f64 = parts.iter().map(ConvexPolygon::area).sum();
        assert!((area - (8.0 - 0.5)).abs() < 1e-12, "{area}");
        let apart = ConvexPolygon::triangle([[5.0, 5.0], [6.0, 5.0], [5.0, 6.0]]);
        let area: f64 = without(&triangle, &apart, 1e-12).iter().map(ConvexPolygon::area).sum();
        assert!((area - 8.0).abs() < 1e-12, "{area}");
    }
}
