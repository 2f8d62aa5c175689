//! Involute gears and chain links.

use std::f64::consts::{PI, TAU};

use super::extruded::extruded;
use super::{cylindrical, push_quad};
use crate::math::Vector;
use crate::mesh::TriangleMesh;

/// Chords of a root fillet.
const FILLET_SEGMENTS: usize = 3;

/// A spur gear of the basic rack (addendum 1, dedendum 1.25 modules) about z, a tooth on the x axis.
///
/// Flanks are involutes with `points_per_flank` points (at least 2), down to the base circle and radial below it.
/// `root_fillet` is the radius of the fillets between flanks and root circle, 0 for plain roots; 0.38 modules are usual.
/// Angles in rad.
///
/// # Panics
/// Where the fillets do not fit into the gaps, or the teeth are pointed.
pub fn involute_gear(
    teeth: usize,
    module: f64,
    pressure_angle: f64,
    width: f64,
    points_per_flank: usize,
    root_fillet: f64,
) -> TriangleMesh {
    let pitch = 0.5 * module * teeth as f64;
    let (base, tip, root) = (pitch * pressure_angle.cos(), pitch + module, pitch - 1.25 * module);
    let involute = |angle: f64| angle.tan() - angle;
    // Half of the angle that a tooth takes at a radius.
    let half_tooth = |radius: f64| {
        let angle = (base / radius).min(1.0).acos();
        0.5 * PI / teeth as f64 + involute(pressure_angle) - involute(angle)
    };
    let start = ((root + root_fillet).powi(2) - root_fillet.powi(2)).sqrt().max(base);
    assert!(0.0 < half_tooth(tip), "teeth of {teeth} × {module} m are pointed");
    // One flank from the middle of the gap to the tip, as (radius, angle before the middle of the tooth).
    let mut flank = root_curve(root, root_fillet, half_tooth(start));
    assert!(flank[0].1 < PI / teeth as f64, "fillets of {root_fillet} m do not fit between {teeth} teeth");
    flank.retain(|(radius, _)| *radius < start * (1.0 - 1e-9));
    // Even steps of the angle by which the generating line rolls.
    let roll = |radius: f64| ((radius / base).powi(2) - 1.0).max(0.0).sqrt();
    for i in 0..points_per_flank {
        let part = i as f64 / (points_per_flank - 1) as f64;
        let radius = base * (roll(start) + part * (roll(tip) - roll(start))).hypot(1.0);
        flank.push((radius, half_tooth(radius)));
    }
    let mut outline = Vec::with_capacity(2 * teeth * flank.len());
    for tooth in 0..teeth {
        let middle = TAU * tooth as f64 / teeth as f64;
        let rising = flank.iter().map(|(radius, before)| (*radius, middle - before));
        let falling = flank.iter().rev().map(|(radius, before)| (*radius, middle + before));
        outline.extend(rising.chain(falling).map(|(radius, angle)| {
            let point = cylindrical(radius, angle, 0.0);
            [point.x, point.y]
        }));
    }
    extruded(&outline, width)
}

/// The foot of a flank: where it meets the root circle, or a fillet of radius `fillet` from the root circle to a radial
/// line at the angle `flank`.
fn root_curve(root: f64, fillet: f64, flank: f64) -> Vec<(f64, f64)> {
    if fillet <= 0.0 {
        return vec![(root, flank)];
    }
    let centre = root + fillet;
    let aside = (fillet / centre).asin();
    (0..=FILLET_SEGMENTS)
        .map(|i| {
            // From the point nearest to the axis to the one on the radial line.
            let turn = (0.5 * PI - aside) * i as f64 / FILLET_SEGMENTS as f64;
            let (inwards, towards) = (centre - fillet * turn.cos(), fillet * turn.sin());
            (inwards.hypot(towards), flank + aside - towards.atan2(inwards))
        })
        .collect()
}

/// A link of a chain in the x-y plane: a tube of radius `wire` around two half circles of radius `bend`, whose centres
/// are `straight` apart along x, and the two straights between them. 4 (`segments` + 1) · `tube_segments` faces.
pub fn chain_link(straight: f64, bend: f64, wire: f64, segments: usize, tube_segments: usize) -> TriangleMesh {
    let mut mesh = TriangleMesh { vertices: Vec::new(), faces: Vec::new() };
    for (side, first_angle) in [(0.5, -0.5 * PI), (-0.5, 0.5 * PI)] {
        let centre = Vector::x() * (side * straight);
        for i in 0..=segments {
            let outwards = cylindrical(1.0, first_angle + PI * i as f64 / segments as f64, 0.0);
            mesh.vertices.extend((0..tube_segments).map(|j| {
                let angle = TAU * j as f64 / tube_segments as f64;
                centre + outwards * (bend + wire * angle.cos()) + Vector::z() * (wire * angle.sin())
            }));
        }
    }
    let rings = 2 * (segments + 1);
    for ring in 0..rings {
        let next = (ring + 1) % rings;
        for j in 0..tube_segments {
            let k = (j + 1) % tube_segments;
            let [a, b] = [ring * tube_segments + j, next * tube_segments + j];
            let [c, d] = [next * tube_segments + k, ring * tube_segments + k];
            push_quad(&mut mesh.faces, [a, b, c, d].map(|vertex| vertex as u32));
        }
    }
    mesh
}
