//! How the time grows with the meshes: at a fixed patch, outside the patch, and with a coarse counterpart.

use std::collections::BTreeMap;
use std::rc::Rc;

use polycontact::contact::{ContactSurface, ElementScheme, Method, Outcome, Workspace, evaluate};
use polycontact::lanes::Width;
use polycontact::math::{Rotation, Vector};
use polycontact::mesh::{TriangleMesh, VertexIndex};
use polycontact::shapes::{dumb_bell, funnel, icosphere, subdivided_cuboid};

use crate::sampling::{Call, Samples, alternate};
use crate::scenes::{ASIDE, BOX, Body, RADIUS, Scene, in_box, in_sphere, parameters};

/// Overlap of the scenes in m.
const OVERLAP: f64 = 5e-3;

/// Faces farther than this from the middle of the patch are refined, in m; the patch has a radius of 31 mm.
const OUTSIDE: f64 = 0.06;

/// Prints the tables.
pub fn print(seconds: f64, is_quick: bool, registers: Width) {
    println!("\n## Growth\n");
    println!(
        "Method `auto`, scheme `potential`, {:.0} mm deep; times in µs. The exponent is that of the number of faces: \
         log(time ratio) / log(face ratio); 1 means proportional, 0 means not at all.\n",
        1e3 * OVERLAP
    );
    print_header();
    let sizes: &[u32] = if is_quick { &[3, 4] } else { &[3, 4, 5, 6] };
    let spheres: Vec<Rc<Body>> = sizes.iter().map(|&size| Body::sphere(size)).collect();
    let in_spheres = spheres.iter().map(|sphere| in_sphere(sphere, sphere, OVERLAP)).collect();
    print_series("the same patch: sphere in sphere, both finer", in_spheres, seconds, registers);
    let boxes = sizes.iter().zip(&spheres).map(|(&size, sphere)| {
        let cells = 1usize << size;
        let cells = [2 * cells, 2 * cells, cells / 2];
        in_box(&Body::new("box", subdivided_cuboid(Vector::from(BOX), cells)), sphere, OVERLAP)
    });
    print_series("the same patch: sphere in box, both finer", boxes.collect(), seconds, registers);
    let rounds = if is_quick { 2 } else { 4 };
    print_series(
        "outside only: sphere in sphere, both finer around the patch",
        outside_spheres(rounds),
        seconds,
        registers,
    );
    print_series("outside only: sphere in box, both finer around the patch", outside_box(rounds), seconds, registers);
    print_dumb_bell(seconds, registers);
}

fn print_header() {
    println!(
        "| scene | faces | elements | median | quartiles | time ratio | exponent of the faces | of the elements |"
    );
    println!("|---|---|---|---|---|---|---|---|");
}

fn outcome_of(scene: &Scene) -> Outcome {
    let parameters = parameters(Method::Auto, ElementScheme::Potential);
    evaluate(&scene.e.surface, &scene.f.surface, &parameters, &scene.motion(0), &mut Workspace::default())
}

fn measure(scenes: &[Scene], seconds: f64, registers: Width) -> Vec<Samples> {
    let parameters = parameters(Method::Auto, ElementScheme::Potential);
    let mut calls: Vec<Call> =
        scenes.iter().map(|scene| Box::new(scene.evaluation(parameters, registers)) as Call).collect();
    alternate(&mut calls, seconds)
}

fn print_series(name: &str, scenes: Vec<Scene>, seconds: f64, registers: Width) {
    eprintln!("growth: {name}");
    let samples = measure(&scenes, seconds, registers);
    let mut before: Option<(f64, f64, f64)> = None;
    for (scene, samples) in scenes.iter().zip(&samples) {
        let faces = (scene.e.faces() + scene.f.faces()) as f64;
        let (elements, median) = (f64::from(outcome_of(scene).element_count), samples.median());
        let growth = before.replace((faces, elements, median)).map_or(" – | – | –".to_owned(), |(f, e, t)| {
            let exponent = |size: f64| {
                if size == 1.0 { "–".to_owned() } else { format!("{:.2}", (median / t).ln() / size.ln()) }
            };
            format!(" {:.2} | {} | {}", median / t, exponent(faces / f), exponent(elements / e))
        });
        println!("| {name} | {faces} | {elements} | {median:.1} | {} |{growth} |", samples.quartiles());
    }
}

/// The same spheres with four times the faces per round away from the patch.
fn outside_spheres(rounds: usize) -> Vec<Scene> {
    let plain = Body::sphere(4);
    let scene = in_sphere(&plain, &plain, OVERLAP);
    let middle_e = scene.position.normalize() * RADIUS;
    let middle_f = scene.rotation.inverse() * -middle_e;
    refined_outside(scene, icosphere(RADIUS, 4), icosphere(RADIUS, 4), middle_e, middle_f, rounds)
}

fn outside_box(rounds: usize) -> Vec<Scene> {
    let mesh = subdivided_cuboid(Vector::from(BOX), [32, 32, 8]);
    let scene = in_box(&Body::new("box", mesh.clone()), &Body::sphere(4), OVERLAP);
    let middle_e = Vector::new(ASIDE[0], ASIDE[1], 0.5 * BOX[2]);
    let middle_f = scene.rotation.inverse() * -Vector::z() * RADIUS;
    refined_outside(scene, mesh, icosphere(RADIUS, 4), middle_e, middle_f, rounds)
}

fn refined_outside(
    scene: Scene,
    mut e: TriangleMesh,
    mut f: TriangleMesh,
    middle_e: Vector,
    middle_f: Vector,
    rounds: usize,
) -> Vec<Scene> {
    (0..rounds)
        .map(|round| {
            if 0 < round {
                e = refined(&e, |center| OUTSIDE < (center - middle_e).norm());
                f = refined(&f, |center| OUTSIDE < (center - middle_f).norm());
            }
            Scene { e: Body::new("e", e.clone()), f: Body::new("f", f.clone()), ..scene.clone() }
        })
        .collect()
}

/// Splits every chosen face in four at the middles of its sides, and its neighbours so that the surface stays closed.
/// No point of the surface moves.
pub fn refined(mesh: &TriangleMesh, is_chosen: impl Fn(Vector) -> bool) -> TriangleMesh {
    let mut vertices = mesh.vertices.clone();
    let mut middles: BTreeMap<(VertexIndex, VertexIndex), VertexIndex> = BTreeMap::new();
    let key = |a: VertexIndex, b: VertexIndex| (a.min(b), a.max(b));
    for corners in &mesh.faces {
        let [a, b, c] = corners.map(|vertex| mesh.vertices[vertex.index()]);
        if is_chosen((a + b + c) / 3.0) {
            for k in 0..3 {
                let (from, to) = key(corners[k], corners[(k + 1) % 3]);
                middles.entry((from, to)).or_insert_with(|| {
                    vertices.push(0.5 * (mesh.vertices[from.index()] + mesh.vertices[to.index()]));
                    VertexIndex(vertices.len() as u32 - 1)
                });
            }
        }
    }
    let mut faces = Vec::with_capacity(4 * mesh.faces.len());
    for &corners in &mesh.faces {
        let sides = [0, 1, 2].map(|k| middles.get(&key(corners[k], corners[(k + 1) % 3])).copied());
        // Turned so that split sides come first: none, the first, the first two, or all.
        let turn = (0..3).find(|&k| sides[k].is_some() && sides[(k + 2) % 3].is_none()).unwrap_or(0);
        let [a, b, c] = [0, 1, 2].map(|k| corners[(turn + k) % 3]);
        match [0, 1, 2].map(|k| sides[(turn + k) % 3]) {
            [Some(ab), Some(bc), Some(ca)] => faces.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]),
            [Some(ab), Some(bc), None] => faces.extend([[ab, b, bc], [a, ab, bc], [a, bc, c]]),
            [Some(ab), None, _] => faces.extend([[a, ab, c], [ab, b, c]]),
            _ => faces.push([a, b, c]),
        }
    }
    TriangleMesh { vertices, faces }
}

/// The dissertation's funnel of four triangles, 2 m wide, and its dumb-bell, finer: its centre line lies across one face.
fn print_dumb_bell(seconds: f64, registers: Width) {
    println!("\nA coarse counterpart: the funnel of four triangles, 2 m wide, and the dumb-bell of 40 cm with");
    println!("finer and finer faces, its two bulges about {:.0} mm deep in one of the four.\n", 1e3 * OVERLAP);
    println!("| scene | faces of the dumb-bell | median | quartiles | elements | box tests | triangle tests |");
    println!("|---|---|---|---|---|---|---|");
    let funnel = Rc::new(Body { name: "funnel".into(), surface: ContactSurface::new(funnel()) });
    let mut mesh = dumb_bell();
    let mut scenes = Vec::new();
    for _ in 0..3 {
        // The face between the corners (1, 1) and (-1, 1) rises as z = y / 2; the bulges have a radius of 0.1 m.
        let normal = Vector::new(0.0, -1.0, 2.0).normalize();
        let position = Vector::new(0.013, 0.5, 0.25) + normal * (0.1 - OVERLAP);
        // The axis of the dumb-bell, its z, along x, which lies in the face; then turned about it.
        let along_x = Rotation::from_axis_angle(&Vector::y_axis(), std::f64::consts::FRAC_PI_2);
        let spun = Rotation::from_axis_angle(&Vector::z_axis(), 0.1);
        let rotation = along_x * spun;
        let f = Body::new("dumb-bell", mesh.clone());
        let scene =
            Scene { name: String::new(), overlap: OVERLAP, e: funnel.clone(), f, position, rotation, is_plane: false };
        scenes.push(scene);
        mesh = refined(&mesh, |_| true);
    }
    let samples = measure(&scenes, seconds, registers);
    for (scene, samples) in scenes.iter().zip(&samples) {
        let outcome = outcome_of(scene);
        println!(
            "| dumb-bell in funnel | {} | {:.1} | {} | {} | {} | {} |",
            scene.f.faces(),
            samples.median(),
            samples.quartiles(),
            outcome.element_count,
            outcome.bounding_volume_tests,
            outcome.triangle_tests
        );
    }
}
