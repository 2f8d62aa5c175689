//! The two bodies of a pair.

use std::fmt;
use std::ops::{Index, IndexMut};

/// One of the two bodies of a pair. It indexes lists that hold E first, then F.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Body {
    /// Body E.
    E,
    /// Body F.
    F,
}

impl Body {
    /// Both, in order.
    pub const BOTH: [Body; 2] = [Body::E, Body::F];

    /// The other one.
    #[inline]
    pub fn other(self) -> Self {
        match self {
            Body::E => Body::F,
            Body::F => Body::E,
        }
    }
}

impl fmt::Display for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Body::E => "E",
            Body::F => "F",
        })
    }
}

impl<T> Index<Body> for [T; 2] {
    type Output = T;

    #[inline]
    fn index(&self, body: Body) -> &T {
        &self[body as usize]
    }
}

impl<T> IndexMut<Body> for [T; 2] {
    #[inline]
    fn index_mut(&mut self, body: Body) -> &mut T {
        &mut self[body as usize]
    }
}
