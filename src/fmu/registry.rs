//! Handles that a host can hold without a pointer into this library's memory.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

/// Handles lie this far apart: nothing that a host adds to one by mistake makes another.
const STRIDE: usize = 16;

/// Living objects by handle.
///
/// A handle is a number, never an address: random, foreign and freed handles are not found,
/// instead of being followed. No handle is given twice.
pub(crate) struct Registry<T> {
    objects: RwLock<BTreeMap<usize, Arc<T>>>,
    given: AtomicUsize,
}

impl<T> Registry<T> {
    pub(crate) const fn new() -> Self {
        Registry { objects: RwLock::new(BTreeMap::new()), given: AtomicUsize::new(0) }
    }

    /// Takes an object and returns its handle, which is not null.
    pub(crate) fn insert(&self, object: T) -> *mut c_void {
        let serial = self.given.fetch_add(1, Ordering::Relaxed) + 1;
        // Counting from the registry's own address keeps the handles of two loaded copies of
        // this library apart.
        let handle = ptr::from_ref(self).addr().wrapping_add(serial.wrapping_mul(STRIDE));
        self.objects.write().unwrap_or_else(PoisonError::into_inner).insert(handle, Arc::new(object));
        ptr::without_provenance_mut(handle)
    }

    #[inline]
    pub(crate) fn get(&self, handle: *mut c_void) -> Option<Arc<T>> {
        self.objects.read().unwrap_or_else(PoisonError::into_inner).get(&handle.addr()).cloned()
    }

    pub(crate) fn remove(&self, handle: *mut c_void) -> Option<Arc<T>> {
        let mut objects = self.objects.write().unwrap_or_else(PoisonError::into_inner);
        let object = objects.remove(&handle.addr());
        if objects.is_empty() {
            // An emptied map may keep a node, which would be lost when the library is unloaded.
            *objects = BTreeMap::new();
        }
        object
    }

    /// Removes what a test says.
    pub(crate) fn retain(&self, mut keep: impl FnMut(&T) -> bool) {
        let mut objects = self.objects.write().unwrap_or_else(PoisonError::into_inner);
        objects.retain(|_, object| keep(object));
        if objects.is_empty() {
            *objects = BTreeMap::new();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_are_never_reused() {
        let registry = Registry::new();
        let first = registry.insert("first");
        assert_eq!(registry.get(first).as_deref(), Some(&"first"));
        registry.remove(first);
        let second = registry.insert("second");
        assert_ne!(first, second);
        assert!(registry.get(first).is_none());
        assert!(registry.get(ptr::null_mut()).is_none());
    }
}
