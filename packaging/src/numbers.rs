//! Numbers from the command line and for people.

use polycontact::math::{Pose, Rotation, Vector};

/// The value rounded to so many significant digits.
pub fn rounded(value: f64, digits: usize) -> f64 {
    format!("{value:.*e}", digits.saturating_sub(1)).parse().unwrap_or(value)
}

/// Text with so many significant digits and no trailing zeros, with an exponent where that is shorter to read.
pub fn significant(value: f64, digits: usize) -> String {
    let rounded = rounded(value, digits);
    let is_handy = rounded == 0.0 || (1e-3 <= rounded.abs() && rounded.abs() < 1e5);
    if is_handy { rounded.to_string() } else { format!("{rounded:e}") }
}

/// A finite number, the value of an option.
pub fn number(name: &str, text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(format!("`{name}` is `{text}`, but must be a number such as 0.05 or 2e9, without a unit")),
    }
}

/// Numbers with commas between them, as `0,0,-0.1`.
pub fn numbers(name: &str, text: &str) -> Result<Vec<f64>, String> {
    text.split(',').map(|part| number(name, part)).collect()
}

/// Three numbers with commas between them.
pub fn vector(name: &str, text: &str) -> Result<Vector, String> {
    match numbers(name, text).as_deref() {
        Ok(&[x, y, z]) => Ok(Vector::new(x, y, z)),
        _ => Err(format!("`{name}` is `{text}`, but must be three numbers with commas and no spaces, such as 0,0,-1")),
    }
}

/// A pose as `x,y,z` in m, or with angles about x, y and z in rad behind.
pub fn pose(text: &str) -> Result<Pose, String> {
    match numbers("--pose", text)?.as_slice() {
        &[x, y, z] => Ok(Pose::translation(x, y, z)),
        &[x, y, z, a, b, c] => {
            // A_x(a) A_y(b) A_z(c), as the Cardan input of the FMU.
            let turn = |axis, angle| Rotation::from_axis_angle(&axis, angle);
            let rotation = turn(Vector::x_axis(), a) * turn(Vector::y_axis(), b) * turn(Vector::z_axis(), c);
            Ok(Pose::from_parts(Vector::new(x, y, z).into(), rotation))
        }
        other => Err(format!(
            "`--pose` is `{text}`: {} number(s), but must be x,y,z or x,y,z,a,b,c with commas and no spaces",
            other.len()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_round_trip() {
        assert_eq!(significant(2.0 / 3.0, 4), "0.6667");
        assert_eq!(significant(2.2793e9, 3), "2.28e9");
        assert_eq!((significant(0.0, 4), significant(-1500.0, 4)), ("0".to_owned(), "-1500".to_owned()));
        assert_eq!(significant(1e-4, 4), "1e-4");
        assert_eq!(rounded(123_456.0, 4), 123_500.0);
    }

    #[test]
    fn bad_numbers_are_named() {
        assert_eq!(vector("--approach", "0,0,-1"), Ok(Vector::new(0.0, 0.0, -1.0)));
        assert!(["0,0", "z"].iter().all(|text| vector("--approach", text).unwrap_err().contains("three numbers")));
        assert!(number("--mass", "1 kg").unwrap_err().contains("`--mass` is `1 kg`"));
        assert!(number("--mass", "nan").is_err());
    }
}
