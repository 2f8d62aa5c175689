//! The gap against its slow twin: every face against every face.

use crate::support::brute_force::{triangles, triangles_intersect};
use crate::support::pairs::random_or_lattice_pose;
use crate::support::random::{Random, pose_count};
use crate::support::{radius, surface};
use polycontact::bvh::Separation;
use polycontact::contact::{ContactSurface, Gap, GapMemory, RelativeMotion, gap};
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::mesh::{FaceIndex, TriangleMesh, closest_of_triangles};
use polycontact::shapes::{
    bush, comb, cuboid, gear, icosphere, moved, regular_prism, star_prism, subdivided_cuboid, torus,
};

/// Distances are rounded by some 10⁻¹⁶ of coordinates below 1 m, and compared in steps of some 10⁻¹³ m here; in m.
const ROUNDING: f64 = 1e-12;

fn star() -> TriangleMesh {
    star_prism(&[[0.1, 0.0], [0.02, 0.02], [0.0, 0.1], [-0.02, 0.02], [-0.1, 0.0], [0.0, -0.03]], 0.05)
}

/// A cone of needles: all its faces meet in the tip, 0.1 m above the origin.
fn cone(sides: usize) -> TriangleMesh {
    let mut mesh = regular_prism(0.01, 0.02, sides);
    let top = mesh.vertices.iter().fold(f64::NEG_INFINITY, |top, vertex| top.max(vertex.z));
    for vertex in &mut mesh.vertices {
        if vertex.z == top {
            *vertex =
                Vector::new(0.001 * vertex.x, 0.001 * vertex.y, if vertex.xy().norm() < 1e-9 { 0.1 } else { 0.09 });
        }
    }
    mesh
}

/// Edged, thin, non-convex and badly triangulated shapes.
fn pairs() -> Vec<(&'static str, TriangleMesh, TriangleMesh)> {
    let centred_comb = || moved(&comb(3, 0.02, 0.05, 0.03, 0.1), &Pose::translation(-0.05, 0.0, -0.01));
    vec![
        ("box and box", cuboid(Vector::new(0.1, 0.1, 0.1)), cuboid(Vector::new(0.2, 0.1, 0.05))),
        ("box and fine box", cuboid(Vector::new(0.1, 0.1, 0.1)), subdivided_cuboid(Vector::repeat(0.1), [3, 3, 3])),
        ("comb and comb", centred_comb(), centred_comb()),
        ("gear and star", gear(5, 0.07, 0.1, 0.04), star()),
        ("ring and ring", torus(0.1, 0.04, 8, 5), torus(0.12, 0.01, 9, 4)),
        ("ring and comb", torus(0.1, 0.04, 8, 5), centred_comb()),
        ("discs of needles", regular_prism(0.1, 1e-6, 24), regular_prism(0.1, 1e-9, 24)),
        ("needle and star", cone(12), star()),
        ("ball in box", cuboid(Vector::repeat(0.3)), icosphere(0.05, 1)),
        ("pin in bush", bush(0.05, 0.1, 0.1, 10), regular_prism(0.03, 0.2, 7)),
    ]
}

/// On the lattice, also poses in which the bodies are apart.
fn pose(i: usize, reach: f64, random: &mut Random) -> Pose {
    random_or_lattice_pose(i, reach, 20, random)
}

fn gap_at(e: &ContactSurface, f: &ContactSurface, pose: &Pose, memory: &mut GapMemory) -> Gap {
    gap(e, f, &RelativeMotion::at_rest(*pose), memory)
}

/// The first pair of faces, in the order of the trees, within the first step of distance; its distance and the least one.
fn nearest_of_all(e: &ContactSurface, f: &ContactSurface, pose: &Pose) -> ([FaceIndex; 2], f64, f64) {
    let (faces_e, faces_f) = (triangles(e.mesh(), &Pose::identity()), triangles(f.mesh(), pose));
    let separation = Separation::new(e.tree(), f.tree(), pose);
    let mut best = (f64::INFINITY, [FaceIndex(0); 2], f64::INFINITY);
    let mut least = f64::INFINITY;
    for &face_e in e.tree().items() {
        for &face_f in f.tree().items() {
            let closest = closest_of_triangles(&faces_e[face_e.index()], &faces_f[face_f.index()]);
            let distance = closest.squared_distance.sqrt();
            least = least.min(distance);
            if separation.steps(distance) < best.0 {
                best = (separation.steps(distance), [face_e, face_f], distance);
            }
        }
    }
    (best.1, best.2, least)
}

#[test]
fn the_gap_is_the_one_that_all_pairs_of_faces_find() {
    for (seed, (name, mesh_e, mesh_f)) in pairs().into_iter().enumerate() {
        let (e, f) = (surface(mesh_e.clone()), surface(mesh_f.clone()));
        let mut random = Random::new(900 + seed as u64);
        let mut memory = GapMemory::default();
        let mut apart = 0;
        for i in 0..pose_count(300) {
            let pose = pose(i, 1.5 * (radius(&mesh_e) + radius(&mesh_f)), &mut random);
            let (faces, distance, least) = nearest_of_all(&e, &f, &pose);
            let found = gap_at(&e, &f, &pose, &mut memory);
            assert_eq!((found.faces, found.distance), (Some(faces), distance), "{name}, pose {i}: {pose:?}");
            assert!(found.distance - least < ROUNDING, "{name}, pose {i}");
            // The nearest points are as far apart as the distance says, and on their faces.
            let between = pose.rotation * found.nearest_on_f_f + pose.translation.vector - found.nearest_on_e_e;
            assert!((between.norm() - distance).abs() < ROUNDING, "{name}, pose {i}");
            apart += usize::from(1e-6 < distance);
            // What was asked before changes nothing.
            assert_eq!(found, gap_at(&e, &f, &pose, &mut GapMemory::default()), "{name}, pose {i}");
            assert_eq!(found, gap_at(&e, &f, &pose, &mut memory), "{name}, pose {i}");
            // Nor do swapped bodies change the distance.
            let swapped = gap_at(&f, &e, &pose.inverse(), &mut GapMemory::default());
            assert!((swapped.distance - distance).abs() < ROUNDING, "{name}, pose {i}: {swapped:?} and {found:?}");
        }
        assert!(pose_count(300) / 4 < apart, "{name}: only {apart} poses apart");
    }
}

#[test]
fn small_motions_find_what_a_search_from_nothing_finds() {
    for (seed, (name, mesh_e, mesh_f)) in pairs().into_iter().enumerate() {
        let (e, f) = (surface(mesh_e.clone()), surface(mesh_f.clone()));
        let mut random = Random::new(970 + seed as u64);
        let mut memory = GapMemory::default();
        for i in 0..pose_count(40) {
            let mut pose = pose(i, 1.5 * (radius(&mesh_e) + radius(&mesh_f)), &mut random);
            let (size, start) = (10f64.powf(random.between(-16.0, -2.0)), pose);
            for step in 0..30 {
                let found = gap_at(&e, &f, &pose, &mut memory);
                assert_eq!(found, gap_at(&e, &f, &pose, &mut GapMemory::default()), "{name}, pose {i}, step {step}");
                // Now and then at rest, on and on in one direction, or back to the start.
                let turn = Rotation::new(random.direction() * (10.0 * size * random.unit()));
                match random.bits() % 8 {
                    0 => {}
                    1 => pose = start,
                    _ => pose = Pose::from_parts((random.direction() * size).into(), turn) * pose,
                }
            }
        }
    }
}

/// Two parallel planes that touch the faces at the nearest points, across the line between these, prove the distance.
#[test]
fn planes_through_the_nearest_points_keep_the_faces_apart() {
    let mut random = Random::new(31);
    let (mut proofs, mut intersections) = (0, 0);
    for i in 0..200_000 {
        let size = 10f64.powf(random.between(-9.0, 0.0));
        let mut corner = |scale: f64| random.direction() * scale;
        let (offset, tilt) = (corner(1.0), corner(1.0));
        let mut first = [corner(1.0), corner(1.0), corner(1.0)];
        let mut second = [corner(1.0) + offset, corner(1.0) + offset, corner(1.0) + offset];
        match i % 4 {
            1 => first[2] = 0.4 * first[0] + 0.6 * first[1] + size * tilt,
            2 => second = first.map(|corner| corner + 0.2 * tilt + size * offset),
            3 => {
                first[2] = 0.4 * first[0] + 0.6 * first[1] + size * tilt;
                second[1] = second[0] + size * offset;
            }
            _ => {}
        }
        let closest = closest_of_triangles(&first, &second);
        let distance = closest.squared_distance.sqrt();
        if triangles_intersect(&first, &second) {
            intersections += 1;
            assert!(distance < 1e-14, "{i}: {distance:e}");
        }
        if distance < 1e-4 {
            continue;
        }
        let at = |corners: &[Vector; 3], w: [f64; 3]| corners[0] * w[0] + corners[1] * w[1] + corners[2] * w[2];
        let normal = (at(&second, closest.weights[1]) - at(&first, closest.weights[0])) / distance;
        let reach = first.iter().fold(f64::NEG_INFINITY, |high, corner| high.max(normal.dot(corner)));
        let start = second.iter().fold(f64::INFINITY, |low, corner| low.min(normal.dot(corner)));
        // The normal is rounded by 10⁻¹⁶ over the distance.
        assert!(distance - (start - reach) < 4e-15 / distance, "{i}: {distance:e}, {:e}", distance - (start - reach));
        proofs += 1;
    }
    assert!(100_000 < proofs && 1_000 < intersections, "{proofs} proofs, {intersections} intersections");
}

#[test]
fn a_rigid_motion_of_both_bodies_changes_the_distance_by_rounding_only() {
    for (seed, (name, mesh_e, mesh_f)) in pairs().into_iter().enumerate() {
        let mut random = Random::new(950 + seed as u64);
        let (e, f) = (surface(mesh_e.clone()), surface(mesh_f.clone()));
        for i in 0..50 {
            let pose = pose(i, 1.5 * (radius(&mesh_e) + radius(&mesh_f)), &mut random);
            let (frame_e, frame_f) =
                (random.pose_around(Vector::zeros(), 0.3), random.pose_around(Vector::zeros(), 0.3));
            let moved_pair = (surface(moved(&mesh_e, &frame_e)), surface(moved(&mesh_f, &frame_f)));
            let moved_pose = frame_e * pose * frame_f.inverse();
            let plain = gap_at(&e, &f, &pose, &mut GapMemory::default()).distance;
            let turned = gap_at(&moved_pair.0, &moved_pair.1, &moved_pose, &mut GapMemory::default()).distance;
            assert!((plain - turned).abs() < ROUNDING, "{name}, pose {i}: {plain:e} and {turned:e}");
        }
    }
}

#[test]
fn distances_of_shapes_known_by_heart() {
    let mut memory = GapMemory::default();
    let (large, small) = (surface(cuboid(Vector::repeat(1.0))), surface(cuboid(Vector::repeat(0.25))));
    let nested = gap_at(&large, &small, &Pose::translation(0.25, 0.0, 0.0), &mut memory);
    assert_eq!((nested.distance, nested.nearest_on_e_e.x, nested.nearest_on_f_f.x), (0.125, 0.5, 0.125));
    let diagonal = gap_at(&large, &small, &Pose::translation(0.925, 1.025, 1.225), &mut memory);
    assert!((diagonal.distance - Vector::new(0.3, 0.4, 0.6).norm()).abs() < 1e-15);
    assert_eq!((diagonal.nearest_on_e_e, diagonal.nearest_on_f_f), (Vector::repeat(0.5), Vector::repeat(-0.125)));
    let touching = gap_at(&large, &small, &Pose::translation(0.625, 0.1, 0.2), &mut memory);
    assert!(touching.distance < 1e-15);
    let motion = RelativeMotion::at_rest(Pose::translation(0.5, 0.0, 0.0));
    let overlap = Gap::overlapping(0.125, Vector::new(0.5, 0.0, 0.0), Vector::new(0.375, 0.0, 0.0), &motion);
    assert_eq!((overlap.distance, overlap.nearest_on_f_f), (-0.125, Vector::new(-0.125, 0.0, 0.0)));
}

#[test]
fn bodies_however_far_apart_have_a_distance() {
    let (e, f) = (surface(icosphere(0.1, 3)), surface(gear(20, 0.08, 0.1, 0.02)));
    let mut random = Random::new(32);
    let mut memory = GapMemory::default();
    for exponent in (0..=307).step_by(3) {
        let distance = 10f64.powi(exponent);
        let pose = Pose::from_parts((random.direction() * distance).into(), random.rotation());
        let found = gap_at(&e, &f, &pose, &mut memory);
        assert!((found.distance / distance - 1.0).abs() < 0.2 / distance + 1e-14, "{exponent}: {found:?}");
        assert!(found.nearest_on_e_e.norm() < 0.11 && found.nearest_on_f_f.norm() < 0.11);
    }
    let extreme = Pose::translation(f64::MAX, -f64::MAX, f64::MAX);
    assert_eq!(gap_at(&e, &f, &extreme, &mut memory).distance, f64::MAX);
}
