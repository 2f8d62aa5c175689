//! Forces with their torques.

use std::ops::{AddAssign, Div, Mul};

use super::Vector;

/// A force and the torque that goes with it, in N and N·m; the doc of each use names frame and point of reference.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wrench {
    /// Force.
    pub force: Vector,
    /// Torque.
    pub torque: Vector,
}

impl Wrench {
    /// The wrench of a force that acts at a point.
    #[inline]
    pub fn of_force_at(force: Vector, point: Vector) -> Self {
        Wrench { force, torque: point.cross(&force) }
    }

    /// The same forces with the torque about another point, from which `way` leads to the present one.
    #[inline]
    pub fn moved_by(&self, way: Vector) -> Self {
        Wrench { force: self.force, torque: self.torque + way.cross(&self.force) }
    }
}

impl AddAssign for Wrench {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.force += other.force;
        self.torque += other.torque;
    }
}

/// The wrenches of a contact on both bodies; times a duration, impulses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wrenches {
    /// On body E, about the origin of M_e, resolved in M_e.
    pub on_e: Wrench,
    /// On body F, about the origin of M_f, resolved in M_f.
    pub on_f: Wrench,
    /// Torque on body E about the origin of M_f, resolved in M_e: the dissertation's convention.
    pub torque_on_e_at_f: Vector,
}

impl Wrenches {
    /// On body E, about the origin of M_f, resolved in M_e.
    pub fn on_e_at_f(&self) -> Wrench {
        Wrench { force: self.on_e.force, torque: self.torque_on_e_at_f }
    }

    /// Names the first vector with a number that is not finite; none where all are.
    pub fn not_finite(&self) -> Option<&'static str> {
        let vectors = [
            ("the force on E", self.on_e.force),
            ("the torque on E", self.on_e.torque),
            ("the force on F", self.on_f.force),
            ("the torque on F", self.on_f.torque),
            ("the torque on E at M_f", self.torque_on_e_at_f),
        ];
        vectors.into_iter().find(|(_, vector)| vector.iter().any(|x| !x.is_finite())).map(|(name, _)| name)
    }

    /// Every vector changed in the same way.
    fn map(self, change: impl Fn(Vector) -> Vector) -> Self {
        let wrench = |Wrench { force, torque }| Wrench { force: change(force), torque: change(torque) };
        Wrenches { on_e: wrench(self.on_e), on_f: wrench(self.on_f), torque_on_e_at_f: change(self.torque_on_e_at_f) }
    }
}

impl AddAssign for Wrenches {
    fn add_assign(&mut self, other: Self) {
        self.on_e += other.on_e;
        self.on_f += other.on_f;
        self.torque_on_e_at_f += other.torque_on_e_at_f;
    }
}

impl Mul<Wrenches> for f64 {
    type Output = Wrenches;

    fn mul(self, wrenches: Wrenches) -> Wrenches {
        wrenches.map(|vector| self * vector)
    }
}

impl Div<f64> for Wrenches {
    type Output = Wrenches;

    fn div(self, divisor: f64) -> Wrenches {
        self.map(|vector| vector / divisor)
    }
}
