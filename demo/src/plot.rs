//! A page of line plots as SVG.

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

/// The panels below each other.
pub fn to_svg(panels: &[Panel]) -> String {
    let height = PANEL_HEIGHT * panels.len() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
         height=\"{height}\" font-family=\"system-ui, sans-serif\" font-size=\"13\" fill=\"#1d2733\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (index, panel) in panels.iter().enumerate() {
        draw(&mut svg, panel, PANEL_HEIGHT * index as f64).expect("a String takes everything");
    }
    svg + "</svg>\n"
}

fn draw(svg: &mut String, panel: &Panel, top: f64) -> std::fmt::Result {
    let points = || panel.lines.iter().flat_map(|line| &line.points);
    let (x_low, x_high) = range(points().map(|point| point.0));
    let (y_low, y_high) = range(points().map(|point| point.1));
    let y_ticks = ticks(y_low, y_high);
    let (y_low, y_high) = (y_low.min(y_ticks[0]), y_high.max(y_ticks[y_ticks.len() - 1]));
    let (left, right) = (MARGIN_LEFT, WIDTH - MARGIN_RIGHT);
    let (upper, lower) = (top + MARGIN_TOP, top + PANEL_HEIGHT - MARGIN_BOTTOM);
    let x_of = |x: f64| left + (x - x_low) / (x_high - x_low) * (right - left);
    let y_of = |y: f64| lower - (y - y_low) / (y_high - y_low) * (lower - upper);

    writeln!(svg, "<text x=\"{left}\" y=\"{}\" font-weight=\"600\">{}</text>", upper - 12.0, panel.title)?;
    for tick in &y_ticks {
        let y = y_of(*tick);
        writeln!(svg, "<path d=\"M{left} {y:.1}H{right}\" stroke=\"#e3e8ed\"/>")?;
        let text = tick_text(*tick, &y_ticks);
        writeln!(svg, "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{text}</text>", left - 8.0, y + 4.5)?;
    }
    let x_ticks = ticks(x_low, x_high);
    for tick in &x_ticks {
        let x = x_of(*tick);
        writeln!(svg, "<path d=\"M{x:.1} {lower}v5\" stroke=\"#7b8794\"/>")?;
        let text = tick_text(*tick, &x_ticks);
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
        let shown = line.points.iter().step_by(stride).chain(line.points.last());
        let path: Vec<String> = shown.map(|(x, y)| format!("{:.1},{:.1}", x_of(*x), y_of(*y))).collect();
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
    fn every_line_is_drawn_and_named() {
        let line = |name, y| Line { name, points: vec![(0.0, 0.0), (1.0, y)] };
        let panel = Panel { title: "t", x_label: "x", y_label: "y", lines: vec![line("a", 1.0), line("b", 2.0)] };
        let svg = to_svg(&[panel]);
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert!(svg.contains(">a</text>") && svg.contains(">b</text>"));
        assert!(!svg.contains("NaN") && !svg.contains("inf"));
    }
}
