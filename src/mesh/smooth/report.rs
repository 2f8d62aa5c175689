//! What smoothing finds and does.

use super::SmoothOptions;
use super::bends::{Bend, Bends};
use super::patches::Patches;
use crate::mesh::{FaceIndex, HalfEdge, HalfEdges, TriangleMesh};

/// What is smooth in a mesh, how coarse it is, and what refining has made of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmoothReport {
    /// Edges flatter than this, in degrees, are parts of a curved surface.
    pub angle: f64,
    /// How far faces may be from the curved surface, in m.
    pub sag: f64,
    /// Edges that are parts of a curved surface.
    pub smooth_edges: usize,
    /// Sharp edges.
    pub sharp_edges: usize,
    /// Area of the faces that are chords of a curved surface, in m².
    pub curved_area: f64,
    /// Largest distance between faces of the file and the curved surface, in m.
    pub largest_sag: f64,
    /// The mean over the curved faces, in m.
    pub mean_sag: f64,
    /// Whether the mesh was refined, or only measured.
    pub is_refined: bool,
    /// Faces after refining.
    pub faces: usize,
    /// Mean distance between the refined faces and the curved surface, over the curved part, in m.
    pub refined_mean_sag: f64,
    /// Volume, after refining where the mesh was refined, in m³; none for an open surface.
    pub volume: Option<f64>,
    /// Faces that were left flat because they would have folded over.
    pub kept_flat: usize,
    /// Sag that the bound on the number of faces has allowed, in m, where that is more than was asked for.
    pub coarser: Option<f64>,
}

/// Largest distance of a face to the surface, by that of its edges where all three are equal: at its centroid.
pub(super) const FACE_BY_EDGE: f64 = 4.0 / 3.0;

impl SmoothReport {
    pub(super) fn of(
        mesh: &TriangleMesh,
        half_edges: &HalfEdges,
        bends: &Bends,
        patches: &Patches,
        options: SmoothOptions,
    ) -> SmoothReport {
        let sides = || (0..bends.bends.len() as u32).map(HalfEdge);
        let count = |bend| sides().filter(|&side| half_edges.edge(side) == side && bends.bend(side) == bend).count();
        let coarse = Sags::of(patches, &bends.is_flat);
        SmoothReport {
            angle: options.angle.to_degrees(),
            sag: options.sag,
            smooth_edges: count(Bend::Smooth),
            sharp_edges: count(Bend::Sharp),
            curved_area: coarse.area,
            largest_sag: coarse.largest,
            mean_sag: coarse.mean,
            is_refined: false,
            faces: mesh.faces.len(),
            refined_mean_sag: coarse.mean,
            volume: half_edges.is_closed().then(|| volume(patches)),
            kept_flat: 0,
            coarser: None,
        }
    }

    /// Adds what refining has made of the file's patches; `is_flat` and `kept_flat` are by the faces of the file. Those
    /// that were kept flat are as far from the surface as before.
    pub(super) fn add_refined(&mut self, refined: &Patches, file: &Patches, is_flat: &[bool], kept_flat: &[bool]) {
        let is_out = |face: usize, kept: bool| is_flat[face] || kept_flat[face] != kept;
        let is_out_of_fine: Vec<bool> = refined.parents.iter().map(|&parent| is_out(parent as usize, false)).collect();
        let is_out_of_kept: Vec<bool> = (0..is_flat.len()).map(|face| is_out(face, true)).collect();
        let parts = [Sags::of(refined, &is_out_of_fine), Sags::of(file, &is_out_of_kept)];
        let area: f64 = parts.iter().map(|part| part.area).sum();
        let sum: f64 = parts.iter().map(|part| part.area * part.mean).sum();
        self.is_refined = true;
        self.faces = refined.faces.len();
        self.refined_mean_sag = if 0.0 < area { sum / area } else { 0.0 };
        self.volume = self.volume.map(|_| volume(refined));
    }
}

/// Distances between faces and the curved surface.
struct Sags {
    /// Area of the curved faces in m².
    area: f64,
    largest: f64,
    mean: f64,
}

impl Sags {
    fn of(patches: &Patches, is_flat: &[bool]) -> Sags {
        let (mut area, mut largest, mut sum) = (0.0, 0.0f64, 0.0);
        for face in (0..is_flat.len()).filter(|&face| !is_flat[face]) {
            let middles = [0, 1, 2].map(|corner| patches.middle(HalfEdge::new(FaceIndex(face as u32), corner)));
            let sags = middles.map(|middle| middle.map_or(0.0, |middle| middle.sag));
            let [a, b, c] = patches.corners(face);
            let size = 0.5 * (b - a).cross(&(c - a)).norm();
            let total: f64 = sags.iter().sum();
            area += size;
            // The quadratic with these heights in the middles of the edges and none at the corners: at its centroid,
            // and its mean.
            largest = sags.into_iter().fold(largest.max(total * FACE_BY_EDGE / 3.0), f64::max);
            sum += size * total / 3.0;
        }
        Sags { area, largest, mean: if 0.0 < area { sum / area } else { 0.0 } }
    }
}

/// About a vertex, so that little is lost to rounding.
fn volume(patches: &Patches) -> f64 {
    let Some(&origin) = patches.vertices.first() else { return 0.0 };
    let six = |face: usize| {
        let [a, b, c] = patches.corners(face).map(|corner| corner - origin);
        a.dot(&b.cross(&c))
    };
    (0..patches.faces.len()).map(six).sum::<f64>() / 6.0
}
