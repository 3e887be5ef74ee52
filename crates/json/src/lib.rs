//! The JSON value that every crate shares, and its one canonical form.
//!
//! A contract is bytes: two values that mean the same must print the same, on every machine and in every
//! engine. So the value is kept in the shape RFC 8785 (JCS) prints it: objects ordered by UTF-16 code unit,
//! numbers IEEE 754 doubles without a negative zero, strings well-formed Unicode. What I-JSON (RFC 7493)
//! cannot carry (a lone surrogate, a number beyond a double, a repeated key) is refused on the way in, with
//! the byte offset where it stands.
//!
//! ```
//! use agent_surface_json::parse;
//!
//! let value = parse(r#"{"b": 1e2, "a": [true, "é"]}"#)?;
//! assert_eq!(value.to_canonical(), r#"{"a":[true,"é"],"b":100}"#);
//! # Ok::<(), agent_surface_json::ParseError>(())
//! ```

mod canonical;
mod number;
mod object;
mod order;
mod parse;
mod pointer;
mod value;
mod writer;

pub use canonical::{indent, push_canonical_string};
pub use number::Number;
pub use object::Object;
pub use order::cmp_utf16;
pub use parse::{MAX_DEPTH, ParseError, ParseErrorKind, parse};
pub use pointer::Pointer;
pub use value::Json;
pub use writer::{ObjectWriter, digits, push_integer, push_list};
