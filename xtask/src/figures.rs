//! `cargo xtask figures`: the figures of the pages in `docs/`, drawn from evaluations of the library.

mod drawing;
mod gears;
mod latch;
mod law;
mod master;
mod patch;
mod piece;
mod section;
mod smooth;
mod studies;

use std::fs;

use polycontact::contact::{
    Body, ContactParameters, ContactPiece, ContactSurface, Method, Outcome, RawParameters, RelativeMotion, Workspace,
    evaluate, visit_pieces,
};
use polycontact::math::{Pose, Vector};
use polycontact::mesh::TriangleMesh;

use crate::Verb;
use crate::arguments::Arguments;
use crate::project::{root, shown};

pub const VERB: Verb = Verb {
    name: "figures",
    summary: "draws the figures of the pages in docs/ from evaluations",
    usage: "
Usage: cargo xtask figures

Writes the SVG files of README.md, docs/method.md, docs/validation.md and docs/smooth.md into docs/images, and that of the latch
into its example. Every line in them is computed
by the library or by the formula that the page gives. A test fails when they are stale.",
    run,
};

/// Path from the project's root, and content.
fn files() -> Vec<(&'static str, String)> {
    vec![
        ("docs/images/method-patch.svg", patch::figure()),
        ("docs/images/method-piece.svg", piece::figure()),
        ("docs/images/method-law.svg", law::figure()),
        ("docs/images/method-master.svg", master::figure()),
        ("docs/images/validation-sphere.svg", studies::sphere_on_plate()),
        ("docs/images/validation-paraboloids.svg", studies::paraboloids()),
        ("docs/images/smooth-cam.svg", smooth::cam()),
        ("docs/images/gears.svg", gears::gears()),
        ("examples/latch/latch.svg", latch::latch()),
    ]
}

fn run(words: &[String]) -> Result<(), String> {
    if let Some(word) = Arguments::parse(words, &[])?.free.first() {
        return Err(format!("`{word}` is not expected; the verb takes no argument"));
    }
    for (file, content) in files() {
        let path = root().join(file);
        fs::write(&path, content).map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
        println!("{}", shown(&path));
    }
    Ok(())
}

/// Evaluates once.
fn evaluated(e: &ContactSurface, f: &ContactSurface, raw: &RawParameters, motion: &RelativeMotion) -> Outcome {
    evaluate(e, f, &checked(raw), motion, &mut Workspace::default())
}

/// Pieces on the faces of one body, in the field of the other.
fn pieces_on(body: Body, e: &TriangleMesh, f: &TriangleMesh, pose: &Pose) -> Vec<ContactPiece> {
    let method = if body == Body::E { Method::MasterE } else { Method::MasterF };
    let parameters = checked(&RawParameters { method, ..RawParameters::default() });
    let [e, f] = [e, f].map(|mesh| ContactSurface::new(mesh.clone()));
    let mut pieces = Vec::new();
    let motion = RelativeMotion::at_rest(*pose);
    visit_pieces(&e, &f, &parameters, &motion, &mut Workspace::default(), &mut |piece| pieces.push(piece));
    pieces
}

/// One end of an extruded shape: its vertices in the order of the outline.
fn end_of(mesh: &TriangleMesh) -> Vec<Vector> {
    let lowest = mesh.vertices.iter().map(|vertex| vertex.z).fold(f64::MAX, f64::min);
    mesh.vertices.iter().filter(|vertex| vertex.z == lowest).copied().collect()
}

fn checked(raw: &RawParameters) -> ContactParameters {
    ContactParameters::new(raw).expect("parameters of a figure are good")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words and numbers of a figure.
    fn tokens(text: &str) -> Vec<&str> {
        text.split([' ', ',', '"', '=', '>', '<', '\n']).filter(|token| !token.is_empty()).collect()
    }

    /// Half a pixel of difference does not show; rounding differs between machines.
    fn alike(one: &str, other: &str) -> bool {
        match (one.parse::<f64>(), other.parse::<f64>()) {
            (Ok(one), Ok(other)) => (one - other).abs() < 0.5,
            _ => one == other,
        }
    }

    #[test]
    fn committed_figures_are_those_of_the_library() {
        for (file, content) in files() {
            let committed = fs::read_to_string(root().join(file)).unwrap_or_default();
            let (committed, drawn) = (tokens(&committed), tokens(&content));
            let same = committed.len() == drawn.len() && committed.iter().zip(&drawn).all(|(a, b)| alike(a, b));
            assert!(same, "{file} is stale; run `cargo xtask figures` and look at it");
        }
    }

    #[test]
    fn figures_have_no_broken_numbers() {
        for (file, content) in files() {
            assert!(content.starts_with("<svg") && content.ends_with("</svg>\n"), "{file}");
            assert!(!content.contains("NaN") && !content.contains("inf"), "{file}");
        }
    }
}
