//! Sizes of a mesh and its parts.

use super::error::Place;
use super::nesting::winding_number;
use super::report::{AspectRatio, MeshWarning};
use super::{FaceIndex, HalfEdge, HalfEdges, TriangleMesh};
use crate::math::{Aabb, Vector};

/// A part whose faces are connected by edges.
#[derive(Clone, Debug)]
pub(super) struct Shell {
    pub(super) is_closed: bool,
    /// Signed, about the centre of the bounding box of the mesh; a volume only if closed.
    pub(super) volume: f64,
    pub(super) area: f64,
    pub(super) first_face: FaceIndex,
}

/// Sets of connected faces.
#[derive(Default)]
pub(super) struct FaceSets {
    /// Another face of the same set, or itself in one face of each set: the lowest.
    parents: Vec<u32>,
}

impl FaceSets {
    /// Every face is a set of its own.
    pub(super) fn new(faces: usize) -> Self {
        FaceSets { parents: (0..faces as u32).collect() }
    }

    /// Makes the sets of two faces one.
    pub(super) fn unite(&mut self, a: FaceIndex, b: FaceIndex) {
        let (a, b) = (self.lowest(a), self.lowest(b));
        self.parents[a.max(b).index()] = a.min(b).0;
    }

    /// The lowest face of a set.
    pub(super) fn lowest(&mut self, face: FaceIndex) -> FaceIndex {
        let mut face = face.0;
        while self.parents[face as usize] != face {
            let grandparent = self.parents[self.parents[face as usize] as usize];
            self.parents[face as usize] = grandparent;
            face = grandparent;
        }
        FaceIndex(face)
    }
}

/// The connected parts of a mesh.
pub(super) struct Shells {
    /// In the order of their first faces.
    pub(super) list: Vec<Shell>,
    /// For every face the index of its shell.
    pub(super) of_face: Vec<u32>,
}

impl Shells {
    pub(super) fn build(mesh: &TriangleMesh, half_edges: &HalfEdges, connected: &mut FaceSets) -> Self {
        let bounds = bounding_box(mesh);
        let centre = 0.5 * (bounds.min + bounds.max);
        let mut list: Vec<Shell> = Vec::new();
        let mut of_face = vec![0; mesh.faces.len()];
        for face in (0..mesh.faces.len() as u32).map(FaceIndex) {
            let lowest = connected.lowest(face);
            if lowest == face {
                of_face[face.index()] = list.len() as u32;
                list.push(Shell { is_closed: true, volume: 0.0, area: 0.0, first_face: face });
            }
            of_face[face.index()] = of_face[lowest.index()];
            let shell = &mut list[of_face[face.index()] as usize];
            let [a, b, c] = mesh.corners(face);
            // From the corners as they are: about the centre, a tiny face could lose its area to rounding.
            shell.area += 0.5 * (b - a).cross(&(c - a)).norm();
            let [a, b, c] = [a - centre, b - centre, c - centre];
            shell.volume += a.dot(&b.cross(&c)) / 6.0;
            shell.is_closed &= (0..3).all(|corner| half_edges.twin(HalfEdge::new(face, corner)).is_some());
        }
        Shells { list, of_face }
    }
}

/// The smallest box around all vertices.
pub(super) fn bounding_box(mesh: &TriangleMesh) -> Aabb {
    Aabb::of(&mesh.vertices)
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

/// Solid angles that the search for inverted parts may cost: below a second. Parts that are not
/// reached are taken for walls of cavities.
const SOLID_ANGLES: usize = 20_000_000;

/// Whether closed parts point the wrong way.
///
/// A part that points inwards is right where it is the wall of a cavity: inside a part that points outwards.
pub(super) fn orientation_warning(mesh: &TriangleMesh, shells: &Shells) -> Option<MeshWarning> {
    let extent = bounding_box(mesh).size().norm();
    let closed: Vec<&Shell> = shells.list.iter().filter(|shell| shell.is_closed).collect();
    let has_volume = |shell: &Shell| NO_VOLUME * extent * shell.area < shell.volume.abs();
    if closed.iter().any(|shell| !has_volume(shell)) {
        return Some(MeshWarning::NoVolume);
    }
    let inward: Vec<&Shell> = closed.iter().copied().filter(|shell| shell.volume < 0.0).collect();
    if inward.is_empty() {
        return None;
    }
    if inward.len() == closed.len() {
        return Some(MeshWarning::InsideOut { volume: inward.iter().map(|shell| shell.volume).sum() });
    }
    let is_outward = |face: &FaceIndex| {
        let shell = &shells.list[shells.of_face[face.index()] as usize];
        shell.is_closed && 0.0 < shell.volume
    };
    let outward: Vec<FaceIndex> = (0..mesh.faces.len() as u32).map(FaceIndex).filter(is_outward).collect();
    let stray: Vec<Vector> = inward
        .iter()
        .take(SOLID_ANGLES / outward.len())
        .map(|shell| mesh.corners(shell.first_face)[0])
        .filter(|point| winding_number(mesh, &outward, point) < 0.5)
        .collect();
    let &example = stray.first()?;
    Some(MeshWarning::MixedOrientation { inverted: stray.len(), closed: closed.len(), example })
}
