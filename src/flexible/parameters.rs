//! Parameters of the flexible contact, validated once.

use crate::contact::ParameterError;

/// What happens to the coordinates of a flexible body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Submodel {
    /// Low-frequency modes are integrated, the others follow the contact forces statically.
    #[default]
    QuasiStatic,
    /// All modes are integrated; the high-frequency ones with a prescribed damped period.
    Damped,
    /// Low-frequency modes only.
    Modal,
}

/// How the equilibrium of contact forces and deformation is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Solver {
    /// Active-set Newton in the contact forces.
    #[default]
    Newton,
    /// Broyden's iteration in the modal coordinates: slow, for comparison.
    Broyden,
}

/// Parameters as a user states them, not yet checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RawFlexibleParameters {
    /// c_P in N/m per contact node.
    pub penalty_stiffness: f64,
    /// Weight of the pass in which the faces of E are the master; the other pass has the rest.
    pub pass_weight: f64,
    /// What happens to the modes.
    pub submodel: Submodel,
    /// How the equilibrium is found.
    pub solver: Solver,
    /// Largest change of a contact force in the last iteration, relative to the largest contact force.
    pub tolerance: f64,
    /// Most iterations per equilibrium.
    pub iteration_limit: u32,
    /// Longest internal step in s.
    pub internal_step: f64,
    /// Deepest credible penetration of a node in m; 0 means half the mean edge length of the master's contact faces.
    pub maximal_penetration: f64,
    /// T_d of the damped submodel in s.
    pub damped_period: f64,
    /// ξ_t, damping ratio of high-frequency modes whose period is longer than T_d.
    pub transition_damping: f64,
}

impl Default for RawFlexibleParameters {
    fn default() -> Self {
        RawFlexibleParameters {
            penalty_stiffness: 2.0e7,
            pass_weight: 0.5,
            submodel: Submodel::QuasiStatic,
            solver: Solver::Newton,
            tolerance: 1.0e-8,
            iteration_limit: 50,
            internal_step: 5.0e-7,
            maximal_penetration: 0.0,
            damped_period: 1.0e-6,
            transition_damping: 0.05,
        }
    }
}

/// Checked parameters: the solvers trust every field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlexibleParameters {
    raw: RawFlexibleParameters,
}

/// Below this tolerance rounding of penetrations (10⁻¹⁶ of a position against 10⁻⁷ m) decides, not convergence.
const SMALLEST_TOLERANCE: f64 = 1.0e-13;

impl FlexibleParameters {
    /// Checks the parameters; names in errors are those of the configuration file.
    pub fn new(raw: &RawFlexibleParameters) -> Result<Self, ParameterError> {
        let in_range = |name, value: f64, is_allowed: bool, allowed| {
            if is_allowed && value.is_finite() {
                Ok(())
            } else {
                Err(ParameterError::OutOfRange { name, value, allowed })
            }
        };
        let positive = |name, value: f64| in_range(name, value, 0.0 < value, "a finite number above 0");
        positive("flexible.penalty-stiffness", raw.penalty_stiffness)?;
        let w = raw.pass_weight;
        in_range("flexible.pass-weight", w, (0.0..=1.0).contains(&w), "between 0 and 1")?;
        let tolerance = raw.tolerance;
        let good_tolerance = (SMALLEST_TOLERANCE..=0.1).contains(&tolerance);
        in_range("flexible.tolerance", tolerance, good_tolerance, "between 1e-13 and 0.1")?;
        in_range("flexible.iteration-limit", raw.iteration_limit.into(), raw.iteration_limit > 0, "1 or above")?;
        positive("flexible.internal-step", raw.internal_step)?;
        let depth = raw.maximal_penetration;
        in_range("flexible.maximal-penetration", depth, 0.0 <= depth, "a finite length, 0 (automatic) or above")?;
        positive("flexible.damped-period", raw.damped_period)?;
        let xi = raw.transition_damping;
        in_range("flexible.transition-damping", xi, (0.0..=1.0).contains(&xi), "between 0 and 1")?;
        Ok(FlexibleParameters { raw: *raw })
    }

    /// c_P in N/m per contact node, positive.
    pub fn penalty_stiffness(&self) -> f64 {
        self.raw.penalty_stiffness
    }

    /// Weights of the passes with E and with F as master; their sum is 1.
    pub fn pass_weights(&self) -> [f64; 2] {
        [self.raw.pass_weight, 1.0 - self.raw.pass_weight]
    }

    /// What happens to the modes.
    pub fn submodel(&self) -> Submodel {
        self.raw.submodel
    }

    /// How the equilibrium is found.
    pub fn solver(&self) -> Solver {
        self.raw.solver
    }

    /// Relative tolerance of the contact forces.
    pub fn tolerance(&self) -> f64 {
        self.raw.tolerance
    }

    /// Most iterations per equilibrium, at least 1.
    pub fn iteration_limit(&self) -> u32 {
        self.raw.iteration_limit
    }

    /// Longest internal step in s, positive.
    pub fn internal_step(&self) -> f64 {
        self.raw.internal_step
    }

    /// Deepest credible penetration in m; none means automatic.
    pub fn maximal_penetration(&self) -> Option<f64> {
        (self.raw.maximal_penetration > 0.0).then_some(self.raw.maximal_penetration)
    }

    /// T_d in s, positive.
    pub fn damped_period(&self) -> f64 {
        self.raw.damped_period
    }

    /// ξ_t.
    pub fn transition_damping(&self) -> f64 {
        self.raw.transition_damping
    }
}
