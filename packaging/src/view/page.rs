//! The page: a template with its data as JSON and base64.

use polycontact::contact::{ElementScheme, Method, Outcome};
use polycontact::math::{Pose, Vector};
use polycontact::mesh::TriangleMesh;
use serde_json::{Value, json};

use super::View;
use super::encode;
use super::grid::Grid;
use super::samples::Sample;
use crate::numbers::significant;

const TEMPLATE: &str = include_str!("page.html");
const SCRIPTS: [&str; 2] = [include_str!("chart.js"), include_str!("page.js")];

/// The look of all pages with a scene.
pub const STYLE: &str = include_str!("page.css");

/// Numbers, painters, arrows and gestures of all pages with a scene.
pub const SCENE_SCRIPTS: [&str; 3] = [include_str!("data.js"), include_str!("painter.js"), include_str!("scene.js")];

/// Numbers of one pose in the page, in this order; all in SI units.
pub const NUMBERS: [&str; 25] = [
    "forceX",
    "forceY",
    "forceZ",
    "torqueX",
    "torqueY",
    "torqueZ",
    "area",
    "maxPenetration",
    "meanPenetration",
    "maxPressure",
    "meanPressure",
    "energy",
    "power",
    "patches",
    "positionX",
    "positionY",
    "positionZ",
    "originX",
    "originY",
    "originZ",
    "sizeX",
    "sizeY",
    "sizeZ",
    "topPressure",
    "warning",
];

/// The whole page.
pub fn html(view: &View, grid: &Grid) -> String {
    let name = escape(&view.pair.configuration.name);
    // In a script element only `</script` and `<!--` could end or confuse the text.
    let data = data(view, grid).to_string().replace('<', "\\u003c");
    TEMPLATE
        .replace("{{name}}", &name)
        .replace("{{style}}", STYLE)
        .replace("{{scripts}}", &[&SCENE_SCRIPTS[..], &SCRIPTS].concat().join("\n"))
        .replace("{{data}}", &data)
}

/// A text between tags or in quotes.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn data(view: &View, grid: &Grid) -> Value {
    let vector = |vector: Vector| json!(vector.as_slice());
    let mut numbers = Vec::new();
    let (mut corners, mut polygon_sizes, mut polygon_counts) = (Vec::new(), Vec::new(), Vec::new());
    for sample in &grid.samples {
        let bounds = PatchBounds::of(sample);
        for number in sample_numbers(&sample.outcome, &bounds) {
            numbers.extend(number.to_le_bytes());
        }
        polygon_counts.extend((sample.pieces.len() as u32).to_le_bytes());
        for piece in &sample.pieces {
            polygon_sizes.push(piece.corners.len() as u8);
            for corner in &piece.corners {
                let [x, y, z] =
                    [0, 1, 2].map(|axis| fraction(corner.position_e[axis] - bounds.origin[axis], bounds.size[axis]));
                for word in [x, y, z, fraction(corner.pressure, bounds.top_pressure)] {
                    corners.extend(word.to_le_bytes());
                }
            }
        }
    }
    let touch = &view.approach.touch;
    json!({
        "name": view.pair.configuration.name,
        "description": view.pair.configuration.description,
        "explanation": explanation(view),
        "facts": facts(view),
        "direction": vector(view.approach.direction_e),
        "across": vector(view.across_e),
        "touchPosition": vector(touch.translation.vector),
        "touchRotation": row_major(touch),
        "isMoving": view.motion != Default::default(),
        "depths": grid.depths,
        "positions": grid.positions,
        "start": grid.start,
        "numberNames": NUMBERS,
        "numbers": encode(&numbers),
        "polygonCounts": encode(&polygon_counts),
        "polygonSizes": encode(&polygon_sizes),
        "corners": encode(&corners),
        "meshes": [
            mesh("E", &view.pair.surface_e.name, view.bodies.e.mesh()),
            mesh("F", &view.pair.surface_f.name, view.bodies.f.mesh()),
        ],
    })
}

/// Part of a range in 1/65535.
fn fraction(value: f64, range: f64) -> u16 {
    if 0.0 < range { (65535.0 * (value / range).clamp(0.0, 1.0)).round() as u16 } else { 0 }
}

/// Part of the area of the patches whose larger pressures share the last colour: slivers with odd numbers do not spoil
/// the scale.
const LAST_COLOUR: f64 = 1e-3;

/// Box around the patches and the pressure of the last colour: units of the corners.
struct PatchBounds {
    origin: Vector,
    size: Vector,
    top_pressure: f64,
}

impl PatchBounds {
    fn of(sample: &Sample) -> Self {
        let points = || sample.pieces.iter().flat_map(|piece| &piece.corners);
        let infinite = Vector::repeat(f64::INFINITY);
        let (low, high) = points().fold((infinite, -infinite), |(low, high), point| {
            (low.inf(&point.position_e), high.sup(&point.position_e))
        });
        let top_pressure = top_pressure(sample);
        if sample.pieces.is_empty() {
            return PatchBounds { origin: Vector::zeros(), size: Vector::zeros(), top_pressure };
        }
        PatchBounds { origin: low, size: high - low, top_pressure }
    }
}

/// The largest pressure, without pieces that have almost no area.
fn top_pressure(sample: &Sample) -> f64 {
    let mut peaks: Vec<(f64, f64)> = sample
        .pieces
        .iter()
        .map(|piece| (piece.corners.iter().fold(0.0, |top: f64, corner| top.max(corner.pressure)), piece.area))
        .collect();
    peaks.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut left = LAST_COLOUR * peaks.iter().map(|(_, area)| area).sum::<f64>();
    let found = peaks.iter().find(|(_, area)| {
        left -= area;
        left <= 0.0
    });
    found.map_or(0.0, |(peak, _)| *peak)
}

fn sample_numbers(outcome: &Outcome, bounds: &PatchBounds) -> [f64; 25] {
    let [force, torque, position] =
        [outcome.wrenches.on_e.force, outcome.wrenches.on_e.torque, outcome.contact_position_e];
    let (origin, size) = (bounds.origin, bounds.size);
    [
        force.x,
        force.y,
        force.z,
        torque.x,
        torque.y,
        torque.z,
        outcome.contact_area,
        outcome.max_penetration,
        outcome.mean_penetration,
        outcome.normal_stress.max,
        outcome.normal_stress.mean,
        outcome.elastic_energy,
        outcome.dissipated_power,
        f64::from(outcome.patch_count),
        position.x,
        position.y,
        position.z,
        origin.x,
        origin.y,
        origin.z,
        size.x,
        size.y,
        size.z,
        bounds.top_pressure,
        // As the page names them: 1 is enclosed, 2 a border in the contact.
        f64::from(u8::from(outcome.enclosed) + 2 * u8::from(outcome.border_in_contact)),
    ]
}

fn row_major(pose: &Pose) -> [f64; 9] {
    let m = pose.rotation.matrix();
    std::array::from_fn(|k| m[(k / 3, k % 3)])
}

fn mesh(body: &str, file: &str, mesh: &TriangleMesh) -> Value {
    let vertices: Vec<u8> =
        mesh.vertices.iter().flat_map(|v| [v.x, v.y, v.z]).flat_map(|x| (x as f32).to_le_bytes()).collect();
    let faces: Vec<u8> = mesh.faces.iter().flatten().flat_map(|vertex| vertex.0.to_le_bytes()).collect();
    json!({ "body": body, "file": file, "vertices": encode(&vertices), "faces": encode(&faces) })
}

fn explanation(view: &View) -> String {
    let motion = &view.motion;
    let moving = if *motion == Default::default() {
        "F is at rest in every pose: the forces are those of the layers alone".to_owned()
    } else {
        let words = |v: &Vector| v.iter().map(|x| significant(*x, 3)).collect::<Vec<_>>().join(", ");
        format!(
            "F moves with ({}) m/s and turns with ({}) rad/s in every pose",
            words(&motion.velocity_e),
            words(&motion.angular_velocity_e)
        )
    };
    format!("{}. Depth is counted from the first touch in the middle position. {moving}.", view.approach.explanation)
}

fn facts(view: &View) -> Vec<String> {
    let raw = &view.bodies.raw;
    let mut facts = Vec::new();
    if let Ok(parameters) = view.bodies.parameters() {
        facts.push(format!("c_l = {} N/m³", significant(parameters.combined_layer_stiffness(), 4)));
        facts.push(format!("λ = {}", significant(parameters.penetration_ratio(), 3)));
    }
    facts.push(format!("d_l = {} N·s/m³", significant(raw.areal_damping, 3)));
    facts.push(format!("μ = {}", significant(raw.friction_coefficient, 3)));
    let method = match raw.method {
        Method::Auto => "auto",
        Method::CollisionOnly => "collision-only: no forces",
        Method::TwoPass => "two-pass",
        Method::MasterE => "master-e",
        Method::MasterF => "master-f",
    };
    let elements = match raw.elements {
        ElementScheme::Potential => "potential",
        ElementScheme::Centroid => "centroid, each element drawn as a square of its face's area",
    };
    facts.push(format!("method {method}"));
    facts.push(format!("elements {elements}"));
    facts
}
