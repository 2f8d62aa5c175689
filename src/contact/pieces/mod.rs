//! Stage 4: the faces of one body, divided by the nearest features of the body that they are inside.
//!
//! The depth of a point is its distance to the surface of the body that it is inside. On a face it is linear as long as
//! the nearest feature is the same face of that body. A [`Piece`] is a convex part of a face with one nearest feature and
//! a linear depth; the law is integrated over pieces, and callers can have them.

mod cell_parts;
mod contest;
mod divide;
mod energy;
mod feature;
mod flood;
mod heights;
mod inside;
mod overhang;
mod polygon;
mod rivals;
mod rounded;
mod volume;
mod ways;

pub use super::field::Feature;
pub use energy::WallEnergy;
pub use polygon::{ConvexPolygon, Linear, MOST_CORNERS, PlanePoint, SMALLEST_AREA};

use polygon::cross;

use divide::{DivideMemory, Divider, Limit, Part, negligible_area};
use energy::apex_of;
use feature::{PlacedPlane, slope_out};
use flood::{FloodMemory, Flooded};
use inside::{Side, cut_along_lines};
use volume::VolumeMemory;

use super::areas::{ActiveArea, VertexState};
use super::detect::{IntersectionLine, Node, PosedSurface};
use super::law::FaceRecord;
use crate::lanes::Registers;
use crate::math::{Body, Vector};
use crate::mesh::HalfEdge;

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
    /// Change of the depth along the normal of the face; dimensionless.
    pub(super) slope_out: f64,
    /// The nearest feature.
    pub feature: Feature,
}

impl Piece {
    /// Without corners yet.
    #[inline]
    pub(super) fn new(face: u32, feature: Feature, depth: [f64; 4], slope_out: f64) -> Self {
        Piece { corners: [[0.0; 4]; MOST_CORNERS / 2], depth, face, count: 0, slope_out, feature }
    }

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
    pub fn polygon(&self) -> ConvexPolygon {
        ConvexPolygon::of(self.corners())
    }

    /// The same piece with other corners, not more than [`MOST_CORNERS`].
    #[inline]
    pub fn with_corners(&self, corners: &[PlanePoint]) -> Self {
        let mut piece = *self;
        piece.set_corners(corners);
        piece
    }

    /// Replaces the corners.
    #[inline]
    pub(super) fn set_corners(&mut self, corners: &[PlanePoint]) {
        for index in 0..MOST_CORNERS {
            let [x, y] = corners[index.min(corners.len() - 1)];
            self.corners[index / 2][2 * (index % 2)] = x;
            self.corners[index / 2][2 * (index % 2) + 1] = y;
        }
        self.count = corners.len() as u32;
    }
}

/// The pieces of a run of faces.
#[derive(Clone, Debug)]
pub struct RunPieces {
    /// The body of the faces.
    pub body: Body,
    /// The slot of the first one.
    pub first_slot: usize,
    /// The pieces; their faces count from the first one.
    pub pieces: Vec<Piece>,
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
    /// Intersection lines.
    pub lines: &'a [IntersectionLine],
    /// Nearest features are found by trying all of them: the twin of every faster way.
    pub tries_all: bool,
    /// Whether the energy is asked for.
    pub with_energy: bool,
}

/// Reused memory.
#[derive(Clone, Debug, Default)]
pub struct PieceMemory {
    /// What has been found.
    pub pieces: Vec<Piece>,
    /// What the walls between cells add to the integral of the depth over the overlap.
    pub wall_energy: WallEnergy,
    /// Intersection lines by the slots of their faces, with the faces of the other body.
    lines: Vec<PlacedLine>,
    flood: FloodMemory,
    divide: DivideMemory,
    /// Intersection lines on the face at hand.
    crossings: Vec<[PlanePoint; 2]>,
    volume: VolumeMemory,
    /// The last feature that was nearest on the faces of the run, if any, and a point there.
    met: Vec<Option<(Feature, Limit)>>,
}

impl PieceMemory {
    /// Whether finding all nearest features would have taken too long.
    pub fn is_cut_short(&self) -> bool {
        self.divide.is_cut_short
    }
}

/// An intersection line in the plane of a face.
#[derive(Clone, Copy, Debug)]
struct PlacedLine {
    slot: u32,
    other_face: u32,
    ends: [PlanePoint; 2],
    /// What the line adds to the area inside the other body, in m².
    area: f64,
}

impl FacesInField<'_> {
    /// Replaces the pieces in memory by those of some faces; `records` are theirs, and the first one has this slot.
    #[inline(always)]
    pub fn find_pieces<R: Registers>(
        &self,
        registers: R,
        first_slot: usize,
        records: &[FaceRecord],
        memory: &mut PieceMemory,
    ) {
        memory.pieces.clear();
        memory.wall_energy = WallEnergy::default();
        memory.divide.begin();
        self.place_lines(first_slot, records, &mut memory.lines);
        memory.met.clear();
        memory.met.resize(records.len(), None);
        if !self.tries_all {
            let PieceMemory { pieces, wall_energy, lines, flood, .. } = &mut *memory;
            self.flood(registers, first_slot, records, lines, flood, &mut Flooded { pieces, wall_energy });
        }
        for (index, record) in records.iter().enumerate().filter(|(_, record)| record.is_regular()) {
            if self.tries_all || !memory.flood.is_done(index) {
                self.divide_face((first_slot, index), &self.placed(record), &record.triangle(), memory);
            }
        }
    }

    /// The ends of a line on a face of this body in an order that has the inside of the other body on the left.
    fn inside_left(&self, [start, end]: [PlanePoint; 2]) -> [PlanePoint; 2] {
        if self.body == Body::E { [start, end] } else { [end, start] }
    }

    /// Puts the intersection lines into the planes of their faces.
    fn place_lines(&self, first_slot: usize, records: &[FaceRecord], lines: &mut Vec<PlacedLine>) {
        lines.clear();
        for line in self.lines {
            let Some(slot) = self.area.slot(line.face_of(self.body)) else { continue };
            let Some(record) = slot.checked_sub(first_slot).and_then(|index| records.get(index)) else { continue };
            let [x, y, _] = record.axes_e();
            let ends = [&line.start, &line.end].map(|node| {
                let offset = node.position_e - record.origin_e();
                [x.dot(&offset), y.dot(&offset)]
            });
            let other_face = line.face_of(self.body.other()).0;
            let area = self.area_along(line, ends, &record.triangle());
            lines.push(PlacedLine { slot: slot as u32, other_face, ends, area });
        }
        lines.sort_unstable_by_key(|line| (line.slot, line.other_face));
    }

    /// What a line adds to the area of the part of its face that is inside the other body: half the cross product along
    /// the line, and along the border of the face from its first corner to where a line begins, less to where one ends.
    fn area_along(&self, line: &IntersectionLine, ends: [PlanePoint; 2], [_, b, c]: &[PlanePoint; 3]) -> f64 {
        // The part inside F is on the left of lines on E; that inside E is on the right of lines on F.
        let (nodes, [start, end]) = match self.body {
            Body::E => ([&line.start, &line.end], ends),
            Body::F => ([&line.end, &line.start], [ends[1], ends[0]]),
        };
        let face = line.face_of(self.body);
        let half_edges = self.surface.surface.half_edges();
        let along_border = |node: &Node, at: PlanePoint| {
            let is_on = |corner| half_edges.edge(HalfEdge::new(face, corner)) == node.id.edge();
            match node.id.edge_of() == self.body {
                true if is_on(1) => 0.5 * cross(*b, at),
                true if is_on(2) => 0.5 * cross(*b, *c),
                _ => 0.0,
            }
        };
        0.5 * cross(start, end) + along_border(nodes[0], start) - along_border(nodes[1], end)
    }

    /// The area of a face inside the other body, from the lines on it, in m².
    fn area_inside<'a>(
        &self,
        slot: usize,
        [_, b, c]: &[PlanePoint; 3],
        lines: impl Iterator<Item = &'a PlacedLine>,
    ) -> f64 {
        let whole = 0.5 * cross(*b, *c);
        let first = self.surface.surface.mesh().faces[self.area.faces[slot].face.index()][0];
        let is_first_inside = matches!(self.area.vertex_state(first), VertexState::Inside(_));
        let from_first = if is_first_inside || self.area.cut_count <= slot { whole } else { 0.0 };
        from_first + lines.map(|line| line.area).sum::<f64>()
    }

    /// The general way.
    fn divide_face(
        &self,
        (first_slot, index): (usize, usize),
        plane: &PlacedPlane,
        triangle: &[PlanePoint; 3],
        memory: &mut PieceMemory,
    ) {
        let (slot, surface) = (first_slot + index, self.field.surface);
        let divider = Divider {
            surface,
            body: self.body,
            plane: *plane,
            negligible: negligible_area(self.surface.surface.area(self.area.faces[slot].face)),
            tries_all: self.tries_all,
            with_energy: self.with_energy,
            reference: self.reference(),
        };
        let PieceMemory { pieces, wall_energy, lines, divide, crossings, met, .. } = memory;
        let start = lines.partition_point(|line| (line.slot as usize) < slot);
        crossings.clear();
        let on_face = lines[start..].iter().take_while(|line| line.slot as usize == slot);
        crossings.extend(on_face.map(|line| self.inside_left(line.ends)));
        let neighbours = self.area.neighbours[slot];
        let met_by = |slot: u32| *met.get((slot as usize).checked_sub(first_slot)?)?;
        let met_by_neighbour = neighbours.into_iter().find_map(met_by);
        let mut last = None;
        divide.wall_energy = WallEnergy::default();
        cut_along_lines(&ConvexPolygon::triangle(*triangle), Side::Unknown, 0, crossings, &mut |polygon, side| {
            let Some((_, centroid)) = polygon.area_and_centroid() else { return };
            let hint = match (side, met_by_neighbour) {
                (Side::Outside, _) => None,
                (Side::Inside, Some(met)) => Some(met),
                (Side::Unknown, Some(met)) if self.area.cut_count <= slot => Some(met),
                _ => {
                    let located = divider.locate(centroid, divide);
                    let limit = Limit { point: plane.point(centroid), depth: f64::INFINITY };
                    let is_known = side == Side::Inside;
                    located.filter(|&(_, is_inside)| is_known || is_inside).map(|(feature, _)| (feature, limit))
                }
            };
            let Some(hint) = hint else { return };
            divider.divide(polygon, hint, divide, &mut |Part { polygon, feature, depth }| {
                if let Some((_, centroid)) = polygon.area_and_centroid() {
                    last = Some((feature, Limit { point: plane.point(centroid), depth: depth.value(centroid) }));
                }
                let [x, y] = depth.gradient;
                let slope_out = slope_out(surface, feature, plane, polygon);
                let height = self.apex_height(plane, feature);
                let piece = Piece::new(index as u32, feature, [depth.at_origin, x, y, height], slope_out);
                polygon.for_each_small(|corners| pieces.push(piece.with_corners(corners)));
            });
        });
        met[index] = last;
        wall_energy.add(&divide.wall_energy);
    }

    /// A point of the contact, in the frame of the field's body.
    #[inline]
    fn reference(&self) -> Vector {
        self.field.own_frame(self.lines[0].start.position_e)
    }

    /// A quarter of the height of a face above the apex of a feature, for the energy.
    fn apex_height(&self, plane: &PlacedPlane, feature: Feature) -> f64 {
        if !self.with_energy {
            return 0.0;
        }
        let surface = self.field.surface;
        0.25 * plane.axes[2].dot(&(plane.origin - apex_of(surface, feature, &self.reference())))
    }
}
