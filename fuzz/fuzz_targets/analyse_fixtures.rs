//! A program, changed in a way that leaves most of it whole.
#![no_main]

use std::sync::LazyLock;

use agent_surface_properties::{Mutator, analyse_fixtures};
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

static MUTATOR: LazyLock<Mutator> = LazyLock::new(Mutator::new);

/// One change in so many is the fuzzer's own, which knows nothing of tokens but a lot of comparisons.
const OWN_CHANGE: u32 = 6;

fuzz_target!(|bytes: &[u8]| analyse_fixtures(bytes));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    if seed % OWN_CHANGE == 0 {
        return fuzzer_mutate(data, size, max_size);
    }
    let changed = MUTATOR.mutate(&String::from_utf8_lossy(&data[..size]), seed);
    if changed.len() > max_size {
        return fuzzer_mutate(data, size, max_size);
    }
    data[..changed.len()].copy_from_slice(changed.as_bytes());
    changed.len()
});
