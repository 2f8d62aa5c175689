//! Recordings as tables of numbers (CSV), and motions from tables that other tools wrote.

use std::fmt::Write;

use polycontact::configuration::OrientationInput;
use polycontact::contact::RelativeMotion;
use polycontact::fmu::rotation;
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::record::Recording;

/// A line of names, then a line per frame; numbers keep all their digits.
pub fn csv(recording: &Recording) -> String {
    let names: Vec<String> = recording.header.columns.iter().map(|column| quoted(&column.name)).collect();
    let mut text = names.join(",") + "\n";
    for frame in &recording.frames {
        for (index, number) in frame.numbers.iter().enumerate() {
            let _ = write!(text, "{}{number}", if index == 0 { "" } else { "," });
        }
        text.push('\n');
    }
    text
}

fn quoted(name: &str) -> String {
    if name.contains([',', '"', ';']) { format!("\"{}\"", name.replace('"', "\"\"")) } else { name.to_owned() }
}

/// A motion at a time in s.
pub type Moment = (f64, RelativeMotion);

/// The motions in a table, in the names of the FMU's inputs; the error says where something is wrong.
///
/// Names may have a path before them, as hosts write them (`system.contact.relativePosition[1]`). Velocities that are
/// not there are differences of the motion; whether some were is told.
pub fn motions(text: &str) -> Result<(Vec<Moment>, bool), String> {
    let mut lines = text.trim_start_matches('\u{feff}').lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let (_, first) = lines.next().ok_or("the table is empty")?;
    let separator = [';', '\t', ','].into_iter().find(|separator| first.contains(*separator)).unwrap_or(',');
    let names = cells(first, separator);
    let columns = Columns::find(&names)?;
    let mut rows = Vec::new();
    for (index, line) in lines {
        let cells = cells(line, separator);
        let number = |column: usize| -> Result<f64, String> {
            let cell = cells.get(column).map_or("", |cell| cell.trim());
            let number = cell.parse::<f64>().ok().filter(|number| number.is_finite());
            let name = &names[column];
            number.ok_or_else(|| format!("line {}: `{name}` is `{cell}`, but must be a number", index + 1))
        };
        rows.push(columns.row(index + 1, number)?);
    }
    if let Some(pair) = rows.windows(2).find(|pair| pair[1].time <= pair[0].time) {
        return Err(format!("line {}: the time is {}, but must grow from line to line", pair[1].line, pair[1].time));
    }
    let has_velocities = columns.velocity.is_some() && columns.angular_velocity.is_some();
    let moment = |index: usize| {
        let row = &rows[index];
        let velocity = row
            .velocity
            .unwrap_or_else(|| difference(&rows, index, |a, b| b.translation.vector - a.translation.vector));
        let turn = |a: &Pose, b: &Pose| (b.rotation * a.rotation.inverse()).scaled_axis();
        let angular_velocity = row.angular_velocity.unwrap_or_else(|| difference(&rows, index, turn));
        let motion = RelativeMotion::new(row.pose, velocity, angular_velocity);
        motion.map(|motion| (row.time, motion)).map_err(|error| format!("line {}: {error}", row.line))
    };
    let moments: Vec<Moment> = (0..rows.len()).map(moment).collect::<Result<_, String>>()?;
    if moments.is_empty() {
        return Err("the table has names but no numbers".to_owned());
    }
    Ok((moments, has_velocities))
}

/// Change of a pose per second, from the row before to the row after.
fn difference(rows: &[Row], index: usize, change: impl Fn(&Pose, &Pose) -> Vector) -> Vector {
    let (before, after) = (&rows[index.saturating_sub(1)], &rows[(index + 1).min(rows.len() - 1)]);
    if before.time < after.time {
        change(&before.pose, &after.pose) / (after.time - before.time)
    } else {
        Vector::zeros()
    }
}

/// Words between separators; in quotes a separator is a letter.
fn cells(line: &str, separator: char) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut is_quoted = false;
    for letter in line.trim_end_matches('\r').chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            letter if letter == separator && !is_quoted => cells.push(String::new()),
            letter => cells.last_mut().expect("there is always a last").push(letter),
        }
    }
    cells
}

/// One line.
struct Row {
    line: usize,
    time: f64,
    pose: Pose,
    velocity: Option<Vector>,
    angular_velocity: Option<Vector>,
}

/// Where the numbers of a motion are.
struct Columns {
    time: usize,
    position: [usize; 3],
    /// None: the axes stay parallel.
    orientation: Option<(OrientationInput, Vec<usize>)>,
    velocity: Option<[usize; 3]>,
    angular_velocity: Option<[usize; 3]>,
}

impl Columns {
    fn find(names: &[String]) -> Result<Columns, String> {
        let find = |wanted: &str| -> Result<Option<usize>, String> {
            let is_it = |name: &str| {
                let name = name.trim();
                name.eq_ignore_ascii_case(wanted)
                    || name.len().checked_sub(wanted.len()).is_some_and(|start| {
                        name.get(start..).is_some_and(|end| end == wanted) && name[..start].ends_with('.')
                    })
            };
            let found: Vec<usize> = (0..names.len()).filter(|index| is_it(&names[*index])).collect();
            match found[..] {
                [] => Ok(None),
                [index] => Ok(Some(index)),
                [first, second, ..] => Err(format!(
                    "`{}` and `{}` are both columns of `{wanted}`; leave one pair in the table",
                    names[first], names[second]
                )),
            }
        };
        let all = |wanted: Vec<String>| -> Result<Option<Vec<usize>>, String> {
            let found = wanted.iter().map(|name| find(name)).collect::<Result<Vec<_>, _>>()?;
            match found.iter().filter(|index| index.is_some()).count() {
                0 => Ok(None),
                count if count == wanted.len() => Ok(Some(found.into_iter().flatten().collect())),
                _ => {
                    let missing = wanted.iter().zip(&found).find(|(_, index)| index.is_none());
                    Err(format!("there is no column `{}`", missing.map_or("", |(name, _)| name)))
                }
            }
        };
        let vector = |name: &str| -> Result<Option<[usize; 3]>, String> {
            let found = all((1..=3).map(|i| format!("{name}[{i}]")).collect())?;
            Ok(found.and_then(|found| found.try_into().ok()))
        };
        let matrix = all((0..9).map(|k| format!("relativeOrientation[{},{}]", k / 3 + 1, k % 3 + 1)).collect())?;
        let quaternion = all((1..=4).map(|i| format!("relativeQuaternion[{i}]")).collect())?;
        let angles = all((1..=3).map(|i| format!("relativeAngles[{i}]")).collect())?;
        let kinds = [
            (OrientationInput::Matrix, matrix),
            (OrientationInput::Quaternion, quaternion),
            (OrientationInput::Cardan, angles),
        ];
        let orientation = kinds.into_iter().find_map(|(input, columns)| columns.map(|columns| (input, columns)));
        let needed = "a table of motions has the columns time and relativePosition[1] to [3] at least";
        Ok(Columns {
            time: find("time")?.ok_or_else(|| format!("there is no column `time`; {needed}"))?,
            position: vector("relativePosition")?
                .ok_or_else(|| format!("there is no column `relativePosition[1]`; {needed}"))?,
            orientation,
            velocity: vector("relativeVelocity")?,
            angular_velocity: vector("relativeAngularVelocity")?,
        })
    }

    fn row(&self, line: usize, number: impl Fn(usize) -> Result<f64, String>) -> Result<Row, String> {
        let vector = |columns: &[usize; 3]| -> Result<Vector, String> {
            Ok(Vector::new(number(columns[0])?, number(columns[1])?, number(columns[2])?))
        };
        let turned = match &self.orientation {
            None => Rotation::identity(),
            Some((input, columns)) => {
                let numbers = columns.iter().map(|column| number(*column)).collect::<Result<Vec<_>, _>>()?;
                rotation(*input, &numbers).map_err(|error| format!("line {line}: {error}"))?
            }
        };
        Ok(Row {
            line,
            time: number(self.time)?,
            pose: Pose::from_parts(vector(&self.position)?.into(), turned),
            velocity: self.velocity.as_ref().map(&vector).transpose()?,
            angular_velocity: self.angular_velocity.as_ref().map(&vector).transpose()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A wheel of radius r that rolls: v = ω × r, both found by differences of the motion, which is uniform.
    #[test]
    fn velocities_that_are_missing_are_differences_of_the_motion() {
        let mut text = "time,relativePosition[1],relativePosition[2],relativePosition[3],\
                        relativeAngles[1],relativeAngles[2],relativeAngles[3]\n"
            .to_owned();
        for k in 0..5 {
            let time = 0.1 * f64::from(k);
            text += &format!("{time},{},0.5,0,0,{},0\n", 2.0 * time, 3.0 * time);
        }
        let (moments, has_velocities) = motions(&text).unwrap();
        assert!(!has_velocities);
        assert_eq!(moments.len(), 5);
        for (time, motion) in moments {
            assert!((motion.velocity_e() - Vector::new(2.0, 0.0, 0.0)).norm() < 1e-12);
            assert!((motion.angular_velocity_e() - Vector::new(0.0, 3.0, 0.0)).norm() < 1e-12);
            let turned = Rotation::from_axis_angle(&Vector::y_axis(), 3.0 * time);
            assert!((motion.pose_ef().rotation.matrix() - turned.matrix()).amax() < 1e-12);
        }
    }

    /// The three ways to write a turn about z by 0.3 rad, with separators, paths and quotes as hosts have them.
    #[test]
    fn every_orientation_of_the_inputs_is_read() {
        let (c, s) = (0.3_f64.cos(), 0.3_f64.sin());
        let (half_c, half_s) = (0.15_f64.cos(), 0.15_f64.sin());
        let place = "relativePosition[1];relativePosition[2];relativePosition[3]";
        let tables = [
            format!("time;{place};relativeAngles[1];relativeAngles[2];relativeAngles[3]\n0;1;2;3;0;0;0.3\n"),
            format!(
                "Time;{};a.relativeQuaternion[1];a.relativeQuaternion[2];a.relativeQuaternion[3];a.relativeQuaternion[4]\r\n\
                 0;1;2;3;{half_c};0;0;{half_s}\r\n",
                place.replace("relative", "system.contact.relative")
            ),
            {
                let entries: Vec<String> =
                    (0..9).map(|k| format!("\"relativeOrientation[{},{}]\"", k / 3 + 1, k % 3 + 1)).collect();
                let names = format!("time,{},{}", place.replace(';', ","), entries.join(","));
                format!("\u{feff}{names}\n0,1,2,3,{c},{},0,{s},{c},0,0,0,1\n", -s)
            },
        ];
        for text in tables {
            let (moments, _) = motions(&text).unwrap();
            let pose = moments[0].1.pose_ef();
            assert_eq!(pose.translation.vector, Vector::new(1.0, 2.0, 3.0));
            let turned = Rotation::from_axis_angle(&Vector::z_axis(), 0.3);
            assert!((pose.rotation.matrix() - turned.matrix()).amax() < 1e-15, "{text}");
        }
    }

    #[test]
    fn errors_name_the_line_and_the_column() {
        let place = "relativePosition[1],relativePosition[2],relativePosition[3]";
        for (text, expected) in [
            ("", "the table is empty"),
            ("time,x\n0,1\n", "there is no column `relativePosition[1]`; a table of motions has"),
            ("time,relativePosition[1]\n0,1\n", "there is no column `relativePosition[2]`"),
            (&format!("{place}\n0,1,2\n"), "there is no column `time`"),
            (&format!("time,{place}\n"), "the table has names but no numbers"),
            (
                &format!("time,{place}\n0,1,2,3\n\n1,1,x,3\n"),
                "line 4: `relativePosition[2]` is `x`, but must be a number",
            ),
            (&format!("time,{place}\n0,1,2,3\n0,1,2,3\n"), "line 3: the time is 0, but must grow from line to line"),
            (&format!("time,{place},a.{place}\n0,1,2,3,4,5,6\n"), "are both columns of `relativePosition[1]`"),
        ] {
            let error = motions(text).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
