//! Why an archive was refused: what, where, and what to do.

use thiserror::Error;

use super::MOST_BYTES;

/// Why an archive was refused.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{}{defect}", file.as_ref().map(|file| format!("`{file}`: ")).unwrap_or_default())]
pub struct ArchiveError {
    /// The file, where there is one.
    pub file: Option<String>,
    /// What is wrong with it.
    pub defect: ArchiveDefect,
}

/// What is wrong with an archive. Arrays are named as in the archive; indices count from 0.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ArchiveDefect {
    /// The file cannot be opened or read.
    #[error("cannot be read: {reason}; check the path and the permissions")]
    Unreadable {
        /// What the operating system says.
        reason: String,
    },
    /// More bytes than the stated limit.
    #[error("has more than {} MiB, packed or unpacked; choose fewer contact nodes or modes", MOST_BYTES >> 20)]
    TooLarge,
    /// No ZIP archive, or a damaged one.
    #[error("is not a NumPy archive (.npz): {reason}; write it with `reduce` or `numpy.savez`")]
    NotAnArchive {
        /// What is wrong.
        reason: String,
    },
    /// An array is missing.
    #[error("the array `{array}` is missing; write the archive with `reduce`, or add the array")]
    Missing {
        /// Its name.
        array: &'static str,
    },
    /// An array has the wrong type, shape or bytes.
    #[error("the array `{array}` {problem}")]
    Malformed {
        /// Its name.
        array: &'static str,
        /// What is wrong.
        problem: String,
    },
    /// A value that is not allowed.
    #[error("`{array}`{place} {problem}")]
    Value {
        /// Name of the array.
        array: &'static str,
        /// Where in it, with a leading separator; empty for single numbers.
        place: String,
        /// What is wrong, and what is allowed.
        problem: String,
    },
}

impl From<ArchiveDefect> for ArchiveError {
    fn from(defect: ArchiveDefect) -> Self {
        ArchiveError { file: None, defect }
    }
}

/// Shorthand for [`ArchiveDefect::Malformed`].
pub(super) fn malformed(array: &'static str, problem: impl Into<String>) -> ArchiveDefect {
    ArchiveDefect::Malformed { array, problem: problem.into() }
}

/// Shorthand for [`ArchiveDefect::Value`]; the place is `[index]` after the name.
pub(in super::super) fn bad_value(array: &'static str, index: &[usize], problem: impl Into<String>) -> ArchiveDefect {
    let index: Vec<String> = index.iter().map(usize::to_string).collect();
    let place = if index.is_empty() { String::new() } else { format!("[{}]", index.join(", ")) };
    ArchiveDefect::Value { array, place, problem: problem.into() }
}
