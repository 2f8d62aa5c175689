//! Tree against tree: the pair of faces that are nearest to each other.
//!
//! A search keeps the pairs that were almost as near, and how far away all others are at least. After a small motion
//! only the former are measured, as long as the latter cannot have come nearer than the nearest of them.

use super::{FaceTree, Separation};
use crate::math::Pose;
use crate::mesh::FaceIndex;

/// Pairs are kept that are farther away than the nearest by no more than so many times the last motion; dimensionless.
const WINDOW: f64 = 32.0;

/// But at least by so many steps of distance, so that bodies at rest make use of them too; dimensionless.
const SMALLEST_WINDOW: f64 = 4.0;

/// Where more pairs than this are almost as near as the nearest, none are kept: measuring them is no faster than a search.
const MOST_CANDIDATES: usize = 1024;

/// The window is narrowed by no more than this where there are too many pairs in it; dimensionless.
const MOST_NARROWING: f64 = 16.0;

/// After a search that could not keep its pairs, so many pass before the next one tries.
const PATIENCE: u32 = 16;

/// Where in two trees a pair of faces is: leaves, and slots of faces. Both number the faces in the order of the trees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FacePair {
    leaves: (u32, u32),
    slots: (u32, u32),
}

/// Reused memory of searches for the nearest pair. What it keeps of the last ones shortens the next and changes nothing
/// that is found.
#[derive(Clone, Debug, Default)]
pub struct PairMemory {
    /// Lower bounds of distance in m, and nodes.
    stack: Vec<(f64, (u32, u32))>,
    /// The last search: surfaces by the caller's numbers, pose, and the pair found.
    last: Option<([u64; 2], Pose, FacePair)>,
    /// The pose of the kept pairs, and the distance in m that no other pair fell short of.
    reference: Option<(Pose, f64)>,
    /// Kept pairs by their distance in m, or a lower bound of it.
    candidates: Vec<(f64, FacePair)>,
    /// How many times smaller the window is, after searches with too many pairs in it; dimensionless, 0 is none.
    narrowing: f64,
    /// Searches to go that keep nothing.
    pause: u32,
}

/// Motion in m of any point of a tree between two poses.
fn motion(tree: &FaceTree, from: &Pose, to: &Pose) -> f64 {
    let farthest = tree.bounds().center.norm() + tree.bounds().radius();
    let turned = (to.rotation.matrix() - from.rotation.matrix()).norm();
    (to.translation.vector - from.translation.vector).norm() + turned * farthest
}

/// The nearest pair so far.
struct Best<T> {
    pair: FacePair,
    /// Whether its face of E is the first one in its leaf.
    leads_leaf: bool,
    /// Its distance in whole steps.
    steps: f64,
    details: T,
}

/// One search.
struct Search<'a, T, M> {
    trees: [&'a FaceTree; 2],
    separation: &'a Separation,
    measure: M,
    best: Option<Best<T>>,
    /// How much farther away than the nearest a pair is kept, in m; none where nothing is kept.
    window: Option<f64>,
    /// A distance in m that no pair which is not kept falls short of.
    horizon: f64,
}

impl<T, M: FnMut(FaceIndex, FaceIndex, f64) -> Result<(f64, T), f64>> Search<'_, T, M> {
    /// Measures a pair, and takes or keeps it where it is near enough.
    fn offer(&mut self, pair: FacePair, candidates: &mut Vec<(f64, FacePair)>) {
        let limit = self.best.as_ref().map_or(f64::INFINITY, |best| {
            // One that comes later must be nearer by a step.
            let steps = if best.pair.slots < pair.slots { best.steps } else { best.steps + 1.0 };
            steps * self.separation.step() + self.separation.margin()
        });
        let [items_e, items_f] = self.trees.map(FaceTree::items);
        let (face_e, face_f) = (items_e[pair.slots.0 as usize], items_f[pair.slots.1 as usize]);
        let measured = (self.measure)(face_e, face_f, limit);
        let distance = measured.as_ref().map_or_else(|bound| *bound, |(distance, _)| *distance);
        if self.window.is_some() {
            if self.limit() < distance {
                self.horizon = self.horizon.min(distance);
            } else if candidates.len() < MOST_CANDIDATES {
                candidates.push((distance, pair));
            } else {
                self.window = None;
            }
        }
        let Ok((_, details)) = measured else { return };
        let steps = self.separation.steps(distance);
        let is_better = self.best.as_ref().is_none_or(|best| (steps, pair.slots) < (best.steps, best.pair.slots));
        if is_better && !steps.is_nan() {
            let leads_leaf = self.trees[0].node(pair.leaves.0).slots().start == pair.slots.0;
            self.best = Some(Best { pair, leads_leaf, steps, details });
        }
    }

    /// Pairs farther apart than this, in m, are of no interest, even after rounding.
    fn limit(&self) -> f64 {
        self.best.as_ref().map_or(f64::INFINITY, |best| {
            (best.steps + 1.0) * self.separation.step() + self.separation.margin() + self.window.unwrap_or(0.0)
        })
    }

    /// Whether nothing below two nodes, which are apart by this lower bound in m, is of interest.
    #[inline]
    fn dismisses(&mut self, bound: f64, nodes: (u32, u32)) -> bool {
        let Some(best) = &self.best else { return false };
        if self.window.is_some() {
            let is_far = self.limit() < bound;
            if is_far {
                self.horizon = self.horizon.min(bound);
            }
            return is_far;
        }
        // Nodes are numbered in the order of the trees, so that all leaves below one follow it.
        let (leaf_e, leaf_f) = best.pair.leaves;
        let is_earlier = nodes.0 < leaf_e || (nodes.0 == leaf_e && (nodes.1 <= leaf_f || !best.leads_leaf));
        let steps = self.separation.steps(bound);
        best.steps < steps || (best.steps == steps && !is_earlier)
    }

    /// Goes through both trees, nearer nodes first.
    fn descend(&mut self, start: Option<FacePair>, memory: &mut PairMemory) {
        let PairMemory { stack, candidates, .. } = memory;
        let [tree_e, tree_f] = self.trees;
        let separation = self.separation;
        let node_pair = |(e, f): (u32, u32)| (tree_e.node(e), tree_f.node(f));
        stack.clear();
        stack.push((0.0, (0, 0)));
        while let Some((bound, nodes)) = stack.pop() {
            if self.dismisses(bound, nodes) {
                continue;
            }
            let (node_e, node_f) = node_pair(nodes);
            if node_e.is_leaf() && node_f.is_leaf() {
                for slot_e in node_e.slots() {
                    for slot_f in node_f.slots() {
                        let pair = FacePair { leaves: nodes, slots: (slot_e, slot_f) };
                        if start != Some(pair) {
                            self.offer(pair, candidates);
                        }
                    }
                }
                continue;
            }
            let limit = self.limit();
            let mut children = tree_e.child_pairs(tree_f, nodes).map(|nodes| {
                let (node_e, node_f) = node_pair(nodes);
                (separation.lower_bound(&node_e.volume, &node_f.volume, limit).max(bound), nodes)
            });
            let steps = children.map(|(bound, _)| separation.steps(bound));
            // Equally near ones in the order of the trees; the centres decide where all overlap.
            let center = |(_, nodes): (f64, (u32, u32))| {
                let (node_e, node_f) = node_pair(nodes);
                separation.between_centers(&node_e.volume, &node_f.volume)
            };
            let in_order =
                if steps == [0.0; 2] { center(children[0]) <= center(children[1]) } else { steps[0] <= steps[1] };
            if in_order {
                children.reverse();
            }
            for (bound, nodes) in children {
                if !self.dismisses(bound, nodes) {
                    stack.push((bound, nodes));
                }
            }
        }
    }

    /// Measures the kept pairs, if there are any, and tells whether none but them can be the nearest.
    fn recall(&mut self, last: Option<FacePair>, pose_ef: &Pose, memory: &mut PairMemory) -> bool {
        let Some((reference, horizon)) = &memory.reference else { return false };
        // The last nearest pair first: most of the others then need no closer look.
        if let Some(last) = last {
            self.offer(last, &mut Vec::new());
        }
        let (separation, moved) = (self.separation, motion(self.trees[1], reference, pose_ef));
        let least_steps = |distance: f64| separation.steps(distance - moved - 2.0 * separation.margin());
        let is_beyond = |best: &Option<Best<T>>, distance: f64| {
            best.as_ref().is_some_and(|best| best.steps < least_steps(distance))
        };
        for &(distance, pair) in &memory.candidates {
            if is_beyond(&self.best, distance) {
                break;
            }
            if last != Some(pair) {
                self.offer(pair, &mut Vec::new());
            }
        }
        is_beyond(&self.best, *horizon)
    }
}

impl FaceTree {
    /// The nearest pair of faces, as `measure` tells; of several within one [`Separation::step`] the first in the order
    /// of E's tree, then of F's. It depends on trees and pose only.
    ///
    /// `surfaces` tells the pairs of trees apart that the memory has met, `separation` belongs to the pose. `measure`
    /// finds the distance of two faces in m; where that exceeds the limit it is given, a lower bound beyond the limit does.
    pub fn nearest_pair<T>(
        &self,
        tree_f: &FaceTree,
        surfaces: [u64; 2],
        pose_ef: &Pose,
        separation: &Separation,
        memory: &mut PairMemory,
        measure: impl FnMut(FaceIndex, FaceIndex, f64) -> Result<(f64, T), f64>,
    ) -> Option<T> {
        let last = memory.last.take().filter(|(of, ..)| *of == surfaces);
        if last.is_none() {
            memory.reference = None;
            memory.pause = 0;
        }
        let trees = [self, tree_f];
        let mut search = Search { trees, separation, measure, best: None, window: None, horizon: f64::INFINITY };
        let last_pair = last.map(|(.., pair)| pair);
        if !search.recall(last_pair, pose_ef, memory) {
            memory.reference = None;
            memory.candidates.clear();
            let start = search.best.as_ref().map(|best| best.pair).or(last_pair);
            search.best = None;
            search.horizon = f64::INFINITY;
            let keeps = last.is_some() && memory.pause == 0;
            memory.pause = memory.pause.saturating_sub(1);
            search.window = last.filter(|_| keeps).map(|(_, pose, _)| {
                (WINDOW / memory.narrowing.max(1.0) * motion(tree_f, &pose, pose_ef))
                    .max(SMALLEST_WINDOW * separation.step())
            });
            if let Some(start) = start {
                search.offer(start, &mut memory.candidates);
            }
            // Where faces intersect, many pairs are at no distance.
            if search.best.as_ref().is_some_and(|best| best.steps == 0.0) {
                search.window = None;
            }
            search.descend(start, memory);
            if search.window.is_some() {
                memory.candidates.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
                memory.reference = Some((*pose_ef, search.horizon));
                memory.narrowing = (0.5 * memory.narrowing).max(1.0);
            } else if keeps {
                memory.narrowing = 4.0 * memory.narrowing.max(1.0);
                memory.pause = if MOST_NARROWING < memory.narrowing { PATIENCE } else { 0 };
                memory.narrowing = memory.narrowing.min(MOST_NARROWING);
            }
        }
        let best = search.best?;
        memory.last = Some((surfaces, *pose_ef, best.pair));
        Some(best.details)
    }
}
