//! Keeps a surface closed where a face without area filled a seam.
//!
//! Tessellators put a face a, b, c whose corner b lies on the line from a to c between a neighbour
//! with the edge a–c and two others with the edges a–b and b–c. Dropping it would open the surface.
//! So the neighbour along a–c is cut in two at b, which changes no point of the surface.

use std::collections::{HashMap, HashSet};

use super::cleaning::has_area;
use crate::math::Vector;

/// Faces may fill a seam in several layers, each of which needs the one before.
const MAX_LAYERS: usize = 16;

/// Cuts the neighbours of dropped faces. `slivers` are the dropped ones with three different corners.
pub(super) fn stitch_seams(
    vertices: &[Vector],
    slivers: Vec<[u32; 3]>,
    faces: &mut Vec<[u32; 3]>,
    face_numbers: &mut Vec<u32>,
) {
    if slivers.is_empty() {
        return;
    }
    let seams: Vec<Seam> = slivers.iter().map(|&corners| Seam::of(vertices, corners)).collect();
    let dropped: HashSet<(u32, u32)> = slivers.iter().flat_map(half_edges).collect();
    let middles: HashSet<u32> = seams.iter().map(|seam| seam.middle).collect();

    // Faces by their half-edges, as far as these can matter.
    let mut kept: HashMap<(u32, u32), usize> = HashMap::new();
    for (face, corners) in faces.iter().enumerate() {
        for (from, to) in half_edges(corners) {
            let is_near = middles.contains(&from) || middles.contains(&to);
            if is_near || dropped.contains(&(from, to)) || dropped.contains(&(to, from)) {
                kept.insert((from, to), face);
            }
        }
    }
    let mut open = seams;
    for _ in 0..MAX_LAYERS {
        let before = open.len();
        open.retain(|seam| !seam.stitch(vertices, &dropped, &mut kept, faces, face_numbers));
        if open.len() == before || open.is_empty() {
            break;
        }
    }
}

fn half_edges(&[a, b, c]: &[u32; 3]) -> [(u32, u32); 3] {
    [(a, b), (b, c), (c, a)]
}

/// A dropped face: from `end` straight back to `start`, then over `middle` to `end` again.
struct Seam {
    start: u32,
    middle: u32,
    end: u32,
}

impl Seam {
    fn of(vertices: &[Vector], corners: [u32; 3]) -> Self {
        let points = corners.map(|corner| vertices[corner as usize]);
        let extent = points[0].sup(&points[1]).sup(&points[2]) - points[0].inf(&points[1]).inf(&points[2]);
        let axis = extent.imax();
        let mut order = [0, 1, 2];
        order.sort_by(|&k, &l| points[k][axis].total_cmp(&points[l][axis]));
        let middle = order[1];
        Seam { start: corners[(middle + 2) % 3], middle: corners[middle], end: corners[(middle + 1) % 3] }
    }

    /// Cuts the face along the straight side; false if there is nothing to cut (yet).
    fn stitch(
        &self,
        vertices: &[Vector],
        dropped: &HashSet<(u32, u32)>,
        kept: &mut HashMap<(u32, u32), usize>,
        faces: &mut Vec<[u32; 3]>,
        face_numbers: &mut Vec<u32>,
    ) -> bool {
        let &Seam { start, middle, end } = self;
        let Some(&face) = kept.get(&(start, end)) else {
            return false;
        };
        let Some(&tip) = faces[face].iter().find(|&&corner| corner != start && corner != end) else {
            return false;
        };
        // Where other faces already meet along the straight side, or none does along the two parts,
        // the dropped face filled nothing.
        let is_filled = kept.contains_key(&(end, start));
        let is_needed =
            [(end, middle), (middle, start)].iter().any(|edge| kept.contains_key(edge) || dropped.contains(edge));
        let new_edges = [(start, middle), (middle, end), (middle, tip), (tip, middle)];
        let is_free = tip != middle && new_edges.iter().all(|edge| !kept.contains_key(edge));
        let point = |vertex: u32| &vertices[vertex as usize];
        let have_area =
            [(start, middle), (middle, end)].iter().all(|&(from, to)| has_area(point(from), point(to), point(tip)));
        if is_filled || !is_needed || !is_free || !have_area {
            return false;
        }
        let other = faces.len();
        faces[face] = [start, middle, tip];
        faces.push([middle, end, tip]);
        face_numbers.push(face_numbers[face]);
        kept.remove(&(start, end));
        kept.extend([((start, middle), face), ((middle, tip), face)]);
        kept.extend([((middle, end), other), ((end, tip), other), ((tip, middle), other)]);
        true
    }
}
