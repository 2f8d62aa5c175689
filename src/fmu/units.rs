//! Units of the variables, with their SI base units.

/// A unit as `UnitDefinitions` wants it: a name and the exponents of its SI base units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// Name, as in `unit` of a variable.
    pub name: &'static str,
    /// Exponent of the kilogram.
    pub kg: i32,
    /// Exponent of the metre.
    pub m: i32,
    /// Exponent of the second.
    pub s: i32,
    /// Exponent of the radian.
    pub rad: i32,
    /// Factor to the base units.
    pub factor: f64,
}

const fn unit(name: &'static str, kg: i32, m: i32, s: i32, rad: i32) -> Unit {
    Unit { name, kg, m, s, rad, factor: 1.0 }
}

/// Every unit that a variable has; offset 0 to the base unit throughout.
pub const UNITS: [Unit; 30] = [
    unit("1", 0, 0, 0, 0),
    unit("rad", 0, 0, 0, 1),
    Unit { factor: std::f64::consts::PI / 180.0, ..unit("deg", 0, 0, 0, 1) },
    unit("kg", 1, 0, 0, 0),
    unit("kg.m2", 1, 2, 0, 0),
    unit("s", 0, 0, 1, 0),
    unit("m", 0, 1, 0, 0),
    unit("m2", 0, 2, 0, 0),
    unit("m2/s", 0, 2, -1, 0),
    unit("m/s", 0, 1, -1, 0),
    unit("m/s2", 0, 1, -2, 0),
    unit("rad/s", 0, 0, -1, 1),
    unit("rad/s2", 0, 0, -2, 1),
    unit("s/m", 0, -1, 1, 0),
    unit("N", 1, 1, -2, 0),
    unit("N.m", 1, 2, -2, 0),
    unit("N/m", 1, 0, -2, 0),
    unit("Pa", 1, -1, -2, 0),
    unit("N/m3", 1, -2, -2, 0),
    unit("N.s/m3", 1, -2, -1, 0),
    unit("J", 1, 2, -2, 0),
    unit("W", 1, 2, -3, 0),
    unit("N/rad", 1, 1, -2, -1),
    unit("N.m/rad", 1, 2, -2, -1),
    unit("N.s/m", 1, 0, -1, 0),
    unit("N.s/rad", 1, 1, -1, -1),
    unit("N.s", 1, 1, -1, 0),
    unit("N.m.s/rad", 1, 2, -1, -1),
    unit("kg.m2/s", 1, 2, -1, 0),
    unit("1/s", 0, 0, -1, 0),
];
