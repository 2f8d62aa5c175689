//! The integral of the depth over the overlap of both bodies: what the energy is made of.
//!
//! Go inwards from a point of a plate along its normal: the plate stays nearest up to a height, where something else is as
//! near. Along the way the depth grows from zero to that height, and the part of the way inside the other body lies between
//! pieces of that body's faces. So the integral below a plate is half the integral, over the plate, of the squares of the
//! depths of these pieces, those where the way leaves the other body less those where it enters; and of the square of the
//! height, where the end of the way is inside. Whether it is follows from the same count: it is 1 where the plate itself is
//! inside, less the pieces above. So no wall between cells has to be followed, and what is missed by rounding counts as
//! little as it is.
//!
//! Ways from inner edges make wedges, and ways from vertices cones: a third of the cubes, per angle, and a quarter of the
//! fourth powers, per solid angle, stand for half the squares. Nothing has to be known of ends that are deeper than all
//! pieces, as they are outside; so features without a rival at that depth need no ends at all.

use super::FacesInField;
use super::feature::{Nearest, PlacedPlane, edge_ends, is_inside};
use super::heights::{HeightMemory, square_of_heights};
use super::inside::{Side, cut_along_lines};
use super::overhang::{Foot, for_each_foot, integral_from};
use super::polygon::ConvexPolygon;
use super::rivals::{RecordIndex, Rivals, Target};
use super::ways::{Ends, Ways, near_rivals};
use super::{Piece, PieceMemory, PlanePoint, RunPieces};
use crate::contact::areas::VertexState;
use crate::contact::field::{Feature, Wall};
use crate::contact::law::FaceRecord;
use crate::math::Vector;
use crate::mesh::{FaceIndex, HalfEdge, VertexIndex};

/// Ways are cut off at this many times the largest depth of a piece.
const HIGHEST: f64 = 1.01;

/// Ways that go on beyond the highest, inside both bodies, may have this part of the energy; otherwise the highest is
/// doubled. What is then missed is less by as much as they are longer.
const SMALL_PART: f64 = 1e-4;

/// How often the highest is doubled at most. What lies deeper in both bodies, without any piece, is left out: one is then
/// almost wholly inside the other.
const MOST_DOUBLINGS: usize = 4;

/// Lengths of ways to look at in one evaluation. Bodies that lie deep in each other have more; their energy is then not
/// found.
const MOST_WORK: usize = 500_000;

/// Ways from an inner edge go through planes that span no more than this angle each, in rad.
const WIDEST_ANGLE: f64 = 0.3;

/// Reused memory.
#[derive(Clone, Debug, Default)]
pub struct VolumeMemory {
    heights: HeightMemory,
    pending: Vec<ConvexPolygon>,
    near: Vec<RecordIndex>,
    crossings: Vec<[PlanePoint; 2]>,
}

/// Pieces with the faces that they lie on.
struct Pieces<'a> {
    runs: &'a [RunPieces],
    records: &'a [FaceRecord],
}

impl<'a> Pieces<'a> {
    fn iter(&self) -> impl Iterator<Item = (&'a Piece, &'a FaceRecord)> {
        let records = self.records;
        let of_run = move |run: &'a RunPieces| {
            run.pieces.iter().map(move |piece| (piece, &records[run.first_slot + piece.face as usize]))
        };
        self.runs.iter().flat_map(of_run)
    }
}

/// The integral so far, and what may go on beyond.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    /// In m⁴.
    integral: f64,
    /// The area of the ways from plates that go on beyond the highest inside both bodies, in m².
    beyond: f64,
}

/// The ends of ways, as far as they are needed.
struct EndsOfWays<'a> {
    features: &'a mut Rivals,
    memory: &'a mut VolumeMemory,
    highest: f64,
    work: usize,
}

impl FacesInField<'_> {
    /// ∫ φ dV over the overlap, in m⁴, from the pieces of all faces, and from the faces of the field's body itself; not a
    /// number where that is too much work.
    pub fn depth_integral(
        &self,
        (runs, records): (&[RunPieces], &[FaceRecord]),
        (of_field, field_records): (&FacesInField, &[FaceRecord]),
        memory: &mut PieceMemory,
    ) -> f64 {
        let surface = self.field.surface;
        let pieces = Pieces { runs, records };
        let deepest = pieces.iter().map(|(piece, _)| piece.range(&piece.depth_function())[1]).fold(0.0, f64::max);
        let to_pieces = self.along_pieces(&pieces);
        let PieceMemory { divide, volume, lines, .. } = memory;
        let features = divide.features(self.body);
        features.begin(surface);
        of_field.place_lines(0, field_records, lines);
        let mut ends = EndsOfWays { features, memory: volume, highest: HIGHEST * deepest, work: MOST_WORK };
        for _ in 0..=MOST_DOUBLINGS {
            let mut sums = Sums { integral: to_pieces, beyond: 0.0 };
            self.subtract_ends_behind_pieces(&pieces, &mut ends, &mut sums);
            self.add_ends_above_faces(of_field, field_records, lines, &mut ends, &mut sums);
            self.add_ends_above_edges(of_field, &mut ends, &mut sums);
            if ends.work == 0 {
                return f64::NAN;
            }
            let beyond = 0.5 * ends.highest * ends.highest * sums.beyond;
            if beyond.abs() <= SMALL_PART * sums.integral {
                return sums.integral;
            }
            ends.highest *= 2.0;
        }
        f64::NAN
    }

    /// The plane of a record in the frame of the field's body.
    pub(super) fn placed(&self, record: &FaceRecord) -> PlacedPlane {
        let field = &self.field;
        PlacedPlane {
            origin: field.own_frame(record.origin_e()),
            axes: record.axes_e().map(|axis| field.own_axes(axis)),
        }
    }

    /// What ways to pieces make.
    fn along_pieces(&self, pieces: &Pieces) -> f64 {
        let (surface, plates) = (self.field.surface, self.field.surface.field().plates());
        let mut sum = 0.0;
        for (piece, record) in pieces.iter() {
            let polygon = piece.polygon();
            let plane = self.placed(record);
            sum += match piece.feature {
                Feature::Face(face) => {
                    let (plate, depth) = (plates.largest_face(face), piece.depth_function());
                    let mut below = 0.0;
                    for_each_foot(surface, plate, &plane, &polygon, &mut |part, foot| {
                        below += integral_from(surface, foot, &plane, part, &depth, piece.slope_out);
                    });
                    below
                }
                feature => {
                    let ways = Ways { plane: &plane, from: Target::of(self.field.surface, feature), down: None };
                    ways.integral_to_plane(&polygon)
                }
            };
        }
        sum
    }

    /// Ways go on behind pieces: their ends do not count there.
    fn subtract_ends_behind_pieces(&self, pieces: &Pieces, ends: &mut EndsOfWays, sums: &mut Sums) {
        let (surface, plates) = (self.field.surface, self.field.surface.field().plates());
        for (piece, record) in pieces.iter() {
            let feature = match piece.feature {
                Feature::Face(face) => Feature::Face(plates.largest_face(face)),
                other => other,
            };
            let own = ends.features.record(surface, feature);
            let polygon = piece.polygon();
            let plane = self.placed(record);
            let mut take = |part: &ConvexPolygon, foot: Foot| {
                let of_piece = match foot {
                    Foot::Inside => ends.below(self, &plane, part, own),
                    Foot::OnEdge(edge) => ends.below_mitre(self, &plane, part, edge),
                    // Ways from the corners of mitres are few; their ends are left out.
                    Foot::AtCorner(_) => Sums::default(),
                };
                sums.integral -= of_piece.integral;
                sums.beyond -= of_piece.beyond;
            };
            match feature {
                Feature::Face(plate) => for_each_foot(surface, plate, &plane, &polygon, &mut take),
                _ => take(&polygon, Foot::Inside),
            }
        }
    }

    /// Ways that start inside the other body, from the faces of the field's body.
    fn add_ends_above_faces(
        &self,
        of_field: &FacesInField,
        field_records: &[FaceRecord],
        lines: &[super::PlacedLine],
        ends: &mut EndsOfWays,
        sums: &mut Sums,
    ) {
        let (surface, plates) = (self.field.surface, self.field.surface.field().plates());
        let mut first = 0;
        for (slot, record) in field_records.iter().enumerate().filter(|(_, record)| record.is_regular()) {
            while lines.get(first).is_some_and(|line| (line.slot as usize) < slot) {
                first += 1;
            }
            let face: FaceIndex = of_field.area.faces[slot].face;
            let plate = ends.features.record(surface, Feature::Face(plates.largest_face(face)));
            let on_face = lines[first..].iter().take_while(|line| line.slot as usize == slot);
            let area_inside = of_field.area_inside(slot, &record.triangle(), on_face.clone());
            if !ends.have_rivals(self, plate) {
                sums.beyond += area_inside;
                continue;
            }
            // Outwards from the way's end: the plane of the face, seen from inside.
            let plane = self.placed(record);
            let mut crossings = std::mem::take(&mut ends.memory.crossings);
            crossings.clear();
            crossings.extend(on_face.map(|line| of_field.inside_left(line.ends)));
            let triangle = ConvexPolygon::triangle(record.triangle());
            // With lines on its rim only, a face is wholly inside or outside.
            let is_inside = surface.area(face) < 2.0 * area_inside;
            let side = if is_inside { Side::Inside } else { Side::Outside };
            cut_along_lines(&triangle, side, 0, &mut crossings, &mut |polygon, side| {
                if side == Side::Inside {
                    // The face's normal points against the ways.
                    let above = ends.below(self, &plane, polygon, plate);
                    sums.integral -= above.integral;
                    sums.beyond -= above.beyond;
                }
            });
            ends.memory.crossings = crossings;
        }
    }

    /// Ways that start inside the other body, from inner edges and vertices.
    fn add_ends_above_edges(&self, of_field: &FacesInField, ends: &mut EndsOfWays, sums: &mut Sums) {
        let surface = self.field.surface;
        let (mesh, half_edges, field) = (surface.mesh(), surface.half_edges(), surface.field());
        let area = of_field.area;
        for active in &area.faces {
            for edge in [0, 1, 2].map(|corner| HalfEdge::new(active.face, corner)) {
                // The first one of the faces at an edge or a vertex that are active stands for it.
                let slot = area.slot(edge.face());
                let is_first = |other: HalfEdge| area.slot(other.face()).is_none_or(|other| slot <= Some(other));
                let stands_for = half_edges.edge(edge);
                let is_its_turn = half_edges.twin(edge).is_none_or(is_first);
                if is_its_turn && (field.has(Feature::Edge(stands_for)) || field.is_mitred(stands_for)) {
                    self.for_each_part_inside(of_field, stands_for, |part| {
                        sums.integral += ends.above_edge(self, stands_for, part);
                    });
                }
                let vertex = mesh.faces[active.face.index()][edge.corner()];
                let is_inside = matches!(area.vertex_state(vertex), VertexState::Inside(_));
                if is_inside
                    && field.has(Feature::Vertex(vertex))
                    && half_edges.outgoing(vertex).iter().all(|&leaving| is_first(leaving))
                {
                    let own = ends.features.record(surface, Feature::Vertex(vertex));
                    if ends.have_rivals(self, own) {
                        sums.integral += ends.above_vertex(self, vertex, own);
                    }
                }
            }
        }
    }

    /// Start and end of the parts of an edge of the field's body that are inside the other one, as parts of its length.
    fn for_each_part_inside(&self, of_field: &FacesInField, edge: HalfEdge, mut take: impl FnMut([f64; 2])) {
        let surface = self.field.surface;
        let [a, b] = edge_ends(surface, edge);
        let start = surface.mesh().faces[edge.face().index()][edge.corner()];
        let is_inside = matches!(of_field.area.vertex_state(start), VertexState::Inside(_));
        let mut from = is_inside.then_some(0.0);
        let crossings = &of_field.area.crossings;
        let first = crossings.partition_point(|crossing| crossing.edge < edge);
        for crossing in crossings[first..].iter().take_while(|crossing| crossing.edge == edge) {
            let offset = self.field.own_frame(crossing.position_e) - a;
            let at = (offset.dot(&(b - a)) / (b - a).norm_squared()).clamp(0.0, 1.0);
            if crossing.is_entering {
                from = from.or(Some(at));
            } else if let Some(from) = from.take() {
                take([from, at]);
            }
        }
        if let Some(from) = from {
            take([from, 1.0]);
        }
    }
}

impl EndsOfWays<'_> {
    /// Whether anything can end the ways from a feature.
    fn have_rivals(&mut self, faces: &FacesInField, own: RecordIndex) -> bool {
        let surface = faces.field.surface;
        let neighbours = self.features.find_neighbours(surface, own);
        !neighbours.is_empty() || !self.features.find(surface, own, self.highest).is_empty()
    }

    /// The integral of the depth along the ways through a polygon, up to their ends; negative where the plane faces the
    /// feature. Zero where nothing can end them.
    fn below(&mut self, faces: &FacesInField, plane: &PlacedPlane, polygon: &ConvexPolygon, own: RecordIndex) -> Sums {
        let ways = Ways { plane, from: self.features.get(own).target, down: None };
        self.along(faces, &ways, polygon, [own; 2])
    }

    /// Likewise for ways from an edge with a mitre, on the side of the face of this half-edge.
    fn below_mitre(
        &mut self,
        faces: &FacesInField,
        plane: &PlacedPlane,
        polygon: &ConvexPolygon,
        edge: HalfEdge,
    ) -> Sums {
        let surface = faces.field.surface;
        let plates = surface.field().plates();
        let plate = plates.largest_face(edge.face());
        let beyond = surface.half_edges().twin(edge).map_or(plate, |twin| plates.largest_face(twin.face()));
        let sides = [plate, beyond].map(|face| self.features.record(surface, Feature::Face(face)));
        let from = Target::of(surface, Feature::Edge(edge));
        let ways = Ways { plane, from, down: Some(-surface.normal(plate)) };
        self.along(faces, &ways, polygon, sides)
    }

    /// The integral along ways through a polygon that end at rivals of the first record but for the second one.
    fn along(
        &mut self,
        faces: &FacesInField,
        ways: &Ways,
        polygon: &ConvexPolygon,
        [own, passed]: [RecordIndex; 2],
    ) -> Sums {
        let surface = faces.field.surface;
        let EndsOfWays { features, memory, highest, work } = self;
        if *work == 0 {
            // What is found so far is of no use.
            return Sums::default();
        }
        let VolumeMemory { heights, pending, near, .. } = memory;
        let neighbours = features.find_neighbours(surface, own);
        let rivals = features.find(surface, own, *highest);
        let has_rivals = !neighbours.is_empty() || !rivals.is_empty();
        *work = work.saturating_sub(1 + neighbours.len() + rivals.len());
        let all = neighbours.chain(rivals).map(|index| features.rival(index));
        let all = all.filter(|&rival| rival != own && rival != passed);
        near_rivals(ways, polygon, all, features, *highest, near);
        let is_plane = |rival: &RecordIndex| matches!(features.get(*rival).target, Target::Plane(_));
        if let Target::Plane([a, b, c, _]) = ways.from {
            let density = Vector::new(a, b, c).dot(&ways.plane.axes[2]);
            let area = polygon.area_and_centroid().map_or(0.0, |(area, _)| area);
            if near.is_empty() {
                let square = if has_rivals { *highest * *highest } else { 0.0 };
                return Sums { integral: 0.5 * density * square * area, beyond: density * area };
            }
            if near.iter().all(is_plane) {
                let (square, beyond) =
                    square_of_heights(ways.plane, polygon, (own, near), (*highest, features), (heights, pending), work);
                return Sums { integral: 0.5 * density * square, beyond: density * beyond };
            }
        } else if !has_rivals {
            return Sums::default();
        }
        let ends = Ends { ways: *ways, rivals: near, features, highest: *highest };
        let (integral, beyond) = ends.integral(polygon, pending, work);
        Sums { integral, beyond: if matches!(ways.from, Target::Plane(_)) { beyond } else { 0.0 } }
    }

    /// Ways from a part of an inner edge, through planes around it.
    fn above_edge(&mut self, faces: &FacesInField, edge: HalfEdge, [from, to]: [f64; 2]) -> f64 {
        let surface = faces.field.surface;
        let [a, b] = edge_ends(surface, edge);
        let (Some(along), Some(twin)) = ((b - a).try_normalize(0.0), surface.half_edges().twin(edge)) else {
            return 0.0;
        };
        let inwards = [edge, twin].map(|side| -surface.normal(side.face()));
        // Inwards, and away from both faces: where these lie on each other, or in one plane, one of both vanishes.
        let away = along.cross(&inwards[1]) - along.cross(&inwards[0]);
        let Some(middle) = (inwards[0] + inwards[1] + away).try_normalize(0.0) else { return 0.0 };
        let across = along.cross(&middle);
        let (start, length) = (a + (b - a) * from, (b - a).norm() * (to - from));
        let mut sum = 0.0;
        for (side, inwards) in [edge, twin].into_iter().zip(inwards) {
            // From the middle to the normal of the face.
            let whole = across.dot(&inwards).atan2(middle.dot(&inwards));
            let count = (whole.abs() / WIDEST_ANGLE).ceil().max(1.0);
            let direction = |k: f64| middle * (whole * k / count).cos() + across * (whole * k / count).sin();
            for k in 0..count as usize {
                let [first, second] = [k, k + 1].map(|k| direction(k as f64) * self.highest);
                let width = (second - first).norm();
                let Some(up) = (second - first).try_normalize(0.0) else { continue };
                let plane = PlacedPlane { origin: start + first, axes: [along, up, along.cross(&up)] };
                let plane = if plane.axes[2].dot(&first) < 0.0 { turned(&plane, length) } else { plane };
                let corners = [[0.0, 0.0], [length, 0.0], [length, width], [0.0, width]];
                let polygon = ConvexPolygon::of(corners.into_iter());
                sum += if surface.field().is_mitred(edge) {
                    self.below_mitre(faces, &plane, &polygon, side).integral
                } else {
                    let own = self.features.record(surface, Feature::Edge(edge));
                    self.below(faces, &plane, &polygon, own).integral
                };
            }
        }
        sum
    }

    /// Ways from a vertex, through the sides of a cube around it.
    fn above_vertex(&mut self, faces: &FacesInField, vertex: VertexIndex, own: RecordIndex) -> f64 {
        let surface = faces.field.surface;
        let at = surface.mesh().vertices[vertex.index()];
        let size = self.highest;
        let mut sum = 0.0;
        for side in 0..6 {
            let unit = |axis: usize| Vector::ith(axis % 3, 1.0);
            let (x, y, z) = (unit(side + 1), unit(side + 2), unit(side));
            let axes = if side < 3 { [x, y, z] } else { [y, x, -z] };
            let plane = PlacedPlane { origin: at + axes[2] * size, axes };
            let mut polygon = ConvexPolygon::of(
                [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].into_iter().map(|[x, y]| [x * size, y * size]),
            );
            let walls: &[Wall] = self.features.walls(self.features.get(own));
            for wall in walls {
                if !polygon.needs_splitting() {
                    polygon = polygon.clipped(&plane.trace(&wall.plane));
                }
            }
            let Some((_, centroid)) = polygon.area_and_centroid() else { continue };
            let point = plane.point(centroid);
            let nearest = Nearest { distance: (point - at).norm(), feature: Feature::Vertex(vertex), foot: at };
            if is_inside(surface, &nearest, &point) {
                sum += self.below(faces, &plane, &polygon, own).integral;
            }
        }
        sum
    }
}

/// The same rectangle, seen from the other side.
fn turned(plane: &PlacedPlane, length: f64) -> PlacedPlane {
    let [x, y, z] = plane.axes;
    PlacedPlane { origin: plane.origin + x * length, axes: [-x, y, -z] }
}
