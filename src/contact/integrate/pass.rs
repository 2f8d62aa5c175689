//! One body's faces in the other's field, from faces to sums.

use std::ops::Range;

use super::centroid::CentroidMemory;
use super::integration::RUN_FACES;
use super::totals::Totals;
use crate::contact::law::border::Border;
use crate::contact::law::{FaceRecord, Law, Regions, find_rounded, record_faces};
use crate::contact::parameters::{ContactParameters, ElementScheme, Method};
use crate::contact::pieces::{FacesInField, Piece, PieceMemory, RunPieces};
use crate::contact::relative_motion::RelativeMotion;
use crate::lanes::{Kernel, Registers, Single, Width, run_up_to};
use crate::math::{Body, Vector};

/// Stages 4 to 6 for the faces of one body.
pub struct Pass<'a> {
    /// The faces, and the field that they are in.
    pub faces: FacesInField<'a>,
    /// Share of these faces in the contact.
    pub weight: f64,
    /// The law's parameters.
    pub parameters: &'a ContactParameters,
    /// Relative motion.
    pub motion: &'a RelativeMotion,
    /// Registers to use.
    pub width: Width,
}

/// Reused memory of a thread.
#[derive(Clone, Debug, Default)]
pub struct PassMemory {
    /// The faces of a run.
    pub records: Vec<FaceRecord>,
    /// Their pieces.
    pub pieces: PieceMemory,
    /// The faces of the body that they are in.
    field_records: Vec<FaceRecord>,
    regions: Regions,
    centroid: CentroidMemory,
    /// Runs whose pieces did not tell their energy.
    kept: Vec<RunPieces>,
    /// Memory for the next ones.
    spare: Vec<Vec<Piece>>,
}

impl PassMemory {
    /// Forgets the runs of the last evaluation.
    pub fn begin(&mut self) {
        let PassMemory { kept, spare, .. } = self;
        spare.extend(kept.drain(..).map(|run| run.pieces));
    }

    /// Keeps the pieces of a run.
    fn keep(&mut self, body: Body, first_slot: usize) {
        let pieces = std::mem::replace(&mut self.pieces.pieces, self.spare.pop().unwrap_or_default());
        self.kept.push(RunPieces { body, first_slot, pieces });
    }
}

/// Shares of the faces of E, which lie in the field of F, and of the faces of F, with these numbers of active faces.
pub fn shares(parameters: &ContactParameters, active_faces: [usize; 2]) -> [f64; 2] {
    match (parameters.method(), parameters.elements()) {
        (Method::CollisionOnly, _) => [0.0, 0.0],
        (Method::MasterE, _) => [1.0, 0.0],
        (Method::MasterF, _) => [0.0, 1.0],
        (Method::TwoPass, _) => [0.5, 0.5],
        // The field of each body counts by the part of the compression that its layer takes.
        (Method::Auto, ElementScheme::Potential) => {
            let share_of_e = parameters.penetration_ratio();
            [1.0 - share_of_e, share_of_e]
        }
        // One element per face: the body with more of them, because a coarse one misses small patches.
        (Method::Auto, ElementScheme::Centroid) => match active_faces {
            [e, f] if e < f => [0.0, 1.0],
            [e, f] if f < e => [1.0, 0.0],
            _ => [0.5, 0.5],
        },
    }
}

impl Pass<'_> {
    /// How the share of the faces changes with the penetration ratio.
    pub fn share_change(&self) -> f64 {
        match (self.parameters.method(), self.faces.body) {
            (Method::Auto, Body::E) => -1.0,
            (Method::Auto, Body::F) => 1.0,
            _ => 0.0,
        }
    }

    /// How many faces there are to go through.
    pub fn face_count(&self) -> usize {
        if 0.0 < self.weight { self.faces.area.faces.len() } else { 0 }
    }

    /// Adds some faces to the totals. What comes out depends on these faces only, not on what the memory was used for.
    pub fn integrate(&self, slots: Range<usize>, memory: &mut PassMemory, totals: &mut Totals) {
        run_up_to(self.width, Run { pass: self, slots, memory, totals });
    }

    /// Replaces records and pieces in memory by those of some faces.
    pub fn find_pieces(&self, slots: Range<usize>, reference_e: Vector, memory: &mut PassMemory) {
        let first_slot = slots.start;
        record_faces(Single, self.faces.area, slots, self.motion, reference_e, &mut memory.records);
        self.fill_pieces(Single, first_slot, memory);
    }

    #[inline(always)]
    fn fill_pieces<R: Registers>(&self, registers: R, first_slot: usize, memory: &mut PassMemory) {
        let PassMemory { records, pieces, centroid, .. } = memory;
        match self.parameters.elements() {
            ElementScheme::Potential => self.faces.find_pieces(registers, first_slot, records, pieces),
            ElementScheme::Centroid => self.faces.find_centroid_elements(first_slot, records, centroid, pieces),
        }
    }

    /// The energy in J of the field that these faces are in; `other` is the pass of the faces of the field's body.
    pub fn energy(&self, other: &Pass, reference_e: Vector, memories: &mut [PassMemory]) -> f64 {
        let [memory, others @ ..] = memories else { return f64::NAN };
        if self.weight == 0.0 {
            return 0.0;
        }
        others.iter_mut().for_each(|other| memory.kept.append(&mut other.kept));
        // Runs that told their energy were not kept.
        for first_slot in (0..self.face_count()).step_by(RUN_FACES) {
            let is_this = |run: &RunPieces| run.body == self.faces.body && run.first_slot == first_slot;
            if !memory.kept.iter().any(is_this) {
                self.find_pieces(first_slot..(first_slot + RUN_FACES).min(self.face_count()), reference_e, memory);
                memory.keep(self.faces.body, first_slot);
            }
        }
        memory.kept.sort_unstable_by_key(|run| (run.body == Body::F, run.first_slot));
        let record = |pass: &Pass, records: &mut Vec<FaceRecord>| {
            record_faces(Single, pass.faces.area, 0..pass.faces.area.faces.len(), self.motion, reference_e, records);
        };
        record(self, &mut memory.records);
        record(other, &mut memory.field_records);
        let PassMemory { records, pieces, field_records, kept, .. } = memory;
        let first = kept.partition_point(|run| run.body != self.faces.body && run.body == Body::E);
        let count = kept[first..].iter().take_while(|run| run.body == self.faces.body).count();
        let runs = &kept[first..first + count];
        let integral = self.faces.depth_integral((runs, records), (&other.faces, field_records), pieces);
        self.weight * self.parameters.combined_layer_stiffness() * integral
    }

    /// Adds what the border of the contact adds to the derivatives.
    pub fn add_border(&self, totals: &mut Totals) {
        let Some((_, derivatives)) = &mut totals.derivatives else { return };
        if 0.0 < self.weight {
            let border = Border { law: &self.law(), motion: self.motion, reference_e: totals.reference_e };
            border.add(&self.faces, derivatives);
        }
    }

    /// The law for these faces.
    pub fn law(&self) -> Law {
        // In the published scheme the force acts between the surfaces, by the part that the layer of the face takes.
        let layer_share = match (self.parameters.elements(), self.faces.body) {
            (ElementScheme::Potential, _) => 0.0,
            (ElementScheme::Centroid, Body::E) => self.parameters.penetration_ratio(),
            (ElementScheme::Centroid, Body::F) => 1.0 - self.parameters.penetration_ratio(),
        };
        Law::new(self.parameters, self.motion, self.faces.body, self.weight, layer_share)
    }
}

/// Whether the middle of a body has been passed.
pub fn is_beyond_half_thickness(passes: &[Pass; 2], totals: &Totals, memories: &mut [PassMemory]) -> bool {
    let Some(PassMemory { centroid, .. }) = memories.first_mut() else { return false };
    let is_active = |body: Body, face| passes[body].faces.area.slot(face).is_some();
    [Body::E, Body::F]
        .into_iter()
        .any(|body| totals.facing[body].has_passed(&passes[body].faces, is_active, &mut centroid.stack))
}

/// Some faces, in vector registers.
struct Run<'a> {
    pass: &'a Pass<'a>,
    slots: Range<usize>,
    memory: &'a mut PassMemory,
    totals: &'a mut Totals,
}

impl Kernel for Run<'_> {
    type Output = ();

    #[inline(always)]
    fn run<R: Registers>(self, registers: R) {
        let Run { pass, slots, memory, totals } = self;
        let first_slot = slots.start;
        record_faces(registers, pass.faces.area, slots, pass.motion, totals.reference_e, &mut memory.records);
        pass.fill_pieces(registers, first_slot, memory);
        let PassMemory { records, pieces, regions, .. } = memory;
        match pass.parameters.elements() {
            ElementScheme::Potential => {
                regions.rounded.clear();
                if totals.derivatives.is_some() {
                    let field = &pass.faces.field;
                    find_rounded(field, &pieces.pieces, records, totals.reference_e, &mut regions.rounded);
                }
                pass.law().integrate(registers, &pieces.pieces, records, regions, totals);
                pass.law().add_wall_energy(&pieces.wall_energy, totals);
                totals.is_cut_short |= pieces.is_cut_short();
                let size = pass.faces.field.surface.tree().bounds().radius();
                let all = totals.pressed_volume() / pass.weight;
                totals.facing[pass.faces.body].add_run(&pieces.pieces, records, size, all);
                // The totals of a run are those of its faces alone.
                let share_change = pass.share_change();
                totals.add_proportional(pass.parameters.combined_layer_stiffness(), pass.weight, share_change);
                if pass.faces.with_energy && pieces.wall_energy.integral.is_nan() {
                    memory.keep(pass.faces.body, first_slot);
                }
            }
            ElementScheme::Centroid => pass.law().integrate_points(registers, &pieces.pieces, records, totals),
        }
    }
}
