//! `cargo xtask lint`: formats, types, lints and locks of both languages.

use anyhow::{Context as _, Result, bail};

use super::build;
use crate::{
    node::{self, Node},
    step, typescript,
    workspace::Workspace,
};

const OXFMT: &str = "node_modules/oxfmt/bin/oxfmt";
const OXLINT: &str = "node_modules/oxlint/bin/oxlint";

/// Checks everything even if something fails: one run tells all there is to repair.
///
/// # Errors
/// Says how many checks failed; each has shown its report.
pub(crate) fn run(workspace: &Workspace, fix: bool) -> Result<()> {
    // Types of one package are checked against the built declarations of another.
    let node = build::packages(workspace).context("the packages must compile before they can be checked")?;
    if fix {
        repair(workspace, &node)?;
    }
    let checks = [
        step::run("format of the crates", workspace.cargo(&["fmt", "--all", "--check"])),
        step::run("lints of the crates, and Cargo.lock", clippy(workspace)),
        node::check_lock(workspace),
        typescript::check(workspace, &node),
        step::run("format of the packages", node.script(OXFMT, ["--check"])),
        step::run("lints of the packages", node.script(OXLINT, ["--type-aware", "--deny-warnings"])),
    ];
    match checks.iter().filter(|check| check.is_err()).count() {
        0 => Ok(()),
        failed => bail!("{failed} of {} checks failed", checks.len()),
    }
}

fn clippy(workspace: &Workspace) -> std::process::Command {
    workspace.cargo(&[
        "clippy",
        "--workspace",
        "--all-targets",
        "--locked",
        "--quiet",
        "--",
        "--deny",
        "warnings",
    ])
}

/// Lets the tools repair what they can; what they cannot is then reported by the checks.
fn repair(workspace: &Workspace, node: &Node<'_>) -> Result<()> {
    step::run("repair the format of the crates", workspace.cargo(&["fmt", "--all"]))?;
    // Leaves with an error when something is left over, which the check after it shows.
    step::capture("repair lints of the packages", node.script(OXLINT, ["--type-aware", "--fix"]))?;
    step::run("repair the format of the packages", node.script(OXFMT, ["--write"]))
}
