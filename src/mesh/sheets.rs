//! Separates the sheets that meet in edges with more than two faces.
//!
//! Around such an edge the faces are paired so that each pair bounds a wedge of material: two cubes that touch along an
//! edge become two cubes. Every sheet gets vertices of its own, at the same places. A face that finds no partner ends
//! in a border there, as does a face at an edge of a surface with one side only; the faces at such edges are defects.

use super::cleaning::{CleanedMesh, has_area};
use super::half_edge::for_each_edge;
use super::measures::FaceSets;
use super::{FaceIndex, HalfEdge, TriangleMesh, VertexIndex};
use crate::math::Vector;

/// Rounds of separation; one does, unless sheets join again at both ends of an edge.
const ROUNDS: usize = 16;

/// What was separated.
#[derive(Default)]
pub(super) struct Separated {
    /// Edges with more than two faces.
    pub(super) edges: usize,
    /// Ends of the first.
    pub(super) first: Option<[Vector; 2]>,
}

/// Separates until every edge has at most two faces, which wind alike.
pub(super) fn separate_sheets(cleaned: &mut CleanedMesh) -> Separated {
    let mut separated = Separated::default();
    for round in 0..ROUNDS {
        let knots = Knots::find(&cleaned.mesh);
        if knots.edges.is_empty() {
            break;
        }
        if round == 0 {
            separated = knots.summary(&cleaned.mesh);
        }
        separate_once(cleaned, &knots);
    }
    separated
}

/// Edges that need separation.
struct Knots {
    /// Half-edges of each, in ascending order.
    edges: Vec<Vec<HalfEdge>>,
    /// Partners of all other half-edges.
    twins: Vec<Option<HalfEdge>>,
    /// Faces that are connected over ordinary edges.
    sheets: Sheets,
}

/// Parts of the surface between knots and borders.
struct Sheets {
    /// The lowest face of the sheet of each face.
    of_face: Vec<u32>,
    /// For each lowest face: whether its sheet has a border, and its area. Sheets that count less come first.
    rank: Vec<(bool, f64)>,
}

impl Knots {
    fn find(mesh: &TriangleMesh) -> Self {
        let origin = |half_edge: HalfEdge| mesh.faces[half_edge.face().index()][half_edge.corner()];
        let mut edges = Vec::new();
        let mut twins = vec![None; 3 * mesh.faces.len()];
        let mut connected = FaceSets::new(mesh.faces.len());
        let mut has_border = vec![false; mesh.faces.len()];
        for_each_edge(&mesh.faces, mesh.vertices.len(), |edge| match *edge {
            [single] => has_border[single.face().index()] = true,
            [a, b] if origin(a) != origin(b) => {
                (twins[a.index()], twins[b.index()]) = (Some(b), Some(a));
                connected.unite(a.face(), b.face());
            }
            _ => edges.push(edge.to_vec()),
        });
        let of_face: Vec<u32> = (0..mesh.faces.len() as u32).map(|face| connected.lowest(FaceIndex(face)).0).collect();
        let mut rank = vec![(false, 0.0); mesh.faces.len()];
        for (face, &sheet) in of_face.iter().enumerate() {
            let entry = &mut rank[sheet as usize];
            entry.0 |= has_border[face];
            entry.1 += mesh.area(FaceIndex(face as u32));
        }
        Knots { edges, twins, sheets: Sheets { of_face, rank } }
    }

    fn summary(&self, mesh: &TriangleMesh) -> Separated {
        let first = self.edges.iter().filter(|edge| 2 < edge.len()).min_by_key(|edge| edge[0]);
        Separated {
            edges: self.edges.iter().filter(|edge| 2 < edge.len()).count(),
            first: first.map(|edge| {
                let corners = mesh.corners(edge[0].face());
                [corners[edge[0].corner()], corners[edge[0].next().corner()]]
            }),
        }
    }
}

impl Sheets {
    /// Which of two faces is left without a partner first: the one of a sheet with a border, then of the smaller one.
    fn order(&self, a: HalfEdge, b: HalfEdge) -> std::cmp::Ordering {
        let rank = |half_edge: HalfEdge| self.rank[self.of_face[half_edge.face().index()] as usize];
        let ((a_border, a_area), (b_border, b_area)) = (rank(a), rank(b));
        b_border.cmp(&a_border).then(a_area.total_cmp(&b_area)).then(a.cmp(&b))
    }
}

fn separate_once(cleaned: &mut CleanedMesh, knots: &Knots) {
    let mut twins = knots.twins.clone();
    for edge in &knots.edges {
        for [a, b] in pairs_around(&cleaned.mesh, edge, &knots.sheets) {
            (twins[a.index()], twins[b.index()]) = (Some(b), Some(a));
        }
    }
    let is_unpaired = |half_edge: &HalfEdge| twins[half_edge.index()].is_none();
    for edge in knots.edges.iter().filter(|edge| edge.iter().any(is_unpaired)) {
        edge.iter().for_each(|half_edge| cleaned.mark_defect(half_edge.face()));
    }
    give_fans_own_vertices(&mut cleaned.mesh, &knots.edges, &twins);
    halve_what_is_left(cleaned, &knots.edges, &twins);
}

/// Pairs that bound a wedge of material around an edge; what is not in a pair stays alone.
fn pairs_around(mesh: &TriangleMesh, edge: &[HalfEdge], sheets: &Sheets) -> Vec<[HalfEdge; 2]> {
    let corner = |half_edge: HalfEdge| mesh.faces[half_edge.face().index()][half_edge.corner()];
    let start = corner(edge[0]);
    let (mut ahead, mut back): (Vec<HalfEdge>, Vec<HalfEdge>) =
        edge.iter().partition(|half_edge| corner(**half_edge) == start);
    let surplus = ahead.len().abs_diff(back.len());
    let majority = if back.len() < ahead.len() { &mut ahead } else { &mut back };
    majority.sort_by(|a, b| sheets.order(*a, *b));
    majority.drain(..surplus);

    // Angles around the edge, counted counter-clockwise seen against its direction.
    let from = mesh.vertices[start.index()];
    let along = (mesh.vertices[corner(edge[0].next()).index()] - from).normalize();
    let across = |half_edge: HalfEdge| {
        let tip = mesh.vertices[corner(half_edge.next().next()).index()] - from;
        tip - along * tip.dot(&along)
    };
    let zero = across(edge[0]);
    let quarter = along.cross(&zero);
    let angle = |half_edge: HalfEdge| {
        let direction = across(half_edge);
        direction.dot(&quarter).atan2(direction.dot(&zero))
    };
    // Material lies before faces that run ahead and behind those that run back: like brackets, `back` opens.
    let mut around: Vec<(f64, bool, HalfEdge)> = (ahead.iter().map(|&half_edge| (angle(half_edge), false, half_edge)))
        .chain(back.iter().map(|&half_edge| (angle(half_edge), true, half_edge)))
        .collect();
    around.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)).then(a.2.cmp(&b.2)));
    let mut pairs = Vec::new();
    let mut open = Vec::new();
    // Twice around, for wedges across the angle at which the count starts.
    let mut is_paired = vec![false; around.len()];
    for (place, &(_, opens, half_edge)) in around.iter().enumerate().chain(around.iter().enumerate()) {
        if is_paired[place] {
            continue;
        }
        if opens {
            if !open.contains(&place) {
                open.push(place);
            }
        } else if let Some(partner) = open.pop() {
            (is_paired[place], is_paired[partner]) = (true, true);
            pairs.push([around[partner].2, half_edge]);
        }
    }
    pairs
}

/// Corners at a vertex that are connected over partners keep one vertex; every other fan gets a copy.
fn give_fans_own_vertices(mesh: &mut TriangleMesh, knots: &[Vec<HalfEdge>], twins: &[Option<HalfEdge>]) {
    let mut is_knotted = vec![false; mesh.vertices.len()];
    for half_edge in knots.iter().map(|edge| edge[0]) {
        let corners = mesh.faces[half_edge.face().index()];
        is_knotted[corners[half_edge.corner()].index()] = true;
        is_knotted[corners[half_edge.next().corner()].index()] = true;
    }
    // Corner k of face f has the number 3 f + k, as the half-edge that starts there.
    let mut fans = FaceSets::new(3 * mesh.faces.len());
    for half_edge in (0..twins.len() as u32).map(HalfEdge) {
        if let Some(twin) = twins[half_edge.index()] {
            fans.unite(FaceIndex(half_edge.0), FaceIndex(twin.next().0));
        }
    }
    // The fan that keeps each vertex, and the vertices of other fans.
    let mut keeper = vec![None; mesh.vertices.len()];
    let mut vertex_of_fan: Vec<Option<VertexIndex>> = vec![None; 3 * mesh.faces.len()];
    for corner in 0..3 * mesh.faces.len() {
        let (face, k) = (corner / 3, corner % 3);
        let vertex = mesh.faces[face][k];
        if vertex.index() >= is_knotted.len() || !is_knotted[vertex.index()] {
            continue;
        }
        let fan = fans.lowest(FaceIndex(corner as u32));
        if *keeper[vertex.index()].get_or_insert(fan) == fan {
            continue;
        }
        let copy = *vertex_of_fan[fan.index()].get_or_insert_with(|| {
            mesh.vertices.push(mesh.vertices[vertex.index()]);
            VertexIndex(mesh.vertices.len() as u32 - 1)
        });
        mesh.faces[face][k] = copy;
    }
}

/// Where sheets join again at both ends of an edge, each gets a vertex of its own in the middle of the edge.
fn halve_what_is_left(cleaned: &mut CleanedMesh, knots: &[Vec<HalfEdge>], twins: &[Option<HalfEdge>]) {
    let mut is_cut = vec![false; cleaned.mesh.faces.len()];
    for edge in knots {
        let ends = |mesh: &TriangleMesh, half_edge: HalfEdge| {
            let corners = mesh.faces[half_edge.face().index()];
            let (from, to) = (corners[half_edge.corner()], corners[half_edge.next().corner()]);
            (from.min(to), from.max(to))
        };
        let is_shared = |mesh: &TriangleMesh, half_edge: HalfEdge| {
            let same = edge.iter().filter(|other| ends(mesh, **other) == ends(mesh, half_edge));
            let partners = 1 + usize::from(twins[half_edge.index()].is_some());
            partners < same.count()
        };
        // A face with two such edges waits for the next round.
        if edge.iter().any(|half_edge| is_cut[half_edge.face().index()])
            || !edge.iter().any(|half_edge| is_shared(&cleaned.mesh, *half_edge))
        {
            continue;
        }
        let corners = cleaned.mesh.corners(edge[0].face());
        // The ends may be neighbouring numbers, without a middle.
        let has_halves = |half_edge: &HalfEdge| {
            let corners = cleaned.mesh.corners(half_edge.face());
            let [from, to, tip] =
                [*half_edge, half_edge.next(), half_edge.next().next()].map(|at| corners[at.corner()]);
            let middle = 0.5 * (from + to);
            has_area(&from, &middle, &tip) && has_area(&middle, &to, &tip)
        };
        if !edge.iter().all(has_halves) {
            continue;
        }
        let middle = 0.5 * (corners[edge[0].corner()] + corners[edge[0].next().corner()]);
        for &half_edge in edge {
            let twin = twins[half_edge.index()];
            if twin.is_some_and(|twin| twin < half_edge) {
                continue;
            }
            let vertex = VertexIndex(cleaned.mesh.vertices.len() as u32);
            cleaned.mesh.vertices.push(middle);
            for part in [Some(half_edge), twin].into_iter().flatten() {
                is_cut[part.face().index()] = true;
                cleaned.cut_face(part, vertex);
            }
        }
    }
}
