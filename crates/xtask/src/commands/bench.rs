//! `cargo xtask bench`: measurements against what ships. A benchmark is a file of `tests/bench`.

use std::{collections::BTreeSet, fs};

use anyhow::{Context as _, Result, bail};

use super::build;
use crate::{step, workspace::Workspace};

/// Where the benchmarks are.
const FOLDER: &str = "tests/bench";

/// Runs the named benchmarks, or all of them, each with the given options.
pub(crate) fn run(workspace: &Workspace, names: &[String], options: &[String]) -> Result<()> {
    let all = find(workspace)?;
    if let Some(unknown) = names.iter().find(|name| !all.contains(*name)) {
        bail!("there is no benchmark `{unknown}`, only {}", all.into_iter().collect::<Vec<_>>().join(", "));
    }
    let chosen: Vec<&String> = if names.is_empty() { all.iter().collect() } else { names.iter().collect() };
    let node = build::everything(workspace)?;
    for name in chosen {
        let script = node.script(&format!("{FOLDER}/{name}.mjs"), options);
        step::show(&format!("measure {name}"), script)?;
    }
    Ok(())
}

/// The names of the `.mjs` files right in the folder; their helpers stand in folders below it.
fn find(workspace: &Workspace) -> Result<BTreeSet<String>> {
    let entries = fs::read_dir(workspace.path(FOLDER)).with_context(|| format!("cannot list {FOLDER}"))?;
    let mut names = BTreeSet::new();
    for entry in entries {
        let file = entry?.file_name();
        names.extend(file.to_string_lossy().strip_suffix(".mjs").map(str::to_owned));
    }
    Ok(names)
}
