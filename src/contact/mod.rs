//! The force element: two surfaces and their relative motion in, the contact wrench out.
#![forbid(unsafe_code)]

mod active_areas;
mod collision_detection;
mod contact_elements;
mod enclosure;
mod force_law;
mod gap;
mod grid;
mod intersection_polygons;
mod orientation;
mod outcome;
mod parameters;
mod pass_weights;
mod patches;
mod posed_surface;
mod relative_motion;
mod sharing;
mod surface;
mod totals;
mod triangle_intersection;
mod workspace;

#[cfg(feature = "floor")]
pub use contact_elements::floor::{Pairs, Pieces, record_pairs, record_pieces};
#[cfg(feature = "floor")]
pub use contact_elements::lanes::{Width, width::hold_to};
#[cfg(feature = "floor")]
pub use contact_elements::patch_polygons::{PatchPoint, PatchPolygon};
pub use gap::{Gap, GapMemory, gap};
pub use outcome::{MeanMax, MinMeanMax, Outcome, StageTimes};
pub use parameters::{
    ContactParameters, ElementScheme, FrictionParameters, Method, ParameterError, RawLayer, RawParameters,
};
pub use relative_motion::{MotionError, RelativeMotion};
pub use surface::ContactSurface;
pub use workspace::Workspace;

use collision_detection::{colliding_grid, enclosed, intersection_lines};
use contact_elements::Pass;
use posed_surface::PosedSurface;
use sharing::integrate;
use triangle_intersection::Body;

use crate::math::Pose;

/// Evaluates the force element once.
///
/// The result depends on the arguments only, bit for bit: `workspace` lends memory and remembers
/// where the last search went, which makes the next one shorter but changes nothing that it finds.
pub fn evaluate(
    surface_e: &ContactSurface,
    surface_f: &ContactSurface,
    parameters: &ContactParameters,
    motion: &RelativeMotion,
    workspace: &mut Workspace,
) -> Outcome {
    let clock = workspace.clock;
    let now = || clock.map_or(0.0, |clock| clock());
    let mut outcome = Outcome::default();
    let started = now();

    // 1: tree against tree, triangle against triangle.
    let Some((grid, frame)) = colliding_grid(surface_e, surface_f, motion, &mut outcome) else {
        outcome.evaluation_time.collision_detection = now() - started;
        outcome.evaluation_time.total = outcome.evaluation_time.collision_detection;
        return outcome;
    };
    let e = PosedSurface::new(surface_e, &Pose::identity(), grid);
    let f = PosedSurface::new(surface_f, motion.pose_ef(), grid);
    let Workspace { stack, search_cache, lines, polygons, area_e, area_f, patches, weights, search, threads, .. } =
        workspace;
    intersection_lines(motion, &frame, &e, &f, stack, search_cache, lines, &mut outcome);
    let detected = now();
    outcome.evaluation_time.collision_detection = detected - started;
    if lines.is_empty() {
        outcome.enclosed = enclosed(&e, &f, stack);
        outcome.evaluation_time.total = now() - started;
        return outcome;
    }
    outcome.in_contact = true;

    // 2: lines become polygons. 3: polygons bound the active areas, and make patches.
    polygons.chain(lines);
    let polygon_of_line = &polygons.polygon_of_line;
    area_e.find(Body::E, &e, &f, lines, polygon_of_line, stack);
    area_f.find(Body::F, &f, &e, lines, polygon_of_line, stack);
    patches.find([&e, &f], [area_e, area_f], lines, polygon_of_line, polygons.polygon_count);
    outcome.polygon_count = polygons.polygon_count;
    outcome.patch_count = patches.patches.len() as u32;
    outcome.border_in_contact = polygons.has_open_polygon || area_e.has_border || area_f.has_border;
    let bounded = now();
    outcome.evaluation_time.intersection_polygons = bounded - detected;

    // 4: active faces become contact elements, with either surface as master. 5, 6: their forces, summed.
    weights.find(parameters, [&e, &f], [area_e, area_f], patches, lines, polygon_of_line);
    let pass = |master_body, master, slave, master_area, slave_area| Pass {
        master_body,
        master,
        slave,
        master_area,
        slave_area,
        patches,
        lines,
        polygon_of_line,
        weights: &weights.of_patch,
        parameters,
        motion,
    };
    let passes = [pass(Body::E, e, f, &*area_e, &*area_f), pass(Body::F, f, e, &*area_f, &*area_e)];
    let totals = integrate(&passes, lines[0].start.position_e, *threads, search);
    totals.report(motion, &mut outcome);
    let finished = now();
    outcome.evaluation_time.contact_elements = finished - bounded;
    outcome.evaluation_time.total = finished - started;
    outcome
}

#[cfg(test)]
mod active_areas_tests;
#[cfg(test)]
mod collision_detection_tests;
