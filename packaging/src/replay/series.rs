//! A recording as a time series for ParaView: `replay.pvd` names the files of each time, in the frame M_e.

use std::fmt::Write;

use polycontact::math::{Pose, Vector};
use polycontact::mesh::{TriangleMesh, VertexIndex};
use polycontact::record::{Frame, Patches, RecordedBody, Recording};

use super::page::strengths;
use super::poses::pose;
use super::thinning::thinned;
use crate::view::vtp::{Array, poly_data, surface};

/// Most times of a series: each has files of its own.
const MOST_TIMES: usize = 1000;

/// The file that names all others.
pub const COLLECTION: &str = "replay.pvd";

/// Hands out names and contents of the files, one by one; returns the number of times.
pub fn write_files(
    recording: &Recording,
    write: &mut dyn FnMut(&str, &str) -> Result<(), String>,
) -> Result<usize, String> {
    let header = &recording.header;
    let frames = thinned((0..recording.frames.len()).collect(), &strengths(recording), |_| 1, MOST_TIMES);
    let bodies: Vec<TriangleMesh> = header.bodies.iter().map(mesh).collect();
    let mut collection = String::from(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n",
    );
    if let Some(e) = bodies.first() {
        write("body_e.vtp", &surface(e, &Pose::identity()))?;
    }
    for (number, frame) in frames.iter().map(|frame| &recording.frames[*frame]).enumerate() {
        let mut part = 0;
        let mut name = |file: &str| {
            let time = frame.time();
            let _ = writeln!(collection, "<DataSet timestep=\"{time}\" part=\"{part}\" file=\"{file}\"/>");
            part += 1;
        };
        if let [_, f] = &bodies[..] {
            name("body_e.vtp");
            let file = format!("body_f_{number:04}.vtp");
            write(&file, &surface(f, &pose(header, frame)))?;
            name(&file);
        }
        for (kind, text) in [("patches", patches(&frame.patches)), ("force", force(recording, frame))] {
            let file = format!("{kind}_{number:04}.vtp");
            write(&file, &text)?;
            name(&file);
        }
    }
    write(COLLECTION, &(collection + "</Collection>\n</VTKFile>\n"))?;
    Ok(frames.len())
}

fn mesh(body: &RecordedBody) -> TriangleMesh {
    TriangleMesh {
        vertices: body.vertices.iter().map(|v| Vector::from_iterator(v.iter().map(|x| f64::from(*x)))).collect(),
        faces: body.faces.iter().map(|face| face.map(VertexIndex)).collect(),
    }
}

/// Polygons with the pressure at their corners.
fn patches(patches: &Patches) -> String {
    let (mut points, mut polygons, mut pressures) = (Vec::new(), Vec::new(), Vec::new());
    for polygon in patches.polygons() {
        let first = points.len() as i64;
        points.extend(polygon.iter().map(|corner| Vector::from_column_slice(&corner.position_e)));
        pressures.extend(polygon.iter().map(|corner| corner.pressure));
        polygons.push((first..points.len() as i64).collect());
    }
    poly_data(&points, &polygons, &[], &[Array::scalars("pressure", pressures.into_iter())])
}

/// One point, the contact position, with the force on both bodies: for arrows.
fn force(recording: &Recording, frame: &Frame) -> String {
    let number =
        |name: &str, axis: usize| recording.header.position(&format!("{name}[{axis}]")).map(|k| frame.numbers[k]);
    let vector = |name: &str| Vector::from_iterator((1..=3).map(|axis| number(name, axis).unwrap_or(0.0)));
    let force_e = vector("forceOnE");
    let arrays =
        [Array::vectors("force_on_e", [force_e].into_iter()), Array::vectors("force_on_f", [-force_e].into_iter())];
    poly_data(&[vector("contactPosition")], &[], &[], &arrays)
}
