//! Pictures of the bouncing bubbles in a row, from the table of their motion.

use std::fs;
use std::path::Path;

use polycontact::math::{Aabb, Pose, Rotation, Vector};
use polycontact::mesh::TriangleMesh;
use polycontact::shapes::{cuboid, dumb_bell, funnel, moved};
use polycontact_packaging::picture::{COLOR_E, COLOR_F, Color, encode, render, seen};

use crate::project::shown;

/// Times of the pictures in s: fall, first contacts, bounces, rest.
const TIMES: [f64; 8] = [0.0, 0.30, 0.41, 0.58, 0.80, 1.08, 1.60, 3.2];
/// Pictures in a row of the board, and size of each in pixels.
const COLUMNS: usize = 4;
const SIZE: [usize; 2] = [300, 240];
/// Sides in m of the box above the tip that fills a picture.
const SHOWN: Vector = Vector::new(1.0, 1.0, 1.1);
/// Of the three bubbles.
const COLORS: [Color; 3] = [COLOR_E, [0.30, 0.62, 0.38], [0.60, 0.40, 0.70]];

/// Reads `bubbles.csv` in a folder and writes `bubbles.png` beside it.
pub fn write(folder: &Path) -> Result<(), String> {
    let table = folder.join("bubbles.csv");
    let text = fs::read_to_string(&table).map_err(|error| format!("cannot read `{}`: {error}", table.display()))?;
    let path = folder.join("bubbles.png");
    let picture = board(&text).map_err(|error| format!("`{}`: {error}", table.display()))?;
    fs::write(&path, picture).map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
    println!("{}", shown(&path));
    Ok(())
}

/// The board as a PNG file.
fn board(table: &str) -> Result<Vec<u8>, String> {
    let rows: Vec<Vec<f64>> = table.lines().skip(1).map(numbers).collect::<Result<_, _>>()?;
    if rows.is_empty() || rows.iter().any(|row| row.len() < 22) {
        return Err("the table has no lines with a time and three poses".to_owned());
    }
    let (bubble, funnel) = (dumb_bell(), funnel());
    let rows_of_pictures = TIMES.len().div_ceil(COLUMNS);
    let [width, height] = [COLUMNS * SIZE[0], rows_of_pictures * SIZE[1]];
    let mut pixels = vec![[255; 3]; width * height];
    for (index, time) in TIMES.into_iter().enumerate() {
        let row = rows.iter().min_by(|a, b| (a[0] - time).abs().total_cmp(&(b[0] - time).abs()));
        let frame = frame(&bubble, &funnel, row.ok_or("the table is empty")?);
        let (left, top) = (index % COLUMNS * SIZE[0], index / COLUMNS * SIZE[1]);
        for (y, line) in frame.chunks_exact(SIZE[0]).enumerate() {
            let start = (top + y) * width + left;
            pixels[start..start + SIZE[0]].copy_from_slice(line);
        }
    }
    Ok(encode(&pixels, [width, height]))
}

fn numbers(line: &str) -> Result<Vec<f64>, String> {
    line.split(',').map(|word| word.parse().map_err(|_| format!("`{word}` is no number"))).collect()
}

/// One picture: the funnel and the bubbles of a line of the table.
fn frame(bubble: &TriangleMesh, funnel: &TriangleMesh, row: &[f64]) -> Vec<[u8; 3]> {
    let mut faces = seen(funnel, &Pose::identity(), COLOR_F);
    // The same part of the world in every picture; the rim of the funnel is cut off.
    let world = moved(&cuboid(SHOWN), &Pose::translation(0.0, 0.0, 0.5 * SHOWN.z));
    let world = seen(&world, &Pose::identity(), COLOR_F);
    let bounds = Aabb::of(world.iter().flat_map(|face| &face.corners));
    for (body, color) in COLORS.into_iter().enumerate() {
        let numbers = &row[1 + 7 * body..8 + 7 * body];
        faces.extend(seen(bubble, &pose(numbers), color));
    }
    render(&faces, &bounds, SIZE)
}

/// A pose from position and quaternion (w, x, y, z).
fn pose(numbers: &[f64]) -> Pose {
    let [w, x, y, z] = [numbers[3], numbers[4], numbers[5], numbers[6]];
    let axis = Vector::new(x, y, z);
    // A quaternion is (cos φ/2, sin φ/2 · axis).
    let rotation = Rotation::from_scaled_axis(
        axis.try_normalize(0.0).map_or(Vector::zeros(), |unit| unit * 2.0 * axis.norm().atan2(w)),
    );
    Pose::from_parts(Vector::new(numbers[0], numbers[1], numbers[2]).into(), rotation)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "header\n";

    fn line(time: f64, height: f64) -> String {
        let body = |x: f64| format!(",{x},0,{height},1,0,0,0");
        format!("{time}{}{}{}\n", body(-0.5), body(0.0), body(0.5))
    }

    #[test]
    fn bubbles_that_fall_are_lower_in_the_next_picture() {
        let row = |height| numbers(line(0.0, height).trim()).unwrap();
        let (bubble, funnel) = (dumb_bell(), funnel());
        let mean_row = |height| {
            let pixels = frame(&bubble, &funnel, &row(height));
            let is_first = |pixel: &[u8; 3]| pixel[0] > pixel[2] && pixel[0] - pixel[2] > 60;
            let rows: Vec<f64> =
                (0..pixels.len()).filter(|i| is_first(&pixels[*i])).map(|i| (i / SIZE[0]) as f64).collect();
            rows.iter().sum::<f64>() / rows.len() as f64
        };
        assert!(mean_row(1.0) + 10.0 < mean_row(0.7), "{} {}", mean_row(1.0), mean_row(0.7));
    }

    #[test]
    fn a_table_without_poses_is_refused() {
        assert!(board(HEADER).unwrap_err().contains("three poses"));
        assert!(board("header\n1,x\n").unwrap_err().contains("`x`"));
        assert!(board(&format!("{HEADER}{}", line(0.0, 1.0))).is_ok());
    }

    #[test]
    fn a_quaternion_turns_as_it_should() {
        // 90 degrees about z takes x to y.
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let turned = pose(&[0.0, 0.0, 0.0, half, 0.0, 0.0, half]).rotation * Vector::x();
        assert!((turned - Vector::y()).norm() < 1e-12, "{turned}");
    }
}
