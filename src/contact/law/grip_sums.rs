//! Sums that tell how far the bristles of the pair are wound up: moments of the pressure with normals, and energies.

use super::friction::{FOUR_POINTS, Loaded};
use super::{GroupLanes, Law, PressureKind};
use crate::contact::grip::{
    FIRST, GripSums, LIMIT, NORMALS, PRESSURE, SECOND, SLIPPING, SQUARE, STUCK, SUMMED, TILTS, TURNS, VISCOUS,
};
use crate::lanes::{Lanes, Registers, Sums, cross, sum};

/// Sums over regions, by lane; see [`GripSums`].
#[derive(Clone, Copy, Debug)]
pub struct GripLanes([Sums; SUMMED]);

impl Default for GripLanes {
    fn default() -> Self {
        GripLanes([[0.0; 4]; SUMMED])
    }
}

impl GripLanes {
    /// Over all lanes.
    pub fn sums(&self) -> GripSums {
        let mut sums = GripSums::default();
        sums.0.iter_mut().zip(&self.0).for_each(|(number, lanes)| *number = sum(*lanes));
        sums
    }

    /// Adds a limit ∫ μ p dA in N.
    #[inline(always)]
    pub fn add_limit<V: Lanes>(&mut self, limit: V, weight: f64) {
        (limit * weight).add_to(&mut self.0[LIMIT]);
    }

    /// Adds ½ ∫ c_t z² dA in J of bristles below the limit.
    #[inline(always)]
    pub fn add_stuck<V: Lanes>(&mut self, energy: V, weight: f64) {
        (energy * weight).add_to(&mut self.0[STUCK]);
    }

    /// Adds ∫ μ p |z| dA and ½ ∫ (μ p)²/c_t dA, both in J, of bristles at the limit.
    #[inline(always)]
    pub fn add_slipping<V: Lanes>(&mut self, work: V, energy: V, weight: f64) {
        (work * weight).add_to(&mut self.0[SLIPPING]);
        (energy * weight).add_to(&mut self.0[SLIPPING + 1]);
    }

    /// Adds the power of dampers in W.
    #[inline(always)]
    pub fn add_viscous<V: Lanes>(&mut self, power: V, weight: f64) {
        (power * weight).add_to(&mut self.0[VISCOUS]);
    }

    /// Adds the moments of the pressure on regions.
    #[inline(always)]
    pub fn add_metric<R: Registers>(
        &mut self,
        registers: R,
        law: &Law,
        kind: PressureKind,
        group: &GroupLanes<R::Vector, R::Mask>,
        loaded: &Loaded<R::Vector>,
    ) {
        let zero = registers.splat(0.0);
        let face = &group.face;
        let [x_e, y_e, n] = face.frame.axes_e;
        let mut square = zero;
        for (s, t) in FOUR_POINTS {
            let at = loaded.point(s, t);
            let closing = law.closing(face);
            square = square + law.pressure(zero, kind, group.depth.at(at), closing.at(at)) * 0.25;
        }
        let force = loaded.force * law.weight;
        force.add_to(&mut self.0[PRESSURE]);
        (force * square).add_to(&mut self.0[SQUARE]);
        let (x, y, z) = (loaded.mean[0] + face.origin[0], loaded.mean[1] + face.origin[1], face.origin[2]);
        let [l_xx, l_yx, l_yy] = loaded.spread;
        let mut ways = [[zero; 3]; 3];
        for axis in 0..3 {
            ways[0][axis] = x_e[axis] * x + y_e[axis] * y + n[axis] * z;
            ways[1][axis] = x_e[axis] * l_xx + y_e[axis] * l_yx;
            ways[2][axis] = y_e[axis] * l_yy;
        }
        let tilts = [cross(ways[0], n), cross(ways[1], n), cross(ways[2], n)];
        let mut place = 0;
        for row in 0..3 {
            (force * ways[0][row]).add_to(&mut self.0[FIRST + row]);
            for (column, along) in n.iter().enumerate() {
                (force * tilts[0][row] * *along).add_to(&mut self.0[TILTS + 3 * row + column]);
            }
            for column in row..3 {
                (force * n[row] * n[column]).add_to(&mut self.0[NORMALS + place]);
                let (mut of_ways, mut of_tilts) = (zero, zero);
                for k in 0..3 {
                    of_ways = of_ways + ways[k][row] * ways[k][column];
                    of_tilts = of_tilts + tilts[k][row] * tilts[k][column];
                }
                (force * of_ways).add_to(&mut self.0[SECOND + place]);
                (force * of_tilts).add_to(&mut self.0[TURNS + place]);
                place += 1;
            }
        }
    }
}
