//! The contents of an MSH file as they stand there.

use std::collections::HashMap;

use super::element_types::ElementType;

/// Dimension and tag of a geometric entity.
pub(super) type EntityKey = (i32, i32);

#[derive(Debug, Default)]
pub(super) struct RawMsh {
    /// By dimension and tag of the physical group.
    pub physical_names: HashMap<(i32, i32), String>,
    /// Tags of the physical groups to which an entity belongs.
    pub physical_tags: HashMap<EntityKey, Vec<i32>>,
    pub node_tags: Vec<u64>,
    /// In the unit of the file.
    pub positions: Vec<[f64; 3]>,
    pub elements: Vec<RawElement>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct RawElement {
    pub tag: u64,
    pub entity: EntityKey,
    pub element_type: ElementType,
    /// As many as the type has; the rest is 0.
    pub node_tags: [u64; 10],
}

impl RawElement {
    pub fn nodes(&self) -> &[u64] {
        &self.node_tags[..self.element_type.node_count()]
    }
}
