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
#[cfg(feature = "floor")]
pub mod floor;
mod lane_extremes;
mod lane_faces;
mod lane_force;
mod lane_friction;
mod lane_overlay;
mod lane_queue;
mod lane_regions;
mod lane_sums;
mod lane_walk;
pub(super) mod lanes;
mod overlay;
#[cfg(feature = "floor")]
pub mod patch_polygons;
mod polygon_moments;
mod region_force;
mod seen_face;
mod slave_search;
mod slave_walk;

use std::ops::Range;

pub use convex_polygon::SMALLEST_AREA;
pub use slave_search::SearchMemory;

use super::active_areas::{ActiveArea, face_of};
use super::parameters::{ContactParameters, ElementScheme};
use super::pass_weights::PatchWeights;
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
    /// Weights of the passes in each patch.
    pub weights: &'a [PatchWeights],
    /// Parameters of the force law.
    pub parameters: &'a ContactParameters,
    /// Relative motion.
    pub motion: &'a RelativeMotion,
}

impl Pass<'_> {
    /// Whether the pass counts in some patch.
    pub fn weighs_anything(&self) -> bool {
        self.weights.iter().any(|weights| 0.0 < weights.of_pass[self.master_body as usize])
    }

    /// Prepares memory for the pass.
    pub fn begin(&self, memory: &mut SearchMemory) {
        memory.walk.begin(self);
        memory.lane_walk.begin(self);
    }

    /// Adds the elements of some master faces to the totals. What comes out depends on these faces only, not on what
    /// else the memory has been used for since the pass began.
    pub fn integrate(&self, master_slots: Range<usize>, memory: &mut SearchMemory, totals: &mut Totals) {
        memory.walk.restrict(master_slots.clone());
        memory.lane_walk.restrict(master_slots.clone());
        match self.parameters.elements() {
            ElementScheme::Clipped => self.integrate_clipped(master_slots, memory, totals),
            ElementScheme::Centroid => {
                master_slots.for_each(|slot| self.integrate_centroid(slot, memory, totals));
            }
        }
    }

    fn slave_body(&self) -> Body {
        match self.master_body {
            Body::E => Body::F,
            Body::F => Body::E,
        }
    }

    /// Weight of a piece of a master face that sees a slave face at a mean depth, and the largest
    /// credible depth there.
    fn weight_of(&self, master_slot: usize, slave_face: FaceIndex, depth: f64) -> (f64, f64) {
        let of = |patch: u32| {
            let weights = &self.weights[patch as usize];
            (weights.of_piece(self.master_body as usize, depth), weights.credible_depth)
        };
        let patch = self.patches.of_face(self.master_body, master_slot);
        if patch != SEVERAL_PATCHES {
            return of(patch);
        }
        if let Some(slot) = self.slave_area.slot(slave_face) {
            let patch = self.patches.of_face(self.slave_body(), slot);
            if patch != SEVERAL_PATCHES {
                return of(patch);
            }
        }
        // Lines of several patches run across both faces: the mean over their common patches, by area.
        let master_face = self.master_area.faces[master_slot].face;
        let crosses = |body: Body, face: FaceIndex, patch: usize| {
            self.lines.iter().zip(self.polygon_of_line).any(|(line, &polygon)| {
                face_of(body, line) == face && self.patches.of_polygon[polygon as usize] as usize == patch
            })
        };
        let (mut sum, mut area, mut credible_depth) = (0.0, 0.0, 0.0f64);
        for (index, patch) in self.patches.patches.iter().enumerate() {
            if crosses(self.master_body, master_face, index) && crosses(self.slave_body(), slave_face, index) {
                let patch_area = (patch.e.area + patch.f.area).max(0.0);
                let (weight, credible) = of(index as u32);
                sum += patch_area * weight;
                credible_depth = credible_depth.max(credible);
                area += patch_area;
            }
        }
        if 0.0 < area { (sum / area, credible_depth) } else { of(0) }
    }
}

#[cfg(all(test, feature = "floor"))]
mod lane_tests;
#[cfg(test)]
mod slave_search_tests;
