//! Which body is looked at from which.
//!
//! A contact pair looks at F from E. What moves is better looked at from what stays: seen from a body that turns, all else
//! swings round it, and straight ways are none. So the lighter body is looked at from the heavier one.

use nalgebra::Matrix6;

use super::{Six, halves, six, wrench_on_f};
use crate::contact::{Deflection, MotionError, Outcome, RelativeMotion};
use crate::math::{Matrix, Pose, Vector, Wrenches};

use super::way::Sample;

/// From E to F, or turned round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct View {
    pub(super) is_turned: bool,
}

/// The contact at a motion, in a view.
#[derive(Clone, Copy)]
pub(super) struct Node {
    /// From E to F, whatever the view.
    pub(super) outcome: Outcome,
    pub(super) wrench: Six,
    pub(super) by_pose: Matrix6<f64>,
    pub(super) by_velocity: Matrix6<f64>,
    pub(super) by_deflection: Matrix6<f64>,
    /// Where it is, and its normal.
    pub(super) position: Vector,
    pub(super) normal: Vector,
}

impl View {
    /// The pose in the other view: this is its own inverse, as all here.
    pub(super) fn pose(self, pose: &Pose) -> Pose {
        if self.is_turned { pose.inverse() } else { *pose }
    }

    /// Likewise, with velocities and the deflection of bristles.
    pub(super) fn motion(self, motion: &RelativeMotion) -> Result<RelativeMotion, MotionError> {
        if !self.is_turned {
            return Ok(*motion);
        }
        let (pose, back) = (motion.pose_ef(), motion.pose_ef().rotation.inverse());
        let origin = pose.translation.vector;
        let (v, w) = (motion.velocity_e(), motion.angular_velocity_e());
        let Deflection { rotation_e, .. } = motion.deflection();
        let deflection =
            Deflection { translation_e: -(back * motion.deflection().at(origin)), rotation_e: -(back * rotation_e) };
        RelativeMotion::new(pose.inverse(), back * (w.cross(&origin) - v), -(back * w))?.with_deflection(deflection)
    }

    /// An acceleration in the other view.
    pub(super) fn acceleration(self, pose: &Pose, twist: &Six, acceleration: &Six) -> Six {
        if !self.is_turned {
            return *acceleration;
        }
        let ((v, w), (a, turning)) = (halves(twist), halves(acceleration));
        let (back, origin) = (pose.rotation.inverse(), pose.translation.vector);
        let linear = 2.0 * w.cross(&v) - a - w.cross(&w.cross(&origin)) + turning.cross(&origin);
        six(back * linear, -(back * turning))
    }

    /// Wrenches from E to F, from those in this view.
    pub(super) fn wrenches(self, wrenches: &Wrenches, pose: &Pose) -> Wrenches {
        if !self.is_turned {
            return *wrenches;
        }
        let (on_e, on_f) = (wrenches.on_f, wrenches.on_e);
        let origin = pose.inverse().translation.vector;
        Wrenches { on_e, on_f, torque_on_e_at_f: on_e.torque - origin.cross(&on_e.force) }
    }

    /// The contact at a motion in this view.
    pub(super) fn node(
        self,
        motion: &RelativeMotion,
        evaluate: &mut dyn FnMut(&RelativeMotion) -> Sample,
    ) -> Result<Node, MotionError> {
        let (outcome, derivatives) = evaluate(&self.motion(motion)?);
        if !self.is_turned {
            let matrix = |columns: &[Outcome; 6]| {
                let mut matrix = Matrix6::zeros();
                for (j, column) in columns.iter().enumerate() {
                    matrix.set_column(j, &wrench_on_f(&column.wrenches));
                }
                matrix
            };
            return Ok(Node {
                wrench: wrench_on_f(&outcome.wrenches),
                by_pose: matrix(&derivatives.by_pose),
                by_velocity: matrix(&derivatives.by_velocity),
                by_deflection: matrix(&derivatives.by_deflection),
                position: outcome.contact_position_e,
                normal: outcome.contact_normal_e,
                outcome,
            });
        }
        // E from F: its rotation leads from M_e to M_f.
        let pose = motion.pose_ef();
        let rotation: &Matrix = pose.rotation.matrix();
        let mut turn = Matrix6::zeros();
        turn.fixed_view_mut::<3, 3>(0, 0).copy_from(rotation);
        turn.fixed_view_mut::<3, 3>(3, 3).copy_from(rotation);
        // Small motions of F against E from those of E against F.
        let mut small = -turn.transpose();
        small.fixed_view_mut::<3, 3>(0, 3).copy_from(&(-rotation.transpose() * pose.translation.vector.cross_matrix()));
        let matrix = |columns: &[Outcome; 6]| {
            let mut matrix = Matrix6::zeros();
            for (j, column) in columns.iter().enumerate() {
                matrix.set_column(j, &six(column.wrenches.on_e.force, column.wrenches.on_e.torque));
            }
            turn * matrix * small
        };
        let wrench = turn * six(outcome.wrenches.on_e.force, outcome.wrenches.on_e.torque);
        let mut by_pose = matrix(&derivatives.by_pose);
        let (force, torque) = halves(&wrench);
        // The axes in which the derivatives are resolved turn, too.
        for axis in 0..3 {
            let unit = Vector::ith(axis, 1.0);
            let mut column = by_pose.column_mut(3 + axis);
            column += six(unit.cross(&force), unit.cross(&torque));
        }
        Ok(Node {
            wrench,
            by_pose,
            by_velocity: matrix(&derivatives.by_velocity),
            by_deflection: matrix(&derivatives.by_deflection),
            position: pose.transform_point(&outcome.contact_position_e.into()).coords,
            normal: pose.rotation * outcome.contact_normal_e,
            outcome,
        })
    }
}
