//! `free-body.toml`: a rigid body as the other half of a system with a contact FMU.

use std::path::Path;

use super::reader::Document;
use super::{ConfigurationError, NumberRange, quoted, read_name, read_text};
use crate::free_body::{RawBody, RigidBody};
use crate::math::Vector;

/// Name of the file in the FMU's resources.
pub const FREE_BODY_FILE_NAME: &str = "free-body.toml";

/// Most wrenches that a body takes: more bodies than touch it at a time in any example, and tables stay small.
const MOST_WRENCHES: usize = 100;

/// A body: the start values of one FMU.
#[derive(Clone, Debug, PartialEq)]
pub struct FreeBodyConfiguration {
    /// Model name and file name of the FMU; an identifier.
    pub name: String,
    /// Shown by importers.
    pub description: String,
    /// Number of wrenches that act on the body, one per contact.
    pub wrenches: usize,
    /// Mass, inertia, gravity and start; it passes [`RigidBody::new`].
    pub body: RawBody,
}

impl Default for FreeBodyConfiguration {
    fn default() -> Self {
        FreeBodyConfiguration {
            name: "FreeBody".to_owned(),
            description: "A free rigid body".to_owned(),
            wrenches: 1,
            body: RawBody::default(),
        }
    }
}

/// Three numbers of a body: a key of the configuration and, in other spelling, an array variable of the FMU.
#[derive(Clone, Copy, Debug)]
pub struct BodyVector {
    /// The key in the section `body`.
    pub key: &'static str,
    /// Unit, as in the FMU's unit definitions.
    pub unit: &'static str,
    /// Meaning, with the symbol.
    pub description: &'static str,
    /// What the three numbers are.
    pub components: [&'static str; 3],
    /// Allowed values of each number.
    pub range: NumberRange,
    /// Where it is stored.
    pub field: fn(&mut RawBody) -> &mut Vector,
}

impl BodyVector {
    /// The value in a body.
    pub fn value(&self, body: &RawBody) -> Vector {
        let mut copy = *body;
        *(self.field)(&mut copy)
    }
}

const AXES: [&str; 3] = ["x", "y", "z"];

/// Every vector of [`RawBody`], in the order of the interface.
pub const BODY_VECTORS: [BodyVector; 8] = [
    BodyVector {
        key: "moments-of-inertia",
        unit: "kg.m2",
        description: "Moments of inertia I about the centre of mass, axes of M_f",
        components: ["xx", "yy", "zz"],
        range: NumberRange::Positive,
        field: |body| &mut body.moments_of_inertia,
    },
    BodyVector {
        key: "products-of-inertia",
        unit: "kg.m2",
        description: "Off-diagonal entries of the inertia tensor, such as I_xy = -(integral of x y dm), axes of M_f",
        components: ["xy", "xz", "yz"],
        range: NumberRange::Finite,
        field: |body| &mut body.products_of_inertia,
    },
    BodyVector {
        key: "centre-of-mass",
        unit: "m",
        description: "Centre of mass seen from M_f, resolved in M_f",
        components: AXES,
        range: NumberRange::Finite,
        field: |body| &mut body.centre_of_mass,
    },
    BodyVector {
        key: "gravity",
        unit: "m/s2",
        description: "Acceleration g of free fall, resolved in M_e",
        components: AXES,
        range: NumberRange::Finite,
        field: |body| &mut body.gravity,
    },
    BodyVector {
        key: "initial-position",
        unit: "m",
        description: "relativePosition r_EF at the start",
        components: AXES,
        range: NumberRange::Finite,
        field: |body| &mut body.initial_position,
    },
    BodyVector {
        key: "initial-angles",
        unit: "rad",
        description: "Cardan angles at the start, A_EF = A_x(alpha) A_y(beta) A_z(gamma)",
        components: ["alpha", "beta", "gamma"],
        range: NumberRange::Finite,
        field: |body| &mut body.initial_angles,
    },
    BodyVector {
        key: "initial-velocity",
        unit: "m/s",
        description: "relativeVelocity v_EF at the start",
        components: AXES,
        range: NumberRange::Finite,
        field: |body| &mut body.initial_velocity,
    },
    BodyVector {
        key: "initial-angular-velocity",
        unit: "rad/s",
        description: "relativeAngularVelocity omega_EF at the start",
        components: AXES,
        range: NumberRange::Finite,
        field: |body| &mut body.initial_angular_velocity,
    },
];

/// Keys without a default: a guessed mass would go unnoticed.
const REQUIRED: [&str; 2] = ["mass", "moments-of-inertia"];

impl FreeBodyConfiguration {
    /// Whether a text is meant as a body: it has the section `body`.
    pub fn is_meant_by(text: &str) -> bool {
        Document::parse(text, "").is_ok_and(|document| document.has("body"))
    }

    /// Reads a file and checks it.
    pub fn read(path: &Path) -> Result<FreeBodyConfiguration, ConfigurationError> {
        FreeBodyConfiguration::parse(&read_text(path)?, &path.display().to_string())
    }

    /// Reads a text; `file` names it in messages.
    pub fn parse(text: &str, file: &str) -> Result<FreeBodyConfiguration, ConfigurationError> {
        let document = Document::parse(text, file)?;
        let root = document.root(&["name", "description", "wrenches", "body"])?;
        let mut configuration = FreeBodyConfiguration::default();
        read_name(&root, &mut configuration.name, &mut configuration.description)?;
        if let Some(wrenches) = root.number("wrenches")? {
            let is_allowed = 1.0 <= wrenches && wrenches <= MOST_WRENCHES as f64 && wrenches.fract() == 0.0;
            root.require("wrenches", wrenches, is_allowed, &format!("a whole number from 1 to {MOST_WRENCHES}"))?;
            configuration.wrenches = wrenches as usize;
        }
        let keys: Vec<&'static str> = std::iter::once("mass").chain(BODY_VECTORS.map(|vector| vector.key)).collect();
        let section = root.section("body", &keys)?;
        for key in REQUIRED {
            if !section.has(key) {
                return Err(section.missing(key, "its value in SI units"));
            }
        }
        let body = &mut configuration.body;
        if let Some(mass) = section.number("mass")? {
            let range = NumberRange::Positive;
            section.require("mass", mass, range.contains(mass), range.in_words())?;
            body.mass = mass;
        }
        for vector in &BODY_VECTORS {
            if let Some(numbers) = section.numbers::<3>(vector.key)? {
                for number in numbers {
                    section.require(vector.key, number, vector.range.contains(number), vector.range.in_words())?;
                }
                *(vector.field)(body) = numbers.into();
            }
        }
        let refused = |source| ConfigurationError::Body { file: file.to_owned(), source };
        RigidBody::new(body).map_err(refused)?;
        Ok(configuration)
    }

    /// The configuration as TOML with every key, so that [`FreeBodyConfiguration::parse`] returns an equal one.
    pub fn to_toml(&self) -> String {
        let mut text = format!(
            "name = {}\ndescription = {}\nwrenches = {}\n\n[body]\nmass = {:?}\n",
            quoted(&self.name),
            quoted(&self.description),
            self.wrenches,
            self.body.mass
        );
        for vector in &BODY_VECTORS {
            let [x, y, z]: [f64; 3] = vector.value(&self.body).into();
            text += &format!("{} = [{x:?}, {y:?}, {z:?}]\n", vector.key);
        }
        text
    }
}
