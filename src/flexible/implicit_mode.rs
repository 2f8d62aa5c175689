//! A stiff mode over one internal step, by the implicit midpoint rule.

/// An oscillator q̈ + 2ξω q̇ + ω² q = p with the coefficients of a step h.
#[derive(Clone, Copy, Debug)]
pub(super) struct ImplicitMode {
    step: f64,
    /// 2ξω.
    damping: f64,
    /// ω².
    stiffness: f64,
    /// 1 + ξωh + ω²h²/4.
    denominator: f64,
}

impl ImplicitMode {
    pub(super) fn new(omega: f64, xi: f64, step: f64) -> Self {
        let half_angle = 0.5 * omega * step;
        ImplicitMode {
            step,
            damping: 2.0 * xi * omega,
            stiffness: omega * omega,
            denominator: 1.0 + 2.0 * xi * half_angle + half_angle * half_angle,
        }
    }

    /// Coordinate in the middle of the step per force.
    pub(super) fn softness(&self) -> f64 {
        0.25 * self.step * self.step / self.denominator
    }

    /// Coordinate in the middle of the step without a force.
    pub(super) fn middle(&self, q: f64, v: f64) -> f64 {
        q + 0.5 * self.step * self.middle_velocity(q, v, 0.0)
    }

    /// Moves the mode over the step under a force and returns the energy that damping takes.
    pub(super) fn advance(&self, q: &mut f64, v: &mut f64, force: f64) -> f64 {
        let middle = self.middle_velocity(*q, *v, force);
        *q += self.step * middle;
        *v = 2.0 * middle - *v;
        self.step * self.damping * middle * middle
    }

    fn middle_velocity(&self, q: f64, v: f64, force: f64) -> f64 {
        (v + 0.5 * self.step * (force - self.stiffness * q)) / self.denominator
    }
}
