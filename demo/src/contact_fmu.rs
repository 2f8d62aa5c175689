//! The packaged FMU behind the C interface, with the `fmi` crate as host.

use std::path::Path;

use fmi::fmi2::import::Fmi2Import;
use fmi::fmi2::instance::{CoSimulation, Common, InstanceCS};
use fmi::traits::FmiImport;
use nalgebra::Vector3;

use crate::motion::Motion;

/// What the demo reads of every contact, in this order. Pairs with flexible bodies lack some, which then are 0.
const OUTPUTS: [&str; 16] = [
    "forceOnE[1]",
    "forceOnE[2]",
    "forceOnE[3]",
    "torqueOnE[1]",
    "torqueOnE[2]",
    "torqueOnE[3]",
    "forceOnF[1]",
    "forceOnF[2]",
    "forceOnF[3]",
    "torqueOnF[1]",
    "torqueOnF[2]",
    "torqueOnF[3]",
    "elasticEnergy",
    "dissipatedPower",
    "maxPenetration",
    "contactArea",
];

/// Force and torque about the origin of the body's marker, both resolved in the world.
#[derive(Clone, Copy, Default)]
pub struct Wrench {
    /// In N.
    pub force: Vector3<f64>,
    /// In N m.
    pub torque: Vector3<f64>,
}

/// The contact at one time.
#[derive(Clone, Copy, Default)]
pub struct Contact {
    /// On body E.
    pub on_e: Wrench,
    /// On body F.
    pub on_f: Wrench,
    /// Stored in the layers, in J.
    pub elastic_energy: f64,
    /// Taken by damping and friction, in W.
    pub dissipated_power: f64,
    /// In m.
    pub max_penetration: f64,
    /// In m².
    pub area: f64,
    /// Areas of contact that do not hang together.
    pub patches: i32,
}

/// An instance of a contact FMU.
pub struct ContactFmu {
    instance: InstanceCS,
    input_references: Vec<u32>,
    /// Places in [`OUTPUTS`], and the references of those that the FMU has.
    output_places: Vec<usize>,
    output_references: Vec<u32>,
    patch_reference: Option<u32>,
    // Last, so that the extracted files outlive the instance.
    import: Fmi2Import,
}

impl ContactFmu {
    /// Extracts and instantiates the FMU; parameters can be set before [`ContactFmu::start`].
    pub fn load(path: &Path, name: &str) -> Result<Self, String> {
        let failed = |what: &str, error: &dyn std::fmt::Display| format!("{what} `{}` failed: {error}", path.display());
        let import: Fmi2Import = fmi::import::from_path(path).map_err(|error| failed("importing", &error))?;
        let input_references = input_names().iter().map(|name| reference(&import, name)).collect::<Result<_, _>>()?;
        let known =
            OUTPUTS.iter().enumerate().filter_map(|(place, name)| Some((place, reference(&import, name).ok()?)));
        let (output_places, output_references) = known.unzip();
        let patch_reference = reference(&import, "patchCount").ok();
        let instance = import.instantiate_cs(name, false, true).map_err(|error| failed("instantiating", &error))?;
        Ok(ContactFmu { instance, input_references, output_places, output_references, patch_reference, import })
    }

    /// Sets a parameter that is an enumeration, by number.
    pub fn set_choice(&mut self, name: &str, value: i32) -> Result<(), String> {
        let set = self.instance.set_integer(&[reference(&self.import, name)?], &[value]);
        set.map(|_| ()).map_err(|error| format!("setting {name} failed: {error}"))
    }

    /// The value of a real variable by name.
    pub fn real(&mut self, name: &str) -> Result<f64, String> {
        let mut value = [0.0];
        let got = self.instance.get_real(&[reference(&self.import, name)?], &mut value);
        got.map_err(|error| format!("getting {name} failed: {error}"))?;
        Ok(value[0])
    }

    /// Initialises with the first motion; the contact that belongs to it.
    pub fn start(&mut self, e: &Motion, f: &Motion, stop_time: f64) -> Result<Contact, String> {
        let failed = |error: &dyn std::fmt::Display| format!("initialising failed: {error}");
        self.instance.setup_experiment(None, 0.0, Some(stop_time)).map_err(|error| failed(&error))?;
        self.instance.enter_initialization_mode().map_err(|error| failed(&error))?;
        self.set_motion(e, f)?;
        self.instance.exit_initialization_mode().map_err(|error| failed(&error))?;
        self.contact(e, f)
    }

    /// The contact at a motion without a step: the FMU evaluates at its inputs.
    pub fn evaluate(&mut self, e: &Motion, f: &Motion) -> Result<Contact, String> {
        self.set_motion(e, f)?;
        self.contact(e, f)
    }

    /// One communication step to the given motion; the contact that belongs to it.
    pub fn step(&mut self, time: f64, step: f64, e: &Motion, f: &Motion) -> Result<Contact, String> {
        self.set_motion(e, f)?;
        self.accept(time, step)?;
        self.contact(e, f)
    }

    /// One communication step to the motion that was set last.
    pub fn accept(&mut self, time: f64, step: f64) -> Result<(), String> {
        let done = self.instance.do_step(time, step, true);
        done.map(|_| ()).map_err(|error| format!("the step at {time} s failed: {error}"))
    }

    fn set_motion(&mut self, e: &Motion, f: &Motion) -> Result<(), String> {
        let motion = relative_motion(e, f);
        let set = self.instance.set_real(&self.input_references, &motion);
        set.map(|_| ()).map_err(|error| format!("setting the inputs failed: {error}"))
    }

    fn contact(&mut self, e: &Motion, f: &Motion) -> Result<Contact, String> {
        let mut known = vec![0.0; self.output_references.len()];
        let got = self.instance.get_real(&self.output_references, &mut known);
        got.map_err(|error| format!("getting the outputs failed: {error}"))?;
        let mut values = [0.0; OUTPUTS.len()];
        self.output_places.iter().zip(known).for_each(|(place, value)| values[*place] = value);
        let mut patches = [0];
        if let Some(reference) = self.patch_reference {
            let got = self.instance.get_integer(&[reference], &mut patches);
            got.map_err(|error| format!("getting the number of patches failed: {error}"))?;
        }
        let wrench = |body: &Motion, first: usize| Wrench {
            force: body.orientation * Vector3::from_column_slice(&values[first..first + 3]),
            torque: body.orientation * Vector3::from_column_slice(&values[first + 3..first + 6]),
        };
        Ok(Contact {
            on_e: wrench(e, 0),
            on_f: wrench(f, 6),
            elastic_energy: values[12],
            dissipated_power: values[13],
            max_penetration: values[14],
            area: values[15],
            patches: patches[0],
        })
    }
}

fn reference(import: &Fmi2Import, name: &str) -> Result<u32, String> {
    let variable = import.model_description().model_variable_by_name(name);
    variable.map(|variable| variable.value_reference).map_err(|error| format!("the FMU lacks {name}: {error}"))
}

fn input_names() -> Vec<String> {
    let vector = |name: &str| (1..=3).map(|i| format!("{name}[{i}]")).collect::<Vec<_>>();
    let mut names = vector("relativePosition");
    names.extend((0..9).map(|k| format!("relativeOrientation[{},{}]", k / 3 + 1, k % 3 + 1)));
    names.extend(vector("relativeVelocity"));
    names.extend(vector("relativeAngularVelocity"));
    names
}

/// F seen from E: r_EF, A_EF row by row, v_EF, ω_EF, all resolved in M_e.
fn relative_motion(e: &Motion, f: &Motion) -> Vec<f64> {
    let to_e = e.orientation.inverse();
    let distance = f.position - e.position;
    // d/dt (A_eᵀ (p_f − p_e)) with dA_eᵀ/dt = −A_eᵀ ω̃_e: F also moves because E turns under it.
    let velocity = to_e * (f.velocity - e.velocity - e.angular_velocity.cross(&distance));
    let angular_velocity = to_e * (f.angular_velocity - e.angular_velocity);
    let matrix = (to_e * f.orientation).to_rotation_matrix().into_inner();
    let mut values = (to_e * distance).as_slice().to_vec();
    // Columns of the transpose are rows.
    values.extend(matrix.transpose().as_slice());
    values.extend(velocity.as_slice());
    values.extend(angular_velocity.as_slice());
    values
}

#[cfg(test)]
mod tests {
    use nalgebra::UnitQuaternion;

    use super::*;

    /// The velocities that the FMU gets are those of the pose that it gets.
    #[test]
    fn velocities_are_derivatives_of_the_pose() {
        let e = Motion {
            position: Vector3::new(-0.05, 0.1, 0.15),
            orientation: UnitQuaternion::from_euler_angles(0.3, -0.5, 0.8),
            velocity: Vector3::new(0.25, 0.1, -0.3),
            angular_velocity: Vector3::new(1.0, -2.0, 3.0),
        };
        let f = Motion {
            position: Vector3::new(0.2, -0.1, 0.3),
            orientation: UnitQuaternion::from_euler_angles(-0.7, 0.2, 0.4),
            velocity: Vector3::new(-0.4, 0.2, 0.1),
            angular_velocity: Vector3::new(-1.5, 0.5, 2.0),
        };
        // Central difference: its error is of the order of step², about 1e-10 here.
        let step = 1e-5;
        let at = |time| relative_motion(&e.moved(time), &f.moved(time));
        let (before, now, after) = (at(-step), at(0.0), at(step));
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
