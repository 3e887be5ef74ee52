//! The JSON Schema subset of the contract format: what a document may say, and what a value must satisfy.
//!
//! A capability describes its input and output in a subset of JSON Schema draft 2020-12 that every tool-calling
//! model handles. [`check()`] proves once that a document lies inside the subset, [`validate()`] then holds
//! values against it. Inside the subset both mean exactly what the draft means, and the official test suite
//! says so; outside of it a document is refused with what to write instead. [`normalize()`] restates what schema libraries
//! say beyond it, where the meaning is kept. Two things the draft leaves open or
//! the subset leaves out: `format` asserts, and `$id` is ignored, so that `$ref` always starts at the document.
//!
//! ```
//! use agent_surface_json::parse;
//! use agent_surface_schema::{Limits, NativePatterns, check, validate};
//!
//! let patterns = NativePatterns::default();
//! let schema = parse(r#"{"type": "array", "items": {"type": "string", "minLength": 1}}"#)?;
//! assert!(check(&schema, Limits::default(), &patterns).is_ok());
//!
//! let issues = validate(&schema, &parse(r#"["a", ""]"#)?, &patterns);
//! assert_eq!(issues[0].to_string(), "[1]: must have at least 1 character");
//! # Ok::<(), agent_surface_json::ParseError>(())
//! ```

mod check;
mod definitions;
mod format;
mod issue;
mod keyword;
mod limits;
mod multiple;
mod normalize;
mod patterns;
mod reduce;
mod reference;
mod refusal;
mod validate;

pub use check::check;
pub use issue::Issue;
pub use limits::Limits;
pub use normalize::normalize;
#[cfg(feature = "native-patterns")]
pub use patterns::NativePatterns;
pub use patterns::Patterns;
pub use reduce::reduce;
pub use reference::resolve;
pub use refusal::{Reason, Refusal};
pub use validate::validate;
