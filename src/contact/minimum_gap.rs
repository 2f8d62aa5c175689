//! The gap of two bodies that may overlap.

use super::detect::{Gap, GapMemory, gap};
use super::evaluation::{evaluate_with_all_derivatives, visit_pieces};
use super::parameters::ContactParameters;
use super::relative_motion::RelativeMotion;
use super::surface::ContactSurface;
use super::workspace::Workspace;
use crate::math::{Body, Vector};

/// The gap of two bodies with its sign: the distance of their surfaces where they are apart, minus the largest depth where
/// they overlap, with the two nearest points: the deepest point of one surface, and what is nearest to it on the other.
///
/// Of a body that lies wholly inside the other one the surfaces are apart, and the distance is positive; see
/// [`super::Outcome::enclosed`].
pub fn minimum_gap(
    surface_e: &ContactSurface,
    surface_f: &ContactSurface,
    motion: &RelativeMotion,
    workspace: &mut Workspace,
    memory: &mut GapMemory,
) -> Gap {
    let mut deepest: Option<(f64, Body, Vector)> = None;
    let outcome =
        visit_pieces(surface_e, surface_f, &ContactParameters::BOTH_SURFACES, motion, workspace, &mut |piece| {
            for corner in &piece.corners {
                if deepest.is_none_or(|(depth, ..)| depth < corner.penetration) {
                    deepest = Some((corner.penetration, piece.body, corner.position_e));
                }
            }
        });
    let (true, Some((depth, body, point_e))) = (outcome.in_contact, deepest) else {
        return gap(surface_e, surface_f, motion, memory);
    };
    let pose_ef = motion.pose_ef();
    let foot_e = match body {
        Body::E => {
            let point_f = pose_ef.inverse_transform_point(&point_e.into()).coords;
            let nearest = surface_f.nearest_face(point_f, f64::INFINITY, &mut workspace.stack);
            nearest.map_or(point_e, |nearest| pose_ef.transform_point(&nearest.point.into()).coords)
        }
        Body::F => {
            let nearest = surface_e.nearest_face(point_e, f64::INFINITY, &mut workspace.stack);
            nearest.map_or(point_e, |nearest| nearest.point)
        }
    };
    match body {
        Body::E => Gap::overlapping(depth, point_e, foot_e, motion),
        Body::F => Gap::overlapping(depth, foot_e, point_e, motion),
    }
}

/// How [`minimum_gap`] changes with small motions of F along the axes of M_e: translations of the origin of M_f, then
/// rotations about it. `gap` is the gap there. None where the surfaces touch in points that coincide: which way the gap
/// grows is then not known.
pub fn gap_by_pose(
    surface_e: &ContactSurface,
    surface_f: &ContactSurface,
    motion: &RelativeMotion,
    gap: &Gap,
    workspace: &mut Workspace,
) -> Option<[f64; 6]> {
    if gap.distance < 0.0 {
        let both = &ContactParameters::BOTH_SURFACES;
        let (_, derivatives) = evaluate_with_all_derivatives(surface_e, surface_f, both, motion, workspace);
        return Some(derivatives.by_pose.map(|change| -change.max_penetration));
    }
    let arm = motion.pose_ef().rotation * gap.nearest_on_f_f;
    let apart = arm + motion.pose_ef().translation.vector - gap.nearest_on_e_e;
    // Nearest points stay nearest to first order.
    let direction = apart.try_normalize(0.0)?;
    let turning = arm.cross(&direction);
    Some([direction.x, direction.y, direction.z, turning.x, turning.y, turning.z])
}
