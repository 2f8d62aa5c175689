//! Pieces of contact: they fill what is inside, each has the right nearest feature, and trying all faces finds the same.
//!
//! POLYCONTACT_POSES is the number of poses per pair.

use crate::support::brute_force::{clearly_inside, triangles};
use crate::support::pairs::{Pair, pairs, random_or_degenerate_pose};
use crate::support::random::{Random, pose_count};
use crate::support::sampled_law::nearest_on_triangle;
use crate::support::{STIFFNESS, assert_vector_eq, elastic, radius, surface, wrench_distance};
use polycontact::contact::{
    Body, ContactPiece, ContactSurface, Feature, Method, Outcome, RelativeMotion, Workspace, evaluate, visit_pieces,
};
use polycontact::math::{Pose, Vector};
use polycontact::mesh::{FaceIndex, TriangleMesh};
use polycontact::shapes::{
    chain_link, cuboid, filleted_bar, icosphere, involute_gear, l_profile, latch_hook, moved, regular_prism, u_profile,
};

/// The pairs of all tests, and machine parts with reflex edges and thin walls; their frames are in their middles.
fn all_pairs() -> Vec<Pair> {
    let pair = |name, e: TriangleMesh, f: TriangleMesh| {
        let [e, f] = [e, f].map(|mesh| {
            let middle = mesh.vertices.iter().sum::<Vector>() / mesh.vertices.len() as f64;
            moved(&mesh, &Pose::translation(-middle.x, -middle.y, -middle.z))
        });
        let reach = 0.7 * (radius(&e) + radius(&f));
        Pair { name, e: surface(e), f: surface(f), reach }
    };
    let angle = || l_profile(0.08, 0.03, 0.1);
    let channel = || u_profile(0.1, 0.08, 0.02, 0.1);
    let link = || chain_link(0.06, 0.03, 0.012, 6, 8);
    let spur = || involute_gear(8, 0.012, 20f64.to_radians(), 0.03, 2, 0.0);
    let sheet = || cuboid(Vector::new(0.2, 0.2, 0.002));
    let mut all = pairs();
    all.extend([
        pair("angle with angle", angle(), angle()),
        pair("channel with angle", channel(), angle()),
        pair("hook with channel", latch_hook(0.12, 0.015, 0.01, 0.03), channel()),
        pair("link with link", link(), link()),
        pair("spur gears", spur(), spur()),
        pair("sheet with box", sheet(), cuboid(Vector::new(0.1, 0.08, 0.06))),
        pair("sheet with sheet", sheet(), sheet()),
        pair("sheet with angle", sheet(), angle()),
        pair("ball with ball", icosphere(0.06, 2), icosphere(0.06, 2)),
        pair("filleted bar with prism", filleted_bar(0.03, 0.04, 0.1, 0.0005, 3), regular_prism(0.05, 0.08, 12)),
    ]);
    all
}

/// Calls a check with random poses of all pairs in contact; `poses` of each pair, degenerate ones among them or not.
fn for_poses(poses: usize, with_degenerate: bool, mut check: impl FnMut(&Pair, &Pose, &mut Random)) {
    for (seed, pair) in all_pairs().iter().enumerate() {
        let mut random = Random::new(100 + seed as u64);
        let mut contacts = 0;
        let count = pose_count(poses);
        for i in 0..count {
            let pose = random_or_degenerate_pose(if with_degenerate { i } else { 0 }, pair.reach, &mut random);
            let motion = RelativeMotion::at_rest(pose);
            let counted =
                evaluate(&pair.e, &pair.f, &elastic(Method::CollisionOnly), &motion, &mut Workspace::default());
            if counted.in_contact {
                contacts += 1;
                println!("{}, pose {i}: {pose:?}", pair.name);
                check(pair, &pose, &mut random);
            }
        }
        assert!(count < 10 || count / 5 < contacts, "{}: only {contacts} of {count} in contact", pair.name);
    }
}

/// The pieces of both bodies, each with the whole stiffness in its own pass, at half of the weight.
fn pieces(pair: &Pair, pose: &Pose, workspace: &mut Workspace) -> Vec<ContactPiece> {
    let mut pieces = Vec::new();
    let motion = RelativeMotion::at_rest(*pose);
    visit_pieces(&pair.e, &pair.f, &elastic(Method::TwoPass), &motion, workspace, &mut |piece| pieces.push(piece));
    pieces
}

/// Load of a contact without damping and friction: ∫ p dA.
fn load(outcome: &Outcome) -> f64 {
    outcome.normal_stress.mean * outcome.contact_area
}

#[test]
fn trying_all_faces_finds_the_same() {
    let mut workspace = Workspace::default();
    let mut tries_all = Workspace::default();
    tries_all.tries_all = true;
    let mut worst: Vec<(&'static str, f64)> = Vec::new();
    for_poses(24, true, |pair, pose, _| {
        let motion = RelativeMotion::at_rest(*pose);
        let size = radius(pair.e.mesh()).max(radius(pair.f.mesh()));
        for method in [Method::MasterE, Method::MasterF] {
            let outcome = evaluate(&pair.e, &pair.f, &elastic(method), &motion, &mut workspace);
            let slow = evaluate(&pair.e, &pair.f, &elastic(method), &motion, &mut tries_all);
            // Depths are rounded to 1e-16 of the coordinates.
            let rounding = 1e-14 * STIFFNESS * size * slow.contact_area;
            let difference = wrench_distance(&outcome, &slow, size);
            let relative = (difference - rounding).max(0.0) / load(&slow).max(f64::MIN_POSITIVE);
            match worst.last_mut() {
                Some((name, worst)) if *name == pair.name => *worst = worst.max(relative),
                _ => worst.push((pair.name, relative)),
            }
            // Next to reflex edges walls are curved, and both ways cut them by chords of their own, which are good to
            // (5e-4)² of the depth along them.
            assert!(relative <= 2.5e-7, "{method:?}: {difference:e} N of {:e} N", load(&slow));
            let areas = (outcome.contact_area - slow.contact_area).abs();
            // Of faces that are flush nobody can tell whether they are in contact; they carry nothing.
            let is_aligned = pose.rotation.matrix().iter().all(|x| x.abs() < 1e-9 || (x.abs() - 1.0).abs() < 1e-9);
            assert!(is_aligned || areas <= 1e-9 * slow.contact_area, "{method:?}: area {areas:e} off");
        }
    });
    println!("largest differences over the load: {worst:?}");
}

#[test]
fn pieces_are_what_is_integrated() {
    let mut workspace = Workspace::default();
    for_poses(9, true, |pair, pose, _| {
        let motion = RelativeMotion::at_rest(*pose);
        let outcome = evaluate(&pair.e, &pair.f, &elastic(Method::TwoPass), &motion, &mut workspace);
        let pieces = pieces(pair, pose, &mut workspace);
        assert_eq!(pieces.len(), outcome.element_count as usize);
        let (mut area, mut force, mut deepest) = (0.0, Vector::zeros(), 0.0f64);
        for piece in &pieces {
            area += piece.weight * piece.area;
            force += piece.normal_e * (piece.weight * piece.area * piece.centre.pressure);
            deepest = piece.corners.iter().map(|corner| corner.penetration).fold(deepest, f64::max);
            assert!(3 <= piece.corners.len() && 0.0 <= piece.area);
        }
        assert!((area - outcome.contact_area).abs() <= 1e-12 * area, "area {area} and {}", outcome.contact_area);
        assert_vector_eq("force", force, outcome.wrenches.on_e.force, 1e-12 * load(&outcome));
        assert!(outcome.in_contact && (deepest - outcome.max_penetration).abs() <= 1e-12 * deepest);
    });
}

/// The pieces of both bodies together are the border of a closed body, what E and F have in common: ∮ n dA = 0 and
/// ∮ x × n dA = 0. A gap or an overlap would show. Where faces are coplanar it is a matter of rounding which body they
/// belong to.
#[test]
fn pieces_close_the_common_body() {
    let mut workspace = Workspace::default();
    for_poses(45, false, |pair, pose, _| {
        let (mut area, mut vector_area, mut moment) = (0.0, Vector::zeros(), Vector::zeros());
        let mut of_faces: Vec<((Body, FaceIndex), f64)> = Vec::new();
        for piece in pieces(pair, pose, &mut workspace) {
            // Out of the common body.
            let normal = if piece.body == Body::E { -piece.normal_e } else { piece.normal_e };
            area += piece.area;
            vector_area += normal * piece.area;
            moment += piece.centre.position_e.cross(&normal) * piece.area;
            let face = (piece.body, piece.face);
            match of_faces.iter_mut().find(|(other, _)| *other == face) {
                Some((_, sum)) => *sum += piece.area,
                None => of_faces.push((face, piece.area)),
            }
        }
        let size = radius(pair.e.mesh()).max(radius(pair.f.mesh()));
        // Parts below 1e-14 of a face are left out, and intersection lines are cut off within 1e-9 of the rim of a part.
        let tolerance = 1e-8 * area;
        assert!(vector_area.norm() <= tolerance, "{}: ∮ n dA is {:e} of {area:e}", pair.name, vector_area.norm());
        assert!(moment.norm() <= tolerance * size, "∮ x × n dA is {:e} of {area:e}", moment.norm());
        for ((body, face), sum) in of_faces {
            let mesh = if body == Body::E { pair.e.mesh() } else { pair.f.mesh() };
            let [a, b, c] = mesh.corners(face);
            let whole = 0.5 * (b - a).cross(&(c - a)).norm();
            assert!(sum <= whole * (1.0 + 1e-9), "pieces of face {face:?} of {body:?}: {sum:e} of {whole:e}");
        }
    });
}

/// Distance of a point to a feature of a surface, in its own frame.
fn distance_to(surface: &ContactSurface, feature: Feature, point: &Vector) -> f64 {
    let mesh = surface.mesh();
    match feature {
        Feature::Face(face) => {
            let [a, b, c] = mesh.corners(face);
            (b - a).cross(&(c - a)).normalize().dot(&(point - a)).abs()
        }
        Feature::Edge(edge) => {
            let corners = mesh.corners(edge.face());
            let (a, b) = (corners[edge.corner()], corners[(edge.corner() + 1) % 3]);
            let along = (b - a).normalize();
            let offset = point - a;
            (offset - along * along.dot(&offset)).norm()
        }
        Feature::Vertex(vertex) => (point - mesh.vertices[vertex.index()]).norm(),
    }
}

/// Points of a piece with their depths: its centroid, and points between that and its corners.
fn points_of(piece: &ContactPiece, random: &mut Random) -> Vec<(Vector, f64)> {
    let centre = (piece.centre.position_e, piece.centre.penetration);
    let mut points = vec![centre];
    for corner in &piece.corners {
        let share = random.between(0.0, 0.999);
        points.push((
            centre.0 + share * (corner.position_e - centre.0),
            centre.1 + share * (corner.penetration - centre.1),
        ));
    }
    points
}

/// Cosine of the largest angle of an inner edge at which depths are measured to the planes of its faces, whose sine is 0.1.
const LARGEST_MITRE: f64 = 0.994_987;

/// Around the axis of a mitre that is not exactly one the depth has steps of this part.
const STEPS: f64 = 5e-3;

/// The smallest and the largest depth that a point may have, by trying all faces: both are the distance to the nearest one.
/// Where that is a point of an inner edge that is flat enough, the smallest is the distance to the planes of its faces.
fn depths_at(point: &Vector, faces: &[[Vector; 3]]) -> [f64; 2] {
    let distance = |face: &[Vector; 3]| (nearest_on_triangle(point, face) - point).norm();
    let nearest = faces.iter().map(distance).fold(f64::INFINITY, f64::min);
    let normal = |[a, b, c]: &[Vector; 3]| (b - a).cross(&(c - a)).normalize();
    let as_near: Vec<_> = faces.iter().filter(|face| distance(face) <= nearest * (1.0 + 1e-9)).collect();
    let is_flat = |a: &&[Vector; 3]| as_near.iter().all(|b| LARGEST_MITRE <= normal(a).dot(&normal(b)));
    if !as_near.iter().all(is_flat) {
        return [nearest, nearest];
    }
    let to_planes = as_near.iter().map(|face| normal(face).dot(&(point - face[0])).abs()).fold(0.0, f64::max);
    if (1.0 - 1e-9) * nearest <= to_planes { [nearest, nearest] } else { [to_planes - STEPS * nearest, nearest] }
}

#[test]
fn depths_are_distances_to_the_nearest_of_all_faces() {
    let mut workspace = Workspace::default();
    for_poses(4, true, |pair, pose, random| {
        let bodies = [(&pair.e, Pose::identity()), (&pair.f, *pose)];
        let faces = bodies.map(|(surface, pose)| triangles(surface.mesh(), &pose));
        // Chords of curved walls are off by up to 3e-4 of the depth, in narrow strips: far less in the mean.
        let (mut excess, mut all) = (0.0, 0.0);
        for piece in pieces(pair, pose, &mut workspace) {
            let other = if piece.body == Body::E { 1 } else { 0 };
            let (field, pose_of_field) = bodies[other];
            let reach = piece.corners.iter().map(|corner| (corner.position_e - piece.centre.position_e).norm());
            let reach = reach.fold(0.0, f64::max);
            let deepest = piece.corners.iter().map(|corner| corner.penetration).fold(0.0, f64::max);
            let points = points_of(&piece, random);
            let share = piece.area / points.len() as f64;
            for (point, depth) in points {
                let [least, nearest] = depths_at(&point, &faces[other]);
                let own = pose_of_field.rotation.inverse() * (point - pose_of_field.translation.vector);
                let to_feature = distance_to(field, piece.feature, &own);
                // Ties along cuts are decided within 1e-7 of the size of a part.
                let tolerance = 1e-12 + 2e-7 * reach;
                let is_plane = matches!(piece.feature, Feature::Face(_));
                let error = (least - to_feature).max(to_feature - nearest);
                excess += share * (error - tolerance).max(0.0);
                all += share * nearest;
                // Directions to an edge or a vertex differ by 10° over a part: no depth is off the tangent by more
                // than 1 − cos 10°, 1.5 % of the largest. A linear function with the same integrals overshoots at corners, by up
                // to twice that at the tip of a triangle.
                let linear = if is_plane { 0.0 } else { 0.05 * deepest };
                let difference = (depth - to_feature).abs();
                assert!(difference <= 1e-12 + linear, "{:?}: {depth:e}, {to_feature:e}", piece.feature);
            }
            // On coplanar faces nobody can tell.
            let inside = clearly_inside(&piece.centre.position_e, &faces[other], random);
            assert!(inside != Some(false) || piece.area < 1e-12 * radius(field.mesh()).powi(2), "outside: {piece:?}");
        }
        assert!(excess <= 1e-6 * all, "depths off by {:e} in the mean", excess / all);
    });
}
