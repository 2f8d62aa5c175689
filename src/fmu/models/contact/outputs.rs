//! The outputs of the contact FMU, each with its place in the outcome of an evaluation.

use crate::contact::{Gap, Outcome};
use crate::fmu::outputs::{Get, Needs, Output};

/// The outputs in the order of the interface; `outval` counts as in the dissertation's subroutine.
pub(crate) const OUTPUTS: [Output<Outcome>; 47] = {
    use Get::{Count, Flag, Real, Vector};
    use Needs::{Bristles, Motion, MotionAndClock, Pose, PoseAndLayers};
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
            "Torque T on body E about the origin of M_f, resolved in M_e, the dissertation's convention",
            Motion,
            Vector("N.m", |o| o.wrenches.torque_on_e_at_f),
        ),
        Output(
            "enclosed",
            "One body lies wholly inside the other without intersecting faces: no force, almost certainly tunnelling",
            Pose,
            Flag(|o| o.enclosed),
        ),
        Output(
            "borderInContact",
            "A border of an open surface lies in the contact: the wrench is finite but not trustworthy",
            Pose,
            Flag(|o| o.border_in_contact),
        ),
        Output(
            "defectInContact",
            "Faces at edges of a mesh that could not be repaired lie in the contact: the wrench is not trustworthy",
            Pose,
            Flag(|o| o.defect_in_contact),
        ),
        Output(
            "beyondLayer",
            "The largest penetration exceeds the thickness of the layers: the elastic foundation does not hold",
            PoseAndLayers,
            Flag(|o| o.beyond_layer),
        ),
        Output(
            "beyondHalfThickness",
            "A body is pressed beyond the middle of a thin part: the force falls and turns there",
            PoseAndLayers,
            Flag(|o| o.beyond_half_thickness),
        ),
        Output("inContact", "Faces of E and F intersect", Pose, Flag(|o| o.in_contact)),
        Output("patchCount", "Connected contact patches, outval[4]", Pose, Count(|o| o.patch_count)),
        Output(
            "elementCount",
            "Contact elements that carry load, outval[5]",
            PoseAndLayers,
            Count(|o| o.element_count),
        ),
        Output("polygonCount", "Intersection polygons, outval[3]", Pose, Count(|o| o.polygon_count)),
        Output("lineCount", "Intersection lines, outval[2]", Pose, Count(|o| o.line_count)),
        Output("boundingVolumeTests", "Tested pairs of boxes, outval[0]", Pose, Count(|o| o.bounding_volume_tests)),
        Output("triangleTests", "Tested pairs of triangles, outval[1]", Pose, Count(|o| o.triangle_tests)),
        Output("contactArea", "Contact area A, outval[11]", PoseAndLayers, Real("m2", |o| o.contact_area)),
        Output(
            "meanPenetration",
            "Area-weighted penetration u_n, outval[12]",
            PoseAndLayers,
            Real("m", |o| o.mean_penetration),
        ),
        Output(
            "maxPenetration",
            "Largest penetration u_n, outval[13]",
            PoseAndLayers,
            Real("m", |o| o.max_penetration),
        ),
        Output(
            "normalVelocity.min",
            "Smallest normal velocity v_n, positive while closing, outval[14]",
            Motion,
            Real("m/s", |o| o.normal_velocity.min),
        ),
        Output(
            "normalVelocity.mean",
            "Area-weighted normal velocity v_n, positive while closing, outval[15]",
            Motion,
            Real("m/s", |o| o.normal_velocity.mean),
        ),
        Output(
            "normalVelocity.max",
            "Largest normal velocity v_n, positive while closing, outval[16]",
            Motion,
            Real("m/s", |o| o.normal_velocity.max),
        ),
        Output(
            "tangentialVelocity.min",
            "Smallest magnitude of the tangential velocity v_t, outval[17]",
            Motion,
            Real("m/s", |o| o.tangential_velocity.min),
        ),
        Output(
            "tangentialVelocity.mean",
            "Area-weighted magnitude of the tangential velocity v_t, outval[18]",
            Motion,
            Real("m/s", |o| o.tangential_velocity.mean),
        ),
        Output(
            "tangentialVelocity.max",
            "Largest magnitude of the tangential velocity v_t, outval[19]",
            Motion,
            Real("m/s", |o| o.tangential_velocity.max),
        ),
        Output(
            "normalStress.mean",
            "Area-weighted normal stress p_n, outval[20]",
            Motion,
            Real("Pa", |o| o.normal_stress.mean),
        ),
        Output(
            "normalStress.max",
            "Largest normal stress p_n, outval[21]",
            Motion,
            Real("Pa", |o| o.normal_stress.max),
        ),
        Output(
            "tangentialStress.mean",
            "Area-weighted tangential stress p_t, outval[22]",
            Motion,
            Real("Pa", |o| o.tangential_stress.mean),
        ),
        Output(
            "tangentialStress.max",
            "Largest tangential stress p_t, outval[23]",
            Motion,
            Real("Pa", |o| o.tangential_stress.max),
        ),
        Output(
            "contactPosition",
            "Force-weighted contact position r from the origin of M_e, resolved in M_e; zero without contact, outval[24..26]",
            Motion,
            Vector("m", |o| o.contact_position_e),
        ),
        Output(
            "contactNormal",
            "Force-weighted contact normal n into body E, resolved in M_e; zero without contact, outval[27..29]",
            Motion,
            Vector("1", |o| o.contact_normal_e),
        ),
        Output(
            "elasticEnergy",
            "Energy U stored in the layers, c_l times the integral of the depth over the overlap of the bodies, and in \
             the bristles",
            Bristles,
            Real("J", |o| o.elastic_energy),
        ),
        Output("dissipatedPower", "Power P taken by damping and friction", Motion, Real("W", |o| o.dissipated_power)),
        Output(
            "evaluationTime.total",
            "Time t of the evaluation, outval[10]; 0 unless measureTime",
            MotionAndClock,
            Real("s", |o| o.evaluation_time.total),
        ),
        Output(
            "evaluationTime.collisionDetection",
            "Time t of the collision detection, outval[6]; 0 unless measureTime",
            MotionAndClock,
            Real("s", |o| o.evaluation_time.collision_detection),
        ),
        Output(
            "evaluationTime.intersectionPolygons",
            "Time t of the intersection polygons and active areas, outval[7]; 0 unless measureTime",
            MotionAndClock,
            Real("s", |o| o.evaluation_time.intersection_polygons),
        ),
        Output(
            "evaluationTime.contactElements",
            "Time t of the contact elements, outval[8]; 0 unless measureTime",
            MotionAndClock,
            Real("s", |o| o.evaluation_time.contact_elements),
        ),
        Output(
            "evaluationTime.contactForce",
            "Time t of the contact force, outval[9]: always 0, it is part of that of the contact elements",
            MotionAndClock,
            Real("s", |o| o.evaluation_time.contact_force),
        ),
        Output(
            "inContactReal",
            "1 where inContact, otherwise 0; for importers that lose Booleans",
            Pose,
            Real("1", |o| f64::from(o.in_contact)),
        ),
        Output(
            "enclosedReal",
            "1 where enclosed, otherwise 0; for importers that lose Booleans",
            Pose,
            Real("1", |o| f64::from(o.enclosed)),
        ),
        Output(
            "borderInContactReal",
            "1 where borderInContact, otherwise 0; for importers that lose Booleans",
            Pose,
            Real("1", |o| f64::from(o.border_in_contact)),
        ),
        Output("sticking", "Bristles hold: in contact, and none is let go", Bristles, Flag(|o| o.sticking)),
        Output(
            "stickingReal",
            "1 where sticking, otherwise 0; for importers that lose Booleans",
            Bristles,
            Real("1", |o| f64::from(o.sticking)),
        ),
        Output(
            "frictionUtilisation",
            "Tangential load over its limit: the integral of the friction stress over that of mu p",
            Motion,
            Real("1", |o| o.friction_utilisation),
        ),
        Output(
            "slipDistance",
            "Way s by which bristles have slipped since the start, root of the mean square with the pressure",
            Bristles,
            Real("m", |o| o.slip_distance),
        ),
        Output(
            "frictionWork",
            "Work W that friction by bristles has taken since the start",
            Bristles,
            Real("J", |o| o.friction_work),
        ),
    ]
};

/// The outputs that are computed only when one of them is asked for: the gap and where it is.
pub(crate) const GAP_OUTPUTS: [Output<Gap>; 3] = [
    Output(
        "gap",
        "Gap g between the surfaces: their distance, minus the largest penetration in contact; the event indicator",
        Needs::Pose,
        Get::Real("m", |gap| gap.distance),
    ),
    Output(
        "nearestPointOnE",
        "Point of surface E nearest to F, from the origin of M_e, resolved in M_e",
        Needs::Pose,
        Get::Vector("m", |gap| gap.nearest_on_e_e),
    ),
    Output(
        "nearestPointOnF",
        "Point of surface F nearest to E, from the origin of M_f, resolved in M_f",
        Needs::Pose,
        Get::Vector("m", |gap| gap.nearest_on_f_f),
    ),
];

/// A matrix of 6 × 6 numbers: what is divided by what.
pub(crate) struct MatrixOutput {
    pub(crate) name: &'static str,
    pub(crate) meaning: &'static str,
    /// Units of a force by a translation, a force by a rotation, a torque by a translation, a torque by a rotation.
    pub(crate) units: [[&'static str; 2]; 2],
}

/// The matrices that are computed only when they are asked for and `stiffnessOutput` is true.
pub(crate) const MATRIX_OUTPUTS: [MatrixOutput; 2] = [
    MatrixOutput {
        name: "stiffness",
        meaning: "Stiffness K: minus the derivative of the wrench on F by small motions of F along the axes of M_f",
        units: [["N/m", "N/rad"], ["N", "N.m/rad"]],
    },
    MatrixOutput {
        name: "damping",
        meaning: "Damping D: minus the derivative of the wrench on F by velocities of F along the axes of M_f",
        units: [["N.s/m", "N.s/rad"], ["N.s", "N.m.s/rad"]],
    },
];
