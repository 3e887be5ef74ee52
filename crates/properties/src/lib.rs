//! What must hold of everything that reads what others wrote, for any bytes at all.
//!
//! A property is a function that takes bytes and panics where it does not hold. Fuzz targets (`fuzz/`) call them with
//! what they make up; whatever was found that way lies in `fuzz/regressions/<property>/`, and `cargo test` goes
//! through all of it, with no fuzzer and no instrumented build.
//!
//! - [`analyse_bytes`]: the bytes are one module of a small app.
//! - [`analyse_fixtures`]: the bytes are a program in the form of [`agent_surface_soundness::Program`], most of the time
//!   one that parses: [`Mutator`] changes it by tokens, brackets and lines.
//! - [`read_json`], [`read_manifest`], [`check_schema`]: the bytes are a document.

mod analyse;
mod document;
mod mutate;
mod schema;
mod seeds;
mod tokens;

pub use analyse::{analyse_bytes, analyse_fixtures};
pub use document::{read_json, read_manifest};
pub use mutate::Mutator;
pub use schema::check_schema;
pub use seeds::{Seed, seeds};

/// A property of bytes. It panics where it does not hold.
pub type Property = fn(&[u8]);

/// Every property under the name of its fuzz target.
pub const ALL: [(&str, Property); 5] = [
    ("analyse_bytes", analyse_bytes),
    ("analyse_fixtures", analyse_fixtures),
    ("json", read_json),
    ("manifest_reader", read_manifest),
    ("schema_checker", check_schema),
];
