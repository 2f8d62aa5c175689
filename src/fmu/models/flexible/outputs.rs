//! The outputs of the FMU of a pair with a flexible body.

use crate::flexible::FlexibleOutcome;
use crate::fmu::outputs::{Get, Needs, Output};

/// The outputs; those that a rigid pair has too keep their names.
pub(crate) const OUTPUTS: [Output<FlexibleOutcome>; 23] = {
    use Get::{Count, Flag, Real, Vector};
    use Needs::Motion;
    [
        Output("forceOnE", "Force F_E on body E, resolved in M_e", Motion, Vector("N", |o| o.wrenches.on_e.force)),
        Output(
            "torqueOnE",
            "Torque T_E on body E about the origin of M_e, resolved in M_e",
            Motion,
            Vector("N.m", |o| o.wrenches.on_e.torque),
        ),
        Output("forceOnF", "Force F_F on body F, resolved in M_f", Motion, Vector("N", |o| o.wrenches.on_f.force)),
        Output(
            "torqueOnF",
            "Torque T_F on body F about the origin of M_f, resolved in M_f",
            Motion,
            Vector("N.m", |o| o.wrenches.on_f.torque),
        ),
        Output(
            "torqueOnEAtF",
            "Torque T on body E about the origin of M_f, resolved in M_e",
            Motion,
            Vector("N.m", |o| o.wrenches.torque_on_e_at_f),
        ),
        Output(
            "enclosed",
            "Nodes of one body lie behind the contact faces of the other, too deep for a force: almost certainly tunnelling",
            Motion,
            Flag(|o| o.enclosed),
        ),
        Output(
            "borderInContact",
            "A node penetrates at the border of the contact faces, where it gets no force: they are too small",
            Motion,
            Flag(|o| o.border_in_contact),
        ),
        Output("inContact", "A node of one body penetrates the other", Motion, Flag(|o| o.in_contact)),
        Output("elementCount", "Nodes in contact, of both passes", Motion, Count(|o| o.contact_count)),
        Output(
            "iterationCount",
            "Iterations of the equilibrium of contact forces and deformation, the sum over a step",
            Motion,
            Count(|o| o.iterations),
        ),
        Output("maxPenetration", "Largest penetration u_n of a node", Motion, Real("m", |o| o.max_penetration)),
        Output(
            "contactPosition",
            "Force-weighted contact position r from the origin of M_e, resolved in M_e; zero without contact",
            Motion,
            Vector("m", |o| o.contact_position_e),
        ),
        Output(
            "contactNormal",
            "Direction n of the force on E, resolved in M_e; zero without contact",
            Motion,
            Vector("1", |o| o.contact_normal_e),
        ),
        Output(
            "elasticEnergy",
            "Energy W stored in both bodies and in the penalty springs",
            Motion,
            Real("J", |o| o.strain_energy[0] + o.strain_energy[1] + o.penalty_energy),
        ),
        Output("penaltyEnergy", "Energy W_P of the penalty springs", Motion, Real("J", |o| o.penalty_energy)),
        Output("surfaceE.elasticEnergy", "Elastic energy W_E of body E", Motion, Real("J", |o| o.strain_energy[0])),
        Output("surfaceF.elasticEnergy", "Elastic energy W_F of body F", Motion, Real("J", |o| o.strain_energy[1])),
        Output(
            "surfaceE.modalKineticEnergy",
            "Kinetic energy T_E of the modes of body E, without its rigid motion",
            Motion,
            Real("J", |o| o.kinetic_energy[0]),
        ),
        Output(
            "surfaceF.modalKineticEnergy",
            "Kinetic energy T_F of the modes of body F, without its rigid motion",
            Motion,
            Real("J", |o| o.kinetic_energy[1]),
        ),
        Output(
            "contactWork",
            "Work A that the motion of the bodies has done on the contact",
            Motion,
            Real("J", |o| o.work),
        ),
        Output("dissipatedEnergy", "Energy D that modal damping has taken", Motion, Real("J", |o| o.dissipated_energy)),
        Output(
            "energyBalance",
            "A - D minus the growth of the stored energies: the error of the integration within steps and of the motion predicted for them",
            Motion,
            Real("J", |o| o.energy_balance),
        ),
        Output(
            "largestModalAmplitude",
            "Largest displacement of a contact node by one mode",
            Motion,
            Real("m", |o| o.largest_amplitude),
        ),
    ]
};
