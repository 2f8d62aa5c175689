//! A shaded picture of two meshes: a small rasteriser with a depth buffer.

use polycontact::math::{Aabb, Matrix, Pose, Rotation, Vector};
use polycontact::mesh::{FaceIndex, TriangleMesh};

/// Size of the picture in pixels.
const WIDTH: usize = 640;
const HEIGHT: usize = 480;
/// Each pixel is the mean of this many samples squared.
const SAMPLES: usize = 4;
/// Part of the picture that stays free on each side.
const MARGIN: f64 = 0.07;
/// Length of the gap between the bodies as a part of the larger body's size.
const GAP: f64 = 0.08;
/// Faces lower than this, in pixels, get no edges: they would merge into a dark area.
const SMALLEST_DRAWN_FACE: f64 = 5.0;
/// Half the width of a drawn edge in pixels.
const EDGE_WIDTH: f64 = 0.5;

/// Red, green, blue from 0 to 1.
pub type Color = [f64; 3];

/// Colours of E, F and paper.
pub const COLOR_E: Color = [0.90, 0.42, 0.16];
/// Of surface F.
pub const COLOR_F: Color = [0.40, 0.58, 0.74];
const PAPER: Color = [0.96, 0.97, 0.98];

/// A PNG file that shows E above F, drawn apart along z so that neither hides in the other.
pub fn picture(mesh_e: &TriangleMesh, mesh_f: &TriangleMesh) -> Vec<u8> {
    let faces = visible_faces(mesh_e, mesh_f);
    let bounds = Aabb::of(faces.iter().flat_map(|face| &face.corners));
    encode(&render(&faces, &bounds, [WIDTH, HEIGHT]), [WIDTH, HEIGHT])
}

/// A PNG file of pixels, row by row from the top.
pub fn encode(pixels: &[[u8; 3]], [width, height]: [usize; 2]) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(pixels.as_flattened())?;
        writer.finish()
    });
    written.expect("memory takes everything");
    file
}

/// A face, ready to be drawn.
pub struct Face {
    /// Corners as seen: x to the right, y up, z towards the eye, in m.
    pub corners: [Vector; 3],
    color: Color,
}

/// Pixels of the faces, row by row from the top; `bounds` is what fills the picture, as seen.
pub fn render(faces: &[Face], bounds: &Aabb, [columns, rows]: [usize; 2]) -> Vec<[u8; 3]> {
    // 1: fit everything into the frame.
    let (width, height) = ((columns * SAMPLES) as f64, (rows * SAMPLES) as f64);
    let size = bounds.size();
    let free = 1.0 - 2.0 * MARGIN;
    let scale = free * (width / size.x.max(f64::MIN_POSITIVE)).min(height / size.y.max(f64::MIN_POSITIVE));
    let middle = 0.5 * (bounds.min + bounds.max);
    let to_frame = |p: &Vector| {
        Vector::new(0.5 * width + scale * (p.x - middle.x), 0.5 * height - scale * (p.y - middle.y), scale * p.z)
    };
    // 2: paper, a little darker towards the lower end.
    let paper = |index: usize| {
        let down = (index / (columns * SAMPLES)) as f64 / height;
        PAPER.map(|channel| channel * (1.0 - 0.10 * down * down))
    };
    let mut canvas = Canvas {
        width: columns * SAMPLES,
        height: rows * SAMPLES,
        samples: (0..columns * rows * SAMPLES * SAMPLES).map(paper).collect(),
        depths: vec![f64::NEG_INFINITY; columns * rows * SAMPLES * SAMPLES],
    };
    // 3: faces, the nearest to the eye in front.
    for face in faces {
        canvas.draw(&face.corners.map(|corner| to_frame(&corner)), face.color);
    }
    // 4: pixels are means of samples.
    (0..columns * rows).map(|index| canvas.pixel(index % columns, index / columns)).collect()
}

/// Samples of the picture, with their distance to the eye.
struct Canvas {
    width: usize,
    height: usize,
    samples: Vec<Color>,
    depths: Vec<f64>,
}

impl Canvas {
    fn pixel(&self, x: usize, y: usize) -> [u8; 3] {
        let mut sum = [0.0; 3];
        for (row, column) in (0..SAMPLES).flat_map(|row| (0..SAMPLES).map(move |column| (row, column))) {
            let sample = self.samples[(y * SAMPLES + row) * self.width + x * SAMPLES + column];
            (0..3).for_each(|channel| sum[channel] += sample[channel]);
        }
        sum.map(|sum| (255.0 * (sum / (SAMPLES * SAMPLES) as f64).clamp(0.0, 1.0)).round() as u8)
    }

    /// Fills a triangle; its edges are darker where it is large enough.
    fn draw(&mut self, [a, b, c]: &[Vector; 3], color: Color) {
        let (width, height) = (self.width, self.height);
        let cross = |p: &Vector, q: &Vector, x: f64, y: f64| (q.x - p.x) * (y - p.y) - (q.y - p.y) * (x - p.x);
        let doubled_area = cross(a, b, c.x, c.y);
        if doubled_area == 0.0 {
            return;
        }
        let edges = [(b, c), (c, a), (a, b)];
        let lengths = edges.map(|(p, q)| (q.x - p.x).hypot(q.y - p.y));
        let pixel = SAMPLES as f64;
        let longest = lengths.iter().copied().fold(0.0, f64::max);
        let has_edges = SMALLEST_DRAWN_FACE * pixel < doubled_area.abs() / longest;
        let low = |pick: fn(&Vector) -> f64| pick(a).min(pick(b)).min(pick(c)).floor().max(0.0) as usize;
        let high = |pick: fn(&Vector) -> f64, end: usize| (pick(a).max(pick(b)).max(pick(c)).ceil() as usize).min(end);
        for row in low(|p| p.y)..high(|p| p.y, height) {
            for column in low(|p| p.x)..high(|p| p.x, width) {
                let (x, y) = (column as f64 + 0.5, row as f64 + 0.5);
                let weights = edges.map(|(p, q)| cross(p, q, x, y) / doubled_area);
                if weights.iter().any(|weight| *weight < 0.0) {
                    continue;
                }
                let depth = weights[0] * a.z + weights[1] * b.z + weights[2] * c.z;
                let index = row * width + column;
                if depth <= self.depths[index] {
                    continue;
                }
                self.depths[index] = depth;
                let is_on_edge =
                    has_edges && (0..3).any(|i| weights[i] * doubled_area.abs() < EDGE_WIDTH * pixel * lengths[i]);
                self.samples[index] = if is_on_edge { color.map(|channel| 0.72 * channel) } else { color };
            }
        }
    }
}

/// The faces of both meshes, placed, turned and shaded; also those seen from behind, since a surface may be open.
fn visible_faces(mesh_e: &TriangleMesh, mesh_f: &TriangleMesh) -> Vec<Face> {
    let (box_e, box_f) = (Aabb::of(mesh_e.vertices.iter()), Aabb::of(mesh_f.vertices.iter()));
    let gap = GAP * box_e.size().max().min(box_f.size().max());
    let lift = Vector::z() * (box_f.max.z - box_e.min.z + gap);
    let mut faces = Vec::new();
    for (mesh, offset, color) in [(mesh_e, lift, COLOR_E), (mesh_f, Vector::zeros(), COLOR_F)] {
        faces.extend(seen(mesh, &Pose::from_parts(offset.into(), Rotation::identity()), color));
    }
    faces
}

/// The faces of a mesh in a pose as the eye sees them, shaded.
pub fn seen(mesh: &TriangleMesh, pose: &Pose, color: Color) -> Vec<Face> {
    let view = view();
    let place = |corner: Vector| view * (pose.rotation * corner + pose.translation.vector);
    let face = |index: usize| {
        let corners = mesh.corners(FaceIndex(index as u32)).map(place);
        let normal = (corners[1] - corners[0]).cross(&(corners[2] - corners[0])).normalize();
        Face { corners, color: shade(color, normal) }
    };
    (0..mesh.faces.len()).map(face).collect()
}

/// From the world, z up, to the eye: from the front right, above.
fn view() -> Matrix {
    let (turn, tilt) = (-35.0_f64.to_radians(), 24.0_f64.to_radians());
    let (sin_turn, cos_turn) = turn.sin_cos();
    let (sin_tilt, cos_tilt) = tilt.sin_cos();
    let turned = Matrix::new(cos_turn, -sin_turn, 0.0, sin_turn, cos_turn, 0.0, 0.0, 0.0, 1.0);
    // Right is x, up is z tilted, towards the eye is -y tilted.
    Matrix::new(1.0, 0.0, 0.0, 0.0, sin_tilt, cos_tilt, 0.0, -cos_tilt, sin_tilt) * turned
}

/// A lamp at the upper left, a weaker one at the right, a little light from everywhere, a soft highlight.
fn shade(color: Color, normal: Vector) -> Color {
    let normal = if normal.z < 0.0 { -normal } else { normal };
    let light = Vector::new(-0.45, 0.75, 0.60).normalize();
    let fill = Vector::new(0.90, 0.10, 0.40).normalize();
    let diffuse = 0.55 * normal.dot(&light).max(0.0) + 0.16 * normal.dot(&fill).max(0.0);
    let halfway = (light + Vector::z()).normalize();
    let highlight = 0.22 * normal.dot(&halfway).max(0.0).powi(40);
    color.map(|channel| channel * (0.48 + 0.12 * normal.y + diffuse) + highlight)
}

#[cfg(test)]
mod tests {
    use polycontact::shapes::{cuboid, icosphere};

    use super::*;

    /// Pixels of the decoded picture.
    fn decoded(file: &[u8]) -> Vec<[u8; 3]> {
        let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut bytes).unwrap();
        assert_eq!((frame.width as usize, frame.height as usize), (WIDTH, HEIGHT));
        bytes.chunks_exact(3).map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect()
    }

    #[test]
    fn both_bodies_are_seen_e_above_f_with_paper_around() {
        let file = picture(&icosphere(0.1, 3), &cuboid(Vector::new(0.4, 0.4, 0.1)));
        let pixels = decoded(&file);
        let is_e = |[red, _, blue]: &[u8; 3]| *red > *blue && red - blue > 60;
        let is_f = |[red, _, blue]: &[u8; 3]| *blue > *red && blue - red > 30;
        let rows = |is: &dyn Fn(&[u8; 3]) -> bool| -> Vec<usize> {
            (0..pixels.len()).filter(|index| is(&pixels[*index])).map(|index| index / WIDTH).collect()
        };
        let (e, f) = (rows(&is_e), rows(&is_f));
        // Each covers at least a twentieth of the picture.
        assert!(pixels.len() < 20 * e.len() && pixels.len() < 20 * f.len(), "{} {}", e.len(), f.len());
        assert!(e.iter().min() < f.iter().min() && e.iter().max() < f.iter().max());
        let corners = [0, WIDTH - 1, (HEIGHT - 1) * WIDTH, HEIGHT * WIDTH - 1];
        assert!(corners.iter().all(|&corner| pixels[corner].iter().all(|&channel| 200 < channel)));
    }

    #[test]
    fn the_nearer_face_hides_the_other_in_either_order() {
        let triangle = |z: f64| [Vector::new(0.0, 0.0, z), Vector::new(40.0, 0.0, z), Vector::new(0.0, 40.0, z)];
        let (near, far) = ((triangle(2.0), COLOR_E), (triangle(1.0), COLOR_F));
        for order in [[&near, &far], [&far, &near]] {
            let mut canvas =
                Canvas { width: 40, height: 40, samples: vec![PAPER; 1600], depths: vec![f64::NEG_INFINITY; 1600] };
            order.iter().for_each(|(corners, color)| canvas.draw(corners, *color));
            assert_eq!(canvas.samples[12 * 40 + 12], COLOR_E);
        }
    }

    #[test]
    fn the_same_meshes_give_the_same_bytes() {
        let (e, f) = (icosphere(0.1, 1), cuboid(Vector::new(0.4, 0.4, 0.1)));
        assert_eq!(picture(&e, &f), picture(&e, &f));
    }
}
