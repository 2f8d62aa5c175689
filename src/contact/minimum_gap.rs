//! The gap of two bodies that may overlap.

use super::detect::{Gap, GapMemory, gap};
use super::evaluation::visit_pieces;
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
