//! One face, divided by the nearest faces of the body that it is inside; and a section that shows what its depth is.

use std::f64::consts::FRAC_PI_2;

use polycontact::contact::{Body, ContactPiece, Feature};
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::mesh::TriangleMesh;
use polycontact::shapes::{cuboid, icosphere, moved, regular_prism};

use super::drawing::{COLOR_E, COLOR_F, Drawing, INK, PALE_E, PALE_F, Pixel, shade};
use super::pieces_on;
use super::section::outline;

/// Pixels per m of the face.
const SCALE: f64 = 5500.0;

/// Radius of the prism of the section, how deep it is in the block, and its turn in rad; lengths in m.
const PRISM_RADIUS: f64 = 0.06;
const PRISM_DEPTH: f64 = 0.03;
const PRISM_TURN: f64 = 0.23;

/// Pixels per m of the section, and where the middle of the block's surface is drawn.
const SECTION_SCALE: f64 = 3300.0;
const SECTION_MIDDLE: Pixel = [680.0, 185.0];

/// Depths that are drawn as arrows.
const ARROWS: usize = 13;

pub fn figure() -> String {
    let mut drawing = Drawing::new(900.0, 400.0);
    face(&mut drawing);
    section(&mut drawing);
    drawing.finish()
}

/// A face of E with its pieces by depth.
fn face(drawing: &mut Drawing) {
    let (corners, pieces) = face_with_most_pieces();
    // Coordinates on the face: along its first side, and across.
    let [a, b, c] = corners;
    let along = (b - a).normalize();
    let across = (b - a).cross(&(c - a)).normalize().cross(&along);
    let to_pixel = |p: &Vector| -> Pixel { [60.0 + SCALE * (p - a).dot(&along), 350.0 - SCALE * (p - a).dot(&across)] };
    let largest = pieces.iter().flat_map(|piece| &piece.corners).map(|corner| corner.penetration).fold(0.0, f64::max);
    let outline = corners.map(|corner| to_pixel(&corner));
    drawing.title([40.0, 28.0], "A face of E, divided by the nearest faces of F");
    drawing.polygon(&outline, PALE_E, "");
    for piece in &pieces {
        let corners: Vec<Pixel> = piece.corners.iter().map(|corner| to_pixel(&corner.position_e)).collect();
        let color = shade(piece.centre.penetration / largest);
        drawing.polygon(&corners, &color, &format!("stroke=\"{color}\" stroke-width=\"0.6\""));
    }
    for [from, to] in walls(&pieces, &corners) {
        drawing.line(&[to_pixel(&from), to_pixel(&to)], COLOR_F, 1.0, "stroke-linecap=\"round\"");
    }
    drawing.polygon(&outline, "none", &format!("stroke=\"{COLOR_E}\" stroke-width=\"2.2\""));
    drawing.depth_scale([150.0, 375.0], largest);
}

/// Corners of the face of E that is divided into most pieces, and the pieces.
fn face_with_most_pieces() -> ([Vector; 3], Vec<ContactPiece>) {
    let (e, f) = (icosphere(0.1, 1), icosphere(0.05, 2));
    let turn = Rotation::from_scaled_axis(Vector::new(0.3, 0.5, -0.2));
    let pose = Pose::from_parts(Vector::new(0.0660, 0.0830, 0.0862).into(), turn);
    let mut of_face = vec![Vec::new(); e.faces.len()];
    for piece in pieces_on(Body::E, &e, &f, &pose) {
        of_face[piece.face.index()].push(piece);
    }
    let (face, pieces) = of_face.into_iter().enumerate().max_by_key(|(_, pieces)| pieces.len()).expect("E has faces");
    (e.faces[face].map(|vertex| e.vertices[vertex.index()]), pieces)
}

/// Sides of pieces with another nearest feature, or nothing, beyond them: where one piece ends, another with the same
/// feature may go on.
fn walls(pieces: &[ContactPiece], [a, b, c]: &[Vector; 3]) -> Vec<[Vector; 2]> {
    const BITS: usize = 16;
    let normal = (b - a).cross(&(c - a)).normalize();
    let size = (b - a).norm();
    let mut walls = Vec::new();
    for piece in pieces {
        let next = piece.corners.iter().cycle().skip(1);
        for (from, to) in piece.corners.iter().zip(next) {
            let along = to.position_e - from.position_e;
            let Some(outwards) = along.cross(&normal).try_normalize(1e-9 * size * size) else { continue };
            let at = |bits: f64| from.position_e + along * (bits / BITS as f64);
            let is_wall = |bit: &usize| {
                let beyond = at(*bit as f64 + 0.5) + outwards * (1e-5 * size);
                !pieces.iter().any(|other| other.feature == piece.feature && contains(other, &normal, &beyond))
            };
            let mut bits = (0..BITS).filter(is_wall).peekable();
            while let Some(first) = bits.next() {
                let mut end = first + 1;
                while bits.next_if_eq(&end).is_some() {
                    end += 1;
                }
                walls.push([at(first as f64), at(end as f64)]);
            }
        }
    }
    walls
}

/// Whether a point of the face lies in a piece.
fn contains(piece: &ContactPiece, normal: &Vector, point: &Vector) -> bool {
    let next = piece.corners.iter().cycle().skip(1);
    piece
        .corners
        .iter()
        .zip(next)
        .all(|(from, to)| 0.0 <= (to.position_e - from.position_e).cross(&(point - from.position_e)).dot(normal))
}

/// A prism F in a block E: depths of the block's surface, which are distances to the nearest sides, and the walls between
/// pieces, which halve the angles of the prism.
fn section(drawing: &mut Drawing) {
    let block = moved(&cuboid(Vector::new(0.2, 0.2, 0.05)), &Pose::translation(0.0, 0.0, -0.025));
    let prism = regular_prism(PRISM_RADIUS, 0.4, 10);
    let turn = Rotation::from_axis_angle(&Vector::x_axis(), FRAC_PI_2);
    let roll = Rotation::from_axis_angle(&Vector::y_axis(), PRISM_TURN);
    let pose = Pose::from_parts(Vector::new(0.0, 0.0, PRISM_RADIUS - PRISM_DEPTH).into(), roll * turn);
    let parts = parts_along_x(&block, &prism, &pose);
    let to_pixel =
        |[x, z]: [f64; 2]| -> Pixel { [SECTION_MIDDLE[0] + SECTION_SCALE * x, SECTION_MIDDLE[1] - SECTION_SCALE * z] };

    drawing.title([480.0, 28.0], "Section through a prism F in a block E");
    let ground = [[-0.06, 0.0], [0.06, 0.0], [0.06, -0.05], [-0.06, -0.05]].map(to_pixel);
    drawing.polygon(&ground, PALE_E, "");
    let posed = moved(&prism, &pose);
    let sides = outline(&posed, 0.0013);
    drawing.begin_window([480.0, 60.0], [400.0, 320.0]);
    let pixels: Vec<Pixel> = sides.iter().copied().map(to_pixel).collect();
    drawing.polygon(&pixels, PALE_F, &format!("fill-opacity=\"0.8\" stroke=\"{COLOR_F}\" stroke-width=\"2\""));
    drawing.end_window();
    drawing.line(&[[-0.06, 0.0], [0.06, 0.0]].map(to_pixel), COLOR_E, 2.2, "");

    // Walls: from the prism's corners below the surface to where one part ends and the next one starts.
    let at_one_end = posed.vertices.iter().filter(|vertex| 0.0 < vertex.y && vertex.z < 0.0);
    let mut corners: Vec<[f64; 2]> = at_one_end.map(|vertex| [vertex.x, vertex.z]).collect();
    corners.sort_by(|a, b| a[0].total_cmp(&b[0]));
    for (part, corner) in parts[1..].iter().zip(corners) {
        drawing.line(&[corner, [part.from, 0.0]].map(to_pixel), INK, 1.2, "stroke-dasharray=\"6 4\"");
    }
    let (left, right) = (parts[0].from, parts[parts.len() - 1].to);
    for index in 0..ARROWS {
        let x = left + (right - left) * (index as f64 + 0.5) / ARROWS as f64;
        if let Some(part) = parts.iter().find(|part| x <= part.to) {
            let depth = part.depth_at(x);
            let foot = [x + depth * part.outwards.x, depth * part.outwards.z];
            drawing.arrow(to_pixel([x, 0.0]), to_pixel(foot), &shade(0.75), 1.2);
        }
    }
    drawing.text(to_pixel([0.0, 0.008]), "middle", COLOR_F, "F");
    drawing.text(to_pixel([-0.053, -0.045]), "middle", COLOR_E, "E");
    drawing.text([482.0, 369.0], "start", INK, "Arrows: depth u, the distance to the nearest side.");
    drawing.text([482.0, 387.0], "start", INK, "Dashed: walls between pieces.");
}

/// A part of the block's surface, from one x to another, with one nearest side of the prism.
struct PartOfSurface {
    from: f64,
    to: f64,
    depths: [f64; 2],
    /// Normal of the side.
    outwards: Vector,
}

impl PartOfSurface {
    fn depth_at(&self, x: f64) -> f64 {
        let [at_start, at_end] = self.depths;
        at_start + (at_end - at_start) * (x - self.from) / (self.to - self.from)
    }
}

/// Pieces on the upper side of the block, those at the same side of the prism as one, from left to right.
fn parts_along_x(block: &TriangleMesh, prism: &TriangleMesh, pose: &Pose) -> Vec<PartOfSurface> {
    let mut parts: Vec<PartOfSurface> = Vec::new();
    for piece in pieces_on(Body::E, block, prism, pose).iter().filter(|piece| piece.normal_e.z < -0.5) {
        let Feature::Face(face) = piece.feature else { continue };
        let [a, b, c] = prism.corners(face);
        let outwards = pose.rotation * (b - a).cross(&(c - a)).normalize();
        let place = parts.iter().position(|part| 1.0 - 1e-9 < part.outwards.dot(&outwards)).unwrap_or_else(|| {
            let (from, to) = (f64::INFINITY, f64::NEG_INFINITY);
            parts.push(PartOfSurface { from, to, depths: [0.0; 2], outwards });
            parts.len() - 1
        });
        let part = &mut parts[place];
        for corner in &piece.corners {
            let x = corner.position_e.x;
            if x < part.from {
                (part.from, part.depths[0]) = (x, corner.penetration);
            }
            if part.to < x {
                (part.to, part.depths[1]) = (x, corner.penetration);
            }
        }
    }
    parts.sort_by(|a, b| a.from.total_cmp(&b.from));
    parts
}
