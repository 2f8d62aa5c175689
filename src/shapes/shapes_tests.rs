use std::f64::consts::{FRAC_PI_2, PI, TAU};

use super::*;
use crate::mesh::HalfEdges;

/// Sum of signed tetrahedra from the origin to each face.
fn volume(mesh: &TriangleMesh) -> f64 {
    let corner = |vertex: VertexIndex| mesh.vertices[vertex.index()];
    mesh.faces.iter().map(|&[a, b, c]| corner(a).dot(&corner(b).cross(&corner(c))) / 6.0).sum()
}

/// Area of a regular polygon with circumradius 1: what a circle's π becomes.
fn polygon_pi(segments: usize) -> f64 {
    0.5 * segments as f64 * (TAU / segments as f64).sin()
}

/// Σ over the profile's segments of ∫ r² dz: with `polygon_pi`, the volume of a body of revolution.
fn squared_radius_integral(profile: &[[f64; 2]]) -> f64 {
    profile
        .windows(2)
        .map(|p| (p[1][1] - p[0][1]) * (p[0][0].powi(2) + p[0][0] * p[1][0] + p[1][0].powi(2)) / 3.0)
        .sum()
}

fn assert_is_closed_with(mesh: &TriangleMesh, face_count: usize, euler_characteristic: i64, expected_volume: f64) {
    assert_eq!(mesh.faces.len(), face_count);
    let half_edges = HalfEdges::build(&mesh.faces, mesh.vertices.len());
    assert_eq!(half_edges.border_edge_count(), 0);
    let edges = 3 * mesh.faces.len() as i64 / 2;
    assert_eq!(mesh.vertices.len() as i64 - edges + mesh.faces.len() as i64, euler_characteristic);
    let relative_error = volume(mesh) / expected_volume - 1.0;
    assert!(relative_error.abs() < 1e-12, "volume {} instead of {expected_volume}", volume(mesh));
    assert_has_no_slivers(mesh);
}

fn assert_is_open_with(mesh: &TriangleMesh, face_count: usize, border_edges: usize) {
    assert_eq!(mesh.faces.len(), face_count);
    let half_edges = HalfEdges::build(&mesh.faces, mesh.vertices.len());
    assert_eq!(half_edges.border_edge_count(), border_edges);
    for face in 0..mesh.faces.len() {
        let [a, b, c] = mesh.corners(crate::mesh::FaceIndex(face as u32));
        assert!(0.0 < (b - a).cross(&(c - a)).z, "face {face} does not look up");
    }
    assert_has_no_slivers(mesh);
}

fn assert_has_no_slivers(mesh: &TriangleMesh) {
    for face in 0..mesh.faces.len() {
        let [a, b, c] = mesh.corners(crate::mesh::FaceIndex(face as u32));
        let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
        assert!(1e-6 * longest * longest < (b - a).cross(&(c - a)).norm(), "face {face} has no area");
    }
}

#[test]
fn cuboid_has_12_faces_and_its_volume() {
    assert_is_closed_with(&cuboid(Vector::new(0.4, 0.4, 0.1)), 12, 2, 0.016);
}

#[test]
fn benchmark_box_has_24576_faces() {
    assert_is_closed_with(&subdivided_cuboid(Vector::new(0.4, 0.4, 0.1), [64, 64, 16]), 24_576, 2, 0.016);
}

#[test]
fn comb_is_a_bar_with_teeth() {
    // Top view: 5 cells of bar and 3 teeth, each 2 × 10 × tooth or bar height.
    let mesh = comb(3, 0.02, 0.05, 0.03, 0.1);
    let (bar, tooth) = (5.0 * 0.02 * 0.1 * 0.03, 0.02 * 0.1 * 0.05);
    // 2 sides × 8 cells + 2 ends × 2 cells + 5 bottom + 5 top cells + 4 inner flanks, 2 faces each.
    assert_is_closed_with(&mesh, 2 * (16 + 2 + 2 + 5 + 5 + 4), 2, bar + 3.0 * tooth);
}

#[test]
fn table_has_four_legs() {
    let mesh = table(Vector::new(1.0, 0.8, 0.7), 0.05, 0.1);
    // Top: 9 cells above, 5 below, 12 around; legs: 4 feet, 16 flanks.
    assert_is_closed_with(&mesh, 2 * (9 + 5 + 12 + 4 + 16), 2, 0.8 * 0.05 + 4.0 * 0.01 * 0.65);
}

#[test]
fn icosphere_vertices_lie_on_the_sphere() {
    for subdivisions in 0..5 {
        let mesh = icosphere(0.1, subdivisions);
        assert!(mesh.vertices.iter().all(|vertex| (vertex.norm() - 0.1).abs() < 1e-16));
        assert_is_closed_with(&mesh, 20 * 4usize.pow(subdivisions), 2, volume(&mesh));
        // A face of circumradius ρ sags by less than ρ² / 2R; ρ is about 0.65 R / 2^subdivisions.
        let sag = 0.5 * (0.65 / 2f64.powi(subdivisions as i32)).powi(2);
        let sphere = 4.0 / 3.0 * PI * 1e-3;
        assert!(volume(&mesh) < sphere && (1.0 - sag).powi(3) * sphere < volume(&mesh));
    }
}

#[test]
fn icosahedron_has_its_volume() {
    // 5/12 (3 + √5) a³ with the edge a = R / sin 72°.
    let edge = 1.0 / (TAU / 5.0).sin();
    assert_is_closed_with(&icosphere(1.0, 0), 20, 2, 5.0 / 12.0 * (3.0 + 5f64.sqrt()) * edge.powi(3));
}

#[test]
fn regular_prism_has_area_times_height() {
    for sides in [3, 4, 6, 48] {
        assert_is_closed_with(&regular_prism(0.2, 0.3, sides), 4 * sides, 2, polygon_pi(sides) * 0.04 * 0.3);
    }
}

#[test]
fn gear_is_between_its_root_and_tip_cylinders() {
    let mesh = gear(12, 0.08, 0.1, 0.04);
    assert_is_closed_with(&mesh, 12 * 16, 2, volume(&mesh));
    assert!(polygon_pi(12) * 0.08 * 0.08 * 0.04 < volume(&mesh) && volume(&mesh) < PI * 0.01 * 0.04);
}

#[test]
fn torus_has_a_hole() {
    // Pappus: the area of the tube's polygon times the way of the polygonal ring, r dr dz integrated: 2 π_n R A.
    let expected = 2.0 * polygon_pi(32) * 0.1 * polygon_pi(16) * 0.03 * 0.03;
    assert_is_closed_with(&torus(0.1, 0.03, 32, 16), 2 * 32 * 16, 0, expected);
}

#[test]
fn bush_has_a_hole() {
    let expected = polygon_pi(40) * (0.06 * 0.06 - 0.04 * 0.04) * 0.1;
    assert_is_closed_with(&bush(0.04, 0.06, 0.1, 40), 8 * 40, 0, expected);
}

#[test]
fn dumb_bell_is_the_dissertations() {
    let mesh = dumb_bell();
    assert_is_closed_with(&mesh, 950, 2, volume(&mesh));
    let radius_at = |z: f64| {
        let ring = mesh.vertices.iter().filter(|vertex| (vertex.z - z).abs() < 1e-12);
        ring.map(|vertex| vertex.xy().norm()).fold(0.0, f64::max)
    };
    assert!((radius_at(0.1) - 0.1).abs() < 1e-15 && (radius_at(0.0) - 0.05).abs() < 1e-15);
    assert!(mesh.vertices.iter().all(|vertex| vertex.z.abs() <= 0.2 && vertex.xy().norm() <= 0.1 + 1e-15));
    // Two half-balls of radius 0.1 and the waist, ∫ (0.075 − 0.025 cos)² dz = 0.2 (0.075² + 0.025²/2); coarse, so 5 %.
    let smooth = PI * (4.0 / 3.0 * 1e-3 + 0.2 * (0.075f64.powi(2) + 0.5 * 0.025f64.powi(2)));
    assert!((volume(&mesh) / smooth - 1.0).abs() < 0.05);
}

#[test]
fn wheel_is_the_dissertations() {
    let profile = [[0.25, -0.1005], [0.2855, -0.07], [0.2855, 0.07], [0.25, 0.1005]];
    assert_is_closed_with(&wheel(), 416, 2, polygon_pi(52) * squared_radius_integral(&profile));
}

#[test]
fn spherical_socket_is_a_closed_cup() {
    let mesh = spherical_socket(0.1, 0.12, FRAC_PI_2, 8, 24);
    let arc = |radius: f64| -> Vec<[f64; 2]> {
        let angle = |i: usize| FRAC_PI_2 * i as f64 / 8.0;
        (0..=8).map(|i| [radius * angle(i).sin(), -radius * angle(i).cos()]).collect()
    };
    let expected = polygon_pi(24) * (squared_radius_integral(&arc(0.12)) - squared_radius_integral(&arc(0.1)));
    assert_is_closed_with(&mesh, 2 * 24 * 16, 2, expected);
}

#[test]
fn open_surfaces_have_the_published_face_counts_and_look_up() {
    assert_is_open_with(&ground(1.0), 8, 8);
    assert_is_open_with(&funnel(), 4, 4);
    for (points, faces) in [(5, 32), (10, 162), (20, 722)] {
        assert_is_open_with(&paraboloid_cap(0.2, 0.015, points), faces, 4 * (points - 1));
    }
}

#[test]
fn reversed_mesh_has_negative_volume() {
    let mesh = cuboid(Vector::new(1.0, 2.0, 3.0));
    assert_eq!(volume(&reversed(&mesh)), -volume(&mesh));
}

#[test]
fn moved_mesh_keeps_its_volume() {
    let mesh = torus(0.1, 0.03, 12, 8);
    let pose = Pose::new(Vector::new(1.0, -2.0, 0.5), Vector::new(0.3, 0.2, -0.7));
    assert!((volume(&moved(&mesh, &pose)) / volume(&mesh) - 1.0).abs() < 1e-12);
}

#[test]
fn extruded_profiles_have_their_volume() {
    assert_is_closed_with(&l_profile(0.1, 0.02, 0.2), 20, 2, 0.2 * (0.1 * 0.02 + 0.08 * 0.02));
    assert_is_closed_with(&u_profile(0.1, 0.08, 0.01, 0.2), 28, 2, 0.2 * (0.1 * 0.08 - 0.08 * 0.07));
    let hook = 0.1 * 0.01 - 0.5 * (1.5 * 0.004 * 0.005 / 0.009) * 0.005;
    let mesh = latch_hook(0.1, 0.01, 0.004, 0.02);
    assert_is_closed_with(&mesh, 24, 2, volume(&mesh));
    assert!(0.02 * hook < volume(&mesh) && volume(&mesh) < 0.02 * (0.1 * 0.01 + 0.01 * 0.004));
    // A point on a straight side is no reason for a triangle without area.
    let outline = [[0.0, 0.0], [0.5, 0.0], [1.0, 0.0], [1.0, 1.0], [0.5, 1.0], [0.0, 1.0]];
    assert_is_closed_with(&extruded(&outline, 2.0), 20, 2, 2.0);
}

/// Without that the longest edge is up to 5000 times as long as the face is high.
#[test]
fn evened_ends_have_no_needles() {
    let gear = involute_gear(20, 2e-3, 20f64.to_radians(), 0.01, 8, 0.76e-3);
    let mesh = evened(&gear);
    assert_is_closed_with(&mesh, gear.faces.len(), 2, volume(&gear));
    assert_eq!(mesh.vertices, gear.vertices);
    let mut looked_at = 0;
    for face in &mesh.faces {
        let [a, b, c] = face.map(|vertex| mesh.vertices[vertex.index()]);
        if a.z != b.z || b.z != c.z {
            continue;
        }
        looked_at += 1;
        let [longest, twice_area] =
            [(b - a).norm().max((c - b).norm()).max((a - c).norm()), (b - a).cross(&(c - a)).norm()];
        assert!(longest * longest < 200.0 * twice_area, "{face:?}: {}", longest * longest / twice_area);
    }
    assert_eq!(looked_at, 2 * (gear.vertices.len() / 2 - 2));
    assert_eq!(evened(&mesh).faces, mesh.faces);
}

#[test]
fn fillets_take_from_convex_corners_and_give_to_concave_ones() {
    // What an arc of three chords leaves of the square corner: 1 − 3 sin(30°) / 2, in r².
    let lost = 0.25 * 0.0005f64.powi(2);
    assert_is_closed_with(&filleted_bar(0.02, 0.03, 0.2, 0.0005, 3), 60, 2, 0.2 * (0.02 * 0.03 - 4.0 * lost));
    let sharp = 0.1 * 0.02 + 0.08 * 0.02;
    assert_is_closed_with(&filleted_angle(0.1, 0.02, 0.2, 0.0005, 3), 92, 2, 0.2 * (sharp - 4.0 * lost));
}

#[test]
fn involute_gears_are_closed_and_have_the_pitch_of_their_module() {
    for (teeth, fillet, faces_per_tooth) in [(12, 0.0, 4 * 14), (20, 0.38e-2, 4 * 20), (60, 0.38e-2, 4 * 20)] {
        let module = 1e-2;
        let mesh = involute_gear(teeth, module, 20f64.to_radians(), 0.02, 6, fillet);
        assert!(mesh.faces.len() <= teeth * faces_per_tooth, "{} faces of {teeth} teeth", mesh.faces.len());
        assert_is_closed_with(&mesh, mesh.faces.len(), 2, volume(&mesh));
        let radii = mesh.vertices.iter().map(|vertex| vertex.xy().norm());
        let (low, high) = radii.fold((f64::INFINITY, 0.0f64), |(low, high), r| (low.min(r), high.max(r)));
        let pitch = 0.5 * module * teeth as f64;
        assert!((high - pitch - module).abs() < 1e-12 && (low - pitch + 1.25 * module).abs() < 1e-12);
        // Teeth and gaps are equally wide at the pitch circle, so the gear weighs about as much as its pitch cylinder.
        let relative_volume = volume(&mesh) / (PI * pitch * pitch * 0.02);
        assert!((0.9..1.0).contains(&relative_volume), "{relative_volume}");
    }
}

#[test]
fn chain_link_is_a_stretched_torus() {
    let mesh = chain_link(0.06, 0.03, 0.01, 12, 8);
    let ring = volume(&torus(0.03, 0.01, 24, 8));
    let straights = 2.0 * 0.06 * polygon_pi(8) * 0.01 * 0.01;
    assert_is_closed_with(&mesh, 4 * 13 * 8, 0, ring + straights);
}

#[test]
fn refined_meshes_have_the_same_surface() {
    for mesh in [cuboid(Vector::new(1.0, 2.0, 3.0)), l_profile(0.1, 0.02, 0.2), torus(0.1, 0.03, 12, 8)] {
        let euler = mesh.vertices.len() as i64 - mesh.faces.len() as i64 / 2;
        assert_is_closed_with(&refined(&mesh, Cut::Centroids), 3 * mesh.faces.len(), euler, volume(&mesh));
        assert_is_closed_with(&refined(&mesh, Cut::EdgeMiddles), 4 * mesh.faces.len(), euler, volume(&mesh));
    }
}

#[test]
fn bored_block_is_a_block_without_its_hole() {
    let mesh = bored_block(Vector::new(0.03, 0.04, 0.02), 0.005, 64);
    // One hole through it: Euler characteristic 0.
    assert_is_closed_with(&mesh, 4 * 64 + 16, 0, (0.03 * 0.04 - polygon_pi(64) * 0.005 * 0.005) * 0.02);
}

#[test]
fn finger_has_its_grooves() {
    let (length, thickness, depth, width) = (0.045, 0.014, 0.0008, 0.019);
    let [plain, grooved] = [0.0, depth].map(|depth| volume(&gripper_finger(length, thickness, 12, depth, width)));
    // Each groove is a triangle as wide as the pitch.
    let grooves = 12.0 * 0.5 * depth * (length / 13.0) * width;
    assert!((plain - grooved - grooves).abs() < 1e-12 * plain, "{plain} {grooved}");
    // A polygon of 12 chords in a quarter of an ellipse.
    let quarter = 12.0 * 0.5 * (FRAC_PI_2 / 12.0).sin() * length * thickness * width;
    let corners = 12 + 2 + 2 * 12 + 1;
    assert_is_closed_with(&gripper_finger(length, thickness, 12, depth, width), 4 * corners - 4, 2, quarter - grooves);
}
