//! What unit tests share with the integration tests: random poses and slow twins of the searches.
#![allow(dead_code)]

#[path = "../tests/support/brute_force.rs"]
pub mod brute_force;
#[path = "../tests/support/pairs.rs"]
mod pairs;
#[path = "../tests/support/random.rs"]
pub mod random;

pub use pairs::{pairs, random_or_degenerate_pose};
