//! Local refinement of tetrahedral meshes by bisection of longest edges (Rivara).
//!
//! An edge is only cut where it is the longest of every tetrahedron round it, so the mesh stays conforming; where it
//! is not, the neighbour with the longer edge is cut first. Lengths grow along this chain, so it ends.

use super::TETRAHEDRON_EDGES;
use super::grid::ParameterMesh;

/// Corners, from 0, of the edges; longer edges compare greater, and no two edges are equal.
type EdgeRank = (f64, u32, u32);

/// Cuts edges until no tetrahedron has an edge longer than `size_limit` of its corner positions, in m.
///
/// New nodes get the mean of their ends' parameters, and the position that `map` gives them: on a curved surface
/// they come to lie on it.
pub(super) fn refine(
    mesh: ParameterMesh,
    map: &dyn Fn([f64; 3]) -> [f64; 3],
    size_limit: &dyn Fn(&[[f64; 3]; 4]) -> f64,
) -> ParameterMesh {
    let mut refinement = Refinement::new(mesh);
    let mut index = 0;
    // Tetrahedra that a cut creates come at the end of the list, so one walk sees them all.
    while index < refinement.mesh.tetrahedra.len() {
        while refinement.alive[index] {
            let corners = refinement.mesh.tetrahedra[index].map(|node| refinement.mesh.positions[node as usize]);
            let (squared_length, ..) = refinement.longest_edge(index);
            if squared_length <= size_limit(&corners).powi(2) {
                break;
            }
            refinement.cut_longest_edge(index, map);
        }
        index += 1;
    }
    refinement.finish()
}

struct Refinement {
    mesh: ParameterMesh,
    alive: Vec<bool>,
    tetrahedra_of_nodes: Vec<Vec<u32>>,
}

impl Refinement {
    fn new(mesh: ParameterMesh) -> Refinement {
        let mut tetrahedra_of_nodes = vec![Vec::new(); mesh.positions.len()];
        for (index, tetrahedron) in mesh.tetrahedra.iter().enumerate() {
            for &node in tetrahedron {
                tetrahedra_of_nodes[node as usize].push(index as u32);
            }
        }
        Refinement { alive: vec![true; mesh.tetrahedra.len()], mesh, tetrahedra_of_nodes }
    }

    fn longest_edge(&self, index: usize) -> EdgeRank {
        let tetrahedron = &self.mesh.tetrahedra[index];
        let mut longest = (f64::NEG_INFINITY, 0, 0);
        for [a, b] in TETRAHEDRON_EDGES {
            let (low, high) = (tetrahedron[a].min(tetrahedron[b]), tetrahedron[a].max(tetrahedron[b]));
            let [start, end] = [low, high].map(|node| self.mesh.positions[node as usize]);
            let squared_length = (0..3).map(|axis| (end[axis] - start[axis]).powi(2)).sum();
            let rank = (squared_length, low, high);
            if longest < rank {
                longest = rank;
            }
        }
        longest
    }

    /// Cuts the longest edge of this tetrahedron, or of a neighbour on the way to it.
    fn cut_longest_edge(&mut self, mut index: usize, map: &dyn Fn([f64; 3]) -> [f64; 3]) {
        loop {
            let edge = self.longest_edge(index);
            let around = self.tetrahedra_around(edge);
            match around.iter().find(|&&neighbour| edge < self.longest_edge(neighbour as usize)) {
                Some(&neighbour) => index = neighbour as usize,
                None => return self.cut(edge, &around, map),
            }
        }
    }

    fn tetrahedra_around(&self, (_, a, b): EdgeRank) -> Vec<u32> {
        let at_both = |index: &&u32| self.mesh.tetrahedra[**index as usize].contains(&b);
        self.tetrahedra_of_nodes[a as usize].iter().filter(at_both).copied().collect()
    }

    fn cut(&mut self, (_, a, b): EdgeRank, around: &[u32], map: &dyn Fn([f64; 3]) -> [f64; 3]) {
        let middle = self.mesh.positions.len() as u32;
        let ends = [a, b].map(|node| self.mesh.parameters[node as usize]);
        let parameters = std::array::from_fn(|axis| 0.5 * (ends[0][axis] + ends[1][axis]));
        self.mesh.parameters.push(parameters);
        self.mesh.positions.push(map(parameters));
        self.tetrahedra_of_nodes.push(Vec::new());
        for &index in around {
            let old = self.mesh.tetrahedra[index as usize];
            self.alive[index as usize] = false;
            for node in old {
                self.tetrahedra_of_nodes[node as usize].retain(|&other| other != index);
            }
            for replaced in [a, b] {
                let new = old.map(|node| if node == replaced { middle } else { node });
                for node in new {
                    self.tetrahedra_of_nodes[node as usize].push(self.alive.len() as u32);
                }
                self.alive.push(true);
                self.mesh.tetrahedra.push(new);
            }
        }
    }

    fn finish(mut self) -> ParameterMesh {
        let mut alive = self.alive.iter();
        self.mesh.tetrahedra.retain(|_| alive.next() == Some(&true));
        self.mesh
    }
}
