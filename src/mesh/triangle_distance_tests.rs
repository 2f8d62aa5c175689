//! Closest points against fine grids and against known answers.

use super::{TriangleFeature, closest_in_segments, closest_on_segment, closest_on_triangle, on_triangle};
use crate::math::Vector;
use crate::test_support::random::Random;

/// Barycentric coordinates are good, and no point of the triangle on a fine grid is closer.
#[test]
fn the_closest_point_of_a_triangle_is_closest() {
    let mut random = Random::new(78);
    for i in 0..2000 {
        // Every other triangle is a needle, of any width.
        let width = if i % 2 == 0 { 1.0 } else { 10f64.powf(random.between(-17.0, -1.0)) };
        let (a, b) = (random.direction(), random.direction());
        let corners = [a, b, 0.3 * a + 0.7 * b + width * random.direction()];
        let point = 2.0 * random.direction();
        let (_, weights) = closest_on_triangle(&corners, &point);
        assert!(weights.iter().all(|&w| (0.0..=1.0).contains(&w)));
        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-14);
        let distance = (on_triangle(&corners, weights) - point).norm();
        for i in 0..=20 {
            for j in 0..=20 - i {
                let (a, b) = (f64::from(i) / 20.0, f64::from(j) / 20.0);
                assert!(distance <= (on_triangle(&corners, [a, b, 1.0 - a - b]) - point).norm() + 1e-12);
            }
        }
    }
}

#[test]
fn a_needle_is_as_far_away_as_its_height_however_thin_it_is() {
    let mut random = Random::new(79);
    for _ in 0..20_000 {
        let width = 10f64.powf(random.between(-18.0, -1.0));
        let height = 10f64.powf(random.between(-6.0, 1.0));
        let apex = random.between(-0.5, 1.5);
        let rotation = random.rotation();
        let corners = [[0.0, 0.0], [1.0, 0.0], [apex, width]].map(|[x, y]| rotation * Vector::new(x, y, 0.0));
        let mut weights = [random.unit(), random.unit(), random.unit()];
        let sum: f64 = weights.iter().sum();
        weights = weights.map(|weight| weight / sum);
        let point = on_triangle(&corners, weights) + rotation * Vector::new(0.0, 0.0, height);
        let (_, found) = closest_on_triangle(&corners, &point);
        let distance = (on_triangle(&corners, found) - point).norm();
        assert!((distance - height).abs() < 4e-15 * (1.0 + height), "{width:e}, {height:e}: {distance:e}");
    }
}

#[test]
fn corners_and_edges_are_told_apart_and_points_without_an_answer_do_no_harm() {
    let corners = [Vector::zeros(), Vector::x(), Vector::y()];
    let feature = |x, y| closest_on_triangle(&corners, &Vector::new(x, y, 0.5)).0;
    assert_eq!(feature(0.2, 0.2), TriangleFeature::Inside);
    assert_eq!(feature(0.2, -0.2), TriangleFeature::Edge(0));
    assert_eq!(feature(1.0, 1.0), TriangleFeature::Edge(1));
    assert_eq!(feature(-0.2, 0.5), TriangleFeature::Edge(2));
    assert_eq!(feature(-0.2, -0.2), TriangleFeature::Corner(0));
    assert_eq!(feature(2.0, 0.5), TriangleFeature::Corner(1));
    assert_eq!(feature(0.5, 2.0), TriangleFeature::Corner(2));
    for corners in [corners, [Vector::zeros(), Vector::x(), Vector::new(0.5, 1e-9, 0.0)], [Vector::x(); 3]] {
        for x in [f64::NAN, f64::INFINITY, 1e300] {
            for point in [Vector::new(x, 0.0, 0.0), Vector::new(0.1, -x, x), Vector::repeat(x)] {
                let weights = closest_on_triangle(&corners, &point).1;
                assert!(weights.iter().all(|weight| (0.0..=1.0).contains(weight)), "{weights:?}");
            }
        }
    }
}

#[test]
fn segments_that_cross_are_as_far_apart_as_their_lines_at_any_angle() {
    let mut random = Random::new(80);
    for _ in 0..20_000 {
        let angle = 10f64.powf(random.between(-14.0, 0.0));
        let height = 10f64.powf(random.between(-18.0, 0.0));
        let rotation = random.rotation();
        let (s, t, length) = (random.unit(), random.unit(), random.between(0.1, 3.0));
        let crossing = random.direction();
        let (u, v) = (rotation * Vector::x(), length * (rotation * Vector::new(angle.cos(), angle.sin(), 0.0)));
        let other = crossing + rotation * Vector::new(0.0, 0.0, height);
        let (first, second) = ([crossing - s * u, crossing + (1.0 - s) * u], [other - t * v, other + (1.0 - t) * v]);
        let mut least = f64::INFINITY;
        if let Some([s, t]) = closest_in_segments([&first[0], &first[1]], [&second[0], &second[1]]) {
            assert!((0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t));
            let between = second[0] + t * (second[1] - second[0]) - first[0] - s * (first[1] - first[0]);
            least = between.norm();
        }
        for (ends, [a, b]) in [(first, second), (second, first)] {
            for end in ends {
                least = least.min((a + closest_on_segment(&a, &b, &end) * (b - a) - end).norm());
            }
        }
        // Coordinates are rounded by 4·10⁻¹⁶ of their size, up to 4 here.
        assert!((least - height).abs() < 2e-15, "{angle:e}, {height:e}: {least:e}");
    }
}

#[test]
fn parallel_segments_and_points_have_no_inner_closest_points() {
    let (a, b) = (Vector::zeros(), Vector::x());
    assert_eq!(closest_in_segments([&a, &b], [&Vector::y(), &(Vector::y() + 2.0 * b)]), None);
    assert_eq!(closest_in_segments([&a, &b], [&b, &b]), None);
    assert_eq!(closest_in_segments([&a, &a], [&b, &b]), None);
    assert_eq!(closest_in_segments([&a, &b], [&b, &Vector::repeat(f64::NAN)]), None);
}
