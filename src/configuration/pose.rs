//! The section `[pose]`: where F starts.

use super::reader::Section;
use super::{ConfigurationError, OrientationInput};
use crate::math::{Matrix, Pose, Rotation, Vector};

/// How far an orientation may be from a rotation: rounding of a few written digits.
const LARGEST_DEVIATION: f64 = 1e-3;

const ORIENTATION_IN_WORDS: &str = "3 angles about x, y, z in rad, 4 parts of a unit quaternion (w, x, y, z), or the 9 \
                                    entries of a rotation matrix row by row, in brackets";

/// Pose of M_f seen from M_e, as a user states it.
#[derive(Clone, Debug, PartialEq)]
pub struct StartPose {
    /// r_EF in m.
    pub position: [f64; 3],
    /// Three angles, four parts of a quaternion, nine entries of a matrix, or none.
    pub orientation: Vec<f64>,
}

impl StartPose {
    /// Reads the section; none where the document lacks it.
    pub(super) fn read(section: &Section<'_>) -> Result<Option<StartPose>, ConfigurationError> {
        if !section.is_given() {
            return Ok(None);
        }
        let position = section.numbers("position")?.unwrap_or_default();
        let is_finite = position.iter().all(|x| x.is_finite());
        section.require("position", position, is_finite, "3 finite numbers in brackets")?;
        let orientation = section.list("orientation")?.unwrap_or_default();
        let pose = StartPose { position, orientation };
        section.require("orientation", &pose.orientation, pose.rotation().is_some(), ORIENTATION_IN_WORDS)?;
        Ok(Some(pose))
    }

    /// The section as TOML.
    pub(super) fn to_toml(&self) -> String {
        let mut text = format!("\n[pose]\nposition = {:?}\n", self.position);
        if !self.orientation.is_empty() {
            text += &format!("orientation = {:?}\n", self.orientation);
        }
        text
    }

    /// The pose of M_f seen from M_e.
    pub fn pose(&self) -> Pose {
        Pose::from_parts(Vector::from(self.position).into(), self.rotation().unwrap_or_else(Rotation::identity))
    }

    /// The orientation in the form of the FMU's inputs.
    pub fn orientation_input(&self, input: OrientationInput) -> Vec<f64> {
        let rotation = self.rotation().unwrap_or_else(Rotation::identity);
        let a = rotation.matrix();
        match input {
            // As written where it is written so.
            OrientationInput::Cardan if self.orientation.len() == 3 => self.orientation.clone(),
            OrientationInput::Matrix => a.transpose().iter().copied().collect(),
            OrientationInput::Quaternion => {
                let quaternion = nalgebra::UnitQuaternion::from_rotation_matrix(&rotation);
                vec![quaternion.w, quaternion.i, quaternion.j, quaternion.k]
            }
            // A_x(α) A_y(β) A_z(γ) has sin β in its corner.
            OrientationInput::Cardan => {
                vec![(-a[(1, 2)]).atan2(a[(2, 2)]), a[(0, 2)].clamp(-1.0, 1.0).asin(), (-a[(0, 1)]).atan2(a[(0, 0)])]
            }
        }
    }

    fn rotation(&self) -> Option<Rotation> {
        match *self.orientation.as_slice() {
            [] => Some(Rotation::identity()),
            [a, b, c] if [a, b, c].iter().all(|angle| angle.is_finite()) => {
                let turn = |axis, angle| Rotation::from_axis_angle(&axis, angle);
                Some(turn(Vector::x_axis(), a) * turn(Vector::y_axis(), b) * turn(Vector::z_axis(), c))
            }
            [w, x, y, z] => {
                let quaternion = nalgebra::Quaternion::new(w, x, y, z);
                let is_unit = (quaternion.norm() - 1.0).abs() <= LARGEST_DEVIATION;
                is_unit.then(|| nalgebra::UnitQuaternion::from_quaternion(quaternion).to_rotation_matrix())
            }
            ref entries if entries.len() == 9 => {
                let matrix = Matrix::from_row_slice(entries);
                let deviation = (matrix.transpose() * matrix - Matrix::identity()).amax();
                let is_rotation = deviation <= LARGEST_DEVIATION && 0.0 < matrix.determinant();
                is_rotation.then(|| {
                    let mut rotation = Rotation::from_matrix_unchecked(matrix);
                    if deviation != 0.0 {
                        rotation.renormalize();
                    }
                    rotation
                })
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All three ways to write an orientation describe one rotation, and each input form leads back to it.
    #[test]
    fn forms_of_an_orientation_agree() {
        let angles = StartPose { position: [1.0, 2.0, 3.0], orientation: vec![0.3, -0.5, 1.2] };
        for input in [OrientationInput::Matrix, OrientationInput::Quaternion, OrientationInput::Cardan] {
            let other = StartPose { orientation: angles.orientation_input(input), ..angles.clone() };
            assert!((other.pose().rotation.matrix() - angles.pose().rotation.matrix()).amax() < 1e-14, "{input:?}");
            let back = StartPose { orientation: other.orientation_input(OrientationInput::Cardan), ..angles.clone() };
            assert!((back.orientation[1] + 0.5).abs() < 1e-14);
        }
        for bad in [vec![1.0], vec![2.0, 0.0, 0.0, 0.0], vec![f64::NAN; 3], vec![1.0; 9]] {
            assert_eq!(StartPose { position: [0.0; 3], orientation: bad }.rotation(), None);
        }
    }
}
