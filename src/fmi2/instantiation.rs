//! From what `fmi2Instantiate` is given to a model.

use super::contact_model::ContactModel;
use super::flexible_model::FlexibleModel;
use super::guid::guid_of_folder;
use super::model::{Model, Notes};
use super::resource_location::resource_folder;
use crate::configuration::Configuration;

/// The model of an FMU's resources; `guid` is the one of its description.
///
/// Without a resource location the model starts from the defaults, and nothing can be checked.
pub(super) fn instantiate(
    guid: &str,
    resource_location: Option<&[u8]>,
    notes: &mut Notes,
) -> Result<Box<dyn Model>, String> {
    let Some(location) = resource_location else {
        notes.warn(
            "the host gave no fmuResourceLocation: start values are the library's defaults, the guid is not checked, \
             and surfaceE.file and surfaceF.file must be set to absolute paths before initialization ends"
                .to_owned(),
        );
        return Ok(Box::new(ContactModel::new(&Configuration::default(), guid.to_owned(), None)));
    };
    let folder = resource_folder(location).map_err(|error| error.to_string())?;
    let (configuration, expected) = guid_of_folder(&folder).map_err(|error| error.to_string())?;
    if guid != expected {
        return Err(format!(
            "the guid {guid} is not that of the resources in `{}`, {expected}: modelDescription.xml, contact.toml and \
             the meshes do not belong together; package the FMU again",
            folder.display()
        ));
    }
    notes.event(format!("instantiated `{}` from `{}`", configuration.name, folder.display()));
    Ok(match &configuration.flexible {
        None => Box::new(ContactModel::new(&configuration, expected, Some(folder))),
        Some(parameters) => Box::new(FlexibleModel::new(&configuration, parameters, expected, folder)),
    })
}
