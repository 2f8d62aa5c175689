//! One master face, cut along what it sees: its pieces by depth, and a section along the line A-B.

use polycontact::contact::{
    ContactSurface, Method, PatchPolygon, RawLayer, RawParameters, RelativeMotion, Workspace, record_pieces,
};
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::mesh::TriangleMesh;
use polycontact::shapes::icosphere;

use super::checked;
use super::drawing::{COLOR_E, COLOR_F, Drawing, FAINT, INK, PALE_E, PALE_F, Pixel, shade};

/// Pixels per m.
const SCALE: f64 = 5500.0;

/// Height of the line A-B over the first side of the face, as a part of the face's height.
const LINE: f64 = 0.3;

/// Places along the line.
const STEPS: usize = 600;

pub fn figure() -> String {
    let (e, f) = (icosphere(0.1, 1), icosphere(0.05, 3));
    let (face, polygons) = face_with_most_pieces(&e, &f);
    // Coordinates on the face: along its first side, and across.
    let [a, b, c] = face;
    let along = (b - a).normalize();
    let normal = (b - a).cross(&(c - a)).normalize();
    let across = normal.cross(&along);
    let on_face = |point: &Vector| [(point - a).dot(&along), (point - a).dot(&across)];
    let largest = polygons.iter().flat_map(|p| &p.corners).map(|corner| corner.penetration).fold(0.0, f64::max);

    let mut drawing = Drawing::new(900.0, 400.0);
    let to_pixel = |[x, y]: [f64; 2]| -> Pixel { [60.0 + SCALE * x, 350.0 - SCALE * y] };
    drawing.title([40.0, 28.0], "A master face of E, cut along the faces of F that it sees");
    drawing.polygon(&face.map(|corner| to_pixel(on_face(&corner))), PALE_E, "");
    for polygon in &polygons {
        let corners: Vec<Pixel> = polygon.corners.iter().map(|corner| to_pixel(on_face(&corner.position_e))).collect();
        let style = format!("stroke=\"{COLOR_F}\" stroke-width=\"0.9\"");
        drawing.polygon(&corners, &shade(polygon.centre.penetration / largest), &style);
    }
    drawing.polygon(
        &face.map(|corner| to_pixel(on_face(&corner))),
        "none",
        &format!("stroke=\"{COLOR_E}\" stroke-width=\"2.2\""),
    );

    // The line A-B, from side to side.
    let height = on_face(&c)[1];
    let y = LINE * height;
    let [left, right] = [on_face(&a), on_face(&b)].map(|start| {
        let end = on_face(&c);
        start[0] + (end[0] - start[0]) * (y - start[1]) / (end[1] - start[1])
    });
    drawing.line(&[[left, y], [right, y]].map(to_pixel), INK, 1.4, "stroke-dasharray=\"7 4\"");
    drawing.text([to_pixel([left, y])[0] - 8.0, to_pixel([left, y])[1] + 4.0], "end", INK, "A");
    drawing.text([to_pixel([right, y])[0] + 8.0, to_pixel([right, y])[1] + 4.0], "start", INK, "B");
    drawing.depth_scale([150.0, 375.0], largest);

    section(&mut drawing, [left, right], |x| depth(&polygons, &on_face, [x, y]));
    drawing.finish()
}

/// The section along A-B: the face, and the surface of F at its depth below it.
fn section(drawing: &mut Drawing, [left, right]: [f64; 2], depth: impl Fn(f64) -> Option<f64>) {
    let width = right - left;
    let to_pixel = |x: f64, u: f64| -> Pixel { [490.0 + 370.0 * (x - left) / width, 130.0 + 370.0 * u / width] };
    drawing.title([470.0, 28.0], "Section along A-B");
    let ground = [to_pixel(left, 0.0), to_pixel(right, 0.0), to_pixel(right, 0.3 * width), to_pixel(left, 0.3 * width)];
    drawing.polygon(&ground, PALE_E, "");
    let places = (0..=STEPS).map(|i| left + width * (i as f64 + 0.5) / (STEPS + 1) as f64);
    let inside: Vec<(f64, f64)> = places.filter_map(|x| Some((x, depth(x)?))).collect();
    let surface: Vec<Pixel> = inside.iter().map(|&(x, u)| to_pixel(x, u)).collect();
    let dipped: Vec<Pixel> =
        surface.iter().copied().chain(inside.iter().rev().map(|&(x, _)| to_pixel(x, 0.0))).collect();
    drawing.polygon(&dipped, PALE_F, "");
    drawing.line(&surface, COLOR_F, 2.0, "");
    drawing.line(&[to_pixel(left, 0.0), to_pixel(right, 0.0)], COLOR_E, 2.2, "");
    for part in [0.15, 0.35, 0.55, 0.75, 0.92] {
        let (x, u) = inside[(part * (inside.len() - 1) as f64) as usize];
        drawing.arrow(to_pixel(x, 0.0), to_pixel(x, u), FAINT, 1.2);
    }
    let (x, u) = inside[(0.55 * (inside.len() - 1) as f64) as usize];
    let [label_x, label_y] = to_pixel(x, 0.5 * u);
    drawing.text([label_x + 7.0, label_y + 4.0], "start", INK, "u");
    drawing.text(
        to_pixel(left + 0.5 * width, -0.06 * width),
        "middle",
        COLOR_F,
        "F comes from above and dips below the face",
    );
    drawing.text(to_pixel(left + 0.5 * width, 0.26 * width), "middle", COLOR_E, "E");
    drawing.text([to_pixel(left, 0.0)[0] - 6.0, to_pixel(left, 0.0)[1] + 4.0], "end", INK, "A");
    drawing.text([to_pixel(right, 0.0)[0] + 6.0, to_pixel(right, 0.0)[1] + 4.0], "start", INK, "B");
}

/// Corners of the face of E that is cut into most pieces, and the pieces, on the face itself: E is rigid.
fn face_with_most_pieces(e: &TriangleMesh, f: &TriangleMesh) -> ([Vector; 3], Vec<PatchPolygon>) {
    let raw = RawParameters {
        layer_e: RawLayer::RIGID,
        layer_f: RawLayer::default(),
        method: Method::MasterE,
        ..RawParameters::default()
    };
    let [surface_e, surface_f] = [e, f].map(|mesh| ContactSurface::new(mesh.clone()));
    let turn = Rotation::from_scaled_axis(Vector::new(0.3, 0.5, -0.2));
    let pose = Pose::from_parts(Vector::new(0.0660, 0.0830, 0.0862).into(), turn);
    let motion = RelativeMotion::at_rest(pose);
    let all = record_pieces(&surface_e, &surface_f, &checked(&raw), &motion, &mut Workspace::default()).1.polygons();
    let corners = |face: usize| e.faces[face].map(|vertex| e.vertices[vertex.0 as usize]);
    let pieces_of = |face: usize| -> Vec<PatchPolygon> {
        let [a, b, c] = corners(face);
        let normal = (b - a).cross(&(c - a)).normalize();
        all.iter().filter(|polygon| polygon.normal_e.dot(&normal) < -1.0 + 1e-9).cloned().collect()
    };
    let best = (0..e.faces.len()).max_by_key(|&face| pieces_of(face).len()).expect("a mesh has faces");
    (corners(best), pieces_of(best))
}

/// Depth at a point of the face; none outside all pieces.
fn depth(polygons: &[PatchPolygon], on_face: &dyn Fn(&Vector) -> [f64; 2], point: [f64; 2]) -> Option<f64> {
    polygons.iter().find_map(|polygon| {
        let corners: Vec<([f64; 2], f64)> =
            polygon.corners.iter().map(|corner| (on_face(&corner.position_e), corner.penetration)).collect();
        (1..corners.len() - 1).find_map(|i| interpolated([corners[0], corners[i], corners[i + 1]], point))
    })
}

/// Linear between three corners; none outside.
fn interpolated([(a, at_a), (b, at_b), (c, at_c)]: [([f64; 2], f64); 3], p: [f64; 2]) -> Option<f64> {
    let cross = |p: [f64; 2], q: [f64; 2], r: [f64; 2]| (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
    let whole = cross(a, b, c);
    let parts = [cross(b, c, p) / whole, cross(c, a, p) / whole, cross(a, b, p) / whole];
    parts.iter().all(|part| -1e-9 <= *part).then(|| parts[0] * at_a + parts[1] * at_b + parts[2] * at_c)
}
