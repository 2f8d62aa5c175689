//! Stage 2b: intersection lines become intersection polygons.

use crate::contact::detect::{IntersectionLine, NodeId};

/// Intersection lines chained by the identity of their end points.
#[derive(Clone, Debug, Default)]
pub struct IntersectionPolygons {
    /// The polygon of each line.
    pub polygon_of_line: Vec<u32>,
    /// How many polygons there are.
    pub polygon_count: u32,
    /// Whether a polygon has loose ends; only a border in the contact can cause that.
    pub has_open_polygon: bool,
    starts: Vec<(NodeId, u32)>,
    next: Vec<u32>,
    has_predecessor: Vec<bool>,
}

const NONE: u32 = u32::MAX;

impl IntersectionPolygons {
    /// Chains the lines: the end of a line is the start of the next one on the same polygon.
    ///
    /// Every node is crossed by two neighbouring faces of the surface that its edge belongs to, once
    /// on the way in and once on the way out, so it is the start of one line and the end of another.
    /// On a border edge one of the two is missing.
    pub fn chain(&mut self, lines: &[IntersectionLine]) {
        self.starts.clear();
        self.starts.extend(lines.iter().enumerate().map(|(index, line)| (line.start.id, index as u32)));
        self.starts.sort_unstable();
        self.next.clear();
        self.has_predecessor.clear();
        self.has_predecessor.resize(lines.len(), false);
        for line in lines {
            let next = match self.starts.binary_search_by_key(&line.end.id, |&(id, _)| id) {
                Ok(position) => self.starts[position].1,
                Err(_) => NONE,
            };
            if next != NONE {
                self.has_predecessor[next as usize] = true;
            }
            self.next.push(next);
        }

        self.polygon_of_line.clear();
        self.polygon_of_line.resize(lines.len(), NONE);
        self.polygon_count = 0;
        self.has_open_polygon = false;
        // Open chains first, each from its loose start, then the loops.
        for line in 0..lines.len() {
            if !self.has_predecessor[line] {
                self.has_open_polygon = true;
                self.label_from(line as u32);
            }
        }
        for line in 0..lines.len() as u32 {
            self.label_from(line);
        }
    }

    fn label_from(&mut self, first: u32) {
        if self.polygon_of_line[first as usize] != NONE {
            return;
        }
        let mut line = first;
        while line != NONE && self.polygon_of_line[line as usize] == NONE {
            self.polygon_of_line[line as usize] = self.polygon_count;
            line = self.next[line as usize];
        }
        self.polygon_count += 1;
    }
}
