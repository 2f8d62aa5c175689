//! Active areas against inside tests by rays, vertex by vertex and face by face.

use super::active_areas::{ActiveArea, VertexState};
use crate::contact::detect::PosedSurface;
use crate::contact::{ContactParameters, ContactSurface, Method, RawParameters, RelativeMotion, Workspace, evaluate};
use crate::math::{Grid, Pose, Vector};
use crate::mesh::{FaceIndex, TriangleMesh, VertexIndex};
use crate::shapes::{cuboid, moved};
use crate::test_support::brute_force::clearly_inside;
use crate::test_support::random::Random;
use crate::test_support::{pairs, random_or_degenerate_pose};

const POSES: usize = 150;

/// How many comparisons were made; doubtful ones do not count.
#[derive(Debug, Default)]
struct Compared {
    inner_vertices: usize,
    outer_vertices: usize,
    inner_faces: usize,
    outer_faces: usize,
}

/// Every corner of every face, in E.
fn triangles(surface: &PosedSurface) -> Vec<[Vector; 3]> {
    (0..surface.surface.mesh().faces.len() as u32).map(|face| surface.corners(FaceIndex(face))).collect()
}

/// A number for every vertex, equal where faces connect them.
fn shells(mesh: &TriangleMesh) -> Vec<usize> {
    let mut shells: Vec<usize> = (0..mesh.vertices.len()).collect();
    loop {
        let mut changed = false;
        for face in &mesh.faces {
            let lowest = face.iter().map(|vertex| shells[vertex.index()]).min().unwrap();
            for vertex in face {
                changed |= std::mem::replace(&mut shells[vertex.index()], lowest) != lowest;
            }
        }
        if !changed {
            return shells;
        }
    }
}

fn compare_with_rays(
    area: &ActiveArea,
    this: &PosedSurface,
    other: &PosedSurface,
    random: &mut Random,
    compared: &mut Compared,
) {
    let mesh = this.surface.mesh();
    let others = triangles(other);
    let shells = shells(mesh);
    let is_cut = |shell: usize| {
        area.faces[..area.cut_count].iter().any(|cut| shells[mesh.faces[cut.face.index()][0].index()] == shell)
    };
    for (index, &shell) in shells.iter().enumerate() {
        let vertex = VertexIndex(index as u32);
        let state = area.vertex_state(vertex);
        if !is_cut(shell) {
            assert_eq!(state, VertexState::Unknown, "vertex {index} of a shell without intersection");
        } else if let Some(inside) = clearly_inside(&this.vertex(vertex), &others, random) {
            assert_eq!(matches!(state, VertexState::Inside(_)), inside, "vertex {index} is {state:?}");
            *(if inside { &mut compared.inner_vertices } else { &mut compared.outer_vertices }) += 1;
        }
    }
    for (index, corners) in triangles(this).iter().enumerate() {
        let slot = area.slot(FaceIndex(index as u32));
        if slot.is_some_and(|slot| slot < area.cut_count) || !is_cut(shells[mesh.faces[index][0].index()]) {
            continue;
        }
        let centroid = (corners[0] + corners[1] + corners[2]) / 3.0;
        if let Some(inside) = clearly_inside(&centroid, &others, random) {
            assert_eq!(slot.is_some(), inside, "face {index}, active: {}", slot.is_some());
            *(if inside { &mut compared.inner_faces } else { &mut compared.outer_faces }) += 1;
        }
    }
}

/// Compares both areas of a pose; returns whether the bodies are in contact.
fn compare_pose(
    [surface_e, surface_f]: [&ContactSurface; 2],
    pose: &Pose,
    workspace: &mut Workspace,
    random: &mut Random,
    compared: &mut Compared,
) -> bool {
    let raw = RawParameters { method: Method::CollisionOnly, ..Default::default() };
    let parameters = ContactParameters::new(&raw).unwrap();
    let outcome = evaluate(surface_e, surface_f, &parameters, &RelativeMotion::at_rest(*pose), workspace);
    if outcome.in_contact {
        // The areas do not depend on the grid by more than rounding.
        let grid = Grid::new(4.0);
        let e = PosedSurface::new(surface_e, &Pose::identity(), grid);
        let f = PosedSurface::new(surface_f, pose, grid);
        compare_with_rays(&workspace.area_e, &e, &f, random, compared);
        compare_with_rays(&workspace.area_f, &f, &e, random, compared);
    }
    outcome.in_contact
}

#[test]
fn areas_agree_with_rays_in_random_and_degenerate_poses() {
    let mut workspace = Workspace::default();
    for (seed, pair) in pairs().iter().enumerate() {
        let mut random = Random::new(seed as u64);
        let mut compared = Compared::default();
        let mut contacts = 0;
        for i in 0..POSES {
            let pose = random_or_degenerate_pose(i, pair.reach, &mut random);
            println!("{}, pose {i}: {pose:?}", pair.name);
            contacts +=
                usize::from(compare_pose([&pair.e, &pair.f], &pose, &mut workspace, &mut random, &mut compared));
        }
        println!("{}: {contacts} contacts, {compared:?}", pair.name);
        assert!(POSES / 4 < contacts && POSES / 2 < compared.inner_vertices && POSES < compared.outer_vertices);
        assert!(compared.outer_faces > POSES, "{}: {compared:?}", pair.name);
    }
}

#[test]
fn shell_without_intersection_is_left_alone() {
    // Two blocks as one surface: the slab encloses the first and cuts the second.
    let block = |x: f64| moved(&cuboid(Vector::new(0.02, 0.02, 0.02)), &Pose::translation(x, 0.0, 0.0));
    let (mut mesh, second) = (block(0.0), block(0.1));
    let offset = mesh.vertices.len() as u32;
    mesh.vertices.extend(second.vertices);
    mesh.faces.extend(second.faces.iter().map(|face| face.map(|vertex| VertexIndex(vertex.0 + offset))));
    let blocks = ContactSurface::new(mesh);
    let slab = ContactSurface::new(cuboid(Vector::new(0.2, 0.1, 0.1)));
    let mut compared = Compared::default();
    let (mut workspace, mut random) = (Workspace::default(), Random::new(1));
    for x in [0.0, 1e-3, -2e-3] {
        let pose = Pose::translation(x, 0.002, -0.003);
        assert!(compare_pose([&blocks, &slab], &pose, &mut workspace, &mut random, &mut compared));
    }
    assert!(0 < compared.inner_vertices && 0 < compared.outer_vertices, "{compared:?}");
}
