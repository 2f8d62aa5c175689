//! Kernels in vector registers against the same formulas point by point.

use super::super::element_integrals::{FaceForce, FaceSums};
use super::super::face_frame::FaceFrame;
use super::*;
use crate::contact::parameters::FrictionParameters;
use crate::math::Vector;

/// A face that moves, with a coefficient of friction and a regularisation velocity below or above its slip.
fn force(regularization_velocity: f64) -> FaceForce {
    let corners = [Vector::zeros(), Vector::x(), Vector::y()];
    let coefficient: f64 = 0.4;
    FaceForce {
        frame: FaceFrame::new(&corners, Vector::z()),
        into_e: -1.0,
        layer_share: 0.3,
        velocity: [0.3, -0.2, 0.05],
        angular_velocity: [0.7, -0.4, 0.9],
        is_moving: true,
        bounds: Default::default(),
        longest_edge_squared: 2.0,
        origin: [0.2, 0.1, -0.3],
        layer_stiffness: 1e6,
        areal_damping: 1e3,
        damping_transition_depth: 0.0,
        friction: Some(FrictionParameters { coefficient, regularization_velocity }),
        sliding_magnitude: (1.0 + coefficient * coefficient).sqrt(),
    }
}

/// Opposed to the face: seen from behind, so its corners run clockwise.
fn seen() -> SeenFace {
    let corners = [[0.0, 0.0, -0.02], [0.1, 0.9, -0.05], [0.8, 0.1, -0.01]];
    SeenFace::new(crate::mesh::FaceIndex(0), corners).expect("seen from above")
}

#[test]
fn four_points_in_lanes_are_four_points() {
    for regularization_velocity in [1e-3, 10.0] {
        let (force, seen) = (force(regularization_velocity), seen());
        let (mean, spread) = ([0.3, 0.25], [0.1, 0.03, 0.07]);
        let mut lanes = FaceSums::default();
        force.add_four_points(mean, spread, 8.0, 0.2, &seen, &mut lanes);
        let points = [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]]
            .map(|[s, t]: PlanePoint| [mean[0] + s * spread[0], mean[1] + s * spread[1] + t * spread[2]]);
        let mut plain = FaceSums::default();
        for point in points {
            force.add_points([point], [seen.depth(point)], [0.05], [40.0], &mut plain);
        }
        let list = |sums: &FaceSums| {
            let mut list = vec![
                sums.tangential_velocity,
                sums.normal_stress,
                sums.tangential_stress,
                sums.force_magnitude,
                sums.dissipated_power,
            ];
            list.extend(sums.shear);
            list.extend(sums.torque);
            list.extend(sums.weighted_position);
            list
        };
        for (index, (a, b)) in list(&lanes).into_iter().zip(list(&plain)).enumerate() {
            assert!((a - b).abs() <= 1e-14 * b.abs().max(1.0), "number {index}: {a} and {b}");
        }
    }
}

#[test]
fn ranges_in_lanes_are_those_of_the_corners() {
    let (force, seen) = (force(1e-3), seen());
    for corner_count in 3..8 {
        // A regular polygon, with even and odd numbers of corners.
        let mut polygon = ConvexPolygon::triangle([[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]]);
        for k in 0..corner_count {
            let (sine, cosine) = (std::f64::consts::TAU * f64::from(k) / f64::from(corner_count)).sin_cos();
            polygon = polygon.clipped(|[x, y]| 0.1 - (x - 0.3) * cosine - (y - 0.3) * sine);
        }
        let ranges = force.ranges(&polygon, &seen);
        let points: Vec<_> = polygon
            .corners()
            .iter()
            .map(|&corner| {
                let (depth, closing) = (seen.depth(corner), force.closing_velocity(corner));
                force.at_point(corner, depth, closing, force.pressure(depth, closing))
            })
            .collect();
        assert!(points.iter().all(|point| 0.0 < point.pressure));
        type Value = fn(&crate::contact::totals::AtPoint) -> f64;
        let quantities: [(Value, [f64; 2]); 4] = [
            (|point| point.penetration, ranges.depth),
            (|point| point.normal_velocity, ranges.closing),
            (|point| point.pressure, ranges.pressure),
            (|point| point.slip_squared, ranges.slip_squared),
        ];
        for (index, (value, [low, high])) in quantities.into_iter().enumerate() {
            let least = points.iter().map(value).fold(f64::INFINITY, f64::min);
            let most = points.iter().map(value).fold(f64::NEG_INFINITY, f64::max);
            assert!((low - least).abs() <= 1e-15 * least.abs().max(most.abs()), "least of {index}");
            assert!((high - most).abs() <= 1e-15 * least.abs().max(most.abs()), "most of {index}");
        }
    }
}
