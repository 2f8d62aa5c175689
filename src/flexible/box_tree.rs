//! A tree of boxes whose shape is built once and whose boxes follow the deformation.

use crate::math::{Pose, Vector};

/// A box aligned with the axes of its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bounds {
    pub(super) low: Vector,
    pub(super) high: Vector,
}

impl Bounds {
    /// The box of three points.
    pub(super) fn of_triangle([a, b, c]: &[Vector; 3]) -> Self {
        Bounds { low: a.inf(b).inf(c), high: a.sup(b).sup(c) }
    }

    pub(super) fn of_point(point: Vector) -> Self {
        Bounds { low: point, high: point }
    }

    fn joined(&self, other: &Bounds) -> Self {
        Bounds { low: self.low.inf(&other.low), high: self.high.sup(&other.high) }
    }

    /// Larger by `margin` on every side.
    pub(super) fn inflated(&self, margin: f64) -> Self {
        let margin = Vector::repeat(margin);
        Bounds { low: self.low - margin, high: self.high + margin }
    }

    /// A box in another frame around this one.
    pub(super) fn moved(&self, pose: &Pose) -> Self {
        let (centre, half) = (0.5 * (self.low + self.high), 0.5 * (self.high - self.low));
        let centre = pose.rotation * centre + pose.translation.vector;
        let half = pose.rotation.matrix().abs() * half;
        Bounds { low: centre - half, high: centre + half }
    }

    pub(super) fn overlaps(&self, other: &Bounds) -> bool {
        (0..3).all(|k| self.low[k] <= other.high[k] && other.low[k] <= self.high[k])
    }

    pub(super) fn contains(&self, point: &Vector) -> bool {
        (0..3).all(|k| self.low[k] <= point[k] && point[k] <= self.high[k])
    }

    /// The largest magnitude of a coordinate of any point in the box.
    pub(super) fn largest_coordinate(&self) -> f64 {
        self.low.amax().max(self.high.amax())
    }

    /// Square of the distance of a point; 0 inside.
    fn squared_distance(&self, point: &Vector) -> f64 {
        let outside = (self.low - point).sup(&(point - self.high)).sup(&Vector::zeros());
        outside.norm_squared()
    }
}

/// An inner node has two children, the first right behind it; a leaf has a few items.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// Inner node: the second child. Leaf: its first item.
    offset: u32,
    /// Items of a leaf; 0 marks an inner node.
    count: u32,
}

/// The shape of a tree in depth-first order; the boxes are held by whoever refits them.
#[derive(Clone, Debug)]
pub(super) struct BoxTree {
    nodes: Vec<Node>,
    items: Vec<u32>,
}

/// Items of a leaf at most: testing two triangles costs about as much as descending once more.
const LEAF_ITEMS: usize = 2;

impl BoxTree {
    /// The tree of some items, split at the median along the longest axis.
    pub(super) fn build(bounds: &[Bounds]) -> Self {
        let mut items: Vec<u32> = (0..bounds.len() as u32).collect();
        let mut tree = BoxTree { nodes: Vec::new(), items: Vec::new() };
        let centre = |item: u32, axis: usize| bounds[item as usize].low[axis] + bounds[item as usize].high[axis];
        // An entry is a range of items and the inner node whose second child it is.
        let mut pending = vec![(0, items.len(), None::<usize>)];
        while let Some((start, end, parent)) = pending.pop() {
            let index = tree.nodes.len();
            if let Some(parent) = parent {
                tree.nodes[parent].offset = index as u32;
            }
            let range = &mut items[start..end];
            if range.len() <= LEAF_ITEMS {
                tree.nodes.push(Node { offset: start as u32, count: range.len() as u32 });
                continue;
            }
            let extent = |axis: usize| {
                let (low, high) = range.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &item| {
                    (low.min(centre(item, axis)), high.max(centre(item, axis)))
                });
                high - low
            };
            let extents = [extent(0), extent(1), extent(2)];
            let axis = (1..3).fold(0, |best, axis| if extents[axis] > extents[best] { axis } else { best });
            let middle = range.len() / 2;
            // Ties by index: the tree depends on the geometry only.
            range.select_nth_unstable_by(middle, |&a, &b| centre(a, axis).total_cmp(&centre(b, axis)).then(a.cmp(&b)));
            tree.nodes.push(Node { offset: 0, count: 0 });
            pending.push((start + middle, end, Some(index)));
            pending.push((start, start + middle, None));
        }
        tree.items = items;
        tree
    }

    /// Recomputes all boxes from those of the items; the first is that of the root.
    pub(super) fn refit(&self, item_bounds: impl Fn(u32) -> Bounds, bounds: &mut Vec<Bounds>) {
        bounds.clear();
        bounds.resize(self.nodes.len(), Bounds::of_point(Vector::zeros()));
        for index in (0..self.nodes.len()).rev() {
            let node = self.nodes[index];
            bounds[index] = if node.count > 0 {
                let items = self.leaf_items(&node);
                items[1..].iter().fold(item_bounds(items[0]), |joined, &item| joined.joined(&item_bounds(item)))
            } else {
                bounds[index + 1].joined(&bounds[node.offset as usize])
            };
        }
    }

    /// Calls `visit` with every item whose leaf and all boxes above it overlap `region`.
    pub(super) fn items_in(
        &self,
        bounds: &[Bounds],
        region: &Bounds,
        stack: &mut Vec<u32>,
        mut visit: impl FnMut(u32),
    ) {
        stack.clear();
        if !self.nodes.is_empty() {
            stack.push(0);
        }
        while let Some(index) = stack.pop() {
            if !bounds[index as usize].overlaps(region) {
                continue;
            }
            let node = self.nodes[index as usize];
            if node.count > 0 {
                self.leaf_items(&node).iter().for_each(|&item| visit(item));
            } else {
                stack.extend([node.offset, index + 1]);
            }
        }
    }

    /// Visits items near a point, nearer boxes first. `visit` gets an item and the square of the distance beyond
    /// which nothing matters, and returns that square afterwards.
    pub(super) fn nearest(
        &self,
        bounds: &[Bounds],
        point: &Vector,
        mut limit: f64,
        stack: &mut Vec<u32>,
        mut visit: impl FnMut(u32, f64) -> f64,
    ) {
        stack.clear();
        if !self.nodes.is_empty() {
            stack.push(0);
        }
        while let Some(index) = stack.pop() {
            if bounds[index as usize].squared_distance(point) > limit {
                continue;
            }
            let node = self.nodes[index as usize];
            if node.count > 0 {
                for &item in self.leaf_items(&node) {
                    limit = visit(item, limit);
                }
            } else {
                let (first, second) = (index + 1, node.offset);
                let first_distance = bounds[first as usize].squared_distance(point);
                let second_distance = bounds[second as usize].squared_distance(point);
                if first_distance <= second_distance {
                    stack.extend([second, first]);
                } else {
                    stack.extend([first, second]);
                }
            }
        }
    }

    fn leaf_items(&self, node: &Node) -> &[u32] {
        &self.items[node.offset as usize..(node.offset + node.count) as usize]
    }
}
