//! Contact patches: which polygons and active faces belong together, and how flat each body is there.

use super::active_areas::{ActiveArea, VertexState, face_of};
use super::posed_surface::PosedSurface;
use super::triangle_intersection::{Body, IntersectionLine};
use crate::math::Vector;
use crate::mesh::HalfEdge;

/// The part of one surface that lies in a patch.
#[derive(Clone, Copy, Debug)]
pub struct PatchSide {
    /// Area inside the other body, in m².
    pub area: f64,
    /// Integral of the outward normal over that area, resolved in E, in m².
    pub area_vector_e: Vector,
    /// Area of the largest active face, in m².
    pub largest_face_area: f64,
    /// Axis of a cone around the normals of all active faces of the patch; zero where there is none.
    pub cone_axis_e: Vector,
    /// Cosine of the half angle of that cone.
    pub cone_cosine: f64,
}

impl PatchSide {
    const EMPTY: PatchSide = PatchSide {
        area: 0.0,
        area_vector_e: Vector::new(0.0, 0.0, 0.0),
        largest_face_area: 0.0,
        cone_axis_e: Vector::new(0.0, 0.0, 0.0),
        cone_cosine: 1.0,
    };

    /// Whether every normal of the cone, times `sign`, is less than 90° away from a unit normal.
    #[inline]
    pub fn all_within_right_angle(&self, normal_e: &Vector, sign: f64) -> bool {
        let cosine = sign * self.cone_axis_e.dot(normal_e);
        // angle + half angle < 90°, with a little room for the rounding of unit vectors.
        0.0 < cosine
            && 0.0 < self.cone_cosine
            && 1.0 + RIGHT_ANGLE_MARGIN < cosine * cosine + self.cone_cosine * self.cone_cosine
    }
}

/// Room for rounding where normals are compared with a right angle; dimensionless. Unit normals are
/// good to a few 10⁻¹⁶, and nothing is lost where a face close to the limit takes the general way.
const RIGHT_ANGLE_MARGIN: f64 = 1e-9;

/// A connected part of the contact.
#[derive(Clone, Copy, Debug)]
pub struct Patch {
    /// The part of surface E.
    pub e: PatchSide,
    /// The part of surface F.
    pub f: PatchSide,
}

impl Patch {
    /// The part of one surface.
    pub fn side(&self, body: Body) -> &PatchSide {
        match body {
            Body::E => &self.e,
            Body::F => &self.f,
        }
    }

    fn side_mut(&mut self, body: Body) -> &mut PatchSide {
        match body {
            Body::E => &mut self.e,
            Body::F => &mut self.f,
        }
    }
}

/// Patch of a cut face that lines of several patches run across.
pub const SEVERAL_PATCHES: u32 = u32::MAX;

/// The patches of an evaluation.
#[derive(Clone, Debug, Default)]
pub struct Patches {
    /// All patches, in order of their first polygon.
    pub patches: Vec<Patch>,
    /// Patch of each polygon.
    pub of_polygon: Vec<u32>,
    /// Patch of each active face of E and F, by slot; [`SEVERAL_PATCHES`] where it is not one.
    of_face: [Vec<u32>; 2],
    /// Union-find forest over polygons, components of E and components of F.
    parents: Vec<u32>,
    of_root: Vec<u32>,
    /// Where the components of E and F start in the forest.
    component_start: [u32; 2],
}

impl Patches {
    /// Joins what belongs together and measures it.
    pub fn find(
        &mut self,
        surfaces: [&PosedSurface; 2],
        areas: [&ActiveArea; 2],
        lines: &[IntersectionLine],
        polygon_of_line: &[u32],
        polygon_count: u32,
    ) {
        self.join(surfaces, areas, polygon_count);
        self.assign_faces(areas, lines, polygon_of_line);
        self.measure(surfaces, areas, lines, polygon_of_line);
        self.fit_cones(areas, lines, polygon_of_line);
    }

    /// Patch of an active face by its slot; [`SEVERAL_PATCHES`] where lines of several cross it.
    #[inline]
    pub fn of_face(&self, body: Body, slot: usize) -> u32 {
        self.of_face[body as usize][slot]
    }

    fn join(&mut self, surfaces: [&PosedSurface; 2], areas: [&ActiveArea; 2], polygon_count: u32) {
        let component_start = [polygon_count, polygon_count + areas[0].component_count];
        self.component_start = component_start;
        let node_count = component_start[1] + areas[1].component_count;
        self.parents.clear();
        self.parents.extend(0..node_count);
        for side in 0..2 {
            let mesh = surfaces[side].surface.mesh();
            for group in areas[side].crossings.chunk_by(|a, b| a.edge == b.edge) {
                let edge = group[0].edge;
                let corners = mesh.faces[edge.face().index()];
                let (first, last) = (&group[0], &group[group.len() - 1]);
                if let VertexState::Inside(component) = areas[side].vertex_state(corners[edge.corner()]) {
                    self.unite(first.polygon, component_start[side] + component);
                }
                if let VertexState::Inside(component) = areas[side].vertex_state(corners[(edge.corner() + 1) % 3]) {
                    self.unite(last.polygon, component_start[side] + component);
                }
                // A piece of the edge between going in and coming out lies inside: one patch.
                for pair in group.windows(2) {
                    if pair[0].is_entering && !pair[1].is_entering {
                        self.unite(pair[0].polygon, pair[1].polygon);
                    }
                }
            }
        }
        self.of_root.clear();
        self.of_root.resize(node_count as usize, u32::MAX);
        self.of_polygon.clear();
        self.patches.clear();
        for polygon in 0..polygon_count {
            let root = self.root(polygon) as usize;
            if self.of_root[root] == u32::MAX {
                self.of_root[root] = self.patches.len() as u32;
                self.patches.push(Patch { e: PatchSide::EMPTY, f: PatchSide::EMPTY });
            }
            self.of_polygon.push(self.of_root[root]);
        }
    }

    /// Patch of a component of inner vertices. A component is bounded by a polygon, so it has one;
    /// only on inconsistent (open or self-intersecting) surfaces it may not: then the first.
    pub fn of_inner_component(&self, body: Body, component: u32) -> u32 {
        let root = self.root(self.component_start[body as usize] + component) as usize;
        let patch = self.of_root[root];
        if patch == u32::MAX { 0 } else { patch }
    }

    fn assign_faces(&mut self, areas: [&ActiveArea; 2], lines: &[IntersectionLine], polygon_of_line: &[u32]) {
        const UNASSIGNED: u32 = u32::MAX - 1;
        for (side, body) in [Body::E, Body::F].into_iter().enumerate() {
            let area = areas[side];
            let mut of_face = std::mem::take(&mut self.of_face[side]);
            of_face.clear();
            of_face.resize(area.cut_count, UNASSIGNED);
            for (line, &polygon) in lines.iter().zip(polygon_of_line) {
                let patch = self.of_polygon[polygon as usize];
                if let Some(slot) = area.slot(face_of(body, line)) {
                    let known = &mut of_face[slot];
                    *known = if *known == UNASSIGNED || *known == patch { patch } else { SEVERAL_PATCHES };
                }
            }
            for active in &area.faces[area.cut_count..] {
                let component = active.component.unwrap_or(0);
                of_face.push(self.of_inner_component(body, component));
            }
            self.of_face[side] = of_face;
        }
    }

    /// Area and area vector of every patch on both surfaces.
    ///
    /// The part of a cut face inside the other body is bounded by intersection lines and by pieces of
    /// its edges. Its area is half the sum of the cross products along that boundary, and every piece
    /// of the boundary can be booked to its own patch.
    fn measure(
        &mut self,
        surfaces: [&PosedSurface; 2],
        areas: [&ActiveArea; 2],
        lines: &[IntersectionLine],
        polygon_of_line: &[u32],
    ) {
        for (line, &polygon) in lines.iter().zip(polygon_of_line) {
            let patch = self.of_polygon[polygon as usize];
            for (body, surface) in [(Body::E, surfaces[0]), (Body::F, surfaces[1])] {
                let face_area = surface.surface.area(face_of(body, line));
                let side = self.patches[patch as usize].side_mut(body);
                side.largest_face_area = side.largest_face_area.max(face_area);
            }
            let (start, end) = (line.start.position_e, line.end.position_e);
            if let Some(slot) = areas[0].slot(line.face_e) {
                self.book(Body::E, patch, areas[0], slot, start, end);
            }
            if let Some(slot) = areas[1].slot(line.face_f) {
                self.book(Body::F, patch, areas[1], slot, end, start);
            }
        }
        for (side, body) in [Body::E, Body::F].into_iter().enumerate() {
            let (surface, area) = (surfaces[side], areas[side]);
            for slot in 0..area.faces.len() {
                let active = area.faces[slot];
                if slot < area.cut_count {
                    for corner in 0..3 {
                        self.book_inner_pieces(body, surface, area, slot, corner);
                    }
                } else {
                    let face_area = surface.surface.area(active.face);
                    let patch = self.of_face[side][slot];
                    let sums = self.patches[patch as usize].side_mut(body);
                    sums.largest_face_area = sums.largest_face_area.max(face_area);
                    sums.area += face_area;
                    sums.area_vector_e += face_area * area.normals_e[slot];
                }
            }
        }
    }

    /// Books the pieces of a half-edge of a cut face that lie inside the other body.
    fn book_inner_pieces(&mut self, body: Body, surface: &PosedSurface, area: &ActiveArea, slot: usize, corner: usize) {
        let half_edge = HalfEdge::new(area.faces[slot].face, corner);
        let is_forward = surface.surface.half_edges().edge(half_edge) == half_edge;
        let (vertices, corners) = (surface.surface.mesh().faces[half_edge.face().index()], area.corners_of(slot));
        let (mut from, mut to) = (corner, (corner + 1) % 3);
        if !is_forward {
            std::mem::swap(&mut from, &mut to);
        }
        let mut inner_start = match area.vertex_state(vertices[from]) {
            VertexState::Inside(component) => Some((corners[from], self.of_inner_component(body, component))),
            _ => None,
        };
        let book = |patches: &mut Self, patch, start, end| {
            let (start, end) = if is_forward { (start, end) } else { (end, start) };
            patches.book(body, patch, area, slot, start, end);
        };
        for crossing in area.crossings_of(slot, corner) {
            if crossing.is_entering {
                inner_start = Some((crossing.position_e, self.of_polygon[crossing.polygon as usize]));
            } else if let Some((start, patch)) = inner_start.take() {
                book(self, patch, start, crossing.position_e);
            }
        }
        if let (Some((start, patch)), VertexState::Inside(_)) = (inner_start, area.vertex_state(vertices[to])) {
            book(self, patch, start, corners[to]);
        }
    }

    /// Books one piece of the boundary of the inner part of a face, run counter-clockwise.
    #[inline]
    fn book(&mut self, body: Body, patch: u32, area: &ActiveArea, slot: usize, start: Vector, end: Vector) {
        let normal = area.normals_e[slot];
        // Measured from a corner of the face, so that little cancels.
        let [origin, _, _] = area.corners_of(slot);
        let area = 0.5 * normal.dot(&(start - origin).cross(&(end - origin)));
        let sums = self.patches[patch as usize].side_mut(body);
        sums.area += area;
        sums.area_vector_e += area * normal;
    }

    fn fit_cones(&mut self, areas: [&ActiveArea; 2], lines: &[IntersectionLine], polygon_of_line: &[u32]) {
        for patch in &mut self.patches {
            for body in [Body::E, Body::F] {
                let side = patch.side_mut(body);
                side.cone_axis_e = side.area_vector_e.try_normalize(0.0).unwrap_or_else(Vector::zeros);
            }
        }
        for (side, body) in [Body::E, Body::F].into_iter().enumerate() {
            for (line, &polygon) in lines.iter().zip(polygon_of_line) {
                let patch = self.of_polygon[polygon as usize];
                if let Some(slot) = areas[side].slot(face_of(body, line)) {
                    self.widen_cone(body, patch, areas[side].normals_e[slot]);
                }
            }
            for slot in areas[side].cut_count..areas[side].faces.len() {
                let patch = self.of_face[side][slot];
                self.widen_cone(body, patch, areas[side].normals_e[slot]);
            }
        }
    }

    fn widen_cone(&mut self, body: Body, patch: u32, normal_e: Vector) {
        let side = self.patches[patch as usize].side_mut(body);
        side.cone_cosine = side.cone_cosine.min(side.cone_axis_e.dot(&normal_e));
    }

    fn root(&self, mut node: u32) -> u32 {
        while self.parents[node as usize] != node {
            node = self.parents[node as usize];
        }
        node
    }

    fn unite(&mut self, a: u32, b: u32) {
        let (root_a, root_b) = (self.root(a), self.root(b));
        // The lower number is the root, so polygons come before components.
        let root = root_a.min(root_b);
        self.parents[root_a.max(root_b) as usize] = root;
        // Short cuts keep the forest flat.
        self.parents[a as usize] = root;
        self.parents[b as usize] = root;
    }
}
