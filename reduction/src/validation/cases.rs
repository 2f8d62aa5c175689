//! The impacts of Tschigg's dissertation (TU Hamburg, 2020), with what it reports of them.

use super::bodies::{BodyError, reduced_body};
use super::impact::{Coupling, Impact, ImpactResult};
use crate::volume_mesh::impact_bodies::{BALL_RADIUS, Fineness, ImpactBody};
use polycontact::flexible::{
    BodyModel, FlexibleBody, FlexibleError, FlexiblePair, FlexibleParameters, RawFlexibleParameters,
};
use polycontact::math::Vector;

/// A steel ball that hits a body of aluminium at rest.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// For tables.
    pub name: &'static str,
    /// The body at rest.
    pub target: ImpactBody,
    /// Speed of the ball in m/s.
    pub speed: f64,
    /// Simulated time in s.
    pub duration: f64,
    /// What is known about it.
    pub published: Published,
}

/// Published values; none where the dissertation has no number.
#[derive(Clone, Copy, Debug)]
pub struct Published {
    /// Impulse of the first contact in N s: explicit finite elements.
    pub impulse: f64,
    /// The same: the dissertation's quasi-static submodel.
    pub impulse_quasi_static: Option<f64>,
    /// Velocity of the ball after the first contact in m/s, along its flight: finite elements.
    pub ball_velocity: f64,
    /// The same, quasi-static submodel.
    pub ball_velocity_quasi_static: Option<f64>,
    /// The same, measured; scaled to the speed of this case.
    pub ball_velocity_measured: Option<f64>,
    /// Start of the second contact in s: finite elements.
    pub second_contact: Option<f64>,
    /// Run times in minutes, finite elements and quasi-static submodel, on a workstation of 2016.
    pub minutes: [f64; 2],
}

/// The cases; the coefficient of restitution of the rods follows from the ball's velocity.
pub const CASES: [Case; 3] = [
    Case {
        name: "flat rod",
        target: ImpactBody::Rod,
        speed: 0.3,
        duration: 0.6e-3,
        published: Published {
            impulse: 0.0478,
            impulse_quasi_static: Some(0.0479),
            ball_velocity: -0.136,
            ball_velocity_quasi_static: Some(-0.137),
            ball_velocity_measured: Some(-0.136),
            second_contact: None,
            minutes: [720.0, 15.0],
        },
    },
    Case {
        name: "hollowed rod",
        target: ImpactBody::HollowedRod,
        speed: 0.3,
        duration: 0.6e-3,
        published: Published {
            impulse: 0.0442,
            impulse_quasi_static: Some(0.0442),
            ball_velocity: -0.102,
            ball_velocity_quasi_static: Some(-0.104),
            ball_velocity_measured: Some(-0.0957),
            second_contact: None,
            minutes: [457.0, 43.0],
        },
    },
    Case {
        name: "beam",
        target: ImpactBody::Beam,
        speed: 0.303,
        duration: 5.2e-3,
        published: Published {
            impulse: 0.0291,
            impulse_quasi_static: None,
            ball_velocity: 0.038,
            ball_velocity_quasi_static: Some(0.0369),
            ball_velocity_measured: None,
            second_contact: Some(4.87e-3),
            minutes: [442.0, 36.0],
        },
    },
];

/// Gap at the start in m: some steps of free flight before the contact.
const GAP: f64 = 1.0e-6;

impl Case {
    /// Both bodies with the impact between them; `E` is the target, `F` the ball.
    pub fn prepare(&self, fineness: Fineness, step: f64) -> Result<Prepared, BodyError> {
        let target = reduced_body(self.target, fineness)?;
        let ball = reduced_body(ImpactBody::Ball, fineness)?;
        let impact = Impact {
            masses: [target.model().mass, ball.model().mass],
            // Both meshes touch the origin of their coordinates.
            touching: ball.model().centre_of_mass - target.model().centre_of_mass,
            gap: GAP,
            speed: self.speed,
            duration: self.duration,
            step,
            coupling: Coupling::Sequential,
        };
        Ok(Prepared { impact, target, ball })
    }
}

/// Bodies and impact of a case.
pub struct Prepared {
    /// How it is driven.
    pub impact: Impact,
    /// Body E.
    pub target: FlexibleBody,
    /// Body F.
    pub ball: FlexibleBody,
}

impl Prepared {
    /// Runs the impact.
    pub fn run(&self, raw: &RawFlexibleParameters) -> Result<ImpactResult, FlexibleError> {
        let parameters = FlexibleParameters::new(raw).expect("parameters of a validation case");
        self.impact.run(&self.pair(), &parameters)
    }

    /// The bodies as a pair.
    pub fn pair(&self) -> FlexiblePair {
        FlexiblePair::new(BodyModel::Flexible(self.target.clone()), BodyModel::Flexible(self.ball.clone()))
            .expect("two flexible bodies")
    }
}

/// Force of a static press of the ball into the block by Hertz, in N: F = 4/3 E* √R δ^1.5.
pub fn hertz_force(depth: f64) -> f64 {
    let compliance = |body: ImpactBody| {
        let material = body.material();
        (1.0 - material.poissons_ratio().powi(2)) / material.youngs_modulus()
    };
    let modulus = 1.0 / (compliance(ImpactBody::Ball) + compliance(ImpactBody::Block));
    4.0 / 3.0 * modulus * BALL_RADIUS.sqrt() * depth.powf(1.5)
}

/// The ball pressed into the block by `depth` m without any inertia: the force in N.
pub fn static_press(fineness: Fineness, depth: f64, raw: &RawFlexibleParameters) -> Result<f64, PressError> {
    let without_inertia = |body: ImpactBody| -> Result<FlexibleBody, BodyError> {
        let mut model = reduced_body(body, fineness)?.model().clone();
        model.low_frequency_modes = 0;
        Ok(FlexibleBody::new(model).expect("a body that was one before"))
    };
    let (block, ball) = (without_inertia(ImpactBody::Block)?, without_inertia(ImpactBody::Ball)?);
    let position = ball.model().centre_of_mass - block.model().centre_of_mass - Vector::z() * depth;
    let pair = FlexiblePair::new(BodyModel::Flexible(block), BodyModel::Flexible(ball)).expect("two flexible bodies");
    let parameters = FlexibleParameters::new(raw).expect("parameters of a validation case");
    let pose = polycontact::math::Pose::from_parts(position.into(), polycontact::math::Rotation::identity());
    let motion = polycontact::contact::RelativeMotion::new(pose, Vector::zeros(), Vector::zeros())
        .map_err(FlexibleError::from)?;
    let state = pair.initial_state();
    let outcome = pair.evaluate(&parameters, &motion, &state, &mut Default::default())?;
    Ok(-outcome.wrenches.on_e.force.z)
}

/// Why a static press has no force.
#[derive(Debug, thiserror::Error)]
pub enum PressError {
    /// The bodies could not be prepared.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// The contact could not be evaluated.
    #[error(transparent)]
    Contact(#[from] FlexibleError),
}
