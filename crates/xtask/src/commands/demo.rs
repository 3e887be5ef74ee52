//! `cargo xtask demo`: a production build of a whole app, and proof that what was built is what was proven.

use std::path::Path;

use anyhow::Result;

use super::{build, test};
use crate::{cli::Play, node::Node, step, workspace::Workspace};

/// Builds everything, then lets `tests/demo/run.mjs` build the fixture `devices`, run it and report.
/// Or shows another play, step by step.
pub(crate) fn run(workspace: &Workspace, play: Option<Play>) -> Result<()> {
    let chromium = play.map(|_| test::need_chromium()).transpose()?;
    let node = build::everything(workspace)?;
    if let Some(chromium) = chromium {
        return webmcp(&node, &chromium);
    }
    let none: [&str; 0] = [];
    step::show("build fixtures/devices with Vite", node.script("tests/demo/run.mjs", none))
}

/// An agent of the browser works the fixture `devices`, over WebMCP and up to an oRPC server.
fn webmcp(node: &Node<'_>, chromium: &Path) -> Result<()> {
    let mut command =
        node.script(test::VITEST, ["run", "--project", "browser", "tests/browser/webmcp-devices.test.ts"]);
    command.env(test::CHROMIUM, chromium).env("AGENT_SURFACE_DEMO", "1");
    step::show("let a browser's agent work fixtures/devices", command)
}
