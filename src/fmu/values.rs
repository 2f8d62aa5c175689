//! The values of all variables of one instance, by base type.

use std::ffi::CString;

/// The value of one variable.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Real.
    Real(f64),
    /// Integer or enumeration.
    Integer(i32),
    /// Boolean.
    Boolean(bool),
    /// String.
    String(CString),
}

/// One value per variable, and what the model remembers besides. Variable `i` of a type is at
/// [`super::Variable::slot`] of its vector.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Values {
    pub(crate) reals: Vec<f64>,
    pub(crate) integers: Vec<i32>,
    pub(crate) booleans: Vec<bool>,
    pub(crate) strings: Vec<CString>,
    /// Numbers that are no variables, such as modal coordinates; empty at the start, and always
    /// in models without memory.
    pub(crate) memory: Vec<f64>,
    /// What the exchange with a host remembers, apart from the model; empty unless there is one.
    pub(crate) exchange: Vec<f64>,
}
