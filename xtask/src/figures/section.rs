//! Sections of convex bodies with a plane across y.

use polycontact::mesh::TriangleMesh;

/// Coordinates x and z in m.
pub type SectionPoint = [f64; 2];

/// Outline of a convex mesh in the plane of this y, counter-clockwise seen along −y; empty where they do not meet.
pub fn outline(mesh: &TriangleMesh, y: f64) -> Vec<SectionPoint> {
    let mut points = Vec::new();
    for face in &mesh.faces {
        for side in 0..3 {
            let [from, to] = [side, (side + 1) % 3].map(|corner| mesh.vertices[face[corner].0 as usize]);
            let (before, after) = (from.y - y, to.y - y);
            // Each edge has two faces; its upward copy is enough.
            if before < 0.0 && 0.0 <= after {
                let point = from + (to - from) * (before / (before - after));
                points.push([point.x, point.z]);
            }
        }
    }
    let count = points.len().max(1) as f64;
    let middle = points.iter().fold([0.0; 2], |sum, point| [sum[0] + point[0] / count, sum[1] + point[1] / count]);
    let angle = |point: &SectionPoint| (point[1] - middle[1]).atan2(point[0] - middle[0]);
    points.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    points
}

/// What two convex outlines have in common.
pub fn overlap(one: &[SectionPoint], other: &[SectionPoint]) -> Vec<SectionPoint> {
    let mut rest = one.to_vec();
    for (index, start) in other.iter().enumerate() {
        let end = other[(index + 1) % other.len()];
        let inside =
            |p: &SectionPoint| (end[0] - start[0]) * (p[1] - start[1]) - (end[1] - start[1]) * (p[0] - start[0]);
        let mut kept = Vec::new();
        for (place, point) in rest.iter().enumerate() {
            let next = rest[(place + 1) % rest.len()];
            let (here, there) = (inside(point), inside(&next));
            if 0.0 <= here {
                kept.push(*point);
            }
            if (here < 0.0) != (there < 0.0) {
                let part = here / (here - there);
                kept.push([0, 1].map(|axis| point[axis] + part * (next[axis] - point[axis])));
            }
        }
        rest = kept;
    }
    rest
}

#[cfg(test)]
mod tests {
    use polycontact::math::{Pose, Vector};
    use polycontact::shapes::{cuboid, moved};

    use super::*;

    fn area(outline: &[SectionPoint]) -> f64 {
        let next = outline.iter().cycle().skip(1);
        0.5 * outline.iter().zip(next).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum::<f64>()
    }

    #[test]
    fn boxes_overlap_in_a_box() {
        let one = cuboid(Vector::new(2.0, 2.0, 2.0));
        let other = moved(&one, &Pose::translation(1.5, 0.1, 1.2));
        let [one, other] = [&one, &other].map(|mesh| outline(mesh, 0.3));
        assert!((area(&one) - 4.0).abs() < 1e-12);
        assert!((area(&overlap(&one, &other)) - 0.5 * 0.8).abs() < 1e-12);
        assert!(outline(&cuboid(Vector::new(1.0, 1.0, 1.0)), 2.0).is_empty());
    }
}
