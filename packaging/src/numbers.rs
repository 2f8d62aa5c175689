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
pub fn number(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err("it must be a number such as 0.05 or 2e9, without a unit".to_owned()),
    }
}

/// A number above zero.
pub fn positive(text: &str) -> Result<f64, String> {
    match number(text)? {
        value if 0.0 < value => Ok(value),
        _ => Err("it must be above 0".to_owned()),
    }
}

/// Numbers with commas between them, as `0,0,-0.1`.
fn numbers(text: &str) -> Result<Vec<f64>, String> {
    text.split(',').map(number).collect()
}

/// Three numbers with commas between them.
pub fn vector(text: &str) -> Result<Vector, String> {
    match numbers(text).as_deref() {
        Ok(&[x, y, z]) => Ok(Vector::new(x, y, z)),
        _ => Err("it must be three numbers with commas and no spaces, such as 0,0,-1".to_owned()),
    }
}

/// A pose as `x,y,z` in m, or with angles about x, y and z in rad behind.
pub fn pose(text: &str) -> Result<Pose, String> {
    match numbers(text)?.as_slice() {
        &[x, y, z] => Ok(Pose::translation(x, y, z)),
        &[x, y, z, a, b, c] => {
            // A_x(a) A_y(b) A_z(c), as the Cardan input of the FMU.
            let turn = |axis, angle| Rotation::from_axis_angle(&axis, angle);
            let rotation = turn(Vector::x_axis(), a) * turn(Vector::y_axis(), b) * turn(Vector::z_axis(), c);
            Ok(Pose::from_parts(Vector::new(x, y, z).into(), rotation))
        }
        other => Err(format!(
            "these are {} number(s), but it must be x,y,z or x,y,z,a,b,c with commas and no spaces",
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
    fn bad_numbers_are_refused_with_an_example() {
        assert_eq!(vector("0,0,-1"), Ok(Vector::new(0.0, 0.0, -1.0)));
        assert!(["0,0", "z"].iter().all(|text| vector(text).unwrap_err().contains("three numbers")));
        assert!(number("1 kg").unwrap_err().contains("without a unit"));
        assert!(number("nan").is_err() && positive("0").is_err() && positive("1e-9") == Ok(1e-9));
    }
}
