//! Whether a body has passed the middle of the other one, or the other the middle of it.
//!
//! The depth of a point is its distance to the nearest surface. On the way in, that is the surface that the point came
//! through, and it faces the point's own face. Beyond half the thickness of a body the far side is nearer: it faces away,
//! and the depth falls as the bodies go on.

use super::way_out::first_way_out;
use crate::bvh::OverlapStack;
use crate::contact::detect::PosedSurface;
use crate::contact::law::FaceRecord;
use crate::contact::pieces::{FacesInField, Piece};
use crate::math::{Body, Vector};
use crate::mesh::FaceIndex;

/// Surfaces face each other, or away, where the cosine between their normals is at least this: up to 60°. What lies
/// between presses aside.
const FACING: f64 = 0.5;

/// Faces of one body are two sides of a thin part where the cosine between their normals is below this, which is
/// negative: edges of more than 45° are no thin parts.
const TWO_SIDES: f64 = -0.7;

/// Depths below this part of the size of the body that they are in count neither way: above rounding, far below every
/// thickness.
const SHALLOW: f64 = 1e-9;

/// The middle has been passed where this part of the pressed volume lies before surfaces that face away: pointed edges
/// have a little of it in every contact.
const PASSED: f64 = 0.05;

/// Integrals of the depth over the faces of one body, in m³.
#[derive(Clone, Copy, Debug, Default)]
pub struct Facing {
    /// Where the nearest surface faces them.
    towards: f64,
    /// Where it faces away.
    away: f64,
    /// The largest part of that.
    most_away: Away,
}

/// A piece whose nearest surface faces away.
#[derive(Clone, Copy, Debug, Default)]
struct Away {
    /// ∫ u dA in m³.
    volume: f64,
    /// A point of it.
    point_e: Vector,
    /// Normals of its own face and of the nearest surface.
    normals_e: [Vector; 2],
}

impl Facing {
    /// Adds the pieces of a run on faces in the field of a body of this size in m; `all` is their integral of the depth.
    pub fn add_run(&mut self, pieces: &[Piece], faces: &[FaceRecord], size: f64, all: f64) {
        // As almost always: then it does not matter what presses aside.
        if !pieces.iter().any(|piece| piece.slope_out <= -FACING) {
            self.towards += all;
            return;
        }
        for piece in pieces.iter().filter(|piece| FACING <= piece.slope_out.abs()) {
            let volume = pressed_volume(piece, SHALLOW * size);
            if 0.0 < piece.slope_out {
                self.towards += volume;
            } else if 0.0 < volume {
                let most_away = Away::new(piece, &faces[piece.face as usize], volume);
                self.add(&Facing { towards: 0.0, away: volume, most_away });
            }
        }
    }

    /// Adds what others have.
    pub fn add(&mut self, other: &Facing) {
        self.towards += other.towards;
        self.away += other.away;
        if self.most_away.volume < other.most_away.volume {
            self.most_away = other.most_away;
        }
    }

    /// Whether the faces of a body have passed the middle of the other one, or the other one that of their own: there is
    /// the other side of a thin part behind them, and it is in contact too.
    pub fn has_passed(
        &self,
        faces: &FacesInField,
        is_active: impl Fn(Body, FaceIndex) -> bool,
        stack: &mut OverlapStack,
    ) -> bool {
        let Away { point_e, normals_e: [own_e, nearest_e], .. } = self.most_away;
        let mut is_thin = |body: Body, surface: &PosedSurface, side_e: Vector| {
            first_way_out(surface, point_e, -side_e, stack)
                .is_some_and(|(_, face)| surface.normal(face).dot(&side_e) < TWO_SIDES && is_active(body, face))
        };
        PASSED * (self.towards + self.away) < self.away
            && (is_thin(faces.body.other(), &faces.field, nearest_e) || is_thin(faces.body, &faces.surface, own_e))
    }
}

impl Away {
    fn new(piece: &Piece, face: &FaceRecord, volume: f64) -> Self {
        let [x, y, normal_e] = face.axes_e();
        let [_, slope_x, slope_y, _] = piece.depth;
        let sum = piece.corners().fold(Vector::zeros(), |sum, corner| sum + x * corner[0] + y * corner[1]);
        Away {
            volume,
            point_e: face.origin_e() + sum / f64::from(piece.count),
            normals_e: [normal_e, -(x * slope_x + y * slope_y + normal_e * piece.slope_out)],
        }
    }
}

/// ∫ u dA over a piece in m³; nothing where it is shallow all over.
fn pressed_volume(piece: &Piece, shallow: f64) -> f64 {
    let depth = piece.depth_function();
    let mut corners = piece.corners().map(|corner| (corner, depth.value(corner)));
    let (Some((origin, at_origin)), Some((mut from, mut at_from))) = (corners.next(), corners.next()) else {
        return 0.0;
    };
    let (mut sixfold, mut deepest) = (0.0, at_origin.max(at_from));
    for (to, at_to) in corners {
        let double_area = (from[0] - origin[0]) * (to[1] - origin[1]) - (from[1] - origin[1]) * (to[0] - origin[0]);
        sixfold += double_area * (at_origin + at_from + at_to);
        deepest = deepest.max(at_to);
        (from, at_from) = (to, at_to);
    }
    if shallow < deepest { (sixfold / 6.0).max(0.0) } else { 0.0 }
}
