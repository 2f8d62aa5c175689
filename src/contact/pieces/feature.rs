//! What a depth is measured from: a face, an edge or a vertex of the body that a point is inside.

use super::polygon::{ConvexPolygon, Linear, PlanePoint};
use super::rivals::Target;
use crate::contact::field::{Feature, Plane};
use crate::contact::surface::ContactSurface;
use crate::math::Vector;
use crate::mesh::{FaceIndex, HalfEdge};

/// A face that carries pressure, in the frame of the body whose field it is in.
#[derive(Clone, Copy, Debug)]
pub struct PlacedPlane {
    /// The origin of its plane coordinates.
    pub origin: Vector,
    /// Along x, y, and outwards.
    pub axes: [Vector; 3],
}

impl PlacedPlane {
    /// A point of the plane.
    #[inline]
    pub fn point(&self, [x, y]: PlanePoint) -> Vector {
        self.origin + self.axes[0] * x + self.axes[1] * y
    }

    /// The function `direction · (x − anchor)` on the plane.
    #[inline]
    pub fn linear(&self, direction: &Vector, anchor: &Vector) -> Linear {
        Linear {
            at_origin: direction.dot(&(self.origin - anchor)),
            gradient: [direction.dot(&self.axes[0]), direction.dot(&self.axes[1])],
        }
    }
}

impl PlacedPlane {
    /// A function of a point in space, on the plane.
    #[inline]
    pub fn trace(&self, [a, b, c, d]: &Plane) -> Linear {
        let along = |v: &Vector| a * v.x + b * v.y + c * v.z;
        Linear { at_origin: along(&self.origin) + d, gradient: [along(&self.axes[0]), along(&self.axes[1])] }
    }
}

/// The nearest point of a face to a point, as a feature of the surface.
#[derive(Clone, Copy, Debug)]
pub struct Nearest {
    /// In m, not negative.
    pub distance: f64,
    /// Which feature.
    pub feature: Feature,
    /// Where.
    pub foot: Vector,
}

/// A foot counts as inside a face where its distance is that to the plane up to this part; dimensionless, far above the
/// rounding of either. What it decides is by which of two equal formulas a depth is computed.
const IN_PLANE: f64 = 1e-12;

/// The nearest point of a face. On the line between coplanar faces, and wherever else the foot is that on the plane, the
/// feature is the face.
#[inline]
pub fn nearest_on_face(surface: &ContactSurface, face: FaceIndex, point: &Vector) -> Nearest {
    let corners = surface.mesh().corners(face);
    let normal = surface.normal(face);
    let offsets = corners.map(|corner| point - corner);
    let height = normal.dot(&offsets[0]);
    let mut nearest = Nearest { distance: f64::INFINITY, feature: Feature::Face(face), foot: point - normal * height };
    let mut is_inside = true;
    for k in 0..3 {
        let along = corners[(k + 1) % 3] - corners[k];
        // Beyond a side, the nearest point is on it, or on another side that the point is beyond.
        if normal.dot(&along.cross(&offsets[k])) < 0.0 {
            is_inside = false;
            let part = (offsets[k].dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
            let foot = corners[k] + along * part;
            let distance = (point - foot).norm();
            if distance < nearest.distance {
                let vertices = &surface.mesh().faces[face.index()];
                let feature = match part {
                    0.0 => Feature::Vertex(vertices[k]),
                    1.0 => Feature::Vertex(vertices[(k + 1) % 3]),
                    _ => Feature::Edge(surface.half_edges().edge(HalfEdge::new(face, k))),
                };
                nearest = Nearest { distance, feature, foot };
            }
        }
    }
    let height = height.abs();
    if is_inside {
        nearest.distance = height;
    } else if nearest.distance <= height * (1.0 + IN_PLANE) {
        nearest.feature = Feature::Face(face);
    }
    nearest
}

/// Start and end of an edge.
pub fn edge_ends(surface: &ContactSurface, edge: HalfEdge) -> [Vector; 2] {
    let corners = surface.mesh().corners(edge.face());
    [corners[edge.corner()], corners[(edge.corner() + 1) % 3]]
}

/// Whether points whose nearest feature this is lie inside the body, for a point with its foot on the feature.
pub fn is_inside(surface: &ContactSurface, nearest: &Nearest, point: &Vector) -> bool {
    let from_foot = point - nearest.foot;
    match nearest.feature {
        Feature::Face(face) => surface.normal(face).dot(&from_foot) < 0.0,
        Feature::Edge(edge) => {
            let other = surface.half_edges().twin(edge).map_or_else(Vector::zeros, |twin| surface.normal(twin.face()));
            (surface.normal(edge.face()) + other).dot(&from_foot) < 0.0
        }
        Feature::Vertex(vertex) => {
            // Normals weighted by the angles of their faces tell inside from outside, whatever the triangulation.
            let mut normal = Vector::zeros();
            for leaving in surface.half_edges().outgoing(vertex) {
                let corners = surface.mesh().corners(leaving.face());
                let k = leaving.corner();
                let (u, v) = (corners[(k + 1) % 3] - corners[k], corners[(k + 2) % 3] - corners[k]);
                normal += surface.normal(leaving.face()) * u.angle(&v);
            }
            normal.dot(&from_foot) < 0.0
        }
    }
}

/// The depth below a feature as a function on all of a plane.
#[derive(Clone, Copy, Debug)]
pub enum DepthFunction {
    /// Distance to a plane: the absolute value of a linear function, which is positive inside the body.
    Plane(Linear),
    /// Distance to a line through a point along a unit vector.
    Line { point: Vector, along: Vector },
    /// Distance to a point.
    Point(Vector),
}

impl DepthFunction {
    /// Of a feature, on a plane.
    pub fn new(surface: &ContactSurface, feature: Feature, plane: &PlacedPlane) -> Self {
        match feature {
            Feature::Face(face) => {
                let normal = surface.normal(face);
                DepthFunction::Plane(plane.linear(&-normal, &surface.mesh().corners(face)[0]))
            }
            Feature::Edge(edge) => {
                let [a, b] = edge_ends(surface, edge);
                DepthFunction::Line { point: a, along: (b - a).try_normalize(0.0).unwrap_or_else(Vector::zeros) }
            }
            Feature::Vertex(vertex) => DepthFunction::Point(surface.mesh().vertices[vertex.index()]),
        }
    }

    /// To what a record says, on a plane.
    #[inline]
    pub fn of(target: &Target, plane: &PlacedPlane) -> Self {
        match *target {
            Target::Plane(function) => DepthFunction::Plane(plane.trace(&function)),
            Target::Line(point, along) => DepthFunction::Line { point, along },
            Target::Point(point) => DepthFunction::Point(point),
        }
    }

    /// From the nearest point of the feature to a point of the plane; its length is the depth.
    #[inline]
    pub fn offset(&self, point: &Vector) -> Vector {
        match self {
            DepthFunction::Plane(_) => Vector::zeros(),
            DepthFunction::Line { point: on_line, along } => {
                let offset = point - on_line;
                offset - along * along.dot(&offset)
            }
            DepthFunction::Point(vertex) => point - vertex,
        }
    }

    /// The depth at a point of the plane.
    #[inline]
    pub fn value(&self, plane: &PlacedPlane, at: PlanePoint) -> f64 {
        match self {
            DepthFunction::Plane(linear) => linear.value(at).abs(),
            _ => self.offset(&plane.point(at)).norm(),
        }
    }

    /// Unit vector away from the feature at a point of the plane; zero for planes.
    #[inline]
    pub fn direction(&self, plane: &PlacedPlane, at: PlanePoint) -> Vector {
        self.offset(&plane.point(at)).try_normalize(0.0).unwrap_or_else(Vector::zeros)
    }

    /// The linear function that touches the depth at a point of the plane; nowhere above it.
    #[inline]
    pub fn tangent(&self, plane: &PlacedPlane, at: PlanePoint) -> Linear {
        match self {
            DepthFunction::Plane(linear) if linear.value(at) < 0.0 => linear.negative(),
            DepthFunction::Plane(linear) => *linear,
            DepthFunction::Line { point, .. } | DepthFunction::Point(point) => {
                plane.linear(&self.direction(plane, at), point)
            }
        }
    }
}

/// The change of the depth below a feature along the normal of a plane; at the centroid of a polygon where it is not the
/// same everywhere.
pub fn slope_out(surface: &ContactSurface, feature: Feature, plane: &PlacedPlane, polygon: &ConvexPolygon) -> f64 {
    let normal = &plane.axes[2];
    match feature {
        Feature::Face(face) => -normal.dot(&surface.normal(face)),
        _ => polygon.area_and_centroid().map_or(0.0, |(_, centroid)| {
            normal.dot(&DepthFunction::new(surface, feature, plane).direction(plane, centroid))
        }),
    }
}
