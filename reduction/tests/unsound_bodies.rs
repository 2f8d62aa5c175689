//! Bodies that cannot be reduced.

use crate::brick_block::{Block, settings};
use polycontact_reduction::craig_bampton::reduce;
use polycontact_reduction::error::ReductionError;
use polycontact_reduction::finite_element_model::{FiniteElementModel, SymmetricMatrix};
use polycontact_reduction::linear_algebra::MatrixBuilder;

/// Two blocks that share one corner: a ball joint.
fn jointed_blocks() -> FiniteElementModel {
    let mut model = Block { divisions: [3, 3, 3], ..Default::default() }.model();
    let nodes = model.node_positions.len();
    let corner = model.node_positions[nodes - 1];
    let place = |node: usize| nodes - 1 + node;
    let joined = |matrix: &SymmetricMatrix| {
        let mut builder = MatrixBuilder::new(3 * (2 * nodes - 1));
        for column in 0..matrix.size() {
            for entry in matrix.column_starts[column]..matrix.column_starts[column + 1] {
                let (row, value) = (matrix.rows[entry], matrix.values[entry]);
                builder.add(row, column, value);
                builder.add(3 * place(row / 3) + row % 3, 3 * place(column / 3) + column % 3, value);
            }
        }
        builder.build()
    };
    (model.mass, model.stiffness) = (joined(&model.mass), joined(&model.stiffness));
    let others: Vec<[f64; 3]> =
        model.node_positions[1..].iter().map(|p| [p[0] + corner[0], p[1] + corner[1], p[2] + corner[2]]).collect();
    model.node_positions.extend(others);
    let shifted = model.surface.iter().map(|face| face.map(|node| place(node as usize) as u32));
    model.surface = model.surface.iter().copied().chain(shifted).collect();
    model
}

#[test]
fn a_mechanism_is_refused() {
    let error = reduce(&jointed_blocks(), &settings(6e4), &mut |_| ()).unwrap_err();
    assert!(matches!(error, ReductionError::Mechanism { frequency } if frequency < 1.0), "{error}");
}

#[test]
fn a_node_without_mass_is_named() {
    let mut model = Block::default().model();
    let start = model.mass.column_starts[3 * 7 + 2];
    model.mass.values[start] = -1e-3;
    let error = reduce(&model, &settings(6e4), &mut |_| ()).unwrap_err();
    assert_eq!(error, ReductionError::NotPositiveDefinite { matrix: "mass matrix", node: 7, axis: 'z' });
}

#[test]
fn a_mass_that_differs_between_directions_is_refused() {
    let mut model = Block::default().model();
    for column in (0..model.mass.size()).step_by(3) {
        let range = model.mass.column_starts[column]..model.mass.column_starts[column + 1];
        model.mass.values[range].iter_mut().for_each(|value| *value *= 1.01);
    }
    let error = reduce(&model, &settings(6e4), &mut |_| ()).unwrap_err();
    assert!(error.to_string().starts_with("the body's mass differs between directions"), "{error}");
}

#[test]
fn matrices_of_another_size_and_numbers_that_are_none_are_refused() {
    let message = |change: &dyn Fn(&mut FiniteElementModel)| {
        let mut model = Block { divisions: [2, 2, 2], ..Default::default() }.model();
        change(&mut model);
        reduce(&model, &settings(6e4), &mut |_| ()).unwrap_err().to_string()
    };
    let start = "the finite-element model is not consistent: ";
    let found = message(&|model| model.node_positions.truncate(20));
    assert_eq!(found, format!("{start}the stiffness matrix has 81 rows, but 20 nodes have 60"));
    let found = message(&|model| model.mass.values[4] = f64::NAN);
    assert_eq!(found, format!("{start}the mass matrix has an entry that is NaN"));
    let found = message(&|model| model.surface[0][0] = 27);
    assert_eq!(found, format!("{start}the surface or a group names node 27, but there are 27, counted from 0"));
}

#[test]
fn contact_nodes_that_span_no_area_are_refused() {
    let mut model = Block::default().model();
    let mut settings = settings(6e4);
    // A surface that has nothing but a needle.
    model.surface = vec![[0, 1, 2]];
    settings.contact.group = None;
    let error = reduce(&model, &settings, &mut |_| ()).unwrap_err();
    assert_eq!(error, ReductionError::CollinearContactNodes { count: 3 });
}
