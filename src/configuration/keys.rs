//! What a user may write into `contact.toml`: the reader refuses every other key, and the reference page lists these.

use super::{ELEMENTS, FRICTION_MODELS, METHODS, ORIENTATIONS, REPAIRS, SOLVERS, STEP_OUTPUTS, SUBMODELS};
use super::{FLEXIBLE_NUMBER_PARAMETERS, NUMBER_PARAMETERS, NumberParameter, THREADS_IN_WORDS};
use crate::contact::RawParameters;
use crate::flexible::RawFlexibleParameters;

/// A key that is no number of the force element; those are in [`NUMBER_PARAMETERS`].
struct OtherKey {
    section: &'static str,
    name: &'static str,
    values: Values,
    default: &'static str,
    meaning: &'static str,
}

/// What may be given.
enum Values {
    /// In words.
    Words(&'static str),
    /// One of some names.
    Names(fn() -> Vec<&'static str>),
}

/// A key, for people.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyDescription {
    /// Its section; empty at the top of the file.
    pub section: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What may be given, with the unit.
    pub values: String,
    /// What holds without it.
    pub default: String,
    /// What it means.
    pub meaning: &'static str,
}

fn names_of<T>(names: &[(&'static str, T)]) -> Vec<&'static str> {
    names.iter().map(|(name, _)| *name).collect()
}

const fn words(
    section: &'static str,
    name: &'static str,
    values: &'static str,
    default: &'static str,
    meaning: &'static str,
) -> OtherKey {
    OtherKey { section, name, values: Values::Words(values), default, meaning }
}

const fn choice(
    section: &'static str,
    name: &'static str,
    names: fn() -> Vec<&'static str>,
    default: &'static str,
    meaning: &'static str,
) -> OtherKey {
    OtherKey { section, name, values: Values::Names(names), default, meaning }
}

/// Sections of the file, in its order, with what they are for.
pub const SECTIONS: [(&str, &str); 8] = [
    ("", "These stand before the first section."),
    ("pose", "Where F starts, seen from E. Without this section as the files have it."),
    ("surface-e", "The first body. Its coordinate frame is M_e."),
    ("surface-f", "The second body. Its coordinate frame is M_f."),
    ("contact", "What lies between two bodies with layers, and what the FMU does in a step."),
    ("flexible", "Only where a body is flexible: penalty contact and solver."),
    ("body-e", "Mass of the first body, as far as it is known, for `step-output = \"energy\"`. The FMU moves no body."),
    ("body-f", "Mass of the second body, likewise."),
];

/// Keys of a surface that say what to read.
pub(super) const MESH_KEYS: [&str; 9] =
    ["mesh", "scale", "reversed", "merge-distance", "repair", "parts", "shells", "smooth-angle", "sag"];

/// Stands for both surfaces.
const SURFACE: &str = "surface";

/// Stands for the masses of both bodies.
const BODY: &str = "body";

const OTHER_KEYS: [OtherKey; 27] = [
    words(
        "",
        "name",
        "letters, digits and underscores, at most 100",
        "PolygonalContact",
        "name of the model and its FMU",
    ),
    words("", "description", "one line of text", "a general one", "shown by simulation tools"),
    choice("", "orientation", || names_of(&ORIENTATIONS), "matrix", "how the FMU takes the orientation of M_f"),
    words("pose", "position", "3 numbers in m", "[0, 0, 0]", "origin of M_f seen from M_e"),
    words(
        "pose",
        "orientation",
        "3 angles about x, y, z in rad, a quaternion (w, x, y, z), or 9 entries of a matrix row by row",
        "[0, 0, 0]",
        "from M_f to M_e",
    ),
    words(
        SURFACE,
        "mesh",
        "path of an .obj, .stl, .ply or .off file",
        "required, or `flexible`",
        "the surface; relative to this file",
    ),
    words(
        SURFACE,
        "flexible",
        "path of an .npz file made by `polycontact reduce`",
        "–",
        "a reduced elastic body in place of a mesh",
    ),
    words(SURFACE, "scale", "a number above 0", "1", "from the unit of the file to metres; 0.001 for millimetres"),
    words(SURFACE, "reversed", "true or false", "false", "turns the faces over"),
    words(
        SURFACE,
        "merge-distance",
        "a number in m, 0 or above",
        "from the resolution of the file",
        "vertices nearer than this are one",
    ),
    choice(
        SURFACE,
        "repair",
        || names_of(&REPAIRS),
        "safe",
        "`safe` repairs what has one answer only, `none` changes nothing",
    ),
    words(SURFACE, "parts", "a list of names", "all", "objects, groups or solids of the file to read"),
    words(SURFACE, "shells", "a list of whole numbers from 1 on", "all", "connected parts to keep"),
    words(
        SURFACE,
        "smooth-angle",
        "a number of degrees from 0 to 90",
        "0",
        "edges flatter than this are part of a curved surface and are refined; 0 leaves the mesh as it is",
    ),
    words(
        SURFACE,
        "sag",
        "a number above 0; m",
        "a ten-thousandth of the size",
        "how far a refined mesh may be from the curved surface",
    ),
    choice("contact", "method", || names_of(&METHODS), "auto", "which faces carry the pressure"),
    choice("contact", "elements", || names_of(&ELEMENTS), "potential", "how faces become contact elements"),
    choice(
        "contact",
        "friction-model",
        || names_of(&FRICTION_MODELS),
        "bristle",
        "bristles stick and slip; regularized friction has no memory and creeps",
    ),
    choice(
        "contact",
        "step-output",
        || names_of(&STEP_OUTPUTS),
        "energy; mean with a flexible body",
        "what the outputs of the FMU are after a step",
    ),
    words(
        "contact",
        "extrapolation-steps",
        "a number, 0 or above",
        "1",
        "steps by which `extrapolate` advances the pose",
    ),
    words(
        "contact",
        "threads",
        THREADS_IN_WORDS,
        "1",
        "threads that may work on a large contact; the result is the same",
    ),
    choice("flexible", "submodel", || names_of(&SUBMODELS), "quasi-static", "what the high-frequency modes do"),
    choice("flexible", "solver", || names_of(&SOLVERS), "newton", "how the equilibrium is found"),
    words("flexible", "iteration-limit", "a whole number from 1 on", "50", "iterations after which a step fails"),
    words(BODY, "mass", "a finite number, 0 or above; kg", "0", "0 is unknown"),
    words(
        BODY,
        "moments-of-inertia",
        "3 numbers, 0 or above; kg.m2",
        "[0, 0, 0]",
        "about its centre of mass, axes of its frame; unless all are given, those of the filled mesh",
    ),
    words(BODY, "centre-of-mass", "3 numbers; m", "[0, 0, 0]", "in its frame; counts with the moments of inertia"),
];

/// Names of all keys of a section; at the top of the file also the sections.
pub(super) fn names(section: &str) -> Vec<&'static str> {
    let sections = SECTIONS.iter().map(|(name, _)| *name).filter(|name| section.is_empty() && !name.is_empty());
    let of_section = |key: &&str| key.split_once('.').is_some_and(|(of, _)| of == section);
    let in_section = |key: &'static str| key.split_once('.').map_or(key, |(_, name)| name);
    let numbers = NUMBER_PARAMETERS.iter().map(|number| number.key);
    let numbers = numbers.chain(FLEXIBLE_NUMBER_PARAMETERS.iter().map(|number| number.key));
    let others = OTHER_KEYS.iter().filter(|key| is_of(key, section)).map(|key| key.name);
    others.chain(sections).chain(numbers.filter(of_section).map(in_section)).collect()
}

fn is_of(key: &OtherKey, section: &str) -> bool {
    key.section == section
        || section.strip_suffix(['e', 'f']).and_then(|both| both.strip_suffix('-')) == Some(key.section)
}

/// All keys of a section, for people.
pub fn key_descriptions(section: &'static str) -> Vec<KeyDescription> {
    let others = OTHER_KEYS.iter().filter(|key| is_of(key, section)).map(|key| KeyDescription {
        section,
        name: key.name,
        values: match key.values {
            Values::Words(words) => words.to_owned(),
            Values::Names(names) => names().iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", "),
        },
        default: key.default.to_owned(),
        meaning: key.meaning,
    });
    let layers = described(section, &NUMBER_PARAMETERS, RawParameters::default());
    let penalty = described(section, &FLEXIBLE_NUMBER_PARAMETERS, RawFlexibleParameters::default());
    others.chain(layers).chain(penalty).collect()
}

fn described<P: Copy + 'static>(
    section: &'static str,
    numbers: &'static [NumberParameter<P>],
    defaults: P,
) -> impl Iterator<Item = KeyDescription> {
    let of_section = numbers.iter().filter(move |number| number.section() == section);
    of_section.map(move |number| KeyDescription {
        section,
        name: number.key_in_section(),
        values: match number.unit {
            "1" => number.range.in_words().to_owned(),
            unit => format!("{}; {unit}", number.range.in_words()),
        },
        default: match number.key_in_section() {
            "youngs-modulus" => "required".to_owned(),
            _ => format!("{:?}", number.value(&defaults)),
        },
        meaning: number.description,
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Configuration, RawFlexibleParameters, SurfaceConfiguration};
    use super::*;

    /// What is said to hold without a key is what the reader takes.
    #[test]
    fn defaults_are_those_of_the_reader() {
        let default = |section: &'static str, name: &str| {
            key_descriptions(section).into_iter().find(|key| key.name == name).unwrap().default
        };
        let configuration = Configuration::default();
        assert_eq!(default("", "name"), configuration.name);
        assert_eq!(default("contact", "threads"), configuration.threads.to_string());
        assert_eq!(default("contact", "extrapolation-steps"), configuration.extrapolation_steps.to_string());
        assert_eq!(default("surface-e", "scale"), SurfaceConfiguration::default().scale.to_string());
        let flexible = RawFlexibleParameters::default();
        assert_eq!(default("flexible", "iteration-limit"), flexible.iteration_limit.to_string());
        for (text, name) in [
            (super::super::name_of(&ORIENTATIONS, configuration.orientation), default("", "orientation")),
            (super::super::name_of(&METHODS, configuration.parameters.method), default("contact", "method")),
            (super::super::name_of(&ELEMENTS, configuration.parameters.elements), default("contact", "elements")),
            (
                super::super::name_of(&FRICTION_MODELS, crate::contact::FrictionModel::default()),
                default("contact", "friction-model"),
            ),
            (super::super::name_of(&REPAIRS, SurfaceConfiguration::default().repair), default("surface-f", "repair")),
            (super::super::name_of(&SUBMODELS, flexible.submodel), default("flexible", "submodel")),
            (super::super::name_of(&SOLVERS, flexible.solver), default("flexible", "solver")),
        ] {
            assert_eq!(text, name);
        }
    }

    #[test]
    fn every_section_has_keys_and_every_key_a_meaning() {
        for (section, _) in SECTIONS {
            let keys = key_descriptions(section);
            assert!(!keys.is_empty() && keys.iter().all(|key| !key.meaning.is_empty() && !key.values.is_empty()));
            assert!(keys.iter().all(|key| names(section).contains(&key.name)), "{section}");
        }
    }
}
