//! A bundler in memory: it loads a program's modules, lets the compiler's session transform them, compiles
//! what comes back, and answers the session's questions.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use agent_surface_compiler::{
    Answer, Close, ContractFile, Failure, Known, Options, Package, Proof, Question, Report, SchemaOutcome,
    Session, Severity, Transform,
};

use crate::compile::{compile, json_module};
use crate::hold::hold_literals;
use crate::program::{Bundler, Program};

/// Where the program lies, as far as the session is told.
const ROOT: &str = "/app/";

/// The package that declares the macros. Nobody reads it: the compiler knows it by its name.
pub(crate) const CORE: &str = "/app/node_modules/@agent-surface/core/dist/index.js";

/// The package's folder.
const CORE_DIR: &str = "/app/node_modules/@agent-surface/core";

/// How often a session may ask before it is taken to go round in circles.
const MAX_ROUNDS: usize = 200;

/// A loaded module: JavaScript, and where its imports lead.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Linked {
    pub(crate) code: String,
    /// From specifier to id; what leads nowhere is not in it.
    pub(crate) links: BTreeMap<String, String>,
}

/// The modules of a program by id. [`ENTRY`] is in it.
pub(crate) type Graph = BTreeMap<String, Linked>;

/// The entry's id.
pub(crate) const ENTRY: &str = "/app/src/main.ts";

/// What a build came to.
pub(crate) enum Build {
    /// Proven: the proof, and the program as it ships.
    Proven(Box<Proof>, Graph),
    /// Refused with this report.
    Refused(Report),
    /// Not a program: some module does not compile.
    Malformed,
    /// The compiler broke its word to the host, which says how.
    Broken(String),
}

/// Loads the program as its author wrote it. None where some module does not compile.
pub(crate) fn load(program: &Program) -> Option<Graph> {
    let files = files(program);
    walk(&files, |_, source| Ok(source.to_owned())).ok()?.map(|loaded| loaded.graph)
}

/// Loads the program as its author wrote it, with its literals held ([`crate::hold`]).
pub(crate) fn load_held(program: &Program) -> Option<Graph> {
    let mut graph = load(program)?;
    for (id, source) in files(program) {
        let Some(module) = graph.get_mut(&id) else { continue };
        // What a JSON file holds can be changed like any other object.
        module.code = if id.ends_with(".json") {
            hold_literals("data.js", &json_module(&source)?)?
        } else {
            compile(&id, &hold_literals(&id, &source)?)?.code
        };
    }
    Some(graph)
}

/// Builds the program with the compiler.
pub(crate) fn build(program: &Program) -> Build {
    let files = files(program);
    let mut session = Session::new(Options {
        root: ROOT.trim_end_matches('/').to_owned(),
        real_root: None,
        target: "web-production".to_owned(),
        source_maps: false,
        defines: Vec::new(),
        approvals: Vec::new(),
        raw_tools: Severity::Error,
    });
    let nothing = Loaded::default();
    let walked = walk(&files, |id, source| {
        if !mentions_a_macro(source) {
            return Ok(source.to_owned());
        }
        for _ in 0..MAX_ROUNDS {
            match session.transform(id, source) {
                Transform::Unchanged => return Ok(source.to_owned()),
                Transform::Changed(output) => return Ok(output.code),
                Transform::Refused(report) => return Err(report.text),
                Transform::Ask(questions) => {
                    for question in questions {
                        session.answer(answer(question, &files, &nothing, program.bundler));
                    }
                }
            }
        }
        Err("the session asks on and on while it transforms".to_owned())
    });
    let loaded = match walked {
        Err(broken) => return Build::Broken(broken),
        Ok(None) => return Build::Malformed,
        Ok(Some(loaded)) => loaded,
    };
    for _ in 0..MAX_ROUNDS {
        match session.close() {
            Close::Proven(proof) => {
                let mut graph = loaded.graph;
                for module in graph.values_mut() {
                    if let Some(output) = session.render(&module.code) {
                        module.code = output.code;
                    }
                }
                return Build::Proven(Box::new(proof), graph);
            }
            Close::Refused(report) => return Build::Refused(report),
            Close::Ask(questions) if questions.is_empty() => break,
            Close::Ask(questions) => {
                for question in questions {
                    session.answer(answer(question, &files, &loaded, program.bundler));
                }
            }
        }
    }
    Build::Broken("the session never comes to an end".to_owned())
}

/// What a bundler knows once it has loaded everything.
#[derive(Default)]
struct Loaded {
    graph: Graph,
    /// Texts after the session's transform and before the compilation.
    texts: BTreeMap<String, String>,
    importers: BTreeMap<String, BTreeSet<String>>,
}

fn files(program: &Program) -> BTreeMap<String, String> {
    program.modules.iter().map(|module| (format!("{ROOT}{}", module.path), module.text())).collect()
}

/// The plugin's own filter: modules without any of these words never reach the session's transform.
fn mentions_a_macro(source: &str) -> bool {
    [
        "@agent-surface/",
        "defineAgentComponent",
        "defineAgentProcedureContract",
        "defineExternalAgentToolContract",
        "useAgentComponent",
        "useAgentAction",
        "useAgentObservation",
    ]
    .iter()
    .any(|word| source.contains(word))
}

/// Loads every module that the entry leads to. The inner none where one does not compile.
fn walk(
    files: &BTreeMap<String, String>,
    mut transform: impl FnMut(&str, &str) -> Result<String, String>,
) -> Result<Option<Loaded>, String> {
    let mut loaded = Loaded::default();
    let mut queue = VecDeque::from([ENTRY.to_owned()]);
    while let Some(id) = queue.pop_front() {
        if loaded.graph.contains_key(&id) {
            continue;
        }
        let Some(source) = files.get(&id) else { return Ok(None) };
        let text = transform(&id, source)?;
        let Some(script) = compile(&id, &text) else {
            // The transform must not break what was whole.
            return if compile(&id, source).is_some() {
                Err(format!("{id} does not parse after its expansion:\n{text}"))
            } else {
                Ok(None)
            };
        };
        let mut links = BTreeMap::new();
        for specifier in script.requests {
            if let Some(target) = resolve(files, &specifier, &id) {
                loaded.importers.entry(target.clone()).or_default().insert(id.clone());
                if target != CORE {
                    queue.push_back(target.clone());
                }
                links.insert(specifier, target);
            }
        }
        loaded.graph.insert(id.clone(), Linked { code: script.code, links });
        loaded.texts.insert(id, text);
    }
    Ok(Some(loaded))
}

fn answer(question: Question, files: &BTreeMap<String, String>, loaded: &Loaded, bundler: Bundler) -> Answer {
    match question {
        Question::Resolve { specifier, importer } => {
            let id = resolve(files, &specifier, &importer);
            Answer::Resolved { specifier, importer, id, external: false }
        }
        Question::Module { id } => {
            let importers: Vec<_> = loaded.importers.get(&id).into_iter().flatten().cloned().collect();
            let is_loaded = loaded.graph.contains_key(&id) || id == CORE;
            Answer::Module {
                known: is_loaded.then_some(Known { is_entry: importers.is_empty(), importers }),
                id,
            }
        }
        Question::Code { id } => {
            let text = match bundler {
                Bundler::Compiled => loaded.graph.get(&id).map(|module| module.code.clone()),
                Bundler::AsWritten => loaded.texts.get(&id).cloned(),
            };
            Answer::Code { id, text }
        }
        Question::Source { id } => {
            let text = files.get(&id).cloned();
            Answer::Source { id, text }
        }
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
        Question::Package { id } => {
            let is_core = id.starts_with(CORE_DIR);
            let package = Package {
                name: if is_core { "@agent-surface/core" } else { "app" }.to_owned(),
                version: is_core.then(|| "0.1.0".to_owned()),
                dir: if is_core { CORE_DIR } else { ROOT.trim_end_matches('/') }.to_owned(),
                installed: is_core,
                declares_contract: false,
            };
            Answer::Package { id, package: Some(package) }
        }
        Question::Installed => Answer::Installed { ids: Vec::new() },
        // No package declares one.
        Question::ContractFile { folder, path } => {
            let file = ContractFile::Unreadable { reason: "there is none".to_owned() };
            Answer::ContractFile { folder, path, file }
        }
    }
}

/// Where a specifier leads. Programs have one folder, `src`.
fn resolve(files: &BTreeMap<String, String>, specifier: &str, importer: &str) -> Option<String> {
    if specifier == "@agent-surface/core" {
        return Some(CORE.to_owned());
    }
    let folder = &importer[..importer.rfind('/')?];
    let base = format!("{folder}/{}", specifier.strip_prefix("./")?);
    ["", ".ts", ".js", ".json"]
        .iter()
        .map(|ending| format!("{base}{ending}"))
        .find(|path| files.contains_key(path))
}
