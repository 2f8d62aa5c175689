//! Gmsh's numbers for kinds of elements.

/// The kinds that the reader understands: volumes for the body, the others for groups of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ElementType {
    Point,
    Line2,
    Line3,
    Triangle3,
    Triangle6,
    Quadrilateral4,
    Quadrilateral8,
    Quadrilateral9,
    Tetrahedron4,
    Tetrahedron10,
    Hexahedron8,
}

impl ElementType {
    /// From Gmsh's number.
    pub fn from_number(number: i32) -> Option<ElementType> {
        Some(match number {
            1 => ElementType::Line2,
            2 => ElementType::Triangle3,
            3 => ElementType::Quadrilateral4,
            4 => ElementType::Tetrahedron4,
            5 => ElementType::Hexahedron8,
            8 => ElementType::Line3,
            9 => ElementType::Triangle6,
            10 => ElementType::Quadrilateral9,
            11 => ElementType::Tetrahedron10,
            15 => ElementType::Point,
            16 => ElementType::Quadrilateral8,
            _ => return None,
        })
    }

    /// At most 10.
    pub fn node_count(self) -> usize {
        match self {
            ElementType::Point => 1,
            ElementType::Line2 => 2,
            ElementType::Line3 | ElementType::Triangle3 => 3,
            ElementType::Quadrilateral4 | ElementType::Tetrahedron4 => 4,
            ElementType::Triangle6 => 6,
            ElementType::Quadrilateral8 | ElementType::Hexahedron8 => 8,
            ElementType::Quadrilateral9 => 9,
            ElementType::Tetrahedron10 => 10,
        }
    }
}

/// What users call the kinds that are not supported.
pub(super) fn unsupported_name(number: i32) -> String {
    let name = match number {
        6 => "6-node prism",
        7 => "5-node pyramid",
        12 => "27-node hexahedron",
        13 => "18-node prism",
        14 => "14-node pyramid",
        17 => "20-node hexahedron",
        18 => "15-node prism",
        19 => "13-node pyramid",
        20..=25 => "triangle of third or higher order",
        26..=28 => "line of third or higher order",
        29..=31 => "tetrahedron of third or higher order",
        92 | 93 => "hexahedron of third or higher order",
        _ => return format!("kind of element with Gmsh's number {number}"),
    };
    format!("{name} (Gmsh's type {number})")
}
