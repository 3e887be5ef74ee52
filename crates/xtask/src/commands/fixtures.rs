//! `cargo xtask fixtures`: records all snapshots again. The diff is then what a reviewer reads.

use anyhow::Result;

use super::{build, test};
use crate::{step, workspace::Workspace};

/// Runs both test runners so that they write what they see.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let node = build::everything(workspace)?;
    let mut rust = workspace.cargo(&["test", "--workspace", "--no-fail-fast"]);
    // Forced, so that a snapshot's metadata is fresh too and files nobody asserts any more stand out.
    rust.env("INSTA_UPDATE", "always").env("INSTA_FORCE_UPDATE", "1");
    test::pass_test_data(&mut rust)?;
    step::run("record the snapshots of the crates", rust)?;
    let mut vitest = node.script(test::VITEST, ["run", "--project", "node", "--update"]);
    test::pass_test_data(&mut vitest)?;
    step::run("record the snapshots of the packages", vitest)
}
