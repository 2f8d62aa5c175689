//! From what `fmi2Instantiate` is given to a model.

use std::path::Path;

use super::guid::{free_body_guid_of_folder, guid_of_folder};
use super::instance::Instance;
use super::model::{Model, Notes};
use super::models::contact::model::ContactModel;
use super::models::flexible::model::FlexibleModel;
use super::models::free_body::model::FreeBodyModel;
use super::resource_location::resource_folder;
use super::state::Interface;
use crate::configuration::{Configuration, FILE_NAME, FREE_BODY_FILE_NAME};

/// An instance of an FMU's resources; `guid` is the one of its description.
///
/// One library serves all FMUs of this project: what lies in the resources says which this one is.
/// Without a resource location the model starts from the defaults, and nothing can be checked.
pub(crate) fn instantiate(
    guid: &str,
    resource_location: Option<&[u8]>,
    interface: Interface,
    notes: &mut Notes,
) -> Result<Instance, String> {
    let model = model(guid, resource_location, notes)?;
    model.check_interface(interface)?;
    Ok(Instance::new(model, interface))
}

fn model(guid: &str, resource_location: Option<&[u8]>, notes: &mut Notes) -> Result<Box<dyn Model>, String> {
    let Some(location) = resource_location else {
        notes.warn(
            "the host gave no fmuResourceLocation: start values are the library's defaults, the guid is not checked, \
             and surfaceE.file and surfaceF.file must be set to absolute paths before initialization ends"
                .to_owned(),
        );
        return Ok(Box::new(ContactModel::new(&Configuration::default(), guid.to_owned(), None)));
    };
    let folder = resource_folder(location).map_err(|error| error.to_string())?;
    if folder.join(FREE_BODY_FILE_NAME).is_file() && !folder.join(FILE_NAME).exists() {
        let (configuration, expected) = free_body_guid_of_folder(&folder).map_err(|error| error.to_string())?;
        check_guid(guid, &expected, &folder, "modelDescription.xml and free-body.toml")?;
        notes.event(format!("instantiated `{}` from `{}`", configuration.name, folder.display()));
        return Ok(Box::new(FreeBodyModel::new(&configuration, expected)));
    }
    let (configuration, expected) = guid_of_folder(&folder).map_err(|error| error.to_string())?;
    check_guid(guid, &expected, &folder, "modelDescription.xml, contact.toml and the meshes")?;
    notes.event(format!("instantiated `{}` from `{}`", configuration.name, folder.display()));
    Ok(match &configuration.flexible {
        None => Box::new(ContactModel::new(&configuration, expected, Some(folder))),
        Some(parameters) => Box::new(FlexibleModel::new(&configuration, parameters, expected, folder)),
    })
}

/// `files` are those that belong together.
fn check_guid(guid: &str, expected: &str, folder: &Path, files: &str) -> Result<(), String> {
    if guid == expected {
        return Ok(());
    }
    Err(format!(
        "the guid {guid} is not that of the resources in `{}`, {expected}: {files} do not belong together; package the \
         FMU again",
        folder.display()
    ))
}
