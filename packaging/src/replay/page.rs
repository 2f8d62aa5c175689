//! The page of a recording: a template with its data as JSON and base64, below a size that browsers like.

use polycontact::math::Vector;
use polycontact::record::{Frame, Header, Patches, RecordedBody, Recording};
use serde_json::{Map, Value, json};

use super::poses::poses;
use super::thinning::{body_bytes, simplified, thinned};
use crate::view::{PAGE_STYLE, SCENE_SCRIPTS, encode, escape};

const TEMPLATE: &str = include_str!("replay.html");
const STYLE: &str = include_str!("replay.css");
const SCRIPTS: [&str; 3] = [include_str!("time_chart.js"), include_str!("pictures.js"), include_str!("replay.js")];

/// Most bytes of a page.
pub const MOST_BYTES: usize = 10_000_000;

/// Of each body, of the plots, and of the scene; as text, four thirds of that, they leave room for the scripts.
const MOST_BODY_BYTES: usize = MOST_BYTES / 100 * 11;
const MOST_PLOT_BYTES: usize = MOST_BYTES / 100 * 18;
const MOST_SCENE_BYTES: usize = MOST_BYTES / 100 * 30;

/// Bytes of a frame in the scene besides its patches: pose, arrow, bounds, counts.
const FRAME_BYTES: usize = 4 * (12 + 6 + 8 + 2);

/// Part of the area of the patches whose larger pressures share the last colour.
const LAST_COLOUR: f64 = 1e-3;

/// A page, and what is in it.
pub struct Page {
    /// The file.
    pub html: String,
    /// Frames that the plots have.
    pub plotted: usize,
    /// Frames that the scene shows.
    pub shown: usize,
    /// Bodies with less detail than the recording has.
    pub simplified: Vec<String>,
}

/// The page of a recording with at least one frame; `explanation` says where it comes from.
pub fn page(recording: &Recording, explanation: &str) -> Page {
    let (header, frames) = (&recording.header, &recording.frames);
    let strength = strengths(recording);
    let varying = varying_columns(recording);
    let plot_cost = |_: usize| 8 + 4 * varying.len();
    let plotted = thinned((0..frames.len()).collect(), &strength, plot_cost, MOST_PLOT_BYTES);
    let scene_cost = |frame: usize| {
        let (counts, corners) = frames[frame].patches.words();
        FRAME_BYTES + counts.len() + 8 * corners.len()
    };
    let shown = thinned(plotted.clone(), &strength, scene_cost, MOST_SCENE_BYTES);
    let bodies: Vec<RecordedBody> = header.bodies.iter().map(|body| simplified(body, MOST_BODY_BYTES)).collect();
    let is_simpler = |(simple, body): &(&RecordedBody, &RecordedBody)| body_bytes(simple) < body_bytes(body);
    let simpler = bodies.iter().zip(&header.bodies).filter(is_simpler).map(|(_, body)| body.name.clone()).collect();
    let meshes: Vec<Value> = bodies.iter().zip(["E", "F"]).map(|(body, letter)| mesh(letter, body)).collect();
    let mut members = scene(recording, &shown);
    let others = [
        ("name", json!(header.name)),
        ("explanation", json!(explanation)),
        ("facts", json!(facts(header))),
        ("times", base64(plotted.iter().flat_map(|frame| frames[*frame].time().to_le_bytes()))),
        ("shown", base64(positions(&plotted, &shown).flat_map(u32::to_le_bytes))),
        ("columns", columns(recording, &varying)),
        ("numbers", numbers(frames, &plotted, &varying)),
        ("meshes", json!(meshes)),
    ];
    members.extend(others.map(|(name, value)| (name.to_owned(), value)));
    // In a script element only `</script` and `<!--` could end or confuse the text.
    let data = Value::Object(members).to_string().replace('<', "\\u003c");
    let html = TEMPLATE
        .replace("{{name}}", &escape(&header.name))
        .replace("{{style}}", &[PAGE_STYLE, STYLE].join("\n"))
        .replace("{{scripts}}", &[&SCENE_SCRIPTS[..], &SCRIPTS].concat().join("\n"))
        .replace("{{data}}", &data);
    Page { html, plotted: plotted.len(), shown: shown.len(), simplified: simpler }
}

fn base64(bytes: impl Iterator<Item = u8>) -> Value {
    Value::String(encode(&bytes.collect::<Vec<u8>>()))
}

fn singles(numbers: impl Iterator<Item = f64>) -> Value {
    base64(numbers.flat_map(|number| (number as f32).to_le_bytes()))
}

/// Size of the force in every frame; 0 where the model has none.
pub fn strengths(recording: &Recording) -> Vec<f64> {
    let force = vector_at(&recording.header, "forceOnE");
    recording.frames.iter().map(|frame| force.map_or(0.0, |first| vector(frame, first).norm())).collect()
}

/// First of three columns.
fn vector_at(header: &Header, name: &str) -> Option<usize> {
    header.position(&format!("{name}[1]")).filter(|first| header.position(&format!("{name}[3]")) == Some(first + 2))
}

fn vector(frame: &Frame, first: usize) -> Vector {
    Vector::from_column_slice(&frame.numbers[first..first + 3])
}

/// Where frames are in a longer list of frames.
fn positions(all: &[usize], some: &[usize]) -> impl Iterator<Item = u32> {
    some.iter().map(|frame| all.binary_search(frame).map_or(0, |position| position as u32))
}

/// Columns whose number is not the same in all frames; the time is not among them.
fn varying_columns(recording: &Recording) -> Vec<usize> {
    let first = &recording.frames[0].numbers;
    let is_varying = |column: &usize| recording.frames.iter().any(|frame| frame.numbers[*column] != first[*column]);
    (1..recording.header.columns.len()).filter(is_varying).collect()
}

/// Names and units; where the numbers are, or the one number of all frames.
fn columns(recording: &Recording, varying: &[usize]) -> Value {
    let columns = recording.header.columns.iter().enumerate().skip(1).map(|(index, column)| {
        let (name, unit) = (&column.name, shown_unit(&column.unit));
        match varying.binary_search(&index) {
            Ok(place) => json!({ "name": name, "unit": unit, "place": place }),
            Err(_) => json!({ "name": name, "unit": unit, "constant": recording.frames[0].numbers[index] }),
        }
    });
    Value::Array(columns.collect())
}

/// `N.m` is N·m, `m2` is m², and 1 is no unit.
fn shown_unit(unit: &str) -> String {
    if unit == "1" { String::new() } else { unit.replace('.', "·").replace('2', "²").replace('3', "³") }
}

/// Column by column.
fn numbers(frames: &[Frame], plotted: &[usize], varying: &[usize]) -> Value {
    singles(varying.iter().flat_map(|column| plotted.iter().map(move |frame| frames[*frame].numbers[*column])))
}

fn scene(recording: &Recording, shown: &[usize]) -> Map<String, Value> {
    let header = &recording.header;
    let frames: Vec<&Frame> = shown.iter().map(|frame| &recording.frames[*frame]).collect();
    let (force, place) = (vector_at(header, "forceOnE"), vector_at(header, "contactPosition"));
    let arrow = |frame: &Frame| {
        let of = |first: Option<usize>| first.map_or_else(Vector::zeros, |first| vector(frame, first));
        let [place, force] = [of(place), of(force)];
        [place.x, place.y, place.z, force.x, force.y, force.z]
    };
    let bounds = |frame: &Frame| {
        let (origin, size) = frame.patches.bounds();
        let box_numbers = origin.into_iter().chain(size).map(f64::from);
        box_numbers.chain([frame.patches.top_pressure(), last_colour(&frame.patches)]).collect::<Vec<f64>>()
    };
    let words = || frames.iter().map(|frame| frame.patches.words());
    let members = [
        ("poses", singles(poses(header, &frames).into_iter().flatten())),
        ("arrows", singles(frames.iter().flat_map(|frame| arrow(frame)))),
        ("bounds", singles(frames.iter().flat_map(|frame| bounds(frame)))),
        ("polygonCounts", base64(words().flat_map(|(counts, _)| (counts.len() as u32).to_le_bytes()))),
        ("polygonSizes", base64(words().flat_map(|(counts, _)| counts.iter().copied()))),
        (
            "corners",
            base64(words().flat_map(|(_, corners)| corners.iter().flatten()).flat_map(|word| word.to_le_bytes())),
        ),
    ];
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The pressure of the last colour: slivers with odd numbers do not spoil the scale.
fn last_colour(patches: &Patches) -> f64 {
    let mut peaks: Vec<(f64, f64)> = patches
        .polygons()
        .map(|polygon| {
            let peak = polygon.iter().map(|corner| corner.pressure).fold(0.0, f64::max);
            (peak, polycontact::record::area_vector(&polygon).norm())
        })
        .collect();
    peaks.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut left = LAST_COLOUR * peaks.iter().map(|(_, area)| area).sum::<f64>();
    let found = peaks.iter().find(|(_, area)| {
        left -= area;
        left <= 0.0
    });
    found.map_or(0.0, |(peak, _)| *peak)
}

fn mesh(letter: &str, body: &RecordedBody) -> Value {
    json!({
        "body": letter,
        "file": body.name,
        "vertices": base64(body.vertices.iter().flatten().flat_map(|x| x.to_le_bytes())),
        "faces": base64(body.faces.iter().flatten().flat_map(|vertex| vertex.to_le_bytes())),
    })
}

/// Parameters that people look for first.
fn facts(header: &Header) -> Vec<String> {
    let wanted = [
        ("surfaceE.youngsModulus", "E of E", "Pa"),
        ("surfaceF.youngsModulus", "E of F", "Pa"),
        ("arealDamping", "d_l", "N·s/m³"),
        ("frictionCoefficient", "μ", ""),
        ("method", "method", ""),
        ("elements", "elements", ""),
        ("stepOutput", "stepOutput", ""),
    ];
    let find = |name: &str| header.parameters.iter().find(|(parameter, _)| parameter == name);
    let fact = |(name, symbol, unit): (&str, &str, &str)| {
        find(name).map(|(_, value)| format!("{symbol} = {} {unit}", value.trim_end_matches(".0")).trim_end().to_owned())
    };
    wanted.into_iter().filter_map(fact).collect()
}
