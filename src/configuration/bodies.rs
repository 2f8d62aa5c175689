//! The sections `[body-e]` and `[body-f]`: mass and inertia, as far as a user states them.

use super::reader::Section;
use super::{ConfigurationError, NumberRange};
use crate::exchange::BodyParameters;

/// Reads a section; what is missing is 0, which means unknown.
pub(super) fn read(section: &Section<'_>) -> Result<BodyParameters, ConfigurationError> {
    let body = BodyParameters {
        mass: section.number("mass")?.unwrap_or_default(),
        moments_of_inertia: section.numbers("moments-of-inertia")?.unwrap_or_default(),
        centre_of_mass: section.numbers("centre-of-mass")?.unwrap_or_default(),
    };
    let range = NumberRange::NotNegative;
    section.require("mass", body.mass, range.contains(body.mass), range.in_words())?;
    let moments = body.moments_of_inertia;
    let are_moments = moments.iter().all(|moment| range.contains(*moment));
    section.require("moments-of-inertia", moments, are_moments, "3 finite numbers in brackets, 0 or above")?;
    let centre = body.centre_of_mass;
    let is_finite = centre.iter().all(|x| x.is_finite());
    section.require("centre-of-mass", centre, is_finite, "3 finite numbers in brackets")?;
    Ok(body)
}

/// The sections that state something.
pub(super) fn to_toml(bodies: &[BodyParameters; 2]) -> String {
    let mut text = String::new();
    for (section, body) in ["body-e", "body-f"].iter().zip(bodies) {
        if *body != BodyParameters::default() {
            text += &format!(
                "\n[{section}]\nmass = {:?}\nmoments-of-inertia = {:?}\ncentre-of-mass = {:?}\n",
                body.mass, body.moments_of_inertia, body.centre_of_mass
            );
        }
    }
    text
}
