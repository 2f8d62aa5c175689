//! Stages 2 and 3: intersection lines become polygons, and these bound the active areas and make patches.

mod active_areas;
mod enclosure;
mod intersection_polygons;
mod patches;

pub use active_areas::{ActiveArea, VertexState};
pub use enclosure::any_enclosed;
pub use intersection_polygons::IntersectionPolygons;
pub use patches::Patches;

#[cfg(test)]
mod active_areas_tests;
