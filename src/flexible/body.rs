//! Bodies of a flexible pair.

use super::archive::ArchiveDefect;
use super::reduced_model::ReducedModel;
use crate::mesh::{TriangleMesh, VertexIndex};

/// A body of a flexible pair: what it is made of.
#[derive(Clone, Debug)]
pub enum BodyModel {
    /// A rigid body: its vertices and faces take part in the contact, in the frame of its mesh.
    Rigid(TriangleMesh),
    /// A flexible body in its Buckens frame.
    Flexible(FlexibleBody),
}

/// A reduced elastic body that obeys all rules.
#[derive(Clone, Debug, PartialEq)]
pub struct FlexibleBody {
    model: Box<ReducedModel>,
}

impl FlexibleBody {
    /// Checks a model.
    pub fn new(model: ReducedModel) -> Result<Self, ArchiveDefect> {
        model.check()?;
        Ok(FlexibleBody { model: Box::new(model) })
    }

    /// What the body was made of.
    pub fn model(&self) -> &ReducedModel {
        &self.model
    }

    /// The undeformed surface: the whole where the file has it, else the contact faces.
    pub fn outline(&self) -> TriangleMesh {
        let model = &self.model;
        let (vertices, faces) = match model.outline_faces.is_empty() {
            true => (&model.contact_nodes, &model.contact_faces),
            false => (&model.outline_nodes, &model.outline_faces),
        };
        TriangleMesh { vertices: vertices.clone(), faces: faces.iter().map(|face| face.map(VertexIndex)).collect() }
    }

    /// How many modes there are.
    pub fn mode_count(&self) -> usize {
        self.model.angular_frequencies.len()
    }
}
