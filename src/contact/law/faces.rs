//! Frames of the faces that carry pressure, and how the bodies move there; several faces at a time.

use std::ops::Range;

use crate::contact::areas::ActiveArea;
use crate::contact::pieces::{Linear, PlanePoint};
use crate::contact::relative_motion::RelativeMotion;
use crate::lanes::{Lanes, MOST_LANES, Mask, Registers, cross, dot};
use crate::math::Vector;

/// What the pieces of one face share. In its frame the first corner of the face is the origin, the second one lies on
/// the x-axis, and z is the outward normal.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
pub struct FaceRecord {
    /// Origin and axes of the frame in E, velocity of F relative to E at the origin, angular velocity, the way from the
    /// reference point of the torques to the origin, and the deflection of bristles there with its rotation, all five
    /// resolved in the frame. Behind these the x of the second corner, and x and y of the third.
    rows: [[f64; 4]; ROWS],
}

const ROWS: usize = 9;

/// Frames by lane, in E.
#[derive(Clone, Copy)]
pub struct FrameLanes<V> {
    /// Axes.
    pub axes_e: [[V; 3]; 3],
}

impl<V: Lanes> FrameLanes<V> {
    /// A vector resolved in E, resolved in the frame.
    #[inline(always)]
    pub fn axes(&self, vector_e: [V; 3]) -> [V; 3] {
        let [x, y, z] = self.axes_e;
        [dot(x, vector_e), dot(y, vector_e), dot(z, vector_e)]
    }
}

/// Faces by lane.
#[derive(Clone, Copy)]
pub struct FaceLanes<V> {
    pub frame: FrameLanes<V>,
    /// Velocity of F relative to E at the origin of the frame, resolved in the frame.
    pub velocity: [V; 3],
    /// Likewise.
    pub angular_velocity: [V; 3],
    /// From the reference point of the torques to the origin of the frame, resolved in the frame.
    pub origin: [V; 3],
    /// Deflection of bristles at the origin of the frame, resolved in the frame.
    pub deflection: [V; 3],
    /// Its rotation, likewise.
    pub deflection_turn: [V; 3],
}

impl<V: Lanes> FaceLanes<V> {
    /// Of the record of each lane.
    #[inline(always)]
    pub fn new<R: Registers<Vector = V>>(registers: R, records: &[&FaceRecord; MOST_LANES]) -> Self {
        let columns = |row: usize| registers.columns(|lane| &records[lane].rows[row]);
        let [x_x, x_y, x_z, _] = columns(1);
        let ([y_x, y_y, y_z, _], [z_x, z_y, z_z, _]) = (columns(2), columns(3));
        let ([v_x, v_y, v_z, _], [w_x, w_y, w_z, _]) = (columns(4), columns(5));
        let [r_x, r_y, r_z, _] = columns(6);
        let ([z_t_x, z_t_y, z_t_z, _], [z_r_x, z_r_y, z_r_z, _]) = (columns(7), columns(8));
        let axes_e = [[x_x, x_y, x_z], [y_x, y_y, y_z], [z_x, z_y, z_z]];
        FaceLanes {
            frame: FrameLanes { axes_e },
            velocity: [v_x, v_y, v_z],
            angular_velocity: [w_x, w_y, w_z],
            origin: [r_x, r_y, r_z],
            deflection: [z_t_x, z_t_y, z_t_z],
            deflection_turn: [z_r_x, z_r_y, z_r_z],
        }
    }
}

impl FaceRecord {
    /// Origin of the frame in E.
    #[inline]
    pub fn origin_e(&self) -> Vector {
        self.vector(0)
    }

    /// The reference point of the torques in E.
    pub fn reference_e(&self) -> Vector {
        let ([x, y, z], way) = (self.axes_e(), self.vector(6));
        self.origin_e() - x * way.x - y * way.y - z * way.z
    }

    /// Axes of the frame in E.
    #[inline]
    pub fn axes_e(&self) -> [Vector; 3] {
        [self.vector(1), self.vector(2), self.vector(3)]
    }

    /// The corners of the face in its frame.
    #[inline]
    pub fn triangle(&self) -> [PlanePoint; 3] {
        [[0.0; 2], [self.rows[0][3], 0.0], [self.rows[1][3], self.rows[2][3]]]
    }

    /// Velocity of F relative to E along the normal.
    #[inline]
    pub fn normal_velocity(&self) -> Linear {
        let ([_, _, v_z, _], [w_x, w_y, ..]) = (self.rows[4], self.rows[5]);
        Linear { at_origin: v_z, gradient: [-w_y, w_x] }
    }

    /// Whether the face has a frame: not where its corners are too close to each other.
    #[inline]
    pub fn is_regular(&self) -> bool {
        self.rows[5][3] == 1.0
    }

    #[inline]
    fn vector(&self, row: usize) -> Vector {
        let [x, y, z, _] = self.rows[row];
        Vector::new(x, y, z)
    }
}

/// Fills `records` with those of some faces of an area.
#[inline(always)]
pub fn record_faces<R: Registers>(
    registers: R,
    area: &ActiveArea,
    slots: Range<usize>,
    motion: &RelativeMotion,
    reference_e: Vector,
    records: &mut Vec<FaceRecord>,
) {
    records.clear();
    records.resize(slots.len(), FaceRecord::default());
    let zero = registers.splat(0.0);
    let splat = |vector: Vector| [registers.splat(vector.x), registers.splat(vector.y), registers.splat(vector.z)];
    let (linear, angular) = (splat(motion.velocity_e()), splat(motion.angular_velocity_e()));
    let center_f = splat(motion.pose_ef().translation.vector);
    let reference = splat(reference_e);
    let (deflection, deflection_turn) =
        (splat(motion.deflection().translation_e), splat(motion.deflection().rotation_e));
    for (chunk, records) in records.chunks_mut(R::LANES).enumerate() {
        let first = slots.start + chunk * R::LANES;
        let (mut corners, mut normals) = ([&area.corners_e[first]; MOST_LANES], [&area.normals_e[first]; MOST_LANES]);
        for lane in 1..R::LANES {
            let slot = first + lane.min(records.len() - 1);
            corners[lane] = &area.corners_e[slot];
            normals[lane] = &area.normals_e[slot];
        }
        let corner = |k: usize| registers.columns(|lane| &corners[lane].0[k]);
        let ([a_x, a_y, a_z, _], [b_x, b_y, b_z, _], [c_x, c_y, c_z, _]) = (corner(0), corner(1), corner(2));
        let normal = |axis: usize| registers.vector(|lane| normals[lane][axis]);
        let z = [normal(0), normal(1), normal(2)];
        let (ab, ac) = ([b_x - a_x, b_y - a_y, b_z - a_z], [c_x - a_x, c_y - a_y, c_z - a_z]);
        // Orthogonal to the normal even where rounding has moved the corners of a small face.
        let out_of_plane = dot(z, ab);
        let along = [ab[0] - z[0] * out_of_plane, ab[1] - z[1] * out_of_plane, ab[2] - z[2] * out_of_plane];
        let length_squared = dot(along, along);
        let is_regular = zero.less(length_squared).and(length_squared.less(zero + f64::INFINITY));
        let per_length = (zero + 1.0) / length_squared.sqrt();
        let x = [along[0] * per_length, along[1] * per_length, along[2] * per_length];
        let y = cross(z, x);
        let frame = FrameLanes { axes_e: [x, y, z] };
        let turned = cross(angular, [a_x - center_f[0], a_y - center_f[1], a_z - center_f[2]]);
        let velocity = frame.axes([linear[0] + turned[0], linear[1] + turned[1], linear[2] + turned[2]]);
        let spin = frame.axes(angular);
        let origin = frame.axes([a_x - reference[0], a_y - reference[1], a_z - reference[2]]);
        let turned = cross(deflection_turn, [a_x, a_y, a_z]);
        let bent = frame.axes([deflection[0] + turned[0], deflection[1] + turned[1], deflection[2] + turned[2]]);
        let bent_turn = frame.axes(deflection_turn);
        let rows = [
            [a_x, a_y, a_z, dot(x, ab)],
            [x[0], x[1], x[2], dot(x, ac)],
            [y[0], y[1], y[2], dot(y, ac)],
            [z[0], z[1], z[2], zero],
            [velocity[0], velocity[1], velocity[2], zero],
            [spin[0], spin[1], spin[2], is_regular.keep(zero + 1.0)],
            [origin[0], origin[1], origin[2], zero],
            [bent[0], bent[1], bent[2], zero],
            [bent_turn[0], bent_turn[1], bent_turn[2], zero],
        ];
        for (index, columns) in rows.into_iter().enumerate() {
            registers.rows(columns, |lane, row| {
                if let Some(record) = records.get_mut(lane) {
                    record.rows[index] = row;
                }
            });
        }
    }
}
