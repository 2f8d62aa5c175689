//! Trees against all faces.

use std::collections::BTreeSet;

use super::{CenteredBox, FaceVolume, OverlapStack, RelativeFrame};
use crate::contact::ContactSurface;
use crate::math::{Aabb, Grid, Pose, Vector};
use crate::mesh::FaceIndex;
use crate::test_support::brute_force::{triangles, triangles_intersect};
use crate::test_support::pairs;
use crate::test_support::random::Random;

const POSES: usize = 60;

/// The pairs that a search visits, each once.
fn visited_pairs(e: &ContactSurface, f: &ContactSurface, pose_ef: &Pose) -> BTreeSet<(usize, usize)> {
    let frame = RelativeFrame::new(pose_ef, Grid::new(100.0));
    let mut visited = BTreeSet::new();
    e.tree().overlapping_pairs(f.tree(), &frame, &mut OverlapStack::default(), |face_e, face_f| {
        assert!(visited.insert((face_e.index(), face_f.index())), "{face_e:?} and {face_f:?} were visited twice");
    });
    visited
}

#[test]
fn pairs_of_trees_include_every_pair_of_faces_that_intersect() {
    for (seed, pair) in pairs().iter().enumerate() {
        let mut random = Random::new(300 + seed as u64);
        let faces_e = triangles(pair.e.mesh(), &Pose::identity());
        let mut intersections = 0;
        for i in 0..POSES {
            let pose = random.pose_around(Vector::zeros(), pair.reach);
            let faces_f = triangles(pair.f.mesh(), &pose);
            let visited = visited_pairs(&pair.e, &pair.f, &pose);
            let swapped: BTreeSet<_> =
                visited_pairs(&pair.f, &pair.e, &pose.inverse()).into_iter().map(|(f, e)| (e, f)).collect();
            for (e, triangle_e) in faces_e.iter().enumerate() {
                for (f, triangle_f) in faces_f.iter().enumerate() {
                    if triangles_intersect(triangle_e, triangle_f) {
                        assert!(visited.contains(&(e, f)), "{}, pose {i}: faces {e}, {f} missed", pair.name);
                        assert!(swapped.contains(&(e, f)), "{}, pose {i}: faces {e}, {f} missed in F×E", pair.name);
                        intersections += 1;
                    }
                }
            }
        }
        assert!(10 * POSES < intersections, "{}: only {intersections} intersections", pair.name);
    }
}

fn boxes_touch(a: &CenteredBox, b: &CenteredBox) -> bool {
    (0..3).all(|axis| (a.center[axis] - b.center[axis]).abs() <= a.half[axis] + b.half[axis])
}

#[test]
fn query_visits_every_face_that_touches_a_region_once() {
    for (seed, pair) in pairs().iter().enumerate() {
        let mut random = Random::new(400 + seed as u64);
        let (mesh, tree) = (pair.f.mesh(), pair.f.tree());
        let boxes: Vec<CenteredBox> = (0..mesh.faces.len() as u32)
            .map(|face| CenteredBox::around(&Aabb::of(&mesh.corners(FaceIndex(face)))))
            .collect();
        let mut touching = 0;
        for _ in 0..200 {
            let mut coordinates = |size: f64| Vector::repeat(0.0).map(|_: f64| size * random.unit());
            let center = coordinates(0.24).add_scalar(-0.12);
            let region = CenteredBox { center, half: coordinates(0.03) };
            let mut visited = BTreeSet::new();
            let touches = |volume: &FaceVolume| boxes_touch(&volume.bounds, &region);
            tree.items_touching(&mut OverlapStack::default(), touches, |face| {
                assert!(visited.insert(face.index()), "{face:?} was visited twice");
            });
            for (face, bounds) in boxes.iter().enumerate() {
                if boxes_touch(bounds, &region) {
                    assert!(visited.contains(&face), "{}: face {face} missed in {region:?}", pair.name);
                    touching += 1;
                }
            }
            if !touches(&tree.root().volume) {
                assert!(visited.is_empty());
            }
        }
        assert!(50 < touching, "{}: only {touching} faces touched", pair.name);
        let mut visited = 0;
        tree.items_touching(&mut OverlapStack::default(), |_| true, |_| visited += 1);
        assert_eq!(visited, mesh.faces.len(), "{}: all of space", pair.name);
    }
}
