//! Construction of a tree by binned splitting.

use super::{Node, Tree};
use crate::math::{Aabb, Vector};

/// Split planes are tried at this many equidistant places along an axis.
const BINS: usize = 16;

/// An item as the builder sees it.
#[derive(Clone, Copy)]
pub struct BuildItem<I> {
    /// The item.
    pub item: I,
    low: Vector,
    high: Vector,
    /// Where its centre lies between the split planes that are tried.
    bin: u32,
}

impl<I> BuildItem<I> {
    fn center(&self, axis: usize) -> f64 {
        0.5 * self.low[axis] + 0.5 * self.high[axis]
    }
}

/// The box around some items, and that around the centres of their boxes.
#[derive(Clone, Copy)]
struct Extent {
    count: usize,
    low: Vector,
    high: Vector,
    center_low: Vector,
    center_high: Vector,
}

impl Extent {
    const NONE: Extent = {
        let (least, most) = (f64::NEG_INFINITY, f64::INFINITY);
        let (least, most) = (Vector::new(least, least, least), Vector::new(most, most, most));
        Extent { count: 0, low: most, high: least, center_low: most, center_high: least }
    };

    #[inline]
    fn add<I>(&mut self, item: &BuildItem<I>) {
        self.count += 1;
        for axis in 0..3 {
            lower(&mut self.low[axis], item.low[axis]);
            raise(&mut self.high[axis], item.high[axis]);
            let center = item.center(axis);
            lower(&mut self.center_low[axis], center);
            raise(&mut self.center_high[axis], center);
        }
    }

    #[inline]
    fn join(&mut self, other: &Extent) {
        self.count += other.count;
        for axis in 0..3 {
            lower(&mut self.low[axis], other.low[axis]);
            raise(&mut self.high[axis], other.high[axis]);
            lower(&mut self.center_low[axis], other.center_low[axis]);
            raise(&mut self.center_high[axis], other.center_high[axis]);
        }
    }

    fn of<I>(items: &[BuildItem<I>]) -> Self {
        let mut extent = Extent::NONE;
        items.iter().for_each(|item| extent.add(item));
        extent
    }

    /// Items times half the surface of the box: what searching here costs.
    #[inline]
    fn cost(&self) -> f64 {
        let d = self.high - self.low;
        self.count as f64 * (d.x * d.y + d.y * d.z + d.z * d.x)
    }
}

/// As `f64::min`, for numbers only: one instruction.
#[inline]
fn lower(value: &mut f64, other: f64) {
    if other < *value {
        *value = other;
    }
}

#[inline]
fn raise(value: &mut f64, other: f64) {
    if *value < other {
        *value = other;
    }
}

impl<I: Copy, V> Tree<I, V> {
    /// Builds the tree of items with their boxes. `volume` encloses the items of a node, given with their box and whether
    /// they are all; `is_leaf` tells whether several items share a leaf.
    ///
    /// # Panics
    /// Without an item.
    pub fn build(
        items: impl ExactSizeIterator<Item = (I, Aabb)>,
        volume: impl Fn(&[BuildItem<I>], &Aabb, bool) -> V,
        is_leaf: impl Fn(usize, &V) -> bool,
    ) -> Self {
        assert!(0 < items.len(), "a tree needs an item");
        let mut items: Vec<BuildItem<I>> =
            items.map(|(item, Aabb { min: low, max: high })| BuildItem { item, low, high, bin: 0 }).collect();
        let mut tree = Tree { nodes: Vec::with_capacity(items.len()), items: Vec::with_capacity(items.len()) };
        // Depth first with an explicit stack: a hostile mesh cannot overflow the call stack.
        // An entry is a range of items with its extent, and the inner node whose second child it is.
        let mut pending = vec![(0, items.len(), Extent::of(&items), None)];
        while let Some((start, end, extent, parent)) = pending.pop() {
            let index = tree.nodes.len() as u32;
            if let Some(parent) = parent {
                let parent: u32 = parent;
                tree.nodes[parent as usize].offset = index;
            }
            let range = &mut items[start..end];
            let bounds = Aabb { min: extent.low, max: extent.high };
            let volume = volume(range, &bounds, parent.is_none() && start == 0);
            if range.len() == 1 || is_leaf(range.len(), &volume) {
                tree.nodes.push(Node { volume, offset: tree.items.len() as u32, count: range.len() as u32 });
                tree.items.extend(range.iter().map(|item| item.item));
            } else {
                let (first, second) = split(range, &extent);
                let middle = start + first.count;
                tree.nodes.push(Node { volume, offset: 0, count: 0 });
                pending.push((middle, end, second, Some(index)));
                pending.push((start, middle, first, None));
            }
        }
        tree
    }
}

impl<I: Copy> Tree<I, Aabb> {
    /// Builds the tree of items with their boxes, at most `leaf_items` of them in a leaf.
    ///
    /// # Panics
    /// Without an item.
    pub fn of_boxes(items: impl ExactSizeIterator<Item = (I, Aabb)>, leaf_items: usize) -> Self {
        Self::build(items, |_, bounds, _| *bounds, |count, _| count <= leaf_items)
    }
}

/// Reorders the items and returns the extents of the two parts to split them into, neither of which is empty.
///
/// One pass over the items fills the bins, another one sorts the items into the parts: the extents of the parts are
/// those of their bins, so that no further pass is needed below.
fn split<I>(items: &mut [BuildItem<I>], extent: &Extent) -> (Extent, Extent) {
    let width = |axis: usize| extent.center_high[axis] - extent.center_low[axis];
    let axis = (0..3).max_by(|&a, &b| width(a).total_cmp(&width(b))).expect("three axes");
    let (low, high) = (extent.center_low[axis], extent.center_high[axis]);
    let mut bins = [Extent::NONE; BINS];
    for item in items.iter_mut() {
        let place = (item.center(axis) - low) / (high - low) * BINS as f64;
        // All centres equal: 0/0 is NaN, which becomes bin 0.
        let bin = (place as usize).min(BINS - 1);
        item.bin = bin as u32;
        bins[bin].add(item);
    }
    // Cost of every split, that of the part before it first. Empty bins change nothing.
    let mut costs = [0.0; BINS];
    let (mut part, mut cost) = (Extent::NONE, 0.0);
    for bin in 0..BINS - 1 {
        if bins[bin].count != 0 {
            part.join(&bins[bin]);
            cost = part.cost();
        }
        costs[bin + 1] += cost;
    }
    (part, cost) = (Extent::NONE, 0.0);
    for bin in (1..BINS).rev() {
        if bins[bin].count != 0 {
            part.join(&bins[bin]);
            cost = part.cost();
        }
        costs[bin] += cost;
    }
    let best = (1..BINS).min_by(|&a, &b| costs[a].total_cmp(&costs[b])).expect("several bins");

    let middle = partition(items, |item| (item.bin as usize) < best);
    if 0 < middle && middle < items.len() {
        let joined = |bins: &[Extent]| {
            bins.iter().filter(|bin| bin.count != 0).fold(Extent::NONE, |mut part, bin| {
                part.join(bin);
                part
            })
        };
        (joined(&bins[..best]), joined(&bins[best..]))
    } else {
        // Equal centres cannot be told apart: split the list as it is.
        let (first, second) = items.split_at(items.len() / 2);
        (Extent::of(first), Extent::of(second))
    }
}

/// Moves the items that satisfy the predicate to the front and returns their number.
fn partition<I>(items: &mut [BuildItem<I>], is_first: impl Fn(&BuildItem<I>) -> bool) -> usize {
    let mut middle = 0;
    for index in 0..items.len() {
        if is_first(&items[index]) {
            items.swap(index, middle);
            middle += 1;
        }
    }
    middle
}
