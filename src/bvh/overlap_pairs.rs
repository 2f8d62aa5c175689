//! Tree against tree: pairs of faces whose boxes overlap.

use super::{Aabb, Tree};
use crate::math::{Matrix, Pose, Vector};
use crate::mesh::FaceIndex;

/// How the boxes of tree F lie in the frame of tree E; made once per search.
#[derive(Clone, Copy, Debug)]
pub struct RelativeFrame {
    rotation: Matrix,
    inverse_rotation: Matrix,
    translation: Vector,
    abs_rotation: Matrix,
    abs_inverse_rotation: Matrix,
    margin: f64,
}

impl RelativeFrame {
    /// Boxes count as overlapping when they are closer than `margin` metres along every axis.
    pub fn new(pose_ef: &Pose, margin: f64) -> Self {
        let rotation = *pose_ef.rotation.matrix();
        let inverse_rotation = rotation.transpose();
        RelativeFrame {
            rotation,
            inverse_rotation,
            translation: pose_ef.translation.vector,
            abs_rotation: rotation.abs(),
            abs_inverse_rotation: inverse_rotation.abs(),
            margin,
        }
    }

    /// Whether a box of E and a box of F may overlap: separated along none of the six face normals.
    #[inline]
    pub fn overlaps(&self, box_e: &Aabb, box_f: &Aabb) -> bool {
        let distance_e = self.rotation * box_f.center + self.translation - box_e.center;
        let reach_e = box_e.half + self.abs_rotation * box_f.half;
        if (0..3).any(|axis| distance_e[axis].abs() > reach_e[axis] + self.margin) {
            return false;
        }
        let distance_f = self.inverse_rotation * distance_e;
        let reach_f = box_f.half + self.abs_inverse_rotation * box_e.half;
        (0..3).all(|axis| distance_f[axis].abs() <= reach_f[axis] + self.margin)
    }
}

/// Reused memory of a search.
#[derive(Clone, Debug, Default)]
pub struct OverlapStack(pub(super) Vec<(u32, u32)>);

impl Tree {
    /// Calls `visit` with every pair of faces (of `self` = E, of F) whose leaf boxes overlap, and
    /// returns how many pairs of boxes it tested. The order of the visits depends on the arguments only.
    pub fn overlapping_pairs(
        &self,
        tree_f: &Tree,
        frame: &RelativeFrame,
        stack: &mut OverlapStack,
        mut visit: impl FnMut(FaceIndex, FaceIndex),
    ) -> u32 {
        let OverlapStack(stack) = stack;
        stack.clear();
        stack.push((0, 0));
        let mut tests = 0u32;
        while let Some((index_e, index_f)) = stack.pop() {
            let (node_e, node_f) = (&self.nodes[index_e as usize], &tree_f.nodes[index_f as usize]);
            tests = tests.saturating_add(1);
            if !frame.overlaps(&node_e.bounds, &node_f.bounds) {
                continue;
            }
            match (node_e.count > 0, node_f.count > 0) {
                (true, true) => {
                    for &face_e in self.leaf_faces(node_e) {
                        for &face_f in tree_f.leaf_faces(node_f) {
                            visit(face_e, face_f);
                        }
                    }
                }
                // Descend into the larger box: the pair shrinks fastest.
                (false, true) => stack.extend(self.children(index_e).map(|child| (child, index_f))),
                (true, false) => stack.extend(tree_f.children(index_f).map(|child| (index_e, child))),
                (false, false) => {
                    if node_e.bounds.half.norm_squared() >= node_f.bounds.half.norm_squared() {
                        stack.extend(self.children(index_e).map(|child| (child, index_f)));
                    } else {
                        stack.extend(tree_f.children(index_f).map(|child| (index_e, child)));
                    }
                }
            }
        }
        tests
    }
}
