//! Where the middle of an edge is, from what is known at its ends.

use crate::math::Vector;

/// Middle of an edge on the curved surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Middle {
    /// Where it is.
    pub(super) point: Vector,
    /// Unit tangent of the edge there.
    pub(super) tangent: Vector,
    /// How far the edge leaves its chord, in m.
    pub(super) sag: f64,
}

/// Cosine of half the angle between normals below which curves are not rounded further: edges beyond 90° do not come.
const SMALLEST_COSINE: f64 = 0.5;

/// Part of the largest slope times length by which an edge that bends both ways leaves its chord: the cubic
/// t(1 − t)² + t²(1 − t) turned over at one end has its extreme 0.096, against 0.25 of an edge that bends one way.
const S_SHAPE: f64 = 0.4;

/// Middle of an edge between two points with unit normals.
///
/// The cubic with the chord's projections as end tangents, stretched so that it is exact on spheres and cylinders; on
/// any other surface it is off by the fourth power of the length.
pub(super) fn smooth_middle([p, q]: [Vector; 2], [n, m]: [Vector; 2]) -> Middle {
    let chord = q - p;
    let (at_p, at_q) = (chord.dot(&n), chord.dot(&m));
    let cosine = (0.5 * (1.0 + n.dot(&m))).max(0.0).sqrt().max(SMALLEST_COSINE);
    // 4 sin²(φ/2) / (sin² φ cos φ), which is 1 for small angles.
    let stretch = 2.0 / (cosine * (1.0 + cosine));
    let offset = (m * at_q - n * at_p) * (stretch / 8.0);
    let tangent = chord + (n * at_p + m * at_q) * 0.25;
    let sag = offset.norm().max(S_SHAPE * stretch / 8.0 * (at_p.abs() + at_q.abs()));
    Middle { point: 0.5 * (p + q) + offset, tangent: direction(tangent, chord), sag }
}

/// Middle of an edge between two points with unit tangents along it; exact on circles.
pub(super) fn crease_middle([p, q]: [Vector; 2], [s, t]: [Vector; 2]) -> Middle {
    let chord = q - p;
    let cosine = (0.5 * (1.0 + s.dot(&t))).max(0.0).sqrt().max(SMALLEST_COSINE);
    let length = chord.norm() * 2.0 / (1.0 + cosine);
    let offset = (s - t) * (length / 8.0);
    let tangent = chord * 1.5 - (s + t) * (0.25 * length);
    let unit = direction(chord, chord);
    let slopes = (s - unit * s.dot(&unit)).norm() + (t - unit * t.dot(&unit)).norm();
    let sag = offset.norm().max(S_SHAPE * length / 8.0 * slopes);
    Middle { point: 0.5 * (p + q) + offset, tangent: direction(tangent, chord), sag }
}

/// Unit normal in the middle of an edge: halfway between those of the ends, and across the tangent.
pub(super) fn middle_normal([n, m]: [Vector; 2], tangent: Vector) -> Vector {
    let mean = n + m;
    let across = mean - tangent * mean.dot(&tangent);
    across.try_normalize(1e-6).unwrap_or(n)
}

fn direction(vector: Vector, otherwise: Vector) -> Vector {
    vector.try_normalize(0.0).or_else(|| otherwise.try_normalize(0.0)).unwrap_or_else(Vector::x)
}
