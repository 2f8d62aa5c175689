//! `polycontact check-mesh`: reads meshes as the FMU would and reports on them.

use std::path::Path;

use polycontact::configuration::Configuration;
use polycontact::math::Vector;
use polycontact::mesh::{MeshError, MeshReport, Place, ReadOptions, Repair, SmoothReport, inspect};
use serde_json::{Value, json};

use crate::contact_pair::extent;
use crate::numbers::positive;
use crate::plausibility::doubts;

/// What `check-mesh` is told.
#[derive(Clone, Debug, clap::Args)]
pub struct Arguments {
    /// A .obj, .stl, .ply or .off file; or the .toml of a pair, whose meshes are then read as it says, and whose
    /// moduli and layers are compared with those of materials
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// Factor from the unit of the file to metres
    #[arg(long, value_name = "S", value_parser = positive, default_value = "1")]
    scale: f64,
    /// Turn the faces over, as `reversed = true` in the configuration
    #[arg(long)]
    reversed: bool,
    /// Distance up to which vertices are one, in m; without it from the resolution of the file
    #[arg(long, value_name = "D", value_parser = crate::numbers::number)]
    merge_distance: Option<f64>,
    /// As in the configuration
    #[arg(long, value_name = "R", value_parser = ["none", "safe"], default_value = "safe")]
    repair: String,
    /// Names of the objects, groups or solids to read
    #[arg(long, value_name = "A,B", value_delimiter = ',')]
    parts: Vec<String>,
    /// Numbers of the connected parts to keep
    #[arg(long, value_name = "1,2", value_delimiter = ',')]
    shells: Vec<u32>,
    /// Edges flatter than A degrees are parts of a curved surface, as in the configuration; without it the mesh stays as
    /// it is, and is measured with 30 degrees
    #[arg(long, value_name = "A", value_parser = crate::numbers::number, default_value = "0", hide_default_value = true)]
    smooth_angle: f64,
    /// How far a refined mesh may be from the curved surface, in m; without it 1e-4 of the size
    #[arg(long, value_name = "S", value_parser = positive)]
    sag: Option<f64>,
    /// Depth of a contact in m, for the error of its force; without it 1 % of the size
    #[arg(long, value_name = "D", value_parser = positive)]
    depth: Option<f64>,
    /// Print a JSON list with one object per file
    #[arg(long)]
    json: bool,
}

impl Arguments {
    fn read_options(&self) -> ReadOptions {
        ReadOptions {
            scale: self.scale,
            reversed: self.reversed,
            merge_distance: self.merge_distance,
            repair: if self.repair == "none" { Repair::None } else { Repair::Safe },
            parts: self.parts.clone(),
            shells: self.shells.clone(),
            smooth_angle: self.smooth_angle,
            sag: self.sag,
        }
    }
}

/// Reports on the files; an error where one is refused.
pub fn run(arguments: &Arguments) -> Result<(), String> {
    let mut results: Vec<(String, Checked)> = Vec::new();
    for file in &arguments.files {
        match file.to_lowercase().ends_with(".toml") {
            true => results.extend(check_pair(Path::new(file))?),
            false => results.push((file.clone(), Checked::new(file, arguments.read_options()))),
        }
    }
    let depth = arguments.depth;
    if arguments.json {
        let list = results.iter().map(|(file, checked)| to_json(file, checked, depth)).collect();
        println!("{:#}", Value::Array(list));
    } else {
        let texts: Vec<String> = results.iter().map(|(file, checked)| to_text(file, checked, depth)).collect();
        print!("{}", texts.join("\n"));
    }
    match results.iter().filter(|(_, checked)| checked.refusal.is_some()).count() {
        0 => Ok(()),
        refused => Err(format!("{refused} of {} file(s) refused", results.len())),
    }
}

/// The meshes of a configuration, read as it says; what is hardly meant goes to the error stream.
fn check_pair(path: &Path) -> Result<Vec<(String, Checked)>, String> {
    let configuration = Configuration::read(path).map_err(|error| error.to_string())?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let files = [configuration.file_path_e(folder), configuration.file_path_f(folder)];
    let surfaces = [&configuration.surface_e, &configuration.surface_f];
    let checked: Vec<(String, Checked)> = files
        .iter()
        .zip(surfaces)
        .filter(|(_, surface)| !surface.is_flexible)
        .map(|(file, surface)| {
            let name = file.display().to_string();
            let checked = Checked::new(&name, surface.read_options());
            (name, checked)
        })
        .collect();
    let sizes: Vec<Vector> =
        checked.iter().filter_map(|(_, checked)| Some(checked.report.as_ref()?.bounding_box.size())).collect();
    if let &[e, f] = sizes.as_slice() {
        doubts(&configuration, [e, f]).iter().for_each(|doubt| eprintln!("warning: {doubt}"));
    }
    Ok(checked)
}

/// What is known about a file; no report where it could not be read at all.
struct Checked {
    report: Option<MeshReport>,
    refusal: Option<MeshError>,
}

impl Checked {
    fn new(file: &str, options: ReadOptions) -> Self {
        match inspect(Path::new(file), options) {
            Ok((_, report)) => Checked { refusal: report.refusal.clone(), report: Some(report) },
            Err(error) => Checked { report: None, refusal: Some(error) },
        }
    }
}

fn to_text(file: &str, checked: &Checked, depth: Option<f64>) -> String {
    let mut text = format!("{file}\n");
    let mut row = |name: &str, value: String| text += &format!("  {name:<18} {value}\n");
    if let Some(report) = &checked.report {
        report_rows(report, &mut row);
        smooth_rows(report, depth, &mut row);
    }
    for change in checked.report.iter().flat_map(|report| &report.changes) {
        row("changed", change.to_string());
    }
    let warnings = checked.report.as_ref().map_or(&[][..], |report| &report.warnings);
    for warning in warnings {
        row("warning", warning.to_string());
    }
    match (&checked.refusal, warnings.len()) {
        (Some(refusal), _) => row("REFUSED", refusal.to_string()),
        (None, 0) => row("accepted", "nothing to do".into()),
        (None, 1) => row("accepted", "with a warning".into()),
        (None, count) => row("accepted", format!("with {count} warnings")),
    }
    text
}

fn report_rows(report: &MeshReport, row: &mut impl FnMut(&str, String)) {
    let vector = |v: &Vector| format!("({}, {}, {})", number(v.x), number(v.y), number(v.z));
    row(
        "in the file",
        format!("{} faces, {} vertices ({})", report.faces_in_file, report.vertices_in_file, report.format),
    );
    row("mesh", format!("{} triangles, {} vertices", report.faces, report.vertices));
    row("cleaned", format!("{} vertices merged, {} faces dropped", report.merged_vertices, report.dropped_faces));
    row("merge distance / m", number(report.merge_distance));
    shell_rows(report, row);
    row("size / m", vector(&report.bounding_box.size()));
    row("box / m", format!("{} to {}", vector(&report.bounding_box.min), vector(&report.bounding_box.max)));
    row("area / m²", number(report.area));
    row("volume / m³", report.volume.map_or("none, not a closed surface".into(), number));
    if report.refusal.is_some() {
        row("border", format!("{} edges", report.border.edges));
    } else {
        row("border", format!("{} edges in {} loops", report.border.edges, report.border.loops));
        row("self-touching", format!("in {} vertices", report.self_touching.vertices));
    }
    row("edges > 2 faces", report.edges_with_more_than_two_faces.to_string());
    row("misoriented edges", report.inconsistently_oriented_edges.to_string());
    if let Some(found) = report.self_intersections {
        let so_far = if found.complete { "" } else { " so far; the search was cut short" };
        row("self-intersecting", format!("{} pairs of faces{so_far}", found.pairs));
    }
    let ratio = &report.aspect_ratio;
    row(
        "aspect ratio",
        format!("median {}, worst {} at {}", number(ratio.median), number(ratio.worst), ratio.worst_face),
    );
    row("edge length / m", format!("{} to {}", number(report.shortest_edge), number(report.longest_edge)));
}

/// How coarse the mesh is as a curved surface, and what `smooth-angle` does about it.
fn smooth_rows(report: &MeshReport, depth: Option<f64>, row: &mut impl FnMut(&str, String)) {
    let Some(smooth) = &report.smoothing else { return };
    if smooth.smooth_edges == 0 {
        return row("curved", format!("nothing: no edge is flatter than {}°", number(smooth.angle)));
    }
    let part = 100.0 * smooth.curved_area / report.area;
    row(
        "curved",
        format!(
            "{part:.0} % of the area: {} of {} edges are smooth at {}°",
            smooth.smooth_edges,
            smooth.smooth_edges + smooth.sharp_edges,
            number(smooth.angle)
        ),
    );
    row("sag / m", format!("{} at most, {} in the mean", number(smooth.largest_sag), number(smooth.mean_sag)));
    let depth = depth_of(report, depth);
    row(
        "force",
        format!(
            "{:.2} % low at a depth of {} m, because of its chords",
            force_loss(smooth.mean_sag, depth),
            number(depth)
        ),
    );
    match smooth.is_refined {
        true => {
            let (sag, loss) = (smooth.coarser.unwrap_or(smooth.sag), force_loss(smooth.refined_mean_sag, depth));
            row("refined", format!("{} triangles, sag {} m, force {loss:.2} % low", smooth.faces, number(sag)));
        }
        false => row("advice", format!("`smooth-angle = {}` refines it to its curved surface", number(smooth.angle))),
    }
}

/// The depth for which the error of the force is told, in m.
fn depth_of(report: &MeshReport, depth: Option<f64>) -> f64 {
    depth.unwrap_or(0.01 * report.bounding_box.size().max())
}

/// Per cent that chords cost of the force of a curved place on a flat one: it grows with the square of the depth, which
/// is less by the mean sag.
fn force_loss(mean_sag: f64, depth: f64) -> f64 {
    100.0 * (1.0 - (1.0 - (mean_sag / depth).min(1.0)).powi(2))
}

fn smooth_json(report: &MeshReport, smooth: &SmoothReport, depth: Option<f64>) -> Value {
    let depth = depth_of(report, depth);
    json!({
        "angle": smooth.angle,
        "sag": smooth.coarser.unwrap_or(smooth.sag),
        "smoothEdges": smooth.smooth_edges,
        "sharpEdges": smooth.sharp_edges,
        "curvedArea": smooth.curved_area,
        "largestSag": smooth.largest_sag,
        "meanSag": smooth.mean_sag,
        "depth": depth,
        "forceLossPercent": force_loss(smooth.mean_sag, depth),
        "isRefined": smooth.is_refined,
        "faces": smooth.faces,
        "volume": smooth.volume,
        "keptFlat": smooth.kept_flat,
    })
}

/// The connected parts, numbered as `shells` counts them, and the names that `parts` knows.
fn shell_rows(report: &MeshReport, row: &mut impl FnMut(&str, String)) {
    const SHOWN: usize = 20;
    row("shells", report.shells.to_string());
    if 1 < report.shells && report.refusal.is_none() {
        for (index, shell) in report.shell_list.iter().take(SHOWN).enumerate() {
            let volume = shell.volume.map_or("open".into(), |volume| format!("volume {} m³", number(volume)));
            let size = extent(shell.bounding_box.size());
            row(&format!("  shell {}", index + 1), format!("{} triangles, {size}, {volume}", shell.faces));
        }
    }
    if !report.part_names.is_empty() {
        let more = if SHOWN < report.part_names.len() { ", …" } else { "" };
        let names: Vec<&str> = report.part_names.iter().take(SHOWN).map(String::as_str).collect();
        row("parts", format!("{}{more}", names.join(", ")));
    }
}

/// Six significant digits, without trailing zeros.
fn number(value: f64) -> String {
    let rounded: f64 = format!("{value:.5e}").parse().unwrap_or(value);
    let is_handy = rounded == 0.0 || (1e-4 <= rounded.abs() && rounded.abs() < 1e7);
    if is_handy { rounded.to_string() } else { format!("{rounded:e}") }
}

fn to_json(file: &str, checked: &Checked, depth: Option<f64>) -> Value {
    let mut object = json!({
        "file": file,
        "accepted": checked.refusal.is_none(),
        "refusal": checked.refusal.as_ref().map(finding),
    });
    if let (Some(report), Value::Object(members)) = (&checked.report, &mut object)
        && let Value::Object(more) = report_members(report)
    {
        members.extend(more);
        let smoothing = report.smoothing.as_ref().map(|smooth| smooth_json(report, smooth, depth));
        members.insert("smoothing".into(), json!(smoothing));
    }
    object
}

/// The report of one file as a JSON object.
pub fn report_json(file: &str, report: MeshReport) -> String {
    let refusal = report.refusal.clone();
    to_json(file, &Checked { report: Some(report), refusal }, None).to_string()
}

/// Kind and words of a change, a warning or a refusal.
fn finding(found: &(impl std::fmt::Debug + std::fmt::Display)) -> Value {
    json!({ "kind": kind(found), "message": found.to_string() })
}

fn report_members(report: &MeshReport) -> Value {
    let vector = |v: Vector| json!([v.x, v.y, v.z]);
    let ratio = &report.aspect_ratio;
    let self_intersections = report.self_intersections.map(|found| {
        json!({
            "pairs": found.pairs,
            "complete": found.complete,
            "example": found.example.map(|(first, second)| [place(first), place(second)]),
        })
    });
    json!({
        "format": report.format.to_string(),
        "facesInFile": report.faces_in_file,
        "verticesInFile": report.vertices_in_file,
        "faces": report.faces,
        "vertices": report.vertices,
        "mergeDistance": report.merge_distance,
        "mergedVertices": report.merged_vertices,
        "droppedFaces": report.dropped_faces,
        "contradictingNormals": report.contradicting_normals,
        "shells": report.shells,
        "boundingBox": { "min": vector(report.bounding_box.min), "max": vector(report.bounding_box.max) },
        "area": report.area,
        "volume": report.volume,
        "borderEdges": report.border.edges,
        "borderLoops": report.border.loops,
        "edgesWithMoreThanTwoFaces": report.edges_with_more_than_two_faces,
        "inconsistentlyOrientedEdges": report.inconsistently_oriented_edges,
        "selfTouchingVertices": report.self_touching.vertices,
        "selfIntersections": self_intersections,
        "aspectRatio": { "median": ratio.median, "worst": ratio.worst, "worstFace": place(ratio.worst_face) },
        "shortestEdge": report.shortest_edge,
        "longestEdge": report.longest_edge,
        "defects": report.defects.len(),
        "parts": report.part_names,
        "changes": report.changes.iter().map(finding).collect::<Vec<_>>(),
        "warnings": report.warnings.iter().map(finding).collect::<Vec<_>>(),
    })
}

fn place(place: Place) -> Value {
    json!({ "face": place.face, "line": place.line })
}

/// The name of an enumeration's variant, with which its derived debug text begins.
fn kind(value: &impl std::fmt::Debug) -> String {
    let debug = format!("{value:?}");
    let end = debug.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(debug.len());
    debug[..end].to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::parsed;

    fn corpus(file: &str) -> String {
        format!("{}/../tests/corpus/{file}", env!("CARGO_MANIFEST_DIR"))
    }

    #[test]
    fn refused_file_is_an_error_and_is_counted() {
        let good = corpus("obj/good/cube-of-quads.obj");
        let bad = corpus("stl/bad/truncated--binary-facet.stl");
        let checked = |line: &str| parsed::<Arguments>(line).and_then(|arguments| run(&arguments));
        assert_eq!(checked(&good), Ok(()));
        assert_eq!(checked(&format!("{good} {bad}")), Err("1 of 2 file(s) refused".into()));
        assert!(checked("--json").unwrap_err().contains("<FILE>"));
        assert!(checked(&format!("{good} --scale x")).unwrap_err().contains("it must be a number"));
        assert!(checked(&format!("{good} --repair all")).unwrap_err().contains("none, safe"));
    }

    /// A ball of 1280 faces has about half of its force at 1 % of its radius (`tests/smooth_surfaces.rs`: 48 % less).
    #[test]
    fn the_sag_of_a_ball_and_what_it_costs_of_the_force_are_told() {
        let ball = format!("{}/../resources/sphere.obj", env!("CARGO_MANIFEST_DIR"));
        let number = |json: &Value, name: &str| json["smoothing"][name].as_f64().unwrap();
        let rough = Checked::new(&ball, ReadOptions::default());
        let json = to_json("ball", &rough, Some(1e-3));
        let loss = number(&json, "forceLossPercent");
        assert!((43.0..53.0).contains(&loss), "{loss} %");
        assert_eq!(json["smoothing"]["smoothEdges"], 1920);
        let text = to_text("ball", &rough, Some(1e-3));
        assert!(text.contains("100 % of the area") && text.contains("`smooth-angle = 30` refines it"), "{text}");

        let options = ReadOptions { smooth_angle: 30.0, sag: Some(1e-5), ..ReadOptions::default() };
        let text = to_text("ball", &Checked::new(&ball, options), Some(1e-3));
        assert!(text.contains("refined            81920 triangles, sag 1e-5 m"), "{text}");
    }

    #[test]
    fn text_and_json_hold_counts_refusal_and_warnings() {
        let checked = Checked::new(&corpus("obj/good/open-funnel-of-four-triangles.obj"), ReadOptions::default());
        let text = to_text("funnel", &checked, None);
        assert!(text.contains("4 triangles, 5 vertices") && text.contains("the surface is open"), "{text}");
        let json = format!("{:#}", to_json("funnel", &checked, None));
        for part in [
            "\"accepted\": true",
            "\"faces\": 4",
            "\"borderEdges\": 4",
            "\"kind\": \"OpenSurface\"",
            "\"volume\": null",
        ] {
            assert!(json.contains(part), "{part}: {json}");
        }
        let flipped = corpus("obj/bad/inconsistent-orientation--flipped-face.obj");
        let text = to_text("x", &Checked::new(&flipped, ReadOptions::default()), None);
        assert!(text.contains("changed            1 face(s) were turned over"), "{text}");
        let unrepaired = ReadOptions { repair: Repair::None, ..ReadOptions::default() };
        let checked = Checked::new(&flipped, unrepaired);
        let json = format!("{:#}", to_json("x", &checked, None));
        for part in
            ["\"accepted\": false", "\"kind\": \"InconsistentOrientation\"", "\"inconsistentlyOrientedEdges\": 3"]
        {
            assert!(json.contains(part), "{part}: {json}");
        }
    }

    #[test]
    fn numbers_have_six_digits() {
        assert_eq!(number(2f64.sqrt()), "1.41421");
        assert_eq!(number(1.0 / 3.0 * 1e-9), "3.33333e-10");
        assert_eq!((number(0.0), number(-1500.0)), ("0".to_string(), "-1500".to_string()));
    }
}
