//! The search through the tree against all pairs.

use super::body::{BodyModel, FlexibleBody};
use super::closest_point::Shape;
use super::contact_body::{BoxTree, ContactBody};
use super::node_to_surface::{Contacts, SearchSettings};
use super::reduced_model::ReducedModel;
use crate::math::{Aabb, Body, Matrix, Pose, Vector};
use crate::mesh::{TriangleMesh, closest_on_triangle};
use crate::shapes::{comb, cuboid, gear, icosphere, torus};
use crate::test_support::random::Random;
use crate::tree::OverlapStack;

fn flexible(mesh: &TriangleMesh) -> ContactBody {
    let model = ReducedModel {
        mass: 1.0,
        inertia: Matrix::identity(),
        centre_of_mass: Vector::zeros(),
        contact_nodes: mesh.vertices.clone(),
        contact_faces: mesh.faces.iter().map(|face| face.map(|corner| corner.0)).collect(),
        modes: Vec::new(),
        angular_frequencies: Vec::new(),
        damping_ratios: Vec::new(),
        low_frequency_modes: 0,
        outline_nodes: Vec::new(),
        outline_faces: Vec::new(),
    };
    ContactBody::new(BodyModel::Flexible(FlexibleBody::new(model).expect("a good model")))
}

/// Nodes moved at random, with the tree refitted.
fn deformed(body: &ContactBody, size: f64, random: &mut Random) -> (Vec<Vector>, BoxTree) {
    let positions: Vec<Vector> =
        body.nodes.iter().map(|node| node + random.direction() * random.between(0.0, size)).collect();
    let mut tree = BoxTree::default();
    tree.refit(&body.tree, |face| Aabb::of(&body.corners(&positions, face)));
    (positions, tree)
}

/// Every contact that a look at all nodes and all faces finds, as (master, node, depth).
fn all_pairs(settings: &SearchSettings, shapes: &[Shape; 2]) -> (Vec<(Body, u32, f64)>, bool) {
    let (mut found, mut border) = (Vec::new(), false);
    for master in Body::BOTH {
        let (faces, nodes) = (&shapes[master], &shapes[master.other()]);
        let to_master = settings.pose_to(master);
        for (node, position) in nodes.positions.iter().enumerate() {
            let point = to_master.rotation * position + to_master.translation.vector;
            let mut best = f64::INFINITY;
            for face in 0..faces.body.faces.len() as u32 {
                let corners = faces.body.corners(faces.positions, face);
                let (_, w) = closest_on_triangle(&corners, &point);
                let distance = (corners[0] * w[0] + corners[1] * w[1] + corners[2] * w[2] - point).norm_squared();
                best = best.min(distance);
            }
            let distance = best;
            if distance.sqrt() > settings.reaches()[master] {
                continue;
            }
            // Inside by the solid angle that the closed surface covers, not by normals.
            let is_inside =
                faces.body.half_edges.is_closed() && solid_angle(faces, &point) > 2.0 * std::f64::consts::PI;
            let closest = faces.closest(&point, f64::INFINITY, &mut OverlapStack::default()).expect("a face");
            let (outward, is_border) = faces.normal_at(&closest);
            let opposes = (to_master.rotation * nodes.body.normals[node]).dot(&outward) < 0.0;
            if is_inside && opposes {
                if is_border {
                    border = true;
                } else {
                    found.push((master, node as u32, distance.sqrt()));
                }
            }
        }
    }
    (found, border)
}

/// The solid angle of a surface seen from a point: 4π inside a closed surface, 0 outside (van Oosterom and Strackee).
fn solid_angle(shape: &Shape, point: &Vector) -> f64 {
    let mut sum = 0.0;
    for face in 0..shape.body.faces.len() as u32 {
        let [a, b, c] = shape.body.corners(shape.positions, face).map(|corner| corner - point);
        let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
        let denominator = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
        sum += 2.0 * a.dot(&b.cross(&c)).atan2(denominator);
    }
    sum
}

#[test]
fn the_tree_finds_what_all_pairs_find() {
    let mut random = Random::new(77);
    let meshes = [
        icosphere(0.05, 2),
        torus(0.05, 0.02, 16, 8),
        comb(3, 0.01, 0.03, 0.02, 0.05),
        gear(6, 0.035, 0.05, 0.02),
        cuboid(Vector::new(0.08, 0.05, 0.03)),
    ];
    let mut total = 0;
    for (i, mesh_e) in meshes.iter().enumerate() {
        for mesh_f in &meshes[i..] {
            let (e, f) = (flexible(mesh_e), ContactBody::new(BodyModel::Rigid(mesh_f.clone())));
            for _ in 0..30 {
                let (positions, tree) = deformed(&e, 2.0e-4, &mut random);
                let shapes = [
                    Shape { body: &e, positions: &positions, tree: &tree },
                    Shape { body: &f, positions: &f.nodes, tree: &f.tree },
                ];
                let settings = SearchSettings {
                    pose_ef: random.pose_around(Vector::zeros(), 0.1),
                    stiffness: [1.0, 1.0],
                    limits: [0.002, 0.003],
                    depth_rounding: 0.0,
                };
                let mut contacts = Contacts::default();
                contacts.find(&settings, &shapes);
                let (expected, border) = all_pairs(&settings, &shapes);
                assert_eq!(contacts.border, border);
                assert_eq!(contacts.list.len(), expected.len());
                for (contact, (master, node, depth)) in contacts.list.iter().zip(&expected) {
                    assert_eq!(contact.key(), (*master, *node));
                    // Depth along the normal or as a distance: both are sums of numbers of size 0.1 m.
                    assert!((contact.depth - depth).abs() < 1e-12 * 0.1 + 1e-12 * depth, "{contact:?}, {depth}");
                }
                total += expected.len();
            }
        }
    }
    assert!(total > 500, "only {total} contacts");
}

/// A pose with E and F far apart has no contacts whatever the depth limit.
#[test]
fn nothing_touches_at_a_distance() {
    let (e, f) = (flexible(&icosphere(0.05, 2)), flexible(&icosphere(0.05, 2)));
    let shapes = [&e, &f].map(|body| Shape { body, positions: &body.nodes, tree: &body.tree });
    let settings = SearchSettings {
        pose_ef: Pose::translation(0.1001, 0.0, 0.0),
        stiffness: [1.0, 1.0],
        limits: [0.02, 0.02],
        depth_rounding: 0.0,
    };
    let mut contacts = Contacts::default();
    contacts.find(&settings, &shapes);
    assert!(contacts.list.is_empty());
}
