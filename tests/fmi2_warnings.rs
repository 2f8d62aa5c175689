//! Warnings through the host's logger, each with its output.

use crate::fmi2_support::{Fmu, fmi2OK};
use polycontact::math::Vector;
use polycontact::shapes;

const PUNCH_IN_PLATE: &str = r#"
name = "PunchInPlate"
[pose]
position = [0.0, 0.0, 0.04]
[surface-e]
mesh = "plate.obj"
youngs-modulus = 1.0e7
layer-thickness = 0.1
[surface-f]
mesh = "punch.obj"
youngs-modulus = 0.0
"#;

/// The plate is 10 mm thick and its layer is said to be 100 mm, so that only the thickness is exceeded.
#[test]
fn a_depth_beyond_half_the_thickness_is_told_once() {
    let (plate, punch) = (shapes::cuboid(Vector::new(0.1, 0.1, 0.01)), shapes::cuboid(Vector::new(0.02, 0.02, 0.05)));
    let fmu = Fmu::new(PUNCH_IN_PLATE, &[("plate.obj", &plate), ("punch.obj", &punch)]);
    let instance = fmu.initialized();
    let mut time = 0.0;
    let mut step_at = |depth: f64| {
        instance.set_real("relativePosition[3]", 0.03 - depth);
        assert_eq!(instance.step(time, 1e-3), fmi2OK);
        time += 1e-3;
        assert_eq!(instance.boolean("beyondLayer"), 0);
        instance.boolean("beyondHalfThickness") != 0
    };
    assert!(!step_at(0.002));
    assert!(!step_at(0.0045));
    assert_eq!(instance.take_messages(), []);
    assert!(step_at(0.006));
    let message = instance.only_message();
    assert!(message.contains("`beyondHalfThickness`") && !message.contains("starts"), "{message}");
    assert!(step_at(0.007));
    assert!(!step_at(0.003));
    assert_eq!(instance.take_messages(), []);

    let started_inside = fmu.initialized();
    started_inside.set_real("relativePosition[3]", 0.023);
    assert_eq!(started_inside.step(0.0, 1e-3), fmi2OK);
    assert!(started_inside.only_message().contains("the simulation starts with"));
}
