//! Dense linear algebra on slices, without allocation.

/// Σ aᵢ bᵢ in a fixed order that the compiler can vectorise.
#[inline]
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    const LANES: usize = 8;
    let mut sums = [0.0; LANES];
    let (a_blocks, b_blocks) = (a.chunks_exact(LANES), b.chunks_exact(LANES));
    let rest: f64 = a_blocks.remainder().iter().zip(b_blocks.remainder()).map(|(x, y)| x * y).sum();
    for (x, y) in a_blocks.zip(b_blocks) {
        for lane in 0..LANES {
            sums[lane] += x[lane] * y[lane];
        }
    }
    sums.iter().sum::<f64>() + rest
}

/// `target += factor · source`.
#[inline]
pub(super) fn add_scaled(target: &mut [f64], factor: f64, source: &[f64]) {
    for (x, y) in target.iter_mut().zip(source) {
        *x += factor * y;
    }
}

/// Solves a symmetric positive definite system in place: the lower triangle of `matrix` (rows of length `right.len()`)
/// becomes its Cholesky factor, `right` the solution. False where the matrix is not positive definite.
pub(super) fn solve_positive_definite(matrix: &mut [f64], right: &mut [f64]) -> bool {
    let n = right.len();
    for i in 0..n {
        let (above, row) = matrix.split_at_mut(i * n);
        let row = &mut row[..=i];
        for j in 0..i {
            let other = &above[j * n..j * n + j + 1];
            row[j] = (row[j] - dot(&row[..j], &other[..j])) / other[j];
        }
        let pivot = row[i] - dot(&row[..i], &row[..i]);
        if !(pivot > 0.0 && pivot.is_finite()) {
            return false;
        }
        row[i] = pivot.sqrt();
    }
    for i in 0..n {
        let row = &matrix[i * n..i * n + i + 1];
        right[i] = (right[i] - dot(&row[..i], &right[..i])) / row[i];
    }
    for i in (0..n).rev() {
        let row = &matrix[i * n..i * n + i + 1];
        let x = right[i] / row[i];
        right[i] = x;
        add_scaled(&mut right[..i], -x, &row[..i]);
    }
    true
}
