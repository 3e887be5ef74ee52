//! The browser module: the Rust crates as functions that JavaScript can call. No logic of its own.
//!
//! # The boundary
//! Numbers cross as numbers, text as UTF-8 in this module's memory. `npm/core/src/kernel` is the other side; the
//! two are changed together.
//!
//! **Text goes in** in three steps: JavaScript asks `alloc` for as many bytes as the text has,
//! writes them, and passes address and length to one call. That call owns the bytes from then on and frees
//! them, so there is nothing for JavaScript to free.
//!
//! The desk's own calls, which are many and small, find their text in one place that stays, `scratch`.
//!
//! **Text comes out** by the import `reply`, at most once in a call and before it returns. JavaScript reads the
//! bytes then and there and keeps no view of them.
//!
//! **A panic traps.** What was in the module's memory may then be half changed: JavaScript throws the whole
//! instance away and every later call fails.
//!
//! ## Exports
//! | export | returns | replies |
//! |---|---|---|
//! | `alloc(length)` | the address of that many bytes | |
//! | `scratch(length)` | where the texts of `answer` go, that many bytes at least | |
//! | `answer(call, handle, key, now, length)` | a number, see below | what came of it |
//! | `schema_open(address, length)` | a handle, 0 refused | a refusal, if refused |
//! | `schema_validate(handle, address, length)` | 0 valid, 1 invalid | the issues, if invalid |
//! | `schema_close(handle)` | | |
//!
//! A refusal is `{"code":…,"message":…}` with the code of an `AgentSurfaceDefinitionError`. Issues are
//! `[{"message":…,"path":…}]`. A handle that is not open, and bytes that are not UTF-8, are defects of the other
//! side, and trap.
//!
//! ## The desk
//! All that has to do with registries goes through `answer`, whose calls are numbered in [`call`]. The text is a frame
//! (see `src/frame.rs`). What comes back depends on the call:
//! * Commands, answers and occasions return when the next deadline is due (infinity where none is), and reply a JSON list:
//!   what came of it, or null, and then the outputs in their order. Where that would be `[null]`, there is no reply.
//! * What opens something returns a handle, or 0 and the refusal.
//! * What looks replies JSON, numbers, or both, and nothing where there is nothing.
//!
//! JavaScript that runs within a call must not make another one: the registry is in the middle of a decision.
//!
//! ## Imports, all from `env`
//! | import | does |
//! |---|---|
//! | `reply(address, length)` | takes the text of this call |
//! | `reply_numbers(address, length)` | takes the numbers of this call, 32 bits each |
//! | `pattern_matches(pattern, length, text, length)` | `RegExp` with the `u` flag: 1 match, 0 none, -1 no pattern |
//! | `number_parse(address, length)`, `number_print(number, address)` | see `crates/json/src/number.rs` |

#[cfg(target_arch = "wasm32")]
mod abi;
#[cfg(any(target_arch = "wasm32", test))]
mod allocator;
mod calls;
mod desk;
mod frame;
mod input;
mod output;
mod reply;
mod slots;

pub use calls::{read_schema, validate_text};
pub use desk::{Call, Desk, Reply, calls as call};
pub use reply::{Code, Refusal, issues_to_json};
