//! Frames of master faces, and how the bodies move there; several faces at a time.

use std::ops::Range;

use super::Pass;
use super::lanes::{Lanes, MOST_LANES, Mask, Registers};
use crate::math::Vector;

/// What the pieces of one master face share. Its frame is that of [`super::face_frame::FaceFrame`]: the first corner of
/// the face is the origin, the second one lies on the x-axis.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
pub struct FaceRecord {
    /// Origin and axes of the frame in E, velocity of F relative to E at the origin, angular velocity, and the way from
    /// the reference point of the torques to the origin, all three resolved in the frame. Behind these the x of the
    /// second corner, x and y of the third, the weight of the pass, and the largest credible depth.
    rows: [[f64; 4]; ROWS],
}

const ROWS: usize = 7;

/// The triangle of a master face, by lane: corners (0, 0), (`b_x`, 0) and (`c_x`, `c_y`).
#[derive(Clone, Copy)]
pub struct TriangleLanes<V> {
    pub b_x: V,
    pub c_x: V,
    pub c_y: V,
    /// From the first corner to the second, along x, and from there to the third: c_x − b_x.
    pub bc_x: V,
    /// Square of the length of the longest side.
    pub longest_side_squared: V,
}

impl<V: Lanes> TriangleLanes<V> {
    #[inline(always)]
    fn new(b_x: V, c_x: V, c_y: V) -> Self {
        let bc_x = c_x - b_x;
        let c_yy = c_y * c_y;
        let longest_side_squared = (b_x * b_x).larger(bc_x * bc_x + c_yy).larger(c_x * c_x + c_yy);
        TriangleLanes { b_x, c_x, c_y, bc_x, longest_side_squared }
    }
}

/// Frames by lane, in E.
#[derive(Clone, Copy)]
pub struct FrameLanes<V> {
    /// Origin.
    pub origin_e: [V; 3],
    /// Axes.
    pub axes_e: [[V; 3]; 3],
}

impl<V: Lanes> FrameLanes<V> {
    /// A point of E in the frame.
    #[inline(always)]
    pub fn point(&self, point_e: [V; 3]) -> [V; 3] {
        let o = self.origin_e;
        self.axes([point_e[0] - o[0], point_e[1] - o[1], point_e[2] - o[2]])
    }

    /// A vector resolved in E, resolved in the frame.
    #[inline(always)]
    pub fn axes(&self, vector_e: [V; 3]) -> [V; 3] {
        let [x, y, z] = self.axes_e;
        [dot(x, vector_e), dot(y, vector_e), dot(z, vector_e)]
    }
}

/// Master faces by lane; see [`super::element_integrals::FaceForce`].
#[derive(Clone, Copy)]
pub struct FaceLanes<V> {
    pub frame: FrameLanes<V>,
    /// In the plane of the face.
    pub triangle: TriangleLanes<V>,
    /// Velocity of F relative to E at the origin of the frame, resolved in the frame.
    pub velocity: [V; 3],
    /// Likewise.
    pub angular_velocity: [V; 3],
    /// From the reference point of the torques to the origin of the frame, resolved in the frame.
    pub origin: [V; 3],
    /// Weight of the pass in the patch.
    pub weight: V,
    /// Largest credible depth.
    pub credible_depth: V,
}

impl<V: Lanes> FaceLanes<V> {
    /// Of the record of each lane.
    #[inline(always)]
    pub fn new<R: Registers<Vector = V>>(registers: R, records: &[&FaceRecord; MOST_LANES]) -> Self {
        let columns = |row: usize| registers.columns(|lane| &records[lane].rows[row]);
        let ([o_x, o_y, o_z, b_x], [x_x, x_y, x_z, c_x]) = (columns(0), columns(1));
        let ([y_x, y_y, y_z, c_y], [z_x, z_y, z_z, weight]) = (columns(2), columns(3));
        let ([v_x, v_y, v_z, credible_depth], [w_x, w_y, w_z, _]) = (columns(4), columns(5));
        let [r_x, r_y, r_z, _] = columns(6);
        let axes_e = [[x_x, x_y, x_z], [y_x, y_y, y_z], [z_x, z_y, z_z]];
        FaceLanes {
            frame: FrameLanes { origin_e: [o_x, o_y, o_z], axes_e },
            triangle: TriangleLanes::new(b_x, c_x, c_y),
            velocity: [v_x, v_y, v_z],
            angular_velocity: [w_x, w_y, w_z],
            origin: [r_x, r_y, r_z],
            weight,
            credible_depth,
        }
    }
}

impl FaceRecord {
    /// The frame and the triangle in every lane.
    #[inline(always)]
    pub fn in_all_lanes<R: Registers>(&self, registers: R) -> (FrameLanes<R::Vector>, TriangleLanes<R::Vector>) {
        let splat = |row: usize, k: usize| registers.splat(self.rows[row][k]);
        let three = |row: usize| [splat(row, 0), splat(row, 1), splat(row, 2)];
        let frame = FrameLanes { origin_e: three(0), axes_e: [three(1), three(2), three(3)] };
        (frame, TriangleLanes::new(splat(0, 3), splat(1, 3), splat(2, 3)))
    }

    /// The unit normal, in E.
    #[inline(always)]
    pub fn normal_e(&self) -> Vector {
        let [x, y, z, _] = self.rows[3];
        Vector::new(x, y, z)
    }

    /// Whether the face has a frame: not where its corners are too close to each other.
    #[inline(always)]
    pub fn is_regular(&self) -> bool {
        self.rows[5][3] == 1.0
    }

    /// Sets the weight of the pass, and the largest credible depth.
    #[inline(always)]
    pub fn set_weight(&mut self, weight: f64, credible_depth: f64) {
        self.rows[3][3] = weight;
        self.rows[4][3] = credible_depth;
    }
}

impl Pass<'_> {
    /// Fills `records` with those of some master faces, without weights.
    #[inline(always)]
    pub(super) fn record_faces<R: Registers>(
        &self,
        registers: R,
        master_slots: Range<usize>,
        reference_e: Vector,
        records: &mut Vec<FaceRecord>,
    ) {
        records.clear();
        records.resize(master_slots.len(), FaceRecord::default());
        let zero = registers.splat(0.0);
        let splat = |vector: Vector| [registers.splat(vector.x), registers.splat(vector.y), registers.splat(vector.z)];
        let (linear, angular) = (splat(self.motion.velocity_e()), splat(self.motion.angular_velocity_e()));
        let center_f = splat(self.motion.pose_ef().translation.vector);
        let reference = splat(reference_e);
        let (all_corners, all_normals) = (&self.master_area.corners_e, &self.master_area.normals_e);
        for (chunk, records) in records.chunks_mut(R::LANES).enumerate() {
            let first = master_slots.start + chunk * R::LANES;
            let (mut corners, mut normals) = ([&all_corners[first]; MOST_LANES], [&all_normals[first]; MOST_LANES]);
            for lane in 1..R::LANES {
                let slot = first + lane.min(records.len() - 1);
                corners[lane] = &all_corners[slot];
                normals[lane] = &all_normals[slot];
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
            let frame = FrameLanes { origin_e: [a_x, a_y, a_z], axes_e: [x, y, z] };
            let turned = cross(angular, [a_x - center_f[0], a_y - center_f[1], a_z - center_f[2]]);
            let velocity = frame.axes([linear[0] + turned[0], linear[1] + turned[1], linear[2] + turned[2]]);
            let spin = frame.axes(angular);
            let origin = frame.axes([a_x - reference[0], a_y - reference[1], a_z - reference[2]]);
            let rows = [
                [a_x, a_y, a_z, dot(x, ab)],
                [x[0], x[1], x[2], dot(x, ac)],
                [y[0], y[1], y[2], dot(y, ac)],
                [z[0], z[1], z[2], zero],
                [velocity[0], velocity[1], velocity[2], zero],
                [spin[0], spin[1], spin[2], is_regular.keep(zero + 1.0)],
                [origin[0], origin[1], origin[2], zero],
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
}

#[inline(always)]
fn dot<V: Lanes>(a: [V; 3], b: [V; 3]) -> V {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn cross<V: Lanes>(a: [V; 3], b: [V; 3]) -> [V; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
