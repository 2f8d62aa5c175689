//! Faces cut into smaller ones on the same surface change nothing: the potential knows surfaces, not triangles.

use crate::support::poses::pose_at_depth;
use crate::support::random::{Random, pose_count};
use crate::support::{FORCE_METHODS, at_rest, elastic, surface};
use polycontact::contact::{ContactParameters, ContactSurface, Method};
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::mesh::TriangleMesh;
use polycontact::shapes::{
    Cut, bored_block, chain_link, comb, cuboid, filleted_angle, gear, icosphere, l_profile, latch_hook, moved, refined,
    regular_prism, star_prism, torus, u_profile,
};

const CUTS: [Cut; 2] = [Cut::Centroids, Cut::EdgeMiddles];

/// How far the wrenches of finer meshes are from that of coarse ones, over the load, at worst.
fn worst_change(meshes: [&TriangleMesh; 2], parameters: &ContactParameters, pose_ef: &Pose, cut: Cut) -> f64 {
    let [coarse_e, coarse_f] = meshes.map(|mesh| surface(mesh.clone()));
    let [fine_e, fine_f] = meshes.map(|mesh| surface(refined(mesh, cut)));
    let whole = at_rest(&coarse_e, &coarse_f, parameters, pose_ef);
    let load = whole.normal_stress.mean * whole.contact_area;
    let change = |e: &ContactSurface, f: &ContactSurface| {
        let other = at_rest(e, f, parameters, pose_ef);
        assert!(0.0 <= other.elastic_energy && other.elastic_energy.is_finite());
        crate::support::wrench_distance(&whole, &other, 0.1) / load
    };
    change(&fine_e, &coarse_f).max(change(&coarse_e, &fine_f)).max(change(&fine_e, &fine_f))
}

#[test]
fn of_simple_shapes_in_every_method() {
    let shapes = [
        cuboid(Vector::new(0.1, 0.08, 0.06)),
        l_profile(0.08, 0.03, 0.1),
        u_profile(0.1, 0.08, 0.02, 0.08),
        regular_prism(0.05, 0.08, 12),
    ];
    let mut random = Random::new(5);
    for (i, mesh_e) in shapes.iter().enumerate() {
        for mesh_f in &shapes[i..] {
            for _ in 0..pose_count(6) {
                let (e, f) = (surface(mesh_e.clone()), surface(mesh_f.clone()));
                let depth = random.between(0.001, 0.015);
                let pose_ef = pose_at_depth(&e, &f, depth, &mut random);
                for method in FORCE_METHODS {
                    for cut in CUTS {
                        let off = worst_change([mesh_e, mesh_f], &elastic(method), &pose_ef, cut);
                        assert!(off <= 1e-9, "{method:?}, {cut:?}: {off:e}");
                    }
                }
            }
        }
    }
}

/// A shape that is no longer right-angled or regular, so that nothing is as far away as something else by symmetry.
fn sheared(mesh: &TriangleMesh, random: &mut Random) -> TriangleMesh {
    let [a, b, c] = [0, 1, 2].map(|_| random.between(-0.7, 0.7));
    let sheared = |v: &Vector| Vector::new(v.x + a * v.y + b * v.z, v.y + c * v.z, v.z);
    TriangleMesh { vertices: mesh.vertices.iter().map(sheared).collect(), faces: mesh.faces.clone() }
}

#[test]
fn of_sheared_machine_parts() {
    let star = (0..16).map(|k| {
        let (angle, radius) = (std::f64::consts::TAU * f64::from(k) / 16.0, if k % 2 == 0 { 0.1 } else { 0.05 });
        [radius * angle.cos(), radius * angle.sin()]
    });
    let shapes = [
        bored_block(Vector::new(0.1, 0.1, 0.06), 0.03, 24),
        chain_link(0.1, 0.04, 0.012, 8, 10),
        gear(9, 0.06, 0.085, 0.03),
        latch_hook(0.15, 0.02, 0.02, 0.03),
        filleted_angle(0.09, 0.03, 0.1, 0.005, 4),
        star_prism(&star.collect::<Vec<_>>(), 0.05),
        torus(0.07, 0.03, 20, 12),
        icosphere(0.08, 2),
    ];
    let mut random = Random::new(9);
    for k in 0..pose_count(80) {
        let [mesh_e, mesh_f] = [k % shapes.len(), (k / shapes.len() + 3 * k) % shapes.len()]
            .map(|shape| sheared(&shapes[shape], &mut random));
        let depth = random.between(0.001, 0.008);
        let pose_ef = pose_at_depth(&surface(mesh_e.clone()), &surface(mesh_f.clone()), depth, &mut random);
        let off = worst_change([&mesh_e, &mesh_f], &elastic(Method::Auto), &pose_ef, CUTS[k / 2 % 2]);
        // Next to inner edges depths are found by quadrature.
        assert!(off <= 1e-8, "{k}: {off:e}");
    }
}

/// F turned by quarters about the edges of E, approaching along a random direction until it is this deep.
fn aligned_pose(pair: [&ContactSurface; 2], depth: f64, random: &mut Random) -> Pose {
    let quarters = (4.0 * random.unit()).floor() * std::f64::consts::FRAC_PI_2;
    let rotation = Rotation::new(Vector::z() * quarters);
    let (direction, aside) = (random.direction(), 0.03 * random.direction());
    let at = |way: f64| Pose::from_parts((aside - direction * way).into(), rotation);
    let [e, f] = pair;
    let touches = |way: &f64| at_rest(e, f, &elastic(Method::CollisionOnly), &at(*way)).in_contact;
    let first = (0..400).map(|step| 0.4 - 1e-3 * f64::from(step)).find(touches).expect("a way that meets");
    at(first - depth)
}

fn centred(mesh: &TriangleMesh) -> TriangleMesh {
    let middle = mesh.vertices.iter().sum::<Vector>() / mesh.vertices.len() as f64;
    moved(mesh, &Pose::translation(-middle.x, -middle.y, -middle.z))
}

#[test]
fn of_profiles_deep_in_each_other_with_parallel_edges() {
    // Walls between a face and an inner edge that it is parallel to are straight lines.
    let shapes = [
        bored_block(Vector::new(0.1, 0.1, 0.06), 0.03, 24),
        u_profile(0.1, 0.08, 0.02, 0.1),
        l_profile(0.08, 0.03, 0.1),
        comb(3, 0.03, 0.05, 0.03, 0.06),
    ]
    .map(|mesh| centred(&mesh));
    let mut random = Random::new(12);
    for k in 0..pose_count(60) {
        let [mesh_e, mesh_f] = [k % shapes.len(), k / shapes.len() % shapes.len()].map(|shape| &shapes[shape]);
        let pair = [mesh_e, mesh_f].map(|mesh| surface(mesh.clone()));
        let pose_ef = aligned_pose([&pair[0], &pair[1]], random.between(0.005, 0.02), &mut random);
        let off = worst_change([mesh_e, mesh_f], &elastic(Method::Auto), &pose_ef, CUTS[k / 2 % 2]);
        assert!(off <= 1e-8, "{k}: {off:e}");
    }
}
