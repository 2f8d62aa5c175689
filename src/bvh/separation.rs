//! How far the nodes of two trees are from each other.

use super::{Disc, FaceTree, FaceVolume};
use crate::math::{Matrix, Pose, Vector};

/// Part of coordinates and sizes by which rounding may move a distance, or a lower bound of it; dimensionless. Some tens
/// of operations of 10⁻¹⁶ each lead to either.
const SEPARATION_ROUNDING: f64 = 4e-15;

/// Distances are compared in steps of at least so many times the rounding; dimensionless. Pairs that are equally near,
/// such as those of two flat sides, mostly fall into one step, and all but one of them need no look.
const STEP: f64 = 256.0;

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
    pub fn new(tree_e: &FaceTree, tree_f: &FaceTree, pose_ef: &Pose) -> Self {
        let rotation = *pose_ef.rotation.matrix();
        let inverse_rotation = rotation.transpose();
        let translation = pose_ef.translation.vector;
        let (box_e, box_f) = (tree_e.bounds(), tree_f.bounds());
        let apart = (rotation * box_f.center + translation - box_e.center).norm() + box_e.radius() + box_f.radius();
        let reach = box_e.largest_coordinate() + box_f.largest_coordinate() + translation.amax();
        // A matrix that is not quite a rotation sees distances along its columns a little longer or shorter.
        let distortion = (inverse_rotation * rotation - Matrix::identity()).abs().max();
        let margin = SEPARATION_ROUNDING * (reach + apart) + 4.0 * distortion * apart;
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
    pub(super) fn lower_bound(&self, node_e: &FaceVolume, node_f: &FaceVolume, limit: f64) -> f64 {
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
    fn between_boxes(&self, node_e: &FaceVolume, node_f: &FaceVolume) -> f64 {
        let (box_e, box_f) = (&node_e.bounds, &node_f.bounds);
        let distance_e = self.rotation * box_f.center + self.translation - box_e.center;
        let apart_e = distance_e.abs() - box_e.half - self.abs_rotation * box_f.half;
        let distance_f = self.inverse_rotation * distance_e;
        let apart_f = distance_f.abs() - box_f.half - self.abs_inverse_rotation * box_e.half;
        let squared = |apart: Vector| apart.sup(&Vector::zeros()).norm_squared();
        squared(apart_e).max(squared(apart_f)).sqrt()
    }

    /// Square of the distance of the centres of two nodes, in m².
    pub(super) fn between_centers(&self, node_e: &FaceVolume, node_f: &FaceVolume) -> f64 {
        (self.rotation * node_f.disc.center + self.translation - node_e.disc.center).norm_squared()
    }
}
