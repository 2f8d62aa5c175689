//! One evaluation, from two surfaces and their relative motion to an outcome.

use super::areas::{ActiveArea, any_enclosed};
use super::detect::PosedPair;
use super::integrate::{
    ContactPiece, DerivativeScope, Derivatives, Pass, PassMemory, Totals, integrate, is_beyond_half_thickness, shares,
};
use super::outcome::Outcome;
use super::parameters::{ContactParameters, ElementScheme};
use super::pieces::FacesInField;
use super::relative_motion::RelativeMotion;
use super::surface::ContactSurface;
use super::workspace::Workspace;
use crate::math::{Body, Vector};

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
    let threads = workspace.threads;
    detect_and(surface_e, surface_f, parameters, motion, workspace, |passes, reference_e, memories, outcome| {
        let mut totals = integrate(passes, Totals::new(reference_e), threads, memories);
        let knowledge = complete_energy(passes, reference_e, &mut totals, memories);
        totals.report(parameters, motion, outcome);
        knowledge.note(outcome);
        outcome.beyond_half_thickness = is_beyond_half_thickness(passes, &totals, memories);
    })
}

/// Evaluates the force element once, with the derivatives of what it returns by the motion; velocities, smallest and
/// largest values have none.
///
/// Those of the published scheme `centroid`, whose forces have steps, are zero.
pub fn evaluate_with_derivatives(
    surface_e: &ContactSurface,
    surface_f: &ContactSurface,
    parameters: &ContactParameters,
    motion: &RelativeMotion,
    workspace: &mut Workspace,
) -> (Outcome, Derivatives) {
    evaluate_with(DerivativeScope::Motion, surface_e, surface_f, parameters, motion, workspace)
}

/// As [`evaluate_with_derivatives`], with those of velocities, smallest and largest values too, and with those by the
/// numbers of the law.
pub fn evaluate_with_all_derivatives(
    surface_e: &ContactSurface,
    surface_f: &ContactSurface,
    parameters: &ContactParameters,
    motion: &RelativeMotion,
    workspace: &mut Workspace,
) -> (Outcome, Derivatives) {
    evaluate_with(DerivativeScope::Everything, surface_e, surface_f, parameters, motion, workspace)
}

fn evaluate_with(
    scope: DerivativeScope,
    surface_e: &ContactSurface,
    surface_f: &ContactSurface,
    parameters: &ContactParameters,
    motion: &RelativeMotion,
    workspace: &mut Workspace,
) -> (Outcome, Derivatives) {
    let threads = workspace.threads;
    let mut derivatives = Derivatives::default();
    let outcome =
        detect_and(surface_e, surface_f, parameters, motion, workspace, |passes, reference_e, memories, outcome| {
            let empty = Totals::with_derivatives(reference_e, motion, scope);
            let mut totals = integrate(passes, empty, threads, memories);
            let knowledge = complete_energy(passes, reference_e, &mut totals, memories);
            totals.report(parameters, motion, outcome);
            knowledge.note(outcome);
            outcome.beyond_half_thickness = is_beyond_half_thickness(passes, &totals, memories);
            if parameters.elements() == ElementScheme::Potential {
                passes.iter().for_each(|pass| pass.add_border(&mut totals));
                derivatives = totals.report_derivatives(motion, outcome);
            }
        });
    (outcome, derivatives)
}

/// Hands out the pieces that [`evaluate`] integrates over, and counts what it counts; forces are not summed up.
pub fn visit_pieces(
    surface_e: &ContactSurface,
    surface_f: &ContactSurface,
    parameters: &ContactParameters,
    motion: &RelativeMotion,
    workspace: &mut Workspace,
    visit: &mut dyn FnMut(ContactPiece),
) -> Outcome {
    let mut visit_and_go_on = |piece| {
        visit(piece);
        true
    };
    visit_pieces_while(surface_e, surface_f, parameters, motion, workspace, &mut visit_and_go_on)
}

/// The same, as long as `visit` wants more: a deep overlap of fine meshes can have millions of pieces.
pub fn visit_pieces_while(
    surface_e: &ContactSurface,
    surface_f: &ContactSurface,
    parameters: &ContactParameters,
    motion: &RelativeMotion,
    workspace: &mut Workspace,
    visit: &mut dyn FnMut(ContactPiece) -> bool,
) -> Outcome {
    detect_and(surface_e, surface_f, parameters, motion, workspace, |passes, reference_e, memories, _| {
        memories.resize_with(memories.len().max(1), PassMemory::default);
        // The second body only where the first one has been gone through.
        let _ = passes.iter().all(|pass| pass.visit_pieces(reference_e, &mut memories[0], visit));
    })
}

/// What is known of the energy of the layers.
#[derive(PartialEq)]
enum EnergyKnowledge {
    Known,
    LeftOut,
    /// Too much work: what walls tell, with a doubt, or that of a bed of springs.
    Estimated,
}

impl EnergyKnowledge {
    fn note(&self, outcome: &mut Outcome) {
        outcome.layer_energy = outcome.layer_energy.filter(|_| *self != EnergyKnowledge::LeftOut);
        outcome.is_energy_estimated = *self == EnergyKnowledge::Estimated;
    }
}

/// Finds the energy where the walls between cells did not tell it: where some are curved, or lie between features without a
/// common vertex.
fn complete_energy(
    passes: &[Pass; 2],
    reference_e: Vector,
    totals: &mut Totals,
    memories: &mut [PassMemory],
) -> EnergyKnowledge {
    let [e, f] = passes;
    let stiffness = e.parameters.combined_layer_stiffness();
    if totals.knows_energy() {
        return EnergyKnowledge::Known;
    }
    if !e.faces.with_energy {
        totals.set_energy(0.0, stiffness, 0.0);
        return EnergyKnowledge::LeftOut;
    }
    if totals.is_cut_short {
        totals.set_energy(f64::NAN, stiffness, f64::NAN);
        return EnergyKnowledge::Estimated;
    }
    let energies = [e.energy(f, reference_e, memories), f.energy(e, reference_e, memories)];
    let is_found = !(energies[0] + energies[1]).is_nan();
    if !is_found && totals.has_energy() {
        return EnergyKnowledge::Estimated;
    }
    let by_ratio = passes.iter().zip(energies).filter(|(pass, _)| 0.0 < pass.weight);
    let by_ratio = by_ratio.map(|(pass, energy)| energy * pass.share_change() / pass.weight).sum();
    totals.set_energy(energies[0] + energies[1], stiffness, by_ratio);
    if is_found { EnergyKnowledge::Known } else { EnergyKnowledge::Estimated }
}

/// Stages 1 to 3; where the bodies touch, `go_on` does the rest.
fn detect_and(
    surface_e: &ContactSurface,
    surface_f: &ContactSurface,
    parameters: &ContactParameters,
    motion: &RelativeMotion,
    workspace: &mut Workspace,
    go_on: impl FnOnce(&[Pass; 2], Vector, &mut Vec<PassMemory>, &mut Outcome),
) -> Outcome {
    let clock = workspace.clock;
    let now = || clock.map_or(0.0, |clock| clock());
    let mut outcome = Outcome { layer_energy: Some(0.0), ..Outcome::default() };
    let started = now();

    // 1: tree against tree, triangle against triangle.
    let Some(pair) = PosedPair::colliding(surface_e, surface_f, motion, &mut outcome) else {
        outcome.evaluation_time.collision_detection = now() - started;
        outcome.evaluation_time.total = outcome.evaluation_time.collision_detection;
        return outcome;
    };
    let Workspace {
        stack,
        search_cache,
        lines,
        polygons,
        area_e,
        area_f,
        patches,
        passes,
        registers,
        tries_all,
        without_energy,
        ..
    } = workspace;
    pair.find_intersection_lines(stack, search_cache, lines, &mut outcome);
    let detected = now();
    outcome.evaluation_time.collision_detection = detected - started;
    if lines.is_empty() {
        outcome.enclosed = any_enclosed(&pair, stack);
        outcome.evaluation_time.total = now() - started;
        return outcome;
    }
    outcome.in_contact = true;

    // 2: lines become polygons. 3: polygons bound the active areas, and make patches.
    let PosedPair { e, f, .. } = pair;
    polygons.chain(lines);
    let polygon_of_line = &polygons.polygon_of_line;
    area_e.find(Body::E, &e, &f, lines, polygon_of_line, stack);
    area_f.find(Body::F, &f, &e, lines, polygon_of_line, stack);
    outcome.polygon_count = polygons.polygon_count;
    outcome.patch_count = patches.count([&e, &f], [area_e, area_f], polygons.polygon_count);
    outcome.border_in_contact = polygons.has_open_polygon || area_e.has_border || area_f.has_border;
    let has_defect =
        |surface: &ContactSurface, area: &ActiveArea| surface.has_defect(area.faces.iter().map(|active| active.face));
    outcome.defect_in_contact = has_defect(surface_e, area_e) || has_defect(surface_f, area_f);
    let bounded = now();
    outcome.evaluation_time.intersection_polygons = bounded - detected;

    // 4: active faces are divided by what is nearest in the other body. 5: the law over the pieces. 6: sums.
    let weights = shares(parameters, [area_e.faces.len(), area_f.faces.len()]);
    for (weight, area, surface) in [(weights[0], &mut *area_e, &e), (weights[1], &mut *area_f, &f)] {
        if 0.0 < weight || !*without_energy {
            area.place_faces(surface);
        }
    }
    let pass = |body: Body, surface, field, area| Pass {
        faces: FacesInField { body, surface, area, field, lines, tries_all: *tries_all, with_energy: !*without_energy },
        weight: weights[body],
        parameters,
        motion,
        width: *registers,
    };
    let both = [pass(Body::E, e, f, &*area_e), pass(Body::F, f, e, &*area_f)];
    go_on(&both, lines[0].start.position_e, passes, &mut outcome);
    outcome.beyond_layer = parameters.layer_thickness() < outcome.max_penetration;
    let finished = now();
    outcome.evaluation_time.contact_elements = finished - bounded;
    outcome.evaluation_time.total = finished - started;
    outcome
}
