//! One pose of a page, evaluated by the library.

use std::time::Instant;

use polycontact::contact::{
    Body, ContactPiece, Outcome, PiecePoint, RelativeMotion, Workspace, evaluate, visit_pieces_while,
};
use polycontact::math::{Pose, Vector};

use crate::approach::Pair;

/// Most bytes of patches in one pose: of more, the largest pieces are shown.
const MOST_BYTES_PER_POSE: usize = 2 << 20;

/// A pose whose pieces take longer than this to find, in s, is left out.
const MOST_SECONDS_PER_POSE: f64 = 5.0;

/// Faces of a body with a smaller share are not shown: they carry almost no load.
const SHOWN_WEIGHT: f64 = 0.05;

/// The velocity of F relative to E in all poses, resolved in M_e.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// In m/s.
    pub velocity_e: Vector,
    /// In rad/s.
    pub angular_velocity_e: Vector,
}

/// One pose.
pub struct Sample {
    /// Pose of M_f seen from M_e.
    pub pose: Pose,
    /// What the library returns.
    pub outcome: Outcome,
    /// The pieces that the patches consist of.
    pub pieces: Vec<ContactPiece>,
}

impl Sample {
    /// None where the pose has more than `most_pieces`, or takes too long.
    pub fn evaluate(
        bodies: &Pair,
        pose: Pose,
        motion: &Motion,
        most_pieces: usize,
        workspace: &mut Workspace,
    ) -> Result<Option<Sample>, String> {
        let motion = RelativeMotion::new(pose, motion.velocity_e, motion.angular_velocity_e)
            .map_err(|error| error.to_string())?;
        let parameters = bodies.parameters()?;
        let mut pieces = Vec::new();
        let (mut count, started) = (0, Instant::now());
        let mut is_within = true;
        visit_pieces_while(&bodies.e, &bodies.f, &parameters, &motion, workspace, &mut |piece| {
            count += 1;
            is_within = count <= most_pieces && started.elapsed().as_secs_f64() <= MOST_SECONDS_PER_POSE;
            if SHOWN_WEIGHT <= piece.weight {
                pieces.push(with_outline(piece));
            }
            is_within
        });
        if !is_within {
            return Ok(None);
        }
        keep_largest(&mut pieces);
        let outcome = evaluate(&bodies.e, &bodies.f, &parameters, &motion, workspace);
        Ok(Some(Sample { pose, outcome, pieces }))
    }

    /// Bytes of its patches in the page.
    pub fn bytes(&self) -> usize {
        self.pieces.iter().map(bytes_of).sum()
    }
}

/// Leaves out the smallest pieces, as many as do not fit into a pose.
fn keep_largest(pieces: &mut Vec<ContactPiece>) {
    let mut left = pieces.iter().map(bytes_of).sum::<usize>();
    if MOST_BYTES_PER_POSE < left {
        pieces.sort_by(|a, b| b.area.total_cmp(&a.area));
        while MOST_BYTES_PER_POSE < left {
            left -= pieces.pop().map_or(left, |piece| bytes_of(&piece));
        }
    }
}

fn bytes_of(piece: &ContactPiece) -> usize {
    1 + 8 * piece.corners.len()
}

/// An element of the scheme `centroid` is a point with an area: a square of that area stands for it.
fn with_outline(mut piece: ContactPiece) -> ContactPiece {
    if piece.corners.len() < 3 {
        let least = piece.normal_e.iamin();
        let x = piece.normal_e.cross(&Vector::ith(least, 1.0)).normalize() * (0.5 * piece.area.sqrt());
        // The normal points into E: seen from outside the body, the corners are counter-clockwise.
        let y = match piece.body {
            Body::E => -piece.normal_e.cross(&x),
            Body::F => piece.normal_e.cross(&x),
        };
        let corner = |offset: Vector| PiecePoint { position_e: piece.centre.position_e + offset, ..piece.centre };
        piece.corners = vec![corner(-x - y), corner(x - y), corner(x + y), corner(y - x)];
    }
    piece
}

#[cfg(test)]
mod tests {
    use polycontact::contact::Feature;
    use polycontact::mesh::FaceIndex;

    use super::*;

    #[test]
    fn a_point_becomes_a_square_of_its_area() {
        let centre = PiecePoint {
            position_e: Vector::new(1.0, 2.0, 3.0),
            penetration: 0.1,
            pressure: 5.0,
            slip_velocity_e: Vector::zeros(),
        };
        for (body, outwards) in [(Body::E, -1.0), (Body::F, 1.0)] {
            let normal_e = Vector::new(0.6, 0.0, -0.8);
            let piece = with_outline(ContactPiece {
                body,
                face: FaceIndex(0),
                feature: Feature::Face(FaceIndex(0)),
                weight: 1.0,
                normal_e,
                corners: vec![centre],
                centre,
                area: 4.0,
            });
            let [a, b, c, d] = [0, 1, 2, 3].map(|k| piece.corners[k].position_e);
            assert!(((b - a).cross(&(c - a)) - normal_e * (4.0 * outwards)).norm() < 1e-12);
            assert!(((a + b + c + d) / 4.0 - centre.position_e).norm() < 1e-12);
        }
    }
}
