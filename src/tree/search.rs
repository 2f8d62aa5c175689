//! Searches through one tree.

use super::Tree;

/// Reused memory of a search.
#[derive(Clone, Debug, Default)]
pub struct OverlapStack(pub(crate) Vec<(u32, u32)>);

impl<I: Copy, V> Tree<I, V> {
    /// Calls `visit` with the items of every leaf whose volume, and every volume above it, satisfies `touches`, until it
    /// returns false; returns whether it never did.
    #[inline]
    pub fn visit_touching(
        &self,
        OverlapStack(stack): &mut OverlapStack,
        mut touches: impl FnMut(&V) -> bool,
        mut visit: impl FnMut(&[I]) -> bool,
    ) -> bool {
        stack.clear();
        stack.push((0, 0));
        while let Some((index, _)) = stack.pop() {
            let node = self.node(index);
            if !touches(&node.volume) {
                continue;
            }
            if !node.is_leaf() {
                stack.extend(self.children(index).map(|child| (child, 0)));
            } else if !visit(self.leaf_items(node)) {
                return false;
            }
        }
        true
    }

    /// Calls `visit` with every item whose volume, and every volume above it, satisfies `touches`.
    #[inline]
    pub fn items_touching(&self, stack: &mut OverlapStack, touches: impl FnMut(&V) -> bool, mut visit: impl FnMut(I)) {
        self.visit_touching(stack, touches, |items| {
            items.iter().for_each(|&item| visit(item));
            true
        });
    }

    /// Calls `visit` with items, those of nearer volumes first. `distance` tells how far a volume is, in any unit;
    /// `is_beyond` tells from that whether the search, which `visit` may narrow down, has no interest in it.
    #[inline]
    pub fn visit_nearest<S>(
        &self,
        OverlapStack(stack): &mut OverlapStack,
        search: &mut S,
        distance: impl Fn(&V) -> f64,
        is_beyond: impl Fn(&S, &V, f64) -> bool,
        mut visit: impl FnMut(&mut S, I),
    ) {
        stack.clear();
        stack.push((0, 0));
        while let Some((index, _)) = stack.pop() {
            let node = self.node(index);
            if is_beyond(search, &node.volume, distance(&node.volume)) {
                continue;
            }
            if node.is_leaf() {
                self.leaf_items(node).iter().for_each(|&item| visit(search, item));
            } else {
                let [first, second] = self.children(index);
                let [near, far] = [first, second].map(|child| distance(&self.node(child).volume));
                stack.extend(if near <= far { [(second, 0), (first, 0)] } else { [(first, 0), (second, 0)] });
            }
        }
    }
}
