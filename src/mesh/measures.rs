//! Sizes of a mesh and its parts.

use std::f64::consts::PI;

use super::error::Place;
use super::report::{AspectRatio, BoundingBox, MeshWarning};
use super::{FaceIndex, HalfEdge, HalfEdges, TriangleMesh};
use crate::math::Vector;

/// A part whose faces are connected by edges.
#[derive(Clone, Debug)]
pub(super) struct Shell {
    pub(super) is_closed: bool,
    /// Signed, about the centre of the bounding box of the mesh; a volume only if closed.
    pub(super) volume: f64,
    pub(super) area: f64,
    pub(super) faces: Vec<FaceIndex>,
}

/// The connected parts, in the order of their first faces.
pub(super) fn shells(mesh: &TriangleMesh, half_edges: &HalfEdges) -> Vec<Shell> {
    let bounds = bounding_box(mesh);
    let centre = 0.5 * (bounds.min + bounds.max);
    let mut is_seen = vec![false; mesh.faces.len()];
    let mut shells = Vec::new();
    for start in (0..mesh.faces.len() as u32).map(FaceIndex) {
        if is_seen[start.index()] {
            continue;
        }
        is_seen[start.index()] = true;
        let mut shell = Shell { is_closed: true, volume: 0.0, area: 0.0, faces: vec![start] };
        let mut next = 0;
        while next < shell.faces.len() {
            let face = shell.faces[next];
            next += 1;
            let [a, b, c] = mesh.corners(face).map(|corner| corner - centre);
            shell.area += 0.5 * (b - a).cross(&(c - a)).norm();
            shell.volume += a.dot(&b.cross(&c)) / 6.0;
            for corner in 0..3 {
                match half_edges.twin(HalfEdge::new(face, corner)) {
                    None => shell.is_closed = false,
                    Some(twin) if !is_seen[twin.face().index()] => {
                        is_seen[twin.face().index()] = true;
                        shell.faces.push(twin.face());
                    }
                    Some(_) => {}
                }
            }
        }
        shells.push(shell);
    }
    shells
}

/// The smallest box around all vertices.
pub(super) fn bounding_box(mesh: &TriangleMesh) -> BoundingBox {
    BoundingBox::of(mesh.vertices.iter())
}

/// Lengths of the shortest and the longest edge.
pub(super) fn edge_lengths(mesh: &TriangleMesh) -> (f64, f64) {
    let squared = (0..mesh.faces.len() as u32).flat_map(|face| {
        let [a, b, c] = mesh.corners(FaceIndex(face));
        [(b - a).norm_squared(), (c - b).norm_squared(), (a - c).norm_squared()]
    });
    let (shortest, longest) =
        squared.fold((f64::INFINITY, 0.0f64), |(shortest, longest), edge| (shortest.min(edge), longest.max(edge)));
    (shortest.sqrt(), longest.sqrt())
}

/// Median and worst of longest edge over shortest altitude.
pub(super) fn aspect_ratio(mesh: &TriangleMesh, place: impl Fn(FaceIndex) -> Place) -> AspectRatio {
    let mut ratios: Vec<f64> = (0..mesh.faces.len() as u32)
        .map(|face| {
            let [a, b, c] = mesh.corners(FaceIndex(face));
            let longest = (b - a).norm_squared().max((c - b).norm_squared()).max((a - c).norm_squared());
            // The shortest altitude stands on the longest edge: area = ½ edge × altitude.
            longest / (b - a).cross(&(c - a)).norm()
        })
        .collect();
    let (worst_face, worst) = ratios
        .iter()
        .enumerate()
        .fold((0, 0.0), |worst, (face, &ratio)| if worst.1 < ratio { (face, ratio) } else { worst });
    let middle = (ratios.len() - 1) / 2;
    let (_, &mut median, _) = ratios.select_nth_unstable_by(middle, f64::total_cmp);
    AspectRatio { median, worst, worst_face: place(FaceIndex(worst_face as u32)) }
}

/// A volume below this fraction of area × extent is rounding.
const NO_VOLUME: f64 = 1e-12;

/// Inward-pointing parts for which nesting is decided exactly; the others are taken for cavities.
const MAX_TESTED_CAVITIES: usize = 64;

/// Whether closed parts point the wrong way.
///
/// A part that points inwards is right where it is the wall of a cavity: inside a part that points outwards.
pub(super) fn orientation_warning(mesh: &TriangleMesh, shells: &[Shell]) -> Option<MeshWarning> {
    let extent = bounding_box(mesh).size().norm();
    let closed: Vec<&Shell> = shells.iter().filter(|shell| shell.is_closed).collect();
    let has_volume = |shell: &Shell| NO_VOLUME * extent * shell.area < shell.volume.abs();
    if closed.iter().any(|shell| !has_volume(shell)) {
        return Some(MeshWarning::NoVolume);
    }
    let (inward, outward): (Vec<&Shell>, Vec<&Shell>) = closed.iter().partition(|shell| shell.volume < 0.0);
    if inward.is_empty() {
        return None;
    }
    if outward.is_empty() {
        return Some(MeshWarning::InsideOut { volume: inward.iter().map(|shell| shell.volume).sum() });
    }
    let first_corner = |shell: &Shell| mesh.corners(shell.faces[0])[0];
    let stray: Vec<Vector> = inward
        .iter()
        .take(MAX_TESTED_CAVITIES)
        .map(|shell| first_corner(shell))
        .filter(|point| outward.iter().map(|shell| winding_number(mesh, &shell.faces, point)).sum::<f64>() < 0.5)
        .collect();
    let &example = stray.first()?;
    Some(MeshWarning::MixedOrientation { inverted: stray.len(), closed: closed.len(), example })
}

/// How often closed faces wind around a point: 1 inside, 0 outside. Sum of solid angles over 4π
/// (Van Oosterom and Strackee 1983).
fn winding_number(mesh: &TriangleMesh, faces: &[FaceIndex], point: &Vector) -> f64 {
    let solid_angle = |&face: &FaceIndex| {
        let [a, b, c] = mesh.corners(face).map(|corner| corner - point);
        let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
        let denominator = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
        2.0 * a.dot(&b.cross(&c)).atan2(denominator)
    };
    faces.iter().map(solid_angle).sum::<f64>() / (4.0 * PI)
}
