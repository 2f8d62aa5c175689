//! What an FMU can be: a contact pair or a free body, and what both have in common.

use std::path::Path;

use polycontact::configuration::FreeBodyConfiguration;
use polycontact::fmu::{
    Capabilities, FREE_BODY_CAPABILITIES, FREE_BODY_IDENTIFIER, MODEL_IDENTIFIER, VariableTable, contact_capabilities,
    contact_variables, free_body_variables,
};

use crate::contact_pair::ContactPair;
use crate::free_body::FreeBody;

/// What an FMU is made of besides its library.
pub enum FmuModel {
    /// A contact between two surfaces.
    Contact(Box<ContactPair>),
    /// A rigid body.
    FreeBody(Box<FreeBody>),
}

/// What descriptions of FMUs say, whatever is inside.
pub struct FmuFacts<'m> {
    pub name: &'m str,
    pub description: &'m str,
    pub guid: &'m str,
    pub model_identifier: &'static str,
    pub variables: VariableTable,
    pub capabilities: Capabilities,
    /// Recommended communication step in s.
    pub step_size: f64,
    /// Recommended duration in s.
    pub stop_time: f64,
}

impl FmuModel {
    /// Reads a configuration of either kind, told apart by the section `body`.
    pub fn read(path: &Path) -> Result<FmuModel, String> {
        // A file that cannot be read is reported by the reader below.
        let text = std::fs::read_to_string(path).unwrap_or_default();
        if FreeBodyConfiguration::is_meant_by(&text) {
            FreeBody::read(path).map(|body| FmuModel::FreeBody(Box::new(body)))
        } else {
            ContactPair::read(path).map(|pair| FmuModel::Contact(Box::new(pair)))
        }
    }

    /// What its description says.
    pub fn facts(&self) -> FmuFacts<'_> {
        match self {
            FmuModel::Contact(pair) => pair.as_ref().into(),
            FmuModel::FreeBody(body) => body.as_ref().into(),
        }
    }

    /// Names and contents of the files in the resources.
    pub fn resources(&self) -> Vec<(&str, &[u8])> {
        match self {
            FmuModel::Contact(pair) => pair.resources(),
            FmuModel::FreeBody(body) => body.resources(),
        }
    }

    /// Shows what the readers of its files warn of.
    pub fn print_warnings(&self) {
        if let FmuModel::Contact(pair) = self {
            pair.print_warnings();
        }
    }

    /// Lines of a summary: what the model consists of.
    pub fn summary(&self) -> Vec<(&'static str, String)> {
        match self {
            FmuModel::Contact(pair) => {
                vec![("surface E", pair.surface_e.summary()), ("surface F", pair.surface_f.summary())]
            }
            FmuModel::FreeBody(body) => vec![("mass", format!("{} kg", body.configuration.body.mass))],
        }
    }
}

impl<'m> From<&'m ContactPair> for FmuFacts<'m> {
    fn from(pair: &'m ContactPair) -> Self {
        // With layers, the step is a fraction of the shortest impact that one expects of the default layer and a body
        // of some kilograms; impacts of elastic metal bodies are a hundred times shorter.
        let (step_size, stop_time) = match pair.configuration.flexible {
            None => (1e-4, 1.0),
            Some(_) => (1e-6, 2e-3),
        };
        FmuFacts {
            name: &pair.configuration.name,
            description: &pair.configuration.description,
            guid: &pair.guid,
            model_identifier: MODEL_IDENTIFIER,
            variables: contact_variables(&pair.configuration),
            capabilities: contact_capabilities(&pair.configuration),
            step_size,
            stop_time,
        }
    }
}

impl<'m> From<&'m FreeBody> for FmuFacts<'m> {
    fn from(body: &'m FreeBody) -> Self {
        FmuFacts {
            name: &body.configuration.name,
            description: &body.configuration.description,
            guid: &body.guid,
            model_identifier: FREE_BODY_IDENTIFIER,
            variables: free_body_variables(&body.configuration),
            capabilities: FREE_BODY_CAPABILITIES,
            // That of the contact which it is coupled to.
            step_size: 1e-4,
            stop_time: 1.0,
        }
    }
}
