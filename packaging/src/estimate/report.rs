//! The suggestion as text: numbers, formulas, lines to paste, and what a trial makes of them.

use std::fmt::Write;

use polycontact::contact::{RawLayer, RawParameters};

use super::hertz::{self, Matching};
use super::impact::Impact;
use super::step_limits;
use super::suggestion::{Suggestion, Wishes};
use super::trial::{Exchanged, Trial};
use crate::numbers::significant;

/// Penetrations should stay below this part of the thinner layer.
const DEEPEST_PART_OF_LAYER: f64 = 0.2;

/// Above this part of the impact speed the regularisation velocity blurs sliding.
const BLURRED_SLIDING: f64 = 0.1;

/// From this Poisson's ratio on, a layer that cannot move sideways is far too stiff.
const NEARLY_INCOMPRESSIBLE: f64 = 0.45;

/// The exchange is not tried with more steps than this within the contact: it would take long and show nothing.
const MOST_STEPS_PER_CONTACT: f64 = 20_000.0;

/// Depths that differ from the reference depth by a larger factor are worth a note.
const FAR_FROM_REFERENCE: f64 = 3.0;

/// Depths above this part of the radius are no small ones any more, as all formulas here assume.
const SHALLOW: f64 = 0.1;

/// In m/s².
const GRAVITY: f64 = 9.81;

/// Everything that the command prints; runs the trial.
pub fn text(wishes: &Wishes, suggestion: &Suggestion, trial: Trial, subject: &str) -> String {
    let mut text = String::new();
    let mut notes = Vec::new();
    layer_section(&mut text, wishes, suggestion, &mut notes);
    step_section(&mut text, wishes, suggestion, &mut notes);
    damping_section(&mut text, wishes, suggestion);
    friction_section(&mut text, wishes, suggestion, &mut notes);
    text += "Lines to paste\n\n";
    text += &toml(&suggestion.raw);
    trial_section(&mut text, wishes, suggestion, trial, subject, &mut notes);
    if !notes.is_empty() {
        text += "\nMind\n";
        notes.iter().for_each(|note| text += &format!("  - {note}\n"));
    }
    text
}

fn row(text: &mut String, name: &str, value: f64, unit: &str, formula: &str) {
    let _ = writeln!(text, "  {name:<26} {:>10} {unit:<8} {formula}", significant(value, 4));
}

fn layer_section(text: &mut String, wishes: &Wishes, suggestion: &Suggestion, notes: &mut Vec<String>) {
    let depth = suggestion.depth;
    let of_depth =
        if wishes.depth.is_some() { "as given" } else { "of the impact by Hertz: (15 m v² / (16 E* √R))^(2/5)" };
    let (fraction, _) = wishes.matching.factor();
    let (_, name, meaning) =
        Matching::ALL.into_iter().find(|(matching, ..)| *matching == wishes.matching).unwrap_or(Matching::ALL[0]);
    let _ = writeln!(text, "Layers: stand in for Hertz's contact up to the reference depth, by {name}; for {meaning}");
    row(text, "effective radius R", wishes.radius, "m", "1/(1/R_E + 1/R_F)");
    row(text, "effective modulus E*", suggestion.effective_modulus, "Pa", "1/E* = (1 − ν_E²)/E_E + (1 − ν_F²)/E_F");
    row(text, "reference depth δ", depth, "m", of_depth);
    row(text, "layer stiffness c_l", suggestion.layer_stiffness, "N/m³", &format!("{fraction} E* / (π √(R δ))"));
    for (other, name, meaning) in Matching::ALL.into_iter().filter(|(other, ..)| *other != wishes.matching) {
        let stiffness = hertz::layer_stiffness(other, suggestion.effective_modulus, wishes.radius, depth);
        row(
            text,
            &format!("  by {name}"),
            stiffness,
            "N/m³",
            &format!("{} E* / (π √(R δ)); for {meaning}", other.factor().0),
        );
    }
    row(
        text,
        "force of Hertz at δ",
        hertz::hertz_force(suggestion.effective_modulus, wishes.radius, depth),
        "N",
        "4/3 E* √R δ^(3/2)",
    );
    row(
        text,
        "force of the layers at δ",
        hertz::foundation_force(suggestion.layer_stiffness, wishes.radius, depth),
        "N",
        "π c_l R δ²",
    );
    for (name, layer) in [("b_E", &suggestion.raw.layer_e), ("b_F", &suggestion.raw.layer_f)] {
        if layer.youngs_modulus == 0.0 {
            continue;
        }
        row(
            text,
            &format!("layer thickness {name}"),
            layer.layer_thickness,
            "m",
            "K λ / c_l, K = E (1 − ν)/((1 + ν)(1 − 2ν)), λ = E* (1 − ν²)/E",
        );
        if DEEPEST_PART_OF_LAYER * layer.layer_thickness < suggestion.max_depth {
            notes.push(format!(
                "the impact goes {} of the layer thickness deep; the layer is linear in depth, real bodies are not: the \
                 forces are a guess",
                significant(suggestion.max_depth / layer.layer_thickness, 2)
            ));
        }
        if NEARLY_INCOMPRESSIBLE <= layer.poissons_ratio {
            notes.push(format!(
                "Poisson's ratio {} makes K = {} E: the thickness {name} only balances it and means nothing else",
                layer.poissons_ratio,
                significant(1.0 / (layer.youngs_modulus / foundation_modulus(layer)), 3)
            ));
        }
    }
    let reached = suggestion.max_depth / depth;
    if !(1.0 / FAR_FROM_REFERENCE..FAR_FROM_REFERENCE).contains(&reached) {
        notes.push(format!(
            "the impact reaches {} times the reference depth: there the layers carry {} times the force of Hertz; leave \
             `--depth` out to match the depth of the impact",
            significant(reached, 2),
            significant(
                hertz::foundation_force(suggestion.layer_stiffness, wishes.radius, suggestion.max_depth)
                    / hertz::hertz_force(suggestion.effective_modulus, wishes.radius, suggestion.max_depth),
                2
            )
        ));
    }
    if SHALLOW * wishes.radius < suggestion.max_depth {
        notes.push(format!(
            "the impact goes {} of the radius deep; the formulas are for small depths",
            significant(suggestion.max_depth / wishes.radius, 2)
        ));
    }
    row(text, "contact radius", (2.0 * wishes.radius * suggestion.max_depth).sqrt(), "m", "√(2 R δ_max); Hertz √(R δ)");
    row(
        text,
        "longest edges of the mesh",
        suggestion.edge_length(),
        "m",
        "√(0.2 R δ_max): force within 5 %, ΔF/F = h²/(4 R δ)",
    );
    text.push('\n');
}

fn foundation_modulus(layer: &RawLayer) -> f64 {
    hertz::Material { youngs_modulus: layer.youngs_modulus, poissons_ratio: layer.poissons_ratio }.foundation_modulus()
}

fn step_section(text: &mut String, wishes: &Wishes, suggestion: &Suggestion, notes: &mut Vec<String>) {
    text.push_str("Communication step\n");
    let (step, mass) = (suggestion.step, wishes.mass);
    row(text, "largest depth δ_max", suggestion.max_depth, "m", "(3 m v² / (2π c_l R))^(1/3), undamped");
    row(text, "contact time T", suggestion.contact_time, "s", "2.804 δ_max / v");
    row(text, "contact stiffness k", suggestion.stiffness(), "N/m", "dF/dδ = c_l A = 2π c_l R δ_max");
    let stable = suggestion.stability_limit(mass);
    row(text, "limit: stable", stable, "s", "H² k/m + 2 H d_l A/m < 4; `mean`, or `extrapolate` 0.5 (sequential)");
    row(text, "limit: resolved", suggestion.accuracy_limit(), "s", "T/10; halve it once to see what changes");
    let hold = step_limits::hold_limit(suggestion.law.areal_damping, suggestion.layer_stiffness);
    row(
        text,
        "limit: `hold`, sequential",
        hold,
        "s",
        "2 d_l / c_l; above it the exchange gives more than damping takes",
    );
    row(text, "limit: `hold`, parallel", hold / 3.0, "s", "2/3 d_l / c_l");
    let origin = if wishes.step.is_some() { "as given" } else { "1, 2 or 5 · 10^n, at most T/20" };
    row(text, "step H", step, "s", origin);
    if stable < step {
        notes.push(format!(
            "the step {} s is above the stable one: with any `step-output` but `energy` the coupled motion will explode",
            significant(step, 3)
        ));
    } else if suggestion.accuracy_limit() < step * (1.0 - 1e-9) {
        notes.push(format!(
            "the step {} s meets the contact only {} times: take {} s, or a softer contact (larger reference depth)",
            significant(step, 3),
            significant(suggestion.contact_time / step, 2),
            significant(step_limits::round_down(suggestion.accuracy_limit()), 1)
        ));
    }
    if hold < step {
        notes.push(
            "`hold` gives energy at this step; leave `step-output = \"energy\"`, or set `\"mean\"` (sequential master) or \
             `\"extrapolate\"` with `extrapolation-steps = 1.5` (parallel)"
                .to_owned(),
        );
    }
    text.push('\n');
}

fn damping_section(text: &mut String, wishes: &Wishes, suggestion: &Suggestion) {
    text.push_str("Damping\n");
    row(
        text,
        "transition depth u_d",
        suggestion.law.transition_depth,
        "m",
        "2 v H, at least δ_max/20, at most δ_max/2",
    );
    row(
        text,
        "for small losses",
        suggestion.first_order_damping,
        "N s/m³",
        "(1 − e²) m v / (8π · 0.3696 R δ_max²), no fade-in",
    );
    row(
        text,
        "areal damping d_l",
        suggestion.law.areal_damping,
        "N s/m³",
        &format!("fitted: the simulated ball rebounds with e = {}", wishes.restitution),
    );
    text.push('\n');
}

fn friction_section(text: &mut String, wishes: &Wishes, suggestion: &Suggestion, notes: &mut Vec<String>) {
    if suggestion.raw.friction_coefficient == 0.0 {
        return;
    }
    text.push_str("Friction\n");
    let velocity = suggestion.raw.friction_regularization_velocity;
    row(text, "peak force F", suggestion.expected.peak_force, "N", "of the damped impact");
    row(text, "mass that it moves m_t", suggestion.tangential_mass, "kg", "2/7 m: 1/m_t = 1/m + R²/J of a solid ball");
    row(text, "regularisation v_eps", velocity, "m/s", "2 μ F H / m_t: slip decays without a swing");
    row(
        text,
        "creep at half the limit",
        (1.0 - 0.5f64.sqrt()) * velocity,
        "m/s",
        "(1 − √½) v_eps, under a tangential load of μ F_n / 2",
    );
    let resting = step_limits::regularization_velocity(
        suggestion.raw.friction_coefficient,
        wishes.mass * GRAVITY,
        suggestion.step,
        suggestion.tangential_mass,
    );
    row(text, "v_eps if it only rests", resting, "m/s", "2 μ m g H / m_t: enough where F_n is the weight");
    let default = RawParameters::default().friction_regularization_velocity;
    if let Some(limit) = suggestion.friction_limit(default) {
        row(text, "limit with v_eps = 1e-3", limit, "s", "v_eps m_t / (μ F): what the default would need");
    }
    if BLURRED_SLIDING * wishes.speed < velocity {
        notes.push(format!(
            "v_eps = {} m/s is much of the impact speed: bodies creep rather than stick. A smaller step allows a smaller \
             one in proportion; under loads far below the impact's peak a smaller one is stable too",
            significant(velocity, 2)
        ));
    }
    text.push('\n');
}

/// The lines for the configuration.
pub fn toml(raw: &RawParameters) -> String {
    let mut text = String::new();
    for (section, layer) in [("surface-e", &raw.layer_e), ("surface-f", &raw.layer_f)] {
        let _ = writeln!(text, "[{section}]");
        if layer.youngs_modulus == 0.0 {
            text += "youngs-modulus = 0.0\n\n";
            continue;
        }
        let _ = writeln!(text, "youngs-modulus = {:e}", layer.youngs_modulus);
        let _ = writeln!(text, "poissons-ratio = {:?}", layer.poissons_ratio);
        let _ = writeln!(text, "layer-thickness = {}\n", plain(layer.layer_thickness));
    }
    text += "[contact]\n";
    let _ = writeln!(text, "areal-damping = {:e}", raw.areal_damping);
    let _ = writeln!(text, "damping-transition-depth = {:e}", raw.damping_transition_depth);
    let _ = writeln!(text, "friction-coefficient = {:?}", raw.friction_coefficient);
    if 0.0 < raw.friction_coefficient {
        // Bristles need no velocity; they are the default.
        let _ = writeln!(text, "# friction-model = \"regularized\" would need:");
        let _ = writeln!(text, "# friction-regularization-velocity = {}", plain(raw.friction_regularization_velocity));
    }
    text
}

/// A number as TOML reads it: with a point or an exponent.
fn plain(value: f64) -> String {
    if (1e-3..1e4).contains(&value) { format!("{value:?}") } else { format!("{value:e}") }
}

fn trial_section(
    text: &mut String,
    wishes: &Wishes,
    suggestion: &Suggestion,
    mut trial: Trial,
    subject: &str,
    notes: &mut Vec<String>,
) {
    let Wishes { mass, speed, restitution, .. } = *wishes;
    let (time, step) = (suggestion.contact_time, suggestion.step);
    let expected = &suggestion.expected;
    let came: Impact = trial.impact(mass, speed, time);
    let _ = writeln!(text, "\nTried with the library: {subject}\n");
    let _ = writeln!(text, "  {:<26} {:>10} {:>10}", "", "formula", "meshes");
    let mut line = |name: &str, wanted: f64, came: f64| {
        let deviation = 100.0 * (came / wanted - 1.0);
        let _ = writeln!(
            text,
            "  {name:<26} {:>10} {:>10}   {deviation:+.1} %",
            significant(wanted, 4),
            significant(came, 4)
        );
    };
    line("restitution (wanted)", restitution, came.restitution);
    line("peak force / N", expected.peak_force, came.peak_force);
    line("contact time / s", expected.contact_time, came.contact_time);
    line("largest depth / m", expected.max_depth, came.max_depth);
    if time / step <= MOST_STEPS_PER_CONTACT {
        let _ = writeln!(text, "\n  restitution when the force is exchanged every {} s:", significant(step, 3));
        for (master, is_parallel, output, exchanged) in [
            ("sequential", false, "hold", Exchanged::Advanced(0.0)),
            ("sequential", false, "extrapolate 0.5", Exchanged::Advanced(0.5)),
            ("sequential", false, "mean", Exchanged::Mean),
            ("parallel", true, "hold", Exchanged::Advanced(0.0)),
            ("parallel", true, "extrapolate 1.5", Exchanged::Advanced(1.5)),
        ] {
            let value = trial.coupled_restitution(mass, speed, step, time, is_parallel, exchanged);
            let _ = writeln!(text, "  {master:<11} {output:<15} {:>9}", significant(value, 3));
        }
    }
    if 0.05 < (came.restitution / restitution - 1.0).abs() || 0.2 < (came.peak_force / expected.peak_force - 1.0).abs()
    {
        notes.push(
            "the meshes differ from the formulas by more than 5 % in restitution or 20 % in force: refine the mesh to the \
             edge length above, or the bodies are not round where they meet"
                .to_owned(),
        );
    }
}
