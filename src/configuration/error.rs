//! Why a configuration was refused: file, line, key, and what is allowed.

use thiserror::Error;

use crate::contact::ParameterError;
use crate::free_body::BodyError;

/// Where in which file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file as it was named.
    pub file: String,
    /// Line, counted from 1.
    pub line: usize,
}

impl std::fmt::Display for Place {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}, line {}", self.file, self.line)
    }
}

/// Why a configuration was refused.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ConfigurationError {
    /// The file cannot be read at all.
    #[error("cannot read the configuration `{file}`: {reason}")]
    Unreadable {
        /// The file.
        file: String,
        /// What the system says.
        reason: String,
    },
    /// Not TOML.
    #[error("{place}: not valid TOML: {reason}")]
    Syntax {
        /// Where.
        place: Place,
        /// What the parser says.
        reason: String,
    },
    /// A key that does not exist.
    #[error("{place}: unknown key `{key}`; did you mean `{nearest}`? Known here: {known}")]
    UnknownKey {
        /// Where.
        place: Place,
        /// The key as written, with its section.
        key: String,
        /// The known key that is most like it.
        nearest: String,
        /// All keys of this section.
        known: String,
    },
    /// A value of another type.
    #[error("{place}: `{key}` is {found}, but must be {expected}")]
    WrongType {
        /// Where.
        place: Place,
        /// The key.
        key: String,
        /// What was found.
        found: String,
        /// What is needed.
        expected: String,
    },
    /// A value that is not allowed.
    #[error("{place}: `{key}` is {value}, but must be {allowed}")]
    NotAllowed {
        /// Where.
        place: Place,
        /// The key.
        key: String,
        /// The value as read.
        value: String,
        /// What is allowed.
        allowed: String,
    },
    /// A value of an earlier version.
    #[error("{place}: `{key}` is {value}, which is gone: use {successor}")]
    Gone {
        /// Where.
        place: Place,
        /// The key.
        key: String,
        /// The value as read.
        value: String,
        /// What to write instead, and what changes.
        successor: String,
    },
    /// A key without default is missing.
    #[error("{place}: `{key}` is missing; give it {expected}")]
    Missing {
        /// The section that lacks it, or the first line where the section is missing too.
        place: Place,
        /// The key.
        key: String,
        /// What it should hold.
        expected: String,
    },
    /// A key that is known, but has no meaning beside the others.
    #[error("{place}: `{key}` has no meaning here: {reason}")]
    Pointless {
        /// Where.
        place: Place,
        /// The key.
        key: String,
        /// Why, and what to do.
        reason: String,
    },
    /// The file of a surface is not there.
    #[error(
        "{place}: `{key}` names `{path}`, which is not a readable file: {reason}; paths are relative to the configuration file"
    )]
    NoSuchFile {
        /// Where.
        place: Place,
        /// The key.
        key: String,
        /// The path that was tried.
        path: String,
        /// What the system says.
        reason: String,
    },
    /// Values that are allowed one by one, but not together.
    #[error("{file}: {source}")]
    Parameters {
        /// The file.
        file: String,
        /// Which parameters and why.
        source: ParameterError,
    },
    /// Numbers of a body that are allowed one by one, but not together.
    #[error("{file}: {source}")]
    Body {
        /// The file.
        file: String,
        /// Which numbers and why.
        source: BodyError,
    },
}
