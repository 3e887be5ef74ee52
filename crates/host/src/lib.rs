//! A bundler in memory that plays the host of the compiler's session. Tests and campaigns use it; nothing ships it.
//!
//! - [`Bundle`] is what a bundler knows of its modules, and [`answer`] what a session is told of it.
//! - [`Talk`] is a conversation with a session: it goes on until the session decides, and tells if that never happens.
//! - [`Host`] is a whole build of modules of any text. It parses nothing, so that nothing but the session can break.
//! - [`nested`] makes modules that nest deeply.

mod answer;
mod build;
mod nested;
mod talk;

pub use answer::{Bundle, answer, resolve};
pub use build::Host;
pub use nested::{Nested, nested};
pub use talk::{Broken, Talk};

use agent_surface_compiler::{Options, Severity};

/// Where the app lies, as far as the session is told.
pub const ROOT: &str = "/app";

/// The package that declares the macros. Nobody reads it: the compiler knows it by its name.
pub const CORE: &str = "/app/node_modules/@agent-surface/core/dist/index.js";

/// The package's folder.
const CORE_DIR: &str = "/app/node_modules/@agent-surface/core";

/// What a session is told of the app: a production build, with source maps.
#[must_use]
pub fn options() -> Options {
    Options {
        root: ROOT.to_owned(),
        real_root: None,
        target: "web-production".to_owned(),
        source_maps: true,
        defines: Vec::new(),
        approvals: Vec::new(),
        raw_tools: Severity::Error,
    }
}
