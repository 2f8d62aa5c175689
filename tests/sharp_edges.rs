//! Sharp edges without friction: the force is c_l times the volume, or what two wedges have in common says, exactly.

use crate::support::half_space::submerged;
use crate::support::{STIFFNESS, assert_close, assert_wrench_eq, at_rest, elastic, lowest_point, surface, translation};
use polycontact::contact::{ContactParameters, ContactSurface, Method, Outcome, RawParameters};
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::mesh::TriangleMesh;
use polycontact::shapes::{cuboid, moved, subdivided_cuboid};

const TILTS_IN_DEGREES: [f64; 9] = [0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 40.0, 45.0];
const SIZE: f64 = 0.1;

type Plates = [ContactSurface; 2];

/// The same plate of 12 and of 9,600 faces.
fn plates() -> Plates {
    let below = translation(0.0, 0.0, -0.1);
    let size = Vector::new(0.5, 0.5, 0.2);
    [surface(moved(&cuboid(size), &below)), surface(moved(&subdivided_cuboid(size, [40, 40, 10]), &below))]
}

/// Presses a rigid body into both plates, as E and as F, and checks the wrench on the plate.
#[track_caller]
fn assert_is_pushed_out_by_its_volume(plates: &Plates, mesh: &TriangleMesh, pose: &Pose) {
    let expected = submerged(mesh, pose);
    let (force, torque) = (expected.force(STIFFNESS), expected.torque(STIFFNESS));
    let body = surface(mesh.clone());
    for plate in plates {
        // The faces of the body carry the pressure.
        let plate_is_e = at_rest(plate, &body, &elastic(Method::MasterF), pose);
        let plate_is_f = at_rest(&body, plate, &elastic(Method::MasterE), &pose.inverse());
        let mut swapped = plate_is_f;
        swapped.wrenches.on_e = plate_is_f.wrenches.on_f;
        // ∫ p dA over the walls is larger than the force by the slope of the lowest faces: 1 / sin 0.5° = 115.
        let tolerance = 1e-9 * force.norm() + 1e-12 * STIFFNESS * SIZE.powi(3);
        for outcome in [plate_is_e, swapped] {
            assert_wrench_eq(&outcome, force, torque, tolerance, tolerance * SIZE);
        }
    }
}

/// The box turned by `turn`, its lowest point at `depth` below the plate in no special place.
fn sunk(mesh: &TriangleMesh, turn: Rotation, depth: f64) -> Pose {
    let mut pose = Pose::from_parts(Vector::new(0.021, 0.013, 0.0).into(), turn);
    pose.translation.vector.z = -lowest_point(mesh, &pose) - depth;
    pose
}

fn about(axis: Vector, degrees: f64) -> Rotation {
    Rotation::new(axis * degrees.to_radians())
}

#[test]
fn box_pressed_edge_first_is_pushed_out_by_its_volume() {
    let (plates, mesh) = (plates(), cuboid(Vector::new(SIZE, SIZE, SIZE)));
    for tilt in TILTS_IN_DEGREES {
        // Up to where the bottom face would be wholly inside.
        let full_depth = SIZE * tilt.to_radians().sin();
        for share in [0.01, 0.1, 0.3, 0.6, 0.9] {
            for heading in [0.0, 17.0] {
                println!("{tilt}°, {share}, {heading}°");
                let turn = about(Vector::z(), heading) * about(Vector::y(), tilt);
                assert_is_pushed_out_by_its_volume(&plates, &mesh, &sunk(&mesh, turn, share * full_depth));
            }
        }
    }
}

#[test]
fn box_pressed_corner_first_is_pushed_out_by_its_volume() {
    let (plates, mesh) = (plates(), cuboid(Vector::new(SIZE, SIZE, SIZE)));
    for tilt in TILTS_IN_DEGREES {
        let full_depth = SIZE * tilt.to_radians().sin();
        for share in [0.01, 0.1, 0.3, 0.6, 0.9] {
            for second_tilt in [1.0, 0.7, 0.3] {
                println!("{tilt}°, {share}, {second_tilt}");
                let turn = about(Vector::z(), 17.0) * about(Vector::x(), second_tilt * tilt) * about(Vector::y(), tilt);
                assert_is_pushed_out_by_its_volume(&plates, &mesh, &sunk(&mesh, turn, share * full_depth));
            }
        }
    }
}

/// Two boxes that touch with the middles of two edges, seen along z: the edge of E runs along x, that of F at
/// `crossing` degrees to it. Each box is rolled about its own edge by `rolls` from the symmetric position.
fn crossed_edges(parameters: &ContactParameters, crossing: f64, rolls: [f64; 2], depth: f64) -> Outcome {
    // The edge at +y, +z of a box runs along x; rolled by 45° it is the top edge.
    let half_diagonal = 0.5 * SIZE * 2f64.sqrt();
    let box_mesh = cuboid(Vector::new(3.0 * SIZE, SIZE, SIZE));
    let edge_to_origin = translation(0.0, 0.0, -half_diagonal);
    let top_edge =
        moved(&moved(&box_mesh, &Pose::from_parts(Vector::zeros().into(), about(Vector::x(), 45.0))), &edge_to_origin);
    let lower = moved(&top_edge, &Pose::from_parts(Vector::zeros().into(), about(Vector::x(), rolls[0])));
    let turn = about(Vector::z(), crossing) * about(Vector::x(), 180.0 + rolls[1]);
    let pose = Pose::from_parts(Vector::new(0.0, 0.0, -depth).into(), turn);
    at_rest(&surface(lower), &surface(top_edge), parameters, &pose)
}

/// Width of a wedge of 90°, rolled by some degrees, over the distance h from its edge, and ∫ φ dy across it over h².
///
/// The sides are at the angles a and b from the vertical. The distance to the nearer of them grows from both ends of the
/// width w to w / (1/cos a + 1/cos b) where they are equal.
fn wedge(roll: f64) -> (f64, f64) {
    let (a, b) = ((45.0 + roll).to_radians(), (45.0 - roll).to_radians());
    let width = a.tan() + b.tan();
    (width, 0.5 * width * width / (1.0 / a.cos() + 1.0 / b.cos()))
}

/// At the height h above the edge of F, E is d − h below its own edge, so both have a parallelogram in common:
/// U = c_l / sin γ ∫ (s_E k_E (d − h)² w_F h + s_F k_F h² w_E (d − h)) dh = c_l d⁴ / (12 sin γ) (s_E k_E w_F + s_F k_F w_E).
#[test]
fn crossed_edges_have_the_force_of_two_wedges() {
    let raw = crate::support::elastic_raw(Method::Auto);
    let softer_e = {
        // s_E = 3/4, and c_l as before.
        let layer = |factor: f64| polycontact::contact::RawLayer {
            youngs_modulus: factor * raw.layer_e.youngs_modulus,
            ..raw.layer_e
        };
        crate::support::checked(&RawParameters { layer_e: layer(2.0 / 3.0), layer_f: layer(2.0), ..raw })
    };
    let cases = [(softer_e, 0.75), (elastic(Method::MasterF), 1.0), (elastic(Method::MasterE), 0.0)];
    for crossing in [30.0f64, 60.0, 90.0, 135.0] {
        for depth in [0.1e-3, 1e-3, 5e-3] {
            for roll_e in [-35.0, -20.0, -5.0, 0.0, 10.0, 30.0] {
                for roll_f in [-30.0, -10.0, 0.0, 15.0] {
                    let ((width_e, depth_e), (width_f, depth_f)) = (wedge(roll_e), wedge(roll_f));
                    for (parameters, share_e) in &cases {
                        let outcome = crossed_edges(parameters, crossing, [roll_e, roll_f], depth);
                        assert_eq!((outcome.patch_count, outcome.polygon_count), (1, 1));
                        println!("crossing {crossing}°, rolls {roll_e}°, {roll_f}°, depth {depth}, share {share_e}");
                        let factor = share_e * depth_e * width_f + (1.0 - share_e) * depth_f * width_e;
                        let energy = STIFFNESS * depth.powi(4) / 12.0 * factor / crossing.to_radians().sin();
                        let force = 4.0 * energy / depth;
                        // Coordinates of 0.1 m are rounded to 1e-17 m, the depth with them, at some places.
                        let rounding = 1e-15 / depth * force;
                        let aside = outcome.wrenches.on_e.force.xy().norm();
                        assert!(aside < 1e-10 * force + rounding, "{aside:e} N of {force:e} N aside");
                        assert_close("force", -outcome.wrenches.on_e.force.z, force, 1e-9);
                        // Counted from corners that are up to ten thousand times as far away as the contact is deep.
                        assert_close("energy", outcome.elastic_energy, energy, 1e-6);
                    }
                }
            }
        }
    }
}
