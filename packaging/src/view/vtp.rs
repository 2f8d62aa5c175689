//! ParaView files (VTK XML PolyData) of the surfaces and the patches, in the frame M_e.

use std::fmt::Write;

use polycontact::contact::{Body, ContactPiece, PiecePoint};
use polycontact::math::{Pose, Vector};
use polycontact::mesh::TriangleMesh;

use super::View;
use super::encode;
use super::grid::Grid;

/// Names and contents of the files, in the pose with which the page opens.
pub(super) fn files(view: &View, grid: &Grid) -> [(&'static str, String); 3] {
    let sample = grid.start_sample();
    [
        ("surface_e.vtp", surface(view.bodies.e.mesh(), &Pose::identity())),
        ("surface_f.vtp", surface(view.bodies.f.mesh(), &sample.pose)),
        ("patches.vtp", patches(&sample.pieces)),
    ]
}

/// A surface in a pose.
pub fn surface(mesh: &TriangleMesh, pose: &Pose) -> String {
    let points: Vec<Vector> = mesh.vertices.iter().map(|v| pose.rotation * v + pose.translation.vector).collect();
    let polygons: Vec<Vec<i64>> =
        mesh.faces.iter().map(|face| face.iter().map(|vertex| i64::from(vertex.0)).collect()).collect();
    poly_data(&points, &polygons, &[], &[])
}

/// The patches: cell values at the centroids, and the same at the points for smooth colours.
pub fn patches(pieces: &[ContactPiece]) -> String {
    let corners: Vec<&PiecePoint> = pieces.iter().flat_map(|piece| &piece.corners).collect();
    let points: Vec<Vector> = corners.iter().map(|corner| corner.position_e).collect();
    let mut next = 0;
    let cells: Vec<Vec<i64>> = pieces
        .iter()
        .map(|piece| {
            let first = next;
            next += piece.corners.len() as i64;
            (first..next).collect()
        })
        .collect();
    let of_points = |points: &[&PiecePoint]| -> Vec<Array> {
        vec![
            Array::scalars("pressure", points.iter().map(|point| point.pressure)),
            Array::scalars("penetration", points.iter().map(|point| point.penetration)),
            Array::vectors("slip_velocity", points.iter().map(|point| point.slip_velocity_e)),
        ]
    };
    let mut cell_data = of_points(&pieces.iter().map(|piece| &piece.centre).collect::<Vec<_>>());
    cell_data.push(Array::vectors("normal_into_e", pieces.iter().map(|piece| piece.normal_e)));
    cell_data.push(Array::scalars("weight", pieces.iter().map(|piece| piece.weight)));
    cell_data.push(Array::scalars("area", pieces.iter().map(|piece| piece.area)));
    cell_data.push(Array::scalars("face_of_e", pieces.iter().map(|piece| f64::from(piece.body == Body::E))));
    poly_data(&points, &cells, &cell_data, &of_points(&corners))
}

/// Numbers or vectors, with their name.
pub struct Array {
    name: &'static str,
    components: usize,
    values: Vec<f64>,
}

impl Array {
    /// One number each.
    pub fn scalars(name: &'static str, values: impl Iterator<Item = f64>) -> Self {
        Array { name, components: 1, values: values.collect() }
    }

    /// One vector each.
    pub fn vectors(name: &'static str, values: impl Iterator<Item = Vector>) -> Self {
        Array { name, components: 3, values: values.flat_map(|v| [v.x, v.y, v.z]).collect() }
    }
}

/// A file of polygons with values per polygon and per point.
pub fn poly_data(points: &[Vector], polygons: &[Vec<i64>], cell_data: &[Array], point_data: &[Array]) -> String {
    let mut text = String::from("<?xml version=\"1.0\"?>\n");
    text +=
        "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n";
    let (point_count, polygon_count) = (points.len(), polygons.len());
    let _ = writeln!(
        text,
        "<Piece NumberOfPoints=\"{point_count}\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" \
         NumberOfPolys=\"{polygon_count}\">"
    );
    for (element, arrays) in [("PointData", point_data), ("CellData", cell_data)] {
        let _ = writeln!(text, "<{element}>");
        arrays.iter().for_each(|array| push_floats(&mut text, array));
        let _ = writeln!(text, "</{element}>");
    }
    text += "<Points>\n";
    push_floats(&mut text, &Array::vectors("Points", points.iter().copied()));
    text += "</Points>\n<Polys>\n";
    let mut end = 0;
    let offsets = polygons.iter().map(|polygon| {
        end += polygon.len() as i64;
        end
    });
    push_integers(&mut text, "connectivity", polygons.iter().flatten().copied());
    push_integers(&mut text, "offsets", offsets);
    text += "</Polys>\n</Piece>\n</PolyData>\n</VTKFile>\n";
    text
}

fn push_floats(text: &mut String, array: &Array) {
    let bytes = array.values.iter().flat_map(|value| value.to_le_bytes()).collect();
    push_array(text, "Float64", array.name, array.components, bytes);
}

fn push_integers(text: &mut String, name: &str, values: impl Iterator<Item = i64>) {
    push_array(text, "Int64", name, 1, values.flat_map(i64::to_le_bytes).collect());
}

/// Inline binary data: the length in bytes, then the data, as one text in base64.
fn push_array(text: &mut String, kind: &str, name: &str, components: usize, bytes: Vec<u8>) {
    let mut content = (bytes.len() as u64).to_le_bytes().to_vec();
    content.extend(bytes);
    let _ = writeln!(
        text,
        "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"binary\">{}</DataArray>",
        encode(&content)
    );
}
