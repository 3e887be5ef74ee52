//! `cargo xtask lint`: formats, types, lints and locks of both languages.

use std::process::Command;

use anyhow::{Result, bail};

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
/// Says which checks failed; each has shown its report.
pub(crate) fn run(workspace: &Workspace, fix: bool) -> Result<()> {
    let mut checks = check_crates(workspace, fix);
    // Types of one package are checked against the built declarations of another.
    match build::packages(workspace) {
        Ok(node) => checks.extend(check_packages(workspace, &node, fix)),
        Err(error) => checks.push(Err(error.context("the packages must be built before they are checked"))),
    }
    let total = checks.len();
    let failures: Vec<_> = checks.into_iter().filter_map(Result::err).collect();
    if failures.is_empty() {
        return Ok(());
    }
    for failure in &failures {
        eprintln!("error: {failure:#}");
    }
    bail!("{} of {total} checks failed", failures.len())
}

fn check_crates(workspace: &Workspace, fix: bool) -> Vec<Result<()>> {
    let format: &[&str] = if fix { &["fmt", "--all"] } else { &["fmt", "--all", "--check"] };
    vec![
        step::run("format of the crates", workspace.cargo(format)),
        step::run("lints of the crates, and Cargo.lock", clippy(workspace)),
    ]
}

fn check_packages(workspace: &Workspace, node: &Node<'_>, fix: bool) -> Vec<Result<()>> {
    vec![
        node::check_lock(workspace),
        typescript::check(workspace, node),
        step::run("lints of the packages", oxlint(node, fix)),
        // After the lints: a repaired one may leave a line that wants another format.
        step::run("format of the packages", node.script(OXFMT, [if fix { "--write" } else { "--check" }])),
    ]
}

fn clippy(workspace: &Workspace) -> Command {
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

fn oxlint(node: &Node<'_>, fix: bool) -> Command {
    let mut command = node.script(OXLINT, ["--type-aware", "--deny-warnings"]);
    if fix {
        command.arg("--fix");
    }
    command
}
