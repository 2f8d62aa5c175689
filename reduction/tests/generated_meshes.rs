//! The meshes of the impact bodies: volume, inertia, surface, quality, contact zone.

use std::collections::HashMap;
use std::f64::consts::PI;

use crate::support::{block_of_each_kind, dot, field, product};
use polycontact_reduction::assembly::assemble;
use polycontact_reduction::volume_mesh::impact_bodies::{
    BALL_RADIUS, BLOCK_EDGE, Fineness, HOLLOW_RADIUS, ImpactBody, ROD_LENGTH, ROD_RADIUS,
};
use polycontact_reduction::volume_mesh::{BODY_GROUP, CONTACT_GROUP, Numbering, VolumeMesh};

fn exact_volume(body: ImpactBody) -> f64 {
    let rod = PI * ROD_RADIUS.powi(2) * ROD_LENGTH;
    match body {
        ImpactBody::Rod | ImpactBody::Beam => rod,
        ImpactBody::HollowedRod => {
            let depth = HOLLOW_RADIUS - (HOLLOW_RADIUS.powi(2) - ROD_RADIUS.powi(2)).sqrt();
            rod - PI * depth.powi(2) * (HOLLOW_RADIUS - depth / 3.0)
        }
        ImpactBody::Ball => 4.0 / 3.0 * PI * BALL_RADIUS.powi(3),
        ImpactBody::Block => BLOCK_EDGE.powi(3),
    }
}

/// Volume within the boundary triangles, by the divergence theorem.
fn enclosed_volume(mesh: &VolumeMesh) -> f64 {
    let at = |node: u32| nalgebra::Vector3::from(mesh.node_positions[node as usize]);
    mesh.boundary_triangles().iter().map(|&[a, b, c]| at(a).dot(&at(b).cross(&at(c))) / 6.0).sum()
}

fn assert_closed(mesh: &VolumeMesh) {
    let mut edges: HashMap<[u32; 2], i32> = HashMap::new();
    for [a, b, c] in mesh.boundary_triangles() {
        for [from, to] in [[a, b], [b, c], [c, a]] {
            *edges.entry([from.min(to), from.max(to)]).or_default() += if from < to { 1 } else { -1 };
        }
    }
    assert!(edges.values().all(|count| *count == 0), "the two triangles at an edge pass it in opposite directions");
}

#[test]
fn every_impact_body_is_a_sound_mesh_of_the_right_size() {
    for body in ImpactBody::ALL {
        for (fineness, elements, contact_nodes, volume_tolerance) in [
            // Eight parabolas on arcs of 45° have 0.08 % less area than the circle; a ball loses in two directions.
            (Fineness::Coarse, 1_500..6_000, 60..=100, 2e-3),
            // On arcs of 22.5° it is 1/16 of that; the ball has coarser ones far from its contact zone.
            (Fineness::Fine, 10_000..40_000, 250..=400, 4e-4),
        ] {
            let mesh = body.mesh(fineness);
            let name = format!("{fineness:?} {}", body.name());
            mesh.check(&Numbering::default()).unwrap();
            assert!(elements.contains(&mesh.elements.len()), "{name}: {} elements", mesh.elements.len());
            assert!(mesh.node_positions.len() < 60_000, "{name}");
            let quality = mesh.quality();
            // Layers four times as thick as the cells are wide: 1/16 is the best that such elements have.
            assert!(0.05 < quality.lowest_scaled_jacobian, "{name}: {}", quality.lowest_scaled_jacobian);
            let exact = exact_volume(body);
            assert!((quality.volume / exact - 1.0).abs() < volume_tolerance, "{name}: {} of {exact}", quality.volume);
            assert_closed(&mesh);
            let contact = &mesh.node_groups[CONTACT_GROUP];
            assert!(contact_nodes.contains(&contact.len()), "{name}: {} contact nodes", contact.len());
            assert_eq!(mesh.node_groups[BODY_GROUP].len(), mesh.node_positions.len());
            assert_contact_zone_lies_on_the_surface(body, &mesh);
        }
    }
}

/// The nodes of the zone, mid-edge nodes too, lie on the true surface near the origin.
fn assert_contact_zone_lies_on_the_surface(body: ImpactBody, mesh: &VolumeMesh) {
    for &node in &mesh.node_groups[CONTACT_GROUP] {
        let [x, y, z] = mesh.node_positions[node as usize];
        let distance = match body {
            ImpactBody::Rod | ImpactBody::Block => z,
            ImpactBody::HollowedRod => x.hypot(y).hypot(z - HOLLOW_RADIUS) - HOLLOW_RADIUS,
            ImpactBody::Beam => y.hypot(z + ROD_RADIUS) - ROD_RADIUS,
            ImpactBody::Ball => x.hypot(y).hypot(z - BALL_RADIUS) - BALL_RADIUS,
        };
        assert!(distance.abs() < 1e-15 + 1e-13 * ROD_RADIUS, "{}: {distance} m off", body.name());
        assert!(x.hypot(y).hypot(z) < 1.31e-3, "{}", body.name());
    }
}

/// Alone, an element has all its faces on the boundary: the generated meshes do not show each of them.
#[test]
fn boundary_triangles_enclose_a_single_element() {
    for mesh in block_of_each_kind([0.3, 0.2, 0.25], [1, 1, 1]) {
        for &element in &mesh.elements {
            let alone = VolumeMesh { elements: vec![element], ..mesh.clone() };
            assert_closed(&alone);
            let volume = alone.quality().volume;
            assert!((enclosed_volume(&alone) / volume - 1.0).abs() < 1e-12, "{}: {volume}", element.kind());
            // The triangles use all nodes but no two of them the same three.
            let mut nodes = alone.boundary_triangles().concat();
            nodes.sort_unstable();
            nodes.dedup();
            assert_eq!(nodes.len(), element.nodes().len(), "{}", element.kind());
        }
    }
}

#[test]
fn boundary_triangles_enclose_the_elements() {
    // Flat faces: triangles and elements fill exactly the same space.
    for mesh in block_of_each_kind([0.3, 0.2, 0.25], [1, 1, 2]) {
        assert_closed(&mesh);
        assert!((enclosed_volume(&mesh) / (0.3 * 0.2 * 0.25) - 1.0).abs() < 1e-12, "{}", mesh.elements[0].kind());
    }
    for body in ImpactBody::ALL {
        let mesh = body.mesh(Fineness::Coarse);
        // Four flat triangles lie within a quadratic face: a polygon of 16 corners has 2.5 % less area than the eight
        // parabolas through them.
        let ratio = enclosed_volume(&mesh) / mesh.quality().volume;
        assert!(0.97 < ratio && ratio < 1.0 + 1e-9, "{}: {ratio}", body.name());
    }
}

#[test]
fn ball_has_the_inertia_of_a_ball() {
    let body = ImpactBody::Ball;
    let model = assemble(&body.mesh(Fineness::Fine), &body.material()).unwrap();
    let mass = body.material().density() * exact_volume(body);
    let up = field(&model, |_| [0.0, 0.0, 1.0]);
    assert!((dot(&up, &product(&model.mass, &up)) / mass - 1.0).abs() < 4e-4);
    let spin = field(&model, |[x, y, _]| [-y, x, 0.0]);
    let inertia = 0.4 * mass * BALL_RADIUS.powi(2);
    // The missing volume is at the surface, where it counts 5/3.
    assert!((dot(&spin, &product(&model.mass, &spin)) / inertia - 1.0).abs() < 1e-3);
}

/// The published masses: rod and beam 0.876 kg, hollowed rod 0.875 kg, ball 0.110 kg.
#[test]
fn impact_bodies_have_the_published_masses() {
    let published = [0.876, 0.875, 0.876, 0.110];
    for (body, published) in ImpactBody::ALL.into_iter().zip(published) {
        let mass = body.material().density() * body.mesh(Fineness::Fine).quality().volume;
        assert!((mass - published).abs() < 0.5e-3, "{}: {mass} kg", body.name());
    }
}
