//! Normals that a file states at the corners of its faces.

use crate::math::Vector;

/// Normals at the corners of polygons, to be found by the place of the corner: reading may have cut, turned and merged
/// what they belong to.
#[derive(Debug, Default)]
pub(super) struct FileNormals {
    /// Corners by polygon: those of polygon `p` are `corners[start[p]..start[p + 1]]`.
    start: Vec<u32>,
    corners: Vec<(Vector, Vector)>,
}

impl FileNormals {
    /// Takes corners as (number of the polygon, place in m, normal of any length), in the order of the polygons.
    pub(super) fn new(stated: impl Iterator<Item = (u32, Vector, Vector)>) -> FileNormals {
        let mut normals = FileNormals::default();
        for (polygon, place, normal) in stated {
            let Some(normal) = normal.try_normalize(0.0).filter(|normal| normal.iter().all(|x| x.is_finite())) else {
                continue;
            };
            while normals.start.len() <= polygon as usize {
                normals.start.push(normals.corners.len() as u32);
            }
            normals.corners.push((place, normal));
        }
        normals.start.push(normals.corners.len() as u32);
        normals
    }

    pub(super) fn is_empty(&self) -> bool {
        self.corners.is_empty()
    }

    /// The unit normal at a corner of a polygon that is within a distance of a place, in m.
    pub(super) fn at(&self, polygon: u32, place: Vector, distance: f64) -> Option<Vector> {
        let (&from, &to) = (self.start.get(polygon as usize)?, self.start.get(polygon as usize + 1)?);
        let corners = self.corners[from as usize..to as usize].iter().take(MOST_CORNERS);
        let nearest = corners.map(|(corner, normal)| ((corner - place).norm(), normal));
        let (off, normal) = nearest.min_by(|(one, _), (other, _)| one.total_cmp(other))?;
        (off <= distance).then_some(*normal)
    }
}

/// Corners of a polygon that are searched: bounded time for any file.
const MOST_CORNERS: usize = 64;
