//! What a master face sees through the tree against what all faces say.

use std::collections::BTreeSet;

use super::Pass;
use super::convex_polygon::{ConvexPolygon, PlanePoint};
use super::face_frame::FaceFrame;
use super::seen_face::SeenFace;
use super::slave_search::{SearchMemory, see};
use crate::contact::grid::Grid;
use crate::contact::posed_surface::PosedSurface;
use crate::contact::triangle_intersection::Body;
use crate::contact::{ContactParameters, Method, RawParameters, RelativeMotion, Workspace, evaluate};
use crate::math::{Pose, Vector};
use crate::mesh::FaceIndex;
use crate::test_support::random::Random;
use crate::test_support::{Pair, pairs, random_or_degenerate_pose};

/// Regions below this part of the master face are rounding.
const NEGLIGIBLE: f64 = 1e-9;

/// How often something was there to be found.
#[derive(Debug, Default)]
struct Found {
    master_faces: usize,
    opposed: usize,
    hidden_by_slave: usize,
    hidden_by_master: usize,
}

/// The faces that carry load, and those that hide a part of them: (whether of the master, face).
#[derive(Debug, Default, PartialEq)]
struct Seen {
    opposed: BTreeSet<FaceIndex>,
    hiding: BTreeSet<(bool, FaceIndex)>,
}

/// Keeps what makes a difference to the master triangle: the faces under it, and those that hide one from it.
fn relevant(triangle: &ConvexPolygon, opposed: &[SeenFace], hiding: &[(bool, SeenFace)]) -> Seen {
    let negligible = NEGLIGIBLE * triangle.area();
    let covered: Vec<_> = opposed
        .iter()
        .map(|seen| (seen, seen.covered_part(triangle)))
        .filter(|(_, part)| negligible < part.area())
        .collect();
    Seen {
        opposed: covered.iter().map(|(seen, _)| seen.face).collect(),
        hiding: hiding
            .iter()
            .filter(|(_, face)| covered.iter().any(|(seen, part)| negligible < face.hidden_part(part, seen).area()))
            .map(|&(is_master, face)| (is_master, face.face))
            .collect(),
    }
}

fn all_faces(surface: &PosedSurface) -> impl Iterator<Item = FaceIndex> + use<> {
    (0..surface.surface.mesh().faces.len() as u32).map(FaceIndex)
}

/// All faces of both bodies, one after the other.
fn look_at_all(pass: &Pass, master_slot: usize, frame: &FaceFrame, triangle: &ConvexPolygon) -> Seen {
    let master_face = pass.master_area.faces[master_slot].face;
    let (mut opposed, mut hiding) = (Vec::new(), Vec::new());
    for seen in all_faces(&pass.slave).filter_map(|face| see(&pass.slave, frame, face)) {
        if !seen.is_opposed {
            hiding.push((false, seen));
        } else if pass.slave_area.slot(seen.face).is_some() {
            opposed.push(seen);
        }
    }
    for seen in all_faces(&pass.master).filter_map(|face| see(&pass.master, frame, face)) {
        if seen.is_opposed && seen.face != master_face && pass.master_area.slot(seen.face).is_some() {
            hiding.push((true, seen));
        }
    }
    relevant(triangle, &opposed, &hiding)
}

fn search(
    pass: &Pass,
    master_slot: usize,
    frame: &FaceFrame,
    points: &[PlanePoint; 3],
    memory: &mut SearchMemory,
) -> Seen {
    pass.search_seen_faces(master_slot, frame, points, memory);
    // The search lists the faces of the slave first. Those of the master are opposed, those of the slave are not.
    let hiding: Vec<_> = memory.hiding.iter().map(|&seen| (seen.is_opposed, seen)).collect();
    relevant(&ConvexPolygon::triangle(*points), &memory.opposed, &hiding)
}

/// The pass that the last evaluation in `workspace` made with a body as master.
fn compare_pass(pass: &Pass, found: &mut Found) {
    let mut memory = SearchMemory::default();
    for slot in 0..pass.master_area.faces.len() {
        let face = pass.master_area.faces[slot].face;
        let corners = pass.master.corners(face);
        let frame = FaceFrame::new(&corners, pass.master.normal(face));
        let points = corners.map(|corner| {
            let [x, y, _] = frame.point(corner);
            [x, y]
        });
        let all = look_at_all(pass, slot, &frame, &ConvexPolygon::triangle(points));
        assert_eq!(search(pass, slot, &frame, &points, &mut memory), all, "master {:?}, {face:?}", pass.master_body);
        found.master_faces += 1;
        found.opposed += all.opposed.len();
        found.hidden_by_master += all.hiding.iter().filter(|(is_master, _)| *is_master).count();
        found.hidden_by_slave += all.hiding.iter().filter(|(is_master, _)| !is_master).count();
    }
}

fn compare_pose(pair: &Pair, pose: &Pose, workspace: &mut Workspace, found: &mut Found) {
    let raw = RawParameters { method: Method::TwoPass, ..Default::default() };
    let parameters = ContactParameters::new(&raw).unwrap();
    let motion = RelativeMotion::at_rest(*pose);
    if !evaluate(&pair.e, &pair.f, &parameters, &motion, workspace).in_contact {
        return;
    }
    // Differs from the grid of the evaluation by rounding only.
    let grid = Grid::new(4.0);
    let e = PosedSurface::new(&pair.e, &Pose::identity(), grid);
    let f = PosedSurface::new(&pair.f, pose, grid);
    let Workspace { area_e, area_f, patches, lines, polygons, weights, .. } = workspace;
    for (master_body, master, slave, master_area, slave_area) in
        [(Body::E, e, f, &*area_e, &*area_f), (Body::F, f, e, &*area_f, &*area_e)]
    {
        let pass = Pass {
            master_body,
            master,
            slave,
            master_area,
            slave_area,
            patches,
            lines,
            polygon_of_line: &polygons.polygon_of_line,
            weights: &weights.of_patch,
            parameters: &parameters,
            motion: &motion,
        };
        compare_pass(&pass, found);
    }
}

#[test]
fn search_sees_what_all_faces_show_in_random_and_degenerate_poses() {
    let mut workspace = Workspace::default();
    let mut total = Found::default();
    for (seed, pair) in pairs().iter().enumerate() {
        let mut random = Random::new(500 + seed as u64);
        let mut found = Found::default();
        for i in 0..60 {
            let pose = random_or_degenerate_pose(i, pair.reach, &mut random);
            println!("{}, pose {i}: {pose:?}", pair.name);
            compare_pose(pair, &pose, &mut workspace, &mut found);
        }
        println!("{}: {found:?}", pair.name);
        assert!(100 < found.master_faces && 100 < found.opposed, "{}: {found:?}", pair.name);
        total.hidden_by_slave += found.hidden_by_slave;
        total.hidden_by_master += found.hidden_by_master;
    }
    // Deep overlap of bodies that are not convex hides faces both ways.
    assert!(100 < total.hidden_by_slave && 100 < total.hidden_by_master, "{total:?}");
}

#[test]
fn master_that_folds_over_itself_hides_the_slave_from_its_own_face() {
    // A fork around a plate: the inner face of a tooth looks away from the plate beyond the tooth's outer face.
    let pair = pairs().into_iter().find(|pair| pair.name == "comb with comb").unwrap();
    let mut found = Found::default();
    let pose = Pose::from_parts(Vector::new(0.013, 0.021, 0.017).into(), crate::math::Rotation::new(Vector::y() * 0.3));
    compare_pose(&pair, &pose, &mut Workspace::default(), &mut found);
    assert!(0 < found.hidden_by_master, "{found:?}");
}
