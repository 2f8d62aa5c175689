//! Construction of a tree by binned splitting.

use super::{Aabb, Disc, Node, Tree};
use crate::math::Vector;
use crate::mesh::{FaceIndex, TriangleMesh};

/// Leaves hold at most this many faces. One triangle test costs about as much as two box tests, so
/// larger leaves lose more in the former than they save in the latter.
pub const LEAF_FACES: usize = 2;

/// Two faces share a leaf only if their disc is thinner than this part of its radius; dimensionless. The planes of two
/// large faces at an angle tell much apart, their common disc nothing; faces of a fine surface are far below.
const FLAT_LEAF: f64 = 0.05;

/// Nodes with more faces than this are bounded by boxes and balls only: they are seldom flat, and the time
/// to build the tree counts.
const FLAT_FACES: usize = 1024;

/// Split planes are tried at this many equidistant places along an axis.
const BINS: usize = 16;

/// A face as the builder sees it.
#[derive(Clone, Copy)]
struct Item {
    low: Vector,
    high: Vector,
    face: FaceIndex,
    /// Where its centre lies between the split planes that are tried.
    bin: u32,
}

impl Item {
    fn center(&self, axis: usize) -> f64 {
        0.5 * self.low[axis] + 0.5 * self.high[axis]
    }
}

/// The box around some faces, and that around the centres of their boxes.
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
    fn add(&mut self, item: &Item) {
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

    fn of(items: &[Item]) -> Self {
        let mut extent = Extent::NONE;
        items.iter().for_each(|item| extent.add(item));
        extent
    }

    /// Faces times half the surface of the box: what searching here costs.
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

impl Tree {
    /// Builds the tree of all faces of a mesh.
    ///
    /// # Panics
    /// Without a face.
    pub fn build(mesh: &TriangleMesh) -> Self {
        assert!(!mesh.faces.is_empty(), "a tree needs a face");
        let mut items: Vec<Item> = (0..mesh.faces.len() as u32)
            .map(|face| {
                let [a, b, c] = mesh.corners(FaceIndex(face));
                Item { face: FaceIndex(face), low: a.inf(&b).inf(&c), high: a.sup(&b).sup(&c), bin: 0 }
            })
            .collect();
        let mut tree = Tree { nodes: Vec::with_capacity(items.len()), faces: Vec::with_capacity(items.len()) };
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
            let bounds = Aabb::from_corners(extent.low, extent.high);
            let disc = disc(mesh, range, &bounds, parent.is_none() && start == 0);
            let is_flat = disc.half_height < FLAT_LEAF * disc.radius;
            if range.len() == 1 || (range.len() <= LEAF_FACES && is_flat) {
                tree.nodes.push(Node { bounds, disc, offset: tree.faces.len() as u32, count: range.len() as u32 });
                tree.faces.extend(range.iter().map(|item| item.face));
            } else {
                let (first, second) = split(range, &extent);
                let middle = start + first.count;
                tree.nodes.push(Node { bounds, disc, offset: 0, count: 0 });
                pending.push((middle, end, second, Some(index)));
                pending.push((start, middle, first, None));
            }
        }
        tree
    }
}

/// The disc around some faces.
fn disc(mesh: &TriangleMesh, items: &[Item], bounds: &Aabb, is_root: bool) -> Disc {
    if FLAT_FACES < items.len() && !is_root {
        return Disc::ball(bounds.center, bounds.radius());
    }
    let corners = items.iter().flat_map(|item| mesh.corners(item.face));
    // Twice the sum of the area vectors, from the corners of each face alone.
    let normal = items.iter().fold(Vector::zeros(), |sum, item| {
        let [a, b, c] = mesh.corners(item.face);
        sum + (b - a).cross(&(c - a))
    });
    Disc::around(corners, bounds.center, normal)
}

/// Reorders the items and returns the extents of the two parts to split them into, neither of which is empty.
///
/// One pass over the items fills the bins, another one sorts the items into the parts: the extents of the parts are
/// those of their bins, so that no further pass is needed below.
fn split(items: &mut [Item], extent: &Extent) -> (Extent, Extent) {
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
fn partition(items: &mut [Item], is_first: impl Fn(&Item) -> bool) -> usize {
    let mut middle = 0;
    for index in 0..items.len() {
        if is_first(&items[index]) {
            items.swap(index, middle);
            middle += 1;
        }
    }
    middle
}
