//! `cargo xtask model-description`: the description of the default pair, which is under version control.

use polycontact_packaging::{ContactPair, model_description};

use crate::Verb;
use crate::arguments::Arguments;
use crate::project::{default_configuration, root, shown};

pub const VERB: Verb = Verb {
    name: "model-description",
    summary: "writes the default example's modelDescription.xml, which is under version control",
    usage: "
Usage: cargo xtask model-description

Writes modelDescription/modelDescription.xml from resources/contact.toml and the table of
variables. A test fails when the file is stale.",
    run,
};

const FILE: &str = "modelDescription/modelDescription.xml";

fn run(words: &[String]) -> Result<(), String> {
    if let Some(word) = Arguments::parse(words, &[])?.free.first() {
        return Err(format!("`{word}` is not expected; the verb takes no argument"));
    }
    let path = root().join(FILE);
    let pair = ContactPair::read(&default_configuration())?;
    std::fs::write(&path, model_description(&pair))
        .map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
    println!("{}", shown(&path));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_description_is_current() {
        let committed = std::fs::read_to_string(root().join(FILE)).unwrap();
        let pair = ContactPair::read(&default_configuration()).unwrap();
        assert!(committed == model_description(&pair), "{FILE} is stale; run `cargo xtask model-description`");
    }
}
