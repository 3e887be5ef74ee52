//! The Node addon: the compiler's session and the manifest's functions, as `npm/compiler` calls them.
//!
//! It holds no rule of its own. [`session`] hands questions and answers over, and answers itself what needs a
//! disk and no bundler; [`crawl`] finds the modules of an app that is served; [`contract`] wraps the manifest
//! crate, [`schema`] the schema crate; [`message`] is what crosses.
//! `npm/compiler/src/binding.ts` describes the same surface in TypeScript.
//!
//! Every exported function catches unwinding: a panic becomes a JavaScript error of one build and not the end
//! of the process, which may be somebody's dev server.

mod allocator;
pub mod contract;
pub mod crawl;
pub mod message;
pub mod review;
pub mod schema;
pub mod session;
mod text;
