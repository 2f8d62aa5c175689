//! A mesh file becomes a surface that is ready for contact, shared by all instances of the process.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use sha2::{Digest, Sha256};

use crate::contact::ContactSurface;
use crate::exchange::SolidBody;
use crate::mesh::{self, MeshFormat, ReadOptions, Repair};

/// A surface with what the FMU tells about it.
pub(crate) struct SurfaceFile {
    pub(crate) surface: ContactSurface,
    pub(crate) triangle_count: usize,
    /// Largest distance of a vertex from the origin of the marker, in m.
    pub(crate) radius: f64,
    /// What its mass may be.
    pub(crate) solid: SolidBody,
    /// Hash of the file's bytes.
    pub(crate) digest: [u8; 32],
    /// What is accepted, but should be looked at.
    pub(crate) warnings: Vec<String>,
}

/// What a surface is made of: the same key gives the same surface, whatever the file is called.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    digest: [u8; 32],
    format: MeshFormat,
    scale_bits: u64,
    reversed: bool,
    merge_distance_bits: Option<u64>,
    repair: Repair,
    parts: Vec<String>,
    shells: Vec<u32>,
    smooth_angle_bits: u64,
    sag_bits: Option<u64>,
}

/// Surfaces that instances of this process have in use. It keeps none of them alive, and forgets a surface with its
/// last user, so that nothing is left when a host unloads the library.
static IN_USE: Mutex<BTreeMap<Key, Weak<SurfaceFile>>> = Mutex::new(BTreeMap::new());

/// A surface that other instances may use as well.
#[derive(Clone)]
pub(crate) struct SharedSurface(Option<Arc<SurfaceFile>>);

impl Deref for SharedSurface {
    type Target = SurfaceFile;

    #[inline]
    fn deref(&self) -> &SurfaceFile {
        self.0.as_deref().expect("only a drop takes it")
    }
}

impl Drop for SharedSurface {
    fn drop(&mut self) {
        // Outside the lock: freeing a large surface takes a while.
        drop(self.0.take());
        let mut in_use = lock();
        in_use.retain(|_, surface| surface.strong_count() != 0);
        if in_use.is_empty() {
            // An emptied map may keep a node, which would be lost when the library is unloaded.
            *in_use = BTreeMap::new();
        }
    }
}

/// Reads a mesh, or finds it where another instance has read the same content; an error says what is wrong with which
/// file.
pub(crate) fn read_surface(path: &Path, options: &ReadOptions) -> Result<SharedSurface, String> {
    let (format, bytes) = mesh::open(path).map_err(|error| error.to_string())?;
    let digest: [u8; 32] = Sha256::digest(&bytes).into();
    let key = Key {
        digest,
        format,
        scale_bits: options.scale.to_bits(),
        reversed: options.reversed,
        merge_distance_bits: options.merge_distance.map(f64::to_bits),
        repair: options.repair,
        parts: options.parts.clone(),
        shells: options.shells.clone(),
        smooth_angle_bits: options.smooth_angle.to_bits(),
        sag_bits: options.sag.map(f64::to_bits),
    };
    if let Some(surface) = lock().get(&key).and_then(Weak::upgrade) {
        return Ok(SharedSurface(Some(surface)));
    }
    // The lock is free meanwhile: other instances read other meshes.
    let name = path.display().to_string();
    let (mesh, report) = mesh::read_bytes(&name, format, &bytes, options.clone()).map_err(|error| error.to_string())?;
    drop(bytes);
    let surface = Arc::new(SurfaceFile {
        triangle_count: mesh.faces.len(),
        radius: mesh.vertices.iter().map(|vertex| vertex.norm()).fold(0.0, f64::max),
        solid: SolidBody::of_mesh(&mesh),
        digest,
        warnings: report.warnings.iter().map(ToString::to_string).collect(),
        surface: ContactSurface::new(mesh).with_defects(&report.defects),
    });
    let mut in_use = lock();
    // Another thread may have been quicker.
    let surface = in_use.get(&key).and_then(Weak::upgrade).unwrap_or(surface);
    in_use.insert(key, Arc::downgrade(&surface));
    Ok(SharedSurface(Some(surface)))
}

/// The map is whole after every change, so a panic elsewhere does not spoil it.
fn lock() -> MutexGuard<'static, BTreeMap<Key, Weak<SurfaceFile>>> {
    IN_USE.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    const TETRAHEDRON: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

    /// A file in a folder of its own, which goes with it.
    struct File(PathBuf);

    impl File {
        fn new(name: &str, text: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("polycontact surfaces {}", std::process::id()));
            std::fs::create_dir_all(&folder).unwrap();
            let path = folder.join(name);
            std::fs::write(&path, text).unwrap();
            File(path)
        }
    }

    impl Drop for File {
        fn drop(&mut self) {
            let _ = std::fs::remove_file(&self.0);
        }
    }

    fn read(path: &Path, scale: f64, reversed: bool) -> Result<SharedSurface, String> {
        read_surface(path, &ReadOptions { scale, reversed, ..ReadOptions::default() })
    }

    fn is_shared(a: &SharedSurface, b: &SharedSurface) -> bool {
        Arc::ptr_eq(a.0.as_ref().unwrap(), b.0.as_ref().unwrap())
    }

    /// Entries of a scale that no other test uses.
    fn entries(scale: f64) -> usize {
        lock().keys().filter(|key| key.scale_bits == scale.to_bits()).count()
    }

    #[test]
    fn the_same_content_is_shared_and_freed_with_its_last_user() {
        let (file, copy) = (File::new("a.obj", TETRAHEDRON), File::new("copy of a.obj", TETRAHEDRON));
        let scale = 0.123;
        let first = read(&file.0, scale, false).unwrap();
        let second = read(&copy.0, scale, false).unwrap();
        assert!(is_shared(&first, &second), "the same bytes under two names");
        let reversed = read(&file.0, scale, true).unwrap();
        assert!(!is_shared(&first, &reversed), "the other side out");
        let larger = read(&file.0, 2.0 * scale, false).unwrap();
        assert!(!is_shared(&first, &larger), "another scale");
        assert_eq!((larger.radius, entries(scale)), (2.0 * scale, 2));

        let freed = Arc::downgrade(first.0.as_ref().unwrap());
        drop(first);
        assert!(freed.upgrade().is_some(), "still in use");
        drop(second);
        assert!(freed.upgrade().is_none(), "nobody uses it any more");
        assert_eq!(entries(scale), 1);
        drop((reversed, larger));
        assert_eq!((entries(scale), entries(2.0 * scale)), (0, 0));
    }

    #[test]
    fn changed_content_is_read_again() {
        let file = File::new("b.obj", TETRAHEDRON);
        let before = read(&file.0, 0.321, false).unwrap();
        std::fs::write(&file.0, TETRAHEDRON.replace("v 0 0 1", "v 0 0 2")).unwrap();
        let after = read(&file.0, 0.321, false).unwrap();
        assert!(!is_shared(&before, &after));
        assert_eq!(after.radius, 2.0 * 0.321);
    }

    #[test]
    fn threads_that_read_at_once_end_up_with_one_surface() {
        let file = File::new("c.obj", TETRAHEDRON);
        let surfaces: Vec<SharedSurface> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| read(&file.0, 0.231, false).unwrap())).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(surfaces.iter().all(|surface| is_shared(surface, &surfaces[0])));
        drop(surfaces);
        assert_eq!(entries(0.231), 0);
    }

    #[test]
    fn refused_files_leave_nothing_behind() {
        let file = File::new("d.obj", "v 0 0 0\n");
        assert!(read(&file.0, 0.213, false).is_err());
        assert!(read(Path::new("missing.obj"), 0.213, false).is_err());
        assert_eq!(entries(0.213), 0);
    }
}
