//! One test per requirement that lies within the kernel, named by the requirement's id.

#![allow(clippy::unwrap_used, reason = "clippy knows tests by their attribute, and their helpers have none")]

#[path = "../support/mod.rs"]
mod support;

mod authority;
mod bounds;
mod confirmation;
mod errors;
mod execution;
mod identity;
mod lifecycle;
mod pipeline;
mod policies;
mod snapshot;
mod tools;
