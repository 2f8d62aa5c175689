//! Any text as a configuration.

use polycontact::configuration::{Configuration, FreeBodyConfiguration};

/// What is accepted is written so that it is read again.
pub fn read(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(configuration) = Configuration::parse(text, "contact.toml") {
        assert_eq!(Configuration::parse(&configuration.to_toml(), "written").as_ref(), Ok(&configuration));
    }
    let _ = FreeBodyConfiguration::parse(text, "free-body.toml");
}
