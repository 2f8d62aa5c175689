//! The packaged FMU behind the C interface, with the `fmi` crate as host.

use std::path::Path;

use fmi::fmi2::import::Fmi2Import;
use fmi::fmi2::instance::{CoSimulation, Common, InstanceCS};
use fmi::traits::FmiImport;
use nalgebra::Vector3;

use crate::body::Body;

/// What the demo reads after every step, in this order.
const OUTPUTS: [&str; 10] = [
    "forceOnE[1]",
    "forceOnE[2]",
    "forceOnE[3]",
    "torqueOnE[1]",
    "torqueOnE[2]",
    "torqueOnE[3]",
    "elasticEnergy",
    "dissipatedPower",
    "maxPenetration",
    "contactArea",
];

/// The contact at one time; vectors resolved in the world.
#[derive(Clone, Copy, Default)]
pub struct Contact {
    /// Force on the sphere in N.
    pub force: Vector3<f64>,
    /// Torque on the sphere about its centre in N m.
    pub torque: Vector3<f64>,
    /// Stored in the layer, in J.
    pub elastic_energy: f64,
    /// Taken by damping and friction, in W.
    pub dissipated_power: f64,
    /// In m.
    pub max_penetration: f64,
    /// In m².
    pub area: f64,
}

/// An instance of the FMU. E is the sphere, F the plate, whose marker is the world.
pub struct ContactFmu {
    instance: InstanceCS,
    input_references: Vec<u32>,
    output_references: Vec<u32>,
    // Last, so that the extracted files outlive the instance.
    _import: Fmi2Import,
}

impl ContactFmu {
    /// Extracts and instantiates the FMU and initialises it with the sphere's first motion.
    pub fn load(path: &Path, body: &Body, stop_time: f64) -> Result<(Self, Contact), String> {
        let failed = |what: &str, error: &dyn std::fmt::Display| format!("{what} `{}` failed: {error}", path.display());
        let import: Fmi2Import = fmi::import::from_path(path).map_err(|error| failed("importing", &error))?;
        let reference = |name: &str| {
            let variable = import.model_description().model_variable_by_name(name);
            variable.map(|variable| variable.value_reference).map_err(|error| failed("looking into", &error))
        };
        let input_references = input_names().iter().map(|name| reference(name)).collect::<Result<_, _>>()?;
        let output_references = OUTPUTS.iter().map(|name| reference(name)).collect::<Result<_, _>>()?;
        let instance = import.instantiate_cs("drop", false, true).map_err(|error| failed("instantiating", &error))?;
        let mut fmu = ContactFmu { instance, input_references, output_references, _import: import };
        fmu.instance.setup_experiment(None, 0.0, Some(stop_time)).map_err(|error| failed("setting up", &error))?;
        fmu.instance.enter_initialization_mode().map_err(|error| failed("initialising", &error))?;
        fmu.set_motion(body)?;
        fmu.instance.exit_initialization_mode().map_err(|error| failed("initialising", &error))?;
        let contact = fmu.contact(body)?;
        Ok((fmu, contact))
    }

    /// One communication step to the given motion; the contact that belongs to it.
    pub fn step(&mut self, time: f64, step: f64, body: &Body) -> Result<Contact, String> {
        self.set_motion(body)?;
        self.instance.do_step(time, step, true).map_err(|error| format!("the step at {time} s failed: {error}"))?;
        self.contact(body)
    }

    fn set_motion(&mut self, body: &Body) -> Result<(), String> {
        let motion = relative_motion(body);
        let set = self.instance.set_real(&self.input_references, &motion);
        set.map(|_| ()).map_err(|error| format!("setting the inputs failed: {error}"))
    }

    fn contact(&mut self, body: &Body) -> Result<Contact, String> {
        let mut values = [0.0; OUTPUTS.len()];
        let got = self.instance.get_real(&self.output_references, &mut values);
        got.map_err(|error| format!("getting the outputs failed: {error}"))?;
        let to_world = |first: usize| body.orientation * Vector3::from_column_slice(&values[first..first + 3]);
        Ok(Contact {
            force: to_world(0),
            torque: to_world(3),
            elastic_energy: values[6],
            dissipated_power: values[7],
            max_penetration: values[8],
            area: values[9],
        })
    }
}

fn input_names() -> Vec<String> {
    let vector = |name: &str| (1..=3).map(|i| format!("{name}[{i}]")).collect::<Vec<_>>();
    let mut names = vector("relativePosition");
    names.extend((0..9).map(|k| format!("relativeOrientation[{},{}]", k / 3 + 1, k % 3 + 1)));
    names.extend(vector("relativeVelocity"));
    names.extend(vector("relativeAngularVelocity"));
    names
}

/// The plate seen from the sphere: r_EF, A_EF row by row, v_EF, ω_EF, all resolved in M_e.
fn relative_motion(body: &Body) -> Vec<f64> {
    let to_sphere = body.orientation.inverse();
    let position = to_sphere * -body.position;
    // d/dt (Aᵀ (−p)) with dAᵀ/dt = −Aᵀ ω̃: the plate also moves because the sphere turns under it.
    let velocity = to_sphere * (body.angular_velocity.cross(&body.position) - body.velocity);
    let angular_velocity = to_sphere * -body.angular_velocity;
    let matrix = to_sphere.to_rotation_matrix().into_inner();
    let mut values = position.as_slice().to_vec();
    // Columns of the transpose are rows.
    values.extend(matrix.transpose().as_slice());
    values.extend(velocity.as_slice());
    values.extend(angular_velocity.as_slice());
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The velocities that the FMU gets are those of the pose that it gets.
    #[test]
    fn velocities_are_derivatives_of_the_pose() {
        let mut body = Body::dropped();
        body.orientation = nalgebra::UnitQuaternion::from_euler_angles(0.3, -0.5, 0.8);
        body.angular_velocity = Vector3::new(1.0, -2.0, 3.0);
        // Central difference: its error is of the order of step², about 1e-10 here.
        let step = 1e-5;
        let (before, after) = (relative_motion(&body.moved(-step)), relative_motion(&body.moved(step)));
        let now = relative_motion(&body);
        for i in 0..3 {
            let derivative = (after[i] - before[i]) / (2.0 * step);
            assert!((derivative - now[12 + i]).abs() < 1e-8, "{derivative} {}", now[12 + i]);
        }
        // dA/dt Aᵀ = ω̃ for A_EF and ω_EF, both resolved in M_e.
        let matrix = |values: &[f64]| nalgebra::Matrix3::from_row_slice(&values[3..12]);
        let spin = (matrix(&after) - matrix(&before)) / (2.0 * step) * matrix(&now).transpose();
        for (value, expected) in [(spin[(2, 1)], now[15]), (spin[(0, 2)], now[16]), (spin[(1, 0)], now[17])] {
            assert!((value - expected).abs() < 1e-8, "{value} {expected}");
        }
    }
}
