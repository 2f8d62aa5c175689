//! Stage 1: tree against tree, triangle against triangle.

use super::enclosure::is_enclosed;
use super::grid::Grid;
use super::outcome::Outcome;
use super::posed_surface::PosedSurface;
use super::relative_motion::RelativeMotion;
use super::surface::ContactSurface;
use super::triangle_intersection::{Body, IntersectionLine, intersection_line};
use crate::bvh::{OverlapStack, RelativeFrame};

/// The grid of an evaluation; none where the boxes around both bodies are apart.
pub fn colliding_grid(
    surface_e: &ContactSurface,
    surface_f: &ContactSurface,
    motion: &RelativeMotion,
    outcome: &mut Outcome,
) -> Option<Grid> {
    let (box_e, box_f) = (surface_e.tree().bounds(), surface_f.tree().bounds());
    // Where the boxes overlap, no vertex of F is farther out than this: the farthest point of E plus
    // the diameter of F. Doubled, so that rounding and the ends of rays stay on the grid.
    let grid = Grid::new(2.0 * (box_e.largest_coordinate() + 2.0 * box_f.radius()));
    outcome.bounding_volume_tests = 1;
    RelativeFrame::new(motion.pose_ef(), grid.box_margin()).overlaps(box_e, box_f).then_some(grid)
}

/// Fills `lines` with the intersection lines of all pairs of faces.
pub fn intersection_lines(
    grid: &Grid,
    e: &PosedSurface,
    f: &PosedSurface,
    motion: &RelativeMotion,
    stack: &mut OverlapStack,
    lines: &mut Vec<IntersectionLine>,
    outcome: &mut Outcome,
) {
    lines.clear();
    let frame = RelativeFrame::new(motion.pose_ef(), grid.box_margin());
    let mut triangle_tests = 0u32;
    let box_tests = e.surface.tree().overlapping_pairs(f.surface.tree(), &frame, stack, |face_e, face_f| {
        triangle_tests = triangle_tests.saturating_add(1);
        lines.extend(intersection_line(grid, e, f, face_e, face_f));
    });
    outcome.bounding_volume_tests = box_tests;
    outcome.triangle_tests = triangle_tests;
    outcome.line_count = lines.len() as u32;
}

/// Whether a shell of one body lies inside the other; asked only where no faces intersect.
pub fn enclosed(e: &PosedSurface, f: &PosedSurface, stack: &mut OverlapStack) -> bool {
    let mut inside = |body, this: &PosedSurface, other: &PosedSurface| {
        this.surface.shell_vertices().iter().any(|&vertex| is_enclosed(body, this.vertex(vertex), other, stack))
    };
    inside(Body::E, e, f) || inside(Body::F, f, e)
}
