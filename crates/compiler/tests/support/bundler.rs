//! What the bundler knows of a project: where specifiers lead, what modules import, what lies where.

use std::collections::{BTreeMap, BTreeSet};

use agent_surface_compiler::{
    Answer, ContractFile, Known, Library, Package, Question, SchemaOutcome, install_folder,
};
use oxc_allocator::Allocator;
use oxc_parser::Parser;
use oxc_span::SourceType;

use super::{Project, ROOT};

const CORE: &str = "/app/node_modules/@agent-surface/core/dist/index.js";
const REACT: &str = "/app/node_modules/@agent-surface/react/dist/index.js";

impl Project {
    /// What the schema library says to the question of this number.
    pub(super) fn schema(&self, key: String, number: usize) -> Answer {
        let said = self.said.get(number).or(self.said.last()).expect("nobody said what the library says");
        let outcome = match said {
            Ok(document) => SchemaOutcome::Document(document.clone()),
            Err(failure) => SchemaOutcome::Failed(failure.clone()),
        };
        let libraries = vec![Library { name: "zod".to_owned(), version: Some("0.1.0".to_owned()) }];
        Answer::Schema { key, outcome, libraries }
    }

    /// The modules that a text of a module imports.
    fn imports_of(&self, id: &str, text: &str) -> Vec<String> {
        let targets = requests(id, text).into_iter().filter_map(|specifier| {
            let is_external = self.external.contains(&specifier);
            if is_external { Some(specifier) } else { self.resolve(&specifier, id) }
        });
        targets.map(|id| self.spelling.spell(&id)).collect()
    }

    /// What the bundler says of a question, from what it has of each module and who imports it.
    pub(super) fn answer(
        &self,
        question: Question,
        code: &BTreeMap<String, String>,
        importers: &BTreeMap<String, BTreeSet<String>>,
    ) -> Answer {
        let spelling = self.spelling;
        match question {
            Question::Resolve { specifier, importer } => {
                if self.external.contains(&specifier) {
                    let id = Some(specifier.clone());
                    return Answer::Resolved { specifier, importer, id, external: true };
                }
                let id = self.resolve(&specifier, &spelling.read(&importer)).map(|id| spelling.spell(&id));
                Answer::Resolved { specifier, importer, id, external: false }
            }
            Question::Module { id } => {
                let plain = spelling.read(&id);
                let known = code.contains_key(&plain).then(|| Known {
                    importers: importers
                        .get(&plain)
                        .into_iter()
                        .flatten()
                        .map(|id| spelling.spell(id))
                        .collect(),
                    imports: Some(self.imports_of(&plain, &code[&plain])),
                    is_entry: plain == format!("{ROOT}/src/main.ts"),
                });
                Answer::Module { id, known }
            }
            Question::Code { id } => {
                let text = code.get(&spelling.read(&id)).cloned();
                Answer::Code { id, text }
            }
            Question::Source { id } => {
                let text = self.files.get(&spelling.read(&id)).cloned();
                Answer::Source { id, text }
            }
            Question::Schema { key, .. } => self.schema(key, 0),
            Question::Map { id } => {
                let map = self.maps.get(&id).cloned();
                Answer::Map { id, map }
            }
            Question::Package { id } => {
                let package = match spelling.read(&id).strip_prefix("/app/node_modules/") {
                    Some(rest) if rest.starts_with("linked/") => Package {
                        dir: spelling.spell("/app/node_modules/linked"),
                        name: "@agent-surface/core".to_owned(),
                        version: Some("0.2.0".to_owned()),
                        installed: true,
                        declares_contract: false,
                    },
                    Some(_) => self.installed_package(&spelling.read(&id)),
                    None if spelling.read(&id).starts_with("/app/packages/other/") => Package {
                        dir: spelling.spell("/app/packages/other"),
                        name: "other".to_owned(),
                        version: None,
                        installed: false,
                        declares_contract: false,
                    },
                    None => Package {
                        dir: spelling.spell(ROOT),
                        name: "app".to_owned(),
                        version: None,
                        installed: false,
                        declares_contract: false,
                    },
                };
                Answer::Package { id, package: Some(package) }
            }
            Question::Installed => {
                let ids = code.keys().map(|id| spelling.spell(id)).filter(|id| id.contains("node_modules"));
                Answer::Installed { ids: ids.collect() }
            }
            Question::ContractFile { folder, path } => {
                let plain = spelling.read(&path);
                let file = match (self.contract_files.get(&plain), self.files.get(&plain)) {
                    (Some(file), _) => file.clone(),
                    (None, Some(text)) => {
                        ContractFile::Found { path: path.clone(), bytes: text.clone().into_bytes() }
                    }
                    (None, None) => ContractFile::Unreadable { reason: "No such file".to_owned() },
                };
                Answer::ContractFile { folder, path, file }
            }
        }
    }

    /// The installed package of a file, by its `package.json` where the project has one.
    fn installed_package(&self, path: &str) -> Package {
        let folder = install_folder(path).unwrap_or(path);
        let text = self.files.get(&format!("{folder}/package.json"));
        let manifest: Option<serde_json::Value> = text.and_then(|text| serde_json::from_str(text).ok());
        let folder_name = folder.rsplit_once("node_modules/").map_or(folder, |(_, name)| name);
        Package {
            dir: self.spelling.spell(folder),
            name: match &manifest {
                Some(manifest) => manifest["name"].as_str().unwrap_or_default().to_owned(),
                None => folder_name.to_owned(),
            },
            version: Some("0.1.0".to_owned()),
            installed: true,
            declares_contract: manifest
                .is_some_and(|manifest| !manifest["agentSurface"]["contract"].is_null()),
        }
    }

    pub(super) fn resolve(&self, specifier: &str, importer: &str) -> Option<String> {
        match specifier {
            "@agent-surface/core" if self.lacks_core => return None,
            "@agent-surface/core" | "surface-alias" => {
                return Some(self.cores.get(importer).map_or(CORE, String::as_str).to_owned());
            }
            "@agent-surface/react" => return Some(REACT.to_owned()),
            _ if self.virtual_modules.contains_key(specifier) => return Some(format!("\0{specifier}")),
            _ => {}
        }
        let base = if let Some(rest) = specifier.strip_prefix("@/") {
            format!("{ROOT}/src/{rest}")
        } else if specifier.starts_with('.') {
            let mut path: Vec<&str> = importer.split('/').collect();
            path.pop();
            for segment in specifier.split('/') {
                match segment {
                    "." => {}
                    ".." => drop(path.pop()),
                    segment => path.push(segment),
                }
            }
            path.join("/")
        } else {
            format!("{ROOT}/node_modules/{specifier}/index.js")
        };
        ["", ".ts", ".tsx", ".mts", ".js", ".jsx", ".mjs", ".json", "/index.ts"]
            .iter()
            .map(|ending| format!("{base}{ending}"))
            .find(|path| self.files.contains_key(path))
    }
}

/// What a module imports at run time, statically or by `import("…")`, in the order of its text.
pub(super) fn requests(id: &str, text: &str) -> Vec<String> {
    let parse = || {
        let allocator = Allocator::default();
        let source_type = SourceType::from_path(id).unwrap_or_default().with_module(true);
        let parsed = Parser::new(&allocator, text, source_type).parse();
        let record = &parsed.module_record;
        let mut requests: BTreeMap<u32, String> = BTreeMap::new();
        for (specifier, occurrences) in &record.requested_modules {
            let at_run_time = occurrences.iter().find(|occurrence| !occurrence.is_type);
            requests.extend(at_run_time.map(|occurrence| (occurrence.span.start, specifier.to_string())));
        }
        for import in &record.dynamic_imports {
            let specifier = &text[import.module_request.start as usize..import.module_request.end as usize];
            requests.insert(import.span.start, specifier.trim_matches('"').to_owned());
        }
        for (start, call) in text.match_indices("require(\"") {
            let specifier = text[start + call.len()..].split('"').next().unwrap_or_default();
            requests.insert(u32::try_from(start).unwrap(), specifier.to_owned());
        }
        requests.into_values().collect()
    };
    if text.len() < 10_000 {
        return parse();
    }
    // Some tests nest deeper than a test's thread can take.
    std::thread::scope(|scope| {
        std::thread::Builder::new().stack_size(256 << 20).spawn_scoped(scope, parse).unwrap().join().unwrap()
    })
}
