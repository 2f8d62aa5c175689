//! Recordings become pages, tables and series.

use polycontact::contact::RelativeMotion;
use polycontact::math::{Pose, Rotation, Vector};

use super::*;
use crate::test_support::default_configuration;

/// The default pair, pressed together and turned: `count` motions of a second.
pub(super) fn swing(count: usize) -> Replay {
    let path = default_configuration();
    let configuration = Configuration::read(&path).unwrap();
    let start = configuration.pose.as_ref().map(polycontact::configuration::StartPose::pose).unwrap();
    let mut recorder = MotionRecorder::new(&configuration, path.parent().unwrap()).unwrap();
    let frames = (0..count).map(|k| {
        let time = k as f64 / count as f64;
        let way = Vector::new(0.02 * time, 0.0, -0.023 * (3.0 * time).sin());
        let turn = Rotation::from_axis_angle(&Vector::z_axis(), time);
        let pose = Pose::from_parts((start.translation.vector - way).into(), turn * start.rotation);
        recorder.frame(time, &RelativeMotion::at_rest(pose)).unwrap()
    });
    let frames = frames.collect();
    let recording = Recording { header: recorder.header(), frames, damaged_bytes: 0 };
    Replay { recording, explanation: "a swing".to_owned() }
}

#[test]
fn a_recording_becomes_a_page_with_both_bodies_and_all_columns() {
    let replay = swing(40);
    let force = replay.recording.header.position("forceOnE[3]").unwrap();
    assert!(replay.recording.frames.iter().any(|frame| 1.0 < frame.numbers[force].abs()), "no contact");
    let page = page::page(&replay.recording, &replay.explanation);
    let (html, lines) = (&page.html, replay.about(&page));
    for text in ["forceOnE[1]", "normalStress.max", "sphere.obj", "plate.obj", "N·m", "a swing"] {
        assert!(html.contains(text), "no `{text}`");
    }
    assert!(!html.contains("{{"), "a part of the template is left");
    assert_eq!(lines, ["a swing"]);
}

#[test]
fn a_long_recording_becomes_a_page_below_its_limit() {
    let mut replay = swing(60);
    let frames = std::mem::take(&mut replay.recording.frames);
    for repetition in 0..400 {
        replay.recording.frames.extend(frames.iter().cloned().map(|mut frame| {
            frame.numbers[0] += f64::from(repetition);
            frame
        }));
    }
    let page = page::page(&replay.recording, &replay.explanation);
    let (html, lines) = (&page.html, replay.about(&page));
    assert!(html.len() < page::MOST_BYTES, "{}", html.len());
    assert!(page::MOST_BYTES / 20 < html.len(), "{}", html.len());
    assert!(lines[1].contains("thinned out"), "{lines:?}");
}

/// What a table says, its numbers bit by bit, is what the next table says: the motions lead to the same contact up to
/// the rounding of the quaternion, 1e-15 of a turn about a body of 1 m against depths of 1 mm.
#[test]
fn the_table_of_a_recording_is_a_table_of_motions_with_the_same_forces() {
    let replay = swing(25);
    let text = table::csv(&replay.recording);
    let (moments, has_velocities) = table::motions(&text).unwrap();
    assert!(has_velocities);
    assert_eq!(moments.len(), 25);
    let folder = std::env::temp_dir().join(format!("polycontact-replay-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("motions.csv");
    fs::write(&file, &text).unwrap();
    let again = Replay::read(&file, Some(&default_configuration())).unwrap();
    let missing = Replay::read(&file, None).map(drop).unwrap_err();
    fs::remove_dir_all(&folder).unwrap();
    assert!(missing.contains("--pair contact.toml"), "{missing}");
    let header = &replay.recording.header;
    assert_eq!(header.columns, again.recording.header.columns);
    for name in ["forceOnE[3]", "torqueOnF[2]", "contactArea", "elasticEnergy"] {
        let column = header.position(name).unwrap();
        let scale = replay.recording.frames.iter().map(|frame| frame.numbers[column].abs()).fold(0.0, f64::max);
        for (a, b) in replay.recording.frames.iter().zip(&again.recording.frames) {
            assert!((a.numbers[column] - b.numbers[column]).abs() <= 1e-9 * scale, "{name}");
        }
    }
}

#[test]
fn a_series_names_every_file_that_it_has() {
    let replay = swing(12);
    let mut files = std::collections::BTreeMap::new();
    let times = series::write_files(&replay.recording, &mut |name, text| {
        assert!(files.insert(name.to_owned(), text.to_owned()).is_none(), "{name} twice");
        Ok(())
    });
    assert_eq!(times, Ok(12));
    let collection = files.remove("replay.pvd").unwrap();
    assert_eq!(collection.matches("<DataSet").count(), 4 * 12);
    assert_eq!(files.len(), 1 + 3 * 12);
    for (name, text) in &files {
        assert!(collection.contains(&format!("file=\"{name}\"")), "{name}");
        assert!(text.starts_with("<?xml") && text.trim_end().ends_with("</VTKFile>"), "{name}");
    }
}

#[test]
fn wrong_files_are_refused_with_a_reason() {
    let error = Replay::read(Path::new("missing.pcr"), None).map(drop).unwrap_err();
    assert!(error.contains("cannot read `missing.pcr`"), "{error}");
    let error = Replay::read(&default_configuration(), None).map(drop).unwrap_err();
    assert!(error.contains("it is no recording"), "{error}");
}

#[test]
fn the_command_writes_what_it_is_asked_for() {
    let folder = std::env::temp_dir().join(format!("polycontact-replay-command-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("run.pcr"), swing(10).recording.to_bytes()).unwrap();
    let surroundings = Surroundings { outputs: folder.clone(), kit: &|| Err("no FMU is made here".to_owned()) };
    let at = folder.display();
    let line = format!("{at}/run.pcr --csv {at}/run.csv --vtk {at}/series");
    run(&crate::test_support::parsed(&line).unwrap(), &surroundings).unwrap();
    let table = fs::read_to_string(folder.join("run.csv")).unwrap();
    assert_eq!(table.lines().count(), 11);
    assert!(folder.join("run.html").is_file() && folder.join("series/replay.pvd").is_file());
    fs::remove_dir_all(&folder).unwrap();
}
