//! Which features may be nearer than one, somewhere in its part of space and down to a depth.
//!
//! A feature is nearest at a point when the ball around the point that touches it holds nothing else. So only what comes
//! within twice the depth, below the feature, matters; convex edges and corners never do. Lists of rivals are kept from
//! one evaluation to the next. What a list holds depends on the surface, the feature and the depth, rounded up to a power
//! of two: it does not matter when it was made.

use super::feature::edge_ends;
use crate::bvh::{FaceVolume, OverlapStack};
use crate::contact::field::{Feature, MITRE_OVERHANG, Plane, Wall};
use crate::contact::surface::ContactSurface;
use crate::math::Vector;
use crate::mesh::{FaceIndex, HalfEdge, VertexIndex};

/// Points count as below a feature where they are deeper than this part of the largest coordinate; dimensionless, far above
/// rounding.
const BELOW: f64 = 1e-13;

/// Room in tables to begin with, and the most entries to keep; then all is found anew.
const FEWEST_ENTRIES: usize = 1 << 11;
const MOST_ENTRIES: usize = 1 << 17;

/// What a depth is measured from, in space.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// A plane; its function is positive inside the body.
    Plane(Plane),
    /// A line through a point, along a unit vector.
    Line(Vector, Vector),
    /// A point.
    Point(Vector),
}

/// A feature with what a contest needs of it.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// Which.
    pub feature: Feature,
    /// What its depth is measured from.
    pub target: Target,
    walls: (u32, u32),
}

/// The place of a record.
pub type RecordIndex = u32;

/// Places by keys; an open table, at most half full.
#[derive(Clone, Debug, Default)]
struct Table {
    entries: Vec<(u64, u32, u32)>,
    used: usize,
}

/// No key.
const EMPTY: u64 = u64::MAX;

impl Table {
    fn clear(&mut self) {
        let size = self.entries.len().max(FEWEST_ENTRIES);
        self.entries.clear();
        self.entries.resize(size, (EMPTY, 0, 0));
        self.used = 0;
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        let mask = self.entries.len() - 1;
        let mut place = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize & mask;
        while self.entries[place].0 != key && self.entries[place].0 != EMPTY {
            place = (place + 1) & mask;
        }
        place
    }

    #[inline]
    fn get(&self, key: u64) -> Option<(u32, u32)> {
        let (found, first, second) = self.entries[self.place(key)];
        (found == key).then_some((first, second))
    }

    fn insert(&mut self, key: u64, (first, second): (u32, u32)) {
        if self.entries.len() <= 2 * self.used {
            let larger = vec![(EMPTY, 0, 0); 2 * self.entries.len()];
            let entries = std::mem::replace(&mut self.entries, larger);
            for entry in entries.into_iter().filter(|entry| entry.0 != EMPTY) {
                let place = self.place(entry.0);
                self.entries[place] = entry;
            }
        }
        let place = self.place(key);
        self.entries[place] = (key, first, second);
        self.used += 1;
    }
}

/// Features of one surface that were met, with their rivals.
#[derive(Clone, Debug, Default)]
pub struct Rivals {
    /// The surface, by its number.
    surface: Option<u64>,
    records: Vec<Record>,
    walls: Vec<Wall>,
    of_feature: Table,
    lists: Table,
    rivals: Vec<RecordIndex>,
    features: Vec<Feature>,
    stack: OverlapStack,
}

impl Rivals {
    /// Prepares for a surface. Places of records hold until the next call.
    pub fn begin(&mut self, surface: &ContactSurface) {
        if self.surface != Some(surface.number()) || MOST_ENTRIES < self.of_feature.used + self.lists.used {
            self.surface = Some(surface.number());
            self.records.clear();
            self.walls.clear();
            self.of_feature.clear();
            self.lists.clear();
            self.rivals.clear();
        }
    }

    /// The place of the record of a feature.
    #[inline]
    pub fn record(&mut self, surface: &ContactSurface, feature: Feature) -> RecordIndex {
        let key = feature.key();
        if let Some((record, _)) = self.of_feature.get(key) {
            return record;
        }
        let first = self.walls.len() as u32;
        self.walls.extend_from_slice(&surface.walls(feature));
        let walls = (first, self.walls.len() as u32);
        self.records.push(Record { feature, target: Target::of(surface, feature), walls });
        let index = self.records.len() as u32 - 1;
        self.of_feature.insert(key, (index, 0));
        index
    }

    /// A record.
    #[inline]
    pub fn get(&self, index: RecordIndex) -> &Record {
        &self.records[index as usize]
    }

    /// What bounds the space where a feature has the nearest point of its plane, line or vertex.
    #[inline]
    pub fn walls(&self, record: &Record) -> &[Wall] {
        &self.walls[record.walls.0 as usize..record.walls.1 as usize]
    }

    /// Where the plates beyond the walls of a plate are: its first rivals.
    #[inline]
    pub fn find_neighbours(&mut self, surface: &ContactSurface, record: RecordIndex) -> std::ops::Range<usize> {
        let key = u64::from(record) << 11;
        let (first, end) = self.lists.get(key).unwrap_or_else(|| {
            let first = self.rivals.len() as u32;
            let Record { feature, walls: (first_wall, end_wall), .. } = self.records[record as usize];
            for wall in first_wall..end_wall {
                let beyond = self.walls[wall as usize].beyond;
                if matches!((feature, beyond), (Feature::Face(_), Feature::Face(_))) {
                    let neighbour = self.record(surface, beyond);
                    self.rivals.push(neighbour);
                }
            }
            let range = (first, self.rivals.len() as u32);
            self.lists.insert(key, range);
            range
        });
        first as usize..end as usize
    }

    /// Where the rivals of a feature down to a depth are, but for its neighbours.
    #[inline]
    pub fn find(&mut self, surface: &ContactSurface, record: RecordIndex, depth: f64) -> std::ops::Range<usize> {
        let smallest = f64::EPSILON * surface.tree().bounds().largest_coordinate().max(f64::MIN_POSITIVE);
        let depth = next_power_of_two(depth.max(smallest));
        let key = u64::from(record) << 11 | depth.to_bits() >> 52;
        let (first, end) = self.lists.get(key).unwrap_or_else(|| {
            let mut features = std::mem::take(&mut self.features);
            features.clear();
            Search::new(surface, self.records[record as usize].feature, depth).run(&mut self.stack, &mut features);
            let first = self.rivals.len() as u32;
            for &feature in &features {
                let rival = self.record(surface, feature);
                self.rivals.push(rival);
            }
            self.features = features;
            let range = (first, self.rivals.len() as u32);
            self.lists.insert(key, range);
            range
        });
        first as usize..end as usize
    }

    /// One of the rivals.
    #[inline]
    pub fn rival(&self, index: usize) -> RecordIndex {
        self.rivals[index]
    }

    /// All features as rivals of each other: the twin of every list.
    pub fn find_all(&mut self, surface: &ContactSurface) -> std::ops::Range<usize> {
        let (first, end) = self.lists.get(EMPTY - 1).unwrap_or_else(|| {
            let first = self.rivals.len() as u32;
            for face in (0..surface.mesh().faces.len() as u32).map(FaceIndex) {
                for_each_feature(surface, face, |feature| {
                    let is_plate = match feature {
                        Feature::Face(face) => surface.field().plates().largest_face(face) == face,
                        _ => true,
                    };
                    if is_plate {
                        let rival = self.record(surface, feature);
                        self.rivals.push(rival);
                    }
                });
            }
            let range = (first, self.rivals.len() as u32);
            self.lists.insert(EMPTY - 1, range);
            range
        });
        first as usize..end as usize
    }
}

/// A power of two that is not below a positive number.
fn next_power_of_two(depth: f64) -> f64 {
    let power = f64::from_bits(depth.to_bits() & (0x7ff << 52));
    if power < depth { 2.0 * power } else { power }
}

impl Target {
    /// Of a feature.
    pub fn of(surface: &ContactSurface, feature: Feature) -> Self {
        match feature {
            Feature::Face(face) => {
                let normal = surface.normal(face);
                let offset = normal.dot(&surface.mesh().corners(face)[0]);
                Target::Plane([-normal.x, -normal.y, -normal.z, offset])
            }
            Feature::Edge(edge) => {
                let [a, b] = edge_ends(surface, edge);
                Target::Line(a, (b - a).try_normalize(0.0).unwrap_or_else(Vector::zeros))
            }
            Feature::Vertex(vertex) => Target::Point(surface.mesh().vertices[vertex.index()]),
        }
    }
}

/// Calls `visit` with a face, and with the inner edges and vertices that it stands for.
fn for_each_feature(surface: &ContactSurface, face: FaceIndex, mut visit: impl FnMut(Feature)) {
    let (half_edges, field) = (surface.half_edges(), surface.field());
    visit(Feature::Face(face));
    for edge in [0, 1, 2].map(|corner| HalfEdge::new(face, corner)) {
        if half_edges.edge(edge) == edge && field.has(Feature::Edge(edge)) {
            visit(Feature::Edge(edge));
        }
        let vertex = surface.mesh().faces[face.index()][edge.corner()];
        if half_edges.outgoing(vertex).first() == Some(&edge) && field.has(Feature::Vertex(vertex)) {
            visit(Feature::Vertex(vertex));
        }
    }
}

/// The corners of a feature; all of a plate's.
fn for_each_corner(surface: &ContactSurface, feature: Feature, mut visit: impl FnMut(VertexIndex)) {
    let faces = &surface.mesh().faces;
    match feature {
        Feature::Face(face) => {
            let outline = surface.field().plates().outline(face);
            outline.iter().for_each(|edge| visit(faces[edge.face().index()][edge.corner()]));
        }
        Feature::Edge(edge) => {
            let corners = faces[edge.face().index()];
            visit(corners[edge.corner()]);
            visit(corners[(edge.corner() + 1) % 3]);
        }
        Feature::Vertex(vertex) => visit(vertex),
    }
}

/// The search for the rivals of one feature.
struct Search<'a> {
    surface: &'a ContactSurface,
    feature: Feature,
    depth: f64,
    corners: Vec<VertexIndex>,
    low: Vector,
    high: Vector,
    /// Inward normals: one of a plate, those of both faces of an edge, none of a vertex.
    inwards: Vec<Vector>,
    anchor: Vector,
    below: f64,
}

impl<'a> Search<'a> {
    fn new(surface: &'a ContactSurface, feature: Feature, depth: f64) -> Self {
        let mut corners = Vec::new();
        for_each_corner(surface, feature, |vertex| corners.push(vertex));
        let at = |vertex: &VertexIndex| surface.mesh().vertices[vertex.index()];
        let (low, high) = corners
            .iter()
            .map(at)
            .fold((Vector::repeat(f64::INFINITY), Vector::repeat(f64::NEG_INFINITY)), |(low, high), corner| {
                (low.inf(&corner), high.sup(&corner))
            });
        let inwards = match feature {
            Feature::Face(face) => vec![-surface.normal(face)],
            Feature::Edge(edge) => {
                let faces = std::iter::once(edge).chain(surface.half_edges().twin(edge));
                faces.map(|side| -surface.normal(side.face())).collect()
            }
            Feature::Vertex(_) => Vec::new(),
        };
        let anchor = at(&corners[0]);
        let below = BELOW * surface.tree().bounds().largest_coordinate();
        Search { surface, feature, depth, corners, low, high, inwards, anchor, below }
    }

    fn run(&self, stack: &mut OverlapStack, rivals: &mut Vec<Feature>) {
        let (middle, half) = (0.5 * (self.low + self.high), 0.5 * (self.high - self.low));
        // Below mitres features reach beyond themselves.
        let overhang = MITRE_OVERHANG * self.depth;
        let reach = 2.0 * (self.depth + overhang);
        let touches = |FaceVolume { bounds, .. }: &FaceVolume| {
            let apart = ((bounds.center - middle).abs() - bounds.half - half).sup(&Vector::zeros());
            let deepest =
                |inwards: &Vector| inwards.dot(&(bounds.center - self.anchor)) + inwards.abs().dot(&bounds.half);
            let is_below = |inwards: &Vector| self.below < deepest(inwards) + overhang;
            let is_below = self.inwards.is_empty() || self.inwards.iter().any(is_below);
            is_below && apart.norm_squared() <= reach * reach
        };
        self.surface.tree().items_touching(stack, touches, |face| {
            for_each_feature(self.surface, face, |feature| self.consider(feature, rivals));
        });
        // A plate is met by each of its faces.
        rivals.sort_unstable();
        rivals.dedup();
    }

    fn consider(&self, feature: Feature, rivals: &mut Vec<Feature>) {
        let feature = match feature {
            Feature::Face(face) => Feature::Face(self.surface.field().plates().largest_face(face)),
            other => other,
        };
        if !self.is_neighbour(feature) && (self.shares_mitre(feature) || self.may_be_nearer(feature)) {
            rivals.push(feature);
        }
    }

    fn has_mitre(&self, feature: Feature) -> bool {
        let mut has = false;
        for_each_corner(self.surface, feature, |vertex| has |= self.surface.field().has_mitre(vertex));
        has
    }

    /// Whether both are plates in a corner with a mitre, where the walls of others do not tell them apart.
    fn shares_mitre(&self, other: Feature) -> bool {
        let mut shares = false;
        if let (Feature::Face(_), Feature::Face(_)) = (self.feature, other) {
            let is_mitred = |vertex| self.surface.field().has_mitre(vertex) && self.corners.contains(&vertex);
            for_each_corner(self.surface, other, |vertex| shares |= is_mitred(vertex));
        }
        shares
    }

    /// Whether a feature is part of this one, or the other way round, or beyond a wall.
    fn is_neighbour(&self, other: Feature) -> bool {
        if other == self.feature || self.surface.walls(self.feature).iter().any(|wall| wall.beyond == other) {
            return true;
        }
        let has_all = |of: &[VertexIndex], part: Feature| {
            let mut has = true;
            for_each_corner(self.surface, part, |vertex| has &= of.contains(&vertex));
            has
        };
        match (self.feature, other) {
            // Corners and edges of a plate are never nearer than the plate; an edge never than its plates.
            (Feature::Face(_) | Feature::Edge(_), Feature::Vertex(_)) => has_all(&self.corners, other),
            (Feature::Vertex(_), _) => {
                let mut has = false;
                for_each_corner(self.surface, other, |vertex| has |= vertex == self.corners[0]);
                has && !self.surface.field().has_mitre(self.corners[0])
            }
            _ => false,
        }
    }

    fn may_be_nearer(&self, other: Feature) -> bool {
        let vertices = &self.surface.mesh().vertices;
        let overhang = MITRE_OVERHANG * self.depth;
        let overhang =
            [self.has_mitre(other), self.has_mitre(self.feature)].map(|has| if has { overhang } else { 0.0 });
        // The centre of a ball lies behind all walls, and it is no larger than the depth.
        let walls = self.surface.walls(self.feature);
        for wall in walls.iter() {
            let mut highest = f64::NEG_INFINITY;
            for_each_corner(self.surface, other, |vertex| {
                highest = highest.max(wall.height(&vertices[vertex.index()]))
            });
            if highest + overhang[0] < -self.depth {
                return false;
            }
        }
        if !self.inwards.is_empty() {
            let mut deepest = f64::NEG_INFINITY;
            for_each_corner(self.surface, other, |vertex| {
                let offset = vertices[vertex.index()] - self.anchor;
                deepest = self.inwards.iter().fold(deepest, |deepest, inwards| deepest.max(inwards.dot(&offset)));
            });
            if deepest + overhang[0] <= self.below {
                return false;
            }
        }
        let (Feature::Face(own), Feature::Face(rival)) = (self.feature, other) else { return true };
        // A ball that touches both planes: its radius is linear in the place on the plate.
        let (normal, across) = (self.surface.normal(own), self.surface.normal(rival));
        let of_rival = self.surface.mesh().corners(rival)[0];
        let heights = self.corners.iter().map(|vertex| across.dot(&(of_rival - vertices[vertex.index()])));
        let lowest = heights.fold(f64::INFINITY, f64::min);
        lowest - overhang[1] < self.depth * (1.0 - normal.dot(&across))
    }
}
