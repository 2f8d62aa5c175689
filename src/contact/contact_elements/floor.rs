//! The floors of the benchmarks: the force integration alone, over pieces that are known already.
//!
//! Compiled with the feature `floor` only. [`record_pieces`] evaluates once, piece by piece, and keeps every piece that
//! the force law is integrated over, in the frame of its master face, with the slave face that it sees.
//! [`Pieces::integrate`] integrates the same pieces again, one by one and in the same order, and reports the sums: what
//! an evaluation would cost if search, intersection, active areas and clipping took no time, without vector registers.
//!
//! [`record_pairs`] keeps the pairs of faces whose overlaps are integrated in vector registers, and [`Pairs::integrate`]
//! integrates these again; it clips the pairs too, as registers have nowhere to keep polygons.

use std::cell::{Cell, RefCell};
use std::ops::Range;

use super::convex_polygon::{ConvexPolygon, PlanePoint};
use super::element_integrals::{FaceForce, FaceSums, Hidden};
use super::lane_force::LaneForce;
use super::lane_queue::PieceQueues;
use super::lanes::{self, Kernel, Registers};
use super::polygon_moments::PolygonMoments;
use super::seen_face::SeenFace;
use crate::contact::active_areas::FaceCorners;
use crate::contact::totals::Totals;
use crate::contact::{ContactParameters, ContactSurface, Outcome, RelativeMotion, Workspace, evaluate};
use crate::math::Vector;

thread_local! {
    static IS_RECORDING: Cell<bool> = const { Cell::new(false) };
    static RECORD: RefCell<Pieces> = const { RefCell::new(Pieces::NONE) };
    static PAIRS: RefCell<Option<Pairs>> = const { RefCell::new(None) };
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

/// Pairs of overlapping faces of one evaluation, as far as they are integrated in vector registers.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    runs: Vec<Run>,
}

#[derive(Clone, Debug)]
struct Run {
    force: LaneForce,
    queues: PieceQueues,
    slave_corners_e: Vec<FaceCorners>,
    reference_e: Vector,
}

/// Evaluates once and returns the pairs of faces.
pub fn record_pairs(
    surface_e: &ContactSurface,
    surface_f: &ContactSurface,
    parameters: &ContactParameters,
    motion: &RelativeMotion,
    workspace: &mut Workspace,
) -> Pairs {
    let threads = std::mem::replace(&mut workspace.threads, 1);
    PAIRS.set(Some(Pairs::default()));
    evaluate(surface_e, surface_f, parameters, motion, workspace);
    workspace.threads = threads;
    PAIRS.take().unwrap_or_default()
}

impl Pairs {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.runs.iter().flat_map(|run| &run.queues.waiting).map(Vec::len).sum()
    }

    /// Integrates over their overlaps again, and counts the pieces that the registers leave. But for these, wrenches and
    /// statistics are those of the recorded evaluation; the counts of its search are zero.
    pub fn integrate(&mut self, motion: &RelativeMotion) -> (Outcome, usize) {
        let (mut outcome, mut left) = (Outcome::default(), 0);
        let Some(first) = self.runs.first() else { return (outcome, left) };
        let mut totals = Totals::new(first.reference_e);
        for run in &mut self.runs {
            let mut of_run = Totals::new(run.reference_e);
            lanes::run(RunInLanes { run, totals: &mut of_run, left: &mut left });
            totals.add_all(&of_run);
        }
        totals.report(motion, &mut outcome);
        (outcome, left)
    }
}

struct RunInLanes<'a> {
    run: &'a mut Run,
    totals: &'a mut Totals,
    left: &'a mut usize,
}

impl Kernel for RunInLanes<'_> {
    type Output = ();

    #[inline(always)]
    fn run<R: Registers>(self, registers: R) {
        let Run { force, queues, slave_corners_e, .. } = self.run;
        force.integrate_all(registers, queues, slave_corners_e, self.totals, |_, _| *self.left += 1);
    }
}

/// Keeps the queued pieces of a run, if pairs are being recorded.
pub(super) fn record_queues(
    force: &LaneForce,
    queues: &PieceQueues,
    slave_corners_e: &[FaceCorners],
    reference_e: Vector,
) {
    PAIRS.with_borrow_mut(|pairs| {
        if let Some(pairs) = pairs {
            pairs.runs.push(Run {
                force: *force,
                queues: queues.clone(),
                slave_corners_e: slave_corners_e.to_vec(),
                reference_e,
            });
        }
    });
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
        let mut complete = 0;
        // The ring across itself hides parts of its own faces.
        for (e, f, distance, is_smooth) in
            [(&plate, &ball, 0.145, true), (&ball, &ball, 0.19, true), (&ring, &ring, 0.02, false)]
        {
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
                    if is_smooth && elements == ElementScheme::Clipped {
                        let motion = RelativeMotion::at_rest(pose);
                        let outcome = evaluate(e, f, &parameters, &motion, &mut workspace);
                        let mut pairs = record_pairs(e, f, &parameters, &motion, &mut workspace);
                        assert!(outcome.element_count as usize <= pairs.count(), "{what}");
                        let (again, left) = pairs.integrate(&motion);
                        assert!(outcome.element_count as usize <= again.element_count as usize + left, "{what}");
                        // Without velocities the registers leave hardly any piece.
                        assert!(left <= 2, "{what}: {left} pieces left");
                        if left == 0 {
                            complete += 1;
                            let force = outcome.force_on_e.norm();
                            assert!((again.force_on_e - outcome.force_on_e).norm() <= 1e-13 * force, "{what}");
                            assert!((again.contact_area / outcome.contact_area - 1.0).abs() <= 1e-13, "{what}");
                        }
                    }
                }
            }
        }
        assert!(0 < complete, "the registers have left pieces everywhere");
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
