//! The intersection lines that the trees find against those of all pairs of faces.

use std::collections::BTreeSet;

use super::collision_detection::PosedPair;
use super::triangle_intersection::{PlacedFace, line_ends};
use crate::bvh::{OverlapStack, SearchCache};
use crate::contact::{ContactSurface, Outcome, RelativeMotion};
use crate::math::{Pose, Vector};
use crate::mesh::FaceIndex;
use crate::test_support::brute_force::{triangles, triangles_intersect};
use crate::test_support::random::Random;
use crate::test_support::{pairs, random_or_degenerate_pose};

type FacePairs = BTreeSet<(FaceIndex, FaceIndex)>;

/// Pairs of faces that intersect: as found through the trees, and from all pairs; none where the boxes are apart.
fn found_and_all(e: &ContactSurface, f: &ContactSurface, pose: &Pose) -> Option<(FacePairs, FacePairs)> {
    let motion = RelativeMotion::at_rest(*pose);
    let mut outcome = Outcome::default();
    let pair = PosedPair::colliding(e, f, &motion, &mut outcome)?;
    let mut lines = Vec::new();
    let (stack, cache) = (&mut OverlapStack::default(), &mut SearchCache::default());
    pair.find_intersection_lines(stack, cache, &mut lines, &mut outcome);
    let found: FacePairs = lines.iter().map(|line| (line.face_e, line.face_f)).collect();
    assert_eq!(found.len(), lines.len(), "a pair of faces was reported twice");
    assert_eq!(outcome.line_count as usize, lines.len());

    let mut all = FacePairs::new();
    for face_e in (0..e.mesh().faces.len() as u32).map(FaceIndex) {
        let placed_e = PlacedFace::new(face_e, pair.e.corners(face_e));
        for face_f in (0..f.mesh().faces.len() as u32).map(FaceIndex) {
            let placed_f = PlacedFace::new(face_f, pair.f.corners(face_f));
            if line_ends(pair.e.grid(), &placed_e, &placed_f).is_some() {
                all.insert((face_e, face_f));
            }
        }
    }
    Some((found, all))
}

#[test]
fn trees_find_every_intersection_line_in_random_and_degenerate_poses() {
    const POSES: usize = 60;
    for (seed, pair) in pairs().iter().enumerate() {
        let mut random = Random::new(100 + seed as u64);
        let mut lines = 0;
        for i in 0..POSES {
            let pose = random_or_degenerate_pose(i, pair.reach, &mut random);
            if let Some((found, all)) = found_and_all(&pair.e, &pair.f, &pose) {
                assert_eq!(found, all, "{}, pose {i}: {pose:?}", pair.name);
                lines += found.len();
            }
        }
        println!("{}: {lines} lines", pair.name);
        assert!(10 * POSES < lines, "{}: only {lines} lines", pair.name);
    }
}

#[test]
fn bodies_apart_by_their_boxes_have_no_intersection_lines() {
    // Where the boxes of the whole bodies answer for all faces, all pairs must agree.
    for (seed, pair) in pairs().iter().enumerate() {
        let mut random = Random::new(200 + seed as u64);
        let mut apart = 0;
        for _ in 0..60 {
            let pose = random.pose_around(Vector::zeros(), 1.5 * pair.reach);
            if found_and_all(&pair.e, &pair.f, &pose).is_none() {
                apart += 1;
                let faces_f = triangles(pair.f.mesh(), &pose);
                let faces_e = triangles(pair.e.mesh(), &Pose::identity());
                assert!(
                    !faces_e.iter().any(|e| faces_f.iter().any(|f| triangles_intersect(e, f))),
                    "{}: {pose:?}",
                    pair.name
                );
            }
        }
        assert!(0 < apart, "{}: the boxes always overlap", pair.name);
    }
}
