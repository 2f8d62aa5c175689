//! Tree against tree in a pose close to the last one.
//!
//! A search is a sequence of tests: does a pair of nodes touch? The cache keeps the sequence of one search, with the
//! motion that each answer surely outlasts. In a pose nearby most answers are known without a test; the others are
//! found anew, and where one differs the search goes on from there as it would have without a cache. Visits, their
//! order and the number of tests are those of [`FaceTree::overlapping_leaves`], whatever was searched before.

use super::overlap_pairs::{ParallelAxis, Tie};
use super::{FaceTree, LEAF_FACES, OverlapStack, RelativeFrame};
use crate::math::Pose;
use crate::mesh::FaceIndex;

/// Pairs of faces in a pair of leaves.
pub const LEAF_PAIRS: usize = LEAF_FACES * LEAF_FACES;

/// Part of the sizes and distances in a test by which rounding may move its limit; dimensionless. The tests are rounded
/// by some 10⁻¹⁵ of them.
const TEST_ROUNDING: f64 = 1e-12;

/// By how much the sine of the angle between two discs may change without a rotation; dimensionless. Matrices are
/// rotations to 10⁻¹² only, and so much in the square of a sine that is not below 10⁻¹¹ is 10⁻⁶ in the sine.
const SINE_ROUNDING: f64 = 2e-6;

/// The sequence is written anew when more than one answer in this many had to be found again.
const RENEWAL: usize = 6;

/// After a sequence that was of no use, so many searches pass before the next one is kept.
const PATIENCE: u32 = 16;

/// One test of a search.
#[derive(Clone, Copy, Debug)]
struct Record {
    nodes: (u32, u32),
    /// Motion that the answer outlasts, in m.
    slack: f64,
    /// Where the tests below this one end in the sequence.
    end: u32,
    /// Pairs of faces of two leaves that touch; [`NO_PAIRS`] otherwise.
    pairs: u32,
    touches: bool,
    /// Whether the answer holds only while F lies as it did along the axes that both bodies have in common.
    is_tied: bool,
}

impl Record {
    /// Motion that the answer outlasts, in m; `are_ties_kept` tells whether F lies as it did along common axes.
    #[inline]
    fn slack(&self, are_ties_kept: bool) -> f64 {
        if self.is_tied && !are_ties_kept { f64::NEG_INFINITY } else { self.slack }
    }
}

const NO_PAIRS: u32 = u32::MAX;

/// What a visit needs to know about the pairs of faces in two leaves.
pub struct LeafPairs<'a> {
    /// Motion since the pose in which the slacks were found, in m; infinite where none were.
    pub moved: f64,
    /// While the motion is smaller, no pair needs a visit.
    pub least_slack: f64,
    /// Whether slacks are wanted.
    pub is_reference: bool,
    /// Motion that what is known of a pair of faces surely outlasts, in m: face of E times [`LEAF_FACES`] plus face of F.
    /// Where a leaf has fewer faces, the others stay at [`f64::INFINITY`].
    pub slack: &'a mut [f64; LEAF_PAIRS],
    /// What is known of each pair, in the visitor's terms; zero where it needs no visit while it is known.
    pub notes: &'a mut [u8; LEAF_PAIRS],
}

/// A pair of leaves that touch in the sequence.
#[derive(Clone, Copy, Debug)]
struct LeafRecord {
    nodes: (u32, u32),
    slack: [f64; LEAF_PAIRS],
    notes: [u8; LEAF_PAIRS],
    /// While the motion is smaller, no pair needs a visit.
    least_slack: f64,
}

/// The sequence of one search.
#[derive(Clone, Debug, Default)]
pub struct SearchCache {
    /// The surfaces of the sequence, by the caller's numbers, and its pose.
    reference: Option<([u64; 2], Pose)>,
    /// The axes that both bodies had in common there.
    parallel_axes: [Option<ParallelAxis>; 3],
    /// Whether they still have, in the pose at hand.
    are_ties_kept: bool,
    records: Vec<Record>,
    leaves: Vec<LeafRecord>,
    /// Tests with less slack than the horizon, in m.
    uncertain: Vec<u32>,
    horizon: f64,
    /// Tests without any slack, as of bodies with faces in one plane: these have to be found again in any case.
    never_certain: usize,
    /// Searches that made use of the sequence.
    uses: u32,
    /// Searches to go without a sequence.
    pause: u32,
}

impl SearchCache {
    /// Motion of any point since the reference pose, in m; infinite without one.
    fn moved(&self, surfaces: [u64; 2], pose: &Pose, lever: f64) -> f64 {
        match &self.reference {
            Some((of, reference)) if *of == surfaces => {
                let turned = (pose.rotation.matrix() - reference.rotation.matrix()).norm();
                (pose.translation.vector - reference.translation.vector).norm() + turned * lever
            }
            _ => f64::INFINITY,
        }
    }

    /// Takes note of a search, in which so many tests had to be made.
    fn finish_use(&mut self, found_again: usize) {
        self.uses += 1;
        if self.records.len() < RENEWAL * found_again.saturating_sub(self.never_certain) {
            self.forget();
        }
    }

    fn forget(&mut self) {
        self.reference = None;
        self.pause = if self.uses == 0 { PATIENCE } else { 0 };
        self.uses = 0;
    }
}

impl FaceTree {
    /// As [`Self::overlapping_leaves`], by way of a cache. `surfaces` tells the pairs of trees apart that the cache has
    /// met; `pose_ef` is the one that `frame` was made of.
    #[allow(clippy::too_many_arguments)]
    pub fn overlapping_leaves_nearby(
        &self,
        tree_f: &FaceTree,
        surfaces: [u64; 2],
        pose_ef: &Pose,
        frame: &RelativeFrame,
        stack: &mut OverlapStack,
        cache: &mut SearchCache,
        mut visit: impl FnMut(&[FaceIndex], &[FaceIndex], LeafPairs),
    ) -> u32 {
        let lever = lever(self, tree_f);
        let moved = cache.moved(surfaces, pose_ef, lever);
        let reach = lever + self.bounds().center.norm() + pose_ef.translation.vector.norm();
        let are_ties_kept = cache.parallel_axes == *frame.parallel_axes();
        if cache.are_ties_kept != are_ties_kept {
            (cache.are_ties_kept, cache.horizon) = (are_ties_kept, 0.0);
        }
        if moved < lever {
            return self.replay(tree_f, moved, frame, stack, cache, visit);
        }
        if cache.reference.is_some() {
            cache.forget();
        }
        if 0 < cache.pause {
            cache.pause -= 1;
            return self.overlapping_leaves(tree_f, frame, stack, |faces_e, faces_f| {
                visit(faces_e, faces_f, unknown(&mut [0.0; LEAF_PAIRS], &mut [0; LEAF_PAIRS]));
            });
        }
        cache.reference = Some((surfaces, *pose_ef));
        (cache.parallel_axes, cache.are_ties_kept) = (*frame.parallel_axes(), true);
        self.record(tree_f, TEST_ROUNDING * reach, frame, stack, cache, visit)
    }

    /// A search that keeps its sequence.
    fn record(
        &self,
        tree_f: &FaceTree,
        rounding: f64,
        frame: &RelativeFrame,
        OverlapStack(stack): &mut OverlapStack,
        cache: &mut SearchCache,
        mut visit: impl FnMut(&[FaceIndex], &[FaceIndex], LeafPairs),
    ) -> u32 {
        cache.horizon = 0.0;
        let SearchCache { records, leaves, .. } = cache;
        records.clear();
        leaves.clear();
        stack.clear();
        stack.push((0, 0));
        while let Some(nodes) = stack.pop() {
            let (node_e, node_f) = (self.node(nodes.0), tree_f.node(nodes.1));
            let touches = frame.nodes_touch(&node_e.volume, &node_f.volume);
            let (clearance, leaves_out) = frame.clearance(&node_e.volume, &node_f.volume);
            let sizes = node_e.volume.disc.radius + node_f.volume.disc.radius;
            let slack = if touches { -clearance } else { clearance } - rounding - SINE_ROUNDING * sizes;
            let is_apart_by_tie = !touches
                && leaves_out
                && slack <= 0.0
                && frame.tie(&node_e.volume.bounds, &node_f.volume.bounds) == Tie::Apart;
            let slack = if is_apart_by_tie { f64::INFINITY } else { slack };
            let is_tied = is_apart_by_tie || (touches && leaves_out);
            let mut record = Record { nodes, slack, end: 0, pairs: NO_PAIRS, touches, is_tied };
            if touches && node_e.is_leaf() && node_f.is_leaf() {
                record.pairs = leaves.len() as u32;
                let mut leaf =
                    LeafRecord { nodes, slack: [f64::INFINITY; LEAF_PAIRS], notes: [0; LEAF_PAIRS], least_slack: 0.0 };
                let of_leaf = LeafPairs { is_reference: true, ..leaf.pairs(f64::INFINITY) };
                visit(self.leaf_items(node_e), tree_f.leaf_items(node_f), of_leaf);
                if leaf.notes == [0; LEAF_PAIRS] {
                    leaf.least_slack = leaf.slack.iter().fold(f64::INFINITY, |least, &slack| least.min(slack));
                }
                leaves.push(leaf);
            } else if touches {
                self.push_children(tree_f, nodes, stack);
            }
            records.push(record);
        }
        cache.never_certain = records.iter().filter(|record| record.slack <= 0.0).count();
        // A test is followed by those of its first child, these by those of its second.
        for index in (0..records.len()).rev() {
            let has_children = records[index].touches && records[index].pairs == NO_PAIRS;
            let next = index as u32 + 1;
            records[index].end = if has_children {
                let second = records[next as usize].end;
                records[second as usize].end
            } else {
                next
            };
        }
        records.len() as u32
    }

    /// A search through a kept sequence.
    fn replay(
        &self,
        tree_f: &FaceTree,
        moved: f64,
        frame: &RelativeFrame,
        stack: &mut OverlapStack,
        cache: &mut SearchCache,
        mut visit: impl FnMut(&[FaceIndex], &[FaceIndex], LeafPairs),
    ) -> u32 {
        if let Some(found_again) = self.uncertain_tests_unchanged(tree_f, moved, frame, cache) {
            for leaf in &mut cache.leaves {
                let (node_e, node_f) = (self.node(leaf.nodes.0), tree_f.node(leaf.nodes.1));
                visit(self.leaf_items(node_e), tree_f.leaf_items(node_f), leaf.pairs(moved));
            }
            cache.finish_use(found_again);
            return cache.records.len() as u32;
        }
        let SearchCache { records, leaves, are_ties_kept, .. } = cache;
        let (mut index, mut tests, mut found_again) = (0, 0u32, 0);
        while let Some(record) = records.get(index) {
            tests += 1;
            let (node_e, node_f) = (self.node(record.nodes.0), tree_f.node(record.nodes.1));
            let touches = if moved < record.slack(*are_ties_kept) {
                record.touches
            } else {
                found_again += 1;
                frame.nodes_touch(&node_e.volume, &node_f.volume)
            };
            index += 1;
            match (record.touches, touches) {
                (true, true) => {
                    if let Some(leaf) = leaves.get_mut(record.pairs as usize) {
                        visit(self.leaf_items(node_e), tree_f.leaf_items(node_f), leaf.pairs(moved));
                    }
                }
                (true, false) => index = record.end as usize,
                (false, false) => {}
                (false, true) => {
                    let OverlapStack(pending) = &mut *stack;
                    pending.clear();
                    let mut visit_unknown = |faces_e: &[FaceIndex], faces_f: &[FaceIndex]| {
                        visit(faces_e, faces_f, unknown(&mut [0.0; LEAF_PAIRS], &mut [0; LEAF_PAIRS]));
                    };
                    if node_e.is_leaf() && node_f.is_leaf() {
                        visit_unknown(self.leaf_items(node_e), tree_f.leaf_items(node_f));
                    } else {
                        self.push_children(tree_f, record.nodes, pending);
                        tests = tests.saturating_add(self.search_from(tree_f, frame, pending, visit_unknown));
                    }
                }
            }
        }
        cache.finish_use(found_again);
        tests
    }

    /// How many tests the motion may have changed, if it has changed none of them.
    fn uncertain_tests_unchanged(
        &self,
        tree_f: &FaceTree,
        moved: f64,
        frame: &RelativeFrame,
        cache: &mut SearchCache,
    ) -> Option<usize> {
        let SearchCache { records, uncertain, horizon, are_ties_kept, .. } = cache;
        if *horizon <= moved {
            *horizon = (HORIZON * moved).max(f64::MIN_POSITIVE);
            uncertain.clear();
            let with_less = |record: &Record| record.slack(*are_ties_kept) <= *horizon;
            uncertain.extend((0..).zip(&*records).filter(|(_, record)| with_less(record)).map(|(index, _)| index));
        }
        let mut found_again = 0;
        for &index in &*uncertain {
            let record = &records[index as usize];
            if moved < record.slack(*are_ties_kept) {
                continue;
            }
            found_again += 1;
            let (node_e, node_f) = (self.node(record.nodes.0), tree_f.node(record.nodes.1));
            if frame.nodes_touch(&node_e.volume, &node_f.volume) != record.touches {
                return None;
            }
        }
        Some(found_again)
    }
}

/// By how much a motion may grow until the uncertain tests are looked for again; dimensionless.
const HORIZON: f64 = 4.0;

impl LeafRecord {
    /// What a visit needs to know, after a motion by so many m.
    fn pairs(&mut self, moved: f64) -> LeafPairs<'_> {
        let LeafRecord { slack, notes, least_slack, .. } = self;
        LeafPairs { moved, least_slack: *least_slack, is_reference: false, slack, notes }
    }
}

fn unknown<'a>(slack: &'a mut [f64; LEAF_PAIRS], notes: &'a mut [u8; LEAF_PAIRS]) -> LeafPairs<'a> {
    LeafPairs { moved: f64::INFINITY, least_slack: 0.0, is_reference: false, slack, notes }
}

/// A rotation by an angle, or a change of the matrix by as much, moves the limit of no test by more than the angle
/// times this, in m: the farthest point of F moves by its distance from the origin, and distances and sizes in the tests
/// are seen from other directions.
fn lever(tree_e: &FaceTree, tree_f: &FaceTree) -> f64 {
    let (box_e, box_f) = (tree_e.bounds(), tree_f.bounds());
    box_f.center.norm() + 8.0 * (box_e.radius() + box_f.radius())
}
