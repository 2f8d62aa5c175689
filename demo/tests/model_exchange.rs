//! The packaged FMUs in the `fmi` crate for Model Exchange.
//!
//! `cargo xtask test` packages the FMUs and names their folder in `POLYCONTACT_FMUS`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use fmi::fmi2::import::Fmi2Import;
use fmi::fmi2::instance::{Common, Instance, ModelExchange};
use fmi::traits::FmiImport;
use fmi::{EventFlags, ME};

struct Host {
    instance: Instance<ME>,
    references: BTreeMap<String, u32>,
    // Holds the extracted files, which go with it.
    _import: Fmi2Import,
}

impl Host {
    /// In continuous-time mode.
    fn load(name: &str) -> Host {
        let folder = std::env::var_os("POLYCONTACT_FMUS")
            .expect("POLYCONTACT_FMUS must name the folder with the FMUs; `cargo xtask test` sets it");
        let import: Fmi2Import = fmi::import::from_path(PathBuf::from(folder).join(format!("{name}.fmu"))).unwrap();
        let variables = &import.model_description().model_variables.variables;
        let references = variables.iter().map(|v| (v.name.clone(), v.value_reference)).collect();
        let mut instance = import.instantiate_me("model", false, true).unwrap();
        instance.setup_experiment(None, 0.0, None).unwrap();
        instance.enter_initialization_mode().unwrap();
        instance.exit_initialization_mode().unwrap();
        ModelExchange::new_discrete_states(&mut instance, &mut EventFlags::default()).unwrap();
        ModelExchange::enter_continuous_time_mode(&mut instance).unwrap();
        Host { instance, references, _import: import }
    }

    fn real(&mut self, name: &str) -> f64 {
        let mut value = [f64::NAN];
        self.instance.get_real(&[self.references[name]], &mut value).unwrap();
        value[0]
    }

    fn set_real(&mut self, name: &str, value: f64) {
        self.instance.set_real(&[self.references[name]], &[value]).unwrap();
    }
}

#[test]
fn a_contact_has_its_gap_as_event_indicator_and_its_derivatives() {
    let mut host = Host::load("SphereOnPlate");
    for (height, gap) in [(-0.15, 0.05), (-0.099, -1e-3)] {
        host.set_real("relativePosition[3]", height);
        let mut indicators = [f64::NAN];
        assert!(ModelExchange::get_event_indicators(&mut host.instance, &mut indicators).unwrap());
        // A vertex is the lowest point of the sphere.
        assert!((indicators[0] - gap).abs() < 1e-6, "{indicators:?}");
        assert_eq!(host.real("forceOnE[3]") > 0.0, gap < 0.0);
    }
    let [force, height] = ["forceOnE[3]", "relativePosition[3]"].map(|name| host.references[name]);
    let mut stiffness = [f64::NAN];
    host.instance.get_directional_derivative(&[force], &[height], &[1.0], &mut stiffness).unwrap();
    let step = 1e-7;
    host.set_real("relativePosition[3]", -0.099 + step);
    let above = host.real("forceOnE[3]");
    host.set_real("relativePosition[3]", -0.099 - step);
    let difference = (above - host.real("forceOnE[3]")) / (2.0 * step);
    // Rounding of the force over the step.
    assert!((stiffness[0] / difference - 1.0).abs() < 1e-5, "{stiffness:?} {difference}");
}

/// Explicit Euler by the host: off by half a step times the acceleration and the time.
#[test]
fn a_body_falls() {
    let mut host = Host::load("Ball");
    let mut states = [f64::NAN; 13];
    ModelExchange::get_continuous_states(&mut host.instance, &mut states).unwrap();
    let (step, count) = (1e-3, 100);
    for n in 0..count {
        ModelExchange::set_time(&mut host.instance, f64::from(n) * step).unwrap();
        ModelExchange::set_continuous_states(&mut host.instance, &states).unwrap();
        let mut rates = [f64::NAN; 13];
        ModelExchange::get_derivatives(&mut host.instance, &mut rates).unwrap();
        states.iter_mut().zip(rates).for_each(|(state, rate)| *state += step * rate);
        let (mut event, mut end) = (true, true);
        ModelExchange::completed_integrator_step(&mut host.instance, true, &mut event, &mut end).unwrap();
        assert!(!event && !end);
    }
    let time = f64::from(count) * step;
    let expected = 0.15 - 0.5 * 9.81 * time * (time - step);
    assert!((states[2] - expected).abs() < 1e-12, "{} {expected}", states[2]);
}
