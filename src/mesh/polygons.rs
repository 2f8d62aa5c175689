//! Collects vertices and polygons of any reader and cuts the polygons into triangles.

use super::error::{MeshError, Place};
use super::limits::{MAX_FACES, MAX_VERTICES, POLYGON_BUDGET, PointDefect, scaled_point};
use super::polygon::PolygonCutter;
use super::raw_mesh::RawMesh;
use crate::math::Vector;

/// Vertices first, then polygons.
pub(super) struct Polygons<'a> {
    file: &'a str,
    scale: f64,
    pub(super) raw: RawMesh,
    cutter: PolygonCutter,
    corners: Vec<Vector>,
}

impl<'a> Polygons<'a> {
    pub(super) fn new(file: &'a str, scale: f64) -> Self {
        let cutter = PolygonCutter::new(POLYGON_BUDGET);
        Polygons { file, scale, raw: RawMesh::default(), cutter, corners: Vec::new() }
    }

    /// Adds a vertex in the unit of the file.
    pub(super) fn push_vertex(&mut self, point: [f64; 3], place: Place) -> Result<(), MeshError> {
        let file = || self.file.to_owned();
        if MAX_VERTICES <= self.raw.vertices.len() {
            return Err(MeshError::TooManyVertices { file: file(), place });
        }
        let vertex = scaled_point(point, self.scale).map_err(|defect| match defect {
            PointDefect::NotFinite => {
                MeshError::NotFinite { file: file(), place, text: point.map(|x| x.to_string()).join(" ") }
            }
            PointDefect::TooLarge(coordinates) => MeshError::CoordinateTooLarge { file: file(), place, coordinates },
        })?;
        self.raw.vertices.push(vertex);
        Ok(())
    }

    /// Adds a polygon with corners counted from 0.
    pub(super) fn push_polygon(&mut self, indices: &[f64], place: Place) -> Result<(), MeshError> {
        let file = || self.file.to_owned();
        let vertices = self.raw.vertices.len();
        if indices.len() < 3 {
            let problem = format!("a face has {} corner(s), but needs 3; export the file again", indices.len());
            return Err(MeshError::Syntax { file: file(), place, problem });
        }
        if MAX_FACES < self.raw.faces.len() + indices.len() - 2 {
            return Err(MeshError::TooManyFaces { file: file(), place });
        }
        self.corners.clear();
        for &index in indices {
            if !(index.fract() == 0.0 && 0.0 <= index && index < vertices as f64) {
                let problem = format!(
                    "the face uses vertex {index}, but there are {vertices}, counted from 0; the file may be \
                     incomplete, export it again"
                );
                return Err(MeshError::Syntax { file: file(), place, problem });
            }
            self.corners.push(self.raw.vertices[index as usize]);
        }
        let number = self.raw.faces_in_file as u32;
        let RawMesh { faces, face_numbers, .. } = &mut self.raw;
        let emit = |triangle: [usize; 3]| {
            faces.push(triangle.map(|corner| indices[corner] as u32));
            face_numbers.push(number);
        };
        self.cutter
            .cut(&self.corners, emit)
            .map_err(|_| MeshError::PolygonsTooIntricate { file: self.file.to_owned(), place })?;
        self.raw.faces_in_file += 1;
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<RawMesh, MeshError> {
        self.raw.vertices_in_file = self.raw.vertices.len();
        if self.raw.faces_in_file == 0 {
            return Err(MeshError::NoFaces { file: self.file.into(), dropped: 0 });
        }
        Ok(self.raw)
    }
}
