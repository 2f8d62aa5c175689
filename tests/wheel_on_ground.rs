//! The dissertation's wheel on ground (§5.1): 500 evaluations 0.04 mm apart.

use std::f64::consts::FRAC_PI_2;

use crate::support::half_space::submerged;
use crate::support::{assert_close, at_rest, checked, elastic_raw, lowest_point, surface};
use polycontact::contact::{ElementScheme, Method, RawLayer, RawParameters};
use polycontact::math::{Pose, Rotation, Vector};
use polycontact::shapes::{ground, wheel};

fn raw(method: Method, elements: ElementScheme) -> RawParameters {
    RawParameters {
        layer_e: RawLayer { youngs_modulus: 3e6, poissons_ratio: 0.4, layer_thickness: 10e-3 },
        layer_f: RawLayer { youngs_modulus: 5e6, poissons_ratio: 0.2, layer_thickness: 1e-3 },
        elements,
        ..elastic_raw(method)
    }
}

/// The ground's pose relative to the wheel: the wheel stands upright, `depth` below the ground's plane.
fn ground_pose(depth: f64) -> Pose {
    // Wheel frame to ground frame: the axis becomes horizontal, the tread is turned by no special angle.
    let upright =
        Rotation::from_axis_angle(&Vector::x_axis(), FRAC_PI_2) * Rotation::from_axis_angle(&Vector::z_axis(), 0.3);
    let mut pose = Pose::from_parts(Vector::new(0.11, 0.07, 0.0).into(), upright);
    pose.translation.vector.z = -lowest_point(&wheel(), &pose) - depth;
    pose.inverse()
}

#[test]
fn force_rises_strictly_with_depth() {
    let (wheel, ground) = (surface(wheel()), surface(ground(2.0)));
    for (method, elements) in [
        (Method::MasterE, ElementScheme::Centroid),
        (Method::MasterE, ElementScheme::Potential),
        (Method::MasterF, ElementScheme::Potential),
        (Method::Auto, ElementScheme::Potential),
    ] {
        let parameters = checked(&raw(method, elements));
        let mut last = 0.0;
        let mut last_area = 0.0;
        for i in 1..=500 {
            let outcome = at_rest(&wheel, &ground, &parameters, &ground_pose(0.04e-3 * i as f64));
            let force = outcome.wrenches.on_e.force.norm();
            assert!(outcome.in_contact && !outcome.border_in_contact);
            // The centroid scheme sees nothing until the first centroid is under ground.
            assert!(
                last < force || (elements == ElementScheme::Centroid && force == 0.0 && last == 0.0),
                "{method:?}, {elements:?}, step {i}: {force} after {last}"
            );
            // One element per face: the published scheme has steps.
            let has_steps = elements == ElementScheme::Centroid;
            assert!(has_steps || last_area <= outcome.contact_area, "{method:?}, {elements:?}, step {i}");
            (last, last_area) = (force, outcome.contact_area);
        }
    }
}

#[test]
fn soft_ground_carries_stiffness_times_the_wheels_volume() {
    let mesh = wheel();
    let (wheel, ground) = (surface(mesh.clone()), surface(ground(2.0)));
    let parameters = checked(&raw(Method::MasterE, ElementScheme::Potential));
    for depth in [0.1e-3, 1e-3, 5e-3, 20e-3] {
        let pose = ground_pose(depth);
        let outcome = at_rest(&wheel, &ground, &parameters, &pose);
        let expected = parameters.combined_layer_stiffness() * submerged(&mesh, &pose.inverse()).volume;
        assert_close("force", outcome.wrenches.on_f.force.norm(), expected, 1e-9);
        assert!(0.0 > outcome.wrenches.on_f.force.z);
    }
}

#[test]
fn wheel_clear_of_the_ground_has_no_contact() {
    let outcome = at_rest(
        &surface(wheel()),
        &surface(ground(2.0)),
        &checked(&raw(Method::Auto, ElementScheme::Potential)),
        &ground_pose(-1e-6),
    );
    assert!(!outcome.in_contact && !outcome.enclosed);
    assert_eq!(outcome.wrenches.on_e.force, Vector::zeros());
}
