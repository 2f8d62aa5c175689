//! Two balls pressed into each other: section, and the active areas of both bodies within the intersection polygon.

use polycontact::contact::{Body, ContactPiece};
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::mesh::TriangleMesh;
use polycontact::shapes::{icosphere, moved};

use super::drawing::{COLOR_E, COLOR_F, Camera, Drawing, FAINT, INK, PALE_E, PALE_F, shade};
use super::pieces_on;
use super::section::{outline, overlap};

/// Where the section is cut, in m: through the middle, off the vertices.
const SECTION: f64 = 0.0013;

/// Depths below this part of the largest are the border of the contact.
const ZERO_DEPTH: f64 = 1e-6;

/// Radii of E and F in m, and how deep E is in F.
const RADII: [f64; 2] = [0.1, 0.14];
const DEPTH: f64 = 0.03;

pub fn figure() -> String {
    let (e, f) = (icosphere(RADII[0], 2), icosphere(RADII[1], 3));
    let turn = Rotation::from_scaled_axis(Vector::new(0.3, 0.2, 0.15));
    let pose = Pose::from_parts(Vector::new(0.0, 0.0, DEPTH - RADII[0] - RADII[1]).into(), turn);
    let posed_f = moved(&f, &pose);
    let [on_e, on_f] = [Body::E, Body::F].map(|body| pieces_on(body, &e, &f, &pose));
    let depths = on_e.iter().chain(&on_f).flat_map(|piece| &piece.corners).map(|corner| corner.penetration);
    let deepest = depths.fold(0.0, f64::max);

    let mut drawing = Drawing::new(900.0, 360.0);
    drawing.title([20.0, 28.0], "Section");
    drawing.begin_window([20.0, 45.0], [270.0, 260.0]);
    let to_pixel = |[x, z]: [f64; 2]| [155.0 + 1100.0 * x, 165.0 - 1100.0 * (z + 0.085)];
    let [outline_e, outline_f] = [outline(&e, SECTION), outline(&posed_f, SECTION)];
    for (outline, color, fill) in [(&outline_f, COLOR_F, PALE_F), (&outline_e, COLOR_E, PALE_E)] {
        let pixels: Vec<_> = outline.iter().copied().map(to_pixel).collect();
        drawing.polygon(&pixels, fill, &format!("fill-opacity=\"0.8\" stroke=\"{color}\" stroke-width=\"1.6\""));
    }
    let common: Vec<_> = overlap(&outline_e, &outline_f).into_iter().map(to_pixel).collect();
    drawing.polygon(&common, &shade(0.45), "");
    drawing.text(to_pixel([0.0, -0.02]), "middle", COLOR_E, "E, 320 faces");
    drawing.text(to_pixel([0.0, -0.16]), "middle", COLOR_F, "F, 1280 faces");
    drawing.end_window();

    drawing.title([320.0, 28.0], "Active area of E, seen from below");
    let from_below = Camera::new(Vector::new(0.3, -0.6, -0.9), Vector::zeros(), [440.0, 175.0], 1200.0);
    body(&mut drawing, &from_below, &e, &on_e, Body::E, deepest);
    drawing.title([610.0, 28.0], "Active area of F, seen from above");
    drawing.begin_window([600.0, 45.0], [300.0, 260.0]);
    let centre_f = pose.translation.vector + Vector::new(0.0, 0.0, 0.4 * RADII[1]);
    let from_above = Camera::new(Vector::new(0.3, -0.6, 0.9), centre_f, [745.0, 175.0], 1200.0);
    body(&mut drawing, &from_above, &posed_f, &on_f, Body::F, deepest);
    drawing.end_window();

    drawing.line(&[[120.0, 335.0], [150.0, 335.0]], INK, 2.6, "");
    drawing.text([160.0, 339.5], "start", INK, "intersection polygon");
    drawing.depth_scale([480.0, 330.0], deepest);
    drawing.finish()
}

/// The visible faces of a convex body, its active area by depth, and the intersection polygon.
fn body(drawing: &mut Drawing, camera: &Camera, mesh: &TriangleMesh, pieces: &[ContactPiece], of: Body, scale: f64) {
    let (color, fill) = if of == Body::E { (COLOR_E, PALE_E) } else { (COLOR_F, PALE_F) };
    drawing.begin_group(&format!("stroke=\"{color}\" stroke-width=\"0.6\" stroke-opacity=\"0.6\""));
    for face in &mesh.faces {
        let [a, b, c] = face.map(|vertex| mesh.vertices[vertex.0 as usize]);
        if camera.sees(&(b - a).cross(&(c - a))) {
            drawing.polygon(&[a, b, c].map(|corner| camera.pixel(&corner)), fill, "");
        }
    }
    drawing.end_group();
    let outwards = |piece: &ContactPiece| if of == Body::E { -piece.normal_e } else { piece.normal_e };
    let visible = || pieces.iter().filter(|piece| camera.sees(&outwards(piece)));
    drawing.begin_group(&format!("stroke=\"{FAINT}\" stroke-width=\"0.4\" stroke-opacity=\"0.7\""));
    for piece in visible() {
        let corners: Vec<_> = piece.corners.iter().map(|corner| camera.pixel(&corner.position_e)).collect();
        drawing.polygon(&corners, &shade(piece.centre.penetration / scale), "");
    }
    drawing.end_group();
    for piece in visible() {
        let next = piece.corners.iter().cycle().skip(1);
        for (from, to) in piece.corners.iter().zip(next) {
            if from.penetration.max(to.penetration) < ZERO_DEPTH * scale {
                let ends = [from, to].map(|corner| camera.pixel(&corner.position_e));
                drawing.line(&ends, INK, 2.6, "stroke-linecap=\"round\"");
            }
        }
    }
}
