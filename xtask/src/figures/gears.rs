//! The moving figure of the README: two gears, the pressure on their flanks, and the torque that one tooth after the other
//! carries. Every frame is an evaluation of `examples/gears`.

use std::f64::consts::{PI, TAU};

use polycontact::configuration::Configuration;
use polycontact::contact::{ContactPiece, ContactSurface, RelativeMotion, Workspace, evaluate, visit_pieces};
use polycontact::math::{Pose, Rotation, Vector};

use super::drawing::{COLOR_E, COLOR_F, Drawing, FAINT, INK, PALE_E, PALE_F, Pixel, shade};
use super::{checked, end_of};
use crate::example_meshes::{GEAR_ANGLE, GEAR_MODULE, GEAR_TEETH, gear};
use crate::project::root;

/// Frames of a loop, in which each gear turns by a tooth, and its length in s.
const FRAMES: usize = 60;
const SECONDS: f64 = 4.0;
/// How deep flanks are pressed into each other along the line of action, in m.
const PRESSED: f64 = 2e-5;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 500.0;
/// What is seen of the gears: height in pixels, pixels per m, and the middle of E; teeth meet in the middle.
const SEEN: f64 = 370.0;
const SCALE: f64 = 14_000.0;
const CENTRE: Pixel = [40.0, 190.0];
/// Pixels of the largest pressure, and per N.
const BAR: f64 = 50.0;
const ARROW: f64 = 0.5;
/// The plot: left, right, bottom, top; and N·m at its top.
const PLOT: [f64; 4] = [80.0, 610.0, 470.0, 400.0];
const TOP: f64 = 10.0;

/// One evaluation, with places as seen by someone at rest.
struct Frame {
    /// Ends of a piece across the width of the gears, with pressures in Pa.
    pieces: Vec<[(Vector, f64); 2]>,
    normals: Vec<Vector>,
    place: Vector,
    force_on_f: Vector,
    /// On F, about its axis, in N·m.
    torque: f64,
}

/// The figure.
pub fn gears() -> String {
    let frames = frames();
    let top = frames.iter().flat_map(|frame| frame.pieces.iter().flatten()).map(|(_, p)| *p).fold(0.0, f64::max);
    let mut drawing = Drawing::new(WIDTH, HEIGHT);
    drawing.begin_window([0.0, 0.0], [WIDTH, SEEN]);
    let middles = [CENTRE, pixel(&Vector::new(axis_distance(), 0.0, 0.0))];
    let outlines = [(COLOR_E, PALE_E, 1.0), (COLOR_F, PALE_F, -1.0)];
    for ((teeth, middle), (color, pale, sense)) in GEAR_TEETH.into_iter().zip(middles).zip(outlines) {
        let start = if sense < 0.0 { start_angle() } else { 0.0 };
        turning(&mut drawing, middle, sense * 360.0 / teeth as f64, |drawing| {
            drawing.polygon(&outline(teeth, start), pale, &format!("stroke=\"{color}\" stroke-width=\"1\""));
            drawing.polygon(&circle(20.0), "white", &format!("stroke=\"{color}\" stroke-width=\"1\""));
        });
    }
    for (index, frame) in frames.iter().enumerate() {
        shown_in(&mut drawing, index, |drawing| frame.draw(drawing, top));
    }
    drawing.end_window();
    plot(&mut drawing, &frames);
    drawing.finish()
}

fn axis_distance() -> f64 {
    0.5 * GEAR_MODULE * (GEAR_TEETH[0] + GEAR_TEETH[1]) as f64
}

/// The turn of F where E has a tooth on the line between the axes: half a tooth, and what presses one flank.
fn start_angle() -> f64 {
    let base_f = 0.5 * GEAR_MODULE * GEAR_TEETH[1] as f64 * GEAR_ANGLE.cos();
    PI / GEAR_TEETH[1] as f64 + PRESSED / base_f
}

fn frames() -> Vec<Frame> {
    let path = root().join("examples/gears/contact.toml");
    let configuration = Configuration::read(&path).expect("the example is good");
    let mut raw = configuration.parameters;
    // The flanks slide on each other in a real drive; here the poses are held.
    raw.friction_coefficient = 0.0;
    let parameters = checked(&raw);
    let [e, f] = GEAR_TEETH.map(|teeth| ContactSurface::new(gear(teeth)));
    let mut workspace = Workspace::default();
    let turned = |angle: f64| Rotation::from_axis_angle(&Vector::z_axis(), angle);
    (0..FRAMES)
        .map(|index| {
            let roll = TAU / GEAR_TEETH[0] as f64 * index as f64 / FRAMES as f64;
            let turn_f = start_angle() - roll * GEAR_TEETH[0] as f64 / GEAR_TEETH[1] as f64;
            let at_rest_e = turned(roll);
            let pose_f = Pose::from_parts(Vector::new(axis_distance(), 0.0, 0.0).into(), turned(turn_f));
            let pose = Pose::from_parts(Vector::zeros().into(), at_rest_e).inverse() * pose_f;
            let motion = RelativeMotion::at_rest(pose);
            let outcome = evaluate(&e, &f, &parameters, &motion, &mut workspace);
            let mut pieces = Vec::new();
            visit_pieces(&e, &f, &parameters, &motion, &mut workspace, &mut |piece: ContactPiece| pieces.push(piece));
            let on_f = outcome.wrenches.on_f;
            Frame {
                pieces: pieces.iter().map(|piece| ends(piece, &at_rest_e)).collect(),
                normals: pieces.iter().map(|piece| at_rest_e * piece.normal_e).collect(),
                place: at_rest_e * outcome.contact_position_e,
                force_on_f: turned(turn_f) * on_f.force,
                torque: on_f.torque.z,
            }
        })
        .collect()
}

/// Seen along the axes a piece is a line: the corners farthest apart along it.
fn ends(piece: &ContactPiece, turned: &Rotation) -> [(Vector, f64); 2] {
    let along = piece.normal_e.cross(&Vector::z());
    let corner = |sign: f64| {
        let far = |a: &f64, b: &f64| a.total_cmp(b);
        let key = |k: &usize| sign * piece.corners[*k].position_e.dot(&along);
        (0..piece.corners.len()).max_by(|a, b| far(&key(a), &key(b))).map_or(piece.centre, |k| piece.corners[k])
    };
    [-1.0, 1.0].map(|sign| {
        let corner = corner(sign);
        (turned * corner.position_e, corner.pressure)
    })
}

fn pixel(place: &Vector) -> Pixel {
    [CENTRE[0] + SCALE * place.x, CENTRE[1] - SCALE * place.y]
}

impl Frame {
    /// Bars as long as the pressure is high, on the side of the gear that presses, and the force on F.
    fn draw(&self, drawing: &mut Drawing, top: f64) {
        for (piece, normal) in self.pieces.iter().zip(&self.normals) {
            let raised = |(place, pressure): &(Vector, f64)| {
                let [x, y] = pixel(place);
                [x + BAR * pressure / top * normal.x, y - BAR * pressure / top * normal.y]
            };
            let [a, b] = piece;
            let mean = 0.5 * (a.1 + b.1) / top;
            drawing.polygon(&[pixel(&a.0), pixel(&b.0), raised(b), raised(a)], &shade(mean), "");
        }
        let [x, y] = pixel(&self.place);
        let tip = [x + ARROW * self.force_on_f.x, y - ARROW * self.force_on_f.y];
        drawing.arrow([x, y], tip, INK, 2.0);
    }
}

/// The outline of a gear in pixels around its middle, turned by an angle.
fn outline(teeth: usize, turn: f64) -> Vec<Pixel> {
    let rotation = Rotation::from_axis_angle(&Vector::z_axis(), turn);
    let end = end_of(&gear(teeth));
    end.iter().map(|vertex| rotation * vertex).map(|vertex| [SCALE * vertex.x, -SCALE * vertex.y]).collect()
}

fn circle(radius: f64) -> Vec<Pixel> {
    (0..24).map(|k| TAU * f64::from(k) / 24.0).map(|angle| [radius * angle.cos(), radius * angle.sin()]).collect()
}

/// What is drawn around the origin turns about a point, by some degrees (counter-clockwise) per loop.
fn turning(drawing: &mut Drawing, [x, y]: Pixel, degrees: f64, draw: impl FnOnce(&mut Drawing)) {
    drawing.begin_group(&format!("transform=\"translate({x:.1} {y:.1})\""));
    drawing.begin_group("");
    draw(drawing);
    let end = -degrees;
    drawing.element(&format!(
        "<animateTransform attributeName=\"transform\" type=\"rotate\" from=\"0\" to=\"{end:.3}\" dur=\"{SECONDS}s\" \
         repeatCount=\"indefinite\"/>"
    ));
    drawing.end_group();
    drawing.end_group();
}

/// What is drawn is seen during one frame; where nothing moves, the first frame is.
fn shown_in(drawing: &mut Drawing, index: usize, draw: impl FnOnce(&mut Drawing)) {
    let time = |frame: usize| format!("{:.4}", frame as f64 / FRAMES as f64);
    let (values, times) = match index {
        0 => ("visible;hidden".to_owned(), format!("0;{}", time(1))),
        _ => ("hidden;visible;hidden".to_owned(), format!("0;{};{}", time(index), time(index + 1))),
    };
    drawing.begin_group(&format!("visibility=\"{}\"", if index == 0 { "visible" } else { "hidden" }));
    drawing.element(&format!(
        "<animate attributeName=\"visibility\" calcMode=\"discrete\" values=\"{values}\" keyTimes=\"{times}\" \
         dur=\"{SECONDS}s\" repeatCount=\"indefinite\"/>"
    ));
    draw(drawing);
    drawing.end_group();
}

/// Torque over the angle, with a cursor.
fn plot(drawing: &mut Drawing, frames: &[Frame]) {
    let [left, right, bottom, top] = PLOT;
    let x = |part: f64| left + (right - left) * part;
    let y = |torque: f64| bottom - (bottom - top) * torque / TOP;
    for torque in [0.0, 0.5 * TOP, TOP] {
        drawing.line(&[[left, y(torque)], [right, y(torque)]], "#d7dde3", 1.0, "");
        drawing.text([left - 8.0, y(torque) + 4.0], "end", FAINT, &format!("{torque}"));
    }
    drawing.text([left, top - 10.0], "start", INK, "torque on the large gear / N·m, flanks held 0.02 mm deep");
    let degrees = 360.0 / GEAR_TEETH[0] as f64;
    for part in [0.0, 0.5, 1.0] {
        drawing.text([x(part), bottom + 18.0], "middle", FAINT, &format!("{}°", part * degrees));
    }
    let mut points: Vec<Pixel> =
        frames.iter().enumerate().map(|(k, frame)| [x(k as f64 / FRAMES as f64), y(frame.torque.abs())]).collect();
    points.push([right, points[0][1]]);
    drawing.line(&points, COLOR_F, 2.0, "");
    drawing.begin_group("");
    drawing.line(&[[left, top], [left, bottom]], INK, 1.0, "");
    drawing.element(&format!(
        "<animateTransform attributeName=\"transform\" type=\"translate\" from=\"0 0\" to=\"{} 0\" dur=\"{SECONDS}s\" \
         repeatCount=\"indefinite\"/>",
        right - left
    ));
    drawing.end_group();
}
