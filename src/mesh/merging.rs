//! Vertices that are one: equal, or no farther apart than rounding in the file explains.

use std::collections::HashMap;

use super::resolution::largest_coordinate;
use crate::math::Vector;

/// How vertices were merged.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct MergedVertices {
    /// Vertices that were equal to an earlier one.
    pub(super) equal: usize,
    /// Different points that became one with an earlier one.
    pub(super) near: usize,
    /// Farthest way of a vertex, in m.
    pub(super) farthest: f64,
}

/// For every vertex the one that it becomes: the first of equal ones, or the nearest kept one within the distance.
///
/// No vertex moves by more than the distance, which is in m: chains of near vertices do not run together.
pub(super) fn merge(vertices: &[Vector], distance: f64) -> (Vec<u32>, MergedVertices) {
    let mut representative = equal_vertices(vertices);
    let is_repeated = |(vertex, &first): (usize, &u32)| vertex != first as usize;
    let equal = representative.iter().enumerate().filter(|&pair| is_repeated(pair)).count();
    let mut merged = MergedVertices { equal, ..MergedVertices::default() };
    // Shorter distances than the spacing of numbers have no other points within.
    if f64::EPSILON * largest_coordinate(vertices) < distance {
        merge_near(vertices, distance, &mut representative, &mut merged);
    }
    (representative, merged)
}

/// Side of a cell over the distance. Few vertices lie so close to the side of a cell that its neighbour matters, and
/// a cell holds a bounded number of vertices farther apart than the distance.
const CELL: f64 = 8.0;

const NONE: u32 = u32::MAX;

fn merge_near(vertices: &[Vector], distance: f64, representative: &mut [u32], merged: &mut MergedVertices) {
    let size = CELL * distance;
    let cell = |x: f64| (x / size).floor() as i64;
    // The last kept vertex of each cell, and for each kept vertex the one before it in its cell.
    let mut last: HashMap<[i64; 3], u32> = HashMap::new();
    let mut before = vec![NONE; vertices.len()];
    for vertex in 0..vertices.len() {
        let first = representative[vertex] as usize;
        if first != vertex {
            representative[vertex] = representative[first];
            continue;
        }
        let point = vertices[vertex];
        let (low, high) = (point.map(|x| cell(x - distance)), point.map(|x| cell(x + distance)));
        let mut nearest = (distance, NONE);
        for x in low.x..=high.x {
            for y in low.y..=high.y {
                for z in low.z..=high.z {
                    let mut other = last.get(&[x, y, z]).copied().unwrap_or(NONE);
                    while other != NONE {
                        let way = (vertices[other as usize] - point).norm();
                        if (way, other) < nearest || (nearest.1 == NONE && way <= distance) {
                            nearest = (way, other);
                        }
                        other = before[other as usize];
                    }
                }
            }
        }
        if nearest.1 == NONE {
            let entry = last.entry([cell(point.x), cell(point.y), cell(point.z)]).or_insert(NONE);
            before[vertex] = std::mem::replace(entry, vertex as u32);
        } else {
            representative[vertex] = nearest.1;
            merged.near += 1;
            merged.farthest = merged.farthest.max(nearest.0);
        }
    }
}

/// For every vertex the first one with the same coordinates.
fn equal_vertices(vertices: &[Vector]) -> Vec<u32> {
    // Sorted by a hash rather than by coordinates: one number to compare. A file made to have
    // colliding hashes only makes the groups below larger; they are sorted, so the cost stays n log n.
    let keys = sorted_keys(vertices);
    let mut representative: Vec<u32> = (0..vertices.len() as u32).collect();
    let mut same_hash: Vec<([u64; 3], u32)> = Vec::new();
    for group in keys.chunk_by(|a, b| a >> 64 == b >> 64) {
        if group.len() == 1 {
            continue;
        }
        same_hash.clear();
        same_hash.extend(group.iter().map(|&key| (bits(&vertices[key as u32 as usize]), key as u32)));
        same_hash.sort_unstable();
        for equal in same_hash.chunk_by(|a, b| a.0 == b.0) {
            for &(_, vertex) in equal {
                representative[vertex as usize] = equal[0].1;
            }
        }
    }
    representative
}

/// Hash and index of every vertex as one number, sorted.
///
/// First into buckets by the leading bits of the hash, which leaves short lists to be sorted: several times as fast as
/// sorting millions at once.
fn sorted_keys(vertices: &[Vector]) -> Vec<u128> {
    /// Vertices per bucket, on average.
    const BUCKET: usize = 32;
    let bits = (vertices.len() / BUCKET).max(2).ilog2();
    let bucket_of = |key: u128| (key >> (128 - bits)) as usize;
    let key_of = |index: usize| u128::from(hash(&vertices[index])) << 64 | index as u128;
    let mut starts = vec![0usize; (1 << bits) + 1];
    for index in 0..vertices.len() {
        starts[bucket_of(key_of(index)) + 1] += 1;
    }
    for bucket in 0..1 << bits {
        starts[bucket + 1] += starts[bucket];
    }
    let mut keys = vec![0u128; vertices.len()];
    let mut next = starts.clone();
    for index in 0..vertices.len() {
        let key = key_of(index);
        let place = &mut next[bucket_of(key)];
        keys[*place] = key;
        *place += 1;
    }
    for range in starts.windows(2) {
        keys[range[0]..range[1]].sort_unstable();
    }
    keys
}

/// Equal coordinates have equal bits: [`super::limits::scaled_point`] has removed -0.0 and NaN.
fn bits(vertex: &Vector) -> [u64; 3] {
    [vertex.x.to_bits(), vertex.y.to_bits(), vertex.z.to_bits()]
}

fn hash(vertex: &Vector) -> u64 {
    // Multiplication by the odd number nearest to 2⁶⁴ / golden ratio, then folding the high bits down.
    bits(vertex).into_iter().fold(0, |hash, word| {
        let mixed = (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed ^ mixed >> 29
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_sorted_and_complete() {
        for count in [0, 1, 2, 63, 64, 5000] {
            let vertices: Vec<Vector> = (0..count).map(|i| Vector::new(f64::from(i % 700), 0.5, 0.1)).collect();
            let keys = sorted_keys(&vertices);
            assert!(keys.is_sorted());
            let mut indices: Vec<u32> = keys.iter().map(|&key| key as u32).collect();
            indices.sort_unstable();
            assert!(indices.into_iter().eq(0..count as u32));
        }
    }

    #[test]
    fn equal_vertices_point_to_the_first() {
        let (p, q) = (Vector::new(1.0, 2.0, 3.0), Vector::new(1.0, 2.0, 4.0));
        assert_eq!(equal_vertices(&[p, q, p, q, p]), [0, 1, 0, 1, 0]);
    }

    #[test]
    fn near_vertices_become_one_and_none_moves_farther_than_the_distance() {
        let at = |x: f64| Vector::new(x, 0.3, -0.3);
        // A chain of steps of 0.8 distances: every second one is kept.
        let chain = [0.0, 0.8, 1.6, 2.4].map(|steps| at(1.0 + steps * 1e-6));
        let (representative, merged) = merge(&chain, 1e-6);
        assert_eq!(representative, [0, 0, 2, 2]);
        assert_eq!((merged.equal, merged.near), (0, 2));
        assert!((merged.farthest / 0.8e-6 - 1.0).abs() < 1e-9);
        // The copy of a merged vertex goes where that went.
        let (representative, merged) = merge(&[at(1.0), at(1.0 + 1e-7), at(1.0 + 1e-7)], 1e-6);
        assert_eq!((representative, merged.equal, merged.near), (vec![0, 0, 0], 1, 1));
        // Across the sides of cells, and without a distance.
        assert_eq!(merge(&[at(-1e-9), at(1e-9)], 1e-8).0, [0, 0]);
        assert_eq!(merge(&[at(0.0), at(1e-9)], 0.0).0, [0, 1]);
        assert_eq!(merge(&[at(0.0), at(1.0)], 1e-300).0, [0, 1]);
    }
}
