//! `cargo xtask demo`: a production build of a whole app, and proof that what was built is what was proven.

use anyhow::Result;

use super::build;
use crate::{step, workspace::Workspace};

/// Builds everything, then lets `tests/demo/run.mjs` build the fixture `devices`, run it and report.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let node = build::everything(workspace)?;
    let none: [&str; 0] = [];
    step::show("build fixtures/devices with Vite", node.script("tests/demo/run.mjs", none))
}
