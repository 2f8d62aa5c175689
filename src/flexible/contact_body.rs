//! A body as the contact sees it: nodes, faces, a tree, and modes where it is flexible.

use super::backing::Backing;
use super::body::BodyModel;
use super::modes::Modes;
use crate::math::{Aabb, Vector};
use crate::mesh::{FaceIndex, HalfEdge, HalfEdges, TriangleMesh, VertexIndex};
use crate::tree::Tree;

/// A tree of boxes over faces or nodes, by their numbers.
pub(super) type BoxTree = Tree<u32, Aabb>;

/// Items of a leaf at most: testing two triangles costs about as much as descending once more.
const LEAF_ITEMS: usize = 2;

/// What the contact needs of a body; immutable.
#[derive(Debug)]
pub(super) struct ContactBody {
    /// Undeformed nodes in the frame of the body.
    pub(super) nodes: Vec<Vector>,
    pub(super) faces: Vec<[VertexIndex; 3]>,
    pub(super) half_edges: HalfEdges,
    /// Whether a node lies on a border of the faces.
    pub(super) is_border: Vec<bool>,
    /// Outward unit normals at the undeformed nodes; zero where no face is.
    pub(super) normals: Vec<Vector>,
    /// Tree of the undeformed faces.
    pub(super) tree: BoxTree,
    /// Tree of the nodes, where the body is rigid.
    pub(super) node_tree: Option<BoxTree>,
    /// Mean length of the edges of faces in m.
    pub(super) mean_edge: f64,
    /// None where the body is rigid.
    pub(super) modes: Option<Modes>,
    /// What lies behind the contact faces; none where the body is rigid or they wrap around it.
    pub(super) backing: Option<Backing>,
}

impl ContactBody {
    /// Prepares a body; it must have a face.
    pub(super) fn new(body: BodyModel) -> Self {
        match body {
            BodyModel::Rigid(mesh) => {
                let mut body = Self::of_mesh(mesh.vertices, mesh.faces);
                let point = |node: u32| (node, Aabb::of([&body.nodes[node as usize]]));
                body.node_tree = Some(BoxTree::of_boxes((0..body.nodes.len() as u32).map(point), LEAF_ITEMS));
                body
            }
            BodyModel::Flexible(body) => {
                let model = body.model();
                let faces = model.contact_faces.iter().map(|face| face.map(VertexIndex)).collect();
                let modes = Modes::new(model);
                let backing = Backing::of(model);
                ContactBody { modes: Some(modes), backing, ..Self::of_mesh(model.contact_nodes.clone(), faces) }
            }
        }
    }

    fn of_mesh(nodes: Vec<Vector>, faces: Vec<[VertexIndex; 3]>) -> Self {
        let half_edges = HalfEdges::build(&faces, nodes.len());
        let mut is_border = vec![false; nodes.len()];
        let mut edge_sum = 0.0;
        for (face, corners) in faces.iter().enumerate() {
            for k in 0..3 {
                let (from, to) = (corners[k].index(), corners[(k + 1) % 3].index());
                edge_sum += (nodes[to] - nodes[from]).norm();
                if half_edges.twin(HalfEdge::new(FaceIndex(face as u32), k)).is_none() {
                    is_border[from] = true;
                    is_border[to] = true;
                }
            }
        }
        let mean_edge = edge_sum / (3 * faces.len()) as f64;
        let mesh = TriangleMesh { vertices: nodes, faces };
        let item = |face: u32| (face, Aabb::of(&mesh.corners(FaceIndex(face))));
        let tree = BoxTree::of_boxes((0..mesh.faces.len() as u32).map(item), LEAF_ITEMS);
        let TriangleMesh { vertices: nodes, faces } = mesh;
        let mut body = ContactBody {
            nodes,
            faces,
            half_edges,
            is_border,
            normals: Vec::new(),
            tree,
            node_tree: None,
            mean_edge,
            modes: None,
            backing: None,
        };
        let count = body.nodes.len() as u32;
        body.normals = (0..count).map(|node| unit(body.vertex_normal(&body.nodes, VertexIndex(node)))).collect();
        body
    }

    /// Numbers of modes and nodes that a state holds: none for a rigid body.
    pub(super) fn state_size(&self) -> (usize, usize) {
        self.modes.as_ref().map_or((0, 0), |modes| (modes.count(), self.nodes.len()))
    }

    /// Degrees of freedom of the nodes; none where rigid.
    pub(super) fn freedom(&self) -> usize {
        3 * self.state_size().1
    }

    /// Corners of a face at given positions of the nodes.
    #[inline]
    pub(super) fn corners(&self, positions: &[Vector], face: u32) -> [Vector; 3] {
        self.faces[face as usize].map(|corner| positions[corner.index()])
    }

    /// Outward unit normal of a face; zero where it has no area.
    pub(super) fn face_normal(&self, positions: &[Vector], face: u32) -> Vector {
        let [a, b, c] = self.corners(positions, face);
        unit((b - a).cross(&(c - a)))
    }

    /// Outward normal at an edge: the sum of those of its faces.
    pub(super) fn edge_normal(&self, positions: &[Vector], edge: HalfEdge) -> Vector {
        let other = self.half_edges.twin(edge).map(|twin| self.face_normal(positions, twin.face().0));
        self.face_normal(positions, edge.face().0) + other.unwrap_or_default()
    }

    /// Outward normal at a vertex: those of its faces, weighted by their angles. A point whose closest point is the
    /// vertex is outside exactly if it is on the side of this normal.
    pub(super) fn vertex_normal(&self, positions: &[Vector], vertex: VertexIndex) -> Vector {
        let mut sum = Vector::zeros();
        for &edge in self.half_edges.outgoing(vertex) {
            let corners = self.corners(positions, edge.face().0);
            let k = edge.corner();
            let (to_next, to_previous) = (corners[(k + 1) % 3] - corners[k], corners[(k + 2) % 3] - corners[k]);
            let cross = to_next.cross(&to_previous);
            let angle = cross.norm().atan2(to_next.dot(&to_previous));
            sum += angle * unit(cross);
        }
        sum
    }
}

/// The vector scaled to length 1; zero stays zero.
fn unit(vector: Vector) -> Vector {
    let length = vector.norm();
    if length > 0.0 { vector / length } else { Vector::zeros() }
}
