//! `polycontact estimate`: parameters of a contact from material, size, speed and step, with the formulas behind them.

mod hertz;
mod impact;
mod report;
mod step_limits;
mod suggestion;
mod trial;

use std::path::PathBuf;

use polycontact::configuration::StartPose;
use polycontact::contact::RawParameters;
use polycontact::math::{Pose, Vector};

use crate::approach::{Approach, Pair};
use crate::contact_pair::ContactPair;
use crate::numbers::{number, pose, positive, vector};
use hertz::{Matching, Material};
use suggestion::{Suggestion, Wishes};
use trial::Trial;

/// What `estimate` is told.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Arguments {
    /// Tries the meshes of this pair; radius, materials and friction default to theirs
    #[arg(value_name = "CONFIG.toml")]
    configuration: Option<PathBuf>,
    /// Position of M_f seen from M_e in m, and x-y-z angles in rad, from which F moves on; default [pose] of the
    /// configuration
    #[arg(long, value_name = "X,Y,Z[,A,B,C]", value_parser = pose, allow_hyphen_values = true)]
    pose: Option<Pose>,
    /// Direction in M_e along which F is pressed
    #[arg(long, value_name = "X,Y,Z", value_parser = vector, allow_hyphen_values = true)]
    approach: Option<Vector>,
    /// Effective radius 1/(1/R_E + 1/R_F) in m; default 0.05, or that of the meshes
    #[arg(long, value_name = "R", value_parser = positive, allow_hyphen_values = true)]
    radius: Option<f64>,
    /// Effective mass 1/(1/m_E + 1/m_F) in kg (default 0.5)
    #[arg(long, value_name = "M", value_parser = positive, allow_hyphen_values = true)]
    mass: Option<f64>,
    /// Impact speed in m/s (default 1)
    #[arg(long, value_name = "V", value_parser = positive, allow_hyphen_values = true)]
    speed: Option<f64>,
    /// Wanted speed after over speed before the impact, up to 1 (default 0.8)
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true)]
    restitution: Option<f64>,
    /// Of body E in Pa; 0 is rigid; default 2e9, or that of the configuration
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true)]
    youngs_modulus: Option<f64>,
    /// Of body E, below 0.5; default 0.35, or that of the configuration
    #[arg(long, value_name = "NU", value_parser = number, allow_hyphen_values = true)]
    poissons_ratio: Option<f64>,
    /// Of body F in Pa; 0 is rigid; default 0, or that of the configuration
    #[arg(long, value_name = "E", value_parser = number, allow_hyphen_values = true)]
    youngs_modulus_f: Option<f64>,
    /// Of body F; default 0.3, or that of the configuration
    #[arg(long, value_name = "NU", value_parser = number, allow_hyphen_values = true)]
    poissons_ratio_f: Option<f64>,
    /// Reference depth in m, up to which the layer stands in for Hertz's contact; default the depth that the impact
    /// reaches
    #[arg(long, value_name = "D", value_parser = positive, allow_hyphen_values = true)]
    depth: Option<f64>,
    /// What both force curves share up to the reference depth
    #[arg(long = "match", value_name = "WHAT", value_parser = ["energy", "force", "least-squares"])]
    matching: Option<String>,
    /// Communication step in s; default the largest round one that suits
    #[arg(long, value_name = "H", value_parser = positive, allow_hyphen_values = true)]
    step: Option<f64>,
    /// Coefficient of friction; default 0.3, or that of the configuration
    #[arg(long, value_name = "MU", value_parser = number, allow_hyphen_values = true)]
    friction: Option<f64>,
}

/// Forces that grow with a smaller power of depth than this do not come from round bodies; Hertz has 1.5, the
/// foundation 2, a flat 1.
const SMALLEST_EXPONENT: f64 = 1.6;

/// Rounds in which the radius of meshes and the depth are fitted to each other: each halves the error or better.
const RADIUS_ROUNDS: usize = 12;

/// Prints the suggestion and its trial.
pub fn run(arguments: &Arguments) -> Result<(), String> {
    print!("{}", estimate(arguments)?);
    Ok(())
}

/// What the command prints.
fn estimate(arguments: &Arguments) -> Result<String, String> {
    let pair = arguments.configuration.as_deref().map(ContactPair::read).transpose()?;
    let configured = pair.as_ref().map(|pair| pair.configuration.parameters);
    let mut wishes = wishes(arguments, configured.as_ref())?;
    let Some(pair) = pair else {
        let suggestion = Suggestion::of(&wishes)?;
        let trial = Trial::ball_on_flat(wishes.radius, suggestion.max_depth, suggestion.raw)?;
        let subject = "a ball on a flat, as meshes".to_owned();
        return Ok(report::text(&wishes, &suggestion, trial, &subject));
    };
    pair.print_warnings();
    let name = pair.configuration.name.clone();
    let bodies = Pair::of(&pair)?;
    let start = arguments.pose.or_else(|| pair.configuration.pose.as_ref().map(StartPose::pose));
    let approach = Approach::find(&bodies, start, arguments.approach)?;
    approach.print_warning();
    if arguments.radius.is_none() {
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
    let defaults =
        [Material { youngs_modulus: 2e9, poissons_ratio: 0.35 }, Material { youngs_modulus: 0.0, poissons_ratio: 0.3 }];
    let layers = configured.map(|raw| [raw.layer_e, raw.layer_f]);
    let material = |index: usize, names: [&str; 2], modulus: Option<f64>, ratio: Option<f64>| {
        let default = layers.map_or(defaults[index], |layers| Material {
            youngs_modulus: layers[index].youngs_modulus,
            poissons_ratio: layers[index].poissons_ratio,
        });
        let youngs_modulus = modulus.unwrap_or(default.youngs_modulus);
        let poissons_ratio = ratio.unwrap_or(default.poissons_ratio);
        let [modulus_name, ratio_name] = names;
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
        material(0, ["--youngs-modulus", "--poissons-ratio"], arguments.youngs_modulus, arguments.poissons_ratio)?,
        material(
            1,
            ["--youngs-modulus-f", "--poissons-ratio-f"],
            arguments.youngs_modulus_f,
            arguments.poissons_ratio_f,
        )?,
    ];
    if materials.iter().all(|material| material.youngs_modulus == 0.0) {
        return Err("both bodies are rigid: give one of them a modulus with `--youngs-modulus` (E) or \
                    `--youngs-modulus-f` (F)"
            .into());
    }
    let restitution = arguments.restitution.unwrap_or(0.8);
    if !(0.01..=1.0).contains(&restitution) {
        return Err(format!("`--restitution` is {restitution}, but must be from 0.01 to 1"));
    }
    let friction = arguments.friction.unwrap_or(configured.map_or(0.3, |raw| raw.friction_coefficient));
    if friction < 0.0 {
        return Err(format!("`--friction` is {friction}, but must be 0 or above"));
    }
    let matching = arguments.matching.as_deref().unwrap_or("energy");
    let (matching, ..) = Matching::ALL.into_iter().find(|(_, name, _)| *name == matching).expect("a known name");
    Ok(Wishes {
        radius: arguments.radius.unwrap_or(0.05),
        mass: arguments.mass.unwrap_or(0.5),
        speed: arguments.speed.unwrap_or(1.0),
        materials,
        restitution,
        depth: arguments.depth,
        step: arguments.step,
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
