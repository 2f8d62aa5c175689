//! Stage 4: the faces of the master become contact elements.
//!
//! One pass takes one surface as master and the other as slave. A point of the master is in contact
//! where it lies inside the other body; its depth is the distance to the first slave face behind it,
//! against the normal of the master face.

mod centroid;
mod clipped;
mod convex_polygon;
mod element_integrals;
mod face_frame;
mod seen_face;
mod slave_search;

pub use slave_search::SearchMemory;

use super::active_areas::{ActiveArea, face_of};
use super::parameters::{ContactParameters, ElementScheme};
use super::patches::{Patches, SEVERAL_PATCHES};
use super::posed_surface::PosedSurface;
use super::relative_motion::RelativeMotion;
use super::totals::Totals;
use super::triangle_intersection::{Body, IntersectionLine};
use crate::mesh::FaceIndex;

/// One surface as master, the other as slave.
pub struct Pass<'a> {
    /// Which body the master is.
    pub master_body: Body,
    /// The master.
    pub master: PosedSurface<'a>,
    /// The slave.
    pub slave: PosedSurface<'a>,
    /// Active area of the master.
    pub master_area: &'a ActiveArea,
    /// Active area of the slave.
    pub slave_area: &'a ActiveArea,
    /// Patches of both.
    pub patches: &'a Patches,
    /// Intersection lines.
    pub lines: &'a [IntersectionLine],
    /// Patch of each line's polygon is `patches.of_polygon[polygon_of_line[line]]`.
    pub polygon_of_line: &'a [u32],
    /// Weight of this pass in each patch, from 0 to 1.
    pub weights: &'a [f64],
    /// Parameters of the force law.
    pub parameters: &'a ContactParameters,
    /// Relative motion.
    pub motion: &'a RelativeMotion,
}

impl Pass<'_> {
    /// Adds all elements of the pass to the totals.
    pub fn integrate(&self, memory: &mut SearchMemory, totals: &mut Totals) {
        for slot in 0..self.master_area.faces.len() {
            match self.parameters.elements() {
                ElementScheme::Clipped => self.integrate_clipped(slot, memory, totals),
                ElementScheme::Centroid => self.integrate_centroid(slot, memory, totals),
            }
        }
    }

    fn slave_body(&self) -> Body {
        match self.master_body {
            Body::E => Body::F,
            Body::F => Body::E,
        }
    }

    /// The patch that a master face and a slave face which it sees belong to.
    fn patch_of(&self, master_slot: usize, slave_face: FaceIndex) -> u32 {
        let patch = self.patches.of_face(self.master_body, master_slot);
        if patch != SEVERAL_PATCHES {
            return patch;
        }
        if let Some(slot) = self.slave_area.slot(slave_face) {
            let patch = self.patches.of_face(self.slave_body(), slot);
            if patch != SEVERAL_PATCHES {
                return patch;
            }
        }
        // Lines of several patches run across both faces: take one of the master face, and if there
        // is one, the line in which both meet.
        let master_face = self.master_area.faces[master_slot].face;
        let on_master =
            || (0..self.lines.len()).filter(|&line| face_of(self.master_body, &self.lines[line]) == master_face);
        let line = on_master()
            .find(|&line| face_of(self.slave_body(), &self.lines[line]) == slave_face)
            .or_else(|| on_master().next());
        line.map_or(0, |line| self.patches.of_polygon[self.polygon_of_line[line] as usize])
    }
}
