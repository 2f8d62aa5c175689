//! A drawing in SVG: shapes in pixels, colours of the project.

use std::fmt::Write;

use polycontact::math::Vector;

/// Colours of E and F, the pale ones for areas, of ink and of lines that matter less.
pub const COLOR_E: &str = "#c8501e";
pub const COLOR_F: &str = "#2f6690";
pub const PALE_E: &str = "#fbeae2";
pub const PALE_F: &str = "#e4edf4";
pub const INK: &str = "#1d2733";
pub const FAINT: &str = "#7b8794";

/// A point of the drawing in pixels, y downwards.
pub type Pixel = [f64; 2];

/// Shapes, drawn one over the other.
pub struct Drawing {
    svg: String,
}

impl Drawing {
    /// An empty sheet.
    pub fn new(width: f64, height: f64) -> Self {
        let mut drawing = Drawing { svg: String::new() };
        drawing.push(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" font-family=\"system-ui, sans-serif\" font-size=\"13\" fill=\"{INK}\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
        ));
        drawing
    }

    /// The file.
    pub fn finish(self) -> String {
        self.svg + "</svg>\n"
    }

    fn push(&mut self, line: std::fmt::Arguments) {
        writeln!(self.svg, "{line}").expect("a String takes everything");
    }

    /// What is drawn until [`Drawing::end_window`] shows within a rectangle only; coordinates stay the same.
    pub fn begin_window(&mut self, [x, y]: Pixel, [width, height]: Pixel) {
        self.push(format_args!(
            "<svg x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" viewBox=\"{x} {y} {width} {height}\">"
        ));
    }

    /// Ends the rectangle of [`Drawing::begin_window`].
    pub fn end_window(&mut self) {
        self.push(format_args!("</svg>"));
    }

    /// What is drawn until [`Drawing::end_group`] has these attributes.
    pub fn begin_group(&mut self, style: &str) {
        self.push(format_args!("<g {style}>"));
    }

    /// Ends the group of [`Drawing::begin_group`].
    pub fn end_group(&mut self) {
        self.push(format_args!("</g>"));
    }

    /// An element of SVG as it is, such as an animation of the group around it.
    pub fn element(&mut self, element: &str) {
        self.push(format_args!("{element}"));
    }

    /// A filled polygon; `style` are further attributes, such as its stroke.
    pub fn polygon(&mut self, points: &[Pixel], fill: &str, style: &str) {
        self.push(format_args!("<polygon points=\"{}\" fill=\"{fill}\" {style}/>", list(points)));
    }

    /// An open line.
    pub fn line(&mut self, points: &[Pixel], color: &str, width: f64, style: &str) {
        self.push(format_args!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\" {style}/>",
            list(points)
        ));
    }

    /// A line with a tip at its end.
    pub fn arrow(&mut self, from: Pixel, to: Pixel, color: &str, width: f64) {
        let [x, y] = [to[0] - from[0], to[1] - from[1]];
        let length = x.hypot(y).max(f64::MIN_POSITIVE);
        let [x, y] = [x / length, y / length];
        let tip = (4.0 + 2.0 * width).min(length);
        let back = [to[0] - tip * x, to[1] - tip * y];
        self.line(&[from, back], color, width, "");
        let side = 0.4 * tip;
        self.polygon(
            &[to, [back[0] - side * y, back[1] + side * x], [back[0] + side * y, back[1] - side * x]],
            color,
            "",
        );
    }

    /// A text; `anchor` is start, middle or end.
    pub fn text(&mut self, [x, y]: Pixel, anchor: &str, color: &str, text: &str) {
        self.push(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" fill=\"{color}\">{text}</text>"
        ));
    }

    /// A text in bold.
    pub fn title(&mut self, [x, y]: Pixel, text: &str) {
        self.push(format_args!("<text x=\"{x:.1}\" y=\"{y:.1}\" font-weight=\"600\">{text}</text>"));
    }

    /// A bar of the colours of [`shade`] from 0 to a largest depth in mm, with its name.
    pub fn depth_scale(&mut self, [x, y]: Pixel, largest: f64) {
        const STEPS: usize = 20;
        for step in 0..STEPS {
            let [left, right] = [step, step + 1].map(|step| x + 8.0 * step as f64);
            let corners = [[left, y], [right, y], [right, y + 10.0], [left, y + 10.0]];
            self.polygon(&corners, &shade((step as f64 + 0.5) / STEPS as f64), "");
        }
        self.text([x - 8.0, y + 10.0], "end", INK, "depth u: 0");
        self.text([x + 8.0 * STEPS as f64 + 8.0, y + 10.0], "start", INK, &format!("{:.1} mm", 1e3 * largest));
    }
}

fn list(points: &[Pixel]) -> String {
    points.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ")
}

/// A colour for a part from 0 to 1: from pale yellow to dark red.
pub fn shade(part: f64) -> String {
    const STOPS: [[f64; 3]; 4] =
        [[255.0, 243.0, 205.0], [250.0, 190.0, 110.0], [214.0, 90.0, 60.0], [122.0, 18.0, 50.0]];
    let place = part.clamp(0.0, 1.0) * (STOPS.len() - 1) as f64;
    let index = (place as usize).min(STOPS.len() - 2);
    let [red, green, blue] = std::array::from_fn(|channel| {
        let [low, high] = [STOPS[index][channel], STOPS[index + 1][channel]];
        (low + (high - low) * (place - index as f64)).round() as u8
    });
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// A parallel projection: which direction points right, up and towards the eye, and where the origin is drawn.
pub struct Camera {
    right: Vector,
    up: Vector,
    towards: Vector,
    centre: Vector,
    place: Pixel,
    /// Pixels per m.
    scale: f64,
}

impl Camera {
    /// Looks at `centre` against `towards`, which must not be vertical; `centre` is drawn at `place`.
    pub fn new(towards: Vector, centre: Vector, place: Pixel, scale: f64) -> Self {
        let towards = towards.normalize();
        let right = Vector::z().cross(&towards).normalize();
        Camera { right, up: towards.cross(&right), towards, centre, place, scale }
    }

    /// Where a point is drawn.
    pub fn pixel(&self, point: &Vector) -> Pixel {
        let from_centre = point - self.centre;
        [
            self.place[0] + self.scale * from_centre.dot(&self.right),
            self.place[1] - self.scale * from_centre.dot(&self.up),
        ]
    }

    /// Whether a face with this normal is seen.
    pub fn sees(&self, normal: &Vector) -> bool {
        0.0 < normal.dot(&self.towards)
    }
}
