//! Stage 1: tree against tree, triangle against triangle.

use super::posed_surface::PosedSurface;
use super::triangle_intersection::{
    IntersectionLine, LineEnds, PlacedFace, clearance, line_between, line_ends, persistence,
};
use crate::bvh::{LEAF_FACES, LeafPairs, OverlapStack, RelativeFrame, SearchCache};
use crate::contact::outcome::Outcome;
use crate::contact::relative_motion::RelativeMotion;
use crate::contact::surface::ContactSurface;
use crate::math::{Grid, Pose};
use crate::mesh::FaceIndex;

/// Two bodies whose boxes overlap, on the grid of the evaluation.
pub struct PosedPair<'a> {
    /// Body E.
    pub e: PosedSurface<'a>,
    /// Body F.
    pub f: PosedSurface<'a>,
    motion: &'a RelativeMotion,
    frame: RelativeFrame,
}

impl<'a> PosedPair<'a> {
    /// None where the boxes around both bodies are apart.
    pub fn colliding(
        surface_e: &'a ContactSurface,
        surface_f: &'a ContactSurface,
        motion: &'a RelativeMotion,
        outcome: &mut Outcome,
    ) -> Option<Self> {
        let (box_e, box_f) = (surface_e.tree().bounds(), surface_f.tree().bounds());
        // Where the boxes overlap, no vertex of F is farther out than this: the farthest point of E plus
        // the diameter of F. Doubled, so that rounding and the ends of rays stay on the grid.
        let grid = Grid::new(2.0 * (box_e.largest_coordinate() + 2.0 * box_f.radius()));
        outcome.bounding_volume_tests = 1;
        let frame = RelativeFrame::new(motion.pose_ef(), grid);
        frame.nodes_touch(&surface_e.tree().root().volume, &surface_f.tree().root().volume).then(|| PosedPair {
            e: PosedSurface::new(surface_e, &Pose::identity(), grid),
            f: PosedSurface::new(surface_f, motion.pose_ef(), grid),
            motion,
            frame,
        })
    }

    /// Fills `lines` with the intersection lines of all pairs of faces.
    pub fn find_intersection_lines(
        &self,
        stack: &mut OverlapStack,
        cache: &mut SearchCache,
        lines: &mut Vec<IntersectionLine>,
        outcome: &mut Outcome,
    ) {
        let PosedPair { e, f, motion, frame } = self;
        lines.clear();
        let mut triangle_tests = 0u32;
        let surfaces = [e.surface.number(), f.surface.number()];
        let visit = |faces_e: &[FaceIndex], faces_f: &[FaceIndex], known: LeafPairs| {
            triangle_tests = triangle_tests.saturating_add((faces_e.len() * faces_f.len()) as u32);
            let LeafPairs { moved, least_slack, is_reference, slack, notes } = known;
            if moved < least_slack {
                return;
            }
            let rounding = 2.0 * e.grid().box_margin();
            // Each face is put in its place once, for all faces that it meets in this leaf.
            let mut placed_f: [Option<PlacedFace>; LEAF_FACES] = [None; LEAF_FACES];
            for (of_e, &face_e) in faces_e.iter().enumerate() {
                let mut placed_e = None;
                for (of_f, &face_f) in faces_f.iter().enumerate() {
                    let pair = of_e * LEAF_FACES + of_f;
                    // What is noted of a pair is where its line starts and ends, if there is one.
                    let known_ends = LineEnds::of_number(notes[pair]);
                    let is_known = moved < slack[pair];
                    if is_known && known_ends.is_none() {
                        continue;
                    }
                    let placed_e = placed_e.get_or_insert_with(|| PlacedFace::new(face_e, e.corners(face_e)));
                    let placed_f = placed_f[of_f].get_or_insert_with(|| PlacedFace::new(face_f, f.corners(face_f)));
                    let ends = if is_known { known_ends } else { line_ends(e.grid(), placed_e, placed_f) };
                    lines.extend(ends.map(|ends| line_between(e, f, placed_e, placed_f, ends)));
                    if is_reference {
                        (slack[pair], notes[pair]) = match ends {
                            Some(ends) => (persistence(placed_e, placed_f) - rounding, ends.number()),
                            None => (clearance(placed_e, placed_f) - rounding, 0),
                        };
                    }
                }
            }
        };
        let (tree_e, tree_f) = (e.surface.tree(), f.surface.tree());
        outcome.bounding_volume_tests =
            tree_e.overlapping_leaves_nearby(tree_f, surfaces, motion.pose_ef(), frame, stack, cache, visit);
        outcome.triangle_tests = triangle_tests;
        outcome.line_count = lines.len() as u32;
    }
}
