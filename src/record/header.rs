//! What stands once in a recording: the columns, the parameters, the bodies.

use super::block::{Reader, push_text};
use super::{FORCE, Frame};
use crate::mesh::TriangleMesh;

/// A column of numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Name of the variable.
    pub name: String,
    /// Its unit, `1` for none.
    pub unit: String,
}

/// A body to draw, in the coordinates of its marker.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedBody {
    /// Name of its file.
    pub name: String,
    /// In m.
    pub vertices: Vec<[f32; 3]>,
    /// Vertices of each face, counter-clockwise seen from outside.
    pub faces: Vec<[u32; 3]>,
}

impl RecordedBody {
    /// A mesh in single precision, which is good enough for pictures.
    pub fn new(name: &str, mesh: &TriangleMesh) -> RecordedBody {
        RecordedBody {
            name: name.to_owned(),
            vertices: mesh.vertices.iter().map(|v| [v.x as f32, v.y as f32, v.z as f32]).collect(),
            faces: mesh.faces.iter().map(|face| face.map(|vertex| vertex.0)).collect(),
        }
    }
}

/// What the columns are, and what moves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Header {
    /// Name of the model.
    pub name: String,
    /// Which FMU it was.
    pub guid: String,
    /// Names of the numbers of a frame; the first is the time.
    pub columns: Vec<Column>,
    /// Names and values of the parameters when the recording began.
    pub parameters: Vec<(String, String)>,
    /// E and F; empty where the model has no surfaces.
    pub bodies: Vec<RecordedBody>,
}

impl Header {
    /// Where a column is.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    /// The frame with the larger force; the earlier where they are equal, or where the model has no force.
    pub(crate) fn stronger(&self, earlier: Frame, later: Frame) -> Frame {
        let force = |frame: &Frame| self.position(FORCE).map_or(0.0, |first| squared_force(&frame.numbers, first));
        if force(&earlier) < force(&later) { later } else { earlier }
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let count = |bytes: &mut Vec<u8>, length: usize| bytes.extend((length as u32).to_le_bytes());
        push_text(&mut bytes, &self.name);
        push_text(&mut bytes, &self.guid);
        count(&mut bytes, self.columns.len());
        for column in &self.columns {
            push_text(&mut bytes, &column.name);
            push_text(&mut bytes, &column.unit);
        }
        count(&mut bytes, self.parameters.len());
        for (name, value) in &self.parameters {
            push_text(&mut bytes, name);
            push_text(&mut bytes, value);
        }
        count(&mut bytes, self.bodies.len());
        for body in &self.bodies {
            push_text(&mut bytes, &body.name);
            count(&mut bytes, body.vertices.len());
            body.vertices.iter().flatten().for_each(|x| bytes.extend(x.to_le_bytes()));
            count(&mut bytes, body.faces.len());
            body.faces.iter().flatten().for_each(|vertex| bytes.extend(vertex.to_le_bytes()));
        }
        bytes
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Header> {
        let reader = &mut Reader(bytes);
        let (name, guid) = (reader.text()?, reader.text()?);
        let columns = reader.list(|reader| Some(Column { name: reader.text()?, unit: reader.text()? }))?;
        let parameters = reader.list(|reader| Some((reader.text()?, reader.text()?)))?;
        let bodies = reader.list(|reader| {
            let name = reader.text()?;
            let vertices = reader.list(|reader| Some([reader.single()?, reader.single()?, reader.single()?]))?;
            let corner = |reader: &mut Reader| reader.chunk().map(u32::from_le_bytes);
            let faces = reader.list(|reader| Some([corner(reader)?, corner(reader)?, corner(reader)?]))?;
            let is_whole = faces.iter().flatten().all(|vertex| (*vertex as usize) < vertices.len())
                && vertices.iter().flatten().all(|x| x.is_finite());
            is_whole.then_some(RecordedBody { name, vertices, faces })
        })?;
        (reader.0.is_empty() && !columns.is_empty()).then_some(Header { name, guid, columns, parameters, bodies })
    }
}

/// Square of the force that begins in a column.
pub(crate) fn squared_force(numbers: &[f64], first: usize) -> f64 {
    numbers.iter().skip(first).take(3).map(|x| x * x).sum()
}
