//! A file becomes a valid triangle surface, with a report.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::change::MeshChange;
use super::cleaning::{CleanedMesh, clean};
use super::cracks::{ClosedCracks, close_cracks};
use super::error::{MeshError, Place};
use super::file_normals::FileNormals;
use super::limits::MAX_FILE_BYTES;
use super::repair::{Repair, repair_edges};
use super::report::{MeshReport, MeshWarning};
use super::selection;
use super::smooth::{self, DEFAULT_RELATIVE_SAG, LARGEST_SMOOTH_ANGLE, SmoothOptions, Smoothed, USUAL_SMOOTH_ANGLE};
use super::validation::{self, Source};
use super::{FaceIndex, TriangleMesh, obj, off, ply, stl};
use crate::math::Vector;

/// Formats that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MeshFormat {
    /// Wavefront OBJ.
    Obj,
    /// STL, ASCII or binary.
    Stl,
    /// PLY, ASCII or binary.
    Ply,
    /// OFF, as text.
    Off,
}

impl MeshFormat {
    /// The format that a file name stands for: `.obj`, `.stl`, `.ply` or `.off`, in any case.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "obj" => Some(MeshFormat::Obj),
            "stl" => Some(MeshFormat::Stl),
            "ply" => Some(MeshFormat::Ply),
            "off" => Some(MeshFormat::Off),
            _ => None,
        }
    }
}

impl fmt::Display for MeshFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MeshFormat::Obj => "OBJ",
            MeshFormat::Stl => "STL",
            MeshFormat::Ply => "PLY",
            MeshFormat::Off => "OFF",
        })
    }
}

/// How to read a file.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOptions {
    /// Factor from the unit of the file to metres; positive.
    pub scale: f64,
    /// Whether the faces wind clockwise seen from outside, so that they have to be turned over.
    pub reversed: bool,
    /// Distance up to which vertices are one, in m; none takes it from the resolution of the file.
    pub merge_distance: Option<f64>,
    /// How much may be repaired.
    pub repair: Repair,
    /// Names of the objects, groups or solids to read; empty for all.
    pub parts: Vec<String>,
    /// Numbers of the connected parts to keep, from 1, as a report without this choice lists them; empty for all.
    pub shells: Vec<u32>,
    /// Edges flatter than this, in degrees, are parts of a curved surface, and the mesh is refined to follow it; 0 leaves
    /// the mesh as it is.
    pub smooth_angle: f64,
    /// How far a refined mesh may be from the curved surface, in m; none is [`super::DEFAULT_RELATIVE_SAG`] of the size.
    pub sag: Option<f64>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions {
            scale: 1.0,
            reversed: false,
            merge_distance: None,
            repair: Repair::default(),
            parts: Vec::new(),
            shells: Vec::new(),
            smooth_angle: 0.0,
            sag: None,
        }
    }
}

/// Reads a mesh file, cleans the mesh and checks it.
///
/// What is merely unusual is a warning in the report; what would make the contact wrong is an error.
pub fn read(path: &Path, options: ReadOptions) -> Result<(TriangleMesh, MeshReport), MeshError> {
    let (format, bytes) = open(path)?;
    read_bytes(&path.display().to_string(), format, &bytes, options)
}

/// As [`read`], from memory; `name` stands for the file in messages.
pub fn read_bytes(
    name: &str,
    format: MeshFormat,
    bytes: &[u8],
    options: ReadOptions,
) -> Result<(TriangleMesh, MeshReport), MeshError> {
    let (mesh, report) = examine(name, format, bytes, options, Search::Skip)?;
    match report.refusal {
        Some(refusal) => Err(refusal),
        None => Ok((mesh, report)),
    }
}

/// A closer look than [`read`]: also looks for self-intersections, and a mesh with a forbidden topology
/// comes back with its complete report, in which `refusal` says why [`read`] refuses it.
pub fn inspect(path: &Path, options: ReadOptions) -> Result<(TriangleMesh, MeshReport), MeshError> {
    let (format, bytes) = open(path)?;
    inspect_bytes(&path.display().to_string(), format, &bytes, options)
}

/// As [`inspect`], from memory.
pub fn inspect_bytes(
    name: &str,
    format: MeshFormat,
    bytes: &[u8],
    options: ReadOptions,
) -> Result<(TriangleMesh, MeshReport), MeshError> {
    examine(name, format, bytes, options, Search::SelfIntersections)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Search {
    Skip,
    SelfIntersections,
}

fn examine(
    name: &str,
    format: MeshFormat,
    bytes: &[u8],
    options: ReadOptions,
    search: Search,
) -> Result<(TriangleMesh, MeshReport), MeshError> {
    if !(options.scale.is_finite() && 0.0 < options.scale) {
        return Err(MeshError::InvalidScale { file: name.into(), scale: options.scale });
    }
    if let Some(distance) = options.merge_distance.filter(|distance| !(distance.is_finite() && 0.0 <= *distance)) {
        return Err(MeshError::InvalidMergeDistance { file: name.into(), distance });
    }
    if !(0.0..=LARGEST_SMOOTH_ANGLE).contains(&options.smooth_angle) {
        return Err(MeshError::InvalidSmoothAngle { file: name.into(), angle: options.smooth_angle });
    }
    if let Some(sag) = options.sag.filter(|sag| !(sag.is_finite() && 0.0 < *sag)) {
        return Err(MeshError::InvalidSag { file: name.into(), sag });
    }
    if MAX_FILE_BYTES < bytes.len() as u64 {
        return Err(MeshError::FileTooLarge { file: name.into(), bytes: bytes.len() as u64 });
    }
    refuse_foreign_content(name, format, bytes)?;
    let mut raw = match format {
        MeshFormat::Obj => obj::read(name, bytes, options.scale)?,
        MeshFormat::Stl => stl::read(name, bytes, options.scale)?,
        MeshFormat::Ply => ply::read(name, bytes, options.scale)?,
        MeshFormat::Off => off::read(name, bytes, options.scale)?,
    };
    let merge_distance = options.merge_distance.unwrap_or_else(|| raw.resolution.merge_distance(&raw.vertices));
    let place_of_face =
        |number| Place { face: Some(number + 1), line: line_of_face(format, bytes, number + 1), vertex: None };
    let mut source = Source {
        file: name,
        format,
        scale: options.scale,
        faces_in_file: raw.faces_in_file,
        vertices_in_file: raw.vertices_in_file,
        contradicting_normals: raw.contradicting_normals,
        merge_distance,
        part_names: selection::part_names(&raw),
        // Whoever says which way the faces wind is believed.
        turns_shells: options.repair == Repair::Safe && !options.reversed,
        changes: Vec::new(),
        place_of_face: &place_of_face,
    };
    let is_smoothed = 0.0 < options.smooth_angle || search == Search::SelfIntersections;
    let stated = match format {
        _ if !is_smoothed => FileNormals::default(),
        MeshFormat::Obj => obj::normals(bytes, options.scale),
        _ => raw.corner_normals(),
    };
    selection::keep_parts(name, &mut raw, &options.parts, &source.part_names)?;
    let mut cleaned = clean(raw, merge_distance);
    if cleaned.mesh.faces.is_empty() {
        return Err(MeshError::NoFaces { file: name.into(), dropped: cleaned.dropped_faces });
    }
    let closed = close_cracks(&mut cleaned, merge_distance);
    source.changes = first_changes(&cleaned, closed);
    if options.repair == Repair::Safe {
        source.changes.extend(repair_edges(&mut cleaned, &place_of_face));
    }
    selection::keep_shells(name, &mut cleaned, &options.shells)?;
    if options.reversed {
        cleaned.mesh.faces.iter_mut().for_each(|corners| corners.swap(1, 2));
    }
    let mut report = validation::report(&mut cleaned, &source);
    if search == Search::SelfIntersections {
        validation::add_self_intersections(&mut report, &cleaned, &source);
    }
    let stated = corner_normals(&cleaned, &stated, merge_distance);
    let CleanedMesh { mut mesh, .. } = cleaned;
    // A refused mesh may have edges with many faces, which bend in no particular way.
    if report.refusal.is_none() {
        smoothen(&mut mesh, &stated, &mut report, &options, search);
    }
    Ok((mesh, report))
}

/// The normals that the file states at the corners of the faces that are left, in the order of half-edges.
fn corner_normals(cleaned: &CleanedMesh, stated: &FileNormals, merge_distance: f64) -> Vec<Option<Vector>> {
    if stated.is_empty() {
        return Vec::new();
    }
    let faces = cleaned.mesh.faces.iter().zip(&cleaned.face_numbers);
    let corners = faces.flat_map(|(corners, &number)| corners.map(|corner| (number, corner)));
    corners.map(|(number, corner)| stated.at(number, cleaned.mesh.vertices[corner.index()], merge_distance)).collect()
}

/// Refines the mesh where that is asked for; a closer look tells what it would do.
fn smoothen(
    mesh: &mut TriangleMesh,
    stated: &[Option<Vector>],
    report: &mut MeshReport,
    options: &ReadOptions,
    search: Search,
) {
    let angle = match (0.0 < options.smooth_angle, search) {
        (true, _) => options.smooth_angle,
        (false, Search::SelfIntersections) => USUAL_SMOOTH_ANGLE,
        (false, Search::Skip) => return,
    };
    let smooth_options = SmoothOptions {
        angle: angle.to_radians(),
        sag: options.sag.unwrap_or(DEFAULT_RELATIVE_SAG * report.bounding_box.size().max()),
        resolution: report.merge_distance,
    };
    if options.smooth_angle == 0.0 {
        report.smoothing = Some(smooth::measure(mesh, stated, smooth_options));
        return;
    }
    let Smoothed { mesh: refined, parents, report: found } = smooth::smooth(mesh, stated, smooth_options);
    *mesh = refined;
    if !report.defects.is_empty() {
        let was_defect: BTreeSet<FaceIndex> = report.defects.iter().copied().collect();
        let parents = parents.iter().enumerate().filter(|(_, parent)| was_defect.contains(parent));
        report.defects = parents.map(|(face, _)| FaceIndex(face as u32)).collect();
    }
    if let Some(sag) = found.coarser {
        report.warnings.push(MeshWarning::CoarserSag { faces: found.faces, sag, wanted: found.sag });
    }
    if found.kept_flat != 0 {
        report.warnings.push(MeshWarning::KeptFlat { faces: found.kept_flat });
    }
    report.smoothing = Some(found);
}

/// What merging and closing have done.
fn first_changes(cleaned: &CleanedMesh, closed: ClosedCracks) -> Vec<MeshChange> {
    let mut changes = Vec::new();
    if cleaned.merged.near != 0 {
        let (vertices, farthest) = (cleaned.merged.near, cleaned.merged.farthest);
        changes.push(MeshChange::MergedVertices { vertices, farthest });
    }
    if cleaned.dropped_faces != 0 {
        changes.push(MeshChange::DroppedFaces { faces: cleaned.dropped_faces });
    }
    if closed.edges != 0 {
        changes.push(MeshChange::ClosedCracks { edges: closed.edges, farthest: closed.farthest });
    }
    changes
}

/// The format and the bytes of a mesh file, for [`read_bytes`]; no more than the largest file that is read.
pub fn open(path: &Path) -> Result<(MeshFormat, Vec<u8>), MeshError> {
    let name = path.display().to_string();
    let format = MeshFormat::of(path).ok_or_else(|| MeshError::UnknownFormat { file: name.clone() })?;
    Ok((format, read_limited(path, &name)?))
}

fn read_limited(path: &Path, name: &str) -> Result<Vec<u8>, MeshError> {
    let unreadable = |error: std::io::Error| MeshError::Unreadable { file: name.into(), reason: error.to_string() };
    let file = File::open(path).map_err(unreadable)?;
    let size = file.metadata().map_err(unreadable)?.len();
    let too_large = |bytes| MeshError::FileTooLarge { file: name.into(), bytes };
    if MAX_FILE_BYTES < size {
        return Err(too_large(size));
    }
    let mut bytes = Vec::with_capacity(size as usize);
    // The size of a pipe or a growing file is not known beforehand.
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if MAX_FILE_BYTES < bytes.len() as u64 {
        return Err(too_large(bytes.len() as u64));
    }
    Ok(bytes)
}

fn line_of_face(format: MeshFormat, bytes: &[u8], face: usize) -> Option<usize> {
    match format {
        MeshFormat::Obj => obj::line_of_face(bytes, face),
        MeshFormat::Stl => stl::line_of_face(bytes, face),
        MeshFormat::Ply | MeshFormat::Off => None,
    }
}

/// Recognises files that carry the wrong name, for a better message than the readers could give.
fn refuse_foreign_content(name: &str, format: MeshFormat, bytes: &[u8]) -> Result<(), MeshError> {
    const EXPORT: &str = "export the mesh as OBJ or STL";
    let foreign = |found, advice| Err(MeshError::ForeignContent { file: name.into(), expected: format, found, advice });
    if bytes.is_empty() {
        return Err(MeshError::Truncated { file: name.into(), detail: "it is empty".into() });
    }
    if format == MeshFormat::Stl && stl::has_binary_size(bytes) {
        // The header of a binary file is free text.
        return Ok(());
    }
    let signatures: [(&[u8], &str); 8] = [
        (b"ISO-10303-21", "a STEP model"),
        (b"PK\x03\x04", "a ZIP archive"),
        (b"glTF", "a binary glTF model"),
        (b"\x1F\x8B", "gzip-compressed data"),
        (b"\xFF\xFE", "UTF-16 text"),
        (b"\xFE\xFF", "UTF-16 text"),
        (b"<?xml", "XML"),
        (b"%PDF", "a PDF document"),
    ];
    if let Some((_, found)) = signatures.iter().find(|(signature, _)| bytes.starts_with(signature)) {
        return foreign(found, EXPORT);
    }
    let is_ply = bytes.starts_with(b"ply\n") || bytes.starts_with(b"ply\r");
    match format {
        MeshFormat::Ply if is_ply => return Ok(()),
        MeshFormat::Ply => return foreign("no PLY header", EXPORT),
        MeshFormat::Off => return Ok(()),
        _ if is_ply => return foreign("a PLY model", "rename it to .ply"),
        _ => {}
    }
    let start = &bytes[..bytes.len().min(4096)];
    match format {
        MeshFormat::Obj if stl::is_text(bytes) && contains_line(start, b"facet") => {
            foreign("ASCII STL", "rename it to .stl")
        }
        MeshFormat::Obj if start.contains(&0) => foreign("binary data", EXPORT),
        MeshFormat::Stl if !stl::is_text(bytes) && !start.contains(&0) && contains_line(start, b"v") => {
            foreign("OBJ statements", "rename it to .obj")
        }
        _ => Ok(()),
    }
}

fn contains_line(text: &[u8], first_word: &[u8]) -> bool {
    super::text_lines::TextLines::new(text).any(|(_, line)| {
        super::text_lines::first_word(line).is_some_and(|(word, _)| word.eq_ignore_ascii_case(first_word))
    })
}
