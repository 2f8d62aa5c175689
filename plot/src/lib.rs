//! A page of line plots as SVG.
#![forbid(unsafe_code)]

use std::fmt::Write;

const WIDTH: f64 = 900.0;
const PANEL_HEIGHT: f64 = 250.0;
const MARGIN_LEFT: f64 = 80.0;
const MARGIN_RIGHT: f64 = 150.0;
const MARGIN_TOP: f64 = 34.0;
const MARGIN_BOTTOM: f64 = 44.0;
const COLORS: [&str; 5] = ["#c8501e", "#2f6690", "#3a7d44", "#8a5a9e", "#444444"];
/// No line needs more points than this: about two for every unit of width.
const MOST_POINTS: usize = 1500;

/// A line with its name for the legend; without one for an empty name.
pub struct Line {
    /// Shown at the right.
    pub name: &'static str,
    /// x and y, x ascending.
    pub points: Vec<(f64, f64)>,
}

/// Lines over common axes.
pub struct Panel {
    /// Shown above.
    pub title: &'static str,
    /// With the unit.
    pub x_label: &'static str,
    /// With the unit.
    pub y_label: &'static str,
    /// At least one, with at least one point.
    pub lines: Vec<Line>,
}

/// How values are laid out along both axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axes {
    /// Equal steps are equal lengths.
    Linear,
    /// Equal ratios are equal lengths; points that are not above 0 are left out.
    Logarithmic,
}

/// The panels below each other, with linear axes.
pub fn to_svg(panels: &[Panel]) -> String {
    to_svg_with(panels, Axes::Linear)
}

/// The panels below each other.
pub fn to_svg_with(panels: &[Panel], axes: Axes) -> String {
    let height = PANEL_HEIGHT * panels.len() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
         height=\"{height}\" font-family=\"system-ui, sans-serif\" font-size=\"13\" fill=\"#1d2733\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (index, panel) in panels.iter().enumerate() {
        draw(&mut svg, panel, PANEL_HEIGHT * index as f64, axes).expect("a String takes everything");
    }
    svg + "</svg>\n"
}

impl Axes {
    /// Place on an axis, in its own unit.
    fn place(self, value: f64) -> f64 {
        match self {
            Axes::Linear => value,
            Axes::Logarithmic => value.log10(),
        }
    }

    /// Places of the ticks within the range, and their texts.
    fn ticks(self, low: f64, high: f64) -> Vec<(f64, String)> {
        match self {
            Axes::Linear => {
                let ticks = ticks(low, high);
                ticks.iter().map(|tick| (*tick, tick_text(*tick, &ticks))).collect()
            }
            Axes::Logarithmic => logarithmic_ticks(low, high),
        }
    }
}

fn draw(svg: &mut String, panel: &Panel, top: f64, axes: Axes) -> std::fmt::Result {
    let is_shown = |&&(x, y): &&(f64, f64)| axes == Axes::Linear || (0.0 < x && 0.0 < y);
    let place = |&(x, y): &(f64, f64)| (axes.place(x), axes.place(y));
    let points = || panel.lines.iter().flat_map(|line| &line.points).filter(is_shown).map(place);
    let (x_low, x_high) = range(points().map(|point| point.0));
    let (y_low, y_high) = range(points().map(|point| point.1));
    let y_ticks = axes.ticks(y_low, y_high);
    let (y_low, y_high) = y_ticks.iter().fold((y_low, y_high), |(low, high), (y, _)| (low.min(*y), high.max(*y)));
    let (left, right) = (MARGIN_LEFT, WIDTH - MARGIN_RIGHT);
    let (upper, lower) = (top + MARGIN_TOP, top + PANEL_HEIGHT - MARGIN_BOTTOM);
    let x_of = |x: f64| left + (x - x_low) / (x_high - x_low) * (right - left);
    let y_of = |y: f64| lower - (y - y_low) / (y_high - y_low) * (lower - upper);

    writeln!(svg, "<text x=\"{left}\" y=\"{}\" font-weight=\"600\">{}</text>", upper - 12.0, panel.title)?;
    for (tick, text) in &y_ticks {
        let y = y_of(*tick);
        writeln!(svg, "<path d=\"M{left} {y:.1}H{right}\" stroke=\"#e3e8ed\"/>")?;
        writeln!(svg, "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>", left - 8.0, y + 4.5)?;
    }
    for (tick, text) in axes.ticks(x_low, x_high) {
        let x = x_of(tick);
        writeln!(svg, "<path d=\"M{x:.1} {lower}v5\" stroke=\"#7b8794\"/>")?;
        writeln!(svg, "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{text}</text>", lower + 19.0)?;
    }
    writeln!(svg, "<path d=\"M{left} {upper}V{lower}H{right}\" fill=\"none\" stroke=\"#7b8794\"/>")?;
    let middle = 0.5 * (left + right);
    writeln!(svg, "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>", lower + 36.0, panel.x_label)?;
    let (x, y) = (20.0, 0.5 * (upper + lower));
    writeln!(
        svg,
        "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" transform=\"rotate(-90 {x} {y})\">{}</text>",
        panel.y_label
    )?;
    for (index, line) in panel.lines.iter().enumerate() {
        let color = COLORS[index % COLORS.len()];
        let stride = line.points.len().div_ceil(MOST_POINTS).max(1);
        let shown = line.points.iter().step_by(stride).chain(line.points.last()).filter(is_shown).map(place);
        let path: Vec<String> = shown.map(|(x, y)| format!("{:.1},{:.1}", x_of(x), y_of(y))).collect();
        let path = path.join(" ");
        writeln!(svg, "<polyline points=\"{path}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.8\"/>")?;
        if !line.name.is_empty() {
            let y = upper + 10.0 + 20.0 * index as f64;
            writeln!(svg, "<path d=\"M{} {y}h20\" stroke=\"{color}\" stroke-width=\"2.5\"/>", right + 14.0)?;
            writeln!(svg, "<text x=\"{}\" y=\"{}\">{}</text>", right + 40.0, y + 4.5, line.name)?;
        }
    }
    Ok(())
}

/// Smallest and largest value; never equal.
fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    if low < high { (low, high) } else { (low - 0.5, low + 0.5) }
}

/// Round numbers within the range, three to eight of them.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let rough = (high - low) / 7.0;
    let power = 10f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| rough <= factor * power).unwrap_or(10.0);
    let step = factor * power;
    // A billionth of a step forgives the rounding of the division.
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    (first..=last).map(|number| number as f64 * step).collect()
}

/// Powers of ten within a range of decimal logarithms, with their twofold and fivefold where there are few.
fn logarithmic_ticks(low: f64, high: f64) -> Vec<(f64, String)> {
    let factors: &[f64] = if high - low < 2.5 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let powers = low.floor() as i32..=high.ceil() as i32;
    let values = powers.flat_map(|power| factors.iter().map(move |factor| (power, factor * 10f64.powi(power))));
    values
        .map(|(power, value)| (value.log10(), format!("{value:.*}", (-power).max(0) as usize)))
        .filter(|(place, _)| low - 1e-9 <= *place && *place <= high + 1e-9)
        .collect()
}

/// With as many digits as the distance of the ticks asks for.
fn tick_text(tick: f64, ticks: &[f64]) -> String {
    let step = if 1 < ticks.len() { ticks[1] - ticks[0] } else { 1.0 };
    let digits = (-(step * 1.001).log10().floor()).max(0.0) as usize;
    format!("{:.digits$}", tick + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks(0.0, 10.0), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(ticks(-3.0, 47.0), [0.0, 10.0, 20.0, 30.0, 40.0]);
        let texts: Vec<String> = ticks(0.0, 0.5).iter().map(|tick| tick_text(*tick, &ticks(0.0, 0.5))).collect();
        assert_eq!(texts, ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5"]);
    }

    #[test]
    fn logarithmic_ticks_are_powers_of_ten() {
        let texts =
            |low: f64, high: f64| logarithmic_ticks(low, high).into_iter().map(|tick| tick.1).collect::<Vec<_>>();
        assert_eq!(texts(-2.0, 1.0), ["0.01", "0.1", "1", "10"]);
        assert_eq!(texts(0.2, 1.1), ["2", "5", "10"]);
    }

    #[test]
    fn equal_ratios_are_equal_lengths_on_logarithmic_axes() {
        let line = Line { name: "", points: vec![(1.0, 1.0), (10.0, 10.0), (100.0, 100.0), (-1.0, 0.0)] };
        let panel = Panel { title: "t", x_label: "x", y_label: "y", lines: vec![line] };
        let svg = to_svg_with(&[panel], Axes::Logarithmic);
        let points = svg.split("points=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
        let x: Vec<f64> = points.split([' ', ',']).step_by(2).map(|word| word.parse().unwrap()).collect();
        assert_eq!(x.len(), 3, "{points}");
        assert!((x[2] - x[1] - (x[1] - x[0])).abs() < 0.2, "{points}");
    }

    #[test]
    fn every_line_is_drawn_and_named() {
        let line = |name, y| Line { name, points: vec![(0.0, 0.0), (1.0, y)] };
        let panel = Panel { title: "t", x_label: "x", y_label: "y", lines: vec![line("a", 1.0), line("b", 2.0)] };
        let svg = to_svg(&[panel]);
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert!(svg.contains(">a</text>") && svg.contains(">b</text>"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }
}
