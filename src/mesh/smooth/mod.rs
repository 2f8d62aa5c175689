//! A coarse mesh becomes a fine one whose faces follow the curved surface that its vertices were taken from.
//!
//! Edges flatter than an angle are inside a curved surface, sharper ones are creases (`bends`). Every corner of a face
//! has a normal, shared by the faces of its smooth sector (`normals`), every crease has tangents (`creases`). Points
//! and normals of the ends say where the middle of an edge is (`curve`). Edges that leave their chord too far are cut
//! there, again and again (`refinement`), after edges across the bend were turned along it (`flips`). Faces whose parts
//! fold over stay flat (`folds`).
//! A cut depends on the edge alone, so that faces on both sides agree and no crack opens.

mod bends;
mod creases;
mod curve;
mod flips;
mod folds;
mod height;
mod normals;
mod patches;
mod refinement;
mod report;
#[cfg(test)]
mod smooth_tests;

pub use report::SmoothReport;

use super::{FaceIndex, HalfEdges, TriangleMesh};
use crate::math::Vector;
use bends::Bends;
use patches::Patches;

/// Most faces of a refined mesh, unless the file has more: some tenths of a second and 80 MB.
pub const MOST_REFINED_FACES: usize = 250_000;

/// Sag where none is given, by the longest side of the bounding box.
pub const DEFAULT_RELATIVE_SAG: f64 = 1e-4;

/// Largest angle that can be taken as smooth, in degrees: beyond it two normals say little about what is between them.
pub const LARGEST_SMOOTH_ANGLE: f64 = 90.0;

/// The angle, in degrees, with which a mesh is measured that is not to be smoothed: chords of CAD exports turn by less,
/// edges of parts by more.
pub const USUAL_SMOOTH_ANGLE: f64 = 30.0;

/// How to smooth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SmoothOptions {
    /// Edges between faces whose normals differ by less are smooth; rad.
    pub(super) angle: f64,
    /// How far faces may be from the curved surface, in m.
    pub(super) sag: f64,
    /// Distance below which points are known to be anything, in m.
    pub(super) resolution: f64,
}

/// A refined mesh.
pub(super) struct Smoothed {
    pub(super) mesh: TriangleMesh,
    /// For every face the one that it is a part of.
    pub(super) parents: Vec<FaceIndex>,
    pub(super) report: SmoothReport,
}

/// The mesh refined to the curved surface that its vertices were taken from: edges flatter than `angle`, in degrees, are
/// parts of it, and no face is farther from it than `sag`, in m. What reading a file with these options does.
pub fn smoothed(mesh: &TriangleMesh, angle: f64, sag: f64) -> (TriangleMesh, SmoothReport) {
    let smoothed = smooth(mesh, &[], SmoothOptions { angle: angle.to_radians(), sag, resolution: 0.0 });
    (smoothed.mesh, smoothed.report)
}

/// Refines a mesh where it bends; faces wind as before, and those that do not bend stay as they are.
///
/// `stated` holds the normals that the file states at the corners of all faces, in the order of half-edges; it may be empty.
pub(super) fn smooth(mesh: &TriangleMesh, stated: &[Option<Vector>], options: SmoothOptions) -> Smoothed {
    let half_edges = HalfEdges::build(&mesh.faces, mesh.vertices.len());
    let (patches, bends, mut report) = patches_of(mesh, &half_edges, stated, options);
    let most_faces = MOST_REFINED_FACES.max(mesh.faces.len());
    let (refined, kept_flat) =
        folds::refine_without_folds(&half_edges, &bends, &patches, most_faces, &options, &mut report);
    report.add_refined(&refined, &patches, &bends.is_flat, &kept_flat);
    let parents = refined.parents.iter().map(|&parent| FaceIndex(parent)).collect();
    Smoothed { mesh: TriangleMesh { vertices: refined.vertices, faces: refined.faces }, parents, report }
}

/// What [`smooth`] would do, without a refined mesh.
pub(super) fn measure(mesh: &TriangleMesh, stated: &[Option<Vector>], options: SmoothOptions) -> SmoothReport {
    patches_of(mesh, &HalfEdges::build(&mesh.faces, mesh.vertices.len()), stated, options).2
}

fn patches_of(
    mesh: &TriangleMesh,
    half_edges: &HalfEdges,
    stated: &[Option<Vector>],
    options: SmoothOptions,
) -> (Patches, Bends, SmoothReport) {
    let bends = Bends::find(mesh, half_edges, options.angle, options.resolution);
    let patches = Patches::new(mesh, half_edges, &bends, stated, options.angle);
    let report = SmoothReport::of(mesh, half_edges, &bends, &patches, options);
    (patches, bends, report)
}
