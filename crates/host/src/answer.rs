//! What a session is told of a bundle.

use std::collections::BTreeMap;

use agent_surface_compiler::{Answer, ContractFile, Failure, Known, Package, Question, SchemaOutcome};

use crate::{CORE, CORE_DIR, ROOT};

/// What a specifier may leave out.
const ENDINGS: [&str; 6] = ["", ".ts", ".tsx", ".js", ".mts", ".json"];

/// What a bundler knows of an app's modules. No package but the core is installed, and no plugin gives a map.
pub trait Bundle {
    /// Where a specifier leads.
    fn resolve(&self, specifier: &str, importer: &str) -> Option<String>;

    /// How a module stands in the graph; none where it is not in it.
    fn known(&self, id: &str) -> Option<Known>;

    /// A module's text as the bundler has it last.
    fn code(&self, id: &str) -> Option<String>;

    /// A module's text as its author wrote it.
    fn source(&self, id: &str) -> Option<String>;
}

/// The answer to a question about a bundle.
#[must_use]
pub fn answer(question: Question, bundle: &impl Bundle) -> Answer {
    match question {
        Question::Resolve { specifier, importer } => {
            let id = bundle.resolve(&specifier, &importer);
            Answer::Resolved { specifier, importer, id, external: false }
        }
        Question::Module { id } => Answer::Module { known: bundle.known(&id), id },
        Question::Code { id } => Answer::Code { text: bundle.code(&id), id },
        Question::Source { id } => Answer::Source { text: bundle.source(&id), id },
        Question::Map { id } => Answer::Map { id, map: None },
        // No schema library is installed.
        Question::Schema { key, .. } => Answer::Schema {
            key,
            outcome: SchemaOutcome::Failed(Failure {
                message: "no library is installed here".to_owned(),
                site: None,
                stand_in: None,
            }),
            libraries: Vec::new(),
        },
        Question::Package { id } => Answer::Package { package: Some(package_of(&id)), id },
        Question::Installed => Answer::Installed { ids: Vec::new() },
        // No package declares one.
        Question::ContractFile { folder, path } => {
            let file = ContractFile::Unreadable { reason: "there is none".to_owned() };
            Answer::ContractFile { folder, path, file }
        }
    }
}

fn package_of(id: &str) -> Package {
    let is_core = id.starts_with(CORE_DIR);
    Package {
        name: if is_core { "@agent-surface/core" } else { "app" }.to_owned(),
        version: is_core.then(|| "0.1.0".to_owned()),
        dir: if is_core { CORE_DIR } else { ROOT }.to_owned(),
        installed: is_core,
        declares_contract: false,
    }
}

/// Where a specifier leads among modules by id: to the core, or along a relative path.
#[must_use]
pub fn resolve<T>(modules: &BTreeMap<String, T>, specifier: &str, importer: &str) -> Option<String> {
    if specifier == "@agent-surface/core" {
        return Some(CORE.to_owned());
    }
    if !specifier.starts_with('.') {
        return None;
    }
    let mut path: Vec<&str> = importer.split('/').collect();
    path.pop();
    for segment in specifier.split('/') {
        match segment {
            "." => {}
            ".." => drop(path.pop()),
            segment => path.push(segment),
        }
    }
    let base = path.join("/");
    ENDINGS.iter().map(|ending| format!("{base}{ending}")).find(|path| modules.contains_key(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_specifier_leads_to_the_core_or_along_its_path() {
        let modules = ["/app/src/a.ts", "/app/b.json"].map(|id| (id.to_owned(), ())).into();
        for (specifier, id) in [
            ("@agent-surface/core", Some(CORE)),
            ("./a", Some("/app/src/a.ts")),
            ("./a.ts", Some("/app/src/a.ts")),
            ("../b", Some("/app/b.json")),
            ("./b", None),
            ("zod", None),
        ] {
            assert_eq!(resolve(&modules, specifier, "/app/src/main.ts").as_deref(), id, "{specifier}");
        }
    }
}
