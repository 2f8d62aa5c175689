//! `cargo xtask estimate`: parameters of a contact from material, size, speed and step, with the formulas behind them.

mod hertz;
mod impact;
mod report;
mod step_limits;
mod suggestion;
mod trial;

use std::path::Path;

use polycontact::configuration::StartPose;
use polycontact::contact::RawParameters;

use crate::Verb;
use crate::approach::{Approach, Pair};
use crate::arguments::{Arguments, OptionSpec};
use crate::contact_pair::ContactPair;
use crate::numbers::{number, pose, vector};
use hertz::{Matching, Material};
use suggestion::{Suggestion, Wishes};
use trial::Trial;

/// The verb.
pub const VERB: Verb = Verb {
    name: "estimate",
    summary: "suggests layers, damping, friction and a step from material, size and speed; tries them out",
    usage: "
Usage: cargo xtask estimate [CONFIG.toml] [OPTIONS]

A ball of E meets a flat of F, or any two bodies by their effective radius and mass. Prints each number
with its formula, the lines to paste into the configuration, and what a simulated impact makes of them.

  CONFIG.toml             tries the meshes of this pair; radius, materials and friction default to theirs
  --pose X,Y,Z[,A,B,C]    position of M_f seen from M_e in m, and x-y-z angles in rad, from which F moves on;
                          default [pose] of the configuration
  --approach X,Y,Z        direction in M_e along which F is pressed
  --radius R              effective radius 1/(1/R_E + 1/R_F) in m (default 0.05)
  --mass M                effective mass 1/(1/m_E + 1/m_F) in kg (default 0.5)
  --speed V               impact speed in m/s (default 1)
  --restitution E         wanted speed after over speed before the impact, up to 1 (default 0.8)
  --youngs-modulus E      of body E in Pa; 0 is rigid (default 2e9)
  --poissons-ratio NU     of body E, below 0.5 (default 0.35)
  --youngs-modulus-f E    of body F in Pa; 0 is rigid (default 0)
  --poissons-ratio-f NU   of body F (default 0.3)
  --depth D               reference depth in m, up to which the layer stands in for Hertz's contact
                          (default: the depth that the impact reaches)
  --match WHAT            energy, force or least-squares: what both force curves share up to the
                          reference depth (default energy)
  --step H                communication step in s (default: the largest round one that suits)
  --friction MU           coefficient of friction (default 0.3)",
    run,
};

const OPTIONS: &[OptionSpec] = &[
    OptionSpec { name: "--pose", takes_value: true },
    OptionSpec { name: "--approach", takes_value: true },
    OptionSpec { name: "--radius", takes_value: true },
    OptionSpec { name: "--mass", takes_value: true },
    OptionSpec { name: "--speed", takes_value: true },
    OptionSpec { name: "--restitution", takes_value: true },
    OptionSpec { name: "--youngs-modulus", takes_value: true },
    OptionSpec { name: "--poissons-ratio", takes_value: true },
    OptionSpec { name: "--youngs-modulus-f", takes_value: true },
    OptionSpec { name: "--poissons-ratio-f", takes_value: true },
    OptionSpec { name: "--depth", takes_value: true },
    OptionSpec { name: "--match", takes_value: true },
    OptionSpec { name: "--step", takes_value: true },
    OptionSpec { name: "--friction", takes_value: true },
];

/// Forces that grow with a smaller power of depth than this do not come from round bodies; Hertz has 1.5, the
/// foundation 2, a flat 1.
const SMALLEST_EXPONENT: f64 = 1.6;

/// Rounds in which the radius of meshes and the depth are fitted to each other: each halves the error or better.
const RADIUS_ROUNDS: usize = 12;

fn run(words: &[String]) -> Result<(), String> {
    print!("{}", estimate(words)?);
    Ok(())
}

/// What the command prints.
fn estimate(words: &[String]) -> Result<String, String> {
    let arguments = Arguments::parse(words, OPTIONS)?;
    let pair = match arguments.free.as_slice() {
        [] => None,
        [file] => Some(ContactPair::read(Path::new(file))?),
        [_, second, ..] => return Err(format!("one configuration at most, but `{second}` is a second one")),
    };
    let configured = pair.as_ref().map(|pair| pair.configuration.parameters);
    let mut wishes = wishes(&arguments, configured.as_ref())?;
    let Some(pair) = pair else {
        let suggestion = Suggestion::of(&wishes)?;
        let trial = Trial::ball_on_flat(wishes.radius, suggestion.max_depth, suggestion.raw)?;
        let subject = "a ball on a flat, as meshes".to_owned();
        return Ok(report::text(&wishes, &suggestion, trial, &subject));
    };
    pair.print_warnings();
    let name = pair.configuration.name.clone();
    let bodies = Pair::of(&pair)?;
    let given = arguments.value("--pose").map(pose).transpose()?;
    let start = given.or_else(|| pair.configuration.pose.as_ref().map(StartPose::pose));
    let direction = arguments.value("--approach").map(|text| vector("--approach", text)).transpose()?;
    let approach = Approach::find(&bodies, start, direction)?;
    approach.print_warning();
    if !arguments.has("--radius") {
        wishes.radius = radius_of(&bodies, &approach, &wishes)?;
    }
    let suggestion = Suggestion::of(&wishes)?;
    // Method and scheme are the user's choice.
    let raw = RawParameters { method: bodies.raw.method, elements: bodies.raw.elements, ..suggestion.raw };
    let subject = format!("the meshes of {name}; {}, all other motion blocked", approach.explanation);
    let trial = Trial::of(bodies, approach, raw)?;
    Ok(report::text(&wishes, &suggestion, trial, &subject))
}

fn wishes(arguments: &Arguments, configured: Option<&RawParameters>) -> Result<Wishes, String> {
    let option = |name: &str| arguments.value(name).map(|text| number(name, text)).transpose();
    let positive = |name: &str| match option(name)? {
        Some(value) if value <= 0.0 => Err(format!("`{name}` is {value}, but must be above 0")),
        other => Ok(other),
    };
    let defaults =
        [Material { youngs_modulus: 2e9, poissons_ratio: 0.35 }, Material { youngs_modulus: 0.0, poissons_ratio: 0.3 }];
    let layers = configured.map(|raw| [raw.layer_e, raw.layer_f]);
    let material = |index: usize, names: [&str; 2]| -> Result<Material, String> {
        let default = layers.map_or(defaults[index], |layers| Material {
            youngs_modulus: layers[index].youngs_modulus,
            poissons_ratio: layers[index].poissons_ratio,
        });
        let [modulus_name, ratio_name] = names;
        let youngs_modulus = option(modulus_name)?.unwrap_or(default.youngs_modulus);
        let poissons_ratio = option(ratio_name)?.unwrap_or(default.poissons_ratio);
        if youngs_modulus < 0.0 {
            return Err(format!("`{modulus_name}` is {youngs_modulus}, but must be above 0 Pa, or 0 for a rigid body"));
        }
        if !(-1.0 < poissons_ratio && poissons_ratio < 0.5) {
            return Err(format!(
                "`{ratio_name}` is {poissons_ratio}, but must be above -1 and below 0.5; for rubber take 0.45"
            ));
        }
        Ok(Material { youngs_modulus, poissons_ratio })
    };
    let materials = [
        material(0, ["--youngs-modulus", "--poissons-ratio"])?,
        material(1, ["--youngs-modulus-f", "--poissons-ratio-f"])?,
    ];
    if materials.iter().all(|material| material.youngs_modulus == 0.0) {
        return Err("both bodies are rigid: give one of them a modulus with `--youngs-modulus` (E) or \
                    `--youngs-modulus-f` (F)"
            .into());
    }
    let restitution = option("--restitution")?.unwrap_or(0.8);
    if !(0.01..=1.0).contains(&restitution) {
        return Err(format!("`--restitution` is {restitution}, but must be from 0.01 to 1"));
    }
    let friction = option("--friction")?.unwrap_or(configured.map_or(0.3, |raw| raw.friction_coefficient));
    if friction < 0.0 {
        return Err(format!("`--friction` is {friction}, but must be 0 or above"));
    }
    let matching = match arguments.value("--match") {
        None => Matching::Energy,
        Some(word) => {
            let known = Matching::ALL.into_iter().find(|(_, name, _)| *name == word).map(|(matching, ..)| matching);
            known.ok_or_else(|| format!("`--match` is `{word}`, but must be energy, force or least-squares"))?
        }
    };
    Ok(Wishes {
        radius: positive("--radius")?.unwrap_or(0.05),
        mass: positive("--mass")?.unwrap_or(0.5),
        speed: positive("--speed")?.unwrap_or(1.0),
        materials,
        restitution,
        depth: positive("--depth")?,
        step: positive("--step")?,
        friction,
        matching,
    })
}

/// Effective radius of two meshes in m, at the reference depth.
fn radius_of(bodies: &Pair, approach: &Approach, wishes: &Wishes) -> Result<f64, String> {
    let copy = Pair { e: bodies.e.clone(), f: bodies.f.clone(), raw: bodies.raw };
    let mut trial = Trial::of(copy, approach.clone(), bodies.raw)?;
    let mut radius = bodies.smallest_size();
    let largest_depth = 0.25 * radius;
    for _ in 0..RADIUS_ROUNDS {
        let effective = hertz::effective_modulus(&wishes.materials);
        let depth =
            wishes.depth.unwrap_or_else(|| hertz::hertz_impact_depth(effective, radius, wishes.mass, wishes.speed));
        let (equivalent, exponent) = trial.equivalent_radius(depth.min(largest_depth));
        if !(0.0 < equivalent && equivalent.is_finite()) {
            return Err("the meshes carry no force along the approach; give `--radius`".into());
        }
        if exponent < SMALLEST_EXPONENT {
            return Err(format!(
                "the force of these meshes grows with depth to the power {exponent:.2}, as between flats or edges, not \
                 round bodies (about 2): Hertz's formula does not apply. Take the thickness of the real soft layer as \
                 `layer-thickness`, or give an effective radius with `--radius`"
            ));
        }
        radius = equivalent;
    }
    Ok(radius)
}

#[cfg(test)]
mod estimate_tests;
