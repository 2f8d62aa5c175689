//! How depths below edges and vertices change with the motion of the field's body.
//!
//! There the depth is the distance to a line or a point, and changes by the way along the direction to it, which is not the
//! same everywhere on a piece. As the depth itself, its change is taken as the linear function that has the same
//! integrals, alone and with both coordinates: the stiffness of the springs is then exact, up to the quadrature.

use super::FaceRecord;
use crate::contact::detect::PosedSurface;
use crate::contact::pieces::{Feature, Piece, PlanePoint};
use crate::math::Vector;

/// Gauss' points between 0 and 1, three of them, and their weights. Directions differ by less than 10° over a piece: terms
/// of the sixth order in that are 10⁻⁵, and the rest of them less.
const GAUSS_THREE: [(f64, f64); 3] =
    [(0.112_701_665_379_258_3, 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.887_298_334_620_741_7, 5.0 / 18.0)];

/// Of polygons as slender as this the slope across cannot be told from rounding: they take the direction at their centroid.
/// The determinant of their second moments over the square of the trace; dimensionless.
const SLENDER: f64 = 1e-9;

/// The change of the depth on a piece with translations of the field along the axes of E, and with rotations about the
/// reference point.
#[derive(Clone, Copy, Debug)]
pub struct RoundedChange {
    /// Place of the piece.
    pub piece: u32,
    /// At the origin of the face, and along x and y of its plane.
    pub columns: [[f64; 3]; 6],
    /// What the depth is measured from.
    pub target: Target,
}

/// The line or point that depths are measured from, in E.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    point: Vector,
    along: Vector,
}

impl Target {
    fn new(field: &PosedSurface, feature: Feature) -> Option<Self> {
        match feature {
            Feature::Face(_) => None,
            Feature::Edge(edge) => {
                let corners = field.corners(edge.face());
                let (point, end) = (corners[edge.corner()], corners[(edge.corner() + 1) % 3]);
                Some(Target { point, along: (end - point).try_normalize(0.0).unwrap_or_else(Vector::zeros) })
            }
            Feature::Vertex(vertex) => Some(Target { point: field.vertex(vertex), along: Vector::zeros() }),
        }
    }

    fn offset(&self, point: &Vector) -> Vector {
        let offset = point - self.point;
        offset - self.along * self.along.dot(&offset)
    }

    /// The unit vector from a point to the nearest one of the target: against it the depth grows.
    pub fn direction(&self, point: &Vector) -> Vector {
        -self.offset(point).try_normalize(0.0).unwrap_or_else(Vector::zeros)
    }

    /// The change of the depth at a point with motions of the line or point.
    pub fn change(&self, point: &Vector, reference_e: &Vector) -> [f64; 6] {
        let towards = self.direction(point);
        let turning = (point - reference_e).cross(&towards);
        [towards.x, towards.y, towards.z, turning.x, turning.y, turning.z]
    }
}

/// Replaces `changes` by those of all pieces below edges and vertices, in the order of the pieces.
pub fn find_rounded(
    field: &PosedSurface,
    pieces: &[Piece],
    faces: &[FaceRecord],
    reference_e: Vector,
    changes: &mut Vec<RoundedChange>,
) {
    changes.clear();
    for (index, piece) in pieces.iter().enumerate() {
        if let Some(target) = Target::new(field, piece.feature)
            && let Some(columns) = columns(&target, piece, &faces[piece.face as usize], &reference_e)
        {
            changes.push(RoundedChange { piece: index as u32, columns, target });
        }
    }
}

fn columns(target: &Target, piece: &Piece, face: &FaceRecord, reference_e: &Vector) -> Option<[[f64; 3]; 6]> {
    let polygon = piece.polygon();
    let (_, center) = polygon.area_and_centroid()?;
    let corners = polygon.corners();
    let ([x_e, y_e, _], origin_e) = (face.axes_e(), face.origin_e());
    let point = |at: PlanePoint| origin_e + x_e * at[0] + y_e * at[1];
    let distance = |corner: &PlanePoint| target.offset(&point(*corner)).norm_squared();
    // A fan around the corner of least depth, as for the depth itself.
    let (first, _) = corners.iter().enumerate().min_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b)))?;
    let apex = corners[first];
    let (mut sums, mut second, mut area) = ([[0.0; 3]; 6], [0.0; 3], 0.0);
    for step in 1..corners.len() - 1 {
        let [a, b] = [step, step + 1].map(|k| {
            let corner = corners[(first + k) % corners.len()];
            [corner[0] - apex[0], corner[1] - apex[1]]
        });
        let double_area = (a[0] * b[1] - a[1] * b[0]).max(0.0);
        for (out, out_weight) in GAUSS_THREE {
            for (across, across_weight) in GAUSS_THREE {
                let at = [0, 1].map(|axis| apex[axis] + out * ((1.0 - across) * a[axis] + across * b[axis]));
                let weight = double_area * out * out_weight * across_weight;
                let (x, y) = (at[0] - center[0], at[1] - center[1]);
                for (sums, change) in sums.iter_mut().zip(target.change(&point(at), reference_e)) {
                    let change = weight * change;
                    *sums = [sums[0] + change, sums[1] + change * x, sums[2] + change * y];
                }
                second = [second[0] + weight * x * x, second[1] + weight * x * y, second[2] + weight * y * y];
                area += weight;
            }
        }
    }
    let determinant = second[0] * second[2] - second[1] * second[1];
    let trace = second[0] + second[2];
    let is_slender = determinant <= SLENDER * trace * trace;
    let towards = target.direction(&point(center));
    let turning = [x_e.cross(&towards), y_e.cross(&towards)];
    let mut columns = [[0.0; 3]; 6];
    for (index, (column, sums)) in columns.iter_mut().zip(&sums).enumerate() {
        let [x, y] = match (is_slender, index) {
            (true, 0..3) => [0.0; 2],
            (true, _) => [turning[0][index - 3], turning[1][index - 3]],
            _ => [
                (second[2] * sums[1] - second[1] * sums[2]) / determinant,
                (second[0] * sums[2] - second[1] * sums[1]) / determinant,
            ],
        };
        *column = [sums[0] / area - x * center[0] - y * center[1], x, y];
    }
    columns.iter().flatten().all(|number| number.is_finite()).then_some(columns)
}
