//! Which contract files there are: those of the packages in the graph, and those that the allow list names by path.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use agent_surface_json::{Json, parse};
use agent_surface_manifest::{Digest, Entry};
use oxc_span::Span;
use rustc_hash::FxHashMap;

use super::reading::{File, Reading};
use super::refusal::Refusal;
use super::{plain, tame};
use crate::graph::Graph;
use crate::id::{Id, install_folder, join_below};
use crate::message::Package;
use crate::module::Module;
use crate::problem::{Place, Problem};

/// The contract files of a build, and what keeps others from being one.
#[derive(Debug, Default)]
pub(crate) struct Sidecars {
    pub(crate) found: Vec<Sidecar>,
    pub(crate) problems: Vec<Problem>,
}

/// A contract file that is believed, and not yet approved.
#[derive(Debug)]
pub(crate) struct Sidecar {
    /// The package's name and folder, by where the file lies.
    pub(crate) package: String,
    pub(crate) folder: String,
    /// What the manifest calls the file.
    pub(crate) source: String,
    pub(crate) digest: Digest,
    pub(crate) entries: Vec<Entry>,
    /// The entry of the allow list that names the file by its path, where one does.
    pub(crate) path: Option<String>,
    /// Where it is declared: in a `package.json`, or else the file itself.
    pub(crate) declared: Place,
    /// The file, to show its places.
    file: Rc<Module>,
}

impl Sidecar {
    /// Where a capability stands in the file.
    pub(crate) fn place_of(&self, capability_id: &str) -> Place {
        let string = Json::from(capability_id).to_canonical();
        let start = self.file.source.find(&string).unwrap_or_default();
        Place { module: Rc::clone(&self.file), span: span(start, string.len()) }
    }

    /// Its entry for a capability of a declaration.
    pub(crate) fn entry(&self, declaration_id: &str, capability_id: &str) -> Option<&Entry> {
        self.entries.iter().find(|Entry { contract, .. }| {
            contract.declaration_id == declaration_id && contract.capability_id == capability_id
        })
    }
}

/// Finds the contract files of a build. What it says means nothing while the graph has questions.
pub(crate) fn discover(graph: &Graph<'_>) -> Sidecars {
    let mut sidecars = Sidecars { problems: graph.policy().problems().to_vec(), ..Sidecars::default() };
    let mut seen = BTreeSet::new();
    for package in packages(graph) {
        if let Some((path, declared)) = declared_file(graph, package, &mut sidecars.problems)
            && let Some(reading) = graph.contract_file(&package.dir, &path)
            && seen.insert(real_path(reading, &path))
        {
            let source = graph.origin(&path);
            sidecars.take(package, reading, source, Some(declared), None);
        }
    }
    for (pinned, path) in graph.policy().with_path() {
        let absolute = graph.absolute(path);
        let Some(package) = graph.package(&absolute) else { continue };
        let package = match package {
            Some(package) if package.name == pinned.package => package,
            other => {
                sidecars.problems.push(wrong_owner(path, &pinned.package, other));
                continue;
            }
        };
        if let Some(reading) = graph.contract_file(&package.dir, &absolute)
            && seen.insert(real_path(reading, &absolute))
        {
            // As it is written, unless that is a path of the machine.
            let source = match Id::parse(path) {
                Id::Path(_) => graph.origin(path),
                _ => path.to_owned(),
            };
            sidecars.take(package, reading, source, None, Some(path.to_owned()));
        }
    }
    tame(&mut sidecars.problems);
    sidecars
}

impl Sidecars {
    fn take(
        &mut self,
        package: &Package,
        reading: &Reading,
        source: String,
        declared: Option<Place>,
        path: Option<String>,
    ) {
        let file = reading.file.as_ref().map(|File { path, text, digest }| {
            (Rc::new(Module::to_show(path, &source, &plain(text))), *digest)
        });
        match (&reading.manifest, file) {
            (Ok(manifest), Some((file, digest))) => {
                let whole = Place { module: Rc::clone(&file), span: Span::default() };
                self.found.push(Sidecar {
                    package: package.name.clone(),
                    folder: package.dir.clone(),
                    source,
                    digest,
                    entries: manifest.capabilities().to_vec(),
                    path,
                    declared: declared.unwrap_or(whole),
                    file,
                });
            }
            (Err(refusal), file) => {
                let place = match (file, refusal.offset) {
                    (Some((module, _)), Some(offset)) => Some(Place { module, span: span(offset, 1) }),
                    _ => declared,
                };
                self.problems.push(unbelievable(&package.name, &source, refusal, place));
            }
            // What could be read has a file.
            (Ok(_), None) => {}
        }
    }

    /// The contract file of the package in a folder.
    pub(crate) fn of(&self, folder: &str) -> Option<&Sidecar> {
        self.found.iter().find(|sidecar| sidecar.folder == folder)
    }
}

/// One module of each installed package, which is enough to ask about: all of them lie in the same folder. What a plugin
/// made of an installed module stands for none, since that module is there as well.
pub(crate) fn one_of_each(ids: Vec<String>) -> Vec<String> {
    let mut least: FxHashMap<&str, &str> = FxHashMap::default();
    for id in ids.iter().filter(|id| !id.starts_with('\0')) {
        if let Some(folder) = install_folder(id) {
            least.entry(folder).and_modify(|least| *least = (*least).min(id)).or_insert(id);
        }
    }
    let mut modules: Vec<String> = least.into_values().map(str::to_owned).collect();
    modules.sort_unstable();
    modules
}

/// The installed packages in the graph, each once, in the order of their folders.
fn packages<'m>(graph: &Graph<'m>) -> Vec<&'m Package> {
    let mut packages = BTreeMap::new();
    for id in graph.installed().unwrap_or_default() {
        if let Some(Some(package)) = graph.package(id)
            && package.installed
            && package.declares_contract
        {
            packages.insert(package.dir.as_str(), package);
        }
    }
    packages.into_values().collect()
}

/// The contract file that a package's `package.json` names, and the place that names it.
fn declared_file(
    graph: &Graph<'_>,
    package: &Package,
    problems: &mut Vec<Problem>,
) -> Option<(String, Place)> {
    let path = join_below(&package.dir, "package.json")?;
    let text = graph.disk_text(&path)??;
    let module = Rc::new(Module::to_show(&path, &graph.origin(&path), &plain(text)));
    let json = parse(text).ok()?;
    let value = json.get("agentSurface").and_then(|it| it.get("contract"))?;
    let spelled = value.to_canonical();
    // The last one, since a file list may name it first.
    let start = text.rfind(&spelled).unwrap_or_default();
    let declared = Place { module, span: span(start, spelled.len()) };
    let file = value.as_str().and_then(|file| join_below(&package.dir, file));
    if package.name.is_empty() {
        let message = "A package without a name declares a contract file";
        problems.push(Problem::at(declared, "bad-contract-file", message).help(REPORT));
        return None;
    }
    let Some(file) = file else {
        let message = format!(
            "The contract file of `{}` is {spelled}, which names no file in its folder",
            package.name
        );
        let problem = Problem::at(declared, "bad-contract-file", message).label("leads out of the package");
        problems.push(problem.help(REPORT));
        return None;
    };
    Some((file, declared))
}

const REPORT: &str = "Nothing of the package is admitted before this is right. Report it to the package's authors, or \
                      install a version of it without.";

fn unbelievable(package: &str, source: &str, refusal: &Refusal, place: Option<Place>) -> Problem {
    let message = format!("The contract file of `{package}`, {source}, {}", refusal.message);
    match place {
        Some(place) => Problem::at(place, "bad-contract-file", message).label("not admitted").help(REPORT),
        // Only the app itself has named it.
        None => Problem::without_place("bad-contract-file", message).help(
            "Nothing of the package is admitted before this is right. Correct the `path` of its entry in \
             `externalContracts.allow`, which is one from the root, or report it to the package's authors.",
        ),
    }
}

fn wrong_owner(path: &str, approved: &str, owner: Option<&Package>) -> Problem {
    let message = match owner.map(|package| package.name.as_str()) {
        Some(owner) if !owner.is_empty() => {
            format!("The contract file {path} belongs to `{owner}`, and is approved as one of `{approved}`")
        }
        _ => format!(
            "The contract file {path}, approved as one of `{approved}`, belongs to no package with a name"
        ),
    };
    Problem::without_place("bad-approval", message).help(
        "Whose file it is is told by the `package.json` above it, where symbolic links lead. Correct the entry of \
         `externalContracts.allow`.",
    )
}

fn real_path(reading: &Reading, asked: &str) -> String {
    reading.file.as_ref().map_or(asked, |file| file.path.as_str()).to_owned()
}

fn span(start: usize, length: usize) -> Span {
    Span::sized(u32::try_from(start).unwrap_or(u32::MAX), u32::try_from(length).unwrap_or_default())
}
