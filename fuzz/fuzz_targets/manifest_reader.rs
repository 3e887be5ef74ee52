//! A manifest of any bytes.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| agent_surface_properties::read_manifest(bytes));
