//! The bodies of the impact experiments against which flexible contact is validated (Tschigg, 2020, chapter 4).

use super::VolumeMesh;
use super::generators::{Grading, ball, beam, block, hollowed_rod, rod};
use crate::material::Material;

/// A body of the impact experiments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImpactBody {
    /// Aluminium, 1 m long, radius 10 mm, hit on its flat end.
    Rod,
    /// The same with an end hollowed to a sphere of radius 20 mm.
    HollowedRod,
    /// The same rod, hit on its side at mid-length.
    Beam,
    /// Steel, radius 15 mm.
    Ball,
    /// An aluminium cube with edges of 40 mm.
    Block,
}

/// How many nodes a mesh spends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fineness {
    /// 60 to 100 contact nodes, below 6,000 elements: for tests.
    Coarse,
    /// 250 to 400 contact nodes, below 40,000 elements: for results.
    Fine,
}

/// Length of rods and beam, in m.
pub const ROD_LENGTH: f64 = 1.0;
/// Radius of rods and beam, in m.
pub const ROD_RADIUS: f64 = 0.01;
/// Radius of the hollow in the end of the hollowed rod, in m.
pub const HOLLOW_RADIUS: f64 = 0.02;
/// Radius of the ball, in m.
pub const BALL_RADIUS: f64 = 0.015;
/// Edge of the block, in m.
pub const BLOCK_EDGE: f64 = 0.04;

impl ImpactBody {
    /// All of them.
    pub const ALL: [ImpactBody; 5] =
        [ImpactBody::Rod, ImpactBody::HollowedRod, ImpactBody::Beam, ImpactBody::Ball, ImpactBody::Block];

    /// For file names.
    pub fn name(self) -> &'static str {
        match self {
            ImpactBody::Rod => "rod",
            ImpactBody::HollowedRod => "hollowed-rod",
            ImpactBody::Beam => "beam",
            ImpactBody::Ball => "ball",
            ImpactBody::Block => "block",
        }
    }

    /// Steel for the ball, aluminium for the others.
    pub fn material(self) -> Material {
        match self {
            ImpactBody::Ball => Material::STEEL,
            _ => Material::ALUMINIUM,
        }
    }

    /// Quadratic tetrahedra, fine round the contact zone; [`super::generators`] says where that is.
    pub fn mesh(self, fineness: Fineness) -> VolumeMesh {
        let grading = self.grading(fineness);
        let cells = match fineness {
            Fineness::Coarse => 1,
            Fineness::Fine => 2,
        };
        match self {
            ImpactBody::Rod => rod(ROD_LENGTH, ROD_RADIUS, cells, &grading),
            ImpactBody::HollowedRod => hollowed_rod(ROD_LENGTH, ROD_RADIUS, HOLLOW_RADIUS, cells, &grading),
            ImpactBody::Beam => beam(ROD_LENGTH, ROD_RADIUS, cells, &grading),
            ImpactBody::Ball => ball(BALL_RADIUS, cells, &grading),
            ImpactBody::Block => block([BLOCK_EDGE; 3], [2 * cells, 2 * cells, 4 * cells], &grading),
        }
    }

    /// Zone radii and sizes give the numbers of contact nodes that [`Fineness`] promises; bisection halves the area
    /// per node at a time, so the sizes sit just above one of its steps.
    fn grading(self, fineness: Fineness) -> Grading {
        let (zone_radius, contact_size) = match (self, fineness) {
            (ImpactBody::Rod, Fineness::Coarse) => (1e-3, 0.6e-3),
            (ImpactBody::Rod, Fineness::Fine) => (1e-3, 0.27e-3),
            (ImpactBody::HollowedRod, Fineness::Coarse) => (1.3e-3, 0.72e-3),
            (ImpactBody::HollowedRod, Fineness::Fine) => (1.3e-3, 0.45e-3),
            (ImpactBody::Beam, Fineness::Coarse) => (1e-3, 0.6e-3),
            (ImpactBody::Beam, Fineness::Fine) => (1e-3, 0.32e-3),
            (ImpactBody::Ball, Fineness::Coarse) => (1e-3, 0.7e-3),
            (ImpactBody::Ball, Fineness::Fine) => (1e-3, 0.32e-3),
            (ImpactBody::Block, Fineness::Coarse) => (0.8e-3, 0.6e-3),
            (ImpactBody::Block, Fineness::Fine) => (1.15e-3, 0.33e-3),
        };
        let growth = match fineness {
            Fineness::Coarse => 1.0,
            Fineness::Fine => 0.5,
        };
        let largest_size = match (self, fineness) {
            (ImpactBody::Ball, Fineness::Coarse) => 10e-3,
            (ImpactBody::Ball, Fineness::Fine) => 8e-3,
            (_, Fineness::Coarse) => 24e-3,
            (_, Fineness::Fine) => 20e-3,
        };
        Grading { zone_radius, contact_size, growth, largest_size }
    }
}
