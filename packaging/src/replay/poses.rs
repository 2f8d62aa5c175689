//! Where body F is in every frame.

use polycontact::configuration::OrientationInput;
use polycontact::fmu::rotation;
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::record::{Frame, Header};

/// Position of M_f and its orientation row by row, seen from M_e.
pub fn poses(header: &Header, frames: &[&Frame]) -> Vec<[f64; 12]> {
    frames
        .iter()
        .map(|frame| {
            let pose = pose(header, frame);
            let (place, turned) = (pose.translation.vector, pose.rotation.matrix().transpose());
            let mut numbers = [place.x, place.y, place.z, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
            numbers[3..].copy_from_slice(turned.as_slice());
            numbers
        })
        .collect()
}

/// Pose of M_f seen from M_e; models without relative motion have F where E is.
pub fn pose(header: &Header, frame: &Frame) -> Pose {
    let number = |name: String| header.position(&name).map(|column| frame.numbers[column]);
    let position = |axis: usize| number(format!("relativePosition[{}]", axis + 1)).unwrap_or(0.0);
    let all = |names: Vec<String>| names.into_iter().map(number).collect::<Option<Vec<f64>>>();
    let quaternion = all((1..=4).map(|part| format!("relativeQuaternion[{part}]")).collect());
    // The free body has its orientation as a matrix.
    let matrix = || all((0..9).map(|k| format!("relativeOrientation[{},{}]", k / 3 + 1, k % 3 + 1)).collect());
    let turned = match quaternion {
        Some(numbers) => rotation(OrientationInput::Quaternion, &numbers).ok(),
        None => matrix().and_then(|numbers| rotation(OrientationInput::Matrix, &numbers).ok()),
    };
    let turned = turned.unwrap_or_else(Rotation::identity);
    Pose::from_parts(Vector::new(position(0), position(1), position(2)).into(), turned)
}
