//! Why a matrix, node or surface file was refused: file, line, and what is wrong.

use thiserror::Error;

/// A problem with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct MatrixFileError {
    /// The file.
    pub file: String,
    /// Counted from 1; 0 where the whole file is meant.
    pub line: usize,
    /// What is wrong.
    pub problem: Problem,
}

impl std::fmt::Display for MatrixFileError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            0 => write!(formatter, "{}: {}", self.file, self.problem),
            line => write!(formatter, "{}, line {line}: {}", self.file, self.problem),
        }
    }
}

impl std::error::Error for MatrixFileError {}

/// A problem and its line.
#[derive(Clone, Debug, PartialEq)]
pub struct Located {
    /// Counted from 1; 0 where the whole file is meant.
    pub line: usize,
    /// What is wrong.
    pub problem: Problem,
}

impl Located {
    pub(super) fn within(self, file: &str) -> MatrixFileError {
        MatrixFileError { file: file.to_owned(), line: self.line, problem: self.problem }
    }
}

/// What is wrong with a file.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum Problem {
    /// It cannot be read at all.
    #[error("cannot be read: {reason}")]
    Unreadable {
        /// What the system says.
        reason: String,
    },
    /// The first line is another one.
    #[error(
        "the first line is `{found}`, but must be `%%MatrixMarket matrix coordinate real symmetric` or `... general`"
    )]
    Header {
        /// The line.
        found: String,
    },
    /// A line that cannot be understood.
    #[error("`{found}` is not {expected}")]
    Unexpected {
        /// The line or word.
        found: String,
        /// What should be there.
        expected: &'static str,
    },
    /// The file ends early.
    #[error("the file ends after {found} of {announced} {what}; it seems to be truncated")]
    Truncated {
        /// How many there are.
        found: usize,
        /// How many there should be.
        announced: usize,
        /// What is counted.
        what: &'static str,
    },
    /// More than announced.
    #[error("there are more than the announced {announced} entries")]
    TooMany {
        /// How many there should be.
        announced: usize,
    },
    /// More than can be.
    #[error("{announced} entries are announced, but the file has room for at most {possible}")]
    Announced {
        /// How many there should be.
        announced: usize,
        /// By the size of the file.
        possible: usize,
    },
    /// Not square.
    #[error("the matrix has {rows} rows and {columns} columns, but must be square")]
    NotSquare {
        /// Rows.
        rows: usize,
        /// Columns.
        columns: usize,
    },
    /// Another size than the nodes need.
    #[error("the matrix has {size} rows, but {nodes} nodes have {expected} displacements, three each")]
    WrongSize {
        /// Rows of the matrix.
        size: usize,
        /// Nodes of the node file.
        nodes: usize,
        /// Three times that.
        expected: usize,
    },
    /// An index that does not exist.
    #[error("index {index} is out of range; {what} are counted from {first} to {last}")]
    OutOfRange {
        /// As written.
        index: i128,
        /// Rows, columns or nodes.
        what: &'static str,
        /// Lowest.
        first: usize,
        /// Highest.
        last: usize,
    },
    /// A number that is none.
    #[error("`{found}` is not a finite number")]
    NotFinite {
        /// As written.
        found: String,
    },
    /// A place that is given twice.
    #[error("the entry at row {row}, column {column} is given twice; add such entries up before the export")]
    Duplicate {
        /// Counted from 1.
        row: usize,
        /// Counted from 1.
        column: usize,
    },
    /// A node that is given twice.
    #[error("node {number} is given twice")]
    DuplicateNode {
        /// As written.
        number: u64,
    },
    /// Not symmetric.
    #[error(
        "the matrix is not symmetric: row {row}, column {column} is {value:e}, but row {column}, column {row} is \
         {mirrored:e}, a difference of {difference:.1e}"
    )]
    NotSymmetric {
        /// Counted from 1.
        row: usize,
        /// Counted from 1.
        column: usize,
        /// Below the diagonal.
        value: f64,
        /// Above it.
        mirrored: f64,
        /// Between them.
        difference: f64,
    },
    /// The file holds nothing.
    #[error("there are no {what}")]
    Empty {
        /// Nodes or triangles.
        what: &'static str,
    },
}

impl Problem {
    pub(super) fn at(self, line: usize) -> Located {
        Located { line, problem: self }
    }
}
