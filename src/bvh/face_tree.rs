//! The tree of the faces of a mesh.

use super::Disc;
use crate::math::{Aabb, Vector};
use crate::mesh::{FaceIndex, TriangleMesh};
use crate::tree::{BuildItem, Node, Tree};

/// Leaves hold at most this many faces. One triangle test costs about as much as two box tests, so
/// larger leaves lose more in the former than they save in the latter.
pub const LEAF_FACES: usize = 2;

/// Two faces share a leaf only if their disc is thinner than this part of its radius; dimensionless. The planes of two
/// large faces at an angle tell much apart, their common disc nothing; faces of a fine surface are far below.
const FLAT_LEAF: f64 = 0.05;

/// Nodes with more faces than this are bounded by boxes and balls only: they are seldom flat, and the time
/// to build the tree counts.
const FLAT_FACES: usize = 1024;

/// A tree over the faces of a mesh.
pub type FaceTree = Tree<FaceIndex, FaceVolume>;

/// A node of such a tree.
pub type FaceNode = Node<FaceVolume>;

/// What encloses the faces below a node.
#[derive(Clone, Copy, Debug)]
pub struct FaceVolume {
    /// Encloses all faces.
    pub bounds: CenteredBox,
    /// Encloses them too; thin where they are nearly flat, whatever their direction.
    pub disc: Disc,
}

/// A box as searches want it: centre and half extents in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CenteredBox {
    /// Centre.
    pub center: Vector,
    /// Half extents, none negative.
    pub half: Vector,
}

impl CenteredBox {
    /// Around a box; rounding never makes it smaller.
    pub fn around(bounds: &Aabb) -> Self {
        // Halving before adding cannot overflow.
        let center = 0.5 * bounds.min + 0.5 * bounds.max;
        // Measured from the rounded centre; `next_up` makes up for the rounding of the difference.
        let half = (bounds.max - center).sup(&(center - bounds.min)).map(f64::next_up);
        CenteredBox { center, half }
    }

    /// Whether all points have the same coordinate along an axis; a box that is flat has the smallest half extent there.
    #[inline]
    pub fn is_flat(&self, axis: usize) -> bool {
        self.half[axis] < f64::MIN_POSITIVE
    }

    /// Distance from the centre to a corner.
    pub fn radius(&self) -> f64 {
        self.half.norm()
    }

    /// The largest magnitude of a coordinate of any point in the box.
    pub fn largest_coordinate(&self) -> f64 {
        (self.center.abs() + self.half).max()
    }
}

impl FaceTree {
    /// Builds the tree of all faces of a mesh.
    ///
    /// # Panics
    /// Without a face.
    pub fn of_mesh(mesh: &TriangleMesh) -> Self {
        let faces = (0..mesh.faces.len() as u32).map(FaceIndex);
        let items = faces.map(|face| (face, Aabb::of(&mesh.corners(face))));
        let volume = |items: &[BuildItem<FaceIndex>], bounds: &Aabb, is_root: bool| {
            let bounds = CenteredBox::around(bounds);
            FaceVolume { bounds, disc: disc(mesh, items, &bounds, is_root) }
        };
        Self::build(items, volume, |count, FaceVolume { disc, .. }| {
            count <= LEAF_FACES && disc.half_height < FLAT_LEAF * disc.radius
        })
    }

    /// The box around everything.
    pub fn bounds(&self) -> &CenteredBox {
        &self.root().volume.bounds
    }
}

/// The disc around some faces.
fn disc(mesh: &TriangleMesh, items: &[BuildItem<FaceIndex>], bounds: &CenteredBox, is_root: bool) -> Disc {
    if FLAT_FACES < items.len() && !is_root {
        return Disc::ball(bounds.center, bounds.radius());
    }
    let corners = items.iter().flat_map(|item| mesh.corners(item.item));
    // Twice the sum of the area vectors, from the corners of each face alone.
    let normal = items.iter().fold(Vector::zeros(), |sum, item| {
        let [a, b, c] = mesh.corners(item.item);
        sum + (b - a).cross(&(c - a))
    });
    Disc::around(corners, bounds.center, normal)
}
