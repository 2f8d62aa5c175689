//! Stages 4 to 6: faces become pieces, the law acts on them, and sums make the outcome.

mod centroid;
mod change_report;
mod contact_piece;
pub mod derivatives;
mod integration;
mod middle;
mod pass;
pub mod peaks;
pub mod totals;
mod way_out;

pub use change_report::Derivatives;
pub use contact_piece::{ContactPiece, PiecePoint};
pub use derivatives::{DerivativeScope, LawNumber};
pub use integration::integrate;
pub use pass::{Pass, PassMemory, is_beyond_half_thickness, shares};
pub use totals::{AllExtremes, ElementIntegrals, Ranges, Totals};
