//! Pieces of contact for callers: pictures, benchmarks and tests.

use super::integration::RUN_FACES;
use super::pass::{Pass, PassMemory};
use crate::contact::law::FaceRecord;
use crate::contact::parameters::ElementScheme;
use crate::contact::pieces::{Feature, Piece, PlanePoint};
use crate::math::{Body, Vector};
use crate::mesh::FaceIndex;

/// What acts at a point of a piece; resolved in E.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PiecePoint {
    /// Where it is, in m.
    pub position_e: Vector,
    /// Depth in m.
    pub penetration: f64,
    /// Normal pressure in Pa, as if the faces carried all of the contact.
    pub pressure: f64,
    /// Slip velocity of F on E in m/s.
    pub slip_velocity_e: Vector,
}

/// A convex part of a face with one nearest feature of the body that it is inside.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactPiece {
    /// The body that the face belongs to.
    pub body: Body,
    /// The face.
    pub face: FaceIndex,
    /// What the depth is measured from, on the other body.
    pub feature: Feature,
    /// Share of this body's faces in the contact.
    pub weight: f64,
    /// Unit normal of the face, into E.
    pub normal_e: Vector,
    /// At the corners, counter-clockwise seen from outside the body.
    pub corners: Vec<PiecePoint>,
    /// At the centroid.
    pub centre: PiecePoint,
    /// Area in m².
    pub area: f64,
}

impl ContactPiece {
    /// An element of the scheme `centroid` is a point with an area: a square of that area stands for it.
    pub fn give_outline(&mut self) {
        if 3 <= self.corners.len() {
            return;
        }
        let least = self.normal_e.iamin();
        let x = self.normal_e.cross(&Vector::ith(least, 1.0)).normalize() * (0.5 * self.area.sqrt());
        // The normal points into E: seen from outside the body, the corners are counter-clockwise.
        let y = match self.body {
            Body::E => -self.normal_e.cross(&x),
            Body::F => self.normal_e.cross(&x),
        };
        let corner = |offset: Vector| PiecePoint { position_e: self.centre.position_e + offset, ..self.centre };
        self.corners = vec![corner(-x - y), corner(x - y), corner(x + y), corner(y - x)];
    }
}

impl Pass<'_> {
    /// Hands out all pieces, run by run, as long as `visit` wants more; whether it has had all.
    pub fn visit_pieces(
        &self,
        reference_e: Vector,
        memory: &mut PassMemory,
        visit: &mut dyn FnMut(ContactPiece) -> bool,
    ) -> bool {
        let count = self.face_count();
        for start in (0..count).step_by(RUN_FACES) {
            self.find_pieces(start..(start + RUN_FACES).min(count), reference_e, memory);
            let mut pieces = memory.pieces.pieces.iter();
            if !pieces.all(|piece| visit(self.seen_from_outside(start, piece, &memory.records[piece.face as usize]))) {
                return false;
            }
        }
        true
    }

    fn seen_from_outside(&self, first_slot: usize, piece: &Piece, record: &FaceRecord) -> ContactPiece {
        let law = self.law();
        let [x_e, y_e, z_e] = record.axes_e();
        let depth = piece.depth_function();
        let closing = record.normal_velocity();
        let at = |point: PlanePoint| {
            let position_e = record.origin_e() + x_e * point[0] + y_e * point[1];
            let penetration = depth.value(point).max(0.0);
            let velocity_e = self.motion.velocity_e()
                + self.motion.angular_velocity_e().cross(&(position_e - self.motion.pose_ef().translation.vector));
            PiecePoint {
                position_e,
                penetration,
                pressure: law.pressure_at(penetration, law.sign() * closing.value(point)),
                slip_velocity_e: velocity_e - z_e * z_e.dot(&velocity_e),
            }
        };
        let polygon = piece.polygon();
        let only_corner = polygon.corners()[0];
        let (area, centroid) = match self.parameters.elements() {
            ElementScheme::Potential => polygon.area_and_centroid().unwrap_or((0.0, only_corner)),
            ElementScheme::Centroid => (piece.depth[3], only_corner),
        };
        ContactPiece {
            body: self.faces.body,
            face: self.faces.area.faces[first_slot + piece.face as usize].face,
            feature: piece.feature,
            weight: self.weight,
            normal_e: z_e * law.sign(),
            corners: polygon.corners().iter().map(|&corner| at(corner)).collect(),
            centre: at(centroid),
            area,
        }
    }
}
