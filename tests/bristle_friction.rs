//! Friction that holds: bristles stick below the limit of Coulomb and slip at it. Each case has its formula.

mod support;

use polycontact::contact::RawParameters;
use polycontact::math::Vector;
use polycontact::shapes::{cuboid, moved};
use support::host::{Body, Element, soft_on_rigid};
use support::{assert_close, surface, translation};

const GRAVITY: f64 = 9.81;
const STEP: f64 = 1e-3;

/// Seiwald's block, 16 kg, lying flat on a rigid plate.
const SIZE: [f64; 3] = [0.2, 0.1, 0.1];
const MASS: f64 = 16.0;

fn block(raw: &RawParameters) -> (Element, Body) {
    let plate = surface(moved(&cuboid(Vector::new(4.0, 1.0, 0.2)), &translation(0.0, 0.0, -0.1)));
    let [a, b, c] = SIZE;
    let element = Element::new(plate, surface(cuboid(Vector::new(a, b, c))), raw);
    let inertia = Vector::new(b * b + c * c, a * a + c * c, a * a + b * b) * (MASS / 12.0);
    let depth = MASS * GRAVITY / (element.parameters.combined_layer_stiffness() * a * b);
    (element, Body::at_rest(MASS, inertia, Vector::new(-1.5, 0.013, 0.5 * c - depth)))
}

/// The weight on a slope, in the axes of the slope; x is downhill.
fn weight(slope: f64) -> Vector {
    Vector::new(slope.sin(), 0.0, -slope.cos()) * (MASS * GRAVITY)
}

#[test]
fn a_block_on_a_slope_below_the_limit_rests() {
    let raw = soft_on_rigid();
    let (mut element, mut body) = block(&raw);
    let slope = (0.9 * raw.friction_coefficient).atan();
    let start = body.pose.translation.vector.x;
    let mut places = Vec::new();
    for step in 0..100_000 {
        // The slope is raised within two seconds.
        let raised = slope * (f64::from(step) * STEP / 2.0).min(1.0);
        body.step(&mut element, weight(raised), STEP);
        if step % 5000 == 4999 {
            places.push(body.pose.translation.vector.x - start);
        }
    }
    let area = SIZE[0] * SIZE[1];
    let stiffness = element.parameters.bristles().unwrap().stiffness * area;
    println!("elastic {} places {places:?}", MASS * GRAVITY * slope.sin() / stiffness);
}

#[test]
fn sudden() {
    for step_size in [1e-3, 5e-4, 2e-4] {
    let raw = soft_on_rigid();
    let (mut element, mut body) = block(&raw);
    let slope = (0.9 * raw.friction_coefficient).atan();
    let start = body.pose.translation.vector.x;
    for step in 0..(4.0/step_size) as usize {
        let raised = slope * (step as f64 * step_size / 2.0).min(1.0);
        let o = body.step(&mut element, weight(raised), step_size);
        if step % (0.2/step_size) as usize == 0 {
            println!("{:.3} {:.3e} vx {:.3e} vz {:.3e} wy {:.3e} u {:.4} N {:.4}", step as f64*step_size, body.pose.translation.vector.x - start, body.velocity.x,body.velocity.z, body.angular_velocity.y, o.friction_utilisation, o.grip.winding);
        }
    }
    }
}

#[test]
fn a_block_on_a_steeper_slope_slides_by_coulomb() {
    let raw = soft_on_rigid();
    let (mut element, mut body) = block(&raw);
    let slope = (1.1 * raw.friction_coefficient).atan();
    let mut seconds = |body: &mut Body, element: &mut Element, seconds: f64| {
        for _ in 0..(seconds / STEP).round() as usize {
            body.step(element, weight(slope), STEP);
        }
        body.velocity.x
    };
    let before = seconds(&mut body, &mut element, 0.5);
    let after = seconds(&mut body, &mut element, 1.0);
    let expected = GRAVITY * (slope.sin() - raw.friction_coefficient * slope.cos());
    assert_close("acceleration", after - before, expected, 1e-3);
}
