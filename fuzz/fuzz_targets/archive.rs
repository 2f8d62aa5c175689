//! Any bytes as the archive of a flexible body (.npz with .npy inside): no panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use polycontact::flexible::FlexibleBody;

fuzz_target!(|bytes: &[u8]| {
    let _ = FlexibleBody::from_bytes(bytes);
});
