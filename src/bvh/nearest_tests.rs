//! The nearest face against a look at all faces.

use super::OverlapStack;
use crate::contact::ContactSurface;
use crate::math::Vector;
use crate::mesh::{FaceIndex, TriangleFeature, TriangleMesh, closest_on_triangle, on_triangle};
use crate::shapes::{comb, cuboid, gear, icosphere, regular_prism, star_prism, subdivided_cuboid, torus};
use crate::test_support::random::Random;

const POINTS: usize = 400;

fn shapes() -> Vec<(&'static str, TriangleMesh)> {
    vec![
        ("box", cuboid(Vector::new(0.1, 0.2, 0.05))),
        ("fine box", subdivided_cuboid(Vector::new(0.1, 0.1, 0.1), [5, 5, 5])),
        ("comb", comb(4, 0.02, 0.05, 0.03, 0.1)),
        ("gear", gear(7, 0.07, 0.1, 0.02)),
        ("star", star_prism(&[[0.1, 0.0], [0.02, 0.02], [0.0, 0.1], [-0.02, 0.02], [-0.1, 0.0], [0.0, -0.03]], 0.05)),
        ("ring", torus(0.1, 0.04, 16, 8)),
        ("disc of needles", regular_prism(0.1, 1e-6, 200)),
        ("ball", icosphere(0.1, 3)),
    ]
}

/// Squares of distances to all faces, computed as the search does.
fn squared_distances(mesh: &TriangleMesh, point: &Vector) -> Vec<f64> {
    let of_face = |face: u32| {
        let corners = mesh.corners(FaceIndex(face));
        (on_triangle(&corners, closest_on_triangle(&corners, point).1) - point).norm_squared()
    };
    (0..mesh.faces.len() as u32).map(of_face).collect()
}

/// Points around and inside, every fourth one on the surface, every fifth one on a lattice with many ties.
fn point(i: usize, mesh: &TriangleMesh, random: &mut Random) -> Vector {
    let free = random.direction() * random.between(0.0, 0.3);
    match (i % 4, i % 5) {
        (0, _) => {
            let corners = mesh.corners(FaceIndex((random.bits() % mesh.faces.len() as u64) as u32));
            match i % 3 {
                0 => corners[0],
                1 => 0.5 * (corners[1] + corners[2]),
                _ => (corners[0] + corners[1] + corners[2]) / 3.0,
            }
        }
        (_, 0) => free.map(|x| (x / 0.025).round() * 0.025),
        _ => free,
    }
}

#[test]
fn the_nearest_face_is_the_one_that_a_look_at_all_faces_finds() {
    let mut stack = OverlapStack::default();
    for (seed, (name, mesh)) in shapes().into_iter().enumerate() {
        let mut random = Random::new(500 + seed as u64);
        let surface = ContactSurface::new(mesh.clone());
        for i in 0..POINTS {
            let point = point(i, &mesh, &mut random);
            let distances = squared_distances(&mesh, &point);
            let (face, least) = distances.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1)).expect("faces");
            let found = surface.nearest_face(point, f64::INFINITY, &mut stack).expect("a face");
            assert_eq!((found.face.index(), found.distance), (face, least.sqrt()), "{name}, point {i}");
            assert_eq!(found.point, on_triangle(&mesh.corners(found.face), found.weights));
            // Neither its own distance nor any larger one changes anything as a start; a smaller one finds nothing.
            for start in [found.distance, 1.5 * found.distance, found.distance + 0.1] {
                assert_eq!(surface.nearest_face(point, start, &mut stack), Some(found), "{name}, point {i}, {start}");
            }
            if 1e-9 < found.distance {
                assert_eq!(surface.nearest_face(point, 0.999 * found.distance, &mut stack), None);
            }
        }
    }
}

#[test]
fn the_feature_tells_where_on_the_face_the_nearest_point_lies() {
    let surface = ContactSurface::new(cuboid(Vector::new(2.0, 2.0, 2.0)));
    let mut stack = OverlapStack::default();
    let mut nearest = |x, y, z| surface.nearest_face(Vector::new(x, y, z), f64::INFINITY, &mut stack).expect("a face");
    let corner = |face: FaceIndex, k: usize| surface.mesh().corners(face)[k];
    let found = nearest(0.3, 0.1, 5.0);
    assert_eq!((found.feature, found.distance), (TriangleFeature::Inside, 4.0));
    let found = nearest(0.3, 4.0, 5.0);
    assert!((found.distance - 5.0).abs() < 1e-15);
    let TriangleFeature::Edge(k) = found.feature else { panic!("{found:?}") };
    for end in [corner(found.face, k), corner(found.face, (k + 1) % 3)] {
        assert_eq!((end.y, end.z), (1.0, 1.0), "{found:?}");
    }
    let found = nearest(3.0, 4.0, 7.0);
    let TriangleFeature::Corner(k) = found.feature else { panic!("{found:?}") };
    assert_eq!((corner(found.face, k), found.distance), (Vector::new(1.0, 1.0, 1.0), 7.0));
}

#[test]
fn points_that_are_no_numbers_or_far_away_are_answered_without_one() {
    let surface = ContactSurface::new(icosphere(0.1, 2));
    let mut stack = OverlapStack::default();
    for x in [f64::NAN, f64::INFINITY, 1e308, 1e200, 1e20, -1e308] {
        for point in [Vector::new(x, 0.0, 0.0), Vector::new(0.1, -x, x)] {
            if let Some(found) = surface.nearest_face(point, f64::INFINITY, &mut stack) {
                assert!(!found.distance.is_nan() && found.point.norm() < 0.2, "{point:?}: {found:?}");
            }
        }
    }
    assert_eq!(surface.nearest_face(Vector::zeros(), f64::NAN, &mut stack), None);
}
