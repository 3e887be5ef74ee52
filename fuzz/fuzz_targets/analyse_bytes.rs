//! A module of any bytes.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| agent_surface_properties::analyse_bytes(bytes));
