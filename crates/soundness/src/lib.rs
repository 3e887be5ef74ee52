//! The only honest oracle of a static analysis: running the code.
//!
//! Programs of several modules are made from seeds ([`generate`]), inside the grammar that the compiler must
//! accept and around it. Each is built by [`agent_surface_compiler::Session`] behind a bundler in memory. Where
//! the compiler proves something, the program runs in Node twice, as its author wrote it and as it ships, with
//! macros that record what they are called with. The proof is sound if all three agree: the manifest, what
//! ships, and what was written.
//!
//! A program that breaks this is made smaller ([`minimise`]) and kept as a text in `tests/soundness/regressions`.

mod campaign;
mod compile;
mod entries;
mod generate;
mod hold;
mod host;
mod judge;
mod minimise;
mod program;
mod random;
mod runner;

pub use campaign::{Campaign, Finding, Oracle, Tally};
pub use generate::{Class, catalogue, class_of, generate};
pub use judge::{Flaw, Overtaking, Verdict};
pub use minimise::minimise;
pub use program::{Bundler, Module, Program};
