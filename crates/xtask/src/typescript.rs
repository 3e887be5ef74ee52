//! The TypeScript packages: `src` becomes `dist`, as it is published.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail};

use crate::{
    node::Node,
    packages::{self, Package},
    stamp, step,
    workspace::Workspace,
};

/// The TypeScript compiler.
const TSC: &str = "node_modules/typescript/bin/tsc";

/// A minifier.
const ESBUILD: &str = "node_modules/esbuild/bin/esbuild";

/// The kernel as JavaScript, in the output of the package that has it.
const TRANSLATED: &str = "generated/module.wasm2js.js";

/// Compiles every package whose sources, or whose dependencies' sources, changed since it was compiled.
///
/// # Errors
/// The compiler's report, and files that cannot be read or written.
pub(crate) fn build(workspace: &Workspace, node: &Node<'_>) -> Result<()> {
    let packages = packages::find(workspace)?;
    packages.iter().try_for_each(|package| {
        let dist = package.path(workspace).join("dist");
        let name = format!("tsc-{}", package.folder);
        stamp::unless_unchanged(workspace, &name, &inputs(workspace, package, &packages), &dist, || {
            // The compiler leaves the output of deleted sources where it is; nothing else writes to dist.
            if dist.exists() {
                fs::remove_dir_all(&dist).with_context(|| format!("cannot empty {}", dist.display()))?;
            }
            let project = format!("npm/{}/tsconfig.build.json", package.folder);
            step::run(&format!("compile {}", package.name), node.script(TSC, ["--project", &project]))?;
            let translated = dist.join(TRANSLATED);
            if translated.exists() { minify(node, &translated) } else { Ok(()) }
        })
    })
}

/// Makes a file small that nobody reads: not every app is bundled, and what binaryen writes is mostly blanks.
fn minify(node: &Node<'_>, file: &Path) -> Result<()> {
    let file = file.display();
    let arguments = ["--minify", "--log-level=warning", "--allow-overwrite"].map(str::to_owned);
    let files = [file.to_string(), format!("--outfile={file}")];
    step::run("the kernel as JavaScript, minified", node.script(ESBUILD, arguments.into_iter().chain(files)))
}

/// Type-checks every package with its tests, the suites in `tests/` and the fixture apps, against the built
/// packages.
///
/// # Errors
/// Names the projects that do not hold; each has shown the compiler's report.
pub(crate) fn check(workspace: &Workspace, node: &Node<'_>) -> Result<()> {
    let mut projects: Vec<_> =
        packages::find(workspace)?.iter().map(|package| format!("npm/{}", package.folder)).collect();
    projects.extend(["tests", "tests/browser/pages"].map(str::to_owned));
    projects.extend(fixtures(workspace)?);
    projects.retain(|project| {
        step::run(&format!("types of {project}"), node.script(TSC, ["--noEmit", "--project", project]))
            .is_err()
    });
    if projects.is_empty() { Ok(()) } else { bail!("types do not hold in {}", projects.join(", ")) }
}

/// The fixture apps that have types to check, by their path from the root.
fn fixtures(workspace: &Workspace) -> Result<Vec<String>> {
    let mut fixtures = Vec::new();
    for entry in fs::read_dir(workspace.path("fixtures")).context("cannot list fixtures")? {
        let folder = entry?;
        if folder.path().join("tsconfig.json").exists() {
            fixtures.push(format!("fixtures/{}", folder.file_name().to_string_lossy()));
        }
    }
    fixtures.sort_unstable();
    Ok(fixtures)
}

/// What the output of a package depends on: its own files, those of everything it needs, and the tools.
fn inputs(workspace: &Workspace, package: &Package, all: &[Package]) -> Vec<PathBuf> {
    let tools = ["tsconfig.base.json", "package-lock.json", "crates/xtask/src/typescript.rs"];
    let mut inputs: Vec<_> = tools.map(|file| workspace.path(file)).into();
    let mut pending = vec![package];
    let mut seen: Vec<&str> = Vec::new();
    while let Some(package) = pending.pop() {
        if !seen.contains(&package.name.as_str()) {
            seen.push(&package.name);
            let folder = package.path(workspace);
            inputs.extend(
                ["src", "package.json", "tsconfig.json", "tsconfig.build.json"].map(|name| folder.join(name)),
            );
            pending.extend(all.iter().filter(|other| package.needs.contains(&other.name)));
        }
    }
    inputs
}
