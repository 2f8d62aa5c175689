//! Poses with coincidences, which are the common ones in practice: each behaves like a nearby generic pose.

use std::collections::BTreeSet;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use crate::support::brute_force::{triangles, triangles_intersect};
use crate::support::convex_law::convex_law;
use crate::support::{
    FORCE_METHODS, SCHEMES, STIFFNESS, assert_close, assert_vector_eq, assert_wrench_eq, at_rest, checked, elastic,
    elastic_raw, hip_volume, numbers, surface, translation,
};
use polycontact::bvh::{OverlapStack, RelativeFrame};
use polycontact::contact::{ContactSurface, ElementScheme, Method, Outcome, RawParameters};
use polycontact::math::{Grid, Matrix, Pose, Rotation, Vector};
use polycontact::mesh::{FaceIndex, TriangleMesh};
use polycontact::shapes::{comb, cuboid, gear, icosphere, moved, subdivided_cuboid, torus};

/// Evaluates with all methods and schemes and checks what holds for every outcome; returns that of `Auto` with the potential.
#[track_caller]
fn evaluate_soundly(mesh_e: &TriangleMesh, mesh_f: &TriangleMesh, pose: &Pose) -> Outcome {
    let (e, f) = (surface(mesh_e.clone()), surface(mesh_f.clone()));
    for method in FORCE_METHODS {
        for elements in SCHEMES {
            let parameters = checked(&RawParameters {
                elements,
                friction_coefficient: 0.3,
                areal_damping: 1e4,
                ..elastic_raw(method)
            });
            for velocity in [Vector::zeros(), Vector::new(0.1, 0.2, -0.3)] {
                let outcome = crate::support::moving(&e, &f, &parameters, (pose, velocity, velocity));
                for (name, x) in numbers(&outcome) {
                    assert!(x.is_finite(), "{method:?}, {elements:?}: {name} is {x}");
                }
                assert!(!outcome.border_in_contact, "{method:?}, {elements:?}: an open polygon on closed surfaces");
                assert!(0.0 <= outcome.dissipated_power);
                assert_eq!(outcome.in_contact, 0 < outcome.line_count);
                assert_eq!(outcome.in_contact, 0 < outcome.polygon_count && 0 < outcome.patch_count);
                let scale = outcome.wrenches.on_e.force.norm() + 1e-30;
                assert_vector_eq(
                    "reaction",
                    pose.rotation * outcome.wrenches.on_f.force,
                    -outcome.wrenches.on_e.force,
                    1e-12 * scale,
                );
            }
        }
    }
    at_rest(&e, &f, &elastic(Method::Auto), pose)
}

/// Asserts that the force is as near to those in nearby generic poses as its slope allows.
#[track_caller]
fn assert_is_limit_of_generic_poses(mesh_e: &TriangleMesh, mesh_f: &TriangleMesh, pose: &Pose, method: Method) {
    let (e, f) = (surface(mesh_e.clone()), surface(mesh_f.clone()));
    let exact = at_rest(&e, &f, &elastic(method), pose);
    let mut random = crate::support::random::Random::new(99);
    for _ in 0..20 {
        let shift = random.direction() * 1e-9;
        let near = Pose::from_parts((pose.translation.vector + shift).into(), pose.rotation);
        let outcome = at_rest(&e, &f, &elastic(method), &near);
        // Slope of the force: at most c_l times the surface of the smaller body, below 0.1 m² here.
        assert_vector_eq("force", outcome.wrenches.on_e.force, exact.wrenches.on_e.force, STIFFNESS * 0.1 * 1e-9);
    }
}

const SIZE: f64 = 0.1;

fn unit_box() -> TriangleMesh {
    cuboid(Vector::new(SIZE, SIZE, SIZE))
}

fn plate() -> TriangleMesh {
    moved(&cuboid(Vector::new(0.5, 0.5, 0.2)), &translation(0.0, 0.0, -0.1))
}

/// Force between the plate and the box that lies in it, both soft: its base is as deep in the plate everywhere, and the
/// plate is as deep in the box up to its rim. Half each.
fn force_of_a_sunk_box(depth: f64) -> f64 {
    0.5 * STIFFNESS * (SIZE * SIZE * depth + hip_volume([SIZE, SIZE], depth))
}

/// A rotation by multiples of 90° with exact entries, which `Rotation::new` cannot give.
fn quarter_turns(i: usize) -> Rotation {
    let quarter = |axis: usize| {
        let mut matrix = Matrix::zeros();
        let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
        (matrix[(axis, axis)], matrix[(b, a)], matrix[(a, b)]) = (1.0, 1.0, -1.0);
        Rotation::from_matrix_unchecked(matrix)
    };
    let repeated = |axis: usize, times: usize| (0..times).fold(Rotation::identity(), |turn, _| quarter(axis) * turn);
    repeated(2, i % 4) * repeated(i % 2, i / 4)
}

#[test]
fn equal_boxes_face_to_face_touch_without_force() {
    let outcome = evaluate_soundly(&unit_box(), &unit_box(), &translation(0.0, 0.0, SIZE));
    assert_vector_eq("force", outcome.wrenches.on_e.force, Vector::zeros(), 1e-6 * STIFFNESS * SIZE.powi(3));
}

#[test]
fn equal_boxes_face_to_face_overlapping_carry_the_depths_of_their_faces() {
    let depth = 1e-3;
    let outcome = evaluate_soundly(&unit_box(), &unit_box(), &translation(0.0, 0.0, SIZE - depth));
    assert_eq!((outcome.patch_count, outcome.polygon_count), (1, 1));
    // Along the overlap; the side faces are coplanar, at no depth, and must not push.
    let expected = Vector::new(0.0, 0.0, -STIFFNESS * hip_volume([SIZE, SIZE], depth));
    assert_vector_eq("force", outcome.wrenches.on_e.force, expected, 1e-9 * expected.norm());
}

/// Sides that are flush or nearly so, against the exact law between convex bodies.
#[test]
fn equal_boxes_nearly_flush_have_the_exact_law() {
    let (mesh, body) = (unit_box(), surface(unit_box()));
    for depth in [1e-4, 1e-3, 5e-3, 1e-2] {
        for shift in [0.0, 1e-12, 1e-9, 1e-6, 2e-5, 1e-4, 1e-3] {
            for (x, y) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.6, -0.8)] {
                for method in FORCE_METHODS {
                    let pose = translation(x * shift, y * shift, SIZE - depth);
                    let outcome = at_rest(&body, &body, &elastic(method), &pose);
                    let exact = convex_law([&mesh, &mesh], &elastic(method), &pose);
                    println!("{method:?}, {depth} m deep, {shift:e} m along ({x}, {y})");
                    let tolerance = 1e-9 * exact.load;
                    assert_wrench_eq(&outcome, exact.force, exact.torque, tolerance, tolerance * SIZE);
                    assert_close("largest depth", outcome.max_penetration, depth, 1e-9);
                    // The energy of flush bodies is a known gap: parts of no depth have sides on walls that nobody can tell.
                }
            }
        }
    }
}

/// The same with turned meshes, where it is rounding that decides on which side of each other flush faces lie.
#[test]
fn turned_boxes_nearly_flush_have_the_exact_law() {
    for (seed, side) in [(1, SIZE), (2, 0.2), (3, 1.0)] {
        let mut random = crate::support::random::Random::new(seed);
        for _ in 0..4 {
            let rotation = random.rotation();
            let mesh = moved(&cuboid(Vector::repeat(side)), &Pose::from_parts(Vector::zeros().into(), rotation));
            let body = surface(mesh.clone());
            for depth in [0.01 * side, 0.25 * side] {
                for shift in [0.0, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4] {
                    let direction = [Vector::x(), -Vector::x(), Vector::new(0.6, 0.8, 0.0), Vector::new(0.6, 0.0, 0.8)];
                    for direction in direction {
                        let position = rotation * (Vector::z() * (side - depth) + direction * shift);
                        let pose = translation(position.x, position.y, position.z);
                        for method in [Method::MasterE, Method::MasterF] {
                            let outcome = at_rest(&body, &body, &elastic(method), &pose);
                            let exact = convex_law([&mesh, &mesh], &elastic(method), &pose);
                            println!("{method:?}, {depth} m deep, {shift:e} m along {direction:?}, {rotation:?}");
                            let tolerance = 1e-9 * exact.load;
                            assert_wrench_eq(&outcome, exact.force, exact.torque, tolerance, tolerance * side);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn boxes_with_one_coplanar_side_have_the_depths_of_their_faces() {
    let (depth, side) = (1e-3, 0.5 * SIZE);
    let small = cuboid(Vector::new(side, side, SIZE));
    // The sides at x = −size/2 are coplanar.
    let outcome = evaluate_soundly(&unit_box(), &small, &translation(-0.25 * SIZE, 0.0, SIZE - depth));
    // In the field of the small box all its four sides are near, in that of the other one only the coplanar side, over a
    // strip as wide as the depth. Of the walls of the small box that on the coplanar side is at no depth: the opposite
    // one is not balanced. Half each.
    let down = 0.5 * (hip_volume([side, side], depth) + side * side * depth - 0.5 * side * depth * depth);
    let aside = 0.5 * (0.5 * side * depth * depth);
    let expected = STIFFNESS * Vector::new(aside, 0.0, -down);
    assert_vector_eq("force", outcome.wrenches.on_e.force, expected, 1e-9 * expected.norm());
}

#[test]
fn box_shifted_along_a_coplanar_face_is_sound() {
    for (x, y) in [(0.5, 0.0), (0.5, 0.5), (1.0, 0.0), (1.0, 1.0), (0.25, 0.75)] {
        for z in [0.0, 1.0] {
            let outcome = evaluate_soundly(&unit_box(), &unit_box(), &translation(x * SIZE, y * SIZE, z * SIZE));
            if z == 1.0 || x == 1.0 {
                // Touching only: no volume, no force.
                assert_vector_eq(
                    "force",
                    outcome.wrenches.on_e.force,
                    Vector::zeros(),
                    1e-6 * STIFFNESS * SIZE.powi(3),
                );
            }
        }
    }
}

#[test]
fn edge_on_coinciding_edge_is_without_force() {
    // Two boxes that share one edge only.
    let outcome = evaluate_soundly(&unit_box(), &unit_box(), &translation(SIZE, 0.0, SIZE));
    assert_vector_eq("force", outcome.wrenches.on_e.force, Vector::zeros(), 1e-9 * STIFFNESS * SIZE.powi(3));
}

#[test]
fn vertex_on_coinciding_vertex_is_without_force() {
    let outcome = evaluate_soundly(&unit_box(), &unit_box(), &translation(SIZE, SIZE, SIZE));
    assert_vector_eq("force", outcome.wrenches.on_e.force, Vector::zeros(), 1e-9 * STIFFNESS * SIZE.powi(3));
}

#[test]
fn vertex_on_face_is_without_force() {
    let corner_down = Rotation::new(Vector::new(1.0, -1.0, 0.0).normalize() * (1.0 / 3f64.sqrt()).acos());
    let mut pose = Pose::from_parts(Vector::zeros().into(), corner_down);
    pose.translation.vector.z = -crate::support::lowest_point(&unit_box(), &pose);
    let outcome = evaluate_soundly(&plate(), &unit_box(), &pose);
    assert_vector_eq("force", outcome.wrenches.on_e.force, Vector::zeros(), 1e-9 * STIFFNESS * SIZE.powi(3));
}

#[test]
fn edge_in_a_face_is_without_force() {
    let mut pose = Pose::from_parts(Vector::zeros().into(), Rotation::new(Vector::x() * FRAC_PI_4));
    pose.translation.vector.z = -crate::support::lowest_point(&unit_box(), &pose);
    let outcome = evaluate_soundly(&plate(), &unit_box(), &pose);
    assert_vector_eq("force", outcome.wrenches.on_e.force, Vector::zeros(), 1e-9 * STIFFNESS * SIZE.powi(3));
}

#[test]
fn box_standing_on_the_diagonal_of_a_face_has_the_force_of_any_other_place() {
    // Corners of the box on the diagonal edge of the plate's top, and edges along it after a 45° turn.
    let depth = 1e-3;
    for turn in [0.0, FRAC_PI_4] {
        let pose = crate::support::pose(Vector::new(0.0, 0.0, 0.5 * SIZE - depth), Vector::new(0.0, 0.0, turn));
        let outcome = evaluate_soundly(&plate(), &unit_box(), &pose);
        let expected = -Vector::z() * force_of_a_sunk_box(depth);
        assert_vector_eq("force", outcome.wrenches.on_e.force, expected, 1e-9 * expected.norm());
        for method in FORCE_METHODS {
            assert_is_limit_of_generic_poses(&plate(), &unit_box(), &pose, method);
        }
    }
}

#[test]
fn mesh_against_itself_is_sound() {
    for mesh in [
        unit_box(),
        icosphere(0.1, 2),
        torus(0.1, 0.04, 12, 8),
        comb(3, 0.02, 0.05, 0.03, 0.1),
        gear(7, 0.08, 0.1, 0.04),
        subdivided_cuboid(Vector::new(SIZE, SIZE, SIZE), [3, 3, 3]),
    ] {
        let outcome = evaluate_soundly(&mesh, &mesh, &Pose::identity());
        // A translated copy either crosses the original or lies beside it; neither encloses the other.
        assert!(outcome.in_contact && !outcome.enclosed);
    }
}

#[test]
fn mesh_against_itself_turned_by_quarter_turns_is_sound() {
    for i in 0..16 {
        let pose = Pose::from_parts(Vector::zeros().into(), quarter_turns(i));
        let outcome = evaluate_soundly(&unit_box(), &unit_box(), &pose);
        assert!(outcome.in_contact && !outcome.enclosed);
        evaluate_soundly(&torus(0.1, 0.04, 12, 8), &torus(0.1, 0.04, 12, 8), &pose);
    }
}

#[test]
fn quarter_turns_do_not_change_the_force_of_a_cube_in_a_plate() {
    let depth = 1e-3;
    let expected = -Vector::z() * force_of_a_sunk_box(depth);
    for i in 0..16 {
        let pose = Pose::from_parts(Vector::new(0.05, 0.1, 0.5 * SIZE - depth).into(), quarter_turns(i));
        let outcome = evaluate_soundly(&plate(), &unit_box(), &pose);
        assert_vector_eq("force", outcome.wrenches.on_e.force, expected, 1e-9 * expected.norm());
        for method in FORCE_METHODS {
            assert_is_limit_of_generic_poses(&plate(), &unit_box(), &pose, method);
        }
    }
    // Nearly exact quarter turns, as they come out of trigonometric functions.
    for axis in [Vector::x(), Vector::y(), Vector::z()] {
        let pose = crate::support::pose(Vector::new(0.05, 0.1, 0.5 * SIZE - depth), axis * FRAC_PI_2);
        let outcome = evaluate_soundly(&plate(), &unit_box(), &pose);
        assert_vector_eq("force", outcome.wrenches.on_e.force, expected, 1e-9 * expected.norm());
    }
}

#[test]
fn grid_aligned_translations_of_gridded_boxes_are_sound() {
    // Cells of 1/8 m: all coordinates and sums are exact, so that edges and vertices coincide exactly.
    let mesh = subdivided_cuboid(Vector::new(0.5, 0.5, 0.5), [4, 4, 4]);
    for i in 0..5 {
        for j in 0..5 {
            for k in 1..5 {
                let pose = translation(0.125 * i as f64, 0.125 * j as f64, 0.125 * k as f64);
                let outcome = evaluate_soundly(&mesh, &mesh, &pose);
                assert!(!outcome.enclosed);
                if [i, j, k].contains(&4) {
                    assert_vector_eq("force", outcome.wrenches.on_e.force, Vector::zeros(), 1e-9 * STIFFNESS);
                }
            }
        }
    }
}

#[test]
fn gridded_box_sunk_into_an_aligned_gridded_plate_has_the_force_of_a_smooth_one() {
    let plate = moved(&subdivided_cuboid(Vector::new(2.0, 2.0, 0.5), [16, 16, 4]), &translation(0.0, 0.0, -0.25));
    let brick = subdivided_cuboid(Vector::new(0.5, 0.5, 0.5), [4, 4, 4]);
    // An eighth deep: grid lines of both coincide in all three directions.
    for (x, y) in [(0.0, 0.0), (0.125, 0.25), (0.0625, 0.0)] {
        let pose = translation(x, y, 0.25 - 0.125);
        let outcome = evaluate_soundly(&plate, &brick, &pose);
        let expected = 0.5 * STIFFNESS * (0.25 * 0.125 + hip_volume([0.5, 0.5], 0.125));
        assert_eq!(outcome.patch_count, 1);
        assert_close("force", -outcome.wrenches.on_e.force.z, expected, 1e-9);
        assert!(outcome.wrenches.on_e.force.xy().norm() < 1e-9 * expected);
    }
}

#[test]
fn combs_with_coplanar_flanks_interlock_soundly() {
    // Teeth of one exactly in the gaps of the other: every flank lies on a flank.
    let mesh = comb(3, 0.0625, 0.125, 0.125, 0.25);
    let upside_down = Rotation::from_matrix_unchecked(Matrix::new(-1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, -1.0));
    for height in [0.125, 0.125 + 0.0625, 0.25] {
        for shift in [0.3125 + 0.0625, 0.3125, 0.3125 - 0.0625] {
            let pose = Pose::from_parts(Vector::new(shift, 0.0, height).into(), upside_down);
            let outcome = evaluate_soundly(&mesh, &mesh, &pose);
            assert!(!outcome.enclosed);
        }
    }
}

#[test]
fn coplanar_faces_of_a_far_pair_return_without_contact() {
    let e: ContactSurface = surface(unit_box());
    let parameters = checked(&RawParameters { elements: ElementScheme::Potential, ..elastic_raw(Method::Auto) });
    let outcome = at_rest(&e, &surface(unit_box()), &parameters, &translation(2.0 * SIZE, 0.0, 0.0));
    assert!(!outcome.in_contact && !outcome.enclosed);
    assert_eq!(outcome.triangle_tests, 0);
}

/// Matrices that are rotations to 10⁻¹² only stretch F by as much: faces that touch in flush boxes are found all the same,
/// and no intersection polygon is open.
#[test]
fn faces_are_found_where_a_matrix_is_hardly_a_rotation() {
    let (mesh_e, mesh_f) = (subdivided_cuboid(Vector::repeat(SIZE), [2, 3, 1]), unit_box());
    let (e, f) = (surface(mesh_e.clone()), surface(mesh_f.clone()));
    let grid = Grid::new(2.0 * (e.tree().bounds().largest_coordinate() + 2.0 * f.tree().bounds().radius()));
    let mut random = crate::support::random::Random::new(12);
    let mut intersections = 0;
    for index in 0..300 {
        let error = Matrix::from_fn(|row, column| {
            let scale = if row == column { 4.9e-13 } else { 4e-13 };
            scale * random.between(-1.0, 1.0)
        });
        let matrix = quarter_turns(index % 16).matrix() * (Matrix::identity() + error);
        assert!((matrix.transpose() * matrix - Matrix::identity()).amax() < 1e-12);
        // Side by side, one deep in the other along the third axis.
        let mut position = Vector::new(0.3 * SIZE, 0.2 * SIZE, 0.1 * SIZE);
        position[index % 3] = SIZE + 2e-13 * SIZE * random.between(-1.0, 1.0);
        let pose = Pose::from_parts(position.into(), Rotation::from_matrix_unchecked(matrix));
        let (faces_e, faces_f) = (triangles(&mesh_e, &Pose::identity()), triangles(&mesh_f, &pose));
        let frame = RelativeFrame::new(&pose, grid);
        let mut visited = BTreeSet::new();
        let visit = |of_e: &[FaceIndex], of_f: &[FaceIndex]| {
            visited.extend(of_e.iter().flat_map(|face_e| of_f.iter().map(|face_f| (face_e.index(), face_f.index()))));
        };
        e.tree().overlapping_leaves(f.tree(), &frame, &mut OverlapStack::default(), visit);
        for (of_e, face_e) in faces_e.iter().enumerate() {
            for (of_f, face_f) in faces_f.iter().enumerate().filter(|(_, face_f)| triangles_intersect(face_e, face_f)) {
                assert!(visited.contains(&(of_e, of_f)), "pose {index}: {face_e:?} and {face_f:?} were missed");
                intersections += 1;
            }
        }
        assert!(!at_rest(&e, &f, &elastic(Method::Auto), &pose).border_in_contact, "pose {index}: an open polygon");
    }
    assert!(1000 < intersections, "{intersections} intersections");
}
