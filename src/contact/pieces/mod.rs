//! Stage 4: the faces of one body, divided by the nearest features of the body that they are inside.
//!
//! The depth of a point is its distance to the surface of the body that it is inside. On a face it is linear as long as
//! the nearest feature is the same face of that body. A [`Piece`] is a convex part of a face with one nearest feature and
//! a linear depth; the law is integrated over pieces, and callers can have them.

mod divide;
mod feature;
mod polygon;
mod rounded;

pub use feature::Feature;
pub use polygon::{ConvexPolygon, Linear, MOST_CORNERS, PlanePoint, SMALLEST_AREA};

use divide::{DivideMemory, Divider, Part, negligible_area};
use feature::PlacedPlane;

use super::active_areas::{ActiveArea, face_of};
use super::law::FaceRecord;
use super::posed_surface::PosedSurface;
use super::triangle_intersection::{Body, IntersectionLine};
use crate::math::Vector;

/// A convex part of a face with one nearest feature of the other body, in the plane coordinates of the face.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub struct Piece {
    /// Corners, counter-clockwise, two to a row; behind the last one it comes again.
    pub(super) corners: [[f64; 4]; MOST_CORNERS / 2],
    /// Depth at the origin and its gradient; a quarter of the height of the face above the apex that its energy is
    /// counted from.
    pub(super) depth: [f64; 4],
    /// Place of the face in its run.
    pub(super) face: u32,
    /// How many corners there are.
    pub(super) count: u32,
    /// The nearest feature.
    pub feature: Feature,
}

impl Piece {
    /// The corners.
    pub fn corners(&self) -> impl Iterator<Item = PlanePoint> {
        self.corners.iter().flat_map(|&[a, b, c, d]| [[a, b], [c, d]]).take(self.count as usize)
    }

    /// The depth as a function of the place.
    #[inline]
    pub fn depth_function(&self) -> Linear {
        let [at_origin, x, y, _] = self.depth;
        Linear { at_origin, gradient: [x, y] }
    }

    /// Smallest and largest value of a function.
    #[inline]
    pub(super) fn range(&self, function: &Linear) -> [f64; 2] {
        let values = self.corners().map(|corner| function.value(corner));
        values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
    }

    /// As a polygon.
    pub(super) fn polygon(&self) -> ConvexPolygon {
        ConvexPolygon::of(self.corners())
    }

    /// The same piece with other corners, not more than [`MOST_CORNERS`].
    #[inline]
    pub(super) fn with_corners(&self, corners: &[PlanePoint]) -> Self {
        let mut rows = [[0.0; 4]; MOST_CORNERS / 2];
        for index in 0..MOST_CORNERS {
            let [x, y] = corners[index.min(corners.len() - 1)];
            rows[index / 2][2 * (index % 2)] = x;
            rows[index / 2][2 * (index % 2) + 1] = y;
        }
        Piece { corners: rows, count: corners.len() as u32, ..*self }
    }
}

/// The faces of one body in the field of the other.
#[derive(Clone, Copy)]
pub struct FacesInField<'a> {
    /// The body whose faces carry pressure.
    pub body: Body,
    /// Its surface.
    pub surface: PosedSurface<'a>,
    /// Its active area.
    pub area: &'a ActiveArea,
    /// The body that depths are measured in.
    pub field: PosedSurface<'a>,
    /// Its active area.
    pub field_area: &'a ActiveArea,
    /// Intersection lines.
    pub lines: &'a [IntersectionLine],
    /// Nearest features are found by trying all of them: the twin of every faster way.
    pub tries_all: bool,
}

/// Reused memory.
#[derive(Clone, Debug, Default)]
pub struct PieceMemory {
    /// What has been found.
    pub pieces: Vec<Piece>,
    /// Intersection lines by the slots of their faces.
    lines: Vec<(u32, [PlanePoint; 2])>,
    divide: DivideMemory,
}

impl FacesInField<'_> {
    /// Replaces the pieces in memory by those of some faces; `records` are theirs, and the first one has this slot.
    pub fn find_pieces(&self, first_slot: usize, records: &[FaceRecord], memory: &mut PieceMemory) {
        memory.pieces.clear();
        self.place_lines(first_slot, records, memory);
        for (index, record) in records.iter().enumerate() {
            if record.is_regular() {
                self.divide_face(first_slot + index, index, record, memory);
            }
        }
    }

    /// Puts the intersection lines into the planes of their faces.
    fn place_lines(&self, first_slot: usize, records: &[FaceRecord], memory: &mut PieceMemory) {
        memory.lines.clear();
        for line in self.lines {
            let Some(slot) = self.area.slot(face_of(self.body, line)) else { continue };
            let Some(record) = slot.checked_sub(first_slot).and_then(|index| records.get(index)) else { continue };
            let [x, y, _] = record.axes_e();
            let ends = [&line.start, &line.end].map(|node| {
                let offset = node.position_e - record.origin_e();
                [x.dot(&offset), y.dot(&offset)]
            });
            memory.lines.push((slot as u32, ends));
        }
        memory.lines.sort_by_key(|&(slot, _)| slot);
    }

    fn divide_face(&self, slot: usize, index: usize, record: &FaceRecord, memory: &mut PieceMemory) {
        let PieceMemory { pieces, lines, divide } = memory;
        let polygon = ConvexPolygon::triangle(record.triangle());
        let start = lines.partition_point(|&(other, _)| (other as usize) < slot);
        let on_face = lines[start..].iter().take_while(|&&(other, _)| other as usize == slot);
        divide.lines.clear();
        divide.lines.extend(on_face.map(|&(_, ends)| ends));
        let field = &self.field;
        let plane = PlacedPlane {
            origin: field.own_frame(record.origin_e()),
            axes: record.axes_e().map(|axis| field.own_axes(axis)),
        };
        let face_area = self.surface.surface.area(self.area.faces[slot].face);
        let divider = Divider {
            surface: field.surface,
            plane,
            negligible: negligible_area(face_area),
            tries_all: self.tries_all,
        };
        divider.divide(&polygon, divide, |Part { polygon, feature, depth }| {
            let height = plane.axes[2].dot(&(plane.origin - self.apex(feature)));
            let piece = Piece {
                corners: [[0.0; 4]; MOST_CORNERS / 2],
                depth: [depth.at_origin, depth.gradient[0], depth.gradient[1], 0.25 * height],
                face: index as u32,
                count: 0,
                feature,
            };
            polygon.for_each_small(|corners| pieces.push(piece.with_corners(corners)));
        });
    }

    /// The point of a feature that the energy below it is counted from.
    fn apex(&self, feature: Feature) -> Vector {
        let mesh = self.field.surface.mesh();
        match feature {
            Feature::Face(face) => mesh.corners(face)[0],
            Feature::Edge(edge) => mesh.corners(edge.face())[edge.corner()],
            Feature::Vertex(vertex) => mesh.vertices[vertex.index()],
        }
    }
}
