//! Tree against one region of space.

use super::{Aabb, OverlapStack, Tree};
use crate::mesh::FaceIndex;

impl Tree {
    /// Calls `visit` with every face whose leaf box, and every box above it, satisfies `touches`.
    pub fn faces_touching(
        &self,
        stack: &mut OverlapStack,
        mut touches: impl FnMut(&Aabb) -> bool,
        mut visit: impl FnMut(FaceIndex),
    ) {
        let OverlapStack(stack) = stack;
        stack.clear();
        stack.push((0, 0));
        while let Some((index, _)) = stack.pop() {
            let node = &self.nodes[index as usize];
            if !touches(&node.bounds) {
                continue;
            }
            if node.count > 0 {
                for &face in self.leaf_faces(node) {
                    visit(face);
                }
            } else {
                stack.extend(self.children(index).map(|child| (child, 0)));
            }
        }
    }
}
