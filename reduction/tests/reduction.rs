//! The reduced body against the full model and against theory.

use std::f64::consts::PI;

use crate::brick_block::{Block, full_modes, settings};
use polycontact_reduction::contact_selection::ContactSelection;
use polycontact_reduction::craig_bampton::{Directions, Modes, Split, reduce};
use polycontact_reduction::error::ReductionError;
use polycontact_reduction::finite_element_model::FiniteElementModel;
use polycontact_reduction::reduced_body::ReducedBody;

fn reduced(
    model: &FiniteElementModel,
    settings: &polycontact_reduction::craig_bampton::ReductionSettings,
) -> ReducedBody {
    reduce(model, settings, &mut |_| ()).unwrap()
}

/// A load at the contact nodes that neither pushes nor turns the body: arbitrary forces less their best rigid fit.
fn balanced_load(body: &ReducedBody, directions: Directions) -> Vec<[f64; 3]> {
    let nodes = &body.contact_nodes;
    // Loads along z of a plane patch: remove the fit a + b x + c y (least squares by Gram-Schmidt).
    let axes: &[usize] = if directions == Directions::Normal { &[2] } else { &[0, 1, 2] };
    let size = 3 * nodes.len();
    let mut rigid: Vec<Vec<f64>> = Vec::new();
    for motion in 0..6 {
        let mut field = vec![0.0; size];
        for (node, [x, y, z]) in nodes.iter().enumerate() {
            let vector = match motion {
                0 => [1.0, 0.0, 0.0],
                1 => [0.0, 1.0, 0.0],
                2 => [0.0, 0.0, 1.0],
                3 => [0.0, -z, *y],
                4 => [*z, 0.0, -x],
                _ => [-y, *x, 0.0],
            };
            axes.iter().for_each(|axis| field[3 * node + axis] = vector[*axis]);
        }
        for other in &rigid {
            let overlap: f64 = field.iter().zip(other).map(|(a, b)| a * b).sum();
            field.iter_mut().zip(other).for_each(|(a, b)| *a -= overlap * b);
        }
        let norm = field.iter().map(|a| a * a).sum::<f64>().sqrt();
        if 1e-9 < norm {
            rigid.push(field.iter().map(|a| a / norm).collect());
        }
    }
    let mut load = vec![0.0; size];
    for node in 0..nodes.len() {
        axes.iter().for_each(|axis| load[3 * node + axis] = ((3 * node + axis) as f64 * 1.7).sin());
    }
    for _ in 0..2 {
        for other in &rigid {
            let overlap: f64 = load.iter().zip(other).map(|(a, b)| a * b).sum();
            load.iter_mut().zip(other).for_each(|(a, b)| *a -= overlap * b);
        }
    }
    load.chunks_exact(3).map(|v| [v[0], v[1], v[2]]).collect()
}

fn static_response(shapes: &[Vec<[f64; 3]>], angular_frequencies: &[f64], load: &[[f64; 3]]) -> Vec<[f64; 3]> {
    let mut response = vec![[0.0; 3]; load.len()];
    for (shape, frequency) in shapes.iter().zip(angular_frequencies) {
        let force: f64 = shape.iter().zip(load).map(|(s, f)| (0..3).map(|k| s[k] * f[k]).sum::<f64>()).sum();
        for (response, shape) in response.iter_mut().zip(shape) {
            (0..3).for_each(|k| response[k] += force / frequency.powi(2) * shape[k]);
        }
    }
    response
}

fn top_nodes(model: &FiniteElementModel) -> Vec<usize> {
    model.node_groups["top"].iter().map(|node| *node as usize).collect()
}

/// For loads at contact coordinates, static shapes hold the exact answer.
#[test]
fn static_compliance_equals_the_full_solution() {
    let model = Block::default().model();
    let (frequencies, modes) = full_modes(&model);
    let nodes = top_nodes(&model);
    let elastic: Vec<Vec<[f64; 3]>> = (6..frequencies.len())
        .map(|mode| nodes.iter().map(|node| [0, 1, 2].map(|axis| modes[(3 * node + axis, mode)])).collect())
        .collect();
    for (directions, modes) in [
        (Directions::Normal, Modes::Below(6e4)),
        (Directions::All, Modes::Below(6e4)),
        (Directions::All, Modes::Count(0)),
    ] {
        let mut settings = settings(6e4);
        (settings.directions, settings.modes) = (directions, modes);
        let body = reduced(&model, &settings);
        let load = balanced_load(&body, directions);
        let expected = static_response(&elastic, &frequencies[6..], &load);
        let found = static_response(&body.modes, &body.angular_frequencies, &load);
        let axes: &[usize] = if directions == Directions::Normal { &[2] } else { &[0, 1, 2] };
        let scale = expected.iter().flatten().fold(0.0f64, |a, b| a.max(b.abs()));
        for (expected, found) in expected.iter().zip(&found) {
            for axis in axes {
                assert!((expected[*axis] - found[*axis]).abs() < 1e-8 * scale, "{directions:?} {expected:?} {found:?}");
            }
        }
    }
}

/// Rayleigh and Ritz: reduced frequencies are never below the full ones, and low ones agree.
#[test]
fn low_frequencies_are_those_of_the_full_model() {
    let model = Block::default().model();
    let (full, _) = full_modes(&model);
    for modes in [Modes::Below(1.2e5), Modes::Count(30)] {
        let mut settings = settings(0.0);
        settings.modes = modes;
        let body = reduced(&model, &settings);
        let low = &body.angular_frequencies[..body.angular_frequencies.len().min(8)];
        for (found, expected) in low.iter().zip(&full[6..]) {
            let excess = found / expected - 1.0;
            // Half a percent: modes are kept up to about twice the highest of these frequencies.
            assert!(-1e-9 < excess && excess < 5e-3, "{found} {expected}");
        }
        for (index, found) in body.angular_frequencies.iter().enumerate() {
            assert!(full[6 + index] * (1.0 - 1e-7) < *found);
        }
    }
}

/// Without Poisson's ratio a block vibrates along its length as a bar of linear elements, whose frequencies are known
/// in closed form.
#[test]
fn longitudinal_frequencies_are_those_of_a_bar() {
    let block = Block { size: [0.01, 0.012, 0.2], divisions: [2, 2, 24], poissons_ratio: 0.0, ..Default::default() };
    let body = reduced(&block.model(), &settings(1.5e5));
    let speed = (block.youngs_modulus / block.density).sqrt();
    let edge = 0.2 / 24.0;
    for order in 1..4 {
        let phase = order as f64 * PI / 24.0;
        let discrete = speed / edge * (6.0 * (1.0 - phase.cos()) / (2.0 + phase.cos())).sqrt();
        let continuous = order as f64 * PI * speed / 0.2;
        // (kh)²/24 is the error of linear elements.
        assert!((discrete / continuous - 1.0).abs() < phase * phase / 20.0);
        let nearest = body.angular_frequencies.iter().map(|f| (f / discrete - 1.0).abs()).fold(1.0, f64::min);
        // The reduction keeps modes up to ten times the first frequency; its error grows with the square.
        assert!(nearest < 5e-5 * (order * order) as f64, "order {order}: {nearest:e}");
    }
}

#[test]
fn mass_properties_are_those_of_a_block() {
    let block = Block::default();
    let body = reduced(&block.model(), &settings(3e4));
    let [a, b, c] = block.size;
    let mass = block.density * a * b * c;
    assert!((body.mass / mass - 1.0).abs() < 1e-12);
    for (found, expected) in body.centre_of_mass.iter().zip([a / 2.0, b / 2.0, c / 2.0]) {
        assert!((found - expected).abs() < 1e-14);
    }
    for (axis, squares) in [b * b + c * c, a * a + c * c, a * a + b * b].iter().enumerate() {
        // Bricks with linear shapes integrate linear fields exactly.
        assert!((body.inertia[axis][axis] / (mass * squares / 12.0) - 1.0).abs() < 1e-11);
        assert!(body.inertia[axis][(axis + 1) % 3].abs() < 1e-12 * mass * squares);
    }
}

/// Buckens: no mode carries momentum, so that C_t and C_r vanish in the undeformed state.
#[test]
fn modes_carry_no_momentum() {
    let model = Block::default().model();
    for directions in [Directions::Normal, Directions::All] {
        let mut settings = settings(6e4);
        settings.directions = directions;
        let body = reduced(&model, &settings);
        assert!(body.summary.modal_momentum < 1e-10, "{:e}", body.summary.modal_momentum);
        let static_shapes = body.contact_nodes.len() * if directions == Directions::All { 3 } else { 1 };
        assert_eq!(body.summary.static_shapes, static_shapes);
        assert_eq!(body.modes.len(), body.summary.fixed_interface_modes + static_shapes - 6);
        assert_eq!(body.modes.len(), body.angular_frequencies.len());
        assert!(body.angular_frequencies.windows(2).all(|pair| pair[0] <= pair[1]));
    }
}

#[test]
fn the_split_follows_frequency_or_coupling() {
    let model = Block::default().model();
    let mut settings = settings(6e4);
    let body = reduced(&model, &settings);
    let below = |hertz: f64| body.angular_frequencies.iter().filter(|f| **f < 2.0 * PI * hertz).count();
    assert_eq!(body.low_frequency_modes, below(6e4));
    settings.split = Split::Frequency(4e4);
    assert_eq!(reduced(&model, &settings).low_frequency_modes, below(4e4));
    settings.split = Split::Coupling(0.1);
    let coarse = reduced(&model, &settings).low_frequency_modes;
    settings.split = Split::Coupling(0.01);
    let fine = reduced(&model, &settings).low_frequency_modes;
    assert!(0 < coarse && coarse <= fine && fine <= body.modes.len(), "{coarse} {fine}");
}

#[test]
fn the_same_body_gives_the_same_bits() {
    let model = Block { divisions: [9, 6, 6], ..Default::default() }.model();
    let [mut first, mut second] = [(); 2].map(|()| reduced(&model, &settings(8e4)));
    (first.summary.seconds, second.summary.seconds) = (0.0, 0.0);
    assert_eq!(first, second);
}

#[test]
fn a_group_that_is_missing_is_named_with_those_that_exist() {
    let mut settings = settings(6e4);
    settings.contact.group = Some("tip".to_owned());
    let error = reduce(&Block::default().model(), &settings, &mut |_| ()).unwrap_err();
    assert_eq!(error.to_string(), "the model has no group `tip`; there are: `bottom`, `top`");
}

#[test]
fn conditions_combine() {
    let block = Block::default();
    let model = block.model();
    let mut settings = settings(3e4);
    settings.contact = ContactSelection {
        group: None,
        within_box: Some([[0.0, 0.0, 0.0], [0.05, 1.0, 1.0]]),
        within_sphere: Some(([0.04, 0.02, 0.05], 0.03)),
        facing: Some(([0.0, 0.0, 2.0], 10f64.to_radians())),
    };
    let patch = settings.contact.select(&model).unwrap();
    assert!(!patch.nodes.is_empty() && patch.nodes.len() < model.node_groups["top"].len());
    for (node, normal) in patch.nodes.iter().zip(&patch.normals) {
        let [x, y, z] = model.node_positions[*node as usize];
        assert!(z == block.size[2] && x <= 0.05 && (x - 0.04).hypot(y - 0.02) <= 0.03);
        assert!((normal[2] - 1.0).abs() < 1e-14);
    }
    settings.contact.within_box = Some([[1.0; 3], [2.0; 3]]);
    let error = reduce(&model, &settings, &mut |_| ()).unwrap_err();
    assert!(error.to_string().starts_with("no contact nodes: 0 nodes fulfil the conditions (box from"), "{error}");
}

#[test]
fn a_held_body_is_refused() {
    let mut model = Block::default().model();
    let column = 3 * 5 + 1;
    let start = model.stiffness.column_starts[column];
    model.stiffness.values[start] *= 2.0;
    let error = reduce(&model, &settings(6e4), &mut |_| ()).unwrap_err();
    assert!(matches!(&error, ReductionError::NotFree { node: 5, .. }), "{error}");
}

#[test]
fn loose_parts_and_mechanisms_are_refused() {
    let block = Block::default();
    let mut model = block.model();
    // Cut one corner node off: no stiffness couples it.
    let corner = block.node(0, 0, 0);
    for column in 0..model.stiffness.size() {
        for entry in model.stiffness.column_starts[column]..model.stiffness.column_starts[column + 1] {
            if column / 3 == corner || model.stiffness.rows[entry] / 3 == corner {
                model.stiffness.values[entry] = 0.0;
            }
        }
    }
    let error = reduce(&model, &settings(6e4), &mut |_| ()).unwrap_err();
    assert_eq!(error, ReductionError::Unconnected { parts: 2, smallest: 1, node: corner });
}
