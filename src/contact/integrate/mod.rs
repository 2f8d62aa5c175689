//! Stages 4 to 6: faces become pieces, the law acts on them, and sums make the outcome.

mod centroid;
mod contact_piece;
mod derivatives;
mod integration;
mod pass;
mod totals;

pub use contact_piece::{ContactPiece, PiecePoint};
pub use derivatives::{DerivativeSums, Derivatives};
pub use integration::integrate;
pub use pass::{Pass, PassMemory, shares};
pub use totals::{AllExtremes, ElementIntegrals, Ranges, Totals};
