//! All poses of a page, evaluated by the library.

use std::time::Instant;

use polycontact::contact::{
    Body, ContactPiece, Outcome, PiecePoint, RelativeMotion, Workspace, evaluate, visit_pieces,
};
use polycontact::math::{Pose, Vector};

use crate::approach::{Approach, Pair};

/// Depths from touch to the largest, and positions from one side to the other: odd, so that the middle is one.
const DEPTHS: usize = 25;
const POSITIONS: usize = 9;

/// Most bytes of patches in a page; beyond it there are fewer poses. Browsers take several times as much.
const MOST_BYTES: usize = 16 << 20;

/// Most bytes of patches in one pose; beyond it the rest of the patches is not shown.
const MOST_BYTES_PER_POSE: usize = 4 << 20;

/// Time in s that all poses may take, from that of the deepest; beyond it there are fewer poses.
const MOST_SECONDS: f64 = 60.0;

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
    fn evaluate(bodies: &Pair, pose: Pose, motion: &Motion, workspace: &mut Workspace) -> Result<Sample, String> {
        let motion = RelativeMotion::new(pose, motion.velocity_e, motion.angular_velocity_e)
            .map_err(|error| error.to_string())?;
        let parameters = bodies.parameters()?;
        let outcome = evaluate(&bodies.e, &bodies.f, &parameters, &motion, workspace);
        let mut pieces = Vec::new();
        let mut bytes = 0;
        visit_pieces(&bodies.e, &bodies.f, &parameters, &motion, workspace, &mut |piece| {
            if SHOWN_WEIGHT <= piece.weight && bytes < MOST_BYTES_PER_POSE {
                let piece = with_outline(piece);
                bytes += bytes_of(&piece);
                pieces.push(piece);
            }
        });
        Ok(Sample { pose, outcome, pieces })
    }

    /// Bytes of its patches in the page.
    fn bytes(&self) -> usize {
        self.pieces.iter().map(bytes_of).sum()
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

/// Poses over depth and position.
pub struct Grid {
    /// Along the approach, from touch at 0, in m.
    pub depths: Vec<f64>,
    /// Across it, in m.
    pub positions: Vec<f64>,
    /// Position by position, each with all depths.
    pub samples: Vec<Sample>,
    /// Which depth and position the page opens with.
    pub start: [usize; 2],
}

impl Grid {
    /// Evaluates the poses; fewer where the patches have very many parts or take long. `progress` hears of every
    /// evaluated pose: how many are done, and of how many.
    pub fn evaluate(
        bodies: &Pair,
        approach: &Approach,
        across_e: Vector,
        largest_depth: f64,
        range: f64,
        motion: &Motion,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<Grid, String> {
        let mut workspace = Workspace::default();
        let started = Instant::now();
        let deepest = Sample::evaluate(bodies, approach.pose(largest_depth, Vector::zeros()), motion, &mut workspace)?;
        let [depth_count, position_count] = counts(deepest.bytes(), started.elapsed().as_secs_f64());
        let depths = depths(largest_depth, depth_count, approach.asked_depth);
        let half = position_count / 2;
        let positions: Vec<f64> =
            (0..position_count).map(|k| range * (k as f64 - half as f64) / half.max(1) as f64).collect();
        let mut samples = Vec::with_capacity(depth_count * position_count);
        for &position in &positions {
            for &depth in &depths {
                let pose = approach.pose(depth, across_e * position);
                samples.push(Sample::evaluate(bodies, pose, motion, &mut workspace)?);
                progress(samples.len(), depth_count * position_count);
            }
        }
        // The pose that was asked for; else two thirds of the way.
        let start_depth = match approach.asked_depth {
            Some(asked) => nearest(&depths, asked),
            None => 2 * (depth_count - 1) / 3,
        };
        Ok(Grid { depths, positions, samples, start: [start_depth, half] })
    }

    /// The pose with which the page opens.
    pub fn start_sample(&self) -> &Sample {
        &self.samples[self.start[1] * self.depths.len() + self.start[0]]
    }
}

/// Depths from 0 to the largest; the one that was asked for, where it lies between, is one of them.
fn depths(largest: f64, count: usize, asked: Option<f64>) -> Vec<f64> {
    let last = count - 1;
    let Some(asked) = asked.filter(|asked| 0.0 < *asked && *asked < largest) else {
        return (0..count).map(|k| largest * k as f64 / last as f64).collect();
    };
    let middle = ((asked / largest * last as f64).round() as usize).clamp(1, last - 1);
    let before = (0..middle).map(|k| asked * k as f64 / middle as f64);
    let after = (middle..count).map(|k| asked + (largest - asked) * (k - middle) as f64 / (last - middle) as f64);
    before.chain(after).collect()
}

fn nearest(values: &[f64], wanted: f64) -> usize {
    let distance = |index: &usize| (values[*index] - wanted).abs();
    (0..values.len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(0)
}

/// Numbers of depths and positions for patches of so many bytes at the largest depth, which took so many seconds.
fn counts(deepest_bytes: usize, seconds: f64) -> [usize; 2] {
    let choices = [[DEPTHS, POSITIONS], [DEPTHS, 5], [DEPTHS, 3], [13, 3], [13, 1]];
    let fits = |[depths, positions]: &[usize; 2]| {
        let poses = depths * positions;
        deepest_bytes.saturating_mul(poses) <= MOST_BYTES && seconds * poses as f64 <= MOST_SECONDS
    };
    choices.into_iter().find(fits).unwrap_or([7, 1])
}

#[cfg(test)]
mod tests {
    use polycontact::contact::Feature;
    use polycontact::mesh::FaceIndex;

    use super::*;

    #[test]
    fn large_patches_have_fewer_poses_but_always_some() {
        assert_eq!(counts(1000, 0.1), [DEPTHS, POSITIONS]);
        assert_eq!(counts(100_000, 0.1), [DEPTHS, 5]);
        assert_eq!(counts(1000, 1.0), [13, 3]);
        assert_eq!(counts(usize::MAX, 0.1), [7, 1]);
        assert_eq!(counts(1000, 1e3), [7, 1]);
        assert_eq!(nearest(&[0.0, 1.0, 2.0], 1.4), 1);
    }

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

    #[test]
    fn the_asked_depth_is_one_of_the_depths() {
        assert_eq!(depths(4.0, 5, None), [0.0, 1.0, 2.0, 3.0, 4.0]);
        assert_eq!(depths(4.0, 5, Some(2.25)), [0.0, 1.125, 2.25, 3.125, 4.0]);
        assert_eq!(depths(4.0, 5, Some(0.25)), [0.0, 0.25, 1.5, 2.75, 4.0]);
        assert_eq!(depths(4.0, 5, Some(9.0)), depths(4.0, 5, None));
    }
}
