//! Random calls with random handles, references, sizes and numbers: never a crash, never a hang.

use crate::fmi2_support::{Fmu, Instance, SPHERE_ON_PLATE, Status, api, fmi2Discard, fmi2Error, fmi2OK};
use polycontact::fmu::Interface;
use polycontact::math::Vector;

/// A generator by Marsaglia (xorshift64): tests repeat themselves from their seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() >> 11) as usize % end
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// Mostly of the size of the contact, sometimes hostile.
    fn number(&mut self) -> f64 {
        const HOSTILE: [f64; 10] =
            [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN_POSITIVE, -0.0, 1e300, -1e-300, 1.0, 0.0];
        match self.below(8) {
            0 => HOSTILE[self.below(HOSTILE.len())],
            1 => f64::from_bits(self.next()),
            2 => 1.0,
            _ => (self.below(2001) as f64 - 1000.0) * 1e-4,
        }
    }

    fn references(&mut self, variable_count: usize) -> Vec<u32> {
        let count = self.below(6);
        let reference = |random: &mut Self| match random.below(20) {
            0 => random.next() as u32,
            _ => random.below(variable_count) as u32,
        };
        (0..count).map(|_| reference(self)).collect()
    }
}

/// One random call. Counts beyond an array are such that the library must refuse them unseen.
fn random_call(random: &mut Random, handle: usize, instance: &Instance, states: &mut Vec<usize>) -> Status {
    let variables = instance.table.variables();
    let references = random.references(variables.len());
    let count = if random.one_in(30) { usize::MAX >> random.below(40) } else { references.len() };
    let numbers: Vec<f64> = references.iter().map(|_| random.number()).collect();
    let integers: Vec<i32> = references.iter().map(|_| random.below(9) as i32 - 1).collect();
    let state =
        if random.one_in(5) || states.is_empty() { random.below(1000) } else { states[random.below(states.len())] };
    match random.below(46) {
        0 => api::setup_experiment(handle, random.number(), random.one_in(2).then(|| random.number())),
        1 | 2 => api::enter_initialization_mode(handle),
        3 | 4 => api::exit_initialization_mode(handle),
        5 if random.one_in(4) => api::terminate(handle),
        6 => api::reset(handle),
        7..=9 => api::get_real(handle, &references, count).0,
        10 => api::get_integer(handle, &references, count).0,
        11 => api::get_boolean(handle, &references, count).0,
        12 => api::get_string(handle, &references, count).0,
        13..=15 => api::set_real(handle, &references, count, &numbers),
        16 => api::set_integer(handle, &references, count, &integers),
        17 => api::set_boolean(handle, &references, count, &integers),
        18 => {
            let texts = [None, Some(c""), Some(c"sphere.obj"), Some(c"/no/such.obj"), Some(c"%n%s\xff")];
            let values: Vec<_> = references.iter().map(|_| texts[random.below(texts.len())]).collect();
            api::set_string(handle, &references, &values)
        }
        19 => {
            let mut new_state = if random.one_in(2) { 0 } else { state };
            let status = api::get_fmu_state(handle, &mut new_state);
            if status == fmi2OK {
                states.push(new_state);
            }
            status
        }
        20 => api::set_fmu_state(handle, state),
        21 => api::free_fmu_state(handle, &mut { state }),
        22 => {
            let (status, size) = api::serialized_fmu_state_size(handle, state);
            if status != fmi2OK {
                return status;
            }
            let mut bytes = vec![0; if random.one_in(3) { random.below(3000) } else { size }];
            let status = api::serialize_fmu_state(handle, state, &mut bytes);
            if random.one_in(2) && !bytes.is_empty() {
                let i = random.below(bytes.len());
                bytes[i] ^= 1 << random.below(8);
            }
            let (deserialized, new_state) = api::deserialize_fmu_state(handle, &bytes);
            states.extend((deserialized == fmi2OK).then_some(new_state));
            status
        }
        23 => api::set_real_input_derivatives(handle, &references, &integers, &numbers),
        24 => api::get_real_output_derivatives(handle, &references, &integers).0,
        25 => {
            let knowns = random.references(variables.len());
            api::get_directional_derivative(handle, &references, &knowns, &numbers).0
        }
        26 => api::cancel_step(handle),
        27 => api::get_status(handle, random.below(6) as i32 - 1),
        28 => api::get_real_status(handle, random.below(6) as i32 - 1).0,
        29 => api::get_boolean_status(handle, random.below(6) as i32 - 1).0,
        30 => {
            api::set_debug_logging(handle, random.one_in(2), [&[c"logAll"][..], &[c"odd\xff%s"], &[]][random.below(3)])
        }
        34 | 35 => api::enter_continuous_time_mode(handle),
        36 => api::enter_event_mode(handle),
        37 => api::new_discrete_states(handle).0,
        38 => api::completed_integrator_step(handle).0,
        39 => api::set_time(handle, random.number()),
        40 => api::set_continuous_states(handle, &numbers),
        41 => {
            let states: Vec<f64> = (0..13).map(|_| random.number()).collect();
            api::set_continuous_states(handle, &states)
        }
        42 => api::get_derivatives(handle, [0, 1, 13, 40][random.below(4)]).0,
        43 => api::get_event_indicators(handle, random.below(3)).0,
        44 => api::get_continuous_states(handle, [0, 13][random.below(2)]).0,
        45 => api::get_nominals(handle, [0, 13][random.below(2)]).0,
        _ => api::do_step(handle, random.number(), random.number().abs()),
    }
}

#[test]
fn random_calls_are_answered() {
    let mut fmus = ["matrix", "quaternion", "cardan"]
        .map(|kind| Fmu::sphere_on_plate(&format!("orientation = \"{kind}\"\n{SPHERE_ON_PLATE}")))
        .into_iter()
        .collect::<Vec<_>>();
    fmus.push(Fmu::free_body("name = \"Ball\"\n[body]\nmass = 1.0\nmoments-of-inertia = [0.1, 0.1, 0.1]\n"));
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut answers = [0; 3];
    for round in 0..600 {
        let fmu = &fmus[round % fmus.len()];
        let interface = Interface::ALL[round / fmus.len() % 2];
        let instance = fmu.instantiate_for(interface);
        let mut states = Vec::new();
        for _ in 0..60 {
            let handle = if random.one_in(25) { random.next() as usize >> random.below(64) } else { instance.handle };
            let status = random_call(&mut random, handle, &instance, &mut states);
            let answer = [fmi2OK, fmi2Error, fmi2Discard].iter().position(|known| *known == status);
            answers[answer.unwrap_or_else(|| panic!("{status:?}"))] += 1;
        }
        let panics = instance.messages().into_iter().find(|message| message.text.contains("internal error"));
        assert_eq!(panics, None);
        // Whatever happened, a reset makes it as good as new.
        assert_eq!(api::set_debug_logging(instance.handle, false, &[]), fmi2OK);
        assert_eq!(api::reset(instance.handle), fmi2OK);
        assert_eq!(api::enter_initialization_mode(instance.handle), fmi2OK);
        assert_eq!(api::exit_initialization_mode(instance.handle), fmi2OK);
        if instance.table.find("forceOnE[1]").is_some() {
            assert_eq!(instance.set_vector("relativePosition", Vector::new(0.0, 0.0, -0.099)), fmi2OK);
        }
        match interface {
            Interface::CoSimulation => assert_eq!(instance.step(0.0, 1e-3), fmi2OK),
            Interface::ModelExchange => assert_eq!(api::enter_continuous_time_mode(instance.handle), fmi2OK),
        }
        if instance.table.find("forceOnE[1]").is_some() {
            assert!(0.0 < instance.vector("forceOnE").z);
        }
        if round % 7 == 0 {
            // Freed by the host in the middle of everything, and used once more.
            api::free_instance(instance.handle);
            assert_eq!(random_call_is_refused(&mut random, &instance), fmi2Error);
        }
    }
    // Not all of one kind: the calls reach the model as well as the refusals.
    assert!(answers.iter().all(|count| 100 < *count), "{answers:?}");
}

fn random_call_is_refused(random: &mut Random, instance: &Instance) -> Status {
    random_call(random, instance.handle, instance, &mut Vec::new())
}
