//! Tree against tree: pairs of faces whose boxes overlap.

use super::{CenteredBox, Disc, FaceTree, FaceVolume, OverlapStack};
use crate::math::{Grid, Matrix, Pose, Vector};
use crate::mesh::FaceIndex;

/// Room for rounding, and for rotations that are orthogonal to 10⁻¹² only, in the square of the sine of an
/// angle; dimensionless.
const SQUARED_SINE_ERROR: f64 = 1e-11;

/// How the boxes of tree F lie in the frame of tree E; made once per search.
#[derive(Clone, Copy, Debug)]
pub struct RelativeFrame {
    rotation: Matrix,
    inverse_rotation: Matrix,
    translation: Vector,
    abs_rotation: Matrix,
    abs_inverse_rotation: Matrix,
    margin: f64,
    grid: Grid,
    /// For each axis of E, the axis of F that is parallel to it, exactly.
    parallel: [Option<ParallelAxis>; 3],
}

/// An axis of F along one of E: of each point the coordinate in E depends on this one in F alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParallelAxis {
    of_f: usize,
    factor: f64,
    offset: f64,
}

/// How two nodes lie along the axes that E and F have in common, to the last bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tie {
    /// Nowhere do their ends coincide.
    None,
    /// Ends coincide, and no face of one intersects a face of the other.
    Apart,
    /// Ends coincide, and does not tell them apart.
    Together,
}

impl RelativeFrame {
    /// Boxes count as overlapping when they are closer along every axis than vertices may be moved to the grid.
    pub fn new(pose_ef: &Pose, grid: Grid) -> Self {
        let rotation = *pose_ef.rotation.matrix();
        let inverse_rotation = rotation.transpose();
        let translation = pose_ef.translation.vector;
        let parallel = [0, 1, 2].map(|axis| {
            let mut others = (0..3).filter(|&of_f| rotation[(axis, of_f)] != 0.0);
            let only = others.next().filter(|_| others.next().is_none());
            only.map(|of_f| ParallelAxis { of_f, factor: rotation[(axis, of_f)], offset: translation[axis] })
        });
        RelativeFrame {
            rotation,
            inverse_rotation,
            translation,
            abs_rotation: rotation.abs(),
            abs_inverse_rotation: inverse_rotation.abs(),
            margin: grid.box_margin(),
            grid,
            parallel,
        }
    }

    /// Whether the faces below two nodes may intersect: neither their discs nor their boxes are apart.
    #[inline]
    pub fn nodes_touch(&self, node_e: &FaceVolume, node_f: &FaceVolume) -> bool {
        self.discs_touch(&node_e.disc, &node_f.disc)
            && self.overlaps(&node_e.bounds, &node_f.bounds)
            && self.tie(&node_e.bounds, &node_f.bounds) != Tie::Apart
    }

    /// The axes that E and F have in common; ties outlast every motion that keeps them.
    pub(super) fn parallel_axes(&self) -> &[Option<ParallelAxis>; 3] {
        &self.parallel
    }

    /// How two boxes lie along common axes where their ends coincide, as of faces in one plane and of edges that end
    /// there. Predicates see F a little farther along all axes of E: where F begins where E ends, they do not intersect.
    #[inline]
    pub(super) fn tie(&self, e: &CenteredBox, f: &CenteredBox) -> Tie {
        let mut tie = Tie::None;
        for (axis, parallel) in self.parallel.iter().enumerate() {
            let Some(parallel) = parallel else { continue };
            let ([low_e, high_e], [low_f, high_f]) = self.ends_along(axis, parallel, e, f);
            if (low_f - high_e).abs() <= self.margin || (low_e - high_f).abs() <= self.margin {
                if high_e <= low_f || high_f < low_e {
                    return Tie::Apart;
                }
                tie = Tie::Together;
            }
        }
        tie
    }

    /// Where two boxes begin and end along a common axis, on the grid.
    #[inline]
    fn ends_along(
        &self,
        axis: usize,
        &ParallelAxis { of_f, factor, offset }: &ParallelAxis,
        e: &CenteredBox,
        f: &CenteredBox,
    ) -> ([f64; 2], [f64; 2]) {
        let on_grid = |x: f64| self.grid.snap_coordinate(x);
        let ends_e = [on_grid(e.center[axis] - e.half[axis]), on_grid(e.center[axis] + e.half[axis])];
        let [one, other] = [f.center[of_f] - f.half[of_f], f.center[of_f] + f.half[of_f]];
        let ends_f = [on_grid(factor * one + offset), on_grid(factor * other + offset)];
        (ends_e, [ends_f[0].min(ends_f[1]), ends_f[0].max(ends_f[1])])
    }

    /// Whether two discs may overlap: separated along neither normal, nor along the line between their
    /// centres.
    #[inline]
    pub fn discs_touch(&self, e: &Disc, f: &Disc) -> bool {
        let distance = self.rotation * f.center + self.translation - e.center;
        let radii = e.radius + f.radius + self.margin;
        if radii * radii < distance.norm_squared() {
            return false;
        }
        // Along the normal of one disc, the other reaches as far as its height and its radius, seen at
        // the angle between the normals.
        let normal_f = self.rotation * f.normal;
        let cosine = e.normal.dot(&normal_f).abs();
        let sine = (1.0 + SQUARED_SINE_ERROR - cosine * cosine).max(0.0).sqrt();
        distance.dot(&e.normal).abs() <= e.half_height + cosine * f.half_height + sine * f.radius + self.margin
            && distance.dot(&normal_f).abs() <= f.half_height + cosine * e.half_height + sine * e.radius + self.margin
    }

    /// By how much the faces below two nodes are apart, in m; negative where nothing tells them apart, by how much they
    /// would have to move for that. Positive where [`Self::nodes_touch`] is false, but for rounding. Common axes along
    /// which they nearly touch are left out, and whether there are any comes with it: [`Self::tie`] decides there.
    pub(super) fn clearance(&self, node_e: &FaceVolume, node_f: &FaceVolume) -> (f64, bool) {
        let (e, f) = (&node_e.disc, &node_f.disc);
        let distance = self.rotation * f.center + self.translation - e.center;
        let normal_f = self.rotation * f.normal;
        let cosine = e.normal.dot(&normal_f).abs();
        let sine = (1.0 + SQUARED_SINE_ERROR - cosine * cosine).max(0.0).sqrt();
        let mut clearance = (distance.norm() - e.radius - f.radius)
            .max(distance.dot(&e.normal).abs() - e.half_height - cosine * f.half_height - sine * f.radius)
            .max(distance.dot(&normal_f).abs() - f.half_height - cosine * e.half_height - sine * e.radius);
        let (box_e, box_f) = (&node_e.bounds, &node_f.bounds);
        let distance_e = self.rotation * box_f.center + self.translation - box_e.center;
        let reach_e = box_e.half + self.abs_rotation * box_f.half;
        let distance_f = self.inverse_rotation * distance_e;
        let reach_f = box_f.half + self.abs_inverse_rotation * box_e.half;
        let mut is_left_out = [false; 3];
        for axis in 0..3 {
            let along_e = distance_e[axis].abs() - reach_e[axis];
            if let Some(parallel) = self.parallel[axis].filter(|_| along_e.abs() <= 2.0 * self.margin) {
                is_left_out[parallel.of_f] = true;
            } else {
                clearance = clearance.max(along_e);
            }
        }
        for axis in (0..3).filter(|&axis| !is_left_out[axis]) {
            clearance = clearance.max(distance_f[axis].abs() - reach_f[axis]);
        }
        (clearance - self.margin, is_left_out.contains(&true))
    }

    /// Whether a box of E and a box of F may overlap: separated along none of the six face normals.
    #[inline]
    pub fn overlaps(&self, box_e: &CenteredBox, box_f: &CenteredBox) -> bool {
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

impl FaceTree {
    /// Calls `visit` with every pair of leaves (faces of `self` = E, faces of F) that may touch, and
    /// returns how many pairs of nodes it tested. The order of the visits depends on the arguments only.
    pub fn overlapping_leaves(
        &self,
        tree_f: &FaceTree,
        frame: &RelativeFrame,
        stack: &mut OverlapStack,
        mut visit: impl FnMut(&[FaceIndex], &[FaceIndex]),
    ) -> u32 {
        let OverlapStack(stack) = stack;
        stack.clear();
        stack.push((0, 0));
        self.search_from(tree_f, frame, stack, &mut visit)
    }

    /// The search below the pairs of nodes on the stack.
    pub(super) fn search_from(
        &self,
        tree_f: &FaceTree,
        frame: &RelativeFrame,
        stack: &mut Vec<(u32, u32)>,
        mut visit: impl FnMut(&[FaceIndex], &[FaceIndex]),
    ) -> u32 {
        let mut tests = 0u32;
        while let Some(nodes) = stack.pop() {
            let (node_e, node_f) = (self.node(nodes.0), tree_f.node(nodes.1));
            tests = tests.saturating_add(1);
            if !frame.nodes_touch(&node_e.volume, &node_f.volume) {
                continue;
            }
            if node_e.is_leaf() && node_f.is_leaf() {
                visit(self.leaf_items(node_e), tree_f.leaf_items(node_f));
            } else {
                self.push_children(tree_f, nodes, stack);
            }
        }
        tests
    }

    /// Pushes the pairs of nodes below a pair that is not one of leaves.
    #[inline]
    pub(super) fn push_children(&self, tree_f: &FaceTree, nodes: (u32, u32), stack: &mut Vec<(u32, u32)>) {
        stack.extend(self.child_pairs(tree_f, nodes));
    }

    /// The pairs of nodes below a pair that is not one of leaves: the larger node is opened, since the pair shrinks
    /// fastest then. Which one does not depend on the pose.
    #[inline]
    pub(super) fn child_pairs(&self, tree_f: &FaceTree, (index_e, index_f): (u32, u32)) -> [(u32, u32); 2] {
        let (node_e, node_f) = (self.node(index_e), tree_f.node(index_f));
        let opens_e = node_f.is_leaf() || (!node_e.is_leaf() && node_e.volume.disc.radius >= node_f.volume.disc.radius);
        if opens_e {
            self.children(index_e).map(|child| (child, index_f))
        } else {
            tree_f.children(index_f).map(|child| (index_e, child))
        }
    }

    /// As [`Self::overlapping_leaves`], with every pair of faces.
    #[cfg(test)]
    pub fn overlapping_pairs(
        &self,
        tree_f: &FaceTree,
        frame: &RelativeFrame,
        stack: &mut OverlapStack,
        mut visit: impl FnMut(FaceIndex, FaceIndex),
    ) -> u32 {
        self.overlapping_leaves(tree_f, frame, stack, |faces_e, faces_f| {
            for &face_e in faces_e {
                for &face_f in faces_f {
                    visit(face_e, face_f);
                }
            }
        })
    }
}
