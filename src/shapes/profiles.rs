//! Bars over the profiles of machine parts: angles, channels, fillets, hooks.

use std::f64::consts::FRAC_PI_2;

use super::extruded::extruded;
use crate::mesh::TriangleMesh;

/// A bar along z with an L-shaped section: two legs of length `leg` along x and y; the outer corner is the origin.
pub fn l_profile(leg: f64, thickness: f64, length: f64) -> TriangleMesh {
    extruded(&l_outline(leg, thickness), length)
}

/// A bar along z with a U-shaped section, open towards +y: `width` × `height`, centred in x, its bottom on y = 0.
pub fn u_profile(width: f64, height: f64, thickness: f64, length: f64) -> TriangleMesh {
    let (outer, inner) = (0.5 * width, 0.5 * width - thickness);
    let outline = [
        [-outer, 0.0],
        [outer, 0.0],
        [outer, height],
        [inner, height],
        [inner, thickness],
        [-inner, thickness],
        [-inner, height],
        [-outer, height],
    ];
    extruded(&outline, length)
}

/// A bar along z with a rectangular section whose four edges are rounded, by `segments` faces each.
pub fn filleted_bar(width: f64, height: f64, length: f64, radius: f64, segments: usize) -> TriangleMesh {
    let (x, y) = (0.5 * width, 0.5 * height);
    extruded(&rounded(&[[-x, -y], [x, -y], [x, y], [-x, y]], radius, segments), length)
}

/// An [`l_profile`] whose edges are all rounded: five convex ones, and the concave one at its inner corner.
pub fn filleted_angle(leg: f64, thickness: f64, length: f64, radius: f64, segments: usize) -> TriangleMesh {
    extruded(&rounded(&l_outline(leg, thickness), radius, segments), length)
}

/// A snap hook along x: a beam of `length` × `thickness` from the origin on, with a nose of height `nose` at its end,
/// which has a gentle slope to enter and a steep one to hold; `width` along z.
pub fn latch_hook(length: f64, thickness: f64, nose: f64, width: f64) -> TriangleMesh {
    let outline = [
        [0.0, 0.0],
        [length, 0.0],
        [length, 0.5 * thickness],
        [length - 1.5 * nose, thickness + nose],
        [length - 2.0 * nose, thickness + nose],
        [length - 2.5 * nose, thickness],
        [0.0, thickness],
    ];
    extruded(&outline, width)
}

/// A finger of a gripper along y, from the origin up to `length`: its face looks to −x and has `grooves` of a depth, its
/// back is a quarter of an ellipse, cut into chords as long as the grooves are wide, and its root is `thickness` thick;
/// `width` along z.
pub fn gripper_finger(length: f64, thickness: f64, grooves: usize, depth: f64, width: f64) -> TriangleMesh {
    let pitch = length / (grooves as f64 + 1.0);
    let chords = grooves.max(3);
    // Counter-clockwise: over the back up to the tip, and down the face with its grooves.
    let back = (0..chords).map(|k| {
        let angle = FRAC_PI_2 * k as f64 / chords as f64;
        [thickness * angle.cos(), length * angle.sin()]
    });
    let tip = [[0.0, length], [0.0, length - 0.5 * pitch]];
    let face = (0..grooves).flat_map(|k| {
        let high = length - (0.5 + k as f64) * pitch;
        [[depth, high - 0.5 * pitch], [0.0, high - pitch]]
    });
    extruded(&back.chain(tip).chain(face).chain([[0.0, 0.0]]).collect::<Vec<_>>(), width)
}

/// An outline with its corners rounded by arcs of `segments` chords, convex and reflex ones alike.
///
/// The sides next to a corner must be long enough for the arc.
pub fn rounded(outline: &[[f64; 2]], radius: f64, segments: usize) -> Vec<[f64; 2]> {
    let n = outline.len();
    let mut points = Vec::with_capacity(n * (segments + 1));
    for k in 0..n {
        let (before, corner, after) = (outline[(k + n - 1) % n], outline[k], outline[(k + 1) % n]);
        let direction = |from: [f64; 2], to: [f64; 2]| {
            let length = (to[0] - from[0]).hypot(to[1] - from[1]);
            [(to[0] - from[0]) / length, (to[1] - from[1]) / length]
        };
        let (to, on) = (direction(before, corner), direction(corner, after));
        // The outline turns by this angle, to the left where it is positive.
        let angle = (to[0] * on[1] - to[1] * on[0]).atan2(to[0] * on[0] + to[1] * on[1]);
        let setback = radius * (0.5 * angle).abs().tan();
        let start = [corner[0] - setback * to[0], corner[1] - setback * to[1]];
        for i in 0..=segments {
            // From the start along the arc: radius sin along the side, radius (1 − cos) across it.
            let part = angle * i as f64 / segments as f64;
            let (along, across) = (radius * part.abs().sin(), radius * (1.0 - part.cos()) * angle.signum());
            points.push([start[0] + along * to[0] - across * to[1], start[1] + along * to[1] + across * to[0]]);
        }
    }
    points
}

/// The outline of an L, its outer corner at the origin.
fn l_outline(leg: f64, thickness: f64) -> [[f64; 2]; 6] {
    [[0.0, 0.0], [leg, 0.0], [leg, thickness], [thickness, thickness], [thickness, leg], [0.0, leg]]
}
