//! Merges equal vertices and drops faces without area and vertices without faces.

use robust::{Coord, orient2d};

use super::raw_mesh::RawMesh;
use super::stitching::stitch_seams;
use super::{TriangleMesh, VertexIndex};
use crate::math::Vector;

/// A mesh whose faces have an area, and what it took.
pub(super) struct CleanedMesh {
    pub(super) mesh: TriangleMesh,
    /// For every face the number of its polygon or facet in the file, from 0.
    pub(super) face_numbers: Vec<u32>,
    /// Vertices that were equal to an earlier one.
    pub(super) merged_vertices: usize,
    /// Triangles without area.
    pub(super) dropped_faces: usize,
}

/// Cleans a mesh; the order of faces and vertices stays as in the file, apart from stitched seams.
pub(super) fn clean(raw: RawMesh) -> CleanedMesh {
    let RawMesh { vertices, faces: raw_faces, face_numbers: raw_numbers, .. } = raw;
    let representative = equal_vertices(&vertices);
    let merged_vertices =
        representative.iter().enumerate().filter(|&(vertex, &first)| vertex != first as usize).count();

    let mut faces = Vec::with_capacity(raw_faces.len());
    let mut face_numbers = Vec::with_capacity(raw_faces.len());
    let mut slivers = Vec::new();
    for (corners, number) in raw_faces.iter().zip(raw_numbers) {
        let corners = corners.map(|corner| representative[corner as usize]);
        let [a, b, c] = corners.map(|corner| vertices[corner as usize]);
        let is_repeated = corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0];
        if is_repeated {
            continue;
        }
        if has_area(&a, &b, &c) {
            faces.push(corners);
            face_numbers.push(number);
        } else {
            slivers.push(corners);
        }
    }
    let dropped_faces = raw_faces.len() - faces.len();
    stitch_seams(&vertices, slivers, &mut faces, &mut face_numbers);
    CleanedMesh { mesh: compact(&vertices, faces), face_numbers, merged_vertices, dropped_faces }
}

/// Whether the triangle has an area: its corners are not on one line, exactly, and the area that
/// double precision gives for it is positive, so that it has a normal.
pub(super) fn has_area(a: &Vector, b: &Vector, c: &Vector) -> bool {
    let projection = |x: usize, y: usize| {
        let flat = |point: &Vector| Coord { x: point[x], y: point[y] };
        orient2d(flat(a), flat(b), flat(c))
    };
    let is_collinear = projection(0, 1) == 0.0 && projection(1, 2) == 0.0 && projection(2, 0) == 0.0;
    !is_collinear && 0.0 < (b - a).cross(&(c - a)).norm_squared()
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

/// Removes vertices that no face uses; the order stays.
fn compact(vertices: &[Vector], faces: Vec<[u32; 3]>) -> TriangleMesh {
    let mut is_used = vec![false; vertices.len()];
    faces.iter().flatten().for_each(|&corner| is_used[corner as usize] = true);
    let mut new_index = vec![u32::MAX; vertices.len()];
    let mut kept = Vec::new();
    for (vertex, point) in vertices.iter().enumerate().filter(|&(vertex, _)| is_used[vertex]) {
        new_index[vertex] = kept.len() as u32;
        kept.push(*point);
    }
    let faces = faces.into_iter().map(|corners| corners.map(|corner| VertexIndex(new_index[corner as usize])));
    TriangleMesh { vertices: kept, faces: faces.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collinear_corners_have_no_area_and_nearly_collinear_ones_do() {
        let a = Vector::new(0.1, 0.1, 0.1);
        let c = Vector::new(0.3, 0.3, 0.3);
        let b = Vector::new(0.2, 0.2, 0.2);
        assert!(!has_area(&a, &b, &c));
        let off = Vector::new(0.2, 0.2, 0.2f64.next_up());
        assert!(has_area(&a, &off, &c));
        assert!(!has_area(&a, &a, &c));
    }

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
}
