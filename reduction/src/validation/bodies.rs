//! Reduced bodies of the validation, made once and kept below `target/flexible`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use polycontact::flexible::{ArchiveError, FlexibleBody};

use crate::assembly::assemble;
use crate::contact_selection::ContactSelection;
use crate::craig_bampton::{Damping, Directions, Modes, Progress, ReductionSettings, Split, reduce};
use crate::error::ReductionError;
use crate::volume_mesh::impact_bodies::{Fineness, ImpactBody};
use crate::volume_mesh::{CONTACT_GROUP, VolumeMeshError};

/// Why there is no body.
#[derive(Debug, thiserror::Error)]
pub enum BodyError {
    /// The mesh cannot be assembled.
    #[error(transparent)]
    Mesh(#[from] VolumeMeshError),
    /// It cannot be reduced.
    #[error(transparent)]
    Reduction(#[from] ReductionError),
    /// The archive cannot be read.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The cache cannot be used.
    #[error("cannot use `{path}`: {source}")]
    Cache {
        /// The file.
        path: String,
        /// What the system says.
        source: std::io::Error,
    },
}

/// The reduced body, from the cache where this program has made it before.
pub fn reduced_body(body: ImpactBody, fineness: Fineness) -> Result<FlexibleBody, BodyError> {
    /// One at a time: threads that need the same body wait for it, and a reduction uses all cores anyway.
    static MAKING: Mutex<()> = Mutex::new(());
    let _making = MAKING.lock().unwrap_or_else(PoisonError::into_inner);
    let path = archive_path(body, fineness);
    if !is_fresh(&path) {
        make(body, fineness, &path)?;
    }
    Ok(FlexibleBody::read(&path)?)
}

/// Where the archive of a body is kept.
pub fn archive_path(body: ImpactBody, fineness: Fineness) -> PathBuf {
    let fineness = match fineness {
        Fineness::Coarse => "coarse",
        Fineness::Fine => "fine",
    };
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../target"), PathBuf::from);
    target.join("flexible").join(format!("{}-{fineness}.npz", body.name()))
}

/// Frequency in Hz up to which modes are kept: the dissertation's on fine meshes; on coarse ones what an impact of
/// 0.2 ms excites, since coarse elements carry no shorter waves.
fn highest_frequency(body: ImpactBody, fineness: Fineness) -> f64 {
    match (body, fineness) {
        (ImpactBody::Ball, _) => 132.0e3,
        (ImpactBody::Block, _) => 106.0e3,
        (_, Fineness::Coarse) => 35.0e3,
        (ImpactBody::Beam, Fineness::Fine) => 61.5e3,
        (_, Fineness::Fine) => 70.0e3,
    }
}

fn make(body: ImpactBody, fineness: Fineness, path: &Path) -> Result<(), BodyError> {
    eprintln!("{}: meshing and reduction", path.display());
    let model = assemble(&body.mesh(fineness), &body.material())?;
    let settings = ReductionSettings {
        contact: ContactSelection { group: Some(CONTACT_GROUP.to_owned()), ..ContactSelection::default() },
        directions: Directions::Normal,
        modes: Modes::Below(highest_frequency(body, fineness)),
        split: Split::WithModes,
        damping: Damping::Ratio(0.0),
    };
    let reduced = reduce(&model, &settings, &mut |progress| {
        if let Progress::Stage(stage) = progress {
            eprintln!("  {stage}");
        }
    })?;
    let failed = |source| BodyError::Cache { path: path.display().to_string(), source };
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(failed)?;
    // Programs run side by side: each writes its own file, and the last one stays.
    let draft = path.with_extension(format!("{}.draft", std::process::id()));
    reduced.write_archive(&draft)?;
    fs::rename(&draft, path).map_err(failed)
}

/// Whether the file is younger than this program: a changed reduction makes its bodies again.
fn is_fresh(path: &Path) -> bool {
    let modified = |path: &Path| fs::metadata(path).and_then(|metadata| metadata.modified());
    let program = std::env::current_exe().and_then(|program| modified(&program));
    matches!((modified(path), program), (Ok(file), Ok(program)) if program < file)
}
