//! Any changes of the bytes of a saved state, with the checksum of what comes out.

#[path = "../../tests/fmi2_support/mod.rs"]
#[allow(dead_code)]
mod fmi2_support;

use std::cell::OnceCell;

use fmi2_support::{Fmu, Instance, SPHERE_ON_PLATE, api, fmi2OK};
use polycontact::fmu::Kind;
use sha2::{Digest, Sha256};

/// Bytes of a checksum, at the end of a state.
const CHECKSUM: usize = 32;

/// Bytes of a change: where (2), what is done (1), and new bytes (8).
const CHANGE: usize = 11;

/// An instance with a state of its own, without the checksum.
struct Host {
    _fmu: Fmu,
    instance: Instance,
    good: Vec<u8>,
}

impl Host {
    fn new() -> Self {
        let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
        let instance = fmu.initialized();
        instance.set_real("relativePosition[3]", -0.095);
        assert_eq!(instance.step(0.0, 1e-3), fmi2OK);
        let mut state = 0;
        assert_eq!(api::get_fmu_state(instance.handle, &mut state), fmi2OK);
        let (_, size) = api::serialized_fmu_state_size(instance.handle, state);
        let mut good = vec![0; size];
        assert_eq!(api::serialize_fmu_state(instance.handle, state, &mut good), fmi2OK);
        api::free_fmu_state(instance.handle, &mut state);
        good.truncate(size - CHECKSUM);
        Host { _fmu: fmu, instance, good }
    }
}

thread_local! {
    static HOST: OnceCell<Host> = const { OnceCell::new() };
}

/// The state after the changes that the bytes describe.
fn changed(good: &[u8], bytes: &[u8]) -> Vec<u8> {
    let mut state = good.to_vec();
    for change in bytes.chunks_exact(CHANGE) {
        let at = usize::from(u16::from_le_bytes([change[0], change[1]])) % state.len().max(1);
        let new = &change[3..];
        match change[2] % 4 {
            0 => state.iter_mut().skip(at).zip(new).for_each(|(old, new)| *old = *new),
            1 => state.iter_mut().skip(at).take(1).for_each(|old| *old = new[0]),
            2 => drop(state.drain(at..(at + usize::from(new[0])).min(state.len()))),
            _ => drop(state.splice(at..at, new.iter().copied())),
        }
    }
    let checksum = Sha256::digest(&state);
    state.extend(checksum);
    state
}

/// Restores the changed state where it is accepted, goes on from it, and comes back.
pub fn restore(bytes: &[u8]) {
    HOST.with(|host| {
        let Host { instance, good, .. } = host.get_or_init(Host::new);
        let (status, mut state) = api::deserialize_fmu_state(instance.handle, &changed(good, bytes));
        if status == fmi2OK {
            if api::set_fmu_state(instance.handle, state) == fmi2OK {
                instance.step(1e-3, 1e-3);
                // Evaluations may refuse numbers that are too large; each kind of variable in one call.
                let references = |is_of_kind: fn(&Kind) -> bool| {
                    let variables = instance.table.variables().iter();
                    let chosen = variables.filter(|variable| is_of_kind(&variable.kind));
                    chosen.map(|variable| variable.value_reference).collect::<Vec<u32>>()
                };
                let reals = references(|kind| matches!(kind, Kind::Real { .. }));
                let booleans = references(|kind| matches!(kind, Kind::Boolean));
                api::get_real(instance.handle, &reals, reals.len());
                api::get_boolean(instance.handle, &booleans, booleans.len());
            }
            api::free_fmu_state(instance.handle, &mut state);
        }
        // The good state leads back.
        let (status, mut state) = api::deserialize_fmu_state(instance.handle, &changed(good, &[]));
        assert_eq!(status, fmi2OK);
        assert_eq!(api::set_fmu_state(instance.handle, state), fmi2OK, "{:?}", instance.messages());
        api::free_fmu_state(instance.handle, &mut state);
        let messages = instance.take_messages();
        assert!(messages.iter().all(|message| !message.text.contains("internal error")), "{messages:?}");
    });
}
