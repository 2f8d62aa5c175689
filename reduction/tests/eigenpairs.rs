//! Lanczos iteration and counting against the dense solution.

use crate::brick_block::{Block, full_modes};
use polycontact_reduction::linear_algebra::{
    EigenError, Eigenpairs, SymbolicFactorization, Wanted, combination, lowest_eigenpairs, product, transposed_product,
};

const SHIFT: f64 = 1e8;

fn cube() -> Block {
    // Equal edges: many frequencies are double or triple.
    Block { size: [0.05; 3], divisions: [6; 3], ..Default::default() }
}

fn eigenpairs(block: &Block, wanted: Wanted, limit: usize) -> Result<Eigenpairs, EigenError> {
    let model = block.model();
    let shifted = combination(&model.stiffness, SHIFT, &model.mass);
    let symbolic = SymbolicFactorization::new(&shifted, None)?;
    let factor = symbolic.factorize(&shifted)?;
    lowest_eigenpairs(&model.stiffness, &model.mass, &symbolic, &factor, SHIFT, wanted, limit, &mut |_, _| ())
}

#[test]
fn all_pairs_of_a_symmetric_body_are_found() {
    let (full, _) = full_modes(&cube().model());
    for wanted in [Wanted::Below(full[60] * full[60] * 1.0001), Wanted::Count(61)] {
        let pairs = eigenpairs(&cube(), wanted, 500).unwrap();
        let expected = match wanted {
            Wanted::Below(bound) => full.iter().filter(|frequency| **frequency * **frequency <= bound).count(),
            Wanted::Count(count) => count,
        };
        assert_eq!(pairs.values.len(), expected);
        // ω² of the six rigid motions is rounding of the largest ω².
        assert!(
            pairs.values[..6].iter().all(|value| value.abs() < 1e-9 * full[6] * full[6]),
            "{:?}",
            &pairs.values[..6]
        );
        for (found, expected) in pairs.values.iter().zip(&full).skip(6) {
            assert!((found.sqrt() / expected - 1.0).abs() < 1e-9, "{found} {expected}");
        }
        let model = cube().model();
        let gram = transposed_product(pairs.vectors.matrix(), product(&model.mass, pairs.vectors.matrix()).matrix());
        for row in 0..expected {
            for column in 0..expected {
                let identity = if row == column { 1.0 } else { 0.0 };
                assert!((gram[(row, column)] - identity).abs() < 1e-10);
            }
        }
    }
}

#[test]
fn too_many_pairs_are_counted_before_they_are_computed() {
    let (full, _) = full_modes(&cube().model());
    let error = eigenpairs(&cube(), Wanted::Below(full[100].powi(2) * 1.0001), 50).unwrap_err();
    let count = full.iter().filter(|frequency| **frequency <= full[100] * 1.00005).count();
    assert_eq!(error, EigenError::TooMany { count, limit: 50 });
}

#[test]
fn signs_of_pivots_count_eigenvalues() {
    let model = cube().model();
    let (full, _) = full_modes(&model);
    let symbolic = SymbolicFactorization::new(&model.stiffness, None).unwrap();
    for index in [6, 20, 99, 300] {
        let bound = full[index].powi(2) * 1.00001;
        let expected = full.iter().filter(|frequency| frequency.powi(2) < bound).count();
        let matrix = combination(&model.stiffness, -bound, &model.mass);
        assert_eq!(symbolic.count_negative_eigenvalues(&matrix).unwrap(), expected);
    }
}
