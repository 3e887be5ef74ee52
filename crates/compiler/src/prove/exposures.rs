//! What goes to the browser's agents past every contract: tools that are registered by hand, and forms that are tools.

use std::collections::BTreeMap;
use std::rc::Rc;

use agent_surface_json::{Json, Object};
use agent_surface_manifest::Digest;

use super::Prover;
use crate::evaluate::place;
use crate::external::{Owner, Verdict};
use crate::facts::{Exposure, ExposureKind};
use crate::module::Module;
use crate::problem::Problem;

/// The package that registers what the registry has, and nothing else.
const USE: &str = "Declare a contract, and hand the registry to the browser with createWebMcpAdapter() of \
                   `@agent-surface/webmcp`.";

/// What a package registers by itself: its modules, each with where it does.
type Exposed<'s> = Vec<(&'s Rc<Module>, Vec<&'s Exposure>)>;

impl Prover<'_, '_> {
    /// Judges every module that hands tools to the browser by itself: the project's as its options say, those of
    /// dependencies against the allow list. Returns what is worth a look only.
    pub(super) fn judge_exposures<'s>(
        &mut self,
        modules: impl Iterator<Item = &'s Rc<Module>>,
    ) -> Vec<Problem> {
        let mut warnings = Vec::new();
        let mut packages: BTreeMap<(&str, &str), Exposed<'_>> = BTreeMap::new();
        for module in modules.filter(|module| !module.facts.exposures.is_empty()) {
            if !self.is_in_graph(module) {
                continue;
            }
            let (forms, raw): (Vec<&Exposure>, Vec<&Exposure>) =
                module.facts.exposures.iter().partition(|it| it.kind.is_declarative());
            warnings.extend(forms.into_iter().map(|form| form_tool(module, form)));
            if raw.is_empty() {
                continue;
            }
            match (self.graph.owner(&module.id), self.graph.package(&module.id)) {
                (Some(Owner::Project), _) => {
                    for exposure in raw {
                        let problem = raw_tool(module, exposure);
                        match self.graph.policy().allows_raw_tools() {
                            true => warnings.push(problem.warning()),
                            false => self.findings.push(problem),
                        }
                    }
                }
                (Some(_), Some(Some(package))) => {
                    packages.entry((&package.name, &package.dir)).or_default().push((module, raw));
                }
                (Some(_), Some(None)) => {
                    let problem = raw.first().map(|exposure| raw_tool(module, exposure));
                    self.findings.problems.extend(problem);
                }
                _ => self.findings.waiting += 1,
            }
        }
        for ((package, dir), exposed) in packages {
            let digest = digest_of(dir, &exposed);
            if let Some((module, raw)) = exposed.first()
                && let Some(first) = raw.first()
            {
                let problem = match self.graph.policy().decide(package, digest) {
                    Verdict::Approved => continue,
                    Verdict::Unknown => "and nobody approved it",
                    Verdict::Changed(_) => "which is not what was approved",
                };
                self.findings.push(unapproved(module, first, package, problem, digest));
            }
        }
        warnings
    }
}

/// The digest of what a package does by itself: the modules that do it, by their paths in the package and their texts.
fn digest_of(dir: &str, exposed: &Exposed<'_>) -> Digest {
    let mut files: Vec<(String, String)> = exposed
        .iter()
        .map(|(module, _)| {
            let path = module.id.replace('\\', "/");
            let dir = dir.replace('\\', "/");
            let path = path.split_once(dir.as_str()).map_or(path.as_str(), |(_, inside)| inside);
            (path.trim_start_matches('/').to_owned(), Digest::of(&*module.source).to_hex())
        })
        .collect();
    files.sort();
    files.dedup();
    let files = files.into_iter().map(|(path, digest)| {
        let mut file = Object::new();
        file.insert("digest", digest);
        file.insert("path", path);
        Json::from(file)
    });
    let mut text = Json::from(files.collect::<Vec<_>>()).to_canonical();
    text.push('\n');
    Digest::of(text)
}

fn raw_tool(module: &Rc<Module>, exposure: &Exposure) -> Problem {
    let (message, label) = match exposure.kind {
        ExposureKind::Escape => (
            "The browser's `modelContext` gets away, where tools may be registered that no contract proves",
            "can't be followed from here",
        ),
        ExposureKind::Unclear => (
            "What may be the browser's `modelContext` is reached by a way that is not followed, so tools may be \
             registered that no contract proves",
            "can't be followed up to here",
        ),
        _ => ("A tool that no contract proves is registered with the browser", "registered here"),
    };
    Problem::at(place(module, exposure.span), "raw-tool", message)
        .label(label)
        .help(format!("{USE} To be warned only, say `rawTools: \"warn\"` in the options of agentSurface()."))
}

fn unapproved(module: &Rc<Module>, first: &Exposure, package: &str, why: &str, digest: Digest) -> Problem {
    let message = format!("`{package}` registers tools with the browser by itself, {why}");
    let name = Json::from(package).to_canonical();
    Problem::at(place(module, first.span), "raw-tool", message).label("registered here").help(format!(
        "Review what it would let an agent do. To approve it, add to `externalContracts.allow` of agentSurface():\n\
         {{\n  \"package\": {name},\n  \"digest\": \"{digest}\"\n}}"
    ))
}

fn form_tool(module: &Rc<Module>, form: &Exposure) -> Problem {
    let message = match form.kind {
        ExposureKind::Attribute => {
            "An element gets the attribute that makes a form a tool of the browser, and no contract says so"
        }
        ExposureKind::Text => {
            "A text has a form that is a tool of the browser once it is markup, and no contract says so"
        }
        _ => "A form is a tool of the browser, and no contract says so",
    };
    Problem::at(place(module, form.span), "form-tool", message)
        .label("made a tool here")
        .help("Agents of the browser can fill it in and send it, past the registry and its policies.")
        .warning()
}
