//! The floor of the benchmarks: the force integration alone, over pieces that are known already.
//!
//! Compiled with the feature `floor` only. [`record_pieces`] evaluates once, piece by piece, and keeps every piece that
//! the force law is integrated over, in the frame of its master face, with the slave face that it sees.
//! [`Pieces::integrate`] integrates the same pieces again, one by one and in the same order, and reports the sums: what
//! an evaluation would cost if search, intersection, active areas and clipping took no time, without the vector
//! registers that integrate four pieces at a time.

use std::cell::{Cell, RefCell};
use std::ops::Range;

use super::convex_polygon::{ConvexPolygon, PlanePoint};
use super::element_integrals::{FaceForce, FaceSums, Hidden};
use super::polygon_moments::PolygonMoments;
use super::seen_face::SeenFace;
use crate::contact::totals::Totals;
use crate::contact::{ContactParameters, ContactSurface, Outcome, RelativeMotion, Workspace, evaluate};
use crate::math::Vector;

thread_local! {
    static IS_RECORDING: Cell<bool> = const { Cell::new(false) };
    static RECORD: RefCell<Pieces> = const { RefCell::new(Pieces::NONE) };
}

/// All pieces of one evaluation.
#[derive(Clone, Debug)]
pub struct Pieces {
    reference_e: Vector,
    /// The force law prepared for each master face, in the order of integration.
    pub(super) faces: Vec<RecordedFace>,
    pub(super) pieces: Vec<Piece>,
    /// What may hide slave faces, of all master faces.
    hiding: Vec<SeenFace>,
}

#[derive(Clone, Debug)]
pub(super) struct RecordedFace {
    pub(super) force: FaceForce,
    /// Where its faces start and end in `hiding`.
    hiding: Range<usize>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// Index into `faces`.
    pub(super) face: u32,
    pub(super) weight: f64,
    pub(super) shape: Shape,
}

#[derive(Clone, Copy, Debug)]
#[allow(clippy::large_enum_variant, reason = "an evaluation has one kind only, and boxes would cost the floor a jump")]
pub(super) enum Shape {
    /// Part of a master face that sees one slave face, down to a credible depth.
    Region { polygon: ConvexPolygon, seen: SeenFace, credible_depth: f64 },
    /// A centroid that stands for an area.
    Point { point: PlanePoint, area: f64, depth: f64 },
}

/// Evaluates once and returns the pieces beside the outcome.
pub fn record_pieces(
    surface_e: &ContactSurface,
    surface_f: &ContactSurface,
    parameters: &ContactParameters,
    motion: &RelativeMotion,
    workspace: &mut Workspace,
) -> (Outcome, Pieces) {
    // What other threads integrate would not be recorded.
    let threads = std::mem::replace(&mut workspace.threads, 1);
    IS_RECORDING.set(true);
    let outcome = evaluate(surface_e, surface_f, parameters, motion, workspace);
    IS_RECORDING.set(false);
    workspace.threads = threads;
    (outcome, RECORD.replace(Pieces::NONE))
}

impl Pieces {
    const NONE: Pieces =
        Pieces { reference_e: Vector::new(0.0, 0.0, 0.0), faces: Vec::new(), pieces: Vec::new(), hiding: Vec::new() };

    /// How many pieces there are, those that are taken away included.
    pub fn count(&self) -> usize {
        self.pieces.len()
    }

    /// Integrates the pieces again; wrenches and statistics are those of the recorded evaluation, but for the rounding of
    /// sums, and the counts of its search are zero.
    pub fn integrate(&self, motion: &RelativeMotion) -> Outcome {
        let mut totals = Totals::new(self.reference_e);
        for of_face in self.pieces.chunk_by(|a, b| a.face == b.face) {
            let RecordedFace { force, hiding } = &self.faces[of_face[0].face as usize];
            let mut sums = FaceSums::default();
            for piece in of_face {
                match &piece.shape {
                    Shape::Region { polygon, seen, credible_depth } => {
                        let Some(moments) = PolygonMoments::of(polygon.corners()) else { continue };
                        let faces = &self.hiding[hiding.clone()];
                        let hidden = Hidden { faces, credible_depth: *credible_depth };
                        force.integrate(polygon, &moments, seen, piece.weight, &hidden, &mut sums, &mut totals);
                    }
                    Shape::Point { point, area, depth } => {
                        force.add_point(*point, *area, *depth, piece.weight, &mut totals);
                    }
                }
            }
            force.finish(&sums, &mut totals);
        }
        let mut outcome = Outcome::default();
        totals.report(motion, &mut outcome);
        outcome
    }

    fn push(&mut self, force: &FaceForce, hiding: &[SeenFace], reference_e: Vector, weight: f64, shape: Shape) {
        self.reference_e = reference_e;
        if !self.faces.last().is_some_and(|last| last.force.has_frame_of(force)) {
            let start = self.hiding.len();
            self.hiding.extend_from_slice(hiding);
            self.faces.push(RecordedFace { force: *force, hiding: start..self.hiding.len() });
        }
        self.pieces.push(Piece { face: self.faces.len() as u32 - 1, weight, shape });
    }
}

/// Whether an evaluation is being recorded: then pieces are integrated one by one.
#[inline]
pub(super) fn is_recording() -> bool {
    IS_RECORDING.get()
}

/// Keeps a region, if an evaluation is being recorded.
#[inline]
pub(super) fn record_region(
    force: &FaceForce,
    polygon: &ConvexPolygon,
    seen: &SeenFace,
    weight: f64,
    hidden: &Hidden,
    totals: &Totals,
) {
    if IS_RECORDING.get() {
        let shape = Shape::Region { polygon: *polygon, seen: *seen, credible_depth: hidden.credible_depth };
        RECORD.with_borrow_mut(|record| record.push(force, hidden.faces, totals.reference_e, weight, shape));
    }
}

/// Keeps a point, if an evaluation is being recorded.
#[inline]
pub(super) fn record_point(force: &FaceForce, point: PlanePoint, area: f64, depth: f64, weight: f64, totals: &Totals) {
    if IS_RECORDING.get() {
        let shape = Shape::Point { point, area, depth };
        RECORD.with_borrow_mut(|record| record.push(force, &[], totals.reference_e, weight, shape));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact::{ElementScheme, Method, RawParameters};
    use crate::math::{Pose, Rotation};
    use crate::shapes::{cuboid, icosphere, torus};

    #[test]
    fn integrating_the_pieces_again_gives_the_same() {
        let (ball, ring) = (ContactSurface::new(icosphere(0.1, 3)), ContactSurface::new(torus(0.1, 0.04, 24, 12)));
        let plate = ContactSurface::new(cuboid(Vector::new(0.4, 0.4, 0.1)));
        let mut workspace = Workspace::default();
        // The ring across itself hides parts of its own faces.
        for (e, f, distance) in [(&plate, &ball, 0.145), (&ball, &ball, 0.19), (&ring, &ring, 0.02)] {
            for elements in [ElementScheme::Clipped, ElementScheme::Centroid] {
                for method in [Method::Auto, Method::TwoPass, Method::MasterF] {
                    let raw = RawParameters { method, elements, ..Default::default() };
                    let parameters = ContactParameters::new(&raw).unwrap();
                    let rotation = Rotation::from_euler_angles(0.3, 0.5, 0.7);
                    let pose = Pose::from_parts(Vector::new(0.011, 0.007, distance).into(), rotation);
                    let (velocity, spin) = (Vector::new(0.1, 0.02, -0.05), Vector::new(0.5, 0.3, 1.0));
                    let motion = RelativeMotion::new(pose, velocity, spin).unwrap();
                    let (outcome, pieces) = record_pieces(e, f, &parameters, &motion, &mut workspace);
                    assert!(10 < pieces.count(), "{} pieces", pieces.count());
                    let again = pieces.integrate(&motion);
                    // The evaluation adds the sums of its passes; here all pieces are added in one row.
                    let what = format!("{method:?}, {elements:?}");
                    let force = outcome.force_on_e.norm();
                    assert!((again.force_on_e - outcome.force_on_e).norm() <= 1e-13 * force, "{what}");
                    assert!((again.torque_on_e - outcome.torque_on_e).norm() <= 1e-13 * force, "{what}");
                    assert!((again.dissipated_power / outcome.dissipated_power - 1.0).abs() <= 1e-13, "{what}");
                    assert!((again.contact_area / outcome.contact_area - 1.0).abs() <= 1e-13, "{what}");
                    assert_eq!(again.max_penetration, outcome.max_penetration, "{what}");
                    assert_eq!(again.tangential_velocity.max, outcome.tangential_velocity.max, "{what}");
                }
            }
        }
        let (_, pieces) = record_pieces(
            &ball,
            &ball,
            &ContactParameters::new(&RawParameters::default()).unwrap(),
            &RelativeMotion::at_rest(Pose::translation(1.0, 0.0, 0.0)),
            &mut workspace,
        );
        assert_eq!(pieces.count(), 0, "nothing is left of earlier recordings");
    }
}
