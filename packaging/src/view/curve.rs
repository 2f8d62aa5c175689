//! Force and area over depth in the middle position, as a plot and as a table.

use polycontact_plot::{Line, Panel, to_svg};

use super::grid::Grid;
use super::samples::Sample;

/// Depths in m and what acts there, in the middle position.
fn middle(grid: &Grid) -> impl Iterator<Item = (f64, &Sample)> {
    let count = grid.depths.len();
    let first = grid.start[1] * count;
    grid.depths.iter().copied().zip(&grid.samples[first..first + count])
}

/// The plot as SVG.
pub fn svg(grid: &Grid) -> String {
    let line = |y: &dyn Fn(&Sample) -> f64| {
        vec![Line { name: "", points: middle(grid).map(|(depth, sample)| (1e3 * depth, y(sample))).collect() }]
    };
    let x_label = "depth along the approach / mm";
    to_svg(&[
        Panel {
            title: "Contact force",
            x_label,
            y_label: "force / N",
            lines: line(&|sample| sample.outcome.wrenches.on_e.force.norm()),
        },
        Panel {
            title: "Contact area",
            x_label,
            y_label: "area / mm²",
            lines: line(&|sample| 1e6 * sample.outcome.contact_area),
        },
    ])
}

/// The table as comma-separated values in SI units; wrench and position are those of E, resolved in M_e.
pub fn csv(grid: &Grid) -> String {
    let mut text = "depth,forceX,forceY,forceZ,torqueX,torqueY,torqueZ,area,maxPenetration,patches\n".to_owned();
    for (depth, sample) in middle(grid) {
        let outcome = &sample.outcome;
        let [force, torque] = [outcome.wrenches.on_e.force, outcome.wrenches.on_e.torque];
        let numbers = [depth, force.x, force.y, force.z, torque.x, torque.y, torque.z];
        let numbers = numbers.into_iter().chain([outcome.contact_area, outcome.max_penetration]);
        let numbers: Vec<String> = numbers.map(|number| format!("{number:e}")).collect();
        text += &format!("{},{}\n", numbers.join(","), outcome.patch_count);
    }
    text
}
