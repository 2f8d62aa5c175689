//! Natural frequencies of free bodies against theory.

use std::f64::consts::{PI, TAU};

use crate::support::{UNREFINED, dot, field, hexahedra, lowest_frequencies, product};
use polycontact_reduction::assembly::assemble;
use polycontact_reduction::finite_element_model::FiniteElementModel;
use polycontact_reduction::material::Material;
use polycontact_reduction::volume_mesh::generators::{ball, block};

/// Free bodies have six.
const RIGID_MOTIONS: usize = 6;

/// Without lateral contraction a bar of any width vibrates along its length at multiples of c / 2 L.
#[test]
fn bar_without_lateral_contraction_vibrates_at_the_speed_of_sound() {
    let material = Material::new(70e9, 0.0, 2700.0).unwrap();
    let length = 0.2;
    let model = assemble(&block([0.05, 0.05, length], [1, 1, 4], &UNREFINED), &material).unwrap();
    let speed = (70e9_f64 / 2700.0).sqrt();
    for order in 1..=2 {
        // The exact mode shape, through which the quotient of energies is the square of the frequency to second order.
        let shape = field(&model, |[_, _, z]| [0.0, 0.0, (f64::from(order) * PI * z / length).cos()]);
        let quotient = rayleigh_quotient(&model, &shape);
        let expected = TAU * f64::from(order) * speed / (2.0 * length);
        // Quadratic elements of a quarter of the length: the interpolated shape has an energy error of (h k)^4 / 720,
        // 0.05 % at the first and 0.9 % at the second order, half of that in the frequency.
        let tolerance = [0.0005, 0.006][order as usize - 1];
        let error = quotient.sqrt() / expected - 1.0;
        assert!(0.0 <= error && error < tolerance, "order {order}: {error}");
    }
}

fn rayleigh_quotient(model: &FiniteElementModel, shape: &[f64]) -> f64 {
    dot(shape, &product(&model.stiffness, shape)) / dot(shape, &product(&model.mass, shape))
}

/// A square beam twenty times as long as high bends like Timoshenko's beam and stretches like a bar.
#[test]
fn slender_beam_bends_as_timoshenko_says() {
    let (length, height) = (1.0, 0.05);
    let material = Material::new(72.8e9, 0.3, 2789.0).unwrap();
    let model = assemble(&block([height, height, length], [1, 1, 8], &UNREFINED), &material).unwrap();
    let expected = first_bending_frequency(&material, length, height);
    let found = lowest_frequencies(&model, 8, expected);
    // Rigid motions have no frequency but for the rounding of the stiffest entries.
    assert!(found[..RIGID_MOTIONS].iter().all(|frequency| *frequency < 1e-2 * expected), "{found:?}");
    for frequency in &found[RIGID_MOTIONS..8] {
        // Eight quadratic elements along the beam are slightly too stiff, never too soft by more than the theory errs.
        let error = frequency / expected - 1.0;
        assert!(-0.001 < error && error < 0.01, "{frequency} instead of {expected} Hz");
    }
}

/// One layer of hexahedra bends as well: their inner modes keep them from locking, which without them makes this beam
/// vibrate 33 % too fast.
#[test]
fn hexahedra_bend_as_timoshenko_says() {
    let (length, height) = (1.0, 0.05);
    let material = Material::new(72.8e9, 0.3, 2789.0).unwrap();
    let model = assemble(&hexahedra([height, height, length], [1, 1, 16]), &material).unwrap();
    let expected = first_bending_frequency(&material, length, height);
    for frequency in &lowest_frequencies(&model, 8, expected)[RIGID_MOTIONS..] {
        let error = frequency / expected - 1.0;
        assert!(error.abs() < 0.015, "{frequency} instead of {expected} Hz");
    }
}

/// Huang's frequency equation of the free-free Timoshenko beam, solved by bisection round the Euler-Bernoulli value.
fn first_bending_frequency(material: &Material, length: f64, height: f64) -> f64 {
    let nu = material.poissons_ratio();
    let shear_coefficient = 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu);
    let r2 = height * height / 12.0 / (length * length);
    let s2 = r2 * 2.0 * (1.0 + nu) / shear_coefficient;
    let equation = |b: f64| {
        let root = ((r2 - s2).powi(2) + 4.0 / (b * b)).sqrt();
        let alpha = b * ((root - (r2 + s2)) / 2.0).sqrt();
        let beta = b * ((root + (r2 + s2)) / 2.0).sqrt();
        let factor = b / (1.0 - b * b * r2 * s2).sqrt() * (b * b * r2 * (r2 - s2).powi(2) + (3.0 * r2 - s2));
        2.0 - 2.0 * alpha.cosh() * beta.cos() + factor * alpha.sinh() * beta.sin()
    };
    let euler = 4.730_040_744_862_704_f64.powi(2);
    let (mut low, mut high) = (0.9 * euler, 1.05 * euler);
    assert!(equation(low) * equation(high) < 0.0, "the root is bracketed");
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if equation(low) * equation(middle) <= 0.0 { high = middle } else { low = middle }
    }
    let bending_speed = (material.youngs_modulus() * r2 / material.density()).sqrt() / length;
    low * bending_speed / TAU
}

/// Lamb: the lowest modes of a free ball are five torsional ones, with (n-1) j_n(x) = x j_(n+1)(x) for n = 2, whatever
/// Poisson's ratio is; x = 2.5011 is the frequency times the radius over the speed of shear waves.
#[test]
fn ball_twists_as_lamb_says() {
    let radius = 0.015;
    let material = Material::STEEL;
    let model = assemble(&ball(radius, 2, &UNREFINED), &material).unwrap();
    let shear_speed = (material.lame_constants().1 / material.density()).sqrt();
    let expected = 2.501_13 * shear_speed / (TAU * radius);
    let found = lowest_frequencies(&model, 12, expected);
    for frequency in &found[RIGID_MOTIONS..RIGID_MOTIONS + 5] {
        let error = frequency / expected - 1.0;
        // Quadratic elements of a quarter of the diameter.
        assert!(-0.001 < error && error < 0.01, "{frequency} instead of {expected} Hz");
    }
}

/// Hexahedra converge to the bar frequency from above.
#[test]
fn hexahedra_converge_to_the_frequency_of_a_bar() {
    let material = Material::new(70e9, 0.0, 2700.0).unwrap();
    let length = 0.2;
    let expected = TAU * (70e9_f64 / 2700.0).sqrt() / (2.0 * length);
    let error = |cells: usize| {
        let model = assemble(&hexahedra([0.05, 0.05, length], [1, 1, cells]), &material).unwrap();
        let shape = field(&model, |[_, _, z]| [0.0, 0.0, (PI * z / length).cos()]);
        rayleigh_quotient(&model, &shape).sqrt() / expected - 1.0
    };
    let (coarse, fine) = (error(4), error(8));
    // The error of linear elements with consistent mass is (h k)^2 / 24 and falls by four.
    let theory = (PI / 4.0).powi(2) / 24.0;
    assert!((coarse / theory - 1.0).abs() < 0.05, "{coarse} and {theory}");
    assert!((coarse / fine - 4.0).abs() < 0.2, "{coarse} and {fine}");
}
