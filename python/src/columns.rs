//! What of an outcome goes into which column of a table.

use polycontact::contact::Outcome;
use polycontact::math::Vector;
use pyo3::prelude::*;

/// What the numbers of a column mean in Python.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Real,
    Count,
    Flag,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Real => "real",
            Kind::Count => "count",
            Kind::Flag => "flag",
        }
    }
}

/// One quantity of an outcome.
struct Column {
    name: &'static str,
    kind: Kind,
    write: fn(&Outcome, &mut Vec<f64>),
}

const fn reals(name: &'static str, write: fn(&Outcome, &mut Vec<f64>)) -> Column {
    Column { name, kind: Kind::Real, write }
}

const fn count(name: &'static str, write: fn(&Outcome, &mut Vec<f64>)) -> Column {
    Column { name, kind: Kind::Count, write }
}

const fn flag(name: &'static str, write: fn(&Outcome, &mut Vec<f64>)) -> Column {
    Column { name, kind: Kind::Flag, write }
}

fn vector(row: &mut Vec<f64>, vector: &Vector) {
    row.extend(vector.iter());
}

/// The attributes of a result in Python, in their order.
const COLUMNS: [Column; 28] = [
    reals("force_on_e", |o, row| vector(row, &o.wrenches.on_e.force)),
    reals("torque_on_e", |o, row| vector(row, &o.wrenches.on_e.torque)),
    reals("force_on_f", |o, row| vector(row, &o.wrenches.on_f.force)),
    reals("torque_on_f", |o, row| vector(row, &o.wrenches.on_f.torque)),
    reals("contact_position", |o, row| vector(row, &o.contact_position_e)),
    reals("contact_normal", |o, row| vector(row, &o.contact_normal_e)),
    reals("contact_area", |o, row| row.push(o.contact_area)),
    reals("mean_penetration", |o, row| row.push(o.mean_penetration)),
    reals("max_penetration", |o, row| row.push(o.max_penetration)),
    reals("mean_normal_velocity", |o, row| row.push(o.normal_velocity.mean)),
    reals("max_normal_velocity", |o, row| row.push(o.normal_velocity.max)),
    reals("mean_tangential_velocity", |o, row| row.push(o.tangential_velocity.mean)),
    reals("max_tangential_velocity", |o, row| row.push(o.tangential_velocity.max)),
    reals("mean_normal_stress", |o, row| row.push(o.normal_stress.mean)),
    reals("max_normal_stress", |o, row| row.push(o.normal_stress.max)),
    reals("mean_tangential_stress", |o, row| row.push(o.tangential_stress.mean)),
    reals("max_tangential_stress", |o, row| row.push(o.tangential_stress.max)),
    reals("elastic_energy", |o, row| row.push(o.elastic_energy)),
    reals("dissipated_power", |o, row| row.push(o.dissipated_power)),
    count("patch_count", |o, row| row.push(f64::from(o.patch_count))),
    count("element_count", |o, row| row.push(f64::from(o.element_count))),
    count("polygon_count", |o, row| row.push(f64::from(o.polygon_count))),
    flag("in_contact", |o, row| row.push(f64::from(u8::from(o.in_contact)))),
    flag("enclosed", |o, row| row.push(f64::from(u8::from(o.enclosed)))),
    flag("border_in_contact", |o, row| row.push(f64::from(u8::from(o.border_in_contact)))),
    flag("defect_in_contact", |o, row| row.push(f64::from(u8::from(o.defect_in_contact)))),
    flag("beyond_layer", |o, row| row.push(f64::from(u8::from(o.beyond_layer)))),
    flag("beyond_half_thickness", |o, row| row.push(f64::from(u8::from(o.beyond_half_thickness)))),
];

/// Numbers of stiffness and damping, which follow where they are asked for.
pub const DERIVATIVES: usize = 72;

/// Numbers in a row without them.
pub fn width() -> usize {
    row(&Outcome::default()).len()
}

/// The row of an outcome.
pub fn row(outcome: &Outcome) -> Vec<f64> {
    let mut row = Vec::new();
    COLUMNS.iter().for_each(|column| (column.write)(outcome, &mut row));
    row
}

/// Name, numbers and kind of each column.
#[pyfunction]
pub fn columns() -> Vec<(&'static str, usize, &'static str)> {
    let outcome = Outcome::default();
    let numbers = |column: &Column| {
        let mut row = Vec::new();
        (column.write)(&outcome, &mut row);
        row.len()
    };
    COLUMNS.iter().map(|column| (column.name, numbers(column), column.kind.name())).collect()
}
