//! Node.js, npm, and the packages that the lock names.

use std::{ffi::OsStr, fs, path::Path, process::Command};

use agent_surface_json::{Json, parse};
use anyhow::{Context as _, Result, bail};

use crate::{lockfile, step, workspace::Workspace};

/// The oldest Node.js that runs the tools, as `engines` in package.json says too.
const OLDEST_NODE: (u32, u32) = (20, 19);

/// On Windows npm is a batch file, which is started only by its full name.
const NPM: &str = if cfg!(windows) { "npm.cmd" } else { "npm" };

/// Proof that Node.js is new enough and `node_modules` is what the lock says: the way to run JavaScript.
pub(crate) struct Node<'a> {
    workspace: &'a Workspace,
}

impl<'a> Node<'a> {
    /// Checks the versions, and installs the packages of the lock if others (or none) are installed.
    ///
    /// # Errors
    /// One line that says what is missing, or the output of a failed `npm ci`.
    pub(crate) fn prepare(workspace: &'a Workspace) -> Result<Self> {
        let version = version_of("node")?;
        if parse_version(&version).is_none_or(|found| found < OLDEST_NODE) {
            let (major, minor) = OLDEST_NODE;
            bail!("Node.js {major}.{minor} or newer is needed, `node --version` says {version}");
        }
        if !is_installed(workspace) {
            version_of(NPM)?;
            step::run("npm ci", npm(workspace, &["ci", "--no-audit", "--no-fund"]))?;
        }
        Ok(Self { workspace })
    }

    /// A JavaScript file of the checkout, as `node` runs it.
    pub(crate) fn script(
        &self,
        relative: &str,
        arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
    ) -> Command {
        let mut command = self.workspace.command("node");
        command.arg(self.workspace.path(relative)).args(arguments);
        command
    }
}

/// Checks that package-lock.json is what the package.json files of the checkout ask for.
///
/// # Errors
/// Names the package that the lock does not repeat, or shows npm's complaint.
pub(crate) fn check_lock(workspace: &Workspace) -> Result<()> {
    let lock = read(&workspace.path("package-lock.json"))?;
    let root = read(&workspace.path("package.json"))?;
    for place in workspace_packages(workspace, &root)? {
        let manifest = read(&workspace.path(&place).join("package.json"))?;
        if !lockfile::repeats(&lock, &place, &manifest) {
            eprintln!("FAIL package-lock.json");
            eprintln!(
                "{place:?} is not there as its package.json says: `npm install --package-lock-only` mends it"
            );
            bail!("package-lock.json is stale");
        }
    }
    // Whether the versions in the lock suit each other, npm knows best.
    step::run("package-lock.json", npm(workspace, &["ci", "--dry-run", "--no-audit", "--no-fund"]))
}

/// The root (`""`) and the folders that `workspaces` in its package.json covers: each by its name, or as `parent/*`.
fn workspace_packages(workspace: &Workspace, manifest: &str) -> Result<Vec<String>> {
    let manifest = parse(manifest).context("package.json is not JSON")?;
    let patterns = manifest.get("workspaces").and_then(Json::as_array).unwrap_or_default();
    let mut places = vec![String::new()];
    for pattern in patterns.iter().filter_map(Json::as_str) {
        let Some(parent) = pattern.strip_suffix("/*") else {
            places.push(pattern.to_owned());
            continue;
        };
        let folder = workspace.path(parent);
        for entry in fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))? {
            let entry = entry?;
            if entry.path().join("package.json").is_file() {
                places.push(format!("{parent}/{}", entry.file_name().to_string_lossy()));
            }
        }
    }
    Ok(places)
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

/// An npm command in the root of the checkout.
fn npm(workspace: &Workspace, arguments: &[&str]) -> Command {
    let mut command = workspace.command(NPM);
    command.args(arguments);
    command
}

/// Whether npm's own record of what it installed agrees with the lock. No record, or one that cannot be
/// read, is a no.
fn is_installed(workspace: &Workspace) -> bool {
    let read = |relative| read(&workspace.path(relative));
    match (read("package-lock.json"), read("node_modules/.package-lock.json")) {
        (Ok(lock), Ok(installed)) => lockfile::is_satisfied(&lock, &installed),
        _ => false,
    }
}

fn version_of(program: &str) -> Result<String> {
    let output = Command::new(program)
        .arg("--version")
        .output()
        .with_context(|| format!("`{program}` is needed and was not found (https://nodejs.org)"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Major and minor of `v20.19.4`.
fn parse_version(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.strip_prefix('v').unwrap_or(text).split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_by_number() {
        assert_eq!(parse_version("v20.19.0"), Some(OLDEST_NODE));
        assert!(parse_version("v20.9.1") < Some(OLDEST_NODE));
        assert!(parse_version("v22.3.0-nightly") > Some(OLDEST_NODE));
        assert_eq!(parse_version("unknown"), None);
    }
}
