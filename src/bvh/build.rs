//! Construction of a tree by binned splitting.

use super::{Aabb, Disc, Node, Tree};
use crate::math::Vector;
use crate::mesh::{FaceIndex, TriangleMesh};

/// Leaves hold at most this many faces. One triangle test costs about as much as two box tests, so
/// larger leaves lose more in the former than they save in the latter.
pub const LEAF_FACES: usize = 2;

/// Nodes with more faces than this are bounded by boxes and balls only: they are seldom flat, and the time
/// to build the tree counts.
const FLAT_FACES: usize = 1024;

/// Split planes are tried at this many equidistant places along an axis.
const BINS: usize = 16;

/// A face as the builder sees it.
#[derive(Clone, Copy)]
struct Item {
    face: FaceIndex,
    low: Vector,
    high: Vector,
}

impl Item {
    fn center(&self, axis: usize) -> f64 {
        0.5 * self.low[axis] + 0.5 * self.high[axis]
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
                Item { face: FaceIndex(face), low: a.inf(&b).inf(&c), high: a.sup(&b).sup(&c) }
            })
            .collect();
        let mut tree = Tree { nodes: Vec::with_capacity(items.len()), faces: Vec::with_capacity(items.len()) };
        // Depth first with an explicit stack: a hostile mesh cannot overflow the call stack.
        // An entry is a range of items and the inner node whose second child it is.
        let mut pending = vec![(0, items.len(), None)];
        while let Some((start, end, parent)) = pending.pop() {
            let index = tree.nodes.len() as u32;
            if let Some(parent) = parent {
                let parent: u32 = parent;
                tree.nodes[parent as usize].offset = index;
            }
            let range = &mut items[start..end];
            let (low, high) =
                range.iter().fold((range[0].low, range[0].high), |(l, h), i| (l.inf(&i.low), h.sup(&i.high)));
            let bounds = Aabb::from_corners(low, high);
            let disc = disc(mesh, range, &bounds, parent.is_none() && start == 0);
            if range.len() <= LEAF_FACES {
                tree.nodes.push(Node { bounds, disc, offset: tree.faces.len() as u32, count: range.len() as u32 });
                tree.faces.extend(range.iter().map(|item| item.face));
            } else {
                let middle = start + split(range);
                tree.nodes.push(Node { bounds, disc, offset: 0, count: 0 });
                pending.push((middle, end, Some(index)));
                pending.push((start, middle, None));
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

/// Reorders the items and returns where to split them; neither side is empty.
fn split(items: &mut [Item]) -> usize {
    let centers = |axis: usize| {
        items.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), item| {
            (low.min(item.center(axis)), high.max(item.center(axis)))
        })
    };
    let ranges = [centers(0), centers(1), centers(2)];
    let (axis, (low, high)) = ranges
        .into_iter()
        .enumerate()
        .max_by(|(_, a), (_, b)| (a.1 - a.0).total_cmp(&(b.1 - b.0)))
        .expect("three axes");
    let bin_of = |item: &Item| {
        let place = (item.center(axis) - low) / (high - low) * BINS as f64;
        // All centres equal: 0/0 is NaN, which becomes bin 0.
        (place as usize).min(BINS - 1)
    };

    let mut counts = [0usize; BINS];
    let mut boxes = [None::<(Vector, Vector)>; BINS];
    for item in items.iter() {
        let bin = bin_of(item);
        counts[bin] += 1;
        boxes[bin] = join(boxes[bin], Some((item.low, item.high)));
    }
    // Cost of every split: faces times surface of the box, on either side.
    let mut costs = [0.0; BINS];
    let (mut count, mut bounds) = (0, None);
    for bin in 0..BINS - 1 {
        count += counts[bin];
        bounds = join(bounds, boxes[bin]);
        costs[bin + 1] += count as f64 * half_surface(bounds);
    }
    (count, bounds) = (0, None);
    for bin in (1..BINS).rev() {
        count += counts[bin];
        bounds = join(bounds, boxes[bin]);
        costs[bin] += count as f64 * half_surface(bounds);
    }
    let best = (1..BINS).min_by(|&a, &b| costs[a].total_cmp(&costs[b])).expect("several bins");

    let middle = partition(items, |item| bin_of(item) < best);
    if 0 < middle && middle < items.len() {
        middle
    } else {
        // Equal centres cannot be told apart: split the list as it is.
        items.len() / 2
    }
}

fn join(a: Option<(Vector, Vector)>, b: Option<(Vector, Vector)>) -> Option<(Vector, Vector)> {
    match (a, b) {
        (Some(a), Some(b)) => Some((a.0.inf(&b.0), a.1.sup(&b.1))),
        (a, b) => a.or(b),
    }
}

fn half_surface(bounds: Option<(Vector, Vector)>) -> f64 {
    bounds.map_or(0.0, |(low, high)| {
        let d = high - low;
        d.x * d.y + d.y * d.z + d.z * d.x
    })
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
