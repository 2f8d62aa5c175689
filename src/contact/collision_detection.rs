//! Stage 1: tree against tree, triangle against triangle.

use super::enclosure::is_enclosed;
use super::grid::Grid;
use super::outcome::Outcome;
use super::posed_surface::PosedSurface;
use super::relative_motion::RelativeMotion;
use super::surface::ContactSurface;
use super::triangle_intersection::{Body, IntersectionLine, PlacedFace, intersection_line};
use crate::bvh::{LEAF_FACES, OverlapStack, RelativeFrame};

/// The grid of an evaluation, and the frame for the search; none where the boxes around both bodies are apart.
pub fn colliding_grid(
    surface_e: &ContactSurface,
    surface_f: &ContactSurface,
    motion: &RelativeMotion,
    outcome: &mut Outcome,
) -> Option<(Grid, RelativeFrame)> {
    let (box_e, box_f) = (surface_e.tree().bounds(), surface_f.tree().bounds());
    // Where the boxes overlap, no vertex of F is farther out than this: the farthest point of E plus
    // the diameter of F. Doubled, so that rounding and the ends of rays stay on the grid.
    let grid = Grid::new(2.0 * (box_e.largest_coordinate() + 2.0 * box_f.radius()));
    outcome.bounding_volume_tests = 1;
    let frame = RelativeFrame::new(motion.pose_ef(), grid.box_margin());
    frame.nodes_touch(surface_e.tree().root(), surface_f.tree().root()).then_some((grid, frame))
}

/// Fills `lines` with the intersection lines of all pairs of faces.
pub fn intersection_lines(
    frame: &RelativeFrame,
    e: &PosedSurface,
    f: &PosedSurface,
    stack: &mut OverlapStack,
    lines: &mut Vec<IntersectionLine>,
    outcome: &mut Outcome,
) {
    lines.clear();
    let mut triangle_tests = 0u32;
    let box_tests = e.surface.tree().overlapping_leaves(f.surface.tree(), frame, stack, |faces_e, faces_f| {
        triangle_tests = triangle_tests.saturating_add((faces_e.len() * faces_f.len()) as u32);
        // Each face is put in its place once, for all faces that it meets in this leaf.
        let placed_f: [PlacedFace; LEAF_FACES] = std::array::from_fn(|k| {
            let face = faces_f[k.min(faces_f.len() - 1)];
            PlacedFace::new(face, f.corners(face))
        });
        for &face in faces_e {
            let placed_e = PlacedFace::new(face, e.corners(face));
            for placed_f in &placed_f[..faces_f.len()] {
                lines.extend(intersection_line(e, f, &placed_e, placed_f));
            }
        }
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
