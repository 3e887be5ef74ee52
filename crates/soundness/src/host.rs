//! A bundler that compiles: it loads a program's modules, lets the compiler's session transform them, and compiles
//! what comes back.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use agent_surface_compiler::{Known, Options, Proof, Report, Session};
use agent_surface_host::{Bundle, ROOT, Talk, options, resolve};

use crate::compile::{compile, json_module};
use crate::hold::hold_literals;
use crate::program::{Bundler, Program};

pub(crate) use agent_surface_host::CORE;

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
    let mut session = Session::new(Options { source_maps: false, ..options() });
    let mut talk = Talk::default();
    let nothing = Loaded::default();
    let walked = walk(&files, |id, source| {
        if !mentions_a_macro(source) {
            return Ok(source.to_owned());
        }
        let bundle = LoadedProgram { files: &files, loaded: &nothing, bundler: program.bundler };
        match talk.transform(&mut session, &bundle, id, source) {
            Ok(Ok(changed)) => Ok(changed.map_or_else(|| source.to_owned(), |output| output.code)),
            Ok(Err(report)) => Err(report.text),
            Err(broken) => Err(broken.to_string()),
        }
    });
    let loaded = match walked {
        Err(broken) => return Build::Broken(broken),
        Ok(None) => return Build::Malformed,
        Ok(Some(loaded)) => loaded,
    };
    let bundle = LoadedProgram { files: &files, loaded: &loaded, bundler: program.bundler };
    match talk.close(&mut session, &bundle) {
        Ok(Ok(proof)) => {
            let mut graph = loaded.graph;
            for module in graph.values_mut() {
                if let Some(output) = session.render(&module.code) {
                    module.code = output.code;
                }
            }
            Build::Proven(Box::new(proof), graph)
        }
        Ok(Err(report)) => Build::Refused(report),
        Err(broken) => Build::Broken(broken.to_string()),
    }
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
    program.modules.iter().map(|module| (format!("{ROOT}/{}", module.path), module.text())).collect()
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

/// A program as its bundler answers for it.
struct LoadedProgram<'p> {
    files: &'p BTreeMap<String, String>,
    loaded: &'p Loaded,
    bundler: Bundler,
}

impl Bundle for LoadedProgram<'_> {
    fn resolve(&self, specifier: &str, importer: &str) -> Option<String> {
        resolve(self.files, specifier, importer)
    }

    fn known(&self, id: &str) -> Option<Known> {
        let importers: Vec<_> = self.loaded.importers.get(id).into_iter().flatten().cloned().collect();
        let is_loaded = self.loaded.graph.contains_key(id) || id == CORE;
        let imports = self.loaded.graph.get(id).map(|module| module.links.values().cloned().collect());
        is_loaded.then_some(Known { is_entry: importers.is_empty(), importers, imports })
    }

    fn code(&self, id: &str) -> Option<String> {
        match self.bundler {
            Bundler::Compiled => self.loaded.graph.get(id).map(|module| module.code.clone()),
            Bundler::AsWritten => self.loaded.texts.get(id).cloned(),
        }
    }

    fn source(&self, id: &str) -> Option<String> {
        self.files.get(id).cloned()
    }
}
