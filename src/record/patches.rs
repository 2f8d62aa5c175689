//! The contact patches of one moment, in few bytes: polygons whose corners have a place and a pressure.

use super::block::Reader;
use crate::contact::{Body, ContactPiece};
use crate::math::Vector;

/// Most bytes of corners in one frame: of larger contacts the largest pieces stay.
const MOST_BYTES: usize = 1 << 17;

/// Bytes of a corner: three coordinates and a pressure in 1/65535 of their ranges.
const CORNER_BYTES: usize = 8;

/// Part of the area whose larger pressures share the last value: slivers with odd numbers do not spoil the scale.
const LAST_COLOUR: f64 = 1e-3;

/// Corner of a polygon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatchPoint {
    /// In M_e, in m.
    pub position_e: [f64; 3],
    /// In Pa.
    pub pressure: f64,
}

/// Polygons in the frame M_e.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Patches {
    /// Smallest coordinates, in m.
    origin: [f32; 3],
    /// Ranges of the coordinates, in m.
    size: [f32; 3],
    /// Range of the pressures, in Pa.
    top_pressure: f32,
    /// Corners of each polygon.
    corner_counts: Vec<u8>,
    /// In 1/65535 of the ranges.
    corners: Vec<[u16; 4]>,
}

impl Patches {
    /// The pieces of the body that carries more; the pressures of both say the same.
    pub fn of(mut pieces: Vec<ContactPiece>) -> Patches {
        let weight =
            |body| pieces.iter().filter(|piece| piece.body == body).map(|piece| piece.weight).fold(0.0, f64::max);
        let shown = if weight(Body::E) < weight(Body::F) { Body::F } else { Body::E };
        pieces.retain(|piece| piece.body == shown && 0.0 < piece.area);
        pieces.iter_mut().for_each(ContactPiece::give_outline);
        let bytes = |pieces: &[ContactPiece]| -> usize {
            pieces.iter().map(|piece| 1 + CORNER_BYTES * piece.corners.len()).sum()
        };
        let mut left = bytes(&pieces);
        if MOST_BYTES < left {
            pieces.sort_by(|a, b| b.area.total_cmp(&a.area));
            while MOST_BYTES < left {
                left -= pieces.pop().map_or(left, |piece| bytes(&[piece]));
            }
        }
        Patches::quantised(&pieces)
    }

    fn quantised(pieces: &[ContactPiece]) -> Patches {
        let Some(first) = pieces.first() else { return Patches::default() };
        let points = || pieces.iter().flat_map(|piece| &piece.corners);
        let start = first.corners[0].position_e;
        let (low, high) = points()
            .fold((start, start), |(low, high), point| (low.inf(&point.position_e), high.sup(&point.position_e)));
        // In single precision, rounded outwards: no corner is outside.
        let down = |x: f64| if f64::from(x as f32) <= x { x as f32 } else { (x as f32).next_down() };
        let up = |x: f64| if x <= f64::from(x as f32) { x as f32 } else { (x as f32).next_up() };
        let origin: [f32; 3] = std::array::from_fn(|axis| down(low[axis]));
        let size: [f32; 3] = std::array::from_fn(|axis| up(high[axis] - f64::from(origin[axis])));
        let top_pressure = up(top_pressure(pieces));
        let word = |value: f64, range: f32| match range {
            range if 0.0 < range => (65535.0 * (value / f64::from(range)).clamp(0.0, 1.0)).round() as u16,
            _ => 0,
        };
        Patches {
            origin,
            size,
            top_pressure,
            // A convex part of a triangle has fewer corners than fit a byte; a longer one would be cut, not wrong.
            corner_counts: pieces.iter().map(|piece| piece.corners.len().min(255) as u8).collect(),
            corners: pieces
                .iter()
                .flat_map(|piece| piece.corners.iter().take(255))
                .map(|corner| {
                    let at = |axis: usize| word(corner.position_e[axis] - f64::from(origin[axis]), size[axis]);
                    [at(0), at(1), at(2), word(corner.pressure, top_pressure)]
                })
                .collect(),
        }
    }

    /// Whether there is no contact to show.
    pub fn is_empty(&self) -> bool {
        self.corner_counts.is_empty()
    }

    /// Number of polygons.
    pub fn len(&self) -> usize {
        self.corner_counts.len()
    }

    /// The largest pressure that can be told apart, in Pa.
    pub fn top_pressure(&self) -> f64 {
        f64::from(self.top_pressure)
    }

    /// Smallest coordinates and ranges of the coordinates, in m.
    pub fn bounds(&self) -> ([f32; 3], [f32; 3]) {
        (self.origin, self.size)
    }

    /// Corners of each polygon, and all corners in 1/65535 of the ranges.
    pub fn words(&self) -> (&[u8], &[[u16; 4]]) {
        (&self.corner_counts, &self.corners)
    }

    /// The polygons.
    pub fn polygons(&self) -> impl Iterator<Item = Vec<PatchPoint>> {
        let mut rest = &self.corners[..];
        self.corner_counts.iter().map(move |count| {
            let (corners, after) = rest.split_at(usize::from(*count));
            rest = after;
            corners.iter().map(|corner| self.point(corner)).collect()
        })
    }

    fn point(&self, corner: &[u16; 4]) -> PatchPoint {
        let part = |word: u16, range: f32| f64::from(word) / 65535.0 * f64::from(range);
        PatchPoint {
            position_e: std::array::from_fn(|axis| f64::from(self.origin[axis]) + part(corner[axis], self.size[axis])),
            pressure: part(corner[3], self.top_pressure),
        }
    }

    pub(super) fn push(&self, bytes: &mut Vec<u8>) {
        bytes.extend((self.corner_counts.len() as u32).to_le_bytes());
        if self.is_empty() {
            return;
        }
        self.origin.iter().chain(&self.size).chain([&self.top_pressure]).for_each(|x| bytes.extend(x.to_le_bytes()));
        bytes.extend(&self.corner_counts);
        for axis in 0..4 {
            for shift in [8, 0] {
                bytes.extend(self.corners.iter().map(|corner| (corner[axis] >> shift) as u8));
            }
        }
    }

    pub(super) fn take(reader: &mut Reader) -> Option<Patches> {
        let count = reader.count()?;
        if count == 0 {
            return Some(Patches::default());
        }
        let mut range = [0.0; 7];
        for number in &mut range {
            *number = reader.single().filter(|number| number.is_finite())?;
        }
        let corner_counts = reader.bytes(count)?.to_vec();
        let corners = corner_counts.iter().map(|count| usize::from(*count)).sum();
        let planes = reader.bytes(corners * CORNER_BYTES)?;
        let word = |corner: usize, axis: usize| {
            u16::from_be_bytes([0, 1].map(|plane| planes[(2 * axis + plane) * corners + corner]))
        };
        Some(Patches {
            origin: [range[0], range[1], range[2]],
            size: [range[3], range[4], range[5]],
            top_pressure: range[6],
            corners: (0..corners).map(|corner| std::array::from_fn(|axis| word(corner, axis))).collect(),
            corner_counts,
        })
    }
}

/// The largest pressure, without pieces that have almost no area.
fn top_pressure(pieces: &[ContactPiece]) -> f64 {
    let peak = |piece: &ContactPiece| piece.corners.iter().map(|corner| corner.pressure).fold(0.0, f64::max);
    let mut peaks: Vec<(f64, f64)> = pieces.iter().map(|piece| (peak(piece), piece.area)).collect();
    peaks.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut left = LAST_COLOUR * peaks.iter().map(|(_, area)| area).sum::<f64>();
    let found = peaks.iter().find(|(_, area)| {
        left -= area;
        left <= 0.0
    });
    found.map_or(0.0, |(peak, _)| *peak)
}

/// The area of a polygon along its normal, in M_e; counter-clockwise corners are seen from its tip.
pub fn area_vector(polygon: &[PatchPoint]) -> Vector {
    let at = |point: &PatchPoint| Vector::from_column_slice(&point.position_e);
    let Some(first) = polygon.first().map(at) else { return Vector::zeros() };
    let sides = polygon.windows(2).skip(1);
    sides.map(|side| (at(&side[0]) - first).cross(&(at(&side[1]) - first)) * 0.5).sum()
}
