//! The npm packages of the checkout, in the order they can be built.

use std::{collections::BTreeMap, fs, path::PathBuf};

use agent_surface_json::{Json, parse};
use anyhow::{Context as _, Result, anyhow, bail};

use crate::workspace::Workspace;

/// One package in `npm/`.
#[derive(Clone, Debug)]
pub(crate) struct Package {
    /// What it is published as: `@agent-surface/core`.
    pub(crate) name: String,
    /// The name of its folder: `core`.
    pub(crate) folder: String,
    /// What it needs, as far as it stands in `npm/` too; in the order of [`find`].
    pub(crate) needs: Vec<String>,
}

impl Package {
    /// The absolute path of its folder.
    pub(crate) fn path(&self, workspace: &Workspace) -> PathBuf {
        workspace.path("npm").join(&self.folder)
    }
}

/// All packages in `npm/`, each after the ones it needs.
///
/// # Errors
/// A package.json that is missing or has no name, and packages that need each other in a circle.
pub(crate) fn find(workspace: &Workspace) -> Result<Vec<Package>> {
    let mut found = BTreeMap::new();
    let folder = workspace.path("npm");
    for entry in fs::read_dir(&folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            let manifest = entry.path().join("package.json");
            let text = fs::read_to_string(&manifest)
                .with_context(|| format!("cannot read {}", manifest.display()))?;
            let package = read(&entry.file_name().to_string_lossy(), &text)
                .with_context(|| format!("in {}", manifest.display()))?;
            found.insert(package.name.clone(), package);
        }
    }
    order(found)
}

fn read(folder: &str, manifest: &str) -> Result<Package> {
    let manifest = parse(manifest).map_err(|error| anyhow!("not JSON: {error}"))?;
    let name = manifest.get("name").and_then(Json::as_str).context("the package has no name")?;
    let needs = ["dependencies", "peerDependencies", "devDependencies"]
        .iter()
        .filter_map(|kind| manifest.get(kind)?.as_object())
        .flat_map(|packages| packages.keys().map(str::to_owned))
        .collect();
    Ok(Package { name: name.to_owned(), folder: folder.to_owned(), needs })
}

/// Takes what needs nothing that is left, again and again; ties go by name, so the order is always the same.
fn order(mut left: BTreeMap<String, Package>) -> Result<Vec<Package>> {
    for package in left.clone().keys() {
        let names: Vec<String> = left.keys().cloned().collect();
        if let Some(package) = left.get_mut(package) {
            package.needs.retain(|need| names.contains(need));
        }
    }
    let mut ordered = Vec::new();
    while !left.is_empty() {
        let ready = left.values().find(|package| package.needs.iter().all(|need| !left.contains_key(need)));
        let Some(name) = ready.map(|package| package.name.clone()) else {
            bail!("these packages need each other: {}", left.into_keys().collect::<Vec<_>>().join(", "));
        };
        ordered.extend(left.remove(&name));
    }
    Ok(ordered)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(packages: &[(&str, &[&str])]) -> Result<Vec<String>> {
        let packages = packages.iter().map(|(name, needs)| {
            let needs = needs.iter().map(|need| (*need).to_owned()).collect();
            ((*name).to_owned(), Package { name: (*name).to_owned(), folder: (*name).to_owned(), needs })
        });
        Ok(order(packages.collect())?.into_iter().map(|package| package.name).collect())
    }

    #[test]
    fn a_package_comes_after_what_it_needs() {
        let ordered =
            names(&[("cli", &["compiler"]), ("compiler", &["core", "vite"]), ("core", &[])]).unwrap();
        assert_eq!(ordered, ["core", "compiler", "cli"]);
    }

    #[test]
    fn a_circle_is_refused_by_name() {
        let error = names(&[("a", &["b"]), ("b", &["a"]), ("c", &[])]).unwrap_err();
        assert_eq!(error.to_string(), "these packages need each other: a, b");
    }

    #[test]
    fn every_kind_of_dependency_counts() {
        let manifest = r#"{"name": "x", "dependencies": {"a": "1"}, "devDependencies": {"b": "1"}, "peerDependencies": {"c": "1"}}"#;
        assert_eq!(read("x", manifest).unwrap().needs, ["a", "c", "b"]);
    }
}
