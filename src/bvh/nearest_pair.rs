//! Tree against tree: the pair of faces that are nearest to each other.

use super::{Disc, Node, Tree};
use crate::math::{Matrix, Pose, Vector};
use crate::mesh::FaceIndex;

/// Part of coordinates and sizes by which rounding may move a distance, or a lower bound of it; dimensionless. Some tens
/// of operations of 10⁻¹⁶ each lead to either.
const ROUNDING: f64 = 2e-14;

/// Distances are compared in steps of at least so many times the rounding; dimensionless. Pairs that are equally near,
/// such as those of two flat sides, mostly fall into one step, and all but one of them need no look.
const STEP: f64 = 64.0;

/// How far the nodes of tree F are from those of tree E in one pose; made once per search.
#[derive(Clone, Copy, Debug)]
pub struct Separation {
    rotation: Matrix,
    inverse_rotation: Matrix,
    translation: Vector,
    abs_rotation: Matrix,
    abs_inverse_rotation: Matrix,
    margin: f64,
    step: f64,
}

impl Separation {
    /// `pose_ef` maps the frame of tree F to that of tree E.
    pub fn new(tree_e: &Tree, tree_f: &Tree, pose_ef: &Pose) -> Self {
        let rotation = *pose_ef.rotation.matrix();
        let inverse_rotation = rotation.transpose();
        let translation = pose_ef.translation.vector;
        let (box_e, box_f) = (tree_e.bounds(), tree_f.bounds());
        let apart = (rotation * box_f.center + translation - box_e.center).norm() + box_e.radius() + box_f.radius();
        let reach = box_e.largest_coordinate() + box_f.largest_coordinate() + translation.amax();
        // A matrix that is not quite a rotation sees distances along its columns a little longer or shorter.
        let distortion = (inverse_rotation * rotation - Matrix::identity()).abs().max();
        let margin = ROUNDING * (reach + apart) + 4.0 * distortion * apart;
        // A power of two, so that small motions do not change it.
        let step = (STEP * margin).log2().ceil().exp2();
        Separation {
            rotation,
            inverse_rotation,
            translation,
            abs_rotation: rotation.abs(),
            abs_inverse_rotation: inverse_rotation.abs(),
            margin,
            step,
        }
    }

    /// How much a distance may be off by rounding, in m.
    pub fn margin(&self) -> f64 {
        self.margin
    }

    /// The distance within which pairs count as equally near, in m: some 10⁻¹² of the size of the scene.
    pub fn step(&self) -> f64 {
        self.step
    }

    /// The whole steps in a distance in m.
    #[inline]
    pub fn steps(&self, distance: f64) -> f64 {
        (distance / self.step).floor()
    }

    /// A distance in m that no two points of the faces below two nodes fall short of, even after rounding; where it
    /// exceeds `limit` nothing larger is looked for.
    #[inline]
    fn lower_bound(&self, node_e: &Node, node_f: &Node, limit: f64) -> f64 {
        let limit = limit + self.margin;
        let bound = self.between_discs(&node_e.disc, &node_f.disc, limit);
        let bound = if limit < bound { bound } else { bound.max(self.between_boxes(node_e, node_f)) };
        (bound - self.margin).max(0.0)
    }

    #[inline]
    fn between_discs(&self, e: &Disc, f: &Disc, limit: f64) -> f64 {
        let between = self.rotation * f.center + self.translation - e.center;
        let distance = between.norm();
        let bound = distance - e.radius - f.radius;
        if limit < bound {
            return bound;
        }
        let normal_f = self.rotation * f.normal;
        let (height_e, height_f) = (e.tight_half_height(), f.tight_half_height());
        // How far a disc reaches along an axis at an angle to its normal.
        let reach =
            |cosine: f64, sine: f64, height: f64, radius: f64| (cosine.abs() * height + sine * radius).min(radius);
        // Along the line of the centres, where surfaces that bulge towards each other are told apart.
        let mut bound = bound;
        if distance > 0.0 {
            let axis = between / distance;
            let reach_e = reach(axis.dot(&e.normal), axis.cross(&e.normal).norm(), height_e, e.radius);
            let reach_f = reach(axis.dot(&normal_f), axis.cross(&normal_f).norm(), height_f, f.radius);
            bound = bound.max(distance - reach_e - reach_f);
            if limit < bound {
                return bound;
            }
        }
        // Along the normals, where flat sides are.
        let (cosine, sine) = (e.normal.dot(&normal_f), e.normal.cross(&normal_f).norm());
        bound
            .max(between.dot(&e.normal).abs() - height_e - reach(cosine, sine, height_f, f.radius))
            .max(between.dot(&normal_f).abs() - height_f - reach(cosine, sine, height_e, e.radius))
    }

    #[inline]
    fn between_boxes(&self, node_e: &Node, node_f: &Node) -> f64 {
        let (box_e, box_f) = (&node_e.bounds, &node_f.bounds);
        let distance_e = self.rotation * box_f.center + self.translation - box_e.center;
        let apart_e = distance_e.abs() - box_e.half - self.abs_rotation * box_f.half;
        let distance_f = self.inverse_rotation * distance_e;
        let apart_f = distance_f.abs() - box_f.half - self.abs_inverse_rotation * box_e.half;
        let squared = |apart: Vector| apart.sup(&Vector::zeros()).norm_squared();
        squared(apart_e).max(squared(apart_f)).sqrt()
    }

    /// Square of the distance of the centres of two nodes, in m².
    fn between_centers(&self, node_e: &Node, node_f: &Node) -> f64 {
        (self.rotation * node_f.disc.center + self.translation - node_e.disc.center).norm_squared()
    }
}

/// Where in two trees a pair of faces is: leaves, and slots of faces. Both number the faces in the order of the trees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FacePair {
    leaves: (u32, u32),
    slots: (u32, u32),
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

impl<T> Best<T> {
    /// Whether a pair below two nodes, which are apart by at least so many steps, may be better.
    #[inline]
    fn may_be_beaten_below(&self, steps: f64, nodes: (u32, u32)) -> bool {
        // Nodes are numbered in the order of the trees, so that all leaves below one follow it.
        let (leaf_e, leaf_f) = self.pair.leaves;
        let is_earlier = nodes.0 < leaf_e || (nodes.0 == leaf_e && (nodes.1 <= leaf_f || !self.leads_leaf));
        steps < self.steps || (steps == self.steps && is_earlier)
    }
}

/// Reused memory of a search: lower bounds of distance in m, and nodes.
#[derive(Clone, Debug, Default)]
pub struct PairStack(Vec<(f64, (u32, u32))>);

impl Tree {
    /// The nearest pair of faces; of several within one [`Separation::step`] the first in the order of E's tree, then of
    /// F's. It depends on trees and pose only: `start`, a pair of the same trees that may be near, only saves time.
    ///
    /// `measure` finds the distance in m of two faces; it may say nothing where that exceeds the limit it is given.
    pub fn nearest_pair<T>(
        &self,
        tree_f: &Tree,
        separation: &Separation,
        start: Option<FacePair>,
        PairStack(stack): &mut PairStack,
        mut measure: impl FnMut(FaceIndex, FaceIndex, f64) -> Option<(f64, T)>,
    ) -> Option<(FacePair, T)> {
        let mut best: Option<Best<T>> = None;
        // Distances of more steps than the best have no say.
        let limit_of =
            |best: &Option<Best<T>>| best.as_ref().map_or(f64::INFINITY, |b| (b.steps + 2.0) * separation.step);
        let mut offer = |pair: FacePair, best: &mut Option<Best<T>>| {
            let (face_e, face_f) = (self.faces[pair.slots.0 as usize], tree_f.faces[pair.slots.1 as usize]);
            let Some((distance, details)) = measure(face_e, face_f, limit_of(best)) else { return };
            let steps = separation.steps(distance);
            let is_before = best.as_ref().is_none_or(|b| (steps, pair.slots) < (b.steps, b.pair.slots));
            if is_before && !steps.is_nan() {
                let leads_leaf = self.nodes[pair.leaves.0 as usize].offset == pair.slots.0;
                *best = Some(Best { pair, leads_leaf, steps, details });
            }
        };
        if let Some(start) = start {
            offer(start, &mut best);
        }
        stack.clear();
        stack.push((0.0, (0, 0)));
        while let Some((bound, nodes)) = stack.pop() {
            if best.as_ref().is_some_and(|best| !best.may_be_beaten_below(separation.steps(bound), nodes)) {
                continue;
            }
            let (node_e, node_f) = (&self.nodes[nodes.0 as usize], &tree_f.nodes[nodes.1 as usize]);
            if 0 < node_e.count && 0 < node_f.count {
                for slot_e in node_e.offset..node_e.offset + node_e.count {
                    for slot_f in node_f.offset..node_f.offset + node_f.count {
                        let pair = FacePair { leaves: nodes, slots: (slot_e, slot_f) };
                        if start != Some(pair) {
                            offer(pair, &mut best);
                        }
                    }
                }
                continue;
            }
            let limit = limit_of(&best);
            let [first, second] = self.child_pairs(tree_f, nodes).map(|nodes| {
                let (node_e, node_f) = (&self.nodes[nodes.0 as usize], &tree_f.nodes[nodes.1 as usize]);
                (separation.lower_bound(node_e, node_f, limit).max(bound), nodes)
            });
            let steps = [separation.steps(first.0), separation.steps(second.0)];
            // Nearer ones first, equally near ones in the order of the trees; the centres decide where all overlap.
            let center = |(_, nodes): (f64, (u32, u32))| {
                separation.between_centers(&self.nodes[nodes.0 as usize], &tree_f.nodes[nodes.1 as usize])
            };
            let in_order = if steps == [0.0; 2] { center(first) <= center(second) } else { steps[0] <= steps[1] };
            let matters = |steps: f64, nodes| best.as_ref().is_none_or(|best| best.may_be_beaten_below(steps, nodes));
            let children = [(steps[0], first), (steps[1], second)];
            for (steps, child) in if in_order { [children[1], children[0]] } else { children } {
                if matters(steps, child.1) {
                    stack.push(child);
                }
            }
        }
        best.map(|best| (best.pair, best.details))
    }

    /// All faces in the order of the tree.
    pub fn faces(&self) -> &[FaceIndex] {
        &self.faces
    }
}
