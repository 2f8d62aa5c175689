//! Pieces of a contact as one table of numbers each, and their corners.

use polycontact::contact::{ContactPiece, RelativeMotion, Workspace, visit_pieces_while};
use polycontact::math::Body;

use crate::sweep::Bodies;

/// More pieces than this are refused: a deep overlap of fine meshes can have millions.
const MOST_PIECES: usize = 2_000_000;

/// Numbers of a piece: body, face, weight, area, corners; normal, position of the centre; penetration, pressure; slip.
/// Numbers of a corner: position, penetration, pressure.
pub fn pieces(bodies: &Bodies, motion: &RelativeMotion) -> Result<(Vec<f64>, Vec<f64>), String> {
    let (mut table, mut corners) = (Vec::new(), Vec::new());
    let mut count = 0;
    let Bodies { e, f, parameters } = bodies;
    let mut visit = |piece: ContactPiece| {
        let ContactPiece { body, face, weight, normal_e, corners: points, centre, area, .. } = piece;
        table.extend([f64::from(u8::from(body == Body::F)), f64::from(face.0), weight, area, points.len() as f64]);
        table.extend(normal_e.iter().chain(centre.position_e.iter()));
        table.extend([centre.penetration, centre.pressure]);
        table.extend(centre.slip_velocity_e.iter());
        for point in points {
            corners.extend(point.position_e.iter());
            corners.extend([point.penetration, point.pressure]);
        }
        count += 1;
        count <= MOST_PIECES
    };
    visit_pieces_while(e, f, parameters, motion, &mut Workspace::default(), &mut visit);
    match count <= MOST_PIECES {
        true => Ok((table, corners)),
        false => Err(format!("the contact has more than {MOST_PIECES} pieces; the bodies are very deep in each other")),
    }
}
