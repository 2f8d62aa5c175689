//! Nested dissection by position: an order of elimination for bodies in space.

use crate::finite_element_model::SymmetricMatrix;

/// Parts of so few nodes are not cut further; their factor is dense anyway.
const SMALL_PART: usize = 40;

/// An order of the rows of a matrix, `order[k]` being the row that comes at place k. The body is cut in halves
/// across its longest side; nodes on the cut come last, so that elimination on one side never reaches the other.
pub(super) fn nested_dissection(
    pattern: &SymmetricMatrix,
    node_of_row: impl Fn(usize) -> usize,
    positions: &[[f64; 3]],
) -> Vec<usize> {
    let mut rows_of_node = vec![Vec::new(); positions.len()];
    (0..pattern.size()).for_each(|row| rows_of_node[node_of_row(row)].push(row));
    let mut dissection = Dissection {
        neighbours: neighbours(pattern, &node_of_row, positions.len()),
        positions,
        side: vec![0; positions.len()],
        cut: 0,
        order: Vec::with_capacity(positions.len()),
    };
    let nodes = (0..positions.len()).filter(|node| !rows_of_node[*node].is_empty()).collect();
    dissection.dissect(nodes);
    dissection.order.iter().flat_map(|node| rows_of_node[*node].iter().copied()).collect()
}

struct Dissection<'p> {
    neighbours: Vec<Vec<u32>>,
    positions: &'p [[f64; 3]],
    /// The last cut in which a node was in the lower half.
    side: Vec<usize>,
    cut: usize,
    order: Vec<usize>,
}

impl Dissection<'_> {
    fn dissect(&mut self, mut nodes: Vec<usize>) {
        if nodes.len() <= SMALL_PART {
            self.order.extend(nodes);
            return;
        }
        let positions = self.positions;
        let extent = |axis: usize| {
            let along = || nodes.iter().map(|node| positions[*node][axis]);
            along().fold(f64::MIN, f64::max) - along().fold(f64::MAX, f64::min)
        };
        let axis = (0..3).max_by(|a, b| extent(*a).total_cmp(&extent(*b))).unwrap_or(0);
        let middle = nodes.len() / 2;
        // Equal coordinates are told apart by the number of the node, for the same order in every run.
        let key = |node: &usize| (positions[*node][axis], *node);
        nodes.select_nth_unstable_by(middle, |a, b| {
            let (a, b) = (key(a), key(b));
            a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
        });
        let mut upper = nodes.split_off(middle);
        nodes.sort_unstable();
        upper.sort_unstable();
        self.cut += 1;
        nodes.iter().for_each(|node| self.side[*node] = self.cut);
        let touches = |node: &usize| self.neighbours[*node].iter().any(|other| self.side[*other as usize] == self.cut);
        let (separator, upper): (Vec<usize>, Vec<usize>) = upper.into_iter().partition(touches);
        self.dissect(nodes);
        self.dissect(upper);
        self.order.extend(separator);
    }
}

fn neighbours(pattern: &SymmetricMatrix, node_of_row: impl Fn(usize) -> usize, nodes: usize) -> Vec<Vec<u32>> {
    let mut neighbours = vec![Vec::new(); nodes];
    for column in 0..pattern.size() {
        let a = node_of_row(column);
        for &row in &pattern.rows[pattern.column_starts[column]..pattern.column_starts[column + 1]] {
            let b = node_of_row(row);
            if a != b && neighbours[a].last() != Some(&(b as u32)) {
                neighbours[a].push(b as u32);
                neighbours[b].push(a as u32);
            }
        }
    }
    for list in &mut neighbours {
        list.sort_unstable();
        list.dedup();
    }
    neighbours
}
