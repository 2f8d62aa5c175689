//! From a mesh file to a surface that is ready for contact: time and memory.

use polycontact::bvh::FaceTree;
use polycontact::contact::ContactSurface;
use polycontact::mesh::{self, HalfEdges, MeshFormat, ReadOptions, TriangleMesh};
use polycontact::shapes::torus;

use crate::counting_allocator::{in_use, take_peak};
use crate::sampling::thread_time;
use crate::scenes::to_obj;

/// Rings and points per ring of a torus; twice their product is the number of faces.
const FULL: [usize; 2] = [1000, 500];
const QUICK: [usize; 2] = [200, 100];

/// Prints the table.
pub fn print(is_quick: bool) {
    let [rings, points] = if is_quick { QUICK } else { FULL };
    let mesh = torus(0.1, 0.04, rings, points);
    let faces = mesh.faces.len();
    println!("\n## Start-up\n");
    println!("A torus of {faces} triangles; best of three, in ms. Reading takes the file apart, merges vertices and");
    println!("checks the mesh, as every start of the FMU does; the search for self-intersections is part of");
    println!("`polycontact check-mesh` only. The file is in memory. Peak: beyond the file.\n");
    println!(
        "| file | size in MB | read and check | build surface | sum | self-intersections | bytes per triangle, ready | at the peak |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let files = [
        ("OBJ", MeshFormat::Obj, to_obj(&mesh).into_bytes()),
        ("STL, binary", MeshFormat::Stl, to_stl(&mesh)),
        ("STL, ASCII", MeshFormat::Stl, to_ascii_stl(&mesh).into_bytes()),
    ];
    for (name, format, bytes) in files {
        eprintln!("start-up: {name}");
        print_row(name, format, &bytes, faces);
    }
    println!(
        "\nParts of the surface, in ms: half-edges {:.0}, tree {:.0}.",
        part(&mesh, |mesh| {
            std::hint::black_box(HalfEdges::build(&mesh.faces, mesh.vertices.len()));
        }),
        part(&mesh, |mesh| {
            std::hint::black_box(FaceTree::of_mesh(mesh));
        })
    );
}

fn part(mesh: &TriangleMesh, build: impl Fn(&TriangleMesh)) -> f64 {
    let times = (0..3).map(|_| {
        let started = thread_time();
        build(mesh);
        1e3 * (thread_time() - started)
    });
    times.fold(f64::INFINITY, f64::min)
}

fn print_row(name: &str, format: MeshFormat, bytes: &[u8], faces: usize) {
    let (mut read_time, mut build_time, mut inspect_time) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
    let (mut ready, mut peak) = (0, 0);
    for _ in 0..3 {
        let before = in_use();
        take_peak();
        let started = thread_time();
        let (mesh, _) = mesh::read_bytes(name, format, bytes, ReadOptions::default()).expect("a valid mesh");
        let read = thread_time() - started;
        let surface = ContactSurface::new(mesh);
        let built = thread_time() - started;
        assert_eq!(surface.mesh().faces.len(), faces);
        ready = in_use() - before;
        peak = take_peak() - before;
        drop(surface);
        let started = thread_time();
        mesh::inspect_bytes(name, format, bytes, ReadOptions::default()).expect("a valid mesh");
        let inspected = thread_time() - started;
        (read_time, build_time) = (read_time.min(read), build_time.min(built - read));
        inspect_time = inspect_time.min((inspected - read).max(0.0));
    }
    println!(
        "| {name} | {:.0} | {:.0} | {:.0} | {:.0} | {:.0} | {} | {} |",
        1e-6 * bytes.len() as f64,
        1e3 * read_time,
        1e3 * build_time,
        1e3 * (read_time + build_time),
        1e3 * inspect_time,
        ready / faces,
        peak / faces
    );
}

fn to_stl(mesh: &TriangleMesh) -> Vec<u8> {
    let mut bytes = vec![0u8; 80];
    bytes.extend((mesh.faces.len() as u32).to_le_bytes());
    for corners in &mesh.faces {
        let [a, b, c] = corners.map(|vertex| mesh.vertices[vertex.index()]);
        for vector in [(b - a).cross(&(c - a)), a, b, c] {
            for k in 0..3 {
                bytes.extend((vector[k] as f32).to_le_bytes());
            }
        }
        bytes.extend([0, 0]);
    }
    bytes
}

fn to_ascii_stl(mesh: &TriangleMesh) -> String {
    use std::fmt::Write;
    let mut text = "solid torus\n".to_owned();
    for corners in &mesh.faces {
        let [a, b, c] = corners.map(|vertex| mesh.vertices[vertex.index()].map(|x| x as f32));
        let n = (b - a).cross(&(c - a));
        let _ = writeln!(text, " facet normal {} {} {}\n  outer loop", n.x, n.y, n.z);
        for p in [a, b, c] {
            let _ = writeln!(text, "   vertex {} {} {}", p.x, p.y, p.z);
        }
        text += "  endloop\n endfacet\n";
    }
    text + "endsolid torus\n"
}
