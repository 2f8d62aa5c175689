//! Stage 3: the faces of one surface that lie wholly or partly inside the other body.
//!
//! Faces on an intersection line are *cut*. Their corners are inside or outside by what the lines
//! cross on the edges between them; from the inner corners a flood fill over the half-edges finds
//! the faces wholly inside. The work is proportional to the area found.

use super::enclosure::{NearestLine, is_inside};
use crate::bvh::OverlapStack;
use crate::contact::detect::{IntersectionLine, Node, NodeId, PosedSurface};
use crate::math::{Body, Vector};
use crate::mesh::{FaceIndex, HalfEdge, VertexIndex};

/// A crossing of an edge of this surface with a face of the other.
#[derive(Clone, Copy, Debug)]
pub struct Crossing {
    /// The half-edge that stands for the edge.
    pub edge: HalfEdge,
    /// Whether that half-edge goes into the other body here.
    pub is_entering: bool,
    /// The polygon through the crossing.
    pub polygon: u32,
    /// Where the crossing is, in frame E.
    pub position_e: Vector,
    node: NodeId,
}

/// A face of the active area.
#[derive(Clone, Copy, Debug)]
pub struct ActiveFace {
    /// Which face.
    pub face: FaceIndex,
}

/// Slot of a face that is not active.
pub const NO_SLOT: u32 = u32::MAX;

/// Where a vertex lies with respect to the other body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VertexState {
    /// Outside.
    Outside,
    /// Inside, in this component of inner vertices that uncrossed edges connect.
    Inside(u32),
    /// Not a vertex of the active area.
    Unknown,
}

/// Corners of a face for vector registers: four numbers each, the last one zero, none of them across two lines of the
/// cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub struct FaceCorners(pub [[f64; 4]; 3]);

/// What crosses a half-edge.
#[derive(Clone, Copy, Debug, Default)]
struct Entries {
    /// How many crossings there are.
    count: u32,
    /// How often the half-edge enters the other body minus how often it leaves.
    balance: i32,
}

const OUTSIDE: u32 = u32::MAX;
const INSIDE: u32 = u32::MAX - 1;

/// The active area of one surface, with memory for the next one.
#[derive(Clone, Debug, Default)]
pub struct ActiveArea {
    /// Active faces: cut ones first, in order of their index, then those wholly inside.
    pub faces: Vec<ActiveFace>,
    /// Corners of the active faces, in E, in the same order.
    pub corners_e: Vec<FaceCorners>,
    /// Their unit normals.
    pub normals_e: Vec<Vector>,
    /// Slots of the faces across the three edges of each active face; [`NO_SLOT`] where that is not active.
    pub neighbours: Vec<[u32; 3]>,
    /// How many of the faces are cut.
    pub cut_count: usize,
    /// Crossings sorted by edge, and along each edge from its start to its end.
    pub crossings: Vec<Crossing>,
    /// What crosses the edges of the cut faces.
    entries: Vec<[Entries; 3]>,
    /// Components of inner vertices.
    pub component_count: u32,
    /// Whether an edge with a face on one side only reaches into the other body.
    pub has_border: bool,
    /// (stamp, slot in `faces`); valid only with the current stamp, so nothing needs clearing.
    face_slots: Vec<(u32, u32)>,
    /// (stamp, OUTSIDE, INSIDE or component).
    vertex_states: Vec<(u32, u32)>,
    stamp: u32,
    pending: Vec<VertexIndex>,
}

impl ActiveArea {
    /// Forgets the last area.
    pub fn clear(&mut self) {
        self.faces.clear();
        self.corners_e.clear();
        self.normals_e.clear();
        self.neighbours.clear();
        self.crossings.clear();
        self.cut_count = 0;
        self.component_count = 0;
        self.has_border = false;
    }

    /// Finds the active area of `this`, which is body `body`.
    pub fn find(
        &mut self,
        body: Body,
        this: &PosedSurface,
        other: &PosedSurface,
        lines: &[IntersectionLine],
        polygon_of_line: &[u32],
        stack: &mut OverlapStack,
    ) {
        self.begin(this);
        self.collect_cut_faces(body, lines);
        self.collect_crossings(body, this, lines, polygon_of_line);
        self.decide_corners_of_cut_faces(body, this, other, lines, stack);
        self.flood_inner_faces(this);
    }

    /// Finds where its faces are, and which are beside which: for an area whose faces carry pressure, or whose energy is
    /// asked for.
    pub fn place_faces(&mut self, this: &PosedSurface) {
        let corners = |active: &ActiveFace| {
            FaceCorners(this.corners(active.face).map(|corner| [corner.x, corner.y, corner.z, 0.0]))
        };
        self.corners_e.extend(self.faces.iter().map(corners));
        self.normals_e.extend(self.faces.iter().map(|active| this.normal(active.face)));
        let half_edges = this.surface.half_edges();
        for slot in 0..self.faces.len() {
            let face = self.faces[slot].face;
            let across = |corner| self.slot(half_edges.twin(HalfEdge::new(face, corner))?.face());
            let neighbours = [0, 1, 2].map(|corner| across(corner).map_or(NO_SLOT, |slot| slot as u32));
            self.neighbours.push(neighbours);
        }
    }

    /// The position of a face in `faces`; none for a face that is not active.
    #[inline]
    pub fn slot(&self, face: FaceIndex) -> Option<usize> {
        let (stamp, slot) = self.face_slots[face.index()];
        (stamp == self.stamp).then_some(slot as usize)
    }

    /// Where a vertex lies.
    #[inline]
    pub fn vertex_state(&self, vertex: VertexIndex) -> VertexState {
        match self.state(vertex) {
            None => VertexState::Unknown,
            Some(OUTSIDE) => VertexState::Outside,
            Some(component) => VertexState::Inside(component),
        }
    }

    fn begin(&mut self, this: &PosedSurface) {
        self.clear();
        let mesh = this.surface.mesh();
        if self.stamp == u32::MAX
            || self.face_slots.len() != mesh.faces.len()
            || self.vertex_states.len() != mesh.vertices.len()
        {
            self.face_slots.clear();
            self.face_slots.resize(mesh.faces.len(), (0, 0));
            self.vertex_states.clear();
            self.vertex_states.resize(mesh.vertices.len(), (0, 0));
            self.stamp = 0;
        }
        self.stamp += 1;
    }

    fn collect_cut_faces(&mut self, body: Body, lines: &[IntersectionLine]) {
        self.faces.extend(lines.iter().map(|line| ActiveFace { face: line.face_of(body) }));
        self.faces.sort_unstable_by_key(|active| active.face);
        self.faces.dedup_by_key(|active| active.face);
        self.cut_count = self.faces.len();
        for (slot, active) in self.faces.iter().enumerate() {
            self.face_slots[active.face.index()] = (self.stamp, slot as u32);
        }
    }

    fn collect_crossings(
        &mut self,
        body: Body,
        this: &PosedSurface,
        lines: &[IntersectionLine],
        polygon_of_line: &[u32],
    ) {
        for (line, &polygon) in lines.iter().zip(polygon_of_line) {
            // A line ends where the boundary of its face in E goes inside, and starts where that of
            // its face in F does.
            for (node, goes_inside) in [(&line.start, body == Body::F), (&line.end, body == Body::E)] {
                if node.id.edge_of() == body {
                    self.crossings.push(crossing(node, line.face_of(body), goes_inside, polygon));
                }
            }
        }
        let start_of = |edge: HalfEdge| this.vertex(this.surface.mesh().faces[edge.face().index()][edge.corner()]);
        // Both faces at an edge report the same crossing: sort, and keep one. Only edges with
        // several crossings need their order along the edge.
        self.crossings.sort_unstable_by_key(|crossing| crossing.node);
        self.crossings.dedup_by_key(|crossing| crossing.node);
        for group in self.crossings.chunk_by_mut(|a, b| a.edge == b.edge) {
            if group.len() > 1 {
                let start = start_of(group[0].edge);
                group.sort_unstable_by(|a, b| {
                    let along = |crossing: &Crossing| (crossing.position_e - start).norm_squared();
                    along(a).total_cmp(&along(b)).then(a.node.cmp(&b.node))
                });
            }
        }
    }

    /// What crosses a half-edge.
    #[inline]
    fn entries_along(&self, half_edge: HalfEdge) -> Entries {
        let entries = self.slot(half_edge.face()).and_then(|slot| self.entries.get(slot));
        entries.map_or(Entries::default(), |entries| entries[half_edge.corner()])
    }

    fn set_entries(&mut self, half_edge: HalfEdge, entries: Entries) {
        if let Some(of_face) = self.slot(half_edge.face()).and_then(|slot| self.entries.get_mut(slot)) {
            of_face[half_edge.corner()] = entries;
        }
    }

    fn decide_corners_of_cut_faces(
        &mut self,
        body: Body,
        this: &PosedSurface,
        other: &PosedSurface,
        lines: &[IntersectionLine],
        stack: &mut OverlapStack,
    ) {
        let (mesh, half_edges) = (this.surface.mesh(), this.surface.half_edges());
        self.entries.clear();
        self.entries.resize(self.cut_count, [Entries::default(); 3]);
        // An edge that enters more often than it leaves has its ends on different sides.
        let mut first = 0;
        while first < self.crossings.len() {
            let edge = self.crossings[first].edge;
            let count = self.crossings[first..].iter().take_while(|crossing| crossing.edge == edge).count();
            let entries: i32 =
                self.crossings[first..first + count].iter().map(|c| if c.is_entering { 1 } else { -1 }).sum();
            let of_edge = Entries { count: count as u32, balance: entries };
            self.set_entries(edge, of_edge);
            if let Some(twin) = half_edges.twin(edge) {
                self.set_entries(twin, Entries { balance: -entries, ..of_edge });
            }
            if entries != 0 {
                let corners = mesh.faces[edge.face().index()];
                self.decide(corners[edge.corner()], entries < 0);
                self.decide(corners[(edge.corner() + 1) % 3], entries > 0);
            }
            first += count;
        }
        self.spread_over_cut_faces(this);
        // What the edges leave open is connected to none of them: ask for one corner, and spread.
        for slot in 0..self.cut_count {
            let face = self.faces[slot].face;
            for vertex in mesh.faces[face.index()] {
                if self.state(vertex).is_none() {
                    let nearest = NearestLine { body, lines, face };
                    let inside = is_inside(body, this.vertex(vertex), other, &nearest, stack);
                    self.decide(vertex, inside);
                    self.spread_over_cut_faces(this);
                }
            }
        }
    }

    /// Carries the decisions in `pending` on along the edges of cut faces.
    fn spread_over_cut_faces(&mut self, this: &PosedSurface) {
        let (mesh, half_edges) = (this.surface.mesh(), this.surface.half_edges());
        while let Some(vertex) = self.pending.pop() {
            let inside = i32::from(self.state(vertex) == Some(INSIDE));
            for &leaving in half_edges.outgoing(vertex) {
                if self.slot(leaving.face()).is_none() {
                    continue;
                }
                let corners = mesh.faces[leaving.face().index()];
                let arriving = leaving.next().next();
                let next = inside + self.entries_along(leaving).balance;
                self.decide(corners[leaving.next().corner()], next > 0);
                let previous = inside - self.entries_along(arriving).balance;
                self.decide(corners[arriving.corner()], previous > 0);
            }
        }
    }

    fn flood_inner_faces(&mut self, this: &PosedSurface) {
        let mesh = this.surface.mesh();
        for slot in 0..self.cut_count {
            for vertex in mesh.faces[self.faces[slot].face.index()] {
                if self.state(vertex) == Some(INSIDE) {
                    let component = self.component_count;
                    self.component_count += 1;
                    self.vertex_states[vertex.index()].1 = component;
                    self.pending.push(vertex);
                    self.flood_component(this, component);
                }
            }
        }
    }

    fn flood_component(&mut self, this: &PosedSurface, component: u32) {
        let (mesh, half_edges) = (this.surface.mesh(), this.surface.half_edges());
        // The first one first: faces that follow each other are close to each other.
        let mut next = 0;
        while let Some(&vertex) = self.pending.get(next) {
            next += 1;
            for &leaving in half_edges.outgoing(vertex) {
                let face = leaving.face();
                let is_cut = match self.slot(face) {
                    Some(slot) => slot < self.cut_count,
                    None => {
                        self.face_slots[face.index()] = (self.stamp, self.faces.len() as u32);
                        self.faces.push(ActiveFace { face });
                        false
                    }
                };
                let corners = mesh.faces[face.index()];
                let arriving = leaving.next().next();
                self.has_border |= half_edges.twin(leaving).is_none() || half_edges.twin(arriving).is_none();
                for (half_edge, neighbour) in
                    [(leaving, corners[leaving.next().corner()]), (arriving, corners[arriving.corner()])]
                {
                    // Only edges of cut faces can be crossed.
                    let reaches = matches!(self.state(neighbour), None | Some(INSIDE))
                        && !(is_cut && 0 < self.entries_along(half_edge).count);
                    if reaches {
                        self.vertex_states[neighbour.index()] = (self.stamp, component);
                        self.pending.push(neighbour);
                    }
                }
            }
        }
        self.pending.clear();
    }

    #[inline]
    fn state(&self, vertex: VertexIndex) -> Option<u32> {
        let (stamp, state) = self.vertex_states[vertex.index()];
        (stamp == self.stamp).then_some(state)
    }

    /// Records a decision, unless there is one already, and queues the vertex.
    fn decide(&mut self, vertex: VertexIndex, inside: bool) {
        if self.state(vertex).is_none() {
            self.vertex_states[vertex.index()] = (self.stamp, if inside { INSIDE } else { OUTSIDE });
            self.pending.push(vertex);
        }
    }
}

fn crossing(node: &Node, face: FaceIndex, goes_inside: bool, polygon: u32) -> Crossing {
    let edge = node.id.edge();
    // `goes_inside` is meant along the half-edge of `face`; the edge may stand for its twin.
    let is_entering = goes_inside == (edge.face() == face);
    Crossing { edge, is_entering, polygon, position_e: node.position_e, node: node.id }
}
