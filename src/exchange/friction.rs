//! Friction within a step, as a function of the wrench that is looked for.
//!
//! Within one step slip may turn into grip: there friction changes from its limit to anything below. A step of the host is
//! too long for linear iterations then. So the pair is seen as one point that rubs, for which the wrench is solved
//! exactly; what the contact says besides comes as a correction.

use nalgebra::{Matrix3, Matrix4, Matrix4x6, Matrix6, Matrix6x4, Vector4};

use super::Six;
use super::view::Node;
use crate::contact::{BristleMemory, BristleParameters, Deflection, FrictionParameters};
use crate::math::{Pose, Vector};

/// What takes energy in the contact.
#[derive(Clone, Copy, Debug, Default)]
pub struct Losses {
    /// Whether there is damping.
    pub has_damping: bool,
    /// Friction without memory.
    pub regularized: Option<FrictionParameters>,
    /// Bristles, and what they remember where the inputs are.
    pub bristles: Option<(BristleParameters, BristleMemory)>,
}

impl Losses {
    pub(super) fn is_there(&self) -> bool {
        self.has_damping || self.regularized.is_some() || self.bristles.is_some()
    }
}

/// Slip of a point along the surface, and about its normal by the way of a point at a radius; or friction against it.
pub(super) type Slip = Vector4<f64>;

/// Radius at which friction against spin acts, as a part of that of a circle of the contact's area: 2/3 under an even
/// pressure, 0.59 under a paraboloid.
const RADIUS_OF_SPIN: f64 = 0.62;

/// A patch that rubs as a whole: the friction on F opposes its slip, up to a limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rubbing {
    /// The slip from a twist of M_f; its transpose takes friction to wrenches.
    pub(super) by_twist: Matrix4x6<f64>,
    pub(super) normal: Vector,
    pub(super) lever: Vector,
    pub(super) radius: f64,
    /// In N.
    pub(super) limit: f64,
    /// Slip at which the limit is reached: in m/s, or in m for bristles.
    pub(super) reach: f64,
}

impl Rubbing {
    /// Of a contact without friction, with the origin of M_f there.
    pub(super) fn new(node: &Node, origin: &Vector, losses: &Losses) -> Option<Rubbing> {
        let Node { outcome, position, normal, .. } = *node;
        if !outcome.in_contact || normal == Vector::zeros() {
            return None;
        }
        let normal = normal.normalize();
        let force = outcome.wrenches.on_e.force.norm();
        let (limit, reach) = match (&losses.regularized, &losses.bristles) {
            (Some(friction), _) => (friction.coefficient * force, friction.regularization_velocity),
            (None, Some((bristles, _))) => (bristles.coefficient * force, outcome.grip.reach),
            (None, None) => return None,
        };
        if !(0.0 < limit && 0.0 < reach) {
            return None;
        }
        let lever = position - origin;
        let radius = RADIUS_OF_SPIN * (outcome.contact_area / std::f64::consts::PI).sqrt();
        let along = Matrix3::identity() - normal * normal.transpose();
        let mut by_twist = Matrix4x6::zeros();
        by_twist.fixed_view_mut::<3, 3>(0, 0).copy_from(&along);
        by_twist.fixed_view_mut::<3, 3>(0, 3).copy_from(&(-along * lever.cross_matrix()));
        by_twist.fixed_view_mut::<1, 3>(3, 3).copy_from(&(radius * normal.transpose()));
        Some(Rubbing { by_twist, normal, lever, radius, limit, reach })
    }

    /// The friction in a wrench.
    pub(super) fn part_of(&self, wrench: &Six) -> Slip {
        let (force, torque) = super::halves(wrench);
        let along = force - self.normal * self.normal.dot(&force);
        let spin = self.normal.dot(&(torque - self.lever.cross(&force)));
        let spin = if 0.0 < self.radius { spin / self.radius } else { 0.0 };
        Slip::new(along.x, along.y, along.z, spin)
    }

    /// Most energy that bristles store at a deflection, in J.
    pub(super) fn stored(&self, deflection: &Deflection, pose: &Pose) -> f64 {
        let at_origin = super::six(deflection.at(pose.translation.vector), deflection.rotation_e);
        0.5 * self.limit * (self.by_twist * at_origin).norm().min(self.reach)
    }

    /// Friction over slip.
    fn per_slip(&self, slip: f64) -> f64 {
        if slip < self.reach { self.limit * (2.0 - slip / self.reach) / self.reach } else { self.limit / slip }
    }

    /// The friction on F at a slip of F.
    pub(super) fn friction(&self, slip: &Slip) -> Slip {
        -self.per_slip(slip.norm()) * slip
    }

    /// Takes slip out of twists.
    pub(super) fn without_slip(&self) -> Matrix6<f64> {
        let mut part = Matrix6::identity();
        let mut top = part.fixed_view_mut::<3, 6>(0, 0);
        top -= self.by_twist.fixed_view::<3, 6>(0, 0);
        let mut spin = Matrix6::zeros();
        spin.fixed_view_mut::<3, 3>(0, 3).copy_from(&(self.lever.cross(&self.normal) * self.normal.transpose()));
        spin.fixed_view_mut::<3, 3>(3, 3).copy_from(&(self.normal * self.normal.transpose()));
        part - spin
    }

    /// The friction where the slip is `slip + answer · friction`.
    pub(super) fn solve(&self, slip: &Slip, answer: &Matrix4<f64>) -> Slip {
        let left = |per_slip: f64| (Matrix4::identity() + answer * per_slip).lu().solve(slip).unwrap_or(*slip);
        // Friction over slip grows as the slip that is left gets less.
        let (mut low, mut high) = (0.0, self.per_slip(0.0));
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if self.per_slip(left(middle).norm()) < middle { high = middle } else { low = middle }
        }
        let per_slip = 0.5 * (low + high);
        -per_slip * left(per_slip)
    }
}

/// Wrenches W = `constant` + `by_wrench` W + friction of a patch.
pub(super) fn solved(
    constant: &Six,
    by_wrench: &Matrix6<f64>,
    rubbing: Option<(&Rubbing, &Slip, &Matrix4x6<f64>, f64)>,
) -> Option<Six> {
    let factors = (Matrix6::identity() - by_wrench).lu();
    let without = factors.solve(constant)?;
    let solved = match rubbing {
        None => without,
        Some((rubbing, slip, slip_by_wrench, share)) => {
            let taken: Matrix6x4<f64> = factors.solve(&(rubbing.by_twist.transpose() * share))?;
            let friction = rubbing.solve(&(slip + slip_by_wrench * without), &(slip_by_wrench * taken));
            without + taken * friction
        }
    };
    solved.iter().all(|x| x.is_finite()).then_some(solved)
}
