//! One element of a volume mesh: which nodes, in which order.

/// Corners of the six edges of a tetrahedron, in the order of the mid-edge nodes 4 to 9.
pub const TETRAHEDRON_EDGES: [[usize; 2]; 6] = [[0, 1], [1, 2], [2, 0], [3, 0], [2, 3], [1, 3]];

/// Corners of the faces of a tetrahedron, counter-clockwise seen from outside.
const TETRAHEDRON_FACES: [[usize; 3]; 4] = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];

/// The same with the mid-edge nodes that follow each corner.
const QUADRATIC_TETRAHEDRON_FACES: [[usize; 6]; 4] =
    [[0, 2, 1, 6, 5, 4], [0, 1, 3, 4, 9, 7], [1, 2, 3, 5, 8, 9], [2, 0, 3, 6, 7, 8]];

/// Corners of the faces of a hexahedron, counter-clockwise seen from outside.
const HEXAHEDRON_FACES: [[usize; 4]; 6] =
    [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]];

/// Node numbers of an element, from 0, in the order of Gmsh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// Linear tetrahedron; its volume `(x1 - x0) × (x2 - x0) · (x3 - x0) / 6` is positive.
    Tet4([u32; 4]),
    /// Quadratic tetrahedron: corners, then the nodes of the edges in [`TETRAHEDRON_EDGES`].
    Tet10([u32; 10]),
    /// Trilinear hexahedron: round the lower face, then the nodes above.
    Hex8([u32; 8]),
}

/// A face of an element, with the mid-edge nodes where there are any; counter-clockwise seen from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// Three corners.
    Triangle3([u32; 3]),
    /// Three corners, then the nodes on the edges that follow them.
    Triangle6([u32; 6]),
    /// Four corners.
    Quadrilateral4([u32; 4]),
}

impl Element {
    /// All nodes.
    pub fn nodes(&self) -> &[u32] {
        match self {
            Element::Tet4(nodes) => nodes,
            Element::Tet10(nodes) => nodes,
            Element::Hex8(nodes) => nodes,
        }
    }

    /// For messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Element::Tet4(_) => "4-node tetrahedron",
            Element::Tet10(_) => "10-node tetrahedron",
            Element::Hex8(_) => "8-node hexahedron",
        }
    }

    /// All faces.
    pub fn faces(&self) -> impl Iterator<Item = Face> {
        let element = *self;
        (0..6).filter_map(move |face| match element {
            Element::Tet4(nodes) => {
                TETRAHEDRON_FACES.get(face).map(|corners| Face::Triangle3(corners.map(|corner| nodes[corner])))
            }
            Element::Tet10(nodes) => {
                QUADRATIC_TETRAHEDRON_FACES.get(face).map(|all| Face::Triangle6(all.map(|node| nodes[node])))
            }
            Element::Hex8(nodes) => {
                HEXAHEDRON_FACES.get(face).map(|corners| Face::Quadrilateral4(corners.map(|corner| nodes[corner])))
            }
        })
    }
}

impl Face {
    /// All nodes.
    pub fn nodes(&self) -> &[u32] {
        match self {
            Face::Triangle3(nodes) => nodes,
            Face::Triangle6(nodes) => nodes,
            Face::Quadrilateral4(nodes) => nodes,
        }
    }

    /// The corners in ascending order, filled up with the largest number: the same for both elements at a face.
    pub(super) fn key(&self) -> [u32; 4] {
        let mut key = match *self {
            Face::Triangle3([a, b, c]) | Face::Triangle6([a, b, c, ..]) => [a, b, c, u32::MAX],
            Face::Quadrilateral4(corners) => corners,
        };
        key.sort_unstable();
        key
    }

    /// Triangles on the face's nodes: one, four, or two; counter-clockwise seen from outside.
    pub fn triangles(&self) -> Vec<[u32; 3]> {
        match *self {
            Face::Triangle3(corners) => vec![corners],
            Face::Triangle6([a, b, c, ab, bc, ca]) => vec![[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]],
            Face::Quadrilateral4([a, b, c, d]) => vec![[a, b, c], [a, c, d]],
        }
    }
}
