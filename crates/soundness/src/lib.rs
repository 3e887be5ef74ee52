//! The only honest oracle of a static analysis: running the code.
//!
//! Programs of several modules are made from seeds ([`generate`]), inside the grammar that the compiler must
//! accept and around it. Each is built by [`agent_surface_compiler::Session`] behind a bundler in memory. Where
//! the compiler proves something, the program runs in Node as it ships and as its author wrote it, with macros
//! that record what they are called with, and once more in another world if it asks about the world it is in.
//!
//! # What is judged
//!
//! A macro's argument ships as the literal that was proven, so a proof is about what ships. The [`Verdict`]s:
//!
//! - **sound**: the manifest, what ships and what was written say the same, field by field.
//! - **unsound**: what ships is not what the manifest says, a declaration that is really evaluated is missing from
//!   it or one in it never is, a branch was guessed, a name leads to another contract, a constant was worked out
//!   wrongly, or the compiler broke. [`Flaw`] says which. Not one may be.
//! - **overtaken**: what ships is what was proven, but the author's objects change where the compiler does not look
//!   (through a function that gets hold of them, say), so that the code as written meant something else. It is
//!   counted apart and never called sound. A difference counts as overtaken only where it goes away once the
//!   program's objects are held as they were made; any other is unsound.
//! - **refused**: the compiler said no. Safe, and worthless if it always does: of the programs of
//!   [`Class::Supported`], at least 95 % must be accepted.
//! - **throws**: the program throws while it loads, as written, so that only what ships is held against the manifest.
//!
//! # Seeds and regressions
//!
//! A seed is one program, on every machine; even seeds are [`Class::Supported`]. `cargo xtask test soundness
//! --programs 1 --seed S` judges it again and prints it made smaller ([`minimise`]). A program that was proven
//! wrongly is kept in that form in `regressions/`, under a sentence that says what is true of it and a line
//! `expected: refused` (or `sound`); `cargo test` judges all of them where there is a Node.

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
